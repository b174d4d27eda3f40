"""The notebooks as pages: run from top to bottom at every build, so that what they print is what the code does."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from html import escape
from typing import Any

from cache import ROOT, kept
from mkdocs.structure.files import File, Files

NOTEBOOKS = ROOT / "notebooks"


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add tutorials/NAME.md, and its pictures, for every notebook."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        page = kept(f"notebook-{path.stem}", lambda path=path: rendered(path), path)
        files.append(File.generated(config, f"tutorials/{path.stem}.md", content=page["text"]))
        for name, data in page["pictures"].items():
            content = base64.b64decode(data)
            files.append(File.generated(config, f"tutorials/{name}", content=content))
    return files


def rendered(path: Any) -> dict[str, Any]:
    """Run a notebook and return its page in Markdown with the pictures (base64) that it shows.

    Raises nbclient's ``CellExecutionError`` where a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    path_there = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(book, timeout=600, kernel_name="python3", resources={"metadata": {"path": folder}})
        client.execute(env={**os.environ, "PYTHONPATH": path_there})
    pieces: list[str] = []
    pictures: dict[str, str] = {}
    for number, cell in enumerate(book.cells):
        if cell.cell_type == "markdown":
            pieces.append(cell.source)
            continue
        pieces.append(f"```python\n{cell.source}\n```")
        for output in merged(cell.outputs):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number:02d}-{len(pictures)}.png"
                pictures[name] = data["image/png"]
                pieces.append(f"![What the cell above draws]({name})")
            elif "text/latex" in data:
                pieces.append(f"\\[{formula(data['text/latex'])}\\]")
            else:
                text = output.get("text") or data.get("text/plain", "")
                pieces.append(f'<pre class="output"><code>{escape(text.rstrip(), quote=False)}</code></pre>')
    pieces.insert(1, f"*This page is the notebook `notebooks/{path.name}`, run when the site was built.*")
    return {"text": "\n\n".join(pieces) + "\n", "pictures": pictures}


def merged(outputs: list[Any]) -> list[Any]:
    """Return a cell's outputs with the texts that it printed one after the other in one."""
    found: list[Any] = []
    for output in outputs:
        if found and "text" in output and "text" in found[-1]:
            found[-1] = {"text": found[-1]["text"] + output["text"]}
        else:
            found.append(output)
    return found


def formula(latex: str) -> str:
    """Return what Jupyter hands over as LaTeX without its dollars."""
    return re.sub(r"^\$+\s*(?:\\displaystyle)?|\$+$", "", latex.strip()).strip()
