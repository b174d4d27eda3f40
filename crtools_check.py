"""crtools-check: verifies the certificates that ``crtools verify --certificates DIR`` writes.

One file, the standard library only, nothing of crtools: ``python3 crtools_check.py DIR``. For every claim it holds its
own statement, and one function that says which evidence decides it and checks that evidence from the definitions up.
A certificate is rejected unless everything in it is what the claim's function asks for.

Sections: values in a certificate · rational functions · steps · signs and enclosures · the discrete process ·
Algorithm 2 to the letter · latency forms · sums over geometric laws · the claims · reading a folder · the command line.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, gcd, isqrt
from types import SimpleNamespace
from typing import Any, NoReturn

FORMAT = 2
LARGEST_FILE = 200_000
"""Bytes; the largest certificate has a quarter of it."""
DEEPEST, LONGEST_LIST, LONGEST_STRING, LARGEST_INTEGER = 12, 400, 250, 10**18
MOST_TERMS, LARGEST_EXPONENT, LARGEST_COEFFICIENT = 150, 12, 10**20
"""What is larger is refused unread: it proves nothing that a smaller one does not, and would keep the checker busy."""


class Rejected(Exception):
    """The certificate does not prove its claim; the message says why."""


def need(condition: bool, reason: str) -> None:
    """Raise ``Rejected`` with the reason unless the condition holds."""
    if not condition:
        raise Rejected(reason)


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
# A polynomial is a dictionary {monomial: integer}; a monomial packs one exponent of 16 bits per variable.

VARIABLES = (*"sluijkmnqtxyrvepohcwKMS", "alpha")
BITS = 16
PLACE = {name: BITS * number for number, name in enumerate(VARIABLES)}
Poly = dict[int, int]
ONE: Poly = {0: 1}


def _add(a: Poly, b: Poly, sign: int = 1) -> Poly:
    result = dict(a)
    for mono, c in b.items():
        value = result.get(mono, 0) + sign * c
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
    result: Poly = {}
    for mono, c in a.items():
        for other, d in b.items():
            result[mono + other] = result.get(mono + other, 0) + c * d
    return {mono: c for mono, c in result.items() if c}


class Ratio:
    """A quotient of two polynomials with integer coefficients, not reduced; equality is by cross-multiplication."""

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: Poly = ONE) -> None:
        if not den:
            raise ZeroDivisionError
        common = gcd(*num.values(), *den.values())
        if den is not ONE and common > 1:
            num, den = {m: c // common for m, c in num.items()}, {m: c // common for m, c in den.items()}
        self.num, self.den = num, den

    def __add__(self, other: Any) -> Ratio:
        other = ratio(other)
        if self.den == other.den:
            return Ratio(_add(self.num, other.num), self.den)
        return Ratio(_add(_times(self.num, other.den), _times(other.num, self.den)), _times(self.den, other.den))

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
        result = ratio(1)
        for _ in range(power):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        other = ratio(other)
        return _times(self.num, other.den) == _times(other.num, self.den)

    __hash__ = None  # type: ignore[assignment]

    def at(self, **values: Any) -> Ratio:
        """Put values (numbers or rational functions) in the place of variables."""
        known = [(PLACE[name], ratio(value)) for name, value in values.items()]
        return _put(self.num, known) / _put(self.den, known)

    def number(self) -> Fraction:
        """Return the value of a constant."""
        need(set(self.num) <= {0} and set(self.den) == {0}, "a variable is left")
        return Fraction(self.num.get(0, 0), self.den[0])


def _put(poly: Poly, known: list[tuple[int, Ratio]]) -> Ratio:
    powers: dict[tuple[int, int], Ratio] = {}
    total = Ratio({})
    for mono, c in poly.items():
        rest, factor = mono, ratio(c)
        for place, value in known:
            power = mono >> place & (1 << BITS) - 1
            rest -= power << place
            if power:
                if (place, power) not in powers:
                    powers[place, power] = value**power
                factor = factor * powers[place, power]
        total = total + factor * Ratio({rest: 1})
    return total


def ratio(value: Any) -> Ratio:
    """Return a number or rational function as a ``Ratio``."""
    if isinstance(value, Ratio):
        return value
    exact = Fraction(value)
    return Ratio({0: exact.numerator} if exact else {}, ONE if exact.denominator == 1 else {0: exact.denominator})


X = SimpleNamespace(**{name: Ratio({1 << place: 1}) for name, place in PLACE.items()})
"""The variables: ``X.s`` is s."""


def coefficients(poly: Poly, name: str) -> list[int]:
    """Return the coefficients of a polynomial in one variable, constant first."""
    need(all(m % (1 << PLACE[name]) == 0 and m >> PLACE[name] < 1 << BITS for m in poly), f"more than {name} occurs")
    degree = max((m >> PLACE[name] for m in poly), default=0)
    return [poly.get(power << PLACE[name], 0) for power in range(degree + 1)]


def read_polynomial(data: Any, names: Sequence[str]) -> Poly:
    """Read [[coefficient, [exponents]], …]: integers as strings, none of them 0, exponents in increasing order."""
    result: Poly = {}
    last: list[int] = []
    for term in rows(data, 0, MOST_TERMS):
        need(isinstance(term, list) and len(term) == 2, "expected [coefficient, exponents]")
        c, powers = fraction(term[0]), rows(term[1], len(names), len(names))
        powers = [integer(p, 0, LARGEST_EXPONENT) for p in powers]
        need(
            c.denominator == 1 and 0 < abs(c) <= LARGEST_COEFFICIENT, "expected an integer, not 0, of at most 20 digits"
        )
        need(not result or powers > last, "the terms are not in order")
        last = powers
        result[sum(p << PLACE[name] for p, name in zip(powers, names, strict=True))] = int(c)
    return result


def read_quotient(numerator: Any, denominator: Any, names: Sequence[str]) -> Ratio:
    """Read a quotient whose coefficients have no common divisor and whose denominator ends in a positive one."""
    num, den = read_polynomial(numerator, names), read_polynomial(denominator, names)
    need(bool(den) and list(den.values())[-1] > 0, "the denominator's last coefficient must be positive")
    need(gcd(*num.values(), *den.values()) == 1 and (bool(num) or den == ONE), "the quotient has a common factor")
    return Ratio(num, den)


# ---- steps ------------------------------------------------------------------------------------------------------
# A proof is a list of steps. Names, order, variables, ranges and what has to hold are this file's; a certificate gives
# the polynomials. Each step class has the fields ``name`` and ``accept``.


class Same:
    """Two rational functions are equal, and the certificate's quotient is their value."""

    def __init__(self, name: str, variables: str, first: Any, second: Any) -> None:
        self.name, self.variables, self.value = name, variables.split(), ratio(first)
        need(self.value == ratio(second), f"{name}: the two sides differ")

    def accept(self, data: Any) -> None:
        """Compare the certificate's quotient with the value."""
        _, variables, numerator, denominator = fields(data, "step", "variables", "numerator", "denominator")
        need(variables == self.variables, f"{self.name}: the variables must be {self.variables}")
        need(read_quotient(numerator, denominator, self.variables) == self.value, f"{self.name}: another function")


class Sign:
    """A rational function is > 0 (or ≥ 0) on a range.

    ``where`` lists "v:bound" in order: v = bound + v', v' ≥ 0. The certificate gives the quotient in the shifted
    variables; no coefficient may be negative, and a constant term has to be there where it must not vanish.
    """

    def __init__(self, name: str, where: str, value: Any, sign: str = ">") -> None:
        self.name, self.sign = name, sign
        self.where = [part.split(":") for part in where.split()]
        self.variables = [v for v, _ in self.where]
        self.value = ratio(value)
        for v, bound in reversed(self.where):
            terms = [getattr(X, t) if t in VARIABLES else int(t) for t in bound.split("+")]
            self.value = self.value.at(**{v: sum(terms, getattr(X, v))})

    def accept(self, data: Any) -> None:
        """Compare the certificate's quotient with the function and read the signs of its coefficients."""
        names = ("step", "where", "sign", "numerator", "denominator")
        _, where, sign, numerator, denominator = fields(data, *names)
        need(where == self.where and sign == self.sign, f"{self.name}: the range must be {self.where}, {self.sign} 0")
        quotient = read_quotient(numerator, denominator, self.variables)
        need(quotient == self.value, f"{self.name}: another function")
        for part, strict in ((quotient.den, True), (quotient.num, self.sign == ">")):
            need(all(c > 0 for c in part.values()), f"{self.name}: a negative coefficient")
            need(not strict or 0 in part, f"{self.name}: it may vanish")


class Sum:
    """Σ f(k) over k telescopes: the certificate gives F with F(k) − F(k−1) = f(k) and F(0) = 0."""

    def __init__(self, name: str, variables: str, index: str, summand: Any) -> None:
        self.name, self.variables, self.index, self.summand = name, variables.split(), index, ratio(summand)

    def accept(self, data: Any) -> None:
        """Check the difference and the value at 0."""
        _, variables, index, numerator, denominator = fields(
            data, "step", "variables", "index", "numerator", "denominator"
        )
        need(variables == self.variables and index == self.index, f"{self.name}: the index must be {self.index}")
        big = read_quotient(numerator, denominator, self.variables)
        before = big.at(**{self.index: getattr(X, self.index) - 1})
        need(big - before == self.summand, f"{self.name}: F(k) − F(k−1) is not the summand")
        need(big.at(**{self.index: 0}) == 0, f"{self.name}: F(0) must be 0")


class Value:
    """A number."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, Fraction(value)

    def accept(self, data: Any) -> None:
        """Compare."""
        _, value = fields(data, "step", "value")
        need(fraction(value) == self.value, f"{self.name}: another value")


Step = Same | Sign | Sum | Value


def accept_steps(data: Any, steps: Sequence[Step]) -> None:
    """Check that the certificate's steps are these, all of them and in this order."""
    names = [entry.get("step") if isinstance(entry, dict) else None for entry in rows(data, 0, 500)]
    wanted = [step.name for step in steps]
    need(names == wanted, f"the steps must be {', '.join(wanted)}")
    for step, entry in zip(steps, data, strict=True):
        step.accept(entry)


def integral(integrand: Ratio, name: str, top: Ratio) -> Ratio:
    """Return the integral from 0 to ``top`` of what is a polynomial in one variable, its denominator free of it."""
    place, total = PLACE[name], ratio(0)
    for mono, c in integrand.num.items():
        power = mono >> place & (1 << BITS) - 1
        total = total + Ratio({mono - (power << place): c}) * top ** (power + 1) / (power + 1)
    return total / Ratio(integrand.den)


# ---- signs and enclosures ---------------------------------------------------------------------------------------


def positive_on_unit(poly: Sequence[int | Fraction], depth: int = 24) -> bool:
    """Return whether a polynomial (constant first) is > 0 on [0, 1]: Bernstein coefficients, halving as needed."""
    n = len(poly) - 1
    if not poly[0] > 0 or not sum(poly) > 0:
        return False
    if all(
        sum((Fraction(comb(i, j), comb(n, j)) * poly[j] for j in range(i + 1)), Fraction(0)) > 0 for i in range(n + 1)
    ):
        return True
    half = [Fraction(c, 2**k) for k, c in enumerate(poly)]
    shifted = [sum((comb(k, j) * half[k] for k in range(j, n + 1)), Fraction(0)) for j in range(n + 1)]
    return depth > 0 and positive_on_unit(half, depth - 1) and positive_on_unit(shifted, depth - 1)


def without_factor(poly: list[Fraction], root: int) -> list[Fraction]:
    """Divide a polynomial (constant first) by q (root 0) or by 1 − q (root 1) as often as it goes."""
    while len(poly) > 1 and (poly[0] if root == 0 else sum(poly)) == 0:
        if root == 0:
            poly = poly[1:]
        else:
            quotient, carry = [], Fraction(0)
            for c in poly[:-1]:  # p = (1 − q) g gives g_k = p_k + g_{k−1}
                carry += c
                quotient.append(carry)
            poly = quotient
    return poly


def log_bounds(x: Fraction, places: int = 20) -> tuple[Fraction, Fraction]:
    """Return numbers below and above ln x for x > 0.

    * ln x = 2 Σ t^(2n+1)/(2n+1), t = (x−1)/(x+1), after powers of 2; what lies behind a term is at most 9/8 of the next.
    """
    if x < 1:
        low, high = log_bounds(1 / x, places)
        return -high, -low
    twos = 0
    while x > Fraction(4, 3):
        x, twos = x / 2, twos + 1
    unit = 10 ** (places + 3)
    own = _artanh_twice((x - 1) / (x + 1), unit)
    two = _artanh_twice(Fraction(1, 3), unit)
    return Fraction(own[0] + twos * two[0], unit), Fraction(own[1] + twos * two[1], unit)


def _artanh_twice(t: Fraction, unit: int) -> tuple[int, int]:
    """Return 2 artanh t for |t| ≤ 1/3 between two integers, in units of 1/unit."""
    sign = -1 if t < 0 else 1
    top, bottom, terms, low, n = abs(t.numerator), t.denominator, 0, 0, 0
    power_top, power_bottom = top, bottom
    while power_top * unit * 4 > power_bottom:
        low += 2 * power_top * unit // ((2 * n + 1) * power_bottom)
        terms, n = terms + 1, n + 1
        power_top, power_bottom = power_top * top * top, power_bottom * bottom * bottom
    high = low + terms + 2  # one unit per term, and a rest below 2 · ¼ · 9/8
    return (low, high) if sign > 0 else (-high, -low)


# ---- the discrete process ---------------------------------------------------------------------------------------
# Integer instants. A request started at p holds s + t − p tokens at t = p+1, …, p+o, completes at p+o and is then gone.


def tokens(starts: Sequence[int], lengths: Sequence[int], s: int, t: int) -> int:
    """Return the memory held at the instant t."""
    return sum(s + t - p for p, o in zip(starts, lengths, strict=True) if p < t <= p + o)


def feasible(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether the memory suffices at every instant; the use is largest when a request completes."""
    return all(tokens(starts, lengths, s, p + o) <= memory for p, o in zip(starts, lengths, strict=True))


def total(starts: Sequence[int], lengths: Sequence[int]) -> int:
    """Return the total latency."""
    return sum(starts) + sum(lengths)


def run_queue(
    order: Sequence[int], assumed: Sequence[int], lengths: Sequence[int], s: int, memory: int, passing: bool = False
) -> list[int]:
    """Return the starts of a queue without cancellation.

    A request starts where the projected use, every request counted up to its assumed length, stays within the memory.
    The queue stops at the first that does not fit, or with ``passing`` looks at the ones behind it too.
    """
    need(all(s + a <= memory for a in assumed), "a request can never run")
    starts: dict[int, int] = {}
    waiting, t = list(order), 0
    while waiting:
        running = [i for i in starts if starts[i] + lengths[i] > t]
        for i in list(waiting):
            group = [*running, i]
            begun = [starts.get(g, t) for g in group]
            ends = {p + assumed[g] for p, g in zip(begun, group, strict=True)}
            if all(tokens(begun, [assumed[g] for g in group], s, x) <= memory for x in ends if x > t):
                starts[i] = t
                running.append(i)
                waiting.remove(i)
            elif not passing:
                break
        t += 1
    return [starts[i] for i in range(len(lengths))]


def shortest_first(lengths: Sequence[int], s: int, memory: int) -> list[int]:
    """Return H-SF's starts: increasing length, equal ones in their order."""
    return run_queue(sorted(range(len(lengths)), key=lambda i: lengths[i]), lengths, lengths, s, memory)


def may_move(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int, request: int, to: int) -> bool:
    """Return whether Definition 2 is violated: ``to`` lies from the last earlier start (or 0) on, and moving there fits."""
    own = starts[request]
    before = max((p for p in starts if p < own), default=0)
    moved = [to if i == request else p for i, p in enumerate(starts)]
    return before <= to < own and feasible(moved, lengths, s, memory)


def packed(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether a schedule is optimally packed (Definition 2)."""
    return not any(may_move(starts, lengths, s, memory, i, k) for i, p in enumerate(starts) for k in range(p))


def same_order(a: Sequence[int], b: Sequence[int]) -> bool:
    """Return whether two schedules preserve the corresponding order (Definition 1)."""
    return all((a[i] - a[j]) * (b[i] - b[j]) >= 0 for i, j in combinations(range(len(a)), 2))


def permutation(value: Any, size: int) -> list[int]:
    """Return a list that holds 0, …, size − 1 once each."""
    order = integers(value, 0, size - 1, size)
    need(len(set(order)) == size, "expected a permutation")
    return order


# ---- Algorithm 2 to the letter ----------------------------------------------------------------------------------
# At an instant requests leave, then overflow is cancelled, then requests are admitted. A waiting request is (length,
# bound), a running one (length, bound it was started with, age); equal ones are counted, and every tie is followed.

State = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, int], ...]]
"""The waiting and the running requests, each sorted."""
Law = dict[State, Fraction]


@dataclass
class Means:
    """Expectations over the ties, up to an instant: the latency of those that completed, starts and completions by

    (bound, length), cancelled starts by (bound, new bound, length). ``over``: all have completed, whatever the ties;
    ``most``: the largest number that is cancelled at one instant.
    """

    total: Fraction
    over: bool
    most: int
    started: dict[tuple[int, int], Fraction]
    completed: dict[tuple[int, int], Fraction]
    moved: dict[tuple[int, int, int], Fraction]


def _count(counts: dict[Any, Fraction], key: Any, p: Fraction) -> None:
    counts[key] = counts.get(key, Fraction(0)) + p


def _draws(jobs: tuple[Any, ...]) -> list[tuple[Any, tuple[Any, ...], Fraction]]:
    """Return, for a uniform draw among those of least bound, the job, the others and the probability."""
    least = min(job[1] for job in jobs)
    equal = [job for job in jobs if job[1] == least]
    result: list[tuple[Any, tuple[Any, ...], Fraction]] = []
    for job in sorted(set(equal)):
        place = jobs.index(job)
        result.append((job, jobs[:place] + jobs[place + 1 :], Fraction(equal.count(job), len(equal))))
    return result


def _admits(running: tuple[tuple[int, int, int], ...], bound: int, s: int, memory: int) -> bool:
    """Eq. 5 for a new request with a bound: one that runs counts up to its bound, and past it for one instant more."""
    rows = [(age, max(b, age + 1)) for _, b, age in running] + [(0, bound)]
    ends = {end - age for age, end in rows}  # in between the use only grows
    return all(sum(s + age + d for age, end in rows if age + d <= end) <= memory for d in ends)


@cache
def literal_means(requests: tuple[tuple[int, int], ...], s: int, memory: int, instants: int = 100) -> Means:
    """Follow A_min from (length, first bound) of every request, through all ties, up to an instant."""
    need(all(s + o <= memory for o, _ in requests), "a request can never run")
    own = Means(Fraction(0), False, 0, {}, {}, {})
    law: Law = {(tuple(sorted(requests)), ()): Fraction(1)}
    for t in range(instants + 1):
        after: Law = {}
        for (waiting, running), p in law.items():
            for o, bound, age in running:
                if age == o:
                    own.total += p * t
                    _count(own.completed, (bound, o), p)
            _count(after, (waiting, tuple(job for job in running if job[2] < job[0])), p)
        kept: Law = {}
        drawn = -1
        while after:  # one draw after the other, so that equal states meet
            layer, after, drawn = after, {}, drawn + 1
            own.most = max(own.most, drawn)
            for (waiting, running), p in layer.items():
                if sum(s + age + 1 for _, _, age in running) <= memory:
                    _count(kept, (waiting, running), p)
                    continue
                for (o, bound, age), rest, share in _draws(running):
                    new = max(bound, age)
                    _count(own.moved, (bound, new, o), p * share)
                    _count(after, (tuple(sorted((*waiting, (o, new)))), rest), p * share)
        law = {}
        while kept:
            layer, kept = kept, {}
            for (waiting, running), p in layer.items():
                if not waiting or not _admits(running, min(b for _, b in waiting), s, memory):
                    if waiting or running:
                        _count(law, (waiting, tuple((o, b, age + 1) for o, b, age in running)), p)
                    continue
                for (o, bound), rest, share in _draws(waiting):
                    _count(own.started, (bound, o), p * share)
                    _count(kept, (rest, tuple(sorted((*running, (o, bound, 0))))), p * share)
        if not law:
            own.over = True
            break
    return own


def kill_and_restart(order: Sequence[int], lengths: Sequence[int], s: int, l: int, u: int, memory: int) -> list[int]:
    """Return the completion times of a-restart, a policy that knows l and u: kill what reaches a threshold unfinished.

    The thresholds are l, 2l, 4l, …, u. The queue holds (request, threshold), first in, first out; a request is assumed to
    end at its threshold, and if it does not, it goes to the end of the queue, with the next one, all its tokens lost.
    """
    need(s + u <= memory and all(l <= o <= u for o in lengths), "lengths in [l, u] and s + u ≤ M are needed")
    queue, running, done, t = [(i, l) for i in order], [], {}, 0
    while queue or running:
        still: list[tuple[int, int, int]] = []
        for i, top, start in running:
            if start + min(top, lengths[i]) > t:
                still.append((i, top, start))
            elif lengths[i] <= top:
                done[i] = t
            else:
                queue.append((i, min(2 * top, u)))
        running = still
        while queue:
            group = [*running, (*queue[0], t)]
            ends = {start + top for _, top, start in group}
            if any(sum(s + x - p for _, top, p in group if x <= p + top) > memory for x in ends):
                break
            running = group
            queue.pop(0)
        t += 1
    return [done[i] for i in range(len(lengths))]


# ---- latency forms ----------------------------------------------------------------------------------------------
# TEL ≈ n²/(2M) · form(x) as n → ∞ and then M → ∞, for the share x_i of requests of length i.

Weights = Mapping[int, int | Fraction]


def h_sf_form(x: Weights, s: int) -> Fraction:
    """Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i)."""
    return sum(
        (Fraction(k * (s + k)) * w * (w + 2 * sum(v for i, v in x.items() if i > k)) for k, w in x.items()), Fraction(0)
    )


def a_min_form(x: Weights, s: int, l: int, u: int) -> Fraction:
    """Σ_{k=l}^{u} δ(k) (Σ_{i≥k} i x_i)(Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i), δ(l) = s+l, else 1."""
    result = Fraction(0)
    for k in range(l, u + 1):
        delta = s + l if k == l else 1
        later = [(i, w) for i, w in x.items() if i >= k]
        length = sum((Fraction(i) * w for i, w in later), Fraction(0))
        result += delta * length * sum((Fraction(delta + 2 * (i - k), s + i) * w for i, w in later), Fraction(0))
    return result


def a_ell_form(first: int | Fraction, second: int | Fraction, s: int, l: int, u: int) -> Fraction:
    """Everything runs l tokens in random order, then the long ones u: l(s+l)(x+y)(x+2y) + u(s+u)y²."""
    return Fraction(l * (s + l) * (first + second) * (first + 2 * second) + u * (s + u) * second * second)


def h_sf(i: Ratio, j: Ratio, s: Any) -> Ratio:
    """The coefficient of H-SF's form at lengths i ≤ j.

    * Only the summand k = i has x_i x_j.
    """
    return i * (s + i) + 0 * j


def a_min(i: Ratio, j: Ratio, s: Any) -> Ratio:
    """The coefficient of A_min's form at lengths i ≤ j; ``entries_lemma`` derives it from the double sum."""
    return (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j))


