"""``compare``: run policies at one memory or several on the same requests, and divide by lower bounds, benchmarks and forms.

:func:`compare` runs each policy once for each clock, seed, memory and load and returns a :class:`Comparison`, whose rows
(``crtools.process.measures``) hold what was measured. The requests come from ``crtools.process.workload``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import groupby, product, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast, overload

import numpy as np
import numpy.typing as npt

from crtools.budget import refuse_too_many
from crtools.data_files import FROM_DATA
from crtools.distributions import Distribution, distribution
from crtools.distributions.base import LawLike
from crtools.errors import MISSING, InputError
from crtools.forms import Form
from crtools.grammar import EXAMPLE, is_law
from crtools.names import count_text, named_arguments
from crtools.numeric_types import IntArray, JsonObject, PerRequest
from crtools.parallel import cores
from crtools.plotting.figure import Figure, columns, picture_file
from crtools.plotting.sheet import Sheet
from crtools.process.clocks import SECONDS, STEPS, Clock, as_clock
from crtools.process.hindsight import fields_read
from crtools.process.instance import Preemption, preemption_called
from crtools.process.measures import Row, form_in_file, form_latency, measure, ranked_blind, sentence, worse_in_tails
from crtools.process.policies import POLICY, Policy, known_policy, policy_called, usual_policies
from crtools.process.run import BYTES, simulate
from crtools.process.sweep import Progress, run_sweep, seeds_of
from crtools.process.workload import Workload, at_load, names_rows
from crtools.process.workload import workload as make_workload
from crtools.setting import LARGEST_NUMBER, integer, read_integer
from crtools.tables import Table, WithRows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DEFAULT_N, DEFAULT_SEEDS = 1000, 5
"""Requests drawn from a distribution, and seeds, where none are given."""

LARGEST_RANGE = 1001
"""Capacities of one range A:B:STEP."""

KEPT_BYTES = 32
"""Bytes of memory for each request of a run that is kept."""

PREEMPTION_NOTES = {
    "restart": "Preemption is restart: a cancelled request loses its tokens, and its prompt is prefilled again.",
    "resume": "Preemption is resume: a cancelled request keeps its tokens, and is prefilled again with them and its prompt.",
}
PROMPTS_NOTE = (
    "The prompts differ, and H-SF orders by length: it is no benchmark here, it can be worse than smallest volume first by "
    "any factor. Lower bounds hold for every schedule."
)


class Rows(tuple[Row, ...]):
    """The rows of a comparison. Calling it, as older scripts do for a single row, is deprecated."""

    def __call__(self) -> list[JsonObject]:
        """Return a mapping for each seed of the only row."""
        warnings.warn(".rows is no method now: use .rows[0].by_seed()", DeprecationWarning, stacklevel=2)
        return self[0].by_seed()


@dataclass(frozen=True, repr=False)
class Comparison(WithRows):
    """Policies that ran on the same requests, at one memory or load or several: a table of rows.

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
        One for each clock, memory, load and policy; also called ``cells``.
    left_out : dict
        Why a policy that was not named did not run, by (policy, memory); perhaps in one of two clocks only.
    clocks : tuple of Clock
        The clocks, steps before seconds.
    preemption : str
        ``"restart"`` or ``"resume"``.
    bootstrap : bool
        Whether each seed drew rows of a file with replacement.
    history_skipped : int
        The number of rows of the history that were left out.

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
    clocks: tuple[Clock, ...] = (STEPS,)
    preemption: Preemption = "restart"
    bootstrap: bool = False
    history_skipped: int = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "rows":
            raise AttributeError(name)
        if len(self.rows) != 1:
            raise AttributeError(f"a comparison of {len(self.rows)} rows has no {name}; look at .rows")
        return getattr(self.rows[0], name)

    def __repr__(self) -> str:
        loads = f", loads {', '.join(map(str, self.loads))}" if self.loads else ""
        memories = ", ".join(map(str, self.memories)) + loads
        one = len(self.rows) == 1
        prompts = f"s={self.s}, " if one and self.workload.distribution else ""
        names = ", ".join(dict.fromkeys(row.policy for row in self.rows))
        says = f"total latency {self.to_h_sf} times H-SF's" if one else self.sentence[:-1]
        size = f"n={self.n}, memory={memories}, {prompts}{count_text(len(self.seeds), 'seed')}"
        return f"{says} (supported): compare({repr(self.policy) if one else f'[{names}]'}, {self.name}, {size})"

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
    def loads(self) -> tuple[float, ...]:
        """The offered loads where several are compared, else none."""
        return tuple(dict.fromkeys(row.load for row in self.rows if row.load is not None))

    @property
    def axis(self) -> str:
        """What a table and a plot show the policies against: "load", or "M" where there are more memories than loads."""
        return "load" if self.loads and len(self.loads) >= len(self.memories) else "M"

    @property
    def is_basic(self) -> bool:
        """Whether this is the paper's model: unit steps, restarts, equal prompts, and all requests at time 0."""
        varied = self.workload.has_different_prompts or self.workload.has_arrivals
        return self.clocks == (STEPS,) and self.preemption == "restart" and not varied

    @cached_property
    def by_clock(self) -> dict[str, list[Row]]:
        """The rows of each clock."""
        return {clock.name: [row for row in self.rows if row.clock == clock.name] for clock in self.clocks}

    @cached_property
    def parts(self) -> dict[tuple[str, str], list[Row]]:
        """The rows by clock and, of several memories and several loads, by value of the shorter list, "M = 60", else ""."""
        several, other = len(self.memories) > 1 < len(self.loads), "M" if self.axis == "load" else "load"
        parts: dict[tuple[str, str], list[Row]] = {}
        for row in self.rows:
            parts.setdefault((row.clock, f"{other} = {row.at(other)}" if several else ""), []).append(row)
        return parts

    @cached_property
    def _rankings(self) -> dict[tuple[str, str], list[list[Row]]]:
        return {key: ranked_blind(rows, self.axis) for key, rows in self.parts.items()}

    @cached_property
    def best(self) -> dict[str, dict[Position, str]]:
        """For each clock the blind policy of smallest mean flow time at each memory, load, or (memory, load), where several ran."""
        best: dict[str, dict[Position, str]] = {clock.name: {} for clock in self.clocks}
        for (clock, part), rankings in self._rankings.items():
            firsts = (ranking[0] for ranking in rankings if len(ranking) > 1)
            best[clock] |= {(row.memory, row.at("load")) if part else row.at(self.axis): row.policy for row in firsts}
        return best

    @property
    def best_blind(self) -> dict[Position, str]:
        """The best blind policies in the first clock."""
        return self.best[self.clocks[0].name]

    @cached_property
    def worse_at(self) -> list[JsonObject]:
        """Where the best blind policy has a larger p99 or makespan than another one, and by which factor."""
        tails = (worse for rankings in self._rankings.values() for worse in worse_in_tails(rankings))
        return [
            {"memory": best.memory, "policy": best.policy, "measure": measure, "than": than, "factor": factor}
            | {"clock": best.clock, **({} if best.load is None else {"load": best.load})}
            for best, measure, than, factor in tails
        ]

    @property
    def sentences(self) -> dict[str, str]:
        """For each clock: which blind policy is best at which memory, by how much, and where it is worse."""
        over, sentences = "to_volume" if self.is_basic else "to_bound", dict[str, list[str]]()
        for (clock, part), rankings in self._rankings.items():
            words = ("" if self.is_basic else f"by mean flow time in {clock}", part and f"at {part}", "of")
            sentences.setdefault(clock, []).append(sentence(rankings, self.axis, ", ".join(filter(None, words)), over))
        return {clock: " ".join(of_clock) for clock, of_clock in sentences.items()}

    @property
    def sentence(self) -> str:
        """The sentences of all clocks: which blind policy is best, whether the seeds can tell, and where it is worse."""
        return " ".join(self.sentences.values())

    @property
    def notes(self) -> list[str]:
        """Notes on the clocks, on preemption, on what differs between seeds, on unequal prompts and on the offered load."""
        seeds = [self.workload.variation(self.n, self.bootstrap)] if len(self.seeds) > 1 else []
        preemption = [] if self.is_basic else [PREEMPTION_NOTES[self.preemption]]
        prompts = [PROMPTS_NOTE] if self.workload.has_different_prompts else []
        clocks = [clock_note(clock, self.preemption) for clock in self.clocks]
        return [*clocks, *preemption, *seeds, *prompts, *self._load_notes()]

    def _load_notes(self) -> Iterator[str]:
        """Say for each clock which load is offered, and above which rate of arrivals no policy is stable."""
        for clock, rows in self.by_clock.items():
            loads: dict[str, dict[str, None]] = {}
            for row in rows:
                if (load := row.mean("offered_load")) and (rate := row.mean("largest_rate")):
                    threshold = f"stability threshold {rate.mean:.3g} requests per {clock.removesuffix('s')}"
                    loads.setdefault(f"at M = {row.memory} ({threshold})", {})[f"{load.mean:.3g}"] = None
            if loads:
                offered = "; ".join(f"{', '.join(each)} {where}" for where, each in loads.items())
                yield f"Offered load in {clock}: {offered}; above a load of 1 no policy is stable."

    def _rows(self) -> list[JsonObject]:
        """Return a line for each row or, of a single row, for each seed."""
        return self.rows[0].by_seed() if len(self.rows) == 1 else [row.flat() for row in self.rows]

    def __str__(self) -> str:
        """Return the main columns as a table, and the sentences."""
        return "\n".join([repr(Table(self._main_columns())), *self.sentences.values()])

    def _repr_html_(self) -> str:
        table = Table(self._main_columns()).html()
        return "".join([table, *(f"<p>{escape(sentence)}</p>" for sentence in self.sentences.values())])

    def _main_columns(self) -> Iterator[JsonObject]:
        """Iterate over the rows with policy, memory, clock, flow times, makespan and the ratio to a lower bound."""
        ratio = "to_volume" if self.is_basic else "to_bound"
        names = ("policy", "memory", "load", "clock", "mean_latency", "p99", "makespan", ratio)
        for flat in (row.flat() for row in self.rows):
            yield {name: flat[name] for name in names if name in flat}

    def document(self) -> JsonObject:
        """Return the JSON document of ``crtools compare``."""
        best = {clock: {str(key).strip("()"): best[key] for key in best} for clock, best in self.best.items()}
        return {
            "source": self.name,
            "n": self.n,
            "seeds": list(self.seeds),
            "clock": self.clocks[0].name if len(self.clocks) == 1 else "both",
            "coefficients": {c.name: [c.base, c.per_token, c.per_held] for c in self.clocks},
            "preemption": self.preemption,
            "notes": self.notes,
            "rows": [row.as_json() for row in self.rows],
            "best_blind": best[self.clocks[0].name],
            "best": best,
            "sentence": self.sentence,
            "sentences": self.sentences,
            "worse_at": self.worse_at,
            "left_out": [{"policy": p, "memory": m, "why": why} for (p, m), why in self.left_out.items()],
            "skipped": self.workload.skipped,
            "history_skipped": self.history_skipped,
        }

    def as_json(self) -> JsonObject:
        """Return :meth:`document` and, of a single row, its three ratios with their standard errors."""
        return self.document() | (self.rows[0].statistics() if len(self.rows) == 1 else {})

    @overload
    def plot(self) -> Figure: ...
    @overload
    def plot(self, file: str | Path) -> tuple[Path, Path]: ...

    def plot(self, file: str | Path | None = None) -> Figure | tuple[Path, Path]:
        """Return a figure of the mean flow time by policy or, of several, against memory or load; a panel for each clock.

        In the paper's model it is the ratio to the volume bound. Of several memories and several loads, the longer list is the axis
        and the other one has a row of panels for each value. ``file``: write it as PNG, SVG or PDF by the file's ending, and return
        the path of the picture and that of its data, NAME.data.csv.

        Raises ``InputError`` where the files cannot be written, or would replace the requests.
        """
        rows = [{name: "" if value is None else str(value) for name, value in row.flat().items()} for row in self.rows]
        drawn = Figure("compare", columns(rows), self._draw)
        if file is None:
            return drawn
        table = picture_file(file).with_suffix(".data.csv")
        if table.resolve() == Path(self.name.partition(":")[2].rpartition("#")[0]).resolve():
            raise InputError("plot", str(file), f"must have another name: {table} holds the requests")
        return drawn.save_as(file)

    def _draw(self, sheet: Sheet) -> Any:
        one = len({row.at(self.axis) for row in self.rows}) == 1
        names, handles = list(dict.fromkeys(row.policy for row in self.rows)), dict[str, Any]()
        across, down = len(self.clocks), len(self.parts) // len(self.clocks)
        page = sheet.canvas(7 if across == 1 else 11, 1.3 + 0.35 * len(names) if one else max(4.5, 3 * down))
        measure, low = ("to_volume", 1) if self.is_basic else ("mean_latency", 0)
        for panel, ((clock, part), of_part) in enumerate(self.parts.items()):
            axes = page.add_subplot(down, across, panel % down * across + panel // down + 1, title=part)
            label = "total latency over the volume bound" if self.is_basic else f"mean flow time in {clock}"
            if one:
                _draw_dots(axes, of_part, measure)
                axes.set(xlabel=label, xlim=(low, None))
                continue
            for k, policy in enumerate(names):
                if not (rows := [row for row in of_part if row.policy == policy]):
                    continue
                means = [mean for row in rows if (mean := row.mean(measure))]
                errors = [mean.mean - mean.interval[0] if mean.interval else 0 for mean in means]
                positions, heights = [row.at(self.axis) for row in rows], [mean.mean for mean in means]
                style: Any = {"linestyle": "-" if rows[0].blind else "--", "marker": "osD^vP*X<>"[k % 10]}
                style |= {"color": f"C{k % 10}", "markersize": 4, "capsize": 2}
                handles[policy] = axes.errorbar(positions, heights, errors, **style)
            position = "memory M in tokens" if self.axis == "M" else "offered load"
            axes.set(xlabel=position, ylabel=label, ylim=(low, None))
        name = self.name if self.workload.distribution else self.name.rpartition("/")[2]
        memory = f", M = {self.memories[0]}" if len(self.memories) == 1 else ""
        seeds = count_text(len(self.seeds), "seed")
        mark = "" if all(row.blind for row in self.rows) else f" ({'hollow' if one else 'dashed'}: not blind)"
        page.suptitle(f"{name}: n = {self.n}{memory}, {seeds}{mark}", fontsize=9)
        if not one:
            page.legend(handles.values(), handles, fontsize=8, loc="outside right upper")
        return page


def _draw_dots(axes: Axes, rows: Sequence[Row], measure: str) -> None:
    """Draw the mean of each policy as a dot on a line of its own, the smallest at the top."""
    means = sorted(((mean, row) for row in rows if (mean := row.mean(measure))), key=lambda pair: -pair[0].mean)
    for k, (mean, row) in enumerate(means):
        error = mean.mean - mean.interval[0] if mean.interval else 0
        axes.errorbar(mean.mean, k, xerr=error, fmt="o", color="C0", mfc="C0" if row.blind else "white", capsize=2)
    axes.set_yticks(range(len(means)), [row.policy for _, row in means])
    axes.grid(axis="x", alpha=0.25)


Policies = str | Policy | Sequence[str | Policy] | None
Source: TypeAlias = "LawLike | Workload"
History = tuple[npt.ArrayLike, npt.ArrayLike] | str
Position = float | tuple[int, float]


@named_arguments()
def compare(
    first: Policies | Source = None,
    second: Policies | Source = None,
    /,
    *,
    policy: Policies = None,
    dist: Source | None = None,
    memory: int | str | Iterable[int] | None = None,
    n: int | None = None,
    s: PerRequest | str | Distribution = 0,
    seeds: int | Iterable[int] | None = None,
    l: int | None = None,
    u: int | None = None,
    predictions: str | None = None,
    skip_invalid: bool = False,
    keep_runs: bool | None = None,
    jobs: int | None = 1,
    dask: str | None = None,
    progress: Progress = iter,
    clock: str | Sequence[float] | Clock | None = None,
    preemption: Preemption | None = None,
    history: History | None = None,
    load: float | str | Iterable[float] | None = None,
    time_unit: str = "s",
    predicted: str | Sequence[int] | IntArray | None = None,
) -> Comparison:
    """Simulate policies and H-SF on the same requests, one run for each seed, memory and load, and compare them.

    Parameters
    ----------
    first, second
        The policies and the requests, in either order; ``policy`` and ``dist`` name them.
    policy : str, Policy or list
        A name, a :class:`Policy` or ``FILE.py[:NAME]``, or a list of them; by default all that fit.
    dist : str, Distribution, array, list, mapping or Workload
        A distribution; the rows of ``csv:FILE#OUTPUTS[,PROMPTS[,TIMES]]`` (``jsonl:`` and ``parquet:`` likewise); an array of output
        lengths, with that of the prompts as ``s``; or a :func:`~crtools.process.workload.workload`.
    memory : int, str or iterable of int
        The capacity M in tokens, several of them, or a text such as "1000:9000:2000".
    n : int
        Requests of a run, by default all rows of a file or 1000 of a distribution; rows are drawn without replacement for one seed and
        with replacement for several; with release times, rows that follow one another.
    s : int, array, str or Distribution
        The prompt sizes in tokens, where a file has none: one for all, one for each row, or their distribution.
    seeds : int or iterable of int
        Seeds, or how many of 0, 1, …; by default 1 for one policy at one memory with ``n`` and no ``predictions`` or
        ``skip_invalid``, else 5.
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
        Wraps the sequence of (memory, load, seed).
    clock : {"steps", "seconds", "both"} or three numbers
        As for :func:`simulate`, or both. By default both where prompts differ, else steps; seconds where release times are in
        seconds and no load scales them.
    preemption : {"restart", "resume"}
        As for :func:`simulate`; by default resume for rows whose prompts differ, else restart.
    history : tuple of two arrays, or str
        Prompts and outputs of past requests, or ``FILE#OUTPUTS,PROMPTS``, which the policy expected-work then knows.
    load : float, iterable of float or str
        The offered load to which release times are scaled in each clock; requests of a distribution arrive as a Poisson
        process. The policy expected-work knows it. Several, or a text such as "0.5,0.8": rows for each memory at each load.
    time_unit, predicted : str
        The unit of TIMES, "s", "ms", "us" or "ns", and a column of predicted lengths, which may be wrong.

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
    policy, dist = _policies_and_source([word for word in (first, second) if word is not None], policy, dist)
    if memory is None:
        raise InputError("memory", MISSING, "give the capacity in tokens, for example memory=100")
    single = False
    if isinstance(policy, str | Policy):
        single = isinstance(memory, int) and n is not None and predictions is None and not skip_invalid
        policy = [policy]
    if policy is not None and (not isinstance(policy, Sequence) or not policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("policy", policy, "must be a policy, a list of some, or None for all that fit")
    if single and not (isinstance(dist, Workload) or names_rows(dist)):
        dist = distribution(dist)
    memories, loads = memories_of(memory), loads_of(load)
    workload = make_workload(
        cast("Any", dist), s=s, l=l, u=u, predicted=predicted, predictions=predictions, load=loads[0],
        time_unit=time_unit, skip_invalid=skip_invalid, memory=memories[0],
    )  # fmt: skip
    loads = loads if load is not None else (workload.load,)
    if load is not None and workload.count is not None and not workload.has_times:
        raise InputError("load", load, "needs release times that differ: a third column, FILE#OUTPUTS,PROMPTS,TIMES")
    clocks = clocks_of(clock, workload)
    rows_with_prompts = workload.count is not None and workload.has_different_prompts
    kind = preemption_called(("resume" if rows_with_prompts else "restart") if preemption is None else preemption)
    past_requests, history_skipped = (None, 0) if history is None else _history(history, skip_invalid)
    predicts = predicted is not None
    lineups = {each: _lineup(policy, clocks, replace(workload, load=each), past_requests, predicts) for each in loads}
    lineup = lineups[loads[0]]
    n = integer("n", (workload.count or DEFAULT_N) if n is None else n, 1, workload.count or LARGEST_NUMBER)
    numbers = tuple(seeds_of(seeds if seeds is not None else 1 if single else DEFAULT_SEEDS))
    bootstrap = len(numbers) > 1 and workload.count is not None and (n == workload.count or not workload.has_times)
    jobs = None if jobs is None else integer("jobs", jobs, 1, 256)
    keep_runs = len(memories) * len(loads) * len(lineup) == 1 if keep_runs is None else keep_runs
    positions = [(m, each) for m in memories for each in loads]
    tasks = [(*position, seed) for position in positions for seed in numbers]
    processes = 0 if dask is not None else min(jobs or cores(), len(tasks))
    kept = (len(lineup) + 1) * len(tasks) if keep_runs else 0
    refuse_too_many("n", n, lambda n: n * (BYTES[0] * processes + KEPT_BYTES * kept))
    arguments = (lineups, workload, n, bootstrap, kind, policy is not None, keep_runs)
    results = run_sweep(run_policies, arguments, tasks, jobs, dask, progress)
    rows, left_out = _rows_and_refusals(lineup, positions, results)
    return Comparison(workload, n, numbers, rows, left_out, clocks, kind, bootstrap, history_skipped)


class Entry(NamedTuple):
    """A policy that runs in a clock, and the form in its file."""

    clock: Clock
    name: str
    policy: str | Policy
    form: Form | None


def _lineup(
    policies: Sequence[str | Policy] | None, clocks: Sequence[Clock], workload: Workload, history: Any, predicts: bool
) -> list[Entry]:
    """Return the policies of each clock; refuse one that is given twice, and a history or predicted lengths that none uses."""
    lineup: list[Entry] = []
    for clock in clocks:
        chosen = policies or _default_policies(clock, workload, history)
        resolved = [known_policy(one) for one in chosen]
        names = [one if isinstance(one, str) else one.name for one in resolved]
        resolved = [one.name if isinstance(one, Policy) and one.is_known else one for one in resolved]
        for name in names:
            if names.count(name) > 1:
                raise InputError("policy", name, "is given twice")
        own = [one for one in resolved if isinstance(one, Policy)]
        if predicts and not any(fields_read(policy) & {"predicted", "work"} for policy in own):
            raise InputError("predicted", "given", "needs a policy of your own, FILE.py:NAME, that reads r.predicted")
        known = [_informed(one, history, workload.load) for one in resolved]
        if history is not None and known == resolved:
            raise InputError("history", "given", "needs the policy expected-work, which alone uses it: name it too")
        lineup += map(Entry, repeat(clock), names, known, map(form_in_file, chosen))
    return lineup


def clocks_of(clock: object, workload: Workload) -> tuple[Clock, ...]:
    """Return the clocks of a comparison; by default both where prompts differ, else steps, and seconds for times in seconds."""
    timed = workload.has_arrivals and workload.load is None
    if clock is None:
        clock = "seconds" if timed else "both" if workload.has_different_prompts else "steps"
    try:
        both = isinstance(clock, str) and clock == "both"
        clocks = (STEPS, SECONDS) if both else (as_clock(clock),)  # pyright: ignore[reportArgumentType]
    except InputError as error:
        raise InputError("clock", clock, error.allowed.replace("seconds or", "seconds, both, or")) from None
    if timed and clocks[0].in_steps:
        allowed = "release times are in seconds: use the clock seconds, or a load that scales them"
        raise InputError("clock", clock, allowed)
    return clocks


def clock_note(clock: Clock, preemption: Preemption) -> str:
    """Return a sentence on how long a step takes."""
    if clock.in_steps:
        again = " again after a restart" if preemption == "restart" else ""
        return f"The clock is in steps: each takes 1, and prefilling a prompt{again} takes no time."
    return (
        f"The clock is in seconds: a step takes {clock.base:g} s, {clock.per_token:g} s for each token processed and "
        f"{clock.per_held:g} s for each token held."
    )


def _default_policies(clock: Clock, workload: Workload, history: History | None) -> list[str]:
    """Return the policies that run where none is named: the usual ones, and for unequal prompts those that look at prompts."""
    if not workload.has_different_prompts and history is None:
        return usual_policies()
    more = ["shortest-prompt", "expected-work", benchmark_of(clock, workload)]
    return list(dict.fromkeys([*usual_policies(), *more]))


def benchmark_of(clock: Clock, workload: Workload) -> str:
    """Return the hindsight policy that others are measured by."""
    if not workload.has_different_prompts:
        return "h-sf"
    return "h-volume" if clock.in_steps else "h-work"


def _history(history: History, skip_invalid: bool) -> tuple[tuple[npt.ArrayLike, npt.ArrayLike], int]:
    """Return prompts and outputs of past requests, and the number of rows left out where they are read from a file."""
    if not isinstance(history, str):
        return history, 0
    text = history if history.startswith(FROM_DATA) else f"csv:{history}"
    if text.rpartition("#")[2].count(",") != 1:
        raise InputError("history", history, "must name outputs and prompts: FILE#OUTPUTS,PROMPTS")
    past = make_workload(text, skip_invalid=skip_invalid)
    rows = past.rows
    assert rows is not None
    return (np.broadcast_to(rows.s, rows.lengths.shape), rows.lengths), past.skipped


def _informed(policy: str | Policy, history: Any, load: float | None) -> str | Policy:
    """Return a policy that was named and can use past requests or the load as one that knows them."""
    named = policy_called(policy) if isinstance(policy, str) else None
    if not isinstance(named, Policy) or named.informed is None or (history is None and load is None):
        return policy
    return named.informed(history, load or 0)


def _rows_and_refusals(
    lineup: Sequence[Entry], positions: Sequence[tuple[int, float | None]], results: Sequence[Sequence[Row | str]]
) -> tuple[Rows, dict[tuple[str, int], str]]:
    """Join the seeds of each clock, position and policy to one row, or to the first reason why the policy cannot run."""
    left_out: dict[tuple[str, int], str] = {}
    ran: list[list[Row]] = []
    seeds = len(results) // len(positions)
    pairs = product(range(len(positions)), range(len(lineup)))
    for j, k in sorted(pairs, key=lambda pair: not lineup[pair[1]].clock.in_steps):
        of_seeds = [of_task[k] for of_task in results[j * seeds : (j + 1) * seeds]]
        reasons = [result for result in of_seeds if isinstance(result, str)]
        if reasons:
            memory, _ = positions[j]
            left_out.setdefault((lineup[k].name, memory), reasons[0])
        else:
            ran.append([result for result in of_seeds if isinstance(result, Row)])
    hindsight = {row.policy for rows in ran for row in rows if not row.blind}
    return Rows(Row.of_seeds(rows, rows[0].policy not in hindsight) for rows in ran), left_out


def _policies_and_source(others: list[Any], policy: Policies, source: Source | None) -> tuple[Policies, Source]:
    """Split the positional and keyword arguments into (policies, source of requests); either order is accepted."""
    if source is None and others:
        if _is_source(others[0]) and not (len(others) == 2 and _is_source(others[1])):
            source = others.pop(0)
        elif len(others) == 2 or policy is not None:
            source = others.pop()
    if others and policy is not None:
        raise InputError("policy", policy, f"unexpected argument; {others[0]} was already given")
    if source is None:
        after = f" after {others[0]}" if others and isinstance(others[0], str) else ""
        raise InputError("law", MISSING, f"give a law or a file of requests{after}, {EXAMPLE}")
    return others[0] if others else policy, source


def _is_source(word: object) -> bool:
    return isinstance(word, Workload) or is_law(word, POLICY)


def run_policies(
    lineups: Mapping[float | None, Sequence[Entry]],
    workload: Workload,
    n: int,
    bootstrap: bool,
    preemption: Preemption,
    all_must_fit: bool,
    keep_runs: bool,
    task: tuple[int, float | None, int],
) -> list[Row | str]:
    """Return, for one memory, load and seed, the row of each policy, or why it cannot run where that is allowed."""
    memory, load, seed = task
    drawn = workload.draw(n, seed, bootstrap=bootstrap)
    results: list[Row | str] = []
    shown_load = load if len(lineups) > 1 else None
    for clock, entries in groupby(lineups[load], key=lambda entry: entry.clock):
        requests = drawn if load is None else at_load(drawn, load, memory, clock)
        how: Any = {"seed": seed, "clock": clock, "preemption": preemption}
        basic = clock.in_steps and preemption == "restart" and not np.any(requests.release)
        hindsight = benchmark_of(clock, workload)
        benchmarks = {
            name: simulate(_informed(name, None, load), requests, memory, **how)
            for name in dict.fromkeys(("h-sf", hindsight))
        }
        h_sf = benchmarks["h-sf"]
        same: Any = {"clock": clock.name, "hindsight": hindsight, "bounds": (h_sf.bound.name,), "load": shown_load}
        for _, name, policy, form in entries:
            try:
                run = benchmarks.get(policy) if isinstance(policy, str) else None
                run = run or simulate(policy, requests, memory, **how)
            except InputError as error:
                if all_must_fit:
                    raise
                results.append(str(error))
                continue
            predicted_latency = form_latency(policy, form, run, requests) if basic else None
            measures = measure(run, h_sf, benchmarks[hindsight], h_sf.bound, predicted_latency)
            kept = ((run,), (h_sf,)) if keep_runs else ((), ())
            results.append(Row(name, memory, not run.hindsight, (measures,), *kept, **same))
    return results


def memories_of(memory: int | str | Iterable[int]) -> list[int]:
    """Return capacities M in tokens, in increasing order: one, several, or a text ``M``, ``A:B[:STEP]`` or ``M,M…``."""
    if isinstance(memory, str):
        return sorted({m for part in memory.split(",") for m in _memory_range(part)})
    given = list(memory) if isinstance(memory, Iterable) else [memory]
    if not given:
        raise InputError("memory", MISSING, "give at least one capacity in tokens")
    return sorted({integer("memory", m, 1) for m in given})


def loads_of(load: float | str | Iterable[float] | None) -> Sequence[float | None]:
    """Return offered loads in increasing order: none, one, several, or a text ``X,X…``."""
    if load is None:
        return (None,)
    given = load.split(",") if isinstance(load, str) else load if isinstance(load, Iterable) else [load]
    try:
        loads = sorted({float(each) for each in given})
    except (TypeError, ValueError):
        loads = []
    if not loads:
        raise InputError("load", load, "must be a number > 0, or several with commas between")
    return loads


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
