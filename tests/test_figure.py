"""Figures are data first, and their files appear together or not at all."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crtools import InputError, figure
from crtools.papers.adaptive.figures.least_squares import FIRST, LAST, Maxima, least_squares, maxima
from crtools.plotting import Figure, known_figures


def touch(path: Path) -> None:
    path.write_bytes(b"\x89PNG")


def small(draw: Any = touch, data: Mapping[str, Any] | None = None) -> Figure:
    return Figure("small", data or {"u": [1, 2], "y": [0.1, 1 / 3]}, draw, {"fit": {"slope": 0.5}}, {"note": "ℓ"})


def test_saving_writes_three_files_and_nothing_else(tmp_path: Path) -> None:
    paths = small().save(tmp_path / "a" / "b")
    assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == ["small.csv", "small.json", "small.png"]
    assert {kind: path.name for kind, path in paths.items()} == {k: f"small.{k}" for k in ("png", "csv", "json")}
    rows = list(csv.reader(paths["csv"].open(encoding="utf-8")))
    assert rows[0] == ["u", "y"]
    assert [float(row[1]) for row in rows[1:]] == [0.1, 1 / 3]
    assert json.loads(paths["json"].read_text(encoding="utf-8")) == {
        "name": "small", "fits": {"fit": {"slope": 0.5}}, "note": "ℓ",
    }  # fmt: skip


def test_saving_twice_replaces(tmp_path: Path) -> None:
    small().save(tmp_path)
    small(data={"u": [5], "y": [6]}).save(tmp_path)
    assert (tmp_path / "small.csv").read_text().splitlines() == ["u,y", "5,6"]
    assert len(list(tmp_path.iterdir())) == 3


def boom(path: Path) -> None:
    touch(path)
    raise RuntimeError("drawing failed")


def full(path: Path) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(("draw", "error"), [(boom, RuntimeError), (full, InputError)])
def test_nothing_half_written_is_left(tmp_path: Path, draw: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        small(draw).save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_run_keeps_the_files_of_the_last(tmp_path: Path) -> None:
    small().save(tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    with pytest.raises(RuntimeError):
        small(boom, {"u": [5], "y": [6]}).save(tmp_path)
    with pytest.raises(ValueError, match="argument 2 is"):
        small(data={"u": [5, 6], "y": [6]}).save(tmp_path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_a_folder_below_a_file_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for target in ("file", "file/below"):
        with pytest.raises(InputError):
            small().save(tmp_path / target)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_an_unknown_figure_is_an_input_error() -> None:
    names = ("log-fit", "geometric", "two-point", "convergence", "transitions", "lengths", "exp-1", "exp-2", "exp-3")
    assert names == tuple(known_figures())
    with pytest.raises(InputError, match="log-fit"):
        figure("log_fit")


@pytest.mark.parametrize(("offset", "name"), [(1, "published-index"), (0, "caption-index")])
def test_the_fit_finds_the_coefficients_of_an_exact_logarithm(offset: int, name: str) -> None:
    u = np.arange(3, 200)
    fit = least_squares(Maxima(u, 0.25 * np.log(u - offset + 0.3) + 1.2, (), ()), name)
    assert (fit.slope, fit.shift, fit.intercept) == pytest.approx((0.25, 0.3, 1.2), abs=1e-5)
    assert fit.r_squared == pytest.approx(1)
    assert fit(u) == pytest.approx(0.25 * np.log(u - offset + 0.3) + 1.2, abs=1e-8)


def test_the_maxima_are_enclosed_and_agree_with_dense_eigenvalues() -> None:
    import scipy.linalg

    data = maxima(1, 25)
    for u, value, low, high in zip(data.u.tolist(), data.value, data.lower, data.upper, strict=True):
        k = np.arange(1.0, u + 1)
        i, j = np.minimum.outer(k, k), np.maximum.outer(k, k)
        dense = scipy.linalg.eigh(i / j * ((i + j) ** 2 / 2 - i**2), i**2, eigvals_only=True)[-1]
        assert value == pytest.approx(dense, rel=1e-10)
        assert low <= high
        assert float(low) - 1e-9 <= dense <= float(high) + 1e-9
        assert high - low <= 1e-6


@pytest.mark.parametrize(("first", "last"), [(0, 10), (5, 7), (3, 10**6), (1.5, 10)])
def test_a_bad_range_is_an_input_error(first: Any, last: Any) -> None:
    with pytest.raises(InputError):
        maxima(first, last)


def test_the_published_range() -> None:
    assert (FIRST, LAST) == (3, 2000)


def test_the_two_point_figure_shows_that_the_bounds_are_the_suprema(tmp_path: Path) -> None:
    drawn = figure("two-point")
    data = drawn.data
    for name in ("a_min", "a_ell"):
        assert data[f"bound_{name}"] == pytest.approx(data[f"supremum_{name}_s=0"], rel=1e-12)
        assert max(data[f"supremum_{name}_s=100"]) > max(data[f"bound_{name}"]) - 1e-9
    below = [a for a, p, q in zip(data["alpha"], data["bound_a_min"], data["bound_a_ell"], strict=True) if q < p]
    assert max(below) < (3 - 5**0.5) / 2 < max(below) + 1 / 400
    assert set(drawn.save(tmp_path)) == {"png", "csv", "json"}


def test_the_geometric_figure_lies_below_its_suprema(tmp_path: Path) -> None:
    drawn = figure("geometric")
    for name in ("geometric", "linear-geometric"):
        for s in (0, 1, 5, 100):
            top = drawn.fits[f"{name}, s = {s}"]["supremum"]
            assert max(drawn.data[f"{name}_s={s}"]) <= float(top["upper"]) + 1e-12
    assert drawn.data["geometric_s=0"] == sorted(drawn.data["geometric_s=0"])
    assert drawn.fits["geometric, s = 0"]["limit"] == "10 - 12*log(2)"
    assert set(drawn.save(tmp_path)) == {"png", "csv", "json"}
