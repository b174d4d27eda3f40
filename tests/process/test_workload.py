"""Workloads: arrays, laws, joint laws and files; draws, release times and loads; the formats of public traces."""

from __future__ import annotations

import csv
import json
import math
import pickle
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import SHARED

import crtools
from crtools import Geometric, InputError, Uniform, workload
from crtools.process import Workload, at_load, simulate
from crtools.process.clocks import SECONDS, STEPS
from crtools.process.flow_bounds import offered_load
from crtools.process.workload import Requests, interval

TRACES = SHARED / "data" / "azure-llm-2023"
ROWS = list(zip(range(1, 41), [k * k % 17 for k in range(40)], [(k * 7) % 40 / 2 for k in range(40)], strict=True))
TIMED = workload([o for o, _, _ in ROWS], s=[s for _, s, _ in ROWS], release=[t for *_, t in ROWS])


def rows_of(requests: Requests) -> list[tuple[float, ...]]:
    n = len(requests.lengths)
    columns = (requests.lengths, requests.s, requests.release)
    return list(zip(*(np.broadcast_to(column, n).tolist() for column in columns), strict=True))


# ---- sources --------------------------------------------------------------------------------------------------------


def test_arrays_are_taken_as_they_are() -> None:
    dates = np.array(["2023-11-16T18:00:02", "2023-11-16T18:00", "2023-11-16T18:00:00.5"], "datetime64[ms]")
    assert workload([3, 1, 2], release=dates).draw(3, 0).release.tolist() == [2, 0, 0.5]
    assert simulate(
        "fcfs", [3, 1], 9, release=np.array([0, 5], "timedelta64[m]"), clock="seconds"
    ).release.tolist() == [0, 300]
    found = workload(np.array([3, 1, 2]), s=[1, 0, 4], l=[1, 1, 2], u=9, release=[7, 5, 5.5], predicted=[2, 1, 30])
    requests = found.draw(3, 0)
    assert found.count == 3 and found.has_different_prompts and found.has_times and found.name == "3 requests"
    assert rows_of(requests) == [(3, 1, 2), (1, 0, 0), (2, 4, 0.5)]
    assert isinstance(requests.l, np.ndarray) and (requests.l.tolist(), requests.u) == ([1, 1, 2], 9)
    assert requests.predicted is not None and requests.predicted.tolist() == [2, 1, 30]
    plain = workload([3, 1, 2], s=7)
    assert plain.draw(3, 0)[1:] == (7, 1, 3, 0, None) and plain.s == 7 and not plain.has_arrivals
    assert workload(plain) == plain and workload(plain, load=0.5).load == 0.5
    assert crtools.workload is workload and pickle.loads(pickle.dumps(found)).draw(3, 0).lengths.tolist() == [3, 1, 2]


def test_a_law_is_drawn_as_it_samples_itself() -> None:
    law = Uniform(1, 9)
    for source in (law, "uniform(l=1, u=9)", dict.fromkeys(range(1, 10), 1)):
        requests = workload(source, s=3).draw(50, 4)
        assert (requests.lengths == law.sample(50, np.random.default_rng(4))).all()
        assert requests[1:] == (3, 1, 9, 0, None)


@pytest.mark.parametrize("correlation", [-1, -0.6, 0, 0.6, 1])
def test_prompts_and_outputs_have_the_correlation_of_the_normals_behind_them(correlation: float) -> None:
    found = workload("uniform(l=1, u=1000)", s="uniform(l=1, u=500)", correlation=correlation)
    lengths, s = found.draw(40_000, 0)[:2]
    assert lengths.mean() == pytest.approx(500.5, rel=0.01) and np.mean(s) == pytest.approx(250.5, rel=0.01)
    # ranks of a Gaussian copula have the correlation (6/π) asin(ρ/2)
    assert np.corrcoef(lengths, s)[0, 1] == pytest.approx(6 / math.pi * math.asin(correlation / 2), abs=0.012)
    assert found.has_different_prompts and found.count is None and (found.draw(9, 1).lengths != lengths[:9]).any()


