"""The table of figures (``Ledger.figures``): for each its sentence, the function that draws it, its parameters, and its claims."""

from functools import partial
from typing import Any

from crtools.plotting.figure import Drawing, Parameter, several, whole, wholes

HOME = __name__


def _form(name: str, value: Any) -> Any:
    from crtools.forms import form

    return form(value, name)


def _law(_: str, value: Any) -> Any:
    from crtools.distributions.spec import distribution

    return distribution(value)


def _experiment(number: int, progress: Any, lengths: str, n: tuple[int, ...], seeds: int) -> Any:
    """Run an experiment; where intervals differ, also A_max with all requests in random order, the other reading of Algorithm 1."""
    from crtools.papers.adaptive.workloads.experiments import A_MAX_RANDOM_ORDER, OF_THE_PAPER, experiment

    policies = OF_THE_PAPER if number == 1 else (*OF_THE_PAPER, A_MAX_RANDOM_ORDER.name)
    return experiment(number, lengths, sizes=n, seeds=seeds, policies=policies, progress=progress).plot()


def _ratio_curves(_: Any, law: Any, policy: Any, against: Any, s: Any) -> Any:
    from crtools.ratios.derivation import ratio_curves

    return ratio_curves(law, policy, against, s)


SIZES = wholes(0, 10**6, 6)

EXPERIMENT: dict[str, Any] = {
    "lengths": Parameter("paper, azure-conv, a law or csv:FILE#OUTPUTS,PROMPTS", "paper", lambda _, value: str(value)),
    "n": Parameter("numbers of requests", "200,400,600,800,1000,1200,1400,1600,1800,2000", wholes(1, 10**6, 20)),
    "seeds": Parameter("the number of seeds", "10", whole(1, 1000)),
}
AGAINST = Parameter("the form that it is held against", "h-sf", _form)

FIGURES: dict[str, Drawing] = {
    "log-fit": Drawing(
        "worst case of A_min against $u$: the published fit is that at $u − 1$",
        f"{HOME}.log_fit:log_fit", ("fig-log-fit", "thm-log"),
        {"u": Parameter("the last u; the fit is over 3, …, u", "2000", whole(50, 20_000))},
    ),
    "geometric": Drawing(
        "A_min under geometric laws: 1.7 and 1.6 hold at $s = 0$, not at $s = 5$",
        f"{HOME}.geometric:geometric", ("geometric", "thm-lg", "uniform-bounds"),
        {"s": Parameter("prompt sizes", "0,1,5,100", SIZES)},
    ),
    "two-point": Drawing(
        "A_min, A_ℓ on two lengths: bounds exact at $s = 0$, broken at $s = 100$",
        f"{HOME}.two_point:two_point", ("thm-two-point", "thm-aell", "switch"),
        {
            "u": Parameter("the longer length; α = l/u is drawn at l = 1, …, u − 1", "400", whole(4, 10_000)),
            "s": Parameter("prompt sizes", "0,100", wholes(0, 10**6, 4)),
        },
    ),
    "convergence": Drawing(
        "simulated: H-SF, A_ℓ, the cohort A_min approach the paper's forms",
        f"{HOME}.convergence:convergence", ("lem-amin", "thm-random"),
        {"s": Parameter("prompt sizes", "0,5", wholes(0, 100, 4))},
    ),
    "transitions": Drawing(
        "the lemma's shares of starts hold for the cohort rule only",
        f"{HOME}.transitions:transitions_figure", ("lem-deletion", "prop-transition"),
    ),
    "lengths": Drawing(
        "prompt and output lengths: the paper's figures, and a public trace", f"{HOME}.lengths:lengths_figure",
    ),
    "exp-1": Drawing(
        "every interval $[1, 1000]$: A_max slowest by far, A_min near A_random", partial(_experiment, 1), ("exp-1",), EXPERIMENT
    ),
    "exp-2": Drawing(
        "ten buckets: A_random, A_max in random order far above the others", partial(_experiment, 2), ("exp-2",), EXPERIMENT
    ),
    "exp-3": Drawing(
        "$[(1−x)o, (1+x)o]$: A_min near H-SF at $x = 0.1$, not at 0.95, 0.99", partial(_experiment, 3), ("exp-3",), EXPERIMENT
    ),
    "hsf-lower": Drawing(
        "four requests, $M = 5$: H-SF has total latency 13, the optimum 12", f"{HOME}.two_schedules:two_schedules",
        parameters={
            "lengths": Parameter("the requests' output lengths", "1,1,3,3", wholes(1, 50, 10)),
            "memory": Parameter("the memory M in tokens", "5", whole(1, 500)),
            "s": Parameter("the prompt's size in tokens", "1", whole(0, 100)),
        },
    ),
    "worst-map": Drawing(
        "certified worst cases over $(ℓ/u, s/u)$: up to 5.6 times $s = 0$'s", f"{HOME}.worst_cases:worst_case_map",
        parameters={
            "u": Parameter("the longest length", "1000", whole(3, 3000)),
            "policy": Parameter("the form", "a-min", _form), "against": AGAINST,
        },
    ),
    "ratio": Drawing(
        "forms over H-SF's under geometric laws, against their parameter", _ratio_curves,
        parameters={
            "law": Parameter("a law with one parameter left out", "geometric(q)", _law),
            "policy": Parameter("forms", "a-min,a-random", several(_form, 6)), "against": AGAINST,
            "s": Parameter("prompt sizes", "0,10", SIZES),
        },
    ),
    "latency": Drawing(
        "simulated: latency of all policies against memory, Zipf's law", f"{HOME}.latency:latency",
        parameters={
            "law": Parameter("the law of the output lengths", "zipf(a=1, u=50)", _law),
            "memory": Parameter("memories M in tokens", "100,200,400,800,1600", wholes(1, 10**7, 12)),
            "s": Parameter("the prompt's size in tokens", "5", whole(0, 10**5)),
            "n": Parameter("requests", "3000", whole(1, 10**6)),
        },
    ),
    "weights": Drawing(
        "lengths' shares at A_min's worst case, beside $2/(4k² − 1)$", f"{HOME}.worst_cases:weights",
        parameters={
            "u": Parameter("the longest lengths", "10,100,1000", wholes(2, 10**5, 4)),
            "s": Parameter("the prompt's size in tokens", "0", whole(0, 10**6)),
        },
    ),
    "verdicts": Drawing("every claim's verdict at every level, as tiles", f"{HOME}.verdicts:verdicts"),
}  # fmt: skip
"""By name."""
