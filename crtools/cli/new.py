"""``crtools new``: write the files of a small theory, policy or form to start from."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
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

TEXT = """\
define triangle(n) = n*(n + 1)/2

theorem equal jobs(total(n))
  reading every $n ≥ 1$, $n$ jobs of size 1
  states the total completion time is $1 + … + n$
  for n >= 1: Sum(k, (k, 1, n)) = total(n)
  so
    the k-th job ends at k

claim equal-jobs
  given total = n*(n+1)/2
    is triangle(n)
level schedule proved
  says n jobs of size 1 have total completion time n(n+1)/2.
  finding total proved: equal jobs(triangle)
"""

LEDGER = '''\
"""n jobs of size 1 on one machine; what is claimed and proved stands in {file}.txt."""

from pathlib import Path

from crtools.ledger.claims import Text, formula, ledger

TEXT = Text(Path(__file__).with_name("{file}.txt"))


def one_after_the_other(n):
    """Add up when each of n jobs ends."""
    return sum(range(1, n + 1))


EQUAL = formula(TEXT, "equal-jobs", one_after_the_other, corrupted=["n*(n-1)/2"], variants=["sum(i, i, 1, n)"])
LEDGER = ledger(TEXT, EQUAL)
'''

POLICY = '''\
"""A policy: who goes first, and how long a request is taken to be."""

from crtools import Policy

# The shortest lower bound first. Nothing is cancelled, so each request needs room for its upper bound u.
POLICY = Policy(
    "{name}",
    priority=lambda r: r.l,
    assumed=lambda r, age: r.u,
    longest=lambda r: r.u,
    fixed=True,
    knows="l, u",
    summary="shortest lower bound first",
)
'''

FORM = '''\
"""A form: what a pair of lengths is charged. M → ∞, and n requests then take n²/(2M) · xᵀNx in total."""

from crtools import Form


def entry(i, j, s):
    """Longest first: N_ij = j(s + j) for lengths i ≤ j and prompts of s tokens."""
    return j * (s + j)


FORM = Form.from_entry(entry, name="{name}")
'''


class Kind(NamedTuple):
    """What can be begun: what it is, its files by their ending, and the commands that come next."""

    summary: str
    files: Mapping[str, str]
    next: tuple[str, ...]


KINDS = {
    "theory": Kind(
        "a claim, its theorem, a certificate",
        {"txt": TEXT, "py": LEDGER},
        (
            "crtools verify --ledger {file}.py --self-test",
            "crtools verify --ledger {file}.py --certificates certificates",
            "crtools-check certificates --theory {file}.txt",
        ),
    ),
    "policy": Kind(
        "who goes first, and who is cancelled",
        {"py": POLICY},
        ("crtools list {file}.py", "crtools compare {file}.py h-sf 'uniform(1, 8)' --memory 40 -n 60"),
    ),
    "form": Kind(
        "what a pair of lengths is charged",
        {"py": FORM},
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
    chosen = KINDS[canonical("new", options.kind, KINDS)]
    name = _checked(options.name, options.kind)
    words = {"name": name, "file": name.replace("-", "_")}
    paths = {Path(f"{words['file']}.{end}"): text for end, text in chosen.files.items()}
    for path in paths:
        if path.exists() or path.is_symlink():
            raise InputError("NAME", str(path), "must be a file that is not there yet; nothing was written")
    with refused("NAME", str(Path.cwd()), FOLDER):
        write_whole({path: text.format(**words).encode() for path, text in paths.items()})
    commands = [line.format(**words) for line in chosen.next]
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
