"""Time closed forms and ratios, side by side with SymPy's own summation in one run.

    python benchmarks/closed_forms.py [--limit SECONDS]

SymPy is given the double sum of the geometric law at s = 0, in a process of its own with a time limit.
"""

from __future__ import annotations

import argparse
import datetime
import multiprocessing
import platform
import time

import numpy as np
import sympy as sp

from crtools import Empirical, derive, ratio

LAWS = ("geometric(q)", "linear-geometric(q)", "negative-binomial(r=3, q)", "log-series(q)", "pmf(k**2*q**k)")


def with_sympy(queue: multiprocessing.Queue) -> None:
    i, j = sp.symbols("i j", integer=True, positive=True)
    q = sp.Symbol("q", positive=True)
    entry = i * (j**2 + 2 * i * j - i**2) / (2 * j)
    inner = sp.summation(entry * q**i, (i, 1, j - 1))
    outer = sp.summation(sp.simplify(inner) * q**j, (j, 1, sp.oo))
    queue.put((not outer.has(sp.Sum), str(outer)[:200]))


def clock(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=float, default=60.0)
    options = parser.parse_args()
    print(
        f"{datetime.date.today()}, {platform.machine()}, Python {platform.python_version()}, SymPy {sp.__version__}\n"
    )

    derive("pmf(k*q**k)")  # imports and caches
    seconds, _ = clock(lambda: derive("geometric(q)").ratio)
    queue: multiprocessing.Queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=with_sympy, args=(queue,))
    start = time.perf_counter()
    process.start()
    process.join(options.limit)
    theirs = time.perf_counter() - start
    if process.is_alive():
        process.terminate()
        outcome = f"not done after {options.limit:.0f} s, more than {theirs / seconds:.0f} times as long"
    else:
        closed, text = queue.get() if not queue.empty() else (False, "no result")
        outcome = f"{theirs:.2f} s ({theirs / seconds:.0f} times as long), {'closed' if closed else 'it still contains Sum'}: {text}"
    print(
        f"geometric(q), numerator and denominator, s = 0: derive {seconds:.3f} s (verified); SymPy's summation: {outcome}\n"
    )

    print("| law | s | derive | supremum | value | status |")
    print("|---|---|---|---|---|---|")
    for law in LAWS:
        for s in (0, 5, 100):
            first, found = clock(lambda law=law, s=s: derive(law, s=s))
            second, top = clock(found.supremum)
            print(f"| {law} | {s} | {first:.2f} s | {second:.2f} s | {top.enclosure.middle:.8f} | {top.status} |")

    rng = np.random.default_rng(0)
    lengths = np.minimum(rng.geometric(1e-4, 10**6), 10**5)
    law = Empirical.from_lengths(lengths)
    seconds, value = clock(lambda: ratio("a-min", law).value)
    print(f"\nratio of an empirical law, 10^6 samples, u = {lengths.max()}: {seconds:.2f} s (floats), {value:.6f}")
    seconds, enclosure = clock(lambda: ratio("a-min", "geometric(q=999/1000)").enclosure(30))
    print(
        f"30 certified digits of geometric(q=999/1000): {seconds:.2f} s, relative width {enclosure.relative_width():.1e}"
    )


if __name__ == "__main__":
    main()
