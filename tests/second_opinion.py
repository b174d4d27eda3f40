"""SymPy's opinion of the steps that the kernel judges: another implementation of the algebra, for tests only."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Identity, Induction, PolynomialIntegral, Positive, Step, Telescoping


def at_integer(expr: Any, index: Any, value: int) -> Any:
    """The exact value of an expression with finite sums at an integer; empty sums are 0."""

    def expand(sum_: Any) -> Any:
        term, (i, low, high) = sum_.function, sum_.limits[0]
        return sp.Add(*(at_integer(term, i, k) for k in range(int(low), int(high) + 1)))

    return sp.cancel(sp.sympify(expr).subs(index, value).replace(lambda e: isinstance(e, sp.Sum), expand))


def residue(step: Step) -> Any:
    """What a formula leaves after SymPy has cancelled it: 0 where it holds. None for a step that is no formula.

    For a sign it is the least coefficient of numerator and denominator after the shift if that is negative, else 0.
    """
    if isinstance(step, Identity):
        return sp.cancel(sp.together(sp.sympify(step.lhs) - sp.sympify(step.rhs)))
    if isinstance(step, Telescoping):
        big = sp.sympify(step.antidifference)
        return sp.cancel(sp.together(big - big.subs(step.index, step.index - 1) - step.summand))
    if isinstance(step, Induction):
        return _induction(sp.sympify(step.lhs) - sp.sympify(step.rhs), step.index, step.start)
    if isinstance(step, PolynomialIntegral):
        ends = (step.variable, step.low, step.high)
        return sp.cancel(sp.together(sp.integrate(sp.expand(step.integrand), ends) - step.value))
    return _sign(step) if isinstance(step, Positive) else None


def _induction(difference: Any, n: Any, start: int) -> Any:
    sums = {sum_: sp.Dummy() for sum_ in difference.atoms(sp.Sum)}
    first = max([start, *(int(low) - 1 - int(high - n) for _, (_, low, high) in (own.args for own in sums))])
    values = sum((abs(at_integer(difference, n, at)) for at in range(start, first + 1)), sp.Integer(0))
    gained = {atom: atom + own.function.subs(own.limits[0][0], own.limits[0][2] + 1) for own, atom in sums.items()}
    before = difference.xreplace(sums)
    return values + sp.cancel(sp.together(before.subs(n, n + 1).xreplace(gained) - before))


def _sign(step: Positive) -> Any:
    rest = sp.sympify(step.expr) - sum((sp.sympify(root) ** 2 for root in step.squares), sp.Integer(0))
    for variable, low, _, high, _ in reversed(step.where):
        moved = low + variable if high is None else (low + high * variable) / (1 + variable)
        rest = rest.xreplace({variable: moved})
    variables = [variable for variable, *_ in step.where]
    parts = [sp.Poly(part, *variables).coeffs() for part in sp.fraction(sp.cancel(sp.together(rest)))]
    turned = -1 if min(parts[1]) < 0 else 1
    return min(0, *(turned * c for part in parts for c in part))
