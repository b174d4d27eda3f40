"""``crtools minimax``."""

from __future__ import annotations

import argparse
from typing import Any

from crtools.cli.common import DONE, WIDTH, add_command, add_json, clock, print_json, to_int, wrapped


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
    from crtools.enclosure import decimal
    from crtools.ledger.cache import default_folder

    own = {name: None if (text := getattr(options, name)) is None else to_int(name, text) for name in ("s", "l", "u")}
    with clock("deciding both inequalities"):
        found = minimax(to_int("digits", options.digits), **own, cache=default_folder())
    if options.json:
        print_json(found.as_json())
        return DONE
    print("the best competitive ratio of a blind scheduler:")
    print("  ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y)")
    for name, shown in (("ρ*", found.value), ("y", found.least.y), ("b = y²", found.least.base)):
        low, high = shown.decimals(found.digits + 2)
        line = f"  {low} ≤ {name} ≤ {high}"
        print(line if len(line) <= WIDTH else f"  {name}\n    ≥ {low}\n    ≤ {high}")
    for state in found.states:
        words = f", {state.argued} steps argued in words" if state.argued else ""
        line = f"{state.side} bound, {state.level}: {state.status}{words} ({state.claim})"
        print(wrapped(f"  {line}"))
    if (interval := found.interval) is not None:
        print(f"lengths in [{interval.l}, {interval.u}], s = {interval.s}:")
        lines = (
            f"no blind policy of the process is below {decimal(interval.lower, 8, up=False)} ({interval.method})",
            f"own random offsets are at most {decimal(interval.upper, 8, up=True)}, in the limit",
            f"and at most {decimal(interval.against_h_sf, 8, up=True)} in units of H-SF's form",
        )
        for line in lines:
            print(wrapped(f"  {line}"))
    return DONE
