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
    ("code", """import sympy as sp
from crtools import Setting, figure, form, verify, worst_case"""),
    ("md", """## 1. The matrices

A form is written once. On a setting it has an exact matrix, a float matrix, and products in $O(u)$."""),
    ("code", """setting = Setting(s=0, l=1, u=4)
sp.Matrix(form("a-min").on(setting).matrix())"""),
    ("code", """sp.Matrix(form("h-sf").on(setting).matrix())"""),
    ("code", """i, j, s = sp.symbols("i j s", positive=True)
sp.factor(form("a-min").entry(i, j, s))   # i ≤ j, any prompt size s"""),
    ("md", """## 2. Proofs for every $u$

`verify` decides claims of the paper by proofs whose every step is re-checked, or by counterexamples. A claim has a
verdict at each *level* at which it says something: of the forms at $s=0$, of the forms for every $s\\ge0$, of the
algorithm. These five speak of the forms at $s=0$ only. `print(ledger[-1].show())` writes out the last proof, step by step."""),
    ("code", """ledger = verify(["cor-ab", "b-inverse", "t1", "t2", "trace"])
ledger"""),
    ("md", """A corrupted claim is refuted with a counterexample. Here the harmonic number is cut short by one term:"""),
    ("code", """[wrong] = verify(["trace"], set={"closed_form": "harmonic(u-1)"})
wrong"""),
    ("code", """wrong.stated.findings[0].evidence   # second: the same value by other code"""),
    ("md", """## 3. The worst case, certified

$B^{-1}A>0$ entrywise, so the supremum over $x\\ge 0$ is the spectral radius. Any positive vector encloses it
(Collatz–Wielandt), so the iteration that found the vector needs no trust."""),
    ("code", """case = worst_case("a-min", l=1, u=1000)
case"""),
    ("code", """case.enclosure(digits=30)"""),
    ("md", """The lengths at which it is reached: nearly the shares $2/(4k^2-1)$, and more of the longest length than that."""),
    ("code", """figure("weights", u=1000)"""),
    ("md", """## 4. What "W.L.O.G. $s=0$" hides

With prompts, the worst case of the form is not logarithmic with one constant: at $s=u$ two lengths already give more
than $\\tfrac13\\sqrt u$, which is 10 at $u=900$. The map below has a prompt size on its vertical axis: over the solid line
the worst case is more than three times that at $s=0$."""),
    ("code", """[worst_case("a-min", u=900, s=s) for s in (0, 10, 900)]"""),
    ("code", """figure("worst-map")"""),
    ("md", """So the theorem holds where its proof lives, at $s=0$, and not in the paper's own model, which has $s\\ge1$. The paper
states it of the algorithm, which is a third question: is the form its latency? What is true in the place of what is false
is a *repair*, proved as well."""),
    ("code", """verify(["thm-log"])[0]"""),
    ("md", """## 5. The figure

Least squares on the maxima for $u=3,\\dots,2000$ against $u-1$ gives the published coefficients to every digit; against
$u$, as the caption says, the shift is smaller by 1. The trace bound $H_u$ (dashed) has the right order, but its constant is
four times too large: the worst case lies in the narrow band, between $\\tfrac34+\\tfrac12E-\\tfrac1{4E}$ and
$\\tfrac34+\\tfrac12E$, with $E=\\sum_{k=1}^u\\frac1{2k-1}$, so it is $\\tfrac14\\ln u+\\Theta(1)$. Both bounds are proved for
every $u$."""),
    ("code", """log_fit = figure("log-fit")
log_fit"""),
    ("code", """[fit["text"] for fit in log_fit.fits.values()]   # against u − 1, against u"""),
]


