"""``crtools ratio`` and ``crtools derive``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any

from crtools.budget import SECONDS, TimeIsUp, can_stop, seconds_of, within
from crtools.cli.common import (
    DIST,
    FORM_WORD,
    add_command,
    add_forms,
    add_intervals,
    add_json,
    add_words,
    answer,
    clock,
    integers,
    to_int,
    to_intervals,
    wrapped,
)
from crtools.errors import InputError
from crtools.installed_ledgers import default_form
from crtools.names import one_of

if TYPE_CHECKING:
    from crtools.enclosure import Enclosure
    from crtools.ratios import Derivation
    from crtools.ratios.intervals import Intervals
    from crtools.ratios.one_parameter_supremum import SupremumOver
    from crtools.ratios.ratio import Ratio
    from crtools.ratios.supremum import Supremum

Answer = tuple[dict[str, Any], Iterator[str]]
"""A JSON document, and the lines that say the same."""

DIGITS = 10
"""The digits of the bounds of a certified ratio where --digits is not given."""

LONGEST_SHOWN = 400
LONGEST_FORMULA, LONGEST_LATEX = 700, 240
"""Longer exact values and closed forms are printed with --json only."""


def add_laws(commands: Any) -> None:
    """Add both commands."""
    examples = (f'{default_form()} "geometric(q=9/10)" --digits 12', '"pmf(k**2*q**k, q=1/2)" --against volume --s 5')
    ratio = add_command(commands, "ratio", "ratio of a form to another at a length distribution", examples)
    _add_law(ratio)
    ratio.add_argument("--digits", metavar="D", help="certified digits: upper − lower ≤ 10^(1−D)·value")
    add_json(ratio, in_time(_ratio))

    examples = ('"two-point(1, 10, w)" --s s', '"two-point(l, u, w)" --over w')
    what = "closed form, limits and supremum under a law with symbols"
    derive = add_command(commands, "derive", what, examples)
    _add_law(derive)
    derive.add_argument("--plot", metavar="FILE", help="draw it as .png, .svg or .pdf, with a .data.csv beside")
    derive.add_argument(
        "--also", nargs="+", action="extend", default=[], metavar="FORM", help="forms to draw beside it"
    )
    derive.add_argument("--u", metavar="FORMULA", help="what a form that knows u is told of it, such as c/(1-q)")
    derive.add_argument("--over", metavar="NAME", help="the supremum over this parameter alone, in the others")
    add_json(derive, _derive)


def _add_law(parser: argparse.ArgumentParser) -> None:
    add_words(parser, "[POLICY] LAW", f"{FORM_WORD}, then {DIST}")
    add_forms(parser)
    add_intervals(parser)
    add_timeout(parser)


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """Add --timeout, which :func:`in_time` obeys."""
    parser.add_argument("--timeout", metavar="SECONDS", help=f"stop after so long (default {SECONDS:.0f})")


def in_time(run: Callable[[argparse.Namespace], Answer]) -> Callable[[argparse.Namespace], int]:
    """Return what runs a command within --timeout, shows on a terminal that it is at work, and prints the answer."""

    def timed(options: argparse.Namespace) -> int:
        with within(_seconds(options)), clock(options.command):
            document, lines = run(options)
        return answer(options, document, lines)

    return timed


def _seconds(options: argparse.Namespace) -> float | None:
    """Return the budget: --timeout, or the usual one where work can be stopped."""
    if options.timeout is not None:
        return seconds_of("--timeout", options.timeout)
    return SECONDS if can_stop() else None


def in_words(options: argparse.Namespace) -> list[str]:
    """Return the words [POLICY] LAW; ``InputError`` for more."""
    if len(options.words) > 2:
        raise InputError(
            "words",
            " ".join(options.words),
            "must be a law, or a form and a law; quote what has spaces; what it is over is --against FORM",
        )
    return options.words


def _ratio(options: argparse.Namespace) -> Answer:
    from crtools.ratios.solve import ratio

    (s, digits), intervals = integers(options, "s", "digits"), to_intervals(options.intervals)
    found = ratio(*in_words(options), s=s, against=options.against, policy=options.policy, intervals=intervals)
    wanted = digits if digits is not None else DIGITS if found.status == "certified" else None
    enclosure = None if wanted is None else found.enclosure(wanted)
    low, high = (None, None) if enclosure is None else enclosure.decimals((wanted or 0) + 2)
    row: dict[str, Any] = {
        "distribution": found.distribution.spec(),
        "policy": found.policy.name,
        "against": found.against.name,
        "s": found.s,
        "intervals": _listed(found.intervals),
        "value": found.value,
        "exact": None if found.exact is None else str(found.exact),
        "lower": low,
        "upper": high,
        "status": found.status if enclosure is None else "certified",
        "method": found.method if enclosure is None else enclosure.method,
        "describes": list(found.policy.describes),
        "best_blind": _best_blind(found),
    } | ({"truncation": cut} if (cut := found.distribution.truncation) else {})
    return row, _ratio_lines(row, found)


def _best_blind(found: Ratio | Derivation) -> dict[str, Any] | None:
    """Return the best ratio of a blind schedule under the law, where the ratio is to the optimum; None where it is not known."""
    from crtools.blind import best
    from crtools.blind.closed_form import closed_form
    from crtools.errors import InputError, NotCertified
    from crtools.forms import form

    if found.against is not form("optimum") or found.intervals is not None:
        return None
    try:
        if found.distribution.parameters or not isinstance(found.s, int):
            return closed_form(found.distribution, found.s if isinstance(found.s, int) else str(found.s)).as_json()
        own = best(found.distribution, found.s)
    except (InputError, NotCertified):
        return None
    return dict(zip(("lower", "upper"), own.value.decimals(own.digits + 2), strict=True))


def _listed(intervals: Intervals | None) -> list[list[int | None]] | None:
    return None if intervals is None else [list(pair) for pair in intervals.given]


def _on(found: Ratio | Derivation) -> Iterator[str]:
    """Say on which intervals a ratio is taken, and whether they matter."""
    own, form = found.intervals, found.policy
    if own is not None:
        plain = "" if own.single or form.between else f"; {form.name} has no rule across them"
        yield f"  on the intervals {own}{plain}"


def _ratio_lines(row: dict[str, Any], found: Ratio) -> Iterator[str]:
    yield f"the form {row['policy']} over {row['against']} under {found.distribution}, s = {row['s']}: {row['value']:.12g}"
    yield from _on(found)
    if row["exact"] is not None and len(row["exact"]) <= LONGEST_SHOWN:
        yield f"  exact: {row['exact']}"
    if row["lower"] is not None:
        yield f"  certified: {row['lower']} ≤ ratio ≤ {row['upper']}"
    yield f"  status: {row['status']}; method: {row['method']}"
    if (least := row["best_blind"]) is not None:
        yield _best_blind_line(least)
        yield f"  the form is {row['value'] / float(least['upper']):.6g} times V"


def _best_blind_line(least: dict[str, Any]) -> str:
    if "cases" in least:
        told = "; ".join(f"{case['value']} where {case['where']}" for case in least["cases"])
        names = "".join(f", {name} = {value}" for name, value in least["names"].items())
        return f"  the best blind schedule for this law: V = {told}{names} ({least['claim']})"
    return f"  the best blind schedule for this law: {least['lower']} ≤ V ≤ {least['upper']} (crtools best)"


def _derive(options: argparse.Namespace) -> int:
    """Print the closed form as soon as it is there, then the supremum."""
    from crtools.ratios import derive

    s = options.s if options.s.isidentifier() else to_int("s", options.s, ", or a letter")
    intervals = to_intervals(options.intervals)
    _check_plot(options, s, intervals)
    seconds, start = _seconds(options), monotonic()
    with within(seconds), clock(options.command):
        words = in_words(options)
        found = derive(*words, s=s, against=options.against, policy=options.policy, intervals=intervals, u=options.u)
        if options.over is not None:
            one_of("over", options.over, map(str, found.parameters))
        number = found.number() if found.ratio is None and not found.parameters else None
        lines, least = list(_closed_lines(found, number)), _best_blind(found)
        lines += [] if least is None else [_best_blind_line(least)]
        closed = {**_closed_document(found), "best_blind": least} if options.json else {}
    if not options.json:
        print("\n".join(map(wrapped, lines)), flush=True)
    left = None if seconds is None else max(seconds + start - monotonic(), 1.0)
    if options.over is not None:
        with within(left), clock("the supremum"):
            over = found.supremum(over=options.over)
        return answer(options, closed | {"supremum_over": over.as_json()}, _over_lines(over))
    with clock("the supremum"):
        supremum, uncertified = _supremum(found, left)
    document = closed | {
        "supremum": None if supremum is None else supremum.as_json(),
        "number": None if number is None else list(number.decimals(15)),
        "reason": "; ".join(filter(None, (found.reason, uncertified))) or None,
        "evidence": found.evidence,
        "latex": found.latex or None,
    }
    paths = _plotted(options, found)
    document |= {"files": [str(path) for path in paths]} if paths else {}
    drawn = [f"drawn: {paths[0]} (data: {paths[1]})"] if paths else []
    return answer(options, document, chain(_supremum_lines(found, supremum, uncertified), drawn))


def _check_plot(options: argparse.Namespace, s: int | str, intervals: Any) -> None:
    """Raise ``InputError`` where a curve cannot be drawn, before anything is computed."""
    from crtools.plotting.figure import picture_file

    if options.plot is None:
        if options.also:
            raise InputError("--also", " ".join(options.also), "is for --plot FILE")
        return
    picture_file(options.plot)
    if isinstance(s, str):
        raise InputError("s", s, "must be a number for --plot")
    if intervals is not None:
        raise InputError("--intervals", options.intervals, "cannot be drawn: leave out --plot or the intervals")


def _plotted(options: argparse.Namespace, found: Derivation) -> tuple[Any, ...]:
    """Write the curve of the ratio, and of other forms' beside it, and return the paths; none without --plot."""
    if options.plot is None:
        return ()
    from crtools.ratios.curves import ratio_curves

    with within(_seconds(options)), clock("the curves"):
        drawn = ratio_curves(found.distribution, [found.policy, *options.also], found.against, [int(found.s)])
    return drawn.save_as(options.plot)


