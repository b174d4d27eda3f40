"""``measured``: measured figures lie within limits, or not, or their errors leave it open."""

from collections.abc import Iterable
from fractions import Fraction
from math import inf

from crtools.ledger.evidence import Data, JsonValue, Measured, Open, Status

Number = int | float | Fraction

Interval = tuple[Number, Number]
"""A measured figure less and plus its error, for instance a confidence interval over seeds."""


def spread(figures: Iterable[Interval | None]) -> list[Interval | None]:
    """Return the hull of the intervals of figures that approach one limit at several sizes, as one figure."""
    intervals = list(figures)
    if not intervals or None in intervals:
        return [None]
    return [(min(figure[0] for figure in intervals if figure), max(figure[1] for figure in intervals if figure))]


def compared(figures: Iterable[Interval | None], least: Number, most: Number) -> Status:
    """Return whether figures lie in [least, most]: ``supported``, ``contradicted`` or ``inconclusive``.

    Supported if each interval lies within it, contradicted if one lies outside it. A figure that is None was measured without its error
    and decides nothing, as do no figures.
    """
    intervals = [(-inf, inf) if figure is None else figure for figure in figures]
    if any(high < least or low > most for low, high in intervals):
        return "contradicted"
    within = all(least <= low and high <= most for low, high in intervals)
    return "supported" if intervals and within else "inconclusive"


def measured(
    figures: Iterable[Interval | None],
    *,
    least: Number = -inf,
    most: Number = inf,
    sample: str,
    margin: JsonValue,
    values: Data | None = None,
    uses: tuple[str, ...] = (),
) -> Measured | Open:
    """Return what :func:`compared` says as evidence.

    ``sample``: the measured runs, in words. ``margin``: the allowed and the measured distance from the claim.
    """
    status = compared(figures, least, most)
    if status == "inconclusive":
        return Open(f"{sample}: the figures do not tell; {margin}", dict(values or {}))
    return Measured(status == "supported", sample, margin, dict(values or {}), uses)
