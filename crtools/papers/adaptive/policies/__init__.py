"""The paper's policies, each a table of rules, and a-restart beside them.

H-SF, with which they are compared, is the toolkit's. A_max and A_random never cancel; A_min has two readings, Algorithm 2
to the letter and the cohorts in which its proof counts; A_ℓ, on two lengths, and a-restart, on all, send a request to the
end of the queue.
"""

from dataclasses import replace

from crtools.process.policies import Choice, Draw, Policy, Request

A_MAX = Policy(
    "a-max",
    priority=lambda r: r.u,
    assumed=lambda r, age: r.u,
    equals="order",
    longest=lambda r: r.u,
    fixed=True,
    knows="u",
    summary="assumes u of every request; never cancels",
)
"""A_max, Algorithm 1: every request is assumed to need u until it really finishes; increasing u, ties random."""

A_RANDOM = Policy(
    "a-random",
    priority=lambda r: 0,
    assumed=lambda r, age: r.length,
    equals="order",
    fixed=True,
    knows="o",
    summary="a random order, lengths known",
)
"""A_random, auxiliary: a random permutation, with known lengths."""


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

A_MIN_COHORT = replace(
    A_MIN_LITERAL,
    name="a-min-cohort",
    cancel=_tossed,
    peaks=True,
    kernel="lower-bounds-by-coin",
    summary="A_min as its proof treats it: cancels by coin",
)
"""A_min as its analysis describes it: past its bound a request is cancelled with probability 1/(s + age + 1)."""

A_ELL = Policy(
    "a-ell",
    priority=lambda r: r.queue_number,
    assumed=lambda r, age: r.bound,
    equals="order",
    longest=lambda r: r.u,
    cancel=lambda r, age, draw: r.u if age == r.bound < r.u else None,
    takes="l-or-u",
    knows="l, u",
    summary="runs l tokens, then goes to the end and assumes u",
)
"""A_ℓ, promote-ℓ: first in, first out; at age ℓ an unfinished request goes to the end of the queue with õ = u."""

A_RESTART = replace(
    A_ELL,
    name="a-restart",
    cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None,
    takes="any",
    summary="kill and restart with doubled bounds",
)
"""Not in the paper: kill and restart. At age õ an unfinished request goes to the end of the queue with õ doubled, at
most u; õ is l at first. Like A_ℓ it uses l and u only, but for every length."""


def switched(l: int, u: int) -> Policy:
    """Return what ``switch`` runs: A_ℓ if l/u < α* = (3 − √5)/2, else A_min; decided in integers."""
    # l/u < (3 − √5)/2  ⟺  √5·u < 3u − 2l, and 3u − 2l > 0
    return A_ELL if 5 * u * u < (3 * u - 2 * l) ** 2 else A_MIN_LITERAL


SWITCH = Choice("switch", switched, "a-ell where l/u < (3 − √5)/2, else a-min-literal")
"""The better of A_ℓ and A_min on two lengths, by the paper's bounds."""

POLICIES: dict[str, Policy | Choice] = {
    **{p.name: p for p in (A_RANDOM, A_MAX, A_MIN_LITERAL, A_MIN_COHORT, A_ELL, A_RESTART)},
    "a-min": A_MIN_LITERAL,
    "switch": SWITCH,
}
"""By name; ``a-min`` alone is Algorithm 2 to the letter."""
