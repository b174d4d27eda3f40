"""The rule of phases as a theorem about one policy: its entries on all lengths i < j and all s; ``discover`` calls ``by_phases``."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import lcm

import sympy as sp

from crtools.discovery.entries import Entries, Formula, Point
from crtools.discovery.measurements import enough_memory, exact_run
from crtools.discovery.rules import Lengths, NoPhases, Phase, ends, entries, mean_total, phases, polynomial, within
from crtools.process import Policy
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, s
from crtools.proof.theorem import Theorem

x, y, n, memory = sp.symbols("x y n M", positive=True)

TESTED: tuple[Point, ...] = ((1, 2, 0), (1, 3, 1), (2, 3, 1), (2, 5, 1))
"""The lengths i < j and the s at which the policy is run."""

PATTERNS = ((0, 1), (0, 0, 1), (0, 1, 1))
"""The shares at which it is run: how the two lengths follow each other."""


@dataclass(frozen=True)
class ByPhases:
    """Entries that the rule of phases proves. formulas: one for all lengths i ≤ j, or three at (l, l), (l, u) and (u, u)."""

    formulas: tuple[Formula, ...]
    phases: tuple[Phase, ...]
    theorem: Theorem


def by_phases(policy: Policy) -> ByPhases:
    """Return the entries of a policy by its phases, on all lengths or else on l and u; ``NoPhases`` where it has none."""
    with suppress(NoPhases):
        in_order = _in_sympy(phases(policy, within()))
        derived = entries(in_order, s)
        if _one_formula(derived):
            return ByPhases((Formula.of(derived.mixed),), in_order, theorem(policy, within(), in_order, derived))
    in_order = _in_sympy(phases(policy, ends()))
    derived = entries(in_order, s)
    formulas = tuple(Formula.of(part) for part in (derived.low, derived.mixed, derived.high))
    return ByPhases(formulas, in_order, theorem(policy, ends(), in_order, derived))


def _in_sympy(in_order: Sequence[Phase]) -> tuple[Phase, ...]:
    return tuple(Phase(polynomial(phase.length), phase.members) for phase in in_order)


def _one_formula(derived: Entries) -> bool:
    """Return whether the entries are those of one function of i ≤ j and s."""
    low, mixed, high = (sp.sympify(part) for part in (derived.low, derived.mixed, derived.high))
    if any(part.free_symbols - {i, j, s} for part in (low, mixed, high)):
        return False
    return sp.expand(mixed.subs(j, i) - low) == 0 and sp.expand(mixed.subs(i, j) - high) == 0


def theorem(policy: Policy, on: Lengths, in_order: Sequence[Phase], derived: Entries) -> Theorem:
    """Return the theorem that the phases on the lengths ``on`` lead to the entries ``derived``; its steps decide whether it holds."""
    every = "all lengths" if on.both[0] is not on.l else "lengths l = i < j = u"
    proof = Proof(
        f"phases of {policy.name}",
        f"every s ≥ 0 and {every}; the phases are {', then '.join(map(_words, in_order))}; M a multiple of s + L for their "
        "lengths L, counts that fill whole batches; the mean over the order",
    )
    proof.computed(
        r",\ ".join(rf"{_who(phase)} \text{{ to }} {sp.latex(phase.length)}" for phase in in_order),
        "the policy's rules, run on polynomials for all of these lengths at once: who starts in which phase, and that all leave "
        "at its L",
        partial(_other_phases, policy, on, tuple(in_order)),
        name="rules",
    )
    proof.argued(
        r"\text{a phase of } N \text{ requests takes } L(s+L)N/M",
        "M/(s+L) requests of a phase start at once and fill M at age L, where all of them leave. Until then nobody else fits: "
        "who is next would stay until that instant, as no later phase is shorter. Who is cancelled goes behind all of the phase, so that "
        "the next one begins when all have left, with its members in random order",
        test=partial(_runs, policy, in_order),
        tested=f"(i, j, s) = {', '.join(map(str, TESTED))}, three shares each, an order and its reverse",
        name="batches",
    )
    form = x**2 * derived.low + 2 * x * y * derived.mixed + y**2 * derived.high
    proof.identity(
        "with n_i = xn, n_j = yn, times 2M/n²: the form, and M/n times the mean length",
        2 * memory / n**2 * mean_total(in_order, (x * n, y * n), s, memory),
        form + memory / n * (x * i + y * j),
        name="entries",
    )
    return proof.therefore(
        r"\mathbb E\,\mathrm{TEL} = \tfrac{n^2}{2M}\bigl(x^\top N x + \tfrac Mn \textstyle\sum_k k x_k\bigr)",
        "the total is a sum over pairs of requests, and what one delays another depends on their two lengths alone",
    ).qed()


def _other_phases(policy: Policy, on: Lengths, in_order: tuple[Phase, ...]) -> str | None:
    return None if _in_sympy(phases(policy, on)) == in_order else "the rules give other phases"


def _who(phase: Phase) -> str:
    return ", ".join(name for name, is_in in zip("ij", phase.members, strict=True) if is_in)


def _words(phase: Phase) -> str:
    return f"{'all' if all(phase.members) else _who(phase)} to age {phase.length}"


def _runs(policy: Policy, in_order: Sequence[Phase]) -> str | None:
    """Return the first small run whose mean over an order and its reverse is not what the phases give."""
    for low, high, prompt in TESTED:
        at = {i: low, j: high, s: prompt}
        at_numbers = [Phase(int(sp.sympify(phase.length).subs(at)), phase.members) for phase in in_order]
        unit = lcm(*(prompt + phase.length for phase in at_numbers))
        intervals = dict.fromkeys((low, high), (low, high))
        size = enough_memory(policy, unit, prompt, intervals)
        repeats = lcm(*(size // (prompt + phase.length) for phase in at_numbers))
        for pattern in PATTERNS:
            lengths = [(low, high)[owner] for owner in pattern] * repeats
            totals = [exact_run(policy, lengths[::step], size, prompt, intervals, "reference") for step in (1, -1)]
            counts = [Fraction(lengths.count(length)) for length in (low, high)]
            if Fraction(sum(totals), 2) != mean_total(at_numbers, counts, prompt, size):
                return f"lengths {lengths}, s = {prompt}, M = {size}: totals {totals}"
    return None
