"""``Ledger``: the claims of one theory, their levels, and what else the theory brings. Found through entry points."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from crtools.errors import InputError
from crtools.installed_ledgers import comes_with_crtools
from crtools.names import canonical
from crtools.plotting.figure import Drawing
from crtools.proof.accepted import Accepted

if TYPE_CHECKING:
    from crtools.ledger.claim import Claim, ClaimResult
    from crtools.process.guarantees import ProvedFactor
    from crtools.proof.coq import Development
    from crtools.proof.text import Text
    from crtools.proof.theorem import Theorem


@dataclass(frozen=True)
class Level:
    """One level of a ledger: its id, the head of its column, its subject, and the question that a reader has there."""

    id: str
    head: str
    speaks_of: str
    asks: str


class Slip(NamedTuple):
    """A place at which a paper contradicts itself: what it says there, and the reading that is taken here."""

    place: str
    says: str
    taken: str


def slips_in(text: str) -> tuple[Slip, ...]:
    """Read slips, separated by empty lines: a place, and below it lines that begin with ``says`` and ``taken``."""
    rows = (part.split("\n  ") for part in text.strip().split("\n\n") if part[0] != "#")
    return tuple(Slip(place, says.removeprefix("says "), taken.removeprefix("taken ")) for place, says, taken in rows)


NOTHING = "not known"
"""The last column of a headline whose ``instead`` is not backed by proved repairs."""


@dataclass(frozen=True)
class Headline:
    """A claim in plain words (``says``), and a true sentence ``instead``.

    ``instead`` is shown only while the claim has a standing repair at each of the ``levels``, whose sentences it sums up.
    """

    claim: str
    says: str
    instead: str
    levels: tuple[str, ...]


LONG = 3
"""Claims that take at least this many seconds are decided after the others of their group (:attr:`Ledger.order_keys`)."""


def deferred_import(module: str, name: str) -> Callable[[], Any]:
    """Return a function that imports a module, given by its full name, and returns its attribute ``name``."""
    return lambda: getattr(import_module(module), name)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """A theory: its claims, the levels at which they are read, and what else it brings.

    Every field that is a function is called when its result is first needed.

    Attributes
    ----------
    name, title, source, problem
        Its name on the command line, its title, the paper, and in a few words what the paper is about.
    levels
        What a claim's sentence can be read as speaking of.
    load
        Returns the claims, in the order of the paper.
    slow
        Ids of the claims that ``--quick`` skips.
    seconds
        The running times above one second, by claim id, for a progress bar's estimate and the order of deciding.
    compiled
        Ids of claims that use a loop which takes long to compile. They are decided after the others.
    forms, policies, families, laws, figures
        Return by name: forms; policies, or a ``Choice`` of them; policies with an argument; functions that make
        distributions of output lengths; figures.
    worst_cases, latencies
        Return proved worst cases; and, by a policy's name, sentences about its total latency and a form, each with the
        function that returns its theorem.
    guarantees
        Returns, by the claim, theorems that bound the total latency of a policy that can be run.
    commands, functions
        Return functions that add a command to the command line, and functions that ``crtools`` offers in Python, by name.
    theory
        Returns the text with the theorems and the statements of the claims; None where theorems are written in Python.
    coq, accepted
        Return the proofs as Coq files, and the record of what Coq's kernel accepted.
    headlines, slips
        Return the sentences that a reader sees first, and the places at which the paper contradicts itself.
    default_form
        The form whose ratio is computed where a user names none.
    indices
        The indices in names of policies, such as min in A_min.
    answers
        Returns, by a question of the toolkit, the claim and the finding that answer it.
    file
        The Python file that the ledger was read from; "" for an installed one.
    """

    name: str
    title: str
    source: str
    problem: str = ""
    levels: tuple[Level, ...]
    load: Callable[[], tuple[Claim, ...]]
    slow: frozenset[str] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    compiled: frozenset[str] = frozenset()
    forms: Callable[[], dict[str, Any]] = field(default=dict)
    policies: Callable[[], dict[str, Any]] = field(default=dict)
    families: Callable[[], dict[str, Any]] = field(default=dict)
    laws: Callable[[], dict[str, Callable[[], Any]]] = field(default=dict)
    figures: Callable[[], dict[str, Drawing]] = field(default=dict[str, Drawing])
    worst_cases: Callable[[], Any] | None = None
    latencies: Callable[[], dict[str, tuple[tuple[str, Callable[[], Theorem]], ...]]] = field(default=dict)
    guarantees: Callable[[], dict[str, ProvedFactor]] = field(default=dict)
    commands: Callable[[], tuple[Callable[[Any], None], ...]] = field(default=tuple)
    functions: Callable[[], dict[str, Callable[..., Any]]] = field(default=dict)
    coq: Callable[[], Development] | None = None
    accepted: Callable[[], Accepted] = Accepted
    headlines: Callable[[], tuple[Headline, ...]] = field(default=tuple)
    slips: Callable[[], tuple[Slip, ...]] = field(default=tuple)
    default_form: str = ""
    theory: Callable[[], Text | None] = lambda: None
    indices: frozenset[str] = frozenset()
    answers: Callable[[], dict[str, tuple[str, str]]] = field(default=dict[str, tuple[str, str]])
    file: str = ""

    @property
    def address(self) -> str:
        """Its file, or its name: ``load`` finds it by this in another process too."""
        return self.file or self.name

    @property
    def owner(self) -> str:
        """The name under which results are cached; empty for a ledger outside this package, whose code no key can name."""
        return self.name if comes_with_crtools(self) else ""

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in the paper's order, with what the text gives them.

        Raises ``InputError`` for two of one id, and for a level that the ledger has not.
        """
        text = self.theory()
        stated = {id: s.given for (id, _), s in text.book.claims.items()} if text else {}
        claims = tuple(c if c.given else replace(c, given=dict(stated.get(c.id, {}))) for c in self.load())
        ids = [claim.id for claim in claims]
        for claim in claims:
            if ids.count(claim.id) > 1:
                raise InputError("ledger", self.address, f"must have each id once, but two claims are {claim.id!r}")
            self._has_levels(claim.id, claim.stated_at)
        return claims

    @cached_property
    def order_keys(self) -> dict[str, tuple[bool, bool, bool, bool, int]]:
        """Sort keys by claim id, for the order in which claims are decided and printed.

        Slow claims come last, and before them those with compiled loops. In each of these three groups short ones come before
        long ones, then headlines before others, and else the paper's order counts.
        """
        headlines = {headline.claim for headline in self.headlines()}
        ids = enumerate(claim.id for claim in self.claims)
        return {
            id: (id in self.slow, id in self.compiled, self.seconds.get(id, 0) >= LONG, id not in headlines, number)
            for number, id in ids
        }

    def checked(self, result: ClaimResult) -> ClaimResult:
        """Return a claim's result; ``InputError`` unless it has one verdict at each of some levels of this ledger.

        One of them must be the level at which the claim is stated.
        """
        self._has_levels(result.id, *result.levels, *(repair.level for repair in result.repairs))
        if len(set(result.levels)) < len(result.levels):
            raise InputError("ledger", self.address, f"must have one verdict at a level, but {result.id} has two")
        if result.stated_at not in result.levels:
            allowed = f"must have a verdict where a claim is stated: {result.id} has none at {result.stated_at!r}"
            raise InputError("ledger", self.address, allowed)
        return result

    def _has_levels(self, claim: str, *levels: str) -> None:
        ids = [level.id for level in self.levels]
        for level in levels:
            if level not in ids:
                allowed = f"{claim} speaks at level {level!r}, which must be one of {', '.join(ids)}"
                raise InputError("ledger", self.address, allowed)

    def select(self, ids: Iterable[str] | None = None) -> tuple[Claim, ...]:
        """Return the claims of these ids (all for None or none), in order; ``InputError`` for an unknown id."""
        all_ids = [claim.id for claim in self.claims]
        wanted = {self._claim_id(id, all_ids) for id in ids or ()}
        return tuple(claim for claim in self.claims if not wanted or claim.id in wanted)

    def _claim_id(self, id: object, ids: list[str]) -> str:
        """Return the id that is meant; the ``InputError`` for a place of the paper, such as Theorem 2, names the ids there."""
        text = str(id).strip()
        if text.lower() == "all" and text not in ids:
            raise InputError("claim", id, "leave it out to select all claims")
        try:
            return canonical("claim", id, ids)
        except InputError:
            names_place = re.search(r"\w \d", text) is not None
            at_place = re.compile(rf"(?<!\w){re.escape(text)}(?![\w.])", re.IGNORECASE)
            stated_there = [claim.id for claim in self.claims if names_place and at_place.search(claim.place)]
            if not stated_there:
                raise
            raise InputError("claim", id, f"must be an id; this place has {', '.join(stated_there)}") from None