DISTRIBUTIONS = [
    ("md", """# The competitive ratio of a new length distribution

In the limit $M\\to\\infty$ the ratio of a policy under a length law $x$ is $x^\\top Nx/x^\\top Dx$. This notebook takes a
law that you type, or lengths from a file, to its ratio, closed form, certificate, supremum and plot. Everything is *of
the forms*; whether a form describes the algorithm it is named after is a question about the discrete process."""),
    ("code", """import csv
import numpy as np
from crtools import Empirical, Geometric, derive, figure, ratio, verify
from crtools.plotting import Slider"""),
    ("md", """## 1. A law that you type

Weights need not be normalised; the support is $k\\ge1$. With a number for every symbol, `ratio` gives a value and a
rigorous enclosure; with a symbol left, `derive` gives a formula and its supremum."""),
    ("code", """law = "pmf(k**2*q**k, q=4/5)"
ratio("a-min", law)"""),
    ("code", """ratio("a-min", law).enclosure(digits=30)"""),
    ("code", """own = derive("pmf(k**2*q**k)")
own"""),
    ("code", """own.evidence   # the closed form against direct sums, certified"""),
    ("md", """## 2. Limits and suprema

As $q\\to1$ the discrete law becomes the continuous one. For this law the supremum is that limit; it need not be there, as
the next law shows."""),
    ("code", """own.limits"""),
    ("md", """The geometric law, for which the paper found it hard to give a result, has an elementary closed form:"""),
    ("code", """derive("geometric(q)")"""),
    ("md", """That is at $s=0$. Prompts change the curve: move the slider. At $s=0$ the ratio rises all the way; at $s=10$ it
has a summit before $q=1$, and the limit is the same."""),
    ("code", """Slider("s", {s: derive("geometric(q)", s=s).plot() for s in (0, 1, 2, 5, 10)})"""),
    ("md", """The figure of the paper, for several prompt sizes at once, with the suprema:"""),
    ("code", """curves = figure("geometric")
curves"""),
    ("code", """{name: fit["text"] for name, fit in curves.fits.items()}"""),
    ("md", """So the bound 1.7 that the paper reads off its plot holds of the form at $s=0$ only; `verify` says so level by level, with
counterexamples:"""),
    ("code", """verify(["geometric"])[0]"""),
    ("md", """## 3. Lengths from a file

`csv:FILE#COLUMN` works wherever a law is named. Here a file is written first."""),
    ("code", """rng = np.random.default_rng(1)
with open("lengths.csv", "w", newline="") as file:
    csv.writer(file).writerows([["output"], *[[int(k)] for k in rng.geometric(1 / 60, 5000)]])
mine = Empirical.from_csv("lengths.csv", "output")
print("mean", float(mine.mean), "support", mine.support)
for s in (0, 40):
    print(f"s = {s}: certified", ratio("a-min", mine, s).enclosure(8))"""),
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
]

