"""The requests of a comparison: drawn from a distribution, or the rows of a file with prompts of their own.

:func:`read_workload` reads what a user names: a distribution, or ``csv:FILE#OUTPUTS[,PROMPTS]`` (``parquet:`` likewise) with
columns named as in the header. :meth:`Workload.draw` returns the requests of one run. All are present at time 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from crtools.distributions import Distribution, distribution
from crtools.distributions.spec import FROM_DATA
from crtools.errors import InputError
from crtools.expressions import number
from crtools.files import csv_rows, input_file
from crtools.numeric_types import IntArray
from crtools.setting import LARGEST_LENGTH, LARGEST_NUMBER, integer, read_integer

SKIP_HINT = "; skip-invalid leaves such rows out"

IntervalEnds = tuple[int | None, int | None]
"""The ends l and u of the prediction interval; None where the caller does not give one."""


class Requests(NamedTuple):
    """The requests of one run: an array of lengths; the others are arrays too, or one integer for all requests."""

    lengths: IntArray
    s: int | IntArray
    l: int | IntArray
    u: int | IntArray


@dataclass(frozen=True)
class Predictions:
    """What a scheduler knows of each output length o: fixed intervals, two columns of the file, or a factor.

    Of several ``intervals`` each request has the one that contains o. With a factor F the prediction p is drawn
    log-uniformly between o/F and o·F, and the interval is [⌊p/F⌋, ⌈p·F⌉], which contains o.
    """

    text: str
    intervals: tuple[tuple[int, int], ...] = ()
    columns: tuple[str, str] | None = None
    factor: Fraction | None = None

    @classmethod
    def of(cls, text: str) -> Predictions:
        """Parse ``L-U``, ``L-U,L-U…``, ``COLUMN,COLUMN`` or ``xF``; raise ``InputError`` for any other text."""
        if re.fullmatch(r"\s*\d+\s*-\s*\d+\s*(,\s*\d+\s*-\s*\d+\s*)*", text, re.ASCII):
            ends = [integer("predictions", int(end), 1, LARGEST_LENGTH) for end in re.findall(r"\d+", text)]
            if ends == sorted(ends) and all(u < l for u, l in zip(ends[1::2], ends[2::2], strict=False)):
                return cls(text, intervals=tuple(zip(ends[::2], ends[1::2], strict=True)))
        elif match := re.fullmatch(r"\s*[x×]\s*([\d./]+)\s*", text, re.ASCII | re.IGNORECASE):
            if 1 <= (factor := number("predictions", match[1])) <= LARGEST_NUMBER:
                return cls(text, factor=factor)
        elif text.count(",") == 1 and all(map(str.strip, text.split(","))):
            low, high = map(str.strip, text.split(","))
            return cls(text, columns=(low, high))
        allowed = "must be an interval L-U, several such as 1-9,10-20, two columns L,U, or a factor such as x2"
        raise InputError("predictions", text, allowed)

    @property
    def largest(self) -> int | None:
        """The largest output that the fixed intervals contain; None without fixed intervals."""
        return self.intervals[-1][1] if self.intervals else None

    def containing(self, outputs: IntArray) -> tuple[IntArray, IntArray]:
        """Return the ends of the fixed interval that contains each output; raise ``InputError`` where none does."""
        low, high = np.array(self.intervals, dtype=np.int64).T
        index = np.searchsorted(high, outputs)
        inside = index < len(high)
        inside[inside] = low[index[inside]] <= outputs[inside]
        if not inside.all():
            allowed = f"one of the intervals must contain the output {outputs[~inside][0]}"
            raise InputError("predictions", self.text, allowed)
        return low[index], high[index]

    def around(self, outputs: IntArray, seed: int) -> tuple[IntArray, IntArray]:
        """Return interval ends for predictions drawn within the factor of each output."""
        factor = float(self.factor or 1)
        predicted = outputs * factor ** np.random.default_rng([seed, 2]).uniform(-1, 1, len(outputs))
        low, high = np.maximum(np.floor(predicted / factor), 1), np.ceil(predicted * factor)
        return np.minimum(low.astype(np.int64), outputs), np.maximum(high.astype(np.int64), outputs)


@dataclass(frozen=True)
class Workload:
    """A distribution of output lengths with one prompt size ``s``, or the rows of a file.

    ``rows`` has the columns output and prompt, and l and u where the file predicts them. ``skipped`` counts rows of the
    file that could not be used.
    """

    name: str
    distribution: Distribution | None
    s: int = 0
    rows: IntArray | None = field(default=None, repr=False, compare=False)
    predictions: Predictions | None = None
    interval: IntervalEnds = (None, None)
    skipped: int = 0

    @property
    def count(self) -> int | None:
        """The number of rows; None for a distribution."""
        return None if self.rows is None else len(self.rows)

    @property
    def has_different_prompts(self) -> bool:
        """Whether rows have different prompts."""
        return self.rows is not None and bool(self.rows[:, 1].min() < self.rows[:, 1].max())

    def variation(self, n: int) -> str:
        """Return a sentence that says what differs between the seeds of a comparison of n requests."""
        if self.rows is None:
            return "Each seed draws its requests from the law."
        if n < len(self.rows):
            return f"Each seed draws {n} of the {len(self.rows)} rows."
        predicted = self.predictions is not None and self.predictions.factor is not None
        drawn = "predictions, orders, ties and coins" if predicted else "orders, ties and coins"
        return f"Every seed runs the same rows and draws only {drawn}: intervals say nothing about other requests."

    def draw(self, n: int, seed: int) -> Requests:
        """Return n requests: a sample of the distribution, or all rows, or n rows drawn without replacement."""
        if self.distribution is not None:
            lengths = self.distribution.sample(n, np.random.default_rng(seed))
            ends = interval(self.distribution, *self.interval, lambda: int(lengths.max()))
            return self._predicted(lengths, self.s, *ends, seed)
        assert self.rows is not None
        order = np.random.default_rng([seed, 1]).permutation(len(self.rows))[:n]
        lengths, s, *predicted = (self.rows if n == len(self.rows) else self.rows[order]).T
        if predicted:
            return Requests(lengths, s, *predicted)
        l, u = self.interval
        outputs = self.rows[:, 0]
        return self._predicted(
            lengths, s, int(outputs.min()) if l is None else l, int(outputs.max()) if u is None else u, seed
        )

    def _predicted(self, lengths: IntArray, s: int | IntArray, l: int, u: int, seed: int) -> Requests:
        """Return the requests with the intervals of the predictions, else with the interval [l, u]."""
        predictions = self.predictions
        if predictions is None or predictions.columns is not None:
            return Requests(lengths, s, l, u)
        if len(predictions.intervals) == 1:
            return Requests(lengths, s, *predictions.intervals[0])
        if predictions.intervals:
            return Requests(lengths, s, *predictions.containing(lengths))
        return Requests(lengths, s, *predictions.around(lengths, seed))


def read_workload(
    source: str | Distribution,
    memory: int,
    s: int = 0,
    predictions: str | None = None,
    skip_invalid: bool | None = False,
    ends: IntervalEnds = (None, None),
) -> Workload:
    """Return the workload of a distribution, its text, or a file of requests.

    ``memory`` is the smallest capacity M of the comparison: a row with s + o > M is invalid. ``skip_invalid`` is None where
    the caller offers no such option, so that messages do not recommend it. Raises ``InputError`` with file, line and column
    for an invalid row unless such rows are skipped, and where no row remains.
    """
    parsed = None if predictions is None else Predictions.of(predictions)
    if parsed is not None and ends != (None, None):
        raise InputError("predictions", predictions, "must be left out beside l and u")
    if not isinstance(source, str) or not source.strip().startswith(FROM_DATA):
        if parsed is not None and parsed.columns is not None:
            allowed = "column names only apply to a file; for a distribution use an interval L-U or a factor xF"
            raise InputError("predictions", predictions, allowed)
        law = distribution(source)
        return Workload(str(law), law, s, None, parsed, ends)
    text = source.strip()
    kind, _, location = text.partition(":")
    path, _, header = location.rpartition("#")
    columns = [name.strip() for name in header.split(",")]
    if not path or not all(columns) or len(columns) > 2:
        raise InputError("file", text, f"must be {kind}:FILE#OUTPUTS, or {kind}:FILE#OUTPUTS,PROMPTS")
    if len(columns) == 2 and s:
        raise InputError("s", s, f"must be left out where the file has prompts, {columns[1]}")
    has_prompts = len(columns) == 2
    columns += parsed.columns if parsed is not None and parsed.columns is not None else ()
    largest = parsed.largest if parsed is not None and parsed.largest else ends[1]
    rows: list[list[int]] = []
    skipped = 0
    for line, values in (csv_rows if kind == "csv" else parquet_rows)(path, columns):
        try:
            rows.append(_checked_row(values, columns, line, None if has_prompts else s, largest, memory))
        except InputError as error:
            if not skip_invalid:
                hint = "" if skip_invalid is None else SKIP_HINT
                raise InputError(error.argument, error.value, error.allowed + hint) from None
            skipped += 1
    if not rows:
        raise InputError("file", path, f"must have a row that can be used ({skipped} were left out)")
    return Workload(text, None, s, np.array(rows, dtype=np.int64), parsed, ends, skipped)


def _checked_row(
    values: Sequence[object], columns: Sequence[str], line: str, s: int | None, largest: int | None, memory: int
) -> list[int]:
    """Return output, prompt and, where the file has them, l and u; ``s`` is None where the second column has prompts."""

    def refused(column: str, value: object, allowed: str) -> InputError:
        return InputError(column, value, f"{allowed} ({line}, column {column})")

    numbers: list[int] = []
    for k, (column, value) in enumerate(zip(columns, values, strict=True)):
        text, smallest = str(value).strip(), 0 if s is None and k == 1 else 1
        try:
            numbers.append(read_integer(text))
        except ValueError:
            numbers.append(-1)
        if not smallest <= numbers[-1] <= LARGEST_LENGTH:
            must = "is empty: it must be" if text in ("", "None", "nan") else "must be"
            raise refused(column, value, f"{must} an integer from {smallest} to {LARGEST_LENGTH}")
    output, prompt, *predicted = numbers if s is None else [numbers[0], s, *numbers[1:]]
    if prompt + output > memory:
        raise refused(columns[0], output, f"cannot fit: {prompt} + {output} tokens are more than M = {memory}")
    if predicted and not predicted[0] <= output <= predicted[1]:
        raise refused(columns[0], output, f"must be in its interval [{predicted[0]}, {predicted[1]}]")
    if largest is not None and output > largest:
        raise refused(columns[0], output, f"must be at most u = {largest}")
    return [output, prompt, *predicted]


def interval_ends(l: object, u: object) -> IntervalEnds:
    """Return l and u as checked lengths, None where not given."""
    low, high = (None if end is None else integer(name, end, 1, LARGEST_LENGTH) for name, end in (("l", l), ("u", u)))
    return low, high


def interval(law: Distribution, l: int | None, u: int | None, largest: Callable[[], int]) -> tuple[int, int]:
    """Return the ends l and u, by default those of the support; ``largest()`` is u where the support is unbounded."""
    low, high = law.support
    return low if l is None else l, u if u is not None else largest() if high is None else high


def names_rows(source: object) -> bool:
    """Return whether a text names a file's rows and cannot be a distribution: two columns of a CSV file, or Parquet."""
    text = source.strip() if isinstance(source, str) else ""
    return text.startswith("parquet:") or (text.startswith(FROM_DATA) and "," in text.rpartition("#")[2])


def parquet_rows(path: str, columns: Sequence[str]) -> Iterator[tuple[str, list[object]]]:
    """Yield, for each row of a Parquet file, where it stands and its values in these columns."""
    try:
        import pyarrow.parquet as parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise InputError("file", path, "reading Parquet needs pyarrow: pip install 'crtools[parquet]'") from None
    input_file("file", path, "Parquet file")
    try:
        table: Any = parquet.read_table(path, columns=list(columns))
        lists: list[list[object]] = [table.column(name).to_pylist() for name in columns]
    except Exception as error:
        allowed = f"must be a Parquet file with the columns {', '.join(columns)} ({error})"
        raise InputError("file", path, allowed) from None
    for k, values in enumerate(zip(*lists, strict=True), 1):
        yield f"{path}, row {k}", list(values)
