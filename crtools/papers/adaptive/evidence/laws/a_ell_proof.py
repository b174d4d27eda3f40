"""The displays in the proof of Theorem 7, and its inference from a lower bound on α²t²+2α²t+1 to h(t) ≤ α/[2(1−α)]."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from crtools.expressions import evaluate
from crtools.ledger import Display, Evidence, Given, PublishedProof, Refuted, by_theorem
from crtools.ledger.deciders.ranges import formula_on, half_and_weights
from crtools.papers.adaptive.bounds import two_lengths as forms
from crtools.papers.adaptive.bounds.two_lengths import alpha, l, t, u, x, y
from crtools.papers.adaptive.evidence.laws.two_lengths import display
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10), Fraction(2, 5))
"""Values of α at which a premise is tried, with t = 1/2, 1, …, 19/2."""


def truths() -> dict[str, Any]:
    """Return what the displays (1), (2) and (3) must show: half of the forms at s = 0, and their ratio."""
    own, best = (sp.cancel(forms.value_of(name).subs(forms.s, 0) / 2) for name in ("a-ell", "h-sf"))
    return {
        "display_1_left": own,
        "display_1_right": own.subs(l, alpha * u),
        "display_2": best.subs(l, alpha * u),
        "display_3": sp.cancel(forms.at_zero("a-ell") / forms.at_zero("h-sf")).subs(t, x / y),
    }


PLACES = {
    "display_1_left": "display (1), the sum before $u²/2 […]$",
    "display_1_right": "display (1), $u²/2 [α²x_ℓ² + 3α²x_ℓx_u + (2α²+1)x_u²]$",
    "display_2": "display (2)",
    "display_3": "display (3)",
}
RIGHT = "l*(l/2)*(x+y)*(x+2*y)+u**2/2*y**2"
STEP = "$α/(2(1−α)) (α²t²+2α²t+1) − α²(t+2) = α/(2(1−α)) (αt−1+2α)² ≥ 0$"


def published_proof(given: Given) -> PublishedProof:
    """Judge the displays and both inferences of the published proof, which takes s = 0."""
    truth = truths()
    first = given.evidence(display, "sum", RIGHT, truth["display_1_left"], "A_ell on two points: display 1, right")
    instead = "$ℓ(ℓ/2)(x_ℓ+x_u)(x_ℓ+2x_u) + (u²/2) x_u²$" if first.status == "proved" else ""
    shown = tuple(
        Display(
            name.replace("_", "-"),
            f"proof of Theorem 7, {place}",
            given.evidence(display, name, given[name], truth[name], f"A_ell on two points: {name.replace('_', ' ')}"),
            instead if name == "display_1_left" else "",
        )
        for name, place in PLACES.items()
    )
    implied = Display(
        "inference",
        f"proof of Theorem 7, from $α²t²+2α²t+1 ≥ {given['premise'].strip()}$ to $h(t) ≤ α/[2(1−α)]$",
        given.evidence(inference, given["premise"]),
        STEP,
    )
    above = Display(
        "above-half", "proof of Theorem 7, $h(t) ≤ 2α²$ for $α ≥ ½$", given.proved(TEXT.named("a_ell on two points"))
    )
    return PublishedProof((*shown, implied, above), gaps=("$s = 0$ is assumed",))


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
