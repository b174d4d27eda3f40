"""amin-derivation: the proof of Lemma "Amin", from E[c_ij] to both latency forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp

from crtools.enclosure import fraction
from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, Refuted, Verdict, agree, by_theorem
from crtools.ledger.deciders.formulas import Point, decide_formula
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.numeric_types import SymExpr
from crtools.papers.adaptive.evidence.reading import decidable, exact_value, first_failure, function, one_of
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import AT_ZERO, FORM, TEXT, reading_of, stated_claim
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, k, l, s
from crtools.proof.theorem import Theorem
from crtools.setting import Setting


@stated_claim("amin-derivation")
def amin_derivation(given: Given) -> Decision:
    """Decide both forms from the Proposition's completions, and the displays of the proof."""
    derivation = Derivation(given)
    printed = derivation.index.replace(",", "")
    read = reading_of("amin-derivation", index=printed)
    verdicts: list[Verdict] = []
    failure = ""
    for level, suffix in ((AT_ZERO, "-at-zero"), (FORM, "")):
        follows = derivation.forms_follow(level == AT_ZERO)
        h_sf = by_theorem(_h_sf_latency(k * (s + k)))  # from k(s+k) x_k n/M of time per length
        findings = (
            Finding(f"h-sf-form{suffix}", "H-SF's latency form follows from its batches", h_sf),
            Finding(f"a-min-form{suffix}", "A_min's latency form follows from $E[c_ki]$", follows),
        )
        failure = first_failure(findings)
        verdicts.append(read.verdict(level, failure or HOLDS, *findings))
    proof = read.proof(
        *["period-time"] * (printed != "ii"),
        h_sf_time=derivation.hsf_time(),
        period_time=derivation.period_time(),
        remaining=derivation.remaining(),
        total=derivation.total(),
    )
    misprinted = proof.displays[1].status == "refuted"
    summary = failure or ("both forms follow" + ("; $E[τ_k]$ is misprinted" if misprinted else ""))
    return Decision(summary, tuple(verdicts), proof)


HOLDS = "with $τ_k = Σ_i i(s+i) E[c_ki]/M$ and what is left, the periods add up to the Lemma's sums"


# ---- From the completions E[c_ki] of each period to the latency forms: the derivation as it should go, and its displays
# Quantities are per request: completed(k, i) is E[c_ki]/(x_i n), δ(k) is s + l at k = l and 1 at k > l.

SettingTuple = tuple[int, int, int]
"""A setting (s, l, u)."""

Value = Callable[[str, Point], Fraction]
"""The value of a formula, by its name, at a point (see :func:`_point`)."""

INDICES = ("i,i", "k,i")
delta = sp.Symbol("delta", positive=True)
SYMBOLS = {"delta": delta, "s": s, "i": i, "k": k}

ORDER = (delta, i, k, s)
"""How the text writes the arguments."""

SMALL: tuple[SettingTuple, ...] = tuple((s, l, u) for s in (1, 2, 0, 5) for l in (1, 2, 3) for u in range(l, l + 4))
"""Settings at which everything is compared with exact bookkeeping, s ≥ 1 first: the paper's model."""

FURTHER: tuple[SettingTuple, ...] = tuple((s, l, l + 12) for s in (3, 4, 7, 11, 13, 100) for l in (1, 5))
"""Further settings, tried where there is no proof."""


def _point(size: int, low: int, period: int, length: int) -> Point:
    """Return s, l, the period k, the length i ≥ k and δ(k)."""
    return {"s": size, "l": low, "k": period, "i": length, "delta": size + low if period == low else 1}


def _points(settings: Iterable[SettingTuple]) -> list[Point]:
    return [
        _point(size, low, period, length)
        for size, low, up in settings
        for period, length in combinations_with_replacement(range(low, up + 1), 2)
    ]


POINTS_ONLY = Theorem(name="points only", statement="", reading="", steps=())
"""An empty theorem, which proves nothing: only the points are compared."""

