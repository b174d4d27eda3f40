"""The LaTeX document of docs/beyond: every page, link and work is in it, and it compiles."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from pathlib import Path

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT / "docs" / "hooks"))
import note

PAGES = sorted(path.stem for path in note.PAGES.glob("*.md"))


def test_every_page_has_its_place() -> None:
    assert sorted(note.ORDER) == PAGES


@pytest.mark.parametrize("page", PAGES)
def test_pdflatex_knows_every_character(page: str) -> None:
    text = note.linked((note.PAGES / f"{page}.md").read_text(encoding="utf-8"), page)
    unknown = {c for c in text if ord(c) > 0xFF and c not in note.CHARACTERS and unicodedata.category(c) != "Pd"}
    assert not unknown - set("“”’")


def test_links_within_the_note_stay_links_and_others_become_words() -> None:
    page = (
        "[a](minimax.md#the-lower-bound) [b](#own) [c](../model.md) [d](https://x.org) [e](any-memory.md) ![f](g.png)"
    )
    assert note.linked(page, "a-max") == (
        "[a](#minimax--the-lower-bound) [b](#a-max--own) c [d](https://x.org) [e](#any-memory--top) ![f](g.png)"
    )


def test_the_bibliography_has_each_work_that_the_page_names() -> None:
    text = (note.PAGES / "related-work.md").read_text(encoding="utf-8")
    titles = re.findall(r", \*([^*]+)\*,", text)
    assert {title for _, title, _ in note.works()} == {" ".join(t.split()) for t in titles} | {
        "arXiv 2211.02044",
        "arXiv 2601.22996",
    }


@pytest.mark.exhaustive  # needs Debian's pandoc and texlive-latex-base
def test_the_note_compiles_with_every_theorem_numbered_and_no_link_lost(tmp_path: Path) -> None:
    if shutil.which("pandoc") is None or shutil.which("pdflatex") is None:
        if os.environ.get("CRTOOLS_REQUIRE_LATEX") == "1":
            pytest.fail("CRTOOLS_REQUIRE_LATEX=1 and there is no pandoc or no pdflatex")
        pytest.skip("no pandoc or no pdflatex")
    assert note.write(tmp_path).read_bytes().startswith(b"%PDF")
    text = (tmp_path / "beyond.tex").read_text(encoding="utf-8")
    stated = sum(
        len(re.findall(r"^\*\*(?:Theorem|Lemma|Statement)", (note.PAGES / f"{page}.md").read_text("utf-8"), re.M))
        for page in PAGES
    )
    assert len(re.findall(r"\\begin\{(?:theorem|lemma|statement)\}", text)) == stated > 20
    assert text.count(r"\begin{proof}") == text.count(r"\end{proof}") > 15
    assert "∎" not in text
    log = (tmp_path / "beyond.log").read_text(encoding="utf-8", errors="replace")
    assert "undefined" not in log and "multiply defined" not in log
