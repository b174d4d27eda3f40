"""The notebooks as pages, with the outputs that they ship with; the tests run them again and compare."""

from __future__ import annotations

import base64
import re
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from sources import ROOT

NOTEBOOKS = ROOT / "notebooks"


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add tutorials/NAME.md, its pictures, and the notebook itself, for every notebook."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        text, pictures = page(path)
        files.append(File.generated(config, f"tutorials/{path.stem}.md", content=text))
        for name, content in {path.name: path.read_bytes(), **pictures}.items():
            files.append(File.generated(config, f"tutorials/{name}", content=content))
    return files


def page(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as a page in Markdown, and the pictures that it shows, by their names.

    Raises ``ValueError`` where a cell has not been run.
    """
    import nbformat

    pieces: list[str] = []
    pictures: dict[str, bytes] = {}
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "markdown":
            pieces.append(cell.source)
            continue
        if cell.execution_count is None:
            raise ValueError(f"{path.name} has a cell that was not run: python notebooks/build.py")
        pieces.append(f"```python\n{cell.source}\n```")
        for output in merged(cell.outputs):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number:02d}-{len(pictures)}.png"
                pictures[name] = base64.b64decode(data["image/png"])
                pieces.append(f"![What the cell above draws]({name})")
            elif "text/html" in data:
                pieces.append(f'<div class="wide">{data["text/html"]}</div>')
            elif "text/latex" in data:
                pieces += [f"\\[{line}\\]" for line in formulas(data["text/latex"])]
            else:
                text = output.get("text") or data.get("text/plain", "")
                pieces.append(f'<pre class="output"><code>{escape(text.rstrip(), quote=False)}</code></pre>')
    pieces.insert(1, f"*This page is the notebook [{path.name}]({path.name}), with the outputs of its last run.*")
    return "\n\n".join(pieces) + "\n", pictures


def merged(outputs: list[Any]) -> list[Any]:
    """Return a cell's outputs with the texts that it printed one after the other in one."""
    found: list[Any] = []
    for output in outputs:
        if found and "text" in output and "text" in found[-1]:
            found[-1] = {"text": found[-1]["text"] + output["text"]}
        else:
            found.append(output)
    return found


def formulas(latex: str) -> list[str]:
    """Return what Jupyter hands over as LaTeX without its dollars; of aligned lines each as a formula of its own."""
    bare = re.sub(r"^\$+\s*(?:\\displaystyle)?|\$+$", "", latex.strip()).strip()
    lines = re.fullmatch(r"\\begin\{aligned\}(.*)\\end\{aligned\}", bare, re.DOTALL)
    return [bare] if lines is None else [line.strip().lstrip("&") for line in re.split(r"\\\\(?:\[\w+\])?", lines[1])]
