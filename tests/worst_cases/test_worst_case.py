"""Worst cases: values against a dense solver, enclosures against exact rational bounds that share no code with them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Enclosure, Form, InputError, NotCertified, Setting, WorstCase, form, worst_case
from crtools.enclosure import precision
from crtools.papers.adaptive.worst_cases import kappa

REFERENCES = ("h-sf", "volume")
CASES = 200
fixed = settings(deadline=None, derandomize=True, max_examples=25)


@cache
def cases(count: int = CASES, most: int = 400) -> list[tuple[int, int, int]]:
    """Return random (s, l, u), the ends of each range among them."""
    generator = np.random.default_rng(20250814)
    found = [(0, 1, 1), (0, most, most), (10**6, 1, 1), (0, 1, 2), (10**6, 1, most), (0, 1, most), (0, most - 1, most)]
    while len(found) < count:
        s = int(generator.choice([0, 1, int(10 ** generator.uniform(0, 6)), 10**6]))
        u = int(generator.integers(1, most + 1))
        l = 1 if generator.random() < 0.3 else int(generator.integers(1, u + 1))
        found.append((s, l, u))
    return found


# ---- exact Collatz–Wielandt bounds, from the matrix entries alone --------------------------------------------------


def times_a_min(x: list[int], s: int, l: int) -> tuple[list[int], int]:
    """Return (y, c) with A x = y/c, over the integers, from a_ij = ½(s+i)(j + 2i − i(s+i)/(s+j)), i ≤ j.

    That is the entry (s+i)(j² + 2ij − i² + s(i+j)) / (2(s+j)) divided out; the test below says so.
    """
    lengths = range(l, l + len(x))
    common = lcm(*(s + j for j in lengths))
    share = [common // (s + j) for j in lengths]

    def after(terms: list[int]) -> list[int]:  # Σ_{j≥i}
        return list(accumulate(terms[::-1]))[::-1]

    def before(terms: list[int]) -> list[int]:  # Σ_{j<i}
        return [0, *accumulate(terms)][: len(x)]

    first = after([j * v for j, v in zip(lengths, x, strict=True)])
    plain = after(x)
    shared = after([q * v for q, v in zip(share, x, strict=True)])
    low = before([(s + j) * v for j, v in zip(lengths, x, strict=True)])
    square = before([2 * j * (s + j) * v for j, v in zip(lengths, x, strict=True)])
    cube = before([j * (s + j) ** 2 * v for j, v in zip(lengths, x, strict=True)])
    y = [
        common * ((s + i) * (first[k] + 2 * i * plain[k]) + i * low[k] + square[k])
        - i * (s + i) ** 2 * shared[k]
        - share[k] * cube[k]
        for k, i in enumerate(lengths)
    ]
    return y, 2 * common


def diagonal(against: str, s: int, k: int, first: bool) -> Fraction:
    """The difference D_kk − D_{k−1,k−1} of a matrix whose entries depend on the shorter length only."""
    served = {"h-sf": lambda k: Fraction(k * (s + k)), "volume": lambda k: Fraction(2 * s * k + k * (k + 1), 2)}[
        against
    ]
    return served(k) if first else served(k) - served(k - 1)


def exact_bounds(weights: Any, s: int, l: int, against: str = "h-sf", bits: int = 200) -> Enclosure:
    """Return exact min and max of (C T)_k / (W_k T_k), where T are the tails of the weights, rounded to ``bits`` bits.

    D x = y means T_k = (y_k − y_{k−1}) / (D_kk − D_{k−1,k−1}); so D⁻¹A is applied to the tails of x.
    """
    tails = list(accumulate(Fraction(float(w)) for w in weights[::-1]))[::-1]
    t = [max(1, round(v * 2**bits)) for v in tails]
    x = [*(a - b for a, b in pairwise(t)), t[-1]]
    y, common = times_a_min(x, s, l)
    steps = [y[0], *(b - a for a, b in pairwise(y))]
    quotients = [Fraction(step, common) / (diagonal(against, s, l + k, k == 0) * t[k]) for k, step in enumerate(steps)]
    return Enclosure(min(quotients), max(quotients))


def meet(a: Enclosure, b: Enclosure) -> bool:
    return a.lower <= b.upper and b.lower <= a.upper


def inside(small: Enclosure, large: Enclosure) -> bool:
    return large.lower <= small.lower and small.upper <= large.upper


@fixed
@given(st.integers(0, 20), st.integers(1, 20), st.lists(st.integers(-100, 100), min_size=1, max_size=8))
def test_the_exact_product_of_this_file_is_the_matrix(s: int, l: int, x: list[int]) -> None:
    y, common = times_a_min(x, s, l)

    def a(i: int, j: int) -> Fraction:
        i, j = min(i, j), max(i, j)
        return Fraction((s + i) * (j * j + 2 * i * j - i * i + s * (i + j)), 2 * (s + j))

    for k in range(len(x)):
        assert Fraction(y[k], common) == sum(a(l + k, l + m) * v for m, v in enumerate(x))


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("against", REFERENCES)
def test_enclosures_of_three_kinds_agree(against: str) -> None:
    """Balls at 25 digits, floats with their error bound, and exact fractions, on 200 settings."""
    for s, l, u in cases():
        case = worst_case("a-min", l=l, u=u, s=s, against=against)
        balls = case.enclosure(25, method="ball")
        floats = case.enclosure(9, method="float")
        exact = exact_bounds(case.weights, s, l, against)
        where = (s, l, u)
        assert balls.width <= Fraction(10) ** -24 * balls.lower, where
        assert floats.width <= Fraction(10) ** -8 * floats.lower, where
        assert exact.width <= Fraction(10) ** -9 * exact.lower, where
        assert meet(balls, floats), where
        assert meet(balls, exact), where
        assert meet(floats, exact), where
        hull = Enclosure(min(floats.lower, exact.lower), max(floats.upper, exact.upper))
        assert inside(balls, hull), where
        assert inside(balls, floats), where
        assert case.value == pytest.approx(balls.middle, rel=1e-12), where


def test_what_an_enclosure_says_it_rests_on() -> None:
    case = worst_case(u=30)
    assert "ieee754" in case.enclosure(9, method="float").uses
    assert "ieee754" not in case.enclosure(9, method="ball").uses
    assert case.enclosure(9) == case.enclosure(9, method="ball")
    assert {"Perron–Frobenius", "Temple–Kato"} <= set(case.enclosure(25).uses)


@pytest.mark.parametrize("against", REFERENCES)
def test_value_is_the_largest_eigenvalue(against: str) -> None:
    for s, l, u in cases()[:35]:
        setting = Setting(s, l, u)
        n, d = form("a-min").on(setting).matrix(float), form(against).on(setting).matrix(float)
        top = scipy.linalg.eigh(n, d, eigvals_only=True, subset_by_index=[u - l, u - l])[0]
        assert worst_case(l=l, u=u, s=s, against=against).value == pytest.approx(top, rel=1e-12), (s, l, u)


@pytest.mark.parametrize("against", REFERENCES)
def test_weights_attain_the_value(against: str) -> None:
    for s, l, u in cases():
        case = worst_case(l=l, u=u, s=s, against=against)
        x = case.weights
        assert x.shape == (u - l + 1,)
        assert (x > 0).all(), (s, l, u)
        assert float(x.sum()) == pytest.approx(1, rel=1e-12)
        ratio = form("a-min").on(case.setting).value(x) / form(against).on(case.setting).value(x)
        assert ratio == pytest.approx(case.value, rel=1e-11), (s, l, u)


def test_no_other_weights_do_better() -> None:
    generator = np.random.default_rng(3)
    for s, l, u in ((0, 1, 30), (7, 5, 60), (10**6, 1, 40)):
        case = worst_case(l=l, u=u, s=s)
        upper = case.enclosure(12).upper
        for x in (case.weights * generator.uniform(0.8, 1.25, u - l + 1) for _ in range(50)):
            fractions = [Fraction(float(v)) for v in x]
            top = form("a-min").on(case.setting).value(fractions)
            assert top <= upper * form("h-sf").on(case.setting).value(fractions)


def test_proved_bounds_at_s_0() -> None:
    """3/4 + E/2 − 1/(4E) ≤ λ < 3/4 + E/2 with E = 1 + Σ_{k=l+1}^u 1/(2k−1)."""
    for l in (1, 2, 3, 10, 57, 200):
        for u in (l, l + 1, l + 2, l + 9, 2 * l + 30, 400):
            e = 1 + sum((Fraction(1, 2 * k - 1) for k in range(l + 1, u + 1)), Fraction(0))
            found = worst_case(l=l, u=u).enclosure(30)
            least, most = Fraction(3, 4) + e / 2 - 1 / (4 * e), Fraction(3, 4) + e / 2
            assert found.upper < most, (l, u)
            if u == l:
                assert least == 1
                assert 1 in found
            else:
                assert least < found.lower, (l, u)


def test_one_length_has_ratio_one() -> None:
    for s, l in ((0, 1), (5, 7), (10**6, 400)):
        case = worst_case(l=l, u=l, s=s)
        assert case.value == 1
        assert case.weights.tolist() == [1.0]
        assert 1 in case.enclosure(40)
        volume = worst_case(l=l, u=l, s=s, against="volume").enclosure(40)
        assert Fraction(2 * (s + l), 2 * s + l + 1) in volume


def test_two_lengths_by_hand() -> None:
    """s = 0, [1, 2]: det(A − λB) = 4(1 − λ)² − (7/4 − λ)² = 0 at λ = 1/4 and λ = 5/4; (A − 5/4 B) x = 0 at x = (2, 1)."""
    case = worst_case(u=2)
    found = case.enclosure(50)
    assert found.lower <= Fraction(5, 4) <= found.upper
    assert found.width < Fraction(1, 10**48)
    np.testing.assert_allclose(case.weights, [2 / 3, 1 / 3], rtol=1e-6)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("digits", [1, 2, 10, 17, 28, 29, 60, 150, 300])
@pytest.mark.parametrize("s", [0, 50, 10**6])
def test_any_number_of_digits(digits: int, s: int) -> None:
    case = worst_case(l=2, u=25, s=s)
    found = case.enclosure(digits)
    assert found.width <= Fraction(10) ** (1 - digits) * found.lower
    low, high = map(Fraction, found.decimals(digits + 2))
    assert high - low <= Fraction(10) ** (1 - digits) * found.upper
    assert meet(case.enclosure(301), found)


@pytest.mark.parametrize("digits", [400, 1000])
def test_a_thousand_digits_are_allowed(digits: int) -> None:
    found = worst_case(u=30).enclosure(digits)
    assert found.width <= Fraction(10) ** (1 - digits) * found.lower


def test_more_digits_lie_inside_fewer() -> None:
    for s, l, u in cases()[:15]:
        case = worst_case(l=l, u=u, s=s)
        fine = case.enclosure(60)
        for digits in (5, 13, 25, 40):
            assert meet(fine, case.enclosure(digits)), (s, l, u)


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 300), (10**6, 3, 400), (5, 50, 200)])
def test_floats_refuse_digits_that_they_do_not_have(s: int, l: int, u: int) -> None:
    with pytest.raises(NotCertified, match=r"reached a relative width of [0-9.]+e-1[0-9]") as caught:
        worst_case(l=l, u=u, s=s).enclosure(15, method="float")
    assert caught.value.width is not None
    assert 9e-15 < caught.value.width < 1e-11


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InputError, match="method = exact"):
        worst_case(u=10).enclosure(5, method="exact")


@pytest.mark.parametrize("s", [2**50, 10**30])
def test_a_prompt_that_floats_cannot_hold_is_refused(s: int) -> None:
    with pytest.raises(InputError, match="s = "):
        _ = worst_case(u=10, s=s).value


def test_it_grows_with_u_and_falls_with_l() -> None:
    values = [worst_case(u=u).enclosure(20) for u in range(1, 40)]
    assert all(a.upper < b.lower for a, b in pairwise(values))
    values = [worst_case(l=l, u=40).enclosure(20) for l in range(1, 41)]
    assert all(a.lower > b.upper for a, b in pairwise(values))


# ---- users' forms: the dense route ---------------------------------------------------------------------------------


def my_a_min(i: Any, j: Any, s: Any) -> Any:
    return (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("against", REFERENCES)
@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 1), (0, 1, 25), (3, 4, 20), (1000, 2, 18)])
def test_a_users_copy_of_a_min_gives_the_same(against: str, s: int, l: int, u: int) -> None:
    mine = worst_case(Form.from_entry(my_a_min), l=l, u=u, s=s, against=against)
    own = worst_case("a-min", l=l, u=u, s=s, against=against)
    assert isinstance(mine, WorstCase)
    assert mine.value == pytest.approx(own.value, rel=1e-12)
    np.testing.assert_allclose(mine.weights, own.weights, rtol=1e-6)
    for digits in (8, 20):
        found = mine.enclosure(digits)
        assert found.width <= Fraction(10) ** (1 - digits) * found.lower
        assert meet(found, own.enclosure(digits + 5))


def test_a_users_reference() -> None:
    mine = worst_case("a-min", u=15, s=2, against=Form.from_entry(lambda i, j, s: i * (s + i)))
    assert meet(mine.enclosure(12), worst_case("a-min", u=15, s=2).enclosure(12))


def test_scaling_a_form_scales_the_worst_case() -> None:
    mine = worst_case(Form.from_entry(lambda i, j, s: 3 * my_a_min(i, j, s)), u=15).enclosure(15)
    own = worst_case(u=15).enclosure(20)
    assert meet(mine, Enclosure(3 * own.lower, 3 * own.upper))


@pytest.mark.parametrize("name", ["a-min", "h-sf"])
def test_a_users_form_may_bear_a_known_name(name: str) -> None:
    double = Form.from_entry(lambda i, j, s: 2 * form(name).formula(i, j, s), name=name)
    pair = {"policy": double} if name == "a-min" else {"policy": "a-min", "against": double}
    found = worst_case(u=6, **pair)  # pyright: ignore[reportArgumentType]
    scale = 2 if name == "a-min" else 0.5
    assert found.value == pytest.approx(scale * worst_case(u=6).value, rel=1e-12)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (lambda i, j, s: i * (s + i), 1),  # D⁻¹N is the identity: entries 0
        (lambda i, j, s: 1, 1),
        (lambda i, j, s: 3 * i - 2 * j, 1),
        (lambda i, j, s: -(i + j), Fraction(-1, 4)),
    ],
    ids=["h-sf", "one", "3i-2j", "negative"],
)
def test_without_positivity_there_is_a_certificate_too(entry: Any, value: Fraction) -> None:
    case = worst_case(Form.from_entry(entry, name="mine"), u=8)
    assert case.status == "certified"
    assert value in case.enclosure(20)
    x = case.weights
    assert (x >= 0).all()
    assert float(x.sum()) == pytest.approx(1)
    ratio = Form.from_entry(entry).on(case.setting).value(x) / form("h-sf").on(case.setting).value(x)
    assert case.value == pytest.approx(ratio, rel=1e-9)


@pytest.mark.exhaustive  # takes seconds
def test_a_larger_user_form_is_certified_and_a_very_large_one_refused() -> None:
    mine = worst_case(Form.from_entry(my_a_min), u=130).enclosure(12)
    assert meet(mine, worst_case(u=130).enclosure(20))
    with pytest.raises(InputError, match="u = 5000"):
        _ = worst_case(Form.from_entry(my_a_min), u=5000).value


@pytest.mark.parametrize("s", [0, 4])
def test_several_intervals_lie_between_one_and_the_whole(s: int) -> None:
    """Without gaps: at least each interval's own worst case (the other weights are 0), attained by the weights."""
    intervals = ((1, 6), (6, 14), (15, 20))
    case = worst_case(s=s, intervals=intervals)
    x = case.weights
    assert (x >= 0).all()
    ratio = form("a-min").on(case.setting).value(x) / form("h-sf").on(case.setting).value(x)
    assert case.value == pytest.approx(ratio, rel=1e-9)
    best = max(worst_case(l=l, u=u, s=s).value for l, u in ((1, 5), (6, 14), (15, 20)))
    assert case.value >= best * (1 - 1e-9)
    assert case.value < worst_case(u=20, s=s).value


