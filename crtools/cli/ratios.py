"""``crtools ratio``, ``derive``, ``switch`` and ``worst-case``: ratios of forms.

Under a distribution as numbers, in symbols, and where two cross; over all distributions their supremum.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any

from crtools.budget import SECONDS, TimeIsUp, can_stop, seconds_of, within
from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar, clock, integers, one_word, read_laws, refuse, to_int, to_intervals, wrapped
from crtools.errors import MISSING, InputError, NotCertified
from crtools.installed_ledgers import default_form
from crtools.names import one_of
from crtools.plotting.figure import picture_file
from crtools.setting import LARGEST_LENGTH
from crtools.tables import table
from crtools.user_file import is_file

if TYPE_CHECKING:
    from crtools.enclosure import Enclosure
    from crtools.numeric_types import JsonObject, SymExpr
    from crtools.ratios import Derivation
    from crtools.ratios.one_parameter_supremum import SupremumOver
    from crtools.ratios.ratio import Ratio
    from crtools.ratios.supremum import Supremum
    from crtools.ratios.switch import Crossing, Piece, Switch

DIGITS = 10
"""Digits of the bounds of a certified ratio, by default."""

MOST_BITS = 10_000
"""Fractions with longer denominators, in bits, are not written out."""

LONGEST_EXACT, LONGEST_FORMULA, LONGEST_LATEX, LONGEST_POLYNOMIAL = 400, 700, 240, 200
"""Exact values, closed forms and polynomials of more characters are printed with --json only."""

CROSSING_DIGITS = 15
"""Significant digits of an irrational crossing; at most 24, as it is enclosed up to ``crtools.signs.charts.WIDTH``."""


LAW = (
    cli.words("[POLICY] LAW", f"{cli.FORM_WORD}, then {cli.LAW_WORD}"),
    cli.POLICY, cli.AGAINST, cli.PROMPT, cli.INTERVALS, cli.SKIP_INVALID, cli.TIMEOUT,
)  # fmt: skip
"""What ``ratio`` and ``derive`` both take."""


def _seconds(options: argparse.Namespace) -> float | None:
    """Return the time budget: --timeout, or the default one where work can be stopped."""
    if options.timeout is not None:
        return seconds_of("--timeout", options.timeout)
    return SECONDS if can_stop() else None


def _size(options: argparse.Namespace, more: str = "") -> int | str:
    return options.s if options.s.isidentifier() else to_int("s", options.s, more)


def _words(options: argparse.Namespace) -> list[Any]:
    """Return the words [POLICY] LAW; ``InputError`` for more."""
    if len(options.words) > 2:
        allowed = "must be a law, or a form and a law (quote what has spaces); the denominator is --against FORM"
        raise InputError("words", " ".join(options.words), allowed)
    return read_laws(options, options.words)


@cli.command(
    "ratio", (f'{default_form()} "geometric(q=9/10)" --digits 12', '"pmf(k**2*q**k, q=1/2)" --against volume --s 5'),
    *LAW,
    cli.option("--digits", "D", "certified digits: upper − lower ≤ 10^(1−D)·value"),
)  # fmt: skip
def ratio(options: argparse.Namespace) -> int:
    """Ratio of a form to another at a length distribution."""
    with within(_seconds(options)), clock(options.command):
        from crtools.ratios.ratio import ratio

        (s, digits), intervals = integers(options, "s", "digits"), to_intervals(options.intervals)
        result = ratio(*_words(options), s=s, against=options.against, policy=options.policy, intervals=intervals)
        wanted = digits if digits is not None else DIGITS if result.status == "certified" else None
        enclosure = None if wanted is None else result.enclosure(wanted)
        exact = result.exact
        too_long = isinstance(exact, Fraction) and exact.denominator.bit_length() > MOST_BITS
        row: JsonObject = {
            **_asked(result),
            "value": result.value,
            "exact": None if exact is None or too_long else str(exact),
            **_bounds(enclosure, (wanted or 0) + 2),
            "status": result.status if enclosure is None else "certified",
            "method": result.method if enclosure is None else enclosure.method,
            "describes": list(result.policy.describes),
            "best_blind": _best_blind(result),
        } | ({"truncation": cut} if (cut := result.distribution.truncation) else {})
    return answer(options, row, _ratio_lines(row, result))


def _asked(result: Ratio | Derivation) -> JsonObject:
    """Return what a ratio is of, as JSON data."""
    return {
        "distribution": result.distribution.spec(),
        "policy": result.policy.name,
        "against": result.against.name,
        "s": result.s if isinstance(result.s, int) else str(result.s),
        "intervals": None if result.intervals is None else [list(pair) for pair in result.intervals.given],
    }


def _bounds(enclosure: Enclosure | None, digits: int) -> JsonObject:
    """Return the ends of an enclosure as decimals, rounded outward."""
    low, high = (None, None) if enclosure is None else enclosure.decimals(digits)
    return {"lower": low, "upper": high}


def _best_blind(result: Ratio | Derivation) -> JsonObject | None:
    """Return the best ratio of a blind schedule under the distribution; None unless the ratio is to the optimum and it is known."""
    from crtools.blind import best
    from crtools.blind.best import closed_form
    from crtools.forms import form

    if result.against is not form("optimum") or result.intervals is not None:
        return None
    try:
        if result.distribution.parameters or not isinstance(result.s, int):
            return closed_form(result.distribution, result.s if isinstance(result.s, int) else str(result.s)).as_json()
        optimum = best(result.distribution, result.s)
    except (InputError, NotCertified):
        return None
    return _bounds(optimum.value, optimum.reached + 2)


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


@cli.command(
    "derive", ('"two-point(1, 10, w)" --s s', '"two-point(l, u, w)" --over w'),
    *LAW,
    cli.plot(),
    cli.argument("--also", nargs="+", action="extend", default=[], metavar="FORM", help="forms to draw beside it"),
    cli.option("--u", "FORMULA", "the upper end that the form knows, such as c/(1-q)"),
    cli.option("--over", "NAME", "the supremum over this parameter alone, in the others"),
)  # fmt: skip
def derive(options: argparse.Namespace) -> int:
    """Closed form, limits and supremum under a law with symbols."""
    from crtools.ratios import derive

    s = _size(options, ", or a letter")
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
    lines = _supremum_lines(result, supremum, uncertified)
    if options.plot is not None:
        from crtools.ratios.derivation import ratio_curves

        with within(_seconds(options)), clock("the curves"):
            figure = ratio_curves(result.distribution, [result.policy, *options.also], result.against, [int(result.s)])
        picture, data = figure.save_as(options.plot)
        document["files"] = [str(picture), str(data)]
        lines = chain(lines, [f"drawn: {picture} (data: {data})"])
    return answer(options, document, lines)


def _refuse_bad_plot(options: argparse.Namespace, s: int | str) -> None:
    """Raise ``InputError`` where a curve cannot be drawn, before anything is computed."""
    if options.plot is None:
        refuse(options, "is for --plot FILE", "also")
        return
    picture_file(options.plot)
    if isinstance(s, str):
        raise InputError("s", s, "must be a number for --plot")
    refuse(options, "cannot be drawn: leave out --plot or the intervals", "intervals")


def _supremum(result: Derivation, seconds: float | None) -> tuple[Supremum | None, str]:
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
    parts = {name: getattr(result, name) for name in ("ratio", "numerator", "denominator", "alternative")}
    return {
        **_asked(result),
        "u": None if result.upper_end is None else str(result.upper_end.expr),
        **{name: None if part is None else str(part) for name, part in parts.items()},
        "ranges": {name: str(interval) for name, interval in result.ranges.items()},
        "limits": [{"parameter": name, "to": str(end), "value": str(value)} for name, end, value in result.limits],
    }


def _closed_lines(result: Derivation, number: Enclosure | None) -> Iterator[str]:
    from crtools.ratios.supremum import end_text

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
        if (sequence := result.last_length) is not None:
            low, name = sequence.law.l, result.parameters[0]
            indices = [n for n in (0, 9, 99, 999) if n < len(sequence.values)]
            yield "  " + ", ".join(f"{name} = {low + n}: {sequence.values[n].middle:.9g}" for n in indices)
    else:
        yield f"  {_formula(result.ratio)}"
        if len(result.latex) <= LONGEST_LATEX:
            yield f"  LaTeX: {result.latex}"
    if result.alternative is not None:
        yield f"  in α = l/u and t = x_l/x_u: {result.alternative}"
    for name, end, value in result.limits:
        decimal = "" if value.is_infinite or value.is_Integer or value.free_symbols else f" = {float(value):.12g}"
        yield f"  limit for {name} → {end_text(end)}: {_formula(end_text(value))}{decimal}"


def _formula(value: SymExpr | str) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_FORMULA else f"a formula of {len(text)} characters; --json prints it"


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


# ---- switch ----------------------------------------------------------------------------------------------------------


@cli.command(
    "switch", (f'{default_form()} volume "two-point(l=1, u=10, weight)"', 'volume h-sf "linear-geometric(q)" --s 1'),
    cli.words("FORM FORM LAW", f"two forms (crtools list forms), then {cli.LAW_WORD}; one parameter is left open"),
    cli.option("--s", "S", "prompt size in tokens (default 0), or a letter", "0"),
    cli.option("--u", "U", "u that one form is given: a number, or a formula such as 2/(1-q)"),
    cli.SKIP_INVALID,
    cli.TIMEOUT,
)  # fmt: skip
def switch(options: argparse.Namespace) -> int:
    """Where the ratios of two forms cross, and which is better where."""
    with within(_seconds(options)), clock(options.command):
        from crtools.ratios.switch import switch

        if len(options.words) != 3:
            allowed = "give two forms and a law, for example h-sf volume 'geometric(q)'"
            raise InputError("switch", " ".join(options.words) or MISSING, allowed)
        first, second, law = read_laws(options, options.words)
        result = switch(first, second, law, _size(options), options.u)
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
    return answer(options, document, _switch_lines(result))


def _crossing(crossing: Crossing) -> JsonObject:
    exact, poly = crossing.exact, crossing.polynomial
    return {
        "name": crossing.name,
        **_bounds(crossing.place, CROSSING_DIGITS),
        "exact": None if exact is None else str(exact),
        "polynomial": None if poly is None else str(poly.as_expr()),
    }


def _switch_lines(result: Switch) -> Iterator[str]:
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
            fields = _crossing(crossing)
            yield f"  {fields['lower']} <= {crossing.name} <= {fields['upper']}"
            if fields["exact"] is not None:
                yield f"    {crossing.name} = {fields['exact']}"
            elif fields["polynomial"] is not None and len(fields["polynomial"]) <= LONGEST_POLYNOMIAL:
                yield f"    the only root there of {fields['polynomial']}"
    words = ", ".join((result.method, *result.uses)) if result.status != "inconclusive" else result.reason
    yield f"  {result.status}: {words}"


def _better(piece: Piece) -> str:
    if piece.better is None:
        return "equal"
    return f"{piece.better} is {'better' if piece.strict else 'not worse'}"


# ---- worst-case ------------------------------------------------------------------------------------------------------


@cli.command(
    "worst-case", (f"{default_form()} --u 10:50:10 --s 5", "--intervals 1-10,11-100 --digits 12"),
    cli.words("[POLICY]", f"numerator: {cli.FORM_WORD}, or FILE.py[:NAME]"),
    cli.option("-u --u", "U", "upper end, or a range A:B[:STEP] (both ends included)"),
    cli.option("--l", "L", "lower end (default 1)"),
    cli.INTERVALS, cli.POLICY, cli.AGAINST, cli.PROMPT,
    cli.option("--digits", "D", "certified digits: upper − lower ≤ 10^(1−D)·value, else exit 1 (default: 8 where they are reached)"),
    cli.flag("--fast", "the value in floats only, without bounds"),
    cli.flag("--weights", "print the maximising weights too"),
)  # fmt: skip
def worst_case(options: argparse.Namespace) -> int:
    """Supremum of a ratio of forms over length weights."""
    from crtools.enclosure import significant
    from crtools.worst_cases import worst_case

    policy, intervals = _numerator(options), to_intervals(options.intervals)
    sizes = _sizes(options, intervals)
    s, l, digits = integers(options, "s", "l", "digits")
    if digits is not None and options.fast:
        raise InputError("--digits", str(digits), "does not go with --fast, which computes no bounds")
    rows: list[dict[str, Any]] = []
    for u in bar("u")(sizes):
        case = worst_case(policy, l, u, s, options.against, intervals=intervals)
        row: dict[str, Any] = {"policy": case.policy.name, "against": case.against.name, "s": s}
        row |= {"l": case.setting.l, "u": case.setting.u}
        if intervals is not None:
            row |= {"intervals": [*map(list, intervals)], "refined": case.policy.between is not None}
        if options.fast:
            status, enclosure = "supported", None
        else:
            status, enclosure = case.reached if digits is None else ("certified", case.enclosure(digits))
        row |= {
            "value": case.value,
            **_bounds(enclosure, (digits or DIGITS) + 2),
            "status": status,
            "method": case.method if enclosure is None else enclosure.method,
            "uses": [] if enclosure is None else list(enclosure.uses),
            "describes": list(case.describes),
        }
        by_formula = None if options.fast else case.by_formula
        if by_formula is not None and by_formula.method != row["method"]:
            row["by_formula"] = _bounds(by_formula, significant(by_formula) + 2) | {"method": by_formula.method}
        if options.weights:
            row["weights"] = [float(x) for x in case.weights]
        rows.append(row)
    if options.u is not None and ":" in options.u:
        return answer(options, {"rows": rows}, _worst_case_table(rows))
    return answer(options, rows[0], _worst_case_lines(rows[0]))


def _numerator(options: argparse.Namespace) -> str | None:
    """Return the form that is asked for, None for the default one; ``InputError`` for a distribution, or more than one form."""
    from crtools.forms import FORM
    from crtools.grammar import is_law

    for word in options.words:
        if word[:1].isdigit() and options.u is None:
            raise InputError("--u", word, f"the upper end is an option: --u {word}")
        if not is_file(word) and is_law(word, FORM):
            raise InputError("law", word, "a worst case is over all laws on [l, u]; crtools ratio takes one law")
    return one_word(options, "policy", default_form()) if options.words or options.policy else None


def _sizes(options: argparse.Namespace, intervals: object) -> Sequence[int | None]:
    """Return every u that is asked for; None where intervals say it."""
    if intervals is not None:
        refuse(options, "must be left out with --intervals, which give the ends", "u")
        return [None]
    if options.u is None:
        raise InputError("--u", MISSING, "give the upper end, for example --u 100, or --intervals")
    if options.u.count(":") > 2:
        raise InputError("u", options.u, "must be U or A:B[:STEP]")
    numbers = [to_int("u", part) for part in options.u.split(":")]
    if len(numbers) == 1:
        return numbers
    first, last, step = (*numbers, 1)[:3]
    if step < 1 or last < first:
        raise InputError("u", options.u, "a range A:B[:STEP] needs A ≤ B and STEP ≥ 1")
    if last > LARGEST_LENGTH:
        raise InputError("u", options.u, f"a range must end at {LARGEST_LENGTH} or below")
    return range(first, last + 1, step)


def _of_pair(row: dict[str, Any], end: object) -> str:
    intervals = ", ".join(f"[{l}, {u}]" for l, u in row.get("intervals", [(row["l"], end)]))
    return f"{row['policy']} against {row['against']} on {intervals}, s = {row['s']}, of the forms"


def _method(row: dict[str, Any]) -> str:
    if row["lower"] is None:
        return "in floats, no guarantee"
    return f"by {row['method']}" + (f" ({', '.join(row['uses'])})" if row["uses"] else "")


def _width(row: dict[str, Any]) -> str:
    low, high = float(row["lower"]), float(row["upper"])
    wide = f"{(high - low) / max(abs(low), abs(high)):.2g}"
    return f"the bounds are certified; their relative width is {wide}, so the value has fewer than 8 certified digits"


def _weights(row: dict[str, Any]) -> str:
    return "weights from length l on: " + " ".join(f"{x:.6g}" for x in row["weights"])


def _worst_case_lines(row: dict[str, Any]) -> Iterator[str]:
    yield f"{_of_pair(row, row['u'])}: {row['value']:.12g}"
    if not row.get("refined", True):
        yield f"  {row['policy']} has no rule across them: its entries are those of [{row['l']}, {row['u']}]"
    if row["lower"] is None:
        yield f"  {row['status']}: {_method(row)}"
    else:
        yield f"  {row['status']}: {row['lower']} ≤ worst case ≤ {row['upper']}"
        if row["status"] == "supported":
            yield f"  {_width(row)}"
        yield f"  {_method(row)}"
    if "by_formula" in row:
        yield f"  by a formula: {row['by_formula']['lower']} ≤ worst case ≤ {row['by_formula']['upper']}"
    if "weights" in row:
        yield f"  {_weights(row)}"


def _worst_case_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield _of_pair(rows[0], "u")
    pairs = ((row, f"[{row['lower']}, {row['upper']}]" if row["lower"] else "") for row in rows)
    cells = [(str(row["u"]), f"{row['value']:.12g}", row["status"], bounds) for row, bounds in pairs]
    yield table(cells, ("u", "worst case", "status", "certified bounds"), right=(0,))
    yield from dict.fromkeys(map(_method, rows))
    yield from (f"u = {row['u']}: {_width(row)}" for row in rows if row["lower"] and row["status"] == "supported")
    yield from (f"u = {row['u']}, {_weights(row)}" for row in rows if "weights" in row)
