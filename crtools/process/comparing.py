"""``compare``: a policy's simulated total latency over its form, over H-SF's and over the volume bound, seed by seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.forms import form
from crtools.process.run import Run, simulate
from crtools.setting import Setting, integer

FORM_OF = {
    "h-sf": "h-sf",
    "a-random": "a-random",
    "a-max": "a-max",
    "a-ell": "a-ell",
    "a-min-literal": "a-min",
    "a-min-cohort": "a-min",
}
"""The paper's form for each policy; whether it describes the policy is what the comparison shows."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Mean:
    """The mean of a quantity over seeds, its standard error and a Student 95 % interval (None for one seed)."""

    mean: float
    standard_error: float | None
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """Return the statistics of independent values."""
        n = len(values)
        mean = float(np.mean(values))
        if n < 2:
            return cls(mean, None, None)
        from scipy.stats import t

        error = float(np.std(values, ddof=1)) / sqrt(n)
        half = float(t.ppf(0.5 + CONFIDENCE / 2, n - 1)) * error
        return cls(mean, error, (mean - half, mean + half))

    def as_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "interval": None if self.interval is None else list(self.interval),
        }

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.mean:.5g}"
        return f"{self.mean:.5g} [{self.interval[0]:.5g}, {self.interval[1]:.5g}]"


@dataclass(frozen=True)
class Comparison:
    """The runs of one policy and of H-SF on the same drawn lengths, one pair per seed."""

    policy: str
    law: Distribution
    s: int
    runs: tuple[Run, ...]
    benchmark: tuple[Run, ...]
    forms: tuple[float, ...]

    @cached_property
    def to_form(self) -> Mean:
        """TEL over n²/(2M) · form(x), x the shares of the drawn lengths."""
        return Mean.of([r.total_latency / f for r, f in zip(self.runs, self.forms, strict=True)])

    @cached_property
    def to_h_sf(self) -> Mean:
        """TEL over H-SF's TEL on the same lengths: the simulated ratio."""
        return Mean.of([r.total_latency / b.total_latency for r, b in zip(self.runs, self.benchmark, strict=True)])

    @cached_property
    def to_volume(self) -> Mean:
        """TEL over the volume bound, which no schedule is below."""
        return Mean.of([r.to_volume for r in self.runs])

    def as_json(self) -> dict[str, Any]:
        """Return the three ratios as JSON data."""
        return {name: getattr(self, name).as_json() for name in ("to_h_sf", "to_volume", "to_form")}


def compare(
    policy: str,
    dist: str | Distribution,
    *,
    n: int,
    memory: int,
    s: int = 0,
    seeds: int | Iterable[int] = 1,
    l: int | None = None,
    u: int | None = None,
    jobs: int = 1,
    progress: Callable[[Sequence[int]], Iterable[int]] = iter,
) -> Comparison:
    """Simulate a policy and H-SF on lengths drawn from a law, one run each per seed, and compare.

    n: requests; memory: M in tokens; s: prompt size in tokens; seeds: seeds, or how many of 0, 1, …; l, u: the
    interval, by default the ends of the support (u: the largest length drawn where the support is unbounded); jobs:
    processes. Results do not depend on ``jobs``. Raises ``InputError`` for values that are not allowed.
    """
    law = distribution(dist)
    n, memory, s = integer("n", n, 1), integer("memory", memory, 1), integer("s", s, 0)
    chosen = (
        list(range(integer("seeds", seeds, 1))) if isinstance(seeds, int) else [integer("seeds", k, 0) for k in seeds]
    )
    if not chosen:
        raise InputError("seeds", "none", "there must be at least one seed")
    jobs = integer("jobs", jobs, 1, 256)
    arguments = (policy, law, n, memory, s, l, u)
    if jobs == 1 or len(chosen) == 1:
        rows = [one_pair(*arguments, seed) for seed in progress(chosen)]
    else:
        from joblib import Parallel, delayed

        rows = Parallel(n_jobs=jobs)(delayed(one_pair)(*arguments, seed) for seed in progress(chosen))
    runs, benchmark, forms = zip(*rows, strict=True)  # pyright: ignore[reportArgumentType]
    return Comparison(runs[0].policy, law, s, runs, benchmark, forms)


def one_pair(
    policy: str, law: Distribution, n: int, memory: int, s: int, l: int | None, u: int | None, seed: int
) -> tuple[Run, Run, float]:
    """Return the policy's run, H-SF's, and n²/(2M) times the policy's form, for one seed."""
    lengths = law.sample(n, np.random.default_rng(seed))
    low, high = law.support
    low = low if l is None else l
    high = (int(lengths.max()) if high is None else high) if u is None else u
    run = simulate(policy, lengths, memory, s, low, high, seed=seed)
    best = simulate("h-sf", lengths, memory, s, low, high, seed=seed)
    if run.ran not in FORM_OF:
        raise InputError("policy", run.ran, f"has no form; there are {', '.join(FORM_OF)}")
    return run, best, form_value(FORM_OF[run.ran], lengths, memory, s, low, high)


def form_value(name: str, lengths: Any, memory: int, s: int, l: int, u: int) -> float:
    """Return n²/(2M) times a form, at the shares of the given lengths."""
    counts: Any = np.bincount(lengths, minlength=u + 1)[l:].astype(float)
    return float(form(name).on(Setting(s, l, u)).value(counts)) / (2 * memory)
