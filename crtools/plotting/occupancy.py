"""``Picture``, the memory over time of a run or a schedule, for a notebook, a terminal or a file.

An attempt of a request started at p holds s + (t − p) tokens at each instant t = p + 1, …, its end. The tokens held at t are drawn
between t − 1 and t, so that a box begins at its start and ends at its completion or its cancellation. The text and Matplotlib both
draw these boxes; pictures of similar size that stand side by side have the same scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crtools.errors import InputError
from crtools.files import FILE, output_file, refused, write_whole
from crtools.numeric_types import FloatArray, IntArray, JsonObject, ObjectArray
from crtools.plotting.sheet import FORMATS, canvas, inline_svg, rendered
from crtools.tables import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Outline

COLOURS = ("#9fbfe3", "#f2c48d", "#b5d6a7", "#e3a9a9", "#cbb7e0", "#a3d5d3", "#ebdd8f", "#c9c9c9")
"""The fills, by the request's number modulo their number; boxes have outlines and numbers too."""

ALIKE = 2
"""Drawings side by side have the same scale if none is larger than another by more than this factor."""

MOST_BLOCKS = 4000
"""A drawing with more attempts × instants is too dense to read."""


class Stay(NamedTuple):
    """A stretch for which a request ran: from its start to its completion or, where the work was ``lost``, to its cancellation."""

    request: int
    start: int
    end: int
    prompt: int
    lost: bool = False


class Box(NamedTuple):
    """An attempt, and the ``bottom`` and ``top`` of its tokens in the stack at each of its instants; the prompt's are the lowest."""

    attempt: Stay
    bottom: IntArray
    top: IntArray

    def outline(self, top: IntArray) -> FloatArray:
        """Return the corners, (time, tokens), along a top, and back along the bottom to the first one."""
        t = np.repeat(np.arange(self.attempt.start, self.attempt.end + 1), 2)[1:-1]
        over, under = np.column_stack([t, np.repeat(top, 2)]), np.column_stack([t, np.repeat(self.bottom, 2)])
        return np.concatenate([over, under[::-1], over[:1]]).astype(float)

    @property
    def middle(self) -> tuple[float, float, float]:
        """The time, and the bottom and top, at the middle instant."""
        k = len(self.top) // 2
        return self.attempt.start + k + 0.5, self.bottom[k], self.top[k]


@dataclass(frozen=True, repr=False)
class Picture:
    """Memory over time of one run or schedule. ``memory``: the capacity in tokens, None where none is given.

    In a notebook it shows itself; ``print`` writes it with Unicode's lines, ``save`` as SVG, PDF, PNG or text.
    """

    name: str
    attempts: tuple[Stay, ...]
    memory: int | None = None
    note: str = ""

    @property
    def drawable(self) -> bool:
        """Whether it is small enough to be drawn."""
        return len(self.attempts) * self.instants <= MOST_BLOCKS

    @cached_property
    def instants(self) -> int:
        """The last instant."""
        return max(attempt.end for attempt in self.attempts)

    @cached_property
    def tokens(self) -> int:
        """The height: the largest use, or the capacity."""
        return max(self.memory or 0, *(int(box.top.max()) for box in self.boxes))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The attempts stacked at every instant, the one that started first lowest. Raises ``InputError`` for too many."""
        if not self.drawable:
            size = f"{len(self.attempts)} attempts over {self.instants} instants"
            raise InputError("plot", size, f"attempts × instants must be at most {MOST_BLOCKS}")
        heights, boxes = np.zeros(self.instants, dtype=np.int64), list[Box]()
        for attempt in sorted(self.attempts, key=lambda attempt: (attempt.start, attempt.request)):
            bottom = heights[attempt.start : attempt.end]
            top = bottom + attempt.prompt + np.arange(1, len(bottom) + 1)
            boxes.append(Box(attempt, bottom.copy(), top))
            heights[attempt.start : attempt.end] = top
        return tuple(boxes)

    def text(self, width: int = 80) -> str:
        """Return the drawing in Unicode's lines, of at most ``width`` columns."""
        return _TextDrawing(self, width).text(width)

    def svg(self) -> str:
        """Return Matplotlib's drawing as an SVG document with its name and its note above it."""
        element = svg(self, Scale(self.instants, self.tokens))
        return element.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a file whose name ends in .svg, .pdf, .png or .txt, and return its path."""
        return save([self], path)

    def as_json(self) -> JsonObject:
        """Return the picture as JSON data."""
        rows = [attempt._asdict() for attempt in self.attempts]
        return {"name": self.name, "memory": self.memory, "note": self.note, "attempts": rows}

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.svg()


class Scale(NamedTuple):
    """The instants and tokens that an axis reaches to."""

    instants: int
    tokens: int


def scales(occupancies: Sequence[Picture]) -> list[Scale]:
    """Return the scale of each of several drawings side by side; neighbours of similar size have the same one."""
    groups: list[list[Picture]] = []
    for occupancy in occupancies:
        if groups and all(_alike(occupancy, other) for other in groups[-1]):
            groups[-1].append(occupancy)
        else:
            groups.append([occupancy])
    return [Scale(max(o.instants for o in group), max(o.tokens for o in group)) for group in groups for _ in group]


def _alike(one: Picture, other: Picture) -> bool:
    pairs = (one.instants, other.instants), (one.tokens, other.tokens)
    return all(max(pair) <= ALIKE * min(pair) for pair in pairs)


def ticks(largest: int, count: int) -> range:
    """Return at most ``count`` + 1 round numbers from 0 to ``largest``."""
    steps = (step * 10**power for power in range(20) for step in (1, 2, 5))
    return range(0, largest + 1, next(step for step in steps if step * count >= largest))


def save(pictures: Sequence[Picture], path: str | Path) -> Path:
    """Write pictures side by side to a file whose name ends in .svg, .pdf, .png or .txt.

    Raises ``InputError`` for another ending, and where the file cannot be written.
    """
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in (*FORMATS, "txt"):
        raise InputError("file", str(path), f"its name must end in .{', .'.join(FORMATS)} or .txt")
    target = output_file("file", path)
    if kind == "txt":
        content = ("\n\n".join(picture.text() for picture in pictures) + "\n").encode("utf-8")
    else:
        content = rendered(lambda: side_by_side(pictures), kind)
    with refused("file", path, FILE):
        write_whole({target: content})
    return target


# ---- on a terminal --------------------------------------------------------------------------------------------------

MOST_ROWS, WIDEST_CELL = 12, 6
"""Cells from the bottom to the top, and characters from one instant to the next, at most."""

MARGIN = 7
"""Characters to the left of the axis, itself included."""

LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The sign with arms up (1), right (2), down (4) and left (8), by the sum of these."""

