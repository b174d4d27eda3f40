"""One curve as a figure: a column of data against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet


def curve(name: str, data: Mapping[str, Sequence[Any]], title: str) -> Figure:
    """Return the second column of ``data`` drawn against the first; their names stand at the axes."""
    return Figure(name, data, partial(_draw, data=data, title=title))


def _draw(sheet: Sheet, data: Mapping[str, Sequence[Any]], title: str) -> Any:
    page = sheet.canvas(6, 3.6)
    axis = page.subplots()
    (x, xs), (y, ys) = data.items()
    axis.plot(xs, [float(value) for value in ys], color="tab:blue", lw=1.6, marker="o" if len(xs) <= 60 else None, ms=4)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.grid(alpha=0.25)
    sheet.title(page, title)
    return page
