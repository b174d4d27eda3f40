"""The three experiments: their intervals, their averages, what is left out, the command and the figures."""

from __future__ import annotations

import doctest
import json
import pickle
import pickletools
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crtools import InputError, distribution, figure, simulate
from crtools.cli import main
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.claims.experiments import exp_1, exp_2, exp_3
from crtools.papers.adaptive.evidence.experiments import judged
from crtools.papers.adaptive.workloads import experiment, lengths
from crtools.papers.adaptive.workloads.experiments import (
    EXPERIMENTS,
    EXTRA,
    LARGEST,
    MEMORY,
    OF_HINDSIGHT,
    OF_THE_PAPER,
    POLICIES,
    SIZES,
    around,
    looks_at_clock,
)
from crtools.papers.adaptive.workloads.lengths import EMBEDDED
from crtools.process.measures import Mean
from crtools.process.workload import Predictions

SMALL: dict[str, Any] = {"sizes": (40, 90), "seeds": 3, "memory": 1800}


# ---- predictions ------------------------------------------------------------------------------------------------


def ends(number: int, place: int, o: int) -> tuple[int, int]:
    low, high = EXPERIMENTS[number][place].intervals(np.array([o]))
    return int(low[0]), int(high[0])


@pytest.mark.parametrize(
    ("number", "place", "o", "wanted"),
    [
        (1, 0, 1, (1, 1000)), (1, 0, 1000, (1, 1000)), (2, 0, 1, (1, 100)), (2, 0, 100, (1, 100)),
        (2, 0, 101, (101, 200)), (2, 0, 901, (901, 1000)), (2, 0, 1000, (901, 1000)), (2, 0, 1001, (0, 0)),
        (3, 0, 10, (9, 11)), (3, 0, 11, (9, 13)), (3, 0, 1, (1, 2)), (3, 1, 20, (1, 39)), (3, 1, 100, (5, 195)),
        (3, 2, 100, (1, 199)), (3, 2, 883, (8, 1758)),
    ],
)  # fmt: skip
def test_intervals(number: int, place: int, o: int, wanted: tuple[int, int]) -> None:
    assert ends(number, place, o) == wanted


def test_intervals_around_o_are_rounded_outward_exactly() -> None:
    o = np.arange(1, 2001)
    for place, x in enumerate((Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))):
        low, high = around(x).intervals(o)
        assert low.tolist() == [max(1, floor((1 - x) * k)) for k in o.tolist()]
        assert high.tolist() == [ceil((1 + x) * k) for k in o.tolist()]
        assert EXPERIMENTS[3][place].label == f"x = {float(x):g}"


def test_the_set_up_is_the_paper_s() -> None:
    assert (MEMORY, SIZES) == (16_492, (200, 400, 600, 800, 1000, 1200, 1400, 1600, 1800, 2000))
    assert set(POLICIES) == {"h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort", "a-learn"}


# ---- runs -------------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("number", [1, 2, 3])
def test_rows_are_runs_on_the_first_n_requests(number: int) -> None:
    found = experiment(number, "paper", **SMALL)
    assert len(found.rows) == len(found.predictions) * 2 * 3 * len(POLICIES)
    law = lengths("paper")
    for row in found.rows:
        s, o = (column[: row.n] for column in law.draw(500, row.seed))
        low, high = EXPERIMENTS[number][found.predictions.index(row.prediction)].intervals(o)
        run = simulate(row.policy, o, 1800, s, low, high, seed=row.seed)
        assert row.latency["unit"] == run.mean_latency
        assert row.cancellations["unit"] == run.cancellations
        assert row.left_out == 0
        assert row.latency["affine"] >= 0.0352
    for one in found.summaries():
        values = found.latencies(one.prediction, one.n, one.policy, one.step)
        best = found.latencies(one.prediction, one.n, "h-sf", one.step)
        assert one.mean_latency == Mean.of(values)
        assert one.to_h_sf == Mean.of([a / b for a, b in zip(values, best, strict=True)])


NEW = ("h-volume", "h-work", "shortest-prompt", "expected-work", "fcfs", "a-offset")


