"""What a claim's decision consists of: parts, verdicts per scope, and the state of the published proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

from crtools.proof.theorem import Theorem

Status = Literal["proved", "certified", "supported", "contradicted", "refuted", "inconclusive", "skipped"]
ProofState = Literal["sound", "gap", "false-step", "not-examined"]
Scope = Literal["as-stated", "where-argued"]

WEAKEST_FIRST: tuple[Status, ...] = (
    "refuted",
    "contradicted",
    "skipped",
    "inconclusive",
    "supported",
    "certified",
    "proved",
)
"""A verdict has the status of its part that comes first here: refuted if a part is, else the weakest."""


@dataclass(frozen=True)
class Part:
    """One thing that a claim says, with its own status and evidence (JSON data)."""

    part: str
    status: Status
    evidence: dict[str, Any]
    uses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", plain(self.evidence))

    def as_json(self) -> dict[str, Any]:
        """Return the part as JSON data."""
        return {"part": self.part, "status": self.status, "evidence": self.evidence}


@dataclass(frozen=True)
class Verdict:
    """A claim's verdict in one scope. ``reading`` fixes the quantifiers; ``degenerate`` lists what does not count."""

    scope: Scope
    reading: str
    method: str
    parts: tuple[Part, ...]
    why: str
    degenerate: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def status(self) -> Status:
        """Refuted if a part is, else the weakest part's status; inconclusive without parts."""
        if not self.parts:
            return "inconclusive"
        return weakest(self.parts)

    @property
    def uses(self) -> tuple[str, ...]:
        """The theorems of the literature that the verdict takes."""
        return tuple(dict.fromkeys(u for p in self.parts for u in p.uses))

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as JSON data."""
        return {
            "scope": self.scope,
            "reading": self.reading,
            "status": self.status,
            "why": self.why,
            "method": self.method,
            "uses": list(self.uses),
            "evidence": [p.evidence for p in self.parts],
            "parts": [p.as_json() for p in self.parts],
            "degenerate": list(self.degenerate),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Proof:
    """The state of the published proof, and the step that decides it."""

    state: ProofState
    step: str = ""


@dataclass(frozen=True)
class Repair:
    """A true sentence for the place of a false one, and the parts whose statuses back it.

    The parts may be those of a verdict or others that were decided beside it. A repair counts only while each of them
    is proved or certified; otherwise it says nothing and is not shown.
    """

    sentence: str
    parts: tuple[Part, ...]

    @property
    def status(self) -> Status:
        """The weakest status of the parts that back the sentence."""
        return weakest(self.parts) if self.parts else "inconclusive"

    @property
    def holds(self) -> bool:
        """Whether the sentence may be printed: every part is proved or certified."""
        return self.status in ("proved", "certified")

    def as_json(self) -> dict[str, Any]:
        """Return the repair as JSON data, with the names and statuses of what backs it."""
        backing = [{"part": p.part, "status": p.status} for p in self.parts]
        return {"sentence": self.sentence, "status": self.status, "backed_by": backing}


@dataclass(frozen=True)
class Decision:
    """What a claim's checker returns: verdicts (one, or one per scope), the proof's state, and repairs if it knows any."""

    verdicts: tuple[Verdict, ...]
    proof: Proof
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True)
class ClaimResult:
    """A decided claim: everything that ``crtools verify --json`` prints about it."""

    id: str
    place: str
    statement: str
    given: dict[str, str]
    rests_on: tuple[str, ...]
    proof: Proof
    verdicts: tuple[Verdict, ...] = field(default=())
    repairs: tuple[Repair, ...] = ()

    @property
    def standing_repairs(self) -> tuple[Repair, ...]:
        """The repairs that are proved or certified."""
        return tuple(r for r in self.repairs if r.holds)

    def verdict(self, scope: Scope) -> Verdict:
        """Return the verdict of a scope; where the two coincide there is one, as stated."""
        return next((v for v in self.verdicts if v.scope == scope), self.verdicts[0])

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "id": self.id,
            "place": self.place,
            "statement": self.statement,
            "given": self.given,
            "proof": {"state": self.proof.state, "step": self.proof.step},
            "rests_on": list(self.rests_on),
            "verdicts": [v.as_json() for v in self.verdicts],
            "repair": [r.as_json() for r in self.standing_repairs],
        }

    def show(self) -> str:
        """Return a readable account with every part and every step."""
        from crtools.report.terminal import claim_text

        return claim_text(self)


def plain(value: Any) -> Any:
    """Return a value as JSON gives it back: lists for tuples, text for keys, Python's own numbers.

    Raises ``TypeError`` for what JSON has no place for.
    """
    if isinstance(value, Mapping):
        items: Mapping[Any, Any] = value
        return {str(key): plain(item) for key, item in items.items()}
    if isinstance(value, list | tuple):
        rows: Sequence[Any] = value
        return [plain(item) for item in rows]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and isfinite(value):
        return float(value)
    raise TypeError(f"evidence is JSON data, not {value!r} ({type(value).__name__})")


def from_theorem(part: str, theorem: Theorem, **more: Any) -> Part:
    """Return a part that a theorem decides: proved where it holds, else inconclusive with the step that fails."""
    evidence = {**theorem.as_json(), **more}
    return Part(part, "proved" if theorem.holds else "inconclusive", evidence, theorem.uses if theorem.holds else ())


def weakest(parts: Sequence[Part]) -> Status:
    """Return the status of a list of parts taken together."""
    present = {p.status for p in parts}
    return next(status for status in WEAKEST_FIRST if status in present)
