"""best-uniform, minimax-closes, minimax-always: one policy for every law, and the worst law on an interval."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial

import numpy as np

from crtools.blind.mixture import Mixture
from crtools.blind.worst_law import Closed, closed
from crtools.enclosure import decimal
from crtools.errors import NotCertified
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Open, Refuted, by_theorem
from crtools.ledger.agreement import agree
from crtools.ledger.claims import claim, decision, decision_at, verdict
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.beyond.claims.best_blind import PAGE, by_the_checker, in_floats, positive_number, refuted_by
from crtools.papers.beyond.levels import ALGORITHM, MACHINE
from crtools.papers.beyond.theory import theorem

# ---- one policy for every law -----------------------------------------------------------------------------------

ONE_POLICY = {
    MACHINE: ("one policy for all laws",),
    ALGORITHM: ("one policy for all laws in the process", "a price for a law in the process"),
}


def uniformly(factor: Fraction, level: str) -> Evidence:
    """Decide whether one policy has at most factor · V(x) under every distribution; equal sizes refute a factor below 1."""
    if factor >= 1:
        return by_theorem(*map(theorem, ONE_POLICY[level]))
    law = {Fraction(1): Fraction(1)}
    return refuted_by(law, f"at most {factor}", "at least 1: it is the optimum's", in_floats(law))


@claim(
    "best-uniform",
    MACHINE,
    f"{PAGE}, one policy for every law",
    "one policy, which knows $n$, $M$, $s$, $ℓ$ and $u$ and nothing else of the lengths, has at most $V(x)$ times the optimum "
    "under every law x in the limit, and no blind policy has a limit below $V(x)$",
    rests_on=["best-value"],
)
def best_uniform(given: Given) -> Decision:
    """Decide whether one policy is best under every law."""
    says = f"one policy has at most {given['factor']} times $V(x)$ under every law x, uniformly"
    levels = [
        verdict(
            level,
            theorem(names[0]).reading,
            "a part of the requests shows the law; what a mixture pays is continuous in it",
            ("one policy has $V(x)$ under every law x", "false for equal sizes"),
            Finding("ratio", says, given.evidence(uniformly, positive_number(given), level)),
        )
        for level, names in ONE_POLICY.items()
    ]
    return decision(*levels)


# ---- the worst law on an interval -------------------------------------------------------------------------------

LARGEST_COUNT = 24
"""Upper limit on the lengths of a claim's interval."""


_closed = cache(closed)


def on_interval(given: Mapping[str, str]) -> Closed:
    """Return the minimax ratio on the interval of a claim."""
    s, l = whole("s", given["s"], 0, 1000), whole("l", given["l"], 1, 1000)
    return _closed(s, l, whole("u", given["u"], l, l + LARGEST_COUNT - 1))


def under_every_law(mixture: Mixture) -> float:
    """Return the largest ratio of the mixture, in its order, under any weights of any sign: an eigenvalue in floats."""
    from scipy.linalg import eigh

    v = np.array([0.0, *mixture.requests.sizes]) / mixture.requests.sizes[-1]
    count, total = len(v) - 1, float(sum(mixture.weights))
    cost, unfinished = np.zeros((count, count)), np.ones(count)
    positions = np.arange(1, count + 1)
    for stage in mixture.stages:
        share = stage.flow / total
        after = unfinished - share * ((positions > stage.after) & (positions <= stage.until))
        cost += np.outer(share * np.minimum(v[1:], v[stage.until]) * (positions > stage.after), unfinished + after)
        unfinished = after
    return float(eigh((cost + cost.T) / 2, np.minimum.outer(v[1:], v[1:]), eigvals_only=True)[-1])


def below(given: Mapping[str, str], bound: Fraction) -> Evidence:
    """Decide whether no blind policy has less than the bound under some distribution on the interval."""
    minimax = on_interval(given)
    if bound <= minimax.value.lower:
        second = float(agree(by_the_checker(minimax.mixture)[0], minimax.value.lower, "what the price proves"))
        return _certified(minimax, f"at least {decimal(minimax.value.lower, 12, up=False)}", second)
    if bound > minimax.value.upper:
        return _refuted(minimax, f"at least {bound}", f"at most {decimal(minimax.value.upper, 12, up=True)}")
    return Open("the bound is within the digits that were found")


