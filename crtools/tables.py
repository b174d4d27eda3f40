"""Tables of text, laid out by rich: as wide as the terminal, 80 columns in a pipe."""

from collections.abc import Collection, Iterable, Sequence
from io import StringIO
from shutil import get_terminal_size

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
