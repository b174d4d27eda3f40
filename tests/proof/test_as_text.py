"""Theorems written as a text: the judge accepts what crtools accepts, counts the same sentences, and refuses what is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy as sp

from check import command
from check.statements import Book, of_files
from crtools.discovery.phase_theorem import by_phases
from crtools.papers.adaptive.tails import tails
from crtools.papers.nonclairvoyant.theory import TEXT
from crtools.process.policies import H_SF
from crtools.proof.as_text import as_text
from crtools.proof.builder import Proof
from crtools.proof.steps import Computation, Identity, Positive
from crtools.proof.symbols import i, j, k, n
from crtools.proof.text import Text
from crtools.proof.theorem import Theorem


def judged(text: str, folder: Path) -> tuple[Book, Any]:
    path = folder / "own.txt"
    path.write_text(text, encoding="utf-8")
    book = of_files([str(path)])
    return book, command.judged_alone(book.theories["own"], book)


def every_kind() -> Theorem:
    cited = Proof("first", "every $i$").identity("both", (i + 1) ** 2, i**2 + 2 * i + 1).qed()
    own: Any = sp.Sum(k, (k, 1, n))
    proof = Proof("second", "every $n ≥ 1$", r"\text{all}").cite(cited)
    proof.nonnegative("a square", i**2 + j**2 - 2 * i * j, (i, 0), (j, 0), squares=(i - j,), name="square")
    proof.positive("of i", 1 / (i - 1), i > 1).telescoping("the sum", 2 * k, k * (k + 1), k)
    proof.induction("again", own, n * (n + 1) / 2, n).integral("of 1", sp.Integer(1), (k, 0, n), n)
    proof.argued(r"x", "in words", test=lambda: None, tested="nothing", name="words")
    proof.therefore(r"y", "so it is", of=("square", "words"), uses=("Sturm",))
    proof.computed(r"z", "a root", lambda: None).identity("a root", sp.sqrt(n) ** 2, n)
    return proof.therefore(r"\text{all}").qed()


def test_every_kind_of_step_is_written_and_judged(tmp_path: Path) -> None:
    text = as_text(every_kind())
    book, row = judged(text, tmp_path)
    assert (row["facts"], row["theorems"], row["wrong"]) == (7, 2, [])
    own = book.theories["own"].judge("second")
    assert (len(own.argued), len(own.computed)) == (3, 1)
    for part in ("- squares i - j", "- of square; words", "- uses Sturm", "[words] argued $x$", "- tested by lambda: nothing",
                 "sum over k >= 1: 2*k = k*(k + 1)", "for n >= 1: Sum(k, (k, 1, n)) = n*(n + 1)/2"):  # fmt: skip
        assert part in text, part


@pytest.mark.parametrize(("old", "new"), [("2*k = k*(k + 1)", "2*k = k*(k + 2)"), ("squares i - j", "squares i + j")])
def test_a_text_with_a_change_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = as_text(every_kind())
    assert old in text
    assert judged(text.replace(old, new), tmp_path)[1]["wrong"]


def test_the_theorems_of_a_text_are_the_same_written_again(tmp_path: Path) -> None:
    names = [name for name in TEXT.names if "(min)" not in name]
    book, row = judged(as_text(*map(TEXT.theorem, names)), tmp_path)
    assert row["wrong"] == [] and set(book.theories["own"].own) == set(names)
    for name in names:
        one, two = TEXT.theory.judge(name), book.theories["own"].judge(name)
        assert (one.facts, len(one.computed)) == (two.facts, len(two.computed))
        assert len(one.argued) <= len(two.argued)  # written out, more formulas are X = X
        again = Text(tmp_path / "own.txt", {f: lambda: None for f in functions(book)}).theorem(name)
        assert [(s.name, type(s), s.text) for s in again.steps] == [
            (s.name, type(s), s.text) for s in TEXT.theorem(name).steps
        ]


def functions(book: Book) -> set[str]:
    return {step.function for own in book.theories["own"].theorems.values() for step in own.steps}


def test_what_crtools_proves_at_run_time_the_judge_proves_from_a_text(tmp_path: Path) -> None:
    """Theorems that stand in no text, as a form or a policy of one's own has them: with the same facts."""
    made = [*map(tails, ("h-sf", "a-min", "a-random")), by_phases(H_SF).theorem]
    assert all(theorem.holds for theorem in made)
    _, row = judged(as_text(*made), tmp_path)
    assert row["wrong"] == []
    steps = [step for own in made for step in own.steps]
    formulas = [step for step in steps if isinstance(step, (Identity, Positive))]
    searched = [step for step in steps if isinstance(step, Computation)]
    assert len(formulas) > 10
    assert (row["theorems"], row["facts"], row["computed"]) == (len(made), len(formulas), len(searched))
