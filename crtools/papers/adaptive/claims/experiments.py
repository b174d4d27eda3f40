"""exp-1, exp-2 and exp-3: what Section 6 says about its experiments, and its sentence on what larger x means.

The intervals that are run are those of ``EXPERIMENTS[3]`` in ``crtools/papers/adaptive/workloads/experiments.py``. The claims have no
certificate, so ``check/adaptive.txt`` does not state their findings.
"""

from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from crtools.errors import InputError
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Refuted, agree
from crtools.numeric_types import IntArray
from crtools.papers.adaptive.evidence import experiments
from crtools.papers.adaptive.evidence.experiments import SETUP, Setup, at_the_largest, measured_ratio, setup_of
from crtools.papers.adaptive.evidence.reading import one_of, positive
from crtools.papers.adaptive.theory import stated_claim
from crtools.papers.adaptive.workloads.experiments import SIZES, around


@stated_claim("exp-1", given={"nearly_identical": "1.10", "far_higher": "2", **SETUP})
def exp_1(given: Given) -> Decision:
    """Decide experiment 1."""
    setup = setup_of(given)
    nearly_identical, far_higher = positive(given, "nearly_identical"), positive(given, "far_higher")
    near = measured_ratio(setup, lambda x: x.over(1, 0, x.a_min), 0, nearly_identical)
    far = measured_ratio(setup, lambda x: x.over(1, 0, "a-max"), far_higher, inf)
    findings = (
        Finding("a-min-near", "$A_min$'s average latency is nearly identical to H-SF's at every $n$", near),
        Finding("a-max-far", "$A_max$'s average latency is far higher than H-SF's at every $n$", far),
    )
    return experiments.decision(experiments.reading("exp-1", setup), findings)


@stated_claim("exp-2", given={"halved_from": "0.40", "halved_to": "0.60", "close": "1.25", **SETUP})
def exp_2(given: Given) -> Decision:
    """Decide experiment 2."""
    setup = setup_of(given)
    low, high, close = (positive(given, name) for name in ("halved_from", "halved_to", "close"))
    if low > high:
        raise InputError("halved_to", given["halved_to"], f"must be at least halved_from = {given['halved_from']}")
    halved = measured_ratio(setup, lambda x: x.across(x.a_max, (2, 0), (1, 0)), low, high)
    near = measured_ratio(setup, lambda x: x.over(2, 0, x.a_min), 0, close)
    says = "$A_max$'s average latency is nearly halved against experiment 1 at every $n$"
    findings = (
        Finding("a-max-halved", says, halved),
        Finding("a-min-close", "$A_min$'s average latency is close to H-SF's at every $n$", near),
    )
    return experiments.decision(experiments.reading("exp-2", setup), findings)


@stated_claim("exp-3", given={"close": "1.25", "deteriorates": "1.10", "precision": "larger", **SETUP})
def exp_3(given: Given) -> Decision:
    """Decide experiment 3, and the text's sentence on what larger x means."""
    setup = setup_of(given)
    close, worse = positive(given, "close"), positive(given, "deteriorates")
    direction = one_of(given, "precision", DIRECTIONS)
    says = "at $x = 0.1$ ${}$'s average latency is close to H-SF's at every $n$"
    a_min = measured_ratio(setup, lambda x: x.over(3, 0, x.a_min), 0, close)
    a_max = measured_ratio(setup, lambda x: x.over(3, 0, x.a_max), 0, close)
    findings = (
        Finding("a-min-close-at-0-1", says.format("A_min"), a_min),
        Finding("a-max-close-at-0-1", says.format("A_max"), a_max),
        *_imprecise(setup, 1, "0.95", close, worse),
        *_imprecise(setup, 2, "0.99", close, worse),
    )
    read = experiments.reading("exp-3", setup, direction=direction.capitalize())
    return experiments.decision(read, findings, precision=precision(direction))


def _imprecise(setup: Setup, index: int, x: str, close: Fraction, worse: Fraction) -> tuple[Finding, Finding]:
    """Return the findings at ``x``, which has this ``index`` in ``EXPERIMENTS[3]``: A_max deteriorates, A_min stays close."""
    a_max = measured_ratio(setup, lambda runs: at_the_largest(runs.across(runs.a_max, (3, index), (3, 0))), worse, inf)
    against = at_the_largest(setup.over(3, index, setup.a_min, "a-max"))
    values = {"A_min_over_A_max": [{"n": n, "mean_ratio": str(m)} for n, m in against.items()]}
    a_min = measured_ratio(setup, lambda chosen: chosen.over(3, index, chosen.a_min), 0, close, values)
    at = x.replace(".", "-")
    says = f"$A_max$ deteriorates at $x = {x}$, against $x = 0.1$, at $n = {SIZES[-1]}$"
    return (
        Finding(f"a-max-deteriorates-at-{at}", says, a_max),
        Finding(f"a-min-close-at-{at}", f"$A_min$ stays close to H-SF at $x = {x}$ at every $n$", a_min),
    )


# ---- Do larger x mean more precise predictions in experiment 3? By exact widths of intervals, which depend on no sample

DIRECTIONS = ("larger", "smaller")
VALUES = (Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))
"""The paper's x, in the order of ``EXPERIMENTS[3]``."""

LONGEST = 1000
"""The widths of intervals are compared for every o up to this."""


def precision(direction: str) -> Evidence:
    """Decide whether ``direction`` ("larger" or "smaller") values of x mean narrower intervals [(1−x)o, (1+x)o]."""
    every, sign = np.arange(1, LONGEST + 1), 1 if direction == "larger" else -1
    gaps = {(x, y): sign * (_width(every, y) - _width(every, x)) for x, y in combinations(VALUES, 2)}
    worst = max(gaps, key=lambda pair: gaps[pair].max())
    holds = gaps[worst].max() <= 0
    o, shown = (LONGEST, VALUES) if holds else (int(every[gaps[worst].argmax()]), worst)
    intervals = [list(_ends_by_counting(o, x)) for x in shown]
    widths = agree([int(_width(o, x)) for x in shown], [high - low for low, high in intervals], "widths of intervals")
    if holds:
        where = f"every $o ≤ {LONGEST}$ and $x$ in {', '.join(map(str, VALUES))}"
        return Certified({"o": o, "widths": widths}, where, {"o": o, "widths": widths})
    return Refuted(
        {"o": o, "x": [*map(str, shown)]},
        f"{direction} $x$ is more precise",
        {"widths": widths},
        {"intervals": intervals, "widths": widths, "by": "counting up to the ends"},
    )


def _width(o: Any, x: Fraction) -> IntArray:
    """Return the widths of the intervals that experiment 3 predicts for lengths o."""
    low, high = around(x).intervals(o)
    return high - low


def _ends_by_counting(o: int, x: Fraction) -> tuple[int, int]:
    low = max(k for k in range(1, o + 1) if k == 1 or k <= (1 - x) * o)
    high = next(k for k in range(o, 2 * o + 1) if k >= (1 + x) * o)
    return low, high
