"""Witnesses on A_max, A_random and the endpoints: suprema rounded up, members of families, weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.forms import form
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import exact, picked, refuted, rounded_up
from crtools.papers.adaptive.evidence.queues import a_max_exact as a_max
from crtools.setting import Setting


def amax_lower_at_zero(result: ClaimResult) -> Data:
    """Return a supremum below the bound at s = 0."""
    refuted(result, "bound-at-zero")
    return _amax_lower((0,))


def amax_lower_form(result: ClaimResult) -> Data:
    """Return the same with one at s = 1, and the proof's last equality at one place."""
    refuted(result, "bound-of-form")
    found = refuted(result, "last-equality")
    display = {key: int(found.witness[key]) for key in ("l", "u", "a", "b")}
    return {**_amax_lower((0, 1)), "display": {**display, "left": found.actual, "right": found.claimed}}


def _amax_lower(sizes: Sequence[int]) -> Data:
    low, up = next((a, b) for a, b in a_max.SETTINGS if sp.sqrt(sp.Rational(b, a)).is_Rational)
    return {
        "forms": [{"s": size, "l": low, "u": up, "upper": rounded_up(a_max.supremum(low, up, size))} for size in sizes]
    }


def amax_lower_in_process(result: ClaimResult) -> Data:
    """Return the settings at which A_max's upper bound in the process is below the claimed one, and a small M at which not."""
    found = [refuted(result, id) for id in ("bound-of-algorithm-at-zero", "bound-of-algorithm")]
    small = picked(found[0].values["true_by_rounding"], "M", "n", "totals")
    return {"settings": [picked(own.witness, "s", "l", "u", least="least_M") for own in found], "small": small}


def rate_amax(result: ClaimResult, size: int) -> Data:
    """Return the first members of the supremum at s = ``size`` (0 or 1), l = 1, u = 4^m over u^1.5."""
    refuted(result, ("lower-rate-at-zero", "lower-rate-of-form")[size])
    members = [{"m": e, "upper": rounded_up(a_max.supremum(1, 4**e, size) / 8**e)} for e in (1, 2, 3, 4)]
    return {"members": members}


def thm_random_in_process(result: ClaimResult) -> Data:
    """Return an instance of the family in which A_random is in lock step."""
    found = refuted(result, "bound-of-algorithm")
    instance = picked(found.witness, "s", "l", "u", "M", short="n_l", long="n_u")
    totals = picked(found.values, h_sf_total="TEL_H_SF", a_random_least="E_TEL_A_random_at_least")
    return {**instance, **totals, "h_sf_total": str(totals["h_sf_total"])}


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
    example = picked(found.witness, "s", "l", "u", "M", lengths="o")
    identity = picked(shown.witness, "lengths", "s", "M") | picked(shown.values, request="request_changed")
    return {"example": {**example, "ratio": found.actual}, "identity": {**identity, "means": shown.actual}}
