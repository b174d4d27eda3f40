"""Evidence on A_min's ratio under laws with one parameter q: below a bound, above it for larger s, monotone in q.

Used by geometric, thm-lg and uniform-bounds.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import prod
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure
from crtools.ledger.deciders.bounds import Bound, above, bound_text
from crtools.ledger.evidence import Certified, Data, Evidence, Open, Proved, Refuted, agree
from crtools.notation.terminal import SUPERSCRIPTS
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.evidence.algorithm_two import LAWS, law_in_process
from crtools.papers.adaptive.literal.forms import limit_by_integral, ratio_by_sums
from crtools.ratios import Derivation, Supremum, derive
from crtools.signs.numbers import compare, number_at_least
from crtools.signs.one_variable import at_least

q = sp.Symbol("q", positive=True)
GEOMETRIC, LINEAR = "geometric(q)", "linear-geometric(q)"
LARGER = (1, 2, 5, 10, 100)
"""The prompt sizes s ≥ 1 at which bounds are tried, smallest first."""

DIGITS = (13, 40, 120)
"""Digits to which a ratio is compared with a bound, one after the other."""

DIRECTIONS = ("increases", "decreases")
HALF = Fraction(1, 2)


@lru_cache(maxsize=32)
def derived(spec: str, s: int) -> Derivation:
    """Return the derivation of A_min's ratio under a law, kept."""
    return derive(spec, s=s)


@lru_cache(maxsize=32)
def supremum(spec: str, s: int) -> Supremum:
    """Return the supremum over q, kept."""
    return derived(spec, s).supremum()


def direct(spec: str, s: int, at: Fraction, digits: int = 12) -> Enclosure:
    """Return the ratio at q = ``at`` by plain sums over lengths of the literal entries: shares no code with the forms."""
    return ratio_by_sums(LAWS[spec], s, at, digits)


def exceeding(spec: str, s: int, bound: Bound) -> Refuted | Open:
    """Refute ratio ≤ bound at one s by two computations: at a q near the worst one, or, where that is 1, by the limit."""
    derivation, largest, claimed = derived(spec, s), supremum(spec, s), bound.at(HALF, DIGITS[-1])
    rows: list[tuple[Data, Callable[[int], Enclosure], Callable[[int], Enclosure]]] = []
    if largest.at == 1:
        limit = derivation.limit(q=1)
        confirmed = partial(limit_by_integral, LAWS[spec])
        rows = [({"s": s, "q_tends_to": "1"}, lambda digits: enclose(limit, {}, digits), confirmed)]
    elif isinstance(largest.at, Enclosure):
        middle = Fraction(largest.at.middle)
        points = [middle.limit_denominator(10**k) for k in (1, 2, 3, 6, 12)]
        rows = [({"s": s, "q": str(p)}, partial(derivation.enclosure, p), partial(direct, spec, s, p)) for p in points]
    for (at, first, second), digits in product(rows, DIGITS):
        value = first(digits)
        if claimed is None or value.lower <= claimed.upper:
            continue
        confirmed = agree(value, second(digits), f"the ratio at {at}")
        if confirmed.lower > claimed.upper:
            claimed_text = bound_text(claimed, min(value.lower, confirmed.lower))
            return Refuted(
                witness=at,
                claimed=claimed_text,
                actual=value.decimals(digits + 2)[0],
                second=confirmed.decimals(digits + 2)[0],
                stays="the forms are the limit $M → ∞$; the law is not cut",
                values={"ratio": above(claimed_text, value.lower), "supremum_over_q": largest.as_json()},
            )
    return Open("the supremum exceeds the bound; no ratio that was looked at was seen to, by two computations")


def bounded_at(level: str, spec: str, bound: Bound) -> Evidence:
    """Decide ratio ≤ bound under a family, at a level."""
    if level == ALGORITHM:
        return law_in_process(spec, bound)
    return bounded(spec, 0, bound) if level == AT_ZERO else bounded_for_larger(spec, bound)


def directed_at(level: str, spec: str, direction: str) -> Evidence:
    """Decide that the ratio increases, or decreases, with q, at a level; it tends to 1 at q → 0 and is above 1 later."""
    if level == ALGORITHM:
        return Open("no bound on both sides of Algorithm 2's ratio is known as a function of $q$")
    if direction == "decreases":
        return _moves(spec, int(level == FORM), HALF, Fraction(1, 10), direction)
    if level == AT_ZERO:
        return increasing(spec)
    largest = Fraction(_middle(supremum(spec, 1))).limit_denominator(10)
    return _moves(spec, 1, largest, max(Fraction(99, 100), (1 + largest) / 2), direction)


