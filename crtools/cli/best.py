"""``crtools best``: the best blind schedule for a distribution of lengths. The computation is in :mod:`crtools.blind.best`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DIST, add_command, add_json, add_skip_invalid, answer, bar, clock, integers, read_laws
from crtools.errors import InputError
from crtools.numeric_types import JsonObject

if TYPE_CHECKING:
    from crtools.blind.best import Best, Plan
    from crtools.blind.closed_form import ClosedForm


def add_certificate(command: argparse.ArgumentParser) -> None:
    """Add --certificate."""
    what = "write both sides as a certificate, which crtools-check FILE accepts"
    command.add_argument("--certificate", metavar="FILE", help=what)


def write_certificate(path: str, certificate: JsonObject) -> None:
    """Write a certificate to the file that --certificate names."""
    from crtools.files import write_text
    from crtools.ledger.certificates.document import text

    write_text("--certificate", path, text(certificate))


NBUE = {
    True: "the sizes are NBUE: running to the end is best",
    False: "the sizes are not NBUE: killing helps",
    None: "whether the sizes are NBUE, so that killing is useless: not decided",
}
"""The line for each value of ``Best.nbue``."""

LEAST_SHARE = 0.00005
"""The smallest share of a plan that is printed, 0.01 % when rounded."""

MOST_PLANS = 6
"""Upper limit on the plans that are printed; --json has all."""


def add_best(commands: Any) -> None:
    """Add the command."""
    examples = ('"uniform(1,10)"', '"geometric(q=9/10)" --s 20 --digits 10 --json')
    what = "the best blind schedule for a law, against the optimum"
    command = add_command(commands, "best", what, examples)
    command.add_argument("distribution", metavar="LAW", help=DIST)
    command.add_argument("--s", default="0", metavar="S", help="prompt size in tokens (default 0)")
    end = "end of the interval that the other forms assume (default: of the law); V does not depend on it"
    command.add_argument("--l", metavar="L", help=f"lower {end}")
    command.add_argument("--u", metavar="U", help="upper end of it")
    command.add_argument("--digits", default="8", metavar="D", help="certified digits (default 8)")
    add_skip_invalid(command)
    add_certificate(command)
    plot = "draw where attempts run and the price as .png, .svg or .pdf, with a .data.csv beside"
    command.add_argument("--plot", metavar="FILE", help=plot)
    add_json(command, _best)


def _best(options: argparse.Namespace) -> int:
    from crtools.blind import best
    from crtools.blind.best import policy_interval
    from crtools.distributions import distribution

    law = distribution(*read_laws(options, [options.distribution]))
    if law.parameters:
        from crtools.blind.closed_form import closed_form

        for name in ("plot", "certificate", "l", "u"):
            if (file := getattr(options, name)) is not None:
                raise InputError(f"--{name}", file, "needs a law without symbols")
        form = closed_form(law, options.s if options.s.isidentifier() else next(integers(options, "s")))
        return answer(options, form.as_json(), _closed_form_lines(form))
    s, digits, l, u = integers(options, "s", "digits", "l", "u")
    interval = policy_interval(law, l, u)
    if options.plot is not None:
        from crtools.plotting.figure import picture_file

        picture_file(options.plot)
    progress = bar("the best mixture of plans", lambda gap: f"within {gap:.0e}")
    schedule = best(law, s, digits, progress=progress)
    with clock("the forms beside it"):
        forms = schedule.forms(l, u)
    document, notes = {**schedule.as_json(), "l": interval[0], "u": interval[1], "forms": forms}, list[str]()
    if options.certificate is not None:
        from crtools.blind.certificate_writer import of_law

        write_certificate(options.certificate, of_law(schedule))
        notes.append(_certificate_note(schedule, options.certificate))
    if options.plot is not None:
        from crtools.blind.schedule_figure import schedule as schedule_figure

        picture, data = schedule_figure(schedule).save_as(options.plot)
        document["files"] = [str(picture), str(data)]
        notes.append(f"drawn: {picture} (data: {data})")
    return answer(options, document, _lines(schedule, forms, notes))


def _closed_form_lines(form: ClosedForm) -> Iterator[str]:
    yield f"the best blind schedule for {form.law.spec()}, s = {form.s}, over the optimum:"
    yield from (f"  {name} = {value}" for name, value in form.names.items())
    for case in form.cases:
        yield f"  where {case.where} ≥ 0:"
        yield f"    V = {case.value}"
        yield (
            f"    killed at the smaller length first, a share of {case.tried}"
            if case.tried
            else "    all run to their ends"
        )
    if len(form.cases) == 1:
        yield "  else killing helps, and V is known for numbers only"
    yield f"  (proved: {form.claim})"


def _certificate_note(schedule: Best, file: str) -> str:
    from crtools.blind.certificate_writer import is_short

    if is_short(schedule.law):
        return f"certificate: {file}"
    ends = "with rounded weights" + ("" if schedule.law.finite else f", cut off at {schedule.bracket.lengths[-1]}")
    return f"certificate: {file}, of the law {ends}: V of both is between its two sides"


def _lines(schedule: Best, forms: dict[str, float], notes: list[str]) -> Iterator[str]:
    yield f"the best blind schedule for {schedule.law}, s = {schedule.s}, over the optimum:"
    yield f"  V {schedule.shown()}"
    yield "  (certified; for n → ∞ and then M → ∞; blind: learns a length when it completes)"
    yield "plans: kill at these lengths, then run to the end"
    frequent = [plan for plan in schedule.plans[:MOST_PLANS] if plan.share >= LEAST_SHARE]
    for plan in frequent:
        yield f"  {float(plan.share):7.2%}  {_kill_lengths(plan)}"
    if len(schedule.plans) > len(frequent):
        yield f"  and {len(schedule.plans) - len(frequent)} more plans (--json)"
    yield f"one plan for all: {float(schedule.common_ratio.upper):.6f}  {_kill_lengths(schedule.common)}"
    yield f"run to the end:   {float(schedule.run_through.upper):.6f}"
    yield f"  {NBUE[schedule.nbue]}"
    yield "forms over the same bound, supported:"
    for name, value in sorted(forms.items(), key=lambda pair: pair[1]):
        yield f"  {name:<18} {value:.6f}"
    yield from notes


def _kill_lengths(plan: Plan) -> str:
    return ", ".join(map(str, plan.thresholds)) or "run to the end"
