"""The adaptive ledger: every claim is decided level by level, told from its corrupted neighbours, and printed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from amount import every_third
from claims_in_text import NO_CERTIFICATE, ids_in_text, statuses_in_text
from decided import decided

from crtools import verify
from crtools.errors import InputError
from crtools.ledger import Claim, Finding, PublishedProof, Refuted, Verdict, by_theorem
from crtools.ledger.cache import ResultCache
from crtools.ledger.claim import ClaimResult
from crtools.ledger.evidence import FALSE, SURE, WEAKEST_FIRST, Certified, Evidence, Measured, Open, Proved
from crtools.ledger.registry import load
from crtools.ledger.run import as_json
from crtools.notation.terminal import unmarked
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.literal import forms as literal
from crtools.proof.steps import LITERATURE, Identity
from crtools.proof.theorem import Theorem

LEDGER = load("adaptive")
STATUSES = statuses_in_text(LEDGER)
IDS = list(STATUSES)
CLAIMS = LEDGER.claims
BY_ID = {claim.id: claim for claim in CLAIMS}
LONGEST_WHY = 45


def test_the_ledger_has_the_claims_of_its_text() -> None:
    assert set(IDS) == ids_in_text(LEDGER)


def evidence_of(result: ClaimResult) -> list[Evidence]:
    findings = [f for v in result.verdicts for f in (*v.findings, *v.degenerate)]
    return [item.evidence for item in (*findings, *result.proof.displays)]


@pytest.mark.parametrize("name", IDS)
def test_a_claim_is_decided_at_its_levels_with_evidence(name: str) -> None:
    result = decided(name)
    assert result.levels == tuple(STATUSES[name])
    for level, status in STATUSES[name].items():
        assert result.at(level).status == status or (status == NO_CERTIFICATE and result.at(level).status not in SURE)
    assert result.stated_at == BY_ID[name].stated_at
    assert result.stated is result.at(result.stated_at)
    assert result.given == BY_ID[name].given
    for verdict in result.verdicts:
        assert verdict.reading
        assert verdict.method
        assert verdict.why
        assert verdict.findings
        assert "\n" not in verdict.why
    for evidence in evidence_of(result):
        if isinstance(evidence, Refuted):
            assert evidence.witness
            assert evidence.claimed != evidence.actual
            assert evidence.second not in ("", None, [], {})
        if isinstance(evidence, Proved):
            assert evidence.theorems or evidence.argument
    assert result.proof.why or result.proof.state == "sound"


@pytest.mark.parametrize("name", IDS)
def test_the_line_of_the_ledger_is_one_plain_clause(name: str) -> None:
    """Short, and no list of statuses: they stand in the columns."""
    why = decided(name).why
    assert 0 < len(unmarked(why)) <= LONGEST_WHY
    words = set(re.findall(r"[a-z-]+", why.lower()))
    assert not words & set(WEAKEST_FIRST)


OBJECTS = ("form", "Algorithm 2", "A_max", "A_min", "A_ℓ", "A_random", "H-SF", "plotted", "algorithms")
"""What a line names to say of what it speaks."""


@pytest.mark.parametrize("name", [name for name in IDS if len(STATUSES[name]) > 1])
def test_a_line_whose_signs_differ_says_which_object_fails(name: str) -> None:
    """“geometric ✓ ✗ ✗: at s = 0 … 1.79” says the opposite of its first sign, as it means Algorithm 2."""
    result = decided(name)
    signs = {v.status in ("proved", "certified") for v in result.verdicts}
    if signs == {True, False}:
        assert any(own in result.why for own in OBJECTS), result.why


# ---- what the verdicts are (the paper's own values) --------------------------------------------------------------


@pytest.mark.parametrize("name", ["cor-ab", "b-inverse", "t1", "t2", "trace", "lem-pd"])
def test_the_algebra_at_s_0_is_proved(name: str) -> None:
    assert [v.status for v in decided(name).verdicts] == ["proved"]
    assert BY_ID[name].rests_on == ()


def test_a_wrong_sentence_of_a_proof_does_not_touch_the_verdict() -> None:
    result = decided("lem-pd")
    assert result.stated.status == "proved"
    assert result.proof.state == "false-step"
    assert [d.id for d in result.proof.displays if d.status != "proved"] == ["strictness"]
    assert decided("lem-pd", {"strictness": "transform > 0"}).proof.state == "sound"


@pytest.mark.parametrize("name", ["wlog", "thm-log", "cor-intervals"])
def test_the_logarithm_holds_of_the_form_for_each_s_and_not_of_the_algorithm(name: str) -> None:
    result = decided(name)
    assert [(v.level, v.status) for v in result.verdicts][:2] == [(AT_ZERO, "proved"), (FORM, "proved")]
    assert all(v.status == "refuted" for v in result.verdicts[2:])
    assert {r.level for r in result.standing_repairs} == set(result.levels)
    each, every = result.at(FORM).findings
    assert (each.id, each.status, each.decides) == ("each-s", "proved", True)
    assert (every.id, every.status, every.decides) == ("every-s", "refuted", False)
    assert "with one constant for all" in every.says


@pytest.mark.parametrize(
    ("growth", "each", "every", "whole"),
    every_third(
        [
            ("log(1/alpha)", "proved", "refuted", "proved"),
            ("sqrt(1/alpha)", "proved", "proved", "proved"),
            ("log(1/alpha)**0.99", "refuted", "refuted", "refuted"),
            ("5/2", "refuted", "refuted", "refuted"),
            ("(1/alpha)**0.495", "proved", "refuted", "proved"),
        ],
        step=2,
    ),
)
def test_one_constant_for_all_s_stands_beside(growth: str, each: str, every: str, whole: str) -> None:
    verdict = decided("wlog", {"growth": growth}).at(FORM)
    assert [f.status for f in verdict.findings] == [each, every]
    assert verdict.status == whole


def test_the_bound_for_each_s_is_above_ratios_and_no_smaller_one_is() -> None:
    """1 + ½E + √(sE) at weights on two lengths, by the paper's sums; without the root it is too small at s = u."""
    for s, u in ((0, 9), (1, 30), (5, 100), (100, 100), (3000, 50)):
        own = float(1 + sum(Fraction(1, 2 * k - 1) for k in range(2, u + 1)))
        ratios = [
            float(literal.a_min_sum(x, s, 1) / literal.h_sf_sum(x, s)) for m in range(1, 40) for x in [{1: m, u: 1}]
        ]
        assert max(ratios) <= 1 + own / 2 + (s * own) ** 0.5
        if s == u:
            assert max(ratios) > 1 + own / 2


