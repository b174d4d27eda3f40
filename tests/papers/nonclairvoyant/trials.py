"""What tries the arguments of this theory on small runs: each function returns where one fails, None where none does.

The text names them (``tested by``); ``tests/papers/test_trials.py`` runs them. The runs
are those of :mod:`crtools.papers.nonclairvoyant.machine`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, count, pairwise, permutations, product
from math import exp, factorial, inf, log

from crtools.papers.nonclairvoyant.machine import Sizes, in_order, round_robin, shortest_first, threshold

Attempt = tuple[int, Fraction]
"""A job, and how long it is run before it is killed."""


def kill_and_restart(
    sizes: Sizes, attempts: Iterable[Attempt], start: Fraction = Fraction(0), *, just_above: bool = False
) -> list[Fraction]:
    """Run the attempts one after the other from ``start`` on, those at finished jobs left out, until all jobs are done."""
    completions: dict[int, Fraction] = {}
    now = start
    for job, length in attempts:
        if job in completions:
            continue
        now += min(length, sizes[job])
        if sizes[job] < length or (sizes[job] == length and not just_above):
            completions[job] = now
        if len(completions) == len(sizes):
            break
    return [completions[job] for job in range(len(sizes))]


def scaling(
    sizes: Sizes, b: int | Fraction, offsets: Sequence[int | Fraction], *, just_above: bool = False
) -> list[Fraction]:
    """Try job j with the lengths b^k · offsets[j], all integers k, all attempts in the order of their lengths.

    ``offsets`` lie in [1, b); equal lengths go in the order of the jobs. What is shorter than every size fails, and takes
    b^k · offset / (b − 1) up to the length b^(k−1) · offset.
    """
    first = 0
    while Fraction(b) ** (first + 1) > min(sizes):
        first -= 1
    start = sum(map(Fraction, offsets)) * Fraction(b) ** first / (b - 1)
    return kill_and_restart(sizes, _scaled(b, offsets, first), start, just_above=just_above)


def _scaled(b: int | Fraction, offsets: Sequence[int | Fraction], first: int) -> Iterator[Attempt]:
    order = sorted(range(len(offsets)), key=lambda job: offsets[job])
    for k in count(first):
        for job in order:
            yield job, Fraction(b) ** k * offsets[job]


def small(jobs: int = 4, largest: int = 3) -> Iterator[tuple[int, ...]]:
    """Iterate over all sorted sizes of at most ``jobs`` jobs, whole numbers up to ``largest``."""
    for size in range(1, jobs + 1):
        yield from combinations_with_replacement(range(1, largest + 1), size)


def pairs_total(sizes: Sizes, cost: Callable[..., int | Fraction] = min) -> Fraction:
    """Return Σ p_j + Σ_{i<j} cost(p_i, p_j)."""
    return Fraction(sum(sizes)) + sum((Fraction(cost(a, b)) for a, b in combinations(sizes, 2)), Fraction(0))


def first_wrong(holds: Callable[[tuple[int, ...]], bool]) -> str | None:
    """Return the first of the small sets of jobs at which something does not hold, in words."""
    return next((f"it fails at the sizes {sizes}" for sizes in small() if not holds(sizes)), None)


Job = tuple[Fraction, Fraction]


def worst_total(jobs: Iterable[Job], base: int) -> Fraction:
    """Return Σ C_j for the worst order, by jobs and pairs."""
    ordered = sorted(jobs)
    total = sum((size + end / (base - 1) for size, end in ordered), Fraction(0))
    for (size, end), (longer, later) in combinations(ordered, 2):
        total += 2 * end / (base - 1) + (end + size if end < later else longer)
    return total


def pairs_in_the_worst_order() -> str | None:
    """Try that the total of a run with the longest first, the worst order, is the sum over jobs and pairs."""
    for sizes, base, above in product(small(), (2, 3), (False, True)):
        jobs = [Fraction(size, 2) for size in reversed(sizes)]
        worst = worst_total([(p, threshold(p, base, just_above=above)) for p in jobs], base)
        runs = [sum(scaling(order, base, [1] * len(jobs), just_above=above)) for order in permutations(jobs)]
        if runs[0] != worst or max(runs) != worst:
            return f"at sizes {jobs} and b = {base}"
    return None


def layers_of_sizes() -> str | None:
    """Compare both totals with the means of those of the layers, between every two places where a job changes."""
    for sizes in combinations_with_replacement([Fraction(k, 4) for k in range(5, 17)], 3):
        jobs = [(p, threshold(p, 2)) for p in sizes]
        shares = [2 * p / end - 1 for p, end in jobs]
        steps = list(pairwise(sorted({Fraction(0), *shares, Fraction(1)})))
        layers = [
            [(end if share > low else end / 2, end) for share, (_, end) in zip(shares, jobs, strict=True)]
            for low, _ in steps
        ]
        widths = [high - low for low, high in steps]

        def totals(layer: list[Job]) -> tuple[Fraction, Fraction]:
            return worst_total(layer, 2), pairs_total([p for p, _ in layer])

        of_layers = zip(*map(totals, layers), strict=True)
        means = tuple(sum(w * value for w, value in zip(widths, values, strict=True)) for values in of_layers)
        if totals(jobs) != means:
            return f"at sizes {sizes}"
    return None


TAIL = [min(10**4, (200 / (k + 0.5)) ** 2) for k in range(200)]


def stretches(sizes: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Iterate over u, v and Σ min(u² p_i, v² p_j) / Σ min(p_i, p_j), sums over all i and j."""
    whole = sum(min(pair) for pair in product(sizes, repeat=2))
    for u, v in product((1, 2, 3), repeat=2):
        yield u, v, sum(min(u * u * one, v * v * two) for one, two in product(sizes, repeat=2)) / whole


