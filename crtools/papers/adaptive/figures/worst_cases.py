"""Two figures: certified worst cases for many l/u and s/u, and the weights at A_min's worst case.

The weights of A_min's worst case stand beside 2/(4k² − 1), the weights of the theorem that bounds it from below.
"""

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from crtools.forms import Form
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS, PROVED
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress
from crtools.worst_cases import worst_case

DIGITS = 4
"""Digits that are certified at every place."""

PLACES = 25
"""At most so many values of l, from 1 to u, and of s, from 0 to 100 u."""

LARGEST = 100
"""The largest s/u."""

TIMES = (1.5, 2.0, 3.0)
"""Contour lines: the worst case over its value at s = 0."""

LINES = (":", "--", "-")


def worst_case_map(progress: Progress, u: int, policy: Form, against: Form) -> Figure:
    """Enclose the worst case at every place of the map and return the figure. Raises ``NotCertified`` where one is not."""
    rows: list[JsonObject] = []
    at_zero: dict[int, float] = {}
    lengths = sorted({round(u ** (k / (PLACES - 1))) for k in range(PLACES)})
    for l, s in progress(list(product(lengths, _prompts(u)))):
        enclosure = worst_case(policy, l=l, u=u, s=s, against=against).enclosure(DIGITS)
        low, high = map(float, enclosure.decimals(DIGITS + 2))
        at_zero.setdefault(l, enclosure.middle)
        rows.append({
            "l": l, "s": s, "u": u, "l_over_u": l / u, "s_over_u": s / u, "lower": low, "upper": high,
            "times_that_at_zero": enclosure.middle / at_zero[l],
        })  # fmt: skip
    peak = max(rows, key=lambda r: r["times_that_at_zero"])
    top = max(rows, key=lambda r: r["upper"])
    fits = {
        "largest": {"text": f"between {top['lower']} and {top['upper']} at l = {top['l']}, s = {top['s']}"},
        "against s = 0": {
            "text": f"at most {peak['times_that_at_zero']:.3f} times as large, at l = {peak['l']}, s = {peak['s']}"
        },
    }
    names = policy.name, against.name
    notes = {"policy": names[0], "against": names[1], "digits": DIGITS}
    return Figure("worst-map", columns(rows), partial(_draw, rows=rows, u=u, names=names), fits, notes)


def _prompts(u: int) -> list[int]:
    """Return 0 and sizes up to ``LARGEST`` u, equally far apart in their logarithms."""
    smallest = 0.01
    return sorted({0} | {round(u * smallest * (LARGEST / smallest) ** (k / (PLACES - 2))) for k in range(PLACES - 1)})


def _draw(sheet: Sheet, rows: list[JsonObject], u: int, names: tuple[str, str]) -> Any:
    from matplotlib.colors import LogNorm
    from matplotlib.lines import Line2D

    l, s = (list(dict.fromkeys(r[name] for r in rows)) for name in "ls")
    value = np.array([r["upper"] for r in rows]).reshape(len(l), len(s)).T
    times = np.array([r["times_that_at_zero"] for r in rows]).reshape(len(l), len(s)).T
    page = sheet.canvas(7, 5.4)
    axis = page.subplots()
    x = np.array(l) / u
    heights = np.array([s[1] / u / (s[2] / s[1] if len(s) > 2 else 2), *(size / u for size in s[1:])])
    shades = axis.pcolormesh(x, heights, value, norm=LogNorm(1, value.max()), cmap="cividis", shading="nearest")
    reached = [(t, line) for t, line in zip(TIMES, LINES, strict=True) if times.max() > t]
    for t, line in reached:
        for colour, wide in (("black", 3.4), ("white", 1.8)):  # seen on light and on dark
            axis.contour(x, heights, times, levels=[t], colors=colour, linestyles=[line], linewidths=wide)
    axis.set(xscale="log", yscale="log")
    ticks = [h for h in (0.01, 0.1, 1, 10, 100) if h >= heights[1]]
    axis.set_yticks([heights[0], *ticks], ["0", *(f"{h:g}" for h in ticks)])
    axis.minorticks_off()
    axis.set(xlabel=rf"$\ell/u$, $u={u}$", ylabel="$s/u$")
    page.colorbar(shades, ax=axis, label="worst case (upper bound)", format="%g")
    handles = [
        Line2D([], [], color="0.3", ls=line, lw=1.8, label=f"{t:g} times its value at $s=0$") for t, line in reached
    ]
    first, second = (LOOKS[name].label if name in LOOKS else name for name in names)
    title = f"Certified worst case of the form of {first} over that of {second}"
    if times.max() > 1:
        title += f"\nit is up to {times.max():.3g} times that at $s=0$"
    return sheet.finished(page, title, handles)


# ---- the weights at the worst case -------------------------------------------------------------------------------------

LINES_OF_WEIGHTS = (("#0072B2", "o", "-"), ("#000000", "s", "--"), ("#D55E00", "^", "-."), ("#117733", "D", ":"))
"""A colour, a marker and a line for each longest length."""


def weights(progress: Progress, u: tuple[int, ...], s: int) -> Figure:
    """Find the maximising weights on [1, u], made to sum to 1, and return the figure."""
    rows: list[JsonObject] = []
    fits: JsonObject = {}
    for largest in progress(u):
        worst = worst_case("a-min", l=1, u=largest, s=s)
        total = sum(map(float, worst.weights))
        fits[f"u = {largest}"] = {"text": f"worst case {worst.value:.9g}", "value": worst.value}
        for k, weight in enumerate(worst.weights, start=1):
            family = 1 / (2 * largest - 1) if k == largest else 2 / (4 * k * k - 1)
            rows.append({"u": largest, "k": k, "weight": float(weight) / total, "family": family})
    return Figure("weights", columns(rows), partial(_draw_weights, rows=rows, u=u, s=s), fits, {"s": s, "l": 1})


def _draw_weights(sheet: Sheet, rows: list[JsonObject], u: tuple[int, ...], s: int) -> Any:
    page = sheet.canvas(7, 4.6)
    axis = page.subplots()
    k = np.arange(1, max(u) + 1)
    axis.plot(k, 2 / (4 * k * k - 1), color=PROVED, lw=5, alpha=0.7, label=r"$2/(4k^2-1)$")
    for largest, (colour, marker, line) in zip(u, LINES_OF_WEIGHTS, strict=False):
        weight = np.array([r["weight"] for r in where(rows, u=largest)])
        marked = np.array(sorted({round(largest ** (n / 20)) for n in range(21)}))
        axis.plot(k[:largest], weight, color=colour, ls=line, lw=1)
        axis.plot(marked, weight[marked - 1], marker, color=colour, ms=4, mfc="white")
        label = f"worst case on $[1, {largest}]$"
        axis.plot([], [], color=colour, ls=line, marker=marker, ms=4, mfc="white", label=label)
    axis.set(xscale="log", yscale="log", xlabel="length $k$", ylabel="share $x_k$ of the requests")
    axis.grid(alpha=0.25)
    title = f"The shares of lengths at which the form of {LOOKS['a-min'].label} is worst, $s={s}$"
    return sheet.finished(page, title, axis)
