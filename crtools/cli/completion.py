"""Tab completion of options and of names (policies, laws, claims, figures) by argcomplete, from the extra ``crtools[completion]``.

``crtools.cli.main`` calls :func:`complete` once its parser is built. Each argument gets a function that lists its values: :func:`_names`.
"""

from __future__ import annotations

import argparse
import ast
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from crtools.cli.common import WORDS, Command


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


def _names(command: str, action: argparse.Action) -> Callable[[], Iterable[str]] | None:
    """Return the function that lists an argument's values, or None if the argument takes any text."""
    policies_or_forms = _policies if command in RUN else _forms
    if action.dest == WORDS:
        return lambda: [*policies_or_forms(), *_laws()]
    if action.dest == "policy":
        return policies_or_forms
    if action.dest in ("kind", "number"):
        return lambda: KINDS.get(command, ())
    if action.dest in OPTIONS:
        return lambda: OPTIONS[action.dest]
    known = {"against": _forms, "also": _forms, "ids": _claims, "what": _claims, "names": _figures}
    return {**known, "distribution": _laws, "law": _laws, "lengths": _laws, "ledger": _ledgers}.get(action.dest)


RUN = ("simulate", "compare", "replay", "experiment", "discover", "show")
"""Commands whose policies run in the process. Other commands take the name of a form instead."""


OPTIONS = {
    "clock": ("steps", "seconds", "both"), "preemption": ("restart", "resume"), "time_unit": ("s", "ms", "us", "ns"),
}  # fmt: skip
"""The values that an option allows, by option."""

KINDS = {
    "list": ("claims", "forms", "policies", "laws", "figures", "levels"),
    "new": ("theory", "policy", "form"),
    "experiment": ("1", "2", "3"),
}
"""The values of a command's first argument, by command."""


def _claims() -> list[str]:
    from crtools.ledger.registry import load

    return [claim.id for claim in load().claims]


def _figures() -> list[str]:
    from crtools.plotting import known_figures

    return [*known_figures(), "all"]


def _forms() -> list[str]:
    from crtools.forms import known_forms

    return list(known_forms())


def _policies() -> list[str]:
    from crtools.process.policies import known_names

    return list(known_names())


def _laws() -> list[str]:
    from crtools.distributions.spec import notations

    return [notation.example for notation in notations()]


def _ledgers() -> list[str]:
    from crtools.ledger.registry import ledgers

    return list(ledgers())
