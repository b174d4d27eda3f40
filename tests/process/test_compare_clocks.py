"""``compare`` with prompts, clocks, preemption, release times and past requests: its numbers against direct runs."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import crt

from crtools import InputError, compare, simulate
from crtools.blind.expected_work import expected_work
from crtools.plotting.sheet import Sheet
from crtools.process import Comparison, at_load, workload
from crtools.process.clocks import SECONDS, STEPS
from crtools.process.compare import Rows
from crtools.process.flow_bounds import flow_bound_in_seconds, flow_bound_in_steps, step_work
from crtools.process.measures import Row
from crtools.process.workload import Workload

FILE = "csv:own.csv#out,in"
TIMED = FILE + ",at"
PROMPTS, OUTPUTS, TIMES = (np.random.default_rng(7).integers(1, high, 60) for high in (150, 40, 90))
MEMORY = 600


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{s},{o},{t / 10}" for s, o, t in zip(PROMPTS, OUTPUTS, TIMES, strict=True)]
    Path("own.csv").write_text("\n".join(["in,out,at", *lines]) + "\n")


def document(*arguments: str) -> Any:
    done = crt("compare", *arguments, "-m", str(MEMORY), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def row_of(found: Any, policy: str, clock: str) -> Any:
    [row] = [row for row in found["rows"] if (row["policy"], row["clock"]) == (policy, clock)]
    return row


@pytest.mark.parametrize("preemption", ["restart", "resume"])
def test_each_number_is_that_of_direct_runs(preemption: Any) -> None:
    found = document(FILE, "--seeds", "1", "--preemption", preemption)
    assert [row["clock"] for row in found["rows"]] == sorted((row["clock"] for row in found["rows"]), reverse=True)
    how: Any = {"l": int(OUTPUTS.min()), "u": int(OUTPUTS.max()), "preemption": preemption}
    for clock, benchmark in (("steps", "h-volume"), ("seconds", "h-work")):
        best = simulate(benchmark, OUTPUTS, MEMORY, PROMPTS, clock=clock, **how)
        for policy in ("fcfs", "a-restart", "expected-work"):
            run = simulate(policy, OUTPUTS, MEMORY, PROMPTS, clock=clock, engine="fast", **how)
            row = row_of(found, policy, clock)
            for name in ("total_latency", "makespan", "cancellations", "tokens_lost", "tokens_prefilled_again"):
                assert row[name] == pytest.approx(getattr(run, name))
            assert row["percentiles"]["p90"] == pytest.approx(np.quantile(run.flow_times, 0.9))
            assert row["time_to_first_token"]["mean"] == pytest.approx(np.mean(run.time_to_first_token))
            assert row["time_to_first_token"]["p99"] == pytest.approx(np.quantile(run.time_to_first_token, 0.99))
            assert row["to_bound"] == pytest.approx(run.to_bound) and row["bound"] == run.bound.name
            assert row["to_benchmark"] == pytest.approx(run.total_latency / best.total_latency)
            assert row["benchmark"] == benchmark and row["to_form"] is None
            assert row["to_volume"] == (pytest.approx(run.to_volume) if clock == "steps" else None)


def test_the_bound_is_that_of_the_rows() -> None:
    row = compare(["fcfs"], FILE, memory=MEMORY, seeds=1, clock="steps").rows[0]
    zeros = np.zeros(60, int)
    in_steps = flow_bound_in_steps(OUTPUTS, PROMPTS, zeros, MEMORY)
    assert row.values[0]["total_latency"] / row.values[0]["to_bound"] == pytest.approx(float(in_steps.value))
    row = compare(["fcfs"], FILE, memory=MEMORY, seeds=1, clock="seconds").rows[0]
    in_seconds = flow_bound_in_seconds(OUTPUTS, PROMPTS, zeros.astype(float), MEMORY, SECONDS, resume=True)
    assert row.values[0]["total_latency"] / row.values[0]["to_bound"] == pytest.approx(float(in_seconds.value))


def test_a_bound_is_computed_once_for_each_clock_seed_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    module = import_module("crtools.process.run")
    for name in ("flow_bound_in_steps", "flow_bound_in_seconds"):
        bound = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *a, name=name, b=bound, **k: made.append(name) or b(*a, **k))
    compare(["fcfs", "a-max", "h-sf", "h-work"], FILE, memory=f"{MEMORY},900", seeds=2)
    assert sorted(made) == ["flow_bound_in_seconds"] * 4 + ["flow_bound_in_steps"] * 4


def test_where_prompts_differ_both_clocks_run_and_what_keeps_tokens() -> None:
    found = document(FILE, "--seeds", "1")
    assert (found["clock"], found["preemption"]) == ("both", "resume")
    by_clock = {c: {row["policy"] for row in found["rows"] if row["clock"] == c} for c in ("steps", "seconds")}
    both = {"h-sf", "fcfs", "a-restart", "shortest-prompt", "expected-work"}
    assert both | {"h-volume"} <= by_clock["steps"] and both | {"h-work"} <= by_clock["seconds"]
    reasons = {row["policy"]: row["why"] for row in found["left_out"]}
    assert set(reasons) == {"a-ell", "a-offset", "a-learn"}
    assert all(f"{p} runs by prices: it needs release 0" in reasons[p] for p in ("a-offset", "a-learn"))
    assert all("and preemption restart" in reasons[p] for p in ("a-offset", "a-learn"))
    text = " ".join(crt("compare", FILE, "-m", str(MEMORY), "--seeds", "1").stdout.split())
    assert "a cancelled request keeps its tokens, and is prefilled again" in text
    assert "left out: a-learn (preemption = resume: a-learn runs by prices" in text
    restart = document(FILE, "--seeds", "1", "--preemption", "restart")
    assert (
        row_of(restart, "a-offset", "steps")
        and "seconds" in {r["policy"]: r["why"] for r in restart["left_out"]}["a-offset"]
    )
    assert any("loses its tokens, and its prompt is prefilled again" in note for note in restart["notes"])


def test_a_distribution_and_equal_prompts_stay_in_steps_and_restart() -> None:
    for source in ("uniform(1, 9)", "csv:own.csv#out"):
        found = document("fcfs", source, "--seeds", "1")
        assert (found["clock"], found["preemption"]) == ("steps", "restart")
        assert row_of(found, "fcfs", "steps")["benchmark"] == "h-sf"
    seconds = compare(["fcfs"], "uniform(1, 9)", n=30, memory=60, seeds=1, clock=(0.02, 0.001, 0), keep_runs=True)
    run = seconds.rows[0].runs[0]
    assert run.total_latency == simulate("fcfs", run.lengths, 60, u=9, clock=(0.02, 0.001, 0)).total_latency
    assert "0.02 s, 0.001 s for each token processed and 0 s for each token held" in seconds.notes[0]
    assert document("fcfs", "uniform(1, 9)", "--clock", "0.02,0.001,0")["coefficients"] == {"seconds": [0.02, 0.001, 0]}


# ---- the best policy of each clock --------------------------------------------------------------------------------


def test_where_the_clocks_disagree_each_names_its_own_best() -> None:
    """Restarting often is good where a long prompt costs one step, and bad where each token of it takes time."""
    rng = np.random.default_rng(3)
    outputs = np.where(rng.random(60) < 0.8, rng.integers(1, 4, 60), rng.integers(200, 400, 60))
    prompts = rng.integers(200, 600, 60)
    how: Any = {"memory": 1500, "seeds": 1, "preemption": "restart"}
    found = compare(["a-restart", "a-max", "fcfs"], workload(outputs, s=prompts), **how)
    assert found.best == {"steps": {1500: "a-restart"}, "seconds": {1500: "fcfs"}}
    assert found.best_blind == {1500: "a-restart"} and found.document()["best"]["seconds"] == {"1500": "fcfs"}
    opening = "By mean flow time in {}, of the blind policies {} is best at M = 1500: "
    in_steps, in_seconds = found.sentences["steps"], found.sentences["seconds"]
    assert in_steps.startswith(opening.format("steps", "a-restart")) and "the next (fcfs) 21.1 % above" in in_steps
    assert (
        in_seconds.startswith(opening.format("seconds", "fcfs")) and "the next (a-restart) 15.7 % above" in in_seconds
    )
    for row in found.rows:
        best = found.by_clock[row.clock][0 if row.clock == "steps" else 2].values[0]["total_latency"]
        direct = simulate(row.policy, outputs, 1500, prompts, clock=row.clock)
        assert row.values[0]["total_latency"] == pytest.approx(direct.total_latency, rel=1e-9)
        assert direct.total_latency >= best
    Path("far.csv").write_text("out,in\n" + "\n".join(f"{o},{s}" for o, s in zip(outputs, prompts, strict=True)))
    words = [
        "compare",
        "csv:far.csv#out,in",
        "a-restart",
        "a-max",
        "fcfs",
        "-m",
        "1500",
        "--seeds",
        "1",
        "--preemption",
        "restart",
    ]
    assert (
        " ".join(crt(*words).stdout.split()).endswith(found.sentence) and found.sentence == f"{in_steps} {in_seconds}"
    )


def test_the_best_has_the_smallest_mean_flow_time_in_its_clock() -> None:
    found = compare(FILE, memory="500,900", seeds=3, n=40)
    for clock, best in found.best.items():
        for memory, policy in best.items():
            rows = [row for row in found.by_clock[clock] if row.memory == memory and row.blind]
            means = {row.policy: np.mean([values["mean_latency"] for values in row.values]) for row in rows}
            assert policy == min(means, key=lambda name: means[name]) and len(means) > 5


def test_a_tail_is_compared_within_a_clock() -> None:
    def row(policy: str, clock: str, latency: float, p99: float) -> Row:
        values = {"total_latency": latency, "to_bound": latency, "p99": p99, "makespan": 9.0}
        return Row(policy, 9, True, (values,), clock=clock, bounds=("work",))

    rows = Rows(
        (row("x", "steps", 1, 5), row("y", "steps", 2, 9), row("x", "seconds", 3, 7), row("y", "seconds", 2, 8))
    )
    found = Comparison(Workload("law", None), 9, (0,), rows, {}, (STEPS, SECONDS))
    assert found.best == {"steps": {9: "x"}, "seconds": {9: "y"}}
    assert [(w["clock"], w["policy"], w["measure"], w["than"]) for w in found.worse_at] == [
        ("seconds", "y", "p99", "x")
    ]
    assert (
        "p99" not in found.sentences["steps"] and "The p99 of y is 14.3 % above that of x" in found.sentences["seconds"]
    )
    assert "2 times the work bound" in found.sentences["seconds"]


# ---- release times and past requests ------------------------------------------------------------------------------


def test_times_of_a_file_run_in_seconds_and_say_the_load() -> None:
    found = document("fcfs", "h-work", TIMED, "--seeds", "1")
    assert found["clock"] == "seconds" and found["preemption"] == "resume"
    release = TIMES / 10 - TIMES.min() / 10
    run = simulate("fcfs", OUTPUTS, MEMORY, PROMPTS, release=release, clock="seconds", preemption="resume")
    row = row_of(found, "fcfs", "seconds")
    assert row["total_latency"] == pytest.approx(run.total_latency) and row["makespan"] == pytest.approx(run.makespan)
    work = step_work(OUTPUTS, PROMPTS, MEMORY, SECONDS)
    assert row["offered_load"] == pytest.approx(work.sum() / np.ptp(release))
    assert row["largest_rate"] == pytest.approx(1 / work.mean())
    threshold = f"stability threshold {row['largest_rate']:.3g} requests per second"
    says = f"Offered load in seconds: {row['offered_load']:.3g} at M = 600 ({threshold})"
    assert any(says in note for note in found["notes"])
    for clock in ("steps", "both"):
        with pytest.raises(InputError, match="release times are in seconds"):
            compare(["fcfs"], TIMED, memory=MEMORY, clock=clock)


def test_a_load_scales_times_in_each_clock() -> None:
    found = compare(["fcfs"], TIMED, memory=MEMORY, seeds=1, load=0.7, keep_runs=True)
    assert [row.clock for row in found.rows] == ["steps", "seconds"]
    drawn = workload(TIMED).draw(60, 0)
    for row in found.rows:
        assert (row.runs[0].release == at_load(drawn, 0.7, MEMORY, row.clock).release).all()
        assert row.values[0]["offered_load"] == pytest.approx(0.7, rel=0.02)
    volumes = PROMPTS * OUTPUTS + OUTPUTS * (OUTPUTS + 1) / 2
    assert found.rows[0].values[0]["largest_rate"] == pytest.approx(MEMORY / volumes.mean())
    assert all(row.to_benchmark.mean == 1 for row in compare(["h-work"], TIMED, memory=MEMORY, load=0.7).rows)
    arriving = compare(["fcfs"], "uniform(1, 9)", n=50, memory=60, seeds=1, load=0.5, keep_runs=True).rows[0]
    assert arriving.runs[0].release.any() and arriving.values[0]["offered_load"] == pytest.approx(0.5, rel=0.05)
    assert arriving.mean("to_form") is None


def test_several_loads_are_rows_of_one_comparison() -> None:
    policies, how = ["fcfs", "expected-work"], {"memory": MEMORY, "n": 40, "seeds": 2, "clock": "both"}
    found = compare(policies, TIMED, load="0.9,0.5", **how)
    single = {load: compare(policies, TIMED, load=load, **how) for load in (0.5, 0.9)}
    for load, alone in single.items():
        assert [row.values for row in found.rows if row.load == load] == [row.values for row in alone.rows]
        assert [row.load for row in alone.rows] == [None] * 4 and alone.axis == "M"
        for clock in ("steps", "seconds"):
            assert found.best[clock][load] == alone.best[clock][MEMORY]
    assert [row.clock for row in found.rows] == ["steps"] * 4 + ["seconds"] * 4
    assert [row.load for row in found.rows[:4]] == [0.5, 0.5, 0.9, 0.9] and found.axis == "load"
    several = compare(policies, TIMED, load=[0.5, 0.9], **how | {"memory": [MEMORY, 900, 800]})
    assert [row for row in several.rows if row.memory == MEMORY] == list(found.rows)
    assert [(row.memory, row.load) for row in several.rows[:4:2]] == [(MEMORY, 0.5), (MEMORY, 0.9)]
    assert several.axis == "M" and list(several.parts) == list(
        product(("steps", "seconds"), ("load = 0.5", "load = 0.9"))
    )
    assert several.best["steps"][MEMORY, 0.9] == found.best["steps"][0.9]
    assert list(several.document()["best"]["steps"])[:2] == ["600, 0.5", "800, 0.5"]
    assert "By mean flow time in seconds, at load = 0.9, of the blind policies" in several.sentence
    panels = several._draw(Sheet()).axes
    assert [axes.get_title() for axes in panels] == ["load = 0.5", "load = 0.9"] * 2
    assert [axes.get_ylabel()[-5:] for axes in panels] == ["steps"] * 2 + ["conds"] * 2
    assert list(found.document()["best"]["seconds"]) == ["0.5", "0.9"] and "load" in found.document()["rows"][0]
    assert {worse["load"] for worse in found.worse_at} <= {0.5, 0.9} and "at load = 0.5" in found.sentence
    [note] = [note for note in found.notes if note.startswith("Offered load in seconds")]
    assert note.count("at M = 600") == 1 and "0.9" in note
    page = found._draw(Sheet())
    assert [axes.get_xlabel() for axes in page.axes] == ["offered load"] * 2
    arriving = replace(workload("uniform(1, 9)"), load=0.5)
    alone = compare(["fcfs"], arriving, memory=60, n=50, seeds=1)
    assert alone.rows[0].values == compare(["fcfs"], "uniform(1, 9)", load=0.5, memory=60, n=50, seeds=1).rows[0].values


def test_the_terminal_shows_loads_in_the_place_of_memories() -> None:
    done = crt("compare", "fcfs", "h-work", TIMED, "-m", "600", "--load", "0.5,0.9", "--seeds", "1")
    assert done.returncode == 0 and "M = 600, n = 60" in done.stdout
    heads = [line for line in done.stdout.splitlines() if line.startswith("load  policy")]
    assert len(heads) == 4 and "over that of h-work" in " ".join(done.stdout.split())
    done = crt("compare", "fcfs", TIMED, "-m", "600,900", "--load", "0.5,0.9", "--seeds", "1")
    heads = [line for line in done.stdout.splitlines() if line.startswith("In ")]
    assert heads == [f"In {clock} at M = {memory}:" for clock in ("steps", "seconds") for memory in (600, 900)]


def test_rows_that_follow_one_another_in_time_are_not_mixed() -> None:
    how: Any = {"memory": MEMORY, "seeds": 2, "keep_runs": True}
    some, every = (compare(["fcfs"], TIMED, n=n, **how) for n in (20, 60))
    assert not some.bootstrap and every.bootstrap
    for seed, run in enumerate(some.rows[0].runs):
        assert (run.release == workload(TIMED).draw(20, seed).release).all()
    release = np.sort(TIMES - TIMES.min()) / 10
    for seed, run in enumerate(every.rows[0].runs):
        assert np.sort(run.release) == pytest.approx(release)
        assert (run.lengths == workload(TIMED).draw(60, seed, bootstrap=True).lengths).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_expected_work_is_told_past_requests(jobs: int) -> None:
    how: Any = {"memory": MEMORY, "seeds": [4, 5], "n": 40, "jobs": jobs, "keep_runs": True}
    by_file, by_arrays = (
        compare(["fcfs", "expected-work"], FILE, history=history, **how)
        for history in ("own.csv#out,in", (PROMPTS, OUTPUTS))
    )
    assert by_file.rows == by_arrays.rows
    drawn = workload(FILE).draw(40, 5, bootstrap=True)
    for row in by_file.rows[1::2]:
        direct = simulate(
            expected_work((PROMPTS, OUTPUTS)), drawn.lengths, MEMORY, drawn.s, drawn.l, drawn.u, seed=5, clock=row.clock,
            preemption="resume", engine=row.runs[1].engine,
        )  # fmt: skip
        assert row.policy == "expected-work" and row.blind and row.runs[1] == direct
    without = compare(["fcfs", "expected-work"], FILE, **how)
    assert [row.values == other.values for row, other in zip(by_file.rows, without.rows, strict=True)] == [
        True,
        False,
    ] * 2


def test_the_load_is_told_too() -> None:
    found = compare(["expected-work"], TIMED, memory=MEMORY, seeds=1, load=0.9, clock="seconds", keep_runs=True)
    drawn = at_load(workload(TIMED).draw(60, 0), 0.9, MEMORY, "seconds")
    direct = simulate(
        expected_work(load=0.9), OUTPUTS, MEMORY, PROMPTS, drawn.l, drawn.u, release=drawn.release, clock="seconds", preemption="resume"
    )  # fmt: skip
    assert found.rows[0].runs[0].total_latency == pytest.approx(direct.total_latency, rel=1e-9)


# ---- the command --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "options", "says"),
    [
        (FILE, ["--clock", "0.1,-1,0"], "clock = 0.1,-1,0: coefficients must be finite and ≥ 0"),
        (FILE, ["--clock", "nan,1,1"], "clock = nan,1,1: coefficients must be finite"),
        (FILE, ["--clock", "0,0,1"], "base + per_token > 0"),
        (FILE, ["--clock", "1,2"], "clock = 1,2: must be steps, seconds, both, or three coefficients"),
        (FILE, ["--clock", "hours"], "clock = hours: must be steps, seconds, both, or three coefficients"),
        (FILE, ["--preemption", "swap"], "preemption = swap: must be one of restart, resume"),
        (FILE, ["--load", "0.5"], "load = 0.5: needs release times"),
        (TIMED, ["--load", "-1"], "load = -1.0: must be a finite number > 0"),
        (TIMED, ["--load", "1e-300"], "load = 1e-300: makes the last release time"),
        (TIMED, ["--load", "nan"], "load = nan: must be a finite number > 0"),
        (TIMED, ["--load", "high"], "load = high: must be a number > 0"),
        (TIMED, ["--load", "0.5,"], "load = 0.5,: must be a number > 0, or several with commas between"),
        (TIMED, ["--load", "0.5,-1"], "load = -1.0: must be a finite number > 0"),
        (TIMED, ["--time-unit", "h"], "time_unit = h"),
        (FILE, ["--time-unit", "ms"], "needs a column of times"),
        (FILE, ["--history", "own.csv"], "history = own.csv: must name outputs and prompts"),
        (FILE, ["--history", "own.csv#out,in"], "needs the policy expected-work, which alone uses it"),
        (FILE, ["--predicted", "none"], "column = none"),
        (FILE, ["--predicted", "out"], "needs a policy of your own, FILE.py:NAME, that reads r.predicted"),
        (FILE, ["a-offset"], "a-offset runs by prices: it needs release 0, the clock steps and preemption restart"),
    ],
)
def test_what_is_refused_is_one_line(source: str, options: list[str], says: str) -> None:
    done = crt("compare", "fcfs", source, "-m", "600", "--seeds", "1", *options)
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.count("\n") == 1
    assert says in done.stderr


def test_text_fits_eighty_columns_and_every_table_says_its_bound() -> None:
    text = crt("compare", FILE, "-m", "600,900", "--seeds", "1").stdout
    assert all(len(line) <= 80 for line in text.splitlines())
    found = json.loads(crt("compare", FILE, "-m", "600,900", "--seeds", "1", "--json").stdout)
    assert text.count("\nIn steps:") == text.count("\nIn seconds:") == 1
    for clock in ("steps", "seconds"):
        bounds = {row["bound"] for row in found["rows"] if row["clock"] == clock}
        assert all(bound in text for bound in bounds)
    assert "/h-volume" in text and "/h-work" in text


def test_a_plot_has_a_panel_for_each_clock() -> None:
    found = document("fcfs", "shortest-prompt", FILE, "--seeds", "2", "--plot", "drawn.svg")
    rows = list(csv.DictReader(Path("drawn.data.csv").read_text().splitlines()))
    assert [row["clock"] for row in rows] == ["steps", "steps", "seconds", "seconds"]
    assert float(rows[3]["mean_latency"]) == pytest.approx(found["rows"][3]["mean_latency"])
    assert Path("drawn.svg").stat().st_size > 5000


def test_simulate_and_replay_run_in_seconds_with_kept_tokens() -> None:
    how = {"clock": "seconds", "preemption": "resume"}
    Path("i.json").write_text(json.dumps({"memory": 9, "lengths": [3, 1, 4], "s": [2, 3, 1], **how}))
    replayed = json.loads(crt("replay", "i.json", "fcfs", "--json").stdout)
    direct: Any = simulate("fcfs", [3, 1, 4], 9, [2, 3, 1], clock="seconds", preemption="resume")
    [run] = replayed["runs"]
    assert run["total_latency"] == direct.total_latency and run["volume_bound"] is None and run["clock"] == "seconds"
    assert replayed["ratios"]["fcfs"]["to_bound"] == pytest.approx(direct.to_bound)
    assert replayed["bound"] == {"name": direct.bound.name, "value": pytest.approx(direct.bound.value)}
    assert f"/{direct.bound.name}" in crt("replay", "i.json").stdout
    options = ["-n", "60", "-m", "600", "--clock", "seconds", "--preemption", "resume", "--json"]
    [run] = json.loads(crt("simulate", "fcfs", FILE, *options).stdout)["runs"]
    direct = simulate("fcfs", OUTPUTS, MEMORY, PROMPTS, clock="seconds", preemption="resume")
    assert run["makespan"] == direct.makespan and run["tokens_prefilled_again"] == direct.tokens_prefilled_again
    done = crt("simulate", "fcfs", FILE, "-n", "60", "-m", "600", "--clock", "both")
    assert done.returncode == 2 and "must be one clock" in done.stderr


def test_rows_of_the_history_that_are_left_out_are_counted(tmp_path: Path) -> None:
    (tmp_path / "past.csv").write_text("out,prompt\n5,3\n0,4\n7,2\n", encoding="utf-8")
    (tmp_path / "now.csv").write_text("out,prompt\n5,3\n6,4\n7,2\n", encoding="utf-8")
    past, now = (f"csv:{tmp_path / name}.csv#out,prompt" for name in ("past", "now"))
    how: Any = {"memory": 60, "clock": "steps", "seeds": 1, "history": past}
    found = compare(["expected-work"], now, **how, skip_invalid=True)
    assert (found.as_json()["skipped"], found.as_json()["history_skipped"]) == (0, 1)
    with pytest.raises(InputError, match="line 3"):
        compare(["expected-work"], now, **how)
    printed = crt("compare", "expected-work", now, "-m", "60", "--history", past, "--skip-invalid", "--clock", "steps")
    assert "left out: 1 row of the history that cannot be used" in printed.stdout
