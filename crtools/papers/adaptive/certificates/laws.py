"""The closed form under q^k at s = 0 as polynomials, with the antidifference behind it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.evidence.one_parameter import GEOMETRIC, derived, q
from crtools.proof.data import joint_integers, quotient, terms


def geometric_at_zero(result: ClaimResult) -> Data:
    """Return the closed form (P + R ln(1+q))/Q at s = 0 and the antidifference of j³ q^j behind it."""
    del result
    own = derived(GEOMETRIC, 0).quotient
    assert own is not None
    [(logarithm, _)] = own.parts.items()
    whole: Any = sp.Poly(own.numerator, logarithm)
    parts = joint_integers(
        [sp.Poly(sp.cancel(e), q, domain="QQ") for e in (whole.nth(0), whole.nth(1), own.denominator.as_expr())]
    )
    f = sp.symbols("f0:4")
    j = sp.Symbol("j")
    big: Any = sum(c * j**n for n, c in enumerate(f))
    solved: Any = sp.solve(sp.Poly(q * big.subs(j, j + 1) - big - j**3, j).coeffs(), f, dict=True)[0]
    return {"antidifference": [quotient(solved[c], [q]) for c in f], **dict(zip("PRQ", map(terms, parts), strict=True))}


def uniform_at_zero(result: ClaimResult) -> Data:
    """Return the same as an object."""
    return {"geometric": geometric_at_zero(result)}
