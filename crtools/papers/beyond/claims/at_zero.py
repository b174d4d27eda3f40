"""at-zero: the worst case at s = 0 to within O(1/E²), and its expansion at l = 1."""

from __future__ import annotations

from fractions import Fraction

from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, by_theorem
from crtools.ledger.claims import claim, decision_at, proved_or_refuted
from crtools.ledger.deciders.bounds import separating_decimals
from crtools.papers.adaptive.theory import theorem
from crtools.papers.beyond.levels import FORM
from crtools.papers.beyond.theory import constant
from crtools.papers.beyond.theory import theorem as beyond
from crtools.worst_cases import worst_case

INTERVALS = ((1, 1), (2, 2), (1, 2), (1, 20), (1, 200), (1, 2000), (20, 2000), (1, 20_000))
"""l and u at which a deficit is compared with the worst case."""

DIGITS = 11
"""Digits of the worst case on these intervals; floats have as many."""

SCALE = 10**30
"""Bounds are compared in parts of 1/SCALE: their own fractions are long."""


def odd_sum(l: int, u: int) -> Fraction:
    """Return E = 1 + Σ_{l<k≤u} 1/(2k−1), exactly."""
    return 1 + _sum(l + 1, u)


def _sum(first: int, last: int) -> Fraction:
    """Return Σ 1/(2k−1) over first ≤ k ≤ last, half and half, so that few of the fractions are long."""
    if last - first < 8:
        return sum((Fraction(1, 2 * k - 1) for k in range(first, last + 1)), Fraction(0))
    middle = (first + last) // 2
    return _sum(first, middle) + _sum(middle + 1, last)


def deficit(claimed: Fraction, side: str) -> Evidence:
    """Decide worst case ≥ ¾ + ½E − claimed/E ("below"), or ≤ ¾ + ½E − claimed/(E + 3/2) ("above")."""
    low, high = (Fraction(3, 16), claimed) if side == "below" else (claimed, Fraction(1, 4))

    def refuted(interval: tuple[int, int]) -> Refuted | None:
        l, u = interval
        total = odd_sum(l, u)
        exact = Fraction(3, 4) + total / 2 - claimed / (total if side == "below" else total + Fraction(3, 2))
        bound = Fraction(round(exact * SCALE) + (1 if side == "above" else -1), SCALE)  # in the claim's favour
        case = worst_case(l=l, u=u).enclosure(DIGITS)
        if case.upper >= bound if side == "below" else case.lower <= bound:
            return None
        pair = (
            separating_decimals(case.upper, bound)[::-1] if side == "below" else separating_decimals(bound, case.lower)
        )
        words = "at least" if side == "below" else "at most"
        second = worst_case(l=l, u=u).enclosure(DIGITS, "float")
        return Refuted({"s": 0, "l": l, "u": u}, f"{words} {pair[0]}", pair[1], str(second), "no limit is taken")

    proof = beyond("a deficit at s = 0", least=constant(low), most=constant(high))
    return proved_or_refuted(proof, INTERVALS, refuted)


def coefficient(claimed: Fraction) -> Evidence:
    """Decide whether the coefficient of −π²/ln u at l = 1 is the number claimed."""
    expansion, proved = theorem("A_min's worst case at s = 0 and l = 1"), Fraction(1, 24)
    if not expansion.holds or claimed == proved:
        return by_theorem(expansion)
    bounds = worst_case(u=10**15).bounds()
    second = f"at u = 10^15 the worst case is in {bounds}"
    return Refuted({"l": 1}, str(claimed), str(proved), second, "it is a limit", expansion.records)


@claim(
    "at-zero",
    FORM,
    "docs/beyond/every-s.md, without prompts",
    "at $s = 0$ with $E = 1 + ∑_{k=l+1}^{u} 1/(2k−1)$ the worst case of $A_min$'s form over H-SF's lies between "
    "$¾ + ½E − 1/(4E)$ and $¾ + ½E − 3/(16E+24)$; at $l = 1$ it is $¼ ln u + ½ ln 2 + γ/4 + ¾ − (π²/24)/ln u + O(1/ln² u)$",
)
def at_zero(given: Given) -> Decision:
    """Decide both deficits and the coefficient."""
    below, above, wanted = (number(name, given[name]) for name in ("below", "above", "coefficient"))
    lower, upper, second = (
        f"the worst case is at least $¾ + ½E − ({given['below']})/E$",
        f"the worst case is at most $¾ + ½E − ({given['above']})/(E+3/2)$",
        f"at $l = 1$ $−π²/ln u$ has the coefficient ${wanted}$",
    )
    return decision_at(
        FORM,
        "$s = 0$, all integers $u ≥ l ≥ 1$",
        "a rank-one part, and Gram matrices",
        ("known to within $O(1/ln² u)$", "another constant holds"),
        Finding("at-least", lower, given.evidence(deficit, below, "below")),
        Finding("at-most", upper, given.evidence(deficit, above, "above")),
        Finding("expansion", second, given.evidence(coefficient, wanted)),
    )
