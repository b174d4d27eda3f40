"""``crtools verify`` and ``crtools report``, which decide a ledger."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crtools.budget import SECONDS, seconds_of
from crtools.cli import arguments as cli
from crtools.cli.common import Costs, Exit, answer, bar, paged, print_json, takes_colour, to_int
from crtools.errors import InputError
from crtools.files import input_file, output_file, output_folder, write_text
from crtools.installed_ledgers import comes_with_crtools
from crtools.ledger import run
from crtools.ledger.cache import default_folder
from crtools.ledger.ledger import Ledger
from crtools.ledger.registry import DEFAULT, load
from crtools.ledger.verdict import NOT_READ
from crtools.names import canonical
from crtools.numeric_types import JsonObject
from crtools.parallel import cores
from crtools.tables import columns

if TYPE_CHECKING:
    from crtools.ledger.claim import ClaimResult
    from crtools.report.page import Figures

USUAL_SECONDS = 0.5
"""What a claim takes of which a ledger does not say it."""


def _add_cache(command: cli.Command) -> None:
    kept = command.add_mutually_exclusive_group()
    kept.add_argument("--cache", metavar="FOLDER", help="keep results here; in the user's cache folder otherwise")
    kept.add_argument("--no-cache", action="store_true", help="decide everything anew and keep nothing")


DECIDING = (
    cli.option("--ledger", "NAME", "a name, or your file.py", DEFAULT),
    cli.flag("--quick", "skip the slow claims"),
    cli.option("--jobs", "J", "processes; all cores for more than a few claims"),
    _add_cache,
)
"""Which claims are decided, in how many processes, and where results are kept."""


@cli.command(
    "verify", ("trace --show", "geometric --set bound=1.68 --level form-at-zero"),
    cli.argument("ids", nargs="*", metavar="ID", help="claim ids (crtools list claims); all where none is given"),
    cli.option("--level", "LEVEL", "one level only (crtools list levels)"),
    cli.argument("--set", action="append", default=[], metavar="NAME=VALUE", help="replace a value of 'given'"),
    cli.option("--expect", "FILE", "exit 1 where a verdict differs from this --json output"),
    cli.option("--certificates", "DIR", "write a certificate per decided verdict"),
    cli.option("--coq", "DIR", "write the theorems as Coq files, for make -C DIR; decide nothing"),
    cli.argument("--show", "--long", action="store_true", help="print every finding and proof step"),
    cli.flag("--self-test", "run every corrupted and every true variant"),
    cli.option("--timeout", "SECONDS", f"for each claim (default {SECONDS:.0f} after --set, else none)"),
    *DECIDING,
)  # fmt: skip
def verify(options: argparse.Namespace) -> int:
    """Decide the claims of a paper: a line each, a tally per level."""
    ledger = load(options.ledger)
    if options.coq is not None:
        return _coq(options, ledger)
    if options.level is not None:
        options.level = canonical("level", options.level, [level.id for level in ledger.levels])
    changed = _changed(options.set)
    if options.self_test:
        return _self_test(options)
    expected = None if options.expect is None else _read_expected(options.expect)
    if options.certificates is not None:
        output_folder("--certificates", options.certificates)
    how = how_to_decide(options, claims=len(options.ids) or None)
    in_order = sorted(ledger.select(options.ids), key=lambda claim: ledger.order_keys[claim.id])
    chosen = [claim.id for claim in in_order if not (options.quick and claim.id in ledger.slow)]
    lines = None if options.json or options.show else _Lines(ledger, chosen, options.level)
    label: Any = (lambda result: result.id) if lines is None else lines.next_after
    waiting = bar("claims", label, next(iter(chosen), ""), _costs(ledger, chosen, how["jobs"]))
    timeout = None if options.timeout is None else seconds_of("--timeout", options.timeout)
    progress = waiting if lines is None else lines.as_they_come(waiting)
    results = run.verify(options.ids, changed, **how, timeout=timeout, progress=progress)
    shown = _at_level(results, options.level)
    if not shown and options.level is not None:  # an empty table would read as if all were well
        spoken = ", ".join(dict.fromkeys(level for result in results for level in result.levels))
        allowed = f"no claim that is asked for says anything there; it must be one of {spoken}"
        raise InputError("--level", options.level, allowed)
    document, certificates = run.as_json(shown, ledger), None
    if options.certificates is not None:
        from crtools.ledger.certificates import write_certificates

        certificates = write_certificates(results, options.certificates, ledger)
        document["certificates"] = certificates.as_json()
    if options.json:
        print_json(document)
    elif lines is not None:
        lines.close(shown)
    else:
        from crtools.ledger.display.claim_text import claim_text

        accepted, colour = ledger.accepted(), takes_colour(sys.stdout)
        texts = [claim_text(result, columns(), accepted, colour=colour) for result in shown]
        paged("\n\n".join(texts))
    if certificates is not None and not options.json:
        print(certificates.show())
    different = [] if expected is None else _differences(expected, document)
    for line in different:
        print(f"crtools: {line}", file=sys.stderr)
    return Exit.FOUND if different else Exit.DONE


def _costs(ledger: Ledger, chosen: Sequence[str], jobs: int) -> Costs:
    def known(claim: str) -> float:
        return ledger.seconds.get(claim, USUAL_SECONDS)

    def took(result: ClaimResult) -> float:
        return max(verdict.seconds for verdict in result.verdicts)

    return Costs(lambda result: known(result.id), took, sum(map(known, chosen)), jobs)


def _changed(items: Sequence[str]) -> dict[str, str]:
    changed: dict[str, str] = {}
    for item in items:
        name, separator, value = item.partition("=")
        if not separator or not name.strip():
            raise InputError("--set", item, "must be NAME=VALUE")
        if name.strip() in changed:
            raise InputError("--set", item, f"{name.strip()} is given twice")
        changed[name.strip()] = value.strip()
    return changed


def _at_level(results: Sequence[ClaimResult], level: str | None) -> list[ClaimResult]:
    """Return the results with their verdicts at one level only, where one is asked for; what was not decided stays."""
    if level is None:
        return list(results)
    kept = (
        replace(r, verdicts=tuple(v for v in r.verdicts if v.level == level or v.reading == NOT_READ)) for r in results
    )
    return [result for result in kept if result.verdicts]


class _Lines:
    """Prints one line per claim as soon as it and all before it are decided, in the ledger's order."""

    def __init__(self, ledger: Ledger, chosen: Sequence[str], level: str | None) -> None:
        self.ledger, self.level, self.colour = ledger, level, takes_colour(sys.stdout)
        self.left, self.heading = list(chosen), run.head(ledger)
        self.decided: dict[str, ClaimResult] = {}

    def next_after(self, result: ClaimResult) -> str:
        """Return the first claim that is not decided yet: it is at work."""
        return next((claim for claim in self.left if claim not in self.decided and claim != result.id), result.id)

    def as_they_come(self, wrap: run.Progress) -> run.Progress:
        """Return a progress wrapper that prints lines and shows the bar that ``wrap`` makes."""

        def printed(results: Iterable[ClaimResult], total: int) -> Iterator[ClaimResult]:
            for result in wrap(results, total):
                self.decided[result.id] = result
                while self.left and self.left[0] in self.decided:
                    self._print([self.decided[self.left.pop(0)]])
                yield result

        return printed

    def _print(self, results: Sequence[ClaimResult], *more: str) -> None:
        """Print lines, the first below the head: it is not printed before, as a value or a level may be refused."""
        decided = [run.claim_line(r, self.ledger, colour=self.colour) for r in _at_level(results, self.level)]
        if lines := [*decided, *more]:
            print(*self.heading, *lines, sep="\n", flush=True)
            self.heading = []

    def close(self, results: Sequence[ClaimResult]) -> None:
        """Print the claims that were skipped, the tally and where more is."""
        from crtools.report.terminal import closing, tally_lines

        others = [result for result in results if result.id not in self.decided]
        self._print(others, "", *tally_lines(results, self.ledger), *closing(results, self.ledger))


