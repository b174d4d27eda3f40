"""The process with a prompt of its own for each request, in plain Python: schedules, and families of requests.

A request is a pair (s, o) of its prompt and its output length. Started at p it holds s + a tokens at the instant p + a,
a = 1, …, o, and completes at p + o. At every instant at most ``memory`` tokens are held. Everything is exact.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from crtools.process.run import Engine, simulate
from crtools.schedule import volume as volume_of

Request = tuple[int, int]
"""A prompt and an output length."""

Requests = Sequence[Request]


def volume(request: Request) -> int:
    """Return the token-instants of a run to its end."""
    return volume_of(*request)


def shared(sizes: Sequence[int | Fraction]) -> Fraction:
    """Return Σ_{i,j} min(x_i, x_j) over all ordered pairs."""
    ordered = sorted(sizes, reverse=True)
    return sum((Fraction(x) * (2 * k + 1) for k, x in enumerate(ordered)), Fraction(0))


def area(requests: Requests, memory: int) -> Fraction:
    """Return A = (1/2M) Σ_{i,j} min(v_i, v_j)."""
    return shared([volume(r) for r in requests]) / (2 * memory)


def volume_bound(requests: Requests, memory: int) -> Fraction:
    """Return (1/M) Σ_k V_k, V_k the sum of the k smallest volumes."""
    return Fraction(sum(accumulate(sorted(volume(r) for r in requests))), memory)


def held(requests: Requests, starts: Sequence[int], instant: int) -> int:
    """Return the tokens held at an instant by requests that are run to their ends."""
    return sum(s + instant - p for (s, o), p in zip(requests, starts, strict=True) if p < instant <= p + o)


def feasible(requests: Requests, starts: Sequence[int], memory: int) -> bool:
    """Return whether the memory suffices; only completion instants are checked, where the use is largest."""
    completions = {p + o for (_, o), p in zip(requests, starts, strict=True)}
    return all(held(requests, starts, instant) <= memory for instant in completions)


def total(requests: Requests, starts: Sequence[int]) -> int:
    """Return the total latency."""
    return sum(starts) + sum(o for _, o in requests)


def total_of_run(policy: str, requests: Requests, memory: int, engine: Engine = "auto") -> int:
    """Run a policy of crtools and return its total latency."""
    lengths, prompts = [o for _, o in requests], [s for s, _ in requests]
    return simulate(policy, lengths, memory, prompts, engine=engine).total_latency


# ---- families of the claims ----


def term(request: Request) -> Fraction:
    """Return how much later than the mean instant of its tokens, less one half, a request completes."""
    s, o = request
    return Fraction(sum((o - a) * (s + a) for a in range(1, o + 1)), volume(request)) + Fraction(1, 2)


def steady(s: int, o: int, count: int) -> tuple[list[Request], list[int], int]:
    """Return requests (s, o) that start one after the other at 0, 1, …, beside others that fill the memory from 0 on."""
    others = [(s + o - r, r) for r in range(1, o)]
    return [*others, *[(s, o)] * count], [*[0] * len(others), *range(count)], volume((s, o))


def full_memory(pairs: int, m: int) -> tuple[list[Request], int]:
    """Return pairs of (0, m) and (M − 1, 1), M = m(m+1)/2, and M."""
    memory = m * (m + 1) // 2
    return [(0, m), (memory - 1, 1)] * pairs, memory


def two_parts(pairs: int, m: int) -> tuple[list[Request], range, int]:
    """Return the same requests, those of length 1 first, one start at each instant, and M."""
    queue, memory = full_memory(pairs, m)
    return [*queue[1::2], *queue[::2]], range(2 * pairs), memory


def prompts_that_fill(K: int) -> tuple[list[Request], int]:
    """Return 2K requests of one token with prompts M − 1, and K² of two tokens without prompts, M = 2K²."""
    memory = 2 * K * K
    return [*[(memory - 1, 1)] * (2 * K), *[(0, 2)] * (K * K)], memory


def in_reverse(K: int) -> tuple[list[Request], list[int], int]:
    """Return the same requests in the other order, with starts one after the other behind those at 0, and M."""
    requests, memory = prompts_that_fill(K)
    return requests[::-1], [*[0] * (K * K), *range(2, 2 * K + 2)], memory


def arriving(n: int) -> tuple[list[Request], int]:
    """Return a request that fills the memory M = n(n+1) at its last instant, n others, and M."""
    memory = n * (n + 1)
    return [(memory - n, n), *[(n, 1)] * n], memory


def flow_without_kills(n: int, start: int) -> int:
    """Return the smallest flow time without kills if the first starts at ``start`` and the others arrive one instant later."""
    requests, memory = arriving(n)
    other = next(p for p in range(start + 1, start + n + 1) if feasible(requests[:2], [start, p], memory))
    return start + n + n * (other + 1 - (start + 1))


def possible_flow(n: int, start: int) -> int:
    """Return the flow time of a schedule that knows when the others arrive."""
    requests, memory = arriving(n)
    first = 0 if start >= n - 1 else start + 2
    flow = first + n + n
    return flow if feasible(requests, [first, *[start + 1] * n], memory) else 0
