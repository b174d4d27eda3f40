"""``crtools list``: what may be named on the command line, one line each."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from crtools.cli.common import DONE, WIDTH, add_command, add_json, print_json
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.names import canonical

Row = dict[str, Any]


def add_list(commands: Any) -> None:
    """Add the command."""
    kinds = ", ".join(KINDS)
    command = add_command(commands, "list", "what may be named, one line each", ("laws", "forms --json"))
    command.add_argument("kind", nargs="?", metavar="KIND", help=f"{kinds}; without it, what there is")
    command.add_argument(
        "--ledger", default=DEFAULT, metavar="NAME", help=f"whose claims and levels (default {DEFAULT})"
    )
    add_json(command, _list)


def _list(options: argparse.Namespace) -> int:
    ledger = load(options.ledger)
    if options.kind is None:
        rows: list[Row] = [{"name": name, "summary": what} for name, (what, _, _) in KINDS.items()]
        kind, lines = "kinds", [f"crtools list {row['name']:<10s} {row['summary']}" for row in rows]
    else:
        kind = canonical("list", options.kind, KINDS)
        _, collect, write = KINDS[kind]
        rows = collect(ledger)
        lines = write(rows)
    if options.json:
        print_json({kind: rows})
    else:
        print("\n".join(lines))
    return DONE


def claims(ledger: Ledger) -> list[Row]:
    """Return id, place and statement of every claim, and whether --quick skips it; nothing is decided."""
    from crtools.report.words import unmarked

    return [
        {"id": c.id, "place": c.place, "statement": unmarked(c.statement), "slow": c.id in ledger.slow}
        for c in ledger.claims
    ]


def forms(ledger: Ledger) -> list[Row]:
    """Return every form that is known, whichever ledger brings it."""
    del ledger
    from crtools.forms import known_forms

    return [
        {"name": f.name, "kind": f.kind, "describes": list(f.describes), "given_for": list(f.given_for)}
        | {"summary": f.summary, "source": f.source}
        for f in known_forms().values()
    ]


def policies(ledger: Ledger) -> list[Row]:
    """Return every policy, and the names that stand for one."""
    del ledger
    from crtools.process.policies import known_names

    return [
        {"name": name, "knows": getattr(p, "knows", ""), "summary": p.summary}
        if p.name == name
        else {"name": name, "knows": "", "summary": f"stands for {p.name}"}
        for name, p in known_names().items()
    ]


def laws(ledger: Ledger) -> list[Row]:
    """Return every way to write a law of lengths."""
    del ledger
    from crtools.distributions.spec import notations

    return [notation._asdict() for notation in notations()]


def figures(ledger: Ledger) -> list[Row]:
    """Return the figures that can be drawn, whichever ledger brings them."""
    del ledger
    from crtools.plotting import known_figures
    from crtools.report.words import unmarked

    return [{"name": name, "summary": unmarked(draw.says)} for name, draw in known_figures().items()]


def levels(ledger: Ledger) -> list[Row]:
    """Return the levels of a ledger."""
    return [{"id": x.id, "head": x.head, "speaks_of": x.speaks_of, "asks": x.asks} for x in ledger.levels]


def _columns(*keys: str, widest: int = 24) -> Callable[[list[Row]], list[str]]:
    """Return what writes rows as columns, each as wide as its longest entry, the last one cut at ``WIDTH``."""

    def write(rows: list[Row]) -> list[str]:
        widths = [min(widest, max((len(row[key]) for row in rows), default=0)) for key in keys[:-1]]
        cells = [[_cut(row[key], n) for key, n in zip(keys, widths, strict=False)] for row in rows]
        return [_joined([*own, row[keys[-1]]], widths) for own, row in zip(cells, rows, strict=True)]

    return write


def _joined(cells: Iterable[str], widths: list[int]) -> str:
    *first, last = cells
    line = "".join(f"{cell:<{n}s}  " for cell, n in zip(first, widths, strict=True))
    return _cut(line + last, WIDTH)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def _write_levels(rows: list[Row]) -> list[str]:
    """Return two paragraphs per level: what it speaks of, and what a reader asks there."""
    lines: list[str] = []
    for row in rows:
        head = f"{row['id']:<14s}{row['head']}  "
        lines += textwrap.wrap(head + row["speaks_of"], WIDTH, subsequent_indent=" " * len(head))
        lines += textwrap.wrap(row["asks"], WIDTH, initial_indent=" " * len(head), subsequent_indent=" " * len(head))
    return lines


KINDS: dict[str, tuple[str, Callable[[Ledger], list[Row]], Callable[[list[Row]], list[str]]]] = {
    "claims": ("the claims that crtools verify decides", claims, _columns("id", "place", "statement")),
    "forms": ("latency forms: FORM of ratio, derive, worst-case", forms, _columns("name", "kind", "summary")),
    "policies": ("policies of the process, and what each knows", policies, _columns("name", "knows", "summary")),
    "laws": ("laws of output lengths: DIST, with an example", laws, _columns("signature", "summary", "example")),
    "figures": ("what crtools figure draws", figures, _columns("name", "summary")),
    "levels": ("what a claim's sentence is read to speak of", levels, _write_levels),
}
"""What can be listed: what it is, what collects the rows, and what writes them as lines."""
