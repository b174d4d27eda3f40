"""thm-optimality: no policy without knowledge of o is better than A_min; kill and restart is, without bound.

The process decides it: the literal A_min's ratio is at least ¼ √(1/α) where s ≥ 3u, and that of a-restart, which knows
l and u only, is at most 64/3 + 4 for every s, l and u.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.evidence.process_bounds import approximately
from crtools.papers.adaptive.literal.restart import least_ratio as literal_least_ratio
from crtools.papers.adaptive.literal.restart import minors
from crtools.papers.adaptive.theorems.form import log_bound
from crtools.papers.adaptive.theorems.process import algorithm_two, literal_a_min, restart
from crtools.proof.steps import Identity, Inference, Positive
from crtools.proof.symbols import l
from crtools.proof.theorem import Theorem, prefixed

RELATIONS = (">", ">=", "=", "<=", "<")
LAWS: tuple[dict[int, Fraction], ...] = (
    {1: Fraction(1, 2), 3: Fraction(1, 2)},
    {1: Fraction(1, 2), 2: Fraction(1, 2)},
    {1: Fraction(9, 10), 100: Fraction(1, 10)},
    {k: Fraction(1, 4) for k in (1, 2, 3, 4)},
)
"""Laws on which the displays of the proof are tried; each allows every n, and lengths with l < u."""

LARGEST_POWER = 12
"""Instances with u = 4^m up to this m are tried before the general family decides."""


def decide(given: Given) -> Decision:
    """Decide CR(π) ≥ factor · CR(A_min) for every π, of the process and of the forms, and the proof's displays."""
    factor = number("factor", given["factor"])
    for name in ("expectations", "residuals"):
        if given[name].strip() not in RELATIONS:
            raise InputError(name, given[name], f"must be one of {', '.join(RELATIONS)}")
    difference = _difference(given["difference"])
    lower = from_theorem("the literal A_min's ratio is at least ¼ √(1/α) for s ≥ 3u", literal_a_min.theorem())
    upper = from_theorem("the ratio of a-restart is at most 64/3 + 4 for every s, l, u", restart.theorem())
    each = _each_s()
    process = _process(factor, lower, upper)
    forms = _forms(factor)
    displays = (
        _display(
            "E[o_i | o_i ≥ õ_i] {} E[o_j | o_j ≥ õ_j] for õ_i > õ_j", given["expectations"].strip(), residual=False
        ),
        _display("E[o_i | …] − õ_i {} E[o_j | …] − õ_j for õ_i > õ_j", given["residuals"].strip(), residual=True),
        difference,
    )
    broken = [p.part for p in displays if p.status == "refuted"]
    step = (
        f"{broken[-1]}: false" if broken else "exchanging two requests of two schedules is not shown to keep the rest"
    )
    reading = (
        "every s ≥ 0 and l ≤ u; A_min is Algorithm 2 to the letter; π is any policy that knows l and u and no length, and may "
        "cancel as A_min does; CR is the supremum over all lengths in [l, u] and n of E TEL over H-SF's, then M → ∞"
    )
    words = "better without bound" if process.status == "refuted" else "not better"
    return Decision(
        (
            Verdict(
                "as-stated",
                reading,
                "a lower bound for A_min and an upper bound for kill and restart, both proved at finite n and M",
                (process, lower, each, upper, *displays),
                f"kill and restart with doubled thresholds has ratio ≤ 64/3 + 4 for every α; A_min has ≥ ¼√(1/α) where s ≥ 3u, and "
                f"for each fixed s of the order α⁻¹/ln(1/α): {words}",
                ("n = 1 or α = 1: every ratio is a constant",),
            ),
            Verdict(
                "where-argued",
                "s = 0, M → ∞, of the forms, on every [l, u]",
                "a-restart's form is at most 32/3 times H-SF's; A_min's worst case is at least ¾ + ½E − 1/(4E)",
                (forms, *displays),
                f"of the forms at s = 0: {forms.status}; a-restart's supremum is at most 32/3, A_min's is ¼ ln(1/α) + Θ(1)",
            ),
        ),
        Proof("false-step" if broken else "gap", step),
        (_repair(lower, each, upper),) if process.status == "refuted" else (),
    )


