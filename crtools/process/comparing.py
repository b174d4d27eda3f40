"""``compare``: a policy's simulated total latency over its form, over H-SF's and over the volume bound, seed by seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from itertools import islice
from math import sqrt
from typing import Any

import numpy as np

from crtools.dataframes import frame
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.forms import FORM, Form, form_given_for
from crtools.memory import refuse_too_many
from crtools.parallel import cores
from crtools.process.policies import POLICY, Policy, known_policies, known_policy
from crtools.process.requests import Columns, Requests, given_ends, has_prompts, of_law, requests
from crtools.process.run import BYTES, LARGEST_SEED, Run, simulate
from crtools.process.sweep import Progress, run_sweep
from crtools.setting import LARGEST_NUMBER, Setting, integer
from crtools.user_file import file_of, from_file, is_file, things

CONFIDENCE = 0.95

LARGEST_SWEEP = 10**6
"""The most seeds of one comparison."""


KEPT = 64
"""Bytes of memory that the two runs of a seed keep for each request."""


@dataclass(frozen=True)
class Mean:
    """The mean of a quantity over seeds, its standard error and a Student 95 % interval.

    Both are None for one seed, and where :meth:`over_seeds` finds that nothing varies.
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
        if min(values) == max(values):  # no rounding error stands for a standard error
            return cls(float(values[0]), 0.0, (float(values[0]), float(values[0])))
        mean = float(np.mean(values))
        from scipy.special import stdtrit

        error = float(np.std(values, ddof=1)) / sqrt(n)
        half = float(stdtrit(n - 1, 0.5 + CONFIDENCE / 2)) * error
        return cls(mean, error, (mean - half, mean + half))

    @classmethod
    def over_seeds(cls, values: Sequence[float]) -> Mean:
        """Return the statistics of a value for each seed; one that is the same at every seed has no interval."""
        return cls.of(values[:1] if min(values) == max(values) else values)

    def as_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return asdict(self) | {"interval": self.interval and list(self.interval)}

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.mean:.5g}"
        return f"{self.mean:.5g} ± {self.standard_error:.2g} [{self.interval[0]:.5g}, {self.interval[1]:.5g}]"

    @property
    def short(self) -> str:
        """The mean and half the interval's length, as a narrow table shows them."""
        return f"{self.mean:.4g}" + (f" ± {self.interval[1] - self.mean:.2g}" if self.interval else "")

    def texts(self) -> tuple[str, str]:
        """Return the mean and the interval as a table shows them, the latter empty for one seed."""
        ends = (f"{end:.3g}" if abs(end) < 1000 else f"{end:.0f}" for end in self.interval or ())
        return f"{self.mean:.5g}", f"[{', '.join(ends)}]" if self.interval else ""


@dataclass(frozen=True, repr=False)
class Comparison:
    """The runs of one policy and of H-SF on the same drawn lengths, one pair per seed.

    ``forms``: n²/(2M) times the form given for the policy (``Form.given_for``), at the drawn lengths; None where none is.
    """

    policy: str
    law: Distribution | Requests
    s: int
    runs: tuple[Run, ...]
    benchmark: tuple[Run, ...]
    forms: tuple[float, ...] | None

    def __repr__(self) -> str:
        first = self.runs[0]
        rows = self.law.name if isinstance(self.law, Requests) else None
        size = f"n={first.n}, memory={first.memory}, {'' if rows else f's={self.s}, '}{len(self.runs)} seeds"
        return f"compare({self.policy!r}, {rows or self.law}, {size}): TEL / H-SF's = {self.to_h_sf} (supported)"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each seed: the total latency, H-SF's, the ratios, the cancellations."""
        return [
            {
                "policy": self.policy, "seed": run.seed, "total_latency": run.total_latency,
                "to_h_sf": run.total_latency / best.total_latency, "to_volume": run.to_volume,
                "to_form": None if self.forms is None else run.total_latency / self.forms[n],
                "cancellations": run.cancellations,
            }
            for n, (run, best) in enumerate(zip(self.runs, self.benchmark, strict=True))
        ]  # fmt: skip

    def table(self) -> Any:
        """Return :meth:`rows` as a pandas DataFrame; ``ImportError`` where pandas is not installed."""
        return frame(self.rows())

    @cached_property
    def to_form(self) -> Mean | None:
        """TEL over n²/(2M) · form(x), x the shares of the drawn lengths; None where there is no form."""
        if self.forms is None:
            return None
        return Mean.over_seeds([r.total_latency / f for r, f in zip(self.runs, self.forms, strict=True)])

    @cached_property
    def to_h_sf(self) -> Mean:
        """TEL over H-SF's TEL on the same lengths: the simulated ratio."""
        pairs = zip(self.runs, self.benchmark, strict=True)
        return Mean.over_seeds([run.total_latency / best.total_latency for run, best in pairs])

    @cached_property
    def to_volume(self) -> Mean:
        """TEL over the volume bound, which no schedule is below."""
        return Mean.over_seeds([r.to_volume for r in self.runs])

    def as_json(self) -> dict[str, Any]:
        """Return the three ratios as JSON data."""
        ratios = {"to_h_sf": self.to_h_sf, "to_volume": self.to_volume, "to_form": self.to_form}
        return {name: None if mean is None else mean.as_json() for name, mean in ratios.items()}


