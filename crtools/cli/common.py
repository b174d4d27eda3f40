"""Shared by all commands: exit codes, arguments read from text, answers, progress bars, output without Unicode."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import pydoc
import re
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from io import TextIOWrapper
from shutil import get_terminal_size
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TextIO

from crtools.errors import MISSING, InputError
from crtools.names import count_text
from crtools.numeric_types import JsonObject
from crtools.setting import read_integer
from crtools.tables import columns

if TYPE_CHECKING:
    from rich.progress import Progress


class Exit(IntEnum):
    """Exit codes: done, a failure, bad input, Ctrl-C.

    ``FOUND``: the command found what it must not, a result is not certified, an internal check failed, time or memory ran out, or a
    file could not be read or written.
    """

    DONE = 0
    FOUND = 1
    BAD_INPUT = 2
    INTERRUPTED = 130


def fail(line: str, code: int, as_json: bool) -> int:
    """Print one line on standard error, where that takes it, as JSON where that is asked for, and return the code."""
    try:
        print(json.dumps({"error": line}) if as_json else f"crtools: {line}", file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)
    return code


def discard(stream: IO[str]) -> None:
    """Redirect a stream to the null device, where nobody reads it or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def to_int(name: str, text: str, more: str = "") -> int:
    """Return the integer that a text says, or raise ``InputError`` for the named argument; ``more``: what else is allowed."""
    try:
        return read_integer(text)
    except ValueError:
        raise InputError(name, text, f"must be an integer{more}") from None


def integers(options: argparse.Namespace, *names: str) -> Iterator[Any]:
    """Iterate over the integers that options say, None for one that is not given. Raises ``InputError``."""
    for name in names:
        text = getattr(options, name)
        yield None if text is None else to_int(name, text)


def one_word(options: argparse.Namespace, name: str, example: str) -> Any:
    """Return the one word of a command, or what an option of that name says; ``InputError`` for none, and for more."""
    words = [*options.words, *filter(None, [getattr(options, name, None)])]
    if not words:
        raise InputError(name, MISSING, f"give one, for example {example}")
    if len(words) > 1:
        raise InputError(name, words[1], f"unexpected argument; {words[0]} was already given")
    return words[0]


def refuse(options: argparse.Namespace, why: str, *names: str) -> None:
    """Raise ``InputError`` with the reason for the first of these options that is given."""
    for name in names:
        if (value := getattr(options, name)) not in (None, []):
            raise InputError(f"--{name}", " ".join(value) if isinstance(value, list) else value, why)


def read_laws(options: argparse.Namespace, words: Iterable[Any]) -> list[Any]:
    """Return words with the laws of data files read as --skip-invalid says; standard error tells how many rows are left out."""
    if not options.skip_invalid:
        return list(words)
    from crtools.data_files import FROM_DATA
    from crtools.distributions import distribution

    read = [distribution(w, True) if str(w).startswith((*FROM_DATA, "mix(")) else w for w in words]
    for law, word in zip(read, words, strict=True):
        if law is not word:
            say_skipped(law.skipped, word)
    return read


def say_skipped(rows: int, source: str) -> None:
    """Tell on standard error how many rows of a file were left out, if any."""
    if rows:
        print(f"crtools: left out {count_text(rows, 'row')} of {source} that cannot be used", file=sys.stderr)


def to_intervals(text: str | None) -> tuple[tuple[int, Any], ...] | None:
    """Return the intervals that a text such as ``1-5,6-20`` or ``1-5,6-`` says (None: no end), None where it is not given.

    Raises ``InputError``.
    """
    if text is None:
        return None
    pieces = [re.fullmatch(r"\s*(\d+)\s*-\s*(\d*)\s*", piece, re.ASCII) for piece in text.split(",")]
    if not all(pieces):
        raise InputError("--intervals", text, "must be intervals L-U with commas between, such as 1-5,6-20")
    return tuple((int(piece[1]), int(piece[2]) if piece[2] else None) for piece in pieces if piece)


def print_json(document: JsonObject) -> None:
    """Print one JSON document, with escapes where standard output takes no Unicode."""
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2, allow_nan=False)
    print(text)


def answer(options: argparse.Namespace, document: JsonObject, lines: Iterable[str], *, failed: bool = False) -> int:
    """Print the document where --json is given, else the lines, wrapped to the terminal, and return the exit code."""
    if options.json:
        print_json(document)
    else:
        for line in lines:
            print(wrapped(line))
    return Exit.FOUND if failed else Exit.DONE


