"""``best_for_classes``: the best blind schedule if the scheduler sees a class of each request, such as its prompt.

Each class has its own distribution of sizes and gets a mixture of plans; the attempts of all classes run together by falling index.

* Upper bound: let H(λ) be the machine time per request of the attempts with an index above λ. Twice the area under the unfinished
  share is ∫ H², a convex quadratic form in the mixtures. V is its minimum over E min(v, v').
* Lower bound: the unfinished share w(t) is a price on machine time, the same for all classes. Each class k pays at least its cheapest
  plan under that price, so V E min(v, v') ≥ 2 Σ share_k · cheapest_k − 2 ∫ w for every falling price; the best mixtures give equality.

Upper bounds are exact. Lower bounds are exact for few attempts, else in floats with a bound on the rounding errors. For one class this
is :mod:`crtools.blind.best`; docs/beyond/best-for-a-law.md derives it. Tests: tests/blind/test_joint_law.py.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, isqrt, lcm

import numpy as np

from crtools.blind.attempt_costs import Cost, Requests, as_cost
from crtools.blind.best import MOST_DIGITS
from crtools.blind.min_norm_point import Group, Progress, Search
from crtools.blind.mixture import ROUNDING, Mixture, Plan, Price
from crtools.blind.scheduler import grouped
from crtools.distributions import Distribution, distribution
from crtools.enclosure import Enclosure, decimal
from crtools.errors import InputError
from crtools.names import named_arguments
from crtools.numeric_types import IntArray, JsonObject
from crtools.process.clocks import Clock
from crtools.process.workload import Workload, workload
from crtools.setting import LARGEST_NUMBER, integer
from crtools.tables import WithRows

MOST_SEARCHED, MOST_ATTEMPTS = 4_000_000, 120_000_000
"""Upper limits on the attempts of all classes: in the search, and in the lower bound.

