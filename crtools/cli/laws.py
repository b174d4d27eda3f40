"""``crtools ratio`` and ``crtools derive``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from crtools.budget import SECONDS, can_stop, seconds_of, within
from crtools.cli.common import DIST, DONE, add_command, add_forms, add_json, clock, print_json, to_int

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

    examples = ('"geometric(q)"', '"two-point(l, u, weight)" --s 3')
    what = "closed form, limits and supremum under a law with symbols"
    derive = add_command(commands, "derive", what, examples)
    _add_law(derive)
    add_json(derive, _in_time(_derive))


def _add_law(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("distribution", metavar="DIST", help=DIST)
    add_forms(parser)
    parser.add_argument("--timeout", metavar="SECONDS", help=f"stop after so long (default {SECONDS:.0f})")


def _in_time(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return what runs a command within --timeout, and shows on a terminal that it is at work."""

    def timed(options: argparse.Namespace) -> int:
        seconds = None if options.timeout is None else seconds_of("--timeout", options.timeout)
        with within(SECONDS if seconds is None and can_stop() else seconds), clock(options.command):
            return run(options)

    return timed


def _ratio(options: argparse.Namespace) -> int:
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
    if options.json:
        print_json(row)
        return DONE
    print(
        f"the form {row['policy']} over {row['against']} under {row['distribution']}, s = {found.s}: {row['value']:.12g}"
    )
    if row["exact"] is not None and len(row["exact"]) <= LONGEST_SHOWN:
        print(f"  exact: {row['exact']}")
    if enclosure is not None:
        print(f"  certified: {low} ≤ ratio ≤ {high}")
    print(f"  status: {row['status']}; method: {row['method']}")
    return DONE


def _derive(options: argparse.Namespace) -> int:
    from crtools.distributions import Poisson
    from crtools.errors import NotCertified
    from crtools.ratios import derive
    from crtools.ratios.supremum import shown_end

    found = derive(options.distribution, options.policy, to_int("s", options.s), options.against)
    one = len(found.parameters) == 1 and (found.ratio is not None or isinstance(found.distribution, Poisson))
    supremum, uncertified = None, ""
    if one:
        try:
            supremum = found.supremum()
        except NotCertified as error:
            uncertified = f"the supremum is not certified: {error.reason}"
    reason = "; ".join(filter(None, (found.reason, uncertified))) or None
    number = found.number() if found.ratio is None and not found.parameters else None
    if options.json:
        print_json(
            {
                "distribution": found.distribution.spec(),
                "policy": found.policy.name,
                "against": found.against.name,
                "s": found.s,
                "ratio": _text(found.ratio),
                "numerator": _text(found.numerator),
                "denominator": _text(found.denominator),
                "alternative": _text(found.alternative),
                "ranges": {name: str(own) for name, own in found.ranges.items()},
                "limits": [
                    {"parameter": name, "to": str(place), "value": str(value)} for name, place, value in found.limits
                ],
                "supremum": None if supremum is None else supremum.as_json(),
                "number": None if number is None else list(number.decimals(15)),
                "reason": reason,
                "evidence": found.evidence,
                "latex": found.latex or None,
            }
        )
        return DONE
    print(
        f"ratio of the form {found.policy.name} to {found.against.name} under {found.distribution.spec()}, s = {found.s}"
    )
    for own in found.ranges.values():
        print(f"  range: {own}")
    if found.ratio is None:
        print(f"  no closed form: {reason}")
        if number is not None:
            low, high = number.decimals(15)
            print(f"  certified: {low} ≤ ratio ≤ {high} ({number.method})")
        if supremum is not None:
            _print_supremum(supremum)
        return DONE
    if len(str(found.ratio)) <= LONGEST_FORMULA:
        print(f"  {found.ratio}")
        print(f"  LaTeX: {found.latex}")
    else:
        print(f"  a closed form of {len(str(found.ratio))} characters; --json prints it")
    if found.alternative is not None:
        print(f"  in α = l/u and t = x_l/x_u: {found.alternative}")
    for name, place, value in found.limits:
        number = "" if value.is_infinite else f" = {float(value):.12g}"
        print(f"  limit for {name} → {shown_end(place)}: {shown_end(value)}{number}")
    if supremum is not None:
        _print_supremum(supremum)
    if reason:
        print(f"  {reason}")
    for row in found.evidence:
        print(f"  checked at {row['at']}: direct sum {row['direct sum']}, closed form {row['closed form']}")
    return DONE


def _print_supremum(supremum: Any) -> None:
    print(f"  supremum: {supremum.shown}, {supremum.place}; {supremum.status} ({supremum.method})")
    shown = supremum.as_json()
    if shown["lower"] is not None:
        print(f"    {shown['lower']} ≤ supremum ≤ {shown['upper']}")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
