"""The weights of A_min's worst case beside 2/(4k² − 1), the weights of the theorem that bounds it from below."""

from functools import partial
from typing import Any

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS, PROVED
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress
from crtools.worst_cases import worst_case

MARKERS = "os^D"
LINES = ("-", "--", "-.", ":")


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
    return Figure("weights", columns(rows), partial(_draw, rows=rows, u=u, s=s), fits, {"s": s, "l": 1})


def _draw(sheet: Sheet, rows: list[JsonObject], u: tuple[int, ...], s: int) -> Any:
    page = sheet.canvas(7, 4.6)
    axis = page.subplots()
    k = list(range(1, max(u) + 1))
    axis.plot(k, [2 / (4 * n * n - 1) for n in k], color=PROVED, lw=5, alpha=0.7, label=r"$2/(4k^2-1)$")
    colours = ("#0072B2", "#000000", "#D55E00", "#117733")
    for largest, colour, marker, line in zip(u, colours, MARKERS, LINES, strict=False):
        points = where(rows, u=largest)
        marked = sorted({round(largest ** (n / 20)) for n in range(21)})
        axis.plot([r["k"] for r in points], [r["weight"] for r in points], color=colour, ls=line, lw=1)
        axis.plot(marked, [points[n - 1]["weight"] for n in marked], marker, color=colour, ms=4, mfc="white")
        axis.plot(
            [], [], color=colour, ls=line, marker=marker, ms=4, mfc="white", label=f"worst case on $[1, {largest}]$"
        )
    axis.set(xscale="log", yscale="log", xlabel="length $k$", ylabel="share $x_k$ of the requests")
    axis.grid(alpha=0.25)
    sheet.legend(page, axis.get_legend_handles_labels()[0])
    sheet.title(page, f"The shares of lengths at which the form of {LOOKS['a-min'].label} is worst, $s={s}$")
    return page
