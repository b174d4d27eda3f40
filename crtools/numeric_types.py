"""Names for the values that flow through the numerics, for type annotations: exact numbers, balls, symbols, arrays.

Import them under ``TYPE_CHECKING`` or at the top: this module loads no library.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import flint
    import numpy as np
    import numpy.typing as npt
    import sympy as sp
    from sympy.polys.rings import PolyElement

Exact: TypeAlias = int | Fraction
"""A rational number without error."""

Ball: TypeAlias = "flint.arb"
"""A real number enclosed by FLINT: a midpoint and a radius. A ball has no truth value."""

BallPoly: TypeAlias = "flint.arb_poly"
BallMatrix: TypeAlias = "flint.arb_mat"
"""Polynomials and matrices of balls."""

Rational: TypeAlias = "flint.fmpq"
"""FLINT's rational number, exact as a ``Fraction`` and faster."""

RationalPolys: TypeAlias = "flint.fmpq_mpoly"
"""A polynomial of FLINT's rationals in several variables."""

SymExpr: TypeAlias = "sp.Expr"
"""A SymPy expression in the letters of a setting or a distribution."""

Symbol: TypeAlias = "sp.Symbol"
SymPoly: TypeAlias = "sp.Poly"
RingPoly: TypeAlias = "PolyElement"
"""A SymPy symbol, a polynomial with generators, and an element of a sparse polynomial ring."""

IntArray: TypeAlias = "npt.NDArray[np.int64]"
FloatArray: TypeAlias = "npt.NDArray[np.float64]"
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"
ObjectArray: TypeAlias = "npt.NDArray[np.object_]"
"""NumPy arrays; a docstring says the shape."""

PerRequest: TypeAlias = "int | Sequence[int] | IntArray"
"""One integer for all requests, or one for each."""

RingElement: TypeAlias = Any
"""An element of whichever ring a formula is evaluated in: ``Fraction``, ball, SymPy expression, or NumPy array of these.

Formulas are written once over all four, so that no narrower type is true of them."""

FieldElement: TypeAlias = Any
"""An element of ℚ or ℚ(parameters) in SymPy's domains, whose class depends on the ground types that are installed."""

SymObject: TypeAlias = Any
"""A symbol, an expression, a sum or a relation of SymPy, where SymPy's own types do not tell which."""

Columns: TypeAlias = Mapping[str, Sequence[Any]]
"""A table by columns: names with values of equal number, which may be numbers, texts or None."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object, as ``json.dumps`` takes it."""
