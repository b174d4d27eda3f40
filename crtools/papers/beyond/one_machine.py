"""A paced policy in the limit M → ∞: one machine does M token-instants per instant, and attempts follow one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.process.attempts import attempts
from crtools.process.instance import PerRequest, for_policy, make_instance
from crtools.process.policies import Policy
from crtools.process.run import volume_bound
from crtools.schedule import volume


def on_one_machine(
    policy: Policy, lengths: Any, s: PerRequest = 0, l: int | None = None, u: int | None = None, seed: int = 0
) -> float:
    """Return the sum of completion times over the least one, Σ_k (sum of the k smallest volumes), for this seed.

    The machine works off the volumes of the attempts in their order: v(c) of one killed at c tokens, v(o) of the last.
    """
    given = make_instance(lengths, 10**15, s, l, u)
    instance = for_policy(given, policy, seed)
    request, _, assumed, after = attempts(policy, instance)
    ends = np.cumsum(volume(instance.s[request], np.minimum(assumed, instance.length[request])), dtype=float)
    return float(ends[after < 0].sum() / (volume_bound(lengths, 1, s)))
