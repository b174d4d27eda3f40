"""The errata with their formulas typeset: the page in the repository has them in Unicode."""

from __future__ import annotations

import re
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


def on_page_markdown(text: str, page: Any, files: Files, **_: Any) -> str:
    """Write the page anew, with a link to the proofs of each claim that has some."""
    if page.file.src_uri != PAGE:
        return text

    def linked(found: re.Match[str]) -> str:
        proofs = f"proofs/{found[2]}.md"
        return (
            f"{found[1]}[the page]({proofs}) or {found[0].removeprefix(found[1])}"
            if files.get_file_from_path(proofs)
            else found[0]
        )

    written = markdown(decided(DEFAULT), load(), typeset)
    return re.sub(
        r"^(- \*\*Proofs and numbers:\*\* )`crtools verify (\S+) --show`", linked, written, flags=re.MULTILINE
    )
