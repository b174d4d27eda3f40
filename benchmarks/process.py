"""Time the simulator after compilation: against the reference engine, and rules of one's own against ours, side by side.

Times of the second table are processor seconds, the least of several runs; "first run" is that of a policy whose rules are
compiled for the first time, in this process, with the loop of the engine read from disk.

python benchmarks/process.py [--large]
"""

from __future__ import annotations

import argparse
import datetime
import math
import platform
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import numba
import numpy as np

from crtools import simulate
from crtools.process import POLICIES as ADAPTIVE

POLICIES = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort")
LARGE = (("geometric(0.9)", 10**6, 10**5), ("uniform(1, 1000)", 10**5, 10**6))


TABLE = list(range(2000))
OWN = (
    ("h-sf", {}),
    ("a-max", {"fixed": False}),
    ("a-min-literal", {}),
    ("a-min-literal", {"priority": lambda r: TABLE[r.bound]}),
    ("a-min-literal", {"assumed": lambda r, age: max(int(math.sqrt(r.bound * r.bound) + 0.5), age + 1)}),
    ("a-min-cohort", {}),
    ("a-min-cohort", {"cancel": lambda r, age, draw: (
        max(r.bound, age + 1) if age >= r.bound and max(draw(), draw()) < (r.s + age + 1) ** -0.5 else None
    )}),
    ("a-ell", {}),
    ("a-restart", {}),
    ("fcfs", {}),
    ("a-offset", {}),
)  # fmt: skip
"""Rules of one's own: those of a policy of ours, some with a lookup in a list, a root, or two draws in the place of one."""


def cpu(function, times):
    """Return the least processor seconds of several calls, and the result."""
    best = math.inf
    for _ in range(times):
        start = time.process_time()
        result = function()
        best = min(best, time.process_time() - start)
    return best, result


def clock(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def drawn(name, n):
    rng = np.random.default_rng(0)
    return rng.geometric(0.1, n) if name.startswith("geometric") else rng.integers(1, 1001, n)


def large_run(policy, name, n, memory):
    """In a process of its own: the seconds of one run after compilation, the run, and the process's peak in GiB."""
    simulate(policy, drawn(name, 1000), 2000, l=1, engine="fast")
    lengths = drawn(name, n)
    seconds, run = clock(lambda: simulate(policy, lengths, memory, l=1))
    return seconds, run.cancellations, run.to_volume, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true", help="n = 10^6 and uniform lengths with M = 10^6")
    options = parser.parse_args()
    print(
        f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}, Numba {numba.__version__}\n"
    )
    small = drawn("geometric(0.9)", 1000)
    print("| policy | n | M | reference | fast | ratio |\n|---|---|---|---|---|---|")
    for policy in POLICIES:
        simulate(policy, small, 500, engine="fast")  # compiles, or reads what was compiled before
        slow, _ = clock(lambda policy=policy: simulate(policy, small, 500, engine="reference"))
        fast, _ = clock(lambda policy=policy: simulate(policy, small, 500, engine="fast"))
        print(f"| {policy} | 1000 | 500 | {slow:.2f} s | {1000 * fast:.1f} ms | {slow / fast:.0f} |", flush=True)
    print(
        "\n| rules of one's own | n | cancellations | ours | own | ratio | first run |\n|---|---|---|---|---|---|---|"
    )
    for name, rules in OWN:
        own = replace(ADAPTIVE[name], **{"name": "own", "kernel": None, **rules})
        lengths = np.random.default_rng(3).integers(1, 101, 20_000)
        lengths = np.where(lengths > 50, 100, 1) if name == "a-ell" else lengths
        first, _ = cpu(partial(simulate, own, lengths[:500], 3000, s=2, l=1, u=100, engine="fast"), 1)
        runs = [partial(simulate, policy, lengths, 3000, s=2, l=1, u=100, engine="fast") for policy in (name, own)]
        (one, _), (two, found) = (cpu(run, 6) for run in runs)
        what = name + ", ".join(["", *(f"own {rule}" for rule in rules)])
        row = f"{what} | 20000 | {found.cancellations} | {1000 * one:.1f} ms | {1000 * two:.1f} ms"
        print(f"| {row} | {two / one:.1f} | {first:.1f} s |", flush=True)
    if not options.large:
        return
    print("\n| policy | lengths | n | M | time | cancellations | TEL / volume bound | peak memory of the process |")
    print("|---|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as one:
        for name, n, memory in LARGE:
            for policy in POLICIES:
                seconds, cancelled, ratio, peak = one.submit(large_run, policy, name, n, memory).result()
                shape = f"{policy} | {name} | {n:.0e} | {memory:.0e}"
                print(f"| {shape} | {seconds:.2f} s | {cancelled} | {ratio:.3f} | {peak:.2f} GiB |", flush=True)


if __name__ == "__main__":
    main()
