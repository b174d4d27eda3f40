"""The best blind ratio under a law with symbols, where it has a closed form: two lengths, and uniform lengths from 1 on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from crtools.distributions import Distribution, distribution
from crtools.distributions.families import SymbolicUniform, TwoPoint
from crtools.errors import InputError
from crtools.ledger.registry import answering
from crtools.schedule import volume
from crtools.setting import integer


@dataclass(frozen=True)
class Case:
    """``value`` is V where ``where`` is at least 0; the share ``tried`` of the requests is killed at the smaller length first."""

    where: Any
    value: Any
    tried: Any


@dataclass(frozen=True)
class ClosedForm:
    """V in closed form, for n → ∞ and then M → ∞, against the optimum, in the ``names`` and the law's symbols.

    ``names``: what each stands for, in the names before it; ``question``: under which a ledger names the claim that proves it.
    """

    law: Distribution
    s: Any
    names: dict[str, Any]
    cases: tuple[Case, ...]
    question: str

    def at(self, expression: Any, numbers: dict[Any, Any]) -> Any:
        """Return an expression of the cases with the names, and then ``numbers`` for symbols, put in."""
        for name, value in reversed(self.names.items()):
            expression = expression.subs(sp.Symbol(name), value)
        return expression.subs(numbers)

    def as_json(self) -> dict[str, Any]:
        """Return the document of ``crtools best --json`` for a law with symbols, in expressions that SymPy reads."""
        cases = [{"where": f"{c.where} >= 0", "value": str(c.value), "tried": str(c.tried)} for c in self.cases]
        names = {name: str(value) for name, value in self.names.items()}
        told = {"law": self.law.spec(), "s": str(self.s), "against": "optimum"}
        return {**told, "names": names, "cases": cases, "claim": self.claim}

    @property
    def claim(self) -> str:
        """The claim that proves it."""
        return answering(self.question)[1]


def closed_form(law: str | Distribution, s: int | str = 0) -> ClosedForm:
    """Return V of a law with symbols; ``s`` may be a letter too. ``InputError`` for laws of which no closed form is known.

    >>> closed_form("uniform(1, u)").cases[0].value
    2*u*(u + 2)/(u**2 + 3*u + 2)
    """
    own = distribution(law)
    prompt = sp.Symbol(s, nonnegative=True) if isinstance(s, str) and s.isidentifier() else integer("s", s, 0)
    if isinstance(own, TwoPoint):
        return _two(own, prompt)
    if isinstance(own, SymbolicUniform) and own.l == 1:
        u = own.u
        through = 2 * u * (3 * prompt + u + 2) / ((4 * u + 2) * prompt + u**2 + 3 * u + 2)
        return ClosedForm(own, prompt, {}, (Case(3 * prompt - u + 2, through, sp.S.Zero),), "best, uniform lengths")
    names = ", ".join(map(str, own.parameters))
    known = "in symbols V is known for two-point(l, u, weight) and uniform(1, u)"
    raise InputError("distribution", own.spec(), f"needs a value for {names}: {known}")


def _two(law: TwoPoint, s: Any) -> ClosedForm:
    taken = {str(symbol) for symbol in (*law.parameters, *sp.sympify(s).free_symbols)}
    v, w, p, mean, shared = (sp.Symbol(_free(name, taken)) for name in ("v", "w", "p", "mu", "least"))
    names = {
        str(v): volume(s, sp.sympify(law.l)),
        str(w): volume(s, sp.sympify(law.u)),
        str(p): sp.sympify(law.share),
        str(mean): p * v + (1 - p) * w,
        str(shared): v + (1 - p) ** 2 * (w - v),
    }
    excess = p * mean - v
    divisor = excess + (1 - p) ** 2 * v
    cases = (
        Case(-excess, mean / shared, sp.S.Zero),
        Case(excess, (mean - excess**2 / divisor) / shared, excess / divisor),
    )
    return ClosedForm(law, s, names, cases, "best, two lengths")


def _free(name: str, taken: set[str]) -> str:
    """Return the name, longer where the law or the prompt has it already."""
    return name if name not in taken else _free(f"{name}_", taken)