def wrapped(line: str) -> str:
    """Return a line as lines that fit, the further ones further in; a word that is too long stays whole, as do tables."""
    if "\n" in line or len(line) <= columns():
        return line
    space = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(
        line.strip(),
        columns(),
        initial_indent=space,
        subsequent_indent=f"{space}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def paged(text: str) -> None:
    """Print a text; on a terminal where it has more lines than fit, through the user's pager, which keeps colours.

    PAGER names it, and LESS what less does, as ever; PAGER=cat turns it off.
    """
    on_terminal = sys.stdout.isatty() and sys.stdin is not None and sys.stdin.isatty()
    if not on_terminal or text.count("\n") + 2 <= get_terminal_size().lines:
        print(text)
    else:
        os.environ.setdefault("LESS", "-FRX")  # as git has it: colours, and no page of its own
        pydoc.pager(f"{text}\n")


def takes_colour(stream: IO[str]) -> bool:
    """Return whether colour may be written to a stream."""
    return stream.isatty() and "NO_COLOR" not in os.environ


def item_label(item: Any) -> str:
    """Return the label of an item of work in a progress bar; the parts of a tuple are joined by commas."""
    return ", ".join(map(str, item)) if isinstance(item, tuple) else str(item)


PRIOR = 10
"""Seconds of known cost after which the pace of this machine counts as much as that of the machine of the known costs."""


class Costs(NamedTuple):
    """Seconds that items take, for the estimate of a progress bar.

    ``known`` says how long an item usually takes, ``took`` how long it took, ``whole`` is the sum of the known ones, and
    ``jobs`` of them run at once.
    """

    known: Callable[[Any], float]
    took: Callable[[Any], float]
    whole: float
    jobs: int = 1


def bar(
    what: str, label: Callable[[Any], str] = item_label, before_first: str = "", costs: Costs | None = None
) -> Callable[..., Iterable[Any]]:
    """Return a wrapper that shows a progress bar on a terminal's standard error, and nothing in a pipe.

    ``before_first``: what is at work before there is an item, for items that come when they are done. The wrapper takes the items
    and, where they have no length, how many there will be. Once some are done, the bar says how long the others will take at that
    pace; with ``costs``, at the pace at which this machine does what they say. The label may change while an item is at work.
    """

    def wrap(items: Iterable[Any], total: int | None = None) -> Iterable[Any]:
        count = len(items) if isinstance(items, Sequence) else total
        with _progress_bar(what, label) as progress:
            whole = count if costs is None else costs.whole
            end = None if costs is None else costs.whole / costs.jobs
            task = progress.add_task(before_first, total=whole, done=0, count="?" if count is None else count, end=end)
            done = completed = took = 0.0
            for item in items:
                progress.update(task, item=item)
                yield item
                done, completed = done + 1, completed + (1 if costs is None else costs.known(item))
                took, elapsed = took + (0 if costs is None else costs.took(item)), progress.tasks[0].elapsed or 0
                pace = elapsed / completed if costs is None else (took + PRIOR) / (completed + PRIOR) / costs.jobs
                end = elapsed + pace * max((whole or completed) - completed, 0)
                progress.update(task, completed=completed, done=int(done), end=end)

    return wrap if sys.stderr.isatty() else lambda items, total=None: items


@contextmanager
def clock(what: str) -> Generator[None, None, None]:
    """Show on a terminal's standard error how long work without steps has taken."""
    if not sys.stderr.isatty():
        yield
        return
    with _progress_bar(what) as progress:
        progress.add_task("", total=None, done=0, count="?")
        yield


def _progress_bar(what: str, label: Callable[[Any], str] = str) -> Progress:
    """Return a progress bar that disappears at the end; lines printed meanwhile appear above it."""
    from datetime import timedelta

    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Remaining(ProgressColumn):
        max_refresh = 0.5

        def render(self, task: Task) -> Text:
            left = (task.fields.get("end") or 0) - (task.elapsed or 0)
            return Text("" if task.finished or left <= 0 else f"{timedelta(seconds=int(left))} left")

    class What(ProgressColumn):
        def render(self, task: Task) -> Text:
            now = label(task.fields["item"]) if "item" in task.fields else task.description
            return Text(f"{what}: {now}" if now else what, no_wrap=True, overflow="ellipsis")

    parts = (
        BarColumn(20),
        TextColumn("{task.fields[done]}/{task.fields[count]}"),
        TimeElapsedColumn(),
        Remaining(),
        What(),
    )
    return Progress(*parts, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty())


# ---- terminals and pipes without Unicode: each sign becomes the ASCII that a reader would type -----------------------

SIGNS = {
    "−": "-", "–": "-", "—": "-", "·": "*", "×": "x", "÷": "/", "±": "+-", "→": "->", "↦": "->", "…": "...", "∞": "oo",
    "√": "sqrt", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "≡": "==", "∈": "in", "∝": "~", "Σ": "sum", "∑": "sum",
    "✓": "v", "✗": "x", "“": '"', "”": '"', "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "⁄": "/",
}  # fmt: skip
"""Signs other than Greek letters, raised or lowered digits, and letters with a mark."""


def use_plain_signs(*streams: TextIO) -> None:
    """Make streams accept any text: :func:`plain` replaces the characters that their encoding lacks."""
    codecs.register_error("crtools-plain", _replace)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="crtools-plain")


def plain(text: str) -> str:
    """Return a text in ASCII: ``(3−α)/2 ≤ 10⁻³`` as ``(3-alpha)/2 <= 10^-3``."""
    characters: list[str] = []
    above = False
    for c in text:
        before, above = above, unicodedata.decomposition(c).startswith("<super>")
        characters.append(("^" if above and not before else "") + (c if c.isascii() else SIGNS.get(c) or _named(c)))
    return "".join(characters)


def _named(c: str) -> str:
    """Return a sign by the ASCII signs that it is made of, or by the last word of its Unicode name, for instance alpha."""
    parts = (SIGNS.get(part, part) for part in unicodedata.normalize("NFKD", c))
    known = "".join(part for part in parts if part.isascii())
    return known or unicodedata.name(c, "?").rpartition(" ")[2].lower()


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return plain(error.object[error.start : error.end]), error.end
