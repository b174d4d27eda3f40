"""Schedules, and what H-SF and A_max start: tel-identity, infeasible-pair, no-cancellations; hsf-cardinality, amax-safe, ex-amax."""

import ast
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

import sympy as sp

from check import process as judge
from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational, number
from crtools.ledger import Certified, Decision, Finding, Given, Measured, Open, Proved, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.confirmed_runs import confirmed_total, judged_starts
from crtools.papers.adaptive.evidence.reading import integers, one_of, phrase, schedule, whole
from crtools.papers.adaptive.theory import TEXT, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule

RELATIONS = {"=": "=", "<=": "≤", ">=": "≥"}


@stated_claim("tel-identity")
def tel_identity(given: Given) -> Decision:
    """Decide TEL = (or ≤, ≥) a Σ_t t |I_t| + b Σ_i o_i: both sides are sums over requests.

    A request of length o whose last start is p adds p + o to the left side, and a p + b o to the right.
    """
    a, b = (number(name, given[name]) for name in ("waiting", "processing"))
    relation = one_of(given, "relation", RELATIONS)
    evidence = counterexample(a, b, relation) or by_theorem(per_request(a, b, relation))
    right = f"{_times(a)}Σ_t t·|I_t| + {_times(b)}Σ_i o_i"
    finding = Finding("sum-over-starts", f"$TEL {RELATIONS[relation]} {right}$", evidence)
    whys = {"proved": "request by request: $p + o$ on the left", "refuted": "false at an instance"}
    long = f"a request of $I_p$ adds $p + o$ to the left side and ${_times(a)}p + {_times(b)}o$ to the right"
    line = whys.get(evidence.status, "the two sides were compared")
    return reading_of("tel-identity").judged(line, long, finding, grouping=evidence)


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{factor}·"


def per_request(a: Fraction, b: Fraction, relation: str) -> Theorem:
    """Compare both sides request by request: the theorem of the text, or what a claim is given in its place."""
    if (a, b, relation) == (1, 1, "="):
        return theorem("total latency")
    p, o = sp.symbols("p o", integer=True)
    right = sp.Rational(a) * p + sp.Rational(b) * o
    text = f"a request of I_p adds p + o to the left side, and {right} to the right"
    reading = "every schedule; p is a request's last start, so t·|I_t| is the sum of p over the requests of I_t"
    proof = Proof("total latency", reading)
    if relation == "=":
        proof.identity(text, p + o, right)
    else:
        proof.nonnegative(text, right - p - o if relation == "<=" else p + o - right, p >= 0, o >= 1)
    return proof.therefore(rf"\sum_i L_i {relation} {a} \sum_t t\,|I_t| + {b} \sum_i o_i").qed()


def counterexample(a: Fraction, b: Fraction, relation: str) -> Refuted | None:
    """Return an instance at which the relation fails, if any: one request at 0, two, and one so late that its start outweighs its length.

    With length 1 the first compares 1 with b, and the last, at p, compares p + 1 with a p + b: they refute each wrong b and a.
    """
    late = 1 if a == 1 else int(abs(b - 1) / abs(a - 1)) + 2
    for starts, lengths in (((0,), (1,)), ((0, 2), (1, 3)), ((late,), (1,))):
        lhs, rhs = Schedule(starts, lengths).total_latency, a * sum(starts) + b * sum(lengths)
        if not {"=": lhs == rhs, "<=": lhs <= rhs, ">=": lhs >= rhs}[relation]:
            second = agree(lhs, judge.total(starts, lengths), "a total latency")
            witness = {"starts": starts, "lengths": lengths}
            return Refuted(witness, f"{relation} {rhs}", lhs, second, "no limit is taken; any number of copies")
    return None


LARGEST_REMAINING = 10**6


