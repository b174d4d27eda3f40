"""The claim kill-lower: for n ≥ 3 jobs no deterministic kill-and-restart strategy has a ratio below 3 − 2/(n+1)."""

from dataclasses import replace
from functools import partial

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision_at
from crtools.ledger.deciders.parameter import KnownRatio, decide_side
from crtools.papers.nonclairvoyant import ARXIV
from crtools.papers.nonclairvoyant.evidence import literal
from crtools.papers.nonclairvoyant.evidence.ratios import jobs
from crtools.papers.nonclairvoyant.levels import ALGORITHM
from crtools.papers.nonclairvoyant.theory import TEXT, theorem

n = jobs().symbol
SMALLEST_N = 3
AT_MOST = KnownRatio(sp.Min(n, 1 + 3 * sp.sqrt(3)), partial(theorem, "few jobs"), literal.few_jobs)
AT_LEAST = KnownRatio(TEXT.value("killing", n), partial(theorem, "kill-and-restart lower bound"), literal.few_jobs)
OF_FEWER = KnownRatio(sp.S.One, partial(theorem, "shortest first"), literal.few_jobs)


@claim(
    "kill-lower",
    ALGORITHM,
    ARXIV,
    "no deterministic kill-and-restart strategy is better than $3 − 2/(n+1)$, $n ≥ 3$",
    rests_on=["spt-optimal"],
)
def kill_lower(given: Given) -> Decision:
    """Decide the bound for every n ≥ ``fewest``; a better strategy refutes a bound that is too large."""
    fewest = number("fewest", given["fewest"])
    if fewest.denominator != 1 or not 1 <= fewest <= 10**6:
        raise InputError("fewest", given["fewest"], "must be a whole number from 1 to 10^6")
    bound = AT_LEAST if fewest >= SMALLEST_N else replace(AT_LEAST, value=sp.Integer(fewest.numerator))
    evidence = given.evidence_for("ratio", decide_side, jobs(int(fewest)), "at least", bound, AT_MOST)
    of_all = given.evidence_for("ratio", decide_side, jobs(), "at least", OF_FEWER, AT_MOST)
    few_jobs = given.proved(partial(theorem, "one or two jobs"))
    argument = "no job is longer than its attempts were"
    return decision_at(
        ALGORITHM,
        f"every $n ≥ {fewest}$, all deterministic kill-and-restart strategies",
        "an adversary; strategies that are better",
        f"at a kill all start again, and {argument}",
        Finding("ratio", f"every such strategy has a ratio of at least ${given['ratio']}$", evidence),
        Finding("fewer", "with one or two jobs the best ratio is $n$", few_jobs),
        degenerate=(Finding("of-all", "and this from $n = 1$ on", of_all),),
        line="from three jobs on; of fewer the best has n" if of_all.status == "refuted" else argument,
    )


CLAIMS = (kill_lower,)
