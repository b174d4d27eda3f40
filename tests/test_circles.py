"""No circle of imports in crtools/, among modules or among rooms, by any import: at load, in functions, or for types only."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from parsed import MODULES, parsed, source

Graph = dict[str, set[str]]


def sources() -> dict[str, str]:
    """The source of each module of the package, by its full name."""
    paths = {Path("crtools", name).with_suffix(""): path for name, path in MODULES.items()}
    return {".".join(p.parts).removesuffix(".__init__"): source(path) for p, path in paths.items()}


def imports(node: ast.AST, lazy: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Iterate over the imports below a node, each with whether it is ``lazy``: in a function, or for types only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, lazy
        elif isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            yield from ((each, True) for part in child.body for each, _ in imports(ast.Module([part], [])))
            yield from imports(ast.Module(child.orelse, []), lazy)
        else:
            yield from imports(child, lazy or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


@cache
def imports_of(text: str) -> tuple[tuple[ast.Import | ast.ImportFrom, bool], ...]:
    return tuple(imports(parsed(text)))


def named(statement: ast.Import | ast.ImportFrom, modules: Iterable[str]) -> Iterator[str]:
    """Iterate over the modules that a statement imports."""
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
        return
    assert statement.level == 0, f"a relative import: {ast.unparse(statement)}"
    for alias in statement.names:
        whole = f"{statement.module}.{alias.name}"
        yield whole if whole in modules else str(statement.module)


def graph(code: Mapping[str, str], *, lazy: bool) -> Graph:
    """What each module imports of the package; with ``lazy`` also in its functions and for types only."""
    found: Graph = {name: set() for name in code}
    for name, text in code.items():
        for statement, later in imports_of(text):
            if lazy or not later:
                found[name] |= {other for other in named(statement, code) if other in code and other != name}
    return found


def rooms(modules: Graph) -> Graph:
    """The graph of the folders (and root modules) of the package."""
    found: Graph = {}
    for name, others in modules.items():
        own = found.setdefault(room(name), set())
        own |= {room(other) for other in others if room(other) != room(name)}
    return found


def room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def circle(graph: Graph) -> list[str]:
    """A circle of the graph; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


CODE = sources()


def test_the_graph_is_that_of_the_package() -> None:
    loads, runs = graph(CODE, lazy=False), graph(CODE, lazy=True)
    assert len(CODE) > 235
    assert "crtools.ratios.ratio" in loads["crtools.ratios.derivation"]
    assert "crtools.ratios.ratio" in runs["crtools.cli.ratios"] - loads["crtools.cli.ratios"]
    assert not any("crtools.papers" in name for name in loads["crtools"])


@pytest.mark.parametrize("lazy", [False, True])
def test_no_module_imports_itself_through_others(lazy: bool) -> None:
    assert circle(graph(CODE, lazy=lazy)) == []


@pytest.mark.parametrize("lazy", [False, True])
def test_no_room_imports_itself_through_others(lazy: bool) -> None:
    assert circle(rooms(graph(CODE, lazy=lazy))) == []


@pytest.mark.parametrize(
    ("module", "line", "lazy"),
    [
        ("crtools.ratios.ratio", "from crtools.ratios.derivation import Derivation", False),
        ("crtools.ratios.ratio", "def f():\n    from crtools.ratios import derivation", True),
        ("crtools.data_files", "class A:\n    import crtools.distributions.base", False),
        (
            "crtools.ledger.ledger",
            "def f():\n    return lambda: __name__\ndef g():\n    import crtools.ledger.run",
            True,
        ),
        (
            "crtools.distributions.ranges",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from crtools.distributions import base",
            True,
        ),
    ],
)
def test_a_circle_is_seen(module: str, line: str, lazy: bool) -> None:
    changed = {**CODE, module: f"{CODE[module]}\n{line}\n"}
    assert module in circle(graph(changed, lazy=True))
    assert (module in circle(graph(changed, lazy=False))) is not lazy


def test_an_arrow_from_a_room_to_one_above_it_is_seen() -> None:
    changed = {**CODE, "crtools.proof.symbols": CODE["crtools.proof.symbols"] + "\nimport crtools.report.page\n"}
    assert circle(graph(changed, lazy=True)) == []
    assert {"crtools.proof", "crtools.report"} <= set(circle(rooms(graph(changed, lazy=False))))
