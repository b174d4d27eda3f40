"""thm-random, thm-amax-upper, thm-amax-lower and rate-amax: the suprema of two forms of rank two, exactly.

With the tails T_l = 1 ≥ T_{l+1} ≥ … ≥ T_u ≥ 0, a = l(s+l) and w_k = s+2k−1 (so a + Σ_{k>l} w_k = u(s+u) =: d),

    H-SF:      a + Σ w_k T_k²,
    A_random:  a + Σ w_k T_k,
    A_max:     (s+u)(l + Σ T_k).

Each difference K·H-SF − policy is a sum of squares plus a constant, which gives the supremum K and where it is attained.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from crtools.closed_form.evaluate import enclose, enclosed
from crtools.errors import InputError
from crtools.expressions import number
from crtools.forms import form
from crtools.ledger.claim import Claim, Given, Variant
from crtools.ledger.deciders.ranges import formula_on, unit
from crtools.ledger.result import Decision, Part, Proof, Repair, Status, Verdict, from_theorem
from crtools.papers.adaptive.claims.appendix import random_in_process as in_process
from crtools.papers.adaptive.evidence import a_max_exact as a_max
from crtools.papers.adaptive.theorems.form import log_bound, squares
from crtools.process import compare
from crtools.process.comparing import Comparison
from crtools.proof.steps import Identity, Inference, Positive, Telescoping
from crtools.proof.theorem import Theorem
from crtools.ratios.comparison import at_least

alpha = sp.Symbol("alpha", positive=True)
l, u, s, k, t, r, w, c = sp.symbols("l u s k t r w c", positive=True)
K = sp.Symbol("K", positive=True)

ENDPOINT = (1 + 1 / alpha) / 2
UPPER = (1 + 1 / alpha) / (2 * alpha)
LOWER = (1 + 1 / sp.sqrt(alpha)) / (2 * alpha)

PROCESS = "the constant in O(1/M) may depend on s, l and u"
FORM = "of the form, in the limit M → ∞: every s ≥ 0, all lengths l < u with l/u = α, all weights"


def _tails() -> tuple[Any, ...]:
    """The two denominators' and numerators' structure in the tails, from the entries."""
    h, a_random = form("h-sf"), form("a-random")
    assert h.tails is not None
    assert a_random.tails is not None
    return (
        Identity(name="H-SF inside", text="w_k = s+2k−1", lhs=h.tails.inner(k, s).diagonal, rhs=s + 2 * k - 1),
        Identity(name="H-SF at l", text="a = l(s+l)", lhs=h.tails.first(l, s).diagonal, rhs=l * (s + l)),
        Identity(
            name="A_random inside",
            text="½ w_k in row l, nothing else off the diagonal",
            lhs=a_random.tails.first(l, s).left[0] * a_random.tails.inner(k, s).right[0],
            rhs=(s + 2 * k - 1) / 2,
        ),
        Identity(name="A_random at l", text="a", lhs=a_random.tails.first(l, s).diagonal, rhs=l * (s + l)),
        Identity(name="A_random diagonal", text="0 for k > l", lhs=a_random.tails.inner(k, s).diagonal, rhs=sp.S.Zero),
        Telescoping(
            name="sum of w", text="Σ_{l<k≤u} w_k = d − a", summand=s + 2 * k - 1, antidifference=k * (s + k), index=k
        ),
    )


def random_theorem() -> Theorem:
    """sup of A_random's form over H-SF's is ½(1 + √(d/a)), attained on {l, u}."""
    return Theorem(
        "A_random",
        r"\sup_x \frac{\mathcal A_{\mathrm{random}}}{\text{H-SF}} = \tfrac12\Bigl(1 + \sqrt{\tfrac{u(s+u)}{l(s+l)}}\Bigr)",
        "every s ≥ 0, 1 ≤ l ≤ u, all weights on [l, u]; attained at T_k = 1/(1+r), r = √(d/a): on {l, u} only",
        (
            *_tails(),
            *squares.of_means("a", "d"),
            Positive(
                name="prompts",
                text="d/a ≤ (u/l)²: u l (s+l) u − l u l (s+u) = l u s (u − l) ≥ 0",
                expr=u**2 * l * (s + l) - l**2 * u * (s + u),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Inference(
                name="supremum",
                conclusion=r"K\,\text{H-SF} - \mathcal A_{\mathrm{random}} = \sum w_k K (T_k - \tfrac1{2K})^2 \ge 0",
                follows_from=("sum of w", "square", "constant"),
            ),
        ),
    )


def max_theorem() -> Theorem:
    """sup of A_max's form: the larger root K of K a − (s+u) l − (s+u)² S/(4K) = 0, S = Σ 1/w_k."""
    return Theorem(
        "A_max",
        r"\sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} = "
        r"\tfrac12\,\tfrac{s+u}{s+l}\Bigl(1 + \sqrt{1 + \tfrac{s+l}{l} S}\Bigr),\ S = \sum_{k=l+1}^{u}\tfrac1{s+2k-1}",
        "every s ≥ 0, 1 ≤ l ≤ u; attained at T_k = (s+u)/(2 K w_k), which decrease and are ≤ (s+l)/(2 w_k) < 1",
        (
            *_tails()[:2],
            squares.weighted("w", c),
            Identity(
                name="constant",
                text="with r² = 1 + (s+l) S/l and K = c (1+r)/(2(s+l)): K a − c l − c² S/(4K) = 0",
                lhs=(c * (1 + r) / (2 * (s + l))) * l * (s + l)
                - c * l
                - c**2 * ((r**2 - 1) * l / (s + l)) / (4 * (c * (1 + r) / (2 * (s + l)))),
                rhs=sp.S.Zero,
            ),
            Positive(
                name="a term of S",
                text="(s+l)/(l w_k) ≤ 1/l for k > l: w_k − (s+l) = 2k − 1 − l ≥ 0; so 1 + (s+l)S/l ≤ u/l",
                expr=2 * k - 1 - l,
                where=((l, 1), (k, l + 1)),
                strict=True,
            ),
            Positive(
                name="the factor",
                text="(s+u)/(s+l) ≤ u/l: u(s+l) − l(s+u) = s(u − l) ≥ 0",
                expr=u * (s + l) - l * (s + u),
                where=((s, 0), (l, 1), (u, l)),
                strict=False,
            ),
            Inference(
                name="supremum",
                conclusion=r"K\,\text{H-SF} - \mathcal A_{\max} = \sum K w_k \bigl(T_k - \tfrac{s+u}{2 K w_k}\bigr)^2 \ge 0",
                follows_from=("square", "constant"),
            ),
            Inference(
                name="below the paper's lower bound",
                conclusion=r"K < \tfrac{u}{l}\cdot\tfrac12(1 + \sqrt{u/l}) \text{ for } l < u",
                follows_from=("a term of S", "the factor", "supremum"),
            ),
        ),
    )


