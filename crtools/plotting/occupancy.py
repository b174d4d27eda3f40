"""Memory over time: what a run or a schedule holds at every instant, as boxes that can be drawn anywhere.

An attempt of a request started at p holds s + (t − p) tokens at each instant t = p + 1, …, its end. What is held at t
stands between t − 1 and t, so that a box begins at its start and stops at its completion or its cancellation. This is
the one geometry of the SVG, the terminal's drawing and Matplotlib's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from crtools.errors import InputError
from crtools.plotting.boxes import Attempt, Box, Column

MOST_BLOCKS = 4000
"""A picture of more attempts × instants than this is a smear."""


@dataclass(frozen=True, repr=False)
class Picture:
    """Memory over time of one run or schedule. ``memory``: the capacity in tokens, None where none is given.

    In a notebook it shows itself; ``print`` writes it with Unicode's lines, ``save`` as SVG, PDF, PNG or text.
    """

    name: str
    attempts: tuple[Attempt, ...]
    memory: int | None = None
    note: str = ""

    @property
    def drawable(self) -> bool:
        """Whether it is small enough to be drawn."""
        return len(self.attempts) * self.instants <= MOST_BLOCKS

    @cached_property
    def instants(self) -> int:
        """The last instant."""
        return max(own.end for own in self.attempts)

    @cached_property
    def tokens(self) -> int:
        """The height: the largest use, or the capacity."""
        return max(self.memory or 0, *(top for box in self.boxes for _, _, top in box.columns))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The attempts stacked at every instant, the one that started first lowest. Raises ``InputError`` for too many."""
        if not self.drawable:
            size = f"{len(self.attempts)} attempts over {self.instants} instants"
            raise InputError("plot", size, f"attempts × instants must be at most {MOST_BLOCKS}")
        heights = [0] * (self.instants + 1)
        return tuple(Box(own, tuple(_stacked(own, heights))) for own in sorted(self.attempts, key=_by_start))

    def text(self, width: int = 80) -> str:
        """Return the drawing in Unicode's lines, of at most ``width`` columns."""
        from crtools.plotting.occupancy_text import text

        return text(self, width)

    def svg(self) -> str:
        """Return the drawing as an SVG that needs no style sheet."""
        from crtools.plotting.occupancy_svg import alone

        return alone(self)

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a file whose name ends in .svg, .pdf, .png or .txt, and return its path."""
        return save([self], path)

    def as_json(self) -> dict[str, Any]:
        """Return what is drawn as JSON data."""
        rows = [own._asdict() for own in self.attempts]
        return {"name": self.name, "memory": self.memory, "note": self.note, "attempts": rows}

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.svg()


def _stacked(own: Attempt, heights: list[int]) -> Iterable[Column]:
    """Yield an attempt's columns on top of those that stand, whose heights grow by them."""
    for t in range(own.start + 1, own.end + 1):
        bottom = heights[t]
        heights[t] += own.prompt + t - own.start
        yield Column(t, bottom, heights[t])


def _by_start(own: Attempt) -> tuple[int, int]:
    return own.start, own.request


def of_schedule(name: str, plan: Any, memory: int | None = None) -> Picture:
    """Return the picture of a schedule, whose requests each run once."""
    rows = zip(plan.starts, plan.lengths, plan.prompts, strict=True)
    own = tuple(Attempt(i, p, p + o, s) for i, (p, o, s) in enumerate(rows))
    return Picture(name, own, memory, f"total latency {plan.total_latency}")


def of_row(row: Mapping[str, Any], plan: Any) -> Picture:
    """Return the picture of a schedule that evidence holds."""
    return of_schedule(str(row["name"]), plan, int(row["M"]))


def save(pictures: Sequence[Picture], path: str | Path) -> Path:
    """Write pictures side by side to a file whose name ends in .svg, .pdf, .png or .txt.

    Raises ``InputError`` for another ending, and where the file cannot be written.
    """
    from crtools.files import FILE, output_file, refused, write_whole
    from crtools.plotting.canvas import FORMATS

    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in (*FORMATS, "txt"):
        raise InputError("file", str(path), f"its name must end in .{', .'.join(FORMATS)} or .txt")
    target = output_file("file", path)
    content = _content(pictures, kind)
    with refused("file", path, FILE):
        write_whole({target: content})
    return target


def _content(pictures: Sequence[Picture], kind: str) -> bytes:
    if kind == "txt":
        return ("\n\n".join(own.text() for own in pictures) + "\n").encode("utf-8")
    from crtools.plotting.canvas import written
    from crtools.plotting.occupancy_axes import side_by_side

    return written(lambda: side_by_side(pictures), kind)
