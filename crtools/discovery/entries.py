"""The entries of a form on two lengths, over any ring; and the rule of phases, which derives them.

A policy that serves whole batches, one phase after another, has entries that are finite sums. A phase starts its members once each,
all with the same assumed length L, and each leaves at age L: it completes there, or is cancelled. M/(s+L) of them fill the memory at
that age. So a phase of N members takes L(s+L)N/M instants, and the delay of a request of length a by one of length b is

    D(a, b) = Σ L(s+L) over the phases of b before the one that completes a, and half of that one's if b is in it.

The form's entries are D(a, b) + D(b, a).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from crtools.errors import InputError
from crtools.forms import known_forms
from crtools.numeric_types import RingElement
from crtools.setting import Setting

Point = tuple[int, int, int]
"""Two lengths i ≤ j and the prompt size s."""


Entry = Callable[[RingElement, RingElement, RingElement], RingElement]
"""The entry N(i, j, s) of a form, as a function over any ring."""


@dataclass(frozen=True)
class Entries:
    """The entries of a form on two lengths i < j: at (i, i), (i, j) and (j, j)."""

    low: RingElement
    mixed: RingElement
    high: RingElement


def at_shares(entry: Entry, pattern: Sequence[int], s: int) -> Fraction:
    """Return the value of the form with this entry at the shares of a pattern of lengths."""
    pairs = (sorted(map(Fraction, pair)) for pair in product(pattern, repeat=2))
    return sum((entry(i, j, Fraction(s)) for i, j in pairs), Fraction(0)) / len(pattern) ** 2


def known_form(values: Mapping[tuple[Setting, int, int], RingElement]) -> str | None:
    """Return the name of the first known form, the simpler first, with these values of entries (i, j) in settings; or None."""
    for name, form in sorted(known_forms().items(), key=lambda item: item[1].bind is not None):
        with suppress(InputError):
            if all(form.on(setting).entry(i, j) == value for (setting, i, j), value in values.items()):
                return name
    return None


@dataclass(frozen=True)
class Phase:
    """``length``: the L at which all members leave. ``members``: whether requests of the shorter and of the longer length are in it."""

    length: RingElement
    members: tuple[bool, bool]

    def charge(self, s: RingElement) -> RingElement:
        """Return L(s+L): the time for which each member takes the whole memory M, in units of 1/M."""
        return self.length * (s + self.length)


def entries(phases: Sequence[Phase], s: RingElement) -> Entries:
    """Return the entries at the two lengths, over any ring."""
    return Entries(*(_delay(phases, a, b, s) + _delay(phases, b, a, s) for a, b in ((0, 0), (0, 1), (1, 1))))


def _delay(phases: Sequence[Phase], whose: int, by: int, s: RingElement) -> RingElement:
    """Return the mean delay of a request of length ``whose`` by one of length ``by``, over random orders, in units of 1/M."""
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
