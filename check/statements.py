"""The checker's own statements, read from a text per ledger: its theory, the claims, and what decides them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from pkgutil import get_data
from typing import Any

from check.conditions import Part
from check.facts import functions_in
from check.kernel import ATOMS, Rejected, Work, need, parsed
from check.theory import Block, Line, Theory, Wrong, blocks, called, checked, joined, lines

LEDGERS = ("adaptive", "nonclairvoyant", "beyond", "any_memory")
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

    ``further`` are theorems that the claim rests on and no finding names, ``beside`` such of more than the claim. ``stands``: what
    a given value has to be, in the functions of the text.
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
    stands: dict[str, str] = field(default_factory=dict[str, str])

    def needed(self, known: Book | None = None) -> list[str]:
        """Return the names of all theorems that it rests on or names, with those that they cite."""
        found = [*(name for own in self.findings.values() for name in own.proofs), *self.further, *self.beside]
        return (known or book()).theories[self.ledger].with_cited(found)

    def counted(self, known: Book | None = None) -> list[str]:
        """Return those that the claim itself rests on: without those of findings that decide alone or not at all."""
        deciding = [f for f in self.findings.values() if f.how not in ("alone", "aside")]
        found = [*(name for own in deciding for name in own.proofs), *self.further]
        return (known or book()).theories[self.ledger].with_cited(found)


@dataclass
class Book:
    """All statements: theories, claims, what has no certificate."""

    theories: dict[str, Theory] = field(default_factory=dict[str, Theory])
    claims: dict[tuple[str, str], Statement] = field(default_factory=dict[tuple[str, str], Statement])
    without: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    ledgers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The ledger of each claim and level; no two ledgers have one in common."""

    def named_in(self, theory: Theory) -> list[str]:
        """Return a text's theorems, those with parameters with the functions that its theorems and claims name."""
        plain = [name for name in theory.own if not theory.theorems[name].parameters]
        cited = [name for own in theory.theorems.values() for name in own.cites()]
        needed = [name for own in self.claims.values() if own.ledger == theory.name for name in own.needed(self)]
        found = {name: theory.instance(name)[0].name for name in (*plain, *cited, *needed)}
        own = [name for name in (*plain, *cited) if found[name] in theory.own]
        in_order = sorted(own, key=lambda name: theory.own.index(found[name]))
        return list(dict.fromkeys([*in_order, *(name for name in needed if found[name] in theory.own)]))


@cache
def book(last: str = LEDGERS[-1]) -> Book:
    """Return the statements of the ledgers up to ``last``, by default of all; their grammar is in docs/theory-text.md."""
    own, before = Book(), Work.left
    for ledger in LEDGERS[: LEDGERS.index(last) + 1]:
        _read(own, ledger, f"{ledger}.txt", packed(ledger))
    Work.start(before)
    Work.keep(ATOMS)
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
        name = os.path.splitext(os.path.basename(path))[0]
        try:
            text = content(path, LARGEST_TEXT).decode()
            need(name not in own.theories, "expected files of different names")
        except UnicodeDecodeError:
            raise Wrong(f"{path}: expected UTF-8") from None
        except Rejected as error:
            raise Wrong(f"{path}: {error}") from None
        _read(own, name, path, text)
    return own


def content(path: str, most: int) -> bytes:
    """Return what a regular file of at most so many bytes holds, or raise ``Rejected``; ``OSError`` where it cannot be read."""
    need(os.path.isfile(path) or not os.path.exists(path), "cannot be read: expected a regular file")
    with open(path, "rb") as file:
        found = file.read(most + 1)
    need(len(found) <= most, f"expected at most {most} bytes")
    return found


# ---- blocks -----------------------------------------------------------------------------------------------------


def _read(own: Book, ledger: str, file: str, text: str) -> None:
    """Read a text into a book, block by block; a level belongs to the claim above it."""
    theory = own.theories[ledger] = Theory(ledger, file, text)
    claim = Statement("", "", "", {}, ledger)
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
            claim = Statement(rest, "", "", {}, ledger)
            for inner in block.inner:
                _given(claim, inner)
        elif word in _READERS:
            checked(block.line, partial(_READERS[word], own, claim, block, rest))
        else:
            raise block.line.wrong(f"expected define, theorem, claim, {', '.join(_READERS)}, not {word[:20]!r}")


