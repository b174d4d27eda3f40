"""A policy's form at given lengths, with the interval that it knows of each: measured entry by entry, confirmed by mixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, floor, lcm
from pathlib import Path

import numpy as np

from crtools.discovery.entries import known_form
from crtools.discovery.mean_field import BATCHES, MeanFieldRuns, NoMeanField, masses_value
from crtools.discovery.rules import leaving_of
from crtools.discovery.runs import enough_memory, exact_run, second_difference
from crtools.discovery.third_differences import AGREES, Progress
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError, Livelock
from crtools.forms import Form
from crtools.numeric_types import JsonObject, RingElement
from crtools.process import Policy, simulate
from crtools.process.policies import read_policy
from crtools.process.reference import Job
from crtools.setting import Setting, integer

MOST = 8
"""So many lengths are measured, in all pairs."""

LONGEST = 1000
"""The largest length, and ten times it the largest end of an interval."""

LARGEST_RUN = 60_000
"""A run has at most so many requests."""

RANDOM = ((4, 60), (16, 120))
"""The memory of runs in random orders, as a multiple of the largest need, and how often their requests fill it, about."""

SEEDS = 4

Pair = tuple[int, int]
Told = Mapping[int, Pair]
"""Of each length the interval that the policy is told."""


@dataclass(frozen=True, repr=False)
class MeasuredForm:
    """The form of a policy at a few lengths, for prompts of s tokens.

    told: the interval that is known of each length. entries: at pairs i ≤ j, exact. status: ``supported`` where mixtures of
    all lengths have the value that the entries give, and runs in random orders are near it (``apart``), else
    ``inconclusive``. mixtures: the counts of each length in these, with the value in runs and by the entries. known: a form
    with these entries. method: how they were measured.
    """

    policy: str
    lengths: tuple[int, ...]
    s: int
    told: Told
    status: str
    method: str
    entries: Mapping[Pair, Fraction]
    mixtures: tuple[tuple[tuple[int, ...], Fraction | None, Fraction], ...] = ()
    apart: float | None = None
    known: str | None = None
    tried: tuple[str, ...] = ()

    @property
    def form(self) -> Form:
        """The form, for ``ratio`` and ``worst_case``; it is known at these lengths and this s alone."""
        return table_form(self.entries, self.s, f"{self.policy}-measured")

    def __repr__(self) -> str:
        return f"{len(self.entries)} entries ({self.status}): measure_form({self.policy!r}, {list(self.lengths)}, s={self.s})"

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            "policy": self.policy,
            "lengths": list(self.lengths),
            "s": self.s,
            "told": {str(k): list(own) for k, own in self.told.items()},
            "status": self.status,
            "method": self.method,
            "entries": [{"i": i, "j": j, "entry": str(value)} for (i, j), value in self.entries.items()],
            "mixtures": [
                {"counts": list(counts), "runs": None if run is None else str(run), "entries": str(own)}
                for counts, run, own in self.mixtures
            ],
            "apart": self.apart,
            "known_form": self.known,
            "tried": list(self.tried),
        }

    def as_python(self) -> str:
        """Return a Python file that makes the form; raises ``InputError`` where entries are missing."""
        if not self.entries:
            raise InputError("--out", self.policy, "needs entries, and none were measured")
        told = ", ".join(f"{k} in {l}-{u}" for k, (l, u) in self.told.items())
        rows = "".join(
            f"    ({i}, {j}): Fraction({v.numerator}, {v.denominator}),\n" for (i, j), v in self.entries.items()
        )
        return (
            f'"""The form of {self.policy}, measured at s = {self.s}; told: {told}; {self.status}."""\n\n'
            "from fractions import Fraction\n\nfrom crtools.discovery import table_form\n\n"
            f"ENTRIES = {{\n{rows}}}\n\nform = table_form(ENTRIES, s={self.s}, name={f'{self.policy}-measured'!r})\n"
        )


def table_form(entries: Mapping[Pair, Fraction], s: int, name: str = "measured") -> Form:
    """Return the form with these entries at pairs i ≤ j of lengths, for prompts of s tokens; it is known nowhere else."""
    lengths = sorted({k for pair in entries for k in pair})

    def entry(i: RingElement, j: RingElement, size: RingElement) -> Fraction:
        if size != s or (i, j) not in table:
            raise InputError("form", name, f"is known at s = {s} and the lengths {', '.join(map(str, lengths))} alone")
        return table[i, j]

    table = {pair: Fraction(value) for pair, value in entries.items()}
    return Form.from_entry(entry, name)


def measure_form(
    policy: str | Policy | Path,
    lengths: Iterable[int] | str | Distribution,
    s: int = 0,
    *,
    intervals: Iterable[tuple[int, int | None]] | None = None,
    factor: Fraction | int | None = None,
    progress: Progress = iter,
) -> MeasuredForm:
    """Measure the form of a policy at lengths of one's own: at most ``MOST``, or those of a law.

    intervals: pairs (l, u) in one of which each length is known to lie; factor F: of a length k the policy is told
    [⌊k/F⌋, ⌈kF⌉]; else it is told the smallest and the largest of the lengths. Raises ``InputError``.
    """
    own, s = read_policy(policy), integer("s", s, 0)
    several = _lengths(lengths)
    told = _told(several, intervals, factor)
    for _, u in told.values():
        integer("predictions", u, 1, 10 * LONGEST)
    ways: list[tuple[str, Callable[[Sequence[int]], Fraction | None]]] = []
    if own.own is None and not own.paced:
        ways.append(("exact runs with matched counts", lambda pattern: _exact(own, pattern, s, told)))
    largest = BATCHES * max(u for _, u in told.values())

    def in_masses(pattern: Sequence[int]) -> Fraction | None:
        return masses_value(own, [Job(0, s, *told[k], k) for k in pattern], max(2, len(pattern)) * largest)

    ways.append((MeanFieldRuns.name, in_masses))
    result = MeasuredForm(own.name, several, s, told, "inconclusive", "", {})
    for name, value in ways:
        measured = _measured(replace(result, method=name), value, progress)
        if measured.status == "supported":
            measured = _in_random_orders(own, measured)
        if measured.status == "supported":
            intervals_of_all = set(told.values())
            values = {(Setting(s, *pair), *at): v for pair in intervals_of_all for at, v in measured.entries.items()}
            return replace(measured, known=known_form(values) if len(intervals_of_all) == 1 else None)
        result = replace(measured, entries=measured.entries or result.entries)
    return result


def _lengths(given: Iterable[int] | str | Distribution) -> tuple[int, ...]:
    if isinstance(given, str | Distribution):
        law = distribution(given)
        if not law.finite:
            raise InputError("law", law.spec(), "has unbounded support: give some of its lengths")
        if (law.support[1] or 0) > LONGEST:
            raise InputError("law", law.spec(), f"must have lengths of at most {LONGEST} to be measured")
        given = [k for k, w in law.items() if w]
    result = tuple(sorted({integer("lengths", k, 1, LONGEST) for k in given}))
    if not 2 <= len(result) <= MOST:
        shown = ", ".join(map(str, result[: MOST + 1])) + (", …" if len(result) > MOST + 1 else "")
        raise InputError("lengths", shown, f"must be 2 to {MOST} different lengths")
    return result


def _told(
    lengths: Sequence[int], intervals: Iterable[tuple[int, int | None]] | None, factor: Fraction | int | None
) -> dict[int, Pair]:
    if intervals is not None and factor is not None:
        raise InputError("factor", factor, "must be left out with intervals")
    if factor is not None:
        share = Fraction(factor)
        if share < 1:
            raise InputError("factor", factor, "must be at least 1")
        return {k: (max(floor(k / share), 1), ceil(k * share)) for k in lengths}
    if intervals is None:
        return dict.fromkeys(lengths, (lengths[0], lengths[-1]))
    pairs = [(int(l), lengths[-1] if u is None else int(u)) for l, u in intervals]
    result: dict[int, Pair] = {}
    for k in lengths:
        own = [pair for pair in pairs if pair[0] <= k <= pair[1]]
        if len(own) != 1:
            shown = ",".join(f"{l}-{u}" for l, u in pairs)
            raise InputError("intervals", shown, f"must hold the length {k} in one of them")
        result[k] = own[0]
    return result


def _measured(
    result: MeasuredForm, value: Callable[[Sequence[int]], Fraction | None], progress: Progress
) -> MeasuredForm:
    """Return the form with its entries, and what mixtures of all lengths say of them."""
    entries: dict[Pair, Fraction] = {}
    pairs = list(combinations_with_replacement(result.lengths, 2))
    try:
        for i, j in progress(sorted(pairs, key=lambda pair: pair[1] - pair[0])):
            own = value((i,) if i == j else (i, j))
            if own is None:
                said = f"{result.method}: totals at lengths {i} and {j} are no quadratic in the counts"
                return replace(result, tried=(*result.tried, said))
            entries[i, j] = own if i == j else (4 * own - entries[i, i] - entries[j, j]) / 2
        entries = {pair: entries[pair] for pair in pairs}
        number = len(result.lengths)
        mixed = [(1, 2), (3, 1)] if number == 2 else [(1,) * number, (2, *(1,) * (number - 1))]
        mixtures = [_mixture(result.lengths, counts, entries, value) for counts in mixed]
    except (NoMeanField, Livelock) as error:
        return replace(result, tried=(*result.tried, f"{result.method}: {error}"))
    agree = all(run == own for _, run, own in mixtures)
    tried = result.tried if agree else (*result.tried, f"{result.method}: mixtures are not what the entries give")
    status = "supported" if agree else "inconclusive"
    return replace(result, entries=entries, mixtures=tuple(mixtures), status=status, tried=tried)


def _in_random_orders(policy: Policy, result: MeasuredForm) -> MeasuredForm:
    """Return the form with what runs in random orders say of it: a fixed order can keep requests in step, as none other does."""
    law = {k: Fraction(1, len(result.lengths)) for k in result.lengths}
    form = _value(result.entries, law)
    longest = max(int(policy.longest(Job(0, result.s, *result.told[k], k))) for k in result.lengths)
    means = [_mean(policy, result, memory * (result.s + longest), n) for memory, n in RANDOM]
    off = float(abs(2 * means[1] - means[0] - form) / form)  # what is left of a small memory vanishes like 1/√M
    if off <= AGREES:
        return replace(result, apart=off)
    said = f"{result.method}: equal shares of all lengths in random orders differ, by {off:.0%}"
    return replace(result, apart=off, status="inconclusive", tried=(*result.tried, said))


def _mean(policy: Policy, result: MeasuredForm, memory: int, batches: int) -> float:
    """Return the mean of 2M·TEL/n² over shuffled runs."""
    lengths = np.array(list(result.lengths) * (memory * batches // len(result.lengths) // max(result.lengths) or 1))
    totals: list[float] = []
    for seed in range(SEEDS):
        drawn = np.random.default_rng(seed).permutation(lengths)
        low, high = np.array([result.told[int(k)] for k in drawn]).T
        run = simulate(policy, drawn, memory, result.s, low, high, seed=seed)
        totals.append(2 * memory * run.total_latency / len(drawn) ** 2)
    return float(np.mean(totals))


def _value(entries: Mapping[Pair, Fraction], law: Mapping[int, Fraction]) -> Fraction:
    """Return the form at shares of lengths."""
    return sum((entries[min(i, j), max(i, j)] * law[i] * law[j] for i in law for j in law), Fraction(0))


def _mixture(
    lengths: Sequence[int],
    counts: Sequence[int],
    entries: Mapping[Pair, Fraction],
    value: Callable[[Sequence[int]], Fraction | None],
) -> tuple[tuple[int, ...], Fraction | None, Fraction]:
    pattern = [k for k, many in zip(lengths, counts, strict=True) for _ in range(many)]
    shares = {k: Fraction(many, len(pattern)) for k, many in zip(lengths, counts, strict=True)}
    return tuple(counts), value(pattern), _value(entries, shares)


def _exact(policy: Policy, pattern: Sequence[int], s: int, told: Told) -> Fraction | None:
    """Return the form's value at the shares of a pattern, by runs with whole batches; None where it has none."""
    own = {k: told[k] for k in pattern}
    ages = {age for k, (l, u) in own.items() for age in leaving_of(policy, k, l, u, s)}
    sizes = {s + k for k in {*pattern, *ages, *(end for pair in own.values() for end in pair)}}
    memory = max(enough_memory(policy, len(pattern) * lcm(*sizes), [k], s, l, u) for k, (l, u) in own.items())
    repeats = lcm(*(memory // size for size in sizes))
    if len(pattern) * repeats * 4 > LARGEST_RUN:
        allowed = (
            f"need runs of {len(pattern) * repeats * 4} requests with whole batches, at most {LARGEST_RUN}: take some"
        )
        shown = ", ".join(map(str, sorted(own)))
        raise InputError("lengths", shown, f"{allowed} whose s + length have common factors")

    def total(k: int) -> int:
        lengths = list(pattern) * (repeats * k)
        low, high = np.array([told[o] for o in lengths]).T
        return exact_run(policy, lengths, memory, s, low, high, engine="auto")

    try:
        return second_difference([total(k) for k in (1, 2, 3, 4)], memory, len(pattern) * repeats)
    except Livelock:
        return None
