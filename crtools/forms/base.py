"""``Form``, a latency form: a homogeneous quadratic in the length weights, over any ring; ``FormOnSetting``, its matrix in a setting.

A form is fixed by its entry f(i, j, s) for i ≤ j; its matrix is symmetric. Packaged formulas use + − × ÷ only, so that they run on
``Fraction``, FLINT's numbers and balls, SymPy symbols and NumPy arrays.

Tail coordinates are T_k = Σ_{i≥k} x_i. In them the matrix of a form is C, Uᵀ C U in the weights, with U the tail-sum matrix (T = U x).
A form may have a C that is diagonal plus a few semiseparable terms,

    C_kk = diagonal(k),      C_ij = Σ_r left_r(i) · right_r(j)   for i < j;

then products on one interval take O(u) and no subtraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from inspect import signature
from numbers import Integral
from pathlib import Path
from traceback import walk_tb
from typing import Any, Literal, NamedTuple, NoReturn, cast
from warnings import warn

import numpy as np

from crtools.enclosure import Ball, ends, objects
from crtools.errors import InputError
from crtools.forms.rational_entry import RationalEntry, exact_number, trace
from crtools.numeric_types import FloatArray, ObjectArray, RingElement, SymExpr
from crtools.parallel import WithoutCaches
from crtools.setting import Setting
from crtools.tables import InNotebook, shortened

ALLOWED = "must be an exact number, an int or a Fraction (i ≤ j and s are given as Fractions)"
BRANCHES = "it branches on i, j or s, so it is known at numbers only and has no closed form"
SYMBOLS = "it has symbols of its own ({}): give them numbers, or take the interval's ends as entry(i, j, s, l, u)"
DIVIDES = (
    "it divides by an expression that is not shown to be non-zero for all i ≤ j, so it is evaluated at numbers only"
    " and has no closed form"
)


def unbound(name: str, *_: object) -> NoReturn:
    """Raise ``InputError`` for an entry that depends on the ends l and u where these are not given."""
    allowed = "needs the interval's ends l and u: use .on(setting), or a law with a finite support"
    raise InputError("form", name, allowed)


def at_symbols(function: Callable[..., Any], name: str, l: Any, u: Any, i: Any, j: Any, s: Any) -> Any:
    """Return an entry where l or u is a symbol; ``InputError`` where it compares symbols."""
    try:
        return function(i, j, s, l, u)
    except TypeError:
        allowed = "it branches on l, u, i, j or s, so it needs numbers for the ends of the interval"
        raise InputError("form", name, allowed) from None


def error_text(error: Exception, function: Callable[..., Any]) -> str:
    """Return an error of a function in words, with the line of the function's file that raised it."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    words = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{words} ({Path(str(file)).name}, line {lines[-1]})" if lines else words