def test_weights_of_intervals_with_a_gap_attain_the_value() -> None:
    case = worst_case(intervals=((1, 4), (12, 16)))
    x = case.weights
    ratio = form("a-min").on(case.setting).value(x) / form("h-sf").on(case.setting).value(x)
    assert case.value == pytest.approx(ratio, rel=1e-9)


def test_lengths_in_a_gap_have_no_weight() -> None:
    case = worst_case(intervals=((1, 4), (12, 16)))
    assert float(case.weights[4:11].max()) == 0


# ---- bounds by formulas -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [0, 1, 30, 10**4])
def test_the_formula_bounds_every_worst_case(s: int) -> None:
    for l, u in ((1, 1), (1, 2), (1, 60), (7, 60), (59, 60), (60, 60), (1, 3000)):
        by_formula, case = worst_case(l=l, u=u, s=s).by_formula, worst_case(l=l, u=u, s=s).enclosure(12)
        assert by_formula is not None
        assert meet(by_formula, case)
        assert by_formula.width <= Fraction(u, s + 4 * u) * (1 + Fraction(1, 10**9))


def kappa_of(l: int, u: int, s: int) -> float:
    """The supremum of (s+min) max against H-SF's form, from the two matrices."""
    k = np.arange(l, u + 1)
    low, high = np.minimum.outer(k, k), np.maximum.outer(k, k)
    return float(scipy.linalg.eigh((s + low) * high, low * (s + low), eigvals_only=True)[-1])


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 40), (1, 1, 40), (5, 3, 40), (100, 1, 40), (2, 39, 40), (3, 4, 4)])
def test_kappa_is_the_largest_eigenvalue_of_the_product_form(s: int, l: int, u: int) -> None:
    with precision(200):
        assert float(kappa(l, u, s)) == pytest.approx(kappa_of(l, u, s), rel=1e-9)


