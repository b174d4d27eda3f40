"""Deciding a formula that a claim is given against what is proved: it is on the right side everywhere, or fails at one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isclose
from typing import Any, Literal

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.enclosure import Enclosure, fraction
from crtools.errors import NotCertified
from crtools.expressions import number
from crtools.ledger.agree import agree
from crtools.ledger.deciders.ranges import Range, formula_on, integers_from, unit
from crtools.ledger.deciders.ranges import constant as no_names
from crtools.ledger.evidence import SURE, Evidence, Open, Refuted, by_theorem, records
from crtools.ledger.given import Given
from crtools.ledger.verdict import Decision, Finding, PublishedProof, Verdict, weakest
from crtools.papers.nonclairvoyant.evidence.minima import Constant
from crtools.papers.nonclairvoyant.levels import ALGORITHM, KERNEL
from crtools.proof.theorem import Theorem, kept
from crtools.signs.numbers import compare, number_at_least
from crtools.signs.one_variable import at_least
from crtools.signs.ranges import Answer

Side = Literal["at most", "at least"]

T = sp.Symbol("t", positive=True)


@dataclass(frozen=True)
class Parameter:
    """What a formula depends on: ``value`` is the parameter in terms of T, 0 < T < ``end`` (or ≤, where ``closed``).

    ``places`` are values at which a formula that is not proved is looked at; ``whole``: only whole numbers count.
    """

    symbol: Any
    range: Range
    value: Any
    places: tuple[Fraction, ...]
    end: Fraction = Fraction(1)
    whole: bool = False

    def near(self, point: Fraction | None) -> Iterable[Fraction]:
        """Iterate over the values of the parameter at T = ``point``, and next to it where only whole numbers count."""
        if point is None:
            return
        value = fraction(self.value.subs(T, sp.Rational(point)))
        if self.whole:
            yield from (Fraction(n) for n in (floor(value), floor(value) + 1) if n >= 1 / self.end)
        else:
            yield value


def jobs(least: int = 1) -> Parameter:
    """The number of jobs, from ``least`` on."""
    places = tuple(map(Fraction, range(least, least + 40)))
    return Parameter(
        sp.Symbol("n", positive=True), integers_from(n=least), 1 / T, places, Fraction(1, least), whole=True
    )


_root = 1 + sp.Symbol("r_0", positive=True)

BASE = Parameter(
    sp.Symbol("b", positive=True),
    Range("b > 1", ({"b": _root**2},)),
    1 / T**2,
    tuple(map(Fraction, (9, 100, 64, 4, 3))),
)
"""The base b > 1; T is 1/√b."""

ALPHA = Parameter(sp.Symbol("alpha", positive=True), unit("alpha"), T, tuple(Fraction(1, k) for k in (2, 4, 9, 100)))
"""The least size over the largest, 0 < α < 1."""


@dataclass(frozen=True)
class Known:
    """A value that is proved to be an upper (or lower) bound of a ratio, and the same at one parameter by other code."""

    value: Any
    theorem: Callable[[], Theorem]
    second: Callable[[Fraction], Enclosure]
    least: Callable[[], Constant] | None = None
    """Its least value, where that is known: what numbers are compared with."""


def decide(name: str, text: str, parameter: Parameter, side: Side, holds: Known, fails: Known) -> Evidence:
    """Decide whether a ratio is ``side`` the formula, everywhere.

    ``holds`` is what the ratio is known to be on that side of: a formula beyond it is proved. ``fails`` is what it is known to
    be on the other side of, by a theorem that shows a family of instances: a formula short of it is refuted.
    """
    formula = formula_on(name, text, {str(parameter.symbol): parameter.symbol}, parameter.range)[1]
    for place in parameter.places:
        if (refuted := _short(formula, parameter, place, side, fails)) is not None:
            return refuted
    if side == "at least" and holds.least is not None and formula.is_number:
        least = holds.least()
        if number_at_least(formula, least.value) is False:
            return by_theorem(*map(kept, (holds.theorem, *least.theorems)), values={"least": least.text})
    outcome = _beyond(formula, holds.value, parameter, side)
    if not outcome.holds and parameter.whole and _at_first(formula, holds.value, parameter, side):
        outcome = _beyond(formula, holds.value, replace(parameter, end=1 / parameter.places[-1]), side)
    if outcome.holds:
        return by_theorem(kept(holds.theorem))
    short = outcome if holds.value == fails.value else _beyond(formula, fails.value, parameter, side)
    for place in parameter.near(short.point):
        if (refuted := _short(formula, parameter, place, side, fails)) is not None:
            return refuted
    return Open(f"compared with {sp.sstr(holds.value)}: {outcome.reason or 'the two differ where nothing is known'}")


def _short(formula: Any, parameter: Parameter, place: Fraction, side: Side, fails: Known) -> Refuted | None:
    """Return the refutation at a place where the formula falls short, confirmed by the second computation; else None."""
    at = {parameter.symbol: sp.Rational(place)}
    claimed, actual = formula.subs(at), fails.value.subs(at)
    if compare(claimed, actual) != (-1 if side == "at most" else 1):
        return None
    try:
        again = agree(enclose(actual, {}, 25), fails.second(place), f"the ratio at {place}")
    except NotCertified:
        return None
    return Refuted(
        {str(parameter.symbol): str(place)},
        f"{side} {_written(claimed)}",
        _written(actual),
        str(again),
        "a theorem for every value of the parameter; where the ratio is a limit, on larger and larger instances",
        records(kept(fails.theorem)),
    )


def _at_first(formula: Any, known: Any, parameter: Parameter, side: Side) -> bool:
    """Return whether a formula is on the right side of a known one at each of the first whole numbers, exactly."""
    right = (0, 1) if side == "at most" else (0, -1)
    values = ({parameter.symbol: sp.Rational(place)} for place in parameter.places)
    return all(compare(formula.subs(at), sp.sympify(known).subs(at)) in right for at in values)


def _beyond(formula: Any, known: Any, parameter: Parameter, side: Side) -> Answer:
    """Compare a formula with a known one: exactly the same, the same times a number, or as functions of T."""
    own, right = (sp.sympify(expr).subs(parameter.symbol, parameter.value) for expr in (formula, known))
    quotients = [float((own / right).subs(T, parameter.end * part)) for part in (Fraction(1, 3), Fraction(3, 4))]
    if isclose(*quotients) and (factor := sp.simplify(own / right)).is_number:
        order = compare(factor, 1)
        return Answer(None if order is None else order != (-1 if side == "at most" else 1))
    one, two = (own, right) if side == "at most" else (right, own)
    closed = (parameter.end,) if parameter.whole else ()
    return at_least(one, two, T, Fraction(0), parameter.end, closed=closed)


def _written(value: Any) -> str:
    return str(value) if value.is_Rational else enclose(value, {}, 15).decimals(14)[0] + "…"


Reading = Literal["rounded up", "rounded to nearest", "at least"]


def decide_printed(name: str, text: str, constant: Constant, reading: Reading) -> Evidence:
    """Decide whether a printed decimal is a number, rounded as ``reading`` says; or whether the number is at least it."""
    printed, step = number(name, text), Fraction(1, 10 ** len(text.strip().partition(".")[2]))
    low, high = {
        "rounded up": (printed - step, printed),
        "rounded to nearest": (printed - step / 2, printed + step / 2),
        "at least": (printed, max(printed, constant.value.upper)),
    }[reading]
    if low <= constant.value.lower and constant.value.upper <= high:
        return by_theorem(*map(kept, constant.theorems), values={"value": constant.text, **constant.ends})
    if constant.value.upper < low or constant.value.lower > high:
        return _not_so(constant, f"{text}, {reading}")
    return Open("the number is enclosed, and an end of what is printed lies between", {"value": constant.text})


def decide_exact(name: str, text: str, value: Any, constant: Constant) -> Evidence:
    """Decide whether an expression in numbers is a number, exactly."""
    claimed = formula_on(name, text, {}, no_names())[1]
    order = compare(claimed, value)
    if order == 0:
        return by_theorem(*map(kept, constant.theorems))
    if order is None:
        return Open(f"whether {text} is {value} could not be seen")
    return _not_so(constant, text)


def _not_so(constant: Constant, claimed: str) -> Refuted:
    theorems = records(*map(kept, constant.theorems))
    return Refuted(constant.witness, claimed, constant.text, f"{constant.second:.12g}", theorems=theorems)


# ---- how decisions are written ---------------------------------------------------------------------------------------


def in_base(expr: Any) -> Any:
    """Return an expression in y = √b in terms of b."""
    return expr.subs(sp.Symbol("y", positive=True), sp.sqrt(BASE.symbol))


def exactly(given: Given, name: str, parameter: Parameter, known: Known) -> tuple[Finding, Finding]:
    """Decide from both sides whether a ratio is the formula that is given."""
    upper, lower = (
        given.evidence(decide, name, given[name], parameter, side, known, known) for side in ("at most", "at least")
    )
    return Finding("at-most", f"at most ${given[name]}$", upper), Finding(
        "reached", f"no less than ${given[name]}$", lower
    )


def both_sides(given: Given, known: Known, how: str, worst: str, *more: Finding) -> Decision:
    """Decide a ratio that is given for every b from both sides, and as a bound at every n."""
    upper, lower = exactly(given, "ratio", BASE, known)
    every = Finding("every-n", f"the total is {upper.says} times the optimum, at every n", upper.evidence)
    reading = "every $b > 1$, every $n ≥ 1$, all sizes, in the worst order of the jobs or the mean over it"
    same = "the costs of pairs are those of the kernel at every n, and half of the sizes is left on both sides"
    return decision(
        "tight for every b; at most this at every n",
        verdict(KERNEL, "every $b > 1$, the supremum over all laws", how, f"reached by {worst}", upper, lower, *more),
        verdict(ALGORITHM, reading, f"{how}, at every n", same, every),
    )


def verdict(
    level: str, reading: str, method: str, why: str, *findings: Finding, degenerate: tuple[Finding, ...] = ()
) -> Verdict:
    """Return a verdict; where a finding is refuted the reason is what is so at the witness, else it is ``why``."""
    wrong = next((finding.evidence for finding in findings if isinstance(finding.evidence, Refuted)), None)
    if wrong is not None:
        at = ", ".join(f"{name} = {value}" for name, value in wrong.witness.items())
        why = f"at {at} it is {wrong.actual}; claimed is {wrong.claimed}"
    return Verdict(level, reading, why, method, findings, degenerate)


def decision(why: str, *verdicts: Verdict) -> Decision:
    """Return a decision, with ``why`` where all holds. No published proof is examined: the proofs here are our own."""
    status = weakest(verdict.status for verdict in verdicts)
    line = "false" if status == "refuted" else why if status in SURE else "not decided"
    return Decision(line, verdicts, PublishedProof(note="the proofs here are our own"))
