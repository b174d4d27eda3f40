"""Pickling without cached properties, which are computed again in the other process."""

from __future__ import annotations

from functools import cached_property
from typing import Any


class WithoutCaches:
    """An object that is pickled and copied without the values of its cached properties.

    They can be long, and a polynomial ring of SymPy among them cannot be pickled (``PolyRing.__getstate__`` deletes from
    the dictionary that it goes through).
    """

    def __getstate__(self) -> dict[str, Any]:
        kind = type(self)
        return {k: v for k, v in vars(self).items() if not isinstance(getattr(kind, k, None), cached_property)}
