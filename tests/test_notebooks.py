"""The notebooks are what notebooks/build.py writes, run again they print what they ship with, and they read nothing else."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import nbformat
import pytest
from paths import ROOT

EXPECTED = {
    "01-log-theorem": ("0.2555", "form-at-zero: proved", "form: proved", "algorithm (stated here): refuted"),
    "02-new-distributions": ("43/29", "q → 1: 43/29", "supremum 1.71555328", "form: refuted"),
    "03-simulation": ("H-SF    13:", "optimum 12:", "proved: True", "both engines give the same starts: True"),
    "04-best-blind": ("2.7283724269", "lower bound, algorithm: proved", "thm-amax-upper: proved", "own-lower: proved"),
}
"""What a reader must see among a notebook's outputs."""

FOLDER = ROOT / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
ELSEWHERE = re.compile(r"shared/|/home/|/root/|/tmp/|/work/|\.\./|parents\[|https?:|expanduser|urlopen")
"""What a cell that reads something outside the project would contain."""


@pytest.fixture(scope="module")
def builder() -> Any:
    spec = importlib.util.spec_from_file_location("build_notebooks", FOLDER / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shipped(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def code(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


def printed(cell: Any) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def kinds(cell: Any) -> set[str]:
    """The kinds of what a cell shows beside what it prints: pictures, formulas."""
    return {kind for output in cell.outputs for kind in output.get("data", {})}


def test_there_is_a_notebook_for_each_list_of_cells(builder: Any) -> None:
    assert sorted(builder.NOTEBOOKS) == NAMES == sorted(EXPECTED)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_has_the_cells_of_the_builder_and_their_outputs(name: str, builder: Any) -> None:
    built, there = builder.build(builder.NOTEBOOKS[name]), shipped(name)
    cells = [[(c.id, c.cell_type, c.source) for c in book.cells] for book in (built, there)]
    assert cells[0] == cells[1], "python notebooks/build.py"
    own = code(there)
    assert len(own) >= 5
    assert [cell.execution_count for cell in own] == list(range(1, len(own) + 1))
    assert not any(ELSEWHERE.search(cell.source) for cell in own)
    text = "".join(map(printed, own))
    assert "refuted" in text and not re.search(r"/tmp/|/home/|/root/", text)
    for expected in EXPECTED[name]:
        assert expected in text
    assert any("image/png" in kinds(cell) for cell in own)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_that_is_run_again_prints_what_it_ships_with(name: str, builder: Any) -> None:
    again = code(builder.run(builder.build(builder.NOTEBOOKS[name])))
    for old, new in zip(code(shipped(name)), again, strict=True):
        texts = [re.sub(r"(\.\d{25})\d+", r"\1…", printed(cell)) for cell in (new, old)]  # ends differ with the machine
        assert texts[0] == texts[1], f"{old.id}: python notebooks/build.py {name}"
        assert kinds(new) == kinds(old)
