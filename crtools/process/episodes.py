"""The whole history of a run: every stretch for which a request ran, those that ended in a cancellation included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from crtools.process.instance import Cancelled


@dataclass(frozen=True)
class Episodes:
    """Columns, one row for each start: the request, the instant it started at, the instant it left at.

    A request that started at p and left at e was processed in the steps p, …, e − 1 and held s + (t − p) tokens at
    the instants t = p + 1, …, e. It completed if it left at p + o, else it was cancelled then.
    """

    request: Any
    start: Any
    end: Any

    @classmethod
    def of(cls, starts: Any, lengths: Any, cancelled: Cancelled) -> Episodes:
        """Join the last episode of each request with the cancelled ones."""
        request = np.concatenate([cancelled.request, np.arange(len(starts))])
        start = np.concatenate([cancelled.start, starts])
        return cls(request, start, np.concatenate([cancelled.start + cancelled.age, starts + lengths]))
