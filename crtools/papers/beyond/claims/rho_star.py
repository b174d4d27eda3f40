"""rho-star: the least cost ρ* lies between two numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from crtools.blind.rho_star import least_cost
from crtools.enclosure import Enclosure
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Open, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision_at
from crtools.papers.beyond.levels import NUMBER
from crtools.papers.nonclairvoyant.theory import theorem as nonclairvoyant

DIGITS = (10, 40, 160, 640)
"""Numbers of digits of ρ* with which a bound is compared in turn."""


def by_mpmath() -> Enclosure:
    """Return an interval of width 2·10⁻¹⁰ around the minimum that mpmath finds, by the derivative of the cost itself."""
    import mpmath

    with mpmath.workdps(32):
        cost = lambda y: (2 * y - 3 + 1 / y) / mpmath.log(y) ** 2  # noqa: E731
        minimiser = mpmath.findroot(lambda y: mpmath.diff(cost, y), 3.7)
        minimum = Fraction(str(mpmath.nstr(cost(minimiser), 22)))
    error = Fraction(1, 10**10)
    return Enclosure(minimum - error, minimum + error, "a root of the slope, in mpmath")


def bracket_of_y(digits: int) -> dict[str, str]:
    """Return two numbers with ``digits`` decimals between which the minimum is attained."""
    low, high = least_cost(digits + 10).y.decimals(digits)
    return {"low": str(Fraction(low)), "high": str(Fraction(high))}


def bound_evidence(bound: Fraction, side: str) -> Evidence:
    """Decide whether ρ* is at least (at most) the bound."""
    minimum = next((cost for cost in map(least_cost, DIGITS) if bound not in cost.value), None)
    if minimum is None:
        return Open(f"{DIGITS[-1]} digits of ρ* do not tell it from the bound")
    low, high = minimum.value.decimals(14)
    second = agree(minimum.value, by_mpmath(), "the least cost")
    values = {"y": minimum.y.decimals(14), "base": minimum.base.decimals(14), **bracket_of_y(20)}
    if (bound < minimum.value.lower) == (side == "at least"):
        return Certified([low, high], f"{side} {bound}", str(second), values)
    witness = {"y": minimum.y.decimals(14)[0]}
    return Refuted(witness, f"{side} {bound}", f"between {low} and {high}", str(second), values=values)


@claim(
    "rho-star", NUMBER, "docs/beyond/minimax.md, the number", "$ρ⋆ = min_{y>1} (y−1)(2y−1)/(y ln² y) = 2.7283724269…$"
)
def rho_star(given: Given) -> Decision:
    """Decide both bounds, and that the one stationary point is the minimum."""
    low, high = (number(name, given[name]) for name in ("lower", "upper"))
    stationary = given.proved(partial(nonclairvoyant, "one stationary point"))
    return decision_at(
        NUMBER,
        "the minimum over all real $y > 1$",
        "interval Newton; signs of coefficients",
        (f"between {given['lower']} and {given['upper']}", "the number is on the other side"),
        Finding("minimum", "the one stationary point is the minimum", stationary),
        Finding("at-least", f"$ρ⋆ ≥ {given['lower']}$", bound_evidence(low, "at least")),
        Finding("at-most", f"$ρ⋆ ≤ {given['upper']}$", bound_evidence(high, "at most")),
    )