def compare_one(
    policy: str | Policy,
    dist: str | Distribution,
    *,
    n: int,
    memory: int,
    s: int = 0,
    seeds: int | Iterable[int] = 1,
    l: int | None = None,
    u: int | None = None,
    jobs: int | None = 1,
    dask: str | None = None,
    progress: Progress = iter,
) -> Comparison:
    """Simulate a policy and H-SF on lengths drawn from a law, one run each per seed, and compare.

    policy: a name, a ``Policy``, or ``FILE.py[:NAME]``, whose form is one of that file whose ``given_for`` names the policy;
    dist: a law, or rows with prompts of their own, ``csv:FILE#OUTPUTS,PROMPTS`` or ``parquet:FILE#OUTPUTS[,PROMPTS]``, of which
    n are drawn without replacement; n: requests; memory: M in tokens; s: prompt size in tokens; seeds: seeds, or how many of
    0, 1, …; l, u: the interval, by default the ends of the support (u: the largest length drawn where the support is
    unbounded); jobs: processes, None for the cores of the machine where that is sooner; dask: the address of a Dask scheduler,
    whose workers run the seeds instead. Results do not depend on ``jobs`` or ``dask``. Raises ``InputError`` for
    values that are not allowed, for more than fits in memory and for a cluster that cannot be used.
    """
    if isinstance(policy, Policy) and known_policies().get(policy.name) == policy:
        policy = policy.name  # a copy that went to another process would not be known there
    form = form_of(policy)
    policy = known_policy(policy)
    n, memory, s = integer("n", n, 1, LARGEST_NUMBER), integer("memory", memory, 1), integer("s", s, 0)
    ends = given_ends(l, u)
    own = requests(dist, memory, s, None, None, ends) if has_prompts(dist) else of_law(distribution(dist), s, ends)
    integer("n", n, 1, own.count)
    chosen = seeds_of(seeds)
    jobs = None if jobs is None else integer("jobs", jobs, 1, 256)
    here = 0 if dask is not None else min(jobs or cores(), len(chosen))
    refuse_too_many("n", n, lambda n: n * (BYTES[0] * here + KEPT * len(chosen)))
    rows = run_sweep(one_pair, (policy, form, own, n, memory), chosen, jobs, dask, progress)
    runs, benchmark, forms = (tuple(column) for column in zip(*rows, strict=True))
    return Comparison(runs[0].policy, own.law or own, s, runs, benchmark, None if forms[0] is None else forms)


def seeds_of(seeds: Any) -> list[int]:
    """Return the seeds, or so many of 0, 1, …; ``InputError`` for none, or more than ``LARGEST_SWEEP``."""
    if isinstance(seeds, Iterable) and not isinstance(seeds, str | bytes) and getattr(seeds, "ndim", 1):
        chosen = [integer("seeds", seed, 0, LARGEST_SEED) for seed in islice(seeds, LARGEST_SWEEP + 1)]
        if not 1 <= len(chosen) <= LARGEST_SWEEP:
            raise InputError("seeds", "more" if chosen else "none", f"there must be 1 to {LARGEST_SWEEP} seeds")
        return chosen
    return list(range(integer("seeds", seeds, 1, LARGEST_SWEEP)))


def one_pair(
    policy: str | Policy,
    form: Form | None,
    source: Requests,
    n: int,
    memory: int,
    seed: int,
) -> tuple[Run, Run, float | None]:
    """Return the policy's run, H-SF's, and n²/(2M) times the policy's form (None where it has none), for one seed."""
    drawn = source.draw(n, seed)
    run = simulate(policy, drawn[0], memory, *drawn[1:], seed=seed)
    best = run if policy == "h-sf" else simulate("h-sf", drawn[0], memory, *drawn[1:], seed=seed)
    return run, best, form_of_run(policy, form, run, drawn)


def form_of(policy: object) -> Form | None:
    """Return the form of ``FILE.py`` whose ``given_for`` names the policy of ``FILE.py[:NAME]``; None where there is none."""
    if isinstance(policy, Policy) or not is_file(policy):
        return None
    own = from_file("policy", str(policy), POLICY)
    forms = things("policy", file_of(str(policy)), FORM).values()
    found = {id(form): form for form in forms if own.name in form.given_for}
    if len(found) > 1:
        raise InputError(
            "policy", policy, f"has {len(found)} forms in its file that are given for it; there must be one"
        )
    return next(iter(found.values()), None)


def form_of_run(policy: str | Policy, form: Form | None, run: Run, drawn: Columns) -> float | None:
    """Return n²/(2M) times the form given for the policy, at the shares of the drawn lengths.

    None where there is none, or where the requests do not share s, l and u. ``form``: of a policy of one's own.
    """
    given = form_given_for(run.ran) if isinstance(policy, str) else form
    lengths, s, l, u = drawn
    if given is None or not all(isinstance(column, int) for column in (s, l, u)):
        return None
    return form_value(given, lengths, run.memory, s, l, u)


def form_value(form: Form, lengths: Any, memory: int, s: int, l: int, u: int) -> float:
    """Return n²/(2M) times a form, at the shares of the given lengths."""
    counts: Any = np.bincount(lengths, minlength=u + 1)[l:].astype(float)
    return _at(form, s, l, u, counts.tobytes()) / (2 * memory)


@lru_cache(maxsize=256)
def _at(form: Form, s: int, l: int, u: int, counts: bytes) -> float:
    """Return a form at the counts of lengths, which are the same at every memory."""
    weights: Any = np.frombuffer(counts)
    return float(form.on(Setting(s, l, u)).value(weights))
