"""All that two engines must agree on."""

from __future__ import annotations

from typing import Any

from crtools import Policy
from crtools.process import Livelock, Run, simulate


def record(run: Run) -> list[list[int]]:
    """The columns of what was cancelled, in its order."""
    assert run.cancelled is not None
    return [column.tolist() for column in vars(run.cancelled).values()]


def episodes(run: Run) -> list[tuple[int, int, int]]:
    """Every (start, end, request), in order."""
    columns = (run.episodes.start, run.episodes.end, run.episodes.request)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def everything(policy: Policy, instance: dict[str, Any], engine: Any, limit: int | None) -> Any:
    """The run of a policy, whole, or that it did not end."""
    try:
        run = simulate(policy, **instance, engine=engine, limit=limit, history=True)
    except Livelock as error:
        return str(error)
    used = (run.total_latency, run.wasted_tokens, run.peak_memory, run.mean_memory)
    return episodes(run), record(run), run.bounds.tolist(), used
