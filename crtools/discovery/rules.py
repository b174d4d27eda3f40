"""The phases of a policy, found by running its rules on polynomials in l, i, j, u, s (for all lengths at once), or on numbers.

A policy that serves whole batches, one phase after another, has entries that are finite sums. A phase starts its members once each,
all with the same assumed length L, and each leaves at age L: it completes there, or is cancelled. M/(s+L) of them fill the memory at
that age. So a phase of N members takes L(s+L)N/M instants, and the delay of a request of length a by one of length b is

    D(a, b) = Σ L(s+L) over the phases of b before the one that completes a, and half of that one's if b is in it.

The form's entries are D(a, b) + D(b, a).

In a :class:`Region` each name stands for a polynomial in integers ≥ 0, such as i = 1 + a and j = 2 + a + b for 1 ≤ i < j. A
difference is positive for all of them if no coefficient is negative and its constant is positive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import groupby, pairwise
from typing import Any, TypeAlias

import sympy as sp

from crtools.discovery.entries import Entries
from crtools.numeric_types import RingElement, SymObject
from crtools.process import Policy
from crtools.proof.symbols import i, j, l, s, u


@dataclass(frozen=True)
class Phase:
    """``length``: the L at which all members leave. ``members``: whether requests of the shorter and of the longer length are in it."""

    length: RingElement
    members: tuple[bool, bool]

    def charge(self, s: RingElement) -> RingElement:
        """Return L(s+L): the time for which each member takes the whole memory M, in units of 1/M."""
        return self.length * (s + self.length)


def entries(phases: Sequence[Phase], s: RingElement) -> Entries:
    """Return the entries at the two lengths, over any ring."""
    return Entries(*(_delay(phases, a, b, s) + _delay(phases, b, a, s) for a, b in ((0, 0), (0, 1), (1, 1))))


def _delay(phases: Sequence[Phase], whose: int, by: int, s: RingElement) -> RingElement:
    """Return the mean delay of a request of length ``whose`` by one of length ``by``, over random orders, in units of 1/M."""
    last = last_phase(phases, whose)
    total = 0 * s
    for k, phase in enumerate(phases[: last + 1]):
        if phase.members[by]:
            total = total + phase.charge(s) * (Fraction(1, 2) if k == last else 1)
    return total


def last_phase(phases: Sequence[Phase], whose: int) -> int:
    """Return the number of the phase that completes the shorter (0) or longer (1) length."""
    return max(k for k, phase in enumerate(phases) if phase.members[whose])


def mean_total(
    phases: Sequence[Phase], counts: Sequence[RingElement], s: RingElement, memory: RingElement
) -> RingElement:
    """Return E TEL over the order for counts of the two lengths that fill whole batches in every phase."""
    sizes = [sum(c for c, is_in in zip(counts, phase.members, strict=True) if is_in) for phase in phases]
    durations = [phase.charge(s) * size / memory for phase, size in zip(phases, sizes, strict=True)]
    total = 0 * s
    for owner, count in enumerate(counts):
        last = last_phase(phases, owner)
        total = total + count * (sum(durations[:last]) + (durations[last] + phases[last].length) / 2)
    return total


Operand: TypeAlias = Any
"""A ``Number`` or an integer; anything else is a ``TypeError``."""


class Undecided(Exception):
    """A comparison whose result is not the same for all numbers; the message names it."""


@dataclass(frozen=True)
class Region:
    """Numbers by name, as polynomials in symbols that take all integers ≥ 0."""

    stand_for: Mapping[SymObject, SymObject]

    def number(self, value: SymObject) -> Number:
        """Return a polynomial in the names as a number of this region."""
        return Number(sp.expand(value.value if isinstance(value, Number) else value), self)

    def positive(self, value: SymObject) -> bool | None:
        """Return True if a polynomial is > 0 in all of the region, False if it is ≤ 0; None where neither is shown."""
        free = sp.expand(value.xreplace(dict(self.stand_for)))
        terms = sp.Poly(free, *sorted(free.free_symbols, key=str) or [sp.Dummy()]).as_dict()
        if all(c <= 0 for c in terms.values()):
            return False
        constant = next((c for powers, c in terms.items() if not any(powers)), 0)
        return True if constant > 0 and all(c > 0 for c in terms.values()) else None


class Number:
    """A polynomial in the names of a region, with + − × and comparisons only, so that all its values are integers."""

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, value: SymObject, region: Region) -> None:
        self.value, self.region = value, region

    def __repr__(self) -> str:
        return str(self.value)

    def __add__(self, other: Operand) -> Number:
        return self.region.number(self.value + polynomial(other))

    def __mul__(self, other: Operand) -> Number:
        return self.region.number(self.value * polynomial(other))

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Operand) -> Number:
        return self + -1 * other

    def __rsub__(self, other: Operand) -> Number:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __gt__(self, other: Operand) -> bool:
        return self._positive(self - other, other)

    def __lt__(self, other: Operand) -> bool:
        return self._positive(other - self, other)

    def __ge__(self, other: Operand) -> bool:
        return not self < other

    def __le__(self, other: Operand) -> bool:
        return not self > other

    def __eq__(self, other: object) -> bool:
        return self <= other and self >= other

    def __bool__(self) -> bool:
        return self != 0

    def _positive(self, difference: Number, other: Operand) -> bool:
        positive = self.region.positive(difference.value)
        if positive is None:
            raise Undecided(f"how {self} and {other} compare")
        return positive


def polynomial(other: Operand) -> SymObject:
    """Return a number's polynomial, or an integer, as a SymPy expression."""
    if isinstance(other, int):
        return sp.Integer(other)
    if isinstance(other, Number):
        return other.value
    raise TypeError(f"{other!r} is neither a polynomial nor an integer")