@stated_claim("infeasible-pair")
def infeasible_pair(given: Given) -> Decision:
    """Decide whether two active jobs can both complete without cancellation.

    They hold ``use`` tokens of memory now, and each has at least ``remaining`` tokens to generate. A delayed job keeps its memory.
    While the first to complete generates its last ``remaining`` tokens, the other frees nothing, so the use rises by at least as many.
    """
    size = sp.Symbol("M", positive=True)
    _, use = formula_on("use", given["use"], {"M": size}, integers_from(M=1))
    remaining = whole("remaining", given["remaining"], 1, LARGEST_REMAINING)
    over = sp.expand(use + remaining - size)
    evidence = _decide_excess(over, remaining)
    at = f"at use ${given['use'].strip()}$ with at least {remaining} tokens left each"
    says = f"{at}, the two jobs cannot both complete"
    line, why = {
        "proved": (
            f"the first to end passes $M$ by {over} or more",
            "whichever job ends first generates its last tokens while the other keeps its memory",
        ),
        "refuted": (
            "the two jobs can end one after the other",
            "the first job ends within the memory, and what it held is free for the second",
        ),
        "inconclusive": ("the use is not $M$ plus a constant", "the use was not compared with $M$"),
    }[evidence.status]
    finding = Finding("not-both", says, evidence)
    return reading_of("infeasible-pair").judged(line, why, finding, more_memory=evidence)


def _decide_excess(over: SymExpr, remaining: int) -> Proved | Refuted | Open:
    """Decide whether ``over``, the use at the first job's last token minus M, is positive."""
    if not over.is_Integer:
        return Open("the first job's last token; the use must be $M$ plus a constant")
    if over >= 1:
        return by_theorem(_exceeded(over, remaining))
    # one job runs to its end and frees its memory, then the other; ``over - remaining`` is the use now minus M
    s, generated, held = 1, 1, 2
    memory = 2 * held - int(over - remaining)
    alone = Schedule((0,), (generated + remaining,), s).peak_memory
    witness = {"s": s, "tokens_generated_by_each": generated, "M": memory, "tokens_left": remaining}
    return Refuted(
        witness,
        claimed=f"more than {memory} tokens at some time",
        actual={"use_while_the_first_ends": 2 * held + remaining, "use_while_the_second_ends": held + remaining},
        second=f"the first alone peaks at {alone}, with the other's {held} tokens at {alone + held}",
        stays="for every $M$ and $s$: the use is $M$ plus a constant",
    )


def _exceeded(over: SymExpr, remaining: int) -> Theorem:
    """Return the text's theorem, or its proof for another use or another number of remaining tokens."""
    if (over, remaining) == (1, 2):
        return theorem("two jobs")
    remaining_tokens = sp.Symbol("r")
    proof = Proof(
        "two jobs",
        "no cancellation, no other job, a delayed job keeps its memory; r: tokens that the first to end has left",
        rf"\text{{use}} + r > M \text{{ for }} r \ge {remaining}",
    )
    excess, says = over - remaining + remaining_tokens, "use + r − M > 0 for every r at least as large"
    proof.positive(says, excess, remaining_tokens >= remaining)
    return proof.therefore(r"\text{whichever job ends first, the memory is exceeded by its last token}").qed()


LARGEST_LATER = 1000
CHECKED = (
    "Equation (3) holds at the last admission for every later instant: up to $t_max(U)$ it is checked, and after it only requests of "
    "earlier admissions run, for which it was checked then"
)


@stated_claim("no-cancellations")
def no_cancellations(given: Given) -> Decision:
    """Decide whether each run that cancels has one that does not, in which no request completes later (by more than given)."""
    knowledge = one_of(given, "lengths", ("known", "unknown"))
    later = whole("later", given["later"], -LARGEST_LATER, LARGEST_LATER)
    evidence = _later(later) if later < 0 or knowledge == "unknown" else by_theorem(theorem("the last attempts alone"))
    by = f"by more than {later} " * (later != 0)
    without = f"there is one without, in which no request completes {by}later"
    says = f"lengths {knowledge}: for each run that cancels {without}"
    why = phrase(evidence.status, "a request completes later", "the last attempts alone do the same")
    read, finding = reading_of("no-cancellations"), Finding("no-later", says, evidence)
    return read.judged(why, why, finding, checked_up_to_the_last=Proved(argument=CHECKED))


