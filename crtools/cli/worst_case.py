"""``crtools worst-case``."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from crtools.cli.common import FORM_WORD, Commands, answer, bar, integers, one_word, to_int, to_intervals
from crtools.errors import MISSING, InputError
from crtools.installed_ledgers import default_form
from crtools.setting import LARGEST_LENGTH
from crtools.tables import table

DIGITS = 10
"""Bounds are shown with two digits more than this where --digits is not given."""


def add_worst_case(commands: Commands) -> None:
    """Add the command."""
    examples = (f"{default_form()} --u 10:50:10 --s 5", "--intervals 1-10,11-100 --digits 12")
    worst = commands.add("worst-case", _worst_case, "supremum of a ratio of forms over length weights", examples)
    worst.words("[POLICY]", f"numerator: {FORM_WORD}, or FILE.py[:NAME]")
    worst.option("-u --u", "U", "upper end, or a range A:B[:STEP] (both ends included)")
    worst.option("--l", "L", "lower end (default 1)")
    worst.intervals()
    worst.forms()
    digits = "certified digits: upper − lower ≤ 10^(1−D)·value, else exit 1 (default: 8 where they are reached)"
    worst.option("--digits", "D", digits)
    worst.switch("--fast", "the value in floats only, without bounds")
    worst.switch("--weights", "print the maximising weights too")


def _worst_case(options: argparse.Namespace) -> int:
    from crtools.enclosure import significant
    from crtools.worst_cases import worst_case

    policy, intervals = _policy(options), to_intervals(options.intervals)
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
        enclosure_asked = None if digits is None else ("certified", case.enclosure(digits))
        status, enclosure = ("supported", None) if options.fast else enclosure_asked or case.reached
        low, high = (None, None) if enclosure is None else enclosure.decimals((digits or DIGITS) + 2)
        row |= {
            "value": case.value,
            "lower": low,
            "upper": high,
            "status": status,
            "method": case.method if enclosure is None else enclosure.method,
            "uses": [] if enclosure is None else list(enclosure.uses),
            "describes": list(case.describes),
        }
        by_formula = None if options.fast else case.by_formula
        if by_formula is not None and by_formula.method != row["method"]:
            low, high = by_formula.decimals(significant(by_formula) + 2)
            row["by_formula"] = {"lower": low, "upper": high, "method": by_formula.method}
        if options.weights:
            row["weights"] = [float(x) for x in case.weights]
        rows.append(row)
    if options.u is not None and ":" in options.u:
        return answer(options, {"rows": rows}, _table(rows))
    return answer(options, rows[0], _lines(rows[0]))


def _policy(options: argparse.Namespace) -> str | None:
    """Return the form that is asked for, None for the default one; ``InputError`` for a distribution, or more than one form."""
    from crtools.forms import FORM
    from crtools.grammar import is_law
    from crtools.user_file import is_file

    for word in options.words:
        if word[:1].isdigit() and options.u is None:
            raise InputError("--u", word, f"the upper end is an option: --u {word}")
        if not is_file(word) and is_law(word, FORM):
            raise InputError("law", word, "a worst case is over all laws on [l, u]; crtools ratio takes one law")
    words = [*options.words, *filter(None, [options.policy])]
    return one_word(options, "policy", default_form()) if words else None


def _sizes(options: argparse.Namespace, intervals: object) -> Sequence[int | None]:
    """Return every u that is asked for; None where intervals say it."""
    if intervals is not None and options.u is not None:
        raise InputError("--u", options.u, "must be left out with --intervals, which give the ends")
    if intervals is not None:
        return [None]
    if options.u is None:
        raise InputError("--u", MISSING, "give the upper end, for example --u 100, or --intervals")
    return _range(options.u)


def _pair(row: dict[str, Any], end: object) -> str:
    intervals = ", ".join(f"[{l}, {u}]" for l, u in row.get("intervals", [(row["l"], end)]))
    return f"{row['policy']} against {row['against']} on {intervals}, s = {row['s']}, of the forms"


def _method(row: dict[str, Any]) -> str:
    if row["lower"] is None:
        return "in floats, no guarantee"
    return f"by {row['method']}" + (f" ({', '.join(row['uses'])})" if row["uses"] else "")


def _width(row: dict[str, Any]) -> str:
    low, high = float(row["lower"]), float(row["upper"])
    wide = (high - low) / max(abs(low), abs(high))
    return (
        f"the bounds are certified; their relative width is {wide:.2g}, so the value has fewer than 8 certified digits"
    )


def _weights(row: dict[str, Any]) -> str:
    return "weights from length l on: " + " ".join(f"{x:.6g}" for x in row["weights"])


def _lines(row: dict[str, Any]) -> Iterator[str]:
    yield f"{_pair(row, row['u'])}: {row['value']:.12g}"
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


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield _pair(rows[0], "u")
    pairs = ((row, f"[{row['lower']}, {row['upper']}]" if row["lower"] else "") for row in rows)
    cells = [(str(row["u"]), f"{row['value']:.12g}", row["status"], bounds) for row, bounds in pairs]
    yield table(cells, ("u", "worst case", "status", "certified bounds"), right=(0,))
    yield from dict.fromkeys(map(_method, rows))
    yield from (f"u = {row['u']}: {_width(row)}" for row in rows if row["lower"] and row["status"] == "supported")
    yield from (f"u = {row['u']}, {_weights(row)}" for row in rows if "weights" in row)


def _range(text: str) -> Sequence[int]:
    if text.count(":") > 2:
        raise InputError("u", text, "must be U or A:B[:STEP]")
    numbers = [to_int("u", part) for part in text.split(":")]
    if len(numbers) == 1:
        return numbers
    first, last, step = (*numbers, 1)[:3]
    if step < 1 or last < first:
        raise InputError("u", text, "a range A:B[:STEP] needs A ≤ B and STEP ≥ 1")
    if last > LARGEST_LENGTH:
        raise InputError("u", text, f"a range must end at {LARGEST_LENGTH} or below")
    return range(first, last + 1, step)
