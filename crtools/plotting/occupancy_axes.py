"""Memory over time by Matplotlib, for files: pictures side by side, on one scale where they are nearly of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from crtools.plotting.boxes import COLOURS, Box, Scale, scales, ticks
from crtools.plotting.canvas import canvas

if TYPE_CHECKING:
    from crtools.plotting.occupancy import Picture

WIDE, HIGH = 4.4, 3.0
"""Inches of one picture."""

CAPACITY = "#a3262a"


def side_by_side(pictures: Sequence[Picture], size: tuple[float, float] | None = None) -> Any:
    """Return a Matplotlib figure with the pictures from left to right, at most three in a row."""
    across = min(3, len(pictures))
    down = -(-len(pictures) // across)
    page = canvas(*(size or (WIDE * across, HIGH * down)))
    axes = page.subplots(down, across, squeeze=False).flat
    for axis, own, scale in zip(axes, pictures, scales(pictures), strict=False):
        draw(axis, own, scale)
    for axis in list(page.axes)[len(pictures) :]:
        axis.set_axis_off()
    return page


def draw(axis: Any, own: Picture, scale: Scale, title: str | None = None) -> None:
    """Draw a picture: boxes with their numbers, the prompts darker at their feet, lost work hatched, the capacity."""
    for box in own.boxes:
        lost = box.attempt.lost
        fill = COLOURS[box.attempt.request % len(COLOURS)]
        axis.fill(*zip(*box.outline, strict=True), fc=fill, ec="#333333", lw=0.9, hatch="////" if lost else None)
        if box.attempt.prompt:
            _foot(axis, box)
        if _roomy(box, scale):
            ground = {"boxstyle": "circle,pad=0.15", "fc": fill, "ec": "none"} if lost else None
            axis.text(*box.middle, str(box.attempt.request), ha="center", va="center", fontsize="medium", bbox=ground)
    if own.memory is not None:
        axis.axhline(own.memory, color=CAPACITY, ls=(0, (6, 3)), lw=1.6)
        held = f"$M = {own.memory}$"
        axis.text(scale.instants, own.memory, held, color=CAPACITY, ha="right", va="bottom", fontsize="small")
    axis.set_xlim(0, scale.instants)
    axis.set_ylim(0, scale.tokens * 1.12)
    axis.set_xticks(ticks(scale.instants, 12))
    axis.set_yticks(ticks(scale.tokens, 6))
    axis.set_xlabel("time")
    axis.set_ylabel("tokens held")
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_title("\n".join(filter(None, (own.name, own.note))) if title is None else title, fontsize="large")


def _foot(axis: Any, box: Box) -> None:
    for t, bottom, _ in box.columns:
        axis.fill_between([t - 1, t], bottom, bottom + box.attempt.prompt, color="black", alpha=0.16, lw=0)


def _roomy(box: Box, scale: Scale) -> bool:
    _, bottom, top = box.columns[len(box.columns) // 2]
    return (top - bottom) / scale.tokens >= 0.05 and len(box.columns) / scale.instants >= 0.03
