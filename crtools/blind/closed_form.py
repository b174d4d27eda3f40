"""The best blind ratio V under a distribution with symbols, where it has a closed form: two lengths, and uniform lengths from 1 on.

``crtools best`` and ``crtools derive --against optimum`` print it. Tests: tests/blind/test_best.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from crtools.distributions import Distribution, distribution
from crtools.distributions.families import SymbolicUniform, TwoPoint
from crtools.errors import InputError
from crtools.ledger.registry import answering
from crtools.numeric_types import JsonObject, SymExpr
from crtools.schedule import volume
from crtools.setting import integer


@dataclass(frozen=True)
class Case:
    """``value`` is V where ``where`` ≥ 0; the share ``tried`` of the requests is killed at the smaller length first."""

    where: SymExpr
    value: SymExpr
    tried: SymExpr


@dataclass(frozen=True)
class ClosedForm:
    """V in closed form, for n → ∞ and then M → ∞, against the optimum, in the ``names`` and the distribution's symbols.

    ``names``: each name's expression, in the names before it. ``question``: for which a ledger names the claim that proves the form.
    """

    law: Distribution
    s: SymExpr | int
    names: dict[str, SymExpr]
    cases: tuple[Case, ...]
    question: str

    def at(self, expression: SymExpr, numbers: dict[Any, Any]) -> SymExpr:
        """Return an expression of the cases with the names, and then the ``numbers`` for symbols, substituted."""
        for name, value in reversed(self.names.items()):
            expression = expression.subs(sp.Symbol(name), value)
        return expression.subs(numbers)

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools best --json`` for a distribution with symbols, in expressions that SymPy reads."""
        return {
            "law": self.law.spec(),
            "s": str(self.s),
            "against": "optimum",
            "names": {name: str(value) for name, value in self.names.items()},
            "cases": [
                {"where": f"{case.where} >= 0", "value": str(case.value), "tried": str(case.tried)}
                for case in self.cases
            ],
            "claim": self.claim,
        }

    @property
    def claim(self) -> str:
        """The claim that proves it."""
        return answering(self.question)[1]


def closed_form(law: str | Distribution, s: int | str = 0) -> ClosedForm:
    """Return V of a distribution with symbols; ``s`` may be a letter too. Raises ``InputError`` if no closed form is known.

    >>> closed_form("uniform(1, u)").cases[0].value
    2*u*(u + 2)/(u**2 + 3*u + 2)
    """
    lengths = distribution(law)
    prompt = sp.Symbol(s, nonnegative=True) if isinstance(s, str) and s.isidentifier() else integer("s", s, 0)
    if isinstance(lengths, TwoPoint):
        return _two_lengths(lengths, prompt)
    if isinstance(lengths, SymbolicUniform) and lengths.l == 1:
        u = lengths.u
        run_through = 2 * u * (3 * prompt + u + 2) / ((4 * u + 2) * prompt + u**2 + 3 * u + 2)
        case = Case(3 * prompt - u + 2, run_through, sp.S.Zero)
        return ClosedForm(lengths, prompt, {}, (case,), "best, uniform lengths")
    names = ", ".join(map(str, lengths.parameters))
    known = "in symbols V is known for two-point(l, u, weight) and uniform(1, u)"
    raise InputError("distribution", lengths.spec(), f"needs a value for {names}: {known}")


def _two_lengths(law: TwoPoint, s: SymExpr | int) -> ClosedForm:
    taken = {str(symbol) for symbol in (*law.parameters, *sp.sympify(s).free_symbols)}
    v, w, p, mean, minimum = (sp.Symbol(_unused(name, taken)) for name in ("v", "w", "p", "mu", "least"))
    names = {
        str(v): volume(s, sp.sympify(law.l)),
        str(w): volume(s, sp.sympify(law.u)),
        str(p): sp.sympify(law.share),
        str(mean): p * v + (1 - p) * w,
        str(minimum): v + (1 - p) ** 2 * (w - v),
    }
    excess = p * mean - v
    divisor = excess + (1 - p) ** 2 * v
    cases = (
        Case(-excess, mean / minimum, sp.S.Zero),
        Case(excess, (mean - excess**2 / divisor) / minimum, excess / divisor),
    )
    return ClosedForm(law, s, names, cases, "best, two lengths")


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, with underscores if the distribution or the prompt uses it."""
    return name if name not in taken else _unused(f"{name}_", taken)
