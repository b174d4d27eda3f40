"""A certificate as a document: its fields, its digest, its file.

Fractions are strings in lowest terms, instances and schedules integers.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

FORMAT = 4

Data = dict[str, Any]
"""JSON data of an object."""


def signed(rest: Data) -> Data:
    """Return a certificate with its digest: SHA-256 of the rest, keys sorted, no spaces, ASCII."""
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "digest": hashlib.sha256(text.encode()).hexdigest()}


def file_name(id: str, level: str) -> str:
    """Return the name of a certificate's file."""
    return f"{id}.{level}.json"


def text(certificate: Data) -> str:
    """Return a certificate as the text of its file."""
    return json.dumps(certificate, ensure_ascii=False, indent=1) + "\n"
