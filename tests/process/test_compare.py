"""``compare``: the table of policies and memories, the sentence, the plot, bad rows, and which argument is which."""

from __future__ import annotations

import csv
import json
import pickle
from dataclasses import FrozenInstanceError
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import crt

from crtools import POLICIES, InputError, Policy, Setting, compare, form, simulate
from crtools.process import Comparison, Mean, measures
from crtools.process.clocks import SECONDS
from crtools.process.compare import Rows, memories_of
from crtools.process.measures import Row
from crtools.process.policies import usual_policies
from crtools.process.workload import Predictions, Workload, workload

LAW = "uniform(l=1, u=8)"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Forty requests with prompts and intervals of their own."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = [(int(p), int(o), max(1, int(o) // 2), 2 * int(o)) for p, o in rng.integers(1, 9, (40, 2))]
    lines = [",".join(map(str, row)) for row in rows]
    (tmp_path / "own.csv").write_text("\n".join(["prompt,output,low,high", *lines]) + "\n")
    return tmp_path / "own.csv"


def document(*arguments: str) -> Any:
    done = crt("compare", *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# ---- the runs -------------------------------------------------------------------------------------------------------


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


def test_a_single_row_lends_its_attributes_and_rows_may_still_be_called() -> None:
    found = compare("a-max", LAW, n=20, memory=30, seeds=2)
    [row] = found.rows
    assert found.cells is found.rows and found.to_volume == row.to_volume and found.runs is row.runs
    assert [run.total_latency for run in found.runs] == [values["total_latency"] for values in row.values]
    with pytest.warns(DeprecationWarning, match="by_seed"):
        lines = found.rows()
    assert [line["seed"] for line in lines] == [0, 1] and lines == row.by_seed()
    assert list(lines[0]) == ["policy", "seed", "total_latency", "to_h_sf", "to_volume", "to_form", "cancellations"]
    assert {*found.as_json()} - {*found.document()} == {"to_h_sf", "to_volume", "to_form"}
    table = compare(["a-max", "fcfs"], LAW, n=20, memory=30, seeds=2)
    with pytest.raises(AttributeError, match="2 rows has no to_h_sf"):
        _ = table.to_h_sf
    assert table.rows[0].runs == () and table.as_json() == table.document()
    kept = compare(["a-max", "fcfs"], LAW, n=20, memory=30, seeds=2, keep_runs=True)
    assert kept.rows[0].runs == found.runs and kept.rows[0].values == row.values
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.to_form == found.to_form


def test_the_smallest_comparison() -> None:
    found = compare("a-min", "uniform(l=1, u=1)", n=1, memory=1)
    assert [run.total_latency for run in (*found.runs, *found.benchmark)] == [1, 1]
    assert found.to_h_sf.interval is None


def test_h_sf_runs_once_for_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Any] = []
    module = import_module("crtools.process.compare")
    monkeypatch.setattr(module, "simulate", lambda policy, *a, **k: ran.append(policy) or simulate(policy, *a, **k))
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


@pytest.mark.one_in(3)
@pytest.mark.parametrize("bad", [{"n": 0}, {"memory": 0}, {"s": -1}, {"seeds": 0}, {"seeds": []}, {"jobs": 0},
    {"seeds": -1}, {"seeds": [-1]}, {"seeds": [0.5]}, {"seeds": "12"}, {"seeds": True}, {"seeds": [2**63]}, {"seeds": [None]},
    {"seeds": 10**12}, {"seeds": range(10**30)}, {"n": True}, {"n": 2.0}, {"n": float("nan")}, {"n": "5"}, {"memory": 10**30}, {"s": None},
    {"s": [1] * 5}, {"jobs": 1.5}, {"jobs": 1000}, {"l": 2}, {"l": 0}, {"u": 1}, {"u": 10**12}, {"l": "1"},
    {"policy": 3}, {"policy": []}, {"policy": "none"}, {"dist": None}, {"dist": []}, {"dist": 3}, {"dist": "geometric(q)"},
    {"n": 10**10},
])  # fmt: skip
def test_bad_values_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        compare(**{"policy": "a-min", "dist": "geometric(q=1/2)", "n": 5, "memory": 50, **bad})
    assert "\n" not in str(caught.value)


