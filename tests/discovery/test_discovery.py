"""Forms found from runs: the known ones are recovered, what has none is refused, and corrupted runs confirm nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from commands import crt

from crtools import POLICIES, Policy, discover, form, worst_case
from crtools.discovery import Discovery
from crtools.discovery.discover import FITTED, HELD_BACK, NEGLIGIBLE, guess, not_quadratic, read_policy
from crtools.discovery.interpolation import Guess, confirms, interpolate
from crtools.discovery.mean_field import mean_field_entries
from crtools.discovery.runs import Entries, ThirdDifferences, exact_runs, third_differences
from crtools.errors import InputError
from crtools.forms import Form
from crtools.setting import Setting

SIZES = ((36, 6, 3), (144, 12, 3))
"""Smaller runs than usual behind third differences."""


@pytest.fixture(scope="module")
def h_sf() -> Discovery:
    return discover("h-sf", sizes=SIZES)


@pytest.fixture(scope="module")
def a_ell() -> Discovery:
    return discover(replace(POLICIES["a-ell"], kernel=None), sizes=((36, 2, 3), (144, 4, 3)))


def entries(known: Form, at: Sequence[tuple[int, int, int]] = FITTED + HELD_BACK) -> dict[Any, Entries]:
    """Return what exact runs of a policy with this form would give."""
    return {
        (i, j, s): Entries(*(known.on(Setting(s, i, j)).entry(a, b) for a, b in ((i, i), (i, j), (j, j))))
        for i, j, s in at
    }


def test_h_sf_is_recovered_with_what_confirms_it(h_sf: Discovery) -> None:
    assert (h_sf.quadratic, h_sf.status, h_sf.entry, h_sf.ends) == (True, "supported", "i*(i + s)", None)
    assert h_sf.mixtures == 2
    assert len(h_sf.guesses[0].confirmed) > 8
    assert h_sf.residues[0] == 12
    assert Fraction(21, 2) in h_sf.residues.values()  # counts that end within a batch have another limit
    assert h_sf.form is not None
    assert h_sf.form.on(Setting(3, 2, 9)).entry(4, 7) == form("h-sf").entry(4, 7, 3)


def test_a_ell_is_recovered_on_two_lengths(a_ell: Discovery) -> None:
    assert (a_ell.quadratic, a_ell.status, a_ell.entry) == (True, "supported", "3*i*(i + s)/2")
    assert a_ell.form is not None
    for i, j, s in ((2, 7, 0), (5, 11, 4)):
        setting = Setting(s, i, j)
        for a, b in ((i, i), (i, j), (j, j)):
            assert a_ell.form.on(setting).entry(a, b) == form("a-ell").on(setting).entry(a, b)
    assert worst_case(a_ell.form, 2, 5, 1).value == pytest.approx(worst_case("a-ell", 2, 5, 1).value)


def test_the_file_makes_the_form(h_sf: Discovery, a_ell: Discovery) -> None:
    for found in (h_sf, a_ell):
        made: dict[str, Any] = {}
        exec(found.as_python(), made)
        assert found.form is not None
        setting = Setting(1, 2, 5)
        assert made["form"].on(setting).entry(2, 5) == found.form.on(setting).entry(2, 5)


def test_a_min_is_guessed_from_mean_field_entries() -> None:
    policy = POLICIES["a-min-cohort"]
    known = entries(form("a-min"))
    for at in ((1, 2, 1), (2, 4, 0)):
        assert mean_field_entries(policy, *at, batches=1) == known[at]
    (found,) = guess(known)
    assert found.function(Fraction(7), Fraction(9), Fraction(4)) == form("a-min").entry(7, 9, 4)


@pytest.mark.parametrize("name", ["h-sf", "a-min", "a-ell"])
@pytest.mark.parametrize("at", HELD_BACK)
def test_an_entry_held_back_that_is_wrong_leaves_no_guess(name: str, at: tuple[int, int, int]) -> None:
    known = entries(form(name))
    assert guess(known)
    assert not guess(known | {at: replace(known[at], mixed=known[at].mixed + Fraction(1, 1000))})


def test_a_guess_with_another_coefficient_is_rejected_by_the_points_held_back() -> None:
    points = {(i, j, s): form("a-min").entry(i, j, s) for i, j, s in HELD_BACK}
    right = "(i + s)*(-i**2 + 2*i*j + i*s + j**2 + j*s)/(2*(j + s))"
    assert confirms(Guess(right, (), ()), points)
    for wrong in (("2*i*j", "3*i*j"), ("-i**2", "+i**2"), ("j*s)", "i*s)"), ("(j + s))", "(i + s))")):
        assert not confirms(Guess(right.replace(*wrong), (), ()), points)


def test_nothing_is_guessed_without_points_held_back() -> None:
    points = {(i, j, s): Fraction(i * (s + i)) for i in range(1, 5) for j in range(i, 5) for s in range(3)}
    assert interpolate(points, {(5, 6, 1): Fraction(30)}) is not None
    assert interpolate(points, {}) is None


def test_perturbed_runs_confirm_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One instant more for every seventh request and total: no form is claimed."""

    def perturbed(policy: Any) -> Any:
        total = exact_runs(policy)
        return lambda lengths, *rest: total(lengths, *rest) + len(lengths) ** 2 // 7

    monkeypatch.setattr(import_module("crtools.discovery.discover"), "exact_runs", perturbed)
    monkeypatch.setattr(import_module("crtools.discovery.discover"), "mean_field_entries", lambda *_, **__: None)
    found = discover("h-sf", sizes=SIZES)
    assert (found.status, found.guesses, found.form) == ("inconclusive", (), None)
    assert found.tried


