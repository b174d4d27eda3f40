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
from crtools.names import one_of

FORMAT = 3
"""Of the JSON document that ``crtools verify --json`` prints (docs/json.md)."""


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
    """Decide claims and return their results, a list in the paper's order that shows itself as the ledger's table.

    ``ids``: claim ids, or one; all where None. ``set``: values that replace those of ``given`` in every selected claim that
    has that name. ``ledger``: a ledger or its name. ``quick`` skips the slow claims (status ``skipped``). ``jobs``: processes.
    ``cache``: a folder in which each result is kept as soon as it is decided, and found again while code, values and versions are the same
    (``seconds`` are then those of the first time); where it cannot be written, or the ledger is none of this package's, nothing is
    kept. ``timeout``: the seconds
    that deciding one claim may take; without it a claim whose values are changed has 60 and another what it takes. After them
    the findings that are not decided are inconclusive, or the claim has one such finding, ``time``; they are not kept.
    ``progress`` wraps the results as they come, for a bar.
    Raises ``InputError`` for an unknown id, a name that no selected claim has, or a value that is not allowed.

    >>> verify(["trace"])[0].at("form-at-zero").status
    'proved'
    """
    seconds = None if timeout is None else seconds_of("timeout", timeout)
    tasks = _tasks([ids] if isinstance(ids, str) else ids, set, load(ledger), seconds)
    left = [task for task in tasks if not (quick and task.slow)]
    decided = {result.id: result for result in decide_all(left, jobs=jobs, cache=cache, progress=progress)}
    why = "skipped by --quick"
    skipped = Open(why, kind="skipped")
    found = [decided.get(t.claim.id) or t.claim.undecided(t.given, "skipped", skipped, why) for t in tasks]
    return Results(found, ledger)


def all_kept(
    ids: Iterable[str] | None,
    set: Mapping[str, str] | None,
    *,
    ledger: str | Ledger,
    quick: bool,
    cache: str | Path | None,
    **_: Any,
) -> bool:
    """Return whether ``verify`` with these arguments would find every result in the cache."""
    own = load(ledger)
    left = [task for task in _tasks(ids, set, own) if not (quick and task.slow)]
    folder = None if cache is None else Path(cache)
    caches = [(task, task.cache(folder)) for task in left]
    return all(cached is not None and cached.has(task.claim.id, task.given) for task, cached in caches)


def _tasks(
    ids: Iterable[str] | None, set: Mapping[str, str] | None, ledger: Ledger, seconds: float | None = None
) -> list[Task]:
    """Return the selected claims, each with the values in place of its own and the seconds that it may take."""
    chosen = ledger.select(ids)
    changed = {name: str(value) for name, value in (set or {}).items()}
    for name in changed:
        one_of("set", name, sorted({n for claim in chosen for n in claim.given}))
    usual = SECONDS if seconds is None and can_stop() else seconds
    own = [{name: value for name, value in changed.items() if name in claim.given} for claim in chosen]
    return [Task(ledger, c, values, usual if values else seconds) for c, values in zip(chosen, own, strict=True)]


def tally(results: Sequence[ClaimResult]) -> dict[str, dict[str, int]]:
    """Return, for each level, how many verdicts there are of each status."""
    counts: dict[str, dict[str, int]] = defaultdict(Counter)
    for verdict in (verdict for result in results for verdict in result.verdicts):
        counts[verdict.level][verdict.status] += 1
    return dict(counts)


def resting(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> dict[str, dict[str, dict[str, int]]]:
    """Return, for each level and status, how many verdicts rest on what: Coq, w, 0, words, - and so on (``Verdict.kind``)."""
    accepted = load(ledger).accepted()
    counts: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(Counter))
    for verdict in (verdict for result in results for verdict in result.verdicts):
        counts[verdict.level][verdict.status][verdict.kind(accepted)] += 1
    return {level: dict(own) for level, own in counts.items()}


def theorems(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> dict[str, Any]:
    """Return the record of every theorem that the results name, by its name; one name stands for one theorem.

    ``kernel_checked`` says what Coq's kernel accepted of it (:meth:`crtools.proof.accepted.Accepted.mark`).
    """
    accepted = load(ledger).accepted()
    table = by_name(theorem for result in results for theorem in result.theorems)
    return {name: {**theorem, "kernel_checked": accepted.mark(theorem)} for name, theorem in table.items()}


def as_json(results: Sequence[ClaimResult], ledger: str | Ledger = DEFAULT) -> dict[str, Any]:
    """Return the ledger as the JSON document of ``crtools verify --json``."""
    own = load(ledger)
    return {
        "format": FORMAT,
        "ledger": own.name,
        "claims": [result.as_json(own.accepted()) for result in results],
        "theorems": theorems(results, own),
        "counts": tally(results),
        "resting": resting(results, own),
    }
