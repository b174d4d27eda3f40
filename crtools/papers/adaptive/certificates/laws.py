"""Evidence on laws: weights on two lengths above a bound, closed forms and decimals, cut off, of geometric ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.expressions import evaluate, formula
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.bounds.algorithm_two import area_ratio
from crtools.papers.adaptive.certificates.parts import cut_off, picked, refuted, truncated
from crtools.papers.adaptive.evidence.algorithm_two.pairs import in_step, out_of_step
from crtools.papers.adaptive.evidence.laws.one_parameter import GEOMETRIC, LINEAR, derived, q
from crtools.papers.adaptive.levels import ALGORITHM, FORM
from crtools.process import simulate
from crtools.proof.data import joint_integers, quotient, terms


def example(result: ClaimResult, id: str, level: str = FORM) -> Data:
    """Return the setting, weights on two lengths and ratio at which a bound on the form is refuted."""
    found = refuted(result, id, level)
    weights = [found.witness["x_l"], found.witness["x_u"]]
    return {**picked(found.witness, "s", "l", "u"), "weights": weights, "ratio": found.actual.removeprefix("at least ")}


def a_ell_form(result: ClaimResult) -> Data:
    """Return an example above the bound, a place where display (1) fails, and a number for which the inference does."""
    shown, inference = refuted(result, "display-1-left"), refuted(result, "inference")
    display = {key: int(shown.witness[key]) for key in ("l", "u", "x", "y")}
    share, at, gives = (Fraction(v) for v in (*inference.witness.values(), inference.values["gives"]))
    return {
        "example": example(result, "bound"),
        "display": {**display, "displayed": shown.claimed, "actual": shown.actual},
        "inference": {**inference.witness, "denominator": str(share**2 * (at + 2) / gives), "h": str(gives)},
    }


def _above(result: ClaimResult, id: str, spec: str) -> Data:
    place = refuted(result, id, FORM).witness
    return {"s": place["s"], "q": place["q"], "ratio": cut_off(derived(spec, place["s"]), Fraction(place["q"]))}


def _falls(result: ClaimResult, spec: str) -> Data:
    place = refuted(result, "monotone", FORM).witness
    values = [cut_off(derived(spec, place["s"]), Fraction(at)) for at in place["q"]]
    return {"s": place["s"], "q": place["q"], "ratios": values}


def geometric_form(result: ClaimResult) -> Data:
    """Return a q above the bound and two between which the ratio falls, at s ≥ 1."""
    return {"example": _above(result, "bound", GEOMETRIC), "decrease": _falls(result, GEOMETRIC)}


def geometric_at_zero(result: ClaimResult) -> Data:
    """Return the closed form (P + R ln(1+q))/Q at s = 0 and the antidifference of j³ q^j behind it."""
    del result
    own = derived(GEOMETRIC, 0).quotient
    assert own is not None
    [(logarithm, _)] = own.parts.items()
    whole: Any = sp.Poly(own.numerator, logarithm)
    parts = joint_integers(
        [sp.Poly(sp.cancel(e), q, domain="QQ") for e in (whole.nth(0), whole.nth(1), own.denominator.as_expr())]
    )
    f = sp.symbols("f0:4")
    j = sp.Symbol("j")
    big: Any = sum(c * j**n for n, c in enumerate(f))
    solved: Any = sp.solve(sp.Poly(q * big.subs(j, j + 1) - big - j**3, j).coeffs(), f, dict=True)[0]
    return {"antidifference": [quotient(solved[c], [q]) for c in f], **dict(zip("PRQ", map(terms, parts), strict=True))}


def lg_at_zero(result: ClaimResult) -> Data:
    """Return the closed form at s = 0."""
    del result
    return quotient(derived(LINEAR, 0).ratio, [q])


def lg_form(result: ClaimResult) -> Data:
    """Return where the closed form, both bounds and monotonicity fail for s ≥ 1, and the misprinted sum at s = 0."""
    place = refuted(result, "closed-form", FORM).witness
    tree, _ = formula("closed_form", result.given["closed_form"], {"q": q})
    at = Fraction(place["q"])
    shown = refuted(result, "denominator")
    values = {"ratio": cut_off(derived(LINEAR, place["s"]), at), "claimed": str(evaluate(tree, {"q": at}))}
    return {
        "closed_form": {**picked(place, "s", "q"), **values},
        "bound": _above(result, "bound", LINEAR),
        "weaker_bound": _above(result, "weaker-bound", LINEAR),
        "decrease": _falls(result, LINEAR),
        "display": {"q": shown.witness["q"], "sum": shown.actual, "displayed": shown.claimed},
    }


def lg_mode(result: ClaimResult) -> Data:
    """Return a q whose mode is far from the formula."""
    found = refuted(result, "near-the-mode")
    place = Fraction(found.witness["q"])
    value = truncated(sp.log(sp.Rational(place.denominator, place.numerator)), {}, 6)
    return {"q": str(place), "mode": found.actual[0], "formula": value}


def uniform_form(result: ClaimResult) -> Data:
    """Return an example above each of the three bounds."""
    return {
        "two_point": example(result, "two-point"),
        "geometric": _above(result, "geometric", GEOMETRIC),
        "linear_geometric": _above(result, "linear-geometric", LINEAR),
    }


def uniform_at_zero(result: ClaimResult) -> Data:
    """Return the closed forms at s = 0."""
    return {"geometric": geometric_at_zero(result), "linear_geometric": lg_at_zero(result)}


def on_two_lengths(place: Mapping[str, Any]) -> Data:
    """Return a share of length u at which Algorithm 2 is above a bound, and the ratio of its areas, cut off."""
    size, up, share = place["s"], place["u"], Fraction(place["share_of_u"])
    return {"s": size, "u": up, "share": str(share), "ratio": _area_ratio({1: 1 - share, up: share}, size)}


def two_point_in_process(result: ClaimResult) -> Data:
    """Return a share at s = 0 and one at s = 1 at which Algorithm 2 is above the bound on two lengths."""
    found = refuted(result, "a-min-bound", ALGORITHM)
    return {"members": [on_two_lengths(place) for place in (found.witness, found.values["with_prompts"])]}


def on_law(result: ClaimResult, id: str) -> Data:
    """Return the law of the process at which Algorithm 2 is above a bound, and the ratio of its areas, cut off."""
    place = refuted(result, id, ALGORITHM).witness
    if "share_of_u" in place:
        return on_two_lengths(place)
    size, up = place["s"], place["u"]
    at, power = Fraction(place["q"]), int("k q" in place["law"])
    weights = {k: k**power * at**k for k in range(1, up + 1)}
    law = {k: w / sum(weights.values()) for k, w in weights.items()}
    return {"s": size, "q": place["q"], "u": up, "ratio": _area_ratio(law, size)}


def _area_ratio(law: dict[int, Fraction], size: int) -> str:
    return truncated(sp.Rational(area_ratio(law, size)), {}, 10)


def uniform_in_process(result: ClaimResult) -> Data:
    """Return a law above each of the three bounds."""
    names = {"two_point": "two-point", "geometric": "geometric", "linear_geometric": "linear-geometric"}
    return {name: on_law(result, id) for name, id in names.items()}


def lemma_in_process(result: ClaimResult) -> Data:
    """Return the law of a family at which Algorithm 2's areas are above its form, and members of two families of H-SF."""
    place = refuted(result, "a-min").witness
    size, up, at = place["s"], place["u"], Fraction(place["r"])
    longer = [Fraction(size + 1, size + k + 1) * at**k for k in range(up)] + [Fraction(0)]
    law = {k: longer[k - 1] - longer[k] for k in range(1, up + 1)}
    members = {
        name: [_member(phase, batches(a, b), a, r, b) for a, r, b in MEMBERS]
        for name, phase, batches in (
            ("out_of_step", out_of_step, lambda a, b: (a + 1) * b - 1),
            ("in_step", in_step, lambda a, b: b),
        )
    }
    return {"s": size, "u": up, "r": place["r"], "ratio": _area_ratio(law, size), **members}


MEMBERS = ((1, 1, 1), (1, 2, 2), (2, 1, 2))
"""(s, r, h): the number of batches grows with h, M with r."""


def _member(phase: Any, batches: int, prompt: int, r: int, number: int) -> Data:
    found = phase(prompt, r, batches)
    assert found.ones == found.twos
    run = simulate("h-sf", [1] * found.ones + [2] * found.twos, found.memory, prompt)
    assert run.total_latency == found.total
    return {"s": prompt, "r": r, "h": number, "M": found.memory, "each": found.ones, "total": found.total}
