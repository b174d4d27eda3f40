"""Worst cases with a proved formula: forms (Σ x_i)(Σ d_i x_i) against a form that is diagonal in the tails.

With T_k = Σ_{i≥k} x_i, T_l = 1, such a numerator is Σ g_k T_k, g_l = d_l and g_k = d_k − d_{k−1}, and the denominator is
Σ w_k T_k². With K as below,

    K Σ w_k T_k² − Σ g_k T_k = Σ_{k>l} K w_k (T_k − g_k/(2 K w_k))² ≥ 0,      K = g_l/(2w_l) · (1 + √(1 + w_l S/g_l²)),

S = Σ_{k>l} g_k²/w_k, with equality at T_k = g_k/(2 K w_k) for k > l. These are weights ≥ 0 where g_k/w_k does not
increase from k = l+1 on and g_k/(2 K w_k) ≤ 1: a ledger names the pairs for which a theorem says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from crtools.enclosure import Enclosure, ball, precision, significant
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.setting import Setting
from crtools.worst_cases.known import Formula, TwoSided, known

Pair = TypeVar("Pair", Formula, TwoSided)
"""What is known of a pair of forms."""


def supremum(first: Any, weight: Any, rest: Any, root: Callable[[Any], Any]) -> Any:
    """Return K for g_l = ``first``, w_l = ``weight`` and S = ``rest``, over any ring with its square root."""
    return first / (2 * weight) * (1 + root(1 + weight * rest / (first * first)))


def formula(policy: Form, against: Form, setting: Setting) -> Formula | None:
    """Return the formula of a pair of forms on one interval, or None."""
    return _of(known().proved, policy, against) if setting.single else None


def bounding(policy: Form, against: Form) -> TwoSided | None:
    """Return the proved bounds of a pair of forms on one interval, or None."""
    return _of(known().bounded, policy, against)


def has_formula(policy: Form, against: Form) -> bool:
    """Return whether a formula or proved bounds answer for a pair on one interval, however long."""
    return bounding(policy, against) is not None or _of(known().proved, policy, against) is not None


def _of(known: Iterable[Pair], policy: Form, against: Form) -> Pair | None:
    return next((found for found in known if found.policy is policy and found.against is against), None)


class Between:
    """The worst case between proved bounds: what is left where u is too large for any iteration."""

    status = "certified"

    def __init__(self, known: TwoSided, setting: Setting) -> None:
        self.known, self.setting = known, setting

    @property
    def method(self) -> str:
        """The theorem, by name."""
        return self.bounds().method

    @property
    def value(self) -> float:
        """The middle of the bounds, to the digits that they fix and one more: it lies between them."""
        return float(f"{self.bounds().middle:.{significant(self.bounds()) + 1}g}")

    def bounds(self) -> Enclosure:
        """Return the bounds."""
        return self._bounds

    @cached_property
    def _bounds(self) -> Enclosure:
        return self.known.bounds(self.setting.l, self.setting.u, self.setting.s)

    def enclosure(self, digits: int) -> Enclosure:
        """Return the bounds where they have that many digits, else raise ``NotCertified`` with them."""
        found = self.bounds()
        if found.width > 9 * Fraction(10) ** (-digits) * found.lower:
            low, high = found.decimals(significant(found) + 2)
            reason = f"u is too large for more digits: {low} ≤ worst case ≤ {high} is certified"
            raise NotCertified(reason, found.relative_width())
        return found


class Proved:
    """The worst case by a proved formula."""

    status = "certified"

    def __init__(self, known: Formula, setting: Setting) -> None:
        self.known, self.setting = known, setting

    @property
    def method(self) -> str:
        """The theorem, by name."""
        return f"proved supremum (Theorem “{self.known.theorem}”), in ball arithmetic"

    @cached_property
    def value(self) -> float:
        """The middle of an enclosure to 16 digits."""
        return self.enclosure(16).middle

    @property
    def weights(self) -> Any:
        """The maximiser: weights of the tails T_l = 1 and T_k = g_k/(2 K w_k)."""
        l, u, s = self.setting.l, self.setting.u, self.setting.s
        k = np.arange(l, u + 1, dtype=float)
        top, bottom = (f.on(self.setting).form.formula(k, k, float(s)) for f in (self.known.policy, self.known.against))
        tails = np.ones(len(k) + 1)
        tails[1:-1] = np.diff(top) / np.diff(bottom) / (2 * self.value)
        tails[-1] = 0
        return tails[:-1] - tails[1:]

    def bounds(self) -> Enclosure:
        """Return an enclosure to 16 digits."""
        return self.enclosure(16)

    def enclosure(self, digits: int) -> Enclosure:
        """Return an enclosure with upper − lower ≤ 10^(1−digits) · value."""
        l, u, s = self.setting.l, self.setting.u, self.setting.s
        first, weight = (Fraction(f.on(self.setting).entry(l, l)) for f in (self.known.policy, self.known.against))
        with precision(int(3.33 * digits) + 64 + 2 * (s + u).bit_length()):
            value = supremum(ball(first), ball(weight), self.known.rest(l, u, s), lambda x: x.sqrt())
            result = Enclosure.from_ball(value, self.method)
        if result.width > 9 * Fraction(10) ** (-digits) * result.lower:
            raise NotCertified("no enclosure of the asked width", result.relative_width())
        return result
