"""What Coq's kernel accepted: a record of compiled texts, compared with the texts of now.

The record (``accepted.json``) is written by ``make`` where coqc has accepted every file, and is kept beside the files
that are written by hand. A theorem is kernel-checked where one of these files states it: its statement and its reading
stand, word for word, in the comment above Coq's theorem. Of any other theorem only steps are known to be accepted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

Data = Mapping[str, Any]

RECORD = "accepted.json"

COMMENT = r"\(\*(?:(?!\*\)).)*\*\)\s*"
STATED = re.compile(rf"((?:{COMMENT})+)(?:Theorem|Corollary) (\w+)", re.DOTALL)
QUOTED = re.compile(r'\(\* Theorem "([^"]*)": ((?:(?!\*\)).)*?)\s+Reading: ((?:(?!\*\)).)*?)\s*\*\)', re.DOTALL)
"""A theorem of Coq with the comments above it; in these a theorem of the ledger, its statement and its reading."""


@dataclass(frozen=True)
class Accepted:
    """Steps by their digests, and theorems of Coq by the theorem, the statement and the reading that they prove."""

    steps: frozenset[str] = frozenset()
    theorems: Mapping[tuple[str, str, str], str] = field(default_factory=dict[tuple[str, str, str], str])

    def __or__(self, other: Accepted) -> Accepted:
        """Return what either knows to be accepted."""
        return Accepted(self.steps | other.steps, {**self.theorems, **other.theorems})

    def theorem(self, record: Data) -> str:
        """Return the theorem of Coq that states what a theorem's record says, as ``File.name``; empty where none does."""
        return self.theorems.get(_key(record["theorem"], record["statement"], record["reading"]), "")

    def mark(self, record: Data) -> dict[str, Any]:
        """Return what a theorem's record shows as ``kernel_checked``: the theorem of Coq, and how many steps are accepted."""
        return {"theorem": self.theorem(record), "steps": sum(digest(step) in self.steps for step in record["steps"])}


NOTHING = Accepted()
"""Nothing is known to be accepted."""


def recorded(folder: Traversable) -> Accepted:
    """Return what the record of a folder says; nothing where a file written by hand is no longer the recorded one."""
    if not (folder / RECORD).is_file():
        return NOTHING
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    texts = by_hand(folder)
    if record["by_hand"] != sha256({PRELUDE: prelude(), **texts}):
        return NOTHING
    theorems = {key: name for file, text in texts.items() for key, name in quoted(file, text).items()}
    return Accepted(frozenset(record["steps"]), theorems)


PRELUDE = "Prelude.v"


def prelude() -> str:
    """Return what all files of Coq rest on."""
    return (files("crtools.proof") / PRELUDE).read_text(encoding="utf-8")


def by_hand(folder: Traversable) -> dict[str, str]:
    """Return the Coq files of a folder by name, in the order of their names."""
    found = sorted((own for own in folder.iterdir() if own.name.endswith(".v")), key=lambda own: own.name)
    return {own.name: own.read_text(encoding="utf-8") for own in found}


def sha256(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each text."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def quoted(file: str, text: str) -> dict[tuple[str, str, str], str]:
    """Return the theorems of Coq in a file that state one of the ledger, by what is quoted above them."""
    stated = ((f"{file.removesuffix('.v')}.{name}", above) for above, name in STATED.findall(text))
    return {_key(*own): name for name, above in stated for own in QUOTED.findall(above)}


def digest(step: Data) -> str:
    """Return a digest of a step's formula, as its record has it: of its rule and expressions, else of its LaTeX."""
    said = [step["kind"], step.get("formal") or step["latex"]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:32]


def _key(name: str, statement: str, reading: str) -> tuple[str, str, str]:
    return name, " ".join(statement.split()), " ".join(reading.split())
