"""The paper's theorems in Coq: the lemmas of the proofs, and files written by hand that state theorems for every u."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from typing import Any

from crtools.papers.adaptive import theorems as home
from crtools.papers.adaptive.theorems.form import derivation, entries, inverse, tails, trace
from crtools.proof.coq import Development, lemmas
from crtools.proof.symbols import i, j, k, l, s, u
from crtools.proof.theorem import Theorem


def development() -> Development:
    """Return the lemmas of all theorems that have some, with the files written by hand, in the order of their names."""
    folder = files(__package__)
    by_hand = {own.name: own.read_text(encoding="utf-8") for own in folder.iterdir() if own.name.endswith(".v")}
    found = {**dict(_without_arguments()), **_with_the_papers_values()}
    return Development({name: own for name, own in found.items() if lemmas(own)}, dict(sorted(by_hand.items())))


def _without_arguments() -> Iterator[tuple[str, Theorem]]:
    """Iterate over the theorems of the folder ``theorems`` that are made without an argument, named module_function."""
    for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
        own = import_module(module.name)
        for name, function in inspect.getmembers(own, callable):
            plain: Any = inspect.unwrap(function)
            if not inspect.isfunction(plain) or plain.__module__ != own.__name__ or name.startswith("_"):
                continue
            parameters = inspect.signature(plain).parameters.values()
            if plain.__annotations__.get("return") == "Theorem" and all(p.default is not p.empty for p in parameters):
                yield f"{module.name.rpartition('.')[2]}_{name}", function()


def _with_the_papers_values() -> dict[str, Theorem]:
    """Return the theorems that are made from what the paper displays."""
    odd, all_ = (trace.sp.Sum(term, (i, 1, u - 1)) for term in (1 / (2 * i + 1), 1 / (i + 1)))
    t1, twice_t2 = (u**2 + 1) / 2 + odd / 2, -(u**2 - 1) / 2 + all_ - odd / 2
    return {
        "tails_h_sf": tails.tails("h-sf"),
        "tails_volume": tails.tails("volume"),
        "tails_positivity_volume": tails.positivity("volume"),
        "entries_corollary": entries.corollary(i / j * ((i + j) ** 2 / 2 - i**2), i**2),
        "inverse_inverse": inverse.inverse(trace.DIAGONAL, trace.LAST, trace.OFF_DIAGONAL),
        "trace_t1": trace.closed_form("t1", "T_1(u)", trace.t1_sum(), t1),
        "trace_t2": trace.closed_form("t2", "2T_2(u)", 2 * trace.t2_sum(), twice_t2),
        "trace_trace": trace.trace(trace.sp.Sum(1 / i, (i, 1, u))),
        "derivation_h_sf_latency": derivation.h_sf_latency(k * (s + k)),
        "derivation_period_time": derivation.period_time(derivation.COMPLETED, derivation.delta * i, "k,i"),
        "derivation_remaining": derivation.remaining(derivation.COMPLETED, derivation.REMAINING),
        "derivation_a_min_latency": derivation.a_min_latency(
            derivation.delta * i, derivation.COMPLETED, derivation.REMAINING
        ),
    }
