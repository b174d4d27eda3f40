"""Laws of lengths on which blind policies are measured, and samples of them without chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from crtools.schedule import volume


def hardest(l: int, u: int, s: int) -> Any:
    """Return P(o = k), k = l, …, u, of the law behind the lower bound: P(o ≥ k) = √(v(l)/v(k)), with an atom at u.

    v(k) = s·k + k(k+1)/2 are the token-instants of k tokens: P(v(o) ≥ t) is about (t/v(l))^(−1/2) up to v(u).
    """
    v = volume(s, np.arange(l, u + 1))
    tail = np.append(np.sqrt(v[0] / v), 0.0)
    return tail[:-1] - tail[1:]


def quantiles(weights: Any, l: int, n: int) -> Any:
    """Return n lengths in increasing order, the (i − ½)/n quantiles of the law with weights on l, l+1, ….

    Every length has its share of n up to one request, so that a run's chance is the policy's alone.
    """
    below = np.cumsum(np.asarray(weights, dtype=float))
    places = (np.arange(n) + 0.5) / n * below[-1]
    return l + np.searchsorted(below, places).astype(np.int64)
