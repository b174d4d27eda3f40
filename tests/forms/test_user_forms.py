"""Users' forms: what a trace takes for a rational function, and every number against direct sums in fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp
from amount import every_third, part_and_all
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crtools import Empirical, Form, InputError, Setting, derive, ratio, worst_case
from crtools.enclosure import Enclosure, ball, ends
from crtools.errors import NotCertified
from crtools.forms import form
from crtools.forms.rational_entry import trace

Entry = Callable[[Any, Any, Any], Any]
F = Fraction


def few(examples: int) -> Any:
    return hypothesis_settings(max_examples=examples, deadline=None)


# ---- the truth, by plain sums ---------------------------------------------------------------------------------------


class Law(NamedTuple):
    """A law by its spec and its weights; beyond ``last`` the terms (s+k)² x_k shrink at least by ``shrink`` each."""

    spec: str
    weight: Callable[[int], Fraction]
    last: int | None  # of a finite support
    shrink: Fraction = F(0)


CUT = 45

UNBOUNDED = [
    Law("geometric(q=1/2)", lambda k: F(1, 2) ** k, None, F(3, 5)),
    Law("linear-geometric(q=1/3)", lambda k: k * F(1, 3) ** k, None, F(2, 5)),
    Law("negative-binomial(r=3, q=2/5)", lambda k: k * (k + 1) * F(2, 5) ** k, None, F(1, 2)),
    Law("poisson(mean=3)", lambda k: F(3**k, math.factorial(k)), None, F(1, 10)),
    Law("pmf((k**2+1)*q**k, q=2/5)", lambda k: (k * k + 1) * F(2, 5) ** k, None, F(1, 2)),
    Law(
        "mix(1/3*geometric(q=1/2)+2/3*linear-geometric(q=1/3))",
        lambda k: F(1, 3) * F(1, 2) ** k + F(2, 3) * k * F(4, 9) * F(1, 3) ** (k - 1),
        None,
        F(3, 5),
    ),
]
BOUNDED = [
    Law("uniform(l=3, u=9)", lambda k: F(3 <= k <= 9), 9),
    Law("geometric(q=1/2)@12", lambda k: F(1, 2) ** k, 12),
    Law("two-point(l=2, u=40, weight=1/3)", lambda k: {2: F(1, 3), 40: F(2, 3)}.get(k, F(0)), 40),
    Law("zipf(a=2, u=20)", lambda k: F(1, k * k), 20),
]


def distribution_of(law: Law) -> Any:
    if "@" in law.spec:
        return Empirical({k: law.weight(k) for k in range(1, (law.last or 0) + 1)})
    return law.spec


def summed(entry: Entry, law: Law, s: int, growth: Fraction) -> tuple[Fraction, Fraction]:
    """Return ends of Σ_{i,j} N_ij x_i x_j: |N_ij| ≤ growth (s+i)²(s+j)² bounds what lies beyond the cut."""
    last = law.last or CUT
    x = {k: w for k in range(1, last + 1) if (w := law.weight(k))}
    total = F(0)
    for i in x:
        for j in x:
            if i <= j:
                total += entry(F(i), F(j), F(s)) * x[i] * x[j] * (1 if i == j else 2)
    if law.last is not None:
        return total, total
    head = sum((w * (s + k) ** 2 for k, w in x.items()), F(0))
    first, second = (law.weight(last + n) * (s + last + n) ** 2 for n in (1, 2))
    assert second <= law.shrink * first
    rest = first / (1 - law.shrink)
    more = growth * (2 * head * rest + rest * rest)
    return total - more, total + more


def quotient(above: tuple[Fraction, Fraction], below: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    assert below[0] > 0
    every = [a / b for a in above for b in below]
    return min(every), max(every)


def agrees(found: Enclosure, truth: tuple[Fraction, Fraction]) -> bool:
    """Whether two enclosures of one number meet, and the truth is fine enough to say something."""
    assert truth[1] - truth[0] <= F(1, 10**6) * max(abs(truth[0]), abs(truth[1]), F(1, 100))
    return found.lower <= truth[1] and truth[0] <= found.upper


# ---- random entries -------------------------------------------------------------------------------------------------


class Own(NamedTuple):
    entry: Entry
    growth: Fraction  # for every s ≥ 0
    rational: bool


MONOMIALS = [(a, b, d) for a in range(4) for b in range(3) for d in range(3) if a + b + d <= 4]
NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=3)


@st.composite
def rationals(draw: st.DrawFn) -> Own:
    """Σ c i^a j^b s^d over 1 + p j + r s + t (j − i)."""
    picked = draw(st.lists(st.tuples(st.sampled_from(MONOMIALS), NUMBERS), min_size=1, max_size=4))
    p, r, t = (draw(st.integers(0, 3)) for _ in range(3))
    t = t if draw(st.booleans()) else 0

    def entry(i: Any, j: Any, s: Any) -> Any:
        above = sum(c * i**a * j**b * s**d for (a, b, d), c in picked)
        return above / (1 + p * j + r * s + t * (j - i))

    return Own(entry, max(sum((abs(c) for _, c in picked), F(0)), F(1)), True)


@st.composite
def branching(draw: st.DrawFn) -> Own:
    """Entries with a condition on the lengths, a maximum, a minimum, a table or a remainder."""
    inner = draw(rationals())
    c, k = draw(NUMBERS), draw(st.integers(1, 6))
    kind = draw(st.sampled_from(["equal", "less", "diagonal", "max", "min", "abs", "table", "remainder", "prompt"]))

    def entry(i: Any, j: Any, s: Any) -> Any:
        usual = inner.entry(i, j, s)
        match kind:
            case "equal":
                return c * i if i == k else usual
            case "less":
                return c if j < k else usual
            case "diagonal":
                return usual if i == j else c * i
            case "max":
                return max(usual, c)
            case "min":
                return min(usual, c * i)
            case "abs":
                return abs(usual - c)
            case "table":
                return {1: c, k: 2}.get(i, usual)
            case "remainder":
                return usual + c * (j % 2)
            case _:
                return usual if s > 2 else c * j

    return Own(entry, inner.growth + 2 * abs(c) + 2, False)


ENTRIES = st.one_of(rationals(), branching())
POSITIVE: list[Own] = [
    Own(lambda i, j, s: i * (s + j), F(1), True),
    Own(lambda i, j, s: 3 * i + (j - i) * F(1, 2), F(4), True),
    Own(lambda i, j, s: i * j / (s + j + 1) + 1, F(2), True),
    Own(lambda i, j, s: 9 * i if i == 1 else i * (s + i), F(10), False),
    Own(lambda i, j, s: max(i + s, 4) * (2 if i == j else 1), F(10), False),
]
GROWTHS = {"a-min": F(3, 2), "h-sf": F(1), "volume": F(1), "a-random": F(1), "a-random-area": F(1)}


def made(own: Own) -> Form:
    return Form.from_entry(own.entry, growth=own.growth)


# ---- numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
@few(60)
@given(own=ENTRIES, below=st.sampled_from(POSITIVE), law=st.sampled_from(BOUNDED), s=st.sampled_from([0, 1, 5]))
def test_finite_laws_are_exact(own: Own, below: Own, law: Law, s: int) -> None:
    truth = summed(own.entry, law, s, own.growth)[0] / summed(below.entry, law, s, below.growth)[0]
    found = ratio(made(own), distribution_of(law), s, against=made(below))
    assert found.exact == truth
    assert found.value == float(truth)


@pytest.mark.exhaustive  # takes seconds
@few(7)
@given(own=ENTRIES, below=st.sampled_from(POSITIVE), law=st.sampled_from(UNBOUNDED), s=st.sampled_from([0, 1, 4]))
def test_unbounded_laws_are_enclosed(own: Own, below: Own, law: Law, s: int) -> None:
    truth = quotient(summed(own.entry, law, s, own.growth), summed(below.entry, law, s, below.growth))
    assume(max(map(abs, truth)) > F(1, 100))
    found = ratio(made(own), distribution_of(law), s, against=made(below))
    enclosure = found.enclosure(7)
    assert agrees(enclosure, truth)
    assert enclosure.width <= F(1, 10**6) * max(abs(enclosure.lower), abs(enclosure.upper))
    assert not own.rational or agrees(found.direct(7), truth)
    assert agrees(Enclosure(F(found.value) - F(1, 10**9), F(found.value) + F(1, 10**9)), truth)


@pytest.mark.exhaustive  # takes seconds
@few(12)
@given(own=rationals(), below=st.sampled_from(POSITIVE[:3]), number=st.sampled_from([0, 2]), s=st.sampled_from([0, 2]))
def test_derived_closed_forms(own: Own, below: Own, number: int, s: int) -> None:
    """With the bound that the entry itself shows: none is given."""
    law = [UNBOUNDED[0], UNBOUNDED[1], UNBOUNDED[2]][number]
    symbolic = law.spec.partition("q=")[0] + "q)"
    truth = quotient(summed(own.entry, law, s, own.growth), summed(below.entry, law, s, below.growth))
    assume(max(map(abs, truth)) > F(1, 100))
    found = derive(symbolic, policy=Form.from_entry(own.entry), s=s, against=Form.from_entry(below.entry))
    assert (found.ratio is None) == ("denominator" in (found.reason or ""))
    if found.ratio is not None:
        q = F(law.spec.partition("q=")[2].rstrip(")"))
        value = F(found.value(q))
        assert agrees(Enclosure(value - F(1, 10**12), value + F(1, 10**12)), truth)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", every_third([(name,) for name in GROWTHS]))
@pytest.mark.parametrize("own", POSITIVE, ids=["product", "linear", "quotient", "condition", "maximum"])
def test_every_pair_with_the_packages_forms(name: str, own: Own) -> None:
    for law, s in ((UNBOUNDED[0], 0), (UNBOUNDED[1], 3), (UNBOUNDED[3], 1), (BOUNDED[0], 2), (BOUNDED[2], 0)):
        mine = summed(own.entry, law, s, own.growth)
        other = summed(lambda i, j, s: form(name).entry(i, j, s), law, s, GROWTHS[name])
        dist = distribution_of(law)
        assert agrees(ratio(made(own), dist, s, against=name).enclosure(9), quotient(mine, other))
        assert agrees(ratio(name, dist, s, against=made(own)).enclosure(9), quotient(other, mine))


def test_limits_and_suprema_of_a_users_form() -> None:
    """Σ i j x_i x_j = 1/(1−q)² and Σ min² x_i x_j = (1+q²)/((1−q²)(1−q))·…: the quotient is (1+q)²/(1+q²)."""
    law = derive("geometric(q)", policy=Form.from_entry(lambda i, j, s: i * (s + j)))
    q = law.parameters[0]
    assert sp.simplify(law.ratio - (1 + q) ** 2 / (1 + q**2)) == 0
    assert (law.limit(q=1), law.limit(q=0)) == (2, 1)
    top = law.supremum()
    assert (top.value, top.attained, top.status) == (2, False, "proved")
    back = derive("geometric(q)", policy="h-sf", against=Form.from_entry(lambda i, j, s: i * (s + j)))
    assert sp.simplify(back.ratio * law.ratio) == 1
    two = derive("two-point(l=2, u=5)", policy=Form.from_entry(lambda i, j, s: max(i, j - 3)))  # numbers only: as exact
    assert two.ratio.subs(two.parameters[0], sp.Rational(1, 2)) == sp.Rational(str((2 + 2 * 2 + 5) / F(4 + 2 * 4 + 25)))


def test_the_supremum_of_an_unbounded_ratio_is_infinite() -> None:
    """Against 3i − j, whose mean is of a lower order than A_min's as q → 1."""
    law = derive("geometric(q)", against=Form.from_entry(lambda i, j, s: 3 * i - j))
    assert law.limit(q=1) == sp.oo
    found = law.supremum()
    assert (found.value, found.at, found.attained) == (sp.oo, 1, False)


