"""Matplotlib without a window, and reproducible files: the same figure gives the same bytes.

A :class:`Sheet` is what :class:`crtools.plotting.figure.Figure` draws on: its size, its title, and a legend below the plots.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from crtools.errors import InputError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Page
    from matplotlib.text import Text
    from matplotlib.transforms import BboxBase

RcParams: TypeAlias = dict[Any, Any]
"""Settings of Matplotlib by name, ``rcParams``."""

FORMATS = ("svg", "pdf", "png")
"""The formats of a file."""

METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata that Matplotlib would write: its version and the time, which are left out."""


def canvas(width: float, height: float) -> Page:
    """Return an empty Matplotlib figure of this size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def rendered(
    draw: Callable[[], Page], kind: str, dpi: int = 130, letters: float = 10.0, settings: RcParams | None = None
) -> bytes:
    """Return the figure that ``draw`` makes as the bytes of a file of one of ``FORMATS``, in Matplotlib's default style.

    The file has no time and no version; letters in a PDF are TrueType. ``letters``: the font size in points; ``settings``: further
    ``rcParams``.
    """
    from matplotlib import rc_context, style

    file = BytesIO()
    parameters: RcParams = {"svg.hashsalt": "crtools", "pdf.fonttype": 42, "font.size": letters, **(settings or {})}
    with style.context("default"), rc_context(parameters):
        draw().savefig(file, format=kind, dpi=dpi, metadata=METADATA[kind])
    return file.getvalue()


IN_HTML: RcParams = {
    "svg.fonttype": "none", "font.family": ["sans-serif"], "font.sans-serif": ["DejaVu Sans"],
    "xtick.major.size": 0, "ytick.major.size": 0,
}  # fmt: skip
"""Text stays text, so that letters are not drawn as paths; tick marks would be definitions with an ``id`` each."""

UNNEEDED = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>|<!--.*?-->", re.DOTALL)


def inline_svg(draw: Callable[[], Page], attributes: str) -> str:
    """Return a figure as a short SVG element for HTML, without a style sheet and without a fixed size."""
    text = UNNEEDED.sub("", rendered(draw, "svg", settings=IN_HTML).decode("utf-8"))
    head, body = re.fullmatch(r".*?<svg([^>]*)>(.*)</svg>\s*", text, re.DOTALL).groups()  # type: ignore[union-attr]
    view = re.search(r'viewBox="[^"]*"', head)
    body = re.sub(r'<g id="[^"]*"/>| transform="rotate\(-0 [^)]*\)"', "", body)  # an empty <g/> is not valid in HTML
    body = re.sub(r'<g id="[^"]*">', "<g>", body)
    body = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), body)
    body = re.sub(r"\s+", " ", body).replace("> <", "><").strip()
    return f"<svg {attributes} {view[0] if view else ''}>{body}</svg>"


SMALLEST, LARGEST = 1.0, 40.0
"""Inches of a side."""

COLUMN = 5.0
"""Up to this width in inches a figure is taken to stand in a column of a paper, with smaller letters."""

LETTERS, LETTERS_IN_COLUMN = 10.0, 8.0
"""Points."""

WIDE_LETTER = 0.52
"""The width of a letter of a title over its height, about: a line that is wider than the sheet is broken earlier."""


@dataclass(frozen=True)
class Sheet:
    """Where a figure is drawn: ``size`` in inches (None: the figure's own), and whether it is ``titled``."""

    size: tuple[float, float] | None = None
    titled: bool = True

    @property
    def narrow(self) -> bool:
        """Whether the figure is to stand in a column of a paper."""
        return self.size is not None and self.size[0] <= COLUMN

    @property
    def letters(self) -> float:
        """The size of letters in points; every other size of a figure's letters is a word such as small."""
        return LETTERS_IN_COLUMN if self.narrow else LETTERS

    def canvas(self, width: float, height: float) -> Page:
        """Return an empty Matplotlib figure of the sheet's size, or of this one in inches."""
        return canvas(*(self.size or (width, height)))

    def title(self, page: Page, text: str) -> None:
        """Write the title above all, in lines that are no wider than the page; not where the sheet has none."""
        if not self.titled:
            return
        letters = self.letters * 1.1
        room = int(page.get_figwidth() * 72 / (letters * WIDE_LETTER))
        for width in range(room, 9, -3):
            lines = [piece for line in text.split("\n") for piece in _wrapped(line, width)]
            title = page.suptitle("\n".join(lines), fontsize=letters)
            if title.get_window_extent().width <= page.bbox.width:
                return

    def finished(self, page: Page, title: str, named: Axes | Sequence[Artist] = ()) -> Page:
        """Return the page with a title and a legend of what is ``named``: artists, or all that plots have a label."""
        self.legend(page, named if isinstance(named, Sequence) else named.get_legend_handles_labels()[0])
        self.title(page, title)
        return page

    def legend(self, page: Page, handles: Sequence[Artist]) -> None:
        """Set a legend below the plots, in as many columns as the page is wide enough for; none without handles."""
        for columns in range(len(handles), 0, -1):
            legend = page.legend(handles=handles, loc="outside lower center", ncols=columns, fontsize="small")
            box = legend.get_window_extent()
            if columns == 1 or box.width <= 0.98 * page.bbox.width:
                return
            legend.remove()


def crowded(page: Page) -> bool:
    """Return whether texts of the plots overlap, or their titles and axis labels reach over the edge of the page."""
    page.draw_without_rendering()
    names = [text for axes in page.axes for text in (axes.title, axes.xaxis.label, axes.yaxis.label)]
    width, height = page.bbox.x1 + 1, page.bbox.y1 + 1
    over = any(min(box.x0, box.y0) <= -1 or box.x1 >= width or box.y1 >= height for box in _boxes(names))
    inside = [text for axes in page.axes for text in (*axes.texts, *_visible_tick_labels(axes))]
    return over or any(one.overlaps(other) for one, other in combinations(_boxes(names + inside), 2))


def _boxes(texts: Sequence[Text]) -> list[BboxBase]:
    return [text.get_window_extent() for text in texts if text.get_visible() and text.get_text()]


def _visible_tick_labels(axes: Axes) -> list[Text]:
    low, high = sorted(axes.get_xlim())
    return [label for label in axes.get_xticklabels() if low <= label.get_position()[0] <= high]


def _wrapped(line: str, room: int) -> list[str]:
    """Return a line as lines of about ``room`` letters, not broken within a formula between dollar signs."""
    formulas = {chr(0xE000 + n // 2): piece for n, piece in enumerate(line.split("$")) if n % 2}
    widths = {placeholder: max(1, len(formula) // 2) for placeholder, formula in formulas.items()}
    for placeholder, formula in formulas.items():
        line = line.replace(f"${formula}$", placeholder * widths[placeholder], 1)
    text = "\n".join(textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False))
    for placeholder, formula in formulas.items():
        text = text.replace(placeholder * widths[placeholder], f"${formula}$")
    return text.splitlines()


def checked_size(size: str | tuple[float, float]) -> tuple[float, float]:
    """Return a size in inches, given as a pair or as a text such as ``3.4x2.6``, or raise ``InputError``."""
    try:
        width, height = map(float, size.lower().split("x") if isinstance(size, str) else size)
    except (TypeError, ValueError):
        width = height = 0.0
    if not all(isfinite(side) and SMALLEST <= side <= LARGEST for side in (width, height)):
        what, example = ("WIDTHxHEIGHT", ", such as 3.4x2.6") if isinstance(size, str) else ("(width, height)", "")
        allowed = f"must be {what} in inches, each from {SMALLEST:g} to {LARGEST:g}{example}"
        raise InputError("size", size, allowed)
    return width, height