POINTS, FURTHER_POINTS = _points(SMALL), _points(FURTHER)


class Derivation:
    """The derivation with the formulas of a claim: the Proposition's completions, and the displays."""

    def __init__(self, given: Given) -> None:
        """Read the formulas; ``InputError`` where one is not defined on its range."""
        on = integers_from(s=0, k=1, i="k", delta=1)
        self._trees, self._exprs = {}, {}
        for name in ("completed", "tau", "remaining", "hsf_time"):
            self._trees[name], self._exprs[name] = formula_on(name, given[name], SYMBOLS, on)
        self.index = one_of(given, "tau_index", INDICES)

    def _at(self, name: str, p: Point) -> Fraction:
        value = exact_value(self._trees[name], p)
        if not isinstance(value, Fraction):
            raise ArithmeticError(f"{name} is not rational at {p}")
        return value

    def _at_again(self, name: str, p: Point) -> Fraction:
        """Return the same by SymPy, which shares no arithmetic with :meth:`_at`."""
        exact = self._exprs[name].subs({symbol: p[key] for key, symbol in SYMBOLS.items()}).doit()
        if not exact.is_Rational:
            raise ArithmeticError(f"{name} is not rational at {p}")
        return fraction(exact)

    def forms_follow(self, at_zero: bool) -> Evidence:
        """Decide that the completions give A_min's form: τ_k = Σ_i i(s+i) c_ki, and what is left after each period."""
        return decidable(self._form_at, [p for p in (*SMALL, *FURTHER) if (p[0] == 0) == at_zero])

    def _form_at(self, settings: list[SettingTuple]) -> Evidence:
        for size, low, up in settings:
            for weights in ({up: 1}, {low: 2, up: 1}):
                x = {length: Fraction(w) for length, w in weights.items()}
                derived, expected = _latency(self._at, x, (size, low, up)), literal.a_min_sum(x, size, low)
                if derived != expected:
                    entries = [x.get(length, Fraction(0)) for length in range(low, up + 1)]
                    agree(expected, Fraction(form("a-min").on(Setting(size, low, up)).value(entries)), "A_min's form")
                    confirmed = agree(
                        derived, _latency(self._at_again, x, (size, low, up)), "the latency period by period"
                    )
                    witness = {"s": size, "l": low, "u": up, "weights": {str(n): str(w) for n, w in x.items()}}
                    return Refuted(witness, str(expected), str(derived), str(confirmed))
        completed, remaining = self._exprs["completed"], TEXT.value("remaining", i, k, s)
        return by_theorem(
            _period_time(completed, delta * i, "k,i"),
            _remaining(completed, remaining),
            _a_min_latency(delta * i, completed, remaining),
        )

    def hsf_time(self) -> Evidence:
        """Decide the display of H-SF's time per length."""
        near, far = ([p for p in points if p["i"] == p["k"]] for points in (POINTS, FURTHER_POINTS))
        return decide_formula(
            "H-SF's time per length",
            lambda: _h_sf_latency(self._exprs["hsf_time"]),
            self._trees["hsf_time"],
            near,
            lambda p: Fraction(form("h-sf").entry(p["k"], p["k"], p["s"])),
            lambda p: literal.h_sf_sum({p["k"]: Fraction(1)}, p["s"]),
            far,
        )

    def _decide(
        self, name: str, what: str, theorem: Callable[[], Theorem], right: Callable[[Value, Point], Fraction]
    ) -> Evidence:
        """Decide a display; ``right`` computes its true value from the values of the other formulas."""
        by_fractions, by_sympy = (partial(right, value) for value in (self._at, self._at_again))
        tree = self._trees[name]
        return decidable(decide_formula, what, theorem, tree, POINTS, by_fractions, by_sympy, FURTHER_POINTS)

    def period_time(self) -> Evidence:
        """Decide the display of E[τ_k], with the index of its completions."""

        def right(value: Value, p: Point) -> Fraction:
            period = p["i"] if self.index == "i,i" else p["k"]
            return p["i"] * (p["s"] + p["i"]) * value("completed", _point(p["s"], p["l"], period, p["i"]))

        theorem = partial(_period_time, self._exprs["completed"], self._exprs["tau"], self.index)
        return self._decide("tau", "E[τ_k]", theorem, right)

    def remaining(self) -> Evidence:
        """Decide the display of the number remaining after period k."""

        def right(value: Value, p: Point) -> Fraction:
            points = (_point(p["s"], p["l"], period, p["i"]) for period in range(p["l"], p["k"] + 1))
            return 1 - sum((value("completed", at) for at in points), Fraction(0))

        theorem = partial(_remaining, self._exprs["completed"], self._exprs["remaining"])
        return self._decide("remaining", "what remains", theorem, right)

    def total(self) -> Evidence:
        """Decide the display of A_min's total latency from those of E[τ_k] and of the number remaining."""

        def remaining_share(value: Value, p: Point) -> Fraction:
            return (Fraction(p["delta"] + 2 * (p["i"] - p["k"]), p["s"] + p["i"]) - value("completed", p)) / 2

        theorem = partial(_a_min_latency, *(self._exprs[name] for name in ("tau", "completed", "remaining")))
        tau = self._decide("tau", "E[τ_k]", lambda: POINTS_ONLY, lambda _, p: Fraction(p["delta"] * p["i"]))
        return tau if isinstance(tau, Refuted) else self._decide("remaining", "what remains", theorem, remaining_share)


