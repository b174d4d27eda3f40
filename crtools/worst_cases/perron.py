"""The worst case where D⁻¹N > 0 is proved: the largest eigenvalue, by power iteration in tail coordinates.

In these coordinates the two forms are C and the diagonal W, and the worst case λ is the largest eigenvalue of C T = λ W T, C ≥ 0.
For **any** T > 0,

    min_k (C T)_k / (W_k T_k)  ≤  λ  ≤  max_k (C T)_k / (W_k T_k)         (Collatz–Wielandt),

so the iteration need not be trusted, only the last evaluation of these quotients. In float64 that evaluation multiplies,
divides and adds non-negative numbers and never subtracts, so its relative error is at most (1 + 2⁻⁵³)^m − 1 where
m counts the roundings on the longest path. The vector is cut into chunks of at most 2¹⁵ entries: a running sum
within a chunk, plus a running sum over chunks, so m grows like the chunk length plus the number of chunks and not
like u. docs/float-bounds.md counts m. There are two bounds in balls, each O(u) operations:

* Collatz–Wielandt: the width is of the order of T's error.
* Temple–Kato: with ρ the Rayleigh quotient of T, η the norm of its residual in the W⁻¹ metric and β ≥ λ₂ with
  β < ρ, one has ρ ≤ λ ≤ ρ + η²/(ρ − β); the width is of the order of the *square* of T's error, so a float vector
  gives about 28 digits. β² = tr((W⁻¹C)²) − ρ², since the squared eigenvalues sum to that trace.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import pairwise, product
from typing import Any

import numpy as np

from crtools.enclosure import Ball, Enclosure, ball, ball_range, ends, midpoint, objects, precision, relative_width_of
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, TailRow
from crtools.forms.base import tail_product, tail_rows
from crtools.numeric_types import FloatArray, ObjectArray, RingElement
from crtools.setting import Setting
from crtools.worst_cases.base import WorstCase, narrow

FLOAT = "Collatz–Wielandt quotients in float64 with an a-priori rounding bound"
USES_FLOAT = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")

BALLS_UP_TO = 2 * 10**5
"""Above this size an enclosure that float64 can give is taken from it; ball arithmetic costs some 8 µs a length."""

CHUNK = 2**15
"""Entries per chunk: a chunk's arrays stay in the processor's cache."""

ROUNDINGS_OUTSIDE_SUMS = 32
"""An upper bound of the roundings of one quotient outside its running sums, counted in docs/float-bounds.md."""

NOISE = 1e-11
"""Below this relative spread a standstill of the quotients is rounding noise."""

SMALLEST = 1e-100
"""Tails stay between this and its inverse: no product with a generator under- or overflows."""

EXACT_INTEGERS = 2**50
"""s + u must not exceed this, so that the integers that the generators start from are exact floats."""


@dataclass(frozen=True)
class PowerResult:
    """The last iterate T > 0 and what was computed from it.

    ``value`` is the Rayleigh quotient of T (a float, no guarantee); ``lower`` and ``upper`` are the smallest and the largest
    Collatz–Wielandt quotient; ``roundings`` the m of the module's text; ``tails`` the vector T itself.
    """

    value: float
    lower: float
    upper: float
    roundings: int
    iterations: int
    tails: FloatArray

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rigorous ends of λ: the computed quotients, widened by the a-priori bound of their rounding error."""
        slack = Fraction(self.roundings, 2**53)
        error = slack / (1 - slack)  # (1 + ε)^m − 1 ≤ mε/(1 − mε), and 1 − (1 − ε)^m is less
        return Fraction(self.lower) / (1 + error), Fraction(self.upper) / (1 - error)


