"""A length distribution: a distribution of output lengths k ≥ 1, immutable, exact where its parameters are rational.

``Distribution`` is the base of all. Two classes stand next to it: ``Empirical``, of given lengths or weights, since a truncated
distribution is one; and ``ExpressionDistribution``, of a weight that is a formula. Tests: tests/distributions/test_distributions.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, log
from numbers import Integral, Rational, Real
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import sympy as sp
from sympy.polys.domains import QQ

from crtools.closed_form.evaluate import ball_value
from crtools.closed_form.sums import Field, NotClosed, Summand, value_of_points
from crtools.data_files import parse_source, read_table
from crtools.distributions.ranges import Condition, assume, solved
from crtools.enclosure import ball, balls, precision
from crtools.errors import InputError
from crtools.expressions import free_symbols, number
from crtools.forms import Form
from crtools.numeric_types import Ball, FieldElement, FloatArray, IntArray, ObjectArray, Symbol, SymExpr
from crtools.parallel import WithoutCaches
from crtools.setting import integer
from crtools.signs.ranges import Interval

K = sp.Symbol("k", integer=True, positive=True)
"""The length, in expressions."""

LISTED = 12
"""Weights of more lengths are counted in a repr, not listed."""

LARGEST_SUPPORT = 10**7
"""The largest finite support that is listed length by length."""

FIRST_LENGTHS = (1, 2, 4, 8, 16, 32)
"""The weights of that many first lengths are made conditions, until those beyond are shown to be ≥ 0."""

MOST_WITH_SYMBOLS = 64
"""Upper limit on the lengths of a sum with one term each, where s is a symbol."""

PLACES = tuple(Fraction(a, b) for a, b in ((1, 3), (4, 5), (3, 5), (2, 7), (1, 2), (5, 9), (3, 4), (1, 5), (2, 3)))
"""Sample values of parameters in (0, 1); neighbours differ, so that no two parameters are equal."""


def bound(form: Form, l: Any, u: Any) -> Form:
    """Return the form for the ends l, u where it depends on them; ``NotClosed`` where it needs numbers for them."""
    if form.bind is None:
        return form
    try:
        return form.bind(l, u)
    except TypeError:  # it compares them
        raise NotClosed(f"the form {form.name} needs numbers for the ends of the interval") from None


class Distribution(WithoutCaches, ABC):
    """A distribution of output lengths k ≥ 1.

    ``weight(k)`` is proportional to the probability of length k, exactly; ratios of forms need no more. Parameters are
    ``Fraction`` or SymPy symbols, and ``parameters`` lists the symbols.

    Examples
    --------
    >>> from crtools import Geometric
    >>> law = Geometric("1/2")
    >>> law.mean, law.pmf(2), law.support
    (Fraction(2, 1), Fraction(1, 4), (1, None))
    """

    @property
    @abstractmethod
    def support(self) -> tuple[int, int | None]:
        """The smallest and the largest length (None: unbounded)."""

    @property
    @abstractmethod
    def expr(self) -> SymExpr:
        """The weight as a SymPy expression in k, up to a constant factor."""

    rational: bool = True
    """Whether the weights are rational numbers; else only ``ball_weights`` has them."""

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """The free symbols, sorted by name."""
        return ()

    @cached_property
    def field(self) -> Field:
        """ℚ(parameters), in which closed forms have their coefficients."""
        return Field.of(*self.parameters)

    open_ends: bool = False
    """Whether an end of the support is a symbol."""

    ending: Any = None
    """For a last length that is a symbol: the :class:`crtools.distributions.families.SymbolicEnd`, else None."""

    sparse: bool = False
    """Whether ``items`` has few lengths, however far apart they lie."""

    truncation: str = ""
    """The distribution that was truncated to this one, and the share that was left out, in words; empty if none."""

    skipped: int = 0
    """Rows of its file that could not be used and were left out."""

    two_lengths: bool = False
    """Whether it is a distribution on two lengths, of which forms may take their own rule."""

    analytic: bool = False
    """Whether sums over blocks of lengths are bounded by power series of the weight."""

    decay: Fraction | None = None
    """The a of weights like k^(−a), None for others."""

    breaks: tuple[int, ...] = ()
    """The lengths from which on an analytic weight is another function."""

    entire: SymExpr | None = None
    """c_k as an expression in k, for weights c_k y^k that are summable for all values y > 0 of the one parameter; else None."""

    @abstractmethod
    def weight(self, k: int) -> Fraction:
        """Return the exact weight of length k; parameters must be numbers."""

    @abstractmethod
    def spec(self) -> str:
        """Return the text that the spec grammar parses back into this distribution."""

    def refusal(self, allowed: str) -> InputError:
        """Return the error for a caller to raise that this distribution is not allowed."""
        return InputError("distribution", self.spec(), allowed)

    # ---- symbols ---------------------------------------------------------------------------------------------------

    @cached_property
    def ranges(self) -> dict[str, Interval]:
        """The range of each free parameter, by name; raises ``InputError`` where no value gives a distribution."""
        intervals = {x: Interval(x.name) for x in self.parameters}
        if not intervals:
            return {}
        lasts = FIRST_LENGTHS if len(intervals) == 1 else FIRST_LENGTHS[:2]
        assumed = f"the weights are >= 0 for k > {self.support[0] + lasts[-1] - 1}"
        try:
            for last in lasts:
                intervals = solved(self.parameters, self.spec(), self.conditions(last))
                if self.nonnegative_beyond(last, intervals):
                    return {x.name: interval for x, interval in intervals.items()}
        except NotClosed:
            assumed = "summable weights >= 0, not all 0"
        return {x.name: assume(interval, assumed) for x, interval in intervals.items()}

    def conditions(self, last: int) -> list[Condition]:
        """Return conditions on the parameters that are necessary, with the weights of k ≤ ``last`` among them."""
        return []

    def nonnegative_beyond(self, last: int, intervals: Mapping[Symbol, Interval]) -> bool:
        """Return whether all weights of k > ``last`` are shown to be ≥ 0 on the ranges."""
        return True

    def at(self, values: Mapping[str, Fraction]) -> Distribution:
        """Return the distribution with numbers for its symbols."""
        return self

    def samples(self, number: int) -> list[tuple[dict[str, Fraction], Distribution]]:
        """Return points at which all parameters have rational values inside their ranges, with the distributions there.

        Where a range is assumed, points that give no law are left out.
        """
        points: list[tuple[dict[str, Fraction], Distribution]] = []
        for point in self._points() if self.parameters else [{}]:
            try:
                points.append((point, self.at(point)))
            except InputError:
                if all(interval.shown for interval in self.ranges.values()):
                    raise
            if len(points) == number:
                break
        if not points:
            raise self.refusal("must be a distribution at some value of its parameters; it is at none of those tried")
        return points

    def _points(self) -> list[dict[str, Fraction]]:
        intervals = self.ranges
        proved = len(intervals) == 1 or all(r.shown for r in intervals.values())
        ways = [(k, step) for step in (2, -2, 1, 4)[: 1 if len(intervals) == 1 else None] for k in range(len(PLACES))]
        shares = ({name: PLACES[(k + step * n) % len(PLACES)] for n, name in enumerate(intervals)} for k, step in ways)
        return [{n: intervals[n].at(share) if proved else share for n, share in point.items()} for point in shares]

    # ---- closed forms ----------------------------------------------------------------------------------------------

    @cached_property
    def summand(self) -> Summand:
        """The weight as Σ P(k) ρ^k / k^e; raises ``NotClosed`` where it is not of that kind."""
        raise NotClosed(f"{self.spec()} is not a sum of terms polynomial(k)·q^k/k^e")

    @cached_property
    def point_weights(self) -> dict[int, FieldElement]:
        """The weights of single lengths in addition to ``summand``: all weights of a finite support."""
        convert = self.field.domain.convert
        return {k: convert(QQ(w.numerator, w.denominator)) for k, w in self.items()} if self.finite else {}

    def closed(self, form: Form, s: SymExpr) -> SymExpr:
        """Return a form at the weights as an expression, length by length; raises ``NotClosed`` where that is not possible."""
        field = Field.of(*self.parameters, s)
        bound_form, size = bound(form, *self.support), field.domain.from_sympy(s)
        if bound_form.user_defined and not bound_form.rational:
            raise NotClosed(bound_form.unclosed)
        formula = bound_form.rational.value if bound_form.rational else bound_form.formula
        total = value_of_points(field, self._weights(field), lambda i, j: formula(QQ(i), QQ(j), size))
        return field.domain.to_sympy(total)

    def _weights(self, field: Field) -> dict[int, FieldElement]:
        low, high = self.support
        assert high is not None
        if high - low >= MOST_WITH_SYMBOLS:
            raise NotClosed(f"with s as a symbol at most {MOST_WITH_SYMBOLS} lengths are written out")
        if not self.parameters:
            return {k: field.domain.convert(w) for k, w in self.point_weights.items()}
        try:
            return {k: field.element(self.expr.subs(K, k)) for k in range(low, high + 1)}
        except NotClosed:
            raise NotClosed("the weights are not rational in the parameters") from None

    # ---- finite supports -------------------------------------------------------------------------------------------

    @property
    def finite(self) -> bool:
        """Whether the support is bounded."""
        return self.support[1] is not None

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Iterate over (length, weight) with positive weight, for a finite support."""
        low, high = self.support
        if high is None:
            raise self.refusal("must have a finite support here; truncate it first")
        for k in range(low, high + 1):
            w = self.weight(k)
            if w:
                yield k, w

    def truncate(self, u: int) -> Distribution:
        """Return the distribution conditioned on lengths ≤ u, as a finite distribution."""
        low, high = self.support
        u = integer("u", u, low, LARGEST_SUPPORT)
        return self.until(u if high is None else min(u, high))

    def until(self, u: int) -> Distribution:
        """Return the distribution conditioned on lengths ≤ u, a length of the support."""
        return Empirical({k: self.weight(k) for k in range(self.support[0], u + 1)})

    def ball_weights(self, first: int, last: int) -> ObjectArray:
        """Return balls of the weights of the lengths first, …, last, all in the support, as an array."""
        return balls(self.weight(k) for k in range(first, last + 1))

    def mass(self, first: int, last: int) -> Ball:
        """Return a ball of the sum of the weights of the lengths first, …, last, all in the support."""
        return self.ball_weights(first, last).sum()

    def total_ball(self) -> Ball:
        """Return a ball of the sum of all weights, at the precision that is set."""
        return ball_value(sp.sympify(self.moment(0)), {})

    # ---- moments ---------------------------------------------------------------------------------------------------

    def moment(self, power: int) -> Any:
        """Return Σ k^power weight(k) for the power 0, 1 or 2: a ``Fraction``, or a SymPy expression where it may not be rational."""
        return sum((k**power * w for k, w in self.items()), Fraction(0))

    def pmf(self, k: int) -> Fraction | SymExpr:
        """Return the probability of length k: a ``Fraction``, or a SymPy expression where the total is not rational."""
        low, high = self.support
        if not isinstance(k, int) or k < low or (high is not None and k > high):  # pyright: ignore[reportUnnecessaryIsInstance]
            return Fraction(0)
        return _quotient(self.weight(k), self.moment(0))

    def tail(self, k: int) -> Fraction | SymExpr:
        """Return the probability of a length of at least k."""
        low, high = self.support
        if high is not None and k > high:
            return Fraction(0)
        below = sum((self.weight(i) for i in range(low, k)), Fraction(0))
        total = self.moment(0)
        return _quotient(total - below, total)

    @property
    def mean(self) -> Fraction | SymExpr:
        """The mean length, in tokens."""
        return _quotient(self.moment(1), self.moment(0))

    @property
    def variance(self) -> Fraction | SymExpr:
        """The variance of the length, in tokens squared."""
        total, first = self.moment(0), self.moment(1)
        return _quotient(self.moment(2), total) - _quotient(first, total) ** 2

    def sample(self, n: int, rng: np.random.Generator) -> IntArray:
        """Return n lengths drawn with the NumPy generator ``rng``, by inversion, as an integer array.

        An unbounded law is cut where its remaining probability is below 2⁻⁶⁰.
        """
        return self.quantiles(rng.random(integer("n", n, 0)))

    def quantiles(self, shares: FloatArray) -> IntArray:
        """Return, for each share in [0, 1), the smallest length whose cumulative probability is above it."""
        lengths, cumulative = self._table
        indices = np.searchsorted(cumulative, shares * cumulative[-1], side="right")
        return lengths[indices.clip(max=len(lengths) - 1)]

    @cached_property
    def _table(self) -> tuple[IntArray, FloatArray]:
        """The lengths and the running sums of their weights, as arrays; the weights up to a common power of 2."""
        low, high = self.support
        if high is not None and self.rational:
            pairs = list(self.items())
            return np.array([k for k, _ in pairs]), np.cumsum([float(w) for _, w in pairs])
        high = high or self.cut(Fraction(1, 2**60))
        with precision(128):
            weights = self.ball_weights(low, high)
            total: Any = weights.sum()
            exponent = ceil(float(total.log()) / log(2))
            scale = ball(Fraction(1, 2 ** max(exponent, 0)))  # a weight may be too large for a float
            values = [float(w * scale) for w in weights]
        return np.arange(low, high + 1), np.cumsum(values)

    def cut(self, share: Fraction) -> int:
        """Return a length beyond which at most ``share`` of the weight lies."""
        k = self.support[0] + 63
        allowed = share * self.least_total
        while k <= LARGEST_SUPPORT:
            if self.tail_bound(k) <= allowed:
                return k
            k *= 2
        raise self.refusal("has too heavy a tail; give it an end, u=…")

    @cached_property
    def least_total(self) -> Fraction:
        """A number > 0 that the weights of all lengths together are not below."""
        low = self.support[0]
        return sum((self.weight(k) for k in range(low, low + 64)), Fraction(0))

    def tail_bound(self, k: int) -> Fraction:
        """Return an upper bound of Σ_{j>k} weight(j): of weights, not probabilities, and without k, which :meth:`tail` includes."""
        return self.tail_moment_bound(k, 0)

    def tail_moment_bound(self, k: int, s: int) -> Fraction:
        """Return an upper bound of Σ_{j>k} (s + j)² weight(j); an unbounded law has its own."""
        if not self.finite:
            raise self.refusal("has no bound on its tail; give it a finite support")
        return sum((w * (s + j) ** 2 for j, w in self.items() if j > k), Fraction(0))

    def __setattr__(self, name: str, value: object) -> None:
        if name in self.__dict__:
            raise AttributeError(f"{self.spec()} is immutable")
        super().__setattr__(name, value)

    def __deepcopy__(self, memo: object) -> Distribution:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and self.spec() == other.spec()

    def __hash__(self) -> int:
        return hash(self.spec())

    def __repr__(self) -> str:
        return self.spec()


