"""Figures for the report: drawn ones are taken from a folder and embedded; none is computed here."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from crtools.errors import InputError

FOR_CLAIM = {
    "fig-log-fit": "log-fit",
    "thm-log": "log-fit",
    "geometric": "geometric",
    "thm-two-point": "two-point",
    "thm-aell": "two-point",
    "switch": "two-point",
    "lem-amin": "convergence",
    "thm-random": "convergence",
}
"""Claims and the figures that show them. Besides, a figure whose name is a claim's id belongs to that claim."""

BUDGET = 1_600_000
"""Bytes of PNG that a page takes at most; figures beyond it are named and left out."""


@dataclass(frozen=True)
class Figures:
    """PNG files by figure name, ready to be embedded, and the names that were wanted and are not there."""

    png: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    missing: tuple[str, ...] = ()

    def of(self, claim: str) -> str:
        """Return the name of a claim's figure, empty where there is none."""
        name = FOR_CLAIM.get(claim, claim)
        return name if name in self.png else ""

    def uri(self, name: str) -> str:
        """Return a figure as a data URI."""
        return "data:image/png;base64," + base64.b64encode(self.png[name]).decode("ascii")


def read_figures(claims: Iterable[str], folder: str | Path | None) -> Figures:
    """Return the claims' figures that lie in a folder as PNG; None or a missing folder has none of them.

    Raises ``InputError`` where a file of that name is no PNG or cannot be read.
    """
    png: dict[str, bytes] = {}
    missing: list[str] = []
    named = [(FOR_CLAIM.get(claim, claim), claim in FOR_CLAIM) for claim in claims]
    for name, wanted in dict(named).items():
        path = None if folder is None else Path(folder) / f"{name}.png"
        if path is None or not path.is_file():
            missing += [name] if wanted else []
            continue
        data = _read(path)
        if sum(map(len, png.values())) + len(data) > BUDGET:
            missing.append(name)
        else:
            png[name] = data
    return Figures(png, tuple(missing))


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError("figures", str(path), f"must be a readable PNG file ({error.strerror})") from None
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise InputError("figures", str(path), "must be a PNG file")
    return data
