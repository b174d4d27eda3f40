"""The volume bound's form is at most θ times H-SF's on lengths ≥ l, θ = (2s+l+1)/(2(s+l)), with equality at equal lengths l."""

from __future__ import annotations

from typing import Any

from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, s
from crtools.proof.theorem import Theorem


def theorem(factor: Any) -> Theorem:
    """Volume(x) ≤ factor · H-SF(x) for every x ≥ 0 on lengths ≥ l, for every s ≥ 0 and l ≥ 1."""
    import sympy as sp

    k = sp.Symbol("k", positive=True)
    first, inner = ((lambda m, f=f: f.formula(m, m, s)) for f in (VOLUME, H_SF))
    proof = Proof(
        "volume against H-SF",
        "every s ≥ 0, l ≥ 1, all weights $x ≥ 0$ on lengths from l on",
        rf"\mathrm{{volume}}(x) \le \theta\cdot\text{{h-sf}}(x),\quad \theta = {sp.latex(factor)}",
    )
    proof.nonnegative("the weight of the square of all", factor * inner(l) - first(l), s >= 0, l >= 1)
    steps = [form(k) - form(k - 1) for form in (inner, first)]
    proof.nonnegative("and of each tail Σ_{i ≥ k} x_i, k > l", factor * steps[0] - steps[1], s >= 0, l >= 1, k >= l + 1)
    return proof.therefore(
        r"\mathrm{volume}(x) \le \theta\cdot\text{h-sf}(x)", "both forms are sums of weights times squared tails"
    ).qed()


def at_equal_lengths() -> Any:
    """Return the ratio of the two forms where all lengths are l, exactly."""
    return VOLUME.formula(l, l, s) / H_SF.formula(l, l, s)
