"""The rule of phases: a policy that serves whole batches, one phase after another, has entries that are finite sums.

A phase starts its members once each, all with the same assumed length L, and each leaves at age L: it completes there, or
is cancelled. M/(s+L) of them fill the memory at that age. So a phase of N members takes L(s+L)N/M instants, and

    D(a, b) = Σ L(s+L) over the phases of b before the one that completes a, and half of that one's if b is in it,

is what a request of length b delays one of length a: the form's entries are D(a, b) + D(b, a).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from crtools.discovery.entries import Entries
from crtools.numeric_types import RingElement


@dataclass(frozen=True)
class Phase:
    """``length``: the L at which all members leave. ``members``: whether the requests of the shorter, the longer length are."""

    length: RingElement
    members: tuple[bool, bool]

    def charge(self, s: RingElement) -> RingElement:
        """Return L(s+L): how long the memory M is taken by each member, in 1/M."""
        return self.length * (s + self.length)


def entries(phases: Sequence[Phase], s: RingElement) -> Entries:
    """Return the entries at the two lengths, over any ring."""
    low, high = 0, 1
    return Entries(
        *(_delay(phases, a, b, s) + _delay(phases, b, a, s) for a, b in ((low, low), (low, high), (high, high)))
    )


def _delay(phases: Sequence[Phase], whose: int, by: int, s: RingElement) -> RingElement:
    """Return what one request of a length delays one of another, on average over the order, in 1/M."""
    last = last_phase(phases, whose)
    total = 0 * s
    for k, phase in enumerate(phases[: last + 1]):
        if phase.members[by]:
            total = total + phase.charge(s) * (Fraction(1, 2) if k == last else 1)
    return total


def last_phase(phases: Sequence[Phase], whose: int) -> int:
    """Return the number of the phase that completes the shorter (0) or longer (1) length."""
    return max(k for k, phase in enumerate(phases) if phase.members[whose])


def mean_total(
    phases: Sequence[Phase], counts: Sequence[RingElement], s: RingElement, memory: RingElement
) -> RingElement:
    """Return E TEL over the order for counts of the two lengths that fill whole batches in every phase."""
    sizes = [sum(c for c, is_in in zip(counts, phase.members, strict=True) if is_in) for phase in phases]
    durations = [phase.charge(s) * size / memory for phase, size in zip(phases, sizes, strict=True)]
    total = 0 * s
    for owner, count in enumerate(counts):
        last = last_phase(phases, owner)
        total = total + count * (sum(durations[:last]) + (durations[last] + phases[last].length) / 2)
    return total
