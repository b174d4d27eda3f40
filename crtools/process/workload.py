"""Workloads: the requests of a comparison, from arrays, a distribution, a joint distribution of prompts and outputs, or a file.

:func:`workload` makes a :class:`Workload` from one of these; :meth:`Workload.draw` returns the requests of one run;
:func:`at_load` scales their release times to a load. Tests: tests/process/test_workload.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite, sqrt
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from crtools.data_files import FROM_DATA, parse_source, read_table
from crtools.distributions import Distribution, distribution
from crtools.errors import InputError
from crtools.expressions import number
from crtools.names import count_text, named_arguments
from crtools.numeric_types import BoolArray, FloatArray, IntArray, PerRequest
from crtools.process.clocks import Clock, as_clock
from crtools.process.flow_bounds import step_work
from crtools.process.instance import LARGEST_MEMORY, LARGEST_RELEASE, as_seconds, make_instance
from crtools.setting import LARGEST_LENGTH, LARGEST_NUMBER, integer

IntervalEnds = tuple[int | None, int | None]
"""The ends l and u of the prediction interval; None if not given."""


class Requests(NamedTuple):
    """The requests of one run: an array of lengths; the others are arrays too, or one number for all requests.

    ``release`` is in seconds, or in a clock's unit after :func:`at_load`; ``predicted`` is None without predicted lengths.
    ``simulate`` (run.py) unpacks all of these, so that another column has to be read there too.
    """

    lengths: IntArray
    s: int | IntArray
    l: int | IntArray
    u: int | IntArray
    release: float | FloatArray | IntArray = 0
    predicted: IntArray | None = None

    def take(self, index: IntArray | BoolArray) -> Requests:
        """Return the requests at these positions."""
        columns: list[Any] = [column[index] if isinstance(column, np.ndarray) else column for column in self]
        return Requests(*columns)


@dataclass(frozen=True)
class Predictions:
    """What a scheduler knows of each output length o: fixed intervals, two columns of the file, or a factor.

    With several ``intervals``, each request has the one that contains o. With a factor F the prediction p is drawn
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
        elif len(names := [name.strip() for name in text.split(",")]) == 2 and all(names):
            return cls(text, columns=(names[0], names[1]))
        allowed = "must be an interval L-U, several such as 1-9,10-20, two columns L,U, or a factor such as x2"
        raise InputError("predictions", text, allowed)

    @property
    def largest(self) -> int | None:
        """The largest output that the fixed intervals contain; None without fixed intervals."""
        return self.intervals[-1][1] if self.intervals else None

    def containing(self, outputs: IntArray) -> tuple[IntArray, IntArray]:
        """Return the ends of the fixed interval that contains each output; raise ``InputError`` if none does."""
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
    """Requests to draw from: a distribution of output lengths, or rows.

    Made by :func:`workload`.

    Attributes
    ----------
    name : str
        The distribution, or the file and its columns.
    distribution : Distribution or None
        The distribution of the output lengths; None for rows.
    s : int
        The prompt size of all requests, 0 if prompts differ.
    rows : Requests or None
        The rows of a file or of arrays, with release times in seconds, the first at 0.
    predictions : Predictions or None
        What a scheduler knows of each output length.
    interval : tuple
        The ends l and u, None where they are not given or differ between the requests.
    skipped : int
        Number of unusable rows of the file, which were left out.
    prompts, correlation : Distribution or None, float
        The distribution of the prompt sizes, and the correlation of the normal variables behind prompts and outputs.
    weights : array or None
        The probability of each row, if requests are drawn from weighted pairs.
    rate, load : float or None
        Requests arrive as a Poisson process with this rate per second, or at this offered load.
    """

    name: str
    distribution: Distribution | None
    s: int = 0
    rows: Requests | None = field(default=None, repr=False, compare=False)
    predictions: Predictions | None = None
    interval: IntervalEnds = (None, None)
    skipped: int = 0
    prompts: Distribution | None = None
    correlation: float = 0
    weights: FloatArray | None = field(default=None, repr=False, compare=False)
    rate: float | None = None
    load: float | None = None

    @property
    def count(self) -> int | None:
        """The number of rows; None for a distribution or rows with weights, which have any number of requests."""
        return None if self.rows is None or self.weights is not None else len(self.rows.lengths)

    @property
    def has_different_prompts(self) -> bool:
        """Whether requests can have different prompts."""
        return self.prompts is not None or (self.rows is not None and not isinstance(self.rows.s, int))

    @property
    def has_times(self) -> bool:
        """Whether rows have release times that differ."""
        return self.rows is not None and bool(np.any(self.rows.release))

    @property
    def has_arrivals(self) -> bool:
        """Whether requests arrive over time, by their rows or as a Poisson process; else all are present at time 0."""
        return self.has_times or self.rate is not None or self.load is not None

    def variation(self, n: int, bootstrap: bool = False) -> str:
        """Return a sentence for users: what each seed of a comparison of n requests draws."""
        if self.count is None:
            return "Each seed draws its requests from the law."
        if bootstrap:
            return f"Each seed draws {n} of the {self.count} rows with replacement."
        if n < self.count:
            how = ", which follow one another in time" if self.has_times else ""
            return f"Each seed draws {n} of the {self.count} rows{how}."
        predicted = self.predictions is not None and self.predictions.factor is not None
        poisson = self.has_arrivals and not self.has_times
        drawn = "predictions, " * predicted + "arrivals, " * poisson + "orders, ties and coins"
        return f"Every seed runs the same rows and draws only {drawn}: intervals say nothing about other requests."

    def draw(self, n: int, seed: int, *, bootstrap: bool = False, arrivals: bool = True) -> Requests:
        """Return n requests.

        Parameters
        ----------
        n : int
            The number of requests, at most the number of rows unless they are drawn with replacement.
        seed : int
            The seed; the same seed gives the same requests.
        bootstrap : bool
            Draw rows with replacement. Release times then stay as they are, and sizes are drawn for them.
        arrivals : bool
            Whether release times are used; else all requests are present at time 0.

        Returns
        -------
        Requests
            A sample of a distribution; or all rows of a file in their order; or n < ``count`` rows, drawn without replacement. If
            release times are used, these rows are consecutive in time from a random one on, so that arrivals stay realistic, and
            the first release is 0.
        """
        arrivals = arrivals and self.has_arrivals
        rows = self.rows
        requests = self._from_rows(rows, n, seed, bootstrap, arrivals) if rows else self._from_law(n, seed)
        if not arrivals:
            requests = requests._replace(release=0)
        elif not self.has_times:
            times = np.random.default_rng([seed, 3]).exponential(1 / (self.rate or 1), n).cumsum()
            requests = requests._replace(release=times - times[0])
        return self._with_intervals(requests, seed)

    def _from_law(self, n: int, seed: int) -> Requests:
        """Return a sample; if prompts are drawn too, both are quantiles of correlated normal variables."""
        assert self.distribution is not None
        rng = np.random.default_rng(seed)
        s: int | IntArray = self.s
        if self.prompts is None:
            lengths = self.distribution.sample(n, rng)
        else:
            from scipy.special import ndtr

            first, other = rng.standard_normal((2, n))
            second = self.correlation * first + sqrt(1 - self.correlation**2) * other
            lengths, s = self.distribution.quantiles(ndtr(first)), self.prompts.quantiles(ndtr(second))
        return Requests(lengths, s, *interval(self.distribution, *self.interval, lambda: int(lengths.max())))

    def _from_rows(self, rows: Requests, n: int, seed: int, bootstrap: bool, arrivals: bool) -> Requests:
        """Return n rows with their release times shifted so that the first is 0."""
        rng, count = np.random.default_rng([seed, 1]), len(rows.lengths)
        if self.weights is not None:
            return rows.take(rng.choice(count, n, p=self.weights))
        release = rows.release if arrivals else 0
        if n > count and (isinstance(release, np.ndarray) or not bootstrap):
            raise InputError("n", n, f"must be at most the number of rows, {count}")
        if not isinstance(release, np.ndarray):
            drawn = rng.integers(count, size=n) if bootstrap else rng.permutation(count)[:n]
            return rows if n == count and not bootstrap else rows.take(drawn)
        first = rng.integers(count - n + 1)
        chosen = np.sort(np.argsort(release, kind="stable")[first : first + n])
        times = release[chosen] - release[chosen].min()
        return rows.take(rng.choice(chosen, n) if bootstrap else chosen)._replace(release=times)

    def _with_intervals(self, requests: Requests, seed: int) -> Requests:
        """Return the requests with the intervals of the predictions, unless these are columns."""
        predictions = self.predictions
        if predictions is None or predictions.columns is not None:
            return requests
        if len(predictions.intervals) == 1:
            l, u = predictions.intervals[0]
        elif predictions.intervals:
            l, u = predictions.containing(requests.lengths)
        else:
            l, u = predictions.around(requests.lengths, seed)
        return requests._replace(l=l, u=u)


