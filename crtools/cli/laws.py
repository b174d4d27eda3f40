"""``crtools ratio`` and ``crtools derive``: the ratio of two forms under a distribution, as a number or in symbols."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from crtools.budget import SECONDS, TimeIsUp, can_stop, seconds_of, within
from crtools.cli.common import (
    FORM_WORD,
    LAW_WORD,
    Command,
    Commands,
    answer,
    clock,
    integers,
    read_laws,
    to_int,
    to_intervals,
    wrapped,
)  # fmt: skip
from crtools.errors import InputError
from crtools.installed_ledgers import default_form
from crtools.names import one_of

if TYPE_CHECKING:
    from pathlib import Path

    from crtools.enclosure import Enclosure
    from crtools.numeric_types import JsonObject, SymExpr
    from crtools.ratios import Derivation
    from crtools.ratios.intervals import Intervals
    from crtools.ratios.one_parameter_supremum import SupremumOver
    from crtools.ratios.ratio import Ratio
    from crtools.ratios.supremum import Supremum

Answer: TypeAlias = "tuple[JsonObject, Iterator[str]]"
"""The result of a command as a JSON document, and as lines for the terminal."""

DIGITS = 10
"""Digits of the bounds of a certified ratio, by default."""

MOST_BITS = 10_000
"""Fractions with longer denominators, in bits, are not written out."""

LONGEST_EXACT, LONGEST_FORMULA, LONGEST_LATEX = 400, 700, 240
"""Longer exact values and closed forms are printed with --json only."""


def add_laws(commands: Commands) -> None:
    """Add both commands."""
    examples = (f'{default_form()} "geometric(q=9/10)" --digits 12', '"pmf(k**2*q**k, q=1/2)" --against volume --s 5')
    ratio = commands.add("ratio", in_time(_ratio), "ratio of a form to another at a length distribution", examples)
    _add_law(ratio)
    ratio.option("--digits", "D", "certified digits: upper − lower ≤ 10^(1−D)·value")

    examples = ('"two-point(1, 10, w)" --s s', '"two-point(l, u, w)" --over w')
    derive = commands.add("derive", _derive, "closed form, limits and supremum under a law with symbols", examples)
    _add_law(derive)
    derive.plot()
    what = "forms to draw beside it"
    derive.add_argument("--also", nargs="+", action="extend", default=[], metavar="FORM", help=what)
    derive.option("--u", "FORMULA", "the upper end that the form knows, such as c/(1-q)")
    derive.option("--over", "NAME", "the supremum over this parameter alone, in the others")


def _add_law(command: Command) -> None:
    command.words("[POLICY] LAW", f"{FORM_WORD}, then {LAW_WORD}")
    command.forms()
    command.intervals()
    command.skip_invalid()
    command.timeout()


def in_time(run: Callable[[argparse.Namespace], Answer]) -> Callable[[argparse.Namespace], int]:
    """Wrap a command: run it within --timeout, show a clock on a terminal, and print the answer."""

    def timed(options: argparse.Namespace) -> int:
        with within(_seconds(options)), clock(options.command):
            document, lines = run(options)
        return answer(options, document, lines)

    return timed


def _seconds(options: argparse.Namespace) -> float | None:
    """Return the time budget: --timeout, or the default one where work can be stopped."""
    if options.timeout is not None:
        return seconds_of("--timeout", options.timeout)
    return SECONDS if can_stop() else None


def _words(options: argparse.Namespace) -> list[Any]:
    """Return the words [POLICY] LAW; ``InputError`` for more."""
    if len(options.words) > 2:
        raise InputError(
            "words",
            " ".join(options.words),
            "must be a law, or a form and a law (quote what has spaces); the denominator is --against FORM",
        )
    return read_laws(options, options.words)


def _ratio(options: argparse.Namespace) -> Answer:
    from crtools.ratios.ratio import ratio

    (s, digits), intervals = integers(options, "s", "digits"), to_intervals(options.intervals)
    result = ratio(*_words(options), s=s, against=options.against, policy=options.policy, intervals=intervals)
    wanted = digits if digits is not None else DIGITS if result.status == "certified" else None
    enclosure = None if wanted is None else result.enclosure(wanted)
    low, high = (None, None) if enclosure is None else enclosure.decimals((wanted or 0) + 2)
    row: JsonObject = {
        "distribution": result.distribution.spec(),
        "policy": result.policy.name,
        "against": result.against.name,
        "s": result.s,
        "intervals": _interval_pairs(result.intervals),
        "value": result.value,
        "exact": _optional_exact(result.exact),
        "lower": low,
        "upper": high,
        "status": result.status if enclosure is None else "certified",
        "method": result.method if enclosure is None else enclosure.method,
        "describes": list(result.policy.describes),
        "best_blind": _best_blind(result),
    } | ({"truncation": cut} if (cut := result.distribution.truncation) else {})
    return row, _ratio_lines(row, result)


def _best_blind(result: Ratio | Derivation) -> JsonObject | None:
    """Return the best ratio of a blind schedule under the distribution; None unless the ratio is to the optimum and it is known."""
    from crtools.blind import best
    from crtools.blind.best import closed_form
    from crtools.errors import NotCertified
    from crtools.forms import form

    if result.against is not form("optimum") or result.intervals is not None:
        return None
    try:
        if result.distribution.parameters or not isinstance(result.s, int):
            return closed_form(result.distribution, result.s if isinstance(result.s, int) else str(result.s)).as_json()
        optimum = best(result.distribution, result.s)
    except (InputError, NotCertified):
        return None
    return dict(zip(("lower", "upper"), optimum.value.decimals(optimum.reached + 2), strict=True))


def _interval_pairs(intervals: Intervals | None) -> list[list[int | None]] | None:
    return None if intervals is None else [list(pair) for pair in intervals.given]


def _interval_lines(result: Ratio | Derivation) -> Iterator[str]:
    """Say on which intervals a ratio is taken, and whether they matter."""
    intervals, form = result.intervals, result.policy
    if intervals is not None:
        no_rule = "" if intervals.single or form.between else f"; {form.name} has no rule across them"
        yield f"  on the intervals {intervals}{no_rule}"


def _ratio_lines(row: JsonObject, result: Ratio) -> Iterator[str]:
    yield f"the form {row['policy']} over {row['against']} under {result.distribution}, s = {row['s']}: {row['value']:.12g}"
    yield from _interval_lines(result)
    if row["exact"] is not None and len(row["exact"]) <= LONGEST_EXACT:
        yield f"  exact: {row['exact']}"
    if row["lower"] is not None:
        yield f"  certified: {row['lower']} ≤ ratio ≤ {row['upper']}"
    yield f"  status: {row['status']}; method: {row['method']}"
    if (blind := row["best_blind"]) is not None:
        yield _best_blind_line(blind)
        yield f"  the form is {row['value'] / float(blind['upper']):.6g} times V"


def _best_blind_line(blind: JsonObject) -> str:
    if "cases" in blind:
        cases = "; ".join(f"{case['value']} where {case['where']}" for case in blind["cases"])
        names = "".join(f", {name} = {value}" for name, value in blind["names"].items())
        return f"  the best blind schedule for this law: V = {cases}{names} ({blind['claim']})"
    return f"  the best blind schedule for this law: {blind['lower']} ≤ V ≤ {blind['upper']} (crtools best)"


def _derive(options: argparse.Namespace) -> int:
    """Print the closed form as soon as it is there, then the supremum."""
    from crtools.ratios import derive

    s = options.s if options.s.isidentifier() else to_int("s", options.s, ", or a letter")
    intervals = to_intervals(options.intervals)
    _refuse_bad_plot(options, s)
    seconds, start = _seconds(options), monotonic()
    with within(seconds), clock(options.command):
        words = _words(options)
        result = derive(*words, s=s, against=options.against, policy=options.policy, intervals=intervals, u=options.u)
        if options.over is not None:
            one_of("over", options.over, map(str, result.parameters))
        number = result.number() if result.ratio is None and not result.parameters else None
        lines, blind = list(_closed_lines(result, number)), _best_blind(result)
        lines += [] if blind is None else [_best_blind_line(blind)]
        closed = {**_closed_document(result), "best_blind": blind} if options.json else {}
    if not options.json:
        print("\n".join(map(wrapped, lines)), flush=True)
    remaining = None if seconds is None else max(seconds + start - monotonic(), 1.0)
    if options.over is not None:
        with within(remaining), clock("the supremum"):
            over = result.supremum(over=options.over)
        return answer(options, closed | {"supremum_over": over.as_json()}, _over_lines(over))
    with clock("the supremum"):
        supremum, uncertified = _supremum(result, remaining)
    document = closed | {
        "supremum": None if supremum is None else supremum.as_json(),
        "number": None if number is None else list(number.decimals(15)),
        "reason": "; ".join(filter(None, (result.reason, uncertified))) or None,
        "evidence": result.evidence,
        "latex": result.latex or None,
    }
    paths = _save_plot(options, result)
    document |= {"files": [str(path) for path in paths]} if paths else {}
    plot_line = [f"drawn: {paths[0]} (data: {paths[1]})"] if paths else []
    return answer(options, document, chain(_supremum_lines(result, supremum, uncertified), plot_line))


def _refuse_bad_plot(options: argparse.Namespace, s: int | str) -> None:
    """Raise ``InputError`` where a curve cannot be drawn, before anything is computed."""
    from crtools.plotting.figure import picture_file

    if options.plot is None:
        if options.also:
            raise InputError("--also", " ".join(options.also), "is for --plot FILE")
        return
    picture_file(options.plot)
    if isinstance(s, str):
        raise InputError("s", s, "must be a number for --plot")
    if options.intervals is not None:
        raise InputError("--intervals", options.intervals, "cannot be drawn: leave out --plot or the intervals")


def _save_plot(options: argparse.Namespace, result: Derivation) -> tuple[Path, ...]:
    """Write the curves of the ratios of the form and of --also, and return the paths; none without --plot."""
    if options.plot is None:
        return ()
    from crtools.ratios.curves import ratio_curves

    with within(_seconds(options)), clock("the curves"):
        figure = ratio_curves(result.distribution, [result.policy, *options.also], result.against, [int(result.s)])
    return figure.save_as(options.plot)


def _supremum(result: Derivation, seconds: float | None) -> tuple[Supremum | None, str]:
    """Return the supremum, or why there is none."""
    from crtools.errors import NotCertified

    computable = result.ratio is not None or result.last_length is not None or result.distribution.entire is not None
    if not (result.parameters and computable):
        return None, ""
    try:
        with within(seconds):
            return result.supremum(), ""
    except NotCertified as error:
        return None, f"the supremum is not certified: {error.reason}"
    except TimeIsUp as error:
        return None, f"the supremum: {error}; --timeout gives it more"


def _closed_document(result: Derivation) -> JsonObject:
    return {
        "distribution": result.distribution.spec(),
        "policy": result.policy.name,
        "against": result.against.name,
        "s": result.s if isinstance(result.s, int) else str(result.s),
        "intervals": _interval_pairs(result.intervals),
        "u": None if result.upper_end is None else str(result.upper_end.expr),
        **{
            name: None if (part := getattr(result, name)) is None else str(part)
            for name in ("ratio", "numerator", "denominator", "alternative")
        },
        "ranges": {name: str(interval) for name, interval in result.ranges.items()},
        "limits": [{"parameter": name, "to": str(end), "value": str(value)} for name, end, value in result.limits],
    }


def _closed_lines(result: Derivation, number: Enclosure | None) -> Iterator[str]:
    size = f"s = {result.s}" if isinstance(result.s, int) else f"every {result.s}"
    yield f"ratio of the form {result.policy.name} to {result.against.name} under {result.distribution.spec()}, {size}"
    yield from _interval_lines(result)
    if result.upper_end is not None:
        yield f"  the form is told u = {result.upper_end.expr}"
    for interval in result.ranges.values():
        yield f"  range: {interval}"
    if result.ratio is None:
        yield f"  no closed form: {result.reason}"
        if number is not None:
            low, high = number.decimals(15)
            yield f"  certified: {low} ≤ ratio ≤ {high} ({number.method})"
        if result.last_length is not None:
            yield from _values_at_last_lengths(result)
    else:
        yield f"  {_formula(result.ratio)}"
        if len(result.latex) <= LONGEST_LATEX:
            yield f"  LaTeX: {result.latex}"
    if result.alternative is not None:
        yield f"  in α = l/u and t = x_l/x_u: {result.alternative}"
    yield from _limit_lines(result)


def _limit_lines(result: Derivation) -> Iterator[str]:
    from crtools.ratios.supremum import end_text

    for name, end, value in result.limits:
        decimal = "" if value.is_infinite or value.is_Integer or value.free_symbols else f" = {float(value):.12g}"
        yield f"  limit for {name} → {end_text(end)}: {_formula(end_text(value))}{decimal}"


def _formula(value: SymExpr | str) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_FORMULA else f"a formula of {len(text)} characters; --json prints it"


def _values_at_last_lengths(result: Derivation) -> Iterator[str]:
    """Yield a line with a few certified values of the ratio at last lengths u."""
    sequence = result.last_length
    assert sequence is not None
    low, name = sequence.law.l, result.parameters[0]
    indices = [n for n in (0, 9, 99, 999) if n < len(sequence.values)]
    yield "  " + ", ".join(f"{name} = {low + n}: {sequence.values[n].middle:.9g}" for n in indices)


def _over_lines(over: SupremumOver) -> Iterator[str]:
    yield f"  supremum over {over.parameter}: {over.value}"
    if over.alternative is not None:
        yield f"    in α = l/u: {over.alternative}"
    yield f"    {over.place}; {over.status} ({over.method})"


def _supremum_lines(result: Derivation, supremum: Supremum | None, uncertified: str) -> Iterator[str]:
    if supremum is not None:
        yield f"  supremum: {supremum.value_text}, {supremum.place}; {supremum.status} ({supremum.method})"
        bounds = supremum.as_json()
        if bounds["lower"] is not None:
            yield f"    {bounds['lower']} ≤ supremum ≤ {bounds['upper']}"
    if result.reason and result.ratio is not None:
        yield f"  {result.reason}"
    if uncertified:
        yield f"  {uncertified}"
    if result.evidence:
        points = "; ".join(row["at"] for row in result.evidence)
        yield f"  direct sums agree at {points}"


def _optional_exact(value: Fraction | SymExpr | None) -> str | None:
    """Return an exact value as text, None for a fraction with more digits than Python writes."""
    too_long = isinstance(value, Fraction) and value.denominator.bit_length() > MOST_BITS
    return None if value is None or too_long else str(value)
