"""Results that take long, kept as JSON until a source changes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "docs"

sys.path.insert(0, str(ROOT))  # the pages speak of the sources beside them, whatever else is installed


def kept(name: str, compute: Callable[[], Any], *sources: Path) -> Any:
    """Return ``compute()`` (JSON data), or what it was while crtools and the given files had the same contents."""
    digest = sha256()
    for path in [*sorted((ROOT / "crtools").rglob("*.py")), *sorted(Path(__file__).parent.glob("*.py")), *sources]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    target = FOLDER / f"{name}-{digest.hexdigest()[:16]}.json"
    if target.exists():
        return json.loads(target.read_text(encoding="utf-8"))
    found = compute()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob(f"{name}-*.json"):
        old.unlink()
    handle, part = tempfile.mkstemp(dir=FOLDER)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(found, file, ensure_ascii=False)
    os.replace(part, target)
    return found
