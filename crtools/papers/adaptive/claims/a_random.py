"""Claims on A_random: thm-random (CR ≤ (1+α⁻¹)/2), lem-max-random (A_max at M against A_random at αM), thm-endpoints.

thm-endpoints: whether the worst case is on two lengths.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import accumulate, combinations_with_replacement, permutations
from math import ceil, gcd
from random import Random
from typing import Any

import sympy as sp

from check import process as judge
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Open, Refuted, Verdict, agree, by_theorem
from crtools.ledger.deciders.bounds import Bound, Family, ProvedBound, decide_bound, separating_decimals
from crtools.ledger.deciders.ranges import unit
from crtools.ledger.deciders.search import Hit, SmallInstance, first_hit, search_evidence
from crtools.ledger.evidence import FALSE
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence import a_max, max_against_random, reading, staggered
from crtools.papers.adaptive.evidence.reading import one_of, phrase, positive, repairs, schedule, whole
from crtools.papers.adaptive.evidence.two_lengths import value_of
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.proof.symbols import alpha
from crtools.setting import Setting
from crtools.worst_cases import worst_case
from crtools.worst_cases.solve import proved_supremum


@stated_claim("thm-random")
def thm_random(given: Given) -> Decision:
    """Decide CR(A_random) ≤ bound at the three levels."""
    bound = Bound.given("bound", given["bound"], alpha, unit("alpha"))
    says, holds = "$CR(A_random)$ is at most the bound", "holds of $A_random$ itself"
    read = reading_of("thm-random")
    false = "the form exceeds the bound at weights on $l$ and $u$"
    sure = "the form's supremum is $½(1 + √(u(s+u)/(l(s+l))))$, at most $(1+α⁻¹)/2$"
    zero, every = reading.bound_on_the_form(read, says, partial(bounded, bound), false, sure)
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


BOTH = "false, of the algorithms and the forms"


@stated_claim("lem-max-random")
def lem_max_random(given: Given) -> Decision:
    """Decide E TEL(A_max, M) ≤ factor · E TEL(A_random, αM) at the three levels, and the proof's claim on each permutation."""
    factor = positive(given, "factor")
    largest_n = reading.largest_n_given(given["requests"])
    error = "up to errors that vanish as $n/M → ∞$ and $M/(s+u) → ∞$"
    few = largest_n is not None
    in_the_limit = max_against_random.up_to_error_terms(factor, largest_n)
    exact = max_against_random.without_error_term(factor, largest_n)
    times = "" if factor == 1 else f"{given['factor']} · "
    says = f"$E TEL(A_max, M) ≤ {times}E TEL(A_random, αM)$"
    process = (
        Finding("with-an-error-term", f"{says}, {error}", in_the_limit, decides=not few),
        Finding("in-expectation", f"{says}, without an error term", exact, decides=few),
    )
    words = {"error": "" if few else f"; {error}", "conclusion": reading.conclusion("a-max-below-twice-a-random")}
    read = reading_of("lem-max-random", instances=reading.which_instances(largest_n), **words)
    verdicts: list[Verdict] = []
    for level, id, size in ((AT_ZERO, "forms-at-zero", 0), (FORM, "forms", 1)):
        of_forms = given.evidence(max_against_random.of_the_forms, factor, size)
        why = phrase(of_forms.status, "it fails where all lengths are $l$", "entry by entry")
        verdicts.append(read.verdict(level, why, Finding(id, f"{says}, of the forms", of_forms)))
    of_algorithms, why = _words(*process, few=few)
    verdicts.append(read.verdict(ALGORITHM, why, *process))
    pathwise = max_against_random.without_error_term(factor, largest_n, pathwise=True)
    if any(finding.status in FALSE for finding in process):
        line = phrase(verdicts[0].status, BOTH, f"true of the forms; {of_algorithms}", BOTH)
    elif few and exact.status == "inconclusive":
        line = "open for so many requests"
    else:
        line = "no counterexample found"
    true = repairs("a-max-below-a-random", "a-max-below-twice-a-random")
    return Decision(line, tuple(verdicts), read.proof(each_permutation=pathwise), true)


