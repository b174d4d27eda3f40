"""What every command shares: codes, arguments read from text, JSON, progress bars."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from crtools.errors import InputError

DONE, FOUND, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def add_json(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    """Add --json to a command, and the function that runs it."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    parser.set_defaults(run=run)


def to_int(name: str, text: str) -> int:
    """Return the integer that a text says, or raise ``InputError`` for the named argument."""
    try:
        return int(text)
    except ValueError:
        raise InputError(name, text, "must be an integer") from None


def print_json(document: dict[str, Any]) -> None:
    """Print one JSON document."""
    print(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def terminal(stream: Any) -> bool:
    """Return whether colour may be written to a stream."""
    return stream.isatty() and "NO_COLOR" not in os.environ


def bar(what: str, label: Callable[[Any], str]) -> Callable[..., Iterable[Any]]:
    """Return a wrapper that shows a progress bar on a terminal's standard error, and nothing in a pipe.

    It takes the items and, where they have no length, how many there will be.
    """

    def wrap(items: Iterable[Any], total: int | None = None) -> Iterable[Any]:
        if not sys.stderr.isatty():
            return items
        from tqdm import tqdm

        def run() -> Iterable[Any]:
            count = len(items) if isinstance(items, Sequence) else total
            with tqdm(total=count, desc=what, leave=False, file=sys.stderr) as bar:
                for item in items:
                    bar.set_postfix_str(label(item)[:24], refresh=True)
                    yield item
                    bar.update()

        return run()

    return wrap
