"""A policy's form at given lengths, each with the prediction interval that the policy gets: measured, and confirmed by mixtures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement
from math import ceil, floor
from pathlib import Path
from typing import Self

import numpy as np

from crtools.discovery.entries import at_shares, known_form
from crtools.discovery.measurements import ExactRuns, MeanFieldRuns, Measurement, NoMeanField, enough_memory
from crtools.discovery.third_differences import AGREES, Intervals, Progress, latency
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError, Livelock
from crtools.forms import Form
from crtools.ledger.evidence import json_fields
from crtools.numeric_types import JsonObject, RingElement
from crtools.process import Policy
from crtools.process.policies import read_policy
from crtools.setting import Setting, integer

LARGEST_COUNT = 8
"""Upper limit on the number of lengths, which are measured in all pairs."""

LONGEST = 1000
"""The largest length, and ten times it the largest end of an interval."""

LARGEST_RUN = 60_000
"""Upper limit on the requests of a run."""

RANDOM = ((4, 60), (16, 120))
"""For runs in random orders: the memory over the largest need of a request, and about how often all requests fill it."""

SEEDS = 4

Pair = tuple[int, int]


@dataclass(frozen=True, repr=False)
class MeasuredForm:
    """The form of a policy at a few lengths, for prompts of s tokens.

    intervals: the prediction interval of each length. entries: at pairs i ≤ j, exact. status: ``supported`` where mixtures of all
    lengths have the value that follows from the entries, and runs in random orders are near it (``apart``: their relative
    distance), else ``inconclusive``. mixtures: the counts of each length, the value in runs and that from the entries.
    known: the name of a form with these entries. method: how they were measured.
    """

    policy: str
    lengths: tuple[int, ...]
    s: int
    intervals: Intervals
    status: str
    method: str
    entries: Mapping[Pair, Fraction]
    mixtures: tuple[tuple[tuple[int, ...], Fraction | None, Fraction], ...] = ()
    apart: float | None = None
    known: str | None = None
    tried: tuple[str, ...] = ()

    @property
    def form(self) -> Form:
        """The form, for ``ratio`` and ``worst_case``; it is defined at these lengths and this s alone."""
        return table_form(self.entries, self.s, f"{self.policy}-measured")

    def without(self, reason: str) -> Self:
        """Return the form, inconclusive, with the reason why its method failed."""
        return replace(self, status="inconclusive", tried=(*self.tried, f"{self.method}: {reason}"))

    def __repr__(self) -> str:
        return f"{len(self.entries)} entries ({self.status}): measure_form({self.policy!r}, {list(self.lengths)}, s={self.s})"

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            **json_fields(self, "policy", "lengths", "s"),
            "told": {str(k): list(interval) for k, interval in self.intervals.items()},
            **json_fields(self, "status", "method"),
            "entries": [{"i": i, "j": j, "entry": str(value)} for (i, j), value in self.entries.items()],
            "mixtures": [
                {"counts": list(counts), "runs": None if run is None else str(run), "entries": str(expected)}
                for counts, run, expected in self.mixtures
            ],
            "apart": self.apart,
            "known_form": self.known,
            **json_fields(self, "tried"),
        }

    def as_python(self) -> str:
        """Return a Python file that makes the form; raises ``InputError`` where entries are missing."""
        if not self.entries:
            raise InputError("--out", self.policy, "needs entries, and none were measured")
        told = ", ".join(f"{k} in {l}-{u}" for k, (l, u) in self.intervals.items())
        rows = "".join(f"    {pair}: Fraction({v.numerator}, {v.denominator}),\n" for pair, v in self.entries.items())
        return (
            f'"""The form of {self.policy}, measured at s = {self.s}; told: {told}; {self.status}."""\n\n'
            "from fractions import Fraction\n\nfrom crtools.discovery import table_form\n\n"
            f"ENTRIES = {{\n{rows}}}\n\nform = table_form(ENTRIES, s={self.s}, name={f'{self.policy}-measured'!r})\n"
        )


def table_form(entries: Mapping[Pair, Fraction], s: int, name: str = "measured") -> Form:
    """Return the form with these entries at pairs i ≤ j of lengths, for prompts of s tokens; it is defined nowhere else."""
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
    """Measure the form of a policy at given lengths: at most ``LARGEST_COUNT``, or those of a law.

    intervals: pairs (l, u) that contain all lengths; factor F: the policy gets the interval [⌊k/F⌋, ⌈kF⌉] for a length k. By default
    it gets the smallest and the largest of the lengths. Raises ``InputError``.
    """
    rules, s, measured_lengths = read_policy(policy), integer("s", s, 0), _lengths(lengths)
    interval_of = _interval_of(measured_lengths, intervals, factor)
    integer("predictions", max(u for _, u in interval_of.values()), 1, 10 * LONGEST)
    methods: list[Measurement] = [MeanFieldRuns(rules)]
    if rules.draws is None and not rules.paced:
        methods.insert(0, ExactRuns(rules, LARGEST_RUN))
    result = MeasuredForm(rules.name, measured_lengths, s, interval_of, "inconclusive", "", {})
    for measurement in methods:
        measured = _measured(replace(result, method=measurement.name), measurement, progress)
        if measured.status == "supported":
            measured = _in_random_orders(rules, measured)
        if measured.status == "supported":
            if len(set(interval_of.values())) > 1:
                return measured
            setting = Setting(s, *interval_of[measured_lengths[0]])
            return replace(measured, known=known_form({(setting, *at): v for at, v in measured.entries.items()}))
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
    if not 2 <= len(result) <= LARGEST_COUNT:
        first = ", ".join(map(str, result[: LARGEST_COUNT + 1])) + (", …" if len(result) > LARGEST_COUNT + 1 else "")
        raise InputError("lengths", first, f"must be 2 to {LARGEST_COUNT} different lengths")
    return result


def _interval_of(
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
        containing = [pair for pair in pairs if pair[0] <= k <= pair[1]]
        if len(containing) != 1:
            text = ",".join(f"{l}-{u}" for l, u in pairs)
            raise InputError("intervals", text, f"must hold the length {k} in one of them")
        [result[k]] = containing
    return result


def _measured(result: MeasuredForm, measurement: Measurement, progress: Progress) -> MeasuredForm:
    """Return the form with its entries, checked on mixtures of all lengths."""

    def value(pattern: Sequence[int]) -> Fraction | None:
        return measurement.value(pattern, result.s, result.intervals)

    entries: dict[Pair, Fraction] = {}
    pairs = list(combinations_with_replacement(result.lengths, 2))
    try:
        for i, j in progress(sorted(pairs, key=lambda pair: pair[1] - pair[0])):
            measured = value((i,) if i == j else (i, j))
            if measured is None:
                return result.without(f"totals at lengths {i} and {j} are no quadratic in the counts")
            entries[i, j] = measured if i == j else (4 * measured - entries[i, i] - entries[j, j]) / 2
        entries = {pair: entries[pair] for pair in pairs}
        form, number = table_form(entries, result.s), len(result.lengths)
        mixtures: list[tuple[tuple[int, ...], Fraction | None, Fraction]] = []
        for counts in ((1, 2), (3, 1)) if number == 2 else ((1,) * number, (2, *(1,) * (number - 1))):
            pattern = [k for k, count in zip(result.lengths, counts, strict=True) for _ in range(count)]
            mixtures.append((counts, value(pattern), at_shares(form.entry, pattern, result.s)))
    except (NoMeanField, Livelock) as error:
        return result.without(str(error))
    result = replace(result, entries=entries, mixtures=tuple(mixtures), status="supported")
    if all(run == expected for _, run, expected in mixtures):
        return result
    return result.without("mixtures are not what the entries give")


def _in_random_orders(policy: Policy, result: MeasuredForm) -> MeasuredForm:
    """Return the form compared with runs in random orders; a fixed order can keep requests in step, which random ones do not."""
    form = at_shares(result.form.entry, result.lengths, result.s)
    largest, means = enough_memory(policy, 1, result.s, result.intervals), list[float]()
    for memory, n in [(need * largest, batches) for need, batches in RANDOM]:
        number = max(memory * n // max(result.lengths), len(result.lengths))
        run = partial(latency, policy, result.lengths, result.intervals, result.s, memory, number)
        means.append(float(np.mean([run(seed) for seed in range(SEEDS)])))
    distance = float(abs(2 * means[1] - means[0] - form) / form)  # the effect of a small memory vanishes like 1/√M
    result = replace(result, apart=distance)
    differ = f"equal shares of all lengths in random orders differ, by {distance:.0%}"
    return result if distance <= AGREES else result.without(differ)
