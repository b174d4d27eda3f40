"""The figure ``hsf-lower``: H-SF's schedule and the optimal one of an instance, as memory over time.

The default instance, the smallest on which H-SF is not optimal, is set in ``crtools/papers/adaptive/figures/__init__.py``.
"""

from functools import partial
from typing import Any

from crtools.plotting.figure import Figure, columns
from crtools.plotting.occupancy import side_by_side
from crtools.plotting.sheet import Sheet
from crtools.process import optimum, simulate
from crtools.process.sweep import Progress
from crtools.schedule import Schedule

WORDS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}


def two_schedules(_: Progress, lengths: tuple[int, ...], memory: int, s: int) -> Figure:
    """Run H-SF and find the optimum, and return the figure. Raises ``InputError`` where a request does not fit."""
    schedules = {"H-SF": simulate("h-sf", lengths, memory, s).schedule, "optimum": optimum(lengths, memory, s).schedule}
    rows = [
        {"schedule": name, "request": i, "start": start, "length": length, "end": start + length}
        for name, plan in schedules.items()
        for i, (start, length) in enumerate(zip(plan.starts, plan.lengths, strict=True))
    ]
    fits = {
        name: {"text": f"total latency {plan.total_latency}", "total_latency": plan.total_latency}
        for name, plan in schedules.items()
    }
    notes = {"memory": memory, "s": s, "lengths": list(lengths)}
    return Figure("hsf-lower", columns(rows), partial(_draw, schedules=schedules, memory=memory, s=s), fits, notes)


def _draw(sheet: Sheet, schedules: dict[str, Schedule], memory: int, s: int) -> Any:
    page = side_by_side([plan.plot(memory, name) for name, plan in schedules.items()], sheet.size)
    first, second = (plan.total_latency for plan in schedules.values())
    prompt = f"its prompt ({s} token{'' if s == 1 else 's'}, darker) and " if s else ""
    number = len(next(iter(schedules.values())).lengths)
    requests = f"{WORDS.get(number, number)} requests, memory {memory}"
    return sheet.finished(
        page,
        f"{requests}: H-SF's total latency is {first}, the optimum's {second}\na request holds {prompt}one token more at each step",
    )
