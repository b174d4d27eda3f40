"""A_min in both readings: Algorithm 2 to the letter, and the cohorts in which its proof counts."""

from __future__ import annotations

from crtools.process.policies import Draw, Policy, Request


def _tossed(r: Request, age: int, draw: Draw) -> int | None:
    past = age >= r.bound
    return max(r.bound, age + 1) if past and draw() < 1 / (r.s + age + 1) else None


A_MIN_LITERAL = Policy(
    "a-min-literal",
    priority=lambda r: r.bound,
    assumed=lambda r, age: max(r.bound, age + 1),
    equals="ties",
    overflow=True,
    takes="at-least-l",
    kernel="lower-bounds",
    knows="l",
    summary="Algorithm 2: assumes l, cancels what overflows",
)
"""A_min, Algorithm 2 to the letter: increasing õ; past its bound a request counts for the next instant only."""

A_MIN_COHORT = Policy(
    "a-min-cohort",
    priority=lambda r: r.bound,
    assumed=lambda r, age: max(r.bound, age + 1),
    equals="ties",
    cancel=_tossed,
    overflow=True,
    peaks=True,
    takes="at-least-l",
    kernel="lower-bounds-by-coin",
    knows="l",
    summary="A_min as its proof treats it: cancels by coin",
)
"""A_min as its analysis describes it: past its bound a request is cancelled with probability 1/(s + age + 1)."""
