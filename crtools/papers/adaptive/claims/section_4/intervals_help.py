"""intervals-help: do refined prediction intervals give A_min a ratio no worse than the single interval does?

Of the forms, yes, at every x. Of the algorithm's ratio this is open; at single instances it does not, as õ also decides who is
cancelled and how tightly batches are packed.
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
    in_the_ratio,
    of_the_cohort_rule,
    of_the_form,
    with_many_batches,
)
from crtools.papers.adaptive.evidence.reading import positive
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.theory import theorem


def decide(given: Given) -> Decision:
    """Decide CR(refined) ≤ factor · CR(single), of the form at every x and of Algorithm 2; beside it, at every instance."""
    factor = positive(given, "factor")
    ratio, instances = in_the_ratio(factor), at_every_instance(factor)
    algorithm = Verdict(
        ALGORITHM,
        "all intervals $[l_1, u_1], …, [l_m, u_m]$ with $u_j ≤ l_(j+1)$ that refine $[l_1, u_m]$, $s ≥ 1$, as $M → ∞$: the competitive "
        f"ratio of Algorithm 2, its supremum over instances, is at most {given['factor']} times that with the one interval. The authors "
        f"speak of the ratio: {WORDS}; beside it: of every instance",
        _why(ratio, instances),
        "a family for every m; exact means over all draws; simulation with many batches and of the experiments",
        (
            Finding("ratio", "the ratio with refined intervals is at most the single one's", ratio),
            Finding("every-instance", "refined intervals are no slower at every instance", instances, decides=False),
            Finding("many-batches", "nor with many batches", with_many_batches(factor), decides=False),
            Finding(
                "experiments",
                "nor is A_min in experiment 2 than in experiment 1",
                in_the_experiments(factor),
                decides=False,
            ),
        ),
    )
    verdicts = (*(_of_the_form(level, factor) for level in (AT_ZERO, FORM)), algorithm)
    repairs = (_repair(),) if isinstance(instances, Refuted) else ()
    return Decision(_short(verdicts), verdicts, PublishedProof(note="stated without proof"), repairs)


WORDS = "“As formalized in the following corollary, this adaptation yields a competitive ratio at least equals to the basic setting”"
"""What the reading that decides rests on."""


def _why(ratio: Evidence, instances: Evidence) -> str:
    false = "; at a single instance a request's own bound also decides who is cancelled and who waits, which can cost "
    stricter = f"{false}{LIMIT} of the single interval" if isinstance(instances, Refuted) else ""
    if isinstance(ratio, Refuted):
        return "one interval is a list of intervals, and its ratio is its own" + stricter
    return "open: no upper bound on Algorithm 2 is known at all, with one interval or several" + stricter


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
        (
            Finding(
                "of-the-form",
                "of the form: refined intervals are no slower at any $x$, so their ratio is no larger",
                found,
            ),
        ),
    )


def _short(verdicts: tuple[Verdict, ...]) -> str:
    at_zero, form, algorithm = (v.status for v in verdicts)
    if at_zero == form == "proved":
        return "true of the form; open for Algorithm 2" if algorithm == "inconclusive" else "true of the form"
    return "not even of the form" if "refuted" in (at_zero, form) else "not decided"


def _repair() -> Repair:
    own = "an interval for each length makes $õ = o$: nobody is cancelled, and the revised A_min is H-SF"
    evidence: Evidence = beside(
        by_theorem(theorem("H-SF against every schedule"), argument=own),
        cohort_rule_measured=of_the_cohort_rule(Fraction(1)),
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
    statement="refined intervals give a competitive ratio no worse than the single interval's",
    stated_at=ALGORITHM,
    given={"factor": "1"},
    decide=decide,
    corrupted=(
        Variant("1 % better at every instance, of the form", {"factor": "0.99"}, "of-the-form", FORM),
        Variant("1 % better, of the algorithm", {"factor": "0.99"}, "ratio"),
        Variant("at most 5 % worse, of the algorithm", {"factor": "1.05"}, "every-instance"),
        Variant("at most 10 % worse, of the algorithm", {"factor": "1.10"}, "every-instance"),
        Variant("at most 5 % worse, with many batches", {"factor": "1.05"}, "many-batches"),
    ),
    variants=(Variant("at most twice as slow, in the range searched", {"factor": "2"}, "every-instance"),),
)
