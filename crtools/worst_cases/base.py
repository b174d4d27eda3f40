"""A worst case: the supremum of a ratio of two forms. Each of five routes to it is a class of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

from crtools.enclosure import Enclosure, relative_width_of
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.installed_ledgers import installed
from crtools.names import canonical
from crtools.numeric_types import Ball, FloatArray
from crtools.parallel import WithoutCaches
from crtools.plotting.figure import Figure, curve
from crtools.setting import LARGEST_LENGTH, Setting, integer
from crtools.tables import InNotebook

CERTIFIED_DIGITS = 8
"""A value is called certified where bounds fix that many digits: upper − lower ≤ 10^(1−CERTIFIED_DIGITS) · value. Help says 8 too."""

METHODS = ("auto", "ball", "float")
"""The arithmetic of an enclosure: ``auto`` chooses."""


class Formula(NamedTuple):
    """A pair of forms with a proved worst case: S as a function of (l, u, s), in balls, and the theorem's name."""

    policy: Form
    against: Form
    gap_sum: Callable[[int, int, int], Ball]
    theorem: str


class TwoSided(NamedTuple):
    """A pair of forms with proved bounds from both sides as a function of (l, u, s), in a time that hardly grows with u."""

    policy: Form
    against: Form
    bounds: Callable[[int, int, int], Enclosure]


class WorstCaseTheorems(NamedTuple):
    """The theorems of a ledger about worst cases: pairs (N, D) with D⁻¹N > 0 for every s ≥ 0 and u ≥ l ≥ 1, formulas, and bounds.

    All of these are for one interval. ``blockwise``: pairs whose worst case on several is the largest of theirs.
    """

    positive: tuple[tuple[Form, Form], ...] = ()
    proved: tuple[Formula, ...] = ()
    bounded: tuple[TwoSided, ...] = ()
    blockwise: tuple[tuple[Form, Form], ...] = ()


@cache
def _installed() -> list[WorstCaseTheorems]:
    return [ledger.worst_cases() for ledger in installed().values() if ledger.worst_cases is not None]


def theorems_about(policy: Form, against: Form) -> WorstCaseTheorems:
    """Return the theorems of the installed ledgers about one pair of forms."""
    theorems = (chain(*field) for field in zip(*_installed(), strict=True))
    return WorstCaseTheorems(*(tuple(it for it in kind if it[0] is policy and it[1] is against) for kind in theorems))


@dataclass(repr=False, eq=False)
class WorstCase(WithoutCaches, InNotebook):
    """The supremum of x ↦ xᵀNx / xᵀDx over x ≥ 0 on a setting, as ``worst_case`` returns it.

    ``value`` is a float and no guarantee; ``bounds()`` and ``enclosure(digits)`` are rigorous. ``weights`` is the maximiser,
    summing to 1. ``method`` names the computation. Raises ``InputError`` where D may vanish or be negative at some x ≥ 0.

    Examples
    --------
    >>> from crtools import worst_case
    >>> result = worst_case("a-min", u=2)
    >>> print(f"{result.value:.6f}", result.status, result.weights.round(3))
    1.250000 certified [0.667 0.333]
    """

    policy: Form
    against: Form
    setting: Setting

    in_floats = False
    """Whether an enclosure may be computed in float64."""

    def __eq__(self, other: object) -> bool:
        """Return whether both are of the same forms on the same setting, whatever their routes."""
        return isinstance(other, WorstCase) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Form, Form, Setting]:
        return self.policy, self.against, self.setting

    @property
    def describes(self) -> tuple[str, ...]:
        """The policies whose limit the numerator describes; the worst case itself is that of the form."""
        return self.policy.describes

    @cached_property
    def value(self) -> float:
        """The worst case as a float: the middle of the bounds, unless its route has another."""
        return self.bounds().middle

    @property
    def weights(self) -> FloatArray:
        """The maximising weights x_l, …, x_u ≥ 0 as a float array that sums to 1.

        Raises ``InputError`` for u > ``LARGEST_LENGTH``.
        """
        if self.setting.u > LARGEST_LENGTH:
            raise InputError("u", self.setting.u, f"must be at most {LARGEST_LENGTH} where the weights are asked for")
        return self._weights()

    @property
    def status(self) -> str:
        """``certified`` where :attr:`value` is enclosed to ``CERTIFIED_DIGITS`` digits, else ``supported``."""
        return self.reached[0]

    @cached_property
    def reached(self) -> tuple[str, Enclosure | None]:
        """The status, and the bounds: to ``CERTIFIED_DIGITS`` digits if certified, else the proved ones, or None."""
        with suppress(NotCertified):
            return "certified", self.enclosure(CERTIFIED_DIGITS)
        with suppress(NotCertified):
            return "supported", self.bounds()
        return "supported", None

    @property
    def method(self) -> str:
        """What :attr:`value` rests on, in words."""
        return self.bounds().method

    def bounds(self) -> Enclosure:
        """Return certified lower and upper bounds.

        They have 10 digits; routes whose bounds may be further apart override this. Raises ``NotCertified`` where there is no
        upper bound: for a general pair of forms on more than 1000 lengths.
        """
        return self.enclosure(10)

    def enclosure(self, digits: int = 10, method: str = "auto") -> Enclosure:
        """Return a rigorous enclosure with upper − lower ≤ 10^(1−digits) · |value|.

        ``method``: ``"ball"``, ``"float"`` (float64 with an a-priori error bound, where the worst case is a proved spectral radius) or
        ``"auto"``. Raises ``NotCertified`` with the relative width that was reached.
        """
        digits = integer("digits", digits, 1, 1000)
        method = canonical("method", method, METHODS)
        if method == "float" and not self.in_floats:
            raise InputError("method", method, "is for forms whose worst case is a proved spectral radius")
        return self._enclosure(digits, method)

    @cached_property
    def by_formula(self) -> Enclosure | None:
        """Proved bounds from both sides that a formula gives, or None for a pair or intervals without one."""
        theorems = theorems_about(self.policy, self.against).bounded if self.setting.single else ()
        return theorems[0].bounds(self.setting.l, self.setting.u, self.setting.s) if theorems else None

    def __repr__(self) -> str:
        call = f"worst_case({self.policy.name!r}, against={self.against.name!r}) on {self.setting}"
        return f"≈ {self.value:.12g} ({self.status}): {call}"

    def __float__(self) -> float:
        return self.value

    def plot(self) -> Figure:
        """Return the maximising weights against the lengths as a figure."""
        data = {"length": list(range(self.setting.l, self.setting.u + 1)), "weight": list(self.weights)}
        return curve("worst-case-weights", data, f"worst case {self.value:.6g}")

    def _weights(self) -> FloatArray:
        raise NotImplementedError

    def _enclosure(self, digits: int, method: str) -> Enclosure:
        raise NotImplementedError


def narrow(enclosure: Enclosure, digits: int, reason: str = "no enclosure of the asked width") -> Enclosure:
    """Return an enclosure that fixes ``digits`` digits; else raise ``NotCertified`` with the reason and its width."""
    if enclosure.width > relative_width_of(digits) * abs(enclosure.lower):
        raise NotCertified(reason, enclosure.relative_width())
    return enclosure
