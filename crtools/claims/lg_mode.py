"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.one_parameter import (
    q,
)
from crtools.claims.result import Decision, Part, Proof, Repair, Verdict
from crtools.closed_form.evaluate import enclose
from crtools.errors import NotCertified
from crtools.expressions import formula


def decide_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1 of m(q) for every q."""
    _, claimed = formula("mode", given["mode"], {"q": q})
    name = "the mode is within 1 of the formula"
    worst: dict[str, Any] | None = None
    places = (*(Fraction(k, 20) for k in range(1, 20)), *(1 - Fraction(1, 2**k) for k in range(5, 13)))
    looked_at = 0
    for place in places:
        modes = _modes(place)
        try:
            shown = enclose(
                sp.expand_log(claimed.subs(q, sp.Rational(place.numerator, place.denominator)).doit()), {}, 8
            )
        except (NotCertified, ArithmeticError, TypeError, ValueError):
            continue
        looked_at += 1
        gap = min(max(shown.lower - m, m - shown.upper) for m in modes)
        if gap > 1 and worst is None:
            found = max(range(1, 40000), key=lambda k: float(k) * float(place) ** (k - 1))
            worst = {
                "counterexample": {"q": str(place)},
                "mode": modes,
                "formula": list(shown.decimals(6)),
                "second computation": f"argmax of k q^(k−1) by evaluation: {found}",
                "strongest true form": "the mode is ⌈q/(1−q)⌉ (and q/(1−q)+1 where that is an integer), within 1 of 1/ln(1/q)",
            }
            if found not in modes:
                raise AssertionError("two computations of the mode differ")
    part = (
        Part(name, "refuted", worst)
        if worst is not None
        else _mode_proof(name, claimed)
        if looked_at == len(places)
        else Part(
            name, "inconclusive", {"tried": f"the formula was evaluated at {looked_at} of {len(places)} values of q"}
        )
    )
    reading = (
        "for every 0 < q < 1: some mode of P(k) = k p² q^{k−1} differs from the formula by at most 1 (s does not occur)"
    )
    why = (
        f"within 1 of the mode at all {looked_at} values of q"
        if looked_at == len(places)
        else "not evaluated everywhere"
    )
    if worst is not None:
        why = f"at q = {worst['counterexample']['q']} the mode is {worst['mode'][0]}, the formula gives {worst['formula'][0]}"
    verdict = Verdict("as-stated", reading, "exact comparison of P(k+1) with P(k)", (part,), why)
    near = _mode_proof("the mode is within 1 of 1/(1−q)", 1 / (1 - q))
    repair = Repair("LG(p) peaks within 1 of 1/(1−q)", (near,))
    return Decision((verdict,), Proof("not-examined", "a remark without proof"), (repair,))


def _modes(place: Fraction) -> list[int]:
    """P(k+1) ≥ P(k) exactly for k ≤ q/(1−q)."""
    turn = place / (1 - place)
    whole = int(turn)
    return [whole, whole + 1] if turn == whole and whole >= 1 else [whole + 1]


def _mode_proof(name: str, claimed: Any) -> Part:
    """A mode lies in [q/(1−q), 1/(1−q)]; so does 1/ln(1/q), because 1 − 1/x ≤ ln x ≤ x − 1."""
    if claimed.is_rational_function(q):
        from crtools.derivation.comparison import at_least

        zero, one = Fraction(0), Fraction(1)
        above = at_least(claimed, q / (1 - q), q, zero, one).holds
        below = at_least(1 / (1 - q), claimed, q, zero, one).holds
        if above and below:
            return Part(
                name,
                "proved",
                {
                    "argument": "an interval of length 1 contains both",
                    "both lie in": "[q/(1−q), 1/(1−q)], an interval of length 1",
                },
                ("Sturm",),
            )
    return Part(name, "supported", {"sample": "27 values of q", "margin": "the difference is at most 1 at each"})


LG_MODE = Claim(
    id="lg-mode",
    place="Section 5.3",
    statement="LG(p) peaks around log(1/q)",
    given={"mode": "log(1/q)"},
    decide=decide_mode,
    corrupted=(
        Variant("a sign", {"mode": "log(q)"}),
        Variant("a factor", {"mode": "2/log(1/q)"}),
        Variant("another function", {"mode": "1/(1-q)**2"}),
    ),
    variants=(Variant("the reciprocal", {"mode": "1/log(1/q)"}), Variant("a rational form", {"mode": "1/(1-q)"})),
)
