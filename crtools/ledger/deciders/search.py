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


SHRUNK = "minimal under shrinking; smaller ones not excluded"

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
    def searched(self) -> str:
        """The extent of the search, in words."""
        words = f"{self.range}: {self.looked_at} instances"
        return words + (f"; and {self.tried} random ones with {self.random_range}" if self.tried else "")

    @property
    def smallest(self) -> str:
        """Whether smaller hits are excluded, in words."""
        return SHRUNK if self.tried else "smallest, proved by exhaustion"

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


def small_instances(n: int, longest: int, prompts: tuple[int, ...], fewest: int = 1) -> Iterator[SmallInstance]:
    """Iterate over instances of at most n requests and lengths at most ``longest``, in increasing (n, max o, M).

    M runs from the largest peak to the sum of all peaks, at which everything starts at once.
    """
    for size in range(fewest, n + 1):
        for top in range(1, longest + 1):
            group = [(*shorter, top) for shorter in combinations_with_replacement(range(1, top + 1), size - 1)]
            rows = [
                SmallInstance(lengths, s, memory)
                for lengths in group
                for s in prompts
                for memory in range(smallest_memory(lengths, s), largest_memory(lengths, s) + 1)
            ]
            yield from sorted(rows, key=lambda row: (row.memory, row.s, row.lengths))


def smallest_memory(lengths: tuple[int, ...], s: int) -> int:
    """Return the largest peak: with less memory some request could never run."""
    return s + max(lengths)


def largest_memory(lengths: tuple[int, ...], s: int) -> int:
    """Return the sum of all peaks: with more memory nothing changes."""
    return sum(s + o for o in lengths)


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
    check: Check, *, n: int, longest: int, prompts: tuple[int, ...], tries: int, seed: int
) -> SearchResult:
    """Draw instances of up to n requests and lengths up to ``longest`` until one is a hit, and shrink that.

    The number of requests, the largest length allowed, the lengths, s and M are drawn uniformly, in this order.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    described = f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, seed {seed}"
    largest_n = 0
    for tried in range(1, tries + 1):
        size, top = random.integers(1, n + 1), random.integers(1, longest + 1)
        lengths = tuple(sorted(random.integers(1, top + 1, size).tolist()))
        s = prompts[random.integers(len(prompts))]
        memory = int(random.integers(smallest_memory(lengths, s), largest_memory(lengths, s) + 1))
        row = SmallInstance(lengths, s, memory)
        largest_n = max(largest_n, len(lengths))
        hit = check(row)
        if hit is not None:
            row, hit = shrink(check, row, hit, prompts)
            return SearchResult(row, hit, 0, "", tried, described, largest_n)
    return SearchResult(None, None, 0, "", tries, described, largest_n)


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
            yield _fitted((*lengths[:i], *lengths[i + 1 :]), s, memory)
    for i in reversed(distinct):
        for lower in _below(lengths[i], 1):
            yield _fitted(tuple(sorted((*lengths[:i], lower, *lengths[i + 1 :]))), s, memory)
    for prompt in sorted(prompts):
        if prompt < s:
            yield _fitted(lengths, prompt, memory)
    for lower in _below(memory, smallest_memory(lengths, s)):
        yield SmallInstance(lengths, s, lower)


def _below(value: int, low: int) -> list[int]:
    return sorted({low, (low + value) // 2, value - 1}) if value > low else []


def _fitted(lengths: tuple[int, ...], s: int, memory: int) -> SmallInstance:
    return SmallInstance(lengths, s, min(memory, largest_memory(lengths, s)))


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
    drawn = random_then_shrink(check, n=random_n, longest=random_longest, prompts=prompts, tries=tries, seed=seed)
    return with_exhaustive_part(exhaustive, drawn)


def with_exhaustive_part(exhaustive: SearchResult, drawn: SearchResult) -> SearchResult:
    """Return the result of the random part of a search with the extent of the exhaustive part, which had no hit."""
    largest_n = max(exhaustive.largest_n, drawn.largest_n)
    return replace(drawn, looked_at=exhaustive.looked_at, range=exhaustive.range, largest_n=largest_n)


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
    words = "; ".join(filter(None, (result.searched, also)))
    if claimed_n is not None and claimed_n > result.largest_n:
        return Open(f"$n ≤ {result.largest_n}$ of the {claimed_n} requests asked; {words}", result.as_json())
    return Measured(True, words, "no counterexample among them", result.as_json())
