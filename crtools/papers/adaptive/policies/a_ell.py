"""Policies that send a request to the end of the queue: A_ℓ on two lengths, a-restart on all, and the paper's switch."""

from __future__ import annotations

from crtools.papers.adaptive.policies.a_min import A_MIN_LITERAL
from crtools.process.policies import Choice, Policy

A_ELL = Policy(
    "a-ell",
    priority=lambda r: r.joined,
    assumed=lambda r, age: r.bound,
    equals="order",
    longest=lambda r: r.u,
    cancel=lambda r, age, draw: r.u if age == r.bound < r.u else None,
    takes="l-or-u",
    kernel="rejoin-with-u",
    knows="l, u",
    summary="runs l tokens, then goes to the end and assumes u",
)
"""A_ℓ, promote-ℓ: first in, first out; at age ℓ an unfinished request goes to the end of the queue with õ = u."""

A_RESTART = Policy(
    "a-restart",
    priority=lambda r: r.joined,
    assumed=lambda r, age: r.bound,
    equals="order",
    longest=lambda r: r.u,
    cancel=lambda r, age, draw: min(2 * r.bound, r.u) if age == r.bound < r.u else None,
    kernel="rejoin-doubled",
    knows="l, u",
    summary="kill and restart with doubled bounds",
    usual=False,
)
"""Not in the paper: kill and restart. At age õ an unfinished request goes to the end of the queue with õ doubled, at
most u; õ is l at first. Like A_ℓ it uses l and u only, but for every length."""


def switched(l: int, u: int) -> Policy:
    """Return what ``switch`` runs: A_ℓ if l/u < α* = (3 − √5)/2, else A_min; decided in integers."""
    # l/u < (3 − √5)/2  ⟺  √5·u < 3u − 2l, and 3u − 2l > 0
    return A_ELL if 5 * u * u < (3 * u - 2 * l) ** 2 else A_MIN_LITERAL


SWITCH = Choice("switch", switched, "a-ell where l/u < (3 − √5)/2, else a-min-literal")
"""The better of A_ℓ and A_min on two lengths, by the paper's bounds."""
