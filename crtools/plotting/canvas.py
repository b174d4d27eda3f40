"""Matplotlib without a window, and reproducible files: the same figure gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def canvas(width: float, height: float) -> Figure:
    """Return an empty Matplotlib figure of this size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def write(drawn: Figure, file: BinaryIO, kind: str = "png", dpi: int = 130) -> None:
    """Write a figure in one of ``FORMATS``, without a time or a version; letters in a PDF are TrueType."""
    drawn.savefig(file, format=kind, dpi=dpi, metadata=METADATA[kind])


def written(
    draw: Callable[[], Figure],
    kind: str,
    dpi: int = 130,
    letters: float = 10.0,
    settings: RcParams | None = None,
) -> bytes:
    """Return the figure that ``draw`` makes as the bytes of a file, in Matplotlib's default style.

    ``letters``: the font size in points; ``settings``: further ``rcParams``.
    """
    from matplotlib import rc_context, style

    file = BytesIO()
    parameters: RcParams = {"svg.hashsalt": "crtools", "pdf.fonttype": 42, "font.size": letters, **(settings or {})}
    with style.context("default"), rc_context(parameters):
        write(draw(), file, kind, dpi)
    return file.getvalue()


IN_HTML: RcParams = {
    "svg.fonttype": "none", "font.family": ["sans-serif"], "font.sans-serif": ["DejaVu Sans"],
    "xtick.major.size": 0, "ytick.major.size": 0,
}  # fmt: skip
"""Text stays text, so that letters are not drawn as paths; tick marks would be definitions with an ``id`` each."""

UNNEEDED = re.compile(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</style>\s*</defs>|<!--.*?-->", re.DOTALL)


def inline_svg(draw: Callable[[], Figure], attributes: str) -> str:
    """Return a figure as a short SVG element that can stand in HTML: it brings no style sheet and has no fixed size."""
    text = UNNEEDED.sub("", written(draw, "svg", settings=IN_HTML).decode("utf-8"))
    head, body = re.fullmatch(r".*?<svg([^>]*)>(.*)</svg>\s*", text, re.DOTALL).groups()  # type: ignore[union-attr]
    view = re.search(r'viewBox="[^"]*"', head)
    body = re.sub(r'<g id="[^"]*"/>| transform="rotate\(-0 [^)]*\)"', "", body)  # an empty <g/> is not valid in HTML
    body = re.sub(r'<g id="[^"]*">', "<g>", body)
    body = re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), body)
    body = re.sub(r"\s+", " ", body).replace("> <", "><").strip()
    return f"<svg {attributes} {view[0] if view else ''}>{body}</svg>"
