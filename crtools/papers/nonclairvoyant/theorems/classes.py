"""Killing and restarting at the lengths b^k without an offset: classes of sizes, and the Toeplitz matrix of b^(−|k−m|/2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product

import sympy as sp

from crtools.papers.nonclairvoyant.machine import scaling, threshold
from crtools.papers.nonclairvoyant.theorems.pairs import optimum, pairs_total, small
from crtools.proof.builder import Proof
from crtools.proof.theorem import Theorem, kept

a, b, r, y = sp.symbols("a b r y", positive=True)

RATIO = 1 + 2 * y**3 / (y**2 - 1)
LARGEST_EIGENVALUE = (y + 1) / (y - 1)
"""The ratio and the limit of the largest eigenvalue, with y = √b."""


def _ones(size: int, r: float) -> bool:
    """Return whether the mean of the rows' sums is within what the ends of the rows may lack."""
    mean = sum(r ** abs(i - j) for i in range(size) for j in range(size)) / size
    lacks = 2 * r / (size * (1 - r) ** 2)
    return (1 - r**size) * lacks / 2 <= (1 + r) / (1 - r) - mean <= lacks


def toeplitz() -> Theorem:
    """The largest eigenvalue of the m × m matrix of r^|i−j| is at most (1+r)/(1−r) and tends to it."""
    first, second = sp.symbols("z w")
    proof = Proof(
        "Toeplitz",
        "every $b > 1$, $y = √b$, $r = 1/y$, the $m × m$ matrix $T_m = (r^{|i−j|})$; reached: as $m → ∞$",
        r"\lambda_{\max}(T_m) \le \frac{y+1}{y-1} = \lim_{m\to\infty} \lambda_{\max}(T_m)",
    )
    proof.identity("2zw = z² + w² − (z − w)²", 2 * first * second, first**2 + second**2 - (first - second) ** 2)
    proof.identity("the symbol Σ r^|t| e^{itθ} is largest at θ = 0", 1 + 2 * r / (1 - r), (1 + r) / (1 - r))
    proof.therefore(
        r"z^\top T_m z \le \sum_{i,j} r^{|i-j|} \tfrac12 (z_i^2 + z_j^2) \le \frac{1+r}{1-r} \sum_i z_i^2",
        name="at most",
    )
    proof.argued(
        r"\lambda_{\max}(T_m) \ge \frac1m \mathbf 1^\top T_m \mathbf 1 \ge \frac{1+r}{1-r} - \frac{2r}{m(1-r)^2}",
        "row i lacks r^i/(1−r) on the left and r^(m+1−i)/(1−r) on the right.",
        test=lambda: next((f"at m = {m}, r = {q}" for m in range(1, 13) for q in (0.5, 0.7) if not _ones(m, q)), None),
        tested="$m ≤ 12$, $r$ = 0.5 and 0.7, from both sides",
        name="reached",
    )
    proof.identity("with r = 1/y", (1 + 1 / y) / (1 - 1 / y), LARGEST_EIGENVALUE)
    return proof.therefore(r"\lambda_{\max}(T_m) \to \frac{y+1}{y-1}").qed()


Job = tuple[Fraction, Fraction]
"""A size, and the least length b^k at which it completes."""


def worst_total(jobs: Iterable[Job], base: int) -> Fraction:
    """Return Σ C_j for the worst order, by jobs and pairs."""
    ordered = sorted(jobs)
    total = sum((size + end / (base - 1) for size, end in ordered), Fraction(0))
    for (size, end), (longer, later) in combinations(ordered, 2):
        total += 2 * end / (base - 1) + (end + size if end < later else longer)
    return total


def _pairs_wrong() -> str | None:
    for sizes, base, above in product(small(), (2, 3), (False, True)):
        jobs = [Fraction(size, 2) for size in reversed(sizes)]
        worst = worst_total([(p, threshold(p, base, just_above=above)) for p in jobs], base)
        runs = [sum(scaling(order, base, [1] * len(jobs), just_above=above)) for order in permutations(jobs)]
        if runs[0] != worst or max(runs) != worst:
            return f"at sizes {jobs} and b = {base}"
    return None


def _layers_wrong() -> str | None:
    """Compare both totals with the means of those of the layers, between every two places where a job changes."""
    for sizes in combinations_with_replacement([Fraction(k, 4) for k in range(5, 17)], 3):
        jobs = [(p, threshold(p, 2)) for p in sizes]
        shares = [2 * p / end - 1 for p, end in jobs]
        places = sorted({Fraction(0), *shares, Fraction(1)})
        layers = [
            [(end if share > low else end / 2, end) for share, (_, end) in zip(shares, jobs, strict=True)]
            for low in places[:-1]
        ]
        widths = [high - low for low, high in pairwise(places)]
        totals: tuple[Callable[[list[Job]], Fraction], ...] = (
            lambda layer: worst_total(layer, 2),
            lambda layer: pairs_total([p for p, _ in layer]),
        )
        for total in totals:
            if total(jobs) != sum(width * total(layer) for width, layer in zip(widths, layers, strict=True)):
                return f"at sizes {sizes}"
    return None


