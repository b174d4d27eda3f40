"""Figure CRcompare: the two bounds on two-point laws, the threshold α*, and the exact suprema of both forms."""

from __future__ import annotations

from math import sqrt
from typing import Any, BinaryIO

from crtools.papers.adaptive.bounds.two_lengths import alpha, suprema
from crtools.papers.adaptive.figures.style import LOOKS, PUBLISHED
from crtools.papers.adaptive.suprema import A_ELL_HIGH, A_ELL_LOW, A_MIN_SUP
from crtools.plotting.canvas import canvas, write_png
from crtools.plotting.figure import Figure

THRESHOLD = (3 - sqrt(5)) / 2
"""α*, as published."""

SCALE = 400
"""α = l/u is drawn at l = 1, …, 399 of u = 400, so that suprema at s ≥ 1 belong to integer lengths."""

SIZES = (0, 100)


def two_point() -> Figure:
    """Compute the printed bounds and the exact suprema over the weights, and return the figure."""
    ratios = [k / SCALE for k in range(1, SCALE)]
    table: dict[str, Any] = {"alpha": ratios}
    table["bound_a_min"] = [float(A_MIN_SUP.subs(alpha, a)) for a in ratios]
    table["bound_a_ell"] = [float((A_ELL_LOW if a <= 0.5 else A_ELL_HIGH).subs(alpha, a)) for a in ratios]
    for s in SIZES:
        exact = zip(*(suprema(s, k, SCALE) for k in range(1, SCALE)), strict=True)
        table[f"supremum_a_min_s={s}"], table[f"supremum_a_ell_s={s}"] = map(list, exact)
    crossing = next(a for a, p, r in zip(ratios, table["bound_a_min"], table["bound_a_ell"], strict=True) if r >= p)
    fits = {
        "threshold": {
            "text": f"published α* = {THRESHOLD:.6f}; the drawn bounds cross just below {crossing}",
            "alpha": THRESHOLD,
        }
    }
    notes = {"lengths": f"u = {SCALE}, l = α u", "suprema": "exact formulas of the claims thm-two-point and thm-aell"}
    return Figure("two-point", table, lambda file: _draw(file, table), fits, notes)


def _draw(file: BinaryIO, table: dict[str, Any]) -> None:
    page = canvas(8.4, 5.6)
    axis = page.subplots()
    x = table["alpha"]
    printed = {
        "a_min": r"$(3-\alpha)/2$",
        "a_ell": r"$1+\frac{\alpha}{2(1-\alpha)}$ to $\alpha=\frac{1}{2}$, then $1+2\alpha^2$",
    }
    looks = {"a_min": LOOKS["a-min"], "a_ell": LOOKS["a-ell"]}
    for name, look in looks.items():
        axis.plot(x, table[f"bound_{name}"], color=look.colour, lw=6, alpha=0.3,
                  label=f"{look.label}: published bound {printed[name]}")  # fmt: skip
    for s, line in zip(SIZES, ("-", ":"), strict=True):
        ends = rf"$s={s}$" + (rf", $u={SCALE}$" if s else "")
        for name, look in looks.items():
            axis.plot(x, table[f"supremum_{name}_s={s}"], color=look.colour, ls=line, lw=1.4,
                      label=f"{look.label}: exact supremum, {ends}")  # fmt: skip
    threshold = rf"published threshold $\alpha^*=(3-\sqrt{{5}})/2={THRESHOLD:.4f}$"
    axis.axvline(THRESHOLD, color=PUBLISHED, ls="--", lw=1, label=threshold)
    axis.set_xlabel(r"$\alpha=\ell/u$")
    axis.set_ylabel("competitive ratio (of the forms)")
    axis.set_ylim(1, 3.1)
    axis.set_xlim(0, 1)
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8.5, loc="upper center")
    axis.set_title(
        "Figure CRcompare: at $s=0$ both published bounds are the exact suprema;\n"
        rf"at $s={SIZES[1]}$ {looks['a_ell'].label} exceeds its bound everywhere, {looks['a_min'].label} for small $\alpha$",
        fontsize=11.5,
    )
    write_png(page, file, dpi=140)
