"""Figure log_CR: the worst case against u, the published fit under both indices, the proved bounds, the residuals."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures import style
from crtools.papers.adaptive.figures.least_squares import INDICES, Fit, least_squares, maxima
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

PUBLISHED = {"slope": 0.2555, "shift": 0.2793, "intercept": 1.1587}
"""The coefficients printed in the caption of Figure log_CR."""


def log_fit(progress: Progress, u: int) -> Figure:
    """Compute the maxima for lengths 3, …, u and both fits, and return the figure."""
    data = maxima(last=u, progress=progress)
    fits = {name: least_squares(data, name) for name in INDICES}
    published = {name: Fit(name, offset, *PUBLISHED.values(), r_squared=0.0) for name, offset in INDICES.items()}
    odd = np.cumsum(1 / (2 * np.arange(1, data.u[-1] + 1) - 1.0))[data.u - 1]  # E = 1 + Σ_{k=2}^{u} 1/(2k−1)
    upper, lower = 0.75 + odd / 2, 0.75 + odd / 2 - 1 / (4 * odd)
    harmonic = np.cumsum(1 / np.arange(1.0, data.u[-1] + 1))[data.u - 1]
    table: JsonObject = {
        "u": data.u.tolist(),
        "worst_case": data.value.tolist(),
        "proved_lower": lower.tolist(),
        "proved_upper": upper.tolist(),
        "trace_bound_H_u": harmonic.tolist(),
        "fit_published_index": fits["published-index"](data.u).tolist(),
        "fit_caption_index": fits["caption-index"](data.u).tolist(),
        "published_formula_at_u_minus_1": published["published-index"](data.u).tolist(),
        "published_formula_at_u": published["caption-index"](data.u).tolist(),
    }
    notes = {
        "published": PUBLISHED | {"source": "caption of Figure log_CR, against u"},
        "range": [int(data.u[0]), int(data.u[-1])],
        "finding": "the published coefficients come out against u − 1; against u the shift is smaller by 1",
    }
    numbers = {name: fit.as_json() for name, fit in fits.items()}
    return Figure("log-fit", table, partial(_draw, table=table, fits=fits), numbers, notes)


def _draw(sheet: Sheet, table: JsonObject, fits: dict[str, Fit]) -> Any:
    u, value = np.array(table["u"]), np.array(table["worst_case"])
    page = sheet.canvas(8.4, 8.6)
    top, bottom = page.subplots(2, 1, sharex=True, height_ratios=(1, 1))
    few = np.unique(np.geomspace(1, len(u), 45).astype(int)) - 1
    ours = fits["caption-index"]
    a_min = style.LOOKS["a-min"]
    top.plot(u, table["trace_bound_H_u"], color=style.PUBLISHED, ls="--")
    highest = 1.12 * max(value)
    index = max(int(np.searchsorted(table["trace_bound_H_u"], 0.95 * highest)) - 1, 0)
    top.annotate(
        "trace bound $H_u$" if sheet.narrow else r"paper's trace bound $H_u=\sum_{k=1}^{u}\frac{1}{k}$",
        (u[index], table["trace_bound_H_u"][index]), (12, 0),
        textcoords="offset points", va="center", color=style.PUBLISHED,
    )  # fmt: skip
    top.fill_between(
        u, table["proved_lower"], table["proved_upper"], color=style.PROVED, alpha=0.35, lw=0,
        label=r"proved: $\frac{3}{4}+\frac{1}{2}O_u-\frac{1}{4O_u}\leq\lambda_u<\frac{3}{4}+\frac{1}{2}O_u$, "
        r"$O_u=\sum_{k=1}^{u}\frac{1}{2k-1}$",
    )  # fmt: skip
    top.plot(u, table["published_formula_at_u"], color=style.PUBLISHED, ls=":",
             label=r"published formula at $u$ (caption): $0.2555\,\ln(u+0.2793)+1.1587$")  # fmt: skip
    top.plot(u, table["fit_caption_index"], color="black", lw=1,
             label=rf"our fit at $u$: ${ours.slope:.4f}\,\ln(u{ours.shift:+.4f})+{ours.intercept:.4f}$")  # fmt: skip
    top.plot(
        u[few], value[few], a_min.marker, color=a_min.colour, ms=4,
        label=rf"worst case $\lambda_u$ of {a_min.label}: largest ratio to H-SF's form, $s=0$",
    )  # fmt: skip
    top.set_ylabel("competitive ratio" if sheet.narrow else f"competitive ratio of the form of {a_min.label}")
    top.set_ylim(1, highest)
    sheet.title(
        page, rf"Figure log_CR: the worst case of {a_min.label} grows like $\frac{{1}}{{4}}\ln u$" + _finding(table)
    )
    bottom.axhline(0, color="black", lw=0.6)
    bottom.plot(u, np.array(table["published_formula_at_u"]) - value, color=style.PUBLISHED, ls=":",
                label="published formula at $u$ (caption)")  # fmt: skip
    bottom.plot(u, np.array(table["published_formula_at_u_minus_1"]) - value, color=style.PUBLISHED, lw=4, alpha=0.35,
                label="published formula at $u-1$")  # fmt: skip
    bottom.plot(u, np.array(table["fit_caption_index"]) - value, color="black", lw=1,
                label=rf"our fit at $u$: least squares over $u=3,\dots,{u[-1]}$, $R^2={ours.r_squared:.6f}$")  # fmt: skip
    bottom.set_ylabel(r"fit − $\lambda_u$" if sheet.narrow else "fit − worst case")
    bottom.set_xlabel(r"upper end $u$ of the prediction interval $[1,u]$")
    bottom.set_xscale("log")
    bottom.set_ylim(-0.012, 0.1)
    handles = [*top.get_legend_handles_labels()[0], *bottom.get_legend_handles_labels()[0][1:2]]
    sheet.legend(page, handles)
    for axis in (top, bottom):
        axis.grid(alpha=0.25)
    return page


def _finding(table: JsonObject) -> str:
    """Return against which index the published formula is nearer to the worst cases."""
    value = np.array(table["worst_case"])
    far = [np.abs(np.array(table[f"published_formula_at_{at}"]) - value).max() for at in ("u_minus_1", "u")]
    return ";\nthe published fit comes out against $u-1$, not against $u$" if far[0] < far[1] else ""
