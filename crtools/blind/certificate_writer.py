"""Certificates of the best ratio under one distribution, and of the minimax on an interval, which ``crtools-check`` accepts.

``crtools best --certificate`` and ``crtools minimax --certificate`` write them. Tests: tests/blind/test_certificate_writer.py.
"""

from collections import Counter
from fractions import Fraction
from math import ceil, floor, lcm

from check.best import MOST_BITS
from check.command import FORMAT, check_document
from check.kernel import Rejected
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.best import Best
from crtools.blind.mixture import Mixture
from crtools.blind.truncation import Bracket
from crtools.blind.worst_law import Closed
from crtools.distributions import Distribution
from crtools.enclosure import Enclosure
from crtools.errors import NotCertified
from crtools.ledger.certificates import signed
from crtools.ledger.evidence import Data
from crtools.schedule import volume

SHARES = 10**17
"""Plans' weights are multiples of 1/SHARES."""

MINIMAX_DECIMALS = 15
"""Decimals of a minimax value."""

LONGEST_WEIGHT, LONGEST_LAW = 250, 250_000
"""Characters of one weight; bits of all weights as integers times lengths, for which the checker takes seconds."""


def of_law(best: Best) -> Data:
    """Return a certificate of the best ratio under a distribution, to the digits that it was computed for.

    It is of the distribution itself, or of a similar one with short weights (:func:`near`); then its bounds hold for both. Raises
    ``NotCertified`` if the bounds have fewer digits.
    """
    exact = is_of_the_law(best)
    weights = dict(best.law.items()) if exact else near(best.bracket)
    requests = Requests.of({volume(best.s, o): w for o, w in weights.items()})
    total, last = sum(best.mixture.weights), len(weights)
    shares: Counter[Path] = Counter()
    for plan, weight in zip(best.mixture.plans, best.mixture.weights, strict=True):
        shares[(*(c for c in plan if c < last), last)] += round(Fraction(weight, total) * SHARES)
    mixture = Mixture.of(requests, shares)
    sides = [mixture.lower(), mixture.upper(), *([] if exact else [best.value.lower, best.value.upper])]
    value = Enclosure(min(sides), max(sides), "exact")
    if value.width * 10 ** (best.reached - 1) > value.lower:
        raise NotCertified(f"the certificate would not have {best.reached} digits", value.relative_width())
    return _document("best", weights, best.s, mixture, value, best.reached + 1)


def is_of_the_law(best: Best) -> bool:
    """Return whether the certificate is of the distribution itself: its weights are short, and no length is rounded."""
    return is_short(best.law) and not best.bracket.in_cells


def is_short(law: Distribution) -> bool:
    """Return whether a distribution is finite and has rational weights that are short enough for a certificate."""
    if not (law.finite and law.rational):
        return False
    weights = [Fraction(w) for _, w in law.items()]
    bits = int(sum(weights) * lcm(*(w.denominator for w in weights))).bit_length()
    return max(len(str(w)) for w in weights) <= LONGEST_WEIGHT and bits <= min(MOST_BITS, LONGEST_LAW // len(weights))


def near(bracket: Bracket) -> dict[int, Fraction]:
    """Return the finite distribution of a bracket's upper side, longer requests at its last length."""
    *others, last = bracket.high.weights[: len(bracket.lengths)]
    longer = sum(bracket.high.weights[len(bracket.lengths) :])
    return dict(zip(bracket.lengths, map(Fraction, (*others, last + longer)), strict=True))


def of_interval(minimax: Closed) -> Data:
    """Return the certificate of the minimax ratio on an interval."""
    return _document("minimax", minimax.weights, minimax.s, minimax.mixture, minimax.value, MINIMAX_DECIMALS)


def _document(kind: str, weights: dict[int, Fraction], s: int, mixture: Mixture, value: Enclosure, places: int) -> Data:
    """Return a certificate that the checker has accepted; raises ``NotCertified`` if it rejects it."""
    lengths = tuple(weights)
    document = signed(
        {
            "format": FORMAT,
            "kind": kind,
            "law": [[length, str(weight)] for length, weight in weights.items()],
            "s": s,
            "plans": [
                [[lengths[c - 1] for c in plan[1:-1]], weight]
                for plan, weight in zip(mixture.plans, mixture.weights, strict=True)
            ],
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
