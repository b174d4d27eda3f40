"""The worst case where D⁻¹N > 0 is proved: the largest eigenvalue, by power iteration in tail coordinates.

In these coordinates the two forms are C and the diagonal W, and the worst case λ is the largest eigenvalue of W⁻¹C > 0.
``certify`` has two bounds, each O(u) ball operations, from any T > 0:

* Collatz–Wielandt: min_k and max_k of (C T)_k / (W_k T_k) enclose λ; the width is of the order of T's error.
* Temple–Kato: with ρ the Rayleigh quotient of T, η the norm of its residual in the W⁻¹ metric and β ≥ λ₂ with
  β < ρ, one has ρ ≤ λ ≤ ρ + η²/(ρ − β); the width is of the order of the *square* of T's error, so a float vector
  gives about 28 digits. β² = tr((W⁻¹C)²) − ρ², since the squared eigenvalues sum to that trace.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from crtools.enclosure import Ball, Enclosure, ball, ball_range, ends, midpoint, objects, precision, relative_width_of
from crtools.errors import NotCertified
from crtools.forms import Form, TailRow
from crtools.forms.tails import tail_product, tail_rows
from crtools.numeric_types import FloatArray, ObjectArray
from crtools.setting import Setting
from crtools.worst_cases.base import WorstCase, narrow
from crtools.worst_cases.power import PowerResult, TailPencil, power_iteration

FLOAT = "Collatz–Wielandt quotients in float64 with an a-priori rounding bound"
USES_FLOAT = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")

BALLS_UP_TO = 2 * 10**5
"""Above this size an enclosure that float64 can give is taken from it; ball arithmetic costs some 8 µs a length."""


class Perron(WorstCase):
    """The spectral radius of D⁻¹N > 0, by Perron–Frobenius the supremum over x ≥ 0, attained at a positive x."""

    bounded = False
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

    def bounds(self) -> Enclosure:
        """Return an enclosure to ten digits."""
        return self.enclosure(10)

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
        return certify(self.policy, self.against, self.setting, self._precise.tails, digits)

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


def certify(form: Form, against: Form, setting: Setting, tails: FloatArray, digits: int) -> Enclosure:
    """Return an enclosure of the worst case with upper − lower ≤ 10^(1−digits) · lower.

    ``tails`` is any positive vector T; power steps refine it while the enclosure is too wide. Raises ``NotCertified``, with the width
    reached, if the refinement stalls.
    """
    bits = int(3.33 * digits) + 64 + setting.size.bit_length()
    with precision(bits):
        lengths, s = ball_range(setting.l, setting.u), ball(setting.s)
        rows, weights = tail_rows(form.tails, lengths, s), tail_rows(against.tails, lengths, s).diagonal
        t = objects(ball(float(x)) for x in tails)
        squares: Any = None
        reached: Any = float("inf")
        while True:  # each round gains several digits, or is the last
            y = tail_product(rows, t)
            result = collatz_wielandt(weights, t, y)
            if result.width > relative_width_of(digits) * result.lower:
                squares = frobenius(rows, weights) if squares is None else squares
                result = min(result, temple_kato(weights, t, y, squares) or result, key=lambda bounds: bounds.width)
            width = result.width / result.lower
            if width <= relative_width_of(digits):
                return result
            if 2 * width > reached:
                raise NotCertified("no enclosure of the asked width", float(width))
            reached = width
            t = _refine(rows, weights, t, squares if setting.s else None)


def collatz_wielandt(weights: ObjectArray, t: ObjectArray, y: ObjectArray) -> Enclosure:
    """Return [min, max] of y_k / (W_k T_k) over k, where y = C T and T > 0."""
    quotients = [a / (w * b) for a, w, b in zip(y, weights, t, strict=True)]
    lower, upper = quotients[0], quotients[0]
    for q in quotients:
        lower, upper = Ball.min(lower, q), Ball.max(upper, q)
    return Enclosure(ends(lower)[0], ends(upper)[1], COLLATZ, USES_COLLATZ)


def temple_kato(weights: ObjectArray, t: ObjectArray, y: ObjectArray, squares: Ball) -> Enclosure | None:
    """Return [ρ, ρ + η²/(ρ − β)] with β² = ``squares`` − ρ², or None unless β < ρ is certain."""
    norm = sum((w * a * a for w, a in zip(weights, t, strict=True)), ball(0))
    rho: Ball = sum((a * b for a, b in zip(t, y, strict=True)), ball(0)) / norm
    second_squared: Ball = squares - rho * rho
    beta = second_squared.abs_upper().sqrt()
    if not beta < rho:
        return None
    residual: Ball = sum(((b - rho * w * a) ** 2 / w for w, a, b in zip(weights, t, y, strict=True)), ball(0)) / norm
    upper = rho + residual.abs_upper() / (rho - beta)
    return Enclosure(ends(rho)[0], ends(upper)[1], TEMPLE, USES_TEMPLE)


def frobenius(rows: TailRow, weights: ObjectArray) -> Ball:
    """Return tr((W⁻¹C)²) = Σ_k C_kk²/W_k² + 2 Σ_{i<j} C_ij²/(W_i W_j) as a ball, in O(u)."""
    diagonal, left, right = rows
    total = ((diagonal / weights) ** 2).sum()
    for (a, b), (c, d) in product(zip(left, right, strict=True), repeat=2):
        above = np.cumsum(a * c / weights)  # Σ_{i≤k}
        total += 2 * (above[:-1] * (b * d / weights)[1:]).sum()
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
