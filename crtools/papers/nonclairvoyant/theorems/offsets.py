"""Killing and restarting at the lengths b^(k + U): one offset U for all jobs and a random order, or own offsets.

Both costs of a pair are means of min(e^f x, e^g y). A sum of these over all pairs is at most e^((f+g)/2) times the sum of
min(x, y), and the same sizes come near that for all f and g: the ratio of each policy is its mean of e^((f+g)/2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import exp, factorial, log

import sympy as sp

from crtools.blind.least import cost
from crtools.papers.nonclairvoyant.machine import Sizes, scaling, threshold
from crtools.papers.nonclairvoyant.theorems.pairs import SMALL, optimum, small
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept

b, y = sp.symbols("b y", positive=True)
"""The base, and its root."""

COMMON = (2 * y + 1 - 1 / y) / (2 * sp.log(y))
OWN = cost(y, sp.log(y))
"""The two ratios."""

READING = "every $b > 1$, $L = ln b$, $y = √b$; at most: every $n$, all sizes $> 0$; reached: as $n → ∞$"


TAIL = [min(10**4, (200 / (k + 0.5)) ** 2) for k in range(200)]


def stretches(sizes: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Iterate over u, v and Σ min(u² p_i, v² p_j) / Σ min(p_i, p_j), sums over all i and j."""
    whole = sum(min(pair) for pair in product(sizes, repeat=2))
    for u, v in product((1, 2, 3), repeat=2):
        yield u, v, sum(min(u * u * one, v * v * two) for one, two in product(sizes, repeat=2)) / whole


def _not_reached() -> str | None:
    for u, v, quotient in stretches(TAIL):
        bound = u * v * (log(TAIL[0]) - 2 * abs(log(u / v))) / (1 + log(TAIL[0]))
        if not 0.98 * bound <= quotient <= u * v * (1 + 1e-9):
            return f"at u = {u}, v = {v}: {quotient}"
    return None


def stretched() -> Theorem:
    """For all f and g: Σ min(e^f p_i, e^g p_j) ≤ e^((f+g)/2) Σ min(p_i, p_j), and the factor is reached."""
    u, v, first, second = sp.symbols("u v A B")
    above = [(symbol, 0) for symbol in (u, v, first, second)]
    gap = v**2 * first**2 + u**2 * second**2 - 2 * u * v * first * second
    proof = Proof(
        "stretched minima",
        "all real $f$, $g$, every $n$, all sizes $> 0$, sums over all $i$ and $j$; $u = e^{f/2}$, $v = e^{g/2}$",
        r"\sum_{i,j} \min(e^f p_i, e^g p_j) \le e^{(f+g)/2} \sum_{i,j} \min(p_i, p_j)",
    )
    proof.nonnegative("2uv AB ≤ v²A² + u²B²", gap, *above, squares=(v * first - u * second,))
    proof.argued(
        r"\sum_{i,j} \min(u^2 p_i, v^2 p_j) = \int F(t/u^2) F(t/v^2)\,dt \le u v \int F(t)^2\,dt",
        "F(t) is the number of jobs longer than t, and min(a, b) = ∫ 1[t < a] 1[t < b] dt. A and B are the two factors, and "
        "∫F(t/u²)² dt is u² ∫F².",
        test=lambda: next((f"at {sizes}" for sizes in small() if any(q > u * v for u, v, q in stretches(sizes))), None),
        tested=f"{SMALL}, $u$ and $v$ up to 3",
        name="at most",
    )
    return proof.argued(
        r"\frac{\int F(t/u^2) F(t/v^2)\,dt}{\int F(t)^2\,dt} \ge u v\,\frac{\ln R - |f - g|}{1 + \ln R} \to u v",
        "F(t) = 1 up to 1 and t^(−1/2) up to R: the product is uv/t from max(u², v²) to R min(u², v²), and ∫F² = 1 + ln R. "
        "Jobs whose shares come near F come near the quotient, and R is as large as one likes.",
        test=_not_reached,
        tested=f"{len(TAIL)} jobs at the quantiles of $t^{{−1/2}}$, $R$ = {TAIL[0]}, $u$ and $v$ up to 3, up to 2 %",
        name="reached",
    ).qed()