def test_policies_that_look_at_the_clock_run_in_it() -> None:
    """The others run once, in steps, and their steps are timed, which gives the same floats; of prices there is no other run."""
    assert [name for name in (*NEW, *POLICIES) if looks_at_clock(name)] == [
        "h-work", "expected-work", "a-learn",
    ]  # fmt: skip
    assert not looks_at_clock("switch")
    found = experiment(1, "paper", sizes=(90,), seeds=1, memory=1800, policies=NEW)
    s, o = lengths("paper").draw(90, 0)
    for row in found.rows:
        in_steps = simulate(row.policy, o, 1800, s, 1, 1000, history=True)
        assert row.latency["unit"] == in_steps.mean_latency
        if row.policy == "a-offset":
            assert row.latency["affine"] == in_steps.completion_times_in("seconds").mean()
            continue
        in_seconds = simulate(row.policy, o, 1800, s, 1, 1000, clock="seconds")
        assert row.latency["affine"] == in_seconds.mean_latency
        assert row.cancellations == {"affine": in_seconds.cancellations, "unit": in_steps.cancellations}


def test_results_do_not_depend_on_jobs_and_repeat() -> None:
    one, two, again = (experiment(2, "azure-conv", sizes=(20, 30), seeds=2, jobs=j) for j in (1, 2, 1))
    assert one.rows == two.rows == again.rows
    assert one.rows != experiment(2, "azure-conv", sizes=(20, 30), seeds=(5, 6)).rows


@pytest.mark.parametrize("name", EMBEDDED)
def test_policies_of_hindsight_run_alike_in_every_experiment_on_an_embedded_law(name: str) -> None:
    """No output is beyond an interval, so that the evidence of the claims runs them once for all experiments."""
    law: Any = lengths(name)
    assert all(column.lengths[-1] <= LARGEST for column in law.groups)
    for policy in OF_HINDSIGHT:
        runs = [experiment(number, name, sizes=(30,), seeds=1, policies=(policy,)) for number in (1, 2, 3)]
        assert len({tuple(row.latency.values()) for run in runs for row in run.rows}) == 1
        assert sum(len(run.rows) for run in runs) == 5


def test_requests_beyond_the_upper_end_are_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("p,o\n" + "".join(f"3,{o}\n" for o in (5, 1001, 1000, 7, 2000, 30)))
    for number in (1, 2):
        found = experiment(number, f"csv:{path}#o,p", sizes=(6,), seeds=2)
        assert found.left_out() == {found.predictions[0]: {"6": 4}}
        assert all(row.left_out == 2 for row in found.rows)
        best = found.latencies(found.predictions[0], 6, "h-sf", "unit")
        assert best == [(5 + 1000 + 7 + 30) / 4] * 2
    assert experiment(3, f"csv:{path}#o,p", sizes=(6,), seeds=1).left_out() == {}
    path.write_text("p,o\n3,2000\n")
    with pytest.raises(InputError, match="no output"):
        experiment(1, f"csv:{path}#o,p", sizes=(1,), seeds=1)


def test_without_h_sf_there_are_no_ratios() -> None:
    found = experiment(1, "paper", policies=("a-max", *EXTRA), steps=("unit",), **SMALL)
    assert all(s.to_h_sf is None and s.step == "unit" for s in found.summaries())
    a, b = (found.latencies("[1, 1000]", 90, p, "unit") for p in found.policies)
    assert a == b  # with one interval both orders are the same permutation


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"number": 4}, "experiment"), ({"number": 0}, "experiment"), ({"sizes": ()}, "n"), ({"sizes": (0,)}, "n"),
        ({"seeds": 0}, "seeds"), ({"seeds": ()}, "seeds"), ({"seeds": (-1,)}, "seeds"), ({"steps": ("x",)}, "step"),
        ({"steps": ()}, "step"), ({"policies": ("switch",)}, "lengths"), ({"policies": ()}, "policy"), ({"jobs": 0}, "jobs"),
        ({"memory": 0}, "memory"), ({"memory": 1000}, "memory"), ({"lengths": "x"}, "lengths"),
    ],
)  # fmt: skip
def test_bad_arguments_are_input_errors(change: dict[str, Any], name: str) -> None:
    with pytest.raises(InputError) as caught:
        experiment(**{"number": 1, "sizes": (5,), "seeds": 1, **change})
    assert caught.value.argument == name


# ---- the command ------------------------------------------------------------------------------------------------


