"""What a step of crtools shows is what a line of a text says: the same fact of the kernel, or another one."""

from __future__ import annotations

from typing import Any

import sympy as sp

from check import kernel
from crtools.proof.steps import Induction, Positive, Telescoping
from crtools.proof.symbols import i, j, k, n


def _checked(step: Any) -> kernel.Fact:
    assert step.formal is not None
    return kernel.judge(step.formal)


def test_what_a_step_shows_is_what_a_statement_asks_for() -> None:
    def wanted(line: str) -> kernel.Fact:
        return kernel.read(kernel.formula(line))

    sign = _checked(Positive(name="", expr=j - i, where=((i, 1), (j, i)), strict=False))
    assert sign.same(wanted("i >= 1, j >= i: j - i >= 0"))
    for other in ("i >= 1, j >= i: j - i > 0", "i >= 0, j >= i: j - i >= 0", "j >= 1, i >= j: j - i >= 0", "j = i"):
        assert not sign.same(wanted(other))
    total = _checked(Telescoping(name="", summand=2 * k, antidifference=k * (k + 1), index=k))
    assert total.same(wanted("sum over k >= 1: 2*k = k**2 + k"))
    assert not total.same(wanted("sum over k >= 1: 2*k = k**2 + k + 1"))
    own: Any = sp.Sum(k, (k, 1, n))
    grown = _checked(Induction(name="", lhs=own, rhs=n * (n + 1) / 2, index=n))
    assert grown.same(wanted("for n >= 1: Sum(m, (m, 1, n)) = (n**2 + n)/2"))
    for other in ("for n >= 2: Sum(m, (m, 1, n)) = (n**2 + n)/2", "for n >= 1: Sum(m, (m, 0, n)) = (n**2 + n)/2"):
        assert not grown.same(wanted(other))
