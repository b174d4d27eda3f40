"""What a bound in α says at one α, and two numbers written so that one sees which is larger."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.enclosure import Enclosure
from crtools.papers.adaptive.evidence.process_bounds import apart, at_least
from crtools.proof.symbols import alpha

SMALL = 1000
"""Roots are taken exactly of α with denominators up to this, as SymPy factors what stands under a root; and powers up to this."""


def bound_at(bound: Any, point: Fraction, digits: int) -> Enclosure | None:
    """Return the bound's value at α = ``point``, exact where it is seen to be rational; None where there is none to enclose."""
    bound = sp.sympify(bound)
    powers = [power.exp for power in bound.atoms(sp.Pow)]
    short = all(own.is_Rational and max(abs(own.p), own.q) <= SMALL for own in powers)
    if short and (bound.is_rational_function(alpha) or point.denominator <= SMALL):
        exact = bound.subs(alpha, sp.Rational(point.numerator, point.denominator))
        if exact.is_Rational:
            value = Fraction(int(exact.p), int(exact.q))
            return Enclosure(value, value)
    return enclosed(bound, {alpha: point}, digits)


def written_apart(small: Fraction, large: Fraction) -> tuple[str, str]:
    """Return two decimals, the first at least ``small`` and below the second, which is at most ``large`` > 0."""
    if small > 0:
        return apart(small, large)
    return ("0" if small == 0 else f"-{at_least(-small)}"), at_least(large)
