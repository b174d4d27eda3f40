"""A_max's ratio to H-SF, of the forms and in the process: the exact supremum, weights near it, evidence on bounds and rates.

Used by the claims on Theorems 1 and 2. Tails T and w_k, a, d are as in the theorem "H-SF's form in the tails". The second
computation of each number goes by plain sums over lengths, or by elimination on plain entries; neither uses the tails.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import isclose, log
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.forms import form
from crtools.ledger import Evidence, Refuted, by_theorem
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, Side, decide_bound, rounded, separating_decimals
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, power_of
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.confirmed_runs import Queue, confirmed_total
from crtools.papers.adaptive.literal.forms import h_sf_sum, positive_definite
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.proof.symbols import alpha
from crtools.schedule import batch_total
from crtools.signs.one_variable import at_least
from crtools.worst_cases.solve import proved_supremum

NEAR_ONE = tuple((10**k - 1, 10**k) for k in (2, 4, 6, 9, 12, 20, 40))
"""Settings (l, u) with α → 1."""

SETTINGS = ((1, 2), (1, 3), (1, 4), (1, 10), (1, 30), (3, 4), *NEAR_ONE, (1, 100), (30, 40), (10, 100), (100, 1000))
"""(l, u) at which suprema are compared with bounds."""

LOWER = (1 + 1 / sp.sqrt(alpha)) / (2 * alpha)
"""Every supremum is below this, for every s (theorem "A_max's supremum")."""

WIDEST = 40
"""Largest u − l at which a bound is confirmed by elimination."""


def supremum(low: int, up: int, size: int = 0, against: str = "h-sf") -> SymExpr:
    """Return the exact supremum of A_max's form over H-SF's, or the volumes', on [low, up] as an expression.

    The entries of both depend on the shorter length only; their differences are the weights in the tails.
    """
    first, *others = (Fraction(form(against).entry(k, k, size)) for k in range(low, up + 1))
    inverse_differences = sum((1 / (one - before) for before, one in pairwise((first, *others))), Fraction(0))
    return proved_supremum(
        sp.Integer((size + up) * low), sp.Rational(first), sp.Rational((size + up) ** 2 * inverse_differences), sp.sqrt
    )


def by_tails(low: int, up: int, size: int, tails: list[Fraction]) -> Fraction:
    """Return the ratio (s+u)(l + Σ T_k) / (a + Σ w_k T_k²)."""
    later_tails = list(zip(range(low + 1, up + 1), tails[1:], strict=True))
    a_max = (size + up) * (low + sum(t for _, t in later_tails))
    return a_max / (low * (size + low) + sum(((size + 2 * k - 1) * t * t for k, t in later_tails), Fraction(0)))


def literal(low: int, up: int, size: int, tails: list[Fraction]) -> Fraction:
    """Return A_max's ratio by the plain sums over lengths at the weights x_k = T_k − T_{k+1}."""
    x = {low + i: a - b for i, (a, b) in enumerate(pairwise([*tails, Fraction(0)]))}
    return (size + up) * sum(x.values()) * sum(i * v for i, v in x.items()) / h_sf_sum(x, size)


def witness(low: int, up: int, size: int = 0) -> tuple[Fraction, JsonObject]:
    """Return the ratio, by two computations, at rational tails near the worst ones (s+u)/(2 K w_k), and these as data."""
    near = Fraction(enclose(supremum(low, up, size), {}, 15).middle).limit_denominator(10**6)
    later = (Fraction(size + up) / (2 * near * (size + 2 * k - 1)) for k in range(low + 1, up + 1))
    tails = [Fraction(1), *(min(tail, Fraction(1)) for tail in later)]
    value = agree(by_tails(low, up, size, tails), literal(low, up, size, tails), "A_max's ratio")
    first_tails = [str(t) for t in tails[:6]] + ["…"] * (up - low > 5)
    return value, {"s": size, "l": low, "u": up, "tails": first_tails}


