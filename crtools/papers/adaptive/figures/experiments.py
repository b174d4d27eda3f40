"""The paper's experiments 1, 2 and 3 as figures."""

from crtools.papers.adaptive.workloads.experiments import A_MAX_RANDOM_ORDER, OF_THE_PAPER, experiment
from crtools.plotting.figure import Figure
from crtools.process.sweep import Progress


def experiment_figure(number: int, progress: Progress, lengths: str, n: tuple[int, ...], seeds: int) -> Figure:
    """Run one experiment and return its figure.

    Where intervals differ, A_max with all requests in random order is drawn as well: the other reading of
    Algorithm 1.
    """
    policies = OF_THE_PAPER if number == 1 else (*OF_THE_PAPER, A_MAX_RANDOM_ORDER.name)
    return experiment(number, lengths, sizes=n, seeds=seeds, policies=policies, progress=progress).plot()