@named_arguments()
def workload(
    source: str | Distribution | Workload | Mapping[int, float] | Mapping[tuple[int, int], float] | npt.ArrayLike,
    *,
    s: PerRequest | str | Distribution = 0,
    l: PerRequest | None = None,
    u: PerRequest | None = None,
    release: npt.ArrayLike | None = None,
    predicted: str | Sequence[int] | IntArray | None = None,
    predictions: str | None = None,
    correlation: float = 0,
    rate: float | None = None,
    load: float | None = None,
    time_unit: str = "s",
    skip_invalid: bool = False,
    memory: int | None = None,
) -> Workload:
    """Return requests to draw from.

    Parameters
    ----------
    source : str, Distribution, mapping, array or Workload
        Output lengths (array or list), a distribution of them or its text, a mapping of lengths or of pairs (s, o) to weights, or
        ``csv:FILE#OUTPUTS[,PROMPTS[,TIMES]]``, also with ``jsonl:`` or ``parquet:``. A Workload is returned as it is.
    s : int, array, str or Distribution
        Prompt sizes in tokens: one for all, one for each row of an array, or, with a distribution of outputs, a distribution.
    l, u : int or array
        The prediction interval, by default the ends of the support or of the outputs.
    release : array of float
        Release times of an array, ≥ 0 in seconds or NumPy dates; they are shifted so that the first is 0.
    predicted : str or array of int
        Predicted lengths, ≥ 1, which may be wrong: a column of the file, or one for each row of an array.
    predictions : str
        The interval of each output: one interval "1-100" or several, two columns "low,high" of a file, or a factor "x2".
    correlation : float
        Between −1 and 1; of the normal variables behind prompts and outputs, if both are distributions.
    rate : float
        Rate per second of a Poisson process of arrivals, for requests without release times.
    load : float
        Offered load to which :func:`at_load` scales the release times; without release times, arrivals are a Poisson process.
    time_unit : {"s", "ms", "us", "ns"}
        The unit of TIMES, which are numbers ≥ 0, or dates and times.
    skip_invalid : bool
        Leave out and count unusable rows of a file; by default they raise ``InputError``.
    memory : int
        The smallest capacity M in tokens; a row with s + o > M is unusable.

    Returns
    -------
    Workload

    Raises
    ------
    InputError
        For values that are not allowed; with file, line and column for the first unusable row of a file.

    Notes
    -----
    Columns that load public formats:

    - the Azure traces of 2023: ``csv:FILE#GeneratedTokens,ContextTokens,TIMESTAMP``;
    - BurstGPT: ``csv:FILE#Response tokens,Request tokens,Timestamp``, with ``skip_invalid`` for its rows of zero tokens;
    - Mooncake: ``jsonl:FILE#output_length,input_length,timestamp``, with ``time_unit="ms"``;
    - ``vllm bench serve --save-result --save-detailed``: ``jsonl:FILE#output_lens,input_lens,start_times``.

    Examples
    --------
    >>> rows = workload([5, 1, 3], s=[2, 0, 9], release=[10.5, 12, 11])
    >>> rows.draw(3, seed=0).release.tolist()
    [0.0, 1.5, 0.5]
    >>> joint = workload("geometric(q=9/10)", s="uniform(l=1, u=100)", correlation=0.5, load=0.8)
    >>> joint.draw(1000, seed=0).s.mean().round()
    np.float64(50.0)
    """
    given = {"s": s, "l": l, "u": u, "release": release, "predicted": predicted, "predictions": predictions}
    given |= {"correlation": correlation, "rate": rate, "time_unit": None if time_unit == "s" else time_unit}

    def only(where: str, *names: str) -> None:
        """Raise ``InputError`` if an argument other than these is given."""
        for name, value in given.items():
            if name not in names and not (value is None or (isinstance(value, int | float) and value == 0)):
                raise InputError(name, value, f"must be left out for {where}")

    is_file = isinstance(source, str) and source.strip().startswith(FROM_DATA)
    parsed = None if predictions is None else Predictions.of(predictions)
    if parsed is not None and (l is not None or u is not None):
        raise InputError("predictions", predictions, "must be left out where l or u is given")
    if parsed is not None and parsed.columns is not None and not is_file:
        allowed = "column names only apply to a file; else use an interval L-U or a factor xF"
        raise InputError("predictions", predictions, allowed)
    for name, value in (("rate", rate), ("load", load)):
        if value is not None:
            _refuse_unless_positive(name, value)
    if isinstance(source, Workload):
        only("a workload")
        made = source
    elif isinstance(source, str) and is_file:
        only("a file", "s", "l", "u", "predicted", "predictions", "rate", "time_unit")
        column = None if predicted is None else str(predicted)
        made = _of_file(source.strip(), s, _interval_ends(l, u), parsed, column, time_unit, skip_invalid, memory)
    elif isinstance(source, Mapping) and any(isinstance(key, tuple) for key in cast("Mapping[Any, Any]", source)):
        only("weighted pairs", "l", "u", "predictions", "rate")
        made = _of_pairs(source, l, u, parsed)
    elif isinstance(source, str | Distribution | Mapping):
        only("a distribution", "s", "l", "u", "predictions", "correlation", "rate")
        law = distribution(cast(Any, source), skip_invalid)
        made = _of_law(law, s, correlation, Workload(str(law), law, 0, None, parsed, _interval_ends(l, u), law.skipped))
    else:
        only("arrays", "s", "l", "u", "release", "predicted", "predictions", "rate")
        made = _of_arrays(source, s, l, u, release, predicted, parsed)
    if rate is not None and (made.has_times or load is not None):
        raise InputError("rate", rate, "must be left out where release times or load are given")
    return replace(made, rate=made.rate if rate is None else rate, load=made.load if load is None else load)


