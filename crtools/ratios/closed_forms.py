"""``ClosedForms``: the values of two forms under a law in closed form; ``symbolic`` makes a Derivation of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose
from crtools.closed_form.quadratic import mass
from crtools.closed_form.quotient import Quotient
from crtools.closed_form.summand import LARGEST_POLE, NotClosed
from crtools.distributions import Distribution
from crtools.distributions.base import bound
from crtools.enclosure import Enclosure, fraction
from crtools.errors import NotCertified
from crtools.forms import Form
from crtools.numeric_types import Symbol, SymExpr
from crtools.pickling import WithoutCaches
from crtools.ratios.intervals import Intervals, closed_value
from crtools.ratios.limits import limit_at_end
from crtools.ratios.power_series_weights import PowerSeriesWeights
from crtools.ratios.unit_interval_supremum import PowerSeries
from crtools.signs.ranges import UNIT

LARGEST_SIZE = 24
"""The degree of a distribution's polynomials in k times the number of its free parameters, for closed forms within a minute."""

LARGEST_WITH_S = 400
"""That degree times s."""


@dataclass(frozen=True)
class ClosedForms(WithoutCaches):
    """``forms``, the one above and the one below, under a distribution, for prompts of s tokens (a number or a symbol)."""

    forms: tuple[Form, Form]
    law: Distribution
    s: Any
    intervals: Intervals | None = None

    @property
    def size(self) -> int | None:
        """The number s, None for a symbol."""
        return None if isinstance(self.s, sp.Symbol) else self.s

    @cached_property
    def base(self) -> PowerSeriesWeights | None:
        """The distribution in its base y."""
        return None if self.size is None else PowerSeriesWeights.of(self.law)

    @property
    def written_out(self) -> bool:
        """Whether the closed form is a sum with one term for each length."""
        return self.law.two_lengths or self.law.open_ends or (self.size is None and self.law.finite)

    @cached_property
    def values(self) -> tuple[SymExpr, SymExpr]:
        """Both forms at the weights; raises ``NotClosed`` where there is no closed form."""
        if self.written_out:
            top, bottom = map(self.intervals.across, self.forms) if self.intervals else self.forms
            return self.law.closed(top, self.s), self.law.closed(bottom, self.s)
        top, bottom = self.in_base
        return self._put(top), self._put(bottom)

    @cached_property
    def in_base(self) -> tuple[SymExpr, SymExpr]:
        """Both values as sums, in y if the distribution has a base."""
        law = self._summed
        if law.summand and law.finite and not law.parameters:
            raise NotClosed("the law has no parameter: its ratio is a number")
        bound_forms = [f if f.bind is None else bound(f, *law.support) for f in self.forms]
        for f in bound_forms:
            if not law.finite and not f.closes(self.size):
                raise NotClosed(f"the form {f.name}: {f.unclosed}")
        try:
            top, bottom = (closed_value(law, f, self.s, self.intervals) for f in bound_forms)
            return top, bottom
        except sp.polys.polyerrors.HeuristicGCDFailed:
            raise NotClosed("the closed form is too large: its common factors are not found") from None

    @cached_property
    def mass(self) -> SymExpr:
        """The sum of the weights."""
        law = self._summed
        return (
            self.law.closed_mass
            if self.written_out
            else self._put(mass(law.field, law.summand, law.point_weights).expr())
        )

    @property
    def _summed(self) -> Distribution:
        return self.law if self.base is None else self.base.law

    def _put(self, expr: SymExpr) -> SymExpr:
        """Return an expression in y as one in the distribution's own parameters."""
        return expr if self.base is None else self.base.in_parameter(expr)

    # ---- in the base -----------------------------------------------------------------------------------------------

    @cached_property
    def ratio(self) -> Quotient:
        """The ratio in y."""
        assert self.base is not None
        top, bottom = self.in_base
        return Quotient.of(top / bottom, (self.base.parameter,))

    def limit(self, end: int) -> SymExpr:
        """Return the limit for y → 0 or 1; at 0, where the weights are c_k y^k, it is that of the smallest length."""
        assert self.base is not None
        if end == 0:
            top, bottom = (self.base.first_term(lambda i, j, f=f: f.entry(i, j, self.s)) for f in self.forms)
            if top is not None and bottom is not None and bottom[0] > 0:
                return sp.Rational(*(top[0] / bottom[0]).as_integer_ratio())
        return limit_at_end(self.ratio, UNIT, end)

    def power_series(self) -> PowerSeries:
        """Return N and D as power series in y with non-negative coefficients, or raise ``NotCertified``."""
        base, (_, against) = self.base, self.forms
        assert base is not None
        between = [f.between for f in self.forms if self.intervals and f.between]
        if not all(f.nonnegative_at(self.s) for f in (*self.forms, *between)):
            raise NotCertified("the forms are not known to have non-negative entries")
        first = base.first_term(lambda i, j: against.entry(i, j, self.s))
        if first is not None and not first[0] > 0:
            raise NotCertified(f"the form {against.name} has no first term > 0")
        top, bottom = (Quotient.of(v * base.factor**2, (base.parameter,)) for v in self.in_base)
        return PowerSeries.of(top, bottom, first)


def value_at(expr: SymExpr, values: Mapping[Symbol, Fraction], digits: int) -> Enclosure:
    """Return a closed form's value, exact where it is rational."""
    put = {x: sp.Rational(v) for x, v in values.items()}
    expr_at: Any = expr.xreplace(put)
    if expr_at.has(sp.harmonic) and all(part.args[0] <= LARGEST_POLE for part in expr_at.atoms(sp.harmonic)):
        expr_at = expr_at.doit()
    if not expr_at.has(sp.log, sp.polylog, sp.harmonic):
        exact = fraction(sp.Rational(sp.cancel(expr_at)))
        return Enclosure(exact, exact)
    return enclose(expr, values, digits)


def check_size(law: Distribution, s: int) -> None:
    """Raise ``NotClosed`` for a distribution with symbols whose closed form would take minutes."""
    if not law.parameters or law.open_ends or law.finite:
        return
    try:
        degree = max((p.degree() for p in law.summand.function.terms.values()), default=0)
    except NotClosed:  # said where the ranges are known
        return
    for name, size, largest in (
        ("parameters", degree * len(law.parameters), LARGEST_SIZE),
        ("s", degree * s, LARGEST_WITH_S),
    ):
        if size > largest:
            raise NotClosed(
                f"degree {degree} in k is too large for a closed form: degree × {name} is {size}, at most {largest}"
            )
