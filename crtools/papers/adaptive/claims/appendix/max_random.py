"""lem-max-random: A_max with M against A_random with αM."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from typing import Any

from crtools.errors import InputError
from crtools.expressions import number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, Repair, from_theorem
from crtools.papers.adaptive.evidence.reading import (
    PROCESS,
    found_so,
    one_verdict,
    requests_asked,
    schedule,
    which_instances,
)
from crtools.papers.adaptive.forms import a_max, a_random
from crtools.papers.adaptive.literal import process as literal
from crtools.process import simulate
from crtools.proof.steps import Inference, Positive
from crtools.proof.symbols import i, j, l, s, u
from crtools.proof.theorem import Theorem

MOST, FAMILY = 2, 60
"""All instances of up to so many requests are looked at, and one of a family with up to so many."""


def decide_max_random(given: Given) -> Decision:
    """Search for E TEL(A_max, M) > factor · E TEL(A_random, αM), and for a permutation with A_max's total above."""
    factor = number("factor", given["factor"])
    if factor <= 0:
        raise InputError("factor", given["factor"], "must be > 0")
    asked = requests_asked(given["requests"])
    most = min(asked or MOST, MOST)
    looked_at = 0
    mean: dict[str, Any] | None = None
    one: dict[str, Any] | None = None
    settings = [(n, up, low) for n in range(1, most + 1) for up in range(2, 9) for low in range(1, up)]
    for n, up, low in settings:
        for lengths in combinations_with_replacement(range(low, up + 1), n):
            for memory in range(1 + up, max(n, 2) * (1 + up) + 1):
                smaller = Fraction(low * memory, up)
                if smaller.denominator != 1 or smaller < 1 + max(lengths):
                    continue
                totals = _both_totals(lengths, low, up, 1, memory, int(smaller))
                if mean is None and sum(totals[0]) > factor * sum(totals[1]):
                    mean = _max_random_hit(lengths, low, up, memory, int(smaller), totals, looked_at)
                if one is None and any(a > factor * b for a, b in zip(*totals, strict=True)):
                    one = _max_random_hit(lengths, low, up, memory, int(smaller), totals, looked_at)
                looked_at += 1
    names = ("in expectation over the permutation", "for every permutation, under the coupling")
    if mean is None:
        words = f"n ≤ {most}, l < u ≤ 8, s = 1, M ≤ 2(1+u) with αM an integer: {looked_at} instances"
        nothing = f"{words}: no counterexample"
        large = _in_turn(min(asked or FAMILY, FAMILY)) if most == MOST else None
        if large is not None and large["A_max"] > factor * large["A_random"]:
            evidence = {"counterexample": large, "second computation": _in_turn_again(large["n"])}
            parts = tuple(Part(name, "refuted", evidence) for name in names)
        elif asked is not None and asked > most:
            tried = f"n ≤ {most} of the {asked} requests asked, and a family of {min(asked, FAMILY)}"
            evidence = {"tried": tried, "searched": words, "a family": large}
            parts = tuple(Part(name, "inconclusive", evidence) for name in names)
        elif asked is None and factor < 2:
            tried = "below 2, which a family tends to as n and u/l grow; too large to be run"
            parts = tuple(Part(name, "inconclusive", {"tried": tried, "a family": large}) for name in names)
        else:
            parts = tuple(
                Part(name, "supported", {"sample": nothing, "searched": words, "a family": large}) for name in names
            )
        if one is not None and parts[1].status != "refuted":
            parts = (parts[0], Part(names[1], "refuted", one))
    else:
        grown = [_grown(size, n) for size, n in ((1, 10), (1, 100), (5, 30))]
        both = {**mean, "not an effect of small n or M (s, l, u, M scaled; n grows)": grown}
        parts = tuple(Part(name, "refuted", both) for name in names)
    why = found_so(parts)
    false = parts[1].status == "refuted"
    state = Proof("false-step", "“A_max tends to process more requests earlier”") if false else Proof("not-examined")
    reading = f"{which_instances(asked)} with s ≥ 1 and αM an integer at which both can run; E over the permutation, {PROCESS}"
    repair = Repair(
        "of the forms, for every s ≥ 0, all l ≤ u and x ≥ 0: A_max with memory M is at most A_random with memory αM",
        (from_theorem("A_max's form at M below A_random's at αM", of_the_forms()),),
    )
    return one_verdict(reading, "exhaustive search, all permutations", parts, why, state, (repair,) if false else ())


