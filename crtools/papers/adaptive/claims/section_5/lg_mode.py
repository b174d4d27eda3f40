"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given, PublishedProof, Repair, Verdict
from crtools.ledger.claims import claim
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Measured, Open, Proved, Refuted
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.one_parameter import q
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.signs.one_variable import at_least

TRUE = {"rational": ("1/(1−q)", 1 / (1 - q)), "reciprocal": ("1/ln(1/q)", 1 / sp.log(1 / q))}
"""Formulas within 1 of the mode: in words, as an expression."""


@claim("lg-mode", AT_ZERO, "Section 5.3", "$LG(p)$ peaks around $log(1/q)$")
def lg_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    evidence = near_the_mode(claimed, within)
    line, why = _line_and_why(evidence)
    says = f"the mode is within ${given['within'].strip()}$ of ${given['mode'].strip()}$"
    reading = (
        f"for every $0 < q < 1$: some mode of $P(k) = k p² q^{{k−1}}$ differs from the formula by at most ${within}$ ($s$ does "
        "not occur)"
    )
    method = "exact comparison of $P(k+1)$ with $P(k)$"
    verdict = Verdict(AT_ZERO, reading, why, method, (Finding("near-the-mode", says, evidence),))
    true_formulas = tuple(
        Finding(f"near-the-{name}", f"the mode is within 1 of ${text}$", near_the_mode(form, Fraction(1)))
        for name, (text, form) in TRUE.items()
    )
    repair = Repair(AT_ZERO, "$LG(p)$ peaks within 1 of $1/(1−q)$, and of $1/ln(1/q)$", true_formulas)
    return Decision(line, (verdict,), PublishedProof(note="a remark without proof"), (repair,))


def _line_and_why(evidence: Evidence) -> tuple[str, str]:
    if isinstance(evidence, Refuted):
        at, mode = f"at $q = {evidence.witness['q']}$ the mode is", evidence.actual[0]
        line = f"{at} {mode}, not {float(evidence.claimed):.4g}"
        short = line if len(line) <= 45 else "next to a jump the mode is further away"
        return short, f"{at} {mode}, the formula gives {evidence.claimed}"
    if isinstance(evidence, Proved):
        return "near the mode for every $q$", "the mode and the formula lie in one interval, for every $q$"
    near = f"clearly near it at {evidence.sample}" if isinstance(evidence, Measured) else "not decided for every $q$"
    return "not decided for every $q$", near


# ---- Where k q^{k−1} peaks, beside a formula: exact at rational q, and next to the places at which the mode jumps ----

JUMPS = (*range(1, 21), *(10**k for k in (2, 3, 4, 6, 9, 12)))
"""Integers q/(1−q) at which the mode jumps: it is the integer just below, and one more just above."""

NEAR_JUMPS = tuple(
    (jump + Fraction(side, 10**digits), digits) for jump in JUMPS for side in (-1, 1) for digits in (10, 40, 160, 640)
)
"""Values of q/(1−q) near a jump, and how many decimals they are from it."""

POINTS = (
    *((Fraction(k, 20), 60) for k in range(1, 20)),
    *((1 - Fraction(1, 2**k), 60) for k in (*range(5, 13), 20, 30, 40, 60, 100)),
    *((Fraction(1, 10**k), 60) for k in (2, 4, 20, 60)),
    *((turn / (1 + turn), digits + 60) for turn, digits in NEAR_JUMPS),
)
"""Values of q at which the mode is compared with a formula, and digits of the formula's value."""

MARGIN = Fraction(1, 1000)
"""A formula is supported where it keeps this distance from what is allowed at every place."""


def near_the_mode(claimed: SymExpr, within: Fraction) -> Evidence:
    """Decide whether some mode is within a distance of the formula, for every 0 < q < 1: refuted at a place, or proved."""
    proved = proof(claimed, within)
    if proved is not None:
        return proved
    safe_distance, unclear = within - MARGIN, ""
    for point, digits in POINTS:
        modes, value = _modes(point), enclosed(claimed, {q: point}, digits)
        if value is not None and min(max(value.lower - m, m - value.upper) for m in modes) > within:
            return Refuted(
                witness={"q": str(point)},
                claimed=value.decimals(6)[0],
                actual=modes,
                second=_confirmed(point, modes),
                stays="a function of $q$: no limit is taken",
                values={"mode_for_every_q": "$⌈q/(1−q)⌉$, and $q/(1−q)+1$ too where that is an integer"},
            )
        if value is None or min(max(value.upper - m, m - value.lower) for m in modes) > safe_distance:
            unclear = unclear or f"at $q ≈ {float(point):.6g}$ the difference is not clearly below {within}"
    if not unclear and not _clear_at_zero(claimed, safe_distance):
        unclear = "as $q → 0$ the mode is 1, and the formula's limit is not clearly so near"
    if unclear:
        return Open(unclear)
    return Measured(True, f"{len(POINTS)} values of $q$", f"the difference is at most {within} less {MARGIN} at each")


def proof(claimed: SymExpr, within: Fraction) -> Proved | None:
    """Prove: the mode m lies in [q/(1−q), 1/(1−q)]; so the formula is within w of it if it lies in [1/(1−q) − w, q/(1−q) + w].

    For w = 1 that is the same interval, in which 1/ln(1/q) lies too, because 1 − 1/x ≤ ln x ≤ x − 1.
    """
    zero, one, w = Fraction(0), Fraction(1), sp.Rational(within)
    low, high = 1 / (1 - q) - w, q / (1 - q) + w
    values = {"the_mode_lies_in": "$[q/(1−q), 1/(1−q)]$, an interval of length 1"}
    both = "an interval of length 1 contains both"
    if within >= 1 and sp.expand_log(claimed * sp.log(q)) == -1:
        inside = (
            f"{both}: $ln x ≤ x − 1$, with equality at $x = 1$ only, as the derivative $1 − 1/x$ changes its sign there; at "
            "$x = q$ and $x = 1/q$ it gives $1 − q ≤ ln(1/q) ≤ (1−q)/q$"
        )
        return Proved(argument=inside, values=values)
    if at_least(claimed, low, q, zero, one).holds and at_least(high, claimed, q, zero, one).holds:
        argument = (
            both if within == 1 else f"the formula is at least $1/(1−q) − {within}$ and at most $q/(1−q) + {within}$"
        )
        return Proved(argument=argument, values=values, uses=("Sturm",))
    return None


def _modes(point: Fraction) -> list[int]:
    """P(k+1) ≥ P(k) exactly for k ≤ q/(1−q)."""
    turn = point / (1 - point)
    whole = int(turn)
    return [whole, whole + 1] if turn == whole and whole >= 1 else [whole + 1]


def _confirmed(point: Fraction, modes: list[int]) -> str:
    """Confirm the modes by evaluating k q^{k−1} exactly at each and at its neighbours: it rises, then falls."""
    for m in modes:
        here = Fraction(m) * point  # all over q^{m−2}
        if Fraction(m - 1) > here or Fraction(m + 1) * point**2 > here:
            raise AssertionError("two computations of the mode differ")
    return f"$k q^{{k−1}}$ at $k = {', '.join(str(m) for m in modes)}$ is not below its neighbours, exactly"


def _clear_at_zero(claimed: SymExpr, clear: Fraction) -> bool:
    try:
        return bool(abs(sp.limit(claimed, q, 0, "+") - 1) <= sp.Rational(clear))
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return False
