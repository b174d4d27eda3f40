"""thm-optimality: no policy without knowledge of o is better than A_min; kill and restart is, without bound.

The process decides it: at s = 1 and u = 1000 Algorithm 2's ratio is above that of a-restart, which knows l and u only.
"""

import operator
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, count, pairwise, takewhile
from math import ceil, lcm
from statistics import mean

import sympy as sp

from check import best
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.mixture import Mixture
from crtools.blind.offsets_against_h_sf import BASE
from crtools.blind.worst_law import is_good_for_all, universal_cost
from crtools.closed_form.evaluate import enclose
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger import Decision, Finding, Given, Verdict
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Open, Proved, Refuted, agree, by_theorem, records
from crtools.papers.adaptive.evidence.algorithm_two import area_ratio, areas, shrinking, simulated
from crtools.papers.adaptive.evidence.reading import one_of, repairs
from crtools.papers.adaptive.evidence.two_lengths import quick_ratio
from crtools.papers.adaptive.forms import thresholds
from crtools.papers.adaptive.literal.forms import a_min_sum, h_sf_sum, minors, positive_definite
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, reading_of, stated_claim, theorem
from crtools.schedule import volume
from crtools.setting import Setting
from crtools.worst_cases import worst_case


@stated_claim("thm-optimality")
def thm_optimality(given: Given) -> Decision:
    """Decide CR(π) ≥ factor · CR(A_min) for every π, of the forms and of the process, and the proof's displays."""
    factor = number("factor", given["factor"])
    # the proof reads its formula before anything long is computed
    means, residuals = (one_of(given, name, RELATIONS) for name in ("expectations", "residuals"))
    signs = {"means": SIGNS.get(means, means), "residuals": SIGNS.get(residuals, residuals)}
    read = reading_of("thm-optimality", **signs)
    proof = read.proof(
        expectations=conditional_means(means, residual=False),
        residuals=conditional_means(residuals, residual=True),
        difference=difference(given["difference"]),
    )
    supremum = "every π's supremum over H-SF's is at least the factor times A_min's"
    rows = (
        (AT_ZERO, of_the_forms_at_zero, f"of the forms at $s = 0$: {supremum}"),
        (FORM, of_the_forms, f"of the forms, every $s ≥ 0$: {supremum}"),
        (ALGORITHM, in_the_process, "CR(π) is at least the factor times CR(A_min), for every π"),
    )
    verdicts: list[Verdict] = []
    for level, decide, says in rows:
        evidence = given.evidence(decide, factor) if factor > 0 else by_theorem(theorem("ratios are positive"))
        finding = Finding("no-policy-is-better", says, evidence)
        verdicts.append(read.verdict(level, _why(evidence, level), finding))
    evidence = verdicts[-1].findings[0].evidence
    if not isinstance(evidence, Refuted):
        return Decision(_why(evidence), tuple(verdicts), proof)
    line = f"CR ≥ {evidence.actual['a_min_at_least']}; kill and restart: ≤ {evidence.actual['a_restart_at_most']}"
    return Decision(line, tuple(verdicts), proof, repairs("kill-and-restart"))


def _why(evidence: Evidence, level: str = ALGORITHM) -> str:
    if not isinstance(evidence, Refuted):
        return "nothing is claimed: ratios are positive" if evidence.status == "proved" else "not decided"
    at = f"$s = {evidence.witness['s']}$, $u = {str(evidence.witness['u']).strip('$')}$"
    lower_bound, bound = evidence.actual["a_min_at_least"], evidence.actual.get("a_restart_at_most")
    policy = "kill and restart"
    if bound is None:
        policy, bound = "the policy of own offsets", evidence.actual["own_offsets_at_most"]
    against = "H-SF" if level == ALGORITHM else "H-SF's form"
    return f"at {at} {policy}, which knows no length, has a ratio of at most {bound} to {against}, A_min of at least {lower_bound}"


# ---- Theorem 4's proof: its displays on conditional expectations, decided for every law ------------------------------

O_I, O_J = sp.symbols("oi oj")

RELATIONS = {">": operator.gt, ">=": operator.ge, "=": operator.eq, "<=": operator.le, "<": operator.lt}
SIGNS = {">=": "≥", "<=": "≤"}
LAWS: tuple[dict[int, Fraction], ...] = (
    {1: Fraction(1, 2), 3: Fraction(1, 2)},
    {1: Fraction(1, 2), 2: Fraction(1, 2)},
    {1: Fraction(9, 10), 100: Fraction(1, 10)},
    {k: Fraction(1, 4) for k in (1, 2, 3, 4)},
)
"""Laws on which the displays of the proof are tried; each allows every n, and lengths with l < u."""


