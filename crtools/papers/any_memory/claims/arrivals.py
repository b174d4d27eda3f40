"""online-without-kills, set-up-threshold: requests that arrive over time, and set-up costs beyond which kills never help."""

from __future__ import annotations

from fractions import Fraction

from crtools.ledger.claims import formula, together
from crtools.ledger.deciders.ranges import integers_from, reals
from crtools.papers.any_memory.claims.lower_bound import PLACE
from crtools.papers.any_memory.theory import TEXT
from crtools.papers.any_memory.trials import least_flow, possible_flow


def least_of_any(n: int) -> int:
    """Return the least flow time of a policy that starts the first request before n²."""
    return min(least_flow(n, start) for start in range(n * n))


def largest_possible(n: int) -> int:
    """Return the flow time that is possible, at the worst start of the first request."""
    return max(possible_flow(n, start) for start in range(n * n))


def where_both_are_equal(mu: Fraction, F: Fraction, p: Fraction) -> Fraction:
    """Return the set-up at which E min(w, σ + c) = E w · P(v ≤ c), by two points of a line."""
    at_zero, at_one = (sigma + F - (sigma + mu) * p for sigma in (0, 1))
    return -at_zero / (at_one - at_zero)


online_without_kills = together(
    *(
        formula(
            TEXT,
            "online-without-kills",
            direct,
            finding=name,
            of=name,
            on=integers_from(n=2),
            points=[{"n": n} for n in range(2, 8)],
            place=f"{PLACE}, arrivals",
        )
        for name, direct in (("flow", least_of_any), ("best", largest_possible))
    )
)
set_up_threshold = formula(
    TEXT,
    "set-up-threshold",
    where_both_are_equal,
    on=reals(mu=(0, None), F=(0, None), p=(0, 1)),
    place=f"{PLACE}, set-up costs",
)

CLAIMS = (online_without_kills, set_up_threshold)
