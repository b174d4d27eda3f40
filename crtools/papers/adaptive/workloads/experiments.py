"""The three experiments of the paper's Section 6: average latencies per number of requests, policy and seed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.ledger.evidence import json_fields
from crtools.names import canonical
from crtools.numeric_types import IntArray, JsonObject
from crtools.papers.adaptive.figures.style import LOOKS, Look
from crtools.papers.adaptive.policies import A_MAX
from crtools.papers.adaptive.workloads.lengths import Lengths, Rows
from crtools.papers.adaptive.workloads.lengths import lengths as read_lengths
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.clocks import SECONDS, STEPS, Clock
from crtools.process.hindsight import Watch
from crtools.process.measures import Mean
from crtools.process.policies import Choice, Policy, known_names, policy_called, read_policy
from crtools.process.run import Run, simulate
from crtools.process.sweep import LARGEST_SWEEP, Progress, run_sweep, seeds_of
from crtools.process.workload import Predictions
from crtools.setting import integer
from crtools.tables import WithRows
from crtools.user_file import is_file

MEMORY = 16_492
"""M in tokens: LLaMA2-70B on two linked A100s."""

SIZES = tuple(range(200, 2001, 200))
"""The numbers of requests n."""

SEEDS = 10
"""Seeds of the intervals that are printed, unless asked otherwise."""

OF_THE_PAPER = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort")
OF_HINDSIGHT = ("h-sf", "a-random")
"""Policies that know the lengths and use no interval: every prediction gives the same run."""

POLICIES = (*OF_THE_PAPER, "a-learn")
"""The default policies: those of the paper, and one that learns the distribution."""

A_MAX_RANDOM_ORDER = replace(
    A_MAX, name="a-max-random-order", priority=lambda r: 0 * r.u, summary="a-max in random order; in experiments only"
)
"""A_max with all requests in random order, also where their intervals differ: another reading of Algorithm 1."""

EXTRA = {A_MAX_RANDOM_ORDER.name: A_MAX_RANDOM_ORDER}

STEP_TIMES = {"affine": SECONDS, "unit": STEPS}
"""The clock of each step time, by the names that results and the claims' parameter ``step`` have."""

LARGEST, WIDTH = 1000, 100
"""The upper end of the intervals of experiments 1 and 2, and the width of those of the latter, in tokens."""


class Prediction(NamedTuple):
    """How intervals are predicted: a label, and a function from output lengths and a seed to both ends, on int64 arrays."""

    label: str
    intervals: Callable[..., tuple[IntArray, IntArray]]


def _holding(intervals: Predictions, outputs: IntArray, seed: int = 0) -> tuple[IntArray, IntArray]:
    """Return the ends of the intervals that hold outputs; of a larger one, which is left out, 0 and 0."""
    within = outputs <= (intervals.largest or 0)
    low, high = np.zeros_like(outputs), np.zeros_like(outputs)
    low[within], high[within] = intervals.containing(outputs[within])
    return low, high


ROUGH = Prediction(f"[1, {LARGEST}]", partial(_holding, Predictions.of(f"1-{LARGEST}")))
"""Experiment 1: the same interval for every request."""

_BUCKETS = ",".join(f"{low}-{low + WIDTH - 1}" for low in range(1, LARGEST, WIDTH))
BUCKETS = Prediction(f"buckets of {WIDTH} in [1, {LARGEST}]", partial(_holding, Predictions.of(_BUCKETS)))
"""Experiment 2: the bucket of [1, 100], [101, 200], …, [901, 1000] that holds o."""


