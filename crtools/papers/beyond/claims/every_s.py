"""every-s, switch-every-s: the worst case of the forms of A_min and A_ℓ over H-SF's for every s; at-zero: at s = 0."""

from fractions import Fraction
from functools import partial

import sympy as sp

from crtools.enclosure import ball, ends, fraction, hull, precision
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, agree, by_theorem
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.bounds import Side, separating_decimals
from crtools.ledger.deciders.ranges import formula_in
from crtools.numeric_types import RingElement, SymExpr
from crtools.papers.adaptive.evidence.two_lengths import suprema
from crtools.papers.adaptive.theory import theorem as adaptive
from crtools.papers.adaptive.worst_cases import kappa
from crtools.papers.beyond.theory import constant, reading_of, stated_claim, theorem
from crtools.proof.symbols import l, s, u
from crtools.worst_cases import worst_case


def apart(low: Fraction, high: Fraction, claimed: Fraction, side: Side) -> tuple[str, str] | None:
    """Return decimals of a claimed bound and of a value from ``low`` to ``high`` that is beyond it; None where it is not."""
    if side == "at most":
        return separating_decimals(claimed, low) if low > claimed else None
    if high >= claimed:
        return None
    actual, said = separating_decimals(high, claimed)
    return said, actual


# ---- every s --------------------------------------------------------------------------------------------------------

SETTINGS = ((0, 1, 1), (1, 2, 2), (0, 1, 2), (1, 1, 2), (0, 1, 20), (1, 1, 20), (40, 1, 20), (0, 1, 2000), (1, 1, 2000))
"""s, l and u at which a gap is compared with the worst case less ½(1+κ)."""

CONSEQUENCES = (
    ("explicit", "an upper bound without $κ$", "A_min's worst case for every s, without κ"),
    ("long-prompts", "it tends to $½(1+√(u/l))$ as $s → ∞$", "A_min's worst case for long prompts"),
    ("intervals", "on several intervals it is the largest of theirs", "largest of the intervals"),
)
"""Theorems that follow: a finding's id, its sentence, and the name of the theorem."""


def gap_evidence(gap: SymExpr, side: Side) -> Evidence:
    """Decide whether the worst case is at most (at least) ½(1+κ) + gap: a theorem, or one setting at which it is not."""

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        claimed: RingElement = gap.subs({s: prompt, u: up})
        case = worst_case(l=low, u=up, s=prompt)
        with precision(160):
            bounds = case.enclosure(12)
            low_gap, high_gap = ends(hull(bounds.lower, bounds.upper) - (1 + kappa(low, up, prompt)) / 2)
        if not claimed.is_Rational or (pair := apart(low_gap, high_gap, fraction(claimed), side)) is None:
            return None
        second = case.value - float(kappa(low, up, prompt)) / 2 - 0.5
        witness = {"s": prompt, "l": low, "u": up}
        return Refuted(witness, f"{side} {pair[0]}", pair[1], second, "of the forms: no limit is taken")

    name = "a gap above" if side == "at most" else "a gap below"
    return proved_or_refuted(theorem(name, gap=sp.Lambda((s, u), gap)), SETTINGS, refuted)


@stated_claim("every-s")
def every_s(given: Given) -> Decision:
    """Decide both gaps."""

    def gap(id: str, name: str, side: Side) -> Finding:
        evidence = given.evidence(gap_evidence, formula_in(given, name, s=0, u=1), side)
        return Finding(id, f"the worst case is {side} $½(1+κ) + {given[name]}$", evidence)

    return reading_of("every-s").decision(
        ("between two formulas, less than $¼$ apart", "the gap is another one"),
        gap("at-most", "above", "at most"),
        gap("at-least", "below", "at least"),
        *(Finding(id, says, given.proved(partial(adaptive, name))) for id, says, name in CONSEQUENCES),
    )


# ---- s = 0 ----------------------------------------------------------------------------------------------------------

INTERVALS = ((1, 1), (2, 2), (1, 2), (1, 20), (1, 200), (1, 2000), (20, 2000), (1, 20_000))
"""l and u at which a deficit is compared with the worst case."""

DIGITS = 11
"""Digits of the worst case on these intervals; floats have as many."""

HALF = ball(Fraction(1, 2))


def deficit(claimed: Fraction, side: Side) -> Evidence:
    """Decide whether the worst case is at least ¾ + ½E − claimed/E, or at most ¾ + ½E − claimed/(E + 3/2)."""
    low, high = (Fraction(3, 16), claimed) if side == "at least" else (claimed, Fraction(1, 4))

    def refuted(interval: tuple[int, int]) -> Refuted | None:
        l, u = interval
        with precision(160):
            odd_sum = 1 + ((ball(u) + HALF).digamma() - (ball(l) + HALF).digamma()) / 2
            shifted = odd_sum if side == "at least" else odd_sum + 3 * HALF
            bounds = ends((3 * HALF + odd_sum) / 2 - ball(claimed) / shifted)
        case = worst_case(l=l, u=u).enclosure(DIGITS)
        in_its_favour = bounds[1] if side == "at most" else bounds[0]
        if (pair := apart(case.lower, case.upper, in_its_favour, side)) is None:
            return None
        second = worst_case(l=l, u=u).enclosure(DIGITS, "float")
        return Refuted({"s": 0, "l": l, "u": u}, f"{side} {pair[0]}", pair[1], str(second), "no limit is taken")

    proof = theorem("a deficit at s = 0", least=constant(low), most=constant(high))
    return proved_or_refuted(proof, INTERVALS, refuted)


