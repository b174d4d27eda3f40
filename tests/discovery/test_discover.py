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
from changed_texts import refused
from commands import crt

from crtools import POLICIES, Policy, discover, form, worst_case
from crtools.discovery import Discovery
from crtools.discovery.discover import form_by_phases, in_ledgers
from crtools.discovery.entries import FITTED, HELD_BACK, Entries, Formula, confirms, guess, interpolate
from crtools.discovery.measurements import ExactRuns, MeanFieldRuns, NoMeanField, exact_run, masses_value
from crtools.discovery.rules import NoPhases
from crtools.discovery.third_differences import over_areas
from crtools.errors import InputError
from crtools.forms import Form
from crtools.papers.adaptive.theory import LATENCIES, TEXT, theorem
from crtools.process.policies import known_names, read_policy
from crtools.process.reference import Job
from crtools.setting import Setting

SIZES = ((36, 6, 3), (144, 12, 3))
"""Smaller runs than usual behind third differences."""

SMALLER = ((36, 2, 3), (144, 4, 3))
"""For the slow engine."""


@pytest.fixture(scope="module")
def h_sf() -> Discovery:
    return discover("h-sf", sizes=SIZES)


@pytest.fixture(scope="module")
def a_ell() -> Discovery:
    return discover(replace(POLICIES["a-ell"], kernel=None), sizes=SMALLER)


def entries(known: Form, at: Sequence[tuple[int, int, int]] = FITTED + HELD_BACK) -> dict[Any, Entries]:
    """Return what exact runs of a policy with this form would give."""
    return {
        (i, j, s): Entries(*(known.on(Setting(s, i, j)).entry(a, b) for a, b in ((i, i), (i, j), (j, j))))
        for i, j, s in at
    }


def test_h_sf_is_proved_and_runs_agree(h_sf: Discovery) -> None:
    assert (h_sf.quadratic, h_sf.status, h_sf.entry, h_sf.ends) == (True, "proved", "i*(i + s)", None)
    assert h_sf.theorem is not None and h_sf.theorem.holds and h_sf.argued == 2
    assert (h_sf.fitted, h_sf.known) == (0, "h-sf")
    assert h_sf.confirmed > 30
    assert h_sf.residues[0] == 12
    assert Fraction(21, 2) in h_sf.residues.values()  # counts that end within a batch have another limit
    assert h_sf.form is not None
    assert h_sf.form.on(Setting(3, 2, 9)).entry(4, 7) == form("h-sf").entry(4, 7, 3)


@pytest.mark.exhaustive  # takes seconds
def test_a_ell_is_proved_on_two_lengths(a_ell: Discovery) -> None:
    assert (a_ell.quadratic, a_ell.status, a_ell.entry) == (True, "proved", "3*i*(i + s)/2")
    assert a_ell.form is not None
    for i, j, s in ((2, 7, 0), (5, 11, 4)):
        setting = Setting(s, i, j)
        for a, b in ((i, i), (i, j), (j, j)):
            assert a_ell.form.on(setting).entry(a, b) == form("a-ell").on(setting).entry(a, b)
    assert worst_case(a_ell.form, 2, 5, 1).value == pytest.approx(worst_case("a-ell", 2, 5, 1).value)


@pytest.mark.parametrize("name", ["h_sf", pytest.param("a_ell", marks=pytest.mark.exhaustive)])
def test_the_file_makes_the_form(name: str, request: pytest.FixtureRequest) -> None:
    found, made, setting = request.getfixturevalue(name), dict[str, Any](), Setting(1, 2, 5)
    exec(found.as_python(), made)
    assert made["form"].on(setting).entry(2, 5) == found.form.on(setting).entry(2, 5)


def test_a_min_is_guessed_from_mean_field_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.discovery.measurements.MASS_OVER_U", 1)
    policy = POLICIES["a-min-cohort"]
    known = entries(form("a-min"))
    for at in ((1, 2, 1), (2, 4, 0)):
        assert MeanFieldRuns(policy).entries(*at) == known[at]
    found = guess(known)
    assert found is not None
    assert found.formulas[0].function(Fraction(7), Fraction(9), Fraction(4)) == form("a-min").entry(7, 9, 4)


