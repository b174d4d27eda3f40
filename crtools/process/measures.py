"""Rows of a comparison (``compare.py``): one policy's runs at one memory in one clock, their measures with means over the seeds, and ranks.

The end of this module says which blind policy is best at which memory, by how much, and whether the seeds show the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import sqrt
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from crtools.errors import InputError
from crtools.forms import FORM, Form, form_given_for
from crtools.numeric_types import IntArray, JsonObject, RingElement
from crtools.process.flow_bounds import FlowBound, offered_load, step_work
from crtools.process.policies import POLICY, Policy
from crtools.process.run import Run
from crtools.process.workload import Requests
from crtools.setting import Setting
from crtools.user_file import from_file, is_file, parts, things

PERCENTILES = ("p50", "p90", "p99")
"""Percentiles of the flow times of a run."""

RATIOS = ("to_h_sf", "to_volume", "to_form")
"""Measures that divide the total latency: by H-SF's, by the volume bound, by what the policy's form predicts."""

INTERVALS = (*RATIOS, "to_bound", "to_benchmark", "mean_latency")
"""Measures whose intervals are in the JSON document."""

NUMBERS = ("total_latency", "mean_latency", "makespan", "cancellations", "tokens_lost", "tokens_prefilled_again")


def _percentile(times: str, name: str) -> Callable[[Run], float]:
    return lambda run: float(np.percentile(getattr(run, times), int(name[1:])))


MEASURES: dict[str, Callable[[Run], float]] = {
    **{name: attrgetter(name) for name in NUMBERS},
    **{name: _percentile("flow_times", name) for name in PERCENTILES},
    "first_token_mean": lambda run: float(run.time_to_first_token.mean()),
    **{f"first_token_{name}": _percentile("time_to_first_token", name) for name in PERCENTILES},
}
"""What is measured of every run, in the clock's unit."""

ARRIVALS: dict[str, Callable[[Run], float]] = {
    "offered_load": lambda run: offered_load(run.lengths, run.prompts, run.release, run.memory, run.coefficients),
    "largest_rate": lambda run: run.n / step_work(run.lengths, run.prompts, run.memory, run.coefficients).sum().item(),
}
"""Measures of requests that arrive over time; above a load of 1, or this rate of arrivals, no policy is stable."""

Measures = dict[str, float]
"""Measures of one run, by name; ``form`` and ``to_form`` are missing where no form is given, ``to_volume`` in seconds."""


def measure(run: Run, h_sf: Run, benchmark: Run, bound: FlowBound, form_latency: float | None) -> Measures:
    """Return the measures of a run; H-SF, the benchmark and the bound are of the same requests, memory and clock."""
    table = MEASURES | ARRIVALS if run.release.any() else MEASURES
    compared = {
        "to_h_sf": h_sf.total_latency,
        "to_volume": run.volume_bound,
        "to_form": form_latency,
        "to_bound": bound.value,
        "to_benchmark": benchmark.total_latency,
    }
    ratios = {name: float(run.total_latency / value) for name, value in compared.items() if value is not None}
    form = {} if form_latency is None else {"form": form_latency}
    return {"seed": run.seed, **{name: function(run) for name, function in table.items()}, **ratios, **form}


CONFIDENCE = 0.95
"""Confidence level of every interval."""


