"""Costs other than the volume, and classes of requests: against searches over all mixtures, all plans, and closed forms."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, pairwise, product
from operator import eq, gt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Empirical, InputError, best
from crtools.blind import joint_law
from crtools.blind.attempt_costs import Cost, as_cost
from crtools.blind.joint_law import BestForClasses, PromptClass, best_for_classes
from crtools.cli import main
from crtools.process.clocks import SECONDS, Clock
from crtools.process.flow_bounds import step_work

Weights = dict[int, int]
Sizes = dict[Fraction, Fraction]

laws = st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=4)
costs = st.builds(
    Cost,
    *(st.fractions(0, 40, max_denominator=6) for _ in range(3)),
    st.fractions(Fraction(1, 6), 3, max_denominator=6),
)
class_lists = st.lists(st.tuples(st.integers(0, 20), laws, st.integers(1, 5)), min_size=1, max_size=3)


def classes_of(rows: list[tuple[int, Weights, int]]) -> list[PromptClass]:
    return [PromptClass(s, Empirical(weights), share) for s, weights, share in rows]


def sizes_of(rows: list[tuple[int, Weights, int]], cost: Cost) -> list[tuple[Fraction, Sizes]]:
    """Return the share and the law of sizes of each class, with w(a) written out."""
    total = sum(share for _, _, share in rows)
    found: list[tuple[Fraction, Sizes]] = []
    for s, weights, share in rows:
        number = sum(weights.values())
        law = {
            cost.set_up
            + cost.per_prompt * s
            + cost.per_token * o
            + cost.per_held * sum(s + a for a in range(1, o + 1)): Fraction(w, number)
            for o, w in weights.items()
        }
        found.append((Fraction(share, total), law))
    return found


def plans_of(law: Sizes) -> list[list[tuple[Fraction, Fraction]]]:
    """Return what the attempts (m, F) of every plan of a class complete and use."""
    sizes = sorted(law)
    plans: list[list[tuple[Fraction, Fraction]]] = []
    for count in range(len(sizes)):
        for kills in combinations(sizes[:-1], count):
            ends = (Fraction(0), *kills, sizes[-1])
            plans.append(
                [
                    (
                        sum((p for v, p in law.items() if a < v <= c), Fraction(0)),
                        sum((p * min(v, c) for v, p in law.items() if v > a), Fraction(0)),
                    )
                    for a, c in pairwise(ends)
                ]
            )
    return plans


def shared(classes: list[tuple[Fraction, Sizes]]) -> Fraction:
    """Return E min(v, v')."""
    atoms = [(v, share * p) for share, law in classes for v, p in law.items()]
    return sum((p * q * min(v, w) for (v, p), (w, q) in product(atoms, repeat=2)), Fraction(0))


def means(classes: list[tuple[Fraction, Sizes]]) -> list[Fraction]:
    return [sum((v * p for v, p in law.items()), Fraction(0)) for _, law in classes]


def least_by_descent(classes: list[tuple[Fraction, Sizes]]) -> float:
    """Return the least ratio over all mixtures of all plans of all classes, by a general solver of quadratic programs."""
    from scipy.optimize import minimize

    columns = [
        (k, [(m * share, f * share) for m, f in plan])
        for k, (share, law) in enumerate(classes)
        for plan in plans_of(law)
    ]
    matrix = np.array(
        [
            [float(sum(min(m * g, n * f) for m, f in one for n, g in other)) for _, other in columns]
            for _, one in columns
        ]
    )
    scale = matrix.max()
    member = np.array([[float(k == row) for k, _ in columns] for row in range(len(classes))])
    found = minimize(
        lambda x: x @ matrix @ x / scale,
        member.T @ (1 / member.sum(axis=1)),
        jac=lambda x: 2 * matrix @ x / scale,
        bounds=[(0, 1)] * len(columns),
        constraints={"type": "eq", "fun": lambda x: member @ x - 1, "jac": lambda x: member},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.fun * scale / float(shared(classes))


def run_through_is_best(classes: list[tuple[Fraction, Sizes]]) -> bool:
    """Whether Σ m Λ(F/m) ≥ Λ(μ) for every plan of every class, Λ(x) = E min(x, μ_J), in fractions."""
    mu = means(classes)

    def smaller(x: Fraction) -> Fraction:
        return sum((share * min(x, m) for (share, _), m in zip(classes, mu, strict=True)), Fraction(0))

    return all(
        sum(m * smaller(f / m) for m, f in plan) >= smaller(mu[k])
        for k, (_, law) in enumerate(classes)
        for plan in plans_of(law)
    )


@settings(max_examples=25, deadline=None)
@given(class_lists, costs)
def test_the_value_is_the_least_over_all_mixtures_of_all_plans(
    rows: list[tuple[int, Weights, int]], cost: Cost
) -> None:
    found, classes = best_for_classes(classes_of(rows), digits=7, cost=cost), sizes_of(rows, cost)
    assert found.value.relative_width() < 1e-6
    assert float(found.value.upper) == pytest.approx(least_by_descent(classes), rel=1e-5)


@settings(max_examples=25, deadline=None)
@given(laws, st.integers(0, 20), costs)
def test_one_law_with_a_cost(weights: Weights, s: int, cost: Cost) -> None:
    found = best(Empirical(weights), s, cost=cost)
    assert found.exact is not None
    assert float(found.exact) == pytest.approx(least_by_descent(sizes_of([(s, weights, 1)], cost)), rel=1e-5)


@settings(max_examples=60, deadline=None)
@given(class_lists, costs)
def test_whether_killing_helps_is_the_test_on_all_plans(rows: list[tuple[int, Weights, int]], cost: Cost) -> None:
    found, classes = best_for_classes(classes_of(rows), digits=7, cost=cost), sizes_of(rows, cost)
    mu = means(classes)
    pairs = product(zip(classes, mu, strict=True), repeat=2)
    run = sum((a * b * min(x, y) for ((a, _), x), ((b, _), y) in pairs), Fraction(0)) / shared(classes)
    assert found.run_through == run >= found.value.lower
    assert found.killing_helps is not run_through_is_best(classes)
    if not found.killing_helps:
        assert run == found.value.upper
    assert [row.mean_cost for row in found.classes] == mu
    if all(row.nbue for row in found.classes):
        assert found.killing_helps is False


def test_nbue_sizes_in_every_class_are_not_necessary() -> None:
    two = PromptClass(0, "two-point(1, 4, 1/2)")
    found = [best_for_classes([two, PromptClass(0, f"point({o})", 9)]) for o in (9, 1)]
    assert [row.nbue for row in found[0].classes] == [False, True]
    assert [one.killing_helps for one in found] == [False, True]


def within_the_bound_on_shares(classes: list[tuple[Fraction, Sizes]]) -> bool:
    """Whether S e ≤ L c P(v > c) for every class and every size c of it."""
    mu = means(classes)
    for (_, law), mean in zip(classes, mu, strict=True):
        same, larger = (
            sum((share for (share, _), other in zip(classes, mu, strict=True) if sign(other, mean)), Fraction(0))
            for sign in (eq, gt)
        )
        for c in sorted(law)[:-1]:
            done = sum((p for v, p in law.items() if v <= c), Fraction(0))
            saved = done * mean - sum((p * min(v, c) for v, p in law.items()), Fraction(0))
            if same * saved > larger * c * (1 - done):
                return False
    return True


@settings(max_examples=150, deadline=None)
@given(class_lists, costs)
def test_where_whole_runs_are_best_each_class_is_within_the_bound_on_shares(
    rows: list[tuple[int, Weights, int]], cost: Cost
) -> None:
    classes = sizes_of(rows, cost)
    assert within_the_bound_on_shares(classes) or not run_through_is_best(classes)


def test_the_bound_on_shares_is_attained_and_not_sufficient() -> None:
    def beside(size: int, share: Fraction) -> list[tuple[Fraction, Sizes]]:
        half = Fraction(1, 2)
        return [(share, {Fraction(1): half, Fraction(4): half}), (1 - share, {Fraction(size): Fraction(1)})]

    assert within_the_bound_on_shares(beside(4, Fraction(2, 3))) and run_through_is_best(beside(4, Fraction(2, 3)))
    assert not within_the_bound_on_shares(beside(4, Fraction(67, 100)))
    assert not run_through_is_best(beside(4, Fraction(67, 100)))
    assert within_the_bound_on_shares(beside(3, Fraction(1, 4))) and not run_through_is_best(beside(3, Fraction(1, 4)))


@given(
    st.integers(1, 9),
    st.integers(1, 30),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
    st.integers(0, 60),
    st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20),
)
@settings(max_examples=40, deadline=None)
def test_two_classes_have_the_closed_form(l: int, more: int, p: Fraction, w: int, first: Fraction) -> None:
    """Class 1: sizes v < u, share p of v; class 2: one size. Only whole, first and second attempts, so a quadratic in one share."""
    v, u, size = Fraction(l), Fraction(l + more), Fraction(w + 1)
    cost, mu, second = Cost(per_token=Fraction(1), per_held=Fraction(0)), p * v + (1 - p) * u, 1 - first
    x = p * mu - v
    found = best_for_classes(
        [PromptClass(0, Empirical({l: p, l + more: 1 - p}), first), PromptClass(0, f"point({w + 1})", second)],
        cost=cost,
    )
    d, gain = x + (1 - p) ** 2 * v, min(v, p * size) + (1 - p) * min(u, size) - min(mu, size)
    tried = min(max((x - second / first * gain) / d, Fraction(0)), Fraction(1)) if x > 0 else Fraction(0)
    half = first**2 * (mu - 2 * tried * x + tried**2 * d) + second**2 * size
    value = (half + 2 * first * second * (min(mu, size) + tried * gain)) / shared(
        [(first, {v: p, u: 1 - p}), (second, {size: Fraction(1)})]
    )
    assert found.value.lower <= value <= found.value.upper and found.value.relative_width() < 1e-4


# ---- set-up threshold ----------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(laws, st.integers(0, 8), st.fractions(0, 5, max_denominator=4))
def test_the_threshold_is_where_the_best_plan_stops_to_kill(weights: Weights, s: int, per_token: Fraction) -> None:
    def kills(set_up: Fraction) -> bool:
        found = best(Empirical(weights), s, cost=(set_up, per_token, 1))
        return any(plan.thresholds for plan in found.plans)

    threshold = best(Empirical(weights), s, cost=(0, per_token, 1)).set_up_threshold
    assert threshold is not None
    assert best(Empirical(weights), s, cost=(7, per_token, 1)).set_up_threshold == threshold
    low, high = Fraction(0), Fraction(10**5)
    assert not kills(high)
    if not kills(low):
        assert threshold == 0
        return
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if kills(middle) else (low, middle)
    assert low <= threshold <= high
    assert not kills(threshold) and kills(threshold * Fraction(999, 1000))


@given(laws, st.integers(0, 8), st.integers(0, 10**4))
def test_from_the_threshold_on_the_value_has_a_closed_form(weights: Weights, s: int, more: int) -> None:
    bare = best(Empirical(weights), s)
    assert bare.set_up_threshold is not None
    set_up = bare.set_up_threshold + more
    classes = sizes_of([(s, weights, 1)], Cost())
    expected = (set_up + means(classes)[0]) / (set_up + shared(classes))
    assert best(Empirical(weights), s, cost=(set_up, 0, 1)).exact == expected <= 2


@settings(max_examples=30, deadline=None)
@given(class_lists, costs)
def test_the_thresholds_of_classes_are_those_of_their_laws(rows: list[tuple[int, Weights, int]], cost: Cost) -> None:
    for (s, weights, _), row in zip(rows, best_for_classes(classes_of(rows), cost=cost).classes, strict=True):
        alone = best(Empirical(weights), s, cost=cost)
        assert row.set_up_threshold == alone.set_up_threshold and row.nbue is alone.nbue
        assert row.mean_set_up == cost.set_up + cost.per_prompt * s
        assert row.nbue is (row.mean_set_up >= row.set_up_threshold)


def test_where_nothing_is_decided_there_is_no_threshold() -> None:
    assert best("poisson(3)", 1000, digits=4).set_up_threshold is None
    assert best("point(4)").set_up_threshold == 0


# ---- one class is the law ------------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(laws, st.integers(0, 20))
def test_equal_prompts_have_the_numbers_of_one_law(weights: Weights, s: int) -> None:
    rows = np.array([(o, s) for o, number in weights.items() for _ in range(number)])
    found, law = best_for_classes(rows, digits=8), best(Empirical(weights), s)
    (row,) = found.classes
    assert law.exact is not None and found.value.lower <= law.exact <= found.value.upper
    assert found.value.relative_width() < 1e-7
    assert found.run_through == law.run_through.upper
    assert (row.nbue, row.set_up_threshold, row.prompts, row.share) == (law.nbue, law.set_up_threshold, (s, s), 1)
    assert found.killing_helps is not law.nbue
    plans = {plan.thresholds: float(plan.share) for plan in law.plans if plan.share > Fraction(1, 1000)}
    assert {
        p.thresholds: pytest.approx(float(p.share), abs=1e-3) for p in row.plans if p.share > Fraction(1, 1000)
    } == plans
    assert found.price[0] == (0, 1) and found.price[-1][1] == 0
    twice_area = sum((a[1] + b[1]) * (b[0] - a[0]) for a, b in pairwise(found.price))
    assert twice_area / shared(sizes_of([(s, weights, 1)], Cost())) == found.value.upper


@given(laws, st.integers(0, 20), st.integers(0, 5), st.integers(1, 4))
def test_costs_per_token_are_longer_prompts(weights: Weights, s: int, extra: int, per_held: int) -> None:
    plain, same = best(Empirical(weights), s), best(Empirical(weights), s, cost=(0, 0, 1))
    assert plain == same
    longer = best(Empirical(weights), s, cost=(0, extra * per_held, per_held))
    assert longer.exact == best(Empirical(weights), s + extra).exact


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", ["geometric(q=4/5)", "poisson(6)", "lognormal(2, 1/2, u=60)"])
@pytest.mark.parametrize("cost", [(50, 0, 1), (0, 3, 0), ("3", "1/2", "1/7")])
def test_unbounded_laws_contain_the_value_of_the_law_that_is_cut_later(spec: str, cost: Any) -> None:
    rough, fine = best(spec, 2, digits=4, cost=cost), best(spec, 2, digits=8, cost=cost)
    assert rough.value.lower <= fine.value.upper and fine.value.lower <= rough.value.upper
    assert rough.forms() == {}


def test_exponential_sizes_need_no_kills_whatever_the_set_up() -> None:
    lengths_only = best("geometric(q=9/10)", cost=(0, 1, 0), digits=6)  # memoryless
    assert lengths_only.value.lower <= Fraction(19, 10) <= lengths_only.value.upper


# ---- computing with floats -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["kills", "none"])
def test_floats_and_cells_enclose_what_integers_give(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    s = rng.integers(1, 200, 400)
    o = (rng.pareto(0.8, 400) * 5 + 1).astype(int).clip(1, 300) if kind == "kills" else rng.integers(90, 100, 400)
    rows = np.stack([o, s], axis=1)
    monkeypatch.setattr(joint_law, "MOST_EXACT_ATTEMPTS", 10**6)
    exact = best_for_classes(rows, 4, 6)
    monkeypatch.setattr(joint_law, "MOST_EXACT_ATTEMPTS", 0)
    floats = best_for_classes(rows, 4, 6)
    assert exact.value.upper == floats.value.upper
    assert 0 <= exact.value.lower - floats.value.lower < Fraction(1, 10**8)
    assert exact.killing_helps is floats.killing_helps is (kind == "kills")
    monkeypatch.setattr("crtools.blind.mixture.BLOCK", 500)
    assert best_for_classes(rows, 4, 6) == floats
    monkeypatch.setattr(joint_law, "MOST_SEARCHED", 4 * 800)
    restricted = best_for_classes(rows, 4, 6)
    assert exact.value.lower <= restricted.value.upper < exact.value.upper * Fraction(101, 100)
    assert exact.value.lower * Fraction(99, 100) < restricted.value.lower <= exact.value.upper
    monkeypatch.setattr(joint_law, "MOST_ATTEMPTS", 4 * 800)
    coarse = best_for_classes(rows, 4, 6)
    assert coarse.value.lower < exact.value.lower and coarse.value.upper == restricted.value.upper
    assert coarse.value.relative_width() < 0.1
    monkeypatch.setattr(joint_law, "FLOAT_BITS", 20)
    assert best_for_classes(rows, 4, 6).value.lower < exact.value.lower


def test_costs_in_seconds_are_the_work_of_the_lower_bounds() -> None:
    s, o = np.arange(1, 40), np.arange(40, 1, -1)
    for clock in (SECONDS, Clock("seconds", 0.02, 0.0001, 0)):
        cost = as_cost(clock, 5000)
        sizes = [float(cost.size(int(a), int(b)) * cost.unit) for a, b in zip(s, o, strict=True)]
        assert np.allclose(sizes, step_work(o, s, 5000, clock), rtol=1e-12)
    assert best("uniform(1, 9)", 30, cost="seconds", memory=5000) == best(
        "uniform(1, 9)", 30, cost=SECONDS, memory=5000
    )


# ---- what is asked and answered ------------------------------------------------------------------------------------------------


def trace(folder: Path) -> str:
    rng = np.random.default_rng(1)
    s = rng.integers(1, 100, 300)
    o = np.where(rng.random(300) < 0.8, 2, 60)
    file = folder / "trace.csv"
    file.write_text("o,s\n" + "".join(f"{a},{b}\n" for a, b in zip(o, s, strict=True)))
    return f"csv:{file}#o,s"


def test_a_file_with_prompts_is_a_joint_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = trace(tmp_path)
    assert main(["best", source, "--classes", "3"]) == 0
    shown = capsys.readouterr().out
    assert "3 classes of prompts" in shown and "killing helps" in shown and "100.00%  2\n" in shown
    assert all(len(line) <= 80 for line in shown.replace(str(tmp_path), "").splitlines())
    assert main(["best", source, "--classes", "3", "--cost", "seconds", "--memory", "9000", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    found: BestForClasses = best_for_classes(source, 3, cost="seconds", memory=9000)
    assert document["classes"] == json.loads(json.dumps(found.as_json()["classes"])) and len(found.classes) == 3
    low, high = (float(document["value"][end]) for end in ("lower", "upper"))
    assert low <= found.value.middle <= high
    assert document["killing_helps"] is found.killing_helps
    with (tmp_path / "trace.csv").open("a") as file:
        file.write("0,7\n")
    assert main(["best", source, "--classes", "3"]) == 2
    assert main(["best", source, "--classes", "3", "--skip-invalid"]) == 0
    assert capsys.readouterr().out == shown


def test_a_cost_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "uniform(1, 10)", "--cost", "1,0,1"]) == 0
    shown = capsys.readouterr().out
    assert "V = 4790/2751" in shown and "set-up costs 2 or more; here it costs 1" in shown and "forms" not in shown
    assert main(["best", "uniform(1, 10)", "--cost", "1,0,1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["cost"], document["set_up_threshold"]) == ("1 + 1·(s·a + a(a + 1)/2)", "2")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["uniform(1, 3)", "--cost", "1,2"], "three numbers"),
        (["uniform(1, 3)", "--cost", "1,0,0"], "not both 0"),
        (["uniform(1, 3)", "--cost=-1,0,1"], "≥ 0"),
        (["uniform(1, 3)", "--cost", "a,0,1"], "cost"),
        (["uniform(1, 3)", "--cost", "seconds"], "memory"),
        (["uniform(1, 3)", "--cost", "seconds", "--memory", "0"], "≥ 1"),
        (["uniform(1, 3)", "--memory", "5"], "only applies to the cost in seconds, and the cost is volume"),
        (["uniform(1, 3)", "--classes", "5"], "joint law"),
        (["uniform(1, 3)", "--digits", "0"], "from 1"),
        (["uniform(1, 3)", "--cost", "1,0,1", "--certificate", "a.json"], "knows no other"),
        (["uniform(1, 3)", "--cost", "1,0,1", "--plot", "a.png"], "cost volume"),
        (["uniform(1, u)", "--cost", "1,0,1"], "without symbols"),
        (["csv:none.csv#o,s"], "none.csv"),
        (["csv:none.csv#o,s", "--s", "3"], "file has prompts"),
        (["csv:none.csv#o,s", "--certificate", "a.json"], "one law"),
        (["csv:none.csv#o,s,t,x"], "OUTPUTS"),
        (["csv:times.csv#o,s,t"], "a column of times"),
    ],
)
def test_bad_input_gets_one_line(
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("times.csv").write_text("o,s,t\n5,1,0\n2,3,1\n")
    assert main(["best", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said in line


@pytest.mark.parametrize(
    ("requests", "options", "said"),
    [
        ([], {}, "at least one class"),
        ([PromptClass(0, "geometric(q=1/2)")], {}, "finite"),
        ([PromptClass(0, "uniform(1, 3)", 0)], {}, "positive"),
        ([PromptClass(-1, "uniform(1, 3)")], {}, "≥ 0"),
        (np.array([(0, 5)]), {}, "at least 1"),
        (np.array([(1, -5)]), {}, "at least 0"),
        (np.array([1, 5]), {}, "shape"),
        (np.array([(1.5, 5)]), {}, "integers"),
        (np.array([(1, 5)]), {"classes": 0}, "≥ 1"),
        (np.array([(1, 5)]), {"digits": 0}, "from 1"),
        (np.array([(1, 0)]), {"cost": Clock("seconds", 0, 1, 0), "memory": 5}, "would cost nothing"),
        ("uniform(1, 3)", {}, "OUTPUT,PROMPT"),
    ],
)
def test_bad_classes_get_one_line(requests: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        best_for_classes(requests, **options)
    assert "\n" not in str(error.value)


def test_sizes_are_those_of_the_requests_themselves() -> None:
    rows = np.array([(3, 1), (1, 4), (3, 1), (2, 9)])
    found = best_for_classes(rows, classes=1)
    sizes = [s * o + o * (o + 1) // 2 for o, s in rows.tolist()]
    assert found.classes[0].mean_cost == Fraction(sum(sizes), 4)
    assert found.run_through == Fraction(4 * sum(sizes), sum(min(pair) for pair in product(sizes, repeat=2)))
