"""exp-1, exp-2, exp-3: what Section 6 says about its experiments, on lengths with its published figures.

The paper's sample is not published, so that findings are only ever supported, contradicted or inconclusive.
"""

from __future__ import annotations

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.evidence import FALSE
from crtools.ledger.verdict import Decision, Display, Finding, PublishedProof, Verdict
from crtools.papers.adaptive.evidence.precision import DIRECTIONS, precision
from crtools.papers.adaptive.evidence.simulated import (
    SETUP,
    Setup,
    at_the_largest,
    measured_ratio,
    setup_of,
    threshold,
)
from crtools.papers.adaptive.levels import ALGORITHM
from crtools.papers.adaptive.workloads.experiments import MEMORY, SIZES

NOTE = "an experiment; the paper publishes neither its sample nor its code"
METHOD = "simulation; Student intervals over seeds"
INFINITE = float("inf")


def _decision(setup: Setup, findings: tuple[Finding, ...], displays: tuple[Display, ...] = ()) -> Decision:
    surrogate = " (surrogate: with the published figures of the paper's sample)" if setup.law == "paper" else ""
    reading = (
        f"$M = {MEMORY}$, $n = {SIZES[0]}, {SIZES[1]}, …, {SIZES[-1]}$, lengths {setup.law}{surrogate}, {setup.step} step "
        f"time; $A_min$ is {setup.a_min}, $A_max$ takes requests in increasing $u$; mean over seeds of the ratio of average "
        "latencies on the same requests, with 95 % intervals; the paper gives no numbers, the thresholds are those in "
        "given (“deteriorates”: no longer nearly identical to its own latency at $x = 0.1$)"
    )
    verdict = Verdict(ALGORITHM, reading, _why(findings), METHOD, findings)
    short = {
        "supported": "runs on surrogate lengths agree",
        "contradicted": "runs on surrogate lengths disagree",
    }.get(verdict.status, "runs on surrogate lengths do not decide")
    false = [f.id for f in findings if f.status in FALSE]
    if false and all(id.startswith("a-min-") for id in false):
        short = "in runs $A_min$ does not stay close to H-SF"
    elif false == ["a-max-halved"]:
        short = "in runs $A_max$'s latency is not nearly halved"
    return Decision(short, (verdict,), PublishedProof(displays, note=NOTE))


def _why(findings: tuple[Finding, ...]) -> str:
    false = [f.says for f in findings if f.status in FALSE]
    open_ = [f.says for f in findings if f.status == "inconclusive"]
    if false:
        return f"runs contradict that {'; that '.join(false)}"
    return f"runs do not decide whether {'; whether '.join(open_)}" if open_ else "the runs agree with every sentence"


