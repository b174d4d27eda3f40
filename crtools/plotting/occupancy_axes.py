"""Memory over time by Matplotlib: one drawing as SVG, or several side by side, on one scale where they are nearly of one size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from crtools.plotting.boxes import COLOURS, Box, Occupancy, Scale, scales, ticks
from crtools.plotting.canvas import canvas, inline_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

WIDE, HIGH = 4.4, 3.0
"""Inches of one picture."""

TITLE_LETTERS = 50
"""Letters of a line of the title, which is as wide as one picture."""

CAPACITY = "#a3262a"


def svg(occupancy: Occupancy, scale: Scale, *, titled: bool = True, name: str = "") -> str:
    """Return a drawing on a scale as an SVG element for HTML; ``name`` is read to those who cannot see it."""

    def page() -> Figure:
        made = canvas(WIDE, HIGH if titled else 0.8 * HIGH)
        draw(made.subplots(), occupancy, scale, title=None if titled else "")
        return made

    capacity = "" if occupancy.memory is None else f", M = {occupancy.memory}"
    requests = len({attempt.request for attempt in occupancy.attempts})
    about = f"{name or occupancy.name}: memory over time, {requests} requests{capacity}, {occupancy.note}".rstrip(", ")
    return inline_svg(page, f'class="schedule" role="img" aria-label="{escape(about)}" style="max-width:640px"')


def side_by_side(occupancies: Sequence[Occupancy], size: tuple[float, float] | None = None) -> Figure:
    """Return a Matplotlib figure with the drawings from left to right, at most three in a row."""
    columns = min(3, len(occupancies))
    rows = -(-len(occupancies) // columns)
    page = canvas(*(size or (WIDE * columns, HIGH * rows)))
    axes = page.subplots(rows, columns, squeeze=False).flat
    for axis, occupancy, scale in zip(axes, occupancies, scales(occupancies), strict=False):
        draw(axis, occupancy, scale)
    for axis in list(page.axes)[len(occupancies) :]:
        axis.set_axis_off()
    return page


def draw(axis: Axes, occupancy: Occupancy, scale: Scale, title: str | None = None) -> None:
    """Draw boxes with their numbers, the prompts darker at their feet, lost work hatched, and the capacity."""
    from matplotlib.patches import PathPatch

    for box in occupancy.boxes:
        lost = box.attempt.lost
        fill = COLOURS[box.attempt.request % len(COLOURS)]
        hatch = "////" if lost else None
        outline = _path([box.outline])
        axis.add_patch(PathPatch(outline, fc=fill, ec="#333333", lw=0.9, hatch=hatch, clip_on=False))
        if _roomy(box, scale):
            ground = {"boxstyle": "circle,pad=0.15", "fc": fill, "ec": "none"} if lost else None
            axis.text(*box.middle, str(box.attempt.request), ha="center", va="center", fontsize="medium", bbox=ground)
    feet = _path([_foot(box) for box in occupancy.boxes if box.attempt.prompt])
    axis.add_patch(PathPatch(feet, fc="black", alpha=0.16, lw=0, clip_on=False))
    if occupancy.memory is not None:
        axis.axhline(occupancy.memory, color=CAPACITY, ls=(0, (6, 3)), lw=1.6, clip_on=False)
        label = f"$M = {occupancy.memory}$"
        axis.text(scale.instants, occupancy.memory, label, color=CAPACITY, ha="right", va="bottom", fontsize="small")
    axis.set_xlim(0, scale.instants)
    axis.set_ylim(0, scale.tokens * 1.12)
    axis.set_xticks(ticks(scale.instants, 12))
    axis.set_yticks(ticks(scale.tokens, 6))
    axis.set_xlabel("time")
    axis.set_ylabel("tokens held")
    axis.spines[["top", "right"]].set_visible(False)
    lines = [line for text in (occupancy.name, occupancy.note) for line in wrap(text, TITLE_LETTERS)]
    axis.set_title("\n".join(lines) if title is None else title, fontsize="large")


def _path(outlines: Iterable[Sequence[tuple[int, int]]]) -> Path:
    """Return closed outlines as one path."""
    from matplotlib.path import Path

    closed = [Path([*outline, outline[0]], closed=True) for outline in outlines]
    return Path.make_compound_path(*closed)


def _foot(box: Box) -> list[tuple[int, int]]:
    """Return the outline of the prompt at the foot of a box."""
    columns = tuple(column._replace(top=column.bottom + box.attempt.prompt) for column in box.columns)
    return Box(box.attempt, columns).outline


def _roomy(box: Box, scale: Scale) -> bool:
    _, bottom, top = box.columns[len(box.columns) // 2]
    return (top - bottom) / scale.tokens >= 0.05 and len(box.columns) / scale.instants >= 0.03