def _repair(lower: Part, each: Part, upper: Part) -> Repair:
    sentence = (
        "no constant times the best ratio without knowledge of o bounds CR(A_min): kill and restart (a-restart) has CR ≤ 64/3 + 4 for "
        "all s ≥ 0 and l ≤ u as M → ∞, while Algorithm 2 has CR ≥ ¼√(1/α) for s ≥ 3u, α = 1/r², and at l = 1 and each fixed s "
        "CR ≥ (u/2)/(1 + 2(s+1) ln((s+u)/(s+1)))"
    )
    return Repair(sentence, (lower, each, upper))


def _each_s() -> Part:
    """For each fixed s A_min's ratio is unbounded too: a part with the three theorems that say so."""
    name = "the literal A_min's ratio is at least (u/2)/(1 + 2(s+1) ln((s+u)/(s+1))) for every s, l = 1"
    proofs = (algorithm_two.lower_bound(), algorithm_two.h_sf_upper(), algorithm_two.growth())
    evidence: dict[str, Any] = {
        "argument": "the bound of Algorithm 2 from below over that of H-SF from above; it grows with u without bound",
        "theorems": [t.as_json() for t in proofs],
    }
    if not all(t.holds for t in proofs):
        return Part(name, "inconclusive", evidence)
    return Part(name, "proved", evidence, tuple(use for t in proofs for use in t.uses))


def _process(factor: Fraction, lower: Part, upper: Part) -> Part:
    name = "CR(π) ≥ factor · CR(A_min) for every π, in the process"
    if factor <= 0:
        return from_theorem(name, trivial_theorem())
    if lower.status != "proved" or upper.status != "proved":
        return Part(
            name, "inconclusive", {"tried": "a bound of the two is not proved", "bounds": [lower.part, upper.part]}
        )
    root = int(4 * restart.CONSTANT / factor) + 1
    evidence: dict[str, Any] = {
        "policy": "a-restart: kill at thresholds l, 2l, 4l, …, u and start again after the others",
        "family": f"l = 1, u = r², s ≥ 3u, r ≥ {root}: factor · r/4 > 64/3 + 4; n/M → ∞ and M → ∞",
        "smaller": "smaller α, any n large enough, M → ∞: the gap grows without bound",
    }
    found = _instance(factor)
    if found is None:
        evidence["counterexample"] = {"s": 3 * root**2, "l": 1, "u": root**2, "limit": "n/M → ∞ and M → ∞"}
        exact = literal_a_min.least_ratio(3 * root**2, 1, root**2, Fraction(1, root + 1))
        second = literal_least_ratio(3 * root**2, 1, root**2, Fraction(1, root + 1))
        above = restart.CONSTANT
    else:
        s, u, root, above, shown = found
        exact = literal_a_min.least_ratio(s, 1, u, Fraction(1, root + 1))
        second = literal_least_ratio(s, 1, u, Fraction(1, root + 1))
        evidence["counterexample"] = shown
    if exact != second or factor * exact <= above:
        return Part(name, "inconclusive", {**evidence, "tried": "two computations differ"})
    evidence |= {
        "A_min's ratio is at least": str(exact),
        "≈": approximately(exact),
        "a-restart's ratio is at most": f"{above} ≈ {approximately(above)}",
        "second computation": f"sums over the instance's requests: {second}",
    }
    return Part(name, "refuted", evidence, lower.uses + upper.uses)


def _instance(factor: Fraction) -> tuple[int, int, int, Fraction, dict[str, Any]] | None:
    """Return the first u = 4^m, s = 10u at which the bounds are apart: κ from the exact reduced forms."""
    for power in range(1, LARGEST_POWER):
        u = 4**power
        s, root = 10 * u, isqrt(u)
        least = factor * literal_a_min.least_ratio(s, 1, u, Fraction(1, root + 1))
        if least <= restart.ADDED + 1:
            continue
        kappa = restart.supremum_above(s, 1, u, "volume")
        if least > kappa + restart.ADDED and minors(kappa, s, 1, u):
            shown = {
                "s": s,
                "l": 1,
                "u": u,
                "share of lengths u": f"1/{root + 1}",
                "limit": "n/M → ∞ and M → ∞",
                "κ": str(kappa),
                "κ confirmed": "all leading minors of κ·volume − a-restart in the phases' tails are positive",
            }
            return s, u, root, kappa + restart.ADDED, shown
    return None