A class with too many sizes for them has neighbouring sizes merged into cells.
"""

LARGEST_TIE = 1500
"""Upper limit on the number of sizes of a class for which integers decide a tie between plans."""

FLOAT_BITS = 52
"""Integers of at most this many bits are exact in floats."""

MOST_EXACT_ATTEMPTS, MOST_EXACT_LENGTHS = 20_000, 1500
"""Limits of integer lower bounds: the number of attempts, and the number of lengths if their weights are long fractions."""


@dataclass(frozen=True)
class PromptClass:
    """Requests that look alike to the scheduler: a prompt of ``s`` tokens, lengths of distribution ``law``, a ``share`` of all requests.

    Shares are normalised to sum to 1. The law is finite and rational.
    """

    s: int
    law: str | Distribution
    share: Fraction | int | str = 1


@dataclass(frozen=True)
class ClassPlans:
    """The plans of one class in the best schedule.

    Parameters
    ----------
    prompts : tuple of int
        The smallest and the largest prompt.
    share : Fraction
        Of all requests.
    mean_cost, mean_set_up : Fraction
        The expected cost of running a request of the class to its end, and of its start alone.
    plans : tuple of Plan
        The plans, the most frequent first. Thresholds are lengths, for the class's mean prompt, rounded, where prompts differ: the
        attempts of all end at the same cost.
    nbue : bool
        Whether the class's sizes are NBUE.
    set_up_threshold : Fraction
        σ*, the smallest common set-up ≥ 0 with which they are: see :attr:`crtools.Best.set_up_threshold`.
    """

    prompts: tuple[int, int]
    share: Fraction
    mean_cost: Fraction
    mean_set_up: Fraction
    plans: tuple[Plan, ...]
    nbue: bool
    set_up_threshold: Fraction


@dataclass(frozen=True)
class _Class:
    """The number of requests of a class by (prompt, length); numbers of all classes share one scale."""

    rows: Mapping[tuple[int, int], int]
    cost: Cost

    @cached_property
    def requests(self) -> Requests:
        """The sizes, in units of the cost."""
        return self._sizes(self.cost)

    def _sizes(self, cost: Cost) -> Requests:
        sizes: Counter[int] = Counter()
        for (s, length), number in self.rows.items():
            sizes[int(cost.size(s, length) * cost.unit / self.cost.unit)] += number
        return Requests.counted(sizes)

    @cached_property
    def set_up_threshold(self) -> Fraction:
        """The smallest common set-up ≥ 0 with which the sizes are NBUE."""
        bare = self._sizes(replace(self.cost, set_up=Fraction(0), per_prompt=Fraction(0)))
        return max(bare.set_up_to_add, Fraction(0)) * self.cost.unit

    @cached_property
    def number(self) -> int:
        return sum(self.rows.values())

    @cached_property
    def mean_prompt(self) -> Fraction:
        return Fraction(sum(s * number for (s, _), number in self.rows.items()), self.number)

    def age(self, size: int) -> int:
        """Return the largest age that costs at most ``size`` at the mean prompt."""
        s = round(self.mean_prompt)
        return bisect_right(range(1, LARGEST_NUMBER), size, key=lambda age: self.cost.size(s, age))


def is_exact(classes: Sequence[Requests]) -> bool:
    """Return whether to use integers: for few attempts, or for weights too large to be exact in floats."""
    few = sum(len(c.sizes) ** 2 for c in classes) <= 2 * MOST_EXACT_ATTEMPTS
    return few or sum(c.survivors[0] for c in classes) >= 2**26


@dataclass(frozen=True, repr=False)
class BestForClasses(WithRows):
    """The best blind schedule for a joint distribution of prompts and lengths, as :func:`best_for_classes` returns it.

    Parameters
    ----------
    cost : Cost
        The cost of an attempt.
    digits : int
        The number of digits that the search was run for.
    value : Enclosure
        V, the smallest ratio to the optimum of a scheduler that sees the class of a request and learns its size when it completes.
    classes : tuple of ClassPlans
        The plans of each class, by rising prompts.
    run_through : Fraction
        The ratio to the optimum of running every request to its end, the smallest expected cost first.
    killing_helps : bool or None
        Whether V is less than that: see Notes. None where it is not decided.
    price : tuple of pairs of Fraction
        (time, price) at the corners, one price for all classes: time per request, in units of the cost, and the share unfinished.

    Notes
    -----
    Write μ_k for the mean size of class k, J for the class of a random request and Λ(x) = E min(x, μ_J). Where all requests run to their
    ends in the order of μ, an attempt that completes m and uses F costs min over t of m t + F w(t) = E min(m μ_J, F) = m Λ(F/m), and a
    request that runs to its end Λ(μ_k). So that is best exactly where Σ m Λ(F/m) ≥ Λ(μ_k) for every plan of every class. A shortest path
    decides it. NBUE sizes in every class suffice; with several classes they are not necessary.

    Examples
    --------
    >>> schedule = best_for_classes([PromptClass(0, "two-point(1, 9, 4/5)"), PromptClass(5, "uniform(1, 3)")])
    >>> schedule
    in [1.201760, 1.201761] (certified): best_for_classes of 2 classes
    >>> schedule.killing_helps, round(float(schedule.run_through), 3)
    (True, 2.17)
    """

    cost: Cost
    digits: int
    value: Enclosure
    classes: tuple[ClassPlans, ...]
    run_through: Fraction
    killing_helps: bool | None
    price: tuple[tuple[Fraction, Fraction], ...]

    @property
    def shown(self) -> str:
        """Both ends of the value, as text."""
        return f"in [{', '.join(self.value.decimals(self.digits + 2))}]"

    def __repr__(self) -> str:
        return f"{self.shown} (certified): best_for_classes of {len(self.classes)} classes"

    def _rows(self) -> list[JsonObject]:
        return [
            {"prompts": f"{row.prompts[0]}-{row.prompts[1]}", "share": float(row.share)}
            | {"mean cost": float(row.mean_cost), "set-up": float(row.mean_set_up), "NBUE": row.nbue}
            for row in self.classes
        ]

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools best --json``; decimals are rounded outward."""
        low, high = self.value.decimals(self.digits + 2)

        def as_row(part: ClassPlans) -> JsonObject:
            numbers = {name: float(x) if isinstance(x, Fraction) else x for name, x in vars(part).items()}
            plans = [{"thresholds": list(p.thresholds), "share": float(p.share)} for p in part.plans]
            return numbers | {"prompts": list(part.prompts), "plans": plans}

        return {
            "cost": str(self.cost),
            "against": "optimum",
            "value": {"lower": low, "upper": high, "status": "certified"},
            "run_through": decimal(self.run_through, 10, up=True),
            "killing_helps": self.killing_helps,
            "classes": list(map(as_row, self.classes)),
        }


