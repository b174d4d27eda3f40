"""Rows of a comparison (``compare.py``): the measures of one policy's runs at one memory in one clock, a value for each seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter

import numpy as np

from crtools.errors import InputError
from crtools.forms import FORM, Form, form_given_for
from crtools.numeric_types import IntArray, JsonObject, RingElement
from crtools.process.flow_bounds import FlowBound, offered_load, step_work
from crtools.process.policies import POLICY, Policy
from crtools.process.run import Run
from crtools.process.statistics import Mean
from crtools.process.workload import Requests
from crtools.setting import Setting
from crtools.user_file import file_of, from_file, is_file, things

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


def _load(run: Run) -> float:
    return offered_load(run.lengths, run.prompts, run.release.astype(float), run.memory, run.coefficients)


ARRIVALS: dict[str, Callable[[Run], float]] = {
    "offered_load": _load,
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
            "intervals": {
                name: (mean := self.mean(name)) and mean.interval and list(mean.interval) for name in INTERVALS
            },
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
    candidates = things("policy", file_of(str(policy)), FORM).values()
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
