"""Against H-SF's form: the volume bound's form, and what own random offsets have.

The volume bound's is at most θ times H-SF's on lengths ≥ l, θ = (2s+l+1)/(2(s+l)), with equality at equal lengths l.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from crtools.blind import against_h_sf as balls
from crtools.enclosure import ball, precision
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.papers.adaptive.theory import TEXT
from crtools.papers.beyond.theorems import blind_upper, in_steps
from crtools.proof.builder import Proof
from crtools.proof.symbols import l, s
from crtools.proof.theorem import Theorem
from crtools.schedule import volume


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


# ---- Own offsets against H-SF's form ------------------------------------------------------------------------------


GRID = 128
"""Offsets of each request over which means are taken."""


def wait(s: int, l: int, own: int, other: int) -> float:
    """Return what a request waits for another, averaged over a grid of both offsets, from their attempts one by one."""
    first = np.add.outer((np.arange(GRID) + 0.5) / GRID, np.zeros(GRID))
    second = np.add.outer(np.zeros(GRID), (np.arange(GRID) + 0.25) / GRID)
    base, sizes = float(balls.BASE), np.array([volume(s, k) for k in range(l, max(own, other) + 1)], dtype=float)
    v, w = volume(s, own), volume(s, other)
    end = base ** (np.ceil(np.log(v) / np.log(base) - first) + first)
    threshold = base ** (np.ceil(np.log(volume(s, l)) / np.log(base) - second) + second)
    paid, left = np.zeros((GRID, GRID)), np.ones((GRID, GRID), dtype=bool)
    while np.any(left & (threshold <= end)):
        killed = sizes[np.searchsorted(sizes, threshold, side="right") - 1]
        paid += np.where(left & (threshold <= end), np.minimum(w, killed), 0)
        left &= threshold < w
        threshold = threshold * base
    return float(paid.mean())


@cache
def waits(factor: float = 1.0) -> str | None:
    """Test: what two requests wait for each other is what the kernel says, within 2 %."""
    for prompt, low in ((0, 1), (2, 1), (0, 3)):
        for i, j in ((a, b) for a, b in product((low, low + 1, low + 3, low + 9), repeat=2) if a <= b):
            with precision(balls.BITS):
                known = factor * float(balls.Kernel(prompt, (low,)).paid(i, j))
            found = wait(prompt, low, i, j) + wait(prompt, low, j, i)
            if abs(found - known) > 0.02 * known:
                return f"s = {prompt}, l = {low}, lengths {i} and {j}: {found}, not {known}"
    return None


@cache
def savings(factor: Fraction = Fraction(1)) -> str | None:
    """Test: own offsets' form is at most what the tails say, at weights 0, 1 and 2 on four lengths; the factor is of p_k."""
    for prompt, weights in product((0, 2), product((0, 1, 2), repeat=4)):
        with precision(balls.BITS):
            kernel = balls.Kernel(prompt, range(1, 5))
            tails = [sum(weights[k:]) for k in range(4)]
            among = kernel.saved_among(4)
            pairs = [*product(range(4), repeat=2)]
            most = sum((ball(balls.COST * kernel.of_volume(k + 1) * tails[k] ** 2) for k in range(4)), start=ball(0))
            most -= sum(kernel.remainder(a + 1, c + 1) * weights[a] * weights[c] for a, c in pairs)
            most -= ball(factor) * sum(2 * kernel.saved(k + 1) * tails[k] ** 2 for k in range(4))
            most -= ball(factor) * sum(among[a][c] * tails[a] * tails[c] for a, c in pairs)
            paid = sum(kernel.paid(min(a, c) + 1, max(a, c) + 1) * weights[a] * weights[c] for a, c in pairs)
            if not paid <= most + ball(Fraction(1, 10**20)):
                return f"s = {prompt}, weights {weights}: {float(paid)}, more than {float(most)}"
    return None


