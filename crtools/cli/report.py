"""``crtools report``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from crtools.cli.claim_selection import add_deciding, how_to_decide
from crtools.cli.common import DONE, Commands, answer, bar, terminal
from crtools.errors import InputError
from crtools.files import output_file, write_text
from crtools.numeric_types import JsonObject

if TYPE_CHECKING:
    from crtools.ledger.ledger import Ledger
    from crtools.ledger.run import Results
    from crtools.report.figures import Figures


def add_report(commands: Commands) -> None:
    """Add the command."""
    examples = ("--quick", "--html report.html --errata errata.md")
    report = commands.add("report", _report, "the whole ledger: as a table, as one HTML page, as errata", examples)
    report.option("--html", "FILE", "write one self-contained page")
    report.option("--errata", "FILE", "write the errata: LaTeX for a name in .tex, else Markdown")
    report.option("--figures", "FOLDER", "folder with drawn figures (default: figures, if it exists)")
    add_deciding(report)


def _report(options: argparse.Namespace) -> int:
    for name in ("html", "errata"):
        if getattr(options, name) is not None:
            output_file(f"--{name}", getattr(options, name))
    how = how_to_decide(options)
    figures = _figures(options, how["ledger"])

    from crtools.ledger.run import verify

    results = verify(**how, progress=bar("claims", lambda result: result.id))
    if options.html is None and options.errata is None and not options.json:
        from crtools.report.terminal import ledger_text

        print(ledger_text(results, how["ledger"], colour=terminal(sys.stdout)))
        return DONE
    written = _write(options, results, how["ledger"], figures)
    return answer(options, written, _lines(written))


def _lines(written: JsonObject) -> Iterator[str]:
    if written["path"] is not None:
        yield f"{written['path']}: {written['claims']} claims, {written['bytes'] / 1e6:.1f} MB"
        missing = f"; not found: {', '.join(written['figures_missing'])}" if written["figures_missing"] else ""
        yield f"figures: {', '.join(written['figures']) or 'none'}{missing}"
    if written["errata"] is not None:
        yield f"{written['errata']}: {len(written['entries'])} errata"


def _figures(options: argparse.Namespace, ledger: Ledger) -> Figures:
    """Read the ledger's figures; none where no page is written."""
    from crtools.report.figures import Figures, read_figures

    if options.figures is not None and not os.path.isdir(options.figures):
        raise InputError("--figures", options.figures, "must be a folder")
    if options.html is None:
        return Figures()
    folder = options.figures or ("figures" if os.path.isdir("figures") else None)
    return read_figures(ledger.figures(), (claim.id for claim in ledger.claims), folder)


def _write(options: argparse.Namespace, results: Results, ledger: Ledger, figures: Figures) -> JsonObject:
    """Write the files and return the JSON document."""
    from crtools.ledger.run import tally
    from crtools.report.errata import errata, latex, markdown

    size = None
    if options.html is not None:
        from crtools.report.page import page

        size = write_text("--html", options.html, page(results, ledger, figures))
    if options.errata is not None:
        text = latex(results, ledger) if options.errata.endswith(".tex") else markdown(results, ledger)
        write_text("--errata", options.errata, text)
    return {
        "path": options.html,
        "bytes": size,
        "errata": options.errata,
        "entries": [entry.id for entry in errata(results)],
        "figures": sorted(figures.png),
        "figures_missing": list(figures.missing),
        "claims": len(results),
        "counts": tally(results),
    }
