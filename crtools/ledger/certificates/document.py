"""A certificate as a document: its fields, its digest, its file.

Fractions are strings in lowest terms, instances and schedules integers.
"""

from __future__ import annotations

import json
from typing import Any

from check.command import FORMAT, digest

__all__ = ["FORMAT", "Data", "file_name", "signed", "text"]

Data = dict[str, Any]
"""JSON data of an object."""


def signed(rest: Data) -> Data:
    """Return a certificate with its digest, as the judge computes it."""
    return {**rest, "digest": digest(rest)}


def file_name(id: str, level: str) -> str:
    """Return the name of a certificate's file."""
    return f"{id}.{level}.json"


def text(certificate: Data) -> str:
    """Return a certificate as the text of its file."""
    return json.dumps(certificate, ensure_ascii=False, indent=1) + "\n"
