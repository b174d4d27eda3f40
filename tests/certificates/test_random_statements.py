"""No random statement that is false is accepted: by rule, with and without minima, definitions and parameters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest
from amount import part_and_all
from random_statements import RULES, Maker, Statement, romberg

from check import kernel, statements
from check.kernel import Rejected

SHARE = {"identity": 0.85, "sign": 0.75, "sum": 0.9, "induction": 0.9, "integral": 0.7}
"""The least share of true statements that the judge accepts."""


def accepted(own: Statement) -> bool:
    """Whether the judge accepts a statement, as the text that it is."""
    book = statements.Book()
    try:
        statements._read(book, "own", "own.txt", own.theory())  # pyright: ignore[reportPrivateUsage]
        theory = book.theories["own"]
        for name in book.named_in(theory):
            theory.judge(name)
    except Rejected:
        return False
    return True


@part_and_all("many", 100, 4000)
@pytest.mark.parametrize("rule", RULES)
def test_no_random_statement_that_is_false_is_accepted(rule: str, many: int) -> None:
    maker, counted = Maker(Random(f"{rule} {many}")), Counter[tuple[bool, bool, bool]]()
    for _ in range(many):
        own = maker.statement(rule)
        is_true, is_accepted = own.holds(), accepted(own)
        assert is_true or not is_accepted, own.theory()
        counted[own.has_choice, is_true, is_accepted] += 1
    for choice in (False, True):
        true, proved = counted[choice, True, True] + counted[choice, True, False], counted[choice, True, True]
        assert proved >= SHARE[rule] * true and true >= many / 8, counted
    assert counted[True, False, False] >= many / 12, counted


def test_the_judge_that_looks_at_one_end_less_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum whose minima are decided where k >= e, and not from e − 1 on, was accepted once."""

    def put_in_later(reader: kernel.Reader, text: str, known: Mapping[str, kernel.Ratio] | None = None) -> kernel.Ratio:
        return reader.value(kernel.parsed(text)).at(**(known or {}))

    monkeypatch.setattr(kernel.Reader, "read", put_in_later)
    maker = Maker(Random("sum 100"))
    found = [own for own in (maker.statement("sum") for _ in range(100)) if accepted(own) and not own.holds()]
    assert len(found) >= 3


def test_the_oracle_knows_what_is_true() -> None:
    x_from_1 = [("x", 1, False, None)]
    for own, holds in (
        (Statement("identity", x_from_1, [("/", "x", "x"), 1]), True),
        (Statement("identity", [("x", 0, False, None)], [("/", "x", "x"), 1]), False),
        (Statement("sign", x_from_1, [("-", "x", 1), 0], relation=">="), True),
        (Statement("sign", x_from_1, [("-", "x", 1), 0], relation=">"), False),
        (Statement("sum", [("k", 3, False, None)], [0, ("min", "k", 3)], index="k"), False),
        (Statement("sum", [("k", 4, False, None)], [0, ("min", "k", 3)], index="k"), True),
        (Statement("sum", [("k", 1, False, None)], [0, ("max", 5, ("/", 1, "k"))], index="k"), False),
        (Statement("induction", [], [("Sum", "j", "j", 1, 0), ("/", ("*", "n", ("+", "n", 1)), 2)], index="n"), True),
        (Statement("induction", [], [("Sum", "j", "j", 2, 0), ("/", ("*", "n", ("+", "n", 1)), 2)], index="n"), False),
        (Statement("integral", [], [("^", "v", 2), ("/", 8, 3), 0, 2], index="v"), True),
        (Statement("integral", [], [("^", "v", 2), 3, 0, 2], index="v"), False),
    ):
        assert own.holds() == holds, own.theory()
    assert romberg(lambda v: v**9, Fraction(0), Fraction(2)) == Fraction(2**10, 10)
