"""A_min's worst case over H-SF's where s, l and u grow together, s/l → τ > 0: the equation that the limit solves, in floats.

With p = (s + k)/l, x = τ/(2p), tails T(p), T = 1 at k = l, δ = x d/dx and c = 1 + τ + ∫ T dp, the eigenvalue equation of the tails makes
U = 2λ(2p − τ)T − c solve, with μ² = 4 − 3/λ,

    δ²U − μ²U − x(δ² − δ + 2 − μ²)U + (3c/λ)(1 − x) = 0,

a hypergeometric equation: two series in x with the exponents ±μ and one in whole powers. With h = 2U − δU, p₀ = 1 + τ and
y = u/l the conditions at the ends are

    U − h(3 − 4x)/(12(1 − x)) = 1 at p₀,   h = 0 at y + τ,   2(λ − 1) = c − p₀ + h/(6(2 + τ)) at p₀.

At τ → 0 this is ``continuous``, where the series are exponentials.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from crtools.worst_cases import worst_case

TERMS, DIGITS = 80, 20
"""Of each series, whose terms fall at least like 2^(−k); decimals of the floats."""


def _coefficients(exponent: Any, square: Any, first: Any, second: Any | None = None) -> list[Any]:
    """Return the coefficients of x^(exponent + k) in a solution that begins with ``first`` (and ``second``)."""
    found = [first] if second is None else [first, second]
    while len(found) < TERMS:
        e = exponent + len(found) - 1
        found.append(found[-1] * (e * e - e + 2 - square) / ((e + 1) ** 2 - square))
    return found


def excess(value: Any, tau: Any, y: Any) -> Any:
    """Return the difference of the two sides of the last condition at λ = ``value``, the others met; mpmath's floats."""
    from mpmath import log, lu_solve, matrix, mpf, sqrt

    square = 4 - 3 / value
    root, constant = sqrt(square), 3 / (value * square)
    near, far = tau / (2 * (1 + tau)), tau / (2 * (y + tau))
    exponents = (root, -root, mpf(0))
    families = [_coefficients(e, square, mpf(1)) for e in exponents[:2]]
    families.append(_coefficients(mpf(0), square, constant, 2 * constant / (1 - square)))

    def values(x: Any) -> list[tuple[Any, Any]]:
        """Each family's U and 2U − δU at x."""
        terms = [
            [c * x**k * (x / near) ** e for k, c in enumerate(row)] for e, row in zip(exponents, families, strict=True)
        ]
        return [
            (sum(row), sum((2 - e - k) * t for k, t in enumerate(row))) for e, row in zip(exponents, terms, strict=True)
        ]

    def mass(e: Any, row: list[Any]) -> Any:
        """∫ U/(4λx(1−x)) dx from far to near: the sums of the coefficients up to k are those of U/(1−x)."""
        total = summed = mpf(0)
        for k, c in enumerate(row):
            summed += c
            total += summed * (log(near / far) if e + k == 0 else (near**k - far**k * (far / near) ** e) / (e + k))
        return total / (4 * value)

    here, there = values(near), values(far)
    rest = (log(near / far) - log((1 - near) / (1 - far))) / (4 * value)
    system = matrix(
        [
            [u - h * (3 - 4 * near) / (12 * (1 - near)) for u, h in here],
            [h for _, h in there],
            [
                (1 - rest if n == 2 else 0) - mass(e, row)
                for n, (e, row) in enumerate(zip(exponents, families, strict=True))
            ],
        ]
    )
    found = lu_solve(system, matrix([1, 0, 1 + tau]))
    slope = sum(found[n] * h for n, (_, h) in enumerate(here)) / (6 * (2 + tau))
    return found[2] - (1 + tau) + slope - 2 * (value - 1)


def limit(alpha: Fraction, tau: Fraction) -> float:
    """Return the root of the equation nearest to the worst case at l ≤ 100, as a float; 0 < α < 1 and τ > 0."""
    from mpmath import findroot, mpf, workdps

    start = at_finite(alpha, tau, 100)
    with workdps(DIGITS):
        y, t = mpf(alpha.denominator) / alpha.numerator, mpf(tau.numerator) / tau.denominator
        return float(findroot(lambda value: excess(value, t, y), (mpf(start), mpf(start) + mpf("0.001")), tol=1e-12))


def at_finite(alpha: Fraction, tau: Fraction, most: int) -> float:
    """Return the worst case at the largest l ≤ ``most`` at which l/α and τl are whole, as a float."""
    step = alpha.numerator * tau.denominator
    l = most // step * step
    return worst_case(l=l, u=int(l / alpha), s=int(tau * l)).value