def stretches_reached() -> str | None:
    """Sizes with the tail t^(−1/2) come near the factor for all u and v, and no sizes above it."""
    for u, v, quotient in stretches(TAIL):
        bound = u * v * (log(TAIL[0]) - 2 * abs(log(u / v))) / (1 + log(TAIL[0]))
        if not 0.98 * bound <= quotient <= u * v * (1 + 1e-9):
            return f"at u = {u}, v = {v}: {quotient}"
    return None


GRID = [(base, offsets) for base in (2, 3) for offsets in product((1, Fraction(5, 4), Fraction(7, 5)), repeat=3)]


def delay(waits: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction], base: int) -> Fraction:
    """Return Σ min(p, c) over the lengths c < C, c < b p, of a job (size p, offset): what it delays one that completes at C.

    ``waits`` is (size, offset) of the job that waits, C the least of its lengths that is at least its size.
    """
    end, last = threshold(waits[0], base, waits[1]), threshold(other[0], base, other[1])
    if last < end:
        return other[0] + last / (base - 1)
    return threshold(end, base, other[1]) / (base - 1)


def total_with_offsets(sizes: Sizes, offsets: Sizes, base: int) -> Fraction:
    """Return Σ C_j by jobs and pairs; no two jobs have a length in common."""
    jobs = [(Fraction(p), Fraction(o)) for p, o in zip(sizes, offsets, strict=False)]
    alone = sum((p + threshold(p, base, o) / (base - 1) for p, o in jobs), Fraction(0))
    return alone + sum((delay(one, two, base) for one, two in permutations(jobs, 2)), Fraction(0))


def own_offset_each() -> str | None:
    """Try that the total of a run with offsets of their own is the sum over jobs and pairs."""
    for sizes, (base, offsets) in product(small(3), GRID):
        different = len({*offsets[: len(sizes)]}) == len(sizes)
        if different and sum(scaling(sizes, base, offsets[: len(sizes)])) != total_with_offsets(sizes, offsets, base):
            return f"at sizes {sizes}, offsets {offsets} and b = {base}"
    return None


def common_pair(one: int, two: int, offset: int | Fraction, base: int) -> Fraction:
    """Return what two jobs of sizes one ≤ two delay each other, the mean over both orders."""
    end, later = threshold(one, base, offset), threshold(two, base, offset)
    last = one + end / 2 if end < later else Fraction(one + two, 2)
    return 2 * end / (base - 1) + last


def one_offset_for_all() -> str | None:
    """Try that the mean total over all orders is the sum over jobs and pairs."""
    for sizes, (base, offsets) in product(small(3), GRID):
        alone = sum(p + threshold(p, base, offsets[0]) / (base - 1) for p in sizes)
        pairs = sum((common_pair(one, two, offsets[0], base) for one, two in combinations(sizes, 2)), Fraction(0))
        runs = [sum(scaling(order, base, [offsets[0]] * len(order))) for order in permutations(sizes)]
        if sum(runs) != (alone + pairs) * factorial(len(sizes)):
            return f"at sizes {sizes}, offset {offsets[0]} and b = {base}"
    return None


def waiting_as_a_minimum() -> str | None:
    """Try that what a job waits for another is L times a mean of stretched minima, by sums over many points."""
    points = [(k + 0.5) / 2000 for k in range(2000)]
    for base, end in product((2, 4), (0.125, 0.7, 1.3, 1.9, 3.1, 8, 32)):  # the size is 1
        span = log(base)
        last = max(0.0, log(min(end, base)))
        tried = min(end, 1) + last  # ∫ dc up to the size, ∫ dc/c from there on
        mean = sum(min(end, exp(span * t)) * exp(-span * t) for t in points) * span / 2000 + min(end, base) / base
        if abs(tried - mean) > 1e-3:
            return f"for C = {end} and b = {base}: {tried} and {mean}"
    return None


def shares(jobs: int) -> Iterator[tuple[int, ...]]:
    """Iterate over all ways to spend as many units of time as there are jobs on them."""
    return (parts for parts in product(range(jobs + 1), repeat=jobs) if sum(parts) == jobs)


def late_sizes() -> str | None:
    """Try that an adversary who chooses sizes late reaches 2 − 2/(n+1), whatever was run before."""
    for jobs in range(1, 6):
        ratio = min(Fraction(jobs * jobs) / pairs_total(parts) for parts in shares(jobs))
        if ratio != 2 - Fraction(2, jobs + 1):
            return f"with {jobs} jobs the least ratio is {ratio}"
    return None


