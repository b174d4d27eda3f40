"""Search for an instance at which a statement about one instance fails: every small one, then random ones, shrunk.

The exhaustive half goes in increasing (n, largest length, M), so that its first hit is a smallest one. A random hit is
shrunk until no single step keeps it: it is small, and nothing says that no other is smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from typing import Any

from crtools.ledger.data import JsonValue
from crtools.ledger.evidence import Measured, Open, Refuted
from crtools.numeric_types import JsonObject


@dataclass(frozen=True)
class Hit:
    """What a search finds against a statement at an instance: the fields of ``Refuted`` beside the witness."""

    claimed: JsonValue
    actual: JsonValue
    second: JsonValue
    stays: str = ""
    values: JsonObject = field(default_factory=JsonObject)


@dataclass(frozen=True)
class Small:
    """A small instance: sorted lengths, one prompt size, the memory in tokens."""

    lengths: tuple[int, ...]
    s: int
    memory: int


SHRUNK = "minimal under shrinking; smaller ones not excluded"

Check = Callable[[Small], Any]
"""Looks at one instance and returns what is found against the statement, a :class:`Hit` for ``searched``, or None."""


@dataclass(frozen=True)
class Found:
    """A hit (``instance`` None: there was none), and what was searched.

    ``looked_at`` instances of ``range`` were looked at one by one before the hit, ``tried`` random ones of
    ``random_range`` before and with it; ``tried`` is 0 where the search did not come to random ones. ``most`` is the
    largest number of requests of an instance that was looked at.
    """

    instance: Small | None
    hit: Any
    looked_at: int
    range: str
    tried: int = 0
    random_range: str = ""
    most: int = 0

    @property
    def searched(self) -> str:
        """What was looked at, in words."""
        words = f"{self.range}: {self.looked_at} instances"
        return words + (f"; and {self.tried} random ones with {self.random_range}" if self.tried else "")

    @property
    def smallest(self) -> str:
        """What is known of instances smaller than the hit."""
        return SHRUNK if self.tried else "smallest, proved by exhaustion"

    def as_json(self) -> JsonObject:
        """Return the instance and whether smaller ones are excluded."""
        looked: JsonObject = {"instances_looked_at": self.looked_at, "range": self.range}
        if self.tried:
            looked |= {"random_instances_tried": self.tried, "drawn_from": self.random_range}
        if self.instance is None:
            return looked
        row = {"lengths": list(self.instance.lengths), "s": self.instance.s, "M": self.instance.memory}
        if self.tried:
            return {**row, "smaller_instances": self.smallest, **looked}
        before = f"{self.looked_at} were looked at before it, in (n, largest length, M), among {self.range}"
        return {**row, "smaller_instances": f"{self.smallest}: {before}"}


def small_instances(n: int, longest: int, prompts: tuple[int, ...], fewest: int = 1) -> Iterator[Small]:
    """Iterate over instances of at most n requests and lengths at most ``longest``, in increasing (n, max o, M).

    M runs from the largest peak to the sum of all peaks, at which everything starts at once.
    """
    for size in range(fewest, n + 1):
        for top in range(1, longest + 1):
            group = [(*shorter, top) for shorter in combinations_with_replacement(range(1, top + 1), size - 1)]
            rows = [
                Small(lengths, s, memory)
                for lengths in group
                for s in prompts
                for memory in range(least_memory(lengths, s), most_memory(lengths, s) + 1)
            ]
            yield from sorted(rows, key=lambda row: (row.memory, row.s, row.lengths))


def least_memory(lengths: tuple[int, ...], s: int) -> int:
    """Return the largest peak: with less memory some request could never run."""
    return s + max(lengths)


def most_memory(lengths: tuple[int, ...], s: int) -> int:
    """Return the sum of all peaks: with more memory nothing changes."""
    return sum(s + o for o in lengths)


def first(n: int, longest: int, prompts: tuple[int, ...], check: Check, fewest: int = 1) -> Found:
    """Return the first instance at which ``check`` returns something else than None."""
    described = f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, every M"
    count = most = 0
    for row in small_instances(n, longest, prompts, fewest):
        hit, most = check(row), len(row.lengths)
        if hit is not None:
            return Found(row, hit, count, described, most=most)
        count += 1
    return Found(None, None, count, described, most=most)


def random_then_shrink(check: Check, *, n: int, longest: int, prompts: tuple[int, ...], tries: int, seed: int) -> Found:
    """Draw instances of up to n requests and lengths up to ``longest`` until one is a hit, and shrink that.

    The number of requests, the largest length allowed, the lengths, s and M are drawn uniformly, in this order.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    described = f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, seed {seed}"
    most = 0
    for tried in range(1, tries + 1):
        size, top = random.integers(1, n + 1), random.integers(1, longest + 1)
        lengths = tuple(sorted(random.integers(1, top + 1, size).tolist()))
        s = prompts[random.integers(len(prompts))]
        memory = int(random.integers(least_memory(lengths, s), most_memory(lengths, s) + 1))
        row = Small(lengths, s, memory)
        most = max(most, len(lengths))
        hit = check(row)
        if hit is not None:
            row, hit = shrink(check, row, hit, prompts)
            return Found(row, hit, 0, "", tried, described, most)
    return Found(None, None, 0, "", tries, described, most)


