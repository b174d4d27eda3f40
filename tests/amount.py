"""How much a sweep looks at: a part of it in each run, all of it in the exhaustive one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def part_and_all(name: str, part: Any, all: Any) -> pytest.MarkDecorator:
    """Give a test the argument ``name`` twice: for a part in each run, and for everything under ``-m exhaustive``."""
    values = [pytest.param(part, id="part"), pytest.param(all, id="all", marks=pytest.mark.exhaustive)]
    return pytest.mark.parametrize(name, values)


def every_third(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the rows of a long list for ``parametrize``: every third in each run, the others under ``-m exhaustive``."""
    return [row if i % 3 == 0 else pytest.param(*row, marks=pytest.mark.exhaustive) for i, row in enumerate(rows)]
