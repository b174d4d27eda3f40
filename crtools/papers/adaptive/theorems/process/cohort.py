"""Starts that lose their place by coins: Lemma "deletion", Eq. update_distribution and Proposition "state_transition".

The coins: a start with bound i is left alone up to age i; at every age a ≥ i it is cancelled with probability
1/(s+a+1) and gets the bound a + 1. A request of length j completes at age j. This is what the paper's analysis
describes; Algorithm 2 itself does something else.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.proof.steps import Identity, Inference, Step
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem


def survival(completes: Any) -> Theorem:
    """P(a start with bound i completes, o = j) = ``completes``(i, j, s) = Π_{a=i}^{j−1} (1 − 1/(s+a+1))."""
    claimed = sp.sympify(completes)
    steps: tuple[Step, ...] = (
        Identity(name="start", text="j = i: no coin is tossed before completion", lhs=claimed.subs(j, i), rhs=1),
        Identity(
            name="one more token",
            text="a request of length j + 1 tosses one coin more, at age j",
            lhs=claimed.subs(j, j + 1),
            rhs=claimed * (1 - 1 / (s + j + 1)),
        ),
        Inference(
            name="telescoping",
            conclusion=rf"\prod_{{a=i}}^{{j-1}}\bigl(1-\tfrac1{{s+a+1}}\bigr) = {sp.latex(claimed)}",
            follows_from=("start", "one more token"),
        ),
    )
    return Theorem("survival", steps[-1].latex(), "for all integers s ≥ 0 and j ≥ i ≥ 1, coins only", steps)


def preserved(weight: Any, lowest: Any) -> Theorem:
    """Of the starts with bound i that get the bound k, length j has a share in proportion to ``weight`` · b_ij, j ≥ ``lowest``."""
    own = (s + i) / (s + k - 1) / (s + k)  # survives to age k − 1 and is cancelled there
    w = sp.sympify(weight)
    steps: tuple[Step, ...] = (
        *survival((s + i) / (s + j)).steps,
        Identity(
            name="one coin",
            text="P(cancelled at age k − 1 | bound i, o = j) for every j ≥ k: it does not contain j",
            lhs=((s + i) / (s + j)).subs(j, k - 1) / (s + k),
            rhs=own,
        ),
        Identity(name="lowest", text="at age k − 1 the requests with o ≥ k run", lhs=lowest, rhs=k),
        Identity(name="the same weight for every length", lhs=w.subs(j, j + 1), rhs=w),
        Inference(
            name="Bayes",
            conclusion=r"\mathbb P_i(o=j\mid\tilde o=k) = b_{ij}/\textstyle\sum_{t\ge k} b_{it},\quad j\ge k",
            follows_from=("telescoping", "one coin", "lowest", "the same weight for every length"),
        ),
    )
    return Theorem("update", steps[-1].latex(), "for all integers s ≥ 0 and k > i ≥ 1, coins only", steps)


def recursion(first: Any, later: Any) -> Theorem:
    """E[c_ij]/(x_j n) is ``first``(s, l, j) in period l and ``later``(s, l, i, j) in the periods i > l.

    Per request of length j: B(k) starts with bound k, W(k) = Σ_{i=l}^{k−1} (s+i) B(i), so that
    B(k) = Σ_i B(i) (s+i)/((s+k−1)(s+k)) = W(k)/((s+k−1)(s+k)).
    """
    share = (s + i) / (s + j)
    steps: tuple[Step, ...] = (
        *survival(share).steps,
        Identity(name="first bound", text="W(l+1) = (s+l) B(l) with B(l) = 1", lhs=(s + l) * 1, rhs=s + (l + 1) - 1),
        Identity(
            name="next bound",
            text="W(k) = s+k−1 gives B(k) = 1/(s+k) …",
            lhs=(s + k - 1) / ((s + k - 1) * (s + k)),
            rhs=1 / (s + k),
        ),
        Identity(name="next sum", text="… and W(k+1) = s+k", lhs=(s + k - 1) + (s + k) / (s + k), rhs=s + (k + 1) - 1),
        Inference(
            name="starts",
            conclusion=r"B(\ell)=1,\quad B(k)=\tfrac1{s+k}\ (\ell<k\le j)",
            follows_from=("telescoping", "first bound", "next bound", "next sum"),
        ),
        Identity(name="period l", text="c = B(l) · survival", lhs=share.subs(i, l), rhs=first),
        Identity(name="later periods", text="c = B(i) · survival", lhs=share / (s + i), rhs=later),
        Identity(
            name="everybody completes once",
            text="(s+l)/(s+j) + (j−l) · 1/(s+j)",
            lhs=(s + l) / (s + j) + (j - l) / (s + j),
            rhs=1,
        ),
        Inference(
            name="transitions",
            conclusion=rf"\mathbb E[c_{{\ell j}}] = {sp.latex(first)}\,x_jn,\quad \mathbb E[c_{{ij}}] = {sp.latex(later)}\,x_jn",
            follows_from=("starts", "period l", "later periods", "everybody completes once"),
        ),
    )
    return Theorem("recursion", steps[-1].latex(), "for all integers s ≥ 0, j ≥ i > l ≥ 1, coins only", steps)
