"""The schedules in evidence: recognised by their fields, checked again, and drawn as pictures."""

from collections.abc import Iterator, Mapping
from typing import Any

from crtools.errors import InputError
from crtools.ledger.evidence import FALSE, Evidence
from crtools.ledger.verdict import DecidedClaim, Finding
from crtools.notation.terminal import unmarked
from crtools.plotting.occupancy import Picture
from crtools.schedule import Schedule

SCHEDULE_FIELDS = frozenset({"name", "starts", "lengths", "s", "M"})
"""The fields of a record that is a schedule."""

Row = Mapping[str, Any]
"""A schedule as evidence records it."""


def schedules_of(value: Any) -> list[Row]:
    """Return the schedules in a value of evidence, which is one or a list of them; empty for any other value."""
    rows = value if isinstance(value, list) else [value]
    are_schedules = bool(rows) and all(isinstance(row, Mapping) and row.keys() >= SCHEDULE_FIELDS for row in rows)
    return rows if are_schedules else []


def schedule_lists(evidence: Evidence) -> Iterator[list[Row]]:
    """Yield the lists of schedules in the values and in the witness of evidence."""
    for value in (*evidence.values.values(), *getattr(evidence, "witness", {}).values()):
        if rows := schedules_of(value):
            yield rows


def counterexample(result: DecidedClaim) -> list[Row]:
    """Return the first schedules, all of one instance, of the evidence that refutes a claim; empty where there are none."""
    rows = next((rows for finding in _refuting(result) for rows in schedule_lists(finding.evidence)), [])
    return [row for row in rows if row["lengths"] == rows[0]["lengths"]]


def pictures_of(result: DecidedClaim) -> list[Picture]:
    """Return each schedule in a claim's evidence as a picture, without repetitions. Raises as :func:`checked_schedule` does."""
    findings = [f for v in result.verdicts for f in (*v.findings, *v.degenerate)]
    rows = [row for f in (*findings, *result.proof.displays) for rows in schedule_lists(f.evidence) for row in rows]
    pictures = (checked_schedule(row).plot(int(row["M"]), unmarked(str(row["name"]))) for row in rows)
    return list(dict.fromkeys(pictures))


def checked_schedule(row: Row) -> Schedule:
    """Return a record of evidence as a ``Schedule``; ``AssertionError`` where its numbers are no schedule."""
    try:
        schedule = Schedule(row["starts"], row["lengths"], row["s"])
        schedule.feasible(row["M"])
    except (KeyError, InputError) as error:
        raise AssertionError(f"evidence holds a schedule that is none: {error}") from None
    return schedule


def _refuting(result: DecidedClaim) -> Iterator[Finding]:
    """Yield the findings that refute a claim, those at the paper's level first."""
    for verdict in sorted(result.verdicts, key=lambda verdict: verdict.level != result.stated_at):
        yield from (finding for finding in verdict.deciding if finding.status in FALSE)
