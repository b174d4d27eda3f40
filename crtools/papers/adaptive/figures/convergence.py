"""Simulated total latency over the paper's form, as the memory and the number of batches per class grow.

docs/model.md states its ranges; test_figures.py and test_policies.py read the committed figures/convergence.csv.
"""

from collections.abc import Iterable
from functools import partial
from itertools import product
from math import log
from typing import Any

import numpy as np

from crtools.distributions import distribution
from crtools.forms import form_describing, form_given_for
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.compare import compare
from crtools.process.measures import Mean, form_value
from crtools.process.sweep import Progress
from crtools.ratios.ratio import ratio

LAWS = {
    "geometric": "geometric(q=9/10)",
    "linear-geometric": "linear-geometric(q=4/5)",
    "uniform": "uniform(l=1, u=20)",
    "two-point": "two-point(l=1, u=10, weight=3/4)",
    "harmonic": "harmonic(u=50)",
}
"""One law of each kind that the claims speak of."""

SIZES = ((300, 3_000, 4), (670, 9_500, 3), (1_500, 30_000, 2), (3_350, 95_000, 1), (7_500, 300_000, 1))
"""(M, n, seeds): n/M, to which the batches per length class are proportional, grows from 10 to 40, by about √2 in each step."""

GUIDE = 0.3
"""Where the line of slope −1/2 begins, at the least memory."""

POLICIES = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort", "a-ell")
PANELS = (
    ("h-sf", "tel_over_form"), ("a-min-cohort", "tel_over_form"),
    ("a-ell", "tel_over_form"), ("a-max", "tel_over_form"),
    ("a-random", "tel_over_form"), ("a-random", "tel_over_area_form"),
    ("a-min-literal", "tel_over_form"), ("a-min-literal", "tel_over_area_form"),
)  # fmt: skip
"""What each panel shows, row by row: a policy, and the form that its latency is divided by."""

MARKERS = dict(zip(LAWS, "os^Dv", strict=True))
LINES = ("-", ":", "--", "-.")
"""How a law and a prompt size are drawn."""


def convergence(progress: Progress, s: tuple[int, ...]) -> Figure:
    """Run every policy under every law and size and return the figure."""
    rows: list[JsonObject] = []
    tasks = [(name, size, policy) for name in LAWS for size in s for policy in POLICIES]
    for name, size, policy in progress([t for t in tasks if t[2] != "a-ell" or t[0] == "two-point"]):
        law, of_paper, area_form = distribution(LAWS[name]), form_given_for(policy), form_describing(policy)
        assert of_paper is not None
        expected = ratio(of_paper, law, size).value if law.finite or policy != "a-max" else None
        for memory, n, seeds in SIZES:
            compared = compare(policy, law, n=n, memory=memory, s=size, seeds=seeds)
            assert compared.to_form is not None
            area = None
            if area_form not in (None, of_paper):
                forms = (form_value(area_form, r.lengths, memory, size, r.lower, r.upper) for r in compared.runs)
                area = Mean.of([r.total_latency / value for r, value in zip(compared.runs, forms, strict=True)]).mean
            ratio_of_runs = compared.to_h_sf.mean
            rows.append({
                "law": name, "s": size, "policy": policy, "form": of_paper.name, "M": memory, "n": n, "seeds": seeds,
                "tel_over_form": compared.to_form.mean, "tel_over_area_form": area, "ratio_simulated": ratio_of_runs,
                "ratio_of_forms": expected, "ratio_simulated_over_forms": expected and ratio_of_runs / expected,
            })  # fmt: skip
    last = where(rows, M=SIZES[-1][0])
    numbers = {
        policy: {
            "text": "TEL over its form at the largest size: "
            + ", ".join(f"{r['law']} s={r['s']} {r['tel_over_form']:.3f}" for r in where(last, policy=policy)),
            "slopes": _slopes(where(rows, policy=policy)),
        }
        for policy in POLICIES
    }
    notes = {"laws": LAWS, "sizes": [list(x) for x in SIZES]}
    return Figure("convergence", columns(rows), partial(_draw, rows=rows), numbers, notes)


def _slopes(rows: list[JsonObject]) -> dict[str, float]:
    """Return, by law and prompt size, the slope of log |TEL/form − 1| over log M from the least memory to the largest."""
    extremes = [where(rows, M=SIZES[index][0]) for index in (0, -1)]
    slopes: dict[str, float] = {}
    for first, last in zip(*extremes, strict=True):
        errors = [abs(r["tel_over_form"] - 1) for r in (first, last)]
        if min(errors) > 0:
            slopes[f"{first['law']} s={first['s']}"] = log(errors[1] / errors[0]) / log(last["M"] / first["M"])
    return slopes


def _draw(sheet: Sheet, rows: list[JsonObject]) -> Any:
    page = sheet.canvas(8.4, 10.6)
    axes: Any = page.subplots(len(PANELS) // 2, 2, sharex=True, sharey=True)
    for axis, (policy, column) in zip(axes.flat, PANELS, strict=True):
        _panel(axis, where(rows, policy=policy), policy, column)
    for axis in axes.flat:
        axis.set(xlabel="memory $M$ (tokens)", ylabel="|total latency / form − 1|")
        axis.label_outer()
    title = (
        r"H-SF, the cohort $\mathcal{A}_{\min}$ and $\mathcal{A}_\ell$ approach the paper's form $\frac{n^2}{2M}\,x^\top N x$;"
        "\n"
        r"$\mathcal{A}_{\mathrm{random}}$ and the literal $\mathcal{A}_{\min}$ approach their area forms except under two-point laws;"
        "\n"
        r"$\mathcal{A}_{\max}$ stays below its form"
    )
    return sheet.finished(page, title, _legend(dict.fromkeys(r["s"] for r in rows)))


def _panel(axis: Any, rows: list[JsonObject], policy: str, column: str) -> None:
    look = LOOKS[policy]
    memories = np.array([m for m, _, _ in SIZES])
    axis.plot(memories, GUIDE * (memories / memories[0]) ** -0.5, color="0.6", lw=3, alpha=0.5)
    for law, (index, s) in product(LAWS, enumerate(dict.fromkeys(r["s"] for r in rows))):
        points = where(rows, law=law, s=s)
        axis.plot(
            [r["M"] for r in points], [abs(r[column] - 1) for r in points], marker=MARKERS[law], ls=LINES[index],
            color=look.colour, ms=5.5, lw=1.2, mfc=look.colour if index == 0 else "white",
        )  # fmt: skip
    axis.set(xscale="log", yscale="log")
    axis.set_xticks(memories, [str(m) for m in memories])
    axis.minorticks_off()
    axis.grid(alpha=0.25)
    over = "its area form" if column == "tel_over_area_form" else "its form in the paper"
    axis.set_title(f"{look.label}, over {over}", fontsize="medium")


def _legend(sizes: Iterable[int]) -> list[Any]:
    """Say what the markers (laws) and the lines (prompt sizes) are; a policy's name heads its panel."""
    from matplotlib.lines import Line2D

    laws = [Line2D([], [], marker=MARKERS[name], ls="", color="0.35", label=LAWS[name]) for name in LAWS]
    prompts = [
        Line2D([], [], marker="o", ls=LINES[n], color="0.35", mfc="0.35" if n == 0 else "white", label=f"$s = {s}$")
        for n, s in enumerate(sizes)
    ]
    return [*laws, *prompts, Line2D([], [], color="0.6", lw=3, alpha=0.5, label=r"slope $-\frac{1}{2}$")]
