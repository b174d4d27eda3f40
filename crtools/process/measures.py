"""Rows of a comparison: what is measured of the runs of one policy at one memory, a value for each seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crtools.numeric_types import JsonObject
from crtools.process.run import Run
from crtools.process.statistics import Mean

PERCENTILES = (50, 90, 99)
"""Percentiles of the completion times of a run."""

RATIOS = ("to_h_sf", "to_volume", "to_form")
"""Measures that divide the total latency: by H-SF's, by the volume bound, by what the policy's form predicts."""

NUMBERS = ("total_latency", "mean_latency", "makespan", "cancellations")

CLOCK = "steps"

Measures = dict[str, float]
"""Measures of one run, by name; ``form`` and ``to_form`` are missing where no form is given for the policy."""


def measure(run: Run, benchmark: Run, form_latency: float | None) -> Measures:
    """Return the measures of a run; ``benchmark`` is H-SF's run of the same requests."""
    percentiles = np.percentile(run.starts + run.lengths, PERCENTILES)
    measures = {
        "seed": run.seed,
        **{name: getattr(run, name) for name in NUMBERS},
        **{f"p{p}": float(value) for p, value in zip(PERCENTILES, percentiles, strict=True)},
        "to_h_sf": run.total_latency / benchmark.total_latency,
        "to_volume": run.to_volume,
    }
    if form_latency is None:
        return measures
    return measures | {"form": form_latency, "to_form": run.total_latency / form_latency}


@dataclass(frozen=True)
class Row:
    """One policy at one memory: the measures of its runs, one for each seed.

    ``blind``: no rule of the policy reads the true length (``Run.hindsight``). ``runs`` and ``benchmark`` are the runs of the
    policy and of H-SF, empty where they were not kept.
    """

    policy: str
    memory: int
    blind: bool
    values: tuple[Measures, ...]
    runs: tuple[Run, ...] = ()
    benchmark: tuple[Run, ...] = ()

    @classmethod
    def of_seeds(cls, rows: Sequence[Row], blind: bool) -> Row:
        """Return one row for the rows of single seeds."""
        values, runs, benchmark = (
            tuple(item for row in rows for item in getattr(row, name)) for name in ("values", "runs", "benchmark")
        )
        return cls(rows[0].policy, rows[0].memory, blind, values, runs, benchmark)

    def mean(self, name: str) -> Mean | None:
        """Return the mean of a measure over the seeds; None where some run does not have it."""
        if any(name not in measures for measures in self.values):
            return None
        return Mean.over_seeds([measures[name] for measures in self.values])

    @property
    def to_h_sf(self) -> Mean | None:
        """Total latency over H-SF's on the same requests."""
        return self.mean("to_h_sf")

    @property
    def to_volume(self) -> Mean | None:
        """Total latency over the volume bound, a lower bound on every schedule."""
        return self.mean("to_volume")

    @property
    def to_form(self) -> Mean | None:
        """Total latency over n²/(2M)·form(x) at the shares x of the lengths; None where no form is given."""
        return self.mean("to_form")

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
        """Return JSON data: means over the seeds, and the 95 % intervals of the ratios."""
        percentiles, ratios = (f"p{p}" for p in PERCENTILES), {name: self.mean(name) for name in RATIOS}
        return {
            "policy": self.policy,
            "memory": self.memory,
            "blind": self.blind,
            "clock": CLOCK,
            **{name: (mean := self.mean(name)) and mean.mean for name in NUMBERS},
            "percentiles": {name: (mean := self.mean(name)) and mean.mean for name in percentiles},
            **{name: mean and mean.mean for name, mean in ratios.items()},
            "intervals": {name: mean and mean.interval and list(mean.interval) for name, mean in ratios.items()},
        }

    def flat(self) -> JsonObject:
        """Return :meth:`as_json` without nested mappings, for a table."""
        row = self.as_json()
        percentiles, intervals = row.pop("percentiles"), row.pop("intervals")
        for name, ends in intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = ends or ("", "")
        return row | percentiles
