"""``crtools minimax``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import WIDTH, add_command, add_json, answer, clock, integers
from crtools.report.words import in_words

if TYPE_CHECKING:
    from crtools.blind.minimax import Minimax


def add_minimax(commands: Any) -> None:
    """Add the command."""
    examples = ("--digits 30", "--u 1000 --s 5 --json")
    command = add_command(commands, "minimax", "the best ratio of a scheduler that does not know the lengths", examples)
    command.add_argument("--digits", default="10", metavar="D", help="certified digits (default 10)")
    command.add_argument("--u", metavar="U", help="upper end: bounds for the lengths in [l, u] too")
    command.add_argument("--l", metavar="L", help="lower end (default 1)")
    command.add_argument("--s", metavar="S", help="prompt size in tokens (default 0)")
    add_json(command, _minimax)


def _minimax(options: argparse.Namespace) -> int:
    from crtools.blind import minimax
    from crtools.ledger.cache import default_folder

    digits, s, l, u = integers(options, "digits", "s", "l", "u")
    with clock("deciding both inequalities"):
        found = minimax(digits, s=s, l=l, u=u, cache=default_folder())
    return answer(options, found.as_json(), _lines(found))


def _lines(found: Minimax) -> Iterator[str]:
    from crtools.enclosure import decimal

    yield "the best competitive ratio of a blind scheduler:"
    yield "  ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y)"
    for name, shown in (("ρ*", found.value), ("y", found.least.y), ("b = y²", found.least.base)):
        low, high = shown.decimals(found.digits + 2)
        line = f"  {low} ≤ {name} ≤ {high}"
        yield line if len(line) <= WIDTH else f"  {name}\n    ≥ {low}\n    ≤ {high}"
    for state in found.states:
        yield f"  {state.side} bound, {state.level}: {state.status}{in_words(state.argued)} ({state.claim})"
    if (own := found.interval) is not None:
        yield f"lengths in [{own.l}, {own.u}], s = {own.s}:"
        yield f"  no blind policy of the process is below {decimal(own.lower, 8, up=False)} ({own.method})"
        yield f"  own random offsets are at most {decimal(own.upper, 8, up=True)}, in the limit"
        yield f"  and at most {decimal(own.against_h_sf, 8, up=True)} in units of H-SF's form"