def _builds(own: Book, theory: Theory, line: Line, rest: str) -> None:
    word, _, names = rest.partition(" ")
    late = theory.defined or theory.theorems
    line.refuse(word != "on" or not names or late, "expected 'builds on NAME; NAME', before all else")
    latest = max((name for name in names.split("; ") if name in LEDGERS), key=LEDGERS.index, default=LEDGERS[0])
    for name in names.split("; "):
        known = own if name in own.theories else book(latest) if name in LEDGERS else None
        if known is None or known.theories[name] is theory:
            raise line.wrong(f"expected a theory that is read before, or one of {', '.join(LEDGERS)}, not {name!r}")
        theory.build_on(line, known.theories[name])


def _given(claim: Statement, block: Block) -> None:
    found: Any = re.fullmatch(r"given ([A-Za-z]\w*) = (.+)", block.line.text, re.ASCII)
    block.line.refuse(not found or found[1] in claim.given, "expected given NAME = VALUE, each name once")
    claim.given[found[1]] = found[2]
    for inner in block.inner:
        word, _, claim.stands[found[1]] = inner.line.text.partition(" ")
        inner.line.refuse(word != "is" or len(block.inner) > 1, "expected 'is e', once, in the functions of the text")
        checked(inner.line, partial(parsed, claim.stands[found[1]]))


def _witness(own: Book, claim: Statement, block: Block, name: str) -> None:
    known: dict[str, Part] = own.theories[claim.ledger].witnesses
    block.line.refuse(name in known or not name.isascii(), f"expected a new name of ASCII letters, not {name!r}")
    witness = known[name] = Part()
    for inner in block.inner:
        part = checked(inner.line, partial(witness.add, inner.line.text, known))
        for deeper in inner.inner:
            part = checked(deeper.line, partial(part.add, deeper.line.text, known))


def _words(own: Book, claim: Statement, block: Block, rest: str) -> None:
    (name, _, sentence), known = rest.partition(": "), own.theories[claim.ledger].words
    block.line.refuse(not sentence.strip() or name in known, "expected words NAME: SENTENCE, each name once")
    known[name] = sentence


def _without(own: Book, claim: Statement, block: Block, rest: str) -> None:
    place, _, reason = rest.partition(": ")
    id, _, level = place.partition(" ")
    own.without[id, level] = reason
    _belongs(own, id, level, block.line, claim.ledger)


def _level(own: Book, claim: Statement, block: Block, rest: str) -> None:
    id, (level, _, status) = claim.id, rest.partition(" ")
    expected = f"expected level NAME STATUS below a claim, the status one of {', '.join(STATUSES)}"
    block.line.refuse(not re.fullmatch(r"[\w-]+ [\w-]+", f"{id} {level}", re.ASCII) or status not in STATUSES, expected)
    _belongs(own, id, level, block.line, claim.ledger)
    statement = own.claims[id, level] = Statement(id, level, status, claim.given, claim.ledger, stands=claim.stands)
    for inner in block.inner:
        word, _, text = inner.line.text.partition(" ")
        if word == "finding":
            _finding(own, statement, inner, text)
        elif word in SAYS and text and not (inner.inner or getattr(statement, word)):
            setattr(statement, word, text.split("; ") if word in ("further", "beside", "words") else text)
        else:
            raise inner.line.wrong("expected says, finding, further, beside, witness or words, each but finding once")
    taken = _with_values(own.theories[claim.ledger], statement)
    _rests_on_the_text(own, statement, block.line)
    for name in _untied(own, statement, taken) if status != "refuted" else ():
        raise block.line.wrong(f"given {name}: {TIED.format(name)}")


TIED = "expected it in a theorem's parentheses, 'is f(…)' with f in a fact below, given.{0} in the witness, or words ``{0} = …``"


