"""hsf-cardinality and amax-safe: what follows from shorter requests needing less memory at every instant."""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from typing import Any

import sympy as sp

from crtools.claims import literal_process as literal
from crtools.claims.claim import Claim, Given, Variant
from crtools.claims.reading import PROCESS, one_verdict, schedule
from crtools.claims.result import Decision, Part, Proof, from_theorem
from crtools.claims.search import Small, search
from crtools.errors import InputError
from crtools.expressions import evaluate, formula
from crtools.schedule import Schedule
from crtools.theorems.steps import Inference, Positive
from crtools.theorems.theorem import Theorem


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
    """Decide whether the longest fitting prefix in increasing o is a fitting set of largest cardinality."""
    order = given["order"].strip()
    if order not in ("increasing", "decreasing"):
        raise InputError("order", order, "must be increasing or decreasing")
    prompts = given["prompts"].strip()
    if prompts not in ("equal", "unequal"):
        raise InputError("prompts", prompts, "must be equal or unequal")
    name = f"the longest prefix in {order} o that fits has the largest cardinality, {prompts} prompts"
    found = _cardinality_counterexample(order, prompts)
    if found is not None:
        part = Part(name, "refuted", found)
    elif order == "increasing" and prompts == "equal":
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
    else:
        part = Part(name, "inconclusive", {"tried": "every set of at most 4 requests with o ≤ 4"})
    state = Proof("not-examined", "stated without proof")
    return one_verdict(
        f"one scheduling round, {PROCESS}", "exchange argument; exhaustive check", (part,), f"{part.status}", state
    )


def _cardinality_counterexample(order: str, prompts: str) -> dict[str, Any] | None:
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
                    if best > prefix:
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


def decide_safe(given: Given) -> Decision:
    """Decide whether a queue that assumes a length never exceeds the memory: true where the assumption is not below o."""
    low_end, gap, high_end = sp.symbols("l d u", nonnegative=True)
    tree, expr = formula("assumed", given["assumed"], {"l": low_end, "u": high_end})
    name = (
        f"assuming {given['assumed'].strip()} for every request, the memory is never exceeded and nothing is cancelled"
    )
    excess = sp.expand(expr.subs(low_end, high_end - gap) - high_end)  # l = u − d with d ≥ 0
    enough = excess == 0 or (
        excess.is_polynomial(gap, high_end) and all(c >= 0 for c in sp.Poly(excess, gap, high_end).coeffs())
    )

    def check(row: Small) -> Any:
        low, high = min(row.lengths), max(row.lengths)
        value = max(1, int(evaluate(tree, {"l": low, "u": high})))
        if row.s + value > row.memory:
            return None  # refused before it starts
        for order in permutations(range(len(row.lengths))):
            starts = literal.queue(order, [value] * len(order), row.lengths, row.s, row.memory)
            if not literal.feasible(starts, row.lengths, row.s, row.memory):
                shown = schedule(f"assuming {value}", starts, row.lengths, row.s, row.memory, [value] * len(order))
                return {"order": list(order), "starts": starts, "schedules": [shown]}
        return None

    found = search(check, n=3, longest=3, prompts=(0, 1, 2), random_n=3, random_longest=12, tries=100)
    if found.instance is not None:
        row = found.instance
        again = Schedule(found.hit["starts"], row.lengths, row.s).peak_memory
        evidence = {
            "counterexample": found.as_json(),
            **found.hit,
            "second computation": f"peak {again} > {row.memory}",
        }
        part = Part(name, "refuted", evidence)
    elif enough:
        theorem = Theorem(
            "A_max is safe",
            r"\sum_{i} (s + t - p_i) \le M \text{ at every } t",
            "every instance with o_i ≤ u, every order, every s ≥ 0",
            (
                *_domination(),
                Inference(
                    name="invariant",
                    conclusion=r"\text{admission keeps the projected use within } M \text{; the true use is never above it, as } o_i \le u",
                    follows_from=("use",),
                ),
            ),
        )
        part = from_theorem(name, theorem, checked=found.as_json())
    else:
        part = Part(name, "inconclusive", found.as_json())
    proof = Proof("sound") if part.status == "proved" else Proof("false-step", name)
    return one_verdict(f"every instance, {PROCESS}", "invariant; exhaustive check", (part,), part.status, proof)


CARDINALITY = Claim(
    id="hsf-cardinality",
    place="Algorithm H-SF",
    statement="the longest prefix in increasing o that fits is a set of largest cardinality that fits",
    given={"order": "increasing", "prompts": "equal"},
    decide=decide_cardinality,
    corrupted=(
        Variant("the other order", {"order": "decreasing"}),
        Variant("unequal prompts", {"prompts": "unequal"}),
        Variant("both", {"order": "decreasing", "prompts": "unequal"}),
    ),
    variants=(Variant("as it stands, spaced", {"order": " increasing"}),),
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
    ),
    variants=(Variant("one token more", {"assumed": "u+1"}), Variant("more", {"assumed": "2*u-l"})),
)
