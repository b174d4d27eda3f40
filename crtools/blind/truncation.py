"""A law of lengths between two with few digits: fewer and shorter requests below, more and longer ones above.

What a blind scheduler pays at best does not rise where requests are left out or cut short: it can play the ones that are missing
itself. So the best cost of a law lies between those of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from crtools.blind.attempt_costs import Requests
from crtools.distributions import Distribution
from crtools.enclosure import ends, precision
from crtools.errors import InputError, NotCertified
from crtools.schedule import volume

MOST_LENGTHS = 2000
LARGEST_EXACT = 120
"""Laws with more lengths have numbers of so many digits that they are rounded."""


@dataclass(frozen=True)
class Cut:
    """The requests that are surely there (``low``) and those that are at most (``high``), in the same units.

    ``lengths`` belong to the sizes of ``high``, which has one more where the law goes on beyond the last: what is longer, at its mean.
    """

    lengths: tuple[int, ...]
    low: Requests
    high: Requests

    @property
    def exact(self) -> bool:
        """Whether nothing was rounded or cut off: both are the law."""
        return self.low == self.high


def cut(law: Distribution, s: int, digits: int) -> Cut:
    """Return the two laws for a value to ``digits`` digits.

    Raises ``InputError`` for a law with symbols, a density, a heavy tail, or one that needs more than ``MOST_LENGTHS`` lengths.
    """
    if law.parameters:
        names = ", ".join(str(p) for p in law.parameters)
        raise InputError("distribution", law.spec(), f"needs a value for {names}")
    if law.finite and law.rational:
        weights = dict(law.items())
        _few(law, len(weights))
        if len(weights) <= LARGEST_EXACT:
            own = Requests.of({volume(s, o): w for o, w in weights.items()})
            return Cut(tuple(weights), own, own)
        return _rounded(s, {o: (w, w) for o, w in weights.items()}, digits, Fraction(0), Fraction(0))
    last = law.support[1] or _last(law, s, digits)
    _few(law, last - law.support[0] + 1)
    with precision(64 + 8 * digits):
        balls = law.ball_weights(law.support[0], last)
        both = {law.support[0] + n: ends(ball) for n, ball in enumerate(balls)}
    if law.finite:
        return _rounded(s, both, digits, Fraction(0), Fraction(0))
    return _rounded(s, both, digits, law.tail_moment_bound(last, 0), law.tail_moment_bound(last, s))


def _few(law: Distribution, count: int) -> None:
    if count > MOST_LENGTHS:
        raise InputError("distribution", law.spec(), f"must have at most {MOST_LENGTHS} lengths; it has {count}")


def _last(law: Distribution, s: int, digits: int) -> int:
    """Return a length beyond which so little is left that it does not touch the digits."""
    first = law.support[0]
    with precision(64):
        total = sum(
            ((s + k) ** 2 * ends(w)[0] for k, w in enumerate(law.ball_weights(first, first + 20), start=first)),
            Fraction(0),
        )

    def fits(k: int) -> bool:
        return law.tail_moment_bound(k, s) * 10 ** (digits + 5) <= total

    try:
        return _least(fits, first, first + MOST_LENGTHS - 1)
    except NotCertified:
        few = f"has too much weight beyond {MOST_LENGTHS} lengths; give it an end, u=…"
        raise InputError("distribution", law.spec(), few) from None


def _least(fits: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least integer that fits, by halving; all beyond one that fits do. Raises ``NotCertified`` where none does."""
    if not fits(high):
        raise NotCertified("none is large enough")
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low


def _rounded(s: int, weights: dict[int, tuple[Fraction, Fraction]], digits: int, rest: Fraction, held: Fraction) -> Cut:
    """Return the cut for weights between two bounds each; beyond are at most ``rest``, and they hold at most ``held``."""
    unit = 10 ** (digits + 8) * len(weights) / sum(high for _, high in weights.values())
    low = {volume(s, o): floor(x * unit) for o, (x, _) in weights.items()}
    high = {volume(s, o): ceil(x * unit) for o, (_, x) in weights.items()}
    if rest:
        mean = max(ceil(held / rest), max(high) + 1)
        high[mean] = ceil(rest * unit)
    return Cut(tuple(weights), *(_requests(own) for own in (low, high)))


def _requests(weights: dict[int, int]) -> Requests:
    own = {size: weight for size, weight in weights.items() if weight > 0}
    return Requests(tuple(own), tuple(own.values()))
