"""Exhaustive search over small instances in increasing (n, largest length, M): the first hit is a smallest one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from crtools.claims.result import Part


@dataclass(frozen=True)
class Small:
    """A small instance: sorted lengths, one prompt size, the memory in tokens."""

    lengths: tuple[int, ...]
    s: int
    memory: int


@dataclass(frozen=True)
class Found:
    """The first hit (None: none in the range), and how many instances were looked at before it."""

    instance: Small | None
    hit: Any
    looked_at: int
    range: str

    def as_json(self) -> dict[str, Any]:
        """Return the instance and whether smaller ones are excluded."""
        if self.instance is None:
            return {"found": None, "instances looked at": self.looked_at, "range": self.range}
        return {
            "lengths": list(self.instance.lengths),
            "s": self.instance.s,
            "M": self.instance.memory,
            "smaller instances": f"{self.looked_at} were looked at: none, so it is smallest in (n, largest length, M) among {self.range}",
        }


def small_instances(n: int, longest: int, prompts: tuple[int, ...], fewest: int = 1) -> Iterator[Small]:
    """Iterate over instances of at most n requests and lengths at most ``longest``, in increasing (n, max o, M).

    M runs from the largest peak to one less than the sum of all peaks, at which everything starts at once.
    """
    for size in range(fewest, n + 1):
        for top in range(1, longest + 1):
            group = [(*rest, top) for rest in combinations_with_replacement(range(1, top + 1), size - 1)]
            rows = [
                Small(lengths, s, memory)
                for lengths in group
                for s in prompts
                for memory in range(s + top, sum(s + o for o in lengths) + 1)
            ]
            yield from sorted(rows, key=lambda row: (row.memory, row.s, row.lengths))


def first(n: int, longest: int, prompts: tuple[int, ...], check: Callable[[Small], Any], fewest: int = 1) -> Found:
    """Return the first instance at which ``check`` returns something else than None."""
    described = f"n ≤ {n}, o ≤ {longest}, s in {set(prompts)}, every M"
    count = 0
    for row in small_instances(n, longest, prompts, fewest):
        hit = check(row)
        if hit is not None:
            return Found(row, hit, count, described)
        count += 1
    return Found(None, None, count, described)


def searched(name: str, found: Found) -> Part:
    """A refuted part from a hit, else a supported one: no counterexample in a finite range proves nothing beyond it."""
    if found.looked_at == 0 and found.instance is None:
        return Part(name, "inconclusive", {"tried": "no instance is in the range", **found.as_json()})
    if found.instance is None:
        return Part(name, "supported", {"sample": "no counterexample in the whole range", **found.as_json()})
    return Part(name, "refuted", {"counterexample": found.as_json(), **found.hit})
