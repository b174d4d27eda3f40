"""A figure of one curve: one column of data against another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from crtools.numeric_types import Columns
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page


def curve(name: str, data: Columns, title: str) -> Figure:
    """Return the second column of ``data`` drawn against the first; their names stand at the axes."""
    return Figure(name, data, partial(_draw, data=data, title=title))


def _draw(sheet: Sheet, data: Columns, title: str) -> Page:
    page = sheet.canvas(6, 3.6)
    axis = page.subplots()
    (x, xs), (y, ys) = data.items()
    marker = "o" if len(xs) <= 60 else ""
    axis.plot(xs, [float(value) for value in ys], color="tab:blue", lw=1.6, marker=marker, ms=4)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.grid(alpha=0.25)
    sheet.title(page, title)
    return page
