"""``crtools figure``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from crtools.cli.common import add_command, add_json, answer, bar
from crtools.errors import MISSING, InputError
from crtools.files import output_folder
from crtools.names import canonical, listed


def add_figure(commands: Any) -> None:
    """Add the command."""
    figure = add_command(commands, "figure", "compute and draw figures", ("log-fit", "lengths --out drawn"))
    figure.add_argument("names", nargs="*", metavar="NAME", help="figures, or all (crtools list figures)")
    figure.add_argument("--out", default="figures", metavar="FOLDER", help="output folder (default figures)")
    add_json(figure, _figure)


def _figure(options: argparse.Namespace) -> int:
    from crtools.plotting import figure, known_figures

    known = [*known_figures(), "all"]
    if not options.names:
        raise InputError("NAME", MISSING, f"give figures, of {listed(known)}")
    names = [canonical("figure", name, known) for name in options.names]
    if "all" in names:
        names = list(known_figures())
    output_folder("out", options.out)
    rows: list[dict[str, Any]] = []
    for name in names:
        drawn = figure(name, progress=bar(name, str))
        paths = drawn.save(options.out)
        row = {"name": name, "path": str(paths["png"]), "data": str(paths["csv"]), "json": str(paths["json"])}
        rows.append(row | {"fits": dict(drawn.fits)})
    return answer(options, {"figures": rows}, _lines(rows))


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield f"{row['name']}: {row['path']} (data: {row['data']}, {row['json']})"
        for name, fit in row["fits"].items():
            yield f"  {name}: {fit['text']}"
