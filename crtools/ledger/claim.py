"""``Claim``: a sentence of a theory, its given values, and the function that decides it. ``claim`` is its decorator.

``Given``: the values that a claim is decided with, and a cache of evidence across decisions. ``ClaimResult``: the decided claim.
The function decides any values and compares with no stored answer. ``variants`` are other values, under which the claim is true
(``holds``) or false. Tests: tests/ledger/test_given.py, test_variants.py and test_claims.py.
"""

import ast
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from crtools.budget import Alarm, TimeIsUp
from crtools.errors import InputError
from crtools.installed_ledgers import ledger_at
from crtools.ledger.evidence import Data, Evidence, Open, by_theorem, json_fields
from crtools.ledger.verdict import NOT_READ, DecidedClaim, Decision, Finding, PublishedProof, Verdict
from crtools.proof.accepted import NOTHING, Accepted

if TYPE_CHECKING:
    from crtools.ledger.cache import ResultCache
    from crtools.proof.theorem import Theorem


class Given(dict[str, str]):
    """The values by name. ``out_of_time``: whether the time limit ended the search for evidence."""

    def __init__(self, values: Mapping[str, str], cache: "ResultCache | None" = None) -> None:
        super().__init__(values)
        self.cache, self.out_of_time = cache, False
        self._results = dict[str, Any]()

    def evidence(self, decider: Callable[..., Evidence], *arguments: Any) -> Evidence:
        """Return ``decider(*arguments)``, from the cache where it has these arguments.

        The decider must depend on nothing else. Once the time limit has passed, the evidence is ``Open``.
        """
        try:
            return self.cached(Evidence, decider, *arguments)
        except Alarm as alarm:
            self.out_of_time = True
            return Open(f"time: {TimeIsUp(alarm.seconds)}")

    def evidence_for(self, name: str, decider: Callable[..., Evidence], *arguments: Any) -> Evidence:
        """Return the evidence on the given value of that name: ``decider(name, value, *arguments)``."""
        return self.evidence(decider, name, self[name], *arguments)

    def cached(self, kind: Any, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``function(*arguments)``, a dataclass of the type ``kind``, from the cache where it has these arguments."""
        if self.cache is None:
            return function(*arguments)
        try:
            key = repr([_text(part) for part in (function, *arguments)])
        except TypeError:
            return function(*arguments)
        if key not in self._results:
            result = self.cache.read(kind, "evidence", {"of": key})
            if result is None:
                result = function(*arguments)
                self.cache.write(result, "evidence", {"of": key})
            self._results[key] = result
        return self._results[key]

    def proved(self, *theorems: Callable[[], "Theorem"]) -> Evidence:
        """Return the evidence of theorems that do not depend on the given values."""
        return self.evidence(_proved, *theorems)


def _proved(*theorems: Callable[[], "Theorem"]) -> Evidence:
    from crtools.proof.theorem import kept

    return by_theorem(*map(kept, theorems))


def _text(part: Any) -> Any:
    """Return what differs for different parts of a cache key; ``TypeError`` for a part that has none, such as a closure."""
    if part is None or isinstance(part, str | int | Fraction):
        return repr(part)
    if hasattr(part, "free_symbols"):
        from sympy import srepr

        return srepr(part)
    if isinstance(part, ast.AST):
        return ast.dump(part)
    if isinstance(part, list | tuple):
        return [_text(item) for item in part]
    if isinstance(part, Mapping):
        return [[_text(key), _text(value)] for key, value in part.items()]
    if isinstance(part, partial):
        return [_text(item) for item in (part.func, part.args, part.keywords)]
    if is_dataclass(part) and not isinstance(part, type):
        return [type(part).__qualname__, *(_text(getattr(part, field.name)) for field in fields(part))]
    if callable(part) and getattr(part, "__closure__", None) is None and "<" not in getattr(part, "__qualname__", "<"):
        return f"{part.__module__}.{part.__qualname__}"
    raise TypeError


@dataclass(frozen=True, kw_only=True, repr=False)
class ClaimResult(DecidedClaim):
    """A decided claim: everything that ``crtools verify --json`` prints about it.

    Attributes
    ----------
    id, place, statement, stated_at, given
        The claim: its id, where it stands in the paper, its sentence, the level of that, and the values it was decided with.
    verdicts
        One :class:`Verdict` for each level at which the sentence says something.
    proof
        What was judged of the paper's own proof (:class:`PublishedProof`).
    repairs
        Sentences for the place of a false one (:class:`Repair`).
    rests_on
        The ids of the claims whose truth the paper's proof uses.
    why
        The result in one plain clause.

    Examples
    --------
    >>> from crtools import verify
    >>> [result] = verify("trace")
    >>> result
    ClaimResult(proved at form-at-zero: trace; proof sound)
    >>> result.levels, result.stated.status, result.given
    (('form-at-zero',), 'proved', {'closed_form': 'sum(1/i, i, 1, u)'})
    """

    def __repr__(self) -> str:
        stated_first = sorted(self.verdicts, key=lambda verdict: verdict.level != self.stated_at)
        statuses = ", ".join(f"{verdict.status} at {verdict.level}" for verdict in stated_first)
        return f"ClaimResult({statuses}: {self.id}; proof {self.proof.state})"

    def _repr_html_(self) -> str:
        from crtools.ledger.display.claim_text import card

        return card(self)

    @property
    def accepted(self) -> Accepted:
        """What is recorded of its ledger's proofs as accepted by Coq's kernel; nothing where that ledger cannot be found."""
        try:
            ledger = ledger_at(self.ledger)
        except InputError:
            return NOTHING
        return NOTHING if ledger is None else ledger.accepted()

    def as_json(self, accepted: Accepted | None = None) -> Data:
        """Return the result as JSON data; theorems are named in it, their records are in :attr:`theorems`."""
        in_coq = self.accepted if accepted is None else accepted
        levels = [verdict.as_json(in_coq) for verdict in self.verdicts]
        repairs = [repair.as_json() for repair in self.standing_repairs]
        fields = json_fields(self, "id", "place", "statement", "given", "stated_at", "why", "proof", "rests_on")
        return {**fields, "levels": levels, "repairs": repairs}

    def show(self, width: int = 80, accepted: Accepted | None = None) -> str:
        """Return a readable account with every finding and every step, in lines of at most ``width`` columns.

        It is what ``crtools verify ID --show`` prints. ``accepted``: another record of what Coq's kernel accepted than the ledger's.
        """
        from crtools.ledger.display.claim_text import claim_text

        return claim_text(self, width, self.accepted if accepted is None else accepted)


@dataclass(frozen=True)
class Variant:
    """Other values for ``given``, with the id of the finding or display whose status they change.

    Without a finding they change the verdict at ``level``, without a level that at which the claim is stated. ``holds``: whether
    the claim is true with these values.
    """

    note: str
    given: dict[str, str]
    finding: str = ""
    level: str = ""
    holds: bool = True


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One row of a ledger.

    ``stated_at``: the level at which the paper states it. ``given``: by default the values in the ledger's text. ``rests_on``: the
    ids of the claims whose truth the published proof uses. ``corrupted``: variants that do not hold. ``module``: the theory's
    module that defines it, set by ``claims_in``; else empty.
    """

    id: str
    place: str
    statement: str
    stated_at: str
    given: dict[str, str] = field(default_factory=dict[str, str])
    decide: Callable[[Given], Decision]
    rests_on: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    module: str = ""
    corrupted: InitVar[tuple[Variant, ...]] = ()

    def __post_init__(self, corrupted: tuple[Variant, ...]) -> None:
        false = tuple(replace(variant, holds=False) for variant in corrupted)
        object.__setattr__(self, "variants", (*self.variants, *false))

    @property
    def wrong(self) -> tuple[Variant, ...]:
        """The variants under which the claim is false."""
        return tuple(variant for variant in self.variants if not variant.holds)

    @property
    def true(self) -> tuple[Variant, ...]:
        """The variants under which the claim is true."""
        return tuple(variant for variant in self.variants if variant.holds)

    def check(self, changed: Mapping[str, str] | None = None) -> ClaimResult:
        """Decide the claim, with the values of ``changed`` in place of the paper's."""
        return self.decided(Given({**self.given, **(changed or {})}))

    def decided(self, given: Given) -> ClaimResult:
        """Decide the claim with these values."""
        start = time.perf_counter()
        decision: Any = self.decide(given)
        if not isinstance(decision, Decision):
            raise InputError("claim", self.id, f"must return a Decision, not {type(decision).__name__}")
        each = (time.perf_counter() - start) / max(len(decision.verdicts), 1)
        header = {"seconds": each, "claim": self.id, "given": dict(given)}
        verdicts = tuple(replace(verdict, **header) for verdict in decision.verdicts)
        return self._result(given, replace(decision, verdicts=verdicts))

    def undecided(self, given: Mapping[str, str], id: str, evidence: Evidence, why: str) -> ClaimResult:
        """Return the result of a claim that was not decided: one open finding, at the level at which it is stated."""
        verdict = Verdict(self.stated_at, NOT_READ, why, "none", (Finding(id, self.statement, evidence),))
        return self._result(given, Decision(why, (verdict,), PublishedProof(note=why)))

    def _result(self, given: Mapping[str, str], decision: Decision) -> ClaimResult:
        header = {name: getattr(self, name) for name in ("id", "place", "statement", "stated_at", "rests_on")}
        return ClaimResult(**vars(decision), **header, given=dict(given))


def claim(
    id: str,
    stated_at: str,
    place: str,
    statement: str,
    *,
    given: Mapping[str, str] | None = None,
    rests_on: Iterable[str] = (),
    corrupted: Iterable[Variant] = (),
    variants: Iterable[Variant] = (),
) -> Callable[[Callable[[Given], Decision]], Claim]:
    """Return a decorator that turns the function that decides a claim into the :class:`Claim`.

    Parameters
    ----------
    id
        The claim's id: words joined by hyphens.
    stated_at
        The level at which its source states it.
    place
        Where the source states it, such as "Section 4, Theorem 2".
    statement
        Its sentence; mathematics stands between dollar signs.
    given
        The numbers and formulas that it is given, as texts. By default those of the ledger's text.
    rests_on
        The ids of the claims whose truth its published proof uses.
    corrupted, variants
        Values under which it is false, and others under which it is true.

    Examples
    --------
    >>> from crtools.ledger import Finding, Open
    >>> from crtools.ledger.claims import claim, decision, verdict
    >>> @claim("no-ties", "schedule", "page 3", "no two jobs end together", given={"jobs": "3"})
    ... def no_ties(given):
    ...     finding = Finding("ends", f"no two of {given['jobs']} jobs do", Open("nothing was tried"))
    ...     return decision(verdict("schedule", "every instance", "none", "by their order", finding))
    >>> no_ties.check({"jobs": "4"}).stated.status
    'inconclusive'
    """
    return lambda decide: Claim(
        id=id, place=place, statement=statement, stated_at=stated_at, given=dict(given or {}), decide=decide,
        rests_on=tuple(rests_on), variants=tuple(variants), corrupted=tuple(corrupted),
    )  # fmt: skip


def claims_in(package: str, order: str) -> Iterator[Claim]:
    """Iterate over the claims that modules of a package define: all of ``MODULE``, or that of ``MODULE.NAME``, in this order."""
    for place in order.split():
        module, _, name = place.partition(".")
        defined_in = f"{package}.{module}"
        for defined, value in vars(import_module(defined_in)).items():
            if isinstance(value, Claim) and name in ("", defined):
                yield replace(value, module=defined_in)


ROW = re.compile(r"  (wrong|true) +(\S+)  +(.*\S)  # (.+)")


def with_variants(claims: Iterable[Claim], table: Traversable) -> tuple[Claim, ...]:
    """Return the claims with the variants of a ledger's table added; ``InputError`` names a line that cannot be read.

    The table has one block for each claim, below its id, and one row for each variant: ``wrong`` or ``true``, what it changes, the
    values, a note.

        trace
          wrong  total@form-at-zero  closed_form = harmonic(u)  # another sum

    What it changes is a finding or display, with ``@level`` where several levels have one of that id, ``@level`` for the verdict
    at that level, ``-`` for the verdict where the claim is stated. Semicolons separate several values.
    """
    by_id = {claim.id: claim for claim in claims}
    id = ""
    for n, line in enumerate(table.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            id = line.strip()
        row = ROW.fullmatch(line) if line.startswith(" ") else None
        values = [value.partition(" = ") for value in row[3].split("; ")] if row else []
        if id not in by_id or (line.startswith(" ") and not (values and all(sep for _, sep, _ in values))):
            allowed = "must be the id of a claim, or a row: wrong or true, what it changes, NAME = VALUE; …  # a note"
            raise InputError("variants", f"{table.name}:{n}", allowed)
        if row:
            finding, _, level = row[2].removeprefix("-").partition("@")
            given = {name.strip(): value for name, _, value in values}
            variant = Variant(row[4], given, finding, level, holds=row[1] == "true")
            by_id[id] = replace(by_id[id], variants=(*by_id[id].variants, variant))
    return tuple(by_id.values())
