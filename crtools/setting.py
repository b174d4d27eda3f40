"""The setting of a form: the prompt size s and the prediction interval [l, u], or several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from operator import index
from typing import Any

from crtools.errors import InputError

LARGEST_LENGTH = 10**8
"""The largest u that a setting takes: one vector of that length is 800 MB."""

LARGEST_IN_FORMULAS = 10**15
"""The largest u where a formula gives the answer and nothing of that length is built."""

LARGEST_NUMBER = 10**8
"""Upper limit on the number of requests, for the same reason."""

WRITTEN = re.compile(r"\s*[+-]?[0-9]+\s*")
"""The accepted spelling of an integer; ``int`` accepts more, such as 1_000 and the digits of other scripts."""


def integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int in [least, most], or raise ``InputError`` with one clear line."""
    allowed = f"must be an integer ≥ {least}" if most is None else f"must be an integer from {least} to {most}"
    if isinstance(value, bool):
        raise InputError(name, value, allowed)
    if isinstance(value, Fraction) and value.denominator == 1:
        allowed += ", and not a Fraction"
    try:
        number = index(value)  # pyright: ignore[reportArgumentType] -- anything may come from outside
    except TypeError:
        raise InputError(name, repr(value) if isinstance(value, str) else value, allowed) from None
    if number < least or (most is not None and number > most):
        raise InputError(name, number, allowed)
    return number


def read_integer(text: str) -> int:
    """Return the integer that a text says in the digits 0 to 9, with nothing between them; ``ValueError`` for any other."""
    if not WRITTEN.fullmatch(text):
        raise ValueError(f"not an integer: {text!r}")
    return int(text)


def listed(name: str, values: object, allowed: str) -> list[Any]:
    """Return the items of an ordered collection, or raise ``InputError``: for text, sets, mappings and what is too long."""
    if isinstance(values, str | bytes | Mapping | Set) or not isinstance(values, Iterable):
        raise InputError(name, values, allowed)
    try:
        size = len(values) if isinstance(values, Sized) else 0
        items = list(islice(values, LARGEST_NUMBER + 1)) if size <= LARGEST_NUMBER else []
    except (TypeError, OverflowError):
        raise InputError(name, values, allowed) from None
    if max(size, len(items)) > LARGEST_NUMBER:
        raise InputError(name, "more", f"must be at most {LARGEST_NUMBER}")
    return items


@dataclass(frozen=True, init=False, repr=False)
class Setting:
    """The prompt size s and the prediction interval [l, u], or several intervals.

    Parameters
    ----------
    s : int
        Prompt size in tokens, ≥ 0.
    l, u : int
        Ends of the one prediction interval, 1 ≤ l ≤ u; l = 1 unless given.
    intervals : iterable of (int, int), optional
        Several intervals, with u_j ≤ l_{j+1} as in the paper's corollary on heterogeneous intervals.
    most : int
        The largest u that is accepted.

    Raises
    ------
    InputError
        Unless all are integers in range and the intervals are in order.

    Examples
    --------
    >>> Setting(s=0, intervals=((1, 3), (4, 6)))
    Setting(s=0, intervals=((1, 3), (4, 6)))
    >>> Setting(s=0, l=1, u=10).alpha
    Fraction(1, 10)

    Notes
    -----
    Lengths run over the whole of [l_1, u_m]. A shared end u_j = l_{j+1} belongs to the later interval, as in Algorithm
    "Revised A_min", which starts a request at the largest l_j that does not exceed its length. No request has a length in a gap.
    """

    s: int
    l: int
    u: int
    intervals: tuple[tuple[int, int], ...]

    def __init__(
        self,
        s: int = 0,
        l: int | None = None,
        u: int | None = None,
        *,
        intervals: Iterable[tuple[int, int]] | None = None,
        most: int = LARGEST_LENGTH,
    ) -> None:
        s = integer("s", s, 0)
        if intervals is None and u is None:
            raise InputError("u", u, "give u, or intervals=((l1, u1), …)")
        if intervals is not None and (l, u) != (None, None):
            raise InputError("intervals", intervals, "give either l and u or intervals, not both")
        pairs = [(1 if l is None else l, u)] if intervals is None else _pairs(intervals)
        checked: list[tuple[int, int]] = []
        for number, (low, up) in enumerate(pairs, start=1):
            mark = "" if intervals is None else f"_{number}"
            low, up = integer(f"l{mark}", low, 1, most), integer(f"u{mark}", up, 1, most)
            if checked and low < checked[-1][1]:
                raise InputError(f"l{mark}", low, f"must be at least u_{number - 1} = {checked[-1][1]}")
            if up < low:
                raise InputError(f"u{mark}", up, f"must be at least the interval's lower end l = {low}")
            checked.append((low, up))
        vars(self).update(s=s, l=checked[0][0], u=checked[-1][1], intervals=tuple(checked))

    @property
    def size(self) -> int:
        """The number of lengths u − l + 1, the order of a form's matrix."""
        return self.u - self.l + 1

    @property
    def alpha(self) -> Fraction:
        """The prediction uncertainty α = l/u."""
        return Fraction(self.l, self.u)

    @property
    def single(self) -> bool:
        """Whether there is one prediction interval."""
        return len(self.intervals) == 1

    def blocks(self) -> tuple[tuple[int, int], ...]:
        """Return the intervals with a shared end given to the later one: disjoint ranges of lengths, ends included."""
        ends = [*(low - 1 for low, _ in self.intervals[1:]), self.u]
        return tuple((low, min(up, end)) for (low, up), end in zip(self.intervals, ends, strict=True) if low <= end)

    def parts(self) -> list[Setting]:
        """Each block as a setting of its own."""
        return [Setting(self.s, low, up, most=up) for low, up in self.blocks()]

    def lengths(self) -> list[int]:
        """Return the lengths that requests can have: those of the intervals, without the gaps between them."""
        return [k for low, up in self.blocks() for k in range(low, up + 1)]

    def __repr__(self) -> str:
        if self.single:
            return f"Setting(s={self.s}, l={self.l}, u={self.u})"
        return f"Setting(s={self.s}, intervals={self.intervals})"


def _pairs(intervals: Iterable[Any]) -> list[tuple[Any, Any]]:
    allowed = "must be pairs (l, u) with u_j ≤ l_{j+1}"
    try:
        pairs = [tuple(pair) for pair in intervals]
    except TypeError:
        raise InputError("intervals", intervals, allowed) from None
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise InputError("intervals", pairs, allowed)
    return [(low, up) for low, up in pairs]
