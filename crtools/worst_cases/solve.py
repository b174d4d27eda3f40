"""``worst_case``: which of five routes applies to a pair of forms, and what its result may be called."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.forms import Form, form, numerator
from crtools.names import canonical
from crtools.setting import LARGEST_IN_FORMULAS, LARGEST_LENGTH, Setting, integer
from crtools.worst_cases.blockwise import Blockwise, splits
from crtools.worst_cases.general import General
from crtools.worst_cases.pencil import Pencil
from crtools.worst_cases.perron import Perron, proved_positive
from crtools.worst_cases.proved import Between, Proved, bounding, formula, has_formula

METHODS = ("auto", "ball", "float")
"""How an enclosure may be computed."""


class WorstCase:
    """The supremum of x ↦ xᵀNx / xᵀDx over x ≥ 0 on a setting.

    ``value`` is a float and no guarantee; ``bounds()`` and ``enclosure(digits)`` are. ``weights`` is the maximiser found,
    summing to 1, ``method`` says what was done. Raises ``InputError`` where D may vanish or be negative at some x ≥ 0.
    """

    def __init__(self, policy: Form, against: Form, setting: Setting) -> None:
        self.policy, self.against, self.setting = policy, against, setting

    @property
    def describes(self) -> tuple[str, ...]:
        """The policies whose limit the numerator is meant to be: the worst case is of the form."""
        return self.policy.describes

    @property
    def value(self) -> float:
        """The worst case as a float."""
        return self._route.value

    @property
    def weights(self) -> Any:
        """The maximising weights x_l, …, x_u ≥ 0 as a float array that sums to 1.

        Raises ``InputError`` for u > ``LARGEST_LENGTH``.
        """
        if isinstance(self._route, Between) or self.setting.u > LARGEST_LENGTH:
            raise InputError("u", self.setting.u, f"must be at most {LARGEST_LENGTH} where the weights are asked for")
        return self._route.weights

    @property
    def status(self) -> str:
        """``certified`` where the value is backed by a proof or by certified bounds that meet, else ``supported``."""
        return self._route.status

    @property
    def method(self) -> str:
        """What :attr:`value` rests on, in words."""
        return self._route.method

    @property
    def bounded(self) -> bool:
        """Whether bounds are part of finding the value, and not a computation of their own."""
        return self._route.bounded if isinstance(self._route, Blockwise) else not isinstance(self._route, Perron)

    def bounds(self) -> Enclosure:
        """Return certified lower and upper bounds, however far apart.

        Raises ``NotCertified`` where there is no upper bound: for a general pair of forms on more than 1000 lengths.
        """
        return self._route.bounds()

    def enclosure(self, digits: int = 10, method: str = "auto") -> Enclosure:
        """Return a rigorous enclosure with upper − lower ≤ 10^(1−digits) · |value|.

        ``method``: ``"ball"``, ``"float"`` (float64 with an a-priori error bound, where the worst case is a proved spectral radius) or
        ``"auto"``. Raises ``NotCertified`` with the relative width that was reached.
        """
        digits = integer("digits", digits, 1, 1000)
        method = canonical("method", method, METHODS)
        if isinstance(self._route, Perron | Blockwise):
            return self._route.enclosure(digits, method)
        if method == "float":
            raise InputError("method", method, "is for forms whose worst case is a proved spectral radius")
        return self._route.enclosure(digits)

    @cached_property
    def by_formula(self) -> Enclosure | None:
        """Proved bounds from both sides that a formula gives, or None for a pair or intervals without one."""
        found = bounding(self.policy, self.against) if self.setting.single else None
        return None if found is None else found.bounds(self.setting.l, self.setting.u, self.setting.s)

    @cached_property
    def _route(self) -> Blockwise | Perron | Proved | Between | General:
        if splits(self.policy, self.against, self.setting):
            return Blockwise(
                self.setting, [WorstCase(self.policy, self.against, part) for part in self.setting.parts()]
            )
        bounds = bounding(self.policy, self.against)
        if bounds is not None and self.setting.u > LARGEST_LENGTH:
            return Between(bounds, self.setting)
        if proved_positive(self.policy, self.against, self.setting):
            return Perron(self.policy, self.against, self.setting)
        known = formula(self.policy, self.against, self.setting)
        if known is not None:
            return Proved(known, self.setting)
        return General(Pencil(self.policy, self.against, self.setting))

    def __repr__(self) -> str:
        return f"worst_case({self.policy.name!r} against {self.against.name!r} on {self.setting}) = {self.value!r}"


def worst_case(
    policy: str | Form | None = None,
    l: int | None = None,
    u: int | None = None,
    s: int = 0,
    against: str | Form = "h-sf",
    *,
    intervals: Iterable[tuple[int, int]] | None = None,
) -> WorstCase:
    """Return the worst case over weights x ≥ 0 on [l, u] (l = 1 unless given) of the form ``policy`` (the default one) over ``against``.

    For A_min over H-SF it is the spectral radius of B⁻¹A (Theorem "positivity": B⁻¹A > 0, so by Perron–Frobenius
    the supremum is attained at a positive x), for A_max and A_random a proved formula, and otherwise bounded from both
    sides. For these three u may reach ``LARGEST_IN_FORMULAS``; beyond ``LARGEST_LENGTH`` A_min's is bounded by formulas.
    Only lengths at which both forms are defined have weight: {l, u} for A_ℓ. ``s`` is the prompt size in tokens;
    ``intervals`` stands for l and u; A_min's worst case on several of them is the largest of theirs, by a theorem.
    Raises ``InputError`` for a setting or a form that is not allowed.
    """
    pair = numerator(policy), form(against, "against")
    most = LARGEST_IN_FORMULAS if has_formula(*pair) else LARGEST_LENGTH
    return WorstCase(*pair, Setting(s, l, u, intervals=intervals, most=most))
