"""The one place where a formula that a claim is given is refused unless it is real and defined on the claim's range.

What a formula needs is read off its syntax tree, before SymPy may cancel anything: no divisor is 0, what has a root
taken is ≥ 0, what has a logarithm or a variable exponent is > 0, and a sum's ends are integers. Each need is decided
exactly where it speaks of a rational function of one parameter; for several, by the signs of coefficients or by exact
roots on lines; for anything else by the signs of its parts, or by balls. What is not decided is refused as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import Any, Literal

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.closed_form.plain import plain
from crtools.errors import InputError
from crtools.expressions import formula, parse, symbolic
from crtools.ratios.comparison import positive_everywhere

Need = Literal["≠ 0", "> 0", "≥ 0", "an integer"]

Sum = tuple[str, ast.expr, ast.expr] | None
"""The sum around a part of a formula: index, lower end, upper end. No sum stands inside another."""

Point = Mapping[Any, Any]
"""Values of parameters."""


@dataclass(frozen=True)
class Range:
    """The values that a formula's names take together: each case writes the names in parameters.

    A parameter is a SymPy symbol that is ≥ 0 or > 0, real or integer, as its assumptions say, or any real number. In a range with
    ``near_zero`` the one name is exp(−L), and only its values below some positive number count. ``bounds``: those of the
    names that a step of a proof states (:class:`crtools.proof.steps.Bound`).
    """

    text: str
    cases: tuple[Mapping[str, Any], ...]
    near_zero: bool = False
    bounds: tuple[tuple[Any, ...], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a formula on this range may have."""
        return tuple(self.cases[0])

    @cached_property
    def parameters(self) -> tuple[tuple[Any, ...], ...]:
        """The parameters of each case."""
        return tuple(
            tuple(sorted(set[Any]().union(*(sp.sympify(v).free_symbols for v in case.values())), key=str))
            for case in self.cases
        )


def _parameter(number: int, *, whole: bool = False, above_zero: bool = False) -> Any:
    kind = {"integer": True} if whole else {"real": True}
    return sp.Symbol(f"r_{number}", **kind, **({"positive": True} if above_zero else {"nonnegative": True}))


def unit(name: str) -> Range:
    """0 < name < 1."""
    own = {name: 1 / (1 + _parameter(0, above_zero=True))}
    return Range(f"0 < {name} < 1", (own,), bounds=((name, 0, True, 1),))


def up_to_one(name: str) -> Range:
    """0 < name ≤ 1."""
    return Range(f"0 < {name} ≤ 1", ({name: 1 / (1 + _parameter(0))},))


def up_to_half(name: str) -> Range:
    """0 < name ≤ 1/2."""
    return Range(f"0 < {name} ≤ 1/2", ({name: 1 / (2 + _parameter(0))},))


def from_half(name: str) -> Range:
    """1/2 ≤ name < 1."""
    r = _parameter(0)
    return Range(f"1/2 ≤ {name} < 1", ({name: (1 + r) / (2 + r)},))


def small(name: str) -> Range:
    """All name > 0 below some positive number; where it divides by a polynomial, all of 0 < name < 1."""
    return Range(f"small {name} > 0", ({name: sp.exp(-sp.Symbol("L", positive=True))},), near_zero=True)


def every_real(name: str) -> Range:
    """All real numbers."""
    return Range(f"every real {name}", ({name: sp.Symbol(name, real=True)},))


def constant() -> Range:
    """No names."""
    return Range("numbers", ({},))


def reals(**between: tuple[int | Fraction, int | Fraction | None]) -> Range:
    """Return real numbers, each strictly between two numbers (None: no upper end): reals(q=(0, 1), c=(0, None))."""
    values: dict[str, Any] = {}
    words: list[str] = []
    for number, (name, (low, high)) in enumerate(between.items()):
        r, least = _parameter(number, above_zero=True), sp.Rational(str(low))
        values[name] = least + (r if high is None else (sp.Rational(str(high)) - least) / (1 + r))
        words.append(f"{name} > {low}" if high is None else f"{low} < {name} < {high}")
    bounds = tuple((name, low, True, *([] if high is None else [high])) for name, (low, high) in between.items())
    return Range(", ".join(words), (values,), bounds=bounds)


