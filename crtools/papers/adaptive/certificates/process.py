"""Evidence on the discrete process: instances, orders, schedules and totals, as integers."""

from __future__ import annotations

from crtools.certificates.document import Data
from crtools.ledger.verdict import ClaimResult
from crtools.papers.adaptive.certificates.parts import refuted
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
    return {key: found[key] for key in ("lengths", "s", "M", "h_sf_total", "starts", "total")}


def packed_random(result: ClaimResult) -> Data:
    """Return a schedule that is not packed, and two that are not in corresponding order."""
    one, two = refuted(result, "packed"), refuted(result, "order-passing")
    return {
        "stopping": {
            **{key: one.witness[key] for key in ("lengths", "s", "M")},
            **{key: one.values[key] for key in ("order", "starts", "request", "to")},
        },
        "passing": {
            **{key: two.witness[key] for key in ("lengths", "s", "M")},
            "smaller": two.values["smaller_memory"],
            **{key: two.values[key] for key in ("order", "starts")},
        },
    }


def prop_memory(result: ClaimResult) -> Data:
    """Return two schedules, and the family in which n and M grow."""
    refuted(result, "total")
    found = refuted(result, "each").values["smallest"]
    members: list[Data] = []
    for n, size in ((4, 4), (10, 10), (20, 40)):
        totals = [simulate("h-sf", [1] * n, memory, size).total_latency for memory in (2 * size + 2, 2 * size + 1)]
        members.append({"n": n, "s": size, "totals": [int(v) for v in totals]})
    return {
        "example": {
            **{key: found[key] for key in ("lengths", "s", "M", "I", "totals")},
            "smaller": found["beta_M"],
            "J": found["I_prime"],
            "late": found["late"][0],
        },
        "members": members,
    }


def lem_max_random(result: ClaimResult) -> Data:
    """Return an instance with both policies' totals for every permutation, and members of a family."""
    found = refuted(result, "in-expectation")
    members: list[Data] = []
    for n, size in ((10, 1), (100, 1), (30, 5)):
        lengths, low, high = [4 * size] * n, 4 * size, 8 * size
        slow = simulate("a-max", lengths, 14 * size, size, low, high, order=range(n))
        quick = simulate("a-random", lengths, 7 * size, size, low, high, order=range(n))
        members.append({"n": n, "s": size, "totals": [int(slow.total_latency), int(quick.total_latency)]})
    return {
        "example": {
            **{key: found.witness[key] for key in ("lengths", "s", "l", "u", "M")},
            "a_max": found.actual["A_max_by_permutation"],
            "a_random": found.actual["A_random_by_permutation"],
        },
        "members": members,
    }
