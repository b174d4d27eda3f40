"""Witnesses and statements as data: what a text says is what is asked for, field by field and line by line."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import mpmath as mp
import pytest
from paths import ROOT

from check import conditions, enclosures, kernel, statements
from check.conditions import Part
from check.kernel import Definition, Rejected, variable

DEFINITIONS: dict[str, Definition] = {}


@pytest.fixture(autouse=True)
def document() -> None:
    """Each test is a document of its own, with its own variables."""
    kernel.Work.start()
    DEFINITIONS["twice"] = Definition(("x",), 2 * variable("x"))
    DEFINITIONS["both"] = Definition(("x", "y"), variable("x") / variable("y"))


def witness(text: str, known: dict[str, Part] | None = None) -> Part:
    """A witness of a text, with two blanks before each line and four before what belongs to an object in it."""
    top = part = Part()
    for line in text.strip("\n").splitlines():
        part = (part if line.startswith("    ") else top).add(line.strip(), known or {})
    return top


def accepted(text: str, data: Any, **given: Fraction) -> conditions.Names:
    """What the names of a witness stand for."""
    return conditions.check(witness(text), data, given, DEFINITIONS)


def value(text: str, **names: Any) -> Any:
    """The value of an expression."""
    return conditions.evaluate(conditions.parsed(text), names, DEFINITIONS)


# ---- expressions ----------------------------------------------------------------------------------------------------


def test_expressions_have_exact_values() -> None:
    for text, expected in (
        ("1 + 2*3 - 7", 0), ("3/2", Fraction(3, 2)), ("7//2", 3), ("7 % 3", 1), ("2**5", 32), ("-x", -4), ("x/8", Fraction(1, 2)),
        ("[1, 2] + [3]", [1, 2, 3]), ("[1]*3", [1, 1, 1]), ("row[1]", 6), ("deep.inner", 7), ("deep.rows[0]", 8),
        ("[a*b for a in row for b in row if a < b]", [30]), ("[a - b for a, b in zip(row, [1, 2])]", [4, 4]),
        ("[a for a in range(5) if a % 2 == 0]", [0, 2, 4]), ("twice(x)", 8), ("both(x, 3)", Fraction(4, 3)), ("sum(row)", 11),
        ("max(row) - min(row)", 1), ("len(row)", 2), ("isqrt(10)", 3), ("comb(4, 2)", 6), ("abs(-3)", 3), ("sorted([2, 1])", [1, 2]),
        ("denominator(3/6)", 2), ("list(range(2))", [0, 1]), ("at(symbol(\"z\")**2, \"z\", 3)", 9),
    ):  # fmt: skip
        found = value(text, x=4, row=[5, 6], deep={"inner": 7, "rows": [8]})
        assert found == expected, text
        assert not isinstance(found, float)
    assert value('at(symbol("z")**2, "z", symbol("k"))') == variable("k") ** 2
    assert value('twice(symbol("k"))') == 2 * variable("k")
    assert value('symbol("k")/2') == variable("k") / 2


def test_conditions_are_true_or_false() -> None:
    for text, expected in (
        ("1 < 2 < 3", True), ("1 < 3 < 2", False), ("2 < 2", False), ("2 <= 2 >= 2", True), ("1 >= 2", False), ("2 > 2", False),
        ("3 > 2", True), ("1 == 1 != 2", True), ("1 == 2", False), ("1 != 1", False), ("1 in [1, 2]", True), ("3 in [1, 2]", False),
        ("1 < 2 and 2 < 1", False), ("1 < 2 and 2 < 3", True), ("1 < 2 or 2 < 1", True), ("2 < 1 or 3 < 2", False),
        ("not 1 < 2", False), ("not 2 < 1", True), ("all([a > 0 for a in [1, 2]])", True), ("any([a > 1 for a in [0, 1]])", False),
        ("1 < 2 or no.such[3]", True), ("2 < 1 and no.such[3]", False),
    ):  # fmt: skip
        assert value(text) is expected, text


def test_nothing_else_is_evaluated() -> None:
    for text in (
        "lambda: 1",
        "[1][0:1]",
        "{1: 2}",
        "1 if 2 else 3",
        "row.pop()",
        "(lambda x: x)(1)",
        "f'{1}'",
        "{a for a in [1]}",
    ):
        with pytest.raises(Rejected):
            value(text, row=[1])
    with pytest.raises(Rejected, match="open is not defined"):
        value("open(1)")
    with pytest.raises(KeyError):
        value("nothing")
    for name, reason in (("total", "of every witness, and of the text another"), ("least", "more than a quotient")):
        known = {name: kernel.define(("a", "b"), "min(a, b)", {})}
        with pytest.raises(Rejected, match=reason):
            conditions.evaluate(conditions.parsed(f"{name}([1], [2])"), {}, known)


# ---- witnesses ------------------------------------------------------------------------------------------------------

TEXT = """
  reads n, m: integer(1, 10**2)
  reads x: fraction
  in first
    reads starts: integers(0, 9, 2)
    let both = sum(starts)
    holds both == 3
  each members[2]
    reads k: integer(0, 5)
    let double = 2*k
    holds k == row + 1
  let total = n + m
  holds total == 3*x
  holds first.both == members[0].k + members[1].double - 2
