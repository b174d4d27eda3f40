"""``crtools switch``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DIST, add_command, add_json, add_words, to_int
from crtools.cli.laws import Answer, add_timeout, in_time
from crtools.errors import MISSING, InputError
from crtools.installed_ledgers import default_form

if TYPE_CHECKING:
    from crtools.ratios.switch import Crossing, Piece, Switch

DIGITS = 15
"""A crossing that is not rational is printed in so many digits."""

LONGEST_POLYNOMIAL = 200
"""A longer one is printed with --json only."""


def add_switch(commands: Any) -> None:
    """Add the command."""
    examples = (f'{default_form()} volume "two-point(l=1, u=10, weight)"', 'volume h-sf "linear-geometric(q)" --s 1')
    what = "where the ratios of two forms cross, and which is better where"
    command = add_command(commands, "switch", what, examples)
    what = f"two forms (crtools list forms), then {DIST}; one parameter is left open"
    add_words(command, "FORM FORM LAW", what)
    command.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    add_timeout(command)
    add_json(command, in_time(_switch))


def _switch(options: argparse.Namespace) -> Answer:
    from crtools.ratios.switch import switch

    if len(options.words) != 3:
        raise InputError(
            "switch",
            " ".join(options.words) or MISSING,
            "give two forms and a law, for example h-sf volume 'geometric(q)'",
        )
    first, second, law = options.words
    found = switch(first, second, law, to_int("s", options.s))
    document = {
        "first": found.first.name,
        "second": found.second.name,
        "distribution": found.distribution.spec(),
        "s": found.s,
        "range": str(found.range),
        "pieces": [
            {"from": str(piece.low), "to": str(piece.high), "from_in": piece.low_in, "to_in": piece.high_in}
            | {"better": piece.better, "strict": piece.strict}
            for piece in found.pieces
        ],
        "crossings": [_crossing(crossing) for crossing in found.crossings],
        "throughout": found.throughout,
        "status": found.status,
        "method": found.method,
        "uses": list(found.uses),
        "reason": found.reason or None,
        "describes": {f.name: list(f.describes) for f in (found.first, found.second)},
    }
    return document, _lines(found)


def _crossing(crossing: Crossing) -> dict[str, Any]:
    low, high = crossing.place.decimals(DIGITS)
    exact, poly = crossing.exact, crossing.polynomial
    return {
        "name": crossing.name,
        "lower": low,
        "upper": high,
        "exact": None if exact is None else str(exact),
        "polynomial": None if poly is None else str(poly.as_expr()),
    }


def _lines(found: Switch) -> Iterator[str]:
    yield f"the forms {found.first.name} and {found.second.name} under {found.distribution.spec()}, s = {found.s}:"
    if found.range.assumed:
        yield f"  range: {found.range}"
    if len(found.pieces) == 1 and found.throughout is not None:
        yield f"  {_better(found.pieces[0])} throughout: {found.range}"
    else:
        width = max((len(str(piece)) for piece in found.pieces), default=0)
        yield from (f"  {piece!s:{width}}  {_better(piece)}" for piece in found.pieces)
    for crossing in found.crossings:
        if not crossing.rational:
            yield from _place(crossing)
    words = ", ".join((found.method, *found.uses)) if found.status != "inconclusive" else found.reason
    yield f"  {found.status}: {words}"


def _better(piece: Piece) -> str:
    if piece.better is None:
        return "equal"
    return f"{piece.better} is {'better' if piece.strict else 'not worse'}"


def _place(crossing: Crossing) -> Iterator[str]:
    own = _crossing(crossing)
    yield f"  {own['lower']} <= {crossing.name} <= {own['upper']}"
    if own["exact"] is not None:
        yield f"    {crossing.name} = {own['exact']}"
    elif own["polynomial"] is not None and len(own["polynomial"]) <= LONGEST_POLYNOMIAL:
        yield f"    the only root there of {own['polynomial']}"