# ---- the table ----------------------------------------------------------------------------------------------------


def test_each_number_is_that_of_the_runs() -> None:
    found = compare(["h-sf", "a-min-literal"], LAW, memory="20,30", n=40, seeds=2)
    assert [(cell.policy, cell.memory) for cell in found.cells] == [
        ("h-sf", 20), ("a-min-literal", 20), ("h-sf", 30), ("a-min-literal", 30),
    ]  # fmt: skip
    one = compare("a-min-literal", LAW, memory=30, n=40, seeds=2)
    row = found.as_json()["rows"][3]
    for name in ("to_h_sf", "to_volume", "to_form"):
        mean = getattr(one, name)
        assert row[name] == pytest.approx(mean.mean)
        assert row["intervals"][name] == pytest.approx(list(mean.interval))
    assert row["total_latency"] == sum(run.total_latency for run in one.runs) / 2
    assert row["mean_latency"] == pytest.approx(row["total_latency"] / 40)
    assert row["cancellations"] == sum(run.cancellations for run in one.runs) / 2 > 0
    assert row["makespan"] == sum(run.makespan for run in one.runs) / 2
    medians = [np.median(run.starts + run.lengths) for run in one.runs]
    assert row["percentiles"]["p50"] == pytest.approx(np.mean(medians))


def test_all_that_fit_are_compared_and_the_others_named() -> None:
    found = compare(None, LAW, memory=30, n=30, seeds=1)
    names = {cell.policy for cell in found.cells}
    assert {"a-restart", "a-offset", "h-sf", "a-max"} <= names
    assert "a-ell" not in names and "lengths l = 1 or u = 8" in found.left_out["a-ell", 30]
    with pytest.raises(InputError, match="a-ell needs lengths"):
        compare(["a-ell"], LAW, memory=30, n=30, seeds=1)
    ends = compare(None, "two-point(1, 4, 1/2)", memory=30, n=30, seeds=1)
    assert "a-ell" in {cell.policy for cell in ends.cells} and not ends.left_out


def cell(policy: str, memory: int, volumes: tuple[float, ...], blind: bool = True) -> Row:
    return Row(policy, memory, blind, tuple({"to_volume": v, "total_latency": 100 * v} for v in volumes))


def table(*rows: Row) -> Comparison:
    return Comparison(Workload("law", None), 9, tuple(range(len(rows[0].values))), Rows(rows), {})


def test_the_sentence_says_who_is_best_where_and_by_how_much() -> None:
    far = table(cell("x", 9, (1.5, 1.5)), cell("y", 9, (1.8, 1.8)), cell("seer", 9, (1.0, 1.0), blind=False))
    assert far.best_blind == {9: "x"}
    assert (
        far.sentence == "Of the blind policies x is best at M = 9: 1.5 times the volume bound, the next (y) 20 % above."
    )
    near = table(cell("x", 9, (1.5, 1.8)), cell("y", 9, (1.8, 1.51)))
    assert near.sentence.endswith("above (not told apart over these seeds).")
    both = table(cell("x", 9, (2.0,)), cell("y", 9, (3.0,)), cell("x", 20, (3.0,)), cell("y", 20, (2.0,)))
    assert both.best_blind == {9: "x", 20: "y"}
    assert "x is best at M = 9: 2 times" in both.sentence and "y is best at M = 20: 2 times" in both.sentence
    assert "(one seed)" in both.sentence
    assert table(cell("seer", 9, (1.0,), blind=False)).sentence == "No blind policy ran."
    tied = table(cell("x", 9, (1.5,)), cell("y", 9, (1.5 + 1e-15,)))
    assert tied.sentence.endswith("all 2 have the same mean at M = 9: 1.5 times the volume bound.")
    one_more = table(cell("x", 9, (1.5,)), cell("y", 9, (1.5 + 1e-15,)), cell("z", 9, (2.0,)))
    assert one_more.sentence.endswith("1.5 times the volume bound, the next (y) equal (one seed).")
    values = {"total_latency": 3.0, "to_bound": 1.5}
    rows = Rows(
        Row("x", memory, True, (values, values), (), (), "seconds", bounds=("length", "busy")) for memory in (9, 20)
    )
    found = Comparison(Workload("law", None), 9, (0, 1), rows, {}, (SECONDS,))
    assert (
        found.sentence
        == "By mean flow time in seconds, of the blind policies only x ran at M = 9, 20: 1.5 times the length or busy bound."
    )
    assert found.rows[0].to_bound.mean == 1.5 and found.rows[0].p99 is None
    with pytest.raises(AttributeError, match="a row has no median; its measures are total_latency"):
        _ = found.rows[0].median


