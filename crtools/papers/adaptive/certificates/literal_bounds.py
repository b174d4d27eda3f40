"""Witnesses on thm-optimality: where A_min is above another policy, and the displays of the published proof."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction

import sympy as sp

from crtools.certificates.document import Data
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.bounds import restart
from crtools.papers.adaptive.certificates.parts import picked, refuted, truncated
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import theorem
from crtools.setting import Setting

BETTER = "no-policy-is-better"


def _displays(result: ClaimResult) -> Data:
    found: Data = {}
    for name in ("expectations", "residuals"):
        shown = refuted(result, name)
        law = [[int(o), w] for o, w in shown.witness["law_of_o"].items()]
        bounds = picked(shown.witness, high="bound_i", low="bound_j")
        found[name] = {"law": law, **bounds, **picked(shown.actual, "left", "right")}
    return found


def optimality_in_process(result: ClaimResult) -> Data:
    """Return a setting at which ``growth`` is above a-restart's ratio at every s, l and u, and the proof's displays."""
    refuted(result, BETTER, ALGORITHM)
    size, up = 1, 2000
    least = sp.Rational(up, 2) / (1 + 2 * (size + 1) * sp.log(sp.Rational(size + up, size + 1)))
    return {"s": size, "u": up, "ratio": truncated(least, {}, 10), **_displays(result)}


def optimality_form(result: ClaimResult) -> Data:
    """Return weights on two lengths at which A_min's form is above, and what bounds a-restart's form there."""
    found = refuted(result, BETTER, FORM)
    size, low, up = (int(found.witness[key]) for key in ("s", "l", "u"))
    weights = [int(found.witness[key]) for key in ("x_1", "x_u")]
    matrix, diagonal = restart.reduced(size, low, up, "h-sf")
    hundredths = range(1, 10**5)  # the least that is enough, as more always is
    least = bisect_left(hundredths, True, key=lambda k: restart.dominates(Fraction(k, 100), matrix, diagonal))
    kappa = Fraction(hundredths[least], 100)
    on = Setting(size, low, up)
    x = [weights[0], *[0] * (up - low - 1), weights[1]]
    ratio = Fraction(form("a-min").on(on).value(x)) / Fraction(form("h-sf").on(on).value(x))
    return {"s": size, "l": low, "u": up, "weights": weights, "ratio": str(ratio), "kappa": str(kappa)}


def optimality_at_zero(result: ClaimResult) -> Data:
    """Return the power of 2 at which the two bounds of the forms at s = 0 are apart."""
    assert theorem("the forms at s = 0").holds
    power = int(refuted(result, BETTER, AT_ZERO).witness["u"].strip("$").removeprefix("2^"))
    while 1 + Fraction(power - 1, 8) > Fraction(32, 3):
        power -= 1
    return {"power": power}
