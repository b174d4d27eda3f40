"""The figure of an experiment: average latency against the number of requests, a panel for each prediction and step time."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS, Look
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet

UNITS = {"affine": "seconds", "unit": "steps"}

PAPER = "paper"
"""The name of the lengths that are calibrated to the published figures of the paper's sample."""

LEGEND_ORDER = ("h-sf", "a-min-literal", "a-min-cohort", "a-max", "a-max-random-order", "a-random")
"""The policies that come first in the legend, in its order."""

TITLES = {
    1: "Experiment 1: every interval is [1, 1000]",
    2: "Experiment 2: ten buckets [1, 100], …, [901, 1000]",
    3: r"Experiment 3: intervals $[(1-x)o,\,(1+x)o]$",
}


def experiment_panels(
    number: int, rows: Sequence[JsonObject], policies: Sequence[str], memory: int, notes: JsonObject
) -> Figure:
    """Return the figure of an experiment's ``rows``: means over seeds by prediction, step time, n and policy."""
    predictions, steps = (list(dict.fromkeys(row[name] for row in rows)) for name in ("prediction", "step"))
    others = [p for p in policies if p != "h-sf"] if "h-sf" in policies else []
    fits: JsonObject = {}
    for label, policy in product(predictions, others):
        ratios = {
            step: [r["over_h_sf"] for r in where(rows, prediction=label, step=step, policy=policy)] for step in steps
        }
        text = "; ".join(f"{step} steps {min(v):.3f} to {max(v):.3f}" for step, v in ratios.items())
        fits[f"{label}, {policy}"] = {"text": f"average latency over H-SF's, over n: {text}"}
    ordered = [*(p for p in LEGEND_ORDER if p in policies), *(p for p in policies if p not in LEGEND_ORDER)]
    title = _title(number, rows, ordered, memory, str(notes["lengths"]))
    draw = partial(_draw, rows=rows, predictions=predictions, policies=ordered, title=title)
    return Figure(f"exp-{number}", columns(rows), draw, fits, notes)


def _look(policy: str, number: int) -> Look:
    return LOOKS.get(policy, Look(policy, f"C{number % 10}"))


def _draw(
    sheet: Sheet, rows: Sequence[JsonObject], predictions: Sequence[str], policies: Sequence[str], title: str
) -> Any:
    from matplotlib.ticker import LogLocator, NullFormatter

    steps = [step for step in UNITS if where(rows, step=step)]
    panels = [(label, step) for step in steps for label in predictions]
    several = len(predictions) > 1
    page = sheet.canvas(12.5, 7.8) if several else sheet.canvas(11, 5.1)
    axes: Any = page.subplots(
        len(steps) if several else 1,
        len(predictions) if several else len(steps),
        sharex=True,
        sharey="row" if several else False,
        squeeze=False,
    )
    for axis, (label, step) in zip(axes.flat, panels, strict=True):
        for number, policy in enumerate(policies):
            name, colour, line, marker = _look(policy, number)
            points = where(rows, prediction=label, step=step, policy=policy)
            n = [r["n"] for r in points]
            axis.plot(
                n, [r["mean_latency"] for r in points], color=colour, ls=line, marker=marker, ms=4, lw=1.5, label=name
            )
            if all(r["lower"] is not None for r in points):
                axis.fill_between(
                    n, [r["lower"] for r in points], [r["upper"] for r in points], color=colour, alpha=0.15, lw=0
                )
        axis.set_title(f"{label}, {step} step time" if several else f"{step} step time", fontsize="medium")
        axis.set_ylabel(f"average latency ({UNITS[step]})")
        axis.grid(alpha=0.25)
    for axis in axes.flat:
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_formatter(NullFormatter())
    for axis in axes[-1]:
        axis.set_xlabel("number of requests $n$")
    over = _over_h_sf(rows, policies)
    handles, _ = axes[0, 0].get_legend_handles_labels()
    labels = {policy: _look(policy, number).label for number, policy in enumerate(policies)}
    sheet.legend(page, handles, [f"{label} ({over[p]})" if p in over else label for p, label in labels.items()])
    sheet.title(page, title)
    return page


def _title(number: int, rows: Sequence[JsonObject], policies: Sequence[str], memory: int, lengths: str) -> str:
    over, literal = _over_h_sf(rows, policies), LEGEND_ORDER[1]
    takes = f"; {LOOKS[literal].label}, takes {over[literal]} times H-SF's latency" if literal in over else ""
    source = "lengths with the paper's published figures" if lengths == PAPER else f"lengths {lengths}"
    bands = ", bands: 95 %" if rows[0]["lower"] is not None else ""
    step = "steps" if where(rows, step="unit") else "seconds"
    brackets = f"in brackets: times H-SF's at $n={_largest_n(rows)}$, in {step}; " if over else ""
    return f"{TITLES[number]}{takes}\n{brackets}{source}, $M={memory}${bands}"


def _largest_n(rows: Sequence[JsonObject]) -> int:
    return max(r["n"] for r in rows)


def _over_h_sf(rows: Sequence[JsonObject], policies: Sequence[str]) -> dict[str, str]:
    """Return what the policies' latencies are over H-SF's at the largest n: a number, or the ends of several.

    In unit steps where they ran, and empty where H-SF did not run.
    """
    step = "unit" if where(rows, step="unit") else "affine"
    texts: dict[str, str] = {}
    for policy in (p for p in policies if p != "h-sf" and "h-sf" in policies):
        ratios = [r["over_h_sf"] for r in where(rows, policy=policy, step=step, n=_largest_n(rows))]
        texts[policy] = "–".join(dict.fromkeys(f"{end:.2f}" for end in (min(ratios), max(ratios))))
    return texts