# ---- the runs, with the offsets given ----------------------------------------------------------------------------------

GRID = [(base, offsets) for base in (2, 3) for offsets in product((1, Fraction(5, 4), Fraction(7, 5)), repeat=3)]
GRID_WORDS = "all jobs with $n ≤ 3$ and sizes up to 3, $b = 2$ and 3, offsets 1, 5/4 and 7/5 in all ways"


def delay(waits: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction], base: int) -> Fraction:
    """Return Σ min(p, c) over the lengths c < C, c < b p, of a job (size p, offset): what it delays one that completes at C.

    ``waits`` is (size, offset) of the job that waits, C the least of its lengths that is at least its size.
    """
    end, last = threshold(waits[0], base, waits[1]), threshold(other[0], base, other[1])
    if last < end:
        return other[0] + last / (base - 1)
    return threshold(end, base, other[1]) / (base - 1)


def own_total(sizes: Sizes, offsets: Sizes, base: int) -> Fraction:
    """Return Σ C_j by jobs and pairs; no two jobs have a length in common."""
    jobs = [(Fraction(p), Fraction(o)) for p, o in zip(sizes, offsets, strict=False)]
    alone = sum((p + threshold(p, base, o) / (base - 1) for p, o in jobs), Fraction(0))
    return alone + sum((delay(one, two, base) for one, two in permutations(jobs, 2)), Fraction(0))


def _own_wrong() -> str | None:
    for sizes, (base, offsets) in product(small(3), GRID):
        different = len({*offsets[: len(sizes)]}) == len(sizes)
        if different and sum(scaling(sizes, base, offsets[: len(sizes)])) != own_total(sizes, offsets, base):
            return f"at sizes {sizes}, offsets {offsets} and b = {base}"
    return None


def common_pair(one: int, two: int, offset: int | Fraction, base: int) -> Fraction:
    """Return what two jobs of sizes one ≤ two delay each other, the mean over both orders."""
    end, later = threshold(one, base, offset), threshold(two, base, offset)
    last = one + end / 2 if end < later else Fraction(one + two, 2)
    return 2 * end / (base - 1) + last


def _common_wrong() -> str | None:
    for sizes, (base, offsets) in product(small(3), GRID):
        own = sum(p + threshold(p, base, offsets[0]) / (base - 1) for p in sizes)
        pairs = sum((common_pair(one, two, offsets[0], base) for one, two in combinations(sizes, 2)), Fraction(0))
        runs = [sum(scaling(order, base, [offsets[0]] * len(order))) for order in permutations(sizes)]
        if sum(runs) != (own + pairs) * factorial(len(sizes)):
            return f"at sizes {sizes}, offset {offsets[0]} and b = {base}"
    return None


def _means_differ() -> str | None:
    places = [(k + 0.5) / 2000 for k in range(2000)]
    for base, end in product((2, 4), (0.125, 0.7, 1.3, 1.9, 3.1, 8, 32)):  # the size is 1
        span = log(base)
        last = max(0.0, log(min(end, base)))
        tried = min(end, 1) + last  # ∫ dc up to the size, ∫ dc/c from there on
        mean = sum(min(end, exp(span * t)) * exp(-span * t) for t in places) * span / 2000 + min(end, base) / base
        if abs(tried - mean) > 1e-3:
            return f"for C = {end} and b = {base}: {tried} and {mean}"
    return None


# ---- the two ratios --------------------------------------------------------------------------------------------------

REACHED = (
    "OPT is the same with min in place of N; the ratio is above 1, as N is above min on the diagonal. It is reached, as that of "
    "each stretched minimum is, by the same sizes."
)


