"""The worst case of several intervals: the largest of theirs, against exact enumeration of supports and the copositive route."""

from __future__ import annotations

from fractions import Fraction

import pytest
from changed_texts import refused

from crtools import NotCertified, Setting, form, worst_case
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.worst_cases.copositivity import negative_point
from crtools.worst_cases.general import General
from crtools.worst_cases.solve import LARGEST

SMALL = (((1, 1), (2, 2)), ((1, 2), (5, 8)), ((1, 3), (3, 6), (8, 9)), ((2, 2), (3, 6), (9, 11)), ((1, 4), (100, 103)))


@pytest.mark.parametrize("against", ["h-sf", "volume"])
@pytest.mark.parametrize("intervals", SMALL, ids=str)
@pytest.mark.parametrize("s", [0, 7])
def test_by_all_supports_in_exact_arithmetic(intervals: tuple[tuple[int, int], ...], s: int, against: str) -> None:
    found = worst_case("a-min", s=s, against=against, intervals=intervals)
    bounds = found.enclosure(15)
    general = General(form("a-min"), form(against), Setting(s, intervals=intervals))
    below = bounds.lower - Fraction(1, 10**16)
    assert negative_point(general.excess(bounds.upper)) is None
    assert negative_point(general.excess(below)) is not None
    assert found.value in (bounds.middle, pytest.approx(bounds.middle, rel=1e-12))
    assert (found.status, found.method.startswith(LARGEST)) == ("certified", True)


def test_by_the_copositive_route_where_supports_are_too_many() -> None:
    setting = Setting(3, intervals=((1, 20), (21, 40)))
    general = General(form("a-min"), form("h-sf"), setting).bounds()
    bounds = worst_case("a-min", s=3, intervals=setting.intervals).enclosure(20)
    assert general.lower <= bounds.upper
    assert bounds.lower <= general.upper


def test_the_weights_attain_it_on_one_interval() -> None:
    setting = Setting(5, intervals=((1, 10), (12, 40), (40, 45)))
    found = worst_case("a-min", s=5, intervals=setting.intervals)
    x = found.weights
    top, bottom = (form(name).on(setting).value(x) for name in ("a-min", "h-sf"))
    assert top / bottom == pytest.approx(found.value)
    assert (x.size, x.sum()) == (setting.size, pytest.approx(1))
    assert x[setting.lengths()[10] - 1 :].sum() in (0, pytest.approx(1))


def test_long_intervals_are_answered() -> None:
    several = worst_case("a-min", intervals=((1, 1000), (1001, 2000)))
    assert several.enclosure(30).width < Fraction(1, 10**28)
    huge = worst_case("a-min", intervals=((1, 100), (101, 10**15)))
    assert huge.bounds().lower > worst_case("a-min", 1, 100).value
    with pytest.raises(NotCertified, match="u is too large for more digits"):
        huge.enclosure(30)


def test_other_entries_across_intervals_break_the_theorem() -> None:
    assert theorem("largest of the intervals").holds
    for other in ("a_min(i, j, s)", "volumes(i, j, s)", "a_random(i, j, s)"):
        assert refused(TEXT.theory, "largest of the intervals", "h_sf(i, j, s) = a_min", f"{other} = a_min")
    for policy in ("a-random", "a-restart"):  # these have no rule across intervals: they are bounded as any other form
        assert LARGEST not in worst_case(policy, intervals=((1, 2), (5, 6))).method
