"""Every theorem holds, no changed step does, and each statement is checked again by code of this file's own."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
import sympy as sp
from amount import every_third
from hypothesis import given, settings
from hypothesis import strategies as st

import crtools.papers.adaptive.theorems as home
from crtools import worst_case
from crtools.forms import form, known_forms
from crtools.papers.adaptive.theorems.form import (
    a_max,
    a_random,
    at_zero,
    definiteness,
    derivation,
    entries,
    every_s,
    intervals,
    inverse,
    kill_and_restart,
    log_bound,
    refinement,
    tails,
    trace,
    two_lengths,
)
from crtools.proof.steps import (
    Argument,
    Identity,
    Induction,
    Inference,
    PolynomialIntegral,
    Positive,
    Step,
    Telescoping,
)
from crtools.proof.symbols import i, j, k, s, u
from crtools.proof.theorem import Citation, Theorem
from crtools.setting import Setting

R = sp.Rational
TINY = R(1, 1009)
odd = sp.Sum(1 / (2 * i + 1), (i, 1, u - 1))
harmonic = sp.Sum(1 / i, (i, 1, u))
T1 = (u**2 + 1) / 2 + odd / 2
T2 = -(u**2 - 1) / 2 + sp.Sum(1 / (i + 1), (i, 1, u - 1)) - odd / 2
T2_TERM = -1 / (2 * i + 1) * i / (i + 1) * (i**2 + 2 * i + R(1, 2))
r = sp.Symbol("r", positive=True)
xi = definiteness.xi
delta = derivation.delta
COMPLETED, REMAINING = derivation.COMPLETED, derivation.REMAINING

THEOREMS: dict[str, Callable[[], Theorem]] = {
    "tails a-min": lambda: tails.tails("a-min"),
    "tails h-sf": lambda: tails.tails("h-sf"),
    "tails volume": lambda: tails.tails("volume"),
    "positivity h-sf": lambda: tails.positivity("h-sf"),
    "positivity volume": lambda: tails.positivity("volume"),
    "entries": entries.entries,
    "corollary": lambda: entries.corollary(i / j * ((i + j) ** 2 / 2 - i**2), i**2),
    "inverse": lambda: inverse.inverse(4 * i / (4 * i**2 - 1), 1 / (2 * u - 1), -1 / (2 * i + 1)),
    "general_inverse": inverse.general_inverse,
    "closed_form t1": lambda: trace.closed_form("t1", "T_1(u)", trace.t1_sum(), T1),
    "closed_form t2": lambda: trace.closed_form("t2", "2T_2(u)", 2 * trace.t2_sum(), T2),
    "t2_summand": lambda: trace.t2_summand(T2_TERM),
    "combined": trace.combined,
    "cross_coefficient": lambda: entries.cross_coefficient(2 * i / j * ((i + j) ** 2 / 2 - i**2)),
    "normalised": lambda: definiteness.normalised(2 * r - r**2, r),
    "trace": lambda: trace.trace(harmonic),
    "general_trace": trace.general_trace,
    "b_definite": definiteness.b_definite,
    "a_definite": definiteness.a_definite,
    "fourier": lambda: definiteness.fourier(2 * r - r**2, 12 / ((1 + xi**2) * (4 + xi**2))),
    "hadamard 2": lambda: definiteness.hadamard(2),
    "hadamard 3": lambda: definiteness.hadamard(3),
    "indefinite_from_three": definiteness.indefinite_from_three,
    "indefinite_at_one": definiteness.indefinite_at_one,
    "difference": intervals.difference,
    "intervals_below_single": intervals.intervals_below_single,
    "largest_of_intervals": intervals.largest_of_intervals,
    "refinement_hurts": refinement.refinement_hurts,
    "cauchy": log_bound.cauchy,
    "logarithm_above": log_bound.logarithm_above,
    "upper": log_bound.upper,
    "sharp_upper": log_bound.sharp_upper,
    "lower": log_bound.lower,
    "logarithmic_order": log_bound.logarithmic_order,
    "trace_bound": log_bound.trace_bound,
    "by_sums": log_bound.by_sums,
    "upper_for_each_s": log_bound.upper_for_each_s,
    "general_upper": log_bound.general_upper,
    "not_logarithmic": log_bound.not_logarithmic,
    "deficit": at_zero.deficit,
    "sharp": at_zero.sharp,
    "product": every_s.product,
    "remainder": every_s.remainder,
    "two_sided": every_s.two_sided,
    "explicit": every_s.explicit,
    "long_prompts": every_s.long_prompts,
    "h_sf_in_tails": a_random.h_sf_in_tails,
    "random_theorem": a_random.random_theorem,
    "max_theorem": a_max.max_theorem,
    "max_rate_theorem": a_max.max_rate_theorem,
    "fraction_theorem": a_max.fraction_theorem,
    "below_a_random": a_max.below_a_random,
    "instance_limit": a_max.instance_limit,
    "forms_at_zero": kill_and_restart.forms_at_zero,
    "a_min on two lengths": two_lengths.a_min_theorem,
    "a_min on two lengths, every s": two_lengths.general_theorem,
    "a_min on two lengths, one bound": two_lengths.every_s_theorem,
    "a_ell on two lengths": two_lengths.a_ell_theorem,
    "a_ell on two lengths, every s": two_lengths.a_ell_every_s_theorem,
    "a_ell on two lengths, one bound": two_lengths.a_ell_one_bound_theorem,
    "switch on two lengths, every s": two_lengths.switch_every_s_theorem,
    "a_max on two lengths": two_lengths.a_max_theorem,
    "a_max unbounded on two lengths": two_lengths.a_max_unbounded,
    "h_sf_latency": lambda: derivation.h_sf_latency(k * (s + k)),
    "period_time": lambda: derivation.period_time(COMPLETED, delta * i, "k,i"),
    "remaining": lambda: derivation.remaining(COMPLETED, REMAINING),
    "a_min_latency": lambda: derivation.a_min_latency(delta * i, COMPLETED, REMAINING),
}


@cache
def theorem(name: str) -> Theorem:
    return THEOREMS[name]()


def factories() -> dict[str, Callable[..., Theorem]]:
    """Return every public function in the folders of theorems that returns a theorem, by module and name."""
    found: dict[str, Callable[..., Theorem]] = {}
    for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
        own = importlib.import_module(module.name)
        for name, function in inspect.getmembers(own, lambda own: inspect.isfunction(inspect.unwrap(own))):
            returns = inspect.unwrap(function).__annotations__.get("return")
            if not name.startswith("_") and function.__module__ == own.__name__ and returns in ("Theorem", Theorem):
                found[f"{module.name.rpartition('.')[2]}.{name}"] = function
    return found


FACTORIES = factories()
AT_ONCE = [
    name
    for name, function in FACTORIES.items()
    if all(p.default is not p.empty for p in inspect.signature(function).parameters.values())
    and function not in THEOREMS.values()  # these are looked at below
]


def test_the_factories_are_found() -> None:
    assert len(FACTORIES) > 50 and AT_ONCE


@pytest.mark.parametrize("name", AT_ONCE)
def test_every_theorem_that_needs_no_argument_holds(name: str) -> None:
    proof = FACTORIES[name]()
    assert proof.holds, proof.first_failure


@pytest.mark.parametrize("name", THEOREMS)
def test_the_theorem_holds_and_is_json(name: str) -> None:
    proof = theorem(name)
    assert proof.holds, proof.first_failure
    assert len({step.name for step in proof.steps}) == len(proof.steps)
    data = json.loads(json.dumps(proof.as_json(), allow_nan=False))
    assert data["holds"] is True
    assert len(data["steps"]) == len(proof.steps)
    assert data["statement"]
    assert data["reading"]


# ---- mutations --------------------------------------------------------------------------------------------------


def free(expr: Any) -> list[sp.Symbol]:
    """The symbols on which a rational function depends."""
    return sorted(sp.cancel(sp.together(sp.sympify(expr))).free_symbols, key=str)


def nonzero(expr: Any) -> bool:
    return sp.cancel(sp.together(sp.sympify(expr))) != 0


def corner(step: Positive) -> Any:
    """The value of the expression where every variable has its lower bound."""
    value = sp.cancel(sp.together(sp.sympify(step.expr)))
    for variable, bound in reversed(step.where):
        value = value.subs(variable, sp.sympify(bound))
    return value


def broken(proof: Theorem) -> Theorem:
    """The theorem with its first step that is no inference made false."""
    first = next(number for number, step in enumerate(proof.steps) if not isinstance(step, Inference))
    _, changed = next(mutations(proof.steps[first]))
    return replace(proof, steps=(*proof.steps[:first], changed, *proof.steps[first + 1 :]))


def mutations(step: Step) -> Iterator[tuple[str, Step]]:
    """Changed steps, every one of them false (or without the bound that it needs)."""
    match step:
        case Identity():
            yield "added", replace(step, lhs=step.lhs + TINY)
            if nonzero(step.rhs):
                yield "sign", replace(step, rhs=-step.rhs)
                yield "coefficient", replace(step, lhs=step.lhs * R(1009, 1008))
            for x in free(step.lhs):
                yield f"index {x}", replace(step, lhs=step.lhs.xreplace({x: x + 1}))
        case Positive():
            yield "sign", replace(step, expr=-step.expr)
            least = corner(step)
            if least.is_finite:
                yield "below 0 at the corner", replace(step, expr=step.expr - least - TINY)
            for x in free(step.expr - sum(q**2 for q in map(sp.sympify, step.squares))):
                rest = tuple(pair for pair in step.where if pair[0] != x)
                yield f"no bound on {x}", replace(step, where=rest)
        case Telescoping():
            yield "added", replace(step, summand=step.summand + TINY)
            yield "boundary term", replace(step, antidifference=step.antidifference + TINY * step.index)
            yield "sign", replace(step, antidifference=-step.antidifference)
            yield "coefficient", replace(step, summand=step.summand * R(1009, 1008))
            if step.index in free(step.summand):
                yield "index", replace(step, summand=step.summand.xreplace({step.index: step.index + 1}))
        case Induction():
            yield "base", replace(step, lhs=step.lhs + TINY)
            yield "a base off by 10⁻⁵⁰", replace(step, lhs=step.lhs + R(1, 10**50))
            yield "increment", replace(step, lhs=step.lhs + TINY * (step.index - step.start))
            yield "sign", replace(step, rhs=-step.rhs)
            yield "coefficient", replace(step, rhs=step.rhs * R(1009, 1008))
            yield "index", replace(step, lhs=step.lhs.xreplace({step.index: step.index + 1}))
        case PolynomialIntegral():
            yield "added", replace(step, value=step.value + TINY)
            yield "sign", replace(step, integrand=-step.integrand)
            yield "integrand", replace(step, integrand=step.integrand + TINY)
            yield "upper end", replace(step, high=step.high + 1)
            yield "lower end", replace(step, low=step.low + TINY)
        case Argument():
            yield "a test that fails", replace(step, test=lambda: "at one")
            yield "no words", replace(step, text="")
        case Citation():
            yield "a false theorem", replace(step, theorem=broken(step.theorem))
            yield "no proof", replace(step, theorem=replace(step.theorem, steps=()))
        case _:
            raise AssertionError(f"no mutation of {type(step).__name__} is known")


CASES = [
    (name, number)
    for name in THEOREMS
    for number, step in enumerate(theorem(name).steps)
    if not isinstance(step, Inference | Citation)
]


@pytest.mark.parametrize(
    ("name", "number"), every_third(CASES, [f"{n}/{theorem(n).steps[m].name}" for n, m in CASES], step=5)
)
def test_no_changed_step_is_accepted(name: str, number: int) -> None:
    proof = theorem(name)
    changed = list(mutations(proof.steps[number]))
    assert changed
    for label, step in changed:
        # the other steps are replaced by 0 = 0, so that only this one is computed
        others = tuple(
            x if isinstance(x, Inference | Citation) else Identity(name=x.name, lhs=0, rhs=0) for x in proof.steps
        )
        mutant = replace(proof, steps=(*others[:number], step, *others[number + 1 :]))
        assert not mutant.holds, f"{label}: {step.latex()}"
        assert mutant.first_failure is not None
        assert mutant.first_failure.step is step, label
        for result in mutant.results:
            if step.name in result.step.premises:
                assert not result.holds


@pytest.mark.parametrize("name", every_third([(name,) for name in THEOREMS]))
def test_a_theorem_with_a_changed_or_missing_step_does_not_hold(name: str) -> None:
    proof = theorem(name)
    assert not broken(proof).holds
    for step in proof.steps:
        if isinstance(step, Inference):
            left = tuple(x for x in proof.steps if x.name != step.premises[0])
            assert not replace(proof, steps=left).holds
            cited = replace(step, uses=("common knowledge",))
            assert not replace(proof, steps=tuple(cited if x is step else x for x in proof.steps)).holds


@pytest.mark.parametrize(
    "false",
    [
        lambda: entries.entries(a=i * (s + j)),
        lambda: entries.entries(b=j * (s + i)),
        lambda: entries.corollary(i / j * ((i + j) ** 2 / 2 - j**2), i**2),
        lambda: inverse.inverse(4 * i / (4 * i**2 - 1), 4 * u / (4 * u**2 - 1), -1 / (2 * i + 1)),
        lambda: inverse.inverse(4 * i / (4 * i**2 - 1), 1 / (2 * u - 1), 1 / (2 * i + 1)),
        lambda: trace.trace(harmonic + 1),
        lambda: trace.trace(harmonic + R(1, 10**40)),
        lambda: trace.trace(sp.Sum(1 / i, (i, 1, u - 1))),
        lambda: trace.trace(harmonic + sp.Sum(1, (i, 5, u)) - (u - 1)),
        lambda: trace.t2_summand(T2_TERM + R(1, 10**40)),
        lambda: entries.cross_coefficient(i / j * ((i + j) ** 2 / 2 - i**2)),
        lambda: definiteness.normalised(2 * r - R(101, 100) * r**2, r),
        lambda: definiteness.fourier(2 * r - r**2 + 1, 12 / ((1 + xi**2) * (4 + xi**2))),
        lambda: definiteness.fourier(2 * r - 2 * r**2, 4 / (1 + xi**2) - 8 / (4 + xi**2)),  # 0 at ξ = 0 … < 0
        lambda: definiteness.fourier(r - r**2, 2 / (1 + xi**2) - 4 / (4 + xi**2)),
        lambda: definiteness.hadamard(0),
        lambda: derivation.h_sf_latency(k * k),
        lambda: derivation.period_time(COMPLETED, delta * i, "i,i"),
        lambda: derivation.remaining(COMPLETED, (i - k + 1) / (s + i)),
        lambda: derivation.a_min_latency(i, COMPLETED, REMAINING),
    ],
)
def test_a_false_statement_is_not_proved(false: Callable[[], Theorem]) -> None:
    assert not false().holds


# ---- the statements again, by literal sums and dense linear algebra ---------------------------------------------

Matrix = list[list[Fraction]]
SMALL = [(a, b, c) for a in (0, 1, 2, 5) for b in (1, 2, 3) for c in range(b, b + 5)]


def latency(x: dict[int, Fraction], s: int, l: int, u: int) -> Fraction:
    """A_min's double sum: period k lasts δ Σ i x_i and holds half of its completions and all that are left."""
    total = Fraction(0)
    for period in range(l, u + 1):
        d = s + l if period == l else 1
        duration = sum(d * a * x.get(a, 0) for a in range(period, u + 1))
        waiting = sum(Fraction(d + 2 * (a - period), s + a) * x.get(a, 0) for a in range(period, u + 1))
        total += duration * waiting
    return total


