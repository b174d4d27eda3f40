"""The arguments of a theorem, tried by functions that are not part of the package."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from crtools.proof.steps import Argument
from crtools.proof.text import Text


def with_trials(text: Text, trials: ModuleType | Mapping[str, object]) -> Text:
    """Return the text with these functions beside those that it has; nothing is kept of what claims share."""
    own = vars(trials) if isinstance(trials, ModuleType) else trials
    return Text(text.file, MappingProxyType({**own, **text.trials}), text.builds_on)


def tried(text: Text, name: str) -> dict[str, str | None]:
    """Try the arguments of a theorem: by step, the run at which one fails, None where none does."""
    steps = [step for step in text.theorem(name).steps if isinstance(step, Argument)]
    assert all(step.test for step in steps)
    return {step.name: step.test() for step in steps if step.test}
