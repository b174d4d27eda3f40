"""Write the notebooks from the cells below (kept as text so that changes can be reviewed), and run them.

    python notebooks/build.py [NAME…]
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent

LOG_THEOREM = [
    ("md", """# The log theorem, from matrices to figure

The scheduler $\\mathcal A_{\\min}$ knows only lower bounds on output lengths. In the limit $M\\to\\infty$ its total
latency is a quadratic form in the weights $x_k$ (the share of requests with output length $k$), and so is the
latency of the hindsight scheduler H-SF. The worst competitive ratio *of the form* is the largest value of

$$R(x)=\\frac{x^\\top A_u x}{x^\\top B_u x},\\qquad x\\ge 0 .$$

This notebook follows Section 4 of the paper: the matrices, the trace, the bounds, the figure."""),
    ("code", """import numpy as np
import crtools
from crtools import Setting, form, verify, worst_case"""),
    ("md", """## 1. The matrices

A form is written once and evaluated over any ring. On a setting it has an exact matrix, a float matrix, and products
in $O(u)$."""),
    ("code", """setting = Setting(s=0, l=1, u=4)
A = form("a-min").on(setting)
B = form("h-sf").on(setting)
print(A.matrix())
print(B.matrix())"""),
    ("code", """import sympy as sp
i, j, s = sp.symbols("i j s", positive=True)
sp.factor(form("a-min").entry(i, j, s))   # i ≤ j, any prompt size s"""),
    ("md", """## 2. Proofs for every $u$

`verify` decides claims of the paper by proofs whose every step is re-checked, or by counterexamples. A claim has a
verdict at each *level* at which it says something: of the forms at $s=0$, of the forms for every $s\\ge0$, of the
algorithm. These five speak of the forms at $s=0$ only."""),
    ("code", """ledger = verify(["cor-ab", "b-inverse", "t1", "t2", "trace"])
for result in ledger:
    print(f"{result.id:10s} {result.at('form-at-zero').status}")"""),
    ("code", """print(ledger[-1].show())   # the trace, with its induction"""),
    ("md", """A corrupted claim is refuted with a counterexample. Here the harmonic number is cut short by one term:"""),
    ("code", """wrong = verify(["trace"], set={"closed_form": "harmonic(u-1)"})[0]
[finding] = wrong.stated.findings
evidence = finding.evidence
print(f"{finding.status} at {evidence.witness}: claimed {evidence.claimed}, in fact {evidence.actual}, by other code {evidence.second}")"""),
    ("md", """## 3. The worst case, certified

$B^{-1}A>0$ entrywise, so the supremum over $x\\ge 0$ is the spectral radius. Any positive vector encloses it
(Collatz–Wielandt), so the iteration that found the vector needs no trust."""),
    ("code", """case = worst_case("a-min", l=1, u=1000)
print(f"{case.value:.12f}")
print(case.enclosure(digits=30))"""),
    ("code", """x = case.weights
k = np.arange(1, 1001)
print("weights of the shortest lengths:", x[:5].round(4))
print("2/(4k²−1), scaled:              ", (2 / (4 * k**2 - 1))[:5].round(4) * x[0] / (2 / 3))"""),
    ("md", """The trace bound $H_u$ has the right order, but its constant is four times too large: at $s=0$ the worst case lies
between $\\tfrac34+\\tfrac12E-\\tfrac1{4E}$ and $\\tfrac34+\\tfrac12E$, with $E=1+\\sum_{k=l+1}^u\\frac1{2k-1}$, so it is
$\\tfrac14\\ln(1/\\alpha)+\\Theta(1)$. Both bounds are proved for every $u\\ge l$."""),
    ("code", """for u in (10, 100, 1000, 10000):
    E = float(np.sum(1 / (2 * np.arange(1, u + 1) - 1)))
    H = float(np.sum(1 / np.arange(1, u + 1)))
    value = worst_case("a-min", u=u).value
    print(f"u={u:6d}  {0.75 + E/2 - 1/(4*E):.4f} ≤ {value:.4f} < {0.75 + E/2:.4f}   H_u = {H:.4f}")"""),
    ("md", """## 4. What "W.L.O.G. $s=0$" hides

With prompts, the worst case of the form is not logarithmic with one constant: at $s=u$ two lengths already give more
than $\\tfrac13\\sqrt u$."""),
    ("code", """for u in (16, 100, 900):
    print(f"u={u:4d}", *(f"s={s}: {worst_case('a-min', u=u, s=s).value:.3f}" for s in (0, 10, u)), f"⅓√u: {u**0.5 / 3:.3f}", sep="   ")"""),
    ("md", """So the theorem holds where its proof lives, at $s=0$, and not in the paper's own model, which has $s\\ge1$. The paper
states it of the algorithm, which is a third question: is the form its latency? What is true in the place of what is false
is a *repair*, proved as well."""),
    ("code", """[result] = verify(["thm-log"])
for verdict in result.verdicts:
    stated = " (stated here)" if verdict.level == result.stated_at else ""
    print(f"{verdict.level}{stated}: {verdict.status}: {verdict.why.replace('$', '')}")
print("published proof:", result.proof.state)
for repair in result.repairs:
    print(f"{repair.status}, {repair.level}: {repair.sentence.replace('$', '')}")"""),
    ("md", """## 5. The figure

Least squares on the maxima for $u=3,\\dots,2000$ against $u-1$ gives the published coefficients to every digit; against
$u$, as the caption says, the shift is smaller by 1."""),
    ("code", """figure = crtools.figure("log-fit")
for name, fit in figure.fits.items():
    print(f"{name:16s} {fit['slope']:.4f} log({fit['abscissa']} {fit['shift']:+.4f}) + {fit['intercept']:.4f}   R² = {fit['r_squared']:.6f}")"""),
    ("code", """import tempfile
from IPython.display import Image
with tempfile.TemporaryDirectory() as folder:
    picture = Image(figure.save(folder)["png"].read_bytes(), width=700)
picture"""),
]


