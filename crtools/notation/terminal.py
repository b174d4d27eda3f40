"""Formulas and marked text for a terminal: one line of Unicode, powers raised where Unicode has the sign.

Values of evidence too are shown on one line: labels of their names, numbers with few digits, records.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from functools import cache, partial
from typing import Any

from crtools.installed_ledgers import policy_indices
from crtools.notation.latex import one_letter
from crtools.notation.marked_text import FORMULA, FRACTIONS, LETTERS, SPOKEN, Token, runs, sentence, split

SUM = re.compile(r"[∑Σ]_(?:\{([^{}]*)\}|\(([^()]*)\))(?:\^(?:\{([^{}]*)\}|\(([^()]*)\)|(\w))|([ⁿ⁰-⁹]+))?\s*(?=(.)?)")
"""A sum with its lower and perhaps its upper limit, which a line of text shows in one bracket."""


def unmarked(text: str) -> str:
    """Return a marked text as a terminal shows it: formulas in Unicode, without the dollar signs."""
    return "".join(in_signs(part) if maths else spoken(part) for part, maths in runs(text))


def spoken(words: str) -> str:
    """Return prose as a terminal shows it: x_ℓ, a_(i, j), 2^(k + 1)."""
    text = _bracketed(SUM.sub(_sum, sentence(words)))
    return re.sub(r"(?<![A-Za-z])[A-Za-z]_(?:l[a-z]?|[a-z]l)(?![A-Za-z0-9_])", lambda m: m[0].replace("l", "ℓ"), text)


def in_signs(formula: str) -> str:
    """Return a formula of a marked text in Unicode; it may be LaTeX, or typed in Unicode or as on the command line."""
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
    """Return the LaTeX formula of a step or a theorem as a terminal shows it."""
    return _in_a_line(readable(latex))


def _in_a_line(text: str) -> str:
    return _bracketed(SUM.sub(_sum, re.sub(r"(?<![\w.])1 (?=[∑Σ])", "", text)))


def _bracketed(text: str) -> str:
    """Return a text with braces of exponents and indices as round brackets."""
    return re.sub(r"(?<=[_^])\{([^{}]*)\}", r"(\1)", text)


def _sum(match: re.Match[str]) -> str:
    below = match[1] or match[2] or ""
    above = match[3] or match[4] or match[5] or {"ⁿ": "n"}.get(match[6] or "", match[6])
    return f"{match[0][0]}({below}{f'…{above}' if above else ''})" + " " * bool(match[7])


SUPERSCRIPTS = str.maketrans("0123456789+-−()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁱⁿ")
VULGAR_FRACTIONS = {f"{top}/{bottom}": sign for sign, (top, bottom) in FRACTIONS.items()}
OPERATOR = r"\\(?:ln|log|liminf|limsup)(?![A-Za-z])"
"""Operators with a space before their argument."""

ATOM = re.compile(r"[\w.\u0304]+|[√Σ]\w+|\w+\[[^\[\]]*\]|\([^()]*\)")
"""A numerator that needs no brackets: a name, a number, a product without spaces, or a bracket."""

SINGLE = r"(?:\d+(?:\.\d+)?|[A-Z]+(?:-[A-Z]+)?|[^\W\d_]\u0304?(?:_(?:[a-z0-9ℓ]+|\([^()]*\)))?|\([^()]*\))"
ROOTED, DIVIDED = re.compile(SINGLE), re.compile(rf"{SINGLE}[²³⁰-⁹ᵀ*]*")
"""A radicand and a denominator that need no brackets; a product needs them, so that the reader sees where it ends."""

OPEN, CLOSE = "\ue000", "\ue001"
"""Placeholders around a fraction until its context is known."""

INDEX = re.compile(r"\\(?:text|mathrm|texttt|operatorname)\{[^{}]*\}|_([A-Za-z0-9])(?=[A-Za-z0-9\\])")
"""Words, or an index of one letter followed by a factor."""


def bracketed(text: str, single: re.Pattern[str] = ATOM) -> str:
    """Return a text in brackets unless it is ``single``: one name, number or bracket."""
    text = text.strip()
    return text if single.fullmatch(text) else f"({text})"


def _combined(text: str) -> str:
    """Replace the placeholders of fractions, by brackets after the name of a function."""
    while OPEN in text:
        fraction = rf"(?:(?<![^\W_])((?:ln|log)[²³]?) *)?{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}"
        text = re.sub(fraction, lambda match: f"{match[1]}({match[2]})" if match[1] else match[2], text)
    return text.replace("\u0305", "\u0304")


@cache
def _reader() -> Callable[[str], str]:
    from pylatexenc import latexwalker
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
    from pylatexenc.macrospec import std_macro

    def fraction(node: Any, l2tobj: Any) -> str:
        parts = (l2tobj.nodelist_to_text([argument]) for argument in node.nodeargd.argnlist[-2:])
        top, bottom = (_combined(part) for part in parts)
        quotient = f"{bracketed(top)}/{bracketed(bottom, DIVIDED)}"
        sign = VULGAR_FRACTIONS.get(quotient) if node.macroname == "tfrac" else None
        return f" {sign} " if sign else f" {OPEN}{quotient}{CLOSE} "

    def root(node: Any, l2tobj: Any) -> str:
        return "√" + bracketed(_combined(l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]])), ROOTED)

    context = get_default_latex_context_db()
    specs = [MacroTextSpec(name, fraction) for name in ("frac", "tfrac", "dfrac")]
    context.add_context_category("crtools", [*specs, MacroTextSpec("sqrt", root)], prepend=True)
    reader = LatexNodes2Text(latex_context=context, math_mode="text", strict_latex_spaces=False)
    read = latexwalker.get_default_latex_context_db()
    read.add_context_category("crtools", macros=[std_macro(n, False, 2) for n in ("tfrac", "dfrac")], prepend=True)
    return partial(reader.latex_to_text, latex_context=read, tolerant_parsing=True)


def readable(latex: str) -> str:
    """Return a formula in LaTeX as one line of text."""
    latex = re.sub(r"\\(left|right|bigl|bigr|Bigl|Bigr|big|Big)\b\.?", "", one_letter(latex))
    latex = re.sub(r"_\{\\ell *\}", r"_\\ell{}", re.sub(r"\\ell (?=[-+])", r"\\ell{}", latex))
    latex = re.sub(r"\\ell +(?=[A-Za-z\\])", r"\\ell{} ", latex)
    latex = re.sub(r"\^\s*(?:\\top(?![A-Za-z])(?: +(?=[A-Za-z]))?|\{\\top\})", "ᵀ", latex)
    latex = INDEX.sub(lambda m: f"_{m[1]}{{}} " if m[1] else m[0], latex)
    latex = re.sub(r"\^\s*\{([^{}]*)\}", lambda m: _raised(m.group(1)), latex)
    latex = re.sub(r"\^\s*([\w*])", lambda m: _raised(m.group(1)), latex)
    latex = re.sub(r"\\ne\b", r"\\neq", latex)
    latex = re.sub(rf"({OPERATOR}[²³]?)(?!\s*_)", r"{} \1{} ", latex)
    latex = re.sub(r"(\\[A-Za-z]+) +(?=[-+])", r"\1{} ", latex)
    latex = re.sub(r"_\s*\{((?:[^{}]|\{[^{}]*\})*)\}", lambda m: f"_{m[1]}" if m[1].isalnum() else f"_({m[1]})", latex)
    text = re.sub(r"\s*([≤≥<>=≻≠])\s*", r" \1 ", _combined(_reader()(latex)))
    text = re.sub(r"(?<=\)|\w)(?=(?:lim|sup|inf|min|max)(?: inf| sup)?_)(?<![A-Za-z])", " ", text)
    text = re.sub(r"(?<=min|max|sup)(?=[∑∫])", " ", text)
    text = re.sub(r"(?<=\S) +\+(?=[\w(√])", " + ", text)
    text = re.sub(r"𝒜_\((\w+)\)", r"A_\1", text).replace("𝒜", "A")
    text = re.sub(r"([(\[⌊⌈]) +| +(?=[)\]⌋⌉,;])|(?<=(?:ln|og)) +(?=\()", r"\1", text)
    return " ".join(re.sub(r"\(([^()=]*) = ([^()=]*)\)", r"(\1=\2)", text).split())


def _raised(power: str) -> str:
    power = power.strip()
    raised = power.translate(SUPERSCRIPTS)
    if power == "*" or all(ord(c) in SUPERSCRIPTS.values() for c in raised):
        return raised
    return f"^{bracketed(power) if len(power) > 1 else power}"


# ---- values of evidence as short texts -------------------------------------------------------------------------------

SYMBOL = re.compile(rf"([A-Z]{{2,}}|[A-Za-z]|{'|'.join(LETTERS)})(?:_([A-Za-z0-9]{{1,2}}))?")
"""A name of evidence that is a symbol: a letter or some capitals, with or without an index."""

NUMERAL = re.compile(r"[≈−-]?\d|\[")
"""The beginning of a value that needs no colon before it."""

LEADS = ("by", "at", "of", "least", "most")
"""Words after which a value follows without a colon."""

LONG = 24
"""Digits beyond which a number is shortened."""


@cache
def _underscores() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the underscores in names that stand for a hyphen, as in policies' names, and for a space."""
    indices = "|".join(sorted(map(re.escape, policy_indices()))) or "(?!)"
    hyphen = re.compile(rf"(?:(?<=^a)|(?<=_a))_(?={indices})|(?<=h)_(?=sf)|(?<=H)_(?=SF)")
    return hyphen, re.compile(rf"(?<!A)_|_(?!{indices})")