@dataclass(frozen=True)
class Mean:
    """A sample mean, its standard error and a 95 % Student interval.

    ``standard_error`` and ``interval`` are None for a single value, and where :meth:`over_seeds` finds equal values.

    Examples
    --------
    >>> print(Mean.of([1.0, 2.0, 3.0]))
    2 ± 0.58 [-0.48414, 4.4841]
    """

    mean: float
    standard_error: float | None
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Return the statistics of independent values."""
        n = len(values)
        if n < 2:
            return cls(float(values[0]), None, None)
        if min(values) == max(values):  # a rounding error of the mean must not appear as a standard error
            return cls(float(values[0]), 0.0, (float(values[0]), float(values[0])))
        from scipy.special import stdtrit

        mean = float(np.mean(values))
        error = float(np.std(values, ddof=1)) / sqrt(n)
        half_width = float(stdtrit(n - 1, 0.5 + CONFIDENCE / 2)) * error
        return cls(mean, error, (mean - half_width, mean + half_width))

    @classmethod
    def over_seeds(cls, values: Sequence[float]) -> Mean:
        """Return the statistics of one value for each seed, without an interval where all seeds give the same value."""
        return cls.of(values[:1] if min(values) == max(values) else values)

    def as_json(self) -> JsonObject:
        """Return JSON data."""
        return asdict(self) | {"interval": self.interval and list(self.interval)}

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.mean:.5g}"
        return f"{self.mean:.5g} ± {self.standard_error:.2g} [{self.interval[0]:.5g}, {self.interval[1]:.5g}]"

    @property
    def short(self) -> str:
        """The mean and the half-width of the interval, for a narrow table."""
        return f"{self.mean:.4g}" + (f" ± {self.interval[1] - self.mean:.2g}" if self.interval else "")

    def texts(self) -> tuple[str, str]:
        """Return the mean and the interval as two cells of a table; the second is empty without an interval."""
        ends = (f"{end:.3g}" if abs(end) < 1000 else f"{end:.0f}" for end in self.interval or ())
        return f"{self.mean:.5g}", f"[{', '.join(ends)}]" if self.interval else ""


@dataclass(frozen=True)
class Row:
    """One policy at one memory in one clock: the measures of its runs, one for each seed.

    ``blind``: no rule of the policy reads the true length (``Run.hindsight``). ``runs`` and ``benchmark`` are the runs of the
    policy and of H-SF, empty where they were not kept. ``hindsight``: the benchmark that ``to_benchmark`` divides by.
    ``bounds``: which lower bound was the largest, for each seed. ``load``: the offered load, where several are compared.

    A measure is an attribute, its mean over the seeds: ``row.p99``, ``row.to_bound``. ``to_h_sf`` and ``to_volume`` divide by the total
    latency of H-SF and by a lower bound on every schedule, ``to_form`` by n²/(2M)·form(x) at the shares x of the lengths; None
    where there is none.
    """

    policy: str
    memory: int
    blind: bool
    values: tuple[Measures, ...]
    runs: tuple[Run, ...] = ()
    benchmark: tuple[Run, ...] = ()
    clock: str = "steps"
    hindsight: str = "h-sf"
    bounds: tuple[str, ...] = ()
    load: float | None = None

    @classmethod
    def of_seeds(cls, rows: Sequence[Row], blind: bool) -> Row:
        """Return one row for the rows of single seeds."""
        joined = {
            name: tuple(item for row in rows for item in getattr(row, name))
            for name in ("values", "runs", "benchmark", "bounds")
        }
        return replace(rows[0], blind=blind, **joined)

    def at(self, axis: str) -> float:
        """Return the load for the axis "load", else the memory in tokens."""
        return self.memory if axis == "M" or self.load is None else self.load

    def mean(self, name: str) -> Mean | None:
        """Return the mean of a measure over the seeds; None where some run does not have it."""
        if any(name not in measures for measures in self.values):
            return None
        return Mean.over_seeds([measures[name] for measures in self.values])

    @property
    def bound(self) -> str:
        """The name of the largest lower bound, or names where it is not the same at every seed."""
        return " or ".join(dict.fromkeys(self.bounds))

    def __getattr__(self, name: str) -> Mean | None:
        if name not in {*MEASURES, *ARRIVALS, *INTERVALS}:
            raise AttributeError(f"a row has no {name}; its measures are {', '.join([*MEASURES, *INTERVALS[:-1]])}")
        return self.mean(name)

    @property
    def forms(self) -> tuple[float, ...] | None:
        """n²/(2M) times the form for each seed; None where no form is given."""
        return tuple(measures["form"] for measures in self.values) if self.to_form else None

    def by_seed(self) -> list[JsonObject]:
        """Return a mapping for each seed with total latency, ratios and cancellations."""
        names = ("seed", "total_latency", *RATIOS, "cancellations")
        return [{"policy": self.policy, **{name: measures.get(name) for name in names}} for measures in self.values]

    def statistics(self) -> JsonObject:
        """Return the three ratios with their standard errors and intervals as JSON data."""
        means = {name: self.mean(name) for name in RATIOS}
        return {name: mean and mean.as_json() for name, mean in means.items()}

    def as_json(self) -> JsonObject:
        """Return JSON data: means over the seeds, and the 95 % intervals of the ratios and of the mean latency."""

        def means(names: Sequence[str], prefix: str = "") -> JsonObject:
            return {name: (mean := self.mean(prefix + name)) and mean.mean for name in names}

        return {
            "policy": self.policy,
            "memory": self.memory,
            **({} if self.load is None else {"load": self.load}),
            "blind": self.blind,
            "clock": self.clock,
            **means(NUMBERS),
            "percentiles": means(PERCENTILES),
            **means(RATIOS),
            "intervals": {name: (mean := self.mean(name)) and mean.as_json()["interval"] for name in INTERVALS},
            "time_to_first_token": means(("mean", *PERCENTILES), "first_token_"),
            **means(("to_bound", "to_benchmark", *ARRIVALS)),
            "bound": self.bound,
            "benchmark": self.hindsight,
        }

    def flat(self) -> JsonObject:
        """Return :meth:`as_json` without nested mappings, for a table."""
        row = self.as_json()
        percentiles, intervals, first_token = (row.pop(k) for k in ("percentiles", "intervals", "time_to_first_token"))
        for name, ends in intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = ends or ("", "")
        return row | percentiles | {f"first_token_{name}": value for name, value in first_token.items()}


def form_in_file(policy: object) -> Form | None:
    """Return the form of ``FILE.py`` whose ``given_for`` names the policy of ``FILE.py[:NAME]``; None where there is none."""
    if isinstance(policy, Policy) or not is_file(policy):
        return None
    name = from_file("policy", str(policy), POLICY).name
    candidates = things("policy", parts(str(policy))[0], FORM).values()
    forms = {id(form): form for form in candidates if name in form.given_for}
    if len(forms) > 1:
        allowed = f"must have at most one form in its file whose given_for names it, not {len(forms)}"
        raise InputError("policy", policy, allowed)
    return next(iter(forms.values()), None)


def form_latency(policy: str | Policy, form: Form | None, run: Run, requests: Requests) -> float | None:
    """Return the latency that the form given for the policy predicts; ``form`` is that of a user's own policy.

    None where no form is given, or where the requests do not share s, l and u.
    """
    given = form_given_for(run.ran) if isinstance(policy, str) else form
    lengths, s, l, u, *_ = requests
    if given is None or not (isinstance(s, int) and isinstance(l, int) and isinstance(u, int)):
        return None
    return form_value(given, lengths, run.memory, s, l, u)


def form_value(form: Form, lengths: IntArray, memory: int, s: int, l: int, u: int) -> float:
    """Return n²/(2M) times a form at the shares of the given lengths."""
    counts = np.bincount(lengths, minlength=u + 1)[l:].astype(float)
    return _value_at(form, s, l, u, counts.tobytes()) / (2 * memory)


@lru_cache(maxsize=256)
def _value_at(form: Form, s: int, l: int, u: int, counts: bytes) -> float:
    """Return a form at counts of lengths, cached because they are the same at every memory."""
    weights: RingElement = np.frombuffer(counts)
    return float(form.on(Setting(s, l, u)).value(weights))


# ---- which blind policy is best ----------------------------------------------------------------------------------

TAILS = ("p99", "makespan")
"""Measures of the slowest requests."""

LEAST_FACTOR = 1.01
"""A tail that is larger by at most this factor is not mentioned."""


class Worse(NamedTuple):
    """A measure in which the best blind policy by the mean is worse than another one, and by which factor."""

    best: Row
    measure: str
    than: str
    factor: float


def ranked_blind(rows: Iterable[Row], axis: str) -> list[list[Row]]:
    """Return the blind rows of each memory or load (``axis``: "M" or "load"), in the order of their mean flow time."""
    by_position: dict[float, list[Row]] = {}
    for row in rows:
        if row.blind:
            by_position.setdefault(row.at(axis), []).append(row)
    return [sorted(group, key=_mean_latency) for group in by_position.values()]


def worse_in_tails(rankings: Iterable[Sequence[Row]]) -> Iterator[Worse]:
    """Iterate over where the p99 or makespan of the best blind policy is more than 1 % above another's."""
    for best, *others in rankings:
        for name in TAILS:
            means = [(mean.mean, row.policy) for row in others if (mean := row.mean(name))]
            smallest, other = min(means, default=(0.0, ""))
            if (mean := best.mean(name)) and mean.mean > LEAST_FACTOR * smallest > 0:
                yield Worse(best, name, other, mean.mean / smallest)


