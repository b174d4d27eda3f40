"""Reading certificates, and the command line.

A certificate is accepted where its proofs and its witness show what the statement of its claim and level asks for.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from check import conditions
from check.kernel import Accepted, Rejected, Work, accept, fields, need, plain, rows
from check.statements import LEDGERS, Finding, Statement, book, shows

FORMAT = 3
LARGEST_FILE = 300_000
"""Bytes; the largest certificate has a fifth of it."""

# ---- one certificate --------------------------------------------------------------------------------------------


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the document without its digest: sorted keys, no spaces, ASCII."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def without_reason(name: str, level: str) -> str:
    """Return why a claim has no certificate in a level."""
    known = book().without
    return known.get((name, level)) or known.get((name, "")) or "not a claim of this checker"


@dataclass(frozen=True)
class Trusted:
    """What a certificate rests on and this program does not check: sentences, and what only crtools computed."""

    argued: list[str]
    computed: list[str]


def check_document(document: Any) -> tuple[Statement, Trusted]:
    """Check one certificate; return its statement and what it takes unchecked, or raise ``Rejected``."""
    plain(document)
    Work.start()
    names = ("format", "id", "level", "status", "given", "proofs", "findings", "further", "witness", "digest")
    version, name, level, status, given, proofs, findings, further, witness, own = fields(document, *names)
    need(version == FORMAT, f"the format must be {FORMAT}")
    need(isinstance(name, str) and isinstance(level, str), "id and level must be strings")
    need((name, level) in book().claims, f"{name[:40]!r} {level[:20]!r}: {without_reason(name, level)}")
    statement = book().claims[name, level]
    need(status == statement.status, f"the status must be {statement.status}")
    need(isinstance(given, dict), "given must be an object")
    changed = sorted(key for key in {*given, *statement.given} if given.get(key) != statement.given.get(key))
    need(given == statement.given, f"not the paper's claim: {', '.join(map(repr, changed))[:80]} changed in given")
    need(own == digest(document), "the digest is wrong")
    need(further == statement.further + statement.beside, "further proofs are missing, or not asked for")
    try:
        accepted = check_proofs(proofs, statement)
        joined = check_findings(findings, statement)
        need(bool(statement.witness) or witness == {}, "the statement has no witness")
        if statement.witness:
            check_witness(witness, statement)
    except (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Rejected(f"the evidence is malformed ({type(error).__name__})") from None
    argued = [f"{proof}: {says}" for proof in statement.counted() for says in accepted[proof].argued]
    computed = [f"{proof}: {says}" for proof in statement.counted() for says in accepted[proof].computed]
    return statement, Trusted([*argued, *joined, *(book().words[word] for word in statement.words)], computed)


def check_proofs(proofs: Any, statement: Statement) -> dict[str, Accepted]:
    """Check the proofs, all that the statement needs and no other, each after what it cites."""
    accepted: dict[str, Accepted] = {}
    for entry in rows(proofs, 0, 40):
        name, steps = fields(entry, "proof", "steps")
        need(isinstance(name, str) and name in statement.needed(), f"{str(name)[:60]}: no proof that is asked for")
        need(name not in accepted, f"{name}: it occurs twice")
        try:
            accepted[name] = accept(steps, accepted)
        except Rejected as error:
            raise Rejected(f"{name}, {error}") from None
        shows(name, accepted[name])
    missing = [name for name in statement.needed() if name not in accepted]
    need(not missing, f"{', '.join(missing)[:100]}: the proof is missing")
    return accepted


def check_witness(witness: Any, statement: Statement) -> None:
    """Check that the conditions on a witness hold; these may use the given values that are numbers."""
    given = {name: Fraction(value) for name, value in statement.given.items() if re.fullmatch(r"[0-9./]+", value)}
    conditions.check(book().witnesses[statement.witness], witness, given, book().definitions)


def check_findings(findings: Any, statement: Statement) -> list[str]:
    """Check that the findings are the statement's; return the sentences that join proofs to them."""
    need(isinstance(findings, dict) and list(findings) == list(statement.findings), "other findings")
    joined: list[str] = []
    for id, own in statement.findings.items():
        status, proofs, sentence = fields(findings[id], "status", "proofs", "joined")
        need(Finding(status, own.how, proofs) == own, f"{id}: another status, or other proofs")
        need(isinstance(sentence, str), f"{id}: the sentence must be a string")
        need(
            bool(sentence.strip()) == (own.how in ("joined", "alone")),
            f"{id}: a sentence that joins is missing or not needed",
        )
        joined += [f"{id}: {sentence}"] * (own.how == "joined")
    return joined


def worth(statement: Statement, trusted: Trusted) -> str:
    """Return what an accepted certificate is worth: sentences are trusted, the rest is computed again where not counted."""
    unchecked = ((trusted.argued, "argued"), (trusted.computed, "not recomputed"))
    counted = [f"{len(steps)} {how}" for steps, how in unchecked if steps]
    if counted:
        return f"verified modulo {' and '.join(counted)} step{'s' * (len(trusted.argued + trusted.computed) > 1)}"
    return "verified at the witness" if statement.status == "refuted" else "verified"


