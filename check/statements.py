"""The checker's own statements, read from a text per ledger: its theory, the claims, and what decides them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pkgutil import get_data

from check.conditions import Part
from check.kernel import ATOMS, Definition, Rejected, Work
from check.theory import Block, Line, Theory, Wrong, blocks, called, joined, lines

LEDGERS = ("adaptive", "nonclairvoyant", "beyond")
"""The texts that are packed here; each may build on those before it."""

LARGEST_TEXT = 1_000_000
"""Bytes of a text that is given as a file."""


@dataclass
class Finding:
    """A finding of a verdict: its status, the theorems that it rests on, and how they reach it.

    ``joined``: by a sentence of the text. ``alone``: the witness decides it, and the theorems are of more than that.
    ``aside``: it decides nothing, such as a stricter reading; its theorems are judged and do not count.
    """

    status: str
    how: str
    proofs: list[str]
    joined: str = ""


@dataclass
class Statement:
    """A claim at a level: what it says, the paper's values, its findings, its witness' name and sentences.

    ``further`` are theorems that the claim rests on and no finding names, ``beside`` such of more than the claim.
    """

    id: str
    level: str
    status: str
    given: dict[str, str]
    ledger: str = ""
    says: str = ""
    findings: dict[str, Finding] = field(default_factory=dict[str, Finding])
    further: list[str] = field(default_factory=list[str])
    beside: list[str] = field(default_factory=list[str])
    witness: str = ""
    words: list[str] = field(default_factory=list[str])

    def needed(self, known: Book | None = None) -> list[str]:
        """Return the names of all theorems that it rests on or names, with those that they cite."""
        own = [*(name for own in self.findings.values() for name in own.proofs), *self.further, *self.beside]
        return _with_cited(own, known)

    def counted(self, known: Book | None = None) -> list[str]:
        """Return those that the claim itself rests on: without those of findings that decide alone or not at all."""
        deciding = [f for f in self.findings.values() if f.how not in ("alone", "aside")]
        return _with_cited([name for f in deciding for name in f.proofs] + self.further, known)


def _with_cited(names: list[str], known: Book | None) -> list[str]:
    known = known or book()
    for name in names:
        names += [cited for cited in known.cites(name) if cited not in names]
    return list(dict.fromkeys(names))


@dataclass
class Book:
    """All statements: theories, sentences, witnesses, claims, what has no certificate."""

    theories: dict[str, Theory] = field(default_factory=dict[str, Theory])
    words: dict[str, str] = field(default_factory=dict[str, str])
    witnesses: dict[str, Part] = field(default_factory=dict[str, Part])
    claims: dict[tuple[str, str], Statement] = field(default_factory=dict[tuple[str, str], Statement])
    without: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    ledgers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The ledger of each claim and level; no two ledgers have one in common."""

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """The definitions of all theories, no two of which define one name."""
        return {name: value for theory in self.theories.values() for name, value in theory.definitions.items()}

    def definitions_of(self, ledger: str) -> dict[str, Definition]:
        """Return the definitions that the witnesses of a ledger's claims may use."""
        return self.theories[ledger].definitions

    def text_of(self, name: str) -> Theory | None:
        """Return the theory whose own text has a theorem, None where none has."""
        return next((own for own in self.theories.values() if called(name)[0] in own.own or name in own.own), None)

    def named_in(self, theory: Theory) -> list[str]:
        """Return a text's theorems, those with parameters with the functions that its theorems and claims name.

        Raises ``Wrong`` where one is never named, as it cannot be judged.
        """
        claims = [own for own in self.claims.values() if own.ledger == theory.name]
        named = [name for own in claims for name in own.needed(self) if self.text_of(name) is theory]
        found = list(dict.fromkeys([*theory.instances(), *named]))
        for name in theory.own:
            if not any(called(each)[0] == name or each == name for each in found):
                raise theory.theorems[name].line.wrong("expected a theorem or a claim that names it with its functions")
        return found

    def cites(self, name: str) -> list[str]:
        """Return what a theorem cites."""
        known = [own for own in self.theories.values() if called(name)[0] in own.theorems or name in own.theorems]
        if not known:
            raise Rejected(f"expected a theorem of a text, not {name[:60]!r}")
        return known[-1].instance(name)[0].cites()


