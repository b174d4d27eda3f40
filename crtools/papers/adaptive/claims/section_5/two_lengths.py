"""thm-two-point and thm-aell: the bounds on A_min and A_ℓ on laws on two lengths, and A_max's ratio there."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product

import sympy as sp

from crtools.expressions import evaluate
from crtools.ledger import Decision, Evidence, Finding, Given, Open, Proved, PublishedProof, Refuted, by_theorem
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import formula_on, from_half, half_and_weights, unit, up_to_half
from crtools.ledger.readings import Reading
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence import two_lengths
from crtools.papers.adaptive.evidence.algorithm_two import exceeded
from crtools.papers.adaptive.evidence.reading import phrase, repairs
from crtools.papers.adaptive.evidence.two_lengths import alpha, l, s, t, u, x, y
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem


@stated_claim("thm-two-point")
def thm_two_point(given: Given) -> Decision:
    """Decide the bound and A_max's unboundedness at every level, and the displays of the proof."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    zero, larger, process = (
        given.evidence(each, bound) for each in (two_lengths.a_min_at_zero, two_lengths.a_min_every_s, exceeded)
    )
    read = reading_of("thm-two-point")
    of_form = TEXT.named("a_max on two points"), TEXT.named("a_max unbounded on two points")
    of_process = (partial(theorem, "A_max in the process, two lengths"),)
    verdicts = tuple(
        read.verdict(
            level,
            _why_of_two_point(evidence),
            Finding("a-min-bound", f"on ${{ℓ, u}}$: $CR(A_min) ≤ {bound.text}$", evidence),
            Finding("a-max-unbounded", "$A_max$'s ratio there is unbounded", given.proved(*theorems)),
        )
        for level, evidence, theorems in (
            (AT_ZERO, zero, of_form),
            (FORM, larger, of_form),
            (ALGORITHM, process, of_process),
        )
    )
    true = repairs("a-min-on-two-lengths-at-zero", "a-min-on-two-lengths")
    return Decision(_line_of_two_point(larger, process), verdicts, _proof(given, read), true)


def _proof(given: Given, read: Reading) -> PublishedProof:
    """Judge the displays in the proof of Theorem 6, which takes s = 0."""
    truth = {
        "num": two_lengths.value_of("a-min").subs(s, 0),
        "den": two_lengths.value_of("h-sf").subs(s, 0),
        "ratio": sp.cancel(two_lengths.at_zero("a-min") / two_lengths.at_zero("h-sf")),
    }
    return read.proof(**_displays(given, "two points", truth), square=given.proved(TEXT.named("a_min on two points")))


def _displays(given: Given, proof: str, truth: Mapping[str, SymExpr]) -> dict[str, Evidence]:
    """Judge the displays of a proof, each against the expression that the forms give."""
    return {
        name: given.evidence_for(name, two_lengths.display, true, f"{proof}: {name.replace('_', ' ')}")
        for name, true in truth.items()
    }


def _line_of_two_point(larger: Evidence, process: Evidence) -> str:
    if isinstance(process, Refuted):
        at = process.witness
        return f"Algorithm 2 at $s = {at['s']}$, $u = {at['u']}$: {ratio_of(process)}"
    if isinstance(larger, Refuted):
        return f"the form at $s = {larger.witness['s']}$: {ratio_of(larger)}"
    return {"proved": "the bound holds for every $s$, of the forms"}.get(larger.status, "not decided for every $s$")


def _why_of_two_point(evidence: Evidence) -> str:
    if isinstance(evidence, Open):
        return "not decided: " + evidence.tried
    if "with_prompts" in evidence.values:
        prompts = evidence.values["with_prompts"]
        return f"{why_beyond(evidence)}; with prompts too: {prompts['ratio_at_least']} at $s = 1$, $u = {prompts['u']}$"
    tight = evidence.values.get("the_bound_is_the_supremum")
    attained = ", which is attained at $x_ℓ : x_u = u : ℓ$ for every $α$" if tight else ""
    return why_beyond(evidence) or f"the bound is at least the supremum{attained}"


@stated_claim("thm-aell")
def thm_aell(given: Given) -> Decision:
    """Decide the two-piece bound at every level, and the displays and inferences of the proof."""
    low = Bound.given("bound_low", given["bound_low"], alpha, up_to_half("alpha"))
    high = Bound.given("bound_high", given["bound_high"], alpha, from_half("alpha"))
    zero = [
        given.evidence(two_lengths.a_ell_at_zero, bound, *span)
        for bound, span in ((low, (Fraction(0), two_lengths.HALF)), (high, (two_lengths.HALF, Fraction(1))))
    ]
    larger, process = (
        given.evidence(decider, low, high) for decider in (two_lengths.a_ell_every_s, two_lengths.a_ell_in_process)
    )
    zero = [larger if isinstance(larger, Proved) and isinstance(evidence, Open) else evidence for evidence in zero]
    findings = (
        Finding("bound-up-to-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$", zero[0]),
        Finding("bound-from-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {high.text}$ for $α ≥ ½$", zero[1]),
    )
    says = f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$, ${high.text}$ above"
    read = reading_of("thm-aell", premise=given["premise"].strip())
    verdicts = (
        read.verdict(AT_ZERO, _why_at_zero(zero), *findings),
        read.verdict(FORM, _why_every_s(larger), Finding("bound", says, larger)),
        read.verdict(ALGORITHM, _why_every_s(process), Finding("bound", says, process)),
    )
    proof = _proof_of_a_ell(given, read)
    return Decision(_line_of_a_ell(zero, process), verdicts, proof, repairs("a-ell-at-zero", "a-ell-for-every-s"))