def test_the_next_is_above_by_its_mean_flow_time() -> None:
    """Not by the mean over the seeds of the ratio, which may be below 1."""
    found = table(cell("x", 9, (1.0, 10.0)), cell("y", 9, (0.5, 10.6)))
    assert found.sentence.endswith("the next (y) 0.909 % above (not told apart over these seeds).")


def test_the_only_blind_policy_is_not_called_best() -> None:
    alone = table(cell("x", 9, (1.5, 1.6)), cell("seer", 9, (1.0, 1.0), blind=False))
    assert alone.best_blind == {} and alone.as_json()["best_blind"] == {}
    assert alone.sentence == "Of the blind policies only x ran at M = 9: 1.55 times the volume bound."
    found = compare(["fcfs", "h-sf"], LAW, memory=30, n=30, seeds=2)
    assert "best" not in found.sentence and found.best_blind == {}
    equal = table(cell("x", 9, (1.5, 1.6)), cell("y", 9, (1.5, 1.6)))
    assert equal.sentence == "Of the blind policies all 2 have the same mean at M = 9: 1.55 times the volume bound."
    some = table(cell("x", 9, (2.0,)), cell("x", 20, (3.0,)), cell("y", 20, (4.0,)))
    assert some.best_blind == {20: "x"} and "best" in some.sentence


@pytest.mark.parametrize(
    ("gaps", "told"),
    [((1.2, 1.2), True), ((1.2, 1.3), False), ((1.2, 1.21), True), ((0.95, 1.1), False), ((1.0, 1.4), False)],
)
def test_two_are_told_apart_where_the_interval_is_above_1(gaps: tuple[float, float], told: bool) -> None:
    found = table(cell("x", 9, (1.0, 1.0)), cell("y", 9, gaps))
    assert ("not told apart" not in found.sentence) == told


def test_an_interval_that_begins_at_1_tells_nothing_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    found = table(cell("x", 9, (1.0, 1.0)), cell("y", 9, (1.2, 1.3)))
    for low, told in ((1.0, False), (1.0000001, True), (0.9999999, False)):
        monkeypatch.setattr(measures, "paired_ratio", lambda best, other, low=low: Mean(1.25, 0.1, (low, 1.5)))
        assert ("not told apart" not in found.sentence) == told


def slow(policy: str, volume: float, p99: float, makespan: float) -> Row:
    values = {"to_volume": volume, "total_latency": 100 * volume, "p99": p99, "makespan": makespan}
    return Row(policy, 9, policy != "seer", (values,))


def test_the_sentence_says_where_the_best_mean_is_worse_at_the_end() -> None:
    found = table(slow("x", 1.5, 120, 90), slow("y", 1.6, 100, 100), slow("z", 1.7, 110, 80), slow("seer", 1, 50, 50))
    assert found.worse_at == [
        {"memory": 9, "policy": "x", "measure": "p99", "than": "y", "factor": pytest.approx(1.2), "clock": "steps"},
        {"memory": 9, "policy": "x", "measure": "makespan", "than": "z", "factor": pytest.approx(1.125), "clock": "steps"},
    ]  # fmt: skip
    assert "The p99 of x is 20 % above that of y at M = 9." in found.sentence
    assert "The makespan of x is 12.5 % above that of z at M = 9." in found.sentence
    assert found.as_json()["worse_at"] == found.worse_at
    assert table(slow("x", 1.5, 0.3, 0.1 + 0.2), slow("y", 1.6, 0.3, 0.3)).worse_at == []
    assert table(slow("x", 1.5, 100, 80), slow("y", 1.6, 100, 90)).worse_at == []
    assert table(slow("x", 1.5, 101, 80), slow("y", 1.6, 100, 79.5)).worse_at == []  # by at most 1 %