def lengths_and_weights() -> Range:
    """Two lengths 0 < l < u with weights x, y > 0, their quotients alpha = l/u and t = x/y."""
    a, b, c, d = (_parameter(number, above_zero=True) for number in range(4))
    values = {"l": a, "u": a + b, "x": c, "y": d, "alpha": a / (a + b), "t": c / d}
    return Range("0 < l < u, x > 0, y > 0", (values,))


def half_and_weights() -> Range:
    """0 < alpha ≤ 1/2 and t ≥ 0."""
    return Range("0 < alpha ≤ 1/2, t ≥ 0", ({"alpha": 1 / (2 + _parameter(0)), "t": _parameter(1)},))


def integers_from(**least: int | str) -> Range:
    """Return integers with lower bounds, each a number or an earlier name: integers_from(s=0, i=1, j="i")."""
    values: dict[str, Any] = {}
    for number, (name, bound) in enumerate(least.items()):
        values[name] = _parameter(number, whole=True) + (values[bound] if isinstance(bound, str) else bound)
    return Range(", ".join(f"{n} ≥ {b}" for n, b in least.items()) + ", integers", (values,))


def pairs_from_one() -> Range:
    """All integers i, j ≥ 1, in both orders."""
    one = integers_from(i=1, j="i").cases[0]
    return Range("i, j ≥ 1, integers", (one, {"i": one["j"], "j": one["i"]}))


def formula_on(name: str, text: str, symbols: Mapping[str, Any], on: Range) -> tuple[ast.expr, Any]:
    """Return the tree and the SymPy expression, plainly written, of a formula that is real and defined on all of ``on``.

    Raises ``InputError`` for a text that is no formula, and with the point for one that is not defined there.
    """
    tree = parse(name, text, symbols)
    try:
        for case, parameters in zip(on.cases, on.parameters, strict=True):
            for node, need, inside in needs(tree):
                missing = _Check(on, case, parameters).missing(node, need, inside)
                if missing is not None:
                    raise InputError(name, text, missing)
    except (ArithmeticError, TypeError, RecursionError) as error:
        raise InputError(name, text, f"could not be shown to be defined: {error}") from None
    tree, expr = formula(name, text, symbols)
    return tree, expr if on.near_zero else plain(expr, lambda part: _nonnegative_on(on, part, symbols))


def _nonnegative_on(on: Range, expr: Any, symbols: Mapping[str, Any]) -> bool:
    """Return whether an expression in ``symbols`` is seen to be ≥ 0 on all of a range."""
    return all(
        _positive(
            expr.xreplace({symbol: sp.sympify(case[name]) for name, symbol in symbols.items()}), parameters, False
        )
        for case, parameters in zip(on.cases, on.parameters, strict=True)
    )


def needs(tree: ast.expr, inside: Sum = None) -> Iterator[tuple[ast.expr, Need, Sum]]:
    """Iterate over what the parts of a checked tree must be for it to be real and defined, inner parts first."""
    match tree:
        case ast.BinOp(left=left, op=op, right=right):
            yield from needs(left, inside)
            yield from needs(right, inside)
            if isinstance(op, ast.Div):
                yield right, "≠ 0", inside
            elif isinstance(op, ast.Pow) and (need := _need_of_a_base(right)) is not None:
                yield left, need, inside
        case ast.UnaryOp(operand=operand):
            yield from needs(operand, inside)
        case ast.Call(func=ast.Name(id="sum"), args=[term, ast.Name(id=index), low, high]):
            for end in (low, high):
                yield from needs(end)
                yield end, "an integer", None
            yield from needs(term, (index, low, high))
        case ast.Call(func=ast.Name(id=function), args=args):
            for arg in args:
                yield from needs(arg, inside)
            wanted: dict[str, Need] = {"log": "> 0", "sqrt": "≥ 0", "harmonic": "an integer"}
            if function in wanted:
                yield args[0], wanted[function], inside
        case _:
            return


