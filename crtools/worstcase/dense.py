"""The worst case for forms without a tail structure: dense, for small u, certified where the matrices allow it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from crtools.enclosure import Enclosure
from crtools.errors import InputError, NotCertified
from crtools.forms import Form
from crtools.setting import Setting

LARGEST_DENSE = 4000
"""A dense solve takes 8 n² bytes a matrix and of the order of n³ operations."""

LARGEST_EXACT = 120
"""Up to this order the exact check of D⁻¹N ≥ 0 runs in seconds."""


def dense_worst_case(numerator: Form, against: Form, setting: Setting) -> tuple[float, Any]:
    """Return (value, weights ≥ 0) of the largest ratio found: the top eigenvector, else a local search over x ≥ 0.

    Raises ``InputError`` where the order exceeds ``LARGEST_DENSE`` or the denominator is not positive definite.
    """
    import scipy.linalg

    if setting.size > LARGEST_DENSE:
        raise InputError("u", setting.u, f"forms without a tail structure take u − l < {LARGEST_DENSE}")
    kept = [k - setting.l for k in setting.lengths()]
    n, d = (f.on(setting).matrix(float)[np.ix_(kept, kept)] for f in (numerator, against))
    try:
        _, vectors = scipy.linalg.eigh(n, d, subset_by_index=[len(kept) - 1, len(kept) - 1])
    except np.linalg.LinAlgError:
        raise InputError("against", against.name, "must be positive definite in this setting") from None
    x = vectors[:, 0] * np.sign(vectors[:, 0].sum() or 1.0)
    if not (x > -1e-12 * np.abs(x).max()).all():
        x = _ascend(n, d, np.maximum(x, 0))
    x = np.maximum(x, 0)  # rounding noise of an eigenvector that is zero there
    weights = np.zeros(setting.size)
    weights[kept] = x / x.sum()
    return float(x @ n @ x / (x @ d @ x)), weights


def dense_enclosure(numerator: Form, against: Form, setting: Setting, weights: Any, digits: int) -> Enclosure:
    """Return exact rational Collatz–Wielandt bounds; raises ``NotCertified`` unless D⁻¹N > 0 is shown exactly."""
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    if setting.size > LARGEST_EXACT:
        raise NotCertified(f"forms without a tail structure are certified for u − l < {LARGEST_EXACT}")

    kept = [k - setting.l for k in setting.lengths()]

    def exact(form: Form) -> Any:
        rows = form.on(setting).matrix()[np.ix_(kept, kept)]
        return DomainMatrix([[QQ(e.numerator, e.denominator) for e in row] for row in rows], rows.shape, QQ)

    try:
        product = exact(against).lu_solve(exact(numerator)).to_list()
    except Exception as error:
        raise NotCertified(f"the matrix of {against.name} is singular in this setting") from error
    if not _positive_definite(against.on(setting).matrix()):
        raise NotCertified(f"the matrix of {against.name} is not positive definite in this setting")
    if not all(entry > 0 for row in product for entry in row):
        raise NotCertified(
            f"D⁻¹N has an entry ≤ 0 for {numerator.name} against {against.name}: Collatz–Wielandt does not apply"
        )
    m = [[Fraction(int(e.numerator), int(e.denominator)) for e in row] for row in product]
    x = [Fraction(float(weights[k])) if weights[k] > 0 else Fraction(1, 10**300) for k in kept]
    width = float("inf")
    for _ in range(60):
        y = [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in m]
        quotients = [a / b for a, b in zip(y, x, strict=True)]
        low, high = min(quotients), max(quotients)
        if high - low <= 9 * Fraction(10) ** (-digits) * low:
            return Enclosure(low, high, "exact Collatz–Wielandt quotients", ("Perron–Frobenius", "Collatz–Wielandt"))
        width, top = float((high - low) / low), max(y)
        x = [_dyadic(a / top, 4 * digits + 64) for a in y]
    raise NotCertified("no enclosure of the asked width", width)


def _positive_definite(matrix: Any) -> bool:
    """Return whether every pivot of exact elimination is positive."""
    rows = [list(row) for row in matrix]
    for a, row in enumerate(rows):
        if row[a] <= 0:
            return False
        for below in rows[a + 1 :]:
            factor = below[a] / row[a]
            if factor:
                below[a:] = [x - factor * y for x, y in zip(below[a:], row[a:], strict=True)]
    return True


def _dyadic(x: Fraction, bits: int) -> Fraction:
    return Fraction(max(1, round(x * 2**bits)), 2**bits)


def _ascend(n: Any, d: Any, x: Any, steps: int = 2000) -> Any:
    """Return a local maximiser of the ratio over x ≥ 0 by projected gradient ascent with backtracking."""
    x = x / x.sum() if x.sum() else np.full(len(x), 1 / len(x))
    best, step = float(x @ n @ x / (x @ d @ x)), 1.0
    for _ in range(steps):
        gradient = 2 * (n @ x - best * (d @ x)) / (x @ d @ x)
        while step > 1e-18:
            y = np.maximum(x + step * gradient, 0)
            value = float(y @ n @ y / (y @ d @ y)) if y.any() else 0.0
            if value > best:
                x, best, step = y / y.sum(), value, step * 2
                break
            step /= 2
        else:
            break
    return x