def _h_sf_latency(time: SymExpr) -> Theorem:
    return TEXT.theorem("H-SF latency", t=function(time, k, s))


def _period_time(completed: SymExpr, displayed: Any, index: str) -> Theorem:
    """E[τ_k] = Σ_{i≥k} i(s+i)/M · E[c_ki], or with the index that is printed, equals Σ_{i≥k} ``displayed`` · x_i n/M."""
    if index == "k,i":
        return TEXT.theorem("period time", c=function(completed, *ORDER), t=function(displayed, *ORDER))
    later, first, only = {delta: 1}, {delta: s + l, k: l}, {delta: s + l, k: l, i: l}
    printed = i * (s + i) * completed.subs(k, i)  # period i's completions of length i, δ(i) inside
    proof = Proof(f"period time, {index}", "for all s ≥ 0 and l ≤ k ≤ u", r"\mathbb E[\tau_k]")
    for case, lhs_at, rhs_at in (("k > l", later, later), ("k = l < i", later, first), ("k = l = i", only, only)):
        proof.identity(f"coefficient of x_i n/M, {case}", printed.subs(lhs_at), sp.sympify(displayed).subs(rhs_at))
    return proof.qed()


def _remaining(completed: SymExpr, remaining: SymExpr) -> Theorem:
    return TEXT.theorem("number remaining", c=function(completed, *ORDER), r=function(remaining, i, k, s))


def _a_min_latency(time: SymExpr, completed: SymExpr, remaining: SymExpr) -> Theorem:
    both = {"t": function(time, *ORDER), "c": function(completed, *ORDER)}
    return TEXT.theorem("A_min latency", **both, r=function(remaining, i, k, s))


def _latency(value: Value, x: dict[int, Fraction], setting: SettingTuple) -> Fraction:
    """Return 2M·TEL/n² by going through the periods."""
    size, low, up = setting
    unfinished, total = dict(x), Fraction(0)
    for period in range(low, up + 1):
        completed = {n: value("completed", _point(size, low, period, n)) * w for n, w in x.items() if n >= period}
        unfinished = {n: w - completed.get(n, 0) for n, w in unfinished.items()}
        time = sum((n * (size + n) * c for n, c in completed.items()), Fraction(0))
        waiting = sum((w for n, w in unfinished.items() if n > period), Fraction(0))
        total += time * (sum(completed.values(), Fraction(0)) + 2 * waiting)
    return total
