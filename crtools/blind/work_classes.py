"""What a history of requests tells a scheduler about new ones: expected work by class of prompt, and kill ages where they pay.

The work of a request up to age a is w(a) = c₁(s − 1 + a) + τ(s a + a(a + 1)/2), τ = c₀/M + c₂ (:mod:`crtools.process.flow_bounds`);
in steps it is the volume over M. The classes are quantile classes of the history's prompts, and a request's output has the law of its
class. Work is linear in (o, o(o + 1)/2), so that the means of these two give every expected work without rounding.
Tests: tests/blind/test_work_classes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from crtools.blind.prompt_classes import best_mixtures, machine_cost, run_through
from crtools.blind.scheduler import Cells, Members, attempt_table, group_edges, ranks_in_groups
from crtools.errors import InputError
from crtools.numeric_types import FloatArray, IntArray
from crtools.process.clocks import Clock
from crtools.process.flow_bounds import step_work
from crtools.setting import integer

NO_KILL = 2**40
"""The kill age of a request's last attempt."""

MOST_CELLS = 256
"""Upper limit on the lengths of a class's law at which kills are considered."""


@dataclass(frozen=True)
class KillPlan:
    """The attempts of all requests: those of request i are at ``pointer[i]:pointer[i + 1]``, by increasing age.

    ``age``: where the attempt is killed, ``NO_KILL`` in the last. ``key``: minus its index, −(probability that it completes) / (expected
    work that it uses), with the request's own prompt; attempts run by increasing key. A request without kills would have −1/E[work].
    """

    pointer: IntArray
    age: IntArray
    key: FloatArray


@dataclass(frozen=True)
class HistoryEstimates:
    """What :func:`history_estimates` returns. n requests; G classes; ages a = 0, …, A − 1, A the history's largest output.

    Parameters
    ----------
    work
        The expected work of each request, in the clock's unit; shape (n,).
    mean_output
        The mean output of the history.
    group
        The class of each request; shape (n,).
    remaining_tokens, remaining_sums
        E[o − a | o > a] and E[o(o + 1)/2 − a(a + 1)/2 | o > a]; shape (G, A). Where no request of the class was longer than a, of all
        classes.
    kills
        The kill plan, or None where kills are not worth it.
    """

    work: FloatArray
    mean_output: float
    group: IntArray
    remaining_tokens: FloatArray
    remaining_sums: FloatArray
    kills: KillPlan | None


def history_estimates(
    history_s: IntArray,
    history_o: IntArray,
    s: IntArray,
    memory: int,
    clock: Clock,
    classes: int = 16,
    gain: float | None = 0.1,
    seed: int = 0,
) -> HistoryEstimates:
    """Return expected work, and kill ages where they pay, of requests with prompts ``s``, from a history of prompts and outputs.

    Parameters
    ----------
    history_s, history_o
        Prompts ≥ 0 and outputs ≥ 1 of past requests; int64 arrays of one shape.
    s
        The prompts of the n requests to schedule.
    memory
        The capacity M in tokens.
    clock
        In ``STEPS`` work is the volume over M.
    classes
        The number of quantile classes of the history's prompts, at most.
    gain
        Kills are planned only where the best mixtures cost on one machine at most 1 − gain times what running to the end, smallest
        expected work first, costs; and only if all work takes at least as long as the longest request. None: never.
    seed
        Draws which requests of a class take which of its plans.

    Raises
    ------
    InputError
        If the history is empty, or an argument is out of range.

    Notes
    -----
    The mixtures are best on one machine, for the laws of the classes (Theorem "best-value" for one class); in the process they are a
    heuristic.
    """
    classes, memory = integer("classes", classes, 1), integer("memory", memory, 1)
    _check(history_s, history_o, s, gain)
    edges = group_edges(history_s, classes)
    history_group, group = np.searchsorted(edges, history_s, "right"), np.searchsorted(edges, s, "right")
    tokens, sums = _remaining(history_group, history_o, len(edges) + 1)
    per_token, per_held = clock.per_token, clock.base / memory + clock.per_held
    work = per_token * (s - 1) + (per_token + per_held * s) * tokens[group, 0] + per_held * sums[group, 0]
    kills = None
    if gain is not None and work.sum() >= int(history_o.max()) * clock.base:
        laws = {int(g): history_o[history_group == g] for g in np.unique(group)}
        kills = _kill_plan(laws, group, s, memory, clock, gain, seed)
    return HistoryEstimates(work, float(history_o.mean()), group, tokens, sums, kills)