def test_intervals_are_the_support_unless_given() -> None:
    """The largest length drawn is asked for only where the support is unbounded."""
    assert interval(Uniform(2, 9), None, None, lambda: 7) == (2, 9)
    assert interval(Uniform(2, 9), 1, 30, lambda: 7) == (1, 30)
    assert interval(Geometric("1/2"), None, None, lambda: 7) == (1, 7)


@pytest.mark.parametrize(
    "law", ["lognormal(mu=5, sigma=1)", "pareto(a=5/2)", "geometric(q=9/10)", "empirical(3:1, 9:2)"]
)
def test_quantiles_invert_the_distribution(law: str) -> None:
    dist = crtools.distribution(law)
    shares = np.linspace(0.001, 0.999, 97)
    for share, length in zip(shares, dist.quantiles(shares).tolist(), strict=True):
        below, until = (1 - float(dist.tail(k)) for k in (length, length + 1)) if "(9" in law or "em" in law else (0, 1)
        assert below - 1e-9 <= share <= until + 1e-9
    rng = np.random.default_rng(0)
    assert (dist.sample(20, rng) == dist.quantiles(np.random.default_rng(0).random(20))).all()


def test_weighted_pairs_are_drawn_by_their_weights() -> None:
    found = workload({(5, 2): 1, (0, 7): 3.0, (9, 9): 0})
    counts = Counter((s, o) for o, s, _ in rows_of(found.draw(20_000, 0)))
    assert set(counts) == {(5, 2), (0, 7)} and counts[0, 7] / 20_000 == pytest.approx(0.75, abs=0.01)
    assert found.count is None and found.draw(5, 0)[2:4] == (2, 9)


