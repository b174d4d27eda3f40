"""hsf-lower: H-SF against the optimum."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from math import floor

from check import process as judge
from crtools.ledger import Decision, Finding, Given, Measured, Open, Refuted, agree
from crtools.ledger.deciders.search import Hit, SmallInstance, first_hit, random_then_shrink, search_evidence
from crtools.papers.adaptive.evidence import reading
from crtools.papers.adaptive.evidence.reading import positive, repairs, schedule, with_smallest
from crtools.papers.adaptive.theory import TEXT, reading_of, stated_claim
from crtools.process import optimum, simulate
from crtools.schedule import Schedule, volume


@stated_claim("hsf-lower")
def hsf_lower(given: Given) -> Decision:
    """Search for a schedule that is better than H-SF's."""
    factor = positive(given, "factor")
    largest_n = reading.largest_n_given(given["requests"])
    evidence = search_better_schedule(factor, largest_n)
    times = "" if factor == 1 else f"{given['factor'].strip()} × "
    finding = Finding("no-better-schedule", f"no schedule is better than {times}H-SF's total", evidence)
    line, why = _words(evidence)
    true = repairs("h-sf-near-every-schedule") if evidence.status == "refuted" else ()
    read = reading_of("hsf-lower", instances=reading.which_instances(largest_n))
    return read.judged(line, why, finding, repairs=true)


def _words(evidence: Refuted | Measured | Open) -> tuple[str, str]:
    """Return the clause for the line of the ledger, and the verdict's reason."""
    if not isinstance(evidence, Refuted):
        why = "no schedule that was tried is better" if isinstance(evidence, Measured) else evidence.tried
        return "no better schedule was found", why
    if evidence.theorems:
        return "H-SF can take almost twice the optimum", (
            "requests of three tokens, $s = 1$: as many starts at every instant as fit take $3/4$ of H-SF's latency as $n → ∞$, "
            "and almost half of it where all are long"
        )
    better, h_sf_total = evidence.values["total"], evidence.values["h_sf_total"]
    line = f"{better} against H-SF's {h_sf_total}" if h_sf_total < 10**12 else "another schedule is better"
    return line, "H-SF waits for whole batches; requests of different ages share the memory better"


# ---- Families of instances on which a simple schedule beats H-SF: equal lengths, started a few at every instant ------
# H-SF starts a batch of equal requests, whose peaks fill the memory together, and waits for its end; started at every
# instant, requests of different ages share the memory, and each needs its volume s·o + o(o+1)/2 only.

LONGEST, PROMPTS, VOLUMES, SMALL_N = 8, (1, 2), (1, 2, 3), 24
"""Small members: lengths, prompt sizes, starts at each instant, and requests, up to these."""

LARGEST_LENGTH, LARGE_N = 2000, 200_000
"""Members that are run by the fast engine: even lengths and requests up to these."""

SMALL, LARGE = 4, 8
"""Largest n of the exhaustive search, and of random instances."""


