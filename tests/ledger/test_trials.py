"""What stands in words is tried on small runs: every argument here, those of a claim by ``--trials``."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import pytest

from crtools import verify
from crtools.cli import main
from crtools.ledger.claims import formula, ledger
from crtools.ledger.deciders.ranges import integers_from
from crtools.ledger.registry import load
from crtools.ledger.trials import trials
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.steps import Argument
from crtools.proof.text import Text

TEXTS: dict[str, Text] = {
    name: text for name in ("adaptive", "any-memory", "beyond", "nonclairvoyant") if (text := load(name).theory())
}
SLOW = pytest.mark.exhaustive


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=SLOW if n in ("adaptive", "any-memory") else ()) for n in TEXTS]
)
def test_every_argument_holds_on_its_small_runs(name: str) -> None:
    text = TEXTS[name]
    found = {theorem: text.tried(theorem) for theorem in text.names}
    assert sum(len(own) for own in found.values()) > 15
    assert {theorem: own for theorem, own in found.items() if any(own.values())} == {}


def broken(*_: object) -> str:
    return "at n = 2"


@pytest.mark.exhaustive  # takes seconds
def test_deciding_runs_no_trial_of_a_packed_text_and_trials_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh text, so that nothing is kept of the one that claims share."""
    packed = Text("adaptive", MappingProxyType({**TEXT.trials, "phases_in_order": broken}))
    name = "kill and restart"
    assert packed.theorem(name).holds
    assert packed.tried(name)["phases"] == "at n = 2"
    argument = next(step for step in packed.theorem(name).steps if step.name == "phases")
    assert isinstance(argument, Argument)
    assert argument.check() == "at n = 2"
    monkeypatch.setattr("crtools.papers.adaptive.theory.TEXT", packed)
    found = trials(verify(["thm-optimality"]), "adaptive")
    assert list(found.failed) == ["kill and restart, 'phases': at n = 2"]
    assert found.tried > len(found.failed)


def test_a_trial_of_what_is_given_runs_where_a_claim_is_decided() -> None:
    """A function that the text has not: its trial is part of deciding."""
    name = "packed schedules are not idle for long"
    steps = {step.function for step in TEXT.theory.theorems[name].steps if step.kind == "argued"}
    packed = Text("adaptive", MappingProxyType({**TEXT.trials, **dict.fromkeys(steps, broken)}))
    own = next(own for own in packed.names if own.startswith(name))
    assert packed.theorem(own).holds
    failed = packed.theorem(name, F=lambda n: 7 * n + 1).results
    assert "at n = 2" in [step.failure for step in failed]


def test_the_command_says_what_was_tried(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "lem-deletion", "--trials", "--json"]) == 0
    tried = json.loads(capsys.readouterr().out)["trials"]
    assert tried["tried"] > 0
    assert tried["failed"] == []
    monkeypatch.setattr(Text, "tried", lambda *_: {"1": "at n = 2"})
    assert main(["verify", "lem-deletion", "--trials"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("'1': at n = 2")
    assert main(["verify", "lem-deletion", "--set", "completes=i/j", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["trials"]["failed"]
    assert main(["verify", "--self-test", "lem-deletion", "--no-cache"]) == 1


def test_a_trial_that_fails_is_named_though_its_claim_stays_open(tmp_path: Path) -> None:
    own = """theorem halving(found(m))
  reading every $m ≥ 1$
  states the work is $found(m)$
  [lost] argued half is left each time
    so it is
    - tested by halves: m up to 12
  for m >= 1: Sum(1/2^j, (j, 0, m - 1)) = found(m)
  so

define bits(m) = 2 - 1/2^(m - 1)

claim halving
  given work = 2-1/2**(m-1)
    is bits(m)
level online proved
  says Halving costs at most 2.
  finding work proved: halving(bits)
"""
    (tmp_path / "own.txt").write_text(own, encoding="utf-8")
    text = Text(tmp_path / "own.txt", {"halves": broken})
    claim = formula(text, "halving", lambda m: 2 - Fraction(1, 2 ** (m - 1)), on=integers_from(m=1))
    brought = ledger(text, claim)
    results = verify(ledger=brought)
    assert results[0].verdicts[0].status == "inconclusive"
    assert trials(results, brought).failed == ("halving(bits), 'lost': at n = 2",)
