"""Means over seeds, results that do not depend on the number of processes, and the optimum of small instances."""

from __future__ import annotations

import os
from dataclasses import FrozenInstanceError
from itertools import product
from math import ceil
from types import SimpleNamespace
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import POLICIES, InputError, Policy, Schedule, Setting, compare, form, optimum, simulate
from crtools.parallel import in_processes
from crtools.process import Mean, comparing, comparisons, sweep
from crtools.process.run import volume_bound
from crtools.process.sweep import run_sweep
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


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    one, two = (compare("a-min", "geometric(q=4/5)", n=80, memory=60, seeds=4, jobs=jobs) for jobs in (1, 2))
    assert [r.total_latency for r in one.runs] == [r.total_latency for r in two.runs]
    assert one.to_h_sf == two.to_h_sf
    assert one.policy == "a-min-literal"
    assert one.to_volume.mean >= 1


@pytest.mark.parametrize("policy", ["a-max", "a-random", "h-sf"])
def test_a_comparison_is_its_runs_and_the_form_at_the_drawn_lengths(policy: str) -> None:
    n, memory, s = 60, 50, 2
    found = compare(policy, "uniform(l=2, u=7)", n=n, memory=memory, s=s, seeds=[3, 8])
    assert found.forms is not None
    for run, best, value in zip(found.runs, found.benchmark, found.forms, strict=True):
        lengths = [int(end) for end in run.schedule.lengths]
        assert lengths == [int(end) for end in best.schedule.lengths]
        assert all(2 <= length <= 7 for length in lengths)
        entry = form(policy).on(Setting(s, 2, 7)).entry
        assert value == pytest.approx(float(sum(entry(a, b) for a in lengths for b in lengths)) / (2 * memory))
        assert best.total_latency == simulate("h-sf", lengths, memory, s).total_latency
    shares = [run.total_latency / value for run, value in zip(found.runs, found.forms, strict=True)]
    assert found.to_form is not None and found.to_form.mean == pytest.approx(sum(shares) / 2)
    assert found.as_json()["to_form"] == found.to_form.as_json()
    with pytest.raises(FrozenInstanceError):
        found.runs = ()  # pyright: ignore[reportAttributeAccessIssue]


def test_the_smallest_comparison() -> None:
    found = compare("a-min", "uniform(l=1, u=1)", n=1, memory=1)
    assert [run.total_latency for run in (*found.runs, *found.benchmark)] == [1, 1]
    assert found.to_h_sf.interval is None


def test_means_have_student_intervals() -> None:
    mean = Mean.of([1.0, 2.0, 3.0])
    assert mean.mean == 2
    assert mean.standard_error == pytest.approx(1 / 3**0.5)
    assert mean.interval == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))
    assert Mean.of([1.0]).interval is None


@pytest.mark.exhaustive  # takes seconds
def test_a_process_that_dies_is_one_line() -> None:
    def die(seed: int) -> None:
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(InputError, match="jobs = 2: a process died"):
        run_sweep(die, (), range(2), jobs=2)


@pytest.mark.parametrize(("worth", "seeds", "apart"), [(1e-9, 5, 3), (1e-9, 3, 0), (1e9, 5, 0)])
def test_processes_are_taken_where_what_is_left_takes_long(
    monkeypatch: pytest.MonkeyPatch, worth: float, seeds: int, apart: int
) -> None:
    monkeypatch.setattr(sweep, "WORTH", worth)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 2)
    found = run_sweep(here, (), range(seeds), jobs=None)
    assert [k for k, _ in found] == list(range(seeds))
    others = [process for _, process in found if process != os.getpid()]
    assert len(others) == apart, found  # the first loads, and the second says how long it takes; one left stays


def test_one_job_is_done_here_and_ends_nobody() -> None:
    assert list(in_processes(here, [(1,)], 1)) == [(1, os.getpid())]


def here(k: int) -> tuple[int, int]:
    return k, os.getpid()


def test_h_sf_runs_once_for_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    for module in (comparing, comparisons):
        exact = module.simulate
        monkeypatch.setattr(
            module, "simulate", lambda policy, *a, exact=exact, **k: ran.append(policy) or exact(policy, *a, **k)
        )
    found = compare(["h-sf", "a-max"], "uniform(1,9)", n=20, memory="30:40:10", seeds=2)
    assert sorted(ran) == ["a-max"] * 4 + ["h-sf"] * 4
    assert compare("h-sf", "uniform(1,9)", n=20, memory=30, seeds=2).to_h_sf.mean == 1
    assert ran.count("h-sf") == 6 and all(
        cell.mean("to_h_sf").mean == 1 for cell in found.cells if cell.policy == "h-sf"
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_policy_of_ones_own_is_compared_without_a_form(jobs: int) -> None:
    lower_first = Policy("h-sf", priority=lambda r: -r.length, assumed=lambda r, age: r.length, fixed=True)
    found = compare(lower_first, "uniform(l=1,u=9)", n=30, memory=40, seeds=2, jobs=jobs)
    assert found.to_form is None and found.as_json()["to_form"] is None  # also with the name of one that has a form
    assert found.to_h_sf.mean > 1 and found.to_volume.mean > 1
    by_hand = simulate(lower_first, found.runs[1].lengths, 40, 0, 1, 9, seed=1)
    assert by_hand == found.runs[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_policy_of_the_paper_is_the_same_by_name_and_as_an_object(jobs: int) -> None:
    by_name, by_object = (
        compare(policy, "uniform(l=1,u=30)", n=100, memory=80, seeds=2, jobs=jobs)
        for policy in ("a-min-cohort", POLICIES["a-min-cohort"])
    )
    assert by_name.runs == by_object.runs and by_name.to_form == by_object.to_form


@pytest.mark.parametrize("bad", [{"n": 0}, {"memory": 0}, {"s": -1}, {"seeds": 0}, {"seeds": []}, {"jobs": 0},
    {"seeds": -1}, {"seeds": [-1]}, {"seeds": [0.5]}, {"seeds": "12"}, {"seeds": True}, {"seeds": [2**63]}, {"seeds": None},
    {"seeds": 10**12}, {"seeds": range(10**30)}, {"n": True}, {"n": 2.0}, {"n": float("nan")}, {"n": "5"}, {"memory": 10**30}, {"s": None},
    {"s": [1] * 5}, {"jobs": 1.5}, {"jobs": 1000}, {"l": 2}, {"l": 0}, {"u": 1}, {"u": 10**12}, {"l": "1"},
    {"policy": 3}, {"policy": []}, {"policy": "none"}, {"dist": None}, {"dist": []}, {"dist": 3}, {"dist": "geometric(q)"},
    {"n": 10**10},
])  # fmt: skip
def test_bad_values_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        compare(**{"policy": "a-min", "dist": "geometric(q=1/2)", "n": 5, "memory": 50, **bad})
    assert "\n" not in str(caught.value)


def test_a_mean_is_written_with_its_error_and_interval() -> None:
    assert str(Mean(1.5, 0.25, (1.0, 2.0))) == "1.5 ± 0.25 [1, 2]"
    assert str(Mean(1.5, None, None)) == "1.5"
    assert Mean(1.5, 0.25, (0.123456, 1523.4)).texts() == ("1.5", "[0.123, 1523]")
    assert Mean(1.5, None, None).texts() == ("1.5", "")
