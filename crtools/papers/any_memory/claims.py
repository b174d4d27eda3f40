"""The claims of the theory: lower bounds, proved factors to the optimum, lengths known or not, and exact formulas of families and limits.

docs/beyond/any-memory.md has their theorems and defines A, L, κ, P, Vol and TEL.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib.resources import files
from typing import Any

import sympy as sp

from crtools.blind.rho_star import least_cost
from crtools.enclosure import fraction
from crtools.expressions import number
from crtools.ledger import Claim, Decision, Evidence, Finding, Given, Open, Refuted, agree, by_theorem
from crtools.ledger.claim import claims_in, with_variants
from crtools.ledger.claims import bound, formula, proved_or_refuted, together
from crtools.ledger.deciders.formulas import Point
from crtools.ledger.deciders.ranges import Range, formula_on, integers_from, reals, unit
from crtools.numeric_types import SymExpr
from crtools.papers.any_memory.process import (
    Request,
    Requests,
    area,
    feasible,
    flow_without_kills,
    full_memory,
    in_reverse,
    possible_flow,
    prompts_that_fill,
    steady,
    term,
    total,
    total_of_run,
    two_parts,
    volume,
    volume_bound,
)
from crtools.papers.any_memory.theory import TEXT, reading_of, stated_claim, theorem
from crtools.papers.beyond.claims.minimax import below_rho_star, offset_base
from crtools.papers.beyond.theory import ALGORITHM, constant
from crtools.process import simulate
from crtools.proof.theorem import Theorem
from crtools.schedule import batch_total
from crtools.signs.ranges import parameter

# ---- every schedule takes the areas and, for each request, a term of its own length and prompt -----------------------

REQUESTS = [(s, o) for s in range(3) for o in (*range(1, 13), 25, 100)]
o, s = sp.symbols("o s", positive=True)


def with_full_memory(proof: Theorem, claimed: Callable[[Request], Fraction]) -> Evidence:
    """Decide a term of each request: by the theorem, or by so many copies of a request, with the memory full from the start."""

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

    return proved_or_refuted(proof, REQUESTS, refuted)


def _above_the_bound(s: int, o: int, count: int, claimed: Callable[[Request], Fraction]) -> Fraction:
    """Return the total latency of the schedule, by a run, less the claimed bound."""
    requests, starts, memory = steady(s, o, count)
    return total(requests, starts) - area(requests, memory) - sum(map(claimed, requests))


def at(expr: SymExpr, request: Request) -> Fraction:
    """Return the value of a formula in s and o at a request."""
    return fraction(expr.subs({s: request[0], o: request[1]}))


def with_term(name: str, expr: SymExpr) -> Evidence:
    """Decide whether a theorem holds with this term of each request, against requests that are all present at 0."""
    return with_full_memory(theorem(name, term=sp.Lambda((o, s), expr)), lambda request: at(expr, request))


def given_term(given: Given) -> SymExpr:
    """Read a claim's term of a request."""
    return formula_on("term", given["term"], {"o": o, "s": s}, integers_from(o=1, s=0))[1]


def with_share(share: Fraction) -> Evidence:
    """Decide whether OPT ≥ A + share · L."""
    proof = theorem("areas and a share of the lengths", third=share)
    return with_full_memory(proof, lambda request: share * request[1])


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


# ---- proved factors to the optimum -----------------------------------------------------------------------------------

SIZES = (10, 20, 50, 100, 200, 400, 1000, 4000)


