"""Random statements in the grammar of a theory's text, and their exact evaluation, which shares no code with the judge.

An expression is an integer, the name of a variable, or a tuple of an operation and its parts: + - * / ^ min max, ``call``
with the name of a function and its arguments, ``Sum`` with a term, its index, the lower end and what is added to n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

Expr = Any
Point = Mapping[str, Fraction]
RULES = ("identity", "sign", "sum", "induction", "integral")
BINARY = ("+", "-", "*", "/", "min", "max")
MOST_POINTS = 40


def text(e: Expr) -> str:
    """Return an expression as a text has it."""
    match e:
        case int():
            return str(e) if e >= 0 else f"(-{-e})"
        case str():
            return e
        case ("^", base, power):
            return f"({text(base)})^{power}"
        case ("call", name, *values):
            return f"{name}({', '.join(map(text, values))})"
        case ("Sum", term, index, low, more):
            end = f"n + {more}" if more > 0 else f"n - {-more}" if more else "n"
            return f"Sum({text(term)}, ({index}, {low}, {end}))"
        case ("min" | "max" as name, a, b):
            return f"{name}({text(a)}, {text(b)})"
        case (operation, a, b):
            return f"({text(a)} {operation} {text(b)})"
        case _:
            raise TypeError(e)


def parts(e: Expr) -> Iterator[Expr]:
    """Iterate over an expression and all in it."""
    yield e
    for part in e[1:] if isinstance(e, tuple) else ():
        yield from parts(part)


def has_choice(e: Expr) -> bool:
    """Return whether a minimum or maximum is written in an expression."""
    return any(isinstance(part, tuple) and part[0] in ("min", "max") for part in parts(e))


def put(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression with others in the place of its variables."""
    if isinstance(e, str):
        return values.get(e, e)
    if not isinstance(e, tuple):
        return e
    return (*(e[:2] if e[0] == "call" else e[:1]), *(put(part, values) for part in e[2 if e[0] == "call" else 1 :]))


