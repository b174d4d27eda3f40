"""The kernel: expressions over the rational numbers, the kinds of facts, and the one function that judges a fact.

A fact is judged by the rule that it names, alone. Nothing here knows a theorem or a claim.

Sections: what is refused · values · rational functions · expressions · ranges · facts · rules.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, reduce
from itertools import permutations, product
from math import factorial, gcd, prod
from operator import add, eq, mul, or_, sub, truediv
from typing import Any, NamedTuple, cast

# ---- what is refused --------------------------------------------------------------------------------------------

DEEPEST, LONGEST_LIST, LONGEST_STRING, LARGEST_INTEGER = 12, 2000, 2000, 10**18
LARGEST_EXPONENT, MOST_NAMES, LONGEST_NAME, MOST_BITS, MOST_WORK = 64, 100, 12, 1000, 250_000
"""What is larger is refused: it proves nothing that a smaller one does not, and would keep the checker busy."""


class Rejected(Exception):
    """The certificate does not prove its claim; the message says why."""


def need(condition: bool, reason: str) -> None:
    """Raise ``Rejected`` with the reason unless the condition holds."""
    if not condition:
        raise Rejected(reason)


class Work:
    """How many products of terms, or sums of eight, a document may still cost, and how many names may then be known."""

    left = MOST_WORK
    own_names = 0

    @classmethod
    def keep(cls, names: Iterable[str]) -> None:
        """Take names that every document may use; those of a document are forgotten when the next one begins."""
        for name in names:
            places().setdefault(name, BITS * len(places()))
        cls.own_names = len(places())

    @classmethod
    def start(cls, products: int = MOST_WORK) -> None:
        """Begin a document: its names are its own, and no rational function of the one before may be used."""
        cls.left = products
        for name in list(places())[cls.own_names :]:
            del places()[name]

    @classmethod
    def spend(cls, products: int) -> None:
        """Count products of terms, or what costs as much."""
        cls.left -= products
        need(cls.left >= 0, "too much to compute")


# ---- values in a certificate ------------------------------------------------------------------------------------


def plain(value: Any, depth: int = 1) -> None:
    """Refuse what no certificate holds: null, true, false, too deep a nesting, numbers, strings or lists too long."""
    need(depth <= DEEPEST, f"nested more than {DEEPEST} levels deep")
    if isinstance(value, dict | list):
        need(isinstance(value, dict) or len(value) <= LONGEST_LIST, f"a list of more than {LONGEST_LIST} entries")
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            plain(inner, depth + 1)
    elif isinstance(value, str):
        need(len(value) <= LONGEST_STRING, f"a string of more than {LONGEST_STRING} characters")
    else:
        need(type(value) is int, f"{json.dumps(value)} is no value of a certificate")
        need(abs(value) <= LARGEST_INTEGER, "an integer of more than 18 digits")


def fields(data: Any, *names: str) -> list[Any]:
    """Return the values of an object that has exactly these fields."""
    need(isinstance(data, dict), f"expected an object with the fields {', '.join(names)}")
    for name in (*data, *names):
        need(name in names, f"unknown field {name!r}")
        need(name in data, f"the field {name!r} is missing")
    return [data[name] for name in names]


def integer(value: Any, low: int, high: int) -> int:
    """Return an integer from low to high (true and false are not integers)."""
    need(type(value) is int and low <= value <= high, f"expected an integer from {low} to {high}")
    return value


def integers(value: Any, low: int, high: int, size: int | None = None) -> list[int]:
    """Return a non-empty list of integers, of the given size if there is one."""
    need(isinstance(value, list) and bool(value), "expected a list of integers")
    need(size is None or len(value) == size, f"expected a list of {size} integers")
    return [integer(x, low, high) for x in value]


def fraction(value: Any) -> Fraction:
    """Return the fraction of a string in lowest terms, such as "3" or "-3/4"."""
    need(isinstance(value, str) and bool(re.fullmatch(r"-?[0-9]+(/[0-9]*[1-9][0-9]*)?", value)), "expected a fraction")
    need(len(value) <= 250, "a number of more than 250 characters")
    result = Fraction(value)
    need(str(result) == value, f"{value[:40]} is not in lowest terms")
    return result


def decimal(value: Any, places: int) -> Fraction:
    """Return the number ≥ 0 of a decimal string with exactly so many places, without leading zeros."""
    shape = rf"(0|[1-9][0-9]{{0,5}})\.[0-9]{{{places}}}"
    need(isinstance(value, str) and bool(re.fullmatch(shape, value)), "expected a decimal")
    return Fraction(value)


def rows(value: Any, least: int, most: int = 100) -> list[Any]:
    """Return a list with at least and at most so many entries."""
    need(isinstance(value, list) and least <= len(value) <= most, f"expected a list of {least} or more entries")
    return value


# ---- rational functions -----------------------------------------------------------------------------------------
# A polynomial is a dictionary {monomial: integer}; a monomial packs one exponent of 15 bits per variable, and a bit
# that is 0, so that a product of two never runs over into the next variable's.

BITS = 16
EXPONENT = (1 << BITS) - 1
Poly = dict[int, int]
ONE: Poly = {0: 1}


@cache
def places() -> dict[str, int]:
    """Return the bit at which each variable's exponent begins, in the order in which the variables are met."""
    return {}


