"""Second computations of bounds on kill and restart and on Algorithm 2: plain sums over phases and requests.

They share no code with ``bounds``; claims thm-optimality and thm-two-point compare the two.
"""

from __future__ import annotations

from fractions import Fraction

from crtools.papers.adaptive.literal.forms import determinant


def restart_sum(tails: list[Fraction], l: int, u: int, s: int) -> Fraction:
    """Return Σ over phases of L(s+L) T (T + T'), the tails being those at l and after each threshold below u."""
    total, threshold, k = Fraction(0), l, 0
    while True:
        after = tails[k + 1] if threshold < u else Fraction(0)
        total += threshold * (s + threshold) * tails[k] * (tails[k] + after)
        if threshold >= u:
            return total
        threshold, k = min(2 * threshold, u), k + 1


def weights_at_most(tails: list[Fraction], l: int, u: int, s: int, against: str) -> Fraction:
    """Return Σ_j (weight of j) T_j² with T_j replaced by the next phase's tail: at most the form ``against``.

    The weights are s + j of ``volume`` and s + 2j − 1 of ``h-sf`` for j > l.
    """
    edges, threshold = [l], l
    while threshold < u:
        edges.append(threshold + 1)
        threshold = min(2 * threshold, u)
    steep = 1 if against == "volume" else 2
    total = (l * s + Fraction(l * (l + 1), 2) if against == "volume" else Fraction(l * (s + l))) * tails[0] ** 2
    for k, edge in enumerate(edges):
        if k:
            total += (s + steep * edge - steep + 1) * tails[k] ** 2
        if k + 1 < len(edges):
            first, last = edge + 1, edges[k + 1] - 1  # Σ of the weights, by the sum of an arithmetic progression
            total += (
                Fraction((last - first + 1) * (2 * (s - steep + 1) + steep * (first + last)), 2) * tails[k + 1] ** 2
            )
    return total


def minors(factor: Fraction, s: int, l: int, u: int, against: str = "volume") -> bool:
    """Return whether every leading minor of factor · ``against`` − a-restart, as a form in the phases' tails, is positive."""
    size, threshold = 1, l
    while threshold < u:
        size, threshold = size + 1, 2 * threshold

    def value(*indices: int) -> Fraction:
        tails = [Fraction(int(k in indices)) for k in range(size)]
        return factor * weights_at_most(tails, l, u, s, against) - restart_sum(tails, l, u, s)

    alone = [value(k) for k in range(size)]
    rows = [[alone[i] if i == j else (value(i, j) - alone[i] - alone[j]) / 2 for j in range(size)] for i in range(size)]
    return all(determinant([row[:k] for row in rows[:k]]) > 0 for k in range(1, size + 1))


def least_ratio(s: int, l: int, u: int, share: Fraction) -> Fraction:
    """Return A_min's bound over H-SF's form: from first principles."""
    instants = Fraction(u * ((s + 1) + (s + u)), 2)  # ages 1, …, u, each with its prompt
    leave = Fraction(1, instants) + Fraction(1, (s + 1) * (s + 2))
    numerator = (1 - share) * share / leave + instants * share**2
    denominator = Fraction(0)
    for length, weight, longer in ((l, 1 - share, share), (u, share, Fraction(0))):
        denominator += length * (s + length) * weight * (weight + 2 * longer)
    return numerator / denominator
