"""Families of instances in which a claim fails for ever, and what joins a theorem to a claim: for the certificates."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from crtools.papers.adaptive.bounds.two_lengths import A_ELL_HIGH, A_ELL_LOW, A_MIN_SUP, alpha
from crtools.proof.builder import Proof
from crtools.proof.steps import Bound
from crtools.proof.theorem import Theorem

a, h, j, k, m, n, o, r, s, t, u, x, M = sp.symbols("a h j k m n o r s t u x M")


@cache
def bound_on_a_max() -> Theorem:
    """A_max's supremum is below (1 + 1/α)/(2α)."""
    proof = Proof("A_max's upper bound", "1/α = r² ≥ 1")
    gap = r**2 * (1 + r**2) / 2 - r**2 * (1 + r) / 2
    proof.nonnegative("½ α⁻¹ (1 + √(1/α)) is at most ½ α⁻¹ (1 + 1/α)", gap, (r, 1))
    return proof.therefore(r"\sup \le \tfrac1{2\alpha}(1 + 1/\alpha)").qed()


@cache
def rate_of_a_max(size: int = 0) -> Theorem:
    """At s = ``size`` (0 or 1), l = 1, u = 4^m A_max's supremum over u^1.5 tends to 0."""
    whole, first = 2 + (size + 1) * t, 2 - size  # the ratio over u^1.5 is below (m + first)/2^m times a constant
    proof = Proof(
        f"rate of A_max's form, s = {size}", "l = 1, u = 4^m, K the supremum, t = Σ 1/(s+2k−1) over 1 < k ≤ u"
    )
    proof.nonnegative(
        "K(s+1) − c ≥ c²t/(4K), c = s+u, is y² − 2y − (s+1)t ≥ 0 in y = 2K(s+1)/c: y = 2 + (s+1)t does",
        whole**2 - 2 * whole - (size + 1) * t,
        (t, 0),
    )
    proof.positive(
        "each block n < k ≤ 2n, n = 1, 2, 4, …, has n terms of at most 1/(s+2n+1): less than ½",
        sp.Rational(1, 2) - n / (2 * n + 1 + size),
        (n, 1),
    )
    proof.nonnegative(
        "(m + 2 − s)/2^(m+1−s) falls to at most ¾ of itself from each m to the next",
        sp.Rational(3, 4) - (m + first + 1) / (2 * (m + first)),
        (m, size),
    )
    return proof.therefore(r"\sup / u^{3/2} < (m+2-s)/2^{m+1-s} \to 0", "2m blocks give t < m, and c ≤ (s+1)u").qed()


@cache
def sorts() -> Theorem:
    """Sorts of what waits, at every instant: n − 1 comparisons at t = 0, and n²/M − n in all."""
    waiting = n * k - M * k * (k - 1) / 4 - k
    whole = n**2 / M + n / 2 - 2 * n / M
    proof = Proof("sorts of those that wait", "s = 1, any number n of requests, all there at 0, and every M ≥ 2")
    proof.telescoping(
        "at most M/2 start at an instant: n − tM/2 − 1 comparisons at t = k − 1", n - (k - 1) * M / 2 - 1, waiting, k
    )
    proof.identity("their sum up to k = 2n/M", waiting.subs(k, 2 * n / M), whole)
    proof.positive("which is at least n²/M − n", whole - n**2 / M + n, (n, 1), (M, 2))
    return proof.therefore(
        r"\text{at least } n - 1 \text{ comparisons at } t = 0 \text{ and } n^2/M - n \text{ in the run}",
        "a sort of k keys that compares makes at least k − 1 comparisons: fewer leave two groups of keys of which none was "
        "compared with one of the other",
    ).qed()


@cache
def comparisons() -> Theorem:
    """A sort of what waits, at every instant, is more than M log M."""
    proof = Proof("comparisons of a sort", "s = 1, n = M³ requests, all there at 0; base-2 logarithms").cite(sorts())
    proof.nonnegative("M − 1 − log M is 0 at 1 and increases", 1 - 1 / M, (M, 1))
    proof.positive("n − 1 is more than (M − 1) M² ", (M**3 - 1) - (M - 1) * M**2, (M, 2))
    proof.positive("and n²/M − n more than (M − 1) M²", M**5 - M**3 - (M - 1) * M**2, (M, 2))
    return proof.therefore(
        r"\text{neither is } O(M \log M)",
        "both are above M² times (M − 1), which is at least log M: beyond every C M log M",
    ).qed()


def _share(proof: Proof) -> Proof:
    return proof.positive("the share claimed is below 1", 1 - (s + 1) / (s + u), (s, 1), (u, 2), name="share")


@cache
def no_start_is_cancelled() -> Theorem:
    """m requests of length u with m(s+u) ≤ M and any number of length 1: no start is cancelled."""
    proof = Proof(
        "no start is cancelled", "[1, u], s ≥ 1, m requests of length u, m(s+u) ≤ M, all others of length 1, any n"
    )
    where = ((s, 0), (m, 0), (a, 0), (u, a + 1))
    proof.nonnegative("those that run are of length u and age a < u", m * (s + u) - m * (s + a + 1), *where)
    text = (
        "where memory is looked at, the requests of length 1 have just left, and those that run need at most m(s+u) ≤ M "
        "at the next instant; it stays as n → ∞, and with m = ⌊M/(s+u)⌋ as M → ∞"
    )
    return _share(proof).therefore(r"c_{1u} = b_{1u} = m", text).qed()


