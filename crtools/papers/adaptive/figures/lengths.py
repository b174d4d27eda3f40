"""Figure distribution: the embedded laws of prompts and outputs, with the published figures of the paper's sample."""

from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.workloads.lengths import EMBEDDED, PUBLISHED, embedded
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

COLUMNS = ("prompts", "outputs")
BINS = 50

PANELS = {"paper": ("paper", "paper-smooth"), "azure-conv": ("azure-conv",)}
"""The laws that share a row of the figure; the first is filled."""


def lengths_figure(_: Progress) -> Figure:
    """Return the figure of all embedded laws, in bins of equal width."""
    laws = {name: embedded(name) for name in EMBEDDED}
    rows: list[JsonObject] = []
    for name, column in product(laws, COLUMNS):
        column_of_law = getattr(laws[name], column)
        edges = np.linspace(0, column_of_law.largest, BINS + 1).round().astype(int)
        index = np.clip(edges - column_of_law.smallest + 1, 0, len(column_of_law.shares))
        below = np.concatenate([[0.0], column_of_law.cumulative])[index]
        for (low, high), share in zip(pairwise(edges.tolist()), np.diff(below).tolist(), strict=True):
            rows.append({"law": name, "column": column, "above": low, "up_to": high, "share": share})
    figures = {name: {column: getattr(law, column).figures() for column in COLUMNS} for name, law in laws.items()}
    fits = {
        f"{name}, {column}": {**values, "text": ", ".join(f"{key} {value:.6g}" for key, value in values.items())}
        for name, by_column in figures.items()
        for column, values in by_column.items()
    }
    notes = {"published": PUBLISHED, "sources": {name: law.source for name, law in laws.items()}}
    return Figure("lengths", columns(rows), partial(_draw, rows=rows, figures=figures), fits, notes)


def _draw(sheet: Sheet, rows: list[JsonObject], figures: JsonObject) -> Any:
    page = sheet.canvas(11, 6.6)
    axes: Any = page.subplots(len(PANELS), len(COLUMNS))
    for line, names in zip(axes, PANELS.values(), strict=True):
        for axis, column in zip(line, COLUMNS, strict=True):
            for index, name in enumerate(names):
                bins = where(rows, law=name, column=column)
                edges = [bins[0]["above"], *(r["up_to"] for r in bins)]
                axis.stairs(
                    [r["share"] for r in bins], edges, fill=index == 0, color=f"C{index}", alpha=0.5 if index == 0 else 1,
                    lw=1.3, label=name,
                )  # fmt: skip
            of_paper = "paper" in names
            marks, word = (PUBLISHED[column], "published") if of_paper else (figures[names[0]][column], "its")
            for key, style in (("median", ":"), ("mean", "--"), ("maximum", "-.")):
                axis.axvline(marks[key], color="k", ls=style, lw=1, label=f"{word} {key} {marks[key]:.5g}")
            axis.set(xlabel=f"{column[:-1]} length (tokens)", ylabel="share per bin", yscale="log")
            axis.set(xlim=(0, None), ylim=(2e-5, None))
            axis.grid(alpha=0.25)
            axis.legend(fontsize="x-small", loc="upper left", bbox_to_anchor=(1.01, 1))
    title = (
        "Figure distribution: two laws with the published median, mean and maximum of the paper's sample (above),\n"
        "and the public trace azure-conv, whose prompts and outputs are longer (below)"
    )
    return sheet.finished(page, title)