def sorted_latency(x: dict[int, Fraction], s: int) -> Fraction:
    """H-SF's sum: a pair waits for the shorter one."""
    return sum((x[a] * x[b] * min(a, b) * (s + min(a, b)) for a in x for b in x), Fraction(0))


@cache
def dense(s: int, l: int, u: int) -> tuple[Matrix, Matrix, Matrix]:
    """A_min, H-SF and the volume bound on [l, u], by polarisation of their sums."""
    lengths = range(l, u + 1)

    def polar(value: Callable[[dict[int, Fraction]], Fraction], a: int, b: int) -> Fraction:
        one, two = {a: Fraction(1)}, {b: Fraction(1)}
        return value(one) if a == b else (value(one | two) - value(one) - value(two)) / 2

    big = [[polar(lambda x: latency(x, s, l, u), a, b) for b in lengths] for a in lengths]
    small = [[polar(lambda x: sorted_latency(x, s), a, b) for b in lengths] for a in lengths]
    volume = [[Fraction(sum(s + t for t in range(1, min(a, b) + 1))) for b in lengths] for a in lengths]
    return big, small, volume


def solve(left: Matrix, right: Matrix) -> Matrix:
    """The exact left⁻¹ right, by elimination."""
    size = len(left)
    rows = [[*left[a], *right[a]] for a in range(size)]
    for a in range(size):
        pivot = next(b for b in range(a, size) if rows[b][a])
        rows[a], rows[pivot] = rows[pivot], rows[a]
        rows[a] = [value / rows[a][a] for value in rows[a]]
        for b in range(size):
            if b != a and rows[b][a]:
                rows[b] = [p - rows[b][a] * q for p, q in zip(rows[b], rows[a], strict=True)]
    return [row[size:] for row in rows]


