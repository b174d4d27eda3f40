"""The theory in Coq: the lemmas of the proofs."""

from __future__ import annotations

from importlib.resources import files

from crtools.papers.any_memory.theory import TEXT
from crtools.proof.coq import Development, developed, in_text


def development() -> Development:
    """Return the lemmas of all theorems of the text that have some."""
    return developed(files(__name__), in_text(TEXT))
