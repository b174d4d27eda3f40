"""The instance in the proof of Theorem Amaxlower at l = 1, s = 0 and M = u, where A_max runs one request at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem
from crtools.papers.adaptive.literal import process as literal
from crtools.papers.adaptive.theory import theorem
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.symbols import alpha
from crtools.signs.one_variable import at_least

SETTINGS = ((1, 4), (4, 9), (1, 9))
"""(l, u) with a rational √(l/u), at which the displayed values are compared."""

LARGE, FEW = 10**6, 60
"""a of the instance, which the proof takes large, and requests of a small one, which is run."""


def fraction(mix: Any) -> Any:
    """Return the proof's (u/l)(au+bl)(a+b)/(ua²+2lab+ub²) in α, at a/b = ``mix``."""
    return (mix + alpha) * (mix + 1) / (alpha * (mix**2 + 2 * alpha * mix + 1))


def totals(a: int, b: int, u: int) -> tuple[Fraction, int]:
    """Return (E TEL(A_max), TEL(H-SF)) for a·u requests of length 1 and b of length u at s = 0 and M = u.

    A_max starts one request at a time; H-SF runs a batches of u requests of length 1, then one of length u after the other.
    """
    n = a * u + b
    return Fraction(n + 1, 2) * (a * u + b * u), u * a * (a + 1) // 2 + b * a + u * b * (b + 1) // 2


def instance(bound: Any, mix: Any) -> Evidence:
    """Decide whether the instance, with a/b = mix and a large, has a ratio of at least bound(α)."""
    for up in (u for low, u in SETTINGS if low == 1):
        value, share = (expr.subs(alpha, sp.Rational(1, up)) for expr in (bound, mix))
        if not (share.is_Rational and share > 0 and value.is_Rational):
            continue
        limit = Fraction(str(fraction(mix).subs(alpha, sp.Rational(1, up))))
        a, b = (int(part) * LARGE for part in (share.p, share.q))
        mean, best = totals(a, b, up)
        if limit < Fraction(str(value)) and mean / best < Fraction(str(value)):
            return Refuted(
                {"s": 0, "l": 1, "u": up, "M": up, "a": a, "b": b},
                f"at least {value}",
                f"{mean / best} = {float(mean / best):.6f}",
                _small_member(int(share.p), int(share.q), up),
                f"as $a, b → ∞$ with $a/b = {share}$ the ratio tends to ${limit}$",
            )
    if at_least(fraction(mix), bound, alpha, Fraction(0), Fraction(1)).holds:
        return by_theorem(
            theorem("the instance of Theorem Amaxlower"),
            argument="A_max runs one request at a time, H-SF whole batches; the fraction is at least the bound",
        )
    return Open("the instance at $α = 1/4$ and $1/9$")


def _small_member(p: int, q: int, up: int) -> dict[str, Any]:
    """Run the instance with a : b = p : q, where it is small, or 1 : 1, by the literal process.

    A_max runs one at a time, so that its mean over all orders is that of an order and its reverse.
    """
    a, b = (p, q) if p * up + q <= FEW else (1, 1)
    lengths = [1] * (a * up) + [up] * b
    n = len(lengths)
    orders = (range(n), range(n)[::-1])
    runs = [literal.total(literal.queue(order, [up] * n, lengths, 0, up), lengths) for order in orders]
    mean, best = Fraction(sum(runs), 2), literal.total(literal.shortest_first(lengths, 0, up), lengths)
    agree(totals(a, b, up), (mean, best), "the totals of the proof's instance")
    return {"a": a, "b": b, "E_TEL_A_max": str(mean), "TEL_H_SF": best, "ratio": str(mean / best)}


def last_equality(mix: Any, shown: Any) -> Evidence:
    """Decide the proof's last equality: the fraction at a/b = mix is the displayed expression."""
    found = fraction(mix)
    root = sp.Symbol("t", positive=True)  # α = t², so that √α is rational in t
    for low, up in SETTINGS:
        left, right, ratio = (expr.subs(alpha, sp.Rational(low, up)) for expr in (found, shown, mix))
        if left.is_Rational and right.is_Rational and ratio.is_Rational and ratio > 0 and left != right:
            a, b = int(ratio.p), int(ratio.q)
            again = Fraction(up * (a * up + b * low) * (a + b), low * (up * a**2 + low * 2 * a * b + up * b**2))
            right_one = theorem("the fraction at a/b = √α").records if mix.equals(sp.sqrt(alpha)) else ()
            second = agree(Fraction(str(left)), again, "the fraction")
            return Refuted(
                {"l": low, "u": up, "a": a, "b": b}, str(right), str(left), f"{second}, of a and b", theorems=right_one
            )
    name = "the last equality of Theorem Amaxlower's proof"
    proof = Proof(name, "0 < α = t² < 1", sp.latex(sp.Eq(shown, found)))
    sides = (side.subs(alpha, root**2) for side in (shown, found))
    return by_theorem(proof.identity("", *sides, Bound(root, 0, strict=True, high=1)).qed())
