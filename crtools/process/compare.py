"""``compare``: one policy at one memory, or several at several, against H-SF on the same requests."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any, overload

from crtools.distributions import Distribution
from crtools.errors import MISSING, InputError
from crtools.grammar import EXAMPLE, is_law
from crtools.names import one_of
from crtools.process.comparing import Comparison, compare_one
from crtools.process.comparisons import Comparisons, compare_all
from crtools.process.policies import POLICY, Policy


@overload
def compare(policy: str | Policy, dist: str | Distribution, *, n: int, memory: int, **how: Any) -> Comparison: ...
@overload
def compare(policy: Sequence[str | Policy] | None, dist: str | Distribution, **how: Any) -> Comparisons: ...
@overload
def compare(*words: Any, **how: Any) -> Comparison | Comparisons: ...
def compare(*words: Any, **how: Any) -> Comparison | Comparisons:
    """Simulate policies and H-SF on the same requests, one run each per seed, and compare.

    policy: one, which with one memory and n gives a :class:`Comparison` (:func:`compare_one`); or a list of them, or None or
    nothing for all that fit, which gives :class:`crtools.process.comparisons.Comparisons`, as several memories do. For
    these: memory: one M in tokens, several, or a text such as
    "1000:9000:2000"; dist: a law, or the rows of ``csv:FILE#OUTPUTS,PROMPTS`` (``parquet:`` too); n: requests, by default
    all rows, or 1000 of a law; predictions: what is known of each output, one interval "1-100", columns "low,high", or a
    factor "x2"; skip_invalid: whether rows that cannot be used are left out, and counted, instead of being refused. Raises
    ``InputError`` for values that are not allowed.

    >>> compare("h-sf", "uniform(l=1, u=10)", n=9, memory=60).to_h_sf.mean
    1.0
    """
    for name in how:
        one_of("argument", name, ("policy", "dist", *list(signature(compare_all).parameters)[2:]))
    policy, dist = _policies_and_law(words, how.pop("policy", None), how.pop("dist", None))
    if how.get("memory") is None:
        raise InputError("memory", MISSING, "give the capacity in tokens, for example memory=100")
    if isinstance(policy, str | Policy):
        if isinstance(how["memory"], int) and how.get("n") is not None and not _FOR_SEVERAL & set(how):
            return compare_one(policy, dist, **how)
        policy = [policy]
    if policy is not None and (not isinstance(policy, Sequence) or not policy):
        raise InputError("policy", policy, "must be a policy, a list of some, or None for all that fit")
    return compare_all(None if policy is None else list(policy), dist, **how)


_FOR_SEVERAL = {"predictions", "skip_invalid"}
"""What ``compare_one`` does not know."""


def _policies_and_law(words: Sequence[Any], policy: Any, dist: Any) -> tuple[Any, Any]:
    """Return what is compared and the law, of one or two words in either order and what is given by name."""
    left = list(words)
    if len(left) > 2:
        raise InputError("law", left[2], "is one too many: give a policy, or a list of them, and a law")
    if dist is None and left:
        last = len(left) == 1 or is_law(left[1], POLICY) or not is_law(left[0], POLICY)
        dist = left.pop() if last and (len(left) == 2 or policy is not None or is_law(left[0], POLICY)) else None
        dist = left.pop(0) if not last else dist
    if left and policy is not None:
        raise InputError("policy", policy, f"is given twice: {left[0]} stands before it")
    if dist is None:
        after = f" after {left[0]}" if left and isinstance(left[0], str) else ""
        raise InputError("law", MISSING, f"give a law or a file of requests{after}, {EXAMPLE}")
    return left[0] if left else policy, dist
