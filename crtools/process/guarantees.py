"""Factors to the optimum that are proved for a policy, beside one instance's numbers and a run; installed ledgers bring them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crtools.enclosure import decimal
from crtools.errors import InputError
from crtools.installed_ledgers import installed
from crtools.names import named_arguments
from crtools.numeric_types import JsonObject, PerRequest
from crtools.process.flow_bounds import flow_bounds_in_steps
from crtools.process.run import simulate
from crtools.process.workload import Workload, workload
from crtools.setting import integer
from crtools.tables import WithRows

SETTING = "in steps, all requests present at time 0; the optimum is over all schedules, with kills or without"
"""The setting of the theorems, and their benchmark."""


class ProvedFactor(NamedTuple):
    """A theorem: a policy's total latency is at most ``waiting`` + L, and at most ``factor`` times the optimum.

    Where the policy has coins, this is so of the mean over them, and ``says`` names it.
    ``factor`` is a function of κ = M/(M − P + 1) and the largest length u; ``waiting`` also of the requests (s, o) and M.
    """

    policy: str
    says: str
    factor: Callable[[Fraction, int], Fraction]
    waiting: Callable[[Fraction, int, list[tuple[int, int]], int], Fraction]


class Guarantee(NamedTuple):
    """A theorem on a policy beside an instance's numbers.

    ``theorem`` is a claim of ``ledger``, and ``says`` the inequality. The other numbers are upper bounds on the total latency
    over the optimum: ``factor`` for all requests of this κ and largest length u; ``here`` by the theorem's bound on the total
    latency of these requests, over the largest lower bound on the optimum; ``measured`` by the ``total_latency`` of one run, with
    the seed 0, over it. Where the policy has coins, the first two bound the mean over them.
    """

    policy: str
    ledger: str
    theorem: str
    says: str
    factor: Fraction
    here: Fraction
    measured: Fraction
    total_latency: int

    def decimals(self, digits: int) -> dict[str, str]:
        """Return the three ratios as decimals, rounded up."""
        return {name: decimal(getattr(self, name), digits, up=True) for name in ("factor", "here", "measured")}


@dataclass(frozen=True, repr=False)
class Guarantees(WithRows):
    """The result of :func:`guarantees`: numbers of the requests, ``bounds`` on the optimum from below, and ``rows``.

    ``P`` is the largest s + o, ``kappa`` = M/(M − P + 1), and ``bound`` the name of the largest of ``bounds``. Fractions are exact.
    """

    source: str
    n: int
    memory: int
    P: int
    kappa: Fraction
    bounds: dict[str, Fraction]
    bound: str
    rows: tuple[Guarantee, ...]

    def as_json(self) -> JsonObject:
        """Return the JSON document of ``crtools guarantees``: decimals of upper bounds rounded up, of lower bounds down."""
        bounds = {name: decimal(value, 12, up=False) for name, value in self.bounds.items()}
        rows = [row._asdict() | row.decimals(12) for row in self.rows]
        shown = {"setting": SETTING, "kappa": str(self.kappa), "bounds": bounds, "guarantees": rows}
        return {name: value for name, value in vars(self).items() if name != "rows"} | shown

    def _rows(self) -> list[JsonObject]:
        """Return a line for each theorem; its ratios are exact."""
        return [row._asdict() for row in self.rows]

    def __repr__(self) -> str:
        text = "{0.policy} ≤ {factor}·OPT, here ≤ {here}, a run ≤ {measured}"
        says = "; ".join(text.format(row, **row.decimals(4)) for row in self.rows)
        return f"{says} (proved): guarantees(n = {self.n}, M = {self.memory}, P = {self.P})"


@named_arguments()
def guarantees(lengths: str | Workload | npt.ArrayLike, memory: int, *, s: PerRequest = 0) -> Guarantees:
    """Return what is proved of policies on given requests, and what a run of each takes.

    Parameters
    ----------
    lengths : array, str or Workload
        Output lengths, ``csv:FILE#OUTPUTS[,PROMPTS]``, or rows of a :class:`crtools.process.Workload`.
    memory : int
        The capacity M in tokens.
    s : int or array
        Prompt sizes in tokens, one for all requests or one for each of an array.

    Returns
    -------
    Guarantees

    Raises
    ------
    InputError
        For values that are not allowed, for release times, and where M < s + o for a request.

    Notes
    -----
    The theorems are in steps, for requests that are all present at time 0; the benchmark is the least total completion time
    of any schedule, with kills or without. Blind policies know M and the largest s + o, and run with l = 1 and u = o.

    Examples
    --------
    >>> found = guarantees([1, 1, 3, 3], memory=9, s=1)
    >>> found.kappa, found.bounds[found.bound], found.rows[0].theorem, found.rows[0].factor
    (Fraction(3, 2), Fraction(8, 1), 'volume-order', Fraction(3, 1))
    """
    made = workload(lengths, s=s, memory=integer("memory", memory, 1))
    if made.count is None:
        raise InputError("lengths", made.name, "must be lengths such as [5, 1, 3], or the rows of a file")
    if made.has_arrivals:
        raise InputError("lengths", made.name, "must have no release times: the theorems need all requests at time 0")
    drawn = made.draw(made.count, seed=0)
    o, prompts = drawn.lengths, np.broadcast_to(drawn.s, drawn.lengths.shape)
    if (wrong := o > memory - prompts).any():
        i = int(wrong.argmax())
        raise InputError("memory", memory, f"must be at least {prompts[i]} + {o[i]}, the tokens of request {i}")
    requests = list(zip(prompts.tolist(), o.tolist(), strict=True))
    P, u, L = max(map(sum, requests)), int(o.max()), int(o.sum())
    kappa = Fraction(memory, memory - P + 1)
    bounds = {bound.name: Fraction(bound.value) for bound in flow_bounds_in_steps(o, prompts, np.zeros_like(o), memory)}
    bound = max(bounds, key=lambda name: bounds[name])
    theorems = [(own.name, claim, it) for own in installed().values() for claim, it in own.guarantees().items()]
    policies = {theorem.policy for *_, theorem in theorems}
    totals = {policy: int(simulate(policy, o, memory, prompts, l=1, u=o).total_latency) for policy in policies}
    rows: list[Guarantee] = []
    for ledger, claim, (policy, says, factor, waiting) in theorems:
        proved, total = factor(kappa, u), totals[policy]
        here = min(proved, (waiting(kappa, u, requests, memory) + L) / bounds[bound])
        rows.append(Guarantee(policy, ledger, claim, says, proved, here, total / bounds[bound], total))
    return Guarantees(made.name, len(o), memory, P, kappa, bounds, bound, tuple(rows))
