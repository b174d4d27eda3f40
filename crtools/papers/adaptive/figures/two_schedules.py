"""The smallest instance on which H-SF is not optimal: four requests, both schedules as memory over time."""

from __future__ import annotations

from typing import Any, BinaryIO

from crtools.plotting.canvas import write_png
from crtools.plotting.figure import Figure, columns
from crtools.plotting.occupancy import of_schedule
from crtools.plotting.occupancy_axes import side_by_side
from crtools.process import optimum, simulate
from crtools.schedule import Schedule

LENGTHS, PROMPT, MEMORY = (1, 1, 3, 3), 1, 5
"""The instance that the claim hsf-lower finds."""


def two_schedules() -> Figure:
    """Run H-SF and find the optimum, and return the figure."""
    found = {
        "H-SF": simulate("h-sf", LENGTHS, MEMORY, PROMPT).schedule,
        "optimum": optimum(LENGTHS, MEMORY, PROMPT).schedule,
    }
    rows = [row for name, plan in found.items() for row in _rows(name, plan)]
    fits = {
        name: {"text": f"total latency {plan.total_latency}", "total_latency": plan.total_latency}
        for name, plan in found.items()
    }
    notes = {"memory": MEMORY, "s": PROMPT, "lengths": list(LENGTHS)}
    return Figure("hsf-lower", columns(rows), lambda file: _draw(file, found), fits, notes)


def _rows(name: str, plan: Schedule) -> list[dict[str, Any]]:
    columns = zip(plan.starts, plan.lengths, plan.completions, strict=True)
    return [{"schedule": name, "request": i, "start": p, "length": o, "end": e} for i, (p, o, e) in enumerate(columns)]


def _draw(file: BinaryIO, found: dict[str, Schedule]) -> None:
    page = side_by_side([of_schedule(name, plan, MEMORY) for name, plan in found.items()])
    first, second = (plan.total_latency for plan in found.values())
    page.suptitle(
        f"Four requests, memory {MEMORY}: H-SF's total latency is {first}, the optimum's {second}\n"
        f"a request holds its prompt ({PROMPT} token, darker) and one token more at each step",
        fontsize=11,
    )
    write_png(page, file)
