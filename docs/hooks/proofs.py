"""The proofs as pages: one page per claim, written from the proof objects that its verdict rests on."""

from __future__ import annotations

import gc
from typing import Any

import beside
import decide
import words
from mkdocs.structure.files import File, Files
from theorems import FURTHER, all_proofs, pages

FOLDER = "proofs/"


def on_startup(command: str, **_: Any) -> None:
    """Begin to decide; collect no garbage in a build: it ends before that is worth its time."""
    decide.begun()
    if command == "build":
        gc.disable()


def on_config(config: Any) -> Any:
    """Put the claims' pages into the navigation, under Proofs, once all that may have a proof is decided."""
    decide.wait_for_proofs()
    all_proofs()
    beside.start(FOLDER, pages)
    beside.start(words.NAME, words.whole)
    _fill(config.nav, [f"{FOLDER}{name}.md" for name in _names()])
    return config


def _names() -> list[str]:
    return ["index", *(claim["id"] for claim in all_proofs()["claims"]), FURTHER]


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
    for name in _names():
        files.append(File.generated(config, f"{FOLDER}{name}.md", content=""))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Take the page from the process that writes all of them."""
    return beside.result(FOLDER)[page.file.name] if page.file.src_uri.startswith(FOLDER) else markdown