# ---- what is a rational function ------------------------------------------------------------------------------------

BRANCHING: list[Entry] = [
    lambda i, j, s: 9 * i if i == 1 else i * (s + i),
    lambda i, j, s: i if i != 2 else j,
    lambda i, j, s: i if s else j,
    lambda i, j, s: i if i < j else s,
    lambda i, j, s: max(i, j) - min(i, s),
    lambda i, j, s: i * (i > 3),
    lambda i, j, s: {1: 2}.get(i, 3),
    lambda i, j, s: {"1": 2}.get(str(i), 3),
    lambda i, j, s: 2 if f"{i}" == "1" else 3,
    lambda i, j, s: abs(i - 3),
    lambda i, j, s: i // 2 + j % 2,
    lambda i, j, s: int(i),
    lambda i, j, s: round(i / 2),
    lambda i, j, s: math.floor(i / 2),
    lambda i, j, s: 2**i,
    lambda i, j, s: i**j,
    lambda i, j, s: math.factorial(int(i)),
    lambda i, j, s: len(range(int(i))),
    lambda i, j, s: i.numerator,
    lambda i, j, s: i.limit_denominator(1) if hasattr(i, "limit_denominator") else j,
    lambda i, j, s: i if isinstance(i, Fraction) else j,
    lambda i, j, s: i + (type(i) is Fraction),
    lambda i, j, s: i if i in (1, 2) else j,
    lambda i, j, s: Fraction(i, 2),
    lambda i, j, s: sorted((i, j))[0],
]


