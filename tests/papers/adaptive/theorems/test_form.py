"""Every theorem on forms holds, no false one does, and each statement is checked again by code of this file's own.

That no changed fact of the text is accepted is tested with the text (tests/certificates/test_theory.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import worst_case
from crtools.errors import InputError
from crtools.forms import TailRule, form, known_forms
from crtools.ledger.evidence import Proved
from crtools.papers.adaptive.claims import matrices
from crtools.papers.adaptive.claims.lem_amin import delta
from crtools.papers.adaptive.evidence import two_lengths
from crtools.papers.adaptive.evidence.reading import function
from crtools.papers.adaptive.tails import tails
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.symbols import i, j, k, s, u
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

R = sp.Rational
harmonic: Any = sp.Sum(1 / i, (i, 1, u))
odd: Any = sp.Sum(1 / (2 * i - 1), (i, 2, u))
shifted: Any = sp.Sum(1 / (i + 1), (i, 1, u - 1))
T2_TERM = -1 / (2 * i + 1) * i / (i + 1) * (i**2 + 2 * i + R(1, 2))
r = sp.Symbol("r", positive=True)
xi = matrices.xi


@pytest.mark.parametrize("name", TEXT.names)
def test_the_theorem_holds_and_is_json(name: str) -> None:
    proof = TEXT.theorem(name)
    assert proof.holds, proof.first_failure
    data = json.loads(json.dumps(proof.as_json(), allow_nan=False))
    assert data["holds"] is True and len(data["steps"]) == len(proof.steps)
    assert data["statement"] and data["reading"]


def inverse(**parts: Any) -> Theorem:
    own = {"d": (4 * i / (4 * i**2 - 1), i), "e": (1 / (2 * u - 1), u), "f": (-1 / (2 * i + 1), i)} | parts
    return TEXT.theorem("inverse of B_u", **{name: function(*each) for name, each in own.items()})


def summed(name: str, value: Any) -> Theorem:
    return TEXT.theorem(name, F=function(value, u))


def in_both(name: str, parameter: str, value: Any) -> Theorem:
    return TEXT.theorem(name, **{parameter: function(sp.sympify(value), i, j)})


def periods(name: str, **functions: Any) -> Theorem:
    own = {
        key: function(sp.sympify(value), *((delta, i, k, s) if key in "ct" else (i, k, s)))
        for key, value in functions.items()
    }
    return TEXT.theorem(name, **own)


def of_g(name: str, value: Any) -> Theorem:
    return TEXT.theorem(name, g=function(value, r))


LEAST = sp.Min(i, j)
COMPLETED, REMAINING = delta / (s + i), (i - k) / (s + i)
OTHERWISE: dict[str, Callable[[], Theorem]] = {
    "the inverse, expanded": lambda: inverse(d=(1 / (2 * i - 1) + 1 / (2 * i + 1), i)),
    "a shifted sum": lambda: summed("t1", (u**2 + 1) / 2 + odd / 2),
    "split": lambda: summed("trace", 1 + shifted),
    "by maxima": lambda: in_both(
        "entries of A_u", "a", LEAST * (sp.Max(i, j) ** 2 + 2 * i * j - LEAST**2) / (2 * sp.Max(i, j))
    ),
    "a product": lambda: in_both("entries of B_u", "b", i * j * LEAST / sp.Max(i, j)),
    "what remains": lambda: periods("number remaining", c=COMPLETED, r=1 - (s + k) / (s + i)),
    "time": lambda: TEXT.theorem("H-SF latency", t=function(k**2 + k * s, k, s)),
}
FALSE: dict[str, Callable[[], Theorem]] = {
    "max for min": lambda: in_both("entries of B_u", "b", sp.Max(i, j) ** 2),
    "not symmetric": lambda: in_both("entries of B_u", "b", i**2),
    "j for i": lambda: in_both("entries of A_u", "a", i / j * ((i + j) ** 2 / 2 - j**2)),
    "half a cross term": lambda: in_both("coefficient of x_i x_j", "c", i / j * ((i + j) ** 2 / 2 - i**2)),
    "the last row like the others": lambda: inverse(e=(4 * u / (4 * u**2 - 1), u)),
    "a sign": lambda: inverse(f=(1 / (2 * i + 1), i)),
    "one more": lambda: summed("trace", harmonic + 1),
    "a hair more": lambda: summed("trace", harmonic + R(1, 10**40)),
    "one term less": lambda: summed("trace", sp.Sum(1 / i, (i, 1, u - 1))),
    "more at first": lambda: summed("trace", harmonic + sp.Sum(1, (i, 5, u)) - (u - 1)),
    "a summand by a hair": lambda: TEXT.theorem("summand of T_2", f=function(T2_TERM + R(1, 10**40), i)),
    "a coefficient of g": lambda: of_g("normalised entries", 2 * r - R(101, 100) * r**2),
    "another transform": lambda: TEXT.theorem("Fourier transform", h=function(12 / ((1 + r) * (2 + r)), r)),
    "another square": lambda: TEXT.theorem("H-SF latency", t=function(k * k, k, s)),
    "an index": lambda: periods("number remaining", c=COMPLETED, r=(i - k + 1) / (s + i)),
    "no δ": lambda: periods("A_min latency", t=i, c=COMPLETED, r=REMAINING),
    "less than α⁻¹": lambda: TEXT.theorem("A_max's form and A_random's", c=lambda low, up: R(99, 100) * up / low),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_a_claim_is_given_may_be_written_otherwise(name: str) -> None:
    proof = OTHERWISE[name]()
    assert proof.holds, proof.first_failure
    assert proof.name not in TEXT.names


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_not_proved(name: str) -> None:
    assert not FALSE[name]().holds


def test_a_parameter_is_shown_in_the_statement() -> None:
    assert TEXT.theorem("trace(harmonic)").statement == summed("trace", harmonic).statement
    assert (
        r"\sum" in TEXT.theorem("trace(harmonic)").statement and "F(u)" not in TEXT.theorem("trace(harmonic)").statement
    )


@pytest.mark.parametrize(
    ("g", "transform", "holds"),
    [
        (2 * r - r**2, 12 / ((1 + xi**2) * (4 + xi**2)), True),
        (2 * r - r**2, 4 / (1 + xi**2) - 4 / (4 + xi**2), True),
        (r, 2 / (1 + xi**2), True),
        (2 * r - r**2 + 1, 12 / ((1 + xi**2) * (4 + xi**2)), False),
        (2 * r - 2 * r**2, 4 / (1 + xi**2) - 8 / (4 + xi**2), False),
        (r - r**2, 2 / (1 + xi**2) - 4 / (4 + xi**2), False),
    ],
)
def test_the_transform_of_any_polynomial(g: Any, transform: Any, holds: bool) -> None:
    assert isinstance(matrices.fourier(sp.Poly(g, r), transform), Proved) == holds


@pytest.mark.parametrize("name", ["a-min", "a-random", "h-sf", "volume"])
def test_the_tails_of_any_form_are_checked(name: str) -> None:
    own = form(name)
    proof = tails(own)
    assert proof.holds and proof.name in TEXT.names
    rule = own.tails
    assert rule is not None
    wrong = replace(own, tails=TailRule(rule.first, lambda k, s: rule.inner(k + 1, s)))
    assert not tails(wrong).holds
    with pytest.raises(InputError, match="generators"):
        tails(replace(own, tails=None))


@pytest.mark.parametrize("power", [1, 2, 3, 7])
def test_every_power_of_the_minimum_is_definite(power: int) -> None:
    assert isinstance(matrices.hadamard(Fraction(power)), Proved)


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


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_entries_are_the_coefficients_of_the_sums(s: int, l: int, u: int) -> None:
    for name, matrix in zip(("a-min", "h-sf", "volume"), dense(s, l, u), strict=True):
        exact = form(name).on(Setting(s, l, u)).matrix()
        assert exact.tolist() == matrix
        assert [[form(name).entry(a, b, s) for b in range(l, u + 1)] for a in range(l, u + 1)] == matrix


@pytest.mark.one_in(3)
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


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("s", "l", "u"), SMALL)
def test_the_quotient_matrix_is_positive_and_has_the_trace(s: int, l: int, u: int) -> None:
    a, b, volume = dense(s, l, u)
    against_b, against_volume = solve(b, a), solve(volume, a)
    assert all(value > 0 for row in against_b for value in row)
    assert all(value > 0 for row in against_volume for value in row)
    shown = 1 + sum((Fraction(1, s + t) for t in range(l + 1, u + 1)), Fraction(0))
    assert sum(against_b[t][t] for t in range(len(a))) == shown


@pytest.mark.one_in(3)
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
    z[1] = -sum(z.values(), Fraction(0)) / 2
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


@pytest.mark.one_in(3)
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


@pytest.mark.one_in(3)
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
    own = {key: sp.Integer(n) for key, n in {"x": m, "y": 1, "l": 1, "u": m * m, "s": s}.items()}
    assert R(ratio) == two_lengths.value_of("a-min", **own) / two_lengths.value_of("h-sf", **own)
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


@pytest.mark.one_in(3)
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