def _coq(options: argparse.Namespace, ledger: Ledger) -> int:
    """Write the Coq files of a ledger, all of them whatever is decided: Coq is the judge."""
    _alone("--coq", options, "ids", "self_test", *NOT_WITH_SELF_TEST)
    if ledger.coq is None:
        raise InputError("--coq", ledger.name, "must be for a ledger that brings Coq files")
    output_folder("--coq", options.coq)
    development = ledger.coq()
    folder = development.write("--coq", options.coq)
    if options.json:
        counts = {"lemmas": len(development.steps_by_lemma), "by_hand": len(development.by_hand)}
        print_json({"coq": {"folder": str(folder), **counts, "files": list(development.files)}})
    else:
        counts = f"{len(development.steps_by_lemma)} lemmas and {len(development.by_hand)} files of theorems"
        print(f"coq: {counts} written to {folder}; not checked yet: make -C {folder}")
    return Exit.DONE


NOT_WITH_SELF_TEST = ("set", "expect", "certificates", "show", "level", "timeout")


def _alone(argument: str, options: argparse.Namespace, *others: str) -> None:
    """Refuse other options beside one that stands alone."""
    for name in others:
        if getattr(options, name):
            given = " ".join(options.ids) if name == "ids" else f"--{name.replace('_', '-')}"
            raise InputError(argument, given, f"must stand without {given}")


def _self_test(options: argparse.Namespace) -> int:
    from crtools.report.terminal import self_test_table

    _alone("--self-test", options, *NOT_WITH_SELF_TEST)
    waiting = bar("variants", lambda result: result.id, " ".join(options.ids[:1]) or "the first claims")
    outcome = run.self_test(options.ids, **how_to_decide(options), progress=waiting)
    return answer(options, outcome.as_json(), [self_test_table(outcome)], failed=bool(outcome.missed))


Statuses = dict[tuple[str, str], str]


