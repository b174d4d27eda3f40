"""Clocks: how long a step of the process takes, in steps or in seconds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, overload

from crtools.errors import InputError
from crtools.numeric_types import FloatArray, IntArray

LARGEST_COEFFICIENT = 10**9
"""The largest coefficient in seconds; with it no time overflows."""


@dataclass(frozen=True)
class Clock:
    """The time of one step: ``base + per_token · (tokens processed) + per_held · (tokens held at its end)``.

    A running request processes one token in a step; a request that starts processes its whole prompt. In the clock ``steps``
    the coefficients are (1, 0, 0) and times are integers.

    Examples
    --------
    >>> SECONDS.step(processed=100, held=5000)
    0.0638
    """

    name: str
    base: float
    per_token: float
    per_held: float

    @property
    def in_steps(self) -> bool:
        """Whether times are integers: every step takes 1."""
        return self.name == "steps"

    @overload
    def step(self, processed: float, held: float) -> float: ...
    @overload
    def step(self, processed: IntArray, held: IntArray) -> FloatArray: ...
    def step(self, processed: Any, held: Any) -> Any:
        """Return the time of steps in which this many tokens are processed and, at the end, held."""
        return self.base + self.per_token * processed + self.per_held * held


STEPS = Clock("steps", 1, 0, 0)
"""Every step takes 1: the model of the paper."""

SECONDS = Clock("seconds", 0.0352, 0.000281, 1e-7)
"""A linear fit to public profiles of LLaMA2-70B on two linked A100s, in seconds."""


def as_clock(clock: str | Sequence[float] | Clock) -> Clock:
    """Return the clock of a name, ``steps`` or ``seconds``, or of three coefficients (base, per_token, per_held) in seconds.

    A text may hold the three with commas between.
    Raises ``InputError`` unless each coefficient is a finite number ≥ 0 and base + per_token > 0.

    Examples
    --------
    >>> as_clock((0.02, 0.0001, 0)).name
    'seconds'
    """
    if isinstance(clock, Clock):
        return clock if clock.in_steps else as_clock((clock.base, clock.per_token, clock.per_held))
    names = {known.name: known for known in (STEPS, SECONDS)}
    if isinstance(clock, str) and clock in names:
        return names[clock]
    try:
        coefficients = [float(value) for value in (clock.split(",") if isinstance(clock, str) else clock)]
    except (TypeError, ValueError):
        coefficients = []
    if len(coefficients) != 3:
        raise InputError("clock", clock, "must be steps, seconds or three coefficients base, per_token, per_held")
    if not all(isfinite(value) and value >= 0 for value in coefficients) or coefficients[0] + coefficients[1] <= 0:
        raise InputError("clock", clock, "coefficients must be finite and ≥ 0, and base + per_token > 0")
    if max(coefficients) > LARGEST_COEFFICIENT:
        raise InputError("clock", clock, f"coefficients must be at most {LARGEST_COEFFICIENT:g} seconds")
    return Clock("seconds", *coefficients)
