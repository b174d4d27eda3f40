"""exp-1, exp-2, exp-3: what Section 6 says about its experiments, on lengths with its published figures.

The paper's sample is not published, so the simulated parts are only ever supported, contradicted or inconclusive.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.result import Decision, Part, Proof, Verdict
from crtools.papers.adaptive.evidence.simulated import SETUP, Setup, at_the_largest, ratio_part, setup_of, threshold
from crtools.papers.adaptive.workloads.experiments import MEMORY, SIZES
from crtools.process.comparing import Mean

PROOF = Proof("not-examined", "an experiment; the paper publishes neither its sample nor its code")
VALUES = (Fraction(1, 10), Fraction(19, 20), Fraction(99, 100))
"""The paper's x."""

LONGEST = 1000
"""The widths of intervals are compared for every o up to this."""

METHOD = "simulation; Student intervals over seeds"


def _decision(setup: Setup, parts: tuple[Part, ...]) -> Decision:
    surrogate = " (surrogate: with the published figures of the paper's sample)" if setup.law == "paper" else ""
    reading = (
        f"M = {MEMORY}, n = {SIZES[0]}, {SIZES[1]}, …, {SIZES[-1]}, lengths {setup.law}{surrogate}, {setup.step} step "
        f"time; A_min is {setup.a_min}, A_max takes requests in increasing u; mean over seeds of the ratio of average "
        "latencies on the same requests, with 95 % intervals; the paper gives no numbers, the thresholds are those in "
        "given (“deteriorates”: no longer nearly identical to its own latency at x = 0.1)"
    )
    why = "; ".join(f"{p.part}: {p.status}" for p in parts)
    return Decision((Verdict("as-stated", reading, METHOD, parts, why),), PROOF)


def decide_first(given: Given) -> Decision:
    """Decide experiment 1."""
    setup = setup_of(given)
    near, far = threshold(given, "nearly_identical"), threshold(given, "far_higher")
    return _decision(
        setup,
        (
            ratio_part(
                "A_min's average latency is nearly identical to H-SF's at every n",
                setup,
                lambda x: x.over(1, 0, x.a_min),
                0,
                near,
                "A_min",
            ),
            ratio_part(
                "A_max's average latency is far higher than H-SF's at every n",
                setup,
                lambda x: x.over(1, 0, "a-max"),
                far,
                float("inf"),
                "neither",
            ),
        ),
    )


def decide_second(given: Given) -> Decision:
    """Decide experiment 2."""
    setup = setup_of(given)
    low, high, close = (threshold(given, name) for name in ("halved_from", "halved_to", "close"))
    if low > high:
        raise InputError("halved_to", given["halved_to"], f"must be at least halved_from = {given['halved_from']}")
    return _decision(
        setup,
        (
            ratio_part(
                "A_max's average latency is nearly halved against experiment 1 at every n",
                setup,
                lambda x: x.across(x.a_max, (2, 0), (1, 0)),
                low,
                high,
                "A_max",
            ),
            ratio_part(
                "A_min's average latency is close to H-SF's at every n",
                setup,
                lambda x: x.over(2, 0, x.a_min),
                0,
                close,
                "A_min",
            ),
        ),
    )


def decide_third(given: Given) -> Decision:
    """Decide experiment 3, and its sentence on what larger x means."""
    setup = setup_of(given)
    close, worse = threshold(given, "close"), threshold(given, "deteriorates")
    sentence = _precision(given)

    def grown(x: Setup, place: int) -> dict[int, Mean]:
        return at_the_largest(x.across(x.a_max, (3, place), (3, 0)))

    parts = [
        ratio_part(
            "at x = 0.1 A_min's average latency is close to H-SF's at every n",
            setup,
            lambda x: x.over(3, 0, x.a_min),
            0,
            close,
            "A_min",
        ),
        ratio_part(
            "at x = 0.1 A_max's average latency is close to H-SF's at every n",
            setup,
            lambda x: x.over(3, 0, x.a_max),
            0,
            close,
            "A_max",
        ),
    ]
    for place, label in ((1, "0.95"), (2, "0.99")):
        beside = at_the_largest(setup.over(3, place, setup.a_min, "a-max"))
        parts += [
            ratio_part(
                f"A_max deteriorates at x = {label}, against x = 0.1, at n = {SIZES[-1]}",
                setup,
                lambda x, place=place: grown(x, place),
                worse,
                float("inf"),
                "A_max",
            ),
            ratio_part(
                f"A_min stays close to H-SF at x = {label} at every n",
                setup,
                lambda x, place=place: x.over(3, place, x.a_min),
                0,
                close,
                "A_min",
                {"A_min over A_max": {str(n): str(m) for n, m in beside.items()}},
            ),
        ]
    return _decision(setup, (*parts, sentence))


