"""The kinds of steps in a proof: formulas, which the checker's kernel decides, and sentences.

:meth:`Step.check` returns None where a step holds, and otherwise the reason why not. A formula is judged as text by
``check/kernel.py``, which alone defines what its rule means. A step that cites a theorem of the literature, or joins
earlier steps in words, names the steps that it rests on; a theorem holds only if each of them does. Theorems are built
of steps by ``builder`` (in Python) and ``text`` (from a theory's text); ``coq`` writes a lemma for each formula.
"""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from typing import Any, NamedTuple

import sympy as sp
from sympy.printing.str import StrPrinter
from sympy.utilities.iterables import flatten

from check.kernel import LONGEST_NAME, Rejected, Work, judge
from crtools.errors import NotCertified
from crtools.numeric_types import JsonObject, SymExpr, SymObject
from crtools.proof import PRODUCTS

LITERATURE = (
    "Perron–Frobenius",
    "Collatz–Wielandt",
    "Temple–Kato",
    "Schur's product theorem",
    "Bochner",
    "Sturm",
    "Descartes",
    "Abel summation",
    "ieee754",
)
"""The closed list of theorems from the literature that an :class:`Inference`, or an enclosure, may cite; the judge has no list."""


def spelled(symbol: sp.Symbol) -> str:
    """Return a name that the kernel reads: the symbol's own unless that is a keyword, too long or not of letters and digits."""
    name = f"{symbol.name}_" if iskeyword(symbol.name) or isinstance(symbol, sp.Dummy) else str(symbol.name)
    if len(name) <= LONGEST_NAME and re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        return name
    return f"v{hashlib.sha256(name.encode()).hexdigest()[: LONGEST_NAME - 1]}"


class _Printer(StrPrinter):
    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return spelled(expr)

    _print_Dummy = _print_Symbol

    def _print_Exp1(self, expr: SymExpr) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        return "exp(1)"

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        if expr.exp.is_number and not expr.exp.is_Integer:
            raise ValueError(f"{expr} is not a rational function")
        return str(super()._print_Pow(expr, rational))  # type: ignore[no-untyped-call]


def kernel_text(expr: SymExpr) -> str:
    """Return a rational function as text, also of powers and factorials; ``ValueError`` for a root, a float, π, i or ∞.

    The text, which another program checks again, has integers, names, + − · /, powers, ``exp``, ``min``, ``max``, ``factorial`` and
    ``binomial``, in Python's notation, and ``Sum(term, (k, low, high))``.
    """
    value: SymObject = sp.sympify(expr)
    if not all(isinstance(part, (sp.Symbol, sp.Rational, type(sp.E))) for part in value.atoms()):
        raise ValueError(f"{expr} is no rational function with exact numbers")
    return str(_Printer().doprint(value)).replace("Min(", "min(").replace("Max(", "max(")


class Bound(NamedTuple):
    """A variable is at least ``low`` (above it where ``strict``) and below ``high`` (at most that where ``closed``), if any."""

    variable: SymObject
    low: SymObject
    strict: bool = False
    high: SymObject = None
    closed: bool = False

    def data(self) -> str:
        """Return the bound as the kernel reads it."""
        above = "" if self.high is None else f"{kernel_text(self.high)} {'>=' if self.closed else '>'} "
        return f"{above}{kernel_text(self.variable)} {'>' if self.strict else '>='} {kernel_text(self.low)}"

    def latex(self) -> str:
        """Return the bound as a formula."""
        below = r"\ge" if self.closed else ">"
        above = "" if self.high is None else f"{_latex(sp.sympify(self.high))} {below} "
        relation = ">" if self.strict else r"\ge"
        return rf"{above}{_latex(self.variable)} {relation} {_latex(sp.sympify(self.low))}"


def _conditions(where: Sequence[Bound]) -> str:
    ranges = r",\ ".join(bound.latex() for bound in where)
    return rf" \quad ({ranges})" if where else ""


def _latex(expr: SymObject) -> str:
    """Return an expression in LaTeX; a name of Python's with an underscore after it, such as ``lambda_``, has no index."""
    return str(sp.latex(expr)).replace("_{}", "")


