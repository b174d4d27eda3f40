"""No blind policy is better: an adversary who chooses the sizes late, and laws that no policy can use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, pairwise, product
from math import inf, log

import sympy as sp

from crtools.papers.nonclairvoyant.machine import in_order, kill_and_restart, shortest_first
from crtools.papers.nonclairvoyant.theorems.classes import least_scaling, scaling_ratio
from crtools.papers.nonclairvoyant.theorems.pairs import first_wrong, optimum, pairs_total, sharing
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept

n, rho = sp.symbols("n rho", positive=True)
PREEMPTIVE = 2 - 2 / (n + 1)
RANDOMISED = 2 - 4 / (n + 3)
KILL = 3 - 2 / (n + 1)
FEWEST_FOR_KILL = 3


def shares(jobs: int) -> Iterator[tuple[int, ...]]:
    """Iterate over all ways to spend as many units of time as there are jobs on them."""
    return (parts for parts in product(range(jobs + 1), repeat=jobs) if sum(parts) == jobs)


def _adversary_fails() -> str | None:
    for jobs in range(1, 6):
        least = min(Fraction(jobs * jobs) / pairs_total(parts) for parts in shares(jobs))
        if least != 2 - Fraction(2, jobs + 1):
            return f"with {jobs} jobs the least ratio is {least}"
    return None


def preemptive() -> Theorem:
    """No deterministic blind policy has a ratio below 2 − 2/(n+1), at any n."""
    proof = Proof(
        "preemptive lower bound",
        "every $n ≥ 1$, deterministic policies that may preempt",
    )
    proof.cite(kept(optimum), kept(sharing)).argued(
        r"\sum C_j \ge n t,\quad \sum_j p_j \le t + n \varepsilon",
        "Let the policy run until t and no job end; then let every job be ε longer than it has been run.",
        test=_adversary_fails,
        tested="$n ≤ 5$, all ways to spend $n$ units of time on the jobs",
    )
    proof.identity("the optimum is at most (n+1)/2 times the sum of the sizes", n / ((n + 1) / 2), PREEMPTIVE)
    return proof.therefore(r"\sup \frac{\sum C_j}{\mathrm{OPT}} \ge 2 - \frac{2}{n+1}", "as ε → 0").qed()


SLOTS = 5


def _policies_differ() -> str | None:
    chances = {size: Fraction(1, 2 ** min(size, SLOTS)) for size in range(1, SLOTS + 2)}  # the last: longer than SLOTS
    policies: tuple[Callable[[int, int], tuple[int, int]], ...] = (
        lambda one, two: (one, one + two),  # one after the other
        lambda one, two: (min(2 * one - 1, one + two), min(2 * two, one + two)),  # in turns
    )
    for turns in range(SLOTS + 1):
        serial, shared = (
            sum(
                chances[one] * chances[two] * sum(end > turns for end in ends(one, two))
                for one, two in product(chances, repeat=2)
            )
            for ends in policies
        )
        if shared != serial:
            return f"after {turns} units of time"
    return None


def randomised() -> Theorem:
    """No blind policy, with coins or without, has a ratio below 2 − 4/(n+3), at any n."""
    proof = Proof(
        "randomised lower bound",
        "every $n ≥ 1$, policies that may preempt and use coins",
    )
    proof.cite(kept(optimum)).argued(
        r"E \sum C_j \ge \sum_{k=1}^n k = \frac{n(n+1)}{2}, \quad P(p_j > t) = e^{-t}",
        "With independent exponential sizes a job that is run ends at rate 1, whatever was run before: the next completion takes "
        "time 1 in the mean under every policy that does not idle, and no less if it does.",
        test=_policies_differ,
        tested="two jobs with geometric sizes, in turns or one after the other: the same mean number unfinished up to time 5",
    )
    proof.identity("E OPT: sizes of mean 1, and minima of mean ½", n + n * (n - 1) / 2 / 2, n * (n + 3) / 4)
    proof.identity("the quotient of the means", (n * (n + 1) / 2) / (n * (n + 3) / 4), RANDOMISED)
    return proof.therefore(
        r"\sup \frac{E \sum C_j}{\mathrm{OPT}} \ge 2 - \frac{4}{n+3}",
        "some sizes have at least the quotient of the means",
    ).qed()


def _killing_fails() -> str | None:
    for jobs in range(3, 7):
        rounds = ((job, Fraction(length)) for length in count(1) for job in range(jobs))
        ends = kill_and_restart([1] * jobs, rounds, just_above=True)
        least = min(1 + Fraction(jobs * jobs) / pairs_total(parts) for parts in shares(min(jobs, 5)))
        ratio = Fraction(sum(ends)) / sum(shortest_first([1] * jobs))
        if ratio != 3 - Fraction(2, jobs + 1) or (jobs < 6 and least != ratio):
            return f"with {jobs} jobs"
    return None


def kill() -> Theorem:
    """No deterministic strategy that restarts what it stops has a ratio below 3 − 2/(n+1), or n for one or two jobs."""
    proof = Proof(
        "kill-and-restart lower bound",
        "every $n ≥ 1$, deterministic kill-and-restart strategies",
        r"\sup \frac{\sum C_j}{\mathrm{OPT}} \ge \min\Bigl(n, 3 - \frac{2}{n+1}\Bigr),\text{ the second from } n = 3 \text{ on}",
    )
    proof.cite(kept(optimum), kept(sharing)).argued(
        r"\sum C_j \ge n t + \mathrm{OPT}, \quad \sum_j p_j \le t + n \varepsilon",
        "Let no job end before a kill, at t; then let every job be ε longer than any of its attempts so far. All start again at t, "
        "which costs OPT from there on. A strategy that never kills while no job ends has all jobs wait for one.",
        test=_killing_fails,
        tested="$n ≤ 6$: trying each job for one unit, then to its end; all ways to spend $n$ units of time",
    )
    proof.nonnegative(
        "without a kill: one job of size R, all others of size ε, ratio n", n - KILL, (n, FEWEST_FOR_KILL)
    )
    proof.identity("the optimum is at most (n+1)/2 times the sum of the sizes", 1 + n / ((n + 1) / 2), KILL)
    return proof.therefore(
        r"\sup \frac{\sum C_j}{\mathrm{OPT}} \ge \min\Bigl(n, 3 - \frac{2}{n+1}\Bigr)", "as ε → 0"
    ).qed()


def to_their_ends() -> Theorem:
    """Jobs that are run to their ends in any order cost at most n times the optimum."""
    proof = Proof("jobs to their ends", "every $n ≥ 1$", r"\sum C_j \le n\,\mathrm{OPT}")
    return proof.argued(
        r"\sum C_j \le n \sum_j p_j \le n\,\mathrm{OPT}",
        "Jobs are run to their ends in any order: none completes later than all of them.",
        test=lambda: first_wrong(lambda sizes: sum(in_order(sizes, range(len(sizes)))) <= len(sizes) * sum(sizes)),
        tested="all jobs with $n ≤ 4$ and sizes up to 3",
    ).qed()


def without_a_kill() -> Theorem:
    """Deterministic strategies reach min(n, 1 + 3√3): jobs to their ends in any order, or b-scaling with b = 3."""
    proof = Proof("few jobs", "every $n ≥ 1$").cite(kept(to_their_ends), kept(scaling_ratio), kept(least_scaling))
    return proof.therefore(r"\sum C_j \le \min(n, 1 + 3\sqrt3)\,\mathrm{OPT}").qed()


def few() -> Theorem:
    """With one or two jobs the best ratio of these strategies is n itself."""
    proof = Proof("one or two jobs", "$n = 1$ and $n = 2$").cite(kept(kill), kept(to_their_ends))
    for jobs, more in ((1, sp.Integer(1)), (2, sp.Rational(1, 3))):
        proof.identity(f"at n = {jobs} the other bound is more", KILL.subs(n, jobs) - jobs, more)
    return proof.therefore(r"\inf \sup \frac{\sum C_j}{\mathrm{OPT}} = n").qed()


def _fluid_area(root: float, steps: int) -> float:
    """Return the area under the share unfinished when all jobs are tried with the lengths root^2k, k ≤ steps, in the limit."""
    levels = [root**k for k in range(steps + 1)]
    now = area = 0.0
    for one, two in pairwise(levels):
        work = 2 * two - one
        gain = 1 / one - (0 if two == levels[-1] else 1 / two)
        area += gain * (now + work / 2)
        now += work
    return area


def _area_too_small() -> str | None:
    """Strategies that go through the lengths together stay above the bound, and not by a quarter."""
    least_rho, quotient = 2.72837, inf
    for root in (2.2, 2.6, 2.8, 3.0, 3.7):
        steps = int(600 / log(root))  # ln √R is 600
        bound, area = least_rho * (steps * log(root) - 1 - log(2 * least_rho)), _fluid_area(root, steps)
        quotient = min(quotient, area / bound)
        if area < bound:
            return f"trying all jobs with the lengths {root}^2k"
    return None if quotient < 1.25 else "the bound is far below every strategy that was looked at"


def own_lower() -> Theorem:
    """No kill-and-restart strategy, with coins or without, has a ratio below ρ* as n → ∞."""
    r, v, x, y, first, second = sp.symbols("r v x y A B", positive=True)
    statement = r"\sup \frac{E \sum C_j}{\mathrm{OPT}} \ge \rho^* = \min_{y > 1} \frac{(y-1)(2y-1)}{y \ln^2 y}"
    proof = Proof(
        "no strategy is better than ρ*",
        "all kill-and-restart strategies, with coins; sizes with $P(p > t) = t^{−1/2}$ on $[1, R]$, the rest at $R$; $n → ∞$, then $R → ∞$",
        statement,
    )
    proof.cite(kept(optimum))
    proof.integral(
        "an attempt of length c after one of length c', r = √c', √c = r y: ∫ P(p > t) dt from c' to c, with v = √t",
        2,
        (v, r, r * y),
        2 * r * (y - 1),
    )
    proof.identity("so its mean work is F = c'/r + 2r(y − 1)", r**2 / r + 2 * r * (y - 1), r * (2 * y - 1))
    proof.identity(
        "it succeeds with probability g = 1/r − 1/(ry), or more if it is the last: g F",
        (1 / r - 1 / (r * y)) * r * (2 * y - 1),
        (y - 1) * (2 * y - 1) / y,
    )
    proof.therefore(r"g F \ge \rho^* \ln^2 y", name="definition")
    proof.nonnegative(
        "a price ρ*/t per unit of work at t, 1 ≤ t ≤ 2ρ*√R: g t + ρ*F/t ≥ 2√(ρ* g F) ≥ 2ρ* ln y",
        first**2 + second**2 - 2 * first * second,
        (first, 0),
        (second, 0),
        squares=(first - second,),
    )
    proof.nonnegative("a price ρ* before: F ≥ 2y − 1 ≥ 2(y − 1) ≥ 2 ln y", 2 * y - 1 - 2 * (y - 1), (y, 1))
    proof.identity(
        "no price after: g t ≥ g 2ρ* r y = 2ρ*(y − 1) ≥ 2ρ* ln y, as r y ≤ √R",
        (1 / r - 1 / (r * y)) * 2 * rho * r * y,
        2 * rho * (y - 1),
    )
    proof.argued(
        r"E C_j / n \ge \sum_k E\,2\rho^* \ln y_k - \int w = \rho^* \ln R - \rho^* (1 + \ln(2\rho^* \sqrt R))",
        "Time is counted in units of n, and an attempt lasts no time as n → ∞. Given all else, step k of a job that is not done costs "
        "at least r times 2ρ* ln y_k, in time and price; a job is not done with probability 1/r, so the mean of the sum over the "
        "steps is 2ρ* ln √R, however they are chosen. The machine does one unit of work in a unit of time, so that all prices paid "
        "are at most n ∫ w.",
        test=_area_too_small,
        tested="strategies that try all jobs with lengths $q^{2k}$, $q$ from 2.2 to 3.7, in the fluid limit",
    )
    proof.integral(
        "E min(p, p') = ∫ P(p > t)² dt = 1 + ln R; of a size, ∫ P(p > t) dt with v = √t, up to x = √R",
        2,
        (v, 1, x),
        2 * (x - 1),
    )
    return proof.therefore(
        r"\frac{E \sum C_j}{E\,\mathrm{OPT}} \ge \rho^*\,\frac{\ln R - 2 - 2 \ln(2 \rho^*)}{1 + \ln R} \to \rho^*",
        "E OPT is n²(1 + ln R)/2 up to a term in n",
    ).qed()