def own_offsets(prompt: int, low: int, factor: Fraction) -> Theorem:
    """Own offsets have at most ``factor`` times H-SF's form at s = ``prompt`` on lengths from ``low`` on, for every u."""
    x, y, r, q, c, T, k, v = sp.symbols("x y r q c T k v", real=True)
    shown, proved = sp.latex(sp.sympify(str(factor))), balls.bound(prompt, low)
    proof = Proof(
        "own offsets against H-SF's form",
        f"$s = {prompt}$, all lengths in $[{low}, u]$, every u; own offsets in steps of base 69/5; as n → ∞, then M → ∞, against "
        "H-SF's form, not H-SF as a process",
        rf"\mathbb E\,\mathrm{{TEL}} \le (1 + o(1))\,{shown}\cdot\tfrac{{n^2}}{{2M}}\,\text{{h-sf}}(x)",
    )
    proof.cite(
        in_steps.as_on_one_machine(),
        blind_upper.theorem(balls.BASE, balls.COST),
        TEXT.theorem("H-SF's form in the tails"),
    )
    proof.integral("what thresholds below v_l would take, of density dc/(c ln b): c dc/c", sp.Integer(1), (c, 0, v), v)
    proof.argued(
        r"\text{own offsets' form is at least } 2\textstyle\sum_k p_k T_k^2 + 2\sum_{m<k} p_k q_{k,m} T_k x_m "
        r"\text{ less than } \rho \sum_k m_k T_k^2 - R(x)",
        "the symbols are those of crtools.blind.against_h_sf. Between v_{k−1} and v_k an attempt is killed at the age k − 1 and uses "
        "v_{k−1}, not c: (c − v_{k−1}) dc/(c ln b) is saved of every request longer than k − 1, for each that still waits at c, and "
        "p_k is the integral. All of length k or more wait, and one of length m < k waits up to v_m b^V, so with the "
        "probability 1 − ln(c/v_m)/ln b ≥ q_{k,m}, if that is not negative",
        test=savings,
        tested="weights 0, 1, 2 on the lengths 1 to 4, s in {0, 2}, in balls",
        name="savings",
    )
    proof.argued(
        r"K(v_i, v_j) + K(v_j, v_i) = x\,\kappa(t) \text{ less what is saved},\ x = \min(v_i, v_j),\ "
        r"t = |\ln(v_i/v_j)|;\ \kappa(t) = \kappa(L),\ t \ge L",
        "one of volume x is unfinished at no threshold of bx or more, and waits for nothing after it",
        test=waits,
        tested=f"attempts of two requests over a grid of {GRID}² offsets, s in {{0, 2}}, l in {{1, 3}}, within 2 %",
        name="waits",
    )
    proof.identity(
        "R(x − y) ≥ 0 is R(x) ≥ 2 x·Ry − R(y); here for one length",
        r * (x - y) ** 2,
        r * x**2 - 2 * x * r * y + r * y**2,
    )
    proof.identity("where the term of a tail is least", q * T**2 + 2 * c * T, q * (T + c / q) ** 2 - c**2 / q)
    proof.positive(
        "the coefficients of late tails, λ h_k − ρ m_k, are positive",
        sp.Rational(str(factor)) * (prompt + 2 * k - 1) - sp.Rational(str(balls.COST)) * (prompt + k),
        (k, proved.last + 1),
    )
    proof.computed(
        r"\lambda\,\text{h-sf}(x) - \rho \textstyle\sum_k m_k T_k^2 + R(x) + 2\sum_k p_k T_k^2 + \ldots \ge 0",
        f"{proved.method}: pivots and coefficients are positive balls",
        lambda: (
            None
            if proved.holds_for(factor)
            else f"own offsets were shown to have at most {proved.factor} times H-SF's form"
        ),
        name="balls",
    )
    return proof.therefore(
        rf"\text{{own offsets' form}} \le {shown}\cdot\text{{h-sf}}(x)",
        "R is positive definite (the step “forms” of the theorem on one machine), and the attempts in steps are these",
    ).qed()
