"""Evidence on geometric laws, uniform bounds and the figure: decimals cut off, closed forms, coefficients."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import joint_integers, quotient, terms
from crtools.expressions import evaluate, formula
from crtools.ledger.result import ClaimResult, Scope
from crtools.papers.adaptive.certificates.parts import cut_off, evidence, truncated
from crtools.papers.adaptive.certificates.two_lengths import example, squares
from crtools.papers.adaptive.evidence.one_parameter import GEOMETRIC, LINEAR, derived, q


def _above(result: ClaimResult, start: str, spec: str) -> Data:
    place = evidence(result, "as-stated", start)["counterexample"]
    return {"s": place["s"], "q": place["q"], "ratio": cut_off(derived(spec, place["s"]), Fraction(place["q"]))}


def _falls(result: ClaimResult, spec: str) -> Data:
    place = evidence(result, "as-stated", "monotone in q, s = 1")["counterexample"]
    values = [cut_off(derived(spec, place["s"]), Fraction(at)) for at in place["q"]]
    return {"s": place["s"], "q": place["q"], "ratios": values}


def geometric_stated(result: ClaimResult) -> Data:
    """Return a q above the bound and two between which the ratio falls, at s ≥ 1."""
    return {"example": _above(result, "bounded, s ≥ 1", GEOMETRIC), "decrease": _falls(result, GEOMETRIC)}


def geometric_argued(result: ClaimResult) -> Data:
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
    return {
        "antidifference": [quotient(solved[c], ["q"]) for c in f],
        "P": terms(parts[0]),
        "R": terms(parts[1]),
        "Q": terms(parts[2]),
    }


def _display(result: ClaimResult, scope: Scope) -> Data:
    found = evidence(result, scope, "the displayed denominator sum")
    return {"q": found["counterexample"]["q"], "sum": found["the sum"], "displayed": found["as displayed"]}


def lg(result: ClaimResult, scope: Scope) -> Data:
    """Return where the closed form, both bounds and monotonicity fail for s ≥ 1, and the misprinted sum."""
    display = {"display": _display(result, scope)}
    if scope == "where-argued":
        return display
    place = evidence(result, scope, "the closed form, s = 1")["counterexample"]
    tree, _ = formula("closed_form", result.given["closed_form"], {"q": q})
    at = Fraction(place["q"])
    closed = {
        "s": place["s"],
        "q": place["q"],
        "ratio": cut_off(derived(LINEAR, place["s"]), at),
        "claimed": str(evaluate(tree, {"q": at})),
    }
    return {
        "closed_form": closed,
        "bound": _above(result, "at most the bound, s ≥ 1", LINEAR),
        "weaker_bound": _above(result, "at most the weaker bound, s ≥ 1", LINEAR),
        "decrease": _falls(result, LINEAR),
        **display,
    }


def lg_mode(result: ClaimResult) -> Data:
    """Return a q whose mode is far from the formula."""
    found = evidence(result, "as-stated", "the mode")
    place = Fraction(found["counterexample"]["q"])
    value = truncated(sp.log(sp.Rational(place.denominator, place.numerator)), {}, 6)
    return {"q": str(place), "mode": found["mode"][0], "formula": value}


def uniform_stated(result: ClaimResult) -> Data:
    """Return an example above each of the three bounds."""
    return {
        "two_point": example(result, "two_point: at most the bound, s ≥ 1"),
        "geometric": _above(result, "geometric: at most the bound, s ≥ 1", GEOMETRIC),
        "linear_geometric": _above(result, "linear_geometric: at most the bound, s ≥ 1", LINEAR),
    }


def uniform_argued(result: ClaimResult) -> Data:
    """Return the three proofs at s = 0."""
    return {
        "two_point": squares(),
        "geometric": geometric_argued(result),
        "linear_geometric": quotient(derived(LINEAR, 0).ratio, ["q"]),
    }


def fig_log_fit(result: ClaimResult) -> Data:
    """Return coefficients with a smaller squared error than the printed ones."""
    fit = evidence(result, "as-stated", "the least-squares coefficients")["fit"]
    return {name: f"{fit[name]:.6f}" for name in ("slope", "shift", "intercept")}
