"""What stands in words is tried on small runs: every ``argued`` step of the texts, by the function that it names.

The functions are in ``tests/papers/*/trials.py``. A user's own text brings them along: ``tests/proof/test_text.py``.
"""

from __future__ import annotations

import pytest
from tried import tried, with_trials

from crtools.papers.adaptive.theory import TEXT as ADAPTIVE
from crtools.papers.any_memory.theory import TEXT as ANY_MEMORY
from crtools.papers.beyond.theory import TEXT as BEYOND
from crtools.papers.nonclairvoyant.theory import TEXT as NONCLAIRVOYANT
from tests.papers.adaptive import trials as adaptive
from tests.papers.any_memory import trials as any_memory
from tests.papers.beyond import trials as beyond
from tests.papers.nonclairvoyant import trials as nonclairvoyant

TRIALS = {
    "adaptive": (ADAPTIVE, adaptive),
    "any-memory": (ANY_MEMORY, any_memory),
    "beyond": (BEYOND, beyond),
    "nonclairvoyant": (NONCLAIRVOYANT, nonclairvoyant),
}
"""The text of each ledger, and the module that tries its arguments."""

SLOW = pytest.mark.exhaustive


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=SLOW if n in ("adaptive", "any-memory") else ()) for n in TRIALS]
)
def test_every_argument_holds_on_its_small_runs(name: str) -> None:
    text = with_trials(*TRIALS[name])
    found = {theorem: tried(text, theorem) for theorem in text.names}
    assert sum(len(own) for own in found.values()) > 15
    assert {theorem: own for theorem, own in found.items() if any(own.values())} == {}


@pytest.mark.parametrize("name", TRIALS)
def test_every_argument_names_a_function_of_the_trials(name: str) -> None:
    text, trials = TRIALS[name]
    argued = [step for theorem in text.theory.theorems.values() for step in theorem.steps if step.kind == "argued"]
    own = {step.function for step in argued if step.line.file == text.theory.file}
    assert own
    assert own <= vars(trials).keys()


def broken() -> str:
    return "at n = 2"


def test_deciding_tries_what_is_given_and_no_argument_of_this_package() -> None:
    name = "kill and restart"
    assert ADAPTIVE.theorem(name).holds
    failed = with_trials(ADAPTIVE, {**vars(adaptive), "phases_in_order": broken}).theorem(name).first_failure
    assert failed is not None
    assert (failed.step.name, failed.failure) == ("phases", "at n = 2")
