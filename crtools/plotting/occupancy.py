"""Memory over time of a run or a schedule as a ``Picture``, which shows itself in a notebook, on a terminal and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crtools.errors import InputError
from crtools.numeric_types import JsonObject
from crtools.plotting.boxes import Occupancy, Scale


@dataclass(frozen=True, repr=False)
class Picture(Occupancy):
    """Memory over time of one run or schedule. ``memory``: the capacity in tokens, None where none is given.

    In a notebook it shows itself; ``print`` writes it with Unicode's lines, ``save`` as SVG, PDF, PNG or text.
    """

    def text(self, width: int = 80) -> str:
        """Return the drawing in Unicode's lines, of at most ``width`` columns."""
        from crtools.plotting.occupancy_text import text

        return text(self, width)

    def svg(self) -> str:
        """Return Matplotlib's drawing as an SVG document with its name and its note above it."""
        from crtools.plotting.occupancy_axes import svg

        element = svg(self, Scale(self.instants, self.tokens))
        return element.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a file whose name ends in .svg, .pdf, .png or .txt, and return its path."""
        return save([self], path)

    def as_json(self) -> JsonObject:
        """Return what is drawn as JSON data."""
        rows = [attempt._asdict() for attempt in self.attempts]
        return {"name": self.name, "memory": self.memory, "note": self.note, "attempts": rows}

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.svg()


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
        return ("\n\n".join(picture.text() for picture in pictures) + "\n").encode("utf-8")
    from crtools.plotting.canvas import written
    from crtools.plotting.occupancy_axes import side_by_side

    return written(lambda: side_by_side(pictures), kind)
