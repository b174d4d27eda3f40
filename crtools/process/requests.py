"""Where the requests of a comparison come from: a law, or the rows of a file with prompts and predictions of their own.

All of them are there at time 0, as everywhere in this package. A file is named as ``csv:FILE#OUTPUTS[,PROMPTS]`` or
``parquet:FILE#OUTPUTS[,PROMPTS]``, its columns by their heads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from crtools.distributions import Distribution, distribution
from crtools.distributions.spec import FROM_DATA
from crtools.errors import MISSING, InputError
from crtools.expressions import number
from crtools.files import csv_rows, input_file
from crtools.setting import LARGEST_LENGTH, LARGEST_NUMBER, integer, read_integer

LEAVE_OUT = "; skip-invalid leaves such rows out"

Columns = tuple[Any, Any, Any, Any]
"""Outputs, prompts, and the ends l and u of what is predicted: int64 arrays, or one integer for all."""

Ends = tuple[int | None, int | None]
"""l and u where they are given."""


@dataclass(frozen=True)
class Predictions:
    """What is known of each output beforehand: one interval, one of several, two columns of the file, or a factor.

    With a factor F the prediction is drawn log-uniformly between o/F and o·F, and the interval is [⌊p/F⌋, ⌈p·F⌉], which
    holds o.
    """

    text: str
    ends: tuple[int, int] | None = None
    columns: tuple[str, str] | None = None
    factor: Fraction | None = None
    pieces: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, text: str) -> Predictions:
        """Return what ``L-U``, ``L-U,L-U…``, ``COLUMN,COLUMN`` or ``xF`` says; ``InputError`` for anything else."""
        if found := re.fullmatch(r"\s*(\d+)-(\d+)\s*", text, re.ASCII):
            low, high = (integer("predictions", int(end), 1, LARGEST_LENGTH) for end in found.groups())
            if low <= high:
                return cls(text, ends=(low, high))
        elif re.fullmatch(r"\s*\d+\s*-\s*\d+\s*(,\s*\d+\s*-\s*\d+\s*)+", text, re.ASCII):
            ends = [integer("predictions", int(end), 1, LARGEST_LENGTH) for end in re.findall(r"\d+", text)]
            if ends == sorted(ends) and all(a < b for a, b in zip(ends[1::2], ends[2::2], strict=False)):
                return cls(text, pieces=tuple(zip(ends[::2], ends[1::2], strict=True)))
        elif found := re.fullmatch(r"\s*[x×]\s*([\d./]+)\s*", text, re.ASCII | re.IGNORECASE):
            if 1 <= (factor := number("predictions", found[1])) <= LARGEST_NUMBER:
                return cls(text, factor=factor)
        elif text.count(",") == 1 and all(map(str.strip, text.split(","))):
            low, high = map(str.strip, text.split(","))
            return cls(text, columns=(low, high))
        raise InputError(
            "predictions",
            text,
            "must be an interval L-U, several such as 1-9,10-20, two columns L,U, or a factor such as x2",
        )

    @property
    def last(self) -> int | None:
        """The largest output that fixed intervals hold, None where others are predicted."""
        return self.ends[1] if self.ends else self.pieces[-1][1] if self.pieces else None

    def holding(self, outputs: Any) -> tuple[Any, Any]:
        """Return the ends of the one of several intervals that holds each output; ``InputError`` where none does."""
        low, high = np.array(self.pieces, dtype=np.int64).T
        own = np.searchsorted(high, outputs)
        inside = own < len(high)
        inside[inside] = low[own[inside]] <= outputs[inside]
        if not inside.all():
            raise InputError(
                "predictions", self.text, f"must hold the output {outputs[~inside][0]} in one of the intervals"
            )
        return low[own], high[own]

    def around(self, outputs: Any, seed: int) -> tuple[Any, Any]:
        """Return the ends that a factor predicts of outputs, both int64 arrays; the predictions are drawn from the seed."""
        factor = float(self.factor or 1)
        guess = outputs * factor ** np.random.default_rng([seed, 2]).uniform(-1, 1, len(outputs))
        low, high = np.maximum(np.floor(guess / factor), 1), np.ceil(guess * factor)
        return np.minimum(low.astype(np.int64), outputs), np.maximum(high.astype(np.int64), outputs)


@dataclass(frozen=True)
class Requests:
    """A law with one prompt size, or the rows of a file; ``skipped`` rows of it were left out."""

    name: str
    law: Distribution | None
    prompt: int
    rows: Any
    predictions: Predictions | None
    ends: Ends
    skipped: int = 0

    @property
    def count(self) -> int | None:
        """The number of rows; None for a law."""
        return None if self.rows is None else len(self.rows)

    @property
    def unequal(self) -> bool:
        """Whether rows have different prompts."""
        return self.rows is not None and len(np.unique(self.rows[:, 1])) > 1

    def varies(self, n: int) -> str:
        """Return what differs between the seeds of a comparison of n requests."""
        if self.rows is None:
            return "Each seed draws its requests from the law."
        if n < len(self.rows):
            return f"Each seed draws {n} of the {len(self.rows)} rows."
        predicted = self.predictions is not None and self.predictions.factor is not None
        drawn = "predictions, orders, ties and coins" if predicted else "orders, ties and coins"
        return f"Every seed runs the same rows and draws only {drawn}: intervals say nothing about other requests."

    def draw(self, n: int, seed: int) -> Columns:
        """Return n requests: of a law a sample, of a file all rows or n of them, drawn without replacement."""
        if self.law is not None:
            outputs = self.law.sample(n, np.random.default_rng(seed))
            low, high = interval(self.law, *self.ends, lambda: int(outputs.max()))
            return self._predicted(outputs, self.prompt, low, high, seed)
        kept = (
            self.rows
            if n == len(self.rows)
            else self.rows[np.random.default_rng([seed, 1]).permutation(len(self.rows))[:n]]
        )
        outputs, prompts = kept[:, 0], kept[:, 1]
        if kept.shape[1] == 4:
            return outputs, prompts, kept[:, 2], kept[:, 3]
        low, high = self.ends
        low = int(self.rows[:, 0].min()) if low is None else low
        high = int(self.rows[:, 0].max()) if high is None else high
        return self._predicted(outputs, prompts, low, high, seed)

    def _predicted(self, outputs: Any, prompts: Any, low: int, high: int, seed: int) -> Columns:
        known = self.predictions
        if known is None or known.columns is not None:
            return outputs, prompts, low, high
        if known.ends is not None:
            return outputs, prompts, *known.ends
        if known.pieces:
            return outputs, prompts, *known.holding(outputs)
        return outputs, prompts, *known.around(outputs, seed)


def requests(
    source: str | Distribution,
    least_memory: int,
    s: int = 0,
    predictions: str | None = None,
    skip_invalid: bool | None = False,
    ends: Ends = (None, None),
) -> Requests:
    """Return where requests come from: the law of a spec, or the rows of a file of data.

    least_memory: M in tokens; a row with s + o > M can never run. Raises ``InputError`` which names file, line and column of
    a row that cannot be used, unless such rows are skipped, and where none is left. ``skip_invalid`` is None where the caller
    cannot skip rows, so that no message recommends it.
    """
    known = None if predictions is None else Predictions.of(predictions)
    if known is not None and any(end is not None for end in ends):
        raise InputError("predictions", predictions, "must be left out beside l and u")
    if not isinstance(source, str) or not source.strip().startswith(FROM_DATA):
        if known is not None and known.columns is not None:
            raise InputError("predictions", predictions, "names columns, which a law has not: give L-U, or xF")
        return of_law(distribution(source), s, ends, known)
    text = source.strip()
    kind, _, rest = text.partition(":")
    path, _, named = rest.rpartition("#")
    columns = [name.strip() for name in named.split(",")]
    if not path or not all(columns) or len(columns) > 2:
        raise InputError("file", text, f"must be {kind}:FILE#OUTPUTS, or {kind}:FILE#OUTPUTS,PROMPTS")
    if len(columns) == 2 and s:
        raise InputError("s", s, f"must be left out where the file has prompts, {columns[1]}")
    heads = [*columns, *(known.columns if known is not None and known.columns is not None else ())]
    read = csv_rows(path, heads) if kind == "csv" else parquet_rows(path, heads)
    top = known.last if known is not None and known.last else ends[1]
    kept: list[list[int]] = []
    skipped = 0
    for where, values in read:
        try:
            kept.append(_row(values, heads, len(columns), s, top, least_memory, where))
        except InputError as error:
            if not skip_invalid:
                hint = "" if skip_invalid is None else LEAVE_OUT
                raise InputError(error.argument, error.value, error.allowed + hint) from None
            skipped += 1
    if not kept:
        raise InputError("file", path, f"must have a row that can be used ({skipped} were left out)")
    return Requests(text, None, s, np.array(kept, dtype=np.int64), known, ends, skipped)


def of_law(law: Distribution, s: int, ends: Ends, known: Predictions | None = None) -> Requests:
    """Return requests that are drawn from a law."""
    return Requests(str(law), law, s, None, known, ends)


def given_ends(l: object, u: object) -> Ends:
    """Return l and u, each a length or None; ``InputError`` for anything else."""
    low, high = (None if end is None else integer(name, end, 1, LARGEST_LENGTH) for name, end in (("l", l), ("u", u)))
    return low, high


def has_prompts(source: object) -> bool:
    """Return whether a text names rows of a file, with prompts of their own, and no law: two columns, or Parquet."""
    text = source.strip() if isinstance(source, str) else ""
    return text.startswith("parquet:") or (text.startswith(FROM_DATA) and "," in text.rpartition("#")[2])


def interval(law: Distribution, l: int | None, u: int | None, largest: Callable[[], int]) -> tuple[int, int]:
    """Return the interval that is assumed: the given ends, else those of the support, ``largest`` where it is unbounded."""
    low, high = law.support
    return low if l is None else l, u if u is not None else largest() if high is None else high


def _row(
    values: Sequence[Any], heads: Sequence[str], own: int, s: int, top: int | None, memory: int, where: str
) -> list[int]:
    """Return output, prompt and, where the file has them, l and u."""

    def refused(place: int, value: object, allowed: str) -> InputError:
        return InputError(heads[place], value, f"{allowed} ({where}, column {heads[place]})")

    found: list[int] = []
    for place, value in enumerate(values):
        least = 0 if place == 1 == own - 1 else 1
        try:
            found.append(read_integer(value if isinstance(value, str) else str(value)))
        except ValueError:
            said = "is empty: it must be" if str(value).strip() in ("", "None", "nan") else "must be"
            raise refused(place, value, f"{said} an integer from {least} to {LARGEST_LENGTH}") from None
        if not least <= found[-1] <= LARGEST_LENGTH:
            raise refused(place, value, f"must be an integer from {least} to {LARGEST_LENGTH}")
    output, prompt, known = found[0], found[1] if own == 2 else s, found[own:]
    if prompt + output > memory:
        raise refused(0, output, f"cannot fit: {prompt} + {output} tokens are more than M = {memory}")
    if known and not known[0] <= output <= known[1]:
        raise refused(0, output, f"must be in its interval [{known[0]}, {known[1]}]")
    if top is not None and output > top:
        raise refused(0, output, f"must be at most u = {top}")
    return [output, prompt, *known]


def parquet_rows(path: str, columns: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    """Yield where a row stands, and its values in these columns; ``InputError`` where the file cannot be read."""
    try:
        import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise InputError("file", path, "reading Parquet needs pyarrow: pip install 'crtools[parquet]'") from None
    input_file("file", path, "Parquet file")
    try:
        table: Any = parquet.read_table(path, columns=list(columns))
        lists: list[list[Any]] = [table.column(name).to_pylist() for name in columns]
    except Exception as error:
        raise InputError(
            "file", path, f"must be a Parquet file with the columns {', '.join(columns)} ({error})"
        ) from None
    for k, values in enumerate(zip(*lists, strict=True), 1):
        yield f"{path}, row {k}", list(values)


def memories_of(memory: int | str | Iterable[int]) -> list[int]:
    """Return capacities M in tokens: one, several, or what ``M``, ``A:B[:STEP]`` or ``M,M…`` says, in increasing order."""
    if isinstance(memory, str):
        return sorted({m for piece in memory.split(",") for m in _range(piece)})
    given = list(memory) if isinstance(memory, Iterable) else [memory]
    if not given:
        raise InputError("memory", MISSING, "give at least one capacity in tokens")
    return sorted({integer("memory", m, 1) for m in given})


def _range(piece: str) -> Sequence[int]:
    allowed = "must be M, a range A:B[:STEP] with A ≤ B, or several with commas between, in tokens"
    try:
        numbers = [read_integer(part) for part in piece.split(":")]
    except ValueError:
        raise InputError("memory", piece, allowed) from None
    first, last, step = (*numbers, *(numbers[0], max((numbers[-1] - numbers[0]) // 8, 1))[len(numbers) - 1 :])[:3]
    if len(numbers) > 3 or step < 1 or not 1 <= first <= last or (last - first) // step > MOST:
        raise InputError("memory", piece, f"{allowed}, and at most {MOST + 1} of them")
    return range(first, last + 1, step)


MOST = 1000
"""The most steps of a range of memories."""