def test_a_form_that_is_written_out_is_traced_as_well() -> None:
    mine = Form("mine", lambda i, j, s: 9 * i if i == 1 else i * (s + i), growth=F(9))
    assert (mine.closes(0), mine.rational) == (False, None)
    found = ratio(mine, "geometric(q=1/2)")
    assert found.exact is None
    assert F(37, 10) in found.enclosure(10)
    with pytest.raises(InputError, match="form = mine: it branches"):
        derive("geometric(q)", policy=mine)


def swallowing(i: Any, j: Any, s: Any) -> Any:
    """A function that goes on where its arguments cannot be compared, and differs only far out."""
    try:
        return j if i > 10**6 else i
    except Exception:
        return i


@pytest.mark.parametrize("entry", [*BRANCHING, swallowing])
def test_what_branches_is_not_taken_for_a_rational_function(entry: Entry) -> None:
    assert trace(entry) is None
    mine = Form.from_entry(entry, growth=10**6)
    setting = Setting(s=2, l=1, u=5)
    exact = [[F(entry(F(min(i, j)), F(max(i, j)), F(2))) for i in range(1, 6)] for j in range(1, 6)]
    assert mine.on(setting).matrix().tolist() == exact
    assert mine.on(setting).matrix(float).tolist() == [[float(x) for x in row] for row in exact]
    assert mine.entry(2.0, 3.0, 2.0) == float(exact[1][2])
    low, high = ends(mine.entry(ball(2), ball(3), ball(2)))
    assert low <= exact[1][2] <= high
    with pytest.raises(InputError, match="form = user: it branches"):
        mine.entry(*sp.symbols("i j s", positive=True))
    with pytest.raises(InputError, match="form = user: it branches"):
        derive("geometric(q)", policy=mine)
    with pytest.raises(InputError, match="form = user: it branches"):
        derive("two-point(weight=1/2)", against=mine)


