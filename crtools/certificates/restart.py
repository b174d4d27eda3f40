"""Evidence on thm-optimality: A_min's lower bound, a-restart's upper bound, and the displays of the proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.matrices import lower_steps
from crtools.certificates.parts import evidence
from crtools.certificates.steps import same, sign
from crtools.claims.result import ClaimResult, Scope
from crtools.claims.thm_optimality import forms_theorem
from crtools.theorems import literal_a_min, restart

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
    up = r**2 * l
    weight = 1 / (1 + r)
    top = literal_a_min.least_form(s + 3 * up, up, 1 - weight, weight)
    size = s + 3 * up
    bottom = l * (size + l) * (1 - weight**2) + up * (size + up) * weight**2
    return sign("square root", ((r, 1), (l, 1), (s, 0)), top / bottom / r - sp.Rational(1, 4))


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
        "example": {
            "s": size,
            "l": low,
            "u": up,
            "share": str(share),
            "kappa": str(kappa),
            "least": str(literal_a_min.least_ratio(size, low, up, share)),
        },
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
    assert forms_theorem().holds
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
