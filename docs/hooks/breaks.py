"""Places at which long paths and formulas in the cells of a table may break, so that tables fit on a phone."""

from __future__ import annotations

import re
from typing import Any

CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
CODE = re.compile(r"(?<=<code>)[^<]+(?=</code>)")
LONG = re.compile(r"\S{16,}")
"""A word that is too wide for a column on a phone."""

AFTER = re.compile(r"(?<=[/_(,=*+.#:])(?=[\w(])")


def breakable(html: str) -> str:
    """Return a page with ``<wbr>`` after slashes, operators and brackets of long words of code in tables."""

    def words(code: re.Match[str]) -> str:
        return LONG.sub(lambda word: AFTER.sub("<wbr>", word[0]), code[0])

    return CELL.sub(lambda cell: CODE.sub(words, cell[0]), html)


def on_post_page(output: str, **_: Any) -> str:
    """Let long words of code in tables break."""
    return breakable(output)