def _of_law(law: Distribution, s: Any, correlation: float, made: Workload) -> Workload:
    """Return the workload with its prompts: one size, or a distribution of them."""
    if not isinstance(s, str | Distribution):
        if correlation:
            allowed = "needs a distribution of prompts, such as s='uniform(l=1, u=9)'"
            raise InputError("correlation", correlation, allowed)
        return replace(made, s=integer("s", s, 0))
    prompts = distribution(s)
    if not isinstance(correlation, int | float) or not -1 <= correlation <= 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError("correlation", correlation, "must be a number between −1 and 1")
    name = f"{law}, prompts {prompts}" + (f", correlation {correlation:g}" if correlation else "")
    return replace(made, name=name, prompts=prompts, correlation=correlation)


def _of_pairs(weights: Mapping[Any, Any], l: Any, u: Any, predictions: Predictions | None) -> Workload:
    pairs: list[Any] = list(weights)
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise InputError("workload", weights, "must map pairs (s, o) to weights")
    s, lengths = map(list, zip(*pairs, strict=True))
    shares = _numbers("weight", list(weights.values()), len(pairs))
    if not shares.any():
        raise InputError("weight", 0, "must be positive for at least one pair")
    made = _of_arrays(lengths, s, l, u, None, None, predictions)
    return replace(made, name=f"{len(pairs)} weighted pairs", weights=shares / shares.sum())


