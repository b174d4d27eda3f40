"""Evidence on lem-amin: H-SF's totals in two phases, and the steps of the bound on Algorithm 2."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, renamed, same, sign
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.evidence.algorithm_two.pairs import at_half, in_step, out_of_step
from crtools.papers.adaptive.theorems.process.algorithm_two import AREA, at_most_on_pairs
from crtools.papers.adaptive.theorems.process.h_sf import x
from crtools.process import simulate
from crtools.proof.symbols import s as size

s, h, c, w = sp.symbols("s h c w")
MEMBERS = ((1, 1, 1), (1, 2, 2), (2, 1, 2))
"""(s, r, h): the number of batches grows with h, M with r."""


def lem_amin(result: ClaimResult) -> Data:
    """Return by how much each part's limit is off, and members of both families of H-SF."""
    for id in ("h-sf", "a-min", "ratio"):
        refuted(result, id)
    names = {"room": "s x", "volume": "s x", "the form is larger": "s x"}
    room, area, larger = of_theorem(at_most_on_pairs(), names)
    half = {x: sp.Rational(1, 2)}
    paper: Any = (
        sum(form("a-min").formula(sp.Integer(a), sp.Integer(b), size) for a, b in ((1, 1), (1, 2), (1, 2), (2, 2))) / 4
    )
    return {
        "steps": [
            sign("H-SF, out of step", ((s, 1), (h, 6)), _out_of_step_gap()),
            same("H-SF, in step", "s h", 3 / (4 * h)),
            same("excess", "c w", (c - w) ** 2),
            room,
            renamed(area, "area"),
            larger,
            sign("at half", ((s, 1),), paper - AREA.subs(half)),
        ],
        "out_of_step": [_member(out_of_step, (a + 1) * b - 1, a, r, b) for a, r, b in MEMBERS],
        "in_step": [_member(in_step, b, a, r, b) for a, r, b in MEMBERS],
    }


def _out_of_step_gap() -> Any:
    """Return H-SF's form at half each less 1/8 less 2M·TEL/n², for (s+1)h − 1 full batches and r = 1."""
    q, p = (s + 1) * h - 1, (2 * s + 3) * h - 1
    total = (2 * s + 3) * q * (q + 1) / 2 + (s + 2) * (q + 1) + (s + 1) * (p * (q + 2) + p * (p - 1) / 2)
    own = 2 * (s + 1) * (2 * s + 3) * total / (2 * (s + 1) * p) ** 2
    return (s + 1 + 2 * (s + 1) + 2 * (s + 2)) / 4 - sp.Rational(1, 8) - own


def _member(phase: Any, batches: int, prompt: int, r: int, number: int) -> Data:
    found = phase(prompt, r, batches)
    assert found.ones == found.twos
    assert at_half(found.limit) > 0
    run = simulate("h-sf", [1] * found.ones + [2] * found.twos, found.memory, prompt)
    assert run.total_latency == found.total
    return {"s": prompt, "r": r, "h": number, "M": found.memory, "each": found.ones, "total": found.total}