def own_offsets() -> Theorem:
    """With own offsets the ratio is at most (y−1)(2y−1)/(y ln² y) at every n, and no less as n → ∞."""
    f, g, v, z, sigma, span = sp.symbols("f g v z sigma L")
    proof = Proof(
        "own offsets",
        READING,
        r"\sup \frac{E \sum C_j}{\mathrm{OPT}} = \frac{(y-1)(2y-1)}{y \ln^2 y}",
    ).cite(kept(optimum), kept(stretched))
    proof.argued(
        r"i \text{ waits for } j: \sum_{c < C_i,\ c < b p_j} \min(p_j, c), \quad c = b^{k + U_j},\ C_i = \min\{b^{k+U_i} \ge p_i\}",
        "All attempts go in the order of their lengths. Job i completes at its first length that is at least its size; before, "
        "j has been tried with its shorter lengths, and is gone after the first that is at least its own size.",
        test=_own_wrong,
        tested=GRID_WORDS,
    )
    proof.therefore(
        r"E[\,\cdot \mid C_i] = \frac1L \int_0^{\min(C_i, b p_j)} \min(p_j, c)\,\frac{dc}{c}, \quad C_i = p_i e^f",
        "the lengths of j have the density 1/(L c), and f is uniform on (0, L), independent of them.",
        name="mean",
    )
    proof.integral("from its size on each length takes p: ∫ p dc/c, with c = p e^v", 1, (v, 0, sigma), sigma)
    proof.argued(
        r"E[\,\cdot \mid C_i] = \frac1L E \min(C_i, p_j e^g), \quad P(g > t) = e^{-t}\ (t < L),\ g \le L",
        "for C = p e^σ: C if σ ≤ 0, as g ≥ 0; for 0 ≤ σ ≤ L the density e^(−t) and p e^t give p σ, and what is left C e^(−σ) = p; for "
        "σ ≥ L the same with L for σ.",
        test=_means_differ,
        tested="$b = 2$ and 4, $C$ from $p/8$ to $8 b p$, by sums over 2000 places",
        name="minima",
    )
    proof.integral("E e^{f/2}: L⁻¹ ∫ e^{f/2} df, with v = e^{f/2} and df = 2 dv/v", 2, (v, 1, y), 2 * (y - 1))
    proof.integral("E e^{g/2}: ∫ e^{−g/2} dg, with v = e^{−g/2}; to z = 1/y, and z at g = L", 2, (v, z, 1), 2 * (1 - z))
    proof.identity(
        "both jobs of a pair wait: 2/L times the product of the two means, L = 2 ln y",
        2 / (2 * span) * (2 * (y - 1) / (2 * span)) * (2 * (1 - 1 / y) + 1 / y),
        (y - 1) * (2 * y - 1) / (y * span**2),
    )
    proof.integral("own attempts that fail take p/L in the mean: ∫ c dc/(L c) up to p", 1, (v, 0, g), g)
    proof.integral("a pair of equal sizes costs p (2/L²) ∫ (1 + f) df", 1 + f, (f, 0, span), span + span**2 / 2)
    proof.identity(
        "so half the cost of a pair with itself is 1/L + ½, and what is left of a job's own 1 + 1/L is ½",
        1 + 1 / span - (2 / span**2) * (span + span**2 / 2) / 2,
        sp.Rational(1, 2),
    )
    return proof.therefore(
        r"E \sum C_j = \frac12 \sum_{i,j} N_{ij} + \frac12 \sum_j p_j \le \frac{(y-1)(2y-1)}{y \ln^2 y}\,\mathrm{OPT}",
        REACHED,
    ).qed()


