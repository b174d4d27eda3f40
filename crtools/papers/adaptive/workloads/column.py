"""A distribution of lengths on consecutive integers as a table of shares, from quantiles or from an exponential family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from crtools.numeric_types import FloatArray, IntArray


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
