"""Evidence on thm-complexity and intervals-help: sums, families with their totals, entries."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, renamed, same, sign, telescoping
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, refuted
from crtools.papers.adaptive.evidence.algorithm_two.refined import family_mean
from crtools.papers.adaptive.theorems.form.intervals import difference
from crtools.process import simulate

n, k, m, x, y, M = sp.symbols("n k m x y M")


def thm_complexity(result: ClaimResult) -> Data:
    """Return how many requests wait, in sum, and members of the family n = M³."""
    for id in ("time-step", "whole-run"):
        refuted(result, id)
    waiting = n * k - M * k * (k - 1) / 4 - k
    whole = n**2 / M + n / 2 - 2 * n / M
    members: list[Data] = []
    for memory in (4, 6, 8):
        count = memory**3
        run = simulate("a-min-literal", [1] * count, memory, 1, 1, 2, seed=0)
        lines = [sum(int(p) >= t for p in run.starts) for t in range(int(max(run.starts)) + 1)]
        members.append({"M": memory, "n": count, "first": lines[0], "whole": sum(line - 1 for line in lines)})
    return {
        "steps": [
            telescoping("waiting", "n k M", "k", waiting),
            same("end", "n M", whole),
            sign("whole", ((n, 1), (M, 2)), whole - n**2 / M + n),
            sign("logarithm", ((M, 1),), 1 - 1 / M, ">="),
            sign("instant", ((M, 2),), M**2 - 1),
            sign("run", ((M, 2),), M**5 - M**3 - (M - 1) * M**2),
        ],
        "members": members,
    }


def intervals_help_in_process(result: ClaimResult) -> Data:
    """Return the family in which the refined intervals are slower at every draw, and its members' means."""
    refuted(result, "every-instance")
    variance: Any = 2 * m**2 / (6 * m - 1)
    members: list[Data] = []
    for size in (1, 2, 10, 100):
        lengths, bounds = (2,) * 3 * size + (3,) * 3 * size, (1,) * 3 * size + (3,) * 3 * size
        refined = simulate("a-min-literal", lengths, 12 * size, 1, bounds, 3, seed=0).total_latency
        members.append({"m": size, "single": exact(family_mean(size)), "refined": int(refined)})
    return {
        "steps": [
            same("room at 1", "m", 12 * m),
            same("kept", "m", 12 * m),
            same("refined", "m", 12 * m),
            same("refined total", "m", 21 * m),
            same("room at 2", "m x", 4 * m - 2 * x),
            sign("X ≤ m", ((x, 0), (m, x)), 2 * m - 2 * x, ">="),
            same("single, X ≤ m", "m", 19 * m),
            same("single, X = m + Y", "m y", 19 * m + 2 * y),
            sign("no worse", ((y, 0), (m, y)), 2 * m - 2 * y, ">="),
            same("variance", "m", variance),
            sign("its size", ((m, 1),), m - variance),
        ],
        "members": members,
    }


def intervals_help_form(result: ClaimResult) -> Data:
    """Return A − B ≥ 0."""
    del result
    own = of_theorem(difference(), {"difference": "s i j", "A − B ≥ 0": ""})
    return {"steps": [own[0], renamed(own[1], "A − B")]}
