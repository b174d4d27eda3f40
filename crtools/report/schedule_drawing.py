"""The schedules of evidence on a page, drawn as memory over time, each checked again and with its numbers below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from crtools.ledger.display.pictures import Row, checked_schedule
from crtools.notation.mathml import prose
from crtools.notation.terminal import unmarked
from crtools.plotting.occupancy import Picture, Scale, scales, svg
from crtools.schedule import Schedule


def drawings(schedules: Sequence[Row]) -> Markup:
    """Return schedules side by side, those of nearly one size on one scale, with their numbers below.

    Every schedule is checked again. Raises ``AssertionError`` where an entry is no schedule.
    """
    plans = [checked_schedule(row) for row in schedules]
    pictures = [plan.plot(int(row["M"]), str(row["name"])) for row, plan in zip(schedules, plans, strict=True)]
    figures = [
        _figure(picture, plan, scale, row.get("assumed"))
        for row, plan, picture, scale in zip(schedules, plans, pictures, _scales(pictures), strict=True)
    ]
    return Markup(f'<div class="schedules">{"".join(figures)}</div>')


CARDS = '<section id="claims">'

AGAIN = re.compile(r"<figure>(<svg [^>]*class=\"schedule\".*?</svg>)(<figcaption>.*?</figcaption>)</figure>", re.DOTALL)


def drawn_once(page: str) -> str:
    """Keep the first drawing of each schedule on the cards of a page; the others become a link to it.

    Drawings before the cards stay. Two schedules are the same if they have the same caption, or, where that lacks some
    numbers, the same drawing.
    """
    numbers: dict[str, int] = {}

    def once(match: re.Match[str]) -> str:
        drawing, caption = match.groups()
        key = caption if "; starts " in caption else caption + drawing
        if key in numbers:
            to = f'<a href="#drawing-{numbers[key]}">drawn above</a>'
            return f'<figure class="again">{caption.replace("</figcaption>", f" ({to})</figcaption>")}</figure>'
        numbers[key] = len(numbers) + 1
        return f'<figure id="drawing-{numbers[key]}">{drawing}{caption}</figure>'

    before, cards, after = page.partition(CARDS)
    return before + cards + AGAIN.sub(once, after)


def _scales(pictures: Sequence[Picture]) -> list[Scale | None]:
    """Return the scale of each picture, None for one that is too large to draw."""
    drawn = iter(scales([picture for picture in pictures if picture.drawable]))
    return [next(drawn) if picture.drawable else None for picture in pictures]


def _figure(picture: Picture, plan: Schedule, scale: Scale | None, assumed: object) -> str:
    memory = picture.memory or 0
    notes = [
        f"total latency {plan.total_latency}",
        f"largest use {plan.peak_memory} of {memory}" + ("" if plan.feasible(memory) else ", which is exceeded"),
        "starts " + ", ".join(map(str, plan.starts)),
        "lengths " + ", ".join(map(str, plan.lengths)),
        "s = " + (str(plan.s) if isinstance(plan.s, int) else ", ".join(map(str, plan.s))),
    ]
    if isinstance(assumed, Sequence):
        notes.append("memory reserved for lengths " + ", ".join(map(str, assumed)))
    numbers = notes if plan.n <= 12 else notes[:2]
    drawing = (
        "<p>Too large to draw.</p>" if scale is None else svg(picture, scale, titled=False, name=unmarked(picture.name))
    )
    caption = f"<strong>{prose(picture.name)}</strong>: {escape('; '.join(numbers))}"
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"