def max_rate_theorem() -> Theorem:
    """At s = 0 A_max's supremum lies between 1/α and ½ α⁻¹ (1 + √(1 + ½ ln(1/α)))."""
    return Theorem(
        "A_max at s = 0",
        r"\tfrac1\alpha \le \sup_x \frac{\mathcal A_{\max}}{\text{H-SF}} \le "
        r"\tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
        "s = 0, all integers 1 ≤ l ≤ u, of the form; with equality on both sides at l = u",
        (
            *max_theorem().steps,
            *log_bound.logarithm_above(),
            Inference(
                name="rate",
                text="K = ½ α⁻¹ (1 + √(1 + S)) at s = 0 with 0 ≤ S = E − 1",
                conclusion=r"\tfrac1\alpha \le K \le \tfrac1{2\alpha}\Bigl(1 + \sqrt{1 + \tfrac12\ln(1/\alpha)}\Bigr)",
                follows_from=("supremum", "E"),
            ),
        ),
    )


def fraction_theorem() -> Theorem:
    """The fraction in the proof of the lower bound at a/b = √α, with α = r² (so l = r² u and a = r b)."""
    a, b = r * c, c
    low = r**2 * u
    shown = (u / low) * (a * u + b * low) * (a + b) / (u * a**2 + low * 2 * a * b + u * b**2)
    return Theorem(
        "the fraction at a/b = √α",
        r"\frac{u}{\ell}\,\frac{(au+b\ell)(a+b)}{ua^2+2\ell ab+ub^2} = "
        r"\frac{(1+\sqrt\alpha)^2}{\sqrt\alpha\,(1+\alpha+2\alpha\sqrt\alpha)}",
        "every 0 < l < u with a/b = √(l/u)",
        (
            Identity(
                name="fraction",
                text="with α = r²",
                lhs=shown,
                rhs=(1 + r) ** 2 / (r * (1 + r**2 + 2 * r**3)),
            ),
        ),
    )