MOST_STARTS = 64
"""Upper limit on the starts of a request in phases."""


class NoPhases(Exception):
    """The policy does not serve whole batches in phases, or this is not decided; the message is the reason."""


# ---- the lengths on which the rules are run ------------------------------------------------------------------------


ComparableAge = tuple[RingElement, Callable[[RingElement], RingElement]]
"""An age, and a function that makes other numbers comparable with it."""


@dataclass(frozen=True)
class Lengths:
    """Two lengths i < j in [l, u] and s, on which rules are run.

    ``ages(length)`` yields all ages from 1 to below a length, as numbers or by cases, each with the function of ``ComparableAge``.
    """

    s: RingElement
    l: RingElement
    u: RingElement
    both: tuple[RingElement, RingElement]
    ages: Callable[[RingElement], Iterator[ComparableAge]]


def numbers(i: int, j: int, s: int) -> Lengths:
    """Return lengths l = i < j = u that are numbers."""
    return Lengths(s, i, j, (i, j), lambda length: ((age, lambda value: value) for age in range(1, length)))


_a, _b, _c, _d, _e, _f = sp.symbols("a b c d e f")
_age = sp.Symbol("age")
_WITHIN = Region({s: _a, l: 1 + _b, i: 1 + _b + _c, j: 2 + _b + _c + _d, u: 2 + _b + _c + _d + _e, _age: 1 + _f})
_ENDS = Region({s: _a, i: 1 + _b, j: 2 + _b + _c})
_BELOW_I = Region({s: _a, _age: 1 + _b, i: 2 + _b + _c, j: 3 + _b + _c + _d})
_ABOVE_I = Region({s: _a, i: 1 + _b, _age: 2 + _b + _c, j: 3 + _b + _c + _d})


def within() -> Lengths:
    """Return any two lengths l ≤ i < j ≤ u; rules that compare an age with them are undecided."""
    number = _WITHIN.number

    def any_age(_: RingElement) -> Iterator[ComparableAge]:
        """Yield one age, of any size, that stands for all ages below either length."""
        yield number(_age), number

    return Lengths(number(s), number(l), number(u), (number(i), number(j)), any_age)


def ends() -> Lengths:
    """Return the lengths l = i < j = u, and every age below i, at i, and between i and j."""
    prompt, low, high = map(_ENDS.number, (s, i, j))

    def ages(length: RingElement) -> Iterator[ComparableAge]:
        cases = [(_BELOW_I, _age)]
        if low != length:  # it is j
            cases += [(_ENDS, i), (_ABOVE_I, _age)]
        return ((region.number(age), region.number) for region, age in cases)

    return Lengths(prompt, low, high, (low, high), ages)


# ---- from rules to phases ------------------------------------------------------------------------------------------


class _QueueNumber:
    """A request's number in the queue: 0 at first, ≥ 1 after cancellations; unordered for equal numbers of cancellations."""

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, times: int) -> None:
        self.times = times

    def __lt__(self, other: Any) -> bool:
        if isinstance(other, _QueueNumber):
            return self.times < other.times
        return self._comparable(other, low=1) and self.times == 0 < other

    def __gt__(self, other: Any) -> bool:
        if isinstance(other, _QueueNumber):
            return self.times > other.times
        return self._comparable(other, low=0) and (self.times > 0 or other < 0)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _QueueNumber) and self.times == other.times > 0:
            raise NoPhases("it orders those who were cancelled by more than their places in the queue")
        return not (self < other or self > other)

    def _comparable(self, other: Any, low: int) -> bool:
        """Return True if the result of a comparison does not depend on the number: it is 0, or ``other`` is at most ``low``."""
        if not isinstance(other, int):
            raise TypeError("a place in the queue compares with places and integers")
        if self.times > 0 and other > low:
            raise Undecided(f"how the place of a request in the queue and {other} compare")
        return True