def _later(later: int) -> Refuted:
    """Refute it by n requests of length 1: A_max, which assumes length u, starts two at a time, A_min five.

    Five fill the memory, so no schedule ends before A_min's: that refutes ``later`` < 0, where lengths are known, too.
    """
    s, u, memory, n = 1, 4, 10, 10 * (max(later, 0) // 3 + 1)
    fast, slow = (simulate(name, [1] * n, memory, s, 1, u, seed=0).makespan for name in ("a-min-literal", "a-max"))
    starts = (judge.run_queue(range(n), [assumed] * n, [1] * n, s, memory) for assumed in (1, u))
    second = agree([fast, slow], [max(attempt_starts) + 1 for attempt_starts in starts], "the last completion")
    actual = f"{fast}, as five complete at an instant"
    if later >= 0:
        actual = f"{slow}: nobody runs when others start, and 2 = $⌊M/(s+u)⌋$ start"
    witness = {"n": n, "s": s, "l": 1, "u": u, "M": memory, "lengths": "all 1"}
    stays = "with $n$ the difference grows without bound"
    return Refuted(witness, f"all complete by {fast + later}", actual, second, stays)


# ---- hsf-cardinality, amax-safe and ex-amax: what H-SF and A_max start, and the example with both ---------------------


@stated_claim("hsf-cardinality")
def hsf_cardinality(given: Given) -> Decision:
    """Decide whether no fitting set has more requests than the longest fitting prefix, and ``margin`` more."""
    order = one_of(given, "order", ("increasing", "decreasing"))
    prompts = one_of(given, "prompts", ("equal", "unequal"))
    margin = whole("margin", given["margin"], -100, 100)
    more = "no fitting set is larger" if margin == 0 else f"no fitting set has more than {margin} requests more"
    # in increasing order with equal prompts; each of the other cases has a counterexample
    evidence = larger_set(order, prompts, margin) or by_theorem(theorem("largest prefix"))
    says = f"the longest prefix in {order} $o$ that fits: {more}, {prompts} prompts"
    line = phrase(evidence.status, "a larger set fits", "shorter requests never hold more")
    fewest = "the $k$ shortest waiting requests hold at most what any $k$ of them hold, at every instant"
    why = phrase(evidence.status, "a set that fits has more requests than the prefix", fewest)
    return reading_of("hsf-cardinality").judged(line, why, Finding("largest-prefix", says, evidence))


# ---- The longest prefix that fits against a larger set that fits: a family with any gap ------------------------------


def larger_set(order: str, prompts: str, margin: int) -> Refuted | None:
    """Return a set that fits and has more than ``margin`` requests more than the longest prefix that fits, or None.

    Two requests first that fill the memory alone, then ``k`` small ones that fit together. In increasing order with equal
    prompts no set is larger than the prefix, which itself has more requests than a negative margin allows.
    """
    k = max(margin + 2, 1)
    if order == "decreasing":
        lengths, prompts_of, memory = [2 * k - 1] * 2 + [1] * k, [1] * (k + 2), 2 * k
    elif prompts == "unequal":
        lengths, prompts_of, memory = [1] * 2 + [2] * k, [2 * k - 1] * 2 + [0] * k, 2 * k
    elif margin < 0:
        lengths, prompts_of, memory = [1], [1], 2
    else:
        return None
    n = len(lengths)
    prefix = next(size for size in range(n, -1, -1) if _fits(lengths[:size], prompts_of[:size], memory))
    agree(k > prefix + margin, True, "whether the set is larger")
    peak = Schedule((0,) * k, lengths[-k:], prompts_of[-k:]).peak_memory
    agree((_fits(lengths[-k:], prompts_of[-k:], memory), peak <= memory), (True, True), "whether a set fits")
    second = {"set_size": k, "peak_of_the_set": peak}
    if prefix < n:
        longer = Schedule((0,) * (prefix + 1), lengths[: prefix + 1], prompts_of[: prefix + 1]).peak_memory
        agree(longer > memory, True, "whether a longer prefix fits")
        second["peak_of_a_longer_prefix"] = longer
    witness = {"lengths": lengths, "s": prompts_of, "M": memory, "a_larger_set": list(range(n - k, n))}
    claimed = f"at most {prefix} {'+' if margin >= 0 else '−'} {abs(margin)} requests"
    return Refuted(witness, claimed, k, second, "one round, no limit is taken")


def _fits(lengths: Sequence[int], prompts: Sequence[int], memory: int) -> bool:
    longest = max(lengths, default=0)
    return all(
        sum(s + t for o, s in zip(lengths, prompts, strict=True) if t <= o) <= memory for t in range(1, longest + 1)
    )


WHYS = {
    "proved": ("no request outlives what is assumed", "the true use never exceeds the projected one, as $o_i ≤ u$"),
    "refuted": ("requests outlive what is assumed", "two requests that are longer than assumed exceed the memory"),
    "supported": ("no run exceeded the memory", "no interval was found on which less than $u$ is assumed"),
}


@stated_claim("amax-safe")
def amax_safe(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory."""
    text = given["assumed"]
    tree, expr = formula_on("assumed", text, {"l": low_end, "u": high_end}, integers_from(l=1, u="l"))
    evidence = safe(text, tree, expr)
    says = f"assuming ${text.strip()}$ for every request, the memory is never exceeded and nothing is cancelled"
    short, why = WHYS[evidence.status]
    finding = Finding("never-exceeded", says, evidence)
    return reading_of("amax-safe").judged(short, why, finding, overestimated=evidence)


# ---- a run in which a queue that assumes less than u exceeds the memory

low_end, high_end = sp.symbols("l u", positive=True)

LARGEST_END = 40
FAR_ENDS = (10**2, 10**3, 10**6, 10**12, 10**40)
"""All intervals with ends up to ``LARGEST_END`` are tried, and some with the ends ``FAR_ENDS``."""


def safe(text: str, tree: ast.expr, expr: SymExpr) -> Proved | Refuted | Measured:
    """Decide whether a queue that assumes a formula's length never exceeds the memory: iff it assumes no less than u.

    A fractional assumption counts as the integer below it, and as 1 where it is less: a request holds memory at
    integer instants. Where less than u is assumed, two requests of length u in just the memory for two of the
    assumed length exceed it.
    """
    intervals = [(low, up) for up in (1, 2, 3, 10, LARGEST_END) for low in {1, up}]
    if is_rational(tree):
        near = [(low, up) for up in range(1, LARGEST_END + 1) for low in range(1, up + 1)]
        intervals = near + [(low, up) for up in FAR_ENDS for low in (1, 2, up // 2, up - 1, up)]
    for low, up in intervals:
        assumed = _assumed(text, tree, expr, low, up)
        if assumed < up:
            return _overflow(low, up, assumed)
    tried = f"{len(intervals)} intervals with 1 ≤ l ≤ u ≤ {max(up for _, up in intervals)}: at least u is assumed"
    ordered = expr.xreplace({sp.Max(low_end, high_end): high_end, sp.Min(low_end, high_end): low_end})
    theorem = TEXT.theorem("A_max is safe", F=sp.Lambda((low_end, high_end), ordered))
    proof = by_theorem(theorem, values={"also_tried": tried})
    return proof if isinstance(proof, Proved) else Measured(True, tried, "never less than u")


def _assumed(text: str, tree: ast.expr, expr: SymExpr, low: int, up: int) -> int:
    """Return the whole number of tokens that the formula assumes at [low, up]; ``InputError`` where it is undefined."""
    try:
        try:
            value = evaluate(tree, {"l": low, "u": up})
        except ZeroDivisionError:
            raise
        except ArithmeticError:  # not rational: an upper end, so that what is short is short
            value = enclose(expr, {low_end: Fraction(low), high_end: Fraction(up)}, 30).upper
    except (ArithmeticError, TypeError, ValueError):
        raise InputError("assumed", text, f"must be a real number at l = {low}, u = {up}") from None
    return max(1, floor(value))


def _overflow(low: int, up: int, assumed: int) -> Refuted:
    """Return the run of two requests of length u that exceeds the memory."""
    s, starts, lengths = 1, (0, 0), (up, up)
    memory = max(s + up, 2 * (s + assumed))
    peak = 2 * (s + up)  # both end at u
    admitted = judge.tokens(starts, (assumed, assumed), s, assumed) <= memory
    agree(admitted and peak > memory, True, "whether the two requests exceed the memory")
    second = agree(peak, judge.tokens(starts, lengths, s, up), "the use")
    schedules = [schedule(f"assuming {assumed}", starts, lengths, s, memory, (assumed, assumed))]
    witness = {"l": low, "u": up, "lengths": lengths, "s": s, "M": memory, "assumed": assumed, "starts": starts}
    values = {"schedules": schedules} if up <= LARGEST_END else {}
    stays = "for every $M$: twice the requests need twice the memory"
    return Refuted(witness, f"at most {memory} tokens", peak, second, stays, values=values)


SAYS = {
    "h_sf": ("h-sf-total", "H-SF's total is {}"),
    "a_max": ("a-max-total", "$A_max$'s total is {}"),
    "latencies": ("a-max-latencies", "$A_max$'s latencies are {}"),
}


@stated_claim("ex-amax")
def ex_amax(given: Given) -> Decision:
    """Run Example 1 with both computations and compare every printed number."""
    n, s, memory, length, low, high = (whole(name, given[name], 0, 100) for name in ("n", "s", "M", "o", "l", "u"))
    lengths = [length] * n
    a_max_run = simulate("a-max", lengths, memory, s, low, high)
    shortest, a_max = judged_starts("h-sf", lengths, memory, s), judged_starts("a-max", lengths, memory, s, high)
    latencies, again = (sorted(int(p) + length for p in starts) for starts in (a_max_run.starts, a_max))
    actual: JsonObject = {
        "h_sf": confirmed_total("h-sf", lengths, memory, s, low, high),
        "a_max": confirmed_total("a-max", lengths, memory, s, low, high),
        "latencies": agree(latencies, again, "Example 1's latencies"),
        "batch": agree(min(n, memory // (s + high)), a_max.count(0), "Example 1's batch"),
    }
    drawn = {
        "h_sf": schedule("H-SF", shortest, lengths, s, memory),
        "a_max": schedule("A_max", a_max, lengths, s, memory, [high] * n),
    }
    instance = {"n": n, "s": s, "M": memory, "o": length, "l": low, "u": high}

    def compared(key: str) -> Certified | Refuted:
        printed: Any = integers(key, given[key]) if key == "latencies" else whole(key, given[key])
        value, values = actual[key], {"printed": given[key], **({"schedules": [drawn[key]]} if key in drawn else {})}
        if printed != value:
            return Refuted(instance, printed, value, value, "the example itself", values=values)
        return Certified(value, "the example's instance", value, values)

    findings = tuple(Finding(id, says.format(given[key]), compared(key)) for key, (id, says) in SAYS.items())
    false = [f.says for f in findings if f.status == "refuted"]
    totals = f"totals {actual['h_sf']} and {actual['a_max']}"
    why = f"not so: {'; '.join(false)}" if false else f"{totals}, by two computations"
    line = "a printed number is another one" if false else f"{totals}, as printed"
    return reading_of("ex-amax", **instance).judged(line, why, *findings, a_max_batch=compared("batch"))
