"""The theory's text, ``check/adaptive.txt``, which the judge reads too: its theorems and functions by name."""

from __future__ import annotations

from collections import ChainMap

from crtools.papers.adaptive import trials, trials_process
from crtools.proof.text import Text

TEXT = Text("adaptive", ChainMap(trials.__dict__, trials_process.__dict__))
theorem = TEXT.theorem
