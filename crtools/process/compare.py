"""``compare``: one policy at one memory, or several at several, against H-SF on the same requests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

from crtools.distributions import Distribution
from crtools.errors import InputError
from crtools.process.comparing import Comparison, compare_one
from crtools.process.comparisons import Comparisons, compare_all
from crtools.process.policies import Policy
from crtools.process.sweep import Progress


@overload
def compare(
    policy: str | Policy,
    dist: str | Distribution,
    *,
    n: int,
    memory: int,
    s: int = 0,
    seeds: int | Iterable[int] = 1,
    l: int | None = None,
    u: int | None = None,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = iter,
) -> Comparison: ...
@overload
def compare(
    policy: Sequence[str | Policy] | None,
    dist: str | Distribution,
    *,
    memory: int | str | Iterable[int],
    n: int | None = None,
    s: int = 0,
    seeds: int | Iterable[int] | None = None,
    l: int | None = None,
    u: int | None = None,
    predictions: str | None = None,
    skip_invalid: bool = False,
    jobs: int = 1,
    dask: str | None = None,
    progress: Progress = iter,
) -> Comparisons: ...
def compare(policy: Any, dist: str | Distribution, **how: Any) -> Comparison | Comparisons:
    """Simulate policies and H-SF on the same requests, one run each per seed, and compare.

    policy: one, which gives a :class:`Comparison` (:func:`compare_one`), or a list of them, or None for all that fit, which
    gives :class:`crtools.process.comparisons.Comparisons`. For a list: memory: one M in tokens, several, or a text such as
    "1000:9000:2000"; dist: a law, or the rows of ``csv:FILE#OUTPUTS,PROMPTS`` (``parquet:`` too); n: requests, by default
    all rows, or 1000 of a law; predictions: what is known of each output, one interval "1-100", columns "low,high", or a
    factor "x2"; skip_invalid: whether rows that cannot be used are left out, and counted, instead of being refused. Raises
    ``InputError`` for values that are not allowed.

    >>> compare("h-sf", "uniform(l=1, u=10)", n=9, memory=60).to_h_sf.mean
    1.0
    """
    if isinstance(policy, str | Policy):
        return compare_one(policy, dist, **how)
    if policy is not None and (not isinstance(policy, Sequence) or not policy):
        raise InputError("policy", policy, "must be a policy, a list of some, or None for all that fit")
    return compare_all(None if policy is None else list(policy), dist, **how)