def of_the_forms(share: Any = l / u) -> Theorem:
    """A_max's form over M is at most A_random's over ``share`` · M, entry by entry."""
    at_m, at_less = a_max.bind(l, u).formula(i, j, s), a_random.entry(i, j, s) / share
    return Theorem(
        "A_max's form and A_random's",
        r"\tfrac1M\,\mathcal A_{\max} \le \tfrac1{\alpha M}\,\mathcal A_{\mathrm{random}} \text{ for all } x \ge 0",
        "every s ≥ 0 and l ≤ u, all weights on [l, u], α = l/u; of the forms",
        (
            Positive(
                name="entries",
                text="α⁻¹ (i(s+i) + j(s+j))/2 − (s+u)(i+j)/2 for l ≤ i ≤ j ≤ u: term by term u(s+i) − l(s+u) = s(u−l) + u(i−l) ≥ 0",
                expr=at_less - at_m,
                where=((s, 0), (l, 1), (i, l), (j, i), (u, j)),
                strict=False,
            ),
            Inference(
                name="forms",
                conclusion=r"\tfrac1M\,\mathcal A_{\max} \le \tfrac1{\alpha M}\,\mathcal A_{\mathrm{random}}",
                follows_from=("entries",),
            ),
        ),
    )


def _both_totals(
    lengths: Sequence[int], l: int, u: int, s: int, memory: int, smaller: int
) -> tuple[list[int], list[int]]:
    del l
    orders = list(permutations(range(len(lengths))))
    return (
        [literal.total(literal.queue(o, [u] * len(lengths), lengths, s, memory), lengths) for o in orders],
        [literal.total(literal.queue(o, lengths, lengths, s, smaller), lengths) for o in orders],
    )


def _max_random_hit(
    lengths: Sequence[int], l: int, u: int, memory: int, smaller: int, totals: tuple[list[int], list[int]], before: int
) -> dict[str, Any]:
    orders = list(permutations(range(len(lengths))))
    again = [
        [simulate("a-max", lengths, memory, 1, l, u, order=o).total_latency for o in orders],
        [simulate("a-random", lengths, smaller, 1, l, u, order=o).total_latency for o in orders],
    ]
    if again != [list(x) for x in totals]:
        raise AssertionError("two computations of totals differ")
    first, ends = orders[0], [u] * len(lengths)
    starts = literal.queue(first, ends, lengths, 1, memory), literal.queue(first, lengths, lengths, 1, smaller)
    return {
        "counterexample": {"lengths": list(lengths), "s": 1, "l": l, "u": u, "M": memory, "αM": smaller},
        "A_max's totals, by permutation": totals[0],
        "A_random's totals at αM": totals[1],
        "smaller instances": f"{before} were looked at before it, in increasing (n, u, l, lengths, M)",
        "second computation": again,
        "schedules": [
            schedule(f"A_max at M = {memory}", starts[0], lengths, 1, memory, ends),
            schedule(f"A_random at αM = {smaller}", starts[1], lengths, 1, smaller),
        ],
    }


def _grown(size: int, n: int) -> dict[str, Any]:
    """The family s = m, l = 4m, u = 8m, all o = l, M = 14m: every permutation is the same."""
    lengths = [4 * size] * n
    order = range(n)
    slow = literal.total(literal.queue(order, [8 * size] * n, lengths, size, 14 * size), lengths)
    fast = literal.total(literal.queue(order, lengths, lengths, size, 7 * size), lengths)
    return {"n": n, "s": size, "l": 4 * size, "u": 8 * size, "M": 14 * size, "A_max over A_random": slow / fast}


def _in_turn(n: int) -> dict[str, int]:
    """All o = l, αM just below two peaks: A_random runs two at a time, A_max one. The ratio tends to 2 (n, u/l → ∞)."""
    l, u, memory = 20, 400, 780
    slow = literal.total(literal.queue(range(n), [u] * n, [l] * n, 1, memory), [l] * n)
    fast = literal.total(literal.queue(range(n), [l] * n, [l] * n, 1, memory * l // u), [l] * n)
    return {"n": n, "s": 1, "l": l, "u": u, "M": memory, "A_max": slow, "A_random": fast}


def _in_turn_again(n: int) -> dict[str, int]:
    slow = simulate("a-max", [20] * n, 780, 1, 20, 400, order=range(n))
    fast = simulate("a-random", [20] * n, 39, 1, 20, 400, order=range(n))
    return {"A_max": slow.total_latency, "A_random": fast.total_latency}


MAX_RANDOM = Claim(
    id="lem-max-random",
    place="Lemma max<random",
    statement="E TEL(A_max, M) ≤ E TEL(A_random, αM); pathwise under the coupling",
    given={"factor": "1", "requests": "any"},
    decide=decide_max_random,
    corrupted=(
        Variant("1 % weaker, still false", {"factor": "1.01"}),
        Variant("1 % stronger", {"factor": "0.99"}),
        Variant("5 % weaker, still false", {"factor": "1.05"}),
        Variant("90 % weaker, still false", {"factor": "1.9"}),
        Variant("two requests", {"requests": "2"}),
        Variant("1 % stronger for one request", {"factor": "0.99", "requests": "1"}),
    ),
    variants=(
        Variant("one request", {"requests": "1"}),
        Variant("one request, a weaker bound", {"factor": "1.01", "requests": "1"}),
    ),
)
