"""Formulas and marked text for a terminal: one line of Unicode, powers raised where Unicode has the sign."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from crtools.notation.latex import one_letter
from crtools.notation.marked_text import runs, sentence
from crtools.notation.tokens import FRACTIONS, LETTERS, SPOKEN, Token, split

SUM = re.compile(r"[∑Σ]_(?:\{([^{}]*)\}|\(([^()]*)\))(?:\^(?:\{([^{}]*)\}|\(([^()]*)\)|(\w))|([ⁿ⁰-⁹]+))?\s*(?=(.)?)")
"""A sum with its range below and perhaps its end above, which a line of text shows in one bracket."""


def unmarked(text: str) -> str:
    """Return a text as a terminal shows it: mathematics in Unicode, without the dollar signs."""
    return "".join(in_signs(part) if maths else spoken(part) for part, maths in runs(text))


def spoken(words: str) -> str:
    """Return words without marked mathematics as a terminal shows them: x_ℓ, a_(i, j), 2^(k + 1)."""
    own = _bracketed(SUM.sub(_sum, sentence(words)))
    return re.sub(r"(?<![A-Za-z])[A-Za-z]_(?:l[a-z]?|[a-z]l)(?![A-Za-z0-9_])", lambda m: m[0].replace("l", "ℓ"), own)


def in_signs(formula: str) -> str:
    """Return a formula in Unicode's signs; between dollar signs it may be written in these, as typed, or in LaTeX."""
    return _in_a_line(readable(formula) if "\\" in formula else typed(formula))


def typed(text: str) -> str:
    """Return a formula of the command line as one would type it: √ for sqrt, α for alpha, ^ for **, ρ* for ρ⋆."""
    return "".join(_typed(token) for token in split(text)).replace("⋆", "*")


def _typed(token: Token) -> str:
    match token:
        case ("root", _):
            return "√"
        case ("power", _):
            return "^"
        case ("operator", "*"):
            return "·"
        case ("script", text):
            return re.sub(r"(?<![A-Za-z])l(?![A-Za-z])", "ℓ", text)
        case ("word", text):
            return SPOKEN.get(text) or LETTERS.get(text, text)
        case (_, text):
            return text


def in_a_line(latex: str) -> str:
    """Return a step's or a theorem's formula, which is LaTeX, as a terminal shows it."""
    return _in_a_line(readable(latex))


def _in_a_line(text: str) -> str:
    return _bracketed(SUM.sub(_sum, re.sub(r"(?<![\w.])1 (?=[∑Σ])", "", text)))


def _bracketed(text: str) -> str:
    """Return a text with what is raised or lowered in braces in round brackets."""
    return re.sub(r"(?<=[_^])\{([^{}]*)\}", r"(\1)", text)


def _sum(found: re.Match[str]) -> str:
    below, above = (
        found[1] or found[2] or "",
        found[3] or found[4] or found[5] or {"ⁿ": "n"}.get(found[6] or "", found[6]),
    )
    return f"{found[0][0]}({below}{f'…{above}' if above else ''})" + " " * bool(found[7])


SUPERSCRIPTS = str.maketrans("0123456789+-−()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁱⁿ")
VULGAR_FRACTIONS = {f"{top}/{bottom}": sign for sign, (top, bottom) in FRACTIONS.items()}
OPERATOR = r"\\(?:ln|log|liminf|limsup)(?![A-Za-z])"
"""Operators that stand apart from what they are applied to."""

ATOM = re.compile(r"[\w.\u0304]+|[√Σ]\w+|\w+\[[^\[\]]*\]|\([^()]*\)")
"""What needs no brackets above a stroke: a name, a number, a product without spaces, or what has brackets already."""

PIECE = r"(?:\d+(?:\.\d+)?|[A-Z]+(?:-[A-Z]+)?|[^\W\d_]\u0304?(?:_(?:[a-z0-9ℓ]+|\([^()]*\)))?|\([^()]*\))"
ROOTED, DIVIDED = re.compile(PIECE), re.compile(rf"{PIECE}[²³⁰-⁹ᵀ*]*")
"""What needs none under a root, and below a stroke: of a product there the reader would not see where it ends."""

OPEN, CLOSE = "\ue000", "\ue001"
"""Around a fraction until it is known what stands before it."""

INDEX = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|_([A-Za-z0-9])(?=[A-Za-z0-9\\])")
"""Words, and an index of one letter with a factor right behind it."""


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
        return (
            f" {VULGAR_FRACTIONS[own]} "
            if own in VULGAR_FRACTIONS and node.macroname == "tfrac"
            else f" {OPEN}{own}{CLOSE} "
        )

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
    raised = own.translate(SUPERSCRIPTS)
    return raised if all(ord(c) in SUPERSCRIPTS for c in own) else f"^{bracketed(own) if len(own) > 1 else own}"