def test_the_counterexamples_are_right() -> None:
    """The refutations, recomputed from the printed evidence."""
    family = decided("wlog").finding("every-s", FORM).evidence
    assert isinstance(family, Refuted)
    for row in family.witness["members"]:
        s, u, x = row["s"], row["u"], {row["l"]: row["x_l"], row["u"]: row["x_u"]}
        assert s == u >= 1
        assert Fraction(row["ratio"]) == literal.a_min_sum(x, s, 1) / literal.h_sf_sum(x, s)
        assert 9 * Fraction(row["ratio"]) ** 2 > u
    three = decided("lem-pd", {"s": "3"}).finding("a-definite").evidence
    assert isinstance(three, Refuted)
    assert literal.determinant(literal.a_min_matrix(three.witness["u"], 3)) == Fraction(three.actual) < 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", range(1, 12))
def test_a_is_not_definite_with_a_prompt(size: int) -> None:
    assert decided("lem-pd", {"s": str(size)}).stated.status == "refuted"


def test_the_printed_index_is_a_false_display_and_the_meant_one_is_not() -> None:
    printed, meant = decided("amin-derivation"), decided("amin-derivation", {"tau_index": "k,i"})
    assert [v.status for v in (*printed.verdicts, *meant.verdicts)] == ["proved"] * 4
    assert printed.finding("period-time").status == "refuted"
    assert printed.proof.state == "false-step"
    assert meant.finding("period-time").status == "proved"
    assert meant.proof.state == "gap"
    false = printed.finding("period-time").evidence
    assert isinstance(false, Refuted)
    at = false.witness
    delta = at["s"] + at["l"] if at["k"] == at["l"] else 1
    own = at["s"] + at["l"] if at["i"] == at["l"] else 1
    assert at["delta"] == delta
    assert Fraction(false.claimed) == delta * at["i"]
    assert Fraction(false.actual) == at["i"] * own


def test_the_fit_is_at_most_contradicted_and_comes_out_against_u_minus_1() -> None:
    caption, meant = decided("fig-log-fit"), decided("fig-log-fit", {"against": "u-1"})
    assert caption.stated.status == "contradicted"
    assert caption.finding("r-squared").status == "certified"
    assert meant.stated.status == "supported"
    assert [r.status for r in caption.repairs] == ["certified"]
    others = caption.finding("coefficients").evidence.values["shift_on_other_sizes"]
    assert len(others) > 10
    assert all(row["shift"] < 0 for row in others)


