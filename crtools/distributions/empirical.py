"""``Empirical``: weights per length, from counts, a sequence, a NumPy array, or a column of a CSV or Parquet file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from numbers import Integral, Rational
from pathlib import Path
from typing import Any

from crtools.distributions.base import LARGEST_SUPPORT, Distribution, K
from crtools.errors import InputError
from crtools.files import csv_rows, input_file
from crtools.setting import integer


class Empirical(Distribution):
    """The law with weight counts[k] at length k; weights are exact and need not sum to 1."""

    def __init__(self, counts: Mapping[int, int | Fraction], spec: str | None = None) -> None:
        checked: dict[int, Fraction] = {}
        for k, w in sorted(counts.items()):
            length = integer("length", k, 1, LARGEST_SUPPORT)
            if isinstance(w, float | str) or not isinstance(w, Rational | Integral):
                raise InputError("weight", str(w), f"must be an integer or a Fraction (length {length})")
            if w < 0:
                raise InputError("weight", w, f"must be ≥ 0 (length {length})")
            if w:
                checked[length] = Fraction(w)
        if not checked:
            raise InputError("lengths", "none", "there must be at least one length of positive weight")
        self._counts = checked
        self._spec = spec

    @classmethod
    def from_lengths(cls, lengths: Iterable[int], spec: str | None = None) -> Empirical:
        """Return the empirical law of a sequence or an integer array of lengths."""
        import numpy as np

        try:
            array = np.asarray(lengths if isinstance(lengths, np.ndarray) else list(lengths))
        except (TypeError, ValueError):
            raise InputError("lengths", str(type(lengths).__name__), "must be a sequence of integers") from None
        if array.ndim != 1:
            raise InputError("lengths", f"{array.ndim} dimensions", "must be a sequence of integers")
        if array.size == 0:
            raise InputError("lengths", "none", "there must be at least one length")
        if array.dtype.kind not in "iu":
            raise InputError("lengths", str(array.dtype), "must be integers")
        values, counts = np.unique(array, return_counts=True)
        return cls({int(k): int(c) for k, c in zip(values, counts, strict=True)}, spec)

    @classmethod
    def from_csv(cls, path: str | Path, column: str) -> Empirical:
        """Return the empirical law of an integer column of a CSV file with a header line."""
        spec = f"csv:{path}#{column}"
        counts: Counter[int] = Counter()
        for where, (text,) in csv_rows(path, [column]):
            try:
                counts[int(text)] += 1
            except (TypeError, ValueError):
                raise InputError("length", text, f"must be an integer ≥ 1 ({where}, column {column})") from None
        return cls(counts, spec)

    @classmethod
    def from_parquet(cls, path: str | Path, column: str) -> Empirical:
        """Return the empirical law of an integer column of a Parquet file (needs the extra crtools[parquet])."""
        try:
            import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise InputError(
                "file", str(path), "reading Parquet needs pyarrow: pip install 'crtools[parquet]'"
            ) from None
        input_file("file", path, "Parquet file")
        try:
            array = parquet.read_table(path, columns=[column]).column(column).to_numpy()
        except Exception as error:
            raise InputError("file", str(path), f"must be a Parquet file with the column {column} ({error})") from None
        return cls.from_lengths(array, f"parquet:{path}#{column}")

    @property
    def support(self) -> tuple[int, int]:
        """The smallest and the largest length that occurs."""
        lengths = list(self._counts)
        return lengths[0], lengths[-1]

    @property
    def expr(self) -> Any:
        """A piecewise expression in k."""
        import sympy as sp

        pairs = [(sp.Rational(w), sp.Eq(K, k)) for k, w in self._counts.items()]
        return sp.Piecewise(*pairs, (0, True))

    def weight(self, k: int) -> Fraction:
        """Return the count at length k."""
        return self._counts.get(k, Fraction(0))

    def items(self) -> Any:
        """Iterate over (length, count)."""
        return iter(self._counts.items())

    def spec(self) -> str:
        """Return where it came from, or its counts as empirical(k: w, …)."""
        if self._spec is not None:
            return self._spec
        return "empirical(" + ", ".join(f"{k}:{w}" for k, w in self._counts.items()) + ")"