def _forms(factor: Fraction) -> Part:
    name = "of the forms at s = 0: sup a-restart ≥ factor · sup A_min"
    if factor <= 0:
        return Part(name, "proved", {"argument": "both suprema are positive"})
    theorem = forms_theorem()
    if not theorem.holds:
        return Part(name, "inconclusive", theorem.as_json())
    power = max(1, int(8 * (Fraction(32, 3) / factor - 1)) + 1)
    return Part(
        name,
        "refuted",
        {
            **theorem.as_json(),
            "counterexample": {"s": 0, "l": 1, "u": f"2^{power}", "A_min's supremum": f"at least 1 + {power}/8"},
            "second computation": f"factor · (1 + {power}/8) = {factor * (1 + Fraction(power, 8))} > 32/3",
        },
        theorem.uses,
    )


def forms_theorem() -> Theorem:
    """At s = 0 a-restart's form is at most 32/3 of H-SF's, and A_min's supremum at u = 2^m is at least 1 + m/8."""
    lam = sp.Symbol("lambda", positive=True)
    e, m = sp.Symbol("e"), sp.Symbol("m")
    bound = sp.Rational(32, 3)
    return Theorem(
        "the forms at s = 0",
        r"\sup \frac{\text{a-restart}}{\text{H-SF}} \le \tfrac{32}{3},\qquad "
        r"\sup \frac{\mathcal A_{\min}}{\text{H-SF}} \ge 1 + \tfrac m8 \text{ on } [1, 2^m]",
        "s = 0; a-restart: every l ≤ u; A_min: l = 1, u = 2^m, m ≥ 0",
        (
            Identity(
                name="phases from 2 on",
                text="H-SF weighs T_j² ≥ T_k², L_{k−2} < j ≤ L_{k−1}, by (2λ)² − λ²; a-restart has at most 2 (4λ)² T_k²",
                lhs=bound * ((2 * lam) ** 2 - lam**2),
                rhs=2 * (4 * lam) ** 2,
            ),
            Positive(
                name="phases 0 and 1",
                text="both are within the weight l² of T_l = 1",
                expr=bound * l**2 - 2 * l**2 - 2 * (2 * l) ** 2,
                where=((l, 1),),
            ),
            Inference(
                name="a-restart",
                conclusion=r"\text{a-restart}(x) \le \tfrac{32}{3}\, x^\top D x",
                follows_from=("phases from 2 on", "phases 0 and 1"),
            ),
            *prefixed("A_min", log_bound.lower()),
            Positive(
                name="E in blocks",
                text="for 2^j < k ≤ 2^{j+1} = 2v there are v terms 1/(2k−1) ≥ 1/(4v−1) > 1/(4v): so E ≥ 1 + m/4",
                expr=lam / (4 * lam - 1) - sp.Rational(1, 4),
                where=((lam, 1),),
            ),
            Positive(
                name="its bound",
                text="¾ + ½E − 1/(4E) with E = 1 + m/4 + e, e ≥ 0, is at least 1 + m/8",
                expr=sp.Rational(3, 4)
                + (1 + m / 4 + e) / 2
                - 1 / (4 * (1 + m / 4 + e))
                - (1 + m / 8),
                where=((m, 0), (e, 0)),
                strict=False,
            ),
            Inference(
                name="A_min's supremum",
                conclusion=r"\sup \ge 1 + \tfrac m8",
                follows_from=(f"A_min: {log_bound.lower().steps[-1].name}", "E in blocks", "its bound"),
            ),
        ),
    )  # fmt: skip


def _mean_above(law: dict[int, Fraction], least: int) -> Fraction:
    rows = [(k, w) for k, w in law.items() if k >= least]
    return sum((k * w for k, w in rows), Fraction(0)) / sum((w for _, w in rows), Fraction(0))


def _holds(relation: str, a: Fraction, b: Fraction) -> bool:
    return {">": a > b, ">=": a >= b, "=": a == b, "<=": a <= b, "<": a < b}[relation]


