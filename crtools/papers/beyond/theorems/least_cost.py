"""The cost (y−1)(2y−1)/(y ln² y) has one stationary point in y > 1, and it is the minimum."""

from __future__ import annotations

import sympy as sp

from crtools.blind.least import cost, cost_where_stationary, slope, stationarity
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

y, x, L = sp.symbols("y x L", positive=True)


def theorem() -> Theorem:
    """The cost falls up to the stationary point and rises from there on."""

    def derivative(expr: sp.Expr) -> sp.Expr:
        return sp.diff(expr, y) + sp.diff(expr, L) / y  # L stands for ln y

    flat = sp.solve(stationarity(y, L), L)[0]
    proof = Proof(
        "one stationary point",
        "every $y > 1$; $L = ln y$",
        r"f(y) = \tfrac{(y-1)(2y-1)}{y\ln^2 y}\text{ has one stationary point } y^* > 1,\ f(y) \ge f(y^*) = \rho^*",
    )
    proof.identity(
        "the derivative has the sign of h(y) = L − 2(y−1)(2y−1)/(2y²−1), as 2y² > 1",
        derivative(cost(y, L)),
        (2 * y**2 - 1) / (y**2 * L**3) * stationarity(y, L),
    )
    proof.identity("the derivative of h", derivative(stationarity(y, L)), slope(y))
    proof.positive("two factors of it, at y = 1 + x", (2 * x**2 + 2 * x + 1) / (2 * (1 + x) ** 2 - 1) ** 2, (x, 0))
    proof.identity("h starts at 0", stationarity(sp.Integer(1), 0), 0)
    proof.therefore(
        r"h < 0 \text{ on } (1, y^*),\quad h > 0 \text{ beyond}",
        "the last factor of h' is 2x² − 1: h falls from 0 up to x = 1/√2 and then rises, to infinity as the logarithm does",
    )
    proof.identity("the cost at the stationary point", cost(y, flat), cost_where_stationary(y))
    return proof.therefore(r"f(y) \ge f(y^*) = \rho^*").qed()
