"""Time the worst case against SciPy's dense generalised eigenvalue solver, side by side in one run.

    python benchmarks/worst_case.py [--large]

Each row of the first table alternates the two solvers and prints the median time of each and the median of the
paired ratios. ``--large`` adds u = 10^7 and 10^8, each in a process of its own, with its peak memory.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy.linalg

from crtools import Setting, form, worst_case

SINGLE = """
import sys, time
import crtools
s, u, digits = map(int, sys.argv[1:])
crtools.worst_case("a-min", 1, 50, s).value
start = time.perf_counter()
enclosure = crtools.worst_case("a-min", 1, u, s).enclosure(digits)
seconds = time.perf_counter() - start
peak = "?"
try:  # ru_maxrss would be that of the process that started this one, where that was larger
    peak = f"{int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0]) / 2**20:.2f}"
except OSError:
    pass
print(seconds, peak, enclosure.relative_width(), enclosure.method, sep="|")
"""


def clock(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def against_dense(s: int, u: int, rounds: int) -> None:
    setting = Setting(s, 1, u)
    a, b = (form(name).on(setting).matrix(float) for name in ("a-min", "h-sf"))
    last = u - 1
    dense, ours, ratios = [], [], []
    for _ in range(rounds):
        t_dense, top = clock(lambda: scipy.linalg.eigh(a, b, eigvals_only=True, subset_by_index=[last, last])[0])
        runs = [clock(lambda: worst_case("a-min", 1, u, s).value) for _ in range(9)]
        t_ours = statistics.median(t for t, _ in runs)
        dense.append(t_dense)
        ours.append(t_ours)
        ratios.append(t_dense / t_ours)
    difference = abs(runs[0][1] - top) / top
    print(
        f"| {u} | {s} | {statistics.median(dense):.3f} s | {1000 * statistics.median(ours):.2f} ms "
        f"| {statistics.median(ratios):.0f} | {difference:.1e} |"
    )


def single(s: int, u: int, digits: int) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SINGLE, str(s), str(u), str(digits)], capture_output=True, text=True, check=True
    )
    seconds, memory, width, method = run.stdout.strip().split("|")
    print(
        f"| {u:.0e} | {s} | {digits} | {float(seconds):.2f} s | {memory} GiB | {float(width):.1e} | {method} |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    print(
        f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}\n"
    )
    print("| u | s | scipy.linalg.eigh(A, B, subset_by_index) | worst_case(…).value | ratio | relative difference |")
    print("|---|---|---|---|---|---|")
    for u in (2000, 4000):
        for s in (0, 1000):
            against_dense(s, u, options.rounds)
    print("\n| u | s | digits | time | peak memory | relative width | method |")
    print("|---|---|---|---|---|---|---|")
    for s, u, digits in (
        (0, 200, 50),
        (0, 10**5, 11),
        (0, 10**5, 25),
        (1000, 10**5, 25),
        (0, 10**6, 10),
        (1000, 10**6, 10),
    ):
        single(s, u, digits)
    if options.large:
        for s, u in ((0, 10**7), (1000, 10**7), (0, 10**8)):
            single(s, u, 10)


if __name__ == "__main__":
    main()
