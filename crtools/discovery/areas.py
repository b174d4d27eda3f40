"""Where a policy follows its area form: a random order in which each request delays the others by its token-instants.

A queue in random order whose memory is full on average has the entries ½ (v_i + v_j), v the token-instants of a request.
Few lengths can keep requests in step, so that they all end together and memory is left unused; many spread their ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crtools.discovery.third_differences import Progress, Sizes, half_widths, latency
from crtools.numeric_types import JsonObject
from crtools.process import Policy
from crtools.schedule import volume

LENGTHS: tuple[tuple[int, ...], ...] = ((2, 5), (2, 3, 4, 5), tuple(range(2, 9)), tuple(range(2, 14)))
"""In equal shares, at s = 1: from few to many."""

PROMPT = 1
"""s."""

FOLLOWS = 0.02
"""A latency within its interval and this of the area form's follows it."""


@dataclass(frozen=True)
class OverArea:
    """2M·TEL/n² over the area form's, for equal shares of some lengths, with what vanishes like 1/√M taken out.

    half: half the width of an interval that holds with 99 % or more.
    """

    lengths: tuple[int, ...]
    ratio: float
    half: float

    @property
    def follows(self) -> bool:
        """Whether the latency agrees with the area form."""
        return abs(self.ratio - 1) <= FOLLOWS and self.half <= FOLLOWS

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            "lengths": list(self.lengths), "s": PROMPT, "ratio": self.ratio, "half_width": self.half,
            "follows": self.follows,
        }  # fmt: skip


def over_areas(policy: Policy, sizes: Sizes, progress: Progress = iter) -> tuple[OverArea, ...]:
    """Compare a policy's latency with its area form's under a few lengths and under many; none where it takes only two."""
    if policy.takes == "l-or-u":
        return ()
    return tuple(_over_area(policy, lengths, sizes) for lengths in progress(LENGTHS))


def _over_area(policy: Policy, lengths: Sequence[int], sizes: Sizes) -> OverArea:
    area = sum(volume(PROMPT, k) for k in lengths) / len(lengths)
    interval = min(lengths), max(lengths)
    means, halves = [], []
    for memory, batches, seeds in sizes:
        rows = [[latency(policy, lengths, interval, PROMPT, memory, memory * batches, k) / area] for k in range(seeds)]
        means.append(float(np.mean(rows)))
        halves.append(float(half_widths(np.array(rows))[0]))
    return OverArea(tuple(lengths), 2 * means[1] - means[0], 2 * halves[1] + halves[0])
