"""The second theory in Coq: the lemmas of the proofs."""

from __future__ import annotations

from importlib.resources import files

from crtools.papers.nonclairvoyant import theorems
from crtools.proof.coq import Development, developed, made_in


def development() -> Development:
    """Return the lemmas of all theorems that have some."""
    return developed(files(__name__), made_in(theorems))
