"""lg-extremes and lg-mode: remarks on LG(p): are extreme values frequent, and where does k q^k peak?"""

from fractions import Fraction
from math import ceil

import sympy as sp

from crtools.closed_form.evaluate import enclosed
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Measured, Open, Proved, Refuted, Repair, by_theorem
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.evidence import agree
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.one_parameter import q
from crtools.papers.adaptive.evidence.reading import one_of, repairs
from crtools.papers.adaptive.theory import AT_ZERO, reading_of, stated_claim, theorem
from crtools.signs.one_variable import at_least

WHERE = Fraction(1, 2)
"""The q of the witness."""

RELATIONS = {"more": "larger", "less": "smaller", "equally": "as large"}
"""How frequent extreme values may be said to be, and what that says of tails."""

TRUE, PROOFS = {"mean": "less", "p": "more"}, {"mean": "mean", "p": "parameter"}
"""How frequent they are, at equal mean and at equal p, and the theorems that say so."""


@stated_claim("lg-extremes")
def lg_extremes(given: Given) -> Decision:
    """Decide whether P(o ≥ k) is larger, or smaller, under LG for all large k, and (deciding nothing) the same of the variance."""
    kind, relation = one_of(given, "equal", TRUE), one_of(given, "extremes", RELATIONS)
    [other_kind] = TRUE.keys() - {kind}
    than = "as" if relation == "equally" else "than"
    larger = f"is {RELATIONS[relation]} under $LG(p)$ {than} under the geometric distribution of"
    findings = (
        Finding("tails", f"$P(o ≥ k)$ {larger} the same {kind}, for all large $k$", tails(kind, relation)),
        Finding("variance", f"the variance {larger} the same mean", variance(relation), decides=False),
        Finding(
            f"at-equal-{other_kind}",
            f"$P(o ≥ k)$ {larger} the same {other_kind}, for all large $k$",
            tails(other_kind, relation),
            decides=False,
        ),
    )
    why = f"at equal {kind} they are {TRUE[kind]} frequent"
    read = reading_of("lg-extremes", kind=kind)
    return Decision(why, (read.verdict(AT_ZERO, why, *findings),), read.proof(), repairs("lg-tails"))


def tails(kind: str, relation: str) -> Evidence:
    """Decide whether P(o ≥ k) is larger, smaller or the same under LG for all large k."""
    proof, mean = theorem(f"LG against the geometric distribution of its {PROOFS[kind]}"), (1 + WHERE) / (1 - WHERE)
    if relation == TRUE[kind] and proof.holds:
        return by_theorem(proof)
    q, other, k = WHERE, 1 - 1 / mean if kind == "mean" else WHERE, ceil(2 * mean)
    values = [(1 + (k - 1) * (1 - q)) * q ** (k - 1), other ** (k - 1)]
    weights = [(i * (1 - q) ** 2 * q ** (i - 1), (1 - other) * other ** (i - 1)) for i in range(1, k)]
    second = agree(values, [1 - sum(weight_column) for weight_column in zip(*weights, strict=True)], "the tails")
    agree(values[0] < values[1], kind == "mean", "which tail is the larger one")
    witness = {"q": str(q), "k": k, "mean_of_LG": str(mean), "q_of_the_geometric": str(other)}
    stays = "at every $q$, for every $k ≥ " + ("2m$, and the quotient tends to 0" if kind == "mean" else "2$")
    tail_texts = [str(tail) for tail in second]
    return Refuted(witness, _comparison(relation, values[1]), str(values[0]), tail_texts, stays, proof.records)


def _comparison(relation: str, value: Fraction) -> str:
    return f"{RELATIONS[relation]} {'as' if relation == 'equally' else 'than'} {value}"


def variance(relation: str) -> Evidence:
    """Decide whether the variance is larger, smaller or the same under LG at equal mean."""
    mean = (1 + WHERE) / (1 - WHERE)
    lg_variance, geometric_variance = (mean**2 - 1) / 2, mean**2 - mean
    laws = ([k * WHERE**k for k in range(1, 400)], [(1 - 1 / mean) ** k for k in range(1, 400)])
    sums = [[float(sum(x * k**power for k, x in enumerate(law, start=1))) for power in (0, 1, 2)] for law in laws]
    second = [round(square / n - (first / n) ** 2, 9) for n, first, square in sums]
    agree([round(float(value), 9) for value in (lg_variance, geometric_variance)], second, "the variances")
    if relation == "less":
        return Proved(argument="at the mean $m$ they are $(m²−1)/2$ and $m² − m$, which is larger by $½(m−1)²$")
    at, stays = {"q": str(WHERE), "mean": str(mean)}, "at every $q$ it is smaller by $½(m−1)²$"
    return Refuted(at, _comparison(relation, geometric_variance), str(lg_variance), second, stays)


NEAR_THE_MODE = {"rational": ("1/(1−q)", 1 / (1 - q)), "reciprocal": ("1/ln(1/q)", 1 / sp.log(1 / q))}
"""Formulas within 1 of the mode: in words, as an expression."""


@stated_claim("lg-mode")
def lg_mode(given: Given) -> Decision:
    """Decide "peaks around m(q)": the mode of k q^{k−1} is within 1, or what is given, of m(q) for every q."""
    _, claimed = formula_on("mode", given["mode"], {"q": q}, unit("q"))
    within = number("within", given["within"])
    evidence = near_the_mode(claimed, within)
    line, why = _line_and_why(evidence)
    says = f"the mode is within ${given['within'].strip()}$ of ${given['mode'].strip()}$"
    read = reading_of("lg-mode", within=within)
    verdict = read.verdict(AT_ZERO, why, Finding("near-the-mode", says, evidence))
    true_formulas = tuple(
        Finding(f"near-the-{name}", f"the mode is within 1 of ${text}$", near_the_mode(form, Fraction(1)))
        for name, (text, form) in NEAR_THE_MODE.items()
    )
    repair = Repair(AT_ZERO, "$LG(p)$ peaks within 1 of $1/(1−q)$, and of $1/ln(1/q)$", true_formulas)
    return Decision(line, (verdict,), read.proof(), (repair,))


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
        before, here, after = m - 1, m * point, (m + 1) * point**2  # over q^{m−2}
        agree(before <= here >= after, True, "whether the mode is not below its neighbours")
    return f"$k q^{{k−1}}$ at $k = {', '.join(str(m) for m in modes)}$ is not below its neighbours, exactly"


def _clear_at_zero(claimed: SymExpr, clear: Fraction) -> bool:
    try:
        return bool(abs(sp.limit(claimed, q, 0, "+") - 1) <= sp.Rational(clear))
    except (ArithmeticError, NotImplementedError, TypeError, ValueError):
        return False
