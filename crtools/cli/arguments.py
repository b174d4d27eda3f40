"""How a command is declared: its name, help and examples, and its arguments, of which several commands have the same."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any, NoReturn, TypeAlias

from crtools.budget import SECONDS
from crtools.cli.common import Exit, fail
from crtools.installed_ledgers import default_form
from crtools.tables import WIDTH, columns

LAW_WORD = "a law, such as geometric(q=9/10), or FILE.py[:NAME]; crtools list laws"
"""Help of an argument that is a law."""

FORM_WORD = f"a form (default {default_form()}; crtools list forms)"
"""Help of the form before it."""

WORDS = "words"
"""The attribute of the parsed options that holds the positional words of a command."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Help of at most ``WIDTH`` columns, with the examples line by line."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=min(WIDTH, columns()))
        self._action_max_length = 14  # commands stand deeper than options, which argparse does not count

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        """Show words as the grammar has them."""
        if action.dest == WORDS and isinstance(action.metavar, str):
            return action.metavar
        return super()._format_args(action, default_metavar)


class Command(argparse.ArgumentParser):
    """A parser that reports an error in one line; ``as_json``: as JSON."""

    def __init__(self, *, as_json: bool = False, **settings: Any) -> None:
        super().__init__(formatter_class=Help, **settings)
        self.as_json = as_json

    def error(self, message: str) -> NoReturn:
        """Report one line and leave with exit code 2; where something is missing, with an example that has it."""
        _, _, examples = (self.epilog or "").partition("examples:\n  ")
        if examples and "required" in message:
            message += f"; for example {examples.splitlines()[0]}"
        self.exit(fail(message, Exit.BAD_INPUT, self.as_json))


Argument: TypeAlias = Callable[[Command], object]
"""Adds an argument, or several, to a command."""

Run: TypeAlias = Callable[[argparse.Namespace], int]
"""Executes a command and returns its exit code."""


def command(
    name: str, examples: Sequence[str], *arguments: Argument, **settings: Any
) -> Callable[[Run], Callable[[Any], None]]:
    """Make a function a command, whose help is its docstring: decorated, it adds the command to the commands of a parser."""

    def decorate(run: Run) -> Callable[[Any], None]:
        description = inspect.getdoc(run) or ""
        help = f"{description[:1].lower()}{description[1:]}".removesuffix(".")
        epilog = "\n".join(["examples:", *(f"  crtools {name} {example}" for example in examples)])

        def add(commands: Any) -> None:
            parser = commands.add_parser(name, help=help, description=description, epilog=epilog, **settings)
            parser.set_defaults(run=run)
            for add_argument in (*arguments, JSON):
                add_argument(parser)

        return add

    return decorate


def argument(*flags: str, **settings: Any) -> Argument:
    """Return an argument as ``add_argument`` takes it."""
    return methodcaller("add_argument", *flags, **settings)


def option(flags: str, metavar: str, help: str, default: str | None = None) -> Argument:
    """Return an option with a value."""
    return argument(*flags.split(), default=default, metavar=metavar, help=help)


def flag(name: str, help: str) -> Argument:
    """Return an option without a value."""
    return argument(name, action="store_true", help=help)


def words(grammar: str, help: str) -> Argument:
    """Return positional words, ``options.words``, which may also stand among the options."""
    return argument(WORDS, nargs="*", metavar=grammar, help=help)


def policies(help: str = "policies (default: all that fit; crtools list policies)") -> Argument:
    """Return --policy, policies that may stand in the place of words."""
    return argument("--policy", nargs="+", action="extend", metavar="P", help=help)


def plot(what: str = "it") -> Argument:
    """Return --plot."""
    return option("--plot", "FILE", f"draw {what} as .png, .svg or .pdf, with a .data.csv beside")


# Arguments that several commands have; what reads a workload or a law (crtools/cli/common.py: read_laws) heeds SKIP_INVALID.
JSON = flag("--json", "print one JSON document and nothing else")
POLICY = option("--policy", "FORM", f"POLICY as an option (default {default_form()})")
AGAINST = option("--against", "FORM", "denominator: a form, or optimum (default h-sf)", "h-sf")
PROMPT = option("--s", "S", "prompt size in tokens (default 0)", "0")
INTERVALS = option(
    "--intervals", "L-U,…", "prediction intervals, such as 1-5,6-20, in each of which a length is known to lie"
)
SEED = option("--seed", "SEED", "seed of what the instance leaves open (default 0)", "0")
TIMEOUT = option("--timeout", "SECONDS", f"time limit (default {SECONDS:.0f})")
CERTIFICATE = option("--certificate", "FILE", "write both bounds as a certificate, which crtools-check FILE accepts")
SKIP_INVALID = flag("--skip-invalid", "leave out rows of a file that cannot be used, and count them")
