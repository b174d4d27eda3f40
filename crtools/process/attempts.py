"""The attempts that a paced policy comes to, listed beforehand with hindsight: its engine runs down this list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from crtools.errors import InputError
from crtools.process.instance import Instance, asked
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


MOST = 10**7
"""So many attempts of a policy of one's own are listed at most."""


def listed(policy: Policy, instance: Instance) -> Attempts | None:
    """Return the attempts of a paced policy of one's own; None where they cannot be listed beforehand.

    They can where equals go by the index, each attempt of a request is longer than the one before, and what is said of a request
    does not depend on who has been cancelled before it.
    """
    rounds: list[tuple[Any, ...]] = []
    left, count = instance, 0
    while left.n:
        assumed, priority = _said(lambda r: policy.assumed(r, 0), left, "iu"), _said(policy.priority, left, "iuf")
        if assumed is None or priority is None or (assumed < left.bound).any() or policy.equals != "index":
            return None
        rounds.append((left.index, left.bound, assumed, priority))
        count += left.n
        if count > MOST:
            return None
        left = replace(left, bound=assumed + 1).only(left.length > assumed)
    return _in_order(policy, instance, rounds)


def _said(rule: Callable[[Any], Any], left: Instance, kinds: str) -> Any:
    """Return a number for each request; None where there is not one of these kinds, or ``joined`` changes it."""
    one, two = (np.asarray(asked(rule, own)) for own in (left, replace(left, joined=left.joined + 1 + left.index)))
    if one.shape not in ((), (left.n,)) or one.dtype.kind not in kinds or not np.array_equal(one, two):
        return None
    return np.broadcast_to(one, (left.n,))


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
    return _in_order(policy, instance, rounds)


def _in_order(policy: Policy, instance: Instance, rounds: list[tuple[Any, ...]]) -> Attempts:
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