@dataclass
class Statement:
    """A statement of one fact: its rule, its text, and what is needed to evaluate it.

    ``bounds``: (variable, low, strict, high or None). ``sides``: the expressions of the rule, in order; ``index``: the variable
    of a sum, an induction or an integral, ``start`` where an induction begins.
    """

    rule: str
    bounds: list[tuple[str, Expr, bool, Expr]]
    sides: list[Expr]
    functions: dict[str, tuple[tuple[str, ...], Expr]] = field(default_factory=dict[str, Any])
    relation: str = "="
    index: str = ""
    start: int = 0
    squares: list[Expr] = field(default_factory=list[Expr])
    in_theorem: bool = False
    parameter: str = ""

    @property
    def has_choice(self) -> bool:
        """Whether a minimum or maximum occurs, in the fact or in a function."""
        return any(map(has_choice, [*self.sides, *(body for _, body in self.functions.values())]))

    # -- as a text

    def fact(self) -> str:
        """Return the line of the fact."""
        where = [bound(own) for own in self.bounds]
        a, b, *ends = map(text, self.sides)
        if self.rule == "sum":
            where[-1] = f"sum over {where[-1]}"
        if self.in_theorem:
            where = where[-1:] if self.rule == "sum" else []
        if self.rule == "induction":
            where = [f"for {self.index} >= {self.start}"]
        if self.rule == "integral":
            where.append(f"integral over {self.index} from {ends[0]} to {ends[1]}")
        head = f"{', '.join(where)}: " if where else ""
        return f"{head}{a} {self.relation} {'0' if self.rule == 'sign' else b}"

    def theory(self) -> str:
        """Return a text with the definitions and the theorem; with ``parameter`` it is one about any such function."""
        lines = [f"define {name}({', '.join(of)}) = {text(body)}" for name, (of, body) in self.functions.items()]
        head = f"(F({', '.join(self.functions[self.parameter][0])}))" if self.parameter else ""
        lines += [f"theorem t{head}", "  reading r", "  states s"]
        outside = self.bounds[:-1] if self.rule == "sum" else self.bounds
        if self.in_theorem and outside:
            lines.append(f"  where {', '.join(map(bound, outside))}")
        fact, squares = self.fact(), "; ".join(map(text, self.squares))
        if self.parameter:
            fact, squares = (own.replace(f"{self.parameter}(", "F(") for own in (fact, squares))
        lines += [f"  {fact}", *([f"    - squares {squares}"] if squares else [])]
        if self.parameter:
            lines += ["theorem u", "  reading r", "  states s", f"  cites t({self.parameter})", "  so $x$"]
        return "\n".join([*lines, ""])

    # -- its value

    def value(self, e: Expr, point: Point) -> Fraction:
        """Return the value of an expression; ``ZeroDivisionError`` where any part of it is not defined."""
        match e:
            case int():
                return Fraction(e)
            case str():
                return point[e]
            case ("^", base, power):
                found = self.value(base, point)
                if power <= 0 and not found:
                    raise ZeroDivisionError
                return found**power
            case ("call", name, *values):
                of, body = self.functions[name]
                return self.value(body, dict(zip(of, (self.value(own, point) for own in values), strict=True)))
            case ("Sum", term, index, low, more):
                ends = range(low, int(point["n"]) + more + 1)
                return sum((self.value(term, {**point, index: Fraction(k)}) for k in ends), Fraction(0))
            case (operation, first, second):
                a, b = self.value(first, point), self.value(second, point)
                values = {"+": a + b, "-": a - b, "*": a * b, "min": min(a, b), "max": max(a, b)}
                return a / b if operation == "/" else values[operation]
            case _:
                raise TypeError(e)

    def points(self) -> list[Point]:
        """Return points of the range; without a bound a variable that may be divided by is at least 1."""
        free = sorted(self._variables() - {own[0] for own in self.bounds} - {self.index})
        divided = any(isinstance(part, tuple) and part[0] in ("/", "^") for part in self._all())
        places = [Fraction(n) for n in (1, 2, 5)] + [Fraction(7, 2)] + [Fraction(n) for n in (0, -1, -3) if not divided]
        starts = [dict(zip(free, values, strict=True)) for values in product(places, repeat=len(free))]
        found = [point for start in starts for point in self._within(start, self.bounds)]
        return found if len(found) <= MOST_POINTS else Random(0).sample(found, MOST_POINTS)

    def _all(self) -> Iterator[Expr]:
        for e in (*self.sides, *self.squares, *(body for _, body in self.functions.values())):
            yield from parts(e)

    def _variables(self) -> set[str]:
        inner = {own for of, _ in self.functions.values() for own in of} | {"j"}
        ends = {v for _, low, _, high in self.bounds for end in (low, high) for v in parts(end) if isinstance(v, str)}
        names = {e for side in (*self.sides, *self.squares) for e in parts(side) if isinstance(e, str)}
        return {e for e in names | ends if len(e) == 1 and e.isalpha()} - inner

    def _within(self, point: Point, bounds: list[tuple[str, Expr, bool, Expr]]) -> Iterator[Point]:
        if not bounds:
            yield point
            return
        (name, low, strict, high), *others = bounds
        start = self.value(low, point)
        if high is None:
            steps = [Fraction(1, 3), Fraction(1), Fraction(2), Fraction(7)]
            places = [start + step for step in steps] + ([] if strict else [start])
        else:
            end = self.value(high, point)
            shares = [Fraction(1, 9), Fraction(1, 2), Fraction(8, 9)] + ([] if strict else [Fraction(0)])
            places = [start + (end - start) * share for share in shares] if end > start else []
        for at in places:
            yield from self._within({**point, name: at}, others)

    def holds(self) -> bool:
        """Return whether the fact is defined and true at every point that is looked at."""
        try:
            return all(self._true(point) for point in self.points())
        except ZeroDivisionError:
            return False

    def _true(self, point: Point) -> bool:
        a, b, *ends = self.sides
        for own in self.squares:
            self.value(own, point)
        if self.rule == "identity":
            return self.value(a, point) == self.value(b, point)
        if self.rule == "sign":
            found = self.value(a, point)
            return found > 0 if self.relation == ">" else found >= 0
        if self.rule == "sum":
            before = {**point, self.index: point[self.index] - 1}
            return self.value(b, point) - self.value(b, before) == self.value(a, point)
        if self.rule == "induction":
            places = ({**point, self.index: Fraction(n)} for n in range(self.start, self.start + 9))
            return all(self.value(a, own) == self.value(b, own) for own in places)
        low, high = (self.value(end, point) for end in ends)
        return romberg(lambda at: self.value(a, {**point, self.index: at}), low, high) == self.value(b, point)