@cache
def book() -> Book:
    """Return the statements of all ledgers; their grammar is in docs/theory-text.md."""
    own, before = Book(), Work.left
    for ledger in LEDGERS:
        _read(own, ledger, f"{ledger}.txt", packed(ledger))
    Work.start()
    Work.keep(ATOMS)
    Work.left = before
    return own


def packed(ledger: str) -> str:
    """Return the text of a ledger that is packed beside this program."""
    return (get_data("check", f"{ledger}.txt") or b"").decode()


def of_files(paths: Iterable[str]) -> Book:
    """Return the statements of files; these may build on each other, in order, and on the ledgers that are packed here.

    Raises ``Wrong`` where a text cannot be read, ``OSError`` where a file cannot.
    """
    own = Book()
    for path in paths:
        with open(path, "rb") as file:
            raw = file.read(LARGEST_TEXT + 1)
        if len(raw) > LARGEST_TEXT:
            raise Wrong(f"{path}: expected at most {LARGEST_TEXT} bytes")
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            raise Wrong(f"{path}: expected UTF-8") from None
        name = os.path.splitext(os.path.basename(path))[0]
        if name in own.theories:
            raise Wrong(f"{path}: expected files of different names")
        _read(own, name, path, text)
    return own


# ---- blocks -----------------------------------------------------------------------------------------------------


def _read(own: Book, ledger: str, file: str, text: str) -> None:
    """Read a text into a book, block by block; a level belongs to the claim above it."""
    theory = own.theories[ledger] = Theory(ledger, file, text)
    claim = ("", dict[str, str]())
    for block in blocks(lines(file, text)):
        word, _, rest = block.line.text.partition(" ")
        if word not in ("theorem", "witness", "claim", "level") and block.inner:
            raise block.inner[0].line.wrong(f"expected nothing below a line {word!r}")
        if word == "define":
            theory.define(block.line)
        elif word == "theorem":
            theory.add(block)
        elif word == "builds":
            _builds(own, theory, block.line, rest)
        elif word == "claim":
            claim = rest, dict(_given(line) for line in block.inner)
        elif word in _READERS:
            _at(block.line, partial(_READERS[word], own, ledger, claim, block, rest))
        else:
            raise block.line.wrong(
                f"expected {', '.join(('define', 'theorem', 'claim', *_READERS))}, not {word[:20]!r}"
            )


def _at(line: Line, read: Callable[[], None]) -> None:
    """Read a block, and say where it is if it cannot be read."""
    try:
        read()
    except Wrong:
        raise
    except Rejected as error:
        raise line.wrong(error) from None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise line.wrong(f"cannot be read: {error}") from None


def _builds(own: Book, theory: Theory, line: Line, rest: str) -> None:
    word, _, names = rest.partition(" ")
    if word != "on" or not names or theory.defined or theory.theorems:
        raise line.wrong("expected 'builds on NAME; NAME', before all else")
    for name in names.split("; "):
        known = own if name in own.theories else book() if name in LEDGERS else None
        if known is None or known.theories[name] is theory:
            raise line.wrong(f"expected a theory that is read before, or one of {', '.join(LEDGERS)}, not {name!r}")
        if known is not own:
            own.words |= known.words
            own.witnesses |= known.witnesses
        theory.build_on(line, [known.theories[name]])


def _given(block: Block) -> tuple[str, str]:
    found = re.fullmatch(r"given (.+?) = (.+)", block.line.text)
    if not found:
        raise block.line.wrong("expected given NAME = VALUE")
    return found[1], found[2]


Owner = tuple[str, dict[str, str]]
"""A claim's id and its given values."""