@pytest.mark.exhaustive  # takes seconds
@few(40)
@given(own=rationals(), i=st.integers(1, 40), more=st.integers(0, 40), s=st.integers(0, 9))
def test_one_formula_in_every_ring(own: Own, i: int, more: int, s: int) -> None:
    mine, j = Form.from_entry(own.entry), i + more
    rational = mine.rational
    assert rational is not None
    truth = own.entry(F(i), F(j), F(s))
    assert mine.entry(i, j, s) == mine.entry(j, i, s) == rational.exact(i, j, s) == truth
    low, high = ends(mine.entry(ball(i), ball(j), ball(s)))
    assert low <= truth <= high
    assert float(mine.entry(np.array([i]), np.array([j]), s)[0]) == pytest.approx(float(truth), abs=1e-9)
    x, y, z = sp.symbols("x y z", positive=True)
    assert mine.entry(x, y, z).subs({x: i, y: j, z: s}) == sp.Rational(truth.numerator, truth.denominator)


@pytest.mark.exhaustive  # takes seconds
@few(40)
@given(own=rationals(), s=st.integers(0, 6))
def test_what_the_coefficients_show_is_true(own: Own, s: int) -> None:
    mine = Form.from_entry(own.entry)
    growth = mine.growth_at(s)
    pairs = [(i, j) for i in range(1, 9) for j in (*range(i, 12), 50, 1000)]
    values = {(i, j): own.entry(F(i), F(j), F(s)) for i, j in pairs}
    assert mine.closes(s)  # 1 + p j + r s + t (j − i) has no zero
    assert growth is not None
    assert all(abs(v) <= growth * i * i * j * j for (i, j), v in values.items())
    assert not mine.nonnegative_at(s) or all(v >= 0 for v in values.values())
    assert mine.rational is not None
    assert not mine.rational.positive(s) or all(v > 0 for v in values.values())


