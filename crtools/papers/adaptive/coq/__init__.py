"""The paper's theorems in Coq: the lemmas of the proofs, and files written by hand that state theorems for every u."""

from __future__ import annotations

from importlib.resources import files

from crtools.papers.adaptive.theory import TEXT
from crtools.proof.coq import Development, developed, in_text


def development() -> Development:
    """Return the lemmas of all theorems of the text that have some, and the files written by hand, in the order of their names."""
    return developed(files(__name__), in_text(TEXT))
