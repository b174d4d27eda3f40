"""Evidence on A_max, A_random and the endpoints: sums of squares in the tails, members of families, weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, same, sign, telescoping
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, refuted, rounded_up
from crtools.papers.adaptive.evidence.queues import a_max_exact as a_max
from crtools.papers.adaptive.theorems.process import lock_step
from crtools.setting import Setting

s, l, u, j, k, m, n = sp.symbols("s l u j k m n")
c, w, t, r, K, S = sp.symbols("c w t r K S")
FROM_L = ((s, 0), (l, 1), (u, l))


def _a_max_tails() -> list[Data]:
    return [
        same("A_max, corner", "s l u", (s + u) * l),
        same("A_max, row", "s u", (s + u) / 2),
        same("square", "c w t K", K * w * t**2 - c * t + c**2 / (4 * K * w)),
        sign("weights", ((l, 1), (k, l + 1)), 2 * k - 1 - l),
    ]


def amax_upper(result: ClaimResult) -> Data:
    """Return the sums of squares that bound A_max's form by K = u(u+l)/(2l²) times H-SF's."""
    del result
    bound, top = u * (u + l) / (2 * l**2), s + u
    constant = 4 * bound**2 * l * (s + l) ** 2 - 4 * bound * top * l * (s + l) - (u - l) * top**2
    return {"steps": [*_a_max_tails(), sign("constant", FROM_L, constant, ">=")]}


def amax_lower_at_zero(result: ClaimResult) -> Data:
    """Return a supremum below the bound at s = 0, and why it is so for every s and all l < u."""
    refuted(result, "bound-at-zero")
    return _amax_lower((0,))


def amax_lower_form(result: ClaimResult) -> Data:
    """Return the same with one at s = 1, and the proof's last equality at one place."""
    refuted(result, "bound-of-form")
    found = refuted(result, "last-equality")
    sides = {"left": found.actual, "right": found.claimed}
    display = {**{key: int(found.witness[key]) for key in ("l", "u", "a", "b")}, **sides}
    return {**_amax_lower((0, 1)), "display": display}


def _amax_lower(sizes: Sequence[int]) -> Data:
    factor = r**2 * (s + l) - (s + l * r**2)
    low, up = next((a, b) for a, b in a_max.SETTINGS if sp.sqrt(sp.Rational(b, a)).is_Rational)
    forms = [{"s": size, "l": low, "u": up, "upper": rounded_up(a_max.supremum(low, up, size))} for size in sizes]
    return {"steps": [*_a_max_tails(), sign("factor", ((s, 0), (l, 1), (r, 1)), factor, ">=")], "forms": forms}


def rate_amax(result: ClaimResult, size: int) -> Data:
    """Return why the supremum at s = ``size`` (0 or 1), l = 1, u = 4^m over u^1.5 tends to 0, and its first members."""
    refuted(result, ("lower-rate-at-zero", "lower-rate-of-form")[size])
    y, first = 2 + (size + 1) * S, 2 - size  # the ratio over u^1.5 is below (m + first)/2^m times a constant
    steps = [
        *_a_max_tails()[:3],
        sign("supremum", ((S, 0),), y**2 - 2 * y - (size + 1) * S, ">="),
        sign("block", ((n, 1),), sp.Rational(1, 2) - n / (2 * n + 1 + size)),
        sign("decay", ((m, size),), sp.Rational(3, 4) - (m + first + 1) / (2 * (m + first)), ">="),
    ]
    members = [{"m": e, "upper": rounded_up(a_max.supremum(1, 4**e, size) / 8**e)} for e in (1, 2, 3, 4)]
    return {"steps": steps, "members": members}


def thm_random_in_process(result: ClaimResult) -> Data:
    """Return an instance of the family in which A_random is in lock step, and why two groups fill H-SF's memory for ever."""
    found = refuted(result, "bound-of-algorithm")
    size, low, up, memory = (found.witness[name] for name in ("s", "l", "u", "M"))
    names = {"at 0": "s l u c", "at l": "s l u c", "at u": "s l u c", "limit": "s l u"}
    return {
        "s": size,
        "l": low,
        "u": up,
        "M": memory,
        "short": found.witness["n_l"],
        "long": found.witness["n_u"],
        "h_sf_total": str(found.values["TEL_H_SF"]),
        "a_random_least": found.values["E_TEL_A_random_at_least"],
        "steps": of_theorem(lock_step.theorem(), names),
    }


def thm_random_form(result: ClaimResult) -> Data:
    """Return the sums of squares that bound A_random's form by ½(1 + u/l) times H-SF's."""
    del result
    bound = (1 + u / l) / 2
    constant = 4 * bound * (bound - 1) * l * (s + l) - (u * (s + u) - l * (s + l))
    return {
        "steps": [
            same("A_random, corner", "s l", l * (s + l)),
            same("A_random, row", "s j", (s + 2 * j - 1) / 2),
            telescoping("sum of w", "s k", "k", k * (s + k)),
            same("square", "K t", K * t**2 - t + 1 / (4 * K)),
            sign("constant", FROM_L, constant, ">="),
        ]
    }


def endpoints_of_form(result: ClaimResult, size: int) -> Data:
    """Return tails on [1, u] at s = ``size`` (0 or 1) with a larger ratio than any weights on {1, u}."""
    refuted(result, ("form-at-zero", "form")[size])
    up = int(result.given["u"])
    tails = [Fraction(1), *(Fraction(1, size + 2 * e - 1) for e in range(2, up + 1))]
    x: list[Any] = [a - b for a, b in zip(tails, [*tails[1:], Fraction(0)], strict=True)]
    on = Setting(size, 1, up)
    value = form("a-min").on(on).value(x) / form("h-sf").on(on).value(x)
    return {"s": size, "tails": [exact(v) for v in tails], "ratio": exact(value)}


def endpoints_in_process(result: ClaimResult) -> Data:
    """Return lengths at which A_random's ratio is larger than on the ends, and an instance against the identity."""
    found, shown = refuted(result, "process"), refuted(result, "expectations")
    example = {**{key: found.witness[key] for key in ("s", "l", "u", "M")}, "lengths": found.witness["o"]}
    identity = {
        **{key: shown.witness[key] for key in ("lengths", "s", "M")},
        "request": shown.values["request_changed"],
        "means": shown.actual,
    }
    return {"example": {**example, "ratio": found.actual}, "identity": identity}
