"""The embedded laws have the figures that they claim, and are derived anew from what they came from."""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import SHARED

from benchmarks import calibrate_lengths as calibrate
from crtools import InputError
from crtools.papers.adaptive.workloads import embedded, lengths
from crtools.papers.adaptive.workloads.lengths import EMBEDDED, Column, mixed

TRACE = SHARED / "data" / "azure-llm-2023" / "AzureLLMInferenceTrace_conv.csv"


def stored(name: str) -> dict[str, Any]:
    return json.loads(
        (files("crtools.papers.adaptive.workloads") / "data" / f"{name}.json").read_text(encoding="utf-8")
    )


# ---- the laws ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["paper", "paper-smooth"])
@pytest.mark.parametrize("column", ["prompts", "outputs"])
def test_the_calibrated_laws_have_the_published_figures(name: str, column: str) -> None:
    published = {
        "prompts": {"minimum": 1, "maximum": 468, "mean": 41, "median": 11, "variance": 4961},
        "outputs": {"minimum": 1, "maximum": 883, "mean": 85, "median": 43, "variance": 9702},
    }[column]
    law: Column = getattr(embedded(name), column)
    assert law.shares.sum() == pytest.approx(1, abs=1e-12)
    assert (law.shares >= 0).all()
    assert law.figures() == pytest.approx(published, rel=0.01)
    assert law.shares[-1] == 1 / 2000


@pytest.mark.parametrize("name", ["paper", "paper-smooth"])
def test_the_multipliers_are_found_again(name: str) -> None:
    again, kept = json.loads(json.dumps(calibrate.paper_table(name))), stored(name)
    for column in ("prompts", "outputs"):
        assert again[column].pop("multipliers") == pytest.approx(kept[column].pop("multipliers"), rel=1e-6)
    assert again == kept


def test_the_paper_law_has_the_largest_entropy_and_the_other_is_smooth() -> None:
    """Any small move that keeps mean, variance, median and the share of the maximum lowers the entropy."""
    rng = np.random.default_rng(0)
    for column in ("prompts", "outputs"):
        law: Column = getattr(embedded("paper"), column)
        k, p = law.lengths / law.largest, law.shares
        median = law.median
        below = (law.lengths < median) + 0.5 * (law.lengths == median)
        fixed = np.stack([np.ones_like(k), k, k**2, below, k == k[-1]])
        for _ in range(20):
            move = rng.normal(size=len(k)) * p
            move -= p * (fixed.T @ np.linalg.solve((fixed * p) @ fixed.T, fixed @ move))
            other = p + 1e-3 * move
            assert (other > 0).all()
            assert fixed @ other == pytest.approx(fixed @ p)
            assert -(other * np.log(other)).sum() < -(p * np.log(p)).sum()
        smooth = getattr(embedded("paper-smooth"), column).shares
        steps = np.abs(np.diff(np.log(smooth[:-1])))[median - 3 : median + 2]
        assert steps.max() < 2 * steps.min()


def test_the_trace_law_has_the_trace_s_figures() -> None:
    """Figures of AzureLLMInferenceTrace_conv (19,366 rows), which test_the_table_is_derived_again computes."""
    law = embedded("azure-conv")
    check_figures(law.prompts.figures(), {"mean": 1154.70, "median": 1020, "variance": 1229424, "maximum": 14050})
    check_figures(law.outputs.figures(), {"mean": 211.126, "median": 129, "variance": 26525.4, "maximum": 1000})


def check_figures(found: dict[str, float], wanted: dict[str, float]) -> None:
    for key, tolerance in (("mean", 0.01), ("median", 0.03), ("variance", 0.04), ("maximum", 0)):
        assert found[key] == pytest.approx(wanted[key], rel=tolerance), key


def test_the_table_is_derived_again_from_the_trace() -> None:
    if not TRACE.exists():
        pytest.skip("the public trace is not here")
    prompts, outputs = calibrate.read_trace(TRACE)
    table = json.loads(json.dumps(calibrate.quantile_table(prompts, outputs)))
    assert table == stored("azure-conv")
    law = embedded("azure-conv")
    for values, column in ((prompts, law.prompts), (outputs, law.outputs)):
        wanted = {
            "mean": np.mean(values),
            "median": np.median(values),
            "variance": np.var(values),
            "maximum": max(values),
        }
        check_figures(column.figures(), wanted)
    tenths = np.array_split(np.array(outputs)[np.argsort(prompts, kind="stable")], 10)
    for tenth, column in zip(tenths, law.groups, strict=True):
        assert column.mean == pytest.approx(tenth.mean(), rel=0.04)


def test_the_tables_are_small_and_say_where_they_come_from() -> None:
    for name in EMBEDDED:
        table = stored(name)
        numbers = [x for value in table.values() if isinstance(value, list) for x in value]
        assert sum(len(x) if isinstance(x, list) else 1 for x in numbers) <= 240
        assert len(embedded(name).source) > 40
    assert "CC-BY-4.0" in embedded("azure-conv").source
    assert "no data of that set" in embedded("paper").source


