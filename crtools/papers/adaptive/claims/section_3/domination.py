"""hsf-cardinality and amax-safe: what follows from shorter requests needing less memory at every instant."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import floor
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.errors import InputError
from crtools.expressions import evaluate, is_rational, number
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.deciders.search import Small, search
from crtools.ledger.result import Decision, Part, Proof, from_theorem
from crtools.papers.adaptive.evidence.reading import PROCESS, one_verdict, schedule
from crtools.papers.adaptive.literal import process as literal
from crtools.proof.steps import Inference, Positive
from crtools.proof.theorem import Theorem
from crtools.schedule import Schedule


def _domination() -> tuple[Any, ...]:
    s, x = sp.symbols("s x", nonnegative=True)
    return (
        Positive(
            name="use",
            text="a request of age x holds s + x ≥ 0 tokens, so one that ends sooner never holds more",
            expr=s + x,
            where=((s, 0), (x, 0)),
            strict=False,
        ),
    )


def decide_cardinality(given: Given) -> Decision:
    """Decide whether no fitting set has more requests than the longest fitting prefix, and ``margin`` more."""
    order = given["order"].strip()
    if order not in ("increasing", "decreasing"):
        raise InputError("order", order, "must be increasing or decreasing")
    prompts = given["prompts"].strip()
    if prompts not in ("equal", "unequal"):
        raise InputError("prompts", prompts, "must be equal or unequal")
    margin = _margin(given["margin"])
    more = "no fitting set is larger" if margin == 0 else f"no fitting set has more than {margin} requests more"
    name = f"the longest prefix in {order} o that fits: {more}, {prompts} prompts"
    found = _cardinality_counterexample(order, prompts, margin) or _cardinality_family(order, prompts, margin)
    if found is not None:
        part = Part(name, "refuted", found)
    else:  # increasing order and equal prompts, as each of the other cases has a counterexample
        theorem = Theorem(
            "largest prefix",
            r"|U| \le m \text{ for every fitting } U",
            "one round: running requests fixed, the waiting ones all start now; every s ≥ 0, M and lengths",
            (
                *_domination(),
                Inference(
                    name="exchange",
                    conclusion=r"\text{the } k\text{-th shortest waiting request is no longer than the } k\text{-th shortest of } U",
                    follows_from=("use",),
                ),
                Inference(
                    name="prefix",
                    conclusion=r"\text{so the } |U| \text{ shortest hold at most what } U \text{ holds at every instant, and fit}",
                    follows_from=("use", "exchange"),
                ),
            ),
        )
        part = from_theorem(name, theorem, checked="every set of at most 4 requests with o ≤ 4 at every M, s ≤ 2")
    state = Proof("not-examined", "stated without proof")
    return one_verdict(
        f"one scheduling round, {PROCESS}", "exchange argument; exhaustive check", (part,), f"{part.status}", state
    )


def _margin(text: str) -> int:
    value = number("margin", text)
    if value.denominator != 1 or abs(value) > 100:
        raise InputError("margin", text, "must be an integer from -100 to 100")
    return int(value)


def _cardinality_family(order: str, prompts: str, margin: int) -> dict[str, Any] | None:
    """Two requests first that fill the memory alone, then as many small ones as fit together: a gap of any size."""
    k = margin + 2
    if order == "decreasing":
        lengths, own, memory = [2 * k - 1] * 2 + [1] * k, [1] * (k + 2), 2 * k
    elif prompts == "unequal":
        lengths, own, memory = [1] * 2 + [2] * k, [2 * k - 1] * 2 + [0] * k, 2 * k
    else:
        return None
    prefix = next(n for n in range(k + 2, -1, -1) if _fits(lengths[:n], own[:n], memory))
    small = Schedule((0,) * k, tuple(lengths[2:]), tuple(own[2:])).peak_memory
    if not (_fits(lengths[2:], own[2:], memory) and small <= memory and k > prefix + margin):
        raise AssertionError("the family's instance does not have the gap that it is made for")
    return {
        "counterexample": {"lengths": lengths, "s": own, "M": memory},
        "longest prefix": prefix,
        "a larger fitting set": f"the last {k}",
        "second computation": f"its peak by the schedule's own predicate is {small}",
    }


def _cardinality_counterexample(order: str, prompts: str, margin: int) -> dict[str, Any] | None:
    """Compare the longest prefix with the best of all sets, on an empty machine."""
    sizes = (0, 1, 2) if prompts == "equal" else (0,)
    for n in range(1, 5):
        for kinds in product(range(1, 5), repeat=n) if prompts == "equal" else product(range(1, 4), repeat=n):
            lengths = sorted(kinds, reverse=order == "decreasing")
            if prompts == "equal" and list(kinds) != lengths:
                continue
            choices = [[s] * n for s in sizes] if prompts == "equal" else [list(x) for x in product((0, 2), repeat=n)]
            if prompts == "unequal" and list(kinds) != lengths:
                continue
            for own in choices:
                for memory in range(1, sum(lengths) + sum(own) + 1):
                    prefix = next((k for k in range(n, 0, -1) if _fits(lengths[:k], own[:k], memory)), 0)
                    best = max(
                        (k for k in range(n + 1) for c in combinations(range(n), k)
                         if _fits([lengths[i] for i in c], [own[i] for i in c], memory)),
                        default=0,
                    )  # fmt: skip
                    if best > prefix + margin:
                        return {
                            "counterexample": {"lengths": lengths, "s": own, "M": memory},
                            "longest prefix": prefix,
                            "largest set": best,
                            "second computation": "both by enumeration of all subsets, memory summed at every instant",
                        }
    return None


def _fits(lengths: Sequence[int], prompts: Sequence[int], memory: int) -> bool:
    top = max(lengths, default=0)
    return all(sum(s + t for o, s in zip(lengths, prompts, strict=True) if t <= o) <= memory for t in range(1, top + 1))


LARGEST_END = 40
FAR_ENDS = (10**2, 10**3, 10**6, 10**12, 10**40)
"""All intervals with ends up to the first are tried, and some up to these."""


def decide_safe(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory: true iff it assumes no less than u.

    A fractional assumption counts as the integer below it, and as 1 where it is less: a request holds memory at
    integer instants. Where less than u is assumed, two requests of length u in just the memory for two of the
    assumed length exceed it.
    """
    low_end, high_end = sp.symbols("l u", positive=True)
    tree, expr = formula_on("assumed", given["assumed"], {"l": low_end, "u": high_end}, integers_from(l=1, u="l"))
    name = (
        f"assuming {given['assumed'].strip()} for every request, the memory is never exceeded and nothing is cancelled"
    )
    ends = [(low, up) for up in range(1, LARGEST_END + 1) for low in range(1, up + 1)]
    ends += [(low, up) for up in FAR_ENDS for low in (1, 2, up // 2, up - 1, up)]
    if not is_rational(tree):
        ends = [(low, up) for up in (1, 2, 3, 10, LARGEST_END) for low in {1, up}]

    @cache
    def assumed(low: int, up: int) -> int:
        return _assumed(given["assumed"], tree, expr, low, up)

    def check(row: Small) -> Any:
        value = assumed(min(row.lengths), max(row.lengths))
        if row.s + value > row.memory:
            return None  # refused before it starts
        for order in permutations(range(len(row.lengths))):
            starts = literal.queue(order, [value] * len(order), row.lengths, row.s, row.memory)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                shown = schedule(f"assuming {value}", starts, row.lengths, row.s, row.memory, [value] * len(order))
                return {"order": list(order), "starts": starts, "schedules": [shown]}
        return None

    short = next((x for x in ends if assumed(*x) < x[1]), None)
    found = search(check, n=3, longest=3, prompts=(0, 1, 2), random_n=3, random_longest=12, tries=100)
    if found.instance is not None:
        row = found.instance
        again = Schedule(found.hit["starts"], row.lengths, row.s).peak_memory
        if again <= row.memory:
            raise AssertionError("two computations of the use differ")
        evidence = {
            "counterexample": found.as_json(),
            **found.hit,
            "second computation": f"peak {again} > {row.memory}",
        }
        part = Part(name, "refuted", evidence)
    elif short is not None:
        part = Part(name, "refuted", _overflow(*short, assumed(*short)))
    else:
        theorem = Theorem(
            "A_max is safe",
            r"\sum_{i} (s + t - p_i) \le M \text{ at every } t",
            "every instance with o_i ≤ u, every order, every s ≥ 0",
            (
                *_domination(),
                Positive(
                    name="assumption",
                    text="at least u is assumed, for every 1 ≤ l ≤ u",
                    expr=expr.xreplace({sp.Max(low_end, high_end): high_end, sp.Min(low_end, high_end): low_end})
                    - high_end,
                    where=((low_end, 1), (high_end, low_end)),
                    strict=False,
                ),
                Inference(
                    name="invariant",
                    conclusion=r"\text{admission keeps the projected use within } M \text{; the true use is never above it, as } o_i \le u",
                    follows_from=("use", "assumption"),
                ),
            ),
        )
        tried = f"{len(ends)} intervals with 1 ≤ l ≤ u ≤ {max(up for _, up in ends)}: at least u is assumed"
        part = from_theorem(name, theorem, checked=[tried, found.as_json()])
        if part.status != "proved":
            part = Part(name, "supported", {"sample": tried, **found.as_json(), **theorem.as_json()})
    proof = (
        Proof("sound") if part.status == "proved" else Proof("false-step" if part.status == "refuted" else "gap", name)
    )
    return one_verdict(
        f"every instance, {PROCESS}", "invariant; explicit and random instances", (part,), part.status, proof
    )


def _assumed(text: str, tree: Any, expr: Any, low: int, up: int) -> int:
    """Return the whole number of tokens that the formula assumes at [low, up]; ``InputError`` where it is undefined."""
    try:
        try:
            value = evaluate(tree, {"l": low, "u": up})
        except ZeroDivisionError:
            raise
        except ArithmeticError:  # not rational: an upper end, so that what is short is short
            x, y = sp.symbols("l u", positive=True)
            value = enclose(expr, {x: Fraction(low), y: Fraction(up)}, 30).upper
    except (ArithmeticError, TypeError, ValueError):
        raise InputError("assumed", text, f"must be a real number at l = {low}, u = {up}") from None
    return max(1, floor(value))


def _overflow(low: int, up: int, assumed: int) -> dict[str, Any]:
    """Return the run of two requests of length u that exceeds the memory."""
    s, starts, lengths = 1, (0, 0), (up, up)
    memory = max(s + up, 2 * (s + assumed))
    peak = 2 * (s + up)  # both end at u
    admitted = literal.use(starts, (assumed, assumed), s, assumed) <= memory
    if not (admitted and literal.use(starts, lengths, s, up) == peak > memory):
        raise AssertionError("two computations of the use differ")
    shown = [schedule(f"assuming {assumed}", starts, lengths, s, memory, (assumed, assumed))]
    return {
        "counterexample": {"l": low, "u": up, "lengths": list(lengths), "s": s, "M": memory, "assumed": assumed},
        "starts": list(starts),
        "second computation": f"peak {peak} > {memory}",
        **({"schedules": shown} if up <= LARGEST_END else {}),
    }


CARDINALITY = Claim(
    id="hsf-cardinality",
    place="Algorithm H-SF",
    statement="the longest prefix in increasing o that fits is a set of largest cardinality that fits",
    given={"order": "increasing", "prompts": "equal", "margin": "0"},
    decide=decide_cardinality,
    corrupted=(
        Variant("the other order", {"order": "decreasing"}),
        Variant("unequal prompts", {"prompts": "unequal"}),
        Variant("both", {"order": "decreasing", "prompts": "unequal"}),
        Variant("every fitting set is smaller", {"margin": "-1"}),
        Variant("the other order, with room for ten", {"order": "decreasing", "margin": "10"}),
        Variant("unequal prompts, with room for ten", {"prompts": "unequal", "margin": "10"}),
    ),
    variants=(Variant("a weaker bound", {"margin": "1"}),),
)
SAFE = Claim(
    id="amax-safe",
    place="Algorithm 1",
    statement="A_max never exceeds the memory and never cancels",
    given={"assumed": "u"},
    decide=decide_safe,
    corrupted=(
        Variant("the lower end", {"assumed": "l"}),
        Variant("one token less", {"assumed": "u-1"}),
        Variant("the middle", {"assumed": "(l+u)/2"}),
        Variant("1 % less", {"assumed": "0.99*u"}),
        Variant("less for wide intervals only", {"assumed": "u+5-(u-l)"}),
    ),
    variants=(
        Variant("one token more", {"assumed": "u+1"}),
        Variant("more", {"assumed": "2*u-l"}),
        Variant("an equivalent wording", {"assumed": "max(l,u)"}),
        Variant("a product", {"assumed": "l*u"}),
    ),
)
