"""``crtools minimax``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.best import add_certificate, write_certificate
from crtools.cli.common import WIDTH, add_command, add_json, answer, clock, integers
from crtools.errors import InputError
from crtools.ledger.display.proof_words import in_words

if TYPE_CHECKING:
    from crtools.blind.minimax import Minimax


def add_minimax(commands: Any) -> None:
    """Add the command."""
    examples = ("--digits 30", "--u 1000 --s 5 --json")
    command = add_command(commands, "minimax", "the best ratio to the optimum without knowing lengths", examples)
    command.add_argument("--digits", default="10", metavar="D", help="certified digits (default 10)")
    what = "upper end: bounds for the lengths in [l, u] too; both meet for up to 100 lengths, in some minutes"
    command.add_argument("--u", metavar="U", help=what)
    command.add_argument("--l", metavar="L", help="lower end (default 1)")
    command.add_argument("--s", metavar="S", help="prompt size in tokens (default 0)")
    add_certificate(command)
    add_json(command, _minimax)


def _minimax(options: argparse.Namespace) -> int:
    from crtools.blind import minimax
    from crtools.ledger.cache import default_folder

    digits, s, l, u = integers(options, "digits", "s", "l", "u")
    if options.certificate is not None and u is None:
        raise InputError("--certificate", options.certificate, "needs --u: it is of an interval of lengths")
    with clock("deciding both inequalities" if u is None else "closing the interval: minutes for 100 lengths"):
        found = minimax(digits, s=s, l=l, u=u, cache=default_folder())
    if options.certificate is not None:
        write_certificate(options.certificate, _certificate(found))
    return answer(options, found.as_json(), _lines(found))


def _certificate(found: Minimax) -> dict[str, Any]:
    from crtools.blind.certificate_writer import of_interval

    own = found.interval
    if own is None or own.closed is None:
        shown = "" if own is None else f"[{own.l}, {own.u}]"
        raise InputError("--certificate", shown, "needs an interval of at most 100 lengths on which both sides meet")
    return of_interval(own.closed)


def _lines(found: Minimax) -> Iterator[str]:
    from crtools.enclosure import decimal

    yield "the best ratio of a blind scheduler to the optimum:"
    yield "  ρ* = min over y > 1 of (y−1)(2y−1)/(y ln² y)"
    for name, shown in (("ρ*", found.value), ("y", found.least.y), ("b = y²", found.least.base)):
        low, high = shown.decimals(found.digits + 2)
        line = f"  {low} ≤ {name} ≤ {high}"
        yield line if len(line) <= WIDTH else f"  {name}\n    ≥ {low}\n    ≤ {high}"
    for state in found.states:
        yield f"  {state.side} bound, {state.level}: {state.status}{in_words(state.argued)} ({state.claim})"
    yield "against H-SF as a process it is an upper bound only: what is best is open"
    yield from CLASS
    yield from _preemptive()
    if (own := found.interval) is not None:
        yield f"lengths in [{own.l}, {own.u}], s = {own.s}, in the limit of the process:"
        digits = 8 if own.closed is None else 12
        yield f"  to the optimum: no blind policy is below {decimal(own.lower, digits, up=False)}"
        if own.closed is not None:
            yield f"    a mixture of {len(own.closed.plans)} plans is within {decimal(own.upper, digits, up=True)}"
        yield f"    ({own.method})"
        yield f"    own random offsets are within {decimal(own.own_offsets, 8, up=True)}"
        if own.closed is not None:
            shares = sorted(own.closed.weights.items(), key=lambda pair: -pair[1])[:MOST_SHOWN]
            yield f"    the worst law: {', '.join(f'{o}: {float(w):.2%}' for o, w in shares)}, … (--json)"
        yield f"  to H-SF as a process: within {decimal(own.against_h_sf_process, 8, up=True)} too; the least is open"
        form = own.h_sf_form
        yield f"  to H-SF's form: own offsets in steps are within {decimal(form.factor, 8, up=True)}, for every u"
        yield "    (in steps: they kill at whole ages, and have no threshold below v(l))"
        yield f"    (certified: {form.method})"


MOST_SHOWN = 4
"""Lengths of the worst law, the most frequent first."""

CLASS = (
    "blind: learns a length when the request completes. Kill and restart: a",
    "request that does not run has lost its tokens; pausing with its memory kept",
    "does not help. A preemptive policy does better: on one machine round robin",
)
"""What is meant by the policies of the first line."""


def _preemptive() -> Iterator[str]:
    from crtools.ledger.registry import answering

    ledger, claim, _ = answering("round robin, upper")
    yield f"is within 2 − 2/(n+1) of the optimum (verify --ledger {ledger.name} {claim})"
