"""What tries the arguments of this theory on small runs: each function returns where one fails, None where none does.

The text names them (``tested by``). The runs are those of :mod:`crtools.papers.any_memory.process`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, permutations, product
from math import ceil

from crtools.papers.any_memory.process import (
    Request,
    feasible,
    held,
    peak,
    preemptive,
    queue_starts,
    small_instances,
    total,
    volume,
)

KINDS = [(s, o) for s in range(3) for o in range(1, 4)]


def _first(failing: Iterator[object]) -> str | None:
    return next((f"it fails at {at}" for at in failing), None)


# ---- the lower bound ------------------------------------------------------------------------------------------------


def mean_instant(request: Request, start: int) -> Fraction:
    """Return T, the mean of the instants at which the tokens of a run are held."""
    s, o = request
    return Fraction(sum((s + a) * (start + a) for a in range(1, o + 1)), volume(request))


def _pairs() -> Iterator[tuple[list[Request], list[int], int]]:
    for first, second in product(KINDS, repeat=2):
        for starts in product(range(4), repeat=2):
            pair = [first, second]
            memory = next(m for m in range(1, 20) if feasible(pair, starts, m))
            yield pair, [*starts], memory


def term(request: Request) -> Fraction:
    """Return how much later than the mean instant of its tokens, less one half, a request completes."""
    s, o = request
    return Fraction(sum((o - a) * (s + a) for a in range(1, o + 1)), volume(request)) + Fraction(1, 2)


def busy() -> str | None:
    """Try that a request completes after the mean instant of its tokens by what the sum over its ages says."""

    def fails(request: Request, start: int) -> bool:
        return start + request[1] - mean_instant(request, start) < term(request) - Fraction(1, 2)

    return _first((r, p) for pair, starts, _ in _pairs() for r, p in zip(pair, starts, strict=True) if fails(r, p))


def least_sum(tokens: int, memory: int) -> int:
    """Return the least sum of the instants of so many tokens, at most ``memory`` at an instant."""
    full, rest = divmod(tokens, memory)
    return memory * full * (full + 1) // 2 + rest * (full + 1)


def tokens() -> str | None:
    """Try that the volume times the mean instant, summed over requests, is at least the sum with all the memory in use."""

    def fails(requests: list[Request], starts: list[int], memory: int) -> bool:
        own = sum(volume(r) * mean_instant(r, p) for r, p in zip(requests, starts, strict=True))
        return own < least_sum(sum(map(volume, requests)), memory)

    return _first(schedule for schedule in _pairs() if fails(*schedule))


def steady(s: int, o: int, count: int) -> tuple[list[Request], list[int], int]:
    """Return requests (s, o) that start one after the other at 0, 1, …, beside others that fill the memory from 0 on."""
    others = [(s + o - r, r) for r in range(1, o)]
    return [*others, *[(s, o)] * count], [*[0] * len(others), *range(count)], volume((s, o))


def full() -> str | None:
    """All the memory is in use at each of the first instants, and never more than that."""

    def fails(s: int, o: int, count: int) -> bool:
        requests, starts, memory = steady(s, o, count)
        used = [held(requests, starts, t) for t in range(1, count + 1)]
        return set(used) != {memory} or not feasible(requests, starts, memory)

    return _first(at for at in product(range(3), range(1, 5), range(1, 7)) if fails(*at))


# ---- queues ---------------------------------------------------------------------------------------------------------


def _queues() -> Iterator[tuple[list[Request], int, list[int], list[int]]]:
    """Iterate over all orders of small instances, with the starts by reserved peaks and by look-ahead."""
    for requests, memory in small_instances():
        for order in dict.fromkeys(permutations(requests)):
            queue = list(order)
            reserved, ahead = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
            yield queue, memory, reserved, ahead


def never_later() -> str | None:
    """Look-ahead starts no request later than reserved peaks do."""
    return _first(
        (queue, memory)
        for queue, memory, reserved, ahead in _queues()
        if any(a > r for a, r in zip(ahead, reserved, strict=True))
    )


def refused() -> str | None:
    """Try that what is reserved before a start is bounded by the peaks and lengths of those before it in the queue."""

    def fails(queue: list[Request], memory: int, starts: list[int]) -> bool:
        free = memory - max(map(peak, queue)) + 1
        return any(free * start > sum(peak(r) * r[1] for r in queue[:k]) for k, start in enumerate(starts))

    return _first(
        (queue, memory)
        for queue, memory, reserved, ahead in _queues()
        if fails(queue, memory, reserved) or fails(queue, memory, ahead)
    )


# ---- families -------------------------------------------------------------------------------------------------------


def full_memory(pairs: int, m: int) -> tuple[list[Request], int]:
    """Return pairs of (0, m) and (M − 1, 1), M = m(m+1)/2, and M."""
    memory = m * (m + 1) // 2
    return [(0, m), (memory - 1, 1)] * pairs, memory


def completions(queue: list[Request], starts: Sequence[int]) -> list[int]:
    """Return when the requests complete."""
    return [p + o for (_, o), p in zip(queue, starts, strict=True)]


Run = tuple[list[Request], int, list[int]]
"""A queue, the memory, and when its requests complete."""


def _complete_so(runs: Iterable[Run]) -> str | None:
    """Return the first of these queues whose requests complete otherwise, by reserved peaks or by look-ahead."""

    def fails(queue: list[Request], memory: int, ends: list[int]) -> bool:
        both = (queue_starts(queue, memory, look_ahead=rule) for rule in (False, True))
        return any(completions(queue, starts) != ends for starts in both)

    return _first(run for run in runs if fails(*run))


SIZES = list(product(range(1, 5), range(1, 5)))


def in_pairs() -> str | None:
    """Try that the requests of a pair complete one after the other, before the next pair starts."""
    return _complete_so(
        (*full_memory(pairs, m), [end for j in range(pairs) for end in (j * (m + 1) + m, (j + 1) * (m + 1))])
        for pairs, m in SIZES
    )


def two_parts(pairs: int, m: int) -> tuple[list[Request], range, int]:
    """Return the same requests, those of length 1 first, one start at each instant, and M."""
    queue, memory = full_memory(pairs, m)
    return [*queue[1::2], *queue[::2]], range(2 * pairs), memory


def in_parts() -> str | None:
    """With all requests of length 1 first, one of the others starts at each instant."""

    def fails(pairs: int, m: int) -> bool:
        requests, starts, memory = two_parts(pairs, m)
        ends = [*range(1, pairs + 1), *range(pairs + m, 2 * pairs + m)]
        return not feasible(requests, starts, memory) or completions(requests, starts) != ends

    return _first(size for size in SIZES if fails(*size))


def prompts_that_fill(K: int) -> tuple[list[Request], int]:
    """Return 2K requests of one token with prompts M − 1, and K² of two tokens without prompts, M = 2K²."""
    memory = 2 * K * K
    return [*[(memory - 1, 1)] * (2 * K), *[(0, 2)] * (K * K)], memory


def lengths_first() -> str | None:
    """By length the long prompts run one after the other, and then all others together."""
    return _complete_so((*prompts_that_fill(K), [*range(1, 2 * K + 1), *[2 * K + 2] * (K * K)]) for K in range(1, 7))


def volumes_first() -> str | None:
    """With the others first, these run together, and then the long prompts one after the other."""
    return _complete_so(
        (prompts_that_fill(K)[0][::-1], 2 * K * K, [*[2] * (K * K), *range(3, 2 * K + 3)]) for K in range(1, 7)
    )


def in_waves() -> str | None:
    """Equal requests without prompts start in waves that fill the memory at their ends."""
    return _complete_so(
        ([(0, u)] * (B * N), N * u, [u * b for b in range(1, B + 1) for _ in range(N)])
        for u, N, B in product(range(1, 5), repeat=3)
    )


# ---- requests that arrive over time ---------------------------------------------------------------------------------


def spread() -> str | None:
    """Try that the flow times of a schedule are at least those of a machine, and the mean busy times and terms."""

    def fails(pair: Sequence[Request], releases: Sequence[int], delays: Sequence[int]) -> bool:
        starts = [r + d for r, d in zip(releases, delays, strict=True)]
        memory = next(m for m in range(1, 20) if feasible(pair, starts, m))
        jobs = list(zip(releases, map(volume, pair), strict=True))
        ends, _ = preemptive(jobs, memory, remaining=True)
        _, means = preemptive(jobs, memory, remaining=False)
        return total(pair, starts) < max(sum(ends), sum(means) + sum(map(term, pair)))

    pairs, shifts = product(product((0, 1), (1, 2, 3)), repeat=2), list(product(range(3), repeat=2))
    return _first(at for at in product(pairs, shifts, shifts) if fails(*at))


def arriving(n: int) -> tuple[list[Request], int]:
    """Return a request that fills the memory M = n(n+1) at its last instant, n others, and M."""
    memory = n * (n + 1)
    return [(memory - n, n), *[(n, 1)] * n], memory


def least_flow(n: int, start: int) -> int:
    """Return the least flow time without kills where the first starts at ``start``, and the others arrive one later."""
    requests, memory = arriving(n)
    other = next(p for p in range(start + 1, start + n + 1) if feasible(requests[:2], [start, p], memory))
    return start + n + n * (other + 1 - (start + 1))


def possible_flow(n: int, start: int) -> int:
    """Return the flow time of a schedule that knows when the others arrive."""
    requests, memory = arriving(n)
    first = 0 if start >= n - 1 else start + 2
    flow = first + n + n
    return flow if feasible(requests, [first, *[start + 1] * n], memory) else 0


STARTS = [(n, start) for n in range(2, 6) for start in range(n * n)]


def waits() -> str | None:
    """Where the first has started each of the others waits for it."""
    return _first((n, start) for n, start in STARTS if least_flow(n, start) - (start + n) < n * n)


def schedules() -> str | None:
    """There is a schedule with the flow time that is claimed."""
    claimed = ((n, start, 2 * n if start >= n - 1 else n + start + 2 + n) for n, start in STARTS)
    return _first((n, start) for n, start, flow in claimed if possible_flow(n, start) != flow)


# ---- the limit ------------------------------------------------------------------------------------------------------


def completions_by_volumes() -> str | None:
    """Try that the k-th completion is no earlier than the k smallest volumes at a full memory."""

    def fails(queue: list[Request], memory: int, starts: list[int]) -> bool:
        needed = accumulate(sorted(map(volume, queue)))
        ends = sorted(completions(queue, starts))
        return any(memory * end < work for end, work in zip(ends, needed, strict=True))

    return _first((queue, memory) for queue, memory, _, ahead in _queues() if fails(queue, memory, ahead))


def even_pace() -> str | None:
    """Equal requests that start at an even rate hold their volume times the rate, and one peak more, at most."""

    def fails(s: int, o: int, rate: Fraction) -> bool:
        requests, starts = [(s, o)] * 40, [ceil(j / rate) for j in range(40)]
        most = max(held(requests, starts, t) for t in range(1, starts[-1] + o + 1))
        return most > volume((s, o)) * rate + s + o

    return _first(
        at for at in product(range(3), range(1, 5), map(Fraction, ("1/3", "2/3", "1", "3/2", "5"))) if fails(*at)
    )