def decide_first(given: Given) -> Decision:
    """Decide experiment 1."""
    setup = setup_of(given)
    near, far = threshold(given, "nearly_identical"), threshold(given, "far_higher")
    return _decision(
        setup,
        (
            Finding(
                "a-min-near",
                "$A_min$'s average latency is nearly identical to H-SF's at every $n$",
                measured_ratio(setup, lambda x: x.over(1, 0, x.a_min), 0, near, "A_min"),
            ),
            Finding(
                "a-max-far",
                "$A_max$'s average latency is far higher than H-SF's at every $n$",
                measured_ratio(setup, lambda x: x.over(1, 0, "a-max"), far, INFINITE, "neither"),
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
            Finding(
                "a-max-halved",
                "$A_max$'s average latency is nearly halved against experiment 1 at every $n$",
                measured_ratio(setup, lambda x: x.across(x.a_max, (2, 0), (1, 0)), low, high, "A_max"),
            ),
            Finding(
                "a-min-close",
                "$A_min$'s average latency is close to H-SF's at every $n$",
                measured_ratio(setup, lambda x: x.over(2, 0, x.a_min), 0, close, "A_min"),
            ),
        ),
    )


def decide_third(given: Given) -> Decision:
    """Decide experiment 3, and the text's sentence on what larger x means."""
    setup = setup_of(given)
    close, worse = threshold(given, "close"), threshold(given, "deteriorates")
    direction = given["precision"].strip()
    if direction not in DIRECTIONS:
        raise InputError("precision", given["precision"], f"must be {' or '.join(DIRECTIONS)}")
    findings = [
        Finding(
            f"{name}-close-at-0-1",
            f"at $x = 0.1$ ${label}$'s average latency is close to H-SF's at every $n$",
            measured_ratio(
                setup, lambda x, name=name: x.over(3, 0, getattr(x, name.replace("-", "_"))), 0, close, label
            ),
        )
        for name, label in (("a-min", "A_min"), ("a-max", "A_max"))
    ]
    for place, id, label in ((1, "0-95", "0.95"), (2, "0-99", "0.99")):
        beside = at_the_largest(setup.over(3, place, setup.a_min, "a-max"))
        findings += [
            Finding(
                f"a-max-deteriorates-at-{id}",
                f"$A_max$ deteriorates at $x = {label}$, against $x = 0.1$, at $n = {SIZES[-1]}$",
                measured_ratio(
                    setup,
                    lambda x, place=place: at_the_largest(x.across(x.a_max, (3, place), (3, 0))),
                    worse,
                    INFINITE,
                    "A_max",
                ),
            ),
            Finding(
                f"a-min-close-at-{id}",
                f"$A_min$ stays close to H-SF at $x = {label}$ at every $n$",
                measured_ratio(
                    setup,
                    lambda x, place=place: x.over(3, place, x.a_min),
                    0,
                    close,
                    "A_min",
                    {"A_min_over_A_max": [{"n": n, "mean_ratio": str(m)} for n, m in beside.items()]},
                ),
            ),
        ]
    sentence = Display(
        "precision",
        f"Section 6, Experiment Setup, item 3: “{direction.capitalize()} values of $x$ correspond to more precise predictions”",
        precision(direction),
        "smaller values of $x$, as the results for experiment 3 say",
    )
    return _decision(setup, tuple(findings), (sentence,))


EXP_1 = Claim(
    id="exp-1",
    place="Section 6, Results for Experiment 1",
    statement="with $[1,1000]$ for all, $A_min$'s average latency is nearly identical to H-SF's; $A_max$'s is far higher",
    stated_at=ALGORITHM,
    given={"nearly_identical": "1.10", "far_higher": "2", **SETUP},
    decide=decide_first,
    corrupted=(
        Variant("A_max three times as high at every n", {"far_higher": "3"}, "a-max-far"),
        Variant("A_max ten times as high", {"far_higher": "10"}, "a-max-far"),
        Variant("A_min within 5 %", {"nearly_identical": "1.05"}, "a-min-near"),
        Variant("A_min within 50 %", {"nearly_identical": "1.5"}, "a-min-near"),
    ),
    variants=(
        Variant("A_min within a factor 2", {"nearly_identical": "2"}),
        Variant("A_max 2.5 times as high", {"far_higher": "2.5"}, "a-max-far"),
    ),
)

EXP_2 = Claim(
    id="exp-2",
    place="Section 6, Results for Experiment 2",
    statement="with ten buckets $A_max$'s latency is nearly halved against experiment 1, and $A_min$ is close to H-SF",
    stated_at=ALGORITHM,
    given={"halved_from": "0.40", "halved_to": "0.60", "close": "1.25", **SETUP},
    decide=decide_second,
    corrupted=(
        Variant("A_min within 5 %", {"close": "1.05"}, "a-min-close"),
        Variant("exactly halved, within a tenth", {"halved_from": "0.45", "halved_to": "0.55"}, "a-max-halved"),
        Variant("cut to a tenth", {"halved_from": "0.05", "halved_to": "0.15"}, "a-max-halved"),
    ),
    variants=(
        Variant("cut to less than half", {"halved_from": "0.1", "halved_to": "0.5"}),
        Variant("A_min within a factor 1.5", {"close": "1.5"}, "a-min-close"),
    ),
)

EXP_3 = Claim(
    id="exp-3",
    place="Section 6, Results for Experiment 3",
    statement="at $x = 0.1$ both are good; at 0.95 and 0.99 $A_max$ deteriorates and $A_min$ stays close to H-SF",
    stated_at=ALGORITHM,
    given={"close": "1.25", "deteriorates": "1.10", "precision": "larger", **SETUP},
    decide=decide_third,
    corrupted=(
        Variant("both within 5 %", {"close": "1.05"}, "a-min-close-at-0-1"),
        Variant("A_max half as slow again", {"deteriorates": "1.5"}, "a-max-deteriorates-at-0-95"),
        Variant("A_max doubles", {"deteriorates": "2"}, "a-max-deteriorates-at-0-99"),
        Variant("A_min within 40 %", {"close": "1.4"}, "a-min-close-at-0-99"),
    ),
    variants=(
        Variant("weaker thresholds, and the sentence turned round",
                {"close": "1.9", "deteriorates": "1.05", "precision": "smaller"}),
        Variant("smaller x", {"precision": "smaller"}, "precision"),
    ),
)  # fmt: skip
