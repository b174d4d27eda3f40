"""LaTeX as text that a terminal shows: fractions keep their brackets, powers are raised where Unicode has them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

RAISED = str.maketrans("0123456789+-−()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁱⁿ")
OPERATOR = r"\\(?:ln|log|liminf|limsup)(?![A-Za-z])"
"""Operators that stand apart from what they are applied to."""

ATOM = re.compile(r"[\w.\u0304]+|[√Σ]\w+|\w+\[[^\[\]]*\]|\([^()]*\)")
"""What needs no brackets above a stroke: a name, a number, a product without spaces, or what has brackets already."""

PIECE = r"(?:\d+(?:\.\d+)?|[A-Z]+(?:-[A-Z]+)?|[^\W\d_]\u0304?(?:_(?:[a-z0-9ℓ]+|\([^()]*\)))?|\([^()]*\))"
ROOTED, DIVIDED = re.compile(PIECE), re.compile(rf"{PIECE}[²³⁰-⁹ᵀ*]*")
"""What needs none under a root, and below a stroke: of a product there the reader would not see where it ends."""

FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}

OPEN, CLOSE = "\ue000", "\ue001"
"""Around a fraction until it is known what stands before it."""


LETTER = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|\\log(?![A-Za-z])|(?<![A-Za-z\\])l(?![A-Za-z])")

INDEX = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|_([A-Za-z0-9])(?=[A-Za-z0-9\\])")
"""Words, and an index of one letter with a factor right behind it."""


def one_letter(latex: str) -> str:
    r"""Return LaTeX with \ell for the letter l and \ln for \log, but for what stands in words."""
    return LETTER.sub(lambda m: {"l": r"\ell ", r"\log": r"\ln"}.get(m[0], m[0]), latex)


def bracketed(text: str, single: re.Pattern[str] = ATOM) -> str:
    """Return a text in brackets unless it is of one piece, such as one name, number or bracket, already."""
    own = text.strip()
    return own if single.fullmatch(own) else f"({own})"


def _combined(text: str) -> str:
    """Return a text whose fractions inside are settled: in brackets after the name of a function."""
    while OPEN in text:
        text = re.sub(rf"(?:(?<![^\W_])((?:ln|log)[²³]?) *)?{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}", _settled, text)
    return text.replace("\u0305", "\u0304")


def _settled(found: re.Match[str]) -> str:
    return f"{found[1]}({found[2]})" if found[1] else found[2]


@cache
def _reader() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    def fraction(node: Any, l2tobj: Any) -> str:
        parts = (l2tobj.nodelist_to_text([argument]) for argument in node.nodeargd.argnlist[-2:])
        top, bottom = (_combined(part) for part in parts)
        own = f"{bracketed(top)}/{bracketed(bottom, DIVIDED)}"
        return f" {FRACTIONS[own]} " if own in FRACTIONS and node.macroname == "tfrac" else f" {OPEN}{own}{CLOSE} "

    def root(node: Any, l2tobj: Any) -> str:
        return "√" + bracketed(_combined(l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]])), ROOTED)

    context = get_default_latex_context_db()
    specs = [MacroTextSpec(name, fraction) for name in ("frac", "tfrac", "dfrac")]
    context.add_context_category("crtools", [*specs, MacroTextSpec("sqrt", root)], prepend=True)
    return LatexNodes2Text(latex_context=context, math_mode="text", strict_latex_spaces=False)


def readable(latex: str) -> str:
    """Return a formula in LaTeX as one line of text."""
    from pylatexenc.latexwalker import LatexWalker, get_default_latex_context_db
    from pylatexenc.macrospec import std_macro

    context = get_default_latex_context_db()
    context.add_context_category("crtools", macros=[std_macro(n, False, 2) for n in ("tfrac", "dfrac")], prepend=True)
    plain = re.sub(r"\\(left|right|bigl|bigr|Bigl|Bigr|big|Big)\b\.?", "", one_letter(latex))
    plain = re.sub(r"_\{\\ell *\}", r"_\\ell{}", re.sub(r"\\ell (?=[-+])", r"\\ell{}", plain))
    plain = re.sub(r"\\ell +(?=[A-Za-z\\])", r"\\ell{} ", plain)
    plain = re.sub(r"\^\s*(?:\\top(?![A-Za-z])(?: +(?=[A-Za-z]))?|\{\\top\})", "ᵀ", plain)
    plain = INDEX.sub(lambda m: f"_{m[1]}{{}} " if m[1] else m[0], plain)
    plain = re.sub(r"\^\s*\{([^{}]*)\}", lambda m: _raised(m.group(1)), plain)
    plain = re.sub(r"\^\s*([\w*])", lambda m: _raised(m.group(1)), plain)
    plain = re.sub(r"\\ne\b", r"\\neq", plain)
    plain = re.sub(rf"({OPERATOR}[²³]?)(?!\s*_)", r"{} \1{} ", plain)
    plain = re.sub(r"(\\[A-Za-z]+) +(?=[-+])", r"\1{} ", plain)
    plain = re.sub(
        r"_\s*\{((?:[^{}]|\{[^{}]*\})*)\}",
        lambda m: "_" + (m.group(1) if m.group(1).isalnum() else f"({m.group(1)})"),
        plain,
    )
    nodes, _, _ = LatexWalker(plain, latex_context=context, tolerant_parsing=True).get_latex_nodes()
    text = re.sub(r"\s*([≤≥<>=≻≠])\s*", r" \1 ", _combined(_reader().nodelist_to_text(nodes)))
    text = re.sub(
        r"(?<=\)|\w)(?=(?:lim|sup|inf|min|max)(?: inf| sup)?_)(?<![A-Za-z])|(?<=min|max|sup)(?=[∑∫])", " ", text
    )
    text = re.sub(r"(?<=\S) +\+(?=[\w(√])", " + ", text)
    text = re.sub(r"𝒜_\((\w+)\)", r"A_\1", text).replace("𝒜", "A")
    text = re.sub(r"([(\[⌊⌈]) +| +(?=[)\]⌋⌉,;])|(?<=(?:ln|og)) +(?=\()", r"\1", text)
    return " ".join(re.sub(r"\(([^()=]*) = ([^()=]*)\)", r"(\1=\2)", text).split())


def _raised(power: str) -> str:
    own = power.strip()
    if own == "*":
        return own
    raised = own.translate(RAISED)
    return raised if all(c in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ" for c in raised) else f"^{bracketed(own) if len(own) > 1 else own}"
