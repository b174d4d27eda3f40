"""Evidence on "the worst case of A_min's form is O(g)", for a growth g in α, and the verdicts of thm-log, wlog and cor-intervals.

For each s, as the paper has it ("the value of s is known"). At s = 0 the worst case is ¼ ln(1/α) + Θ(1), for each s it is
O(ln(1/α)), and over all s it is of the order √(1/α). So each question is one limit. One constant for all s is a stricter
sentence; it is shown and does not decide.

A growth is any formula in α that :func:`crtools.ledger.deciders.orders.growth_of` reads, such as ``log(log(1/alpha))``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import sympy as sp

from crtools.forms import form
from crtools.ledger import Evidence, Finding, Given, Verdict
from crtools.ledger.agreement import agree
from crtools.ledger.deciders import orders
from crtools.ledger.deciders.orders import BIG, READING, Growth, Order, decide_order
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.levels import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import TEXT
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

FAMILY = (4, 10, 30, 100)
"""The m of the family u = s = m² at which it is evaluated by two computations."""

NO_REASON = "no reason is given why $s = 0$, $ℓ = 1$ loses nothing but a constant"
"""What the published proofs leave out."""

STAYS = "a statement on forms: no $n$, no $M$ and no rounding in it"


def growth_of(given: Given) -> Growth:
    """Return the growth that a claim is given."""
    return orders.growth_of("growth", given["growth"])


def at_zero(growth: Growth, *also: Callable[[], Theorem]) -> Evidence:
    """Decide O(g) at s = 0, where the order is ln(1/α); ``also``: theorems that an upper bound needs beside."""
    above, below = (TEXT.named("upper bound"), *also), (TEXT.named("lower bound"),)
    return decide_order(growth, Order(_near_the_logarithm, BIG, below, BIG, above, STAYS))


def each_s(growth: Growth, *also: Callable[[], Theorem]) -> Evidence:
    """Decide O(g) for each s ≥ 0, with a constant that may depend on s; ``also`` as in :func:`at_zero`.

    For each s the worst case is O(ln(1/α)), and at s = 0 it is of this order.
    """
    above, below = (TEXT.named("upper bound for each s"), *also), (TEXT.named("lower bound"),)
    return decide_order(growth, Order(_near_the_logarithm, BIG, below, BIG, above, STAYS))


def every_s(growth: Growth, *also: Callable[[], Theorem]) -> Evidence:
    """Decide O(g) with one constant for all s, where the order is √(1/α); ``also`` as in :func:`at_zero`."""
    root = sp.exp(BIG / 2)
    above, below = (TEXT.named("upper bound for every s"), *also), (TEXT.named("not logarithmic in s"),)
    return decide_order(growth, Order(_prompt_as_long_as_u, root, below, root, above, STAYS))


def _prompt_as_long_as_u(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    members = [_member(m * m, m * m, ((1, m), (m * m, 1))) for m in FAMILY]
    family = "$ℓ = 1$, $u = s = m²$: weights $m$ at length 1, 1 at length $u$"
    rows = [
        {**member, "x_l": m, "x_u": 1, "about": float(Fraction(member["ratio"]))}
        for m, member in zip(FAMILY, members, strict=True)
    ]
    return {"family": family, "members": rows}, "above $⅓√(1/α)$", [row["ratio"] for row in members]


def _near_the_logarithm(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    tails = {u: [*(Fraction(1, 2 * k - 1) for k in range(1, u + 1)), 0] for u in (2, 10, 100)}
    members = [
        _member(0, u, tuple((k, row - after) for k, (row, after) in enumerate(pairwise(rows), start=1)))
        for u, rows in tails.items()
    ]
    family = "$s = 0$, $ℓ = 1$: weights $2/(4k²−1)$ for $k < u$, $1/(2u−1)$ at $u$"
    actual = "at least $¾ + ½E − 1/(4E)$ with $E = ½ ln(1/α) + Θ(1)$"
    return {"family": family, "members": members}, actual, [row["ratio"] for row in members]


def _member(s: int, u: int, weights: tuple[tuple[int, int | Fraction], ...]) -> JsonObject:
    """Return a setting with the ratio at weights of lengths in [1, u], by the forms and by the paper's sums."""
    return {"s": s, "l": 1, "u": u, "ratio": str(_ratio_at(s, u, weights))}


