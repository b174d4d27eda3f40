"""thm-log, wlog and cor-intervals: "the worst case of A_min is O(g)", for a growth g in α: of its form, and of Algorithm 2.

For each s, as the paper has it ("the value of s is known"). At s = 0 the worst case is ¼ ln(1/α) + Θ(1), for each s it is
O(ln(1/α)), and over all s it is of the order √(1/α). So each question is one limit. One constant for all s is a stricter
sentence; it is shown and does not decide.

A growth is any formula in α that :func:`crtools.ledger.deciders.orders.growth_of` reads, such as ``log(log(1/alpha))``.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Literal

import sympy as sp

from crtools.forms import form
from crtools.ledger import Decision, Evidence, Finding, Given, PublishedProof, Verdict, agree, by_theorem
from crtools.ledger.deciders.orders import BIG, Growth, Order, decide_order, growth_of
from crtools.ledger.readings import Reading
from crtools.numeric_types import JsonObject
from crtools.papers.adaptive.evidence.algorithm_two import order_of_growth
from crtools.papers.adaptive.evidence.reading import phrase, repairs
from crtools.papers.adaptive.literal import forms as literal
from crtools.papers.adaptive.theory import ALGORITHM, AT_ZERO, FORM, TEXT, reading_of, stated_claim, theorem
from crtools.proof.theorem import Theorem
from crtools.setting import Setting

ONE_INTERVAL = "all $u ≥ ℓ ≥ 1$"


@stated_claim("thm-log")
def thm_log(given: Given) -> Decision:
    """Decide Theorem "aminmain" of the form at s = 0, of the form, and of Algorithm 2."""
    growth = growth_of("growth", given["growth"])
    read = reading_of("thm-log", order=growth.order, settings=ONE_INTERVAL, of="of Algorithm 2")
    proof = read.proof(wlog=of_the_form("each-s", growth), trace_bound=by_theorem(theorem("trace bound")))
    line, names = "Algorithm 2: at least like $α⁻¹/log(1/α)$", ["a-min-order-at-zero", "a-min-order-for-every-s"]
    return _of_form_and_algorithm(growth, read, form_verdicts(growth, read), line, names, proof)


@stated_claim("wlog")
def wlog(given: Given) -> Decision:
    """Decide the reduction to s = 0, l = 1 by the worst case for general s and l."""
    growth = growth_of("growth", given["growth"])
    each, every = (of_the_form(sizes, growth).status for sizes in ("each-s", "every-s"))
    line = {"refuted": "a smaller order than $ln(1/α)$"}.get(each, "open for general $s$")
    if each == "proved":
        other = {"proved": ", and with one constant", "refuted": ", not with one constant for all"}.get(every, "")
        line = f"for each $s${other}"
    true = repairs("a-min-order-at-zero", "a-min-order-for-every-s") if every == "refuted" else ()
    read = reading_of("wlog", order=growth.order, settings=ONE_INTERVAL)
    return Decision(line, form_verdicts(growth, read), read.proof(), true)


@stated_claim("cor-intervals")
def cor_intervals(given: Given) -> Decision:
    """Decide the corollary: one interval is a case of several, and several are at most one for the form."""
    growth = growth_of("growth", given["growth"])
    lists = "all lists of intervals with $u_j ≤ ℓ_{j+1}$, one interval included, $α = ℓ_1/u_m$"
    of = f"{lists}, of the revised Algorithm 2"
    read = reading_of("cor-intervals", order=growth.order, settings=lists, of=of)
    below = TEXT.named("intervals below single")
    of_form = form_verdicts(growth, read, below, worst="the worst case over lists")
    line, names = "Algorithm 2, one interval: $≥ α⁻¹/log(1/α)$", ["intervals-at-zero", "intervals-for-each-s"]
    return _of_form_and_algorithm(growth, read, of_form, line, names, read.proof())


def _of_form_and_algorithm(
    growth: Growth, read: Reading, of_form: tuple[Verdict, Verdict], false: str, true: list[str], proof: PublishedProof
) -> Decision:
    """Return the decision on "CR is O(g)", of a form and of Algorithm 2 itself.

    ``false`` says that CR grows faster; ``true`` names the repairs of the form at s = 0 and for each s.
    """
    evidence = order_of_growth(growth)
    refuted = evidence.status == "refuted"
    why = "only a bound from below is known, of the order $α⁻¹/log(1/α)$"
    if refuted:
        where = "for every $s$: where memory needs shrink with age"
        why = f"{where} Algorithm 2's ratio is at least of the order $α⁻¹/log(1/α)$"
    algorithm = read.verdict(ALGORITHM, why, Finding("algorithm", f"{growth.order} of Algorithm 2", evidence))
    at_zero, each_s = true
    not_every_s = of_the_form("every-s", growth).status == "refuted"
    names = (at_zero, *[each_s] * not_every_s, *["algorithm-2-growth"] * refuted)
    line = false if refuted else "of Algorithm 2 this is open"
    return Decision(line, (*of_form, algorithm), proof, repairs(*names))


def form_verdicts(
    growth: Growth, read: Reading, *also: Callable[[], Theorem], worst: str = "the worst case"
) -> tuple[Verdict, Verdict]:
    """Return the verdicts on "the worst case of the form is O(g)" at s = 0 and for each s; for all s at once stands beside.

    ``worst``: what the worst case is called; ``also`` as in :func:`of_the_form`.
    """
    open_ = "the limit of the order over the growth is not found"
    below = f"{worst} is at least of the order $ln(1/α)$"
    zero, each, every = (of_the_form(sizes, growth, *also) for sizes in ("at-zero", "each-s", "every-s"))
    stricter = {
        "proved": "; one constant does for all $s$",
        "refuted": "; one constant does not do for all $s$: at $s = u$ two lengths give a ratio above $⅓√(1/α)$",
    }.get(every.status, "")
    for_each = f"for each $s$ {worst} is at most $1 + (½ + √s)(1 + ½ ln(1/α))${stricter}"
    why_zero = phrase(zero.status, below, f"{worst} is at most $3/2 + ¼ ln(1/α)$", open_)
    why_each = phrase(each.status, f"{below}, at $s = 0$ already", for_each, open_)
    at_zero = Finding("at-zero", f"{growth.order} at $s = 0$", zero)
    each_s = Finding("each-s", f"{growth.order} for each $s$", each)
    every_s = Finding("every-s", f"stricter: {growth.order} with one constant for all $s$", every, decides=False)
    return read.verdict(AT_ZERO, why_zero, at_zero), read.verdict(FORM, why_each, each_s, every_s)


# ---- the worst case of A_min's form: of the order ln(1/α) at s = 0 and for each s, of the order √(1/α) over all s -------

Sizes = Literal["at-zero", "each-s", "every-s"]
"""s = 0; each s ≥ 0, with a constant that may depend on s; or all s, with one constant."""

BOUNDS: dict[Sizes, tuple[str, str]] = {
    "at-zero": ("upper bound", "lower bound"),
    "each-s": ("upper bound for each s", "lower bound"),
    "every-s": ("upper bound for every s", "not logarithmic in s"),
}
"""The theorems that bound the worst case from above and below."""

FAMILY = (4, 10, 30, 100)
"""The m of the family u = s = m² at which it is evaluated by two computations."""


def of_the_form(sizes: Sizes, growth: Growth, *also: Callable[[], Theorem]) -> Evidence:
    """Decide whether the worst case is O(g); ``also``: theorems that an upper bound needs beside."""
    above, below = map(TEXT.named, BOUNDS[sizes])
    rows, order = (_prompt_as_long_as_u, sp.exp(BIG / 2)) if sizes == "every-s" else (_near_the_logarithm, BIG)
    stays = "a statement on forms: no $n$, no $M$ and no rounding in it"
    return decide_order(growth, Order(rows, order, (below,), order, (above, *also), stays))


def _prompt_as_long_as_u(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    ratios = {m: _ratio_at(m**2, m**2, ((1, m), (m**2, 1))) for m in FAMILY}
    members = [
        {"s": m**2, "l": 1, "u": m**2, "ratio": str(ratio), "x_l": m, "x_u": 1, "about": float(ratio)}
        for m, ratio in ratios.items()
    ]
    family = "$ℓ = 1$, $u = s = m²$: weights $m$ at length 1, 1 at length $u$"
    return {"family": family, "members": members}, "above $⅓√(1/α)$", [*map(str, ratios.values())]


def _near_the_logarithm(growth: Growth) -> tuple[JsonObject, str, list[str]]:
    ratios = dict[int, str]()
    for u in (2, 10, 100):
        tails = [*(Fraction(1, 2 * k - 1) for k in range(1, u + 1)), 0]
        weights = tuple((k, tail - after) for k, (tail, after) in enumerate(pairwise(tails), start=1))
        ratios[u] = str(_ratio_at(0, u, weights))
    members = [{"s": 0, "l": 1, "u": u, "ratio": ratio} for u, ratio in ratios.items()]
    family = "$s = 0$, $ℓ = 1$: weights $2/(4k²−1)$ for $k < u$, $1/(2u−1)$ at $u$"
    actual = "at least $¾ + ½E − 1/(4E)$ with $E = ½ ln(1/α) + Θ(1)$"
    return {"family": family, "members": members}, actual, [*ratios.values()]


@cache
def _ratio_at(s: int, u: int, weights: tuple[tuple[int, int | Fraction], ...]) -> Fraction:
    """Return the ratio at weights of lengths in [1, u], by the forms and by the paper's sums."""
    x, setting = dict(weights), Setting(s, 1, u)
    top, bottom = (
        sum((x[i] * x[j] * on.entry(i, j) for i, j in product(x, repeat=2)), Fraction(0))
        for on in (form(name).on(setting) for name in ("a-min", "h-sf"))
    )
    by_sums = literal.a_min_sum(x, s, 1) / literal.h_sf_sum(x, s)
    return agree(top / bottom, by_sums, f"a ratio at s = {s}, u = {u}")
