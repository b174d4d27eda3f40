"""switch: for which α = l/u the printed bound of A_ℓ is below that of A_min."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import constant, formula_on, from_half, unit, up_to_half
from crtools.ledger.evidence import Open, Proved, Refuted
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.levels import AT_ZERO
from crtools.papers.adaptive.theorems.form.two_lengths import alpha

HALF = sp.Rational(1, 2)


def decide(given: Given) -> Decision:
    """Decide for which α the bound of A_ℓ is smaller than that of A_min."""
    symbols = {"alpha": alpha}
    _, threshold = formula_on("threshold", given["threshold"], {}, constant())
    _, a_min = formula_on("a_min_bound", given["a_min_bound"], symbols, unit("alpha"))
    _, low = formula_on("bound_low", given["bound_low"], symbols, up_to_half("alpha"))
    _, high = formula_on("bound_high", given["bound_high"], symbols, from_half("alpha"))
    found = compared(threshold, a_min, low, high)
    where = found.values.get("smaller_on", "a set that was not found")
    lines = {
        "proved": f"smaller exactly for $α < {float(threshold.evalf()):.4f}…$",
        "refuted": f"not so at $α = {found.witness['alpha']}$" if isinstance(found, Refuted) else "",
    }
    says = f"$A_ℓ$'s bound is the smaller one exactly for $α < {given['threshold'].strip()}$"
    reading = "of the two printed bounds, as functions of $0 < α < 1$ (they do not contain $s$)"
    method = "exact real roots of rational functions"
    why = f"$A_ℓ$'s bound is the smaller one on ${where}$"
    verdict = Verdict(AT_ZERO, reading, why, method, (Finding("smaller-exactly-below", says, found),))
    text = "after Theorem 7, the inequality that reduces to a quadratic one"
    proof = PublishedProof(
        (Display("reduction", text, found),), note="the displayed “quadratic inequality” has = for <"
    )
    line = lines.get(found.status, "")
    return Decision(
        line if 0 < len(line) <= 40 else "decided by exact roots" if line else "not decided", (verdict,), proof
    )


def compared(threshold: Any, a_min: Any, low: Any, high: Any) -> Proved | Refuted | Open:
    """Compare the bounds, those of A_ℓ on both sides of ½, and say whether A_ℓ's is smaller exactly below the threshold."""
    gaps: list[tuple[Any, Any]] = []
    for piece in (low, high):
        gap = sp.cancel(sp.together(a_min - piece))
        polys = [sp.Poly(part, alpha) for part in sp.fraction(gap)] if gap.is_rational_function(alpha) else []
        if not polys or not all(p.domain.is_ZZ or p.domain.is_QQ for p in polys):
            return Open("exact roots; the bounds are not rational functions of $α$ with rational coefficients")
        gaps.append((polys[0], polys[1]))
    smaller = _Smaller(gaps)
    values = {"smaller_on": smaller.shown, "threshold": str(threshold)}
    point = smaller.disagreement(threshold)
    if point is not None:
        ours, theirs = (expr.subs(alpha, point) for expr in (a_min, low if point <= HALF else high))
        side = "below" if point < threshold else "not below"
        return Refuted(
            witness={"alpha": str(point)},
            claimed=f"$α$ is {side} the threshold",
            actual={"bound_of_A_min": str(ours), "bound_of_A_ell": str(theirs)},
            second={"in_floats": [float(ours), float(theirs)], "threshold_in_floats": float(threshold)},
            stays="two functions of $α$: no limit is taken",
            values=values,
        )
    if smaller.exactly_below(threshold):
        return Proved(argument="signs between the exact roots of the difference", values=values, uses=("Sturm",))
    return Open(
        "exact roots; the signs do not change at the threshold exactly, and no rational $α$ between shows it", values
    )


