"""What the checker computes with: schedules, queues, Algorithm 2, logarithms, laws and polynomials. No ledger is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from random import Random

import mpmath
import pytest

from check import best, enclosures, kernel, process, statements
from check.enclosures import derivative, log_bounds, positive, positive_on_unit, without_ends
from check.kernel import Rejected, Work, ratio, variable
from crtools import simulate
from crtools.forms import form
from crtools.papers.adaptive.evidence.one_parameter import GEOMETRIC, LINEAR, direct
from crtools.papers.adaptive.literal.forms import ratio_lower_bound
from crtools.papers.adaptive.literal.ties import expectations
from crtools.schedule import Schedule
from crtools.setting import Setting


@pytest.fixture(autouse=True)
def document() -> None:
    """Each test is a document of its own."""
    Work.start()


# ---- the process ----------------------------------------------------------------------------------------------------


def test_memory_over_time() -> None:
    starts, lengths = [0, 1, 1], [2, 3, 1]
    assert [process.tokens(starts, lengths, 5, t) for t in range(6)] == [0, 6, 7 + 6 + 6, 7, 8, 0]
    assert process.feasible(starts, lengths, 5, 19)
    assert not process.feasible(starts, lengths, 5, 18)
    assert process.total(starts, lengths) == 8


def test_queues_that_stop_and_queues_that_pass() -> None:
    lengths, order = [1, 2, 2], [1, 2, 0]
    assert process.run_queue(order, lengths, lengths, 1, 4) == [2, 0, 2]
    assert process.run_queue(order, lengths, lengths, 1, 4, True) == [0, 0, 2]
    assert process.run_queue(order, lengths, lengths, 1, 3, True) == [4, 0, 2]
    assert process.run_queue(order, [2, 2, 2], lengths, 1, 6) == [2, 0, 0]
    with pytest.raises(Rejected, match="can never run"):
        process.run_queue([0, 1], [3, 1], [1, 1], 1, 3)
    assert process.run_queue([0], [3], [1], 1, 4) == [0]
    assert process.every_order([8, 8], [4, 4], 1, 14) == [[0, 4], [4, 0]]
    assert process.mean_random([1, 2], 1, 3) == Fraction(1 + 3 + 2 + 3, 2)
    assert process.shortest_first([3, 1, 1], 1, 4) == [1, 0, 0]


def test_orders_of_schedules() -> None:
    assert process.same_order([0, 1, 2], [3, 3, 4])
    assert not process.same_order([0, 1], [1, 0])
    assert process.same_order([0, 0], [1, 0])
    assert not process.same_order([0, 5, 1], [0, 1, 5])
    assert process.moved([5, 6, 7], 1, 0) == [5, 0, 7]


def test_a_request_may_move_back_to_the_start_before_its_own() -> None:
    for starts, request, to, may in (
        ([0, 2], 1, 1, True), ([0, 2], 1, 0, True), ([0, 2], 1, 2, False), ([0, 2], 0, 0, False), ([0, 1, 3], 2, 0, False),
        ([0, 1, 3], 2, 1, True), ([0, 1, 3], 2, 2, True), ([1, 1], 0, 0, True),
    ):  # fmt: skip
        assert process.may_move(starts, [1] * len(starts), 1, 9, request, to) == may, (starts, request, to)
    assert not process.may_move([0, 1], [1, 1], 1, 3, 1, 0)
    assert process.may_move([0, 1], [1, 1], 1, 4, 1, 0)


def test_algorithm_two_by_hand() -> None:
    """Two of length 2, s = 1, M = 4: both start, their second tokens do not fit, and one of them starts anew later."""
    own = process.literal([[2, 1], [2, 1]], 1, 4)
    assert own["over"]
    assert own["moved"] == {(1, 1, 2): 1}
    assert own["started"] == {(1, 2): 3}
    assert own["completed"] == {(1, 2): 2}
    assert own["total"] == 2 + 4
    assert process.expected(own["started"], 1, 2) == 3
    assert process.expected(own["started"], 2, 2) == 0
    cut = process.literal([[2, 1], [2, 1]], 1, 4, 3)
    assert (cut["over"], cut["total"], cut["completed"]) == (False, 2, {(1, 2): 1})
    assert process.literal([[1, 1]], 1, 2, 1)["over"]
    with pytest.raises(Rejected, match="can never run"):
        process.literal([[2, 1], [1, 1]], 1, 2)


def test_the_process_agrees_with_the_simulator() -> None:
    for lengths, memory, s in (([1, 2, 3, 4], 7, 1), ([5, 1, 4, 2, 2, 6], 13, 2), ([3, 3, 1, 7, 2, 5, 5], 20, 0)):
        n, up = len(lengths), max(lengths)
        order = [(3 * r + 1) % n for r in range(n)] if n % 3 else [(5 * r + 1) % n for r in range(n)]
        own = process.run_queue(order, lengths, lengths, s, memory)
        assert own == list(simulate("a-random", lengths, memory, s, 1, up, order=order).starts)
        slow = process.run_queue(order, [up] * n, lengths, s, memory)
        assert slow == list(simulate("a-max", lengths, memory, s, 1, up, order=order).starts)
        assert process.shortest_first(lengths, s, memory) == list(simulate("h-sf", lengths, memory, s).starts)


def test_the_algorithm_two_agrees_with_the_enumeration_of_the_toolkit() -> None:
    for lengths, memory, s in (((1, 2, 3), 6, 1), ((2, 2, 3), 9, 1), ((1, 3, 3, 3), 11, 0), ((1, 2, 2, 4), 9, 2)):
        own = process.literal([(o, 1) for o in lengths], s, memory)
        other = expectations(lengths, s, memory)
        if not own["over"]:  # the checker follows so many instants, the toolkit solves for states that return
            assert own["total"] < other.total
            continue
        assert own["total"] == other.total
        assert own["started"] == dict(other.started)
        assert own["completed"] == dict(other.completed)
        assert own["moved"] == dict(other.moves)
    for requests, s, memory in ((((2, 1), (2, 1), (3, 3), (3, 3)), 1, 9), (((3, 1), (3, 3), (5, 3), (5, 4)), 0, 6)):
        own = process.literal(requests, s, memory)
        assert own["over"]
        assert own["total"] == expectations([o for o, _ in requests], s, memory, [b for _, b in requests]).total


def test_the_definitions_of_packed_agree_on_all_small_schedules() -> None:
    packed = 0
    for n, s in product((1, 2, 3), (1, 2)):
        for lengths in combinations_with_replacement((1, 2, 3), n):
            for starts, memory in product(product(range(4), repeat=n), {s + 3, s + 4, 2 * s + 4}):
                own = process.packed(starts, lengths, s, memory)
                assert own == Schedule(starts, lengths, s).optimally_packed(memory), (starts, lengths, s, memory)
                packed += own
    assert packed > 100
    assert not process.packed([1], [1], 1, 2)
    assert process.packed([0], [1], 1, 2)


# ---- a price on the machine's time ----------------------------------------------------------------------------------


def cheapest(sizes: list[Fraction], tails: list[Fraction], times: list[Fraction], prices: list[Fraction]) -> Fraction:
    """Return what the cheapest plan costs: every list of sizes at which a job is killed, at times that do not fall."""
    volumes, beyond, last = [Fraction(0), *sizes], [Fraction(1), *tails], len(sizes)
    found: list[Fraction] = []
    for count in range(1, last + 1):
        for ends in combinations(range(1, last + 1), count):
            if beyond[ends[-1]] == 0:
                steps = list(zip((0, *ends), ends, strict=False))
                uses = [
                    volumes[a] * beyond[a] + sum(beyond[k] * (volumes[k + 1] - volumes[k]) for k in range(a, c))
                    for a, c in steps
                ]
                for at in combinations_with_replacement(range(len(times)), count):
                    pairs = zip(steps, uses, at, strict=True)
                    found.append(
                        sum(
                            ((beyond[a] - beyond[c]) * times[n] + prices[n] * use for (a, c), use, n in pairs),
                            Fraction(0),
                        )
                    )
    return min(found)


@pytest.mark.parametrize("seed", range(12))
def test_a_price_proves_what_its_cheapest_plan_costs(seed: int) -> None:
    draw = Random(seed)
    sizes = [Fraction(v, 3) for v in sorted(draw.sample(range(2, 40), 3))]
    tails = [*sorted((Fraction(draw.randint(1, 9), 10) for _ in range(2)), reverse=True), Fraction(0)]
    times = [Fraction(0), *sorted(Fraction(v, 7) for v in draw.sample(range(1, 90), 3))]
    prices = [*sorted((Fraction(draw.randint(1, 20), 11) for _ in range(3)), reverse=True), Fraction(0)]
    rows = list(zip(times, times[1:], prices, prices[1:], strict=False))
    paid = sum((end - begin) * (high + low) / 2 for begin, end, high, low in rows)
    both = zip([Fraction(0), *sizes], sizes, [Fraction(1), *tails], strict=False)
    shared = sum((high - low) * beyond**2 for low, high, beyond in both)
    proved = 2 * (cheapest(sizes, tails, times, prices) - paid) / shared
    assert best.proved_by_price(sizes, tails, times, prices) == proved


# ---- logarithms, signs, sums ----------------------------------------------------------------------------------------


def test_logarithms_are_enclosed() -> None:
    with mpmath.workdps(60):
        for x in (
            2,
            Fraction(4, 3),
            Fraction(1, 3),
            20,
            1,
            Fraction(1000001, 1000000),
            Fraction(7, 10**6),
            Fraction(5, 4),
            10**9,
        ):
            low, high = log_bounds(Fraction(x))
            exact = mpmath.log(mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator)
            assert mpmath.mpf(low.numerator) / low.denominator <= exact <= mpmath.mpf(high.numerator) / high.denominator
            assert high - low < Fraction(1, 10**20)
    for x, units in (
        (Fraction(1), 3),
        (Fraction(2), 26 + 3),
        (Fraction(4), 2 * (26 + 3)),
        (Fraction(5, 4), 13 + 3),
        (Fraction(5, 2), 13 + 3 + 26 + 3),
    ):
        low, high = log_bounds(x)  # a unit a term, and three for the rest: of the number, and of each factor 2
        assert high - low == Fraction(units, enclosures.UNIT), x
    small = log_bounds(Fraction(enclosures.UNIT + 1, enclosures.UNIT - 1))  # t is one unit: all of it is the rest
    assert small == (0, Fraction(3, enclosures.UNIT))
    more = log_bounds(Fraction(2 * enclosures.UNIT + 3, 2 * enclosures.UNIT - 3))  # t is 3/2 units
    assert more == (Fraction(3, enclosures.UNIT), Fraction(7, enclosures.UNIT))
    assert log_bounds(Fraction(1, 2)) == tuple(-end for end in reversed(log_bounds(Fraction(2))))


def test_signs_on_the_unit_interval() -> None:
    for good in (
        [1],
        [1, -1, 1],
        [2, -1],
        [1, 1],
        [Fraction(1, 100), -1, 26],
        [1, -2, Fraction(101, 100)],
        [101, -400, 401],
        [1, -3, 3],
    ):
        assert positive_on_unit(good)
    for bad in (
        [0],
        [-1],
        [1, -1],
        [0, 1],
        [1, -4, 4],
        [-1, 2],
        [1, -2, Fraction(99, 100)],
        [2, -9, 9],
        [1, -2, 1],
    ):
        assert not positive_on_unit([Fraction(c) for c in bad], 12)
    near = [Fraction(1001, 1000), -4, 4]
    assert positive_on_unit(near)
    assert positive_on_unit(near, 1)
    assert not positive_on_unit(near, 0)
    for place in (1, 7):  # (8q − 1)² and (8q − 7)², a little above 0: halved three times
        steep = [place**2 + Fraction(1, 1000), -16 * place, 64]
        assert [positive_on_unit(steep, depth) for depth in (2, 3)] == [False, True]
    for poly, inside in (
        ([0, 0, 3, -2], [3, -2]),
        ([3, -6, 3], [3]),
        ([0, 1, 1, -2], [1, 2]),
        ([1, 0, -1], [1, 1]),
        ([0], [0]),
    ):
        assert without_ends([Fraction(c) for c in poly]) == inside
    q = variable("q")
    for good in (q * (1 - q) ** 2, q**3 / 7, (q - q**2) / 2 + q, 1 - q, ratio(1), q / 3):
        assert positive(ratio(good))
    for bad in (q * (1 - q) * (2 * q - 1), -q, q - 2, q * 0, (1 - 2 * q) ** 2, 1 / (1 + q), -q / ratio(-3)):
        assert not positive(bad)
    with pytest.raises(Rejected, match="more than q"):
        positive(q + variable("j"))
    assert derivative(3 * q**3 - q / 2 + 7) == 9 * q**2 - Fraction(1, 2)
    assert derivative(ratio(5)) == 0


def test_sums_of_powers() -> None:
    for power in range(6):
        own = enclosures.power_sums(power, variable("q"))[power].at(q=Fraction(1, 3)).number()
        assert abs(own - sum(Fraction(k**power, 3**k) for k in range(1, 60))) < Fraction(1, 10**15)
        assert enclosures.power_sums(power, ratio(Fraction(1, 3)))[power] == own
    i, j = variable("i"), variable("j")
    own = enclosures.double_sum(i**2 * j / 2 + i * j**3).at(q=Fraction(1, 4)).number()
    pairs = [(min(a, b), max(a, b)) for a in range(1, 50) for b in range(1, 50)]
    direct_sum = sum((Fraction(a * a * b, 2) + a * b**3) / 4 ** (a + b) for a, b in pairs)
    assert abs(own - direct_sum) < Fraction(1, 10**12)


# ---- laws and forms -------------------------------------------------------------------------------------------------


def test_laws() -> None:
    assert enclosures.law({"3": "1/2", "1": "1/2"}) == [(1, Fraction(1, 2)), (3, Fraction(1, 2))]
    assert enclosures.law({"1000": "1"}) == [(1000, 1)]
    assert len(enclosures.law({str(n): "1/10" for n in range(1, 11)})) == 10
    for reason, bad in (
        ("up to ten lengths", {}), ("up to ten lengths", {str(n): "1/11" for n in range(1, 12)}),
        ("up to ten lengths", [[1, "1"]]), ("whole numbers", {"0": "1"}), ("whole numbers", {"01": "1"}),
        ("whole numbers", {"1": "1/2", "02": "1/2"}),
        ("whole numbers", {"1/2": "1"}), ("from 1 to 1000", {"1001": "1"}), ("positive and sum to 1", {"1": "1/2"}),
        ("positive and sum to 1", {"1": "2", "2": "-1"}), ("positive and sum to 1", {"1": "1", "2": "0"}),
        ("expected a fraction", {"1": 1}),
    ):  # fmt: skip
        with pytest.raises(Rejected, match=reason):
            enclosures.law(bad)


def test_an_enclosure_of_a_ratio_under_a_law_is_narrow() -> None:
    for power, s, q in (
        (0, 0, Fraction(1, 2)),
        (1, 0, Fraction(1, 2)),
        (0, 1, Fraction(9, 10)),
        (1, 3, Fraction(199, 200)),
    ):
        low, high = enclosures.law_ratio(power, s, q)
        assert 0 < high - low < Fraction(1, 10**18)
    assert enclosures.ratio_up_to(1, 0, 0, Fraction(1, 2)) == (Fraction(1, 41), 41)  # ¼ each, and at most 10 beyond
    assert enclosures.ratio_up_to(1, 0, 1, Fraction(1, 2)) == (Fraction(2, 2 + 4 * 20), Fraction(2 + 4 * 20, 2))
    assert enclosures.beyond(0, Fraction(1, 2), 1) == 2
    assert enclosures.beyond(1, Fraction(1, 2), 1) == enclosures.beyond(0, Fraction(2, 3), 1) == enclosures.UNIT
    for power, q, length in ((0, Fraction(1, 2), 3), (1, Fraction(1, 2), 4), (1, Fraction(9, 10), 40)):
        tail = sum(j ** (power + 1) * q**j for j in range(length + 1, 2000))
        assert tail < enclosures.beyond(power, q, length) < 2 * tail
        weights = [(k, k**power * q**k) for k in range(1, length + 1)]
        exact = (*enclosures.forms(weights, 2, 1),)
        low, high = (enclosures.partial_sums(power, 2, q, length, up=up) for up in (False, True))
        far = enclosures.beyond(power, q, length)
        missing = 2 * far * (high[2] + 3 * far)
        expected = (low[0] / (high[1] + missing), (high[0] + missing) / low[1])
        assert enclosures.ratio_up_to(length, power, 2, q) == expected
        assert all(0 <= b - a < Fraction(1, 10**40) and a <= e <= b for a, e, b in zip(low, exact, high, strict=True))
    closed = enclosures.law_ratio(1, 0, Fraction(1, 2))
    assert closed[0] <= Fraction(213, 139) <= closed[1]
    for q in (Fraction(0), Fraction(-1, 2), Fraction(200, 201), Fraction(1), Fraction(1, 1001)):
        with pytest.raises(Rejected, match="at most three digits"):
            enclosures.law_ratio(0, 0, q)
    assert enclosures.law_ratio(0, 0, Fraction(1, 1000))[0] >= 1


def test_the_definitions_of_the_statements_are_the_forms_double_sums() -> None:
    read = kernel.Reader(statements.book().theories["adaptive"].meanings).read
    entry = {name: read(f"{name}(i, j, s)") for name in ("a_min", "h_sf", "a_random")}
    on_two = {name: read(f"pair_{name}(x, y, l, u, s)") for name in ("a_min", "h_sf")}
    for s, low, up in ((0, 1, 4), (1, 1, 3), (2, 3, 6)):
        weights = {low: Fraction(2, 3), up: Fraction(5)}
        values = {"x": weights[low], "y": weights[up], "l": low, "u": up, "s": s}
        assert on_two["a_min"].at(**values).number() == enclosures.forms([*weights.items()], s, low)[0]
        assert on_two["h_sf"].at(**values).number() == enclosures.forms([*weights.items()], s, 1)[1]
        for name, value in entry.items():
            matrix = form(name.replace("_", "-")).on(Setting(s, low, up)).matrix()
            assert value.at(i=low, j=up, s=s).number() == matrix[0][-1]


def test_definitions_that_no_identity_fixes_are_what_other_code_says() -> None:
    """Facts that are bounds hold of some other functions, too: these are named in ``ELSEWHERE`` of test_theory.py."""
    read = kernel.Reader(statements.book().theories["adaptive"].meanings).read
    for s, low, up in ((0, 1, 4), (1, 1, 3), (2, 3, 6)):
        on, x, y = Setting(s, low, up), Fraction(2, 3), Fraction(5)
        values = {"x": x, "y": y, "l": low, "u": up, "s": s}
        assert read("pair_volume(x, y, l, u, s)").at(**values).number() == form("volume").on(on).value(
            [x, *[0] * (up - low - 1), y]
        )
        for i, row in enumerate(form("a-max").on(on).matrix()):
            for j, entry in enumerate(row[i:], start=i):
                own = {"i": low + i, "j": low + j, "s": s, "u": up}
                assert read("a_max(i, j, s, u)").at(**own).number() == entry
        for y in (Fraction(1, 3), Fraction(2, 7)):
            own = read("literal_pair(1 - y, y, u, s)/pair_h_sf(1 - y, y, l, u, s)")
            assert own.at(y=y, l=low, u=up, s=s).number() == ratio_lower_bound(s, low, up, y)
            assert read("part(y/(1 - y))").at(y=y).number() == y


def test_the_forms_and_enclosures_agree_with_the_toolkit() -> None:
    x = [(2, 3), (3, 0), (4, Fraction(1, 2)), (5, 7)]
    for s in (0, 3):
        on = Setting(s, 2, 5)
        assert enclosures.forms(x, s, 2)[0] == form("a-min").on(on).value([weight for _, weight in x])
        assert enclosures.forms(x, s, 1)[1] == form("h-sf").on(on).value([weight for _, weight in x])
    for power, spec in ((0, GEOMETRIC), (1, LINEAR)):
        low, high = enclosures.law_ratio(power, 2, Fraction(4, 5))
        other = direct(spec, 2, Fraction(4, 5))
        assert other.lower < high
        assert low < other.upper
        assert high - low < Fraction(1, 10**12)
    low, high = enclosures.log_bounds(Fraction(20))
    assert low < Fraction(29957322735539909934352235761425407756766016, 10**43) < high
    assert enclosures.power_sums(3, ratio(Fraction(1, 2)))[3].number() == 26