def scaling_ratio() -> Theorem:
    """Without an offset the ratio is at most 1 + 2b^(3/2)/(b−1) at every n, and no less as n → ∞."""
    end = a * b
    same, apart = 2 * end / (b - 1), 2 * end / (b - 1) + end
    later, further = same.subs(a, end), apart.subs(a, end)
    proof = Proof(
        "b-scaling",
        "every $b > 1$, $y = √b$, the worst order of the jobs; at most: every $n$, all sizes $> 0$; reached: as $n → ∞$",
        r"\sup \frac{\sum C_j}{\mathrm{OPT}} = 1 + \frac{2 b^{3/2}}{b-1}",
    ).cite(kept(optimum), kept(toeplitz))
    proof.argued(
        r"N_{ij} = \frac{2T}{b-1} + (T + p_i) [T < T_j] + p_j [T = T_j] \quad (p_i \le p_j,\ T = \min\{b^k \ge p_i\})",
        "Both have been tried with all lengths below T, which take T/(b−1) each. In the round of T the longer one comes first, in "
        "the worst order of each pair, and of all pairs at once if longer jobs come first: it takes T, or completes.",
        test=_pairs_wrong,
        tested="all jobs with $n ≤ 4$ and sizes ½, 1, 3/2, or just above, $b = 2$ and 3, all orders",
    )
    proof.argued(
        r"\sum C_j = \int_0^1 \sum C_j^{(s)}\,ds,\quad \mathrm{OPT} = \int_0^1 \mathrm{OPT}^{(s)}\,ds,\quad p_j^{(s)} \in \{a_j, b a_j\}",
        "p_j lies between a_j = T_j/b and T_j; in layer s it is T_j if it is more than s of the way, else a_j. With the T_j held, "
        "sums, min and max of sizes in one class are the means of those of the layers.",
        test=_layers_wrong,
        tested="three jobs with sizes from 5/4 to 4 in steps of ¼, $b = 2$",
        name="layers",
    )
    proof.nonnegative(
        "a size T = ab that counts as just above T, so in the next class, costs no less: beside size a in its class",
        apart + a - (same + end),
        (a, 0),
        (b, 1),
    )
    proof.nonnegative("beside another size T", later + end - (same + end), (a, 0), (b, 1))
    proof.nonnegative("beside a job just above T", later + end - (apart + end), (a, 0), (b, 1))
    proof.nonnegative("beside a job of a later class", further + end - (apart + end), (a, 0), (b, 1))
    proof.therefore(
        r"p_j = b^{k_j - 1} \text{ or just above, in the worst case}",
        "beside an earlier class nothing changes",
        name="sizes",
    )
    proof.identity("with a = b^(k−1): off the diagonal b a more than on it", (apart + a) - (same + a), b * a)
    proof.identity(
        "half the cost of a pair with itself leaves half of a job's size", a + end / (b - 1) - (same + a) / 2, a / 2
    )
    proof.therefore(
        r"\sum_{i,j} N_{ij} = c D - b \sum_k a_k x_k^2 \le \Bigl(c - b \frac{y-1}{y+1}\Bigr) D, \quad c = \frac{2b}{b-1} + b + 1",
        "D = Σ min(p_i, p_j) = Σ z_k z_m b^(−|k−m|/2) for x_k jobs in class k and z_k = √a_k x_k.",
        name="eigenvalue",
    )
    proof.identity("which is the ratio", (2 * b / (b - 1) + b + 1 - b * (y - 1) / (y + 1)).subs(b, y**2), RATIO)
    return proof.therefore(
        r"\sum C_j = \frac12 \sum_{i,j} N_{ij} + \frac12 \sum_j p_j \le \Bigl(1 + \frac{2 b^{3/2}}{b-1}\Bigr) \mathrm{OPT}",
        "OPT is D/2 and the same half of the sizes. It is reached as the eigenvalue is: shares z_k = 1 on more and more classes.",
    ).qed()


def least_scaling() -> Theorem:
    """1 + 2b^(3/2)/(b−1) is least at b = 3, where it is 1 + 3√3."""
    root = sp.Symbol("w", positive=True)  # w² = 3
    proof = Proof(
        "the best b",
        "every $b > 1$, $y = √b$",
        r"1 + \frac{2b^{3/2}}{b-1} \ge 1 + 3\sqrt3, \text{ with equality at } b = 3 \text{ only}",
    )
    proof.identity(
        "the gap, times b − 1 > 0, w = √3: a square times 2y + w, as w² = 3",
        2 * y**3 - 3 * root * (y**2 - 1),
        (y - root) ** 2 * (2 * y + root) - root * (root**2 - 3),
    )
    return proof.therefore(
        r"1 + \frac{2b^{3/2}}{b-1} \ge 1 + 3\sqrt3, \text{ with equality at } y = \sqrt3 \text{ only}"
    ).qed()
