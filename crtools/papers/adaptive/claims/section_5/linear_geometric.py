"""thm-lg: the law P(k) ∝ k q^k, its closed form, and the two sums displayed in the proof."""

from __future__ import annotations

from functools import partial

from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Refuted, Repair, Variant, Verdict
from crtools.ledger.deciders.bounds import Bound, ratio_of, why_beyond
from crtools.ledger.deciders.ranges import constant, unit
from crtools.papers.adaptive.evidence.laws import one_parameter as laws
from crtools.papers.adaptive.evidence.laws.law_in_process import law_in_process
from crtools.papers.adaptive.evidence.laws.linear_geometric import closed_form, published_proof
from crtools.papers.adaptive.evidence.laws.one_parameter import DIRECTIONS, LINEAR, METHODS, READINGS, q
from crtools.papers.adaptive.evidence.reading import one_of
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM


def decide(given: Given) -> Decision:
    """Decide the closed form, both bounds and the monotonicity at every level, and the two displayed sums."""
    direction = one_of(given, "direction", DIRECTIONS)
    bounds = [Bound.given(name, given[name], q, constant()) for name in ("bound", "weaker_bound")]
    claimed = Bound.given("closed_form", given["closed_form"], q, unit("q"))
    forms = {
        AT_ZERO: partial(closed_form, 0),
        FORM: partial(closed_form, 1),
        ALGORITHM: partial(law_in_process, LINEAR),
    }
    verdicts: list[Verdict] = []
    for level, form in forms.items():
        strong, weak = (given.evidence(laws.bounded_at, level, LINEAR, bound) for bound in bounds)
        row = (
            Finding("closed-form", "$CR(A_min)$ under $LG(p)$ is the closed form", given.evidence(form, claimed)),
            Finding("bound", f"it is at most ${bounds[0].text}$", strong),
            Finding("weaker-bound", f"it is at most ${bounds[1].text}$", weak),
            Finding("monotone", f"it {direction} with $q$", given.evidence(laws.directed_at, level, LINEAR, direction)),
        )
        verdicts.append(Verdict(level, READINGS[level], _why(level, row), METHODS[level], row))
    shown = verdicts[0].findings
    sentence = f"at $s = 0$: the closed form holds, {direction} with $q$ and is at most ${bounds[0].text}$"
    repair = Repair(AT_ZERO, sentence, tuple(f for f in shown if f.id != "weaker-bound"))
    proof = published_proof(given, shown[0].evidence, shown[1].evidence)
    return Decision(_line(*verdicts), tuple(verdicts), proof, (repair,))


def _why(level: str, row: tuple[Finding, ...]) -> str:
    form, bound, weaker = (f.evidence for f in row[:3])
    differs = ""
    if isinstance(form, Refuted) and level != ALGORITHM:
        differs = f"at $q = {form.witness['q']}$ the ratio is {form.actual}, the closed form gives {form.claimed}"
    fails = "; ".join(filter(None, (differs, why_beyond(bound) or why_beyond(weaker))))
    if level == AT_ZERO and not fails and all(f.status == "proved" for f in row):
        return "the closed form, its direction and both bounds hold"
    return fails or "not decided as a whole"


def _line(zero: Verdict, larger: Verdict, process: Verdict) -> str:
    found: Evidence = process.findings[1].evidence
    if isinstance(found, Refuted):
        return f"Algorithm 2, $q = {found.witness['q']}$: {ratio_of(found)}"
    held = "only at $s = 0$, of the forms; " if zero.status == "proved" else ""
    return f"{held}false for $s ≥ 1$" if larger.findings[0].status == "refuted" else "not decided for $s ≥ 1$"


CLOSED_FORM = "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"
EXPANDED = "(1+5*q+13*q**2+18*q**3+13*q**4+5*q**5+q**6)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"

CLAIM = Claim(
    id="thm-lg",
    place="Section 5.3, Theorem 8 (cor:LG)",
    statement="the closed form under $LG(p)$, $≤ 14/9 ≈ 1.56$, increasing in $q$; read off the plot, bounded by 1.6",
    stated_at=ALGORITHM,
    given={
        "closed_form": CLOSED_FORM,
        "bound": "14/9",
        "weaker_bound": "1.6",
        "direction": "increases",
        "display_own": "2",
        "display_tail": "1",
        "display_denominator": "(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)/((1-q)**6*(1+q)**4)",
        "display_numerator": "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)",
    },
    decide=decide,
    rests_on=("lem-amin",),
    corrupted=(
        Variant("a bound off by 1 %", {"bound": "1.54"}, "bound", AT_ZERO),
        Variant("a coefficient", {"closed_form": CLOSED_FORM.replace("+q**6", "")}, "closed-form", AT_ZERO),
        Variant("a sign", {"display_numerator": "(1-3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)"}, "numerator"),
        Variant("a bound less by a hair", {"bound": "14/9-1e-9"}, "bound", AT_ZERO),
        Variant("the weaker bound off by 3 %", {"weaker_bound": "1.552"}, "weaker-bound", AT_ZERO),
        Variant("the other direction", {"direction": "decreases"}, "monotone", AT_ZERO),
        Variant("an index of the right display", {"display_own": "2", "display_tail": "2"}, "denominator"),
        Variant("1 % of the right display", {"display_own": "1.01", "display_tail": "2"}, "denominator"),
    ),
    variants=(
        Variant("the closed form expanded", {"closed_form": EXPANDED}, "closed-form", AT_ZERO),
        Variant("a right display", {"display_own": "1", "display_tail": "2"}, "denominator"),
        Variant("a weaker bound", {"bound": "1.56"}, "bound", AT_ZERO),
    ),
)
