"""Worst cases without Perron structure, against an enumeration of supports that shares no code with the package."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from amount import every_third
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import FORMS, Form, InputError, NotCertified, Setting, WorstCase, form, worst_case
from crtools.cli import main
from crtools.enclosure import ball, ball_matrix, ends, precision, rational
from crtools.ledger.registry import load
from crtools.worst_cases.copositivity import SUPPORTS, copositive, negative_point, positive_definite
from crtools.worst_cases.general import LARGEST_AT_ONCE, General, refine

light = settings(deadline=None, derandomize=True, max_examples=25)


def matrices(case: WorstCase) -> tuple[Any, Any]:
    """The entries of both forms, one by one, on the lengths that may have weight."""
    setting = case.setting
    lengths = setting.lengths()
    if "a-ell" in (case.policy.name, case.against.name):
        lengths = sorted({setting.l, setting.u})

    def matrix(f: Form) -> Any:
        return np.array([[float(f.on(setting).entry(i, j)) for j in lengths] for i in lengths])

    return matrix(case.policy), matrix(case.against)


def best(n: Any, d: Any, most: int | None = None) -> float:
    """The largest ratio at a positive eigenvector of some support (of up to ``most`` lengths): the maximum over x ≥ 0."""
    found = -np.inf
    for count in range(1, (most or len(n)) + 1):
        for support in combinations(range(len(n)), count):
            inside = np.ix_(support, support)
            pairs: Any = scipy.linalg.eig(n[inside], d[inside])
            for value, v in zip(pairs[0], pairs[1].T, strict=True):
                x = v.real * np.sign(v.real.sum())
                if np.isfinite(value) and abs(value.imag) < 1e-9 * abs(value) + 1e-300 and (x > 0).all():
                    found = max(found, float(x @ n[inside] @ x / (x @ d[inside] @ x)))
    return found


def check(case: WorstCase, truth: float, scale: float = 0.0) -> None:
    """The value is the truth, the weights attain it, and the bounds enclose it."""
    allowed = 1e-9 * abs(truth) + scale
    assert case.value == pytest.approx(truth, abs=allowed)
    x = case.weights
    assert x.shape == (case.setting.size,)
    assert (x >= 0).all()
    assert float(x.sum()) == pytest.approx(1)
    above, below = (
        sum(float(f.on(case.setting).entry(case.setting.l + int(a), case.setting.l + int(b))) * x[a] * x[b]
            for a in np.flatnonzero(x) for b in np.flatnonzero(x))
        for f in (case.policy, case.against)
    )  # fmt: skip
    assert above / below == pytest.approx(truth, abs=10 * allowed)
    bounds = case.bounds()
    assert bounds.lower <= truth + allowed
    assert truth - allowed <= bounds.upper


# ---- the instances that were wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(("u", "value"), [(5, Fraction(9, 8)), (10, Fraction(19, 18))])
def test_a_ell_lives_on_two_lengths(u: int, value: Fraction) -> None:
    case = worst_case("a-ell", 1, u)
    assert value in case.enclosure(15)
    assert (case.weights[1:-1] == 0).all()
    assert case.status == "certified"


def test_a_ell_takes_ends_that_are_far_apart() -> None:
    assert worst_case("a-ell", 1, 10**6).enclosure(20).lower > 1


def test_h_sf_against_volume_is_at_the_longest() -> None:
    assert worst_case("h-sf", 5, 6, 20, "volume").enclosure(50).width == 0
    for l, u, s in ((5, 6, 20), (1, 9, 0), (3, 40, 7), (1, 60, 1000)):
        found = worst_case("h-sf", l, u, s, "volume")
        assert found.bounds().lower == found.bounds().upper == Fraction(2 * (s + u), 2 * s + u + 1)


def test_a_min_on_blocks_of_one_length() -> None:
    case = worst_case("a-min", intervals=((1, 1), (2, 2), (3, 10)))
    check(case, best(*matrices(case)))
    assert case.value == pytest.approx(1.43201, abs=1e-5)
    alone = worst_case("a-min", 3, 60).value
    wide = worst_case("a-min", intervals=((1, 1), (2, 2), (3, 60)))
    assert wide.status == "certified"
    assert wide.value >= alone * (1 - 1e-12)


def test_a_min_against_a_max_is_well_defined() -> None:
    for l, u, s in ((1, 1, 0), (2, 7, 3), (1, 9, 0)):
        case = worst_case("a-min", l, u, s, "a-max")
        check(case, best(*matrices(case)))
    assert worst_case("a-min", 1, 50, against="a-max").bounds().upper == 1


# ---- every pair of forms, and users' forms ---------------------------------------------------------------------


PAIRED = ("h-sf", "volume", *load("adaptive").forms())
SETTINGS = (
    Setting(0, 1, 6),
    Setting(20, 5, 9),
    Setting(3, 4, 4),
    Setting(1, intervals=((1, 1), (2, 2), (3, 6))),
    Setting(0, intervals=((2, 3), (9, 11))),
)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("setting", every_third([(own,) for own in SETTINGS], list(map(str, SETTINGS))))
def test_every_pair_of_forms(setting: Setting) -> None:
    for policy, against in permutations(PAIRED, 2):
        case = worst_case(policy, s=setting.s, against=against, intervals=setting.intervals)
        check(case, best(*matrices(case)))
        assert case.status == "certified", (policy, against)
        assert case.enclosure(20).relative_width() <= 1e-19


TABLES = st.lists(st.integers(-20, 20), min_size=144, max_size=144)
KINDS = (
    lambda entry, i, j, s: entry,
    lambda entry, i, j, s: entry * i * (s + i),
    lambda entry, i, j, s: entry * i * j if (i + j) % 3 else -j,
)
INTERVALS = st.sampled_from([((1, 1),), ((1, 6),), ((3, 8),), ((1, 2), (5, 8)), ((1, 1), (2, 2), (3, 6)), ((1, 12),)])


def user_form(table: list[int], kind: int) -> Form:
    """A form from a table with negative entries and, for one kind, a condition on the lengths."""
    return Form.from_entry(lambda i, j, s: KINDS[kind](table[int(12 * i + j) % 144], i, j, s), name="mine")


@pytest.mark.exhaustive  # takes seconds
@light
@given(TABLES, st.integers(0, 2), INTERVALS, st.sampled_from([0, 1, 20]), st.sampled_from(sorted(FORMS)))
def test_users_forms(table: list[int], kind: int, intervals: Any, s: int, against: str) -> None:
    case = worst_case(user_form(table, kind), s=s, intervals=intervals, against=against)
    n, d = matrices(case)
    if len(n) > 8:  # the enumeration below takes too long
        assert case.value >= best(n, d, 2) - 1e-9 * abs(case.value)
        return
    check(case, best(n, d), scale=1e-12)
    assert case.value == 0 or case.status == "certified"


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=3)
@given(TABLES, st.integers(0, 2), st.sampled_from(["h-sf", "volume", "a-max"]))
def test_users_forms_on_twelve_lengths_by_all_supports(table: list[int], kind: int, against: str) -> None:
    case = worst_case(user_form(table, kind), 1, 12, 1, against)
    check(case, best(*matrices(case)), scale=1e-12)


@pytest.mark.exhaustive  # takes seconds
@settings(deadline=None, derandomize=True, max_examples=8)
@given(TABLES, st.integers(0, 2), st.integers(14, 22))
def test_larger_ones_are_not_beaten_by_three_lengths(table: list[int], kind: int, u: int) -> None:
    case = worst_case(user_form(table, kind), 1, u)
    found = best(*matrices(case), most=3)
    assert case.value >= found - 1e-9 * abs(found)
    assert case.bounds().upper >= Fraction(found) * (1 - Fraction(1, 10**12))


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(("policy", "against"), [("a-restart", "h-sf"), ("a-random-area", "h-sf"), ("volume", "a-min")])
def test_built_in_forms_are_not_beaten_by_three_lengths(policy: str, against: str) -> None:
    case = worst_case(policy, 1, 18, 2, against)
    assert case.value >= best(*matrices(case), most=3) * (1 - 1e-9)
    assert case.bounds().relative_width() <= 1e-9


def test_values_that_are_not_positive() -> None:
    for u in (1, 5, 20):
        assert worst_case(Form.from_entry(lambda i, j, s: 0), 1, u).enclosure(30).width == 0
        least = worst_case(Form.from_entry(lambda i, j, s: -i), 1, u)
        assert Fraction(-1, u) in least.enclosure(20)
        assert least.value == pytest.approx(-1 / u)


@pytest.mark.parametrize("policy", ["a-restart", "h-sf"])
def test_a_poor_search_is_mended_by_the_point_that_refutes_its_bound(policy: str) -> None:
    """Where the search ends at one length only, the failed proof of a bound names better weights, and the ends still meet."""
    pair = form(policy), form("volume"), Setting(1, 1, 9)
    truth = best(*General(*pair).float_matrices)
    for place in range(9):
        poor = General(*pair)
        poor.__dict__["_point"] = np.eye(9)[place]
        bounds = poor.bounds()
        assert bounds.relative_width() <= 1e-9
        assert bounds.middle == pytest.approx(truth, rel=1e-9)
        assert poor.value == pytest.approx(truth, rel=1e-9)


@pytest.mark.exhaustive  # takes seconds
def test_digits() -> None:
    small = worst_case(user_form([(7 * k * k) % 41 - 20 for k in range(144)], 0), 1, 9)
    large = worst_case("a-restart", 1, 40, 1)
    whole = worst_case("a-random-area", 1, 40, 1)
    for case, digits in ((small, 30), (small, 200), (large, 20), (whole, 60)):
        fine = case.enclosure(digits)
        assert fine.width <= Fraction(10) ** (1 - digits) * abs(fine.lower)
        assert case.bounds().lower <= fine.upper
        assert fine.lower <= case.bounds().upper


# ---- the denominator ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry",
    [lambda i, j, s: i - 2 * j, lambda i, j, s: 0, lambda i, j, s: i - 1, lambda i, j, s: 1 if i == j else -1],
    ids=["negative", "zero", "zero-at-one", "singular"],
)
@pytest.mark.parametrize("u", [2, 6, 20])
def test_a_denominator_that_may_vanish_is_one_line(entry: Any, u: int) -> None:
    with pytest.raises(InputError, match="against = mine: must be positive at all weights") as caught:
        _ = worst_case("a-min", 1, u, against=Form.from_entry(entry, name="mine")).value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("entry", [lambda i, j, s: i - 2 * j, lambda i, j, s: 0], ids=["negative", "zero"])
def test_also_where_the_value_does_not_wait_for_bounds(entry: Any) -> None:
    test_a_denominator_that_may_vanish_is_one_line(entry, LARGEST_AT_ONCE + 5)


@pytest.mark.parametrize("u", [5, 20])
def test_a_denominator_with_negative_entries(u: int) -> None:
    signed = Form.from_entry(lambda i, j, s: 2 * u if i == j else -1, name="signed")
    case = worst_case("volume", 1, u, against=signed)
    n, d = matrices(case)
    assert case.status == "certified"
    assert case.value == pytest.approx(float(scipy.linalg.eigh(n, d, eigvals_only=True)[-1]), rel=1e-9)


def test_negative_entries_on_too_many_lengths_to_look_at_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.worst_cases.general.LARGEST_BOUNDED", 10)
    monkeypatch.setattr("crtools.worst_cases.general.LARGEST_AT_ONCE", 10)
    signed = Form.from_entry(lambda i, j, s: 40 if i == j else -1, name="signed")
    assert worst_case("volume", 1, 10, against=signed).value > 0
    with pytest.raises(InputError, match="must be positive at all weights"):
        _ = worst_case("volume", 1, 11, against=signed).value


def test_many_lengths_have_a_value_and_no_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.worst_cases.general.LARGEST_BOUNDED", 200)
    case = worst_case("h-sf", 1, 201, against="volume")
    assert case.value == pytest.approx(402 / 202, rel=1e-9)
    assert case.status == "supported"
    with pytest.raises(NotCertified, match="at most 200 lengths"):
        case.bounds()
    with pytest.raises(InputError, match="at most 4000 lengths"):
        _ = worst_case("h-sf", 1, 5000, against="volume").value


# ---- proved suprema ------------------------------------------------------------------------------------------------


PAIRS = (("a-max", "h-sf"), ("a-random", "h-sf"), ("a-max", "volume"), ("a-random-area", "volume"))


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("policy", "against"), PAIRS)
def test_proved_suprema_by_enumeration(policy: str, against: str) -> None:
    for l, u, s in ((1, 1, 0), (1, 7, 0), (3, 10, 5), (4, 9, 100)):
        case = worst_case(policy, l, u, s, against)
        check(case, best(*matrices(case)))
        assert "proved" in case.method
        general = General(form(policy), form(against), Setting(s, l, u))
        found, fine = general.enclosure(20), case.enclosure(40)
        assert max(found.lower, fine.lower) <= min(found.upper, fine.upper)


def test_proved_suprema_take_any_size() -> None:
    for policy, against in PAIRS:
        assert worst_case(policy, 1, 10**8, 10**4, against).enclosure(100).relative_width() <= 1e-99


# ---- what proves an upper bound --------------------------------------------------------------------------------------


@light
@given(st.integers(1, 5).flatmap(lambda m: st.lists(st.integers(-6, 9), min_size=m * m, max_size=m * m)))
def test_copositivity_is_decided(entries: list[int]) -> None:
    size = round(len(entries) ** 0.5)
    m = np.array(entries).reshape(size, size)
    m = m + m.T
    point = negative_point([[rational(int(e)) for e in row] for row in m])
    least = -best(-m.astype(float), np.ones((size, size)) + 1e-9 * np.eye(size))
    if point is None:
        assert least > -1e-5
    else:
        assert min(point) >= 0
        assert sum(int(m[a, b]) * x * y for a, x in enumerate(point) for b, y in enumerate(point)) < 0


def test_a_horn_matrix_is_copositive_and_no_sum() -> None:
    """Horn's form is copositive, but not a definite matrix plus a nonnegative one."""
    horn = [[1 if (a - b) % 5 in (0, 2, 3) else -1 for b in range(5)] for a in range(5)]
    assert negative_point([[rational(e) for e in row] for row in horn]) is None
    horn[0][0] = 0
    assert negative_point([[rational(e) for e in row] for row in horn]) is not None


