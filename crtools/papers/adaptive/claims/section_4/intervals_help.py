"""intervals-help: do refined prediction intervals make A_min better than the single interval does?

Of the forms, yes. Of the algorithm, no: õ also decides who is cancelled and how tightly batches are packed.
"""

from __future__ import annotations

from fractions import Fraction

from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import Evidence, Refuted, by_theorem
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Repair, Verdict
from crtools.papers.adaptive.evidence.algorithm_two.measured import beside
from crtools.papers.adaptive.evidence.algorithm_two.refined import (
    LIMIT,
    at_every_instance,
    in_the_experiments,
    of_the_cohort_rule,
    of_the_form,
    with_many_batches,
)
from crtools.papers.adaptive.evidence.reading import positive
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theorems.process.h_sf import near_every_schedule


def decide(given: Given) -> Decision:
    """Decide E TEL(refined) ≤ factor · E TEL(single), of the form and of Algorithm 2."""
    factor = positive(given, "factor")
    instances = at_every_instance(factor)
    algorithm = Verdict(
        ALGORITHM,
        "for every instance, $s ≥ 1$, and all intervals $[l_1, u_1], …, [l_m, u_m]$ with $u_j ≤ l_(j+1)$ that refine $[l_1, u_m]$: the "
        f"mean total latency of Algorithm 2 is at most {given['factor']} times that with the one interval",
        f"a request's own bound also decides who is cancelled and who waits: it can cost {LIMIT} of the single interval"
        if isinstance(instances, Refuted)
        else "no counterexample in the range searched",
        "a family for every m; exact means over all draws; simulation with many batches and of the experiments",
        (
            Finding("every-instance", "refined intervals are no slower at every instance", instances),
            Finding("many-batches", "refined intervals are no slower with many batches", with_many_batches(factor)),
            Finding(
                "experiments", "A_min is no slower in experiment 2 than in experiment 1", in_the_experiments(factor)
            ),
        ),
    )
    verdicts = (*(_of_the_form(level, factor) for level in (AT_ZERO, FORM)), algorithm)
    false = algorithm.status == "refuted"
    return Decision(
        _short(verdicts), verdicts, PublishedProof(note="stated without proof"), (_repair(),) if false else ()
    )


def _of_the_form(level: str, factor: Fraction) -> Verdict:
    zero = level == AT_ZERO
    found = of_the_form(factor, 0 if zero else 1)
    why = "a request that is alone in its interval costs the same" if isinstance(found, Refuted) else "not decided"
    return Verdict(
        level,
        f"of the forms, {'$s = 0$' if zero else 'every $s ≥ 0$'}, all intervals with $u_j ≤ l_(j+1)$ and all $x ≥ 0$: at most {factor} "
        "times that with the single interval",
        "the form with several intervals is entry by entry at most that of the single one"
        if found.status == "proved"
        else why,
        "entrywise comparison",
        (Finding("of-the-form", "of the form: refined intervals are no slower", found),),
    )


def _short(verdicts: tuple[Verdict, ...]) -> str:
    at_zero, form, algorithm = (v.status for v in verdicts)
    if at_zero == form == "proved":
        return f"true of the form; Algorithm 2: up to {LIMIT}" if algorithm == "refuted" else "true of the form"
    return "not even of the form" if "refuted" in (at_zero, form) else "not decided"


def _repair() -> Repair:
    own = "an interval for each length makes $õ = o$: nobody is cancelled, and the revised A_min is H-SF"
    evidence: Evidence = beside(
        by_theorem(near_every_schedule(), argument=own), cohort_rule_measured=of_the_cohort_rule(Fraction(1))
    )
    sentence = (
        "For all $s ≥ 0$ and lengths up to $u$, as $n → ∞$ and then $M → ∞$: with an interval for each length the total latency is at most "
        "$2(s+u)/(2s+u+1) < 2$ times that with the single interval. Of the forms refined intervals never cost more."
    )
    backing = (
        Finding("an-interval-for-each-length", "H-SF is within that of every schedule", evidence),
        Finding("of-the-form", "of the form: refined intervals are no slower", of_the_form(Fraction(1), 1)),
    )
    return Repair(ALGORITHM, sentence, backing)


CLAIM = Claim(
    id="intervals-help",
    place="Section 4.2, second paragraph, before Corollary 2 (subsec:hetero)",
    statement="refined intervals give better overall performance than the single interval",
    stated_at=ALGORITHM,
    given={"factor": "1"},
    decide=decide,
    corrupted=(
        Variant("1 % better at every instance, of the form", {"factor": "0.99"}, "of-the-form", FORM),
        Variant("at most 5 % worse, of the algorithm", {"factor": "1.05"}, "every-instance"),
        Variant("at most 10 % worse, of the algorithm", {"factor": "1.10"}, "every-instance"),
        Variant("at most 5 % worse, with many batches", {"factor": "1.05"}, "many-batches"),
    ),
    variants=(Variant("at most twice as slow, in the range searched", {"factor": "2"}),),
)
