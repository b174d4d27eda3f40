"""What is marked as kernel-checked: computed from the record of what coqc accepted, lost with any change to what is said."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from decided import decided

from crtools.cli import main
from crtools.ledger.evidence import Certified, Measured, Refuted, by_theorem
from crtools.ledger.registry import load
from crtools.ledger.run import as_json
from crtools.ledger.verdict import Finding, Verdict
from crtools.papers.adaptive import coq
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.accepted import QUOTED, RECORD, Accepted, Stated, digest, findings_quoted, quoted, recorded, spaced
from crtools.proof.steps import Identity, Induction, Positive
from crtools.proof.symbols import i, j, l, s, u
from crtools.proof.theorem import StepResult, Theorem
from crtools.report.page import page


@pytest.fixture(scope="module")
def accepted() -> Accepted:
    return load().accepted()


def changed(theorem: Theorem) -> list[Theorem]:
    return [replace(theorem, **{name: f"{getattr(theorem, name)} + 1"}) for name in ("name", "statement", "reading")]


def test_a_theorem_is_marked_only_as_it_is_quoted(accepted: Accepted) -> None:
    theorem = TEXT.theorem("a_min on two points")
    record = theorem.as_json()  # one of its identities has the same sides, once the definitions are put in
    assert accepted.mark(record) == {"theorem": "TwoLengths.two_point_bound", "steps": len(theorem.steps) - 1}
    assert [accepted.theorem(other.as_json()) for other in changed(theorem)] == ["", "", ""]
    assert Accepted().mark(record) == {"theorem": "", "steps": 0}


def test_a_finding_is_marked_only_where_coq_states_it_itself(accepted: Accepted) -> None:
    theorem = TEXT.theorem("a_min on two points")
    numbers = QUOTE.replace("let n := 5 in let o := [1; 2] in let M := 7 in n + M = 12", "2 + 3 = 5")
    for evidence in (by_theorem(theorem), by_theorem(theorem, argument="and so on"), Certified(5, "the instance", 5)):
        own = verdict(evidence)
        assert own.kernel_checked(coq_with(numbers.replace("refuted", own.status)))
        assert not own.kernel_checked(accepted)
    measured = verdict(Measured(True, "some runs", "a margin"))
    assert not measured.kernel_checked(coq_with(numbers.replace("refuted", measured.status)))


CLAIM, SAYS, READING, GIVEN = "some-claim", "the total is 5", "every instance", {"n": "5", "o": "1,2"}
QUOTE = """(* Finding "total" of "some-claim", refuted at algorithm: the total
   is 5
   Reading: every
   instance
   Given: n = 5; o = 1,2 *)