def shrink(check: Check, row: Small, hit: Any, prompts: tuple[int, ...]) -> tuple[Small, Any]:
    """Return an instance, and its hit, from which no single step of ``smaller`` leads to a hit."""
    for candidate in smaller(row, prompts):
        smaller_hit = check(candidate)
        if smaller_hit is not None:
            return shrink(check, candidate, smaller_hit, prompts)
    return row, hit


def smaller(row: Small, prompts: tuple[int, ...]) -> Iterator[Small]:
    """Iterate over what one step makes of an instance: a request less, a length, s or M lower (largest steps first).

    Where everything would start at once with the M that there is, M is lowered to the least with which it does.
    """
    lengths, s, memory = row.lengths, row.s, row.memory
    places = [i for i in range(len(lengths)) if i == 0 or lengths[i] != lengths[i - 1]]
    if len(lengths) > 1:
        for i in places:
            yield _fitted((*lengths[:i], *lengths[i + 1 :]), s, memory)
    for i in reversed(places):
        for lower in _below(lengths[i], 1):
            yield _fitted(tuple(sorted((*lengths[:i], lower, *lengths[i + 1 :]))), s, memory)
    for prompt in sorted(prompts):
        if prompt < s:
            yield _fitted(lengths, prompt, memory)
    for lower in _below(memory, least_memory(lengths, s)):
        yield Small(lengths, s, lower)


def _below(value: int, least: int) -> list[int]:
    return sorted({least, (least + value) // 2, value - 1}) if value > least else []


def _fitted(lengths: tuple[int, ...], s: int, memory: int) -> Small:
    return Small(lengths, s, min(memory, most_memory(lengths, s)))


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
) -> Found:
    """Look at every instance of the small range and, if there is no hit, at random ones of the larger one."""
    found = first(n, longest, prompts, check)
    if found.instance is not None:
        return found
    drawn = {"n": random_n, "longest": random_longest, "tries": tries, "seed": seed}
    return both(found, random_then_shrink(check, **drawn, prompts=prompts))


def both(found: Found, drawn: Found) -> Found:
    """Return what the random half of a search has found, with what the exhaustive one looked at without a hit."""
    return replace(drawn, looked_at=found.looked_at, range=found.range, most=max(found.most, drawn.most))


def searched(found: Found, asked: int | None = None, also: str = "") -> Refuted | Measured | Open:
    """Return a hit as a refutation, else what was searched without one: nothing is proved beyond it.

    Where instances of up to ``asked`` requests are spoken of, and none with so many was looked at one by one or drawn, it
    stays open. ``also`` says what else was looked at without a hit.
    """
    if found.looked_at == 0 and found.instance is None:
        return Open("no instance is in the range", found.as_json())
    if found.instance is not None:
        hit: Hit = found.hit
        return Refuted(found.as_json(), hit.claimed, hit.actual, hit.second, hit.stays, values=hit.values)
    words = "; ".join(filter(None, (found.searched, also)))
    if asked is not None and asked > found.most:
        return Open(f"$n ≤ {found.most}$ of the {asked} requests asked; {words}", found.as_json())
    return Measured(True, words, "no counterexample among them", found.as_json())
