"""Laws up to a symbol u: values, limits and suprema over u against exact ratios and longer sums."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
import sympy as sp
from commands import crt

from crtools import derive, ratio
from crtools.closed_form.evaluate import enclose
from crtools.distributions import distribution
from crtools.distributions.families import SymbolicEnd
from crtools.enclosure import ball, ends, precision, rational
from crtools.errors import InputError, NotCertified
from crtools.forms import Form, form
from crtools.ratios.last_length import LastLength, over_last_length
from crtools.signs.charts import sign_beyond

LAWS = (
    "harmonic(u)",
    "zipf(1, u)",
    "zipf(3, u)",
    "pmf(k**2, u=u)",
    "pmf(q**k, q=3/4, u=u)",
    "pmf((k+2)/(k+5), l=2, u=u)",
)


@cache
def sequence(spec: str, policy: str | Form = "a-min", s: int = 0, listed: int = 64) -> LastLength:
    law = distribution(spec)
    assert isinstance(law, SymbolicEnd)
    return LastLength(policy if isinstance(policy, Form) else form(policy), form("h-sf"), law, s, listed)


@pytest.mark.parametrize("spec", LAWS)
def test_values_are_those_of_the_law_with_a_number(spec: str) -> None:
    for policy, s in (("a-min", 0), ("a-random", 3)):
        own = sequence(spec, policy, s)
        for u in (own.law.l, own.law.l + 4, 30):
            assert ratio(policy, own.law.up_to(u), s).exact in own.values[u - own.law.l]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", LAWS)
def test_sums_beyond_lie_where_they_are_said_to(spec: str) -> None:
    own = sequence(spec, s=2)
    weights = [Fraction(0)] * own.law.l + [own.law.up_to(150).weight(k) for k in range(own.law.l, 150)]
    for a, terms in own.below.items():
        corrupted = dict(terms)
        corrupted[0, 0] = corrupted.get((0, 0), rational(0)) + 99
        for j in (66, 67, 150):
            true = sum((k**a * x for k, x in enumerate(weights[:j])), Fraction(0))
            assert true in between(terms, j)
            assert true not in between(corrupted, j)


def between(terms: Any, j: int) -> Any:
    with precision(192):
        total = ball(0)
        for (m, n), c in terms.items():
            total += c * ball(j) ** m * ball(j).log() ** n
        low, high = ends(total)
    tiny = Fraction(1, 10**30)

    class Interval:
        def __contains__(self, x: Fraction) -> bool:
            return low - tiny <= x <= high + tiny

    return Interval()


def test_signs_of_leading_terms() -> None:
    draw, seen = Random(3), 0
    with precision(128):
        for _ in range(60):
            terms = {
                (m, n): rational(draw.randrange(-9, 10)) for m in range(4) for n in range(2) if draw.random() < 0.6
            }
            sign = sign_beyond({key: c for key, c in terms.items() if c != 0}, 50)
            seen += sign != 0
            for j in (51, 80, 10**4) if sign else ():
                value = sum((c * ball(j) ** m * ball(j).log() ** n for (m, n), c in terms.items()), ball(0))
                assert sign * value > 0
    assert seen > 30
    assert sign_beyond({(2, 0): rational(1), (1, 0): rational(-52)}, 50) == 0  # −1 at 51
    assert sign_beyond({}, 50) == 0


def test_known_limits_and_suprema() -> None:
    uniform = derive("zipf(0, u)")
    assert uniform.limits == [("u", sp.oo, derive("uniform(1, u)").limit(u=sp.oo))]
    assert uniform.supremum().value == sp.Rational(11, 8) == derive("uniform(1, u)").supremum().value
    with_s = derive("zipf(0, u)", s=4).supremum()
    assert with_s.enclosure.lower <= derive("uniform(1, u)", s=4).supremum().enclosure.upper
    [(_, _, geometric)] = derive("pmf(q**k, q=3/4, u=u)").limits
    known = derive("geometric(q)").enclosure(Fraction(3, 4), 20)
    assert enclose(geometric, {}, 20).lower <= known.upper
    assert known.lower <= enclose(geometric, {}, 20).upper
    assert derive("harmonic(u)").supremum().value_text == "∞"
    assert derive("harmonic(u)", "volume").limits == [("u", sp.oo, sp.Rational(1, 2))]
    assert derive("zipf(1, u)").limits == [("u", sp.oo, sp.Rational(5, 3))]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("spec", "s"), [("zipf(1, u)", 2), ("zipf(3, u)", 0), ("zipf(1, u)", 0), ("pmf(q**k, q=3/4, u=u)", 1)]
)
def test_no_length_lies_above_the_supremum(spec: str, s: int) -> None:
    law = distribution(spec)
    assert isinstance(law, SymbolicEnd)
    found = over_last_length(form("a-min"), form("h-sf"), law, s).supremum
    later = sequence(spec, s=s, listed=1500).values
    assert found.status == "certified"
    assert all(value.lower <= found.enclosure.upper for value in later)
    if found.attained:
        assert later[int(found.at) - 1].upper >= found.enclosure.lower
        assert ratio("a-min", law.up_to(int(found.at)), s).exact == found.enclosure.lower
    else:
        assert later[-1].upper > found.enclosure.lower * Fraction(99, 100)


def test_a_corrupted_form_is_seen() -> None:
    wrong = Form.from_entry(
        lambda i, j, s: (s + i) * (j * j + 2 * i * j - i * i + s * (i + j)) / (2 * (s + j)) + i, "wrong"
    )
    assert derive("zipf(1, u)", wrong, s=2).supremum().enclosure.lower > Fraction(176, 100)
    exact = LastLength.exact
    own = sequence("zipf(1, u)", wrong, 2)
    own.policy = form("a-min")  # the sums are of another form than the exact ratio
    with pytest.raises(AssertionError, match="differ"):
        exact(own, 39)


def test_what_does_not_fit_says_what_to_give() -> None:
    for spec, words in (
        ("pmf(q**k, u=u)", "give a number for one of them"), ("zipf(a, u)", "must be a number from 0 to 64"),
        ("pmf(k, u=k)", "must be a number, or a symbol with another name"), ("pmf(k-3, u=u)", "must have weights ≥ 0, not -2 at k = 1"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            derive(spec).supremum()
    with pytest.raises(NotCertified, match="give u a number"):
        derive("pmf(2**k, u=u)").supremum()
    with pytest.raises(InputError, match="needs a number for u"):
        derive("harmonic(u)", "a-max")
    with pytest.raises(InputError, match="needs a value for u"):
        ratio("a-min", "harmonic(u)")
    with pytest.raises(InputError, match="s = s: must be a number here"):
        derive("harmonic(u)", s="s")


def test_the_command() -> None:
    done = crt("derive", "zipf(1, u)", "--s", "2")
    assert done.returncode == 0
    assert "limit for u → ∞: 5/3 = 1.66666666667" in done.stdout
    assert "u = 39; certified" in done.stdout
    assert "u = 10: 1.6592" in done.stdout
    assert distribution("harmonic(u)").spec() == "harmonic(u)"
    assert distribution(distribution("zipf(2, n)").spec()) == distribution("zipf(2, u=n)")


def test_uniform_laws_with_symbols_for_both_ends() -> None:
    own = derive("uniform(l, 10)", s=1)
    values = [ratio("a-min", f"uniform({l}, 10)", 1).exact for l in range(1, 11)]
    found = own.supremum()
    assert (found.value, found.at) == (sp.Rational(str(max(values))), values.index(max(values)) + 1)
    both = derive("uniform(l, u)", s=1)
    assert [p.name for p in both.parameters] == ["l", "u"]
    put = dict(zip(both.parameters, (3, 9), strict=True))
    assert sp.Rational(str(ratio("a-min", "uniform(3, 9)", 1).exact)) == both.ratio.subs(put).doit()
    assert derive("uniform(l, u)", "a-max").supremum().value == 3
    with pytest.raises(NotCertified, match="give numbers for all but one"):
        both.supremum()
    for spec in ("uniform(u, u)", "uniform(l, 0)", "uniform(l, 1/2)"):
        with pytest.raises(InputError):
            derive(spec)


def test_a_uniform_law_has_a_certified_supremum_at_every_s() -> None:
    found = derive("uniform(1, u)", s=3).supremum()
    assert (found.status, found.at, found.attained) == ("certified", 13, True)
    values = [ratio("a-min", f"uniform(1, {u})", 3).exact for u in range(1, 40)]
    assert max(values) == found.enclosure.lower == values[12]


def test_logarithms_beside_s_are_no_harmonic_numbers() -> None:
    own = derive("log-series(q=1/2)", "volume", s="s")
    limit, large = own.limit(s=sp.oo), own.enclosure(10**9)
    assert large.lower - Fraction(1, 10**6) < limit < large.upper + Fraction(1, 10**6)
    with pytest.raises(NotCertified, match="give s a number"):
        own.supremum()
