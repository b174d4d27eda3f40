"""What Coq's kernel accepted: the record of compiled files, compared with the files as they are now.

The record (``accepted.json``) is written by ``make`` where coqc has accepted every file, and is kept beside the files
that are written by hand. A theorem is kernel-checked if the comment above a theorem in one of these files quotes its
statement and its reading word for word. For any other theorem the record covers single steps only.
A claim's finding is kernel-checked if such a comment quotes its sentence, its status, its level's reading and the claim's
given values, and Coq's statement has the numbers of its witness.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from crtools.numeric_types import JsonObject

Data = Mapping[str, Any]
"""A record of a theorem or a step, or a witness, as JSON data."""

RECORD = "accepted.json"

AXIOMS = (
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
)
"""What Coq's real numbers and its logarithm rest on. ``make`` records nothing where a theorem rests on anything else."""

TOKEN = re.compile(r'"[^"]*"|\(\*|\*\)')
STATED = re.compile(
    r"((?:\0\d+\0\s*)+)(?:Theorem|Corollary) (\w+)(.*?)\nProof\b(.*?)\b(Qed|Defined|Admitted|Abort)\.", re.DOTALL
)
UNPROVED = re.compile(r"\b(admit|give_up|Admitted|Abort)\b")
QUOTED = re.compile(r'\(\* Theorem "([^"]*)": ((?:(?!\*\)).)*?)\s+Reading: ((?:(?!\*\)).)*?)\s*\*\)', re.DOTALL)
"""A theorem of Coq with the comments above it (``\\0number\\0``), its statement and its proof; in a comment a theorem of the ledger."""

WORDS = r"((?:(?!\*\)).)*?)"
FINDING = re.compile(
    rf'\(\* Finding "([^"]*)" of "([^"]*)", (\w+) at ([\w-]+): {WORDS}\s+Reading: {WORDS}\s+Given: {WORDS}\s*\*\)',
    re.DOTALL,
)
"""A claim's finding: its id and the claim's, status and level, its sentence, the level's reading, and what the claim is given."""

NUMBER = r"\d+(?: / \d+)?"
NUMBERS = re.compile(rf"\blet (\w+) := ({NUMBER}|\[{NUMBER}(?:; {NUMBER})*\]) in\s")
"""A number or a fraction, or a list of them, that a statement of Coq names."""


Quotation = tuple[str, ...]
"""What the groups of ``QUOTED`` or ``FINDING`` match."""


class QuotedFinding(NamedTuple):
    """A claim's finding as a Coq file quotes it: ids, status, level, sentence, reading, and the values that the claim is given."""

    finding: str
    claim: str
    status: str
    level: str
    says: str
    reading: str
    given: str


def spaced(*fields: str) -> Quotation:
    """Return texts with single spaces between words."""
    return tuple(" ".join(text.split()) for text in fields)


@dataclass(frozen=True)
class Stated:
    """A theorem of Coq as ``File.name``, its statement, and the numbers that this names."""

    name: str
    statement: str

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers and lists of numbers that the statement names, integers and fractions as they are written: ``1/20``."""
        return {name: _number(value) for name, value in NUMBERS.findall(self.statement)}

    def is_at(self, witness: Data, given: Mapping[str, str]) -> bool:
        """Return whether the statement has every number of a witness, and each of its numbers is that of the witness or of ``given``.

        Words in a witness (text with a space, or without a digit) are left out. A fraction is a number; other text, or a mapping,
        equals no number.
        """
        in_witness = {
            name: value
            for name, value in witness.items()
            if not isinstance(value, str) or (" " not in value and any(map(str.isdigit, value)))
        }
        expected = {name: numbers(value) for name, value in given.items()} | in_witness
        stated = self.numbers
        complete = in_witness.keys() <= stated.keys()
        return complete and all(expected[name] == stated[name] for name in expected.keys() & stated.keys())


def _number(text: str) -> Any:
    if text.startswith("["):
        return [*map(_number, text.strip("[]").split(";"))]
    return text.replace(" ", "") if "/" in text else int(text)


def numbers(text: str) -> int | list[int] | None:
    """Return the number, or the list of several, that a given value is; None for any other text."""
    if not re.fullmatch(r"\d+(,\d+)*", text):
        return None
    return int(text) if text.isdecimal() else [int(part) for part in text.split(",")]


@dataclass(frozen=True)
class Accepted:
    """Steps by their digests, and theorems of Coq: by the theorem, the statement and the reading that they prove, by a finding."""

    steps: frozenset[str] = frozenset()
    theorems: Mapping[Quotation, str] = field(default_factory=dict[Quotation, str])
    findings: Mapping[QuotedFinding, Stated] = field(default_factory=dict[QuotedFinding, Stated])

    def __or__(self, other: Accepted) -> Accepted:
        """Return the steps, theorems and findings of both."""
        return Accepted(
            self.steps | other.steps, {**self.theorems, **other.theorems}, {**self.findings, **other.findings}
        )

    def finding(self, finding: QuotedFinding, witness: Data, given: Mapping[str, str]) -> str:
        """Return the theorem of Coq that states a finding, with its witness, as ``File.name``; empty where none does."""
        stated = self.findings.get(finding)
        return stated.name if stated is not None and stated.is_at(witness, given) else ""

    def theorem(self, record: Data) -> str:
        """Return the theorem of Coq with the statement and the reading of a record, as ``File.name``; empty where there is none."""
        return self.theorems.get(spaced(record["theorem"], record["statement"], record["reading"]), "")

    def mark(self, record: Data) -> JsonObject:
        """Return the value of ``kernel_checked`` for a theorem's record: the theorem of Coq, and how many steps are accepted."""
        return {"theorem": self.theorem(record), "steps": sum(digest(step) in self.steps for step in record["steps"])}


