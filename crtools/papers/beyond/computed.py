"""What balls show, and the judge does not know: each function returns where it fails, None where it is shown.

The text names them (``computed``, ``by``); one of a theorem with parameters takes these by their names.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.blind import offsets_against_h_sf
from crtools.blind.rho_star import end_of_price, least_cost, log_loss, stationary_ball
from crtools.enclosure import Enclosure, ball, fraction, precision
from crtools.scale_free import at_most, own_offsets, peak_at_zero

BITS = 128

CONSTANT = Fraction(83, 100)
"""0.83: what is lost of ln R."""

Constant = Callable[..., Any]
"""A parameter of a theorem that is a number, as a function of what the theorem holds for every value of."""


def number(constant: Constant) -> Fraction:
    """Return the number that a parameter is."""
    return fraction(constant(sp.Symbol("n")))


def symbol_at_most(base: Constant, bound: Constant) -> str | None:
    """Show that the symbol of own offsets of a base is at most the bound; ``NotCertified`` where it is not shown."""
    with precision(BITS):
        return _covered(at_most(own_offsets(number(base)), ball(number(bound))))


def symbol_at_the_best_base() -> str | None:
    """Show that at the best base it is at most its value at ξ = 0."""
    with precision(BITS):
        return _covered(peak_at_zero(own_offsets(stationary_ball(BITS) ** 2)))


def _covered(intervals: int) -> str | None:
    return None if intervals else "no interval was covered"


def constant() -> Enclosure:
    """Return an enclosure of what is lost of ln R."""
    return Enclosure.from_ball(log_loss(ball(least_cost(20).value.lower).union(ball(least_cost(20).value.upper))))


def lost_in_balls() -> str | None:
    """Show that no more than the constant is lost, for short laws too, that the tangent begins after t₀, and (ρ + 1)T ≤ 4ρ."""
    loss, rho = constant(), ball(least_cost(20).value.lower)
    end = end_of_price(rho)
    if not end * (2 + ball(2).sqrt()) > 2 * rho.sqrt() * (1 + ball(2).sqrt()):
        return "the tangent begins before t₀"
    if not (rho + 1) * end < 4 * rho:
        return "T is too large"
    if not 2 * rho.log() - 2 + 1 / rho < ball(CONSTANT):
        return "a short law proves less"
    return None if loss.upper <= CONSTANT else f"c = {loss}"


def form_in_balls(prompt: Constant, low: Constant, factor: Constant, late: Constant) -> str | None:
    """Show that own offsets have at most the factor times H-SF's form, by the tails before ``late``."""
    proved = offsets_against_h_sf.bound(int(number(prompt)), int(number(low)))
    if number(late) > proved.last + 1:
        return f"nothing is shown of the tails from {proved.last + 1} on, before the late ones"
    if proved.factor <= number(factor):
        return None
    return f"own offsets were shown to have at most {proved.factor} times H-SF's form"