def _of_arrays(
    lengths: Any, s: Any, l: Any, u: Any, release: Any, predicted: Any, predictions: Predictions | None
) -> Workload:
    checked = make_instance(lengths, LARGEST_MEMORY, s, l, u, predicted=predicted)
    times = None if release is None else _numbers("release", release, checked.n)
    size, low, up = map(_common, (checked.s, checked.l, checked.u))
    forecast = None if predicted is None else checked.predicted
    rows = Requests(checked.length, size, low, up, 0 if times is None else times - times.min(), forecast)
    return Workload(count_text(checked.n, "request"), None, size if isinstance(size, int) else 0, rows, predictions)


def _of_file(
    text: str,
    s: Any,
    ends: IntervalEnds,
    predictions: Predictions | None,
    predicted: str | None,
    time_unit: str,
    skip_invalid: bool,
    memory: int | None,
) -> Workload:
    """Return the workload of a file; raise ``InputError`` for the first unusable row unless ``skip_invalid``."""
    kind, path, header = parse_source("file", text, "OUTPUTS[,PROMPTS[,TIMES]]")
    columns, s = [name.strip() for name in header.split(",")], integer("s", s, 0)
    if not all(columns) or len(columns) > 3:
        raise InputError("file", text, f"must be {kind}:FILE#OUTPUTS[,PROMPTS[,TIMES]]")
    if len(columns) > 1 and s:
        raise InputError("s", s, f"must be left out where the file has prompts, {columns[1]}")
    if len(columns) < 3 and time_unit != "s":
        raise InputError("time_unit", time_unit, f"needs a column of times: {kind}:FILE#OUTPUTS,PROMPTS,TIMES")
    bounds = () if predictions is None or predictions.columns is None else predictions.columns
    table = read_table(kind, path, [*columns, *bounds, *filter(None, [predicted])])
    lengths = table.integers(columns[0], 1, LARGEST_LENGTH)
    prompts = table.integers(columns[1], 0, LARGEST_LENGTH) if len(columns) > 1 else np.full(len(lengths), s)
    times = table.seconds(columns[2], time_unit) if len(columns) > 2 else 0
    forecast = None if predicted is None else table.integers(predicted, 1, LARGEST_LENGTH)
    if memory is not None:
        cannot = f"tokens are more than M = {memory}"
        large = prompts + lengths > memory
        table.refuse(columns[0], large, lambda k: f"cannot fit: {prompts[k]} + {lengths[k]} {cannot}")
    l, u = ends
    if bounds:
        low, high = l, u = [table.integers(name, 1, LARGEST_LENGTH) for name in bounds]
        outside = (lengths < low) | (lengths > high)
        table.refuse(columns[0], outside, lambda k: f"must be in its interval [{low[k]}, {high[k]}]")
    if largest := (predictions and predictions.largest) or ends[1]:
        table.refuse(columns[0], lengths > largest, lambda _: f"must be at most u = {largest}")
    kept = table.kept(skip_invalid)
    used = lengths[kept]
    l, u = int(used.min()) if l is None else l, int(used.max()) if u is None else u
    rows = Requests(lengths, prompts, l, u, times, forecast).take(kept)
    rows = rows._replace(s=_common(rows.s), release=rows.release - np.min(rows.release) if len(columns) > 2 else 0)
    s = rows.s if isinstance(rows.s, int) else 0
    return Workload(text, None, s, rows, predictions, skipped=len(lengths) - len(used))


