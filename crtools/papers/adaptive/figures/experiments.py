"""The paper's experiments 1, 2 and 3: average latency against the number of requests, with both step times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS
from crtools.papers.adaptive.workloads.experiments import A_MAX_RANDOM_ORDER, MEMORY, OF_THE_PAPER, experiment
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

LAW = "paper"
"""The lengths that are drawn: calibrated to the published figures of the paper's sample."""

UNITS = {"affine": "seconds", "unit": "steps"}

SHOWN = ("h-sf", "a-min-literal", "a-min-cohort", "a-max", A_MAX_RANDOM_ORDER.name, "a-random")
"""The policies in the order of the legend."""

TITLES = {
    1: "Experiment 1: every interval is [1, 1000]",
    2: "Experiment 2: ten buckets [1, 100], …, [901, 1000]",
    3: r"Experiment 3: intervals $[(1-x)o,\,(1+x)o]$",
}


def experiment_figure(number: int, progress: Progress = iter) -> Figure:
    """Run one experiment and return its figure.

    Where intervals differ, A_max with all requests in random order is drawn as well: the other reading of
    Algorithm 1.
    """
    policies = OF_THE_PAPER if number == 1 else (*OF_THE_PAPER, A_MAX_RANDOM_ORDER.name)
    result = experiment(number, LAW, policies=policies, progress=progress)
    rows = [_row(summary) for summary in result.summaries()]
    fits: JsonObject = {}
    for label, policy in product(result.predictions, policies[1:]):
        ratios = {
            step: [r["over_h_sf"] for r in where(rows, prediction=label, step=step, policy=policy)] for step in UNITS
        }
        text = "; ".join(f"{step} steps {min(v):.3f} to {max(v):.3f}" for step, v in ratios.items())
        fits[f"{label}, {policy}"] = {"text": f"average latency over H-SF's, over n: {text}"}
    notes = {"lengths": result.law.name, "source": result.law.source, "memory": MEMORY, "seeds": list(result.seeds)}
    draw = partial(_draw, number=number, rows=rows, predictions=result.predictions, policies=policies)
    return Figure(f"exp-{number}", columns(rows), draw, fits, notes)


def _row(summary: Any) -> JsonObject:
    row = {name: getattr(summary, name) for name in ("prediction", "step", "n", "policy")}
    latency, ratio = summary.latency, summary.to_h_sf
    low, high = latency.interval or (None, None)
    row |= {"mean_latency": latency.mean, "lower": low, "upper": high}
    low, high = ratio.interval or (None, None)
    return row | {"over_h_sf": ratio.mean, "over_lower": low, "over_upper": high}


def _draw(
    sheet: Sheet, number: int, rows: Sequence[JsonObject], predictions: Sequence[str], policies: Sequence[str]
) -> Any:
    from matplotlib.ticker import LogLocator, NullFormatter

    panels = [(label, step) for step in UNITS for label in predictions]
    several = len(predictions) > 1
    page = sheet.canvas(12.5, 7.8) if several else sheet.canvas(11, 5.1)
    axes: Any = page.subplots(
        2 if several else 1,
        len(predictions) if several else 2,
        sharex=True,
        sharey="row" if several else False,
        squeeze=False,
    )
    for axis, (label, step) in zip(axes.flat, panels, strict=True):
        for policy in (p for p in SHOWN if p in policies):
            name, colour, line, marker = LOOKS[policy]
            points = where(rows, prediction=label, step=step, policy=policy)
            n = [r["n"] for r in points]
            axis.plot(
                n, [r["mean_latency"] for r in points], color=colour, ls=line, marker=marker, ms=4, lw=1.5, label=name
            )
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
    names = [f"{LOOKS[p].label} ({over[p]})" if p in over else LOOKS[p].label for p in SHOWN if p in policies]
    sheet.legend(page, handles, names)
    literal = SHOWN[1]
    sheet.title(
        page,
        f"{TITLES[number]}; {LOOKS[literal].label}, takes {over[literal]} times H-SF's latency\n"
        f"in brackets: times H-SF's at $n={_largest_n(rows)}$, in steps; lengths with the paper's published figures, $M={MEMORY}$, "
        "bands: 95 %",
    )
    return page


def _largest_n(rows: Sequence[JsonObject]) -> int:
    return max(r["n"] for r in rows)


def _over_h_sf(rows: Sequence[JsonObject], policies: Sequence[str]) -> dict[str, str]:
    """Return what the policies' latencies are over H-SF's at the largest n, in unit steps: a number, or the ends of several."""
    texts: dict[str, str] = {}
    for policy in (p for p in SHOWN[1:] if p in policies):
        ratios = [r["over_h_sf"] for r in where(rows, policy=policy, step="unit", n=_largest_n(rows))]
        texts[policy] = "–".join(dict.fromkeys(f"{end:.2f}" for end in (min(ratios), max(ratios))))
    return texts
