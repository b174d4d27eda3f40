"""Formulas as MathML, which browsers draw themselves: the pages need no script and no network for them."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import sources  # noqa: F401 -- before crtools

from crtools.notation.latex import to_latex
from crtools.notation.marked_text import runs
from crtools.notation.mathml import mathml, pieces, scripted

ARITHMATEX = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""What the extension pymdownx.arithmatex makes of \\( … \\), \\[ … \\], $ … $ and $$ … $$."""

AS_TYPED = re.compile(r"^(?!.*\\).*(?:\*|sqrt\(|log\(|alpha|A_m|[^\x00-\x7f])", re.DOTALL)
"""A formula as the command line takes it, or in Unicode's signs, which is no LaTeX."""

ROLE = re.compile(r":(?:class|func|meth|attr|mod):(?=<code>)")
"""The roles of docstrings, which have no meaning in Markdown."""

ELSEWHERE = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?(?:https?:)?//[^>]*>|<link[^>]*stylesheet[^>]*//[^>]*>")
"""An element that a browser would fetch from the network."""

ASIDE = re.compile(r"<!--maths (.*?)-->", re.DOTALL)
"""A formula that Markdown and the search need not read."""

LITERAL = r"<(code|math|pre|script|style|svg)\b.*?</\1>"
"""An element whose text is left as it is."""

WORDS = re.compile(rf"<!--.*?-->|{LITERAL}|<[^>]*>|([^<]+)", re.DOTALL)
"""A comment, a literal element, another's tag, or words."""


def display(latex: str) -> str:
    """Return a formula on lines of its own: a long one is broken at operators. Raises ``ValueError`` as ``mathml`` does."""
    found = broken(latex, display=True)
    if found.count("<math") == 1:
        return f'<div class="formula">{found}</div>'
    shown = found.replace('display="block"', 'displaystyle="true"')
    return f'<div class="formula long">{shown}</div>'


def broken(latex: str, display: bool = False) -> str:
    """Return a formula that may go on in the next line at its operators, where it is long."""
    first, *more = (mathml(piece, display=display) for piece in pieces(latex.strip()))
    return "<wbr>".join([first, *(piece.replace("<mo>", '<mo form="infix">', 1) for piece in more)])


def aside(html: str) -> str:
    """Return HTML as a comment, which costs Markdown and the search no time; it is shown again when the page is written."""
    return f"<!--maths {html}-->"


def typeset(html: str) -> str:
    """Replace every formula that the Markdown extension marked."""

    def one(match: re.Match[str]) -> str:
        latex = unescape(match[3])
        latex = to_latex(latex) if AS_TYPED.search(latex) else latex
        return display(latex) if match[2] == "[" else broken(latex)

    return ROLE.sub("", ARITHMATEX.sub(one, html))


def scripts(html: str) -> str:
    """Give x_ij and x_{k−1} an index and r^2 an exponent, in words that stand outside code and formulas."""
    return WORDS.sub(lambda found: indexed(found[2]) if found[2] else found[0], html)


def indexed(text: str) -> str:
    """Return words with indices and exponents as elements, and the policies' names as in formulas."""
    return "".join(
        mathml(to_latex(part)) if maths else scripted(escape(part, quote=False)) for part, maths in runs(unescape(text))
    )


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


RAW = re.compile(r"\\[a-zA-Z({\[]|\$|sqrt\(|(?:sum|[_^])\{")
"""Mathematics as it is typed, which no reader should see."""


def raw(html: str) -> str:
    """Return where mathematics stands as it is typed, outside code and formulas, with what is around it; empty for nowhere."""
    whole = re.sub(LITERAL, " ", html, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]*>", "", whole))
    found = RAW.search(text)
    return text[max(0, found.start() - 60) : found.end() + 60] if found else ""


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Refuse a page that would fetch something from the network, or shows mathematics as it is typed."""
    output = ASIDE.sub(r"\1", output)
    start = output.find("<article")
    if start >= 0 and (typed := raw(output[start : output.find("</article>", start)])):
        raise ValueError(f"{page.file.src_uri} shows mathematics as it is typed: {typed}")
    found = ELSEWHERE.search(output)
    if found:
        raise ValueError(f"{page.file.src_uri} loads something from the network: {found.group()[:200]}")
    return output
