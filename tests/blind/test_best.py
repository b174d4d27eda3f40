"""The best blind schedule for a law: both sides, against searches over all plans, closed forms and a checker of prices."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
import sympy as sp
from commands import crt
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Empirical, InputError, Setting, best, form
from crtools.blind.attempt_costs import Requests
from crtools.blind.best import closed_form
from crtools.blind.dual_price import DualPrice
from crtools.blind.mixture import Mixture
from crtools.cli import main
from crtools.errors import NotCertified
from crtools.schedule import volume

laws = st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=5)


def all_plans(count: int) -> list[tuple[int, ...]]:
    return [(0, *inner, count) for size in range(count) for inner in combinations(range(1, count), size)]


def least_by_descent(weights: dict[int, int], s: int) -> float:
    """Return the least ratio over all mixtures of all plans: products of what plans use by integrals, then a quadratic program."""
    from scipy.optimize import minimize

    lengths = sorted(weights)
    share = np.array([weights[o] for o in lengths]) / sum(weights.values())
    sizes = np.array([float(volume(s, o)) for o in lengths])

    def attempts(plan: tuple[int, ...]) -> list[tuple[float, float]]:
        steps = pairwise(plan)
        return [
            (float(share[a:c].sum()), float((share[a:] * np.minimum(sizes[a:], sizes[c - 1])).sum())) for a, c in steps
        ]

    plans = [attempts(plan) for plan in all_plans(len(lengths))]
    edges = np.unique([0.0, *(m / f for plan in plans for m, f in plan)])
    height = np.array([[sum(f for m, f in plan if m / f > x) for x in edges[:-1]] for plan in plans])
    matrix = (height * np.diff(edges)) @ height.T
    start = np.full(len(plans), 1 / len(plans))
    found = minimize(
        lambda x: x @ matrix @ x,
        start,
        jac=lambda x: 2 * matrix @ x,
        bounds=[(0, 1)] * len(plans),
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1, "jac": lambda x: np.ones(len(x))},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.fun / float((np.minimum.outer(sizes, sizes) * np.outer(share, share)).sum())


@settings(max_examples=25)
@given(st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1, max_size=4), st.integers(0, 20))
def test_the_value_is_the_least_over_all_mixtures_of_all_plans(weights: dict[int, int], s: int) -> None:
    found = best(Empirical(weights), s)
    assert float(found.value.upper) == pytest.approx(least_by_descent(weights, s), rel=1e-5)


@given(laws, st.integers(0, 20))
def test_both_sides_are_equal_for_few_lengths(weights: dict[int, int], s: int) -> None:
    assert best(Empirical(weights), s).exact is not None


@given(laws, st.integers(0, 20))
def test_the_price_proves_the_same_bound_by_other_code(weights: dict[int, int], s: int) -> None:
    found = best(Empirical(weights), s)
    lengths, total = tuple(sorted(weights)), sum(weights.values())
    tails = tuple(Fraction(sum(w for o, w in weights.items() if o > k), total) for k in lengths)
    unit = Fraction(1, found.bracket.high.sizes[0]) * volume(s, lengths[0])
    times, prices = zip(*found.price, strict=True)
    price = DualPrice(s, lengths, tails, tuple(t * unit for t in times), prices)
    assert price.check() == found.exact


@given(
    st.integers(1, 20),
    st.integers(1, 20),
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
    st.integers(0, 9),
)
def test_two_lengths_have_the_closed_form(l: int, more: int, p: Fraction, s: int) -> None:
    small, large = volume(s, l), volume(s, l + more)
    mean, shared = p * small + (1 - p) * large, small + (1 - p) ** 2 * (large - small)
    excess = p * mean - small
    bottom = excess + (1 - p) ** 2 * small
    expected = mean if excess <= 0 else mean - excess**2 / bottom
    found = best(f"two-point(l={l}, u={l + more}, weight={p})", s)
    assert found.exact == expected / shared
    tried = sum(plan.share for plan in found.plans if plan.thresholds)
    assert tried == (max(excess, 0) / bottom if excess > 0 else 0)


@pytest.mark.parametrize(("u", "s"), [(5, 1), (8, 2), (11, 3), (20, 6)])
def test_uniform_lengths_run_through_exactly_above_a_threshold(u: int, s: int) -> None:
    above, below = best(f"uniform(1, {u})", s), best(f"uniform(1, {u})", s - 1)
    assert above.exact == Fraction(2 * u * (3 * s + u + 2), (4 * u + 2) * s + u**2 + 3 * u + 2)
    assert [plan.thresholds for plan in above.plans] == [()]
    assert len(below.plans) > 1


def test_known_values() -> None:
    assert best("uniform(1, 10)").exact == Fraction(243820, 139513)
    near_exponential = best("geometric(q=1/2)", s=10**6, digits=6).value
    assert near_exponential.lower <= Fraction(3, 2) * (1 + Fraction(1, 10**5))
    assert near_exponential.upper >= Fraction(3, 2) * (1 - Fraction(1, 10**5))
    assert 2.2 < best("geometric(q=9/10)").value.middle < 2.43


@pytest.mark.parametrize(
    "spec", ["geometric(q=4/5)", "poisson(6)", "lognormal(2, 1/2, u=60)", "zipf(1, 150)", "negative-binomial(2, q=3/4)"]
)
def test_cut_laws_contain_the_value_of_the_law_that_is_cut_later(spec: str) -> None:
    rough, fine = best(spec, 2, digits=4), best(spec, 2, digits=9)
    assert rough.value.lower <= fine.value.upper and fine.value.lower <= rough.value.upper
    assert fine.value.width < rough.value.width or rough.exact is not None


@pytest.mark.exhaustive
def test_an_infinite_law_is_near_its_long_truncation() -> None:
    whole, part = best("geometric(q=3/4)"), best(Empirical({k: Fraction(3, 4) ** k for k in range(1, 110)}))
    assert float(whole.value.upper) == pytest.approx(float(part.value.upper), rel=1e-7)


@given(laws, st.integers(0, 5))
def test_one_plan_for_all_is_the_best_of_all_plans(weights: dict[int, int], s: int) -> None:
    found = best(Empirical(weights), s)
    requests = found.bracket.high
    least = min(Mixture.of(requests, {plan: 1}).upper() for plan in all_plans(len(requests.sizes)))
    assert found.common_ratio.upper == least
    assert found.exact is not None and found.exact <= least <= found.run_through.upper
    assert found.exact < least or not found.common.thresholds  # one plan that kills is never the best


@given(laws, st.integers(0, 40))
def test_running_through_is_best_exactly_for_nbue_sizes(weights: dict[int, int], s: int) -> None:
    found = best(Empirical(weights), s)
    own, last = found.bracket.high, len(found.bracket.high.sizes)
    nbue = all(own.uses(0, c) * own.survivors[0] >= own.uses(0, last) * own.completes(0, c) for c in range(1, last))
    assert (found.exact == found.run_through.upper) == nbue == found.nbue


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("law", "s", "known", "says"),
    [
        ("uniform(1, 10)", 0, False, "killing helps"),
        ("uniform(1, 11)", 3, True, "killing is useless\n"),
        ("uniform(1, 500)", 166, True, "killing is useless\n"),
        ("uniform(1, 500)", 165, False, "killing helps"),
        ("geometric(q=9/10)", 0, False, "killing helps"),
        ("poisson(3)", 1000, None, "not decided"),
    ],
)
def test_whether_sizes_are_nbue_is_said(
    law: str, s: int, known: bool | None, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", law, "--s", str(s), "--digits", "4"]) == 0
    assert says in capsys.readouterr().out
    assert main(["best", law, "--s", str(s), "--digits", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nbue"] is known


def test_other_shares_pay_more_and_prove_less() -> None:
    found = best("uniform(1, 10)").mixture
    for change in (-1, 1):
        changed = Mixture(
            found.requests, found.plans, (found.weights[0] + change * found.weights[0] // 9, *found.weights[1:])
        )
        assert changed.upper() > found.upper() == found.lower() > changed.lower()


def test_a_mixture_whose_attempts_would_run_out_of_order_is_refused() -> None:
    requests = Requests.of({1: Fraction(1), 2: Fraction(1, 100), 3: Fraction(100)})
    with pytest.raises(NotCertified):
        _ = Mixture(requests, ((0, 2, 3), (0, 1, 2, 3)), (1, 1)).price
    with pytest.raises(NotCertified):
        Mixture(requests, ((0, 2),), (1,))


@pytest.mark.parametrize(
    ("law", "s", "said"),
    [
        ("geometric(q)", 0, "needs a value for q"),
        ("uniform(1, 10)", -1, "must be an integer ≥ 0"),
        ("pareto(3/2)", 0, "an infinite second moment"),
        ("zipf(3)", 0, "needs a value for u"),
        ("pareto(2)", 0, "tail"),
        ("density(x**2, l=1)", 0, ""),
    ],
)
def test_bad_input_gets_one_line(law: str, s: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError) as error:
        best(law, s)
    assert said in str(error.value) and "\n" not in str(error.value)
    assert main(["best", law, "--s", str(s)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "law", ["uniform(1, 90)", "lognormal(2, 1, u=80)", "geometric(q=4/5)", "pmf(1/k**5)", "poisson(9)"]
)
@pytest.mark.parametrize(("s", "cost"), [(0, "volume"), (3, "100, 1/2, 1")])
def test_rounded_lengths_enclose_the_value_of_all_lengths(
    law: str, s: int, cost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = best(law, s, digits=4, cost=cost)
    monkeypatch.setattr("crtools.blind.truncation.MOST_LENGTHS", 4)
    widths: list[Fraction] = []
    for cells in (6, 24):
        monkeypatch.setattr("crtools.blind.truncation.MOST_CELLS", cells)
        found = best(law, s, digits=4, cost=cost)
        assert len(found.bracket.lengths) <= cells and found.bracket.in_cells
        assert found.value.lower <= whole.value.lower and whole.value.upper <= found.value.upper
        for part in ("run_through", "common_ratio"):
            assert getattr(found, part).lower <= getattr(found, part).upper
        assert found.run_through.lower <= whole.run_through.upper and whole.run_through.lower <= found.run_through.upper
        widths.append(found.value.width)
    assert widths[1] < widths[0] and widths[0] > 0


def test_a_long_law_has_the_digits_that_rounding_leaves(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crtools.blind.truncation.MOST_CELLS", 60)
    assert main(["best", "uniform(1, 2001)", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)["value"]
    assert 1 <= value["digits"] < 8 and "lengths are rounded" in value["rounding"]
    assert float(value["lower"]) < 1.8648 < float(value["upper"])  # of uniform(1, 2000), to 5 digits
    assert main(["best", "uniform(1, 2001)"]) == 0
    assert value["rounding"][:20] in capsys.readouterr().out
    assert json.loads(json.dumps(best("uniform(1, 10)").as_json()))["value"]["rounding"] is None


def test_the_command_prints_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "uniform(1, 10)", "--s", "2"]) == 0
    shown = capsys.readouterr().out
    assert "over the optimum" in shown and "V = " in shown and "a-min" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_forms_beside_are_told_an_interval_and_the_value_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["best", "uniform(3, 10)", "--l", "1", "--u", "20", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    own, weights = best("uniform(3, 10)"), [0] * 2 + [1] * 8 + [0] * 10
    assert (document["l"], document["u"], document["value"]["exact"]) == (1, 20, str(own.exact))
    on = Setting(0, 1, 20)
    for name in ("a-min", "a-max", "h-sf"):
        direct = form(name).on(on).value(weights) / form("volume").on(on).value(weights)
        assert document["forms"][name] == pytest.approx(float(direct), rel=1e-9)
    assert document["forms"]["a-max"] > own.forms()["a-max"]


@pytest.mark.parametrize(
    ("law", "option", "value", "said"),
    [
        ("uniform(3, 10)", "--l", "4", "at most 3"),
        ("uniform(3, 10)", "--l", "0", "≥ 1"),
        ("uniform(3, 10)", "--u", "9", "at least the largest length"),
        ("geometric(q=1/2)", "--u", "9", "it has none"),
        ("two-point(l, u, weight)", "--u", "9", "without symbols"),
    ],
)
def test_an_interval_without_a_length_of_the_law_is_refused(
    law: str, option: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", law, option, value]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert said in line and value in line


@pytest.mark.exhaustive  # takes seconds
def test_numbers_too_long_to_write_are_decimals() -> None:
    found = best("pmf((9/10)**k, u=100)")
    document = found.as_json()
    assert found.exact is not None and document["value"]["exact"] is None
    assert sum(float(plan["share"]) for plan in document["plans"]) == pytest.approx(1)
    assert "/" not in document["plans"][0]["share"]


def test_the_search_tells_how_near_it_is() -> None:
    gaps: list[float] = []

    def kept(items: Iterable[float]) -> Iterator[float]:
        for gap in items:
            gaps.append(gap)
            yield gap

    found = best("uniform(1, 60)", progress=kept)
    assert len(gaps) > 3 and 1e-9 < gaps[-1] < gaps[0]
    assert found.mixture == best("uniform(1, 60)").mixture


def test_a_ratio_to_the_optimum_says_what_the_best_schedule_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ratio", "uniform(1, 10)", "--against", "optimum"]) == 0
    shown = capsys.readouterr().out
    assert "over volume" in shown and "1.747650756" in shown and "times V" in shown
    assert main(["ratio", "uniform(1, 10)"]) == 0
    assert "best blind" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("law", "s", "says"),
    [
        ("two-point(l, u, 1/2)", "0", "best-two-lengths"),
        ("two-point(1, 4, 1/2)", "0", "≤ V ≤"),
        ("uniform(1, u)", "1", "uniform-lengths"),
        ("geometric(q)", "0", None),
    ],
)
def test_a_derivation_to_the_optimum_says_so_too(
    law: str, s: str, says: str | None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crtools.cli.ratios._supremum", lambda *given: (None, ""))
    assert main(["derive", law, "--s", s, "--against", "optimum"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert says in shown if says else "V =" not in shown and "≤ V" not in shown


@pytest.mark.exhaustive  # takes seconds
def test_the_schedule_is_drawn_with_its_numbers_beside(tmp_path, capsys):
    file = tmp_path / "best.svg"
    assert main(["best", "uniform(1,10)", "--plot", str(file)]) == 0
    assert f"drawn: {file}" in " ".join(capsys.readouterr().out.split())
    table = np.genfromtxt(tmp_path / "best.data.csv", delimiter=",", names=True)
    area = ((table["end"] - table["start"]) * (table["price"] + table["price_after"])).sum()
    shared = sum(min(i, j) * (min(i, j) + 1) / 200 for i in range(1, 11) for j in range(1, 11))
    assert np.isclose(area / shared, 243820 / 139513)
    assert table["start"][0] == 0 and table["price"][0] == 1 and abs(table["price_after"][-1]) < 1e-12
    assert np.isclose(table["share"][table["until"] == 10].sum(), 1)  # all run to their ends at last
    assert main(["best", "uniform(1,10)", "--plot", "best.gif"]) == 2


@pytest.mark.parametrize(
    ("law", "numbers", "own"),
    [
        ("two-point(l, u, w)", {"l": 2, "u": 9, "w": "3/4"}, "two-point(2, 9, 3/4)"),
        ("two-point(l, u, w)", {"l": 2, "u": 3, "w": "1/4"}, "two-point(2, 3, 1/4)"),
        ("two-point(1, u, 9/10)", {"u": 30}, "two-point(1, 30, 9/10)"),
    ],
)
@pytest.mark.parametrize("s", [0, 4])
def test_a_closed_form_in_symbols_is_the_value(law: str, numbers: dict[str, object], own: str, s: int) -> None:
    found = closed_form(law, "s")
    values = {symbol: sp.Rational(str(numbers[symbol.name])) for symbol in found.law.parameters} | {found.s: s}

    def at(expression: Any) -> Any:
        for name, value in reversed(found.names.items()):
            expression = expression.subs(sp.Symbol(name), value)
        return expression.subs(values)

    told = [at(case.value) for case in found.cases if at(case.where) >= 0]
    exact = best(own, s)
    assert told and set(told) == {sp.Rational(str(exact.exact))}
    tried = [at(case.tried) for case in found.cases if at(case.where) >= 0]
    shares = {plan.thresholds: plan.share for plan in exact.plans}
    assert all(
        share == sp.Rational(str(shares.get((found.law.l if law.startswith("two-point(1") else 2,), 0)))
        for share in tried
    )


def test_a_name_of_the_law_stands_for_nothing_else() -> None:
    document = closed_form("two-point(v, u, w)", "p").as_json()
    assert {"v_", "w_", "p_", "mu", "least"} == set(document["names"])
    assert document["names"]["p_"] == "w" and document["names"]["v_"] == "p*v + v*(v + 1)/2"
    assert set(closed_form("two-point(l, u, weight)").names) == {"v", "w", "p", "mu", "least"}


def test_uniform_lengths_in_symbols_and_what_is_not_known(capsys) -> None:
    (case,) = closed_form("uniform(1, u)", 3).cases
    u = next(iter(case.where.free_symbols))
    for end in (1, 2, 5, 11):
        assert case.where.subs(u, end) >= 0 and best(f"uniform(1, {end})", 3).exact == case.value.subs(u, end)
    assert case.where.subs(u, 12) < 0 and best("uniform(1, 12)", 3).exact < case.value.subs(u, 12)
    assert main(["best", "two-point(l, u, weight)", "--s", "s"]) == 0
    assert "best-two-lengths" in capsys.readouterr().out
    assert main(["best", "geometric(q)"]) == 2
    assert "in symbols V is known for" in capsys.readouterr().err
    assert main(["best", "uniform(1, u)", "--plot", "a.png"]) == 2


@pytest.mark.parametrize(
    "law",
    [
        "empirical(1:1,2:1,3:1/10**40,4:1/10**60)",
        "empirical(1:1,2:1/10**60,3:1/10**60)",
        pytest.param("pmf(q**k,q=1/10**10,u=40)", marks=pytest.mark.exhaustive),
    ],
)
def test_weights_that_floats_cannot_add_are_no_warning(law: str) -> None:
    with warnings.catch_warnings(action="error"):
        found = best(law, s=2)
    assert found.value.width <= Fraction(1, 10**7) * found.value.lower
    text = crt("best", law, "--s", "2").stdout
    assert (" 0.00%" not in text and "more plans (--json)" in text) or len(found.plans) == 1
