"""From the completions E[c_ki] of each period to the latency forms: the derivation as it should go, and its displays.

Quantities are per request: completed(k, i) is E[c_ki]/(x_i n), δ(k) is s + l at k = l and 1 at k > l.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from crtools.errors import InputError
from crtools.expressions import evaluate
from crtools.forms import form
from crtools.ledger.agree import agree
from crtools.ledger.claim import Given
from crtools.ledger.deciders.ranges import formula_on, integers_from
from crtools.ledger.evidence import Evidence, Proved, Refuted, by_theorem
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theorems.form import derivation as theorems
from crtools.proof.symbols import i, k, s
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

Place = tuple[int, int, int]
"""A setting (s, l, u)."""

Wrong = tuple[dict[str, Any], Fraction, Fraction]
"""Where something is wrong, what is claimed there, and what is so."""

INDICES = ("i,i", "k,i")

SMALL: tuple[Place, ...] = tuple((s, l, u) for s in (1, 2, 0, 5) for l in (1, 2, 3) for u in range(l, l + 4))
"""Settings at which everything is compared with exact bookkeeping, s ≥ 1 first: the paper's model."""

FURTHER: tuple[Place, ...] = tuple((s, l, l + 12) for s in (3, 4, 7, 11, 13, 100) for l in (1, 5))
"""Settings that are looked at too where there is no proof."""


class Derivation:
    """The derivation with what a claim is given: the Proposition's completions, and the displays."""

    def __init__(self, given: Given) -> None:
        """Read the formulas; ``InputError`` where one is not defined on its range."""
        if given["tau_index"] not in INDICES:
            raise InputError("tau_index", given["tau_index"], "must be 'i,i' (as printed) or 'k,i'")
        symbols = {"delta": theorems.delta, "s": s, "i": i, "k": k}
        names = ("completed", "tau", "remaining", "hsf_time")
        read = {n: formula_on(n, given[n], symbols, integers_from(s=0, k=1, i="k", delta=1)) for n in names}
        self._trees = {name: tree for name, (tree, _) in read.items()}
        self._shown = {name: expr for name, (_, expr) in read.items()}
        self.index = given["tau_index"]

    def _at(self, name: str, place: Place, period: int, length: int) -> Fraction:
        size, low, _ = place
        delta = size + low if period == low else 1
        return evaluate(self._trees[name], {"delta": delta, "s": size, "i": length, "k": period})

    def forms_follow(self, at_zero: bool) -> Evidence:
        """Decide that the completions give A_min's form: τ_k = Σ_i i(s+i) c_ki, and what is left after each period."""
        completed, delta = self._shown["completed"], theorems.delta
        left = theorems.REMAINING
        proofs = (
            theorems.period_time(completed, delta * i, "k,i"),
            theorems.remaining(completed, left),
            theorems.a_min_latency(delta * i, completed, left),
        )
        places = [p for p in (*SMALL, *FURTHER) if (p[0] == 0) == at_zero]
        return _decide(proofs, self._other_form, places, ())

    def _other_form(self, place: Place) -> Wrong | None:
        size, low, up = place
        for weights in ({up: 1}, {low: 2, up: 1}):
            x = {length: Fraction(w) for length, w in weights.items()}
            found = self._latency(x, place)
            if found != (meant := literal.a_min_sum(x, size, low, up)):
                entries = [x.get(length, Fraction(0)) for length in range(low, up + 1)]
                agree(meant, Fraction(form("a-min").on(Setting(*place)).value(entries)), "A_min's form")
                return {"weights": {str(n): str(w) for n, w in x.items()}}, meant, found
        return None

    def _latency(self, x: dict[int, Fraction], place: Place) -> Fraction:
        """Return 2M·TEL/n² by going through the periods."""
        size, low, up = place
        left, total = dict(x), Fraction(0)
        for period in range(low, up + 1):
            done = {n: self._at("completed", place, period, n) * w for n, w in x.items() if n >= period}
            left = {n: w - done.get(n, 0) for n, w in left.items()}
            time = sum((n * (size + n) * c for n, c in done.items()), Fraction(0))
            waiting = sum((w for n, w in left.items() if n > period), Fraction(0))
            total += time * (sum(done.values(), Fraction(0)) + 2 * waiting)
        return total

    def hsf_time(self) -> Evidence:
        """Decide the display of H-SF's time per length."""

        def wrong(place: Place) -> Wrong | None:
            size, low, up = place
            for length in range(low, up + 1):
                shown = self._at("hsf_time", place, length, length)
                if shown != (meant := Fraction(length) / Fraction(1, size + length)):
                    return {"length": length}, shown, meant
            return None

        return _decide((theorems.h_sf_latency(self._shown["hsf_time"]),), wrong)

    def period_time(self) -> Evidence:
        """Decide the display of E[τ_k], with the index of its completions."""

        def wrong(place: Place) -> Wrong | None:
            size, low, up = place
            for period, length in _pairs(low, up):
                source = length if self.index == "i,i" else period
                left = length * (size + length) * self._at("completed", place, source, length)
                shown = self._at("tau", place, period, length)
                if left != shown:
                    return {"period": period, "length": length}, shown, left
            return None

        return _decide((theorems.period_time(self._shown["completed"], self._shown["tau"], self.index),), wrong)

    def remaining(self) -> Evidence:
        """Decide the display of the number remaining after period k."""

        def wrong(place: Place) -> Wrong | None:
            _, low, up = place
            for length in range(low, up + 1):
                left = Fraction(1)
                for period in range(low, length + 1):
                    left -= self._at("completed", place, period, length)
                    shown = self._at("remaining", place, period, length)
                    if left != shown:
                        return {"period": period, "length": length}, shown, left
            return None

        return _decide((theorems.remaining(self._shown["completed"], self._shown["remaining"]),), wrong)

    def total(self) -> Evidence:
        """Decide the display of A_min's total latency from those of E[τ_k] and of the number remaining."""

        def wrong(place: Place) -> Wrong | None:
            size, low, up = place
            for period, length in _pairs(low, up):
                d = size + low if period == low else 1
                shown = self._at("completed", place, period, length) + 2 * self._at("remaining", place, period, length)
                meant = Fraction(d + 2 * (length - period), size + length)
                if shown != meant:
                    return {"period": period, "length": length}, meant, shown
                if (time := self._at("tau", place, period, length)) != d * length:
                    return {"period": period, "length": length}, Fraction(d * length), time
            return None

        shown = self._shown
        return _decide((theorems.a_min_latency(shown["tau"], shown["completed"], shown["remaining"]),), wrong)


