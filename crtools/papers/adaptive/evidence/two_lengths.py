"""Laws on two lengths l < u, weights x on l and y on u: forms, suprema, evidence on bounds on A_min and A_ℓ, and on displays.

Used by thm-two-point, thm-aell and uniform-bounds.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm, sqrt
from typing import Any, NamedTuple

import sympy as sp

from crtools.enclosure import Enclosure
from crtools.expressions import evaluate
from crtools.forms import form
from crtools.ledger import Evidence, Proved, Refuted
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, above, bound_text, decide_bound
from crtools.ledger.deciders.formulas import decide_identity
from crtools.ledger.deciders.ranges import formula_on, lengths_and_weights
from crtools.ledger.evidence import agree
from crtools.numeric_types import JsonObject, RingElement, SymExpr
from crtools.papers.adaptive.evidence import staggered
from crtools.papers.adaptive.evidence.confirmed_runs import confirmed_total, fast_total
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import TEXT
from crtools.process import simulate
from crtools.process.run import Engine
from crtools.proof.theorem import Theorem

Weights = tuple[int, int]
"""x_l and x_u."""

TwoLengths = tuple[int, int, int]
"""s, l and u."""

HALF = Fraction(1, 2)

LONGEST = 1000
"""Sums over lengths up to this one are evaluated term by term."""


# ---- the forms ------------------------------------------------------------------------------------------------------

alpha, t = sp.symbols("alpha t", positive=True)  # l/u and x/y
l, u, s, x, y = sp.symbols("l u s x y", positive=True)


def value_of(
    name: str, l: RingElement = l, u: RingElement = u, s: RingElement = s, x: RingElement = x, y: RingElement = y
) -> RingElement:
    """Return a form at weights x on l and y on u, numbers or expressions."""
    unbound = form(name)
    entry = (unbound if unbound.bind is None else unbound.bind(l, u)).formula
    return entry(l, l, s) * x**2 + 2 * entry(l, u, s) * x * y + entry(u, u, s) * y**2


def at_zero(name: str) -> RingElement:
    """Return a form at s = 0 divided by u² y², in α and t."""
    return sp.cancel(value_of(name).subs({s: 0}).subs({l: alpha * u, x: t * y}) / (u**2 * y**2))


def suprema(s: int, l: int, u: int) -> tuple[float, float]:
    """Return the suprema of A_min's and A_ℓ's form over H-SF's on {l, u}: those of the theorems for every s, in floats."""
    z = (s + u) / (s + l)
    root = sqrt(z * u / l)
    return 1 + (root - 1) / (2 * z), 1 + (1 / (2 * (root - 1)) if root >= 2 else 2 / root**2)


A_MIN_SUP = TEXT.value("a_min_top", alpha)
A_ELL_LOW, A_ELL_HIGH = (TEXT.value(name, alpha) for name in ("a_ell_low", "a_ell_high"))
"""At s = 0: A_min's supremum, and A_ℓ's up to α = ½ and from there on."""

A_ELL_EVERY_S_LOW, A_ELL_EVERY_S_HIGH = (TEXT.value(name, sp.sqrt(alpha)) for name in ("a_ell_low", "a_ell_high"))
"""Bounds on A_ℓ's ratio for every s: up to α = ¼ and from there on."""


# ---- bounds ---------------------------------------------------------------------------------------------------------


def _at_zero(policy: str, bound: Bound, supremum: SymExpr, theorem: Callable[[], Theorem], **where: Any) -> Evidence:
    """Decide a bound at s = 0 by the exact supremum."""
    argument = "the given bound is at least the supremum on its whole range"
    tight = sp.cancel(bound.expr - supremum) == 0
    supremum_bound = ProvedBound(supremum, theorem, argument, lambda: {"the_bound_is_the_supremum": tight}, **where)
    near = _family(policy, near=lambda at: [(0, at.numerator, at.denominator)])
    return decide_bound(bound, near, tried="the exact supremum at $s = 0$", proved=[supremum_bound])


def a_min_at_zero(bound: Bound) -> Evidence:
    """Decide a bound on A_min's form at s = 0."""
    return _at_zero("a-min", bound, A_MIN_SUP, TEXT.named("a_min on two points"))


def a_min_every_s(bound: Bound) -> Evidence:
    """Decide a bound on A_min's form for every s: proved from one bound for every s, refuted at s ≥ 1."""
    why = "the given bound is at least this on $0 < α < 1$"
    every_s = 1 + (1 + alpha) * (1 / sp.sqrt(alpha) - 1) / 2
    proved_bound = ProvedBound(every_s, TEXT.named("a_min on two points, one bound for every s"), why)
    approaches = ProvedBound((1 + 1 / sp.sqrt(alpha)) / 2, None)
    family = _family("a-min", settings=SETTINGS, near=_long_prompts, approaches=approaches)
    return decide_bound(bound, family, tried=TRIED, proved=[proved_bound])