@named_arguments()
def best_for_classes(
    requests: str | Workload | Sequence[PromptClass] | IntArray,
    classes: int = 16,
    digits: int = 5,
    *,
    cost: str | Sequence[float | Fraction] | Clock | Cost = "volume",
    memory: int | None = None,
    progress: Progress = iter,
) -> BestForClasses:
    """Return the best blind schedule if the scheduler sees the class of each request's prompt.

    Parameters
    ----------
    requests : str, Workload, sequence of PromptClass, or int array of shape (n, 2)
        A file, ``csv:FILE#OUTPUT,PROMPT`` (``jsonl:``, ``parquet:`` likewise), or output and prompt of each request in an array: their
        empirical distribution; or the classes themselves.
    classes : int
        Largest number of quantile classes of the prompts; unused for a sequence of PromptClass.
    digits : int
        The search stops at a relative gap of 10^−digits, from 1 to 12. With very many different sizes the enclosure is wider.
    cost, memory, progress
        As in :func:`best`.

    Returns
    -------
    BestForClasses
        V, the plans of each class, one price for all, and whether killing helps at all.

    Raises
    ------
    InputError
        If an argument is out of range, a row of the file cannot be read, or a law is not finite and rational.

    Notes
    -----
    The scheduler sees the class, not the prompt within it; each request's size is computed from its own prompt. V is proved on one
    machine for any sizes as n → ∞, and in the process for the cost ``volume`` as n → ∞ and then M → ∞. With the cost in seconds, V is
    a lower bound on the ratio of every blind policy of the process to the work bound. No certificate file is written.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([(1, 5)] * 8 + [(40, 5)] * 2 + [(10, 90)] * 10)
    >>> best_for_classes(rows, classes=2).classes[0].plans[0]
    Plan(thresholds=(1,), share=Fraction(1, 1))
    """
    digits, attempt = integer("digits", digits, 1, MOST_DIGITS), as_cost(cost, memory)
    in_rows = isinstance(requests, str | Workload | np.ndarray)
    parts = _quantile_classes(requests, classes, attempt) if in_rows else _given(requests, attempt)
    for part in parts:
        if part.requests.sizes[0] <= 0:
            raise InputError("s", 0, "must be at least 1: a first token would cost nothing")
    by_class = [part.requests for part in parts]
    mixtures = _mixtures(by_class, digits, progress)
    price = Price.of(mixtures)
    everyone = Counter[int]()
    for c in by_class:
        everyone.update(dict(zip(c.sizes, c.weights, strict=True)))
    optimum = Requests.counted(everyone).twice_optimum
    rounded_down = _rounded_down(by_class)
    lower = price.lower(optimum, rounded_down, is_exact(rounded_down))
    value = Enclosure(lower, price.upper(optimum), "a mixture for each class, and its price")
    through = Price.of([Mixture.of(c, {(0, len(c.sizes)): 1}) for c in by_class])
    ratio = through.upper(optimum)
    helps = value.upper < ratio or _killing_helps(through, by_class, rounded_down)
    number = sum(part.number for part in parts)
    corners = tuple((time * attempt.unit, unfinished) for time, unfinished in price.shares)
    rows = tuple(_class_plans(p, m, Fraction(p.number, number)) for p, m in zip(parts, mixtures, strict=True))
    return BestForClasses(attempt, digits, value, rows, ratio, helps, corners)


