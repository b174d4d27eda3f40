"""Docstrings as Markdown: blocks of "name: what it is" become lists, examples code."""

from __future__ import annotations

import re
from typing import Any

import griffe

ENTRY = re.compile(r"^(\w+(?:, \w+)*): +(?=\S)")


class Lists(griffe.Extension):
    """Rewrite the docstring of every object that has parameters or attributes."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite one docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(listed(obj.docstring.value))


def fenced(text: str) -> str:
    """Return the text with each example, from ``>>>`` to an empty line, as a block of code."""
    return re.sub(r"^>>> .*(?:\n.+)*", lambda own: f"```pycon\n{own[0]}\n```", text, flags=re.MULTILINE)


def listed(text: str) -> str:
    """Return the text with its entries as list items; lines that continue an entry are indented in the source."""
    source = text.splitlines()
    if sum(bool(ENTRY.match(line)) for line in source) < 2:  # a colon in running text
        return text
    lines: list[str] = []
    inside = False
    for line in source:
        match = ENTRY.match(line)
        if match:
            if not inside and lines and lines[-1].strip():
                lines.append("")
            names = ", ".join(f"`{name}`" for name in match[1].split(", "))
            lines.append(f"- {names}: {line[match.end() :]}")
            inside = True
        elif inside and line.startswith(" "):
            lines.append(f"    {line.strip()}")
        else:
            if inside and line.strip() and lines[-1].strip():
                lines.append("")
            inside = inside and not line.strip()
            lines.append(line)
    return "\n".join(lines)
