"""``crtools minimax``: the best ratio of a blind scheduler. The computation is in :mod:`crtools.blind.minimax`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from crtools.cli.best import write_certificate
from crtools.cli.common import WIDTH, Commands, answer, clock, integers
from crtools.errors import InputError
from crtools.ledger.display.proof_words import in_words
from crtools.numeric_types import JsonObject

if TYPE_CHECKING:
    from crtools.blind.minimax import Interval, Minimax


def add_minimax(commands: Commands) -> None:
    """Add the command."""
    examples = ("--digits 30", "--u 1000 --s 5 --json")
    command = commands.add("minimax", _minimax, "the best ratio to the optimum without knowing lengths", examples)
    command.option("--digits", "D", "certified digits (default 10)", "10")
    what = "upper end: also bound the ratio for lengths in [l, u]; for up to 100 the bounds meet, after minutes"
    command.option("--u", "U", what)
    command.option("--l", "L", "lower end (default 1)")
    command.option("--s", "S", "prompt size in tokens (default 0)")
    command.certificate()


def _minimax(options: argparse.Namespace) -> int:
    from crtools.blind import minimax
    from crtools.ledger.cache import default_folder

    digits, s, l, u = integers(options, "digits", "s", "l", "u")
    if options.certificate is not None and u is None:
        raise InputError("--certificate", options.certificate, "needs --u, the end of the interval")
    with clock("deciding both inequalities" if u is None else "closing the interval: minutes for 100 lengths"):
        result = minimax(digits, s=s, l=l, u=u, cache=default_folder())
    if options.certificate is not None and result.interval is not None:
        write_certificate(options.certificate, _certificate(result.interval))
    return answer(options, result.as_json(), _lines(result))


def _certificate(interval: Interval) -> JsonObject:
    from crtools.blind.certificate_writer import of_interval

    if interval.closed is None:
        message = "needs an interval of at most 100 lengths on which both sides meet"
        raise InputError("--certificate", f"[{interval.l}, {interval.u}]", message)
    return of_interval(interval.closed)


def _lines(result: Minimax) -> Iterator[str]:
    yield "the best ratio of a blind scheduler to the optimum:"
    yield "  ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y)"
    for name, value in (("ρ*", result.value), ("y", result.least.y), ("b = y²", result.least.base)):
        low, high = value.decimals(result.digits + 2)
        line = f"  {low} ≤ {name} ≤ {high}"
        yield line if len(line) <= WIDTH else f"  {name}\n    ≥ {low}\n    ≤ {high}"
    for state in result.states:
        yield f"  {state.side} bound, {state.level}: {state.status}{in_words(state.argued)} ({state.claim})"
    yield "against H-SF as a process ρ* is an upper bound only; the best ratio is open"
    yield from CLASS
    yield from _preemptive()
    if result.interval is not None:
        yield from _interval_lines(result.interval)


def _interval_lines(interval: Interval) -> Iterator[str]:
    from crtools.enclosure import decimal

    def bound(number: Fraction, digits: int = 8, up: bool = True) -> str:
        return decimal(number, digits, up=up)

    closed = interval.closed
    digits = 8 if closed is None else 12
    yield f"lengths in [{interval.l}, {interval.u}], s = {interval.s}, in the limit of the process:"
    yield f"  to the optimum: no blind policy is below {bound(interval.lower, digits, up=False)}"
    if closed is not None:
        yield f"    a mixture of {len(closed.plans)} plans has at most {bound(interval.upper, digits)}"
    yield f"    ({interval.method})"
    yield f"    own random offsets have at most {bound(interval.own_offsets)}"
    if closed is not None:
        shares = sorted(closed.weights.items(), key=lambda pair: -pair[1])[:MOST_SHARES]
        yield f"    the worst law: {', '.join(f'{o}: {float(w):.2%}' for o, w in shares)}, … (--json)"
    yield f"  to H-SF as a process: at most {bound(interval.against_h_sf_process)} too; the best ratio is open"
    yield f"  to H-SF's form: own offsets in steps have at most {bound(interval.against_h_sf)}, for every u"
    yield "    (in steps: they kill at whole ages, and have no threshold below v(l))"
    yield f"    (certified: {interval.h_sf_form.method})"


MOST_SHARES = 4
"""Lengths of the worst law that are printed, the most frequent first."""

CLASS = (
    "blind: learns a length when the request completes. Kill and restart: a",
    "request that does not run has lost its tokens; pausing with its memory kept",
    "does not help. A preemptive policy does better: on one machine round robin",
)
"""The class of policies of the first line."""


def _preemptive() -> Iterator[str]:
    from crtools.ledger.registry import answering

    ledger, claim, _ = answering("round robin, upper")
    yield f"has at most 2 − 2/(n+1) times the optimum (verify --ledger {ledger.name} {claim})"