SIMULATION = [
    ("md", """# The discrete process

Competitive ratios of forms are statements about the limit $M\\to\\infty$. This notebook runs the policies themselves:
integer time, memory checked at every instant, and a fixed choice wherever the paper leaves a rule open (docs/model.md).
Every run comes with a bound that no schedule is below, and so with a limit on how far from the optimum it can be."""),
    ("code", """import numpy as np
from crtools import Policy, compare, optimum, replay, simulate, verify"""),
    ("md", """## 1. Every policy on one instance

40 requests of lengths 1 and 10, prompts of 2 tokens, a memory of 60 tokens. A request of length $o$ occupies
$so+o(o+1)/2$ token-instants, its volume. By the time $t$ at most $Mt$ token-instants were available, so the $k$-th
completion is not before (sum of the $k$ smallest volumes)$/M$; `to_volume` is TEL over the sum of these."""),
    ("code", """instance = {"lengths": [1] * 30 + [10] * 10, "memory": 60, "s": 2, "l": 1, "u": 10}
runs = replay(instance, seed=1)
for run in runs.values():
    print(f"{run.to_volume:.3f} times the bound: {run}")"""),
    ("md", """## 2. Memory over time

A run draws itself: a box is an attempt, its height what it holds. H-SF, which knows the lengths, first runs the short
requests. $\\mathcal A_{\\max}$ admits as if every length were 10, so that most of the memory is kept free for nothing while
short requests run. $\\mathcal A_{\\min}$ (Algorithm 2 to the letter) admits by what it has seen of each request, one token at
first, and cancels what then does not fit (hatched)."""),
    ("code", """runs["h-sf"]"""),
    ("code", """runs["a-max"]"""),
    ("code", """runs["a-min-literal"]"""),
    ("md", """## 3. Two engines

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
    ("md", """## 4. H-SF is not optimal

The paper takes H-SF, which knows all lengths, for a lower bound on every latency. Four requests and five tokens of memory
are enough to see that it is not one:"""),
    ("code", """simulate("h-sf", [1, 1, 3, 3], memory=5, s=1)"""),
    ("md", """The optimum of a small instance is a mixed-integer programme:"""),
    ("code", """best = optimum([1, 1, 3, 3], memory=5, s=1)
print("proved optimal:", best.proved)
best.schedule.plot(memory=5)"""),
    ("md", """Starting one long request together with the first short one, and the other short request an instant later, is better
by 1. `verify` asks for more: an instance that stays as $n$ and $M$ grow."""),
    ("code", """verify(["hsf-lower"])[0]"""),
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
    ("md", """A comparison says its ratio to H-SF with a 95 % interval over the seeds; it has the ratios to the form and to the
volume bound too."""),
    ("code", """cohort = compare("a-min-cohort", "uniform(l=1, u=10)", n=8_000, memory=400, s=2, seeds=5)
cohort"""),
    ("code", """print("over the form:        ", cohort.to_form)
print("over the volume bound:", cohort.to_volume)"""),
    ("md", """## 6. A policy of your own

A policy is a table of rules: who goes first, and what length admission assumes. With hindsight, take the smallest *volume*
first instead of the smallest length; with prompts of different sizes that is another order, and here a better one."""),
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
    print(f"{run.to_volume:.3f} times the bound, by the {run.engine} engine: {run}")"""),
]

