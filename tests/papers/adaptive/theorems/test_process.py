"""Bounds on the discrete process at finite n and M: for the literal A_min, H-SF and kill and restart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from inspect import isfunction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from changed_texts import refused
from decided import decided
from hypothesis import given, settings
from hypothesis import strategies as st

from check import process as judge
from crtools import Setting, compare, form, simulate, verify, worst_case
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.claims import a_random, thm_optimality
from crtools.papers.adaptive.evidence import algorithm_two, staggered
from crtools.papers.adaptive.evidence.a_max import by_rounding, everywhere_below, upper_bound
from crtools.papers.adaptive.forms import thresholds
from crtools.papers.adaptive.literal.forms import denominator_lower_bound, minors, restart_sum
from crtools.papers.adaptive.literal.forms import ratio_lower_bound as literal_ratio_lower_bound
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.proof.steps import Argument, Identity, Inference, Positive, Telescoping
from crtools.proof.theorem import Citation, Theorem, by_itself
from tests.papers.adaptive import trials
from tests.papers.adaptive.bounds import a_max, at_finite_n, h_sf

THEOREMS = ("H-SF by peaks", "the literal A_min in the process", "kill and restart")


@pytest.mark.parametrize("name", THEOREMS)
def test_every_step_holds(name: str) -> None:
    own = theorem(name)
    assert own.holds, own.first_failure
    assert any(isinstance(s, Argument) for s in own.steps)


def test_every_function_that_tries_an_argument_of_the_process_is_named_in_the_text() -> None:
    """And each has a line that says what it tries."""
    own = {name: f for name, f in vars(trials).items() if f in _of_this_module() and name not in HELPERS}
    named = {step.function for own in TEXT.theory.theorems.values() for step in own.steps if step.function}
    assert own.keys() <= named
    assert all(function.__doc__ for function in own.values())


HELPERS = ("small_instances", "list_starts")


def _of_this_module() -> list[Any]:
    return [
        value
        for name, value in vars(trials).items()
        if not name.startswith("_") and isfunction(value) and value.__module__ == trials.__name__
    ]


def test_an_argument_needs_words_and_a_test_that_passes() -> None:
    assert Argument(name="a", conclusion="b", test=lambda: None, tested="nothing").check() is not None
    assert Argument(name="a", text="w", conclusion="b", test=lambda: "no", tested="nothing").check() == "no"


def test_h_sf_is_near_every_schedule_and_no_nearer() -> None:
    assert theorem("H-SF against every schedule").holds
    for factor in ("(near(s, u) - 1/100)", "near(s, u)*99/100", "(2*s + 2*u - 1)/(2*s + u + 1)", "2", "1"):
        assert refused(TEXT.theory, "H-SF against every schedule", "near(s, u)", factor)
    for prompt, up in ((0, 3), (1, 1), (1, 7), (5, 12)):  # the forms at equal lengths u have that ratio
        own = [form(name).on(Setting(s=prompt, l=1, u=up)).matrix()[-1][-1] for name in ("h-sf", "volume")]
        assert own[0] / own[1] == Fraction(2 * (prompt + up), 2 * prompt + up + 1)


def test_h_sf_stays_within_the_factor_in_long_runs() -> None:
    for law, prompt, up in (
        ("uniform(l=1, u=9)", 1, 9),
        ("geometric(q=1/2)", 0, 30),
        ("two-point(l=3, u=6, weight=2/3)", 4, 6),
    ):
        found = compare("h-sf", law, n=40_000, memory=60 * (prompt + up), s=prompt, seeds=(0,))
        assert found.to_volume.mean <= 2 * (prompt + up) / (2 * prompt + up + 1) * 1.01


def test_a_queue_that_passes_over_a_request_does_not_keep_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert theorem("the order of a queue").holds

    def passing(policy: str, lengths: Any, memory: int, prompt: int, order: Any) -> Any:
        starts = judge.run_queue(order, lengths, lengths, prompt, memory, passing=True)
        return SimpleNamespace(schedule=SimpleNamespace(starts=starts))

    monkeypatch.setattr(trials, "simulate", passing)
    assert trials.starts_in_the_order()


def test_a_queue_that_passes_over_is_packed_and_one_that_stops_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert theorem("a queue that passes over is packed").holds
    queue = judge.run_queue

    def stopping(*args: Any, passing: bool) -> Any:
        return queue(*args, passing=False)

    def late(*args: Any, passing: bool) -> Any:
        return [start + 1 for start in queue(*args, passing=passing)]

    for other in (stopping, late):
        monkeypatch.setattr(judge, "run_queue", other)
        assert trials.no_room_for_an_earlier_start()


@pytest.mark.parametrize(
    ("factor", "holds"),
    [
        ("2", True), ("(near(s, u) + 1/10^9)", True), ("2*u/(u + 1)", True), ("99/100*near(s, u)", False), ("1", False),
        ("-near(s, u)", False), ("(near(s, u) - 1/10^9)", False), ("2*(s + u)/(2*s + u + 2)", False),
        ("2*(s + u - 1)/(2*s + u + 1)", False),
    ],
)  # fmt: skip
def test_the_constant_of_a_random_with_less_memory(factor: str, holds: bool) -> None:
    assert refused(TEXT.theory, "A_random with less memory", "near(s, u)", factor) is not holds


def test_a_random_with_less_memory_in_random_runs() -> None:
    """By the slow queue; and how near the bound is at equal long requests of which one fits where two did."""
    rng = np.random.default_rng(0)
    near: list[float] = []
    for _ in range(300):
        prompt, up, n = (int(rng.integers(*ends)) for ends in ((0, 6), (1, 12), (1, 40)))
        lengths = rng.integers(1, up + 1, n).tolist()
        small = int(rng.integers(prompt + up + 1, 4 * (prompt + up) + 2))
        memory = int(rng.integers(small, 3 * small + 1))
        order = rng.permutation(n).tolist()
        slow, fast = (
            judge.total(judge.run_queue(order, lengths, lengths, prompt, own), lengths) for own in (small, memory)
        )
        most = Fraction(2 * (prompt + up) * memory, (2 * prompt + up + 1) * (small - prompt - up)) * (fast + n * up)
        assert slow <= most
        near.append(float(slow / most))
    assert max(near) > 0.2


def test_wrong_constants_of_the_policy_that_kills_once_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    most, least, total = at_finite_n.kill_once_upper, at_finite_n.kill_once_lower, a_random.kill_once_total
    monkeypatch.setattr(at_finite_n, "kill_once_upper", lambda *a: most(*a) * Fraction(3, 4))
    assert trials.killed_once_at_the_ends()
    monkeypatch.setattr(at_finite_n, "kill_once_lower", lambda *a: least(*a) * Fraction(5, 4))
    assert trials.killed_once_between()
    monkeypatch.undo()
    monkeypatch.setattr(
        a_random, "kill_once_total", lambda lengths, order, s, up, m: total(lengths, order, s, 3, m)
    )  # counted with 3
    assert trials.killed_once_between()
    for old, new in (
        ("pair_a_ell(", "2*pair_a_ell("),
        ("pair_volume(", "1/2*pair_volume("),
        ("pair_h_sf(", "11/10*pair_h_sf("),
    ):
        assert refused(TEXT.theory, "kill once at l", old, new)


def test_a_max_is_below_a_random_in_the_forms_with_the_share_alpha_and_no_more() -> None:
    name = "A_max's form and A_random's"
    assert theorem(f"{name}(stretch)").holds
    for more in (Fraction(100, 99), Fraction(101, 100)):
        assert TEXT.theorem(name, c=lambda l, u, more=more: more * u / l).holds
    functions: tuple[Callable[[Any, Any], Any], ...] = (
        lambda l, u: sp.Rational(99, 100) * u / l,
        lambda l, u: u / (l + 1),
        lambda l, u: (u - sp.Rational(1, 2)) / l,
        lambda l, u: sp.S.One,
    )
    for less in functions:
        assert not TEXT.theorem(name, c=less).holds


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name",
    [
        "A_random in step, H-SF staggered",
        "A_random in the process",
        "A_max in the process, against every schedule",
        "A_max on lengths 1",
        "A_max at M below twice A_random at αM",
        "A_random with less memory",
        "kill once at l",
        "H-SF against every schedule",
    ],
)
def test_a_theorem_with_one_step_changed_does_not_hold(name: str) -> None:
    proof = theorem(name)
    assert proof.holds, proof.first_failure
    steps = [
        replace(own, test=lambda: None) if isinstance(own, Argument) else own for own in proof.steps
    ]  # tested once
    proof, tried = replace(proof, steps=tuple(steps), judge=by_itself), 0
    for place, own in enumerate(proof.steps):
        match own:
            case Identity():
                changed = [replace(own, rhs=own.rhs * sp.Rational(1009, 1008) + sp.Rational(1, 10**9))]
            case Telescoping():
                changed = [
                    replace(own, summand=own.summand + sp.Rational(1, 10**9)),
                    replace(own, summand=-own.summand),
                ]
            case Positive():
                free = own.expr.xreplace({v: v + bound for v, bound, *_ in own.where})
                changed = [replace(own, expr=-own.expr), replace(own, expr=own.expr - free - 1)]
            case Inference():
                changed = [replace(own, premises=("nothing",))]
            case Citation():
                changed = [replace(own, theorem=replace(own.theorem, steps=()))]
            case _:
                changed = []
        for wrong in changed:
            tried += 1
            assert not replace(proof, steps=(*proof.steps[:place], wrong, *proof.steps[place + 1 :])).holds, own.name
        shorter = replace(proof, steps=proof.steps[:place] + proof.steps[place + 1 :])
        assert place + 1 == len(proof.steps) or not shorter.holds or not _used(proof, own.name)
    assert tried >= 3


def _used(proof: Theorem, name: str) -> bool:
    return any(name in step.premises for step in proof.steps)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(("s", "l", "u"), [(1, 3, 4), (0, 2, 3), (1, 3, 5), (2, 1, 3)])
def test_the_staggered_family_in_long_runs(s: int, l: int, u: int) -> None:
    row = staggered.family(s, l, u, 1, 1)
    row = row._replace(periods=max(1, 300_000 // row.long))
    order = [int(place) for place in np.random.default_rng(0).permutation(row.n)]
    slow = simulate("a-random", row.lengths, row.memory, s, l, u, order=order)
    quick = simulate("h-sf", row.lengths, row.memory, s, l, u)
    assert quick.total_latency == staggered.h_sf_total(row)
    assert slow.total_latency >= staggered.a_random_lower_bound(row)
    assert slow.total_latency / quick.total_latency == pytest.approx(
        float(staggered.ratio(Fraction(s), l, u)), rel=0.01
    )


def test_the_staggered_family_is_what_the_theorem_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    family = staggered.family
    for name, more in (("memory", 1), ("memory", -1), ("short", 1), ("short", -1), ("scale", 1)):

        def other(*a: int, name: str = name, more: int = more) -> Any:
            row = family(*a)
            if name == "short":
                return row._replace(shorter=(row.shorter[0] + more, *row.shorter[1:]))
            return row._replace(**{name: getattr(row, name) + more})

        monkeypatch.setattr(staggered, "family", other)
        assert trials.staggered_groups(), (name, more)


def test_a_request_starts_no_later_than_the_work_before_it_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    def later(*a: Any, **how: Any) -> Any:
        starts = simulate(*a, **how).schedule.starts
        return SimpleNamespace(schedule=SimpleNamespace(starts=[2 * p + (p > 0) for p in starts]))

    monkeypatch.setattr(trials, "simulate", later)
    assert trials.starts_of_a_random() and trials.starts_of_a_max()
    for name in ("A_max in the process, against every schedule", "A_max at M below twice A_random at αM"):
        assert "the starts of a-max" in {record["theorem"] for record in theorem(name).records}
    assert "the starts of a-random" in {record["theorem"] for record in theorem("A_random in the process").records}


def test_a_random_does_not_complete_more_than_the_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(*a: Any, **how: Any) -> Any:
        return SimpleNamespace(schedule=SimpleNamespace(starts=[0] * len(a[1])))

    monkeypatch.setattr(trials, "small_instances", lambda *_, **__: [((5, 5, 5, 5), 2, 7)])
    monkeypatch.setattr(trials, "simulate", at_once)
    assert trials.volumes_before_a_start()
    twice = theorem("A_max at M below twice A_random at αM")
    assert "volumes before a start" in {record["theorem"] for record in twice.records}


def test_equal_lengths_are_alike_for_every_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    assert theorem("equal lengths").holds

    def later(policy: str, *a: Any, **how: Any) -> Any:
        starts = simulate(policy, *a, **how).schedule.starts
        return SimpleNamespace(schedule=SimpleNamespace(starts=[p + (policy == "a-max") for p in starts]))

    monkeypatch.setattr(trials, "simulate", later)
    assert trials.equal_lengths_alike()


@pytest.mark.exhaustive  # takes seconds
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_random_and_a_max_stay_below_their_bounds(data: st.DataObject) -> None:
    s, u = data.draw(st.integers(0, 6)), data.draw(st.integers(1, 7))
    lengths = data.draw(st.lists(st.integers(1, u), min_size=1, max_size=5))
    memory = data.draw(st.integers(s + u + 1, 4 * (s + u)))
    n, orders = len(lengths), list(permutations(range(len(lengths))))
    for policy, peak in (("a-random", None), ("a-max", u)):
        runs = [simulate(policy, lengths, memory, s, l=1, u=u, order=order).total_latency for order in orders]
        work = sum(Fraction(o * (s + (peak or o))) for o in lengths)
        assert Fraction(sum(runs), len(runs)) <= work * (n - 1) / (2 * (memory - s - u)) + sum(lengths)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_max_stays_below_twice_a_random_with_less_memory(data: st.DataObject) -> None:
    s, l = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 4))
    u = data.draw(st.integers(l, 8))
    lengths = data.draw(st.lists(st.integers(l, u), min_size=1, max_size=12))
    memory = data.draw(st.integers(s + u + 1, 6 * (s + u)))
    smaller, order = memory * l // u, data.draw(st.permutations(range(len(lengths))))
    if smaller < s + u:
        return
    slow = simulate("a-max", lengths, memory, s, l=l, u=u, order=order).total_latency
    fast = simulate("a-random", lengths, smaller, s, l=l, u=u, order=order).total_latency
    assert slow * (memory - s - u) <= 2 * memory * (fast + len(lengths) * u)


def test_a_max_grows_between_its_bounds_in_the_process() -> None:
    for u in (4, 10, 30):
        run, best = (simulate(p, [1] * 200_000, 40 * (1 + u), 1, l=1, u=u).total_latency for p in ("a-max", "h-sf"))
        assert run / best == pytest.approx((1 + u) / 2, rel=0.02)
        at_most = upper_bound(1, u) - 1
        assert at_most > Fraction(1 + u, 2)
        assert worst_case("a-max", u=u, s=1, against="volume").value == pytest.approx(float(at_most), rel=1e-9)
        assert everywhere_below(at_most + Fraction(1, 10**6), 1, u, 1, "volume")
        assert not everywhere_below(at_most - Fraction(1, 10**6), 1, u, 1, "volume")


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("claim", "values", "finding", "status"),
    [
        ("thm-amax-lower", {"bound": "1.1-alpha/10"}, "bound-of-algorithm", "inconclusive"),
        ("thm-amax-lower", {"bound": "5"}, "bound-of-algorithm", "refuted"),  # α = 1/4 at s = 1: at most 4.26
        ("thm-amax-lower", {"bound": "5"}, "bound-of-algorithm-at-zero", "inconclusive"),  # 5.887
        ("thm-amax-lower", {"bound": "5.88675"}, "bound-of-algorithm-at-zero", "inconclusive"),
        ("thm-amax-lower", {"bound": "5.88676"}, "bound-of-algorithm-at-zero", "refuted"),
        ("thm-amax-lower", {"bound": "1"}, "bound-of-algorithm", "proved"),
        ("thm-amax-lower", {"bound": "1"}, "bound-of-algorithm-at-zero", "proved"),
        ("thm-amax-lower", {"bound": "1/alpha**2"}, "bound-of-algorithm", "refuted"),
        ("thm-amax-lower", {"bound": "1"}, "bound-of-form", "proved"),
        ("thm-amax-lower", {"bound": "1/alpha"}, "bound-of-form", "refuted"),
        ("thm-amax-lower", {"bound": "1/alpha"}, "bound-at-zero", "proved"),
        ("rate-amax", {"slow": "1"}, "lower-rate-of-algorithm", "proved"),
        ("rate-amax", {"slow": "1.01"}, "lower-rate-of-algorithm", "refuted"),
        ("rate-amax", {"fast": "1.49", "slow": "1"}, "upper-rate-of-algorithm", "inconclusive"),
        ("rate-amax", {"fast": "1.49", "slow": "1"}, "upper-rate-of-form", "inconclusive"),
        ("rate-amax", {"fast": "1", "slow": "1"}, "upper-rate-of-form", "refuted"),
        ("rate-amax", {"at_one": "2"}, "at-one-of-algorithm", "refuted"),
        ("thm-random", {"bound": "1/alpha"}, "bound-of-algorithm", "inconclusive"),
        ("thm-random", {"bound": "2+1/alpha"}, "bound-of-algorithm", "proved"),
        ("thm-random", {"bound": "1.03*(1+1/alpha)/2"}, "bound-of-algorithm", "refuted"),
        ("thm-random", {"bound": "1.03*(1+1/alpha)/2"}, "bound-of-form", "proved"),
        ("thm-amax-upper", {"bound": "1+(1+1/sqrt(alpha))/alpha"}, "bound-of-algorithm", "proved"),
        ("thm-amax-upper", {"bound": "0.9+(1+1/sqrt(alpha))/alpha"}, "bound-of-algorithm", "inconclusive"),
    ],
)
def test_what_is_decided_of_the_processes(claim: str, values: dict[str, str], finding: str, status: str) -> None:
    found = decided(claim, values)
    assert found.finding(finding).status == status


def test_the_claims_on_a_max_and_a_random_have_the_levels_of_the_catalogue() -> None:
    wanted = {
        "thm-amax-upper": ["proved", "proved", "proved"],
        "thm-amax-lower": ["refuted", "refuted", "refuted"],
        "rate-amax": ["refuted", "refuted", "refuted"],
        "thm-random": ["proved", "proved", "refuted"],
        "thm-endpoints": ["refuted", "refuted", "refuted"],
        "lem-max-random": ["proved", "proved", "refuted"],
    }
    for found in verify(wanted):
        assert found.levels == ("form-at-zero", "form", "algorithm")
        assert found.stated_at == "algorithm"
        assert [v.status for v in found.verdicts] == wanted[found.id]
        assert len(found.why.replace("$", "")) <= 45
        assert len(found.standing_repairs) == len(found.repairs)


def test_the_upper_bound_at_s_zero_refutes_the_lower_bound_from_some_memory_on() -> None:
    found = decided("thm-amax-lower")
    witness = found.finding("bound-of-algorithm-at-zero").evidence
    assert isinstance(witness, Refuted)
    assert (witness.witness["s"], witness.witness["u"]) == (0, 4)
    most, least = upper_bound(0, 4) - 1, witness.witness["least_M"]
    assert least == 177
    assert most * least / (least - 4) + 1 < 6 <= most * (least - 1) / (least - 1 - 4) + 1
    run = compare("a-max", "two-point(l=1, u=4, weight=9/10)", n=20_000, memory=least, s=0, seeds=(0,))
    assert run.to_h_sf.mean <= most * least / (least - 4) + 1


def test_the_lower_bound_on_a_max_is_true_at_a_small_memory_by_rounding() -> None:
    small = decided("thm-amax-lower").finding("bound-of-algorithm-at-zero").evidence.values["true_by_rounding"]
    n, memory = small["n"], small["M"]
    starts = [judge.run_queue(range(n), [own] * n, [1] * n, 0, memory) for own in (4, 1)]
    assert [judge.total(own, [1] * n) for own in starts] == small["totals"]
    assert small["totals"][0] > 6 * small["totals"][1] and memory == 7
    assert by_rounding(0, 4, Fraction(7)) == {} != by_rounding(0, 4, Fraction(13, 2))
    assert by_rounding(1, 4, Fraction(6)) == {}
    why = decided("thm-amax-lower").stated.why
    assert (
        "M ≥ 177" in why
        and "by rounding" in why
        and "asymptotically between" in decided("thm-amax-lower").stated.reading
    )


def test_another_number_of_short_requests_keeps_h_sf_in_step() -> None:
    found = decided("thm-random")
    special = found.finding("bound-of-algorithm").evidence.values
    assert special["ratio_at_that_n_l"] > 1.16
    assert special["ratio_at_a_typical_n_l"] < special["largest_ratio_at_another_n_l"] < 1.01
    assert found.at("algorithm").degenerate[0].status == "proved"
    assert found.finding("hindsight").status == "refuted"
    typical = f"{special['ratio_at_a_typical_n_l']}"
    assert "one number in 85" in found.stated.why and typical in found.stated.why and typical == "0.9986"


def test_smaller_constants_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(where: Any, name: str, new: Any, trial: Callable[[], str | None]) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(where, name, new)
            assert trial() is not None

    most, expected, cancelled = h_sf.upper_bound, at_finite_n.restart_upper, at_finite_n.cancellations_bound
    volume = trials.volume
    changed(h_sf, "upper_bound", lambda *a: most(*a) * Fraction(3, 4), trials.total_by_peaks)
    changed(trials, "volume", lambda s, o: volume(s, o) + 2, trials.longs_that_leave)
    changed(at_finite_n, "cancellations_bound", lambda m, s: cancelled(m, s) - 1, trials.longs_that_leave)
    changed(at_finite_n, "restart_upper", lambda *a: expected(*a) * Fraction(3, 4), trials.restart_total)
    changed(thm_optimality, "ADDED", 3, trials.added_by_restarts)
    changed(trials, "thresholds", lambda l, u: [l, u], trials.phases_in_order)  # not the policy's phases
    changed(a_max, "lower_bound", lambda *a: most_of_young(*a), trials.young_under_a_max)
    assert refused(TEXT.theory, "the literal A_min in the process", "r/4", "r")
    assert refused(TEXT.theory, "kill and restart", "64/3", "21")
    assert str(thm_optimality.FACTOR) == "64/3"  # as the text has it


def most_of_young(n: int, s: int, l: int, u: int, memory: int) -> Fraction:
    """The bound on A_max's total if the young were charged one token more."""
    return Fraction(l * (s + u - l + 2) * n * (n + 1), 2 * memory)


