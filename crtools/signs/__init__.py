"""Is this expression positive here? The one room that answers it.

Where: ``ranges`` (an ``Interval`` of one name, a ``Range`` of several together, the ``Answer``). Of a number: ``numbers``,
and ``real`` (numbers that compare by it). Of a function of one variable against another: ``one_variable``; of any
expression in parameters: ``parameters``; of a rational function on several intervals: ``rational``. Where a quotient
changes its sign: ``quotients``, by ``zeros``; at all large integers: ``log_polynomials``. A given expression on a given
range: ``decide``.
"""

from __future__ import annotations

import sympy as sp

from crtools.errors import InputError
from crtools.expressions import Expr
from crtools.signs.parameters import MET, Need, in_parameters, near_zero
from crtools.signs.ranges import Answer, Interval, Range

__all__ = ["Answer", "Interval", "Need", "Range", "decide"]


def decide(expr: Expr, need: Need, on: Interval | Range) -> Answer:
    """Decide whether an expression in the names of a range is > 0, ≥ 0, ≠ 0 or an integer on all of it.

    Raises ``InputError`` for an expression with another name.

    >>> from crtools.signs import Interval, decide
    >>> q = sp.Symbol("q", positive=True)
    >>> decide(sp.Rational(17, 8) - 3 * q + q**2, "> 0", Interval("q", sp.S.Zero, sp.S.One)).holds
    True
    """
    expr = sp.sympify(expr)
    where = Range.of(on) if isinstance(on, Interval) else on
    unknown = sorted(x.name for x in expr.free_symbols if x.name not in where.names)
    if unknown:
        raise InputError("expression", str(expr), f"has {unknown[0]}, which is not a name of the range {where.text}")
    for case, parameters in zip(where.cases, where.parameters, strict=True):
        put = expr.xreplace({x: sp.sympify(case[x.name]) for x in expr.free_symbols})
        found = near_zero(put, need, *parameters) if where.near_zero else in_parameters(put, need, parameters)
        if not found.holds:
            return found
    return MET
