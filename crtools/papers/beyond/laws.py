"""A distribution of lengths that is hard for blind policies, and deterministic samples; ``figures/blind.py`` runs policies on them."""

import numpy as np
import numpy.typing as npt

from crtools.numeric_types import FloatArray, IntArray
from crtools.schedule import volume


def hardest(l: int, u: int, s: int) -> FloatArray:
    """Return P(o = k), k = l, …, u, of the distribution behind the lower bound: P(o ≥ k) = √(v(l)/v(k)), with an atom at u.

    v(k) = s·k + k(k+1)/2 is the volume of k tokens: P(v(o) ≥ t) is about (t/v(l))^(−1/2) up to v(u).
    """
    v = volume(s, np.arange(l, u + 1))
    tail = np.append(np.sqrt(v[0] / v), 0.0)
    return tail[:-1] - tail[1:]


def quantiles(weights: npt.ArrayLike, l: int, n: int) -> IntArray:
    """Return n lengths in increasing order, the (i − ½)/n quantiles of the distribution with weights on l, l+1, ….

    Every length gets its share of the n requests up to one, so only the policy is random in a run.
    """
    cumulative = np.cumsum(np.asarray(weights, dtype=float))
    shares = (np.arange(n) + 0.5) / n * cumulative[-1]
    return l + np.searchsorted(cumulative, shares).astype(np.int64)
