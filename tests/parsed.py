"""The package's modules, each read and parsed once for all tests of a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from paths import ROOT

PACKAGE = ROOT / "crtools"
MODULES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
TOOLKIT = {name: path for name, path in MODULES.items() if not name.startswith("papers/")}
"""All but what belongs to a theory."""


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)
