"""lem-max-random: A_max with M against A_random with αM."""

from __future__ import annotations

from crtools.ledger import Claim, Decision, Finding, Given, PublishedProof, Verdict
from crtools.ledger.evidence import FALSE
from crtools.papers.adaptive.evidence import max_against_random, repairs
from crtools.papers.adaptive.evidence.reading import PROCESS, phrase, positive, requests_asked, which_instances
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

SAYS = "$E TEL(A_max, M) ≤ E TEL(A_random, αM)$"
BOTH = "false, of the algorithms and the forms"


def decide(given: Given) -> Decision:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM) at the three levels, and the proof's claim on each permutation."""
    factor = positive(given, "factor")
    asked = requests_asked(given["requests"])
    zero, every = (
        Finding(id, f"{SAYS}, of the forms", given.evidence(max_against_random.of_the_forms, factor, size))
        for id, size in (("forms-at-zero", 0), ("forms", 1))
    )
    error = "up to errors that vanish as $n/M → ∞$ and $M/(s+u) → ∞$"
    own = (
        Finding("in-expectation", SAYS, max_against_random.decided(factor, asked)),
        Finding(
            "with-an-error-term", f"{SAYS}, {error}", max_against_random.up_to_error_terms(factor, asked), decides=False
        ),
    )
    forms = "all $l ≤ u$ and weights $x ≥ 0$, of the forms as $M → ∞$"
    verdicts = (
        Verdict(AT_ZERO, f"$s = 0$, {forms}", _form_why(zero), "entry by entry", (zero,)),
        Verdict(FORM, f"every $s ≥ 0$, {forms}", _form_why(every), "entry by entry", (every,)),
        Verdict(
            ALGORITHM,
            f"{which_instances(asked)} with $s ≥ 1$ and $αM$ an integer at which both can run; $E$ over the permutation, {PROCESS}",
            _own_why(*own),
            "exhaustive search, all permutations; long runs",
            own,
        ),
    )
    pathwise = Finding(
        "each-permutation",
        "Section EC.3, proof of Lemma EC.1: $TEL(o; I_{A_max}) ≤ TEL(o; I_{A_random(αM)})$ for each realization",
        max_against_random.decided(factor, asked, pathwise=True),
        instead=repairs.TWICE,
    )
    if own[0].status in FALSE:
        line = phrase(zero.status, BOTH, _apart(own[1]), BOTH)
    else:
        line = "open for so many requests" if own[0].status == "inconclusive" else "no counterexample found"
    true = (repairs.a_max_below_a_random(), repairs.a_max_below_twice_a_random())
    return Decision(line, verdicts, PublishedProof((pathwise,)), true)


def _apart(in_the_limit: Finding) -> str:
    if in_the_limit.status not in FALSE:
        return "true of the forms; algorithms: by rounding"
    return f"true of the forms; long runs reach {max_against_random.long_runs()[1]:.2f}"


def _form_why(finding: Finding) -> str:
    return phrase(finding.status, "it fails where all lengths are $l$", "entry by entry")


def _own_why(exact: Finding, in_the_limit: Finding) -> str:
    found: list[str] = []
    if in_the_limit.status in FALSE:
        low, high = max_against_random.long_runs()
        found.append(
            f"in long runs $A_max$ takes {low:.3f} to {high:.3f} times as long, at each of three growing $n$ and $M$ "
            "(simulated): requests of different ages share $A_random$'s memory, $A_max$ keeps $s+u$ for each, however far "
            "the lengths are below $u$"
        )
    if exact.status in FALSE:
        found.append("the exact witness lives by rounding, where few requests fit into the memory")
    return "; ".join(found) or "no counterexample was found"


CLAIM = Claim(
    id="lem-max-random",
    place="Section EC.1, Lemma EC.1 (lem:max<random)",
    statement=SAYS,
    stated_at=ALGORITHM,
    decide=decide,
)