@dataclass(frozen=True, kw_only=True)
class Step(ABC):
    """One step: a name, a sentence that says what it shows, and a check.

    ``premises``: the names of the earlier steps that it rests on. ``uses``: the theorems of the literature that it takes.
    """

    name: str
    text: str = ""
    premises: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    @abstractmethod
    def check(self) -> str | None:
        """Return None where the step holds, else the reason why not."""

    @abstractmethod
    def latex(self) -> str:
        """Return the step as a formula."""

    @property
    def formal(self) -> JsonObject | None:
        """The step as data for another program: a rule of the kernel, and expressions as text; None for what has no rule."""
        return None

    @property
    def expressions(self) -> list[SymObject]:
        """The SymPy expressions among its fields, and in their tuples."""
        return [part for part in flatten(list(vars(self).values())) if isinstance(part, sp.Basic)]


@dataclass(frozen=True, kw_only=True)
class Formula(Step):
    """A step that is a formula, decided by the kernel. ``said``: its text is a sentence that counts, and not only a note.

    ``where``: bounds of its variables, each from what comes before it; of a ``Bound`` the first fields suffice, (v, low) for v ≥ low.
    """

    where: tuple[Any, ...] = ()
    said: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "where", tuple(Bound(*fields) for fields in self.where))

    @property
    def _range(self) -> list[str]:
        return [bound.data() for bound in self.where]

    @abstractmethod
    def data(self) -> JsonObject:
        """Return the rule and its fields; ``ValueError`` where an expression is no rational function."""

    @cached_property
    def _formal(self) -> JsonObject:
        symbols = {symbol for part in self.expressions for symbol in part.atoms(sp.Symbol)}
        names = list(map(spelled, symbols))
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated:
            raise ValueError(f"two variables have the name {repeated}")
        return self.data()

    @property
    def formal(self) -> JsonObject | None:
        """The step as data, or None where an expression is no rational function."""
        try:
            return self._formal
        except (ValueError, sp.PolynomialError):
            return None

    def check(self) -> str | None:
        """Ask the kernel; ``ValueError`` where an expression is no rational function."""
        Work.start(PRODUCTS)
        try:
            judge(self._formal)
        except Rejected as error:
            return str(error)
        return None


@dataclass(frozen=True, kw_only=True)
class Identity(Formula):
    """Two rational functions are equal, and defined for all values of the variables above lower bounds.

    A variable without a bound that occurs in a denominator is taken to be at least 1.
    """

    lhs: SymObject
    rhs: SymObject

    def data(self) -> JsonObject:
        """Return both sides."""
        return {"rule": "identity", "where": self._range, "left": kernel_text(self.lhs), "right": kernel_text(self.rhs)}

    def latex(self) -> str:
        """Return lhs = rhs, or one of them where they are written the same."""
        lhs, rhs = _latex(self.lhs), _latex(self.rhs)
        return (rhs if lhs == rhs else f"{lhs} = {rhs}") + _conditions(self.where)


@dataclass(frozen=True, kw_only=True)
class Positive(Formula):
    """A rational function is > 0, or ≥ 0, for all values of its variables in a range.

    Each pair (v, b) of ``where`` states v ≥ b; an entry may be a whole :class:`Bound`, strict and with an upper end. b may contain
    earlier variables of the list. After v = b + v', v' ≥ 0, from the last to the first, numerator and
    denominator must have no negative coefficient, and a positive constant term where they must not vanish; what is divided by must
    not be 0 anywhere in the range. ``squares`` are subtracted first: expr = Σ squares² + rest, and the rest is checked.
    """

    expr: SymObject
    strict: bool = True
    squares: tuple[SymObject, ...] = ()

    def data(self) -> JsonObject:
        """Return the range, the function and the squares."""
        return {
            "rule": "sign",
            "where": self._range,
            "expression": kernel_text(self.expr),
            "relation": ">" if self.strict else ">=",
            "squares": [kernel_text(q) for q in self.squares],
        }

    def latex(self) -> str:
        """Return expr > 0 with its range."""
        relation = ">" if self.strict else r"\ge"
        return f"{_latex(self.expr)} {relation} 0{_conditions(self.where)}"


@dataclass(frozen=True, kw_only=True)
class Telescoping(Formula):
    """Σ_{k=a}^{b} f(k) = F(b) − F(a−1) for all integers a ≤ b + 1, because F(k) − F(k−1) = f(k).

    ``where``: what a and other variables are at least, the index last; from 1 on where there is no bound.
    """

    summand: SymObject
    antidifference: SymObject
    index: SymObject

    def data(self) -> JsonObject:
        """Return the range, f and F."""
        bounded = self.where and self.where[-1].variable == self.index
        where = self._range if bounded else [*self._range, Bound(self.index, 1).data()]
        sides = {"summand": kernel_text(self.summand), "total": kernel_text(self.antidifference)}
        return {"rule": "sum", "index": kernel_text(self.index), "where": where, **sides}

    def latex(self) -> str:
        """Return f(k) = F(k) − F(k−1)."""
        k = _latex(self.index)
        formula = rf"{_latex(self.summand)} = F({k}) - F({k}-1),\quad F({k}) = {_latex(self.antidifference)}"
        return formula + _conditions(self.where)


