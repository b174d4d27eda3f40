"""The kinds of steps that a proof is made of. Each reduces to a decidable check that runs every time.

A step's :meth:`Step.check` returns None where it holds and else a sentence that says why not. A step that cites a
theorem of the literature, or joins earlier steps in words, names the steps that it rests on; a theorem holds only
if each of them does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.errors import NotCertified

LITERATURE = (
    "Perron–Frobenius",
    "Collatz–Wielandt",
    "Temple–Kato",
    "Schur's product theorem",
    "Bochner",
    "Sturm",
    "Abel summation",
    "ieee754",
)
"""The theorems that a verdict may take from the literature."""


def _cancelled(expr: Any) -> Any:
    """Return a rational function over one denominator, 0 exactly where it is 0; ``ValueError`` for anything else."""
    expr = sp.sympify(expr)
    if not expr.is_rational_function(*expr.free_symbols):
        raise ValueError(f"{expr} is not a rational function")
    for power in expr.atoms(sp.Pow):
        if power.exp.free_symbols:
            raise ValueError(f"{power} is not a rational function")
    result = sp.cancel(sp.together(expr))
    numerator = sp.fraction(result)[0]
    free = sorted(numerator.free_symbols, key=str) or [sp.Dummy()]
    return sp.S.Zero if sp.Poly(numerator, *free).is_zero else result  # cancel may leave −1/2 + 1/2 as it is


def _real(expr: Any) -> Any:
    """Return the expression with its symbols taken as real."""
    return sp.sympify(expr).xreplace({x: sp.Dummy(x.name, real=True) for x in sp.sympify(expr).free_symbols})


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


@dataclass(frozen=True, kw_only=True)
class Identity(Step):
    """Two rational functions are equal: their difference cancels to 0."""

    lhs: Any
    rhs: Any

    def check(self) -> str | None:
        """Bring lhs − rhs over one denominator and cancel."""
        rest = _cancelled(sp.sympify(self.lhs) - sp.sympify(self.rhs))
        return None if rest == 0 else f"the two sides differ by {sp.factor(rest)}"

    def latex(self) -> str:
        """Return lhs = rhs, or one of them where they are written the same."""
        left, right = sp.latex(self.lhs), sp.latex(self.rhs)
        return right if left == right else f"{left} = {right}"


@dataclass(frozen=True, kw_only=True)
class Positive(Step):
    """A rational function is > 0 (≥ 0 with ``strict`` False) for all values of its variables above lower bounds.

    Each pair (v, b) of ``where`` states v ≥ b; b may contain earlier variables of the list. After v = b + v', v' ≥ 0,
    from the last to the first, numerator and denominator must have no negative coefficient, and a positive constant term where
    they must not vanish. ``squares`` are subtracted first: expr = Σ squares² + rest, and the rest is checked.
    """

    expr: Any
    where: tuple[tuple[Any, Any], ...]
    strict: bool = True
    squares: tuple[Any, ...] = ()

    @cached_property
    def shifted(self) -> Any:
        """What is left beside the squares, with every variable counted from its bound, over one denominator."""
        rest = sp.sympify(self.expr) - sum((q**2 for q in map(sp.sympify, self.squares)), sp.Integer(0))
        for variable, bound in reversed(self.where):
            rest = rest.xreplace({variable: variable + sp.sympify(bound)})
        return _cancelled(rest)

    def check(self) -> str | None:
        """Look at the signs of the coefficients of what is left."""
        numerator, denominator = sp.fraction(self.shifted)
        free = [v for v, _ in self.where]
        if len(set(free)) < len(free):
            return "a variable has two bounds"
        if any(q.as_real_imag()[1] != 0 for q in map(_real, self.squares)):
            return "a square is not of a real number"
        for place, (v, bound) in enumerate(self.where):
            if sp.sympify(bound).free_symbols - set(free[:place]):
                return f"the bound of {v} uses a variable that does not come before it"
        if (numerator.free_symbols | denominator.free_symbols) - set(free):
            return "a variable without a lower bound occurs"
        if numerator == 0:
            return "the expression vanishes identically" if self.strict else None
        below, above = sp.Poly(denominator, *free), sp.Poly(numerator, *free)
        for part, strict in ((below, True), (above, self.strict)):
            if any(c < 0 for c in part.coeffs()):
                return f"a coefficient of {part.as_expr()} is negative after the shift"
            at_origin: Any = part.eval(dict.fromkeys(free, 0))
            if strict and not at_origin > 0:
                return f"{part.as_expr()} may vanish after the shift"
        return None

    def latex(self) -> str:
        """Return expr > 0 with its range."""
        ranges = r",\ ".join(rf"{sp.latex(v)} \ge {sp.latex(sp.sympify(b))}" for v, b in self.where)
        sign = ">" if self.strict else r"\ge"
        return rf"{sp.latex(self.expr)} {sign} 0 \quad ({ranges})"


@dataclass(frozen=True, kw_only=True)
class Telescoping(Step):
    """Σ_{k=a}^{b} f(k) = F(b) − F(a−1) for all integers a ≤ b + 1, because F(k) − F(k−1) = f(k)."""

    summand: Any
    antidifference: Any
    index: Any

    def check(self) -> str | None:
        """Check F(k) − F(k−1) − f(k) = 0 as a rational function."""
        f, big = sp.sympify(self.summand), sp.sympify(self.antidifference)
        rest = _cancelled(big - big.subs(self.index, self.index - 1) - f)
        return None if rest == 0 else f"F(k) − F(k−1) − f(k) = {sp.factor(rest)}"

    def latex(self) -> str:
        """Return f(k) = F(k) − F(k−1)."""
        k = sp.latex(self.index)
        return rf"{sp.latex(self.summand)} = F({k}) - F({k}-1),\quad F({k}) = {sp.latex(self.antidifference)}"


@dataclass(frozen=True, kw_only=True)
class Induction(Step):
    """lhs(n) = rhs(n) for every integer n ≥ start: equal at n = start, and their increments are equal.

    Both sides may contain finite sums whose upper end is n + constant; the increment of such a sum is its new
    term. (Sums with an empty range are 0.)
    """

    lhs: Any
    rhs: Any
    index: Any
    start: int = 1

    def check(self) -> str | None:
        """Check the base case exactly and the increment as a rational function."""
        difference = sp.sympify(self.lhs) - sp.sympify(self.rhs)
        base = self._first_step(difference)
        if base is None:
            return "a sum's ends are not a constant and n + constant, or too far apart"
        for n in range(self.start, base + 1):
            value = at_integer(difference, self.index, n)
            if value != 0:
                return f"at {self.index} = {n} the two sides differ by {value}"
        rest = _cancelled(_increment(difference, self.index))
        return None if rest == 0 else f"the increments differ by {sp.factor(rest)}"

    def _first_step(self, difference: Any) -> int | None:
        """Return the n from which every sum has gained each of its terms one at a time: its range is not inverted."""
        first = self.start
        for sum_ in difference.atoms(sp.Sum):
            _, low, high = sum_.limits[0]
            offset = sp.expand(high - self.index)
            if len(sum_.limits) != 1 or sum_.function.has(self.index) or not (low.is_Integer and offset.is_Integer):
                return None
            first = max(first, int(low) - 1 - int(offset))
        return first if first - self.start <= 200 else None

    def latex(self) -> str:
        """Return lhs = rhs with its range."""
        return rf"{sp.latex(self.lhs)} = {sp.latex(self.rhs)} \quad ({sp.latex(self.index)} \ge {self.start})"


def at_integer(expr: Any, index: Any, value: int) -> Any:
    """Return the exact value of an expression with finite sums at an integer; empty sums are 0."""

    def expand(sum_: Any) -> Any:
        term, (i, low, high) = sum_.function, sum_.limits[0]
        return sp.Add(*(at_integer(term, i, k) for k in range(int(low), int(high) + 1)))

    return sp.cancel(sp.sympify(expr).subs(index, value).replace(lambda e: isinstance(e, sp.Sum), expand))


def _increment(expr: Any, index: Any) -> Any:
    """Return expr at index + 1 less expr; each sum, over … index + c, is a symbol that gains the sum's new term."""
    sums = {sum_: sp.Dummy() for sum_ in expr.atoms(sp.Sum)}
    ends = ((sum_.function, *sum_.limits[0], symbol) for sum_, symbol in sums.items())
    gained = {symbol: symbol + term.subs(i, high + 1) for term, i, _, high, symbol in ends}
    before = expr.xreplace(sums)
    return before.subs(index, index + 1).xreplace(gained) - before


