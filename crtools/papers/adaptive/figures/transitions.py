"""Transitions of both A_min's against Lemma "deletion" and Proposition "state_transition"."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.figures.style import LOOKS
from crtools.papers.adaptive.policies.transitions import transitions
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.sweep import Progress

LAWS = (("uniform(l=1, u=6)", 1), ("two-point(l=1, u=6, weight=1/4)", 1), ("geometric(q=4/5)", 5))
"""(law, s): one that settles, one that does not, one with unbounded support."""

POLICIES = ("a-min-literal", "a-min-cohort")
MEMORY, REQUESTS, SEEDS = 1200, 60_000, 4

FEWEST_STARTS = 400
"""Ratios of fewer starts are in the CSV and not in the picture."""


def transitions_figure(progress: Progress = iter) -> Figure:
    """Count the transitions of both policies under every law and return the figure."""
    rows: list[JsonObject] = []
    for law, s, policy in progress([(law, s, policy) for law, s in LAWS for policy in POLICIES]):
        counts = transitions(policy, law, n=REQUESTS, memory=MEMORY, s=s, seeds=SEEDS)
        where = {"law": law, "s": s, "policy": policy, "M": MEMORY, "n": REQUESTS, "seeds": SEEDS, "l": counts.l}
        rows += [{**where, **row} for row in counts.table()]
    numbers = {
        policy: {
            "text": "largest |c/b − (s+i)/(s+j)| of at least "
            f"{FEWEST_STARTS} starts: " + ", ".join(f"{law} s={s} {_largest(rows, law, policy):.3f}" for law, s in LAWS)
        }
        for policy in POLICIES
    }
    laws = [list(law) for law in LAWS]
    return Figure("transitions", columns(rows), partial(_draw, rows=rows), numbers, {"laws": laws})


def _largest(rows: list[JsonObject], law: str, policy: str) -> float:
    return max(abs(r["c_over_b"] - r["lemma"]) for r in where(rows, law=law, policy=policy) if r["b"] >= FEWEST_STARTS)


def _draw(sheet: Sheet, rows: list[JsonObject]) -> Any:
    page = sheet.canvas(11.5, 7.2)
    axes: Any = page.subplots(2, len(LAWS))
    kinds = (("c_over_b", "lemma"), ("c_over_x_n", "proposition"))
    for (line, (measured, claimed)), (column, (law, s)) in product(enumerate(kinds), enumerate(LAWS)):
        axis = axes[line, column]
        axis.plot([0, 1], [0, 1], color="k", lw=0.8, label="as claimed")
        for policy in POLICIES:
            look = LOOKS[policy]
            points = columns([r for r in where(rows, law=law, policy=policy) if r["b"] >= FEWEST_STARTS])
            low, middle, high = (np.array(points[measured + end]) for end in ("_interval_low", "", "_interval_high"))
            bars = np.maximum([middle - low, high - middle], 0)
            axis.errorbar(points[claimed], middle, bars, fmt=look.marker, ms=5, color=look.colour, mfc="none",
                          elinewidth=1, label=look.label)  # fmt: skip
        axis.set(xlim=(-0.03, 1.05), ylim=(-0.03, 1.05))
        axis.grid(alpha=0.25)
        axis.set_xlabel(r"$(s+i)/(s+j)$" if line == 0 else r"$\delta(i)/(s+j)$,  $\delta(\ell)=s+\ell$, else 1")
        if line == 0:
            axis.set_title(f"{law}, s = {s}", fontsize="medium")
    axes[0, 0].set_ylabel(r"$c_{ij}/b_{ij}$ of the starts with bound $i$")
    axes[1, 0].set_ylabel(r"$c_{ij}/(x_j n)$")
    title = (
        'The cohort rule makes the transitions of Lemma "deletion" (above) and Proposition "state_transition" (below), '
        "Algorithm 2 to the letter does not"
        f"\nM = {MEMORY}, n = {REQUESTS}, {SEEDS} seeds, 95 % intervals over seeds; ratios of at least {FEWEST_STARTS} starts"
    )
    return sheet.finished(page, title, axes[0, 0])