SLOTS = 5


def geometric_sizes() -> str | None:
    """Of two jobs with geometric sizes as many are unfinished in the mean, in turns or one after the other."""
    chances = {size: Fraction(1, 2 ** min(size, SLOTS)) for size in range(1, SLOTS + 2)}  # the last: longer than SLOTS
    policies: tuple[Callable[[int, int], tuple[int, int]], ...] = (
        lambda one, two: (one, one + two),  # one after the other
        lambda one, two: (min(2 * one - 1, one + two), min(2 * two, one + two)),  # in turns
    )
    for turns in range(SLOTS + 1):
        serial, shared = (
            sum(
                chances[one] * chances[two] * sum(time > turns for time in completions(one, two))
                for one, two in product(chances, repeat=2)
            )
            for completions in policies
        )
        if shared != serial:
            return f"after {turns} units of time"
    return None


def late_sizes_after_a_kill() -> str | None:
    """Try that an adversary who chooses sizes late reaches 3 − 2/(n+1) against restarts."""
    for jobs in range(3, 7):
        rounds = ((job, Fraction(length)) for length in count(1) for job in range(jobs))
        completions = kill_and_restart([1] * jobs, rounds, just_above=True)
        smallest = min(1 + Fraction(jobs * jobs) / pairs_total(parts) for parts in shares(min(jobs, 5)))
        ratio = Fraction(sum(completions)) / sum(shortest_first([1] * jobs))
        if ratio != 3 - Fraction(2, jobs + 1) or (jobs < 6 and smallest != ratio):
            return f"with {jobs} jobs"
    return None


def fluid_area(root: float, steps: int) -> float:
    """Return the area under the share unfinished when all jobs are tried with the lengths root^2k, k ≤ steps, in the limit."""
    levels = [root**k for k in range(steps + 1)]
    now = area = 0.0
    for one, two in pairwise(levels):
        work = 2 * two - one
        gain = 1 / one - (0 if two == levels[-1] else 1 / two)
        area += gain * (now + work / 2)
        now += work
    return area


def strategies_in_the_fluid_limit() -> str | None:
    """Strategies that go through the lengths together stay above the bound, and not by a quarter."""
    rho, quotient = 2.72837, inf
    for root in (2.2, 2.6, 2.8, 3.0, 3.7):
        steps = int(600 / log(root))  # ln √R is 600
        bound, area = rho * (steps * log(root) - 1 - log(2 * rho)), fluid_area(root, steps)
        quotient = min(quotient, area / bound)
        if area < bound:
            return f"trying all jobs with the lengths {root}^2k"
    return None if quotient < 1.25 else "the bound is far below every strategy that was looked at"


def others_are_no_faster() -> str | None:
    """Every order, round robin, killing and restarting take no less than shortest first, which is the sum over pairs."""

    def holds(sizes: tuple[int, ...]) -> bool:
        optimum = pairs_total(sizes)
        orders = [sum(in_order(sizes, order)) for order in permutations(range(len(sizes)))]
        others = [sum(round_robin(sizes)), sum(scaling(sizes, 2, [1] * len(sizes)))]
        return sum(shortest_first(sizes)) == optimum == min(orders) and min(others) >= optimum

    return first_wrong(holds)


def mean_over_orders() -> str | None:
    """Try that the mean total over all orders is that of the means of pairs."""

    def holds(sizes: tuple[int, ...]) -> bool:
        totals = [sum(in_order(sizes, order), Fraction(0)) for order in permutations(range(len(sizes)))]
        return sum(totals) / len(totals) == pairs_total(sizes, lambda a, b: Fraction(a + b, 2))

    return first_wrong(holds)


def twice_the_minima() -> str | None:
    """Round robin takes twice the optimum less the sizes."""
    return first_wrong(lambda sizes: sum(round_robin(sizes)) == 2 * pairs_total(sizes) - sum(sizes))


def equal_jobs_end_together() -> str | None:
    """With up to eight jobs of size 1 round robin completes all at the end."""
    return next((f"{jobs} jobs" for jobs in range(1, 9) if round_robin([1] * jobs) != [jobs] * jobs), None)


def any_order() -> str | None:
    """Jobs in the order of a list complete no later than all of them."""
    return first_wrong(lambda sizes: sum(in_order(sizes, range(len(sizes)))) <= len(sizes) * sum(sizes))


def rows_and_ones() -> str | None:
    """Try that the mean of a row of the matrix differs from the largest sum of a row by what the ends of the rows lack."""
    for m, r in product(range(1, 13), (0.5, 0.7)):
        mean = sum(r ** abs(i - j) for i, j in product(range(m), repeat=2)) / m
        lacking = 2 * r / (m * (1 - r) ** 2)
        if not (1 - r**m) * lacking / 2 <= (1 + r) / (1 - r) - mean <= lacking:
            return f"at m = {m}, r = {r}"
    return None


def stretches_at_most() -> str | None:
    """No small sizes exceed the factor u v."""
    return next((f"at {sizes}" for sizes in small() if any(q > u * v for u, v, q in stretches(sizes))), None)
