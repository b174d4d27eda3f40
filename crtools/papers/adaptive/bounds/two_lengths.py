"""Forms on two lengths l < u, with weights x on l and y on u, t = x/y and α = l/u, and their suprema over H-SF's."""

from math import sqrt

import sympy as sp

from crtools.forms import form
from crtools.numeric_types import RingElement

alpha, t = sp.symbols("alpha t", positive=True)
l, u, s, x, y = sp.symbols("l u s x y", positive=True)  # x = x_l, y = x_u
K = sp.Symbol("K", positive=True)


def value_of(
    name: str, l: RingElement = l, u: RingElement = u, s: RingElement = s, x: RingElement = x, y: RingElement = y
) -> RingElement:
    """Return a form at weights x on l and y on u, numbers or expressions."""
    unbound = form(name)
    entry = (unbound if unbound.bind is None else unbound.bind(l, u)).formula
    return entry(l, l, s) * x**2 + 2 * entry(l, u, s) * x * y + entry(u, u, s) * y**2


def at_zero(name: str) -> RingElement:
    """Return a form at s = 0 divided by u² y², in α and t."""
    return sp.cancel(value_of(name).subs({s: 0}).subs({l: alpha * u, x: t * y}) / (u**2 * y**2))


def suprema(s: int, l: int, u: int) -> tuple[float, float]:
    """Return the suprema of A_min's and A_ℓ's form over H-SF's on {l, u}: those of the theorems for every s, in floats."""
    z = (s + u) / (s + l)
    root = sqrt(z * u / l)
    return 1 + (root - 1) / (2 * z), 1 + (1 / (2 * (root - 1)) if root >= 2 else 2 / root**2)
