"""LaTeX as text that a terminal shows: fractions keep their brackets, powers are raised where Unicode has them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

RAISED = str.maketrans("0123456789+-−()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁱⁿ")
OPERATOR = r"\\(?:ln|log|liminf|limsup)(?![A-Za-z])"
"""Operators that stand apart from what they are applied to."""

ATOM = re.compile(r"[\w.]+|[√Σ]\w+|\([^()]*\)")
PRODUCT = re.compile(r"\d+[^\W\d]\w*")
"""A number times a name, which needs brackets in a denominator."""


LETTER = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|\\log(?![A-Za-z])|(?<![A-Za-z\\])l(?![A-Za-z])")


def one_letter(latex: str) -> str:
    r"""Return LaTeX with \ell for the letter l and \ln for \log, but for what stands in words."""
    return LETTER.sub(lambda m: {"l": r"\ell ", r"\log": r"\ln"}.get(m[0], m[0]), latex)


def bracketed(text: str) -> str:
    """Return a text in brackets unless it is one name, number or bracket already."""
    own = text.strip()
    return own if ATOM.fullmatch(own) else f"({own})"


@cache
def _reader() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    def fraction(node: Any, l2tobj: Any) -> str:
        top, bottom = (l2tobj.nodelist_to_text([argument]) for argument in node.nodeargd.argnlist[-2:])
        below = f"({bottom.strip()})" if PRODUCT.fullmatch(bottom.strip()) else bracketed(bottom)
        return f" {bracketed(top)}/{below} "

    def root(node: Any, l2tobj: Any) -> str:
        return "√" + bracketed(l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]]))

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
    plain = re.sub(r"\\ell (?=[-+])", r"\\ell{}", plain)
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
    text = re.sub(r"\s*([≤≥<>=≻≠])\s*", r" \1 ", _reader().nodelist_to_text(nodes))
    text = re.sub(r"𝒜_\((\w+)\)", r"A_\1", text).replace("𝒜", "A")
    text = re.sub(r"([(\[⌊⌈]) +| +(?=[)\]⌋⌉,;])|(?<=(?:ln|og)) +(?=\()", r"\1", text)
    return " ".join(re.sub(r"\(([^()=]*) = ([^()=]*)\)", r"(\1=\2)", text).split())


def _raised(power: str) -> str:
    own = power.strip()
    if own == "*":
        return own
    raised = own.translate(RAISED)
    return raised if all(c in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱⁿ" for c in raised) else f"^{bracketed(own) if len(own) > 1 else own}"
