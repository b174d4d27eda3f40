"""``crtools discover``."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from crtools.cli.common import DONE, FOUND, WIDTH, add_command, add_json, answer, bar, clock, to_int

if TYPE_CHECKING:
    from crtools.discovery import Discovery


def add_discover(commands: Any) -> None:
    """Add the command."""
    examples = ("h-sf --u 20", "h-sf --s 5 --json")
    command = add_command(commands, "discover", "a policy's latency form, guessed from runs", examples)
    command.add_argument(
        "policy",
        metavar="POLICY",
        help="a policy (crtools list policies), or FILE.py[:NAME] with your own, which is run",
    )
    for option, default, what in (("--l", "1", "lower end"), ("--u", "10", "upper end"), ("--s", "0", "prompt size")):
        command.add_argument(option, default=default, help=f"of the worst case: {what} (default {default})")
    command.add_argument("--law", help="the law of the ratio (default: uniform, or equal shares of l and u)")
    command.add_argument("--out", metavar="FILE", help="write the guessed form as a Python file")
    add_json(command, _discover)


def _discover(options: argparse.Namespace) -> int:
    from crtools.discovery import discover
    from crtools.distributions import distribution
    from crtools.files import output_file, write_text
    from crtools.setting import Setting

    out = None if options.out is None else output_file("--out", options.out)
    l, u, s = (to_int(name, getattr(options, name)) for name in ("l", "u", "s"))
    Setting(s, l, u)
    if options.law is not None:
        with clock("reading the law"):
            distribution(options.law)
    found = discover(options.policy, progress=bar("runs", str))
    with clock("its worst case and ratio"):
        document = found.as_json() | _uses(found, l, u, s, options.law)
    lines = list(_lines(found, document))
    if out is not None and found.guesses:
        write_text("--out", out, found.as_python())
    elif out is not None:
        lines.append("nothing is written: there is no guess")
    answer(options, document, lines)
    return FOUND if out is not None and not found.guesses else DONE


def _uses(found: Discovery, l: int, u: int, s: int, law: str | None) -> dict[str, Any]:
    """Return the worst case and the ratio of the guessed form against H-SF's."""
    if found.form is None:
        return {"worst_case": None, "ratio": None}
    from crtools.ratios.ratio import ratio
    from crtools.worst_cases import worst_case

    law = law or (f"uniform({l}, {u})" if found.ends is None else f"two-point({l}, {u}, 1/2)")
    return {
        "worst_case": {"l": l, "u": u, "s": s, "against": "h-sf", "value": worst_case(found.form, l, u, s).value},
        "ratio": {"law": law, "s": s, "against": "h-sf", "value": float(ratio(found.form, law, s=s).value)},
    }


def _lines(found: Discovery, document: dict[str, Any]) -> Iterator[str]:
    words = {True: "quadratic in the shares", False: "not quadratic in the shares", None: "no form found"}
    proved = ", not proved" if found.status == "supported" else ""
    yield from _filled(f"{found.policy}: {words[found.quadratic]} ({found.status}{proved})")
    yield from _filled("third differences in the share of length 2, the rest of length 5, s = 1, of 2M·TEL/n²:")
    for d in found.differences:
        shown = ", ".join(f"{m:.2f}±{h:.2f}" for m, h in zip(d.means, d.halves, strict=True))
        yield from _filled(f"M = {d.memory}, n = {d.n}: {shown}", 2)
    if found.guesses:
        yield from _guess(found)
        worst, law = document["worst_case"], document["ratio"]
        lengths = "lengths in" if found.ends is None else "the lengths"
        yield from _filled(
            f"worst case of the guess over h-sf, {lengths} [{worst['l']}, {worst['u']}], s = {worst['s']}: {worst['value']:.8g}"
        )
        yield from _filled(f"its ratio under {law['law']}: {law['value']:.8g}")
    others = sorted({str(value) for value in found.residues.values()} - {str(found.residues.get(0))})
    if others:
        yield from _filled(
            f"other counts can change the limit: at equal shares of 2 and 5, s = 1, it is {found.residues[0]} with matched"
            f" counts, and {', '.join(others)} with some that end within a batch"
        )
    if found.tried:
        yield "tried before:" if found.guesses else "tried:"
        for line in found.tried:
            yield from _filled(line, 2)


def _guess(found: Discovery) -> Iterator[str]:
    first = found.guesses[0]
    if found.ends is None:
        yield from _filled(f"guess of the entry for i ≤ j: {found.entry}")
    else:
        yield "guess of the entries on two lengths i = l and j = u:"
        for at, text in zip(("(l, l)", "(l, u)", "(u, u)"), (g.text for g in found.guesses), strict=True):
            yield from _filled(f"{at}: {text}", 2)
    more = f" and {found.mixtures} mixtures of more lengths" if found.mixtures else ""
    yield from _filled(
        f"by {found.method}: {len(first.fitted)} entries fit, {len(first.confirmed)} held back{more} confirm it;"
        f" runs in random orders are within {found.apart:.1%}",
        2,
    )


def _filled(text: str, indent: int = 0) -> list[str]:
    space = " " * indent
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=space,
        subsequent_indent=space + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )
