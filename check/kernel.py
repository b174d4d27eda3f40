"""The kernel: expressions over the rational numbers, the kinds of steps, and the one function that accepts a proof.

A proof is a list of steps. Each is checked by the rule that it names, from the steps before it at most; a sentence (rule
``argued``) and what only crtools computed (``computed``) are counted and printed, never judged. Nothing here knows a claim:
what a proof has to contain is a statement.

Sections: what is refused · values · rational functions · expressions · facts · steps · proofs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from itertools import permutations
from math import gcd, prod
from operator import or_
from typing import Any, NamedTuple

# ---- what is refused --------------------------------------------------------------------------------------------

DEEPEST, LONGEST_LIST, LONGEST_STRING, LARGEST_INTEGER = 12, 400, 2000, 10**18
MOST_TERMS, LARGEST_EXPONENT, LARGEST_COEFFICIENT = 300, 16, 10**20
MOST_NAMES, LONGEST_NAME, MOST_BITS = 100, 12, 1000
MOST_WORK = 250_000
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
    most_names = MOST_NAMES

    @classmethod
    def start(cls) -> None:
        """Begin a document."""
        cls.left, cls.most_names = MOST_WORK, len(_places()) + MOST_NAMES

    @classmethod
    def spend(cls, products: int) -> None:
        """Count products of terms, or what costs as much."""
        cls.left -= products
        need(cls.left >= 0, "too much to compute")


# ---- values in a certificate ------------------------------------------------------------------------------------


def plain(document: Any) -> None:
    """Refuse what no certificate holds: null, true, false, too deep a nesting, numbers, strings or lists too long."""
    layer, depth = [document], 0
    while layer:
        depth += 1
        need(depth <= DEEPEST, f"nested more than {DEEPEST} levels deep")
        inner: list[Any] = []
        for value in layer:
            if isinstance(value, dict):
                inner += [*value, *value.values()]
            elif isinstance(value, list):
                need(len(value) <= LONGEST_LIST, f"a list of more than {LONGEST_LIST} entries")
                inner += value
            elif isinstance(value, str):
                need(len(value) <= LONGEST_STRING, f"a string of more than {LONGEST_STRING} characters")
            else:
                need(type(value) is int, f"{json.dumps(value)} is no value of a certificate")
                need(abs(value) <= LARGEST_INTEGER, "an integer of more than 18 digits")
        layer = inner


def fields(data: Any, *names: str) -> list[Any]:
    """Return the values of an object that has exactly these fields."""
    need(isinstance(data, dict), f"expected an object with the fields {', '.join(names)}")
    for name in data:
        need(name in names, f"unknown field {name!r}")
    for name in names:
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
def _places() -> dict[str, int]:
    """Return the bit at which each variable's exponent begins, in the order in which the variables are met."""
    return {}


def place(name: str) -> int:
    """Return the bit at which a variable's exponent begins."""
    table = _places()
    if name not in table:
        need(len(table) < Work.most_names, "too many variables")
        table[name] = BITS * len(table)
    return table[name]


def named(name: Any) -> str:
    """Return the name of a variable that a certificate may use: letters, digits and _."""
    own = isinstance(name, str) and len(name) <= LONGEST_NAME and bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name))
    need(own, "no name of a variable")
    return name


def exponent(mono: int, name: str) -> int:
    """Return a variable's exponent in a monomial."""
    return mono >> place(name) & EXPONENT


def _bits(monomials: Iterable[int]) -> int:
    """Return the bits that any of them has."""
    return reduce(or_, monomials, 0)


