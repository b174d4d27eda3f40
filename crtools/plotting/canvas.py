"""Where figures are drawn: Matplotlib without a window, and files that hold nothing but the picture, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, BinaryIO

FORMATS = ("svg", "pdf", "png")
"""The formats of a file."""

NOTHING: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What Matplotlib would write into a file beside the picture: a time, a version."""


def canvas(width: float, height: float) -> Any:
    """Return an empty Matplotlib figure of this size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def write(drawn: Any, file: BinaryIO, kind: str = "png", dpi: int = 130) -> None:
    """Write a figure in one of ``FORMATS``, without a time or a version; letters in a PDF are TrueType."""
    drawn.savefig(file, format=kind, dpi=dpi, metadata=NOTHING[kind])


def written(draw: Callable[[], Any], kind: str, dpi: int = 130, letters: float = 10.0) -> bytes:
    """Return what ``draw`` returns as the bytes of a file, in Matplotlib's own style with letters of so many points."""
    from matplotlib import rc_context, style

    file = BytesIO()
    own: Any = {"svg.hashsalt": "crtools", "pdf.fonttype": 42, "font.size": letters}
    with style.context("default"), rc_context(own):
        write(draw(), file, kind, dpi)
    return file.getvalue()