@pytest.mark.parametrize("size", [2, 15, 40])
def test_positive_definite_is_rigorous(size: int) -> None:
    generator = np.random.default_rng(size)
    orthogonal = np.linalg.qr(generator.normal(size=(size, size)))[0]
    with precision(200):
        for least, ok in ((1e-3, True), (1e-9, True), (-1e-9, False), (-1.0, False)):
            values = np.append(generator.uniform(1, 2, size - 1), least)
            q = ball_matrix(orthogonal.tolist())
            diagonal = ball_matrix([[v if a == b else 0 for b in range(size)] for a, v in enumerate(values.tolist())])
            for direction in (None, [ball(float(v)) for v in orthogonal[:, -1]]):
                assert positive_definite(q * diagonal * q.transpose(), direction) is ok


BOUNDED = (("a-random-area", "h-sf", 14), ("a-restart", "h-sf", 20), ("h-sf", "volume", 30), ("volume", "a-min", 9))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("policy", "against", "u"), BOUNDED)
def test_an_upper_bound_that_is_too_low_is_rejected(policy: str, against: str, u: int) -> None:
    general = General(form(policy), form(against), Setting(1, 1, u))
    bounds = general.bounds()
    with precision(200):
        x, value = refine(general, general._point, 30)  # pyright: ignore[reportPrivateUsage]
        assert ends(value)[0] <= bounds.upper
        for share in (Fraction(1, 10**6), Fraction(1, 10**9)):
            found = copositive(general.excess(bounds.lower * (1 - share)), general.units, x)
            assert found.method is None
            assert copositive(general.excess(bounds.lower * (1 - share)), general.units).method is None
        assert copositive(general.excess(bounds.upper), general.units, x).method == bounds.method


