"""``crtools verify``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from crtools.cli.common import DONE, FOUND, add_json, bar, print_json, terminal, to_int
from crtools.errors import InputError


def add_verify(commands: Any) -> None:
    """Add the command."""
    verify = commands.add_parser("verify", help="decide claims of the paper")
    verify.add_argument("ids", nargs="*", metavar="ID", help="claim ids; all where none is given")
    verify.add_argument("--quick", action="store_true", help="skip the slow claims")
    verify.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="replace a value of 'given'")
    verify.add_argument(
        "--expect", metavar="FILE", help="exit 1 where a verdict differs from this earlier --json output"
    )
    verify.add_argument(
        "--certificates", metavar="DIR", help="write a certificate per decided verdict, for crtools-check"
    )
    verify.add_argument("--show", action="store_true", help="print every part and proof step")
    verify.add_argument("--self-test", action="store_true", help="run every corrupted and every true variant")
    verify.add_argument("--jobs", metavar="J", help="processes; all cores where there are more than a few claims")
    kept = verify.add_mutually_exclusive_group()
    kept.add_argument("--cache", metavar="FOLDER", help="keep results here; in the user's cache folder otherwise")
    kept.add_argument("--no-cache", action="store_true", help="decide everything anew and keep nothing")
    add_json(verify, _verify)


def _verify(options: argparse.Namespace) -> int:
    from crtools.ledger.ledger import as_json, verify

    changed: dict[str, str] = {}
    for item in options.set:
        name, separator, value = item.partition("=")
        if not separator or not name.strip():
            raise InputError("--set", item, "must be NAME=VALUE")
        if name.strip() in changed:
            raise InputError("--set", item, f"{name.strip()} is given twice")
        changed[name.strip()] = value.strip()
    if options.self_test:
        return _self_test(options)
    expected = None if options.expect is None else _read_expected(options.expect)
    if options.certificates is not None:
        from crtools.papers.adaptive.certificates import make_folder

        make_folder(options.certificates)
    how: dict[str, Any] = {"quick": options.quick, "jobs": _jobs(options), "cache": _cache(options)}
    results = verify(options.ids, changed, **how, progress=bar("claims", lambda result: result.id))
    document = as_json(results)
    certificates = None
    if options.certificates is not None:
        from crtools.papers.adaptive.certificates import write_certificates

        certificates = write_certificates(results, options.certificates)
        document["certificates"] = certificates.as_json()
    if options.json:
        print_json(document)
    else:
        from crtools.report.terminal import ledger_table

        if options.show:
            print("\n\n".join(result.show() for result in results) + "\n")
        print(ledger_table(results, colour=terminal(sys.stdout), width=_width()))
        if certificates is not None:
            print(certificates.show())
    if expected is None:
        return DONE
    different = _differences(expected, document)
    for line in different:
        print(f"crtools: {line}", file=sys.stderr)
    return FOUND if different else DONE


def _self_test(options: argparse.Namespace) -> int:
    from crtools.ledger.self_test import self_test

    for name in ("set", "expect", "certificates", "show"):
        if getattr(options, name):
            raise InputError(
                "--self-test", f"--{name}", "must stand without --set, --expect, --certificates and --show"
            )
    how: dict[str, Any] = {"quick": options.quick, "jobs": _jobs(options), "cache": _cache(options)}
    found = self_test(options.ids, **how, progress=bar("variants", lambda result: result.id))
    if options.json:
        print_json(found.as_json())
    else:
        from crtools.report.terminal import self_test_table

        print(self_test_table(found, colour=terminal(sys.stdout), width=_width()))
    return FOUND if found.missed else DONE


FEW = 4
"""As many claims are decided before more processes have started."""


def _jobs(options: argparse.Namespace) -> int:
    if options.jobs is not None:
        return to_int("--jobs", options.jobs)
    if options.ids and len(options.ids) <= FEW and not options.self_test:
        return 1
    from joblib import cpu_count

    return cpu_count()


def _cache(options: argparse.Namespace) -> Path | None:
    """Return the folder of results, or None: not wanted, or, with a warning, where the user's own cannot be written."""
    from crtools.ledger.cache import ResultCache, default_folder

    if options.no_cache:
        return None
    folder = default_folder() if options.cache is None else Path(options.cache)
    if ResultCache(folder).writable():
        return folder
    if options.cache is not None:
        raise InputError("--cache", options.cache, "must be a folder that can be written")
    print(f"crtools: no results are kept: {str(folder)!r} cannot be written", file=sys.stderr)
    return None


def _width() -> int:
    from shutil import get_terminal_size

    return min(get_terminal_size((120, 24)).columns, 160)


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
