"""The ledger: every claim is decided, told from its corrupted neighbours, and printed as the contract says."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crtools import verify
from crtools.errors import InputError
from crtools.ledger import CLAIMS, Claim
from crtools.ledger.cache import ResultCache
from crtools.ledger.ledger import SLOW, as_json
from crtools.ledger.result import WEAKEST_FIRST, ClaimResult, Part, Verdict, from_theorem
from crtools.papers.adaptive.literal import forms as literal
from crtools.proof.steps import LITERATURE, Identity
from crtools.proof.theorem import Theorem

IDS = [
    "thm-optimality", "amin-derivation", "wlog", "cor-ab", "lem-pd", "b-inverse", "t1", "t2", "trace", "thm-log", "cor-intervals",
    "fig-log-fit", "thm-two-point", "thm-aell", "switch", "geometric", "thm-lg", "lg-mode", "uniform-bounds",
    "tel-identity", "infeasible-pair", "hsf-cardinality", "amax-safe", "ex-amax", "hsf-lower", "ex-order", "packed-random", "prop-memory",
    "thm-complexity", "lem-deletion", "update-distribution", "prop-transition", "lem-amin",
    "lem-max-random", "thm-endpoints", "thm-random", "thm-amax-upper", "thm-amax-lower", "rate-amax",
    "intervals-help", "exp-1", "exp-2", "exp-3",
]  # fmt: skip
BY_ID = {claim.id: claim for claim in CLAIMS}
FALSE = ("refuted", "contradicted")
STATUSES = {"proved", "certified", "supported", "contradicted", "refuted", "inconclusive"}


@cache
def as_given(name: str) -> ClaimResult:
    return BY_ID[name].check()


def test_the_ledger_has_these_claims() -> None:
    assert sorted(BY_ID) == sorted(IDS)
    assert len(CLAIMS) == len(IDS)


@pytest.mark.parametrize("name", IDS)
def test_a_claim_is_decided_with_evidence(name: str) -> None:
    result = as_given(name)
    assert result.id == name
    assert result.given == BY_ID[name].given
    assert result.verdicts[0].scope == "as-stated"
    assert [v.scope for v in result.verdicts] in (["as-stated"], ["as-stated", "where-argued"])
    for verdict in result.verdicts:
        assert verdict.reading
        assert verdict.method
        assert verdict.why
        assert verdict.parts
        for part in verdict.parts:
            assert part.status in STATUSES
            assert part.evidence, part.part
            if part.status == "refuted":
                assert "counterexample" in part.evidence
                text = json.dumps(part.evidence)
                assert "second computation" in text or "second" in text
            if part.status == "proved":
                assert part.evidence.get("holds", True) is True
                assert part.evidence.get("steps") or part.evidence.get("identity") or part.evidence.get("argument")
    assert result.proof.state in ("sound", "gap", "false-step", "not-examined")
    assert result.proof.step or result.proof.state in ("sound", "not-examined")


# ---- what the verdicts are (the paper's own values) --------------------------------------------------------------


@pytest.mark.parametrize("name", ["cor-ab", "b-inverse", "t1", "t2", "trace"])
def test_the_algebra_of_part_two_is_proved(name: str) -> None:
    assert [v.status for v in as_given(name).verdicts] == ["proved"]


@pytest.mark.parametrize("name", ["wlog", "thm-log", "cor-intervals"])
def test_the_logarithm_holds_without_a_prompt_only(name: str) -> None:
    result = as_given(name)
    assert result.verdict("as-stated").status == "refuted"
    assert result.verdict("where-argued").status == "proved"


def test_the_counterexamples_are_right() -> None:
    """The refutations, recomputed from the printed evidence."""
    for part in as_given("thm-log").verdict("as-stated").parts:
        for row in part.evidence.get("counterexample", {}).get("rows", []):
            s, u = int(row["s"]), int(row["u"])
            m = round(u**0.5)
            x = {1: m - 1, u: 1}
            assert s == u * u
            assert Fraction(row["ratio"]) == literal.a_min_sum(x, s, 1, u) / literal.h_sf_sum(x, s)
            assert Fraction(row["ratio"]) > Fraction(m, 2)
    three = BY_ID["lem-pd"].check({"s": "3"})
    refuted = next(p for p in three.verdicts[0].parts if p.part.startswith("A_u"))
    size = refuted.evidence["counterexample"]["u"]
    assert literal.determinant(literal.matrices(size, 3)[0]) == Fraction(refuted.evidence["det A_u"]) < 0


def test_the_printed_index_is_refuted_and_the_meant_one_is_not() -> None:
    printed, meant = as_given("amin-derivation"), BY_ID["amin-derivation"].check({"tau_index": "k,i"})
    assert printed.verdicts[0].status == "refuted"
    assert meant.verdicts[0].status == "inconclusive"
    assert printed.proof.state == "false-step"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("trace", {"closed_form": "harmonic(u) + 1/10**40"}),
        ("trace", {"closed_form": "harmonic(u) + sum(1, i, 5, u) - (u - 1)"}),
        ("t1", {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2 + (u-1)*(u-2)*(u-3)/10**6"}),
        ("b-inverse", {"last": "1/(2*u-1) + (u-1)/10**9"}),
        ("cor-ab", {"b": "min(i,j)**2 + 1/10**40"}),
        ("cor-ab", {"b": "i*j"}),
        ("lem-pd", {"fourier": "12/((1+xi**2)*(4+xi**2)) + 1/10**30"}),
        ("amin-derivation", {"hsf_time": "k*(s+k) + 1/10**30"}),
    ],
)
def test_more_false_claims_are_refuted(name: str, values: dict[str, str]) -> None:
    result = BY_ID[name].check(values)
    assert result.verdict("where-argued").status == "refuted"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("wlog", {"growth": "log(1/alpha)/1000"}),
        ("wlog", {"growth": "log(1/alpha)**2"}),
        ("thm-log", {"growth": "1 + log(1/alpha)"}),
        ("wlog", {"growth": "-log(alpha)"}),
        ("trace", {"closed_form": "sum(1/(i+2), i, -1, u-2)"}),
        ("t1", {"closed_form": "u**2/2 + 1/2 + harmonic(2*u-1)/2 - harmonic(u-1)/4 - 1/2"}),
    ],
)
def test_more_true_claims_are_never_rejected(name: str, values: dict[str, str]) -> None:
    assert BY_ID[name].check(values).verdict("where-argued").status not in FALSE


# ---- bad values -------------------------------------------------------------------------------------------------

BAD = [
    ("lem-pd", "s", "-1"), ("lem-pd", "s", "1/2"), ("lem-pd", "s", "x"), ("lem-pd", "s", ""), ("lem-pd", "s", "1/0"),
    ("lem-pd", "s", "log(2)"), ("lem-pd", "s", "9**9**9"), ("lem-pd", "hadamard_power", "sqrt(2)"),
    ("lem-pd", "strictness", "no"), ("lem-pd", "g", "x"), ("lem-pd", "g", "r."), ("lem-pd", "fourier", "r"),
    ("amin-derivation", "tau_index", "k"), ("amin-derivation", "tau", "u"), ("amin-derivation", "completed", "f(s)"),
    ("wlog", "growth", "-1"), ("wlog", "growth", "log(alpha)"), ("wlog", "growth", "u"), ("wlog", "growth", "1/0"),
    ("thm-log", "growth", "alpha."), ("cor-intervals", "growth", "sum(i, i, 1, 1/alpha)"),
    ("cor-ab", "a", "u"), ("cor-ab", "b", "min(i)"), ("b-inverse", "diagonal", "u"), ("b-inverse", "last", "i"),
    ("t1", "closed_form", "i"), ("t2", "terms", "u"), ("trace", "closed_form", "__import__('os')"),
    ("fig-log-fit", "first", "0"), ("fig-log-fit", "first", "1/2"), ("fig-log-fit", "last", "4"),
    ("fig-log-fit", "last", "10**9"), ("fig-log-fit", "slope", "x"), ("fig-log-fit", "r_squared", "1/0"),
    ("fig-log-fit", "slope", "log(2)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "value"), BAD)
def test_a_bad_value_is_an_input_error(name: str, key: str, value: str) -> None:
    with pytest.raises(InputError) as caught:
        verify([name], {key: value})
    assert "\n" not in str(caught.value)
    assert " = " in str(caught.value)


NOT_DECIDABLE = [
    ("lem-pd", "g", "1/(1-r)"), ("lem-pd", "g", "1/0"), ("lem-pd", "g", "log(r)"), ("lem-pd", "fourier", "1/0"),
    ("lem-pd", "fourier", "sqrt(xi)"), ("lem-pd", "hadamard_power", "1/2"), ("amin-derivation", "tau", "log(i)"),
    ("amin-derivation", "tau", "delta*i + 9**99"), ("amin-derivation", "hsf_time", "k**i"), ("cor-ab", "a", "log(i)"),
    ("cor-ab", "a", "i**j"), ("cor-ab", "b", "1/0"), ("t1", "closed_form", "sqrt(u)"), ("t1", "closed_form", "u**u"),
    ("t1", "closed_form", "((9**64)**64)**64"), ("trace", "closed_form", "log(u)"), ("b-inverse", "last", "1/(u-1)"),
    ("wlog", "growth", "max(1, log(1/alpha))"), ("wlog", "growth", "alpha**(1/alpha)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "value"), NOT_DECIDABLE)
def test_a_strange_value_is_decided_or_refused_but_never_proved(name: str, key: str, value: str) -> None:
    try:
        result = verify([name], {key: value})[0]
    except InputError:
        return
    assert result.verdict("where-argued").status in ("refuted", "contradicted", "inconclusive")


def test_unknown_ids_and_names_are_input_errors() -> None:
    for ids, values in ((["tracee"], {}), (["trace"], {"bound": "1"}), ([""], {}), (["t1"], {"terms": "i"})):
        with pytest.raises(InputError):
            verify(ids, values)


# ---- verify and its JSON ----------------------------------------------------------------------------------------


def test_verify_returns_results_in_the_order_of_the_paper() -> None:
    results = verify(["trace", "t1", "cor-ab", "t1"])
    assert [r.id for r in results] == ["cor-ab", "t1", "trace"]


def test_set_changes_every_selected_claim_that_has_the_name() -> None:
    t1, trace = verify(["t1", "trace"], {"closed_form": "harmonic(u)"})
    assert t1.given["closed_form"] == trace.given["closed_form"] == "harmonic(u)"
    assert t1.verdicts[0].status == "refuted"
    assert trace.verdicts[0].status == "proved"


def test_quick_skips_the_slow_claims_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(IDS) >= SLOW
    monkeypatch.setattr("crtools.ledger.ledger.SLOW", frozenset({"trace"}))
    results = {r.id: r for r in verify(["t1", "trace"], {"closed_form": "u"}, quick=True)}
    assert results["trace"].verdicts[0].status == "skipped"
    assert results["trace"].given == {"closed_form": "u"}
    assert results["t1"].verdicts[0].status == "refuted"


def check_claim(data: dict[str, Any]) -> None:
    assert {"id", "place", "statement", "given", "proof", "rests_on", "verdicts"} <= set(data)
    assert all(isinstance(data[key], str) and data[key] for key in ("id", "place", "statement"))
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in data["given"].items())
    assert set(data["proof"]) == {"state", "step"}
    assert all(isinstance(name, str) for name in data["rests_on"])
    for verdict in data["verdicts"]:
        wanted = {"scope", "reading", "status", "method", "uses", "evidence", "parts", "degenerate", "seconds"}
        assert wanted <= set(verdict)
        assert verdict["scope"] in ("as-stated", "where-argued")
        assert set(verdict["uses"]) <= set(LITERATURE)
        assert isinstance(verdict["degenerate"], list)
        assert verdict["seconds"] >= 0
        assert verdict["evidence"]
        for part in verdict["parts"]:
            assert {"part", "status", "evidence"} <= set(part)
        statuses = [part["status"] for part in verdict["parts"]]
        assert verdict["status"] == min(statuses, key=WEAKEST_FIRST.index)
        if "refuted" in statuses:
            assert verdict["status"] == "refuted"


def test_the_json_has_the_fields_of_the_contract() -> None:
    results = [as_given(name) for name in IDS]
    document = json.loads(json.dumps(as_json(results), allow_nan=False))
    assert {"claims", "counts"} <= set(document)
    for data in document["claims"]:
        check_claim(data)
    counted: dict[str, int] = {}
    for data in document["claims"]:
        for verdict in data["verdicts"]:
            counted[verdict["status"]] = counted.get(verdict["status"], 0) + 1
    assert document["counts"] == counted


def test_what_a_claim_rests_on_is_an_id() -> None:
    known = set(IDS)
    for claim in CLAIMS:
        assert set(claim.rests_on) <= known - {claim.id}


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        (["proved", "certified"], "certified"),
        (["proved", "supported", "certified"], "supported"),
        (["proved", "inconclusive", "supported"], "inconclusive"),
        (["inconclusive", "refuted", "proved"], "refuted"),
        (["contradicted", "refuted"], "refuted"),
        (["inconclusive", "contradicted"], "contradicted"),
        (["proved"], "proved"),
        ([], "inconclusive"),
    ],
)
def test_a_verdict_is_refuted_by_a_part_or_has_the_weakest_status(statuses: list[Any], whole: str) -> None:
    parts = tuple(Part(str(n), s, {"n": n}) for n, s in enumerate(statuses))
    assert Verdict("as-stated", "r", "m", parts, "w").status == whole


def test_a_part_is_proved_by_a_theorem_only_if_it_holds() -> None:
    true = Theorem("T", "1 = 1", "always", (Identity(name="one", lhs=1, rhs=1),))
    false = replace(true, steps=(Identity(name="one", lhs=1, rhs=2),))
    assert from_theorem("p", true).status == "proved"
    assert from_theorem("p", false).status == "inconclusive"


@pytest.mark.parametrize("name", IDS)
def test_a_result_comes_back_from_a_file_as_it_was(name: str, tmp_path: Path) -> None:
    result = as_given(name)
    assert ResultCache(tmp_path).write(result)
    again = ResultCache(tmp_path).read(name, result.given)
    assert again is not None
    assert again == result
    assert again.show() == result.show()
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())
    assert [[part.uses for part in v.parts] for v in again.verdicts] == [
        [part.uses for part in v.parts] for v in result.verdicts
    ]


@pytest.mark.parametrize("name", IDS)
def test_a_claim_shows_itself(name: str) -> None:
    text = as_given(name).show()
    assert name in text
    assert as_given(name).verdicts[0].reading in text


def test_checkers_compare_with_no_stored_answer() -> None:
    """The same checker under another id and other words decides the same."""
    claim: Claim = replace(BY_ID["trace"], id="x", statement="?", rests_on=(), corrupted=(), variants=())
    assert claim.check().verdicts[0].status == "proved"
    assert claim.check({"closed_form": "harmonic(u+1)"}).verdicts[0].status == "refuted"