@pytest.mark.parametrize(
    ("name", "values", "finding"),
    every_third(
        [
            ("wlog", {"growth": "max(3, sqrt(log(1/alpha)))"}, "at-zero"),
            ("wlog", {"growth": "min(1/alpha, sqrt(2.5))"}, "at-zero"),
            ("trace", {"closed_form": "harmonic(u) + 1/10**40"}, "closed-form"),
            ("trace", {"closed_form": "harmonic(u) + sum(1, i, 5, u) - (u - 1)"}, "closed-form"),
            (
                "t1",
                {"closed_form": "(u**2+1)/2 + sum(1/(2*i+1), i, 1, u-1)/2 + (u-1)*(u-2)*(u-3)/10**6"},
                "closed-form",
            ),
            ("t2", {"terms": "-1/(2*i+1) * i/(i+1) * (i**2 + 2*i + 1/2) + 1/10**30"}, "summand"),
            ("b-inverse", {"last": "1/(2*u-1) + (u-1)/10**9"}, "last"),
            ("cor-ab", {"b": "min(i,j)**2 + 1/10**40"}, "entries-of-b"),
            ("cor-ab", {"b": "i*j"}, "entries-of-b"),
            ("cor-ab", {"cross_sum": "2*min(i,j)**2"}, "cross-term"),
            ("lem-pd", {"fourier": "12/((1+xi**2)*(4+xi**2)) + 1/10**30"}, "fourier"),
            ("lem-pd", {"g": "2*r - r**2 + 1"}, "normalised"),
            ("lem-pd", {"g": "2*r - r**2 + 1"}, "fourier"),
            ("lem-pd", {"hadamard_power": "-1/2"}, "hadamard"),
            ("amin-derivation", {"hsf_time": "k*(s+k) + 1/10**30"}, "h-sf-time"),
            ("amin-derivation", {"remaining": "(i-k)/(s+i-1/2)"}, "remaining"),
            ("amin-derivation", {"completed": "delta/(s+i) + (i-k)/10**30"}, "a-min-form"),
            ("amin-derivation", {"completed": "delta/(s+i) + (i-k)/10**30"}, "a-min-form-at-zero"),
        ]
    ),
)
def test_more_false_claims_are_refuted(name: str, values: dict[str, str], finding: str) -> None:
    result = decided(name, values)
    assert result.finding(finding).status == "refuted"
    if result.finding(finding) in result.proof.displays:
        assert result.proof.state == "false-step"


@pytest.mark.parametrize(
    ("name", "values"),
    every_third(
        [
            ("wlog", {"growth": "log(1/alpha)/1000"}),
            ("wlog", {"growth": "log(1/alpha)**2"}),
            ("thm-log", {"growth": "1 + log(1/alpha)"}),
            ("wlog", {"growth": "-log(alpha)"}),
            ("wlog", {"growth": "max(1, log(1/alpha))"}),
            ("wlog", {"growth": "max(min(alpha, 1/2), max(log(1/alpha), sqrt(2.5)))"}),
            ("trace", {"closed_form": "sum(1/(i+2), i, -1, u-2)"}),
            ("t1", {"closed_form": "u**2/2 + 1/2 + harmonic(2*u-1)/2 - harmonic(u-1)/4 - 1/2"}),
        ]
    ),
)
def test_more_true_claims_are_never_rejected(name: str, values: dict[str, str]) -> None:
    assert decided(name, values).at(AT_ZERO).status not in FALSE


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("growth", "form", "itself"),
    [
        ("sqrt(1/alpha)", "proved", "refuted"),
        ("(1/alpha)**0.99", "proved", "refuted"),
        ("(1/alpha)/log(1/alpha)", "proved", "inconclusive"),
        ("1/alpha", "proved", "inconclusive"),
    ],
)
def test_a_growth_between_the_form_and_the_algorithm(growth: str, form: str, itself: str) -> None:
    for name in ("thm-log", "cor-intervals"):
        result = decided(name, {"growth": growth})
        assert (result.at(FORM).status, result.at(ALGORITHM).status) == (form, itself)


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
    ("fig-log-fit", "slope", "log(2)"), ("fig-log-fit", "against", "v"),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "key", "value"), BAD)
def test_a_bad_value_is_an_input_error(name: str, key: str, value: str) -> None:
    with pytest.raises(InputError) as caught:
        verify([name], {key: value})
    assert "\n" not in str(caught.value)
    assert " = " in str(caught.value)


