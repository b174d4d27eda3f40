"""Certificates of the best ratio under one law, and of the minimax on an interval, which ``crtools-check`` accepts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, floor, lcm

from check.best import MOST_BITS
from check.command import check_document
from check.kernel import Rejected
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.best import Best
from crtools.blind.mixture import Mixture
from crtools.blind.truncation import Cut
from crtools.blind.worst_law import Closed
from crtools.distributions import Distribution
from crtools.enclosure import Enclosure
from crtools.errors import NotCertified
from crtools.ledger.certificates.document import FORMAT, Data, signed
from crtools.schedule import volume

SHARES = 10**17
"""Plans' weights are multiples of one of so many parts."""

PLACES = 15
"""At most so many decimals."""

LONGEST_WEIGHT, LONGEST_LAW = 250, 250_000
"""Characters of a law's weight; bits of all weights as integers times lengths, with which the checker takes seconds."""


def of_law(found: Best) -> Data:
    """Return a certificate of the best ratio under a law, to the digits that it was asked for.

    It is of the law itself, or of one beside it (:func:`near`); what it says holds for both. Raises ``NotCertified`` where that is
    less than the digits.
    """
    weights = near(found.cut) if (beside := not is_short(found.law)) else dict(found.law.items())
    requests = Requests.of({volume(found.s, o): w for o, w in weights.items()})
    total, last = sum(found.mixture.weights), len(weights)
    shares: Counter[Path] = Counter()
    for plan, weight in zip(found.mixture.plans, found.mixture.weights, strict=True):
        shares[(*(place for place in plan if place < last), last)] += round(Fraction(weight, total) * SHARES)
    mixture = Mixture.of(requests, shares)
    sides = [mixture.lower(), mixture.upper(), *([found.value.lower, found.value.upper] if beside else [])]
    value = Enclosure(min(sides), max(sides), "exact")
    if value.width * 10 ** (found.digits - 1) > value.lower:
        raise NotCertified(f"the certificate would not have {found.digits} digits", value.relative_width())
    return _document("best", weights, found.s, mixture, value, found.digits + 1)


def is_short(law: Distribution) -> bool:
    """Return whether a law has an end and rational weights that are short enough to be written."""
    if not (law.finite and law.rational):
        return False
    weights = [Fraction(w) for _, w in law.items()]
    bits = int(sum(weights) * lcm(*(w.denominator for w in weights))).bit_length()
    return max(len(str(w)) for w in weights) <= LONGEST_WEIGHT and bits <= min(MOST_BITS, LONGEST_LAW // len(weights))


def near(cut: Cut) -> dict[int, Fraction]:
    """Return a law with an end and whole weights: those of a cut's upper side, what is longer at its last length."""
    *others, last = cut.high.weights[: len(cut.lengths)]
    rest = sum(cut.high.weights[len(cut.lengths) :])
    return dict(zip(cut.lengths, map(Fraction, (*others, last + rest)), strict=True))


def of_interval(found: Closed) -> Data:
    """Return the certificate of the minimax ratio on an interval."""
    return _document("minimax", found.weights, found.s, found.mixture, found.value, PLACES)


def _document(kind: str, weights: dict[int, Fraction], s: int, mixture: Mixture, value: Enclosure, places: int) -> Data:
    """Return a certificate that the checker has accepted; raises ``NotCertified`` where it refuses it."""
    lengths = tuple(weights)
    plans = [
        [[lengths[place - 1] for place in plan[1:-1]], weight]
        for plan, weight in zip(mixture.plans, mixture.weights, strict=True)
    ]
    document = signed(
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
    try:
        check_document(document)
    except Rejected as error:
        raise NotCertified(f"the checker refuses the certificate: {error}") from None
    return document


def _decimal(scaled: int, places: int) -> str:
    """Return an integer over 10^places as a decimal with so many places."""
    whole, part = divmod(scaled, 10**places)
    return f"{whole}.{part:0{places}d}"
