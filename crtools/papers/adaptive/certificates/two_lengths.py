"""Evidence on laws on two lengths: examples above a bound, squares, displays."""

from __future__ import annotations

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, same, sign
from crtools.ledger.result import ClaimResult, Scope
from crtools.papers.adaptive.certificates.parts import evidence
from crtools.papers.adaptive.theorems.form.two_lengths import (
    A_ELL_HIGH,
    A_ELL_LOW,
    A_MIN_SUP,
    a_min_theorem,
    alpha,
    at_zero,
    value_of,
)
from crtools.papers.adaptive.theorems.form.two_lengths import s as size
from crtools.papers.adaptive.theorems.form.two_lengths import y as second

r = sp.Symbol("r")


def example(result: ClaimResult, start: str) -> Data:
    """Return the refuted part's setting, weights and ratio."""
    found = evidence(result, "as-stated", start)
    instance = found["counterexample"]
    weights = [instance["x_l"], instance["x_u"]]
    return {**{key: instance[key] for key in ("s", "l", "u")}, "weights": weights, "ratio": found["ratio"]}


def squares() -> list[Data]:
    """Return the steps that bound A_min's ratio at s = 0."""
    names = {"denominator": "alpha t", "excess": "alpha t", "square": "alpha t"}
    return of_theorem(a_min_theorem(), names)


def two_point_argued(result: ClaimResult) -> Data:
    """Return the bound at s = 0, A_max's ratio, and the displays."""
    del result
    long = (value_of("a-max") / value_of("h-sf")).subs(second, 0)
    return {
        "steps": [
            *squares(),
            same("A_max at y = 0", "s l u", long),
            same("num", "l u x y", value_of("a-min").subs(size, 0)),
            same("den", "l u x y", value_of("h-sf").subs(size, 0)),
            same("ratio", "alpha t", at_zero("a-min") / at_zero("h-sf")),
        ]
    }


def a_ell(result: ClaimResult, scope: Scope) -> Data:
    """Return an example above the bound (as stated), and the places where display (1) and the inference fail."""
    shown = evidence(result, scope, "display (1), left")
    place = shown["counterexample"]
    display = {key: int(place[key]) for key in ("l", "u", "x", "y")}
    inference = evidence(result, scope, "the inference")
    return {
        **({"example": example(result, "the bound, s ≥ 1")} if scope == "as-stated" else {}),
        "display": {**display, "displayed": shown["as displayed"], "actual": shown["actual"]},
        "inference": {
            **inference["counterexample"],
            "premise": inference["it gives h ≤"],
            "conclusion": inference["the conclusion says h ≤"],
        },
    }


def switch(result: ClaimResult) -> Data:
    """Return the difference of the two bounds below ½ with its roots, and its sign above."""
    del result
    root = sp.Symbol("x")
    above = (A_ELL_HIGH - A_MIN_SUP).subs(alpha, r + sp.Rational(1, 2))
    return {
        "steps": [
            same("α ≤ ½", "alpha", A_MIN_SUP - A_ELL_LOW),
            same("roots", "alpha x", (alpha - (3 - root) / 2) * (alpha - (3 + root) / 2)),
            sign("α ≥ ½", ((r, 0),), above),
        ]
    }