def _witness(own: Book, ledger: str, claim: Owner, block: Block, name: str) -> None:
    if name in own.witnesses:
        raise block.line.wrong(f"{name!r} stands there twice")
    witness = own.witnesses[name] = Part()
    for inner in block.inner:
        part = witness.add(inner.line.text, own.witnesses)
        for deeper in inner.inner:
            part = part.add(deeper.line.text, own.witnesses)


def _words(own: Book, ledger: str, claim: Owner, block: Block, rest: str) -> None:
    name, _, sentence = rest.partition(": ")
    if not sentence.strip() or name in own.words:
        raise block.line.wrong("expected words NAME: SENTENCE, a name of its own and a sentence")
    own.words[name] = sentence


def _without(own: Book, ledger: str, claim: Owner, block: Block, rest: str) -> None:
    place, _, reason = rest.partition(": ")
    id, _, level = place.partition(" ")
    own.without[id, level] = reason
    _belongs(own, id, level, block.line, ledger)


def _level(own: Book, ledger: str, claim: Owner, block: Block, rest: str) -> None:
    id, given = claim
    level, _, status = rest.partition(" ")
    if not id or status not in STATUSES:
        raise block.line.wrong(f"expected level NAME STATUS below a claim, the status one of {', '.join(STATUSES)}")
    _belongs(own, id, level, block.line, ledger)
    statement = own.claims[id, level] = Statement(id, level, status, given, ledger)
    for inner in block.inner:
        word, _, text = inner.line.text.partition(" ")
        if word == "finding":
            _finding(own, statement, inner, text)
        elif word in ("says", "witness", "further", "beside", "words") and text and not inner.inner:
            setattr(statement, word, text.split("; ") if word in ("further", "beside", "words") else text)
        else:
            raise inner.line.wrong("expected says, finding, further, beside, witness or words")
    _rests_on_the_text(own, statement, block.line)


def _finding(own: Book, statement: Statement, block: Block, text: str) -> None:
    head, _, proofs = text.partition(": ")
    id, status, *how = head.split(" ")
    if id in statement.findings or status not in STATUSES or how not in ([], ["joined"], ["alone"], ["aside"]):
        raise block.line.wrong("expected finding ID STATUS [joined, alone, aside]: NAME; NAME, each ID once")
    sentence = joined(block.inner)
    if bool(sentence) != (how == ["joined"]):
        raise block.line.wrong(
            "expected below a finding the sentence that joins it, where it is joined, and only there"
        )
    names = proofs.split("; ") if proofs else []
    statement.findings[id] = Finding(status, " ".join(how), names, sentence)


def _rests_on_the_text(own: Book, statement: Statement, line: Line) -> None:
    """Refuse a claim that names what its text has not: theorems, a witness, sentences; or nothing that decides it."""
    theory = own.theories[statement.ledger]
    if not statement.says or not statement.findings:
        raise line.wrong("expected 'says SENTENCE' and a finding")
    for name in (*(n for f in statement.findings.values() for n in f.proofs), *statement.further, *statement.beside):
        theory.instance(name)
    if statement.witness and statement.witness not in own.witnesses:
        raise line.wrong(f"expected a witness of the text, not {statement.witness!r}")
    if unknown := [name for name in statement.words if name not in own.words]:
        raise line.wrong(f"expected words of the text, not {unknown[0]!r}")
    alone = statement.witness or statement.further
    if bare := [id for id, f in statement.findings.items() if not f.proofs and not alone]:
        raise line.wrong(f"expected a theorem or a witness for the finding {bare[0]!r}")


_READERS = {"witness": _witness, "words": _words, "without": _without, "level": _level}
STATUSES = ("proved", "certified", "refuted")


def _belongs(own: Book, id: str, level: str, line: Line, ledger: str) -> None:
    if (id, level) in own.ledgers:
        raise line.wrong(f"{id} {level} stands in {own.theories[own.ledgers[id, level]].file}, too")
    own.ledgers[id, level] = ledger