def _words(in_the_limit: Finding, exact: Finding, *, few: bool) -> tuple[str, str]:
    """Return what the line of the ledger says of the algorithms, and the verdict's reason."""
    line, reasons = "algorithms: by rounding", list[str]()
    keeps = "$A_max$ keeps $s+u$ for each request, however far the lengths are below $u$"
    if in_the_limit.status == "refuted":
        line = f"algorithms: ≥ {max_against_random.IN_STEP}"
        reasons.append(
            "where two fifths of the requests are longer by two fifths, $A_random$ starts as many as if none were longer, and "
            f"{keeps}: it takes at least {max_against_random.IN_STEP} times as long in the limit"
        )
    elif in_the_limit.status in FALSE:
        low, high = max_against_random.long_runs()
        line = f"long runs reach {high:.2f}"
        reasons.append(
            f"in long runs $A_max$ takes {low:.3f} to {high:.3f} times as long, at each of three growing $n$ and $M$ "
            f"(simulated): requests of different ages share $A_random$'s memory, {keeps}"
        )
    if exact.status in FALSE:
        prefix = "" if few else "beside it "
        reasons.append(f"{prefix}an exact witness that lives by rounding, where few requests fit into the memory")
    return line, "; ".join(reasons) or "no counterexample was found"


# ---- thm-endpoints: is the worst case over [l, u]ⁿ attained on {l, u}ⁿ, for every policy? -----------------------------

POLICIES = {"a-min": "A_min", "a-max": "A_max", "a-random": "A_random"}
LARGEST = {"n": 4, "M": 40, "high": 6}
"""The largest instances of the process that are run, in every order and for all lengths."""


@stated_claim("thm-endpoints")
def thm_endpoints(given: Given) -> Decision:
    """Decide the sentence for one policy's form on [1, u], for A_random's process on [1, high], and in the limit for every policy."""
    policy = one_of(given, "policy", POLICIES)
    up = whole("u", given["u"], 3, 60)
    n, memory, high = (whole(name, given[name], 1, largest) for name, largest in LARGEST.items())
    if memory < 1 + high:
        raise InputError("M", given["M"], f"must be at least 1 + high = {1 + high}")
    name = POLICIES[policy]
    read = reading_of("thm-endpoints", sum_factor=given["sum_factor"])
    verdicts: list[Verdict] = []
    for level, id, s in ((AT_ZERO, "form-at-zero", 0), (FORM, "form", 1)):
        title = f"{name}'s form is at most what it is on two lengths, $s = {s}$"
        finding = Finding(id, title, of_a_form(policy, up, s))
        false = f"of the form: {name}'s at weights on all of $[1, {up}]$ exceeds every law on ${{1, {up}}}$"
        sure = f"{name}'s form has its worst case on two lengths"
        why = phrase(finding.status, false, sure, "one law does not exceed two lengths")
        verdicts.append(read.verdict(level, why, finding))
    says = "of every policy, up to an error that vanishes as $n → ∞$ and then $M → ∞$"
    limit = Finding("in-the-limit", says, in_the_limit())
    says = f"without an error term: A_random's ratio over $[1, {high}]^n$ is attained on ${{1, {high}}}^n$ at $s = 1$"
    process = of_the_process(n, memory, high)
    exactly = Finding("process", f"{says}, $n = {n}$, $M = {memory}$", process, decides=False)
    verdicts.append(read.verdict(ALGORITHM, _why_process(limit, exactly), limit, exactly))
    proof = read.proof(expectations=expectations(number("sum_factor", given["sum_factor"])), hindsight=hindsight())
    summary = phrase(limit.status, "false: lengths between can be worse", "not decided in the limit")
    return Decision(summary, tuple(verdicts), proof, repairs("a-random-of-form"))


def _why_process(limit: Finding, exactly: Finding) -> str:
    if not isinstance(limit.evidence, Refuted):
        return "no policy is known at which it fails in the limit"
    at = limit.evidence.witness
    small = phrase(exactly.status, "; beside it, by rounding, A_random at a small $M$", "")
    return (
        f"to kill once at $l = 1$ and then run in order has, at $s = {at['s']}$ and $u = {at['u']}$, a ratio to H-SF of "
        f"{limit.evidence.claimed}, and of {limit.evidence.actual} on lengths 2 and 3{small}"
    )


# ---- evidence: of a policy's form, of A_random's process, in the limit, and two displays on o⁻, o, o⁺

Lengths = tuple[int, ...]