def a_ell_at_zero(bound: Bound, low: Fraction, high: Fraction) -> Evidence:
    """Decide a piece of a bound on A_ℓ's form at s = 0, on [0, ½] or [½, 1]."""
    supremum = A_ELL_LOW if high == HALF else A_ELL_HIGH
    return _at_zero("a-ell", bound, supremum, TEXT.named("a_ell on two points"), closed=(HALF,), low=low, high=high)


def a_ell_every_s(low: Bound, high: Bound) -> Evidence:
    """Decide a bound in two pieces on A_ℓ's form for every s: refuted at s ≥ 1, else by one bound for every s."""
    whole = decide_bound(pieces(low, high), _family("a-ell", settings=SETTINGS), tried=TRIED)
    if isinstance(whole, Refuted):
        return whole
    near, quarter = _family("a-ell", near=_long_prompts), Fraction(1, 4)
    theorem = TEXT.named("a_ell on two points, one bound for every s")
    why = "the given bound is at least this"
    evidence = [
        decide_bound(bound, near, tried=TRIED, proved=[proved])
        for bound, proved in (
            (low, ProvedBound(A_ELL_EVERY_S_LOW, theorem, why, high=quarter, closed=(quarter,))),
            (low, ProvedBound(A_ELL_EVERY_S_HIGH, theorem, why, low=quarter, high=HALF, closed=(HALF,))),
            (high, ProvedBound(A_ELL_EVERY_S_HIGH, theorem, why, low=HALF, closed=(HALF,))),
        )
    ]
    return next((one for one in evidence if not isinstance(one, Proved)), evidence[0])


def a_ell_in_process(low: Bound, high: Bound) -> Evidence:
    """Decide a bound in two pieces on A_ℓ itself: refuted where H-SF is out of step, or by the forms at s ≥ 1, else open."""
    tried = "what A_ℓ's ratio is at least, where H-SF is out of step and at settings with $s ≥ 1$; no upper bound on it is known"
    evidence = decide_bound(pieces(low, high), OUT_OF_STEP, tried=tried)
    if isinstance(evidence, Refuted):
        return evidence
    return decide_bound(pieces(low, high), _family("a-ell", settings=SETTINGS, itself=True), tried=tried)


def pieces(low: Bound, high: Bound) -> Callable[[Fraction], Enclosure | None]:
    """Return the bound on 0 < α < 1; where both pieces speak, the larger one."""

    def value(at: Fraction) -> Enclosure | None:
        values = [bound.at(at) for bound, here in ((low, at <= HALF), (high, at >= HALF)) if here]
        return None if None in values else max(filter(None, values), key=lambda enclosure: enclosure.upper)

    return value


def out_of_step(size: int, low: int) -> Fraction:
    """Return a lower bound on A_ℓ's ratio on lengths low and low + 1, nearly all the longer, where H-SF is out of step."""
    up = low + 1
    return Fraction(2 * low * (size + low) + up * (size + up), up * (size + low) + 1)


