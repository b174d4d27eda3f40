"""The supremum over several parameters together: against points that it must not lie below, and known values."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy as sp
from commands import crt

from crtools import Form, derive
from crtools.budget import TimeIsUp
from crtools.closed_form.quotient import Quotient
from crtools.enclosure import Enclosure, fraction
from crtools.errors import InputError, NotCertified
from crtools.ratios import Derivation, Supremum
from crtools.ratios.box_supremum import box_supremum
from crtools.ratios.supremum import quotient_supremum
from crtools.signs.ranges import Interval as Range

x, y, s = sp.symbols("x y s", positive=True)
UNIT = {name: Range(name, sp.S.Zero, sp.S.One, True, True) for name in "xy"}
BEYOND = Range("y", sp.S.Zero, low_in=True)
LENGTHS = {name: Range(name, sp.S.One, low_in=True, integer=True) for name in "xy"}


def supremum(expr: Any, *ranges: Range) -> Supremum:
    return box_supremum(Quotient.of(expr, (x, y)), {own.name: own for own in ranges})


def points(ranges: dict[str, Range], number: int) -> list[dict[Any, Any]]:
    """Points of the ranges, many near the ends."""
    draw, found = Random(1), list[dict[Any, Any]]()
    for _ in range(number):
        place: dict[Any, Any] = {}
        for name, own in ranges.items():
            low = place.get(own.low, own.low)
            own = replace(own, low=low, high=sp.oo if own.high.free_symbols else own.high)
            share = Fraction(draw.randrange(1, 50), 50) ** draw.choice((1, 1, 4))
            value = sp.sympify(own.place(share if draw.random() < 0.5 else 1 - share) if share != 1 else low + 1)
            value = sp.ceiling(value) + int(value == low and not own.low_in) if own.integer else value
            place[sp.Symbol(name, positive=True)] = min(
                value, own.high - 1 if own.integer and not own.high_in else value
            )
        found.append(place)
    return found


def holds(found: Supremum, ratio: Any, ranges: dict[str, Range]) -> bool:
    """Whether no point lies above the upper bound, and one near the place reaches the lower bound up to a hundredth."""
    bounds = found.enclosure
    if any(fraction(ratio.xreplace(place)) > bounds.upper for place in points(ranges, 80)):
        return False
    near: dict[Any, Any] = {}
    for name, value, reached in found.at:
        near[sp.Symbol(name, positive=True)] = value if reached and value is not sp.oo else None
    return None in near.values() or fraction(ratio.xreplace(near)) == bounds.lower


@pytest.fixture(autouse=True)
def in_short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that reach no narrow enclosure end sooner."""
    monkeypatch.setattr("crtools.ratios.box_supremum.MOST_WORK", 5 * 10**4)


def test_no_point_lies_above() -> None:
    draw, powers, certified = Random(2), [x**a * y**b for a in range(3) for b in range(3)], 0
    for number in range(6):
        top = sum(draw.randrange(-9, 10) * p for p in powers)
        ratio = top / (1 + y**2 + x**2 * y**2 + sum(draw.randrange(5) * p for p in powers))
        ranges = UNIT if number % 2 else {"x": UNIT["x"], "y": LENGTHS["y"]}
        try:
            found = supremum(ratio, *ranges.values())
        except NotCertified:
            continue
        certified += 1
        assert holds(found, ratio, ranges)
        if all(reached and value is not sp.oo for _, value, reached in found.at):
            low = found.enclosure.lower
            assert not holds(replace(found, bounds=Enclosure(low - 1, low - Fraction(1, 10**6))), ratio, ranges)
    assert certified > 4


def test_one_parameter_is_a_box_of_one_dimension() -> None:
    own = derive("two-point(1, 10, weight)", s=3)
    assert own.quotient is not None
    exact, boxed = quotient_supremum(own.quotient, own.ranges["weight"]), box_supremum(own.quotient, own.ranges)
    assert max(exact.enclosure.lower, boxed.enclosure.lower) <= min(exact.enclosure.upper, boxed.enclosure.upper)
    assert boxed.enclosure.relative_width() < 1e-11
    assert boxed.attained