def _unfinished(proof: Proof) -> Proof:
    return proof.positive("who is cancelled with a tokens has o ≥ a + 1", o - a, (a, 0), (o, a + 1), name="unfinished")


@cache
def new_bounds() -> Theorem:
    """A new bound is below the length; in a growing family some requests get the bound 2."""
    room = (s + 1) * (s + 2) * (s + 3) * r
    proof = Proof(
        "the bound of who is cancelled",
        "M = (s+1)(s+2)(s+3)r, r requests of length 2, (s+2)(s+3)r in all or more, the others of length 3, s ≥ 1",
    )
    proof.identity("M/(s+1) start at 0", room / (s + 1), (s + 2) * (s + 3) * r)
    proof.identity("of which so many are kept at 1, and nothing else fits", room / (s + 2), (s + 1) * (s + 3) * r)
    proof.positive("at 2 those of length 3 exceed M", ((s + 1) * (s + 3) * r - r) * (s + 3) - room, (s, 1), (r, 1))
    return (
        _unfinished(proof)
        .therefore(
            r"\text{length } k \text{ never gets the bound } k; \text{ some get the bound } 2",
            "Algorithm 2 sets õ to max(õ, tokens generated), so a new bound k is the number of tokens generated",
        )
        .qed()
    )


@cache
def periods() -> Theorem:
    """No request of length j > l is ever started with the bound j."""
    proof = Proof("periods of a length", "every instance of Algorithm 2, j > l")
    _unfinished(proof)
    proof.positive("what is claimed is above 0", 1 / (s + j), (s, 0), (j, 2))
    text = (
        "õ is l, and then at most the tokens generated by an unfinished request; where no start is cancelled all complete "
        "in period l"
    )
    return _share(proof).therefore(r"c_{jj} = 0", text).qed()


@cache
def batches_of_h_sf() -> Theorem:
    """H-SF on lengths 1 and 2, half each: in one family its total is below the form, in another it tends to it."""
    half = (s + 1 + 2 * (s + 1) + 2 * (s + 2)) / 4
    q, p = (s + 1) * h - 1, (2 * s + 3) * h - 1
    out: Any = (2 * s + 3) * q * (q + 1) / 2 + (s + 2) * (q + 1) + (s + 1) * (p * (q + 2) + p * (p - 1) / 2)
    late, pairs = (s + 1) * h, (s + 2) * h
    level: Any = (s + 2) * late * (late + 1) / 2 + (s + 1) * pairs * (late + pairs + 1)
    proof = Proof(
        "batches of H-SF", "lengths 1 and 2, half each, every s ≥ 1; 2M/n² times the total, with r in M cancelled"
    )
    proof.positive(
        "M = (s+1)(2s+3)r: at each of t < q = (s+1)h − 1, (2s+3)r of length 1; at q the last (s+2)r and (s+1)r of length "
        "2, and from then on (s+1)r of length 2 at each instant, p = (2s+3)h − 1 times",
        half - sp.Rational(1, 8) - 2 * (s + 1) * (2 * s + 3) * out / (2 * (s + 1) * p) ** 2,
        (s, 1),
        (h, 6),
    )
    proof.identity(
        "M = (s+1)(s+2)r: (s+1)h batches of length 1, then (s+2)h of (s+1)r of length 2, every other instant",
        2 * (s + 1) * (s + 2) * level / (2 * (s + 1) * (s + 2) * h) ** 2 - half,
        3 / (4 * h),
    )
    return proof.therefore(
        r"\text{there is no limit}",
        "when those of length 2 are out of step, as many that are one token old need (s+1)r(s+2), so that (s+1)r start "
        "again, for ever",
    ).qed()


@cache
def half_the_memory() -> Theorem:
    """2h requests of length 1 at M = 2(s+1) and at M − 1: the totals' quotient is above 1/β."""
    proof = Proof("half the memory", "2h requests with o = 1, M = 2(s+1), βM = M − 1: two at a time, or one")
    proof.positive("totals h(h+1) and h(2h+1)", (2 * h + 1) * (2 * s + 1) - (h + 1) * (2 * s + 2), (h, 1), (s, 1))
    return proof.therefore(r"\mathrm{TEL}(I') > \mathrm{TEL}(I)/\beta \text{ for all } h, s \ge 1").qed()


@cache
def switch() -> Theorem:
    """The two bounds on two lengths cross at (3 − √5)/2."""
    proof = Proof("the switch", "0 < α < 1, x = √5")
    low = (alpha**2 - 3 * alpha + 1) / (2 * (1 - alpha))
    proof.identity("for α ≤ ½ the difference of the bounds", A_MIN_SUP - A_ELL_LOW, low, Bound(alpha, 0, high=1))
    roots = (alpha - (3 - x) / 2) * (alpha - (3 + x) / 2)
    proof.identity("whose numerator at x² = 5 is α² − 3α + 1", roots, alpha**2 - 3 * alpha + (9 - x**2) / 4)
    above = (A_ELL_HIGH - A_MIN_SUP).subs(alpha, r + sp.Rational(1, 2))
    proof.positive("for α = ½ + r A_ℓ's bound is the larger one", above, (r, 0))
    return proof.therefore(
        r"\text{A}_\ell\text{'s bound is the smaller one exactly for } \alpha < (3-\sqrt5)/2",
        "for α ≤ ½ the second factor is negative, and (3−√5)/2 < ½ as √5 > 2",
    ).qed()