def of_a_form(policy: str, up: int, s: int) -> Evidence:
    """Compare an upper bound on the ratio over weights on {1, u} with the ratio near the worst weights on [1, u]."""
    if policy == "a-random":
        return by_theorem(theorem("A_random's supremum"))
    low, setting = 1, Setting(s, 1, up)
    x = [Fraction(float(w)).limit_denominator(1000) for w in worst_case(policy, s=s, l=low, u=up).weights]
    ratio = form(policy).on(setting).value(x) / form("h-sf").on(setting).value(x)
    if policy == "a-min":
        weights = dict(zip(range(low, up + 1), x, strict=True))
        second = literal.a_min_sum(weights, s, low) / literal.h_sf_sum(weights, s)
    else:
        second = a_max.literal(low, up, s, list(accumulate(reversed(x)))[::-1])
    agree(ratio, second, "a ratio")
    two_lengths_bound = _two_lengths(policy, low, up, s)
    if not ratio > two_lengths_bound:
        return Open(f"the ratio at one law on $[1, {up}]$")
    claimed, actual = separating_decimals(two_lengths_bound, ratio)
    return Refuted(
        {"s": s, "l": low, "u": up, "x": [str(v) for v in x[:6]] + ["…"] * (up > 6)},
        f"at most {claimed}, which bounds every law on two lengths",
        f"at least {actual}",
        f"at least {actual}, by the paper's sums",
        "of the form, which is the limit $n, M → ∞$",
    )


def _two_lengths(policy: str, low: int, up: int, s: int) -> Fraction:
    """Return an upper bound of the supremum over weights on {l, u}."""
    if policy == "a-min":
        z = sp.Rational(s + up, s + low)
        supremum: Any = 1 + (sp.sqrt(z * up / low) - 1) / (2 * z)
    else:
        a, d = low * (s + low), up * (s + up)
        square = sp.Rational((s + up) ** 2 * (up - low) ** 2, d - a)
        supremum = proved_supremum(sp.Integer((s + up) * low), sp.Integer(a), square, sp.sqrt)
    return fraction(supremum) if supremum.is_Rational else enclose(supremum, {}, 12).upper


# ---- the process ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def of_the_process(n: int, memory: int, high: int) -> Evidence:
    """Compare A_random's largest ratio over all lengths in [1, high]ⁿ with that over {1, high}ⁿ, s = 1, all permutations."""
    ratios = {
        lengths: _latency("a-random", lengths, 1, memory) / _latency("h-sf", lengths, 1, memory)
        for lengths in combinations_with_replacement(range(1, high + 1), n)
    }
    at_the_ends = {lengths: ratio for lengths, ratio in ratios.items() if set(lengths) <= {1, high}}
    largest_at_ends, worst = max(at_the_ends.values()), max(ratios, key=lambda lengths: ratios[lengths])
    if not ratios[worst] > largest_at_ends:
        range_text = f"$n = {n}$, $M = {memory}$, $[1, {high}]$, $s = 1$, A_random"
        second = f"{largest_at_ends}, by another implementation"
        return Certified(f"{largest_at_ends}, on the ends", range_text, second, {"lengths_looked_at": len(ratios)})
    on_the_ends = {",".join(map(str, lengths)): str(ratio) for lengths, ratio in at_the_ends.items()}
    return Refuted(
        {"s": 1, "l": 1, "u": high, "M": memory, "o": list(worst)},
        f"at most {largest_at_ends}, the largest ratio on ${{1, {high}}}^{n}$",
        str(ratios[worst]),
        f"{ratios[worst]}, by another implementation",
        "by rounding: read without an error term, the sentence speaks of every $n$ and $M$",
        values={"ratios_on_the_ends": on_the_ends, "schedules": list(_schedules(worst, 1, memory, ""))},
    )


@cache
def _latency(policy: str, lengths: Lengths, s: int, memory: int) -> Fraction:
    """Return the mean TEL over every order of the requests, for H-SF of its one order, by two implementations."""
    requests = range(len(lengths))
    orders = [*permutations(requests)] if policy == "a-random" else [sorted(requests, key=lengths.__getitem__)]
    runs = [simulate(policy, lengths, memory, s, order=order).total_latency for order in orders]
    judged = [judge.total(judge.run_queue(order, lengths, lengths, s, memory), lengths) for order in orders]
    return Fraction(agree(sum(runs), sum(judged), f"latencies of {policy}"), len(orders))


def _schedules(lengths: Lengths, s: int, memory: int, title: str) -> Iterator[JsonObject]:
    """Iterate over A_random's schedules that differ in more than the names of the requests."""
    keys: set[tuple[tuple[int, int], ...]] = set()
    for order in permutations(range(len(lengths))):
        starts = judge.run_queue(order, lengths, lengths, s, memory)
        key = tuple(sorted(zip(starts, lengths, strict=True)))
        if key not in keys:
            keys.add(key)
            yield schedule(f"{title}{list(lengths)}, order {list(order)}", starts, lengths, s, memory)


# ---- the process in the limit ----------------------------------------------------------------------------------------

