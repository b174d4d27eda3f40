"""Where figures are drawn: Matplotlib without a window, and PNG files that hold nothing but the picture."""

from __future__ import annotations

from typing import Any, BinaryIO


def canvas(width: float, height: float) -> Any:
    """Return an empty Matplotlib figure of this size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def write_png(drawn: Any, file: BinaryIO, dpi: int = 130) -> None:
    """Write a PNG without the version of what wrote it."""
    drawn.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