def test_known_suprema() -> None:
    assert supremum((x + y) / (1 + x * y), *UNIT.values()).value == 1
    assert supremum(x * y / (x**2 + y**2), *UNIT.values()).value == sp.Rational(1, 2)  # no limit at the origin
    found = supremum(x * y**2 / (x**2 + y**4), *UNIT.values())  # nor along any line: largest on x = y²
    assert found.enclosure.lower <= Fraction(1, 2) <= found.enclosure.upper < Fraction(51, 100)
    assert supremum(x / (x**2 + y**2), *UNIT.values()).value is sp.oo
    assert supremum((x - y) / (1 + x + y), UNIT["x"], BEYOND).value == sp.Rational(1, 2)
    far = supremum(y / (1 + x + y), UNIT["x"], BEYOND)
    assert (far.value, far.attained) == (1, None)
    assert "y → ∞" in far.place


def test_integers_are_told_from_other_numbers() -> None:
    ranges = (UNIT["x"], LENGTHS["y"])
    assert supremum(x / (1 + (2 * y - 5) ** 2), *ranges).value == sp.Rational(1, 2)
    assert "y = " in supremum(x / (1 + (2 * y - 5) ** 2), *ranges).place
    # differences of integers that go to infinity together are integers still: 1 is reached by other numbers only
    try:
        far = supremum(1 / (1 + (2 * x - 2 * y - 1) ** 2), *LENGTHS.values())
    except NotCertified:
        return
    assert far.enclosure.lower == Fraction(1, 2)


def test_two_points() -> None:
    own = derive("two-point(1, u, weight)")
    found = own.supremum()
    assert found.enclosure.lower <= Fraction(3, 2) <= found.enclosure.upper
    assert found.enclosure.relative_width() < 1e-11
    assert found.status == "certified"
    assert "u → ∞" in found.place
    assert holds(found, own.ratio, own.ranges)
    for u in (2, 5, 30):
        assert derive(f"two-point(1, {u}, weight)").supremum().enclosure.upper < found.enclosure.upper
    assert derive("two-point(l, u, weight=1/2)", s=3).supremum().value == sp.Rational(35, 26)
    assert derive("two-point(1, u, weight)", "a-max").supremum().value_text == "∞"


def test_a_corrupted_ratio_has_another_supremum() -> None:
    own = derive("two-point(1, 10, weight)", s="s")
    true = own.supremum()
    for wrong in (
        own.ratio.subs(s, s + 1),
        own.ratio + sp.Rational(1, 10**6),
        own.ratio * (1 + own.parameters[0] / 10**3),
    ):
        found = box_supremum(Quotient.of(wrong, own.parameters), own.ranges)
        apart = found.enclosure.lower > true.enclosure.upper or found.enclosure.upper < true.enclosure.lower
        assert apart or sp.cancel(wrong - own.ratio).limit(s, sp.oo) == 0


# ---- s as a symbol ------------------------------------------------------------------------------------------------


