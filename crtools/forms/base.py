"""A latency form: a homogeneous quadratic in the length weights, written once and evaluated over any ring.

A form is fixed by its entry f(i, j, s) for i ≤ j; its matrix is symmetric. Many forms are simpler in the
**tails** T_k = Σ_{i≥k} x_i: with U the tail-sum matrix (T = U x), the matrix is Uᵀ C U, and C is diagonal plus a
few semiseparable terms,

    C_kk = diagonal(k),      C_ij = Σ_r left_r(i) · right_r(j)   for i < j.

A form that says so has products in O(u) with no subtraction. Formulas use + − × ÷ only, so the same lines run on
``Fraction``, FLINT's numbers and balls, SymPy symbols and NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from crtools.errors import InputError
from crtools.forms.rational_entry import RationalEntry, exact_number, trace
from crtools.forms.user_entry import BRANCHES, DIVIDES, UserEntry
from crtools.setting import Setting

if TYPE_CHECKING:
    from crtools.forms.on_setting import FormOnSetting

Kind = Literal["limit", "upper", "lower"]


class TailRow(NamedTuple):
    """The generators of one index k in tail coordinates: C_kk, and the factors of C_kj (left) and C_ik (right)."""

    diagonal: Any
    left: tuple[Any, ...] = ()
    right: tuple[Any, ...] = ()


class TailRule(NamedTuple):
    """The generators of every row: ``first(l, s)`` for the row k = l and ``inner(k, s)`` for k > l."""

    first: Callable[[Any, Any], TailRow]
    inner: Callable[[Any, Any], TailRow]


@dataclass(frozen=True)
class Form:
    """A latency form of a policy in the paper's limit M → ∞, TEL ≈ n²/(2M) · form(x).

    ``formula(i, j, s)`` is the matrix entry for i ≤ j. ``describes`` names the policies whose limit the form is
    meant to be, ``kind`` says whether it is a limit or a bound. ``tails`` (optional) gives the structure in tail
    coordinates. ``between`` (optional) is the form of the entries across two prediction intervals, for a policy
    that finishes lower intervals first. ``bind(l, u)`` (optional) makes the form of a policy that knows the
    interval's ends, ``lengths(l, u)`` (optional) the lengths of [l, u] on which it is defined. ``growth`` c (optional)
    states |entry| ≤ c (s+i)²(s+j)² for every s ≥ 0 and 1 ≤ i ≤ j, which bounds the tail of a sum; :meth:`growth_at` is
    what sums use. Raises ``InputError`` for a growth that is no number > 0.
    ``summary`` says in a few words what the form is.
    """

    name: str
    formula: Callable[[Any, Any, Any], Any]
    describes: tuple[str, ...] = ()
    kind: Kind = "limit"
    source: str = ""
    tails: TailRule | None = None
    between: Form | None = None
    bind: Callable[[int, int], Form] | None = None
    lengths: Callable[[int, int], tuple[int, ...]] | None = None
    growth: Fraction | None = None
    summary: str = ""

    def __post_init__(self) -> None:
        if self.growth is None:
            return
        growth = exact_number(self.growth)
        if growth is None or growth <= 0:
            raise InputError("growth", self.growth, "must be an exact number > 0: an int or a Fraction")
        object.__setattr__(self, "growth", growth)

    @classmethod
    def from_entry(
        cls,
        entry: Callable[[Any, Any, Any], Any],
        name: str = "user",
        describes: tuple[str, ...] = (),
        kind: Kind = "limit",
        growth: Fraction | int | None = None,
    ) -> Form:
        """Make a form from a function entry(i, j, s), called with i ≤ j; it is accepted wherever a name is.

        The entries must be exact: the function gets ``Fraction`` i, j, s and returns an int or a ``Fraction``. With + − × ÷
        alone it is a rational function, and has closed forms; with ``if``, ``max``, tables and the like it is evaluated at
        numbers only. ``growth`` c states |entry| ≤ c (s+i)²(s+j)², which sums over unbounded laws need; where the
        coefficients of a rational function show a bound, that one is used and none needs to be given.
        """
        if not callable(entry):
            raise InputError("entry", entry, "must be a function of i, j and s")
        bound = cast("Fraction | None", growth)
        return cls(name=name, formula=UserEntry(entry, name), describes=describes, kind=kind, growth=bound)

    @property
    def own(self) -> bool:
        """Whether the form is a user's, from :meth:`from_entry`."""
        return isinstance(self.formula, UserEntry)

    @cached_property
    def rational(self) -> RationalEntry | None:
        """The entry as a rational function of i, j, s where a trace of the formula shows that it is one."""
        return self.formula.rational if isinstance(self.formula, UserEntry) else trace(self.formula)

    def closes(self, s: int) -> bool:
        """Return whether the entry is a rational function without a pole at any 1 ≤ i ≤ j, so that closed forms hold."""
        return self.rational is not None and self.rational.regular(s)

    @property
    def unclosed(self) -> str:
        """Why there is no closed form where :meth:`closes` is False, in words."""
        return BRANCHES if self.rational is None else DIVIDES

    def growth_at(self, s: int) -> Fraction | None:
        """Return c with |entry| ≤ c (s+i)²(s+j)² for all 1 ≤ i ≤ j: read off a user's entry or as stated; or None."""
        if self.growth is not None and not self.own:
            return self.growth
        derived = None if self.rational is None else self.rational.growth(s)
        return self.growth if derived is None else derived

    def nonnegative_at(self, s: int) -> bool:
        """Return whether the coefficients of the entry show that it is ≥ 0 for all 1 ≤ i ≤ j."""
        return self.rational is not None and self.rational.nonnegative(s)

    def entry(self, i: Any, j: Any, s: Any = 0) -> Any:
        """Return the matrix entry at lengths i and j for prompts of s tokens (one prediction interval).

        Works over any ring: ints give a ``Fraction``, integer arrays floats; NumPy arrays are ordered elementwise. Symbols whose order
        is not known are taken as i ≤ j; a user's entry takes them only where it is a rational function.
        """
        if _is_array(i) or _is_array(j):
            import numpy as np

            i, j = np.asarray(i), np.asarray(j)
            i, j = (a.astype(float) if a.dtype.kind in "iub" else a for a in (i, j))
            return self.formula(np.minimum(i, j), np.maximum(i, j), s)
        if all(isinstance(x, Integral | Fraction) for x in (i, j, s)):
            i, j, s = Fraction(i), Fraction(j), Fraction(s)
        try:
            swapped = bool(i > j)
        except TypeError:  # the order of two symbols
            swapped = False
        return self.formula(j, i, s) if swapped else self.formula(i, j, s)

    def on(self, setting: Setting) -> FormOnSetting:
        """Return the form in a setting: its matrix, products and values."""
        from crtools.forms.on_setting import FormOnSetting

        if self.bind is not None:
            return FormOnSetting(self.bind(setting.l, setting.u), setting)
        return FormOnSetting(self, setting)

    def __repr__(self) -> str:
        return f"form({self.name!r})"


def _is_array(x: Any) -> bool:
    return hasattr(x, "__array_ufunc__") and getattr(x, "ndim", 0) > 0