BEST_BLIND = [
    ("md", """# Is 1.68 good? From a ratio to the best blind schedule

Under geometric lengths the form of $\\mathcal A_{\\min}$ is at most 1.68 times that of H-SF. Is that good? A *blind* policy
knows no length. This notebook computes the least ratio that any blind policy can have under a law of lengths, and the
schedule that has it; then what is left when the law is not known either."""),
    ("code", """import matplotlib.pyplot as plt
from crtools import Empirical, best, compare, derive, minimax, ratio, verify
from crtools.papers.beyond.laws import hardest, quantiles
from crtools.plotting import Slider"""),
    ("md", """## 1. 1.68 times what?"""),
    ("code", """derive("geometric(q)")"""),
    ("md", """The value is over H-SF, which knows the lengths and yet is not the best that a schedule can do. The *volume bound* is:
no schedule is below it, and the best one attains it as $n\\to\\infty$ and then $M\\to\\infty$. Over it, $\\mathcal A_{\\min}$
has 3.04 at $q=9/10$ and H-SF itself 1.81, and 3.04 is 1.68 times 1.81."""),
    ("code", """law = "geometric(q=9/10)"
[ratio("a-min", law), ratio("a-min", law, against="volume"), ratio("h-sf", law, against="volume")]"""),
    ("md", """## 2. The best possible

`best` computes $V$, the least ratio to the volume bound of a blind policy that knows the law: from above by a mixture of
plans (when to kill a request and start it anew later), from below by a price on time that they make. Both are computed
exactly."""),
    ("code", """found = best(law)
print(found)"""),
    ("md", """So 1.68 is not good: $\\mathcal A_{\\min}$ pays a third more than it must. Over H-SF the best has 1.26."""),
    ("code", """forms, value = found.forms(), float(found.value)
print(f"A_min over the best: {forms['a-min'] / value:.3f}")
print(f"the best over H-SF:  {value / forms['h-sf']:.3f}")
print(f"every request run to its end: {float(found.run_through):.3f}")
print(f"one plan for all, at best:    {float(found.common_ratio):.3f}")"""),
    ("md", """For other $q$ it is alike. What lies between the two lower curves is the price of blindness. What lies above them nobody
has to pay, and it grows with $q$."""),
    ("code", """places = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95]
each = [best(f"geometric(q={q})", digits=4) for q in places]
page, axis = plt.subplots(figsize=(7, 3.6))
axis.plot(places, [own.forms()["a-min"] for own in each], "s-", label=r"form of $\\mathcal{A}_{\\min}$: blind")
axis.plot(places, [float(own.value) for own in each], "o-", label="$V$, the best blind policy")
axis.plot(places, [own.forms()["h-sf"] for own in each], "^-", label="form of H-SF, which knows the lengths")
axis.set(xlabel="$q$ of the geometric law", ylabel="over the volume bound")
axis.legend(frameon=False)
plt.show()"""),
    ("md", """## 3. The schedule

With few lengths it can be read. Under ten equally likely lengths, $V$ is a fraction, and there are three plans: some requests
run to their end at once, some are killed after one token and some after two, and start anew later."""),
    ("code", """small = best("uniform(1, 10)")
small"""),
    ("code", """[(plan.thresholds, str(plan.share)) for plan in small.plans]   # killed at, and the share of the requests"""),
    ("code", """small.plot()"""),
    ("md", """A box is an attempt: as wide as the time it takes of the whole memory, from the length at which the attempt before was
killed to the one at which this is. The short attempts run first, the requests that survived them last. Below stands the
price, which is the share of requests that are unfinished.

Prompts make starting anew dear. Under 20 equally likely lengths the number of plans falls with $s$, and from $s=6$ on, where
$3s\\ge u-2$, nobody is killed: running every request to its end is best."""),
    ("code", """Slider("s", {s: best("uniform(1, 20)", s=s).plot() for s in (0, 2, 4, 6)})"""),
    ("md", """And this is the schedule for the geometric law above. It is a mixture of more than a
hundred plans: each request is tried for ten tokens at most, then for several times as many, and so on, and the limits
are spread so that at any time many different ones are in use."""),
    ("code", """found.plot()"""),
    ("md", """## 4. In the process

`best:LAW` runs this schedule in the discrete process, in a memory of finite size, beside the two readings of
$\\mathcal A_{\\min}$ and H-SF. Its ratio to the volume bound is above $V$ by what a finite queue and memory cost. Runs support; they
prove nothing."""),
    ("code", """for name in (f"best:{law}", "a-min-cohort", "a-min-literal", "h-sf"):
    ran = compare(name, law, n=20_000, memory=2_500, u=150, seeds=2)
    print(f"{name:22s} {ran.to_volume.mean:.3f} times the volume bound, {ran.to_volume.mean / value:.3f} times V")"""),
    ("md", """## 5. Where the law is not known

The paper ends Section 4 with a theorem: as $M\\to\\infty$ no policy without knowledge of the lengths has a smaller
competitive ratio than $\\mathcal A_{\\min}$. It is refuted. Kill and restart stops every request at the age $\\ell$, later at
$2\\ell$, $4\\ell$, …; its ratio stays below a constant, while Algorithm 2's grows with $u/\\ell$:"""),
    ("code", """verify(["thm-optimality"])[0]"""),
    ("md", """The best constant for all laws at once is $\\rho^*=\\min_{y>1}\\frac{(y-1)(2y-1)}{y\\ln^2y}$. Its policy tries every
job with time limits $b^{k+U}$, $k=\\dots,-1,0,1,\\dots$, the offset $U$ drawn for each job on its own, the smallest limit
first, and restarts what does not finish. For one interval of lengths the constant is smaller; here it is for $[1,10]$, from both sides."""),
    ("code", """constant = minimax(u=10)
[constant.value, constant.interval]"""),
    ("md", """`a-offset` is that policy in the process: volumes as limits, and starts paced so that memory is never exceeded. The
law of lengths is near the worst one, $P(v(o)\\ge t)\\approx t^{-1/2}$."""),
    ("code", """names = ("h-sf", "a-offset", "a-restart", "a-min-cohort", "a-min-literal")
found = {}
for u in (10, 30, 100):
    law = Empirical.from_lengths(quantiles(hardest(1, u, 0), 1, 20_000))
    found[u] = [compare(name, law, n=300 * u, memory=30 * u, seeds=2, l=1, u=u).to_volume.mean for name in names]
page, axis = plt.subplots(figsize=(7, 3.4))
for name, mark, ratios in zip(names, "^o*sD", zip(*found.values())):
    axis.plot(list(found), ratios, mark + "-", label=name)
axis.axhline(float(constant.value), color="k", lw=0.8, ls="--", label="ρ*")
axis.set(xscale="log", yscale="log", xlabel="longest length $u$", ylabel="total latency / volume bound")
axis.legend(frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
plt.show()"""),
    ("md", """`a-offset` stays below $\\rho^*$ here. The ratio of Algorithm 2 to the letter grows with $u$: at $u=100$ it is more than
three times that of `a-offset`."""),
    ("md", """## 6. How sure is this

What this notebook rests on are theorems of a ledger of its own, beside the paper's: each with its proof, judged step by
step, and the sentences in it that no machine judges counted under *words*."""),
    ("code", """verify(["best-value", "uniform-lengths", "blind-upper", "blind-lower"], ledger="beyond")"""),
]

