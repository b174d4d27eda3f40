"""A decided claim as people see it, from the evidence of its result alone: in full on a terminal, and as a card in a notebook.

``claim_text`` is what ``ClaimResult.show`` returns. The schedules in evidence are recognised by their fields, checked again, and
drawn as pictures.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from crtools.errors import InputError
from crtools.ledger.display import words
from crtools.ledger.evidence import FALSE, Data, Evidence, Open, Proved, Refuted
from crtools.ledger.verdict import DecidedClaim
from crtools.names import count_text
from crtools.notation.marked_text import FUNCTIONS, runs
from crtools.notation.mathml import prose, statement
from crtools.notation.terminal import in_a_line, in_signs, label, one_line, spoken, unmarked
from crtools.numeric_types import JsonObject
from crtools.plotting.occupancy import Picture
from crtools.schedule import Schedule
from crtools.tables import table

if TYPE_CHECKING:
    from crtools.proof.accepted import Accepted

Record = Mapping[str, Any]
"""An object of evidence in JSON."""


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
        rests = words.rests_on(verdict.rests, verdict.status, verdict.kernel_checked(accepted))
        page.head(f"{verdict.level}: " + ", ".join(filter(None, (verdict.status, rests))), 2)
        page.add(f"reading: {verdict.reading}", 4)
        page.add(f"why: {verdict.why}", 4)
        if verdict.uses:
            page.add("uses: " + ", ".join(verdict.uses), 4)
        for finding in verdict.findings:
            prefix = "" if finding.decides else "beside, decides nothing: "
            page.finding(finding.status, prefix + finding.says, finding.id, finding.evidence)
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
        self.printed: list[tuple[Evidence, str]] = []

    def add(self, text: str, indent: int = 0, first: str = "") -> None:
        """Add a paragraph; ``first`` is put before its first line."""
        self._wrap(whole_formulas(text.replace("``", ""), self.width // 2), indent, first)

    def _wrap(self, text: str, indent: int, first: str) -> None:
        space = " " * indent
        wrapped = textwrap.wrap(
            text,
            self.width + len(first) - _columns(first),
            initial_indent=space + first,
            subsequent_indent=space + " " * _columns(first),
            break_on_hyphens=False,
        )
        self.lines += [line.replace(TIED, " ") for line in wrapped] or [""]

    def head(self, text: str, indent: int = 0) -> None:
        before = len(self.lines)
        self.add(text, indent)
        if self.colour:
            self.lines[before:] = [f"\x1b[1m{line}\x1b[0m" for line in self.lines[before:]]

    def sign(self, status: str) -> str:
        return words.painted(words.SIGNS.get(status, "·"), status, self.colour)

    def outline(self, result: DecidedClaim, accepted: Accepted) -> None:
        """Add a line for each level and for the published proof, and the number of steps in the proofs below."""
        self.add("")
        rows = [(v.level, self.sign(v.status), v.status, v.mark(accepted), unmarked(v.why)) for v in result.verdicts]
        proof = result.proof
        rows.append(("published proof", self.sign(proof.state), proof.state, "", unmarked(proof.why)))
        name_width, word_width, mark_width = (max(len(row[n]) for row in rows) for n in (0, 2, 3))
        for name, sign, status, mark, why in rows:
            line = f"  {name:<{name_width}}  {sign} {status:<{word_width}}  {mark:>{mark_width}}  "
            room = self.width - _columns(line)
            self.lines.append((line + (textwrap.shorten(why, room, placeholder=" …") if room > 12 else "")).rstrip())
        kinds = Counter(words.step_kind(step) for theorem in result.theorems for step in theorem["steps"])
        if kinds:
            self.add(f"proofs, below: {count_text(len(result.theorems), 'theorem')}; steps: {_kinds(kinds)}", 2)

    def finding(self, status: str, says: str, id: str, evidence: Evidence) -> None:
        """Add a finding and its evidence; evidence that was printed before is only named."""
        self.add(f"{status}: {says} [{id}]", 4, f"{self.sign(status)} ")
        above = [name for other, name in self.printed if other == evidence]
        self.printed.append((evidence, id))
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
        """Add drawings of the schedules in the evidence that are small enough."""
        for picture in [picture for picture in pictures_of(result) if picture.drawable][:MOST_DRAWN]:
            self.add("")
            self.lines += textwrap.indent(picture.text(self.width - 8), " " * 4).splitlines()

    def proofs(self, theorems: Sequence[Data], accepted: Accepted) -> None:
        for theorem in theorems:
            self.add("")
            self.head(f"Theorem {words.titled(theorem['theorem'])}. {theorem['reading']}", 2)
            kinds = _kinds(Counter(map(words.step_kind, theorem["steps"])))
            in_coq = words.coq_words(accepted.mark(theorem), len(theorem["steps"]))
            self.add(f"{kinds}; Coq (a record; make coq repeats it): {in_coq}" if in_coq else kinds, 4)
            if theorem["statement"] != theorem["steps"][-1]["latex"]:
                self.lines += formula_lines(f"states {in_a_line(theorem['statement'])}", self.width, 4)
            for number, step in enumerate(theorem["steps"], start=1):
                by = f"by Theorem {words.titled(step['theorem'])}" if step["kind"] == "Citation" else ""
                text = ": ".join(part for part in (by, words.step_name(step, number), step["text"]) if part)
                formula = f"{words.both_sides(step)} {in_a_line(step['latex'])}"
                formula = textwrap.shorten(formula, 300, placeholder=" …")
                first = f"{number}. {words.step_kind(step)}: "
                if text:
                    self.add(text, 4, first)
                    self.lines += formula_lines(formula, self.width, 9)
                else:
                    head, *more = formula_lines(formula, self.width, 4 + len(first))
                    self.lines += [f"    {first}{head.lstrip()}", *more]


MOST_DRAWN = 6
"""Upper limit on the schedules of one claim that are drawn."""

TIED = "\N{NO-BREAK SPACE}"
"""A space at which no line is broken."""

_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def _columns(text: str) -> int:
    return len(_ESCAPE.sub("", text))


def _kinds(kinds: Counter[str]) -> str:
    order = ("judged", "judged with words", "computed", "cited", "concluded", "argued", "failed")
    return ", ".join(f"{kinds[kind]} {kind}" for kind in order if kinds[kind])


def whole_formulas(text: str, room: int) -> str:
    """Return a marked text as a terminal shows it, without line breaks in the brackets of a formula shorter than ``room``."""
    printed = "".join(_tied(in_signs(part), room) if maths else spoken(part) for part, maths in runs(text))
    return _tied(printed, room, prose=True)


_WORD = re.compile(r"[^\W\d_]{3,}")
"""A word; formulas have none but names of functions and totals."""


def _tied(formula: str, room: int, *, prose: bool = False) -> str:
    """Replace the spaces within brackets shorter than ``room`` by ``TIED``; in prose, within those without words."""
    characters, open_at = list(formula), list[int]()
    for at, sign in enumerate(formula):
        if sign in "([{":
            open_at.append(at)
        elif sign in ")]}" and open_at:
            start = open_at.pop()
            long = _WORD.findall(formula[start:at]) if prose else ()
            if at - start < room and all(each in FUNCTIONS or each.isupper() for each in long):
                characters[start:at] = [TIED if c == " " else c for c in characters[start:at]]
    return "".join(characters)


def formula_lines(formula: str, width: int, indent: int) -> list[str]:
    """Break a formula into lines, as far outside of brackets as possible; a quotient of brackets also before its stroke."""
    room, lines = max(width - indent, 12), list[str]()
    remaining = _tied(formula.strip(), room // 2)
    while len(remaining) > room:
        height, breaks = 0, list[tuple[int, int]]()
        for at, sign in enumerate(remaining[: room + 1]):
            height += (sign in ")]}") - (sign in "([{")
            if at > 2 and (sign == " " or remaining[at - 1 : at + 2] == ")/("):
                breaks.append((height, at))
        if not breaks:
            break
        _, at = max(breaks)  # the outermost, and of these the last
        lines.append(remaining[:at].rstrip())
        remaining = remaining[at:].strip()
    lines += [remaining[k : k + room] for k in range(0, len(remaining), room)] or [""]
    return [" " * indent + line.replace(TIED, " ") for line in lines]


NAMES = {
    "theorems": "by theorem", "argument": "because", "witness": "counterexample", "claimed": "as claimed",
    "actual": "in fact", "second": "recomputed", "stays": "in the limit", "value": "found", "range": "range",
    "sample": "sample", "agrees": "they agree", "tried": "tried", "margin": "margin", "tight": "attained",
    "growth_in_L": "order claimed", "order_in_L": "order found",
}  # fmt: skip
"""The fields of evidence in words."""


def _name(key: str) -> str:
    return NAMES.get(key) or unmarked(label(key))


def _rows(evidence: Evidence) -> tuple[list[tuple[str, str]], list[tuple[str, list[Record]]]]:
    """Return evidence as pairs (name, text), and separately its lists of records with the same fields, by name."""
    data = evidence.as_json()
    data.pop("kind")
    if "theorems" in data:
        data["theorems"] = [words.titled(name) for name in data["theorems"]]
    values: Record = data.pop("values", {})
    if isinstance(evidence, Proved | Refuted | Open):
        values = {name: value for name, value in values.items() if not isinstance(value, list | dict)}
    rows, tables = list[tuple[str, str]](), list[tuple[str, list[Record]]]()
    for name, value in data.items():
        fields: Record = value if isinstance(value, Mapping) else {name: value}
        like = {key: records for key, records in fields.items() if _is_table(records)}
        tables += [(_name(name) if key == name else f"{_name(name)}: {_name(key)}", like[key]) for key in like]
        others = {key: each for key, each in fields.items() if key not in like}
        if others:
            rows += _spread(_name(name), others if isinstance(value, Mapping) else value)
    for name, value in values.items():
        rows += _spread(_name(name), _in_alpha(name, value))
    return rows, tables


def _in_alpha(name: str, value: Any) -> Any:
    """Return an order in L with the meaning of L, and any other value unchanged."""
    if name not in ("growth_in_L", "order_in_L"):
        return value
    return r"$\ln(1/α)$" if value == "L" else f"${value}$ with $L = \\ln(1/α)$"


def _flat(record: Record) -> JsonObject:
    """Return a record with the fields of records in it, each under both names."""
    flat: JsonObject = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            inner: Record = value
            flat |= {f"{unmarked(label(name))}, {unmarked(label(key))}": each for name, each in inner.items()}
        else:
            flat[unmarked(label(key))] = value
    return flat


def _is_table(value: Any) -> bool:
    """Return whether a value is a list of flat records with the same fields."""
    if not (isinstance(value, list) and len(value) > 1 and all(isinstance(row, Mapping) for row in value)):
        return False
    records = [_flat(row) for row in value]
    nested = any(isinstance(each, Mapping | list) for row in records for each in row.values())
    return not nested and all(list(row) == list(records[0]) for row in records)


def _table(name: str, records: Sequence[Record], room: int) -> str:
    """Return records as a table with a row for each, or where that is too wide, with a row for each field."""
    heads = list(_flat(records[0]))
    cells = [tuple(one_line(value) for value in _flat(row).values()) for row in records]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    if sum(widths) + 2 * len(widths) <= room - 2:
        text = table(cells, heads, width=room - 2)
    else:
        text = table([(head, *column) for head, *column in zip(heads, *cells, strict=True)], width=room - 2)
        if max(map(len, text.splitlines())) > room or "…" in text:
            text = "\n".join(_in_a_row(heads, row, room - 2) for row in cells)
    return f"{name}\n{textwrap.indent(text, '  ')}"


def _in_a_row(heads: Sequence[str], row: Sequence[str], room: int) -> str:
    pairs = zip(heads, row, strict=True)
    text = ", ".join(f"{head}{' =' if len(head) < 4 else ':'}{TIED}{cell}" for head, cell in pairs)
    return "\n".join(line.replace(TIED, " ") for line in textwrap.wrap(text, room, subsequent_indent="  "))


def _spread(name: str, value: Any) -> list[tuple[str, str]]:
    """Return a value as rows (name, text), with a row for each record of a list."""
    if isinstance(value, Mapping):
        fields = {key: item for key, item in value.items() if not _has_records(item)}
        texts = [one_line(fields)] if fields else []
        for key, items in value.items():
            if key not in fields:
                texts += [f"{unmarked(label(key))}: {one_line(items[0])}", *map(one_line, items[1:])]
    else:
        texts = [one_line(item) for item in value] if _has_records(value) else [one_line(value)]
    return [("" if number else name, text) for number, text in enumerate(texts)]


def _has_records(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


# ---- as a card of a notebook -----------------------------------------------------------------------------------------


def card(result: DecidedClaim) -> str:
    """Return the claim as HTML with formulas as MathML, without scripts or links to the network."""
    rows = [(v.level + " (stated here)" * (v.level == result.stated_at), v.status, v.why) for v in result.verdicts]
    rows += [(f"instead, {repair.level}", repair.status, repair.sentence) for repair in result.repairs]
    row = Markup('<tr><td>{}</td><td>{}&nbsp;{}</td><td style="text-align:left">{}</td></tr>')
    body = Markup("").join(row.format(where, words.SIGNS[status], status, prose(text)) for where, status, text in rows)
    state = result.proof.state
    proof = Markup("<p>The published proof: {} {}.</p>").format(words.SIGNS[state], words.word(state))
    top = Markup("<p><b>{}</b> ({}): {}</p>").format(result.id, prose(result.place), statement(result.statement))
    return str(Markup("<div>{}<table><tbody>{}</tbody></table>{}</div>").format(top, body, proof))


# ---- the schedules of its evidence -----------------------------------------------------------------------------------

SCHEDULE_FIELDS = frozenset({"name", "starts", "lengths", "s", "M"})
"""The fields of a record that is a schedule."""


def schedules_of(value: Any) -> list[Record]:
    """Return the schedules in a value of evidence, which is one or a list of them; empty for any other value."""
    rows = value if isinstance(value, list) else [value]
    are_schedules = bool(rows) and all(isinstance(row, Mapping) and row.keys() >= SCHEDULE_FIELDS for row in rows)
    return rows if are_schedules else []


def schedule_lists(evidence: Evidence) -> Iterator[list[Record]]:
    """Yield the lists of schedules in the values and in the witness of evidence."""
    for value in (*evidence.values.values(), *getattr(evidence, "witness", {}).values()):
        if rows := schedules_of(value):
            yield rows


def counterexample(result: DecidedClaim) -> list[Record]:
    """Return the first schedules, all of one instance, of the evidence that refutes a claim; empty where there are none."""
    verdicts = sorted(result.verdicts, key=lambda verdict: verdict.level != result.stated_at)  # the paper's level first
    refuting = (finding for verdict in verdicts for finding in verdict.deciding if finding.status in FALSE)
    rows = next((rows for finding in refuting for rows in schedule_lists(finding.evidence)), [])
    return [row for row in rows if row["lengths"] == rows[0]["lengths"]]


def pictures_of(result: DecidedClaim) -> list[Picture]:
    """Return each schedule in a claim's evidence as a picture, without repetitions. Raises as :func:`checked_schedule` does."""
    findings = [f for v in result.verdicts for f in (*v.findings, *v.degenerate)]
    rows = [row for f in (*findings, *result.proof.displays) for rows in schedule_lists(f.evidence) for row in rows]
    pictures = (checked_schedule(row).plot(int(row["M"]), unmarked(str(row["name"]))) for row in rows)
    return list(dict.fromkeys(pictures))


def checked_schedule(row: Record) -> Schedule:
    """Return a record of evidence as a ``Schedule``; ``AssertionError`` where its numbers are no schedule."""
    try:
        schedule = Schedule(row["starts"], row["lengths"], row["s"])
        schedule.feasible(row["M"])
    except (KeyError, InputError) as error:
        raise AssertionError(f"evidence holds a schedule that is none: {error}") from None
    return schedule
