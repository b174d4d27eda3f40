"""A decided claim: findings about its sentence, one verdict per level and what it rests on, its published proof, and repairs.

``verdict`` and ``decision`` combine findings, with the reason for their status.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from check.command import counted
from check.kernel import Rejected, Work, judge
from check.theory import Judged
from crtools.ledger.evidence import FALSE, SURE, Evidence, Proved, Refuted, Status, json_fields, theorems_of, weakest
from crtools.notation.terminal import readable
from crtools.numeric_types import JsonObject
from crtools.proof import PRODUCTS
from crtools.proof.accepted import NOTHING, Accepted, QuotedFinding, spaced

ProofState = Literal["sound", "gap", "false-step", "not-examined"]


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
        if not re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", self.id):
            raise ValueError(f"an id is words joined by hyphens, not {self.id!r}")

    @property
    def status(self) -> Status:
        """The status that the evidence gives."""
        return self.evidence.status

    def as_json(self) -> JsonObject:
        """Return the finding as JSON data."""
        return json_fields(self, "id", "says", "status", "decides", "evidence")


NOT_CHECKED = "it was not asked for"
"""Why a verdict has no certificate before the judge was run on it."""


@dataclass(frozen=True)
class Trust:
    """What a verdict rests on: the numbers of facts that the judge accepted, of sentences, and of steps that only crtools computed.

    ``missing``: why there is no certificate; empty where the judge has accepted one. ``witness``: whether the verdict rests on a
    witness, which the judge recomputes.
    """

    facts: int = 0
    argued: int = 0
    computed: int = 0
    witness: bool = False
    missing: str = NOT_CHECKED

    def mark(self, in_coq: bool) -> str:
        """Return the mark after the status sign: Coq, w, the number of sentences, +c for c computations, - for no certificate."""
        if in_coq:
            return "Coq"
        if self.witness and not (self.facts or self.argued or self.computed):
            return "w"
        words = str(self.argued) if self.argued or not self.missing else ""
        return words + f"+{self.computed}" * bool(self.computed) + "-" * bool(self.missing)

    def kind(self, in_coq: bool) -> str:
        """Return the mark's kind, for a tally: how many sentences there are does not matter."""
        return "words" if self.argued and not in_coq else self.mark(in_coq)


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
        """Return whether Coq's kernel accepted all that gives the status: where it is refuted the refuted findings, else all.

        A theorem of Coq must state the finding itself. It does not suffice that Coq states the theorems of the evidence, since a step
        leads from these to the finding. The theorems of a refutation, a family of witnesses, are needed too.
        """
        relevant = [f for f in self.deciding if f.status == "refuted"] or self.deciding
        families = [theorem for f in relevant if isinstance(f.evidence, Refuted) for theorem in f.evidence.family]
        stated = all(f.status in (*SURE, "refuted") and self.in_coq(f, accepted) for f in relevant)
        return stated and all(map(accepted.theorem, families))

    def in_coq(self, finding: Finding, accepted: Accepted) -> str:
        """Return the theorem of Coq that states a finding of this verdict; empty where none does."""
        witness = finding.evidence.witness if isinstance(finding.evidence, Refuted) else {}
        given = "; ".join(f"{name} = {value}" for name, value in self.given.items())
        says, status = finding.says, finding.status
        statement = QuotedFinding(*spaced(finding.id, self.claim, status, self.level, says, self.reading, given))
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
        fields = ("status", "instead", "evidence")
        displays = [{"id": d.id, "place": d.says, **json_fields(d, *fields)} for d in self.displays]
        return {**json_fields(self, "state", "why"), "displays": displays}


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
    """What a claim's ``decide`` returns. ``why``: what was found, in one plain clause that fits a line of the ledger."""

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


# ---- combining findings ----------------------------------------------------------------------------------------------

NOT_PUBLISHED = PublishedProof(note="no published proof is examined: the proofs here are our own")


def verdict(
    level: str,
    reading: str,
    method: str,
    why: str | tuple[str, str],
    *findings: Finding,
    undecided: str = "not decided",
    degenerate: tuple[Finding, ...] = (),
) -> Verdict:
    """Return a verdict with its reason: ``why`` where all holds, ``undecided`` where a finding is open.

    ``why`` may be a pair; the second is the reason where a finding is false, by default the actual value at the witness.
    """
    holds, fails = (why, "") if isinstance(why, str) else why
    status = weakest(finding.status for finding in findings if finding.decides)
    reason = {"inconclusive": undecided}.get(status, holds)
    if status in FALSE:
        reason = fails or _at_the_witness(findings)
    return Verdict(level, reading, reason, method, findings, degenerate)


