"""``worst_case``: which route applies to a pair of forms, and what its result may be called."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form
from crtools.forms.a_min import A_MIN
from crtools.forms.h_sf import H_SF
from crtools.forms.volume import VOLUME
from crtools.setting import Setting, integer
from crtools.worstcase.certify import certify
from crtools.worstcase.dense import dense_enclosure, dense_worst_case
from crtools.worstcase.power import PowerResult, TailPencil, power_iteration

FLOAT = "Collatz–Wielandt quotients in float64 with an a-priori rounding bound"
USES_FLOAT = ("Perron–Frobenius", "Collatz–Wielandt", "ieee754")

METHODS = ("auto", "ball", "float")
"""How an enclosure may be computed."""

BALLS_UP_TO = 2 * 10**5
"""Above this size an enclosure that float64 can give is taken from it; ball arithmetic costs some 8 µs a length."""

PROVED_POSITIVE = ((A_MIN, H_SF), (A_MIN, VOLUME))
"""The pairs (N, D) for which Theorem "positivity" proves D⁻¹N > 0 for every s ≥ 0 and u ≥ l ≥ 1."""


class WorstCase:
    """The supremum of x ↦ xᵀNx / xᵀDx over x ≥ 0 on a setting.

    ``value`` is a float and no guarantee; ``enclosure(digits)`` is one. ``weights`` is the maximiser, summing to 1.
    """

    def __init__(self, policy: Form, against: Form, setting: Setting) -> None:
        self.policy, self.against, self.setting = policy, against, setting

    @property
    def describes(self) -> tuple[str, ...]:
        """The policies whose limit the numerator is meant to be: the worst case is of the form."""
        return self.policy.describes

    @cached_property
    def value(self) -> float:
        """The worst case as a float."""
        if self._structured:
            return self._quick.value
        return self._dense[0]

    @cached_property
    def weights(self) -> Any:
        """The maximising weights x_l, …, x_u ≥ 0 as a float array that sums to 1."""
        if not self._structured:
            return self._dense[1]
        tails = self._precise.tails
        x = np.append(tails[:-1] - tails[1:], tails[-1])
        return x / tails[0]

    @property
    def status(self) -> str:
        """``certified`` where :meth:`enclosure` may apply by proof, else ``supported``."""
        return "certified" if self._structured else "supported"

    def enclosure(self, digits: int = 10, method: str = "auto") -> Enclosure:
        """Return a rigorous enclosure with upper − lower ≤ 10^(1−digits) · value.

        ``method``: ``"ball"``, ``"float"`` (float64 with an a-priori error bound) or ``"auto"``. Raises
        ``NotCertified`` with the relative width that was reached.
        """
        digits = integer("digits", digits, 1, 1000)
        if method not in METHODS:
            raise InputError("method", method, f"must be one of {', '.join(METHODS)}")
        if not self._structured:
            return dense_enclosure(self.policy, self.against, self.setting, self._dense[1], digits)
        if method != "ball" and (method == "float" or self.setting.size > BALLS_UP_TO):
            result = self._float_enclosure(digits)
            if result.width <= 9 * Fraction(10) ** (-digits) * result.lower:
                return result
            if method == "float" or self.setting.size > 50 * BALLS_UP_TO:
                raise NotCertified("float64 does not carry the asked digits at this size", result.relative_width())
        return certify(self.policy, self.against, self.setting, self._precise.tails, digits)

    # ---- the computations behind it -----------------------------------------------------------------------------

    @property
    def _structured(self) -> bool:
        proved = any(self.policy is n and self.against is d for n, d in PROVED_POSITIVE)
        return proved and self.setting.single

    @cached_property
    def _pencil(self) -> TailPencil:
        return TailPencil(self.policy, self.against, self.setting)

    @cached_property
    def _quick(self) -> PowerResult:  # the Rayleigh quotient's error is of the order of the spread squared
        return power_iteration(self._pencil, tolerance=1e-7)

    @cached_property
    def _precise(self) -> PowerResult:
        return power_iteration(self._pencil, tolerance=1e-14)

    def _float_enclosure(self, digits: int) -> Enclosure:
        result = power_iteration(self._pencil, tolerance=max(0.5 * 10.0 ** (1 - digits), 1e-14))
        self.__dict__.setdefault("_quick", result)
        return Enclosure(*result.bounds(), FLOAT, USES_FLOAT)

    @cached_property
    def _dense(self) -> tuple[float, Any]:
        return dense_worst_case(self.policy, self.against, self.setting)

    def __repr__(self) -> str:
        return f"worst_case({self.policy.name!r} against {self.against.name!r} on {self.setting}) = {self.value!r}"


def worst_case(
    policy: str | Form = "a-min",
    l: int = 1,
    u: int | None = None,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    intervals: Iterable[tuple[int, int]] | None = None,
) -> WorstCase:
    """Return the worst case over weights x ≥ 0 on [l, u] of the form ``policy`` over the form ``against``.

    For A_min over H-SF it is the spectral radius of B⁻¹A (Theorem "positivity": B⁻¹A > 0, so by Perron–Frobenius
    the supremum is attained at a positive x). ``s`` is the prompt size in tokens; ``intervals`` replaces l and u.
    Raises ``InputError`` for a setting or a form that is not allowed.
    """
    setting = Setting(s, l, u) if intervals is None else Setting(s, intervals=intervals)
    return WorstCase(form(policy, "policy"), form(against, "against"), setting)
