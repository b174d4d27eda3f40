"""h-windows, box-offsets, box-thresholds: the policies of this theory's theorems, made runnable.

They have proved factors to the optimum for all prompts, and are no recommendations: in runs other policies are better.
docs/model.md describes them, docs/beyond/any-memory.md has the theorems.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from crtools.numeric_types import FloatArray, IntArray
from crtools.process.instance import Instance
from crtools.process.plans import AttemptTable, Plan, Seen
from crtools.process.policies import Policy
from crtools.schedule import volume

WINDOW_GROWTH, SMALL_WEIGHT, LARGE_FIRST = 2.9, 1.5, 0.7167
"""g, the ratio of the ends of two windows; γ, the weight of the length of a request with a small peak; and the probability
with which requests with a large peak go first."""

OFFSETS_BASE, THRESHOLDS_BASE = Fraction(25, 4), Fraction(9, 4)


def window_places(number: float, requests: Instance) -> FloatArray:
    """Return the position of each request in the order of ``h-windows``, plus ½ for the first of each half of a window.

    One uniform number gives both the coin and, given the coin, the offset of the windows.
    """
    large_first = number < LARGE_FIRST
    offset = number / LARGE_FIRST if large_first else (number - LARGE_FIRST) / (1 - LARGE_FIRST)
    s, o = requests.s.astype(float), requests.length.astype(float)
    volumes = volume(s, o)
    by_volume = np.argsort(volumes, kind="stable")
    before = np.cumsum(np.append(0, volumes[by_volume]))[:-1]
    large = 2 * (s + o)[by_volume] > requests.memory
    due = 4 * before / requests.memory + np.where(large, 1, SMALL_WEIGHT) * o[by_volume]
    half = 2 * np.ceil(np.log(due) / math.log(WINDOW_GROWTH) - offset) + (large != large_first)
    order = np.argsort(half, kind="stable")
    position = np.empty(requests.n)
    position[by_volume[order]] = np.arange(requests.n) + np.diff(half[order], prepend=np.nan).astype(bool) / 2
    return position


H_WINDOWS = Policy(
    "h-windows",
    priority=lambda r: r.drawn,
    assumed=lambda r, age: r.length,
    peaks=True,
    limit=lambda r, now: 0.0 if r.drawn % 1 else math.inf,
    draws=lambda numbers, requests: window_places(float(numbers[0]), requests),
    knows="o",
    usual=False,
    summary="a theorem to run: windows of smallest volumes",
)
"""Within 9.955 times the optimum on average for all prompts and every M."""


def _kill_age(s: IntArray, last_age: IntArray, threshold: FloatArray | float) -> IntArray:
    """Return the largest age, at most ``last_age``, whose volume is at most the threshold."""
    twice = 2.0 * s + 1
    bounded = np.minimum(threshold, volume(s.astype(float), last_age.astype(float)))
    age = np.floor(4 * bounded / (np.sqrt(twice * twice + 8 * bounded) + twice)) + 1  # a root may be rounded
    for _ in range(2):
        age -= volume(s, age) > bounded
    return np.minimum(age, last_age).astype(np.int64)


def _boxes(seen: Seen, base: Fraction, offset: FloatArray | None) -> AttemptTable:
    """List attempts with thresholds b^(k + U), or b^k for all: k = 0, 1, … as long as a kill age is below P − s."""
    last_age, ended = (seen.s + seen.u).max() - seen.s, np.zeros(len(seen.s), bool)
    rows: list[FloatArray] = []
    k = 0
    while not ended.all():
        # volumes are integers, so a common threshold can be rounded down
        threshold = float(math.floor(base**k)) if offset is None else float(base) ** (k + offset)
        age = _kill_age(seen.s, last_age, threshold)
        tried = np.flatnonzero((age > 0) & ~ended)
        order = np.full(len(tried), float(k)) if offset is None else (k + offset)[tried]
        rows.append(np.stack([tried, age[tried], order]).astype(float))
        ended |= age == last_age
        k += 1
    request, kill, order = np.concatenate(rows, axis=1)
    at = np.lexsort((order, request))
    free = np.zeros(len(at), np.int64)
    return AttemptTable(request[at].astype(np.int64), kill[at].astype(np.int64), order[at], free, free)


def _box_policy(name: str, base: Fraction, drawn_offsets: bool, summary: str) -> Policy:
    def attempts(seen: Seen) -> AttemptTable:
        return _boxes(seen, base, seen.drawn if drawn_offsets else None)

    return Policy(
        name,
        priority=lambda r: 0,
        assumed=lambda r, age: r.u,
        longest=lambda r: r.u,
        draws=(lambda numbers: numbers) if drawn_offsets else None,
        paced=True,
        plan=Plan(attempts, boxes=True),
        knows="u",
        usual=False,
        summary=summary,
    )


BOX_OFFSETS = _box_policy("box-offsets", OFFSETS_BASE, True, "a theorem to run: reserved boxes b^(k+U), U its own")
"""Blind, within 7.525 κ times the optimum on average, κ = M/(M − P + 1), P = max (s + u)."""

BOX_THRESHOLDS = _box_policy("box-thresholds", THRESHOLDS_BASE, False, "a theorem to run: reserved boxes b^k")
"""Blind and deterministic, within 14.57 κ times the optimum."""

POLICIES: dict[str, Policy] = {policy.name: policy for policy in (H_WINDOWS, BOX_OFFSETS, BOX_THRESHOLDS)}
"""By name."""