HATCH = "╱"


class _TextDrawing:
    """A picture in characters: a grid of cells, each of some instants and tokens, with outlines of boxes between them."""

    def __init__(self, picture: Picture, width: int) -> None:
        room = max(width - MARGIN - len(str(picture.instants)), 20)
        self.picture = picture
        self.instants = -(-picture.instants * 2 // room)  # in a cell, as are the tokens
        self.tokens = -(-picture.tokens // MOST_ROWS)
        self.cell = min(WIDEST_CELL, max(2, room * self.instants // picture.instants))  # characters
        self.columns, self.rows = -(-picture.instants // self.instants), -(-picture.tokens // self.tokens)

    def text(self, width: int) -> str:
        """Return a heading, the boxes, and the axis of time."""
        picture, memory = self.picture, self.picture.memory
        parts = [picture.name, picture.note, "" if memory is None else f"M = {memory}"]
        if any(attempt.lost for attempt in picture.attempts):
            parts.append(f"{HATCH}: lost")
        steps = (("time", self.instants), ("tokens", self.tokens))
        head = ", ".join(filter(None, [*parts, *(f"{name} in steps of {step}" for name, step in steps if step > 1)]))
        capacity = None if memory is None else 2 * (self.rows - memory // self.tokens)
        body = [self._margin(y, y == capacity) + "".join(line).rstrip() for y, line in enumerate(self._lines())]
        return "\n".join([shortened(head, width), *body, *self._axis()])

    def _grid(self) -> IntArray:
        """Return the number, from 1, of the box at the middle of each cell (row from the bottom, column), with empty cells around."""
        grid = np.zeros((self.rows + 2, self.columns + 2), dtype=np.int64)
        for number, box in enumerate(self.picture.boxes, start=1):
            low, high = (-((self.tokens // 2 - side) // self.tokens) + 1 for side in (box.bottom, box.top))
            for k in range((self.instants // 2 - box.attempt.start) % self.instants, len(low), self.instants):
                grid[low[k] : high[k], (box.attempt.start + k) // self.instants + 1] = number
        return grid

    def _lines(self) -> ObjectArray:
        """Return the characters, line by line: outlines where cells of different boxes meet, lost work hatched, numbers."""
        grid, lost = self._grid(), np.array([False, *(box.attempt.lost for box in self.picture.boxes)])
        y, x = np.arange(2 * self.rows, -1, -1), np.arange(self.columns * self.cell + 1)
        above, below, left, right = y // 2 + 1, (y + 1) // 2, (x - 1) // self.cell + 1, x // self.cell + 1
        nw, ne, sw, se = (grid[np.ix_(row, column)] for row in (above, below) for column in (left, right))
        arms = (nw != ne) + 2 * (ne != se) + 4 * (sw != se) + 8 * (nw != sw)
        lines = np.array([*LINES], dtype=object)[arms]
        lines[(arms == 0) & lost[se] & (y % 2 == 1)[:, None]] = HATCH
        for number, box in enumerate(self.picture.boxes, start=1):
            self._write_number([*str(box.attempt.request)], np.argwhere(number == grid.T), lines)
        return lines

    def _write_number(self, digits: list[str], cells: IntArray, lines: ObjectArray) -> None:
        """Write a request's number into the middle of the cells of its box, if there is room."""
        if not len(cells):
            return
        middle = cells[len(cells) // 2, 0]
        rows = cells[cells[:, 0] == middle, 1]
        row = rows[len(rows) // 2]
        start = (middle - 1) * self.cell + self.cell // 2 - (len(digits) - 1) // 2
        room = lines[2 * (self.rows - row) + 1, start : start + len(digits)]
        if len(digits) < self.cell * (cells[:, 1] == row).sum() and set(room) <= {" ", HATCH}:
            room[:] = digits

    def _margin(self, y: int, capacity: bool) -> str:
        """Return the left margin of a line: the tokens at its height, and the axis."""
        height = (self.rows - y // 2) * self.tokens
        labelled = capacity or (y % 2 == 0 and height in ticks(self.rows * self.tokens, 6))
        return f"{'M ' if capacity else '':>2}{height if labelled else '':>{MARGIN - 4}} {'╞' if capacity else '│'}"

    def _axis(self) -> list[str]:
        """Return the axis of time and its numbers."""
        width = self.columns * self.cell
        numbers = [" "] * (width + 6)
        for t in ticks(self.picture.instants, max(1, min(12, width // 5))):
            if t % self.instants == 0:
                x = t // self.instants * self.cell
                numbers[x : x + len(str(t))] = str(t)
        return [" " * (MARGIN - 1) + "└" + "─" * (width + 1), " " * MARGIN + "".join(numbers).rstrip()]


# ---- by Matplotlib --------------------------------------------------------------------------------------------------

WIDE, HIGH = 4.4, 3.0
"""Inches of one picture."""

TITLE_LETTERS = 50
"""Letters of a line of the title, which is as wide as one picture."""

CAPACITY = "#a3262a"


def svg(occupancy: Picture, scale: Scale, *, titled: bool = True, name: str = "") -> str:
    """Return a drawing on a scale as an SVG element for HTML; ``name``: for the label that screen readers read."""

    def page() -> Figure:
        made = canvas(WIDE, HIGH if titled else 0.8 * HIGH)
        draw(made.subplots(), occupancy, scale, title=None if titled else "")
        return made

    capacity = "" if occupancy.memory is None else f", M = {occupancy.memory}"
    requests = len({attempt.request for attempt in occupancy.attempts})
    about = f"{name or occupancy.name}: memory over time, {requests} requests{capacity}, {occupancy.note}".rstrip(", ")
    return inline_svg(page, f'class="schedule" role="img" aria-label="{escape(about)}" style="max-width:640px"')


def side_by_side(occupancies: Sequence[Picture], size: tuple[float, float] | None = None) -> Figure:
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


def draw(axis: Axes, occupancy: Picture, scale: Scale, title: str | None = None) -> None:
    """Draw boxes with their numbers, the prompts darker at their feet, lost work hatched, and the capacity."""
    from matplotlib.patches import PathPatch

    for box in occupancy.boxes:
        lost = box.attempt.lost
        fill = COLOURS[box.attempt.request % len(COLOURS)]
        hatch = "////" if lost else None
        outline = _path([box.outline(box.top)])
        axis.add_patch(PathPatch(outline, fc=fill, ec="#333333", lw=0.9, hatch=hatch, clip_on=False))
        time, bottom, top = box.middle
        if (top - bottom) / scale.tokens >= 0.05 and len(box.top) / scale.instants >= 0.03:  # there is room
            ground = {"boxstyle": "circle,pad=0.15", "fc": fill, "ec": "none"} if lost else None
            axis.text(
                time,
                (bottom + top) / 2,
                str(box.attempt.request),
                ha="center",
                va="center",
                fontsize="medium",
                bbox=ground,
            )
    feet = _path([box.outline(box.bottom + box.attempt.prompt) for box in occupancy.boxes if box.attempt.prompt])
    axis.add_patch(PathPatch(feet, fc="black", alpha=0.16, lw=0, clip_on=False))
    if occupancy.memory is not None:
        axis.axhline(occupancy.memory, color=CAPACITY, ls=(0, (6, 3)), lw=1.6, clip_on=False)
        label = f"$M = {occupancy.memory}$"
        axis.text(scale.instants, occupancy.memory, label, color=CAPACITY, ha="right", va="bottom", fontsize="small")
    axis.set(xlim=(0, scale.instants), ylim=(0, scale.tokens * 1.12), xlabel="time", ylabel="tokens held")
    axis.set(xticks=ticks(scale.instants, 12), yticks=ticks(scale.tokens, 6))
    axis.spines[["top", "right"]].set_visible(False)
    lines = [line for text in (occupancy.name, occupancy.note) for line in wrap(text, TITLE_LETTERS)]
    axis.set_title("\n".join(lines) if title is None else title, fontsize="large")


def _path(outlines: Iterable[FloatArray]) -> Outline:
    """Return closed outlines as one path."""
    from matplotlib.path import Path

    return Path.make_compound_path(*(Path(outline, closed=True) for outline in outlines))
