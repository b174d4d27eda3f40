"""The discrete process of docs/model.md, simulated exactly: policies, a literal engine and a fast one, the optimum.

Importing this package neither imports Numba nor compiles anything.
"""

from typing import Any

from crtools.errors import Livelock
from crtools.process.compare import Comparison, compare
from crtools.process.guarantees import Guarantee, Guarantees, guarantees
from crtools.process.measures import Mean
from crtools.process.optimal import Optimum, optimum
from crtools.process.policies import Choice, Policy, Request, known_policies
from crtools.process.run import Run, replay, simulate, volume_bound
from crtools.process.workload import Workload, at_load, workload

__all__ = [
    "Choice",
    "Comparison",
    "Guarantee",
    "Guarantees",
    "Livelock",
    "Mean",
    "Optimum",
    "Policy",
    "Request",
    "Run",
    "Workload",
    "at_load",
    "compare",
    "guarantees",
    "known_policies",
    "optimum",
    "replay",
    "simulate",
    "volume_bound",
    "workload",
]


def __getattr__(name: str) -> Any:
    if name == "POLICIES":
        return known_policies()
    raise AttributeError(f"module 'crtools.process' has no attribute {name!r}")
