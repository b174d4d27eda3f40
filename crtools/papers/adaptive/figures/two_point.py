"""Figure CRcompare: the two bounds on two-point laws, the threshold α*, and the exact suprema of both forms."""

from functools import partial
from itertools import product
from math import sqrt
from typing import Any

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.two_lengths import A_ELL_HIGH, A_ELL_LOW, A_MIN_SUP, alpha, suprema
from crtools.papers.adaptive.figures.style import LOOKS, PUBLISHED
from crtools.plotting.figure import Figure
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

THRESHOLD = (3 - sqrt(5)) / 2
"""α*, as published."""

OF_FORMS = {"a_min": LOOKS["a-min"], "a_ell": LOOKS["a-ell"]}
"""The forms, by their names in the columns of the table."""

LINES = ("-", ":", "-.", (0, (6, 2)))
"""One for each prompt size."""

ROUNDING = 1e-9
"""Relative differences below this count as rounding."""


def two_point(_: Progress, u: int, s: tuple[int, ...]) -> Figure:
    """Compute the printed bounds and the exact suprema over the weights, and return the figure."""
    ratios = [k / u for k in range(1, u)]
    table: JsonObject = {"alpha": ratios}
    table["bound_a_min"] = [float(A_MIN_SUP.subs(alpha, a)) for a in ratios]
    table["bound_a_ell"] = [float((A_ELL_LOW if a <= 0.5 else A_ELL_HIGH).subs(alpha, a)) for a in ratios]
    for size in s:
        exact = zip(*(suprema(size, k, u) for k in range(1, u)), strict=True)
        table[f"supremum_a_min_s={size}"], table[f"supremum_a_ell_s={size}"] = map(list, exact)
    crossing = next(a for a, p, r in zip(ratios, table["bound_a_min"], table["bound_a_ell"], strict=True) if r >= p)
    text = f"published α* = {THRESHOLD:.6f}; the drawn bounds cross just below {crossing}"
    fits = {"threshold": {"text": text, "alpha": THRESHOLD}}
    notes = {"lengths": f"u = {u}, l = α u", "suprema": "exact formulas of the claims thm-two-point and thm-aell"}
    return Figure("two-point", table, partial(_draw, table=table, u=u, sizes=s), fits, notes)


def _draw(sheet: Sheet, table: JsonObject, u: int, sizes: tuple[int, ...]) -> Any:
    page = sheet.canvas(8.4, 5.6)
    axis = page.subplots()
    printed = {
        "a_min": r"$(3-\alpha)/2$",
        "a_ell": r"$1+\frac{\alpha}{2(1-\alpha)}$ to $\alpha=\frac{1}{2}$, then $1+2\alpha^2$",
    }
    for name, look in OF_FORMS.items():
        axis.plot("alpha", f"bound_{name}", data=table, color=look.colour, lw=6, alpha=0.3,
                  label=f"{look.label}: published bound {printed[name]}")  # fmt: skip
    for (s, line), (name, look) in product(zip(sizes, LINES, strict=False), OF_FORMS.items()):
        axis.plot("alpha", f"supremum_{name}_s={s}", data=table, color=look.colour, ls=line, lw=1.4,
                  label=f"{look.label}: exact supremum, $s={s}$" + (f", $u={u}$" if s else ""))  # fmt: skip
    threshold = rf"published threshold $\alpha^*=(3-\sqrt{{5}})/2={THRESHOLD:.4f}$"
    axis.axvline(THRESHOLD, color=PUBLISHED, ls="--", lw=1, label=threshold)
    axis.set(xlabel=r"$\alpha=\ell/u$", ylabel="ratio of the forms", xlim=(0, 1))
    axis.grid(alpha=0.25)
    return sheet.finished(page, "Figure CRcompare: " + "; ".join(_finding(table, s) for s in sizes), axis)


def _finding(table: JsonObject, s: int) -> str:
    """Return where the exact suprema at a prompt size exceed the published bounds."""
    clauses: list[str] = []
    for name, look in OF_FORMS.items():
        rows = zip(table["alpha"], table[f"supremum_{name}_s={s}"], table[f"bound_{name}"], strict=True)
        above = [a for a, exact, bound in rows if exact > bound * (1 + ROUNDING)]
        if len(above) == len(table["alpha"]):
            clauses.append(f"{look.label} exceeds its bound at every $\\alpha$")
        elif above:
            clauses.append(f"{look.label} exceeds its bound at $\\alpha$ from {above[0]:.3g} to {above[-1]:.3g}")
    return f"at $s={s}$ " + (", ".join(clauses) or "no supremum exceeds the published bounds")