@dataclass(frozen=True, kw_only=True)
class Induction(Formula):
    """Two sides are equal for every integer n ≥ start: they are equal at n = start, and so are their increments.

    Both sides may contain finite sums whose upper end is n + constant; the increment of such a sum is its new
    term. (Sums with an empty range are 0.) No denominator vanishes from the start on. ``where`` bounds the other variables,
    in which the start may be.
    """

    lhs: SymObject
    rhs: SymObject
    index: SymObject
    start: SymObject = 1

    def data(self) -> JsonObject:
        """Return both sides, with the index, where it starts, and the range of the others where they have one."""
        sides = {"left": kernel_text(self.lhs), "right": kernel_text(self.rhs)}
        start = self.start if isinstance(self.start, int) else kernel_text(self.start)
        bounds = {"where": self._range} if self.where else {}
        return {"rule": "induction", "index": kernel_text(self.index), "start": start, **sides, **bounds}

    def latex(self) -> str:
        """Return lhs = rhs with its range."""
        return f"{_latex(self.lhs)} = {_latex(self.rhs)}{_conditions((*self.where, Bound(self.index, self.start)))}"


@dataclass(frozen=True, kw_only=True)
class PolynomialIntegral(Formula):
    """∫_low^high of a polynomial in v equals a rational function."""

    integrand: SymObject
    variable: SymObject
    low: SymObject
    high: SymObject
    value: SymObject

    def data(self) -> JsonObject:
        """Return the integrand, its variable and ends, and the value."""
        names = ("integrand", "variable", "low", "high", "value")
        return {"rule": "integral", "where": self._range, **{name: kernel_text(getattr(self, name)) for name in names}}

    def latex(self) -> str:
        """Return ∫ = value."""
        v = _latex(self.variable)
        limits = rf"_{{{_latex(self.low)}}}^{{{_latex(self.high)}}}"
        return rf"\int{limits} {_latex(self.integrand)}\,d{v} = {_latex(self.value)}{_conditions(self.where)}"


@dataclass(frozen=True, kw_only=True)
class Sentence(Step):
    """A step whose conclusion is a sentence in words or LaTeX, which must be printable."""

    conclusion: str

    def unreadable(self) -> str | None:
        """Return why the step has no readable sentence, or None."""
        if not self.conclusion.strip():
            return "it has no conclusion"
        return None if (self.conclusion + self.text).isprintable() else "its words cannot be printed"

    def latex(self) -> str:
        """Return the conclusion."""
        return self.conclusion


@dataclass(frozen=True, kw_only=True)
class Inference(Sentence):
    """A conclusion from earlier steps (its premises) in words, with the theorems of the literature that it uses."""

    def check(self) -> str | None:
        """Check that it rests on something and cites only the closed list; premises are checked by the theorem."""
        unknown = [t for t in self.uses if t not in LITERATURE]
        if unknown:
            return f"{unknown[0]} is not in the list of citable theorems"
        return self.unreadable() if self.premises else "the inference rests on no step"


@dataclass(frozen=True, kw_only=True)
class Argument(Sentence):
    """A combinatorial argument about every run of the process: the proof is in words, and a trial on small runs must not fail.

    ``text`` is the argument. ``test`` looks at every small run that ``tested`` describes and returns the first at
    which the conclusion fails, or None. The test cannot replace the words; it would catch a wrong constant or rule.
    ``test`` is None for a text of this package, whose arguments its tests try.
    """

    test: Callable[[], str | None] | None
    tested: str

    def check(self) -> str | None:
        """Run the test; an argument without words does not hold."""
        unreadable = self.unreadable() if self.text.strip() else "the argument has no words"
        return unreadable or (self.test and self.test())


@dataclass(frozen=True, kw_only=True)
class Computation(Sentence):
    """An inequality between given numbers or functions of one variable, decided by exact or ball arithmetic.

    ``compute`` returns None where it holds. Nothing is sampled: what it covers, it covers by enclosures.
    """

    compute: Callable[[], str | None]

    def check(self) -> str | None:
        """Compute it; where no enclosure is reached, the step does not hold."""
        try:
            return self.unreadable() or self.compute()
        except NotCertified as error:
            return str(error)