class TailPencil:
    """The pair (C, W) of a numerator form and a denominator form that is diagonal in the tails, cut into chunks."""

    def __init__(self, form: Form, against: Form, setting: Setting) -> None:
        if setting.s + setting.u > EXACT_INTEGERS:
            raise InputError("s", setting.s, f"in float arithmetic s + u may be at most {EXACT_INTEGERS}")
        self.form, self.against, self.setting = form, against, setting
        marks = [*range(0, setting.size, CHUNK), setting.size]
        self.chunks = [slice(a, b) for a, b in pairwise(marks)]

    @property
    def roundings(self) -> int:
        """The number m of roundings on the longest path of one quotient."""
        longest = min(CHUNK, self.setting.size)
        return longest + len(self.chunks) + ROUNDINGS_OUTSIDE_SUMS

    def rows(self, c: int) -> tuple[TailRow, FloatArray]:
        """Return the numerator's generators and the denominator's diagonal on chunk c."""
        low, starts = self.setting.l, c == 0
        part = self.chunks[c]
        k, s = np.arange(low + part.start, low + part.stop, dtype=float), float(self.setting.s)
        row, weight = (tail_rows(form.tails, k, s, starts=starts) for form in (self.form, self.against))
        return row, weight.diagonal

    def start(self) -> FloatArray:
        """Return a positive starting vector: T_l = 1/l and T_k = 1/(2k−1), near the worst case at s = 0."""
        t = np.arange(self.setting.l, self.setting.u + 1, dtype=float)
        t *= 2
        t -= 1
        np.reciprocal(t, out=t)
        t[0] = 1 / self.setting.l
        return t

    def sums(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Σ left_r T and Σ right_r T over each chunk, as arrays (chunks, terms)."""
        rows = ((self.rows(c)[0], t[part]) for c, part in enumerate(self.chunks))
        sums = np.array([[[float((a * x).sum()) for a in side] for side in (row.left, row.right)] for row, x in rows])
        return sums[:, 0], sums[:, 1]

    def sweep(
        self, t: FloatArray, sums: tuple[FloatArray, FloatArray], scale: float, shift: float
    ) -> tuple[float, float, float]:
        """Replace T by scale · (W⁻¹C T + shift · T), in place; return (Rayleigh, lower, upper) of the T before.

        ``sums`` are :meth:`sums` of T and are updated likewise. A chunk needs the others only through their sums, so one
        vector of length u − l + 1 is all that is ever stored.
        """
        left_sums, right_sums = sums
        before = np.vstack([np.zeros_like(left_sums[:1]), np.cumsum(left_sums, axis=0)[:-1]])
        after = np.vstack([np.cumsum(right_sums[::-1], axis=0)[::-1][1:], np.zeros_like(right_sums[:1])])
        lower, upper, numerator, denominator = float("inf"), 0.0, 0.0, 0.0
        for c, part in enumerate(self.chunks):
            row, w = self.rows(c)
            old = t[part]
            y = row.diagonal * old
            for r, (left, right) in enumerate(zip(row.left, row.right, strict=True)):
                y += left * (_exclusive_sums((right * old)[::-1])[::-1] + after[c, r])
                y += right * (_exclusive_sums(left * old) + before[c, r])
            weighed = w * old
            numerator += float(np.dot(old, y))
            denominator += float(np.dot(old, weighed))
            y /= weighed
            lower = min(lower, float(y.min()))
            upper = max(upper, float(y.max()))
            t[part] *= scale * (y + shift)
            left_sums[c], right_sums[c] = ([np.dot(factor, old) for factor in side] for side in (row.left, row.right))
        return numerator / denominator, lower, upper


def power_iteration(pencil: TailPencil, *, tolerance: float, most_iterations: int = 400) -> PowerResult:
    """Iterate T ← W⁻¹C T until the Collatz–Wielandt quotients differ by at most ``tolerance`` · λ.

    Where s > 0 the step is T ← W⁻¹C T + shift · T: for s ≫ l there is an eigenvalue near −λ, at which the plain
    iteration stalls; the shift is half the size of the rest of the spectrum, from its Frobenius norm. The
    iteration also stops where rounding noise keeps the quotients apart. Raises ``NotCertified`` where T does not
    stay positive and finite.
    """
    squares = float(frobenius(map(pencil.rows, range(len(pencil.chunks))))) if pencil.setting.s else 0.0
    t = pencil.start()
    sums = pencil.sums(t)
    scale, shift, best, idle = 1.0, 0.0, float("inf"), 0
    for iteration in range(1, most_iterations + 1):
        value, lower, upper = pencil.sweep(t, sums, scale, shift)
        if not (np.isfinite(value) and 0 < lower <= upper < float("inf")):
            raise NotCertified("the power iteration left the positive cone or the range of floats")
        spread = (upper - lower) / value
        idle = 0 if spread < 0.8 * best else idle + 1
        best = min(best, spread)
        if not SMALLEST < float(t.min()) <= float(t.max()) < 1 / SMALLEST:
            raise NotCertified("a tail left the range in which no product underflows")
        if spread <= tolerance or (idle >= 4 and spread <= NOISE) or iteration == most_iterations:
            return PowerResult(value, lower, upper, pencil.roundings, iteration, t)
        shift = float(np.sqrt(max(squares - value * value, 0.0))) / 2
        scale = 1 / (value + shift)
    raise AssertionError("unreachable")


def _exclusive_sums(x: FloatArray) -> FloatArray:
    """Return 0, x_0, x_0 + x_1, …: the running sums before each entry."""
    return np.append(0.0, np.cumsum(x[:-1]))


class Perron(WorstCase):
    """The spectral radius of D⁻¹N > 0, by Perron–Frobenius the supremum over x ≥ 0, attained at a positive x."""

    in_floats = True

    @property
    def method(self) -> str:
        """How the value is computed."""
        return "power iteration in floats"

    @cached_property
    def value(self) -> float:
        """The worst case as a float."""
        return self._quick.value

    def _weights(self) -> FloatArray:
        tails = self._precise.tails
        return np.append(tails[:-1] - tails[1:], tails[-1]) / tails[0]

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        """Return an enclosure by balls, by floats, or by whichever suits the size."""
        if method != "ball" and (method == "float" or self.setting.size > BALLS_UP_TO):
            power = power_iteration(self._pencil, tolerance=max(0.5 * 10.0 ** (1 - digits), 1e-14))
            self.__dict__.setdefault("_quick", power)
            result = Enclosure(*power.bounds(), FLOAT, USES_FLOAT)
            if method == "float" or self.setting.size > 50 * BALLS_UP_TO:
                return narrow(result, digits, "float64 does not carry the asked digits at this size")
            if result.width <= relative_width_of(digits) * result.lower:
                return result
        return self._in_balls(digits)

    def _in_balls(self, digits: int) -> Enclosure:
        """Return an enclosure of the asked width; power steps refine the float vector T while it is too wide.

        Raises ``NotCertified``, with the width reached, if the refinement stalls.
        """
        setting = self.setting
        with precision(int(3.33 * digits) + 64 + setting.size.bit_length()):
            lengths, s = ball_range(setting.l, setting.u), ball(setting.s)
            rows, weights = tail_rows(self.policy.tails, lengths, s), tail_rows(self.against.tails, lengths, s).diagonal
            t = objects(ball(float(x)) for x in self._precise.tails)
            squares: Any = None
            reached: Any = float("inf")
            while True:  # each round gains several digits, or is the last
                y = tail_product(rows, t)
                result = collatz_wielandt(weights, t, y)
                if result.width > relative_width_of(digits) * result.lower:
                    squares = frobenius([(rows, weights)]) if squares is None else squares
                    result = min(result, temple_kato(weights, t, y, squares) or result, key=lambda bounds: bounds.width)
                width = result.width / result.lower
                if width <= relative_width_of(digits):
                    return result
                if 2 * width > reached:
                    raise NotCertified("no enclosure of the asked width", float(width))
                reached = width
                t = _refine(rows, weights, t, squares if setting.s else None)

    @cached_property
    def _pencil(self) -> TailPencil:
        return TailPencil(self.policy, self.against, self.setting)

    @cached_property
    def _quick(self) -> PowerResult:  # the Rayleigh quotient's error is of the order of the spread squared
        return power_iteration(self._pencil, tolerance=1e-7)

    @cached_property
    def _precise(self) -> PowerResult:
        return power_iteration(self._pencil, tolerance=1e-14)


COLLATZ = "Collatz–Wielandt quotients in ball arithmetic"
TEMPLE = "Temple–Kato bound in ball arithmetic"
USES_COLLATZ = ("Perron–Frobenius", "Collatz–Wielandt")
USES_TEMPLE = ("Perron–Frobenius", "Temple–Kato")


def collatz_wielandt(weights: ObjectArray, t: ObjectArray, y: ObjectArray) -> Enclosure:
    """Return [min, max] of y_k / (W_k T_k) over k, where y = C T and T > 0."""
    quotients = y / (weights * t)
    lower, upper = reduce(Ball.min, quotients), reduce(Ball.max, quotients)
    return Enclosure(ends(lower)[0], ends(upper)[1], COLLATZ, USES_COLLATZ)


def temple_kato(weights: ObjectArray, t: ObjectArray, y: ObjectArray, squares: Ball) -> Enclosure | None:
    """Return [ρ, ρ + η²/(ρ − β)] with β² = ``squares`` − ρ², or None unless β < ρ is certain."""
    norm: Any = (weights * t * t).sum()
    rho: Ball = (t * y).sum() / norm
    second_squared: Ball = squares - rho * rho
    beta = second_squared.abs_upper().sqrt()
    if not beta < rho:
        return None
    residual: Ball = ((y - rho * weights * t) ** 2 / weights).sum() / norm
    upper = rho + residual.abs_upper() / (rho - beta)
    return Enclosure(ends(rho)[0], ends(upper)[1], TEMPLE, USES_TEMPLE)


def frobenius(chunks: Iterable[tuple[TailRow, RingElement]]) -> Any:
    """Return tr((W⁻¹C)²) = Σ_k C_kk²/W_k² + 2 Σ_{i<j} C_ij²/(W_i W_j), in O(u), from the rows of C and W in floats or balls."""
    total: Any = 0
    before = defaultdict[int, Any](int)  # Σ_{i} over the chunks so far, for each pair of terms
    for (diagonal, left, right), weights in chunks:
        total += ((diagonal / weights) ** 2).sum()
        for pair, ((a, b), (c, d)) in enumerate(product(zip(left, right, strict=True), repeat=2)):
            running = np.cumsum(a * c / weights) + before[pair]  # Σ_{i≤k}
            others = b * d / weights
            total += 2 * (before[pair] * others[0] + (running[:-1] * others[1:]).sum())
            before[pair] = running[-1]
    return total


def _refine(rows: TailRow, weights: ObjectArray, t: ObjectArray, squares: Ball | None, steps: int = 8) -> ObjectArray:
    """Return T after power steps on midpoints, which are exact numbers; with a shift if ``squares`` is given."""
    for _ in range(steps):
        z = tail_product(rows, t) / weights
        rho = midpoint(z[0] / t[0])
        second_squared = ball(0) if squares is None else squares - rho * rho
        shift = midpoint(second_squared.sqrt() / 2) if second_squared > 0 else ball(0)
        t = objects(map(midpoint, (z + shift * t) / (rho + shift)))
    return t
