"""Claims on requests that arrive over time, and on set-up costs and classes with which kills never help."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import sympy as sp

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import formula, together
from crtools.ledger.deciders.ranges import integers_from, reals
from crtools.papers.any_memory.claims.known_lengths import exact_formulas
from crtools.papers.any_memory.claims.lower_bound import given_term, with_term
from crtools.papers.any_memory.process import flow_without_kills, possible_flow
from crtools.papers.any_memory.theory import TEXT, reading_of, stated_claim, theorem
from crtools.process import simulate
from crtools.signs.ranges import Range, parameter

ONE = Fraction(1)


def where_both_are_equal(mu: Fraction, F: Fraction, p: Fraction) -> Fraction:
    """Return the set-up at which E min(w, σ + c) = E w · P(v ≤ c), by two points of a line."""
    at_zero, at_one = (sigma + F - (sigma + mu) * p for sigma in (0, 1))
    return -at_zero / (at_one - at_zero)


@stated_claim("arrivals-lower-bound")
def arrivals_lower_bound(given: Given) -> Decision:
    """Decide the bound by one machine, and the one by mean busy times with a term of each request."""
    term, name = given_term(given), "flow times by mean instants"
    remaining = given.proved(partial(theorem, "flow times at a speed"))
    means = given.evidence(with_term, name, term)
    return reading_of("arrivals-lower-bound").decision(
        ("two lower bounds on the total flow time", "requests that fill the memory take less"),
        Finding("remaining", "flow times are at least the least of one machine of speed M", remaining),
        Finding("means", f"and at least $∑(T*_i − r_i) + ∑ e_i$ with $e = {given['term']}$", means),
    )


online_without_kills = exact_formulas(
    "online-without-kills",
    integers_from(n=2),
    [{"n": n} for n in range(2, 8)],
    "the ratio to the optimum grows like n/3",
    flow=lambda n: min(flow_without_kills(n, start) for start in range(n * n)),
    best=lambda n: max(possible_flow(n, start) for start in range(n * n)),
)


def backlog(load: Fraction, most: Fraction) -> Fraction:
    """Return the requests that are unfinished per instant where each fills ``most`` of the memory, for one instant."""
    fit, instants = int(1 / most), 8
    arrive, s = int(load * fit), 5
    release = [t for t in range(instants) for _ in range(arrive)]
    run = simulate("fcfs", [1] * len(release), fit * (s + 1), s, release=release)
    return Fraction(int((run.completion_times > instants).sum()), instants)


unstable = exact_formulas(
    "unstable",
    reals(load=(1, None), most=(0, None)),
    [{"load": load, "most": Fraction(1, fit)} for load in (2, 3, 7) for fit in (1, 2, 5)],
    "at load > 1 the queue grows for ever",
    growth=backlog,
)
set_up_threshold = exact_formulas(
    "set-up-threshold",
    reals(mu=(0, None), F=(0, None), p=(0, 1)),
    None,
    "from the largest threshold on, no kill",
    threshold=where_both_are_equal,
)


def smaller_means(p: Fraction, m: Fraction, d: Fraction) -> Fraction:
    """Return the mean of the smaller class mean over all pairs of classes."""
    classes = [(Fraction(p), Fraction(m)), (1 - Fraction(p), Fraction(m + d))]
    return sum((share * other * min(x, y) for share, x in classes for other, y in classes), Fraction(0))


class_means = exact_formulas(
    "class-means",
    reals(p=(0, 1), m=(0, None), d=(0, None)),
    None,
    "run to the end, smallest class mean first",
    minima=smaller_means,
)


def smallest_wait(p: Fraction, m: Fraction, y: Fraction) -> Fraction:
    """Return the smallest t + x w(t) at the corners of the unfinished share w, with x = m + y and the other mean above it."""
    first, second = p * m, (1 - p) * (m + y + 1)
    return min((m + y) * unfinished + t for t, unfinished in ((0, 1), (first, 1 - p), (first + second, 0)))


kills_and_classes = exact_formulas(
    "kills-and-classes",
    reals(p=(0, 1), m=(0, None), y=(0, None)),
    None,
    "no kill helps, exactly by this condition",
    waits=smallest_wait,
)


def best_share(p: Fraction, v: Fraction, x: Fraction, r: Fraction = ONE, z: Fraction | None = None) -> Fraction:
    """Return the share that tries v first at which the sum over pairs of attempts, of what the first one uses, is least.

    The other class has one size z, by default v.
    """
    mean = Fraction(x + v) / p
    longer, other = (mean - p * v) / (1 - p), v if z is None else z

    def pairs(e: Fraction) -> Fraction:
        attempts = [(e, p, v), (1 - e, ONE, mean), (e, 1 - p, (1 - p) * longer), (r, ONE, other)]
        return sum((f * g * min(m * b, n * a) for f, m, a in attempts for g, n, b in attempts), Fraction(0))

    low, middle, high = (pairs(Fraction(k, 2)) for k in range(3))
    return Fraction(1, 2) + (low - high) / (4 * (low - 2 * middle + high))


def best_share_beyond(p: Fraction, v: Fraction, x: Fraction, r: Fraction) -> Fraction:
    """Return the same beside a class of size 2W."""
    return best_share(p, v, x, r, 2 * ((x + v) / Fraction(p) - p * v) / (1 - p))


def _sizes_between() -> Iterator[tuple[str, Range]]:
    """Iterate over the ranges of the other class's size z that depend on p, v and x, each with its name."""
    odds, v, x, r, part = (parameter(number, above_zero=True) for number in range(5))
    p, inside = 1 / (1 + odds), part / (1 + part)
    mean = (x + v) / p
    intervals = {"up_to_mean": (v / p, mean), "up_to_W": (mean, (mean - p * v) / (1 - p))}
    for name, (low, high) in intervals.items():
        z = sp.factor(low + (high - low) * inside)
        yield name, Range("0 < p < 1, v, x, r > 0, z between the two ends", ({"p": p, "v": v, "x": x, "r": r, "z": z},))


_POSITIVE: Any = {"v": (0, None), "x": (0, None)}
_SHARES: dict[str, tuple[Callable[..., Fraction], Range]] = {
    "up_to_v": (best_share, reals(p=(0, 1), **_POSITIVE)),
    **{name: (best_share, on) for name, on in _sizes_between()},
    "beyond_W": (best_share_beyond, reals(p=(0, 1), **_POSITIVE, r=(0, None))),
}
two_classes = together(
    *(
        formula(TEXT, "two-classes", share, finding=name, of=name, on=on, place=reading_of("two-classes").text("place"))
        for name, (share, on) in _SHARES.items()
    ),
    why="the best share to try first, in each case",
)


def largest_share(L: Fraction, c: Fraction, m: Fraction, e: Fraction) -> Fraction:
    """Return at which share of a class an attempt at c first and whole runs cost the same, beside a class of far larger mean."""
    used = c * (1 - Fraction(m) / 2)
    mean = (used + e) / Fraction(m)
    attempts, large = ((m, used), (1 - m, mean + c * (1 - m) - used)), (mean + c) / (1 - m)

    def costs(share: int) -> Fraction:
        classes = ((share, mean), (L, large))
        return sum((w * (sum(min(F, gain * g) for gain, F in attempts) - mean) for w, g in classes), Fraction(0))

    return costs(0) / (costs(0) - costs(1))


class_shares = exact_formulas(
    "class-shares",
    reals(L=(0, 1), c=(0, None), m=(0, 1), e=(0, None)),
    None,
    "the largest share that such a class has",
    most=largest_share,
)
