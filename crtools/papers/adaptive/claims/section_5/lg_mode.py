"""lg-mode: where k q^k peaks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import Evidence, Measured, Open, Proved, Refuted
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.one_parameter import q
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.ratios.comparison import at_least

PLACES = (
    *(Fraction(k, 20) for k in range(1, 20)),
    *(1 - Fraction(1, 2**k) for k in (*range(5, 13), 20, 30, 40, 60, 100)),
    *(Fraction(1, 10**k) for k in (2, 4, 20, 60)),
    # q/(1−q) just below and just above an integer, where the mode jumps
    *(Fraction(n * d + e, (n + 1) * d + e) for n in (1, 2, 10, 1000) for d in (10**15, 10**50) for e in (-1, 1)),
)
"""Values of q at which the mode is compared with a formula."""


def decide(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    found = near_the_mode(claimed, within)
    says = f"the mode is within ${given['within'].strip()}$ of ${given['mode'].strip()}$"
    reading = (
        f"for every $0 < q < 1$: some mode of $P(k) = k p² q^{{k−1}}$ differs from the formula by at most ${within}$ ($s$ does "
        "not occur)"
    )
    verdict = Verdict(
        AT_ZERO,
        reading,
        _why(found),
        "exact comparison of $P(k+1)$ with $P(k)$",
        (Finding("near-the-mode", says, found),),
    )
    near = [
        Finding(f"near-{n}", f"the mode is within 1 of ${text}$", _proof(form, Fraction(1))) for n, text, form in TRUE
    ]
    repair = Repair(AT_ZERO, "$LG(p)$ peaks within 1 of $1/(1−q)$, and of $1/ln(1/q)$", tuple(near))
    return Decision(_line(found), (verdict,), PublishedProof(note="a remark without proof"), (repair,))


TRUE = (("1", "1/(1−q)", 1 / (1 - q)), ("2", "1/ln(1/q)", 1 / sp.log(1 / q)))
"""Formulas that the mode is near: a name, in words, as an expression."""


def near_the_mode(claimed: Any, within: Fraction) -> Evidence:
    """Decide whether the mode is so near to a formula: refuted at a q, proved for every q, or compared at some."""
    looked_at = 0
    for place in PLACES:
        modes = _modes(place)
        shown = enclosed(claimed, {q: place}, 60)
        if shown is None:
            continue
        looked_at += 1
        if min(max(shown.lower - m, m - shown.upper) for m in modes) > within:
            return Refuted(
                witness={"q": str(place)},
                claimed=shown.decimals(6)[0],
                actual=modes,
                second=_again(place, modes),
                stays="a function of $q$: no limit is taken",
                values={"mode_for_every_q": "$⌈q/(1−q)⌉$, and $q/(1−q)+1$ too where that is an integer"},
            )
    if looked_at < len(PLACES):
        return Open(f"the formula was evaluated at {looked_at} of {len(PLACES)} values of $q$")
    return _proof(claimed, within)


def _why(found: Evidence) -> str:
    if isinstance(found, Refuted):
        return f"at $q = {found.witness['q']}$ the mode is {found.actual[0]}, the formula gives {found.claimed}"
    if isinstance(found, Proved):
        return "the mode and the formula lie in one interval of length 1, for every $q$"
    return f"near the mode at {len(PLACES)} values of $q$" if isinstance(found, Measured) else "not decided"


def _line(found: Evidence) -> str:
    if isinstance(found, Refuted):
        place = f"at $q = {found.witness['q']}$ " if len(found.witness["q"]) < 8 else ""
        line = f"{place}the mode is {found.actual[0]}, not {float(found.claimed):.4g}"
        return line if len(line) <= 45 else "the mode is elsewhere"
    return "near the mode for every $q$" if found.status == "proved" else "not decided for every $q$"


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
    return f"$k q^{{k−1}}$ at $k = {', '.join(str(m) for m in modes)}$ is not below its neighbours, exactly"


BOTH = "$[q/(1−q), 1/(1−q)]$, an interval of length 1"


def _proof(claimed: Any, within: Fraction) -> Evidence:
    """A mode lies in [q/(1−q), 1/(1−q)]; so does 1/ln(1/q), because 1 − 1/x ≤ ln x ≤ x − 1."""
    zero, one = Fraction(0), Fraction(1)
    inside = within >= 1 and (
        at_least(claimed, q / (1 - q), q, zero, one).holds and at_least(1 / (1 - q), claimed, q, zero, one).holds
    )
    if inside:
        values = {"both_lie_in": BOTH}
        return Proved(argument="an interval of length 1 contains both", values=values, uses=("Sturm",))
    if within >= 1 and sp.expand_log(claimed * sp.log(q)) == -1:
        argument = (
            "an interval of length 1 contains both: $ln x ≤ x − 1$, with equality at $x = 1$ only, as the derivative "
            "$1 − 1/x$ changes its sign there; at $x = q$ and $x = 1/q$ it gives $1 − q ≤ ln(1/q) ≤ (1−q)/q$"
        )
        return Proved(argument=argument, values={"both_lie_in": BOTH})
    if within < 1 and not _near_one_at_zero(claimed, within):
        return Open("as $q → 0$ the mode is 1, and the formula's limit is not so near")
    return Measured(True, f"{len(PLACES)} values of $q$", f"the difference is at most {within} at each")


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


CLAIM = Claim(
    id="lg-mode",
    place="Section 5.3",
    statement="$LG(p)$ peaks around $log(1/q)$",
    stated_at=AT_ZERO,
    given={"mode": "log(1/q)", "within": "1"},
    decide=decide,
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
