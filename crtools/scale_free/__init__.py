"""Scale-free kernels: the supremum of a quadratic form over that of min, where scaling both arguments scales the kernel.

A delay K(x, y) of a job of size x by one of size y with K(tx, ty) = t K(x, y) is diagonal in the powers of the size, z = ½ + iξ:
the form Σ K(v_i, v_j) is at most the supremum over ξ of the kernel's Mellin symbol over that of min, times Σ min(v_i, v_j)
(Bochner). :class:`Kernel` is that quotient; :func:`supremum` encloses its supremum, by balls on a bounded range and a proved bound
beyond; ``crtools.scale_free.kernel`` has the kernels of the b-scaling policies. Claims about one machine
use them. Tests: tests/scale_free/test_scale_free.py.
"""

from __future__ import annotations

from crtools.scale_free.kernel import Bend, Kernel, Lattice, Piece, Symbol, common_offset, fixed_thresholds, own_offsets
from crtools.scale_free.supremum import Cover, at_most, peak_at_zero, supremum

__all__ = [
    "Bend",
    "Cover",
    "Kernel",
    "Lattice",
    "Piece",
    "Symbol",
    "at_most",
    "common_offset",
    "fixed_thresholds",
    "own_offsets",
    "peak_at_zero",
    "supremum",
]