def _middle(largest: Supremum) -> Fraction:
    """Return a q near the one with the largest ratio."""
    assert isinstance(largest.at, Enclosure)
    return Fraction(largest.at.middle)


def bounded(spec: str, s: int, bound: Bound) -> Evidence:
    """Decide ratio ≤ bound for every q at one s: by its limit at q → 1 at s = 0, where it increases, else by an enclosure."""
    largest = supremum(spec, s)
    outcome = number_at_least(bound.expr, largest.enclosure, largest.value)
    if outcome is None:
        return Open("the bound could not be told from the supremum, exactly or by balls", largest.as_json())
    if not outcome:
        return exceeding(spec, s, bound)
    tight = largest.value is not None and compare(bound.expr, largest.value) == 0
    values: Data = {"bound": bound.text, "tight": tight, "where": largest.place, "supremum": largest.as_json()}
    if s == 0:
        rising = increasing(spec)
        values["since_it_increases"] = {"argument": rising.argument, **rising.values}
        argument = f"the ratio under {spec} increases to its limit at $q → 1$; the bound is not below it"
        return Proved(argument=argument, values=values, uses=rising.uses)
    near = _middle(largest).limit_denominator(1000)
    second = {"q": str(near), "ratio_by_sums": direct(spec, s, near).decimals(12)[1]}
    return Certified(largest.as_json()["upper"], "every $0 < q < 1$", second, values, largest.uses)


def bounded_for_larger(spec: str, bound: Bound) -> Evidence:
    """Refute ratio ≤ bound at the smallest s ≥ 1 of the list where it fails, else leave it open."""
    sure: list[JsonObject] = []
    for s in LARGER:
        evidence = bounded(spec, s, bound)
        if isinstance(evidence, Refuted):
            return replace(evidence, values={**evidence.values, "s_where_the_bound_holds": sure})
        if isinstance(evidence, Proved | Certified):
            sure.append({"s": s, "supremum": supremum(spec, s).as_json()["upper"]})
    return Open("it holds at every s tried and is not proved for all", {"s": sure})


@lru_cache(maxsize=2)
def increasing(spec: str) -> Proved:
    """Prove that the ratio at s = 0 increases in q: the derivative's factors have one sign each."""
    rate: Any = sp.factor(sp.together(sp.diff(derived(spec, 0).ratio, q)))
    agree(prod(sign_inside(factor) for factor in sp.Mul.make_args(rate)), 1, "the derivative's sign")
    argument = "the derivative's factors have one sign each on $(0, 1)$, and together they are positive"
    return Proved(argument=argument, values={"derivative": str(rate)}, uses=("Sturm",))


def sign_inside(expr: SymExpr) -> int:
    """Return the sign that an analytic function, not 0 identically, has on 0 < q < 1 but for isolated zeros; 0: not seen."""
    signs = (sign for sign in (1, -1) if at_least(sign * expr, sp.S.Zero, q, Fraction(0), Fraction(1)).holds)
    return next(signs, 0)


def _moves(spec: str, s: int, high: Fraction, low: Fraction, claimed: str) -> Refuted:
    """Refute a direction: the ratio at q = ``high`` is larger than at ``low``, by two computations."""
    ratio: Any = derived(spec, s).ratio
    smaller, larger = ((enclose(ratio, {q: point}, 15), direct(spec, s, point)) for point in (low, high))
    changes = [first.upper < second.lower for first, second in zip(smaller, larger, strict=True)]
    agree(changes, [True, True], "a change of the ratio")
    bounds = {low: [value.decimals(10)[1] for value in smaller], high: [value.decimals(10)[0] for value in larger]}
    points = sorted(bounds)
    return Refuted(
        witness={"s": s, "q": [str(point) for point in points]},
        claimed=claimed,
        actual=[bounds[point][0] for point in points],
        second=[bounds[point][1] for point in points],
        stays="the forms are the limit $M → ∞$; the law is not cut",
    )


def typed(expr: SymExpr) -> str:
    """Return an expression in q as a reader types it."""
    text = re.sub(r"\*\*(\d+)", lambda power: power[1].translate(SUPERSCRIPTS), str(expr).replace("log", "ln"))
    return text.replace("*", " ")
