"""Requests in a line, the one of least key first; equals by rank, or drawn uniformly and afresh each time."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any, Protocol

from crtools.process.policies import Draw

Kind = tuple[int, int]
"""What admission asks of a request: its prompt s and the length assumed of it."""


class Pool(Protocol):
    """Requests by number. ``first`` names one of least key, which stays; ``take`` takes any out."""

    def put(self, i: int, key: Any, kind: Kind = (0, 0)) -> None:
        """Add request i, which is not in the pool."""
        ...

    def take(self, i: int) -> None:
        """Remove request i, which is in the pool."""
        ...

    def first(self) -> int:
        """Return a request of least key."""
        ...

    def kinds(self) -> Kind | None:
        """Return the least s and the least length where ``first`` may name requests of several kinds next time; else None."""
        ...

    def __len__(self) -> int: ...


class Ranked:
    """Of equal keys the one with the lower rank comes first."""

    def __init__(self, ranks: list[int]) -> None:
        self.ranks = ranks
        self.heap: list[tuple[Any, int, int, int]] = []  # (key, rank, number of the entry, request)
        self.entry: dict[int, int] = {}
        self.entries = 0

    def put(self, i: int, key: Any, kind: Kind = (0, 0)) -> None:
        """Add request i, which is not in the pool."""
        self.entries += 1
        self.entry[i] = self.entries
        heappush(self.heap, (key, self.ranks[i], self.entries, i))

    def take(self, i: int) -> None:
        """Remove request i, which is in the pool."""
        del self.entry[i]
        if len(self.heap) > 2 * len(self.entry) + 64:
            self.heap = [row for row in self.heap if self.entry.get(row[3]) == row[2]]
            heapify(self.heap)

    def first(self) -> int:
        """Return a request of least key."""
        while True:
            _, _, number, i = self.heap[0]
            if self.entry.get(i) == number:
                return i
            heappop(self.heap)

    def kinds(self) -> Kind | None:
        """As ``Pool`` says."""
        return None

    def __len__(self) -> int:
        return len(self.entry)


class Drawn:
    """Of equal keys each is as likely as another, whenever one is asked for; keys are hashable."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.heap: list[Any] = []
        self.groups: dict[Any, list[int]] = {}
        self.alike: dict[
            Any, tuple[bool, int, int]
        ] = {}  # of a group: whether all that it has had since it was empty were of one kind, and the least of each
        self.key: dict[int, Any] = {}
        self.place: dict[int, int] = {}

    def put(self, i: int, key: Any, kind: Kind = (0, 0)) -> None:
        """Add request i, which is not in the pool."""
        if key not in self.groups:
            self.groups[key] = []
            heappush(self.heap, key)
        if not self.groups[key]:
            self.alike[key] = True, *kind
        same, s, length = self.alike[key]
        self.alike[key] = same and kind == (s, length), min(s, kind[0]), min(length, kind[1])
        self.key[i], self.place[i] = key, len(self.groups[key])
        self.groups[key].append(i)

    def take(self, i: int) -> None:
        """Remove request i, which is in the pool."""
        key, place = self.key.pop(i), self.place.pop(i)
        group = self.groups[key]
        last = group.pop()
        if last != i:
            group[place] = last
            self.place[last] = place

    def _least(self) -> Any:
        while not self.groups[self.heap[0]]:
            key = heappop(self.heap)
            del self.groups[key], self.alike[key]
        return self.heap[0]

    def first(self) -> int:
        """Return a request of least key."""
        group = self.groups[self._least()]
        return group[int(self.draw() * len(group))]

    def kinds(self) -> Kind | None:
        """As ``Pool`` says."""
        same, s, length = self.alike[self._least()]
        return None if same else (s, length)

    def __len__(self) -> int:
        return len(self.key)