def max_repair() -> Repair:
    """A_max's exact supremum as a sentence."""
    return Repair(
        "of the form, for every s ≥ 0 and 1 ≤ l ≤ u: sup CR(A_max) = ½ (s+u)/(s+l) (1 + √(1 + (s+l)S/l)) with "
        "S = Σ_{k=l+1}^{u} 1/(s+2k−1)",
        (from_theorem("the supremum of A_max's form", max_theorem()),),
    )


def random_repair() -> Repair:
    """A_random's exact supremum as a sentence."""
    return Repair(
        "of A_random's form, for every s ≥ 0 and 1 ≤ l ≤ u: the worst case over all weights on [l, u] is attained on {l, u}, "
        "where CR(A_random) = ½(1 + √(u(s+u)/(l(s+l))))",
        (from_theorem("the supremum of A_random's form", random_theorem()),),
    )


def _bound(given: Given, name: str = "bound") -> Any:
    return formula_on(name, given[name], {"alpha": alpha}, unit("alpha"))[1]


def _instance(low: int, up: int, size: int) -> dict[str, Any]:
    """Return the exact supremum at one setting, and the ratio at rational weights near its maximiser."""
    exact, near = a_max.supremum(low, up, size), a_max.witness(low, up, size)
    value = enclose(exact, {}, 15)
    if not abs(float(near["ratio"]) - value.middle) < 1e-6 * value.middle:
        raise AssertionError("two computations of A_max's supremum differ")
    shown = str(exact) if up - low <= a_max.WIDEST else f"{value.middle!r}"
    return {
        "s": size,
        "l": low,
        "u": up,
        "supremum": shown,
        "as a float": value.middle,
        "plain sums": near["as a float"],
    }


def decide_random(given: Given) -> Decision:
    """Decide CR(A_random) ≤ bound, of the form: the supremum over all s, l is (1+1/α)/2, at s = 0."""
    bound = _bound(given)
    outcome = at_least(bound, ENDPOINT, alpha, Fraction(0), Fraction(1))
    name = RANDOM_FORM
    if outcome.holds:
        tight = sp.simplify(bound - ENDPOINT) == 0
        part = from_theorem(
            name, random_theorem(), tight="at s = 0, at x_u/x_l = l/u" if tight else "the bound is larger"
        )
    elif outcome.holds is False and outcome.point is not None:
        part = Part(name, "refuted", _random_counterexample(bound, outcome.point))
    else:
        part = Part(name, "inconclusive", {"tried": outcome.reason or "α is too close to an end"})
    why = f"{name}: {part.status}; exactly ½(1 + √(u(s+u)/(l(s+l)))) for every s"
    process = in_process.random_part(bound, alpha)
    charged = (
        "TEL(H-SF) ≥ ½ (l(s+l)N_l² + 2l(s+l)N_l N_u + u(s+u)N_u²)/M: each request is charged its length times its peak, but Eq. 5 "
        "lets requests of different ages share the memory, and H-SF needs less where its batches are out of step"
    )
    state = Proof("false-step" if process.status == "refuted" else "gap", charged)
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{FORM}; and the process: for every s ≥ 1 and l < u, E over the permutation, against H-SF, the supremum over all "
                f"lengths in [l, u] and n; {PROCESS}",
                "sums of squares; a family of instances with exact totals, and upper bounds at every n and M",
                (part, process),
                f"{why}; {process.part}: {process.status}",
                ("α = 1, where every order is H-SF's",),
            ),
            Verdict("where-argued", FORM, "sums of squares", (part,), why),
        ),
        state if part.status == "proved" else Proof("false-step", name),
        (in_process.random_repair(), random_repair()),
    )


