"""``crtools switch``: where the ratios of two forms cross. The computation is in :mod:`crtools.ratios.switch`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import LAW_WORD, Commands, read_laws, to_int
from crtools.cli.laws import Answer, in_time
from crtools.errors import MISSING, InputError
from crtools.installed_ledgers import default_form

if TYPE_CHECKING:
    from crtools.ratios.switch import Crossing, Piece, Switch

DIGITS = 15
"""Number of decimal digits of an irrational crossing."""

LONGEST_POLYNOMIAL = 200
"""Largest number of characters of a polynomial in the text output; ``--json`` has every polynomial."""


def add_switch(commands: Commands) -> None:
    """Add the command."""
    examples = (f'{default_form()} volume "two-point(l=1, u=10, weight)"', 'volume h-sf "linear-geometric(q)" --s 1')
    what = "where the ratios of two forms cross, and which is better where"
    command = commands.add("switch", in_time(_switch), what, examples)
    what = f"two forms (crtools list forms), then {LAW_WORD}; one parameter is left open"
    command.words("FORM FORM LAW", what)
    command.option("--s", "S", "prompt size in tokens (default 0), or a letter", "0")
    command.option("--u", "U", "u that one form is given: a number, or a formula such as 2/(1-q)")
    command.skip_invalid()
    command.timeout()


def _switch(options: argparse.Namespace) -> Answer:
    from crtools.ratios.switch import switch

    if len(options.words) != 3:
        raise InputError(
            "switch",
            " ".join(options.words) or MISSING,
            "give two forms and a law, for example h-sf volume 'geometric(q)'",
        )
    first, second, law = read_laws(options, options.words)
    result = switch(first, second, law, options.s if options.s.isidentifier() else to_int("s", options.s), options.u)
    document = {
        "first": result.first.name,
        "second": result.second.name,
        "distribution": result.distribution.spec(),
        "s": result.s if isinstance(result.s, int) else str(result.s),
        **({} if result.u is None else {"u": result.u}),
        "range": str(result.range),
        "pieces": [
            {"from": str(piece.low), "to": str(piece.high), "from_in": piece.low_in, "to_in": piece.high_in}
            | {"better": piece.better, "strict": piece.strict}
            for piece in result.pieces
        ],
        "crossings": [_crossing(crossing) for crossing in result.crossings],
        "throughout": result.throughout,
        "status": result.status,
        "method": result.method,
        "uses": list(result.uses),
        "reason": result.reason or None,
        "describes": {f.name: list(f.describes) for f in (result.first, result.second)},
    }
    return document, _lines(result)


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


def _lines(result: Switch) -> Iterator[str]:
    told = "" if result.u is None else f", u = {result.u}"
    yield f"the forms {result.first.name} and {result.second.name} under {result.distribution.spec()}, s = {result.s}{told}:"
    if result.range.assumed:
        yield f"  range: {result.range}"
    if len(result.pieces) == 1 and result.throughout is not None:
        yield f"  {_better(result.pieces[0])} throughout: {result.range}"
    else:
        width = max((len(str(piece)) for piece in result.pieces), default=0)
        yield from (f"  {piece!s:{width}}  {_better(piece)}" for piece in result.pieces)
    for crossing in result.crossings:
        if not crossing.rational:
            yield from _place(crossing)
    words = ", ".join((result.method, *result.uses)) if result.status != "inconclusive" else result.reason
    yield f"  {result.status}: {words}"


def _better(piece: Piece) -> str:
    if piece.better is None:
        return "equal"
    return f"{piece.better} is {'better' if piece.strict else 'not worse'}"


def _place(crossing: Crossing) -> Iterator[str]:
    fields = _crossing(crossing)
    yield f"  {fields['lower']} <= {crossing.name} <= {fields['upper']}"
    if fields["exact"] is not None:
        yield f"    {crossing.name} = {fields['exact']}"
    elif fields["polynomial"] is not None and len(fields["polynomial"]) <= LONGEST_POLYNOMIAL:
        yield f"    the only root there of {fields['polynomial']}"
