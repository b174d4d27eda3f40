"""The tokens of a plain sentence with formulas, and the signs that the ledger writes them with."""

from __future__ import annotations

import re
from dataclasses import dataclass

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell", "∞": "infty", "õ": "tilde{o}",
}  # fmt: skip
OPERATORS = {
    "=": "=", "<": "<", ">": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≡": r"\equiv", "≈": r"\approx", "≪": r"\ll",
    "≫": r"\gg", "∝": r"\propto", "+": "+", "−": "-", "±": r"\pm", "·": r"\cdot", "×": r"\times", "∘": r"\circ",
    "→": r"\to", "↦": r"\mapsto", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap",
    "≻": r"\succ", "⪰": r"\succeq", "Σ": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "*": r"\,",
}  # fmt: skip
FRACTIONS = {"½": "12", "⅓": "13", "⅔": "23", "¼": "14", "¾": "34"}
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵀ", [*"0123456789+-()nik", r"\top"], strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ", "0123456789+-ijkn", strict=True))
UPRIGHT = frozenset({"CR", "TEL", "LG", "SSE", "SST"})
FUNCTIONS = frozenset({"log", "ln", "exp", "sup", "inf", "min", "max", "det", "tr", "artanh", "argmax", "cos", "sin"})
SHORT_WORDS = frozenset(
    ["am", "an", "as", "at", "be", "by", "do", "eq", "go", "he", "if", "in", "is", "it", "me", "my", "no", "of", "on", "or", "so",
     "th", "to", "up", "us", "vs", "we", "cf"]
)  # fmt: skip
POLICIES = frozenset({"max", "min", "random", "ell", "ℓ"})
PRODUCTS = frozenset({"ij", "ik", "jk", "xy"})
SPELT = frozenset(name for letter, name in GREEK.items() if letter.islower() and letter not in "ℓõ")
"""Greek letters by name, as formulas on the command line have them."""
RELATIONS = frozenset("=<>≤≥≠≡≈∈→")

TOKEN = re.compile(
    r"""
    (?P<prose>e\.g\.|i\.e\.|(?:[A-Z]\.){2,}|['’]s(?!\w)         # abbreviations, the possessive
      |(?<![\w.)])[A-Za-z]\d+(?!\w)                              # names such as t2
      |[A-Za-z]+(?:-[A-Za-z]+)*\([^()]*\w=[^()]*\)               # geometric(q=1/2)
      |[A-Za-z]+(?:-[A-Za-z]+)+(?![_^(])                         # two-point, H-SF
      |[A-Za-z]{2,}(?:_[A-Za-z0-9]+)+(?!\w)                       # memo_latency
      |[A-Za-z](?:_[A-Za-z0-9]+){2,}(?!\w)                        # a_min_bound
      |\w+/\w+\.\w+)                                             # docs/model.md
    |(?P<root>√|sqrt(?=\())
    |(?P<power>\*\*)
    |(?P<script>[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\((?:[^()]|\([^()]*\))*\)|[−-]?(?:[A-Za-z]+|∘?\d+|[ℓ∞α])))
    |(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵀ]+)
    |(?P<lowered>[₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ]+)
    |(?P<prime>(?<=[A-Za-z0-9₀-₉)])['′](?![A-Za-z':]))
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<word>[A-Za-z]+)
    |(?P<greek>[αβγδεζηθκλμνξπρστφχψωΓΔΘΛΦΨΩℓ∞õ])
    |(?P<fraction>[½⅓⅔¼¾])
    |(?P<operator>[=<>≤≥≠≡≈≪≫∝+−±·×∘→↦∈∉⊂⊆∪∩≻⪰Σ∏∫∂*])
    |(?P<neutral>[\s()\[\]{}|,/:…⌈⌉⌊⌋-])
    |(?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING, CLOSING = "([{⌈⌊", ")]}⌉⌋"


@dataclass
class Token:
    """A token: what it may be, its text, and whether it is certainly mathematics."""

    kind: str
    text: str
    sure: bool = False


SPACE = Token("neutral", " ")


LETTERS = {name: letter for letter, name in GREEK.items() if letter != "ℓ"}


def typed(text: str) -> str:
    """Return a text with the formulas of the command line as one would type them: √ for sqrt, α for alpha, ^ for **."""
    return "".join(_typed(token) for token in split(text))


def _typed(token: Token) -> str:
    match token.kind, token.text:
        case "root", _:
            return "√"
        case "power", _:
            return "^"
        case "operator", "*":
            return "·"
        case "word", name if name in SPELT:
            return LETTERS[name]
        case _:
            return token.text


def split(text: str) -> list[Token]:
    """Return the tokens of a text; their texts join to it."""
    return [Token(str(m.lastgroup), m.group()) for m in TOKEN.finditer(text)]
