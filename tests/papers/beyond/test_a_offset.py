"""a-offset: both engines make the same run, memory is kept, the run is the seed's, and no length is seen before it shows."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_run import episodes, everything

from crtools import InputError, Policy
from crtools.papers.beyond.laws import hardest, quantiles
from crtools.papers.beyond.one_machine import on_one_machine
from crtools.papers.beyond.policies import A_OFFSET, BASE
from crtools.process import Run, simulate
from crtools.process.instance import uniform_draws
from crtools.schedule import volume


@st.composite
def instances(draw: st.DrawFn) -> dict[str, Any]:
    """Few requests with intervals and prompts of their own or alike, memory from just enough upwards, and a seed."""
    random_ = draw(st.randoms(use_true_random=False))
    n, most = random_.randint(1, 12), random_.choice((2, 4, 8, 15, 40))
    low = [random_.randint(1, most) for _ in range(n)] if random_.random() < 0.5 else [1] * n
    up = [random_.randint(a, most) for a in low] if random_.random() < 0.5 else [most] * n
    s = [random_.randint(0, 6) for _ in range(n)] if random_.random() < 0.5 else [random_.randint(0, 4)] * n
    need = max(a + b for a, b in zip(s, up, strict=True))
    return {
        "lengths": [random_.randint(1, b) for b in up],
        "memory": need + random_.choice((0, 0, 1, 3, 10, 30, 100)),
        "s": s,
        "l": low,
        "u": up,
        "seed": random_.randint(0, 10**6),
    }


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=100)
@given(instances(), st.sampled_from((None, None, 20)))
def test_both_engines_make_the_same_run(instance: dict[str, Any], limit: int | None) -> None:
    assert everything(A_OFFSET, instance, "fast", limit) == everything(A_OFFSET, instance, "reference", limit)


def fast(instance: dict[str, Any]) -> Run:
    return simulate(A_OFFSET, **instance, engine="fast", history=True)


@settings(deadline=None, derandomize=True, max_examples=80)
@given(instances())
def test_memory_is_kept_at_every_instant(instance: dict[str, Any]) -> None:
    run = fast(instance)
    held = np.zeros(run.makespan + 1, dtype=np.int64)
    for start, end, i in episodes(run):
        held[start + 1 : end + 1] += instance["s"][i] + np.arange(1, end - start + 1)
    assert held.max() == run.peak_memory <= instance["memory"]
    assert held.sum() / run.makespan == pytest.approx(run.mean_memory)


def test_the_run_is_the_seeds_and_its_draws_are_not_those_of_the_lengths() -> None:
    lengths = np.random.default_rng(3).integers(1, 60, 400)
    one, again, other = (episodes(fast({"lengths": lengths, "memory": 500, "l": 1, "seed": k})) for k in (3, 3, 4))
    assert one == again != other
    assert abs(np.corrcoef(uniform_draws(400, 3), np.random.default_rng(3).random(400))[0, 1]) < 0.2


@settings(deadline=None, derandomize=True, max_examples=80)
@given(instances(), st.integers(0, 40), st.randoms(use_true_random=False))
def test_a_length_changes_nothing_before_it_shows(instance: dict[str, Any], now: int, random_: random.Random) -> None:
    run = fast(instance)
    seen = [0] * run.n  # the most tokens that a request has generated up to now
    for start, end, i in episodes(run):
        seen[i] = max(seen[i], min(end, now) - start)
    done = run.schedule.starts + run.lengths <= now
    other = [
        o if over else random_.randint(max(known + 1, 1), u) if known < u else o
        for o, u, known, over in zip(instance["lengths"], instance["u"], seen, done.tolist(), strict=True)
    ]
    changed = fast({**instance, "lengths": other})
    before, after = (
        {(start, i, min(end, now)) for start, end, i in episodes(one) if start < now} for one in (run, changed)
    )
    assert before == after


@settings(deadline=None, derandomize=True, max_examples=80)
@given(instances())
def test_attempts_are_killed_at_their_thresholds_or_evicted(instance: dict[str, Any]) -> None:
    run = fast(instance)
    assert run.cancelled is not None
    offsets = uniform_draws(run.n, instance["seed"])
    seen: dict[int, list[tuple[int, int]]] = {}
    for i, age, bound in zip(run.cancelled.request, run.cancelled.age, run.cancelled.bound, strict=True):
        seen.setdefault(int(i), []).append((int(bound), int(age)))
    for i, rows in seen.items():
        s, rows = instance["s"][i], [*rows, (int(run.bounds[i]), -1)]
        assert rows[0][0] == instance["l"][i]
        for (bound, age), (after, _) in pairwise(rows):
            exponent = np.ceil(np.log(volume(s, bound)) / np.log(float(BASE)) - offsets[i] - 1e-12)
            threshold = float(BASE) ** float(exponent + offsets[i])
            if after == bound:  # evicted: at an age below the threshold
                assert volume(s, age) <= threshold
            else:
                assert after == age + 1 and volume(s, age) <= threshold * (1 + 1e-12) < volume(s, age + 1) * (1 + 2e-12)
                assert bound <= age < instance["u"][i]


def test_where_memory_is_short_the_latest_started_goes_first_and_keeps_its_threshold() -> None:
    run = simulate(A_OFFSET, [6] * 4, 6, l=1, u=6, seed=8, history=True)
    assert run.cancelled is not None
    rows = [run.cancelled.request, run.cancelled.start, run.cancelled.age, run.cancelled.bound]
    # four attempts are killed at their thresholds; then request 1 runs from 2 to 8, and request 2, started at 6, would
    # need 2 tokens beside its 6 at the instant 8; the same happens to 0 beside 2, and to 3 beside 0
    assert list(zip(*(row.tolist() for row in rows), strict=True))[4:] == [(2, 6, 1, 3), (0, 12, 1, 3), (3, 18, 1, 3)]
    assert run.starts.tolist() == [14, 2, 8, 20] and run.bounds.tolist() == [3, 2, 3, 3]


def test_on_one_machine_the_ratio_of_equal_lengths_is_the_kernels_diagonal() -> None:
    # without kills before the end: E ½ + 1/ln b of delay by each other request, so 1 + 2/ln b of the least, at l small;
    # with l = u nothing is tried in vain, and the order of the thresholds does not matter
    assert on_one_machine(A_OFFSET, [9] * 500, l=9, u=9) == pytest.approx(1)
    found = [on_one_machine(A_OFFSET, [4000] * 500, l=1, u=4000, seed=seed) for seed in range(8)]
    assert np.mean(found) == pytest.approx(1 + 2 / np.log(float(BASE)), rel=0.01)


def test_on_one_machine_no_law_tried_is_above_the_bound() -> None:
    for u, s in ((100, 0), (1000, 0), (1000, 50)):
        lengths = quantiles(hardest(1, u, s), 1, 20_000)
        found = [on_one_machine(A_OFFSET, lengths, s, 1, u, seed) for seed in range(4)]
        assert 2 < np.mean(found) < 2.7284
        assert np.mean(lengths == u) == pytest.approx(np.sqrt(volume(s, 1) / volume(s, u)), abs=1e-4)


def test_what_it_cannot_run_is_refused() -> None:
    with pytest.raises(InputError, match="memory"):
        simulate(A_OFFSET, [3], 4, s=2, u=3)
    with pytest.raises(InputError, match=r"cannot be compiled .* too slow"):
        simulate(A_OFFSET, [10**8] * 2000, 10**15, s=10**9, engine="fast")
    with pytest.raises(InputError, match="paced"):
        Policy("both", priority=lambda r: 0, assumed=lambda r, age: r.u, paced=True, overflow=True)
