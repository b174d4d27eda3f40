"""``compare`` of several policies at several memories: a table, which blind policy is best where, and a plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from crtools.dataframes import frame
from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.forms import Form
from crtools.plotting.figure import Figure, columns, picture_file
from crtools.plotting.sheet import Sheet
from crtools.process.comparing import Mean, form_of, form_of_run, seeds_of
from crtools.process.policies import Policy, known_policy, usual_policies
from crtools.process.requests import Requests, given_ends, memories_of, requests
from crtools.process.run import Run, simulate
from crtools.process.sweep import Progress, run_sweep
from crtools.setting import LARGEST_NUMBER, integer

PERCENTILES = (50, 90, 99)
"""Of the completion times of the requests of a run."""

N, SEEDS = 1000, 5
"""How many requests are drawn from a law, and for how many seeds, where nothing is said."""

Values = dict[str, float]
"""What is kept of one run, by name."""


@dataclass(frozen=True)
class Cell:
    """One policy at one memory: what its runs gave, a value for each seed."""

    policy: str
    memory: int
    blind: bool
    values: tuple[Values, ...]

    def mean(self, name: str) -> Mean | None:
        """Return a quantity's mean over the seeds with its interval; None where some run has none."""
        if any(name not in own for own in self.values):
            return None
        return Mean.over_seeds([own[name] for own in self.values])

    def as_json(self) -> dict[str, Any]:
        """Return JSON data: means over the seeds, and the 95 % intervals of the ratios."""
        number = {name: self.mean(name) for name in ("total_latency", "mean_latency", "makespan", "cancellations")}
        ratios = {name: self.mean(name) for name in RATIOS}
        shares = {f"p{share}": self.mean(f"p{share}") for share in PERCENTILES}
        return {
            "policy": self.policy,
            "memory": self.memory,
            "blind": self.blind,
            "clock": CLOCK,
            **{name: mean and mean.mean for name, mean in number.items()},
            "percentiles": {name: mean and mean.mean for name, mean in shares.items()},
            **{name: mean and mean.mean for name, mean in ratios.items()},
            "intervals": {name: mean and mean.interval and list(mean.interval) for name, mean in ratios.items()},
        }


RATIOS = ("to_h_sf", "to_volume", "to_form")

CLOCK = "steps"
FREE = "The clock is in steps: each takes 1, and prefilling a prompt again after a restart takes no time."
UNEQUAL = (
    "The prompts differ, and H-SF orders by length: it is no benchmark here, it can be worse than smallest volume first by "
    "any factor. The volume bound holds for every schedule."
)
"""Notes on the clock and, for unequal prompts, on H-SF."""


