"""What a user sees of an object: a short text with the value and its status, a picture or a formula, a table, an order."""

from __future__ import annotations

import doctest
import inspect
import pickle
import sys
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

import crtools
from crtools import (
    Discovery,
    Distribution,
    Enclosure,
    InputError,
    Minimax,
    NotCertified,
    Setting,
    best,
    compare,
    derive,
    figure,
    form,
    guarantees,
    optimum,
    ratio,
    simulate,
    switch,
    verify,
    worst_case,
)
from crtools.blind import least_cost
from crtools.blind.minimax import State, on_interval
from crtools.ledger.cache import default_folder
from crtools.papers.adaptive.workloads import experiment


def minimax_of_nothing() -> Minimax:
    """ρ* with one inequality that is made up."""
    return Minimax(least_cost(9), 9, (State("upper", "a-claim", "machine", "proved", 11, "so"),))


def discovery_of_nothing() -> Discovery:
    return Discovery("mine", None, "inconclusive", (), ())


OBJECTS = {
    "ratio": (lambda: ratio("a-min", "geometric(q=1/2)"), "≈ 1.55605823513 (certified)"),
    "exact": (lambda: ratio("a-min", "two-point(l=1, u=10, weight=1/4)"), "9367/9070 ≈ 1.032745"),
    "enclosure": (lambda: ratio("a-min", "geometric(q=1/2)").enclosure(20), "Enclosure([1.55605823513"),
    "exact enclosure": (lambda: Enclosure(Fraction(1, 3), Fraction(1, 3)), "Enclosure(1/3, exact)"),
    "worst case": (lambda: worst_case("a-min", l=1, u=100), "≈ 2.33334121992 (certified)"),
    "form": (lambda: form("h-sf"), "i*(i + s) at i <= j (limit, of h-sf): form('h-sf')"),
    "form of another policy": (
        lambda: form("a-min"),
        "(limit, of a-min-cohort; stated but not shown of a-min-literal): form('a-min')",
    ),
    "worst cases": (lambda: worst_case("a-min", u=range(2, 4)), "1.37929  1.379286273  1.379286274  certified"),
    "best": (lambda: best("uniform(1, 2)"), "V = 4/3 (certified): best("),
    "optimum": (lambda: optimum([1, 1, 3, 3], 5, 1), "total latency 12 (proved): optimum of 4 requests"),
    "experiment": (
        lambda: experiment(1, sizes=[9], seeds=2, policies=["h-sf"]),
        "h-sf 1 (supported): experiment(1, 'paper')",
    ),
    "form on lengths": (lambda: form("a-min").on(Setting(0, 1, 10)), "form('a-min').on(Setting(s=0, l=1, u=10))"),
    "comparison": (
        lambda: compare("h-sf", "uniform(1,10)", n=9, memory=60, seeds=2),
        "total latency 1 times H-SF's (supported): ",
    ),
    "comparisons": (
        lambda: compare(["h-sf", "fcfs"], "uniform(1,10)", n=9, memory=60, seeds=2),
        "only fcfs ran at M = 60: 4.42 times the volume bound (supported)",
    ),
    "run": (lambda: simulate("h-sf", [1, 1, 3, 3], 5, 1), "total latency 13"),
    "figure": (lambda: figure("two-point"), "399 rows of alpha"),
    "claims": (lambda: verify(["trace"]), "H_u exactly, for every u"),
    "claim": (lambda: verify(["trace"])[0], "proved at form-at-zero: trace"),
    "guarantees": (lambda: guarantees([1, 1, 3], 9, s=1), "h-volume ≤ 3·OPT, here ≤ "),
    "switch": (lambda: switch("a-min", "a-ell", "two-point(1, 10, w)"), "0 <= w < 20/109: a-min"),
    "interval": (lambda: on_interval(0, 20, 20), "lengths in [20, 20], s = 0: between 1 and 1.000000001"),
    "minimax": (minimax_of_nothing, "ρ* in [2.72837242"),
    "discovery": (discovery_of_nothing, "open whether quadratic (inconclusive); no formula: discover('mine')"),
    "derivation": (lambda: derive("geometric(q)"), "(closed form, compared with direct sums)"),
}


