"""The best scheduler that does not know the lengths: what it pays against every schedule, and what nobody can undercut.

*Blind* means: it learns a length when the request completes; kill and restart: a request that does not run has lost its tokens. A
request of the process may pause and keep its memory; it may not leave the memory and keep its tokens. A policy that preempts without
loss is called preemptive, never blind: on one machine round robin is within 2 − 2/(n+1) of the optimum.
"""

from __future__ import annotations

from crtools.blind.best import Best, Plan, best
from crtools.blind.joint_law import BestForClasses, ClassPlans, PromptClass, best_for_classes
from crtools.blind.minimax import Interval, Minimax, State, minimax
from crtools.blind.rho_star import LeastCost, least_cost

__all__ = [
    "Best",
    "BestForClasses",
    "ClassPlans",
    "Interval",
    "LeastCost",
    "Minimax",
    "Plan",
    "PromptClass",
    "State",
    "best",
    "best_for_classes",
    "least_cost",
    "minimax",
]
