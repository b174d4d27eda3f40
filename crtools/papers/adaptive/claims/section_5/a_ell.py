"""thm-aell: A_ℓ's bound on laws on two lengths."""

from __future__ import annotations

from fractions import Fraction

from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Open, Proved, Refuted, Repair, Variant, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import from_half, up_to_half
from crtools.papers.adaptive.bounds.two_lengths import alpha
from crtools.papers.adaptive.evidence.laws import two_lengths
from crtools.papers.adaptive.evidence.laws.a_ell_proof import RIGHT, published_proof
from crtools.papers.adaptive.evidence.laws.two_lengths import METHOD, READINGS
from crtools.papers.adaptive.evidence.reading import phrase
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import TEXT

HALF = Fraction(1, 2)


def decide(given: Given) -> Decision:
    """Decide the two-piece bound at every level, and the displays and inferences of the proof."""
    low = Bound.given("bound_low", given["bound_low"], alpha, up_to_half("alpha"))
    high = Bound.given("bound_high", given["bound_high"], alpha, from_half("alpha"))
    zero = [
        given.evidence(two_lengths.a_ell_at_zero, bound, *ends)
        for bound, ends in ((low, (Fraction(0), HALF)), (high, (HALF, Fraction(1))))
    ]
    larger, process = (
        given.evidence(own, low, high) for own in (two_lengths.a_ell_every_s, two_lengths.a_ell_in_process)
    )
    zero = [larger if isinstance(larger, Proved) and isinstance(own, Open) else own for own in zero]
    findings = (
        Finding("bound-up-to-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$", zero[0]),
        Finding("bound-from-half", f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {high.text}$ for $α ≥ ½$", zero[1]),
    )
    says = f"on ${{ℓ, u}}$: $CR(A_ℓ) ≤ {low.text}$ for $α ≤ ½$, ${high.text}$ above"
    itself = "A_ℓ's total latency in closed form, a proved upper bound on H-SF"
    verdicts = (
        Verdict(AT_ZERO, READINGS[AT_ZERO], _why_at_zero(zero), METHOD, findings),
        *(
            Verdict(level, READINGS[level], _why_every_s(own), method, (Finding("bound", says, own),))
            for level, own, method in ((FORM, larger, METHOD), (ALGORITHM, process, itself))
        ),
    )
    return Decision(_line(zero, process), verdicts, published_proof(given), repairs(given))


def repairs(given: Given) -> tuple[Repair, ...]:
    """Return the exact suprema, at s = 0 and for every s."""
    zero, every = (
        given.proved(TEXT.named("a_ell on two points")),
        given.proved(TEXT.named("a_ell on two points, every s")),
    )
    sentence = "on ${ℓ, u}$ at $s = 0$: $sup CR(A_ℓ) = 1 + α/(2(1−α))$ for $α ≤ ½$ and $1 + 2α²$ for $α ≥ ½$"
    general = (
        "on ${ℓ, u}$ for every $s ≥ 0$: $sup CR(A_ℓ) = 1 + β/(2(1−β))$ for $β ≤ ½$ and $1 + 2β²$ for $β ≥ ½$, with "
        "$β = √(ℓ(s+ℓ)/(u(s+u)))$ in the place of $α$"
    )
    return (
        Repair(AT_ZERO, sentence, (Finding("supremum-at-s-0", "the supremum at $s = 0$", zero),)),
        Repair(FORM, general, (Finding("supremum", "the supremum for every $s$", every),)),
    )


def _why_at_zero(zero: list[Evidence]) -> str:
    if all(e.status == "proved" for e in zero):
        tight = all(e.values.get("the_bound_is_the_supremum") for e in zero)
        return "both pieces are at least the exact supremum" + (", and tight for every $α$" if tight else "")
    return next(filter(None, map(why_beyond, zero)), "the comparison with the exact supremum is not decided")


def _why_every_s(own: Evidence) -> str:
    return why_beyond(own) or phrase(own.status, "", "it holds for every $s$", "no larger ratio was found")


def _line(zero: list[Evidence], process: Evidence) -> str:
    if isinstance(process, Refuted):
        return f"$A_ℓ$ at $s = {process.witness['s']}$: {ratio_of(process)}"
    held = all(e.status == "proved" for e in zero)
    return f"the form's bound {'holds' if held else 'fails'} at $s = 0$"


RIGHT_1 = "u**2/2*(alpha**2*x**2+3*alpha**2*x*y+(2*alpha**2+1)*y**2)"
DISPLAY_3 = "1+(alpha**2*x*y+2*alpha**2*y**2)/(alpha**2*x**2+2*alpha**2*x*y+y**2)"

CLAIM = Claim(
    id="thm-aell",
    place="Section 5.1, Theorem 7 (thm:Al_CR)",
    statement="on ${ℓ, u}$: $CR(A_ℓ) ≤ 1+α/(2(1−α))$ for $α ≤ ½$, $1+2α²$ above",
    stated_at=ALGORITHM,
    given={
        "bound_low": "1+alpha/(2*(1-alpha))",
        "bound_high": "1+2*alpha**2",
        "display_1_left": "l*(l/2)*(x+y)*x+(l+u/2)*(x+y)*y",
        "display_1_right": RIGHT_1,
        "display_2": "u**2/2*(alpha**2*x**2+2*alpha**2*x*y+y**2)",
        "display_3": DISPLAY_3,
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
            {"display_1_right": RIGHT_1.replace("2*alpha**2+1", "alpha**2+1")},
            "display-1-right",
        ),
        Variant("a sign in display (3)", {"display_3": DISPLAY_3.replace("1+", "1-")}, "display-3"),
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
