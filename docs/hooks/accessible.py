"""Names for what the theme leaves without one, for readers who hear a page or go through it by keys (axe-core finds the rest clean)."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

SECTION = re.compile(
    r'aria-labelledby="(__nav_\w+?)_label"([^>]*>\s*<label class="md-nav__title" for="\1">\s*<span[^>]*></span>)(.*?)</label>',
    re.DOTALL,
)
"""A part of the navigation, its mark and its title."""

NESTED_CONTENTS = re.compile(r'<nav class="md-nav" aria-label="[^"]*">')
"""A list below an entry of a page's contents: no landmark of its own, and two may have one name."""

EMPTY_HEAD = re.compile(r"<th([^>]*)></th>")

FORMULA_LINK = re.compile(r"<a ([^>]*)>(<math\b(?:(?!</math>).)*</math>)</a>", re.DOTALL)
"""A link that is a formula and nothing else: programs that read a page aloud see no text in it."""


def named(html: str) -> str:
    """Return a page with names for search, navigation and links that are formulas, and with no empty heads of columns."""
    html = SECTION.sub(_named, html.replace('role="dialog"', 'role="dialog" aria-label="Search"'))
    html = FORMULA_LINK.sub(lambda link: f'<a aria-label="{_words(link[2])}" {link[1]}>{link[2]}</a>', html)
    html = NESTED_CONTENTS.sub('<nav class="md-nav" role="presentation">', html)
    return EMPTY_HEAD.sub(r"<td\1></td>", html)


def _named(found: re.Match[str]) -> str:
    return f'aria-label="{_words(found[3])}"{found[2]}{found[3]}</label>'


def _words(html: str) -> str:
    """Return the text of a piece of a page, as the value of an attribute."""
    return escape(unescape(" ".join(re.sub(r"<[^>]*>", " ", html).split())))


def on_post_page(output: str, **_: Any) -> str:
    """Name what has no name."""
    return named(output)


def on_post_template(output_content: str, template_name: str, **_: Any) -> str:
    """Name what has no name on the page for addresses that lead nowhere."""
    return named(output_content) if template_name.endswith(".html") else output_content