SLOW = pytest.param("interval", marks=pytest.mark.exhaustive)


@pytest.mark.parametrize("name", [SLOW if name == "interval" else name for name in OBJECTS])
def test_a_repr_is_short_and_says_the_value_and_its_status(name: str) -> None:
    make, said = OBJECTS[name]
    text = repr(make())
    assert said in text
    assert len(text) <= 300


@pytest.mark.parametrize(
    "name", [name for name in OBJECTS if name not in ("interval", "enclosure", "exact enclosure", "form on lengths")]
)
def test_a_result_shows_itself_in_a_notebook_and_can_be_pickled(name: str) -> None:
    own = OBJECTS[name][0]()
    assert name == "figure" or seen(own, "html").startswith("<")
    again = pickle.loads(pickle.dumps(own))
    assert repr(again) == repr(own)


def seen(own: Any, kind: str) -> Any:
    """Return what a notebook shows of an object."""
    return getattr(own, f"_repr_{kind}_")()


def test_a_ratio_that_is_not_certified_says_so() -> None:
    broken = ratio("a-min", "geometric(q=1/2)")
    vars(broken)["exact"] = None

    def refuse(digits: int = 10) -> Enclosure:
        raise NotCertified("too wide")

    vars(broken)["enclosure"] = refuse
    assert repr(broken).endswith(": too wide")


def test_every_curve_of_a_result_is_a_figure() -> None:
    found = switch("a-min", "a-ell", "two-point(1, 10, w)")
    for drawn in (
        found.plot(20),
        best("uniform(1, 2)").plot(),
        worst_case(u=[2, 3, 4]).plot(),
        minimax_of_nothing().plot(),
    ):
        assert seen(drawn, "png").startswith(b"\x89PNG")
    above = [ratio > 1 for ratio in found.plot(20).data["ratio"]]
    assert above == [w > 20 / 109 for w in found.plot(20).data["w"]]
    assert min(minimax_of_nothing().plot().data["ratio to the optimum"]) == pytest.approx(2.72837, abs=1e-4)


def test_enclosures_refuse_an_order_that_their_points_do_not_share() -> None:
    low, high = Enclosure(Fraction(1), Fraction(2)), Enclosure(Fraction(3), Fraction(4))
    overlapping = Enclosure(Fraction(2), Fraction(7, 2))
    assert low < high
    assert high > low
    assert not high <= low
    assert low <= overlapping
    assert low < 3
    assert low <= Fraction(2)
    assert not low > 2.5
    for compared in (lambda: low < overlapping, lambda: overlapping >= high, lambda: low > 1, lambda: low < 1.5):
        with pytest.raises(NotCertified, match="some points only"):
            compared()
    with pytest.raises(TypeError):
        _ = low < "3"  # pyright: ignore[reportOperatorIssue]
    assert float(low) == 1.5
    assert low == Enclosure(Fraction(1), Fraction(2))


def test_verify_returns_a_list_that_shows_itself() -> None:
    found = verify(["trace", "hsf-lower"], cache=default_folder())
    assert isinstance(found, list)
    assert [row["claim"] for row in found.rows()] == [result.id for result in found] == ["trace", "hsf-lower"]
    assert "✗ refuted" in seen(found, "html")
    assert pickle.loads(pickle.dumps(found)) == found
    assert max(map(len, repr(found).splitlines())) <= 80


def test_the_tiles_are_drawn_without_a_bar_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from crtools.papers.adaptive.figures import verdicts

    def few(**how: Any) -> list[Any]:
        return verify(["trace", "hsf-lower"], cache=default_folder(), progress=how["progress"])

    monkeypatch.setattr(verdicts, "verify", few)
    assert figure("verdicts").data["claim"] == ["trace", "hsf-lower"]