def above(given: Mapping[str, str], bound: Fraction) -> Evidence:
    """Decide whether some blind policy has at most the bound under every distribution on the interval."""
    minimax = on_interval(given)
    if bound >= minimax.value.upper:
        second = under_every_law(minimax.mixture)
        agree(abs(second - float(minimax.value.upper)) < 1e-7, True, "the mixture under every law")
        return _certified(minimax, f"at most {decimal(minimax.value.upper, 12, up=True)}", second)
    if bound < minimax.value.lower:
        return _refuted(minimax, f"at most {bound}", f"at least {decimal(minimax.value.lower, 12, up=False)}")
    return Open("the bound is within the digits that were found")


def _certified(minimax: Closed, what: str, second: float) -> Certified:
    where = f"s = {minimax.s}, lengths {minimax.l} to {minimax.u}, a mixture of {len(minimax.mixture.plans)} plans"
    count = minimax.u - minimax.l
    kills = [[int(k + 1 in plan) for k in range(count)] for plan in minimax.mixture.plans]
    values = {"weights": [*minimax.mixture.requests.weights], "shares": [*minimax.mixture.weights], "kills": kills}
    return Certified(what, where, second, values)


def _refuted(minimax: Closed, claimed: str, actual: str) -> Refuted:
    witness = {"law": {str(o): str(w) for o, w in minimax.weights.items()}}
    return Refuted(witness, claimed, actual, under_every_law(minimax.mixture), "as n → ∞")


@claim(
    "minimax-closes",
    MACHINE,
    "docs/beyond/minimax.md, the minimax on an interval",
    "with lengths in $[1, 10]$ and $s = 0$ the least ratio to the optimum of a blind policy under every law is $1.96214365…$",
    rests_on=["best-value"],
)
def minimax_closes(given: Given) -> Decision:
    """Decide both sides, on one machine and in the process."""
    lower, upper = number("lower", given["lower"]), number("upper", given["upper"])
    rows = (
        (MACHINE, "sizes $v(o) = so + o(o+1)/2$, $n → ∞$", ("a price for a law",), ("good under every law",)),
        (
            ALGORITHM,
            "$n → ∞$, then $M → ∞$",
            ("a price for a law in the process",),
            ("good under every law", "a mixture in the process"),
        ),
    )
    levels = [
        verdict(
            level,
            f"$s = {given['s']}$, lengths $o$ in $[{given['l']}, {given['u']}]$, {limit}; against the optimum",
            "a law with its price below, a mixture with ρD − N positive definite above, in fractions",
            ("to the optimum: both bounds meet", "the other bound excludes it"),
            Finding("below", f"no blind policy is below {given['lower']}", given.evidence(below, given, lower)),
            Finding("above", f"one is within {given['upper']} under every law", given.evidence(above, given, upper)),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, price[0]))),
            Finding("every-law", "$ρD − N$ bounds a mixture", by_theorem(*map(theorem, mixture))),
            undecided="within the digits that were found",
        )
        for level, limit, price, mixture in rows
    ]
    return decision(*levels)


# ---- what is only observed --------------------------------------------------------------------------------------

INTERVALS = ((0, 1, 2), (0, 1, 4), (0, 1, 8), (0, 1, 16), (0, 5, 12), (0, 20, 30), (3, 1, 6), (20, 1, 10), (50, 10, 20))
"""s, l and u."""


def closing(factor: Fraction) -> Evidence:
    """Try intervals: is the mixture at the worst law within factor · V + 10⁻⁸ under every law?"""
    worst, at = 0.0, ""
    for s, l, u in INTERVALS:
        try:
            value = _closed(s, l, u).value
        except NotCertified:
            return Measured(False, f"s = {s}, [{l}, {u}]", "no gap was closed there", {})
        gap = float(value.upper - factor * value.lower)
        if gap > worst:
            worst, at = gap, f"s = {s}, [{l}, {u}]"
    sample = f"{len(INTERVALS)} intervals of up to {max(u - l for _, l, u in INTERVALS) + 1} lengths"
    return Measured(worst <= 1e-8, sample, f"the largest gap is {worst:.1e}, at {at}", {"gap": worst})


@claim(
    "minimax-always",
    MACHINE,
    "docs/beyond/minimax.md, the minimax on an interval",
    "on every interval of lengths the best mixture of the worst law is as good under every other law: both sides meet",
    given={"factor": "1"},
    rests_on=["minimax-closes"],
)
def minimax_always(given: Given) -> Decision:
    """Try intervals."""
    gap = f"the mixture of the worst law is within {given['factor']} times its V under every law, on every interval"
    return decision_at(
        MACHINE,
        "every $s ≥ 0$ and $1 ≤ l ≤ u$; as n → ∞, against the optimum; nothing of it is proved",
        "intervals closed in fractions",
        ("every interval that was tried closes", "some interval does not close"),
        Finding("closes", gap, given.evidence(closing, positive_number(given))),
    )
