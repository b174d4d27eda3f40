"""The checker's own statements, read from one file per ledger: definitions, what each proof has to show, and the claims."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pkgutil import get_data

from check.conditions import Part
from check.kernel import Accepted, Definition, Fact, Reader, Work, need, wanted

LEDGERS = ("adaptive", "beyond", "nonclairvoyant")
"""A file of statements each, in which those before it may be used."""


@dataclass
class Demand:
    """What the proof of a name has to consist of: facts in order, proofs that it cites, numbers of other steps.

    ``argued`` are those in words, ``computed`` those that only crtools computed.
    """

    lines: list[str] = field(default_factory=list[str])
    cites: list[str] = field(default_factory=list[str])
    argued: int = 0
    computed: int = 0


@dataclass
class Finding:
    """A finding of a verdict: its status, the proofs that it rests on, and how they reach it.

    ``joined``: by a sentence of the certificate. ``alone``: the witness decides it, and the proofs are of more than that.
    """

    status: str
    how: str
    proofs: list[str]


@dataclass
class Statement:
    """A claim at a level: what it says, the paper's values, its findings, its witness' name and sentences.

    ``further`` are proofs that the claim rests on and no finding names, ``beside`` such of more than the claim.
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

    def needed(self) -> list[str]:
        """Return the names of all proofs that its certificate holds, with those that they cite."""
        return _with_cited(
            [*(name for own in self.findings.values() for name in own.proofs), *self.further, *self.beside]
        )

    def counted(self) -> list[str]:
        """Return the proofs that the claim itself rests on: without those beside a witness that decides alone."""
        return _with_cited([n for f in self.findings.values() if f.how != "alone" for n in f.proofs] + self.further)


def _with_cited(names: list[str]) -> list[str]:
    for name in names:
        names += [cited for cited in book().demands[name].cites if cited not in names]
    return list(dict.fromkeys(names))


@dataclass
class Book:
    """All statements: definitions, sentences, demands by a proof's name, witnesses, claims, what has no certificate."""

    definitions: dict[str, Definition] = field(default_factory=dict[str, Definition])
    words: dict[str, str] = field(default_factory=dict[str, str])
    demands: dict[str, Demand] = field(default_factory=dict[str, Demand])
    witnesses: dict[str, Part] = field(default_factory=dict[str, Part])
    claims: dict[tuple[str, str], Statement] = field(default_factory=dict[tuple[str, str], Statement])
    without: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    ledgers: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """The ledger of each claim and level; no two ledgers have one in common."""


@cache
def book() -> Book:
    """Return the statements of all ledgers; what they say of their own form stands at the top of ``adaptive.txt``."""
    own = Book()
    for ledger in LEDGERS:
        block = _Block(ledger)
        for line in (get_data("check", f"{ledger}.txt") or b"").decode().splitlines():
            if line.startswith("  ") and block.witness is not None:
                part = block.part if line.startswith("    ") else block.witness
                block.part = part.add(line.strip(), own.witnesses)
            elif line.startswith("  "):
                block.add(line.strip())
            elif line and not line.startswith("#"):
                block = _begin(own, block, *line.split(" ", 1))
    return own


@dataclass
class _Block:
    """What indented lines belong to: a proof's demand, a witness, a claim's given values, or a claim at a level.

    ``part`` is what the last line of a witness belonged to.
    """

    ledger: str
    demand: Demand = field(default_factory=Demand)
    witness: Part | None = None
    part: Part = field(default_factory=Part)
    claim: str = ""
    given: dict[str, str] = field(default_factory=dict[str, str])
    level: Statement | None = None

    def add(self, line: str) -> None:
        """Read an indented line."""
        word, _, rest = line.partition(" ")
        if self.level is not None:
            self._of_level(self.level, word, rest)
        elif self.claim:
            name, _, value = rest.partition(" = ")
            self.given[name] = value
        elif word == "cites":
            self.demand.cites.append(rest)
        elif word in ("argued", "computed"):
            setattr(self.demand, word, int(rest))
        else:
            self.demand.lines.append(line)

    def _of_level(self, level: Statement, word: str, rest: str) -> None:
        if word == "finding":
            head, _, proofs = rest.partition(": ")
            id, status, *how = head.split(" ")
            level.findings[id] = Finding(status, " ".join(how), proofs.split("; ") if proofs else [])
        else:
            setattr(level, word, rest.split("; ") if word in ("further", "beside", "words") else rest)


def _begin(own: Book, block: _Block, word: str, rest: str) -> _Block:
    """Read a line that is not indented; return what the indented ones after it belong to."""
    if word == "define":
        head, _, value = rest.partition(" = ")
        function, _, parameters = head.rstrip(")").partition("(")
        own.definitions[function] = Definition(tuple(parameters.split(", ")), Reader(own.definitions).read(value))
    elif word == "words":
        name, _, sentence = rest.partition(": ")
        own.words[name] = sentence
    elif word == "without":
        place, _, reason = rest.partition(": ")
        id, _, level = place.partition(" ")
        own.without[id, level] = reason
        _belongs(own, id, level, block.ledger)
    elif rest in {"proof": own.demands, "witness": own.witnesses}.get(word, {}):
        raise ValueError(f"{block.ledger}.txt: {rest!r} stands there twice")
    elif word == "proof":
        return _Block(block.ledger, own.demands.setdefault(rest, Demand()))
    elif word == "witness":
        return _Block(block.ledger, witness=own.witnesses.setdefault(rest, Part()))
    elif word == "claim":
        return _Block(block.ledger, claim=rest)
    elif word == "level":
        level, status = rest.split(" ")
        _belongs(own, block.claim, level, block.ledger)
        statement = own.claims[block.claim, level] = Statement(block.claim, level, status, block.given, block.ledger)
        return _Block(block.ledger, claim=block.claim, given=block.given, level=statement)
    else:
        raise ValueError(f"{block.ledger}.txt: {word!r}")
    return block


def _belongs(own: Book, id: str, level: str, ledger: str) -> None:
    if (id, level) in own.ledgers:
        raise ValueError(f"{ledger}.txt: {id} {level} stands in {own.ledgers[id, level]}.txt, too")
    own.ledgers[id, level] = ledger


@cache
def facts(name: str) -> tuple[Fact, ...]:
    """Return the facts that a proof has to show; what they cost is not the certificate's."""
    before = Work.left
    own = tuple(wanted(line, book().definitions) for line in book().demands[name].lines)
    Work.left = before
    return own


def shows(name: str, proof: Accepted) -> None:
    """Refuse a proof that does not consist of the facts, citations and number of steps in words that are asked for."""
    demand = book().demands[name]
    need(list(proof.cites) == demand.cites, f"{name}: it must cite {', '.join(demand.cites) or 'nothing'}")
    need(len(proof.facts) == len(demand.lines), f"{name}: it must have {len(demand.lines)} checked steps")
    for line, fact, own in zip(demand.lines, proof.facts, facts(name), strict=True):
        need(fact.same(own), f"{name}: the statement needs {line[:150]}")
    need(len(proof.argued) == demand.argued, f"{name}: it must have {demand.argued} steps in words")
    need(len(proof.computed) == demand.computed, f"{name}: it must have {demand.computed} steps not computed here")
