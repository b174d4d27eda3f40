"""Tab completion of options and of names (policies, laws, claims, figures) by argcomplete, from the extra ``crtools[completion]``.

``crtools.cli.main`` calls :func:`complete` once its parser is built. Each argument gets a function that lists its values: :func:`_names`.
"""

import argparse
import ast
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from crtools.cli import listing, new
from crtools.cli.arguments import WORDS, Command
from crtools.ledger.registry import ledgers, load


def complete(parser: Command, commands: Mapping[str, Command]) -> None:
    """Answer a shell that asks for completions, and exit; do nothing otherwise."""
    if "_ARGCOMPLETE" not in os.environ:
        return
    with suppress(ImportError):
        import argcomplete

        for name, command in commands.items():
            for action in command._actions:  # argparse has no other way to its arguments
                names = _names(name, action)
                if names is not None:
                    action.completer = _completer(names)  # type: ignore[attr-defined]
        argcomplete.autocomplete(parser)


def _completer(names: Callable[[], Iterable[str]]) -> Callable[..., Any]:
    """Return argcomplete's callback: it offers the names and files that begin with a prefix, and the names in a file after ``FILE.py:``."""
    from argcomplete.completers import FilesCompleter

    files = FilesCompleter(("py", "csv", "tsv", "jsonl", "gz", "parquet", "json"))

    def offered(prefix: str, **_: Any) -> list[str]:
        return [name for name in (*names(), *names_in_file(prefix)) if name.startswith(prefix)] + list(files(prefix))

    return offered


def names_in_file(prefix: str) -> list[str]:
    """Return ``FILE.py:NAME`` for each public variable of the file in ``prefix``; the file is parsed, not run."""
    file, colon, _ = prefix.rpartition(":")
    if not colon or not file.endswith(".py"):
        return []
    try:
        lines = ast.parse(Path(file).expanduser().read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError):  # no such file, or no Python
        return []
    targets: list[ast.expr] = [target for line in lines if isinstance(line, ast.Assign) for target in line.targets]
    targets += [line.target for line in lines if isinstance(line, ast.AnnAssign) and line.value is not None]
    parts = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    names = dict.fromkeys(part.id for part in parts if isinstance(part.ctx, ast.Store))
    return [f"{file}:{name}" for name in names if not name.startswith("_")]


RUN = ("simulate", "compare", "replay", "experiment", "discover", "show")
"""Commands whose policies run in the process. Other commands take the name of a form instead."""

LISTED = {
    "against": ("forms",), "also": ("forms",), "ids": ("claims",), "what": ("claims",), "names": ("figures",), "distribution": ("laws",),
    "law": ("laws",), "lengths": ("laws",),
}  # fmt: skip
"""The kinds of ``crtools list`` whose names an argument takes, by argument."""

OPTIONS = {
    "clock": ("steps", "seconds", "both"), "preemption": ("restart", "resume"), "time_unit": ("s", "ms", "us", "ns"),
}  # fmt: skip
"""The values that an option allows, by option."""

KINDS = {"list": tuple(listing.KINDS), "new": tuple(new.KINDS), "experiment": ("1", "2", "3")}
"""The values of a command's first argument, by command."""


def _names(command: str, action: argparse.Action) -> Callable[[], Iterable[str]] | None:
    """Return the function that lists an argument's values, or None if the argument takes any text."""
    policies_or_forms = ("policies",) if command in RUN else ("forms",)
    listed = {WORDS: (*policies_or_forms, "laws"), "policy": policies_or_forms, **LISTED}.get(action.dest)
    if listed:
        return lambda: [name for kind in listed for name in _listed(kind)]
    if action.dest == "ledger":
        return ledgers
    values = KINDS.get(command) if action.dest in ("kind", "number") else OPTIONS.get(action.dest)
    return (lambda: values) if values else None


def _listed(kind: str) -> list[str]:
    """Return the names of a kind of ``crtools list``, without a name that is only an example, such as best:LAW."""
    _, rows, keys = listing.KINDS[kind]
    key = "example" if kind == "laws" else keys[0]
    names = [row[key] for row in rows(load()) if kind != "policies" or not row[key].endswith(":LAW")]
    return [*names, *["all"] * (kind == "figures")]
