"""Tables for pandas, where it is installed: an extra that nothing else needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any


def frame(data: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Any:
    """Return columns or rows as a pandas DataFrame; ``ImportError`` with what to install where pandas is not there."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError("a table needs pandas: pip install 'crtools[pandas]'") from None
    return pandas.DataFrame(dict(data) if isinstance(data, Mapping) else list(data))