def test_the_bounds_against_longer_runs() -> None:
    rng = np.random.default_rng(0)
    for s, u, n, memory in ((0, 9, 400, 60), (5, 12, 300, 200), (40, 10, 300, 500), (300, 16, 400, 3200)):
        longs = n // 4
        lengths = rng.permutation([1] * (n - longs) + [u] * longs)
        least = at_finite_n.algorithm_two_lower(n - longs, longs, s, u, memory)
        runs = [simulate("a-min-literal", lengths, memory, s, 1, u, seed=k).total_latency for k in range(3)]
        assert np.mean(runs) >= least
        most = h_sf.upper_bound(sorted(lengths.tolist()), s, memory)
        best = simulate("h-sf", lengths, memory, s, 1, u).total_latency
        assert best <= most < 2.5 * best + u * n
        upper = at_finite_n.restart_upper(lengths.tolist(), s, 1, u, memory)
        again = np.mean([simulate("a-restart", lengths, memory, s, 1, u, seed=k).total_latency for k in range(2)])
        assert again <= 1.02 * upper


def test_the_literal_bound_bites_where_prompts_are_long() -> None:
    s, u, n, memory = 300, 64, 100_000, 400_000
    longs = n // 8
    lengths = [1] * (n - longs) + [u] * longs
    least = at_finite_n.algorithm_two_lower(n - longs, longs, s, u, memory)
    run = simulate("a-min-literal", lengths, memory, s, 1, u, seed=1).total_latency
    best = simulate("h-sf", lengths, memory, s, 1, u).total_latency
    assert least <= run <= 2 * least
    assert least > 2 * best  # and the proved bound alone is far above H-SF