def _read_expected(path: str) -> Statuses:
    try:
        document = json.loads(input_file("--expect", path, "file").read_text(encoding="utf-8"))
        if document.get("format", 1) not in (2, run.FORMAT):  # ids, levels and statuses are the same in both
            allowed = f"must be the JSON of verify --json, of format 2 or {run.FORMAT}: record it again"
            raise InputError("--expect", path, allowed)
        return _statuses(document)
    except OSError as error:
        raise InputError("--expect", path, f"must be a readable file ({error.strerror})") from None
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("--expect", path, "must be the JSON that verify --json printed") from None


def _statuses(document: JsonObject) -> Statuses:
    return {(claim["id"], v["level"]): v["status"] for claim in document["claims"] for v in claim["levels"]}


def _differences(expected: Statuses, document: JsonObject) -> list[str]:
    return [
        f"{claim} {level}: {status}, expected {expected[claim, level]}"
        for (claim, level), status in _statuses(document).items()
        if status != "skipped" and expected.get((claim, level), status) != status
    ]


# ---- report ----------------------------------------------------------------------------------------------------------


@cli.command(
    "report", ("--quick", "--html report.html --errata errata.md"),
    cli.option("--html", "FILE", "write one self-contained page"),
    cli.option("--errata", "FILE", "write the errata: LaTeX for a name in .tex, else Markdown"),
    cli.option("--figures", "FOLDER", "folder with drawn figures (default: figures, if it exists)"),
    *DECIDING,
)  # fmt: skip
def report(options: argparse.Namespace) -> int:
    """The whole ledger: as a table, as one HTML page, as errata."""
    for name in ("html", "errata"):
        if getattr(options, name) is not None:
            output_file(f"--{name}", getattr(options, name))
    how = how_to_decide(options)
    ledger: Ledger = how["ledger"]
    figures = _figures(options, ledger)
    results = run.verify(**how, progress=bar("claims", lambda result: result.id))
    if options.html is None and options.errata is None and not options.json:
        from crtools.report.terminal import ledger_text

        return answer(options, {}, [ledger_text(results, ledger, colour=takes_colour(sys.stdout))])
    from crtools.report.errata import errata, latex, markdown

    size = None
    if options.html is not None:
        from crtools.report.page import page

        size = write_text("--html", options.html, page(results, ledger, figures))
    if options.errata is not None:
        text = latex(results, ledger) if options.errata.endswith(".tex") else markdown(results, ledger)
        write_text("--errata", options.errata, text)
    written: JsonObject = {
        "path": options.html,
        "bytes": size,
        "errata": options.errata,
        "entries": [entry.id for entry in errata(results)],
        "figures": sorted(figures.png),
        "figures_missing": list(figures.missing),
        "claims": len(results),
        "counts": run.tally(results),
    }
    return answer(options, written, _report_lines(written))


def _report_lines(written: JsonObject) -> Iterator[str]:
    if written["path"] is not None:
        yield f"{written['path']}: {written['claims']} claims, {written['bytes'] / 1e6:.1f} MB"
        missing = f"; not found: {', '.join(written['figures_missing'])}" if written["figures_missing"] else ""
        yield f"figures: {', '.join(written['figures']) or 'none'}{missing}"
    if written["errata"] is not None:
        yield f"{written['errata']}: {len(written['entries'])} errata"


def _figures(options: argparse.Namespace, ledger: Ledger) -> Figures:
    """Read the ledger's figures; none where no page is written."""
    from crtools.report.page import Figures, read_figures

    if options.figures is not None and not os.path.isdir(options.figures):
        raise InputError("--figures", options.figures, "must be a folder")
    if options.html is None:
        return Figures()
    folder = options.figures or ("figures" if os.path.isdir("figures") else None)
    return read_figures(ledger.figures(), (claim.id for claim in ledger.claims), folder)


# ---- which claims are decided, in how many processes, and where results are kept -------------------------------------

FEW = 4
"""As many claims are decided before more processes have started."""


def how_to_decide(options: argparse.Namespace, *, claims: int | None = None) -> dict[str, Any]:
    """Return the arguments of ``verify`` that the options say. ``claims``: how many are decided, all where None."""
    ledger = load(options.ledger)
    few = claims is not None and claims <= FEW
    jobs = to_int("--jobs", options.jobs) if options.jobs is not None else 1 if few else cores()
    return {"ledger": ledger, "quick": options.quick, "jobs": jobs, "cache": _cache(options, ledger)}


def _cache(options: argparse.Namespace, ledger: Ledger) -> Path | None:
    """Return the folder of results, or None: not wanted, not possible, or, with a warning, where it cannot be written."""
    if options.no_cache:
        return None
    if not comes_with_crtools(ledger):
        if options.cache is not None:
            print(f"crtools: no results are kept of {ledger.name}: what its claims read is not known", file=sys.stderr)
        return None
    if options.cache is not None:
        return output_folder("--cache", options.cache)
    try:
        return output_folder("cache", default_folder())
    except (InputError, OSError) as error:
        print(f"crtools: no results are kept: {error}", file=sys.stderr)
        return None