DISTRIBUTIONS = [
    ("md", """# The competitive ratio of a new length distribution

In the limit $M\\to\\infty$ the ratio of a policy under a length law $x$ is $x^\\top Nx/x^\\top Dx$. This notebook takes a
law that you type, or lengths from a file, to its ratio, closed form, certificate, supremum and plot. Everything is *of
the forms*; whether a form describes the algorithm it is named after is a question about the discrete process."""),
    ("code", """import csv, tempfile
from pathlib import Path
import crtools
from crtools import Empirical, Geometric, derive, ratio"""),
    ("md", """## 1. A law that you type

Weights need not be normalised; the support is $k\\ge1$. With a number for every symbol, `ratio` gives a value and a
rigorous enclosure; with a symbol left, `derive` gives a formula."""),
    ("code", """law = "pmf(k**2*q**k, q=4/5)"
r = ratio("a-min", law)
print(f"{r.value:.12f}")
print(r.enclosure(digits=30))"""),
    ("code", """d = derive("pmf(k**2*q**k)")
d.ratio"""),
    ("code", """for row in d.evidence:   # closed form against direct sums, certified
    print(row["at"], row["direct sum"], row["closed form"])"""),
    ("md", """## 2. Limits and suprema

As $q\\to1$ the discrete law becomes the continuous one. The supremum need not be there."""),
    ("code", """for name, place, value in d.limits:
    print(f"{name} → {place}: {value}")
top = d.supremum()
print(top.value, top.place, top.status)"""),
    ("md", """The geometric law, for which the paper found it hard to give a result, has an elementary closed form:"""),
    ("code", """g = derive("geometric(q)")
g.ratio"""),
    ("code", """for s in (0, 1, 5):
    top = derive("geometric(q)", s=s).supremum()
    print(f"s = {s}: supremum {top.enclosure.middle:.8f}, {top.place}, {top.status}")"""),
    ("md", """So the bound 1.7 that the paper reads off its plot holds of the form at $s=0$ only; `verify` says so level by level, with
counterexamples:"""),
    ("code", """[claim] = crtools.verify(["geometric"])
for verdict in claim.verdicts:
    print(f"{verdict.level}: {verdict.status}: {verdict.why.replace('$', '')}")
print("of the form, above 1.7 at", claim.finding("bound", "form").evidence.witness)"""),
    ("md", """## 3. Lengths from a file

`csv:FILE#COLUMN` works wherever a law is named. Here a file is written first."""),
    ("code", """import numpy as np
rng = np.random.default_rng(1)
folder = Path(tempfile.mkdtemp())
lengths = rng.geometric(1 / 60, 5000)
with open(folder / "lengths.csv", "w", newline="") as file:
    csv.writer(file).writerows([["output"], *[[int(k)] for k in lengths]])
mine = Empirical.from_csv(folder / "lengths.csv", "output")
print("mean", float(mine.mean), "support", mine.support)
for s in (0, 40):
    print(f"s = {s}: {ratio('a-min', mine, s).value:.6f}, certified", ratio("a-min", mine, s).enclosure(8))"""),
    ("md", """## 4. Real lengths

The package holds a table of quantiles of a public trace, 19,366 conversations (Azure LLM inference trace 2023; the page on
length laws says what was kept). Requests are drawn from it, beside a geometric law of the same mean."""),
    ("code", """from crtools.papers.adaptive.workloads import embedded
prompts, outputs = embedded("azure-conv").draw(20_000, seed=0)
real = Empirical.from_lengths(outputs)
fit = Geometric(1 - 1 / real.mean)
print(f"mean output {float(real.mean):.1f}, largest {real.support[1]}, mean prompt {prompts.mean():.0f}")
for s in (0, 100, 1000):
    print(f"s = {s:4d}: trace {ratio('a-min', real, s).value:.4f}, geometric {ratio('a-min', fit, s).value:.4f}")"""),
    ("md", """## 5. The plot"""),
    ("code", """from IPython.display import Image
figure = crtools.figure("geometric")
for name, row in figure.fits.items():
    print(f"{name}: {row['text']}")
Image(figure.save(folder)["png"].read_bytes(), width=800)"""),
]

