"""A certificate as a document: its fields, its digest, its file.

Fractions are strings in lowest terms, instances and schedules integers, polynomials lists [[coefficient, exponents], …].
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

FORMAT = 2

Data = dict[str, Any]
"""JSON data of an object."""


def document(id: str, level: str, status: str, given: dict[str, str], evidence: Data) -> Data:
    """Return a certificate with its digest: SHA-256 of the rest, keys sorted, no spaces, ASCII."""
    rest: Data = {
        "format": FORMAT,
        "id": id,
        "level": level,
        "status": status,
        "given": given,
        "evidence": evidence,
    }
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "digest": hashlib.sha256(text.encode()).hexdigest()}


def file_name(id: str, level: str) -> str:
    """Return the name of a certificate's file."""
    return f"{id}.{level}.json"


def write_atomically(path: Path, data: Data) -> None:
    """Write a JSON file under a temporary name and rename it; ``OSError`` where that is not possible."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, indent=1)
            file.write("\n")
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
