"""Which published proof rests on which claim, and which of them stand on a false one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crtools.ledger.result import ClaimResult

FALSE = ("refuted", "contradicted")
"""Statuses that make a claim, as stated, no ground to build on."""


@dataclass(frozen=True)
class Node:
    """A claim in the graph. ``status`` is that of its verdict as stated, or ``undecided`` where it is not in the ledger.

    ``rests_on``: what its published proof uses. ``sand``: the false claims among everything that it rests on, directly
    or through others, in the order in which they are met.
    """

    id: str
    status: str
    rests_on: tuple[str, ...]
    sand: tuple[str, ...]


def dependencies(results: Sequence[ClaimResult]) -> dict[str, Node]:
    """Return a node for every claim and for every claim that one names, in the ledger's order."""
    status = {r.id: str(r.verdicts[0].status) for r in results}
    below = {r.id: r.rests_on for r in results}
    names = dict.fromkeys([*status, *(name for r in results for name in r.rests_on)])
    return {
        name: Node(name, status.get(name, "undecided"), below.get(name, ()), _sand(name, below, status))
        for name in names
    }


def _sand(name: str, below: Mapping[str, Sequence[str]], status: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(other for other in _reached(name, below) if status.get(other) in FALSE)


def _reached(name: str, below: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return everything below a claim, breadth first; a circle ends where it closes."""
    seen: dict[str, None] = {}
    queue = list(below.get(name, ()))
    while queue:
        one = queue.pop(0)
        if one not in seen and one != name:
            seen[one] = None
            queue += below.get(one, ())
    return tuple(seen)


def used_by(nodes: Mapping[str, Node], name: str) -> tuple[str, ...]:
    """Return the claims whose published proofs name this one."""
    return tuple(node.id for node in nodes.values() if name in node.rests_on)


def reduced(nodes: Mapping[str, Node]) -> list[tuple[str, str]]:
    """Return the edges (claim, what it rests on) without those that follow from others."""
    below = {name: node.rests_on for name, node in nodes.items()}
    edges: list[tuple[str, str]] = []
    for name, node in nodes.items():
        for other in node.rests_on:
            around = any(other in _reached(third, below) for third in node.rests_on if third != other)
            if not around or other in _circle(name, below):
                edges.append((name, other))
    return edges


def _circle(name: str, below: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the claims that rest on each other with this one; none, unless the paper argues in a circle."""
    return frozenset(other for other in _reached(name, below) if name in _reached(other, below))
