"""Errata of the paper, computed from the ledger: what is claimed, why it does not hold, and what is true instead.

A claim has an entry where its verdict at a level is refuted or contradicted, or where its published proof has a false
step or a gap. A replacement is printed only while what backs it is proved or certified.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby
from textwrap import shorten
from typing import Any

from crtools.ledger.claim import ClaimResult
from crtools.ledger.display.words import SIGNS, word
from crtools.ledger.evidence import FALSE, SURE, Evidence, Measured, Refuted
from crtools.ledger.ledger import Ledger
from crtools.ledger.verdict import Verdict
from crtools.notation.latex import tex
from crtools.notation.terminal import label, scalar, unmarked
from crtools.report.dependencies import dependencies

LARGEST_COUNT, LONGEST = 12, 240
"""Upper limits on the values of an entry, and on the characters of a value."""
NONE_KNOWN = "no replacement is known to be true"
STANDS = "the claim stands; the fault is in its published proof"
INTRODUCTION = (
    "Each entry says what the paper claims, the verdict at each level, why the claim does not hold, and a true replacement. "
    "A replacement is printed only where it is proved (for every value in its reading) or certified (exact or ball arithmetic, "
    "for a stated range) here."
)


@dataclass(frozen=True)
class Line:
    """One line of an entry: its head, a marked text, and a status or ""."""

    head: str
    text: str
    status: str = ""


CHAPTERS = (
    "False as stated",
    "False at another level than the paper's",
    "Not refuted, with a fault in the published proof",
)
"""The chapters, the gravest first."""

CONTRADICTIONS = "Where the paper contradicts itself"
"""The heading of a ledger's slips, which come last and decide nothing."""


@dataclass(frozen=True)
class Erratum:
    """One entry. ``marks``: the status at each level; ``stated_at``: the level at which the paper states the claim."""

    chapter: str
    id: str
    place: str
    stated_at: str
    marks: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]


def errata(results: Sequence[ClaimResult]) -> list[Erratum]:
    """Return the entries by chapters, in each of them in the ledger's order."""
    nodes = dependencies(results)
    faulty = (
        r for r in results if r.proof.state in ("false-step", "gap") or any(v.status in FALSE for v in r.verdicts)
    )
    return sorted((_erratum(r, nodes[r.id].false) for r in faulty), key=lambda entry: CHAPTERS.index(entry.chapter))


def chapters(entries: Iterable[Erratum]) -> list[tuple[str, list[Erratum]]]:
    """Return the chapters that have entries, each with its entries."""
    return [(name, list(group)) for name, group in groupby(entries, key=lambda entry: entry.chapter)]


def _erratum(result: ClaimResult, grounds: Sequence[Verdict]) -> Erratum:
    lines = [Line("Claimed", result.statement), Line("Found", result.why), *_faults(result)]
    for d in result.proof.displays:
        if d.status in FALSE:
            text = "; ".join(filter(None, (d.says, facts(d.evidence))))
            lines.append(Line("Its proof", text + (f"; instead: {d.instead}" if d.instead else ""), d.status))
    lines += [Line("Its proof leaves out", gap) for gap in result.proof.gaps]
    lines += [Line("Rests on", f"{ground.claim}, {ground.status} at level {ground.level}") for ground in grounds]
    lines += [Line(f"Read instead ({r.level})", r.sentence, r.status) for r in result.standing_repairs]
    if not result.standing_repairs:
        sure = ", ".join(v.level for v in result.verdicts if v.status in SURE)
        text = f"the claim stands at level {sure}; elsewhere {NONE_KNOWN}" if sure else NONE_KNOWN
        lines.append(Line("Read instead", STANDS if all(v.status in SURE for v in result.verdicts) else text))
    marks = tuple((v.level, v.status) for v in result.verdicts)
    false = any(status in FALSE for _, status in marks)
    chapter = CHAPTERS[0 if result.stated.status in FALSE else 1 if false else 2]
    return Erratum(chapter, result.id, result.place, result.stated_at, marks, tuple(lines))


def _faults(result: ClaimResult) -> list[Line]:
    """Return a line for each false finding; one that is false at several levels in the same way has one line."""
    levels: dict[tuple[str, str, str], list[str]] = {}
    for verdict in result.verdicts:
        for finding in verdict.findings:
            if finding.status in FALSE:
                text = "; ".join(part for part in (finding.says, facts(finding.evidence)) if part)
                head = "False" if finding.decides else "False, but decides nothing"
                levels.setdefault((head, text, finding.status), []).append(verdict.level)
    return [Line(f"{head} ({', '.join(where)})", text, status) for (head, text, status), where in levels.items()]


def facts(evidence: Evidence) -> str:
    """Return the witness with the claimed and the actual value, or the sample and its margin, as one marked text."""
    if isinstance(evidence, Refuted):
        parts = {"at": evidence.witness, "claimed": evidence.claimed, "actual": evidence.actual}
        return "; ".join([*_named(parts), *([evidence.stays] if evidence.stays else [])])
    if isinstance(evidence, Measured):
        return "; ".join(_named({"sample": evidence.sample, "margin": evidence.margin}))
    return ""


def _named(parts: Mapping[str, Any]) -> list[str]:
    return [f"{name} {text}" for name, item in parts.items() if (text := brief(item))]


