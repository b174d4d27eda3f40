"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.one_parameter import (
    q,
)
from crtools.claims.ranges import formula_on, unit
from crtools.claims.result import Decision, Part, Proof, Repair, Verdict
from crtools.closed_form.evaluate import enclosed
from crtools.derivation.comparison import at_least
from crtools.expressions import number


def decide_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    name = f"the mode is within {given['within'].strip()} of the formula"
    worst: dict[str, Any] | None = None
    places = (
        *(Fraction(k, 20) for k in range(1, 20)),
        *(1 - Fraction(1, 2**k) for k in (*range(5, 13), 20, 30, 40, 60, 100)),
        *(Fraction(1, 10**k) for k in (2, 4, 20, 60)),
        # q/(1−q) just below and just above an integer, where the mode jumps
        *(Fraction(n * d + e, (n + 1) * d + e) for n in (1, 2, 10, 1000) for d in (10**15, 10**50) for e in (-1, 1)),
    )
    looked_at = 0
    for place in places:
        modes = _modes(place)
        shown = enclosed(claimed, {q: place}, 60)
        if shown is None:
            continue
        looked_at += 1
        gap = min(max(shown.lower - m, m - shown.upper) for m in modes)
        if gap > within and worst is None:
            worst = {
                "counterexample": {"q": str(place)},
                "mode": modes,
                "formula": list(shown.decimals(6)),
                "second computation": _again(place, modes),
                "strongest true form": "the mode is ⌈q/(1−q)⌉ (and q/(1−q)+1 where that is an integer), within 1 of 1/ln(1/q)",
            }
    part = (
        Part(name, "refuted", worst)
        if worst is not None
        else _mode_proof(name, claimed, within, looked_at)
        if looked_at == len(places)
        else Part(
            name, "inconclusive", {"tried": f"the formula was evaluated at {looked_at} of {len(places)} values of q"}
        )
    )
    reading = (
        f"for every 0 < q < 1: some mode of P(k) = k p² q^{{k−1}} differs from the formula by at most {within} "
        "(s does not occur)"
    )
    why = (
        f"within {within} of the mode at all {looked_at} values of q"
        if looked_at == len(places)
        else "not evaluated everywhere"
    )
    if part.status == "proved":
        why = "the mode and the formula lie in one interval of length 1, for every q"
    if worst is not None:
        why = f"at q = {worst['counterexample']['q']} the mode is {worst['mode'][0]}, the formula gives {worst['formula'][0]}"
    verdict = Verdict("as-stated", reading, "exact comparison of P(k+1) with P(k)", (part,), why)
    near = _mode_proof("the mode is within 1 of 1/(1−q)", 1 / (1 - q), Fraction(1), 0)
    repair = Repair("LG(p) peaks within 1 of 1/(1−q)", (near,))
    return Decision((verdict,), Proof("not-examined", "a remark without proof"), (repair,))


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


def _mode_proof(name: str, claimed: Any, within: Fraction, looked_at: int) -> Part:
    """A mode lies in [q/(1−q), 1/(1−q)]; so does 1/ln(1/q), because 1 − 1/x ≤ ln x ≤ x − 1."""
    zero, one = Fraction(0), Fraction(1)
    inside = within >= 1 and (
        at_least(claimed, q / (1 - q), q, zero, one).holds and at_least(1 / (1 - q), claimed, q, zero, one).holds
    )
    if inside:
        evidence = {
            "argument": "an interval of length 1 contains both",
            "both lie in": "[q/(1−q), 1/(1−q)], an interval of length 1",
        }
        return Part(name, "proved", evidence, ("Sturm",))
    if within >= 1 and sp.expand_log(claimed * sp.log(q)) == -1:
        evidence = {
            "argument": "an interval of length 1 contains both: ln x ≤ x − 1, with equality at x = 1 only, as the "
            "derivative 1 − 1/x changes its sign there; at x = q and x = 1/q it gives 1 − q ≤ ln(1/q) ≤ (1−q)/q",
            "both lie in": "[q/(1−q), 1/(1−q)], an interval of length 1",
        }
        return Part(name, "proved", evidence)
    if within < 1 and not _near_one_at_zero(claimed, within):
        return Part(name, "inconclusive", {"tried": "as q → 0 the mode is 1, and the formula's limit is not so near"})
    margin = f"the difference is at most {within} at each"
    return Part(name, "supported", {"sample": f"{looked_at} values of q", "margin": margin})


def _near_one_at_zero(claimed: Any, within: Fraction) -> bool:
    try:
        return bool(abs(sp.limit(claimed, q, 0, "+") - 1) <= sp.Rational(within.numerator, within.denominator))
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
    ),
    variants=(
        Variant("the reciprocal", {"mode": "1/log(1/q)"}),
        Variant("a rational form", {"mode": "1/(1-q)"}),
        Variant("the middle of the interval", {"mode": "(1+q)/(2*(1-q))"}),
    ),
)