def a_max(i: Ratio, j: Ratio, s: Any) -> Ratio:
    """(s+u)(Σ x_i)(Σ i x_i)."""
    return (s + X.u) * (i + j) / 2


def a_random(i: Ratio, j: Ratio, s: Any) -> Ratio:
    """(Σ x_i)(Σ i(s+i) x_i)."""
    return (i * (s + i) + j * (s + j)) / 2


Entry = Callable[[Ratio, Ratio, Any], Ratio]


@cache
def entries_lemma() -> None:
    """A_min's entry for every s ≥ 0 and l ≤ i ≤ j, whatever l is.

    * The first factor's x_f and the second factor's x_g meet in the summands k ≤ min(f, g) = m, with the coefficient
      δ(k) f (δ(k) + 2(g − k))/(s + g). Over k > l, 1 + 2(g − k) is the difference of 2gk − k².
    """
    s, l, i, j, k, m = X.s, X.l, X.i, X.j, X.k, X.m

    def both(f: Ratio, g: Ratio) -> Ratio:
        inner = 2 * g * k - k * k
        need(inner - inner.at(k=k - 1) == 1 + 2 * (g - k), "the sum over k")
        start = (s + l) * (s + l + 2 * (g - l))
        return f * (start + inner.at(k=m) - inner.at(k=l)) / (s + g)

    need((both(i, j) + both(j, i)).at(m=i) == 2 * a_min(i, j, s), "A_min's entries")
    for size, low in ((0, 1), (1, 1), (2, 3)):
        for a, b in combinations_with_replacement(range(low, low + 4), 2):
            whole = a_min_form({a: 1, b: 1} if a < b else {a: 1}, size, low, b)
            parts = [(a, a), (b, b), (a, b), (a, b)] if a < b else [(a, a)]
            direct = sum((a_min(ratio(f), ratio(g), size).number() for f, g in parts), Fraction(0))
            need(whole == direct, "A_min's entries at small lengths")


class Tails:
    """A form in the tails T_k = Σ_{i≥k} x_i.

    * Its coefficients there are the second differences of its matrix (Abel summation).

    ``corner`` is the coefficient of T_l², ``row`` half of that of T_l T_j, ``diagonal`` that of T_k² (k > l) and
    ``inner`` half of that of T_i T_j (l < i < j).
    """

    def __init__(self, entry: Entry, s: Any) -> None:
        l, i, j, k = X.l, X.i, X.j, X.k
        self.corner = entry(l, l, s)
        self.row = entry(l, j, s) - entry(l, j - 1, s)
        self.diagonal = entry(k, k, s) - 2 * entry(k - 1, k, s) + entry(k - 1, k - 1, s)
        self.inner = entry(i, j, s) - entry(i - 1, j, s) - entry(i, j - 1, s) + entry(i - 1, j - 1, s)


@cache
def a_min_tails() -> Tails:
    """A_min at s = 0 in the tails: C_ll = l², C_lj = ½(l + l³ g_j), C_ij = ½(1 + p_i g_j), C_kk = (2k−1)/k.

    Here p_i = 3i² − 3i + 1 and g_j = 1/(j(j−1)). At l = 1 the first row is like the others.
    """
    entries_lemma()
    own, l, i, j, k = Tails(a_min, 0), X.l, X.i, X.j, X.k
    g, p = 1 / (j * (j - 1)), 3 * i**2 - 3 * i + 1
    need(own.corner == l**2 and own.row == (l + l**3 * g) / 2, "the first row")
    need(own.inner == (1 + p * g) / 2 and own.diagonal == (2 * k - 1) / k, "the other rows")
    return own


@cache
def h_sf_lemma() -> None:
    """H-SF's form is l(s+l) T_l² + Σ_{k>l} (s+2k−1) T_k²: a sum of squares for every s ≥ 0 and l."""
    own = Tails(h_sf, X.s)
    need(own.corner == X.l * (X.s + X.l) and own.row == 0 and own.inner == 0, "H-SF in the tails")
    need(own.diagonal == X.s + 2 * X.k - 1, "H-SF's weights")


