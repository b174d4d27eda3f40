"""Evidence on the process: A_min's lower bound, a-restart's upper bound, and the displays of thm-optimality's proof."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import same, sign
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.matrices import lower_steps
from crtools.papers.adaptive.certificates.parts import refuted
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theorems.form.kill_and_restart import forms_at_zero
from crtools.papers.adaptive.theorems.process import algorithm_two, restart
from crtools.setting import Setting

BETTER = "no-policy-is-better"
s, l, r, v, m, e, h, i, j = sp.symbols("s l r v m e h i j")


def _volume(o: Any) -> Any:
    return s * o + o * (o + 1) / 2


def _displays(result: ClaimResult) -> Data:
    found: Data = {}
    for name in ("expectations", "residuals"):
        shown = refuted(result, name)
        found[name] = {
            "law": [[int(o), w] for o, w in shown.witness["law_of_o"].items()],
            "high": shown.witness["bound_i"],
            "low": shown.witness["bound_j"],
            **{side: shown.actual[side] for side in ("left", "right")},
        }
    return found


def _exchange() -> Data:
    return same("exchange", "e h i j", i - j)


def _square_root() -> Data:
    up = r**2
    weight = 1 / (1 + r)
    top = algorithm_two.least_form(s + 3 * up, up, 1 - weight, weight)
    size = s + 3 * up
    bottom = (size + 1) * (1 - weight**2) + up * (size + up) * weight**2
    waste = (size + 1) * (size + 2)
    volume = size * up + up * (up + 1) / 2
    gap = (4 * top - r * bottom) * (1 + r) ** 2 * (volume + waste)
    return sign("square root", ((r, 1), (s, 0)), gap)


def _member(root: int) -> Data:
    """Return l = 1, u = root², s = 3u, the share 1/(root + 1) of length u, and A_min's lower bound there."""
    size, up, share = 3 * root**2, root**2, Fraction(1, root + 1)
    least = algorithm_two.least_ratio(size, 1, up, share)
    return {"s": size, "l": 1, "u": up, "share": str(share), "least": str(least)}


def not_logarithmic_in_process(result: ClaimResult) -> Data:
    """Return the family s = 3u of the process, with its first members."""
    refuted(result, "algorithm", ALGORITHM)
    return {"steps": [_square_root()], "members": [_member(root) for root in (4, 10, 30)]}


def above_a_bound(result: ClaimResult, id: str) -> Data:
    """Return a member of that family, in which A_min's ratio is above a refuted bound on two lengths."""
    refuted(result, id, ALGORITHM)
    return _member(10)


def optimality_in_process(result: ClaimResult) -> Data:
    """Return a setting at which the bounds are apart, the steps behind them for all settings, and the proof's displays."""
    refuted(result, BETTER, ALGORITHM)
    top = sp.Rational(64, 3)
    return {
        "example": _apart(),
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
        **_displays(result),
    }


def _apart() -> Data:
    """Return the first member in which A_min's bound is above κ + 4, κ the least multiple of 1/100 shown for a-restart."""
    for power in count(1):
        member = _member(2**power)
        matrix, weights = restart.reduced(member["s"], 1, member["u"], "volume")
        if not restart.dominates(Fraction(member["least"]) - restart.ADDED, matrix, weights):
            continue
        kappa = _least_hundredth(lambda factor, m=matrix, w=weights: restart.dominates(factor, m, w))
        if Fraction(member["least"]) > kappa + restart.ADDED:
            return {**member, "kappa": str(kappa)}
    raise AssertionError("there is one")


def _least_hundredth(enough: Callable[[Fraction], bool]) -> Fraction:
    """Return the least multiple of 1/100 that is enough, where more always is."""
    below, above = 0, 1
    while not enough(Fraction(above, 100)):
        below, above = above, 2 * above
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if enough(Fraction(middle, 100)) else (middle, above)
    return Fraction(above, 100)


def optimality_form(result: ClaimResult) -> Data:
    """Return weights on two lengths at which A_min's form is above, and what bounds a-restart's form there."""
    found = refuted(result, BETTER, FORM)
    size, low, up = (int(found.witness[key]) for key in ("s", "l", "u"))
    weights = [int(found.witness[key]) for key in ("x_1", "x_u")]
    matrix, diagonal = restart.reduced(size, low, up, "h-sf")
    kappa = _least_hundredth(lambda factor: restart.dominates(factor, matrix, diagonal))
    on = Setting(size, low, up)
    x = [weights[0], *[0] * (up - low - 1), weights[1]]
    ratio = Fraction(form("a-min").on(on).value(x)) / Fraction(form("h-sf").on(on).value(x))
    return {"s": size, "l": low, "u": up, "weights": weights, "ratio": str(ratio), "kappa": str(kappa)}


def optimality_at_zero(result: ClaimResult) -> Data:
    """Return the two bounds of the forms at s = 0, and the power of 2 at which they are apart."""
    assert forms_at_zero().holds
    power = int(refuted(result, BETTER, AT_ZERO).witness["u"].strip("$").removeprefix("2^"))
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
        ],
    }
