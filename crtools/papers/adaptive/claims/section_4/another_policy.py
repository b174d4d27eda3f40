"""Evidence for thm-optimality: kill and restart, and own offsets, against A_min, of the process and of the forms."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from itertools import chain, count, pairwise, takewhile
from math import lcm

import sympy as sp

from check import best
from crtools.blind.attempt_costs import Path, Requests
from crtools.blind.mixture import Mixture
from crtools.blind.offsets_against_h_sf import BASE
from crtools.blind.worst_law import is_good_for_all, universal_cost
from crtools.closed_form.evaluate import enclose
from crtools.forms import form
from crtools.ledger.agreement import agree
from crtools.ledger.deciders.bounds import rounded
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem, records
from crtools.papers.adaptive.bounds import algorithm_two, restart
from crtools.papers.adaptive.evidence.shrinking_needs import areas, shrinking, simulated
from crtools.papers.adaptive.literal import forms
from crtools.papers.adaptive.literal.forms import minors
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.schedule import volume
from crtools.setting import Setting
from crtools.worst_cases import worst_case

POLICY = "a-restart: kill at the thresholds $l, 2l, 4l, …, u$ and start again after the others"

LARGEST = (10, 100, 1000)
"""u of the instances with s = 1 that are tried before the general family."""

CHECKED = 60
"""a-restart's form at s = 0 is bounded once more, by exact pivots, on [1, 2^CHECKED]."""

ROOTS = range(2, 200)
"""Forms are compared at s = u = m² for these m, with the exact bound of a-restart's form; then for larger ones."""


def in_the_process(factor: Fraction) -> Evidence:
    """Decide CR(π) ≥ factor · CR(A_min) for every policy π, in the process as M → ∞."""
    if factor <= 0:
        return by_theorem(TEXT.theorem("ratios are positive"))
    proofs = (TEXT.theorem("kill and restart"), TEXT.theorem("growth"))
    if not all(t.holds for t in proofs):
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
    return agree(algorithm_two.area_ratio(whole, s), areas(x, s) / peaks, "Algorithm 2's ratio by areas")


@lru_cache(maxsize=8)
def restart_upper_bound(s: int, u: int) -> Fraction:
    """Return an upper bound on a-restart's ratio on [1, u]: the supremum of its form over volumes, plus 4."""
    kappa = restart.supremum_above(s, 1, u, "volume")
    agree(minors(kappa, s, 1, u), True, "a bound of a-restart's form")
    return kappa + restart.ADDED


def _at_a_law(factor: Fraction, u: int) -> Refuted:
    return Refuted(
        witness={
            "policy": POLICY,
            "s": 1,
            "l": 1,
            "u": u,
            "lengths": "$n$ independent ones with $P(o > a) = (s+1)(1−1/u)^a/(s+a+1)$ for $a < u$; $n → ∞$ at every $M$, then $M → ∞$",
        },
        claimed=f"$CR(π) ≥ {factor} CR(A_min)$ for every $π$",
        actual=_bounds(a_min_lower_bound(1, u), restart_upper_bound(1, u)),
        second={
            "a_min": "the law's areas as a sum of needs, H-SF's form by tails and by entries; a smaller member is simulated",
            "a_restart": "all leading minors of κ·volume − a-restart in the phases' tails are positive",
            "simulated": simulated(1, 30, Fraction(29, 30), 2000, 120_000),
        },
        stays="$s$, $α = 1/u$ and the law are fixed, $n → ∞$ and $M → ∞$; as $α → 0$ the gap has no bound, at every $s$",
        theorems=records(TEXT.theorem("kill and restart"), TEXT.theorem("Algorithm 2 by areas, against H-SF")),
    )


