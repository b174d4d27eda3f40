"""Typeset mathematics without a network: LaTeX and plain formulas as MathML, sentences as HTML or LaTeX.

MathML is what browsers draw themselves. Formulas are cut at the operators of their outermost level into several
``math`` elements, so that long ones break over lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape

from crtools.report.notation import runs

BREAKS = re.compile(r"(?<=\s)(?:=|<|>|\+|-|\\le|\\ge|\\to|\\cdot|\\succ)(?=\s)")
"""Operators at which a formula may continue on the next line."""

LONG = 40
"""Formulas whose LaTeX is shorter stay in one piece."""

INFIX = '<mo form="infix">'
SCRIPT_A = "\N{MATHEMATICAL SCRIPT CAPITAL A}"
TEX_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "^": r"\^{}", "~": r"\~{}",
    "$": r"\$", "“": "``", "”": "''", "’": "'", "–": "--", "—": "---", "…": r"\dots{}", "⁻": "$^{-}$", "⁺": "$^{+}$", "≤": r"$\le$",
    "≥": r"$\ge$", "→": r"$\to$", "×": r"$\times$", "·": r"$\cdot$", "Σ": r"$\sum$", "−": "$-$", "∞": r"$\infty$", "<": "$<$",
    ">": "$>$", "≈": r"$\approx$", "±": r"$\pm$", "↦": r"$\mapsto$",
}  # fmt: skip


def prose(text: str) -> str:
    """Return a sentence as HTML, its formulas as MathML."""
    return "".join(formula(run.latex) if run.latex else escape(run.text, quote=False) for run in runs(text))


def tex(text: str) -> str:
    """Return a sentence as LaTeX, its formulas between dollars."""
    return "".join(
        f"${run.latex}$" if run.latex else "".join(TEX_ESCAPES.get(c, c) for c in run.text) for run in runs(text)
    )


def formula(latex: str) -> str:
    """Return a formula in LaTeX as inline HTML: MathML, and text where it has ``\\text`` on the outermost level."""
    found: list[str] = []
    for kind, part in _texts(latex.replace("\\ ", r"\;")):
        if kind == "text":
            found.append(prose(part))
        elif part.strip():
            first, *more = _pieces(part)
            found += [mathml(first), *(f"<wbr>{mathml(piece).replace('<mo>', INFIX, 1)}" for piece in more)]
    return "".join(found)


@lru_cache(maxsize=8192)
def mathml(latex: str) -> str:
    """Return one ``math`` element. Where the converter does not know a command, its LaTeX stands as code."""
    from latex2mathml.converter import convert

    try:
        raw = convert(_prepared(latex))
    except Exception:  # the converter's errors have no common class; a formula that it cannot read is shown as written
        return f"<code>{escape(latex, quote=False)}</code>"
    return _tidied(raw)


def _prepared(latex: str) -> str:
    """Rewrite what the converter sets badly: upright words letter by letter, operators as scripts, wide gaps."""
    text = re.sub(r"\\mathrm\{([A-Za-z]+)\}", r"\\text{\1}", latex)
    text = re.sub(r"_\{?\\(max|min)\b\s*\}?", r"_{\\text{\1}}", text)
    text = re.sub(r"\\mathcal\s*\{?\s*A\s*\}?", SCRIPT_A, text)
    return re.sub(r"(\\(?:log|ln|artanh|det)|\\operatorname\{\w+\})\s*(?=[A-Za-z0-9])", r"\1\\,", text)


def _tidied(raw: str) -> str:
    text = re.sub(r"&#x([0-9A-Fa-f]+);", lambda m: escape(chr(int(m.group(1), 16)), quote=False), raw)
    text = re.sub(r' xmlns="[^"]*"| display="inline"', "", text)
    text = text.replace(r"\_", "_")
    text = re.sub(r"<mo>(max|min|log|ln|sup|det|tr|artanh)</mo>", r"<mi>\1</mi>", text)
    text = text.replace("<mo>/</mo>", '<mo lspace="0" rspace="0">/</mo>').replace("<mo>∞</mo>", "<mi>∞</mi>")
    text = re.sub(r"<mo([^>]*)>\|</mo>", r'<mo stretchy="false" lspace="0" rspace="0">|</mo>', text)
    text = re.sub(r"<mi>([ΓΔΘΛΦΨΩ])</mi>", r'<mi mathvariant="normal">\1</mi>', text)
    inner = re.fullmatch(r"<math><mrow>(.*)</mrow></math>", text, re.DOTALL)
    return f"<math>{inner.group(1)}</math>" if inner and "<mrow>" not in inner.group(1) else text


def words(html: str) -> str:
    """Return the text of an HTML fragment, without its elements."""
    return unescape(re.sub(r"<[^>]*>", "", html))


def _texts(latex: str) -> list[tuple[str, str]]:
    """Cut a formula at the ``\\text{…}`` of its outermost level."""
    parts: list[tuple[str, str]] = []
    start = at = 0
    while at < len(latex):
        if latex.startswith(r"\text{", at):
            end = _closing(latex, at + 5)
            parts += [("maths", latex[start:at]), ("text", latex[at + 6 : end].replace(r"\_", "_"))]
            start = at = end + 1
        elif latex[at] == "{":
            at = _closing(latex, at) + 1
        else:
            at += 1
    return [*parts, ("maths", latex[start:])]


def _closing(latex: str, at: int) -> int:
    depth = 0
    for n in range(at, len(latex)):
        if latex[n - 1 : n] == "\\":
            continue
        depth += (latex[n] == "{") - (latex[n] == "}")
        if depth == 0:
            return n
    return len(latex) - 1


def _pieces(latex: str) -> list[str]:
    """Cut a long formula before operators outside every bracket, and what is still long inside one or two brackets."""
    pieces = [latex]
    for depth in range(3):
        pieces = [part for piece in pieces for part in (_cut(piece, depth) if len(piece) >= LONG else [piece])]
        if r"\left" in latex:  # brackets that grow with their content must stay in one piece
            break
    return pieces


def _cut(latex: str, deepest: int) -> list[str]:
    cuts: list[int] = []
    depth = braces = 0
    for n, char in enumerate(latex):
        if latex[n - 1 : n] != "\\":
            braces += (char == "{") - (char == "}")
            depth += (char in "([") - (char in ")]")
        at_operator = BREAKS.match(latex, n) or (deepest and char == "/")
        if braces == 0 and depth <= deepest and n and at_operator and latex[:n].strip():
            cuts.append(n)
    pieces = [latex[a:b].strip() for a, b in zip([0, *cuts], [*cuts, len(latex)], strict=True)]
    return [p for p in pieces if p] or [latex]
