"""The figures, one file each: what each says, what draws it, and the claims that it belongs to."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from crtools.plotting.figure import Drawing

HOME = "crtools.papers.adaptive.figures"


def _drawing(says: str, beside: tuple[str, ...], function: str, *arguments: Any, long: bool = True) -> Drawing:
    """Return a figure by the name ``module.function`` of what draws it, imported when it is asked for.

    ``long``: it takes a while and shows its progress.
    """
    module, _, name = function.partition(".")

    def make(progress: Any) -> Any:
        return getattr(import_module(f"{HOME}.{module}"), name)(*arguments, *([progress] if long else []))

    return Drawing(says, make, beside)


FIGURES: dict[str, Drawing] = {
    "log-fit": _drawing(
        "worst case of A_min against $u$: the published fit is that at $u − 1$", ("fig-log-fit", "thm-log"), "log_fit.log_fit"
    ),
    "geometric": _drawing(
        "A_min under geometric laws: the bounds 1.7, 1.6 hold at $s = 0$ only",
        ("geometric", "thm-lg", "uniform-bounds"), "geometric.geometric", long=False,
    ),
    "two-point": _drawing(
        "A_min, A_ℓ on two lengths: bounds exact at $s = 0$, broken at $s = 100$",
        ("thm-two-point", "thm-aell", "switch"), "two_point.two_point", long=False,
    ),
    "convergence": _drawing(
        "simulated: H-SF, A_ℓ, the cohort A_min approach the paper's forms",
        ("lem-amin", "thm-random"), "convergence.convergence",
    ),
    "transitions": _drawing(
        "the lemma's shares of starts hold for the cohort rule only",
        ("lem-deletion", "prop-transition"), "transitions.transitions_figure",
    ),
    "lengths": _drawing(
        "prompt and output lengths: the paper's figures, and a public trace", (), "lengths.lengths_figure", long=False
    ),
    "exp-1": _drawing(
        "every interval $[1, 1000]$: A_max slowest by far, A_min near A_random", ("exp-1",), "experiments.experiment_figure", 1
    ),
    "exp-2": _drawing(
        "ten buckets: A_random, A_max in random order far above the others", ("exp-2",), "experiments.experiment_figure", 2
    ),
    "exp-3": _drawing(
        "$[(1−x)o, (1+x)o]$: A_min near H-SF at $x = 0.1$, not at 0.95, 0.99", ("exp-3",), "experiments.experiment_figure", 3
    ),
    "hsf-lower": _drawing(
        "four requests, $M = 5$: H-SF has total latency 13, the optimum 12", (), "two_schedules.two_schedules", long=False
    ),
}  # fmt: skip
"""By name."""
