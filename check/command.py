"""Reading certificates, and the command line.

A certificate is accepted where the theorems that its claim's text names hold, and its witness is what the text asks for.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from check import conditions
from check.best import WORDS, check_schedule
from check.facts import alike, functions_in
from check.kernel import Rejected, Work, fields, need, plain
from check.statements import Book, Statement, book, content, of_files
from check.theory import Judged, Theory, Wrong

FORMAT = 4
FIELDS = ("format", "ledger", "text", "id", "level", "status", "given", "findings", "witness", "digest")

LARGEST_FILE = 300_000
"""Bytes; the largest certificate has a fifth of it."""

UNKNOWN = "not of a claim that this checker expects; --theory FILE has it read another text"

# ---- one certificate --------------------------------------------------------------------------------------------


Row = dict[str, Any]
NOTHING = Judged(0, (), ())


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the document without its digest: sorted keys, no spaces, ASCII."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def counted(proofs: Mapping[str, Judged], sentences: Iterable[str] = ()) -> Judged:
    """Return what a conclusion rests on that is drawn from these proofs, and by these sentences, which join them to it.

    This is the one count of words. Every step in words counts, whatever it says, and once where several proofs cite its own.
    """
    facts = sum(own.facts for own in proofs.values())
    argued = [f"{name}: {says}" for name, own in proofs.items() for says in own.argued]
    computed = [f"{name}: {says}" for name, own in proofs.items() for says in own.computed]
    return Judged(facts, (*argued, *sentences), tuple(computed))


def check_document(document: Any, known: Book | None = None) -> tuple[Statement, Judged]:
    """Check one certificate; return its statement and what it takes unchecked, or raise ``Rejected``.

    ``known`` are the texts that are trusted: those packed here, where none are given.
    """
    known = known or book()
    plain(document)
    if "kind" in (document if isinstance(document, dict) else ()):
        return check_of_a_law(document)
    Work.start()
    need(isinstance(document, dict), "expected an object")
    need(document.get("format") == FORMAT, f"the format must be {FORMAT}: crtools verify --certificates writes it anew")
    name, level = document.get("id", ""), document.get("level", "")
    need(isinstance(name, str) and isinstance(level, str), "id and level must be strings")
    why = known.without.get((name, level)) or known.without.get((name, "")) or UNKNOWN
    need((name, level) in known.claims, f"{name[:40]!r} {level[:20]!r}: {why}")
    statement = known.claims[name, level]
    fields(document, *FIELDS)
    given = document["given"]
    need(document["status"] == statement.status, f"the status must be {statement.status}")
    need(isinstance(given, dict), "given must be an object")
    changed = sorted(key for key in {*given, *statement.given} if given.get(key) != statement.given.get(key))
    need(given == statement.given, f"not the text's claim: {', '.join(map(repr, changed))[:80]} changed in given")
    need(document["digest"] == digest(document), "the digest is wrong")
    try:
        check_ties(statement, known)
        trusted = _by_text(document, statement, known)
        need(bool(statement.witness) or document["witness"] == {}, "the statement has no witness")
        if statement.witness:
            check_witness(document["witness"], statement, known)
    except (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Rejected(f"the evidence is malformed ({type(error).__name__})") from None
    return statement, trusted


def check_ties(statement: Statement, known: Book) -> None:
    """Refuse a given value that is not what the text says that it is, or that its theorems do not rest on."""
    theory = known.theories[statement.ledger]
    theorems = [*statement.counted(known), *theory.with_cited(statement.beside)] * (statement.status != "refuted")
    for name, own in statement.stands.items():
        value, functions = statement.given[name], {*functions_in(own)} - {"min", "max"}
        need(alike(value, own, theory.meanings), f"given {name} is not {own}, which its theorems are about")
        need(not functions or not alike(value, own, {}), f"given {name} is {own}, whatever its functions are")
        for each in sorted(functions.intersection(theory.defined)) if theorems else ():
            need(theory.rests_on(each, theorems), f"given {name} is {own}, but its theorems hold whatever {each} is")


def _by_text(data: Mapping[str, Any], statement: Statement, known: Book) -> Judged:
    """Judge the theorems of the text that the findings name; the certificate must be of this text."""
    theory = known.theories[statement.ledger]
    name = str(data["ledger"])[:40]
    anew = f"give the text under this name (--theory {name}.txt), or crtools verify --certificates writes it anew"
    need(data["ledger"] == statement.ledger, f"it is of the text {name}, not {statement.ledger}: {anew}")
    need(data["text"] == theory.digest, f"it is of another text than {theory.file}, whose digest is {theory.digest}")
    asked = {id: {"status": own.status, "theorems": own.proofs} for id, own in statement.findings.items()}
    need(data["findings"] == asked and list(data["findings"]) == list(asked), "other findings than the text's")
    judged = {name: theory.judge(name) for name in statement.needed(known)}
    Work.start()
    joins = [f"{id}: {own.joined}" for id, own in statement.findings.items() if own.joined]
    proofs = {name: judged[name] for name in statement.counted(known)}
    return counted(proofs, [*joins, *(theory.words[word] for word in statement.words)])


def check_of_a_law(document: Any) -> tuple[Statement, Judged]:
    """Check the certificate of a best schedule (check/best.py), which is of a law and of no claim."""
    names = ("format", "kind", "law", "s", "plans", "places", "lower", "upper", "digest")
    version, kind, *evidence, own = fields(document, *names)
    need(version == FORMAT, f"the format must be {FORMAT}")
    need(own == digest(document), "the digest is wrong")
    return Statement(kind, "algorithm", "certified", {}, says=check_schedule(kind, *evidence)), Judged(0, WORDS, ())


def check_witness(witness: Any, statement: Statement, known: Book | None = None) -> None:
    """Check that the conditions on a witness hold; these may use the given values."""
    theory, given = (known or book()).theories[statement.ledger], conditions.given(statement.given)
    conditions.check(theory.witnesses[statement.witness], witness, given, theory.meanings)


def worth(statement: Statement, trusted: Judged) -> str:
    """Return what an accepted certificate is worth: sentences are trusted, the rest is computed again where not counted."""
    unchecked = ((trusted.argued, "argued"), (trusted.computed, "not recomputed"))
    unread = [f"{len(steps)} {how}" for steps, how in unchecked if steps]
    if unread:
        return f"verified modulo {' and '.join(unread)} step{'s' * (len(trusted.argued + trusted.computed) > 1)}"
    return "verified at the witness" if statement.status == "refuted" else "verified"


# ---- files ------------------------------------------------------------------------------------------------------


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len({key for key, _ in pairs}) == len(pairs), "a field occurs twice")
    return dict(pairs)


def _no_number(text: str) -> Any:
    raise Rejected(f"{text[:40]} is not an integer")


def read_file(path: str) -> Any:
    """Return the document in a file, or raise ``Rejected``; ``OSError`` where it cannot be read."""
    text = content(path, LARGEST_FILE)
    try:
        return json.loads(text.decode(), object_pairs_hook=_unique, parse_float=_no_number, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Rejected("not a JSON document") from None


def check_folder(folder: str, known: Book | None = None) -> list[Row]:
    """Return one row per expected certificate and per file that does not belong there.

    Expected are all of every ledger of which there is one; of an empty folder, all.
    """
    known, present = known or book(), set(os.listdir(folder))
    every = [(f"{'.'.join(key)}.json", own) for key, own in known.claims.items()]
    ledgers = {own.ledger for name, own in every if name in present or not present}
    expected = [(name, own) for name, own in every if own.ledger in ledgers]
    result: list[Row] = []
    for name, own in expected:
        there, path = name in present, os.path.join(folder, name)
        result.append(outcome(path, own, known) if there else _row(own, "missing", "missing certificate"))
    others = sorted(present.difference(name for name, _ in expected))
    return result + [_row(Statement(name, "", "", {}), "rejected", UNKNOWN) for name in others]


def outcome(path: str, expected: Statement | None = None, known: Book | None = None) -> Row:
    """Return the row of a file, which has to be of a statement if there is one."""
    own = expected or Statement(os.path.basename(path), "", "", {})
    try:
        document = read_file(path)
        key = (document.get("id"), document.get("level")) if isinstance(document, dict) else None
        need(expected is None or key == (own.id, own.level), "a certificate of another claim or level")
        found, trusted = check_document(document, known)
    except Rejected as error:
        return _row(own, "rejected", str(error))
    except OSError as error:
        return _row(own, "rejected", f"cannot be read ({error.strerror})")
    more = {"worth": worth(found, trusted), "witness": bool(found.witness), "digest": document["digest"]}
    return _row(found, "verified", "", trusted) | more


def _printable(text: str) -> str:
    """Return a text of a file, or its name, so that it paints nothing on a terminal."""
    return text if text.isprintable() else ascii(text)


def _row(own: Statement, result: str, reason: str = "", trusted: Judged = NOTHING) -> Row:
    row: Row = {"id": _printable(own.id), "level": own.level, "ledger": own.ledger, "status": own.status}
    row |= {"statement": own.says, "result": result, "worth": "", "reason": _printable(reason)}
    row |= {"witness": False, "digest": "", "facts": trusted.facts, "sentences": len(trusted.argued)}
    return row | {"computations": len(trusted.computed), "argued": [*trusted.argued], "computed": [*trusted.computed]}


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
    """Check certificates, or judge texts alone: 0 all hold, 1 one is rejected or missing, 2 bad input."""
    parser = _Parser(prog="crtools-check", description="Verify certificates with the standard library only.")
    parser.add_argument("path", metavar="DIR", nargs="?", help="the folder of certificates, or one certificate")
    parser.add_argument("--theory", metavar="FILE", nargs="+", help="trust these texts instead; alone: judge them")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    options = parser.parse_args(arguments)
    if arguments is None and hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has seen enough ends this program, in silence
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if options.path is None and not options.theory:
        parser.error("expected DIR, --theory FILE, or both")
    if options.path is not None and not os.path.exists(options.path):
        parser.error(f"{options.path!r} does not exist")
    try:
        known = of_files(options.theory) if options.theory else book()
        report, shown = _folder(options.path, known) if options.path else _theories(known)
        print(json.dumps(report, indent=2) if options.json else "\n".join(shown), flush=True)
        return 0 if report["accepted"] else 1
    except Wrong as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename or 'standard output'!r} cannot be read or written ({error.strerror})")


def _folder(path: str, known: Book) -> tuple[Row, list[str]]:
    """Return what comes of a folder, or of one certificate, as one document and as lines."""
    result = check_folder(path, known) if os.path.isdir(path) else [outcome(path, None, known)]
    verified = [row["result"] == "verified" for row in result]
    good = all(verified)
    ledgers = {known.ledgers.get((row["id"], row["level"])) for row in result}
    theories = [own for name, own in known.theories.items() if name in ledgers]
    reasons = {key: reason for key, reason in known.without.items() if known.ledgers[key] in ledgers}
    without = [{"id": name, "level": level, "reason": reason} for (name, level), reason in reasons.items()]
    texts = [{"ledger": own.name, "file": own.file, "digest": own.digest} for own in theories]
    report: Row = {"accepted": good, "certificates": result, "no_certificate": without, "texts": texts}
    more = "" if good else ": rejected or missing ones are listed above"
    shown = [*_table(result), "", f"{sum(verified)} of {len(result)} verified{more}"]
    shown += [f"by the text {own.file}, SHA-256 {own.digest}" for own in theories]
    if not os.path.isdir(path):
        [row] = result
        shown += [f"proved: {row['statement']}"] if good and not row["ledger"] else []
        shown += [f"argued: {text}" for text in row["argued"]]
        return report, shown + [f"not recomputed: {text}" for text in row["computed"]]
    shown += ["argued, and not recomputed: crtools-check FILE prints these steps of a certificate"]
    shown += ["no certificate:"] if without else []
    return report, shown + [f"  {' '.join(filter(None, key))}: {reason}" for key, reason in reasons.items()]


# ---- texts alone ------------------------------------------------------------------------------------------------


def judged_alone(theory: Theory, known: Book) -> Row:
    """Return the row of a text: how many facts hold, in how many theorems, what counts beside, and what does not hold."""
    own_names = known.named_in(theory)
    named = {theory.instance(name)[0].name for name in own_names}
    unnamed = [theory.theorems[name].line for name in theory.own if name not in named]
    wrong = [str(line.wrong("expected a theorem or a claim that names it with its functions")) for line in unnamed]
    for name in theory.with_cited(own_names):
        try:
            theory.judge(name)
        except Wrong as error:
            wrong.append(str(error))
    claims = [own for own in known.claims.values() if own.ledger == theory.name]
    joins = [f.joined for own in claims for f in own.findings.values() if f.joined]
    held = {name: theory.known[name] for name in own_names if name in theory.known}
    own = counted(held, [*joins, *{word for own in claims for word in own.words}])
    row: Row = {"ledger": theory.name, "file": theory.file, "digest": theory.digest, "facts": own.facts}
    return row | {"theorems": len(held), "sentences": len(own.argued), "computed": len(own.computed), "wrong": wrong}


def _theories(known: Book) -> tuple[Row, list[str]]:
    """Return what comes of texts alone, as one document and as lines."""
    result = [judged_alone(theory, known) for theory in known.theories.values()]
    shown: list[str] = []
    for row in result:
        held = "all hold" if not row["wrong"] else f"{len(row['wrong'])} more do not hold"
        more = f", {row['computed']} computations" if row["computed"] else ""
        said = f"{row['facts']} facts, {row['theorems']} theorems: {held}; {row['sentences']} sentences{more}"
        shown += [*row["wrong"], f"{row['file']}: {said}", f"SHA-256 {row['digest']}"]
    return {"accepted": not any(row["wrong"] for row in result), "texts": result}, shown