def test_a_table_names_its_clock(data: Path) -> None:
    found = document("fcfs", "h-sf", LAW, "-m", "30", "-n", "20", "--seeds", "2")
    assert found["clock"] == "steps" and {row["clock"] for row in found["rows"]} == {"steps"}
    assert "prefilling a prompt again after a restart takes no time" in found["notes"][0]
    done = crt("compare", "fcfs", "h-sf", LAW, "-m", "30", "-n", "20", "--seeds", "2").stdout
    assert "The clock is in steps" in done


def test_unequal_prompts_make_h_sf_no_benchmark(data: Path) -> None:
    unequal = ["fcfs", "csv:own.csv#output,prompt", "-m", "60"]
    assert any("H-SF orders by length" in note for note in document(*unequal)["notes"])
    assert "no benchmark" in crt("compare", *unequal).stdout
    for equal in (["fcfs", "csv:own.csv#output", "-m", "60", "--s", "3"], ["fcfs", LAW, "-m", "60", "--s", "3"]):
        assert not any("H-SF" in note for note in document(*equal)["notes"])
    simulated = json.loads(crt("simulate", *unequal, "-n", "40", "--json").stdout)
    assert any("H-SF orders by length" in note for note in simulated["notes"])


def test_several_seeds_draw_rows_with_replacement(data: Path) -> None:
    source, how = "csv:own.csv#output,prompt", ("-m", "60", "--clock", "steps", "--seeds")
    found = document("fcfs", "h-sf", "a-random", source, *how, "3")
    assert all(row["intervals"]["to_volume"] is not None for row in found["rows"])
    assert "Each seed draws 40 of the 40 rows with replacement." in found["notes"]
    one, all_rows = document("fcfs", source, *how, "1"), workload(source, memory=60).draw(40, 0)
    direct = simulate("fcfs", all_rows.lengths, 60, all_rows.s, preemption="resume")
    assert one["rows"][0]["total_latency"] == direct.total_latency and one["rows"][0]["intervals"]["to_volume"] is None
    drawn = workload(source, memory=60).draw(40, 2, bootstrap=True)
    again = compare(["fcfs"], source, memory=60, clock="steps", seeds=[1, 2], keep_runs=True).rows[0].runs[1]
    assert again == simulate("fcfs", drawn.lengths, 60, drawn.s, drawn.l, drawn.u, seed=2, preemption="resume")
    drawn = document("fcfs", "h-sf", source, "-n", "30", *how, "3")
    assert drawn["rows"][0]["intervals"]["to_volume"] is not None
    assert any("draws 30 of the 40 rows with replacement" in note for note in drawn["notes"])


def test_what_is_the_same_at_every_seed_has_no_interval() -> None:
    for command in (["compare", "--seeds", "3"], ["simulate", "--replicates", "3"]):
        text = crt(*command, "fcfs", "h-sf", "uniform(4, 4)", "-m", "60", "-n", "20").stdout
        assert "±" not in text and "e-16" not in text


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "law",
    ["lognormal(2, 1, u=60)", "pareto(5/2, u=20)", "pmf(sqrt(k), u=20)", "pmf(log(k+1), u=20)", "pmf(k**(-5/2), u=9)"],
)
def test_every_command_runs_laws_with_irrational_weights(law: str) -> None:
    for policies in (["h-sf"], ["fcfs", "a-max"], []):
        done = crt("simulate", *policies, law, "-n", "20", "-m", "2000", "--json")
        assert (done.returncode, done.stderr) == (0, "")
        simulated = {run["policy"]: run["total_latency"] for run in json.loads(done.stdout)["runs"]}
        compared = document(*policies, law, "-n", "20", "-m", "2000", "--seeds", "1")["rows"]
        assert simulated == {row["policy"]: row["total_latency"] for row in compared}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"seed": 4}, "did you mean seeds"),
        ({"replicates": 3}, "replicates"),
        ({"M": 60}, "memory"),
        ({"engine": "fast"}, "one of"),
    ],
)
def test_an_argument_that_compare_has_not_is_one_line(how: dict[str, Any], says: str) -> None:
    for policy in ("fcfs", ["fcfs", "h-sf"]):
        with pytest.raises(InputError, match=says) as caught:
            compare(policy, LAW, n=9, **{"memory": 30, **how})
        assert "\n" not in str(caught.value)