def identity(size: int) -> Matrix:
    return [[Fraction(int(a == b)) for b in range(size)] for a in range(size)]


def worst(s: int, l: int, u: int) -> float:
    """The largest eigenvalue of B⁻¹A in floats."""
    import scipy.linalg

    a, b, _ = dense(s, l, u)
    return float(scipy.linalg.eigh(np.array(a, float), np.array(b, float), eigvals_only=True)[-1])


def odd_sum(l: int, u: int) -> Fraction:
    """E = 1 + Σ_{l<k≤u} 1/(2k−1)."""
    return 1 + sum((Fraction(1, 2 * t - 1) for t in range(l + 1, u + 1)), Fraction(0))


@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_entries_are_the_coefficients_of_the_sums(s: int, l: int, u: int) -> None:
    for name, matrix in zip(("a-min", "h-sf", "volume"), dense(s, l, u), strict=True):
        exact = form(name).on(Setting(s, l, u)).matrix()
        assert exact.tolist() == matrix
        assert [[form(name).entry(a, b, s) for b in range(l, u + 1)] for a in range(l, u + 1)] == matrix


@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_tail_generators_are_the_second_differences(s: int, l: int, u: int) -> None:
    for name, matrix in zip(("a-min", "h-sf", "volume"), dense(s, l, u), strict=True):
        size = len(matrix)
        rule = known_forms()[name].tails
        assert rule is not None
        rows = [
            rule.first(Fraction(l), Fraction(s)),
            *(rule.inner(Fraction(t), Fraction(s)) for t in range(l + 1, u + 1)),
        ]

        def at(a: int, b: int, matrix: Matrix = matrix) -> Fraction:
            return matrix[a][b] if a >= 0 and b >= 0 else Fraction(0)

        for a in range(size):
            for b in range(a, size):
                difference = at(a, b) - at(a - 1, b) - at(a, b - 1) + at(a - 1, b - 1)
                products = sum((p * q for p, q in zip(rows[a].left, rows[b].right, strict=True)), Fraction(0))
                assert difference == (rows[a].diagonal if a == b else products), (name, a, b)


