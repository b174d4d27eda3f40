"""A figure as data, and how it is saved: all files appear at once or not at all, and the same figure as the same bytes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, BinaryIO

from crtools.files import FOLDER, output_folder, refused, write_whole
from crtools.frames import frame

DIGITS = 12
"""Significant digits of the floats that are written: fewer than a float has, so that the last bits of a sum do not show."""


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure: ``data`` (columns of equal length), ``fits`` and other numbers, and how it is drawn.

    ``write(file)`` writes a PNG into a binary file, :meth:`draw` returns it. ``notes`` holds what belongs in the JSON beside.
    """

    name: str
    data: Mapping[str, Sequence[Any]]
    write: Callable[[BinaryIO], None]
    fits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    notes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __repr__(self) -> str:
        rows = len(next(iter(self.data.values()), ()))
        names = ", ".join(list(self.data)[:6]) + (", …" if len(self.data) > 6 else "")
        return f"Figure({self.name!r}: {rows} rows of {names}; {len(self.fits)} fits; .save(folder), .data, .table())"

    def _repr_png_(self) -> bytes:
        return self.draw()

    def table(self) -> Any:
        """Return the data as a pandas DataFrame; ``ImportError`` where pandas is not installed."""
        return frame(self.data)

    def draw(self) -> bytes:
        """Return the figure as the bytes of a PNG, in Matplotlib's own style, whatever the user's is."""
        from matplotlib import style

        png = BytesIO()
        with style.context("default"):
            self.write(png)
        return png.getvalue()

    def save(self, folder: str | Path = "figures") -> dict[str, Path]:
        """Write name.png, name.csv and name.json into ``folder`` and return their paths.

        Floats are written with ``DIGITS`` digits and drawn in Matplotlib's own style, whatever the user's is. The folder
        is made if it is missing. Raises ``InputError`` where it cannot be written; nothing half-written is left behind.
        """
        target, png = output_folder("out", folder), self.draw()
        text = json.dumps(rounded(self.as_json()), indent=2, ensure_ascii=False) + "\n"
        contents = {"png": png, "csv": self._csv().encode("utf-8"), "json": text.encode("utf-8")}
        paths = {kind: target / f"{self.name}.{kind}" for kind in contents}
        with refused("out", folder, FOLDER):
            write_whole({paths[kind]: content for kind, content in contents.items()})
        return paths

    def as_json(self) -> dict[str, Any]:
        """Return the fits and notes as JSON data."""
        return {"name": self.name, "fits": dict(self.fits), **self.notes}

    def _csv(self) -> str:
        text = StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(self.data.keys())
        writer.writerows(rounded(row) for row in zip(*self.data.values(), strict=True))
        return text.getvalue()


@dataclass(frozen=True)
class Drawing:
    """A figure that can be drawn: what it ``says`` on one line that can stand in its place, and how it is made.

    ``make`` computes it and takes ``progress``; ``beside``: the claims beside which a report shows it.
    """

    says: str
    make: Callable[[Callable[[Sequence[Any]], Iterable[Any]]], Figure]
    beside: tuple[str, ...] = ()

    def __call__(self, progress: Callable[[Sequence[Any]], Iterable[Any]] = iter) -> Figure:
        """Compute the figure."""
        return self.make(progress)


def columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return rows with the same names as columns, a figure's ``data``."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def where(rows: Iterable[dict[str, Any]], **values: Any) -> list[dict[str, Any]]:
    """Return the rows that have these values."""
    return [row for row in rows if all(row[name] == value for name, value in values.items())]


def rounded(value: Any) -> Any:
    """Return JSON data or a row with every float rounded to ``DIGITS`` significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value
