"""``crtools new``: write the files of a small theory, policy or form to start from."""

import argparse
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from crtools.cli import arguments as cli
from crtools.cli.common import answer
from crtools.errors import MISSING, InputError
from crtools.files import FOLDER, refused, write_whole
from crtools.ledger.registry import ledgers
from crtools.names import canonical

NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
LONGEST = 40


TEMPLATES = files("crtools.cli") / "templates"
"""For each kind its files, ``KIND.ENDING.template``, and the commands that come next, ``KIND.next``."""

KINDS = {
    "theory": "a claim, its theorem, a certificate",
    "policy": "who goes first, and who is cancelled",
    "form": "what a pair of lengths is charged",
}
"""The kinds of files that ``crtools new`` writes, each with a description."""


@cli.command(
    "new", ("theory my-theory", "policy my-policy", "form my-form"),
    cli.argument("kind", nargs="?", metavar="KIND", help=", ".join(KINDS)),
    cli.argument("name", nargs="?", metavar="NAME", help="what it is called; the files are NAME.py, and NAME.txt of a theory"),
)  # fmt: skip
def new(options: argparse.Namespace) -> int:
    """Begin a theory, policy or form of your own in this folder."""
    if options.kind is None:
        kinds = "; ".join(f"{name}: {what}" for name, what in KINDS.items())
        raise InputError("new", MISSING, f"give a kind and a name, for example theory my-theory ({kinds})")
    kind = canonical("new", options.kind, KINDS)
    name = _checked(options.name, options.kind)
    words = {"name": name, "file": name.replace("-", "_")}
    templates = {Path(f"{words['file']}.{end}"): TEMPLATES / f"{kind}.{end}.template" for end in ("txt", "py")}
    paths = {path: template for path, template in templates.items() if template.is_file()}
    for path in paths:
        if path.exists() or path.is_symlink():
            raise InputError("NAME", str(path), "must be a file that is not there yet; nothing was written")
    with refused("NAME", str(Path.cwd()), FOLDER):
        write_whole({path: file.read_text("utf-8").format(**words).encode() for path, file in paths.items()})
    commands = (TEMPLATES / f"{kind}.next").read_text("utf-8").format(**words).splitlines()
    written = "\n  ".join([f"written: {', '.join(map(str, paths))}; next:", *commands])
    return answer(options, {"files": [str(path) for path in paths], "next": commands}, [written])


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