def in_areas(double: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return double · κA + L of equal requests without prompts, with a name for it."""
    areas = area([(0, length)] * count, memory) * memory / (memory - length + 1)
    return double * areas + count * length, f"{double}κA + L"


def in_another_schedule(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the factor times the total latency of regular starts, as dense as the memory allows, with a name for it."""
    step = next(d for d in range(1, length + 1) if sum(range(length, 0, -d)) <= memory)
    few = 4 * length // step + 4
    agree(feasible([(0, length)] * few, range(0, few * step, step), memory), True, "regular starts fit in the memory")
    taken = step * count * (count - 1) // 2 + count * length
    return factor * taken, f"{factor} times starts at every {step}th instant"


def in_peaks(factor: Fraction, count: int, length: int, memory: int) -> tuple[Fraction, str]:
    """Return the same times κ = M/(M − P + 1)."""
    return in_another_schedule(factor * Fraction(memory, memory - length + 1), count, length, memory)


def above(claimed: Callable[..., tuple[Fraction, str]], peaks: int, constant: Fraction) -> Refuted | None:
    """Return a refutation by requests of which one fewer than ``peaks`` fit by reserved peaks, or None."""
    for length in SIZES:
        count, memory = 8 * length, peaks * length - peaks + 1
        bound, words = claimed(constant, count, length, memory)
        if (taken := length * batch_total(count, peaks - 1)) > bound:
            again = agree(taken, sum(length * (k // (peaks - 1) + 1) for k in range(count)), "the total")
            witness = {"s": 0, "o": length, "n": count, "M": memory, "rule": "reserved peaks"}
            return Refuted(witness, f"at most {bound}, {words}", str(taken), str(again), "n and o may grow together")
    return None


def thresholds_exceed(claimed: Fraction) -> Refuted | None:
    """Return equal requests just above a threshold on which common thresholds take more than ``claimed`` · κ · OPT."""
    length, count, memory = 20, 400, 400
    requests: list[Request] = [(0, length)] * count
    step, rate = Fraction(volume(requests[0]), memory - length), Fraction(memory, memory - length + 1)
    starts = [-(-k * step.numerator // step.denominator) for k in range(count)]
    agree(feasible(requests[:60], starts[:60], memory), True, "regular starts fit in the memory")
    taken, other = total_of_run("box-thresholds", requests, memory), total(requests, starts)
    if taken <= claimed * rate * other:
        return None
    again = agree(taken, total_of_run("box-thresholds", requests, memory, "reference"), "the total in both engines")
    witness = {"s": 0, "o": length, "n": count, "M": memory, "policy": "box-thresholds"}
    says = f"at most {claimed} κ times {other}, regular starts"
    return Refuted(witness, says, str(taken), str(again), "more exceed it")


# ---- constants at every n, of policies that reserve before a start ----

Families = Mapping[str, Callable[[Fraction], Refuted | None]]

FAMILIES: Families = {
    "double": partial(above, in_areas, 2),
    "at_two": partial(above, in_another_schedule, 2),
    "at_three": partial(above, in_another_schedule, 3),
    "limit": partial(above, in_another_schedule, 20),
    "factor": partial(above, in_another_schedule, 3),
    "per_kappa": partial(above, in_peaks, 20),
}
"""For each constant, by name, a function that refutes it by a family of requests, or returns None.

At most as many last runs are concurrent as peaks fit, so requests (0, o) take as long as by reserved peaks.
"""

SAYS = {
    "double": ("total", "$TEL ≤ {}κA + L ≤ max(2κ, 1 + 4κ/3)·OPT$"),
    "limit": ("limit", "at most {} times in the limit $M/P → ∞$"),
    "factor": ("factor", "at most {} times the optimum"),
    "per_kappa": ("kappa", "at most {} κ times the optimum, $κ = M/(M−P+1)$"),
    "at_three": ("three", "at most {} times for $M ≥ 3P − 2$"),
    "at_two": ("two", "at most {} times for $M ≥ 2P − 1$"),
}
"""The id and the sentence of the finding about each constant."""


def with_constants(
    id: str, name: str, holds: str, families: Families = FAMILIES, says: Mapping[str, tuple[str, str]] = SAYS
) -> Claim:
    """Return the claim of the theorem ``name``, whose constants are decided by the judge together, or each by a family that exceeds it."""
    [stated] = [own for (claimed, _), own in TEXT.book.claims.items() if claimed == id]
    constants = {key: number(key, value) for key, value in stated.given.items()}

    @stated_claim(id)
    def decide(given: Given) -> Decision:
        """Decide each of the constants, with the others as they are proved."""
        values = {key: number(key, given[key]) for key in constants}
        evidence: Evidence = by_theorem(theorem(name, **values))
        refuted = {} if evidence.status == "proved" else {key: families[key](value) for key, value in values.items()}
        if any(refuted.values()):
            others = {key: constants[key] if refuted[key] else value for key, value in values.items()}
            evidence = by_theorem(theorem(name, **others))
        rows = ((key, *says[key]) for key in constants)
        findings = [Finding(id, row.format(given[key]), refuted.get(key) or evidence) for key, id, row in rows]
        why = (holds.format(given[next(iter(constants))]), "regular starts take less")
        return reading_of(id).decision(why, *findings)

    return decide


volume_order = with_constants(
    "volume-order",
    "volume order",
    "at most $max(2κ, 1+4κ/3)$ times the optimum",
    says={**SAYS, "at_two": ("two", "at most {} times the optimum for $M ≥ 2P − 1$")},
)


# ---- exact formulas where lengths are known: volume order, H-SF, an even pace, greedy starts --------------------------


def of_schedule(requests: Requests, starts: Sequence[int], memory: int) -> int:
    """Return the total latency of a schedule that fits in the memory."""
    agree(feasible(requests, starts, memory), True, "the schedule fits in the memory")
    return total(requests, starts)


def exact_formulas(
    id: str, on: Range, why: str, *, points: Sequence[Point] | None = None, **values: Callable[..., int | Fraction]
) -> Claim:
    """Return the claim that each given formula has these values; each has a finding of the same name."""
    options: Any = {"on": on, "points": points, "place": reading_of(id).text("place")}
    parts = (formula(TEXT, id, value, finding=name, of=name, **options) for name, value in values.items())
    return together(*parts, why=why)


full_memory_claim = exact_formulas(
    "full-memory",
    integers_from(N=1, m=1),
    "at M = P the ratio grows like m/3",
    points=[{"N": N, "m": m} for N in (1, 2, 5) for m in (1, 2, 4)],
    rule=lambda N, m: total_of_run("h-volume", *full_memory(N, m)),
    other=lambda N, m: of_schedule(*two_parts(N, m)),
)


h_sf_unequal = exact_formulas(
    "h-sf-unequal",
    integers_from(K=1),
    "H-SF over the optimum is unbounded",
    points=[{"K": K} for K in range(1, 6)],
    hsf=lambda K: total_of_run("h-sf", *prompts_that_fill(K)),
    other=lambda K: of_schedule(*in_reverse(K)),
)


def one_token_each(size: int, fit: int, n: int) -> Fraction:
    """Return the optimum less 3n over Vol, of n requests of one token and one peak, of which ``fit`` fit."""
    memory = (fit + 1) * size - 1
    return (batch_total(n, fit) - 3 * n) / volume_bound([(size - 1, 1)] * n, memory)


def counted(size: int, fit: int, n: int) -> Fraction:
    """Return the same, one completion after the other."""
    return Fraction(sum(-(-k // fit) - 3 for k in range(1, n + 1)) * ((fit + 1) * size - 1), n * (n + 1) // 2 * size)


paced_volume_order = together(
    bound(
        TEXT,
        "paced-volume-order",
        one_token_each,
        [{"size": size, "fit": fit, "n": n} for size in (5, 50) for fit in (1, 2, 5) for n in (100, 1000, 10000)],
        on=unit("x"),
        at=lambda size, fit, n: Fraction(size, (fit + 1) * size - 1),
        second=counted,
        reading="every $n$ and $M > P$, $x = P/M$, all prompts, all $o_i ≤ u$, D kinds; the limit: $n → ∞$, then $M/P → ∞$",
        place=reading_of("paced-volume-order").text("place"),
    ),
    why="the ratio to the optimum tends to 1",
)


def in_waves(u: int, N: int) -> Fraction:
    """Return (TEL − L)/(κ Vol) of N²u requests (0, u) that start in waves of N."""
    memory, count = N * u, N * N * u
    taken = u * batch_total(count, N) - count * u
    return taken / (Fraction(memory, memory - u + 1) * volume_bound([(0, u)] * count, memory))


def wave_by_wave(u: int, N: int) -> Fraction:
    """Return the same, one wave after the other."""
    waves, n = N * u, N * N * u
    return Fraction(sum(u * N * b for b in range(waves)) * (N * u - u + 1) * 4, n * (n + 1) * u * (u + 1))


def one_wave(u: int) -> Fraction:
    """Return TEL over Vol of a wave of one request, which the formula (B + 1)N/(BN + 1) leaves as it is."""
    return total_of_run("h-volume", [(0, u)], u) / volume_bound([(0, u)], u)


greedy_starts = together(
    bound(
        TEXT,
        "greedy-starts",
        in_waves,
        [{"u": length, "N": N} for length in (1, 2, 5, 20) for N in (4, 20, 60)],
        finding="bound",
        on=integers_from(u=1),
        at=lambda u, N: u,
        second=wave_by_wave,
        reading="every $n$ and $M ≥ P$, all $o_i ≤ u$; reached: $s = 0$, lengths u, $M = Nu$, $n → ∞$, then $N → ∞$",
        place=reading_of("greedy-starts").text("place"),
    ),
    formula(TEXT, "greedy-starts", one_wave, finding="reached", on=integers_from(u=1)),
    why="$TEL ≤ 2u/(u+1)·κ·Vol + L$",
)


def order_limit(a: Fraction, b: Fraction) -> Fraction:
    """Return the limit, n → ∞, of the quotient of both orders of bn requests of volume a² and an of volume b²."""

    def growth(*kinds: tuple[Fraction, Fraction]) -> Fraction:
        """Return the coefficient of n² in the sum of V_k over all k."""
        total = before = Fraction(0)
        for size, share in kinds:
            total += share * (before + size * share / 2)
            before += size * share
        return total

    first, second = (Fraction(a * a), Fraction(b)), (Fraction(b * b), Fraction(a))
    return growth(first, second) / growth(second, first)


wrong_order = exact_formulas(
    "wrong-order",
    reals(a=(0, None), b=(0, None)),
    "H-SF over the optimum: at least a/b",
    points=[{"a": a, "b": b} for a, b in ((2, 1), (3, 2), (10, 3))],
    ratio=order_limit,
)


# ---- lengths in windows, and not known ---------------------------------------------------------------------------------

windows = with_constants("windows", "windows", "at most ${}·OPT$ at every M")
box_offsets = with_constants("box-offsets", "own offsets in boxes", "blind, with coins: at most ${} κ·OPT$")
box_thresholds = with_constants(
    "box-thresholds",
    "common thresholds in boxes",
    "blind, without coins: at most ${} κ·OPT$",
    families={**FAMILIES, "per_kappa": thresholds_exceed},
)


def at_most(bound: Fraction, base: Fraction | None) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have at most the bound in the limit, for any prompts."""
    rho_star = least_cost(40).value
    if bound < rho_star.lower:
        return below_rho_star(bound, ALGORITHM)
    if base is not None:
        kernel = theorem("the kernel at a base", base=constant(base), bound=constant(bound))
    elif bound >= rho_star.upper:
        kernel = theorem("the kernel at the best base")
    else:
        return Open("the bound is within the digits of ρ*")
    return by_theorem(theorem("own offsets with any prompts"), kernel)


@stated_claim("any-prompts")
def any_prompts(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one."""
    bound, base = number("bound", given["bound"]), offset_base(given["base"])
    return reading_of("any-prompts").decision(
        ("own offsets reach $(1 + ε)$ρ* in the limit", "every blind policy has more"),
        Finding("given-base", f"base {given['base']}: within {given['bound']}", given.evidence(at_most, bound, base)),
        Finding("best-base", f"at the best base within {given['bound']}", given.evidence(at_most, bound, None)),
        undecided="the kernel at this base is not shown to be within the bound",
    )


# ---- arrivals over time, set-up costs and classes with which kills never help ----------------------------------------


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


online_without_kills = exact_formulas(
    "online-without-kills",
    integers_from(n=2),
    "the ratio to the optimum grows like n/3",
    points=[{"n": n} for n in range(2, 8)],
    flow=lambda n: min(flow_without_kills(n, start) for start in range(n * n)),
    best=lambda n: max(possible_flow(n, start) for start in range(n * n)),
)


def backlog(load: Fraction, most: Fraction) -> Fraction:
    """Return the requests that are unfinished per instant where each fills ``most`` of the memory, for one instant."""
    fit, instants = int(1 / most), 8
    arrive, s = int(load * fit), 5
    release = [t for t in range(instants) for _ in range(arrive)]
    run = simulate("fcfs", [1] * len(release), fit * (s + 1), s, release=release)
    return Fraction(int((run.completion_times > instants).sum()), instants)


unstable = exact_formulas(
    "unstable",
    reals(load=(1, None), most=(0, None)),
    "at load > 1 the queue grows for ever",
    points=[{"load": load, "most": Fraction(1, fit)} for load in (2, 3, 7) for fit in (1, 2, 5)],
    growth=backlog,
)


def where_both_are_equal(mu: Fraction, F: Fraction, p: Fraction) -> Fraction:
    """Return the set-up at which E min(w, σ + c) = E w · P(v ≤ c), by two points of a line."""
    at_zero, at_one = (sigma + F - (sigma + mu) * p for sigma in (0, 1))
    return -at_zero / (at_one - at_zero)


set_up_threshold = exact_formulas(
    "set-up-threshold",
    reals(mu=(0, None), F=(0, None), p=(0, 1)),
    "from the largest threshold on, no kill",
    threshold=where_both_are_equal,
)


def smaller_means(p: Fraction, m: Fraction, d: Fraction) -> Fraction:
    """Return the mean of the smaller class mean over all pairs of classes."""
    classes = [(Fraction(p), Fraction(m)), (1 - Fraction(p), Fraction(m + d))]
    return sum((share * other * min(x, y) for share, x in classes for other, y in classes), Fraction(0))


class_means = exact_formulas(
    "class-means",
    reals(p=(0, 1), m=(0, None), d=(0, None)),
    "run to the end, smallest class mean first",
    minima=smaller_means,
)


def smallest_wait(p: Fraction, m: Fraction, y: Fraction) -> Fraction:
    """Return the smallest t + x w(t) at the corners of the unfinished share w, with x = m + y and the other mean above it."""
    first, second = p * m, (1 - p) * (m + y + 1)
    return min((m + y) * unfinished + t for t, unfinished in ((0, 1), (first, 1 - p), (first + second, 0)))


kills_and_classes = exact_formulas(
    "kills-and-classes",
    reals(p=(0, 1), m=(0, None), y=(0, None)),
    "no kill helps, exactly by this condition",
    waits=smallest_wait,
)


def best_share(p: Fraction, v: Fraction, x: Fraction, r: Fraction = Fraction(1), z: Fraction | None = None) -> Fraction:
    """Return the share that tries v first at which the sum over pairs of attempts, of what the first one uses, is least.

    The other class has one size z, by default v.
    """
    mean = Fraction(x + v) / p
    longer, other = (mean - p * v) / (1 - p), v if z is None else z

    def pairs(e: Fraction) -> Fraction:
        attempts = [(e, p, v), (1 - e, Fraction(1), mean), (e, 1 - p, (1 - p) * longer), (r, Fraction(1), other)]
        return sum((f * g * min(m * b, n * a) for f, m, a in attempts for g, n, b in attempts), Fraction(0))

    low, middle, high = (pairs(Fraction(k, 2)) for k in range(3))
    return Fraction(1, 2) + (low - high) / (4 * (low - 2 * middle + high))


def best_share_beyond(p: Fraction, v: Fraction, x: Fraction, r: Fraction) -> Fraction:
    """Return the same beside a class of size 2W."""
    return best_share(p, v, x, r, 2 * ((x + v) / Fraction(p) - p * v) / (1 - p))


def _sizes_between() -> Iterator[tuple[str, Range]]:
    """Iterate over the ranges of the other class's size z that depend on p, v and x, each with its name."""
    odds, v, x, r, part = (parameter(number, above_zero=True) for number in range(5))
    p, inside = 1 / (1 + odds), part / (1 + part)
    mean = (x + v) / p
    intervals = {"up_to_mean": (v / p, mean), "up_to_W": (mean, (mean - p * v) / (1 - p))}
    for name, (low, high) in intervals.items():
        z = sp.factor(low + (high - low) * inside)
        yield name, Range("0 < p < 1, v, x, r > 0, z between the two ends", ({"p": p, "v": v, "x": x, "r": r, "z": z},))


_SHARES: dict[str, tuple[Callable[..., Fraction], Range]] = {
    "up_to_v": (best_share, reals(p=(0, 1), v=(0, None), x=(0, None))),
    **{name: (best_share, on) for name, on in _sizes_between()},
    "beyond_W": (best_share_beyond, reals(p=(0, 1), v=(0, None), x=(0, None), r=(0, None))),
}
two_classes = together(
    *(
        formula(TEXT, "two-classes", share, finding=name, of=name, on=on, place=reading_of("two-classes").text("place"))
        for name, (share, on) in _SHARES.items()
    ),
    why="the best share to try first, in each case",
)


def largest_share(L: Fraction, c: Fraction, m: Fraction, e: Fraction) -> Fraction:
    """Return at which share of a class an attempt at c first and whole runs cost the same, beside a class of far larger mean."""
    used = c * (1 - Fraction(m) / 2)
    mean = (used + e) / Fraction(m)
    attempts, large = ((m, used), (1 - m, mean + c * (1 - m) - used)), (mean + c) / (1 - m)

    def costs(share: int) -> Fraction:
        classes = ((share, mean), (L, large))
        return sum((w * (sum(min(F, gain * g) for gain, F in attempts) - mean) for w, g in classes), Fraction(0))

    return costs(0) / (costs(0) - costs(1))


class_shares = exact_formulas(
    "class-shares",
    reals(L=(0, 1), c=(0, None), m=(0, 1), e=(0, None)),
    "the largest share that such a class has",
    most=largest_share,
)


_CLAIMS = claims_in("crtools.papers.any_memory", "claims")
CLAIMS = with_variants(_CLAIMS, files("crtools.papers.any_memory") / "variants.txt")
