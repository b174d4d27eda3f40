"""Write the certificates of decided claims into a folder, and say which verdicts have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from crtools.certificates.document import document, file_name, text
from crtools.files import FOLDER, output_folder, refused, write_text
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
    """Write one file per proved, certified or refuted verdict that has evidence for a certificate.

    A file left from an earlier run for a verdict that now has none is removed. Raises ``InputError`` where the folder
    cannot be made or written.
    """
    place = output_folder("--certificates", folder)
    written: list[tuple[str, str]] = []
    without: list[tuple[str, str, str]] = []
    for result in results:
        for verdict in result.verdicts:
            path = place / file_name(result.id, verdict.level)
            reason = _write(result, verdict, path, ledger)
            if reason is not None:
                with refused("--certificates", folder, FOLDER):
                    path.unlink(missing_ok=True)
            if reason is None:
                written.append((result.id, verdict.level))
            else:
                without.append((result.id, verdict.level, reason))
    return Written(place, tuple(written), tuple(without))


def _write(result: ClaimResult, verdict: Verdict, path: Path, ledger: Ledger) -> str | None:
    """Write one certificate and return None, or return why there is none."""
    if verdict.status not in DECIDED:
        return f"the verdict is {verdict.status}"
    if result.given != next(claim.given for claim in ledger.claims if claim.id == result.id):
        return "its values were changed: it is not the paper's claim"
    status, builder = ledger.certificates().get((result.id, verdict.level), ("inconclusive", None))
    if builder is None or status != verdict.status:
        return f"no certificate is defined for this verdict ({verdict.status})"
    made = document(result.id, verdict.level, status, result.given, builder(result))
    write_text("--certificates", path, text(made))
    return None
