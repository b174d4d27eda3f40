"""lower-bound, arrivals-lower-bound: a schedule takes the areas and, for each request, a term of its own length and prompt."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import sympy as sp

from crtools.enclosure import fraction
from crtools.expressions import number
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, agree
from crtools.ledger.claims import proved_or_refuted
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import SymExpr
from crtools.papers.any_memory.process import Request, area, steady, term, total, volume
from crtools.papers.any_memory.theory import TEXT, reading_of, stated_claim, theorem

REQUESTS = [(s, o) for s in range(3) for o in (*range(1, 13), 25, 100)]
o, s = sp.symbols("o s", positive=True)


def above_full_memory(claimed: Callable[[Request], Fraction]) -> Callable[[Request], Refuted | None]:
    """Return a function that refutes a term at a request, by so many copies of it, with the memory full from the start."""

    def refuted(request: Request) -> Refuted | None:
        s, o = request
        others, _, memory = steady(s, o, 0)
        excess = claimed(request) - (o - Fraction(1, 2) - Fraction(sum(map(volume, others)), memory))
        base = o * (o - 1) // 2 - area(others, memory) - sum(map(claimed, others))
        if excess <= 0:
            return None
        n = max(1, int(base / excess) + 1)
        takes = n * (n - 1) // 2 + n * o + o * (o - 1) // 2
        bound = takes - base + n * excess
        # a quadratic polynomial's value at n from those at 0, 1 and 2, by runs
        a, b, c = (_above_the_bound(s, o, count, claimed) for count in range(3))
        again = a + n * (b - a) + Fraction(n * (n - 1), 2) * (c - 2 * b + a)
        agree(again, takes - bound, "what the schedule takes less the bound")
        witness = {"s": s, "o": o, "n": n, "M": memory, "others": "(s + o − r, r) for r < o"}
        second = f"{-again} less than the bound"
        return Refuted(witness, f"at least {bound}", f"at most {takes}", second, "more requests show it too")

    return refuted


def _above_the_bound(s: int, o: int, count: int, claimed: Callable[[Request], Fraction]) -> Fraction:
    """Return the total latency of the schedule, by a run, less the claimed bound."""
    requests, starts, memory = steady(s, o, count)
    return total(requests, starts) - area(requests, memory) - sum(map(claimed, requests))


def at(expr: SymExpr, request: Request) -> Fraction:
    """Return the value of a formula in s and o at a request."""
    return fraction(expr.subs({s: request[0], o: request[1]}))


def with_term(name: str, expr: SymExpr) -> Evidence:
    """Decide whether a theorem holds with this term of each request, against requests that are all present at 0."""
    proof = theorem(name, term=sp.Lambda((o, s), expr))
    return proved_or_refuted(proof, REQUESTS, above_full_memory(lambda request: at(expr, request)))


def given_term(given: Given) -> SymExpr:
    """Read a claim's term of a request."""
    return formula_on("term", given["term"], {"o": o, "s": s}, integers_from(o=1, s=0))[1]


def with_share(share: Fraction) -> Evidence:
    """Decide whether OPT ≥ A + share · L."""
    proof = theorem("areas and a share of the lengths", third=share)
    return proved_or_refuted(proof, REQUESTS, above_full_memory(lambda request: share * request[1]))


def no_larger(expr: SymExpr) -> Evidence:
    """Decide whether no larger term holds: false of a term that is smaller than the theorem's at some request."""

    def refuted(request: Request) -> Refuted | None:
        proved, claimed = at(TEXT.value("length_term", o, s), request), at(expr, request)
        second = str(agree(proved, term(request), "the term by its ages"))
        if claimed >= proved:
            return None
        records = theorem("areas and lengths(length_term)").records
        return Refuted({"s": request[0], "o": request[1]}, f"none above {claimed}", str(proved), second, "", records)

    return proved_or_refuted(theorem("no larger term", term=sp.Lambda((o, s), expr)), REQUESTS, refuted)


@stated_claim("lower-bound")
def lower_bound(given: Given) -> Decision:
    """Decide the term of a request, and the share of its length."""
    expr, name = given_term(given), "areas and lengths"
    third = number("third", given["third"])
    return reading_of("lower-bound").decision(
        ("the optimum is at least A + Σ e_i", "requests that fill the memory take less"),
        Finding("term", f"$OPT ≥ A + ∑ e_i$ with $e = {given['term']}$", given.evidence(with_term, name, expr)),
        Finding("least", "for no s and o a larger term holds", given.evidence(no_larger, expr)),
        Finding("third", f"$OPT ≥ A + {given['third']}·L$", given.evidence(with_share, third)),
    )


@stated_claim("arrivals-lower-bound")
def arrivals_lower_bound(given: Given) -> Decision:
    """Decide the bound by one machine, and the one by mean busy times with a term of each request."""
    term, name = given_term(given), "flow times by mean instants"
    remaining = given.proved(partial(theorem, "flow times at a speed"))
    means = given.evidence(with_term, name, term)
    return reading_of("arrivals-lower-bound").decision(
        ("two lower bounds on the total flow time", "requests that fill the memory take less"),
        Finding("remaining", "flow times are at least the least of one machine of speed M", remaining),
        Finding("means", f"and at least $∑(T*_i − r_i) + ∑ e_i$ with $e = {given['term']}$", means),
    )
