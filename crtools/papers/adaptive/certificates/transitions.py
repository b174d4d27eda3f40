"""Evidence on Algorithm 2's transitions: small instances with their expectations, and members of growing families."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, picked, refuted
from crtools.papers.adaptive.evidence.algorithm_two.completions import few_long
from crtools.papers.adaptive.literal.ties import Expected, expectations

FEW_LONG = ((1, 2, 2, 8), (1, 2, 6, 36), (2, 5, 4, 40))
"""(s, u, m, n): m requests of length u and n − m of length 1 at M = m(s+u)."""


def _few_long() -> list[Data]:
    rows = [few_long(size, up, longs * (size + up), n) for size, up, longs, n in FEW_LONG]
    return [
        {
            **{key: row[key] for key in ("s", "u", "M", "n", "m")},
            "started": str(row["b_1u"]),
            "completed": str(row["c_1u"]),
        }
        for row in rows
    ]


def lem_deletion(result: ClaimResult) -> Data:
    """Return the law whose needs shrink, and members of the family in which no start is cancelled."""
    return {"regime": _regime(result, "completes"), "members": _few_long()}


def _regime(result: ClaimResult, id: str) -> Data:
    found = refuted(result, id)
    return {**picked(found.witness, "s", "u", "r"), "claimed": found.claimed}


def _smallest(result: ClaimResult, id: str) -> tuple[dict[str, Any], Expected]:
    found = refuted(result, id).second[0]
    return found, expectations(found["lengths"], found["s"], found["M"], found.get("l", 1))


def update_distribution(result: ClaimResult) -> Data:
    """Return the smallest instance with its cancelled starts by length, and members of the growing family."""
    found, means = _smallest(result, "law-of-the-cancelled")
    i, k = found["i"], found["k"]
    moved = [exact(means.moves.get((i, k, length), Fraction(0))) for length in range(1, max(found["lengths"]) + 1)]
    family = ((1, 1, 24), (2, 1, 40), (1, 2, 30))
    members = [{"r": r, "s": s, "n": n, "cancelled": exact(_second_bound(r, s, n))} for r, s, n in family]
    example = {**picked(found, "lengths", "s", "M", "i", "k"), "moved": moved, "started": exact(means.started[i, k])}
    return {"example": example, "members": members}


def _second_bound(number: int, size: int, n: int) -> Fraction:
    """Return how many are cancelled at t = 2, in expectation over how many of those that run there are of length 2.

    Of (s+1)(s+3)r drawn from n, r of length 2; those of length 3 that run at 2 are cancelled until (s+1)(s+2)r are left.
    """
    kept, room = (size + 1) * (size + 3) * number, (size + 1) * (size + 2) * number
    ways = sp.binomial(n, kept)
    mean = sum(
        sp.binomial(number, x) * sp.binomial(n - number, kept - x) * (kept - x - room) for x in range(number + 1)
    )
    return Fraction(int(mean), int(ways))


def prop_transition(result: ClaimResult) -> Data:
    """Return the smallest instance with its completions by period, and the law and the family of lem-deletion."""
    found, means = _smallest(result, "last-period")
    low, length = found["l"], found["j"]
    completed = [exact(means.completed.get((i, length), Fraction(0))) for i in range(low, length + 1)]
    example = {**picked(found, "lengths", "s", "M", "j"), "completed": completed}
    return {"example": example, "regime": _regime(result, "first-period"), "members": _few_long()}
