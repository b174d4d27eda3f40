"""crtools: a theory-verification toolkit for competitive ratios of LLM-inference schedulers.

``__getattr__`` loads a public name on first use, so ``import crtools`` loads nothing heavy. The names and their modules are
those that the stub ``__init__.pyi`` imports. A new name stands there in an import and in ``__all__``, in docs/api on its page and in
``index.md``, and has an example (tests/test_objects.py). A ledger brings ``experiment``. The version stands in pyproject.toml and
CITATION.cff too. Tests: tests/test_imports.py.
"""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"


def _public_names() -> dict[str, str]:
    """Return the module of each public name."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_bytes()).body
    imports = [node for node in stub if isinstance(node, ast.ImportFrom) and str(node.module).startswith("crtools.")]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_MODULES = _public_names()

__all__ = sorted([*_MODULES, "__version__", "experiment"])  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'crtools' has no attribute {name!r}")
    try:
        if name == "experiment":
            return import_module("crtools.installed_ledgers").brought("functions", {})[name]
        return getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("crtools", "check")):
            raise
        installed = "crtools is not installed for this Python: run .venv/bin/python (./run verify makes it)"
        raise ModuleNotFoundError(f"{error}; {installed}", name=error.name) from None


def __dir__() -> list[str]:
    return sorted(__all__)
