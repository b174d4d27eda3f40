"""``verify`` decides the claims of a ledger, ``self_test`` their variants; limits on time are in ``crtools.budget``.

``verify`` returns ``Results``, a list that prints as the ledger's table.
"""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from crtools.budget import SECONDS, TimeIsUp, can_stop, seconds_of, within
from crtools.errors import InputError, Livelock, NotCertified
from crtools.files import FOLDER, spelled_path
from crtools.ledger.cache import ResultCache, results_in
from crtools.ledger.claim import Claim, ClaimResult, Given, Variant
from crtools.ledger.display.words import MEANINGS, SIGNS, painted
from crtools.ledger.evidence import FALSE, SURE, WEAKEST_FIRST, Open, Status, by_name, json_fields
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.names import named_arguments, one_of
from crtools.notation.terminal import unmarked
from crtools.numeric_types import JsonObject
from crtools.parallel import in_processes
from crtools.setting import integer
from crtools.tables import WIDTH, Table, frame
from crtools.user_file import in_words, is_file

FORMAT = 3
"""The version of the JSON document of ``crtools verify --json`` (docs/json.md)."""

PROOF = {"sound": "sound", "gap": "gap", "false-step": "false", "not-examined": "-"}
"""The state of a published proof in a column of five letters."""

WORDS = (
    "words, at *: sentences that no machine judges; 0 none, every step is judged;",
    "w the witness alone decides; Coq accepted whole by its kernel (a record);",
    "+c with c steps that only crtools computed; - no certificate",
)
"""Explanation of the column of words."""


Progress = Callable[[Iterable[ClaimResult], int], Iterable[ClaimResult]]
"""Wraps an iterable of results, in the order in which they are decided; its second argument is their number."""

Outcome = ClaimResult | InputError


class Results(list[ClaimResult]):
    """Decided claims, a list of ``ClaimResult`` in the paper's order."""

    def __init__(self, results: list[ClaimResult], ledger: str | Ledger) -> None:
        super().__init__(results)
        self.ledger = ledger

    def __repr__(self) -> str:
        ledger = load(self.ledger)
        return "\n".join([head(ledger)[-1], *(claim_line(result, ledger) for result in self)])

    def _repr_html_(self) -> str:
        rows = self.rows()
        used = [name for name in (rows[0] if rows else ()) if any(row[name] for row in rows)]
        return Table({name: f"{SIGNS.get(row[name], '')} {row[name]}".lstrip() for name in used} for row in rows).html()

    def rows(self) -> list[dict[str, str]]:
        """Return a row for each claim: its id, its place, a status for each level, its proof, and what was found."""
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


def _ids(ledger: Ledger) -> int:
    return max(len("claim"), *(len(claim.id) for claim in ledger.claims))


def head(ledger: Ledger) -> list[str]:
    """Return the heading: what the signs and columns mean."""
    signs = "  ".join(f"{SIGNS[status]} {status}" for status in MEANINGS if status not in ("skipped", "undecided"))
    levels = ", ".join(f"{level.head} {level.id}" for level in ledger.levels)
    heads = "".join(f"{level.head} " for level in ledger.levels)
    columns = f"{'claim':<{_ids(ledger)}} {heads}words proof  what was found"
    return [signs, f"levels: {levels}; * where it is stated", *WORDS, "", columns]


def claim_line(result: ClaimResult, ledger: Ledger, *, colour: bool = False) -> str:
    """Return one claim on one line: its id, a sign per level, the published proof's state, and what was found."""
    ids, statuses = _ids(ledger), {verdict.level: verdict.status for verdict in result.verdicts}
    signs = ""
    for level in ledger.levels:
        status = statuses.get(level.id, "")
        sign = painted(SIGNS[status], status, colour) if status else " "
        signs += sign + ("*" if level.id == result.stated_at else " ")
    words = result.stated.mark(ledger.accepted()) if result.stated_at in statuses else ""
    space = WIDTH - ids - 2 * len(ledger.levels) - len(" words false  ")
    state = painted(f"{PROOF[result.proof.state]:<5}", result.proof.state, colour)
    why = textwrap.shorten(unmarked(result.why), space, placeholder=" …")
    return f"{result.id:<{ids}} {signs}{words:>5} {state}  {why}".rstrip()


