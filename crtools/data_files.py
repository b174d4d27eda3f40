"""Columns of data files, ``csv:``, ``jsonl:`` and ``parquet:``: one reader for each kind, and one checker of their values.

A reader returns the named columns as texts (:class:`Table`), so that every kind of file is checked alike and says the same
about its rows. Tests: tests/test_data_files.py.
"""

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO, StringIO
from math import inf, nan
from typing import Any

import numpy as np

from crtools.errors import InputError
from crtools.files import LARGEST_INPUT, input_file, refused
from crtools.names import listed, nearest, one_of
from crtools.numeric_types import BoolArray, FloatArray, IntArray
from crtools.setting import read_integer

FROM_DATA = ("csv:", "jsonl:", "parquet:")
"""Prefixes of the texts that name columns of a data file."""

TIME_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""How many of a unit of time make a second."""

GZIP = b"\x1f\x8b"
"""The first two bytes of a gzip file."""

DELIMITERS = ",;\t"

DATE_AND_TIME = re.compile(
    r"\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9})\d*)?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?\s*",
    re.ASCII,
)
EXAMPLE = "a date and time such as 2023-11-16 18:17:03.98"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2262, 1, 1, tzinfo=UTC)
"""Dates and times lie between these, so that nanoseconds are 64-bit integers."""

SKIP_HINT = "; skip-invalid leaves such rows out"


def parse_source(argument: str, text: str, columns: str) -> tuple[str, str, str]:
    """Split ``KIND:FILE#COLUMNS``; raise ``InputError`` with the file's columns where the text names none."""
    kind, _, location = text.strip().partition(":")
    path, _, header = location.rpartition("#")
    if path and header.strip():
        return kind, path, header.strip()
    file, mark, _ = location.partition("#")
    there = f"; the columns are {_names(read_table(kind, file, ()).names)}" if file and not mark else ""
    raise InputError(argument, text, f"must name a column: {kind}:{file or 'FILE'}#{columns}{there}")


@dataclass
class Table:
    """The columns of a data file as texts, where its rows stand, and which rows are invalid.

    ``names``: all columns of the file. ``numbers``: the line or the number of each row, by ``unit``. ``texts``: the columns
    that were read. ``bad``: rows that are none, with their texts; ``allowed``: what they must be. ``errors``: by row, the reason
    of the first row that each check marked.
    """

    path: str
    names: Sequence[str]
    unit: str
    numbers: Sequence[int]
    texts: dict[str, list[str]]
    bad: InitVar[Sequence[tuple[int, str]]] = ()
    allowed: InitVar[str] = ""
    invalid: BoolArray = field(init=False)
    errors: dict[int, InputError] = field(init=False)

    def __post_init__(self, bad: Sequence[tuple[int, str]], allowed: str) -> None:
        self.invalid = np.isin(np.arange(len(self.numbers)), [row for row, _ in bad])
        self.errors = {k: InputError("row", text, f"{allowed} ({self.place(k)}){SKIP_HINT}") for k, text in bad[:1]}

    def place(self, row: int) -> str:
        """Return the file and the line of a row."""
        return f"{self.path}, {self.unit} {self.numbers[row]}"

    def refuse(self, column: str, wrong: BoolArray, allowed: Callable[[int], str]) -> None:
        """Mark rows as invalid, for the reason ``allowed(row)``; what was marked before keeps its reason."""
        new = wrong & ~self.invalid
        self.invalid |= wrong
        if new.any():
            row = int(new.argmax())
            reason = f"{allowed(row)} ({self.place(row)}, column {column}){SKIP_HINT}"
            self.errors[row] = InputError(column, self.texts[column][row], reason)

    def kept(self, skip_invalid: bool) -> BoolArray:
        """Return which rows can be used; raise ``InputError`` for the first invalid one unless such rows are skipped."""
        if self.errors and not skip_invalid:
            raise self.errors[min(self.errors)]
        if self.invalid.all():
            left_out = f" ({len(self.invalid)} were left out)" if len(self.invalid) else ""
            raise InputError("file", self.path, f"must have at least one row that can be used{left_out}")
        return ~self.invalid

    def integers(self, column: str, smallest: int, largest: int) -> IntArray:
        """Return a column of integers, written as 12 or 12.0, and mark other rows."""
        texts = self.texts[column]
        by_text = {text: _integer(text) for text in set(texts)}
        values = np.fromiter(map(by_text.__getitem__, texts), np.int64, len(texts))

        def allowed(row: int) -> str:
            empty = "" if texts[row].strip().lower() not in ("", "none", "nan") else "is empty: it "
            return f"{empty}must be an integer from {smallest} to {largest}"

        self.refuse(column, (values < smallest) | (values > largest), allowed)
        return values

    def seconds(self, column: str, unit: str) -> FloatArray:
        """Return a column of times in seconds after the first of them, and mark rows without one.

        The first row tells whether they are numbers ≥ 0 in a unit of time, or dates and times.
        """
        texts, per_second = self.texts[column], TIME_UNITS[one_of("time_unit", unit, TIME_UNITS)]
        one = next(filter(str.strip, texts), "0")
        if np.isnan(_float(one)) and _nanoseconds(one) >= 0:
            if per_second != 1:
                raise InputError("time_unit", unit, f"must be left out: the column {column} has dates and times")
            allowed, per_second = f"must be {EXAMPLE}", 10**9
            times: Any = np.fromiter(map(_nanoseconds, texts), np.int64, len(texts))
        else:
            allowed = f"must be a finite number ≥ 0, or every row {EXAMPLE}"
            times = np.fromiter(map(_float, texts), np.float64, len(texts))
        self.refuse(column, ~((times >= 0) & (times < inf)), lambda row: allowed)
        used = times[~self.invalid]
        return (times - (used.min() if used.size else 0)) / per_second