def coefficient(claimed: Fraction) -> Evidence:
    """Decide whether the coefficient of −π²/ln u at l = 1 is the number claimed."""
    expansion, proved = adaptive("A_min's worst case at s = 0 and l = 1"), Fraction(1, 24)
    if not expansion.holds or claimed == proved:
        return by_theorem(expansion)
    bounds = worst_case(u=10**15).bounds()
    second = f"at u = 10^15 the worst case is in {bounds}"
    return Refuted({"l": 1}, str(claimed), str(proved), second, "it is a limit", expansion.records)


@stated_claim("at-zero")
def at_zero(given: Given) -> Decision:
    """Decide both deficits and the coefficient."""
    below, above, wanted = (number(name, given[name]) for name in ("below", "above", "coefficient"))
    lower = f"the worst case is at least $¾ + ½E − ({given['below']})/E$"
    upper = f"the worst case is at most $¾ + ½E − ({given['above']})/(E+3/2)$"
    second = f"at $l = 1$ $−π²/ln u$ has the coefficient ${wanted}$"
    return reading_of("at-zero").decision(
        ("known to within $O(1/ln² u)$", "another constant holds"),
        Finding("at-least", lower, given.evidence(deficit, below, "at least")),
        Finding("at-most", upper, given.evidence(deficit, above, "at most")),
        Finding("expansion", second, given.evidence(coefficient, wanted)),
    )


# ---- two lengths ----------------------------------------------------------------------------------------------------

SMALL = tuple((prompt, low, up) for up in range(2, 24) for low in range(1, up) for prompt in (0, 1, 3, 20))

FIBONACCI = tuple(int(sp.fibonacci(n)) for n in range(2, 28))

SWITCH_SETTINGS = (*SMALL, *((0, low, up) for low, up in zip(FIBONACCI, FIBONACCI[2:], strict=False)))
"""s, l and u at which a threshold is tried. At s = 0 it is at u/l = φ², which quotients of Fibonacci numbers approach from both sides."""


def threshold_evidence(threshold: SymExpr) -> Evidence:
    """Decide whether A_ℓ is the better one exactly where √(u/l) exceeds the threshold: by a theorem, or a setting where it differs."""
    exact = 1 + sp.sqrt((s + l) / (s + u))

    def refuted(setting: tuple[int, int, int]) -> Refuted | None:
        prompt, low, up = setting
        root, values = sp.sqrt(sp.Rational(up, low)), {s: prompt, l: low, u: up}
        better, claimed = (bool(root > formula.subs(values)) for formula in (exact, threshold))
        if better == claimed:
            return None
        of_a_ell, of_a_min = worst_case("a-ell", low, up, prompt).value, suprema(prompt, low, up)[0]
        agree(of_a_ell < of_a_min, better, "the suprema")
        return Refuted(
            {"s": prompt, "l": low, "u": up},
            f"A_ℓ is {'' if claimed else 'not '}the better one",
            f"A_ℓ is {'' if better else 'not '}the better one, by the exact threshold",
            {"A_ell": of_a_ell, "A_min": of_a_min},
            "of the forms: no limit is taken",
        )

    a, b = sp.symbols("a b", positive=True)  # √(s+l) and √(s+u)
    in_roots = threshold.subs({sp.sqrt(s + l): a, sp.sqrt(s + u): b}).subs({s: a**2 - l}).subs({u: b**2 - a**2 + l})
    proof = theorem("the threshold of the switch", threshold=sp.Lambda((a, b), in_roots))
    return proved_or_refuted(proof, SWITCH_SETTINGS, refuted)


@stated_claim("switch-every-s")
def switch_every_s(given: Given) -> Decision:
    """Decide the threshold, and A_ℓ's supremum for every s."""
    threshold = given.evidence(threshold_evidence, formula_in(given, "threshold", s=0, l=1, u="l"))
    says = f"$A_ℓ$ is the better one exactly where $√(u/l) > {given['threshold']}$"
    return reading_of("switch-every-s").decision(
        ("the exact suprema cross there", "they cross elsewhere"),
        Finding("threshold", says, threshold),
        Finding(
            "a-ell", "$A_ℓ$'s supremum for every $s$", given.proved(partial(adaptive, "a_ell on two points, every s"))
        ),
    )
