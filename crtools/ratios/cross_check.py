"""A closed form is compared with certified direct sums at a few rational points before anybody sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from crtools.distributions import Distribution
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.numeric_types import SymExpr
from crtools.ratios.closed_forms import value_at
from crtools.ratios.intervals import Intervals
from crtools.ratios.ratio import Ratio

CHECK_DIGITS = 15


@dataclass(frozen=True)
class Point:
    """Values by name, the law there, s, and the two forms (the first as it is told there)."""

    at: dict[str, Fraction]
    law: Distribution
    s: int
    forms: tuple[Form, Form]


def compared(
    ratio: SymExpr, parameters: Iterable[Any], points: Iterable[Point], intervals: Intervals | None
) -> list[dict[str, str]]:
    """Return where a closed form was compared with direct sums, and both values.

    Raises ``AssertionError`` where they disagree, ``NotCertified`` where sums reach it at no point.
    """
    rows: list[dict[str, str]] = []
    symbols = tuple(parameters)
    for point in points:
        try:
            direct = Ratio(*point.forms, point.law, point.s, intervals).direct(CHECK_DIGITS)
        except NotCertified:  # the ratio may vanish at a point
            continue
        closed = value_at(ratio, {symbol: point.at[symbol.name] for symbol in symbols}, CHECK_DIGITS)
        if direct.upper < closed.lower or closed.upper < direct.lower:
            raise AssertionError(f"closed form and direct sum differ at {point.at}: {closed} and {direct}")
        low, high = direct.decimals(CHECK_DIGITS)
        rows.append(
            {
                "at": ", ".join(f"{name} = {value}" for name, value in point.at.items()),
                "direct sum": f"[{low}, {high}]",
                "closed form": " … ".join(closed.decimals(CHECK_DIGITS)),
            }
        )
    if not rows:
        raise NotCertified("direct sums reach the closed form at no point")
    return rows
