"""Classics of online algorithms: a ledger of twelve claims. What the judge cannot do is here, in plain Python."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import factorial
from pathlib import Path

from crtools import Enclosure
from crtools.ledger.claims import Text, bound, formula, ledger, theorem, together
from crtools.ledger.deciders.ranges import constant, integers_from

# ---- ski rental ---------------------------------------------------------------------------------------------------


def best_day(b):
    """Return the least worst ratio of a day on which to buy."""
    seasons = range(1, 3 * b + 2)
    return min(max(Fraction(d if d < i else i - 1 + b, min(d, b)) for d in seasons) for i in range(1, 2 * b + 2))


def best_coins(b):
    """Return the ratio of the distribution that makes all seasons of up to b days equal, from the equations themselves."""
    weights = [Fraction(1)]
    for _ in range(b - 1):  # the cost of a season grows by the same from one to the next: p_(i+1) (b - 1) = p_i b
        weights.append(weights[-1] * b / (b - 1))
    one_day = sum(weights[1:], weights[0] * b)
    return one_day / sum(weights)


def e_between():
    low = sum((Fraction(1, factorial(k)) for k in range(30)), Fraction(0))
    return low, low + Fraction(1, factorial(29))


def at_infinity():
    low, high = e_between()
    return Enclosure(high / (high - 1), low / (low - 1))


def near_e():
    low, high = e_between()
    wrong = [
        b
        for b in range(2, 61)
        if not 0 <= 1 - high * (1 - Fraction(1, b)) ** b <= 1 - low * (1 - Fraction(1, b)) ** b <= Fraction(1, b)
    ]
    return f"b = {wrong[0]}" if wrong else None


# ---- machines -----------------------------------------------------------------------------------------------------


def scheduled(jobs, m):
    """Return which machine each job of a list goes to, and when the last one ends."""
    loads, machine = [0] * m, []
    for size in jobs:
        machine.append(loads.index(min(loads)))
        loads[machine[-1]] += size
    return machine, max(loads)


def optimum(jobs, m):
    """Return the best machines of the jobs, and when the last one ends there."""

    def ends(machine):
        return max(sum(size for size, own in zip(jobs, machine, strict=True) if own == i) for i in range(m))

    best = min(product(range(m), repeat=len(jobs)), key=ends)
    return list(best), ends(best)


def of_ones(m):
    return Fraction(scheduled([1] * (m * (m - 1)) + [m], m)[1], m)


def of_pairs(m):
    return Fraction(scheduled(sorted([*range(m + 1, 2 * m), *range(m, 2 * m), m, m], reverse=True), m)[1], 3 * m)


def ends_by():
    for m, n in product((2, 3), range(1, 6)):
        for jobs in product(range(1, 4), repeat=n):
            end, best = scheduled(jobs, m)[1], optimum(jobs, m)[1]
            if end > max(Fraction(sum(jobs) - p, m) + p for p in jobs) or best < max(max(jobs), Fraction(sum(jobs), m)):
                return f"m = {m}, jobs {jobs}"
    return None


def two_each():
    for m, n in product((2, 3), range(1, 7)):
        for jobs in combinations_with_replacement((6, 5, 4), n):
            best = optimum(jobs, m)[1]
            if 3 * min(jobs) > best and scheduled(jobs, m)[1] != best:
                return f"m = {m}, jobs {jobs}"
    return None


def place(m):
    jobs = [1] * (m * (m - 1)) + [m]
    return {
        "m": m,
        "jobs": jobs,
        "machine": scheduled(jobs, m)[0],
        "other": [n % (m - 1) for n in range(m * (m - 1))] + [m - 1],
    }


def ratio_of_lists(m, jobs, machine, other):
    best = max(sum(size for size, own in zip(jobs, other, strict=True) if own == i) for i in range(m))
    return Fraction(scheduled(jobs, m)[1], best)


# ---- lists, pages, candidates -------------------------------------------------------------------------------------


def last_asked_for(n):
    """Return n over the mean place of an item in all orders of a list."""
    places = [order.index(0) + 1 for order in permutations(range(n))]
    return n / Fraction(sum(places), len(places))


def front_against(n):
    """Return front's cost over that of the best fixed list, where front's last item is asked for n times each in turn."""
    front, asked, cost = list(range(n)), [], 0
    for _ in range(n * n):
        asked.append(front[-1])
        cost += n
        front.insert(0, front.pop())
    by_number = sorted(range(n), key=asked.count, reverse=True)
    return Fraction(cost, sum(by_number.index(item) + 1 for item in asked))


def cycle(k):
    """Return LRU's faults over the optimum's, where k + 1 pages are asked for in turn, after both are full."""
    asked = [n % (k + 1) for n in range(k + 2 * k * (k + 1))]
    lru, best, recent, cache = 0, 0, list(range(k)), set(range(k))
    for at, page in enumerate(asked[k:], start=k):
        lru += page not in recent
        recent = [*(own for own in recent if own != page), page][-k:]
        if page not in cache:
            best += 1
            later = asked[at + 1 :] + list(range(k + 1))
            cache = {page, *sorted(cache, key=later.index)[: k - 1]}
    return Fraction(lru, best)


def faults_of_a_phase(k):
    """Return the mean length of a phase over k + 1, state by state from its end."""
    length = Fraction(0)
    for new in range(1, k + 1):  # with `new` pages left: 1 + (k + 1 - new)/(k + 1) of the same, and the rest
        length += 1 / (1 - Fraction(k + 1 - new, k + 1))
    return length / (k + 1)


def best_is_taken(r, n):
    """Return the share of orders of n candidates in which the best one is taken; for many candidates step by step."""
    if n > 6:
        return sum((Fraction(1, k) * Fraction(r, k - 1) * Fraction(k, n) for k in range(r + 1, n + 1)), Fraction(0))
    orders = list(permutations(range(n)))
    taken = [next((x for x in order[r:] if x > max(order[:r])), -1) for order in orders]
    return Fraction(taken.count(n - 1), len(orders))


TEXT = Text(Path(__file__).with_name("classics.txt"), {"near_e": near_e, "ends_by": ends_by, "two_each": two_each})
TWO_ON, MACHINES, KEPT = integers_from(b=2), integers_from(m=1), integers_from(k=1)
LEDGER = ledger(
    TEXT,
    together(
        formula(TEXT, "ski-rental", best_day, on=integers_from(b=1), finding="upper", corrupted=["2-1/(b+1)"]),
        formula(TEXT, "ski-rental", best_day, on=integers_from(b=1), finding="lower"),
    ),
    together(
        formula(TEXT, "ski-rental-random", best_coins, on=TWO_ON, finding="upper", corrupted=["1/(1-(1-1/b)**(b-1))"]),
        formula(TEXT, "ski-rental-random", best_coins, on=TWO_ON, finding="lower"),
    ),
    formula(TEXT, "ski-rental-limit", at_infinity, on=constant(), corrupted=["exp(1)/(exp(1)-1) + 1e-9", "1.582"]),
    together(
        formula(TEXT, "list-scheduling", of_ones, on=MACHINES, finding="upper", corrupted=["2-1/(m+1)", "2-1/m-1e-9"]),
        formula(TEXT, "list-scheduling", of_ones, on=MACHINES, finding="lower"),
    ),
    together(
        formula(TEXT, "longest-first", of_pairs, on=MACHINES, finding="upper", corrupted=["4/3-1/(2*m)", "4/3"]),
        formula(TEXT, "longest-first", of_pairs, on=MACHINES, finding="lower"),
    ),
    bound(TEXT, "three-halves", ratio_of_lists, map(place, (2, 3, 4)), theorem="the last job", repair="2",
          corrupted=["1.74"], variants=["2"]),
    bound(TEXT, "move-to-front", front_against, [{"n": n} for n in range(2, 7)], second=lambda n: Fraction(2 * n, n + 1),
          corrupted=["3/2"], variants=["5/2"]),
    formula(TEXT, "list-update", last_asked_for, on=integers_from(n=1), points=[{"n": n} for n in range(1, 7)],
            corrupted=["2-1/(n+1)"]),
    together(
        formula(TEXT, "lru", cycle, on=KEPT, finding="upper", corrupted=["k-1/100", "k+1"]),
        formula(TEXT, "lru", cycle, on=KEPT, finding="lower"),
    ),
    formula(TEXT, "marking", faults_of_a_phase, on=KEPT, corrupted=["sum(1/j, j, 1, k+1)", "log(k)+1"]),
    formula(TEXT, "secretary", best_is_taken, on=integers_from(r=1, n="r"),
            corrupted=["r/n*sum(1/k, k, r, n)", "r/n*sum(1/k, k, r+1, n-1)"]),
    theorem(TEXT, "threshold"),
    title="Classics of online algorithms", source="textbooks",
)  # fmt: skip
