"""Average latency, and total latency over the volume bound, against the memory, of every policy that fits a law."""

from functools import partial
from typing import Any

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS, Look
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.compare import compare
from crtools.process.sweep import Progress

SEEDS = 3

OTHERS = ("#00441B", "#332288")
"""For policies that have no look of their own."""


def latency(progress: Progress, law: Any, memory: tuple[int, ...], s: int, n: int) -> Figure:
    """Run all policies at each memory on the same requests and return the figure.

    Raises ``InputError`` where a request does not fit the least memory.
    """
    compared = compare(None, law, memory=list(memory), n=n, s=s, seeds=SEEDS, progress=progress)
    rows: list[JsonObject] = []
    for cell in compared.cells:
        ratio, mean = cell.mean("to_volume"), cell.mean("mean_latency")
        if ratio is None or mean is None:
            continue
        low, high = ratio.interval or (None, None)
        rows.append({
            "policy": cell.policy, "blind": cell.blind, "M": cell.memory, "to_volume": ratio.mean, "low": low, "high": high,
            "mean_latency": mean.mean,
        })  # fmt: skip
    fits = {f"M = {m}": {"text": f"best blind policy: {policy}"} for m, policy in compared.best_blind.items()}
    notes = {"law": compared.name, "n": n, "s": s, "seeds": SEEDS}
    return Figure("latency", columns(rows), partial(_draw, rows=rows, notes=notes), fits, notes)


def _draw(sheet: Sheet, rows: list[JsonObject], notes: JsonObject) -> Any:
    page = sheet.canvas(9.6, 4.6)
    average, relative = page.subplots(1, 2, sharex=True)
    for index, policy in enumerate(dict.fromkeys(r["policy"] for r in rows)):
        points = columns(where(rows, policy=policy))
        look = LOOKS.get(policy, Look(policy, OTHERS[index % len(OTHERS)], marker="h"))
        line, mark = ("-", "") if points["blind"][0] else ("--", " (not blind)")
        style: Any = {"data": points, "color": look.colour, "ls": line, "marker": look.marker, "ms": 5, "lw": 1.4}
        average.plot("M", "mean_latency", label=look.label + mark, **style)
        relative.plot("M", "to_volume", **style)
        if points["low"][0] is not None:
            relative.fill_between("M", "low", "high", data=points, color=look.colour, alpha=0.15, lw=0)
    relative.axhline(1, color="black", lw=0.8)
    for axis, name in ((average, "average latency (steps)"), (relative, "total latency / volume bound")):
        axis.set(xscale="log", yscale="log", xlabel="memory $M$ (tokens)", ylabel=name)
        axis.grid(alpha=0.25, which="both")
    named = list(dict.fromkeys(r["M"] for r in rows))[:: 2 if sheet.narrow else 1]
    relative.set_xticks(named, [str(m) for m in named])
    top = max(r["to_volume"] for r in rows)
    ticks = [t for t in (1, 1.2, 1.5, 2, 3, 4, 5, 7, 10, 20, 50) if t <= 1.1 * top]
    relative.set_yticks(ticks, [f"{t:g}" for t in ticks])
    relative.yaxis.minorticks_off()
    average.xaxis.minorticks_off()
    run = f"{notes['law']}, $n={notes['n']}$, $s={notes['s']}$, {notes['seeds']} seeds"
    return sheet.finished(page, f"Latency against memory: {run}\nno schedule is below the volume bound", average)