def _given(classes: Sequence[PromptClass], cost: Cost) -> list[_Class]:
    """Return the classes with integer weights, or raise ``InputError`` for a law or a share."""
    weights: list[dict[tuple[int, int], Fraction]] = []
    for given in classes:
        law, share, s = distribution(given.law), Fraction(given.share), integer("s", given.s, 0)
        if not (law.finite and law.rational and not law.parameters):
            raise InputError("law", law.spec(), "must be finite, with rational weights")
        if share <= 0:
            raise InputError("share", given.share, "must be positive")
        total = sum(w for _, w in law.items())
        weights.append({(s, o): Fraction(w) * share / total for o, w in law.items() if w})
    if not weights:
        raise InputError("requests", "[]", "must have at least one class")
    common = lcm(*(w.denominator for row in weights for w in row.values()))
    parts = [_Class({key: int(w * common) for key, w in row.items()}, cost) for row in weights]
    if is_exact([part.requests for part in parts]) and (count := sum(map(len, weights))) > MOST_EXACT_LENGTHS:
        raise InputError("law", f"{count} lengths", f"must have at most {MOST_EXACT_LENGTHS} in all, or short weights")
    return parts


def _quantile_classes(requests: str | Workload | IntArray, classes: int, cost: Cost) -> list[_Class]:
    if isinstance(requests, str | Workload):
        read = workload(requests).rows
        if read is None:
            raise InputError("requests", requests, "must be csv:FILE#OUTPUT,PROMPT (jsonl:, parquet:), rows or classes")
        if isinstance(read.release, np.ndarray):
            allowed = "must not name a column of times: best has no arrivals"
            raise InputError("requests", workload(requests).name, allowed)
        rows = np.stack([read.lengths, np.broadcast_to(read.s, read.lengths.shape)], axis=1)
    else:
        rows = requests
    if rows.ndim != 2 or rows.shape[1] < 2 or not len(rows) or rows.dtype.kind not in "iu":
        raise InputError("requests", f"an array of shape {rows.shape}", "must be integers of shape (n, 2), n ≥ 1")
    outputs, prompts = rows[:, 0], rows[:, 1]
    for name, smallest, column in (("output", 1, outputs), ("prompt", 0, prompts)):
        if column.min() < smallest:
            raise InputError(name, int(column.min()), f"must be at least {smallest}")
    group = grouped(prompts, integer("classes", classes, 1))
    members = [group == k for k in range(int(group.max()) + 1)]
    return [_Class(Counter(zip(prompts[k].tolist(), outputs[k].tolist(), strict=True)), cost) for k in members]


