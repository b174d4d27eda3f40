"""rr-upper, rr-tight and preemptive-lower: round robin, and that no preemptive policy without the sizes is better."""

from functools import partial

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.parameter import KnownRatio, decide_side
from crtools.papers.nonclairvoyant.evidence.literal import equal_jobs
from crtools.papers.nonclairvoyant.evidence.ratios import exactly, jobs
from crtools.papers.nonclairvoyant.levels import ALGORITHM
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

MOTWANI = "Motwani, Phillips, Torng 1994"
SHARED = TEXT.value("round_robin", jobs().symbol)
AT_MOST = KnownRatio(SHARED, partial(theorem, "round robin"), equal_jobs)
AT_EQUAL_SIZES = KnownRatio(SHARED, partial(theorem, "equal sizes"), equal_jobs)
AT_LEAST = KnownRatio(SHARED, partial(theorem, "preemptive lower bound"), equal_jobs)
AT_LEAST_WITH_COINS = KnownRatio(
    TEXT.value("with_coins", jobs().symbol), partial(theorem, "randomised lower bound"), equal_jobs
)


@claim("rr-upper", ALGORITHM, MOTWANI, "round robin is $2 − 2/(n+1)$-competitive", rests_on=["spt-optimal"])
def rr_upper(given: Given) -> Decision:
    """Decide the bound for every n."""
    evidence = given.evidence_for("ratio", decide_side, jobs(), "at most", AT_MOST, AT_EQUAL_SIZES)
    finding = Finding("ratio", f"round robin's total is at most ${given['ratio']}$ times the optimum", evidence)
    why = "a pair costs twice the optimum, and the sizes are at least 2/(n+1) of it"
    return decision_at(
        ALGORITHM,
        "every $n ≥ 1$, all sizes",
        "costs of pairs; a mean",
        why,
        finding,
        line="$2 − 2/(n+1)$ times the optimum, at most",
    )


@claim("rr-tight", ALGORITHM, MOTWANI, "at $n$ equal sizes round robin's ratio is $2 − 2/(n+1)$")
def rr_tight(given: Given) -> Decision:
    """Decide the ratio with n jobs of size 1, for every n."""
    line = "n equal sizes have exactly this ratio"
    both = exactly(given, "ratio", jobs(), AT_EQUAL_SIZES)
    return decision_at(ALGORITHM, "every $n ≥ 1$, all sizes 1", "a run and an identity", line, *both, line=line)


@claim(
    "preemptive-lower",
    ALGORITHM,
    MOTWANI,
    "no preemptive policy that does not know the sizes is better than $2 − 2/(n+1)$, with coins $2 − 4/(n+3)$",
    rests_on=["spt-optimal"],
)
def preemptive_lower(given: Given) -> Decision:
    """Decide both lower bounds for every n: too large ones are refuted by round robin."""
    ratio = given.evidence_for("ratio", decide_side, jobs(), "at least", AT_LEAST, AT_MOST)
    randomised = given.evidence_for("randomised", decide_side, jobs(), "at least", AT_LEAST_WITH_COINS, AT_MOST)
    return decision_at(
        ALGORITHM,
        "every $n ≥ 1$, all preemptive policies that do not know the sizes",
        "an adversary; exponential sizes",
        "jobs end just after the policy leaves them",
        Finding("ratio", f"every deterministic policy has at least ${given['ratio']}$", ratio),
        Finding("randomised", f"every policy with coins has at least ${given['randomised']}$", randomised),
        line="no preemptive policy is below these ratios",
    )


CLAIMS = (rr_upper, rr_tight, preemptive_lower)