def test_all_that_fit_are_the_same_for_compare_simulate_and_replay(tmp_path: Path) -> None:
    instance = {"memory": 12, "s": 1, "lengths": [1, 3, 8, 8, 2, 5], "l": 1, "u": 8}
    for changes in ({}, {"u": 20}, {"l": 2, "lengths": [2, 8, 8], "u": 8}, {"l": 3}):
        own = {**instance, **changes}
        (tmp_path / "i.json").write_text(json.dumps(own))
        (tmp_path / "i.csv").write_text("o\n" + "\n".join(map(str, own["lengths"])) + "\n")
        options = ["-m", "12", "--s", "1", "--l", str(own["l"]), "--u", str(own["u"])]
        law = f"empirical({', '.join(f'{k}:1' for k in sorted(set(own['lengths'])))})"
        replayed = json.loads(crt("replay", str(tmp_path / "i.json"), "--json").stdout)
        compared = document(f"csv:{tmp_path}/i.csv#o", *options, "--seeds", "1")
        simulated = json.loads(crt("simulate", law, *options, "-n", "60", "--json").stdout)
        fit = [run["policy"] for run in replayed["runs"]]
        assert fit == [row["policy"] for row in compared["rows"]] == [run["policy"] for run in simulated["runs"]]
        gone = [[row["policy"] for row in found["left_out"]] for found in (replayed, compared, simulated)]
        assert gone[0] == gone[1] == gone[2] and sorted(fit + gone[0]) == sorted(usual_policies())
        assert all(row["why"] for found in (replayed, compared, simulated) for row in found["left_out"])
        assert ("a-max" in fit) == (own["u"] + 1 <= 12)


def test_hindsight_is_not_blind() -> None:
    rows = compare(["h-sf", "a-random", "a-max", "a-min-literal"], LAW, memory=30, n=20, seeds=1).as_json()["rows"]
    assert {row["policy"]: row["blind"] for row in rows} == {
        "h-sf": False, "a-random": False, "a-max": True, "a-min-literal": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [("9", [9]), ("9,3,9", [3, 9]), ("10:30:10", [10, 20, 30]), ("1:4:2,100", [1, 3, 100]), ("8:10", [8, 9, 10])],
)
def test_memories(text: str, values: list[int]) -> None:
    assert memories_of(text) == values


@pytest.mark.parametrize("text", ["", "x", "9:3", "1:9:0", "1:2:3:4", "-3", "0", "1,,2", "1:9999999:1", "1.5"])
def test_what_is_no_memory_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="memory"):
        memories_of(text)


# ---- one's own data -----------------------------------------------------------------------------------------------


def test_rows_run_with_their_prompts_and_intervals(data: Path) -> None:
    lines = list(csv.reader(data.read_text().splitlines()))[1:]
    prompts, outputs, low, high = zip(*(map(int, row) for row in lines), strict=True)
    found = compare(["a-max"], "csv:own.csv#output,prompt", memory=60, seeds=1, predictions="low,high")
    run = simulate("a-max", outputs, 60, prompts, low, high)
    assert found.n == 40
    assert found.as_json()["rows"][0]["total_latency"] == run.total_latency
    plain = compare(["a-max"], "csv:own.csv#output", memory=60, s=3, seeds=1, predictions="1-8")
    assert plain.as_json()["rows"][0]["total_latency"] == simulate("a-max", outputs, 60, 3, 1, 8).total_latency


def test_a_factor_gives_intervals_that_hold_the_output() -> None:
    source = workload(LAW, s=2, predictions="x3")
    outputs, _, low, high, *_ = source.draw(500, 0)
    assert ((low <= outputs) & (outputs <= high) & (low >= 1)).all()
    assert (low < outputs).any() and (high > outputs).any() and (high / low).max() > 9
    exact = workload(LAW, s=2, predictions="x1").draw(50, 0)
    assert (exact.u == exact.lengths).all()