SIMULATION = [
    ("md", """# The discrete process

Competitive ratios of forms are statements about the limit $M\\to\\infty$. This notebook runs the policies themselves:
integer time, memory checked at every instant, and a fixed choice wherever the paper leaves a rule open (docs/model.md).
Every run comes with a bound that no schedule is below, and so with a limit on how far from the optimum it can be."""),
    ("code", """import matplotlib.pyplot as plt
import numpy as np
from crtools import Policy, compare, optimum, replay, simulate, verify"""),
    ("md", """## 1. Every policy on one instance

40 requests of lengths 1 and 10, prompts of 2 tokens, a memory of 60 tokens. A request of length $o$ occupies
$so+o(o+1)/2$ token-instants, its volume. By the time $t$ at most $Mt$ token-instants were available, so the $k$-th
completion is not before (sum of the $k$ smallest volumes)$/M$; `to_volume` is TEL over the sum of these."""),
    ("code", """instance = {"lengths": [1] * 30 + [10] * 10, "memory": 60, "s": 2, "l": 1, "u": 10}
runs = replay(instance, seed=1)
print("policy            TEL  TEL/bound  makespan  peak  cancelled")
for name, run in runs.items():
    print(f"{name:14s} {run.total_latency:6d} {run.to_volume:10.3f} {run.makespan:9d}", end=" ")
    print(f"{run.peak_memory:5d} {run.cancellations:10d}")"""),
    ("md", """## 2. Two engines

The reference engine follows the rules line by line and checks memory and tokens at every instant; the fast one jumps from
event to event. With the random choices given as permutations they must give the same starts. The cohort $\\mathcal
A_{\\min}$ tosses coins, so there only the distributions can agree: the two means over 400 seeds, with their standard error."""),
    ("code", """rng = np.random.default_rng(3)
given = {**instance, "order": rng.permutation(40), "ties": rng.permutation(40)}
certain = ["h-sf", "a-random", "a-max", "a-min-literal", "a-ell"]
slow, fast = (replay(given, certain, engine=engine) for engine in ("reference", "fast"))
same = {name: bool((slow[name].starts == fast[name].starts).all()) for name in certain}
print("both engines give the same starts:", all(same.values()))
print(", ".join(same))"""),
    ("code", """lengths = instance["lengths"]
for engine in ("reference", "fast"):
    many = [simulate("a-min-cohort", lengths, 60, s=2, seed=k, engine=engine) for k in range(400)]
    totals = [run.total_latency for run in many]
    print(f"a-min-cohort, {engine:9s}: {np.mean(totals):.1f} ± {np.std(totals, ddof=1) / 20:.1f}")"""),
    ("md", """## 3. Memory over time

What a schedule holds at every instant. $\\mathcal A_{\\max}$ admits as if every length were 10, so as long as it runs
short requests most of the memory is kept free for nothing. (A schedule has last starts only: for a policy that cancels, the
tokens that were lost would be missing here.)"""),
    ("code", """figure, axis = plt.subplots(figsize=(8, 3.2))
for name in ("h-sf", "a-random", "a-max"):
    schedule = runs[name].schedule
    times = range(schedule.makespan + 2)
    held = [schedule.memory_use(t) for t in times]
    axis.step(times, held, where="mid", label=f"{name}, TEL {schedule.total_latency}")
axis.axhline(60, color="k", lw=0.8)
axis.set_xlabel("instant $t$")
axis.set_ylabel("tokens held")
axis.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False)
plt.show()"""),
    ("md", """## 4. H-SF is not optimal

The paper takes H-SF, which knows all lengths, for a lower bound on every latency. The optimum of a small instance is a
mixed-integer programme:"""),
    ("code", """greedy = simulate("h-sf", [1, 1, 3, 3], memory=5, s=1)
best = optimum([1, 1, 3, 3], memory=5, s=1)
print(f"H-SF    {greedy.total_latency}: starts {greedy.schedule.starts}")
print(f"optimum {best.total_latency}: starts {best.schedule.starts}, proved: {best.proved}")
for name, schedule in (("H-SF", greedy.schedule), ("optimum", best.schedule)):
    held = [schedule.memory_use(t) for t in range(1, schedule.makespan + 1)]
    print(f"{name:8s} memory at t = 1, 2, …:", held)"""),
    ("md", """Starting one long request together with the first short one, and the other short request an instant later, is better.
`verify` asks for more: an instance that stays as $n$ and $M$ grow."""),
    ("code", """[claim] = verify(["hsf-lower"])
[finding] = claim.stated.findings
evidence = finding.evidence
print(f"{finding.status} at {evidence.witness}: H-SF {evidence.claimed.removeprefix('at least ')}, another schedule {evidence.actual}")
print(evidence.stays.replace("$", ""))
for repair in claim.repairs:
    print(f"in its place, {repair.status}: {repair.sentence.replace('$', '')}")"""),
    ("md", """## 5. The forms, as M grows

`compare` draws lengths, runs a policy and H-SF on them, and divides TEL by $\\frac{n^2}{2M}x^\\top Nx$. For H-SF and the
cohort $\\mathcal A_{\\min}$ the quotient comes close to 1; for $\\mathcal A_{\\mathrm{random}}$ and the literal
$\\mathcal A_{\\min}$ (Algorithm 2 to the letter) it settles elsewhere: the paper's form does not describe them. Runs
support this; they prove nothing."""),
    ("code", """sizes = ((100, 1_000), (400, 8_000), (1_600, 64_000))   # M and n: the batches per length grow too
print(f"{'TEL / form':14s}", *(f"{f'M = {memory}':>10s}" for memory, _ in sizes))
for name in ("h-sf", "a-min-cohort", "a-min-literal", "a-random"):
    found = [compare(name, "uniform(l=1, u=10)", n=n, memory=memory, s=2, seeds=3) for memory, n in sizes]
    print(f"{name:14s}", *(f"{c.to_form.mean:10.4f}" for c in found))"""),
    ("code", """c = compare("a-min-cohort", "uniform(l=1, u=10)", n=8_000, memory=400, s=2, seeds=5)
print("with 95 % intervals over 5 seeds")
print("TEL over the form:        ", c.to_form)
print("TEL over H-SF's:          ", c.to_h_sf)
print("TEL over the volume bound:", c.to_volume)"""),
    ("md", """## 6. A policy of your own

A policy is a table of rules: who goes first, and what length admission assumes. With hindsight, take the smallest *volume*
first instead of the smallest length; with prompts of different sizes that is another order."""),
    ("code", """smallest_volume = Policy(
    "smallest-volume",
    priority=lambda r: r.s * r.length + r.length * (r.length + 1) // 2,
    assumed=lambda r, age: r.length,
    fixed=True,   # nothing is cancelled and no priority changes: the fast engine takes it too
)
rng = np.random.default_rng(5)
lengths, prompts = rng.integers(1, 41, 3_000), rng.choice([1, 60], 3_000)
for policy in ("h-sf", smallest_volume):
    run = simulate(policy, lengths, memory=2_000, s=prompts)
    print(f"{run.policy:16s} {run.engine}: TEL {run.total_latency}, over the bound {run.to_volume:.3f}")"""),
]