def _need_of_a_base(exponent: ast.expr) -> Need | None:
    """Return what a base must be for its power to be real and defined; a constant exponent is folded into a number."""
    power: Any = exponent.value if isinstance(exponent, ast.Constant) else None
    if not isinstance(power, Fraction):
        return "> 0"
    if power.denominator != 1:
        return "≥ 0" if power > 0 else "> 0"
    return "≠ 0" if power < 0 else None


BREAKS: dict[Need, str] = {
    "≠ 0": "divides by",
    "> 0": "takes a logarithm or a power of",
    "≥ 0": "takes a root of",
    "an integer": "has a sum that ends at",
}


class _Undecided:
    pass


Answer = Point | _Undecided | None
"""A point at which a need is not met, or not decided, or None: it is met everywhere."""


@dataclass(frozen=True)
class _Check:
    """Decides needs in one case of a range."""

    on: Range
    case: Mapping[str, Any]
    parameters: tuple[Any, ...]

    def missing(self, node: ast.expr, need: Need, inside: Sum) -> str | None:
        """Return what is wrong where the need is not met everywhere, else None."""
        names, answer = self._answer(node, need, inside)
        if answer is None:
            return None
        part = f"{BREAKS[need]} {symbolic(node, {n: sp.Symbol(n) for n in names})}"
        if isinstance(answer, _Undecided):
            return f"could not be shown to be real and defined on its range, {self.on.text}: it {part}"
        where = f"at {', '.join(f'{n} = {_shown(v, answer)}' for n, v in names.items())} " if answer else ""
        return f"must be real and defined on its range, {self.on.text}: {where}it {part}"

    def _answer(self, node: ast.expr, need: Need, inside: Sum) -> tuple[Mapping[str, Any], Answer]:
        """Return the names in parameters, a sum's index included, and whether the need is met."""
        if inside is not None:
            return self._inside_a_sum(node, need, *inside)
        if self.on.near_zero:
            [name] = self.case
            whole = unit(name)
            rational = symbolic(node, whole.cases[0])
            if need == "≠ 0" and rational.is_rational_function():
                return whole.cases[0], _decide(rational, need, whole.parameters[0])
            return self.case, _decide_near_zero(symbolic(node, self.case), need, *self.parameters)
        return self.case, _decide(symbolic(node, self.case), need, self.parameters)

    def _inside_a_sum(
        self, node: ast.expr, need: Need, index: str, low: ast.expr, high: ast.expr
    ) -> tuple[Mapping[str, Any], Answer]:
        """Decide a need for the index from its lower end on; or at both ends, for what is affine in the index."""
        step, own = _parameter(100, whole=True), sp.Symbol(index, real=True)
        ends = [symbolic(end, self.case) for end in (low, high)]
        names = {**self.case, index: ends[0] + step}
        answer = _decide(symbolic(node, names), need, (*self.parameters, step))
        if answer is None:
            return names, None
        expr: Any = symbolic(node, {**self.case, index: own})
        expr = expr.base if isinstance(expr, sp.Pow) and expr.exp.is_integer else expr
        if need != "an integer" and sp.diff(expr, own, 2) == 0:
            wanted: Need = "> 0" if need == "≠ 0" else need
            for sign in (1, -1) if need == "≠ 0" else (1,):
                if all(_decide(sign * expr.subs(own, end), wanted, self.parameters) is None for end in ends):
                    return names, None
        inside = isinstance(answer, Mapping) and bool((ends[0] + step).subs(answer) <= ends[1].subs(answer))
        return names, answer if inside else _Undecided()


def _shown(value: Any, point: Point) -> str:
    value = sp.sympify(value).subs(point)
    return str(value) if value.is_Rational else f"{sp.N(value, 12)}…"


