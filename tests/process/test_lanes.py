"""Numbers of many requests at once do what each of them does, or say that they cannot."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crtools.process.lanes import Many, NotTraced, Split, from_to, least, many

ONE = st.lists(st.integers(-9, 9), min_size=1, max_size=6)


@given(ONE, st.randoms(use_true_random=False))
def test_many_numbers_do_what_each_of_them_does(one: list[int], r: Any) -> None:
    two = [r.randint(1, 9) for _ in one]
    for operation in (
        lambda x, y: x + y - 3, lambda x, y: 2 - x * y, lambda x, y: -x // y + 100 // y, lambda x, y: x % y + abs(x),
        lambda x, y: x / y + 1.5, lambda x, y: (1.5 - 3 / y) * x, lambda x, y: least(x, y), lambda x, y: least(x, 4),
        lambda x, y: x == y, lambda x, y: x != 3 or y == 2.0, lambda x, y: x / y <= 1, lambda x, y: bool(x) and y < 4,
        lambda x, y: x is None or x == None or y != None,  # noqa: E711
    ):  # fmt: skip
        each = [operation(x, y) for x, y in zip(one, two, strict=True)]
        try:
            found = operation(many(one), many(two))
        except Split as split:
            assert split.holds.any() and not split.holds.all()
            continue
        assert (found.values.tolist() if isinstance(found, Many) else [found] * len(one)) == each
        if isinstance(found, Many) and found.most is not None:
            assert max(map(abs, each)) <= found.most and all(type(value) is int for value in found.values.tolist())


def test_what_many_numbers_cannot_do_is_refused() -> None:
    own = many([1, 2, 3])
    refused: tuple[tuple[Any, type[BaseException]], ...] = (
        (lambda: own // many([0, 1, 2]), NotTraced),
        (lambda: 1 / (own - 2), NotTraced),
        (lambda: own * 2**61, NotTraced),
        (lambda: (own + 2**53) / 2, NotTraced),
        (lambda: own / 2 % 2, NotTraced),
        (lambda: own == Fraction(1), NotTraced),
        (lambda: own == "1", NotTraced),
        (lambda: own + "1", TypeError),
        (lambda: own + Fraction(1), TypeError),
        (lambda: math.sqrt(own), TypeError),
        (lambda: [1, 2, 3, 4][own], TypeError),
        (lambda: {own: 1}, TypeError),
        (lambda: np.minimum(own, 2), TypeError),
        (lambda: own > 2, Split),
    )
    for what, error in refused:
        with pytest.raises(error):
            what()
    assert list(from_to(many([1, 1]), 2)) == [1, 2] and many([4, 4]) == 4 and type(many([4, 4])) is int
