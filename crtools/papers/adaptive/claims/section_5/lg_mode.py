"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict
from crtools.papers.adaptive.claims.section_5.one_parameter import q
from crtools.ratios.comparison import at_least

PLACES = (
    *(Fraction(k, 20) for k in range(1, 20)),
    *(1 - Fraction(1, 2**k) for k in (*range(5, 13), 20, 30, 40, 60, 100)),
    *(Fraction(1, 10**k) for k in (2, 4, 20, 60)),
    # q/(1−q) just below and just above an integer, where the mode jumps
    *(Fraction(n * d + e, (n + 1) * d + e) for n in (1, 2, 10, 1000) for d in (10**15, 10**50) for e in (-1, 1)),
)

JUMPS = (*range(1, 21), *(10**k for k in (2, 3, 4, 6, 9, 12)))
"""Integers q/(1−q) at which the formula is compared with the modes just below and just above."""

NEAREST = 700
"""A place near a jump is at most so many decimals from it."""


def decide_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    name = f"the mode is within {given['within'].strip()} of the formula"
    part = _mode_proof(name, claimed, within) or _counterexample(name, claimed, within) or _open(name, claimed, within)
    reading = (
        f"for every 0 < q < 1: some mode of P(k) = k p² q^{{k−1}} differs from the formula by at most {within} "
        "(s does not occur)"
    )
    why = f"{name}: {part.status}; it was compared at {len(PLACES)} values of q and near {len(JUMPS)} jumps of the mode"
    if part.status == "proved":
        why = "the mode and the formula lie in one interval, for every q"
    if part.status == "refuted":
        at = part.evidence
        why = f"at q = {at['counterexample']['q']} the mode is {at['mode'][0]}, the formula gives {at['formula'][0]}"
    verdict = Verdict("as-stated", reading, "exact comparison of P(k+1) with P(k)", (part,), why)
    near = _mode_proof("the mode is within 1 of 1/(1−q)", 1 / (1 - q), Fraction(1))
    repairs = (Repair("LG(p) peaks within 1 of 1/(1−q)", (near,)),) if near else ()
    return Decision((verdict,), Proof("not-examined", "a remark without proof"), repairs)


def _counterexample(name: str, claimed: Any, within: Fraction) -> Part | None:
    """Refute at a rational q where each mode is further away: at one of ``PLACES``, or next to a jump of the mode."""
    for place in PLACES:
        found = _further(claimed, place, within, 60)
        if found is not None:
            return Part(name, "refuted", found)
    for jump in JUMPS:
        for side in (-1, 1):
            if not _fails_beside(claimed, jump, side, within):
                continue
            digits = 10
            while digits <= NEAREST:  # it is continuous: so it fails at all places near enough
                turn = jump + Fraction(side, 10**digits)
                found = _further(claimed, turn / (1 + turn), within, digits + 60)
                if found is not None:
                    return Part(name, "refuted", found)
                digits *= 2
    return None


def _further(claimed: Any, place: Fraction, within: Fraction, digits: int) -> dict[str, Any] | None:
    modes, shown = _modes(place), enclosed(claimed, {q: place}, digits)
    if shown is None or min(max(shown.lower - m, m - shown.upper) for m in modes) <= within:
        return None
    return {
        "counterexample": {"q": str(place)},
        "mode": modes,
        "formula": list(shown.decimals(6)),
        "second computation": _again(place, modes),
        "strongest true form": "the mode is ⌈q/(1−q)⌉ (and q/(1−q)+1 where that is an integer), within 1 of 1/ln(1/q)",
    }


def _fails_beside(claimed: Any, jump: int, side: int, within: Fraction) -> bool:
    """Return whether the formula at q/(1−q) = jump is further than ``within`` from the mode next to it on one side.

    The mode is ``jump`` just below and jump + 1 just above.
    """
    mode = jump if side < 0 else jump + 1
    for digits in (60, 400, NEAREST):
        shown = enclosed(claimed, {q: Fraction(jump, jump + 1)}, digits)
        if shown is None or (shown.upper - mode <= within and mode - shown.lower <= within):
            return False
        if shown.lower - mode > within or mode - shown.upper > within:
            return True
    return False


def _modes(place: Fraction) -> list[int]:
    """P(k+1) ≥ P(k) exactly for k ≤ q/(1−q)."""
    turn = place / (1 - place)
    whole = int(turn)
    return [whole, whole + 1] if turn == whole and whole >= 1 else [whole + 1]