@pytest.mark.parametrize("u", [10**8 + 1, 10**12, 10**15])
@pytest.mark.parametrize("s", [0, 1, 10**6, 10**15])
def test_beyond_what_can_be_iterated_bounds_are_certified(s: int, u: int) -> None:
    for l in (1, 5, u // 2, u - 1, u):
        case = worst_case(l=l, u=u, s=s)
        bounds = case.bounds()
        assert (case.status == "certified") == (bounds.relative_width() <= 9e-8)
        assert float(bounds.lower) <= case.value <= float(bounds.upper)
        assert bounds.width <= Fraction(u, s + 4 * u) * (1 + Fraction(1, 10**9))
        with pytest.raises(InputError, match="weights"):
            _ = case.weights
    with pytest.raises(NotCertified, match="is certified"):
        worst_case(u=u, s=s).enclosure(30)


def test_only_what_a_formula_answers_may_be_longer() -> None:
    assert worst_case("a-max", u=10**15).enclosure(20).lower > 10**15
    for policy, against in (("a-ell", "h-sf"), ("a-min", "volume"), (Form.from_entry(my_a_min, name="mine"), "h-sf")):
        with pytest.raises(InputError, match="100000000"):
            worst_case(policy, u=10**9, against=against)
    with pytest.raises(InputError, match=str(10**15)):
        worst_case(u=10**15 + 1)
    assert worst_case(intervals=((1, 5), (6, 10**9))).bounds().upper == worst_case(l=6, u=10**9).bounds().upper
    for policy, against, match in (("a-min", "volume", "100000000"), ("a-max", "h-sf", "at most 4000 lengths")):
        with pytest.raises(InputError, match=match):
            _ = worst_case(policy, against=against, intervals=((1, 5), (6, 10**9))).value
    assert worst_case(intervals=((1, 5), (6, 9))).by_formula is None


def test_the_expansion_at_s_0_holds_at_a_large_u() -> None:
    log = np.log(1e15)
    expected = log / 4 + np.log(2) / 2 + np.euler_gamma / 4 + 0.75 - np.pi**2 / 24 / log
    assert worst_case(u=10**15).bounds().middle == pytest.approx(expected, abs=2 / log**2)
