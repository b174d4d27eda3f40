"""What commands share that decide a ledger: which claims, in how many processes, and where results are kept."""

import argparse
import sys
from pathlib import Path
from typing import Any

from crtools.cli.common import Command, to_int
from crtools.errors import InputError
from crtools.files import output_folder
from crtools.installed_ledgers import comes_with_crtools
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.parallel import cores

FEW = 4
"""As many claims are decided before more processes have started."""


def add_deciding(command: Command) -> None:
    """Add --ledger, --quick, --jobs, --cache and --no-cache to a command."""
    command.option("--ledger", "NAME", "a name, or your file.py", DEFAULT)
    command.switch("--quick", "skip the slow claims")
    command.option("--jobs", "J", "processes; all cores for more than a few claims")
    kept = command.add_mutually_exclusive_group()
    kept.add_argument("--cache", metavar="FOLDER", help="keep results here; in the user's cache folder otherwise")
    kept.add_argument("--no-cache", action="store_true", help="decide everything anew and keep nothing")


def how_to_decide(options: argparse.Namespace, *, claims: int | None = None) -> dict[str, Any]:
    """Return the arguments of ``verify`` that the options say. ``claims``: how many are decided, all where None."""
    ledger = load(options.ledger)
    return {"ledger": ledger, "quick": options.quick, "jobs": _jobs(options, claims), "cache": _cache(options, ledger)}


def _jobs(options: argparse.Namespace, claims: int | None) -> int:
    if options.jobs is not None:
        return to_int("--jobs", options.jobs)
    if claims is not None and claims <= FEW:
        return 1
    return cores()


def _cache(options: argparse.Namespace, ledger: Ledger) -> Path | None:
    """Return the folder of results, or None: not wanted, not possible, or, with a warning, where it cannot be written."""
    if options.no_cache:
        return None
    if not comes_with_crtools(ledger):
        if options.cache is not None:
            print(f"crtools: no results are kept of {ledger.name}: what its claims read is not known", file=sys.stderr)
        return None
    if options.cache is not None:
        return output_folder("--cache", options.cache)
    from crtools.ledger.cache import default_folder

    try:
        return output_folder("cache", default_folder())
    except (InputError, OSError) as error:
        print(f"crtools: no results are kept: {error}", file=sys.stderr)
        return None
