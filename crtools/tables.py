"""Tables of text, laid out by rich: as wide as the terminal, 80 columns in a pipe."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from io import StringIO
from shutil import get_terminal_size

WIDTH = 80
"""The columns of a pipe; no line of help or of the ledger is longer on a terminal either."""


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
    """Return rows of as many texts as one text, each column as wide as it needs, all but the last at most ``widest``.

    Columns of numbers stand to the ``right``. What is left of the ``width`` is the last column's, whose texts are wrapped,
    or ``cut``.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=bool(heads), header_style="")
    own = [tuple(row) for row in rows]
    last = max(map(len, [heads, *own])) - 1
    for n in range(last + 1):
        found.add_column(
            Text(heads[n]) if heads else "",
            justify="right" if n in right else "left",
            no_wrap=n < last,
            overflow="ellipsis" if n < last else "fold",
            max_width=widest if n < last else None,
        )
    for *first, text in own:
        end = Text(text, no_wrap=True, overflow="ellipsis") if cut else Text(text)
        found.add_row(*map(Text, first), end)
    page = StringIO()
    plain = Console(file=page, width=width or columns(), color_system=None, force_terminal=False, force_jupyter=False)
    plain.print(found)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())