def conditional_means(relation: str, *, residual: bool) -> Proved | Refuted | Open:
    """Decide E[o | o ≥ õ_i] (less õ_i where ``residual``) ``relation`` the same at õ_j, for every law and õ_i > õ_j."""
    for law in LAWS:
        for low, high in combinations(range(1, max(law) + 1), 2):
            i, j = _mean(law, high), _mean(law, low)
            lhs, rhs = (i - high, j - low) if residual else (i, j)
            if not RELATIONS[relation](lhs, rhs):
                return Refuted(
                    witness={"law_of_o": {str(k): str(w) for k, w in law.items()}, "bound_i": high, "bound_j": low},
                    claimed=f"left {relation} right",
                    actual={"left": str(lhs), "right": str(rhs)},
                    second={"means_over_360_requests": [_by_counting(law, high), _by_counting(law, low)]},
                    stays="a law, for every $n$",
                )
    if residual or relation != ">=":
        return Open("no law of the list contradicts it")
    return by_theorem(theorem("conditional means"))


def _mean(law: dict[int, Fraction], bound: int) -> Fraction:
    tail = {k: w for k, w in law.items() if k >= bound}
    return Fraction(sum(k * w for k, w in tail.items()), sum(tail.values()))


def _by_counting(law: dict[int, Fraction], bound: int) -> str:
    """Return the mean again, over 360 requests in the law's proportions."""
    return str(mean([Fraction(k) for k, w in law.items() for _ in range(int(360 * w)) if k >= bound]))


def difference(text: str) -> Evidence:
    """Decide what the latency difference of the second exchange simplifies to, in oi and oj."""
    on = integers_from(oi=1, oj=1)
    _, claimed = formula_on("difference", text, {"oi": O_I, "oj": O_J}, on)

    def with_means(at: Mapping[str, Fraction]) -> dict[str, str]:
        return {"with_means_11_and_7": str((7 - at["oj"] + 11) - (11 - at["oi"] + 7))}

    expected = O_I - O_J
    evidence = decide_identity("the second exchange", claimed, expected, on, with_means, "every pair of bounds")
    if isinstance(evidence, Proved):
        return by_theorem(theorem("the second exchange", D=sp.Lambda((O_I, O_J), claimed)))
    return evidence


# ---- kill and restart: its form against the volume bound and against H-SF, for every s ≥ 0 and l ≤ u ------------------

FACTOR = Fraction(64, 3)
"""The form is at most this times the volume bound's, for every s ≥ 0 and l ≤ u."""

ADDED = 4
"""What starting again costs each request in the process, at most, in multiples of its length, as M → ∞."""

CONSTANT = FACTOR + ADDED
"""The competitive ratio is at most this in the limit M → ∞, for every α."""


