"""Worst cases with a proved formula: forms (Σ x_i)(Σ d_i x_i) against a form that is diagonal in the tails.

With T_k = Σ_{i≥k} x_i, T_l = 1, such a numerator is Σ g_k T_k, g_l = d_l and g_k = d_k − d_{k−1}, and the denominator is
Σ w_k T_k². With K as below,

    K Σ w_k T_k² − Σ g_k T_k = Σ_{k>l} K w_k (T_k − g_k/(2 K w_k))² ≥ 0,      K = g_l/(2w_l) · (1 + √(1 + w_l S/g_l²)),

S = Σ_{k>l} g_k²/w_k, with equality at T_k = g_k/(2 K w_k) for k > l. These are weights ≥ 0 where g_k/w_k does not
increase from k = l+1 on and g_k/(2 K w_k) ≤ 1: a ledger names the pairs for which a theorem says so.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

import numpy as np

from crtools.enclosure import Enclosure, ball, precision, significant
from crtools.numeric_types import FloatArray, RingElement
from crtools.worst_cases.base import Formula, WorstCase, narrow, theorems_about


def supremum(
    first: RingElement, weight: RingElement, gap_sum: RingElement, root: Callable[[RingElement], RingElement]
) -> RingElement:
    """Return K for g_l = ``first``, w_l = ``weight`` and S = ``gap_sum``, over any ring with its square root."""
    return first / (2 * weight) * (1 + root(1 + weight * gap_sum / (first * first)))


class Between(WorstCase):
    """The worst case between proved bounds: what is left where u is too large for any iteration."""

    @property
    def method(self) -> str:
        """The theorem, by name."""
        return self.bounds().method

    @cached_property
    def value(self) -> float:
        """The middle of the bounds, to the digits that they fix and one more: it lies between them."""
        return float(f"{self.bounds().middle:.{significant(self.bounds()) + 1}g}")

    def bounds(self) -> Enclosure:
        """Return the bounds."""
        assert self.by_formula is not None
        return self.by_formula

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        bounds = self.bounds()
        low, high = bounds.decimals(significant(bounds) + 2)
        return narrow(bounds, digits, f"u is too large for more digits: {low} ≤ worst case ≤ {high} is certified")


class Proved(WorstCase):
    """The worst case by a proved formula."""

    @cached_property
    def _theorem(self) -> Formula:
        return theorems_about(self.policy, self.against).proved[0]

    @property
    def method(self) -> str:
        """The theorem, by name."""
        return f"proved supremum (Theorem “{self._theorem.theorem}”), in ball arithmetic"

    @cached_property
    def value(self) -> float:
        """The middle of an enclosure to 16 digits."""
        return self.bounds().middle

    def _weights(self) -> FloatArray:
        """Return the maximiser: weights of the tails T_l = 1 and T_k = g_k/(2 K w_k)."""
        k = np.arange(self.setting.l, self.setting.u + 1, dtype=float)
        formulas = (f.on(self.setting).form.formula for f in (self.policy, self.against))
        top, bottom = (formula(k, k, float(self.setting.s)) for formula in formulas)
        tails = np.ones(len(k) + 1)
        tails[1:-1] = np.diff(top) / np.diff(bottom) / (2 * self.value)
        tails[-1] = 0
        return tails[:-1] - tails[1:]

    def bounds(self) -> Enclosure:
        """Return an enclosure to 16 digits."""
        return self.enclosure(16)

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        l, u, s = self.setting.l, self.setting.u, self.setting.s
        first, weight = (Fraction(f.on(self.setting).entry(l, l)) for f in (self.policy, self.against))
        with precision(int(3.33 * digits) + 64 + 2 * (s + u).bit_length()):
            value = supremum(ball(first), ball(weight), self._theorem.gap_sum(l, u, s), lambda x: x.sqrt())
            return narrow(Enclosure.from_ball(value, self.method), digits)