def sentence(rankings: Sequence[Sequence[Row]], axis: str, opening: str, over: str) -> str:
    """Return which blind policy is best where and by how much, and in which tail it is worse than another.

    ``over`` is the ratio to a lower bound that says how good it is, "to_volume" or "to_bound".
    """
    by_best: dict[str, list[Sequence[Row]]] = {}
    for ranking in rankings:
        by_best.setdefault(ranking[0].policy, []).append(ranking)
    if not by_best:
        return "No blind policy ran."
    parts = [_best_policy(rankings_of_best, axis, len(by_best) == 1, over) for rankings_of_best in by_best.values()]
    by_kind: dict[tuple[str, str, str], list[Worse]] = {}
    for worse in worse_in_tails(rankings):
        by_kind.setdefault((worse.best.policy, worse.measure, worse.than), []).append(worse)
    tails = (
        f"The {measure} of {policy} is {_extent((100 * (each.factor - 1) for each in all_worse), ' %')} above that of {than} "
        f"at {_positions((each.best for each in all_worse), axis)}."
        for (policy, measure, than), all_worse in by_kind.items()
    )
    return " ".join([f"{opening[0].upper()}{opening[1:]} the blind policies {'; '.join(parts)}.", *tails])


def _positions(rows: Iterable[Row], axis: str) -> str:
    return f"{axis} = {', '.join(str(row.at(axis)) for row in rows)}"