BEST_BLIND = [
    ("md", """# From "A_min is optimal" to the best blind scheduler

The paper ends Section 4 with a theorem: as $M\\to\\infty$ no policy without knowledge of the lengths has a smaller
competitive ratio than $\\mathcal A_{\\min}$. This notebook asks `verify` whether that is so, and then what *is* the best
that such a *blind* policy can reach."""),
    ("code", """import matplotlib.pyplot as plt
from crtools import Empirical, compare, minimax, verify, worst_case
from crtools.papers.beyond.laws import hardest, quantiles"""),
    ("md", """## 1. It is refuted

Kill and restart: stop every request at the age $\\ell$, later at $2\\ell$, $4\\ell$, … It knows no length, and its ratio
stays below a constant, while Algorithm 2's grows at least like $\\alpha^{-1}/\\ln(1/\\alpha)$, $\\alpha=\\ell/u$."""),
    ("code", """[claim] = verify(["thm-optimality"])
print(claim.stated.status, "in the process:", claim.stated.why.replace("$", ""))
for repair in claim.repairs:
    print(f"in its place, {repair.status}: {repair.sentence.replace('$', '')}")"""),
    ("md", """## 2. The best constant

On one machine the best blind policy has, to the optimum, the ratio $\\rho^*=\\min_{y>1}\\frac{(y-1)(2y-1)}{y\\ln^2y}$. It tries every job
with time limits $b^{k+U}$, $k=\\dots,-1,0,1,\\dots$, the offset $U$ drawn for each job on its own, the smallest limit first,
and restarts what does not finish. From below, a price on machine time shows that nobody does better. In the process (level
`algorithm`) both hold as n → ∞ and then M → ∞."""),
    ("code", """best = minimax()
print("{} ≤ ρ* ≤ {}".format(*best.value.decimals(12)))
for state in best.states:
    words = f", resting on {state.argued} sentences" if state.argued else ""
    print(f"{state.side} bound, {state.level}: {state.status}{words} ({state.claim})")"""),
    ("md", """$\\rho^*$ is the limit as $u/\\ell\\to\\infty$. For one interval of lengths both sides meet, each a certificate in fractions:"""),
    ("code", """for u in (10, 30):
    interval = minimax(u=u).as_json()["interval"]
    print(f"lengths in [1, {u}]: the best blind policy has {interval['lower'][:8]} to {interval['upper'][:8]}…")"""),
    ("md", """## 3. In the process

`a-offset` is that policy in the discrete process: volumes as limits, and starts paced so that memory is never exceeded. The
law of lengths is the one of the lower bound, $P(v(o)\\ge t)\\approx t^{-1/2}$, and the ratio is to a bound that no schedule is
below. Runs support; they prove nothing."""),
    ("code", """names = ("h-sf", "a-offset", "a-restart", "a-min-cohort", "a-min-literal")
print(f"{'TEL / volume bound':18s}", *(f"{name:>14s}" for name in names))
found = {}
for u in (10, 30, 100):
    law = Empirical.from_lengths(quantiles(hardest(1, u, 0), 1, 20_000))
    found[u] = [compare(name, law, n=300 * u, memory=30 * u, seeds=2, l=1, u=u).to_volume.mean for name in names]
    print(f"u = {u:<14d}", *(f"{ratio:14.3f}" for ratio in found[u]))"""),
    ("code", """figure, axis = plt.subplots(figsize=(7, 3.2))
for name, ratios in zip(names, zip(*found.values())):
    axis.plot(list(found), ratios, "o-", label=name)
axis.axhline(float(best.value.middle), color="k", lw=0.8, ls="--", label="ρ*")
axis.set(xscale="log", yscale="log", xlabel="longest length $u$", ylabel="TEL / volume bound")
axis.legend(frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
plt.show()"""),
    ("md", """## 4. What became of the other theorems

The upper bound on $\\mathcal A_{\\max}$ is true, of the policy itself, although its published proof has false steps. For
long queues a smaller bound holds: the one that the paper states as a *lower* bound."""),
    ("code", """[paper] = verify(["thm-amax-upper"])
[ours] = verify(["a-max"], ledger="beyond")
for claim in (paper, ours):
    print(f"{claim.id}: {claim.stated.status}, {claim.statement.replace('$', '')}")
print("the published proof of", paper.id, "is", paper.proof.state)"""),
    ("md", """The worst case of $\\mathcal A_{\\min}$'s *form* is known for every prompt size $s$ and every $u$ up to less than
a quarter, by a formula; so an answer at $u=10^{12}$ is certified at once. At $s=0$ it grows like $\\tfrac14\\ln u$, at
$s=u$ like a root."""),
    ("code", """for s in (0, 1000, 10**12):
    print(f"s = {s}: {worst_case('a-min', u=10**12, s=s).bounds()}")"""),
    ("md", """## 5. A second theory

The machine of part 2 is a classical problem, $1||\\sum C_j$ with unknown sizes. It is a ledger of its own, and there
$\\rho^*$ beats the published 3.032 of one random offset for all jobs; both are proved for every base."""),
    ("code", """for claim in verify(["b-random-best", "own-offsets", "own-lower"], ledger="nonclairvoyant"):
    print(f"{claim.id}: {claim.stated.status}, {claim.statement.replace('$', '')}")"""),
]

