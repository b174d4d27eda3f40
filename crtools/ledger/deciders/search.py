"""Search for an instance at which a statement about one instance fails: every small one, then random ones, shrunk.

The exhaustive part goes in increasing (n, largest length, M), so that its first hit is a smallest one. A random hit is shrunk
until no single step leads to another hit; smaller hits are not excluded.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from typing import Any

from crtools.ledger.evidence import JsonValue, Measured, Open, Refuted
from crtools.numeric_types import JsonObject


@dataclass(frozen=True)
class Hit:
    """A refutation of a statement at an instance: the fields of ``Refuted`` other than the witness."""

    claimed: JsonValue
    actual: JsonValue
    second: JsonValue
    stays: str = ""
    values: JsonObject = field(default_factory=JsonObject)


@dataclass(frozen=True)
class SmallInstance:
    """A small instance: sorted lengths, one prompt size, the memory in tokens."""

    lengths: tuple[int, ...]
    s: int
    memory: int

    @classmethod
    def fitted(cls, lengths: tuple[int, ...], s: int, memory: int) -> "SmallInstance":
        """Return an instance with this memory, or with that with which all requests start at once if it is less."""
        return cls(lengths, s, min(memory, memories(lengths, s)[-1]))


Check = Callable[[SmallInstance], Any]
"""Tests one instance and returns a refutation of the statement, a :class:`Hit` for ``search_evidence``, or None."""


@dataclass(frozen=True)
class SearchResult:
    """A hit (``instance`` None: there was none), and the extent of the search.

    ``looked_at``: the number of instances of ``range`` tested before the hit; ``tried``: that of random ones of ``random_range``,
    the hit included. ``largest_n``: the largest number of requests of a tested instance.
    """

    instance: SmallInstance | None
    hit: Any
    looked_at: int
    range: str
    tried: int = 0
    random_range: str = ""
    largest_n: int = 0

    @property
    def smallest(self) -> str:
        """Whether smaller hits are excluded, in words."""
        return "minimal under shrinking; smaller ones not excluded" if self.tried else "smallest, proved by exhaustion"

    def as_json(self) -> JsonObject:
        """Return the instance and whether smaller ones are excluded."""
        extent: JsonObject = {"instances_looked_at": self.looked_at, "range": self.range}
        if self.tried:
            extent |= {"random_instances_tried": self.tried, "drawn_from": self.random_range}
        if self.instance is None:
            return extent
        row = {"lengths": list(self.instance.lengths), "s": self.instance.s, "M": self.instance.memory}
        if self.tried:
            return {**row, "smaller_instances": self.smallest, **extent}
        before = f"{self.looked_at} were looked at before it, in (n, largest length, M), among {self.range}"
        return {**row, "smaller_instances": f"{self.smallest}: {before}"}


def memories(lengths: tuple[int, ...], s: int) -> range:
    """Return the memories from the largest peak, below which some request never runs, to the sum of all peaks, where all start at once."""
    return range(s + max(lengths), sum(s + o for o in lengths) + 1)


def small_instances(n: int, longest: int, prompts: tuple[int, ...], fewest: int = 1) -> Iterator[SmallInstance]:
    """Iterate over instances of at most n requests and lengths at most ``longest``, in increasing (n, max o, M)."""
    for size in range(fewest, n + 1):
        for top in range(1, longest + 1):
            group = [(*shorter, top) for shorter in combinations_with_replacement(range(1, top + 1), size - 1)]
            rows = [SmallInstance(o, s, memory) for o in group for s in prompts for memory in memories(o, s)]
            yield from sorted(rows, key=lambda row: (row.memory, row.s, row.lengths))


def first_hit(n: int, longest: int, prompts: tuple[int, ...], check: Check, fewest: int = 1) -> SearchResult:
    """Return the first instance at which ``check`` returns something else than None."""
    described = f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, every M"
    count = largest_n = 0
    for row in small_instances(n, longest, prompts, fewest):
        hit, largest_n = check(row), len(row.lengths)
        if hit is not None:
            return SearchResult(row, hit, count, described, largest_n=largest_n)
        count += 1
    return SearchResult(None, None, count, described, largest_n=largest_n)


def random_then_shrink(
    check: Check,
    *,
    n: int,
    longest: int,
    prompts: tuple[int, ...],
    tries: int,
    seed: int,
    after: SearchResult | None = None,
) -> SearchResult:
    """Draw instances of up to n requests and lengths up to ``longest`` until one is a hit, and shrink that.

    The number of requests, the largest length allowed, the lengths, s and M are drawn uniformly, in this order. ``after``: the
    exhaustive part of the search, which had no hit.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    before = after or SearchResult(None, None, 0, "")
    drawn = replace(before, random_range=f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, seed {seed}", tried=tries)
    largest_n = before.largest_n
    for tried in range(1, tries + 1):
        size, top = random.integers(1, n + 1), random.integers(1, longest + 1)
        lengths = tuple(sorted(random.integers(1, top + 1, size).tolist()))
        s = prompts[random.integers(len(prompts))]
        allowed = memories(lengths, s)
        row = SmallInstance(lengths, s, int(random.integers(allowed.start, allowed.stop)))
        largest_n = max(largest_n, len(lengths))
        hit = check(row)
        if hit is not None:
            row, hit = shrink(check, row, hit, prompts)
            return replace(drawn, instance=row, hit=hit, tried=tried, largest_n=largest_n)
    return replace(drawn, largest_n=largest_n)


def shrink(check: Check, row: SmallInstance, hit: Any, prompts: tuple[int, ...]) -> tuple[SmallInstance, Any]:
    """Return an instance, and its hit, from which no single step of ``smaller`` leads to a hit."""
    for candidate in smaller(row, prompts):
        smaller_hit = check(candidate)
        if smaller_hit is not None:
            return shrink(check, candidate, smaller_hit, prompts)
    return row, hit


def smaller(row: SmallInstance, prompts: tuple[int, ...]) -> Iterator[SmallInstance]:
    """Iterate over the instances that are one step smaller: a request less, or a length, s or M lower (largest steps first).

    M is lowered to the least at which all requests start at once, if it is larger.
    """
    lengths, s, memory = row.lengths, row.s, row.memory
    distinct = [i for i in range(len(lengths)) if i == 0 or lengths[i] != lengths[i - 1]]
    if len(lengths) > 1:
        for i in distinct:
            yield SmallInstance.fitted((*lengths[:i], *lengths[i + 1 :]), s, memory)
    for i in reversed(distinct):
        for lower in _below(lengths[i], 1):
            yield SmallInstance.fitted(tuple(sorted((*lengths[:i], lower, *lengths[i + 1 :]))), s, memory)
    for prompt in sorted(prompts):
        if prompt < s:
            yield SmallInstance.fitted(lengths, prompt, memory)
    for lower in _below(memory, memories(lengths, s).start):
        yield SmallInstance(lengths, s, lower)


def _below(value: int, low: int) -> list[int]:
    return sorted({low, (low + value) // 2, value - 1}) if value > low else []


def search(
    check: Check,
    *,
    n: int,
    longest: int,
    prompts: tuple[int, ...],
    random_n: int,
    random_longest: int,
    tries: int,
    seed: int = 0,
) -> SearchResult:
    """Look at every instance of the small range and, if there is no hit, at random ones of the larger one."""
    exhaustive = first_hit(n, longest, prompts, check)
    if exhaustive.instance is not None:
        return exhaustive
    wider = {"n": random_n, "longest": random_longest, "tries": tries, "seed": seed}
    return random_then_shrink(check, prompts=prompts, after=exhaustive, **wider)


def search_evidence(result: SearchResult, claimed_n: int | None = None, also: str = "") -> Refuted | Measured | Open:
    """Return the evidence of a search: the refutation by a hit, or the extent of the search without one.

    It is open if the claim is about up to ``claimed_n`` requests and no instance with as many was tested. ``also``: a further range
    without a hit, in words.
    """
    if result.looked_at == 0 and result.instance is None:
        return Open("no instance is in the range", result.as_json())
    if result.instance is not None:
        hit: Hit = result.hit
        return Refuted(result.as_json(), hit.claimed, hit.actual, hit.second, hit.stays, values=hit.values)
    drawn = f"and {result.tried} random ones with {result.random_range}" if result.tried else ""
    words = "; ".join(filter(None, (f"{result.range}: {result.looked_at} instances", drawn, also)))
    if claimed_n is not None and claimed_n > result.largest_n:
        return Open(f"$n ≤ {result.largest_n}$ of the {claimed_n} requests asked; {words}", result.as_json())
    return Measured(True, words, "no counterexample among them", result.as_json())
