"""Do larger x mean more precise predictions in experiment 3? By exact widths of intervals, which depend on no sample."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from crtools.ledger.agree import agree
from crtools.ledger.evidence import Certified, Evidence, Refuted
from crtools.papers.adaptive.workloads.experiments import around

DIRECTIONS = ("larger", "smaller")
VALUES = (Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))
"""The paper's x."""

LONGEST = 1000
"""The widths of intervals are compared for every o up to this."""


def precision(direction: str) -> Evidence:
    """Decide whether ``direction`` ("larger" or "smaller") values of x mean narrower intervals [(1−x)o, (1+x)o]."""
    every, sign = np.arange(1, LONGEST + 1), 1 if direction == "larger" else -1
    gaps = {(x, y): sign * (_width(every, y) - _width(every, x)) for x, y in combinations(VALUES, 2)}
    x, y = max(gaps, key=lambda pair: gaps[pair].max())
    o = int(every[gaps[x, y].argmax()])
    if gaps[x, y].max() <= 0:
        spread = [int(_width(LONGEST, z)) for z in VALUES]
        counted = [high - low for low, high in (_ends_by_counting(LONGEST, z) for z in VALUES)]
        second = agree(spread, counted, "widths of intervals")
        where = f"every $o ≤ {LONGEST}$ and $x$ in {', '.join(map(str, VALUES))}"
        return Certified({"o": LONGEST, "widths": spread}, where, {"o": LONGEST, "widths": second})
    intervals, found = [list(_ends_by_counting(o, z)) for z in (x, y)], [int(_width(o, z)) for z in (x, y)]
    widths = agree(found, [high - low for low, high in intervals], "widths of intervals")
    return Refuted(
        {"o": o, "x": [str(x), str(y)]},
        f"{direction} $x$ is more precise",
        {"widths": found},
        {"intervals": intervals, "widths": widths, "by": "counting up to the ends"},
    )


def _width(o: Any, x: Fraction) -> Any:
    """Return the widths of the intervals that experiment 3 predicts for lengths o."""
    low, high = around(x).ends(o)
    return high - low


def _ends_by_counting(o: int, x: Fraction) -> tuple[int, int]:
    low = max(k for k in range(1, o + 1) if k == 1 or k <= (1 - x) * o)
    high = next(k for k in range(o, 2 * o + 1) if k >= (1 + x) * o)
    return low, high