def _random_counterexample(bound: Any, at: Fraction) -> dict[str, Any]:
    low, up = at.numerator, at.denominator
    x = {low: up, up: low}  # T = 1/(1 + u/l)
    total, length = sum(x.values()), sum(i * i * v for i, v in x.items())
    below = low * low * x[low] * (x[low] + 2 * x[up]) + up * up * x[up] ** 2
    value = Fraction(total * length, below)
    again = Fraction(up + low, 2 * low)
    if value != again:
        raise AssertionError("two computations of A_random's supremum differ")
    return {
        "counterexample": {"s": 0, "l": low, "u": up, "x_l": up, "x_u": low},
        "ratio": str(value),
        "claimed bound": str(bound.subs(alpha, sp.Rational(low, up))),
        "second computation": str(again),
    }


def decide_upper(given: Given) -> Decision:
    """Decide CR(A_max) ≤ bound, of the form."""
    bound = _bound(given)
    name = "CR(A_max) is at most the bound, of the form"
    over = _exceeded(bound)
    outcome = at_least(bound, LOWER, alpha, Fraction(0), Fraction(1))  # the last step of the theorem
    if over is not None:
        part = Part(name, "refuted", over)
    elif outcome.holds:
        part = from_theorem(name, max_theorem(), how_loose=[_instance(*x, 0) for x in ((1, 10), (1, 100))])
    else:
        tried = f"{len(a_max.SETTINGS)} settings; no proof for a bound below α⁻¹(1+α^(−1/2))/2"
        part = Part(name, "inconclusive", {"tried": tried})
    why = (
        f"{name}: {part.status}; exactly ½ (s+u)/(s+l) (1 + √(1 + (s+l)S/l)), α⁻¹·½(1+√(1+½ ln(1/α))) at most at s = 0"
    )
    rests = Proof(
        "false-step", "Lemma max<random and Proposition memo_latency, on which it rests, are pathwise statements"
    )
    process = in_process.max_part(bound, alpha)
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{FORM}; and the process: for every s ≥ 1 and l < u, E over the permutation, against H-SF, the supremum over all "
                f"lengths in [l, u] and n; {PROCESS}",
                "sums of squares; an upper bound at every n and M",
                (part, process),
                f"{why}; {process.part}: {process.status}",
            ),
            Verdict("where-argued", FORM, "sums of squares", (part,), why),
        ),
        rests,
        (in_process.max_repair(), max_repair()),
    )


def _exceeded(bound: Any) -> dict[str, Any] | None:
    """Return weights at s = 0 at which the ratio exceeds the bound."""
    for low, up in a_max.SETTINGS:
        value = enclosed(bound, {alpha: Fraction(low, up)}, 60)
        if value is None or not value.upper < enclose(a_max.supremum(low, up), {}, 60).lower:
            continue
        near = a_max.witness(low, up)
        if near["ratio"] > value.upper:
            shown = {**near, "ratio": str(near["ratio"]) if up - low < 12 else near["as a float"]}
            return {
                "counterexample": shown,
                "claimed bound": value.decimals(20)[1],
                "second computation": "the same ratio by plain sums over lengths, as an exact fraction",
            }
    return None