@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_the_quotient_matrix_is_positive_and_has_the_trace(s: int, l: int, u: int) -> None:
    a, b, volume = dense(s, l, u)
    against_b, against_volume = solve(b, a), solve(volume, a)
    assert all(value > 0 for row in against_b for value in row)
    assert all(value > 0 for row in against_volume for value in row)
    shown = 1 + sum((Fraction(1, s + t) for t in range(l + 1, u + 1)), Fraction(0))
    assert sum(against_b[t][t] for t in range(len(a))) == shown


@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_the_inverse_of_b_is_the_tridiagonal_one(s: int, l: int, u: int) -> None:
    def w(t: int) -> int:
        return l * (s + l) if t == l else s + 2 * t - 1

    got = solve(dense(s, l, u)[1], identity(u - l + 1))
    for a in range(l, u + 1):
        for b in range(l, u + 1):
            shown = Fraction(0)
            if a == b:
                shown = Fraction(1, w(a)) + (Fraction(1, w(a + 1)) if a < u else 0)
            elif abs(a - b) == 1:
                shown = -Fraction(1, w(max(a, b)))
            assert got[a - l][b - l] == shown
            if (s, l) == (0, 1) and a == b < u:
                assert shown == Fraction(4 * a, 4 * a * a - 1)


@pytest.mark.parametrize("size", range(1, 9))
def test_t1_t2_and_the_trace_at_small_sizes(size: int) -> None:
    a, b, _ = dense(0, 1, size)
    inverse = solve(b, identity(size))
    first = sum((inverse[t][t] * a[t][t] for t in range(size)), Fraction(0))
    second = sum((inverse[t][t + 1] * a[t][t + 1] for t in range(size - 1)), Fraction(0))
    odd = sum((Fraction(1, 2 * t + 1) for t in range(1, size)), Fraction(0))
    harmonic = sum((Fraction(1, t) for t in range(1, size + 1)), Fraction(0))
    assert first == Fraction(size**2 + 1, 2) + odd / 2
    assert 2 * second == -Fraction(size**2 - 1, 2) + harmonic - 1 - odd / 2
    assert first + 2 * second == harmonic


