"""A theory's text as crtools' theorems: the steps in its order, formulas for people, and the judge's word on each fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from paths import ROOT

from crtools.errors import InputError
from crtools.ledger.evidence import by_name
from crtools.ledger.registry import load
from crtools.ledger.verdict import judged_record
from crtools.proof.coq import lemmas
from crtools.proof.steps import (
    Argument,
    Bound,
    Computation,
    Identity,
    Induction,
    Inference,
    PolynomialIntegral,
    Positive,
    Telescoping,
)
from crtools.proof.text import Text, latex
from crtools.proof.theorem import Citation, Theorem

GRAMMAR = (ROOT / "docs" / "theory-text.md").read_text(encoding="utf-8")
TEXT = """define half(a) = a/2
define triangle(n) = half(n*(n + 1))
define twice(a) = 2*a

theorem first
  reading every $a$
  states $a = a$ and more
  where a >= 0, b > a
  twice(a) = a + a
  [sign] twice(b) - 2*a > 0
    of b
  a^2 + b^2 - 2*a*b >= 0
    - squares a - b
  sum over k >= 1: twice(k) = k*(k + 1)
  for n >= 1: Sum(k, (k, 1, n)) = half(n*(n + 1))
  1 > x > 0, integral over v from 0 to x: 1 = x
  [run] argued for every run
    in words
    - tested by trial: $n ≤ 3$
  computed $\\pi > 3$
    in balls
    - by enclosed
  so $y$
    it follows
    - of sign; run
    - uses Sturm
  so $z$

theorem second(F(n))
  reading r
  states $F(n)$
  cites first
  for n >= 1: Sum(k, (k, 1, n)) = F(n)

theorem third
  reading r
  states s
  cites second(triangle)
  so $x$
