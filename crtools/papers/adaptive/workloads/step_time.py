"""How long a step takes, and the latencies of a finished run in seconds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from crtools.numeric_types import FloatArray, IntArray
from crtools.process.run import Run


@dataclass(frozen=True)
class StepTime:
    """A step takes ``fixed`` + ``per_token`` · (tokens processed in it) + ``per_held`` · (tokens held), in milliseconds.

    A decoding request processes one token in a step, a request that starts its whole prompt. For the step from t
    to t + 1 what is held is the memory at t + 1. A start that ends in a cancellation counts like any other.
    """

    name: str
    fixed: float
    per_token: float
    per_held: float

    def seconds(self, processed: IntArray, held: IntArray) -> FloatArray:
        """Return the seconds of steps with these numbers of tokens."""
        return (self.fixed + self.per_token * processed + self.per_held * held) / 1000

    def as_json(self) -> dict[str, float]:
        """Return the three coefficients in milliseconds."""
        return {"ms_fixed": self.fixed, "ms_per_token": self.per_token, "ms_per_held_token": self.per_held}


UNIT = StepTime("unit", 1000.0, 0.0, 0.0)
"""Every step takes one unit (a second): the theory's latency."""

AFFINE = StepTime("affine", 35.2, 0.281, 1e-4)
"""A linear fit to public profiles of LLaMA2-70B on two linked A100s, in the place of the paper's predictor."""

STEP_TIMES = {step.name: step for step in (AFFINE, UNIT)}
"""The step times by name."""


def work(run: Run) -> tuple[IntArray, IntArray]:
    """Return the tokens processed in the steps 0, …, makespan − 1 and the memory at 1, …, makespan, as int64 arrays.

    The run must have been made with ``history=True``.
    """
    episodes, steps = run.episodes, run.makespan
    s = run.prompts[episodes.request]

    def over(weights: IntArray) -> IntArray:
        """Sum the weights of the episodes that run in each step."""
        change = np.zeros(steps + 1, np.int64)
        np.add.at(change, episodes.start, weights)
        np.add.at(change, episodes.end, -weights)
        return np.cumsum(change)[:-1]

    running = over(np.ones_like(s))
    held = over(s - episodes.start) + running * np.arange(1, steps + 1)
    processed = running.copy()
    np.add.at(processed, episodes.start, s - 1)  # the whole prompt in the place of one token
    return processed, held


def mean_latency(run: Run, step: StepTime) -> float:
    """Return the average over the requests of the time, in seconds, at which they complete."""
    if step is UNIT:
        return run.mean_latency
    clock = np.cumsum(step.seconds(*work(run)))
    return float(clock[run.starts + run.lengths - 1].mean())