def everywhere_below(bound: Fraction, low: int, up: int, size: int, against: str = "h-sf") -> bool:
    """Return whether bound · H-SF (or volume) − A_max is positive definite, by elimination on the plain entries."""
    lengths, top = range(low, up + 1), Fraction(size + up, 2)

    def entry(m: int) -> Fraction:
        return Fraction(size * m) + (m * m if against == "h-sf" else Fraction(m * (m + 1), 2))

    return positive_definite([[bound * entry(min(i, j)) - top * (i + j) for j in lengths] for i in lengths])


def bounded(bound: Bound, size: int) -> Evidence:
    """Decide whether the supremum is at most bound(α) for all l < u; counterexamples are sought at s = ``size``.

    The proof, where there is one, is for every s: the last step of the theorem.
    """

    def refuted(interval: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        claimed_text, actual = separating_decimals(claimed.upper, ratio)
        second = f"at least {actual}, by plain sums over lengths"
        return Refuted(witness(*interval, size)[1], f"at most {claimed_text}", f"at least {actual}", second)

    family = Family(
        point=lambda interval: Fraction(*interval),
        ratio=lambda interval, claimed: witness(*interval, size)[0],
        refuted=refuted,
        settings=SETTINGS,
        near=lambda at: [at.as_integer_ratio()] if at.denominator - at.numerator <= 1000 else [],
    )
    proved_bound = ProvedBound(
        LOWER,
        TEXT.named("A_max's supremum"),
        values=lambda: {"exactly": [instance(*p, size) for p in ((1, 10), (1, 100))]},
    )
    tried = f"{len(SETTINGS)} settings at $s = {size}$; no proof for a bound below $α⁻¹(1+α^{{−1/2}})/2$"
    return decide_bound(bound, family, tried=tried, proved=[proved_bound])


LONG = (10, 1000, 10**6, 10**12)
"""Prompts at which a bound from below for every s is tried: the supremum falls as s grows, to ½(1 + √(1/α))."""


def reached(bound: Bound, size: int) -> Evidence:
    """Decide whether the supremum is at least bound(α) for all l < u: at s = 0, or, where ``size`` ≥ 1, for every s.

    A counterexample is at s = ``size``, or for every s at a larger one, and is confirmed by elimination on the plain entries.
    """
    narrow = [(low, up) for low, up in SETTINGS if up - low <= WIDEST]
    sizes = (0,) if size == 0 else (size, *LONG)

    def refuted(setting: tuple[int, int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        low, up, prompt = setting
        agree(everywhere_below(claimed.lower, *setting), True, "whether A_max's supremum is below the bound")
        actual, claimed_text = separating_decimals(ratio, claimed.lower)
        above = at_least(bound.expr, LOWER, alpha, Fraction(0), Fraction(1)).holds
        return Refuted(
            {"s": prompt, "l": low, "u": up},
            f"at least {claimed_text}",
            f"at most {actual}, for all weights",
            "bound · H-SF − A_max is positive definite, by exact elimination on the entries",
            "the supremum is below this bound for every $s ≥ 0$ and all $l < u$" if above else "",
            theorem("A_max's supremum").records,
            {"exactly": instance(*setting)},
        )

    family = Family(
        lambda setting: Fraction(setting[0], setting[1]),
        lambda setting, claimed: enclose(supremum(*setting), {}, 60).upper,
        refuted,
        [(*interval, prompt) for prompt in sizes for interval in narrow],
    )
    below, why = (1 / alpha, "$K ≥ u/l$ at $s = 0$") if size == 0 else (sp.S.One, "$K ≥ (s+u)/(s+l) ≥ 1$")
    proved_bound = ProvedBound(below, TEXT.named("A_max's supremum"), f"{why}, as $r ≥ 1$")
    tried = f"{len(narrow)} settings at $s$ in {{{', '.join(map(str, sizes))}}}"
    return decide_bound(bound, family, tried=tried, proved=[proved_bound], side="at least")


def instance(low: int, up: int, size: int) -> JsonObject:
    """Return the exact supremum at one setting, and the ratio at rational weights near its maximiser."""
    exact, near = supremum(low, up, size), float(witness(low, up, size)[0])
    value = enclose(exact, {}, 15).middle
    agree(isclose(near, value, rel_tol=1e-6), True, "whether a ratio is near A_max's supremum")
    supremum_text = str(exact) if up - low <= WIDEST else repr(value)
    return {"s": size, "l": low, "u": up, "supremum": supremum_text, "about": value, "by_plain_sums": near}


RATE = sp.exp(BIG) * sp.sqrt(BIG)
"""α⁻¹ √(ln(1/α)) in L = ln(1/α)."""


def grows(size: int, power: Fraction, side: Side) -> Evidence:
    """Decide whether the supremum is at most, or at least, a constant times α^(−power) as α → 0.

    At most: at s = 0, or, where ``size`` ≥ 1, for every s. At least: at s = ``size`` and l = 1.
    """

    def rows(growth: Growth) -> tuple[JsonObject, Any, Any]:
        settings = [instance(1, up, size) for up in (10, 100, 1000)]
        over = [row["about"] / row["u"] ** float(power) for row in settings]
        witness = {"s": size, "l": 1, "u": [row["u"] for row in settings], "settings": settings}
        return witness, {"CR_over_this_rate": over}, {"CR_by_plain_sums": [row["by_plain_sums"] for row in settings]}

    theorems = (TEXT.named("A_max's supremum at s = 0") if size == 0 else TEXT.named("A_max's supremum"),)
    lower = RATE if side == "at most" else sp.exp(BIG)
    upper = sp.exp(BIG * 3 / 2) if side == "at most" and size else RATE
    stays = "as $u → ∞$; $α·CR$ is $½(1+√(1+S))$ at $s = 0$ and $¼(1+α)(1+√(1+2S))$ at $s = l = 1$, with $S$ of the order $ln(1/α)$"
    return decide_order(power_of(power), Order(rows, lower, theorems, upper, theorems, stays), side)


def at_one(claimed: Fraction) -> Evidence:
    """Decide whether the supremum at l = u, every s, is the number claimed."""
    if claimed == 1:
        return by_theorem(theorem("A_max's supremum"), argument="$S = 0$ at $l = u$, so that $r = 1$ and $K = 1$")
    value = Fraction(int(supremum(5, 5, 1)))
    second = agree(value, literal(5, 5, 1, [Fraction(1)]), "A_max's ratio at one length")
    return Refuted({"s": 1, "l": 5, "u": 5}, str(claimed), str(value), str(second))


# ---- in the process ------------------------------------------------------------------------------------------------

INTERVALS = (4, 10, 40)
"""Ends u of the intervals [1, u] on which an upper bound on A_max is compared with a claimed lower bound."""

LARGEST_ONES = 400
"""Largest number of requests of length 1 at a small memory."""


def max_bounded(bound: Bound, *, in_the_limit: bool = False, strictly: bool = False) -> Evidence:
    """Decide CR(A_max) ≤ bound(α) + O(1/M): proved of weak bounds, refuted where lengths 1 exceed it, else open.

    ``in_the_limit``: of n/M → ∞ and then M → ∞ only, where a sharper bound is known. ``strictly``: what is proved is the least
    bound that is known at every n.
    """

    def refuted(setting: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        claimed_text, actual = separating_decimals(claimed.upper, ratio)
        return Refuted(
            {"s": setting[0], "l": 1, "u": setting[1], "lengths": "all 1"},
            f"at most {claimed_text}",
            f"at least {actual} as $n → ∞$ and $M → ∞$",
            _on_ones(*setting),
            "the ratio on lengths 1 tends to $(s+u)/(s+1)$",
            theorem("A_max on lengths 1").records,
        )

    ones = Family(
        point=lambda setting: Fraction(1, setting[1]),
        ratio=lambda setting, claimed: Fraction(sum(setting), setting[0] + 1),
        refuted=refuted,
        settings=[(s, up) for s in (1, 0) for up in (2, *INTERVALS)],
    )
    root, text = sp.sqrt(alpha), TEXT.named
    proved_bounds = [
        ProvedBound((1 + 1 / alpha) / (2 * alpha), text("A_max in the process, against H-SF")),
        ProvedBound((1 + 1 / root) / alpha + 1, text("A_max in the process, against every schedule")),
    ]
    if in_the_limit:
        proved_bounds.insert(0, ProvedBound((1 + 1 / root) / (2 * alpha), text("A_max against H-SF's generations")))
    if strictly:
        strict = text("A_max in the process, below its bound(a_max_bound)")
        proved_bounds = [ProvedBound((3 + 2 / alpha) / (5 * alpha), strict)]
    tried = "$½α⁻¹(1+α⁻¹)$ and $α⁻¹(1+α^{−1/2}) + 1$ are proved at every $n$ for large $M$; this bound is no weaker than one of them"
    return decide_bound(bound, ones, _alike(), tried=tried, proved=proved_bounds)


def _alike() -> Family[tuple[int, int]]:
    """Return intervals [l, u] on which all requests have length u, so that A_max and H-SF make the same schedule."""

    def refuted(interval: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        lengths = "all u, which is what A_max reserves for: as where l = u"
        return Refuted(
            {"s": 1, "l": interval[0], "u": interval[1], "lengths": lengths},
            f"at most {separating_decimals(claimed.upper, ratio)[0]}",
            "1, at every $n$ and $M$",
            [_all_of_length_u(u) for u in (2, 9)],
            "every $s$, $n$ and $M$",
            theorem("equal lengths").records,
        )

    return Family(
        point=lambda interval: Fraction(*interval),
        ratio=lambda interval, claimed: Fraction(1),
        refuted=refuted,
        settings=NEAR_ONE,
        near=lambda at: [at.as_integer_ratio()],
        approaches=ProvedBound(sp.S.One, None),
    )


def _on_equal(length: int, n: int, memory: int, size: int, low: int, up: int) -> list[int]:
    """Run A_max and H-SF on n requests of one length; return both totals."""
    policies: tuple[Queue, ...] = ("a-max", "h-sf")
    return [confirmed_total(policy, [length] * n, memory, size, low, up) for policy in policies]


def _all_of_length_u(u: int) -> JsonObject:
    """Run A_max and H-SF on [u − 1, u] where all have length u."""
    n, memory = 7, 2 * u + 3
    a_max, h_sf = _on_equal(u, n, memory, 1, u - 1, u)
    return {"s": 1, "l": u - 1, "u": u, "n": n, "M": memory, "A_max": a_max, "H_SF": h_sf}


def _on_ones(size: int, up: int) -> JsonObject:
    """Run A_max and H-SF on lengths 1."""
    memory, n = 6 * (size + up), 360
    slow, best = _on_equal(1, n, memory, size, 1, up)
    return {"n": n, "M": memory, "A_max_over_H_SF": slow / best}


def max_reached(bound: Bound, sizes: tuple[int, ...]) -> Evidence:
    """Decide CR(A_max) ≥ bound(α): refuted where the proved upper bound at some s of ``sizes`` is below it."""

    def refuted(setting: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        size, up = setting
        below = everywhere_below(claimed.lower - 1, 1, up, size, "volume")
        agree(below, True, "whether A_max's supremum is below the bound")
        actual, claimed_text = separating_decimals(ratio, claimed.lower)
        small_memory = by_rounding(size, up, claimed.upper)
        enough = (claimed.lower - 1) / (ratio - 1)  # M/(M−s−u) below this is enough
        least_memory = int((size + up) * enough / (enough - 1)) + 1
        return Refuted(
            {"s": size, "l": 1, "u": up, "lengths": f"any in $[1, {up}]$", "n": "any", "least_M": least_memory},
            f"at least {claimed_text}",
            f"at most {actual} as $M → ∞$: $M/(M−s−u) · {rounded(ratio - 1, up=True)} + 1$ at every $n$",
            "(bound − 1) · volume − A_max is positive definite, by exact elimination on the entries",
            f"at every $n$ and every $M ≥ {least_memory}$ the upper bound is below the claim" + _reached(small_memory),
            theorem("A_max in the process, against every schedule").records,
            {"true_by_rounding": small_memory} if small_memory else {},
        )

    family = Family(
        lambda setting: Fraction(1, setting[1]),
        lambda setting, claimed: upper_bound(*setting),
        refuted,
        [(size, up) for size in sizes for up in INTERVALS],
    )
    why = "$n = 1$, where both total latencies are the request's length; the bound is at most 1"
    trivial = ProvedBound(sp.S.One, None, why)
    tried = f"upper bounds on $[1, u]$ for $u$ in {set(INTERVALS)}, $s$ in {set(sizes)}"
    return decide_bound(bound, family, tried=tried, proved=[trivial], side="at least")


def by_rounding(size: int, up: int, claimed: Fraction) -> JsonObject:
    """Return n lengths 1 whose ratio is above the claimed one at M = 2(s+u) − 1, n ≤ ``LARGEST_ONES``; {} if there is none.

    A_max has room for one of them at each instant, H-SF for ⌊M/(s+1)⌋.
    """
    memory = 2 * (size + up) - 1
    batch = memory // (size + 1)
    sizes = range(batch, LARGEST_ONES + 1, batch)
    n = next((n for n in sizes if batch_total(n, 1) > claimed * batch_total(n, batch)), None)
    if n is None:
        return {}
    runs = _on_equal(1, n, memory, size, 1, up)
    totals = agree([batch_total(n, 1), batch_total(n, batch)], runs, "totals on lengths 1")
    return {"M": memory, "lengths": "all 1", "n": n, "totals": totals, "ratio": rounded(Fraction(*totals))}


def _reached(example: JsonObject) -> str:
    if not example:
        return ""
    return f"; by rounding it is reached at some small $M$, as at $M = {example['M']}$: {example['ratio']} with {example['n']} lengths 1"


def max_grows(power: Fraction, side: Side) -> Evidence:
    """Decide whether CR(A_max) is at most, or at least, of the order α^(−power), at s = 0 and 1, l = 1.

    It is of the order α⁻¹ at least, on lengths 1, and for every s of the order α^(−3/2) at most.
    """

    def ones(growth: Growth) -> tuple[JsonObject, Any, Any]:
        runs = [_on_ones(1, up) for up in INTERVALS]
        return {"s": 1, "l": 1, "u": list(INTERVALS), "lengths": "all 1"}, "at least $(1+u)/2$", runs

    def rows(growth: Growth) -> tuple[JsonObject, Any, Any]:
        settings: list[JsonObject] = []
        for size, up in product((0, 1), (10, 100, 1000)):
            bound = upper_bound(size, up)
            agree(bound <= (size + up) * (1 + log(up + 1)) + 1, True, "whether A_max's ratio is of the order shown")
            over = float(bound) / up ** float(power)
            settings.append({"s": size, "u": up, "CR_at_most": rounded(bound, up=True), "over_the_rate": over})
        actual = {"CR_over_this_rate_at_most": [row["over_the_rate"] for row in settings]}
        second = "at most $½(s+u)(2 + 2 ln(u+1)) + 1$ at each, as $√(1+x) ≤ 1 + x$"
        return {"s": [0, 1], "l": 1, "u": [10, 100, 1000], "settings": settings}, actual, second

    if side == "at most":
        upper, witness, stays = sp.exp(BIG * 3 / 2), ones, "the ratio on lengths 1 tends to $(s+u)/(s+1)$"
    else:
        upper, witness = RATE, rows
        stays = (
            "as $u → ∞$, at every $n$, $M → ∞$: CR is at most $½(s+u)(1+√(1+v_l S)) + 1$ with $S ≤ ln u$, "
            "of the order $α⁻¹ √(ln(1/α))$"
        )
    below, above = (TEXT.named(name) for name in ("A_max on lengths 1", "A_max in the process, against every schedule"))
    return decide_order(power_of(power), Order(witness, sp.exp(BIG), (below,), upper, (above,), stays), side)


def upper_bound(size: int, up: int) -> Fraction:
    """Return an upper bound on A_max's ratio on [1, up]: 1 more than the supremum of its form over the volumes'."""
    return enclose(supremum(1, up, size, "volume"), {}, 20).upper + 1


def at_equal_lengths(claimed: Fraction) -> Evidence:
    """Decide whether CR(A_max) at l = u is the number claimed."""
    if claimed == 1:
        return by_theorem(theorem("equal lengths"))
    value = str(Fraction(*_on_equal(2, 5, 7, 1, 2, 2)))
    return Refuted({"s": 1, "l": 2, "u": 2, "n": 5, "M": 7}, str(claimed), value, value)