@pytest.mark.parametrize(
    ("source", "options", "argument"),
    [
        ([], {}, "lengths"), ([0], {}, "lengths"), ([1.5], {}, "lengths"), (3, {}, "lengths"), (None, {}, "lengths"),
        ([1, 2], {"s": [1]}, "s"), ([1, 2], {"s": -1}, "s"), ([1, 2], {"s": "uniform(1, 3)"}, "s"), ([1, 2], {"u": 1}, "lengths"),
        ([1, 2], {"release": [0, -1]}, "release"), ([1, 2], {"release": [0, math.nan]}, "release"),
        ([1, 2], {"release": np.ma.array([0, 1], mask=[0, 1])}, "release"),
        ([1, 2], {"release": [0]}, "release"),
        ([1, 2], {"release": [0, math.inf]}, "release"), ([1, 2], {"release": 3}, "release"),
        ([1, 2], {"release": "soon"}, "release"),
        ([1, 2], {"predicted": [1]}, "predicted"), ([1, 2], {"predicted": [1, 0]}, "predicted"),
        ([1, 2], {"predicted": [1, 1.5]}, "predicted"),
        ([1, 2], {"predicted": "out"}, "predicted"), ([1, 2], {"correlation": 0.5}, "correlation"),
        ([1, 2], {"time_unit": "ms"}, "time_unit"),
        ([1, 2], {"predictions": "a,b"}, "predictions"), ([1, 2], {"predictions": "1-2", "l": 1}, "predictions"),
        ([1, 2], {"load": 0}, "load"), ([1, 2], {"load": math.nan}, "load"), ([1, 2], {"load": "x"}, "load"),
        ([1, 2], {"rate": -1}, "rate"),
        ([1, 2], {"rate": 1, "load": 1}, "rate"), ([1, 2], {"rate": 1, "release": [0, 1]}, "rate"),
        ("uniform(1, 9)", {"release": [1]}, "release"), ("uniform(1, 9)", {"predicted": [1]}, "predicted"),
        ("uniform(1, 9)", {"correlation": 0.5}, "correlation"), ("uniform(1, 9)", {"s": "uniform(1, 9)", "correlation": 2}, "correlation"),
        ("uniform(1, 9)", {"s": [1, 2]}, "s"), ("uniform(1, 9)", {"predictions": "a,b"}, "predictions"), ("uniform(1, 9)", {"l": [1]}, "l"),
        ({}, {}, "lengths"), ({3: 1, (1, 2): 1}, {}, "workload"), ({(1, 2): -1}, {}, "weight"), ({(1, 2): 0}, {}, "weight"),
        ({(1, 0): 1}, {}, "lengths"),
        ({(1, 2): 1}, {"s": 3}, "s"), (TIMED, {"s": 3}, "s"), (TIMED, {"release": [1]}, "release"), (TIMED, {"l": 1}, "l"),
        ("csv:FILE#o,s,t", {"release": [1]}, "release"), ("csv:FILE#o,s,t", {"s": 3}, "s"), ("csv:FILE#o,s,t", {"rate": 3}, "rate"),
        ("csv:FILE#o,s,t,x", {}, "file"), ("csv:FILE#o,,t", {}, "file"), ("csv:FILE#o", {"predicted": "x"}, "column"),
        ("csv:FILE#o", {"correlation": 0.5}, "correlation"), ("csv:FILE#", {}, "file"), ("csv:#o", {}, "file"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_one_line(tmp_path: Path, source: Any, options: dict[str, Any], argument: str) -> None:
    (tmp_path / "rows.csv").write_text("o,s,t\n1,2,3\n4,5,6\n")
    source = source.replace("FILE", str(tmp_path / "rows.csv")) if isinstance(source, str) else source
    with pytest.raises(InputError) as error:
        workload(source, **options)
    assert error.value.argument == argument and "\n" not in str(error.value)


def test_a_predicted_column_may_be_wrong_but_not_missing(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("o,p\n5,500\n6,1\n7,0\n")
    source = f"csv:{tmp_path}/rows.csv#o"
    with pytest.raises(InputError, match=r"p = 0: must be an integer from 1 .*line 4"):
        workload(source, predicted="p")
    requests = workload(source, predicted="p", skip_invalid=True, s=3).draw(2, 0)
    assert requests.predicted is not None and requests.predicted.tolist() == [500, 1] and requests.s == 3


# ---- draws ----------------------------------------------------------------------------------------------------------


def test_without_times_rows_are_drawn_without_or_with_replacement() -> None:
    found = workload([o for o, _, _ in ROWS], s=[s for _, s, _ in ROWS])
    pairs = [(o, s, 0) for o, s, _ in ROWS]
    assert rows_of(found.draw(40, 0)) == rows_of(found.draw(40, 9)) == pairs
    for seed in range(5):
        few = rows_of(found.draw(15, seed))
        assert len(set(few)) == 15 and set(few) <= set(pairs) and rows_of(found.draw(15, seed)) == few
        many = rows_of(found.draw(100, seed, bootstrap=True))
        assert len(many) == 100 and set(many) <= set(pairs) and len(set(many)) < 40
    with pytest.raises(InputError, match="n = 41: must be at most the number of rows, 40"):
        found.draw(41, 0)
    assert found.variation(40).startswith("Every seed runs the same rows")
    assert found.variation(9) == "Each seed draws 9 of the 40 rows."
    assert found.variation(40, bootstrap=True) == "Each seed draws 40 of the 40 rows with replacement."


def test_with_times_rows_follow_one_another_from_a_random_one_on() -> None:
    by_time = sorted(ROWS, key=lambda row: row[2])
    firsts = set()
    for seed in range(200):
        drawn = TIMED.draw(30, seed)
        windows = [by_time[k : k + 30] for k in range(11)]
        shifted = [sorted((o, s, t - window[0][2]) for o, s, t in window) for window in windows]
        assert sorted(rows_of(drawn)) in shifted
        assert drawn.lengths.tolist() == sorted(drawn.lengths)  # the order of the file, whose outputs are 1, 2, …
        firsts.add(shifted.index(sorted(rows_of(drawn))))
    assert len(firsts) == 11
    assert sorted(rows_of(TIMED.draw(40, 3))) == sorted(ROWS)
    assert "which follow one another in time" in TIMED.variation(30)


def test_the_bootstrap_of_timed_rows_keeps_the_times_and_draws_the_sizes() -> None:
    found = TIMED.draw(40, 1, bootstrap=True)
    assert np.asarray(found.release).tolist() == [t for *_, t in ROWS]
    pairs = {(o, s) for o, s, _ in ROWS}
    assert {(o, s) for o, s, _ in rows_of(found)} < pairs
    with pytest.raises(InputError, match="n = 41"):
        TIMED.draw(41, 0, bootstrap=True)


def test_release_times_can_be_left_out() -> None:
    for found in (TIMED, workload("uniform(1, 9)", rate=2)):
        assert found.has_arrivals and found.draw(20, 0, arrivals=False).release == 0
    drawn = TIMED.draw(20, 0, arrivals=False)
    plain = workload([o for o, _, _ in ROWS], s=[s for _, s, _ in ROWS]).draw(20, 0)
    assert rows_of(drawn) == rows_of(plain)


def test_poisson_arrivals_have_their_rate() -> None:
    times = np.asarray(workload("uniform(1, 9)", rate=4).draw(50_000, 0).release)
    gaps = np.diff(times)
    assert times[0] == 0 and (gaps > 0).all() and gaps.mean() == pytest.approx(1 / 4, rel=0.02)
    assert gaps.std() == pytest.approx(gaps.mean(), rel=0.02)
    rows = workload([5, 6, 7], rate=4)
    assert "draws only arrivals, orders, ties" in rows.variation(3)
    assert rows.draw(3, 0).lengths.tolist() == [5, 6, 7] and (rows.draw(3, 0).release != rows.draw(3, 1).release).any()


def test_predictions_apply_to_every_source(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("o,low,high\n5,1,9\n6,6,6\n")
    columns = workload(f"csv:{tmp_path}/rows.csv#o", predictions="low,high").draw(2, 0)
    assert np.asarray(columns.l).tolist() == [1, 6] and np.asarray(columns.u).tolist() == [9, 6]
    for source in (f"csv:{tmp_path}/rows.csv#o", [5, 6], {(1, 5): 1, (1, 6): 1}, "uniform(l=5, u=6)"):
        assert workload(source, predictions="1-7").draw(2, 0)[2:4] == (1, 7)
        several = workload(source, predictions="1-5,6-9").draw(2, 0)
        assert (np.asarray(several.u) == np.where(several.lengths == 5, 5, 9)).all()
        exact = workload(source, predictions="x1").draw(2, 0)
        assert (exact.l == exact.lengths).all() and (exact.u == exact.lengths).all()


# ---- loads ----------------------------------------------------------------------------------------------------------


@given(st.floats(0.01, 20), st.integers(100, 10**6), st.integers(0, 5))
def test_at_load_gives_the_load_in_both_clocks(load: float, memory: int, seed: int) -> None:
    for source in (TIMED, workload("geometric(q=9/10)", s="uniform(l=1, u=100)", load=load)):
        drawn = source.draw(40, seed)
        found = at_load(drawn, load, memory, "seconds")
        s, times = np.asarray(found.s), np.asarray(found.release)
        assert offered_load(found.lengths, s, times, memory, SECONDS) == pytest.approx(load, rel=1e-9)
        ratios = times * np.ptp(np.asarray(drawn.release)) - np.asarray(drawn.release) * np.ptp(times)
        assert abs(ratios).max() <= 1e-9 * np.ptp(times) * np.ptp(np.asarray(drawn.release))
        in_steps = np.asarray(at_load(drawn, load, memory, STEPS).release)
        assert in_steps.dtype.kind == "i" and in_steps.min() == 0
        volume = sum(p * o + o * (o + 1) // 2 for o, p in zip(found.lengths.tolist(), s.tolist(), strict=True))
        assert abs(in_steps.max() - volume / memory / load) <= 0.5 + 1e-9 * in_steps.max()


def test_equal_times_are_no_arrivals() -> None:
    rows = workload([5, 1, 3], release=[4.5, 4.5, 4.5])
    assert not rows.has_times and not rows.has_arrivals and not np.any(rows.draw(2, 0).release)


def test_at_load_needs_different_release_times() -> None:
    for requests in (workload([1, 2]).draw(2, 0), TIMED.draw(1, 0)):
        with pytest.raises(InputError, match="released at different times"):
            at_load(requests, 0.5, 100, "seconds")
    for load in (0, -1, math.nan, math.inf, True):
        with pytest.raises(InputError, match="load"):
            at_load(TIMED.draw(9, 0), load, 100, "seconds")


# ---- public formats -------------------------------------------------------------------------------------------------


def loaded(source: str, **options: Any) -> tuple[Workload, list[tuple[float, ...]]]:
    found = workload(source, **options)
    assert found.count is not None
    return found, rows_of(found.draw(found.count, 0))


def test_azure_2023(tmp_path: Path) -> None:
    lines = ["2023-11-16 18:15:46.6805900,374,44", "2023-11-16 18:15:50.9951690,396,109"]
    (tmp_path / "azure.csv").write_text("\r\n".join(["TIMESTAMP,ContextTokens,GeneratedTokens", *lines]) + "\r\n")
    found = loaded(f"csv:{tmp_path}/azure.csv#GeneratedTokens,ContextTokens,TIMESTAMP")[1]
    assert found == [(44, 374, 0), (109, 396, 4.314579)]


def test_burst_gpt(tmp_path: Path) -> None:
    head = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type"
    lines = ["5,ChatGPT,472,18,490,Conversation log", "45,ChatGPT,1087,0,1087,API log", "118,GPT-4,417,276,693,API log"]
    (tmp_path / "burst.csv").write_text("\n".join([head, *lines]) + "\n")
    source = f"csv:{tmp_path}/burst.csv#Response tokens,Request tokens,Timestamp"
    with pytest.raises(InputError, match=r"Response tokens = 0: .*line 3, column Response tokens"):
        workload(source)
    found, rows = loaded(source, skip_invalid=True)
    assert (found.skipped, rows) == (1, [(18, 472, 0), (276, 417, 113)])


def test_mooncake(tmp_path: Path) -> None:
    rows = [(27482, 6955, 52), (30535, 6472, 26)]
    lines = [{"timestamp": t, "input_length": s, "output_length": o, "hash_ids": [46, 47]} for t, s, o in rows]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, lines)))
    source = f"jsonl:{tmp_path}/trace.jsonl#output_length,input_length,timestamp"
    assert loaded(source, time_unit="ms")[1] == [(52, 6955, 0), (26, 6472, 3.053)]


def test_vllm_bench_serve(tmp_path: Path) -> None:
    lists = {"input_lens": [13, 800, 5], "output_lens": [100, 0, 7], "start_times": [913.5, 914.0, 913.75]}
    result = {"date": "20250801-101010", "num_prompts": 3, **lists, "ttfts": [0.1, 0, 0.2], "errors": ["", "", ""]}
    (tmp_path / "vllm.json").write_text(json.dumps(result))
    source = f"jsonl:{tmp_path}/vllm.json#output_lens,input_lens,start_times"
    with pytest.raises(InputError, match=r"output_lens = 0: .*entry 2"):  # a request that failed
        workload(source)
    found, rows = loaded(source, skip_invalid=True)
    assert (found.skipped, rows) == (1, [(100, 13, 0), (7, 5, 0.25)])


@pytest.mark.parametrize("name", ["conv", "code"])
def test_the_azure_traces_are_read_as_the_standard_library_reads_them(name: str) -> None:
    file = TRACES / f"AzureLLMInferenceTrace_{name}.csv"
    if not file.exists():
        pytest.skip(f"needs {file.name}")
    rows = list(csv.DictReader(file.read_text().splitlines()))
    found, drawn = loaded(f"csv:{file}#GeneratedTokens,ContextTokens,TIMESTAMP")
    assert found.count == len(rows)
    start = datetime.fromisoformat(rows[0]["TIMESTAMP"])
    for row, (o, s, t) in zip(rows, drawn, strict=True):
        assert (o, s) == (int(row["GeneratedTokens"]), int(row["ContextTokens"]))
        assert abs((datetime.fromisoformat(row["TIMESTAMP"]) - start).total_seconds() - t) <= 2e-6
