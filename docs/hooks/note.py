"""The pages of docs/beyond as one LaTeX document, and its PDF: ``python docs/hooks/note.py [FOLDER]``.

Pandoc writes the text, ``note.lua`` makes theorems and proofs of its paragraphs, ``note.tex`` is the frame. Needs the
programs pandoc and pdflatex.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from string import Template

HOOKS = Path(__file__).parent
PAGES = HOOKS.parent / "beyond"
ORDER = (
    "index",
    "definitions",
    "minimax",
    "best-for-a-law",
    "a-offset",
    "every-s",
    "a-max",
    "any-memory",
    "related-work",
)
"""The pages of the note. The first one's table of results comes after the others' definitions."""

GREEK = ("alpha", "gamma", "delta", "kappa", "lambda", "mu", "nu", "pi", "rho", "tau", "psi", "omega", "Sigma")
SIGNS = (
    "ell",
    "-",
    "ge",
    "le",
    "to",
    "infty",
    "surd",
    "int",
    "times",
    "cdot",
    "lfloor",
    "rfloor",
    "lceil",
    "rceil",
    "approx",
)
CHARACTERS = {
    **dict(zip("αγδκλμνπρτψωΣ", GREEK, strict=True)),
    **dict(zip("ℓ−≥≤→∞√∫×·⌊⌋⌈⌉≈", SIGNS, strict=True)),
    **{power: f"{{}}^{{{digit}}}" for power, digit in zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True)},
    **{half: rf"\tfrac{top}{bottom}" for half, top, bottom in ("½12", "¼14", "¾34")},
    "″": "{}''",
    "∎": r"\blacksquare",
    "ᵀ": r"{}^\top",
    "…": r"\ldots",
    "†": r"\dagger",
    "‡": r"\ddagger",
}
"""What stands for each character that pdflatex does not know, in mathematics."""


def declared() -> str:
    """Return the LaTeX commands that declare the characters."""
    commands = ((c, f"\\{text} " if text.isalpha() else text) for c, text in CHARACTERS.items())
    return "\n".join(rf"\DeclareUnicodeCharacter{{{ord(c):04X}}}{{\ensuremath{{{text}}}}}" for c, text in commands)


def linked(text: str, page: str) -> str:
    """Return a page with links to pages of the note as links within it, and links to others as words."""

    def target(found: re.Match[str]) -> str:
        words, path, anchor = found[1], found[2] or f"{page}.md", found[3]
        name = path.removesuffix(".md")
        if name in ORDER:
            return f"[{words}](#{name}--{anchor or 'top'})"
        return found[0] if path.startswith("http") else words

    text = re.sub(r"(?<!!)\[([^\]]*)\]\(([^)#]*)(?:#([^)]*))?\)", target, text)
    text = re.sub(r"(\w)\u0304", r"\\bar \1", text)  # m with a bar stands in formulas only
    return re.sub(r"^# (.*)$", rf"# \1 {{#{page}--top}}", text, count=1, flags=re.MULTILINE)


def body(page: str) -> str:
    """Return a page as LaTeX: a section whose labels begin with its name."""
    text = linked((PAGES / f"{page}.md").read_text(encoding="utf-8"), page)
    command = ["pandoc", "-f", "markdown-smart", "-t", "latex", "--no-highlight", "-M", f"page={page}",
               f"--lua-filter={HOOKS / 'note.lua'}", "--wrap=preserve"]  # fmt: skip
    made = subprocess.run(command, input=text, cwd=PAGES, capture_output=True, text=True, check=True)
    return made.stdout.replace("../../figures/", str(HOOKS.parent.parent / "figures") + "/")


WORK = re.compile(r"(?P<authors>[A-Z][\w ,]+?),\s\*(?P<title>[^*]+)\*,\s(?P<where>[^;:(]*?\b(?:19|20)\d\d)\b")
PREPRINT = re.compile(r"(?P<authors>[A-Z][\w ,]+?) \(\[(?P<title>arXiv [\d.]+)\]\((?P<where>https://[^)]+)\)\)")


def works() -> list[tuple[str, str, str]]:
    """Return authors, title and place of the works that the page of related work cites, by authors."""
    text = (PAGES / "related-work.md").read_text(encoding="utf-8")
    found = (found for pattern in (WORK, PREPRINT) for found in pattern.finditer(text))
    return sorted(tuple(" ".join(part.split()) for part in one.group("authors", "title", "where")) for one in found)


def bibliography() -> str:
    """Return these works as LaTeX."""
    items = (
        rf"\bibitem{{work-{place}}} {authors}, \emph{{{title}}}, "
        + (rf"\url{{{where}}}." if where.startswith("http") else f"{where}.")
        for place, (authors, title, where) in enumerate(works())
    )
    return "\n".join([r"\begin{thebibliography}{99}", *items, r"\end{thebibliography}"])


def note() -> str:
    """Return the whole document."""
    frame = Template((HOOKS / "note.tex").read_text(encoding="utf-8"))
    return frame.substitute(characters=declared(), body="\n".join(map(body, ORDER)), bibliography=bibliography())


def write(folder: Path) -> Path:
    """Write ``beyond.tex`` into a folder and return the PDF that pdflatex makes of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "beyond.tex").write_text(note(), encoding="utf-8")
    for _ in range(2):  # the second run knows the numbers of the pages
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "beyond.tex"], cwd=folder,
                       stdout=subprocess.DEVNULL, check=True)  # fmt: skip
    return folder / "beyond.pdf"


if __name__ == "__main__":
    print(write(Path(sys.argv[1] if len(sys.argv) > 1 else "build/note")))
