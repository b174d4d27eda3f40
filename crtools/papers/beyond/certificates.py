"""What the certificates of these results carry beside the proofs of their findings."""

from __future__ import annotations

from fractions import Fraction

from crtools.blind.least import least_cost
from crtools.certificates.beside import Beside
from crtools.certificates.document import Data
from crtools.enclosure import ball, decimal, ends, precision
from crtools.expressions import number
from crtools.ledger.verdict import ClaimResult
from crtools.papers.beyond.claims.blind_finite import price_on
from crtools.papers.beyond.levels import ALGORITHM, FORM, MACHINE, NUMBER
from crtools.papers.beyond.theorems import continuous


def _rho_star(_: ClaimResult) -> Data:
    """Return two numbers with the minimum's place between them, near enough to tell ρ* from the claim's bounds."""
    low, high = least_cost(30).y.decimals(20)
    return {"low": str(Fraction(low)), "high": str(Fraction(high))}


def _least(_: ClaimResult) -> Data:
    """Return such numbers, eight decimals apart."""
    low, high = least_cost(12).y.decimals(8)
    return {"low": str(Fraction(low)), "high": str(Fraction(high))}


def _lost(result: ClaimResult) -> Data:
    """Return these, and numbers a little below √2 and √(1 − 1/ρ*): what is lost of ln R is told from the claim's constant."""
    rho = least_cost(20).value.lower
    roots = {"root": ball(2), "d": ball(1 - 1 / rho)}
    below = {name: Fraction(decimal(ends(square.sqrt())[0], 5, up=False)) for name, square in roots.items()}
    return {**_least(result), **{name: str(value) for name, value in below.items()}}


def _price(result: ClaimResult) -> Data:
    """Return the price that proves the bound, and the ratio that it proves."""
    price = price_on(result.given)
    rows = {name: [*map(str, getattr(price, name))] for name in ("tails", "times", "prices")}
    return {"lengths": [*price.lengths], **rows, "ratio": str(price.check())}


def _limit(result: ClaimResult) -> Data:
    """Return λ and t = tanh(½μ ln(1/α)) below and above the root, eight decimals apart."""
    alpha = number("alpha", result.given["alpha"])
    low, high = (Fraction(each) for each in continuous.limit(alpha).decimals(8))
    found = {"low": low, "high": high}
    for name, step in (("low", -1), ("high", 1)):
        with precision(128):
            t = ends(continuous.tanh_at(found[name], alpha))[0]
        found[f"t_{name}"] = Fraction(round(t * 10**12) + step, 10**12)
    return {name: str(value) for name, value in found.items()}


BESIDE = {
    ("rho-star", NUMBER): Beside(_rho_star),
    ("blind-upper", MACHINE): Beside(_least),
    ("blind-upper", ALGORITHM): Beside(_least),
    ("blind-lower", MACHINE): Beside(_lost),
    ("blind-lower", ALGORITHM): Beside(_lost),
    ("blind-finite", MACHINE): Beside(_price),
    ("blind-finite", ALGORITHM): Beside(_price),
    ("continuous-limit", FORM): Beside(_limit),
}
"""By claim and level, where there is such a thing."""
