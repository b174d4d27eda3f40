"""Evidence for the claims on the paper's experiments (exp-1, exp-2, exp-3): runs by setup, and intervals of mean ratios.

A statement "at every n" is supported where each 95 % interval of the mean ratio over seeds lies within the threshold,
contradicted where one lies beyond it, else inconclusive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.deciders.measured import Number, compared, measured
from crtools.ledger.evidence import FALSE, Evidence, Status
from crtools.ledger.readings import Reading
from crtools.papers.adaptive.evidence.reading import one_of, whole
from crtools.papers.adaptive.theory import ALGORITHM, reading_of
from crtools.papers.adaptive.workloads.experiments import (
    A_MAX_RANDOM_ORDER,
    MEMORY,
    OF_HINDSIGHT,
    SIZES,
    STEP_TIMES,
    experiment,
    mean_ratio,
)
from crtools.papers.adaptive.workloads.lengths import EMBEDDED
from crtools.process.measures import Mean

FEW, SEEDS = (200, 1000, 2000), 10
"""The n, and the largest number of seeds, of runs that do not decide."""

A_MIN, RANDOM = ("a-min-literal", "a-min-cohort"), A_MAX_RANDOM_ORDER.name
SETUP = {"lengths": "paper", "step": "affine", "a_min": "a-min-literal", "seeds": "30"}
Ratios = Callable[["Setup"], dict[int, Mean]]


@dataclass(frozen=True)
class Runs:
    """A policy's average latency of each seed of an experiment, by "prediction n step"."""

    latencies: dict[str, list[float]]


@lru_cache(maxsize=64)
def runs(number_: int, law: str, policy: str, seeds: int, sizes: tuple[int, ...]) -> Runs:
    """Run an experiment with one policy; its predictions are numbered from 0."""
    result = experiment(number_, law, sizes=sizes, seeds=seeds, policies=(policy,))
    cells = product(enumerate(result.predictions), sizes, result.steps)
    return Runs({f"{k} {n} {step}": result.latencies(label, n, policy, step) for (k, label), n, step in cells})


@dataclass(frozen=True)
class Setup:
    """The lengths, the step time and the reading of the policies for which a ratio is taken; ``given`` caches the runs."""

    law: str
    step: str
    seeds: int
    sizes: tuple[int, ...]
    a_min: str = "a-min-literal"
    a_max: str = "a-max"
    given: Given | None = field(default=None, compare=False)

    def latencies(self, number_: int, prediction: int, n: int, policy: str) -> list[float]:
        """Return a policy's average latency in each seed of an experiment, in their order."""
        embedded = self.law in EMBEDDED  # no output of such a law is beyond the intervals of an experiment
        if embedded and policy in OF_HINDSIGHT:
            number_, prediction = 1, 0
        arguments = (number_, self.law, policy, self.seeds, self.sizes)
        cache = self.given if embedded else None  # a file may change
        kept: Runs = runs(*arguments) if cache is None else cache.cached(Runs, runs, *arguments)
        return kept.latencies[f"{prediction} {n} {self.step}"]

    def over(self, number_: int, prediction: int, policy: str, to: str = "h-sf") -> dict[int, Mean]:
        """Return the mean ratio of two policies in one experiment, by n."""
        return {n: mean_ratio(*(self.latencies(number_, prediction, n, p) for p in (policy, to))) for n in self.sizes}

    def across(self, policy: str, above: tuple[int, int], below: tuple[int, int]) -> dict[int, Mean]:
        """Return the mean ratio of one policy's latency under two predictions, pairs (experiment, prediction)."""
        return {n: mean_ratio(*(self.latencies(*pair, n, policy) for pair in (above, below))) for n in self.sizes}


def setup_of(given: Given) -> Setup:
    """Return the setup that decides, from the names in ``SETUP``."""
    step, a_min = one_of(given, "step", STEP_TIMES), one_of(given, "a_min", A_MIN)
    seeds = whole("seeds", given["seeds"], 2, 1000)
    if given["lengths"] not in EMBEDDED:
        runs.cache_clear()  # a file may have changed since
    return Setup(given["lengths"], step, seeds, SIZES, a_min, given=given)


def judged(means: Mapping[int, Mean], low: Number, high: Number) -> Status:
    """Return whether mean ratios lie in [low, high] at every n, by their 95 % intervals; thresholds are taken exactly."""
    return compared((mean.interval for mean in means.values()), low, high)


