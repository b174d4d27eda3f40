"""Figure distribution: the embedded laws of prompts and outputs, with the published figures of the paper's sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from crtools.papers.adaptive.workloads.calibrate import PUBLISHED
from crtools.papers.adaptive.workloads.lengths import EMBEDDED, embedded
from crtools.plotting.canvas import canvas, write_png
from crtools.plotting.figure import Figure

COLUMNS = ("prompts", "outputs")
BINS = 50

PANELS = {"paper": ("paper", "paper-smooth"), "azure-conv": ("azure-conv",)}
"""The laws that share a row of the figure; the first is filled."""


def lengths_figure() -> Figure:
    """Return the figure of all embedded laws, in bins of equal width."""
    table: dict[str, list[Any]] = {name: [] for name in ("law", "column", "above", "up_to", "share")}
    laws = {name: embedded(name) for name in EMBEDDED}
    for name, law in laws.items():
        for column in COLUMNS:
            own = getattr(law, column)
            edges = np.linspace(0, own.largest, BINS + 1).round().astype(int)
            below = np.concatenate([[0.0], own.cumulative])[np.clip(edges - own.least + 1, 0, len(own.shares))]
            for low, high, share in zip(edges[:-1].tolist(), edges[1:].tolist(), np.diff(below).tolist(), strict=True):
                for key, value in zip(table, (name, column, low, high, share), strict=True):
                    table[key].append(value)
    figures = {name: {column: getattr(law, column).figures() for column in COLUMNS} for name, law in laws.items()}
    fits = {
        f"{name}, {column}": {**values, "text": ", ".join(f"{key} {value:.6g}" for key, value in values.items())}
        for name, by_column in figures.items()
        for column, values in by_column.items()
    }

    def draw(file: BinaryIO) -> None:
        _draw(file, table, figures)

    notes = {"published": PUBLISHED, "sources": {name: law.source for name, law in laws.items()}}
    return Figure("lengths", table, draw, fits, notes)


def _draw(file: BinaryIO, table: dict[str, list[Any]], figures: dict[str, Any]) -> None:
    page = canvas(11, 6.6)
    axes: Any = page.subplots(len(PANELS), len(COLUMNS))
    rows = list(zip(*table.values(), strict=True))
    for line, names in zip(axes, PANELS.values(), strict=True):
        for axis, column in zip(line, COLUMNS, strict=True):
            for place, name in enumerate(names):
                own = [r for r in rows if r[:2] == (name, column)]
                edges = [own[0][2], *(r[3] for r in own)]
                axis.stairs(
                    [r[4] for r in own], edges, fill=place == 0, color=f"C{place}", alpha=0.5 if place == 0 else 1,
                    lw=1.3, label=name,
                )  # fmt: skip
            _marks(axis, names[0], PUBLISHED[column] if "paper" in names else figures[names[0]][column])
            axis.set_xlabel(f"{column[:-1]} length (tokens)")
            axis.set_ylabel("share per bin")
            axis.set_yscale("log")
            axis.set_ylim(bottom=2e-5)
            axis.set_xlim(left=0)
            axis.grid(alpha=0.25)
            axis.legend(fontsize=8.5, loc="upper right")
    page.suptitle(
        "Figure distribution: two laws with the published median, mean and maximum of the paper's sample (above),\n"
        "and the public trace azure-conv, whose prompts and outputs are longer (below)"
    )
    write_png(page, file)


def _marks(axis: Any, name: str, figures: Mapping[str, float]) -> None:
    word = "published" if name == "paper" else "its"
    for key, style in (("median", ":"), ("mean", "--"), ("maximum", "-.")):
        axis.axvline(figures[key], color="k", ls=style, lw=1, label=f"{word} {key} {figures[key]:.5g}")