Lengths: TypeAlias = "npt.ArrayLike | Iterable[int]"
"""One length for each request: a list, an integer array or a pandas column."""

Weights: TypeAlias = "Mapping[int, int] | Mapping[int, float] | Mapping[int, Fraction]"
"""The weight of each length."""

LawLike: TypeAlias = "str | Distribution | Weights | Lengths"
"""A distribution, its spec, or lengths or weights of which ``Empirical`` makes one."""


class Empirical(Distribution):
    """The distribution of given lengths, or with the weight counts[k] at length k; weights are exact and need not sum to 1.

    A float weight stands for the decimal that Python prints for it: 0.1 is 1/10.

    >>> Empirical([3, 5, 5, 9])
    empirical(3:1, 5:2, 9:1)
    >>> Empirical({1: 0.75, 10: 0.25}).weight(1)
    Fraction(3, 4)
    """

    sparse = True

    def __init__(self, counts: Weights | Lengths, spec: str | None = None) -> None:
        checked: dict[int, Fraction] = {}
        for k, w in sorted((counts if isinstance(counts, Mapping) else _counted(counts)).items()):
            length = integer("length", k, 1, LARGEST_SUPPORT)
            if isinstance(w, float | np.floating | Decimal):
                w = number("weight", str(w))
            if not isinstance(w, Rational | Integral):  # pyright: ignore[reportUnnecessaryIsInstance] -- from outside
                raise InputError("weight", str(w), f"must be a number (length {length})")
            if w < 0:
                raise InputError("weight", w, f"must be ≥ 0 (length {length})")
            if w:
                checked[length] = Fraction(w)
        if not checked:
            raise InputError("lengths", "none", "there must be at least one length of positive weight")
        self._counts = checked
        self._spec = spec

    @classmethod
    def from_lengths(cls, lengths: Lengths, spec: str | None = None) -> Empirical:
        """Return the empirical law of a sequence, an integer array or a pandas column of lengths."""
        if isinstance(lengths, Mapping):
            raise InputError("lengths", "a mapping", "must be one length for each request; Empirical takes weights")
        return cls(lengths, spec)

    @classmethod
    def from_csv(cls, path: str | Path, column: str, skip_invalid: bool = False) -> Empirical:
        """Return the empirical law of an integer column of a CSV file with a header line; see :meth:`from_file`."""
        return cls.from_file(f"csv:{path}#{column}", skip_invalid)

    @classmethod
    def from_parquet(cls, path: str | Path, column: str, skip_invalid: bool = False) -> Empirical:
        """Return the empirical law of an integer column of a Parquet file; see :meth:`from_file`."""
        return cls.from_file(f"parquet:{path}#{column}", skip_invalid)

    @classmethod
    def from_file(cls, source: str, skip_invalid: bool = False) -> Empirical:
        """Return the empirical law of an integer column of a data file.

        Parameters
        ----------
        source : str
            ``csv:FILE#COLUMN``, ``jsonl:FILE#COLUMN`` or, with the extra crtools[parquet], ``parquet:FILE#COLUMN``.
        skip_invalid : bool
            Leave out rows without a length ≥ 1, and count them in ``skipped``; they are refused otherwise.
        """
        kind, path, column = parse_source("distribution", source, "COLUMN")
        table = read_table(kind, path, [column])
        lengths = table.integers(column, 1, LARGEST_SUPPORT)
        kept = table.kept(skip_invalid)
        law = cls.from_lengths(lengths[kept], source)
        law.skipped = int(len(kept) - kept.sum())
        return law

    @property
    def support(self) -> tuple[int, int]:
        """The smallest and the largest length that occurs."""
        lengths = list(self._counts)
        return lengths[0], lengths[-1]

    @property
    def expr(self) -> SymExpr:
        """A piecewise expression in k."""
        pairs = [(sp.Rational(w), sp.Eq(K, k)) for k, w in self._counts.items()]
        return sp.Piecewise(*pairs, (0, True))

    def weight(self, k: int) -> Fraction:
        """Return the count at length k."""
        return self._counts.get(k, Fraction(0))

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Iterate over (length, count)."""
        return iter(self._counts.items())

    def mass(self, first: int, last: int) -> Ball:
        """Return a ball of the sum of the counts of first, …, last."""
        return ball(sum((w for k, w in self._counts.items() if first <= k <= last), Fraction(0)))

    def spec(self) -> str:
        """Return where it came from, or its counts as empirical(k: w, …)."""
        if self._spec is not None:
            return self._spec
        return "empirical(" + ", ".join(f"{k}:{w}" for k, w in self._counts.items()) + ")"

    def __repr__(self) -> str:
        low, high = self.support
        text = f"empirical({len(self._counts)} lengths, {low} to {high})" if len(self._counts) > LISTED else self.spec()
        text = text if self._spec is None else self._spec
        return f"{text}, which is {self.truncation}" if self.truncation else text


def spec_text(name: str, /, *first: object, **values: Any) -> str:
    """Return a spec; a symbol with the name of its parameter stands alone."""
    named = (n if isinstance(v, sp.Symbol) and v.name == n else f"{n}={v}" for n, v in values.items())
    return f"{name}({', '.join([*map(str, first), *named])})"


def given_ends(l: int, u: Any) -> dict[str, Any]:
    """Return the ends that a spec names: those that are not 1 and None."""
    return ({} if l == 1 else {"l": l}) | ({} if u is None else {"u": u})


class ExpressionDistribution(Distribution):
    """A distribution that is stated by its ends, its weight and its spec; one with a symbol for an end is derived, not evaluated."""

    def __init__(self, l: Any, u: Any, expr: SymExpr, spec: str) -> None:
        self.l, self.u, self._expr, self._spec = l, u, sp.sympify(expr), spec
        self.open_ends = isinstance(l, sp.Symbol) or isinstance(u, sp.Symbol)

    @property
    def support(self) -> tuple[int, int | None]:
        """The ends as given, u None where there is none; raises ``InputError`` where one is a symbol."""
        if self.open_ends:
            raise self.refusal("needs numbers for l and u here")
        return int(self.l), None if self.u is None else int(self.u)

    @property
    def expr(self) -> SymExpr:
        """The weight as given."""
        return self._expr

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """The symbols other than k, sorted by name."""
        symbols = free_symbols(self._expr) | {end for end in (self.l, self.u) if isinstance(end, sp.Symbol)}
        return tuple(sorted(symbols - {K}, key=lambda x: x.name))

    def spec(self) -> str:
        """Return the spec text."""
        return self._spec


def is_data(value: object) -> bool:
    """Return whether a value is weights by length, or a list or an array of numbers, of which ``Empirical`` makes a law."""
    if isinstance(value, Mapping):
        return True
    many = hasattr(value, "__array__") or (isinstance(value, Sequence) and not isinstance(value, str | bytes))
    return many and bool(len(cast("Sequence[int]", value))) and _array(cast("Lengths", value)).dtype.kind in "iuf"


def _array(lengths: Lengths) -> npt.NDArray[Any]:
    """Return an array of lengths, with NaN for a masked value or None."""
    if isinstance(lengths, np.ma.MaskedArray):
        return np.ma.filled(lengths.astype(np.float64), np.nan)
    try:
        array = np.asarray(lengths if hasattr(lengths, "__array__") else list(cast("Iterable[int]", lengths)))
    except (TypeError, ValueError):
        allowed = "must be integers, or a mapping of lengths to weights"
        raise InputError("lengths", type(lengths).__name__, allowed) from None
    numbers = array.dtype.kind == "O" and all(item is None or isinstance(item, Real) for item in array.flat)
    return array.astype(np.float64) if numbers else array


def _counted(lengths: Lengths) -> dict[int, int]:
    """Return how often each length occurs; floats must be whole, as pandas has integers in a column with missing values."""
    array = _array(lengths)
    if array.ndim != 1:
        raise InputError("lengths", f"{array.ndim} dimensions", "must be a sequence of integers")
    if array.size == 0:
        raise InputError("lengths", "none", "there must be at least one length")
    if array.dtype.kind == "f" and np.isnan(array).any():
        missing = f"{np.isnan(array).sum()} of {array.size} are missing"
        raise InputError("lengths", missing, "leave them out first, as column.dropna() does")
    if array.dtype.kind == "f" and (array == np.floor(array)).all() and (abs(array) <= LARGEST_SUPPORT).all():
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        wrong = (item for item in array.tolist() if not isinstance(item, int) and item not in range(LARGEST_SUPPORT))
        raise InputError("lengths", repr(next(wrong, array.dtype)), f"must be integers from 1 to {LARGEST_SUPPORT}")
    values, counts = np.unique(array, return_counts=True)
    return {int(k): int(c) for k, c in zip(values, counts, strict=True)}


def _quotient(a: Fraction | SymExpr, b: Fraction | SymExpr) -> Fraction | SymExpr:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a / b
    return sp.simplify(sp.S.One * a / b)
