"""Formulas that a claim is given: real and defined on the claim's whole range, or refused with the point."""

from __future__ import annotations

import ast
import sys
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from amount import every_third, part_and_all
from hypothesis import given
from hypothesis import strategies as st

from crtools import expressions, verify
from crtools.errors import InputError
from crtools.expressions import parse
from crtools.ledger.claim import Given
from crtools.ledger.deciders import ranges
from crtools.ledger.deciders.ranges import Range, formula_on, needs
from crtools.ledger.registry import load

CLAIMS = load("adaptive").claims

NAMES = {
    "switch": ("threshold", "a_min_bound", "bound_low", "bound_high"),
    "infeasible-pair": ("use",),
    "amax-safe": ("assumed",),
    "thm-amax-upper": ("bound",),
    "thm-amax-lower": ("bound", "mix", "display"),
    "amax-not-tight": ("bound",),
    "observation-1": ("left",),
    "dominates": ("threshold", "dominating", "a_min_bound"),
    "thm-random": ("bound",),
    "thm-two-point": ("bound", "num", "den", "ratio"),
    "thm-aell": (
        "bound_low", "bound_high", "display_1_left", "display_1_right", "display_2", "display_3", "premise",
    ),
    "thm-lg": ("closed_form", "display_denominator", "display_numerator"),
    "lg-mode": ("mode",),
    "wlog": ("growth",),
    "thm-log": ("growth",),
    "cor-intervals": ("growth",),
    "lem-pd": ("g", "fourier"),
    "thm-optimality": ("difference",),
    "amin-derivation": ("completed", "tau", "remaining", "hsf_time"),
    "lem-deletion": ("completes",),
    "lem-amin": ("a_min", "h_sf"),
    "prop-transition": ("first", "later"),
    "update-distribution": ("weight", "lowest"),
    "cor-ab": ("a", "b", "cross_sum"),
    "b-inverse": ("diagonal", "last", "off_diagonal"),
    "t1": ("closed_form",),
    "t2": ("closed_form", "terms"),
    "trace": ("closed_form",),
    "prop-memory": ("factor",),
    "thm-complexity": ("cost", "concurrent"),
}  # fmt: skip
"""Every claim with formulas, and the names of these."""

VARIABLE = {
    "threshold": None, "use": "M", "assumed": "u", "closed_form": "u", "growth": "alpha", "mode": "q", "g": "r",
    "fourier": "xi", "difference": "oi", "diagonal": "i", "last": "u", "off_diagonal": "i", "terms": "i", "factor": "n",
    "cost": "M", "concurrent": "M", "a_min": "i", "h_sf": "i", "completes": "j", "first": "j", "later": "j",
    "weight": "j", "lowest": "k", "a": "j", "b": "j", "cross_sum": "j", "completed": "i", "tau": "i", "remaining": "i",
    "hsf_time": "k", "display_1_left": "x", "display_1_right": "x", "display_2": "x", "display_3": "x", "num": "x", "den": "x",
    "ratio": "t", "premise": "t", "left": "M",
}  # fmt: skip
"""A name in each formula; where it is not given here it is alpha, and q in thm-lg."""


def readers() -> list[Any]:
    """Return every module of the package that reads formulas."""
    modules = [m for name, m in sys.modules.items() if name.startswith("crtools.")]
    return [m for m in modules if getattr(m, "formula_on", None) is not None and "formula_on" in vars(m)]


class _Read(Exception):
    """Ends a claim's checker once its formulas have been read."""


def variable(claim: str, name: str) -> str | None:
    return "q" if claim == "thm-lg" else VARIABLE.get(name, "alpha")


def everywhere(claim: str, name: str) -> list[str]:
    """Ways to make the claim's own value undefined somewhere in its range, each of them cancelled by SymPy or complex."""
    own = next(c for c in CLAIMS if c.id == claim).given[name]
    x = variable(claim, name)
    found = [f"({own})+(-1)**0.5", f"({own})+log(-1)-log(-1)", f"({own})+0/0", f"({own})*(1/0)", f"({own})+0*sqrt(-2)"]
    if x is not None:
        at = {"alpha": "1/2", "q": "1/2", "r": "1/2", "xi": "1/2"}.get(x, "5")
        found += [f"({own})*({x}-{at})/({x}-{at})", f"({own})+1/({x}-{at})-1/({x}-{at})", f"({own})+0*({x}-{at})**-2"]
        if claim not in ("wlog", "thm-log", "cor-intervals"):  # log(alpha−1/2) is not real for small alpha either way
            found.append(f"({own})+0*log(({x}-{at})**2)")
    return found