def h_sf_form() -> Evidence:
    """H-SF's form, from k(s+k) x_k n/M of time per length."""
    return by_theorem(theorems.h_sf_latency(k * (s + k)))


def _pairs(low: int, up: int) -> list[tuple[int, int]]:
    return [(period, length) for period in range(low, up + 1) for length in range(period, up + 1)]


def _decide(
    proofs: tuple[Theorem, ...],
    wrong: Callable[[Place], Wrong | None],
    small: Iterable[Place] = SMALL,
    further: Iterable[Place] = FURTHER,
) -> Evidence:
    """Return the proof, or the first setting where exact numbers show what is wrong."""
    proved = by_theorem(*proofs)
    try:
        found = _first(wrong, small) or (None if isinstance(proved, Proved) else _first(wrong, further))
    except (ArithmeticError, ValueError, OverflowError):
        found = None
    if found is None:
        return proved
    if isinstance(proved, Proved):
        raise AssertionError(f"{proofs[0].name} is proved and fails at {found[0]}")
    return Refuted(found[0], str(found[1]), str(found[2]), proved.tried)


def _first(wrong: Callable[[Place], Wrong | None], places: Iterable[Place]) -> Wrong | None:
    for place in places:
        found = wrong(place)
        if found is not None:
            where, claimed, actual = found
            return {"s": place[0], "l": place[1], "u": place[2], **where}, claimed, actual
    return None
