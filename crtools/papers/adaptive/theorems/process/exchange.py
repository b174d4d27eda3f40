"""What Theorem 4's proof says of exchanging two requests: conditional means, and the difference that it forms."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Identity, Positive
from crtools.proof.symbols import l
from crtools.proof.theorem import Theorem

E_I, E_J, O_I, O_J = sp.symbols("E_i E_j oi oj")


def positive_ratios() -> Theorem:
    """CR(π) ≥ 0."""
    return Theorem(
        "ratios are positive",
        r"\mathrm{CR}(\pi) \ge 0",
        "every policy",
        (Positive(name="ratios", text="total latencies are positive", expr=l, where=((l, 1),)),),
    )


def conditional_means() -> Theorem:
    """E[o | o ≥ a] does not decrease with a."""
    a, b, low_mean, gap = sp.symbols("A B m g")
    return Theorem(
        "conditional means",
        r"\mathbb E[o \mid o \ge a] \text{ does not decrease with } a",
        "every law; A = P(a' ≤ o < a) and B = P(o ≥ a) > 0, means m below and m + g above, g ≥ 0",
        (
            Positive(
                name="difference",
                expr=(low_mean + gap) - (a * low_mean + b * (low_mean + gap)) / (a + b),
                where=((a, 0), (b, sp.Rational(1, 10**9)), (low_mean, 1), (gap, 0)),
                strict=False,
            ),
        ),
    )


def second_exchange(claimed: Any) -> Theorem:
    """The latency difference of the second exchange is ``claimed``, in oi and oj for õ_i and õ_j."""
    left = ((E_J - O_J) + E_I) - ((E_I - O_I) + E_J)
    steps = (Identity(name="difference", lhs=left, rhs=claimed),)
    shown = rf"((E_j - \tilde o_j) + E_i) - ((E_i - \tilde o_i) + E_j) = {sp.latex(claimed)}"
    return Theorem("the second exchange", shown, "all values", steps)
