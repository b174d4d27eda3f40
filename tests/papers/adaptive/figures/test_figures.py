"""Figures are data first, and their files appear together or not at all."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import ROOT

from crtools import InputError, figure, form
from crtools.ledger.registry import load
from crtools.papers.adaptive.figures.log_fit import FIRST, LAST, Maxima, least_squares, maxima
from crtools.plotting import Figure, known_figures
from crtools.plotting.figure import rounded
from crtools.plotting.sheet import Sheet


def empty(sheet: Sheet) -> Any:
    return sheet.canvas(1, 1)


def small(draw: Any = empty, data: Mapping[str, Any] | None = None) -> Figure:
    return Figure("small", data or {"u": [1, 2], "y": [0.1, 1 / 3]}, draw, {"fit": {"slope": 0.5}}, {"note": "ℓ"})


def test_saving_writes_three_files_and_nothing_else(tmp_path: Path) -> None:
    paths = small().save(tmp_path / "a" / "b")
    assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == ["small.csv", "small.json", "small.png"]
    assert {kind: path.name for kind, path in paths.items()} == {k: f"small.{k}" for k in ("png", "csv", "json")}
    rows = list(csv.reader(paths["csv"].open(encoding="utf-8")))
    assert rows[0] == ["u", "y"]
    assert [row[1] for row in rows[1:]] == ["0.1", "0.333333333333"]
    assert json.loads(paths["json"].read_text(encoding="utf-8")) == {
        "name": "small", "fits": {"fit": {"slope": 0.5}}, "note": "ℓ",
    }  # fmt: skip


def drawn(sheet: Sheet) -> Any:
    page = sheet.canvas(2, 1)
    page.subplots().plot([0, 1], [0, 1], label="one line")
    return page


def test_the_same_figure_is_the_same_bytes_whatever_the_last_bits_and_the_users_style(tmp_path: Path) -> None:
    """Sums come out one bit apart on other processors; a user's style must not show either."""
    import matplotlib

    bit = 1 + 2**-52
    fits: dict[str, Any] = {"fit": {"slope": 0.7, "ends": [0.1, (0.3,)], "n": 3, "text": "0.3333333333333333"}}
    moved: dict[str, Any] = {"fit": fits["fit"] | {"slope": 0.7 * bit, "ends": [0.1 * bit, (0.3 * bit,)]}}
    Figure("small", {"u": [1, 2], "y": [0.1, np.float64(1 / 3)]}, drawn, fits, {"at": 2 / 3}).save(tmp_path / "a")
    with matplotlib.rc_context({"lines.linewidth": 9, "savefig.facecolor": "red", "font.size": 30}):
        Figure("small", {"u": [1, 2], "y": [0.1 * bit, bit / 3]}, drawn, moved, {"at": 2 / 3 * bit}).save(
            tmp_path / "b"
        )
    for kind in ("png", "csv", "json"):
        first, second = ((tmp_path / folder / f"small.{kind}").read_bytes() for folder in "ab")
        assert first == second, kind
    assert b"matplotlib" not in (tmp_path / "a" / "small.png").read_bytes().lower()
    text = (tmp_path / "a" / "small.json").read_text(encoding="utf-8")
    assert '"text": "0.3333333333333333"' in text
    assert '"n": 3,' in text


def test_saving_twice_replaces(tmp_path: Path) -> None:
    small().save(tmp_path)
    small(data={"u": [5], "y": [6]}).save(tmp_path)
    assert (tmp_path / "small.csv").read_text().splitlines() == ["u,y", "5,6"]
    assert len(list(tmp_path.iterdir())) == 3


def boom(sheet: Sheet) -> Any:
    sheet.canvas(1, 1)
    raise RuntimeError("drawing failed")


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        small(boom).save(tmp_path)
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
    assert names == tuple(known_figures())[: len(names)]
    with pytest.raises(InputError, match="log-fit"):
        figure("no-fit")


@pytest.mark.parametrize(("offset", "name"), [(1, "published-index"), (0, "caption-index")])
def test_the_fit_finds_the_coefficients_of_an_exact_logarithm(offset: int, name: str) -> None:
    u = np.arange(3, 200)
    fit = least_squares(Maxima(u, 0.25 * np.log(u - offset + 0.3) + 1.2, (), ()), name)
    assert (fit.slope, fit.shift, fit.intercept) == pytest.approx((0.25, 0.3, 1.2), abs=1e-5)
    assert fit.r_squared == pytest.approx(1)
    assert fit(u) == pytest.approx(0.25 * np.log(u - offset + 0.3) + 1.2, abs=1e-8)


