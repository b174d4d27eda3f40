"""``crtools ratio`` and ``crtools derive``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from crtools.budget import SECONDS, can_stop, seconds_of, within
from crtools.cli.common import DIST, add_command, add_forms, add_json, answer, clock, to_int

if TYPE_CHECKING:
    from crtools.enclosure import Enclosure
    from crtools.ratios import Derivation
    from crtools.ratios.supremum import Supremum

Answer = tuple[dict[str, Any], Iterator[str]]
"""A JSON document, and the lines that say the same."""

LONGEST_SHOWN = 400
LONGEST_FORMULA = 2000
"""Longer exact values and closed forms are printed with --json only."""


def add_laws(commands: Any) -> None:
    """Add both commands."""
    examples = ('"geometric(q=9/10)" --digits 12', '"pmf(k**2*q**k, q=1/2)" --against volume --s 5')
    ratio = add_command(commands, "ratio", "ratio of a form to another at a length distribution", examples)
    _add_law(ratio)
    ratio.add_argument("--digits", metavar="D", help="certified digits: upper − lower ≤ 10^(1−D)·value")
    add_json(ratio, _in_time(_ratio))

    examples = ('"geometric(q)"', '"two-point(l, u, weight)" --s 3', '"two-point(1, 10, w)" --s s', '"zipf(2, u)"')
    what = "closed form, limits and supremum under a law with symbols"
    derive = add_command(commands, "derive", what, examples)
    _add_law(derive)
    add_json(derive, _in_time(_derive))


def _add_law(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("distribution", metavar="DIST", help=DIST)
    add_forms(parser)
    parser.add_argument("--timeout", metavar="SECONDS", help=f"stop after so long (default {SECONDS:.0f})")


def _in_time(run: Callable[[argparse.Namespace], Answer]) -> Callable[[argparse.Namespace], int]:
    """Return what runs a command within --timeout, shows on a terminal that it is at work, and prints the answer."""

    def timed(options: argparse.Namespace) -> int:
        seconds = None if options.timeout is None else seconds_of("--timeout", options.timeout)
        with within(SECONDS if seconds is None and can_stop() else seconds), clock(options.command):
            document, lines = run(options)
        return answer(options, document, lines)

    return timed


def _ratio(options: argparse.Namespace) -> Answer:
    from crtools.ratios.ratio import ratio

    digits = None if options.digits is None else to_int("digits", options.digits)
    found = ratio(options.policy, options.distribution, to_int("s", options.s), options.against)
    enclosure = None if digits is None else found.enclosure(digits)
    low, high = (None, None) if enclosure is None else enclosure.decimals((digits or 0) + 2)
    row: dict[str, Any] = {
        "distribution": found.distribution.spec(),
        "policy": found.policy.name,
        "against": found.against.name,
        "s": found.s,
        "value": found.value,
        "exact": None if found.exact is None else str(found.exact),
        "lower": low,
        "upper": high,
        "status": found.status if enclosure is None else "certified",
        "method": found.method if enclosure is None else enclosure.method,
        "describes": list(found.policy.describes),
    }
    return row, _ratio_lines(row)


def _ratio_lines(row: dict[str, Any]) -> Iterator[str]:
    yield f"the form {row['policy']} over {row['against']} under {row['distribution']}, s = {row['s']}: {row['value']:.12g}"
    if row["exact"] is not None and len(row["exact"]) <= LONGEST_SHOWN:
        yield f"  exact: {row['exact']}"
    if row["lower"] is not None:
        yield f"  certified: {row['lower']} ≤ ratio ≤ {row['upper']}"
    yield f"  status: {row['status']}; method: {row['method']}"


def _derive(options: argparse.Namespace) -> Answer:
    from crtools.distributions import Poisson
    from crtools.errors import NotCertified
    from crtools.ratios import derive

    s = options.s if options.s.isidentifier() else to_int("s", options.s, ", or a letter")
    found = derive(options.distribution, options.policy, s, options.against)
    supremum, uncertified = None, ""
    if found.parameters and (
        found.ratio is not None or found.last_length is not None or isinstance(found.distribution, Poisson)
    ):
        try:
            supremum = found.supremum()
        except NotCertified as error:
            uncertified = f"the supremum is not certified: {error.reason}"
    reason = "; ".join(filter(None, (found.reason, uncertified))) or None
    number = found.number() if found.ratio is None and not found.parameters else None
    document = {
        "distribution": found.distribution.spec(),
        "policy": found.policy.name,
        "against": found.against.name,
        "s": found.s if isinstance(found.s, int) else str(found.s),
        "ratio": _text(found.ratio),
        "numerator": _text(found.numerator),
        "denominator": _text(found.denominator),
        "alternative": _text(found.alternative),
        "ranges": {name: str(own) for name, own in found.ranges.items()},
        "limits": [{"parameter": name, "to": str(place), "value": str(value)} for name, place, value in found.limits],
        "supremum": None if supremum is None else supremum.as_json(),
        "number": None if number is None else list(number.decimals(15)),
        "reason": reason,
        "evidence": found.evidence,
        "latex": found.latex or None,
    }
    return document, _derive_lines(found, supremum, number, reason)


def _derive_lines(
    found: Derivation, supremum: Supremum | None, number: Enclosure | None, reason: str | None
) -> Iterator[str]:

    size = f"s = {found.s}" if isinstance(found.s, int) else f"every {found.s}"
    yield f"ratio of the form {found.policy.name} to {found.against.name} under {found.distribution.spec()}, {size}"
    for own in found.ranges.values():
        yield f"  range: {own}"
    if found.ratio is None:
        yield f"  no closed form: {reason}"
        if number is not None:
            low, high = number.decimals(15)
            yield f"  certified: {low} ≤ ratio ≤ {high} ({number.method})"
        if found.last_length is not None:
            yield from _first_values(found)
        yield from _limit_lines(found)
        if supremum is not None:
            yield from _supremum_lines(supremum)
        return
    if len(str(found.ratio)) <= LONGEST_FORMULA:
        yield f"  {found.ratio}"
        yield f"  LaTeX: {found.latex}"
    else:
        yield f"  a closed form of {len(str(found.ratio))} characters; --json prints it"
    if found.alternative is not None:
        yield f"  in α = l/u and t = x_l/x_u: {found.alternative}"
    yield from _limit_lines(found)
    if supremum is not None:
        yield from _supremum_lines(supremum)
    if reason:
        yield f"  {reason}"
    for row in found.evidence:
        yield f"  checked at {row['at']}: direct sum {row['direct sum']}, closed form {row['closed form']}"


def _limit_lines(found: Derivation) -> Iterator[str]:
    from crtools.ratios.supremum import shown_end

    for name, place, value in found.limits:
        decimal = "" if value.is_infinite or value.free_symbols else f" = {float(value):.12g}"
        yield f"  limit for {name} → {shown_end(place)}: {shown_end(value)}{decimal}"


def _first_values(found: Derivation) -> Iterator[str]:
    """Yield a line with a few certified values of the ratio at last lengths u."""
    sequence = found.last_length
    assert sequence is not None
    low, name = sequence.law.l, found.parameters[0]
    places = [n for n in (0, 9, 99, 999) if n < len(sequence.values)]
    yield "  " + ", ".join(f"{name} = {low + n}: {sequence.values[n].middle:.9g}" for n in places)


def _supremum_lines(supremum: Supremum) -> Iterator[str]:
    yield f"  supremum: {supremum.shown}, {supremum.place}; {supremum.status} ({supremum.method})"
    shown = supremum.as_json()
    if shown["lower"] is not None:
        yield f"    {shown['lower']} ≤ supremum ≤ {shown['upper']}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