def _far_out(factor: Fraction) -> Refuted:
    """Return the theorem at s = 1 and u = 2^m: A_min's ratio is ≥ (u/2)/(1 + 4 ln((1+u)/2)), and ln((1+u)/2) ≤ 7m/10."""
    lower_bounds = (Fraction(2**m, 2) / (1 + Fraction(28, 10) * m) for m in count(1))
    power, lower_bound = next(
        (m, bound) for m, bound in enumerate(lower_bounds, start=1) if factor * bound > restart.CONSTANT
    )
    enclosed = enclose(sp.Integer(2) ** (power - 1) / (1 + 4 * sp.log(sp.Rational(1 + 2**power, 2))), {}, 15)
    agree(enclosed.lower >= lower_bound, True, "a bound by growth")
    return Refuted(
        witness={"policy": POLICY, "s": 1, "l": 1, "u": f"$2^{power}$", "limit": "$n → ∞$ at every $M$, then $M → ∞$"},
        claimed=f"$CR(π) ≥ {factor} CR(A_min)$ for every $π$",
        actual=_bounds(lower_bound, restart.CONSTANT),
        second={"a_min_in_ball_arithmetic": enclosed.decimals(6)[0]},
        stays="smaller $α$, any large $n$, $M → ∞$: the gap grows without bound",
        theorems=records(TEXT.theorem("kill and restart"), TEXT.theorem("growth")),
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
    agree(ratio, forms.a_min_sum(weights, s, 1) / forms.h_sf_sum(weights, s), "A_min's ratio")
    if not factor * ratio > upper_bound:
        return None
    kills = [[int(k in plan) for k in range(1, TEN)] for plan in mixture.plans]
    requests = mixture.requests
    best.within_on_interval(
        list(requests.sizes), list(requests.weights), kills, list(mixture.weights), upper_bound, peaks
    )
    return Refuted(
        witness={"policy": OWN_OFFSETS, "s": s, "l": 1, "u": TEN, "x": x},
        claimed=CLAIMED.format(factor),
        actual={"a_min_at_least": rounded(ratio), "own_offsets_at_most": str(upper_bound)},
        second={
            "a_min": "by Lemma 2's sums",
            "own_offsets": f"{upper_bound} · H-SF less own offsets is positive definite, by two implementations in integers",
        },
        stays="of the forms, which are limits; own offsets' bounds their process from above (for every u: against-h-sf, ledger beyond)",
        values={
            "plans": [{"percent": w, "kill_ages": p[1:-1]} for p, w in zip(mixture.plans, mixture.weights, strict=True)]
        },
    )


BOUND = Fraction(32, 3)
"""At s = 0 a-restart's form is at most this times H-SF's."""

SHORT = 10
"""Up to u = 2^SHORT the sum is evaluated term by term; there its logarithm is not a sufficient bound."""

CLAIMED = "every policy's form over H-SF's has a supremum of at least {} times A_min's"


def of_the_forms_at_zero(factor: Fraction) -> Evidence:
    """Decide sup π ≥ factor · sup A_min for every π, of the forms at s = 0: by own offsets on [1, 10], or by a-restart far out."""
    if factor <= 0:
        return by_theorem(TEXT.theorem("ratios are positive"))
    if refuted := _on_ten(factor, 0):
        return refuted
    proof = theorem("the forms at s = 0")
    if not proof.holds:
        return by_theorem(proof)
    power = max(1, int(8 * (BOUND / factor - 1)) + 1)
    lower_bound = 1 + Fraction(power, 8)
    agree(factor * lower_bound > BOUND, True, "the suprema of the forms")
    by_pivots = {"u": f"$2^{CHECKED}$", "at_most": str(restart.supremum_above(0, 1, 2**CHECKED, "h-sf"))}
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
    if factor <= 0:
        return by_theorem(TEXT.theorem("ratios are positive"))
    if refuted := _on_ten(factor, 1):
        return refuted
    theorem = TEXT.theorem("kill and restart")
    if not theorem.holds:
        return by_theorem(theorem)
    roots = chain(ROOTS, (ROOTS[-1] * 2**power for power in count(1)))
    root, kappa = next((m, bound) for m in roots if factor * _ratio(m) > (bound := _restart_bound(m)))
    u = root**2
    bounded = f"at most {kappa} times volumes, which are at most peaks"
    if root in ROOTS:
        agree(minors(kappa, u, 1, u, "h-sf"), True, "a bound of a-restart's form")
        bounded = f"all leading minors of {kappa}·H-SF − a-restart are positive"
    ratio = agree(_ratio(root), _ratio_by_sums(root), "A_min's ratio on two lengths")
    return Refuted(
        witness={"form": "a-restart", "s": u, "l": 1, "u": u, "x_1": root - 1, "x_u": 1},
        claimed=CLAIMED.format(factor),
        actual=_bounds(ratio, kappa),
        second={"a_min_by_the_lemma_s_sums": str(ratio), "a_restart": bounded},
        stays="larger $m$ with $s = u = m²$: the gap grows",
        theorems=() if root in ROOTS else theorem.records,
    )


def _restart_bound(root: int) -> Fraction:
    """Return an upper bound on a-restart's form over H-SF's at s = u = root²."""
    return restart.supremum_above(root**2, 1, root**2, "h-sf") if root in ROOTS else restart.FACTOR


def _ratio(root: int) -> Fraction:
    """Return A_min's form over H-SF's at s = u = root², weights root − 1 of length 1 and 1 of length u."""
    u = root**2
    one, two = (
        entry(1, 1, u) * (root - 1) ** 2 + 2 * entry(1, u, u) * (root - 1) + entry(u, u, u)
        for entry in (form("a-min").entry, form("h-sf").entry)
    )
    return Fraction(one) / Fraction(two)


def _ratio_by_sums(root: int) -> Fraction:
    """Return the same by Lemma 2's sums, their equal terms k = 2, …, u together: Σ (1 + 2(u−k)) = (u−1)²."""
    u = s = root**2
    x, y = root - 1, 1
    waiting = (s + 1) * (Fraction(x, s + 1) + Fraction(y, s + u)) + Fraction(2 * (u - 1) * y, s + u)
    a_min = (s + 1) * (x + u * y) * waiting + Fraction(u * y * y * (u - 1) ** 2, s + u)
    return a_min / ((s + 1) * x * (x + 2 * y) + u * (s + u) * y * y)
