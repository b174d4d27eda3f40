"""The command line: reads arguments, calls the library, prints. Nothing heavy is imported before it is needed."""

import argparse
import ast
import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from check.theory import Wrong
from crtools import __version__
from crtools.budget import TimeIsUp
from crtools.cli import listing, new
from crtools.cli.blind import add_best, add_minimax
from crtools.cli.common import WORDS, Command, Commands, Exit, discard, fail, use_plain_signs
from crtools.cli.discover import add_discover
from crtools.cli.figure import add_figure
from crtools.cli.process import add_compare, add_guarantees, add_replay, add_show, add_simulate
from crtools.cli.ratios import add_laws, add_switch, add_worst_case
from crtools.cli.verify import add_report, add_verify
from crtools.errors import InputError, Livelock, NotCertified
from crtools.ledger.registry import ledgers, load
from crtools.names import ELSEWHERE, canonical, nearest


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 found what it must not, 2 bad input.

    Without ``arguments`` it is a program of its own: it reads ``sys.argv``, writes to any terminal, and ends on SIGTERM
    as on Ctrl-C.
    """
    if arguments is None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # on small matrices two that wait for each other are slower
        _open_closed()
        use_plain_signs(sys.stdout, sys.stderr)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    words = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in words
    try:
        try:
            parser, commands = build_parser(as_json)
            complete(parser, commands)
            options = _parse(parser, commands, words)
            if options.command is None:
                parser.print_help()
                return Exit.DONE
            return options.run(options)
        finally:
            sys.stdout.flush()
    except InputError as error:
        return fail(str(error), Exit.BAD_INPUT, as_json)
    except (NotCertified, Livelock, Wrong) as error:
        return fail(str(error), Exit.FOUND, as_json)
    except TimeIsUp as error:
        return fail(f"{error}; --timeout SECONDS gives it more", Exit.FOUND, as_json)
    except AssertionError as error:
        return fail(f"an internal check failed: {error}", Exit.FOUND, as_json)
    except KeyboardInterrupt:
        gc.freeze()  # else the interpreter looks through all that the work has left before it ends
        return fail("interrupted", Exit.INTERRUPTED, as_json)
    except BrokenPipeError:
        discard(sys.stdout)
        return Exit.DONE
    except MemoryError:
        return fail("out of memory: take a smaller n, u or number of --jobs", Exit.FOUND, as_json)
    except OSError as error:
        discard(sys.stdout)
        return fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), Exit.FOUND, as_json)


def _open_closed() -> None:
    """Open the null device for streams that the caller has closed, so that no other file takes their number."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 -- for the rest of the process


def build_parser(as_json: bool = False) -> tuple[Command, dict[str, Command]]:
    """Return the parser of the whole command line, and that of each command by its name; ``as_json``: how errors are reported."""
    parser = Command(
        prog="crtools",
        description="Verify the theory of competitive ratios of LLM-inference schedulers.",
        epilog="crtools COMMAND --help has examples; crtools list prints the names.",
        as_json=as_json,
    )
    parser.add_argument("--version", action="version", version=f"crtools {__version__}")
    kind: Any = partial(Command, as_json=as_json)
    commands: Any = parser.add_subparsers(action=Commands, dest="command", metavar="COMMAND", parser_class=kind)
    toolkit = (
        add_verify, listing.add_list, add_worst_case, add_minimax, add_best, add_laws, add_switch, add_simulate, add_replay,
        add_compare, add_guarantees, add_show, add_discover, new.add_new,
    )  # fmt: skip
    brought = [add for ledger in ledgers().values() for add in ledger.commands()]
    for add in (*toolkit, *brought, add_figure, add_report):
        add(commands)
    for command in commands.choices.values():
        command.json()
    return parser, dict(commands.choices)


OTHERS = {**ELSEWHERE, "output": "out", "output-file": "out", "mem": "memory"}
"""Options of other commands and programs, with the name that they may have here."""


def _meant(word: str, known: Sequence[str]) -> str | None:
    """Return the option that an unknown one probably means: --u for -u, a synonym, or the nearest name."""
    name = word.partition("=")[0]
    if not name.startswith("-"):
        return f"--u {name}" if name.isdigit() and "--u" in known else None
    if f"-{name}" in known:
        return f"-{name}"
    here = f"--{OTHERS.get(name.removeprefix('--'))}"
    return here if here in known else nearest(name, known)


def _parse(parser: Command, commands: dict[str, Command], arguments: Sequence[str]) -> argparse.Namespace:
    """Read the arguments; an unknown command or option is refused with the nearest one."""
    words = list(arguments)
    if words and not words[0].startswith("-"):
        words[0] = canonical("command", words[0], commands)
    options, unknown = parser.parse_known_args(words)
    command = commands.get(options.command, parser)
    known = re.findall(r"(?<![\w-])--[a-z][\w-]*", command.format_help())
    for word in getattr(options, WORDS, ()):
        name, equals, value = word.partition("=")
        if equals and f"--{name}" in known:
            raise InputError("argument", word, f"is an option here: --{name} {value}")
    among = next((getattr(options, name) for name in (WORDS, "ids", "names") if hasattr(options, name)), None)
    if isinstance(among, list):  # words among the options
        among += (words := list(takewhile(lambda word: not word.startswith("-"), unknown)))
        unknown = unknown[len(words) :]
    if unknown:
        near = _meant(unknown[0], known)
        if near is None and options.command and not unknown[0].startswith("-"):
            takes = " ".join(command.format_usage().rpartition("[--json]")[2].split())
            allowed = f"unexpected argument: crtools {options.command} takes {takes or 'none, only options'}"
            raise InputError("argument", unknown[0], allowed)
        hint = f"; did you mean {near}?" if near else ""
        command.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    return options


# ---- tab completion of options and of names, by argcomplete from the extra crtools[completion] -----------------------


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
