"""A family at which refined intervals make the literal A_min slower in the mean, and faster at no draw."""

from __future__ import annotations

import sympy as sp

from crtools.process import simulate
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem

m, X, Y = sp.symbols("m X Y", positive=True)


def _totals(worse: int = 0) -> str | None:
    for size in (1, 2, 3):
        lengths = [2] * 3 * size + [3] * 3 * size
        for seed in range(10):
            single = simulate("a-min-literal", lengths, 12 * size, 1, 1, 3, seed=seed, history=True)
            assert single.cancelled is not None
            first = single.cancelled.request[single.cancelled.start == 0]
            short = sum(lengths[request] == 2 for request in first)
            refined = simulate(
                "a-min-literal", lengths, 12 * size, 1, [1 if o == 2 else 3 for o in lengths], lengths, seed=seed
            )
            expected = (19 * size + 2 * max(short - size, 0) + worse, 21 * size)
            if (single.total_latency, refined.total_latency) != expected:
                return f"m = {size}, seed {seed}: {single.total_latency} and {refined.total_latency}, not {expected}"
    return None


def refinement_hurts() -> Theorem:
    """At s = 1, M = 12m, 3m requests of length 2 and 3m of length 3: [1, 3] against [1, 2], [3, 3], for every m ≥ 1.

    X of the 2m requests that the single interval cancels have length 2 (hypergeometric, mean m). TEL is 15m, the
    sum of the lengths, plus the sum of the last starts.
    """
    later = 2 * m  # the cancelled requests: they start at 2 where there is room, the others at 3
    room = 4 * m - 2 * (m + Y)
    proof = Proof("refined intervals can hurt", "the literal A_min, s = 1, M = 12m, n = 6m, every m ≥ 1")
    proof.identity("at t = 0 all 6m requests need M at t = 1", 6 * m * (1 + 1), 12 * m)
    proof.identity("at t = 1 only 4m of them fit until t = 2: 2m are cancelled", 4 * m * (1 + 2), 12 * m)
    proof.identity(
        "refined (õ = 1 for length 2, õ = 3 for length 3): all 2m cancelled have length 2; the 3m of length 3 fill M "
        "until t = 3, where the 2m start",
        3 * m * (1 + 3),
        12 * m,
    )
    proof.argued(
        r"\mathrm{TEL}(\text{refined}) = 21m,\quad \mathrm{TEL}(\text{single}) = 19m + 2\max(X-m,0)",
        "what the identities beside this count: all start at 0; at t = 1 the bounds of those with õ = 1 are the smallest, so they are "
        "cancelled first, among equals by drawing; who has been cancelled starts as soon as it fits",
        test=_totals,
        tested="m = 1, 2, 3 and ten draws each",
        name="totals",
    )
    proof.identity("refined, in total", 15 * m + 3 * later, 21 * m)
    proof.identity(
        "single: at t = 2 the m + X of length 3 hold 4 each at t = 3; the rest holds 2 for each that starts",
        (12 * m - 4 * (m + X)) / 2,
        4 * m - 2 * X,
    )
    proof.identity("if X ≤ m, all 2m start at 2", 15 * m + 2 * later, 19 * m)
    proof.identity(
        "if X = m + Y, 4m − 2X start at 2 and the others at 3",
        15 * m + 2 * room + 3 * (later - room),
        19 * m + 2 * Y,
    )
    proof.identity(
        "the variance of X: 2m draws without replacement among 6m, of which half",
        2 * m * sp.Rational(1, 4) * (6 * m - 2 * m) / (6 * m - 1),
        2 * m**2 / (6 * m - 1),
    )
    proof.therefore(
        r"E\,\mathrm{TEL}(\text{single}) = 19m + 2E\max(X-m,0) \le 19m + \sqrt{2m^2/(6m-1)}",
        "E max(X − m, 0) = ½ E|X − m|, at most half the standard deviation of X",
    )
    proof.nonnegative("X ≤ 2m: no draw is worse than the refined intervals", 21 * m - 19 * m - 2 * Y, (Y, 0), m >= Y)
    proof.therefore(
        r"\frac{\mathrm{TEL}(\text{refined})}{E\,\mathrm{TEL}(\text{single})} \ge "
        r"\frac{21}{19+\sqrt{2/(6m-1)}} \to \frac{21}{19}"
    )
    return proof.qed()
