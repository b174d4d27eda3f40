"""thm-endpoints: is the worst case over [l, u]ⁿ attained on {l, u}ⁿ, for every policy?"""

from __future__ import annotations

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger import Claim, Decision, Display, Finding, Given, PublishedProof, Variant, Verdict
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.evidence.queues.repairs import a_random_of_form
from crtools.papers.adaptive.evidence.reading import one_of, phrase, whole
from crtools.papers.adaptive.evidence.worst_case import endpoints
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM

POLICIES = {"a-min": "A_min", "a-max": "A_max", "a-random": "A_random"}
LARGEST = {"n": 4, "M": 40, "high": 6}
"""The largest instances of the process that are run, in every order and for all lengths."""


def decide(given: Given) -> Decision:
    """Decide the sentence for one policy's form on [1, u] and for A_random's process on [1, high]."""
    policy = one_of(given, "policy", POLICIES)
    up, (n, memory, high) = whole("u", given["u"]), (whole(name, given[name], 1) for name in LARGEST)
    if not 3 <= up <= 60:
        raise InputError("u", given["u"], "must be an integer from 3 to 60")
    for name, value in (("n", n), ("M", memory), ("high", high)):
        if value > LARGEST[name]:
            raise InputError(name, given[name], f"must be an integer from 1 to {LARGEST[name]}")
    if memory < 1 + high:
        raise InputError("M", given["M"], f"must be at least 1 + high = {1 + high}")
    title = f"{POLICIES[policy]}'s form is at most what it is on two lengths"
    zero, every = (
        Finding(id, f"{title}, $s = {s}$", endpoints.of_a_form(policy, up, s))
        for id, s in (("form-at-zero", 0), ("form", 1))
    )
    own = Finding(
        "process",
        f"A_random's ratio over $[1, {high}]^n$ is attained on ${{1, {high}}}^n$",
        endpoints.of_the_process(n, memory, high),
    )
    limit = Finding(
        "in-the-limit",
        "the same of every policy, up to an error that vanishes as $n → ∞$ and then $M → ∞$",
        endpoints.in_the_limit(),
        decides=False,
    )
    exact, at_one = "exact ratios at rational weights", f"every $s$, a counterexample at $s = 1$: {_FORM}"
    verdicts = (
        Verdict(AT_ZERO, f"$s = 0$: {_FORM}", _form_why(zero, policy, up), exact, (zero,)),
        Verdict(FORM, at_one, _form_why(every, policy, up), "the same", (every,)),
        Verdict(
            ALGORITHM,
            f"every policy, $s$, $n$, $M$ and $[l, u]$: so A_random at $s = 1$, $n = {n}$, $M = {memory}$ on $[1, {high}]$ can refute it",
            phrase(
                own.status,
                f"by rounding: a length between 1 and {high} gives A_random a larger ratio than any lengths in ${{1, {high}}}$",
                "no lengths between are worse at this $n$, $M$ and $u$",
            )
            + _limit_why(limit),
            "all lengths and all permutations, two implementations; in the limit a theorem on one policy",
            (own, limit),
        ),
    )
    line = phrase(own.status, "false: lengths between can be worse", "holds at this n, M and u")
    return Decision(line, verdicts, _proof(given), (a_random_of_form(),))


_FORM = "of one policy's form as $n, M → ∞$, on one interval $[1, u]$; this says nothing of a policy that does not follow its form"


def _limit_why(limit: Finding) -> str:
    if not isinstance(limit.evidence, Refuted):
        return ""
    at = limit.evidence.witness
    return (
        "; it fails in the limit too, for other policies: to kill once at $l = 1$ and then run in order has, at "
        f"$s = {at['s']}$, a ratio of {limit.evidence.claimed}, and of {limit.evidence.actual} on lengths 2 and 3"
    )


def _form_why(finding: Finding, policy: str, up: int) -> str:
    name = POLICIES[policy]
    return phrase(
        finding.status,
        f"of the form: {name}'s at weights on all of $[1, {up}]$ exceeds every law on ${{1, {up}}}$",
        f"{name}'s form has its worst case on two lengths",
        "one law does not exceed two lengths",
    )


def _proof(given: Given) -> PublishedProof:
    where = "Section EC.3, proof of Theorem EC.1, Part 1"
    factor = number("sum_factor", given["sum_factor"])
    shown = given["sum_factor"]
    return PublishedProof(
        (
            Display(
                "expectations",
                f"{where}: $E TEL(o⁻) + E TEL(o⁺) = {shown} · E TEL(o)$ for A_random",
                endpoints.expectations(factor),
            ),
            Display("hindsight", f"{where}: $TEL(o⁻) + TEL(o⁺) ≤ 2 · TEL(o)$ for H-SF", endpoints.hindsight()),
        ),
        gaps=("Part 1 looks at A_random only, and the theorem speaks of every policy",),
    )


CLAIM = Claim(
    id="thm-endpoints",
    place="Section EC.1, Theorem EC.1 (thm:fully_random), first statement",
    statement="for any feasible policy the worst case over $[ℓ,u]^n$ is attained on ${ℓ,u}^n$",
    stated_at=ALGORITHM,
    given={"policy": "a-min", "u": "20", "n": "2", "M": "5", "high": "4", "sum_factor": "2"},
    decide=decide,
    corrupted=(
        Variant("A_max's form", {"policy": "a-max"}, "form-at-zero"),
        Variant("A_max's form, small u", {"policy": "a-max", "u": "3"}, "form"),
        Variant("A_min's form, larger u", {"policy": "a-min", "u": "40"}, "form-at-zero"),
        Variant("A_max's form, an interval end", {"policy": "a-max", "u": "4"}, "form"),
        Variant("three requests", {"n": "3"}, "process"),
        Variant("more memory", {"n": "3", "M": "8", "high": "6"}, "process"),
    ),
    variants=(
        Variant("A_random's form, for which it holds", {"policy": "a-random"}, "form-at-zero"),
        Variant("A_random's form, another u", {"policy": "a-random", "u": "60"}, "form"),
        Variant("one request", {"n": "1"}, "process"),
    ),
)
