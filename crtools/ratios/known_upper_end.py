"""The upper end u that a policy is given, as a formula in the distribution's parameters: u = c/(1 − q), c a letter or a number.

The form is a polynomial in u; so is its value at a distribution, which is put together from closed forms at a few numbers u.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from crtools.closed_form.summand import NotClosed
from crtools.distributions import Distribution
from crtools.enclosure import fraction
from crtools.errors import InputError
from crtools.expressions import formula, free_symbols, symbolic
from crtools.forms import Form
from crtools.numeric_types import SymExpr
from crtools.signs.ranges import Interval

VALUES = (Fraction(3), Fraction(5, 2), Fraction(7))
"""Values of the user's letters at the points of comparison."""


class KnownUpperEnd:
    """The upper end ``expr`` that a form is given under a distribution; ``letters`` are its symbols that the distribution lacks."""

    def __init__(self, form_of_ends: Form, law: Distribution, s: Any, text: str) -> None:
        if form_of_ends.bind is None:
            raise InputError(
                "u", text, f"is for a form that depends on the interval's ends, which {form_of_ends.name} does not"
            )
        if "u" in {x.name for x in law.parameters}:
            raise InputError("u", text, f"is a parameter of {law.spec()}: give it there")
        self.form_of_ends, self.law, self.expr = form_of_ends, law, _read(text)
        self.letters = tuple(sorted(free_symbols(self.expr) - {*law.parameters, s}, key=str))
        self.ranges = {x.name: Interval(x.name, sp.S.Zero) for x in self.letters}

    def form(self, u: Any, law: Distribution | None = None) -> Form:
        """Return the form for a distribution's smallest length and this u."""
        assert self.form_of_ends.bind is not None
        return self.form_of_ends.bind((law or self.law).support[0], u)

    def value(self, value_at: Callable[[Form], SymExpr]) -> SymExpr:
        """Return the form's value, of those at numbers u. Raises ``NotClosed`` where it is no polynomial in u."""
        nodes = range(1, 2 + self._degree())
        total: SymExpr = sp.S.Zero
        for v in nodes:
            share = sp.prod([(self.expr - w) / sp.Integer(v - w) for w in nodes if w != v])
            total += share * value_at(self.form(v))
        return total

    def _degree(self) -> int:
        u, *letters = (sp.Dummy(name, positive=True) for name in "uijs")
        try:
            return int(sp.Poly(sp.together(self.form(u).formula(*letters)), u).degree())
        except (sp.PolynomialError, TypeError):
            raise NotClosed(f"the form {self.form_of_ends.name} is not shown to be a polynomial in u") from None

    def at(self, point: Mapping[str, Fraction], law: Distribution) -> Form:
        """Return the form at values of all letters and parameters."""
        return self.form(
            fraction(self.expr.xreplace({x: sp.Rational(point[x.name]) for x in free_symbols(self.expr)})), law
        )

    def point(self, number: int) -> dict[str, Fraction]:
        """Return values of the letters for a comparison."""
        return {x.name: VALUES[(number + k) % len(VALUES)] for k, x in enumerate(self.letters)}


def _read(text: str) -> SymExpr:
    """Return the rational function that a text says, its letters positive symbols; ``InputError`` for another."""
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", text)))
    tree, _ = formula("u", text, {name: sp.Symbol(name, real=True) for name in names})
    expr = symbolic(tree, {name: sp.Symbol(name, positive=True) for name in names})
    try:
        for part in sp.fraction(sp.together(expr)):
            sp.Poly(part, *(expr.free_symbols or [sp.Dummy()]), domain=sp.QQ)
    except (sp.PolynomialError, sp.polys.polyerrors.CoercionFailed):
        raise InputError("u", text, "must be a rational function, such as c/(1-q)") from None
    return expr
