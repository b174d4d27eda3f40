"""Paced policies: the form of their attempts' volumes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from crtools.discovery import discover
from crtools.discovery.measurements import PacedAttempts
from crtools.papers.beyond.one_machine import attempts
from crtools.papers.beyond.policies import A_OFFSET
from crtools.process import Policy
from crtools.process.instance import for_policy, make_instance
from crtools.schedule import volume

SHORTEST = Policy("paced-shortest", lambda r: r.length, lambda r, age: r.length, longest=lambda r: r.length, paced=True)


def in_steps(step: int) -> Policy:
    """A policy that tries ``step`` more tokens each time, the shortest attempts first."""
    return Policy(
        f"paced-{step}",
        lambda r: r.bound,
        lambda r, age: r.bound + step - 1 + 0 * r.length,
        longest=lambda r: r.length + step,
        paced=True,
    )


@pytest.mark.exhaustive  # takes seconds
def test_shortest_first_by_volumes_is_recovered() -> None:
    found = discover(SHORTEST, sizes=((36, 6, 4), (144, 12, 2)))
    assert (found.status, found.quadratic, found.known) == ("supported", True, "volume")
    assert found.entry == "i*(i + 2*s + 1)/2"


@pytest.mark.parametrize("policy", [SHORTEST, in_steps(2), in_steps(3)], ids=lambda policy: policy.name)
@pytest.mark.parametrize(("i", "j", "s"), [(1, 4, 0), (2, 5, 1), (3, 7, 2)])
def test_entries_are_those_of_a_long_list_of_attempts(policy: Policy, i: int, j: int, s: int) -> None:
    def total(copies: int) -> int:
        """Return the completion times on a machine that takes each attempt for its volume, over both orders of equals."""
        both = 0
        for lengths in ([i, j] * copies, [j, i] * copies):
            instance = for_policy(make_instance(lengths, 10**9, s, i, j), policy, 0)
            request, assumed = attempts(policy, instance)
            length = instance.length[request]
            both += int(np.cumsum(volume(s, np.minimum(assumed, length)))[assumed >= length].sum())
        return both

    second = total(30) - 2 * total(20) + total(10)
    value = PacedAttempts(policy).value((i, j), s, dict.fromkeys((i, j), (i, j)))
    assert value == Fraction(second, 2 * 20 * 20)


def test_another_step_is_another_form() -> None:
    one, other = (PacedAttempts(in_steps(step)).entries(2, 5, 1) for step in (2, 3))
    assert one != other


@pytest.mark.exhaustive  # takes seconds
def test_no_form_where_requests_draw_numbers_or_attempts_do_not_grow() -> None:
    stuck = Policy("stuck", lambda r: r.length, lambda r, age: 1, longest=lambda r: 9, paced=True)
    assert PacedAttempts(stuck).entries(2, 5, 1) is None
    found = discover(A_OFFSET, sizes=((36, 6, 2), (144, 12, 2)))
    assert found.entries == {}
