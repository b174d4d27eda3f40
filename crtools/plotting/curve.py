"""One curve as a figure: a column of data against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from crtools.plotting.canvas import canvas, write_png
from crtools.plotting.figure import Figure


def curve(name: str, data: Mapping[str, Sequence[Any]], title: str) -> Figure:
    """Return the second column of ``data`` drawn against the first; their names stand at the axes."""

    def draw(file: BinaryIO) -> None:
        page = canvas(6, 3.6)
        axis = page.subplots()
        (x, xs), (y, ys) = data.items()
        axis.plot(
            xs, [float(value) for value in ys], color="tab:blue", lw=1.6, marker="o" if len(xs) <= 60 else None, ms=4
        )
        axis.set_xlabel(x)
        axis.set_ylabel(y)
        axis.grid(alpha=0.25)
        axis.set_title(title, fontsize=10.5)
        write_png(page, file)

    return Figure(name, data, draw)
