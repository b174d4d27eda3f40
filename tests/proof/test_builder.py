"""A proof that is written step after step is the theorem that its steps make by hand, and holds only if each of them does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp

from crtools.ledger.evidence import Refuted, by_theorem
from crtools.ledger.registry import load
from crtools.proof.builder import Proof
from crtools.proof.steps import (
    Argument,
    Computation,
    Identity,
    Induction,
    Inference,
    PolynomialIntegral,
    Positive,
    Telescoping,
)
from crtools.proof.symbols import i, j, k, n, v
from crtools.proof.theorem import Citation, Theorem

q = sp.Symbol("q", positive=True)


def none() -> str | None:
    return None


def halves() -> Theorem:
    return Proof("halves", "every i").identity("both", i / 2 + i / 2, i).qed()


def whole() -> Proof:
    """A proof with every kind of step, one of them named."""
    proof = Proof("all", "every i").cite(halves())
    proof.identity("a square", (i + 1) ** 2, i**2 + 2 * i + 1)
    proof.positive("a gap", j - i + 1, i >= 1, j >= i, name="gap")
    proof.nonnegative("a remainder", q**2 - 2 * q + 2, (q, 0), squares=(q - 1,))
    proof.telescoping("odd numbers", 2 * k - 1, k**2, k)
    proof.induction("their sum", sp.Sum(k, (k, 2, n)), n * (n + 1) / 2 - 1, n, start=2)
    proof.integral("an area", v, (v, 0, i), i**2 / 2)
    proof.argued("A", "words", test=none, tested="nothing")
    proof.computed("D", "in balls", none)
    proof.therefore("B", "by two of them", of=("2", "gap"), uses=("Abel summation",))
    return proof.therefore("C")


BY_HAND = (
    Citation(name="halves", theorem=halves()),
    Identity(name="2", text="a square", lhs=(i + 1) ** 2, rhs=i**2 + 2 * i + 1),
    Positive(name="gap", text="a gap", expr=j - i + 1, where=((i, 1), (j, i))),
    Positive(name="4", text="a remainder", expr=q**2 - 2 * q + 2, where=((q, 0),), strict=False, squares=(q - 1,)),
    Telescoping(name="5", text="odd numbers", summand=2 * k - 1, antidifference=k**2, index=k),
    Induction(name="6", text="their sum", lhs=sp.Sum(k, (k, 2, n)), rhs=n * (n + 1) / 2 - 1, index=n, start=2),
    PolynomialIntegral(name="7", text="an area", integrand=v, variable=v, low=0, high=i, value=i**2 / 2),
    Argument(name="8", conclusion="A", text="words", test=none, tested="nothing"),
    Computation(name="9", conclusion="D", text="in balls", compute=none),
    Inference(name="10", conclusion="B", text="by two of them", premises=("2", "gap"), uses=("Abel summation",)),
    Inference(name="11", conclusion="C", premises=("halves", "2", "gap", "4", "5", "6", "7", "8", "9", "10")),
)


def test_the_builder_makes_the_steps_that_are_made_by_hand() -> None:
    proof = whole().qed()
    assert proof.steps == BY_HAND
    assert proof == Theorem("all", "C", "every i", BY_HAND)
    assert proof.holds
    assert Proof("all", "every i", "S").identity("", i, i).qed().statement == "S"


def test_a_conclusion_names_what_it_rests_on_only_where_that_is_not_all_before_it() -> None:
    data = whole().qed().as_json()["steps"]
    assert [step.get("follows_from") for step in data] == [None] * 9 + [["2", "gap"], None]
    other_order = Inference(name="last", conclusion="C", premises=("gap", "2"))
    [*_, last] = Theorem("T", "C", "", (*BY_HAND[1:3], other_order)).as_json()["steps"]
    assert "follows_from" not in last
    [*_, fewer] = Theorem("T", "C", "", (*BY_HAND[1:4], other_order)).as_json()["steps"]
    assert fewer["follows_from"] == ["gap", "2"]


def false_halves() -> Theorem:
    return Proof("halves", "every i").identity("both", i / 2 + i / 2, i + 1).qed()


def through_another() -> Theorem:
    return Proof("middle", "every i").cite(false_halves()).therefore("M").qed()


WRONG: dict[str, Callable[[Proof], Proof]] = {
    "an identity": lambda p: p.identity("", i, i + sp.Rational(1, 10**40)),
    "a sign": lambda p: p.positive("", i - j, i >= 1, j >= i),
    "a strict sign": lambda p: p.positive("", j - i, i >= 1, j >= i),
    "a weak sign": lambda p: p.nonnegative("", j - i - 1, i >= 1, j >= i),
    "a variable without a bound": lambda p: p.nonnegative("", j - i, j >= i),
    "bounds in the wrong order": lambda p: p.nonnegative("", j - i, j >= i, i >= 1),
    "squares": lambda p: p.nonnegative("", k**2 - 2 * k, k >= 0, squares=(k - 1,)),
    "a telescoping sum": lambda p: p.telescoping("", 2 * k + 1, k**2, k),
    "an induction": lambda p: p.induction("", sp.Sum(k, (k, 1, n)), n * (n + 1) / 2 + 1, n),
    "an integral": lambda p: p.integral("", v, (v, 0, i), i**2),
    "an argument's test": lambda p: p.argued("A", "words", test=lambda: "it fails", tested="one run"),
    "an argument without words": lambda p: p.argued("A", "", test=none, tested="one run"),
    "a premise that is missing": lambda p: p.therefore("C", of=("gap",)),
    "a premise that comes later": lambda p: p.therefore("C", of=("later",)).identity("", i, i, name="later"),
    "a conclusion from nothing": lambda p: p.therefore("C"),
    "a theorem that may not be cited": lambda p: p.identity("", i, i).therefore("C", uses=("folklore",)),
    "a name twice": lambda p: p.identity("", i, i, name="one").identity("", i, i, name="one"),
    "a theorem twice": lambda p: p.cite(halves(), halves()),
    "a false theorem": lambda p: p.cite(false_halves()),
    "what cites a false theorem": lambda p: p.cite(through_another()),
    "a theorem without steps": lambda p: p.cite(Proof("empty", "", "nothing").qed()),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_proof_with_a_wrong_step_does_not_hold(wrong: Callable[[Proof], Proof]) -> None:
    proof = wrong(Proof("T", "every i", "S")).qed()
    assert not proof.holds
    assert proof.first_failure is not None and proof.first_failure.failure
    assert by_theorem(proof).status == "inconclusive"


def test_what_rests_on_all_before_it_fails_with_any_of_them() -> None:
    for place, step in enumerate(BY_HAND[:-2]):
        wrong = Citation(name=step.name, theorem=false_halves())
        proof = Theorem("all", "C", "every i", (*BY_HAND[:place], wrong, *BY_HAND[place + 1 :]))
        assert not proof.results[-1].holds and proof.first_failure is not None
        assert proof.first_failure.step is wrong


@pytest.mark.parametrize(
    "bound",
    [i < 1, i <= 1, sp.Eq(i, 1), i + 1 >= 1, 2 * i >= j, sp.true, sp.false, q >= 0, 1, "i >= 1", None],
    ids=str,
)
def test_a_bound_that_is_none_is_refused(bound: object) -> None:
    for add in (Proof("T", "").positive, Proof("T", "").nonnegative):
        with pytest.raises(ValueError, match="is not a bound"):
            add("", i, bound)


def test_records_hold_what_is_cited_once_and_evidence_names_what_is_not_cited() -> None:
    middle = Proof("middle", "every i").cite(halves()).therefore("M").qed()
    top = Proof("top", "every i").cite(middle, halves()).therefore("T").qed()
    evidence = by_theorem(top)
    assert [t["theorem"] for t in evidence.theorems] == ["top", "middle", "halves"]  # type: ignore[union-attr]
    assert evidence.as_json()["theorems"] == ["top"]
    assert by_theorem(top, halves()).as_json()["theorems"] == ["top"]
    assert by_theorem(halves(), top).as_json()["theorems"] == ["top"]
    assert [s.get("theorem") for s in top.as_json()["steps"]] == ["middle", "halves", None]


def test_one_name_for_two_theorems_is_an_error() -> None:
    other = replace(halves(), reading="every j")
    with pytest.raises(AssertionError, match="two theorems have the name 'halves'"):
        by_theorem(Proof("top", "every i").cite(halves()).therefore("T").qed(), other)
    with pytest.raises(AssertionError, match="two theorems"):
        Refuted({"i": 1}, "1", "2", "2", theorems=(*halves().records, *other.records))


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("id", ["amin-derivation", "lem-max-random"])
def test_what_a_claim_is_given_in_other_words_makes_no_second_theorem_of_one_name(id: str) -> None:
    [claim] = load().select([id])
    for variant in claim.true:
        names = [theorem["theorem"] for theorem in claim.check(variant.given).theorems]
        assert names and len(set(names)) == len(names)


def test_a_false_theorem_that_is_cited_reaches_no_evidence() -> None:
    held = replace(through_another(), steps=(Identity(name="1", lhs=i, rhs=i),))
    with pytest.raises(ValueError, match="does not hold"):
        Refuted({"i": 1}, "1", "2", "2", theorems=(*held.records, *false_halves().records))
