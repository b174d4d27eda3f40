"""A_random's form against H-SF's: what its exact supremum says of a bound."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from crtools.enclosure import Enclosure
from crtools.forms import form
from crtools.ledger.agree import agree
from crtools.ledger.deciders.bounds import Bound, Family, Known, apart, decide_bound
from crtools.ledger.evidence import Evidence, Refuted
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.symbols import alpha

ENDPOINT = (1 + 1 / alpha) / 2
"""The supremum over all s and l at a fixed α: at s = 0, and as l → ∞ for every s."""

SCALES = tuple(10**k for k in (0, 1, 2, 4, 8, 16, 32, 64))
"""Lengths l, u are multiplied by these: the larger they are, the less does s matter."""


def bounded(bound: Bound, size: int) -> Evidence:
    """Decide whether the supremum is at most bound(α) for every s; a counterexample is looked for at s = ``size``."""

    def refuted(place: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        said, actual = apart(claimed.upper, ratio)
        again = f"at least {actual}, by plain sums over the two lengths"
        return Refuted(near_worst(size, *place)[1], f"at most {said}", f"at least {actual}", again)

    family = Family(
        point=lambda place: Fraction(*place),
        ratio=lambda place, claimed: near_worst(size, *place)[0],
        refuted=refuted,
        near=lambda at: [(at.numerator * scale, at.denominator * scale) for scale in SCALES],
    )
    tried = f"the supremum at $s = 0$, and instances at $s = {size}$"
    return decide_bound(bound, family, tried=tried, known=Known(ENDPOINT, TEXT.named("A_random's supremum")))


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
