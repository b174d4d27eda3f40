"""Evidence on the discrete process: instances, orders, schedules and totals, as integers."""

from __future__ import annotations

import sympy as sp

from crtools.certificates.document import Data
from crtools.certificates.steps import same, sign
from crtools.expressions import evaluate, formula
from crtools.ledger.result import ClaimResult
from crtools.papers.adaptive.certificates.parts import evidence
from crtools.process import simulate
from crtools.schedule import Schedule

s, h, o, p, r, x, M = sp.symbols("s h o p r x M")


def tel_identity(result: ClaimResult) -> Data:
    """Return the two contributions of one request."""
    del result
    return {"steps": [same("one request", "p o", p + o)]}


def infeasible_pair(result: ClaimResult) -> Data:
    """Return by how much the memory is exceeded when the first job ends."""
    _, use = formula("use", result.given["use"], {"M": M})
    return {"steps": [sign("use at its end", ((r, result.given["remaining"]),), use + r - M)]}


def holds_more(result: ClaimResult) -> Data:
    """Return the tokens of a request of age x."""
    del result
    return {"steps": [sign("use", ((s, 0), (x, 0)), s + x, ">=")]}


def ex_amax(result: ClaimResult) -> Data:
    """Return both policies' starts on Example 1."""
    del result
    quick, slow = (simulate(name, [1] * 5, 10, 1, 1, 4, order=range(5)) for name in ("h-sf", "a-max"))
    latencies = [int(start) + 1 for start in slow.starts]
    return {
        "h_sf_starts": [int(start) for start in quick.starts],
        "a_max_starts": [int(start) for start in slow.starts],
        "latencies": latencies,
        "totals": [int(quick.total_latency), int(slow.total_latency)],
        "batch": latencies.count(1),
    }


def ex_order(result: ClaimResult) -> Data:
    """Return the three schedules and their totals."""
    plans = [[int(v) for v in result.given[name].split(",")] for name in ("i1", "i2", "i3")]
    return {"schedules": plans, "totals": [Schedule(tuple(row), (1, 2, 3, 4), 1).total_latency for row in plans]}


def hsf_lower(result: ClaimResult) -> Data:
    """Return an instance and a schedule that is better than H-SF's."""
    found = evidence(result, "as-stated", "no schedule")
    instance = found["counterexample"]
    return {
        "lengths": instance["lengths"],
        "s": instance["s"],
        "M": instance["M"],
        "h_sf_total": found["H-SF's total"],
        "starts": found["starts of a better schedule"],
        "total": found["its total"],
    }


def packed_random(result: ClaimResult) -> Data:
    """Return a schedule that is not packed, and two that are not in corresponding order."""
    one = evidence(result, "as-stated", "a-random's schedules are optimally packed")
    two = evidence(result, "as-stated", "corresponding order, where a queue passes over")
    instance, other = one["counterexample"], two["counterexample"]
    return {
        "stopping": {
            **{key: instance[key] for key in ("lengths", "s", "M")},
            "order": one["order"],
            "starts": one["starts"],
            "request": one["request that could move"],
            "to": one["to"],
        },
        "passing": {
            **{key: other[key] for key in ("lengths", "s", "M")},
            "smaller": two["smaller memory"],
            "order": two["order"],
            "starts": two["starts"],
        },
    }


def prop_memory(result: ClaimResult) -> Data:
    """Return two schedules, and the family in which n and M grow."""
    found = evidence(result, "as-stated", "TEL(I')")
    late = evidence(result, "as-stated", "L_i'")
    instance = found["counterexample"]
    members: list[Data] = []
    for n, size in ((4, 4), (10, 10), (20, 40)):
        totals = [simulate("h-sf", [1] * n, memory, size).total_latency for memory in (2 * size + 2, 2 * size + 1)]
        members.append({"n": n, "s": size, "totals": [int(v) for v in totals]})
    gap = (2 * h + 1) * (2 * s + 1) - (h + 1) * (2 * s + 2)
    return {
        "example": {
            **{key: instance[key] for key in ("lengths", "s", "M")},
            "smaller": found["smaller memory βM"],
            "I": found["I"],
            "I'": found["I'"],
            "totals": found["TEL(I), TEL(I')"],
            "late": late["late requests"][0],
        },
        "steps": [sign("family", ((h, 1), (s, 1)), gap)],
        "members": members,
    }


def lem_max_random(result: ClaimResult) -> Data:
    """Return an instance with both policies' totals for every permutation, and members of a family."""
    found = evidence(result, "as-stated", "in expectation")
    instance = found["counterexample"]
    members: list[Data] = []
    for n, size in ((10, 1), (100, 1), (30, 5)):
        lengths, low, high = [4 * size] * n, 4 * size, 8 * size
        slow = simulate("a-max", lengths, 14 * size, size, low, high, order=range(n))
        quick = simulate("a-random", lengths, 7 * size, size, low, high, order=range(n))
        members.append({"n": n, "s": size, "totals": [int(slow.total_latency), int(quick.total_latency)]})
    return {
        "example": {
            **{key: instance[key] for key in ("lengths", "s", "l", "u", "M")},
            "a_max": found["A_max's totals, by permutation"],
            "a_random": found["A_random's totals at αM"],
        },
        "members": members,
    }


def amin_derivation(result: ClaimResult) -> Data:
    """Return a setting, a period and a length at which the display's two coefficients differ."""
    found = evidence(result, "as-stated", "E[τ_k]")["counterexample"]
    tree, _ = formula(
        "tau", result.given["tau"], dict(zip(("delta", "s", "i", "k"), sp.symbols("d s i k"), strict=True))
    )
    size, low, up = (int(found[key]) for key in ("s", "l", "u"))
    for period in range(low, up + 1):
        for length in range(period, up + 1):
            delta = size + low if period == low else 1
            right = evaluate(tree, {"delta": delta, "s": size, "i": length, "k": period})
            if f"x_{length} n/M in E[τ_{period}]" in found["where"] and str(right) == found["right"]:
                where = {"s": size, "l": low, "u": up, "period": period, "length": length}
                return {**where, "left": found["left"], "right": found["right"]}
    raise LookupError("the display's counterexample is not a coefficient")
