"""lem-max-random: A_max with M against A_random with αM."""

from __future__ import annotations

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim
from crtools.ledger.evidence import FALSE
from crtools.papers.adaptive.evidence import max_against_random
from crtools.papers.adaptive.evidence.reading import (
    conclusion,
    largest_n_given,
    phrase,
    positive,
    reading_of,
    repairs,
    which_instances,
)
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

SAYS = "$E TEL(A_max, M) ≤ E TEL(A_random, αM)$"
BOTH = "false, of the algorithms and the forms"


@claim("lem-max-random", ALGORITHM, "Section EC.1, Lemma EC.1 (lem:max<random)", SAYS)
def lem_max_random(given: Given) -> Decision:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM) at the three levels, and the proof's claim on each permutation."""
    factor = positive(given, "factor")
    largest_n = largest_n_given(given["requests"])
    zero, every = (
        Finding(id, f"{SAYS}, of the forms", given.evidence(max_against_random.of_the_forms, factor, size))
        for id, size in (("forms-at-zero", 0), ("forms", 1))
    )
    error = "up to errors that vanish as $n/M → ∞$ and $M/(s+u) → ∞$"
    few = largest_n is not None
    in_the_limit = max_against_random.up_to_error_terms(factor, largest_n)
    exact = max_against_random.without_error_term(factor, largest_n)
    process = (
        Finding("with-an-error-term", f"{SAYS}, {error}", in_the_limit, decides=not few),
        Finding("in-expectation", f"{SAYS}, without an error term", exact, decides=few),
    )
    read = reading_of(
        "lem-max-random",
        instances=which_instances(largest_n),
        error="" if few else f"; {error}",
        conclusion=conclusion("a-max-below-twice-a-random"),
    )
    verdicts = (
        read.verdict(AT_ZERO, _form_why(zero), zero),
        read.verdict(FORM, _form_why(every), every),
        read.verdict(ALGORITHM, _process_why(*process, few=few), *process),
    )
    pathwise = max_against_random.without_error_term(factor, largest_n, pathwise=True)
    if any(finding.status in FALSE for finding in process):
        summary = phrase(zero.status, BOTH, _summary(process[0]), BOTH)
    else:
        summary = (
            "open for so many requests" if few and process[1].status == "inconclusive" else "no counterexample found"
        )
    true = repairs("a-max-below-a-random", "a-max-below-twice-a-random")
    return Decision(summary, verdicts, read.proof(each_permutation=pathwise), true)


def _summary(in_the_limit: Finding) -> str:
    if in_the_limit.status == "refuted":
        return f"true of the forms; algorithms: ≥ {max_against_random.IN_STEP}"
    if in_the_limit.status in FALSE:
        return f"true of the forms; long runs reach {max_against_random.long_runs()[1]:.2f}"
    return "true of the forms; algorithms: by rounding"


def _form_why(finding: Finding) -> str:
    return phrase(finding.status, "it fails where all lengths are $l$", "entry by entry")


def _process_why(in_the_limit: Finding, exact: Finding, *, few: bool) -> str:
    reasons: list[str] = []
    keeps = "$A_max$ keeps $s+u$ for each request, however far the lengths are below $u$"
    if in_the_limit.status == "refuted":
        reasons.append(
            "where two fifths of the requests are longer by two fifths, $A_random$ starts as many as if none were longer, and "
            f"{keeps}: it takes at least {max_against_random.IN_STEP} times as long in the limit"
        )
    elif in_the_limit.status in FALSE:
        low, high = max_against_random.long_runs()
        reasons.append(
            f"in long runs $A_max$ takes {low:.3f} to {high:.3f} times as long, at each of three growing $n$ and $M$ "
            f"(simulated): requests of different ages share $A_random$'s memory, {keeps}"
        )
    if exact.status in FALSE:
        prefix = "" if few else "beside it "
        reasons.append(f"{prefix}an exact witness that lives by rounding, where few requests fit into the memory")
    return "; ".join(reasons) or "no counterexample was found"
