from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXPECTED = {
    "01-log-theorem": ("0.2555",),
    "02-new-distributions": ("43/29", "q → 1: 43/29", "supremum 1.71555328", "refuted"),
    "03-simulation": ("H-SF    13:", "optimum 12:", "proved: True", "both engines give the same starts: True"),
}
"""What a reader must see among a notebook's outputs."""

FOLDER = Path(__file__).parent.parent / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.name)
def test_notebook_runs_from_top_to_bottom(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert len(code) >= 5
    assert all(cell.execution_count for cell in code)
    printed = "".join(out.get("text", "") for cell in code for out in cell.outputs)
    assert "refuted" in printed
    for expected in EXPECTED[path.stem]:
        assert expected in printed
    assert any("image/png" in out.get("data", {}) for cell in code for out in cell.outputs)
