"""Simulated total latency over the paper's form, as the memory and the number of batches per class grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from crtools.plotting.figure import Figure
from crtools.process.comparing import FORM_OF, Mean, compare, form_value
from crtools.ratios.ratio import ratio

LAWS = {
    "geometric": "geometric(q=9/10)",
    "linear-geometric": "linear-geometric(q=4/5)",
    "uniform": "uniform(l=1, u=20)",
    "two-point": "two-point(l=1, u=10, weight=3/4)",
    "harmonic": "harmonic(u=50)",
}
"""One law of each kind that the claims speak of."""

SIZES = ((300, 3_000, 4), (1_500, 30_000, 2), (7_500, 300_000, 1))
"""(M, n, seeds): the batches per length class grow by the factor 10 n/M in each step."""

PROMPTS = (0, 5)
POLICIES = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort", "a-ell")
AREA_FORM = {"a-random": "a-random-area", "a-min-literal": "a-min-literal-area"}
"""Forms that are not the paper's, for the policies that they describe."""


def convergence(progress: Callable[[Sequence[Any]], Iterable[Any]] = iter) -> Figure:
    """Run every policy under every law and size and return the figure."""
    columns = (
        "law", "s", "policy", "form", "M", "n", "seeds", "tel_over_form", "tel_over_area_form",
        "ratio_simulated", "ratio_of_forms", "ratio_simulated_over_forms",
    )  # fmt: skip
    table: dict[str, list[Any]] = {name: [] for name in columns}
    tasks = [(name, s, policy) for name in LAWS for s in PROMPTS for policy in POLICIES]
    for name, s, policy in progress([t for t in tasks if t[2] != "a-ell" or t[0] == "two-point"]):
        wanted = None
        for memory, n, seeds in SIZES:
            found = compare(policy, LAWS[name], n=n, memory=memory, s=s, seeds=seeds)
            assert found.to_form is not None
            finite = found.law.finite
            if wanted is None and (finite or policy != "a-max"):
                wanted = ratio(FORM_OF[policy], found.law, s).value
            area = None
            if policy in AREA_FORM:
                rows = [
                    r.total_latency / form_value(AREA_FORM[policy], r.lengths, memory, s, r.lower, r.upper)
                    for r in found.runs
                ]
                area = Mean.of(rows).mean
            values = (
                name, s, policy, FORM_OF[policy], memory, n, seeds, found.to_form.mean, area,
                found.to_h_sf.mean, wanted, None if wanted is None else found.to_h_sf.mean / wanted,
            )  # fmt: skip
            for column, value in zip(columns, values, strict=True):
                table[column].append(value)
    last = {
        (name, s, policy): value
        for name, s, policy, value in zip(*(table[c] for c in ("law", "s", "policy", "tel_over_form")), strict=True)
    }
    numbers = {
        policy: {
            "text": "TEL over its form at the largest size: "
            + ", ".join(f"{n} s={s} {v:.3f}" for (n, s, p), v in last.items() if p == policy)
        }
        for policy in POLICIES
    }

    def draw(path: Path) -> None:
        _draw(path, table)

    return Figure("convergence", table, draw, numbers, {"laws": LAWS, "sizes": [list(x) for x in SIZES]})


def _draw(path: Path, table: dict[str, list[Any]]) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(13.5, 6.4), layout="constrained")
    FigureCanvasAgg(canvas)
    axes: Any = canvas.subplots(len(PROMPTS), len(LAWS), sharex=True, sharey=True)
    rows = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    for line, s in enumerate(PROMPTS):
        for column, name in enumerate(LAWS):
            axis = axes[line, column]
            axis.axhline(1, color="k", lw=0.8)
            for place, policy in enumerate(POLICIES):
                own = [r for r in rows if (r["law"], r["s"], r["policy"]) == (name, s, policy)]
                if own:
                    axis.plot([r["M"] for r in own], [r["tel_over_form"] for r in own], "o-", color=f"C{place}", ms=4,
                              lw=1.4, label=policy)  # fmt: skip
                if policy in AREA_FORM:
                    axis.plot([r["M"] for r in own], [r["tel_over_area_form"] for r in own], "x--", color=f"C{place}",
                              ms=5, lw=1, label=f"{policy} over its area form")  # fmt: skip
            axis.set_xscale("log")
            axis.set_xticks([m for m, _, _ in SIZES], [str(m) for m, _, _ in SIZES])
            axis.minorticks_off()
            axis.set_ylim(0, 3.1)
            axis.grid(alpha=0.25)
            if line == 0:
                axis.set_title(name, fontsize=10)
            if line == len(PROMPTS) - 1:
                axis.set_xlabel("memory $M$")
        axes[line, 0].set_ylabel(rf"TEL / form, $s={s}$")
    handles, labels = axes[0, list(LAWS).index("two-point")].get_legend_handles_labels()
    canvas.legend(handles, labels, loc="outside lower center", ncols=8, fontsize=9)
    canvas.suptitle(
        r"Simulated TEL over the paper's form $\frac{n^2}{2M}\,x^\top N x$: H-SF and the cohort $\mathcal{A}_{\min}$ approach 1,"
        "\n"
        r"the literal $\mathcal{A}_{\min}$ and $\mathcal{A}_{\mathrm{random}}$ approach their area forms except under few lengths; "
        r"$\mathcal{A}_{\max}$ follows another law",
        fontsize=11,
    )
    canvas.savefig(path, dpi=130)
