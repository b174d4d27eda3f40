"""``worst_case`` chooses one of five routes for a pair of forms; three are here: proved bounds, proved formulas, several intervals.

A proved formula is for forms (Σ x_i)(Σ d_i x_i) against a form that is diagonal in the tails.
With T_k = Σ_{i≥k} x_i, T_l = 1, such a numerator is Σ g_k T_k, g_l = d_l and g_k = d_k − d_{k−1}, and the denominator is
Σ w_k T_k². With K as below,

    K Σ w_k T_k² − Σ g_k T_k = Σ_{k>l} K w_k (T_k − g_k/(2 K w_k))² ≥ 0,      K = g_l/(2w_l) · (1 + √(1 + w_l S/g_l²)),

S = Σ_{k>l} g_k²/w_k, with equality at T_k = g_k/(2 K w_k) for k > l. These are weights ≥ 0 where g_k/w_k does not
increase from k = l+1 on and g_k/(2 K w_k) ≤ 1: a ledger names the pairs for which a theorem says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import cast, overload

import numpy as np

from crtools.enclosure import Enclosure, ball, precision, significant
from crtools.errors import InputError
from crtools.forms import Form, form, numerator
from crtools.names import named_arguments
from crtools.numeric_types import FloatArray, JsonObject, RingElement
from crtools.plotting.figure import Figure, curve
from crtools.setting import LARGEST_IN_FORMULAS, LARGEST_LENGTH, Setting
from crtools.tables import Table, WithRows
from crtools.worst_cases.base import CERTIFIED_DIGITS, Formula, WorstCase, WorstCaseTheorems, narrow, theorems_about
from crtools.worst_cases.general import General
from crtools.worst_cases.perron import Perron

LARGEST = "the largest of the intervals' worst cases (Theorem “largest of the intervals”)"


class WorstCaseRows(list[WorstCase], WithRows):
    """The worst cases for several u, a list that is displayed as a table; :meth:`plot` draws the value against u."""

    def __repr__(self) -> str:
        return repr(Table(self._rows()))

    def _repr_html_(self) -> str:
        return Table(self._rows()).html()

    def _rows(self) -> Iterator[JsonObject]:
        for one in self:
            bounds = one.reached[1]
            lower, upper = (None, None) if bounds is None else bounds.decimals(CERTIFIED_DIGITS + 2)
            yield {"u": one.setting.u, "value": one.value, "lower": lower, "upper": upper, "status": one.status}

    def plot(self) -> Figure:
        """Return the value against u as a figure."""
        first = self[0]
        data = {"u": [one.setting.u for one in self], "worst case": [one.value for one in self]}
        title = f"form of {first.policy.name} over that of {first.against.name}, s = {first.setting.s}, l = {first.setting.l}"
        return curve("worst-cases", data, title)


@overload
def worst_case(
    policy: str | Form | None = None,
    l: int | None = None,
    u: int | None = None,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    intervals: Iterable[tuple[int, int]] | None = None,
) -> WorstCase: ...
@overload
def worst_case(
    policy: str | Form | None = None,
    l: int | None = None,
    *,
    u: Iterable[int],
    s: int = 0,
    against: str | Form = "h-sf",
) -> WorstCaseRows: ...


@named_arguments(digits="is an argument of worst_case(…).enclosure(digits)")
def worst_case(
    policy: str | Form | None = None,
    l: int | None = None,
    u: int | Iterable[int] | None = None,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    intervals: Iterable[tuple[int, int]] | None = None,
) -> WorstCase | WorstCaseRows:
    """Return the supremum of a ratio of two forms over all length weights x ≥ 0 on [l, u].

    Parameters
    ----------
    policy : str or Form, optional
        The form in the numerator; the default one unless given.
    l, u : int
        Ends of the prediction interval; l = 1 unless given. Several u, such as ``range(10, 60, 10)``, give a row for each.
    s : int
        Prompt size in tokens.
    against : str or Form
        The form in the denominator.
    intervals : iterable of (int, int), optional
        Several prediction intervals, instead of l and u.

    Returns
    -------
    WorstCase or WorstCaseRows
        Its ``value``, ``weights``, ``bounds()`` and ``enclosure(digits)``; for several u a list with ``table()`` and ``plot()``.

    Raises
    ------
    InputError
        For unknown names, or a setting that is out of range.

    Examples
    --------
    >>> worst_case("a-min", u=100).enclosure(8) < 2.334
    True
    >>> [round(row.value, 4) for row in worst_case("a-min", u=[10, 100])]
    [1.7249, 2.3333]

    Notes
    -----
    For A_min over H-SF the worst case is the spectral radius of B⁻¹A (Theorem "positivity": B⁻¹A > 0, so that by
    Perron–Frobenius a positive x attains it). For A_max and A_random it is a proved formula. For these three u may reach
    ``LARGEST_IN_FORMULAS``; beyond ``LARGEST_LENGTH`` that of A_min is bounded by formulas. For any other pair it is bounded
    from both sides. Only lengths at which both forms are defined have weight, l and u for A_ℓ. The worst case of A_min on
    several intervals is the largest of theirs, by a theorem.
    """
    if isinstance(u, Iterable) and not isinstance(u, str):
        if intervals is not None:
            raise InputError("intervals", intervals, "must be left out where there are several u")
        rows = WorstCaseRows(worst_case(policy, l, one, s, against) for one in u)
        if not rows:
            raise InputError("u", "none", "must have at least one number")
        return rows
    end, pair = cast("int | None", u), (numerator(policy), form(against, "against"))
    theorems = theorems_about(*pair)
    longest = LARGEST_IN_FORMULAS if theorems.bounded or theorems.proved else LARGEST_LENGTH
    setting = Setting(s, l, end, intervals=intervals, most=longest)
    return _route(theorems, setting)(*pair, setting)


def _route(theorems: WorstCaseTheorems, setting: Setting) -> type[WorstCase]:
    if not setting.single:
        return Blockwise if theorems.blockwise else General
    if setting.u > LARGEST_LENGTH and theorems.bounded:
        return Between
    return Perron if theorems.positive else Proved if theorems.proved else General


class Blockwise(WorstCase):
    """The largest of the worst cases ``parts``, one for each of the setting's blocks."""

    in_floats = True

    @cached_property
    def parts(self) -> list[WorstCase]:
        """The worst case on each block."""
        pair = self.policy, self.against
        return [_route(theorems_about(*pair), part)(*pair, part) for part in self.setting.parts()]

    @cached_property
    def _worst(self) -> WorstCase:
        return max(self.parts, key=lambda part: part.value)

    @cached_property
    def value(self) -> float:
        """The largest value, as a float."""
        return self._worst.value

    def _weights(self) -> FloatArray:
        """Return the maximiser of the worst interval; 0 outside that interval."""
        weights = np.zeros(self.setting.size)
        first = self._worst.setting.l - self.setting.l
        weights[first : first + self._worst.setting.size] = self._worst.weights
        return weights

    @property
    def method(self) -> str:
        """The theorem, and the method for the worst interval."""
        return f"{LARGEST}; {self._worst.method}"

    def bounds(self) -> Enclosure:
        """Return the largest lower bound and the largest upper bound over the intervals."""
        return _largest(self._bounds)

    @cached_property
    def _bounds(self) -> list[Enclosure]:
        return [part.bounds() for part in self.parts]

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        """Return the largest of the enclosures of the intervals that may be the worst."""
        largest_lower = max(bounds.lower for bounds in self._bounds)
        rivals = [part for part, bounds in zip(self.parts, self._bounds, strict=True) if bounds.upper >= largest_lower]
        return _largest([part.enclosure(digits, method) for part in rivals])


def _largest(bounds: Sequence[Enclosure]) -> Enclosure:
    """Return an enclosure of the largest of the enclosed numbers."""
    top = max(bounds, key=lambda enclosure: enclosure.upper)
    uses = tuple(dict.fromkeys(use for enclosure in bounds for use in enclosure.uses))
    return Enclosure(max(enclosure.lower for enclosure in bounds), top.upper, f"{LARGEST}; {top.method}", uses)


def proved_supremum(
    first: RingElement, weight: RingElement, gap_sum: RingElement, root: Callable[[RingElement], RingElement]
) -> RingElement:
    """Return K for g_l = ``first``, w_l = ``weight`` and S = ``gap_sum``, over any ring with its square root."""
    return first / (2 * weight) * (1 + root(1 + weight * gap_sum / (first * first)))


class Between(WorstCase):
    """The worst case between proved bounds: what is left where u is too large for any iteration."""

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
            value = proved_supremum(ball(first), ball(weight), self._theorem.gap_sum(l, u, s), lambda x: x.sqrt())
            return narrow(Enclosure.from_ball(value, self.method), digits)
