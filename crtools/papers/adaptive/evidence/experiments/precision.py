"""Do larger x mean more precise predictions in experiment 3? By exact widths of intervals, which depend on no sample."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Certified, Evidence, Refuted

DIRECTIONS = ("larger", "smaller")
VALUES = (Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))
"""The paper's x."""

LONGEST = 1000
"""The widths of intervals are compared for every o up to this."""


def precision(direction: str) -> Evidence:
    """Decide whether ``direction`` ("larger" or "smaller") values of x mean narrower intervals [(1−x)o, (1+x)o]."""
    sign = 1 if direction == "larger" else -1
    gaps = {
        (o, x, y): sign * (_width(o, y) - _width(o, x))
        for o in range(1, LONGEST + 1)
        for x, y in combinations(VALUES, 2)
    }
    o, x, y = max(gaps, key=lambda place: gaps[place])
    if gaps[o, x, y] <= 0:
        spread = [_width(LONGEST, z) for z in VALUES]
        second = agree(spread, [_counted_width(LONGEST, z) for z in VALUES], "widths of intervals")
        where = f"every $o ≤ {LONGEST}$ and $x$ in {', '.join(map(str, VALUES))}"
        return Certified({"o": LONGEST, "widths": spread}, where, {"o": LONGEST, "widths": second})
    intervals = [list(_ends_by_counting(o, z)) for z in (x, y)]
    widths = agree([_width(o, x), _width(o, y)], [high - low for low, high in intervals], "widths of intervals")
    return Refuted(
        {"o": o, "x": [str(x), str(y)]},
        f"{direction} $x$ is more precise",
        {"widths": [_width(o, x), _width(o, y)]},
        {"intervals": intervals, "widths": widths, "by": "counting up to the ends"},
    )


def _counted_width(o: int, x: Fraction) -> int:
    low, high = _ends_by_counting(o, x)
    return high - low


def _width(o: int, x: Fraction) -> int:
    return -(-(o * (x.denominator + x.numerator)) // x.denominator) - max(
        1, o * (x.denominator - x.numerator) // x.denominator
    )


def _ends_by_counting(o: int, x: Fraction) -> tuple[int, int]:
    low = max(k for k in range(1, o + 1) if k == 1 or k <= (1 - x) * o)
    high = next(k for k in range(o, 2 * o + 1) if k >= (1 + x) * o)
    return low, high