def test_the_fit_has_the_digits_that_are_written() -> None:
    """A search that compares errors finds the shift to half the digits only, and on other processors another shift."""
    data = maxima(3, 600)
    noise = 1 + 2e-16 * np.random.default_rng(0).integers(-2, 3, len(data.u))
    moved = Maxima(data.u, data.value * noise, data.lower, data.upper)
    by_index, caption, other = (
        least_squares(d, name)
        for d, name in ((data, "published-index"), (data, "caption-index"), (moved, "caption-index"))
    )
    assert by_index.shift - 1 == pytest.approx(caption.shift, rel=1e-11)  # the same curve, with 1 moved into the shift
    assert (other.shift, other.slope, other.intercept) == pytest.approx(
        (caption.shift, caption.slope, caption.intercept), rel=1e-11
    )


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


COMMITTED = ROOT / "figures"


@cache
def computed(name: str) -> Figure:
    return figure(name)


def committed(name: str) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """The columns and the fits of a figure as its files hold them."""
    rows = list(csv.DictReader((COMMITTED / f"{name}.csv").open(encoding="utf-8", newline="")))
    columns = {key: [float(row[key]) for row in rows] for key in rows[0]}
    return columns, json.loads((COMMITTED / f"{name}.json").read_text(encoding="utf-8"))["fits"]


@pytest.mark.parametrize(
    "name",
    ["two-point", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("lengths", "log-fit", "geometric"))],
)
def test_drawing_a_figure_again_leaves_a_clone_as_it_was(name: str, tmp_path: Path) -> None:
    assert set(computed(name).save(tmp_path)) == {"png", "csv", "json"}
    for kind in ("csv", "json"):
        assert (tmp_path / f"{name}.{kind}").read_bytes() == (COMMITTED / f"{name}.{kind}").read_bytes()


def test_every_committed_table_has_the_digits_that_are_written() -> None:
    for name in known_figures():
        rows = list(csv.reader((COMMITTED / f"{name}.csv").open(encoding="utf-8", newline="")))[1:]
        floats = [cell for row in rows for cell in row if "." in cell and cell.replace(".", "").strip("-").isdecimal()]
        assert floats or name in ("hsf-lower", "verdicts"), name  # integers, words
        assert [cell for cell in floats if str(rounded(float(cell))) != cell] == []


def test_the_title_of_convergence_says_what_its_table_shows() -> None:
    """At the largest memory forms are met within 5 %, area forms within 6 % but for two-point laws; A_max stays below 1."""
    rows = list(csv.DictReader((COMMITTED / "convergence.csv").open(encoding="utf-8", newline="")))
    last = [r for r in rows if r["M"] == "7500"]
    near = [r for r in last if r["policy"] in ("h-sf", "a-min-cohort", "a-ell")]
    assert len(near) == 22
    assert all(abs(float(r["tel_over_form"]) - 1) < 0.05 for r in near)
    by_area = [r for r in last if r["policy"] in ("a-random", "a-min-literal") and r["law"] != "two-point"]
    assert len(by_area) == 16
    assert all(abs(float(r["tel_over_area_form"]) - 1) < 0.06 for r in by_area)
    assert all(float(r["tel_over_form"]) < 1 for r in rows if r["policy"] == "a-max")


def by_memory() -> set[str]:
    """The policies of the committed figure ``latency``."""
    with (COMMITTED / "latency.csv").open(encoding="utf-8", newline="") as file:
        return {row["policy"] for row in csv.DictReader(file)}


def test_every_policy_that_is_drawn_has_a_look_of_its_own() -> None:
    from crtools.papers.adaptive.figures import convergence, transitions
    from crtools.papers.adaptive.figures.style import LOOKS, PROVED, PUBLISHED
    from crtools.papers.adaptive.workloads import experiments
    from crtools.papers.beyond.figures import blind

    drawn_policies = {
        *convergence.POLICIES,
        *experiments.OF_THE_PAPER,
        experiments.A_MAX_RANDOM_ORDER.name,
        *transitions.POLICIES,
        *blind.POLICIES,
        *by_memory(),
    }
    looks = [LOOKS[policy] for policy in drawn_policies]
    assert len({look.marker for look in looks}) == len({look.label for look in looks}) == len(looks)
    assert not {PROVED, PUBLISHED} & {look.colour for look in looks}


def test_the_committed_latency_has_every_policy_that_fits_its_law() -> None:
    few = figure("latency", n=8, memory="100").data
    assert by_memory() == set(few["policy"]) >= {"fcfs", "a-learn", "h-sf"}


