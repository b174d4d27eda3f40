"""Split a formula as it is typed, in Unicode or as the command line takes it, into tokens; the signs and their LaTeX."""

from __future__ import annotations

import re
from typing import NamedTuple

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau",
    "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "ℓ": "ell", "∞": "infty", "õ": "tilde{o}", "ĝ": "hat{g}",
}  # fmt: skip
OPERATORS = {
    "=": "=", "<": "<", ">": ">", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≡": r"\equiv", "≈": r"\approx", "≪": r"\ll",
    "≫": r"\gg", "∝": r"\propto", "+": "+", "−": "-", "±": r"\pm", "·": r"\cdot", "×": r"\times", "∘": r"\circ",
    "→": r"\to", "↦": r"\mapsto", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq", "∪": r"\cup", "∩": r"\cap",
    "≻": r"\succ", "⪰": r"\succeq", "Σ": r"\sum", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "*": r"\,",
}  # fmt: skip
FRACTIONS = {"½": ("1", "2"), "⅓": ("1", "3"), "⅔": ("2", "3"), "¼": ("1", "4"), "¾": ("3", "4")}
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵀ⋆", [*"0123456789+-()nik", r"\top", "*"], strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₙ", "0123456789+-ijkn", strict=True))
FUNCTIONS = frozenset({
    "log", "ln", "exp", "sup", "inf", "lim", "liminf", "limsup", "tanh", "min", "max", "det", "tr", "artanh", "argmax", "cos", "sin",
})  # fmt: skip
LETTERS = {name: letter for letter, name in GREEK.items() if letter.islower() and letter not in "ℓõĝ"}
"""Greek letters by name, as formulas on the command line have them."""

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
    """A token: what it is, and its text."""

    kind: str
    text: str


def split(text: str) -> list[Token]:
    """Return the tokens of mathematics; their texts join to it."""
    return [Token(str(m.lastgroup), m.group()) for m in TOKEN.finditer(text)]


SPOKEN = {"l": "ℓ", "log": "ln"}
"""The letter and the word that a reader sees for those of code."""
