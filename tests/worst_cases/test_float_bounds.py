"""The a-priori error bound of float64 sweeps (docs/float-bounds.md) against exact fractions, over several chunks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

import numpy as np
import pytest

from crtools import NotCertified, Setting, form, worst_case
from crtools.worst_cases import perron
from crtools.worst_cases.perron import PowerResult, TailPencil, frobenius, power_iteration

LARGE = (0, 7, 1000, 10**9)


def pencil(s: int, l: int, u: int, against: str = "h-sf") -> TailPencil:
    return TailPencil(form("a-min"), form(against), Setting(s, l, u))


def exact_quotients(t: Any, s: int, l: int, against: str) -> list[Fraction]:
    """Return (D⁻¹A applied to the tails T)_k / T_k from the matrix entries, over the integers.

    a_ij = ½(s+i)(j + 2i − i(s+i)/(s+j)) for i ≤ j; D x = y means T_k = (y_k − y_{k−1}) / (D_kk − D_{k−1,k−1}).
    """
    unit = 2**500  # every float above 1e-100 is an integer multiple of its inverse
    tails = [int(Fraction(float(v)) * unit) for v in t]
    assert all(Fraction(a, unit) == Fraction(float(v)) for a, v in zip(tails, t, strict=True))
    x = [*(a - b for a, b in pairwise(tails)), tails[-1]]
    lengths = range(l, l + len(x))
    common = lcm(*(s + j for j in lengths))

    def after(term: Callable[[int], int]) -> list[int]:
        return list(accumulate([term(j) * v for j, v in zip(lengths, x, strict=True)][::-1]))[::-1]

    def before(term: Callable[[int], int]) -> list[int]:
        return [0, *accumulate(term(j) * v for j, v in zip(lengths, x, strict=True))]

    first, plain, shared = after(lambda j: j), after(lambda _: 1), after(lambda j: common // (s + j))
    low, square, cube = before(lambda j: s + j), before(lambda j: 2 * j * (s + j)), before(lambda j: j * (s + j) ** 2)
    y = [
        common * ((s + i) * (first[k] + 2 * i * plain[k]) + i * low[k] + square[k])
        - i * (s + i) ** 2 * shared[k]
        - common // (s + i) * cube[k]
        for k, i in enumerate(lengths)
    ]
    served = {"h-sf": lambda k: 2 * k * (s + k), "volume": lambda k: 2 * s * k + k * (k + 1)}[against]  # 2 D_kk
    w = [served(l), *(served(k) - served(k - 1) for k in lengths[1:])]
    steps = [y[0], *(b - a for a, b in pairwise(y))]
    return [Fraction(step, common * v * tail) for step, v, tail in zip(steps, w, tails, strict=True)]


def vector(kind: str, size: int, seed: int = 1) -> Any:
    generator = np.random.default_rng(seed)
    if kind == "uniform":
        return generator.uniform(0.1, 1, size)
    if kind == "spread":
        return 10 ** generator.uniform(-30, 30, size)
    return np.sort(generator.uniform(0.001, 1, size))[::-1].copy()  # decreasing, as tails are


def test_the_exact_quotients_of_this_file_are_those_of_the_matrices() -> None:
    for against in ("h-sf", "volume"):
        for s, l in ((0, 1), (3, 4)):
            t = vector("decreasing", 6)
            on, reference = form("a-min").on(Setting(s, l, l + 5)), form(against).on(Setting(s, l, l + 5)).matrix()
            tails = [Fraction(float(v)) for v in t]
            x = [*(a - b for a, b in pairwise(tails)), tails[-1]]
            q = exact_quotients(t, s, l, against)
            z = [a * b for a, b in zip(q, tails, strict=True)]
            back = [*(a - b for a, b in pairwise(z)), z[-1]]  # D⁻¹A x
            assert [sum(reference[i, j] * back[j] for j in range(6)) for i in range(6)] == list(on.apply(x))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", ["uniform", "spread", "decreasing"])
@pytest.mark.parametrize("against", ["h-sf", "volume"])
@pytest.mark.parametrize("s", LARGE)
def test_quotients_keep_the_error_bound(s: int, against: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perron, "CHUNK", 32)
    l, u = (1, 350) if s != 7 else (30, 430)
    check_sweep(s, l, u, against, kind, chunks=11 if s != 7 else 13)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("s", LARGE[:3])
def test_quotients_keep_the_error_bound_at_larger_u(s: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perron, "CHUNK", 257)
    check_sweep(s, 1, 2500, "h-sf", "uniform", chunks=10)


def check_sweep(s: int, l: int, u: int, against: str, kind: str, chunks: int) -> None:
    one = pencil(s, l, u, against)
    assert len(one.chunks) == chunks
    assert one.roundings == perron.CHUNK + chunks + perron.ROUNDINGS_OUTSIDE_SUMS
    before = vector(kind, u - l + 1)
    t = before.copy()
    _, least, most = one.sweep(t, one.sums(t), 1.0, 0.0)
    exact = exact_quotients(before, s, l, against)
    unit = Fraction(1, 2**53)
    for q, old, new in zip(exact, before, t, strict=True):
        # new = old · quotient, one rounding more than the quotient itself
        error = Fraction(float(new)) / Fraction(float(old)) / q - 1
        assert abs(error) <= (one.roundings + 1) * unit
    assert abs(Fraction(least) / min(exact) - 1) <= one.roundings * unit
    assert abs(Fraction(most) / max(exact) - 1) <= one.roundings * unit
    low, high = PowerResult(1.0, least, most, one.roundings, 1, before).bounds()
    assert low <= min(exact)
    assert max(exact) <= high


def test_bounds_widen_by_the_roundings() -> None:
    result = PowerResult(1.5, 1.25, 2.0, 1000, 1, np.ones(3))
    low, high = result.bounds()
    slack = Fraction(1000, 2**53)
    for factor in (1 + slack, 1 - slack):  # whatever exact number the computed ones may stand for
        assert low <= Fraction(5, 4) / factor
        assert Fraction(2) / factor <= high
    # (1 ± ε)^m itself, exactly, for an m that can be written out
    low, high = PowerResult(1.5, 1.25, 2.0, 50, 1, np.ones(3)).bounds()
    one = Fraction(1, 2**53)
    assert low <= Fraction(5, 4) / (1 + one) ** 50
    assert Fraction(2) / (1 - one) ** 50 <= high
    assert high - 2 < 2 * Fraction(51, 2**53)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("s", LARGE)
@pytest.mark.parametrize("chunk", [1, 2, 7, 100, 499, 500])
def test_chunks_do_not_matter(s: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    start = vector("decreasing", 500)
    whole = pencil(s, 3, 502)
    t = start.copy()
    sums = whole.sums(t)
    expected = [whole.sweep(t, sums, 0.5, 0.3) for _ in range(3)]
    monkeypatch.setattr(perron, "CHUNK", chunk)
    cut = pencil(s, 3, 502)
    assert len(cut.chunks) == -(-500 // chunk)
    v = start.copy()
    sums = cut.sums(v)
    found = [cut.sweep(v, sums, 0.5, 0.3) for _ in range(3)]
    np.testing.assert_allclose(v, t, rtol=1e-13)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    for ours, anew in zip(sums, cut.sums(v), strict=True):  # the sums that a sweep hands on are those of its T
        np.testing.assert_allclose(ours, anew, rtol=1e-13)


@pytest.mark.parametrize("against", ["h-sf", "volume"])
@pytest.mark.parametrize(("s", "l"), [(0, 1), (7, 1), (1000, 5), (10**9, 2)])
@pytest.mark.parametrize("chunk", [3, 2**15])
def test_frobenius_is_the_dense_trace(
    s: int, l: int, against: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perron, "CHUNK", chunk)
    setting = Setting(s, l, l + 19)
    n, d = form("a-min").on(setting).matrix(), form(against).on(setting).matrix()
    rows = [n[0], *(b - a for a, b in pairwise(n))]
    core = [[row[0], *(b - a for a, b in pairwise(row))] for row in rows]
    w = [d[0, 0], *(d[k, k] - d[k - 1, k - 1] for k in range(1, 20))]
    trace = sum(core[i][j] ** 2 / (w[i] * w[j]) for i in range(20) for j in range(20))
    chunks = pencil(s, l, l + 19, against)
    assert frobenius(map(chunks.rows, range(len(chunks.chunks)))) == pytest.approx(float(trace), rel=1e-12)


@pytest.mark.parametrize("s", LARGE)
def test_bounds_from_many_chunks_contain_the_ball(s: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ball = worst_case(u=900, s=s).enclosure(25, method="ball")
    monkeypatch.setattr(perron, "CHUNK", 32)
    low, high = power_iteration(pencil(s, 1, 900), tolerance=1e-12).bounds()
    assert low <= ball.lower
    assert ball.upper <= high
    assert high - low <= Fraction(1, 10**11) * low


def test_an_iteration_cut_short_still_bounds() -> None:
    ball = worst_case(u=300, s=2).enclosure(25, method="ball")
    widths = []
    for iterations in (1, 2, 3, 5, 10):
        low, high = power_iteration(pencil(2, 1, 300), tolerance=0.0, most_iterations=iterations).bounds()
        assert low <= ball.lower
        assert ball.upper <= high
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("size", [1e-130, 1e130, float("inf"), float("nan")])
def test_a_vector_that_leaves_the_safe_range_is_not_certified(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: TailPencil) -> Any:
        return np.full(self.setting.size, size)

    monkeypatch.setattr(TailPencil, "start", start)
    with np.errstate(all="ignore"), pytest.raises(NotCertified):
        power_iteration(pencil(0, 1, 50), tolerance=1e-8)


@pytest.mark.parametrize("s", [0, 3, 1000])
def test_the_iteration_ends_where_the_quotients_agree_or_noise_keeps_them_apart(s: int) -> None:
    coarse, fine, finest = (power_iteration(pencil(s, 1, 300), tolerance=t) for t in (1e-3, 1e-10, 0.0))
    assert coarse.iterations < fine.iterations < finest.iterations < 100
    for found, tolerance in ((coarse, 1e-3), (fine, 1e-10), (finest, 1e-13)):
        assert found.upper - found.lower <= tolerance * found.value
    assert coarse.upper - coarse.lower > 1e-10 * coarse.value