def supremum_above(s: int, l: int, u: int, against: str = "volume") -> Fraction:
    """Return a rational at least the supremum over x ≥ 0 of a-restart's form over ``volume`` or ``h-sf``, on [l, u].

    Between two thresholds the denominator only grows with the tails, which are at least the next phase's: so it is at
    least a diagonal form in the phases' tails. The result κ is a multiple of 1/100 for which κ times that form less the
    numerator is positive definite: all pivots are positive, in fractions.
    """
    import numpy as np

    numerator, weights = reduced(s, l, u, against)
    scale = np.array([1 / float(w) ** 0.5 for w in weights])
    top = float(np.linalg.eigvalsh(np.array(numerator, dtype=float) * np.outer(scale, scale))[-1])
    guess = Fraction(ceil(100 * top) + 1, 100)
    rows = [[guess * weights[i] * (i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(numerator)]
    if not positive_definite(rows):
        raise ArithmeticError(f"that {guess} is above the supremum is not confirmed")
    return guess


def reduced(s: int, l: int, u: int, against: str) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Return the form in the phases' tails as a matrix, and the diagonal form that the denominator is at least."""
    entry, steps = form(against).entry, thresholds(l, u)
    # the weights of T_l, …, T_low
    up_to = [entry(low, low, s) for low in (l, *(threshold + 1 for threshold in steps[:-1]))]
    weights = [more - less for less, more in pairwise([Fraction(0), *up_to])]
    matrix = [[Fraction(0)] * len(steps) for _ in steps]
    for k, threshold in enumerate(steps):
        matrix[k][k] = Fraction(threshold * (s + threshold))
        if k:
            matrix[k - 1][k] = matrix[k][k - 1] = matrix[k - 1][k - 1] / 2
    return matrix, weights


# ---- of the process ------------------------------------------------------------------------------------------------

POLICY = "a-restart: kill at the thresholds $l, 2l, 4l, …, u$ and start again after the others"

LARGEST = (10, 100, 1000)
"""u of the instances with s = 1 that are tried before the general family."""

CHECKED = 60
"""a-restart's form at s = 0 is bounded once more, by exact pivots, on [1, 2^CHECKED]."""

ROOTS = range(2, 200)
"""Forms are compared at s = u = m² for these m, with the exact bound of a-restart's form; then for larger ones."""


def in_the_process(factor: Fraction) -> Evidence:
    """Decide CR(π) ≥ factor · CR(A_min) for every policy π, in the process as M → ∞; factor > 0."""
    if not (theorem("kill and restart").holds and theorem("growth").holds):
        return Open("kill and restart, a bound of which is not proved")
    u = next((u for u in LARGEST if factor * a_min_lower_bound(1, u) > restart_upper_bound(1, u)), 0)
    return _at_a_law(factor, u) if u else _far_out(factor)


@lru_cache(maxsize=8)
def a_min_lower_bound(s: int, u: int) -> Fraction:
    """Return a lower bound on A_min's ratio: the areas over H-SF's form under the law with needs (s+1)(1−1/u)^a."""
    x = shrinking(s, u, 1 - Fraction(1, u))
    unit = lcm(*(weight.denominator for weight in x.values()))
    whole = {o: int(weight * unit) for o, weight in x.items()}  # in integers: sums of such long fractions are slow
    peaks = Fraction(form("h-sf").on(Setting(s, 1, u)).value(list(whole.values())), unit**2)
    return agree(area_ratio(whole, s), areas(x, s) / peaks, "Algorithm 2's ratio by areas")


@lru_cache(maxsize=8)
def restart_upper_bound(s: int, u: int) -> Fraction:
    """Return an upper bound on a-restart's ratio on [1, u]: the supremum of its form over volumes, plus 4."""
    kappa = supremum_above(s, 1, u, "volume")
    agree(minors(kappa, s, 1, u), True, "a bound of a-restart's form")
    return kappa + ADDED


def _at_a_law(factor: Fraction, u: int) -> Refuted:
    lengths = (
        "$n$ independent ones with $P(o > a) = (s+1)(1−1/u)^a/(s+a+1)$ for $a < u$; $n → ∞$ at every $M$, then $M → ∞$"
    )
    return Refuted(
        witness={"policy": POLICY, "s": 1, "l": 1, "u": u, "lengths": lengths},
        claimed=f"$CR(π) ≥ {factor} CR(A_min)$ for every $π$",
        actual=_bounds(a_min_lower_bound(1, u), restart_upper_bound(1, u)),
        second={
            "a_min": "the law's areas as a sum of needs, H-SF's form by tails and by entries; a smaller member is simulated",
            "a_restart": "all leading minors of κ·volume − a-restart in the phases' tails are positive",
            "simulated": simulated(1, 30, Fraction(29, 30), 2000, 120_000),
        },
        stays="$s$, $α = 1/u$ and the law are fixed, $n → ∞$ and $M → ∞$; as $α → 0$ the gap has no bound, at every $s$",
        theorems=records(theorem("kill and restart"), theorem("Algorithm 2 by areas, against H-SF")),
    )


def _far_out(factor: Fraction) -> Refuted:
    """Return the theorem at s = 1 and u = 2^m: A_min's ratio is ≥ (u/2)/(1 + 4 ln((1+u)/2)), and ln((1+u)/2) ≤ 7m/10."""
    lower_bounds = (Fraction(2**m, 2) / (1 + Fraction(28, 10) * m) for m in count(1))
    power, lower_bound = next((m, bound) for m, bound in enumerate(lower_bounds, start=1) if factor * bound > CONSTANT)
    enclosed = enclose(sp.Integer(2) ** (power - 1) / (1 + 4 * sp.log(sp.Rational(1 + 2**power, 2))), {}, 15)
    agree(enclosed.lower >= lower_bound, True, "a bound by growth")
    return Refuted(
        witness={"policy": POLICY, "s": 1, "l": 1, "u": f"$2^{power}$", "limit": "$n → ∞$ at every $M$, then $M → ∞$"},
        claimed=f"$CR(π) ≥ {factor} CR(A_min)$ for every $π$",
        actual=_bounds(lower_bound, CONSTANT),
        second={"a_min_in_ball_arithmetic": enclosed.decimals(6)[0]},
        stays="smaller $α$, any large $n$, $M → ∞$: the gap grows without bound",
        theorems=records(theorem("kill and restart"), theorem("growth")),
    )


def _bounds(a_min: Fraction, a_restart: Fraction) -> dict[str, str]:
    return {"a_min_at_least": rounded(a_min), "a_restart_at_most": rounded(a_restart, up=True)}


# ---- of the forms ------------------------------------------------------------------------------------------------

TEN = 10
"""u of the interval [1, u] on which own offsets are compared with A_min first."""

OWN_OFFSETS = (
    "own offsets: each request draws its kill ages, so that it is killed at the volumes $b^{k+U}$, rounded down to whole ages, "
    "$b = 69/5$, $U$ uniform up to a hundredth; attempts of one kind run together, those that complete most per token-instant first"
)


def offsets_on_ten(s: int) -> Mixture:
    """Return own offsets on [1, 10] as a mixture of plans in hundredths, in the order of a law with tails like 1/volume."""
    sizes = [volume(s, k) for k in range(1, TEN + 1)]
    shares: dict[Path, int] = {}
    for percent in range(100):
        thresholds = (float(BASE) ** (k + (percent + 0.5) / 100) for k in count(-2))
        ages = (bisect_right(sizes, c) for c in takewhile(lambda c: c < sizes[-1], thresholds))
        plan = (*dict.fromkeys((0, *ages)), TEN)
        shares[plan] = shares.get(plan, 0) + 1
    tails = [*(Fraction(sizes[0], size) for size in sizes), Fraction(0)]
    requests = Requests.of({size: before - after for size, (before, after) in zip(sizes, pairwise(tails), strict=True)})
    return Mixture(requests, tuple(shares), tuple(shares.values()))


def _on_ten(factor: Fraction, s: int) -> Refuted | None:
    """Refute sup of own offsets ≥ factor · sup of A_min on [1, 10], of the forms over H-SF's."""
    mixture, peaks = offsets_on_ten(s), [k * (s + k) for k in range(1, TEN + 1)]
    cost = universal_cost(mixture)
    upper_bound = next(c for n in count(100) if is_good_for_all(mixture, cost, c := Fraction(n, 100), peaks))
    setting = Setting(s, 1, TEN)
    shares = worst_case("a-min", s=s, l=1, u=TEN).weights
    x = [max(1, round(10_000 * float(w / max(shares)))) for w in shares]
    ratio = Fraction(form("a-min").on(setting).value(x)) / form("h-sf").on(setting).value(x)
    weights = dict(zip(range(1, TEN + 1), x, strict=True))
    agree(ratio, a_min_sum(weights, s, 1) / h_sf_sum(weights, s), "A_min's ratio")
    if not factor * ratio > upper_bound:
        return None
    kills = [[int(k in plan) for k in range(1, TEN)] for plan in mixture.plans]
    law = [*mixture.requests.sizes], [*mixture.requests.weights]
    best.within_on_interval(*law, kills, [*mixture.weights], upper_bound, peaks)
    plans = [{"percent": w, "kill_ages": p[1:-1]} for p, w in zip(mixture.plans, mixture.weights, strict=True)]
    return Refuted(
        witness={"policy": OWN_OFFSETS, "s": s, "l": 1, "u": TEN, "x": x},
        claimed=CLAIMED.format(factor),
        actual={"a_min_at_least": rounded(ratio), "own_offsets_at_most": str(upper_bound)},
        second={
            "a_min": "by Lemma 2's sums",
            "own_offsets": f"{upper_bound} · H-SF less own offsets is positive definite, by two implementations in integers",
        },
        stays="of the forms, which are limits; own offsets' bounds their process from above (for every u: against-h-sf, ledger beyond)",
        values={"plans": plans},
    )


BOUND = Fraction(32, 3)
"""At s = 0 a-restart's form is at most this times H-SF's."""

SHORT = 10
"""Up to u = 2^SHORT the sum is evaluated term by term; there its logarithm is not a sufficient bound."""

CLAIMED = "every policy's form over H-SF's has a supremum of at least {} times A_min's"


def of_the_forms_at_zero(factor: Fraction) -> Evidence:
    """Decide sup π ≥ factor · sup A_min for every π, of the forms at s = 0: by own offsets on [1, 10], or by a-restart far out."""
    if refuted := _on_ten(factor, 0):
        return refuted
    proof = theorem("the forms at s = 0")
    if not proof.holds:
        return by_theorem(proof)
    power = max(1, int(8 * (BOUND / factor - 1)) + 1)
    lower_bound = 1 + Fraction(power, 8)
    agree(factor * lower_bound > BOUND, True, "the suprema of the forms")
    by_pivots = {"u": f"$2^{CHECKED}$", "at_most": str(supremum_above(0, 1, 2**CHECKED, "h-sf"))}
    return Refuted(
        witness={"form": "a-restart", "s": 0, "l": 1, "u": f"$2^{power}$"},
        claimed=CLAIMED.format(factor),
        actual={"a_min_at_least": str(lower_bound), "a_restart_at_most": str(BOUND)},
        second={"a_restart_by_pivots": by_pivots, "a_min_by_an_integral": _by_an_integral(power)},
        stays="every larger $u$: the gap has no bound",
        theorems=proof.records,
    )


def _by_an_integral(power: int) -> str:
    """Return a ball with ¾ + ½E − 1/(4E), u = 2^power, at E = Σ_{k≤u} 1/(2k−1), or where that is long at ½ ln(2u) ≤ E."""
    import flint

    total = (power + 1) * flint.arb(2).log() / 2
    if power <= SHORT:
        total = sum((flint.arb(1) / (2 * k - 1) for k in range(1, 2**power + 1)), flint.arb(0))
    lower_bound = flint.arb(3) / 4 + total / 2 - 1 / (4 * total)
    agree(bool(lower_bound >= 1 + flint.arb(power) / 8), True, "a bound of A_min's supremum")
    return lower_bound.str(8)


def of_the_forms(factor: Fraction) -> Evidence:
    """Decide the same for every s ≥ 0: by own offsets at s = 1, or at s = u = m², weights m − 1 of length 1 and 1 of length u."""
    if refuted := _on_ten(factor, 1):
        return refuted
    proof = theorem("kill and restart")
    if not proof.holds:
        return by_theorem(proof)
    roots = chain(ROOTS, (ROOTS[-1] * 2**power for power in count(1)))
    bounds = ((m, *_bounds_at(m)) for m in roots)
    root, ratio, kappa = next((m, a_min, a_restart) for m, a_min, a_restart in bounds if factor * a_min > a_restart)
    u = root**2
    bounded = f"at most {kappa} times volumes, which are at most peaks"
    if root in ROOTS:
        agree(minors(kappa, u, 1, u, "h-sf"), True, "a bound of a-restart's form")
        bounded = f"all leading minors of {kappa}·H-SF − a-restart are positive"
    agree(ratio, _ratio_by_sums(root), "A_min's ratio on two lengths")
    return Refuted(
        witness={"form": "a-restart", "s": u, "l": 1, "u": u, "x_1": root - 1, "x_u": 1},
        claimed=CLAIMED.format(factor),
        actual=_bounds(ratio, kappa),
        second={"a_min_by_the_lemma_s_sums": str(ratio), "a_restart": bounded},
        stays="larger $m$ with $s = u = m²$: the gap grows",
        theorems=() if root in ROOTS else proof.records,
    )


def _bounds_at(root: int) -> tuple[Fraction, Fraction]:
    """Return A_min's form over H-SF's at s = u = root², weights root − 1 of length 1 and 1 of length u, and a bound on a-restart's."""
    u = root**2
    kappa = supremum_above(u, 1, u, "h-sf") if root in ROOTS else FACTOR
    return quick_ratio("a-min", u, 1, u, (root - 1, 1)), kappa


def _ratio_by_sums(root: int) -> Fraction:
    """Return the first of these by Lemma 2's sums, their equal terms k = 2, …, u together: Σ (1 + 2(u−k)) = (u−1)²."""
    u = s = root**2
    x, y = root - 1, 1
    waiting = (s + 1) * (Fraction(x, s + 1) + Fraction(y, s + u)) + Fraction(2 * (u - 1) * y, s + u)
    a_min = (s + 1) * (x + u * y) * waiting + Fraction(u * y * y * (u - 1) ** 2, s + u)
    return a_min / ((s + 1) * x * (x + 2 * y) + u * (s + u) * y * y)
