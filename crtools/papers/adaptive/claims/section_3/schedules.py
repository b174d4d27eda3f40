"""hsf-cardinality, amax-safe and ex-amax: what H-SF and A_max start, and the example with both."""

import ast
from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

import sympy as sp

from check import process as judge
from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational
from crtools.ledger import Certified, Decision, Finding, Given, Measured, Proved, Refuted, agree, by_theorem
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import JsonObject, SymExpr
from crtools.papers.adaptive.evidence.confirmed_runs import confirmed_total, judged_starts
from crtools.papers.adaptive.evidence.reading import integers, one_of, phrase, schedule, whole
from crtools.papers.adaptive.theory import ALGORITHM, TEXT, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.schedule import Schedule


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
    why = "the $k$ shortest waiting requests hold at most what any $k$ of them hold, at every instant"
    read = reading_of("hsf-cardinality")
    verdict = read.verdict(
        ALGORITHM,
        why if evidence.status == "proved" else "a set that fits has more requests than the prefix",
        Finding("largest-prefix", says, evidence),
    )
    return Decision(
        phrase(evidence.status, "a larger set fits", "shorter requests never hold more"), (verdict,), read.proof()
    )


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
    read = reading_of("amax-safe")
    verdict = read.verdict(ALGORITHM, why, Finding("never-exceeded", says, evidence))
    return Decision(short, (verdict,), read.proof(overestimated=evidence))


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
    read = reading_of("ex-amax", **instance)
    false = [f.says for f in findings if f.status == "refuted"]
    totals = f"totals {actual['h_sf']} and {actual['a_max']}"
    why = f"not so: {'; '.join(false)}" if false else f"{totals}, by two computations"
    verdict = read.verdict(ALGORITHM, why, *findings)
    line = "a printed number is another one" if false else f"{totals}, as printed"
    return Decision(line, (verdict,), read.proof(a_max_batch=compared("batch")))