def check(factor: Fraction) -> Callable[[SmallInstance], Hit | None]:
    """Return a check for a schedule below ``factor`` times H-SF's total, by the optimum."""

    def look(row: SmallInstance) -> Hit | None:
        h_sf_starts = judge.shortest_first(row.lengths, row.s, row.memory)
        greedy, lengths = judge.total(h_sf_starts, row.lengths), sorted(row.lengths)
        # in every schedule, by the k-th completion k volumes have fitted, and the k-th length has passed
        needed = accumulate(volume(row.s, o) for o in lengths)
        if factor * greedy <= sum(max(o, -(-v // row.memory)) for o, v in zip(lengths, needed, strict=True)):
            return None
        best = _optimum(row.lengths, row.memory, row.s)
        if best.total_latency >= factor * greedy:
            return None
        return _hit(factor, list(row.lengths), row.s, row.memory, h_sf_starts, list(best.schedule.starts))

    return look


_optimum = lru_cache(maxsize=4096)(optimum)
"""The optimum, kept: the same instances are searched for every factor."""


def _hit(factor: Fraction, lengths: list[int], s: int, memory: int, h_sf_starts: list[int], starts: list[int]) -> Hit:
    """Return a better schedule, with both totals by the literal process, the simulator and the schedule itself."""
    plan, simulated = Schedule(starts, lengths, s), simulate("h-sf", lengths, memory, s)
    if not (judge.feasible(starts, lengths, s, memory) and plan.feasible(memory)):
        raise AssertionError("the better schedule is not feasible")
    greedy = agree(judge.total(h_sf_starts, lengths), simulated.total_latency, "H-SF's total")
    total = agree(judge.total(starts, lengths), plan.total_latency, "the better schedule's total")
    rows = {"H-SF": h_sf_starts, "a better schedule": starts}
    schedules = [schedule(name, row, lengths, s, memory) for name, row in rows.items()]
    values = {"h_sf_total": greedy, "starts": starts, "total": total, "schedules": schedules}
    second = {"h_sf_by_the_simulator": greedy, "total_by_the_schedule": total, "its_peak": plan.peak_memory}
    return Hit(f"at least {factor * greedy}", total, second, values=values)


def three_token_requests(factor: Fraction, limit: int) -> Refuted | None:
    """Return the smallest member of the family of three-token requests that is below factor · H-SF's, if it has one."""
    if factor <= Fraction(3, 4):
        return None
    count = max(1, floor((5 - 3 * factor) / (12 * factor - 9)) + 1)
    if 36 * count > limit:
        return None
    proof, (greedy, total) = TEXT.theorem("requests of three tokens"), _three_tokens(1, count)
    if not (proof.holds and total < factor * greedy):  # and so for more, as the ratio grows
        raise AssertionError("the family of three-token requests is not below H-SF")
    requests = range(36 * count)
    rows = {"H-SF": [3 * (i // 9) for i in requests], "4 starts at each instant": [i // 4 for i in requests]}
    schedules = [schedule(name, starts, [3] * len(requests), 1, 36) for name, starts in rows.items()]
    trend = [
        {"n": 36 * k * c, "M": 36 * k, "h_sf_total": h_sf, "total": even, "ratio": h_sf / even}
        for k, c in ((1, count), (10, 10 * count), (100, 20 * count))
        if 36 * k * c <= LARGE_N
        for h_sf, even in (_three_tokens(k, c),)
    ]
    return Refuted(
        {"n": 36 * count, "every_length": 3, "s": 1, "M": 36},
        f"at least {factor * greedy}",
        total,
        {"totals_in_closed_form": (greedy, total)},
        "at every $M = 36k$, $n = 36kc$: the ratio of the totals tends to $4/3$ as $n → ∞$",
        theorems=proof.records,
        values={"h_sf_total": greedy, "total": total, "trend": trend, "schedules": schedules if count <= 4 else []},
    )


def _three_tokens(k: int, c: int) -> tuple[int, int]:
    """Return both totals at n = 36kc and M = 36k, by the simulator and the schedule, and by the closed forms."""
    n, memory = 36 * k * c, 36 * k
    plan, run = Schedule([i // (4 * k) for i in range(n)], [3] * n, 1), simulate("h-sf", [3] * n, memory, 1)
    if not plan.feasible(memory):
        raise AssertionError("the even schedule is not feasible")
    closed = int(TEXT.value("three_in_batches", k, c)), int(TEXT.value("three_evenly", k, c))
    return agree((run.total_latency, plan.total_latency), closed, "the totals of three-token requests")


def some_better(factor: Fraction, limit: int) -> Refuted | None:
    """Return a member of at most ``limit`` requests with a total below factor · H-SF's, confirmed twice, or None."""
    better = three_token_requests(factor, limit) or _small(factor, min(SMALL_N, limit))
    return better or _large(factor, min(LARGE_N, limit))


def _small(factor: Fraction, limit: int) -> Refuted | None:
    """Return the member with fewest requests among the small ones. H-SF's first n starts do not depend on the others."""
    runs = [
        (o, s, each, judge.shortest_first([o] * limit, s, each * volume(s, o)))
        for o, s, each in product(range(2, LONGEST + 1), PROMPTS, VOLUMES)
    ]
    for n, (o, s, each, h_sf_starts) in product(range(2, limit + 1), runs):
        starts = [k // each for k in range(n)]
        if sum(starts) + n * o < factor * (sum(h_sf_starts[:n]) + n * o):
            memory = each * volume(s, o)
            hit = _hit(factor, [o] * n, s, memory, h_sf_starts[:n], starts)
            witness = {"lengths": [o] * n, "s": s, "M": memory, "smaller_instances": "not excluded"}
            return Refuted(witness, hit.claimed, hit.actual, hit.second, values=hit.values)
    return None


def _large(factor: Fraction, limit: int) -> Refuted | None:
    """Return a member with fewest requests of s = 1, even o, M = (o+1)(o+2)/2, with one start at every instant.

    H-SF starts (o+2)/2 at a time. With so many batches the one total is below factor · the other iff batches · gain exceeds
    2o − 1 − factor · o; H-SF's over the other's tends to 2o/(o+2) as n grows.
    """
    gains = {o: factor * o - (o + 2) // 2 for o in range(4, LARGEST_LENGTH + 1, 2)}
    needed = {o: max(1, int((2 * o - 1 - factor * o) / gain) + 1) for o, gain in gains.items() if gain > 0}
    members = ((batches * (o + 2) // 2, o, batches) for o, batches in needed.items())
    n, o, batches = min(members, default=(limit + 1, 0, 0))
    if n > limit:
        return None
    memory = (o + 1) * (o + 2) // 2
    greedy, total = n * o * (batches + 1) // 2, n * (n - 1) // 2 + n * o
    plan, run = Schedule(range(n), [o] * n, 1), simulate("h-sf", [o] * n, memory, 1)
    if not plan.feasible(memory) or total >= factor * greedy:
        raise AssertionError("the staggered schedule is not feasible, or not better")
    second = agree((greedy, total), (run.total_latency, plan.total_latency), "the totals of equal lengths")
    return Refuted(
        {"n": n, "every_length": o, "s": 1, "M": memory},
        f"at least {factor * greedy}",
        total,
        {"totals": second, "engine": run.engine, "its_peak": plan.peak_memory},
        "$k$ times the requests at $kM$ run $k$ at a time in both schedules",
        values={
            "h_sf_total": greedy,
            "total": total,
            "better_schedule": f"one request starts at each of the instants 0, …, {n - 1}",
            "family": "s = 1, even o, M = (o+1)(o+2)/2: H-SF starts (o+2)/2 requests every o instants; the ratio tends to 2 − 4/(o+2)",
        },
    )


def search_better_schedule(factor: Fraction, largest_n: int | None) -> Refuted | Measured | Open:
    """Look at families, small instances and random instances, of at most ``largest_n`` requests (None: any)."""
    look, limit = check(factor), largest_n or LARGE_N
    small = first_hit(min(limit, SMALL), 5, PROMPTS, look)
    if three := three_token_requests(factor, limit):
        return with_smallest(three, search_evidence(small))
    if small.instance is not None:
        return search_evidence(small)
    if better := some_better(factor, limit):
        return better
    wider = {"n": min(limit, LARGE), "longest": 12, "tries": 100, "seed": 0}
    drawn = random_then_shrink(look, prompts=PROMPTS, after=small, **wider)
    families = (
        f"equal lengths ≤ {LONGEST}, s in {set(PROMPTS)}, {VOLUMES[0]} to {VOLUMES[-1]} started at every instant, n ≤ "
        f"{min(SMALL_N, limit)}; equal even lengths ≤ {LARGEST_LENGTH}, s = 1, one started at every instant, n ≤ {min(LARGE_N, limit)}"
    )
    evidence = search_evidence(drawn, largest_n, families)
    if isinstance(evidence, Measured) and largest_n is None and factor > Fraction(1, 2):
        tried = "above 1/2, which a family with one start at every instant tends to as its length grows; too large to be run"
        return Open(f"{tried}; {evidence.sample}", evidence.values)
    return evidence