def _best_policy(rankings: Sequence[Sequence[Row]], axis: str, always: bool, over: str) -> str:
    """Say how good the first row of each ranking is; ``always``: the same policy is best at every memory."""
    best = [ranking[0] for ranking in rankings]
    policy = best[0].policy
    where = f"every {axis} here" if always and len(rankings) > 3 else _positions(best, axis)
    names = ["volume"] if over == "to_volume" else [name for row in best for name in row.bounds]
    ratios_to_bound = [mean.mean for row in best if (mean := row.mean(over))]
    times = f"{_extent(ratios_to_bound)} times the {' or '.join(dict.fromkeys(names))} bound"
    pairs = [(ranking[0], ranking[1]) for ranking in rankings if len(ranking) > 1]
    if not pairs:
        return f"only {policy} ran at {where}: {times}"
    if all(_percent_above(ranking[0], ranking[-1]) == 0 for ranking in rankings):
        return f"all {len(rankings[0])} have the same mean at {where}: {times}"
    paired = [paired_ratio(best, second) for best, second in pairs]
    seconds = ", ".join(dict.fromkeys(second.policy for _, second in pairs))
    percent = _extent((_percent_above(best, second) for best, second in pairs), " %")
    above = "equal" if percent == "0 %" else f"{percent} above"
    return f"{policy} is best at {where}: {times}, the next ({seconds}) {above}{_significance(paired, axis)}"


def _mean_latency(row: Row) -> float:
    return sum(measures["total_latency"] for measures in row.values)


def _percent_above(best: Row, other: Row) -> float:
    return round(100 * (_mean_latency(other) / _mean_latency(best) - 1), 7)


def paired_ratio(best: Row, other: Row) -> Mean:
    """Return the mean over the seeds of the other's total latency over the best's on the same requests."""
    pairs = zip(other.values, best.values, strict=True)
    return Mean.of([above["total_latency"] / below["total_latency"] for above, below in pairs])


def _significance(ratios: Sequence[Mean], axis: str) -> str:
    """Say at how many memories or loads the 95 % interval of the paired ratio contains 1."""
    if any(ratio.interval is None for ratio in ratios):
        return " (one seed)"
    unsure = sum(ratio.interval is not None and ratio.interval[0] <= 1 for ratio in ratios)
    some = f"at {unsure} of {len(ratios)} {'memories' if axis == 'M' else 'loads'}"
    return f" (not told apart {'over these seeds' if unsure == len(ratios) else some})" if unsure else ""


def _extent(values: Iterable[float], unit: str = "") -> str:
    """Return the smallest and the largest number, or one of them where they print alike."""
    numbers = list(values)
    low, high = f"{min(numbers):.3g}", f"{max(numbers):.3g}"
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