# ---- one need --------------------------------------------------------------------------------------------------------


def _decide(expr: Any, need: Need, parameters: tuple[Any, ...]) -> Answer:
    """Decide whether an expression in parameters is what it must be, for all their values."""
    expr = sp.sympify(expr)
    if expr.has(sp.Max, sp.Min):
        expr = plain(expr, lambda part: _positive(part, parameters, False))
    if need == "an integer":
        return None if expr.is_integer else _first_unmet(expr, need, _points(parameters, (0, 1, 2, 3)))
    if not expr.free_symbols:
        return None if _number_is(expr, need) else {}
    if isinstance(expr, sp.log):
        return _decide(expr.args[0] - 1, need, parameters)
    if need == "≠ 0" and expr.is_Mul:
        answers = [_decide(arg, need, parameters) for arg in expr.args]
        return next((a for a in answers if a is not None), None)
    if isinstance(expr, sp.Pow) and expr.exp.is_Rational and need != "≥ 0":
        # a power that is defined is 0 where its base is, and negative at most where its exponent is odd
        return _decide(expr.base, "> 0" if expr.exp.is_odd and need == "> 0" else "≠ 0", parameters)
    poly = _polynomial(expr, parameters)
    if poly is not None:
        return _decide_polynomial(poly, need, parameters)
    if _positive(expr, parameters, need != "≥ 0") or (need == "≠ 0" and _negative(expr, parameters, True)):
        return None
    squared = _squared(expr, parameters)
    return _decide_by_balls(expr, need, parameters) if squared is None else _decide(squared, need, parameters)


def _squared(expr: Any, parameters: tuple[Any, ...]) -> Any:
    """Return R² − S for R − √S, or S − R² for √S − R, where R ≥ 0: it has the same sign; None for anything else."""
    roots = [
        t
        for t in sp.Add.make_args(expr)
        if isinstance(power := t.as_coeff_Mul()[1], sp.Pow) and power.exp.as_numer_denom()[1] == 2
    ]
    if len(roots) != 1:
        return None
    rest, sign = expr - roots[0], 1 if roots[0].as_coeff_Mul()[0] > 0 else -1
    return sign * (roots[0] ** 2 - rest**2) if _positive(-sign * rest, parameters, False) else None


def _number_is(value: Any, need: Need) -> bool:
    if need == "an integer":
        return bool(value.is_Integer)
    found = enclosed(value, {}, 5)
    if found is None or (found.width == 0 and found.lower == 0):
        value = sp.simplify(value)
        return bool(value.is_zero) and need == "≥ 0"
    return found.lower > 0 or (need == "≠ 0" and found.upper < 0)


def _points(parameters: Iterable[Any], values: Iterable[int]) -> Iterator[dict[Any, Any]]:
    """Iterate over points whose parameters have these values, as far as they may."""
    allowed = [
        [(p, sp.Integer(v)) for v in values if v > 0 or not (p.is_positive or (p.is_nonnegative and v))]
        for p in parameters
    ]
    yield from map(dict, product(*allowed))


def _first_unmet(expr: Any, need: Need, points: Iterable[Point]) -> Answer:
    """Return the first point at which an expression is no number or not what it must be."""
    values = ((point, expr.subs(point)) for point in points)
    return next((point for point, value in values if value.free_symbols or not _number_is(value, need)), _Undecided())


def _polynomial(expr: Any, parameters: tuple[Any, ...]) -> Any:
    """Return a polynomial with the sign and the zeros of a rational function, or None: its coefficients are not rational."""
    if not expr.is_rational_function(*parameters) or not parameters:
        return None
    above, below = sp.fraction(sp.cancel(sp.together(expr)))
    try:
        poly = sp.Poly(above, *parameters) * sp.Poly(below, *parameters)
    except sp.PolynomialError:
        return None
    return poly if poly.domain.is_ZZ or poly.domain.is_QQ else None


