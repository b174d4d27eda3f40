"""Total latency over the volume bound against u, of h-sf and blind policies, on laws that are hard for one of them."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache, partial
from typing import Any

import numpy as np

from crtools.blind import least_cost
from crtools.blind.minimax import bounds, on_interval
from crtools.distributions import distribution
from crtools.papers.adaptive.figures.style import LOOKS, PROVED
from crtools.papers.beyond.laws import hardest, quantiles
from crtools.papers.beyond.one_machine import on_one_machine
from crtools.papers.beyond.policies import A_OFFSET
from crtools.parallel import in_processes
from crtools.plotting.figure import Figure, columns, where
from crtools.plotting.sheet import Sheet
from crtools.process.measures import Mean
from crtools.process.run import simulate
from crtools.worst_cases import worst_case

POLICIES = ("a-offset", "a-learn", "h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort", "a-restart")
UPPER_ENDS = (10, 30, 100, 300, 1000)
LAST = {"a-learn": 100}
"""The largest u at which a policy is run: planning for longer lengths takes minutes."""

LONGEST_CLOSED = 30
"""The largest u with the minimax from both sides equal; quick bounds beyond, as the search takes minutes for 100 lengths."""

SEEDS = 3
MEMORY = 30
"""M is this times s + u, and n is ``REQUESTS`` times M."""

REQUESTS = 8

PANELS = (("hardest", 0), ("hardest", 50), ("a-min-worst", 0), ("zipf", 0))
"""A law and a prompt size each."""

TITLES = {
    "hardest": r"volume $v$ with $P(v\geq t)\approx t^{-1/2}$",
    "a-min-worst": r"where $\mathcal{A}_{\min}$'s form is worst",
    "zipf": r"Zipf, $P(o=k)\propto 1/k$",
}


def weights(law: str, s: int, u: int) -> Any:
    """Return the weights of a law on 1, …, u."""
    if law == "hardest":
        return hardest(1, u, s)
    if law == "a-min-worst":
        return worst_case("a-min", l=1, u=u, s=s, against="volume").weights
    zipf = distribution(f"zipf(a=1, u={u})")
    return [float(zipf.weight(k)) for k in range(1, u + 1)]


def measured(law: str, s: int, u: int, policy: str) -> tuple[int, int, list[float], float | None]:
    """Return n, M, TEL over the volume bound for each seed, and, of a-offset, the mean on one machine."""
    memory = MEMORY * (s + u)
    n = REQUESTS * memory
    lengths = quantiles(weights(law, s, u), 1, n)
    runs = [simulate(policy, lengths, memory, s, 1, u, seed=seed).to_volume for seed in range(SEEDS)]
    if policy != A_OFFSET.name:
        return n, memory, runs, None
    return n, memory, runs, Mean.of([on_one_machine(A_OFFSET, lengths, s, 1, u, seed) for seed in range(SEEDS)]).mean


def blind(progress: Callable[[Sequence[Any]], Iterable[Any]] = iter) -> Figure:
    """Run every policy on every law and return the figure.

    ``one_machine``: the mean ratio of a-offset there; ``nobody_below``, ``somebody_within``: what the worst case on [1, u] of
    every blind policy is at least, and that of some at most (``crtools.blind.minimax``).
    """
    rows: list[dict[str, Any]] = []
    worst = cache(worst_of_the_best)  # while the first runs are at work
    tasks = [(law, s, u, p) for u in UPPER_ENDS for law, s in PANELS for p in POLICIES if u <= LAST.get(p, u)]
    with closing(in_processes(measured, tasks, 2)) as results:
        for (law, s, u, policy), (n, memory, runs, limit) in zip(progress(tasks), results, strict=True):
            mean = Mean.of(runs)
            low, high = mean.interval or (None, None)
            below, within = worst(s, u)
            rows.append({
                "law": law, "s": s, "u": u, "M": memory, "n": n, "seeds": SEEDS, "policy": policy,
                "to_volume": mean.mean, "low": low, "high": high, "one_machine": limit,
                "nobody_below": below, "somebody_within": within,
            })  # fmt: skip
    numbers = {
        policy: {"text": "largest ratio " + ", ".join(_largest(rows, policy, law, s) for law, s in PANELS)}
        for policy in POLICIES
    }
    notes = {"M": f"{MEMORY} (s + u)", "n": f"{REQUESTS} M", "seeds": SEEDS}
    return Figure("blind", columns(rows), partial(_draw, rows=rows), numbers, notes)


def worst_of_the_best(s: int, u: int) -> tuple[float, float]:
    """Return bounds on the best worst case of a blind policy on [1, u]."""
    minimax = on_interval(s, 1, u) if u <= LONGEST_CLOSED else bounds(s, 1, u)
    return float(minimax.lower), float(minimax.upper)


def _largest(rows: list[dict[str, Any]], policy: str, law: str, s: int) -> str:
    top = max(where(rows, law=law, s=s, policy=policy), key=lambda r: r["to_volume"])
    return f"{top['to_volume']:.3f} ({law}, s = {s}, u = {top['u']})"


def _draw(sheet: Sheet, rows: list[dict[str, Any]]) -> Any:
    rho_star = float(least_cost(12).value.upper)
    page = sheet.canvas(9.6, 8.2)
    axes: Any = page.subplots(2, 2, sharex=True, sharey=True)
    for axis, (law, s) in zip(axes.flat, PANELS, strict=True):
        for policy in POLICIES:
            points, look = columns(where(rows, law=law, s=s, policy=policy)), LOOKS[policy]
            low, mean, high = (np.array(points[name]) for name in ("low", "to_volume", "high"))
            style: Any = {"color": look.colour, "ls": look.line, "marker": look.marker, "ms": 4.5, "lw": 1.4}
            axis.errorbar(points["u"], mean, [mean - low, high - mean], label=look.label, **style)
            if policy == A_OFFSET.name:
                axis.plot("u", "one_machine", data=points, color=look.colour, ls=":", lw=1.6,
                          label=f"{look.label}, on one machine ($M\\to\\infty$)")  # fmt: skip
        blind = columns(where(rows, law=law, s=s, policy=A_OFFSET.name))
        axis.axhline(rho_star, color=PROVED, lw=1.6, label=rf"$\rho^*={rho_star:.4f}$")
        axis.fill_between("u", "nobody_below", "somebody_within", data=blind, color=PROVED, alpha=0.25, lw=1.2,
                          label="best blind worst case on $[1, u]$: bounds")  # fmt: skip
        axis.set_title(rf"{TITLES[law]}, $s={s}$", fontsize="medium")
        axis.set(xlabel=r"largest length $u$ ($\ell=1$)", ylabel="total latency / volume bound")
        axis.label_outer()
        axis.grid(alpha=0.25)
    axes[0, 0].set(xscale="log", yscale="log", ylim=(0.95, 30))
    axes[0, 0].set_yticks([1, 2, 3, 5, 10, 20], ["1", "2", "3", "5", "10", "20"])
    axes[0, 0].set_xticks(UPPER_ENDS, [str(u) for u in UPPER_ENDS])
    axes[0, 0].minorticks_off()
    title = (
        "Blind a-offset is at most 6 % above $\\rho^*$ on all four laws;\n"
        "on the hard ones every blind policy of the paper grows with $u$\n"
        f"($M = {MEMORY}(s+u)$, $n = {REQUESTS}M$, volume $v=so+o(o+1)/2$; means, 95 % intervals of {SEEDS} seeds)"
    )
    return sheet.finished(page, title, axes[0, 0])
