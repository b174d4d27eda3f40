"""Time the simulator after compilation, and against the reference engine on one instance in the same run.

python benchmarks/process.py [--large]
"""

from __future__ import annotations

import argparse
import datetime
import platform
import time

import numba
import numpy as np

from crtools import simulate


def clock(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true", help="n = 10^6 and uniform lengths with M = 10^6")
    options = parser.parse_args()
    print(
        f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}, Numba {numba.__version__}\n"
    )
    rng = np.random.default_rng(0)
    policies = ("h-sf", "a-random", "a-max", "a-min-literal", "a-min-cohort")
    small = rng.geometric(0.1, 1000)
    print("| policy | n | M | reference | fast | ratio |\n|---|---|---|---|---|---|")
    for policy in policies:
        simulate(policy, small, 500, engine="fast")  # compiles, or reads what was compiled before
        slow, _ = clock(lambda policy=policy: simulate(policy, small, 500, engine="reference"))
        fast, _ = clock(lambda policy=policy: simulate(policy, small, 500, engine="fast"))
        print(f"| {policy} | 1000 | 500 | {slow:.2f} s | {1000 * fast:.1f} ms | {slow / fast:.0f} |", flush=True)
    if not options.large:
        return
    print("\n| policy | lengths | n | M | time | events: cancellations |\n|---|---|---|---|---|---|")
    for name, lengths, memory in (
        ("geometric(0.9)", rng.geometric(0.1, 10**6), 10**5),
        ("uniform(1, 1000)", rng.integers(1, 1001, 10**5), 10**6),
    ):
        for policy in policies:
            seconds, run = clock(lambda p=policy, x=lengths, m=memory: simulate(p, x, m, l=1))
            print(
                f"| {policy} | {name} | {len(lengths):.0e} | {memory:.0e} | {seconds:.2f} s | {run.cancellations} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