def common_offset() -> Theorem:
    """With one offset and a random order the ratio is at most (2b + √b − 1)/(√b ln b) at every n, and no less as n → ∞."""
    r, v, z, t, span = sp.symbols("r v z t L")
    B = y**2
    proof = Proof(
        "one offset",
        READING,
        r"\sup \frac{E \sum C_j}{\mathrm{OPT}} = \frac{2b + \sqrt b - 1}{\sqrt b \ln b}",
    ).cite(kept(optimum), kept(stretched))
    proof.argued(
        r"N_{ij} = \frac{2T}{b-1} + p_i + \frac{T}{2} [T < p_j] + \frac{p_j - p_i}{2} [T \ge p_j] \quad"
        r"(p_i \le p_j,\ T = \min\{b^{k+U} \ge p_i\})",
        "Both have been tried with all lengths below T, which take T/(b−1) each. With T job i completes, and j, where it comes "
        "first, has taken T, or has completed; with even chances.",
        test=_common_wrong,
        tested=f"{GRID_WORDS}; the mean over all orders",
    )
    proof.integral("T is p_i e^f with f uniform on (0, L): E T = p_i (b−1)/L", 1, (v, 1, B), B - 1)
    within = 2 + span + (r - 1) / 2 + (r - 1) * (span - t) / 2
    beyond = 2 + span + (B - 1) / 2
    proof.therefore(
        r"L\,E N = 2 + L + \tfrac12 (r-1) + \tfrac12 (r-1)(L - t)\ (r = e^t \le b), \quad 2 + L + \tfrac12 (b-1)\ (r \ge b)",
        "for sizes 1 and r, as N is T·2/(b−1) + 1 and T/2 below r or (r − 1)/2 from r on.",
        name="mean",
    )
    proof.integral("∫ e^f df over (0, t), with v = e^f; r = e^t", 1, (v, 1, r), r - 1)
    proof.integral("∫ e^{−f} df over (0, t), with v = e^{−f}; to z = 1/r", 1, (v, z, 1), 1 - z)
    small_ones = span + 1 - 1 / B  # ∫ (1 + e^{−f}) min(1, e^f r) over (0, L)
    proof.identity(
        "a mean of stretched minima, up to r = b: 1, then ½ (1 + e^{−f}) on both sides, then ½ at f = L",
        1 + small_ones / 2 + ((r - 1) + t + r * (span - t) + r * (1 / r - 1 / B)) / 2 + (1 / B + r / B) / 2,
        within,
    )
    proof.identity("and from there on", 1 + small_ones / 2 + ((B - 1) + span) / 2 + (1 / B + 1) / 2, beyond)
    proof.therefore(
        r"L\,E N_{ij} = M_0 + \int_0^L (1 + e^{-f}) M_f\,df + e^{-L} M_L,"
        r"\quad M_f = \tfrac12 \min(e^f p_i, p_j) + \tfrac12 \min(p_i, e^f p_j)",
        name="minima",
    )
    proof.integral("∫ e^{f/2} df, with v = e^{f/2}", 2, (v, 1, y), 2 * (y - 1))
    proof.integral("∫ e^{−f/2} df, with v = e^{−f/2}; to z = 1/y", 2, (v, z, 1), 2 * (1 - z))
    proof.identity(
        "each M_f is stretched by e^{f/2}; together, with L = 2 ln y",
        (1 + 2 * (y - 1) + 2 * (1 - 1 / y) + y / B) / (2 * span),
        (2 * B + y - 1) / (y * 2 * span),
    )
    proof.identity(
        "half the cost of a pair with itself, ½ + 1/L, leaves ½ of a job's own 1 + 1/L",
        1 + 1 / span - (2 + span) / (2 * span),
        sp.Rational(1, 2),
    )
    return proof.therefore(
        r"E \sum C_j = \frac12 \sum_{i,j} N_{ij} + \frac12 \sum_j p_j \le \frac{2b + \sqrt b - 1}{\sqrt b \ln b}\,\mathrm{OPT}",
        REACHED,
    ).qed()
