"""``compare``: run policies at one memory or several on the same requests, and divide by H-SF, the volume bound and forms.

:func:`compare` runs each policy once for each seed and memory and returns a :class:`Comparison`, whose rows
(``crtools.process.measures``) hold what was measured. The requests come from ``crtools.process.workload``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from crtools.dataframes import frame
from crtools.distributions import Distribution, distribution
from crtools.errors import MISSING, InputError
from crtools.forms import Form
from crtools.grammar import EXAMPLE, is_law
from crtools.memory import refuse_too_many
from crtools.names import one_of
from crtools.numeric_types import JsonObject
from crtools.parallel import cores
from crtools.plotting.figure import Figure, columns, picture_file
from crtools.plotting.sheet import Sheet
from crtools.process.form_latency import form_in_file, form_latency
from crtools.process.measures import CLOCK, Row, measure
from crtools.process.policies import POLICY, Policy, known_policies, known_policy, usual_policies
from crtools.process.ranking import ranked_blind, sentence, worse_in_tails
from crtools.process.run import BYTES, Run, simulate
from crtools.process.sweep import Progress, run_sweep, seeds_of
from crtools.process.workload import Workload, names_rows
from crtools.process.workload import workload as make_workload
from crtools.setting import LARGEST_NUMBER, integer, read_integer

DEFAULT_N, DEFAULT_SEEDS = 1000, 5
"""Requests drawn from a distribution, and seeds, where none are given."""

LARGEST_RANGE = 1001
"""Capacities of one range A:B:STEP."""

KEPT_BYTES = 32
"""Bytes of memory for each request of a run that is kept."""

STEPS_NOTE = "The clock is in steps: each takes 1, and prefilling a prompt again after a restart takes no time."
PROMPTS_NOTE = (
    "The prompts differ, and H-SF orders by length: it is no benchmark here, it can be worse than smallest volume first by "
    "any factor. The volume bound holds for every schedule."
)


class Rows(tuple[Row, ...]):
    """The rows of a comparison. Calling it, as older scripts do for a single row, is deprecated."""

    def __call__(self) -> list[JsonObject]:
        """Return a mapping for each seed of the only row."""
        warnings.warn(".rows is no method now: use .rows[0].by_seed()", DeprecationWarning, stacklevel=2)
        return self[0].by_seed()


@dataclass(frozen=True, repr=False)
class Comparison:
    """Policies that ran on the same requests, at one memory or several: a table of rows.

    A comparison with a single row also has the attributes of that row: ``.to_h_sf``, ``.to_volume``, ``.to_form``, ``.runs``.

    Attributes
    ----------
    workload : Workload
        Where the requests come from.
    n : int
        The number of requests of each run.
    seeds : tuple of int
        One run was made for each.
    rows : tuple of Row
        One for each memory and policy; also called ``cells``.
    left_out : dict
        Why a policy that was not named did not run, by (policy, memory).

    Examples
    --------
    >>> comparison = compare(["h-sf", "a-max"], "two-point(l=1, u=4, weight=1/2)", n=20, memory="8,16", seeds=1)
    >>> [(row.policy, row.memory, round(row.to_h_sf.mean, 2)) for row in comparison.rows]
    [('h-sf', 8, 1.0), ('a-max', 8, 1.3), ('h-sf', 16, 1.0), ('a-max', 16, 1.37)]
    """

    workload: Workload
    n: int
    seeds: tuple[int, ...]
    rows: Rows
    left_out: dict[tuple[str, int], str]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "rows":
            raise AttributeError(name)
        if len(self.rows) != 1:
            raise AttributeError(f"a comparison of {len(self.rows)} rows has no {name}; look at .rows")
        return getattr(self.rows[0], name)

    def __repr__(self) -> str:
        memories = ", ".join(map(str, self.memories))
        if len(self.rows) == 1:
            prompts = f"s={self.s}, " if self.workload.distribution else ""
            size = f"n={self.n}, memory={memories}, {prompts}{len(self.seeds)} seeds"
            return f"compare({self.policy!r}, {self.name}, {size}): TEL / H-SF's = {self.to_h_sf} (supported)"
        policies = ", ".join(dict.fromkeys(row.policy for row in self.rows))
        size = f"n={self.n}, memory={memories}, {len(self.seeds)} seeds"
        return f"compare([{policies}], {self.name}, {size}): {self.sentence[:-1]} (supported)"

    @property
    def cells(self) -> Rows:
        """The rows."""
        return self.rows

    @property
    def policy(self) -> str:
        """The full name of the policy of a single row."""
        return self.runs[0].policy if self.runs else self.rows[0].policy

    @property
    def name(self) -> str:
        """The distribution, or the file and its columns."""
        return self.workload.name

    @property
    def law(self) -> Distribution | Workload:
        """The distribution, or the workload of a file."""
        return self.workload.distribution or self.workload

    @property
    def s(self) -> int:
        """The prompt size in tokens, 0 for a file with prompts."""
        return self.workload.s

    @cached_property
    def memories(self) -> tuple[int, ...]:
        """The capacities M in tokens, in increasing order."""
        return tuple(dict.fromkeys(row.memory for row in self.rows))

    @cached_property
    def best_blind(self) -> dict[int, str]:
        """The blind policy of smallest mean total latency over the volume bound, for each memory where several ran."""
        rankings = ranked_blind(self.rows).items()
        return {memory: ranking[0].policy for memory, ranking in rankings if len(ranking) > 1}

    @cached_property
    def worse_at(self) -> list[JsonObject]:
        """Where the best blind policy has a larger p99 or makespan than another one, and by which factor."""
        return [worse._asdict() for worse in worse_in_tails(ranked_blind(self.rows))]

    @property
    def sentence(self) -> str:
        """Which blind policy is best at which memory, by how much, whether the seeds can tell, and where it is worse."""
        return sentence(ranked_blind(self.rows))

    @property
    def notes(self) -> list[str]:
        """Notes on the clock, on what differs between seeds and, for unequal prompts, on H-SF."""
        variation = [self.workload.variation(self.n)] if len(self.seeds) > 1 else []
        return [STEPS_NOTE, *variation, *([PROMPTS_NOTE] if self.workload.has_different_prompts else [])]

    def table(self) -> Any:
        """Return a pandas DataFrame with a line for each row or, of a single row, for each seed."""
        return frame(self.rows[0].by_seed() if len(self.rows) == 1 else [row.flat() for row in self.rows])

    def document(self) -> JsonObject:
        """Return the JSON document of ``crtools compare``."""
        return {
            "source": self.name,
            "n": self.n,
            "seeds": list(self.seeds),
            "clock": CLOCK,
            "notes": self.notes,
            "rows": [row.as_json() for row in self.rows],
            "best_blind": {str(memory): policy for memory, policy in self.best_blind.items()},
            "sentence": self.sentence,
            "worse_at": self.worse_at,
            "left_out": [{"policy": p, "memory": m, "why": why} for (p, m), why in self.left_out.items()],
            "skipped": self.workload.skipped,
        }

    def as_json(self) -> JsonObject:
        """Return :meth:`document` and, of a single row, its three ratios with their standard errors."""
        return self.document() | (self.rows[0].statistics() if len(self.rows) == 1 else {})

    def plot(self, file: str | Path) -> tuple[Path, Path]:
        """Draw the ratios to the volume bound against M, as PNG, SVG or PDF by the file's ending.

        Returns the path of the picture and that of its data, NAME.data.csv. Raises ``InputError`` where the files cannot be
        written, or would replace the requests.
        """
        table = picture_file(file).with_suffix(".data.csv")
        if table.resolve() == Path(self.name.partition(":")[2].rpartition("#")[0]).resolve():
            raise InputError("plot", str(file), f"{table} would take the place of the requests: give another name")
        rows = [{name: "" if value is None else str(value) for name, value in row.flat().items()} for row in self.rows]
        return Figure("compare", columns(rows), self._draw).save_as(file)

    def _draw(self, sheet: Sheet) -> Any:
        page = sheet.canvas(7, 4.5)
        axes = page.add_subplot()
        for k, policy in enumerate(dict.fromkeys(row.policy for row in self.rows)):
            rows = [row for row in self.rows if row.policy == policy]
            means = [mean for row in rows if (mean := row.to_volume)]
            errors = [mean.mean - mean.interval[0] if mean.interval else 0 for mean in means]
            memories, heights = [row.memory for row in rows], [mean.mean for mean in means]
            line, marker = "-" if rows[0].blind else "--", "osD^vP*X<>"[k % 10]
            axes.errorbar(
                memories, heights, errors, label=policy, linestyle=line, marker=marker, markersize=4, capsize=2
            )
        axes.set_xlabel("memory M in tokens")
        axes.set_ylabel("total latency over the volume bound")
        axes.set_ylim(bottom=1)
        axes.set_title(f"{self.name}: n = {self.n}, {len(self.seeds)} seeds (dashed: not blind)", fontsize=9)
        page.legend(fontsize=8, loc="outside right upper")
        return page


Policies = str | Policy | Sequence[str | Policy] | None
Source = str | Distribution


def compare(
    *words: Policies | Source,
    policy: Policies = None,
    dist: Source | None = None,
    memory: int | str | Iterable[int] | None = None,
    n: int | None = None,
    s: int = 0,
    seeds: int | Iterable[int] | None = None,
    l: int | None = None,
    u: int | None = None,
    predictions: str | None = None,
    skip_invalid: bool = False,
    keep_runs: bool | None = None,
    jobs: int | None = 1,
    dask: str | None = None,
    progress: Progress = iter,
    **unknown: object,
) -> Comparison:
    """Simulate policies and H-SF on the same requests, one run for each seed and memory, and compare them.

    Parameters
    ----------
    *words
        The policies and the distribution, in either order; ``policy`` and ``dist`` name them.
    policy : str, Policy or list
        The first argument: a name, a :class:`Policy` or ``FILE.py[:NAME]``, or a list of them; by default all that fit.
    dist : str or Distribution
        The second argument: a distribution, or the rows of ``csv:FILE#OUTPUTS[,PROMPTS]`` or ``parquet:FILE#…``. The two may
        change places.
    memory : int, str or iterable of int
        The capacity M in tokens, several of them, or a text such as "1000:9000:2000".
    n : int
        Requests of a run, by default all rows of a file or 1000 of a distribution; rows are drawn without replacement.
    s : int
        The prompt size in tokens, where the file has no prompts.
    seeds : int or iterable of int
        Seeds, or how many of 0, 1, …; by default 1 for one policy at one memory with ``n``, else 5.
    l, u : int
        The prediction interval, by default the ends of the support or of the file's outputs; where the support is unbounded
        u is the largest length drawn.
    predictions : str
        What is known of each output: an interval "1-100" or several, two columns "low,high", or a factor "x2".
    skip_invalid : bool
        Leave out and count rows that cannot be used, which are refused otherwise.
    keep_runs : bool
        Keep each :class:`Run` in ``row.runs``, as is done by default for a single row.
    jobs : int or None
        Processes; None: as many as are worth it. Results do not depend on it, nor on ``dask``.
    dask : str
        The address of a Dask scheduler, whose workers then run the seeds.
    progress : callable
        Wraps the sequence of (memory, seed).
    **unknown
        Refused, with the arguments that there are.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For values that are not allowed, for more than fits in memory and for a cluster that cannot be used.

    Notes
    -----
    For one policy that is not in a list, one memory and a given ``n``, a file of one column stands for its distribution.

    Examples
    --------
    >>> compare("h-sf", "uniform(l=1, u=10)", n=9, memory=60).to_h_sf.mean
    1.0
    """
    for name in unknown:
        one_of("argument", name, compare.__kwdefaults__ or ())
    policy, dist = _policies_and_source(words, policy, dist)
    if memory is None:
        raise InputError("memory", MISSING, "give the capacity in tokens, for example memory=100")
    single = False
    if isinstance(policy, str | Policy):
        single = isinstance(memory, int) and n is not None and predictions is None and not skip_invalid
        policy = [policy]
    if policy is not None and (not isinstance(policy, Sequence) or not policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("policy", policy, "must be a policy, a list of some, or None for all that fit")
    if single and not names_rows(dist):
        dist = distribution(dist)
    policies = [_by_name(known_policy(one)) for one in policy or usual_policies()]
    names = [one if isinstance(one, str) else one.name for one in policies]
    for name in names:
        if names.count(name) > 1:
            raise InputError("policy", name, "stands twice")
    forms = [form_in_file(one) for one in policy or usual_policies()]
    memories, s = memories_of(memory), integer("s", s, 0)
    workload = make_workload(
        dist, s=s, l=l, u=u, predictions=predictions, skip_invalid=skip_invalid, memory=memories[0]
    )
    n = integer("n", (workload.count or DEFAULT_N) if n is None else n, 1, workload.count or LARGEST_NUMBER)
    chosen = tuple(seeds_of(seeds if seeds is not None else 1 if single else DEFAULT_SEEDS))
    jobs = None if jobs is None else integer("jobs", jobs, 1, 256)
    keep_runs = len(memories) * len(names) == 1 if keep_runs is None else keep_runs
    tasks = [(m, seed) for m in memories for seed in chosen]
    processes = 0 if dask is not None else min(jobs or cores(), len(tasks))
    kept = (len(names) + 1) * len(tasks) if keep_runs else 0
    refuse_too_many("n", n, lambda n: n * (BYTES[0] * processes + KEPT_BYTES * kept))
    arguments = (policies, forms, workload, n, policy is not None, keep_runs)
    results = run_sweep(run_policies, arguments, tasks, jobs, dask, progress)
    return Comparison(workload, n, chosen, *_rows_and_refusals(names, tasks, results))


def _rows_and_refusals(
    names: Sequence[str], tasks: Sequence[tuple[int, int]], results: Sequence[Sequence[Row | str]]
) -> tuple[Rows, dict[tuple[str, int], str]]:
    """Join the seeds of each policy and memory to one row, or to the first reason why the policy cannot run."""
    by_row: dict[tuple[str, int], list[Row | str]] = {}
    for (memory, _), of_task in zip(tasks, results, strict=True):
        for name, result in zip(names, of_task, strict=True):
            by_row.setdefault((name, memory), []).append(result)
    left_out: dict[tuple[str, int], str] = {}
    ran: dict[tuple[str, int], list[Row]] = {}
    for key, of_seeds in by_row.items():
        reasons = [result for result in of_seeds if isinstance(result, str)]
        if reasons:
            left_out[key] = reasons[0]
        else:
            ran[key] = [result for result in of_seeds if isinstance(result, Row)]
    hindsight = {name for (name, _), rows in ran.items() if not all(row.blind for row in rows)}
    return Rows(Row.of_seeds(rows, name not in hindsight) for (name, _), rows in ran.items()), left_out


def _policies_and_source(
    words: Sequence[Policies | Source], policy: Policies, source: Source | None
) -> tuple[Policies, Source]:
    """Split the positional and keyword arguments into (policies, source of requests); either order is accepted."""
    if len(words) > 2:
        raise InputError("law", words[2], "is one too many: give a policy, or a list of them, and a law")
    others: list[Any] = list(words)
    if source is None and others:
        if is_law(others[0], POLICY) and not (len(others) == 2 and is_law(others[1], POLICY)):
            source = others.pop(0)
        elif len(others) == 2 or policy is not None:
            source = others.pop()
    if others and policy is not None:
        raise InputError("policy", policy, f"is given twice: {others[0]} stands before it")
    if source is None:
        after = f" after {others[0]}" if others and isinstance(others[0], str) else ""
        raise InputError("law", MISSING, f"give a law or a file of requests{after}, {EXAMPLE}")
    return others[0] if others else policy, source


def _by_name(policy: str | Policy) -> str | Policy:
    """Return the name of a policy of this package; another process would not recognise a copy of it."""
    if isinstance(policy, Policy) and known_policies().get(policy.name) == policy:
        return policy.name
    return policy


def run_policies(
    policies: Sequence[str | Policy],
    forms: Sequence[Form | None],
    workload: Workload,
    n: int,
    all_must_fit: bool,
    keep_runs: bool,
    task: tuple[int, int],
) -> list[Row | str]:
    """Return, for one memory and seed, the row of each policy, or why it cannot run where that is allowed."""
    memory, seed = task
    requests = workload.draw(n, seed)

    def run(policy: str | Policy) -> Run:
        return simulate(policy, requests.lengths, memory, requests.s, requests.l, requests.u, seed=seed)

    results: list[Row | str] = []
    benchmark: Run | None = None
    for policy, form in zip(policies, forms, strict=True):
        try:
            policy_run = benchmark if benchmark and policy == "h-sf" else run(policy)
        except InputError as error:
            if all_must_fit or policy == "h-sf":
                raise
            results.append(str(error))
            continue
        benchmark = benchmark or (policy_run if policy == "h-sf" else run("h-sf"))
        measures = measure(policy_run, benchmark, form_latency(policy, form, policy_run, requests))
        name = policy if isinstance(policy, str) else policy.name
        kept = (policy_run, benchmark) if keep_runs else ()
        results.append(Row(name, memory, not policy_run.hindsight, (measures,), kept[:1], kept[1:]))
    return results


def memories_of(memory: int | str | Iterable[int]) -> list[int]:
    """Return capacities M in tokens, in increasing order: one, several, or a text ``M``, ``A:B[:STEP]`` or ``M,M…``."""
    if isinstance(memory, str):
        return sorted({m for part in memory.split(",") for m in _memory_range(part)})
    given = list(memory) if isinstance(memory, Iterable) else [memory]
    if not given:
        raise InputError("memory", MISSING, "give at least one capacity in tokens")
    return sorted({integer("memory", m, 1) for m in given})


def _memory_range(text: str) -> Sequence[int]:
    allowed = "must be M, a range A:B[:STEP] with A ≤ B, or several with commas between, in tokens"
    try:
        numbers = [read_integer(part) for part in text.split(":")]
    except ValueError:
        raise InputError("memory", text, allowed) from None
    first, last = numbers[0], numbers[-1] if len(numbers) < 3 else numbers[1]
    step = numbers[2] if len(numbers) > 2 else max((last - first) // 8, 1)
    if len(numbers) > 3 or step < 1 or not 1 <= first <= last or (last - first) // step >= LARGEST_RANGE:
        raise InputError("memory", text, f"{allowed}, and at most {LARGEST_RANGE} of them")
    return range(first, last + 1, step)