def _precision(given: Given) -> Part:
    """Whether larger (or smaller) x means narrower intervals: by exact widths, which depend on no sample."""
    direction = given["precision"].strip()
    if direction not in ("larger", "smaller"):
        raise InputError("precision", given["precision"], "must be larger or smaller")
    name = f"{direction} values of x correspond to more precise predictions"
    against: list[tuple[int, int, Fraction, Fraction]] = []
    for o in range(1, LONGEST + 1):
        for x, y in combinations(VALUES, 2):
            wider = _width(o, y) - _width(o, x)
            if wider * (1 if direction == "larger" else -1) > 0:
                against.append((abs(wider), o, x, y))
    if not against:
        sample = f"every o ≤ {LONGEST} and x in {', '.join(map(str, VALUES))}, exact"
        return Part(name, "supported", {"sample": sample, "why": "[(1−x)o, (1+x)o] has the width 2xo before rounding"})
    _, o, x, y = max(against)
    intervals = [_ends_by_counting(o, z) for z in (x, y)]
    widths = [_width(o, z) for z in (x, y)]
    if [high - low for low, high in intervals] != widths:
        raise AssertionError("two computations of a width differ")
    found = {"o": o, "x": [str(x), str(y)], "intervals": [list(pair) for pair in intervals], "widths": widths}
    exact = "exact; verdicts on experiments are at most contradicted"
    return Part(
        name,
        "contradicted",
        {"counterexample": found, "second computation": "the ends, by counting up to them", "note": exact},
    )


def _width(o: int, x: Fraction) -> int:
    return -(-(o * (x.denominator + x.numerator)) // x.denominator) - max(
        1, o * (x.denominator - x.numerator) // x.denominator
    )


def _ends_by_counting(o: int, x: Fraction) -> tuple[int, int]:
    low = max(k for k in range(1, o + 1) if k == 1 or k <= (1 - x) * o)
    high = next(k for k in range(o, 2 * o + 1) if k >= (1 + x) * o)
    return low, high


EXP_1 = Claim(
    id="exp-1",
    place="Section 6, experiment 1",
    statement="with [1,1000] for all, A_min's average latency is nearly identical to H-SF's; A_max's is far higher",
    given={"nearly_identical": "1.10", "far_higher": "2", **SETUP},
    decide=decide_first,
    corrupted=(
        Variant("A_max three times as high at every n", {"far_higher": "3"}, "A_max"),
        Variant("A_max ten times as high", {"far_higher": "10"}, "A_max"),
        Variant("A_min within 5 %", {"nearly_identical": "1.05"}, "A_min"),
        Variant("A_min within 50 %", {"nearly_identical": "1.5"}, "A_min"),
    ),
    variants=(
        Variant("A_min within a factor 2", {"nearly_identical": "2"}),
        Variant("A_max 2.5 times as high", {"far_higher": "2.5"}, "A_max"),
    ),
)

EXP_2 = Claim(
    id="exp-2",
    place="Section 6, experiment 2",
    statement="with ten buckets A_max's latency is nearly halved against experiment 1, and A_min is close to H-SF",
    given={"halved_from": "0.40", "halved_to": "0.60", "close": "1.25", **SETUP},
    decide=decide_second,
    corrupted=(
        Variant("A_min within 5 %", {"close": "1.05"}, "A_min"),
        Variant("exactly halved, within a tenth", {"halved_from": "0.45", "halved_to": "0.55"}, "A_max"),
        Variant("cut to a tenth", {"halved_from": "0.05", "halved_to": "0.15"}, "A_max"),
    ),
    variants=(
        Variant("cut to less than half", {"halved_from": "0.1", "halved_to": "0.5"}),
        Variant("A_min within a factor 1.5", {"close": "1.5"}, "A_min"),
    ),
)

EXP_3 = Claim(
    id="exp-3",
    place="Section 6, experiment 3",
    statement=(
        "at x = 0.1 both are good; at 0.95 and 0.99 A_max deteriorates and A_min stays close to H-SF; "
        "larger values of x correspond to more precise predictions"
    ),
    given={"close": "1.25", "deteriorates": "1.10", "precision": "larger", **SETUP},
    decide=decide_third,
    corrupted=(
        Variant("both within 5 %", {"close": "1.05"}, "at x = 0.1 A_min"),
        Variant("A_max half as slow again", {"deteriorates": "1.5"}, "A_max deteriorates"),
        Variant("A_max doubles", {"deteriorates": "2"}, "A_max deteriorates"),
        Variant("A_min within 40 %", {"close": "1.4"}, "A_min stays"),
    ),
    variants=(
        Variant("weaker thresholds, and the sentence turned round",
                {"close": "1.9", "deteriorates": "1.05", "precision": "smaller"}),
        Variant("smaller x", {"precision": "smaller"}, "smaller values"),
    ),
)  # fmt: skip
