"""``decide_order`` decides whether a quantity is O(g), or at least of the order g, as α → 0, by proved orders in L = ln(1/α)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import sympy as sp

from crtools.closed_form.normal_form import simplified
from crtools.errors import InputError
from crtools.ledger.deciders.ranges import formula_on, small
from crtools.ledger.evidence import Data, Evidence, JsonValue, Open, Refuted, by_theorem, records
from crtools.numeric_types import SymExpr
from crtools.proof.theorem import Theorem, kept
from crtools.signs.one_variable import limit_of
from crtools.signs.parameters import positive_at_infinity

BIG = sp.Symbol("L", positive=True)
"""L = ln(1/α)."""


@dataclass(frozen=True)
class Growth:
    """A growth g: as given, and as an expression in L = ln(1/α)."""

    text: str
    expr: SymExpr

    @property
    def typed(self) -> str:
        """The growth as people write it."""
        return self.text.replace("alpha", "α").replace("**", "^")

    @property
    def order(self) -> str:
        """O(g)."""
        return f"$O({self.typed})$"


def growth_of(name: str, text: str) -> Growth:
    """Return the growth that a claim is given; ``InputError`` unless it is positive for small α."""
    _, expr = formula_on(name, text, {"alpha": sp.exp(-BIG)}, small("alpha"))
    expr = sp.simplify(sp.expand_log(expr, force=True))
    if expr.has(sp.Min, sp.Max):
        expr = simplified(expr, lambda part: positive_at_infinity(part, BIG))
    if expr.has(sp.Sum, sp.Min, sp.Max) or not positive_at_infinity(expr, BIG):
        raise InputError(name, text, "must be an expression in alpha that is positive for small alpha")
    return Growth(text.strip(), expr)


def power_of(power: Fraction) -> Growth:
    """Return α^(−power) as a growth."""
    return Growth(f"alpha**(-{power})", sp.exp(sp.Rational(power) * BIG))


Proofs = tuple[Callable[[], Theorem], ...]


@dataclass(frozen=True)
class Order:
    """Proved bounds on a quantity's growth, in L: it is at least of the order ``lower`` and at most of the order ``upper``.

    Each has its theorems; None for no bound. ``witness``: for a growth, instances of the theorem that refutes it, the actual order
    there, and the same by other code. ``stays``: why that is no artefact of a limit. ``tried``: what an open verdict says was tried.
    """

    witness: Callable[[Growth], tuple[Data, JsonValue, JsonValue]]
    lower: SymExpr | None = None
    lower_theorems: Proofs = ()
    upper: SymExpr | None = None
    upper_theorems: Proofs = ()
    stays: str = ""
    tried: str = "the limits of the proved orders over the growth"


def decide_order(growth: Growth, order: Order, side: Literal["at most", "at least"] = "at most") -> Evidence:
    """Decide whether a quantity is at most (at least) of the order g, with one constant: by limits of proved orders."""
    proves, refutes = ("most", "least") if side == "at most" else ("least", "most")
    orders = {"least": order.lower, "most": order.upper}
    proofs = {"least": order.lower_theorems, "most": order.upper_theorems}
    known = {name: expr for name in (proves, refutes) if (expr := orders[name]) is not None}
    quotients = {name: expr / growth.expr if side == "at most" else growth.expr / expr for name, expr in known.items()}
    limits: dict[str, Any] = {name: limit_of(quotient, BIG) for name, quotient in quotients.items()}
    values = {
        "growth_in_L": str(growth.expr),
        "order_in_L": str(order.lower if order.lower is not None else order.upper),
        "limits_of_orders_over_growth" if side == "at most" else "limits_of_growth_over_orders": {
            name: "not found" if limit is None else str(limit) for name, limit in limits.items()
        },
    }
    limit: Any = limits.get(proves)
    if limit is not None and limit.is_finite and limit.is_real and limit >= 0:
        return by_theorem(*map(kept, proofs[proves]), values=values)
    if limits.get(refutes) is not sp.oo:
        return Open(order.tried, values)
    theorems = tuple(map(kept, proofs[refutes]))
    if not all(theorem.holds for theorem in theorems):
        return by_theorem(*theorems, values=values)
    instance, actual, second = order.witness(growth)
    claimed = growth.order if side == "at most" else f"at least of the order ${growth.typed}$"
    return Refuted(instance, claimed, actual, second, order.stays, records(*theorems), values)
