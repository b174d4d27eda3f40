"""The schedules that evidence holds, drawn as memory over time, each checked again and with its numbers below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from crtools.errors import InputError
from crtools.ledger.evidence import FALSE, Evidence
from crtools.plotting.boxes import Scale, scales
from crtools.plotting.occupancy import Picture, of_schedule
from crtools.plotting.occupancy_svg import svg
from crtools.report.marked_text import unmarked
from crtools.report.mathml import prose
from crtools.schedule import Schedule

if TYPE_CHECKING:
    from crtools.ledger.verdict import ClaimResult, Verdict

FIELDS = frozenset({"name", "starts", "lengths", "s", "M"})

Row = Mapping[str, Any]


def schedules_of(item: Any) -> list[Row]:
    """Return a value of evidence as the schedules that it is, one or a list; empty where it is something else."""
    rows = item if isinstance(item, list) else [item]
    fit = bool(rows) and all(isinstance(row, Mapping) and row.keys() >= FIELDS for row in rows)
    return rows if fit else []


def drawings(schedules: Sequence[Row]) -> Markup:
    """Return schedules side by side, those of nearly one size on one scale, each checked again and with its numbers below it.

    Raises ``AssertionError`` where an entry is no schedule.
    """
    plans = [_read(row) for row in schedules]
    own = [of_schedule(str(row["name"]), plan, int(row["M"])) for row, plan in zip(schedules, plans, strict=True)]
    figures = [
        _figure(picture, plan, scale, row.get("assumed"))
        for row, plan, picture, scale in zip(schedules, plans, own, _scales(own), strict=True)
    ]
    return Markup(f'<div class="schedules">{"".join(figures)}</div>')


CARDS = '<section id="claims">'

AGAIN = re.compile(r"<figure>(<svg class=\"schedule\".*?</svg>)(<figcaption>.*?</figcaption>)</figure>", re.DOTALL)


def drawn_once(page: str) -> str:
    """Return a page on whose cards each schedule is drawn where it stands first; further on its numbers stand, with a link there.

    What is before the cards, the picture that a reader sees first, stays as it is.
    The same schedule has the same caption, or, where that has not all its numbers, the same drawing.
    """
    seen: dict[str, int] = {}

    def place(found: re.Match[str]) -> str:
        drawing, caption = found.groups()
        key = caption if "; starts " in caption else caption + drawing
        if key in seen:
            to = f'<a href="#drawing-{seen[key]}">drawn above</a>'
            return f'<figure class="again">{caption.replace("</figcaption>", f" ({to})</figcaption>")}</figure>'
        seen[key] = len(seen) + 1
        return f'<figure id="drawing-{seen[key]}">{drawing}{caption}</figure>'

    before, cards, after = page.partition(CARDS)
    return before + cards + AGAIN.sub(place, after)


def held(evidence: Evidence) -> Iterator[list[Row]]:
    """Yield the lists of schedules that evidence holds, in its values and in its witness."""
    for item in (*evidence.values.values(), *getattr(evidence, "witness", {}).values()):
        if rows := schedules_of(item):
            yield rows


def counterexample(result: ClaimResult) -> list[Row]:
    """Return the first schedules of the evidence that refutes a claim, those of one instance; empty where there are none."""
    found = (rows for finding in _refuting(result) for rows in held(finding.evidence))
    rows = next(found, [])
    return [row for row in rows if row["lengths"] == rows[0]["lengths"]]


def pictures_of(result: ClaimResult) -> list[Picture]:
    """Return every schedule that a claim's evidence holds as a picture, once each. Raises ``AssertionError`` for one that is none."""
    findings = [f.evidence for v in result.verdicts for f in (*v.findings, *v.degenerate)]
    evidence = [*findings, *(d.evidence for d in result.proof.displays)]
    rows = [row for one in evidence for rows in held(one) for row in rows]
    own = (of_schedule(unmarked(str(row["name"])), _read(row), int(row["M"])) for row in rows)
    return list(dict.fromkeys(own))


def _refuting(result: ClaimResult) -> Iterator[Any]:
    """Yield the findings that decide a claim to be false, at the level of the paper first."""
    levels: list[Verdict] = sorted(result.verdicts, key=lambda verdict: verdict.level != result.stated_at)
    for verdict in levels:
        yield from (finding for finding in verdict.deciding if finding.status in FALSE)


def _scales(pictures: Sequence[Picture]) -> list[Scale | None]:
    """Return the scales of those that are small enough to be drawn."""
    drawn = iter(scales([own for own in pictures if own.drawable]))
    return [next(drawn) if own.drawable else None for own in pictures]


def _read(row: Row) -> Schedule:
    try:
        plan = Schedule(row["starts"], row["lengths"], row["s"])
        plan.feasible(row["M"])
    except (KeyError, InputError) as error:
        raise AssertionError(f"evidence holds a schedule that is none: {error}") from None
    return plan


def _figure(own: Picture, plan: Schedule, scale: Scale | None, assumed: object) -> str:
    memory = own.memory or 0
    notes = [
        f"total latency {plan.total_latency}",
        f"largest use {plan.peak_memory} of {memory}" + ("" if plan.feasible(memory) else ", which is exceeded"),
        "starts " + ", ".join(map(str, plan.starts)),
        "lengths " + ", ".join(map(str, plan.lengths)),
        "s = " + (str(plan.s) if isinstance(plan.s, int) else ", ".join(map(str, plan.s))),
    ]
    if isinstance(assumed, Sequence):
        notes.append("memory reserved for lengths " + ", ".join(map(str, assumed)))
    shown = notes if plan.n <= 12 else notes[:2]
    drawing = "<p>Too large to draw.</p>" if scale is None else svg(own, unmarked(own.name), scale)
    caption = f"<strong>{prose(own.name)}</strong>: {escape('; '.join(shown))}"
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"
