"""thm-aell: A_ℓ's bound on laws on two lengths."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, from_half, up_to_half
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.a_ell_in_process import exceeded
from crtools.papers.adaptive.evidence.a_ell_inference import inference
from crtools.papers.adaptive.evidence.process_bounds import Bound
from crtools.papers.adaptive.evidence.two_lengths import (
    METHOD,
    READINGS,
    against_supremum,
    bound_function,
    display,
    search,
)
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theorems.form import two_lengths as forms
from crtools.papers.adaptive.theorems.form.two_lengths import alpha, l, t, u, x, y
from crtools.ratios.comparison import at_least

HALF = Fraction(1, 2)


def decide(given: Given) -> Decision:
    """Decide the two-piece bound at every level, and the displays and inferences of the proof."""
    low_tree, low = formula_on("bound_low", given["bound_low"], {"alpha": alpha}, up_to_half("alpha"))
    high_tree, high = formula_on("bound_high", given["bound_high"], {"alpha": alpha}, from_half("alpha"))
    bounds = bound_function(low_tree, low), bound_function(high_tree, high)
    outcomes = (
        at_least(low, forms.A_ELL_LOW, alpha, Fraction(0), HALF, closed=(HALF,)),
        at_least(high, forms.A_ELL_HIGH, alpha, HALF, Fraction(1), closed=(HALF,)),
    )
    zero = [against_supremum(o, forms.a_ell_theorem(), "a-ell", b) for o, b in zip(outcomes, bounds, strict=True)]
    larger, process = search("a-ell", pieces(*bounds)), exceeded(pieces(*bounds))
    texts = tuple(given[name].strip() for name in ("bound_low", "bound_high"))
    findings = (
        Finding("bound-up-to-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {texts[0]}$ for $α ≤ ½$", zero[0]),
        Finding("bound-from-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {texts[1]}$ for $α ≥ ½$", zero[1]),
    )
    says = f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {texts[0]}$ for $α ≤ ½$, ${texts[1]}$ above"
    tight = sp.cancel(low - forms.A_ELL_LOW) == 0 and sp.cancel(high - forms.A_ELL_HIGH) == 0
    verdicts = (
        Verdict(AT_ZERO, READINGS[AT_ZERO], _why_at_zero(zero, tight), METHOD, findings),
        Verdict(FORM, READINGS[FORM], _why(larger), METHOD, (Finding("bound", says, larger),)),
        Verdict(
            ALGORITHM,
            READINGS[ALGORITHM],
            _why(process),
            "A_ℓ's total latency in closed form, a proved upper bound on H-SF",
            (Finding("bound", says, process),),
        ),
    )
    return Decision(_line(zero, process), verdicts, published_proof(given), repairs())


def pieces(low: Bound, high: Bound) -> Bound:
    """Return the bound on 0 < α < 1; where both pieces speak, the larger one."""

    def value(at: Fraction) -> Fraction | None:
        found = [own(at) for own, here in ((low, at <= HALF), (high, at >= HALF)) if here]
        known = [v for v in found if v is not None]
        return max(known) if len(known) == len(found) else None

    return value


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
    first = display("sum", RIGHT, truth["display_1_left"], "A_ell on two points: display 1, right")
    instead = "$ℓ(ℓ/2)(x_ℓ+x_u)(x_ℓ+2x_u) + (u²/2) x_u²$" if first.status == "proved" else ""
    shown = tuple(
        Display(
            name.replace("_", "-"),
            f"proof of Theorem 7, {place}",
            display(name, given[name], truth[name], f"A_ell on two points: {name.replace('_', ' ')}"),
            instead if name == "display_1_left" else "",
        )
        for name, place in PLACES.items()
    )
    implied = Display(
        "inference",
        f"proof of Theorem 7, from $α²t²+2α²t+1 ≥ {given['premise'].strip()}$ to $h(t) ≤ α/[2(1−α)]$",
        inference(given["premise"]),
        STEP,
    )
    above = Display("above-half", "proof of Theorem 7, $h(t) ≤ 2α²$ for $α ≥ ½$", by_theorem(forms.a_ell_theorem()))
    return PublishedProof((*shown, implied, above), gaps=("$s = 0$ is assumed",))


def repairs() -> tuple[Repair, ...]:
    """Return the exact suprema, at s = 0 and for every s."""
    zero, every = by_theorem(forms.a_ell_theorem()), by_theorem(forms.a_ell_every_s_theorem())
    sentence = "on ${ℓ, u}$ at $s = 0$: $sup CR(A_ℓ) = 1 + α/(2(1−α))$ for $α ≤ ½$ and $1 + 2α²$ for $α ≥ ½$"
    general = (
        "on ${ℓ, u}$ for every $s ≥ 0$: $sup CR(A_ℓ) = 1 + β/(2(1−β))$ for $β ≤ ½$ and $1 + 2β²$ for $β ≥ ½$, with "
        "$β = √(ℓ(s+ℓ)/(u(s+u)))$ in the place of $α$"
    )
    return (
        Repair(AT_ZERO, sentence, (Finding("supremum-at-s-0", "the supremum at $s = 0$", zero),)),
        Repair(FORM, general, (Finding("supremum", "the supremum for every $s$", every),)),
    )


def _why_at_zero(zero: list[Evidence], tight: bool) -> str:
    if all(e.status == "proved" for e in zero):
        return "both pieces are at least the exact supremum" + (", and tight for every $α$" if tight else "")
    return next(
        (_why(e) for e in zero if isinstance(e, Refuted)), "the comparison with the exact supremum is not decided"
    )


def _why(found: Evidence) -> str:
    if not isinstance(found, Refuted):
        return "no setting was found at which the ratio exceeds the bound"
    at, ratio = found.witness, found.values.get("ratio", found.values.get("ratio_at_least"))
    return (
        f"at $s = {at['s']}$, $ℓ = {at['l']}$, $u = {at['u']}$ and $x_ℓ : x_u = {at['x_l']} : {at['x_u']}$ the ratio is "
        f"{'at least ' if 'ratio_at_least' in found.values else ''}{ratio:.4f}, above {found.claimed}"
    )


def _line(zero: list[Evidence], process: Evidence) -> str:
    held = all(e.status == "proved" for e in zero)
    if isinstance(process, Refuted):
        at = f"at $s = {process.witness['s']}$ $A_ℓ$ has ${process.values['ratio_at_least']:.4f}$"
        return f"only at $s = 0$; {at}" if held else at
    return "the bound holds at $s = 0$" if held else "the bound fails at $s = 0$"


CLAIM = Claim(
    id="thm-aell",
    place="Section 5.1, Theorem 7 (thm:Al_CR)",
    statement="on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+α/(2(1−α))$ for $α ≤ ½$, $1+2α²$ above",
    stated_at=ALGORITHM,
    given={
        "bound_low": "1+alpha/(2*(1-alpha))",
        "bound_high": "1+2*alpha**2",
        "display_1_left": "l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y",
        "display_1_right": "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2)",
        "display_2": "u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2)",
        "display_3": "1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)",
        "premise": "2*alpha*(1+alpha)*t",
    },
    decide=decide,
    corrupted=(
        Variant("a constant off by 1 %", {"bound_high": "0.99*(1+2*alpha**2)"}, "bound-from-half"),
        Variant("a sign", {"bound_low": "1+alpha/(2*(1+alpha))"}, "bound-up-to-half"),
        Variant("a coefficient", {"display_2": "u**2/2*(alpha**2*x**2+alpha**2*x*y+y**2)"}, "display-2"),
        Variant("a bound less by a hair", {"bound_low": "1+alpha/(2*(1-alpha))-1e-9"}, "bound-up-to-half"),
        Variant(
            "a term of display (1)",
            {"display_1_right": "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(alpha**2+1)*y**2)"},
            "display-1-right",
        ),
        Variant(
            "a sign in display (3)",
            {"display_3": "1-(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)"},
            "display-3",
        ),
        Variant("a premise that is not true", {"premise": "2*alpha*(1-alpha)*(t+2)+1e-9"}, "inference"),
        Variant("a premise that does not give it", {"premise": "alpha*(1-alpha)*(t+2)"}, "inference"),
    ),
    variants=(
        Variant("a weaker bound", {"bound_low": "1+alpha"}, "bound-up-to-half"),
        Variant("a right display", {"display_1_left": RIGHT}, "display-1-left"),
        Variant("a premise that gives it", {"premise": "2*alpha*(1-alpha)*(t+2)"}, "inference"),
        Variant("an equivalent wording", {"bound_low": "(2-alpha)/(2-2*alpha)"}, "bound-up-to-half"),
    ),
)
