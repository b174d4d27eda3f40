"""Print who uses a module, and the tests and pages to look at: ``.venv/bin/python docs/hooks/users.py crtools/ratios/limits.py``.

A file uses a module if it imports it or a name that it defines, at load, in a function or for types, also through a package that
exports the name. A package's ``__init__.py`` also uses the modules that it names in a list, such as a figure; tests and theories also
use a module of a claim whose id they quote, and tests that of a figure.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAMS = ("crtools", "check", "docs", "benchmarks", "tests")
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "notebooks/*.ipynb", "benchmarks/*.toml", "pyproject.toml")


@cache
def sources() -> dict[str, str]:
    """Return the text of each Python file of the repository by its path from the root; a stub stands for its module."""
    paths = sorted(
        path for folder in PROGRAMS for path in (ROOT / folder).rglob("*.py*") if path.suffix in (".py", ".pyi")
    )
    texts: dict[str, str] = {}
    for path in paths:
        name = path.relative_to(ROOT).with_suffix(".py").as_posix()
        texts[name] = f"{texts.get(name, '')}\n{path.read_text()}"
    return texts


@cache
def pages() -> dict[str, str]:
    """Return the text of each page and list by its path from the root."""
    return {path.relative_to(ROOT).as_posix(): path.read_text() for glob in PAGES for path in sorted(ROOT.glob(glob))}


def dotted(path: str) -> str:
    """Return the full name of a module."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def modules() -> dict[str, str]:
    """Return the path of each module of the package by its full name."""
    return {dotted(path): path for path in sources() if path.startswith(("crtools/", "check/"))}


@cache
def names_in(path: str) -> tuple[tuple[str, str], ...]:
    """Return what a file imports of the package, as (module, name or nothing); and each attribute of ``crtools`` that is read."""
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(sources()[path])):
        if isinstance(node, ast.ImportFrom):
            found += [(str(node.module), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "crtools":
            found.append(("crtools", node.attr))
    return tuple(found)


def defined_in(module: str, name: str) -> Iterator[str]:
    """Iterate over the modules through which a name comes: the one that is imported, and those that it takes the name from."""
    if f"{module}.{name}" in modules():
        yield f"{module}.{name}"
    elif module in modules():
        yield module
        if modules()[module].endswith("__init__.py"):
            for origin, exported in names_in(modules()[module]):
                if exported == name and origin != module:
                    yield from defined_in(origin, name)


@cache
def used(path: str) -> frozenset[str]:
    """Return the full names of the modules that a file uses."""
    return frozenset(each for module, name in names_in(path) for each in defined_in(module, name)) - {dotted(path)}


def claims_of(path: str) -> list[str]:
    """Return the ids of the claims that a module defines."""
    return re.findall(r'^@(?:stated_)?claim\(\s*"([\w-]+)"', sources()[path], re.MULTILINE)


@cache
def users(path: str) -> dict[str, list[str]]:
    """Return the files that use a module, by kind: ``used by``, ``tests``, and the pages and lists in which it is ``named``."""
    module, package, stem = dotted(path), f"{Path(path).parent}/__init__.py", Path(path).stem
    says = ast.get_docstring(ast.parse(sources().get(package, "")), clean=False) or ""
    listed = re.search(rf"\b{stem}\b", sources().get(package, "").replace(says, ""))
    figures = re.findall(rf'"([\w-]+)": Drawing\((?:(?!": Drawing).)*?\.{stem}:', sources().get(package, ""), re.DOTALL)
    by_id, by_figure = (
        re.compile("|".join(f'"{re.escape(name)}"' for name in names) or "(?!)") for names in (claims_of(path), figures)
    )
    callers = [
        other
        for other, text in sources().items()
        if module in used(other)
        or (other == package != path and listed)
        or (other.startswith(("crtools/papers/", "tests/")) and other != path and by_id.search(text))
        or (other.startswith("tests/") and by_figure.search(text))
    ]
    spellings = re.compile(rf"{re.escape(path)}|{re.escape(module)}\b(?!\.)")
    return {
        "used by": [each for each in callers if not each.startswith("tests/")],
        "tests": [each for each in callers if each.startswith("tests/")],
        "named in": [name for name, text in pages().items() if spellings.search(text)],
    }


def tests_of_users(path: str) -> list[str]:
    """Return the tests that use what uses a module."""
    return sorted({test for caller in users(path)["used by"] for test in users(caller)["tests"]})


def main(arguments: list[str]) -> None:
    """Print the users of each module that is named."""
    for argument in arguments:
        path = Path(argument).resolve().as_posix().removeprefix(f"{ROOT.as_posix()}/")
        if path not in sources():
            sys.exit(f"{argument}: must be a Python file below {', '.join(PROGRAMS)}")
        lists = dict(users(path))
        if not lists["tests"]:
            lists["tests of what uses it"] = tests_of_users(path)
        print(path, *(f"  {kind}: {' '.join(files) or 'none'}" for kind, files in lists.items()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
