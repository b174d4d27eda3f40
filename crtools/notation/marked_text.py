"""Split marked text, in which formulas are enclosed in dollar signs, into prose and formulas.

A policy's name with its index (``A_min``), and formulas as the command line takes them, count as formulas without dollar
signs too. Typed formulas are split into tokens. ``crtools.notation.terminal``, ``mathml`` and ``latex`` write the parts;
``crtools.ledger.display.claim_text`` and docs/hooks take ``runs`` apart too. Double backquotes stay in the prose: the writers read them.
"""

import re
from functools import cache
from typing import NamedTuple

from crtools.installed_ledgers import policy_indices

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell", "∞": "infty", "õ": "tilde{o}", "ĝ": "hat{g}",
}  # fmt: skip
"""LaTeX's name of each letter, without its backslash."""

OPERATORS = {
    "=": "=", "<": "<", ">": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≡": r"\equiv", "≈": r"\approx", "≪": r"\ll",
    "≫": r"\gg", "∝": r"\propto", "+": "+", "−": "-", "±": r"\pm", "·": r"\cdot", "×": r"\times", "∘": r"\circ",
    "→": r"\to", "↦": r"\mapsto", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap",
    "≻": r"\succ", "⪰": r"\succeq", "Σ": r"\sum", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "*": r"\,",
}  # fmt: skip
"""LaTeX of each sign."""

FRACTIONS = {"½": ("1", "2"), "⅓": ("1", "3"), "⅔": ("2", "3"), "¼": ("1", "4"), "¾": ("3", "4")}
"""Numerator and denominator of each sign."""

RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵀ⋆", [*"0123456789+-()nik", r"\top", "*"], strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ", "0123456789+-ijkn", strict=True))
"""LaTeX of each raised and each lowered sign, without ^ and _."""

FUNCTIONS = frozenset({
    "log", "ln", "exp", "sup", "inf", "lim", "liminf", "limsup", "tanh", "min", "max", "det", "tr", "artanh", "argmax", "cos", "sin",
})  # fmt: skip
"""Words of a formula that are functions."""

LETTERS = {name: letter for letter, name in GREEK.items() if letter.islower() and letter not in "ℓõĝ"}
"""Small Greek letters by LaTeX's name, as typed formulas have them."""

TOKEN = re.compile(
    r"""
    (?P<barred>\w\u0304)                                        # m̄
    |(?P<name>(?:[A-Za-z]{3,}|H|a)(?:-[A-Za-z]{2,})+)              # two-point, H-SF
    |(?P<root>√|sqrt(?=\())
    |(?P<power>\*\*)
    |(?P<script>[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\((?:[^()]|\([^()]*\))*\)|[−-]?(?:[A-Za-z]+|∘?\d+|[α-ωℓ∞])))
    |(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵀ⋆]+)
    |(?P<lowered>[₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ]+)
    |(?P<prime>['′])
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<word>[A-Za-z]+)
    |(?P<greek>[αβγδεζηθκλμνξπρστφχψωΓΔΘΛΦΨΩℓ∞õĝ])
    |(?P<fraction>[½⅓⅔¼¾])
    |(?P<operator>[=<>≤≥≠≡≈≪≫∝+−±·×∘→↦∈∉⊂⊆∪∩≻⪰Σ∑∏∫∂*])
    |(?P<neutral>[\s()\[\]{}|,/:…⌈⌉⌊⌋-])
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING, CLOSING = "([{⌈⌊", ")]}⌉⌋"


class Token(NamedTuple):
    """A token: its kind, a group of ``TOKEN``, and its text."""

    kind: str
    text: str


def split(text: str) -> list[Token]:
    """Return the tokens of a typed formula; their texts concatenate to it."""
    return [Token(str(m.lastgroup), m.group()) for m in TOKEN.finditer(text)]


SPOKEN = {"l": "ℓ", "log": "ln"}
"""The printed letter and function for those of code."""


TYPED = re.compile(r"[\w\s()+*/,.^-]+")

MARKS = re.compile(r"_|\*\*|sqrt\(")
"""A formula without dollar signs has at least one of these."""

FORMULA = re.compile(r"\$[^$]+\$")
"""A text that is one formula."""


def runs(text: str) -> list[tuple[str, bool]]:
    """Split a text into (part, is_formula). A dollar sign without a partner is prose."""
    parts = text.split("$")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}${parts[-1]}"]
    return [run for n, part in enumerate(parts) if part for run in ([(part, True)] if n % 2 else _prose_runs(part))]


def _prose_runs(text: str) -> list[tuple[str, bool]]:
    """Split a text without dollar signs: policies' names and typed formulas in it are formulas."""
    if not MARKS.search(text):
        return [(text, False)]
    if _is_typed(text):
        return [(text, True)]
    parts: list[tuple[str, bool]] = []
    at = 0
    for match in _formula_in_prose().finditer(text):
        if match["code"] is None and match[0].count("(") == match[0].count(")"):
            parts += [(text[at : match.start()], False), (match[0], True)]
            at = match.end()
    return [part for part in (*parts, (text[at:], False)) if part[0]]


@cache
def _formula_in_prose() -> re.Pattern[str]:
    """Return the pattern of a formula in prose; ``code`` is matched too, so that no formula is found within it."""
    indices = "|".join(sorted(map(re.escape, {*policy_indices(), "ℓ"})))
    return re.compile(
        rf"(?P<code>``.*?``)|(?<![\w/.^{{-])(?:A_(?:{indices})(?![\w-]|\.\w|/[a-z])|[Σ∑]_\{{[^{{}}]*\}}(?:\^(?:\{{[^{{}}]*\}}|\w))?"
        r"|[\w()+*/^.-]*?(?:sqrt\(|\*\*)[\w()+*/^.-]*[\w)])"
    )


def _is_typed(text: str) -> bool:
    """Return whether a whole text is a formula as the command line takes it, with a power or a root in it."""
    words = re.findall(r"[A-Za-z]+", text)
    only_symbols = all(len(word) == 1 or word in FUNCTIONS or word in LETTERS or word == "sqrt" for word in words)
    return only_symbols and TYPED.fullmatch(text) is not None and re.search(r"sqrt\(|\*\*", text) is not None


LETTER = re.compile(r"``.*?``|(?<![\w.'’-])l(?![^\W²³κ]|[='’]|-\w)|(?<![\w-])log(?=\()")
"""The letter l and the function log of code in a sentence. Neither is an English word; ``l=1`` stays code."""

INDEXED = (
    r"(?<![A-Za-z])(?<![a-z]{2}/)(?:[A-Za-zα-ωΑ-Ωõℓ∫∑]'?|lim(?:inf|sup)?|sup|inf|min|max)"
    r"_(?:\{[^{}]*\}|\([a-z]\)|[A-Za-z0-9α-ωℓ]{1,3}(?![A-Za-z0-9_]|\.\w))"
)
"""x_ij, x_{i,j−1}: one letter with an index. A name with an underscore in it is no formula."""


def sentence(words: str) -> str:
    """Return prose with ℓ and ln for the letter and the function of code."""
    return LETTER.sub(lambda m: SPOKEN.get(m[0], m[0]), words)