def test_fewer_requests_are_drawn_without_replacement(data: Path) -> None:
    source = workload("csv:own.csv#output,prompt", memory=60)
    first, second = source.draw(30, 0), source.draw(30, 1)
    assert len(first[0]) == 30 and (first[0] != second[0]).any()
    with pytest.raises(InputError, match="n = 41"):
        compare(["h-sf"], "csv:own.csv#output,prompt", memory=60, n=41)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("5,0", "output = 0: must be an integer from 1 to 100000000 (own.csv, line 42, column output)"),
        ("5,", "output = : is empty: it must be an integer from 1 to 100000000 (own.csv, line 42, column output)"),
        ("x,5", "prompt = x: must be an integer from 0"),
        ("58,5", "output = 5: cannot fit: 58 + 5 tokens are more than M = 60 (own.csv, line 42, column output)"),
        ("5,6.5", "output = 6.5: must be an integer"),
    ],
)
def test_a_bad_row_is_named_and_can_be_left_out(data: Path, row: str, says: str) -> None:
    good = document("h-sf", "csv:own.csv#output,prompt", "-m", "60", "--seeds", "1")
    data.write_text(data.read_text() + row + ",1,9\n")
    done = crt("compare", "h-sf", "csv:own.csv#output,prompt", "-m", "60")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr and "skip-invalid leaves such rows out" in done.stderr
    found = document("h-sf", "csv:own.csv#output,prompt", "-m", "60", "--seeds", "1", "--skip-invalid")
    assert (found.pop("skipped"), good.pop("skipped")) == (1, 0)
    assert found == good


def test_python_and_the_older_command_leave_out_the_same_rows(data: Path) -> None:
    data.write_text(data.read_text() + "5,0,1,9\n")
    simulated = ["simulate", "h-sf", "csv:own.csv#output,prompt", "-m", "60", "-n", "9"]
    done = crt(*simulated)
    assert done.returncode == 2 and "output = 0" in done.stderr and "skip-invalid" in done.stderr
    assert "left out: 1 row" in crt(*simulated, "--skip-invalid").stdout
    with pytest.raises(InputError, match=r"output = 0.*skip-invalid"):
        compare("h-sf", "csv:own.csv#output,prompt", memory=60, n=9)
    assert compare("h-sf", "csv:own.csv#output,prompt", memory=60, n=9, skip_invalid=True).workload.skipped == 1


def test_an_interval_that_does_not_hold_the_output_is_refused(data: Path) -> None:
    data.write_text(data.read_text() + "5,6,1,5\n")
    with pytest.raises(InputError, match=r"must be in its interval \[1, 5\] \(own.csv, line 42"):
        compare(["a-max"], "csv:own.csv#output,prompt", memory=60, predictions="low,high")
    with pytest.raises(InputError, match="must be at most u = 7"):
        compare(["a-max"], "csv:own.csv#output,prompt", memory=60, predictions="1-7")