"""


def nothing() -> None:
    return None


TRIALS = {"trial": nothing, "enclosed": nothing}


def made(tmp_path: Path, text: str = TEXT, trials: Any = None) -> Text:
    path = tmp_path / "own.txt"
    path.write_text(text, encoding="utf-8")
    return Text(path, TRIALS if trials is None else trials)


def test_every_kind_of_line_is_a_step(tmp_path: Path) -> None:
    own = made(tmp_path).theorem("first")
    kinds = [
        Identity,
        Positive,
        Positive,
        Telescoping,
        Induction,
        PolynomialIntegral,
        Argument,
        Computation,
        Inference,
        Inference,
    ]
    assert [type(step) for step in own.steps] == kinds
    assert [step.name for step in own.steps] == ["1", "sign", "3", "4", "5", "6", "run", "8", "9", "10"]
    assert own.holds and (own.name, own.reading, own.statement) == ("first", "every $a$", r"a = a\text{ and more}")
    b, k, n, v, x = sp.symbols("b k n v x")
    named = {"a": sp.Symbol("a", nonnegative=True), "b": b}
    identity, sign, square, total, again, integral, run, balls, some, every = (vars(step) for step in own.steps)
    assert (identity["lhs"], identity["rhs"]) == (2 * named["a"], 2 * named["a"])
    assert sign["where"] == (Bound(named["a"], 0), Bound(b, named["a"], strict=True))
    assert sign["strict"] and sign["text"] == "of b"
    assert square["squares"] == (named["a"] - b,) and not square["strict"]
    assert (str(total["summand"]), str(total["antidifference"]), str(total["index"])) == ("2*k", "k*(k + 1)", "k")
    assert (again["lhs"], again["start"]) == (sp.Sum(k, (k, 1, n)), 1)
    assert (integral["variable"], integral["low"], str(integral["high"])) == (v, 0, str(x))
    assert (run["conclusion"], run["text"], run["tested"]) == (r"\text{for every run}", "in words", "$n ≤ 3$")
    assert balls["conclusion"] == r"\pi > 3"
    assert (some["premises"], some["uses"]) == (("sign", "run"), ("Sturm",))
    assert every["premises"] == tuple(step.name for step in own.steps[:-1])


def test_a_rule_without_a_step_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.proof.text.fact", lambda *_: {"rule": "derivative"})
    with pytest.raises(NotImplementedError, match="the rule derivative has no step"):
        made(tmp_path).theorem("first")


def test_what_is_cited_is_the_same_theorem(tmp_path: Path) -> None:
    text = made(tmp_path)
    third = text.theorem("third")
    [cited, _] = third.steps
    assert isinstance(cited, Citation) and cited.theorem is text.theorem("second(triangle)")
    assert third.holds and [record["theorem"] for record in third.records] == ["third", "second(triangle)", "first"]


def test_a_function_that_the_text_has_is_its_instance_and_another_is_decided_by_crtools(tmp_path: Path) -> None:
    text, n = made(tmp_path), sp.Symbol("n")
    assert text.theorem("second", F=sp.Lambda(n, n * (n + 1) / 2)) is text.theorem("second(triangle)")
    for formula, holds in ((n**2 / 2 + n / 2, True), (n * (n - 1) / 2, False)):
        found = text.theorem("second", F=sp.Lambda(n, formula))
        assert (found.name, found.holds) == ("second", holds)
    assert text.value("triangle", sp.Integer(4)) == 10


@pytest.mark.parametrize(
    ("old", "new", "step", "reason"),
    [
        ("twice(a) = a + a", "twice(a) = a + 1", "1", "line 9: the two sides differ"),
        ("= k*(k + 1)", "= k*(k - 1)", "4", "line 14: F(k) − F(k−1) is not the summand"),
        ("b > a\n", "b >= a\n", "sign", "line 10: it may vanish"),
        ("0 to x: 1 = x", "0 to x: 1 = 2*x", "6", "line 16: the integral is another"),
    ],
)
def test_a_fact_that_the_judge_refuses_fails_with_its_line(
    old: str, new: str, step: str, reason: str, tmp_path: Path
) -> None:
    assert old in TEXT
    failed = made(tmp_path, TEXT.replace(old, new)).theorem("first").first_failure
    assert failed is not None and failed.step.name == step
    assert failed.failure == f"{tmp_path / 'own.txt'}, {reason}"


def test_what_sympy_would_cancel_the_judge_refuses(tmp_path: Path) -> None:
    """(x − 5)/(x − 5) is 1 for SymPy; at x = 5 it is nothing."""
    text = TEXT.replace("twice(a) = a + a", "x >= 1: (x - 5)/(x - 5) > 0")
    failed = made(tmp_path, text).theorem("first").first_failure
    assert failed is not None and "x - 5 may be 0 where it is divided by" in str(failed.failure)


def test_trials_are_called_and_their_word_counts(tmp_path: Path) -> None:
    for name, step in (("trial", "run"), ("enclosed", "8")):
        failed = made(tmp_path, trials={**TRIALS, name: lambda: "at n = 2"}).theorem("first").first_failure
        assert failed is not None and (failed.step.name, failed.failure) == (step, "at n = 2")


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    text = made(tmp_path)
    for name in ("fourth", "second", "second(half, half)", "second(other)", "first(half)"):
        with pytest.raises(InputError, match="must stand in the text"):
            text.theorem(name)
    with pytest.raises(InputError, match="line 17 names trial, which no trials have"):
        made(tmp_path, trials={"enclosed": nothing}).theorem("first")
    with pytest.raises(InputError, match="line 1: expected"):
        made(tmp_path, "theorm x\n").theorem("x")
    with pytest.raises(InputError, match="cannot be read"):
        Text(tmp_path / "none.txt").theorem("x")


def test_words_with_formulas_become_latex() -> None:
    assert latex("$x^2$") == "x^2"
    assert latex("for $n > 1$, all") == r"\text{for }n > 1\text{, all}"
    assert latex("words") == r"\text{words}"


def test_the_text_of_the_docs_is_read(tmp_path: Path) -> None:
    text = made(tmp_path, GRAMMAR.split("```text\n")[1].split("```")[0], {"one_after_the_other": nothing})
    names = ["equal jobs(triangle)", "two jobs"]
    found = [text.theorem(name) for name in names]
    assert all(isinstance(theorem, Theorem) and theorem.holds for theorem in found)
    assert text.theory.defined["longest_first"].written == "C_{ab}"


MINIMA = """define capped(k) = min(k, 3)
define scaled(c, n) = Sum(c*k, (k, 1, n))

theorem minima
  reading r
  states s
  sum over k >= 4: 0 = capped(k)
  sum over k >= 3: 0 = capped(k)
  for n >= 2: max(n, 2) = n
  for n >= 0: Sum(max(k, 1), (k, 1, n)) = n*(n + 1)/2
  for n >= 1: scaled(k, n) = k*n*(n + 1)/2