INJECTED = [(claim, name, text) for claim, names in NAMES.items() for name in names for text in everywhere(claim, name)]


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("claim", "name", "text"), every_third(INJECTED, step=5))
def test_what_is_not_real_or_not_defined_is_refused_and_never_decided(claim: str, name: str, text: str) -> None:
    with pytest.raises(InputError) as caught:
        verify([claim], {name: text})
    line = str(caught.value)
    assert line.startswith(f"{name} = ")
    assert "\n" not in line
    assert "defined" in line


QUICK = ("infeasible-pair", "t2", "b-inverse")


@part_and_all("quick", QUICK, (*QUICK, "switch", "cor-ab", "lem-pd", "thm-two-point", "thm-aell"))
def test_the_list_holds_every_formula_of_every_claim(quick: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """No module of the claims reads a formula in another way; the quick claims are run to see what they read."""

    read: set[str] = set()

    def note(name: str, text: str, symbols: Any, on: Range) -> Any:
        read.add(name)
        return formula_on(name, text, symbols, on)

    users = 0
    for module in readers():
        assert (
            module.__name__.endswith("deciders.ranges") or getattr(module, "formula", None) is not expressions.formula
        ), "formulas are read by formula_on only"
        users += 1
        if not module.__name__.endswith("deciders.ranges"):
            monkeypatch.setattr(module, "formula_on", note)
    assert users >= 15
    listed = {name for names in NAMES.values() for name in names}
    for claim in CLAIMS:
        if claim.id in quick:
            read.clear()
            claim.decide(Given(claim.given))
            assert read - {"sum"} == set(NAMES[claim.id])  # "sum" is a repair of thm-aell
    assert {n for c in CLAIMS for n in c.given if c.id in NAMES} >= listed


@pytest.mark.one_in(3)
@pytest.mark.parametrize("claim", [c.id for c in CLAIMS if c.id in NAMES])
def test_the_claims_own_values_and_its_variants_are_defined(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = next(c for c in CLAIMS if c.id == claim)
    seen: dict[str, tuple[Any, Range]] = {}

    def note(name: str, text: str, symbols: Any, on: Range) -> Any:
        seen[name] = symbols, on
        found = formula_on(name, text, symbols, on)
        if set(seen) >= set(NAMES[claim]):
            raise _Read
        return found

    for module in readers():
        monkeypatch.setattr(module, "formula_on", note)
    with pytest.raises(_Read):
        own.decide(Given(own.given))
    for values in (v.given for v in own.variants):
        for name, (symbols, on) in seen.items():
            if name in values:
                formula_on(name, values[name], symbols, on)


UNIT = ranges.unit("alpha")

REFUSED = [
    (UNIT, "(3-alpha)/2*(2*alpha-1)/(2*alpha-1)", "at alpha = 1/2 it divides by 2*alpha - 1"),
    (UNIT, "1/(alpha**2-1/2)", "at alpha = 0.707106781187… it divides"),
    (UNIT, "sqrt(alpha-1/2)", "it takes a root of alpha - 1/2"),
    (UNIT, "1/(log(1/alpha)-1)", "at alpha = 0.367879441171… it divides"),
    (UNIT, "1/(sqrt(alpha)-1/2)", "at alpha = 1/4 it divides"),
    (UNIT, "log(2*alpha-sqrt(alpha))", "it takes a logarithm or a power of -sqrt(alpha) + 2*alpha"),
    (UNIT, "log(alpha-1)", "it takes a logarithm"),
    (UNIT, "(alpha-1)**alpha", "it takes a logarithm or a power of alpha - 1"),
    (UNIT, "sum(1/(i-2),i,1,3)", "i = 2 it divides by i - 2"),
    (UNIT, "harmonic(1/alpha)", "has a sum that ends at"),
    (UNIT, "log(2-alpha*log(1/alpha))", "could not be shown to be real and defined"),
    (ranges.small("alpha"), "log(1/alpha)+(-1)**0.5", "it takes a root of -1"),
    (ranges.small("alpha"), "log(1/alpha)+log(-1)", "it takes a logarithm or a power of -1"),
    (ranges.small("alpha"), "log(alpha)**0.5", "it takes a root of log(alpha)"),
    (ranges.small("alpha"), "(alpha-1/2)/(alpha-1/2)", "at alpha = 1/2 it divides"),
    (ranges.integers_from(u=1), "1/(u-10**9)", "at u = 1000000000 it divides"),
    (ranges.integers_from(u=1), "sqrt(u-2)", "at u = 1 it takes a root"),
    (ranges.integers_from(u=1), "1/(2**u-2)", "at u = 1 it divides by 2**u - 2"),
    (ranges.integers_from(s=0), "1/(2**s-1)", "at s = 0 it divides by 2**s - 1"),
    (ranges.integers_from(u=1), "sum(1/(u-i),i,1,u)", "at u = 1, i = 1 it divides"),
    (ranges.integers_from(u=1), "harmonic(u/2)", "at u = 1 it has a sum that ends at u/2"),
    (ranges.integers_from(s=0, i=1), "1/(s+i-1)", "at s = 0, i = 1 it divides"),
    (ranges.pairs_from_one(), "(i-j)/(i-j)", "it divides by i - j"),
    (ranges.pairs_from_one(), "1/(i*j-12)", "it divides by i*j - 12"),
    (ranges.every_real("xi"), "1/(xi**2-2)", "at xi = -1.41421356237… it divides"),
    (ranges.lengths_and_weights(), "1/(x-y)", "it divides by x - y"),
    (ranges.constant(), "1/(sqrt(2)-2**0.5)", "it divides by 0"),
]
ACCEPTED = [
    (UNIT, "1/alpha+1/(1-alpha)+1/log(alpha)+sqrt(1-log(alpha))+log(1/alpha-1)+alpha**alpha"),
    (UNIT, "1/(alpha**2-alpha+1)+max(3/2,alpha)+sum(1/(alpha+i),i,1,3)"),
    (UNIT, "1/(2-sqrt(alpha))+1/(1-sqrt(alpha))+log(2-alpha**1.5)+1/(sqrt(1-alpha)-2)"),
    (ranges.up_to_half("alpha"), "1/(1-alpha)+sqrt(1/2-alpha)+1/(1-sqrt(alpha))"),
    (ranges.from_half("alpha"), "1/alpha+sqrt(alpha-1/2)"),
    (ranges.small("alpha"), "sqrt(1/alpha)/log(log(1/alpha))+log(log(log(1/alpha)))"),
    (ranges.integers_from(u=1), "1/(2*u-7)+sqrt(u-1)+log(u)+u**u+sum(1/(u+1-i),i,1,u)+sum(1/(2*i+3),i,0,u-2)"),
    (ranges.integers_from(u=1), "1/(-sqrt(u)-sqrt(u-1))"),
    (ranges.pairs_from_one(), "min(i,j)**2/(i*j)+1/(max(i,j)-min(i,j)+1)"),
    (ranges.every_real("xi"), "1/(xi**2+log(2))+1/(1+sqrt(1+xi**2))"),
    (ranges.lengths_and_weights(), "1/(u-l)+1/(1-alpha)+1/(alpha**2*t**2+2*alpha**2*t+1)+sqrt(x)"),
    (ranges.constant(), "(3-sqrt(5))/2+sqrt(sqrt(2)-2**0.5)"),
]


def read(on: Range, text: str) -> Any:
    return formula_on("x", text, {name: sp.Symbol(name) for name in on.names}, on)[1]


@pytest.mark.parametrize(("on", "text", "words"), REFUSED, ids=lambda v: v if isinstance(v, str) else "")
def test_the_point_is_named(on: Range, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read(on, text)
    assert words in str(caught.value)


@pytest.mark.parametrize(("on", "text"), ACCEPTED, ids=lambda v: v if isinstance(v, str) else "")
def test_what_is_singular_only_outside_the_range_is_taken(on: Range, text: str) -> None:
    assert read(on, text) is not None


@pytest.mark.exhaustive  # takes seconds
@given(st.fractions(0, 1, max_denominator=50), st.integers(1, 3), st.sampled_from(["/", "**-1*", "log", "sqrt"]))
def test_a_root_inside_the_range_is_always_found(at: Fraction, power: int, how: str) -> None:
    inner = f"(alpha-{at})**{power}"
    text = {"/": f"1/({inner})", "**-1*": f"({inner})**-1", "log": f"0*log({inner})", "sqrt": f"sqrt({inner})"}[how]
    defined = not 0 < at < 1 if how in ("/", "**-1*") else at == 0 or (at == 1 and power % 2 == 0)
    if how == "sqrt":
        defined = defined or power % 2 == 0
    if defined:
        read(UNIT, text)
    else:
        with pytest.raises(InputError, match="must be real and defined"):
            read(UNIT, text)


@given(st.integers(-3, 12), st.integers(1, 4))
def test_integers_are_missed_by_no_divisor(at: int, step: int) -> None:
    text = f"1/({step}*u-{at})".replace("--", "+")
    if at % step == 0 and at // step >= 1:
        with pytest.raises(InputError, match=f"at u = {at // step} "):
            read(ranges.integers_from(u=1), text)
    else:
        read(ranges.integers_from(u=1), text)


def test_needs_are_read_before_anything_is_cancelled() -> None:
    found = [(ast.dump(node), need) for node, need, _ in needs(parse("x", "(a-1)/(a-1)*log(a)**0.5+a**-2", ("a",)))]
    assert [need for _, need in found] == ["≠ 0", "> 0", "≥ 0", "≠ 0"]