def label(name: str) -> str:
    """Return the name of a value in evidence as marked text: a symbol is a formula, any other name is words."""
    hyphen, space = _underscores()
    symbol = None if hyphen.search(name) else SYMBOL.fullmatch(name)
    if symbol is None:
        words = re.sub(r"\b(lemma|paper|theorem) s\b", r"\1's", space.sub(" ", hyphen.sub("-", name)))
        return re.sub(r"A_\w+", r"$\g<0>$", words)
    letter, index = LETTERS.get(symbol[1], symbol[1]), symbol[2]
    if index == "M":  # a multiple of the memory
        return f"${letter}M$"
    return f"${letter}_{index}$" if index else f"${letter}$"


def one_line(value: Any) -> str:
    """Return a value of evidence on one line."""
    if isinstance(value, str):
        return unmarked(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(_named(label(str(name)), one_line(item)) for name, item in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, Mapping) for v in value) else ", ").join(map(one_line, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _named(name: str, text: str) -> str:
    """Return a name with its value as words: ``n = 3``, ``by counting 12``, ``law: uniform``."""
    words = unmarked(name)
    if FORMULA.fullmatch(name):
        return f"{words} = {text}"
    return f"{words} {text}" if NUMERAL.match(text) or words.split()[-1] in LEADS else f"{words}: {text}"


def _approximately(text: str) -> str:
    """Return an integer or a fraction p/q, however large, to six significant figures."""
    top, _, bottom = text.partition("/")
    with localcontext(prec=11):
        return f"≈ {Decimal(top) / Decimal(bottom or 1):.6g}"


def scalar(item: Any) -> tuple[str, str]:
    """Return a scalar as a short marked text, and its whole value where it is exact and longer, else an empty text."""
    if item is None or isinstance(item, bool):
        return {None: "none", True: "yes", False: "no"}[item], ""
    if isinstance(item, float):
        return f"{item:.6g}", ""
    text = str(item).replace(" +/- ", " ± ")
    if re.fullmatch(r"-?\d+/0*[1-9]\d*", text):
        approximate = _approximately(text)
        return (approximate, text) if len(text) > LONG else (f"{text} {approximate}" if len(text) > 9 else text, "")
    if re.fullmatch(r"-?\d+\.\d{7,}", text):
        return text[: text.index(".") + 6] + "…", text
    if len(text) <= LONG or not re.search(r"\d{25,}", text):
        return text, ""
    if re.fullmatch(r"-?\d+", text):
        return _approximately(text), text
    return re.sub(r"(\d{6})\d{13,}(\d{6})", r"\1…\2", text), text
