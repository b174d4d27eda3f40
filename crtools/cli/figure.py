"""``crtools figure``."""

import argparse
from collections.abc import Iterator
from typing import Any

from crtools.cli import arguments as cli
from crtools.cli.common import answer, bar
from crtools.errors import MISSING, InputError
from crtools.files import output_folder
from crtools.names import canonical, listed
from crtools.notation.terminal import unmarked
from crtools.numeric_types import JsonObject
from crtools.plotting import figure, known_figures
from crtools.plotting.figure import read_all
from crtools.plotting.sheet import FORMATS, checked_size

PARAMETER = "parameter_"
"""Before the name of a figure's parameter where the parser keeps it."""


class _HelpOfFigure(argparse.Action):
    """Print the help of the command, or of the figures that were named before."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        names = getattr(namespace, "names", None) or ()
        for name in names:
            print(_described(canonical("figure", name, known_figures())).format_help(), end="")
        if not names:
            parser.print_help()
        parser.exit()


def _described(name: str) -> cli.Command:
    """Return a parser whose help describes one figure."""
    drawing = known_figures()[name]
    says = unmarked(drawing.says)
    own = cli.Command(prog=f"crtools figure {name}", description=f"{says[0].upper()}{says[1:]}.", add_help=False)
    group = own.add_argument_group("parameters of this figure") if drawing.parameters else own
    for parameter, about in drawing.parameters.items():
        what = f"{about.says} (default {about.default})".replace("%", "%%")
        group.add_argument(f"--{parameter}", metavar=parameter.upper(), help=what)
    for add_argument in (*HOW, cli.JSON):
        add_argument(own)
    return own


def _add_parameters(command: cli.Command) -> None:
    """Add the parameters of all figures, each with the figures that have it."""
    group = command.add_argument_group("parameters", "of some figures: crtools figure NAME --help")
    owners: dict[str, list[str]] = {}
    for name, drawing in known_figures().items():
        for parameter in drawing.parameters:
            owners.setdefault(parameter, []).append(name)
    for parameter, names in owners.items():
        what = f"of {', '.join(names)}"
        group.add_argument(f"--{parameter}", dest=PARAMETER + parameter, metavar=parameter.upper(), help=what)


HOW = (
    cli.option("--out", "FOLDER", "output folder (default figures)", "figures"),
    cli.option("--format", "KIND", f"{', '.join(FORMATS)} (default png)", "png"),
    cli.option("--size", "WxH", "width and height in inches, such as 3.4x2.6 (default: its own)"),
    cli.flag("--no-title", "leave the title out: a paper has a caption"),
)
"""How and where every figure is drawn."""


@cli.command(
    "figure", ("log-fit", "two-point --s 0,10 --format pdf --size 3.1x3 --no-title"),
    cli.argument("-h", "--help", action=_HelpOfFigure, nargs=0, default=argparse.SUPPRESS,
                 help="show this help, or that of the figure named before"),
    cli.argument("names", nargs="*", metavar="NAME", help="figures, or all (crtools list figures)"),
    *HOW,
    _add_parameters,
    add_help=False,
)  # fmt: skip
def draw_figures(options: argparse.Namespace) -> int:
    """Compute and draw figures."""
    known = [*known_figures(), "all"]
    if not options.names:
        raise InputError("NAME", MISSING, f"give figures, of {listed(known)}")
    names = [canonical("figure", name, known) for name in options.names]
    if "all" in names:
        names = list(known_figures())
    kind = canonical("--format", options.format, FORMATS)
    size = None if options.size is None else checked_size(options.size)
    given = {
        key.removeprefix(PARAMETER): value
        for key, value in vars(options).items()
        if key.startswith(PARAMETER) and value is not None
    }
    for name in names:
        read_all(name, known_figures()[name].parameters, given)
    output_folder("out", options.out)
    rows: list[JsonObject] = []
    for name in names:
        drawn = figure(name, progress=bar(name), **given)
        paths = drawn.save(options.out, kind, size, not options.no_title)
        row = {"name": drawn.name, "path": str(paths[kind]), "data": str(paths["csv"]), "json": str(paths["json"])}
        rows.append(row | {"fits": dict(drawn.fits)})
    return answer(options, {"figures": rows}, _lines(rows))


def _lines(rows: list[JsonObject]) -> Iterator[str]:
    for row in rows:
        yield f"{row['name']}: {row['path']} (data: {row['data']}, {row['json']})"
        for name, fit in row["fits"].items():
            yield f"  {name}: {fit['text']}"