"""
DATA: dict[str, Any] = {"n": 1, "m": 2, "x": "1", "first": {"starts": [1, 2]}, "members": [{"k": 1}, {"k": 2}]}


def test_a_witness_has_exactly_its_fields_and_its_conditions_hold() -> None:
    own = accepted(TEXT, DATA)
    assert (own["total"], own["x"], own["first"]["both"], own["members"][1]["double"]) == (3, 1, 3, 4)
    for reason, data in (
        ("unknown field 'y'", {**DATA, "y": 1}),
        ("the field 'x' is missing", {k: v for k, v in DATA.items() if k != "x"}),
        ("the field 'first' is missing", {k: v for k, v in DATA.items() if k != "first"}),
        ("expected an object", []),
        ("from 1 to 100", {**DATA, "n": 101}),
        ("from 1 to 100", {**DATA, "m": 0}),
        ("expected a fraction", {**DATA, "x": 1}),
        ("it does not hold that total == 3\\*x", {**DATA, "x": "2"}),
        ("it does not hold that both == 3", {**DATA, "first": {"starts": [1, 1]}}),
        ("a list of 2 integers", {**DATA, "first": {"starts": [1, 1, 1]}}),
        ("unknown field 'k'", {**DATA, "first": {"starts": [1, 2], "k": 1}}),
        ("expected an object", {**DATA, "first": [{"starts": [1, 2]}]}),
        ("it does not hold that k == row", {**DATA, "members": [{"k": 1}, {"k": 1}]}),
        ("it does not hold that k == row", {**DATA, "members": [{"k": 2}, {"k": 1}]}),
        ("2 or more", {**DATA, "members": [{"k": 1}]}),
        ("2 or more", {**DATA, "members": [{"k": 1}, {"k": 2}, {"k": 3}]}),
        ("2 or more", {**DATA, "members": {"k": 1}}),
    ):
        with pytest.raises(Rejected, match=reason):
            accepted(TEXT, data)
    with pytest.raises(Rejected, match=r"first\.both"):
        accepted(TEXT.replace("- 2", "- 3"), DATA)


def test_a_condition_that_is_no_truth_value_does_not_hold() -> None:
    for text in ("n*0 + 1", "[n]", "n", "n + 1"):
        with pytest.raises(Rejected, match="does not hold"):
            accepted(f"  reads n: integer(1, 2)\n  holds {text}", {"n": 1})
    with pytest.raises(Rejected, match=r"it does not hold that n == 2.{114}$"):
        accepted("  reads n: integer(1, 2)\n  holds n == 2" + " + 0" * 40, {"n": 1})


def test_the_given_values_may_be_used() -> None:
    assert accepted("  let x = given.bound + 1\n  holds row == 0", {}, bound=Fraction(1, 2))["x"] == Fraction(3, 2)


def test_an_object_that_reads_nothing_is_no_field() -> None:
    text = "  each members[3]\n    let n = [1, 2, 3][row]\n    holds n**2 < 10\n  in own\n    reads x: integer(0, 9)"
    assert [own["n"] for own in accepted(text, {"own": {"x": 3}})["members"]] == [1, 2, 3]
    for data in ({}, {"own": {}}, {"own": {"x": 3}, "members": [{}, {}, {}]}):
        with pytest.raises(Rejected, match=r"missing|unknown field"):
            accepted(text, data)
    with pytest.raises(Rejected, match=r"n\*\*2 < 9"):
        accepted(text.replace("< 10", "< 9"), {"own": {"x": 3}})


def test_each_kind_of_field() -> None:
    for kind, data, expected in (
        ("integer(0, 1)", 1, 1), ("integers(0, 3)", [1, 2, 3], [1, 2, 3]), ("fraction", "1/2", Fraction(1, 2)),
        ("fractions(2)", ["1", "1/3"], [1, Fraction(1, 3)]),
        ("schedules(2, 1)", [[0], [99]], [[0], [99]]),
        ("law", {"2": "1/2", "1": "1/2"}, [(1, Fraction(1, 2)), (2, Fraction(1, 2))]),
        ("fractions()", ["1"], [1]), ("fractions()", ["2"] * 100, [2] * 100), ("fractions(len([7, 8]))", ["1", "2"], [1, 2]),
    ):  # fmt: skip
        assert accepted(f"  reads x: {kind}", {"x": data})["x"] == expected
    for kind, data in (
        ("fractions(2)", ["1"]), ("fractions(2)", ["1", "2", "3"]), ("fractions(1)", [1]), ("schedules(2, 1)", [[0]]),
        ("schedules(1, 1)", [[0, 0]]), ("schedules(1, 1)", [[100]]), ("schedules(1, 1)", [[-1]]), ("schedules(1, 1)", [[0], [0]]),
        ("fractions()", []), ("fractions()", ["2"] * 101), ("fractions(len([7, 8]))", ["1"]),
    ):  # fmt: skip
        with pytest.raises(Rejected):
            accepted(f"  reads x: {kind}", {"x": data})


def test_a_witness_may_be_like_another() -> None:
    known = {
        "one": witness("  reads n: integer(1, 9)\n  in part\n    reads k: integer(1, 9)\n  holds n < part.k + more")
    }
    own = witness("  let more = 0\n  like one\n  holds n > 1", known)
    assert conditions.check(own, {"n": 2, "part": {"k": 3}}, {}, {})["more"] == 0
    for n in (1, 3):
        with pytest.raises(Rejected):
            conditions.check(own, {"n": n, "part": {"k": 3}}, {}, {})
    assert (known["one"].lines, list(known["one"].reads)) == (["holds n < part.k + more"], ["n"])
    assert witness("  like one\n  in part\n    holds k == 2", known).inner["part"].lines == ["holds k == 2"]
    assert known["one"].inner["part"].lines == []
    twice = {"a": witness("  holds 1 < given.x")}
    with pytest.raises(Rejected, match="and few lines"):
        for name, before in pairwise("abcdefghijklmnop"):
            twice[before] = witness(f"  like {name}\n  like {name}", twice)
    for there in ("  reads n: integer(0, 1)", "  in part\n    reads k: integer(5, 5)"):
        with pytest.raises(Rejected, match="expected new names"):
            witness(f"{there}\n  like one", known)


# ---- statements -----------------------------------------------------------------------------------------------------

STATEMENTS = """# a comment
define f(x) = x + 1
define g(x, y) = f(x)*y
words why: Because ``a = b = c``
theorem first
  reading all
  states two
  f(1) = 2
  so $2$
