"""Tables of text, laid out by rich: as wide as the terminal, 80 columns in a pipe. Rows of a result, for pandas and notebooks."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from importlib import import_module
from io import StringIO
from itertools import islice
from shutil import get_terminal_size
from typing import Any

from crtools.numeric_types import JsonObject

WIDTH = 80
"""Columns of output into a pipe; help and the lines of a ledger are never wider."""


def columns() -> int:
    """Return how many columns a line may have."""
    return get_terminal_size((WIDTH, 24)).columns


def table(
    rows: Iterable[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    right: Collection[int] = (),
    width: int | None = None,
    widest: int | None = None,
    cut: bool = False,
) -> str:
    """Return rows of texts as an aligned table.

    Every column is as wide as its texts, all but the last at most ``widest``; columns whose numbers are in ``right`` are
    aligned to the right. The last column takes the rest of the ``width``; its texts are wrapped, or shortened with ``cut``.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=bool(heads), header_style="")
    cells = [tuple(row) for row in rows]
    last = max(map(len, [heads, *cells])) - 1
    for n in range(last + 1):
        grid.add_column(
            Text(heads[n]) if heads else "",
            justify="right" if n in right else "left",
            no_wrap=n < last,
            overflow="ellipsis" if n < last else "fold",
            max_width=widest if n < last else None,
        )
    for *first, text in cells:
        end = Text(text, no_wrap=True, overflow="ellipsis") if cut else Text(text)
        grid.add_row(*map(Text, first), end)
    page = StringIO()
    console = Console(file=page, width=width or columns(), color_system=None, force_terminal=False, force_jupyter=False)
    console.print(grid)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


# ---- rows of a result: a pandas DataFrame where pandas is installed, else text ---------------------------------------

WIDEST = 10_000
"""Columns of a table in text; no row is wrapped, so that each stays one line."""


class Table(list[JsonObject]):
    """Rows with the same names: a list of dictionaries that prints as a table."""

    def __repr__(self) -> str:
        names = tuple(self[0]) if self else ()
        return table([tuple(map(_text, row.values())) for row in self], names, width=WIDEST) if self else "no rows"

    def html(self) -> str:
        """Return the rows as an HTML table."""
        heads = "".join(f"<th>{escape(name)}</th>" for name in (self[0] if self else ()))
        rows = ("".join(f"<td style='text-align:left'>{escape(_text(v))}</td>" for v in row.values()) for row in self)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"

    _repr_html_ = html


def _text(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def frame(rows: Iterable[JsonObject]) -> Any:
    """Return rows as a pandas DataFrame, or as a :class:`Table` where pandas is not installed."""
    try:
        return import_module("pandas").DataFrame(list(rows))
    except ImportError:
        return Table(rows)


def shortened(text: str, longest: int = 160) -> str:
    """Return a text, or its beginning with a dot mark where it has more characters than ``longest``."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


class InNotebook:
    """A result that a notebook shows as its line, its formula and its rows, as far as its class has them."""

    @property
    def latex(self) -> str:
        """The formula in LaTeX; empty where there is none."""
        return ""

    def _rows(self) -> Iterable[JsonObject]:
        """Iterate over the rows of its table."""
        return ()

    def _repr_html_(self) -> str | None:
        parts = [f"<p>{escape(repr(self))}</p>"]
        if self.latex:
            from latex2mathml.converter import convert

            parts.append(f"<p>{convert(self.latex)}</p>")
        if rows := Table(islice(self._rows(), MOST_ROWS)):
            parts.append(rows.html())
        return f"<div>{''.join(parts)}</div>"


class WithRows(InNotebook):
    """A result with rows."""

    def table(self) -> Any:
        """Return the rows as a pandas DataFrame or, where pandas is not installed, as a list that prints as a table."""
        return frame(self._rows())


MOST_ROWS = 60
"""Upper limit on the rows that a notebook shows unasked."""
