"""The committed figures, for pages that show one by its place in the repository, ``figures/NAME.png``."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files
from sources import ROOT

IN_THE_REPOSITORY, ON_THE_SITE = "](../../figures/", "](../figures/"


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add figures/NAME.png for every figure."""
    for path in sorted((ROOT / "figures").glob("*.png")):
        files.append(File.generated(config, f"figures/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Point a page of a folder, such as beyond/, to the figure on the site."""
    return markdown.replace(IN_THE_REPOSITORY, ON_THE_SITE)