def place(name: str) -> int:
    """Return the bit at which a variable's exponent begins."""
    table = places()
    if name not in table:
        need(len(table) - Work.own_names < MOST_NAMES, "too many variables")
        table[name] = BITS * len(table)
    return table[name]


def named(name: Any) -> str:
    """Return the name of a variable: ASCII letters, digits and _, and no name of a built-in function."""
    own = isinstance(name, str) and len(name) <= LONGEST_NAME and bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name))
    need(own, f"{name!s:.30} is no name of a variable, which has at most {LONGEST_NAME} letters and digits")
    need(name not in BUILT_IN, f"{name} is a function, and no variable")
    return name


def exponent(mono: int, name: str) -> int:
    """Return a variable's exponent in a monomial."""
    return mono >> place(name) & EXPONENT


def _add(a: Poly, b: Poly) -> Poly:
    Work.spend((len(a) + len(b)) // 8)
    result = dict(a)
    for mono, c in b.items():
        result[mono] = result.get(mono, 0) + c
    return {mono: c for mono, c in result.items() if c}


def _times(a: Poly, b: Poly) -> Poly:
    if ONE in (a, b):
        return b if a == ONE else a
    Work.spend(len(a) * len(b))
    result: Poly = {}
    for mono, c in a.items():
        for other, d in b.items():
            result[mono + other] = result.get(mono + other, 0) + c * d
    bits = reduce(or_, result, 0)
    need(not bits & ((1 << BITS * len(places())) - 1) // EXPONENT << BITS - 1, "the degree is too large")
    need(max(map(int.bit_length, result.values()), default=0) <= MOST_BITS, "a number is too large")
    return {mono: c for mono, c in result.items() if c}


class Ratio:
    """A quotient of two polynomials with integer coefficients, without a common divisor of these; equality is by

    cross-multiplication. Raises ``ZeroDivisionError`` for a denominator that is 0.
    """

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly = ONE) -> None:
        if not den:
            raise ZeroDivisionError
        g = gcd(*den.values(), *num.values())
        self.num, self.den = (num, den) if g == 1 else ({m: c // g for m, c in poly.items()} for poly in (num, den))

    def __add__(self, other: Any) -> Ratio:
        other = ratio(other)
        if self.den == other.den:
            return Ratio(_add(self.num, other.num), self.den)
        num = _add(_times(self.num, other.den), _times(other.num, self.den))
        return Ratio(num, _times(self.den, other.den))

    def __neg__(self) -> Ratio:
        return Ratio({m: -c for m, c in self.num.items()}, self.den)

    def __sub__(self, other: Any) -> Ratio:
        return self + -ratio(other)

    def __mul__(self, other: Any) -> Ratio:
        other = ratio(other)
        return Ratio(_times(self.num, other.num), _times(self.den, other.den))

    def __truediv__(self, other: Any) -> Ratio:
        other = ratio(other)
        return Ratio(_times(self.num, other.den), _times(self.den, other.num))

    def __rtruediv__(self, other: Any) -> Ratio:
        return ratio(other) / self

    def __rsub__(self, other: Any) -> Ratio:
        return ratio(other) - self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, power: int) -> Ratio:
        if power < 0:
            return 1 / self**-power
        return prod([self] * power, start=ratio(1))

    def __eq__(self, other: object) -> bool:
        other = ratio(other)
        same = self.den == other.den
        return self.num == other.num if same else _times(self.num, other.den) == _times(other.num, self.den)

    __hash__ = None  # type: ignore[assignment]

    def at(self, /, **values: Any) -> Ratio:
        """Put values (numbers or rational functions) in the place of variables."""
        known = [(place(name), ratio(value)) for name, value in values.items()]
        return _put(self.num, known) / _put(self.den, known)

    def number(self) -> Fraction:
        """Return the value of a constant."""
        need(set(self.num) <= {0} and set(self.den) == {0}, "a variable is left")
        return Fraction(self.num.get(0, 0), self.den[0])

    def variables(self) -> set[str]:
        """Return the names that occur."""
        bits = reduce(or_, (*self.num, *self.den))
        return {name for name in places() if exponent(bits, name)}


def _put(poly: Poly, known: list[tuple[int, Ratio]]) -> Ratio:
    powers: dict[tuple[int, int], Ratio] = {}
    terms: list[Ratio] = []
    for mono, c in poly.items():
        own = {(where, power): value for where, value in known if (power := mono >> where & EXPONENT)}
        powers |= {key: value ** key[1] for key, value in own.items() if key not in powers}
        rest = mono - sum(power << where for where, power in own)
        terms.append(prod((powers[key] for key in own), start=Ratio({rest: c})))
    return sum(terms, ratio(0))


def ratio(value: Any) -> Ratio:
    """Return a number or rational function as a ``Ratio``."""
    if isinstance(value, Ratio):
        return value
    exact = Fraction(value)
    return Ratio({0: exact.numerator} if exact else {}, {0: exact.denominator})


def variable(name: str) -> Ratio:
    """Return a variable as a rational function."""
    return Ratio({1 << place(name): 1})


def coefficients(poly: Poly, name: str) -> list[int]:
    """Return the coefficients of a polynomial in one variable, constant first."""
    need(Ratio(poly).variables() <= {name}, f"more than {name} occurs")
    return [poly.get(n << place(name), 0) for n in range(1 + max((exponent(m, name) for m in poly), default=0))]


# ---- expressions ------------------------------------------------------------------------------------------------
# expression := integer | name | (expression) | -e | e + e | e - e | e * e | e / e | e ^ e | name(e, …) of a definition |
# min(e, e) | max(e, e) | exp(e) | factorial(e) | binomial(e, e), and in an induction Sum(e, (name, e, index + e)). ** is ^.


Divisor = tuple[str, Poly]
"""What an expression divides by: how it is written, and the polynomial that must not be 0."""

BUILT_IN = ("Sum", "min", "max", "sum", "exp", "factorial", "binomial")
"""Functions that no text defines; no variable has such a name."""

OPERATIONS: dict[type[ast.AST], Any] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
MARKS = "+-*/^(), "
NODES = (ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.USub, ast.BinOp, ast.Pow, *OPERATIONS, ast.Call, ast.Tuple)


class Definition(NamedTuple):
    """A rational function of the text: its parameters, its value in them, and what it divides by."""

    parameters: tuple[str, ...]
    value: Ratio
    divisors: tuple[Divisor, ...] = ()


class Written(NamedTuple):
    """A function with sums, minima or powers of variables, evaluated anew, on the range at hand, wherever it is called."""

    parameters: tuple[str, ...]
    tree: ast.expr
    known: Mapping[str, Any] = {}
    """The functions that it was defined with; a theorem's parameter of such a name is another."""


Meaning = Definition | Written | str
"""What the name of a function stands for; "min" or "max" where these stand for a theorem's parameter."""

Definitions = Mapping[str, Meaning]


def parsed(text: Any, marks: str = MARKS, nodes: tuple[type[ast.AST], ...] = NODES) -> ast.expr:
    """Return the syntax tree of an expression. Nothing reads an expression of a text but this function.

    The characters are checked in the text itself: Python's parser would drop comments and take look-alikes for letters.
    """
    need(isinstance(text, str) and bool(text) and text == text.strip(), "expected an expression")
    strange = re.sub(rf"\b([A-Za-z]\w*|0|[1-9][0-9]*)\b|[{re.escape(marks)}]", "", text, flags=re.ASCII)[:20]
    need(not strange, f"expected an expression of names, integers and {marks.strip()}, but there is {strange!a}")
    try:
        tree = ast.parse(text.replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Rejected(f"{text[:60]!r} is no expression") from None
    for node in ast.walk(tree):
        called = not isinstance(node, ast.Call) or isinstance(node.func, ast.Name)
        need(called and isinstance(node, nodes), f"{text[:60]!r} is no expression")
    return tree


def names(tree: Any, inside: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Iterate over the names in an expression: each with "variable", "function" or "index", of a sum, inside this sum."""
    if isinstance(tree, ast.Name):
        yield tree.id, "index" if tree.id in inside else "variable"
    elif isinstance(tree, ast.Call):
        yield tree.func.id, "function"  # type: ignore[attr-defined]
        inside |= {own.elts[0].id for own in tree.args if isinstance(own, ast.Tuple)}  # type: ignore[attr-defined]
    for own in tree.args if isinstance(tree, ast.Call) else ast.iter_child_nodes(tree):
        yield from names(own, inside)


def define(parameters: tuple[str, ...], text: str, known: Definitions) -> Definition | Written:
    """Return the function that a text defines: closed, without a variable but its parameters and, in a sum, its index."""
    tree, plain = parsed(text), True
    for name, what in names(tree):
        need(what != "variable" or name in parameters, f"{name} is no parameter")
        need(what != "function" or name in known or name in BUILT_IN, f"{name} is not defined")
        plain &= what != "function" or isinstance(known.get(name), Definition)
    exponents = [node.right for node in ast.walk(tree) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)]
    if not plain or any(isinstance(node, ast.Name) for own in exponents for node in ast.walk(own)):
        return Written(parameters, tree, known)
    reader = Reader(known)
    return Definition(parameters, reader.value(tree), tuple(reader.divisors))


class FiniteSum(NamedTuple):
    """Σ of a term over index = low, low + 1, …, with ``more`` + (n − start) terms, as an atom of an expression in n."""

    atom: str
    term: Ratio
    low: Ratio
    more: int


INDEX = "Σ"
"""The index of every sum, whatever a text calls it; no text can name it, nor the atoms Σ0, Σ1, …"""
POWER = "Π"
"""Begins the names of the variables that stand for powers with variables in the exponent, and for factorials."""
MOST_SUMS = 4
ATOMS = (INDEX, *(f"{INDEX}{n}" for n in range(MOST_SUMS)))
E = f"{POWER}e"
NEAR_E = (Fraction(2718281828, 10**9), Fraction(2718281829, 10**9))
"""The base of exp, a variable between these two numbers."""


class Reader:
    """Evaluates expressions on a range, and records what they divide by; what a rule evaluates has to be on this range.

    The range decides which of two is the min or max. Sums are allowed where the variable of an induction is given; they
    are taken at ``here``. A power x^m with variables in m is a variable > 0 of its own, and so is m! (``atoms``, with what
    else is known of them): whatever holds for all values of these holds. ``powers`` are x and m of each, or m.
    """

    def __init__(
        self,
        definitions: Definitions | None = None,
        where: Range = (),
        induction: str = "",
        powers: dict[str, tuple[Ratio, ...]] | None = None,
    ) -> None:
        self.definitions, self.where, self.induction = definitions or {}, where, induction
        self.start, self.here = ratio(0), variable(induction) if induction else ratio(0)
        self.powers = {} if powers is None else powers
        self.atoms: dict[str, Bound] = {}
        self.sums: list[FiniteSum] = []
        self.divisors: list[Divisor] = []

    @property
    def bounds(self) -> Range:
        """The range with that of each variable that stands for a power."""
        return [*self.atoms.values(), *self.where]

    def variables(self, value: Ratio) -> set[str]:
        """Return the variables of a value, and those of the powers and factorials in it for what stands for these."""
        own = list(value.variables())
        for name in own:
            inner = (each for part in self.powers.get(name, ()) for each in part.variables())
            own += [each for each in dict.fromkeys(inner) if each not in own]
        return {*own} - {*self.powers}

    def read(self, text: Any, known: Mapping[str, Ratio] | None = None) -> Ratio:
        """Return the rational function of a text, with values in the place of some of its variables."""
        return self.value(parsed(text), known)

    def value(self, tree: Any, known: Mapping[str, Ratio] | None = None) -> Ratio:
        """Return the rational function of a part of an expression."""
        known = known or {}
        match tree:
            case ast.Constant():
                number: Any = tree.value
                need(type(number) is int, "only integers are numbers")
                need(number.bit_length() <= MOST_BITS, "a number is too large")
                return ratio(number)
            case ast.Name(id=name):
                return known[name] if name in known else variable(named(name))
            case ast.UnaryOp(operand=operand):
                return -self.value(operand, known)
            case ast.BinOp():
                return self._binary(tree, self.value(tree.left, known), self.value(tree.right, known))
            case ast.Call(func=ast.Name(id="Sum")):
                return self.finite_sum(tree, known)
            case ast.Call(func=ast.Name(id=name)):
                return self.call(name, [self.value(each, known) for each in tree.args], tree)
            case _:
                raise Rejected("no expression; a sum is Sum(e, (index, low, high))")

    def call(self, name: str, values: Sequence[Any], tree: ast.AST) -> Ratio:
        """Return the value of a function of the text, or of min or max."""
        own = self.definitions.get(name, name)
        if isinstance(own, str):
            return self.built_in(own, values)
        need(len(own.parameters) == len(values), f"{name[:20]} has other parameters")
        known = dict(zip(own.parameters, values, strict=True))
        if isinstance(own, Written):
            Work.spend(10 * sum(1 for _ in ast.walk(own.tree)))
            outer, self.definitions = self.definitions, own.known
            value, self.definitions = self.value(own.tree, known), outer
            return value
        for _, poly in own.divisors:
            self._divides(tree, Ratio(poly).at(**known).num)
        return own.value.at(**known)

    def built_in(self, name: str, values: Sequence[Ratio]) -> Ratio:
        """Return a power of e, a factorial, a binomial, or the smaller (larger) of two where it is the same on the range."""
        need(name in ("min", "max", "exp", "factorial", "binomial"), f"{name[:20]} is not defined")
        takes = 1 if name in ("exp", "factorial") else 2
        need(len(values) == takes, f"expected {name} of {('one', 'two')[takes - 1]}")
        Work.spend(50)
        if name == "exp":
            self.powers[E], self.atoms[E] = (), Bound(E, ratio(NEAR_E[0]), True, ratio(NEAR_E[1]))
            return self.power(variable(E), values[0])
        if name in ("factorial", "binomial"):
            n, *below = values
            return self.factorial(n) / prod(map(self.factorial, [*below, *(n - k for k in below)]), start=ratio(1))
        for less, more in permutations(values):
            with suppress(Rejected):
                nonnegative(more - less, self.bounds)
                return less if name == "min" else more
        raise Rejected(f"which is the {name} is not seen from the bounds")

    def power(self, base: Ratio, exponent: Ratio) -> Ratio:
        """Return x^e = x^c · Π (x^m)^a for e = c + Σ a·m with whole c and a, where x > 0 on the range."""
        if not exponent.variables():
            whole = exponent.number()
            need(whole.denominator == 1 and abs(whole) <= LARGEST_EXPONENT, "an exponent must be a small integer")
            return base ** int(whole)
        small = exponent.den == ONE and max(map(abs, exponent.num.values())) <= LARGEST_EXPONENT
        need(small, "an exponent must be a polynomial with small whole coefficients")
        try:
            above = nonnegative(base, self.bounds)
        except Rejected:
            above = False
        need(above, "the base is not seen to be > 0, and a variable is in the exponent")
        parts = [
            (base if mono == 0 else self._power_atom(base, Ratio({mono: 1}))) ** a for mono, a in exponent.num.items()
        ]
        return prod(parts, start=ratio(1))

    def _power_atom(self, base: Ratio, exponent: Ratio) -> Ratio:
        """Return the variable for x^m, x > 0: x ≥ 1 and m ≥ 0 show that it is ≥ 1, x ≤ 1 and m ≥ 0 that it is ≤ 1."""
        bound = Bound("", ratio(0), True)
        for low, high, part in ((ratio(1), None, base - 1), (ratio(0), ratio(1), 1 - base)):
            with suppress(Rejected):
                apart = min(nonnegative(each, self.bounds) for each in (part, exponent))
                bound = Bound("", low, apart or high is not None, high, high is not None and not apart)
        return self._atom(bound, base, exponent)

    def factorial(self, value: Ratio) -> Ratio:
        """Return e! = m! · (m + 1) ⋯ (m + c) for e = m + c ≥ 0 with a whole c and m ≥ 0, or m!/(m ⋯ (m + c + 1))."""
        more = value.num.get(0, 0)
        need(value.den == ONE and abs(more) <= LARGEST_EXPONENT, "a factorial is one of whole numbers")
        rest = value - more
        nonnegative(value, self.bounds)
        if not rest.variables():
            return ratio(factorial(more))
        nonnegative(rest, self.bounds)
        own = self._atom(Bound("", ratio(0), True), rest)
        return own * prod(rest + n for n in range(1, more + 1)) / prod(rest - n for n in range(-more))

    def _atom(self, bound: Bound, *parts: Ratio) -> Ratio:
        """Return the variable of a power or factorial, the same one where its parts are the same."""
        same = (name for name, own in self.powers.items() if len(own) == len(parts) and all(map(eq, own, parts)))
        name = next(same, f"{POWER}{len(self.powers)}")
        self.powers[name], self.atoms[name] = parts, bound._replace(name=name)
        return variable(name)

    def _divides(self, tree: ast.AST, poly: Poly) -> None:
        need(bool(poly), f"{ast.unparse(tree)[:60]} is 0, and divided by")
        if set(poly) != {0} and all(poly != known for _, known in self.divisors):
            self.divisors.append((ast.unparse(tree)[:60], poly))

    def _binary(self, tree: ast.BinOp, left: Ratio, right: Ratio) -> Ratio:
        if isinstance(tree.op, ast.Pow):
            if not right.variables() and right.number() <= 0:
                self._divides(tree.left, left.num)
            return self.power(left, right)
        if isinstance(tree.op, ast.Div):
            self._divides(tree.right, right.num)
        return OPERATIONS[type(tree.op)](left, right)

    def finite_sum(self, tree: Any, known: Mapping[str, Ratio]) -> Ratio:
        """Return the value of a sum at ``here``: its terms where that is a number of them; at n its atom; at n + 1 a term more.

        The term is evaluated, and has to be defined, from the lower end on.
        """
        need(bool(self.induction), "a sum stands outside an induction")
        ends = tree.args[1] if len(tree.args) == 2 else tree
        need(isinstance(ends, ast.Tuple) and len(ends.elts) == 3, "expected a sum as Sum(e, (index, low, high))")
        index, low, high = cast(Any, ends).elts
        used = [each.id for each in ast.walk(ends) if isinstance(each, ast.Name)]
        own_index = isinstance(index, ast.Name) and index.id not in (known or [self.induction])
        need(own_index and used.count(index.id) == 1, "a sum needs an index of its own, which its ends do not contain")
        first, last = self.value(low, known), self.value(high, known)
        gone = self.here - self.start
        more = (last - first + 1 - gone).number()
        whole = more.denominator == 1 and is_whole(first) and is_whole(last - self.here)
        others = [own for own in self.where if own.name != self.induction]
        need(whole and self.variables(first) <= {own.name for own in others}, "a sum's ends")
        size = sum(1 for _ in ast.walk(tree))

        def term(at: Ratio, where: Range) -> tuple[Ratio, Reader]:
            Work.spend(size)
            inner = Reader(self.definitions, where, powers=self.powers)
            return inner.value(tree.args[0], {**known, named(index.id): at}), inner

        general, inner = term(variable(INDEX), [*others, Bound(INDEX, first)])
        fixed = self.induction not in self.variables(general)
        need(fixed, "a sum's term contains the variable of the induction")
        defined(inner.divisors, inner.bounds)
        from_then = [*others, Bound(self.induction, self.start + max(0, -more))]
        if not gone.variables():
            return sum((term(first + n, from_then)[0] for n in range(int(more + gone.number()))), ratio(0))
        found = [own for own in self.sums if (own.low, own.more) == (first, more) and own.term == general]
        if not found:
            need(len(self.sums) < MOST_SUMS, f"more than {MOST_SUMS} sums")
            found = [FiniteSum(ATOMS[len(self.sums) + 1], general, first, int(more))]
            self.sums += found
        n = variable(self.induction)
        gained = ratio(0) if self.here == n else term(first + more + n - self.start, from_then)[0]
        return variable(found[0].atom) + gained


# ---- ranges -----------------------------------------------------------------------------------------------------


class Bound(NamedTuple):
    """variable ≥ low, or > low where ``strict``, and < high (≤ where ``closed``), if any: in the variables before it."""

    name: str
    low: Any
    strict: bool = False
    high: Any = None
    closed: bool = False

    def shifted(self) -> Ratio:
        """Return the variable as a function of one that is ≥ 0 (> 0 where strict), and of the same name."""
        own = variable(self.name)
        return self.low + own if self.high is None else (self.low + self.high * own) / (1 + own)


Range = Sequence[Bound]


def bound(text: Any) -> tuple[str, str, bool, str, bool]:
    """Return the variable of a bound, its lower end, whether it is above that, its upper end or "", and whether it may be that."""
    shape = re.fullmatch(r"(?:(.+) (>=?) )?([A-Za-z]\w*) (>=?) (.+)", text) if isinstance(text, str) else None
    need(shape is not None, f"expected a bound v >= e, w > e, e > x > e or e >= x >= e, not {text!r}"[:130])
    high, below, name, relation, low = cast(Any, shape).groups(default="")
    return name, low, relation == ">", high, below == ">="


def read_range(where: Any, reader: Reader, least: int = 0) -> Range:
    """Read ["v >= e", "w > e", "e > x > e", …], the range on which the reader evaluates from then on."""
    own: list[Bound] = []
    reader.where = own
    for name, low, strict, high, closed in map(bound, rows(where, least, 12)):
        found = Bound(named(name), reader.read(low), strict, reader.read(high) if high else None, closed)
        before = {known.name for known in own}
        need(name not in before, "a variable has two bounds")
        used = set[str]().union(*(reader.variables(end) for end in (found.low, found.high) if end is not None))
        need(used <= before, f"the bound of {name} uses a variable that does not come before it")
        own.append(found)
    return own


MOST_CLOSED = 5


def cases(where: Range) -> Iterator[Range]:
    """Iterate over the ranges that one with ``closed`` is made of: below the upper end, and at it, where low = high."""
    need(sum(own.closed for own in where) <= MOST_CLOSED, f"more than {MOST_CLOSED} upper ends that may be reached")
    return map(list, product(*([own, own._replace(low=own.high)][: 1 + own.closed] for own in where)))


def shifted(value: Ratio, where: Range) -> Ratio:
    """Return a function in the variables that are counted from their bounds, from the last to the first."""
    for bound in reversed(where):
        value = value.at(**{bound.name: bound.shifted()})
    return value


def nonnegative(value: Ratio, where: Range) -> bool:
    """Return whether a function is shown to be > 0, or only ≥ 0: counted from the bounds, it has no negative coefficient."""
    need(value.variables() <= {bound.name for bound in where}, "a variable has no bound")
    return min(_nonnegative(shifted(value, own), own) for own in cases(where))


def _nonnegative(value: Ratio, where: Range) -> bool:
    if min(value.den.values()) < 0:
        value = Ratio(*({mono: -c for mono, c in part.items()} for part in (value.num, value.den)))
    need(min([*value.num.values(), *value.den.values()]) > 0, "a coefficient is negative")
    need(vanishes_nowhere(value.den, where), "a denominator may vanish")
    return vanishes_nowhere(value.num, where)


def vanishes_nowhere(poly: Poly, where: Range) -> bool:
    """Return whether a term shows that a polynomial without negative coefficients is not 0, for variables ≥ 0.

    The constant does, and any other in variables that are > 0.
    """
    others = sum(EXPONENT << place(bound.name) for bound in where if not bound.strict)
    return any(not mono & others for mono in poly)


def defined(divisors: Iterable[Divisor], where: Range) -> None:
    """Refuse what divides by something that may be 0 in a range: after the shift its coefficients have to have one sign."""
    for text, poly in divisors:
        value = Ratio(poly)
        free = sorted(value.variables() - {bound.name for bound in where})
        need(not free, f"{', '.join(free)[:40]}: divided by, without a bound")
        for own in cases(where):
            moved = shifted(value, own)
            for part in (moved.num, moved.den):
                signs = {c > 0 for c in part.values()}
                need(len(signs) == 1 and vanishes_nowhere(part, own), f"{text} may be 0 where it is divided by")


def is_whole(value: Ratio) -> bool:
    """Return whether a value is a polynomial with whole coefficients, the constant from -50 to 50."""
    return value.den == ONE and abs(value.num.get(0, 0)) <= 50


def from_one(where: Range, divisors: Iterable[Divisor]) -> Range:
    """Return the range in which also every variable that is divided by and has no bound is at least 1."""
    divided = {name for _, poly in divisors for name in Ratio(poly).variables()}
    return [*where, *(Bound(name, ratio(1)) for name in sorted(divided - {bound.name for bound in where}))]


# ---- facts ------------------------------------------------------------------------------------------------------


Data = Mapping[str, Any]
"""A formula as data: the name of a rule, and its fields."""


def formula(line: str) -> Data:
    """Return the data of a line; ``Rejected`` where it has no such form.

    ``e = e`` · ``RANGE: e = e`` · ``RANGE: e > 0`` (or >= 0) · ``sum over k >= e: f = F`` · ``for n >= e: e = e`` ·
    ``integral over v from e to e: f = e``. A range is ``v >= e, w > e, e > x > e, e >= y >= e``, and may stand before a
    sum, an induction and an integral, too: ``RANGE, sum over k >= e: f = F``.
    """
    head, colon, body = line.rpartition(": ")
    over = r"(?:sum over|for)(?= \w+ >= )|integral over(?= \w+ from )"
    shape: Any = re.fullmatch(rf"(.*?)(?:(?:, |^)({over}) (\w+) \S+ (.+))?", head)
    need(bool(shape) and bool(head) == bool(colon), "no formula")
    before, word, name, rest = shape.groups(default="")
    where = re.split(r", (?![^()]*\))", before) if before else []
    left, equals, right = body.partition(" = ")
    if word == "sum over":
        return {"rule": "sum", "index": name, "where": [*where, f"{name} >= {rest}"], "summand": left, "total": right}
    if word == "integral over":
        low, _, high = rest.partition(" to ")
        ends = {"low": low, "high": high}
        return {"rule": "integral", "where": where, "variable": name, **ends, "integrand": left, "value": right}
    if word == "for":
        start = int(rest) if re.fullmatch("-?(0|[1-9][0-9]?)", rest) else rest
        return {"rule": "induction", "index": name, "start": start, "where": where, "left": left, "right": right}
    if equals:
        return {"rule": "identity", "where": where, "left": left, "right": right}
    expression, relation, zero = (*body.rsplit(" ", 2), "", "")[:3]
    need(zero == "0", "no formula: expected e = e, e > 0 or e >= 0, with blanks beside the sign")
    return {"rule": "sign", "where": where, "expression": expression, "relation": relation, "squares": []}


def judge(data: Data, definitions: Definitions | None = None) -> None:
    """Raise ``Rejected`` unless a formula, of ``formula`` or a step, is shown for every value of its variables in its range."""
    need(data.get("rule") in RULES, "there is no such rule")
    RULES[data["rule"]]({name: value for name, value in data.items() if name != "rule"}, Reader(definitions))


# ---- rules ------------------------------------------------------------------------------------------------------
# A function per rule: it reads the fields of a step, which has to be defined everywhere in its range, and shows it, or
# raises ``Rejected``.


def identity(data: Any, reader: Reader) -> None:
    """Two rational functions are equal, in a range; a variable that is divided by and has no bound is at least 1."""
    where, left, right = fields(data, "where", "left", "right")
    read_range(where, reader)
    same = reader.read(left) == reader.read(right)
    defined(reader.divisors, from_one(reader.bounds, reader.divisors))
    need(same, "the two sides differ")


def sign(data: Any, reader: Reader) -> None:
    """Judge that a rational function is > 0 (or ≥ 0) on a range, in which every variable has its bound.

    After v = bound + v' and without the given squares no coefficient is negative, a constant is there where it must be. So
    it is a sum of squares and of what is ≥ 0.
    """
    where, text, relation, squares = fields(data, "where", "expression", "relation", "squares")
    read_range(where, reader, 1)
    rest = reader.read(text)
    need(relation in (">", ">="), "the relation must be > or >=")
    roots = [reader.read(root) for root in rows(squares, 0, 9)]
    known = {bound.name for bound in reader.bounds}
    need(rest.variables() <= known, "a variable has no bound")
    for root in roots:
        need(root.variables() <= known, "a square has a variable without a bound")
        rest = rest - root * root
    defined(reader.divisors, reader.bounds)
    need(nonnegative(rest, reader.bounds) or relation == ">=", "it may vanish")


def total(data: Any, reader: Reader) -> None:
    """Σ f(k) telescopes: F(k) − F(k−1) = f(k), so that Σ_{a≤k≤b} f(k) = F(b) − F(a−1) for every a in the range, b ≥ a.

    The index is the last variable of the range; F is evaluated, and has to be defined, at k and at k − 1.
    """
    index, where, summand, whole = fields(data, "index", "where", "summand", "total")
    need(read_range(where, reader, 1)[-1].name == index, "a sum needs the range of its index, after the others")
    f, big, before = *map(reader.read, (summand, whole)), reader.read(whole, {index: variable(index) - 1})
    defined(reader.divisors, from_one(reader.bounds, reader.divisors))
    need(big - before == f, "F(k) − F(k−1) is not the summand")


def induction(data: Any, reader: Reader) -> None:
    """Two expressions with finite sums are equal at every n = start, start + 1, …; no denominator vanishes from there on.

    The sides are equal at the start, and so are their increments. A sum gains one term from n to n + 1 once its range is not
    inverted; up to that n the values are compared one by one. The other variables are anything in their range.
    """
    index, start, where, left, right = fields({"where": [], **data}, "index", "start", "where", "left", "right")
    bounds, first, n = list(read_range(where, reader)), reader.read(str(start)), variable(named(index))
    need(is_whole(first), "an induction needs an integer to start from, its constant from -50 to 50")
    others = {bound.name for bound in bounds}
    own = index not in others and reader.variables(first) <= others
    need(own, "an induction needs a variable of its own, and a start in variables with bounds")
    reader.induction, reader.start, reader.where = index, first, [*bounds, Bound(index, first)]

    def difference(at: Ratio) -> Ratio:
        reader.here = at
        return reader.read(left, {index: at}) - reader.read(right, {index: at})

    now = difference(n)
    defined(reader.divisors, reader.bounds)
    least = max([0, *(-own.more for own in reader.sums)])
    need(least <= 50, "the induction begins too late")
    for later in range(least + 1):
        at = first + later
        shown = at.number() if not at.variables() else f"{start} + {later}"
        need(difference(at) == 0, f"the two sides differ at {index} = {shown}")
    need(difference(n + 1) == now, "the increments differ")


def integral(data: Any, reader: Reader) -> None:
    """Judge that the integral of a polynomial in one variable, from low to high, is a rational function of the others: term by term."""
    where, integrand, name, low, high, value = fields(data, "where", "integrand", "variable", "low", "high", "value")
    read_range(where, reader)
    f, a, b, whole = (reader.read(text) for text in (integrand, low, high, value))
    known = from_one(reader.bounds, reader.divisors)
    need(named(name) not in {bound.name for bound in known}, "the integrand is no polynomial")
    need(not any(name in reader.variables(end) for end in (a, b, whole)), "the variable occurs outside the integral")
    need(not any(name in reader.variables(variable(own)) for own in reader.atoms), "the integrand is no polynomial")
    defined(reader.divisors, known)
    own = ratio(0)
    for mono, c in f.num.items():
        primitive = Ratio({mono: c}) * variable(name) / (exponent(mono, name) + 1)
        own = own + primitive.at(**{name: b}) - primitive.at(**{name: a})
    need(own / Ratio(f.den) == whole, "the integral is another")


RULES = {"identity": identity, "sign": sign, "sum": total, "induction": induction, "integral": integral}
"""The rules of the steps that are formulas."""
