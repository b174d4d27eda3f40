"""Evidence on laws on two lengths: examples above a bound, squares, displays."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, same, sign
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.levels import FORM
from crtools.papers.adaptive.theorems.form.two_lengths import (
    A_ELL_HIGH,
    A_ELL_LOW,
    A_MIN_SUP,
    a_ell_theorem,
    a_min_theorem,
    alpha,
    at_zero,
    t,
    value_of,
)
from crtools.papers.adaptive.theorems.form.two_lengths import s as size
from crtools.papers.adaptive.theorems.form.two_lengths import y as second

r = sp.Symbol("r")


def example(result: ClaimResult, id: str) -> Data:
    """Return the setting, weights and ratio at which a bound on the form is refuted."""
    found = refuted(result, id, FORM)
    place = found.witness
    weights = [place["x_l"], place["x_u"]]
    return {**{key: place[key] for key in ("s", "l", "u")}, "weights": weights, "ratio": found.actual}


def squares() -> list[Data]:
    """Return the steps that bound A_min's ratio at s = 0."""
    names = {"denominator": "alpha t", "excess": "alpha t", "square": "alpha t"}
    return of_theorem(a_min_theorem(), names)


def two_point_at_zero(result: ClaimResult) -> Data:
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


def two_point_form(result: ClaimResult) -> Data:
    """Return an example above the bound of A_min."""
    return example(result, "a-min-bound")


def a_ell_at_zero(result: ClaimResult) -> Data:
    """Return the form in α and t, and what each bound leaves."""
    del result
    below, extra = at_zero("h-sf"), at_zero("a-ell") - at_zero("h-sf")
    high = (2 * alpha**2 * below - extra).subs(alpha, r + sp.Rational(1, 2))
    return {
        "steps": [
            same("denominator", "alpha t", below),
            *of_theorem(a_ell_theorem(), {"excess": "alpha t", "low": "alpha t"}),
            sign("high", ((r, 0), (t, 0)), high, ">="),
        ]
    }


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
