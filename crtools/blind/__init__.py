"""The best blind scheduler: its ratio to the optimum, and lower bounds for every blind scheduler.

A *blind* scheduler learns a length when the request completes, and a request that it kills loses its tokens. A request of the process may
pause and keep its memory; it cannot leave the memory and keep its tokens. A policy that preempts without loss is called preemptive, not
blind: on one machine round robin is within 2 − 2/(n+1) of the optimum.

* One distribution: ``best``; with symbols ``closed_form``; if the scheduler sees classes of requests ``joint_law``.
* Every distribution on an interval of lengths: ``minimax``, from ``rho_star`` and ``worst_law``.
* Policies of the process: ``scheduler`` and ``expected_work``.
"""

from crtools.blind.best import Best, best
from crtools.blind.joint_law import BestForClasses, ClassPlans, PromptClass, best_for_classes
from crtools.blind.minimax import Interval, Minimax, State, minimax
from crtools.blind.mixture import Plan
from crtools.blind.rho_star import LeastCost, least_cost

__all__ = [
    "Best", "BestForClasses", "ClassPlans", "Interval", "LeastCost", "Minimax", "Plan", "PromptClass", "State", "best",
    "best_for_classes", "least_cost", "minimax",
]  # fmt: skip
