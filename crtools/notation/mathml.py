"""Formulas and marked text as HTML: LaTeX becomes MathML, which browsers draw without a script or a network.

Long formulas are split at operators of their outermost level into several ``math`` elements, so that they break over lines.
"""

import re
from functools import lru_cache
from html import escape

from markupsafe import Markup

from crtools.notation.latex import one_letter, to_latex
from crtools.notation.marked_text import FORMULA, INDEXED, runs, sentence
from crtools.notation.terminal import label, typed

BREAKS = re.compile(r"(?<=\s)(?:=|<|>|\+|-|\\le|\\ge|\\to|\\cdot|\\succ)(?=\s)|\\q?quad(?![a-z])")
"""The operators before which a formula may continue on the next line."""

LONG = 40
"""Formulas whose LaTeX is shorter stay in one piece."""

BETWEEN = re.compile(r"\s*(?:[=<>+-]|\\(?:le|ge|to|cdot|succ)(?![a-z]))")
"""The beginning of a formula that continues after a word: an operator between the two."""

INFIX = '<mo form="infix">'
PREPARED = (
    (r"\\text\{A_(max|min)(?=[^{}]*\})", r"\\mathcal{A}_{\\text{\1}}\\text{"),
    (r"\\(?:mathrm|texttt)\{([^{}]*)\}", r"\\text{\1}"),
    (r"_\{?\\(max|min)\b\s*\}?", r"_{\\text{\1}}"),
    (r"\\mathcal\s*\{?\s*A\s*\}?", "\N{MATHEMATICAL SCRIPT CAPITAL A}"),
    (r"\\ ", r"\\;"),
    (r"(?<![\w.])1\s+(?=\\sum)", ""),
    (r"(?<=[\w})])\s*(?=\\(?:log|ln|artanh|det)(?![a-z]))", r"\\,"),
    (r"(\\(?:log|ln|artanh|det|sup)|\\operatorname\{\w+\})\s*(?=[A-Za-z0-9])", r"\1\\,"),
)
"""Rewritings of LaTeX that the converter does not support or typesets badly."""

TIDIED = (
    (r' xmlns="[^"]*"| display="inline"', ""),
    (r"\\_", "_"),
    (r"<msub>(<mo>(?:sup|min|max)</mo>)(<mi>\w</mi>|<mrow>(?:(?!</?mrow>).)*</mrow>)</msub>", r"<munder>\1\2</munder>"),
    (r"<mo>(max|min|log|ln|sup|det|tr|artanh)</mo>", r"<mi>\1</mi>"),
    (r"<mo>∞</mo>", "<mi>∞</mi>"),
    (r'<mo stretchy="true" fence="true" form="\w+">([()\[\]])</mo>', r"<mo>\1</mo>"),
    (r"<msqrt><mrow>((?:(?!</?mrow>).)*)</mrow></msqrt>", r"<msqrt>\1</msqrt>"),
    (r'<mo(?: stretchy="false")?>([/|])</mo>|<mo stretchy="false">([()\[\]])</mo>', r"<mi>\1\2</mi>"),
    (r"<mi>([ΓΔΘΛΦΨΩ])</mi>", r'<mi mathvariant="normal">\1</mi>'),
    (r'<mi mathvariant="double-struck">E</mi>', "<mi>𝔼</mi>"),  # browsers draw no mathvariant but normal
    (r"<mrow>(<m[ino][^>]*>[^<]*</m[ino]>|<mtext>[^<]*</mtext>)</mrow>", r"\1"),
    (r"^(<math[^>]*>)<mrow>((?:(?!</?mrow>).)*)</mrow></math>$", r"\1\2</math>"),
)
"""Rewritings of the converter's output that look better or are shorter; the third is applied to display formulas only."""


def prose(text: str) -> Markup:
    """Return a marked text as HTML: formulas as MathML, double backquotes as code."""
    return Markup("").join(formula(to_latex(part)) if maths else _words(part) for part, maths in runs(text))


def _words(text: str) -> Markup:
    parts = re.split(r"``(.*?)``", escape(sentence(text), quote=False))
    return Markup("").join(Markup(f"<code>{part}</code>" if n % 2 else scripted(part)) for n, part in enumerate(parts))


EXPONENT = re.compile(r"(?<=[\w)>])\^(?:\{([^{}]*)\}|(\([^()]*\)|[A-Za-z0-9]+|[−-][0-9]+))")


def scripted(text: str) -> str:
    """Return prose with indices and exponents as elements."""
    text = re.sub(INDEXED, _indexed, text) if "_" in text else text
    return EXPONENT.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", text) if "^" in text else text