theorem second
  reading all
  states above
  cites first
  x >= 0: g(x, 1) > 0
  so $g > 0$
theorem third
  reading all
  states three
  f(2) = 3

witness small
  reads n: integer(1, 9)
  in part
    holds n == 1
  holds n < 3
claim one
  given a = b = c
level form proved
  says It is so: yes.
  finding x proved: first; second
  finding y proved joined: second
    It follows.
  finding z certified aside
  further first
  beside first; second
  witness small
  words why
level algorithm refuted
  says It is not.
  finding x refuted: third
without two: not decided
without three form: nor this
"""


@pytest.fixture
def own_book(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A book of the text above, and of nothing else."""
    texts = {f"{name}.txt": b"" for name in statements.LEDGERS} | {"adaptive.txt": STATEMENTS.encode()}
    monkeypatch.setattr(statements, "get_data", lambda package, name: texts[name])
    statements.book.cache_clear()
    yield statements.book
    monkeypatch.undo()
    statements.book.cache_clear()


def test_a_text_of_statements(own_book: Any) -> None:
    own = own_book()
    assert own.theories["adaptive"].words == {"why": "Because ``a = b = c``"}
    text = own.theories["adaptive"]
    g: Any = text.meanings["g"]
    assert (g.value == (variable("x") + 1) * variable("y"), g.parameters) == (True, ("x", "y"))
    assert text.own == ["first", "second", "third"]
    assert [text.theorems[name].cites() for name in text.own] == [[], ["first"], []]
    assert [text.judge(name).facts for name in text.own] == [1, 1, 1]
    assert own.theories["adaptive"].witnesses["small"] == Part(
        reads={"n": "integer(1, 9)"}, lines=["holds n < 3"], inner={"part": Part(lines=["holds n == 1"])}
    )
    one = own.claims["one", "form"]
    assert (one.status, one.given, one.says, one.witness, one.words) == (
        "proved",
        {"a": "b = c"},
        "It is so: yes.",
        "small",
        ["why"],
    )
    assert one.findings == {
        "x": statements.Finding("proved", "", ["first", "second"]),
        "y": statements.Finding("proved", "joined", ["second"], "It follows."),
        "z": statements.Finding("certified", "aside", []),
    }
    assert (one.further, one.beside, one.ledger) == (["first"], ["first", "second"], "adaptive")
    assert own.claims["one", "algorithm"] == statements.Statement(
        "one",
        "algorithm",
        "refuted",
        {"a": "b = c"},
        "adaptive",
        "It is not.",
        {"x": statements.Finding("refuted", "", ["third"])},
    )
    assert own.without == {("two", ""): "not decided", ("three", "form"): "nor this"}
    assert set(own.ledgers) == {("one", "form"), ("one", "algorithm"), ("two", ""), ("three", "form")}


