"""``crtools verify``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from crtools.cli.common import DONE, FOUND, add_json, bar, print_json, terminal
from crtools.errors import InputError


def add_verify(commands: Any) -> None:
    """Add the command."""
    verify = commands.add_parser("verify", help="decide claims of the paper")
    verify.add_argument("ids", nargs="*", metavar="ID", help="claim ids; all where none is given")
    verify.add_argument("--quick", action="store_true", help="skip the claims that take more than a second")
    verify.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="replace a value of 'given'")
    verify.add_argument(
        "--expect", metavar="FILE", help="exit 1 where a verdict differs from this earlier --json output"
    )
    verify.add_argument(
        "--certificates", metavar="DIR", help="write a certificate per decided verdict, for crtools-check"
    )
    verify.add_argument("--show", action="store_true", help="print every part and proof step")
    add_json(verify, _verify)


def _verify(options: argparse.Namespace) -> int:
    from crtools.claims.ledger import as_json, verify

    changed: dict[str, str] = {}
    for item in options.set:
        name, separator, value = item.partition("=")
        if not separator or not name.strip():
            raise InputError("--set", item, "must be NAME=VALUE")
        changed[name.strip()] = value.strip()
    expected = None if options.expect is None else _read_expected(options.expect)
    if options.certificates is not None:
        from crtools.certificates import make_folder

        make_folder(options.certificates)
    results = verify(options.ids, changed, quick=options.quick, progress=bar("claims", lambda claim: claim.id))
    document = as_json(results)
    certificates = None
    if options.certificates is not None:
        from crtools.certificates import write_certificates

        certificates = write_certificates(results, options.certificates)
        document["certificates"] = certificates.as_json()
    if options.json:
        print_json(document)
    else:
        from shutil import get_terminal_size

        from crtools.report.terminal import ledger_table

        if options.show:
            print("\n\n".join(result.show() for result in results) + "\n")
        print(ledger_table(results, colour=terminal(sys.stdout), width=min(get_terminal_size((120, 24)).columns, 160)))
        if certificates is not None:
            print(certificates.show())
    if expected is None:
        return DONE
    different = _differences(expected, document)
    for line in different:
        print(f"crtools: {line}", file=sys.stderr)
    return FOUND if different else DONE


def _read_expected(path: str) -> dict[tuple[str, str], str]:
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        return {(c["id"], v["scope"]): v["status"] for c in document["claims"] for v in c["verdicts"]}
    except OSError as error:
        raise InputError("--expect", path, f"must be a readable file ({error.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise InputError("--expect", path, "must be the JSON that verify --json printed") from None


def _differences(expected: dict[tuple[str, str], str], document: dict[str, Any]) -> list[str]:
    got = {(c["id"], v["scope"]): v["status"] for c in document["claims"] for v in c["verdicts"]}
    return [
        f"{claim} {scope}: {status}, expected {expected[claim, scope]}"
        for (claim, scope), status in got.items()
        if status != "skipped" and expected.get((claim, scope), status) != status
    ]
