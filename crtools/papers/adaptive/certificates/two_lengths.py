"""Witnesses on laws on two lengths: examples above a bound, displays."""

from __future__ import annotations

from fractions import Fraction

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.levels import FORM


def example(result: ClaimResult, id: str, level: str = FORM) -> Data:
    """Return the setting, weights and ratio at which a bound on the form is refuted."""
    found = refuted(result, id, level)
    place = found.witness
    weights = [place["x_l"], place["x_u"]]
    return {
        **{key: place[key] for key in ("s", "l", "u")},
        "weights": weights,
        "ratio": found.actual.removeprefix("at least "),
    }


def two_point_form(result: ClaimResult) -> Data:
    """Return an example above the bound of A_min."""
    return example(result, "a-min-bound")


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
