"""A paced policy in the limit M → ∞, where attempts run one after the other on a machine that does M token-instants per instant."""

from dataclasses import replace

import numpy as np

from crtools.numeric_types import FloatArray, IntArray, PerRequest
from crtools.process.instance import Instance, ask_all, for_policy, make_instance
from crtools.process.policies import Policy
from crtools.process.run import volume_bound
from crtools.schedule import volume


def on_one_machine(
    policy: Policy, lengths: IntArray, s: PerRequest = 0, l: int | None = None, u: int | None = None, seed: int = 0
) -> float:
    """Return the sum of completion times over the least one, Σ_k (sum of the k smallest volumes), for this seed.

    The machine works off the volumes of the attempts in their order: v(c) of one killed at c tokens, v(o) of the last.
    """
    given = make_instance(lengths, 10**15, s, l, u)
    instance = for_policy(given, policy, seed)
    request, assumed = attempts(policy, instance)
    length = instance.length[request]
    completions = np.cumsum(volume(instance.s[request], np.minimum(assumed, length)), dtype=float)
    return float(completions[assumed >= length].sum() / (volume_bound(lengths, 1, s)))


def attempts(policy: Policy, instance: Instance) -> tuple[IntArray, IntArray]:
    """Return the requests and the assumed lengths of all attempts, by increasing priority and then by request.

    Each attempt of a request must be longer than the one before; the last is no shorter than the request.
    """
    rows: list[tuple[IntArray, IntArray, FloatArray]] = []
    unfinished = instance
    while unfinished.n:
        assumed = ask_all(lambda r: policy.assumed(r, 0), unfinished)
        rows.append((unfinished.index, assumed, ask_all(policy.priority, unfinished)))
        unfinished = replace(unfinished, bound=assumed + 1).only(unfinished.length > assumed)
    request, assumed, priority = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.lexsort((request, priority))
    return request[order], assumed[order]
