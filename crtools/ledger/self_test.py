"""The self-test: every corrupted variant of every claim must be rejected, and every true variant accepted.

A corrupted variant must turn a finding (or a verdict) that is not rejected into one that is. Where the paper's own statement is
rejected already, the variant is compared with the claim's first true variant of the same finding: so a false claim needs a
true variant.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Variant
from crtools.ledger.claim_result import ClaimResult
from crtools.ledger.data import json_fields
from crtools.ledger.decide_all import Progress, Task, decide_all, silent
from crtools.ledger.evidence import FALSE, SURE, WEAKEST_FIRST, Status
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.numeric_types import JsonObject

Kind = Literal["corrupted", "true"]
ACCEPTED: tuple[Status, ...] = ("supported", *SURE)


@dataclass(frozen=True)
class Row:
    """One variant: the status ``got`` with its values, and the status ``before`` of the statement that it is compared with."""

    claim: str
    kind: Kind
    note: str
    given: dict[str, str]
    finding: str
    before: Status
    got: Status

    @property
    def expected(self) -> str:
        """The status that the variant must get, in words."""
        if self.kind == "corrupted":
            return "rejected"
        return f"at least {self.before}" if self.before in ACCEPTED else "accepted"

    @property
    def ok(self) -> bool:
        """Whether a wrong claim was rejected, and the statement that it is compared with is not; or a true one was accepted."""
        if self.kind == "corrupted":
            return self.got in FALSE and self.before not in FALSE
        if self.before in ACCEPTED:
            return WEAKEST_FIRST.index(self.got) >= WEAKEST_FIRST.index(self.before)
        return self.got in ACCEPTED

    @property
    def false_before(self) -> bool:
        """Whether a corrupted value is compared with a rejected statement: the claim is false, and has no true variant."""
        return self.kind == "corrupted" and self.before in FALSE

    def as_json(self) -> JsonObject:
        """Return the row as JSON data."""
        fields = json_fields(self, "claim", "kind", "given", "finding", "before", "expected", "got", "ok")
        return {**fields, "variant": self.note}


@dataclass(frozen=True)
class SelfTest:
    """The rows of all variants."""

    rows: tuple[Row, ...]

    def count(self, kind: Kind) -> tuple[int, int]:
        """Return (as expected, all) for one kind."""
        outcomes = [row.ok for row in self.rows if row.kind == kind]
        return sum(outcomes), len(outcomes)

    @property
    def missed(self) -> tuple[Row, ...]:
        """The wrong variants that are not rejected, and the true ones that are not accepted."""
        return tuple(row for row in self.rows if not row.ok)

    def as_json(self) -> JsonObject:
        """Return the document of ``crtools verify --self-test --json``."""
        caught, wrong = self.count("corrupted")
        accepted, true = self.count("true")
        rows = [row.as_json() for row in self.rows]
        counts = {"caught": caught, "wrong": wrong, "accepted": accepted, "true": true}
        return {"self_test": {**counts, "rows": rows}}


def self_test(
    ids: Iterable[str] | None = None,
    *,
    ledger: str | Ledger = DEFAULT,
    quick: bool = False,
    jobs: int = 1,
    cache: str | Path | None = None,
    progress: Progress = silent,
) -> SelfTest:
    """Run all variants of the claims; the arguments are those of ``verify``, and ``quick`` leaves slow claims out.

    Raises ``InputError`` where the claims have no variant: nothing would be tested.
    """
    loaded = load(ledger)
    chosen = [claim for claim in loaded.select(ids) if not (quick and claim.id in loaded.slow)]
    if not any(claim.variants for claim in chosen):
        raise InputError("self-test", loaded.name, "none of the selected claims has a variant")
    tasks = [Task(loaded, claim, given) for claim in chosen for given in _all_given(claim)]
    in_order = iter(decide_all(tasks, jobs=jobs, cache=cache, progress=progress))
    results = [[next(in_order) for _ in _all_given(claim)] for claim in chosen]
    rows = (row for claim, each in zip(chosen, results, strict=True) for row in rows_of(claim, each))
    return SelfTest(tuple(rows))


def _all_given(claim: Claim) -> list[dict[str, str]]:
    return [{}, *(v.given for v in (*claim.wrong, *claim.true))]


def rows_of(claim: Claim, results: Sequence[ClaimResult]) -> list[Row]:
    """Return a claim's rows from its results: with its own values, then for each corrupted and each true variant."""
    stated, *varied = results
    corrupted, true = varied[: len(claim.wrong)], varied[len(claim.wrong) :]
    rows: list[Row] = []

    def add(kind: Kind, variant: Variant, before: Status, result: ClaimResult) -> None:
        got = status(result, variant)
        rows.append(Row(claim.id, kind, variant.note, dict(variant.given), variant.finding, before, got))

    for variant, result in zip(claim.wrong, corrupted, strict=True):
        accepted = [r for r in (stated, *true) if status(r, variant) in ACCEPTED]
        add("corrupted", variant, status((accepted or [stated])[0], variant), result)
    for variant, result in zip(claim.true, true, strict=True):
        add("true", variant, status(stated, variant), result)
    return rows


def status(result: ClaimResult, variant: Variant) -> Status:
    """Return the status of what the variant changes: a finding or display, or the verdict at a level."""
    try:
        if variant.finding:
            return result.finding(variant.finding, variant.level or None).status
        return result.at(variant.level or result.stated_at).status
    except KeyError as error:
        raise InputError("variant", variant.note, f"must change what there is: {error.args[0]}") from None