@cache
def _ratio_at(s: int, u: int, weights: tuple[tuple[int, int | Fraction], ...]) -> Fraction:
    x, setting = dict(weights), Setting(s, 1, u)
    top, bottom = (
        sum((x[i] * x[j] * on.entry(i, j) for i, j in product(x, repeat=2)), Fraction(0))
        for on in (form(name).on(setting) for name in ("a-min", "h-sf"))
    )
    by_sums = literal.a_min_sum(x, s, 1) / literal.h_sf_sum(x, s)
    return agree(top / bottom, by_sums, f"a ratio at s = {s}, u = {u}")


def verdicts(
    growth: Growth, of: str, *also: Callable[[], Theorem], worst: str = "the worst case"
) -> tuple[Verdict, Verdict]:
    """Return the verdicts on "the worst case of the form is O(g)" at s = 0 and for each s; for all s at once stands beside.

    ``of`` says of which form and on which settings, ``worst`` what the worst case is called; ``also`` as in :func:`at_zero`.
    """
    bound = f"the supremum over $x ≥ 0$ is at most $C·g(α)$, that is {growth.order}"
    method = "proved bounds from above and below; one limit of exp–log functions decides which of them counts"
    open_ = "the limit of the order over the growth is not found"
    below = f"{worst} is at least of the order $ln(1/α)$"
    at = Finding("at-zero", f"{growth.order} at $s = 0$", at_zero(growth, *also))
    each = Finding("each-s", f"{growth.order} for each $s$", each_s(growth, *also))
    every = Finding("every-s", f"stricter: {growth.order} with one constant for all $s$", every_s(growth, *also), False)
    whys = {
        at.id: {"proved": f"{worst} is at most $3/2 + ¼ ln(1/α)$", "refuted": below},
        each.id: {
            "proved": f"for each $s$ {worst} is at most $1 + (½ + √s)(1 + ½ ln(1/α))${_stricter_reason(every)}",
            "refuted": f"{below}, at $s = 0$ already",
        },
    }
    reading = f"for each integer $s ≥ 0$ (“the value of $s$ is known”), {of}: {READING} {bound}; $C$ and $α₀$ may depend on $s$"
    return (
        Verdict(AT_ZERO, f"at $s = 0$, {of}: {READING} {bound}", whys[at.id].get(at.status, open_), method, (at,)),
        Verdict(FORM, reading, whys[each.id].get(each.status, open_), method, (each, every)),
    )


def _stricter_reason(every: Finding) -> str:
    """Return what the stricter sentence adds to the reason, "" where it is not decided."""
    return {
        "proved": "; one constant does for all $s$",
        "refuted": "; one constant does not do for all $s$: at $s = u$ two lengths give a ratio above $⅓√(1/α)$",
    }.get(every.status, "")


def line(growth: Growth) -> str:
    """Return what was found of the form for each s and for all s at once, in a clause that fits a line."""
    each, every = each_s(growth).status, every_s(growth).status
    if each == "proved":
        other = {"proved": "and with one constant", "refuted": "not with one constant for all"}.get(every)
        return "for each $s$" + (f", {other}" if other else "")
    return {"refuted": "a smaller order than $ln(1/α)$"}.get(each, "open for general $s$")


def at_algorithm(growth: Growth, of: str, evidence: Evidence) -> Verdict:
    """Return the verdict on "CR is O(g)" of Algorithm 2 itself; ``of`` says of which reading of it."""
    order = "$α⁻¹/log(1/α)$"
    refuted = evidence.status == "refuted"
    return Verdict(
        ALGORITHM,
        f"{of}, for each $s ≥ 0$ and independent lengths, $n → ∞$ and then $M → ∞$: {READING} $CR(A_min) ≤ C·g(α)$; $C$ and $α₀$ "
        "may depend on $s$",
        f"for every $s$: where memory needs shrink with age Algorithm 2's ratio is at least of the order {order}"
        if refuted
        else f"only a bound from below is known, of the order {order}",
        "a proof about the process with steps in words; exact ratios of the bound; runs beside it",
        (Finding("algorithm", f"{growth.order} of Algorithm 2", evidence),),
    )
