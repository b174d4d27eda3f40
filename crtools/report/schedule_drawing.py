"""The schedules of evidence on a page, drawn as memory over time, each checked again and with its numbers below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from crtools.ledger.display.pictures import Row, checked_schedule
from crtools.notation.mathml import prose
from crtools.notation.terminal import unmarked
from crtools.plotting.boxes import Scale, scales
from crtools.plotting.occupancy import Picture
from crtools.plotting.occupancy_axes import svg
from crtools.schedule import Schedule


def drawings(schedules: Sequence[Row]) -> Markup:
    """Return schedules side by side, those of nearly one size on one scale, each checked again and with its numbers below it.

    Raises ``AssertionError`` where an entry is no schedule.
    """
    plans = [checked_schedule(row) for row in schedules]
    own = [plan.plot(int(row["M"]), str(row["name"])) for row, plan in zip(schedules, plans, strict=True)]
    figures = [
        _figure(picture, plan, scale, row.get("assumed"))
        for row, plan, picture, scale in zip(schedules, plans, own, _scales(own), strict=True)
    ]
    return Markup(f'<div class="schedules">{"".join(figures)}</div>')


CARDS = '<section id="claims">'

AGAIN = re.compile(r"<figure>(<svg [^>]*class=\"schedule\".*?</svg>)(<figcaption>.*?</figcaption>)</figure>", re.DOTALL)


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


def _scales(pictures: Sequence[Picture]) -> list[Scale | None]:
    """Return the scales of those that are small enough to be drawn."""
    drawn = iter(scales([own for own in pictures if own.drawable]))
    return [next(drawn) if own.drawable else None for own in pictures]


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
    drawing = "<p>Too large to draw.</p>" if scale is None else svg(own, scale, titled=False, name=unmarked(own.name))
    caption = f"<strong>{prose(own.name)}</strong>: {escape('; '.join(shown))}"
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"