Theorem some : let n := 5 in let o := [1; 2] in let M := 7 in n + M = 12.
Proof. reflexivity. Qed.
"""


def verdict(evidence: Any, **other: Any) -> Verdict:
    """Return a verdict with one finding, ``total``."""
    finding = Finding(other.pop("id", "total"), other.pop("says", SAYS), evidence)
    return replace(Verdict("algorithm", READING, "", "", (finding,), claim=CLAIM, given=GIVEN), **other)


def witness(**other: Any) -> Refuted:
    return Refuted({"n": 5, "M": 7, "found": "by some search", "lengths": "any", **other}, "6", "5", "5")


def coq_with(text: str = QUOTE) -> Accepted:
    return Accepted(findings=findings_quoted({"F.v": text}))


def test_a_refutation_is_marked_where_coq_states_it_with_its_witness() -> None:
    own = verdict(witness())
    assert own.in_coq(own.findings[0], coq_with()) == "F.some" and own.kernel_checked(coq_with())
    assert not own.kernel_checked(Accepted())


@pytest.mark.parametrize(
    "other",
    [
        {"claim": "another-claim"},
        {"level": "form"},
        {"id": "other"},
        {"says": "the total is 6"},
        {"reading": "every instance, also with unequal prompts"},
        {"given": {**GIVEN, "n": "6"}},
        {"given": {**GIVEN, "o": "2,1"}},
        {"given": GIVEN | {"more": "1"}},
        {"evidence": witness(M=8)},
        {"evidence": witness(lengths=[1, 2])},
        {"evidence": witness(x=["1/2"])},
        {"evidence": witness(x="1/2")},
        {"evidence": witness(u="2^78")},
        {"evidence": Certified(5, "the instance", 5)},
        {"evidence": Measured(False, "some runs", "a margin")},
    ],
    ids=str,
)
def test_a_finding_that_says_anything_else_is_not_marked(other: dict[str, Any]) -> None:
    assert not verdict(other.pop("evidence", witness()), **other).kernel_checked(coq_with())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("let n := 5", "let n := 6"),
        ("[1; 2]", "[2; 1]"),
        ("let M := 7 in n + M", "n + 7"),
        ("the total", "a total"),
        ("refuted", "proved"),
        ("at algorithm", "at form"),
        ("instance", "schedule"),
        ("   Reading: every\n   instance\n", ""),
        ("o = 1,2", "o = 1,3"),
        ("Theorem", "Lemma"),
        ("*)\n", "*) Definition one := 1.\n"),
    ],
)
def test_a_changed_statement_or_quotation_loses_the_mark(old: str, new: str) -> None:
    assert QUOTE.count(old) == 1
    assert not verdict(witness()).kernel_checked(coq_with(QUOTE.replace(old, new)))


def test_a_family_of_witnesses_is_stated_by_coq_too(accepted: Accepted) -> None:
    family = TEXT.theorem("a_min on two points")
    both = Accepted(accepted.steps, accepted.theorems, coq_with().findings)
    for theorem, marked in ((family, True), (changed(family)[0], False)):
        assert verdict(replace(witness(), theorems=(theorem.as_json(),))).kernel_checked(both) is marked


def test_a_refuted_verdict_rests_on_what_is_refuted_and_any_other_on_all() -> None:
    measured = Finding("measured", "something", Measured(True, "some runs", "a margin"))
    own = verdict(witness())
    assert replace(own, findings=(*own.findings, measured)).kernel_checked(coq_with())
    assert not replace(own, findings=(*own.findings, Finding("other", SAYS, witness()))).kernel_checked(coq_with())
    certified = coq_with(QUOTE.replace("refuted", "certified"))
    own = verdict(Certified(5, "the instance", 5))
    assert own.kernel_checked(certified) and not replace(own, findings=(*own.findings, measured)).kernel_checked(
        certified
    )


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("ex-amax", {"M": "11"}),
        ("ex-order", {"i1": "0,2,0,4"}),
        ("tel-identity", {"waiting": "2"}),
        ("hsf-cardinality", {"margin": "-1"}),
        ("amax-safe", {"assumed": "u-1"}),
        ("infeasible-pair", {"remaining": "3"}),
    ],
)
def test_another_value_loses_the_mark(claim: str, given: dict[str, str], accepted: Accepted) -> None:
    assert decided(claim).at("algorithm").kernel_checked(accepted)
    assert not decided(claim, given).at("algorithm").kernel_checked(accepted)


def test_every_quoted_finding_is_one_of_the_ledger_and_marked(accepted: Accepted, ledger: list[Any]) -> None:
    found = {
        spaced(
            f.id,
            own.id,
            f.status,
            v.level,
            f.says,
            v.reading,
            "; ".join(f"{k} = {value}" for k, value in own.given.items()),
        ): name
        for own in ledger
        for v in own.verdicts
        for f in v.findings
        if (name := v.in_coq(f, accepted))
    }
    assert found == {quote: stated.name for quote, stated in accepted.findings.items()}
    marked = {(own.id, v.level) for own in ledger for v in own.verdicts if v.kernel_checked(accepted)}
    deciding = {(own.id, f.id) for own in ledger for v in own.verdicts for f in v.findings if f.decides}
    quotes = {(quote.claim, quote.level) for quote in accepted.findings if (quote.claim, quote.finding) in deciding}
    assert quotes == marked and len(quotes) >= 45


def test_the_numbers_of_a_statement_are_those_that_it_names() -> None:
    text = "let n := 5 in let lengths := [1; 22] in let f x := 3 in let big := n in n = 5"
    assert Stated("F.some", text).numbers == {"n": 5, "lengths": [1, 22]}


STEPS: dict[str, tuple[Any, tuple[dict[str, Any], ...]]] = {
    "identity": (Identity(name="", lhs=i + i, rhs=2 * i), ({"rhs": 3 * i}, {"lhs": i - i}, {"rhs": 2 * j})),
    "sign": (
        Positive(name="", expr=i * j - s, where=((s, 0), (i, 1), (j, i))),
        ({"expr": i * j + s}, {"where": ((s, 0), (i, 0), (j, i))}, {"strict": False}),
    ),
    "root": (Identity(name="", lhs=sp.sqrt(l), rhs=sp.sqrt(u)), ({"rhs": -sp.sqrt(u)}, {"rhs": 2 * sp.sqrt(u)})),
    "induction": (
        Induction(name="", lhs=sp.Sum(i, (i, 1, u)), rhs=u * (u + 1) / 2, index=u),
        ({"lhs": sp.Sum(i, (i, 2, u))}, {"rhs": u * (u - 1) / 2}, {"start": 2}),
    ),
}


@pytest.mark.parametrize("kind", STEPS)
def test_a_coefficient_a_sign_or_an_index_changes_the_digest(kind: str) -> None:
    step, changes = STEPS[kind]
    others = [step, *(replace(step, **change) for change in changes)]
    assert len({digest(StepResult(own, None).as_json()) for own in others}) == len(others)
    words = replace(step, name="other", text="other words")
    assert digest(StepResult(words, None).as_json()) == digest(StepResult(step, None).as_json())


def test_nothing_is_marked_where_a_file_is_not_the_recorded_one(accepted: Accepted, tmp_path: Path) -> None:
    texts = {own.name: own.read_text("utf-8") for own in files(coq).iterdir() if own.name.endswith((".v", ".json"))}

    def marked(**other: str) -> Accepted:
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        place.mkdir()
        for name, text in (texts | {f"{name}.v": text for name, text in other.items()}).items():
            (place / name).write_text(text, "utf-8")
        return recorded(place)

    assert marked() == accepted
    assert marked(Suprema=texts["Suprema.v"].replace("5 / 4", "6 / 5")) == Accepted()
    assert marked(Another="(* a file that was not compiled *)") == Accepted()
    del texts["Forms.v"]
    assert marked() == Accepted()
    del texts[RECORD]
    assert marked() == Accepted()


def test_only_what_stands_directly_above_a_theorem_is_quoted() -> None:
    quote = '(* Theorem "t": x = \\n   y\n   Reading: every\n   x *)\n'
    key = ("t", "x = \\n y", "every x")
    proof = "\nProof. lia. Qed.\n"
    found = quoted({"F.v": f"{quote}(* more *)\nTheorem one : 1 < 2.{proof}"}, QUOTED)
    assert found == {key: Stated("F.one", "1 < 2.")}
    assert quoted({"F.v": f"{quote}Lemma one : 1 < 2.{proof}(* more *)\nTheorem two : 1 < 2.{proof}"}, QUOTED) == {}
    assert quoted({"F.v": quote}, QUOTED) == {}


FORGED = '(* Theorem "t": x\n   Reading: y *)\n'


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (f"{FORGED}Theorem one : 1 < 2.\nProof. lia. Qed.", True),
        (f"{FORGED}Theorem one : 1 < 2.\nProof. (* Admitted. *) lia. Qed.", True),
        (f"(* a {FORGED}Theorem one : 0 = 1.\nProof. reflexivity. Qed. *)", False),
        (f'(* "*)" {FORGED}Theorem one : 0 = 1.\nProof. reflexivity. Qed. *)', False),
        (f"{FORGED}Theorem one : 0 = 1.\nProof. Admitted.", False),
        (f"{FORGED}Theorem one : 0 = 1.\nProof. (* Qed. *) Admitted.", False),
        (f"{FORGED}Theorem one : 0 = 1.\nProof. admit. Qed.", False),
        (f"{FORGED}Theorem one : 0 = 1.\nProof. Abort.\nLemma two : 1 < 2.\nProof. lia. Qed.", False),
        (f"{FORGED}Theorem one : True.\nProof. exact I. Qed.", False),
        (f"{FORGED}Theorem one : forall x, x > 0 -> x = x.\nProof. auto. Qed.", False),
        (f"{FORGED}Theorem one : let n := 5 in True /\\ n <= n.\nProof. auto. Qed.", False),
        (f"{FORGED}Theorem one : 1 = 1 := eq_refl.\nTheorem two : 1 < 2.\nProof. lia. Qed.", False),
    ],
)
def test_only_what_is_proved_and_says_something_is_stated(text: str, stated: bool) -> None:
    assert bool(quoted({"F.v": text}, QUOTED)) is stated


def test_every_quoted_theorem_is_one_of_the_ledger(accepted: Accepted, ledger: list[Any]) -> None:
    marks = {own["kernel_checked"]["theorem"] for own in as_json(ledger)["theorems"].values()}
    text = load().theory()
    assert text is not None
    own = [text.theorem(name) for name in text.names]
    beside = {accepted.mark(each.as_json())["theorem"] for each in own if each.name == "half the memory"}
    numbers = {"Definiteness.squares_of_minima", "Suprema.revised_below_A"}  # of theorems that now take a number
    assert marks - {None, ""} | beside | numbers == set(accepted.theorems.values())


def test_the_marks_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    own, result = load(), decided("t1")
    words = "form-at-zero: proved, accepted whole by Coq's kernel (a record; make coq"
    assert words in result.show(80, own.accepted())
    assert words in result.show() and result.show(80) == result.show(80, own.accepted())
    assert "Coq" not in result.show(80, Accepted())
    shown = page([result], own)
    assert "whole by Coq&#39;s kernel (a record; make coq repeats it)" in shown and "Inverse.T1_closed" in shown
    assert main(["verify", "t1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    [level], theorem = document["claims"][0]["levels"], document["theorems"]["t1(displayed_t1)"]
    assert level["kernel_checked"] is True and level["argued"] == 5  # the judge's count, whatever Coq accepts
    assert theorem["kernel_checked"]["theorem"] == "Inverse.T1_closed"
    assert main(["verify", "t1"]) == 0
    assert "3 theorems are recorded as accepted whole by Coq's kernel; make coq repeats it" in capsys.readouterr().out
