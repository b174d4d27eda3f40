"""The discrete process once more, in a few lines and sharing no code with ``crtools.process``: a second computation.

Only policies without cancellation: a queue in a fixed order, an assumed length per request, Eq. 5 for admission.
"""

from __future__ import annotations

from collections.abc import Sequence


def use(starts: Sequence[int], lengths: Sequence[int], s: int, t: int) -> int:
    """Return the tokens held at the instant t."""
    return sum(s + t - p for p, o in zip(starts, lengths, strict=True) if p < t <= p + o)


def feasible(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> bool:
    """Return whether the use is at most ``memory`` at every instant."""
    last = max(p + o for p, o in zip(starts, lengths, strict=True))
    return all(use(starts, lengths, s, t) <= memory for t in range(1, last + 1))


def total(starts: Sequence[int], lengths: Sequence[int]) -> int:
    """Return the sum of the completion times."""
    return sum(p + o for p, o in zip(starts, lengths, strict=True))


def queue(
    order: Sequence[int],
    assumed: Sequence[int],
    lengths: Sequence[int],
    s: int,
    memory: int,
    *,
    skip: bool = False,
) -> list[int]:
    """Return the start times of requests admitted in ``order``, each up to the first that does not fit.

    With ``skip`` every request that fits after those before it is admitted, and the others are passed over.
    """
    starts: dict[int, int] = {}
    waiting, t = list(order), 0
    while waiting:
        running = [i for i, p in starts.items() if p + lengths[i] > t]
        for request in list(waiting):
            tried = [*running, request]
            begun = [starts.get(i, t) for i in tried]
            counted = [assumed[i] for i in tried]
            if all(use(begun, counted, s, x) <= memory for x in range(t + 1, t + max(assumed) + 1)):
                running.append(request)
                starts[request] = t
                waiting.remove(request)
            elif not skip:
                break
        t += 1
    return [starts[i] for i in range(len(lengths))]


def increasing(lengths: Sequence[int]) -> list[int]:
    """Return H-SF's order of the requests."""
    return sorted(range(len(lengths)), key=lambda i: lengths[i])


def shortest_first(lengths: Sequence[int], s: int, memory: int) -> list[int]:
    """Return H-SF's start times."""
    return queue(increasing(lengths), lengths, lengths, s, memory)


def packed(starts: Sequence[int], lengths: Sequence[int], s: int, memory: int) -> tuple[int, int] | None:
    """Return (request, earlier time) that contradicts Definition "Optimally Packed Schedule", or None."""
    for i, p in enumerate(starts):
        before = [x for x in starts if x < p]
        for k in range(max(before, default=0), p):
            moved = [*starts[:i], k, *starts[i + 1 :]]
            if feasible(moved, lengths, s, memory):
                return i, k
    return None


def ordered(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return whether two schedules' starts preserve the corresponding order: no pair is exchanged."""
    return all((a[i] - a[j]) * (b[i] - b[j]) >= 0 for i in range(len(a)) for j in range(len(a)))
