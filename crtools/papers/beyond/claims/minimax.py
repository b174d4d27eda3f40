"""The least ratio to the optimum of a blind policy: rho-star, blind-lower and blind-upper; on one interval and for every law.

It is ρ*, the minimum of a function. On one interval of lengths: blind-finite, minimax-closes, minimax-always. One policy for every
law: best-uniform.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from math import log, sqrt

import numpy as np
import sympy as sp

from check.best import proved_by_price
from crtools.blind.dual_price import DualPrice, find_price
from crtools.blind.mixture import Mixture
from crtools.blind.rho_star import cost, least_cost, limit_bound
from crtools.blind.worst_law import Closed, closed
from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, ball, decimal, ends
from crtools.errors import InputError, NotCertified
from crtools.expressions import number
from crtools.ledger import Certified, Decision, Evidence, Finding, Given, Measured, Open, Refuted, Verdict
from crtools.ledger.claims import decision, verdict
from crtools.ledger.deciders.bounds import Side, rounded
from crtools.ledger.evidence import agree, by_theorem, records
from crtools.papers.adaptive.evidence.reading import whole
from crtools.papers.beyond import computed
from crtools.papers.beyond.claims.best_blind import by_the_checker, in_floats, positive_number, refuted_by
from crtools.papers.beyond.theory import ALGORITHM, MACHINE, constant, reading_of, stated_claim, theorem
from crtools.papers.nonclairvoyant import literal
from crtools.papers.nonclairvoyant.theory import theorem as nonclairvoyant
from crtools.proof.theorem import Theorem
from crtools.schedule import volume

# ---- the number -----------------------------------------------------------------------------------------------------

DIGITS = (10, 40, 160, 640)
"""Numbers of digits of ρ* with which a bound is compared in turn."""


def by_mpmath() -> Enclosure:
    """Return an interval of width 2·10⁻¹⁰ around the minimum that mpmath finds, by the derivative of the cost itself."""
    import mpmath

    with mpmath.workdps(32):
        ratio = lambda y: (2 * y - 3 + 1 / y) / mpmath.log(y) ** 2  # noqa: E731
        minimiser = mpmath.findroot(lambda y: mpmath.diff(ratio, y), 3.7)
        minimum = Fraction(str(mpmath.nstr(ratio(minimiser), 22)))
    error = Fraction(1, 10**10)
    return Enclosure(minimum - error, minimum + error, "a root of the slope, in mpmath")


def bracket_of_y(digits: int) -> dict[str, str]:
    """Return two numbers with ``digits`` decimals between which the minimum is attained."""
    low, high = least_cost(digits + 10).y.decimals(digits)
    return {"low": str(Fraction(low)), "high": str(Fraction(high))}


def bound_evidence(bound: Fraction, side: str) -> Evidence:
    """Decide whether ρ* is at least (at most) the bound."""
    minimum = next((cost for cost in map(least_cost, DIGITS) if bound not in cost.value), None)
    if minimum is None:
        return Open(f"{DIGITS[-1]} digits of ρ* do not tell it from the bound")
    low, high = minimum.value.decimals(14)
    second = agree(minimum.value, by_mpmath(), "the least cost")
    values = {"y": minimum.y.decimals(14), "base": minimum.base.decimals(14), **bracket_of_y(20)}
    if (bound < minimum.value.lower) == (side == "at least"):
        return Certified([low, high], f"{side} {bound}", str(second), values)
    witness = {"y": minimum.y.decimals(14)[0]}
    return Refuted(witness, f"{side} {bound}", f"between {low} and {high}", str(second), values=values)


@stated_claim("rho-star")
def rho_star(given: Given) -> Decision:
    """Decide both bounds, and that the one stationary point is the minimum."""
    low, high = (number(name, given[name]) for name in ("lower", "upper"))
    stationary = given.proved(partial(nonclairvoyant, "one stationary point"))
    return reading_of("rho-star").decision(
        (f"between {given['lower']} and {given['upper']}", "the number is on the other side"),
        Finding("minimum", "the one stationary point is the minimum", stationary),
        Finding("at-least", f"$ρ⋆ ≥ {given['lower']}$", bound_evidence(low, "at least")),
        Finding("at-most", f"$ρ⋆ ≤ {given['upper']}$", bound_evidence(high, "at most")),
    )


# ---- the lower bound ------------------------------------------------------------------------------------------------

AT_BEST, IN_PROCESS = "own offsets at b = y*²", "own offsets in the process(less_than_the_best_base)"
BEST = {
    MACHINE: ((AT_BEST,), "at every n and for all sizes"),
    ALGORITHM: ((IN_PROCESS, AT_BEST), "it is a limit, uniformly in the lengths"),
}
"""The theorems that own offsets have at most ρ*, and for which n they hold."""

LOWER = {MACHINE: "no blind policy is better, on one machine", ALGORITHM: "no blind policy is better, in the process"}
"""The theorem that no blind policy has less."""


def best(level: str) -> tuple[Theorem, ...]:
    """Return the theorems that own offsets pay at most ρ*."""
    return tuple(map(theorem, BEST[level][0]))


def roots() -> dict[str, str]:
    """Return numbers a little below √2 and √(1 − 1/ρ*), with which the judge compares the loss of ln R with the claim's constant."""
    squares = {"root": ball(2), "d": ball(1 - 1 / least_cost(20).value.lower)}
    below = {name: Fraction(decimal(ends(square.sqrt())[0], 5, up=False)) for name, square in squares.items()}
    return {name: str(value) for name, value in below.items()}


