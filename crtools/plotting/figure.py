"""A figure as data, and how it is saved: all files appear at once or not at all."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crtools.errors import InputError


@dataclass(frozen=True)
class Figure:
    """A figure: ``data`` (columns of equal length), ``fits`` and other numbers, and how it is drawn.

    ``draw(path)`` writes a PNG. ``notes`` holds what belongs in the JSON beside it.
    """

    name: str
    data: Mapping[str, Sequence[Any]]
    draw: Callable[[Path], None]
    fits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    notes: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def save(self, folder: str | Path = "figures") -> dict[str, Path]:
        """Write name.png, name.csv and name.json into ``folder`` and return their paths.

        The folder is made if it is missing. Raises ``InputError`` where it cannot be written; nothing half-written
        is left behind.
        """
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target, prefix=".part-") as part:
                paths = {kind: Path(part) / f"{self.name}.{kind}" for kind in ("png", "csv", "json")}
                self.draw(paths["png"])
                self._write_csv(paths["csv"])
                paths["json"].write_text(
                    json.dumps(self.as_json(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
                )
                for path in paths.values():
                    os.replace(path, target / path.name)
        except OSError as error:
            raise InputError("out", str(folder), f"must be a folder that can be written ({error.strerror})") from None
        return {kind: target / f"{self.name}.{kind}" for kind in ("png", "csv", "json")}

    def as_json(self) -> dict[str, Any]:
        """Return the fits and notes as JSON data."""
        return {"name": self.name, "fits": dict(self.fits), **self.notes}

    def _write_csv(self, path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self.data.keys())
            writer.writerows(zip(*self.data.values(), strict=True))
