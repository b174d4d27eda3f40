"""Make the certificates of decided claims, let the judge check them, and write them into a folder.

A certificate is a JSON document with a digest: fractions are strings in lowest terms, instances and schedules integers.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from check.command import FORMAT, check_document, digest
from check.conditions import Part
from check.kernel import Rejected
from check.statements import Book, Statement
from check.theory import Judged, called
from crtools.files import FOLDER, output_folder, refused, write_whole
from crtools.ledger.claim import ClaimResult
from crtools.ledger.evidence import DECIDED, Data, Refuted, theorems_of, uncited
from crtools.ledger.ledger import Ledger
from crtools.ledger.verdict import Trust, Verdict


@dataclass(frozen=True)
class CertificateFolder:
    """A folder, the (id, level) ``written`` to it, and (id, level, reason) of the verdicts ``without`` a certificate."""

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


def write_certificates(results: Sequence[ClaimResult], folder: str | Path, ledger: Ledger) -> CertificateFolder:
    """Write one file per proved, certified or refuted verdict whose findings have theorems or a witness.

    All of them appear at once, or none. A file left from an earlier run for a verdict that now has none is removed. Raises
    ``InputError`` where the folder cannot be made or written, ``OSError`` on a full disk.
    """
    target = output_folder("--certificates", folder)
    made = {(each.id, v.level): judged_certificate(each, v, ledger) for each in results for v in each.verdicts}
    written = {key: certificate[0] for key, certificate in made.items() if not isinstance(certificate, str)}
    without = tuple((*key, why) for key, why in made.items() if isinstance(why, str))
    with refused("--certificates", folder, FOLDER):
        write_whole({target / file_name(*key): text.encode() for key, text in written.items()})
        for id, level, _ in without:
            (target / file_name(id, level)).unlink(missing_ok=True)
    return CertificateFolder(target, tuple(written), without)


def with_trust(result: ClaimResult, ledger: Ledger) -> ClaimResult:
    """Return the result with the :class:`Trust` of each of its verdicts: the judge's counts, or those of its proofs alone."""

    def trust(verdict: Verdict) -> Trust:
        certificate = judged_certificate(result, verdict, ledger)
        if isinstance(certificate, str):
            return verdict.uncertified(certificate)
        _, statement, judged = certificate
        return Trust(judged.facts, len(judged.argued), len(judged.computed), bool(statement.witness), "")

    return replace(result, verdicts=tuple(replace(verdict, trust=trust(verdict)) for verdict in result.verdicts))


def judged_certificate(result: ClaimResult, verdict: Verdict, ledger: Ledger) -> tuple[str, Statement, Judged] | str:
    """Return the file's text of a verdict's certificate, its statement and the judge's counts, or why the judge accepts none."""
    unsigned = certificate(result, verdict, ledger)
    if isinstance(unsigned, str):
        return unsigned
    file_text, theory = text(signed(unsigned)), ledger.theory()
    try:
        return file_text, *check_document(json.loads(file_text), theory and theory.book)
    except Rejected as error:
        return f"rejected: {error}"


def certificate(result: ClaimResult, verdict: Verdict, ledger: Ledger) -> Data | str:
    """Return a verdict's certificate, unsigned, or why there is none: the names of its theorems, and the numbers of its witness."""
    if verdict.status not in DECIDED:
        return f"the verdict is {verdict.status}"
    if result.given != ledger.select([result.id])[0].given:
        return "its values were changed: it is not the ledger's claim"
    theory = ledger.theory()
    if theory is None:
        return "the checker has no statement of it"
    statement = theory.book.claims.get((result.id, verdict.level))
    if statement is None or statement.ledger != theory.theory.name:
        return "its text does not state it"
    evidence = {finding.id: finding.evidence for finding in verdict.findings if finding.status in DECIDED}
    theorems = {id: _with_arguments(uncited(theorems_of(each)), statement, id) for id, each in evidence.items()}
    witness = _witness(statement, theory.book, result, verdict)
    if isinstance(witness, str):
        return witness
    return {
        "format": FORMAT,
        "ledger": theory.theory.name,
        "text": theory.theory.digest,
        "id": result.id,
        "level": verdict.level,
        "status": verdict.status,
        "given": result.given,
        "findings": {id: {"status": each.status, "theorems": theorems[id]} for id, each in evidence.items()},
        "witness": witness,
    }


def _with_arguments(names: Sequence[str], statement: Statement, finding: str) -> list[str]:
    """Return theorems' names with the arguments in the text; the judge decides whether these are the given values."""
    proofs = statement.findings[finding].proofs if finding in statement.findings else []
    in_text = {called(proof)[0]: proof for proof in reversed(proofs)}
    return [name if name in proofs else in_text.get(called(name)[0], name) for name in names]


def _witness(statement: Statement, book: Book, result: ClaimResult, verdict: Verdict) -> Data | str:
    """Return the numbers that the text reads from evidence, by a value's name or a finding's or display's id, or why there is none."""
    if not statement.witness:
        return {}
    numbers: Data = {}
    by_id: dict[str, Data] = {}
    for finding in (*result.proof.displays, *verdict.findings):
        if finding.status in DECIDED:
            witness = finding.evidence.witness if isinstance(finding.evidence, Refuted) else {}
            by_id[finding.id.replace("-", "_")] = values = {**finding.evidence.values, **witness}
            numbers |= values
    try:
        objects = {name: value for name, value in numbers.items() if isinstance(value, dict | list)}
        return _read(book.theories[statement.ledger].witnesses[statement.witness], {**numbers, **by_id, **objects})
    except KeyError as error:
        return f"the witness {statement.witness} reads {error.args[0]}, which no evidence has"


def _read(part: Part, numbers: Data) -> Data:
    fields = {name: numbers[name] for name in part.reads}
    for name, inner in part.asked.items():
        value = numbers[name]
        fields[name] = [_read(inner, row) for row in value] if inner.size else _read(inner, value)
    return fields


def signed(unsigned: Data) -> Data:
    """Return a certificate with its digest, as the judge computes it."""
    return {**unsigned, "digest": digest(unsigned)}


def file_name(id: str, level: str) -> str:
    """Return the name of a certificate's file."""
    return f"{id}.{level}.json"


def text(certificate: Data) -> str:
    """Return a certificate as the text of its file."""
    return json.dumps(certificate, ensure_ascii=False, indent=1) + "\n"
