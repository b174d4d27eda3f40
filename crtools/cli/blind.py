"""``crtools best``, the best blind schedule for a distribution of lengths, and ``crtools minimax``, the best ratio without knowing it.

The computations are in :mod:`crtools.blind.best` and :mod:`crtools.blind.minimax`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar, clock, integers, read_laws, refuse, say_skipped
from crtools.errors import InputError
from crtools.files import write_text
from crtools.ledger.cache import default_folder
from crtools.ledger.display.words import in_words
from crtools.ledger.registry import answering
from crtools.numeric_types import JsonObject
from crtools.plotting.figure import picture_file
from crtools.tables import WIDTH, table

if TYPE_CHECKING:
    from crtools.blind.best import Best, ClosedForm, Plan
    from crtools.blind.joint_law import BestForClasses
    from crtools.blind.minimax import Interval, Minimax


def write_certificate(path: str, certificate: JsonObject) -> None:
    """Write a certificate to the file that --certificate names."""
    from crtools.ledger.certificates import text

    write_text("--certificate", path, text(certificate))


NBUE = {
    True: "the sizes are NBUE (new better than used in expectation): killing is useless",
    False: "the sizes are not NBUE (new better than used in expectation): killing helps",
    None: "whether the sizes are NBUE, so that killing is useless: not decided",
}
"""The line for each value of ``Best.nbue``."""

KILLING = {True: "killing helps", False: "killing does not help", None: "whether killing helps is not decided"}
"""The words for each value of ``BestForClasses.killing_helps``."""

LEAST_SHARE = 0.00005
"""The smallest share of a plan that is printed, 0.01 % when rounded."""

MOST_PLANS, MOST_CLASS_PLANS, MOST_SHARES = 6, 3, 4
"""Upper limits on what is printed: plans, plans for each class of a joint law, lengths of the worst law; --json has all."""


END = "end of the interval that the other forms assume (default: of the law); V does not depend on it"


@cli.command(
    "best", ('"geometric(q=9/10)" --s 20 --digits 10 --json', "csv:trace.csv#out,prompt --cost seconds --memory 60000"),
    cli.argument("distribution", metavar="LAW", help=f"{cli.LAW_WORD}; or csv:FILE#OUTPUT,PROMPT, a joint law"),
    cli.PROMPT,
    cli.option("--cost", "COST",
               "of an attempt: volume, seconds, or set-up,per token,per token-instant (default volume)", "volume"),
    cli.option("--memory", "M", "tokens that memory holds, for --cost seconds"),
    cli.option("--classes", "K", "number of quantile classes of prompts for a joint law (default 16)"),
    cli.option("--l", "L", f"lower {END}"),
    cli.option("--u", "U", "upper end of it"),
    cli.option("--digits", "D", "certified digits (default 8; of a joint law 5)"),
    cli.SKIP_INVALID,
    cli.CERTIFICATE,
    cli.plot("where attempts run and the price"),
)  # fmt: skip
def best(options: argparse.Namespace) -> int:
    """The best blind schedule for a law, against the optimum."""
    from crtools.blind import best
    from crtools.blind.best import closed_form, policy_interval
    from crtools.distributions import distribution
    from crtools.process.workload import names_rows

    if names_rows(options.distribution) and "," in options.distribution.rpartition("#")[2]:
        return _best_for_classes(options)
    refuse(options, "only applies to a joint law, csv:FILE#OUTPUT,PROMPT", "classes")
    law = distribution(*read_laws(options, [options.distribution]))
    if law.parameters:
        refuse(options, "needs a law without symbols", "plot", "certificate", "l", "u", "memory")
        if options.cost != "volume":
            raise InputError("--cost", options.cost, "needs a law without symbols")
        form = closed_form(law, options.s if options.s.isidentifier() else next(integers(options, "s")))
        return answer(options, form.as_json(), _closed_form_lines(form))
    if options.cost != "volume":
        only = "only applies to the cost volume"
        refuse(options, f"{only}: crtools-check knows no other", "certificate")
        refuse(options, only, "plot", "l", "u")
    s, digits, l, u, memory = integers(options, "s", "digits", "l", "u", "memory")
    interval = policy_interval(law, l, u)
    if options.plot is not None:
        picture_file(options.plot)
    progress = bar("the best mixture of plans", lambda gap: f"within {gap:.0e}")
    schedule = best(law, s, 8 if digits is None else digits, cost=options.cost, memory=memory, progress=progress)
    with clock("the forms beside it"):
        forms = schedule.forms(l, u)
    document, notes = {**schedule.as_json(), "l": interval[0], "u": interval[1], "forms": forms}, list[str]()
    if options.certificate is not None:
        from crtools.blind.certificate_writer import of_law

        write_certificate(options.certificate, of_law(schedule))
        notes.append(_certificate_note(schedule, options.certificate))
    if options.plot is not None:
        picture, data = schedule.plot().save_as(options.plot)
        document["files"] = [str(picture), str(data)]
        notes.append(f"drawn: {picture} (data: {data})")
    return answer(options, document, _lines(schedule, forms, notes))


def _best_for_classes(options: argparse.Namespace) -> int:
    from crtools.blind.joint_law import best_for_classes
    from crtools.process.workload import workload

    refuse(options, "only applies to one law of lengths", "certificate", "plot", "l", "u")
    if options.s != "0":
        raise InputError("--s", options.s, "must be left out where the file has prompts")
    classes, digits, memory = integers(options, "classes", "digits", "memory")
    progress = bar("the best mixtures of plans", lambda gap: f"within {gap:.0e}")
    number, accuracy = 16 if classes is None else classes, 5 if digits is None else digits
    source, cost = options.distribution, options.cost
    rows = workload(source, skip_invalid=options.skip_invalid)
    say_skipped(rows.skipped, source)
    schedule = best_for_classes(rows, number, accuracy, cost=cost, memory=memory, progress=progress)
    return answer(options, {"law": source, **schedule.as_json()}, _class_lines(source, schedule))


def _class_lines(source: str, schedule: BestForClasses) -> Iterator[str]:
    yield f"the best blind schedule for {source}, over the optimum:"
    yield f"  {len(schedule.classes)} class{'es' * (len(schedule.classes) > 1)} of prompts; cost of an attempt: {schedule.cost}"
    yield f"  V {schedule.shown}"
    yield "  (certified; for n → ∞ on one machine; blind: sees the class of the prompt)"
    through = float(schedule.run_through)
    yield f"run to the end, smallest expected cost first: {through:.6f}"
    saved = 1 - float(schedule.value.lower) / through
    gain = f"; it saves at most {saved:.2%}" if schedule.killing_helps is not False else ""
    yield f"  {KILLING[schedule.killing_helps]}{gain}"
    yield "by class: prompts, share, E cost, set-up and the σ* from which kills are useless"
    for row in schedule.classes:
        prompts = f"{row.prompts[0]}-{row.prompts[1]}"
        costs = (row.mean_cost, row.mean_set_up, row.set_up_threshold)
        yield f"  {prompts:>15} {float(row.share):7.2%}" + "".join(f" {float(x):11.6g}" for x in costs)
        yield from (f"{float(p.share):25.2%}  {_kill_lengths(p)}" for p in row.plans[:MOST_CLASS_PLANS])
        if len(row.plans) > MOST_CLASS_PLANS:
            yield f"{'':27}and {len(row.plans) - MOST_CLASS_PLANS} more plans (--json)"


def _closed_form_lines(form: ClosedForm) -> Iterator[str]:
    yield f"the best blind schedule for {form.law.spec()}, s = {form.s}, over the optimum:"
    yield from (f"  {name} = {value}" for name, value in form.names.items())
    for case in form.cases:
        yield f"  where {case.where} ≥ 0:"
        yield f"    V = {case.value}"
        killed = f"killed at the smaller length first, a share of {case.tried}"
        yield f"    {killed if case.tried else 'all run to their ends'}"
    if len(form.cases) == 1:
        yield "  else killing helps, and V is known for numbers only"
    yield f"  (proved: {form.claim})"


def _certificate_note(schedule: Best, file: str) -> str:
    from crtools.blind.certificate_writer import is_of_the_law

    if is_of_the_law(schedule):
        return f"certificate: {file}"
    how = "with lengths rounded up" if schedule.bracket.in_cells else "with rounded weights"
    ends = how + ("" if schedule.law.finite else f", cut off at {schedule.bracket.lengths[-1]}")
    return f"certificate: {file}, of the law {ends}: V of both is between its two sides"


def _lines(schedule: Best, forms: dict[str, float], notes: list[str]) -> Iterator[str]:
    from crtools.forms import known_forms

    yield f"the best blind schedule for {schedule.law}, s = {schedule.s}, over the optimum:"
    volume = not schedule.cost.set_up and not schedule.cost.per_token
    if not volume:
        yield f"  cost of an attempt: {schedule.cost}"
    yield f"  V {schedule.shown()}"
    limit = "n → ∞ and then M → ∞" if volume else "n → ∞ on one machine"
    yield f"  (certified; for {limit}; blind: learns a length when it completes)"
    if schedule.rounding is not None:
        yield f"  {schedule.rounding}"
    yield "plans: kill at these lengths, then run to the end"
    frequent = [plan for plan in schedule.plans[:MOST_PLANS] if plan.share >= LEAST_SHARE]
    for plan in frequent:
        yield f"  {float(plan.share):7.2%}  {_kill_lengths(plan)}"
    if len(schedule.plans) > len(frequent):
        yield f"  and {len(schedule.plans) - len(frequent)} more plans (--json)"
    most = "at most " if schedule.bracket.in_cells else ""
    yield f"one plan for all: {most}{float(schedule.common_ratio.upper):.6f}  {_kill_lengths(schedule.common)}"
    yield f"run to the end:   {most}{float(schedule.run_through.upper):.6f}"
    yield f"  {NBUE[schedule.nbue]}"
    if schedule.set_up_threshold is not None:
        set_up = float(schedule.cost.set_up_of(schedule.s))
        yield f"  killing is useless if a set-up costs {float(schedule.set_up_threshold):.6g} or more; here it costs {set_up:.6g}"
    yield from notes
    if not forms:
        return
    yield "forms of policies over the same optimum, supported:"
    known, ordered = known_forms(), sorted(forms.items(), key=lambda pair: pair[1])
    yield table([(f"  {name}", f"{value:.6f}", known[name].summary) for name, value in ordered], cut=True)


def _kill_lengths(plan: Plan) -> str:
    return ", ".join(map(str, plan.thresholds)) or "run to the end"


# ---- minimax ---------------------------------------------------------------------------------------------------------


@cli.command(
    "minimax", ("--digits 30", "--u 1000 --s 5 --json"),
    cli.option("--digits", "D", "certified digits (default 10)", "10"),
    cli.option("--u", "U", "upper end: also bound the ratio for lengths in [l, u]; for up to 100 the bounds meet, after minutes"),
    cli.option("--l", "L", "lower end (default 1)"),
    cli.option("--s", "S", "prompt size in tokens (default 0)"),
    cli.CERTIFICATE,
)  # fmt: skip
def minimax(options: argparse.Namespace) -> int:
    """The best ratio to the optimum without knowing lengths."""
    from crtools.blind import minimax

    digits, s, l, u = integers(options, "digits", "s", "l", "u")
    if u is None:
        refuse(options, "needs --u, the end of the interval", "certificate")
    with clock("deciding both inequalities" if u is None else "closing the interval: minutes for 100 lengths"):
        result = minimax(digits, s=s, l=l, u=u, cache=default_folder())
    if options.certificate is not None and (interval := result.interval) is not None:
        from crtools.blind.certificate_writer import of_interval

        if interval.closed is None:
            allowed = "needs an interval of at most 100 lengths on which both sides meet"
            raise InputError("--certificate", f"[{interval.l}, {interval.u}]", allowed)
        write_certificate(options.certificate, of_interval(interval.closed))
    return answer(options, result.as_json(), _minimax_lines(result))


def _minimax_lines(result: Minimax) -> Iterator[str]:
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
    ledger, claim, _ = answering("round robin, upper")
    yield f"has at most 2 − 2/(n+1) times the optimum (verify --ledger {ledger.name} {claim})"
    if result.interval is not None:
        yield from _interval_lines(result.interval)


def _interval_lines(interval: Interval) -> Iterator[str]:
    from crtools.enclosure import decimal

    closed = interval.closed
    digits = 8 if closed is None else 12
    yield f"lengths in [{interval.l}, {interval.u}], s = {interval.s}, in the limit of the process:"
    yield f"  to the optimum: no blind policy is below {decimal(interval.lower, digits, up=False)}"
    if closed is not None:
        yield f"    a mixture of {len(closed.plans)} plans has at most {decimal(interval.upper, digits, up=True)}"
    yield f"    ({interval.method})"
    yield f"    own random offsets have at most {decimal(interval.own_offsets, 8, up=True)}"
    if closed is not None:
        shares = sorted(closed.weights.items(), key=lambda pair: -pair[1])[:MOST_SHARES]
        yield f"    the worst law: {', '.join(f'{o}: {float(w):.2%}' for o, w in shares)}, … (--json)"
    yield f"  to H-SF as a process: at most {decimal(interval.against_h_sf_process, 8, up=True)} too; the best ratio is open"
    yield f"  to H-SF's form: own offsets in steps have at most {decimal(interval.against_h_sf, 8, up=True)}, for every u"
    yield "    (in steps: they kill at whole ages, and have no threshold below v(l))"
    yield f"    (certified: {interval.h_sf_form.method})"


CLASS = (
    "blind: learns a length when the request completes. Kill and restart: a",
    "request that does not run has lost its tokens; pausing with its memory kept",
    "does not help. A preemptive policy does better: on one machine round robin",
)
"""The class of policies of the first line."""