WHICH_SCHEDULER = [
    ("md", """# Which scheduler for my requests?

The theorems speak of equal prompts, of steps that all take 1, and of requests that are all present at time 0. A server has none of
this. Here are 500 requests as a service might have them, and what five schedulers make of them: in steps and in seconds, with two kinds
of preemption, and with arrivals. With a file of your own, `crtools compare` says the same in one command."""),
    ("code", """import matplotlib.pyplot as plt
import numpy as np
from crtools import Policy, compare, expected_work, simulate, verify, workload
from crtools.process.clocks import SECONDS"""),
    ("md", """## 1. The requests

Prompts and outputs are log-normal and correlated; 1.5 requests arrive per second. A file is read in the same way:
`workload("csv:trace.csv#output,prompt,time")`. The memory holds 20,000 tokens."""),
    ("code", """service = workload("lognormal(mu=4.7, sigma=0.8)", s="lognormal(mu=6.2, sigma=0.9)", correlation=0.5, rate=1.5)
now, past, memory = service.draw(500, seed=0), service.draw(2000, seed=1), 20_000
print(f"prompts: mean {now.s.mean():.0f}, largest {now.s.max()}; outputs: mean {now.lengths.mean():.0f}, largest {now.lengths.max()}")"""),
    ("md", """## 2. All present at time 0

`/bound` is the mean flow time over the largest lower bound of the clock: no schedule is below 1, not even one that knows all lengths."""),
    ("code", """def show(comparison):
    print(f"{'clock':8} {'policy':16} {'mean':>7} {'p99':>7} {'/bound':>7} {'prefilled again':>16}")
    for row in comparison.rows:
        mean, p99, over, again = (row.mean(name).mean for name in ("mean_latency", "p99", "to_bound", "tokens_prefilled_again"))
        print(f"{row.clock:8} {row.policy:16} {mean:7.1f} {p99:7.1f} {over:7.2f} {again:16.0f}")

names = ["fcfs", "a-min-literal", "a-learn", "shortest-prompt", "expected-work"]
batch = workload(now.lengths, s=now.s)
show(compare(names, batch, memory=memory, seeds=1, clock="both", preemption="restart"))"""),
    ("md", """The two clocks name different winners. In steps prefilling a prompt takes no time, and a request costs its *volume*, the memory
that it holds over time. In seconds it costs its *work*: to prefill the prompt, to decode, and its share of the steps, by the memory
that it holds. Most of the work is known from the prompt:"""),
    ("code", """s, o = now.s, now.lengths
parts = {
    "prefill": SECONDS.per_token * (s - 1),
    "decode": SECONDS.per_token * o,
    "memory": (SECONDS.base / memory + SECONDS.per_held) * (s * o + o * (o + 1) / 2),
}
for name, seconds in parts.items():
    print(f"{name:8} {seconds.mean():.3f} s a request")
page, axis = plt.subplots(figsize=(5, 3.4))
axis.loglog(s, sum(parts.values()), ".", ms=3)
axis.set(xlabel="tokens of the prompt", ylabel="work in seconds")
plt.show()"""),
    ("md", """`shortest-prompt` uses that, and needs nothing else. `expected-work` learns while it runs which outputs prompts of a given size
have, starts the least expected work first, limits how many requests run at once (one more delays all the others), and keeps 2 % of the
memory free, so that few are preempted.

## 3. Preemption that keeps its tokens

Under `restart`, as in the paper, a preempted request loses its tokens. Engines keep them and prefill them again: `resume`. That
is milder for every policy that preempts. `a-learn` kills on purpose, and is defined for `restart` only."""),
    ("code", """names.remove("a-learn")
show(compare(names, batch, memory=memory, seeds=1, clock="seconds", preemption="resume"))"""),
    ("md", """## 4. Arrivals

A load of 1 is all that the machine can do. The closer the load comes to 1, the more the order matters."""),
    ("code", """timed, loads = workload(now.lengths, s=now.s, release=now.release), [0.4, 0.6, 0.7, 0.8, 0.9, 0.95]
means = {name: [] for name in ("fcfs", "shortest-prompt", "expected-work")}
for load in loads:
    for row in compare([*means], timed, memory=memory, seeds=1, clock="seconds", preemption="resume", load=load).rows:
        means[row.policy].append(row.mean("mean_latency").mean)
page, axis = plt.subplots(figsize=(6, 3.4))
for (name, values), mark in zip(means.items(), "os^"):
    axis.plot(loads, values, mark + "-", label=name)
axis.set(xlabel="offered load", ylabel="mean flow time in seconds", ylim=(0, None))
axis.legend(frameon=False)
plt.show()"""),
    ("md", """Small requests first means that large ones wait. `kappa` goes between: requests are ordered by arrival plus `kappa` times their
expected work. A scheduler of your own is as short: this one adds a hundredth of a second for each token of the prompt."""),
    ("code", """aged = Policy("aged", priority=lambda r: r.release + 0.01 * r.s, assumed=lambda r, age: age + 1, overflow="latest")
tried = {"fcfs": "fcfs", "aged": aged} | {f"kappa = {kappa}": expected_work(kappa=kappa) for kappa in (1, 3, 10, float("inf"))}
for name, policy in tried.items():
    run = simulate(policy, o, memory, s=s, release=now.release, clock="seconds", preemption="resume")
    print(f"{name:12} mean {run.mean_latency:5.2f} s, p99 {np.quantile(run.flow_times, 0.99):5.1f} s")"""),
    ("md", """## 5. Past requests

With a log, `expected-work` knows from the start what came of prompts like these. It must be another log than the requests that are
scheduled."""),
    ("code", """show(compare(["expected-work"], batch, memory=memory, seeds=1, clock="both", preemption="resume", history=(past.s, past.lengths)))"""),
    ("md", """## 6. How sure is this

Runs of 500 invented requests support and prove nothing about yours. What is proved are the lower bounds. In steps they are theorems
of a ledger:"""),
    ("code", """verify(["lower-bound", "arrivals-lower-bound"], ledger="any-memory")"""),
    ("md", """In seconds they are argued in words, and tested. They say how much any other scheduler, whatever it knows, could gain here:"""),
    ("code", """run = simulate("expected-work", o, memory, s=s, clock="seconds", preemption="resume")
print(f"expected-work is within {run.to_bound:.3f} of the optimum, by the bound {run.bound.name}")"""),
]

NOTEBOOKS = {
    "01-log-theorem": LOG_THEOREM,
    "02-new-distributions": DISTRIBUTIONS,
    "03-simulation": SIMULATION,
    "04-best-blind": BEST_BLIND,
    "05-which-scheduler": WHICH_SCHEDULER,
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
