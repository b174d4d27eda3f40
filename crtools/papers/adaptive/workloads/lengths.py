"""Distributions of requests (prompt and output length together) by name: embedded ones, a CSV file, or a distribution's spec."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from crtools.data_files import FROM_DATA, parse_source, read_table
from crtools.distributions import Distribution, Empirical, distribution
from crtools.errors import InputError
from crtools.names import canonical
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.workload import Predictions
from crtools.setting import LARGEST_LENGTH, integer
from crtools.user_file import is_file


@dataclass(frozen=True, eq=False)
class Column:
    """The law with share ``shares[k]`` (float64, together 1) at ``smallest`` + k tokens."""

    smallest: int
    shares: FloatArray

    @classmethod
    def from_quantiles(cls, probabilities: Sequence[float], values: Sequence[int]) -> Column:
        """Return the law of the quantile function through these points, linear between them, rounded to integers.

        Probabilities increase from 0 to 1; values are integers that do not decrease.
        """
        smallest, largest = values[0], values[-1]
        cumulative = np.interp(np.arange(smallest, largest) + 0.5, values, probabilities)
        return cls(smallest, np.diff(np.concatenate([[0.0], cumulative, [1.0]])))

    @classmethod
    def exponential(cls, figures: Mapping[str, Any], multipliers: Mapping[str, float]) -> Column:
        """Return the law on 1, …, maximum with shares exp(Σ multiplier · feature), and a given share at the maximum.

        ``figures`` has ``maximum``, ``median`` and ``share_at_maximum``. The features are ``z``, ``z^2`` and
        ``log z`` with z = k / maximum, and ``below median``: 1 below the median, ½ at it, 0 above.
        """
        last, median = figures["share_at_maximum"], figures["median"]
        k = np.arange(1, figures["maximum"] + 1)
        z = k / figures["maximum"]
        features = {"z": z, "z^2": z**2, "log z": np.log(z), "below median": (k < median) + 0.5 * (k == median)}
        exponent = sum(multiplier * features[name] for name, multiplier in multipliers.items())
        weights = np.exp(exponent - np.max(exponent))
        weights[-1] = 0
        shares = weights * (1 - last) / weights.sum()
        shares[-1] = last
        return cls(1, shares)

    @cached_property
    def cumulative(self) -> FloatArray:
        """The share of lengths up to each."""
        return np.cumsum(self.shares)

    @property
    def lengths(self) -> IntArray:
        """The lengths of the table, in tokens."""
        return self.smallest + np.arange(len(self.shares))

    @property
    def mean(self) -> float:
        """The mean length in tokens."""
        return float(self.shares @ self.lengths)

    @property
    def variance(self) -> float:
        """The variance in tokens squared."""
        return float(self.shares @ (self.lengths - self.mean) ** 2)

    @property
    def median(self) -> int:
        """The smallest length up to which half of the weight lies."""
        return int(self.at(np.array(0.5)))

    @property
    def largest(self) -> int:
        """The largest length of positive share."""
        return int(self.lengths[self.shares > 0][-1])

    def at(self, rank: FloatArray) -> IntArray:
        """Return the lengths at ranks in [0, 1): the law's quantile function, on an array."""
        indices = np.searchsorted(self.cumulative, rank, side="right")
        return self.lengths[np.minimum(indices, len(self.shares) - 1)]

    def figures(self) -> dict[str, float]:
        """Return smallest and largest length, mean, median and variance."""
        return {
            "minimum": int(self.lengths[self.shares > 0][0]),
            "maximum": self.largest,
            "mean": self.mean,
            "median": self.median,
            "variance": self.variance,
        }


def mixed(columns: Sequence[Column]) -> Column:
    """Return the mixture of laws in equal shares."""
    smallest = min(c.smallest for c in columns)
    shares = np.zeros(max(c.smallest + len(c.shares) for c in columns) - smallest)
    for c in columns:
        shares[c.smallest - smallest :][: len(c.shares)] += c.shares / len(columns)
    return Column(smallest, shares)


EMBEDDED = ("paper", "paper-smooth", "azure-conv")
"""The embedded distributions; docs/experiments.md has their derivation, benchmarks/calibrate_lengths.py makes their tables.

Figure ``lengths`` draws them (``PANELS``), and the claims exp-1 to exp-3 report each.
"""

PUBLISHED = {
    "prompts": {"minimum": 1, "maximum": 468, "mean": 41, "median": 11, "variance": 4961},
    "outputs": {"minimum": 1, "maximum": 883, "mean": 85, "median": 43, "variance": 9702},
}
"""Section 6 of the paper on its sample of 2,000 conversations of LMSYS-Chat-1M, in tokens."""


@dataclass(frozen=True, eq=False)
class Lengths(ABC):
    """A source of requests. name: its name in results. source: its origin, in a sentence."""

    name: str
    source: str

    @abstractmethod
    def draw(self, n: int, seed: int) -> tuple[IntArray, IntArray]:
        """Return the prompts and the outputs of n requests, two int64 arrays in tokens: the first n of any larger draw."""


@dataclass(frozen=True, eq=False)
class Table(Lengths):
    """An embedded law: prompts, and outputs within each of several groups of equal share in increasing prompts.

    One group means that prompts and outputs are independent. Requests are drawn independently.
    """

    prompts: Column
    groups: tuple[Column, ...]

    @cached_property
    def outputs(self) -> Column:
        """The outputs of all requests."""
        return mixed(self.groups)

    def draw(self, n: int, seed: int) -> tuple[IntArray, IntArray]:
        """Return the prompts and the outputs of n requests."""
        rank, second = _generator(seed).random((n, 2)).T
        group_of = np.floor(rank * len(self.groups)).astype(int)
        outputs = np.empty(n, np.int64)
        for group, column in enumerate(self.groups):
            outputs[group_of == group] = column.at(second[group_of == group])
        return self.prompts.at(rank).astype(np.int64), outputs