"""


def test_a_minimum_is_the_one_that_the_judge_takes_on_the_range_of_its_rule(tmp_path: Path) -> None:
    own = made(tmp_path, MINIMA).theorem("minima")
    late, early, side, term, named = (vars(step) for step in own.steps)
    k, n = sp.symbols("k n")
    assert (late["antidifference"], side["lhs"]) == (3, n)
    assert early["antidifference"].has(sp.Min) and term["lhs"].has(sp.Max)
    assert [result.holds for result in own.results] == [True, False, True, True, True]
    assert "min is not seen from the bounds" in str(own.results[1].failure)
    assert [step.check() is None for step in own.steps] == [True, False, True, True, True]
    assert named["lhs"] == sp.Sum(k * sp.Symbol("k_"), (sp.Symbol("k_"), 1, n))
    assert [lemmas(Theorem("t", "s", "r", (step,))) for step in own.steps] == [1, 0, 0, 0, 1]


COUNTED = """define square(n) = n^2
theorem formulas(F(n))
  reading every $n$
  states formula
  where n >= 2
  F(n) - 2*n >= 0
    - note for what grows
  sum over k >= 1: 2*k - 1 = k^2
theorem words
  reading every $n$
  states $s$
  cites formulas(square)
  2 = 1 + 1
    there are two
    - note and no more
  so $t$
    as they are
  so
    from both
theorem again
  reading every $n$
  states $s$
  cites words
theorem other
  reading every $m$
  states $s$
  cites words
"""


def test_a_theorem_of_formulas_states_them_with_their_bounds(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(COUNTED, encoding="utf-8")
    own = Text(str(path)).theorem("formulas(square)")
    assert own.statement == rf"n^{{2}} - 2 n \ge 0 \quad (n \ge 2),\quad {own.steps[1].latex()}"
    last = Text(str(path)).theorem("words").steps[-1]
    assert last.latex() == "s" and last.text == "from both"


@pytest.mark.parametrize("file", ["nonclairvoyant", ""])
def test_what_counts_without_a_certificate_is_what_the_judge_counts(file: str, tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(COUNTED, encoding="utf-8")
    text = load(file).theory() if file else Text(str(path))
    assert text is not None
    counts = {}
    for name in text.names:
        theorem = text.theorem(name)
        counts[name] = len(judged_record(theorem.as_json(), by_name(theorem.records)).argued)
        assert counts[name] == len(text.theory.judge(name).argued), name
    assert file or counts == {"formulas(square)": 0, "words": 3, "again": 0, "other": 1}


POWERS = """define grow(x, n) = x^n
define tail(r, n) = Sum(1/k, (k, r, n - 1))

theorem powers
  reading r
  states s
  x > 0: grow(x, n + 1) = x*grow(x, n)
  1 >= x > 0, n >= 0: 1 - x^n >= 0
  r >= 1, for n >= r + 1: r*tail(r, n) = 1 + r*tail(r + 1, n)
  x > 1, sum over k >= 0: x^k = x^(k + 1)/(x - 1)
  k >= 1: factorial(k) = k*factorial(k - 1)
  x >= 0: exp(1) - 27/10 > 0
  so $x$
"""


def test_powers_bounds_before_an_induction_and_closed_ranges_are_steps_without_a_lemma(tmp_path: Path) -> None:
    """The judge decides them, crtools shows them and asks the judge about them as data; the export to Coq leaves them out."""
    own = made(tmp_path, POWERS).theorem("powers")
    assert own.holds and lemmas(own) == 0
    closed, late, telescoping = own.steps[1:4]
    assert isinstance(closed, Positive) and r"1 \ge x > 0" in closed.latex()
    assert isinstance(late, Induction) and late.latex().endswith(r"(r \ge 1,\ n \ge r + 1)")
    assert [step.check() for step in own.steps[:-1]] == [None] * 6
    assert telescoping.formal == {
        "rule": "sum", "index": "k", "where": ["x > 1", "k >= 0"], "summand": "x**k", "total": "x**(k + 1)/(x - 1)",
    }  # fmt: skip
    for old, new in (
        ("x*grow(x, n)", "grow(x, n)"),
        ("1 >= x > 0", "2 >= x > 0"),
        ("n >= r + 1", "n >= r"),
        ("27/10", "28/10"),
    ):
        assert not made(tmp_path, POWERS.replace(old, new)).theorem("powers").holds