def read_table(kind: str, path: str, columns: Sequence[str]) -> Table:
    """Return these columns of a data file, which may be compressed by gzip unless it is a Parquet file.

    Raises ``InputError`` for a file that cannot be read, or has such a column not once.
    """
    return {"csv": _read_csv, "jsonl": _read_json, "parquet": _read_parquet}[kind](path, list(dict.fromkeys(columns)))


def _read_csv(path: str, columns: Sequence[str]) -> Table:
    """Read a file with a header line; commas, semicolons or tabs separate the fields."""
    text = _text(path, "CSV file")
    try:
        header = StringIO(text, newline="").readline()
        heads = {mark: [name.strip() for name in next(csv.reader([header], delimiter=mark), [])] for mark in DELIMITERS}
        delimiter = max(heads, key=lambda mark: (len({*columns} & {*heads[mark]}), len(heads[mark])))
        reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        names = [name.strip() for name in next(reader, [])]
        _check_columns(path, columns, names)
        texts: dict[str, list[str]] = {column: [] for column in columns}
        places = [(names.index(column), texts[column]) for column in columns]
        numbers, ragged = list[int](), list[tuple[int, str]]()
        for row in filter(None, reader):
            if len(row) != len(names):
                ragged.append((len(numbers), delimiter.join(row)))
                row = [""] * len(names)
            for place, column in places:
                column.append(row[place])
            numbers.append(reader.line_num)
    except csv.Error as error:
        raise InputError("file", path, f"must be a readable CSV file ({error})") from None
    return Table(path, names, "line", numbers, texts, ragged, f"must have {len(names)} fields, as the first line has")


def _read_json(path: str, columns: Sequence[str]) -> Table:
    """Read JSON objects, one on each line or in a list; an object may have a list for each column, of one entry for each row."""
    unit, documents = _documents(_text(path, "file of JSON objects"))
    texts: dict[str, list[str]] = {column: [] for column in columns}
    names, numbers, bad = dict[str, None](), list[int](), list[tuple[int, str]]()
    for number, document in documents:
        if not isinstance(document, dict):
            bad.append((len(numbers), str(document).strip()))
            document = {}
        names.update(dict.fromkeys(document))
        values = [document.get(column) for column in columns]
        sizes = {len(value) if isinstance(value, list) else -1 for value in values}
        if len(sizes) > 1:
            allowed = f"must be lists of one length, or none a list ({path}, {unit} {number})"
            raise InputError("columns", ", ".join(columns), allowed)
        if sizes <= {-1}:
            values = [[value] for value in values]
            numbers.append(number)
        else:
            unit = "entry"
            numbers.extend(range(len(numbers) + 1, len(numbers) + max(sizes) + 1))
        for column, entries in zip(texts.values(), values, strict=True):
            column.extend("" if entry is None else str(entry) for entry in entries)
    _check_columns(path, columns, list(names))
    return Table(path, list(names), unit, numbers, texts, bad, "must be a JSON object")


