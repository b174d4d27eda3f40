"""The proof of Lemma "Amin", display by display, from Proposition state_transition to both latency forms.

Quantities are per request: c(i) is E[c_ki]/(x_i n), δ is δ(k), which is s + l at k = l and 1 at k > l.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from crtools.forms import form
from crtools.proof.steps import Identity, Inference, Step, Telescoping
from crtools.proof.symbols import i, j, k, l, s
from crtools.proof.theorem import Theorem

delta = sp.Symbol("delta", positive=True)


def h_sf_latency(time: Any) -> Theorem:
    """Requests of length k take ``time`` · x_k n/M; those of length k wait half of it, the longer ones all of it."""
    b = form("h-sf").formula
    steps: tuple[Step, ...] = (
        Identity(name="time", text="batches of M/(s+k) requests, k instants each", lhs=time, rhs=k / (1 / (s + k))),
        Identity(name="squares", text="x_k²: ½ · time, in units of n²/(2M)", lhs=time.subs(k, i), rhs=b(i, i, s)),
        Identity(
            name="cross",
            text="x_i x_j with i < j: time of i, in units of n²/(2M)",
            lhs=2 * time.subs(k, i),
            rhs=2 * b(i, j, s),
        ),
        Inference(
            name="form",
            conclusion=r"\tfrac{n^2}{2M}\sum_k k(s+k)x_k(x_k+2\textstyle\sum_{i>k}x_i)",
            follows_from=("time", "squares", "cross"),
        ),
    )
    return Theorem("H-SF latency", steps[-1].latex(), "for all s ≥ 0 and u ≥ l ≥ 1, leading order", steps)


def period_time(completed: Any, displayed: Any, index: str) -> Theorem:
    """E[τ_k] = Σ_{i≥k} i(s+i)/M · E[c_..] equals Σ_{i≥k} ``displayed`` · x_i n/M.

    ``index`` is "i,i" as printed or "k,i" as meant: which completions the sum runs over.
    """
    if index == "k,i":
        cases = (("k > l", completed, sp.Integer(1)), ("k = l", completed, s + l))
        terms = [(name, c.subs(delta, d), displayed.subs(delta, d), d) for name, c, d in cases]
    else:  # E[c_ii]: period i's completions of length i, δ(i) inside
        own = completed.subs(k, i)
        terms = [
            ("k > l", own.subs(delta, 1), displayed.subs(delta, 1), 1),
            ("k = l < i", own.subs(delta, 1), displayed.subs(delta, s + l), s + l),
            ("k = l = i", own.subs(delta, s + l).subs(i, l), displayed.subs(delta, s + l).subs(i, l), s + l),
        ]
    steps: list[Step] = []
    for name, c, shown, _ in terms:
        length = l if name.endswith("= i") else i
        low = {"k = l": l, "k = l < i": l, "k = l = i": l}.get(name, k)
        steps.append(
            Identity(
                name=name,
                text="coefficient of x_i n/M",
                lhs=(length * (s + length) * c).subs(k, low),
                rhs=sp.sympify(shown).subs(k, low),
            )
        )
    return Theorem(
        "period time",
        rf"\mathbb E[\tau_k] = \sum_i \tfrac{{i(s+i)}}{{M}}\mathbb E[c_{{{index.replace(',', '')}}}]",
        "for all s ≥ 0 and l ≤ k ≤ u",
        tuple(steps),
    )


def remaining(completed: Any, displayed: Any) -> Theorem:
    """After period k, x_i n · ``displayed`` requests of length i > k remain: 1 − Σ_{m=l}^{k} c(i)."""
    inner = sp.sympify(completed).subs(delta, 1)
    primitive = -sp.sympify(displayed)
    steps: tuple[Step, ...] = (
        Identity(
            name="after period l",
            lhs=1 - sp.sympify(completed).subs(delta, s + l).subs(k, l),
            rhs=sp.sympify(displayed).subs(k, l),
        ),
        Telescoping(
            name="later periods",
            text="completions are the decrease of what remains",
            summand=inner,
            antidifference=primitive,
            index=k,
        ),
        Inference(
            name="remaining",
            conclusion=rf"\text{{remaining}} = {sp.latex(displayed)}",
            follows_from=("after period l", "later periods"),
        ),
    )
    return Theorem("number remaining", steps[-1].latex(), "for all s ≥ 0 and l ≤ k < i ≤ u", steps)


def a_min_latency(time: Any, completed: Any, left: Any) -> Theorem:
    """TEL = Σ_k τ_k (½ completed + remaining) has the k-th summand of Lemma "Amin", at leading order."""
    steps: tuple[Step, ...] = (
        Identity(name="first factor", text="coefficient of x_i in E[τ_k] M/n", lhs=time, rhs=delta * i),
        Identity(
            name="second factor",
            text="coefficient of x_j",
            lhs=completed.subs(i, j) + 2 * left.subs(i, j),
            rhs=delta / (s + j) + 2 * (j - k) / (s + j),
        ),
        Inference(
            name="form",
            conclusion=r"\tfrac{n^2}{2M}\sum_k \delta(k)(\textstyle\sum_{i\ge k} i x_i)"
            r"(\sum_{i\ge k}\tfrac{\delta(k)}{s+i}x_i+2\sum_{i>k}\tfrac{i-k}{s+i}x_i)",
            follows_from=("first factor", "second factor"),
        ),
    )
    return Theorem("A_min latency", steps[-1].latex(), "for all s ≥ 0 and u ≥ l ≥ 1, leading order, of the form", steps)
