"""The least worst case of a blind scheduler on an interval of lengths, over the interval's shape ℓ/u and the prompt's s/ℓ."""

from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from crtools.blind import least_cost
from crtools.blind.minimax import bounds
from crtools.blind.worst_law import closed
from crtools.enclosure import decimal
from crtools.errors import NotCertified
from crtools.plotting.figure import Figure, columns
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

COLUMNS = 12
"""Values of l from 1 to u, at most."""

PROMPTS = (0, 1, 2, 5, 10, 30, 100)
"""Values of s/l."""

DIGITS = 8


def minimax_map(progress: Progress, u: int) -> Figure:
    """Enclose the minimax at every pair of l and s/l and return the figure; its column ``closed``: whether both sides met.

    ``progress`` iterates over the pairs, and may show how many are done.
    """
    lengths = sorted({round(u ** (k / (COLUMNS - 1))) for k in range(COLUMNS)})
    rows: list[dict[str, Any]] = []
    for l, times in progress(list(product(lengths, PROMPTS))):
        lower, upper, met = _both_sides(times * l, l, u)
        low, high = decimal(lower, DIGITS, up=False), decimal(upper, DIGITS, up=True)
        rows.append({
            "l": l, "s": times * l, "u": u, "l_over_u": l / u, "s_over_l": times,
            "lower": float(low), "upper": float(high), "closed": met,
        })  # fmt: skip
    top = max(rows, key=lambda r: r["upper"])
    widest = max(r["upper"] / r["lower"] - 1 for r in rows)
    fits = {
        "largest": {"text": f"between {top['lower']} and {top['upper']} at l = {top['l']}, s = {top['s']}"},
        "both sides": {"text": f"at most {widest:.2g} apart, relatively"},
    }
    return Figure("minimax", columns(rows), partial(_draw, rows=rows, u=u), fits, {"digits": DIGITS})


def _both_sides(s: int, l: int, u: int) -> tuple[Fraction, Fraction, bool]:
    try:
        value = closed(s, l, u).value
    except NotCertified:
        quick = bounds(s, l, u)
        return quick.lower, quick.upper, False
    return value.lower, value.upper, True


def _draw(sheet: Sheet, rows: list[dict[str, Any]], u: int) -> Any:
    import numpy as np

    lengths = list(dict.fromkeys(r["l"] for r in rows))
    value = np.array([r["upper"] for r in rows]).reshape(len(lengths), len(PROMPTS)).T
    rho_star = float(least_cost(12).value.upper)
    page = sheet.canvas(7, 4.6)
    axis = page.subplots()
    shades = axis.pcolormesh(value, cmap="cividis", vmin=1, vmax=rho_star)
    for (y, x), number in np.ndenumerate(value):
        ink = "white" if number < 1 + (rho_star - 1) / 2 else "black"
        axis.text(x + 0.5, y + 0.5, f"{number:.2f}", ha="center", va="center", color=ink, fontsize="small")
    axis.set_xticks(np.arange(len(lengths)) + 0.5, [f"{l / u:.2g}" for l in lengths])
    axis.set_yticks(np.arange(len(PROMPTS)) + 0.5, [str(times) for times in PROMPTS])
    axis.tick_params(length=0)
    axis.set(xlabel=rf"$\ell/u$, $u={u}$", ylabel=r"$s/\ell$")
    page.colorbar(shades, ax=axis, label=rf"ratio to the optimum, up to $\rho^*={rho_star:.4f}$")
    directions = ((r"in $\ell/u$", 1), (r"in $s/\ell$", 0))
    falls = " and ".join(words for words, along in directions if (np.diff(value, axis=along) <= 0).all())
    title = "The best blind worst case on all laws on $[\\ell, u]$" + f"\nit falls {falls}" * bool(falls)
    return sheet.finished(page, f"{title}, from {value.max():.3f} to {value.min():.3g}")
