"""The attempts that a paced policy comes to, listed beforehand with hindsight: its engine runs down this list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from crtools.errors import InputError
from crtools.process.instance import Instance
from crtools.process.policies import Policy


class Attempts(NamedTuple):
    """Columns of int64, a row for each attempt, in the order in which they are tried.

    request: whose attempt it is; bound: the õ that it has; assumed: the length at which it is killed, if unfinished;
    after: the row of the same request's next attempt, −1 for its last.
    """

    request: Any
    bound: Any
    assumed: Any
    after: Any


def attempts(policy: Policy, instance: Instance) -> Attempts:
    """Return the attempts by increasing priority, equals by the lower index: of each request up to the one that ends it.

    Raises ``InputError`` where volumes are so large that their sums would not be exact in 64 bits.
    """
    rounds: list[tuple[Any, ...]] = []
    left = instance
    while left.n:
        assumed = policy.assumed(left, 0)
        rounds.append((left.index, left.bound, assumed, policy.priority(left)))
        left = replace(left, bound=assumed + 1).only(left.length > assumed)
    request, bound, assumed, priority = (np.concatenate(column) for column in zip(*rounds, strict=True))
    largest = float((instance.s[request] * assumed.astype(float) + assumed.astype(float) ** 2).max())
    if largest * instance.n + instance.memory > 2.0**62:
        raise InputError("engine", "fast", f"{policy.name} needs Σ (s·o + o²) below 2^62; take the reference engine")
    order = np.lexsort((request, priority))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    by_request = np.argsort(request, kind="stable")  # each request's attempts one after the other
    one, next_ = by_request[:-1], by_request[1:]
    same = request[one] == request[next_]
    after = np.full_like(order, -1)
    after[one[same]] = place[next_[same]]
    return Attempts(request[order], bound[order], assumed[order], after[order])
