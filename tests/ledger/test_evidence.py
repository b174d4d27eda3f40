"""Evidence: what is counted as resting on words."""

from __future__ import annotations

from crtools.ledger.evidence import Open, Proved, Refuted, argued


def test_steps_in_words_are_counted_and_so_is_the_argument_that_joins_theorems() -> None:
    theorems = (
        {"theorem": "one", "holds": True, "steps": [{"kind": "Argument"}, {"kind": "Identity"}, {"kind": "Argument"}]},
    )
    assert argued(Proved(theorems=theorems)) == 2
    assert argued(Proved(theorems=theorems, argument="the two together")) == 3
    assert argued(Refuted({"s": 1}, "1", "2", "2", theorems=theorems)) == 2
    assert argued(Open("words")) == 0


def test_a_step_that_two_findings_share_is_counted_once() -> None:
    shared, own = ({"theorem": name, "holds": True, "steps": [{"kind": "Argument"}]} for name in ("shared", "own"))
    first, second = Proved(theorems=(shared,), argument="the same"), Proved(theorems=(shared, own), argument="the same")
    assert argued(first, second) == 3
    assert argued(first, first) == argued(first) == 2
