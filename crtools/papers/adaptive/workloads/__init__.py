"""The paper's experiments: lengths of requests, and the three experiments themselves."""

from crtools.papers.adaptive.workloads.experiments import STEP_TIMES, Experiment, experiment
from crtools.papers.adaptive.workloads.lengths import Lengths, embedded, lengths

__all__ = ["STEP_TIMES", "Experiment", "Lengths", "embedded", "experiment", "lengths"]
