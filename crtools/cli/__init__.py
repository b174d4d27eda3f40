"""The command line: reads arguments, calls the library, prints. Nothing heavy is imported before it is needed."""

import argparse
import gc
import os
import re
import signal
import sys
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Any

from check.theory import Wrong
from crtools import __version__
from crtools.budget import TimeIsUp
from crtools.cli import blind, discover, figure, listing, new, process, ratios, verify
from crtools.cli.arguments import WORDS, Command
from crtools.cli.common import Exit, discard, fail, use_plain_signs
from crtools.cli.completion import complete
from crtools.errors import InputError, Livelock, NotCertified
from crtools.ledger.registry import ledgers
from crtools.names import ELSEWHERE, canonical, nearest

TOOLKIT = (
    verify.verify, listing.list_names, ratios.worst_case, blind.minimax, blind.best, ratios.ratio, ratios.derive, ratios.switch,
    process.simulate, process.replay, process.compare, process.guarantees, process.show, discover.discover, new.new,
)  # fmt: skip
"""The commands of the toolkit in the order of the help, before those that the ledgers bring, ``figure`` and ``report``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, one of :class:`crtools.cli.common.Exit`.

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
    commands: Any = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=kind)
    brought = [add for ledger in ledgers().values() for add in ledger.commands()]
    for add in (*TOOLKIT, *brought, figure.draw_figures, verify.report):
        add(commands)
    return parser, dict(commands.choices)


OTHERS = {**ELSEWHERE, "output": "out", "output-file": "out", "mem": "memory"}
"""Options of other commands and programs, with the name that they may have here."""


def _options_of(command: Command) -> list[str]:
    return re.findall(r"(?<![\w-])--[a-z][\w-]*", command.format_help())


def _meant(word: str, known: Sequence[str]) -> str | None:
    """Return the option that an unknown one probably means: --u for -u, a synonym, or the nearest name."""
    name = word.partition("=")[0]
    if not name.startswith("-"):
        return f"--u {name}" if name.isdigit() and "--u" in known else None
    if f"-{name}" in known:
        return f"-{name}"
    here = "--" + OTHERS.get(name.removeprefix("--"), "")
    return here if here in known else nearest(name, known)


def _parse(parser: Command, commands: dict[str, Command], arguments: Sequence[str]) -> argparse.Namespace:
    """Read the arguments; an unknown command or option is refused with the nearest one."""
    words = list(arguments)
    if words and not words[0].startswith("-"):
        words[0] = canonical("command", words[0], commands)
    options, unknown = parser.parse_known_args(words)
    command = commands.get(options.command, parser)
    for word in getattr(options, WORDS, ()):
        name, equals, value = word.partition("=")
        if equals and f"--{name}" in _options_of(command):
            raise InputError("argument", word, f"is an option here: --{name} {value}")
    among = next((getattr(options, name) for name in (WORDS, "ids", "names") if hasattr(options, name)), None)
    if isinstance(among, list):  # words among the options
        among += (words := list(takewhile(lambda word: not word.startswith("-"), unknown)))
        unknown = unknown[len(words) :]
    if unknown:
        near = _meant(unknown[0], _options_of(command))
        if near is None and options.command and not unknown[0].startswith("-"):
            takes = " ".join(command.format_usage().rpartition("[--json]")[2].split())
            allowed = f"unexpected argument: crtools {options.command} takes {takes or 'none, only options'}"
            raise InputError("argument", unknown[0], allowed)
        hint = f"; did you mean {near}?" if near else ""
        command.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    return options