def test_the_command_prints_averages(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["experiment", "3", "--n", "10", "20", "--seeds", "2", "--seed", "4", "--memory", "2500"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["experiment"], document["n"], document["seeds"]) == (3, [10, 20], [4, 5])
    found = experiment(3, sizes=(10, 20), seeds=(4, 5), memory=2500)
    assert document == json.loads(json.dumps(found.as_json()))
    assert len(document["rows"]) == 3 * 2 * 2 * len(POLICIES)
    assert main([*arguments, "--clock", "steps", "--policy", "h-sf", "a-max"]) == 0
    text = capsys.readouterr().out
    for word in ("x = 0.1", "x = 0.95", "x = 0.99", "latency in steps", "a-max", "2 seeds from 4", "M = 2500"):
        assert word in text
    assert "in seconds" not in text


def test_step_is_an_older_name_of_clock(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["experiment", "1", "-n", "30", "--seeds", "2", "--policy", "h-sf", "--json"]
    for step, name in (("affine", "seconds"), ("unit", "steps"), ("both", "both")):
        assert main([*arguments, "--step", step]) == 0
        by_step, warning = capsys.readouterr()
        assert warning == "crtools: --step is deprecated; use --clock steps, seconds or both\n"
        assert main([*arguments, "--clock", name]) == 0
        assert capsys.readouterr() == (by_step, "")
    times = {"ms_fixed": 35.2, "ms_per_token": 0.281, "ms_per_held_token": 1e-4}
    assert json.loads(by_step)["steps"]["affine"] == times
    assert json.loads(by_step)["steps"]["unit"] == dict(zip(times, (1000, 0, 0), strict=True))


def test_the_command_says_how_many_were_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.csv"
    path.write_text("p,o\n3,5\n3,1001\n4,20\n")
    assert main(["experiment", "1", "--lengths", f"csv:{path}#o,p", "--n", "3", "--seeds", "2"]) == 0
    assert "left out" in (text := capsys.readouterr().out) and "2 at n = 3" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("4",), ("x",), ("1", "--lengths", "x"), ("1", "--step", "x"), ("1", "--clock", "x"), ("1", "--n", "0"), ("1", "--n", "x"),
        ("1", "--step", "unit", "--clock", "steps"),
        ("1", "--seeds", "0"), ("1", "--seed", "-1"), ("1", "--seeds", "x"), ("1", "--memory", "100"),
        ("1", "--policy", "a-ell"), ("1", "--jobs", "0"), ("1", "--lengths", "geometric(q=1/2)", "--s", "-1"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("crtools: ") and error.count("\n") == 1


# ---- the figures ------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
def test_the_figures_hold_what_the_experiments_give(tmp_path: Path) -> None:
    drawn = figure("exp-2")
    found = experiment(2, sizes=(200, 2000), seeds=10, policies=("h-sf", "a-max", "a-max-random-order"))
    rows = [dict(zip(drawn.data, values, strict=True)) for values in zip(*drawn.data.values(), strict=True)]
    assert len(rows) == 2 * len(SIZES) * (len(OF_THE_PAPER) + 1)
    for n in (200, 2000):
        for step in ("affine", "unit"):
            for policy in found.policies:
                [row] = [r for r in rows if (r["n"], r["step"], r["policy"]) == (n, step, policy)]
                assert row["mean_latency"] == Mean.of(found.latencies(row["prediction"], n, policy, step)).mean
                assert row["lower"] <= row["mean_latency"] <= row["upper"]
                assert row["over_h_sf"] >= 0.9
    assert set(drawn.save(tmp_path)) == {"png", "csv", "json"}
    assert (tmp_path / "exp-2.png").stat().st_size > 10_000


@pytest.mark.exhaustive  # takes seconds
def test_the_figure_of_lengths_holds_all_weight_and_the_published_figures(tmp_path: Path) -> None:
    drawn = figure("lengths")
    rows = list(zip(*drawn.data.values(), strict=True))
    for law, column in {row[:2] for row in rows}:
        own = [row for row in rows if row[:2] == (law, column)]
        assert sum(row[4] for row in own) == pytest.approx(1)
        assert all(a[3] == b[2] for a, b in pairwise(own))
    assert drawn.notes["published"]["outputs"]["variance"] == 9702
    assert drawn.fits["paper, outputs"]["variance"] == pytest.approx(9702, rel=0.01)
    assert set(drawn.save(tmp_path)) == {"png", "csv", "json"}


# ---- the claims -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intervals", "low", "high", "status"),
    [
        ([(1.0, 1.05), (1.0, 1.1)], 0, 1.1, "supported"), ([(1.0, 1.05), (1.05, 1.15)], 0, 1.1, "inconclusive"),
        ([(1.0, 1.05), (1.11, 1.15)], 0, 1.1, "contradicted"), ([(0.9, 1.2), (1.11, 1.15)], 0, 1.1, "contradicted"),
        ([(2.1, 3.0)], 2, float("inf"), "supported"), ([(1.9, 3.0)], 2, float("inf"), "inconclusive"),
        ([(1.0, 1.9)], 2, float("inf"), "contradicted"), ([None], 0, 2, "inconclusive"),
    ],
)  # fmt: skip
def test_a_threshold_is_judged_by_intervals(intervals: Any, low: float, high: float, status: str) -> None:
    means = {n: Mean(1.0, None, interval) for n, interval in enumerate(intervals)}
    assert judged(means, low, high) == status


def statuses(claim: Any, **changed: str) -> dict[str, str]:
    return {f.id: f.status for f in claim.check(changed).stated.findings}


@pytest.mark.exhaustive  # takes seconds
def test_experiments_are_never_proved_or_refuted_and_what_their_runs_say_is_one_line() -> None:
    for claim in (exp_1, exp_2, exp_3):
        result = claim.check({"seeds": "2"})
        assert result.levels == ("algorithm",)
        assert {f.status for f in result.stated.findings} <= {"supported", "contradicted", "inconclusive"}
        assert len(result.why.replace("$", "")) <= 45


def test_the_sentence_on_x_is_decided_by_exact_widths() -> None:
    larger, smaller = (
        exp_3.check({"precision": word, "seeds": "2"}).proof.displays[0] for word in ("larger", "smaller")
    )
    assert (larger.status, smaller.status) == ("refuted", "certified")
    assert isinstance(larger.evidence, Refuted)
    witness, found = larger.evidence.witness, larger.evidence.second
    for x, (low, high) in zip(witness["x"], found["intervals"], strict=True):
        assert (low, high) == (floor((1 - Fraction(x)) * witness["o"]), ceil((1 + Fraction(x)) * witness["o"]))
    assert found["widths"][0] < found["widths"][1] and Fraction(witness["x"][0]) < Fraction(witness["x"][1])


@pytest.mark.exhaustive  # takes seconds
def test_other_lengths_and_steps_can_decide() -> None:
    assert statuses(exp_1, lengths="azure-conv", seeds="5")["a-max-far"] == "contradicted"
    assert statuses(exp_1, step="unit", seeds="5")["a-max-far"] == "supported"
    assert statuses(exp_2, seeds="5")["a-min-close"] == "supported"
    assert statuses(exp_2, a_min="a-min-cohort", seeds="5")["a-min-close"] == "contradicted"


@pytest.mark.parametrize(
    ("claim", "key", "value"),
    [
        (exp_1, "seeds", "1"), (exp_1, "seeds", "5000"), (exp_1, "a_min", "a-max"),
        (exp_1, "step", "none"), (exp_1, "lengths", "none"), (exp_1, "far_higher", "0"),
        (exp_2, "halved_from", "0.7"), (exp_2, "close", "x"), (exp_3, "precision", "more"),
    ],
)  # fmt: skip
def test_a_bad_value_of_a_claim_is_an_input_error_before_anything_is_run(
    claim: Any, key: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(*_: object) -> None:
        raise RuntimeError("work was done")

    monkeypatch.setattr("crtools.papers.adaptive.workloads.experiments.run_sweep", work)
    with pytest.raises(InputError):
        claim.check({key: value})


def test_any_interval_takes_the_place_of_the_experiment_s_own() -> None:
    how: dict[str, Any] = {"sizes": [40], "seeds": 2, "steps": ["unit"], "policies": ["h-sf", "a-max", "fcfs"]}
    own = experiment(1, "paper", **how)
    same = experiment(2, "paper", predictions="1-1000", **how)
    assert [row.latency for row in same.rows] == [row.latency for row in own.rows]
    assert same.predictions == ("[1, 1000]",)
    factor = experiment(1, "paper", predictions="x2", **how)
    latency = {row.policy: row.latency for row in factor.rows if row.seed == 1}
    law = lengths("paper")
    prompts, outputs = law.draw(40, 1)
    low, high = Predictions.of("x2").around(outputs, 1)
    assert (
        (low <= outputs).all() and (outputs <= high).all() and (high <= 4 * outputs + 1).all() and (low < outputs).any()
    )
    run = simulate("a-max", outputs, MEMORY, prompts, low, high, seed=1)
    assert latency["a-max"]["unit"] == pytest.approx(run.mean_latency)
    assert latency["a-max"] != next(row.latency for row in own.rows if (row.policy, row.seed) == ("a-max", 1))
    narrow = experiment(1, "paper", predictions="20-60", **how)
    assert all(
        0 < row.left_out == int(((o < 20) | (o > 60)).sum()) for row in narrow.rows for o in [law.draw(40, row.seed)[1]]
    )
    for text in ("low,high", "9-3", "y2"):
        with pytest.raises(InputError, match="predictions"):
            experiment(1, "paper", predictions=text, **how)


def test_columns_and_several_intervals_take_the_place_of_the_own_ones(tmp_path: Path) -> None:
    path = tmp_path / "told.csv"
    path.write_text("p,o,low,high\n" + "".join(f"3,{o},{o - 1},{2 * o}\n" for o in (5, 9, 40, 7, 20, 30)))
    source = f"csv:{path}#o,p"
    found = experiment(
        1, source, sizes=(4,), seeds=2, memory=300, policies=("a-max", "a-min-literal"), predictions="low,high"
    )
    law = lengths(source)
    for row in found.rows:
        s, o = law.draw(4, row.seed)
        run = simulate(row.policy, o, 300, s, o - 1, 2 * o, seed=row.seed)
        assert row.latency["unit"] == run.mean_latency
    several = experiment(1, source, sizes=(6,), seeds=1, memory=300, policies=("a-max",), predictions="1-9,20-35")
    assert several.left_out() == {"intervals 1-9,20-35": {"6": 1}}  # 40 is beyond them
    with pytest.raises(InputError, match=r"one of the intervals must contain the output \d+"):
        experiment(1, source, sizes=(6,), seeds=1, memory=300, predictions="1-8,10-50")
    with pytest.raises(InputError, match="names columns of a file"):
        experiment(1, "paper", sizes=(6,), seeds=1, predictions="low,high")


def test_the_example_of_the_docstring_runs() -> None:
    from crtools.papers.adaptive.workloads import experiments

    found = doctest.testmod(experiments)
    assert found.attempted == 5 and found.failed == 0


def test_an_experiment_runs_on_any_lengths_and_draws_itself() -> None:
    how: dict[str, Any] = {"sizes": (9, 18), "seeds": 2, "policies": ("h-sf", "fcfs", "a-min"), "memory": 90}
    own = experiment(1, [3, 5, 9, 30], steps=("unit",), **how)
    assert own.table() == [summary.flat() for summary in own.summaries()]
    page = own.plot()
    assert page.notes["lengths"] == "empirical(3:1, 5:1, 9:1, 30:1)"
    assert page.draw()[:4] == b"\x89PNG"
    assert experiment(1, distribution("uniform(1, 9)"), **how).law.name == "uniform(l=1, u=9)"
    assert experiment(1, [3, 5, 9], **(how | {"policies": ("fcfs",)})).plot().fits == {}


def test_a_figure_that_is_sent_elsewhere_carries_its_numbers_and_not_the_experiment() -> None:
    page = experiment(1, [3, 5, 9], sizes=(6, 9), seeds=2, policies=("h-sf", "fcfs"), memory=60).plot()
    packed = pickle.dumps(page)
    assert "Experiment" not in [argument for _, argument, _ in pickletools.genops(packed)]  # the name of a class
    again = pickle.loads(packed)
    assert (again.name, again.data, again.fits) == (page.name, page.data, page.fits)


def test_the_figures_of_the_experiments_take_lengths() -> None:
    drawn = figure("exp-1", lengths="azure-conv", n=[9, 18], seeds=2)
    assert drawn.name == "exp-1-lengths-azure-conv-n-9-18-seeds-2" and drawn.notes["lengths"] == "azure-conv"
    with pytest.raises(InputError, match="lengths = nothing: must be one of"):
        figure("exp-1", lengths="nothing")
