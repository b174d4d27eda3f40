"""The second ledger: found as anybody's is, decided in full, and told from its corrupted neighbours."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from amount import part_and_all
from claims_in_text import ids_in_text, statuses_in_text
from paths import ROOT
from tried import tried, with_trials

from crtools import Enclosure, InputError, verify
from crtools.blind.rho_star import cost, stationarity
from crtools.ledger import ClaimResult
from crtools.ledger.deciders.bounds import KnownRatio, decide_printed, decide_side
from crtools.ledger.registry import load
from crtools.ledger.run import self_test
from crtools.notation.terminal import unmarked
from crtools.papers.nonclairvoyant import LEDGER, claims, literal
from crtools.papers.nonclairvoyant.claims import BASE
from crtools.papers.nonclairvoyant.theory import TEXT
from crtools.report.terminal import ledger_text
from tests.papers.nonclairvoyant import trials

PACKAGE = ROOT / "crtools" / "papers" / "nonclairvoyant"
STATUSES = statuses_in_text(LEDGER)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_it_takes_public_names_of_the_toolkit_only(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        for name in (module, *names):
            assert not any(part.startswith("_") for part in name.split(".") if part != "__future__"), name
            assert not name.startswith("crtools.papers") or name.startswith("crtools.papers.nonclairvoyant"), name


@pytest.fixture(scope="module")
def results() -> dict[str, ClaimResult]:
    return {result.id: result for result in verify(ledger=LEDGER, jobs=1)}


def test_it_is_found_through_its_entry_point_and_reads_on_one_screen(results: dict[str, ClaimResult]) -> None:
    assert load("nonclairvoyant") is LEDGER
    assert set(STATUSES) == ids_in_text(LEDGER)
    lines = ledger_text(list(results.values()), LEDGER).splitlines()
    rows = [line for line in lines if line.split(" ")[0] in STATUSES]
    assert [row.split(" ")[0] for row in rows] == list(STATUSES)
    assert all(len(line) <= 80 for line in lines)
    for row, levels in zip(rows, STATUSES.values(), strict=True):
        assert row[17:21].count("✓") == len(levels)


@pytest.mark.parametrize("id", STATUSES)
def test_a_claim_is_proved_at_its_levels_and_has_a_short_line(id: str, results: dict[str, ClaimResult]) -> None:
    result = results[id]
    assert {verdict.level: verdict.status for verdict in result.verdicts} == STATUSES[id]
    assert set(STATUSES[id].values()) == {"proved"}
    assert 0 < len(unmarked(result.why)) <= 45


@part_and_all("ids", ("spt-optimal", "rr-tight", "b-scaling"), None)
def test_every_corrupted_value_is_caught_and_every_true_one_accepted(ids: tuple[str, ...] | None) -> None:
    assert all(claim.wrong and claim.true for claim in LEDGER.claims)
    found = self_test(ids, ledger=LEDGER, jobs=1)
    assert [row for row in found.rows if not row.ok] == []
    assert len(found.rows) >= (70 if ids is None else 12)


# ---- what is decided, and what is not ------------------------------------------------------------------------------


def status(id: str, **given: str) -> str:
    [claim] = LEDGER.select([id])
    return claim.check(given).stated.status


def test_fewer_than_three_jobs_refute_the_lower_bound_for_restarts() -> None:
    [claim] = LEDGER.select(["kill-lower"])
    evidence = claim.check({"fewest": "2"}).finding("ratio").evidence
    assert (evidence.status, evidence.witness, evidence.actual) == ("refuted", {"n": "2"}, "2")  # type: ignore[union-attr]
    assert status("kill-lower", fewest="2", ratio="2") == "proved"
    assert status("kill-lower", fewest="2", ratio="2+1/1000") == "refuted"
    assert status("kill-lower", fewest="1", ratio="1") == "proved"


def test_between_what_is_known_it_stays_open() -> None:
    assert status("kill-lower", fewest="4", ratio="3") == "inconclusive"
    assert status("preemptive-lower", randomised="2-3/(n+2)") == "inconclusive"


@pytest.mark.parametrize(
    ("id", "least", "more"),
    [("b-scaling", "6.196152", "6.2"), ("b-random", "3.031125", "3.04")],
)
def test_a_number_is_compared_with_the_least_value(id: str, least: str, more: str) -> None:
    [claim] = LEDGER.select([id])
    for ratio, status in ((least, "proved"), (more, "refuted"), ("b-b-1", "proved")):
        result = claim.check({"ratio": ratio})
        assert [result.finding(name).status for name in ("at-most", "reached")] == ["refuted", status], ratio


def test_the_printed_decimals_are_rounded_up_and_not_to_nearest() -> None:
    [claim] = LEDGER.select(["b-random-best"])
    result = claim.check()
    assert (result.stated.status, result.finding("nearest").status) == ("proved", "refuted")


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("rr-upper", {"ratio": "1/(n-5)"}),
        ("b-scaling", {"ratio": "1/(b-3)"}),
        ("b-random", {"ratio": "q"}),
        ("kill-lower", {"fewest": "5/2"}),
        ("kill-lower", {"fewest": "0"}),
        ("own-lower", {"least": "two"}),
    ],
)
def test_what_is_no_formula_is_refused(id: str, given: dict[str, str]) -> None:
    with pytest.raises(InputError):
        status(id, **given)


# ---- two routes, and arguments with power -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "second", "b"),
    [
        (claims.RATIO, literal.scaling, 3),
        (claims.RATIO, literal.scaling, 100),
        (TEXT.value("eigenvalue", claims.y), literal.eigenvalue, 4),
        (claims.COMMON, literal.with_one_offset, 9),
        (claims.OWN, literal.with_own_offsets, 100),
    ],
)
def test_the_ratios_are_those_of_the_symbols(known: object, second: object, b: int) -> None:
    root = float(b) ** 0.5
    found = second(Fraction(b))  # type: ignore[operator]
    assert found.middle == pytest.approx(float(known.subs(claims.y, root)), rel=1e-6)  # type: ignore[attr-defined]


def test_a_wrong_ratio_is_not_proved_by_its_theorem() -> None:
    wrong = KnownRatio(2 * BASE.symbol, TEXT.named("b-scaling"), literal.scaling)
    with pytest.raises(AssertionError, match="differ"):
        decide_side("ratio", "b", BASE, "at most", wrong, wrong)


def test_a_decimal_that_lies_in_the_enclosure_is_not_decided() -> None:
    best, _ = claims.best_own()
    wide = replace(best, value=Enclosure(Fraction("2.7"), Fraction("2.8")))
    assert decide_printed("least", "2.72838", best, "rounded up").status == "proved"
    assert decide_printed("least", "2.72838", wide, "rounded up").status == "inconclusive"
    assert decide_printed("least", "2.75", wide, "at least").status == "inconclusive"


@pytest.mark.parametrize(
    ("name", "theorem"),
    [
        ("pairs_total", "shortest first"),
        ("round_robin", "round robin"),
        ("round_robin", "equal sizes"),
        ("in_order", "a random order"),
        ("in_order", "jobs to their ends"),
        ("pairs_total", "preemptive lower bound"),
        ("pairs_total", "kill-and-restart lower bound"),
        ("fluid_area", "no strategy is better than ρ*"),
        ("worst_total", "b-scaling"),
        ("threshold", "b-scaling"),
        ("delay", "own offsets"),
        ("common_pair", "one offset"),
        ("threshold", "one offset"),
    ],
)
@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(2)])
def test_what_is_said_in_words_fails_with_a_wrong_constant(
    name: str, theorem: str, factor: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = getattr(trials, name)

    def wrong(*arguments: object, **options: object) -> object:
        value = right(*arguments, **options)
        return [factor * each for each in value] if isinstance(value, list) else factor * value

    monkeypatch.setattr(trials, name, wrong)
    failed = any(tried(with_trials(TEXT, trials), theorem).values())
    lower = (name, theorem, factor) == (
        "in_order",
        "jobs to their ends",
        Fraction(1, 2),
    )  # its argument is an upper bound
    assert failed == (not lower)


def test_the_formulas_of_the_toolkit_are_those_of_the_text() -> None:
    y, length = sp.symbols("y L")
    assert cost(y, length) == TEXT.value("cost", y, length)
    assert sp.cancel(stationarity(y, length) - TEXT.value("stationarity", y, length)) == 0


def test_a_formula_that_the_text_has_not_is_decided_by_crtools() -> None:
    i, j = sp.symbols("i j", positive=True)
    for formula, name, holds in (
        (sp.Min(i, j), "the cost of a pair(min)", True),
        (i + j - sp.Max(i, j), "the cost of a pair", True),
        (sp.Max(i, j), "the cost of a pair(max)", False),
        ((i + j) / 2, "the cost of a pair", False),
    ):
        found = TEXT.theorem("the cost of a pair", N=sp.Lambda((i, j), formula))
        assert (found.name, found.holds) == (name, holds)
