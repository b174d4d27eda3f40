"""Formulas as MathML, which browsers draw themselves: the pages need no script and no network for them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import sources  # noqa: F401 -- before crtools

from crtools.report.mathml import mathml, pieces

ARITHMATEX = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""What the extension pymdownx.arithmatex makes of \\( … \\), \\[ … \\], $ … $ and $$ … $$."""

ROLE = re.compile(r":(?:class|func|meth|attr|mod):(?=<code>)")
"""The roles of docstrings, which have no meaning in Markdown."""

ELSEWHERE = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?(?:https?:)?//[^>]*>|<link[^>]*stylesheet[^>]*//[^>]*>")
"""An element that a browser would fetch from the network."""

LITERAL = frozenset({"code", "pre", "math", "svg", "script", "style"})
"""Elements whose text is left as it is."""

INDEX = re.compile(r"(?<![A-Za-z])([A-Za-zα-ωΑ-Ωõℓ∫])_(?:\{([^{}]*)\}|([A-Za-z0-9α-ωℓ]+))")
"""x_ij, x_{i,j−1}: one letter with an index. A name with an underscore in it is no formula."""

EXPONENT = re.compile(r"\^(?:\{([^{}]*)\}|([A-Za-z0-9]+|\([^()]*\)))")


def display(latex: str) -> str:
    """Return a formula on lines of its own: a long one is broken at operators. Raises ``ValueError`` as ``mathml`` does."""
    first, *more = (mathml(piece, display=True) for piece in pieces(latex.strip()))
    if not more:
        return f'<div class="formula">{first}</div>'
    rest = (piece.replace("<mo>", '<mo form="infix">', 1) for piece in more)
    inline = "<wbr>".join([first, *rest]).replace('display="block"', 'displaystyle="true"')
    return f'<div class="formula long">{inline}</div>'


def typeset(html: str) -> str:
    """Replace every formula that the Markdown extension marked."""

    def one(match: re.Match[str]) -> str:
        latex = unescape(match[3])
        return display(latex) if match[2] == "[" else mathml(latex)

    return ROLE.sub("", ARITHMATEX.sub(one, html))


def scripts(html: str) -> str:
    """Give x_ij and x_{k−1} an index and r^2 an exponent, in words that stand outside code and formulas."""
    outside = 0
    found: list[str] = []
    for piece in re.split(r"(<[^>]*>)", html):
        tag = re.match(r"<(/?)(\w+)", piece)
        if tag is None:
            found.append(piece if outside else scripted(piece))
            continue
        if tag[2] in LITERAL:
            outside += -1 if tag[1] else 1
        found.append(piece)
    return "".join(found)


def scripted(text: str) -> str:
    """Return plain text with indices and exponents as elements."""
    text = INDEX.sub(lambda m: f"{m[1]}<sub>{m[2] or m[3]}</sub>", text)
    return EXPONENT.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", text)


def on_page_content(html: str, page: Any, **_: Any) -> str:
    """Typeset a page's formulas once its Markdown has been rendered; its table of contents shows them as text."""
    for entry in page.toc:
        untypeset(entry)
    return scripts(typeset(html))


def untypeset(entry: Any) -> None:
    """Take the brackets off the formulas in an entry of a table of contents and in those below it."""
    entry.title = re.sub(r"\\\((.*?)\\\)", r"\1", entry.title)
    for child in entry.children:
        untypeset(child)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Refuse a page that would fetch something from the network."""
    found = ELSEWHERE.search(output)
    if found:
        raise ValueError(f"{page.file.src_uri} loads something from the network: {found.group()[:200]}")
    return output
