"""Evidence: what is counted as resting on words."""

from __future__ import annotations

from typing import Any

import pytest

from crtools.ledger.evidence import Evidence, Open, Proved, Refuted, by_theorem
from crtools.ledger.verdict import Finding, Trust, Verdict, trusted
from crtools.proof.builder import Proof
from crtools.proof.symbols import n
from crtools.proof.theorem import Theorem


def argued(*evidence: Evidence) -> int:
    return len(trusted(*evidence).argued)


def words(name: str, steps: int) -> Theorem:
    """Return a theorem of so many steps in words, the last of which rests on all."""
    proof = Proof(name, "every $n$").identity("two halves", n / 2 + n / 2, n)
    for k in range(steps - 1):
        proof.argued(f"conclusion {k}", "because", test=lambda: None, tested="nothing", name=f"{k}")
    return proof.therefore("all of it", "together").qed()


def records(*theorems: Theorem) -> tuple[dict[str, Any], ...]:
    return tuple(record for theorem in theorems for record in theorem.records)


def test_steps_in_words_are_counted_and_so_is_the_argument_that_joins_theorems() -> None:
    theorems = records(words("one", 2))
    assert argued(Proved(theorems=theorems)) == 2
    assert argued(Proved(theorems=theorems, argument="the two together")) == 3
    assert argued(Refuted({"s": 1}, "1", "2", "2", theorems=theorems)) == 3  # what is claimed, and what is so
    assert argued(Refuted({"s": 1}, "1", "2", "2")) == 0
    assert argued(Proved(argument="clearly")) == 1
    assert argued(Open("words")) == 0


def test_a_step_that_two_findings_share_is_counted_once() -> None:
    shared, own = words("shared", 1), words("own", 1)
    first = Proved(theorems=records(shared), argument="the same")
    second = Proved(theorems=records(shared, own), argument="the same")
    assert argued(first, second) == 2 + 2  # each of the two is joined by a sentence
    assert argued(Proved(theorems=records(shared)), Proved(theorems=records(shared))) == 1


def test_a_conclusion_that_says_more_than_its_formulas_is_a_sentence() -> None:
    bogus = Proof("bogus", "every $n$").identity("trivial", n + n, 2 * n).therefore("P = NP").qed()
    own = trusted(by_theorem(bogus))
    assert (own.facts, own.argued, own.computed) == (1, ("bogus: P = NP",), ())
    finding = Finding("x", "P = NP", by_theorem(bogus))
    verdict = Verdict("form", "always", "obvious", "identity", (finding,))
    assert verdict.argued == 1
    assert verdict.as_json()["argued"] == 1 and not verdict.as_json()["kernel_checked"]
    assert verdict.rests.mark(in_coq=False) == "1-"


def test_formulas_that_no_step_joins_rest_on_the_statement() -> None:
    loose = Proof("loose", "every $n$", "both").identity("a", n + n, 2 * n).identity("b", n, n * 2 / 2).qed()
    assert trusted(by_theorem(loose)).argued == ("loose: both",)


def test_what_the_kernel_has_no_rule_for_is_only_computed() -> None:
    balls = Proof("balls", "one number").computed("2.7 < e", "in balls", lambda: None).qed()
    own = trusted(by_theorem(balls))
    assert (own.facts, own.argued, own.computed) == (0, (), ("balls: 2.7 < e; in balls",))


@pytest.mark.parametrize(
    ("trust", "mark", "kind"),
    [
        (Trust(3, 0, 0, False, ""), "0", "0"),
        (Trust(3, 12, 0, True, ""), "12", "words"),
        (Trust(3, 12, 2, False, ""), "12+2", "words"),
        (Trust(3, 0, 2, False, ""), "0+2", "0+2"),
        (Trust(0, 0, 0, True, ""), "w", "w"),
        (Trust(0, 1, 0, True, ""), "1", "words"),
        (Trust(0, 0, 0, False), "-", "-"),
        (Trust(2, 3, 0, False, "changed"), "3-", "words"),
        (Trust(2, 0, 1, False, "changed"), "+1-", "+1-"),
    ],
)
def test_the_mark_beside_the_sign(trust: Trust, mark: str, kind: str) -> None:
    assert (trust.mark(in_coq=False), trust.kind(in_coq=False)) == (mark, kind)
    assert trust.mark(in_coq=True) == trust.kind(in_coq=True) == "Coq"