def decide_lower(given: Given) -> Decision:
    """Decide CR(A_max) ≥ bound, of the form, and the displayed equality of the proof."""
    bound = _bound(given)
    name = "CR(A_max) is at least the bound, of the form"
    parts: list[Part] = []
    for size, label in ((0, "s = 0"), (1, "s = 1")):
        under = _missed(bound, size)
        if under is not None:
            if sp.simplify(bound - LOWER) == 0:
                under["for every s and l < u"] = max_theorem().as_json()
            parts.append(Part(f"{name}, {label}", "refuted", under))
        elif size == 0 and at_least(1 / alpha, bound, alpha, Fraction(0), Fraction(1)).holds:
            parts.append(
                from_theorem(f"{name}, {label}", max_theorem(), since="the supremum is at least 1/α, as r ≥ 1")
            )
        else:
            tried = f"{len(a_max.SETTINGS)} settings"
            parts.append(Part(f"{name}, {label}", "inconclusive", {"tried": tried}))
    display = _display(given)
    process = (in_process.max_lower_part(bound, alpha), _measured(bound))
    order = "of the order α⁻¹ √(ln 1/α) at s = 0"
    why = "; ".join([*(f"{p.part}: {p.status}" for p in (*parts, process[0])), order])
    argued = (parts[0], display)
    why_argued = "; ".join([*(f"{p.part}: {p.status}" for p in argued), order])
    return Decision(
        (
            Verdict(
                "as-stated",
                f"{FORM}; and the process: for every s ≥ 1 and l < u with l/u = α, E over the permutation, against H-SF, the supremum "
                "over all lengths in [l, u] and n, M → ∞",
                "sums of squares; an upper bound at every n and M; simulation",
                (*parts, display, *process),
                why,
            ),
            Verdict(
                "where-argued",
                "of the form, s = 0, in the limit M → ∞: all lengths l < u with l/u = α, all weights; and the proof's last display",
                "sums of squares",
                argued,
                why_argued,
            ),
        ),
        Proof("false-step", f"the last equality: at a/b = {given['mix']} the fraction is not {given['display']}")
        if display.status == "refuted"
        else Proof("not-examined"),
        (
            max_repair(),
            Repair(
                "the last equality of the proof: at a/b = √α the fraction is (1+√α)²/(√α(1+α+2α√α))",
                (from_theorem("the fraction at a/b = √α", fraction_theorem()),),
            ),
        ),
    )


def _missed(bound: Any, size: int) -> dict[str, Any] | None:
    """Return a setting at which the supremum is below the bound, confirmed by elimination on the plain entries."""
    for low, up in a_max.SETTINGS:
        value = enclosed(bound, {alpha: Fraction(low, up)}, 60)
        if value is None or not enclose(a_max.supremum(low, up, size), {}, 60).upper < value.lower:
            continue
        if up - low > a_max.WIDEST or not a_max.everywhere_below(value.lower, low, up, size):
            continue
        return {
            "counterexample": {**_instance(low, up, size), "claimed bound": value.middle},
            "second computation": "bound · H-SF − A_max is positive definite, by exact elimination",
        }
    return None