@pytest.mark.parametrize(("name", "seeds", "differ"), [("a-max", 32, True), ("a-min-cohort", 6, False)])
def test_which_policies_are_not_quadratic(name: str, seeds: int, differ: bool) -> None:
    differences = tuple(
        third_differences(POLICIES[name], 2, 5, 1, memory=memory, n=6 * memory, seeds=seeds) for memory in (180, 720)
    )
    assert not_quadratic(differences) == differ, differences


def test_the_literal_a_min_has_third_differences_beyond_their_intervals() -> None:
    assert third_differences(POLICIES["a-min-literal"], 2, 5, 1, memory=360, n=12 * 360, seeds=24).excess > NEGLIGIBLE


def test_third_differences_that_vanish_or_are_within_their_intervals_say_nothing() -> None:
    def made(*pairs: tuple[float, float]) -> tuple[ThirdDifferences, ...]:
        return tuple(ThirdDifferences(1, 1, (m,), (h,), (30.0,)) for m, h in pairs)

    assert not_quadratic(made((1.0, 0.1), (1.0, 0.1)))
    assert not not_quadratic(made((1.0, 0.1), (0.5, 0.1)))  # vanishes like 1/√M
    assert not not_quadratic(made((1.0, 0.5), (1.0, 0.5)))
    assert not not_quadratic(made((0.1, 0.0), (0.1, 0.0)))


@pytest.mark.parametrize(
    ("policy", "words"),
    [("h-sff", "did you mean h-sf"), ("switch", "name one of them"), ("none.py", "must be a readable Python file")],
)
def test_a_policy_that_cannot_be_run_is_refused_in_one_line(policy: str, words: str) -> None:
    done = crt("discover", policy)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "options", [("--law", "nonsense(3)"), ("--u", "0"), ("--s", "-1"), ("--out", "no/such/folder.py")]
)
def test_bad_options_are_refused_before_anything_runs(
    options: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("crtools.discovery"), "discover", None)
    done = crt("discover", "h-sf", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_a_file_must_hold_one_policy(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "from crtools import Policy\n"
        "A = Policy('a', priority=lambda r: r.length, assumed=lambda r, age: r.length, fixed=True)\n"
        "B = Policy('b', priority=lambda r: 0, assumed=lambda r, age: r.length, fixed=True)\n"
    )
    assert isinstance(read_policy(f"{file}:A"), Policy)
    with pytest.raises(InputError, match="sizes"):
        discover(f"{file}:A", sizes=((36, 6, 3), (72, 12, 3)))
    with pytest.raises(InputError, match="there are: A, B"):
        discover(file)
    file.write_text("1/0\n")
    with pytest.raises(InputError, match="ZeroDivisionError"):
        discover(file)


def test_the_command_says_what_was_found(
    h_sf: Discovery, a_ell: Discovery, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    failed = Discovery("x", None, "inconclusive", h_sf.differences, tried=("all: nothing fits",))
    for found in (h_sf, a_ell, failed):
        monkeypatch.setattr(import_module("crtools.discovery"), "discover", lambda policy, progress, found=found: found)
        out = tmp_path / "form.py"
        lines = crt("discover", "x", "--out", str(out))
        assert all(len(line) <= 80 for line in lines.stdout.splitlines())
        assert lines.returncode == (0 if found.guesses else 1)
        document = json.loads(crt("discover", "x", "--json").stdout)
        assert document["quadratic"] == found.quadratic
        assert document["entry"] == found.entry
        assert document["status"] == found.status
    assert "worst_case" in document  # pyright: ignore[reportPossiblyUnboundVariable]
