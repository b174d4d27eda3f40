"""rr-upper, rr-tight and preemptive-lower: round robin, and that no preemptive policy without the sizes is better."""

from __future__ import annotations

from functools import partial

from crtools.ledger import Claim, Decision, Finding, Given
from crtools.ledger.deciders.decision import decision, verdict
from crtools.ledger.deciders.parameter import KnownRatio, decide_side
from crtools.papers.nonclairvoyant.evidence.literal import equal_jobs
from crtools.papers.nonclairvoyant.evidence.ratios import exactly, jobs
from crtools.papers.nonclairvoyant.levels import ALGORITHM
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

MOTWANI = "Motwani, Phillips, Torng 1994"
SHARED = TEXT.value("round_robin", jobs().symbol)
AT_MOST = KnownRatio(SHARED, partial(theorem, "round robin"), equal_jobs)
AT_EQUAL_SIZES = KnownRatio(SHARED, partial(theorem, "equal sizes"), equal_jobs)
AT_LEAST = {
    "ratio": KnownRatio(SHARED, partial(theorem, "preemptive lower bound"), equal_jobs),
    "randomised": KnownRatio(
        TEXT.value("with_coins", jobs().symbol), partial(theorem, "randomised lower bound"), equal_jobs
    ),
}


def decide_upper(given: Given) -> Decision:
    """Decide the bound for every n."""
    evidence = given.evidence(decide_side, "ratio", given["ratio"], jobs(), "at most", AT_MOST, AT_EQUAL_SIZES)
    finding = Finding("ratio", f"round robin's total is at most ${given['ratio']}$ times the optimum", evidence)
    why = "a pair costs twice the optimum, and the sizes are at least 2/(n+1) of it"
    line = "twice the optimum less the sizes"
    return decision(verdict(ALGORITHM, "every $n ≥ 1$, all sizes", "costs of pairs; a mean", why, finding), why=line)


def decide_tight(given: Given) -> Decision:
    """Decide the ratio with n jobs of size 1, for every n."""
    line = "all jobs end together, at n"
    both = exactly(given, "ratio", jobs(), AT_EQUAL_SIZES)
    return decision(verdict(ALGORITHM, "every $n ≥ 1$, all sizes 1", "a run and an identity", line, *both), why=line)


def decide_lower(given: Given) -> Decision:
    """Decide both lower bounds for every n: too large ones are refuted by round robin."""
    found = {
        name: given.evidence(decide_side, name, given[name], jobs(), "at least", known, AT_MOST)
        for name, known in AT_LEAST.items()
    }
    return decision(
        verdict(
            ALGORITHM,
            "every $n ≥ 1$, all preemptive policies that do not know the sizes",
            "an adversary; exponential sizes",
            "jobs end just after the policy leaves them",
            Finding("ratio", f"every deterministic policy has at least ${given['ratio']}$", found["ratio"]),
            Finding("randomised", f"every policy with coins has at least ${given['randomised']}$", found["randomised"]),
        ),
        why="an adversary lets no job end",
    )


UPPER = Claim(
    id="rr-upper",
    place=MOTWANI,
    statement="round robin is $2 − 2/(n+1)$-competitive",
    stated_at=ALGORITHM,
    decide=decide_upper,
    rests_on=("spt-optimal",),
)
TIGHT = Claim(
    id="rr-tight",
    place=MOTWANI,
    statement="at $n$ equal sizes round robin's ratio is $2 − 2/(n+1)$",
    stated_at=ALGORITHM,
    decide=decide_tight,
)
LOWER = Claim(
    id="preemptive-lower",
    place=MOTWANI,
    statement="no preemptive policy that does not know the sizes is better than $2 − 2/(n+1)$, with coins $2 − 4/(n+3)$",
    stated_at=ALGORITHM,
    decide=decide_lower,
    rests_on=("spt-optimal",),
)

CLAIMS = (UPPER, TIGHT, LOWER)