def _with_values(theory: Theory, statement: Statement) -> set[str]:
    """Put values in the place of given names that theorems are taken with; return those names that decide the statement."""
    taken = set[str]()
    lists = [(own.proofs, own.how not in ("alone", "aside")) for own in statement.findings.values()]
    for names, decides in (*lists, (statement.further, True), (statement.beside, True)):
        for at, (plain, arguments) in enumerate(map(called, names)):
            heads = theory.theorems[plain].parameters.values() if plain in theory.theorems else ()
            numbers = {each for of, each in zip(heads, arguments, strict=False) if not of and each in statement.given}
            taken |= numbers if decides else set()
            values = [statement.given[each] if each in numbers else each for each in arguments]
            names[at] = f"{plain}({', '.join(values)})" if numbers else names[at]
    return taken


def _untied(own: Book, statement: Statement, taken: set[str]) -> list[str]:
    """Return the given values that nothing ties to the statement's theorems, its witness or its words."""
    theory, counted = own.theories[statement.ledger], statement.counted(own)
    words = [step.words for name in counted for step in theory.instance(name)[0].steps if step.kind in ("argued", "so")]
    words += [*(theory.words[name] for name in statement.words), *(f.joined for f in statement.findings.values())]
    said = {name for name, value in statement.given.items() if f"``{name} = {value}``" in " ".join(words)}
    tied = {*taken, *said, *re.findall(r"\bgiven\.(\w+)", str(theory.witnesses.get(statement.witness)))}
    loose = {"min", "max"}.difference(*(called(name)[1] for name in [*counted, *statement.beside]))
    functions = {name: {*functions_in(own)} - loose for name, own in statement.stands.items()}
    return [name for name in statement.given if name not in tied and not functions.get(name)]


def _finding(own: Book, statement: Statement, block: Block, text: str) -> None:
    head, _, proofs = text.partition(": ")
    id, status, *how = head.split(" ")
    known = status in STATUSES and how in ([], ["joined"], ["alone"], ["aside"]) and id not in statement.findings
    block.line.refuse(not known, "expected finding ID STATUS [joined, alone, aside]: NAME; NAME, each ID once")
    sentence = joined(block.inner)
    stray = bool(sentence) != (how == ["joined"])
    block.line.refuse(stray, "expected below a finding the sentence that joins it, where it is joined, and only there")
    statement.findings[id] = Finding(status, " ".join(how), proofs.split("; ") if proofs else [], sentence)


def _rests_on_the_text(own: Book, statement: Statement, line: Line) -> None:
    """Refuse a claim that names what its text has not: theorems, a witness, sentences; or nothing that decides it."""
    line.refuse(not statement.says or not statement.findings, "expected 'says SENTENCE' and a finding")
    statement.needed(own)
    witness, theory = statement.witness, own.theories[statement.ledger]
    line.refuse(witness and witness not in theory.witnesses, f"expected a witness of the text, not {witness!r}")
    for name in statement.words:
        line.refuse(name not in theory.words, f"expected words of the text, not {name!r}")
    asked = bool(witness) and theory.witnesses[witness].asks
    deciding = [f for f in statement.findings.values() if f.how != "aside"]
    undecided = not deciding or (not asked and (witness or any(f.how == "alone" for f in deciding)))
    line.refuse(undecided, "expected a finding that is not aside, and 'holds …' in the witness of what it decides")
    last = max((f.status for f in deciding), key=STATUSES.index)
    line.refuse(last != statement.status, f"expected the level {last}, as its findings that are not aside")
    for id, f in statement.findings.items():
        shown = witness and (f.status != "proved" or f.how in ("joined", "aside") or statement.words)
        bare = not (shown or statement.further or (f.proofs and f.how != "alone"))
        line.refuse(bare, f"expected a theorem or a witness for the finding {id!r}, a theorem where it is proved")
        named = f.proofs * (f.how == "") or statement.further * (not shown and f.how in ("", "alone"))
        stated = [theory.instance(name)[0] for name in named]
        bare = bool(stated) and all(each.states == each.formulas for each in stated)
        line.refuse(bare, f"expected joined in the finding {id!r}, and why: its theorems state formulas alone")


_READERS = {"witness": _witness, "words": _words, "without": _without, "level": _level}
SAYS = ("says", "witness", "further", "beside", "words")
STATUSES = ("proved", "certified", "refuted")


def _belongs(own: Book, id: str, level: str, line: Line, ledger: str) -> None:
    if (id, level) in own.ledgers:
        raise line.wrong(f"{id} {level} stands in {own.theories[own.ledgers[id, level]].file}, too")
    own.ledgers[id, level] = ledger
