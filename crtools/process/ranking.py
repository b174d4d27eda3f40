"""Which blind policy of a comparison is best at which memory, by how much, and whether the seeds show the difference."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crtools.process.measures import Row
from crtools.process.statistics import Mean

TAILS = ("p99", "makespan")
"""Measures of the slowest requests."""

LEAST_FACTOR = 1.01
"""A tail that is larger by at most this factor is not mentioned."""


class Worse(NamedTuple):
    """A measure in which the best blind policy by the mean is worse than another one, and by which factor."""

    best: Row
    measure: str
    than: str
    factor: float


def ranked_blind(rows: Iterable[Row], axis: str) -> list[list[Row]]:
    """Return the blind rows of each memory or load (``axis``: "M" or "load"), in the order of their mean flow time."""
    by_position: dict[float, list[Row]] = {}
    for row in rows:
        if row.blind:
            by_position.setdefault(row.at(axis), []).append(row)
    return [sorted(group, key=_mean_latency) for group in by_position.values()]


def worse_in_tails(rankings: Iterable[Sequence[Row]]) -> Iterator[Worse]:
    """Iterate over where the p99 or makespan of the best blind policy is more than 1 % above another's."""
    for best, *others in rankings:
        for name in TAILS:
            means = [(mean.mean, row.policy) for row in others if (mean := row.mean(name))]
            smallest, other = min(means, default=(0.0, ""))
            if (mean := best.mean(name)) and mean.mean > LEAST_FACTOR * smallest > 0:
                yield Worse(best, name, other, mean.mean / smallest)


def sentence(rankings: Sequence[Sequence[Row]], axis: str, opening: str, over: str) -> str:
    """Return which blind policy is best where and by how much, and in which tail it is worse than another.

    ``over`` is the ratio to a lower bound that says how good it is, "to_volume" or "to_bound".
    """
    by_best: dict[str, list[Sequence[Row]]] = {}
    for ranking in rankings:
        by_best.setdefault(ranking[0].policy, []).append(ranking)
    if not by_best:
        return "No blind policy ran."
    parts = [_best_policy(rankings_of_best, axis, len(by_best) == 1, over) for rankings_of_best in by_best.values()]
    by_kind: dict[tuple[str, str, str], list[Worse]] = {}
    for worse in worse_in_tails(rankings):
        by_kind.setdefault((worse.best.policy, worse.measure, worse.than), []).append(worse)
    tails = (
        f"The {measure} of {policy} is {_extent((100 * (each.factor - 1) for each in all_worse), ' %')} above that of {than} "
        f"at {_positions((each.best for each in all_worse), axis)}."
        for (policy, measure, than), all_worse in by_kind.items()
    )
    return " ".join([f"{opening[0].upper()}{opening[1:]} the blind policies {'; '.join(parts)}.", *tails])


def _positions(rows: Iterable[Row], axis: str) -> str:
    return f"{axis} = {', '.join(str(row.at(axis)) for row in rows)}"


def _best_policy(rankings: Sequence[Sequence[Row]], axis: str, always: bool, over: str) -> str:
    """Say how good the first row of each ranking is; ``always``: the same policy is best at every memory."""
    best = [ranking[0] for ranking in rankings]
    policy = best[0].policy
    where = f"every {axis} here" if always and len(rankings) > 3 else _positions(best, axis)
    names = ["volume"] if over == "to_volume" else [name for row in best for name in row.bounds]
    ratios_to_bound = [mean.mean for row in best if (mean := row.mean(over))]
    times = f"{_extent(ratios_to_bound)} times the {' or '.join(dict.fromkeys(names))} bound"
    pairs = [(ranking[0], ranking[1]) for ranking in rankings if len(ranking) > 1]
    if not pairs:
        return f"only {policy} ran at {where}: {times}"
    if all(_percent_above(ranking[0], ranking[-1]) == 0 for ranking in rankings):
        return f"all {len(rankings[0])} have the same mean at {where}: {times}"
    paired = [paired_ratio(best, second) for best, second in pairs]
    seconds = ", ".join(dict.fromkeys(second.policy for _, second in pairs))
    percent = _extent((_percent_above(best, second) for best, second in pairs), " %")
    above = "equal" if percent == "0 %" else f"{percent} above"
    return f"{policy} is best at {where}: {times}, the next ({seconds}) {above}{_significance(paired, axis)}"


def _mean_latency(row: Row) -> float:
    return sum(measures["total_latency"] for measures in row.values)


def _percent_above(best: Row, other: Row) -> float:
    return round(100 * (_mean_latency(other) / _mean_latency(best) - 1), 7)


def paired_ratio(best: Row, other: Row) -> Mean:
    """Return the mean over the seeds of the other's total latency over the best's on the same requests."""
    pairs = zip(other.values, best.values, strict=True)
    return Mean.of([above["total_latency"] / below["total_latency"] for above, below in pairs])


def _significance(ratios: Sequence[Mean], axis: str) -> str:
    """Say at how many memories or loads the 95 % interval of the paired ratio contains 1."""
    if any(ratio.interval is None for ratio in ratios):
        return " (one seed)"
    unsure = sum(ratio.interval is not None and ratio.interval[0] <= 1 for ratio in ratios)
    some = f"at {unsure} of {len(ratios)} {'memories' if axis == 'M' else 'loads'}"
    return f" (not told apart {'over these seeds' if unsure == len(ratios) else some})" if unsure else ""


def _extent(values: Iterable[float], unit: str = "") -> str:
    """Return the smallest and the largest number, or one of them where they print alike."""
    numbers = list(values)
    low, high = f"{min(numbers):.3g}", f"{max(numbers):.3g}"
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