def _supremum(found: Derivation, seconds: float | None) -> tuple[Supremum | None, str]:
    """Return the supremum, or why there is none."""
    from crtools.errors import NotCertified

    known = found.ratio is not None or found.last_length is not None or found.distribution.entire is not None
    if not (found.parameters and known):
        return None, ""
    try:
        with within(seconds):
            return found.supremum(), ""
    except NotCertified as error:
        return None, f"the supremum is not certified: {error.reason}"
    except TimeIsUp as error:
        return None, f"the supremum: {error}; --timeout gives it more"


def _closed_document(found: Derivation) -> dict[str, Any]:
    return {
        "distribution": found.distribution.spec(),
        "policy": found.policy.name,
        "against": found.against.name,
        "s": found.s if isinstance(found.s, int) else str(found.s),
        "intervals": _listed(found.intervals),
        "u": None if found.upper_end is None else str(found.upper_end.expr),
        **{name: _text(getattr(found, name)) for name in ("ratio", "numerator", "denominator", "alternative")},
        "ranges": {name: str(own) for name, own in found.ranges.items()},
        "limits": [{"parameter": name, "to": str(place), "value": str(value)} for name, place, value in found.limits],
    }


def _closed_lines(found: Derivation, number: Enclosure | None) -> Iterator[str]:
    size = f"s = {found.s}" if isinstance(found.s, int) else f"every {found.s}"
    yield f"ratio of the form {found.policy.name} to {found.against.name} under {found.distribution.spec()}, {size}"
    yield from _on(found)
    if found.upper_end is not None:
        yield f"  the form is told u = {found.upper_end.expr}"
    for own in found.ranges.values():
        yield f"  range: {own}"
    if found.ratio is None:
        yield f"  no closed form: {found.reason}"
        if number is not None:
            low, high = number.decimals(15)
            yield f"  certified: {low} ≤ ratio ≤ {high} ({number.method})"
        if found.last_length is not None:
            yield from _first_values(found)
    else:
        yield f"  {_formula(found.ratio)}"
        if len(found.latex) <= LONGEST_LATEX:
            yield f"  LaTeX: {found.latex}"
    if found.alternative is not None:
        yield f"  in α = l/u and t = x_l/x_u: {found.alternative}"
    yield from _limit_lines(found)


