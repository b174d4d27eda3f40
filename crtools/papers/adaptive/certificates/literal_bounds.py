"""Evidence on the process: A_min's lower bound, a-restart's upper bound, and the displays of thm-optimality's proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import same, sign
from crtools.ledger.result import ClaimResult, Scope
from crtools.papers.adaptive.certificates.matrices import lower_steps, not_logarithmic
from crtools.papers.adaptive.certificates.parts import evidence
from crtools.papers.adaptive.certificates.two_lengths import example
from crtools.papers.adaptive.theorems.form.kill_and_restart import forms_at_zero
from crtools.papers.adaptive.theorems.process import literal_a_min, restart

s, l, r, v, m, e, h, i, j = sp.symbols("s l r v m e h i j")


def _volume(o: Any) -> Any:
    return s * o + o * (o + 1) / 2


def _displays(result: ClaimResult, scope: Scope) -> Data:
    found: Data = {}
    for name, start in (("expectations", "E[o_i | o_i"), ("residuals", "E[o_i | …] −")):
        shown = evidence(result, scope, start)["counterexample"]
        found[name] = {
            "law": [[int(o), w] for o, w in shown["law of o"].items()],
            "high": shown["õ_i"],
            "low": shown["õ_j"],
            "left": shown["left"],
            "right": shown["right"],
        }
    return found


def _exchange() -> Data:
    return same("exchange", "e h i j", i - j)


def _square_root() -> Data:
    up = r**2
    weight = 1 / (1 + r)
    top = literal_a_min.least_form(s + 3 * up, up, 1 - weight, weight)
    size = s + 3 * up
    bottom = (size + 1) * (1 - weight**2) + up * (size + up) * weight**2
    waste = (size + 1) * (size + 2)
    volume = size * up + up * (up + 1) / 2
    gap = (4 * top - r * bottom) * (1 + r) ** 2 * (volume + waste)
    return sign("square root", ((r, 1), (s, 0)), gap)


def process_member(size: int, low: int, up: int, share: Fraction) -> Data:
    """Return a setting and A_min's lower bound there."""
    least = literal_a_min.least_ratio(size, low, up, share)
    return {"s": size, "l": low, "u": up, "share": str(share), "least": str(least)}


def not_logarithmic_in_process(result: ClaimResult) -> Data:
    """Return the family of the form and that of the process, s = 3u, with its first members."""
    evidence(result, "as-stated", "the algorithm itself")
    members = [process_member(3 * root**2, 1, root**2, Fraction(1, root + 1)) for root in (4, 10, 30)]
    return {"form": not_logarithmic(result), "process": {"steps": [_square_root()], "members": members}}


def two_point_stated(result: ClaimResult) -> Data:
    """Return an example above the bound of the form, and one of the process."""
    found = evidence(result, "as-stated", "the bound of CR(A_min), of the algorithm itself")["counterexample"]
    where = [int(found[key]) for key in ("s", "l", "u")]
    member = process_member(where[0], where[1], where[2], Fraction(found["share of lengths u"]))
    return {"example": example(result, "the bound of CR(A_min), s ≥ 1"), "process": member}


def stated(result: ClaimResult) -> Data:
    """Return a setting at which the bounds are apart, and the steps behind the bounds for all settings."""
    shown = evidence(result, "as-stated", "CR(π)")["counterexample"]
    size, low, up = (int(shown[key]) for key in ("s", "l", "u"))
    share = Fraction(shown["share of lengths u"])
    matrix, weights = restart.reduced(size, low, up, "volume")
    kappa = Fraction(-(-Fraction(shown["κ"]) * 100 // 1), 100)
    while restart.dominates(kappa - Fraction(1, 100), matrix, weights):
        kappa -= Fraction(1, 100)
    top = sp.Rational(64, 3)
    return {
        "example": {**process_member(size, low, up, share), "kappa": str(kappa)},
        "steps": [
            _square_root(),
            sign(
                "phases from 2 on",
                ((s, 0), (v, 1)),
                top * (_volume(2 * v) - _volume(v)) - 8 * v * (s + 4 * v),
                ">=",
            ),
            sign("phases 0 and 1", ((s, 0), (l, 1)), top * _volume(l) - 2 * l * (s + l) - 4 * l * (s + 2 * l), ">="),
            sign("added", ((l, 1), (v, l)), l),
            _exchange(),
        ],
        **_displays(result, "as-stated"),
    }


def argued(result: ClaimResult) -> Data:
    """Return the two bounds of the forms at s = 0, and the power of 2 at which they are apart."""
    assert forms_at_zero().holds
    shown = evidence(result, "where-argued", "of the forms at s = 0")["counterexample"]
    power = int(shown["u"].removeprefix("2^"))
    while 1 + Fraction(power - 1, 8) > Fraction(32, 3):
        power -= 1
    big = 1 + m / 4 + e
    bound = big / 2 + sp.Rational(3, 4) - 1 / (4 * big) - (1 + m / 8)
    return {
        "power": power,
        "steps": [
            same("phases from 2 on", "v", 32 * v**2),
            sign("phases 0 and 1", ((l, 1),), sp.Rational(32, 3) * l**2 - 10 * l**2),
            *lower_steps(),
            sign("E in blocks", ((v, 1),), v / (4 * v - 1) - sp.Rational(1, 4)),
            sign("its bound", ((m, 0), (e, 0)), bound, ">="),
            _exchange(),
        ],
        **_displays(result, "where-argued"),
    }