def _at_the_witness(findings: Iterable[Finding]) -> str:
    for finding in findings:
        if isinstance(finding.evidence, Refuted):
            at = ", ".join(f"{name} = {value}" for name, value in finding.evidence.witness.items())
            return f"at {at} it is {finding.evidence.actual}; claimed is {finding.evidence.claimed}"
    return "it is not so"


def decision(*verdicts: Verdict, why: str = "") -> Decision:
    """Return the decision of a result that is proved here: ``why`` is its line where all holds, by default the first verdict's reason."""
    status = weakest(each.status for each in verdicts)
    line = why if status in SURE else "false" if status in FALSE else "not decided"
    return Decision(line if why else verdicts[0].why, verdicts, NOT_PUBLISHED)


def decision_at(
    level: str,
    reading: str,
    method: str,
    why: str | tuple[str, str],
    *findings: Finding,
    undecided: str = "not decided",
    degenerate: tuple[Finding, ...] = (),
    line: str = "",
) -> Decision:
    """Return the decision of a result that is proved here and read at one level: that of its :func:`verdict`, with ``line`` as its line."""
    only = verdict(level, reading, method, why, *findings, undecided=undecided, degenerate=degenerate)
    return decision(only, why=line)


# ---- what evidence rests on, as the judge counts it (check.command.counted) ------------------------------------------


def trusted(*evidence: Evidence) -> Judged:
    """Return what evidence rests on, counted from its proofs: the kernel judges their formulas.

    A formula for which the kernel has no rule counts as a computation of crtools. Sentences are steps in words, each once, and
    :func:`linking_sentence`. No statement is checked.
    """
    table = {record["theorem"]: record for record in theorems_of(*evidence)}
    judged = {name: judged_record(record, table) for name, record in table.items()}
    return counted(judged, filter(None, map(linking_sentence, evidence)))


def linking_sentence(evidence: Evidence) -> str:
    """Return the sentence that leads from theorems to a finding, or proves it alone; "" for none."""
    if isinstance(evidence, Proved):
        return evidence.argument
    if isinstance(evidence, Refuted) and evidence.theorems:
        return f"claimed: {_words(evidence.claimed)}; it is {_words(evidence.actual)}"
    return ""


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(item)}" for name, item in value.items())
    return ", ".join(map(_words, value)) if isinstance(value, list | tuple) else str(value)


def judged_record(record: JsonObject, table: Mapping[str, JsonObject]) -> Judged:
    """Return what the record of a theorem rests on; ``table`` has the records that it cites."""
    facts, argued, computed = 0, list[str](), list[str]()
    for rule, says, formal in _steps(record, table):
        if formal and _holds(formal):
            facts += 1
        elif rule != "cited":
            (argued if rule == "argued" else computed).append(says)
    return Judged(facts, tuple(argued), tuple(computed))


WORDS = {"Citation": "cited", "Inference": "argued", "Argument": "argued", "Computation": "computed"}


def _steps(record: JsonObject, table: Mapping[str, JsonObject]) -> Iterator[tuple[str, str, JsonObject]]:
    """Yield (rule, sentence, formula): one for each step, and one more where a formula's text counts as a sentence.

    One more is for the statement, unless that is the last conclusion, the formulas, or, where all steps cite, a cited statement.
    Where the kernel has no rule for a formula (balls, a root), crtools computed the step: it is said and not proved.
    """
    steps: list[JsonObject] = record["steps"]
    for step in steps:
        formal: JsonObject = step.get("formal", {})
        if formal:
            yield formal["rule"], step["step"], formal
        if not formal or "said" in step:
            says = "; ".join(filter(None, (readable(step["latex"]), step["text"])))
            yield WORDS.get(step["kind"], "argued" if formal else "computed"), says, {}
    formulas = [step["latex"] for step in steps if step["kind"] not in WORDS]
    cited = [table.get(step["theorem"], record) for step in steps if step["kind"] == "Citation"]
    same = [each["statement"] for each in cited if each is not record and each["reading"] == record["reading"]]
    ended = [step["latex"] for step in steps[-1:] if WORDS.get(step["kind"]) not in (None, "cited")]
    stated = [r",\quad ".join(formulas), *ended, *same * (len(cited) == len(steps))]
    if record["statement"] not in stated:
        yield "argued", readable(record["statement"]), {}


def _holds(formal: JsonObject) -> bool:
    Work.start(PRODUCTS)  # a formula written out without definitions may cost more than in its text
    try:
        judge(formal)
    except Rejected:
        return False
    return True
