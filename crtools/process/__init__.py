"""The discrete process of docs/model.md, simulated exactly: policies, a literal engine and a fast one, the optimum.

Importing this package neither imports Numba nor compiles anything.
"""

from crtools.errors import Livelock
from crtools.process.comparing import Comparison, Mean, compare
from crtools.process.optimal import Optimum, optimum
from crtools.process.policies import POLICIES, Policy, Request
from crtools.process.run import Run, replay, simulate, volume_bound

__all__ = [
    "POLICIES",
    "Comparison",
    "Livelock",
    "Mean",
    "Optimum",
    "Policy",
    "Request",
    "Run",
    "compare",
    "optimum",
    "replay",
    "simulate",
    "volume_bound",
]
