"""Formulas as MathML, which browsers draw themselves: the pages need no script and no network for them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

ARITHMATEX = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)
"""What the extension pymdownx.arithmatex makes of \\( … \\), \\[ … \\], $ … $ and $$ … $$."""

ROLE = re.compile(r":(?:class|func|meth|attr|mod):(?=<code>)")
"""The roles of docstrings, which have no meaning in Markdown."""

ELSEWHERE = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=[\"']?(?:https?:)?//[^>]*>|<link[^>]*stylesheet[^>]*//[^>]*>")
"""An element that a browser would fetch from the network."""

PREPARED = (
    (r"\\mathrm\{([A-Za-z]+)\}", r"\\text{\1}"),
    (r"\\mathcal\s*\{?\s*A\s*\}?", "𝒜"),
    (r"\\texttt\{([^}]*)\}", r"\\text{\1}"),
    (r"\\ ", r"\\;"),
    (r"(?<=[\w})])\s*(?=\\(?:log|ln|artanh|det)(?![a-z]))", r"\\,"),
    (r"(\\(?:log|ln|artanh|det|sup)|\\operatorname\{\w+\})\s*(?=[A-Za-z0-9])", r"\1\\,"),
)
"""What the converter does not know, or sets badly, and what stands in its place."""

UNDER = re.compile(r"<msub>(<mo>(?:sup|min|max)</mo>)(<mi>\w</mi>|<mrow>(?:(?!</?mrow>).)*</mrow>)</msub>")
"""What is taken over which variables: in display, below the operator."""

BREAK = re.compile(r"(?<=\s)(?:=|<|>|\+|-|\\le|\\ge)(?=\s)|\\q?quad(?![a-z])")
"""Where a long formula may continue on the next line."""

LITERAL = frozenset({"code", "pre", "math", "svg", "script", "style"})
"""Elements whose text is left as it is."""

INDEX = re.compile(r"(?<![A-Za-z])([A-Za-zα-ωΑ-Ωõℓ∫])_(?:\{([^{}]*)\}|([A-Za-z0-9α-ωℓ]+))")
"""x_ij, x_{i,j−1}: one letter with an index. A name with an underscore in it is no formula."""

EXPONENT = re.compile(r"\^(?:\{([^{}]*)\}|([A-Za-z0-9]+|\([^()]*\)))")

LONG = 60
"""Formulas whose LaTeX is shorter are not broken."""


def mathml(latex: str, display: bool = False) -> str:
    """Return a formula as a ``math`` element. Raises ``ValueError`` where some of the LaTeX is not understood."""
    from latex2mathml.converter import convert

    text = latex.strip()
    for pattern, new in PREPARED:
        text = re.sub(pattern, new, text)
    braces = re.sub(r"\\[{}]", "", text)
    if braces.count("{") != braces.count("}"):
        raise ValueError(f"the formula {latex} has a brace too many or too few")
    try:
        found = convert(text, display="block" if display else "inline")
    except Exception as error:  # the converter's errors have no common class
        raise ValueError(f"the formula {latex} cannot be converted: {error!r}") from error
    found = tidied(found)
    if "\\" in found:
        raise ValueError(f"the formula {latex} is not understood: {found}")
    return found


def tidied(found: str) -> str:
    """Return MathML with plain characters, and what the converter sets badly set well."""
    found = re.sub(
        r"&#x([0-9A-Fa-f]+);", lambda m: m.group() if chr(int(m[1], 16)) in "<>&" else chr(int(m[1], 16)), found
    )
    found = found.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").replace(r"\_", "_")
    found = found.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>').replace("<mo>∞</mo>", "<mi>∞</mi>")
    if 'display="block"' in found:
        found = UNDER.sub(r"<munder>\1\2</munder>", found)
    return re.sub(r"<mo>(log|ln|det|tr|artanh|min|max)</mo>", r"<mi>\1</mi>", found)


def display(latex: str) -> str:
    """Return a formula on lines of its own: a long one is broken at operators outside all brackets."""
    first, *more = (mathml(piece, display=True) for piece in (pieces(latex) if len(latex) > LONG else [latex]))
    if not more:
        return f'<div class="formula">{first}</div>'
    rest = (piece.replace("<mo>", '<mo form="infix">', 1) for piece in more)
    inline = "<wbr>".join([first, *rest]).replace('display="block"', 'displaystyle="true"')
    return f'<div class="formula long">{inline}</div>'


def pieces(latex: str) -> list[str]:
    """Cut a formula before every operator that stands outside all braces and brackets."""
    depth, cuts = 0, [0]
    for place, character in enumerate(latex):
        if latex[place - 1 : place] != "\\":
            depth += (character in "{([") - (character in "})]")
        if depth == 0 and place and BREAK.match(latex, place) and latex[cuts[-1] : place].strip():
            cuts.append(place)
    return [latex[a:b].strip() for a, b in zip(cuts, [*cuts[1:], len(latex)], strict=True)]


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
