"""Witnesses on thm-complexity and intervals-help: members of growing families with their totals."""

from __future__ import annotations

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, refuted
from crtools.papers.adaptive.evidence.algorithm_two.refined import family_mean
from crtools.process import simulate


def thm_complexity(result: ClaimResult) -> Data:
    """Return how many requests wait at first and in sum, for members of the family n = M³."""
    for id in ("time-step", "whole-run"):
        refuted(result, id)
    members: list[Data] = []
    for memory in (4, 6, 8):
        count = memory**3
        run = simulate("a-min-literal", [1] * count, memory, 1, 1, 2, seed=0)
        lines = [sum(int(p) >= t for p in run.starts) for t in range(int(max(run.starts)) + 1)]
        members.append({"M": memory, "n": count, "first": lines[0], "whole": sum(line - 1 for line in lines)})
    return {"members": members}


def intervals_help(result: ClaimResult) -> Data:
    """Return the means of the family in which the refined intervals are slower at every draw."""
    refuted(result, "every-instance")
    members: list[Data] = []
    for size in (1, 2, 10, 100):
        lengths, bounds = (2,) * 3 * size + (3,) * 3 * size, (1,) * 3 * size + (3,) * 3 * size
        refined = simulate("a-min-literal", lengths, 12 * size, 1, bounds, 3, seed=0).total_latency
        members.append({"m": size, "single": exact(family_mean(size)), "refined": int(refined)})
    return {"members": members}