def test_a_wrong_decomposition_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guess of P is not trusted: whatever it is, a bound below the worst case is not certified."""
    general = General(form("a-restart"), form("h-sf"), Setting(1, 1, 30))
    bounds = general.bounds()
    for wrong in (0.0, 0.1, 10.0, -1e6):
        monkeypatch.setattr("crtools.worst_cases.copositivity.guess_nonnegative", lambda m, x, w=wrong: w * np.abs(m))
        with precision(200):
            low = general.excess(bounds.lower * (1 - Fraction(1, 10**6)))
            assert copositive(low, general.units).method is None


# ---- the command line ----------------------------------------------------------------------------------------------


def test_both_ends_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "--policy", "a-ell", "--u", "5", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["value"], row["status"], row["method"]) == (1.125, "certified", SUPPORTS)
    assert Fraction(row["lower"]) == Fraction(row["upper"]) == Fraction(9, 8)
    assert main(["worst-case", "--policy", "a-restart", "--u", "30", "--digits", "15"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "certified" in lines[1]
    assert all(len(line) <= 80 for line in lines)


def test_digits_that_are_not_reached_name_the_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(General, "_tight", lambda self, digits: None)
    case = worst_case("a-restart", 1, 15)
    assert case.status == "supported"
    with pytest.raises(NotCertified, match=r"[0-9.]+ ≤ worst case ≤ [0-9.]+ is certified \(reached a relative width"):
        case.enclosure(9)
    assert case.bounds().upper > case.bounds().lower * (1 + Fraction(1, 10**9))