def _display(given: Given) -> Part:
    """Decide the proof's last equality: (u/l)(au+bl)(a+b)/(ua²+2lab+ub²) at a/b = mix is the displayed expression.

    With r = a/b it is α⁻¹ (r+α)(r+1)/(r²+2αr+1).
    """
    name = "the last equality of the proof"
    mix, shown = _bound(given, "mix"), _bound(given, "display")
    fraction = (mix + alpha) * (mix + 1) / (alpha * (mix**2 + 2 * alpha * mix + 1))
    root = sp.Symbol("t", positive=True)  # α = t², so that √α is rational in t
    sides = {"lhs": shown.subs(alpha, root**2), "rhs": fraction.subs(alpha, root**2)}
    theorem = Theorem(name, name, "0 < α = t² < 1", (Identity(name="display", **sides),))
    for low, up in ((1, 4), (4, 9), (1, 9)):
        at = {alpha: sp.Rational(low, up)}
        left, right, ratio = (expr.subs(at) for expr in (fraction, shown, mix))
        if left.is_Rational and right.is_Rational and ratio.is_Rational and ratio > 0 and left != right:
            a, b = int(ratio.p), int(ratio.q)
            again = Fraction(up * (a * up + b * low) * (a + b), low * (up * a**2 + low * 2 * a * b + up * b**2))
            evidence = {
                "counterexample": {"l": low, "u": up, "a": a, "b": b},
                "the fraction": str(left),
                "as displayed": str(right),
                "second computation": f"{again}, of a and b",
                "right would be": "α^(−1/2)(1+α^(1/2))²/(1+α+2α^(3/2)) at a/b = α^(1/2)",
            }
            return Part(name, "refuted", evidence)
    return from_theorem(name, theorem)


@lru_cache(maxsize=1)
def _runs(law: str) -> Comparison:
    """Return A_max's and H-SF's runs on a law; they do not depend on what a claim is given."""
    return compare("a-max", law, n=20_000, memory=800, s=1, seeds=3)


def _measured(bound: Any) -> Part:
    """Simulate the proof's own kind of instance: {1, 16} with N_l : N_u = u√α : l."""
    low, up = 1, 16
    law = f"two-point(l={low}, u={up}, weight=4/5)"
    found = _runs(law)
    value = enclosed(bound, {alpha: Fraction(low, up)}, 12)
    upper = found.to_h_sf.interval[1] if found.to_h_sf.interval else found.to_h_sf.mean
    wrong = value is not None and upper < 0.8 * value.middle
    status: Status = "contradicted" if wrong else "inconclusive"
    return Part(
        "the ratio of A_max itself on the proof's instance is at least the bound",
        status,
        {
            "law": law,
            "s": 1,
            "n": 20_000,
            "M": 800,
            "seeds": 3,
            "TEL over H-SF": found.to_h_sf.as_json(),
            "claimed at least": None if value is None else value.middle,
            "margin": "contradicted where the interval's upper end is below 0.8 of the claim; other laws are not tried",
        },
    )


LOWER_RATE = "the lower rate, of A_max itself"