DEUTERANOPE = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
"""From linear RGB to what a deuteranope sees (Machado, Oliveira and Fernandes 2009, severity 1)."""

TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def seen(colour: str, eye: Any) -> Any:
    """The CIELAB coordinates of a colour through an eye."""
    parts = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.array(TO_XYZ) @ np.clip(np.array(eye) @ linear, 0, 1) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def too_alike(colours: Iterable[str]) -> set[tuple[str, str]]:
    """The pairs that a deuteranope, or anybody, hardly tells apart."""
    eyes = (DEUTERANOPE, np.eye(3))
    pairs = combinations(sorted(colours), 2)
    return {pair for pair in pairs if min(np.linalg.norm(seen(pair[0], e) - seen(pair[1], e)) for e in eyes) < 20}


def test_a_deuteranope_tells_any_two_colours_apart() -> None:
    from crtools.papers.adaptive.figures.style import LOOKS, PROVED, PUBLISHED

    assert too_alike({look.colour for look in LOOKS.values()} | {PROVED, PUBLISHED}) == set()
    assert too_alike({"#FF7F0E", "#BCBD22"})  # the orange and the olive of Matplotlib
    assert too_alike({"#009E73", "#999999"})


def test_the_two_point_figure_shows_that_the_bounds_are_the_suprema() -> None:
    data = computed("two-point").data
    for name in ("a_min", "a_ell"):
        assert data[f"bound_{name}"] == pytest.approx(data[f"supremum_{name}_s=0"], rel=1e-12)
        assert max(data[f"supremum_{name}_s=100"]) > max(data[f"bound_{name}"]) - 1e-9
    below = [a for a, p, q in zip(data["alpha"], data["bound_a_min"], data["bound_a_ell"], strict=True) if q < p]
    assert max(below) < (3 - 5**0.5) / 2 < max(below) + 1 / 400


def test_the_geometric_figure_lies_below_its_suprema() -> None:
    data, fits = committed("geometric")
    for name in ("geometric", "linear-geometric"):
        for s in (0, 1, 5, 100):
            top = fits[f"{name}, s = {s}"]["supremum"]
            assert max(data[f"{name}_s={s}"]) <= float(top["upper"]) + 1e-12
    assert data["geometric_s=0"] == sorted(data["geometric_s=0"])
    assert fits["geometric, s = 0"]["limit"] == "10 - 12*log(2)"
    bounds = {"geometric": 1.7, "linear-geometric": 1.6}
    tops = {key: float(fits[key]["supremum"]["lower"]) for key in fits}
    above = {key for key, top in tops.items() if top > bounds[key.partition(",")[0]]}
    assert above == {f"geometric, s = {s}" for s in (1, 5, 100)} | {f"linear-geometric, s = {s}" for s in (5, 100)}


def test_a_figure_is_drawn_as_the_bytes_that_are_saved(tmp_path: Path) -> None:
    made = figure("two-point")
    drawn = made.draw()
    assert drawn.startswith(b"\x89PNG")
    assert made.save(tmp_path)["png"].read_bytes() == drawn


def test_the_map_holds_the_worst_cases_that_other_numbers_give() -> None:
    import scipy.linalg

    rows = figure("worst-map", u=12).data
    for l, s, low, high in zip(*(rows[name] for name in ("l", "s", "lower", "upper")), strict=True):
        k = np.arange(l, 13.0)
        n, d = (
            np.array([[float(form(name).entry(int(i), int(j), s)) for j in k] for i in k]) for name in ("a-min", "h-sf")
        )
        upper = np.triu(n), np.triu(d)
        n, d = (own + own.T - np.diag(np.diag(own)) for own in upper)
        dense = scipy.linalg.eigh(n, d, eigvals_only=True)[-1]
        assert float(low) - 1e-9 <= dense <= float(high) + 1e-9, (l, s)


def test_the_shares_of_the_worst_case_sum_to_one_as_those_of_the_family_do() -> None:
    data = figure("weights", u="5,40").data
    for u in (5, 40):
        for name in ("weight", "family"):
            own = [value for at, value in zip(data["u"], data[name], strict=True) if at == u]
            assert sum(own) == pytest.approx(1, rel=1e-12)
            assert min(own) > 0


def test_there_is_a_row_of_tiles_for_every_claim() -> None:
    rows = list(csv.DictReader((COMMITTED / "verdicts.csv").open(encoding="utf-8", newline="")))
    assert [row["claim"] for row in rows] == [claim.id for claim in load("adaptive").claims]
    assert all(row[row["stated_at"]] for row in rows)