def _positive(expr: Any, parameters: tuple[Any, ...], strict: bool) -> bool:
    """Return whether an expression is seen to be > 0, or ≥ 0 unless ``strict``, by the signs of its parts."""
    if not expr.free_symbols:
        return _number_is(expr, "> 0" if strict else "≥ 0")
    if _polynomial_is_positive(expr, parameters, strict) or isinstance(expr, sp.exp):
        return True
    if isinstance(expr, sp.log):
        return _positive(expr.args[0] - 1, parameters, strict)
    if isinstance(expr, sp.Sum) and len(expr.limits) == 1:
        index, low, _ = expr.limits[0]
        step = _parameter(101, whole=True)
        return not strict and _positive(expr.function.xreplace({index: low + step}), (*parameters, step), False)
    if isinstance(expr, sp.Pow):
        even = expr.exp.is_even and not strict
        return even or _positive(expr.base, parameters, strict or not expr.exp.is_positive)
    if isinstance(expr, sp.Max):
        return any(_positive(arg, parameters, strict) for arg in expr.args)
    if isinstance(expr, sp.Min):
        return all(_positive(arg, parameters, strict) for arg in expr.args)
    if expr.is_Add:
        return all(_positive(arg, parameters, False) for arg in expr.args) and (
            not strict or any(_positive(arg, parameters, True) for arg in expr.args)
        )
    return expr.is_Mul and _sign_of_a_product(expr, parameters, strict) == 1


def _negative(expr: Any, parameters: tuple[Any, ...], strict: bool) -> bool:
    """Return whether an expression is seen to be < 0, or ≤ 0 unless ``strict``, by the signs of its parts."""
    if isinstance(expr, sp.log):
        return _positive(1 - expr.args[0], parameters, strict)
    if expr.is_Mul:
        return _sign_of_a_product(expr, parameters, strict) == -1
    return (expr.is_Add or expr.is_number) and _positive(-expr, parameters, strict)


def _sign_of_a_product(expr: Any, parameters: tuple[Any, ...], strict: bool) -> int:
    """Return 1 or −1 where each factor is seen to have a sign, else 0."""
    sign = 1
    for arg in expr.args:
        if _negative(arg, parameters, strict):
            sign = -sign
        elif not _positive(arg, parameters, strict):
            return 0
    return sign


def _polynomial_is_positive(expr: Any, parameters: tuple[Any, ...], strict: bool) -> bool:
    poly = _polynomial(expr, parameters)
    if poly is None or len(poly.free_symbols) > 1:
        return poly is not None and _coefficients_are(poly, strict)
    return _decide_polynomial(poly, "> 0" if strict else "≥ 0", parameters) is None


def _coefficients_are(poly: Any, strict: bool) -> bool:
    """Return whether no coefficient is negative and, where ``strict``, some term does not vanish in the range."""
    if not all(p.is_nonnegative for p in poly.gens) or any(c < 0 for c in poly.coeffs()):
        return False
    return not strict or any(
        all(p.is_positive or not power for p, power in zip(poly.gens, powers, strict=True))
        for powers, _ in poly.terms()
    )


LINES = (0, 1, 2, 3, 5)
"""Values of the other parameters on the lines on which a rational function of several is looked at."""


def _decide_polynomial(poly: Any, need: Need, parameters: tuple[Any, ...]) -> Answer:
    """Decide a need by the signs of coefficients, by roots, or for several parameters on lines, where it may not be met."""
    if _coefficients_are(poly, need != "≥ 0") or (need == "≠ 0" and _coefficients_are(-poly, True)):
        return None
    used = [p for p in parameters if poly.has(p)] or parameters[:1]
    for free in used:
        for point in _points([p for p in used if p != free], LINES):
            value = _unmet(sp.Poly(poly.as_expr().subs(point), free), need)
            if value is not None:
                return {**dict.fromkeys(parameters, sp.Integer(1)), **point, free: value}
    return _Undecided() if len(used) > 1 else None