def brief(item: Any) -> str:
    """Return a value as a short marked text: a scalar, a short list, or the scalars and short lists of a mapping."""
    if isinstance(item, Mapping):
        texts = {str(key): brief(value) for key, value in item.items() if not isinstance(value, Mapping)}
        return ", ".join([f"{label(key)} = {text}" for key, text in texts.items() if text][:LARGEST_COUNT])
    if isinstance(item, list):
        flat = 0 < len(item) <= LARGEST_COUNT and not any(isinstance(x, Mapping | list) for x in item)
        return f"({', '.join(map(brief, item))})" if flat else ""
    text = "" if item is None else scalar(item)[0]
    return text if len(text) <= LONGEST else shorten(unmarked(text), LONGEST, placeholder=" …")


def markdown(results: Sequence[ClaimResult], ledger: Ledger, write: Callable[[str], str] | None = None) -> str:
    """Return the errata as a Markdown page; ``write`` renders marked texts (by default in Unicode)."""
    words = write or escaped
    lines = [
        "# Errata of the paper",
        "",
        "<!-- Made by `crtools report --errata FILE` from the ledger; do not edit by hand. -->",
        "",
        f"On *{escaped(ledger.title)}*, {escaped(ledger.source)}. {INTRODUCTION}",
        "",
        "The levels: " + "; ".join(f"`{level.id}`, {escaped(level.speaks_of)}" for level in ledger.levels) + ". "
        "The id of a claim stands in brackets after its place: `crtools verify ID --show` prints its theorems and numbers.",
    ]
    for chapter, entries in chapters(errata(results)):
        lines += ["", f"## {escaped(chapter)}", *(line for entry in entries for line in _entry(entry, words))]
    if slips := ledger.slips():
        lines += ["", f"## {CONTRADICTIONS}", ""]
        lines += [f"- **{words(slip.place)}:** {words(slip.says)}. Taken here: {words(slip.taken)}." for slip in slips]
    return "\n".join(lines) + "\n"


def _entry(entry: Erratum, write: Callable[[str], str]) -> Iterator[str]:
    """Return the lines of an entry: what an author needs, then the record of every finding behind a fold."""
    labels = ", ".join(f"`{label}`" for label in re.findall(r"\((\w+:[^()\s]+)\)", entry.place))
    place = re.sub(r" \(\w+:[^()\s]+\)", "", entry.place)
    claimed, result, *records = entry.lines
    yield from ("", f"### {escaped(place)} (`{entry.id}`)", "", f"> {write(claimed.text)}", "")
    marks = (f"{v} {SIGNS[status]} {status}" + " (stated here)" * (v == entry.stated_at) for v, status in entry.marks)
    yield f"- **Verdict:** {', '.join(marks)}"
    yield f"- **Found:** {write(result.text)}"
    if witness := _shortest_witness(entry):
        yield _item_of(replace(witness, head=witness.head.replace("False", "A witness")), write)
    yield from (_item_of(line, write) for line in records if line.head.startswith("Read instead"))
    in_source = f"; in the source {labels}" if labels else ""
    yield f"- **Proofs and numbers:** `crtools verify {entry.id} --show`{in_source}"
    if others := [line for line in records if line != witness and not line.head.startswith("Read instead")]:
        yield from ("", '<details markdown="1"><summary>The record of every finding</summary>', "")
        yield from (_item_of(line, write) for line in others)
        yield from ("", "</details>")


def _shortest_witness(entry: Erratum) -> Line | None:
    """Return the shortest line on what is false, at the level where the paper states the claim if it is false there."""
    false = [line for line in entry.lines if line.head.startswith("False (")]
    stated = [line for line in false if re.search(rf"[( ]{entry.stated_at}[,)]", line.head)]
    return min(stated or false, key=lambda line: len(line.text), default=None)


def _item_of(line: Line, write: Callable[[str], str]) -> str:
    return f"- **{line.head}:** {write(line.text)}" + (f" ({word(line.status)})" if line.status else "")


def escaped(text: str) -> str:
    """Return a marked text in Unicode, with Markdown's special characters escaped; ``code`` stays code."""
    parts = enumerate(re.split(r"``(.*?)``", unmarked(text)))
    return "".join(f"`{p}`" if n % 2 else re.sub(r"([\\`*_\[\]|])", r"\\\1", escape(p, quote=False)) for n, p in parts)


def latex(results: Sequence[ClaimResult], ledger: Ledger | None = None) -> str:
    """Return the errata as LaTeX lists that can be pasted into a revision (``amsmath`` is all it needs)."""
    lines = [r"\section*{Errata}"]
    for chapter, entries in chapters(errata(results)):
        lines += [rf"\subsection*{{{tex(chapter)}}}", r"\begin{itemize}"]
        for entry in entries:
            lines.append(rf"\item \textbf{{{tex(entry.place)}.}}")
            for line in entry.lines:
                status = f" ({word(line.status)})" if line.status else ""
                lines.append(rf"  \emph{{{tex(line.head)}:}} {tex(line.text)}{status}".removesuffix(".") + ".")
        lines.append(r"\end{itemize}")
    if slips := ledger.slips() if ledger else ():
        lines += [rf"\subsection*{{{CONTRADICTIONS}}}", r"\begin{itemize}"]
        for place, says, taken in slips:
            lines.append(rf"\item \textbf{{{tex(place)}.}} {tex(says)}. \emph{{Taken here:}} {tex(taken)}.")
        lines.append(r"\end{itemize}")
    return "\n".join(lines) + "\n"
