"""Decide many claims, in this process or in several. Each result is written to the cache as soon as it is decided."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from crtools.budget import TimeIsUp, within
from crtools.errors import InputError, Livelock, NotCertified
from crtools.files import FOLDER, output_path
from crtools.ledger.cache import ResultCache, results_in
from crtools.ledger.claim import Claim
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.evidence import Open
from crtools.ledger.ledger import Ledger
from crtools.ledger.parameters import Given
from crtools.parallel import in_processes
from crtools.setting import integer
from crtools.user_file import in_words, is_file

Progress = Callable[[Iterable[ClaimResult], int], Iterable[ClaimResult]]
"""Wraps an iterable of results, in the order in which they are decided; its second argument is their number."""

Outcome = ClaimResult | InputError


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
        return results_in(folder, self.ledger.owner, self.claim.modules())


def silent(results: Iterable[ClaimResult], total: int) -> Iterable[ClaimResult]:
    """Pass results on: no progress bar."""
    del total
    return results


def decide_all(
    tasks: Sequence[Task], *, jobs: int = 1, cache: str | Path | None = None, progress: Progress = silent
) -> list[ClaimResult]:
    """Return the tasks' results in the order of the tasks, decided by ``jobs`` processes (1 to 256).

    ``cache``: the folder in which results are stored. Raises the ``InputError`` of the first task that has one.
    """
    jobs = integer("jobs", jobs, 1, 256)
    folder = None if cache is None else output_path("cache", cache, FOLDER)
    outcomes: dict[int, Outcome] = {**_from_cache(tasks, folder)}
    numbers = _order([number for number in range(len(tasks)) if number not in outcomes], tasks, jobs)
    with _new_outcomes(tasks, numbers, min(jobs, len(numbers)), folder) as new:
        for _ in progress(_results(tasks, new, outcomes), len(tasks)):
            pass
    return [outcome for number in sorted(outcomes) if isinstance(outcome := outcomes[number], ClaimResult)]


def _from_cache(tasks: Sequence[Task], folder: Path | None) -> dict[int, ClaimResult]:
    """Return the results that are in the cache, by the number of the task."""
    results: dict[int, ClaimResult] = {}
    for number, task in enumerate(tasks):
        cache = task.cache(folder)
        if cache and (result := cache.read(ClaimResult, task.claim.id, task.given)):
            results[number] = replace(result, ledger=task.ledger.address)
    return results


def _order(numbers: list[int], tasks: Sequence[Task], jobs: int) -> list[int]:
    """Return the numbers of tasks in the order in which they are begun."""
    numbers.sort(key=lambda number: (not tasks[number].changed, *tasks[number].rank))  # a bad value shows early
    if jobs > 1 and numbers and tasks[numbers[-1]].slow:  # meanwhile the others are decided
        numbers.insert(0, numbers.pop())
    return numbers


@contextmanager
def _new_outcomes(
    tasks: Sequence[Task], numbers: Sequence[int], jobs: int, folder: Path | None
) -> Generator[Iterator[tuple[int, Outcome]], None, None]:
    """Yield the outcomes as they come; worker processes end with the context."""
    numbered = [(number, tasks[number]) for number in numbers]
    if jobs < 2:
        yield ((number, _decide(task, folder)) for number, task in numbered)
        return
    work = [(n, task.ledger.address, task.claim.id, dict(task.changed), task.seconds, folder) for n, task in numbered]
    with closing(in_processes(_decide_by_id, work, jobs, in_order=False)) as results:
        yield results


def _results(
    tasks: Sequence[Task], new: Iterable[tuple[int, Outcome]], outcomes: dict[int, Outcome]
) -> Iterator[ClaimResult]:
    """Yield the results, first those from the cache, and add the others to ``outcomes``."""
    yield from (outcome for outcome in list(outcomes.values()) if isinstance(outcome, ClaimResult))
    for number, outcome in new:
        outcomes[number] = outcome
        _raise_first(tasks, outcomes)
        if isinstance(outcome, ClaimResult):
            yield outcome


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
    from crtools.ledger.registry import load

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
