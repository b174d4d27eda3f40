"""A decided claim: findings about its sentence, one verdict per level, its published proof, and repairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from crtools.ledger.data import NAME, json_fields
from crtools.ledger.evidence import FALSE, SURE, WEAKEST_FIRST, Evidence, Refuted, Status, kernel_checked, theorems_of
from crtools.ledger.trust import NOT_CHECKED, Trust, trusted
from crtools.numeric_types import JsonObject
from crtools.proof.accepted import NOTHING, Accepted, given_text, quoted_finding

ProofState = Literal["sound", "gap", "false-step", "not-examined"]


def weakest(statuses: Iterable[Status]) -> Status:
    """Return the status of several things taken together; ``inconclusive`` of none."""
    present = set(statuses) or {"inconclusive"}
    return next(status for status in WEAKEST_FIRST if status in present)


@dataclass(frozen=True)
class Finding:
    """One thing that is judged by evidence.

    Attributes
    ----------
    id
        A short name: words joined by hyphens.
    says
        In a verdict, one thing that the claim's sentence says at a level; in a published proof, the display or inference.
    evidence
        What it rests on; the type of the evidence gives the status.
    decides
        Whether the verdict's status depends on it. A stricter reading than the claim's does not decide.
    instead
        In a published proof: what is true in the place of a false display.

    Examples
    --------
    >>> from crtools.ledger import Finding, Measured
    >>> Finding("within", "both figures are within 5 %", Measured(True, "two sizes", "at most 0.03 off")).status
    'supported'
    """

    id: str
    says: str
    evidence: Evidence
    decides: bool = True
    instead: str = ""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.id.replace("-", "_")):
            raise ValueError(f"an id is words joined by hyphens, not {self.id!r}")

    @property
    def status(self) -> Status:
        """The status that the evidence gives."""
        return self.evidence.status

    def as_json(self) -> JsonObject:
        """Return the finding as JSON data."""
        return json_fields(self, "id", "says", "status", "decides", "evidence")

    def as_display(self) -> JsonObject:
        """Return a display of the published proof as JSON data."""
        return {**json_fields(self, "id"), "place": self.says, **json_fields(self, "status", "instead", "evidence")}


NOT_READ = "not read"
"""The reading of a verdict for a claim that was not decided."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """A claim's verdict at one level: refuted if a deciding finding is, else as weak as its weakest deciding finding.

    Attributes
    ----------
    level, reading
        The level, and the quantifiers of the sentence there.
    why, method
        What decides it, in one plain line, and how.
    findings
        The things that the sentence says at this level (:class:`Finding`).
    degenerate
        Findings that hold or fail only by rounding, ties or equal lengths, where the sentence has a limit or an error term.
        They decide nothing.
    seconds
        How long it took.
    trust
        What the verdict rests on, where the judge was run.
    claim, given
        The id of the claim, and the values it was decided with.

    Examples
    --------
    >>> from crtools.ledger import Finding, Measured, Open, Verdict
    >>> close = Finding("close", "the runs agree", Measured(True, "6 runs", "within 1 %"))
    >>> exact = Finding("exact", "in the limit", Open("no proof was found"))
    >>> Verdict("process", "M = 100", "runs agree", "simulation", (close, exact))
    Verdict(inconclusive at process: runs agree)
    """

    level: str
    reading: str
    why: str
    method: str
    findings: tuple[Finding, ...]
    degenerate: tuple[Finding, ...] = ()
    seconds: float = 0.0
    trust: Trust | None = None
    claim: str = ""
    given: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        _check_unique([f.id for f in (*self.findings, *self.degenerate)])

    def __repr__(self) -> str:
        return f"Verdict({self.status} at {self.level}: {self.why})"

    @property
    def deciding(self) -> tuple[Finding, ...]:
        """The findings that decide; the others are stricter readings."""
        return tuple(f for f in self.findings if f.decides)

    @property
    def status(self) -> Status:
        """Refuted if a deciding finding is, else the weakest deciding finding's status."""
        return weakest(f.status for f in self.deciding)

    @property
    def not_read(self) -> bool:
        """Whether the claim was skipped, or its time was up: nothing is said about any level."""
        return self.reading == NOT_READ

    @property
    def uses(self) -> tuple[str, ...]:
        """The theorems of the literature that the deciding findings take."""
        return tuple(dict.fromkeys(use for f in self.deciding for use in f.evidence.uses))

    @property
    def rests(self) -> Trust:
        """What the verdict rests on, counted from its proofs where the judge was not run."""
        return self.trust or self.uncertified(NOT_CHECKED)

    def uncertified(self, why: str) -> Trust:
        """Return what the verdict rests on without a certificate, counted from its proofs."""
        judged = trusted(*(f.evidence for f in self.deciding))
        return Trust(judged.facts, len(judged.argued), len(judged.computed), missing=why)

    @property
    def argued(self) -> int:
        """The number of sentences that the verdict rests on, each once."""
        return self.rests.argued

    def kernel_checked(self, accepted: Accepted) -> bool:
        """Return whether Coq's kernel accepted all that gives the status: where it is refuted the refuted findings, else all."""
        relevant = [f for f in self.deciding if f.status == "refuted"] or self.deciding
        return all(kernel_checked(f.evidence, accepted, bool(self.in_coq(f, accepted))) for f in relevant)

    def in_coq(self, finding: Finding, accepted: Accepted) -> str:
        """Return the theorem of Coq that states a finding of this verdict; empty where none does."""
        witness = finding.evidence.witness if isinstance(finding.evidence, Refuted) else {}
        given = given_text(self.given)
        says, status = finding.says, finding.status
        statement = quoted_finding(finding.id, self.claim, status, self.level, says, self.reading, given)
        return accepted.finding(statement, witness, self.given)

    def mark(self, accepted: Accepted) -> str:
        """Return the mark of :meth:`Trust.mark`: Coq, w, 0, 3, 3+1, -."""
        return self.rests.mark(self.kernel_checked(accepted))

    def kind(self, accepted: Accepted) -> str:
        """Return the kind of that mark, for a tally."""
        return self.rests.kind(self.kernel_checked(accepted))

    def as_json(self, accepted: Accepted = NOTHING) -> JsonObject:
        """Return the verdict as JSON data."""
        rests = self.rests
        return {
            **json_fields(self, "level", "status", "reading", "why", "method", "uses"),
            **json_fields(rests, "argued", "facts", "computed", "witness"),
            "kernel_checked": self.kernel_checked(accepted),
            "certificate": not rests.missing,
            "no_certificate": rests.missing,
            **json_fields(self, "findings"),
            "degenerate": [{**f.as_json(), "decides": False} for f in self.degenerate],
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class PublishedProof:
    """What was judged of the paper's own proof.

    Attributes
    ----------
    displays
        Its lines that were judged, each a :class:`Finding`.
    gaps
        Premises that it assumes or leaves out.
    note
        Why nothing was judged, where nothing was.

    Examples
    --------
    >>> from crtools.ledger import PublishedProof
    >>> PublishedProof(gaps=("it assumes $b ≤ 4a$",)).state
    'gap'
    """

    displays: tuple[Finding, ...] = ()
    gaps: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        _check_unique([d.id for d in self.displays])

    @property
    def state(self) -> ProofState:
        """``false-step`` if a display is false, ``gap`` if a premise is missing or a display is open, else ``sound``."""
        if any(d.status in FALSE for d in self.displays):
            return "false-step"
        if self.gaps or any(d.status not in SURE for d in self.displays):
            return "gap"
        return "sound" if self.displays else "not-examined"

    @property
    def why(self) -> str:
        """What makes the state, in one line."""
        false = [d.says for d in self.displays if d.status in FALSE]
        open_ = [d.says for d in self.displays if d.status not in (*SURE, *FALSE)]
        return "; ".join(false or [*self.gaps, *open_]) or self.note

    def as_json(self) -> JsonObject:
        """Return the proof's state as JSON data."""
        return {**json_fields(self, "state", "why"), "displays": [display.as_display() for display in self.displays]}


@dataclass(frozen=True)
class Repair:
    """A true sentence for the place of a false one, at a level, with the findings that back it.

    It is printed only while each of them is proved or certified (``holds``).

    Examples
    --------
    >>> from crtools.ledger import Finding, Open, Repair
    >>> Repair("process", "it is at most 3", (Finding("at-most", "it is at most 3", Open("not tried")),)).holds
    False
    """

    level: str
    sentence: str
    findings: tuple[Finding, ...]

    @property
    def status(self) -> Status:
        """The weakest status of the findings that back the sentence."""
        return weakest(f.status for f in self.findings)

    @property
    def holds(self) -> bool:
        """Whether the sentence may be printed."""
        return self.status in SURE

    def as_json(self) -> JsonObject:
        """Return the repair as JSON data, with the ids and statuses of what backs it."""
        return {**json_fields(self, "level", "sentence", "status"), "backed_by": [f.as_json() for f in self.findings]}


@dataclass(frozen=True)
class Decision:
    """What a claim's checker returns. ``why``: what was found, in one plain clause that fits a line of the ledger."""

    why: str
    verdicts: tuple[Verdict, ...]
    proof: PublishedProof
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, kw_only=True, repr=False)
class DecidedClaim(Decision):
    """A decision with the claim that it is about. ``ledger``: the address of its ledger. See ``ClaimResult``, which shows it."""

    id: str
    place: str
    statement: str
    given: dict[str, str]
    stated_at: str
    rests_on: tuple[str, ...]
    ledger: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels at which the claim's sentence says something."""
        return tuple(v.level for v in self.verdicts)

    def at(self, level: str) -> Verdict:
        """Return the verdict at a level; ``KeyError`` where the sentence says nothing there."""
        for verdict in self.verdicts:
            if verdict.level == level:
                return verdict
        raise KeyError(f"{self.id} has no verdict at {level!r}; it has {', '.join(self.levels)}")

    @property
    def stated(self) -> Verdict:
        """The verdict at the level at which the paper states the claim."""
        return self.at(self.stated_at)

    @property
    def standing_repairs(self) -> tuple[Repair, ...]:
        """The repairs that are proved or certified."""
        return tuple(r for r in self.repairs if r.holds)

    def finding(self, id: str, level: str | None = None) -> Finding:
        """Return the finding, degenerate finding or display of that id; ``KeyError`` if there is none."""
        verdicts = [v for v in self.verdicts if level in (None, v.level)]
        items = [f for v in verdicts for f in (*v.findings, *v.degenerate)]
        for item in (*items, *(self.proof.displays if level is None else ())):
            if item.id == id:
                return item
        raise KeyError(f"{self.id} has no finding {id!r}")

    @property
    def theorems(self) -> tuple[JsonObject, ...]:
        """The records of every theorem that the evidence names, once each."""
        judged = [f for v in self.verdicts for f in (*v.findings, *v.degenerate)]
        backing = [f for r in self.standing_repairs for f in r.findings]
        return tuple(theorems_of(*(finding.evidence for finding in (*judged, *self.proof.displays, *backing))))


def _check_unique(ids: Sequence[str]) -> None:
    twice = {id for id in ids if ids.count(id) > 1}
    if twice:
        raise ValueError(f"two findings have the id {min(twice)!r}")