@dataclass(frozen=True, repr=False)
class Comparisons:
    """The runs of several policies on the same requests, at one memory or several.

    ``left_out`` says of policies that were not named why they did not run, by (policy, memory). ``skipped`` counts rows of
    the file. A policy is *blind* where none of its rules reads the true length (``Run.hindsight``), at any of the memories.
    ``varies``: what differs between seeds; ``unequal``: whether the requests have different prompts.
    """

    name: str
    n: int
    seeds: tuple[int, ...]
    cells: tuple[Cell, ...]
    left_out: dict[tuple[str, int], str]
    skipped: int
    varies: str = ""
    unequal: bool = False

    def __repr__(self) -> str:
        policies = ", ".join(dict.fromkeys(cell.policy for cell in self.cells))
        where = f"{self.name}, n={self.n}, memory={', '.join(map(str, self.memories))}, {len(self.seeds)} seeds"
        return f"compare([{policies}], {where}): {self.sentence[:-1]} (supported)"

    def table(self) -> Any:
        """Return a row for each policy and memory as a pandas DataFrame; ``ImportError`` where pandas is not installed."""
        return frame(_flat(cell.as_json()) for cell in self.cells)

    @cached_property
    def memories(self) -> tuple[int, ...]:
        """The capacities M in tokens, in increasing order."""
        return tuple(dict.fromkeys(cell.memory for cell in self.cells))

    @cached_property
    def best_blind(self) -> dict[int, str]:
        """The blind policy of the least mean total latency over the volume bound, for each memory at which several ran."""
        return {memory: ranked[0].policy for memory in self.memories if len(ranked := self._ranked(memory)) > 1}

    def _ranked(self, memory: int) -> list[Cell]:
        own = [cell for cell in self.cells if cell.memory == memory and cell.blind]
        return sorted(own, key=_to_volume)

    @cached_property
    def worse_at(self) -> list[dict[str, Any]]:
        """Where the best blind policy by the mean is worse than another one at p99 or at the end, by which factor."""
        found: list[dict[str, Any]] = []
        for memory, policy in self.best_blind.items():
            best, *others = self._ranked(memory)
            for name in TAILS:
                values = [(value.mean, cell.policy) for cell in others if (value := cell.mean(name))]
                least, other = min(values, default=(0.0, ""))
                if (mean := best.mean(name)) and mean.mean > least > 0:
                    row = {"memory": memory, "policy": policy, "measure": name, "than": other}
                    found.append(row | {"factor": mean.mean / least})
        return found

    @property
    def sentence(self) -> str:
        """Which blind policy is best where, by how much, whether the seeds tell it from the next; and where it is worse."""
        by_policy: dict[str, list[int]] = {}
        for memory in self.memories:
            for cell in self._ranked(memory)[:1]:
                by_policy.setdefault(cell.policy, []).append(memory)
        if not by_policy:
            return "No blind policy ran."
        parts = [self._part(policy, own, len(by_policy) == 1) for policy, own in by_policy.items()]
        kinds = dict.fromkeys((row["policy"], row["measure"], row["than"]) for row in self.worse_at)
        return " ".join([f"Of the blind policies {'; '.join(parts)}.", *(self._worse(*kind) for kind in kinds)])

    def _part(self, policy: str, memories: Sequence[int], alone: bool) -> str:
        ranked = [self._ranked(memory) for memory in memories]
        where = f"M = {', '.join(map(str, memories))}" if len(memories) < 4 or not alone else "every M here"
        times = f"{_span(_to_volume(own[0]) for own in ranked)} times the volume bound"
        if all(len(own) == 1 for own in ranked):
            return f"only {policy} ran at {where}: {times}"
        gaps = [_gap(own[0], own[1]) for own in ranked if len(own) > 1]
        nexts = ", ".join(dict.fromkeys(own[1].policy for own in ranked if len(own) > 1))
        by = _span((100 * (gap.mean - 1) for gap in gaps), " %")
        return f"{policy} is best at {where}: {times}, the next ({nexts}) {by} above{_told(gaps)}"

    def _worse(self, policy: str, measure: str, than: str) -> str:
        own = [row for row in self.worse_at if (row["policy"], row["measure"], row["than"]) == (policy, measure, than)]
        by = _span((100 * (row["factor"] - 1) for row in own), " %")
        where = ", ".join(str(row["memory"]) for row in own)
        return f"The {measure} of {policy} is {by} above that of {than} at M = {where}."

    @property
    def notes(self) -> list[str]:
        """Notes on the clock, on what differs between seeds and, for unequal prompts, on H-SF."""
        seeds = self.varies if len(self.seeds) > 1 else ""
        return [FREE, *filter(None, (seeds, UNEQUAL if self.unequal else ""))]

    def as_json(self) -> dict[str, Any]:
        """Return the JSON document of ``crtools compare``."""
        return {
            "source": self.name,
            "n": self.n,
            "seeds": list(self.seeds),
            "clock": CLOCK,
            "notes": self.notes,
            "rows": [cell.as_json() for cell in self.cells],
            "best_blind": {str(memory): policy for memory, policy in self.best_blind.items()},
            "sentence": self.sentence,
            "worse_at": self.worse_at,
            "left_out": [{"policy": p, "memory": m, "why": why} for (p, m), why in self.left_out.items()],
            "skipped": self.skipped,
        }

    def plot(self, file: str | Path) -> tuple[Path, Path]:
        """Draw the ratios to the volume bound against M; return the picture's path and that of NAME.data.csv beside it.

        The ending says the format: PNG, SVG or PDF. Raises ``InputError`` where the file cannot be written, or would take the
        place of the requests.
        """
        table = picture_file(file).with_suffix(".data.csv")
        if table.resolve() == Path(self.name.partition(":")[2].rpartition("#")[0]).resolve():
            raise InputError("plot", str(file), f"{table} would take the place of the requests: give another name")
        rows = [_flat(cell.as_json()) for cell in self.cells]
        texts = [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
        return Figure("compare", columns(texts), self._draw).save_as(file)

    def _draw(self, sheet: Sheet) -> Any:
        drawn = sheet.canvas(7, 4.5)
        axes = drawn.add_subplot()
        for k, policy in enumerate(dict.fromkeys(cell.policy for cell in self.cells)):
            own = [cell for cell in self.cells if cell.policy == policy]
            means = [mean for cell in own if (mean := cell.mean("to_volume"))]
            halves = [mean.mean - mean.interval[0] if mean.interval else 0 for mean in means]
            line = {"linestyle": "-" if own[0].blind else "--", "marker": "osD^vP*X<>"[k % 10], "capsize": 2}
            heights = [mean.mean for mean in means]
            axes.errorbar([cell.memory for cell in own], heights, halves, label=policy, markersize=4, **line)
        axes.set_xlabel("memory M in tokens")
        axes.set_ylabel("total latency over the volume bound")
        axes.set_ylim(bottom=1)
        axes.set_title(f"{self.name}: n = {self.n}, {len(self.seeds)} seeds (dashed: not blind)", fontsize=9)
        drawn.legend(fontsize=8, loc="outside right upper")
        return drawn


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of JSON as one of a table."""
    shares, intervals = row.pop("percentiles"), row.pop("intervals")
    for name, pair in intervals.items():
        row[f"{name}_low"], row[f"{name}_high"] = pair or ("", "")
    return row | shares


TAILS = ("p99", "makespan")
"""Measures of the slowest requests."""


def _span(values: Iterable[float], unit: str = "") -> str:
    """Return the least and the largest of some numbers, or the one where they look the same."""
    numbers = list(values)
    low, high = f"{min(numbers):.3g}", f"{max(numbers):.3g}"
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def _to_volume(cell: Cell) -> float:
    return sum(own["to_volume"] for own in cell.values) / len(cell.values)


def _gap(best: Cell, other: Cell) -> Mean:
    """Return the mean over the seeds of the other's total latency over the best's, on the same requests."""
    pairs = zip(other.values, best.values, strict=True)
    return Mean.of([own["total_latency"] / least["total_latency"] for own, least in pairs])


def _told(gaps: Sequence[Mean]) -> str:
    """Return at how many memories the paired ratio to the next may be 1, by its 95 % interval."""
    if any(gap.interval is None for gap in gaps):
        return " (one seed)"
    unsure = sum(gap.interval is not None and gap.interval[0] <= 1 for gap in gaps)
    where = "over these seeds" if unsure == len(gaps) else f"at {unsure} of {len(gaps)} memories"
    return f" (not told apart {where})" if unsure else ""


def compare_all(
    policies: Sequence[str | Policy] | None,
    source: str | Distribution,
    *,
    memory: int | str | Iterable[int],
    n: int | None = None,
    s: int = 0,
    seeds: int | Iterable[int] | None = None,
    l: int | None = None,
    u: int | None = None,
    predictions: str | None = None,
    skip_invalid: bool = False,
    jobs: int | None = 1,
    dask: str | None = None,
    progress: Progress = iter,
) -> Comparisons:
    """Run policies, all that fit where none is named, at each memory on the same requests, and return the table.

    The arguments are those of :func:`crtools.compare`, which calls this for several policies or memories.
    """
    memories = memories_of(memory)
    s = integer("s", s, 0)
    from_where = requests(source, memories[0], s, predictions, skip_invalid, given_ends(l, u))
    n = integer("n", (from_where.count or N) if n is None else n, 1, from_where.count or LARGEST_NUMBER)
    chosen = tuple(seeds_of(SEEDS if seeds is None else seeds))
    given = policies or usual_policies()
    forms = tuple(map(form_of, given))
    named = [known_policy(policy) for policy in given]
    names = [policy if isinstance(policy, str) else policy.name for policy in named]
    for name in names:
        if names.count(name) > 1:
            raise InputError("policy", name, "stands twice")
    tasks = [(m, seed) for m in memories for seed in chosen]
    arguments = (named, forms, from_where, n, not policies)
    jobs = None if jobs is None else integer("jobs", jobs, 1, 256)
    found = run_sweep(_one, arguments, tasks, jobs, dask, progress)
    left: dict[tuple[str, int], str] = {}
    ran: dict[tuple[str, int], tuple[Values, ...]] = {}
    for m in memories:
        own = [result for (at, _), result in zip(tasks, found, strict=True) if at == m]
        for name in names:
            values = [result[name] for result in own]
            why = [value for value in values if isinstance(value, str)]
            if why:
                left[name, m] = why[0]
            else:
                ran[name, m] = tuple(value for value in values if not isinstance(value, str))
    seeing = {name for (name, _), values in ran.items() if any(own["hindsight"] for own in values)}
    cells = tuple(Cell(name, m, name not in seeing, values) for (name, m), values in ran.items())
    return Comparisons(
        from_where.name, n, chosen, cells, left, from_where.skipped, from_where.varies(n), from_where.unequal
    )


def _one(
    policies: Sequence[str | Policy],
    forms: Sequence[Form | None],
    source: Requests,
    n: int,
    forgiving: bool,
    task: tuple[int, int],
) -> dict[str, Values | str]:
    """Return, for one memory and seed, each policy's values, or why it cannot run where that is forgiven."""
    memory, seed = task
    drawn = source.draw(n, seed)
    best = simulate("h-sf", drawn[0], memory, *drawn[1:], seed=seed)
    found: dict[str, Values | str] = {}
    for policy, form in zip(policies, forms, strict=True):
        name = policy if isinstance(policy, str) else policy.name
        try:
            run = best if policy == best.policy else simulate(policy, drawn[0], memory, *drawn[1:], seed=seed)
        except InputError as error:
            if not forgiving or policy == best.policy:
                raise
            found[name] = str(error)
            continue
        limit = form_of_run(policy, form, run, drawn)
        found[name] = _values(run, best) | ({} if limit is None else {"to_form": run.total_latency / limit})
    return found


def _values(run: Run, best: Run) -> Values:
    completions = run.starts + run.lengths
    shares = np.percentile(completions, PERCENTILES)
    return {
        "total_latency": run.total_latency,
        "mean_latency": run.mean_latency,
        "makespan": run.makespan,
        "cancellations": run.cancellations,
        "to_h_sf": run.total_latency / best.total_latency,
        "to_volume": run.to_volume,
        "hindsight": run.hindsight,
        **{f"p{share}": float(value) for share, value in zip(PERCENTILES, shares, strict=True)},
    }