def inverse_matrix(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the inverse of a small matrix by elimination."""
    n = len(matrix)
    table = [[*row, *(Fraction(int(a == b)) for b in range(n))] for a, row in enumerate(matrix)]
    for a in range(n):
        pivot = next(b for b in range(a, n) if table[b][a] != 0)
        table[a], table[pivot] = table[pivot], table[a]
        table[a] = [v / table[a][a] for v in table[a]]
        for b in range(n):
            if b != a:
                table[b] = [v - table[b][a] * w for v, w in zip(table[b], table[a], strict=True)]
    return [row[n:] for row in table]


def small_matrices(u: int) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return A_u and B_u at s = 0, l = 1 from the forms' double sums, by polarisation."""

    def matrix(form: Callable[[Weights], Fraction]) -> list[list[Fraction]]:
        own = {k: form({k: 1}) for k in range(1, u + 1)}
        return [
            [own[i] if i == j else (form({i: 1, j: 1}) - own[i] - own[j]) / 2 for j in range(1, u + 1)]
            for i in range(1, u + 1)
        ]

    return matrix(lambda x: a_min_form(x, 0, 1, u)), matrix(lambda x: h_sf_form(x, 0))


# ---- sums over geometric laws -----------------------------------------------------------------------------------
# x_k ∝ q^k (power 0) or k q^k (power 1) on k ≥ 1.


def law_ratio(power: int, s: int, q: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above A_min's form over H-SF's, from the sums themselves up to a length.

    * An entry of either form at i, j is at most (s + min) max, so what lies beyond the length is at most 2
      Σ_{j>length} j x_j · Σ_i (s + i) x_i.
    """
    need(0 < q <= Fraction(199, 200) and q.denominator <= 1000, "q must be in (0, 199/200], with at most three digits")
    length = 60
    while _beyond(power, q, length) * (s + 2) * length**3 > Fraction(1, 10**20):
        length = length * 3 // 2
    low_top, low_bottom, _ = _partial_sums(power, s, q, length, up=False)
    high_top, high_bottom, moment = _partial_sums(power, s, q, length, up=True)
    far = _beyond(power, q, length)
    missing = 2 * far * (moment + (s + 1) * far)
    return low_top / (high_bottom + missing), (high_top + missing) / low_bottom


def _beyond(power: int, q: Fraction, length: int) -> Fraction:
    """Return a number above Σ_{j>length} j^(power+1) q^j.

    * From one term to the next it falls at least like the first: a geometric series is above.
    """
    shrink = q * Fraction(length + 2, length + 1) ** (power + 1)
    return (length + 1) ** (power + 1) * q ** (length + 1) / (1 - shrink) if shrink < 1 else Fraction(10**40)


def _partial_sums(power: int, s: int, q: Fraction, length: int, up: bool) -> tuple[Fraction, Fraction, Fraction]:
    """Return both forms and Σ (s + i) x_i for lengths up to ``length``, all rounded down, or all up.

    Everything is ≥ 0 and counted in units of 10⁻⁵⁰. From the longest down to k: ``mass`` Σ x_i, ``span`` Σ i x_i, ``share``
    Σ x_i/(s+i), and ``later`` Σ (i−k) x_i/(s+i), which gains ``share`` at each step.
    """
    unit = 10**50

    def divide(a: int, b: int) -> int:
        return -(-a // b) if up else a // b

    x, weights = unit, [0]
    for k in range(1, length + 1):
        x = divide(x * q.numerator, q.denominator)
        weights.append(x * k**power)
    mass = span = share = later = top = bottom = 0
    for k in range(length, 0, -1):
        later += share
        bottom += k * (s + k) * weights[k] * (weights[k] + 2 * mass)
        mass += weights[k]
        span += k * weights[k]
        share += divide(weights[k], s + k)
        delta = s + 1 if k == 1 else 1
        top += delta * span * (delta * share + 2 * later)
    return Fraction(top, unit**2), Fraction(bottom, unit**2), Fraction(span + s * mass, unit)


def truncated(value: Any, bounds: tuple[Fraction, Fraction], places: int = 10) -> Fraction:
    """Return the certificate's decimal d where the enclosed number is known to lie in [d, d + 10^(−places))."""
    shown = decimal(value, places)
    need(shown <= bounds[0] and bounds[1] < shown + Fraction(1, 10**places), f"{value} is not the value, cut off")
    return shown


@cache
def power_sum(power: int) -> Ratio:
    """Return Σ_{j≥1} j^power t^j.

    * The numerator over (1 − t)^(power + 1) is t times the polynomial of the Eulerian numbers.
    """
    numbers = [1]
    for k in range(2, power + 1):
        numbers = [
            (m + 1) * (numbers[m] if m < len(numbers) else 0) + (k - m) * (numbers[m - 1] if m else 0) for m in range(k)
        ]
    t = X.t
    top = sum((c * t**m for m, c in enumerate(numbers)), ratio(0)) if power else ratio(1)
    return t * top / (1 - t) ** (power + 1)


def double_sum(entry: Ratio, power: int) -> Ratio:
    """Return Σ_{i,j} entry(min, max) (ij)^power q^(i+j), for a polynomial entry in i ≤ j.

    * The sum is that of its diagonal and twice that of j = i + t, t ≥ 1; each is a product of power sums.
    """
    q = X.q
    squares = {p: power_sum(p).at(t=q * q) for p in range(12)}
    plain = {p: power_sum(p).at(t=q) for p in range(12)}
    weighted = entry * (X.i * X.j) ** power
    same, other = weighted.at(j=X.i), weighted.at(j=X.i + X.t)
    result = ratio(0)
    for mono, c in same.num.items():
        result = result + c * squares[mono >> PLACE["i"]] / Ratio(same.den)
    for mono, c in other.num.items():
        first, second = mono >> PLACE["i"] & (1 << BITS) - 1, mono >> PLACE["t"]
        result = result + 2 * c * squares[first] * plain[second] / Ratio(other.den)
    return result


def derivative(poly: Sequence[int | Fraction]) -> list[Fraction]:
    """Return the derivative of a polynomial, constant first."""
    return [Fraction(k * c) for k, c in enumerate(poly)][1:] or [Fraction(0)]


def multiply(a: Sequence[int | Fraction], b: Sequence[int | Fraction]) -> list[Fraction]:
    """Return the product of two polynomials, constant first."""
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, c in enumerate(a):
        for j, d in enumerate(b):
            result[i + j] += c * d
    return result


def add(*polys: Sequence[int | Fraction]) -> list[Fraction]:
    """Return the sum of polynomials, constant first."""
    return [sum((Fraction(p[k]) for p in polys if k < len(p)), Fraction(0)) for k in range(max(map(len, polys)))]


# ---- the claims -------------------------------------------------------------------------------------------------
# One function per claim and level. Its docstring states the claim and what decides it; ``given`` are the paper's values.

Check = Callable[[Any], None]


@dataclass(frozen=True)
class Statement:
    """A claim at a level: the status that its evidence establishes, the paper's values, and the function."""

    status: str
    given: dict[str, str]
    check: Check

    @property
    def words(self) -> str:
        """The claim in this file's words: the first paragraph of its function's docstring."""
        return " ".join((self.check.__doc__ or "").split("\n\n")[0].split())

    @property
    def worth(self) -> str:
        """What a certificate that is accepted is worth: argued steps are trusted, the rest is recomputed."""
        count = len(argued_steps(self.check))
        if count:
            return f"verified modulo {count} argued step{'s' * (count > 1)}"
        return "verified at the witness" if self.status == "refuted" else "verified"


def argued_steps(check: Check) -> list[str]:
    """Return the arguments in words that a check relies on: "* …" in its docstring and in those of what it uses or names.

    ``TRIALS`` run small instances; what they call is not relied on.
    """
    known = {name: inspect.unwrap(value) for name, value in globals().items() if callable(value)}
    used, found = [check], list[str]()
    for function in used:
        doc = function.__doc__ or ""
        paragraphs = re.split(r"\n\s*\n|\n\s*(?=\* )", doc)
        found += [" ".join(part.split())[2:] for part in paragraphs if part.lstrip().startswith("* ")]
        names = [*_names(getattr(function, "__code__", None)), *re.findall(r"``(\w+)``", doc)]
        new = (known[name] for name in dict.fromkeys(names) if name in known and name not in TRIALS)
        used += [value for value in new if value not in used and getattr(value, "__module__", "") == __name__]
    return found


def _names(code: Any) -> list[str]:
    inner = (c for c in code.co_consts if hasattr(c, "co_names")) if code else ()
    return [*(code.co_names if code else ()), *(name for c in inner for name in _names(c))]


TRIALS = ("bounds_hold", "_pairs_hold")
CLAIMS: dict[tuple[str, str], Statement] = {}
AT_ZERO, FORM, ALGORITHM = "form-at-zero", "form", "algorithm"
"""The levels: the latency forms at s = 0, the same for every s ≥ 0, and the discrete process with the policies to the letter."""


def claim(name: str, level: str, status: str, **given: str) -> Callable[[Check], Check]:
    """Register the function of a claim at a level."""

    def register(check: Check) -> Check:
        CLAIMS[name, level] = Statement(status, given, check)
        return check

    return register


def only_steps(evidence: Any, steps: Sequence[Step]) -> None:
    """Check evidence that consists of steps."""
    accept_steps(fields(evidence, "steps")[0], steps)


# Section 2


@claim("tel-identity", ALGORITHM, "proved", waiting="1", processing="1", relation="=")
def tel_identity(evidence: Any) -> None:
    """In every schedule the completion times sum to Σ_t t·|I_t| + Σ_i o_i.

    * A request of I_p completes at p + o; it adds p to the first sum and o to the second.
    """
    only_steps(evidence, [Same("one request", "p o", X.p + X.o, 1 * X.p + 1 * X.o)])


@claim("infeasible-pair", ALGORITHM, "proved", use="M-1", remaining="2")
def infeasible_pair(evidence: Any) -> None:
    """Two jobs hold M − 1 tokens and have at least two to generate each; without cancellation not both can end.

    * A job that waits keeps its tokens. When the first ends it has generated all its r ≥ 2, so the use is at least M
      − 1 + r > M.

    Small cases are searched: every order of steps, each generating a token of one job or of both.
    """
    only_steps(evidence, [Sign("use at its end", "r:2", (X.M - 1) + X.r - X.M)])

    @cache
    def completes(first: int, second: int, free: int) -> bool:
        if not (first and second):
            return True
        return any(
            a + b <= free and completes(first - a, second - b, free - a - b) for a, b in ((1, 0), (0, 1), (1, 1))
        )

    need(not any(completes(a, b, 1) for a in range(2, 5) for b in range(2, 5)), "a pair completes")


# Section 3


@cache
def _holds_more() -> Sign:
    return Sign("use", "s:0 x:0", X.s + X.x, ">=")


@claim("hsf-cardinality", ALGORITHM, "proved", order="increasing", prompts="equal", margin="0")
def hsf_cardinality(evidence: Any) -> None:
    """One round, equal prompts: the longest fitting prefix in increasing length is a largest fitting set.

    * A request of age x ≤ o holds s + x ≥ 0 tokens and a longer one the same at the same age, so at every instant a
      shorter one holds no more.
    * The k-th shortest of all waiting requests is no longer than the k-th shortest of a fitting set U, for each k ≤
      |U|; so the |U| shortest hold at most what U holds, and fit.

    Small cases are searched.
    """
    only_steps(evidence, [_holds_more()])
    for n, s in product(range(1, 5), range(3)):
        for lengths in combinations_with_replacement(range(1, 4), n):
            for memory in range(1, sum(lengths) + s * n + 1):
                fits = [
                    k
                    for k in range(n + 1)
                    for c in combinations(lengths, k)
                    if k == 0 or feasible([0] * k, c, s, memory)
                ]
                prefix = max(k for k in range(n + 1) if k == 0 or feasible([0] * k, lengths[:k], s, memory))
                need(prefix == max(fits), "a set larger than the prefix")


@claim("amax-safe", ALGORITHM, "proved", assumed="u")
def amax_safe(evidence: Any) -> None:
    """A_max assumes u ≥ o for every request: it never exceeds the memory, so it never cancels.

    * A request is admitted only where the use, each request counted up to u, stays within M at all later instants.
      The true use counts each request up to o ≤ u only, and a count s + x is never negative.

    Small cases are run.
    """
    only_steps(evidence, [_holds_more()])
    for n, s, u in product(range(1, 4), range(2), range(1, 4)):
        for lengths in product(range(1, u + 1), repeat=n):
            for memory in range(s + u, n * (s + u) + 1):
                starts = run_queue(range(n), [u] * n, lengths, s, memory)
                need(feasible(starts, lengths, s, memory), "A_max exceeds the memory")


_EX_AMAX = {"n": "5", "s": "1", "M": "10", "o": "1", "l": "1", "u": "4"}


@claim("ex-amax", ALGORITHM, "certified", **_EX_AMAX, h_sf="5", a_max="9", latencies="1,1,2,2,3", batch="2")
def ex_amax(evidence: Any) -> None:
    """n = 5, s = 1, M = 10, all o = 1, [1, 4]: H-SF's total is 5; A_max runs ⌊M/(s+u)⌋ = 2 at a time, total 9."""
    h_sf_starts, a_max_starts, latencies, totals, batch = fields(
        evidence, "h_sf_starts", "a_max_starts", "latencies", "totals", "batch"
    )
    lengths, s, memory, u = [1] * 5, 1, 10, 4
    for order in permutations(range(5)):
        own = run_queue(order, [u] * 5, lengths, s, memory)
        need(sorted(own) == integers(a_max_starts, 0, 9, 5), "A_max starts at other times")
    quick = shortest_first(lengths, s, memory)
    need(quick == integers(h_sf_starts, 0, 9, 5), "H-SF starts at other times")
    need(integers(latencies, 1, 9, 5) == [p + 1 for p in a_max_starts] == [1, 1, 2, 2, 3], "other latencies")
    need(integers(totals, 0, 99, 2) == [total(quick, lengths), sum(latencies)] == [5, 9], "other totals")
    need(integer(batch, 1, 9) == memory // (s + u) == a_max_starts.count(0) == 2, "another batch")


def _a_max_tails() -> list[Step]:
    h_sf_lemma()
    own = Tails(a_max, X.s)
    need(own.diagonal == 0 and own.inner == 0, "A_max in the tails")
    c, w, t, big = X.c, X.w, X.t, X.K
    return [
        Same("A_max, corner", "s l u", own.corner, (X.s + X.u) * X.l),
        Same("A_max, row", "s u", own.row, (X.s + X.u) / 2),
        Same(
            "square",
            "c w t K",
            big * w * t**2 - c * t + c**2 / (4 * big * w),
            (2 * big * w * t - c) ** 2 / (4 * big * w),
        ),
        Sign("weights", "l:1 k:l+1", (X.s + 2 * X.k - 1) - (X.s + X.l)),
    ]


def _a_max_constant(bound: Ratio, up: Any) -> Ratio:
    """4K²l(s+l)² − 4K(s+u)l(s+l) − (u−l)(s+u)²: if it is ≥ 0, A_max's form is at most K times H-SF's.

    * With c = s+u and T_l = 1, K·H-SF − A_max = K l(s+l) − c l + Σ_k (K w_k T_k² − c T_k), and each term of the sum
      is at least −c²/(4K w_k) > −c²/(4K(s+l)), by "square" and "weights"; there are u − l of them.
    """
    s, l = X.s, X.l
    c = s + up
    return 4 * bound**2 * l * (s + l) ** 2 - 4 * bound * c * l * (s + l) - (up - l) * c**2


def _a_max_at_most(bound: Fraction, s: int, l: int, u: int) -> bool:
    """Return whether ``_a_max_constant``'s K l(s+l) − c l ≥ Σ_k c²/(4K w_k) holds at one setting, K = ``bound``."""
    c, weights = s + u, sum((Fraction(1, s + 2 * k - 1) for k in range(l + 1, u + 1)), Fraction(0))
    return bound > 0 and bound * l * (s + l) - c * l >= c * c * weights / (4 * bound)


@cache
def _a_max_upper_steps() -> list[Step]:
    l, u = X.l, X.u
    bound = u * (u + l) / (2 * l**2)
    need(bound.at(l=X.alpha * u) == (1 + 1 / X.alpha) / (2 * X.alpha), "the bound in α = l/u")
    return [*_a_max_tails(), Sign("constant", "s:0 l:1 u:l", _a_max_constant(bound, u), ">=")]


@claim("thm-amax-upper", AT_ZERO, "proved", bound="(1+1/alpha)/(2*alpha)")
@claim("thm-amax-upper", FORM, "proved", bound="(1+1/alpha)/(2*alpha)")
def amax_upper(evidence: Any) -> None:
    """Of the forms, for every s ≥ 0, all lengths l < u and weights: A_max over H-SF is at most (1+1/α)/(2α), α = l/u."""
    only_steps(evidence, _a_max_upper_steps())


@cache
def _a_max_below_steps() -> list[Step]:
    s, l, r = X.s, X.l, X.r
    up = l * r**2  # r² = u/l = 1/α
    bound = r**2 * (1 + r) / 2
    factor = 2 * bound * (s + l) / (s + up)
    constant = _a_max_constant(bound, up)
    need(constant == l * (s + up) ** 2 * ((factor - 1) ** 2 - r**2), "the constant as a difference of squares")
    return [*_a_max_tails(), Sign("factor", "s:0 l:1 r:1", r**2 * (s + l) - (s + up), ">=")]


def _amax_lower(steps: Any, forms: Any, sizes: Sequence[int]) -> None:
    """Refute "the supremum is at least (1+1/√α)/(2α)": for every s ≥ 0 and l < u it is below.

    * With K the bound and r = √(u/l), the constant is l c² ((y−1)² − r²), y = 2K(s+l)/c = (1+r)·r²(s+l)/c ≥ 1 + r by
      "factor"; "weights" is strict and u > l, so K·H-SF − A_max exceeds a positive multiple of T_l², and the supremum
      is below K.

    The examples give, at u/l a square, the supremum rounded up to three decimals.
    """
    accept_steps(steps, _a_max_below_steps())
    for data, size in zip(rows(forms, len(sizes), len(sizes)), sizes, strict=True):
        s, l, u, upper = fields(data, "s", "l", "u", "upper")
        need(integer(s, 0, 9) == size, f"an example at s = {size} is missing")
        l, u, shown = integer(l, 1, 100), integer(u, 1, 400), fraction(upper)
        need(l < u, "l < u is needed")
        root = Fraction(isqrt(u * l), l)
        need(root**2 == Fraction(u, l), "u/l must be a square")
        below = shown - Fraction(1, 1000)
        need(_a_max_at_most(shown, size, l, u) and not _a_max_at_most(below, size, l, u), "another supremum")
        need(1000 % shown.denominator == 0, "expected three decimals")
        need(shown < root**2 * (1 + root) / 2, "the supremum is not below the bound")


_AMAX_LOWER = {
    "bound": "(1+1/sqrt(alpha))/(2*alpha)",
    "mix": "sqrt(alpha)",
    "display": "(1+1/sqrt(alpha))/(2*alpha)",
}


@claim("thm-amax-lower", AT_ZERO, "refuted", **_AMAX_LOWER)
def amax_lower_at_zero(evidence: Any) -> None:
    """Of the forms at s = 0: A_max over H-SF is at least (1+1/√α)/(2α). False for all l < u."""
    steps, forms = fields(evidence, "steps", "forms")
    _amax_lower(steps, forms, (0,))


@claim("thm-amax-lower", FORM, "refuted", **_AMAX_LOWER)
def amax_lower_form(evidence: Any) -> None:
    """Of the forms: A_max over H-SF is at least (1+1/√α)/(2α). False at s = 0 and s = 1, and for all s and l < u.

    The last equality of the published proof is false, too: (u/l)(au+bl)(a+b)/(ua²+2lab+ub²) = (1+1/√α)/(2α) at a/b = √α.
    """
    steps, forms, display = fields(evidence, "steps", "forms", "display")
    _amax_lower(steps, forms, (0, 1))
    l, u, a, b, left, right = fields(display, "l", "u", "a", "b", "left", "right")
    l, u, a, b = (integer(x, 1, 1000) for x in (l, u, a, b))
    need(l < u and a * a * u == b * b * l, "a/b must be √α, α < 1")
    value = Fraction(u * (a * u + b * l) * (a + b), l * (u * a * a + 2 * l * a * b + u * b * b))
    claimed = Fraction(u, l) * (1 + Fraction(b, a)) / 2
    need(fraction(left) == value and fraction(right) == claimed and value != claimed, "the two sides are others")


@cache
def _rate_steps(s: int) -> list[Step]:
    m, n, big = X.m, X.n, X.S
    y, first = 2 + (s + 1) * big, m + 2 - s
    return [
        *_a_max_tails()[:3],
        Sign("supremum", "S:0", y**2 - 2 * y - (s + 1) * big, ">="),
        Sign("block", "n:1", ratio(1) / 2 - n / (s + 2 * (n + 1) - 1)),
        Sign("decay", f"m:{s}", ratio(3) / 4 - (first + 1) / (2 * first), ">="),
    ]


def _rate(evidence: Any, s: int) -> None:
    """Refute "A_max over H-SF is at least a constant times α^(−1.5) as α → 0" at one s, 0 or 1.

    * With l = 1, c = s+u and S = Σ_{1<k≤u} 1/(s+2k−1), A_max is at most K times H-SF if K(s+1) − c ≥ c² S/(4K)
      (``_a_max_at_most``), that is with y = 2K(s+1)/c if y² − 2y − (s+1)S ≥ 0: y = 2 + (s+1)S does ("supremum"). At u
      = 4^m each block n < k ≤ 2n, n = 1, 2, 4, …, has n terms of at most 1/(s+2n+1), so it adds less than ½
      ("block"), there are 2m of them, and S < m.
    * As c ≤ (s+1)u, the ratio over u^1.5 is below (2 + (s+1)m)/2^(m+1) = (m+2−s)/2^(m+1−s), which falls to at most ¾
      of itself from each m to the next ("decay"): it tends to 0.

    The members give the supremum over u^1.5 rounded up to three decimals.
    """
    steps, members = fields(evidence, "steps", "members")
    accept_steps(steps, _rate_steps(s))
    last = Fraction(10)
    for m, data in zip((1, 2, 3, 4), rows(members, 4, 4), strict=True):
        number, upper = fields(data, "m", "upper")
        need(number == m, f"the member m = {m} is missing")
        shown = fraction(upper)
        top, below = shown * 8**m, (shown - Fraction(1, 1000)) * 8**m
        need(_a_max_at_most(top, s, 1, 4**m) and not _a_max_at_most(below, s, 1, 4**m), "another value")
        need(1000 % shown.denominator == 0, "expected three decimals")
        need(shown < last and shown <= Fraction(m + 2 - s, 2 ** (m + 1 - s)) + Fraction(1, 1000), "it does not fall")
        last = shown


_RATE = {"fast": "2", "slow": "1.5", "at_one": "1"}


@claim("rate-amax", AT_ZERO, "refuted", **_RATE)
def rate_amax_at_zero(evidence: Any) -> None:
    """Of the forms at s = 0: as α → 0, A_max over H-SF is at least a constant times α^(−1.5). False."""
    _rate(evidence, 0)


@claim("rate-amax", FORM, "refuted", **_RATE)
def rate_amax_form(evidence: Any) -> None:
    """Of the forms, for every s ≥ 0: as α → 0, A_max over H-SF is at least a constant times α^(−1.5). False at s = 1."""
    _rate(evidence, 1)


# Section 4


@claim("thm-complexity", ALGORITHM, "refuted", cost="M*log(M)", concurrent="M/s")
def thm_complexity(evidence: Any) -> None:
    """Algorithm 2, which sorts the waiting requests, costs O(M log M) operations per time step, or in the whole run.
    False.

    * A sort of k keys that compares makes at least k − 1 comparisons: fewer leave two groups of keys of which none
      was compared with one of the other.
    * At t = 0 all n wait. With s = 1 at most M/2 start at an instant, so n − tM/2 wait at t < 2n/M, and the sum of k
      − 1 over these instants is F(2n/M) ("waiting") ≥ n²/M − n ("whole").
    * With n = M³, M log M ≤ M² ("logarithm": M − 1 − log M is 0 at 1 and increases), and n − 1 is at least M − 1
      times M² ("instant"), the sum at least M² times (M − 1) ("run"): no constant does.

    n is not bounded by M in the model. The members give the numbers of requests that wait at t = 0, and their excess
    over 1 summed over the instants, where all have length 1 on [1, 2].
    """
    steps, members = fields(evidence, "steps", "members")
    n, k, m = X.n, X.k, X.M
    waiting = n * k - m * k * (k - 1) / 4 - k
    whole = waiting.at(k=2 * n / m)
    accept_steps(
        steps,
        [
            Sum("waiting", "n k M", "k", n - (k - 1) * m / 2 - 1),
            Same("end", "n M", whole, n**2 / m + n / 2 - 2 * n / m),
            Sign("whole", "n:1 M:2", whole - (n**2 / m - n)),
            Sign("logarithm", "M:1", 1 - 1 / m, ">="),
            Sign("instant", "M:2", (m**3 - 1) - (m - 1) * m**2),
            Sign("run", "M:2", (m**6 / m - m**3) - (m - 1) * m**2),
        ],
    )
    for memory, data in zip((4, 6, 8), rows(members, 3, 3), strict=True):
        room, count, first, over = fields(data, "M", "n", "first", "whole")
        n = memory**3
        need((room, count) == (memory, n), f"the member M = {memory} is missing")
        starts = [t for t in range(2 * n // memory) for _ in range(memory // 2)]
        need(tokens(starts[: memory // 2], [1] * (memory // 2), 1, 1) == memory, "a batch does not fill the memory")
        lines = [sum(p >= t for p in starts) for t in range(max(starts) + 1)]
        need(integer(first, 1, 10**6) == lines[0] == n, "another number waits at t = 0")
        need(integer(over, 1, 10**9) == sum(k - 1 for k in lines) >= n * n // memory - n, "another sum")


# Algorithm 2 and a policy that kills and starts again, in the process


def volume(o: Any, s: Any) -> Any:
    """Return s·o + o(o+1)/2, the token-instants of a request of length o."""
    return s * o + o * (o + 1) * Fraction(1, 2)


def thresholds(l: int, u: int) -> list[int]:
    """Return l, 2l, 4l, … below u, and u."""
    found = [l]
    while found[-1] < u:
        found.append(min(2 * found[-1], u))
    return found


def cancelled_at_most(s: int, memory: int) -> Fraction:
    """At an instant, A_min cancels at most M/((s+1)(s+2)) + 1 requests.

    * Those that run held at most M, each at least s + 1, so they are at most M/(s+1), and at the next instant each
      needs one token more; a cancellation frees at least s + 2, and stops as soon as it fits.
    """
    return Fraction(memory, (s + 1) * (s + 2)) + 1


def a_min_least(shorts: int, longs: int, s: int, u: int, memory: int) -> Fraction:
    """Return a number below A_min's expected total on lengths l < u with the interval [l, u].

    * A long that was started until t has completed (at most tM/V_u have, V_u = ``volume``), was cancelled (t times at
      most c = ``cancelled_at_most``), or runs (at most M/(s+1) do).
    * Requests never started have the bound l, and ties are drawn afresh, so first starts come in a uniform order: in
      expectation j n_u/(n_l+1) longs before the j-th short, which is started at t ≥ (longs before it − M/(s+1)) /
      (M/V_u + c); the sum over j is n_l n_u/2.
    * The k-th long to complete does so at t ≥ k V_u/M.
    """
    leaving = memory / volume(u, s) + cancelled_at_most(s, memory)
    found = (Fraction(shorts * longs, 2) - Fraction(shorts * memory, s + 1)) / leaving
    return found + volume(u, s) * longs * (longs + 1) / (2 * memory)


def h_sf_most(shorts: int, longs: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a number above H-SF's total on lengths l < u.

    * While a request of length k is refused, those that run hold, at the instant that is exceeded, at most s + k
      each, as it would: at least m_k = ⌊M/(s+k)⌋ run. So the j-th short starts by (j−1)l/m_l.
    * When the last one has started, at most M/(s+1) run, with l steps each, and the j-th long starts by (n_l l)/m_l +
      (lM/(s+1) + (j−1)u)/m_u.
    """
    first, second = memory // (s + l), memory // (s + u)
    short_ones = Fraction(l * shorts * (shorts - 1), 2 * first) + l * shorts
    wait = Fraction(l * shorts, first) + Fraction(l * memory, (s + 1) * second) + u
    return short_ones + longs * wait + Fraction(u * longs * (longs - 1), 2 * second)


def restart_most(lengths: Sequence[int], s: int, l: int, u: int, memory: int) -> Fraction:
    """Return a number above the mean total of ``kill_and_restart`` over all orders.

    * Who is killed at one threshold has been started in the order of the queue, so all requests of phase k (assumed
      length L_k) come before those of phase k + 1, in one and the same order.
    * From L_{k−1} after the last start of phase k − 1 on, only phase k runs; while one of it is refused at least m_k
      = ⌊M/(s+L_k)⌋ run, each for at most L_k steps, so that rank r starts by (r−1)L_k/m_k after that.
    * The order is uniform: those whom phase k completes have mean rank (N_k+1)/2.
    """
    whole, begun, before = Fraction(0), Fraction(0), 0
    for top in thresholds(l, u):
        here, after = sum(o > before for o in lengths), sum(o > top for o in lengths)
        wait = Fraction((here - 1) * top, memory // (s + top)) if here else Fraction(0)
        whole += (here - after) * (begun + wait / 2 + top)
        begun += wait + top
        before = top
    return whole


def restart_reduced(s: int, l: int, u: int, weight: Callable[[int], Fraction]) -> tuple[list[int], list[Fraction]]:
    """Return d_k = L_k(s+L_k), of the form Σ d_k t_k (t_k + t_{k+1}), and numbers w_k with Σ w_k t_k² below another
    form.

    * t_k is the share of requests longer than L_{k−1}.
    * The other form is Σ_j (weight(j) − weight(j−1)) T_j², T_j the share of those of length j or more and weight(l−1)
      = 0: T_j = t_k at j = L_{k−1} + 1, and T_j ≥ t_{k+1} for j ≤ L_k.
    """
    steps = thresholds(l, u)
    squares, below = [top * (s + top) for top in steps], [Fraction(0)] * (len(steps) + 1)
    for k, top in enumerate(steps):
        first = steps[k - 1] + 1 if k else l
        below[k] += weight(first) - (weight(first - 1) if k else 0)
        below[k + 1] += weight(top) - weight(first)
    return squares, below[:-1]


def restart_within(factor: Fraction, squares: Sequence[int], below: Sequence[Fraction]) -> bool:
    """Return whether factor · Σ w_k t_k² − Σ d_k t_k (t_k + t_{k+1}) is positive definite: all pivots are positive."""
    pivot, before = Fraction(1), Fraction(0)
    for d, w in zip(squares, below, strict=True):
        pivot = factor * w - d - before * before / pivot
        if pivot <= 0:
            return False
        before = Fraction(d, 2)
    return True


def _accept_kappa(kappa: Fraction, squares: Sequence[int], below: Sequence[Fraction]) -> None:
    """Check that κ is the least multiple of 1/100 with ``restart_within``."""
    need(restart_within(kappa, squares, below), "κ is too small")
    need(100 % kappa.denominator == 0, "κ must be a multiple of 1/100")
    need(not restart_within(kappa - Fraction(1, 100), squares, below), "κ is too large")


@cache
def bounds_hold() -> None:
    """Try the bounds above on small instances, run by this file's own processes."""
    for o, s in product(range(1, 5), range(3)):
        need(sum(tokens([0], [o], s, t) for t in range(1, o + 1)) == volume(o, s), "another volume")
    for lengths, s, memory in (
        *(((1, 3, 3), size, m) for size in (0, 1) for m in (size + 3, size + 4)),
        *(((1, 2, 2, 2), size, m) for size in (0, 1, 2) for m in (size + 2, size + 3, 2 * size + 4)),
        *(((2, 2, 5, 5, 5), 1, m) for m in (6, 8)),
        *(((1, 1) + (3,) * 6, 1, m) for m in (4, 5)),
    ):
        l, u = lengths[0], lengths[-1]
        shorts, longs = lengths.count(l), lengths.count(u)
        means = literal_means(tuple((o, l) for o in lengths), s, memory, 30)  # up to 30: completed latencies only
        late = 30 * (len(lengths) - sum(means.completed.values()))
        need(means.most <= cancelled_at_most(s, memory), "more are cancelled at an instant")
        need(means.total + late >= a_min_least(shorts, longs, s, u, memory), "A_min is faster")
        quick = total(shortest_first(lengths, s, memory), lengths)
        need(quick <= h_sf_most(shorts, longs, s, l, u, memory), "H-SF is slower")
    for count, s in product((1, 2, 3), (0, 1, 3)):
        for lengths in combinations_with_replacement((1, 2, 3, 5), count):
            areas = sorted(volume(o, s) for o in lengths)
            for memory in range(s + 5, sum(s + o for o in lengths) + 2, 3):
                runs = [sum(kill_and_restart(p, lengths, s, 1, 5, memory)) for p in permutations(range(count))]
                need(Fraction(sum(runs), len(runs)) <= restart_most(lengths, s, 1, 5, memory), "a-restart is slower")
                least = sum((count - k) * v for k, v in enumerate(areas)) / memory
                need(least <= min(runs), "a schedule is faster than the volumes allow")


def a_min_ratio_least(s: Any, l: Any, u: Any, y: Any) -> Any:
    """Return a number below A_min's total over H-SF's in the limit, at shares 1 − y and y of lengths l and u, [l, u].

    * Times 2M/n², ``a_min_least`` tends to xy/ρ + y² V_u, ρ = 1/V_u + 1/((s+1)(s+2)), and ``h_sf_most`` to
      l(s+l)x(x+2y) + u(s+u)y², as n/M → ∞ and M → ∞ (n first, or both).
    """
    x, area = 1 - y, volume(u, s)
    rate = (
        1 / area + 1 / ratio((s + 1) * (s + 2))
        if isinstance(area, Ratio)
        else 1 / area + Fraction(1, (s + 1) * (s + 2))
    )
    return (x * y / rate + y * y * area) / (l * (s + l) * x * (x + 2 * y) + u * (s + u) * y * y)


@cache
def _square_root_step() -> Step:
    """With l = 1, u = r², s = 3u + s', y = 1/(1+r) the ratio is at least r/4 = ¼ √(1/α), for every r ≥ 1 and s' ≥ 0.

    The step is the numerator less r/4 times the denominator, times 4(1+r)² and V_u + (s+1)(s+2): a polynomial.
    """
    r = X.r
    u, y = r**2, 1 / (1 + r)
    s, x = X.s + 3 * u, 1 - y
    need(x * y * (1 + r) ** 2 == r and x * (x + 2 * y) * (1 + r) ** 2 == r * (r + 2), "the shares")
    area, waste = volume(u, s), (s + 1) * (s + 2)
    most = (s + 1) * r * (r + 2) + u * (s + u)
    own = 4 * r * area * waste + (4 * area - r * most) * (area + waste)
    return Sign("square root", "r:1 s:0", own)


@cache
def _restart_steps() -> list[Step]:
    """a-restart's form is at most 64/3 times the volumes' form, Σ (volume(j) − volume(j−1)) T_j², for all s ≥ 0, l ≤
    u.

    * Σ d_k t_k (t_k + t_{k+1}) ≤ Σ 2 d_k t_k². For k ≥ 2 and v = L_{k−2} (so L_{k−1} = 2v, L_k ≤ 4v) the weights of v
      < j ≤ 2v carry phase k, as T_j ≥ t_k there ("phases from 2 on"); that of T_l = 1 carries phases 0 and 1.
    """
    s, l, v = X.s, X.l, X.v

    def d(m: Ratio) -> Ratio:
        return m * (s + m)

    top = ratio(Fraction(64, 3))
    return [
        Sign("phases from 2 on", "s:0 v:1", top * (volume(2 * v, s) - volume(v, s)) - 2 * d(4 * v), ">="),
        Sign("phases 0 and 1", "s:0 l:1", top * volume(l, s) - 2 * d(l) - 2 * d(2 * l), ">="),
        Sign("added", "l:1 v:l", 4 * v - ((2 * v - l) + 2 * v)),
    ]


@cache
def _exchange_step() -> Step:
    e, h, i, j = X.e, X.h, X.i, X.j  # the two conditional means, and the two bounds
    return Same("exchange", "e h i j", ((h - j) + e) - ((e - i) + h), i - j)


def _accept_means(data: Any, residual: bool) -> None:
    """Check a law at which a display of the published proof is false.

    For õ_i > õ_j: E[o | o ≥ õ_i] > E[o | o ≥ õ_j]; or, less õ_i and õ_j, ≤.
    """
    law, high, low, left, right = fields(data, "law", "high", "low", "left", "right")
    weights: dict[int, Fraction] = {}
    for entry in rows(law, 1, 10):
        need(isinstance(entry, list) and len(entry) == 2, "expected [length, weight]")
        length = integer(entry[0], max(weights, default=0) + 1, 1000)
        weights[length] = fraction(entry[1])
    need(sum(weights.values()) == 1 and all(w > 0 for w in weights.values()), "the law's weights must sum to 1")
    need(len(weights) > 1, "two lengths are needed: α < 1")
    high, low = integer(high, 1, max(weights)), integer(low, min(weights), 1000)
    need(low < high, "õ_i > õ_j is needed")
    means: list[Fraction] = []
    for least in (high, low):
        tail = {o: w for o, w in weights.items() if o >= least}
        mean = sum((o * w for o, w in tail.items()), Fraction(0)) / sum(tail.values())
        means.append(mean - least if residual else mean)
    need([fraction(left), fraction(right)] == means, "other means")
    need(means[0] > means[1] if residual else means[0] <= means[1], "the display holds")


_OPTIMALITY = {"factor": "1", "expectations": ">", "residuals": "<=", "difference": "oi-oj"}


@claim("thm-optimality", ALGORITHM, "refuted", **_OPTIMALITY)
def thm_optimality_in_process(evidence: Any) -> None:
    """As M → ∞, every policy without knowledge of the lengths has at least A_min's competitive ratio. False.

    Of the process, s ≥ 1, α < 1: ``kill_and_restart`` knows l and u only, and its ratio is at most κ + 4 for every s,
    l and u, even against the best schedule, κ = 64/3 or any other with a-restart's form at most κ times the volumes'
    (``restart_most``, ``_restart_steps``). A_min's is at least ¼√(1/α) for l = 1, s ≥ 3u ("square root"), so the gap
    has no bound. The example gives κ, the least multiple of 1/100 that is shown to do, and A_min's lower bound at one
    setting.

    * What starting again adds, Σ_{j<k} L_j + L_k for one whom phase k completes, is at most 4 L_{k−1} < 4o for k ≥ 1
      ("added": the sum is 2L_{k−1} − l), and l ≤ o in phase 0; every schedule needs Σ o_i.
    * With L_k/m_k ≤ d_k/(M−s−u) in ``restart_most``, and the volumes' form below 2M/n² times the total of every
      schedule, the ratio is at most κM/(M−s−u) + 4.

    Two displays of the published proof are false, too; "exchange" is the difference that it forms.
    """
    example, steps, means, residuals = fields(evidence, "example", "steps", "expectations", "residuals")
    bounds_hold()
    s, l, u, share, kappa, least = fields(example, "s", "l", "u", "share", "kappa", "least")
    s, l, u = integer(s, 1, 10**6), integer(l, 1, 10**5), integer(u, 1, 10**6)
    share, kappa = fraction(share), fraction(kappa)
    need(l < u and 0 < share < 1, "l < u and a share between 0 and 1 are needed")
    squares, below = restart_reduced(s, l, u, lambda m: volume(m, s))
    _accept_kappa(kappa, squares, below)
    own = a_min_ratio_least(s, l, u, share)
    need(fraction(least) == own and own > kappa + 4, "A_min's bound is another, or not above κ + 4")
    accept_steps(steps, [_square_root_step(), *_restart_steps(), _exchange_step()])
    _accept_means(means, residual=False)
    _accept_means(residuals, residual=True)


@cache
def _optimality_form_steps() -> list[Step]:
    l, v, m, e = X.l, X.v, X.m, X.e
    top, big = ratio(Fraction(32, 3)), 1 + m / 4 + e
    need(h_sf(v, v, 0) == v**2, "H-SF's weights up to v")
    return [
        Same("phases from 2 on", "v", top * ((2 * v) ** 2 - v**2), 2 * (4 * v) ** 2),
        Sign("phases 0 and 1", "l:1", top * l**2 - 2 * l**2 - 2 * (2 * l) ** 2),
        *_lower_steps(),
        Sign("E in blocks", "v:1", v / (4 * v - 1) - Fraction(1, 4)),
        Sign("its bound", "m:0 e:0", big / 2 + Fraction(3, 4) - 1 / (4 * big) - (1 + m / 8), ">="),
    ]


@claim("thm-optimality", FORM, "refuted", **_OPTIMALITY)
def thm_optimality_form(evidence: Any) -> None:
    """Of the forms: for every s and [l, u], a-restart's worst case over H-SF is at least A_min's. False at an s ≥ 1.

    With H-SF's weights in ``restart_reduced``, a-restart's form is at most κ times H-SF's, κ the least multiple of 1/100
    that is shown to do; A_min's ratio at the weights is above it.
    """
    s, l, u, weights, value, kappa = fields(evidence, "s", "l", "u", "weights", "ratio", "kappa")
    s, l, u = integer(s, 1, 10**6), integer(l, 1, 10**4), integer(u, 2, 10**4)
    first, second = integers(weights, 0, 10**9, 2)
    need(l < u and first + second > 0, "l < u and positive weights are needed")
    pair = {l: first, u: second}
    own, kappa = a_min_form(pair, s, l, u) / h_sf_form(pair, s), fraction(kappa)
    squares, below = restart_reduced(s, l, u, lambda m: Fraction(m * (s + m)))
    _accept_kappa(kappa, squares, below)
    need(fraction(value) == own and own > kappa, "A_min's ratio is another, or not above κ")


@claim("thm-optimality", AT_ZERO, "refuted", **_OPTIMALITY)
def thm_optimality_at_zero(evidence: Any) -> None:
    """Of the forms at s = 0: a-restart's worst case over H-SF is at least A_min's on every [l, u]. False.

    As in ``_restart_steps``, with H-SF's weights, 32/3 bounds a-restart's. On [1, 2^m] A_min's is at least (½E² + ¾E
    − ¼)/E = ½E + ¾ − 1/(4E) (``_lower_steps``), which increases with E.

    * For v = 1, 2, 4, … the v terms of E with v < k ≤ 2v are at least 1/(4v−1) each ("E in blocks"), so E ≥ 1 + m/4
      and the worst case at least 1 + m/8.

    The power is the least m at which this is above 32/3.
    """
    power, steps = fields(evidence, "power", "steps")
    power = integer(power, 1, 1000)
    need(1 + Fraction(power, 8) > Fraction(32, 3) >= 1 + Fraction(power - 1, 8), "another power")
    accept_steps(steps, _optimality_form_steps())
    for l, u in ((1, 2), (1, 7), (1, 64), (3, 40), (5, 1000)):
        squares, below = restart_reduced(0, l, u, lambda m: Fraction(m * m))
        need(restart_within(Fraction(32, 3), squares, below), "a-restart's form is larger")


def _short_instance(lengths: Any, s: Any, memory: Any) -> tuple[list[int], int, int]:
    """Read an instance of at most four requests up to length 4, with a prompt, two lengths and too little memory for all at once."""
    row, size, room = integers(lengths, 1, 4), integer(s, 1, 100), integer(memory, 1, 10**4)
    need(len(row) <= 4 and min(row) < max(row), "a few requests of at least two lengths are needed")
    need(row == sorted(row), "the lengths must be in increasing order")
    need(room < sum(size + o for o in row), "the memory holds all at once")
    return row, size, room


def _few_long(members: Any) -> None:
    """Check members of the family of ``lem_deletion``: (s, u, m, n), all m requests of length u complete from bound 1."""
    for (s, u, m, n), data in zip(((1, 2, 2, 8), (1, 2, 6, 36), (2, 5, 4, 40)), rows(members, 3, 3), strict=True):
        names = ("s", "u", "M", "n", "m", "started", "completed")
        *numbers, started, completed = fields(data, *names)
        memory = m * (s + u)
        need(numbers == [s, u, memory, n, m] and n * (s + 1) > memory, f"the member n = {n} is missing")
        own = literal_means(((u, 1),) * m + ((1, 1),) * (n - m), s, memory)
        need(own.over and not own.moved, "a start is cancelled")
        need(fraction(started) == own.started[1, u] == m, "another number of starts")
        need(fraction(completed) == own.completed[1, u] == m, "another number of completions")


@claim("lem-deletion", ALGORITHM, "refuted", completes="(s+i)/(s+j)")
def lem_deletion(evidence: Any) -> None:
    """Of the b_ij starts with bound i and length j, (s+i)/(s+j) b_ij complete in expectation (Algorithm 2). False.

    [1, u], s ≥ 1, and m requests of length u with m(s+u) ≤ M, all others of length 1, any n.

    * Where memory is looked at, the requests of length 1 have just left, and those that run are of length u and age ≤
      u − 1: they need at most m(s+u) ≤ M at the next instant. So no start is ever cancelled, and c_1u = b_1u = m,
      whichever way "start" is counted, but the share claimed is below 1 ("share").
    * It stays as n → ∞, and with m = ⌊M/(s+u)⌋ as M → ∞.
    """
    steps, members = fields(evidence, "steps", "members")
    s, u, m, a = X.s, X.u, X.m, X.v
    accept_steps(
        steps,
        [
            Sign("need", "s:0 m:0 v:0 u:v+1", m * (s + u) - m * (s + a + 1), ">="),
            Sign("share", "s:1 u:2", 1 - (s + 1) / (s + u)),
        ],
    )
    _few_long(members)


@claim("update-distribution", ALGORITHM, "refuted", weight="1", lowest="k")
def update_distribution(evidence: Any) -> None:
    """Of the starts with bound i that get the new bound k > i, length j has the share b_ij / Σ_{t≥k} b_it, j ≥ k.
    False.

    * Algorithm 2 sets õ := max(õ, tokens generated), and who is cancelled with a tokens has o ≥ a + 1. So k > i is a,
      and length k has the share 0, not b_ik / Σ: in every run, whatever n and M are. New bounds do occur: s ≥ 1, M =
      (s+1)(s+2)(s+3)r, r requests of length 2, (s+2)(s+3)r in all or more, the others of length 3.
    * At 0 M/(s+1) = (s+2)(s+3)r start, at 1 (s+1)(s+3)r of them are kept, and nothing else fits; at 2 those of length
      3 are at least (s+1)(s+3)r − r and exceed M ("excess"), so that some get the bound 2. r, and n at any r, grow.
    """
    example, steps, members = fields(evidence, "example", "steps", "members")
    lengths, s, memory, i, k, moved, begun = fields(example, "lengths", "s", "M", "i", "k", "moved", "started")
    lengths, s, memory = _short_instance(lengths, s, memory)
    own = literal_means(tuple((o, 1) for o in lengths), s, memory)
    i, k = integer(i, 1, 20), integer(k, 2, 20)
    need(own.over and i < k <= max(lengths), "the ties have no end, or k is no new bound")
    by_length = [own.moved.get((i, k, j), Fraction(0)) for j in range(1, max(lengths) + 1)]
    need([fraction(v) for v in rows(moved, len(by_length), len(by_length))] == by_length, "other expectations")
    need(fraction(begun) == own.started.get((i, k), 0), "another number of starts")
    need(sum(by_length) > 0 and by_length[k - 1] == 0 < own.started.get((i, k), 0), "the share of length k is right")
    r, size = X.r, X.s
    room = (size + 1) * (size + 2) * (size + 3) * r
    accept_steps(
        steps,
        [
            Same("at 0", "s r", room / (size + 1), (size + 2) * (size + 3) * r),
            Same("at 1", "s r", room / (size + 2), (size + 1) * (size + 3) * r),
            Sign("excess", "s:1 r:1", ((size + 1) * (size + 3) * r - r) * (size + 3) - room),
            Sign("unfinished", "v:0 o:v+1", X.o - X.v),
        ],
    )
    for (r, s, n), data in zip(((1, 1, 24), (2, 1, 40), (1, 2, 30)), rows(members, 3, 3), strict=True):
        number, size, count, cancelled = fields(data, "r", "s", "n", "cancelled")
        need((number, size, count) == (r, s, n), f"the member r = {r}, s = {s}, n = {n} is missing")
        requests = ((2, 1),) * r + ((3, 1),) * (n - r)
        found = literal_means(requests, s, (s + 1) * (s + 2) * (s + 3) * r, 2)  # up to the first new bounds
        need((1, 2, 2) not in found.moved, "length 2 gets the bound 2")
        need(fraction(cancelled) == found.moved[1, 2, 3] >= s * r, "another number gets the bound 2")


@claim("prop-transition", ALGORITHM, "refuted", first="(s+l)/(s+j)", later="1/(s+j)")
def prop_transition(evidence: Any) -> None:
    """E[c_ij] = x_j n/(s+j) in the periods l < i ≤ j, and (s+l)/(s+j) x_j n in period l (Algorithm 2). Both false.

    * õ is l, and then at most the tokens generated by an unfinished request, a ≤ o − 1 ("unfinished"): no request of
      length j > l is ever started with the bound j, so that c_jj = 0, in every run, whatever n and M are, and not x_j
      n/(s+j) > 0 ("claimed"). In the family of ``lem_deletion`` all x_u n requests complete in period l = 1
      ("share").

    The example gives E c_ij for i = l, …, j.
    """
    example, steps, members = fields(evidence, "example", "steps", "members")
    lengths, s, memory, j, completed = fields(example, "lengths", "s", "M", "j", "completed")
    lengths, s, memory = _short_instance(lengths, s, memory)
    low, j = min(lengths), integer(j, 1, max(lengths))
    need(j > low and j in lengths, "a length above l is needed")
    own = literal_means(tuple((o, low) for o in lengths), s, memory)
    values = [own.completed.get((i, j), Fraction(0)) for i in range(low, j + 1)]
    need([fraction(v) for v in rows(completed, len(values), len(values))] == values, "other expectations")
    need(own.over and values[-1] == 0 and sum(values) == lengths.count(j), "the ties have no end")
    size, u, a, o = X.s, X.u, X.v, X.o
    accept_steps(
        steps,
        [
            Sign("unfinished", "v:0 o:v+1", o - a),
            Sign("claimed", "s:0 j:2", 1 / (size + X.j)),
            Sign("share", "s:1 u:2", 1 - (size + 1) / (size + u)),
        ],
    )
    _few_long(members)


def _out_of_step(s: Any, r: Any, h: Any) -> tuple[Any, Any, Any]:
    """Return M, the number of requests of length 1 (and of length 2), and H-SF's total where batches are out of step.

    * M = (s+1)(2s+3)r: at each of t = 0, …, q − 1, q = (s+1)h − 1, (2s+3)r requests of length 1 fill it and leave; at
      q the last (s+2)r start, and beside them (s+1)r of length 2: (s+2)r(s+1) + (s+1)r(s+1) = M.
    * From then on, at each instant, as many that are one token old need (s+1)r(s+2), so that (s+1)r start again, for
      ever: p = (2s+3)h − 1 times.
    """
    q, p = (s + 1) * h - 1, (2 * s + 3) * h - 1
    half = Fraction(1, 2)
    ones = (2 * s + 3) * q * (q + 1) * half + (s + 2) * (q + 1)
    return (s + 1) * (2 * s + 3) * r, (s + 1) * r * p, r * (ones + (s + 1) * (p * (q + 2) + p * (p - 1) * half))


def _in_step(s: Any, r: Any, h: Any) -> tuple[Any, Any, Any]:
    """Return the same where batches are in step.

    * At M = (s+1)(s+2)r there are (s+1)h batches of length 1, then (s+2)h of (s+1)r requests of length 2, every other
      instant: (s+1)r(s+2) = M.
    """
    q, p = (s + 1) * h, (s + 2) * h
    ones = (s + 2) * q * (q + 1) * Fraction(1, 2)
    return (s + 1) * (s + 2) * r, (s + 1) * (s + 2) * r * h, r * (ones + (s + 1) * p * (q + p + 1))


@cache
def _pairs_hold() -> None:
    """Try what ``lem_amin`` says of Algorithm 2 on lengths 1 and 2: the mean excess of a draw, and the number of instants."""
    for s, memory in ((1, 30), (1, 61), (2, 60), (0, 24)):
        most, keep = memory // (s + 1), memory // (s + 2)
        for size, share in product((most - 3, most, 2 * most, 9 * most), range(1, 10)):
            twos, drawn = size * share // 10, min(most, size)
            if keep <= most * Fraction(twos, size):
                continue
            ways = comb(size, drawn)
            mean = sum(
                (
                    Fraction(comb(twos, x) * comb(size - twos, drawn - x) * (x - keep), ways)
                    for x in range(keep + 1, drawn + 1)
                ),
                Fraction(0),
            )
            need(mean <= most / (16 * (keep - most * Fraction(twos, size))), "more are cancelled")
    for s, memory, ones, twos in ((1, 6, 4, 4), (1, 7, 3, 6), (2, 9, 5, 3), (0, 5, 4, 4)):
        requests = ((1, 1),) * ones + ((2, 1),) * twos
        means = literal_means(requests, s, memory, 2 * (ones + twos) // (memory // (s + 2)) + 2)
        need(means.over and set(means.started) == {(1, 1), (1, 2)}, "it lasts longer, or a bound rises")


@cache
def _lem_amin_steps() -> list[Step]:
    entries_lemma()
    s, x, h, c, w = X.s, X.x, X.h, X.c, X.w
    one, two = ratio(1), ratio(2)

    def at(share: Any, entry: Entry) -> Ratio:
        return (
            entry(one, one, s) * (1 - share) ** 2
            + 2 * entry(one, two, s) * share * (1 - share)
            + entry(two, two, s) * share**2
        )

    def scaled(phase: tuple[Any, Any, Any]) -> Ratio:
        memory, each, whole = phase
        return 2 * memory * whole / (2 * each) ** 2

    half = Fraction(1, 2)
    area = (s + 1) + (s + 2) * x
    room = (x + (s + 1) / (s + 2)) / 2
    out, level = (scaled(phase(s, X.r, h)) for phase in (_out_of_step, _in_step))
    need(out == scaled(_out_of_step(s, 1, h)) and level == scaled(_in_step(s, 1, h)), "r does not cancel")
    return [
        Sign("H-SF, out of step", "s:1 h:6", at(half, h_sf) - Fraction(1, 8) - out.at(r=1)),
        Same("H-SF, in step", "s h", level.at(r=1) - at(half, h_sf), 3 / (4 * h)),
        Same("excess", "c w", (c + w) ** 2 - 4 * c * w, (c - w) ** 2),
        Same("room", "s x", 1 / (s + 2) - room / (s + 1), ((s + 1) / (s + 2) - x) / (2 * (s + 1))),
        Same("area", "s x", (s + 1) * (1 - x) + ((s + 1) + (s + 2)) * x, area),
        Same("the form is larger", "s x", at(x, a_min) - area, x**2 - x * (1 - x) / (s + 2)),
        Sign("at half", "s:1", at(half, a_min) - area.at(x=half)),
    ]


@claim(
    "lem-amin",
    ALGORITHM,
    "refuted",
    a_min="(s+i)*(j*j + 2*i*j - i*i + s*(i+j))/(2*(s+j))",
    h_sf="i*(s+i)",
)
def lem_amin(evidence: Any) -> None:
    """As n → ∞ and then M → ∞, 2M/n² times H-SF's and Algorithm 2's totals tend to their forms, CR to the quotient.
    All false.

    Lengths 1 and 2, half each, [1, 2], every s ≥ 1. **H-SF**: ``_out_of_step``: for h ≥ 6 and every r the scaled
    total is below the form by more than 1/8. The members are run.

    **Algorithm 2**, share x of length 2, x < (s+1)/(s+2): at most the form at ``area``, which is smaller for x >
    (1−x)/(s+2), such as ½ ("at half"). K = ⌊M/(s+1)⌋, h = ⌊M/(s+2)⌋.

    * A start is cancelled at age 1 only, so bounds stay 1, and at each instant k ≤ K start, a uniform draw from all w
      that wait, f w of them of length 2. L of them are of length 2, and (L−h)⁺ are cancelled at the next instant.
    * With c = L − h and w = h − kf in "excess", (L−h)⁺ ≤ (L−kf)²/(4(h−kf)), and L's variance is at most K/4: while f
      ≤ θ = ½(x + (s+1)/(s+2)) the mean is at most δ = K/(16(h−Kθ)), bounded as M → ∞ ("room").
    * Of those that run at an instant, at least h complete within two, so there are at most N = 2n/h + 2 instants.
    * Until w ≤ εn, a draw keeps f in the mean, cancellations raise it by at most δ/(εn−K) in the mean, and it moves
      by at most 2K/(εn−K): so E(f−x)² ≤ N(2δ/(εn−K) + 4K²/(εn−K)²) when it first leaves [x−η, x+η], and the chance
      that it does is at most that over η², which tends to 4δ/(εη²h) as n → ∞ and to 0 as M → ∞.
    * Otherwise, as more than M − s − 1 tokens are held while requests wait, D_t of them completed and
      (s+1)·(cancelled so far) lost, (M−s)t ≤ v D_t + (s+2)ηn + (2s+3)K + (s+1)Σ(L−h)⁺, v = the area per request.
    * So n − D_t falls to εn along n − Mt/v, the rest lasts 2(εn+K)/h + 2, and Σ_t (n − D_t) is v n²/(2M) up to terms
      that vanish with n, then M → ∞, then ε, η → 0.

    * CR: ``_in_step`` H-SF's scaled total is above its form, so the quotient is at most area over that form, in the
      limit, and below the quotient of the forms.
    """
    steps, out, level = fields(evidence, "steps", "out_of_step", "in_step")
    _pairs_hold()
    accept_steps(steps, _lem_amin_steps())
    for phase, members, shown in (
        (_out_of_step, ((1, 1, 1), (1, 2, 2), (2, 1, 2)), out),
        (_in_step, ((1, 1, 1), (1, 2, 2), (2, 1, 2)), level),
    ):
        for (s, r, h), data in zip(members, rows(shown, 3, 3), strict=True):
            *numbers, memory, each, whole = fields(data, "s", "r", "h", "M", "each", "total")
            need(
                numbers == [s, r, h] and [memory, each, whole] == list(phase(s, r, h)),
                f"the member {s}, {r}, {h} is missing",
            )
            lengths = [1] * each + [2] * each
            need(total(shortest_first(lengths, s, memory), lengths) == whole, "H-SF has another total")


@cache
def _family_steps() -> list[Step]:
    entries_lemma()
    m = X.m
    s, one, up = m**2, ratio(1), m**2
    values = [f(one, one, s) * m**2 + 2 * f(one, up, s) * m + f(up, up, s) for f in (a_min, h_sf)]
    return [Sign("family", "m:1", values[0] / values[1] - m / 3)]


def _not_logarithmic(evidence: Any) -> None:
    """Refute "at most C ln(1/α) with one C for all s" for A_min over H-SF.

    l = 1, u = s = m², weights m at 1 and 1 at u: the ratio exceeds m/3 = ⅓ √(1/α) for every m ≥ 1 ("family").

    * With m = n², ln(1/α) = 4 ln n ≤ 4(n − 1), so the ratio over ln(1/α) exceeds n/12: no C does.

    The members are computed from the double sums.
    """
    steps, members = fields(evidence, "steps", "members")
    accept_steps(steps, _family_steps())
    for m, data in zip((2, 4, 10), rows(members, 3, 3), strict=True):
        number, s, l, u, weights, value = fields(data, "m", "s", "l", "u", "weights", "ratio")
        need((number, s, l, u, weights) == (m, m * m, 1, m * m, [m, 1]), f"the member m = {m} is missing")
        x = {1: m, m * m: 1}
        own = a_min_form(x, s, 1, u) / h_sf_form(x, s)
        need(fraction(value) == own and own > Fraction(m, 3), f"another ratio at m = {m}")


@claim("wlog", FORM, "refuted", growth="log(1/alpha)")
@claim("thm-log", FORM, "refuted", growth="log(1/alpha)")
@claim("cor-intervals", FORM, "refuted", growth="log(1/alpha)")
def not_logarithmic(evidence: Any) -> None:
    """Of the form, for all s and l: the worst case of A_min (with intervals: already with one) is O(log 1/α). False."""
    _not_logarithmic(evidence)


def _process_example(data: Any) -> tuple[int, int, Fraction]:
    """Read a setting and a share of length u, and return l, u and A_min's ratio in the process, at least."""
    bounds_hold()
    s, l, u, share, least = fields(data, "s", "l", "u", "share", "least")
    s, l, u, share = integer(s, 1, 10**9), integer(l, 1, 10**9), integer(u, 1, 10**9), fraction(share)
    need(l < u and 0 < share < 1, "l < u and a share between 0 and 1 are needed")
    own = a_min_ratio_least(s, l, u, share)
    need(fraction(least) == own, "another lower bound")
    return l, u, own


@claim("thm-log", ALGORITHM, "refuted", growth="log(1/alpha)")
@claim("cor-intervals", ALGORITHM, "refuted", growth="log(1/alpha)")
def not_logarithmic_in_process(evidence: Any) -> None:
    """Of Algorithm 2 (with intervals: already with one) as M → ∞: CR is O(log 1/α), with one constant for all s ≥ 0.
    False.

    In the process the ratio is at least r/4, α = 1/r², for l = 1, s ≥ 3u ("square root", ``a_min_least``,
    ``h_sf_most``).

    * With r = v², ln(1/α) = 4 ln v ≤ 4(v − 1), so the ratio over ln(1/α) exceeds v/16: no C does.

    The members have l = 1, s = 3u.
    """
    steps, members = fields(evidence, "steps", "members")
    accept_steps(steps, [_square_root_step()])
    for root, data in zip((4, 10, 30), rows(members, 3, 3), strict=True):
        l, u, least = _process_example(data)
        need((l, u, data["s"]) == (1, root**2, 3 * root**2), f"the member r = {root} is missing")
        need(data["share"] == f"1/{root + 1}" and 4 * least > root, "not above r/4")


def _refined_mean(m: int) -> Fraction:
    """19m + 2 E max(X − m, 0), X of 2m drawn without replacement from 3m and 3m."""
    extra = sum((x - m) * comb(3 * m, x) * comb(3 * m, 2 * m - x) for x in range(m + 1, 2 * m + 1))
    return 19 * m + 2 * Fraction(extra, comb(6 * m, 2 * m))


@claim("intervals-help", ALGORITHM, "refuted", factor="1")
def intervals_help_in_process(evidence: Any) -> None:
    """With refined intervals the mean total latency of A_min (to the letter) is at most that with the single one. False.

    s = 1, M = 12m, 3m requests of length 2 and 3m of length 3, [1, 3] against [1, 2] and [3, 3], for every m. All start at 0,
    and at 1 2m of them are cancelled ("room at 1", "kept"). Refined: they are of length 2 (bound 1, the others 3); those of
    length 3 fill M until 3 ("refined"), where the 2m start. Single: X of them are of length 2; they have the bound 1 still,
    and at 2 there is room for 4m − 2X ("room at 2"); if X ≤ m all start there, else 2X − 2m at 3. So the totals are 21m, and 19m + 2Y
    with Y = max(X − m, 0) ≤ m: no draw is worse than the refined intervals ("no worse"), and E Y ≤ ½ √Var X ≤ ½√m: the
    quotient tends to 21/19. The members give the exact mean; m = 1, 2 are followed through all ties.
    """
    steps, members = fields(evidence, "steps", "members")
    m, x, y = X.m, X.x, X.y
    lengths = 3 * m * 2 + 3 * m * 3
    room = (12 * m - 4 * (3 * m - (2 * m - x))) / 2
    late = 2 * m - room.at(x=m + y)
    accept_steps(
        steps,
        [
            Same("room at 1", "m", 6 * m * (1 + 1), 12 * m),
            Same("kept", "m", (6 * m - 2 * m) * (1 + 2), 12 * m),
            Same("refined", "m", 3 * m * (1 + 3), 12 * m),
            Same("refined total", "m", lengths + 3 * (2 * m), 21 * m),
            Same("room at 2", "m x", room, 4 * m - 2 * x),
            Sign("X ≤ m", "x:0 m:x", room - 2 * m, ">="),
            Same("single, X ≤ m", "m", lengths + 2 * (2 * m), 19 * m),
            Same("single, X = m + Y", "m y", lengths + 2 * (2 * m - late) + 3 * late, 19 * m + 2 * y),
            Sign("no worse", "y:0 m:y", 21 * m - (19 * m + 2 * y), ">="),
            Same("variance", "m", 2 * m / 4 * (6 * m - 2 * m) / (6 * m - 1), 2 * m**2 / (6 * m - 1)),
            Sign("its size", "m:1", m - 2 * m**2 / (6 * m - 1)),
        ],
    )
    for size, data in zip((1, 2, 10, 100), rows(members, 4, 4), strict=True):
        number, single, refined = fields(data, "m", "single", "refined")
        need(number == size, f"the member m = {size} is missing")
        need(fraction(single) == _refined_mean(size) < integer(refined, 1, 10**6) == 21 * size, "other means")
        if size < 3:
            for bounds, mean in (((1, 1), fraction(single)), ((1, 3), Fraction(refined))):
                requests = tuple((o, b) for o, b in zip((2, 3), bounds, strict=True) for _ in range(3 * size))
                found = literal_means(requests, 1, 12 * size)
                need(found.over and found.total == mean, "all ties give another mean")


@claim("intervals-help", AT_ZERO, "proved", factor="1")
@claim("intervals-help", FORM, "proved", factor="1")
def intervals_help_form(evidence: Any) -> None:
    """Of the forms, for every s ≥ 0, x ≥ 0 and intervals that refine [l, u]: the revised A_min's is at most the
    single one's.

    * Its matrix is B + blockdiag(A − B), one block per interval, and A, which does not depend on an interval's lower
      end, is B + (A − B); A − B ≥ 0 entrywise.

    Small refinements are computed from the double sums: in order, an interval's requests wait for all of the
    intervals before it, as in H-SF.
    """
    entries_lemma()
    s, i, j = X.s, X.i, X.j
    only_steps(
        evidence,
        [
            Same(
                "difference", "s i j", a_min(i, j, s) - h_sf(i, j, s), (s + i) * (j - i) * (s + i + j) / (2 * (s + j))
            ),
            Sign("A − B", "s:0 i:1 j:i", a_min(i, j, s) - h_sf(i, j, s), ">="),
        ],
    )
    x = {1: 3, 2: 1, 3: 4, 4: 1, 5: 5}
    for s, cut in product((0, 1, 4), range(1, 5)):
        first, second = ({k: w for k, w in x.items() if (k <= cut) == low} for low in (True, False))
        alone = [a_min_form(part, s, min(part), max(part)) for part in (first, second)]
        wait = h_sf_form(x, s) - h_sf_form(first, s) - h_sf_form(second, s)
        need(sum(alone) + wait <= a_min_form(x, s, 1, 5), "the refined form is larger")


@cache
def _sum_of_lengths() -> list[Step]:
    """Σ i x_i = l T_l + Σ_{k>l} T_k.

    * With the weights of H-SF's squares, (Σ i x_i)² ≤ E · H-SF, E = 1 + Σ_{k>l} 1/(2k−1).
    """
    h_sf_lemma()
    l, k = X.l, X.k
    return [
        Same("weights", "l", l**2 / h_sf(l, l, 0), 1),
        Same("weights, k > l", "k", 1 / Tails(h_sf, 0).diagonal, 1 / (2 * k - 1)),
    ]


@cache
def _artanh_above() -> Step:
    """artanh t ≥ t.

    * The difference is 0 at t = 0 and its derivative is t²/(1−t²) > 0, at t = 1/(1+m), m ≥ 1.

    At t = 1/(2k−1), artanh t = ½ ln(k/(k−1)); so Σ_{l<k≤u} 1/(2k−1) ≤ ½ ln(u/l) and E ≤ 1 + ½ ln(1/α).
    """
    t = 1 / (1 + X.m)
    return Sign("artanh above", "m:1", t**2 / (1 - t**2))


@cache
def _upper_steps() -> list[Step]:
    entries_lemma()
    i, j = X.i, X.j
    return [
        Sign("entrywise", "i:1 j:i", h_sf(i, j, 0) + i * j / 2 - a_min(i, j, 0)),
        *_sum_of_lengths(),
        _artanh_above(),
    ]


@claim("wlog", AT_ZERO, "proved", growth="log(1/alpha)")
def wlog_at_zero(evidence: Any) -> None:
    """At s = 0, for every l: the worst case of A_min over H-SF is O(log 1/α) as α = l/u → 0.

    * For x ≥ 0 A_min ≤ H-SF + ½ (Σ i x_i)² ("entrywise"), which is at most (1 + ½E) H-SF, and E ≤ 1 + ½ ln(1/α): the
      worst case is at most 3/2 + ¼ ln(1/α), hence at most ln(1/α) once ln(1/α) ≥ 2.
    """
    only_steps(evidence, _upper_steps())


@cache
def _gram_steps() -> list[Step]:
    """A_u at s = 0 is positive definite: a_ij = ½ ij (1 + g_ij), g = 2r − r², r = i/j, and (g_ij) is a Gram matrix.

    * g_ij = ∫ f_i f_j with f_i(v) = √(12v)(1 − v/i)/i on [0, i] and 0 beyond; f_i is not 0 at i − ½, where all f_m
      with m < i vanish, so they are linearly independent.
    """
    entries_lemma()
    i, j, v = X.i, X.j, X.v
    g = 2 * (i / j) - (i / j) ** 2
    return [
        Same("split", "i j", a_min(i, j, 0), i * j * (1 + g) / 2),
        Same("Gram", "i j", integral(12 * v * (1 - v / i) * (1 - v / j) / (i * j), "v", i), g),
        Sign("independent", "i:1", 1 - (i - Fraction(1, 2)) / i),
    ]


@cache
def _b_definite_steps() -> list[Step]:
    h_sf_lemma()
    return [
        Sign("W_l", "s:0 l:1", Tails(h_sf, X.s).corner),
        Sign("W_k", "s:0 l:1 k:l+1", Tails(h_sf, X.s).diagonal),
    ]


@cache
def _trace_steps() -> list[Step]:
    """In the tails tr(B⁻¹A) is a sum of quotients.

    * B is diagonal there, so tr(B⁻¹A) is the sum of the quotients of the diagonals: 1 + Σ_{k>l} 1/(s+k).
    """
    own, below = Tails(a_min, X.s), Tails(h_sf, X.s)
    return [
        Same("first", "", own.corner / below.corner, 1),
        Same("inner", "s i", (own.diagonal / below.diagonal).at(k=X.i), 1 / (X.s + X.i)),
    ]


@cache
def _sharp_steps() -> list[Step]:
    """a_ij = ½ij(1 + g_ij) and b_ij = ij r_ij; (3/2) r − g is the Gram matrix of h_i(v) = √(3v)(1 − 2v/i)/i on [0,
    i].

    * h_i is not 0 at i − ¼, where all h_m with m < i vanish: ½ Σ ij g_ij x_i x_j < ¾ H-SF, and ½(Σ i x_i)² ≤ ½E H-SF.
    """
    i, j, v = X.i, X.j, X.v
    r = i / j
    return [
        Same("split", "i j", a_min(i, j, 0), i * j * (1 + 2 * r - r**2) / 2),
        Same("split B", "i j", h_sf(i, j, 0), i * j * r),
        Same(
            "Gram",
            "i j",
            integral(3 * v / (i * j) * (1 - 2 * v / i) * (1 - 2 * v / j), "v", i),
            ratio(3) / 2 * r - (2 * r - r**2),
        ),
        Sign("independent", "i:1", 2 * (i - Fraction(1, 4)) / i - 1),
        *_sum_of_lengths(),
    ]


@cache
def _lower_steps() -> list[Step]:
    """The tails T_l = 1/l, T_k = 1/(2k−1) give at least ½E² + ¾E − ¼ for A_min and E for H-SF.

    * With the p_i and g_j of ``a_min_tails``: over i < u, Σ C_iu T_i = ½E' + ½ g_u P with E' = E − T_u = 1 + e and P
      = l² + Σ_{i>l} p_i T_i = ¼(l²−1) + ¾(u−1)² + ¼E' (induction, "p").
    * So A_min gains C_uu T_u² + 2T_u(½E' + ½ g_u P) from u − 1 to u, which is more than the gain of ½E² + ¾E
      ("step"); at u = l both sides are 1 ("start").
    """
    own = a_min_tails()
    l, u, e = X.l, X.u, X.e
    top, before = 1 / (2 * u - 1), 1 + e
    p_sum = (l**2 - 1) / 4 + ratio(3) / 4 * (u - 1) ** 2 + before / 4
    gain = own.diagonal.at(k=u) * top**2 + 2 * top * (before / 2 + p_sum / (u * (u - 1)) / 2)
    k = X.k
    return [
        Sign("x_l", "l:1", 1 / l - 1 / (2 * l + 1)),
        Sign("x_k", "l:1 k:l+1", 1 / (2 * k - 1) - 1 / (2 * k + 1)),
        Same("H-SF, l", "l", h_sf(l, l, 0) / l**2, 1),
        Same("H-SF, k > l", "k", Tails(h_sf, 0).diagonal / (2 * k - 1) ** 2, 1 / (2 * k - 1)),
        Same("p, start", "l", l**3 / l, p_sum.at(e=0).at(u=l + 1)),
        Same(
            "p, step",
            "u",
            (3 * u**2 - 3 * u + 1) * top,
            p_sum.at(e=e + top) + ratio(3) / 4 * (u**2 - (u - 1) ** 2) - p_sum,
        ),
        Same("start", "l", own.corner / l**2, ratio(1) / 2 + Fraction(3, 4) - Fraction(1, 4)),
        Sign("step", "l:1 e:0 u:l+1", gain - ((before + top) ** 2 - before**2) / 2 - ratio(3) / 4 * top),
    ]


@cache
def _order_steps() -> list[Step]:
    """t/(1−t) ≥ artanh t: derivative.

    * At t = 1/(2k), 1/(2k−1) ≥ ½ ln((2k+1)/(2k−1)), so E ≥ 1 + ½ ln((2u+1)/(2l+1)).
    * (2u+1)/(2l+1) ≥ (2/3) u/l ("ends"): E is ½ ln(1/α) up to a constant, and so is twice the worst case.
    """
    l, u, t = X.l, X.u, 1 / (1 + X.m)
    return [
        _artanh_above(),
        Sign("artanh below", "m:1", 1 / (1 - t) ** 2 - 1 / (1 - t**2)),
        Sign("ends", "l:1 u:l", (2 * u + 1) / (2 * l + 1) - ratio(2) / 3 * u / l, ">="),
    ]


@cache
def _positivity_steps() -> list[Step]:
    """B⁻¹A > 0 entrywise, for every s ≥ 0 and u ≥ l ≥ 1, so the worst case is the spectral radius (Perron–Frobenius).

    * With R_kj = a_kj − a_{k−1,j} (R_lj = a_lj) and W the weights of H-SF in the tails, the entry is R_kj/W_k −
      R_{k+1,j}/W_{k+1}, without the second term at k = u.
    """
    entries_lemma()
    s, l, u, j, k = X.s, X.l, X.u, X.j, X.k

    def above(row: Ratio) -> Ratio:  # column j ≥ row
        return a_min(row, j, s) - a_min(row - 1, j, s)

    def below(row: Ratio, column: Ratio) -> Ratio:  # column < row
        return a_min(column, row, s) - a_min(column, row - 1, s)

    def own(row: Ratio) -> Ratio:
        return a_min(row, row, s) - a_min(row - 1, row, s)

    def w(row: Ratio) -> Ratio:
        return s + 2 * row - 1

    first = l * (s + l)
    return [
        Sign("l < k < j", "s:0 l:1 k:l+1 j:k+1", above(k) / w(k) - above(k + 1) / w(k + 1)),
        Sign("k = j", "s:0 l:1 k:l+1", own(k) / w(k) - below(k + 1, k) / w(k + 1)),
        Sign("k > j", "s:0 l:1 j:l k:j+1", below(k, j) / w(k) - below(k + 1, j) / w(k + 1)),
        Sign("k = l < j", "s:0 l:1 j:l+1", a_min(l, j, s) / first - above(l + 1) / w(l + 1)),
        Sign("k = l = j < u", "s:0 l:1", a_min(l, l, s) / first - below(l + 1, l) / w(l + 1)),
        Sign("k = u > j", "s:0 l:1 j:l u:j+1", below(u, j) / w(u)),
        Sign("k = u = j > l", "s:0 l:1 u:l+1", own(u) / w(u)),
        Sign("k = l = u = j", "s:0 l:1", a_min(l, l, s) / first),
    ]


@claim("thm-log", AT_ZERO, "proved", growth="log(1/alpha)")
def thm_log_at_zero(evidence: Any) -> None:
    """At s = 0, for every l: the worst case of A_min over H-SF is O(log 1/α); it is the spectral radius of B⁻¹A, at
    most its trace, and from ¾ + ½E − 1/(4E) up to ¾ + ½E, E = 1 + Σ_{l<k≤u} 1/(2k−1).

    upper: at most 3/2 + ¼ ln(1/α), as in ``wlog_at_zero``. positivity: it is a spectral radius.

    * trace: at most tr(B⁻¹A) = 1 + Σ_{l<k≤u} 1/k, since the eigenvalues are positive (A and B are positive definite).

    sharp: below ¾ + ½E. lower: at least ¾ + ½E − 1/(4E). order: E = ½ ln(1/α) + O(1).
    """
    parts = {
        "upper": _upper_steps(),
        "positivity": _positivity_steps(),
        "trace": [*_gram_steps(), *_b_definite_steps(), *_trace_steps()],
        "sharp": _sharp_steps(),
        "lower": _lower_steps(),
        "order": _order_steps(),
    }
    for steps, data in zip(parts.values(), fields(evidence, *parts), strict=True):
        accept_steps(data, steps)


@claim("cor-intervals", AT_ZERO, "proved", growth="log(1/alpha)")
def cor_intervals_at_zero(evidence: Any) -> None:
    """At s = 0, intervals [l_1, u_1], …, [l_m, u_m]: the revised A_min's worst case is O(log 1/α), α = l_1/u_m.

    * Its matrix is B + blockdiag(A − B), one block per interval. A − B ≥ 0 entrywise ("A − B", for every s), so on x
      ≥ 0 it is at most A's form on [l_1, u_m] (A does not depend on an interval's lower end), which is as in
      ``wlog_at_zero``.
    """
    entries_lemma()
    s, i, j = X.s, X.i, X.j
    only_steps(evidence, [*_upper_steps(), Sign("A − B", "s:0 i:1 j:i", a_min(i, j, s) - h_sf(i, j, s), ">=")])


@cache
def _cor_ab_steps() -> list[Step]:
    i, j, k = X.i, X.j, X.k
    cross = i * (1 + 2 * (j - k)) / j + j * (1 + 2 * (i - k)) / i
    summed = (i * (2 * j * k - k * k) / j + j * (2 * i * k - k * k) / i).at(k=i)
    square = 1 + 2 * (i - k)
    claimed = i**2 / (i * j) * ((i + j) ** 2 - 2 * i**2)
    a = i**2 / (i * j) * ((i + j) ** 2 / 2 - i**2)
    return [
        Sum("cross terms", "i j k", "k", cross),
        Same("cross_sum", "i j", summed, claimed),
        Same("a", "i j", summed / 2, a),
        Sum("squares", "i k", "k", square),
        Same("a, i = j", "i", (2 * i * k - k * k).at(k=i), a.at(j=i)),
        Same("b", "i", i * (0 + i), i**2),
    ]


@claim(
    "cor-ab",
    AT_ZERO,
    "proved",
    a="min(i,j)**2/(i*j) * ((i+j)**2/2 - min(i,j)**2)",
    b="min(i,j)**2",
    cross_sum="min(i,j)**2/(i*j) * ((i+j)**2 - 2*min(i,j)**2)",
)
def cor_ab(evidence: Any) -> None:
    """At s = 0, l = 1, for every u and i ≤ j: A_min's coefficient of x_i x_j is 2a_ij, of x_i² a_ii; H-SF's 2b_ij,
    b_ii.

    * In the k-th summand, k ≤ i, the coefficient of x_i x_j is i(1 + 2(j−k))/j + j(1 + 2(i−k))/i (δ = 1 throughout),
      of x_i² it is 1 + 2(i−k); the sums over k telescope. H-SF: only k = i. The formulas are symmetric, as min and
      max are.
    """
    only_steps(evidence, _cor_ab_steps())
    entries_lemma()
    a, b = small_matrices(6)
    for i, j in combinations_with_replacement(range(1, 7), 2):
        need(a[i - 1][j - 1] == Fraction(i * i, i * j) * (Fraction((i + j) ** 2, 2) - i * i), "a at small lengths")
        need(b[i - 1][j - 1] == i * i, "b at small lengths")


@cache
def _inverse_steps() -> list[Step]:
    i, m, u = X.i, X.m, X.u

    def b(x: Any, y: Any) -> Ratio:
        return h_sf(ratio(x), ratio(y), 0)

    diagonal, last, off = 4 * i / (4 * i**2 - 1), 1 / (2 * u - 1), -1 / (2 * i + 1)
    before = off.at(i=i - 1)
    need(before * b(m, i) + diagonal * b(m, i) + off * b(m, i) == 0, "inner row, m < i")
    need(before * b(i - 1, m) + diagonal * b(i, m) + off * b(i + 1, m) == 0, "inner row, m > i")
    need(diagonal.at(i=1) * b(1, m) + off.at(i=1) * b(2, m) == 0, "first row, m > 1")
    need(off.at(i=u - 1) * b(m, u - 1) + last * b(m, u) == 0, "last row, m < u")
    need(before * b(i - 1, i) + diagonal * b(i, i) + off * b(i, i + 1) == 1, "inner row, m = i")
    need(diagonal.at(i=1) * b(1, 1) + off.at(i=1) * b(1, 2) == 1, "first row, m = 1")
    need(off.at(i=u - 1) * b(u - 1, u) + last * b(u, u) == 1 and last.at(u=1) * b(1, 1) == 1, "last row, m = u")
    return [
        Same("inner row, m = i: before", "i", before * b(i - 1, i), -((i - 1) ** 2) / (2 * i - 1)),
        Same("inner row, m = i: diagonal", "i", diagonal * b(i, i), 4 * i**3 / (4 * i**2 - 1)),
        Same("inner row, m = i: after", "i", off * b(i, i + 1), -(i**2) / (2 * i + 1)),
        Same("inner row, m < i: sum of the row", "i", before + diagonal, -off),
        Same("last row, m = u: diagonal", "u", last * b(u, u), u**2 / (2 * u - 1)),
        Same("last row, m = u: before", "u", off.at(i=u - 1) * b(u - 1, u), 1 - u**2 / (2 * u - 1)),
    ]


@claim("b-inverse", AT_ZERO, "proved", diagonal="4*i/(4*i**2-1)", last="1/(2*u-1)", off_diagonal="-1/(2*i+1)")
def b_inverse(evidence: Any) -> None:
    """At s = 0, l = 1, for every u: the inverse of (min(i,j)²) is tridiagonal with these entries.

    Every row times every column of B is 1 on the diagonal and 0 elsewhere, first, inner and last rows and u = 1 included.
    """
    only_steps(evidence, _inverse_steps())
    for u in range(1, 7):
        inverse = inverse_matrix(small_matrices(u)[1])
        for i, j in product(range(1, u + 1), repeat=2):
            own = Fraction(1, 2 * u - 1) if i == u else Fraction(4 * i, 4 * i * i - 1)
            own = own if i == j else Fraction(-1, 2 * min(i, j) + 1) if abs(i - j) == 1 else Fraction(0)
            need(inverse[i - 1][j - 1] == own, "the inverse at small u")


@cache
def _part_two(which: str) -> list[Step]:
    """Base case and increments of T_1, 2T_2 or their sum, from the inverse and A's entries; equal to the closed form's.

    * From u to u + 1 each diagonal gains one entry, and of the others only the inverse's last diagonal one changes.
    """
    entries_lemma()
    _inverse_steps()
    i, u = X.i, X.u

    def a(x: Ratio, y: Ratio) -> Ratio:
        return a_min(x, y, 0)

    diagonal, last, off = 4 * u / (4 * u**2 - 1), 1 / (2 * u - 1), -1 / (2 * u + 1)
    first = diagonal * a(u, u) + last.at(u=u + 1) * a(u + 1, u + 1) - last * a(u, u)
    second = 2 * off * a(u, u + 1)
    gain = {"t1": first, "t2": second, "trace": first + second}[which]
    claimed = {
        "t1": ((u + 1) ** 2 - u**2) / 2 + 1 / (2 * u + 1) / 2,
        "t2": -((u + 1) ** 2 - u**2) / 2 + 1 / (u + 1) - 1 / (2 * u + 1) / 2,
        "trace": 1 / (u + 1),
    }[which]
    start = {"t1": 1, "t2": 0, "trace": 1}[which]
    need((last * a(u, u)).at(u=1) == 1, "T_1(1) = 1, T_2(1) = 0")
    steps: list[Step] = [Value("at u = 1", start), Same("from u to u + 1", "u", gain, claimed)]
    if which == "t2":
        shown = -1 / (2 * i + 1) * i / (i + 1) * (i**2 + 2 * i + Fraction(1, 2))
        steps.append(Same("summand", "i", off.at(u=i) * a(i, i + 1), shown))
    return steps


def _sums_at_small_sizes(value: Callable[[Fraction, Fraction], Fraction], claimed: Callable[[int], Fraction]) -> None:
    for u in range(1, 6):
        a, b = small_matrices(u)
        inverse = inverse_matrix(b)
        first = sum((inverse[k][k] * a[k][k] for k in range(u)), Fraction(0))
        second = sum((inverse[k][k + 1] * a[k][k + 1] for k in range(u - 1)), Fraction(0))
        need(value(first, second) == claimed(u), f"the sum at u = {u}")


def _odd(u: int) -> Fraction:
    return sum((Fraction(1, 2 * i + 1) for i in range(1, u)), Fraction(0))


def _harmonic(u: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, u + 1)), Fraction(0))


@claim("t1", AT_ZERO, "proved", closed_form="(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2")
def t1(evidence: Any) -> None:
    """Σ_i (B_u⁻¹)_ii a_ii = (u²+1)/2 + ½ Σ_{i<u} 1/(2i+1) for every u ≥ 1, by induction."""
    only_steps(evidence, _part_two("t1"))
    _sums_at_small_sizes(lambda a, _: a, lambda u: Fraction(u * u + 1, 2) + _odd(u) / 2)


@claim(
    "t2",
    AT_ZERO,
    "proved",
    closed_form="-(u**2-1)/2 + sum(1/(i+1), i, 1, u-1) - sum(1/(2*i+1), i, 1, u-1)/2",
    terms="-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/2)",
)
def t2(evidence: Any) -> None:
    """2 Σ_{i<u} (B_u⁻¹)_{i,i+1} a_{i,i+1} = −(u²−1)/2 + Σ_{i<u} 1/(i+1) − ½ Σ_{i<u} 1/(2i+1), and its summand."""
    only_steps(evidence, _part_two("t2"))
    _sums_at_small_sizes(lambda _, b: 2 * b, lambda u: -Fraction(u * u - 1, 2) + _harmonic(u) - 1 - _odd(u) / 2)


@claim("trace", AT_ZERO, "proved", closed_form="sum(1/i, i, 1, u)")
def trace(evidence: Any) -> None:
    """tr(B_u⁻¹ A_u) = T_1(u) + 2T_2(u) = 1 + ½ + … + 1/u for every u ≥ 1, by induction."""
    only_steps(evidence, _part_two("trace"))
    _sums_at_small_sizes(lambda a, b: a + 2 * b, _harmonic)


_PD = {
    "s": "0",
    "hadamard_power": "2",
    "g": "2*r - r**2",
    "fourier": "12/((1+xi**2)*(4+xi**2))",
    "strictness": "g(0) > 0",
}


def _not_strict(data: Any) -> None:
    """ "If the points z_i are distinct and g(0) > 0, (g(z_i − z_j)) is strictly positive definite", g positive
    definite. False.

    * g ≡ 1 is continuous and positive definite, since Σ c_i c_j = (Σ c_i)² ≥ 0, with g(0) = 1. At distinct points, a
      vector c ≠ 0 with Σ c_i = 0 has the value 0.
    """
    points, vector = fields(data, "points", "vector")
    points, vector = integers(points, -9, 9), integers(vector, -9, 9, len(points) if isinstance(points, list) else 0)
    need(len(set(points)) == len(points), "the points must be distinct")
    need(any(vector) and sum(c * d for c in vector for d in vector) == 0, "the vector must have the value 0")


@cache
def _pd_steps() -> list[Step]:
    i, j, k, r, t = X.i, X.j, X.k, X.r, X.t
    g = 2 * r - r**2
    waves = 2 * (2 * ratio(1)) / (1 + t) - 2 * ratio(2) / (4 + t)  # t = ξ²; e^{−m|d|} ↦ 2m/(m²+ξ²), m = 1 and 2
    return [
        *_b_definite_steps(),
        *_gram_steps(),
        Sign("Hadamard weights", "k:1", k**2 - (k - 1) ** 2),
        Same("normalised", "i j", 2 * a_min(i, j, 0) / (i * j) - 1, g.at(r=i / j)),
        Same("Fourier transform", "t", waves, 12 / ((1 + t) * (4 + t))),
        Sign("Fourier transform is positive", "t:0", 12 / ((1 + t) * (4 + t))),
    ]


@claim("lem-pd", AT_ZERO, "proved", **_PD)
def lem_pd(evidence: Any) -> None:
    """For every u at s = 0: A_u and B_u are positive definite, and the steps of the proof hold for its own g.

    * B = UᵀWU with positive weights; A by ``_gram_steps``, which is the strictness of (g_ij) too. min(i,j)² = Σ_{k ≤
      min(i,j)} (k² − (k−1)²) with positive weights: the Hadamard square. a'_ij = 2a_ij/(ij) − 1 = g(log i − log j)
      with r = e^{−|d|}, and the transform of g = 2r − r² is 12/((1+ξ²)(4+ξ²)) > 0.

    The strictness argument as worded is false (``_not_strict``).
    """
    steps, strictness = fields(evidence, "steps", "strictness")
    accept_steps(steps, _pd_steps())
    _not_strict(strictness)


# Section 5, two lengths


def two_lengths(data: Any, policy: str, bound: Callable[[Fraction], Fraction]) -> None:
    """Check an example on {l, u} with s ≥ 1 where a policy's form over H-SF's is above a bound in α = l/u < 1."""
    s, l, u, weights, value = fields(data, "s", "l", "u", "weights", "ratio")
    s, l, u = integer(s, 1, 10**9), integer(l, 1, 10**4), integer(u, 2, 10**4)
    x, y = integers(weights, 0, 10**9, 2)
    need(l < u and x + y > 0, "l < u and positive weights are needed")
    pair = {l: x, u: y}
    top = a_min_form(pair, s, l, u) if policy == "a-min" else a_ell_form(x, y, s, l, u)
    own = top / h_sf_form(pair, s)
    need(fraction(value) == own and own > bound(Fraction(l, u)), "another ratio, or not above the bound")


def on_two_lengths(entry: Entry) -> Ratio:
    """Return a form at weights x on l and y on u."""
    l, u, s = X.l, X.u, X.s
    return entry(l, l, s) * X.x**2 + 2 * entry(l, u, s) * X.x * X.y + entry(u, u, s) * X.y**2


def in_alpha(value: Ratio) -> Ratio:
    """Return a form on two lengths at s = 0 over u² y², in α = l/u and t = x/y."""
    return value.at(s=0).at(l=X.alpha * X.u, x=X.t * X.y) / (X.u * X.y) ** 2


@cache
def _two_point_steps() -> list[Step]:
    entries_lemma()
    a, t = X.alpha, X.t
    below = in_alpha(on_two_lengths(h_sf))
    extra = in_alpha(on_two_lengths(a_min)) - below
    return [
        Same("denominator", "alpha t", below, a**2 * t**2 + 2 * a**2 * t + 1),
        Same("excess", "alpha t", extra, a * (1 - a**2) * t),
        Same("square", "alpha t", (1 - a) / 2 * below - extra, (1 - a) / 2 * (a * t - 1) ** 2),
    ]


@cache
def _two_point_rest() -> list[Step]:
    l, u, x, y, a, t = X.l, X.u, X.x, X.y, X.alpha, X.t
    num = l * (l * x + u * y) * (x + l / u * y + 2 * (u - l) / u * y) + u**2 * y * ((u - l) / u) ** 2 * y
    den = l**2 * x**2 + 2 * l**2 * x * y + u**2 * y**2
    shown = 1 + a * (1 - a**2) * t / (a**2 * t**2 + 2 * a**2 * t + 1)
    whole, below = on_two_lengths(a_min), on_two_lengths(h_sf)
    long = on_two_lengths(a_max).at(y=0) / below.at(y=0)
    return [
        Same("A_max at y = 0", "s l u", long, (X.s + u) / (X.s + l)),
        Same("num", "l u x y", whole.at(s=0), num),
        Same("den", "l u x y", below.at(s=0), den),
        Same("ratio", "alpha t", in_alpha(whole) / in_alpha(below), shown),
    ]


_TWO_POINT = {
    "bound": "(3-alpha)/2",
    "num": "l*(l*x+u*y)*(x+l/u*y+2*(u-l)/u*y)+u**2*y*((u-l)/u)**2*y",
    "den": "l**2*x**2+2*l**2*x*y+u**2*y**2",
    "ratio": "1+alpha*(1-alpha**2)*t/(alpha**2*t**2+2*alpha**2*t+1)",
}


@claim("thm-two-point", FORM, "refuted", **_TWO_POINT)
def two_point_form(evidence: Any) -> None:
    """Of the form, for every s ≥ 0 and weights on {l, u}: A_min over H-SF is at most (3−α)/2. False at s ≥ 1."""
    two_lengths(evidence, "a-min", lambda alpha: (3 - alpha) / 2)


@claim("thm-two-point", ALGORITHM, "refuted", **_TWO_POINT)
def two_point_in_process(evidence: Any) -> None:
    """Of Algorithm 2 on {l, u} as M → ∞: CR is at most (3−α)/2. False at s ≥ 1.

    The example is a lower bound in the process, as n/M → ∞ and M → ∞ (``a_min_ratio_least``).
    """
    l, u, least = _process_example(evidence)
    need(least > (3 - Fraction(l, u)) / 2, "the bound is not exceeded")


@claim("thm-two-point", AT_ZERO, "proved", **_TWO_POINT)
def two_point_at_zero(evidence: Any) -> None:
    """At s = 0: A_min over H-SF is at most (3−α)/2 on {l, u}, A_max's ratio is unbounded there, and the displays
    hold.

    * ½(1−α) H-SF − (A_min − H-SF) is ½(1−α)(αt − 1)² ≥ 0 ("square").
    * With y = 0 A_max's ratio is (s+u)/(s+l), and by continuity nearly so for small y > 0: above any number for large
      u.
    """
    only_steps(evidence, [*_two_point_steps(), *_two_point_rest()])


_A_ELL = {
    "bound_low": "1+alpha/(2*(1-alpha))",
    "bound_high": "1+2*alpha**2",
    "display_1_left": "l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y",
    "display_1_right": "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2)",
    "display_2": "u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2)",
    "display_3": "1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)",
    "premise": "2*alpha*(1+alpha)*t",
}


def _a_ell_bound(alpha: Fraction) -> Fraction:
    low, high = 1 + alpha / (2 * (1 - alpha)), 1 + 2 * alpha**2
    return low if 2 * alpha < 1 else high if 2 * alpha > 1 else max(low, high)


def _a_ell_display(data: Any) -> None:
    """Display (1), left: l(l/2)(x+y)x + (l+u/2)(x+y)y for half of A_ℓ's form at s = 0. Another number."""
    l, u, x, y, shown, actual = fields(data, "l", "u", "x", "y", "displayed", "actual")
    l, u, x, y = (integer(v, 1, 10**4) for v in (l, u, x, y))
    need(l < u, "l < u is needed")
    display = Fraction(l * l * (x + y) * x, 2) + (l + Fraction(u, 2)) * (x + y) * y
    half = a_ell_form(x, y, 0, l, u) / 2
    need((fraction(shown), fraction(actual)) == (display, half) and display != half, "other numbers, or equal ones")


def _a_ell_inference(data: Any) -> None:
    """The step from D ≥ 2α(1+α)t to h = α²(t+2)/D ≤ α/(2(1−α)), D = α²t² + 2α²t + 1 the denominator: it does not follow.

    The certificate gives a number in the place of D at which the premise is true and the conclusion false. At D itself
    the conclusion is true: what is refuted is the step.
    """
    alpha, t, d, value = (fraction(v) for v in fields(data, "alpha", "t", "denominator", "h"))
    need(0 < alpha <= Fraction(1, 2) and t > 0, "0 < α ≤ ½ and t > 0 are needed")
    need(d >= 2 * alpha * (1 + alpha) * t, "the premise is false")
    need(value == alpha**2 * (t + 2) / d, "another h")
    need(value > alpha / (2 * (1 - alpha)), "the conclusion is true")


@claim("thm-aell", FORM, "refuted", **_A_ELL)
def a_ell_form_claim(evidence: Any) -> None:
    """Of the forms on {l, u}, for every s ≥ 0: A_ℓ over H-SF is at most 1+α/(2(1−α)) for α ≤ ½ and 1+2α² above. False at s ≥ 1.

    Display (1) of the published proof and its inference to the bound are false at s = 0.
    """
    example, display, inference = fields(evidence, "example", "display", "inference")
    two_lengths(example, "a-ell", _a_ell_bound)
    _a_ell_display(display)
    _a_ell_inference(inference)


@cache
def _a_ell_steps() -> list[Step]:
    a, t, r, l, x, y = X.alpha, X.t, X.r, X.l, X.x, X.y
    below = in_alpha(on_two_lengths(h_sf))
    whole = l * l * (x + y) * (x + 2 * y) + X.u**2 * y**2  # ``a_ell_form`` at s = 0
    for numbers in ((1, 2, 3, 4), (5, 2, 7, 9), (1, 0, 2, 3)):
        place = dict(zip("xylu", numbers, strict=True))
        need(whole.at(**place).number() == a_ell_form(*numbers[:2], 0, *numbers[2:]), "A_ℓ's form")
    extra = in_alpha(whole) - below
    low, high = a / (2 * (1 - a)) * below - extra, 2 * a**2 * below - extra
    return [
        Same("denominator", "alpha t", below, a**2 * t**2 + 2 * a**2 * t + 1),
        Same("excess", "alpha t", extra, a**2 * (t + 2)),
        Same("low", "alpha t", low, a / (2 * (1 - a)) * (a * t - (1 - 2 * a)) ** 2),
        Sign("high", "r:0 t:0", high.at(alpha=r + Fraction(1, 2)), ">="),
    ]


@claim("thm-aell", AT_ZERO, "proved", **_A_ELL)
def a_ell_at_zero(evidence: Any) -> None:
    """At s = 0 on {l, u}: A_ℓ over H-SF is at most 1+α/(2(1−α)) for α ≤ ½ and 1+2α² above.

    * With t = x/y, what α/(2(1−α)) H-SF leaves of A_ℓ − H-SF is a square times α/(2(1−α)) > 0 ("low"); at α = ½ + r,
      2α² H-SF leaves what is ≥ 0 ("high").
    * At y = 0 both forms are l²x².
    """
    only_steps(evidence, _a_ell_steps())


@cache
def _switch_steps() -> list[Step]:
    a, r = X.alpha, X.r
    low = (3 - a) / 2 - (1 + a / (2 * (1 - a)))
    high = (1 + 2 * a**2) - (3 - a) / 2
    # with x = √5 the roots are (3 − x)/2 and (3 + x)/2: their sum is 3, and their product (9 − x²)/4 = 1 as x² = 5
    need((ratio(9) - 5) / 4 == 1, "the product of the roots")
    return [
        Same("α ≤ ½", "alpha", low, (a**2 - 3 * a + 1) / (2 * (1 - a))),
        Same("roots", "alpha x", (a - (3 - X.x) / 2) * (a - (3 + X.x) / 2), a**2 - 3 * a + (9 - X.x**2) / 4),
        Sign("α ≥ ½", "r:0", high.at(alpha=r + Fraction(1, 2))),
    ]


@claim(
    "switch",
    AT_ZERO,
    "proved",
    threshold="(3-sqrt(5))/2",
    a_min_bound="(3-alpha)/2",
    bound_low="1+alpha/(2*(1-alpha))",
    bound_high="1+2*alpha**2",
)
def switch(evidence: Any) -> None:
    """For 0 < α < 1 the printed bound of A_ℓ is below (3−α)/2 exactly where α < (3−√5)/2.

    * For α ≤ ½ the difference of the bounds has the sign of α² − 3α + 1 = (α − (3−√5)/2)(α − (3+√5)/2); the second
      factor is negative, and (3−√5)/2 < ½ since √5 > 2. For α ≥ ½ A_ℓ's bound is the larger one.
    """
    only_steps(evidence, _switch_steps())
    need(2 * 2 < 5, "√5 > 2")


# Section 5, geometric laws


def above_bound(data: Any, power: int, bound: Fraction) -> None:
    """Check an example with s ≥ 1 where A_min over H-SF under q^k (power 0) or k q^k (power 1) is above a bound."""
    s, q, value = fields(data, "s", "q", "ratio")
    own = law_ratio(power, integer(s, 1, 100), fraction(q))
    need(truncated(value, own) >= bound and own[0] > bound, "not above the bound")


def falls(data: Any, power: int) -> None:
    """Check an example with s ≥ 1 where the ratio is smaller at a larger q."""
    s, places, values = fields(data, "s", "q", "ratios")
    s = integer(s, 1, 100)
    first, second = (fraction(v) for v in rows(places, 2, 2))
    before, after = law_ratio(power, s, first), law_ratio(power, s, second)
    for value, own in zip(rows(values, 2, 2), (before, after), strict=True):
        truncated(value, own)
    need(first < second and after[1] < before[0], "it does not fall")


@claim("geometric", FORM, "refuted", bound="1.7", direction="increases")
def geometric_form(evidence: Any) -> None:
    """Of the form, for every s ≥ 0 and 0 < q < 1, weights q^k: the ratio is at most 1.7 and increases. Both false at s ≥ 1."""
    example, decrease = fields(evidence, "example", "decrease")
    above_bound(example, 0, Fraction(17, 10))
    falls(decrease, 0)


@cache
def _geometric_sums() -> tuple[Ratio, Ratio]:
    """A_min's sum without the part i³/(2j), and H-SF's, at s = 0 under x_k = q^k."""
    entries_lemma()
    i, j = X.i, X.j
    need(a_min(i, j, 0) == i * (j + 2 * i) / 2 - i**3 / (2 * j), "A_min's entry, split")
    return double_sum(i * (j + 2 * i) / 2, 0), double_sum(i * i, 0)


def _single(poly: Ratio) -> list[Fraction]:
    return [Fraction(c) for c in coefficients(poly.num, "q")]


def geometric_at_zero(data: Any) -> None:
    """At s = 0 under q^k the ratio increases in q, to a limit below 1.7.

    * Σ_{i<j} i³ q^i = F(j) q^j − F(0), where q F(j+1) − F(j) = j³ (the certificate's F(j) = Σ_c f_c j^c). So what
      remains of A_min, −½ Σ_i i² q^{2i} − Σ_{i<j} (i³/j) q^{i+j}, is −½ Σ i² q^{2i} − Σ_{c≥1} f_c Σ_j j^{c−1} q^{2j}
      + F(0) ln(1+q), as Σ (q^{2j} − q^j)/j = −ln(1+q). The ratio is (P + R ln(1+q))/Q with the certificate's P, R, Q.
    * Its derivative times Q² is A + B ln(1+q), A = (P' + R/(1+q))Q − PQ', B = R'Q − RQ'. Between the partial sums of
      ln(1+q) with 8 and 9 terms, one below and one above it on (0, 1], A + B·partial sum is positive on (0, 1) at
      both, so the derivative is positive.
    * The limit is (P(1) + R(1) ln 2)/Q(1).
    """
    antidifference, p, r, q = fields(data, "antidifference", "P", "R", "Q")
    f: list[Ratio] = []
    for entry in rows(antidifference, 4, 4):
        top, bottom = fields(entry, "numerator", "denominator")
        f.append(read_quotient(top, bottom, ["q"]))
    j = X.j
    big = sum((c * j**n for n, c in enumerate(f)), ratio(0))
    need(X.q * big.at(j=j + 1) - big == j**3, "q F(j+1) − F(j) is not j³")
    smooth, below = _geometric_sums()
    squares = [power_sum(n).at(t=X.q**2) for n in range(3)]
    rational = smooth - squares[2] / 2 - sum((f[n] * squares[n - 1] for n in (1, 2, 3)), ratio(0))
    own_p, own_r, own_q = (Ratio(read_polynomial(v, ["q"])) for v in (p, r, q))
    need(bool(own_q.num) and rational / below == own_p / own_q and f[0] / below == own_r / own_q, "another closed form")
    need(gcd(*own_p.num.values(), *own_r.num.values(), *own_q.num.values()) == 1, "a common factor")
    P, R, Q = (_single(v) for v in (own_p, own_r, own_q))
    need(all(c >= 0 for c in Q) and sum(Q) > 0, "Q must be positive")
    plus = [Fraction(1), Fraction(1)]
    A = add(
        multiply(add(multiply(derivative(P), plus), R), Q), multiply(multiply([-1], P), multiply(derivative(Q), plus))
    )
    B = multiply(plus, add(multiply(derivative(R), Q), multiply(multiply([-1], R), derivative(Q))))
    for terms in (8, 9):
        partial = [Fraction(0), *(Fraction((-1) ** (n + 1), n) for n in range(1, terms + 1))]
        rest = without_factor(without_factor(add(A, multiply(B, partial)), 0), 1)
        need(positive_on_unit(rest), "the derivative's sign is not shown")
    low, high = log_bounds(Fraction(2))
    limit = max(sum(P) + sum(R) * low, sum(P) + sum(R) * high) / sum(Q)
    need(limit < Fraction(17, 10), "the limit is not below 1.7")


@claim("geometric", AT_ZERO, "proved", bound="1.7", direction="increases")
def geometric_claim_at_zero(evidence: Any) -> None:
    """At s = 0, weights q^k, 0 < q < 1: A_min over H-SF increases with q and is at most 1.7."""
    geometric_at_zero(evidence)


_LG = {
    "closed_form": "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)",
    "bound": "14/9",
    "weaker_bound": "1.6",
    "direction": "increases",
    "display_own": "2",
    "display_tail": "1",
    "display_denominator": "(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4)",
    "display_numerator": "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)",
}


def _lg_closed_form(q: Fraction) -> Fraction:
    top = (1 + q) ** 2 * (1 + 3 * q + 6 * q**2 + 3 * q**3 + q**4)
    return top / (1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6)


def _lg_display(data: Any) -> None:
    """The proof's display Σ_k k³ q^{k−1} (2k q^{k−1} + Σ_{i>k} i q^{i−1}) = (1+2q+…+q⁶)/((1−q)⁶(1+q)⁴). Another number.

    The sum is (2 Σ k⁴ q^{2k} + Σ_{k<i} k³ i q^{k+i})/q², from ``double_sum`` of i³ j and twice what it counts once.
    """
    q, value, shown = (fraction(v) for v in fields(data, "q", "sum", "displayed"))
    need(0 < q < 1, "0 < q < 1 is needed")
    diagonal = power_sum(4).at(t=X.q**2)
    pairs = (double_sum(X.i**3 * X.j, 0) - diagonal) / 2
    own = ((2 * diagonal + pairs) / X.q**2).at(q=q).number()
    claimed = (1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6) / ((1 - q) ** 6 * (1 + q) ** 4)
    need(value == own and shown == claimed and own != claimed, "other numbers, or equal ones")


@claim("thm-lg", FORM, "refuted", **_LG)
def lg_form(evidence: Any) -> None:
    """Of the form, for every s ≥ 0 and 0 < q < 1, weights k q^k: the closed form, at most 14/9, at most 1.6, increasing. All
    four are false at s ≥ 1.

    The sum of the denominator that the published proof displays is false at s = 0.
    """
    closed, bound, weaker, decrease, display = fields(
        evidence, "closed_form", "bound", "weaker_bound", "decrease", "display"
    )
    s, q, value, claimed = fields(closed, "s", "q", "ratio", "claimed")
    own = law_ratio(1, integer(s, 1, 100), fraction(q))
    truncated(value, own)
    need(fraction(claimed) == _lg_closed_form(fraction(q)), "another value of the closed form")
    need(not own[0] <= fraction(claimed) <= own[1], "the closed form holds there")
    above_bound(bound, 1, Fraction(14, 9))
    above_bound(weaker, 1, Fraction(8, 5))
    falls(decrease, 1)
    _lg_display(display)


@cache
def _lg_sums() -> tuple[Ratio, Ratio]:
    entries_lemma()
    i, j = X.i, X.j
    need(a_min(i, j, 0) * i * j == i**2 * (j * j + 2 * i * j - i * i) / 2, "A_min's entry times ij")
    return double_sum(i**2 * (j * j + 2 * i * j - i * i) / 2, 0), double_sum(i**3 * j, 0)


def lg_at_zero(data: Any) -> None:
    """At s = 0 under k q^k the ratio is N/D, the certificate's polynomials; it increases to 14/9 < 1.56.

    * N'D − ND' is divided by its powers of 1 − q and q and is positive on [0, 1].
    """
    numerator, denominator = fields(data, "numerator", "denominator")
    own = read_quotient(numerator, denominator, ["q"])
    top, bottom = _lg_sums()
    need(top / bottom == own, "another closed form")
    N, D = _single(Ratio(own.num)), _single(Ratio(own.den))
    rate = add(multiply(derivative(N), D), multiply(multiply([-1], N), derivative(D)))
    need(all(c > 0 for c in D) and positive_on_unit(without_factor(without_factor(rate, 0), 1)), "it does not increase")
    need(sum(N) / sum(D) == Fraction(14, 9) and Fraction(14, 9) <= Fraction(156, 100), "another limit")


@claim("thm-lg", AT_ZERO, "proved", **_LG)
def lg_claim_at_zero(evidence: Any) -> None:
    """At s = 0, weights k q^k, 0 < q < 1: A_min over H-SF is the closed form, increases with q and is at most 14/9 < 1.6."""
    lg_at_zero(evidence)
    q = X.q
    top = (1 + q) ** 2 * (1 + 3 * q + 6 * q**2 + 3 * q**3 + q**4)
    bottom = 1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6
    need(read_quotient(evidence["numerator"], evidence["denominator"], ["q"]) == top / bottom, "not the closed form")
    need(Fraction(14, 9) <= Fraction(8, 5), "14/9 ≤ 1.6")


@claim("lg-mode", AT_ZERO, "refuted", mode="log(1/q)", within="1")
def lg_mode(evidence: Any) -> None:
    """For every 0 < q < 1 a mode of k p² q^{k−1} is within 1 of ln(1/q). False.

    * P(k+1) ≥ P(k) exactly for k ≤ q/(1−q), so with q < ½ the only mode is 1.
    """
    q, mode, shown = fields(evidence, "q", "mode", "formula")
    place = fraction(q)
    need(0 < place < Fraction(1, 2) and integer(mode, 1, 1) == 1, "q < ½ is needed, where the mode is 1")
    own = log_bounds(1 / place)
    truncated(shown, own, 6)
    need(own[0] > 2, "the mode is within 1 of the formula")


_UNIFORM = {"two_point": "1.5", "geometric": "1.7", "linear_geometric": "1.56"}


@claim("uniform-bounds", ALGORITHM, "refuted", **_UNIFORM)
def uniform_in_process(evidence: Any) -> None:
    """Of Algorithm 2 as M → ∞: 1.5, 1.7 and 1.56 bound CR on two lengths, under q^k and under k q^k. The first is false.

    The example is a lower bound in the process, as n/M → ∞ and M → ∞ (``a_min_ratio_least``).
    """
    _, _, least = _process_example(evidence)
    need(least > Fraction(3, 2), "the bound is not exceeded")


@claim("uniform-bounds", FORM, "refuted", **_UNIFORM)
def uniform_form(evidence: Any) -> None:
    """Of the form, for every s ≥ 0: 1.5, 1.7 and 1.56 bound A_min over H-SF on two lengths, under q^k and under k q^k. False."""
    two, plain, linear = fields(evidence, "two_point", "geometric", "linear_geometric")
    two_lengths(two, "a-min", lambda alpha: Fraction(3, 2))
    above_bound(plain, 0, Fraction(17, 10))
    above_bound(linear, 1, Fraction(156, 100))


@claim("uniform-bounds", AT_ZERO, "proved", **_UNIFORM)
def uniform_at_zero(evidence: Any) -> None:
    """At s = 0 the three bounds hold: (3−α)/2 < 1.5, and the ratios under q^k and k q^k stay below their limits."""
    two, plain, linear = fields(evidence, "two_point", "geometric", "linear_geometric")
    accept_steps(two, _two_point_steps())
    geometric_at_zero(plain)
    lg_at_zero(linear)


# Section 6 and the appendix


@claim("hsf-lower", ALGORITHM, "refuted", factor="1", requests="any")
def hsf_lower(evidence: Any) -> None:
    """No feasible schedule has a smaller total latency than H-SF's. False at s ≥ 1."""
    lengths, s, memory, own, starts, better = fields(evidence, "lengths", "s", "M", "h_sf_total", "starts", "total")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    starts = integers(starts, 0, 10**4, len(lengths))
    need(own == total(shortest_first(lengths, s, memory), lengths), "H-SF has another total")
    need(feasible(starts, lengths, s, memory), "the schedule exceeds the memory")
    need(better == total(starts, lengths) and better < own, "the schedule is not better")


@claim("ex-order", ALGORITHM, "certified", M="7", s="1", o="1,2,3,4", i1="0,2,0,3", i2="1,1,0,3", i3="0,0,0,2")
def ex_order(evidence: Any) -> None:
    """M = 7, s = 1, o = (1,2,3,4): I_1, I_2, I_3 are feasible and in corresponding order; neither of I_1, I_2 is delayed
    relative to the other; both are delayed relative to I_3; I_3 is optimal (all schedules with a smaller total are tried).
    """
    lengths, s, memory = (1, 2, 3, 4), 1, 7
    given = ([0, 2, 0, 3], [1, 1, 0, 3], [0, 0, 0, 2])
    schedules, totals = fields(evidence, "schedules", "totals")
    plans = [integers(row, 0, 9, 4) for row in rows(schedules, 3, 3)]
    need(plans == list(given), "other schedules")
    need(integers(totals, 1, 99, 3) == [total(p, lengths) for p in plans], "other totals")
    need(all(feasible(p, lengths, s, memory) for p in plans), "one exceeds the memory")
    need(all(same_order(a, b) for a, b in combinations(plans, 2)), "the order is not preserved")

    def delayed(a: Sequence[int], b: Sequence[int]) -> bool:
        return all(x >= y for x, y in zip(a, b, strict=True))

    first, second, third = plans
    need(not delayed(first, second) and not delayed(second, first), "one of I_1, I_2 is delayed")
    need(delayed(first, third) and delayed(second, third), "I_3 is not the earliest")
    spare = sum(third)
    for starts in product(range(spare), repeat=4):
        need(sum(starts) >= spare or not feasible(starts, lengths, s, memory), "I_3 is not optimal")


def _queue_instance(lengths: Any, s: Any, memory: Any) -> tuple[list[int], int, int]:
    sizes = integers(lengths, 1, 60)
    need(len(sizes) <= 30, "at most 30 requests")
    return sizes, integer(s, 1, 1000), integer(memory, 1, 10**5)


@claim("packed-random", ALGORITHM, "refuted", policy="a-random", requests="any")
def packed_random(evidence: Any) -> None:
    """A_random's schedules are optimally packed, and those at two memories are in corresponding order, in either reading of
    its queue. False: one is not packed where the queue stops at the first request that does not fit; two are not in order
    where it passes over what does not fit.
    """
    stopping, passing = fields(evidence, "stopping", "passing")
    lengths, s, memory, order, starts, request, to = fields(
        stopping, "lengths", "s", "M", "order", "starts", "request", "to"
    )
    lengths, s, memory = _queue_instance(lengths, s, memory)
    own = run_queue(permutation(order, len(lengths)), lengths, lengths, s, memory)
    need(starts == own, "A_random starts at other times")
    request, to = integer(request, 0, len(lengths) - 1), integer(to, 0, 10**4)
    need(may_move(own, lengths, s, memory, request, to), "the request cannot move there")
    lengths, s, memory, smaller, order, starts = fields(passing, "lengths", "s", "M", "smaller", "order", "starts")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    order = permutation(order, len(lengths))
    both = [run_queue(order, lengths, lengths, s, m, passing=True) for m in (memory, integer(smaller, 1, memory - 1))]
    need(starts == both and not same_order(*both), "other starts, or in order")


@cache
def _memory_steps() -> list[Step]:
    h, s = X.h, X.s
    gap = (2 * h + 1) * (2 * s + 1) - (h + 1) * (2 * s + 2)
    return [Sign("family", "h:1 s:1", gap)]


@claim("prop-memory", ALGORITHM, "refuted", factor="1")
def prop_memory(evidence: Any) -> None:
    """For optimally packed schedules I, I' in corresponding order, at M and βM, s ≥ 1: TEL(I') ≤ TEL(I)/β, and L_i' ≤ L_i/β
    for every request. Both false.

    Not an effect of small n or M: 2h requests with o = 1, M = 2(s+1) and βM = M − 1 run two at a time, or one; the totals are
    h(h+1) and h(2h+1), and (2h+1)/(h+1) > (2s+2)/(2s+1) for all h, s ≥ 1 ("family"). The members are run.
    """
    example, steps, members = fields(evidence, "example", "steps", "members")
    lengths, s, memory, smaller, first, second, totals, late = fields(
        example, "lengths", "s", "M", "smaller", "I", "I'", "totals", "late"
    )
    lengths, s, memory = _queue_instance(lengths, s, memory)
    smaller = integer(smaller, 1, memory - 1)
    one, two = (integers(v, 0, sum(lengths), len(lengths)) for v in (first, second))
    for starts, room in ((one, memory), (two, smaller)):
        need(feasible(starts, lengths, s, room) and packed(starts, lengths, s, room), "not feasible or not packed")
    need(same_order(one, two), "not in corresponding order")
    need(integers(totals, 1, 10**6, 2) == [total(one, lengths), total(two, lengths)], "other totals")
    need(totals[1] * smaller > totals[0] * memory, "the bound on the totals holds")
    late = integer(late, 0, len(lengths) - 1)
    need((two[late] + lengths[late]) * smaller > (one[late] + lengths[late]) * memory, "the bound on the request holds")
    sooner = ([k if i == late else p for i, p in enumerate(two)] for k in range(two[late]))
    need(not any(feasible(row, lengths, s, smaller) for row in sooner), "the late request could have been earlier")
    accept_steps(steps, _memory_steps())
    for (n, s), data in zip(((4, 4), (10, 10), (20, 40)), rows(members, 3, 3), strict=True):
        number, size, totals = fields(data, "n", "s", "totals")
        need((number, size) == (n, s), f"the member n = {n}, s = {s} is missing")
        own: list[int] = []
        for room in (2 * s + 2, 2 * s + 1):
            starts = shortest_first([1] * n, s, room)
            need(packed(starts, [1] * n, s, room), "a member is not packed")
            own.append(total(starts, [1] * n))
        half = n // 2
        need(totals == own == [half * (half + 1), half * (n + 1)], "a member has other totals")


def _mean(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """A_random's expected total: all permutations."""
    runs = [total(run_queue(o, lengths, lengths, s, memory), lengths) for o in permutations(range(len(lengths)))]
    return Fraction(sum(runs), len(runs))


def _against_h_sf(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """A_random's expected total over H-SF's."""
    return _mean(lengths, s, memory) / total(shortest_first(lengths, s, memory), lengths)


_ENDPOINTS = {"policy": "a-min", "u": "20", "n": "2", "M": "5", "high": "4", "sum_factor": "2"}


def _endpoints(evidence: Any, s: int) -> None:
    """Refute "A_min's form over H-SF's has its worst case over weights on [1, 20] at weights on {1, 20}" at one s.

    * At these tails its ratio is larger than on {1, 20}, where it is at most 1 + c/(2(a + √(ad))), with c xy the
      difference of the two forms, a = 1+s, d = 20(20+s) (as ax² + dy² ≥ 2√(ad) xy).
    """
    size, tails, value = fields(evidence, "s", "tails", "ratio")
    need(integer(size, 0, 1) == s, f"s = {s} is needed")
    t = [fraction(v) for v in rows(tails, 20, 20)]
    need(all(a >= b for a, b in pairwise([*t, Fraction(0)])) and t[0] > 0, "the tails must fall")
    x = {k: a - b for k, (a, b) in enumerate(pairwise([*t, Fraction(0)]), start=1)}
    own = a_min_form(x, s, 1, 20) / h_sf_form(x, s)
    need(fraction(value) == own, "another ratio")
    ends = {1: 1, 20: 1}
    cross = a_min_form(ends, s, 1, 20) - h_sf_form(ends, s)
    for k in ends:
        need(a_min_form({k: 1}, s, 1, 20) == h_sf_form({k: 1}, s), "the squares differ")
    a, d = 1 + s, 20 * (20 + s)
    need(own > 1 + cross / (2 * (a + isqrt(a * d))), "not above the two lengths")


@claim("thm-endpoints", AT_ZERO, "refuted", **_ENDPOINTS)
def endpoints_at_zero(evidence: Any) -> None:
    """Of A_min's form at s = 0: the worst case over weights on [1, 20] is attained on {1, 20}. False."""
    _endpoints(evidence, 0)


@claim("thm-endpoints", FORM, "refuted", **_ENDPOINTS)
def endpoints_form(evidence: Any) -> None:
    """Of A_min's form, for every s ≥ 0: the worst case over weights on [1, 20] is attained on {1, 20}. False at s = 1."""
    _endpoints(evidence, 1)


@claim("thm-endpoints", ALGORITHM, "refuted", **_ENDPOINTS)
def endpoints_in_process(evidence: Any) -> None:
    """For every policy and n the worst case over [l, u]ⁿ is attained on {l, u}ⁿ. False for A_random, n = 2, M = 5, [1, 4].

    Its expected total over H-SF's is larger at the certificate's lengths than at all of {1, 4}². The identity of the
    published proof, E TEL(o⁻) + E TEL(o⁺) = 2 E TEL(o), is false for A_random: one request's length less 1, unchanged, and plus 1.
    """
    example, identity = fields(evidence, "example", "identity")
    s, l, u, memory, lengths, value = fields(example, "s", "l", "u", "M", "lengths", "ratio")
    need((integer(s, 1, 9), l, u, memory) == (s, 1, 4, 5) and s + u <= memory, "[1, 4] and M = 5 are needed")
    own = _against_h_sf(integers(lengths, l, u, 2), s, memory)
    most = max(_against_h_sf(ends, s, memory) for ends in combinations_with_replacement((l, u), 2))
    need(fraction(value) == own and own > most, "another ratio, or not above the ends")
    lengths, s, memory, request, means = fields(identity, "lengths", "s", "M", "request", "means")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    request = integer(request, 0, len(lengths) - 1)
    need(len(lengths) <= 4 and lengths[request] >= 2, "at most four requests, and a length that can shrink")
    changed = [[o + e * (i == request) for i, o in enumerate(lengths)] for e in (-1, 0, 1)]
    own_means = [_mean(row, s, memory) for row in changed]
    shown = [fraction(v) for v in rows(means, 3, 3)]
    need(shown == own_means and shown[0] + shown[2] != 2 * shown[1], "other means, or the identity holds")


@cache
def _random_steps() -> list[Step]:
    h_sf_lemma()
    s, l, u, k, t, big = X.s, X.l, X.u, X.k, X.t, X.K
    own = Tails(a_random, s)
    need(own.diagonal == 0 and own.inner == 0, "A_random in the tails")
    bound = (1 + u / l) / 2
    return [
        Same("A_random, corner", "s l", own.corner, l * (s + l)),
        Same("A_random, row", "s j", own.row, (s + 2 * X.j - 1) / 2),
        Sum("sum of w", "s k", "k", s + 2 * k - 1),
        Same("square", "K t", big * t**2 - t + 1 / (4 * big), (2 * big * t - 1) ** 2 / (4 * big)),
        Sign("constant", "s:0 l:1 u:l", 4 * bound * (bound - 1) * l * (s + l) - (u * (s + u) - l * (s + l)), ">="),
    ]


@cache
def _lock_step_steps() -> list[Step]:
    s, l, u, c = X.s, X.l, X.u, X.c
    memory = c * (l * (s + u) + (u - l) * (s + u - l))
    first = memory / (s + l)
    batch = memory / c / (s + u)
    return [
        Same("at 0", "s l u c", ((first - l * c) + l * c) * (s + l), memory),
        Same("at l", "s l u c", l * c * (s + u) + (u - l) * c * (s + u - l), memory),
        Same("at u", "s l u c", (u - l) * c * (s + u) + l * c * (s + l), memory),
        Same("limit", "s l u", u / batch, u * (s + u) / (memory / c)),
    ]


@claim("thm-random", ALGORITHM, "refuted", bound="(1+1/alpha)/2")
def thm_random_in_process(evidence: Any) -> None:
    """E TEL(A_random) ≤ ((1+1/α)/2 + O(1/M)) TEL(H-SF), as M → ∞, for all lengths in [l, u], s ≥ 1, α = l/u < 1.
    False.

    M = c(l(s+u) + (u−l)(s+u−l)) is a multiple of s + l and s + u. M/(s+l) − lc requests have length l, the others u.

    * H-SF starts those of length l at 0 with lc of length u ("at 0"); then, for ever, (u−l)c at ju + l and lc at
      (j+1)u: when one group ends, the other's age leaves room for exactly as many again ("at l", "at u"). So uc of
      length u end per u instants.
    * A_random takes B = M/(s+u) of length u per batch, which fill M when they end; one request of length l fits
      beside them and gives nobody room before.
    * So B end per u instants, as long as no two requests of length l are within B + 1 places in the order; two given
      ones are with probability at most 2(B+1)/(n−1).
    * All of this is the same for every multiple of c; n → ∞, then M → ∞: the ratio tends to u(s+u)/(M/c) at least
      ("limit").

    Two periods of H-SF and a batch of A_random are run.
    """
    names = ("s", "l", "u", "M", "short", "long", "h_sf_total", "a_random_least", "steps")
    s, l, u, memory, short, long, own, least, steps = fields(evidence, *names)
    s, l, u = (integer(v, 1, 100) for v in (s, l, u))
    unit = l * (s + u) + (u - l) * (s + u - l)
    memory, long = integer(memory, 1, 10**5), integer(long, 1, 10**30)
    need(
        l < u and all(memory % v == 0 for v in (unit, s + l, s + u)), "l < u and a multiple of three numbers are needed"
    )
    c, batch = memory // unit, memory // (s + u)
    need(integer(short, 1, 10**5) == memory // (s + l) - l * c, "another number of short requests")
    need(
        long % (u * c) == 0 and (batch + 1) * (s + l) <= memory,
        "whole periods, and room for a short request, are needed",
    )
    early, late, periods = l * c, (u - l) * c, long // (u * c)
    need(short + 2 * u * c <= 1500, "too many requests to be run")
    lengths = [l] * short + [u] * (2 * u * c)
    starts = [0] * (short + early) + [l] * late + [u] * early + [u + l] * late
    need(shortest_first(lengths, s, memory) == starts, "H-SF has other groups")
    ends = sum(early * j * u + late * (j * u + l) for j in (1, 2))
    need(total(starts, lengths) == short * l + ends, "other totals of two periods")
    row = [u] * (batch // 2) + [l] + [u] * (2 * batch)
    found = [p for p, o in zip(run_queue(range(len(row)), row, row, s, memory), row, strict=True) if o == u]
    need(found == [k // batch * u for k in range(len(found))], "A_random is not in lock step")
    h_sf = short * l + (early + late) * u * (periods * (periods + 1) // 2) + late * l * periods
    full, left = divmod(long, batch)
    in_step = u * (batch * (full * (full + 1) // 2) + left * (full + 1))
    near = Fraction(short * (short - 1) * (batch + 1), short + long - 1)
    need(fraction(own) == h_sf and fraction(least) == (1 - near) * in_step, "other totals")
    need(fraction(least) > Fraction(l + u, 2 * l) * h_sf, "the bound holds")
    need(2 * l * u * (s + u) > (l + u) * unit, "the bound holds in the limit")
    accept_steps(steps, _lock_step_steps())


@claim("thm-random", AT_ZERO, "proved", bound="(1+1/alpha)/2")
@claim("thm-random", FORM, "proved", bound="(1+1/alpha)/2")
def thm_random_form(evidence: Any) -> None:
    """Of the forms, for every s ≥ 0, all lengths l < u and weights: A_random over H-SF is at most (1+1/α)/2, α = l/u.

    * In the tails, T_l = 1, with K the bound: K·H-SF − A_random = (K−1) l(s+l) + Σ_k w_k (K T_k² − T_k), and each
      bracket is at least −1/(4K) ("square"); Σ w_k = u(s+u) − l(s+l) ("sum of w"). What is left is ≥ 0 ("constant").
    """
    only_steps(evidence, _random_steps())


@claim("lem-max-random", AT_ZERO, "proved", factor="1", requests="any")
@claim("lem-max-random", FORM, "proved", factor="1", requests="any")
def max_below_random(evidence: Any) -> None:
    """Of the forms, for every s ≥ 0, all l ≤ u and weights: A_max's form over M is at most A_random's over αM.

    The coefficients at lengths i ≤ j are sums of one summand for i and one for j: α⁻¹ i(s+i)/2 − (s+u)i/2 is ≥ 0 ("summand").
    """
    s, l, i, j, u = X.s, X.l, X.i, X.j, X.u

    def summand(o: Ratio) -> Ratio:
        return o * (u * (s + o) / l - (s + u))

    need(2 * (a_random(i, j, s) * u / l - a_max(i, j, s)) == summand(i) + summand(j), "the coefficients")
    only_steps(evidence, [Sign("summand", "s:0 l:1 i:l u:i", summand(i), ">=")])


@claim("lem-max-random", ALGORITHM, "refuted", factor="1", requests="any")
def lem_max_random(evidence: Any) -> None:
    """E TEL(A_max, M) ≤ E TEL(A_random, αM), αM an integer, s ≥ 1; and for every permutation. Both false.

    Not an effect of small n or M: all o = l = 4s, u = 8s, M = 14s, where every permutation is the same; n and s grow.
    """
    example, members = fields(evidence, "example", "members")
    lengths, s, l, u, memory, slow, quick = fields(example, "lengths", "s", "l", "u", "M", "a_max", "a_random")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    l, u = integer(l, 1, 1000), integer(u, 1, 1000)
    need(l < u and all(l <= o <= u for o in lengths) and len(lengths) <= 5, "lengths in [l, u], l < u, are needed")
    need(l * memory % u == 0, "αM must be an integer")
    orders = list(permutations(range(len(lengths))))
    both = [
        [total(run_queue(o, assumed, lengths, s, room), lengths) for o in orders]
        for assumed, room in (([u] * len(lengths), memory), (lengths, l * memory // u))
    ]
    need([slow, quick] == both and sum(slow) > sum(quick), "other totals, or the bound holds")
    for (n, s), data in zip(((10, 1), (100, 1), (30, 5)), rows(members, 3, 3), strict=True):
        number, size, totals = fields(data, "n", "s", "totals")
        need((number, size) == (n, s), f"the member n = {n}, s = {s} is missing")
        runs = [run_queue(range(n), [o * s] * n, [4 * s] * n, s, room * s) for o, room in ((8, 14), (4, 7))]
        own = [total(starts, [4 * s] * n) for starts in runs]
        need(totals == own and own[0] > own[1], "a member has other totals")


# ---- reading a folder -------------------------------------------------------------------------------------------

NOT_DECIDED = "the verdict is neither proved, certified nor refuted"
EXPERIMENT = "an experiment on surrogate lengths, which decides nothing exactly"
OTHER_PROCESS = "its witness rests on a bound on the process that is not among this checker's"
WITHOUT: dict[tuple[str, str], str] = {
    ("thm-amax-upper", ALGORITHM): NOT_DECIDED,
    ("thm-amax-lower", ALGORITHM): OTHER_PROCESS,
    ("rate-amax", ALGORITHM): OTHER_PROCESS,
    ("amin-derivation", AT_ZERO): "how the two forms follow from the starts is not among this checker's statements",
    ("amin-derivation", FORM): "how the two forms follow from the starts is not among this checker's statements",
    ("fig-log-fit", AT_ZERO): NOT_DECIDED,
    ("thm-aell", ALGORITHM): OTHER_PROCESS,
    ("geometric", ALGORITHM): OTHER_PROCESS,
    ("thm-lg", ALGORITHM): OTHER_PROCESS,
    ("exp-1", ""): EXPERIMENT,
    ("exp-2", ""): EXPERIMENT,
    ("exp-3", ""): EXPERIMENT,
}
"""Claims and levels ("" for all levels of a claim) that have no certificate, and why."""


def without_reason(name: str, level: str) -> str:
    """Return why a claim has no certificate in a level."""
    return WITHOUT.get((name, level)) or WITHOUT.get((name, "")) or "not a claim of this checker"


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the document without its digest: sorted keys, no spaces, ASCII."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({key for key, _ in pairs}) == len(pairs), "a field occurs twice")
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise Rejected(f"{text} is not an integer")


def check_document(document: Any) -> tuple[str, str]:
    """Check one certificate and return its claim and level, or raise ``Rejected``."""
    plain(document)
    names = ("format", "id", "level", "status", "given", "evidence", "digest")
    version, name, level, status, given, evidence, own = fields(document, *names)
    need(version == FORMAT, f"the format must be {FORMAT}")
    need(isinstance(name, str) and isinstance(level, str), "id and level must be strings")
    need((name, level) in CLAIMS, f"{name[:40]!r} {level[:20]!r}: {without_reason(name, level)}")
    statement = CLAIMS[name, level]
    need(status == statement.status, f"the status must be {statement.status}")
    need(isinstance(given, dict), "given must be an object")
    changed = sorted(key for key in {*given, *statement.given} if given.get(key) != statement.given.get(key))
    need(given == statement.given, f"not the paper's claim: {', '.join(map(repr, changed))[:80]} changed in given")
    need(own == digest(document), "the digest is wrong")
    try:
        statement.check(evidence)
    except Rejected:
        raise
    except (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Rejected(f"the evidence is malformed ({type(error).__name__})") from None
    return name, level


def check_file(path: str) -> tuple[str, str]:
    """Check the certificate in a file, or raise ``Rejected``; ``OSError`` where it cannot be read."""
    need(os.path.isfile(path), "not a regular file")
    with open(path, "rb") as file:
        text = file.read(LARGEST_FILE + 1)
    need(len(text) <= LARGEST_FILE, f"more than {LARGEST_FILE} bytes")
    try:
        document = json.loads(
            text.decode(), object_pairs_hook=_unique, parse_float=_no_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError):
        raise Rejected("not a JSON document") from None
    return check_document(document)


def file_name(key: tuple[str, str]) -> str:
    """Return the name of a certificate's file in a folder."""
    return f"{key[0]}.{key[1]}.json"


def check_folder(folder: str) -> list[dict[str, str]]:
    """Return one row per expected certificate and per file that does not belong there."""
    present = set(os.listdir(folder))
    result: list[dict[str, str]] = []
    for key in CLAIMS:
        name = file_name(key)
        if name in present:
            result.append(_outcome(os.path.join(folder, name), *key))
        else:
            result.append(_row(*key, "missing", "missing certificate"))
        present.discard(name)
    for name in sorted(present):
        shown = name if name.isprintable() else repr(name)
        result.append(_row(shown, "", "rejected", "not a certificate that this checker expects"))
    return result


def _outcome(path: str, name: str, level: str = "") -> dict[str, str]:
    """Return the row of a file, which has to be of that claim and level if there is one."""
    try:
        found = check_file(path)
        need(not level or found == (name, level), "a certificate of another claim or level")
    except Rejected as error:
        return _row(name, level, "rejected", str(error))
    except OSError as error:
        return _row(name, level, "rejected", f"cannot be read ({error.strerror})")
    return _row(*found, "verified")


def _row(name: str, level: str, result: str, reason: str = "") -> dict[str, str]:
    own = CLAIMS.get((name, level))
    status, words, worth = (own.status, own.words, own.worth) if own else ("", "", "")
    row = {"id": name, "level": level, "status": status, "statement": words, "result": result}
    return {**row, "worth": worth if result == "verified" else "", "reason": reason}


# ---- the command line -------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print one line and leave with exit code 2."""
        self.exit(2, f"crtools-check: {message}\n")


def _table(result: Sequence[Mapping[str, str]]) -> Iterable[str]:
    header = {"id": "claim", "level": "level", "status": "status", "worth": "certificate", "reason": ""}
    names = ("id", "level", "status", "worth")
    shown = [header, *({**row, "worth": row["worth"] or row["result"]} for row in result)]
    widths = {name: max(len(row[name]) for row in shown) for name in names}
    for row in shown:
        yield ("  ".join(row[name].ljust(widths[name]) for name in names) + "  " + row["reason"]).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a folder of certificates, or one file: 0 all verify, 1 one is rejected or missing, 2 bad input."""
    parser = _Parser(prog="crtools-check", description="Verify certificates with the standard library only.")
    parser.add_argument("path", metavar="DIR", help="the folder of certificates, or one certificate")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    options = parser.parse_args(arguments)
    path = options.path
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if not os.path.exists(path):
        parser.error(f"{path!r} does not exist")
    try:
        result = check_folder(path) if os.path.isdir(path) else [_outcome(path, os.path.basename(path))]
    except OSError as error:
        parser.error(f"{path!r} cannot be read ({error.strerror})")
    good = all(row["result"] == "verified" for row in result)
    without = [{"id": name, "level": level, "reason": reason} for (name, level), reason in WITHOUT.items()]
    if options.json:
        print(json.dumps({"accepted": good, "certificates": result, "no_certificate": without}, indent=2))
        return 0 if good else 1
    print("\n".join(_table(result)))
    count = sum(row["result"] == "verified" for row in result)
    print(f"\n{count} of {len(result)} verified" + ("" if good else ": rejected or missing ones are listed above"))
    if not os.path.isdir(path):
        for row in result if good else ():
            print("\n".join(f"argued: {text}" for text in argued_steps(CLAIMS[row["id"], row["level"]].check)))
    else:
        print("argued steps: crtools-check FILE prints those of a certificate")
        print("no certificate:")
        for entry in without:
            print(f"  {' '.join(filter(None, (entry['id'], entry['level'])))}: {entry['reason']}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
