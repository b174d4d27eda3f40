"""Output for terminals and pipes without Unicode: each sign becomes the ASCII that a reader would type."""

import codecs
import unicodedata
from io import TextIOWrapper
from typing import TextIO

SIGNS = {
    "−": "-", "–": "-", "—": "-", "·": "*", "×": "x", "÷": "/", "±": "+-", "→": "->", "↦": "->", "…": "...", "∞": "oo",
    "√": "sqrt", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "≡": "==", "∈": "in", "∝": "~", "Σ": "sum", "∑": "sum",
    "✓": "v", "✗": "x", "“": '"', "”": '"', "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "⁄": "/",
}  # fmt: skip
"""Signs other than Greek letters, raised or lowered digits, and letters with a mark."""


def use_plain_signs(*streams: TextIO) -> None:
    """Make streams accept any text: :func:`plain` replaces the characters that their encoding lacks."""
    codecs.register_error("crtools-plain", _replace)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="crtools-plain")


def plain(text: str) -> str:
    """Return a text in ASCII: ``(3−α)/2 ≤ 10⁻³`` as ``(3-alpha)/2 <= 10^-3``."""
    characters: list[str] = []
    above = False
    for c in text:
        before, above = above, unicodedata.decomposition(c).startswith("<super>")
        characters.append(("^" if above and not before else "") + (c if c.isascii() else SIGNS.get(c) or _named(c)))
    return "".join(characters)


def _named(c: str) -> str:
    """Return a sign by the ASCII signs that it is made of, or by the last word of its Unicode name, for instance alpha."""
    parts = (SIGNS.get(part, part) for part in unicodedata.normalize("NFKD", c))
    known = "".join(part for part in parts if part.isascii())
    return known or unicodedata.name(c, "?").rpartition(" ")[2].lower()


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return plain(error.object[error.start : error.end]), error.end