def decide_rate(given: Given) -> Decision:
    """Decide "between α^(−fast) and α^(−slow)" and the value at α = 1, of the form at s = 0."""
    fast, slow, at_one = (number(name, given[name]) for name in ("fast", "slow", "at_one"))
    for key, power in (("fast", fast), ("slow", slow)):
        if abs(power) > 20:
            raise InputError(key, given[key], "must be a number from -20 to 20")
    if not slow <= fast:
        raise InputError("slow", given["slow"], "must be at most fast")
    theorem = max_theorem()
    big = sp.Symbol("L", positive=True)  # 1/α; α·CR = ½(1 + √(1+S)), S ≤ ½ ln L, S → ½ ln L
    exact = (1 + sp.sqrt(1 + sp.log(big) / 2)) / 2
    grows = "CR·α = ½(1+√(1+S)), S = Σ_{l<k≤u} 1/(2k−1) = ½ ln(1/α) + O(1): between constants times √(ln(1/α))"
    parts: list[Part] = []
    for name, power, ok in (
        (f"not faster than α^(−{given['fast']})", fast, fast > 1),
        (f"at least as fast as α^(−{given['slow']})", slow, slow <= 1),
    ):
        limit = sp.limit(big * exact / big ** sp.Rational(power.numerator, power.denominator), big, sp.oo)
        label = "the upper rate" if power == fast and name.startswith("not") else "the lower rate"
        if ok:
            parts.append(from_theorem(label, theorem, argument=f"{name}: {grows}", limit_of_CR_over_rate=str(limit)))
        else:
            rows = [_instance(1, n, 0) for n in (10, 100, 1000)]
            shown = [{**row, "over the rate": row["as a float"] / row["u"] ** float(power)} for row in rows]
            evidence = {
                "counterexample": shown,
                "claim": name,
                "limit of CR over the rate": str(limit),
                "reason": grows,
                "second computation": [row["plain sums"] for row in rows],
            }
            parts.append(Part(label, "refuted", evidence))
    parts.append(in_process.max_rate_part(LOWER_RATE, slow))
    value = a_max.supremum(5, 5)
    good = value == sp.Rational(at_one.numerator, at_one.denominator)
    one = {
        "argument": "S = 0 at l = u",
        "computed": str(value),
        "counterexample": "l = u = 5",
        "second computation": "1",
    }
    parts.append(Part("the value at α = 1", "proved" if good else "refuted", one))
    why = "; ".join(f"{p.part}: {p.status}" for p in parts) + "; the form grows like α⁻¹ √(ln(1/α))"
    reading = (
        "of the form at s = 0 (at s > 0 it is smaller): as α → 0 the supremum lies between constants times the two rates; the lower "
        "rate in the process too, at s = 1 and l = 1"
    )
    return Decision(
        (Verdict("as-stated", reading, "exact supremum, limits", tuple(parts), why),),
        Proof("false-step", "it rests on Theorem Amaxlower"),
        (
            Repair(
                "of the form at s = 0, for all l ≤ u: α⁻¹ ≤ sup CR(A_max) ≤ ½ α⁻¹ (1 + √(1 + ½ ln(1/α))); "
                "at α = 1 it is 1",
                (from_theorem("the growth of A_max's supremum at s = 0", max_rate_theorem()),),
            ),
        ),
    )


RANDOM_FORM = "CR(A_random) is at most the bound, of the form"

RANDOM = Claim(
    id="thm-random",
    place="Theorem fully_random, part 2",
    statement="CR(A_random) ≤ (1+α⁻¹)/2 + O(1/M)",
    given={"bound": "(1+1/alpha)/2"},
    decide=decide_random,
    rests_on=("thm-endpoints",),
    corrupted=(
        Variant("a constant off by 1 %", {"bound": "0.99*(1+1/alpha)/2"}, RANDOM_FORM),
        Variant("a sign", {"bound": "(1/alpha-1)/2"}, RANDOM_FORM),
        Variant("an exponent", {"bound": "(1+alpha)/2"}, RANDOM_FORM),
        Variant("a power", {"bound": "(1+1/sqrt(alpha))/2"}, RANDOM_FORM),
        Variant("less by a hair", {"bound": "(1+1/alpha)/2-1e-9"}, RANDOM_FORM),
        Variant("1 % more, in the process", {"bound": "1.01*(1+1/alpha)/2"}, in_process.RANDOM),
        Variant("another bound, in the process", {"bound": "1/(1-alpha+alpha**2)-1/100"}, in_process.RANDOM),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1/alpha"}, RANDOM_FORM),
        Variant("an equivalent wording", {"bound": "(1+alpha)/(2*alpha)"}, RANDOM_FORM),
        Variant("a bound that the process keeps", {"bound": "2+1/alpha"}, in_process.RANDOM),
    ),
)
AMAX_UPPER = Claim(
    id="thm-amax-upper",
    place="Theorem Amax",
    statement="CR(A_max) ≤ α⁻¹(1+α⁻¹)/2 + O(1/M)",
    given={"bound": "(1+1/alpha)/(2*alpha)"},
    decide=decide_upper,
    rests_on=("lem-max-random", "prop-memory", "thm-random"),
    corrupted=(
        Variant("A_random's bound", {"bound": "(1+1/alpha)/2"}),
        Variant("an exponent", {"bound": "1/alpha"}),
        Variant("a sign", {"bound": "(1/alpha-1)/(2*alpha)"}),
        Variant("a constant off by 1 %", {"bound": "0.99*(1+1/alpha)/(2*alpha)"}),
        Variant("less by a hair", {"bound": "(1+1/alpha)/(2*alpha)-1e-9"}),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1/alpha**2"}),
        Variant("an equivalent wording", {"bound": "(alpha+1)/(2*alpha**2)"}),
        Variant("a bound that the process keeps", {"bound": "1+(1+1/sqrt(alpha))/alpha"}),
    ),
)
AT_LEAST_ZERO, DISPLAY = "CR(A_max) is at least the bound, of the form, s = 0", "the last equality of the proof"

