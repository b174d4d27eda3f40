"""Where one of two bounds in α is the smaller one: exactly below a threshold?"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp

from crtools.enclosure import fraction
from crtools.ledger.evidence import Open, Proved, Refuted
from crtools.papers.adaptive.theorems.form.two_lengths import alpha
from crtools.ratios.comparison import between_roots, compare, polynomials, sign

HALF = Fraction(1, 2)
SIDES = ((Fraction(0), HALF), (HALF, Fraction(1)))
MOST_HALVINGS = 1000


def compared(threshold: Any, a_min: Any, low: Any, high: Any) -> Proved | Refuted | Open:
    """Decide whether A_ℓ's bound, ``low`` up to ½ and ``high`` from there, is below A_min's exactly for α < threshold."""
    gaps = [polynomials(a_min - piece, alpha) for piece in (low, high)]
    if gaps[0] is None or gaps[1] is None:
        return Open("exact roots; the bounds are not rational functions of $α$ with rational coefficients")
    return _Switch(gaps, threshold, a_min, (low, high)).decide()


class _Switch:
    """A_min's bound exceeds A_ℓ's where above/below > 0, one quotient for α ≤ ½ and one for α ≥ ½."""

    def __init__(self, gaps: list[Any], threshold: Any, a_min: Any, pieces: tuple[Any, Any]) -> None:
        self.gaps, self.threshold, self.a_min, self.pieces = gaps, threshold, a_min, pieces
        roots = {
            root
            for pair, (start, end) in zip(gaps, SIDES, strict=True)
            for poly in pair
            for factor, _ in poly.factor_list()[1]
            for root in factor.real_roots()
            if start < root < end
        }
        self.marks: list[Any] = [sp.S.Zero, *sorted({*roots, sp.S.Half}), sp.S.One]
        self.points = [
            p for pair, ends in zip(gaps, SIDES, strict=True) for p in between_roots(list(pair), alpha, *ends)
        ]
        self.yes = [self.smaller(point) for point in self.points]

    def smaller(self, point: Fraction) -> bool | None:
        """Return whether A_ℓ's bound is the smaller one at α; None where it is undefined or the two pieces differ."""
        at, found = sp.Rational(point), set[bool]()
        for (above, below), (start, end) in zip(self.gaps, SIDES, strict=True):
            if start <= point <= end:
                if below.eval(at) == 0:
                    return None
                found.add(bool(above.eval(at) / below.eval(at) > 0))
        return found.pop() if len(found) == 1 else None

    def below(self, point: Fraction) -> bool | None:
        """Return whether α is below the threshold; None where that is not decided."""
        found = compare(sp.Rational(point), self.threshold)
        return None if found is None else found < 0

    def decide(self) -> Proved | Refuted | Open:
        """Compare at a point of each piece, at the pieces' ends, and on both sides of the threshold."""
        values = {"smaller_on": self.shown, "threshold": str(self.threshold)}
        ends = [fraction(m) for m in self.marks[1:-1] if m.is_Rational]
        below = {point: self.below(point) for point in (*self.points, *ends)}
        if None in below.values():
            return Open("the threshold could not be told from a point, exactly or by balls", values)
        for point, claimed in below.items():
            yes = self.smaller(point)
            if yes is not None and yes != claimed:
                return self._refuted(point, values)
        turn = self.yes.count(True)  # the pieces before agree with the claim, and those from here on do
        if self._is_at(turn):
            irrational = any(not mark.is_Rational for mark in self.marks[1:turn])
            undefined = any(self.smaller(end) is None for end in ends)
            if irrational or undefined:
                return Open("exact roots; at one of them, below the threshold, no bound is the smaller one", values)
            return Proved(argument="signs between the exact roots of the difference", values=values, uses=("Sturm",))
        low, high = ([Fraction(0), *self.points, Fraction(1)][turn + k] for k in (0, 1))
        for _ in range(MOST_HALVINGS):
            point = (low + high) / 2
            yes, claimed = self.smaller(point), self.below(point)
            if yes is not None and claimed is not None and yes != claimed:
                return self._refuted(point, values)
            low, high = (point, high) if yes else (low, point)
        return Open("exact roots; no rational $α$ was found between the threshold and where the signs change", values)

    def _is_at(self, turn: int) -> bool:
        """Return whether the threshold is the mark between the pieces that are smaller and the others, or outside (0, 1)."""
        mark = self.marks[turn]
        if mark in (0, 1):
            side = compare(self.threshold, mark)
            return side == 0 or side == (-1 if mark == 0 else 1)
        if mark.is_Rational:
            return compare(mark, self.threshold) == 0
        above = self.gaps[bool(mark > HALF)][0]  # it has no other root between the two points around the threshold
        return sign(above.as_expr().subs(alpha, self.threshold)) == 0

    def _refuted(self, point: Fraction, values: dict[str, Any]) -> Refuted:
        put = {alpha: sp.Rational(point)}
        ours, theirs = (expr.subs(put) for expr in (self.a_min, self.pieces[point > HALF]))
        return Refuted(
            witness={"alpha": str(point)},
            claimed=f"$α$ is {'below' if self.below(point) else 'not below'} the threshold",
            actual={"bound_of_A_min": str(ours), "bound_of_A_ell": str(theirs)},
            second={"in_floats": [float(ours), float(theirs)], "threshold_in_floats": float(self.threshold)},
            stays="two functions of $α$: no limit is taken",
            values=values,
        )

    @property
    def shown(self) -> str:
        """The open intervals on which it is smaller, for a reader."""
        found: list[list[Any]] = []
        for (start, end), yes in zip(pairwise(self.marks), self.yes, strict=True):
            if yes and found and found[-1][1] == start == HALF and self.smaller(HALF):
                found[-1][1] = end
            elif yes:
                found.append([start, end])
        return " ∪ ".join(f"({start}, {end})" for start, end in found) or "nowhere"
