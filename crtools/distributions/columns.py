"""Columns of lengths in CSV and Parquet files."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

from crtools.errors import InputError
from crtools.files import csv_rows, input_file
from crtools.numeric_types import IntArray
from crtools.setting import read_integer


def counts_in_csv(path: str | Path, column: str, longest: int) -> Counter[int]:
    """Return how often each length occurs in a column of a CSV file with a header line.

    Raises ``InputError`` for an entry that is no integer from 1 to ``longest``.
    """
    counts: Counter[int] = Counter()
    for where, (text,) in csv_rows(path, [column]):
        with suppress(ValueError):
            if 1 <= (length := read_integer(text)) <= longest:
                counts[length] += 1
                continue
        raise InputError("length", text, f"must be an integer from 1 to {longest} ({where}, column {column})")
    return counts


def array_in_parquet(path: str | Path, column: str) -> IntArray:
    """Return a column of a Parquet file as a NumPy array; ``InputError`` without pyarrow, the file or the column."""
    try:
        import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise InputError("file", str(path), "reading Parquet needs pyarrow: pip install 'crtools[parquet]'") from None
    input_file("file", path, "Parquet file")
    try:
        return parquet.read_table(path, columns=[column]).column(column).to_numpy()
    except Exception as error:
        raise InputError("file", str(path), f"must be a Parquet file with the column {column} ({error})") from None