@pytest.mark.parametrize("blocks", [((1, 2), (3, 5)), ((1, 3), (3, 6)), ((2, 2), (4, 4), (5, 8)), ((1, 1), (1, 4))])
@pytest.mark.parametrize("s", [0, 1, 7])
def test_several_intervals_lie_between_h_sf_and_one_interval(blocks: tuple[tuple[int, int], ...], s: int) -> None:
    several = Setting(s, intervals=blocks)
    a, b, _ = dense(s, several.l, several.u)
    between = form("a-min").on(several).matrix().tolist()
    for row, above, below in zip(between, a, b, strict=True):
        assert all(low <= value <= high for value, high, low in zip(row, above, below, strict=True))


@pytest.mark.parametrize("size", [1, 2, 5, 12])
def test_both_matrices_are_definite_without_a_prompt(size: int) -> None:
    a, b, _ = dense(0, 1, size)
    assert np.linalg.eigvalsh(np.array(a, float))[0] > 0
    assert np.linalg.eigvalsh(np.array(b, float))[0] > 0
    for power in (2, 3):
        lengths = np.arange(1.0, size + 1)
        assert np.linalg.eigvalsh(np.minimum.outer(lengths, lengths) ** power)[0] > 0


@pytest.mark.parametrize("s", [3, 4, 10])
def test_the_minor_is_negative_from_three_on(s: int) -> None:
    a, b, _ = dense(s, 1, 2)
    minor = a[0][0] * a[1][1] - a[0][1] ** 2
    assert minor == -Fraction((s + 1) * (s + 3) * (s * s - 5), 4 * (s + 2) ** 2) < 0
    assert b[0][0] * b[1][1] - b[0][1] ** 2 > 0


