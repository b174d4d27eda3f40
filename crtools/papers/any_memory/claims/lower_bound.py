"""lower-bound: every schedule takes the areas and, for each request, a term of its own length and prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import sympy as sp

from crtools.enclosure import fraction
from crtools.expressions import Expr, number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, proved_or_refuted, verdict
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.papers.any_memory.levels import ALGORITHM
from crtools.papers.any_memory.process import Request, area, optimum, small_instances, total, volume
from crtools.papers.any_memory.theory import TEXT, theorem
from crtools.papers.any_memory.trials import steady
from crtools.process import optimum as by_programme
from crtools.proof.theorem import Theorem

PLACE = "docs/beyond/any-memory.md"
o, s = sp.symbols("o s", positive=True)

Instance = tuple[list[Request], int]


def _refuted(claimed: Callable[[Request], Fraction]) -> Callable[[Instance], Refuted | None]:
    """Return what refutes a term of each request at an instance whose optimum is smaller."""

    def refuted(instance: Instance) -> Refuted | None:
        requests, memory = instance
        bound = area(requests, memory) + sum(map(claimed, requests))
        if bound <= (least := optimum(requests, memory)):
            return None
        again = by_programme([o for _, o in requests], memory, [s for s, _ in requests]).total_latency
        witness = {"prompts": [s for s, _ in requests], "lengths": [o for _, o in requests], "M": memory}
        second = str(agree(least, again, "the optimum"))
        return Refuted(witness, f"at least {bound}", str(least), second, "no limit is taken")

    return refuted


def _sharp(claimed: Callable[[Request], Fraction]) -> Iterator[Refuted]:
    """Iterate over refutations by requests that fill the memory from the first instant on, as many as it takes."""
    for s, o in product(range(3), (*range(1, 13), 25, 100)):
        others, _, memory = steady(s, o, 0)
        filled = sum(map(volume, others))
        spare = claimed((s, o)) - (o - Fraction(1, 2) - Fraction(filled, memory))
        base = o * (o - 1) // 2 - area(others, memory) - sum(map(claimed, others))
        if spare <= 0:
            continue
        n = max(1, int(base / spare) + 1)
        takes = n * (n - 1) // 2 + n * o + o * (o - 1) // 2
        bound = takes - base + n * spare
        again = _interpolated([_run(s, o, count, claimed) for count in range(3)], n)
        agree(again, takes - bound, "what the schedule takes less the bound")
        witness = {"s": s, "o": o, "n": n, "M": memory, "others": "(s + o − r, r) for r < o"}
        yield Refuted(
            witness, f"at least {bound}", f"at most {takes}", f"{takes} − {-again} less", "more requests show it too"
        )


def _run(s: int, o: int, count: int, claimed: Callable[[Request], Fraction]) -> Fraction:
    """Return what the schedule takes, less what is claimed, by a run."""
    requests, starts, memory = steady(s, o, count)
    return total(requests, starts) - area(requests, memory) - sum(map(claimed, requests))


def _interpolated(values: list[Fraction], n: int) -> Fraction:
    """Return a quadratic polynomial's value at n from those at 0, 1 and 2."""
    a, b, c = values
    return a + n * (b - a) + Fraction(n * (n - 1), 2) * (c - 2 * b + a)


def _decided(own: Theorem, claimed: Callable[[Request], Fraction]) -> Evidence:
    """Decide a term of each request: by the theorem, by a small instance, or by many requests that fill the memory."""
    found = proved_or_refuted(own, small_instances(), _refuted(claimed))
    return found if found.status != "inconclusive" else next(_sharp(claimed), found)


def with_term(term: Expr) -> Evidence:
    """Decide whether OPT ≥ A + Σ term(o, s)."""
    values: dict[Request, Fraction] = {}

    def claimed(request: Request) -> Fraction:
        if request not in values:
            values[request] = fraction(term.subs({s: request[0], o: request[1]}))
        return values[request]

    return _decided(theorem("areas and lengths", term=sp.Lambda((o, s), term)), claimed)


def with_share(share: Fraction) -> Evidence:
    """Decide whether OPT ≥ A + share · L."""
    own = theorem("areas and a share of the lengths", third=share)
    return _decided(own, lambda request: share * request[1])


def no_larger(term: Expr) -> Evidence:
    """Decide whether no term is larger anywhere: a smaller one than the theorem's could grow."""
    known = TEXT.value("length_term", o, s)
    own = theorem("no larger term", term=sp.Lambda((o, s), term))

    def refuted(request: Request) -> Refuted | None:
        put = {s: request[0], o: request[1]}
        least, claimed = fraction(known.subs(put)), fraction(term.subs(put))
        if claimed >= least:
            return None
        runs = [_run(*request, count, lambda own: fraction(known.subs({s: own[0], o: own[1]}))) for count in (1, 2)]
        agree(runs[0], runs[1], "what the schedule takes less the bound")
        records = theorem("areas and lengths(length_term)").records
        return Refuted({"s": request[0], "o": request[1]}, f"none above {claimed}", str(least), str(least), "", records)

    return proved_or_refuted(own, product(range(3), range(1, 6)), refuted)


@claim("lower-bound", ALGORITHM, f"{PLACE}, areas and lengths", "$OPT ≥ A + ∑ e_i ≥ A + L/3$ for all prompts, n and M")
def lower_bound(given: Given) -> Decision:
    """Decide the term of a request, and the share of its length."""
    term = formula_on("term", given["term"], {"o": o, "s": s}, integers_from(o=1, s=0))[1]
    third = number("third", given["third"])
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M$, all prompts and lengths; every schedule, with kills or without, all requests present at 0",
            "mean instants of tokens, and Abel summation by volumes",
            ("the mean instant of tokens, by volumes", "a small instance takes less"),
            Finding("term", f"$OPT ≥ A + ∑ e_i$ with $e = {given['term']}$", given.evidence(with_term, term)),
            Finding("least", "for no s and o a larger term holds", given.evidence(no_larger, term)),
            Finding("third", f"$OPT ≥ A + {given['third']}·L$", given.evidence(with_share, third)),
        )
    )


CLAIMS = (lower_bound,)