def test_what_a_statement_needs_is_with_what_that_cites(own_book: Any) -> None:
    one = statements.Statement(
        "one", "form", "proved", {}, "adaptive", findings={"y": statements.Finding("refuted", "alone", ["second"])}
    )
    assert (one.needed(), one.counted()) == (["second", "first"], [])
    one.beside = ["first"]
    assert (one.needed(), one.counted()) == (["second", "first"], [])
    one.further = ["first"]
    assert one.counted() == ["first"]
    one.findings["x"] = statements.Finding("proved", "joined", ["second"])
    assert one.counted() == ["second", "first"]


def test_a_text_says_everything_once(own_book: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for more, reason in (
        ("proof first\n", "'proof'"), ("builds on adaptive\nwitness small\n", "not 'small'"),
        ("without one form: no\n", "stands in adaptive.txt, too"),
        ("claim one\nlevel form proved\n", "stands in adaptive.txt, too"), ("lemma one\n", "'lemma'"),
    ):  # fmt: skip
        texts = {"adaptive.txt": STATEMENTS.encode(), "beyond.txt": more.encode(), "nonclairvoyant.txt": b""}
        monkeypatch.setattr(statements, "get_data", lambda package, name, texts=texts: texts[name])
        own_book.cache_clear()
        with pytest.raises(Rejected, match=reason):
            own_book()


# ---- the page -------------------------------------------------------------------------------------------------------


def test_the_page_lists_the_functions_of_a_witness_with_examples_that_hold() -> None:
    page = (ROOT / "docs" / "theory-text.md").read_text(encoding="utf-8").partition("| function | example |\n")[2]
    rows = [line.split(" | ", 1) for line in page.partition("\n\n")[0].splitlines()[1:]]
    named = [name for head, _ in rows for name in re.findall(r"`(\w+)`", head)]
    assert sorted(named) == sorted(conditions.FUNCTIONS) and len(named) > 35
    examples = [own for _, row in rows for own in re.findall(r"`([^`]+)`", row) if re.search("[=<]|^all", own)]
    assert len(examples) >= 9 and [conditions.evaluate(conditions.parsed(own), {}, {}) for own in examples] == [
        True
    ] * len(examples)


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1), Fraction(-3, 2), Fraction(20), Fraction(1, 7), 2])
def test_an_exponential_lies_between_its_bounds(x: Fraction) -> None:
    low, high = enclosures.exp_bounds(x)
    with mp.workdps(60):
        exact = mp.exp(mp.mpf(x.numerator) / x.denominator)
        assert mp.mpf(low.numerator) / low.denominator <= exact <= mp.mpf(high.numerator) / high.denominator
    assert (high - low) * 10**24 <= high**2


def test_exponentials_of_large_numbers_are_refused() -> None:
    for x in (Fraction(101, 2), Fraction(-51)):
        with pytest.raises(Rejected, match="from -50 to 50"):
            enclosures.exp_bounds(x)


def test_the_logarithm_of_an_integer_is_exact() -> None:
    assert enclosures.log_bounds(cast(Fraction, 2)) == enclosures.log_bounds(Fraction(2))
