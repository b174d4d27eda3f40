"""Evidence on A_max, A_random and the endpoints: sums of squares in the tails, members of families, weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import of_theorem, same, sign, telescoping
from crtools.forms import form
from crtools.ledger.result import ClaimResult, Scope
from crtools.papers.adaptive.certificates.parts import evidence, exact, rounded_up
from crtools.papers.adaptive.evidence import a_max_exact as a_max
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


def amax_lower(result: ClaimResult, scope: Scope) -> Data:
    """Return suprema below the bound, why it is so for all l < u, and the proof's last equality at one place."""
    factor = r**2 * (s + l) - (s + l * r**2)
    low, up = next((a, b) for a, b in a_max.SETTINGS if sp.sqrt(sp.Rational(b, a)).is_Rational)
    forms: list[Data] = []
    for size in (0, 1) if scope == "as-stated" else (0,):
        evidence(result, scope, f"CR(A_max) is at least the bound, of the form, s = {size}")
        forms.append({"s": size, "l": low, "u": up, "upper": rounded_up(a_max.supremum(low, up, size))})
    found = evidence(result, scope, "the last equality")
    display = {**found["counterexample"], "left": found["the fraction"], "right": found["as displayed"]}
    return {
        "steps": [*_a_max_tails(), sign("factor", ((s, 0), (l, 1), (r, 1)), factor, ">=")],
        "forms": forms,
        "display": display,
    }


def rate_amax(result: ClaimResult) -> Data:
    """Return why the supremum at l = 1, u = 4^m over u^1.5 tends to 0, and its first members."""
    evidence(result, "as-stated", "the lower rate")
    steps = [
        *_a_max_tails()[:3],
        sign("supremum", ((S, 0),), (2 + S) ** 2 - 2 * (2 + S) - S, ">="),
        sign("block", ((n, 1),), sp.Rational(1, 2) - n / (2 * n + 1)),
        sign("decay", ((m, 0),), sp.Rational(3, 4) - (m + 3) / (2 * (m + 2)), ">="),
    ]
    members = [{"m": e, "upper": rounded_up(a_max.supremum(1, 4**e) / 8**e)} for e in (1, 2, 3, 4)]
    return {"steps": steps, "members": members}


def thm_random_stated(result: ClaimResult) -> Data:
    """Return an instance of the family in which A_random is in lock step, and why two groups fill H-SF's memory for ever."""
    found = evidence(result, "as-stated", "A_random itself, with O(1/M)")["counterexample"]
    size, low, up, memory = (found[name] for name in ("s", "l", "u", "M"))
    names = {"at 0": "s l u c", "at l": "s l u c", "at u": "s l u c", "limit": "s l u"}
    return {
        "s": size,
        "l": low,
        "u": up,
        "M": memory,
        "short": found["n_l"],
        "long": found["n_u"],
        "h_sf_total": str(found["TEL(H-SF)"]),
        "a_random_least": found["E TEL(A_random), at least"],
        "steps": of_theorem(lock_step.theorem(), names),
    }


def thm_random(result: ClaimResult) -> Data:
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


def thm_endpoints(result: ClaimResult) -> Data:
    """Return tails on [1, u] with a larger ratio than any weights on {1, u}, and an instance against the identity."""
    up, forms = int(result.given["u"]), []
    for size in (0, 1):
        evidence(
            result,
            "as-stated",
            f"the worst case of {result.given['policy']}'s form is attained on two lengths, s = {size}",
        )
        tails = [Fraction(1), *(Fraction(1, size + 2 * e - 1) for e in range(2, up + 1))]
        x: list[Any] = [a - b for a, b in zip(tails, [*tails[1:], Fraction(0)], strict=True)]
        on = Setting(size, 1, up)
        value = form("a-min").on(on).value(x) / form("h-sf").on(on).value(x)
        forms.append({"s": size, "tails": [exact(v) for v in tails], "ratio": exact(value)})
    found = evidence(result, "as-stated", "E TEL(o⁻)")
    instance = found["counterexample"]
    identity = {
        **{key: instance[key] for key in ("lengths", "s", "M")},
        "request": found["request changed"],
        "means": found["means"],
    }
    return {"forms": forms, "identity": identity}