def around(x: Fraction) -> Prediction:
    """Return one of experiment 3: [(1 − x) o, (1 + x) o], rounded outward to integers ≥ 1; exact for a rational x."""
    low, high, over = x.denominator - x.numerator, x.denominator + x.numerator, x.denominator
    return Prediction(f"x = {float(x):g}", lambda o, seed=0: (np.maximum(1, o * low // over), -(-o * high // over)))


EXPERIMENTS: dict[int, tuple[Prediction, ...]] = {
    1: (ROUGH,),
    2: (BUCKETS,),
    3: tuple(around(x) for x in (Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))),
}
"""The predictions of each experiment."""


def predictions_of(number: int, text: str | None, law: Lengths) -> tuple[Prediction, ...]:
    """Return the predictions of an experiment, or the one that a text says (docs/compare.md); ``InputError`` for other texts.

    Columns are those of the law, which was read with them.
    """
    if text is None:
        return EXPERIMENTS[number]
    parsed, words = Predictions.of(text), text.strip()
    if len(parsed.intervals) == 1:
        low, high = parsed.intervals[0]
        return (Prediction(f"[{low}, {high}]", lambda o, seed: (np.full_like(o, low), np.where(o < low, 0, high))),)
    if parsed.intervals:
        return (Prediction(f"intervals {words}", partial(_holding, parsed)),)
    if parsed.columns is None:
        return (Prediction(f"factor {words}", parsed.around),)
    if not isinstance(law, Rows) or law.predicted is None:
        allowed = "names columns of a file: give --lengths csv:FILE#OUTPUTS,PROMPTS, or L-U, L-U,L-U or xF"
        raise InputError("predictions", text, allowed)
    return (Prediction(f"columns {words}", lambda o, seed: law.predictions(len(o), seed)),)


@dataclass(frozen=True)
class Row:
    """One policy on the requests of a seed: those asked for and left out; average latency and cancellations by step time."""

    prediction: str
    n: int
    policy: str
    seed: int
    left_out: int
    latency: dict[str, float]
    cancellations: dict[str, int]


@dataclass(frozen=True)
class Summary:
    """Over seeds: the average latency (in steps or seconds, by ``step``), and its ratio to H-SF's on the same requests."""

    prediction: str
    n: int
    policy: str
    step: str
    mean_latency: Mean
    to_h_sf: Mean | None

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return json_fields(self, "prediction", "n", "policy", "step", "mean_latency", "to_h_sf")

    def flat(self) -> JsonObject:
        """Return the summary as a row of a table."""
        (low, high), over = self.mean_latency.interval or (None, None), self.to_h_sf
        over_low, over_high = (over and over.interval) or (None, None)
        row = {name: getattr(self, name) for name in ("prediction", "step", "n", "policy")}
        row |= {"mean_latency": self.mean_latency.mean, "lower": low, "upper": high}
        return row | {"over_h_sf": over and over.mean, "over_lower": over_low, "over_upper": over_high}


@dataclass(frozen=True, repr=False)
class Experiment(WithRows):
    """The rows of one experiment and what they were made from."""

    number: int
    law: Lengths
    memory: int
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]
    steps: tuple[str, ...]
    policies: tuple[str, ...]
    rows: tuple[Row, ...]
    predictions_text: str | None = None

    def __repr__(self) -> str:
        result = f"{len(self.rows)} runs"
        if "h-sf" in self.policies:
            n, step = self.sizes[-1], self.steps[-1]
            over = (f"{p} {self.ratio(self.predictions[0], n, p, step).mean:.3g}" for p in self.policies)
            result = f"times H-SF's latency at n = {n}: {', '.join(over)} (supported)"
        return f"{result}: experiment({self.number}, {self.law.name!r}), {len(self.seeds)} seeds"

    def _rows(self) -> list[JsonObject]:
        return [summary.flat() for summary in self.summaries()]

    def plot(self) -> Figure:
        """Return the average latency against n as a figure, a panel for each prediction and step time."""
        rows, fits = self._rows(), JsonObject()
        others = [policy for policy in self.policies if policy != "h-sf"] if "h-sf" in self.policies else []
        for label, policy in product(self.predictions, others):
            lines = {step: where(rows, prediction=label, step=step, policy=policy) for step in self.steps}
            ratios = {step: [r["over_h_sf"] for r in line] for step, line in lines.items()}
            text = "; ".join(f"{step} steps {min(v):.3f} to {max(v):.3f}" for step, v in ratios.items())
            fits[f"{label}, {policy}"] = {"text": f"average latency over H-SF's, over n: {text}"}
        step, largest = "unit" if "unit" in self.steps else "affine", max(self.sizes)
        over = {policy: _range_text(where(rows, policy=policy, step=step, n=largest)) for policy in others}
        takes = f"; {LOOKS[LITERAL].label}, takes {over[LITERAL]} times H-SF's latency" if LITERAL in over else ""
        brackets = f"in brackets: times H-SF's at $n={largest}$, in {UNITS[step]}; " if over else ""
        source = "with the paper's published figures" if self.law.name == "paper" else self.law.name
        bands = ", bands: 95 %" if rows[0]["lower"] is not None else ""
        title = f"{TITLES[self.number]}{takes}\n{brackets}lengths {source}, $M={self.memory}${bands}"
        policies = sorted(self.policies, key=lambda p: (*LEGEND_ORDER, p).index(p))
        steps = [step for step in UNITS if step in self.steps]
        draw = partial(
            _draw,
            rows=rows,
            over=over,
            predictions=self.predictions,
            policies=policies,
            steps=steps,
            title=title,
        )
        notes = {"lengths": self.law.name, "source": self.law.source, "memory": self.memory, "seeds": list(self.seeds)}
        return Figure(f"exp-{self.number}", columns(rows), draw, fits, notes)

    @property
    def predictions(self) -> tuple[str, ...]:
        """The labels of the predictions, in order."""
        return tuple(p.label for p in predictions_of(self.number, self.predictions_text, self.law))

    def latencies(self, prediction: str, n: int, policy: str, step: str) -> list[float]:
        """Return the average latency of each seed, in the order of the seeds."""
        return [row.latency[step] for row in self._cells[prediction, n, policy]]

    @cached_property
    def _cells(self) -> dict[tuple[str, int, str], list[Row]]:
        cells = defaultdict[tuple[str, int, str], list[Row]](list)
        for row in self.rows:
            cells[row.prediction, row.n, row.policy].append(row)
        return dict(cells)

    def ratio(self, prediction: str, n: int, policy: str, step: str, to: str = "h-sf") -> Mean:
        """Return the mean over seeds of the ratio of two policies' average latencies on the same requests."""
        return mean_ratio(*(self.latencies(prediction, n, p, step) for p in (policy, to)))

    def summaries(self) -> list[Summary]:
        """Return the mean over seeds for each prediction, step time, n and policy."""
        return [
            Summary(
                label, n, policy, step, Mean.of(self.latencies(label, n, policy, step)),
                self.ratio(label, n, policy, step) if "h-sf" in self.policies else None,
            )
            for label in self.predictions for step in self.steps for n in self.sizes for policy in self.policies
        ]  # fmt: skip

    def left_out(self) -> dict[str, dict[str, int]]:
        """Return, for each prediction that leaves requests out, their number over all seeds, by n."""
        counts = defaultdict[str, dict[str, int]](Counter)
        for row in self.rows:
            if row.policy == self.policies[0] and row.left_out:
                counts[row.prediction][str(row.n)] += row.left_out
        return {label: dict(by_n) for label, by_n in counts.items()}

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return {
            "experiment": self.number,
            "lengths": self.law.name,
            "source": self.law.source,
            "memory": self.memory,
            "n": list(self.sizes),
            "seeds": list(self.seeds),
            "steps": {name: _in_milliseconds(STEP_TIMES[name]) for name in self.steps},
            "left_out": self.left_out(),
            "rows": [s.as_json() for s in self.summaries()],
        }


def mean_ratio(above: Iterable[float], below: Iterable[float]) -> Mean:
    """Return the mean over seeds of one policy's latency over another's."""
    return Mean.of([a / b for a, b in zip(above, below, strict=True)])


def experiment(
    number: int,
    lengths: str | Distribution | Lengths | npt.ArrayLike = "paper",
    *,
    sizes: Iterable[int] = SIZES,
    seeds: int | Iterable[int] = SEEDS,
    steps: Iterable[str] = tuple(STEP_TIMES),
    policies: Iterable[str | Policy] = POLICIES,
    memory: int = MEMORY,
    predictions: str | None = None,
    jobs: int | None = 1,
    progress: Progress = iter,
) -> Experiment:
    """Run one of the three experiments of the paper's Section 6.

    Requests whose output is outside their interval are left out, and counted.

    Parameters
    ----------
    number
        1 (one interval for all), 2 (ten buckets) or 3 (intervals around each length).
    lengths
        The requests: the name of a workload (``crtools list laws``), a distribution, an array of output lengths, or a
        :class:`Lengths`.
    sizes
        The numbers of requests n. The requests of a seed are the first n that it draws, so that they are nested.
    seeds
        The seeds, or the number of them: 0, 1, ….
    steps
        Names of step times: "affine" (the clock ``seconds``), "unit" (the clock ``steps``).
    policies
        Policies by name, those of ``EXTRA`` included, or :class:`crtools.Policy` objects.
    memory
        M in tokens.
    predictions
        Intervals in the place of the experiment's own (docs/compare.md): "1-2000" for all requests, several "1-100,101-2000",
        two columns of the file, or a factor "x2".
    jobs
        Number of processes; None: the cores of the machine where that is sooner. Results do not depend on it.
    progress
        Wraps the pairs (seed, n).

    Returns
    -------
    Experiment
        Its ``plot()``, ``table()``, and ``rows``: one for each run.

    Raises
    ------
    InputError
        For a value that is not allowed, and where some request could never run.

    Examples
    --------
    >>> from crtools.papers.adaptive.workloads import experiment
    >>> small = experiment(1, sizes=[20], seeds=2, policies=["h-sf", "a-min-literal"], steps=["unit"])
    >>> small.predictions, len(small.rows)
    (('[1, 1000]',), 4)
    >>> small.ratio("[1, 1000]", 20, "h-sf", "unit").mean
    1.0
    >>> experiment(1, [3, 5, 9], sizes=[20, 40], seeds=2, policies=["h-sf", "fcfs"], memory=60).plot().name
    'exp-1'
    """
    number = integer("experiment", number, 1, len(EXPERIMENTS))
    chosen = lengths if isinstance(lengths, Lengths) else read_lengths(lengths, predictions=predictions)
    predictions_of(number, predictions, chosen)
    ns = tuple(dict.fromkeys(integer("n", n, 1, 10**6) for n in sizes))
    seed_list = tuple(seeds_of(seeds))
    integer("seeds", len(seed_list), 1, LARGEST_SWEEP // max(len(ns), 1))
    step_list = tuple(dict.fromkeys(canonical("step", name, STEP_TIMES) for name in steps))
    policy_list = tuple(dict(_named(policy) for policy in policies).items())
    for name, values in (("n", ns), ("seeds", seed_list), ("step", step_list), ("policy", policy_list)):
        if not values:
            raise InputError(name, "none", "there must be at least one")
    memory, jobs = integer("memory", memory, 1), None if jobs is None else integer("jobs", jobs, 1, 256)
    tasks = [(seed, n) for n in ns for seed in seed_list]
    arguments = (number, predictions, chosen, step_list, policy_list, memory)
    rows = tuple(chain.from_iterable(run_sweep(one_size, arguments, tasks, jobs, progress=progress)))
    names = tuple(name for name, _ in policy_list)
    return Experiment(number, chosen, memory, ns, seed_list, step_list, names, rows, predictions)


Measured = tuple[dict[str, float], dict[str, int]]
"""Average latency and cancellations by step time."""


def one_size(
    number: int,
    predictions: str | None,
    law: Lengths,
    steps: Sequence[str],
    policies: Sequence[tuple[str, str | Policy]],
    memory: int,
    task: tuple[int, int],
) -> list[Row]:
    """Return the rows of one seed and one n, the task: every prediction and policy on the same n requests."""
    seed, n = task
    prompts, outputs = law.draw(n, seed)
    rows: list[Row] = []
    hindsight: dict[tuple[str, bytes], Measured] = {}  # results that depend on no prediction
    for prediction in predictions_of(number, predictions, law):
        intervals = prediction.intervals(outputs, seed)
        kept = (intervals[0] <= outputs) & (outputs <= intervals[1])
        if not kept.any():
            raise InputError("lengths", law.name, f"no output is within {prediction.label}")
        s, o, low, high = (column[kept] for column in (prompts, outputs, *intervals))
        for name, policy in policies:
            result = hindsight.get((name, kept.tobytes()))
            if result is None:
                run = partial(simulate, policy, o, memory, s, low, high, seed=seed)
                result = _measured(run, looks_at_clock(policy), steps)
            if name in OF_HINDSIGHT:
                hindsight[name, kept.tobytes()] = result
            rows.append(Row(prediction.label, n, name, seed, int(n - kept.sum()), *result))
    return rows


def _measured(run: Callable[..., Run], looks: bool, steps: Sequence[str]) -> Measured:
    """Return average latency and cancellations by step time; one run is timed twice if its policy does not look at the clock."""
    if looks:
        runs = {step: run(clock=STEP_TIMES[step]) for step in steps}
        return {step: r.mean_latency for step, r in runs.items()}, {step: r.cancellations for step, r in runs.items()}
    once = run(history=True)
    latency = {step: float(once.completion_times_in(STEP_TIMES[step]).mean()) for step in steps}
    return latency, dict.fromkeys(steps, once.cancellations)


@lru_cache(maxsize=64)
def looks_at_clock(policy: str | Policy) -> bool:
    """Return whether a policy may take other steps in seconds than in steps.

    It may if it has a limit, a reserve or a victim, plans by work, or reads a request's work. Policies by prices are defined
    in steps only; their runs are timed afterwards.
    """
    named = policy if isinstance(policy, Policy) else policy_called(policy)
    if isinstance(named, Choice):
        return False
    return bool(named.plan and named.plan.lazy) or not named.is_basic or "work" in Watch(named).read


def _in_milliseconds(clock: Clock) -> dict[str, float]:
    coefficients = {"ms_fixed": clock.base, "ms_per_token": clock.per_token, "ms_per_held_token": clock.per_held}
    return {name: round(1000.0 * value, 12) for name, value in coefficients.items()}


def _named(policy: str | Policy) -> tuple[str, str | Policy]:
    """Return the name in full, as results have it, and what runs; ``a-min`` is ``a-min-literal`` here too."""
    if isinstance(policy, Policy) or is_file(policy):
        policy_object = read_policy(policy)
        return policy_object.name, policy_object
    full = canonical("policy", policy, dict.fromkeys((*known_names(), *EXTRA)), ", or FILE.py[:NAME]")
    name = "a-min-literal" if full == "a-min" else full
    return name, EXTRA.get(name, name)


# ---- the figure ----------------------------------------------------------------------------------------------------

UNITS = {"affine": "seconds", "unit": "steps"}

LITERAL = "a-min-literal"

LEGEND_ORDER = ("h-sf", LITERAL, "a-min-cohort", "a-max", "a-max-random-order", "a-random")
"""The policies that come first in the legend, in its order."""

TITLES = {
    1: "Experiment 1: every interval is [1, 1000]",
    2: "Experiment 2: ten buckets [1, 100], …, [901, 1000]",
    3: r"Experiment 3: intervals $[(1-x)o,\,(1+x)o]$",
}


def _range_text(rows: Sequence[JsonObject]) -> str:
    """Return what latencies are over H-SF's: a number, or the ends of several."""
    ratios = [row["over_h_sf"] for row in rows]
    return "–".join(dict.fromkeys(f"{end:.2f}" for end in (min(ratios), max(ratios))))


def _draw(
    sheet: Sheet,
    rows: Sequence[JsonObject],
    over: Mapping[str, str],
    predictions: Sequence[str],
    policies: Sequence[str],
    steps: Sequence[str],
    title: str,
) -> Any:
    from matplotlib.ticker import LogLocator, NullFormatter

    several = len(predictions) > 1
    page = sheet.canvas(12.5, 7.8) if several else sheet.canvas(11, 5.1)
    shape = (len(steps), len(predictions)) if several else (1, len(steps))
    axes: Any = page.subplots(*shape, sharex=True, sharey="row" if several else False, squeeze=False)
    for axis, (step, label) in zip(axes.flat, product(steps, predictions), strict=True):
        for number, policy in enumerate(policies):
            name, colour, line, marker = LOOKS.get(policy, Look(policy, f"C{number % 10}"))
            name += f" ({over[policy]})" if policy in over else ""
            points = columns(where(rows, prediction=label, step=step, policy=policy))
            n, means = points["n"], points["mean_latency"]
            axis.plot(n, means, color=colour, ls=line, marker=marker, ms=4, lw=1.5, label=name)
            if None not in points["lower"]:
                axis.fill_between(n, points["lower"], points["upper"], color=colour, alpha=0.15, lw=0)
        axis.set_title(f"{label}, {step} step time" if several else f"{step} step time", fontsize="medium")
        axis.set(ylabel=f"average latency ({UNITS[step]})", yscale="log")
        axis.grid(alpha=0.25)
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
    for axis in axes[-1]:
        axis.set_xlabel("number of requests $n$")
    return sheet.finished(page, title, axes[0, 0])