NOT_IN_PHASES = {
    "index": "its rules depend on which request it is",
    "drawn": "its requests draw numbers of their own",
    "own": "its requests draw numbers of their own",
    "release": "its rules depend on release times",
}
"""Attributes of a request that no rule with phases may use, and the reason why the policy has none."""


@dataclass(frozen=True)
class _Request:
    """A request as rules see it; rules with phases depend neither on its index nor on its random number."""

    s: RingElement
    l: RingElement
    u: RingElement
    length: RingElement
    bound: RingElement
    queue_number: _QueueNumber

    def __getattr__(self, name: str) -> Any:
        if name == "joined":  # the former name
            return self.queue_number
        if name in NOT_IN_PHASES:
            raise NoPhases(NOT_IN_PHASES[name])
        raise AttributeError(f"a request has no attribute {name!r}")

    def comparable(self, compare: Callable[[Any], Any]) -> Any:
        """Return the request with numbers that can be compared with an age."""
        s, l, u, length, bound = map(compare, (self.s, self.l, self.u, self.length, self.bound))
        return _Request(s, l, u, length, bound, self.queue_number)


@dataclass(frozen=True)
class _Start:
    owner: int
    priority: RingElement
    length: RingElement


def _compare(start: _Start, other: _Start) -> int:
    """Return the sign of one start's priority less another's; equally often cancelled requests have equal priority."""
    one, two = start.priority, other.priority
    if isinstance(one, _QueueNumber) and isinstance(two, _QueueNumber):
        return one.times - two.times
    return -1 if one < two else int(one != two)


def phases(policy: Policy, on: Lengths) -> tuple[Phase, ...]:
    """Return the phases in their order, read off the policy's rules; raises ``NoPhases`` with the reason."""
    if policy.paced:
        raise NoPhases("attempts are paced")
    try:
        starts = [start for owner in (0, 1) for start in _starts(policy, on, owner)]
        priority = cmp_to_key(_compare)
        return tuple(_phases([list(group) for _, group in groupby(sorted(starts, key=priority), key=priority)]))
    except Undecided as error:
        raise NoPhases(f"its rules depend on {error}") from None
    except (TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise NoPhases(f"its rules use more than comparisons and polynomials ({error})") from None


def leaving(policy: Policy, length: int, l: int, u: int, s: int) -> set[int]:
    """Return the ages at which requests of one length with the interval [l, u] leave; none where there are no phases."""
    on = replace(numbers(length, length, s), l=l, u=u)
    try:
        return {start.length for start in _starts(policy, on, 0)}
    except (NoPhases, Undecided, TypeError, AttributeError, ValueError, ArithmeticError):
        return set()


def entries_at(policy: Policy, i: int, j: int, s: int) -> Entries | None:
    """Return the entries on lengths l = i and j = u that their phases give; None where there are none."""
    try:
        return entries(phases(policy, numbers(i, j, s)), s)
    except NoPhases:
        return None


def _starts(policy: Policy, on: Lengths, owner: int) -> Iterator[_Start]:
    """Yield the starts of a request, one after the other; each leaves at the length that is assumed of it."""
    length = on.both[owner]
    request: Any = _Request(on.s, on.l, on.u, length, 0, _QueueNumber(0))
    bound = policy.bound(request)
    before: _Start | None = None
    for times in range(MOST_STARTS):
        request = _Request(on.s, on.l, on.u, length, bound, _QueueNumber(times))
        start = _Start(owner, policy.priority(request), policy.assumed(request, 0))
        if before is not None and _compare(before, start) >= 0:
            raise NoPhases("a request that is cancelled need not go behind those of its phase")
        before = start
        if start.length < 1:
            raise NoPhases("it assumes no length")
        for age, compare in on.ages(start.length):
            at_age = request.comparable(compare)
            if policy.assumed(at_age, age) != compare(start.length):
                raise NoPhases("it assumes another length of a request as this grows")
            if policy.cancel is not None and policy.cancel(at_age, age, _coin) is not None:
                raise NoPhases("it cancels before the assumed length")
        yield start
        if start.length == length:
            return
        bound = policy.cancel(request, start.length, _coin) if policy.cancel and start.length < length else None
        if bound is None:
            raise NoPhases("it assumes another length than that at which requests leave")
    raise NoPhases(f"a request is started more than {MOST_STARTS} times")


def _coin() -> float:
    raise NoPhases("it cancels by coin")


def _phases(groups: Sequence[Sequence[_Start]]) -> Iterator[Phase]:
    for group in groups:
        if any(start.length != group[0].length for start in group):
            raise NoPhases("requests that leave at different ages share a place in the queue")
        owners = [start.owner for start in group]
        yield Phase(group[0].length, (0 in owners, 1 in owners))
    for before, after in pairwise(groups):
        if after[0].length < before[0].length:
            raise NoPhases("a later phase is shorter: its first requests fit beside the last ones of the phase before")