def _why_at_zero(zero: list[Evidence]) -> str:
    if all(e.status == "proved" for e in zero):
        tight = all(e.values.get("the_bound_is_the_supremum") for e in zero)
        return "both pieces are at least the exact supremum" + (", and tight for every $α$" if tight else "")
    return next(filter(None, map(why_beyond, zero)), "the comparison with the exact supremum is not decided")


def _why_every_s(evidence: Evidence) -> str:
    return why_beyond(evidence) or phrase(evidence.status, "", "it holds for every $s$", "no larger ratio was found")


def _line_of_a_ell(zero: list[Evidence], process: Evidence) -> str:
    if isinstance(process, Refuted):
        return f"$A_ℓ$ at $s = {process.witness['s']}$: {ratio_of(process)}"
    held = all(e.status == "proved" for e in zero)
    return f"the form's bound {'holds' if held else 'fails'} at $s = 0$"


CORRECTED_SUM = "l*(l/2)*(x+y)*(x+2*y)+u**2/2*y**2"
"""The correct sum of display (1) in the proof of Theorem 7, printed as its ``instead`` where it is proved."""


# ---- The displays in the proof of Theorem 7, and its inference from a lower bound on α²t²+2α²t+1 to h(t) ≤ α/[2(1−α)]

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(1, 10), Fraction(2, 5))
"""Values of α at which a premise is tried, with t = 1/2, 1, …, 19/2."""


def _proof_of_a_ell(given: Given, read: Reading) -> PublishedProof:
    """Judge the displays, of half of the forms at s = 0 and their ratio, and both inferences of the published proof."""
    a_ell, h_sf = (sp.cancel(two_lengths.value_of(name).subs(s, 0) / 2) for name in ("a-ell", "h-sf"))
    truth: dict[str, SymExpr] = {
        "display_1_left": a_ell,
        "display_1_right": a_ell.subs(l, alpha * u),
        "display_2": h_sf.subs(l, alpha * u),
        "display_3": sp.cancel(two_lengths.at_zero("a-ell") / two_lengths.at_zero("h-sf")).subs(t, x / y),
    }
    corrected = given.evidence(
        two_lengths.display, "sum", CORRECTED_SUM, truth["display_1_left"], "A_ell on two points: display 1, right"
    )
    uncorrected = () if corrected.status == "proved" else ("display-1-left",)
    return read.proof(
        *uncorrected,
        **_displays(given, "A_ell on two points", truth),
        inference=given.evidence(inference, given["premise"]),
        above_half=given.proved(TEXT.named("a_ell on two points")),
    )


def inference(text: str) -> Evidence:
    """Decide "α²t²+2α²t+1 ≥ ``text`` implies h(t) ≤ α/[2(1−α)]", for 0 < α ≤ ½ and t ≥ 0.

    Here h(t) = α²(t+2)/(α²t²+2α²t+1). The premise must hold, and α²(t+2)/premise must be at most α/(2(1−α)): a premise that is
    too small gives too little. So it must lie between 2α(1−α)(t+2) and α²t²+2α²t+1 = 2α(1−α)(t+2) + (αt−1+2α)².
    """
    tree, premise = formula_on("premise", text, {"alpha": alpha, "t": t}, half_and_weights())
    for a, at in product(SHARES, (Fraction(k, 2) for k in range(1, 20))):
        try:
            premise_value = evaluate(tree, {"alpha": a, "t": at})
        except ArithmeticError:
            continue
        refuted = _fails(a, at, premise_value)
        if refuted is not None:
            return refuted
    return by_theorem(_premise_theorem(premise))


def _fails(a: Fraction, at: Fraction, premise: Fraction) -> Refuted | None:
    wanted, lower_bound = a / (2 * (1 - a)), a**2 * at**2 + 2 * a**2 * at + 1
    implied = a**2 * (at + 2) / premise if premise > 0 else None
    if premise <= lower_bound and implied is not None and implied <= wanted:
        return None
    in_floats = float(a) ** 2 * (float(at) + 2) / float(premise) if premise > 0 else "nothing"
    return Refuted(
        witness={"alpha": str(a), "t": str(at)},
        claimed=f"$h ≤ {wanted}$, from ${lower_bound} ≥ {premise}$"
        + (", which is false" if premise > lower_bound else ""),
        actual="the premise gives nothing" if implied is None else f"the premise gives $h ≤ {implied}$ only",
        second={"in_floats": in_floats, "the_conclusion_says": float(wanted)},
        stays="an inference about all $t ≥ 0$: no limit is taken",
        values={
            "h_itself": str(a**2 * (at + 2) / lower_bound),
            "gives": "nothing" if implied is None else str(implied),
            "conclusion": str(wanted),
        },
    )


def _premise_theorem(premise: SymExpr) -> Theorem:
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