def test_the_form_of_restart_by_two_computations() -> None:
    for l, u, s in ((1, 10, 0), (2, 9, 3), (3, 3, 1), (1, 16, 5)):
        weights = [Fraction(k % 4 + 1) for k in range(u - l + 1)]
        tails = [sum(weights[max(0, before + 1 - l) :], Fraction(0)) for before in [l - 1, *thresholds(l, u)[:-1]]]
        assert form("a-restart").on(Setting(s, l, u)).value(weights) == restart_sum(tails, l, u, s)
        for name in ("volume", "h-sf"):
            assert form(name).on(Setting(s, l, u)).value(weights) >= denominator_lower_bound(tails, l, u, s, name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("against", ["volume", "h-sf"])
@pytest.mark.parametrize("s", [0, 7, 1000])
def test_the_supremum_of_restart_by_two_computations(s: int, against: str) -> None:
    for u in (1, 2, 7, 40):
        above = thm_optimality.supremum_above(s, 1, u, against)
        value = worst_case("a-restart", u=u, s=s, against=against)
        assert value.value <= float(above) <= (1.1 if u >= 40 else 1.35) * value.value + 0.02
        assert minors(above, s, 1, u, against)
        assert not minors(above * Fraction(9, 10), s, 1, u, against)
    assert thm_optimality.supremum_above(s, 1, 40, against) > 1


def test_the_least_ratio_by_two_computations() -> None:
    for s, l, u, d in ((1, 1, 4, 3), (0, 2, 9, 5), (100, 1, 64, 9), (7, 3, 50, 4)):
        assert algorithm_two.ratio_lower_bound(s, l, u, Fraction(1, d)) == literal_ratio_lower_bound(
            s, l, u, Fraction(1, d)
        )


@pytest.mark.parametrize("name", ["thm-log", "cor-intervals"])
@pytest.mark.parametrize(
    ("growth", "form_status", "own_status"),
    [
        ("log(1/alpha)", "proved", "refuted"),  # of the form for each s; one constant for all s stands beside, refuted
        ("sqrt(1/alpha)", "proved", "refuted"),
        ("1/alpha", "proved", "inconclusive"),
    ],
)
def test_the_logarithm_fails_in_the_process_too(name: str, growth: str, form_status: str, own_status: str) -> None:
    claim = decided(name, {"growth": growth})
    assert [claim.at(level).status for level in ("form", "algorithm")] == [form_status, own_status]


def test_the_algorithm_two_has_no_constant_bound_on_two_lengths() -> None:
    two = decided("thm-two-point", {"bound": "1000"})
    assert two.at("algorithm").status == "refuted"
    two = decided("thm-two-point", {"bound": "2/alpha"})
    assert two.at("algorithm").status == "inconclusive"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        (trials.completions_need_volumes, 2),
        (trials.packed_schedules_end, Fraction(1, 2)),
        (trials.no_larger_set_fits, 1),
        (trials.equal_lengths_in_batches, 1),
        (trials.refined_and_single, 1),
        (trials.few_cancelled_where_needs_shrink, Fraction(1, 200)),
        (trials.few_cancelled_where_starts_hold_most, Fraction(1, 200)),
        (trials.kept_from_the_first_start, 2),
        (trials.delays_where_needs_shrink, 2),
        (trials.delays_where_starts_hold_most, 2),
    ],
)
def test_the_test_of_an_argument_can_fail(test: Any, wrong: Any) -> None:
    assert test() is None
    assert test(wrong) is not None