def _add(a: Poly, b: Poly) -> Poly:
    Work.spend((len(a) + len(b)) // 8)
    result = dict(a)
    for mono, c in b.items():
        value = result.get(mono, 0) + c
        if value:
            result[mono] = value
        else:
            result.pop(mono, None)
    return result


def _times(a: Poly, b: Poly) -> Poly:
    if a == ONE:
        return b
    if b == ONE:
        return a
    Work.spend(len(a) * len(b))
    result: Poly = {}
    for mono, c in a.items():
        for other, d in b.items():
            result[mono + other] = result.get(mono + other, 0) + c * d
    bits = _bits(result)
    need(not any(bits >> where + BITS - 1 & 1 for where in _places().values()), "the degree is too large")
    need(all(abs(c).bit_length() <= MOST_BITS for c in result.values()), "a number is too large")
    return {mono: c for mono, c in result.items() if c}


class Ratio:
    """A quotient of two polynomials with integer coefficients, without a common divisor of these; equality is by

    cross-multiplication. Raises ``ZeroDivisionError`` for a denominator that is 0.
    """

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly = ONE) -> None:
        if not den:
            raise ZeroDivisionError
        common = gcd(*den.values(), *num.values())
        self.num, self.den = ({mono: c // common for mono, c in poly.items()} for poly in (num, den))

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

    def at(self, **values: Any) -> Ratio:
        """Put values (numbers or rational functions) in the place of variables."""
        known = [(place(name), ratio(value)) for name, value in values.items()]
        return _put(self.num, known) / _put(self.den, known)

    def number(self) -> Fraction:
        """Return the value of a constant."""
        need(set(self.num) <= {0} and set(self.den) == {0}, "a variable is left")
        return Fraction(self.num.get(0, 0), self.den[0])

    def variables(self) -> set[str]:
        """Return the names that occur."""
        bits = _bits((*self.num, *self.den))
        return {name for name in _places() if exponent(bits, name)}


def _put(poly: Poly, known: list[tuple[int, Ratio]]) -> Ratio:
    powers: dict[tuple[int, int], Ratio] = {}
    terms: list[Ratio] = []
    for mono, c in poly.items():
        rest, factors = mono, list[Ratio]()
        for where, value in known:
            power = mono >> where & EXPONENT
            rest -= power << where
            if power:
                if (where, power) not in powers:
                    powers[where, power] = value**power
                factors.append(powers[where, power])
        terms.append(prod(factors, start=Ratio({rest: c})))
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
    degree = max((exponent(m, name) for m in poly), default=0)
    return [poly.get(power << place(name), 0) for power in range(degree + 1)]


def read_polynomial(data: Any, names: Sequence[str]) -> Poly:
    """Read [[coefficient, [exponents]], …]: integers as strings, none of them 0, exponents in increasing order."""
    result: Poly = {}
    last: list[int] = []
    for term in rows(data, 0, MOST_TERMS):
        need(isinstance(term, list) and len(term) == 2, "expected [coefficient, exponents]")
        c, powers = fraction(term[0]), rows(term[1], len(names), len(names))
        powers = [integer(p, 0, LARGEST_EXPONENT) for p in powers]
        small = c.denominator == 1 and 0 < abs(c) <= LARGEST_COEFFICIENT
        need(small, "expected an integer, not 0, of at most 20 digits")
        need(powers > last, "the terms are not in order")
        last = powers
        result[sum(p << place(name) for p, name in zip(powers, names, strict=True))] = int(c)
    return result


def read_quotient(numerator: Any, denominator: Any, names: Sequence[str]) -> Ratio:
    """Read a quotient of two polynomials."""
    return Ratio(read_polynomial(numerator, names), read_polynomial(denominator, names))


# ---- expressions ------------------------------------------------------------------------------------------------
# expression := integer | name | (expression) | -e | e + e | e - e | e * e | e / e | e ** integer | name(e, …) of a
# definition, and in an induction Sum(e, (name, integer, index + integer)).


class Definition(NamedTuple):
    """A function of the statements: its parameters and its value in them."""

    parameters: tuple[str, ...]
    value: Ratio


Definitions = Mapping[str, Definition]


class FiniteSum(NamedTuple):
    """Σ of a term over index = low, …, n + offset, as an atom of an expression in n."""

    atom: str
    term: Ratio
    low: int
    offset: int

    def at(self, n: int) -> Ratio:
        """Return the value at n; an empty sum is 0."""
        return sum((self.term.at(**{INDEX: k}) for k in range(self.low, n + self.offset + 1)), ratio(0))


INDEX = "Σ"
"""The index of every sum, whatever a text calls it; no text can name it, nor the atoms Σ0, Σ1, …"""


class Reader:
    """Reads expressions; sums are allowed where the variable of an induction is given."""

    def __init__(self, definitions: Definitions | None = None, induction: str = "") -> None:
        self.definitions, self.induction = definitions or {}, induction
        self.sums: list[FiniteSum] = []

    def read(self, text: Any) -> Ratio:
        """Return the rational function of a text."""
        need(isinstance(text, str) and text.isascii(), "expected an expression")
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Rejected(f"{text[:40]!r} is no expression") from None
        return self._value(tree)

    def _value(self, tree: Any) -> Ratio:
        if isinstance(tree, ast.Constant):
            need(type(tree.value) is int and tree.value <= LARGEST_COEFFICIENT, "only integers are numbers")
            return ratio(tree.value)
        if isinstance(tree, ast.Name):
            return variable(named(tree.id))
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            return -self._value(tree.operand)
        if isinstance(tree, ast.BinOp):
            return self._binary(tree)
        need(isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and not tree.keywords, "no expression")
        call: Any = tree
        return self._sum(call) if call.func.id == "Sum" else self._defined(call)

    def _binary(self, tree: ast.BinOp) -> Ratio:
        left = self._value(tree.left)
        if isinstance(tree.op, ast.Pow):
            power = self._value(tree.right).number()
            need(power.denominator == 1 and abs(power) <= LARGEST_EXPONENT, "an exponent must be a small integer")
            return left ** int(power)
        right = self._value(tree.right)
        operations: dict[type[ast.operator], Callable[[], Ratio]] = {
            ast.Add: lambda: left + right,
            ast.Sub: lambda: left - right,
            ast.Mult: lambda: left * right,
            ast.Div: lambda: left / right,
        }
        need(type(tree.op) in operations, "an operation that no expression has")
        return operations[type(tree.op)]()

    def _defined(self, tree: Any) -> Ratio:
        need(tree.func.id in self.definitions, f"{tree.func.id[:20]} is not defined")
        own = self.definitions[tree.func.id]
        need(len(own.parameters) == len(tree.args), f"{tree.func.id[:20]} has other parameters")
        values = [self._value(each) for each in tree.args]
        return own.value.at(**dict(zip(own.parameters, values, strict=True)))

    def _sum(self, tree: Any) -> Ratio:
        need(bool(self.induction) and len(tree.args) == 2, "a sum stands outside an induction")
        need(isinstance(tree.args[1], ast.Tuple) and len(tree.args[1].elts) == 3, "a sum needs (index, low, high)")
        index, low, high = tree.args[1].elts
        need(isinstance(index, ast.Name) and index.id != self.induction, "a sum needs an index of its own")
        first = self._value(low).number()
        offset = (self._value(high) - variable(self.induction)).number()
        term = self._value(tree.args[0])
        need(self.induction not in term.variables(), "a sum's term contains the variable of the induction")
        need(not any(own.atom in term.variables() for own in self.sums), "a sum stands in a sum")
        term = term.at(**{named(index.id): variable(INDEX)})
        need(first.denominator == offset.denominator == 1 and max(abs(first), abs(offset)) <= 50, "a sum's ends")
        for own in self.sums:
            if (own.low, own.offset) == (first, offset) and own.term == term:
                return variable(own.atom)
        need(len(self.sums) < 4, "more than 4 sums")
        own = FiniteSum(f"{INDEX}{len(self.sums)}", term, int(first), int(offset))
        self.sums.append(own)
        return variable(own.atom)


def defined(value: Ratio, index: str, start: int) -> bool:
    """Return whether a denominator in one variable is not 0 from a number on: shifted, its coefficients have one sign."""
    own = Ratio(value.den)
    if not own.variables() <= {index}:
        return False
    shifted = coefficients(own.at(**{index: variable(index) + start}).num, index)
    return shifted[0] != 0 and (min(shifted) >= 0 or max(shifted) <= 0)


# ---- facts ------------------------------------------------------------------------------------------------------
# What a step shows, for every value of its variables (in its range, where it has one). A fact is compared with the
# fact that a statement asks for: the same range, and the same rational functions.


class Fact(NamedTuple):
    """A rule's name, what is compared letter by letter (range, relation, index), and what is compared as functions."""

    rule: str
    shape: tuple[Any, ...]
    values: tuple[Ratio, ...]
    sums: tuple[FiniteSum, ...] = ()

    def same(self, other: Fact) -> bool:
        """Return whether two facts say the same, in whatever order their sums are met."""
        return (self.rule, self.shape, len(self.sums)) == (other.rule, other.shape, len(other.sums)) and any(
            self._equal(other, order) for order in permutations(self.sums)
        )

    def _equal(self, other: Fact, order: Sequence[FiniteSum]) -> bool:
        pairs = list(zip(order, other.sums, strict=True))
        renamed = {a.atom: variable(b.atom) for a, b in pairs}
        return all((a.low, a.offset) == (b.low, b.offset) and a.term == b.term for a, b in pairs) and all(
            a.at(**renamed) == b for a, b in zip(self.values, other.values, strict=True)
        )


def wanted(line: str, definitions: Definitions) -> Fact:
    """Return the fact that a line of a statement asks for.

    ``e = e`` · ``v >= e, w >= e: e > 0`` (or >= 0) · ``sum over k: f = F`` · ``for n >= 1: e = e`` ·
    ``integral over v from e to e: f = e``.
    """
    reader = Reader(definitions)
    head, colon, body = line.rpartition(": ")
    words = head.split()
    if not colon:
        return Fact("identity", (), _both(body, reader))
    if words[:2] == ["sum", "over"]:
        return Fact("sum", (words[2],), _both(body, reader))
    if words[:2] == ["integral", "over"]:
        low, high = head.partition(" from ")[2].split(" to ")
        f, whole = _both(body, reader)
        return Fact("integral", (words[2],), (f, reader.read(low), reader.read(high), whole))
    if words[0] == "for":
        reader = Reader(definitions, induction=words[1])
        sides = _both(body, reader)
        return Fact("induction", (words[1], int(words[3])), sides, tuple(reader.sums))
    bounds = read_range([part.split(" >= ") for part in head.split(", ")], reader)
    expression, relation, zero = body.rsplit(" ", 2)
    assert zero == "0"
    return Fact("sign", (tuple(v for v, _ in bounds), relation), (*(b for _, b in bounds), reader.read(expression)))


def _both(text: str, reader: Reader) -> tuple[Ratio, Ratio]:
    left, right = text.split(" = ")
    return reader.read(left), reader.read(right)


Range = list[tuple[str, Ratio]]


def read_range(where: Any, reader: Reader) -> Range:
    """Read [[variable, bound], …]: variable ≥ bound, the bound in the variables before it."""
    own: Range = []
    for entry in rows(where, 1, 12):
        need(isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str), "expected [variable, bound]")
        name, bound = named(entry[0]), reader.read(entry[1])
        before = [known for known, _ in own]
        need(name not in before, "a variable has two bounds")
        need(bound.variables() <= set(before), f"the bound of {name} uses a variable that does not come before it")
        own.append((name, bound))
    return own


def shifted(value: Ratio, where: Range) -> Ratio:
    """Return a function after v = bound + v', from the last variable to the first."""
    for name, bound in reversed(where):
        value = value.at(**{name: bound + variable(name)})
    return value


# ---- steps ------------------------------------------------------------------------------------------------------
# One function per rule: it reads the fields of a step, checks it, and returns its fact. ``Rejected`` where it fails.


def identity(data: Any) -> Fact:
    """Two rational functions are equal."""
    read = Reader().read
    left, right = (read(text) for text in fields(data, "left", "right"))
    need(left == right, "the two sides differ")
    return Fact("identity", (), (left, right))


def sign(data: Any) -> Fact:
    """A rational function is > 0 (or ≥ 0) on a range.

    After the shift and without the squares it is the given quotient, of which no coefficient is negative; constant terms
    are there where it must not vanish. So it is a sum of squares and of what is ≥ 0.
    """
    names = ("where", "expression", "relation", "squares", "numerator", "denominator")
    where, text, relation, squares, numerator, denominator = fields(data, *names)
    reader = Reader()
    bounds, value = read_range(where, reader), reader.read(text)
    need(relation in (">", ">="), "the relation must be > or >=")
    roots = [reader.read(each) for each in rows(squares, 0, 9)]
    own = [name for name, _ in bounds]
    rest = value
    for root in roots:
        need(root.variables() <= set(own), "a square has a variable without a bound")
        rest = rest - root * root
    quotient = read_quotient(numerator, denominator, own)
    need(quotient == shifted(rest, bounds), "the quotient is another function")
    for part, strict in ((quotient.den, True), (quotient.num, relation == ">")):
        need(all(c == abs(c) for c in part.values()), "a coefficient is negative")
        need(not strict or 0 in part, "it may vanish")
    return Fact("sign", (tuple(own), relation), (*(bound for _, bound in bounds), value))


def total(data: Any) -> Fact:
    """Σ f(k) telescopes: F(k) − F(k−1) = f(k), so that Σ_{a≤k≤b} f(k) = F(b) − F(a−1)."""
    index, summand, whole = fields(data, "index", "summand", "total")
    named(index)
    f, big = Reader().read(summand), Reader().read(whole)
    need(big - big.at(**{index: variable(index) - 1}) == f, "F(k) − F(k−1) is not the summand")
    return Fact("sum", (index,), (f, big))


def induction(data: Any) -> Fact:
    """Two expressions with finite sums are equal at every integer from a start on: there, and their increments are.

    A sum whose upper end is n + offset gains one term from n to n + 1 once its range is not inverted; up to that n the
    values are compared one by one. No denominator vanishes from the start on.
    """
    index, start, left, right = fields(data, "index", "start", "left", "right")
    named(index)
    first = integer(start, 0, 50)
    reader = Reader(induction=index)
    sides = [reader.read(left), reader.read(right)]
    difference = sides[0] - sides[1]
    need(defined(difference, index, first), "a denominator may vanish")
    for own in reader.sums:
        need(defined(own.term, INDEX, own.low), "a denominator may vanish")
    base = max([first, *(own.low - 1 - own.offset for own in reader.sums)])
    need(base - first <= 50, "the induction begins too late")
    for n in (*range(first, base), base):
        here = {own.atom: own.at(n) for own in reader.sums}
        need(difference.at(**{index: n}, **here) == 0, f"the two sides differ at {index} = {n}")
    n = variable(index)
    grown = {own.atom: variable(own.atom) + own.term.at(**{INDEX: n + own.offset + 1}) for own in reader.sums}
    need(difference.at(**{index: n + 1}, **grown) == difference, "the increments differ")
    return Fact("induction", (index, first), tuple(sides), tuple(reader.sums))


def integral(data: Any) -> Fact:
    """The integral of a polynomial in one variable, from low to high, is a rational function."""
    names = ("integrand", "variable", "low", "high", "value")
    integrand, name, low, high, value = fields(data, *names)
    named(name)
    f, a, b, whole = (Reader().read(text) for text in (integrand, low, high, value))
    need(all(exponent(mono, name) == 0 for mono in f.den), "the integrand is no polynomial")
    need(name not in a.variables() | b.variables() | whole.variables(), "the variable occurs outside the integral")
    own = ratio(0)
    for mono, c in f.num.items():
        primitive = Ratio({mono: c}) * variable(name) / (exponent(mono, name) + 1)
        own = own + primitive.at(**{name: b}) - primitive.at(**{name: a})
    need(own / Ratio(f.den) == whole, "the integral is another")
    return Fact("integral", (name,), (f, a, b, whole))


RULES: dict[str, Callable[[Any], Fact]] = {
    "identity": identity,
    "sign": sign,
    "sum": total,
    "induction": induction,
    "integral": integral,
}
"""The rules that check a step."""


# ---- proofs -----------------------------------------------------------------------------------------------------


class Accepted(NamedTuple):
    """A proof that was accepted: its facts in order, its steps in words, those not computed here, and what it cites."""

    facts: tuple[Fact, ...]
    argued: tuple[str, ...]
    computed: tuple[str, ...]
    cites: tuple[str, ...]


def accept(steps: Any, earlier: Mapping[str, Accepted]) -> Accepted:
    """Check the steps of a proof in order; ``earlier`` are the proofs that it may cite.

    Each step has a name of its own and a rule. A step in words names the steps ``of`` which it follows, all of them
    before it; one that only crtools computed says what that is; a citation names a proof. Every step but the last is one
    that a later step follows from.
    """
    facts: list[Fact] = []
    argued: list[str] = []
    computed: list[str] = []
    cites: list[str] = []
    unused: dict[str, None] = {}
    seen: set[str] = set()
    for entry in rows(steps, 1, 60):
        need(isinstance(entry, dict), "a step must be an object")
        name, rule = entry.get("step"), entry.get("rule")
        need(isinstance(name, str) and isinstance(rule, str), "a step needs a name and a rule")
        need(bool(name) and name not in seen, f"{name[:40]}: a step of that name came before")
        own = {key: value for key, value in entry.items() if key not in ("step", "rule")}
        try:
            if rule == "argued":
                argued.append(_argued(own, seen, unused))
            elif rule == "computed":
                computed.append(_sentence(*fields(own, "says")))
            elif rule == "cited":
                [proof] = fields(own, "proof")
                need(isinstance(proof, str) and proof in earlier, "it cites a proof that does not come before it")
                cites.append(proof)
            else:
                need(rule in RULES, "there is no such rule")
                facts.append(RULES[rule](own))
        except Rejected as error:
            raise Rejected(f"{name[:60]}: {error}") from None
        seen.add(name)
        unused[name] = None
    need(len(unused) == 1, f"{next(iter(unused))[:60]}: nothing follows from this step")
    return Accepted(tuple(facts), tuple(argued), tuple(computed), tuple(cites))


def _argued(data: Any, seen: set[str], unused: dict[str, None]) -> str:
    says, of = fields(data, "says", "of")
    _sentence(says)
    premises = rows(of, 0, 60)
    need(len({*map(str, premises)}) == len(premises), "a premise is named twice")
    for premise in premises:
        need(isinstance(premise, str) and premise in seen, f"its premise {str(premise)[:40]!r} does not come before it")
        unused.pop(premise, None)
    return says


def _sentence(says: Any) -> str:
    need(isinstance(says, str) and bool(says.strip()), "a step in words has no words")
    return says
