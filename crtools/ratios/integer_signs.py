"""The sign of a quotient at every integer of a range: which integers lie between its zeros."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any

import sympy as sp

from crtools.enclosure import ball, fraction, harmonic_number_ball, precision
from crtools.errors import NotCertified
from crtools.ratios.comparison import sign
from crtools.ratios.quotient import Quotient
from crtools.ratios.ranges import Range
from crtools.ratios.zeros import integers_beside

LISTED = 400
"""So many integers are looked at one by one where the function is no quotient of polynomials."""


@dataclass(frozen=True)
class Run:
    """Integers from ``low`` to ``high`` (oo: all from ``low`` on) at which the function has one sign: 1, 0 or −1."""

    low: Any
    high: Any
    sign: int


@dataclass(frozen=True)
class Runs:
    """The runs in order; ``inconclusive``, with a ``reason``, where those after the last are not known."""

    runs: tuple[Run, ...]
    status: str
    method: str
    uses: tuple[str, ...] = ()
    reason: str = ""


def integer_runs(gap: Quotient, own: Range) -> Runs:
    """Return the signs at the integers of the range of the one parameter, polynomials and harmonic numbers in it allowed.

    Raises ``NotCertified`` where the sign at one of them is not decided.
    """
    low, high = own.integers
    if not gap.parts:
        method = "signs at the integers beside the roots of the difference, and between them"
        return Runs(_joined(_stretches(gap, own)), "proved", method, ("Descartes",))
    last = low + LISTED if high is None else min(high, low + LISTED)
    runs = [Run(sp.Integer(n), sp.Integer(n), sign_at(gap, n)) for n in range(low, last + 1)]
    if last == high:
        return Runs(_joined(runs), "certified", "signs in balls at every integer")
    beyond = _sign_from(gap, last + 1) if high is None else 0
    if not beyond:
        return Runs(_joined(runs), "inconclusive", "", reason=f"certified up to {last}, nothing is known beyond")
    method = f"signs in balls for {own.name} <= {last}, the leading term beyond"
    return Runs(_joined([*runs, Run(sp.Integer(last + 1), sp.oo, beyond)]), "certified", method)


def sign_at(gap: Quotient, place: Any) -> int:
    """Return the sign at a place of the one parameter; raises ``NotCertified`` where it is not decided."""
    found = sign(gap.expr.subs(gap.parameters[0], place))
    if found is None:
        raise NotCertified(f"the sign at {place} is not decided")
    return found


def _stretches(gap: Quotient, own: Range) -> Iterator[Run]:
    """Iterate over the integers beside zeros and poles, and over the stretches between them."""
    marks = [*map(sp.Integer, integers_beside([gap.numerator, gap.denominator], gap.parameters[0], own)), sp.oo]
    for n, after in pairwise(marks):
        yield Run(n, n, sign_at(gap, n))
        if n + 1 < after and n + 1 in own:
            yield Run(n + 1, after - 1, sign_at(gap, n + 1))


def _joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Return the runs with neighbours of one sign joined."""
    groups = (list(own) for _, own in groupby(runs, key=lambda run: run.sign))
    return tuple(Run(own[0].low, own[-1].high, own[0].sign) for own in groups)


def _sign_from(gap: Quotient, n: int) -> int:
    """Return the sign that a quotient with one harmonic number H(u + c) has at all u ≥ n, or 0 where it is not seen."""
    if len(gap.parts) != 1:
        return 0
    [part] = gap.parts.values()
    [u] = gap.parameters
    shift: Any = part.args[0] - u
    if not isinstance(part, sp.harmonic) or not shift.is_Integer or shift < 0:
        return 0
    first, second = (_leading_sign(poly, n + int(shift), n) for poly in (gap.numerator, gap.denominator))
    return first * second


def _leading_sign(poly: Any, place: int, n: int) -> int:
    """Return the sign of Σ c_mj u^m H^j for u ≥ n, H = H(place) at u = n, or 0: its leading term outweighs the others.

    A term relative to it is u^−a H^b, a ≥ 0: with H' < 1/u it decreases from n on where a = 0 > b or a H(n) > b.
    """
    terms = {(powers[-1], powers[0]): fraction(c) for powers, c in poly.terms()}
    (top, logs), head = max(terms.items())
    with precision(128):
        value, others = harmonic_number_ball(ball(place)), ball(0)
        for (m, j), c in terms.items():
            a, b = top - m, j - logs
            if (a, b) == (0, 0):
                continue
            if not (b < 0 if a == 0 else value * a > b):
                return 0
            others += ball(abs(c)) * value**b / ball(Fraction(n) ** a)
        return (1 if head > 0 else -1) if others < ball(abs(head)) else 0
