"""A_random's form against H-SF's: what its exact supremum says of a bound."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from crtools.forms import form
from crtools.ledger.agree import agree
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.evidence.bound_values import bound_at, written_apart
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form.a_random import random_theorem
from crtools.proof.symbols import alpha
from crtools.ratios.comparison import at_least

ENDPOINT = (1 + 1 / alpha) / 2
"""The supremum over all s and l at a fixed α: at s = 0, and as l → ∞ for every s."""

SCALES = tuple(10**k for k in (0, 1, 2, 4, 8, 16, 32, 64))
"""Lengths l, u are multiplied by these: the larger they are, the less does s matter."""


def bounded(bound: Any, size: int) -> Evidence:
    """Decide whether the supremum is at most bound(α) for every s; a counterexample is looked for at s = ``size``."""
    outcome = at_least(bound, ENDPOINT, alpha, Fraction(0), Fraction(1))
    if outcome.holds:
        return by_theorem(random_theorem())
    if outcome.holds is None or outcome.point is None:
        return Open(outcome.reason or "α is too close to an end")
    value = bound_at(bound, outcome.point, 80)
    for scale in SCALES:
        low, up = outcome.point.numerator * scale, outcome.point.denominator * scale
        ratio, at = near_worst(size, low, up)
        if value is not None and ratio > value.upper:
            claimed, actual = written_apart(value.upper, ratio)
            return Refuted(
                at, f"at most {claimed}", f"at least {actual}", f"at least {actual}, by plain sums over the two lengths"
            )
    return Open(
        f"the supremum at $s = 0$ exceeds the bound at $α = {outcome.point}$; no instance was found at $s = {size}$"
    )


def near_worst(size: int, low: int, up: int) -> tuple[Fraction, dict[str, Any]]:
    """Return the ratio at x_l : x_u = u : l, which is worst at s = 0, by two computations, and the instance as data."""
    common = gcd(low, up)
    x = {low: up // common, up: low // common}
    value = _by_entries("a-random", x, size) / _by_entries("h-sf", x, size)
    plain = Fraction(sum(x.values()) * sum(i * (size + i) * w for i, w in x.items())) / literal.h_sf_sum(x, size)
    agree(value, plain, "A_random's ratio")
    return value, {"s": size, "l": low, "u": up, "x_l": x[low], "x_u": x[up]}


def _by_entries(name: str, x: dict[int, int], size: int) -> Fraction:
    entry = form(name).entry
    return sum((Fraction(entry(i, j, size)) * v * w for i, v in x.items() for j, w in x.items()), Fraction(0))