@named_arguments()
def verify(
    ids: Iterable[str] | str | None = None,
    set: Mapping[str, str] | None = None,  # shadows the built-in on purpose: users write set=
    *,
    ledger: str | Ledger = DEFAULT,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
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
    tasks = _tasks([ids] if isinstance(ids, str) else ids, set or {}, load(ledger), seconds)
    to_decide = [task for task in tasks if not (quick and task.slow)]
    by_id = {result.id: result for result in decide_all(to_decide, jobs=jobs, cache=cache, progress=progress)}
    why = "skipped by --quick"
    skipped = Open(why, kind="skipped")
    results = [by_id.get(t.claim.id) or t.claim.undecided(t.given, "skipped", skipped, why) for t in tasks]
    return Results(results, ledger)


def _tasks(ids: Iterable[str] | None, set: Mapping[str, str], ledger: Ledger, seconds: float | None) -> list[Task]:
    chosen = ledger.select(ids)
    changed = {name: str(value) for name, value in set.items()}
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


# ---- deciding, in this process or in several; each result is written to the cache as soon as it is decided -----------


@dataclass(frozen=True)
class Task:
    """A claim of a ledger, the values that replace some of its values, and the seconds that deciding it may take."""

    ledger: Ledger
    claim: Claim
    changed: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float | None = None

    @property
    def slow(self) -> bool:
        """Whether the claim is one of the slow ones, which come last."""
        return self.claim.id in self.ledger.slow

    @property
    def rank(self) -> tuple[bool, bool, bool, bool, int]:
        """The sort key of the claim in the order in which claims are decided and printed."""
        return self.ledger.order_keys[self.claim.id]

    @property
    def given(self) -> dict[str, str]:
        """All values that the claim is decided with."""
        return {**self.claim.given, **self.changed}

    def cache(self, folder: Path | None) -> ResultCache | None:
        """Return the cache of the claim's results in a folder, if there is one."""
        return results_in(folder, self.ledger.owner, self.claim.module)


def decide_all(
    tasks: Sequence[Task], *, jobs: int = 1, cache: str | Path | None = None, progress: Progress | None = None
) -> list[ClaimResult]:
    """Return the tasks' results in the order of the tasks, decided by ``jobs`` processes (1 to 256).

    ``cache``: the folder in which results are stored. Raises the ``InputError`` of the first task that has one.
    """
    jobs = integer("jobs", jobs, 1, 256)
    folder = None if cache is None else spelled_path("cache", cache, FOLDER)
    outcomes: dict[int, Outcome] = {}

    def results() -> Iterator[ClaimResult]:
        for number, outcome in new:
            outcomes[number] = outcome
            _raise_first(tasks, outcomes)
            if isinstance(outcome, ClaimResult):
                yield outcome

    with closing(_outcomes(tasks, jobs, folder)) as new:
        for _ in results() if progress is None else progress(results(), len(tasks)):
            pass
    return [outcome for number in sorted(outcomes) if isinstance(outcome := outcomes[number], ClaimResult)]


def _outcomes(tasks: Sequence[Task], jobs: int, folder: Path | None) -> Generator[tuple[int, Outcome], None, None]:
    """Yield each task's outcome with its number, those in the cache first; worker processes end when it is closed."""
    numbers: list[int] = []
    for number, task in enumerate(tasks):
        cache = task.cache(folder)
        if cache and (result := cache.read(ClaimResult, task.claim.id, task.given)):
            yield number, replace(result, ledger=task.ledger.address)
        else:
            numbers.append(number)
    numbers.sort(key=lambda number: (not tasks[number].changed, *tasks[number].rank))  # a bad value shows early
    jobs = min(jobs, len(numbers))
    if jobs < 2:
        yield from ((number, _decide(tasks[number], folder)) for number in numbers)
        return
    if tasks[numbers[-1]].slow:  # the others are decided meanwhile
        numbers.insert(0, numbers.pop())
    numbered = ((number, tasks[number]) for number in numbers)
    work = [(n, task.ledger.address, task.claim.id, dict(task.changed), task.seconds, folder) for n, task in numbered]
    yield from in_processes(_decide_by_id, work, jobs, in_order=False)


def _decide(task: Task, folder: Path | None) -> Outcome:
    from crtools.ledger.certificates import with_trust

    cache = task.cache(folder)
    given = Given(task.given, results_in(folder, task.ledger.owner))  # claims share evidence
    try:
        with within(task.seconds):
            decision = task.ledger.checked(task.claim.decided(given))
            result = replace(with_trust(decision, task.ledger), ledger=task.ledger.address)
    except InputError as error:
        return error
    except AssertionError as error:
        raise AssertionError(f"{task.claim.id}: {error}") from error
    except TimeIsUp as error:
        return task.claim.undecided(task.given, "time", Open(f"time: {error}"), str(error))
    except Exception as error:
        if isinstance(error, NotCertified | Livelock) or not is_file(task.ledger.address):
            raise
        return InputError("claim", task.claim.id, f"raised {in_words(error, Path(task.ledger.address))}")
    if cache is not None and not given.out_of_time:
        cache.write(result, result.id, result.given)
    return result


def _decide_by_id(
    number: int, name: str, claim: str, changed: dict[str, str], seconds: float | None, folder: Path | None
) -> tuple[int, Outcome]:
    """Decide in another process. It looks the claim up by id, since its function cannot be pickled."""
    ledger = load(name)
    [selected] = ledger.select([claim])
    return number, _decide(Task(ledger, selected, changed, seconds), folder)


def _raise_first(tasks: Sequence[Task], outcomes: Mapping[int, Outcome]) -> None:
    """Raise the first task's error once no earlier task can have one; only changed values can cause one."""
    for number, task in enumerate(tasks):
        outcome = outcomes.get(number)
        if isinstance(outcome, InputError):
            raise outcome
        if outcome is None and task.changed:
            return


# ---- the self-test: every corrupted variant of every claim must be rejected, and every true one accepted -------------

Kind = Literal["corrupted", "true"]
ACCEPTED: tuple[Status, ...] = ("supported", *SURE)


@dataclass(frozen=True)
class Row:
    """One variant: the status ``got`` with its values, and the status ``before`` of the statement that it is compared with."""

    claim: str
    kind: Kind
    note: str
    given: dict[str, str]
    finding: str
    before: Status
    got: Status

    @property
    def expected(self) -> str:
        """The status that the variant must get, in words."""
        if self.kind == "corrupted":
            return "rejected"
        return f"at least {self.before}" if self.before in ACCEPTED else "accepted"

    @property
    def ok(self) -> bool:
        """Whether a wrong claim was rejected, and the statement that it is compared with is not; or a true one was accepted."""
        if self.kind == "corrupted":
            return self.got in FALSE and self.before not in FALSE
        if self.before in ACCEPTED:
            return WEAKEST_FIRST.index(self.got) >= WEAKEST_FIRST.index(self.before)
        return self.got in ACCEPTED

    def as_json(self) -> JsonObject:
        """Return the row as JSON data."""
        fields = json_fields(self, "claim", "kind", "given", "finding", "before", "expected", "got", "ok")
        return {**fields, "variant": self.note}


@dataclass(frozen=True)
class SelfTest:
    """The rows of all variants."""

    rows: tuple[Row, ...]

    def count(self, kind: Kind) -> tuple[int, int]:
        """Return (as expected, all) for one kind."""
        outcomes = [row.ok for row in self.rows if row.kind == kind]
        return sum(outcomes), len(outcomes)

    @property
    def missed(self) -> tuple[Row, ...]:
        """The wrong variants that are not rejected, and the true ones that are not accepted."""
        return tuple(row for row in self.rows if not row.ok)

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools verify --self-test --json``."""
        caught, wrong = self.count("corrupted")
        accepted, true = self.count("true")
        rows = [row.as_json() for row in self.rows]
        counts = {"caught": caught, "wrong": wrong, "accepted": accepted, "true": true}
        return {"self_test": {**counts, "rows": rows}}


def self_test(
    ids: Iterable[str] | None = None,
    *,
    ledger: str | Ledger = DEFAULT,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
    progress: Progress | None = None,
) -> SelfTest:
    """Run all variants of the claims; the arguments are those of ``verify``, and ``quick`` leaves slow claims out.

    A corrupted variant must turn a finding (or a verdict) that is not rejected into one that is. Where the paper's own statement is
    rejected already, the variant is compared with the claim's first true variant of the same finding: so a false claim needs a
    true variant.

    Raises ``InputError`` where the claims have no variant: nothing would be tested.
    """
    loaded = load(ledger)
    chosen = [claim for claim in loaded.select(ids) if not (quick and claim.id in loaded.slow)]
    if not any(claim.variants for claim in chosen):
        raise InputError("self-test", loaded.name, "none of the selected claims has a variant")
    all_given = [(claim, [{}, *(v.given for v in (*claim.wrong, *claim.true))]) for claim in chosen]
    tasks = [Task(loaded, claim, given) for claim, each in all_given for given in each]
    results = decide_all(tasks, jobs=jobs, cache=cache, progress=progress)
    return SelfTest(tuple(row for claim in chosen for row in rows_of(claim, [r for r in results if r.id == claim.id])))


def rows_of(claim: Claim, results: Sequence[ClaimResult]) -> list[Row]:
    """Return a claim's rows from its results: with its own values, then for each corrupted and each true variant."""
    stated, *varied = results
    true = varied[len(claim.wrong) :]
    rows: list[Row] = []
    for variant, result in zip((*claim.wrong, *claim.true), varied, strict=True):
        accepted = [] if variant.holds else [r for r in (stated, *true) if status(r, variant) in ACCEPTED]
        before, kind = status((accepted or [stated])[0], variant), "true" if variant.holds else "corrupted"
        got = status(result, variant)
        rows.append(Row(claim.id, kind, variant.note, dict(variant.given), variant.finding, before, got))
    return rows


def status(result: ClaimResult, variant: Variant) -> Status:
    """Return the status of what the variant changes: a finding or display, or the verdict at a level."""
    try:
        if variant.finding:
            return result.finding(variant.finding, variant.level or None).status
        return result.at(variant.level or result.stated_at).status
    except KeyError as error:
        raise InputError("variant", variant.note, f"must change what there is: {error.args[0]}") from None
