"""``crtools best``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DIST, add_command, add_json, answer, bar, clock, integers
from crtools.errors import InputError

if TYPE_CHECKING:
    from crtools.blind.best import Best, Plan
    from crtools.blind.closed_form import ClosedForm


def add_certificate(command: argparse.ArgumentParser) -> None:
    """Add --certificate."""
    what = "write both sides as a certificate, which crtools-check FILE accepts"
    command.add_argument("--certificate", metavar="FILE", help=what)


def write_certificate(path: str, certificate: dict[str, Any]) -> None:
    """Write a certificate to the file that --certificate names."""
    from crtools.files import write_text
    from crtools.ledger.certificates.document import text

    write_text("--certificate", path, text(certificate))


NBUE = {
    True: "the sizes are NBUE: running to the end is best",
    False: "the sizes are not NBUE: killing helps",
    None: "whether the sizes are NBUE, so that killing is useless: not decided",
}
"""By what is known of E min(v, c) ≥ E v · P(v ≤ c)."""

LEAST_SHARE = 0.00005
"""The smallest share of a plan that is shown, 0.01 % in print."""

MOST_PLANS = 6
"""Plans that are shown; --json has all of them."""


def add_best(commands: Any) -> None:
    """Add the command."""
    examples = ('"uniform(1,10)"', '"geometric(q=9/10)" --s 20 --digits 10 --json')
    what = "the best blind schedule for a law, against the optimum"
    command = add_command(commands, "best", what, examples)
    command.add_argument("distribution", metavar="LAW", help=DIST)
    command.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    told = "end of the interval that the forms beside are told (default: of the law); V does not depend on it"
    command.add_argument("--l", metavar="L", help=f"lower {told}")
    command.add_argument("--u", metavar="U", help="upper end of it")
    command.add_argument("--digits", default="8", metavar="D", help="certified digits (default 8)")
    add_certificate(command)
    drawn = "draw where attempts run and the price as .png, .svg or .pdf, with a .data.csv beside"
    command.add_argument("--plot", metavar="FILE", help=drawn)
    add_json(command, _best)


def _best(options: argparse.Namespace) -> int:
    from crtools.blind import best
    from crtools.blind.best import told
    from crtools.distributions import distribution

    if (law := distribution(options.distribution)).parameters:
        from crtools.blind.closed_form import closed_form

        for name in ("plot", "certificate", "l", "u"):
            if (file := getattr(options, name)) is not None:
                raise InputError(f"--{name}", file, "needs a law without symbols")
        known = closed_form(law, options.s if options.s.isidentifier() else next(integers(options, "s")))
        return answer(options, known.as_json(), _in_symbols(known))
    s, digits, l, u = integers(options, "s", "digits", "l", "u")
    interval = told(law, l, u)
    if options.plot is not None:
        from crtools.plotting.figure import picture_file

        picture_file(options.plot)
    shown = bar("the best mixture of plans", lambda gap: f"within {gap:.0e}")
    found = best(options.distribution, s, digits, progress=shown)
    with clock("the forms beside it"):
        beside = found.forms(l, u)
    document, notes = {**found.as_json(), "l": interval[0], "u": interval[1], "forms": beside}, list[str]()
    if options.certificate is not None:
        from crtools.blind.certificate_writer import of_law

        write_certificate(options.certificate, of_law(found))
        notes.append(_certified(found, options.certificate))
    paths = () if options.plot is None else _drawn(found, options.plot)
    if paths:
        notes.append(f"drawn: {paths[0]} (data: {paths[1]})")
    return answer(options, document | ({"files": list(map(str, paths))} if paths else {}), _lines(found, beside, notes))


def _in_symbols(known: ClosedForm) -> Iterator[str]:
    yield f"the best blind schedule for {known.law.spec()}, s = {known.s}, over the optimum:"
    yield from (f"  {name} = {value}" for name, value in known.names.items())
    for case in known.cases:
        yield f"  where {case.where} ≥ 0:"
        yield f"    V = {case.value}"
        yield (
            f"    killed at the smaller length first, a share of {case.tried}"
            if case.tried
            else "    all run to their ends"
        )
    if len(known.cases) == 1:
        yield "  else killing helps, and V is known for numbers only"
    yield f"  (proved: {known.claim})"


def _drawn(found: Best, file: str) -> tuple[Path, ...]:
    from crtools.blind.schedule_figure import schedule

    return schedule(found).save_as(file)


def _certified(found: Best, file: str) -> str:
    from crtools.blind.certificate_writer import is_short

    if is_short(found.law):
        return f"certificate: {file}"
    ends = "with rounded weights" + ("" if found.law.finite else f", cut off at {found.cut.lengths[-1]}")
    return f"certificate: {file}, of the law {ends}: V of both is between its two sides"


def _lines(found: Best, beside: dict[str, float], notes: list[str]) -> Iterator[str]:
    yield f"the best blind schedule for {found.law}, s = {found.s}, over the optimum:"
    yield f"  V {found.shown()}"
    yield "  (certified; for n → ∞ and then M → ∞; blind: learns a length when it completes)"
    yield "plans: kill at these lengths, then run to the end"
    shown = [plan for plan in found.plans[:MOST_PLANS] if plan.share >= LEAST_SHARE]
    for plan in shown:
        yield f"  {float(plan.share):7.2%}  {_ages(plan)}"
    if len(found.plans) > len(shown):
        yield f"  and {len(found.plans) - len(shown)} more plans (--json)"
    yield f"one plan for all: {float(found.common_ratio.upper):.6f}  {_ages(found.common)}"
    yield f"run to the end:   {float(found.run_through.upper):.6f}"
    yield f"  {NBUE[found.nbue]}"
    yield "forms over the same bound, supported:"
    for name, value in sorted(beside.items(), key=lambda pair: pair[1]):
        yield f"  {name:<18} {value:.6f}"
    yield from notes


def _ages(plan: Plan) -> str:
    return ", ".join(map(str, plan.thresholds)) or "run to the end"