@pytest.mark.parametrize(
    "make",
    [
        TEXT.named("every schedule by volumes"),
        TEXT.named("packed schedules are not idle for long(twice)"),
        TEXT.named("largest prefix"),
        TEXT.named("refined intervals can hurt"),
        TEXT.named("Algorithm 2 by areas"),
        TEXT.named("Algorithm 2 cancels few"),
        TEXT.named("Algorithm 2 by areas, the first period"),
        TEXT.named("Algorithm 2 by areas, most of the memory held by starts"),
    ],
)
def test_what_is_said_of_runs_is_an_argument_that_is_counted(make: Any) -> None:
    theorem = make()
    assert theorem.holds, theorem.first_failure
    assert any(isinstance(s, Argument) for s in theorem.steps)


def test_what_a_formula_of_a_worst_case_names_is_a_theorem_of_the_text() -> None:
    from crtools.papers.adaptive.theory import TEXT
    from crtools.papers.adaptive.worst_cases import WORST_CASES

    assert {own.theorem for own in WORST_CASES.proved} <= set(TEXT.names)


def test_no_two_theorems_have_one_name_but_for_underscores_and_case() -> None:
    from crtools.papers.adaptive.theory import TEXT

    plain = [name.replace("_", "").lower() for name in TEXT.names]
    assert len(plain) == len(set(plain)) > 100