@pytest.mark.parametrize(
    "entry",
    [
        lambda i, j, s: i**3 * j**3,
        lambda i, j, s: i**3 * j**2,
        lambda i, j, s: j**3,
        lambda i, j, s: i + j**3 / (s + i),
        lambda i, j, s: F(1) / (i + 1 - j),
    ],
)
def test_no_bound_is_read_off_what_grows_too_fast_or_has_poles(entry: Entry) -> None:
    assert Form.from_entry(entry).growth_at(1) is None
    with pytest.raises(InputError, match="form = user: needs growth=c with"):
        ratio(Form.from_entry(entry), "geometric(q=1/2)", 1)


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        (lambda i, j, s: F(1) / (i - 3), r"entry\(3, 3, 1\)"),
        (lambda i, j, s: (i * i - 9) / (i - 3), r"entry\(3, 3, 1\)"),  # 0/0 is none either
        (lambda i, j, s: i / (j - i), r"entry\(1, 1, 1\)"),
        (lambda i, j, s: 0 / (s + 2 - j), r"entry\(1, 3, 1\)"),
    ],
)
def test_a_pole_is_named(entry: Entry, place: str) -> None:
    mine = Form.from_entry(entry, growth=100)
    for use in (
        lambda: ratio(mine, "uniform(u=5)", 1).value,
        lambda: ratio("a-min", "geometric(q=1/2)", 1, against=mine).value,
        lambda: ratio(mine, "geometric(q=1/2)", 1).enclosure(5),
        lambda: worst_case(mine, u=5, s=1).value,
        lambda: mine.on(Setting(1, 1, 5)).matrix(),
        lambda: mine.on(Setting(1, 1, 5)).apply([ball(1)] * 5),
    ):
        with pytest.raises(InputError, match=place + " = ZeroDivisionError"):
            use()
    with pytest.raises(InputError, match="form = user: it divides by an expression that is not shown to be non-zero"):
        derive("geometric(q)", policy=mine, s=1)


# ---- entries that are no exact numbers ------------------------------------------------------------------------------


def raising(error: BaseException) -> Entry:
    def entry(i: Any, j: Any, s: Any) -> Any:
        raise error

    return entry


NO_NUMBERS: list[tuple[Entry, str]] = [
    (lambda i, j, s: 0.5, "0.5"),
    (lambda i, j, s: 0.5 * i, "0.5"),
    (lambda i, j, s: 3.0, "3.0"),
    (lambda i, j, s: math.sqrt(2), "1.41421"),
    (lambda i, j, s: math.sqrt(i * j), "1.0"),
    (lambda i, j, s: None, "None"),
    (lambda i, j, s: float("nan"), "nan"),
    (lambda i, j, s: float("inf"), "inf"),
    (lambda i, j, s: 1j, "1j"),
    (lambda i, j, s: "3", "3"),
    (lambda i, j, s: i < j, "False"),
    (lambda i, j, s: np.float64(2), "2.0"),
    (lambda i, j, s: np.array([1, 2]), r"\[1 2\]"),
    (lambda i, j, s: [i], r"\[Fraction\(1, 1\)\]"),
    (lambda i, j, s: sp.sqrt(2), r"sqrt\(2\)"),
    (lambda i, j, s: [7][i], "TypeError: list indices"),
    (lambda i, j, s: {5: 1}[i], "KeyError"),
    (raising(ValueError("no")), "ValueError: no"),
    (raising(RuntimeError("several\nlines")), "RuntimeError: several lines"),
]