def romberg(f: Callable[[Fraction], Fraction], low: Fraction, high: Fraction) -> Fraction:
    """Return an integral by Romberg's rule with 17 places, exact for polynomials up to the degree 9."""
    row = [(high - low) * (f(low) + f(high)) / 2]
    for level in range(1, 5):
        step = (high - low) / 2**level
        inner = sum((f(low + step * n) for n in range(1, 2**level, 2)), Fraction(0))
        new = [row[0] / 2 + step * inner]
        for power, old in enumerate(row, start=1):
            new.append(new[-1] + (new[-1] - old) / (4**power - 1))
        row = new
    return row[-1]


def bound(own: tuple[str, Expr, bool, Expr]) -> str:
    """Return a bound as a text has it."""
    name, low, strict, high = own
    return f"{'' if high is None else f'{text(high)} > '}{name} {'>' if strict else '>='} {text(low)}"


# ---- making them ----------------------------------------------------------------------------------------------------


class Maker:
    """Makes statements of a rule: a true one by rewriting, half of them with something changed afterwards."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def one_of(self, *choices: Any) -> Any:
        """Return one of several."""
        return self.chance.choice(choices)

    def often(self, share: float) -> bool:
        """Return True in a share of all cases."""
        return self.chance.random() < share

    def statement(self, rule: str) -> Statement:
        """Return a statement of a rule."""
        own: Statement = getattr(self, rule)()
        own.in_theorem = rule != "induction" and self.often(0.3)
        if self.often(0.5):
            self._spoil(own)
        used = [part[1] for side in own.sides for part in parts(side) if isinstance(part, tuple) and part[0] == "call"]
        if used and self.often(0.4):
            own.parameter = self.chance.choice(used)
        return own

    def _spoil(self, own: Statement) -> None:
        if own.bounds and self.often(0.2):
            at = self.chance.randrange(len(own.bounds))
            name, low, _, high = own.bounds[at]
            own.bounds[at] = (name, low - 1 if isinstance(low, int) else low, False, high)
        elif own.functions and self.often(0.2):
            name = self.chance.choice(list(own.functions))
            of, body = own.functions[name]
            own.functions[name] = (of, self.spoiled(body))
        else:
            at = self.chance.randrange(2 if own.rule != "sign" else 1)
            own.sides[at] = self.spoiled(own.sides[at])

    def spoiled(self, e: Expr) -> Expr:
        """Return an expression with one number, sign or operation changed."""
        if isinstance(e, int):
            return e + self.one_of(-1, 1)
        if isinstance(e, str):
            return self.one_of(("+", e, 1), ("-", e, 1), ("*", 2, e))
        if e[0] in BINARY and self.often(0.35):
            return (self.one_of(*(own for own in ("+", "-", "*", "min", "max") if own != e[0])), *e[1:])
        if e[0] == "Sum":
            return self.one_of((*e[:3], e[3] + 1, e[4]), (*e[:4], e[4] + 1), ("Sum", self.spoiled(e[1]), *e[2:]))
        at = self.chance.randrange(2 if e[0] == "call" else 1, len(e))
        changed = max(0, self.spoiled(e[at])) if e[0] == "^" and at == 2 else self.spoiled(e[at])
        return (*e[:at], changed, *e[at + 1 :])

    # -- parts

    def ranges(self, names: Iterable[str]) -> list[tuple[str, Expr, bool, Expr]]:
        """Return bounds of some variables, each a number or an expression in one before it."""
        own: list[tuple[str, Expr, bool, Expr]] = []
        for name in names:
            low = self.chance.randint(0, 3)
            if own and self.often(0.4):
                low = self.one_of(own[-1][0], ("+", own[-1][0], low))
            high = ("+", low, self.chance.randint(1, 3)) if self.often(0.15) else None
            own.append((name, low, self.often(0.25), high))
        return own

    def polynomial(self, names: list[str], depth: int = 2) -> Expr:
        """Return a small polynomial."""
        if not depth or self.often(0.2):
            return self.chance.choice(names) if names and self.often(0.7) else self.chance.randint(-2, 4)
        if self.often(0.15):
            return ("^", self.polynomial(names, depth - 1), self.one_of(2, 2, 3))
        parts_ = self.polynomial(names, depth - 1), self.polynomial(names, depth - 1)
        return (self.one_of("+", "-", "*"), *parts_)

    def at_least_0(self, bounds: list[tuple[str, Expr, bool, Expr]]) -> Expr:
        """Return what is ≥ 0 in a range: a number, or how far a variable is from its bound, times a number."""
        if not bounds or self.often(0.4):
            return self.chance.randint(0, 3)
        name, low, *_ = self.chance.choice(bounds)
        return self.one_of(
            ("-", name, low), ("*", self.chance.randint(1, 3), ("-", name, low)), ("^", ("-", name, low), 2)
        )

    def functions(self, own: Statement, e: Expr) -> Expr:
        """Return an expression with a call in the place of a part, of a function that the statement gets with it."""
        name = f"fu{len(own.functions)}"
        kind = self.chance.randrange(4)
        if kind == 0:
            of, body, call = ("a",), ("*", "a", ("+", "a", 1)), ("call", name, e)
            e = ("*", e, ("+", e, 1))
        elif kind == 1:
            more = self.at_least_0([])
            of, body, call = ("a",), (self.one_of("min", "max"), "a", ("+", "a", more)), ("call", name, e)
            e = e if body[0] == "min" else ("+", e, more)
        elif kind == 2:
            more = self.at_least_0(own.bounds)
            of, body, call = ("a", "b"), ("min", "a", "b"), ("call", name, e, ("+", e, more))
        else:
            of, body = ("a", "b"), ("/", ("*", "a", ("+", "b", 1)), ("+", "b", 1))
            call = ("call", name, e, self.chance.randint(0, 3))
        own.functions[name] = (of, body)
        return call, e

    def rewritten(self, e: Expr, own: Statement, laws: int = 2) -> Expr:
        """Return an expression that is the same one on the range."""
        for _ in range(laws):
            e = self._anywhere(e, own)
        return e

    def _anywhere(self, e: Expr, own: Statement) -> Expr:
        if isinstance(e, tuple) and e[0] in ("+", "-", "*", "/", "^") and self.often(0.6):
            at = 1 if e[0] == "^" else self.one_of(1, 2)
            return (*e[:at], self._anywhere(e[at], own), *e[at + 1 :])
        names = [name for name, *_ in own.bounds]
        match e:
            case ("*", a, ("+" | "-" as sign, b, c)) if self.often(0.5):
                return (sign, ("*", a, b), ("*", a, c))
            case ("^", a, 2) if self.often(0.5):
                return ("*", a, a)
            case ("+", a, b) if self.often(0.3):
                return ("+", b, a)
            case ("-", a, b) if self.often(0.3):
                return ("-", 0, ("-", b, a))
            case _:
                pass
        kind = self.chance.randrange(6)
        if kind == 0:
            more = self.polynomial(names, 1)
            return ("-", ("+", e, more), more)
        if kind == 1:
            under = ("+", self.at_least_0(own.bounds), self.chance.randint(0, 2))
            return ("/", ("*", e, under), under)
        if kind == 2:
            return ("min", e, ("+", e, self.at_least_0(own.bounds)))
        if kind == 3:
            return ("max", ("-", e, self.at_least_0(own.bounds)), e)
        if kind == 4:
            a, b = e, self.polynomial(names, 1)
            return ("-", ("+", ("+", a, b), 0), b)
        return ("*", e, 1)

    # -- rules

    def identity(self) -> Statement:
        """Return an equality of rational functions."""
        names = ["x", "y", "z"][: self.chance.randint(1, 3)]
        own = Statement("identity", self.ranges(names[: self.chance.randint(0, len(names))]), [])
        left = right = self.polynomial(names)
        if self.often(0.5):
            left, right = self.functions(own, left)
        own.sides = [self.rewritten(left, own, 1), self.rewritten(right, own)]
        return own

    def sign(self) -> Statement:
        """Return a sign: a sum of products of what is ≥ 0, perhaps with squares."""
        own = Statement(
            "sign", self.ranges(["x", "y", "z"][: self.chance.randint(1, 3)]), [], relation=self.one_of(">", ">=")
        )
        e: Expr = self.chance.randint(1, 3) if own.relation == ">" else self.chance.randint(0, 2)
        for _ in range(self.chance.randint(1, 3)):
            e = ("+", e, ("*", self.at_least_0(own.bounds), self.at_least_0(own.bounds)))
        if self.often(0.2):
            root = ("-", own.bounds[0][0], self.one_of(own.bounds[-1][0], self.chance.randint(1, 5)))
            own.squares, e = [root], ("+", e, ("^", root, 2))
        if self.often(0.3):
            e = ("/", e, ("+", self.at_least_0(own.bounds), self.chance.randint(1, 2)))
        if self.often(0.4):
            e, _ = self.functions(own, e)
        own.sides = [self.rewritten(e, own), 0]
        return own

    def sum(self) -> Statement:
        """Return a telescoping sum; the branches of its minima are those of a range that begins near where they change."""
        outer = self.ranges(["x", "y"][: self.chance.randint(0, 2)])
        change = self.chance.randint(1, 4)
        low: Expr = change + self.one_of(-1, 0, 0, 1, 1, 2)
        if outer and self.often(0.3):
            low = ("+", outer[-1][0], self.chance.randint(0, 2))
        own = Statement("sum", [*outer, ("k", low, False, None)], [], index="k")
        names = ["k", "k", *(name for name, *_ in outer)]
        big = chosen = self.polynomial(names)
        kind = self.chance.randrange(4)
        if kind == 0:
            big = chosen = ("/", self.chance.randint(1, 3), ("+", "k", self.chance.randint(-1, 2)))
        elif kind == 1:
            word, flat = self.one_of("min", "max"), self.polynomial([name for name, *_ in outer], 1)
            one, two = ("+", flat, "k"), ("+", flat, change)
            chosen = self.one_of(one, two)
            big = (word, *self.one_of((one, two), (two, one)))
        elif kind == 2:
            word, far = self.one_of("min", "max"), self.one_of(1, 2)
            one, two = ("a", change) if self.often(0.7) else (("*", far, "a"), ("+", "a", change))
            own.functions["cap"] = (("a",), (word, one, two))
            big, chosen = ("call", "cap", "k"), put(self.one_of(one, two), {"a": "k"})
        summand = ("-", chosen, put(chosen, {"k": ("-", "k", 1)}))
        own.sides = [self.rewritten(summand, own, 1) if self.often(0.5) else summand, big]
        return own

    def induction(self) -> Statement:
        """Return an equality with a finite sum."""
        more, low = self.one_of(0, 0, 1, -1), self.chance.randint(0, 2)
        start = max(0, low - 1 - more) + self.one_of(0, 0, 1)
        own = Statement("induction", [("n", start, False, None)], [], index="n", start=start)
        names = ["n", "n", "c"] if self.often(0.4) else ["n"]
        big = self.polynomial(names)
        if self.often(0.2):
            big = ("/", self.chance.randint(1, 3), ("+", "n", self.chance.randint(1, 3)))
        term = ("-", put(big, {"n": "j"}), put(big, {"n": ("-", "j", 1)}))
        if self.often(0.4):
            far = self.one_of(0, 0, 1)
            from_low = ("-", "j", low + far)
            term = self.one_of(("min", term, ("+", term, from_low)), ("max", ("-", term, from_low), term))
        left: Expr = ("Sum", term, "j", low, more)
        right: Expr = ("-", put(big, {"n": ("+", "n", more)}), put(big, {"n": low - 1}))
        if self.often(0.3):
            called, same = self.functions(own, right)
            left, right = ("+", left, ("-", same, right)), called
        own.sides = [left, self.rewritten(right, own, 1)]
        own.bounds = []
        return own

    def integral(self) -> Statement:
        """Return the integral of a polynomial."""
        own = Statement("integral", self.ranges(["x", "y"][: self.chance.randint(0, 2)]), [], index="v")
        names = [name for name, *_ in own.bounds]
        low, high = (self.polynomial(names, 1) for _ in range(2))
        inside: Expr = 0
        value: Expr = 0
        for power in range(self.chance.randint(1, 3)):
            factor = self.polynomial(names, 1)
            if self.often(0.3):
                factor = self.rewritten(factor, own, 1)
            inside = ("+", inside, ("*", factor, ("^", "v", power) if power else 1))
            ends = ("-", ("^", high, power + 1), ("^", low, power + 1))
            value = ("+", value, ("/", ("*", factor, ends), power + 1))
        if self.often(0.2):
            inside = self.one_of(
                ("min", inside, ("+", inside, "v")), ("*", inside, ("/", "v", "v")), ("max", inside, 1)
            )
        own.sides = [inside, self.rewritten(value, own, 1), low, high]
        return own
