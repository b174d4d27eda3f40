"""``settling``: under which laws the literal A_min's memory comes to rest, so that it follows its area form.

Let λ_t starts be made at t, each by a request with õ = l, and nothing be cancelled. At the next instant those of age a
that are left need w_a λ_{t−a} tokens, w_a = (s+a+1) P(o > a), and full memory means Σ_a w_a λ_{t−a} = M. This linear
recursion forgets its start, λ_t → M/Σ_a w_a, if every zero of W(z) = Σ_a w_a z^a lies outside the unit disc; a zero
inside makes swings that grow until starts are cancelled; with l > 1, where admission reserves memory up to l, they may still
be damped. Where the needs shrink, w_0 > w_1 > …, none lies inside
(Eneström–Kakeya). Σ_a w_a is a request's mean area.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from crtools.distributions import Distribution, distribution
from crtools.setting import integer

MAX_POINTS = 2**22
"""The most points on the unit circle at which W is evaluated."""

OMITTED_SHARE = Fraction(1, 10**12)
"""The share of a law with unbounded support that is left out."""


@dataclass(frozen=True)
class Settling:
    """zeros: how many zeros W has in the unit disc (0: the law settles); None where one is too near its boundary to tell.

    shrinks: whether w_0 > w_1 > …; area: Σ_a w_a, the mean token-instants of a request.
    """

    zeros: int | None
    shrinks: bool
    area: float

    @property
    def settles(self) -> bool | None:
        """Whether the recursion forgets its start; None where it is not decided."""
        return None if self.zeros is None else self.zeros == 0


def settling(dist: str | Distribution, s: int = 0) -> Settling:
    """Count the zeros of W in the unit disc by its winding number, in floating point.

    dist: a law of lengths, a spec or an object. s: the prompt size in tokens. Raises ``InputError`` for values that
    are not allowed.
    """
    law = distribution(dist)
    s = integer("s", s, 0)
    low = law.support[0]
    last = law.support[1] or law.cut(OMITTED_SHARE)
    weights = np.array([0.0] * (low - 1) + [float(law.weight(k)) for k in range(low, last + 1)])
    age = np.arange(last)
    w = (s + age + 1) * np.cumsum(weights[::-1])[::-1] / weights.sum()
    steepest = float((age * w).sum())  # |W'| on the circle is at most this
    points, zeros = 1 << int(np.ceil(np.log2(16 * last))), None
    while points <= MAX_POINTS and zeros is None:
        values = np.fft.fft(w, points)
        if np.abs(values).min() > np.pi / points * steepest + 1e-9 * w.sum():
            turns = np.diff(np.unwrap(np.angle(np.append(values, values[0])))).sum() / (2 * np.pi)
            zeros = round(abs(float(turns)))
        points *= 4
    return Settling(zeros, bool((np.diff(w) < 0).all()), float(w.sum()))