def _common(column: Any) -> Any:
    """Return the value of a constant column, or the column."""
    return int(column[0]) if (column == column[0]).all() else column


def _numbers(name: str, values: Any, n: int) -> FloatArray:
    """Return finite numbers ≥ 0, one for each of n requests."""
    try:
        numbers = as_seconds(values)
    except (TypeError, ValueError):
        raise InputError(name, values, "must be numbers") from None
    if numbers.shape != (n,):
        raise InputError(name, f"shape {numbers.shape}", f"must be one number for each of {n} requests")
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(name, numbers[row], f"must be a finite number ≥ 0 (request {row})")
    return numbers


def _refuse_unless_positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not (isfinite(value) and value > 0):
        raise InputError(name, value, "must be a finite number > 0")


def at_load(requests: Requests, load: float, memory: int, clock: str | Sequence[float] | Clock) -> Requests:
    """Return requests with their release times scaled so that the offered load is ``load``.

    The offered load is Σ work / (last release − first release), with the work in the clock's unit: volume/M in steps, and in
    seconds that of :func:`crtools.process.flow_bounds.step_work`. In steps times are rounded to integers.

    Raises ``InputError`` if all are released together.
    """
    _refuse_unless_positive("load", load)
    clock, times = as_clock(clock), np.asarray(requests.release, dtype=np.float64)
    span = float(np.ptp(times))
    if not span:
        raise InputError("load", load, "needs requests that are released at different times")
    work = float(step_work(requests.lengths, np.asarray(requests.s), memory, clock).sum())
    scaled = (times - times.min()) * (work / load / span)
    if not scaled.max() <= LARGEST_RELEASE:
        raise InputError("load", load, f"makes the last release time {scaled.max():.3g}: at most {LARGEST_RELEASE}")
    return requests._replace(release=np.rint(scaled).astype(np.int64) if clock.name == "steps" else scaled)


def _interval_ends(l: object, u: object) -> IntervalEnds:
    """Return l and u as checked lengths, None if not given."""
    low, high = (None if end is None else integer(name, end, 1, LARGEST_LENGTH) for name, end in (("l", l), ("u", u)))
    return low, high


def interval(law: Distribution, l: int | None, u: int | None, largest: Callable[[], int]) -> tuple[int, int]:
    """Return the ends l and u, by default those of the support; ``largest()`` is u if the support is unbounded."""
    low, high = law.support
    return low if l is None else l, u if u is not None else largest() if high is None else high


def names_rows(source: object) -> bool:
    """Return whether a text names rows of a file and no distribution: it has several columns, or is a Parquet file."""
    text = source.strip() if isinstance(source, str) else ""
    return text.startswith("parquet:") or (text.startswith(FROM_DATA) and "," in text.rpartition("#")[2])
