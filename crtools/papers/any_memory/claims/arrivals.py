"""Claims on requests that arrive over time, and on set-up costs and classes with which kills never help."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from crtools.ledger import Decision, Finding, Given
from crtools.ledger.claims import claim, decision, formula, verdict
from crtools.ledger.deciders.ranges import integers_from, reals
from crtools.papers.any_memory.claims.known_lengths import described, exact_totals
from crtools.papers.any_memory.claims.lower_bound import PLACE, given_term, with_term
from crtools.papers.any_memory.theory import TEXT, theorem
from crtools.papers.any_memory.trials import least_flow, possible_flow
from crtools.papers.beyond.levels import ALGORITHM
from crtools.process import simulate


def where_both_are_equal(mu: Fraction, F: Fraction, p: Fraction) -> Fraction:
    """Return the set-up at which E min(w, σ + c) = E w · P(v ≤ c), by two points of a line."""
    at_zero, at_one = (sigma + F - (sigma + mu) * p for sigma in (0, 1))
    return -at_zero / (at_one - at_zero)


@claim(
    "arrivals-lower-bound",
    ALGORITHM,
    f"{PLACE}, arrivals",
    "flow times are at least the least of one machine of speed M, and $∑(T*_i − r_i) + ∑ e_i$",
    rests_on=["lower-bound"],
)
def arrivals_lower_bound(given: Given) -> Decision:
    """Decide the bound by one machine, and the one by mean busy times with a term of each request."""
    term, name = given_term(given), "flow times by mean instants"
    remaining = given.proved(partial(theorem, "flow times at a speed"))
    means = given.evidence(with_term, name, term)
    return decision(
        verdict(
            ALGORITHM,
            "every $n$ and $M$, integer release times, all prompts and lengths; every schedule, with kills or without",
            "tokens as work of a machine of speed M",
            ("tokens are work of a machine of speed M", "requests that fill the memory take less"),
            Finding("remaining", "flow times are at least the least of one machine of speed M", remaining),
            Finding("means", f"and at least $∑(T*_i − r_i) + ∑ e_i$ with $e = {given['term']}$", means),
        )
    )


online_without_kills = exact_totals(
    "online-without-kills",
    integers_from(n=2),
    [{"n": n} for n in range(2, 8)],
    "arrivals",
    "others arrive once the first has started",
    flow=lambda n: min(least_flow(n, start) for start in range(n * n)),
    best=lambda n: max(possible_flow(n, start) for start in range(n * n)),
)


def backlog(load: Fraction, most: Fraction) -> Fraction:
    """Return the requests that are unfinished per instant where each fills ``most`` of the memory, for one instant."""
    fit, instants = int(1 / most), 8
    arrive, s = int(load * fit), 5
    release = [t for t in range(instants) for _ in range(arrive)]
    run = simulate("fcfs", [1] * len(release), fit * (s + 1), s, release=release)
    return Fraction(int((run.completion_times > instants).sum()), instants)


unstable = described(
    "an instant holds at most M tokens",
    formula(
        TEXT,
        "unstable",
        backlog,
        on=reals(load=(1, None), most=(0, None)),
        points=[{"load": load, "most": Fraction(1, fit)} for load in (2, 3, 7) for fit in (1, 2, 5)],
        place=f"{PLACE}, arrivals",
    ),
)
set_up_threshold = described(
    "the condition is linear in the set-up",
    formula(
        TEXT,
        "set-up-threshold",
        where_both_are_equal,
        on=reals(mu=(0, None), F=(0, None), p=(0, 1)),
        place=f"{PLACE}, set-up costs",
    ),
)


def smaller_means(p: Fraction, m: Fraction, d: Fraction) -> Fraction:
    """Return the mean of the smaller class mean over all pairs of classes."""
    classes = [(Fraction(p), Fraction(m)), (1 - Fraction(p), Fraction(m + d))]
    return sum((share * other * min(x, y) for share, x in classes for other, y in classes), Fraction(0))


class_means = described(
    "attempts use their gain times the mean",
    formula(
        TEXT, "class-means", smaller_means, on=reals(p=(0, 1), m=(0, None), d=(0, None)), place=f"{PLACE}, classes"
    ),
)


def least_wait(p: Fraction, m: Fraction, y: Fraction) -> Fraction:
    """Return the least of t + x w(t) at the corners of the unfinished share w, with x = m + y and the other mean above it."""
    first, second = p * m, (1 - p) * (m + y + 1)
    return min((m + y) * left + t for t, left in ((0, 1), (first, 1 - p), (first + second, 0)))


kills_and_classes = described(
    "w falls at the classes' rates: convex",
    formula(
        TEXT, "kills-and-classes", least_wait, on=reals(p=(0, 1), m=(0, None), y=(0, None)), place=f"{PLACE}, classes"
    ),
)


def best_share(p: Fraction, v: Fraction, x: Fraction, r: Fraction) -> Fraction:
    """Return where the sum over pairs of attempts, of what is used first, is least in the share that tries v first."""
    mean = Fraction(x + v) / p
    W = (mean - p * v) / (1 - p)

    def pairs(e: Fraction) -> Fraction:
        stages = [(e, p, v), (1 - e, 1, mean), (e, 1 - p, (1 - p) * W), (r, 1, W)]
        ends = list(enumerate(stages))
        return sum(
            (f * g * stages[min(i, j)][2] * stages[max(i, j)][1] for i, (f, *_) in ends for j, (g, *_) in ends),
            Fraction(0),
        )

    low, middle, high = (pairs(Fraction(k, 2)) for k in range(3))
    return Fraction(1, 2) + (low - high) / (4 * (low - 2 * middle + high))


two_classes = described(
    "a convex quadratic form in the share",
    formula(
        TEXT,
        "two-classes",
        best_share,
        on=reals(p=(0, 1), v=(0, None), x=(0, None), r=(0, None)),
        place=f"{PLACE}, classes",
    ),
)

CLAIMS = (
    arrivals_lower_bound,
    online_without_kills,
    unstable,
    set_up_threshold,
    class_means,
    kills_and_classes,
    two_classes,
)
