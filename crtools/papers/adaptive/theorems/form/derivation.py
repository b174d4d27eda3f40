"""The proof of Lemma "Amin", display by display, from Proposition state_transition to both latency forms.

Quantities are per request: c(i) is E[c_ki]/(x_i n), δ is δ(k), which is s + l at k = l and 1 at k > l.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.proof.builder import Proof
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem

delta = sp.Symbol("delta", positive=True)
COMPLETED, REMAINING = delta / (s + i), (i - k) / (s + i)


def _title(name: str, shown: tuple[Any, ...], usual: tuple[Any, ...]) -> str:
    """Return a theorem's name; with other formulas than the paper's it is another theorem and names them."""
    return name if shown == usual else f"{name}, {', '.join(map(str, shown))}"


def h_sf_latency(time: Any) -> Theorem:
    """Requests of length k take ``time`` · x_k n/M; those of length k wait half of it, the longer ones all of it."""
    b = form("h-sf").formula
    proof = Proof(_title("H-SF latency", (time,), (k * (s + k),)), "for all s ≥ 0 and u ≥ l ≥ 1, leading order")
    proof.identity("batches of M/(s+k) requests, k instants each", time, k / (1 / (s + k)))
    proof.identity("x_k²: ½ · time, in units of n²/(2M)", time.subs(k, i), b(i, i, s))
    proof.identity("x_i x_j with i < j: time of i, in units of n²/(2M)", 2 * time.subs(k, i), 2 * b(i, j, s))
    proof.therefore(r"\tfrac{n^2}{2M}\sum_k k(s+k)x_k(x_k+2\textstyle\sum_{i>k}x_i)")
    return proof.qed()


def period_time(completed: Any, displayed: Any, index: str) -> Theorem:
    """E[τ_k] = Σ_{i≥k} i(s+i)/M · E[c_..] equals Σ_{i≥k} ``displayed`` · x_i n/M.

    ``index`` is "i,i" as printed or "k,i" as meant: which completions the sum runs over.
    """
    title = _title("period time", (completed, displayed, index), (COMPLETED, delta * i, "k,i"))
    later, first = {delta: 1}, {delta: s + l, k: l}
    cases: tuple[tuple[str, Any, Any], ...] = (("k > l", later, later), ("k = l", first, first))
    if index == "i,i":  # period i's completions of length i, δ(i) inside
        completed = completed.subs(k, i)
        only = {**first, i: l}
        cases = (("k > l", later, later), ("k = l < i", later, first), ("k = l = i", only, only))
    proof = Proof(
        title,
        "for all s ≥ 0 and l ≤ k ≤ u",
        rf"\mathbb E[\tau_k] = \sum_i \tfrac{{i(s+i)}}{{M}}\mathbb E[c_{{{index.replace(',', '')}}}]",
    )
    for case, put, put_shown in cases:
        own = (i * (s + i) * completed).subs(put)
        proof.identity(f"coefficient of x_i n/M, {case}", own, sp.sympify(displayed).subs(put_shown))
    return proof.qed()


def remaining(completed: Any, displayed: Any) -> Theorem:
    """After period k, x_i n · ``displayed`` requests of length i > k remain: 1 − Σ_{m=l}^{k} c(i)."""
    completed, displayed = sp.sympify(completed), sp.sympify(displayed)
    title = _title("number remaining", (completed, displayed), (COMPLETED, REMAINING))
    proof = Proof(title, "for all s ≥ 0 and l ≤ k < i ≤ u")
    proof.identity("after period l", 1 - completed.subs({delta: s + l, k: l}), displayed.subs(k, l))
    proof.telescoping("later, completions are the decrease of what remains", completed.subs(delta, 1), -displayed, k)
    return proof.therefore(rf"\text{{remaining}} = {sp.latex(displayed)}").qed()


def a_min_latency(time: Any, completed: Any, left: Any) -> Theorem:
    """TEL = Σ_k τ_k (½ completed + remaining) has the k-th summand of Lemma "Amin", at leading order."""
    title = _title("A_min latency", (time, completed, left), (delta * i, COMPLETED, REMAINING))
    proof = Proof(title, "for all s ≥ 0 and u ≥ l ≥ 1, leading order, of the form")
    proof.identity("the first factor: coefficient of x_i in E[τ_k] M/n", time, delta * i)
    proof.identity(
        "the second factor: coefficient of x_j",
        completed.subs(i, j) + 2 * left.subs(i, j),
        delta / (s + j) + 2 * (j - k) / (s + j),
    )
    proof.therefore(
        r"\tfrac{n^2}{2M}\sum_k \delta(k)(\textstyle\sum_{i\ge k} i x_i)"
        r"(\sum_{i\ge k}\tfrac{\delta(k)}{s+i}x_i+2\sum_{i>k}\tfrac{i-k}{s+i}x_i)"
    )
    return proof.qed()
