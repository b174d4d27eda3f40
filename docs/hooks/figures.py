"""The committed figures, for pages that show one by its place in the repository, ``figures/NAME.png``."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.structure.files import File, Files
from sources import ROOT

IN_THE_REPOSITORY = re.compile(r"\]\((\.\./)?\.\./figures/")
"""As a page of this folder, or of a folder in it, names a figure's folder; on the site that is one step nearer."""


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add figures/NAME.png for every figure."""
    for path in sorted((ROOT / "figures").glob("*.png")):
        files.append(File.generated(config, f"figures/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Point a page to the figure on the site."""
    return IN_THE_REPOSITORY.sub(lambda m: f"]({m[1] or ''}figures/", markdown)