@pytest.mark.parametrize(("entry", "shown"), NO_NUMBERS)
def test_an_entry_that_is_no_exact_number_is_one_line(entry: Entry, shown: str) -> None:
    mine = Form.from_entry(entry, name="mine")
    for use in (
        lambda: ratio(mine, "uniform(u=3)").value,
        lambda: ratio("a-min", "uniform(u=3)", against=mine).value,
        lambda: ratio(mine, "geometric(q=1/2)").value,
        lambda: worst_case(mine, u=3).value,
        lambda: worst_case(mine, u=3).enclosure(5),
        lambda: worst_case("a-min", u=3, against=mine).value,
        lambda: mine.on(Setting(0, 1, 3)).matrix(float),
        lambda: mine.on(Setting(0, 1, 3)).value([F(1)] * 3),
        lambda: mine.entry(1, 1),
        lambda: derive("two-point(l=1, u=2)", policy=mine),
    ):
        with pytest.raises(InputError, match=rf"entry\(1, 1, 0\) = {shown}.*: must be an exact number") as caught:
            use()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("number", [sp.Rational(7, 3), np.int64(4), 5, F(7, 3), ends(ball(2))[0]], ids=str)
def test_exact_numbers_of_other_kinds_are_taken(number: Any) -> None:
    assert Form.from_entry(lambda i, j, s: number).entry(1, 2) == F(int(number.numerator), int(number.denominator))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_is_no_error_of_the_entry_passes(error: BaseException) -> None:
    with pytest.raises(type(error)):
        ratio(Form.from_entry(raising(error)), "uniform(u=3)").exact  # noqa: B018


# ---- bounds, signs, confirmation ------------------------------------------------------------------------------------


@pytest.mark.parametrize("growth", [0, -1, 0.5, float("nan"), "1", True, [1], 1j])
def test_a_growth_is_an_exact_number_above_zero(growth: Any) -> None:
    with pytest.raises(InputError, match=r"growth = .*: must be an exact number > 0"):
        Form.from_entry(lambda i, j, s: i, growth=growth)


def test_a_growth_that_an_entry_exceeds_is_refused_where_it_does() -> None:
    mine = Form.from_entry(lambda i, j, s: 50 * i * i * j * j if (i, j) == (4, 7) else i, growth=1)
    with pytest.raises(InputError, match=r"growth = 1: must bound the entries: entry\(4, 7, 0\)"):
        _ = ratio(mine, "geometric(q=1/2)").value
    low = Form.from_entry(lambda i, j, s: -99 if i == j == 2 else i, growth=1)  # from below as well
    with pytest.raises(InputError, match=r"growth = 1: must bound the entries: entry\(2, 2, 1\)"):
        _ = ratio("h-sf", "poisson(mean=2)", 1, against=low).value


def test_what_the_entry_shows_replaces_a_growth_that_is_too_small() -> None:
    truth = summed(lambda i, j, s: 1000 * i * j, UNBOUNDED[0], 0, F(1000))
    below = summed(lambda i, j, s: i * i, UNBOUNDED[0], 0, F(1))
    mine = Form.from_entry(lambda i, j, s: 1000 * i * j, growth=F(1, 10**30))
    assert agrees(ratio(mine, "geometric(q=1/2)").direct(10), quotient(truth, below))


def test_the_method_names_a_growth_as_stated() -> None:
    stated = Form.from_entry(lambda i, j, s: max(i, 3), growth=3)
    assert ratio(stated, "geometric(q=1/2)").method.endswith("tail bounded by the growth as stated")
    shown = Form.from_entry(lambda i, j, s: i, growth=3)
    assert ratio(shown, "poisson(mean=2)").method.endswith("tail bounded")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "entry",
    [
        lambda i, j, s: 0,
        lambda i, j, s: -i,
        lambda i, j, s: i - j,
        lambda i, j, s: i - 5,
        lambda i, j, s: min(i - 5, 0),
        lambda i, j, s: 0 * max(i, 1),
    ],
)
@pytest.mark.parametrize(
    "spec", ["geometric(q=1/2)", "poisson(mean=2)", "uniform(u=4)", "two-point(l=1, u=4, weight=1/2)"]
)
def test_a_denominator_that_is_not_positive_is_refused(entry: Entry, spec: str) -> None:
    with pytest.raises((InputError, NotCertified), match=r"against = user: must be positive|is not separated from 0"):
        _ = ratio("a-min", spec, against=Form.from_entry(entry, growth=6)).value


