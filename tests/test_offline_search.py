"""The search of the site where its pages are opened from the file system: a small site with the hook, in a real browser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from report.test_browser import started

CONFIG = """site_name: small
use_directory_urls: false
theme: {name: material, font: false}
plugins: [search]
hooks: [HOOK]
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material")
    folder = tmp_path_factory.mktemp("small")
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Start\n\nA page.\n", encoding="utf-8")
    (folder / "docs" / "other.md").write_text("# Other\n\nThe platypus lays eggs.\n", encoding="utf-8")
    hook = ROOT / "docs" / "hooks" / "offline_search.py"
    (folder / "mkdocs.yml").write_text(CONFIG.replace("HOOK", str(hook)), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, env={"NO_MKDOCS_2_WARNING": "1", "PATH": ""})
    return folder / "site"


@pytest.mark.exhaustive  # takes seconds
def test_a_page_from_the_file_system_is_searched_and_fetches_nothing_from_elsewhere(site: Path, tmp_path: Path) -> None:
    with started(tmp_path / "profile") as page:
        page.set_script_timeout(20)
        page.get((site / "index.html").as_uri())
        found = page.execute_async_script(
            "const done = arguments[0], box = document.querySelector('.md-search__input');"
            "box.focus(); box.value = 'platypus'; box.dispatchEvent(new Event('keyup', {bubbles: true}));"
            "box.dispatchEvent(new Event('input', {bubbles: true}));"
            "const look = () => { const hit = document.querySelector('.md-search-result__link');"
            "if (hit) done(hit.getAttribute('href')); else setTimeout(look, 100); }; look();"
        )
        asked = [
            json.loads(entry["message"])["message"]["params"]["request"]["url"]
            for entry in page.get_log("performance")
            if json.loads(entry["message"])["message"]["method"] == "Network.requestWillBeSent"
        ]
    assert found.startswith((site / "other.html").as_uri())
    assert [url for url in asked if url.startswith(("http:", "https:", "ws:"))] == []


def test_the_pages_load_the_script_before_the_themes_own(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert text.index("offline-worker.js") < text.index("assets/javascripts/bundle")
    assert "https://unpkg" not in text
    assert (site / "search" / "search_index.js").read_text(encoding="utf-8").startswith("var __index = {")
