"""The ledger: every claim that is decided, in the paper's order, and ``verify``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from crtools.errors import InputError
from crtools.ledger.cache import ResultCache
from crtools.ledger.claim import Claim
from crtools.ledger.deciding import Progress, Task, decide_all, silent
from crtools.ledger.result import ClaimResult, Part, Proof, Verdict
from crtools.papers.adaptive.claims.appendix import endpoints, max_random, packed_random, prop_memory
from crtools.papers.adaptive.claims.section_2 import infeasible_pair, tel_identity
from crtools.papers.adaptive.claims.section_3 import a_max_a_random, domination, examples
from crtools.papers.adaptive.claims.section_4 import (
    amin_derivation,
    complexity,
    cor_ab,
    deletion,
    fig_log_fit,
    intervals_help,
    inverse_and_trace,
    lem_amin,
    lem_pd,
    log_order,
    state_transition,
    thm_optimality,
    update_distribution,
)
from crtools.papers.adaptive.claims.section_5 import (
    geometric,
    lg_mode,
    linear_geometric,
    switch,
    two_point,
    uniform_bounds,
)
from crtools.papers.adaptive.claims.section_6 import experiments, hsf_lower
from crtools.setting import integer

CLAIMS: tuple[Claim, ...] = (
    tel_identity.TEL,
    infeasible_pair.PAIR,
    domination.CARDINALITY,
    domination.SAFE,
    examples.EX_AMAX,
    a_max_a_random.AMAX_UPPER,
    a_max_a_random.AMAX_LOWER,
    a_max_a_random.RATE,
    complexity.CLAIM,
    thm_optimality.CLAIM,
    deletion.CLAIM,
    update_distribution.CLAIM,
    state_transition.CLAIM,
    amin_derivation.CLAIM,
    lem_amin.CLAIM,
    log_order.WLOG,
    cor_ab.CLAIM,
    lem_pd.CLAIM,
    inverse_and_trace.B_INVERSE,
    inverse_and_trace.T1,
    inverse_and_trace.T2,
    inverse_and_trace.TRACE,
    log_order.THM_LOG,
    fig_log_fit.CLAIM,
    log_order.COR_INTERVALS,
    intervals_help.INTERVALS_HELP,
    two_point.TWO_POINT,
    two_point.A_ELL,
    switch.SWITCH,
    geometric.CLAIM,
    linear_geometric.LG,
    lg_mode.LG_MODE,
    uniform_bounds.UNIFORM,
    hsf_lower.HSF_LOWER,
    experiments.EXP_1,
    experiments.EXP_2,
    experiments.EXP_3,
    examples.EX_ORDER,
    packed_random.PACKED,
    prop_memory.MEMORY,
    endpoints.CLAIM,
    a_max_a_random.RANDOM,
    max_random.MAX_RANDOM,
)
"""Every claim of the paper, in its order."""

SLOW = frozenset({"fig-log-fit", "intervals-help", "exp-1", "exp-2", "exp-3"})
"""What ``quick`` skips: long simulations and the fit of the figure, without which the rest takes some 20 seconds."""


def select(ids: Iterable[str] | None = None) -> tuple[Claim, ...]:
    """Return the claims of these ids (all for None or none), in the ledger's order; ``InputError`` for an unknown id."""
    wanted = list(ids or ())
    known = {claim.id: claim for claim in CLAIMS}
    for name in wanted:
        if name not in known:
            raise InputError("claim", name, f"must be one of {_listed(known)}")
    return tuple(c for c in CLAIMS if not wanted or c.id in wanted)


def _listed(names: Iterable[str]) -> str:
    """Return names separated by commas, cut where an error's one line would become too long."""
    text = ", ".join(names)
    return text if len(text) <= LONGEST_LIST else text[:LONGEST_LIST].rpartition(",")[0] + ", …"


LONGEST_LIST = 280


def verify(
    ids: Iterable[str] | None = None,
    set: Mapping[str, str] | None = None,  # the public contract's name
    *,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
    progress: Progress = silent,
) -> list[ClaimResult]:
    """Decide claims and return their results, in the paper's order.

    ``ids``: claim ids, all where None. ``set``: values that replace those of ``given`` in every selected claim that
    has that name. ``quick`` skips the slow claims (status ``skipped``). ``jobs``: processes. ``cache``: a folder in
    which each result is kept as soon as it is decided, and found again while code, values and versions are the same
    (``seconds`` are then those of the first time); where it cannot be written, nothing is kept. ``progress`` wraps
    the results as they come, for a bar.
    Raises ``InputError`` for an unknown id, a name that no selected claim has, or a value that is not allowed.
    """
    chosen = select(ids)
    jobs = integer("jobs", jobs, 1, 256)
    changed = {name: str(value) for name, value in (set or {}).items()}
    for name in changed:
        if not any(name in claim.given for claim in chosen):
            known = sorted({n for claim in chosen for n in claim.given})
            raise InputError("set", name, f"no selected claim has that value; there are {_listed(known)}")
    tasks = {c.id: Task(c, {name: value for name, value in changed.items() if name in c.given}) for c in chosen}
    left = [task for task in tasks.values() if not (quick and task.claim.id in SLOW)]
    kept = None if cache is None else ResultCache(Path(cache))
    decided = {result.id: result for result in decide_all(left, jobs=jobs, cache=kept, progress=progress)}
    return [decided.get(c.id) or _skipped(c, tasks[c.id].changed) for c in chosen]


def _skipped(claim: Claim, changed: Mapping[str, str]) -> ClaimResult:
    part = Part(claim.statement, "skipped", {"reason": "skipped by quick"})
    verdict = Verdict("as-stated", "not read", "skipped", (part,), "skipped by --quick")
    return ClaimResult(
        claim.id,
        claim.place,
        claim.statement,
        {**claim.given, **changed},
        claim.rests_on,
        Proof("not-examined"),
        (verdict,),
    )


def as_json(results: Sequence[ClaimResult]) -> dict[str, Any]:
    """Return the ledger as the JSON document of ``crtools verify --json``."""
    counts: dict[str, int] = {}
    for result in results:
        for verdict in result.verdicts:
            counts[verdict.status] = counts.get(verdict.status, 0) + 1
    return {"claims": [result.as_json() for result in results], "counts": counts}
