"""``verify``: decide the claims of a ledger. It returns ``Results``, a list that prints as the ledger's table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from crtools.budget import SECONDS, can_stop, seconds_of
from crtools.dataframes import frame
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.data import by_name
from crtools.ledger.decide_all import Progress, Task, decide_all, silent
from crtools.ledger.evidence import Open
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.names import named_arguments, one_of
from crtools.numeric_types import JsonObject

FORMAT = 3
"""The version of the JSON document of ``crtools verify --json`` (docs/json.md)."""


class Results(list[ClaimResult]):
    """Decided claims, a list of ``ClaimResult`` in the paper's order."""

    def __init__(self, results: list[ClaimResult], ledger: str | Ledger) -> None:
        super().__init__(results)
        self.ledger = ledger

    def __repr__(self) -> str:
        from crtools.ledger.display.claim_line import claim_line, head

        ledger = load(self.ledger)
        return "\n".join([head(ledger)[-1], *(claim_line(result, ledger) for result in self)])

    def _repr_html_(self) -> str:
        rows = self.rows()
        used = [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]
        heads = "".join(f"<th>{escape(name)}</th>" for name in used)
        body = "".join(f"<tr>{''.join(_cell(row[name]) for name in used)}</tr>" for row in rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    def rows(self) -> list[dict[str, str]]:
        """Return a row for each claim: its id, its place, a status for each level, its proof, and what was found."""
        from crtools.notation.terminal import unmarked

        levels = [level.id for level in load(self.ledger).levels]
        rows: list[dict[str, str]] = []
        for result in self:
            statuses = {verdict.level: verdict.status for verdict in result.verdicts}
            judged = {level: str(statuses.get(level, "")) for level in levels}
            words = result.stated.mark(result.accepted) if result.stated_at in statuses else ""
            outcome = {"words": words, "proof": str(result.proof.state), "found": unmarked(result.why)}
            rows.append({"claim": result.id, "place": unmarked(result.place), **judged, **outcome})
        return rows

    def table(self) -> Any:
        """Return :meth:`rows` as a pandas DataFrame or, where pandas is not installed, as a list that prints as a table."""
        return frame(self.rows())


def _cell(text: str) -> str:
    from crtools.ledger.display.status_marks import SIGNS

    sign = f"{SIGNS[text]} " if text in SIGNS else ""
    return f"<td style='text-align:left'>{sign}{escape(text)}</td>"


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
