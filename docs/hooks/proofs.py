"""The proofs as pages: one page per claim, written from the proof objects that its verdict rests on."""

from __future__ import annotations

from typing import Any

import beside
from mkdocs.structure.files import File, Files
from theorems import all_proofs, claim_page, index_page

FURTHER = "proofs/further.md"


def on_config(config: Any) -> Any:
    """Put the claims' pages into the navigation, under Proofs. First everything is decided, in all processes."""
    pages = ["proofs/index.md", *(f"proofs/{c['id']}.md" for c in all_proofs()["claims"]), FURTHER]
    beside.start("theorems")
    beside.start("words")
    _fill(config.nav, pages)
    return config


def _fill(entries: list[Any], pages: list[str]) -> None:
    """Put the pages where an entry of the navigation is called Proofs, at any depth."""
    for entry in entries:
        for name, below in entry.items() if isinstance(entry, dict) else ():
            if name == "Proofs":
                entry[name] = pages
            elif isinstance(below, list):
                _fill(below, pages)


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add proofs/index.md, a page per claim that has a proof, and the theorems that no claim shows."""
    found = all_proofs()
    files.append(File.generated(config, "proofs/index.md", content=index_page(found)))
    for claim in found["claims"]:
        files.append(File.generated(config, f"proofs/{claim['id']}.md", content=claim_page(claim)))
    files.append(File.generated(config, FURTHER, content=""))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Take the further theorems from the process that writes them."""
    return beside.page("theorems") if page.file.src_uri == FURTHER else markdown