def _again(place: Fraction, modes: list[int]) -> str:
    """Confirm the modes by evaluating k q^{k−1} exactly at each and at its neighbours: it rises, then falls."""
    for m in modes:
        here = Fraction(m) * place  # all over q^{m−2}
        if Fraction(m - 1) > here or Fraction(m + 1) * place**2 > here:
            raise AssertionError("two computations of the mode differ")
    return f"k q^(k−1) at k = {', '.join(str(m) for m in modes)} is not below its neighbours, exactly"


def _mode_proof(name: str, claimed: Any, within: Fraction) -> Part | None:
    """The mode m lies in [q/(1−q), 1/(1−q)]; so the formula is within w of it if it lies in [1/(1−q) − w, q/(1−q) + w].

    For w = 1 that is the same interval, in which 1/ln(1/q) lies too, because 1 − 1/x ≤ ln x ≤ x − 1.
    """
    zero, one, w = Fraction(0), Fraction(1), sp.Rational(within.numerator, within.denominator)
    low, high = 1 / (1 - q) - w, q / (1 - q) + w
    interval = "[q/(1−q), 1/(1−q)], an interval of length 1"
    if at_least(claimed, low, q, zero, one).holds and at_least(high, claimed, q, zero, one).holds:
        if within == 1:
            evidence = {"argument": "an interval of length 1 contains both", "both lie in": interval}
        else:
            evidence = {
                "argument": f"the formula is at least 1/(1−q) − {within}, and at most q/(1−q) + {within}",
                "the mode lies in": interval,
            }
        return Part(name, "proved", evidence, ("Sturm",))
    if within >= 1 and sp.expand_log(claimed * sp.log(q)) == -1:
        evidence = {
            "argument": "an interval of length 1 contains both: ln x ≤ x − 1, with equality at x = 1 only, as the "
            "derivative 1 − 1/x changes its sign there; at x = q and x = 1/q it gives 1 − q ≤ ln(1/q) ≤ (1−q)/q",
            "both lie in": interval,
        }
        return Part(name, "proved", evidence)
    return None


MARGIN = Fraction(1, 1000)
"""A formula is supported where it keeps this distance from what is allowed at every place."""


def _open(name: str, claimed: Any, within: Fraction) -> Part:
    """Supported where the formula stays clear of what is allowed at all places, near the jumps and at q → 0."""
    if not _clear_at_zero(claimed, within):
        return Part(
            name, "inconclusive", {"tried": "as q → 0 the mode is 1, and the formula's limit is not clearly so near"}
        )
    clear = within - MARGIN
    for place in PLACES:
        shown = enclosed(claimed, {q: place}, 60)
        if shown is None or min(max(shown.upper - m, m - shown.lower) for m in _modes(place)) > clear:
            return Part(name, "inconclusive", {"tried": f"at q = {place} the difference is not clearly below {within}"})
    for jump in JUMPS:
        if _fails_beside(claimed, jump, -1, clear) or _fails_beside(claimed, jump, 1, clear):
            return Part(
                name, "inconclusive", {"tried": f"next to q = {jump}/{jump + 1} it is not clearly below {within}"}
            )
    margin = f"the difference is at most {within} less {MARGIN} at each"
    return Part(
        name, "supported", {"sample": f"{len(PLACES)} values of q, and near {len(JUMPS)} jumps", "margin": margin}
    )


def _clear_at_zero(claimed: Any, within: Fraction) -> bool:
    try:
        clear = within - MARGIN
        return bool(abs(sp.limit(claimed, q, 0, "+") - 1) <= sp.Rational(clear.numerator, clear.denominator))
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return False


LG_MODE = Claim(
    id="lg-mode",
    place="Section 5.3",
    statement="LG(p) peaks around log(1/q)",
    given={"mode": "log(1/q)", "within": "1"},
    decide=decide_mode,
    corrupted=(
        Variant("a sign", {"mode": "log(q)"}),
        Variant("a factor", {"mode": "2/log(1/q)"}),
        Variant("another function", {"mode": "1/(1-q)**2"}),
        Variant("the reciprocal off by 1 %", {"mode": "1.01/log(1/q)"}),
        Variant("the reciprocal, closer than it is", {"mode": "1/log(1/q)", "within": "0.99"}),
        Variant("a rational form, closer than it is by a hair", {"mode": "1/(1-q)", "within": "1-1e-30*1e-30"}),
    ),
    variants=(
        Variant("the reciprocal", {"mode": "1/log(1/q)"}),
        Variant("a rational form", {"mode": "1/(1-q)"}),
        Variant("the middle of the interval", {"mode": "(1+q)/(2*(1-q))"}),
        Variant("the middle of the interval, as near as it is", {"mode": "(1+q)/(2*(1-q))", "within": "1/2"}),
    ),
)