@pytest.mark.parametrize("name", ["h-sf", "a-min", "a-ell"])
@pytest.mark.parametrize("at", HELD_BACK)
def test_an_entry_held_back_that_is_wrong_leaves_no_guess(name: str, at: tuple[int, int, int]) -> None:
    known = entries(form(name))
    assert guess(known)
    assert not guess(known | {at: replace(known[at], mixed=known[at].mixed + Fraction(1, 1000))})


def test_a_guess_with_another_coefficient_is_rejected_by_the_points_held_back() -> None:
    points = {(i, j, s): form("a-min").entry(i, j, s) for i, j, s in HELD_BACK}
    right = "(i + s)*(-i**2 + 2*i*j + i*s + j**2 + j*s)/(2*(j + s))"
    assert confirms(Formula(right), points)
    for wrong in (("2*i*j", "3*i*j"), ("-i**2", "+i**2"), ("j*s)", "i*s)"), ("(j + s))", "(i + s))")):
        assert not confirms(Formula(right.replace(*wrong)), points)


def test_nothing_is_guessed_without_points_held_back() -> None:
    points = {(i, j, s): Fraction(i * (s + i)) for i in range(1, 5) for j in range(i, 5) for s in range(3)}
    assert interpolate(points, {(5, 6, 1): Fraction(30)}) is not None
    assert interpolate(points, {}) is None