def _limit_lines(found: Derivation) -> Iterator[str]:
    from crtools.ratios.supremum import end_text

    for name, place, value in found.limits:
        decimal = "" if value.is_infinite or value.is_Integer or value.free_symbols else f" = {float(value):.12g}"
        yield f"  limit for {name} → {end_text(place)}: {_formula(end_text(value))}{decimal}"


def _formula(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_FORMULA else f"a formula of {len(text)} characters; --json prints it"


def _first_values(found: Derivation) -> Iterator[str]:
    """Yield a line with a few certified values of the ratio at last lengths u."""
    sequence = found.last_length
    assert sequence is not None
    low, name = sequence.law.l, found.parameters[0]
    places = [n for n in (0, 9, 99, 999) if n < len(sequence.values)]
    yield "  " + ", ".join(f"{name} = {low + n}: {sequence.values[n].middle:.9g}" for n in places)


def _over_lines(over: SupremumOver) -> Iterator[str]:
    yield f"  supremum over {over.parameter}: {over.value}"
    if over.alternative is not None:
        yield f"    in α = l/u: {over.alternative}"
    yield f"    {over.place}; {over.status} ({over.method})"


def _supremum_lines(found: Derivation, supremum: Supremum | None, uncertified: str) -> Iterator[str]:
    if supremum is not None:
        yield f"  supremum: {supremum.value_text}, {supremum.place}; {supremum.status} ({supremum.method})"
        shown = supremum.as_json()
        if shown["lower"] is not None:
            yield f"    {shown['lower']} ≤ supremum ≤ {shown['upper']}"
    if found.reason and found.ratio is not None:
        yield f"  {found.reason}"
    if uncertified:
        yield f"  {uncertified}"
    if found.evidence:
        places = "; ".join(row["at"] for row in found.evidence)
        yield f"  direct sums agree at {places}"


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