NOTHING = Accepted()


@cache
def recorded_in(package: str) -> Accepted:
    """Return the record in a package's folder ``coq``; it is read once in a process."""
    return recorded(files(package) / "coq")


def recorded(folder: Traversable) -> Accepted:
    """Return the record of a folder; an empty one if a file written by hand has changed since."""
    if not (folder / RECORD).is_file():
        return NOTHING
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    texts = by_hand(folder)
    if record["by_hand"] != sha256({PRELUDE: packed(PRELUDE), **texts}):
        return NOTHING
    theorems = {key: stated.name for key, stated in quoted(texts, QUOTED).items()}
    return Accepted(frozenset(record["steps"]), theorems, findings_quoted(texts))


PRELUDE = "Prelude.v"


def packed(name: str) -> str:
    """Return the text of a file that all folders of Coq files have, such as the one that all of them import."""
    return (files("crtools.proof") / name).read_text(encoding="utf-8")


def by_hand(folder: Traversable) -> dict[str, str]:
    """Return the Coq files of a folder by name, in the order of their names."""
    paths = sorted((path for path in folder.iterdir() if path.name.endswith(".v")), key=lambda path: path.name)
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def sha256(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each text."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def quoted(texts: Mapping[str, str], pattern: re.Pattern[str]) -> dict[Quotation, Stated]:
    """Return the theorems of Coq in files by what is quoted above them: theorems (``QUOTED``) or findings (``FINDING``)."""
    stated = (each for file, text in texts.items() for each in stated_in(file, text))
    return {spaced(*groups): theorem for above, theorem in stated for groups in pattern.findall(above)}


def findings_quoted(texts: Mapping[str, str]) -> dict[QuotedFinding, Stated]:
    """Return the theorems of Coq in files that state a claim's finding, by what is quoted above them."""
    return {QuotedFinding(*quote): stated for quote, stated in quoted(texts, FINDING).items()}


def stated_in(file: str, text: str) -> list[tuple[str, Stated]]:
    """Return the theorems of Coq in a file that stand below a comment, with the comments above them.

    Only what is proved (``Qed``, and nothing admitted) and says something.
    """
    module, (code, comments) = file.removesuffix(".v"), _without_comments(text)

    def whole(part: str) -> str:
        return re.sub(r"\0(\d+)\0", lambda match: comments[int(match[1])], part)

    return [
        (whole(above), Stated(f"{module}.{name}", whole(statement).removeprefix(" :").strip()))
        for above, name, statement, proof, end in STATED.findall(code)
        if end == "Qed"
        and not UNPROVED.search(proof)
        and not re.search(r"\.\s", statement)
        and not says_nothing(statement)
    ]


def _without_comments(text: str) -> tuple[str, list[str]]:
    """Return a Coq file with a number for each comment, whatever is nested in it, and the comments."""
    comments, code, depth, begin, opened = list[str](), "", 0, 0, 0
    for token in TOKEN.finditer(text):
        deeper = {"(*": 1, "*)": -1}.get(token[0], 0)
        if deeper == 1 and depth == 0:
            code, opened = code + text[begin : token.start()], token.start()
        elif deeper == -1 and depth == 1:
            code, begin = f"{code}\0{len(comments)}\0", token.end()
            comments.append(text[opened:begin])
        depth += deeper
    return (code + text[begin:] if depth == 0 else ""), comments


def says_nothing(statement: str) -> bool:
    """Return whether a statement of Coq ends in True, or in sides that are the same letter by letter."""
    end = re.split(r"->|,| in\s", re.sub(r"\0\d+\0", "", statement).strip().removesuffix("."))[-1]
    for part in end.removeprefix(" :").split("/\\"):
        sides = [re.sub(r"\s", "", side).strip("()") for side in re.split(r"<=|>=|<->|=|:", part)]
        if not (sides[-1] == "True" or (len(sides) > 1 and sides[-1] == sides[-2])):
            return False
    return True


def digest(step: Data) -> str:
    """Return a digest of a step's formula, as its record has it: of its rule and expressions, else of its LaTeX."""
    content = [step["kind"], step.get("formal") or step["latex"]]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]
