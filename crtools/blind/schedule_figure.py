"""The figure of ``crtools best --plot``: when the attempts of the best schedule run, and the price that they make."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Protocol

from crtools.blind.mixture import Mixture
from crtools.blind.truncation import Bracket
from crtools.distributions import Distribution
from crtools.enclosure import Enclosure
from crtools.plotting.figure import Figure, columns
from crtools.plotting.sheet import Sheet


class _Best(Protocol):
    """The part of ``Best`` that is drawn."""

    @property
    def law(self) -> Distribution: ...
    @property
    def s(self) -> int: ...
    @property
    def value(self) -> Enclosure: ...
    @property
    def mixture(self) -> Mixture: ...
    @property
    def bracket(self) -> Bracket: ...
    @cached_property
    def price(self) -> tuple[tuple[Fraction, Fraction], ...]: ...


def schedule(best: _Best) -> Figure:
    """Return the figure. A row of its data is an attempt; attempts of equal index are one after the other.

    ``start``, ``end``: when it runs, in token-instants per request. ``after``, ``until``: the ages at which the attempt before it (0:
    none) and this one are killed; at the largest length it runs to the end. ``share``: of the requests that have it in their plan.
    ``price``, ``price_after``: the unfinished shares at ``start`` and ``end``.
    """
    mixture, lengths = best.mixture, (0, *best.bracket.lengths)
    total = sum(mixture.weights)
    rows = [
        {
            "start": float(start), "end": float(end), "after": lengths[stage.after],
            "until": lengths[min(stage.until, len(lengths) - 1)], "share": stage.flow / total,
            "price": float(before), "price_after": float(unfinished),
        }
        for stage, ((start, before), (end, unfinished)) in zip(mixture.stages, pairwise(best.price), strict=True)
    ]  # fmt: skip
    low, high = best.value.decimals(8)
    notes = {"law": best.law.spec(), "s": best.s, "value": [low, high]}
    title = f"The best blind schedule for {best.law.spec()}, s = {best.s}: V = {float(best.value.lower):.6g}"
    return Figure("best", columns(rows), partial(_draw, rows=rows, title=title), {}, notes)


def _draw(sheet: Sheet, rows: list[dict[str, Any]], title: str) -> Any:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm

    page = sheet.canvas(7.2, 6.0)
    attempts, price = page.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    smallest = min(row["share"] for row in rows)
    colours = ScalarMappable(LogNorm(min(smallest, 0.5), 1), colormaps["viridis_r"])
    for row in rows:
        low, high = row["after"] + 0.5, row["until"] + 0.5
        box = (row["end"] - row["start"], high - low)
        attempts.bar(row["start"], box[1], box[0], low, align="edge", color=colours.to_rgba(row["share"]), lw=0)
    attempts.set_yscale("log")
    attempts.set_ylim(0.5, max(row["until"] for row in rows) + 0.5)
    attempts.set_ylabel("lengths that the attempts complete, in tokens")
    page.colorbar(colours, ax=attempts, label="share of the requests that make the attempt")
    price.plot(
        [row["start"] for row in rows] + [rows[-1]["end"]], [row["price"] for row in rows] + [0], color="#117733"
    )
    price.set_ylabel("price = share unfinished")
    price.set_xlabel("time in $n/M$ instants (token-instants for each request)")
    price.set_ylim(bottom=0)
    for axis in (attempts, price):
        axis.grid(alpha=0.25)
    sheet.title(page, title)
    return page
