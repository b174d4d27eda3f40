"""Figures for the report, read from a folder, reduced and embedded; none is computed here."""

import base64
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crtools.errors import InputError
from crtools.plotting.figure import Drawing

COLOURS, WIDEST = 32, 640
"""Of an embedded figure (pixels): lines and letters on white need no more, if the colours are chosen far apart."""


@dataclass(frozen=True)
class Figures:
    """PNG files by figure name, ready to be embedded, what they show, and the names that were wanted and are not there."""

    png: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    drawings: Mapping[str, Drawing] = field(default_factory=dict[str, Drawing])
    missing: tuple[str, ...] = ()

    def of(self, claim: str) -> str:
        """Return the name of a claim's figure, empty where there is none."""
        return next((name for name in self.png if claim in self.drawings[name].beside), "")

    def uri(self, name: str) -> str:
        """Return a figure as a data URI."""
        return "data:image/png;base64," + base64.b64encode(self.png[name]).decode("ascii")


def read_figures(drawings: Mapping[str, Drawing], claims: Iterable[str], folder: str | Path | None) -> Figures:
    """Return the claims' figures that lie in a folder as PNG; None or a missing folder has none of them.

    Raises ``InputError`` where a file of that name is no PNG or cannot be read.
    """
    ids = set(claims)
    wanted = [name for name, drawing in drawings.items() if ids & set(drawing.beside)]
    paths = {} if folder is None else {name: Path(folder) / f"{name}.png" for name in wanted}
    png = {name: _read(path) for name, path in paths.items() if path.is_file()}
    return Figures(png, drawings, tuple(name for name in wanted if name not in png))


def _read(path: Path) -> bytes:
    """Return a PNG with few pixels and few colours."""
    from PIL import Image

    target = io.BytesIO()
    try:
        with Image.open(path, formats=["PNG"]) as image:
            small = image.convert("RGB")
            small.thumbnail((WIDEST, 2 * WIDEST))
            reduced = small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            reduced.save(target, "PNG", optimize=True)
    except (OSError, SyntaxError) as error:
        raise InputError("figures", str(path), f"must be a readable PNG file ({error})") from None
    return target.getvalue()
