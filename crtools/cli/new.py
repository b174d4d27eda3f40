"""``crtools new``: write the files of a small theory, policy or form to start from."""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from crtools.cli.common import DONE, Commands, add_command, print_json
from crtools.errors import MISSING, InputError
from crtools.files import FOLDER, refused, write_whole
from crtools.ledger.registry import ledgers
from crtools.names import canonical

EXAMPLES = ("theory my-theory", "policy my-policy", "form my-form")

NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
LONGEST = 40


class Kind(NamedTuple):
    """What can be begun: what it is, the endings of its files (from the folder ``templates``), and the commands that come next."""

    summary: str
    endings: tuple[str, ...]
    next: tuple[str, ...]


KINDS = {
    "theory": Kind(
        "a claim, its theorem, a certificate",
        ("txt", "py"),
        (
            "crtools verify --ledger {file}.py --self-test",
            "crtools verify --ledger {file}.py --certificates certificates",
            "crtools-check certificates --theory {file}.txt",
        ),
    ),
    "policy": Kind(
        "who goes first, and who is cancelled",
        ("py",),
        ("crtools list {file}.py", "crtools compare {file}.py h-sf 'uniform(1, 8)' --memory 40 -n 60"),
    ),
    "form": Kind(
        "what a pair of lengths is charged",
        ("py",),
        (
            "crtools ratio {file}.py 'geometric(q=1/2)'",
            "crtools derive {file}.py 'geometric(q)'",
            "crtools worst-case {file}.py --u 20",
        ),
    ),
}


def add_new(commands: Commands) -> None:
    """Add the command."""
    what = "begin a theory, policy or form of your own in this folder"
    command = add_command(commands, "new", _new, what, EXAMPLES)
    command.add_argument("kind", nargs="?", metavar="KIND", help=", ".join(KINDS))
    what = "what it is called; the files are NAME.py, and NAME.txt of a theory"
    command.add_argument("name", nargs="?", metavar="NAME", help=what)


def _new(options: argparse.Namespace) -> int:
    if options.kind is None:
        kinds = "; ".join(f"{name}: {kind.summary}" for name, kind in KINDS.items())
        raise InputError("new", MISSING, f"give a kind and a name, for example theory my-theory ({kinds})")
    kind = canonical("new", options.kind, KINDS)
    name = _checked(options.name, options.kind)
    words = {"name": name, "file": name.replace("-", "_")}
    templates = files("crtools.cli") / "templates"
    paths = {Path(f"{words['file']}.{end}"): templates / f"{kind}.{end}.template" for end in KINDS[kind].endings}
    for path in paths:
        if path.exists() or path.is_symlink():
            raise InputError("NAME", str(path), "must be a file that is not there yet; nothing was written")
    with refused("NAME", str(Path.cwd()), FOLDER):
        write_whole({path: file.read_text("utf-8").format(**words).encode() for path, file in paths.items()})
    commands = [line.format(**words) for line in KINDS[kind].next]
    if options.json:
        print_json({"files": [str(path) for path in paths], "next": commands})
    else:
        print(f"written: {', '.join(map(str, paths))}; next:")
        print("\n".join(f"  {command}" for command in commands))
    return DONE


def _checked(name: str | None, kind: str) -> str:
    """Return a name for files and for what is in them; ``InputError`` for one that would hide something else."""
    if name is None:
        raise InputError("NAME", MISSING, f"give one, for example crtools new {kind} my-{kind}")
    if NAME.fullmatch(name) is None or len(name) > LONGEST:
        allowed = f"must be small letters, digits and hyphens, a letter first, at most {LONGEST} characters"
        raise InputError("NAME", name, allowed)
    file = name.replace("-", "_")
    if name in ledgers() or (find_spec(file) is not None and not Path(f"{file}.py").exists()):
        raise InputError("NAME", name, "must be another name: an installed module or ledger has it")
    return name