class _Smaller:
    """Where A_min's bound exceeds A_ℓ's: above/below > 0, one quotient for α ≤ ½ and one for α ≥ ½."""

    def __init__(self, gaps: list[tuple[Any, Any]]) -> None:
        self.gaps = gaps
        self.roots: list[Any] = []
        for (above, below), (start, end) in zip(gaps, ((0, HALF), (HALF, 1)), strict=True):
            factors = {f for poly in (above, below) for f, _ in poly.factor_list()[1]}
            self.roots += [r for f in factors for r in f.real_roots() if start < r < end]
        self.roots = sorted(set(self.roots))
        marks = [sp.S.Zero, *sorted({*self.roots, HALF}), sp.S.One]
        self.pieces = [(a, b, self.at(self._between(a, b))) for a, b in pairwise(marks)]

    @staticmethod
    def _between(a: Any, b: Any) -> Any:
        """Return a rational point strictly between two algebraic numbers."""
        digits = 20
        while True:
            point = sp.Rational(str(sp.N((a + b) / 2, digits)))
            if a < point < b:
                return point
            digits *= 2

    def at(self, point: Any) -> bool | None:
        """Return whether A_ℓ's bound is the smaller one at α; None where it is undefined or the two pieces differ."""
        found: set[bool] = set()
        for (above, below), here in zip(self.gaps, (point <= HALF, point >= HALF), strict=True):
            if here:
                bottom = sp.simplify(below.as_expr().subs(alpha, point))
                if bottom == 0:
                    return None
                found.add(bool(sp.simplify(above.as_expr().subs(alpha, point)) / bottom > 0))
        return found.pop() if len(found) == 1 else None

    @property
    def shown(self) -> str:
        """The open intervals on which it is smaller, for a reader."""
        parts = [f"({a}, {b})" for a, b, yes in self.pieces if yes]
        merged: list[str] = []
        for a, b, yes in self.pieces:
            if yes and merged and a == HALF and self.at(HALF) and merged[-1].endswith(f", {HALF})"):
                merged[-1] = merged[-1].removesuffix(f"{HALF})") + f"{b})"
            elif yes:
                merged.append(f"({a}, {b})")
        return " ∪ ".join(merged) or ("nowhere" if not parts else "")

    def disagreement(self, threshold: Any) -> Any:
        """Return a rational α at which "smaller" and "α < threshold" differ, or None."""
        for a, b, yes in self.pieces:
            inside = [self._between(a, b)]
            if a < threshold < b:
                inside += [self._between(a, threshold), self._between(threshold, b)]
            for point in inside:
                if bool(point < threshold) != bool(yes):
                    return point
        for point in (HALF, *(r for r in self.roots if r.is_Rational)):
            yes = self.at(point)
            if yes is not None and yes != bool(point < threshold):
                return point
        return None

    def exactly_below(self, threshold: Any) -> bool:
        """Return whether it is smaller at every α < threshold and at no other, points between the pieces included."""
        for point in {*self.roots, HALF}:
            yes = self.at(point)
            if yes is None or yes != bool(point < threshold):
                return False
        return all(yes == bool(self._between(a, b) < threshold) for a, b, yes in self.pieces) and not any(
            a < threshold < b for a, b, _ in self.pieces
        )


CLAIM = Claim(
    id="switch",
    place="Section 5.1, after Theorem 7 (thm:Al_CR)",
    statement="$A_ℓ$'s bound is the smaller one exactly for $α < (3−√5)/2$",
    stated_at=AT_ZERO,
    given={
        "threshold": "(3-sqrt(5))/2",
        "a_min_bound": "(3-alpha)/2",
        "bound_low": "1+alpha/(2*(1-alpha))",
        "bound_high": "1+2*alpha**2",
    },
    decide=decide,
    corrupted=(
        Variant("off by 1 %", {"threshold": "1.01*(3-sqrt(5))/2"}),
        Variant("a sign", {"threshold": "(3+sqrt(5))/2"}),
        Variant("another bound", {"bound_low": "1+alpha/(1-alpha)"}),
        Variant("off by a hair", {"threshold": "(3-sqrt(5))/2+1e-9"}),
        Variant("the other piece off", {"bound_high": "1+alpha**2/2"}),
        Variant("the policies exchanged", {"a_min_bound": "1+alpha/(2*(1-alpha))", "bound_low": "(3-alpha)/2"}),
    ),
    variants=(
        Variant("an equivalent wording", {"threshold": "2/(3+sqrt(5))"}),
        Variant("another wording of a bound", {"bound_low": "(2-alpha)/(2-2*alpha)"}),
        Variant("a piece that touches at ½", {"bound_high": "1+alpha**2"}),
    ),
)
