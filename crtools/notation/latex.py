"""Formulas and marked text as LaTeX: typed formulas token by token, without simplifying or rearranging anything."""

import re
from collections.abc import Callable, Sequence

from crtools.installed_ledgers import policy_indices
from crtools.notation import marked_text
from crtools.notation.marked_text import FUNCTIONS, SPOKEN, Token, runs, sentence, split

WITH_A_MACRO = FUNCTIONS - {"tr", "artanh", "argmax"}
ESCAPES = {
    "{": r"\{", "}": r"\}", "|": "|", "…": r"\dots ", "⌈": r"\lceil ", "⌉": r"\rceil ", "⌊": r"\lfloor ", "⌋": r"\rfloor ",
    "%": r"\%", "&": r"\&", "#": r"\#", "~": r"\sim ",
}  # fmt: skip

TEX_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "^": r"\^{}", "~": r"\~{}",
    "$": r"\$", "“": "``", "”": "''", "’": "'", "–": "--", "—": "---", "…": r"\dots{}", "<": "$<$", ">": "$>$",
}  # fmt: skip

LETTER = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|\\log(?![A-Za-z])|(?<![A-Za-z\\])l(?![A-Za-z])")


def one_letter(latex: str) -> str:
    r"""Return LaTeX with \ell for the letter l and \ln for \log, except in words."""
    return LETTER.sub(lambda m: {"l": r"\ell ", r"\log": r"\ln"}.get(m[0], m[0]), latex)


def to_latex(text: str) -> str:
    """Return a typed formula as LaTeX; a text with a backslash is LaTeX already."""
    return one_letter(text) if "\\" in text else _latex(split(text))


def _latex(tokens: Sequence[Token]) -> str:
    latex, n = "", 0
    while n < len(tokens):
        part, n = _token(tokens, n)
        latex += part
    return " ".join(latex.split())


def _token(tokens: Sequence[Token], n: int) -> tuple[str, int]:
    """Return the LaTeX of the token at n, and the index of the next one."""
    token = tokens[n]
    text, kind = token.text, token.kind
    if kind in ("root", "power"):
        inner, after = _argument(tokens, n + 1)
        return (rf"\sqrt{{{inner}}}" if kind == "root" else f"^{{{inner}}}"), after
    if kind in ALONE:
        return ALONE[kind](text), n + 1
    if kind == "operator":
        if text == "*" and n and n + 1 < len(tokens) and tokens[n - 1].kind == tokens[n + 1].kind == "number":
            return r" \cdot ", n + 1
        return f" {marked_text.OPERATORS[text]} ", n + 1
    if kind == "word":
        return _word(tokens, n), n + 1
    if text.isspace():
        return _gap(tokens, n), n + 1
    if text == "," and n + 1 < len(tokens) and not tokens[n + 1].text.isspace():
        return "{,}", n + 1
    return ESCAPES.get(text, text), n + 1


ALONE: dict[str, Callable[[str], str]] = {
    "barred": lambda text: rf"\bar{{{text[0]}}}",
    "greek": lambda text: rf"\{marked_text.GREEK[text]} ",
    "fraction": lambda text: r"\tfrac{{{}}}{{{}}}".format(*marked_text.FRACTIONS[text]),
    "raised": lambda text: "^{" + "".join(marked_text.RAISED[c] for c in text) + "}",
    "lowered": lambda text: "_{" + "".join(marked_text.LOWERED[c] for c in text) + "}",
    "script": lambda text: f"{text[0]}{{{_script(text[1:])}}}",
    "prime": lambda text: "'",
    "name": lambda text: rf"\text{{{text}}}",
}
"""The LaTeX of a token that does not depend on its neighbours, by its kind."""


def _word(tokens: Sequence[Token], n: int) -> str:
    text = SPOKEN.get(tokens[n].text, tokens[n].text)
    if text == "ℓ":
        return r"\ell "
    following = tokens[n + 1].text.removeprefix("_").strip("{}") if n + 1 < len(tokens) else ""
    if text in ("A", "a") and following in {*policy_indices(), "ℓ"}:
        return r"\mathcal{A}"
    if len(text) > 1 and text.isupper():
        return rf"\mathrm{{{text}}}"
    if text in marked_text.LETTERS:
        return rf"\{text} "
    if text in FUNCTIONS:
        return rf"\{text} " if text in WITH_A_MACRO else rf"\operatorname{{{text}}}"
    return text if len(text) <= 2 else rf"\text{{{text}}}"


def _gap(tokens: Sequence[Token], n: int) -> str:
    """Return a thin space between two factors, nothing next to an operator or a bracket."""
    if n == 0 or n + 1 >= len(tokens):
        return ""
    before, after = tokens[n - 1], tokens[n + 1]
    if before.text == ",":
        return r"\ "
    if "operator" in (before.kind, after.kind) or "-" in (before.text, after.text):
        return ""
    if before.text in marked_text.OPENING or after.text in marked_text.CLOSING or after.text == "/":
        return ""
    return r"\,"


def _argument(tokens: Sequence[Token], n: int) -> tuple[str, int]:
    """Return the LaTeX of a bracketed group without its brackets, or of the next atom, and the index after it."""
    if n >= len(tokens):
        return "", n
    sign = ""
    if tokens[n].text in ("-", "−"):
        sign, n = "-", n + 1
    if n < len(tokens) and tokens[n].text == "(":
        depth = 0
        for end in range(n, len(tokens)):
            depth += (tokens[end].text == "(") - (tokens[end].text == ")")
            if depth == 0:
                return sign + _latex(tokens[n + 1 : end]), end + 1
    latex, after = _token(tokens, n) if n < len(tokens) else ("", n)
    return sign + latex.strip(), after


def _script(text: str) -> str:
    inner = text[1:-1] if text[0] in "{(" else text
    if inner == "ell":
        return r"\ell"
    if inner.isalpha() and inner.isascii() and len(inner) > 2:
        return rf"\text{{{inner}}}"
    return to_latex(inner)


def tex(text: str) -> str:
    """Return a marked text as LaTeX."""
    return "".join(f"${to_latex(part)}$" if maths else _tex_words(sentence(part)) for part, maths in runs(text))


def _tex_words(text: str) -> str:
    if "``" in text:
        parts = enumerate(re.split(r"``(.*?)``", text))
        return "".join(rf"\texttt{{{''.join(map(_tex, part))}}}" if n % 2 else _tex_words(part) for n, part in parts)
    parts = re.split(rf"({marked_text.INDEXED}|\w\^\{{[^{{}}]*\}})", text)
    return "".join(f"${to_latex(part)}$" if n % 2 else "".join(map(_tex, part)) for n, part in enumerate(parts))


def _tex(char: str) -> str:
    if char in TEX_ESCAPES or char.isascii():
        return TEX_ESCAPES.get(char, char)
    latex = to_latex(char)
    return char if latex == char else f"${latex}$"