def _documents(text: str) -> tuple[str, Iterator[tuple[int, Any]]]:
    """Return what one number of a document counts, and the documents with their numbers; a line that is no JSON stays a text."""

    def parsed(line: str) -> Any:
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            return line

    whole = parsed(text)
    if isinstance(whole, list):
        return "entry", enumerate(whole, 1)
    if isinstance(whole, dict):
        return "entry", iter([(1, whole)])
    return "line", ((k, parsed(line)) for k, line in enumerate(StringIO(text), 1) if line.strip())


def _read_parquet(path: str, columns: Sequence[str]) -> Table:
    try:
        import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise InputError("file", path, "reading Parquet needs pyarrow: pip install 'crtools[parquet]'") from None
    input_file("file", path, "Parquet file")
    try:
        with parquet.ParquetFile(path) as file:
            names: list[str] = file.schema_arrow.names
            _check_columns(path, columns, names)
            arrays: list[Any] = [file.read([name]).column(name).cast("string").to_pylist() for name in columns]
    except Exception as error:
        if isinstance(error, InputError):
            raise
        reason = " ".join(str(error).split())
        raise InputError("file", path, f"must be a readable Parquet file ({reason})") from None
    rows = range(1, 1 + max(map(len, arrays), default=0))
    texts = {column: [value or "" for value in array] for column, array in zip(columns, arrays, strict=True)}
    return Table(path, names, "row", rows, texts)


def _text(path: str, kind: str) -> str:
    """Return the text of a file of at most ``LARGEST_INPUT`` bytes, before and after it is unpacked."""
    allowed = f"must be a readable {kind}"
    try:
        with refused("file", path, allowed):
            content = input_file("file", path, kind).read_bytes()
            if content.startswith(GZIP):
                with gzip.open(BytesIO(content)) as file:
                    content = file.read(LARGEST_INPUT + 1)
        if len(content) > LARGEST_INPUT:
            raise InputError("file", path, f"{allowed} of at most {LARGEST_INPUT >> 20} MiB when unpacked")
        return content.decode("utf-8-sig")
    except (EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError("file", path, f"{allowed} ({error})") from None


def _check_columns(path: str, columns: Sequence[str], names: Sequence[str]) -> None:
    for column in columns:
        if (count := list(names).count(column)) != 1:
            near = None if count else nearest(column, names)
            how = "must be one" if count else f"did you mean {near}? It must be a" if near else "must be a"
            raise InputError("column", column, f"{how} column of {path} (there are: {_names(names) or 'none'})")


def _names(names: Sequence[str]) -> str:
    return listed(" ".join(name.split())[:40] for name in names)


def _integer(text: str) -> int:
    """Return the integer ≥ 0 that a text says, else −1."""
    try:
        value = read_integer(re.sub(r"(?<=\d)\.0*\s*$", "", text, flags=re.ASCII))
    except ValueError:
        return -1
    return value if 0 <= value < 2**62 else -1


def _float(text: str) -> float:
    """Return the number that a text says in the digits 0 to 9, else NaN."""
    try:
        return float(text) if text.isascii() and "_" not in text else nan
    except ValueError:
        return nan


def _nanoseconds(text: str) -> int:
    """Return the nanoseconds from 1970 to a date and time, in UTC unless it names a zone; −1 for another text."""
    if match := DATE_AND_TIME.fullmatch(text):
        date, time, fraction, zone = match.groups()
        try:
            moment = datetime.fromisoformat(f"{date} {time or '00:00'}{'Z' if zone in (None, 'UTC') else zone}")
        except ValueError:
            return -1
        if EPOCH <= moment < LATEST:
            return (moment - EPOCH) // timedelta(seconds=1) * 10**9 + int((fraction or "").ljust(9, "0"))
    return -1
