"""No circle of imports in crtools/: neither of what loads with a module, nor with what its functions import when they run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from parsed import MODULES, parsed, source

Graph = dict[str, set[str]]

BACK = {
    ("crtools.ledger.decide_all", "crtools.certificates.judged"),  # each verdict is judged as soon as it is decided
    ("crtools.ledger.verdict", "crtools.report.claim_text"),  # ClaimResult.show
    ("crtools.ledger.verdict", "crtools.report.card"),  # what a notebook shows of it
    ("crtools.ledger.results", "crtools.report.claim_line"),  # what verify returns shows itself as the ledger's table
    ("crtools.ledger.results", "crtools.report.status_marks"),
    ("crtools.ledger.results", "crtools.report.marked_text"),
}
"""The imports within functions that climb from a room to one above it; no others do."""


def sources() -> dict[str, str]:
    """The source of each module of the package, by its full name."""
    paths = {Path("crtools", name).with_suffix(""): path for name, path in MODULES.items()}
    return {".".join(p.parts).removesuffix(".__init__"): source(path) for p, path in paths.items()}


def imports(node: ast.AST, lazy: bool = False) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Iterate over the imports below a node, each with whether it is in a function; those for types only never run."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, lazy
        elif not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
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
    """What each module imports of the package; with ``lazy`` also in its functions."""
    found: Graph = {name: set() for name in code}
    for name, text in code.items():
        for statement, later in imports_of(text):
            if lazy or not later:
                found[name] |= {other for other in named(statement, code) if other in code and other != name}
    return found


def rooms(modules: Graph, without: Iterable[tuple[str, str]] = ()) -> Graph:
    """The graph of the folders (and root modules) of the package, but for some arrows between modules."""
    found: Graph = {}
    for name, others in modules.items():
        own = found.setdefault(room(name), set())
        own |= {room(other) for other in others if (name, other) not in without and room(other) != room(name)}
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
    assert len(CODE) > 400
    assert "crtools.ratios.ratio" in loads["crtools.ratios.density_limit"]
    assert "crtools.ratios.solve" in runs["crtools.cli.laws"] - loads["crtools.cli.laws"]
    assert not any("crtools.papers" in name for name in loads["crtools"])


@pytest.mark.parametrize("lazy", [False, True])
def test_no_module_imports_itself_through_others(lazy: bool) -> None:
    assert circle(graph(CODE, lazy=lazy)) == []


def test_no_room_loads_itself_through_others() -> None:
    assert circle(rooms(graph(CODE, lazy=False))) == []


def test_few_arrows_alone_climb_from_a_room_to_one_above_it() -> None:
    runs = graph(CODE, lazy=True)
    assert circle(rooms(runs, BACK)) == []
    for arrow in BACK:  # each of them is there, and closes a circle of rooms
        assert arrow[1] in runs[arrow[0]] - graph(CODE, lazy=False)[arrow[0]]
        assert circle(rooms(runs, BACK - {arrow}))


@pytest.mark.parametrize(
    ("module", "line", "lazy"),
    [
        ("crtools.ratios.ratio", "from crtools.ratios.density_limit import DensityLimit", False),
        ("crtools.ratios.ratio", "def f():\n    from crtools.ratios import density_limit", True),
        ("crtools.distributions.columns", "class A:\n    import crtools.distributions.base", False),
        (
            "crtools.ledger.ledger",
            "def f():\n    return lambda: __name__\ndef g():\n    import crtools.ledger.run",
            True,
        ),
    ],
)
def test_a_circle_is_seen(module: str, line: str, lazy: bool) -> None:
    changed = {**CODE, module: f"{CODE[module]}\n{line}\n"}
    assert module in circle(graph(changed, lazy=True))
    assert (module in circle(graph(changed, lazy=False))) is not lazy


def test_an_arrow_from_a_room_to_one_above_it_is_seen() -> None:
    changed = {**CODE, "crtools.proof.rules": CODE["crtools.proof.rules"] + "\nimport crtools.report.tables\n"}
    assert circle(graph(changed, lazy=True)) == []
    assert {"crtools.proof", "crtools.report"} <= set(circle(rooms(graph(changed, lazy=False))))