LIMIT_SETTING = 1, 10
"""s and u, with l = 1, at which a policy's ratio in the limit is compared with its bound on {1, u}."""

RUNS = ((600, 110), (40_000, 2000))
"""(n, M) of runs; the first is run by two implementations."""


@cache
def in_the_limit() -> Evidence:
    """Refute the sentence up to an error that vanishes as n → ∞ and then M → ∞, by a policy that does not know the lengths."""
    proof, (s, up) = theorem("kill once at l"), LIMIT_SETTING
    if not proof.holds:
        return Open("no policy is known at which it fails in the limit")
    policy = (
        "every request runs for one instant, in random order; those that have not completed are killed and run afterwards in the order, "
        "each to its end and counted with u"
    )
    between = Fraction(8 * (2 * s + up), 9 * s + 21)
    return Refuted(
        {"policy": policy, "s": s, "l": 1, "u": up, "lengths": "2 and 3 in equal shares"},
        f"at most 2 on ${{1, {up}}}^n$",
        f"at least {between}",
        {"runs": [_killed_once(n, memory) for n, memory in RUNS]},
        "$n → ∞$ and then $M → ∞$ at fixed s, l, u and shares; on ${1, u}^n$ it is at most 2 for every s and u ≥ 2, on these lengths it "
        "grows with u without bound",
        proof.records,
    )


def _killed_once(n: int, memory: int) -> JsonObject:
    """Run the policy and H-SF on lengths 2 and 3, as many of each, in one random order."""
    s, up = LIMIT_SETTING
    lengths = [2, 3] * (n // 2)
    Random(0).shuffle(lengths)
    turns = -(-n // (memory // (s + 1)))
    total = n * turns + simulate("a-max", lengths, memory, s, 1, up, order=range(n)).total_latency
    best = simulate("h-sf", lengths, memory, s).total_latency
    if n <= 1000:
        agree(total, kill_once_total(lengths, range(n), s, up, memory), "the policy's total")
    return {"n": n, "M": memory, "ratio": total / best}


# ---- displays of the proof -----------------------------------------------------------------------------------------


@cache
def expectations(factor: Fraction) -> Evidence:
    """Search for E TEL(o⁻) + E TEL(o⁺) ≠ factor · E TEL(o) under A_random, over all permutations."""
    claimed = f"{factor} · E TEL(o)"
    return _three("a-random", lambda less, same, more: less + more == factor * same, claimed)


@cache
def hindsight() -> Evidence:
    """Search for TEL(o⁻) + TEL(o⁺) > 2 · TEL(o) under H-SF."""
    return _three("h-sf", lambda less, same, more: less + more <= 2 * same, "at most 2 · TEL(o)")


def _three(policy: str, holds: Callable[[Fraction, Fraction, Fraction], bool], claimed: str) -> Evidence:
    def check(row: SmallInstance) -> Hit | None:
        for i, o in enumerate(row.lengths):
            if o < 2 or row.s + o + 1 > row.memory:
                continue
            triple = [(*row.lengths[:i], o + e, *row.lengths[i + 1 :]) for e in (-1, 0, 1)]
            latencies = [_latency(policy, lengths, row.s, row.memory) for lengths in triple]
            if not holds(*latencies):
                named = zip(triple, ("o⁻ = ", "o = ", "o⁺ = "), strict=True) if policy == "a-random" else ()
                drawn = [one for lengths, name in named for one in _schedules(lengths, row.s, row.memory, name)]
                says, texts = f"{claimed}: the sum of the first and the last", [*map(str, latencies)]
                values: JsonObject = {"request_changed": i, "schedules": drawn}
                return Hit(says, texts, texts, "the display has no error term", values)
        return None

    return search_evidence(first_hit(3, 4, (1,), check))


def kill_once_total(lengths: Sequence[int], order: Sequence[int], s: int, up: int, memory: int) -> int:
    """Return the total latency of the policy that kills once, in an order of the requests; lengths in [1, up], ``memory`` ≥ s + up.

    It does not know the lengths. Every request runs for one instant, in random order; those that have not completed are killed.
    They run again as under A_max: in the order, each to its end, with u reserved.
    """
    batch = memory // (s + 1)
    killed = [request for request in order if lengths[request] > 1]
    first = sum(position // batch + 1 for position, request in enumerate(order) if lengths[request] == 1)
    remaining = [lengths[request] for request in killed]
    later = judge.run_queue(range(len(remaining)), [up] * len(remaining), remaining, s, memory) if remaining else []
    second = sum(start + o for start, o in zip(later, remaining, strict=True))
    return first + second + len(remaining) * ceil(len(order) / batch)
