"""``crtools report``."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from crtools.cli.common import DONE, add_command, add_json, bar, print_json, terminal
from crtools.errors import InputError


def add_report(commands: Any) -> None:
    """Add the command."""
    examples = ("--quick", "--html report.html --errata errata.md")
    report = add_command(commands, "report", "the whole ledger: as a table, as one HTML page, as errata", examples)
    report.add_argument("--html", metavar="FILE", help="write one self-contained page")
    report.add_argument("--errata", metavar="FILE", help="write the errata of the paper as Markdown")
    report.add_argument(
        "--figures", metavar="FOLDER", help="folder with drawn figures (default: figures, if it is there)"
    )
    report.add_argument("--quick", action="store_true", help="skip the claims that take more than a second")
    add_json(report, _report)


def _report(options: argparse.Namespace) -> int:
    from crtools.report.writing import check_writable, write_text

    targets = {name: getattr(options, name) for name in ("html", "errata") if getattr(options, name) is not None}
    for name, path in targets.items():
        check_writable(f"--{name}", path)
    if options.figures is not None and not os.path.isdir(options.figures):
        raise InputError("--figures", options.figures, "must be a folder")
    folder = options.figures or ("figures" if os.path.isdir("figures") else None)

    from crtools.ledger.ledger import as_json, verify
    from crtools.report.errata import errata, markdown
    from crtools.report.figures import read_figures

    figures = read_figures((), None)
    if options.html is not None:
        from crtools.ledger.ledger import CLAIMS

        figures = read_figures((claim.id for claim in CLAIMS), folder)
    results = verify(quick=options.quick, progress=bar("claims", lambda claim: claim.id))
    sizes: dict[str, int] = {}
    if options.html is not None:
        from crtools.report.page import page

        sizes["html"] = write_text("--html", options.html, page(results, figures))
    if options.errata is not None:
        sizes["errata"] = write_text("--errata", options.errata, markdown(results))
    entries = errata(results)
    if options.json:
        print_json(
            {
                "path": options.html,
                "bytes": sizes.get("html"),
                "errata": options.errata,
                "entries": [e.id for e in entries],
                "figures": sorted(figures.png),
                "figures_missing": list(figures.missing),
                "claims": len(results),
                "counts": as_json(results)["counts"],
            }
        )
        return DONE
    if not targets:
        from shutil import get_terminal_size

        from crtools.report.terminal import ledger_table

        print(ledger_table(results, colour=terminal(sys.stdout), width=min(get_terminal_size((120, 24)).columns, 160)))
        return DONE
    if options.html is not None:
        print(f"{options.html}: {len(results)} claims, {len(entries)} errata, {sizes['html'] / 1e6:.1f} MB")
        shown = ", ".join(sorted(figures.png)) or "none"
        missing = f"; not in {folder or 'a folder figures'}: {', '.join(figures.missing)}" if figures.missing else ""
        print(f"figures: {shown}{missing}")
    if options.errata is not None:
        print(f"{options.errata}: {len(entries)} errata")
    return DONE
