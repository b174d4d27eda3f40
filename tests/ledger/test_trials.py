"""What stands in words is tried on small runs: every argument here, those of a claim by ``--trials``."""

from __future__ import annotations

import json
from types import MappingProxyType

import pytest

from crtools import verify
from crtools.cli import main
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
    "ledger", [pytest.param(n, marks=SLOW if n in ("adaptive", "any-memory") else ()) for n in TEXTS]
)
def test_every_argument_holds_on_its_small_runs(ledger: str) -> None:
    text = TEXTS[ledger]
    found = {name: text.tried(name) for name in text.names}
    assert sum(len(own) for own in found.values()) > 15
    assert {name: own for name, own in found.items() if any(own.values())} == {}


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
