"""What a step of crtools shows is what a line of a text says: the same data for the kernel."""

from __future__ import annotations

from typing import Any

import sympy as sp

from check import kernel
from crtools.proof.steps import Induction, Positive, Telescoping
from crtools.proof.symbols import i, j, k, n


def test_what_a_step_shows_is_what_a_line_says() -> None:
    own: Any = sp.Sum(k, (k, 1, n))
    for step, line, holds in (
        (Positive(name="", expr=j - i, where=((i, 1), (j, i)), strict=False), "i >= 1, j >= i: -i + j >= 0", True),
        (Positive(name="", expr=j - i, where=((i, 1, True), (j, i))), "i > 1, j >= i: -i + j > 0", False),
        (
            Telescoping(name="", summand=2 * k, antidifference=k * (k + 1), index=k),
            "sum over k >= 1: 2*k = k*(k + 1)",
            True,
        ),
        (
            Induction(name="", lhs=own, rhs=n * (n + 1) / 2, index=n),
            "for n >= 1: Sum(k, (k, 1, n)) = n*(n + 1)/2",
            True,
        ),
    ):
        assert {"where": [], **step.formal} == kernel.formula(line)
        assert (step.check() is None) == holds