SPECS = (
    ("two-point(l, u, weight)", "a-min"), ("two-point(1, 4, weight)", "a-ell"), ("uniform(2, 6)", "a-min"),
    ("empirical(1:2, 5:1/3)", "a-random"), ("pmf(q**k, u=4)", "a-min"), ("geometric(q)", "volume"),
    ("linear-geometric(q)", "a-random"), ("uniform(l=1, u)", "volume"), ("mix(w*uniform(1,2)+(1-w)*uniform(3,4))", "a-min"),
    ("geometric(q=1/3)", "a-random-area"),
)  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("spec", "policy"), SPECS)
def test_a_closed_form_in_s_is_the_one_at_each_s(spec: str, policy: str) -> None:
    own = derive(spec, policy, s="s")
    assert own.ranges["s"] == Range("s", sp.S.Zero, low_in=True, integer=True)
    assert len(own.evidence) == 3
    for size in (0, 3, 40):
        at = derive(spec, policy, s=size)
        other = at.ratio if at.ratio is not None else None
        if other is None:
            assert len(own.parameters) == 1 or "u=4" in spec or "mix" in spec
            continue
        put = {p: q for p in own.parameters for q in at.parameters if p.name == q.name} | {s: sp.Integer(size)}
        assert sp.cancel(own.ratio.xreplace(put) - other) == 0
        assert sp.cancel(own.numerator.xreplace(put) / own.denominator.xreplace(put) - other) == 0


def test_limits_in_each_parameter() -> None:
    own = derive("two-point(1, 10, weight)", s="s")
    weight = own.parameters[0]
    limits = {(name, str(place)): value for name, place, value in own.limits}
    assert sp.cancel(limits["s", "0"] - derive("two-point(1, 10, weight)").ratio) == 0
    assert sp.cancel(limits["s", "oo"] - own.ratio.limit(s, sp.oo)) == 0
    assert limits["weight", "0"] == limits["weight", "1"] == 1
    assert weight in limits["s", "oo"].free_symbols
    assert derive("uniform(1, 5)", s="s").limits == [("s", 0, sp.Rational(83, 62)), ("s", sp.oo, sp.Rational(15, 11))]


def test_the_supremum_over_s() -> None:
    law = derive("uniform(1, 5)", s="s")
    own = law.supremum()
    assert (own.at, own.status, own.attained) == (6, "proved", True)
    values = [fraction(law.ratio.subs(s, n)) for n in range(40)]
    assert own.enclosure.lower == max(values) == values[6]


def test_what_does_not_fit_says_what_to_give() -> None:
    with pytest.raises(InputError, match="s = s: must be a number here"):
        derive("geometric(q)", s="s")
    with pytest.raises(InputError, match="s = s: must be a number here"):
        derive("poisson(mean)", s="s")
    with pytest.raises(InputError, match="s = s: must be a number here"):
        derive("uniform(1, 500)", s="s")
    with pytest.raises(NotCertified, match="give numbers for all but one"):
        derive("mix(w*geometric(q)+(1-w)*geometric(1/2))").supremum()
    with pytest.raises(InputError, match="another letter"):
        derive("geometric(q)", "volume", s="q")
    with pytest.raises(InputError, match="must be an integer"):
        derive("geometric(q)", s="1/2")
    signed = Form.from_entry(lambda i, j, s: (i - 2) ** 2 + j, "signed")
    with pytest.raises(NotCertified, match="not shown to be positive"):
        derive("two-point(1, u, weight)", against=signed).supremum()


def test_the_command() -> None:
    done = crt("derive", "two-point(1, 10, w)", "--s", "s")
    assert done.returncode == 0
    assert "range: 0 <= s, integer" in done.stdout
    assert "s → ∞; certified" in done.stdout
    assert "limit for s → ∞: " in done.stdout
    wrong = crt("derive", "geometric(q)", "--s", "1.5")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "s = 1.5: must be an integer, or a letter" in wrong.stderr


def test_a_closed_form_is_printed_where_the_supremum_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_: Derivation) -> Supremum:
        raise TimeIsUp(9)

    monkeypatch.setattr(Derivation, "supremum", late)
    done = crt("derive", "two-point(1, 10, w)")
    assert done.returncode == 0
    assert "limit for w → 1: 1" in done.stdout
    assert "the supremum: not decided within 9 s; --timeout gives it more" in done.stdout
    document = json.loads(crt("derive", "two-point(1, 10, w)", "--json").stdout)
    assert document["supremum"] is None
    assert "within 9 s" in document["reason"]
    assert document["ratio"]