def _others(setup: Setup) -> dict[str, Setup]:
    """Return the setups that are reported and decide nothing: other step time, A_min, lengths and A_max."""
    step = next(name for name in STEP_TIMES if name != setup.step)
    cohort = next(name for name in A_MIN if name != setup.a_min)
    fewer = replace(setup, seeds=min(setup.seeds, SEEDS), sizes=FEW)
    rows = {f"A_min as {cohort}": replace(fewer, a_min=cohort), "A_max in random order": replace(fewer, a_max=RANDOM)}
    rows |= {f"lengths {law}": replace(fewer, law=law) for law in EMBEDDED if law != setup.law}
    few = {f"{label}, {fewer.seeds} seeds, n in {set(FEW)}": other for label, other in rows.items()}
    return {f"{step} step time": replace(setup, step=step)} | few


def measured_ratio(
    setup: Setup, ratios: Ratios, low: Number, high: Number, more: Mapping[str, Any] | None = None
) -> Evidence:
    """Judge one sentence by mean ratios; those of other setups are reported where they differ."""
    means = ratios(setup)
    other_setups = [
        {"with": label, "status": judged(other_means, low, high), "mean_ratio_over_n": _range_text(other_means)}
        for label, other in _others(setup).items()
        if (other_means := ratios(other)) != ratios(replace(setup, seeds=other.seeds, sizes=other.sizes))
    ]
    if low == 0:
        allowed = f"at most {_threshold_text(high)}"
    elif high == inf:
        allowed = f"at least {_threshold_text(low)}"
    else:
        allowed = f"{_threshold_text(low)} to {_threshold_text(high)}"
    by_n = [{"n": n, "mean_ratio": str(m)} for n, m in means.items()]
    sizes = ", …, ".join(dict.fromkeys(map(str, (min(means), max(means)))))
    return measured(
        (mean.interval for mean in means.values()),
        least=low,
        most=high,
        sample=f"{setup.seeds} seeds from 0, lengths {setup.law}, {setup.step} step time, $n = {sizes}$",
        margin=f"the ratio must be {allowed}; its means are {_range_text(means)}, with 95 % intervals",
        values={"by_n": by_n, "beside": other_setups, **(more or {})},
    )


def _threshold_text(value: Number) -> str:
    """Return a threshold as a short decimal where that is exact, else as a fraction."""
    return f"{float(value):g}" if Fraction(f"{float(value):g}") == value else str(value)


def at_the_largest(means: Mapping[int, Mean]) -> dict[int, Mean]:
    """Keep the largest n only."""
    largest = max(means)
    return {largest: means[largest]}


def _range_text(means: Mapping[int, Mean]) -> str:
    values = [m.mean for m in means.values()]
    return f"{min(values):.3f} to {max(values):.3f}"


# ---- the decision ----------------------------------------------------------------------------------------------------


def reading(id: str, setup: Setup, **words: str) -> Reading:
    """Return how a claim on an experiment is read."""
    surrogate = " (surrogate: with the published figures of the paper's sample)" if setup.law == "paper" else ""
    n, lengths = f"{SIZES[0]}, {SIZES[1]}, …, {SIZES[-1]}", f"{setup.law}{surrogate}"
    return reading_of(id, M=MEMORY, n=n, lengths=lengths, step=setup.step, a_min=setup.a_min, **words)


def decision(read: Reading, findings: tuple[Finding, ...], **displays: Evidence) -> Decision:
    """Return the decision on an experiment from findings at every n."""
    verdict = read.verdict(ALGORITHM, _reason(findings), *findings)
    summaries = {"supported": "runs on surrogate lengths agree", "contradicted": "not reproduced on surrogate lengths"}
    summary = summaries.get(verdict.status, "runs on surrogate lengths do not decide")
    false = [f.id for f in findings if f.status in FALSE]
    if false and all(id.startswith("a-min-") for id in false):
        summary = "surrogate lengths: $A_min$ not near H-SF"
    elif false == ["a-max-halved"]:
        summary = "surrogate lengths: $A_max$ not near half"
    return Decision(summary, (verdict,), read.proof(**displays))


def _reason(findings: tuple[Finding, ...]) -> str:
    false = [f.says for f in findings if f.status in FALSE]
    open_ = [f.says for f in findings if f.status == "inconclusive"]
    if false:
        return f"not reproduced on surrogate lengths (the sample is not published): that {'; that '.join(false)}"
    return f"runs do not decide whether {'; whether '.join(open_)}" if open_ else "the runs agree with every sentence"
