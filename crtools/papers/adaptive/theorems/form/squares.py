"""Squares that bound (Σ x)(Σ d_i x_i), or c (Σ x)(Σ i x_i), by K times a form that is diagonal in the tails T_k, T_l = 1."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Identity
from crtools.proof.symbols import l, r

K, t, w = sp.symbols("K t w", positive=True)


def of_means(first: str, last: str) -> tuple[Identity, Identity]:
    """The steps "square" and "constant" to K = ½(1 + √(last/first)), the diagonal's sums from T_l alone and from all T_k."""
    mean, text = (1 + r) / 2, f"with K = (1+r)/2 and {last} = r² {first}: (K−1) {first} − ({last}−{first})/(4K) = 0"
    return (
        square("K T² − T + 1/(4K) is a square", sp.S.One, sp.S.One),
        Identity(name="constant", text=text, lhs=(mean - 1) * w - (r**2 - 1) * w / (4 * mean), rhs=sp.S.Zero),
    )


def weighted(weight: str, c: Any, first: Any, shown: str) -> tuple[Identity, Identity]:
    """The same to K = c l (1+r)/(2a), r² = 1 + a S/l², for weights of that name, a factor c = s + u and c l T_l alone.

    ``first`` is a, the weight of T_l; S is the sum of 1/weight over l < k ≤ u, and ``shown`` what these are called.
    """
    top = c * l * (1 + r) / (2 * first)
    return (
        square(f"K {weight} T² − c T + c²/(4 K {weight}) is a square, c = s+u", sp.Symbol(weight, positive=True), c),
        Identity(
            name="constant",
            text=f"with {shown}: K a − c l − c² S/(4K) = 0",
            lhs=top * first - c * l - c**2 * ((r**2 - 1) * l**2 / first) / (4 * top),
            rhs=sp.S.Zero,
        ),
    )


def square(text: str, own: Any, c: Any) -> Identity:
    """The step "square" for a weight and a factor of T."""
    lhs, rhs = K * own * t**2 - c * t + c**2 / (4 * K * own), K * own * (t - c / (2 * K * own)) ** 2
    return Identity(name="square", text=text, lhs=lhs, rhs=rhs)
