"""Workloads of the paper's experiments: lengths of requests, step times, and the three experiments themselves."""

from crtools.papers.adaptive.workloads.experiments import Experiment, experiment
from crtools.papers.adaptive.workloads.lengths import Lengths, embedded, lengths
from crtools.papers.adaptive.workloads.step_time import STEP_TIMES, StepTime, mean_latency

__all__ = ["STEP_TIMES", "Experiment", "Lengths", "StepTime", "embedded", "experiment", "lengths", "mean_latency"]