AMAX_LOWER = Claim(
    id="thm-amax-lower",
    place="Theorem Amaxlower",
    statement="CR(A_max) ≥ α⁻¹(1+α^(−1/2))/2, by the instance in its proof",
    given={
        "bound": "(1+1/sqrt(alpha))/(2*alpha)",
        "mix": "sqrt(alpha)",
        "display": "(1+1/sqrt(alpha))/(2*alpha)",
    },
    decide=decide_lower,
    corrupted=(
        Variant("a constant", {"bound": "1.01*(1+1/sqrt(alpha))/(2*alpha)"}, AT_LEAST_ZERO),
        Variant("an exponent", {"bound": "(1+1/alpha)/(2*alpha)"}, AT_LEAST_ZERO),
        Variant("a power", {"bound": "1/alpha**2"}, AT_LEAST_ZERO),
        Variant("a true bound and 1 %", {"bound": "1.01/alpha"}, AT_LEAST_ZERO),
        Variant("a true bound by a hair", {"bound": "1/alpha+1e-9"}, AT_LEAST_ZERO),
        Variant(
            "a sign in a right display",
            {"display": "(1-sqrt(alpha))**2/(sqrt(alpha)*(1+alpha+2*alpha**(3/2)))"},
            DISPLAY,
        ),
        Variant("another mix of lengths", {"mix": "1", "display": "1/alpha+1e-9"}, DISPLAY),
    ),
    variants=(
        Variant("a weaker bound", {"bound": "1/alpha"}, AT_LEAST_ZERO),
        Variant("a much weaker bound", {"bound": "(1+1/sqrt(alpha))/2"}, AT_LEAST_ZERO),
        Variant("a right display", {"display": "(1+sqrt(alpha))**2/(sqrt(alpha)*(1+alpha+2*alpha**(3/2)))"}, DISPLAY),
        Variant("a right display of another mix", {"mix": "1", "display": "1/alpha"}, DISPLAY),
    ),
)
RATE = Claim(
    id="rate-amax",
    place="after Theorem Amaxlower",
    statement="as α → 0, CR(A_max) grows at a rate between α⁻² and α^(−1.5); at α = 1 it is 1",
    given={"fast": "2", "slow": "1.5", "at_one": "1"},
    decide=decide_rate,
    rests_on=("thm-amax-upper", "thm-amax-lower"),
    corrupted=(
        Variant("an exponent", {"slow": "1.1"}, "the lower rate"),
        Variant("too slow above", {"fast": "1", "slow": "1"}, "the upper rate"),
        Variant("a value", {"at_one": "2"}, "the value at α = 1"),
        Variant("an exponent off by 1 %", {"slow": "1.01"}, "the lower rate"),
        Variant("a value off by 1 %", {"at_one": "1.01"}, "the value at α = 1"),
    ),
    variants=(
        Variant("a true rate below", {"slow": "1"}, "the lower rate"),
        Variant("a slower rate above that is true", {"fast": "1.01", "slow": "1"}, "the upper rate"),
    ),
)
