"""thm-random and lem-max-random: (1+α⁻¹)/2 bounds CR(A_random), and A_max with M against A_random with αM."""

from fractions import Fraction
from functools import partial
from math import gcd

from crtools.enclosure import Enclosure
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, Verdict, agree, by_theorem
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, decide_bound, separating_decimals
from crtools.ledger.deciders.ranges import unit
from crtools.ledger.evidence import FALSE
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence import max_against_random, staggered
from crtools.papers.adaptive.evidence.reading import (
    bound_on_the_form,
    conclusion,
    largest_n_given,
    phrase,
    positive,
    repairs,
    which_instances,
)
from crtools.papers.adaptive.evidence.two_lengths import value_of
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof.symbols import alpha


@stated_claim("thm-random")
def thm_random(given: Given) -> Decision:
    """Decide CR(A_random) ≤ bound at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    says, holds = "$CR(A_random)$ is at most the bound", "holds of $A_random$ itself"
    read = reading_of("thm-random")
    zero, every = bound_on_the_form(
        read,
        says,
        partial(bounded, bound),
        "the form exceeds the bound at weights on $l$ and $u$",
        "the form's supremum is $½(1 + √(u(s+u)/(l(s+l))))$, at most $(1+α⁻¹)/2$",
    )
    evidence = staggered.random_bounded(bound)
    process = Finding("bound-of-algorithm", f"{says}, of A_random itself, with $O(1/M)$", evidence)
    rare = ""
    if isinstance(evidence, Refuted) and "n_l_that_is_needed" in (values := evidence.values):
        rare = f" ({values['n_l_that_is_needed']}; at a typical number the ratio is {values['ratio_at_a_typical_n_l']})"
    why = phrase(
        process.status,
        f"a few requests of length $l$, in just the right number{rare}, put H-SF out of step, where it needs less "
        "memory, and A_random stays in step",
        "proved at every $n$ and $M$",
        "a weaker bound is proved, and the family stays below this one",
    )
    equal = by_theorem(theorem("equal lengths"))
    degenerate = (Finding("equal-lengths", "at $α = 1$ the ratio is 1: every order is H-SF's", equal),)
    algorithm = read.verdict(ALGORITHM, why, process, degenerate=degenerate)
    line = phrase(
        zero.status,
        "$A_random$'s form exceeds the bound",
        phrase(process.status, "true of the form, not of $A_random$ itself", holds, "true of the form, else open"),
        phrase(process.status, "false of $A_random$ itself", holds, "open"),
    )
    quotient = by_theorem(theorem("A_random's supremum"))
    proof = read.proof(hindsight=staggered.charged_by_peaks(), quotient=quotient)
    return Decision(line, (zero, every, algorithm), proof, repairs("a-random-at-most", "a-random-of-form"))


# ---- A_random's form against H-SF's: what its exact supremum says of a bound -----------------------------------------

ENDPOINT = (1 + 1 / alpha) / 2
"""The supremum over all s and l at a fixed α: at s = 0, and as l → ∞ for every s."""

SCALES = tuple(10**k for k in (0, 1, 2, 4, 8, 16, 32, 64))
"""Lengths l, u are multiplied by these: the larger they are, the less does s matter."""


def bounded(bound: Bound, size: int) -> Evidence:
    """Decide whether the supremum is at most bound(α) for every s; counterexamples are sought at s = ``size``."""

    def refuted(interval: tuple[int, int], claimed: Enclosure, ratio: Fraction, looked_at: int) -> Refuted:
        claimed_text, actual = separating_decimals(claimed.upper, ratio)
        second = f"at least {actual}, by plain sums over the two lengths"
        return Refuted(near_worst(size, *interval)[1], f"at most {claimed_text}", f"at least {actual}", second)

    family = Family(
        point=lambda interval: Fraction(*interval),
        ratio=lambda interval, claimed: near_worst(size, *interval)[0],
        refuted=refuted,
        near=lambda at: [(at.numerator * scale, at.denominator * scale) for scale in SCALES],
    )
    tried = f"the supremum at $s = 0$, and instances at $s = {size}$"
    return decide_bound(bound, family, tried=tried, proved=[ProvedBound(ENDPOINT, TEXT.named("A_random's supremum"))])


def near_worst(size: int, low: int, up: int) -> tuple[Fraction, JsonObject]:
    """Return the ratio at x_l : x_u = u : l, which is worst at s = 0, by two computations, and the instance as data."""
    common = gcd(low, up)
    x = {low: up // common, up: low // common}
    numbers = [Fraction(number) for number in (low, up, size, x[low], x[up])]
    value = value_of("a-random", *numbers) / value_of("h-sf", *numbers)
    by_sums = Fraction(sum(x.values()) * sum(i * (size + i) * w for i, w in x.items())) / literal.h_sf_sum(x, size)
    agree(value, by_sums, "A_random's ratio")
    return value, {"s": size, "l": low, "u": up, "x_l": x[low], "x_u": x[up]}


SAYS = "$E TEL(A_max, M) ≤ E TEL(A_random, αM)$"
BOTH = "false, of the algorithms and the forms"


@stated_claim("lem-max-random")
def lem_max_random(given: Given) -> Decision:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM) at the three levels, and the proof's claim on each permutation."""
    factor = positive(given, "factor")
    largest_n = largest_n_given(given["requests"])
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
    verdicts: list[Verdict] = []
    for level, id, size in ((AT_ZERO, "forms-at-zero", 0), (FORM, "forms", 1)):
        of_forms = given.evidence(max_against_random.of_the_forms, factor, size)
        why = phrase(of_forms.status, "it fails where all lengths are $l$", "entry by entry")
        verdicts.append(read.verdict(level, why, Finding(id, f"{SAYS}, of the forms", of_forms)))
    verdicts.append(read.verdict(ALGORITHM, _process_why(*process, few=few), *process))
    pathwise = max_against_random.without_error_term(factor, largest_n, pathwise=True)
    if any(finding.status in FALSE for finding in process):
        line = phrase(verdicts[0].status, BOTH, _summary(process[0]), BOTH)
    elif few and exact.status == "inconclusive":
        line = "open for so many requests"
    else:
        line = "no counterexample found"
    true = repairs("a-max-below-a-random", "a-max-below-twice-a-random")
    return Decision(line, tuple(verdicts), read.proof(each_permutation=pathwise), true)


def _summary(in_the_limit: Finding) -> str:
    if in_the_limit.status == "refuted":
        return f"true of the forms; algorithms: ≥ {max_against_random.IN_STEP}"
    if in_the_limit.status in FALSE:
        return f"true of the forms; long runs reach {max_against_random.long_runs()[1]:.2f}"
    return "true of the forms; algorithms: by rounding"


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