def test_a_denominator_that_changes_its_sign_has_no_supremum() -> None:
    law = derive("geometric(q)", against=Form.from_entry(lambda i, j, s: 14 * i - 5 * j))  # positive for small q only
    assert law.value(F(1, 4)) > 0
    with pytest.raises(InputError, match="against = user: must be positive at the law; at q = 99/100"):
        law.value(F(99, 100))
    with pytest.raises(NotCertified, match="not shown to be positive on the whole range of q"):
        law.supremum()


def test_a_denominator_that_may_vanish_has_no_supremum_over_several_parameters() -> None:
    against = Form.from_entry(lambda i, j, s: i * j - 2 * i + 1)
    with pytest.raises(NotCertified, match=r"not shown to be positive on the whole range$"):
        derive("h-sf", "two-point(1, u, weight)", against=against).supremum()


def test_a_closed_form_that_direct_sums_contradict_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    from crtools.closed_form.sums import quadratic_value as right

    def wrong(*arguments: Any) -> Any:
        found = right(*arguments)
        return found.scaled(found.field.domain(1001) / found.field.domain(1000))

    mine = Form.from_entry(lambda i, j, s: i * (s + j))
    for spec in ("geometric(q=1/2)", "geometric(q=99999/100000)"):  # the second has too long a tail for direct sums
        monkeypatch.setattr("crtools.ratios.ratio.quadratic_value", right)
        assert ratio(mine, spec).exact is not None
        monkeypatch.setattr("crtools.ratios.ratio.quadratic_value", wrong)
        with pytest.raises(AssertionError, match="closed form and direct sum differ"):
            _ = ratio(mine, spec).exact


@pytest.mark.exhaustive  # takes seconds
def test_a_users_form_of_a_known_name_gets_no_theorem_of_that_form() -> None:
    mine = Form.from_entry(lambda i, j, s: (i * (s + i) + j * (s + j)) / 2, name="a-min")
    found = derive("poisson(mean)", policy=mine, s=2).supremum()
    assert found.enclosure == derive("poisson(mean)", policy="a-random", s=2).supremum().enclosure
    with pytest.raises(NotCertified, match="does not exceed the bound of the ratio"):
        derive("poisson(mean)", policy=Form.from_entry(lambda i, j, s: 5 * i, name="a-min")).supremum()


QUOTIENTS = [("a-min", "h-sf"), ("a-random", "h-sf"), ("a-min", "volume"), ("a-random", "a-min")]


MEANS = [
    (n, mean, s)
    for n, (i, mean), (j, s) in product(range(4), enumerate((30, 100, 400)), enumerate((0, 3, 500)))
    if (n + i + j) % 3 == 0
]
"""Each quotient at each mean and each prompt, once."""


@pytest.mark.exhaustive  # takes seconds
@part_and_all("rows", [(0, 30, 0), (2, 30, 3)], MEANS)
def test_ratios_at_large_poisson_means_stay_below_their_bound(rows: list[tuple[int, int, int]]) -> None:
    from crtools.forms import form
    from crtools.ratios.supremum import _beyond  # pyright: ignore[reportPrivateUsage]

    for number, mean, s in rows:
        policy, against = QUOTIENTS[number]
        bounds = list(_beyond(form(policy), form(against), s, mean))
        assert bounds
        for larger in (mean, 2 * mean, 7 * mean):
            assert ratio(policy, f"poisson({larger})", s, against=against).enclosure(8).upper <= min(bounds)


def test_long_sums_of_a_separable_entry_are_cheap_and_others_say_their_limit() -> None:
    mine = Form.from_entry(lambda i, j, s: i * (s + j))
    u = 20_000  # Σ_{i,j} i j over Σ min²: (u(u+1)/2)² and u(u+1)(u²+u+1)/6
    truth = F((u * (u + 1) // 2) ** 2 * 6, u * (u + 1) * (u * u + u + 1))
    assert truth in ratio(mine, f"uniform(u={u})").enclosure(20)
    with pytest.raises(NotCertified, match="pair by pair, for up to 2000 lengths"):
        _ = ratio(Form.from_entry(lambda i, j, s: max(i, 3)), "uniform(u=3000)").value