def _indexed(match: re.Match[str]) -> str:
    letter, _, index = match[0].partition("_")
    index = re.sub(r"(?<![a-z])l(?![a-z]{2})|(?<=^[a-z])l$", "ℓ", index.strip("{}"))
    return f"{letter}<sub>{index}</sub>"


def name(key: str) -> Markup:
    """Return the name of a value in evidence as HTML: a symbol in italics with its index, or words."""
    text = label(key)
    if not FORMULA.fullmatch(text):
        return prose(text)
    letter, _, index = typed(text.strip("$")).partition("_")
    return Markup("<i>{}</i>").format(letter) + (Markup("<sub>{}</sub>").format(index) if index else "")


def formula(latex: str) -> Markup:
    """Return LaTeX as HTML: MathML, prose for ``\\text`` on the outermost level, code where it cannot be converted."""
    html: list[Markup] = []
    for kind, part in _texts(latex.replace("\\ ", r"\;")):
        if kind == "text":
            html.append(prose(part))
        elif part.strip():
            first, *more = pieces(part)
            operator = INFIX if html and BETWEEN.match(first) else "<mo>"
            html += [_element(first, operator), *(Markup("<wbr>") + _element(piece, INFIX) for piece in more)]
    return Markup("").join(html)


def is_latex(statement: str) -> bool:
    """Return whether a theorem's statement is LaTeX; otherwise it is a marked text."""
    return "$" not in statement and re.search(r"\\[A-Za-z]|[_^]\{", statement) is not None


def statement(text: str) -> Markup:
    """Return a theorem's statement as HTML."""
    return formula(text) if is_latex(text) else prose(text)


def _element(latex: str, operator: str = "<mo>") -> Markup:
    try:
        return Markup(mathml(latex).replace("<mo>", operator, 1))
    except ValueError:
        return Markup("<code>{}</code>").format(latex)


@lru_cache(maxsize=8192)
def mathml(latex: str, display: bool = False) -> str:
    """Return one ``math`` element. Raises ``ValueError`` where some of the LaTeX is not understood."""
    from latex2mathml.converter import convert

    text = one_letter(latex.strip())
    for pattern, new in PREPARED:
        text = re.sub(pattern, new, text)
    braces = re.sub(r"\\[{}]", "", text)
    if braces.count("{") != braces.count("}"):
        raise ValueError(f"the formula {latex} has a brace too many or too few")
    try:
        html = convert(text, display="block" if display else "inline")
    except Exception as error:  # the converter's errors have no common class
        raise ValueError(f"the formula {latex} cannot be converted: {error!r}") from error
    html = re.sub(r"&#x([0-9A-Fa-f]+);", lambda m: escape(chr(int(m[1], 16)), quote=False), html)
    for n, (pattern, new) in enumerate(TIDIED):
        if display or n != 2:
            html = re.sub(pattern, new, html)
    if "\\" in html:
        raise ValueError(f"the formula {latex} is not understood: {html}")
    return html


def _texts(latex: str) -> list[tuple[str, str]]:
    """Split a formula at each ``\\text{…}`` of its outermost level; not directly behind ``\\{``, where it is part of a set."""
    parts: list[tuple[str, str]] = []
    kind, start, depth = "maths", 0, 0
    for brace in re.finditer(r"(?<!\\)(?:((?<!\\\{)\\text)?\{|\})", latex):
        opening = brace[0] != "}"
        depth = depth + 1 if opening else max(depth - 1, 0)
        if (opening and depth == 1 and brace[1]) or (kind == "text" and depth == 0):
            parts.append((kind, latex[start : brace.start()]))
            kind, start = "text" if opening else "maths", brace.end()
    parts.append((kind, latex[start:]))
    return [(kind, part.replace(r"\_", "_") if kind == "text" else part) for kind, part in parts]


def pieces(latex: str) -> list[str]:
    """Split a long formula before operators outside every bracket, and long parts inside one or two brackets."""
    parts = [latex]
    for depth in range(3):
        parts = [part for piece in parts for part in (_split(piece, depth) if len(piece) >= LONG else [piece])]
        if r"\left" in latex:  # brackets that grow with their content must stay in one piece
            break
    return parts


def _split(latex: str, deepest: int) -> list[str]:
    breaks = {match.start() for match in BREAKS.finditer(latex)}
    positions: list[int] = []
    depth = braces = 0
    for n, char in enumerate(latex):
        if char in "{}()[]":
            if latex[n - 1 : n] != "\\":
                braces += (char == "{") - (char == "}")
                depth += (char in "([") - (char in ")]")
        elif braces == 0 and depth <= deepest and (n in breaks or (deepest and char == "/")) and latex[:n].strip():
            positions.append(n)
    pieces = [latex[a:b].strip() for a, b in zip([0, *positions], [*positions, len(latex)], strict=True)]
    return [p for p in pieces if p] or [latex]