@dataclass(frozen=True, eq=False)
class Rows(Lengths):
    """The rows of a user's file; n of them are drawn without replacement, prompt and output of a row together."""

    prompts: IntArray
    outputs: IntArray
    predicted: tuple[IntArray, IntArray] | None = None
    """What two further columns predict: l and u of each row."""

    def predictions(self, n: int, seed: int) -> tuple[IntArray, IntArray]:
        """Return l and u of the rows that are drawn."""
        assert self.predicted is not None
        chosen = _generator(seed).permutation(len(self.outputs))[:n]
        return self.predicted[0][chosen], self.predicted[1][chosen]

    def draw(self, n: int, seed: int) -> tuple[IntArray, IntArray]:
        """Return the prompts and the outputs of n rows; ``InputError`` where there are fewer."""
        if n > len(self.outputs):
            raise InputError("n", n, f"must be at most the number of rows of {self.name}, {len(self.outputs)}")
        chosen = _generator(seed).permutation(len(self.outputs))[:n]
        return self.prompts[chosen], self.outputs[chosen]


@dataclass(frozen=True, eq=False)
class OnePrompt(Lengths):
    """Outputs from a distribution, and one prompt size for all."""

    law: Distribution
    prompt: int

    def draw(self, n: int, seed: int) -> tuple[IntArray, IntArray]:
        """Return the prompts and the outputs of n requests."""
        return np.full(n, self.prompt, np.int64), np.asarray(self.law.sample(n, _generator(seed)), np.int64)


def _generator(seed: int) -> np.random.Generator:
    """Return a generator with other numbers than those that a run of the same seed draws."""
    return np.random.default_rng([seed, 1])


def lengths(
    text: str | Distribution | npt.ArrayLike, s: int = 0, predictions: str | None = None, skip_invalid: bool = False
) -> Lengths:
    """Return the source of requests, with prompts and outputs, that a text, a distribution or an array names.

    text: one of ``EMBEDDED``, ``csv:FILE#OUTPUTS,PROMPTS`` (two columns of a file; ``jsonl:`` and ``parquet:`` too), or
        a law, for instance ``csv:FILE#OUTPUTS``, or a distribution or an array of lengths; then every prompt has ``s`` tokens.
    predictions: where it is ``LOW,HIGH``, two columns of the file, they are read too.
    skip_invalid: leave out rows of a file that cannot be used.

    Raises ``InputError`` for a text that is none of these and a file that cannot be read.
    """
    if not isinstance(text, str):
        drawn = text if isinstance(text, Distribution) else Empirical.from_lengths(np.asarray(text))
        return _one_prompt(str(drawn), drawn, s)
    name = text.strip()
    if "(" not in name and ":" not in name and not is_file(name):
        others = ", csv:FILE#OUTPUTS,PROMPTS, or a law such as poisson(mean=3)"
        return embedded(canonical("lengths", name, EMBEDDED, others))
    if name.startswith(FROM_DATA) and "," in name.rpartition("#")[2]:
        predicted_columns = None if predictions is None else Predictions.of(predictions).columns
        return _rows(name, predicted_columns or (), skip_invalid)
    try:
        law = distribution(name, skip_invalid)
    except InputError as error:
        raise InputError("lengths", text, f"{error.argument} = {error.value}: {error.allowed}") from None
    return _one_prompt(name, law, s)


def _one_prompt(name: str, law: Distribution, s: int) -> OnePrompt:
    if law.parameters:
        raise InputError("lengths", name, "must have no free parameter")
    return OnePrompt(name, f"drawn from {law.spec()}, every prompt {s} tokens", law, integer("s", s, 0, LARGEST_LENGTH))


def embedded(name: str) -> Table:
    """Return one of the laws that are shipped."""
    data = json.loads((Path(__file__).with_name("data") / f"{name}.json").read_text(encoding="utf-8"))
    if data["kind"] == "quantiles":
        prompts = Column.from_quantiles(data["prompt_ranks"], data["prompts"])
        groups = tuple(Column.from_quantiles(data["output_ranks"], row) for row in data["outputs"])
    else:
        prompts, *groups = (Column.exponential(data[k], data[k]["multipliers"]) for k in ("prompts", "outputs"))
    return Table(data["name"], data["source"], prompts, tuple(groups))


def _rows(name: str, predicted: Sequence[str], skip_invalid: bool) -> Rows:
    kind, path, header = parse_source("lengths", name, "OUTPUTS,PROMPTS")
    if header.count(",") > 1:
        raise InputError("lengths", name, f"must name outputs and prompts alone: {kind}:FILE#OUTPUTS,PROMPTS")
    columns = [*(column.strip() for column in header.split(",")), *predicted]
    table = read_table(kind, path, columns)
    numbers = [table.integers(column, int(k != 1), LARGEST_LENGTH) for k, column in enumerate(columns)]
    kept = table.kept(skip_invalid)
    outputs, prompts, *ends = (column[kept] for column in numbers)
    source = f"{len(outputs)} rows of {path}, drawn without replacement"
    return Rows(name, source, prompts, outputs, (ends[0], ends[1]) if ends else None)


@cache
def _law(name: str) -> Distribution:
    column = embedded(name).outputs
    pairs = zip(column.lengths.tolist(), column.shares.tolist(), strict=True)
    return Empirical({k: Fraction(share) for k, share in pairs}, name)


LAWS: dict[str, Callable[[], Distribution]] = {name: partial(_law, name) for name in EMBEDDED}
"""Functions that make the output lengths of the embedded workloads, by name (``Ledger.laws``); prompts are left out."""
