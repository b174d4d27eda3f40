"""``crtools list``: the names that commands take, a line each; two for a claim or a level."""

import argparse
from collections.abc import Callable, Iterator

from crtools.cli import arguments as cli
from crtools.cli.common import answer
from crtools.ledger.evidence import json_fields
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.names import canonical
from crtools.notation.terminal import unmarked
from crtools.numeric_types import JsonObject
from crtools.plotting import known_figures
from crtools.tables import table
from crtools.user_file import is_file, readings


def _lines(rows: list[tuple[str, ...]], cut: bool = True) -> Iterator[str]:
    yield table(rows, widest=24, cut=cut)


def in_file(text: str) -> list[JsonObject]:
    """Return what a file of one's own holds that may be named, as FILE.py:NAME; the file is run."""
    from crtools.distributions.spec import LAW
    from crtools.forms import FORM
    from crtools.process.policies import POLICY

    by_kind = readings("list", text, (FORM, POLICY, LAW))
    file = text[: text.rindex(".py") + 3]
    return [
        {"name": f"{file}:{name}", "kind": kind.words, "summary": getattr(value, "summary", "")}
        for kind, things in by_kind.items()
        for name, value in things.items()
    ]


def claims(ledger: Ledger) -> list[JsonObject]:
    """Return id, place and statement of every claim, and whether --quick skips it; nothing is decided."""
    return [
        {"id": c.id, "place": unmarked(c.place), "statement": unmarked(c.statement), "slow": c.id in ledger.slow}
        for c in ledger.claims
    ]


def forms(ledger: Ledger) -> list[JsonObject]:
    """Return every form that is known, whichever ledger brings it, one in a file too."""
    from crtools.forms import known_forms

    entries = ("name", "kind", "describes", "given_for", "summary", "source")
    return [json_fields(form, *entries) for form in {**known_forms(), **ledger.forms()}.values()]


def policies(ledger: Ledger) -> list[JsonObject]:
    """Return every policy, the names that stand for one, and those that need a text after a colon."""
    from crtools.process.policies import families, known_names

    made = [
        {"name": family.example, "knows": family.knows, "summary": family.summary} for family in families().values()
    ]
    return made + [
        {"name": name, "knows": getattr(p, "knows", "") if p.name == name else ""}
        | {"summary": p.summary if p.name == name else f"stands for {p.name}"}
        for name, p in {**known_names(), **ledger.policies()}.items()
    ]


def laws(_: Ledger) -> list[JsonObject]:
    """Return every way to write a law of lengths."""
    from crtools.distributions.spec import notations

    return [notation._asdict() for notation in notations()]


def figures(_: Ledger) -> list[JsonObject]:
    """Return the figures that can be drawn, whichever ledger brings them."""
    return [{"name": name, "summary": unmarked(draw.says)} for name, draw in known_figures().items()]


def levels(ledger: Ledger) -> list[JsonObject]:
    """Return the levels of a ledger."""
    return [json_fields(level, "id", "head", "speaks_of", "asks") for level in ledger.levels]


KINDS: dict[str, tuple[str, Callable[[Ledger], list[JsonObject]], tuple[str, ...]]] = {
    "claims": ("the claims that crtools verify decides", claims, ("id", "place", "statement")),
    "forms": ("latency forms: FORM of ratio, derive, worst-case", forms, ("name", "kind", "summary")),
    "policies": ("policies of the process, and what each knows", policies, ("name", "knows", "summary")),
    "laws": ("distributions of output lengths: LAW, with an example", laws, ("signature", "summary", "example")),
    "figures": ("what crtools figure draws", figures, ("name", "summary")),
    "levels": ("what a claim's sentence is read to speak of", levels, ("id", "head", "speaks_of")),
}
"""What can be listed: what it is, what collects the rows, and the columns of its table; claims have lines of their own instead."""


@cli.command(
    "list", ("laws", "forms --json"),
    cli.argument("kind", nargs="?", metavar="KIND", help=f"{', '.join(KINDS)}, or FILE.py with your own; without it, the kinds"),
    cli.option("--ledger", "NAME", f"the ledger whose names are listed (default {DEFAULT})", DEFAULT),
)  # fmt: skip
def list_names(options: argparse.Namespace) -> int:
    """The names that commands take, and what each stands for."""
    ledger = load(options.ledger)
    if options.kind is None:
        rows: list[JsonObject] = [{"name": name, "summary": what} for name, (what, _, _) in KINDS.items()]
        return answer(options, {"kinds": rows}, _lines([(f"crtools list {r['name']}", r["summary"]) for r in rows]))
    if is_file(options.kind):
        names = in_file(options.kind)
        return answer(options, {"names": names}, _lines([(r["name"], r["kind"], r["summary"]) for r in names]))
    kind = canonical("list", options.kind, KINDS, ", or FILE.py")
    _, collect, keys = KINDS[kind]
    rows = collect(ledger)
    if kind == "claims":
        slow = {row["id"]: " (slow)" * row["slow"] for row in rows}
        pairs = [(f"{row['id']}  {row['place']}{slow[row['id']]}", f"  {row['statement']}") for row in rows]
        return answer(options, {kind: rows}, [line for pair in pairs for line in pair])
    cells = [tuple(row[key] for key in keys) for row in rows]
    if kind == "levels":
        both = [pair for line, row in zip(cells, rows, strict=True) for pair in (line, ("", "", row["asks"]))]
        return answer(options, {kind: rows}, _lines(both, cut=False))
    return answer(options, {kind: rows}, _lines(cells))
