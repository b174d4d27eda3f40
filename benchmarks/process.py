"""Time the simulator after compilation, and against the reference engine on one instance in the same run; then
a policy of one's own against ours with the same rules.

python benchmarks/process.py [--large]
"""

from __future__ import annotations

import argparse
import datetime
import platform
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from operator import itemgetter

import numba
import numpy as np

from crtools import simulate
from crtools.process import POLICIES as ADAPTIVE

POLICIES = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort")
LARGE = (("geometric(0.9)", 10**6, 10**5), ("uniform(1, 1000)", 10**5, 10**6))


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
        "\n| rules of one's own | n | M | cancellations | as a table | by the loop of ours | ratio |\n|---|---|---|---|---|---|---|"
    )
    for n in (2000, 6000):
        lengths = np.random.default_rng(3).integers(1, 101, n)
        own, name = replace(ADAPTIVE["a-restart"], name="own", kernel=None), "a-restart"
        runs = [partial(simulate, policy, lengths, 2000, s=2, l=1, u=100, engine="fast") for policy in (own, name)]
        (one, found), (two, _) = (min((clock(run) for _ in range(6)), key=itemgetter(0)) for run in runs)
        row = f"{name} | {n} | 2000 | {found.cancellations} | {1000 * one:.1f} ms | {1000 * two:.1f} ms"
        print(f"| {row} | {one / two:.0f} |", flush=True)
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
