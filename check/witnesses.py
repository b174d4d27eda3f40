"""Witnesses: instances, weights and numbers at which a finding is decided by computing it.

One function per claim and level that has a witness; it reads the whole witness and raises ``Rejected`` unless the claim is
decided there as its statement says. Which sentences that rests on, if any, stands with the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import comb, gcd, isqrt, lcm
from typing import Any

from check.enclosures import (
    a_ell_form,
    a_min_form,
    add,
    derivative,
    double_sum,
    h_sf_form,
    law_ratio,
    log_bounds,
    multiply,
    positive_on_unit,
    power_sum,
    truncated,
    without_factor,
)
from check.kernel import (
    Ratio,
    Reader,
    coefficients,
    fields,
    fraction,
    integer,
    integers,
    need,
    ratio,
    read_polynomial,
    read_quotient,
    rows,
    variable,
)
from check.process import (
    feasible,
    literal_means,
    may_move,
    packed,
    permutation,
    run_queue,
    same_order,
    shortest_first,
    tokens,
    total,
)
from check.statements import book

# ---- A_max, A_random and the endpoints --------------------------------------------------------------------------------


def ex_amax(witness: Any) -> None:
    """n = 5, s = 1, M = 10, all o = 1, [1, 4]: H-SF's total is 5; A_max runs ⌊M/(s+u)⌋ = 2 at a time, total 9."""
    h_sf_starts, a_max_starts, latencies, totals, batch = fields(
        witness, "h_sf_starts", "a_max_starts", "latencies", "totals", "batch"
    )
    lengths, s, memory, u = [1] * 5, 1, 10, 4
    for order in permutations(range(5)):
        own = run_queue(order, [u] * 5, lengths, s, memory)
        need(sorted(own) == integers(a_max_starts, 0, 9, 5), "A_max starts at other times")
    quick = shortest_first(lengths, s, memory)
    need(quick == integers(h_sf_starts, 0, 9, 5), "H-SF starts at other times")
    need(integers(latencies, 1, 9, 5) == [p + 1 for p in a_max_starts] == [1, 1, 2, 2, 3], "other latencies")
    need(integers(totals, 0, 99, 2) == [total(quick, lengths), sum(latencies)] == [5, 9], "other totals")
    need(integer(batch, 1, 9) == memory // (s + u) == a_max_starts.count(0) == 2, "another batch")


def _a_max_at_most(bound: Fraction, s: int, l: int, u: int) -> bool:
    """Return whether K = ``bound`` is at least A_max's supremum: K l(s+l) − c l ≥ Σ_k c²/(4K w_k) at one setting."""
    c, weights = s + u, sum((Fraction(1, s + 2 * k - 1) for k in range(l + 1, u + 1)), Fraction(0))
    return bound > 0 and bound * l * (s + l) - c * l >= c * c * weights / (4 * bound)


def _amax_lower(forms: Any, sizes: Sequence[int]) -> None:
    """At u/l a square the supremum, rounded up to three decimals, is below (1+1/√α)/(2α)."""
    for data, size in zip(rows(forms, len(sizes), len(sizes)), sizes, strict=True):
        s, l, u, upper = fields(data, "s", "l", "u", "upper")
        need(integer(s, 0, 9) == size, f"an example at s = {size} is missing")
        l, u, shown = integer(l, 1, 100), integer(u, 1, 400), fraction(upper)
        root = _root(l, u)
        below = shown - Fraction(1, 1000)
        need(_a_max_at_most(shown, size, l, u) and not _a_max_at_most(below, size, l, u), "another supremum")
        need(1000 % shown.denominator == 0, "expected three decimals")
        need(shown < root**2 * (1 + root) / 2, "the supremum is not below the bound")


def _root(l: int, u: int) -> Fraction:
    """Return √(u/l) of l < u where it is rational."""
    need(l < u, "l < u is needed")
    root = Fraction(isqrt(u * l), l)
    need(root**2 == Fraction(u, l), "u/l must be a square")
    return root


def amax_lower_at_zero(witness: Any) -> None:
    """A supremum at s = 0."""
    [forms] = fields(witness, "forms")
    _amax_lower(forms, (0,))


def amax_lower_form(witness: Any) -> None:
    """Suprema at s = 0 and 1; and a place where the last equality of the published proof is false.

    It is (u/l)(au+bl)(a+b)/(ua²+2lab+ub²) = (1+1/√α)/(2α) at a/b = √α.
    """
    forms, display = fields(witness, "forms", "display")
    _amax_lower(forms, (0, 1))
    l, u, a, b, left, right = fields(display, "l", "u", "a", "b", "left", "right")
    l, u, a, b = (integer(x, 1, 1000) for x in (l, u, a, b))
    need(l < u and a * a * u == b * b * l, "a/b must be √α, α < 1")
    value = Fraction(u * (a * u + b * l) * (a + b), l * (u * a * a + 2 * l * a * b + u * b * b))
    claimed = Fraction(u, l) * (1 + Fraction(b, a)) / 2
    need(fraction(left) == value and fraction(right) == claimed and value != claimed, "the two sides are others")


def amax_lower_in_process(witness: Any) -> None:
    """At s = 0 and s = 1, "A_max in the process": c l (1+r)/(2 v_l) + 1 is below (1+1/√α)/(2α), r² = 1 + v_l S/l².

    c = s + u, v_l = s l + l(l+1)/2, S = Σ_{l<k≤u} 1/(s+k); r is compared by squares.
    """
    [settings] = fields(witness, "settings")
    for data, size in zip(rows(settings, 2, 2), (0, 1), strict=True):
        s, l, u = fields(data, "s", "l", "u")
        need(integer(s, 0, 9) == size, f"an example at s = {size} is missing")
        l, u = integer(l, 1, 100), integer(u, 1, 400)
        root, area = _root(l, u), s * l + Fraction(l * (l + 1), 2)
        claimed = root**2 * (1 + root) / 2
        most = (claimed - 1) * 2 * area / ((s + u) * l) - 1
        square = 1 + area / l**2 * sum((Fraction(1, s + k) for k in range(l + 1, u + 1)), Fraction(0))
        need(most > 0 and most**2 > square, "the supremum is not below the bound")


def _rate(witness: Any, s: int) -> None:
    """At l = 1, u = 4^m the supremum over u^1.5, rounded up to three decimals, falls."""
    [members] = fields(witness, "members")
    last = Fraction(10)
    for m, data in zip((1, 2, 3, 4), rows(members, 4, 4), strict=True):
        number, upper = fields(data, "m", "upper")
        need(number == m, f"the member m = {m} is missing")
        shown = fraction(upper)
        top, below = shown * 8**m, (shown - Fraction(1, 1000)) * 8**m
        need(_a_max_at_most(top, s, 1, 4**m) and not _a_max_at_most(below, s, 1, 4**m), "another value")
        need(1000 % shown.denominator == 0, "expected three decimals")
        need(shown < last and shown <= Fraction(m + 2 - s, 2 ** (m + 1 - s)) + Fraction(1, 1000), "it does not fall")
        last = shown


def rate_amax_at_zero(witness: Any) -> None:
    """Members at s = 0."""
    _rate(witness, 0)


def rate_amax_form(witness: Any) -> None:
    """Members at s = 1."""
    _rate(witness, 1)


def _mean(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """A_random's expected total: all permutations."""
    runs = [total(run_queue(o, lengths, lengths, s, memory), lengths) for o in permutations(range(len(lengths)))]
    return Fraction(sum(runs), len(runs))


def _against_h_sf(lengths: Sequence[int], s: int, memory: int) -> Fraction:
    """A_random's expected total over H-SF's."""
    return _mean(lengths, s, memory) / total(shortest_first(lengths, s, memory), lengths)


def _endpoints(witness: Any, s: int) -> None:
    """At these tails A_min's ratio is larger than on {1, 20}, where it is at most 1 + c/(2(a + √(ad))).

    c xy is the difference of the two forms there, a = 1+s, d = 20(20+s): a x² + d y² ≥ 2√(ad) xy.
    """
    size, tails, value = fields(witness, "s", "tails", "ratio")
    need(integer(size, 0, 1) == s, f"s = {s} is needed")
    t = [fraction(v) for v in rows(tails, 20, 20)]
    need(all(a >= b for a, b in pairwise([*t, Fraction(0)])) and t[0] > 0, "the tails must fall")
    x = {k: a - b for k, (a, b) in enumerate(pairwise([*t, Fraction(0)]), start=1)}
    own = a_min_form(x, s, 1, 20) / h_sf_form(x, s)
    need(fraction(value) == own, "another ratio")
    ends = {1: 1, 20: 1}
    cross = a_min_form(ends, s, 1, 20) - h_sf_form(ends, s)
    for k in ends:
        need(a_min_form({k: 1}, s, 1, 20) == h_sf_form({k: 1}, s), "the squares differ")
    a, d = 1 + s, 20 * (20 + s)
    need(own > 1 + cross / (2 * (a + isqrt(a * d))), "not above the two lengths")


def endpoints_at_zero(witness: Any) -> None:
    """Tails at s = 0."""
    _endpoints(witness, 0)


def endpoints_form(witness: Any) -> None:
    """Tails at s = 1."""
    _endpoints(witness, 1)


def endpoints_in_process(witness: Any) -> None:
    """For every policy and n the worst case over [l, u]ⁿ is attained on {l, u}ⁿ. False for A_random, n = 2, M = 5, [1, 4].

    Its expected total over H-SF's is larger at the certificate's lengths than at all of {1, 4}². The identity of the
    published proof, E TEL(o⁻) + E TEL(o⁺) = 2 E TEL(o), is false for A_random: one request's length less 1, unchanged, and plus 1.
    """
    example, identity = fields(witness, "example", "identity")
    s, l, u, memory, lengths, value = fields(example, "s", "l", "u", "M", "lengths", "ratio")
    need((integer(s, 1, 9), l, u, memory) == (s, 1, 4, 5) and s + u <= memory, "[1, 4] and M = 5 are needed")
    own = _against_h_sf(integers(lengths, l, u, 2), s, memory)
    most = max(_against_h_sf(ends, s, memory) for ends in combinations_with_replacement((l, u), 2))
    need(fraction(value) == own and own > most, "another ratio, or not above the ends")
    lengths, s, memory, request, means = fields(identity, "lengths", "s", "M", "request", "means")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    request = integer(request, 0, len(lengths) - 1)
    need(len(lengths) <= 4 and lengths[request] >= 2, "at most four requests, and a length that can shrink")
    changed = [[o + e * (i == request) for i, o in enumerate(lengths)] for e in (-1, 0, 1)]
    own_means = [_mean(row, s, memory) for row in changed]
    shown = [fraction(v) for v in rows(means, 3, 3)]
    need(shown == own_means and shown[0] + shown[2] != 2 * shown[1], "other means, or the identity holds")


def thm_random_in_process(witness: Any) -> None:
    """Two periods of H-SF and a batch of A_random are run; both totals by their formulas, and the bound between them."""
    names = ("s", "l", "u", "M", "short", "long", "h_sf_total", "a_random_least")
    s, l, u, memory, short, long, own, least = fields(witness, *names)
    s, l, u = (integer(v, 1, 100) for v in (s, l, u))
    unit = l * (s + u) + (u - l) * (s + u - l)
    memory, long = integer(memory, 1, 10**5), integer(long, 1, 10**30)
    need(
        l < u and all(memory % v == 0 for v in (unit, s + l, s + u)), "l < u and a multiple of three numbers are needed"
    )
    c, batch = memory // unit, memory // (s + u)
    need(integer(short, 1, 10**5) == memory // (s + l) - l * c, "another number of short requests")
    need(
        long % (u * c) == 0 and (batch + 1) * (s + l) <= memory,
        "whole periods, and room for a short request, are needed",
    )
    early, late, periods = l * c, (u - l) * c, long // (u * c)
    need(short + 2 * u * c <= 1500, "too many requests to be run")
    lengths = [l] * short + [u] * (2 * u * c)
    starts = [0] * (short + early) + [l] * late + [u] * early + [u + l] * late
    need(shortest_first(lengths, s, memory) == starts, "H-SF has other groups")
    ends = sum(early * j * u + late * (j * u + l) for j in (1, 2))
    need(total(starts, lengths) == short * l + ends, "other totals of two periods")
    row = [u] * (batch // 2) + [l] + [u] * (2 * batch)
    found = [p for p, o in zip(run_queue(range(len(row)), row, row, s, memory), row, strict=True) if o == u]
    need(found == [k // batch * u for k in range(len(found))], "A_random is not in lock step")
    h_sf = short * l + (early + late) * u * (periods * (periods + 1) // 2) + late * l * periods
    full, left = divmod(long, batch)
    in_step = u * (batch * (full * (full + 1) // 2) + left * (full + 1))
    near = Fraction(short * (short - 1) * (batch + 1), short + long - 1)
    need(fraction(own) == h_sf and fraction(least) == (1 - near) * in_step, "other totals")
    need(fraction(least) > Fraction(l + u, 2 * l) * h_sf, "the bound holds")
    need(2 * l * u * (s + u) > (l + u) * unit, "the bound holds in the limit")


def lem_max_random(witness: Any) -> None:
    """An instance with the totals of every permutation; and members: all o = l = 4s, u = 8s, M = 14s, where all are the same."""
    example, members = fields(witness, "example", "members")
    lengths, s, l, u, memory, slow, quick = fields(example, "lengths", "s", "l", "u", "M", "a_max", "a_random")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    l, u = integer(l, 1, 1000), integer(u, 1, 1000)
    need(l < u and all(l <= o <= u for o in lengths) and len(lengths) <= 5, "lengths in [l, u], l < u, are needed")
    need(l * memory % u == 0, "αM must be an integer")
    orders = list(permutations(range(len(lengths))))
    both = [
        [total(run_queue(o, assumed, lengths, s, room), lengths) for o in orders]
        for assumed, room in (([u] * len(lengths), memory), (lengths, l * memory // u))
    ]
    need([slow, quick] == both and sum(slow) > sum(quick), "other totals, or the bound holds")
    for (n, s), data in zip(((10, 1), (100, 1), (30, 5)), rows(members, 3, 3), strict=True):
        number, size, totals = fields(data, "n", "s", "totals")
        need((number, size) == (n, s), f"the member n = {n}, s = {s} is missing")
        runs = [run_queue(range(n), [o * s] * n, [4 * s] * n, s, room * s) for o, room in ((8, 14), (4, 7))]
        own = [total(starts, [4 * s] * n) for starts in runs]
        need(totals == own and own[0] > own[1], "a member has other totals")


# ---- Algorithm 2 and another policy -----------------------------------------------------------------------------------


def thm_complexity(witness: Any) -> None:
    """How many wait at t = 0, and their excess over 1 summed over the instants, where all have length 1 on [1, 2]."""
    [members] = fields(witness, "members")
    for memory, data in zip((4, 6, 8), rows(members, 3, 3), strict=True):
        room, count, first, over = fields(data, "M", "n", "first", "whole")
        n = memory**3
        need((room, count) == (memory, n), f"the member M = {memory} is missing")
        starts = [t for t in range(2 * n // memory) for _ in range(memory // 2)]
        need(tokens(starts[: memory // 2], [1] * (memory // 2), 1, 1) == memory, "a batch does not fill the memory")
        lines = [sum(p >= t for p in starts) for t in range(max(starts) + 1)]
        need(integer(first, 1, 10**6) == lines[0] == n, "another number waits at t = 0")
        need(integer(over, 1, 10**9) == sum(k - 1 for k in lines) >= n * n // memory - n, "another sum")


def thresholds(l: int, u: int) -> list[int]:
    """Return l, 2l, 4l, … below u, and u."""
    found = [l]
    while found[-1] < u:
        found.append(min(2 * found[-1], u))
    return found


def restart_reduced(s: int, l: int, u: int, weight: Callable[[int], Fraction]) -> tuple[list[int], list[Fraction]]:
    """Return d_k = L_k(s+L_k), of a-restart's form Σ d_k t_k (t_k + t_{k+1}), and w_k with Σ w_k t_k² below another form."""
    steps = thresholds(l, u)
    squares, below = [top * (s + top) for top in steps], [Fraction(0)] * (len(steps) + 1)
    for k, top in enumerate(steps):
        first = steps[k - 1] + 1 if k else l
        below[k] += weight(first) - (weight(first - 1) if k else 0)
        below[k + 1] += weight(top) - weight(first)
    return squares, below[:-1]


def restart_within(factor: Fraction, squares: Sequence[int], below: Sequence[Fraction]) -> bool:
    """Return whether factor · Σ w_k t_k² − Σ d_k t_k (t_k + t_{k+1}) is positive definite: all pivots are positive."""
    pivot, before = Fraction(1), Fraction(0)
    for d, w in zip(squares, below, strict=True):
        pivot = factor * w - d - before * before / pivot
        if pivot <= 0:
            return False
        before = Fraction(d, 2)
    return True


def thm_optimality_at_zero(witness: Any) -> None:
    """The least m at which A_min's worst case on [1, 2^m], at least 1 + m/8, is above a-restart's, at most 32/3."""
    [power] = fields(witness, "power")
    power = integer(power, 1, 1000)
    need(1 + Fraction(power, 8) > Fraction(32, 3) >= 1 + Fraction(power - 1, 8), "another power")


def thm_optimality_form(witness: Any) -> None:
    """A-restart's form is at most κ times H-SF's, κ the least multiple of 1/100 that is shown to do; A_min's ratio is above."""
    s, l, u, weights, value, kappa = fields(witness, "s", "l", "u", "weights", "ratio", "kappa")
    s, l, u = integer(s, 1, 10**6), integer(l, 1, 10**4), integer(u, 2, 10**4)
    first, second = integers(weights, 0, 10**9, 2)
    need(l < u and first + second > 0, "l < u and positive weights are needed")
    pair = {l: first, u: second}
    own, kappa = a_min_form(pair, s, l, u) / h_sf_form(pair, s), fraction(kappa)
    squares, below = restart_reduced(s, l, u, lambda m: Fraction(m * (s + m)))
    need(restart_within(kappa, squares, below), "κ is too small")
    need(100 % kappa.denominator == 0, "κ must be a multiple of 1/100")
    need(not restart_within(kappa - Fraction(1, 100), squares, below), "κ is too large")
    need(fraction(value) == own and own > kappa, "A_min's ratio is another, or not above κ")


def _accept_means(data: Any, residual: bool) -> None:
    """Check a law at which a display of the published proof is false.

    For õ_i > õ_j: E[o | o ≥ õ_i] > E[o | o ≥ õ_j]; or, less õ_i and õ_j, ≤.
    """
    law, high, low, left, right = fields(data, "law", "high", "low", "left", "right")
    weights: dict[int, Fraction] = {}
    for entry in rows(law, 1, 10):
        need(isinstance(entry, list) and len(entry) == 2, "expected [length, weight]")
        length = integer(entry[0], max(weights, default=0) + 1, 1000)
        weights[length] = fraction(entry[1])
    need(sum(weights.values()) == 1 and all(w > 0 for w in weights.values()), "the law's weights must sum to 1")
    need(len(weights) > 1, "two lengths are needed: α < 1")
    high, low = integer(high, 1, max(weights)), integer(low, min(weights), 1000)
    need(low < high, "õ_i > õ_j is needed")
    means: list[Fraction] = []
    for least in (high, low):
        tail = {o: w for o, w in weights.items() if o >= least}
        mean = sum((o * w for o, w in tail.items()), Fraction(0)) / sum(tail.values())
        means.append(mean - least if residual else mean)
    need([fraction(left), fraction(right)] == means, "other means")
    need(means[0] > means[1] if residual else means[0] <= means[1], "the display holds")


def thm_optimality_in_process(witness: Any) -> None:
    """At a setting the lower bound of "growth", (u/2)/(1 + 2(s+1) ln((s+u)/(s+1))), is above 64/3 + 4; and two displays."""
    s, u, ratio, means, residuals = fields(witness, "s", "u", "ratio", "expectations", "residuals")
    s, u = integer(s, 1, 100), integer(u, 2, 10**6)
    low, high = (Fraction(u, 2) / (1 + 2 * (s + 1) * log) for log in reversed(log_bounds(Fraction(s + u, s + 1))))
    need(truncated(ratio, (low, high)) > Fraction(64, 3) + 4, "the lower bound is not above")
    _accept_means(means, residual=False)
    _accept_means(residuals, residual=True)


def _short_instance(lengths: Any, s: Any, memory: Any) -> tuple[list[int], int, int]:
    """Read an instance of at most four requests up to length 4, with a prompt, two lengths and too little memory for all at once."""
    row, size, room = integers(lengths, 1, 4), integer(s, 1, 100), integer(memory, 1, 10**4)
    need(len(row) <= 4 and min(row) < max(row), "a few requests of at least two lengths are needed")
    need(row == sorted(row), "the lengths must be in increasing order")
    need(room < sum(size + o for o in row), "the memory holds all at once")
    return row, size, room


def _few_long(members: Any) -> None:
    """Check members of the family of ``lem_deletion``: (s, u, m, n), all m requests of length u complete from bound 1."""
    for (s, u, m, n), data in zip(((1, 2, 2, 8), (1, 2, 6, 36), (2, 5, 4, 40)), rows(members, 3, 3), strict=True):
        names = ("s", "u", "M", "n", "m", "started", "completed")
        *numbers, started, completed = fields(data, *names)
        memory = m * (s + u)
        need(numbers == [s, u, memory, n, m] and n * (s + 1) > memory, f"the member n = {n} is missing")
        own = literal_means(((u, 1),) * m + ((1, 1),) * (n - m), s, memory)
        need(own.over and not own.moved, "a start is cancelled")
        need(fraction(started) == own.started[1, u] == m, "another number of starts")
        need(fraction(completed) == own.completed[1, u] == m, "another number of completions")


def lem_deletion(witness: Any) -> None:
    """Members of the family: no start is cancelled, all m requests of length u complete."""
    [members] = fields(witness, "members")
    _few_long(members)


def update_distribution(witness: Any) -> None:
    """All ties of an instance, where length k never gets the new bound k; and members in which some get the bound 2."""
    example, members = fields(witness, "example", "members")
    lengths, s, memory, i, k, moved, begun = fields(example, "lengths", "s", "M", "i", "k", "moved", "started")
    lengths, s, memory = _short_instance(lengths, s, memory)
    own = literal_means(tuple((o, 1) for o in lengths), s, memory)
    i, k = integer(i, 1, 20), integer(k, 2, 20)
    need(own.over and i < k <= max(lengths), "the ties have no end, or k is no new bound")
    by_length = [own.moved.get((i, k, j), Fraction(0)) for j in range(1, max(lengths) + 1)]
    need([fraction(v) for v in rows(moved, len(by_length), len(by_length))] == by_length, "other expectations")
    need(fraction(begun) == own.started.get((i, k), 0), "another number of starts")
    need(sum(by_length) > 0 and by_length[k - 1] == 0 < own.started.get((i, k), 0), "the share of length k is right")
    for (r, s, n), data in zip(((1, 1, 24), (2, 1, 40), (1, 2, 30)), rows(members, 3, 3), strict=True):
        number, size, count, cancelled = fields(data, "r", "s", "n", "cancelled")
        need((number, size, count) == (r, s, n), f"the member r = {r}, s = {s}, n = {n} is missing")
        requests = ((2, 1),) * r + ((3, 1),) * (n - r)
        found = literal_means(requests, s, (s + 1) * (s + 2) * (s + 3) * r, 2)  # up to the first new bounds
        need((1, 2, 2) not in found.moved, "length 2 gets the bound 2")
        need(fraction(cancelled) == found.moved[1, 2, 3] >= s * r, "another number gets the bound 2")


def prop_transition(witness: Any) -> None:
    """E c_ij for i = l, …, j through all ties of an instance; and the family of ``lem_deletion``."""
    example, members = fields(witness, "example", "members")
    lengths, s, memory, j, completed = fields(example, "lengths", "s", "M", "j", "completed")
    lengths, s, memory = _short_instance(lengths, s, memory)
    low, j = min(lengths), integer(j, 1, max(lengths))
    need(j > low and j in lengths, "a length above l is needed")
    own = literal_means(tuple((o, low) for o in lengths), s, memory)
    values = [own.completed.get((i, j), Fraction(0)) for i in range(low, j + 1)]
    need([fraction(v) for v in rows(completed, len(values), len(values))] == values, "other expectations")
    need(own.over and values[-1] == 0 and sum(values) == lengths.count(j), "the ties have no end")
    _few_long(members)


def _out_of_step(s: int, r: int, h: int) -> tuple[int, int, int]:
    """Return M, the number of requests of each length, and H-SF's total where batches are out of step."""
    q, p = (s + 1) * h - 1, (2 * s + 3) * h - 1
    ones = (2 * s + 3) * q * (q + 1) // 2 + (s + 2) * (q + 1)
    return (s + 1) * (2 * s + 3) * r, (s + 1) * r * p, r * (ones + (s + 1) * (p * (q + 2) + p * (p - 1) // 2))


def _in_step(s: int, r: int, h: int) -> tuple[int, int, int]:
    """Return the same where batches are in step."""
    q, p = (s + 1) * h, (s + 2) * h
    ones = (s + 2) * q * (q + 1) // 2
    return (s + 1) * (s + 2) * r, (s + 1) * (s + 2) * r * h, r * (ones + (s + 1) * p * (q + p + 1))


Law = dict[int, Fraction]


def _geometric_law(q: Fraction, u: int, power: int) -> Law:
    """Return the shares of k^power q^k, cut off after u."""
    weights = {k: k**power * q**k for k in range(1, u + 1)}
    return {k: w / sum(weights.values()) for k, w in weights.items()}


def _areas_over_peaks(s: int, share: Law, ratio: Any, starts_hold_most: bool = False) -> Fraction:
    """Return a lower bound on Algorithm 2's ratio under a law on 1, …, u: areas Σ x_o v_o over H-SF's peaks.

    The theorem's condition holds: w_a = (s+a+1) P(o > a) falls up to a = u − 1, or the area is < 2(s+1).
    """
    area = sum((x * (s * o + Fraction(o * (o + 1), 2)) for o, x in share.items()), Fraction(0))
    held = [(s + a + 1) * sum(x for o, x in share.items() if o > a) for a in range(max(share))]
    falls = all(after < before for before, after in pairwise(held))
    need(area < 2 * (s + 1) if starts_hold_most else falls, "the theorem does not speak of this law")
    own = area / h_sf_form(share, s)
    truncated(ratio, (own, own))
    return own


def _under_a_geometric_law(data: Any, power: int) -> Fraction:
    """Return the lower bound under k^power q^k, cut off after u."""
    s, q, u, ratio = fields(data, "s", "q", "u", "ratio")
    at = fraction(q)
    need(0 < at < 1 and at.denominator <= 1000, "0 < q < 1, of at most three digits, is needed")
    return _areas_over_peaks(integer(s, 0, 100), _geometric_law(at, integer(u, 2, 40), power), ratio)


def _on_two_lengths(data: Any) -> tuple[Fraction, Fraction]:
    """Return α = 1/u and the lower bound on lengths 1 and u; s ≥ 1."""
    s, u, share, ratio = fields(data, "s", "u", "share", "ratio")
    u, x = integer(u, 2, 1000), fraction(share)
    need(0 < x < 1, "a share between 0 and 1 is needed")
    return Fraction(1, u), _areas_over_peaks(integer(s, 1, 100), {1: 1 - x, u: x}, ratio, starts_hold_most=True)


def lem_amin(witness: Any) -> None:
    """Under P(o > a) = (s+1) r^a/(s+a+1), a < u, the areas are above A_min's form; and members of two families of H-SF."""
    s, u, r, ratio, out, level = fields(witness, "s", "u", "r", "ratio", "out_of_step", "in_step")
    s, u, at = integer(s, 1, 100), integer(u, 2, 40), fraction(r)
    need(0 < at < 1 and at.denominator <= 1000, "0 < r < 1, of at most three digits, is needed")
    longer = [Fraction(s + 1, s + a + 1) * at**a for a in range(u)] + [Fraction(0)]
    share = {o: longer[o - 1] - longer[o] for o in range(1, u + 1)}
    area = _areas_over_peaks(s, share, ratio) * h_sf_form(share, s)
    need(area > a_min_form(share, s, 1, u), "the areas are not above the form")
    for phase, members, shown in (
        (_out_of_step, ((1, 1, 1), (1, 2, 2), (2, 1, 2)), out),
        (_in_step, ((1, 1, 1), (1, 2, 2), (2, 1, 2)), level),
    ):
        for (s, r, h), data in zip(members, rows(shown, 3, 3), strict=True):
            *numbers, memory, each, whole = fields(data, "s", "r", "h", "M", "each", "total")
            need(numbers == [s, r, h], f"the member {s}, {r}, {h} is missing")
            need([memory, each, whole] == list(phase(s, r, h)), "another instance or total")
            lengths = [1] * each + [2] * each
            need(total(shortest_first(lengths, s, memory), lengths) == whole, "H-SF has another total")


def _refined_mean(m: int) -> Fraction:
    """19m + 2 E max(X − m, 0), X of 2m drawn without replacement from 3m and 3m."""
    extra = sum((x - m) * comb(3 * m, x) * comb(3 * m, 2 * m - x) for x in range(m + 1, 2 * m + 1))
    return 19 * m + 2 * Fraction(extra, comb(6 * m, 2 * m))


def intervals_help_in_process(witness: Any) -> None:
    """The exact means of members, 19m + 2Y and 21m; m = 1, 2 are followed through all ties."""
    [members] = fields(witness, "members")
    for size, data in zip((1, 2, 10, 100), rows(members, 4, 4), strict=True):
        number, single, refined = fields(data, "m", "single", "refined")
        need(number == size, f"the member m = {size} is missing")
        need(fraction(single) == _refined_mean(size) < integer(refined, 1, 10**6) == 21 * size, "other means")
        if size < 3:
            for bounds, mean in (((1, 1), fraction(single)), ((1, 3), Fraction(refined))):
                requests = tuple((o, b) for o, b in zip((2, 3), bounds, strict=True) for _ in range(3 * size))
                found = literal_means(requests, 1, 12 * size)
                need(found.over and found.total == mean, "all ties give another mean")


# ---- Forms: two lengths, matrices -------------------------------------------------------------------------------------


def lem_pd(witness: Any) -> None:
    """g ≡ 1 is positive definite with g(0) = 1, but not strictly: the value of a vector at distinct points is (Σ c_i)² = 0."""
    points, vector = fields(witness, "points", "vector")
    points, vector = integers(points, -9, 9), integers(vector, -9, 9, len(points) if isinstance(points, list) else 0)
    need(len(set(points)) == len(points), "the points must be distinct")
    need(any(vector) and sum(c * d for c in vector for d in vector) == 0, "the vector must have the value 0")


def two_lengths(data: Any, policy: str, bound: Callable[[Fraction], Fraction]) -> None:
    """Check an example on {l, u} with s ≥ 1 where a policy's form over H-SF's is above a bound in α = l/u < 1."""
    s, l, u, weights, value = fields(data, "s", "l", "u", "weights", "ratio")
    s, l, u = integer(s, 1, 10**9), integer(l, 1, 10**4), integer(u, 2, 10**4)
    x, y = integers(weights, 0, 10**9, 2)
    need(l < u and x + y > 0, "l < u and positive weights are needed")
    pair = {l: x, u: y}
    top = a_min_form(pair, s, l, u) if policy == "a-min" else a_ell_form(x, y, s, l, u)
    own = top / h_sf_form(pair, s)
    need(fraction(value) == own and own > bound(Fraction(l, u)), "another ratio, or not above the bound")


def two_point_form(witness: Any) -> None:
    """An example above (3−α)/2."""
    two_lengths(witness, "a-min", lambda alpha: (3 - alpha) / 2)


def two_point_in_process(witness: Any) -> None:
    """Shares of lengths 1 and u at which the lower bound is above (3−α)/2."""
    alpha, least = _on_two_lengths(witness)
    need(least > (3 - alpha) / 2, "not above the bound")


def _a_ell_bound(alpha: Fraction) -> Fraction:
    low, high = 1 + alpha / (2 * (1 - alpha)), 1 + 2 * alpha**2
    return low if 2 * alpha < 1 else high if 2 * alpha > 1 else max(low, high)


def _a_ell_display(data: Any) -> None:
    """Display (1), left: l(l/2)(x+y)x + (l+u/2)(x+y)y for half of A_ℓ's form at s = 0. Another number."""
    l, u, x, y, shown, actual = fields(data, "l", "u", "x", "y", "displayed", "actual")
    l, u, x, y = (integer(v, 1, 10**4) for v in (l, u, x, y))
    need(l < u, "l < u is needed")
    display = Fraction(l * l * (x + y) * x, 2) + (l + Fraction(u, 2)) * (x + y) * y
    half = a_ell_form(x, y, 0, l, u) / 2
    need((fraction(shown), fraction(actual)) == (display, half) and display != half, "other numbers, or equal ones")


def _a_ell_inference(data: Any) -> None:
    """The step from D ≥ 2α(1+α)t to h = α²(t+2)/D ≤ α/(2(1−α)), D = α²t² + 2α²t + 1 the denominator: it does not follow.

    The certificate gives a number in the place of D at which the premise is true and the conclusion false. At D itself
    the conclusion is true: what is refuted is the step.
    """
    alpha, t, d, value = (fraction(v) for v in fields(data, "alpha", "t", "denominator", "h"))
    need(0 < alpha <= Fraction(1, 2) and t > 0, "0 < α ≤ ½ and t > 0 are needed")
    need(d >= 2 * alpha * (1 + alpha) * t, "the premise is false")
    need(value == alpha**2 * (t + 2) / d, "another h")
    need(value > alpha / (2 * (1 - alpha)), "the conclusion is true")


def a_ell_form_witness(witness: Any) -> None:
    """An example above the bound; and at s = 0 display (1) of the published proof and its inference to the bound."""
    example, display, inference = fields(witness, "example", "display", "inference")
    two_lengths(example, "a-ell", _a_ell_bound)
    _a_ell_display(display)
    _a_ell_inference(inference)


def a_ell_in_process(witness: Any) -> None:
    """An example above the bound, of the form that "A_ell in the process" bounds the ratio by."""
    two_lengths(witness, "a-ell", _a_ell_bound)


# ---- Geometric laws ---------------------------------------------------------------------------------------------------


def above_bound(data: Any, power: int, bound: Fraction) -> None:
    """Check an example with s ≥ 1 where A_min over H-SF under q^k (power 0) or k q^k (power 1) is above a bound."""
    s, q, value = fields(data, "s", "q", "ratio")
    own = law_ratio(power, integer(s, 1, 100), fraction(q))
    need(truncated(value, own) >= bound and own[0] > bound, "not above the bound")


def falls(data: Any, power: int) -> None:
    """Check an example with s ≥ 1 where the ratio is smaller at a larger q."""
    s, places, values = fields(data, "s", "q", "ratios")
    s = integer(s, 1, 100)
    first, second = (fraction(v) for v in rows(places, 2, 2))
    before, after = law_ratio(power, s, first), law_ratio(power, s, second)
    for value, own in zip(rows(values, 2, 2), (before, after), strict=True):
        truncated(value, own)
    need(first < second and after[1] < before[0], "it does not fall")


def geometric_form(witness: Any) -> None:
    """A q above 1.7, and two between which the ratio falls."""
    example, decrease = fields(witness, "example", "decrease")
    above_bound(example, 0, Fraction(17, 10))
    falls(decrease, 0)


def geometric_in_process(witness: Any) -> None:
    """A q and a u at which the lower bound is above 1.7."""
    need(_under_a_geometric_law(witness, 0) > Fraction(17, 10), "not above the bound")


def _geometric_sums() -> tuple[Ratio, Ratio]:
    """Return A_min's sum without the part i³/(2j), and H-SF's, at s = 0 under x_k = q^k."""
    read = Reader(book().definitions).read
    whole = read("i*(j + 2*i)/2")
    need(read("a_min(i, j, 0)") == whole - read("i**3/(2*j)"), "A_min's entry, split")
    return double_sum(whole, 0), double_sum(read("h_sf(i, j, 0)"), 0)


def _lg_sums() -> tuple[Ratio, Ratio]:
    """Return A_min's sum and H-SF's, at s = 0 under x_k = k q^k."""
    read = Reader(book().definitions).read
    whole = read("i**2*(j**2 + 2*i*j - i**2)/2")
    need(read("a_min(i, j, 0)*i*j") == whole, "A_min's entry times ij")
    return double_sum(whole, 0), double_sum(read("h_sf(i, j, 0)*i*j"), 0)


def _single(poly: Ratio) -> list[Fraction]:
    return [Fraction(c) for c in coefficients(poly.num, "q")]


def geometric_at_zero(data: Any) -> None:
    """The closed form (P + R ln(1+q))/Q of the ratio under q^k at s = 0, its derivative's sign, and its limit."""
    antidifference, p, r, q = fields(data, "antidifference", "P", "R", "Q")
    f: list[Ratio] = []
    for entry in rows(antidifference, 4, 4):
        top, bottom = fields(entry, "numerator", "denominator")
        f.append(read_quotient(top, bottom, ["q"]))
    j = variable("j")
    big = sum((c * j**n for n, c in enumerate(f)), ratio(0))
    need(variable("q") * big.at(j=j + 1) - big == j**3, "q F(j+1) − F(j) is not j³")
    smooth, below = _geometric_sums()
    squares = [power_sum(n).at(t=variable("q") ** 2) for n in range(3)]
    rational = smooth - squares[2] / 2 - sum((f[n] * squares[n - 1] for n in (1, 2, 3)), ratio(0))
    own_p, own_r, own_q = (Ratio(read_polynomial(v, ["q"])) for v in (p, r, q))
    need(bool(own_q.num) and rational / below == own_p / own_q and f[0] / below == own_r / own_q, "another closed form")
    need(gcd(*own_p.num.values(), *own_r.num.values(), *own_q.num.values()) == 1, "a common factor")
    P, R, Q = (_single(v) for v in (own_p, own_r, own_q))
    need(all(c >= 0 for c in Q) and sum(Q) > 0, "Q must be positive")
    plus = [Fraction(1), Fraction(1)]
    A = add(
        multiply(add(multiply(derivative(P), plus), R), Q), multiply(multiply([-1], P), multiply(derivative(Q), plus))
    )
    B = multiply(plus, add(multiply(derivative(R), Q), multiply(multiply([-1], R), derivative(Q))))
    for terms in (8, 9):
        partial = [Fraction(0), *(Fraction((-1) ** (n + 1), n) for n in range(1, terms + 1))]
        rest = without_factor(without_factor(add(A, multiply(B, partial)), 0), 1)
        need(positive_on_unit(rest), "the derivative's sign is not shown")
    low, high = log_bounds(Fraction(2))
    limit = max(sum(P) + sum(R) * low, sum(P) + sum(R) * high) / sum(Q)
    need(limit < Fraction(17, 10), "the limit is not below 1.7")


def _lg_closed_form(q: Fraction) -> Fraction:
    top = (1 + q) ** 2 * (1 + 3 * q + 6 * q**2 + 3 * q**3 + q**4)
    return top / (1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6)


def _lg_display(data: Any) -> None:
    """The sum Σ_k k³ q^{k−1} (2k q^{k−1} + Σ_{i>k} i q^{i−1}) is another number than the one displayed.

    It is (2 Σ k⁴ q^{2k} + Σ_{k<i} k³ i q^{k+i})/q².
    """
    q, value, shown = (fraction(v) for v in fields(data, "q", "sum", "displayed"))
    need(0 < q < 1, "0 < q < 1 is needed")
    diagonal = power_sum(4).at(t=variable("q") ** 2)
    pairs = (double_sum(variable("i") ** 3 * variable("j"), 0) - diagonal) / 2
    own = ((2 * diagonal + pairs) / variable("q") ** 2).at(q=q).number()
    claimed = (1 + 2 * q + 11 * q**2 + 8 * q**3 + 11 * q**4 + 2 * q**5 + q**6) / ((1 - q) ** 6 * (1 + q) ** 4)
    need(value == own and shown == claimed and own != claimed, "other numbers, or equal ones")


def lg_form(witness: Any) -> None:
    """Where the closed form, both bounds and monotonicity fail; and at s = 0 the sum of the denominator that is displayed."""
    closed, bound, weaker, decrease, display = fields(
        witness, "closed_form", "bound", "weaker_bound", "decrease", "display"
    )
    s, q, value, claimed = fields(closed, "s", "q", "ratio", "claimed")
    own = law_ratio(1, integer(s, 1, 100), fraction(q))
    truncated(value, own)
    need(fraction(claimed) == _lg_closed_form(fraction(q)), "another value of the closed form")
    need(not own[0] <= fraction(claimed) <= own[1], "the closed form holds there")
    above_bound(bound, 1, Fraction(14, 9))
    above_bound(weaker, 1, Fraction(8, 5))
    falls(decrease, 1)
    _lg_display(display)


def lg_at_zero(data: Any) -> None:
    """The closed form under k q^k at s = 0; it increases to 14/9."""
    numerator, denominator = fields(data, "numerator", "denominator")
    own = read_quotient(numerator, denominator, ["q"])
    top, bottom = _lg_sums()
    need(top / bottom == own, "another closed form")
    N, D = _single(Ratio(own.num)), _single(Ratio(own.den))
    rate = add(multiply(derivative(N), D), multiply(multiply([-1], N), derivative(D)))
    need(all(c > 0 for c in D) and positive_on_unit(without_factor(without_factor(rate, 0), 1)), "it does not increase")
    need(sum(N) / sum(D) == Fraction(14, 9) and Fraction(14, 9) <= Fraction(156, 100), "another limit")


def lg_in_process(witness: Any) -> None:
    """A q and a u at which the lower bound is above 14/9 and above the closed form."""
    least = _under_a_geometric_law(witness, 1)
    need(least > Fraction(14, 9) and least > _lg_closed_form(fraction(witness["q"])), "not above the bounds")


def lg_mode(witness: Any) -> None:
    """A q < ½, where the mode is 1, at which ln(1/q) is above 2."""
    q, mode, shown = fields(witness, "q", "mode", "formula")
    place = fraction(q)
    need(0 < place < Fraction(1, 2) and integer(mode, 1, 1) == 1, "q < ½ is needed, where the mode is 1")
    own = log_bounds(1 / place)
    truncated(shown, own, 6)
    need(own[0] > 2, "the mode is within 1 of the formula")


def uniform_at_zero(witness: Any) -> None:
    """The closed forms under q^k and k q^k at s = 0."""
    plain, linear = fields(witness, "geometric", "linear_geometric")
    geometric_at_zero(plain)
    lg_at_zero(linear)


def uniform_in_process(witness: Any) -> None:
    """Laws at which the lower bound is above 1.5, 1.7 and 1.56."""
    two, plain, linear = fields(witness, "two_point", "geometric", "linear_geometric")
    least = (_on_two_lengths(two)[1], _under_a_geometric_law(plain, 0), _under_a_geometric_law(linear, 1))
    bounds = (Fraction(3, 2), Fraction(17, 10), Fraction(156, 100))
    need(all(own > bound for own, bound in zip(least, bounds, strict=True)), "not above the bounds")


def uniform_form(witness: Any) -> None:
    """Examples above 1.5, 1.7 and 1.56."""
    two, plain, linear = fields(witness, "two_point", "geometric", "linear_geometric")
    two_lengths(two, "a-min", lambda alpha: Fraction(3, 2))
    above_bound(plain, 0, Fraction(17, 10))
    above_bound(linear, 1, Fraction(156, 100))


# ---- schedules --------------------------------------------------------------------------------------------------------


def hsf_lower(witness: Any) -> None:
    """A feasible schedule with a smaller total than H-SF's."""
    lengths, s, memory, own, starts, better = fields(witness, "lengths", "s", "M", "h_sf_total", "starts", "total")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    starts = integers(starts, 0, 10**4, len(lengths))
    need(own == total(shortest_first(lengths, s, memory), lengths), "H-SF has another total")
    need(feasible(starts, lengths, s, memory), "the schedule exceeds the memory")
    need(better == total(starts, lengths) and better < own, "the schedule is not better")


def ex_order(witness: Any) -> None:
    """M = 7, s = 1, o = (1,2,3,4): I_1, I_2, I_3 are feasible and in corresponding order; neither of I_1, I_2 is delayed
    relative to the other; both are delayed relative to I_3; I_3 is optimal (all schedules with a smaller total are tried).
    """
    lengths, s, memory = (1, 2, 3, 4), 1, 7
    given = ([0, 2, 0, 3], [1, 1, 0, 3], [0, 0, 0, 2])
    schedules, totals = fields(witness, "schedules", "totals")
    plans = [integers(row, 0, 9, 4) for row in rows(schedules, 3, 3)]
    need(plans == list(given), "other schedules")
    need(integers(totals, 1, 99, 3) == [total(p, lengths) for p in plans], "other totals")
    need(all(feasible(p, lengths, s, memory) for p in plans), "one exceeds the memory")
    need(all(same_order(a, b) for a, b in combinations(plans, 2)), "the order is not preserved")

    def delayed(a: Sequence[int], b: Sequence[int]) -> bool:
        return all(x >= y for x, y in zip(a, b, strict=True))

    first, second, third = plans
    need(not delayed(first, second) and not delayed(second, first), "one of I_1, I_2 is delayed")
    need(delayed(first, third) and delayed(second, third), "I_3 is not the earliest")
    spare = sum(third)
    for starts in product(range(spare), repeat=4):
        need(sum(starts) >= spare or not feasible(starts, lengths, s, memory), "I_3 is not optimal")


def _queue_instance(lengths: Any, s: Any, memory: Any) -> tuple[list[int], int, int]:
    sizes = integers(lengths, 1, 60)
    need(len(sizes) <= 30, "at most 30 requests")
    return sizes, integer(s, 1, 1000), integer(memory, 1, 10**5)


def packed_random(witness: Any) -> None:
    """A schedule of A_random that is not packed; two of the queue that passes over what does not fit, out of order."""
    stopping, passing = fields(witness, "stopping", "passing")
    lengths, s, memory, order, starts, request, to = fields(
        stopping, "lengths", "s", "M", "order", "starts", "request", "to"
    )
    lengths, s, memory = _queue_instance(lengths, s, memory)
    own = run_queue(permutation(order, len(lengths)), lengths, lengths, s, memory)
    need(starts == own, "A_random starts at other times")
    request, to = integer(request, 0, len(lengths) - 1), integer(to, 0, 10**4)
    need(may_move(own, lengths, s, memory, request, to), "the request cannot move there")
    lengths, s, memory, smaller, order, starts = fields(passing, "lengths", "s", "M", "smaller", "order", "starts")
    lengths, s, memory = _queue_instance(lengths, s, memory)
    order = permutation(order, len(lengths))
    both = [run_queue(order, lengths, lengths, s, m, passing=True) for m in (memory, integer(smaller, 1, memory - 1))]
    need(starts == both and not same_order(*both), "other starts, or in order")


def prop_memory(witness: Any) -> None:
    """Two packed schedules in corresponding order above both bounds; and members: n requests of length 1, M = 2(s+1), M − 1."""
    example, members = fields(witness, "example", "members")
    lengths, s, memory, smaller, first, second, totals, late = fields(
        example, "lengths", "s", "M", "smaller", "I", "I'", "totals", "late"
    )
    lengths, s, memory = _queue_instance(lengths, s, memory)
    smaller = integer(smaller, 1, memory - 1)
    one, two = (integers(v, 0, sum(lengths), len(lengths)) for v in (first, second))
    for starts, room in ((one, memory), (two, smaller)):
        need(feasible(starts, lengths, s, room) and packed(starts, lengths, s, room), "not feasible or not packed")
    need(same_order(one, two), "not in corresponding order")
    need(integers(totals, 1, 10**6, 2) == [total(one, lengths), total(two, lengths)], "other totals")
    need(totals[1] * smaller > totals[0] * memory, "the bound on the totals holds")
    late = integer(late, 0, len(lengths) - 1)
    need((two[late] + lengths[late]) * smaller > (one[late] + lengths[late]) * memory, "the bound on the request holds")
    sooner = ([k if i == late else p for i, p in enumerate(two)] for k in range(two[late]))
    need(not any(feasible(row, lengths, s, smaller) for row in sooner), "the late request could have been earlier")
    for (n, s), data in zip(((4, 4), (10, 10), (20, 40)), rows(members, 3, 3), strict=True):
        number, size, totals = fields(data, "n", "s", "totals")
        need((number, size) == (n, s), f"the member n = {n}, s = {s} is missing")
        own: list[int] = []
        for room in (2 * s + 2, 2 * s + 1):
            starts = shortest_first([1] * n, s, room)
            need(packed(starts, [1] * n, s, room), "a member is not packed")
            own.append(total(starts, [1] * n))
        half = n // 2
        need(totals == own == [half * (half + 1), half * (n + 1)], "a member has other totals")


# ---- where a ratio in y and ln y is least -----------------------------------------------------------------------------


def _least(
    data: Any, slope: Callable[[Fraction], Fraction], top: Callable[[Fraction], Fraction], power: int
) -> list[Fraction]:
    """Return low, high and bounds on the least value of top(y)/ln(y)^power, of which low and high bracket the place.

    The ratio falls where ln y < slope(y) and rises where ln y > slope(y), once each, and top grows.
    """
    low, high = (fraction(each) for each in fields(data, "low", "high"))
    need(1 < low < high, "not 1 < low < high")
    below, above = log_bounds(low), log_bounds(high)
    need(below[1] < slope(low) and above[0] > slope(high), "the ratio does not fall at low and rise at high")
    return [low, high, top(low) / above[1] ** power, top(low) / below[0] ** power]


def _least_own(data: Any) -> list[Fraction]:
    """Return the same of (y−1)(2y−1)/(y ln² y)."""
    return _least(data, lambda y: 2 * (y - 1) * (2 * y - 1) / (2 * y * y - 1), lambda y: 2 * y - 3 + 1 / y, 2)


def _rounded(claim: Mapping[str, str], name: str, low: Fraction, high: Fraction, up: bool) -> None:
    """Refuse a printed decimal that no number between low and high has, rounded up or to nearest."""
    printed, unit = Fraction(claim[name]), Fraction(1, 10 ** len(claim[name].partition(".")[2]))
    least, most = (printed - unit, printed) if up else (printed - unit / 2, printed + unit / 2)
    need(least < low and high < most, f"{name} is rounded otherwise, or it is not clear")


def rho_star(witness: Any) -> None:
    """ρ* = min (y−1)(2y−1)/(y ln² y) over y > 1 lies between two numbers."""
    own = book().claims["rho-star", "number"].given
    _, _, least, most = _least_own(witness)
    need(Fraction(own["lower"]) < least and most < Fraction(own["upper"]), "the cost may be beyond a bound")


def own_lower(witness: Any) -> None:
    """ρ* is at least the printed number."""
    _, _, least, _ = _least_own(witness)
    need(least > Fraction(book().claims["own-lower", "algorithm"].given["least"]), "the ratio may be smaller")


def own_offsets(witness: Any) -> None:
    """ρ* and the base b = y² at which it is taken, as they are printed."""
    own = book().claims["own-offsets", "kernel"].given
    low, high, least, most = _least_own(witness)
    _rounded(own, "least", least, most, up=True)
    _rounded(own, "b", low**2, high**2, up=False)


def b_random_best(witness: Any) -> None:
    """The least (2y+1−1/y)/(2 ln y) and its base b = y², as they are printed."""
    own = book().claims["b-random-best", "kernel"].given
    slope, top = lambda y: (2 * y * y + y - 1) / (2 * y * y + 1), lambda y: (2 * y + 1 - 1 / y) / 2
    low, high, least, most = _least(witness, slope, top, 1)
    _rounded(own, "least", least, most, up=True)
    _rounded(own, "b", low**2, high**2, up=False)


def b_scaling_best(witness: Any) -> None:
    """1 + 3√3 as it is printed, rounded up: nothing but this number is asked for."""
    fields(witness)
    printed = Fraction(book().claims["b-scaling-best", "kernel"].given["printed"])
    need((printed - 1 - Fraction(1, 1000)) ** 2 < 27 <= (printed - 1) ** 2, "it is rounded otherwise")


# ---- blind schedulers -------------------------------------------------------------------------------------------------


def _in_units(value: Any, size: int) -> tuple[list[int], int]:
    """Return fractions as integers, and the unit: how many of it are 1."""
    exact = [fraction(each) for each in rows(value, size, size)]
    unit = lcm(*(each.denominator for each in exact))
    return [each.numerator * (unit // each.denominator) for each in exact], unit


def blind_finite(witness: Any) -> None:
    """Under a price that falls with time every plan for a law of lengths costs at least what proves the bound.

    ``tails``: P(o > each length); ``prices``: at each of the times, linear between them; ``ratio``: what they prove.
    """
    own = book().claims["blind-finite", "machine"].given
    s, l, u = (int(own[name]) for name in ("s", "l", "u"))
    lengths, tails, times, prices, ratio = fields(witness, "lengths", "tails", "times", "prices", "ratio")
    lengths, knots, last = integers(lengths, l, u), len(rows(times, 2, 60)), len(rows(lengths, 1, 40))
    (p, unit), (t, of_time), (w, of_price) = _in_units(tails, last), _in_units(times, knots), _in_units(prices, knots)
    p = [unit, *p]
    need(all(a < b for a, b in (*pairwise(lengths), *pairwise(t))) and t[0] == 0, "lengths or times do not increase")
    need(
        all(a >= b for a, b in (*pairwise(p), *pairwise(w))) and p[-1] == w[-1] == 0, "tails or prices do not fall to 0"
    )
    v = [0, *(s * o + o * (o + 1) // 2 for o in lengths)]
    step = [p[k] * (v[k + 1] - v[k]) for k in range(last)]
    uses = [[v[a] * p[a] + sum(step[a:c]) for c in range(a + 1, last + 1)] for a in range(last)]
    costs: list[int] = []  # of the cheapest plan from each length on, from the last time to the first
    for time, price in zip(reversed(t), reversed(w), strict=True):
        now = [0]
        for a in range(last - 1, -1, -1):
            steps = (
                (p[a] - q) * time * of_price + price * of_time * used
                for q, used in zip(p[a + 1 :], uses[a], strict=True)
            )
            now.insert(0, min([min(map(int.__add__, steps, now)), *costs[a : a + 1]]))
        costs = now
    paid = sum((w[i] + w[i + 1]) * (t[i + 1] - t[i]) for i in range(knots - 1))
    shared = sum(p[k] * step[k] for k in range(last))
    proved = Fraction((2 * costs[0] - paid * unit) * unit, shared * of_time * of_price)
    need(fraction(ratio) == proved, "the price proves another ratio")
    need(proved >= Fraction(own["bound"]), "the price does not prove the bound")


def _root_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return numbers below and above √x, 20 places apart."""
    low = isqrt(x.numerator * 10**40 // x.denominator)
    return Fraction(low, 10**20), Fraction(low + 1, 10**20)


def common_offset(witness: Any) -> None:
    """(2b+√b−1)/(√b ln b) at the base b is at most the number claimed: nothing but these numbers is asked for."""
    fields(witness)
    own = book().claims["b-scaling", "number"].given
    b = Fraction(own["base"])
    need(((2 * b - 1) / _root_bounds(b)[0] + 1) / log_bounds(b)[0] <= Fraction(own["most"]), "it may be more")


def continuous_limit(witness: Any) -> None:
    """The equation of the limit changes its sign within half a unit of the last decimal of the number claimed.

    The right side falls in t, so a t below or above tanh(½μ ln(1/α)) is enough: 2 artanh t against μ ln(1/α).
    """
    own = book().claims["continuous-limit", "form"].given
    low, below, high, above = (fraction(each) for each in fields(witness, "low", "t_low", "high", "t_high"))
    printed, length = Fraction(own["value"]), log_bounds(1 / Fraction(own["alpha"]))
    near = Fraction(1, 2 * 10 ** len(own["value"].partition(".")[2]))
    need(printed - near < low < high < printed + near and low > 1, "the root may be farther from the number")
    need(0 < below < 1 and 0 < above < 1, "t is not between 0 and 1")
    for x, t, rises in ((low, below, False), (high, above, True)):
        m = _root_bounds(4 - 3 / x)
        angle, least, most = log_bounds((1 + t) / (1 - t)), m[0] * length[0], m[1] * length[1]
        need(angle[0] > most if rises else angle[1] < least, "t is on the other side of tanh(½μ ln(1/α))")
        sides = [4 * (x - 1) - (x - 1) * (2 + 4 * t / a) / (2 * x - 1 + x * a * t) for a in m]
        need(min(sides) > length[1] if rises else max(sides) < length[0], "the equation has no change of sign there")
