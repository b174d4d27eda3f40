"""Forms: one formula over every ring, and matrix, product and value against the double sums of the model."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import FORMS, Form, InputError, Setting, form
from crtools.enclosure import ball, ends, precision
from crtools.forms import FormOnSetting, TailRow, TailRule
from crtools.forms.base import tail_product, tail_rows

NAMES = ("a-min", "h-sf", "volume")
fixed = settings(deadline=None, derandomize=True, max_examples=60)
sizes = st.integers(0, 50)
weight = st.builds(Fraction, st.integers(0, 1000), st.integers(1, 1000))
signed = st.builds(Fraction, st.integers(-1000, 1000), st.integers(1, 1000))


# ---- the model's sums, written out ---------------------------------------------------------------------------------
# x maps every length l, …, u to its weight.


def h_sf_sum(x: dict[int, Any], s: int) -> Any:
    """Σ_k k(s+k) x_k (x_k + 2 Σ_{i>k} x_i)."""
    return sum(k * (s + k) * x[k] * (x[k] + 2 * sum(x[i] for i in x if i > k)) for k in x)


def a_min_sum(x: dict[int, Any], s: int) -> Any:
    """Σ_{k=l}^{u} δ(k) (Σ_{i≥k} i x_i) (Σ_{i≥k} δ(k)/(s+i) x_i + 2 Σ_{i>k} (i−k)/(s+i) x_i)."""
    total: Any = 0
    for k in x:
        delta = s + min(x) if k == min(x) else 1
        served = sum(i * x[i] for i in x if i >= k)
        own = sum(Fraction(delta, s + i) * x[i] for i in x if i >= k)
        later = sum(Fraction(i - k, s + i) * x[i] for i in x if i > k)
        total += delta * served * (own + 2 * later)
    return total


def volume_sum(x: dict[int, Any], s: int) -> Any:
    """Σ_ij V_ij x_i x_j with V_ij = s m + m(m+1)/2, m = min(i, j)."""
    return sum((s * min(i, j) + Fraction(min(i, j) * (min(i, j) + 1), 2)) * x[i] * x[j] for i in x for j in x)


SUMS = {"a-min": a_min_sum, "h-sf": h_sf_sum, "volume": volume_sum}


def several_a_min_sum(x: dict[int, Any], s: int, intervals: Sequence[tuple[int, int]]) -> Any:
    """B + blockdiag(A − B): a length belongs to the interval with the largest lower end that holds it."""
    owner = {k: max((l for l, u in intervals if l <= k <= u), default=None) for k in x}
    total = h_sf_sum(x, s)
    for low in {l for l, _ in intervals}:
        block = {k: x[k] for k in x if owner[k] == low}
        if block:
            total += a_min_sum(block, s) - h_sf_sum(block, s)
    return total


@st.composite
def vectors(draw: st.DrawFn, entries: Any = signed, most: int = 9) -> tuple[Setting, list[Fraction]]:
    l = draw(st.integers(1, 40))
    u = l + draw(st.integers(0, most - 1))
    s = draw(sizes)
    return Setting(s, l, u), draw(st.lists(entries, min_size=u - l + 1, max_size=u - l + 1))


@st.composite
def several(draw: st.DrawFn, gap: int = 3) -> tuple[Setting, list[Fraction]]:
    """Two to four intervals of up to four lengths; the next begins 0 (a shared end) to ``gap`` after the last."""
    low = draw(st.integers(1, 12))
    edges: list[int] = []
    for _ in range(draw(st.integers(2, 4))):
        edges += [low, low + draw(st.integers(0, 3))]
        low = edges[-1] + draw(st.integers(0, gap))
    setting = Setting(draw(sizes), intervals=list(zip(edges[::2], edges[1::2], strict=True)))
    return setting, draw(st.lists(signed, min_size=setting.size, max_size=setting.size))


def by_length(setting: Setting, x: Sequence[Any]) -> dict[int, Any]:
    return dict(zip(range(setting.l, setting.u + 1), x, strict=True))


def quadratic(matrix: Any, x: Sequence[Any]) -> Any:
    return sum((matrix[a, b] * x[a] * x[b] for a in range(len(x)) for b in range(len(x))), Fraction(0))


# ---- one formula over every ring -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@fixed
@given(i=st.integers(1, 400), j=st.integers(1, 400), s=st.integers(0, 10**6))
def test_rings_agree(name: str, i: int, j: int, s: int) -> None:
    entry = form(name).entry
    exact = entry(Fraction(i), Fraction(j), Fraction(s))
    assert isinstance(exact, Fraction)
    assert entry(i, j, s) == exact
    assert entry(j, i, s) == exact
    assert entry(np.int64(i), np.int64(j), np.int64(s)) == exact

    q = entry(flint.fmpq(i), flint.fmpq(j), flint.fmpq(s))
    assert Fraction(int(q.p), int(q.q)) == exact

    with precision(100):
        low, high = ends(entry(ball(i), ball(j), ball(s)))
    assert low <= exact <= high
    assert high - low <= exact / 2**90

    si, sj, ss = sp.symbols("i j s", positive=True)
    symbolic = entry(si, sj, ss).subs({si: min(i, j), sj: max(i, j), ss: s})
    assert symbolic == sp.Rational(exact.numerator, exact.denominator)
    assert entry(sp.Rational(i), sp.Rational(j), sp.Rational(s)) == sp.Rational(exact.numerator, exact.denominator)

    array = entry(np.array([i, j], dtype=float), np.array([j, i], dtype=float), float(s))
    assert array.shape == (2,)
    np.testing.assert_allclose(array, float(exact), rtol=1e-14)
    assert entry(float(i), float(j), float(s)) == pytest.approx(float(exact), rel=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_entries_from_arrays(name: str) -> None:
    lengths = np.arange(1.0, 31.0)
    table = form(name).entry(lengths[:, None], lengths[None, :], 3.0)
    exact = [[float(form(name).entry(i, j, 3)) for j in range(1, 31)] for i in range(1, 31)]
    np.testing.assert_allclose(table, exact, rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_balls_that_are_not_points_enclose(name: str) -> None:
    low, high = ends(form(name).entry(flint.arb(5, 0.25), ball(9), ball(2)))
    for i in (Fraction(19, 4), Fraction(5), Fraction(21, 4)):
        assert low <= form(name).entry(i, Fraction(9), Fraction(2)) <= high


@pytest.mark.parametrize(
    ("i", "j"),
    [(flint.arb(2), flint.arb(3)), (flint.fmpq(2), flint.fmpq(3)), (flint.arb(2), 3)],
    ids=["arb", "fmpq", "arb-and-int"],
)
@pytest.mark.parametrize("name", NAMES)
def test_ints_mix_with_flint_numbers(name: str, i: Any, j: Any) -> None:
    """The prompt size may stay an int (and its default 0), and so may a length."""
    for s in (0, 1):
        low, high = ends(flint.arb(form(name).entry(i, j, s)))
        assert low <= form(name).entry(2, 3, s) <= high
    assert str(form(name).entry(i, j)) == str(form(name).entry(i, j, 0))  # equal balls need not compare equal


@pytest.mark.parametrize(("dtype", "i"), [(np.int32, 2000), (np.int64, 10**7)], ids=["int32 at 2000", "int64 at 10^7"])
def test_integer_arrays_do_not_overflow(dtype: type, i: int) -> None:
    found = form("a-min").entry(np.array([i], dtype=dtype), np.array([i + 1], dtype=dtype), 0)
    assert float(found[0]) == pytest.approx(float(form("a-min").entry(i, i + 1, 0)), rel=1e-12)


def test_the_symbolic_entry_is_the_papers() -> None:
    i, j, s = sp.symbols("i j s", positive=True)
    a = (s + i) * (j**2 + 2 * i * j - i**2 + s * (i + j)) / (2 * (s + j))
    assert sp.simplify(form("a-min").entry(i, j, s) - a) == 0
    assert sp.simplify(form("h-sf").entry(i, j, s) - i * (s + i)) == 0
    assert sp.simplify(form("volume").entry(i, j, s) - (s * i + i * (i + 1) / 2)) == 0


# ---- matrix, product and value against the double sums -------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@fixed
@given(case=vectors())
def test_exact_routes_agree_with_the_double_sum(name: str, case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    expected = SUMS[name](by_length(setting, x), setting.s)
    on = form(name).on(setting)
    matrix = on.matrix()
    assert quadratic(matrix, x) == expected
    assert on.value(x) == expected
    product = on.apply(x)
    assert product == [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in matrix]
    assert all(isinstance(e, Fraction) for e in matrix.flat)
    assert (matrix == matrix.T).all()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
@fixed
@given(case=vectors(weight, most=30))
def test_float_routes_agree_with_the_exact_ones(name: str, case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    on = form(name).on(setting)
    exact = on.matrix()
    floats = on.matrix(float)
    assert floats.dtype == np.float64
    np.testing.assert_allclose(floats, exact.astype(float), rtol=1e-14)
    v = np.array([float(e) for e in x])
    product = on.apply(v)
    assert isinstance(product, np.ndarray)
    np.testing.assert_allclose(product, [float(e) for e in on.apply(list(map(Fraction, v)))], rtol=1e-13)
    value = on.value(v)
    assert isinstance(value, float)
    assert value == pytest.approx(float(on.value(list(map(Fraction, v)))), rel=1e-13)
    assert value == pytest.approx(float(SUMS[name](by_length(setting, x), setting.s)), rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_products_of_symbols(name: str) -> None:
    setting = Setting(2, 3, 6)
    x = sp.symbols("x3:7")
    found = form(name).on(setting).value(x)
    expected = SUMS[name](by_length(setting, x), 2)
    assert sp.expand(sp.nsimplify(found) - sp.nsimplify(expected)) == 0


@pytest.mark.parametrize("number", [flint.arb, flint.fmpq], ids=["arb", "fmpq"])
@pytest.mark.parametrize("name", NAMES)
def test_products_of_flint_numbers(name: str, number: Any) -> None:
    on = form(name).on(Setting(2, 3, 6))
    exact = on.apply([1, 2, 3, 4])
    for found, expected in zip(on.apply([number(k) for k in (1, 2, 3, 4)]), exact, strict=True):
        low, high = ends(flint.arb(found))
        assert low <= expected <= high


@fixed
@given(case=several())
def test_several_intervals_exact(case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    expected = several_a_min_sum(by_length(setting, x), setting.s, setting.intervals)
    on = form("a-min").on(setting)
    matrix = on.matrix()
    assert quadratic(matrix, x) == expected
    assert on.value(x) == expected
    assert on.apply(x) == [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in matrix]


@fixed
@given(case=several())
def test_several_intervals_float_products(case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    on = form("a-min").on(setting)
    matrix, v = on.matrix(), np.array([float(e) for e in x])
    rows = [sum((a * abs(Fraction(b)) for a, b in zip(row, v, strict=True)), Fraction(0)) for row in matrix]
    exact = on.apply(list(map(Fraction, v)))
    for found, expected, size in zip(on.apply(v), exact, rows, strict=True):
        # inside − charged cancels: its error is of the order of the matrix, not of the product
        assert abs(Fraction(float(found)) - expected) <= size / 10**13
    total = sum((a * abs(Fraction(b)) for a, b in zip(rows, v, strict=True)), Fraction(0))
    assert abs(Fraction(on.value(v)) - on.value(list(map(Fraction, v)))) <= total / 10**13


def check_float_matrix(setting: Setting) -> None:
    on = form("a-min").on(setting)
    np.testing.assert_allclose(on.matrix(float), on.matrix().astype(float), rtol=1e-14)


@fixed
@given(case=several(gap=1))
def test_several_intervals_float_matrix(case: tuple[Setting, list[Fraction]]) -> None:
    check_float_matrix(case[0])


@pytest.mark.parametrize("intervals", [((1, 1), (3, 3)), ((1, 3), (6, 9)), ((2, 4), (4, 5), (9, 12))], ids=str)
def test_several_intervals_float_matrix_with_a_gap(intervals: tuple[tuple[int, int], ...]) -> None:
    check_float_matrix(Setting(2, intervals=intervals))


@pytest.mark.parametrize("name", ["h-sf", "volume"])
@fixed
@given(case=several())
def test_forms_that_know_the_lengths_do_not_see_the_intervals(name: str, case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    one = Setting(setting.s, setting.l, setting.u)
    assert (form(name).on(setting).matrix() == form(name).on(one).matrix()).all()
    assert form(name).on(setting).apply(x) == form(name).on(one).apply(x)


def test_intervals_of_one_length_are_hindsight() -> None:
    setting = Setting(3, intervals=[(k, k) for k in range(2, 9)])
    assert (form("a-min").on(setting).matrix() == form("h-sf").on(setting).matrix()).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("s", [0, 5])
def test_an_interval_from_l_is_a_principal_block_of_one_from_1(name: str, s: int) -> None:
    whole = form(name).on(Setting(s, 1, 12)).matrix()
    for l in range(1, 13):
        assert (form(name).on(Setting(s, l, 12)).matrix() == whole[l - 1 :, l - 1 :]).all()


@fixed
@given(st.lists(st.integers(1, 12), min_size=1, max_size=30), sizes)
def test_volume_is_the_bound_at_finite_n(lengths: list[int], s: int) -> None:
    """2 Σ_k (sum of the k smallest volumes) = form(counts) + Σ volumes, for every instance."""
    volumes = sorted(s * o + o * (o + 1) // 2 for o in lengths)
    bound = sum(sum(volumes[:k]) for k in range(1, len(volumes) + 1))
    counts = [lengths.count(k) for k in range(1, 13)]
    assert form("volume").on(Setting(s, 1, 12)).value(counts) == 2 * bound - sum(volumes)


@pytest.mark.parametrize("name", NAMES)
def test_values_by_hand(name: str) -> None:
    """At s = 0 on [1, 2]: A = (1, 7/4; 7/4, 4), B = (1, 1; 1, 4), V = (1, 1; 1, 3)."""
    table = {"a-min": ((1, Fraction(7, 4)), 4), "h-sf": ((1, 1), 4), "volume": ((1, 1), 3)}
    (first, second), last = table[name]
    matrix = form(name).on(Setting(0, 1, 2)).matrix()
    assert [list(row) for row in matrix] == [[first, second], [second, last]]


# ---- sizes, errors and users' forms --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("intervals", [((1, 200_000),), ((1, 70_000), (70_000, 150_000), (160_000, 200_000))])
def test_a_long_product_needs_no_matrix(
    name: str, intervals: tuple[tuple[int, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a matrix or an entry was asked for")

    monkeypatch.setattr(FormOnSetting, "matrix", refuse)
    monkeypatch.setattr(FormOnSetting, "entry", refuse)
    on = form(name).on(Setting(7, intervals=intervals))
    generator = np.random.default_rng(5)
    x, y = generator.random(200_000), generator.random(200_000)
    tracemalloc.start()
    try:
        product = on.apply(x)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 * x.nbytes
    assert product.shape == x.shape
    assert np.isfinite(product).all()
    assert (product > 0).all()
    assert float(y @ product) == pytest.approx(float(x @ on.apply(y)), rel=1e-11)  # the matrix is symmetric
    # Row l, and the total of the last row, from the entries.
    lengths = np.arange(1.0, 200_001.0)
    if len(intervals) == 1:
        assert product[0] == pytest.approx(float(form(name).entry(np.ones(200_000), lengths, 7.0) @ x), rel=1e-11)
        last = form(name).entry(lengths, np.full(200_000, 2e5), 7.0)
        assert product[-1] == pytest.approx(float(last @ x), rel=1e-11)


@pytest.mark.parametrize("make", [list, tuple, lambda x: np.array(x, dtype=float)], ids=["list", "tuple", "array"])
@pytest.mark.parametrize("size", [0, 1, 5, 7, 100])
@pytest.mark.parametrize("of", [*NAMES, Form.from_entry(lambda i, j, s: i * j + s)], ids=str)
def test_a_vector_of_the_wrong_length_is_refused(make: Any, size: int, of: Any) -> None:
    on = form(of).on(Setting(0, 3, 8))
    for call in (on.apply, on.value):
        with pytest.raises(InputError, match=f"x = a vector of length {size}: must have length .* = 6"):
            call(make([1] * size))


def test_a_matrix_over_another_ring_is_refused() -> None:
    with pytest.raises(InputError, match=r"ring = .*: must be Fraction or float"):
        form("a-min").on(Setting(u=3)).matrix(int)


def test_names_and_kinds() -> None:
    assert set(FORMS) >= set(NAMES)
    assert all(name == of.name for name, of in FORMS.items())
    assert {name: form(name).kind for name in NAMES} == {"a-min": "limit", "h-sf": "limit", "volume": "lower"}
    assert all(form(name).describes and form(name).name == name and form(name).source for name in NAMES)
    assert form(form("a-min")) is form("a-min")
    with pytest.raises(
        InputError, match=r"form = nobody: must be one of a-.*a-min, .*h-sf, .*volume, or FILE.py\[:NAME\]"
    ):
        form("nobody")


def test_a_name_of_another_type_is_an_input_error() -> None:
    with pytest.raises(InputError):
        form(["a-min"])  # pyright: ignore[reportArgumentType]


def product_entry(i: Any, j: Any, s: Any) -> Any:
    """The form of (Σ x_i)(Σ i(s+i) x_i), A_random of the model, as a user would write it."""
    return (i * (s + i) + j * (s + j)) / 2


@fixed
@given(case=vectors())
def test_a_users_form(case: tuple[Setting, list[Fraction]]) -> None:
    setting, x = case
    mine = Form.from_entry(product_entry, name="a-random", describes=("a-random",), kind="upper")
    assert (mine.name, mine.describes, mine.kind) == ("a-random", ("a-random",), "upper")
    weights = by_length(setting, x)
    expected = sum(x) * sum(i * (setting.s + i) * weights[i] for i in weights)
    on = form(mine).on(setting)
    assert on.value(x) == expected
    assert quadratic(on.matrix(), x) == expected
    v = np.array([float(abs(e)) for e in x])
    np.testing.assert_allclose(on.apply(v), on.matrix().astype(float) @ v, rtol=1e-12)
    assert mine.entry(5, 3, 1) == mine.entry(3, 5, 1) == 21


def test_a_users_form_may_be_constant_or_come_without_arrays() -> None:
    one = Form.from_entry(lambda i, j, s: 1)
    assert one.on(Setting(u=4)).matrix(float).tolist() == [[1.0] * 4] * 4
    assert one.on(Setting(u=4)).value([1, 2, 3, 4]) == 100


def test_an_entry_that_cannot_be_called_is_refused() -> None:
    with pytest.raises(InputError, match="entry = 3: must be a function"):
        Form.from_entry(3)  # pyright: ignore[reportArgumentType]


def test_tail_generators_give_the_matrix() -> None:
    """U⁻ᵀ N U⁻¹, by differences of the exact matrix, is diagonal plus the products of the generators."""
    for name, s, l in ((n, s, l) for n in NAMES for s in (0, 4) for l in (1, 3)):
        rule = form(name).tails
        assert rule is not None
        matrix = form(name).on(Setting(s, l, l + 6)).matrix()
        by_rows = [matrix[0], *(b - a for a, b in pairwise(matrix))]
        core = [[row[0], *(b - a for a, b in pairwise(row))] for row in by_rows]
        rows = [
            rule.first(Fraction(l), Fraction(s)),
            *(rule.inner(Fraction(k), Fraction(s)) for k in range(l + 1, l + 7)),
        ]
        for i in range(7):
            assert core[i][i] == rows[i].diagonal
            for j in range(i + 1, 7):
                assert core[i][j] == sum((a * b for a, b in zip(rows[i].left, rows[j].right, strict=True)), Fraction(0))


def test_generators_may_share_an_array_or_be_constants() -> None:
    rule = TailRule(lambda l, s: TailRow(5, (2,), (0,)), lambda k, s: TailRow(k, (k,), (k,)))
    constant = TailRule(lambda l, s: TailRow(5, (2,), (0,)), lambda k, s: TailRow(3, (4,), (6,)))
    for own, inner in ((rule, lambda k: (k, k, k)), (constant, lambda k: (3, 4, 6))):
        rows = [(5, 2, 0), *(inner(k) for k in range(2, 6))]
        core = [[rows[i][0] if i == j else rows[min(i, j)][1] * rows[max(i, j)][2] for j in range(5)] for i in range(5)]
        for kind in (float, object):
            lengths = np.arange(1, 6, dtype=kind)
            for t in np.eye(5, dtype=int).astype(kind):
                assert list(tail_product(tail_rows(own, lengths, 0), t)) == list(np.array(core) @ t)