def test_a_parquet_file_says_the_same(data: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import csv as arrow
    from pyarrow import parquet

    parquet.write_table(arrow.read_csv(data), "own.parquet")
    same = [document("a-max", f"{kind}:own.{kind}#output,prompt", "-m", "60")["rows"] for kind in ("csv", "parquet")]
    assert same[0] == same[1]


@pytest.mark.parametrize("text", ["", "9-1", "a,b,c", "x0.5", "xx", "a,", "1-", "x1/0"])
def test_what_says_no_prediction_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Predictions.of(text)


# ---- the command --------------------------------------------------------------------------------------------------


def test_a_plot_leaves_the_requests_alone(data: Path) -> None:
    kept = data.read_bytes()
    arguments = ["h-sf", "csv:own.csv#output,prompt", "-m", "60", "--seeds", "1"]
    assert document(*arguments, "--plot", "own.png")["files"] == ["own.png", "own.data.csv"]
    assert data.read_bytes() == kept
    data.rename("own.data.csv")
    done = crt("compare", "h-sf", "csv:own.data.csv#output,prompt", "-m", "60", "--seeds", "1", "--plot", "own.png")
    assert done.returncode == 2 and "must have another name: " in done.stderr
    assert Path("own.data.csv").read_bytes() == kept


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_plot_is_drawn_twice_alike_with_its_data_beside(data: Path, ending: str) -> None:
    arguments = ["h-sf", "a-max", "csv:own.csv#output,prompt", "-m", "60,90", "--seeds", "2"]
    found = document(*arguments, "--plot", f"drawn.{ending}")
    assert found["files"] == [f"drawn.{ending}", "drawn.data.csv"]
    rows = list(csv.DictReader(Path("drawn.data.csv").read_text().splitlines()))
    assert [(row["policy"], int(row["memory"])) for row in rows] == [
        (row["policy"], row["memory"]) for row in found["rows"]
    ]
    assert float(rows[1]["to_volume"]) == found["rows"][1]["to_volume"]
    first = Path(f"drawn.{ending}").read_bytes()
    document(*arguments, "--plot", f"drawn.{ending}")
    assert Path(f"drawn.{ending}").read_bytes() == first


@pytest.mark.parametrize("file", ["drawn.gif", "drawn", "missing/drawn.png", ""])
def test_a_plot_that_cannot_be_is_refused_before_the_work(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("crtools.process.compare", None)
    done = crt("compare", LAW, "-m", "30", "--plot", file)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("crtools: plot = ")


def test_the_text_fits_and_ends_with_the_sentence(data: Path) -> None:
    (data.parent / "own.py").write_text(
        "from crtools import Policy\n"
        "MINE = Policy('mine', priority=lambda r: r.l, assumed=lambda r, a: r.u, longest=lambda r: r.u, fixed=True)\n"
    )
    arguments = ["own.py", "a-max", LAW, "-m", "30,60", "-n", "30", "--seeds", "2"]
    done = crt("compare", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= 80 and "…" not in line for line in done.stdout.splitlines())
    assert " ".join(done.stdout.split()).endswith(document(*arguments)["sentence"])
    assert document(*arguments, "--jobs", "2") == document(*arguments)


def test_one_policy_twice_is_refused() -> None:
    mine = Policy("h-sf", priority=lambda r: 0, assumed=lambda r, age: r.length, fixed=True)
    with pytest.raises(InputError, match="policy = h-sf: is given twice"):
        compare(["h-sf", mine], LAW, memory=30, n=9)


OWN = """from crtools import Form, Policy
SLOTS = Policy("slots", priority=lambda r: 0, assumed=lambda r, age: r.u, longest=lambda r: r.u, equals="order", fixed=True)
FORM = Form.from_entry(lambda i, j, s, l, u: (s + u) * (i + j) / 2, name="f", given_for=("slots",))
"""


def test_a_policy_of_a_file_is_divided_by_the_form_that_the_file_gives_for_it(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    named = f"{tmp_path}/own.py"
    how: dict[str, Any] = {"n": 60, "memory": 40, "seeds": 2, "u": 8}
    known = compare("a-max", "uniform(1, 8)", **how)
    one = compare(named, "uniform(1, 8)", **how)
    assert one.to_form is not None and known.forms == one.forms
    table = compare([named, "fcfs"], "uniform(1, 8)", **how)
    slots, fcfs = table.cells
    assert slots.mean("to_form") == one.to_form and fcfs.mean("to_form") is None and fcfs.blind
    done = crt("simulate", named, "uniform(1, 8)", "-n", "60", "-m", "40", "--replicates", "2", "--u", "8", "--json")
    assert json.loads(done.stdout)["statistics"]["slots"]["to_form"] == one.to_form.as_json()
    (tmp_path / "own.py").write_text(OWN + "SECOND = Form.from_entry(lambda i, j, s: i, given_for=('slots',))\n")
    with pytest.raises(InputError, match="at most one form in its file whose given_for names it, not 2"):
        compare(named, "uniform(1, 8)", **how)


def test_one_policy_takes_a_file_with_prompts(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("o,s\n3,4\n5,0\n2,9\n")
    source = f"csv:{tmp_path}/own.csv#o,s"
    found = compare("fcfs", source, n=3, memory=12, clock="steps")
    [run] = found.runs
    assert run.lengths.tolist() == [3, 5, 2] and run.prompts.tolist() == [4, 0, 9] and found.to_form is None
    assert (
        found.runs[0].total_latency
        == compare(["fcfs"], source, memory=12, seeds=1, clock="steps").cells[0].values[0]["total_latency"]
    )
    assert "own.csv" in repr(found)
    for n, memory, says in ((4, 12, "n = 4"), (3, 10, "line 4")):
        with pytest.raises(InputError, match=says):
            compare("fcfs", source, n=n, memory=memory)


# ---- which of the words is which ------------------------------------------------------------------------------------


def test_policies_and_law_may_stand_in_either_order_or_be_named() -> None:
    how: dict[str, Any] = {"n": 9, "memory": 30}
    one = compare("a-max", LAW, **how).to_h_sf
    assert one == compare(LAW, "a-max", **how).to_h_sf == compare(LAW, policy="a-max", **how).to_h_sf
    assert one == compare(policy="a-max", dist=LAW, **how).to_h_sf == compare("a-max", dist=LAW, **how).to_h_sf
    every = compare(LAW, seeds=1, **how)
    assert isinstance(every, Comparison) and len(every.cells) > 5
    assert every == compare(None, LAW, seeds=1, **how) == compare(LAW, None, seeds=1, **how)


def test_one_policy_at_several_memories_is_a_table() -> None:
    found = compare("a-max", LAW, n=9, memory="30:60:30", seeds=1)
    assert isinstance(found, Comparison) and found.memories == (30, 60)
    text = repr(found)
    assert "only a-max ran at M = 30, 60" in text and "best" not in text and len(text) < 400


@pytest.mark.parametrize(
    ("words", "how", "says"),
    [
        (("a-max",), {"memory": 30}, "law: give a law or a file of requests after a-max"),
        ((), {"memory": 30}, "law: give a law or a file of requests, for example"),
        (("a-max", LAW), {}, "memory: give the capacity in tokens"),
        (("a-max", LAW, "h-sf"), {"memory": 30}, "argument = h-sf: unexpected"),
        (
            ("a-max", LAW),
            {"memory": 30, "policy": "h-sf"},
            "policy = h-sf: unexpected argument; a-max was already given",
        ),
        (([], LAW), {"memory": 30}, "policy = [] (list): must be a policy, a list of some"),
    ],
)
def test_words_that_do_not_fit_are_refused(words: tuple[Any, ...], how: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        compare(*words, **how)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize("words", [([3, 1], "h-sf"), ("h-sf", LAW)])
def test_one_run_takes_lengths_and_says_who_takes_a_law(words: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match="after the policy; compare draws them from a law or takes a file"):
        simulate(*words, memory=9)


def test_one_memory_is_drawn_as_dots_by_policy_the_best_at_the_top() -> None:
    from crtools.plotting.sheet import Sheet

    found = compare(["h-sf", "fcfs", "a-max"], "uniform(1,10)", n=40, memory=60, seeds=2)
    page = found.plot().page(Sheet())
    [axes] = page.axes
    assert "n = 40, M = 60, 2 seeds" in page.get_suptitle()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    means = {row.policy: row.to_volume.mean for row in found.rows}
    assert labels == sorted(means, key=lambda policy: -means[policy])
    assert axes.get_xlabel() == "total latency over the volume bound" and axes.get_xlim()[0] == 1
    several = compare(["h-sf", "fcfs"], "uniform(1,10)", n=40, memory="60,90", seeds=2)
    page = several.plot().page(Sheet())
    assert page.axes[0].get_xlabel() == "memory M in tokens" and ", M" not in page.get_suptitle()
    assert [text.get_text() for text in page.legends[0].get_texts()] == ["h-sf", "fcfs"]
    assert str(found).splitlines()[0].split() == [
        "policy",
        "memory",
        "clock",
        "mean_latency",
        "p99",
        "makespan",
        "to_volume",
    ]
