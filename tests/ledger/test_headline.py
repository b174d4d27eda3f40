"""Headlines: the answer comes from the verdicts, and what is true instead only from repairs that stand."""

from __future__ import annotations

from dataclasses import replace

from made_up import MADE_UP

from crtools.ledger import ClaimResult
from crtools.ledger.ledger import NOTHING, Headline, answer, rows
from crtools.ledger.registry import load


def test_an_answer_is_the_verdicts(made_up: list[ClaimResult]) -> None:
    said = {result.id: answer(result) for result in made_up}
    levels = {result.id: {v.status for v in result.verdicts} for result in made_up}
    assert said["growth"] == "no (on-paper); runs agree (in-practice)"
    for id, statuses in levels.items():
        assert ("no" in said[id].replace("not", "")) == ("refuted" in statuses), id


def test_what_is_true_instead_is_shown_only_while_it_is_proved(made_up: list[ClaimResult]) -> None:
    [growth] = [result for result in made_up if result.id == "growth"]
    [repair] = growth.standing_repairs
    headline = Headline("growth", "it grows", "it does not", (repair.level,))
    [row] = rows([headline, Headline("nowhere", "x", "y", ())], made_up)
    assert (row.says, row.answer, row.instead) == ("it grows", answer(growth), "it does not")
    fallen = replace(growth, repairs=())
    assert [row.instead for row in rows([headline], [fallen])] == [NOTHING]
    assert rows(MADE_UP.headlines(), made_up) == []


def test_the_papers_headlines_name_claims_and_levels_that_are_there() -> None:
    ledger = load()
    ids, levels = {claim.id for claim in ledger.claims}, {level.id for level in ledger.levels}
    for headline in ledger.headlines():
        assert headline.claim in ids and set(headline.levels) <= levels and headline.levels