@pytest.mark.parametrize("size", range(4, 15))
def test_the_vector_at_one_has_the_value_of_the_theorem(size: int) -> None:
    """x from the differenced coordinates z: row m of the matrix is scaled by 2/(m+1) and twice differenced."""
    z = {1: Fraction(0), 2: Fraction(1), 3: Fraction(0)} | {t: Fraction(1, 6 * t) for t in range(4, size + 1)}
    z[1] = -sum(z.values()) / 2
    x: dict[int, Fraction] = {}
    for row, weight in z.items():
        for back, coefficient in ((0, 1), (1, -2), (2, 1)):
            if row - back >= 1:
                x[row - back] = x.get(row - back, Fraction(0)) + coefficient * weight * (row - back + 1)
    h = sum((Fraction(1, t) for t in range(4, size + 1)), Fraction(0))
    q = sum((Fraction(1, t * t) for t in range(4, size + 1)), Fraction(0))
    assert 2 * latency(x, 1, 1, size) == 8 - h / 3 - (1 + 4 * q) / 36
    assert 35 * log(2) > 24


@pytest.mark.parametrize("point", [0.0, 0.3, 1.0, 2.5])
def test_the_transform_by_quadrature(point: float) -> None:
    from scipy.integrate import quad

    value, _ = quad(lambda d: 2 * (2 * np.exp(-d) - np.exp(-2 * d)) * np.cos(point * d), 0, 60, limit=400)
    assert value == pytest.approx(12 / ((1 + point**2) * (4 + point**2)), abs=1e-8)


