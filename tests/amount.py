"""How much a sweep looks at: a part of it in each run, all of it in the exhaustive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def part_and_all(name: str, part: Any, all: Any) -> pytest.MarkDecorator:
    """Give a test the argument ``name`` twice: for a part in each run, and for everything under ``-m exhaustive``."""
    values = [pytest.param(part, id="part"), pytest.param(all, id="all", marks=pytest.mark.exhaustive)]
    return pytest.mark.parametrize(name, values)


def every_third(rows: Sequence[tuple[Any, ...]], ids: Sequence[str] | None = None, *, step: int = 3) -> list[Any]:
    """Return the rows of a long list for ``parametrize``: every third in each run, the others under ``-m exhaustive``.

    ``step``: every so-manieth, of lists that are longer still.
    """
    rest = [() if i % step == 0 else (pytest.mark.exhaustive,) for i in range(len(rows))]
    names = ids or [None] * len(rows)
    return [pytest.param(*row, id=name, marks=marks) for row, name, marks in zip(rows, names, rest, strict=True)]