def _display(words: str, relation: str, residual: bool) -> Part:
    """Decide a display of the proof for every law: by an explicit law, or by the proof that E[o | o ≥ a] grows with a."""
    name = words.format(relation)
    for law in LAWS:
        for low in range(1, max(law)):
            for high in range(low + 1, max(law) + 1):
                i, j = _mean_above(law, high), _mean_above(law, low)
                left, right = (i - high, j - low) if residual else (i, j)
                if not _holds(relation, left, right):
                    tail = {str(k): str(w) for k, w in law.items()}
                    shown = {"law of o": tail, "õ_i": high, "õ_j": low, "left": str(left), "right": str(right)}
                    again = _by_counting(law, high), _by_counting(law, low)
                    evidence: dict[str, Any] = {
                        "counterexample": shown,
                        "second computation": f"means over requests {again[0]}, {again[1]}",
                    }
                    if relation == ">" and left == right and not residual:
                        evidence["what holds"] = (
                            "≥, for every law; only strictness fails, where no o lies from õ_j to õ_i − 1"
                        )
                    return Part(name, "refuted", evidence)
    if residual or relation != ">=":
        return Part(name, "inconclusive", {"tried": "no law of the list contradicts it"})
    return from_theorem(name, means_theorem())


def trivial_theorem() -> Theorem:
    """CR(π) ≥ 0."""
    return Theorem(
        "trivial",
        r"\mathrm{CR}(\pi) \ge 0",
        "every policy",
        (Positive(name="ratios", text="total latencies are positive", expr=l, where=((l, 1),)),),
    )


def means_theorem() -> Theorem:
    """E[o | o ≥ a] does not decrease with a."""
    a, b, low_mean, gap = sp.symbols("A B m g")
    return Theorem(
        "conditional means",
        r"\mathbb E[o \mid o \ge a] \text{ does not decrease with } a",
        "every law; A = P(a' ≤ o < a) and B = P(o ≥ a) > 0, means m below and m + g above, g ≥ 0",
        (
            Positive(
                name="difference",
                expr=(low_mean + gap) - (a * low_mean + b * (low_mean + gap)) / (a + b),
                where=((a, 0), (b, sp.Rational(1, 10**9)), (low_mean, 1), (gap, 0)),
                strict=False,
            ),
        ),
    )


def _by_counting(law: dict[int, Fraction], least: int) -> str:
    """Return the mean again, over 360 requests in the law's proportions."""
    lengths = [k for k, w in law.items() for _ in range(int(360 * w)) if k >= least]
    return str(Fraction(sum(lengths), len(lengths)))


def _difference(text: str) -> Part:
    e_i, e_j, o_i, o_j = sp.symbols("E_i E_j oi oj")
    _, claimed = formula_on("difference", text, {"oi": o_i, "oj": o_j}, integers_from(oi=1, oj=1))
    name = f"the difference of the second exchange simplifies to {text}"
    left = ((e_j - o_j) + e_i) - ((e_i - o_i) + e_j)
    if not claimed.is_rational_function(o_i, o_j):
        return Part(name, "inconclusive", {"tried": "the claimed difference is not a rational function"})
    theorem = Theorem("difference", name, "all values", (Identity(name="difference", lhs=left, rhs=claimed),))
    if theorem.holds:
        return from_theorem(name, theorem)
    for point in ((2, 1), (3, 1), (5, 2), (7, 3)):
        at = {o_i: point[0], o_j: point[1]}
        value, true = claimed.subs(at), sp.Integer(point[0] - point[1])
        if value.is_Rational and value != true:
            shown = {"õ_i": point[0], "õ_j": point[1], "claimed": str(value), "true": str(true)}
            again = (7 - point[1] + 11) - (11 - point[0] + 7)
            return Part(name, "refuted", {"counterexample": shown, "second computation": f"with means 11, 7: {again}"})
    return Part(name, "inconclusive", {"tried": "no point tells it from the difference"})


CLAIM = Claim(
    id="thm-optimality",
    place='Theorem "optimality"',
    statement="no feasible policy without knowledge of o has a smaller competitive ratio than A_min as M → ∞",
    given={"factor": "1", "expectations": ">", "residuals": "<=", "difference": "oi-oj"},
    decide=decide,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a sign", {"difference": "oj-oi"}, "the difference"),
        Variant("a factor", {"difference": "oi-2*oj"}, "the difference"),
        Variant("an index", {"difference": "oi-oi"}, "the difference"),
    ),
    variants=(
        Variant("not strictly", {"expectations": ">="}, "E[o_i | o_i ≥ õ_i]"),
        Variant("no claim at all", {"factor": "0"}, "CR(π)"),
    ),
)