NOT_DECIDABLE = [
    ("lem-pd", "g", "1/(1-r)"), ("lem-pd", "g", "1/0"), ("lem-pd", "g", "log(r)"), ("lem-pd", "fourier", "1/0"),
    ("lem-pd", "fourier", "sqrt(xi)"), ("amin-derivation", "tau", "log(i)"),
    ("amin-derivation", "tau", "delta*i + 9**99"), ("amin-derivation", "hsf_time", "k**i"), ("cor-ab", "a", "log(i)"),
    ("amin-derivation", "remaining", "(i-k)/(s+i-1)"),
    ("cor-ab", "a", "i**j"), ("cor-ab", "b", "1/0"), ("t1", "closed_form", "sqrt(u)"), ("t1", "closed_form", "u**u"),
    ("t1", "closed_form", "1/(u-3)"),
    ("t1", "closed_form", "((9**64)**64)**64"), ("trace", "closed_form", "log(u)"), ("b-inverse", "last", "1/(u-1)"),
    ("wlog", "growth", "alpha**(1/alpha)"),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "key", "value"), NOT_DECIDABLE)
def test_a_strange_value_is_decided_or_refused_but_never_proved(name: str, key: str, value: str) -> None:
    try:
        result = decided(name, {key: value})
    except InputError:
        return
    before = [e.status for e in evidence_of(decided(name))]
    after = [e.status for e in evidence_of(result)]
    assert any(
        old == "proved" and new in ("refuted", "contradicted", "inconclusive")
        for old, new in zip(before, after, strict=True)
    ) or (key == "tau" and result.finding("total").status != "proved")


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
    assert t1.stated.status == "refuted"
    assert trace.stated.status == "proved"


def test_quick_skips_the_slow_claims_only() -> None:
    own = load("adaptive")
    assert set(IDS) >= own.slow
    results = {
        r.id: r
        for r in verify(
            ["t1", "trace"], {"closed_form": "u"}, ledger=replace(own, slow=frozenset({"trace"})), quick=True
        )
    }
    assert results["trace"].stated.status == "skipped"
    assert results["trace"].given == {"closed_form": "u"}
    assert results["t1"].stated.status == "refuted"


def check_claim(data: dict[str, Any]) -> None:
    assert {"id", "place", "statement", "given", "stated_at", "why", "levels", "proof", "rests_on", "repairs"} == set(
        data
    )
    assert all(isinstance(data[key], str) and data[key] for key in ("id", "place", "statement", "stated_at", "why"))
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in data["given"].items())
    assert {"state", "why", "displays"} == set(data["proof"])
    assert all({"id", "place", "status", "instead", "evidence"} == set(d) for d in data["proof"]["displays"])
    assert data["stated_at"] in [v["level"] for v in data["levels"]]
    for verdict in data["levels"]:
        wanted = {"level", "status", "reading", "why", "method", "uses", "argued", "findings", "degenerate", "seconds"}
        assert wanted | {"facts", "computed", "witness", "kernel_checked", "certificate", "no_certificate"} == set(
            verdict
        )
        assert verdict["certificate"] == (not verdict["no_certificate"])
        assert set(verdict["uses"]) <= set(LITERATURE)
        assert verdict["seconds"] >= 0
        for finding in verdict["findings"]:
            assert {"id", "says", "status", "decides", "evidence"} == set(finding)
        statuses = [finding["status"] for finding in verdict["findings"] if finding["decides"]]
        assert verdict["status"] == min(statuses, key=WEAKEST_FIRST.index)
    for repair in data["repairs"]:
        assert repair["status"] in ("proved", "certified")


def test_the_json_has_the_fields_of_the_contract() -> None:
    results = [decided(name) for name in IDS]
    document = json.loads(json.dumps(as_json(results), allow_nan=False))
    assert {"format", "ledger", "claims", "theorems", "counts", "resting"} == set(document)
    for data in document["claims"]:
        check_claim(data)
    counted: dict[str, dict[str, int]] = {}
    for data in document["claims"]:
        for verdict in data["levels"]:
            own = counted.setdefault(verdict["level"], {})
            own[verdict["status"]] = own.get(verdict["status"], 0) + 1
    assert document["counts"] == counted


def named_theorems(data: Any) -> set[str]:
    """All names of theorems in evidence."""
    if isinstance(data, dict):
        own = set(data.get("theorems", ())) if data.get("kind") in ("proved", "refuted") else set[str]()
        return own.union(*(named_theorems(value) for value in data.values()))
    return set[str]().union(*(named_theorems(value) for value in data)) if isinstance(data, list) else set()