def _check(history_s: IntArray, history_o: IntArray, s: IntArray, gain: float | None) -> None:
    if not len(history_o) or len(history_s) != len(history_o):
        raise InputError("history", len(history_o), "must have as many outputs as prompts, at least one")
    for name, values, least in (("history", history_o, 1), ("history", history_s, 0), ("s", s, 0)):
        if len(values) and values.min() < least:
            raise InputError(name, int(values.min()), f"must be integers ≥ {least}")
    if gain is not None and not 0 <= gain < 1:
        raise InputError("gain", gain, "must be at least 0 and below 1")


def _remaining(group: IntArray, outputs: IntArray, count: int) -> tuple[FloatArray, FloatArray]:
    """Return E[o − a | o > a] and E[o(o + 1)/2 − a(a + 1)/2 | o > a] by class and age a, from all classes where one has no o > a."""
    longest = int(outputs.max())
    longer = np.zeros((count + 1, longest))  # how many outputs exceed each age; the last row is of all classes
    np.add.at(longer, (np.stack([group, np.full_like(group, count)]), outputs - 1), 1.0)
    longer = np.cumsum(longer[:, ::-1], axis=1)[:, ::-1]
    empty = longer[:count] == 0
    tables: list[FloatArray] = []
    for weights in (np.ones(longest), np.arange(1.0, longest + 1)):
        mean = np.cumsum((longer * weights)[:, ::-1], axis=1)[:, ::-1] / np.maximum(longer, 1)
        tables.append(np.where(empty, mean[-1], mean[:-1]))
    return tables[0], tables[1]


def _kill_plan(
    laws: Mapping[int, IntArray], group: IntArray, s: IntArray, memory: int, clock: Clock, gain: float, seed: int
) -> KillPlan | None:
    """Return the attempts of the best mixtures for the classes' laws of outputs, or None if they do not promise the ``gain``."""
    index = [np.flatnonzero(group == g) for g in laws]
    members = [_members(s[rows], law, memory, clock) for rows, law in zip(index, laws.values(), strict=True)]
    groups = [member.group(len(member.s) / len(s)) for member in members]
    mixtures = best_mixtures(groups)
    cost = machine_cost(groups, [mixture.plans for mixture in mixtures])
    if cost > (1 - gain) * machine_cost(groups, run_through(groups)):
        return None
    ranks = ranks_in_groups(group, np.random.default_rng(seed).random(len(s)))
    columns: list[FloatArray] = []
    for rows, member, mixture in zip(index, members, mixtures, strict=True):
        attempts = member.rows(mixture, ranks[rows], np.zeros_like(rows), memory)
        attempts[0] = rows[attempts[0].astype(np.int64)]
        columns.append(attempts)
    listed = attempt_table(columns)
    return KillPlan(np.append(0, np.cumsum(np.bincount(listed.request))), listed.kill, listed.priority.astype(float))


def _members(s: IntArray, outputs: IntArray, memory: int, clock: Clock) -> Members:
    """Return requests of one class, whose outputs have the empirical law, in at most ``MOST_CELLS`` cells."""
    lengths, counts = np.unique(outputs, return_counts=True)
    cell = (
        (np.cumsum(counts) * MOST_CELLS - 1) // len(outputs) if len(lengths) > MOST_CELLS else np.arange(len(lengths))
    )
    last = np.flatnonzero(np.diff(cell, append=-1))
    weights = np.diff(np.cumsum(counts)[last], prepend=0) / len(outputs)
    ends = lengths[last]

    def size(s: FloatArray, lengths: FloatArray) -> FloatArray:
        return step_work(lengths, s, memory, clock)

    cells = Cells(weights, lambda l, u: np.broadcast_to(ends, (len(l), len(ends))))
    return Members(s, np.ones_like(s), np.full_like(s, NO_KILL), cells, size)
