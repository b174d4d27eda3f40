"""Where requests come from, how long a step takes, and the paper's three experiments."""

from crtools.papers.adaptive.workloads.experiments import Experiment, experiment
from crtools.papers.adaptive.workloads.lengths import Lengths, embedded, lengths
from crtools.papers.adaptive.workloads.step_time import STEP_TIMES, StepTime, mean_latency

__all__ = ["STEP_TIMES", "Experiment", "Lengths", "StepTime", "embedded", "experiment", "lengths", "mean_latency"]
