"""``decide_printed`` and ``decide_exact``: a printed decimal, or an exact expression, against a number that is enclosed and proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from crtools.enclosure import Enclosure
from crtools.expressions import number
from crtools.ledger.deciders.ranges import formula_on
from crtools.ledger.evidence import Evidence, Open, Refuted, by_theorem, records
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.numbers import compare
from crtools.signs.ranges import Range

Reading = Literal["rounded up", "rounded to nearest", "at least"]


@dataclass(frozen=True)
class Constant:
    """A number with an enclosure that theorems prove. ``second``: the number in floats by other code. ``witness``: its point.

    ``ends``: exact values from which the judge recomputes it.
    """

    value: Enclosure
    theorems: tuple[Callable[[], Theorem], ...]
    second: float
    witness: dict[str, str]
    ends: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def text(self) -> str:
        """The number truncated to 14 digits."""
        return f"{self.value.decimals(14)[0]}…"

    def refutes(self, claimed: str) -> Refuted:
        """Return the refutation of another number."""
        theorems = records(*map(kept, self.theorems))
        return Refuted(self.witness, claimed, self.text, f"{self.second:.12g}", theorems=theorems)


def decide_printed(name: str, text: str, constant: Constant, reading: Reading) -> Evidence:
    """Decide whether a printed decimal is a number rounded in the way of ``reading``, or a lower bound of it."""
    printed, step = number(name, text), Fraction(1, 10 ** len(text.strip().partition(".")[2]))
    low, high = {
        "rounded up": (printed - step, printed),
        "rounded to nearest": (printed - step / 2, printed + step / 2),
        "at least": (printed, max(printed, constant.value.upper)),
    }[reading]
    if low <= constant.value.lower and constant.value.upper <= high:
        return by_theorem(*map(kept, constant.theorems), values={"value": constant.text, **constant.ends})
    if constant.value.upper < low or constant.value.lower > high:
        return constant.refutes(f"{text}, {reading}")
    return Open("the number is enclosed, and an end of what is printed lies between", {"value": constant.text})


def decide_exact(name: str, text: str, value: SymExpr | int, constant: Constant) -> Evidence:
    """Decide whether an expression in numbers is a number, exactly."""
    order = compare(formula_on(name, text, {}, Range.of())[1], value)
    if order is None:
        return Open(f"whether {text} is {value} could not be seen")
    return by_theorem(*map(kept, constant.theorems)) if order == 0 else constant.refutes(text)
