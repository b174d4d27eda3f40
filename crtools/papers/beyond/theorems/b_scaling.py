"""The b-scaling policies' symbols at ξ = 0, for every base b = y²: fixed thresholds, one common offset, own offsets."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.enclosure import precision
from crtools.papers.beyond.theorems.blind_upper import closed
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.scale_free import common_offset, peak_at_zero

y, L = sp.symbols("y L", positive=True)  # b = y², L = ln y

HALF = sp.Rational(1, 2)


def fixed() -> Any:
    """Return (κ_0 − κ_1 + κ_1 S)/S with S = Σ_d b^{−|d|/2} = (y+1)/(y−1), the sizes just above the thresholds."""
    total = (y + 1) / (y - 1)
    before = 2 * y**2 / (y**2 - 1)
    return (-(y**2) + (before + 1 + y**2) * total) / total


def common() -> Any:
    """Return κ(0) + 2(κ'(0) + ∫ κ'' e^{−t/2} dt) for one offset; ∫_0^{2L} e^{t/2} (2L − t − 1) dt and the bend at t = 2L."""
    grown = 2 * (y - 1)  # ∫_0^{2L} e^{t/2} dt; with t inside it is 4Ly − 2·that
    inner = (2 * L - 1) * grown - (4 * L * y - 2 * grown)
    return 1 / L + 1 + 2 * ((1 / (2 * L) + 1) / 2 + inner / (4 * L) - 1 / (4 * L * y))


def own() -> Any:
    """Return the symbol of own offsets at z = ½."""
    return closed(HALF, y).subs(sp.Symbol("L", positive=True), 2 * L)


VALUES = {"fixed": fixed, "common": common, "own": own}


def theorem(policy: str, formula: Any) -> Theorem:
    """The symbol at ξ = 0 is the formula, in y and L."""
    proof = Proof(f"the symbol at 0: {policy}", "every base $b = y² > 1$, $L = ln y$", rf"m(0) = {sp.latex(formula)}")
    return proof.identity("the kernel's transform at z = ½ over min's", VALUES[policy](), formula).qed()


def common_at(base: Fraction) -> Theorem:
    """One common offset's symbol at a base is largest at ξ = 0, by balls."""
    proof = Proof("one common offset at a base", f"$b = {base}$; every ξ", r"m(\xi) \le m(0)")
    proof.cite(theorem("common", (2 * y**2 + y - 1) / (2 * y * L)))

    def boxes() -> str | None:
        with precision(96):
            return None if peak_at_zero(common_offset(base)).boxes else "no interval was covered"

    says = "balls on [0, X], and the bound of the rest beyond it; near 0 the second derivative is negative"
    proof.computed(r"m(\xi) \le m(0) \text{ for every } \xi", says, boxes, name="balls")
    return proof.therefore(
        rf"m(\xi) \le \tfrac{{2b+\sqrt b-1}}{{\sqrt b\ln b}} \text{{ at }} b = {sp.latex(sp.Rational(str(base)))}"
    ).qed()


def least_at_three() -> Theorem:
    """The fixed thresholds' value falls up to b = 3 and rises from there on, where it is 1 + 3√3."""
    value, x = 1 + 2 * y**3 / (y**2 - 1), sp.symbols("x", positive=True)
    proof = Proof("the best fixed base", "every base $b = y² > 1$", r"1 + \tfrac{2b^{3/2}}{b-1} \ge 1 + 3\sqrt3")
    proof.identity("the derivative has the sign of y² − 3", sp.diff(value, y), 2 * y**2 * (y**2 - 3) / (y**2 - 1) ** 2)
    proof.identity("at b = 3, with x = √3", (1 + 2 * 3 * x / (3 - 1)), 1 + 3 * x)
    return proof.therefore(r"1 + \tfrac{2b^{3/2}}{b-1} \ge 1 + 3\sqrt3").qed()
