"""Certificates of the best ratio under one law, and of the minimax on an interval, which ``crtools-check`` accepts."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from check.best import MOST_BITS, MOST_LENGTHS
from crtools.blind.best import Best
from crtools.blind.mixture import Mixture
from crtools.blind.requests import Requests
from crtools.blind.worst_law import Closed
from crtools.certificates.document import FORMAT, Data, signed
from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.schedule import volume

SHARES = 10**17
"""Plans' weights are multiples of one of so many parts."""

PLACES = 15
"""At most so many decimals."""

LONGEST_WEIGHT = 250
"""Characters of a law's weight."""


def of_law(found: Best) -> Data:
    """Return the certificate of the best ratio under a law, to the digits that it was asked for.

    Raises ``InputError`` for a law that is infinite, not rational, of more than 400 lengths or with too long weights.
    """
    law = found.law
    if not (law.finite and law.rational):
        raise InputError("certificate", law.spec(), "needs a law with an end and rational weights")
    weights = {o: Fraction(w) for o, w in law.items()}
    if len(weights) > MOST_LENGTHS:
        raise InputError("certificate", law.spec(), f"needs a law of at most {MOST_LENGTHS} lengths")
    requests = Requests.of({volume(found.s, o): w for o, w in weights.items()})
    if max(len(str(w)) for w in weights.values()) > LONGEST_WEIGHT or requests.left[0].bit_length() > MOST_BITS:
        raise InputError("certificate", law.spec(), "needs a law whose weights have fewer digits")
    total = sum(found.mixture.weights)
    pairs = zip(found.mixture.plans, found.mixture.weights, strict=True)
    mixture = Mixture.of(requests, {plan: round(Fraction(weight, total) * SHARES) for plan, weight in pairs})
    value = Enclosure(mixture.lower(), mixture.upper(), "exact")
    if value.width * 10 ** (found.digits - 1) > value.lower:
        raise NotCertified(f"the certificate would not have {found.digits} digits", value.relative_width())
    return _document("best", weights, found.s, mixture, value, found.digits + 1)


def of_interval(found: Closed) -> Data:
    """Return the certificate of the minimax ratio on an interval."""
    return _document("minimax", found.weights, found.s, found.mixture, found.value, PLACES)


def _document(kind: str, weights: dict[int, Fraction], s: int, mixture: Mixture, value: Enclosure, places: int) -> Data:
    lengths = tuple(weights)
    plans = [
        [[lengths[place - 1] for place in plan[1:-1]], weight]
        for plan, weight in zip(mixture.plans, mixture.weights, strict=True)
    ]
    return signed(
        {
            "format": FORMAT,
            "kind": kind,
            "law": [[length, str(weight)] for length, weight in weights.items()],
            "s": s,
            "plans": plans,
            "places": places,
            "lower": _decimal(floor(value.lower * 10**places), places),
            "upper": _decimal(ceil(value.upper * 10**places), places),
        }
    )


def _decimal(scaled: int, places: int) -> str:
    """Return an integer over 10^places as a decimal with so many places."""
    whole, part = divmod(scaled, 10**places)
    return f"{whole}.{part:0{places}d}"
