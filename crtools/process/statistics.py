"""The mean of a measurement over seeds, with its standard error and a Student interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt

import numpy as np

from crtools.numeric_types import JsonObject

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