@dataclass(frozen=True, kw_only=True)
class PolynomialIntegral(Step):
    """∫_low^high of a polynomial in v equals a rational function."""

    integrand: Any
    variable: Any
    low: Any
    high: Any
    value: Any

    def check(self) -> str | None:
        """Integrate the polynomial term by term and compare."""
        poly = sp.Poly(sp.together(self.integrand), self.variable)
        primitive = poly.integrate().as_expr()
        got = primitive.subs(self.variable, self.high) - primitive.subs(self.variable, self.low)
        rest = _cancelled(got - self.value)
        return None if rest == 0 else f"the integral differs from the value by {sp.factor(rest)}"

    def latex(self) -> str:
        """Return ∫ = value."""
        v = sp.latex(self.variable)
        limits = rf"_{{{sp.latex(self.low)}}}^{{{sp.latex(self.high)}}}"
        return rf"\int{limits} {sp.latex(self.integrand)}\,d{v} = {sp.latex(self.value)}"


@dataclass(frozen=True, kw_only=True)
class Said(Step):
    """A step whose conclusion is said in words or LaTeX."""

    conclusion: str

    def latex(self) -> str:
        """Return the conclusion."""
        return self.conclusion


@dataclass(frozen=True, kw_only=True)
class Inference(Said):
    """What follows from earlier steps, its premises, in words, with the theorems of the literature that it uses."""

    def check(self) -> str | None:
        """Check that it rests on something and cites only the closed list; premises are checked by the theorem."""
        unknown = [t for t in self.uses if t not in LITERATURE]
        if unknown:
            return f"{unknown[0]} is not in the list of citable theorems"
        return None if self.premises else "the inference rests on no step"


@dataclass(frozen=True, kw_only=True)
class Argument(Said):
    """A combinatorial argument about every run of the process: its words are the proof, and a test that must not fail.

    ``text`` is the argument. ``test`` looks at every small run that ``tested`` describes and returns the first at
    which the conclusion fails, or None. The test cannot replace the words; it would catch a wrong constant or rule.
    """

    test: Callable[[], str | None]
    tested: str

    def check(self) -> str | None:
        """Run the test; an argument without words does not hold."""
        return self.test() if self.text else "the argument has no words"


@dataclass(frozen=True, kw_only=True)
class Computation(Said):
    """An inequality between given numbers or functions of one variable that exact numbers or balls decide whole.

    ``compute`` returns None where it holds. Nothing is sampled: what it covers, it covers by enclosures.
    """

    compute: Callable[[], str | None]

    def check(self) -> str | None:
        """Compute it; where no enclosure is reached, the step does not hold."""
        try:
            return self.compute()
        except NotCertified as error:
            return str(error)