@pytest.mark.parametrize("l", [1, 2, 3])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 12])
def test_the_bounds_without_a_prompt(l: int, size: int) -> None:
    u = l + size
    value, e = worst(0, l, u), float(odd_sum(l, u))
    assert 0.75 + e / 2 - 1 / (4 * e) <= value * (1 + 1e-12)
    assert value < 0.75 + e / 2 + 1e-12 or size == 0
    assert value <= 1 + e / 2
    assert 1 + log(u / l) / 2 - log(1.5) / 2 <= e <= 1 + log(u / l) / 2
    assert value <= 1.5 + log(u / l) / 4
    assert value <= 1 + sum(1 / t for t in range(l + 1, u + 1)) + 1e-12


@pytest.mark.parametrize("l", [1, 2])
@pytest.mark.parametrize("s", [1, 3, 20])
@pytest.mark.parametrize("size", [1, 4, 12])
def test_the_bounds_with_a_prompt(s: int, l: int, size: int) -> None:
    u = l + size
    value, e = worst(s, l, u), float(odd_sum(l, u))
    own = l / (s + l) + sum(1 / (s + 2 * t - 1) for t in range(l + 1, u + 1))
    assert value <= 1 + own / 2 + s * sqrt(own / (l * (s + l)))
    assert value <= 1.5 + log(u / l) / 4 + sqrt(u / l)
    assert value <= 1 + e / 2 + sqrt(s * e)


@pytest.mark.parametrize("m", [2, 3, 5, 9])
def test_two_lengths_give_a_third_of_a_root_at_s_equal_to_u(m: int) -> None:
    s, x = m**2, {1: Fraction(m), m * m: Fraction(1)}
    ratio = latency(x, s, 1, m * m) / sorted_latency(x, s)
    assert ratio == log_bound.family_ratio(Fraction(m))
    assert ratio > Fraction(m, 3)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 4),
    st.integers(1, 3),
    st.lists(st.fractions(0, 5, max_denominator=6), min_size=1, max_size=6).filter(any),
)
def test_no_weights_beat_the_bounds(s: int, l: int, weights: list[Fraction]) -> None:
    u = l + len(weights) - 1
    x = dict(enumerate(weights, start=l))
    ratio = latency(x, s, l, u) / sorted_latency(x, s)
    e = odd_sum(l, u)
    assert ratio >= 1
    assert float(ratio) <= 1.5 + log(u / l) / 4 + sqrt(u / l)
    if s == 0:
        assert ratio <= Fraction(3, 4) + e / 2
        assert ratio <= 1 + sum((Fraction(1, t) for t in range(l + 1, u + 1)), Fraction(0))


@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_what_completes_and_what_remains_add_up(s: int, l: int, u: int) -> None:
    """The displays of the derivation, by bookkeeping: every request is completed in some period or remains."""
    for a in range(l, u + 1):
        left = Fraction(1)
        for period in range(l, a + 1):
            left -= Fraction(s + l if period == l else 1, s + a)
            assert left == Fraction(a - period, s + a)


@pytest.mark.parametrize(("s", "l"), [(0, 1), (0, 3), (2, 1), (7, 4)])
def test_the_suprema_on_two_lengths_are_the_worst_cases(s: int, l: int) -> None:
    of_a_min, of_a_ell = two_lengths.suprema(s, l, l + 1)
    assert of_a_min == pytest.approx(worst_case("a-min", l, l + 1, s).value, rel=1e-12)
    assert of_a_ell == pytest.approx(worst_case("a-ell", l, l + 1, s).value, rel=1e-12)
    assert two_lengths.suprema(s, l, 9 * l)[1] == pytest.approx(worst_case("a-ell", l, 9 * l, s).value, rel=1e-12)
