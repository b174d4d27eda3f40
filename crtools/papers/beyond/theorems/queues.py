"""What follows of H-SF's generations where another charge is claimed."""

from __future__ import annotations

from typing import Any

from crtools.papers.adaptive.theorems.process import generations
from crtools.proof.builder import Proof
from crtools.proof.symbols import k, l, s
from crtools.proof.theorem import Theorem


def charge_at_least(charge: Any) -> Theorem:
    """H-SF is no faster than with ``charge``, a function of s, l and the length k that is nowhere above c_k."""
    proof = Proof("a charge of H-SF's requests", generations.LIMIT).cite(generations.generations())
    own = generations.charge(k, s, l)
    proof.nonnegative("it is at most c_k", own - charge, s >= 0, l >= 1, k >= l)
    return proof.therefore(
        r"\liminf \tfrac{2M}{n^2}\mathrm{TEL}(\text{H-SF}) \ge \textstyle\sum_{i,j} c_{i,j} x_i x_j,\quad "
        r"c_{i,j} \text{ the charge of the shorter one}",
        "the sum over k of the charges of all before",
    ).qed()
