"""The errata with their formulas typeset: the page in the repository has them in Unicode."""

from __future__ import annotations

from typing import Any

from decide import decided
from mkdocs.structure.files import Files

from crtools.installed_ledgers import DEFAULT
from crtools.ledger.registry import load
from crtools.notation.latex import to_latex
from crtools.notation.marked_text import runs
from crtools.report.errata import escaped, markdown


def typeset(text: str) -> str:
    """Return a marked text as Markdown with formulas in LaTeX."""
    return "".join(f"\\({to_latex(part)}\\)" if maths else escaped(part) for part, maths in runs(text))


PAGE = "errata.md"


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Let the errata be written last, as they speak of what is decided last."""
    own = files.get_file_from_path(PAGE)
    assert own is not None
    files.remove(own)
    files.append(own)
    return files


def on_page_markdown(text: str, page: Any, **_: Any) -> str:
    """Write the page anew."""
    return markdown(decided(DEFAULT), load(), typeset) if page.file.src_uri == PAGE else text
