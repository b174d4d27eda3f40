"""The worst case where D⁻¹N > 0 is proved: the largest eigenvalue, by power iteration in tail coordinates."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from crtools.enclosure import Enclosure, relative_width_of
from crtools.numeric_types import FloatArray
from crtools.worst_cases.base import WorstCase, narrow
from crtools.worst_cases.certify import certify
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
