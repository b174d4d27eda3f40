"""Evidence on the discrete process: instances, orders, schedules, totals and members of growing families, as integers."""

from __future__ import annotations

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import picked, refuted
from crtools.process import simulate
from crtools.schedule import Schedule


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
    """Return the smallest instance with a schedule that is better than H-SF's."""
    found = refuted(result, "no-better-schedule").values["smallest"]
    return picked(found, "lengths", "s", "M", "h_sf_total", "starts", "total")


def packed_random(result: ClaimResult) -> Data:
    """Return two schedules that are not in corresponding order, and one of the other reading that is not packed."""
    two, one = refuted(result, "order-passing"), refuted(result, "packed")
    passing = picked(two.values, "order", "starts", "l", "u", smaller="alpha_M")
    stopping = picked(one.values, "order", "starts", "request", "to")
    return {
        "passing": {**picked(two.witness, "lengths", "s", "M"), **passing},
        "stopping": {**picked(one.witness, "lengths", "s", "M"), **stopping},
    }


def prop_memory(result: ClaimResult) -> Data:
    """Return two schedules, and the family in which n and M grow."""
    refuted(result, "total")
    found = refuted(result, "each").values["smallest"]
    members: list[Data] = []
    for n, size in ((4, 4), (10, 10), (20, 40)):
        totals = [simulate("h-sf", [1] * n, memory, size).total_latency for memory in (2 * size + 2, 2 * size + 1)]
        members.append({"n": n, "s": size, "totals": [int(v) for v in totals]})
    example = picked(found, "lengths", "s", "M", "I", "totals", smaller="beta_M", J="I_prime")
    return {"example": {**example, "late": found["late"][0]}, "members": members}


def lem_max_random(result: ClaimResult) -> Data:
    """Return an instance with both policies' totals for every permutation, and members of a family."""
    found = refuted(result, "in-expectation")
    members: list[Data] = []
    for n, size in ((10, 1), (100, 1), (30, 5)):
        lengths, low, high = [4 * size] * n, 4 * size, 8 * size
        slow = simulate("a-max", lengths, 14 * size, size, low, high, order=range(n))
        quick = simulate("a-random", lengths, 7 * size, size, low, high, order=range(n))
        members.append({"n": n, "s": size, "totals": [int(slow.total_latency), int(quick.total_latency)]})
    totals = picked(found.actual, a_max="A_max_by_permutation", a_random="A_random_by_permutation")
    return {"example": {**picked(found.witness, "lengths", "s", "l", "u", "M"), **totals}, "members": members}


def thm_complexity(result: ClaimResult) -> Data:
    """Return how many requests wait at first and in sum, for members of the family n = M³."""
    for id in ("time-step", "whole-run"):
        refuted(result, id)
    members: list[Data] = []
    for memory in (4, 6, 8):
        count = memory**3
        run = simulate("a-min-literal", [1] * count, memory, 1, 1, 2, seed=0)
        lines = [sum(int(p) >= t for p in run.starts) for t in range(int(max(run.starts)) + 1)]
        members.append({"M": memory, "n": count, "first": lines[0], "whole": sum(line - 1 for line in lines)})
    return {"members": members}