NOTEBOOKS = {
    "01-log-theorem": LOG_THEOREM,
    "02-new-distributions": DISTRIBUTIONS,
    "03-simulation": SIMULATION,
    "04-best-blind": BEST_BLIND,
}


def build(cells: list[tuple[str, str]]) -> nbformat.NotebookNode:
    """Return a notebook, without outputs and with cell ids that do not change from run to run."""
    book = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}})
    for number, (kind, source) in enumerate(cells):
        make = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
        cell = make(source)
        cell["id"] = f"cell-{number:02d}"
        book.cells.append(cell)
    return book


def run(book: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Run a notebook in an empty folder with the crtools beside it, and return it with its outputs.

    Raises nbclient's ``CellExecutionError`` where a cell fails.
    """
    path = os.pathsep.join(filter(None, [str(FOLDER.parent), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        how = {"record_timing": False, "coalesce_streams": True, "resources": {"metadata": {"path": folder}}}
        client = NotebookClient(book, timeout=600, kernel_name="python3", **how)
        client.execute(env={**os.environ, "PYTHONPATH": path})
    book.metadata.pop("language_info", None)  # the Python that ran it
    return book


if __name__ == "__main__":
    for name in sys.argv[1:] or NOTEBOOKS:
        nbformat.write(run(build(NOTEBOOKS[name])), FOLDER / f"{name}.ipynb")