def _cells(classes: Sequence[Requests], attempts: int) -> list[list[int]]:
    """Return for each class cells of neighbouring sizes, 0 = c_0 < … < c_r = K, for at most ``attempts`` attempts in all."""
    most_cells = isqrt(2 * attempts // len(classes))
    return [_cells_of(c.sizes, most_cells) for c in classes]


def _cells_of(sizes: Sequence[int], largest: int) -> list[int]:
    """Return at most ``largest`` cells, by bisection for a small factor between the sizes of a cell."""
    low, high = 1.0, float(sizes[-1] / sizes[0])
    cells = list(range(len(sizes) + 1))
    while len(sizes) > largest and (len(cells) > largest + 1 or high / low > 1.01):
        factor, trial = (low * high) ** 0.5, [0]
        while trial[-1] < len(sizes):
            trial.append(bisect_right(sizes, sizes[trial[-1]] * factor))
        low, high, cells = (low, factor, trial) if len(trial) <= largest + 1 else (factor, high, cells)
    return cells


def _rounded_down(classes: Sequence[Requests]) -> list[Requests]:
    """Return classes of requests that are no larger: each has its cell's smallest size, and if floats are used one that is exact."""
    bits = 0 if is_exact(classes) else max(sum(c.uses(0, len(c.sizes)) for c in classes).bit_length() - FLOAT_BITS, 0)
    rounded: list[Requests] = []
    for requests, cells in zip(classes, _cells(classes, MOST_ATTEMPTS), strict=True):
        sizes = Counter[int]()
        for a, c in pairwise(cells):
            sizes[requests.sizes[a] >> bits << bits] += requests.completes(a, c)
        del sizes[0]
        rounded.append(Requests.counted(sizes))
    return rounded


def _mixtures(classes: Sequence[Requests], digits: int, progress: Progress) -> list[Mixture]:
    """Return the mixtures that a search in floats finds, all of the same weight; their plans kill at the ends of cells."""
    number, largest = sum(c.survivors[0] for c in classes), max(c.sizes[-1] for c in classes)
    in_cells = _cells(classes, MOST_SEARCHED)
    groups = [
        Group(
            c.survivors[0] / number,
            np.array([c.sizes[end - 1] / largest for end in cells[1:]]),
            np.array([c.completes(*cell) / c.survivors[0] for cell in pairwise(cells)]),
        )
        for c, cells in zip(classes, in_cells, strict=True)
    ]
    scale, mixtures = 10 ** (digits + 4), list[Mixture]()
    for c, cells, found in zip(classes, in_cells, Search(groups, 10.0**-digits, progress).mixtures(), strict=True):
        weights = {tuple(cells[k] for k in path): round(share * scale) for path, share in found.plans.items()}
        frequent = max(weights, key=weights.__getitem__)
        weights[frequent] += scale - sum(weights.values())
        mixtures.append(Mixture.of(c, weights))
    return mixtures


def _killing_helps(price: Price, classes: Sequence[Requests], rounded_down: Sequence[Requests]) -> bool | None:
    """Compare plans under the ``price`` of running to the end; None where rounding hides which is cheaper.

    In a class with NBUE sizes no plan is cheaper: F ≥ m μ, and Λ rises.
    """
    others = [c for c in classes if not c.nbue]
    if others and list(classes) != list(rounded_down):
        return None
    verdicts = [_other_plan_is_cheaper(price, c) for c in others]
    return True if True in verdicts else None if None in verdicts else False


def _other_plan_is_cheaper(price: Price, requests: Requests) -> bool | None:
    """Return whether a plan that kills is cheaper than running to the end; None if rounding hides it."""
    if not is_exact([requests]):
        costs = price.cheapest(requests, exact=False)[0]
        whole, other = costs[0], costs[1:].min(initial=inf)
        if not Fraction(whole) * (1 - ROUNDING) <= other < Fraction(whole) * (1 + ROUNDING):
            return other < whole
        if len(requests.sizes) > LARGEST_TIE:
            return None
    costs = price.cheapest(requests)[0]
    return costs[1:].min(initial=inf) < costs[0]


def _class_plans(part: _Class, mixture: Mixture, share: Fraction) -> ClassPlans:
    requests, prompts = part.requests, [s for s, _ in part.rows]
    mean_cost = Fraction(requests.uses(0, len(requests.sizes)), part.number) * part.cost.unit
    mean_set_up = part.cost.set_up + part.cost.per_prompt * part.mean_prompt
    plans, ends = mixture.shares(lambda k: part.age(requests.sizes[k])), (min(prompts), max(prompts))
    return ClassPlans(ends, share, mean_cost, mean_set_up, plans, requests.nbue, part.set_up_threshold)
