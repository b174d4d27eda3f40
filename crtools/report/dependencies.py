"""The claims that each published proof rests on, and which of these are false where they are used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.evidence import FALSE


@dataclass(frozen=True)
class Ground:
    """A claim that another one's published proof uses at a level at which it is false."""

    claim: str
    status: str
    level: str


@dataclass(frozen=True)
class Node:
    """A claim and what it is tied to. ``status`` is that of its verdict where it is stated, or ``undecided`` if it is not decided.

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
    result = known[name]
    return Node(name, result.stated.status, result.rests_on, false_grounds(result, known), used_by)


def false_grounds(result: ClaimResult, known: Mapping[str, ClaimResult]) -> tuple[Ground, ...]:
    """Return the false claims that a claim rests on, read at its level or else at their own."""
    grounds: list[Ground] = []
    for other in (known[name] for name in result.rests_on if name in known):
        used = other.at(result.stated_at) if result.stated_at in other.levels else other.stated
        if used.status in FALSE:
            grounds.append(Ground(other.id, used.status, used.level))
    return tuple(grounds)
