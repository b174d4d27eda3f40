"""Which published proof rests on which claim, and on which of them it rests where they are false."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crtools.ledger.evidence import FALSE
from crtools.ledger.verdict import ClaimResult


@dataclass(frozen=True)
class Ground:
    """A claim that another one's published proof uses at a level at which it is false."""

    claim: str
    status: str
    level: str


@dataclass(frozen=True)
class Node:
    """A claim in the graph. ``status`` is that of its verdict where it is stated, or ``undecided`` if it is not decided.

    ``rests_on``: what its published proof uses; ``false``: those of them that are false at the level where it uses them.
    """

    id: str
    status: str
    rests_on: tuple[str, ...]
    false: tuple[Ground, ...]
    used_by: tuple[str, ...]


def dependencies(results: Sequence[ClaimResult]) -> dict[str, Node]:
    """Return a node for every claim and for every claim that one names, in the ledger's order."""
    known = {r.id: r for r in results}
    names = dict.fromkeys([*known, *(name for r in results for name in r.rests_on)])
    return {name: _node(name, known) for name in names}


def _node(name: str, known: Mapping[str, ClaimResult]) -> Node:
    used_by = tuple(r.id for r in known.values() if name in r.rests_on)
    if name not in known:
        return Node(name, "undecided", (), (), used_by)
    own = known[name]
    return Node(name, own.stated.status, own.rests_on, false_grounds(own, known), used_by)


def false_grounds(result: ClaimResult, known: Mapping[str, ClaimResult]) -> tuple[Ground, ...]:
    """Return what a claim rests on and what is false: at the level where it is stated, or else at its own."""
    found: list[Ground] = []
    for other in (known[name] for name in result.rests_on if name in known):
        used = other.at(result.stated_at) if result.stated_at in other.levels else other.stated
        if used.status in FALSE:
            found.append(Ground(other.id, used.status, used.level))
    return tuple(found)


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


def reduced(nodes: Mapping[str, Node]) -> list[tuple[str, str]]:
    """Return the edges (claim, what it rests on) without those that follow from others; one to a false ground stays."""
    below = {name: node.rests_on for name, node in nodes.items()}
    edges: list[tuple[str, str]] = []
    for name, node in nodes.items():
        false = [ground.claim for ground in node.false]
        for other in node.rests_on:
            around = any(other in _reached(third, below) for third in node.rests_on if third != other)
            if not around or other in false or other in _circle(name, below):
                edges.append((name, other))
    return edges


def _circle(name: str, below: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the claims that rest on each other with this one; none, unless the paper argues in a circle."""
    return frozenset(other for other in _reached(name, below) if name in _reached(other, below))
