"""wlog, thm-log and cor-intervals: is the worst case O(log 1/α), and for which s?

The growth function g(α) is given. At s = 0 the worst case of the form is ¼ ln(1/α) + Θ(1); with s free it is of the
order √(1/α). So "O(g), one constant" is decided by one limit each, whatever g is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from crtools.errors import InputError
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, positive_at_infinity, small
from crtools.ledger.result import Decision, Part, Proof, Repair, Verdict, from_theorem
from crtools.papers.adaptive.evidence.algorithm_two import order_part
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import intervals as interval_theorems
from crtools.papers.adaptive.theorems.form import log_bound as theorems
from crtools.papers.adaptive.theorems.form.tails import positivity
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

FAMILY = (4, 10, 30, 100)
"""The m of the family u = m², s = m⁴ at which it is evaluated by two computations."""

DEGENERATE = (
    "α = 1: log(1/α) = 0 and every ratio is 1",
    "α → 1: any ratio is at least 1, so O(log 1/α) is read as α → 0",
)
ORDER_READING = "there are C and α₀ such that for all α = l/u ≤ α₀ the supremum over x ≥ 0 is at most C·g(α)"


@cache
def kept(theorem: Callable[[], Theorem]) -> Theorem:
    """Return a theorem that does not depend on what a claim is given; its steps are checked once in a process."""
    return theorem()


def _limit(true_order: Any, growth: Any, big: Any) -> tuple[bool | None, str]:
    """Return whether true_order/growth stays bounded as L → ∞, and the limit as text; None where it is not found."""
    try:
        value = sp.limit(true_order / growth, big, sp.oo)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, RecursionError):
        return None, "not found"
    if value.is_finite is True and value.is_real and value >= 0:
        return True, str(value)
    if value in (sp.oo, sp.zoo):
        return False, str(value)
    return None, str(value)


def _growth(given: Given) -> tuple[Any, Any]:
    """Return g as an expression in L = ln(1/α), and the symbol L."""
    big = sp.Symbol("L", positive=True)
    _, expr = formula_on("growth", given["growth"], {"alpha": sp.exp(-big)}, small("alpha"))
    expr = sp.simplify(sp.expand_log(expr, force=True))
    if expr.has(sp.Sum, sp.Min, sp.Max) or not positive_at_infinity(expr, big):
        raise InputError("growth", given["growth"], "must be an expression in alpha that is positive for small alpha")
    return expr, big


def _order_part(
    name: str,
    given: Given,
    true_order: Callable[[Any], Any],
    above: Theorem,
    below: Theorem,
    sample: Callable[[], dict[str, Any]],
) -> Part:
    growth, big = _growth(given)
    bounded, limit = _limit(true_order(big), growth, big)
    order = str(true_order(sp.Symbol("L")))
    evidence: dict[str, Any] = {
        "order of the worst case, L = ln(1/α)": order,
        "limit of order/g as L → ∞": limit,
        "growth": str(growth),
    }
    if bounded is None:
        return Part(name, "inconclusive", {**evidence, "tried": "the limit was not found"})
    theorem = above if bounded else below
    if not theorem.holds:
        return Part(name, "inconclusive", {**evidence, **theorem.as_json()})
    if bounded:
        return Part(name, "proved", {**evidence, **theorem.as_json()}, theorem.uses)
    return Part(name, "refuted", {**evidence, "family": theorem.as_json(), "counterexample": sample()}, theorem.uses)


def s_free(given: Given, name: str) -> Part:
    """One constant for all s: the order is √(1/α), by two lengths at s = u²."""
    return _order_part(
        name,
        given,
        lambda big: sp.exp(big / 2),
        kept(theorems.general_upper),
        kept(theorems.not_logarithmic),
        _family_sample,
    )


def s_zero(given: Given, name: str) -> Part:
    """s = 0: the order is ln(1/α)."""
    return _order_part(name, given, lambda big: big, kept(theorems.upper), kept(theorems.lower), _lower_sample)


def s_fixed(given: Given, name: str) -> Part:
    """Each s on its own, with a constant that may depend on s: the order is ln(1/α) again."""
    return _order_part(name, given, lambda big: big, kept(theorems.general_upper), kept(theorems.lower), _lower_sample)


def _family_sample() -> dict[str, Any]:
    rows: list[dict[str, str]] = []
    for m in FAMILY:
        s, u, x = m**4, m * m, {1: m - 1, m * m: 1}
        ratio = theorems.family_ratio(Fraction(m))
        second = literal.a_min_sum(x, s, 1, u) / literal.h_sf_sum(x, s)
        if ratio != second:
            raise AssertionError(f"two computations of the family's ratio differ at m = {m}")
        rows.append(
            {
                "s": str(s),
                "l": "1",
                "u": str(u),
                "weights": str(x),
                "ratio": str(ratio),
                "second computation": str(second),
                "≈": f"{float(ratio):.4f}",
            }
        )
    return {"rows": rows, "grows like": "½√u = ½√(1/α) at s = u²"}


def _lower_sample() -> dict[str, Any]:
    rows: list[dict[str, str]] = []
    for u in (2, 10, 100):
        x = {k: Fraction(1, 2 * k - 1) - Fraction(1, 2 * k + 1) for k in range(1, u)} | {u: Fraction(1, 2 * u - 1)}
        ratio = literal.a_min_sum(x, 0, 1, u) / literal.h_sf_sum(x, 0)
        on = Setting(0, 1, u)
        weights = list(x.values())
        second = form("a-min").on(on).value(weights) / form("h-sf").on(on).value(weights)
        if ratio != second:
            raise AssertionError(f"two computations of the lower bound's ratio differ at u = {u}")
        rows.append(
            {
                "s": "0",
                "l": "1",
                "u": str(u),
                "weights": "2/(4k²−1), last 1/(2u−1)",
                "ratio": str(ratio),
                "second computation": str(second),
            }
        )
    return {"rows": rows, "grows like": "¼ ln(1/α)"}


def _why(as_stated: Part, argued: Part, given: Given) -> str:
    verb = {"proved": "holds", "refuted": "fails", "inconclusive": "is open"}
    return (
        f"O({given['growth']}) {verb[as_stated.status]} with one constant for all s (the worst case over s is of order √(1/α)); "
        f"at s = 0 it {verb[argued.status]}"
    )


def _at_zero() -> Repair:
    return Repair(
        "of the form at s = 0, for all u ≥ l ≥ 1: sup CR(A_min) ≤ 1 + ½E ≤ 3/2 + ¼ ln(1/α) with E = 1 + Σ_{k=l+1}^{u} 1/(2k−1)",
        (from_theorem("upper bound at s = 0", theorems.upper()),),
    )


def _every_s() -> Repair:
    return Repair(
        "of the form, for all s ≥ 0 and u ≥ l ≥ 1: sup CR(A_min) ≤ 3/2 + ¼ ln(1/α) + √(1/α); the order √(1/α) is right: "
        "at l = 1, u = m², s = u² with m ≥ 2 it exceeds ½√(1/α)",
        (
            from_theorem("upper bound for every s", theorems.general_upper()),
            from_theorem("the family at s = u²", theorems.not_logarithmic()),
        ),
    )


def decide_wlog(given: Given) -> Decision:
    """Decide the reduction to s = 0, l = 1 by the worst case for general s and l."""
    general_l = s_zero(given, "general l at s = 0")
    free = s_free(given, "general s, one constant for all s")
    fixed = s_fixed(given, "each s on its own, with a constant that depends on s")
    as_stated = Verdict(
        "as-stated",
        f"for all integers s ≥ 0 and u ≥ l ≥ 1, of the forms: {ORDER_READING}, with the same C for all s",
        "explicit family with a proved ratio; limits of exp–log functions",
        (general_l, free),
        _why(free, general_l, given),
        DEGENERATE,
    )
    argued = Verdict(
        "where-argued",
        f"s = 0 and every l, of the forms: {ORDER_READING}",
        "proved bounds from above and below",
        (general_l,),
        f"at s = 0: {general_l.status}; for each fixed s > 0 with its own constant: {fixed.status}",
        DEGENERATE,
    )
    argued = _extend(argued, "each fixed s", fixed)
    state = (
        Proof("false-step", '"W.L.O.G.": taking s = 0 loses generality')
        if free.status == "refuted"
        else Proof("gap", "no reason is given")
    )
    return Decision((as_stated, argued), state, (_at_zero(), _every_s()))


def _extend(verdict: Verdict, key: str, part: Part) -> Verdict:
    from dataclasses import replace

    first = verdict.parts[0]
    evidence = {**first.evidence, key: {"status": part.status, **part.evidence}}
    return replace(verdict, parts=(replace(first, evidence=evidence), *verdict.parts[1:]))


def decide_log(given: Given) -> Decision:
    """Decide Theorem "aminmain", of the form, with the sharper bounds beside it."""
    free = s_free(given, "of the form, one constant for all s ≥ 0 and l")
    zero = s_zero(given, "of the form at s = 0, every l")
    itself = order_part("CR(A_min) as M → ∞", *_growth(given))
    sharper = (
        kept(positivity),
        kept(theorems.trace_bound),
        kept(theorems.sharp_upper),
        kept(theorems.lower),
        kept(theorems.logarithmic_order),
    )
    as_stated = Verdict(
        "as-stated",
        f'of the form (Lemma "Amin" identifies it with CR(A_min) as M → ∞), for all integers s ≥ 0 and u ≥ l ≥ 1: '
        f"{ORDER_READING}, with the same C for all s",
        "explicit family with a proved ratio; limits of exp–log functions",
        (free, itself),
        f"{_why(free, zero, given)}; {itself.part}: {itself.status}",
        DEGENERATE,
    )
    argued = Verdict(
        "where-argued",
        f"s = 0, of the form: {ORDER_READING}; the paper's trace bound H_u, and the sharper bounds",
        "machine-checked proofs for every u and l",
        (zero, *(from_theorem(f"{t.name}: {t.reading}", t) for t in sharper)),
        "worst case = ¼ ln(1/α) + Θ(1): between ¾ + ½E − 1/(4E) and ¾ + ½E with E = 1 + Σ_{l<k≤u} 1/(2k−1)"
        if zero.status == "proved"
        else f"O({given['growth']}) {zero.status} at s = 0",
        DEGENERATE,
    )
    state = (
        Proof("false-step", 'the reduction "W.L.O.G. s = 0" (claim wlog); at s = 0 the trace argument is sound')
        if free.status == "refuted"
        else Proof("gap", "the reduction to s = 0 is not argued")
    )
    both = Repair(
        "of the form at s = 0, for all u ≥ l ≥ 1: ¾ + ½E − 1/(4E) ≤ sup CR(A_min) < ¾ + ½E with E = 1 + Σ_{k=l+1}^{u} 1/(2k−1), "
        "that is ¼ ln(1/α) + Θ(1)",
        tuple(
            from_theorem(f"{t.name} at s = 0", t)
            for t in (theorems.lower(), theorems.sharp_upper(), theorems.logarithmic_order())
        ),
    )
    return Decision((as_stated, argued), state, (both, _every_s()))


def decide_intervals(given: Given) -> Decision:
    """Decide the corollary on several intervals, of the form."""
    below = kept(interval_theorems.intervals_below_single)
    free = s_free(given, "of the form, one constant for all s ≥ 0 (one interval is a case of several)")
    zero = s_zero(given, "of the form at s = 0: at most the single interval's worst case on [l_1, u_m]")
    itself = order_part("the revised A_min as M → ∞ (one interval is a case of several)", *_growth(given))
    compare = from_theorem("the form on several intervals is at most that on one, for x ≥ 0 and every s", below)
    as_stated = Verdict(
        "as-stated",
        f"of the form, for all s ≥ 0 and all interval lists with u_j ≤ l_(j+1), α = l_1/u_m: {ORDER_READING}, with the same C",
        "explicit family with a proved ratio; entrywise comparison",
        (free, itself),
        f"{_why(free, zero, given)}; {itself.part}: {itself.status}",
        DEGENERATE,
    )
    argued = Verdict(
        "where-argued",
        f"s = 0, of the form: {ORDER_READING}",
        "entrywise comparison with the single interval",
        (zero, compare),
        "the blocks' form is at most the single interval's"
        if zero.status == "proved"
        else f"O({given['growth']}) {zero.status} at s = 0",
        DEGENERATE,
    )
    repair = Repair(
        "of the form at s = 0, under disjoint intervals: the revised A_min's supremum is at most that on the single interval "
        "[l_1, u_m], which is at most 3/2 + ¼ ln(1/α) with α = l_1/u_m",
        (compare, *_at_zero().parts),
    )
    return Decision((as_stated, argued), Proof("not-examined", "the paper gives no proof"), (repair,))


def _false(free: str) -> tuple[Variant, ...]:
    """Orders that are too small at s = 0, and (in the part that starts with ``free``) too small for all s at once."""
    return (
        Variant("bounded", {"growth": "5/2"}),
        Variant("a smaller order", {"growth": "sqrt(log(1/alpha))"}),
        Variant("an iterated logarithm", {"growth": "log(log(1/alpha))"}),
        Variant("an exponent off by 1 %", {"growth": "log(1/alpha)**0.99"}),
        Variant("an exponent off by 1 % with s free", {"growth": "(1/alpha)**0.495"}, free),
        Variant("a logarithm too little with s free", {"growth": "sqrt(1/alpha)/log(1/alpha)"}, free),
    )


def _true(free: str) -> tuple[Variant, ...]:
    return (
        Variant("a weaker order that holds for all s", {"growth": "sqrt(1/alpha)"}),
        Variant("the order with s free", {"growth": "sqrt(1/alpha)"}, free),
        Variant("the order of A_max", {"growth": "1/alpha**2"}),
        Variant("an equivalent wording", {"growth": "-1.01*log(alpha)"}),
    )


WLOG = Claim(
    id="wlog",
    place='before Corollary "A/B"',
    statement='"W.L.O.G., we take s = 0, l = 1": the worst case over x for general s, l is O(log 1/α) as well',
    given={"growth": "log(1/alpha)"},
    decide=decide_wlog,
    rests_on=("lem-amin",),
    corrupted=_false("general s"),
    variants=_true("general s"),
)

THM_LOG = Claim(
    id="thm-log",
    place='Theorem "aminmain"',
    statement="as M → ∞, CR(A_min) = O(log 1/α)",
    given={"growth": "log(1/alpha)"},
    decide=decide_log,
    rests_on=("lem-amin", "wlog", "cor-ab", "lem-pd", "b-inverse", "t1", "t2", "trace"),
    corrupted=_false("of the form, one constant for all s"),
    variants=_true("of the form, one constant for all s"),
)

COR_INTERVALS = Claim(
    id="cor-intervals",
    place="Corollary (heterogeneous intervals)",
    statement="under disjoint intervals the revised A_min keeps O(log 1/α), α = l_1/u_m",
    given={"growth": "log(1/alpha)"},
    decide=decide_intervals,
    rests_on=("thm-log", "lem-amin"),
    corrupted=_false("of the form, one constant for all s"),
    variants=_true("of the form, one constant for all s"),
)
