"""The best blind schedule in the process: both engines alike, nothing seen before it shows, and what it pays."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whole_run import episodes, everything

from crtools import InputError, Policy
from crtools.blind import best
from crtools.blind.min_norm_point import Group, Search
from crtools.blind.scheduler import for_law, grouped, learned, on_one_machine, survival_estimate
from crtools.distributions import distribution
from crtools.papers.beyond.policies import A_LEARN
from crtools.process import Run, simulate
from crtools.process.clocks import as_clock
from crtools.process.instance import make_instance
from crtools.process.plans import GRAIN, AttemptTable, Plan, Seen

SHORT = for_law("uniform(1, 8)")


@st.composite
def instances(draw: st.DrawFn) -> dict[str, Any]:
    """Few requests with prompts and intervals of their own or alike, memory from just enough upwards, and a seed."""
    random_ = draw(st.randoms(use_true_random=False))
    n, most = random_.randint(1, 30), random_.choice((2, 4, 8, 15))
    low = [random_.randint(1, most) for _ in range(n)] if random_.random() < 0.5 else [1] * n
    up = [random_.randint(a, most) for a in low] if random_.random() < 0.5 else [most] * n
    s = [random_.randint(0, 6) for _ in range(n)] if random_.random() < 0.5 else [random_.randint(0, 4)] * n
    need = max(a + b for a, b in zip(s, up, strict=True))
    return {
        "lengths": [random_.randint(a, b) for a, b in zip(low, up, strict=True)],
        "memory": need + random_.choice((0, 0, 1, 3, 10, 30, 100)),
        "s": s,
        "l": low,
        "u": up,
        "seed": random_.randint(0, 10**6),
    }


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=25)
@given(instances(), st.sampled_from((A_LEARN, SHORT)), st.sampled_from((None, None, 20)))
def test_both_engines_make_the_same_run(instance: dict[str, Any], policy: Policy, limit: int | None) -> None:
    assert everything(policy, instance, "fast", limit) == everything(policy, instance, "reference", limit)


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=20)
@given(instances(), st.sampled_from((A_LEARN, SHORT)))
def test_memory_is_kept_at_every_instant(instance: dict[str, Any], policy: Policy) -> None:
    run = simulate(policy, **instance, engine="fast", history=True)
    held = np.zeros(run.makespan + 1, dtype=np.int64)
    for start, end, i in episodes(run):
        held[start + 1 : end + 1] += instance["s"][i] + np.arange(1, end - start + 1)
    assert held.max() == run.peak_memory <= instance["memory"]
    assert held.sum() / run.makespan == pytest.approx(run.mean_memory)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(instances(), st.integers(0, 40), st.randoms(use_true_random=False))
def test_a_length_changes_nothing_before_it_shows(instance: dict[str, Any], now: int, random_: random.Random) -> None:
    def fast(lengths: list[int]) -> Run:
        changed: dict[str, Any] = {**instance, "lengths": lengths}
        return simulate(A_LEARN, **changed, engine="fast", history=True)

    run = fast(instance["lengths"])
    seen = [0] * run.n  # the most tokens that a request has generated up to now
    for start, end, i in episodes(run):
        seen[i] = max(seen[i], min(end, now) - start)
    done = (run.starts + run.lengths <= now).tolist()
    rows = zip(instance["lengths"], instance["l"], instance["u"], seen, done, strict=True)
    other = [o if over else random_.randint(max(k + 1, l), u) if k < u else o for o, l, u, k, over in rows]
    before, after = (
        {(start, i, min(end, now)) for start, end, i in episodes(one) if start < now} for one in (run, fast(other))
    )
    assert before == after


@pytest.mark.parametrize(
    ("s", "clock", "lazy"), [([2, 2], "steps", False), ([2, 3], "steps", True), ([2, 2], "seconds", True)]
)
def test_kill_ages_are_permissions_but_in_steps_with_equal_prompts(s: Any, clock: Any, lazy: bool) -> None:
    requests = known([1, 4], s, 9, done=False)
    assert (
        A_LEARN.plan.is_lazy(replace(requests, clock=as_clock(clock)))
        == SHORT.plan.is_lazy(make_instance([1, 4], 30, s, clock=as_clock(clock)))
        == lazy
    )


def known(lengths: Any, s: Any, u: int, *, done: bool = True) -> Seen:
    n, o = len(lengths), np.asarray(lengths, np.int64)
    drawn = np.random.default_rng(5).random(n)
    tokens = o if done else np.zeros(n, np.int64)
    prompts = np.broadcast_to(np.asarray(s, np.int64), (n,))
    ones = np.ones(n, np.int64)
    return Seen(10**6, prompts, ones, u * ones, drawn, tokens, np.full(n, done), np.argsort(drawn), 0 * o, o > 0)


@pytest.mark.parametrize(
    ("law", "s", "u"), [("geometric(q=9/10)", 0, 120), ("zipf(a=1, u=60)", 20, 60), ("uniform(1, 10)", 0, 10)]
)
def test_on_one_machine_the_plans_for_a_law_pay_what_is_best_for_it(law: str, s: int, u: int) -> None:
    lengths = np.minimum(distribution(law).sample(20_000, np.random.default_rng(1)), u)
    told = known(lengths, s, u)
    plan = for_law(law).plan
    assert plan is not None
    rows = plan.list_attempts(replace(told, tokens=0 * told.tokens, done=~told.done))
    least = np.cumsum(np.sort(s * lengths + lengths * (lengths + 1) / 2)).sum()
    assert on_one_machine(rows, told) / least == pytest.approx(float(best(law, s, 5).value.upper), rel=0.02)


def test_one_group_is_the_law_alone_and_equal_groups_are_one() -> None:
    sizes, weights = np.array([1.0, 3, 6, 10, 15]), np.array([0.4, 0.2, 0.2, 0.1, 0.1])
    (alone,) = Search([Group(1.0, sizes, weights)], 1e-9).mixtures()
    both = Search([Group(0.3, sizes, weights), Group(0.7, sizes, weights)], 1e-9).mixtures()
    assert sum(alone.plans.values()) == pytest.approx(1)
    flow = [0.3 * both[0].plans.get(path, 0) + 0.7 * both[1].plans.get(path, 0) for path in alone.plans]
    assert flow == pytest.approx(list(alone.plans.values()), abs=1e-4)


def test_the_way_on_is_the_plans_own_and_ends_at_the_last_place() -> None:
    sizes = np.array([1.0, 3, 6, 10, 15, 21, 28])
    (mixed,) = Search([Group(1.0, sizes, np.full(7, 1 / 7))]).mixtures()
    assert all(path[0] == a and path[-1] == 7 for a, path in enumerate(mixed.onward))
    assert mixed.onward[0] in mixed.plans or len(mixed.plans) > 1


def test_the_estimate_is_the_sample_and_with_ages_that_of_a_textbook() -> None:
    lengths, weights = survival_estimate(np.array([3.0, 1.0, 2.0]), np.ones(3, np.bool_))
    assert lengths.tolist() == [1, 2, 3] and weights == pytest.approx([1 / 3] * 3)
    # remissions of 6-mercaptopurine (Freireich et al. 1963): S(6) = 0.857, S(10) = 0.753, S(23) = 0.448
    weeks = [6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35]
    done = [1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    places, shares = survival_estimate(np.array(weeks, float), np.array(done, np.bool_))
    left = {week: 1 - shares[places <= week].sum() for week in (6, 10, 23)}
    assert left == pytest.approx({6: 0.857, 10: 0.753, 23: 0.448}, abs=5e-4)
    assert shares.sum() == pytest.approx(1) and places.max() > 35


def test_prompts_that_tell_the_length_are_told_apart_and_others_are_not() -> None:
    random_ = np.random.default_rng(2)
    s = random_.integers(0, 2, 2000) * 50 + 1
    told = known(np.where(s > 9, random_.integers(1, 4, 2000), random_.integers(40, 60, 2000)), s, 60)
    kills = [
        len(set(rows.kill[s[rows.request] == p].tolist()))
        for rows in [learned(replace(told, pilot=told.pilot[:99]))]
        for p in (1, 51)
    ]
    assert min(kills) >= 1
    key = np.array([5, 5, 7, 7, 7, 9])
    assert grouped(key, 1).max() == 0 and grouped(key, 3)[0] == grouped(key, 3)[1] < grouped(key, 3)[5]


def test_a_burst_is_small_so_that_attempts_that_grow_together_are_rarely_evicted() -> None:
    """BURST: the share of the steady-state number of attempts that may start at one instant.

    Equal lengths are the worst case: all attempts of a burst reach their largest memory at the same instant. With BURST = 1/2 there are
    1,213 evictions and the ratio is 1.84; with 1/256 it is 1.23, but on other distributions memory is then left idle.
    """
    run = simulate("best:empirical(20:1)", [20] * 600, 400, 0, 1, 20, seed=1)
    assert run.cancellations < 600
    assert run.to_volume < 1.6


@pytest.mark.parametrize("s", [0, 3, 50])
def test_the_credit_of_an_attempt_is_a_sixteenth_of_the_steady_state_over_its_growth(s: int) -> None:
    """In the steady state M · time / price attempts run; BURST/growth of them may start at once, growth = 1 − (s+1) · time / price."""
    u = 20
    requests = replace(known([u] * 40, s, u), memory=1000, done=np.zeros(40, np.bool_), tokens=np.zeros(40, np.int64))
    rows = for_law(f"empirical({u}:1)").plan.list_attempts(requests)  # type: ignore[union-attr]
    price = s * u + u * (u + 1) / 2
    growth = 1 - (s + 1) * u / price
    assert rows.price.tolist() == [price * GRAIN] * 40
    assert rows.kept == pytest.approx(np.full(40, 1000 * u / 16 / growth * GRAIN), abs=1)


def test_no_attempt_ends_before_the_least_length() -> None:
    requests = replace(
        known([9] * 40, 0, 10), l=np.full(40, 5), done=np.zeros(40, np.bool_), tokens=np.zeros(40, np.int64)
    )
    rows = for_law("empirical(2:9, 4:9, 6:9, 10:1)").plan.list_attempts(requests)  # type: ignore[union-attr]
    assert set(rows.kill.tolist()) == {6, 10}


def test_prompts_that_tell_the_length_are_split_for_a_small_gain() -> None:
    """GAIN: the share of the estimated cost that more groups must save. Two kinds of prompts save a few percent on one machine.

    In the process it is far more: with one group (GAIN = 1/2) the ratio is above 2.5.
    """
    random_ = np.random.default_rng(0)
    s = random_.choice([1, 51], 700)
    lengths = np.where(s == 51, random_.integers(1, 4, 700), random_.integers(30, 60, 700))
    assert simulate(A_LEARN, lengths, 1000, s.tolist(), 1, 60, seed=1).to_volume < 2.2


def test_before_anything_is_known_an_attempt_costs_a_tenth_of_its_threshold() -> None:
    """FIRST_PRICE: what a start costs over its threshold before a request has completed: most requests are far shorter.

    A price of 10 thresholds leaves memory idle; the ratio is then above 3.5.
    """
    lengths = np.minimum(np.random.default_rng(0).geometric(0.1, 1000), 60)
    assert simulate(A_LEARN, lengths, 300, 0, 1, 60, seed=1).to_volume < 3.1
    requests = replace(known(lengths, 0, 60, done=False), memory=300, pilot=np.arange(30))
    rows = learned(requests)
    others = (rows.request >= 30) & (rows.kill < 60)
    assert others.any() and (rows.price[others] == np.ceil(np.maximum(rows.priority[others] / 10, 1) * GRAIN)).all()
    assert (rows.price[rows.request < 30] == 0).all()


@pytest.mark.exhaustive  # takes seconds
def test_it_learns_in_the_process_what_the_prompts_tell() -> None:
    random_ = np.random.default_rng(3)
    s = random_.choice([10, 200], 3000)
    o = np.where(s == 200, random_.integers(1, 10, 3000), random_.geometric(1 / 60, 3000).clip(1, 400))
    ran = {
        name: simulate(name, o, 12_000, s.tolist(), 1, 400, seed=1).to_volume
        for name in ("a-learn", "a-min-literal", "a-offset")
    }
    assert ran["a-learn"] < 0.9 * min(ran["a-min-literal"], ran["a-offset"])


@pytest.mark.exhaustive  # takes seconds
def test_with_the_law_known_it_is_within_an_eighth_of_the_best_ratio_in_little_memory() -> None:
    u, value = 100, float(best("geometric(q=9/10)", 0, 4).value.upper)
    lengths = np.minimum(np.random.default_rng(0).geometric(0.1, 8000), u)
    known_law, learns, offset = (
        simulate(name, lengths, 10 * u, 0, 1, u, seed=0).to_volume / value
        for name in ("best:geometric(q=9/10)", "a-learn", "a-offset")
    )
    assert 1 < known_law < 1.13 < offset and known_law < learns < 1.3


def test_the_name_of_a_law_is_part_of_the_policys_name() -> None:
    run = simulate("Best: uniform(1,4)", [1, 2, 3, 4], 20, seed=1)
    assert run.policy == "best:uniform(l=1, u=4)"


@pytest.mark.parametrize(
    "name", ["best:", "best:geometric(q)", "best:pareto(1)", "best:nothing", "bests:uniform(1, 4)", "best:zipf(a=1.5)"]
)
def test_what_is_no_law_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        simulate(name, [1, 2], 10)


def wrong(change: Any) -> Policy:
    def listed(told: Seen) -> AttemptTable:
        n = len(told.s)
        zero = np.zeros(n, np.int64)
        return change(AttemptTable(np.arange(n), told.u.astype(np.int64), np.zeros(n), zero, zero))

    return replace(A_LEARN, name="wrong", plan=Plan(listed))


@pytest.mark.parametrize("engine", ["fast", "reference"])
@pytest.mark.parametrize(
    "change",
    [
        lambda rows: replace(rows, kill=rows.kill - 1),
        lambda rows: replace(rows, request=rows.request[::-1]),
        lambda rows: replace(rows, price=rows.price - 1),
        lambda rows: AttemptTable(
            *(np.repeat(getattr(rows, f), 2) for f in ("request", "kill", "priority", "price", "kept"))
        ),
        lambda rows: AttemptTable(*(getattr(rows, f)[1:] for f in ("request", "kill", "priority", "price", "kept"))),
    ],
)
def test_what_is_no_list_of_attempts_is_refused(change: Any, engine: Any) -> None:
    assert simulate(wrong(lambda rows: rows), [3, 1, 2], 9, u=4, engine=engine).total_latency > 0
    with pytest.raises(InputError, match="must list for each request"):
        simulate(wrong(change), [3, 1, 2], 9, u=4, engine=engine)
