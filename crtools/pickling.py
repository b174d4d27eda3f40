"""``WithoutCaches``: pickling without cached properties; the other process computes them again."""

from functools import cached_property
from typing import Any


class WithoutCaches:
    """Base of objects whose pickles and copies leave out cached properties.

    These can be large, and a SymPy polynomial ring cannot be pickled (``PolyRing.__getstate__`` changes a dictionary while iterating).
    """

    def __getstate__(self) -> dict[str, Any]:
        kind = type(self)
        return {k: v for k, v in vars(self).items() if not isinstance(getattr(kind, k, None), cached_property)}
