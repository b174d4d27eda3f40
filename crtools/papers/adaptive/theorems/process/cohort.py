"""Starts that lose their place by coins: Lemma "deletion", Eq. update_distribution and Proposition "state_transition".

The coins: a start with bound i is left alone up to age i; at every age a ≥ i it is cancelled with probability
1/(s+a+1) and gets the bound a + 1. A request of length j completes at age j. This is what the paper's analysis
describes; Algorithm 2 itself does something else.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def survival(completes: Any) -> Theorem:
    """P(a start with bound i completes, o = j) = ``completes``(i, j, s) = Π_{a=i}^{j−1} (1 − 1/(s+a+1))."""
    claimed = sp.sympify(completes)
    proof = Proof("survival", "for all integers s ≥ 0 and j ≥ i ≥ 1, coins only")
    proof.identity("j = i: no coin is tossed before completion", claimed.subs(j, i), 1)
    text = "a request of length j + 1 tosses one coin more, at age j"
    proof.identity(text, claimed.subs(j, j + 1), claimed * (1 - 1 / (s + j + 1)))
    return proof.therefore(rf"\prod_{{a=i}}^{{j-1}}\bigl(1-\tfrac1{{s+a+1}}\bigr) = {sp.latex(claimed)}").qed()


SHARE = (s + i) / (s + j)
"""The share of the starts with bound i and length j that every coin spares."""


def preserved(weight: Any, lowest: Any) -> Theorem:
    """Of the starts with bound i that get the bound k, length j has a share in proportion to ``weight`` · b_ij, j ≥ ``lowest``."""
    w = sp.sympify(weight)
    proof = Proof("update", "for all integers s ≥ 0 and k > i ≥ 1, coins only").cite(survival(SHARE))
    text = "P(cancelled at age k − 1 | bound i, o = j) for every j ≥ k: it does not contain j"
    proof.identity(text, SHARE.subs(j, k - 1) / (s + k), (s + i) / (s + k - 1) / (s + k))
    proof.identity("at age k − 1 the requests with o ≥ k run", lowest, k)
    own = w if w.has(j) else sp.Integer(1)  # up to a factor without j, which need not be rational
    proof.identity("the weight is the same for every length", own.subs(j, j + 1), own)
    return proof.therefore(
        r"\mathbb P_i(o=j\mid\tilde o=k) = b_{ij}/\textstyle\sum_{t\ge k} b_{it},\quad j\ge k", "by Bayes"
    ).qed()


def recursion(first: Any, later: Any) -> Theorem:
    """E[c_ij]/(x_j n) is ``first``(s, l, j) in period l and ``later``(s, l, i, j) in the periods i > l.

    Per request of length j: B(k) starts with bound k, W(k) = Σ_{i=l}^{k−1} (s+i) B(i), so that
    B(k) = Σ_i B(i) (s+i)/((s+k−1)(s+k)) = W(k)/((s+k−1)(s+k)).
    """
    proof = Proof("recursion", "for all integers s ≥ 0, j ≥ i > l ≥ 1, coins only").cite(survival(SHARE))
    proof.identity("W(l+1) = (s+l) B(l) with B(l) = 1", (s + l) * 1, s + (l + 1) - 1)
    text = "W(k) = s+k−1 gives B(k) = 1/(s+k) …"
    proof.identity(text, (s + k - 1) / ((s + k - 1) * (s + k)), 1 / (s + k))
    proof.identity("… and W(k+1) = s+k", (s + k - 1) + (s + k) / (s + k), s + (k + 1) - 1)
    proof.therefore(
        r"B(\ell)=1,\quad B(k)=\tfrac1{s+k}\ (\ell<k\le j)",
        "B(k) are the starts with bound k of one request of length j, W(k) = Σ_{i=l}^{k−1} (s+i) B(i), so that B(k) = W(k)/((s+k−1)(s+k)): "
        "by induction on k",
    )
    proof.identity("in period l: c = B(l) · survival", SHARE.subs(i, l), first)
    proof.identity("later: c = B(i) · survival", SHARE / (s + i), later)
    text = "everybody completes once: (s+l)/(s+j) + (j−l) · 1/(s+j)"
    proof.identity(text, (s + l) / (s + j) + (j - l) / (s + j), 1)
    return proof.therefore(
        rf"\mathbb E[c_{{\ell j}}] = {sp.latex(first)}\,x_jn,\quad \mathbb E[c_{{ij}}] = {sp.latex(later)}\,x_jn"
    ).qed()