def test_a_table_is_a_data_frame_or_without_pandas_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert repr(worst_case("a-min", u=[2, 3]).table()).splitlines()[:2] == [
        "u  value    lower        upper        status",
        "2  1.25     1.249999999  1.250000001  certified",
    ]
    assert [row["claim"] for row in verify(["trace"]).table()] == ["trace"]
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows: rows))
    assert set(figure("two-point").table()[0]) >= {"alpha"}
    assert compare("h-sf", "uniform(1,10)", n=9, memory=60, seeds=2).table()[1]["to_h_sf"] == 1
    assert verify(["trace"]).table()[0]["form-at-zero"] == "proved"


def test_a_notebook_shows_pictures_and_formulas() -> None:
    own = derive("geometric(q)")
    assert r"10 - 12 \ln{\left(2 \right)}" in (seen(own, "latex") or "")
    assert own.value(q=Fraction(1, 2)) == own.value(Fraction(1, 2))
    with pytest.raises(InputError, match="must be the one parameter q"):
        own.value(p=Fraction(1, 2))
    shown = seen(own, "html")
    assert "<math" in shown and "<b>certified</b>" in shown and "data:image/png;base64," in shown
    assert seen(derive("uniform(1, 9)"), "html") is None  # without a parameter there is neither formula nor curve
    curve = own.plot(5)
    assert seen(pickle.loads(pickle.dumps(curve)), "png") == seen(curve, "png")
    assert curve.data["q"] == pytest.approx([1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6])
    assert curve.data["ratio"] == [own.value(Fraction(k, 6)) for k in range(1, 6)]
    worst = worst_case("a-min", l=1, u=9)
    assert worst == worst_case("a-min", l=1, u=9) and hash(worst) == hash(worst_case("a-min", l=1, u=9))
    assert (
        worst != worst_case("a-min", l=1, u=9, s=1)
        and worst != worst_case("a-random", l=1, u=9)
        and worst != worst.value
    )
    assert sum(worst.plot().data["weight"]) == pytest.approx(1)
    for drawn in (curve, worst.plot(), figure("two-point")):
        assert pickle.loads(pickle.dumps(drawn)).data == drawn.data
        assert seen(drawn, "png").startswith(b"\x89PNG")
    assert "<svg" in (seen(simulate("h-sf", [1, 1, 3, 3], 5, 1), "html") or "")
    assert "<table>" in seen(simulate("h-sf", [50] * 100, 60), "html")  # too large for a drawing


@pytest.mark.parametrize(
    "module",
    ["enclosure", "schedule", "process.run", "process.optimal", "worst_cases.solve",
     "ledger.run", "ledger.claim", "ledger.verdict",
     "process.compare", "process.guarantees", "plotting", "ratios.switch", "blind.best", "setting", "forms", "forms.base",
     "distributions.base", "distributions.continuous", "distributions.mixture",
     "distributions.pmf", "distributions.spec", "ratios.ratio", "ratios.derivation", "worst_cases.base",
     *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("blind.minimax", "discovery.discover", "distributions.families"))],
)  # fmt: skip
def test_the_examples_of_the_docstrings_run(module: str) -> None:
    found: Any = doctest.testmod(import_module(f"crtools.{module}"))
    assert found.attempted > 0
    assert found.failed == 0


def test_each_public_function_and_each_law_has_an_example() -> None:
    public = {name: getattr(crtools, name) for name in crtools.__all__ if name != "Distribution"}
    laws = [own for own in public.values() if inspect.isclass(own) and issubclass(own, Distribution)]
    functions = [own for own in public.values() if inspect.isfunction(own)]
    assert len(laws) > 6 and len(functions) > 20
    for own in (*laws, *functions, crtools.Setting, crtools.Schedule, crtools.Enclosure, crtools.Form.from_entry):
        assert ">>> " in (own.__doc__ or ""), own


def test_the_repr_of_minimax_says_what_each_side_rests_on_and_a_discovery_its_entry() -> None:
    assert "a-claim proved at machine (11 sentences)" in repr(minimax_of_nothing())
    assert "that of the form h-sf" in repr(replace(discovery_of_nothing(), known="h-sf", quadratic=True))
