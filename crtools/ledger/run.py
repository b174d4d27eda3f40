"""``verify``: decide the claims of a ledger."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from crtools.budget import SECONDS, can_stop, seconds_of
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.data import by_name
from crtools.ledger.decide_all import Progress, Task, decide_all, silent
from crtools.ledger.evidence import Open
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.ledger.results import Results
from crtools.names import named_arguments, one_of
from crtools.numeric_types import JsonObject

FORMAT = 3
"""The version of the JSON document of ``crtools verify --json`` (docs/json.md)."""


@named_arguments()
def verify(
    ids: Iterable[str] | str | None = None,
    set: Mapping[str, str] | None = None,  # the public contract's name
    *,
    ledger: str | Ledger = DEFAULT,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
    timeout: float | None = None,
    progress: Progress = silent,
) -> Results:
    """Decide the claims of a ledger.

    Parameters
    ----------
    ids
        Claim ids, or one; all claims where None.
    set
        Values by name; each replaces the value of that name in the ``given`` of every selected claim that has it.
    ledger
        A ledger, its name, or a Python file that defines ``LEDGER``.
    quick
        Skip the slow claims; their status is ``skipped``.
    jobs
        The number of processes.
    cache
        A folder to which each result is written as soon as it is decided. A result is used again while code, values and
        versions are the same; its ``seconds`` are then those of the first time. Nothing is stored where the folder cannot be
        written, or for a ledger that does not come with crtools.
    timeout
        Seconds for each claim. By default 60 where its values are changed, else no limit. Findings that are not decided in
        time are inconclusive, or the claim has one such finding, ``time``; such results are not cached.
    progress
        Wraps the results as they come, for a progress bar.

    Returns
    -------
    Results
        A list of :class:`ClaimResult` in the paper's order; it prints as the ledger's table.

    Raises
    ------
    InputError
        For an unknown id, a name that no selected claim has, or a value that is not allowed.

    Examples
    --------
    >>> [result] = verify("trace")
    >>> result.at("form-at-zero").status
    'proved'
    >>> verify("trace", {"closed_form": "u"})[0].stated.status
    'refuted'
    """
    seconds = None if timeout is None else seconds_of("timeout", timeout)
    tasks = _tasks([ids] if isinstance(ids, str) else ids, set, load(ledger), seconds)
    to_decide = [task for task in tasks if not (quick and task.slow)]
    by_id = {result.id: result for result in decide_all(to_decide, jobs=jobs, cache=cache, progress=progress)}
    why = "skipped by --quick"
    skipped = Open(why, kind="skipped")
    results = [by_id.get(t.claim.id) or t.claim.undecided(t.given, "skipped", skipped, why) for t in tasks]
    return Results(results, ledger)


def all_cached(
    ids: Iterable[str] | None,
    set: Mapping[str, str] | None,
    *,
    ledger: str | Ledger,
    quick: bool,
    cache: str | Path | None,
    **_: Any,
) -> bool:
    """Return whether ``verify`` with these arguments would find every result in the cache."""
    loaded = load(ledger)
    to_decide = [task for task in _tasks(ids, set, loaded) if not (quick and task.slow)]
    folder = None if cache is None else Path(cache)
    caches = [(task, task.cache(folder)) for task in to_decide]
    return all(cached is not None and cached.has(task.claim.id, task.given) for task, cached in caches)


def _tasks(
    ids: Iterable[str] | None, set: Mapping[str, str] | None, ledger: Ledger, seconds: float | None = None
) -> list[Task]:
    """Return a task for each selected claim, with its changed values and its time limit."""
    chosen = ledger.select(ids)
    changed = {name: str(value) for name, value in (set or {}).items()}
    for name in changed:
        one_of("set", name, sorted({n for claim in chosen for n in claim.given}))
    usual = SECONDS if seconds is None and can_stop() else seconds
    values_of = [{name: value for name, value in changed.items() if name in claim.given} for claim in chosen]
    return [Task(ledger, c, values, usual if values else seconds) for c, values in zip(chosen, values_of, strict=True)]


def tally(results: Sequence[ClaimResult]) -> dict[str, dict[str, int]]:
    """Return, for each level, how many verdicts there are of each status."""
    counts: dict[str, dict[str, int]] = defaultdict(Counter)
    for verdict in (verdict for result in results for verdict in result.verdicts):
        counts[verdict.level][verdict.status] += 1
    return dict(counts)


def resting(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> dict[str, dict[str, dict[str, int]]]:
    """Return, for each level and status, how many verdicts have each mark: Coq, w, 0, words, - (``Verdict.kind``)."""
    accepted = load(ledger).accepted()
    counts: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(Counter))
    for verdict in (verdict for result in results for verdict in result.verdicts):
        counts[verdict.level][verdict.status][verdict.kind(accepted)] += 1
    return {level: dict(kinds) for level, kinds in counts.items()}


def theorems(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> JsonObject:
    """Return the record of every theorem that the results name, by its name.

    ``kernel_checked`` says what Coq's kernel accepted of it (:meth:`crtools.proof.accepted.Accepted.mark`).
    """
    accepted = load(ledger).accepted()
    table = by_name(theorem for result in results for theorem in result.theorems)
    return {name: {**theorem, "kernel_checked": accepted.mark(theorem)} for name, theorem in table.items()}


def as_json(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> JsonObject:
    """Return the ledger as the JSON document of ``crtools verify --json``."""
    loaded = load(ledger)
    return {
        "format": FORMAT,
        "ledger": loaded.name,
        "claims": [result.as_json(loaded.accepted()) for result in results],
        "theorems": theorems(results, loaded),
        "counts": tally(results),
        "resting": resting(results, loaded),
    }
