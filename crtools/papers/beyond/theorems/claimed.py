"""What follows of the paper's policies where other gaps, another threshold, or another charge of H-SF are claimed."""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.papers.adaptive.bounds import generations
from crtools.papers.adaptive.theorems.form import at_zero, every_s, two_lengths
from crtools.papers.adaptive.theory import theorem
from crtools.proof.builder import Proof
from crtools.proof.symbols import k, l, s, u
from crtools.proof.theorem import Theorem


def gap_at_most(gap: Any) -> Theorem:
    """The worst case is at most ½(1+κ) + ``gap``, a function of s and u."""
    proof = Proof("a gap above", every_s.READING).cite(every_s.two_sided())
    proof.nonnegative("the gap is no less than u/(s+4u)", gap - u / (s + 4 * u), s >= 0, u >= 1)
    return proof.therefore(rf"{every_s.WORST} \le \tfrac12(1+\kappa) + {sp.latex(gap)}").qed()


def gap_at_least(gap: Any) -> Theorem:
    """The worst case is at least ½(1+κ) + ``gap``, a function of s and u that is not positive."""
    proof = Proof("a gap below", every_s.READING).cite(every_s.two_sided())
    proof.nonnegative("the gap is no more than 0", -gap, s >= 0, u >= 1)
    return proof.therefore(rf"{every_s.WORST} \ge \tfrac12(1+\kappa) + {sp.latex(gap)}").qed()


def deficit_between(least: Any, most: Any) -> Theorem:
    """At s = 0: ¾ + ½E − ``most``/E ≤ worst case ≤ ¾ + ½E − ``least``/(E + 3/2)."""
    own = "" if (least, most) == (sp.Rational(3, 16), sp.Rational(1, 4)) else f" between {least} and {most}"
    proof = Proof(f"a deficit at s = 0{own}", at_zero.AT_ZERO).cite(at_zero.sharp())
    proof.nonnegative("the first is at least 1/4", most - sp.Rational(1, 4), l >= 1)
    proof.nonnegative("the second is at most 3/16", sp.Rational(3, 16) - least, l >= 1)
    return proof.therefore(
        rf"\tfrac34 + \tfrac12E - \tfrac{{{most}}}{{E}} \le {every_s.WORST} \le \tfrac34 + \tfrac12E - \tfrac{{{least}}}{{E+3/2}}"
    ).qed()


def same_threshold(threshold: Any) -> Theorem:
    """The switch pays where √(u/l) exceeds ``threshold``, a rational function of √(s+l) and √(s+u) that is 1 + √((s+l)/(s+u))."""
    a, b = sp.symbols("a b", positive=True)  # a² = s+l, b² = s+u
    proof = Proof("the threshold of the switch", "every s ≥ 0 and 1 ≤ l < u, of the forms")
    proof.cite(two_lengths.switch_every_s_theorem())
    in_roots = (
        sp.sympify(threshold)
        .subs({sp.sqrt(s + l): a, sp.sqrt(s + u): b})
        .subs({s: a**2 - l})
        .subs({u: b**2 - a**2 + l})
    )
    proof.identity("the threshold with a² = s+l and b² = s+u", in_roots, 1 + a / b)
    return proof.therefore(r"\sup \mathcal A_\ell < \sup \mathcal A_{\min} \iff \sqrt{u/l} \text{ exceeds it}").qed()


def charge_at_least(charge: Any) -> Theorem:
    """H-SF is no faster than with ``charge``, a function of s, l and the length k that is nowhere above c_k."""
    proof = Proof("a charge of H-SF's requests", generations.LIMIT).cite(theorem("generations of H-SF"))
    own = generations.charge(k, s, l)
    proof.nonnegative("it is at most c_k", own - charge, s >= 0, l >= 1, k >= l)
    return proof.therefore(
        r"\liminf \tfrac{2M}{n^2}\mathrm{TEL}(\text{H-SF}) \ge \textstyle\sum_{i,j} c_{i,j} x_i x_j,\quad "
        r"c_{i,j} \text{ the charge of the shorter one}",
        "the sum over k of the charges of all before",
    ).qed()