def own_offsets_do_better(bound: Fraction, level: str) -> Refuted | None:
    """Return the refutation of a lower bound above ρ* by own offsets at the best base; None if the bound is not above."""
    minimum, proofs = least_cost(40), best(level)
    if bound <= minimum.value.upper or not all(proof.holds for proof in proofs):
        return None
    witness, actual = {"policy": "own offsets", "base": minimum.base.decimals(12)[0]}, minimum.value.decimals(12)[1]
    second = str(by_mpmath())
    return Refuted(witness, f"at least {bound}", f"at most {actual}", second, BEST[level][1], records(*proofs))


def at_least(bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio is at least the bound: by the price, or by own offsets, which stay below it."""
    rho_star = least_cost(40).value
    if bound <= rho_star.lower:
        return by_theorem(theorem(LOWER[level]), values={**bracket_of_y(8), **roots()})
    within = Open("the bound is within the digits of ρ*", {"rho_star": str(rho_star)})
    return own_offsets_do_better(bound, level) or within


def finite(loss: Fraction) -> Evidence:
    """Decide whether the ratio is at least ρ* (ln R − c)/(1 + ln R) for every R: not where one attempt per job does better."""
    if loss >= computed.CONSTANT:
        return by_theorem(theorem(LOWER[MACHINE]), values={**bracket_of_y(8), **roots()})
    root = Fraction(68, 25)  # √R near ρ*, where 2√R − 1 is furthest below ρ* ln R
    claimed = ends(ball(least_cost(20).value.lower) * (2 * ball(root).log() - ball(loss)))[0]
    if claimed > 2 * root - 1:
        square = float(root**2)
        says = f"{float(claimed):.6f} for twice the total over n²"
        second = f"{2 * sqrt(square) - 1:.6f}, against {2.7283724 * (log(square) - float(loss)):.6f}"
        stays = "it is the limit n → ∞ of jobs that are run to their ends in any order"
        return Refuted({"R": str(root**2), "plan": "no kill"}, says, str(2 * root - 1), second, stays)
    return Open(f"the price gives the constant {computed.constant()}, one attempt per job excludes less than 0.374")


@stated_claim("blind-lower")
def blind_lower(given: Given) -> Decision:
    """Decide the bound on one machine and in the process, and how much is lost for finite R."""
    bound, loss = number("bound", given["bound"]), number("constant", given["constant"])
    least = f"$ρ⋆(ln R − {given['constant']})/(1 + ln R)$"
    loses = f"for sizes with $P(v > t) = t^{{−1/2}}$ up to $R$ it is at least {least}"
    says = f"no blind policy has a ratio to the optimum below {given['bound']}"
    findings = {level: [Finding("bound", says, at_least(bound, level))] for level in LOWER}
    findings[MACHINE].append(Finding("finite", loses, finite(loss)))
    why = ("no blind ratio to the optimum is below ρ*", "own random offsets or one attempt do better")
    read, open_ = reading_of("blind-lower"), "between what is proved and what is refuted"
    return decision(*(read.reasoned(level, why, *row, undecided=open_) for level, row in findings.items()))


# ---- the upper bound ------------------------------------------------------------------------------------------------

LAW = {
    MACHINE: ("P(v > t) = 1/sqrt(t) up to R", "for every policy, and as n → ∞"),
    ALGORITHM: ("P(o > k) = sqrt(v(a)/v(k)) up to v(u) = R v(a), a large", "for every policy; n → ∞, M → ∞, a → ∞"),
}
"""The distribution under which every blind policy has ρ* in the limit, and for which limits."""


def at_base(base: Fraction, bound: Fraction, level: str) -> tuple[Theorem, ...]:
    """Return the theorems that own offsets of a base have at most the bound."""
    machine = theorem("own offsets at a given base", base=constant(base), bound=constant(bound))
    return (machine,) if level == MACHINE else (theorem("own offsets in the process", base=constant(base)), machine)


def at_most(bound: Fraction, base: Fraction | None, level: str) -> Evidence:
    """Decide whether own offsets at the base (None: the best) have ratio at most the bound."""
    minimum = least_cost(40).value
    if bound < minimum.lower:
        return below_rho_star(bound, level)
    bracket = bracket_of_y(8)
    if base is None:
        within = "the bound is within the digits of ρ*"
        return by_theorem(*best(level), values=bracket) if bound >= minimum.upper else Open(within)
    proved = by_theorem(*at_base(base, bound, level), values=bracket)
    return (level == MACHINE and proved.status != "proved" and _more_at(base, bound)) or proved


def _more_at(base: Fraction, bound: Fraction) -> Refuted | None:
    """Return the refutation of the bound at this base, if own offsets have more as n → ∞; else None."""
    root = sp.sqrt(sp.Rational(str(base)))
    exact = enclose(cost(root, sp.log(root)), {}, 25)
    if exact.lower <= bound or not nonclairvoyant("own offsets").holds:
        return None
    second = agree(exact, literal.with_own_offsets(base), "what own offsets have")
    return Refuted(
        {"base": str(base), "law": "P(v > t) = 1/sqrt(t) up to R"},
        f"at most {bound}",
        f"{exact.decimals(12)[0]} in the limit",
        str(second),
        "as n → ∞ and R → ∞",
        records(nonclairvoyant("own offsets")),
    )


def below_rho_star(bound: Fraction, level: str) -> Evidence:
    """Return the refutation of a bound below ρ*: a distribution under which every blind policy has more."""
    (law, stays), lower, lost = LAW[level], least_cost(40).value.lower, computed.CONSTANT
    log_ratio = max(Fraction(10), (bound + lost * lower) / (lower - bound) + 1)
    exact = lower * (log_ratio - lost) / (1 + log_ratio)
    return Refuted(
        {"law": law, "log_R": str(log_ratio.limit_denominator(10**6))},
        f"at most {bound}",
        f"at least {float(exact):.9f} in the limit",
        f"{float(ends(limit_bound(log_ratio))[0]):.9f}, from the price itself in balls",
        stays,
        records(theorem(LOWER[level])),
    )


def offset_base(text: str) -> Fraction | None:
    """Return the base that a claim is given, None for the best."""
    if text.strip() == "best":
        return None
    base = number("base", text)
    if not Fraction(3, 2) <= base <= 1000:
        raise InputError("base", text, "must be best, or a number from 3/2 to 1000")
    return base


@stated_claim("blind-upper")
def blind_upper(given: Given) -> Decision:
    """Decide the ratio at the given base and at the best one."""
    bound, base = number("bound", given["bound"]), offset_base(given["base"])
    at_given_base = f"with own offsets of base {given['base']} the ratio is at most {given['bound']}"
    at_best_base = f"at the best base it is at most {given['bound']}"
    read = reading_of("blind-upper")
    levels = [
        read.reasoned(
            level,
            (f"own offsets: within {given['bound']} of the optimum", "own offsets, or every blind policy, have more"),
            Finding("given-base", at_given_base, given.evidence(at_most, bound, base, level)),
            Finding("best-base", at_best_base, given.evidence(at_most, bound, None, level)),
            undecided="at this base the symbol is above the bound",
        )
        for level in LOWER
    ]
    return decision(*levels)


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


@stated_claim("best-uniform")
def best_uniform(given: Given) -> Decision:
    """Decide whether one policy is best under every law."""
    says = f"one policy has at most {given['factor']} times $V(x)$ under every law x, uniformly"
    method = "a part of the requests shows the law; what a mixture pays is continuous in it"
    why = ("one policy has $V(x)$ under every law x", "false for equal sizes")
    levels: list[Verdict] = []
    for level, names in ONE_POLICY.items():
        finding = Finding("ratio", says, given.evidence(uniformly, positive_number(given), level))
        levels.append(verdict(level, theorem(names[0]).reading, method, why, finding))
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


def bounded(given: Mapping[str, str], bound: Fraction, side: Side) -> Evidence:
    """Decide whether no blind policy has less than the bound under some distribution on the interval, or some policy has at most it.

    ``side``: "at least", or "at most" the bound under every distribution.
    """
    minimax = on_interval(given)
    low, high, worst = minimax.value.lower, minimax.value.upper, under_every_law(minimax.mixture)
    lower, upper = f"at least {decimal(low, 12, up=False)}", f"at most {decimal(high, 12, up=True)}"
    if side == "at least":
        is_refuted, is_proved = bound > high, bound <= low
    else:
        is_refuted, is_proved = bound < low, bound >= high
    if is_refuted:
        witness = {"law": {str(o): str(w) for o, w in minimax.weights.items()}}
        return Refuted(witness, f"{side} {bound}", upper if side == "at least" else lower, worst, "as n → ∞")
    if not is_proved:
        return Open("the bound is within the digits that were found")
    agree(abs(worst - float(high)) < 1e-7, True, "the mixture under every law")
    by_price = float(agree(by_the_checker(minimax.mixture)[0], low, "what the price proves"))
    plans, count = minimax.mixture.plans, minimax.u - minimax.l
    where = f"s = {minimax.s}, lengths {minimax.l} to {minimax.u}, a mixture of {len(plans)} plans"
    kills = [[int(k + 1 in plan) for k in range(count)] for plan in plans]
    values = {"weights": [*minimax.mixture.requests.weights], "shares": [*minimax.mixture.weights], "kills": kills}
    proved, second = (lower, by_price) if side == "at least" else (upper, worst)
    return Certified(proved, where, second, values)


GOOD = "good under every law"


@stated_claim("minimax-closes")
def minimax_closes(given: Given) -> Decision:
    """Decide both sides, on one machine and in the process."""
    lower, upper = number("lower", given["lower"]), number("upper", given["upper"])
    rows = (
        (MACHINE, "a price for a law", (GOOD,)),
        (ALGORITHM, "a price for a law in the process", (GOOD, "a mixture in the process")),
    )
    below = given.evidence(bounded, given, lower, "at least")
    above = given.evidence(bounded, given, upper, "at most")
    read = reading_of("minimax-closes", **given)
    levels = [
        read.reasoned(
            level,
            ("to the optimum: both bounds meet", "the other bound excludes it"),
            Finding("below", f"no blind policy is below {given['lower']}", below),
            Finding("above", f"one is within {given['upper']} under every law", above),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, price))),
            Finding("every-law", "$ρD − N$ bounds a mixture", by_theorem(*map(theorem, mixture))),
            undecided="within the digits that were found",
        )
        for level, price, mixture in rows
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


@stated_claim("minimax-always", given={"factor": "1"})
def minimax_always(given: Given) -> Decision:
    """Try intervals."""
    gap = f"the mixture of the worst law is within {given['factor']} times its V under every law, on every interval"
    return reading_of("minimax-always").decision(
        ("every interval that was tried closes", "some interval does not close"),
        Finding("closes", gap, given.evidence(closing, positive_number(given))),
    )


# ---- a lower bound on one interval, by a price ----------------------------------------------------------------------

LARGEST = 10_000

_price = cache(partial(find_price, most_lengths=24, times=30))
"""Prices with so few lengths and times that a certificate can be read."""


def prices(s: int, l: int, u: int) -> Iterator[DualPrice]:
    """Yield prices for the interval and for parts of it, whose largest length is divided by 10 each time."""
    yield _price(s, l, u)
    while (u := u // 10) > l:
        yield _price(s, l, u)


def to_their_ends(price: DualPrice, u: int, bound: Fraction) -> Refuted | None:
    """Return the refutation by running jobs to their ends in random order, whose ratio is at most ½(1 + √(v(u)/v(l))); else None."""
    smallest, largest = volume(price.s, price.lengths[0]), volume(price.s, u)
    if (2 * bound - 1) ** 2 <= Fraction(largest, smallest) or bound < 1 or not nonclairvoyant("a random order").holds:
        return None
    actual = decimal((1 + ends(ball(Fraction(largest, smallest)).sqrt())[1]) / 2, 10, up=True)
    second = str(literal.random_order(Fraction(smallest, largest))) if smallest < largest else "all jobs are equal"
    witness = {"policy": "a random order, no kill", "sizes": f"from {smallest} to {largest}"}
    stays, theorems = "at every n, and for all sizes", records(nonclairvoyant("a random order"))
    return Refuted(witness, f"at least {bound}", f"at most {actual}", second, stays, theorems)


def at_least_on_interval(s: int, l: int, u: int, bound: Fraction, level: str) -> Evidence:
    """Decide whether every blind policy's ratio to the optimum is at least the bound, on the interval."""
    for price in prices(s, l, u):
        if bound <= max(Fraction(1), price.check()):
            return _by_price(price)
    price = _price(s, l, u)
    if level == MACHINE and (refuted := to_their_ends(price, u, bound)) is not None:
        return refuted
    tried = f"the prices that were found prove {rounded(max(Fraction(1), price.check()), 6)}, own offsets have at most 2.7284"
    return own_offsets_do_better(bound, level) or Open(tried)


def _by_price(price: DualPrice) -> Certified:
    """Return the bound of the price, confirmed by other code."""
    bound = max(Fraction(1), price.check())
    sizes = [volume(price.s, o) for o in price.lengths]
    second = max(1.0, float(proved_by_price(sizes, price.tails, price.times, price.prices)))
    agree(abs(second - float(bound)) < 1e-6, True, "what the price proves")
    where = f"s = {price.s}, {len(price.lengths)} lengths up to {price.lengths[-1]}, {len(price.times)} times"
    rows = {name: [*map(str, getattr(price, name))] for name in ("tails", "times", "prices")}
    values = {"lengths": [*price.lengths], **rows, "ratio": str(price.check())}
    return Certified(f"at least {rounded(bound, 12)}", where, second, values)


@stated_claim("blind-finite")
def blind_finite(given: Given) -> Decision:
    """Decide the bound for sizes on one machine, and in the process."""
    bound, s = number("bound", given["bound"]), whole("s", given["s"], 0, LARGEST)
    l = whole("l", given["l"], 1, LARGEST)
    u = whole("u", given["u"], l, LARGEST)
    says = f"no blind policy has a ratio to the optimum below {given['bound']}"
    rows = ((MACHINE, "weak duality on one machine"), (ALGORITHM, "weak duality in the process"))
    read = reading_of("blind-finite", **given)
    levels = [
        read.reasoned(
            level,
            ("no blind ratio to the optimum is smaller", "own random offsets, or jobs run to their ends, do better"),
            Finding("bound", says, given.evidence(at_least_on_interval, s, l, u, bound, level)),
            Finding("duality", "a price bounds every policy", given.proved(partial(theorem, duality))),
            undecided="no price shows it",
        )
        for level, duality in rows
    ]
    return decision(*levels)