def test_every_theorem_that_is_named_or_cited_has_one_record() -> None:
    document = json.loads(json.dumps(as_json([decided(name) for name in IDS])))
    table = document["theorems"]
    cited = {step["theorem"] for theorem in table.values() for step in theorem["steps"] if step["kind"] == "Citation"}
    assert cited and named_theorems(document["claims"]) | cited == set(table)
    assert all(theorem["holds"] for theorem in table.values())


def test_what_a_claim_rests_on_is_an_id() -> None:
    for claim in CLAIMS:
        assert set(claim.rests_on) <= set(IDS) - {claim.id}


# ---- the model --------------------------------------------------------------------------------------------------

EVIDENCE: dict[str, Evidence] = {
    "proved": Proved(argument="so it is"),
    "certified": Certified(1, "n = 1", 1),
    "supported": Measured(True, "one run", 1),
    "contradicted": Measured(False, "one run", 1),
    "refuted": Refuted({"n": 1}, 1, 2, 2),
    "inconclusive": Open("nothing"),
}


def findings(statuses: list[str]) -> tuple[Finding, ...]:
    return tuple(Finding(f"number-{n}", "it", EVIDENCE[status]) for n, status in enumerate(statuses))


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
def test_a_verdict_is_refuted_by_a_finding_or_has_the_weakest_status(statuses: list[str], whole: str) -> None:
    assert Verdict(AT_ZERO, "r", "w", "m", findings(statuses)).status == whole
    degenerate = (Finding("aside", "it", EVIDENCE["refuted"]),)
    assert Verdict(AT_ZERO, "r", "w", "m", findings(statuses), degenerate).status == whole
    beside = (*findings(statuses), Finding("stricter", "more", EVIDENCE["refuted"], decides=False))
    stricter = Verdict(AT_ZERO, "r", "w", "m", beside, degenerate)
    assert stricter.status == whole
    assert [own["decides"] for own in stricter.as_json()["findings"]] == [True] * len(statuses) + [False]
    assert [own["decides"] for own in stricter.as_json()["degenerate"]] == [False]


@pytest.mark.parametrize(
    ("statuses", "gaps", "state"),
    [
        (["proved", "certified"], (), "sound"),
        (["proved"], ("a premise",), "gap"),
        (["proved", "inconclusive"], (), "gap"),
        (["supported"], (), "gap"),
        (["refuted", "proved"], ("a premise",), "false-step"),
        (["contradicted"], (), "false-step"),
        ([], ("a premise",), "gap"),
        ([], (), "not-examined"),
    ],
)
def test_the_state_of_a_proof_follows_from_its_displays(statuses: list[str], gaps: tuple[str, ...], state: str) -> None:
    displays = tuple(Finding(f"number-{n}", "there", EVIDENCE[status]) for n, status in enumerate(statuses))
    assert PublishedProof(displays, gaps).state == state


def test_a_finding_is_proved_by_a_theorem_only_if_it_holds() -> None:
    true = Theorem("T", "1 = 1", "always", (Identity(name="one", lhs=1, rhs=1),))
    false = replace(true, steps=(Identity(name="one", lhs=1, rhs=2),))
    assert by_theorem(true).status == "proved"
    assert by_theorem(true, false).status == "inconclusive"
    with pytest.raises(ValueError, match="does not hold"):
        Proved((false.as_json(),))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", ["trace", "lem-pd", "fig-log-fit", "thm-endpoints", "geometric", "packed-random", "exp-1"]
)
def test_a_result_comes_back_from_a_file_as_it_was(name: str, tmp_path: Path) -> None:
    """Claims with evidence of every kind, decided anew."""
    result, own = BY_ID[name].check(), load("adaptive")
    assert ResultCache(tmp_path, own.name).write(result, result.id, result.given)
    again = ResultCache(tmp_path, own.name).read(ClaimResult, name, result.given)
    assert again is not None
    assert again == result
    assert again.show() == result.show()
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())
    assert again.theorems == result.theorems


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", IDS)
def test_a_claim_shows_itself(name: str) -> None:
    text = decided(name).show()
    assert name in text
    assert unmarked(decided(name).why) in " ".join(text.split())
    assert "$" not in text


def test_checkers_compare_with_no_stored_answer() -> None:
    """The same checker under another id and other words decides the same."""
    claim: Claim = replace(BY_ID["trace"], id="x", statement="?", rests_on=(), corrupted=(), variants=())
    assert claim.check().stated.status == "proved"
    assert claim.check({"closed_form": "harmonic(u+1)"}).stated.status == "refuted"
