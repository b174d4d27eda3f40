"""One claim in full on a terminal: what ``DecidedClaim.show`` returns, from a result's evidence alone."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crtools.ledger.display.pictures import pictures_of
from crtools.ledger.display.proof_words import both_sides, coq_words, counted, rests_on, step_kind, step_name, titled
from crtools.ledger.display.status_marks import SIGNS, painted
from crtools.ledger.evidence import Data, Evidence, Open, Proved, Refuted
from crtools.notation.marked_text import runs
from crtools.notation.terminal import in_a_line, in_signs, spoken, unmarked
from crtools.notation.tokens import FUNCTIONS
from crtools.notation.values import label, shown
from crtools.tables import table

if TYPE_CHECKING:
    from crtools.ledger.verdict import DecidedClaim
    from crtools.proof.accepted import Accepted


def claim_text(result: DecidedClaim, width: int, accepted: Accepted, *, colour: bool = False) -> str:
    """Return one claim in full: an outline, then readings, findings, evidence, schedules, and every step of the proofs."""
    page = _Page(width, colour)
    page.head(f"{result.id} ({result.place})")
    page.add(result.statement, 2)
    if result.given:
        page.add("given: " + ", ".join(f"``{k} = {v}``" for k, v in result.given.items()), 2)
    page.add(f"stated at: {result.stated_at}. Found: {result.why}", 2)
    if result.rests_on:
        page.add("rests on: " + ", ".join(result.rests_on), 2)
    page.outline(result, accepted)
    for verdict in result.verdicts:
        page.add("")
        rests = rests_on(verdict.rests, verdict.status, verdict.kernel_checked(accepted))
        page.head(f"{verdict.level}: " + ", ".join(filter(None, (verdict.status, rests))), 2)
        page.add(f"reading: {verdict.reading}", 4)
        page.add(f"why: {verdict.why}", 4)
        if verdict.uses:
            page.add("uses: " + ", ".join(verdict.uses), 4)
        for finding in verdict.findings:
            beside = "" if finding.decides else "beside, decides nothing: "
            page.finding(finding.status, beside + finding.says, finding.id, finding.evidence)
        for finding in verdict.degenerate:
            page.finding("does not count", finding.says, finding.id, finding.evidence)
    page.schedules(result)
    page.add("")
    page.head(f"published proof: {result.proof.state}" + (f" ({result.proof.why})" if result.proof.why else ""), 2)
    for display in result.proof.displays:
        instead = f"; instead: {display.instead}" if display.instead else ""
        page.finding(display.status, f"{display.says}{instead}", display.id, display.evidence)
    if result.standing_repairs:
        page.add("")
        page.head("true in its place:", 2)
    for repair in result.standing_repairs:
        page.add(f"{page.sign(repair.status)} {repair.level}, {repair.status}: {repair.sentence}", 4)
    page.proofs(result.theorems, accepted)
    return "\n".join(page.lines)


class _Page:
    """Lines that fit a width. With ``colour`` signs and headings have escapes of a terminal."""

    def __init__(self, width: int, colour: bool = False) -> None:
        self.width, self.colour, self.lines = max(width, 40), colour, list[str]()
        self.shown: list[tuple[Evidence, str]] = []

    def add(self, text: str, indent: int = 0, first: str = "") -> None:
        """Add a paragraph; ``first`` stands before its first line."""
        self._wrap(whole_formulas(text.replace("``", ""), self.width // 2), indent, first)

    def _wrap(self, text: str, indent: int, first: str) -> None:
        space = " " * indent
        wrapped = textwrap.wrap(
            text,
            self.width + len(first) - _seen(first),
            initial_indent=space + first,
            subsequent_indent=space + " " * _seen(first),
            break_on_hyphens=False,
        )
        self.lines += [line.replace(TIED, " ") for line in wrapped] or [""]

    def head(self, text: str, indent: int = 0) -> None:
        """Add a heading, bold where there is colour."""
        before = len(self.lines)
        self.add(text, indent)
        if self.colour:
            self.lines[before:] = [f"\x1b[1m{line}\x1b[0m" for line in self.lines[before:]]

    def sign(self, status: str) -> str:
        """Return the sign of a status, in its colour."""
        return painted(SIGNS.get(status, "·"), status, self.colour)

    def outline(self, result: DecidedClaim, accepted: Accepted) -> None:
        """Add a line for each level and for the published proof, and what the proofs below consist of."""
        self.add("")
        rows = [(v.level, self.sign(v.status), v.status, v.mark(accepted), unmarked(v.why)) for v in result.verdicts]
        own = result.proof
        rows.append(("published proof", self.sign(own.state), own.state, "", unmarked(own.why)))
        names, words, marks = (max(len(row[n]) for row in rows) for n in (0, 2, 3))
        for name, sign, status, mark, why in rows:
            line = f"  {name:<{names}}  {sign} {status:<{words}}  {mark:>{marks}}  "
            room = self.width - _seen(line)
            self.lines.append((line + (textwrap.shorten(why, room, placeholder=" …") if room > 12 else "")).rstrip())
        kinds = Counter(step_kind(step) for theorem in result.theorems for step in theorem["steps"])
        if kinds:
            self.add(f"proofs, below: {counted(len(result.theorems), 'theorem')} of {_kinds(kinds)}", 2)

    def finding(self, status: str, says: str, id: str, evidence: Evidence) -> None:
        """Add a finding and what it rests on; evidence that stands above already is named only."""
        self.add(f"{status}: {says} [{id}]", 4, f"{self.sign(status)} ")
        above = [name for one, name in self.shown if one == evidence]
        self.shown.append((evidence, id))
        if above:
            self.add(f"evidence: that of [{above[0]}]", 8)
            return
        rows, tables = _rows(evidence)
        room, widest = self.width - 8, max((len(name) for name, _ in rows), default=0)
        for name, text in rows:
            short = textwrap.shorten(text, 600, placeholder=" …")
            self._wrap(_tied(short, room // 2, prose=True), 8, f"{name:<{widest}}  ")
        for name, records in tables:
            self.lines += textwrap.indent(_table(name, records, room), " " * 8).splitlines()

    def schedules(self, result: DecidedClaim) -> None:
        """Add the schedules that the evidence holds, drawn, as far as they are small enough."""
        for own in [own for own in pictures_of(result) if own.drawable][:MOST_DRAWN]:
            self.add("")
            self.lines += textwrap.indent(own.text(self.width - 8), " " * 4).splitlines()

    def proofs(self, theorems: Sequence[Data], accepted: Accepted) -> None:
        """Add every theorem with its steps."""
        for theorem in theorems:
            self.add("")
            self.head(f"Theorem {titled(theorem['theorem'])}. {theorem['reading']}", 2)
            kinds = _kinds(Counter(map(step_kind, theorem["steps"])))
            in_coq = coq_words(accepted.mark(theorem), len(theorem["steps"]))
            self.add(f"{kinds}; Coq (a record; make coq repeats it): {in_coq}" if in_coq else kinds, 4)
            if theorem["statement"] != theorem["steps"][-1]["latex"]:
                self.lines += formula_lines(f"states {in_a_line(theorem['statement'])}", self.width, 4)
            for number, step in enumerate(theorem["steps"], start=1):
                by = f"by Theorem {titled(step['theorem'])}" if step["kind"] == "Citation" else ""
                words = ": ".join(part for part in (by, step_name(step, number), step["text"]) if part)
                formula = textwrap.shorten(f"{both_sides(step)} {in_a_line(step['latex'])}", 300, placeholder=" …")
                first = f"{number}. {step_kind(step)}: "
                if words:
                    self.add(words, 4, first)
                    self.lines += formula_lines(formula, self.width, 9)
                else:
                    own = formula_lines(formula, self.width, 4 + len(first))
                    self.lines += [f"    {first}{own[0].lstrip()}", *own[1:]]


MOST_DRAWN = 6
"""Schedules of one claim that are drawn."""

TIED = "\N{NO-BREAK SPACE}"
"""A space at which no line ends."""

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def _seen(text: str) -> int:
    """Return how many columns a text with escapes takes."""
    return len(_ESCAPE.sub("", text))


def _kinds(kinds: Counter[str]) -> str:
    """Return how many steps there are of each kind, those that a machine judged first."""
    order = ("judged", "judged and said", "computed", "cited", "joined", "argued", "failed")
    return ", ".join(f"{kinds[kind]} {kind}" for kind in order if kinds[kind])


def whole_formulas(text: str, room: int) -> str:
    """Return a marked text as a terminal shows it, with no place to break a line in the brackets of a formula.

    Brackets longer than ``room`` may be broken.
    """
    own = "".join(_tied(in_signs(part), room) if maths else spoken(part) for part, maths in runs(text))
    return _tied(own, room, prose=True)


_WORD = re.compile(r"[^\W\d_]{3,}")
"""What no formula has, but for the names of functions and totals."""


def _tied(formula: str, room: int, *, prose: bool = False) -> str:
    """Return a formula with the spaces tied that stand in brackets which fit; in prose, in those without words."""
    own, open_at = list(formula), list[int]()
    for at, sign in enumerate(formula):
        if sign in "([{":
            open_at.append(at)
        elif sign in ")]}" and open_at:
            start = open_at.pop()
            words = _WORD.findall(formula[start:at]) if prose else ()
            if at - start < room and all(word in FUNCTIONS or word.isupper() for word in words):
                own[start:at] = [TIED if each == " " else each for each in own[start:at]]
    return "".join(own)


def formula_lines(formula: str, width: int, indent: int) -> list[str]:
    """Return a formula in lines that break outside of brackets, or where these do not fit as far outside as can be.

    A quotient of brackets may be broken before its stroke.
    """
    room, found = max(width - indent, 12), list[str]()
    rest = _tied(formula.strip(), room // 2)
    while len(rest) > room:
        depth, breaks = 0, list[tuple[int, int]]()
        for at, sign in enumerate(rest[: room + 1]):
            depth += (sign in "([{") - (sign in ")]}")
            if at > 2 and (sign == " " or rest[at - 1 : at + 2] == ")/("):
                breaks.append((depth, at))
        if not breaks:
            break
        least = min(depth for depth, _ in breaks)
        at = max(at for depth, at in breaks if depth == least)
        found.append(rest[:at].rstrip())
        rest = rest[at:].strip()
    found += [rest[k : k + room] for k in range(0, len(rest), room)] or [""]
    return [" " * indent + line.replace(TIED, " ") for line in found]


NAMES = {
    "theorems": "by theorem", "argument": "because", "witness": "it fails at", "claimed": "claimed there",
    "actual": "true there", "second": "found again", "stays": "and stays so", "value": "found", "range": "looked at",
    "sample": "looked at", "agrees": "they agree", "tried": "tried", "margin": "margin", "tight": "attained",
    "growth_in_L": "order claimed", "order_in_L": "order found",
}  # fmt: skip
"""What evidence calls its parts, in words."""


def _name(key: str) -> str:
    return NAMES.get(key) or unmarked(label(key))


def _rows(evidence: Evidence) -> tuple[list[tuple[str, str]], list[tuple[str, list[Mapping[str, Any]]]]]:
    """Return evidence as pairs of a name and a text, and what is a list of like records apart, by name."""
    data = evidence.as_json()
    data.pop("kind")
    if "theorems" in data:
        data["theorems"] = [titled(name) for name in data["theorems"]]
    values: Mapping[str, Any] = data.pop("values", {})
    if isinstance(evidence, Proved | Refuted | Open):
        values = {name: value for name, value in values.items() if not isinstance(value, list | dict)}
    rows, tables = list[tuple[str, str]](), list[tuple[str, list[Mapping[str, Any]]]]()
    for name, value in data.items():
        own: Mapping[str, Any] = value if isinstance(value, Mapping) else {name: value}
        like = {key: records for key, records in own.items() if _alike(records)}
        tables += [
            (_name(name) if key == name else f"{_name(name)}: {_name(key)}", records) for key, records in like.items()
        ]
        rest = {key: each for key, each in own.items() if key not in like}
        if isinstance(value, Mapping):
            rows += _spread(_name(name), rest) if rest else []
        elif rest:
            rows += _spread(_name(name), value)
    return rows + [
        row for name, value in values.items() for row in _spread(_name(name), _in_alpha(name, value))
    ], tables


def _in_alpha(name: str, value: Any) -> Any:
    """Return an order in L with what L is; any other value as it is."""
    if name not in ("growth_in_L", "order_in_L"):
        return value
    return r"$\ln(1/α)$" if value == "L" else f"${value}$ with $L = \\ln(1/α)$"


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with what stands under a name of its own beside the rest, under both names."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            inner: Mapping[str, Any] = value
            found |= {f"{unmarked(label(name))}, {unmarked(label(key))}": each for name, each in inner.items()}
        else:
            found[unmarked(label(key))] = value
    return found


def _alike(value: Any) -> bool:
    """Return whether a value is a list of records of the same names, with nothing further inside."""
    if not (isinstance(value, list) and len(value) > 1 and all(isinstance(row, Mapping) for row in value)):
        return False
    records = [_flat(row) for row in value]
    inside = any(isinstance(each, Mapping | list) for row in records for each in row.values())
    return not inside and all(list(row) == list(records[0]) for row in records)


def _table(name: str, records: Sequence[Mapping[str, Any]], room: int) -> str:
    """Return like records as a table with a row each, or where that is too wide with a row for each name."""
    heads = list(_flat(records[0]))
    cells = [tuple(shown(value) for value in _flat(row).values()) for row in records]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    if sum(widths) + 2 * len(widths) <= room - 2:
        own = table(cells, heads, width=room - 2)
    else:
        own = table([(head, *column) for head, *column in zip(heads, *cells, strict=True)], width=room - 2)
        if max(map(len, own.splitlines())) > room or "…" in own:
            own = "\n".join(_listed(heads, row, room - 2) for row in cells)
    return f"{name}\n{textwrap.indent(own, '  ')}"


def _listed(heads: Sequence[str], row: Sequence[str], room: int) -> str:
    text = ", ".join(
        f"{head}{' =' if len(head) < 4 else ':'}{TIED}{cell}" for head, cell in zip(heads, row, strict=True)
    )
    return "\n".join(line.replace(TIED, " ") for line in textwrap.wrap(text, room, subsequent_indent="  "))


def _spread(name: str, value: Any) -> list[tuple[str, str]]:
    """Return a value as rows, each record of a list or under a name of its own on one of its own."""
    if isinstance(value, Mapping):
        whole = {key: item for key, item in value.items() if not _records(item)}
        texts = [shown(whole)] if whole else []
        for key, items in value.items():
            if key not in whole:
                texts += [f"{unmarked(label(key))}: {shown(items[0])}", *map(shown, items[1:])]
    else:
        texts = [shown(item) for item in value] if _records(value) else [shown(value)]
    return [("" if number else name, text) for number, text in enumerate(texts)]


def _records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