def _unmet(poly: Any, need: Need) -> Any:
    """Return a value of the one parameter at which the polynomial is not what it must be, or None: there is none."""
    if poly.is_zero:
        return None if need == "≥ 0" else sp.Integer(1)
    [p] = poly.gens
    roots: list[Any] = sorted({root for f, _ in poly.factor_list()[1] for root in f.real_roots()})
    if p.is_integer:
        near = {sp.Integer(0)} | {sp.floor(root) + e for root in roots for e in (0, 1)}
        places = sorted(place for place in near if place >= (1 if p.is_positive else 0))
    else:
        low = [] if not p.is_nonnegative else [sp.S.Zero]
        inside = [root for root in roots if not low or root > 0]
        marks = [*low, *inside]
        between = [(a + b) / 2 for a, b in pairwise(marks)]
        outside = [marks[-1] + 1, *([] if low else [marks[0] - 1])] if marks else [sp.S.Zero]
        places = [*([] if p.is_positive else low), *inside, *between, *outside]
    for place in places:
        sign = 0 if place in roots else sp.sign(sp.N(poly.eval(place), 30))
        if sign == 0 if need == "≠ 0" else sign < 0 if need == "≥ 0" else sign <= 0:
            return place
    return None


SAMPLES = (*(Fraction(k, 40) for k in range(1, 40)), *(Fraction(1, 10**k) for k in (3, 6)), 1 - Fraction(1, 10**6))
"""Parts of the way from one end of a range to the other."""


def _decide_by_balls(expr: Any, need: Need, parameters: tuple[Any, ...]) -> Answer:
    """Look for a point at which what is not rational is not what it must be; with one parameter, also by balls."""
    if len(parameters) != 1:
        return _first_unmet(expr, need, _points(parameters, (0, 1, 2, 5)))
    [r] = parameters
    if r.is_integer or not r.is_nonnegative:
        return _first_unmet(expr, need, _points(parameters, range(-10, 12)))
    part = sp.Symbol("w", nonnegative=True)  # r = w/(1−w)
    put = expr.subs(r, part / (1 - part))
    put = put.replace(lambda e: e.is_rational_function(part), sp.cancel)
    signs: list[tuple[Fraction, bool]] = []
    for at in sorted(SAMPLES):
        found = enclosed(put, {part: at}, 5)
        if found is not None and found.upper < 0 and need != "≠ 0":
            return {r: sp.Rational(at.numerator, at.denominator - at.numerator)}
        signs += [] if found is None else [(at, found.lower > 0)]
    change = next(((a, b) for (a, one), (b, two) in pairwise(signs) if one != two), None)
    if change is not None:  # it is continuous, so that it is 0 between them
        root: Any = sp.nsolve(put, part, [float(end) for end in change], solver="bisect")
        return {r: root / (1 - root)}
    sign = 1 if not signs or signs[0][1] else -1
    return None if positive_everywhere(sign * put, part, Fraction(0), Fraction(1)) else _Undecided()


def _decide_near_zero(expr: Any, need: Need, big: Any) -> Answer:
    """Decide a need for all large L."""
    if need == "an integer" or not expr.free_symbols:
        return _decide(expr, need, (big,))
    if any(positive_at_infinity(sign * expr, big) for sign in ((1, -1) if need == "≠ 0" else (1,))):
        return None
    return {big: 20 * sp.log(10)} if need != "≠ 0" and positive_at_infinity(-expr, big) else _Undecided()


def positive_at_infinity(expr: Any, big: Any) -> bool:
    """Return whether the expression is positive for large L, by its limit, or where that is 0 by that of the reciprocal."""
    limit = limit_of(expr, big)
    if limit == 0:  # from above: the reciprocal goes to +∞
        limit = limit_of(1 / expr, big)
    return bool(limit is not None and limit.is_extended_real and limit > 0)


def limit_of(expr: Any, big: Any) -> Any:
    """Return the limit of an expression as ``big`` → ∞, or None where SymPy finds no number."""
    try:
        found = sp.limit(expr, big, sp.oo)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError):
        return None
    return found if found.is_number or found.is_infinite else None