def _out_of_step(setting: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
    size, low = setting
    up = low + 1
    runs = [_run_out_of_step(size, low, scale, batches) for scale, batches in ((1, 20), (10, 200))]
    by = "the smaller run of H-SF by two implementations, those of A_ℓ in an order and its reverse"
    claimed_text = bound_text(claimed, ratio)
    return Refuted(
        {"s": size, "l": low, "u": up, "lengths": f"all {up} but a fixed number of {low}"},
        claimed_text,
        f"at least {ratio}",
        {"runs": runs, "by": by},
        f"$n → ∞$ at each $M = c · {staggered.unit(size, low, up)}$, which may grow, at fixed $s$ and $α < 1$; both lengths occur",
        TEXT.theorem("A_ell in step, H-SF out of step").records,
        {"ratio_at_least": above(claimed_text, ratio), "settings_looked_at": looked_at},
    )


def _run_out_of_step(size: int, low: int, scale: int, batches: int) -> JsonObject:
    """Run A_ℓ and H-SF on so many batches of requests of which nearly all have length low + 1."""
    row = staggered.family(size, low, low + 1, scale, 1)
    n = batches * row.memory // (size + low)
    lengths = [low] * row.short + [low + 1] * (n - row.short)
    # to compile the loop for any policy would take longer than these runs
    a_ell_total = both_orders(lengths, row.memory, size, low, low + 1, "reference")
    total = confirmed_total if n <= 1000 else fast_total
    h_sf_total = total("h-sf", lengths, row.memory, size, low, low + 1)
    return {"n": n, "M": row.memory, "ratio": float(a_ell_total / h_sf_total)}


OUT_OF_STEP = Family(
    point=lambda setting: Fraction(setting[1], setting[1] + 1),
    ratio=lambda setting, claimed: out_of_step(*setting),
    refuted=_out_of_step,
    settings=[(size, low) for size in (0, 1) for low in range(1, 20)],
)
"""Settings u = l + 1, s = 0 first, at which A_ℓ runs in step and H-SF does not."""


TRIED = "the exact supremum at many settings with $s ≥ 1$"

SETTINGS: tuple[TwoLengths, ...] = tuple(
    (size, low, up)
    for size in (1, 2, 3, 5, 10, 30, 100, 1000, 10**5, 10**8)
    for up in (*range(2, 13), 20, 50, 100, 1000, 10**4)
    for low in dict.fromkeys((*range(1, min(up, 6)), up * 9 // 10, up - 1))
)
"""Settings (s, l, u) with s ≥ 1 at which bounds are tried, smallest first."""


def _long_prompts(at: Fraction) -> list[TwoLengths]:
    return [(at.denominator * 10**k, at.numerator, at.denominator) for k in range(1, 60, 3)]


def _family(
    policy: str,
    *,
    settings: tuple[TwoLengths, ...] = (),
    near: Callable[[Fraction], list[TwoLengths]] = lambda at: [],
    approaches: ProvedBound | None = None,
    itself: bool = False,
) -> Family[TwoLengths]:
    """Return settings at which a form's ratio to H-SF's, or A_ℓ's in the process ``itself``, is compared with a bound."""

    def ratio(setting: TwoLengths, claimed: Fraction) -> Fraction | None:
        weights = simplest_weights(policy, *setting, claimed)
        return None if itself and weights[0] == 0 else quick_ratio(policy, *setting, weights)

    def refuted(setting: TwoLengths, claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        weights = simplest_weights(policy, *setting, claimed.upper)
        recomputed = agree(ratio, ratio_again(policy, *setting, weights), f"{policy}'s ratio")
        claimed_text = bound_text(claimed, ratio)
        limit = "$n → ∞$ and then $M → ∞$ through multiples of $s+ℓ$ and $s+u$, at fixed $s$ and $α < 1$; both lengths occur"
        return Refuted(
            dict(zip(("s", "l", "u", "x_l", "x_u"), (*setting, *weights), strict=True)),
            claimed_text,
            f"at least {ratio}" if itself else str(ratio),
            run(*setting, weights, claimed.upper) if itself else str(recomputed),
            limit if itself else "the forms are the limit; the ratio is continuous in the weights",
            TEXT.theorem("A_ell in the process").records if itself else (),
            {"ratio_at_least" if itself else "ratio": above(claimed_text, ratio), "settings_looked_at": looked_at},
        )

    return Family(lambda setting: Fraction(setting[1], setting[2]), ratio, refuted, settings, near, approaches)


def quick_ratio(policy: str, size: int, low: int, up: int, weights: Weights) -> Fraction:
    """Return the ratio of a-min's or a-ell's form to H-SF's, from the excess of the one over the other."""
    p, q = weights
    a, d = low * (size + low), up * (size + up)
    below = a * p * p + 2 * a * p * q + d * q * q
    if policy == "a-ell":
        return 1 + Fraction(a * q * (p + 2 * q), below)
    return 1 + Fraction((size + low) * (up - low) * (size + low + up) * p * q, (size + up) * below)


def ratio_again(policy: str, size: int, low: int, up: int, weights: Weights) -> Fraction:
    """Return the ratio by the paper's sums, term by term, and A_ℓ's by its definition in words; of long lengths by the forms."""
    p, q = weights
    pair = {low: p, up: q}
    if policy == "a-ell":
        # all requests run l tokens; each batch delays what finishes with or after it
        first, second = low * (size + low) * (p + q), up * (size + up) * q
        return Fraction(first * p + 2 * first * q + second * q, 1) / literal.h_sf_sum(pair, size)
    if up <= LONGEST:
        return literal.a_min_sum(pair, size, low) / literal.h_sf_sum(pair, size)
    numbers = [Fraction(value) for value in (low, up, size, p, q)]
    a_min, h_sf = (value_of(name, *numbers) for name in (policy, "h-sf"))
    return a_min / h_sf


def best_weights(policy: str, size: int, low: int, up: int) -> Weights:
    """Return integer weights near the maximiser."""
    if size == 0:
        return (up, low) if policy == "a-min" else (max(up - 2 * low, 0), low)
    a, d = low * (size + low), up * (size + up)
    scale = 10**6
    root = isqrt(d * scale * scale // a)  # √(d/a) in units of 10⁻⁶
    if policy == "a-ell":
        root = max(root - 2 * scale, 0)
    return Fraction(root, scale).limit_denominator(200).as_integer_ratio()


def simplest_weights(policy: str, size: int, low: int, up: int, claimed: Fraction) -> Weights:
    """Return the simplest weights near the maximiser at which the ratio exceeds a bound, the best ones if none does."""
    best = best_weights(policy, size, low, up)
    near = [Fraction(*best).limit_denominator(largest) for largest in (1, 2, 3, 5, 10, 20, 50)]
    few = [Fraction(1, k) for k in (1, 2, 3, 5, 10, 100, 10**4)]  # where only the longer length is worst
    candidates = (share.as_integer_ratio() for share in (few if best[0] == 0 else filter(None, near)))
    return next((each for each in candidates if quick_ratio(policy, size, low, up, each) > claimed), best)


def run(size: int, low: int, up: int, weights: Weights, claimed: Fraction) -> JsonObject:
    """Simulate A_ℓ (in an order and its reverse) and H-SF on the instance, with more rounds until the bound is exceeded."""
    for rounds in (1, 2, 4, 8, 16, 32):
        row = instance(size, low, up, weights, 10, rounds)
        if row.shorts + row.longs > 300_000:
            break
        total = agree(a_ell_total_of(row), both_orders(row.lengths, row.memory, size, low, up, "fast"), "A_ℓ's total")
        h_sf_total = simulate("h-sf", row.lengths, row.memory, size, low, up, engine="fast").total_latency
        if total > claimed * h_sf_total:
            totals = {"TEL_A_ell": str(total), "TEL_H_SF": h_sf_total}
            return {"M": row.memory, "n": row.shorts + row.longs, **totals, "ratio": float(total / h_sf_total)}
    return {"the_forms_term_by_term": str(ratio_again("a-ell", size, low, up, weights))}


# ---- displays -------------------------------------------------------------------------------------------------------


def display(name: str, text: str, truth: SymExpr, theorem: str) -> Evidence:
    """Decide a displayed formula: it must equal the expression computed from the forms.

    Both are written in l, u, x, y, so that α and t may stand for l/u and x/y in either.
    """
    symbols = {"l": l, "u": u, "x": x, "y": y, "alpha": alpha, "t": t}
    tree, given_as = formula_on(name, text, symbols, lengths_and_weights())
    claimed, true = (sp.sympify(side).subs({alpha: l / u, t: x / y}) for side in (given_as, truth))

    def evaluate_again(at: Mapping[str, Fraction]) -> JsonObject:
        try:
            displayed = str(evaluate(tree, at))
        except ArithmeticError:
            displayed = "not rational"
        in_floats = float(true.subs({k: at[k.name] for k in (l, u, x, y)}))
        return {"as_displayed": displayed, "by_the_forms_in_floats": in_floats}

    return decide_identity(theorem, claimed, true, lengths_and_weights(), evaluate_again, "s = 0")


# ---- A_ℓ in the process, exactly: all run for l instants in batches of M/(s+l), the long ones again in batches of M/(s+u)


class Instance(NamedTuple):
    """``shorts`` requests of length l and ``longs`` of length u, which fill whole batches in both phases."""

    s: int
    l: int
    u: int
    memory: int
    shorts: int
    longs: int

    @property
    def lengths(self) -> list[int]:
        """The lengths, spread evenly."""
        n = self.shorts + self.longs
        before = [self.longs * index // n for index in range(n + 1)]
        return [self.u if more > few else self.l for few, more in pairwise(before)]


def instance(s: int, l: int, u: int, weights: tuple[int, int], size: int, rounds: int) -> Instance:
    """Return the instance with weights x_l : x_u whose memory is ``size`` times the least that both peaks divide."""
    memory = size * lcm(s + l, s + u)
    first, second = memory // (s + l), memory // (s + u)
    unit = lcm(first, sum(weights) * second)
    return Instance(s, l, u, memory, *(rounds * unit * w // sum(weights) for w in weights))


def a_ell_total_of(row: Instance) -> Fraction:
    """Return E TEL of A_ℓ."""
    first, second = row.memory // (row.s + row.l), row.memory // (row.s + row.u)
    batches, later = (row.shorts + row.longs) // first, row.longs // second
    shorts = Fraction(row.shorts * row.l * (batches + 1), 2)
    return shorts + row.longs * (row.l * batches) + Fraction(row.longs * row.u * (later + 1), 2)


def both_orders(lengths: list[int], memory: int, s: int, l: int, u: int, engine: Engine = "auto") -> Fraction:
    """Return the mean of A_ℓ's simulated totals in an order and its reverse, which is the mean over all orders."""
    orders = range(len(lengths)), range(len(lengths))[::-1]
    runs = (simulate("a-ell", lengths, memory, s, l, u, order=order, engine=engine) for order in orders)
    return Fraction(sum(run.total_latency for run in runs), 2)