def test_perturbed_runs_confirm_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One instant more for every seventh request and total: no form is claimed."""

    def perturbed(policy: Policy, lengths: Any, *rest: Any) -> int:
        return exact_run(policy, lengths, *rest) + len(lengths) ** 2 // 7

    monkeypatch.setattr("crtools.discovery.measurements.exact_run", perturbed)
    monkeypatch.setattr(MeanFieldRuns, "entries", lambda *_: None)
    found = discover("h-sf", sizes=SIZES)
    assert (found.status, found.formulas, found.form) == ("inconclusive", (), None)
    assert found.tried


def test_runs_that_give_other_entries_than_the_theorem_leave_nothing_proved(
    h_sf: Discovery, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = dict(h_sf.entries)
    wrong[2, 5, 1] = replace(wrong[2, 5, 1], mixed=wrong[2, 5, 1].mixed + 1)
    monkeypatch.setattr(ExactRuns, "entries", lambda _, *at: wrong[at])
    found = discover("h-sf", sizes=SIZES)
    assert (found.status, found.formulas, found.theorem) == ("inconclusive", (), None)


@pytest.mark.exhaustive  # takes seconds
def test_a_restart_has_a_form_from_pair_to_pair() -> None:
    found = discover(replace(POLICIES["a-restart"], kernel=None), sizes=SMALLER)
    assert (found.quadratic, found.status, found.entry, found.known) == (True, "certified", None, "a-restart")
    assert found.form is not None
    assert found.form.on(Setting(1, 2, 9)).entry(2, 9) == form("a-restart").on(Setting(1, 2, 9)).entry(2, 9)
    assert "known('a-restart')" in found.as_python()


@pytest.mark.exhaustive  # takes seconds
def test_without_phases_the_same_entry_is_a_guess(h_sf: Discovery, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(policy: Policy) -> Any:
        raise NoPhases("none are looked for")

    monkeypatch.setattr(import_module("crtools.discovery.discover"), "by_phases", none)
    monkeypatch.setattr(ExactRuns, "entries", lambda _, *at: h_sf.entries[at])
    found = discover("h-sf", sizes=SIZES)
    assert (found.status, found.entry, found.theorem) == ("supported", h_sf.entry, None)
    assert found.fitted == 30
    assert "none are looked for" in found.tried[0]


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


@pytest.mark.parametrize("others", [(), pytest.param(("a_ell",), marks=pytest.mark.exhaustive)])
def test_the_command_says_what_was_found(
    h_sf: Discovery, others: tuple[str, ...], request: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    random = over_areas(POLICIES["a-random"], ((36, 6, 3), (144, 12, 3)))
    failed = replace(h_sf, quadratic=None, status="inconclusive", formulas=(), form=None, tried=("all: nothing fits",))
    rejected = replace(failed, quadratic=False, status="supported", areas=random)
    guessed = replace(h_sf, status="supported", theorem=None, fitted=30)
    pairs = replace(h_sf, status="certified", formulas=(), theorem=None, form=form("h-sf"))
    for found in (h_sf, *map(request.getfixturevalue, others), failed, rejected, guessed, pairs):
        monkeypatch.setattr(import_module("crtools.discovery"), "discover", lambda policy, found=found, **_: found)
        out = tmp_path / "form.py"
        lines = crt("discover", "x", "--out", str(out))
        assert all(len(line) <= 80 for line in lines.stdout.splitlines() if str(out) not in line)
        assert lines.returncode == (0 if found.formulas or found is pairs else 1)
        assert ("guess" in lines.stdout) == (found is guessed)
        assert ("resting on" in lines.stdout) == (found.theorem is not None and bool(found.formulas))
        document = json.loads(crt("discover", "x", "--json").stdout)
        assert {"worst_case", "theorem", "areas", "looked_at"} <= set(document)
        assert document["quadratic"] == found.quadratic
        if found.form is not None:
            assert_says_which_lengths(document["worst_case"], lines.stdout, found)
            law = "uniform(1, 10)" if len(found.formulas) == 1 else "two-point(1, 10, 1/2)"
            assert document["ratio"]["law"] == law
        assert document["entry"] == found.entry
        assert document["status"] == found.status


def assert_says_which_lengths(worst: dict[str, Any], text: str, found: Discovery) -> None:
    """The worst case is that of the lengths that are named: the two ends, or all between."""
    assert found.form is not None
    ends = found.form.lengths is not None
    assert worst["lengths"] == ([1, 10] if ends else "all from l to u")
    assert ("for the two lengths 1 and 10 alone" in text) == ends
    assert ("for lengths in [1, 10]" in text) == (not ends)
    assert worst["value"] == worst_case(found.form, 1, 10).value


def test_the_worst_case_on_two_lengths_is_not_that_on_the_interval(
    h_sf: Discovery, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = form_by_phases(read_policy("a-restart"), "pairs")
    found = replace(h_sf, status="certified", formulas=(), theorem=None, form=pairs, known="a-restart")
    monkeypatch.setattr(import_module("crtools.discovery"), "discover", lambda policy, **_: found)
    document = json.loads(crt("discover", "x", "--u", "20", "--json").stdout)["worst_case"]
    own = worst_case("a-restart", 1, 20)
    assert document["on_interval"] == {"form": "a-restart", "value": own.value}
    assert document["on_interval"]["value"] == pytest.approx(5.5289, abs=1e-4)
    assert (document["value"], document["lengths"]) == (pytest.approx(2.705, abs=1e-3), [1, 20])
    text = crt("discover", "x", "--u", "20").stdout
    assert "for the two lengths 1 and 20 alone" in text
    assert "that of the form a-restart, for all lengths in [1, 20]: 5.528" in text


def test_what_ledgers_prove_is_of_their_own_policies_and_checked() -> None:
    assert set(LATENCIES) <= set(known_names())
    for name in ("h-sf", "a-min-cohort", "a-min-literal"):
        (found,) = in_ledgers(read_policy(name))
        assert found.ledger == "adaptive"
    assert in_ledgers(POLICIES["a-max"]) == ()
    assert theorem("A_min in the mean field").holds
    assert refused(TEXT.theory, "entries", "a_min(i, j, s)", "i*(s + j)")
    assert in_ledgers(replace(POLICIES["a-ell"], assumed=lambda r, age: r.bound + 1)) == ()


def test_masses_that_overflow_the_memory_have_no_mean_field() -> None:
    """Requests that are assumed to hold 2 tokens fill the memory, and hold 3 an instant later."""
    short = Policy("short", priority=lambda r: r.u, assumed=lambda r, age: 1, overflow="latest")
    assert masses_value(short, [Job(0, 1, 1, 1, 1)], 4) == 2
    with pytest.raises(NoMeanField, match="overflow"):
        masses_value(short, [Job(0, 1, 1, 2, 2)], 4)
