"""The inference in the proof of Theorem 7: from a lower bound on α²t²+2α²t+1 to h(t) ≤ α/[2(1−α)]."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from crtools.expressions import evaluate
from crtools.ledger.deciders.ranges import formula_on, half_and_weights
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.papers.adaptive.theorems.form.two_lengths import alpha, t
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10), Fraction(2, 5))
"""Values of α at which a premise is tried, with t = 1/2, 1, …, 19/2."""


def inference(text: str) -> Evidence:
    """Decide "α²t²+2α²t+1 ≥ ``text`` implies h(t) ≤ α/[2(1−α)]", for 0 < α ≤ ½ and t ≥ 0.

    The premise must hold, and α²(t+2)/premise must be at most α/(2(1−α)): a premise that is too small gives too
    little. So it must lie between 2α(1−α)(t+2) and α²t²+2α²t+1 = 2α(1−α)(t+2) + (αt−1+2α)².
    """
    tree, premise = formula_on("premise", text, {"alpha": alpha, "t": t}, half_and_weights())
    for a, at in product(SHARES, (Fraction(k, 2) for k in range(1, 20))):
        try:
            shown = evaluate(tree, {"alpha": a, "t": at})
        except ArithmeticError:
            continue
        found = _fails(a, at, shown)
        if found is not None:
            return found
    return by_theorem(_theorem(premise))


def _fails(a: Fraction, at: Fraction, premise: Fraction) -> Refuted | None:
    wanted, below = a / (2 * (1 - a)), a**2 * at**2 + 2 * a**2 * at + 1
    gives = a**2 * (at + 2) / premise if premise > 0 else None
    if premise <= below and gives is not None and gives <= wanted:
        return None
    again = float(a) ** 2 * (float(at) + 2) / float(premise) if premise > 0 else "nothing"
    return Refuted(
        witness={"alpha": str(a), "t": str(at)},
        claimed=f"$h ≤ {wanted}$, from ${below} ≥ {premise}$" + (", which is false" if premise > below else ""),
        actual="the premise gives nothing" if gives is None else f"the premise gives $h ≤ {gives}$ only",
        second={"in_floats": again, "the_conclusion_says": float(wanted)},
        stays="an inference about all $t ≥ 0$: no limit is taken",
        values={
            "h_itself": str(a**2 * (at + 2) / below),
            "gives": "nothing" if gives is None else str(gives),
            "conclusion": str(wanted),
        },
    )


def _theorem(premise: Any) -> Theorem:
    r = sp.Symbol("r", positive=True)
    put = {alpha: 1 / (2 + r)}
    enough, whole = 2 * alpha * (1 - alpha) * (t + 2), alpha**2 * t**2 + 2 * alpha**2 * t + 1
    square = (alpha * t - 1 + 2 * alpha).subs(put)
    proof = Proof(
        "the inference for A_ell",
        "α = 1/(2+r), r ≥ 0: every 0 < α ≤ ½, every t ≥ 0",
        r"\alpha^2t^2+2\alpha^2t+1 \ge p \ge 2\alpha(1-\alpha)(t+2)",
    )
    proof.nonnegative("the premise is true", (whole - premise).subs(put), (r, 0), (t, 0), squares=(square,))
    proof.nonnegative("and enough", (premise - enough).subs(put), (r, 0), (t, 0))
    return proof.qed()