# ---- files ------------------------------------------------------------------------------------------------------


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({key for key, _ in pairs}) == len(pairs), "a field occurs twice")
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise Rejected(f"{text[:40]} is not an integer")


def check_file(path: str) -> tuple[Statement, Trusted]:
    """Check the certificate in a file, or raise ``Rejected``; ``OSError`` where it cannot be read."""
    need(os.path.isfile(path), "not a regular file")
    with open(path, "rb") as file:
        text = file.read(LARGEST_FILE + 1)
    need(len(text) <= LARGEST_FILE, f"more than {LARGEST_FILE} bytes")
    try:
        document = json.loads(
            text.decode(), object_pairs_hook=_unique, parse_float=_no_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError):
        raise Rejected("not a JSON document") from None
    return check_document(document)


Row = dict[str, Any]


def expected(names: Collection[str]) -> dict[tuple[str, str], Statement]:
    """Return the statements of the ledgers of which certificates' names occur, or all where none does."""
    claims = book().claims
    found = {own.ledger for key, own in claims.items() if f"{'.'.join(key)}.json" in names}
    return {key: own for key, own in claims.items() if own.ledger in (found or LEDGERS)}


def check_folder(folder: str) -> list[Row]:
    """Return one row per expected certificate and per file that does not belong there.

    Expected are all of every ledger of which there is one; of a folder without any, all.
    """
    present = set(os.listdir(folder))
    result: list[Row] = []
    for key, statement in expected(present).items():
        name = f"{key[0]}.{key[1]}.json"
        if name in present:
            result.append(outcome(os.path.join(folder, name), statement))
        else:
            result.append(_row(statement, "missing", "missing certificate"))
        present.discard(name)
    for name in sorted(present):
        shown = Statement(name if name.isprintable() else repr(name), "", "", {})
        result.append(_row(shown, "rejected", "not a certificate that this checker expects"))
    return result


def outcome(path: str, expected: Statement | None = None) -> Row:
    """Return the row of a file, which has to be of a statement if there is one."""
    own = expected or Statement(os.path.basename(path), "", "", {})
    try:
        found, trusted = check_file(path)
        need(expected is None or found == expected, "a certificate of another claim or level")
    except Rejected as error:
        return _row(own, "rejected", str(error))
    except OSError as error:
        return _row(own, "rejected", f"cannot be read ({error.strerror})")
    return {**_row(found, "verified"), "worth": worth(found, trusted), **vars(trusted)}


def _row(own: Statement, result: str, reason: str = "") -> Row:
    shown = {"id": own.id, "level": own.level, "status": own.status, "statement": own.says}
    return {**shown, "result": result, "worth": "", "reason": reason, "argued": [], "computed": []}


# ---- the command line -------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print one line and leave with exit code 2."""
        self.exit(2, f"crtools-check: {message}\n")


def _table(result: Sequence[Row]) -> Iterable[str]:
    header = {"id": "claim", "level": "level", "status": "status", "worth": "certificate", "reason": ""}
    names = ("id", "level", "status", "worth")
    shown = [header, *({**row, "worth": row["worth"] or row["result"]} for row in result)]
    widths = {name: max(len(row[name]) for row in shown) for name in names}
    for row in shown:
        yield ("  ".join(row[name].ljust(widths[name]) for name in names) + "  " + row["reason"]).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Check a folder of certificates, or one file: 0 all verify, 1 one is rejected or missing, 2 bad input."""
    parser = _Parser(prog="crtools-check", description="Verify certificates with the standard library only.")
    parser.add_argument("path", metavar="DIR", help="the folder of certificates, or one certificate")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    options = parser.parse_args(arguments)
    path = options.path
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if not os.path.exists(path):
        parser.error(f"{path!r} does not exist")
    try:
        result = check_folder(path) if os.path.isdir(path) else [outcome(path)]
    except OSError as error:
        parser.error(f"{path!r} cannot be read ({error.strerror})")
    good = all(row["result"] == "verified" for row in result)
    ledgers = {book().ledgers.get((row["id"], row["level"])) for row in result}
    without = [
        {"id": name, "level": level, "reason": reason}
        for (name, level), reason in book().without.items()
        if book().ledgers[name, level] in ledgers
    ]
    if options.json:
        print(json.dumps({"accepted": good, "certificates": result, "no_certificate": without}, indent=2))
        return 0 if good else 1
    print("\n".join(_table(result)))
    count = sum(row["result"] == "verified" for row in result)
    print(f"\n{count} of {len(result)} verified" + ("" if good else ": rejected or missing ones are listed above"))
    if not os.path.isdir(path):
        for name, words in (("argued", "argued"), ("computed", "not recomputed")):
            for text in result[0][name]:
                print(f"{words}: {text}")
        return 0 if good else 1
    print("argued, and not recomputed: crtools-check FILE prints these steps of a certificate")
    if without:
        print("no certificate:")
    for entry in without:
        print(f"  {' '.join(filter(None, (entry['id'], entry['level'])))}: {entry['reason']}")
    return 0 if good else 1