# ---- headlines: a paper's main sentences in plain words, with the answer of the claim's verdicts ---------------------


@dataclass(frozen=True)
class Row:
    """A headline with its verdict: the claim, what the paper says, whether that is true, and what is true instead."""

    claim: str
    says: str
    answer: str
    instead: str


def rows(headlines: Sequence[Headline], results: Sequence[ClaimResult]) -> list[Row]:
    """Return a row for every headline whose claim is among the results, in the headlines' order."""
    by_id = {result.id: result for result in results}
    table: list[Row] = []
    for headline in headlines:
        if result := by_id.get(headline.claim):
            backed = {repair.level for repair in result.standing_repairs} >= set(headline.levels)
            instead = headline.instead if backed else NOTHING
            table.append(Row(headline.claim, headline.says, answer(result), instead))
    return table


ANSWERS = {
    "proved": "yes", "certified": "yes", "refuted": "no", "contradicted": "runs disagree", "supported": "runs agree",
}  # fmt: skip
"""A headline's answer by its claim's status; it is open for any other."""


def answer(result: ClaimResult) -> str:
    """Return whether a claim is true: yes, no, runs disagree, or open; at each level where they differ."""
    levels_of: dict[str, list[str]] = {}
    for verdict in result.verdicts:
        levels_of.setdefault(ANSWERS.get(verdict.status, "open"), []).append(verdict.level)
    if len(levels_of) == 1:
        return next(iter(levels_of))
    return "; ".join(f"{word} ({', '.join(levels)})" for word, levels in levels_of.items())