class UserEntry(WithoutCaches):
    """The formula of a user's form.

    Exact numbers are passed to the function. Balls, symbols and arrays are passed to the rational function that a trace of it
    gives (``rational``). Where there is none, other numbers are made exact first, and symbols raise ``InputError``.
    """

    def __init__(self, function: Callable[[RingElement, RingElement, RingElement], RingElement], name: str) -> None:
        self.function, self.name = function, name

    @cached_property
    def rational(self) -> RationalEntry | None:
        """The rational function that the entry is, or None: see :func:`crtools.forms.rational_entry.trace`."""
        return trace(self.function)

    @cached_property
    def unclosed(self) -> str:
        """The reason why there is no closed form: it divides, it has other symbols, it needs l and u, or it branches."""
        if self.rational is not None:
            return DIVIDES
        try:
            value = self.function(Fraction(1), Fraction(2), Fraction(1))
        except InputError as error:
            return error.allowed
        except Exception as error:
            return f"its entry raised {error_text(error, self.function)}"
        symbols = sorted(map(str, getattr(value, "free_symbols", ())))
        return SYMBOLS.format(", ".join(symbols)) if symbols else BRANCHES

    def exact(self, i: Fraction, j: Fraction, s: Fraction) -> Fraction:
        """Return the entry at exact numbers i ≤ j; raises ``InputError`` where it fails or is no exact number."""
        try:
            value = self.function(i, j, s)
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"entry({i}, {j}, {s})", error_text(error, self.function), ALLOWED) from None
        number = exact_number(value)
        if number is None:
            raise InputError(f"entry({i}, {j}, {s})", value, ALLOWED)
        return number

    def __call__(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the entry in the ring of i ≤ j and s."""
        arguments = (i, j, s)
        if any(isinstance(x, np.ndarray) for x in arguments):
            return self._array(i, j, s)
        if all(isinstance(x, Fraction | int | np.integer) for x in arguments):
            return self.exact(Fraction(i), Fraction(j), Fraction(s))
        numbers = [_number(x) for x in arguments]
        regular = self._regular(numbers[2])
        if regular and (None in numbers or any(isinstance(x, Ball) for x in arguments)):
            return regular.value(i, j, s)
        exact_numbers = [x for x in numbers if x is not None]
        if len(exact_numbers) < len(numbers):
            raise InputError("form", self.name, self.unclosed)
        sample = next(x for x in arguments if not isinstance(x, Fraction | int | np.integer))
        value = self.exact(*exact_numbers)
        return float(value) if isinstance(sample, float) else (sample * 0 + value.numerator) / value.denominator

    def _regular(self, s: Fraction | None) -> RationalEntry | None:
        """Return the entry as a rational function without a pole at 1 ≤ i ≤ j, or None."""
        prompt = int(s) if s is not None and s.denominator == 1 else None
        return self.rational if self.rational is not None and self.rational.regular(prompt) else None

    def _array(self, i: RingElement, j: RingElement, s: RingElement) -> RingElement:
        """Return the entries of arrays, elementwise: floats for floats, ``Fraction`` objects for objects."""
        arrays = [np.asarray(x) for x in (i, j, s)]
        floats = all(a.dtype.kind in "iubf" for a in arrays)
        number = _number(s)
        regular = self._regular(number) if floats and number is not None else None
        if regular is not None:
            with np.errstate(all="ignore"):
                values = regular.value(*(a.astype(float) for a in arrays))
            if np.isfinite(values).all():
                return values
        result = np.frompyfunc(self, 3, 1)(i, j, s)
        return result.astype(float) if floats else result


def _number(x: object) -> Fraction | None:
    """Return the exact value of a rational number, a finite float or a ball without radius; else None."""
    number = exact_number(x)
    if number is not None:
        return number
    if isinstance(x, float):
        return Fraction(x) if abs(x) < float("inf") else None
    if isinstance(x, Ball) and x.is_exact() and x.is_finite():
        return ends(x)[0]
    return None


class TailRow(NamedTuple):
    """The generators of a row k, or of an array of rows: C_kk, and the factors of C_kj (left) and of C_ik (right)."""

    diagonal: RingElement
    left: tuple[RingElement, ...] = ()
    right: tuple[RingElement, ...] = ()


class TailRule(NamedTuple):
    """The generators of every row: ``first(l, s)`` for the row k = l and ``inner(k, s)`` for k > l."""

    first: Callable[[RingElement, RingElement], TailRow]
    inner: Callable[[RingElement, RingElement], TailRow]


def tail_rows(rule: TailRule | None, k: RingElement, s: RingElement, *, starts: bool = True) -> TailRow:
    """Return the generators of the rows of successive lengths k, an array over any ring; with ``starts`` row k[0] is the first."""
    assert rule is not None
    if not starts:
        return rule.inner(k, s)

    def column(first: RingElement, others: RingElement) -> RingElement:
        values = np.empty_like(k)
        values[0], values[1:] = first, others
        return values

    first_row, inner_rows = rule.first(k[0], s), rule.inner(k[1:], s)
    return TailRow(
        column(first_row.diagonal, inner_rows.diagonal),
        tuple(map(column, first_row.left, inner_rows.left)),
        tuple(map(column, first_row.right, inner_rows.right)),
    )


def tail_product(row: TailRow, t: RingElement) -> RingElement:
    """Return C T for arrays of generators and of T, in O(u) operations of their ring and without a subtraction."""
    result = row.diagonal * t
    for left, right in zip(row.left, row.right, strict=True):
        suffix, prefix = np.zeros_like(t), np.zeros_like(t)
        suffix[:-1] = tail_sums(right * t)[1:]
        prefix[1:] = np.cumsum(left * t)[:-1]
        result += left * suffix + right * prefix
    return result


def tail_sums(x: RingElement) -> RingElement:
    """Return T_k = Σ_{i≥k} x_i of an array."""
    return np.cumsum(x[::-1])[::-1]


Kind = Literal["limit", "upper", "lower"]


@dataclass(frozen=True, repr=False)
class Form(WithoutCaches, InNotebook):
    """A latency form of a policy in the paper's limit M → ∞: TEL ≈ n²/(2M) · form(x) for length weights x.

    Parameters
    ----------
    name : str
        Its name.
    formula : callable
        The matrix entry as a function of i ≤ j and s, in + − × ÷ only, so that it runs over every ring.
    describes : tuple of str
        The policies whose limit it is, measured or proved. A command that looks for a policy's form reads this.
    given_for : tuple of str
        The policies for which its source states it.
    kind : {"limit", "upper", "lower"}
        Whether it is a limit or a bound. It is printed only; nothing calculates with it.
    source : str
        Where it is stated.
    tails : TailRule, optional
        Its structure in tail coordinates.
    between : Form, optional
        The entries across two prediction intervals, for a policy that finishes lower intervals first.
    bind : callable, optional
        ``bind(l, u)`` makes the form of a policy that knows the ends of the interval.
    lengths : callable, optional
        ``lengths(l, u)`` gives the lengths of [l, u] on which it is defined.
    growth : Fraction, optional
        A number c with |entry| ≤ c (s+i)²(s+j)² for every s ≥ 0 and 1 ≤ i ≤ j; it bounds the tails of sums.
    summary : str
        A few words for lists.

    Raises
    ------
    InputError
        For a growth that is no number > 0.

    Examples
    --------
    >>> from crtools import Setting, form
    >>> form("volume").on(Setting(s=0, u=2)).matrix(float)
    array([[1., 1.],
           [1., 3.]])
    """

    name: str
    formula: Callable[[RingElement, RingElement, RingElement], RingElement]
    describes: tuple[str, ...] = ()
    given_for: tuple[str, ...] = ()
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
        entry: Callable[..., Any],
        name: str = "user",
        describes: tuple[str, ...] = (),
        kind: Kind = "limit",
        growth: Fraction | int | None = None,
        given_for: tuple[str, ...] = (),
    ) -> Form:
        """Make a form from a function entry(i, j, s), called with i ≤ j; it is accepted wherever a name is.

        A function entry(i, j, s, l, u) makes the form of a policy that knows the ends of the interval. These are the setting's,
        or the ends of the distribution; the form has no entries without them.

        The entries must be exact: the function gets ``Fraction`` i, j, s and returns an int or a ``Fraction``. With + − × ÷
        alone it is a rational function and has closed forms; with ``if``, ``max`` or tables it is evaluated at numbers only.
        ``growth`` c states |entry| ≤ c (s+i)²(s+j)², which sums over unbounded distributions need. It can be left out where the
        coefficients of a rational function show such a bound. For ``describes``, ``given_for`` and ``kind`` see :class:`Form`.

        >>> Form.from_entry(lambda i, j, s: j * (s + j), "own").entry(1, 2, 0)
        Fraction(4, 1)
        """
        if not callable(entry):
            raise InputError("entry", entry, "must be a function of i, j and s, or of i, j, s, l and u")
        entry_bound = cast("Fraction | None", growth)
        user_form = cls(name, UserEntry(entry, name), describes, given_for, kind, growth=entry_bound)
        try:
            takes_ends = {"l", "u"} <= set(signature(entry).parameters)
        except (TypeError, ValueError):
            takes_ends = False
        if not takes_ends:
            return user_form
        formula = UserEntry(partial(unbound, name), name)
        return replace(user_form, formula=formula, bind=partial(_bound, user_form, entry))

    @property
    def user_defined(self) -> bool:
        """Whether the form is a user's, from :meth:`from_entry`."""
        return isinstance(self.formula, UserEntry)

    @property
    def own(self) -> bool:
        """The former name of :attr:`user_defined`."""
        warn("Form.own is now Form.user_defined", DeprecationWarning, stacklevel=2)
        return self.user_defined

    @cached_property
    def rational(self) -> RationalEntry | None:
        """The entry as a rational function of i, j, s where a trace of the formula shows that it is one."""
        return self.formula.rational if isinstance(self.formula, UserEntry) else trace(self.formula)

    def closes(self, s: int | None) -> bool:
        """Return whether the entry is a rational function without a pole at 1 ≤ i ≤ j (s None: and s ≥ 0): it has closed forms."""
        return self.rational is not None and self.rational.regular(s)

    @property
    def unclosed(self) -> str:
        """The reason why there is no closed form, where :meth:`closes` is False."""
        if isinstance(self.formula, UserEntry):
            return self.formula.unclosed
        return BRANCHES if self.rational is None else DIVIDES

    def growth_at(self, s: int) -> Fraction | None:
        """Return c with |entry| ≤ c (s+i)²(s+j)² for all 1 ≤ i ≤ j, from a user's entry or as stated; None for no bound."""
        if self.growth is not None and not self.user_defined:
            return self.growth
        derived = None if self.rational is None else self.rational.growth(s)
        return self.growth if derived is None else derived

    def nonnegative_at(self, s: int) -> bool:
        """Return whether the coefficients of the entry show that it is ≥ 0 for all 1 ≤ i ≤ j."""
        return self.rational is not None and self.rational.nonnegative(s)

    def entry(self, i: RingElement, j: RingElement, s: RingElement = 0) -> RingElement:
        """Return the matrix entry at lengths i and j for prompts of s tokens (one prediction interval).

        Works over any ring: ints give a ``Fraction``, integer arrays floats; NumPy arrays are ordered elementwise. Symbols are
        taken to be i ≤ j unless SymPy knows their order; a user's entry must be a rational function to take them.
        """
        if any(isinstance(x, np.ndarray) and x.ndim for x in (i, j)):
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
        if self.bind is not None:
            return FormOnSetting(self.bind(setting.l, setting.u), setting)
        return FormOnSetting(self, setting)

    @cached_property
    def symbolic(self) -> SymExpr | None:
        """The entry at i ≤ j in the symbols i, j, s and, if it depends on the interval, l and u; None where it branches."""
        import sympy as sp

        i, j, s, l, u = sp.symbols("i j s l u", positive=True)
        try:
            entry = (self if self.bind is None else self.bind(l, u)).formula(i, j, s)
            return cast(SymExpr, sp.factor(sp.together(sp.sympify(entry))))
        except (InputError, TypeError, sp.SympifyError):
            return None

    @property
    def latex(self) -> str:
        """The entry in LaTeX; empty where it branches."""
        import sympy as sp

        return "" if self.symbolic is None else f"N(i, j, s) = {sp.latex(self.symbolic)}, \\quad i \\le j"

    def __repr__(self) -> str:
        entry = "an entry that branches" if self.symbolic is None else shortened(f"{self.symbolic}", 120)
        of = f", of {', '.join(self.describes)}" if self.describes else ""
        of += "".join(f"; stated but not shown of {name}" for name in self.given_for if name not in self.describes)
        return f"{entry} at i <= j ({self.kind}{of}): form({self.name!r})"


def _bound(form: Form, entry: Callable[..., Any], l: RingElement, u: RingElement) -> Form:
    """Return a user's form for the ends l and u: integers, or symbols of a distribution."""
    if all(isinstance(end, Integral | Fraction) for end in (l, u)):
        formula: RingElement = UserEntry(partial(entry, l=Fraction(l), u=Fraction(u)), form.name)
    else:
        formula = partial(at_symbols, entry, form.name, l, u)
    return replace(form, formula=formula)


class FormOnSetting:
    """The quadratic form of ``form`` on the lengths l, …, u of ``setting``; index 0 of a vector is length l."""

    def __init__(self, form: Form, setting: Setting) -> None:
        self.form = form
        self.setting = setting

    def __repr__(self) -> str:
        return f"form({self.form.name!r}).on({self.setting!r})"

    def entry(self, i: int, j: int, ring: Callable[[int], RingElement] = Fraction) -> RingElement:
        """Return the exact entry at lengths i and j, with the setting's intervals taken into account.

        ``ring`` makes the exact numbers that the formula runs on: a ``Fraction`` unless given.
        """
        i, j = min(i, j), max(i, j)
        rule = self.form
        if rule.between is not None and not any(low <= i and j <= up for low, up in self.setting.blocks()):
            rule = rule.between
        return rule.formula(ring(i), ring(j), ring(self.setting.s))

    def matrix(self, ring: type = Fraction) -> FloatArray | ObjectArray:
        """Return the symmetric (u−l+1) × (u−l+1) matrix: a NumPy array of ``Fraction`` objects, or of floats.

        ``ring`` is ``Fraction`` (exact, default) or ``float``.
        """
        if ring not in (Fraction, float):
            raise InputError("ring", ring, "must be Fraction or float")
        matrix = np.empty((self.setting.size, self.setting.size), dtype=float if ring is float else object)
        for index, row in enumerate(self._rows(ring(0))):
            matrix[index, index:] = matrix[index:, index] = row
        return matrix

    def apply(self, x: Sequence[RingElement]) -> RingElement:
        """Return the product of the matrix with ``x``: O(u) time and memory for a form with a tail structure.

        A NumPy array of floats gives an array; any other sequence (of ``Fraction``, balls, symbols) gives a list.
        """
        if len(x) != self.setting.size:
            raise InputError("x", f"a vector of length {len(x)}", f"must have length u − l + 1 = {self.setting.size}")
        if _is_float_array(x):
            return self._apply(x, 0.0)
        vector = objects(map(_exact, x))
        return self._apply(vector, vector[0] * 0).tolist()

    def value(self, x: Sequence[RingElement]) -> RingElement:
        """Return the form at the weights ``x``, xᵀ N x."""
        product = self.apply(x)
        if _is_float_array(x):
            return float(product @ x)
        return objects(map(_exact, x)) @ objects(product)

    # ---- the pieces -------------------------------------------------------------------------------------------

    def _lengths(self, zero: RingElement) -> RingElement:
        return np.arange(self.setting.l, self.setting.u + 1, dtype=float if isinstance(zero, float) else object) + zero

    def _rows(self, zero: RingElement) -> Iterator[RingElement]:
        """Iterate over the rows of the matrix, each from the diagonal on, in the ring of ``zero``."""
        setting, k, s = self.setting, self._lengths(zero), zero + self.setting.s
        blocks = -np.arange(1, setting.size + 1)  # a length in a gap is a block of its own
        for number, (start, end) in enumerate(setting.blocks()):
            blocks[start - setting.l : end - setting.l + 1] = number
        for index, length in enumerate(k):
            row = self.form.formula(length, k[index:], s) + 0 * k[index:]
            across = blocks[index:] != blocks[index]
            if self.form.between is not None and across.any():
                row[across] = self.form.between.formula(length, k[index:][across], s)
            yield row

    def _apply(self, x: RingElement, zero: RingElement) -> RingElement:
        """Return the product with an array in the ring of ``zero``, as an array."""
        setting, between = self.setting, self.form.between
        if self.form.tails is None or (between is not None and between.tails is None):
            result = np.zeros_like(x)
            for index, row in enumerate(self._rows(zero)):
                result[index] += row @ x[index:]
                result[index + 1 :] += row[1:] * x[index]
            return result
        if between is None or setting.single:
            row = tail_rows(self.form.tails, self._lengths(zero), zero + setting.s)
            return np.cumsum(tail_product(row, tail_sums(x)))
        # Several intervals: the matrix of `between` everywhere, and inside each block the difference of the two.
        whole = FormOnSetting(between, Setting(setting.s, setting.l, setting.u))._apply(x, zero)
        for block in setting.parts():
            part = slice(block.l - setting.l, block.u - setting.l + 1)
            inside, charged = (FormOnSetting(f, block)._apply(x[part], zero) for f in (self.form, between))
            whole[part] = whole[part] + inside - charged
        return whole


def _is_float_array(x: object) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def _exact(x: RingElement) -> RingElement:
    return Fraction(int(x)) if isinstance(x, Integral) else x
