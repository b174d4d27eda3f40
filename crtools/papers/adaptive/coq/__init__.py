"""The paper's theorems in Coq: the lemmas of the proofs, and files written by hand that state theorems for every u."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import sympy as sp

from crtools.papers.adaptive import theorems
from crtools.papers.adaptive.theorems.form import derivation, entries, inverse, tails, trace
from crtools.proof.coq import Development, Named, developed, made_in
from crtools.proof.symbols import i, j, k, s, u


def development() -> Development:
    """Return the lemmas of all theorems that have some, and the files written by hand, in the order of their names."""
    return developed(files(__name__), [*made_in(theorems), *_with_the_papers_values()])


def _with_the_papers_values() -> Iterator[Named]:
    """Iterate over the theorems that are made from what the paper displays."""
    odd: Any = sp.Sum(1 / (2 * i + 1), (i, 1, u - 1))
    all_: Any = sp.Sum(1 / (i + 1), (i, 1, u - 1))
    t1, twice_t2 = (u**2 + 1) / 2 + odd / 2, -(u**2 - 1) / 2 + all_ - odd / 2
    completed, left, delta = derivation.COMPLETED, derivation.REMAINING, derivation.delta
    yield ("form_tails", "h_sf"), tails.tails("h-sf")
    yield ("form_tails", "volume"), tails.tails("volume")
    yield ("form_tails", "positivity_volume"), tails.positivity("volume")
    yield ("form_entries", "corollary"), entries.corollary(i / j * ((i + j) ** 2 / 2 - i**2), i**2)
    yield ("form_inverse", "inverse"), inverse.inverse(trace.DIAGONAL, trace.LAST, trace.OFF_DIAGONAL)
    yield ("form_trace", "t1"), trace.closed_form("t1", "T_1(u)", trace.t1_sum(), t1)
    yield ("form_trace", "t2"), trace.closed_form("t2", "2T_2(u)", 2 * trace.t2_sum(), twice_t2)
    yield ("form_trace", "trace"), trace.trace(sp.Sum(1 / i, (i, 1, u)))
    yield ("form_derivation", "h_sf_latency"), derivation.h_sf_latency(k * (s + k))
    yield ("form_derivation", "period_time"), derivation.period_time(completed, delta * i, "k,i")
    yield ("form_derivation", "remaining"), derivation.remaining(completed, left)
    yield ("form_derivation", "a_min_latency"), derivation.a_min_latency(delta * i, completed, left)
