"""Write the certificates of decided claims into a folder, and say which verdicts have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crtools.certificates.beside import Beside
from crtools.certificates.document import FORMAT, Data, file_name, signed, text
from crtools.certificates.proofs import finding, proofs
from crtools.files import FOLDER, output_folder, refused, write_text
from crtools.ledger.evidence import theorems_of, uncited
from crtools.ledger.ledger import Ledger
from crtools.ledger.verdict import ClaimResult, Verdict

DECIDED = ("proved", "certified", "refuted")


@dataclass(frozen=True)
class Written:
    """The folder, the (id, level) that were written, and (id, level, reason) of the verdicts without a certificate."""

    folder: Path
    written: tuple[tuple[str, str], ...]
    without: tuple[tuple[str, str, str], ...]

    def show(self) -> str:
        """Return the outcome as text: how many were written, and each verdict without one."""
        lines = [f"certificates: {len(self.written)} written to {self.folder}"]
        if self.without:
            lines.append("no certificate:")
            lines += [f"  {id} {level}: {why}" for id, level, why in self.without]
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """Return the outcome as JSON data."""
        return {
            "folder": str(self.folder),
            "written": [{"id": id, "level": level, "file": file_name(id, level)} for id, level in self.written],
            "no_certificate": [{"id": id, "level": level, "reason": why} for id, level, why in self.without],
        }


def write_certificates(results: Sequence[ClaimResult], folder: str | Path, ledger: Ledger) -> Written:
    """Write one file per proved, certified or refuted verdict whose findings have theorems or a witness.

    A file left from an earlier run for a verdict that now has none is removed. Raises ``InputError`` where the folder
    cannot be made or written.
    """
    place = output_folder("--certificates", folder)
    written: list[tuple[str, str]] = []
    without: list[tuple[str, str, str]] = []
    for result, verdict in ((each, verdict) for each in results for verdict in each.verdicts):
        path = place / file_name(result.id, verdict.level)
        found = _certificate(result, verdict, ledger)
        if isinstance(found, str):
            with refused("--certificates", folder, FOLDER):
                path.unlink(missing_ok=True)
            without.append((result.id, verdict.level, found))
        else:
            write_text("--certificates", path, text(signed(found)))
            written.append((result.id, verdict.level))
    return Written(place, tuple(written), tuple(without))


def _certificate(result: ClaimResult, verdict: Verdict, ledger: Ledger) -> Data | str:
    """Return a verdict's certificate, unsigned, or why there is none."""
    if verdict.status not in DECIDED:
        return f"the verdict is {verdict.status}"
    if result.given != ledger.select([result.id])[0].given:
        return "its values were changed: it is not the ledger's claim"
    beside = ledger.certificates().get((result.id, verdict.level), Beside())
    decided = [found for found in verdict.findings if found.status in DECIDED]
    own = {found.id: finding(found.evidence) for found in decided}
    further = [record for theorem in beside.theorems(result) for record in theorem.records]
    witness = beside.witness(result) if beside.witness else {}
    bare = [id for id, data in own.items() if not data["proofs"]]
    if bare and not (witness or further):
        return f"{', '.join(bare)}: neither a theorem nor a witness that a certificate could hold"
    displays = result.proof.displays if verdict.level == result.stated_at else ()
    more = [*further, *theorems_of(*(display.evidence for display in displays if display.status == "proved"))]
    records = theorems_of(*(found.evidence for found in decided))
    known = {record["theorem"] for record in records}
    return {
        "format": FORMAT,
        "id": result.id,
        "level": verdict.level,
        "status": verdict.status,
        "given": result.given,
        "proofs": proofs([*records, *more]),
        "findings": own,
        "further": [name for name in dict.fromkeys(uncited(more)) if name not in known],
        "witness": witness,
    }
