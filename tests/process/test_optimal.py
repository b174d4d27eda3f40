"""The optimum of small instances against enumeration, and its bounds."""

from __future__ import annotations

from itertools import product
from math import ceil
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import InputError, Schedule, optimum, simulate
from crtools.process.run import volume_bound
from crtools.schedule import peak


def best_by_enumeration(lengths: list[int], memory: int, s: int) -> int:
    """The least total latency over all start times up to the sum of the lengths."""
    horizon = sum(lengths)
    best = 10**9
    for starts in product(range(horizon), repeat=len(lengths)):
        total = sum(starts) + sum(lengths)
        if total < best:
            arrays = (np.array(starts), np.array(lengths), np.full(len(lengths), s))
            if peak(*arrays) <= memory:
                best = total
    return best


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(0, 2), st.integers(0, 6))
def test_the_programme_finds_the_optimum(lengths: list[int], s: int, spare: int) -> None:
    memory = s + max(lengths) + spare
    found = optimum(lengths, memory, s)
    assert found.proved
    assert found.total_latency == found.lower_bound == best_by_enumeration(lengths, memory, s)
    assert found.schedule.feasible(memory)
    assert found.total_latency <= simulate("h-sf", lengths, memory, s).total_latency


def test_the_optimum_of_the_papers_example() -> None:
    found = optimum([1, 2, 3, 4], 7, 1)
    assert (found.total_latency, found.proved, found.gap) == (12, True, 0)
    assert Schedule((0, 0, 0, 2), (1, 2, 3, 4), 1).total_latency == 12


@pytest.mark.parametrize("dual", [None, -np.inf, 0.0, 5.5])
def test_a_bound_that_the_solver_did_not_reach_is_at_least_the_volume_bound(
    dual: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    lengths, prompts = rng.integers(1, 20, 30).tolist(), rng.integers(1, 6, 30).tolist()
    stopped = SimpleNamespace(mip_dual_bound=dual, x=None)
    monkeypatch.setattr("scipy.optimize.milp", lambda *_, **__: stopped)
    found = optimum(lengths, 40, prompts, time_limit=1)
    assert found.lower_bound == ceil(volume_bound(lengths, 40, prompts)) > sum(lengths)
    assert not found.proved and found.gap == (found.total_latency - found.lower_bound) / found.lower_bound
    roomy = optimum([3, 2, 1], 1000, time_limit=1)
    assert roomy.lower_bound == 6 and roomy.proved  # all at once: Σ o


def test_an_instance_that_cannot_be_run_has_no_optimum() -> None:
    with pytest.raises(InputError):
        optimum([1, 9], 5)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), "1", True, [1]])
def test_a_time_limit_that_is_none_is_refused(limit: Any) -> None:
    with pytest.raises(InputError, match="time_limit"):
        optimum([1, 2, 3, 4], 7, 1, time_limit=limit)


def test_a_time_limit_may_be_long_and_lengths_an_iterator() -> None:
    assert optimum(iter([1, 2, 3, 4]), 7, 1, time_limit=10**400).total_latency == 12  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad", [([], 5), ([1, 9], 5), ([0], 5), ([1.5], 5), ([True], 5), ("1", 5), ([1], 0), ([1], None)]
)
def test_what_is_no_instance_has_no_optimum(bad: Any) -> None:
    with pytest.raises(InputError):
        optimum(*bad)