def test_writing_the_tables_gives_the_ones_that_are_shipped(tmp_path: Path) -> None:
    trace = tmp_path / "trace.csv"
    trace.write_text("TIMESTAMP,ContextTokens,GeneratedTokens\n" + "".join(f"t,{k},{2 * k}\n" for k in range(1, 41)))
    calibrate.write_tables(trace, tmp_path)
    assert sorted(p.name for p in tmp_path.glob("*.*")) == [
        "azure-conv.json",
        "paper-smooth.json",
        "paper.json",
        "trace.csv",
    ]
    made = json.loads((tmp_path / "azure-conv.json").read_text())
    assert made["rows"] == 40
    assert made["outputs"][0][-1] == 8 and made["outputs"][-1][0] == 74
    assert json.loads((tmp_path / "paper.json").read_text())["kind"] == "exponential"


# ---- columns ----------------------------------------------------------------------------------------------------


def test_a_quantile_table_becomes_the_law_of_rounded_values() -> None:
    probabilities, values = (0, 0.25, 0.5, 0.9, 1), (2, 5, 5, 11, 30)
    law = Column.from_quantiles(probabilities, values)
    u = (np.arange(400_000) + 0.5) / 400_000
    wanted = np.bincount(np.rint(np.interp(u, probabilities, values)).astype(int))[2:] / len(u)
    assert law.shares == pytest.approx(wanted, abs=1e-4)
    assert law.shares[3] > 0.25  # the atom at 5
    assert (law.at(u) == np.rint(np.interp(u, probabilities, values))).mean() > 0.999
    assert law.at(np.array([0.0, 1 - 1e-12])).tolist() == [2, 30]


def test_a_mixture_has_the_mean_of_its_parts() -> None:
    a, b = Column(1, np.array([0.5, 0.5])), Column(4, np.array([0.25, 0.75]))
    both = mixed([a, b])
    assert (both.smallest, both.shares.tolist()) == (1, [0.25, 0.25, 0, 0.125, 0.375])
    assert both.mean == pytest.approx((a.mean + b.mean) / 2)
    assert both.variance == pytest.approx(np.average([1, 4, 16, 25], weights=[2, 2, 1, 3]) - both.mean**2)


# ---- drawing ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EMBEDDED)
def test_draws_follow_the_law_and_repeat(name: str) -> None:
    law = embedded(name)
    prompts, outputs = law.draw(60_000, 5)
    for values, column in ((prompts, law.prompts), (outputs, law.outputs)):
        assert values.dtype == np.int64
        assert column.smallest <= values.min() and values.max() <= column.largest
        assert values.mean() == pytest.approx(column.mean, abs=5 * (column.variance / len(values)) ** 0.5)
    again = law.draw(60_000, 5)
    assert (again[0] == prompts).all() and (again[1] == outputs).all()
    assert (law.draw(60_000, 6)[1] != outputs).any()


def test_prompts_and_outputs_depend_on_each_other_as_in_the_trace() -> None:
    law = embedded("azure-conv")
    prompts, outputs = law.draw(100_000, 1)
    order = np.argsort(prompts, kind="stable")
    means = [part.mean() for part in np.array_split(outputs[order], 10)]
    assert means == pytest.approx([c.mean for c in law.groups], rel=0.08)
    prompts, outputs = embedded("paper").draw(100_000, 1)
    assert abs(np.corrcoef(prompts, outputs)[0, 1]) < 0.02


def test_a_user_s_rows_are_drawn_without_replacement_and_together(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("p", "o"), *((k, 1000 + k) for k in range(50))])
    law = lengths(f"csv:{path}#o,p")
    prompts, outputs = law.draw(50, 3)
    assert sorted(prompts.tolist()) == list(range(50))
    assert (outputs == prompts + 1000).all()
    assert prompts.tolist() != list(range(50))
    with pytest.raises(InputError, match="number of rows"):
        law.draw(51, 3)
    alone = lengths(f"csv:{path}#o", s=7)
    prompts, outputs = alone.draw(200, 0)
    assert set(prompts.tolist()) == {7} and set(outputs.tolist()) <= set(range(1000, 1050))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("papers", "paper"), ("", "paper"), ("csv:/no/such#o,p", "readable"), ("csv:{p}#o,q", "column"),
        ("csv:{p}#q,p", "column"), ("csv:{p}#bad,p", "integer"), ("csv:{p}#p,o", "integer from 1 to"), ("geometric(q)", "parameter"),
        ("csv:{e}#o,p", "at least one row"), ("csv:{p}#o,p,t", "must name outputs and prompts alone"),
    ],
)  # fmt: skip
def test_bad_lengths_are_input_errors(tmp_path: Path, text: str, word: str) -> None:
    path, empty = tmp_path / "own.csv", tmp_path / "empty.csv"
    path.write_text("p,o,bad\n0,3,x\n")
    empty.write_text("p,o\n")
    with pytest.raises(InputError, match=word) as caught:
        lengths(text.format(p=path, e=empty))
    assert "\n" not in str(caught.value)
