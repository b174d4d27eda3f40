"""Chen, Ye and Zhou, *Adaptively Robust LLM Inference Optimization under Prediction Uncertainty*, arXiv 2508.14544."""

from importlib import import_module
from importlib.resources import files

from crtools.ledger.ledger import Ledger, Level, deferred_import, slips_in
from crtools.proof.accepted import recorded_in

AT_ZERO = "form-at-zero"
FORM = "form"
ALGORITHM = "algorithm"

LEVELS = (
    Level(AT_ZERO, "0", "the latency forms at s = 0, where the paper's proofs live", "is the paper's algebra right?"),
    Level(FORM, "f", "the same forms for every s ≥ 0", "does it survive the paper's own model, which has s ≥ 1?"),
    Level(
        ALGORITHM,
        "a",
        "the discrete process, policies as docs/model.md runs them (n → ∞, then M → ∞ where the sentence has a limit)",
        "is it true of what would be deployed?",
    ),
)
"""The three levels at which a sentence of the paper can be read."""

LEDGER = Ledger(
    name="adaptive",
    title="Adaptively Robust LLM Inference Optimization under Prediction Uncertainty (Chen, Ye, Zhou)",
    source=(
        "arXiv 2508.14544 (v1 of 20 August 2025, v2 of 1 September 2025; the LaTeX source that is judged here names no version; its "
        "SHA-256 is 17bdebab18e6d104666cb9631c04703183705826c594b2eed85aeea1f815c1c7)"
    ),
    problem=(
        "A server generates text for many requests, all present at time 0, in a memory of $M$ tokens. A scheduler's ratio is its "
        "total latency over that of H-SF, which knows every length. $A_min$ (Algorithm 2) and $A_max$ know an interval $[l, u]$ "
        "that contains every length; $α = l/u$, and $s$ is a prompt's length. A form is the paper's limit of latency for large $M$."
    ),
    levels=LEVELS,
    load=deferred_import(f"{__name__}.claims", "CLAIMS"),
    slow=frozenset({"fig-log-fit", "intervals-help", "exp-1", "exp-2", "exp-3"}),
    seconds={
        "ex-amax": 3, "thm-complexity": 3.5, "thm-optimality": 3, "observation-1": 4.5, "lem-deletion": 3.5, "update-distribution": 2,
        "lem-amin": 2, "cor-ab": 1.5, "thm-log": 2, "fig-log-fit": 14, "intervals-help": 5.5, "thm-two-point": 1.5, "geometric": 2,
        "thm-lg": 3.5, "uniform-bounds": 2.5, "hsf-lower": 18, "exp-1": 12, "exp-2": 6, "exp-3": 33, "packed-random": 1.5,
    },
    compiled=frozenset({
        "thm-log", "cor-intervals", "thm-optimality", "observation-1", "lem-deletion", "update-distribution", "prop-transition",
        "lem-amin", "thm-two-point", "geometric", "thm-lg", "uniform-bounds",
    }),
    forms=deferred_import(f"{__name__}.forms", "FORMS"),
    default_form="a-min",
    indices=frozenset({"max", "min", "random", "ell", "ℓ", "restart"}),
    policies=deferred_import(f"{__name__}.policies", "POLICIES"),
    laws=deferred_import(f"{__name__}.workloads.lengths", "LAWS"),
    figures=deferred_import(f"{__name__}.figures", "FIGURES"),
    worst_cases=deferred_import(f"{__name__}.worst_cases", "WORST_CASES"),
    latencies=deferred_import(f"{__name__}.theory", "LATENCIES"),
    theory=deferred_import(f"{__name__}.theory", "TEXT"),
    commands=deferred_import(f"{__name__}.commands", "COMMANDS"),
    functions=lambda: {"experiment": import_module(f"{__name__}.workloads").experiment},
    slips=lambda: slips_in((files(__name__) / "slips.txt").read_text("utf-8")),
    headlines=deferred_import(f"{__name__}.headlines", "HEADLINES"),
    coq=lambda: import_module("crtools.proof.coq").developed(__name__),
    accepted=lambda: recorded_in(__name__),
)  # fmt: skip
"""The paper's ledger; ``slow`` are long simulations and the fit of the figure, without which the rest takes some 20 seconds."""
