"""The claims on two-point, geometric and linearly weighted geometric laws, and how bounds are compared."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import compare, ratio, simulate, verify
from crtools.enclosure import Enclosure
from crtools.errors import InputError
from crtools.ledger.result import ClaimResult, Part
from crtools.papers.adaptive.evidence.algorithm_two import areas
from crtools.papers.adaptive.evidence.all_long import totals
from crtools.papers.adaptive.evidence.law_in_process import cut, further, least_ratio
from crtools.papers.adaptive.literal.forms import h_sf_sum
from crtools.papers.adaptive.literal.sums import ratio_by_sums
from crtools.ratios.comparison import at_least, number_at_least

alpha = sp.Symbol("alpha", positive=True)
LG = "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"


@cache
def default(name: str) -> ClaimResult:
    return verify([name])[0]


def changed(name: str, **values: str) -> ClaimResult:
    return verify([name], set=values)[0]


def part(result: ClaimResult, start: str, scope: Any = "where-argued") -> Part:
    [found] = [p for p in result.verdict(scope).parts if p.part.startswith(start)]
    return found


# ---- the paper's sums, written out again ------------------------------------------------------------------------


def pair_ratio(policy: str, s: int, low: int, up: int, x_l: int, x_u: int) -> Fraction:
    """The ratio on {l, u} from Lemma "Amin"'s sums, or from the definition of A_ℓ."""
    x = {low: Fraction(x_l), up: Fraction(x_u)}
    below = low * (s + low) * x[low] * (x[low] + 2 * x[up]) + up * (s + up) * x[up] ** 2
    if policy == "a-ell":
        # every request takes l tokens first, in batches; then those that are longer take u
        above = low * (s + low) * (x[low] + x[up]) * (x[low] + 2 * x[up]) + up * (s + up) * x[up] ** 2
        return above / below
    above = Fraction(0)
    for k in range(low, up + 1):
        delta = s + low if k == low else 1
        outer = sum((i * v for i, v in x.items() if i >= k), Fraction(0))
        inner = sum((Fraction(delta, s + i) * v for i, v in x.items() if i >= k), Fraction(0))
        inner += 2 * sum((Fraction(i - k, s + i) * v for i, v in x.items() if i > k), Fraction(0))
        above += delta * outer * inner
    return above / below


def law_ratio(linear: bool, s: int, q: float) -> float:
    """The ratio under q^k or k q^k, k ≥ 1, by Lemma "Amin"'s sums in floats."""
    last = 60
    while (last + s) ** 5 * q**last > 1e-16 * (1 - q):
        last += 20
    x = [0.0] + [q**k * (k if linear else 1) for k in range(1, last + 1)]
    above = below = 0.0
    for k in range(1, last + 1):
        delta = s + 1 if k == 1 else 1
        outer = sum(i * x[i] for i in range(k, last + 1))
        inner = sum(delta / (s + i) * x[i] for i in range(k, last + 1))
        inner += 2 * sum((i - k) / (s + i) * x[i] for i in range(k + 1, last + 1))
        above += delta * outer * inner
        below += k * (s + k) * x[k] * (x[k] + 2 * sum(x[k + 1 :]))
    return above / below


# ---- the verdicts on the paper's own values ---------------------------------------------------------------------

VERDICTS = {
    "thm-two-point": ["refuted", "proved"],
    "thm-aell": ["refuted", "refuted"],
    "switch": ["proved"],
    "geometric": ["refuted", "proved"],
    "thm-lg": ["refuted", "refuted"],
    "lg-mode": ["refuted"],
    "uniform-bounds": ["refuted", "proved"],
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdicts(name: str) -> None:
    result = default(name)
    assert [v.status for v in result.verdicts] == VERDICTS[name]
    assert [v.scope for v in result.verdicts] == ["as-stated", "where-argued"][: len(result.verdicts)]
    for verdict in result.verdicts:
        open_parts = [p.part for p in verdict.parts if p.status == "inconclusive"]
        assert open_parts == ["at most the weaker bound, of the algorithm itself"] * (
            name == "thm-lg" and verdict.scope == "as-stated"
        )


def test_what_is_refuted_where_it_is_argued() -> None:
    """In both theorems the statement holds at s = 0; steps of the published proofs do not."""
    bad = [p.part for p in default("thm-aell").verdict("where-argued").parts if p.status == "refuted"]
    assert [name[:17] for name in bad] == ["display (1), left", "the inference fro"]
    bad = [p.part for p in default("thm-lg").verdict("where-argued").parts if p.status == "refuted"]
    assert bad == ["the displayed denominator sum"]
    assert default("thm-aell").proof.state == default("thm-lg").proof.state == "false-step"
    assert default("thm-two-point").proof.state == "sound"


# ---- the counterexamples, again ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "policy"), [("thm-two-point", "a-min"), ("thm-aell", "a-ell"), ("uniform-bounds", "a-min")]
)
def test_counterexamples_on_two_points(name: str, policy: str) -> None:
    found = default(name).verdict("as-stated").parts[0]
    assert found.status == "refuted"
    at = found.evidence["counterexample"]
    assert at["s"] >= 1
    truth = pair_ratio(policy, at["s"], at["l"], at["u"], at["x_l"], at["x_u"])
    assert Fraction(found.evidence["ratio"]) == Fraction(found.evidence["second computation"]) == truth
    assert truth > Fraction(found.evidence["claimed bound"])
    a = Fraction(at["l"], at["u"])
    bound = {"thm-two-point": (3 - a) / 2, "uniform-bounds": Fraction(3, 2)}.get(name)
    if bound is None:
        bound = 1 + 2 * a * a if a >= Fraction(1, 2) else 1 + a / (2 * (1 - a))
    assert truth > bound


def test_the_false_display_of_a_ell() -> None:
    evidence = part(default("thm-aell"), "display (1), left").evidence
    at = {k: Fraction(v) for k, v in evidence["counterexample"].items()}
    l, u, x, y = at["l"], at["u"], at["x"], at["y"]
    assert Fraction(evidence["as displayed"]) == l * (l / 2) * (x + y) * x + (l + u / 2) * (x + y) * y
    assert Fraction(evidence["actual"]) == (l * l * (x + y) * (x + 2 * y) + u * u * y * y) / 2
    assert evidence["as displayed"] != evidence["actual"]


def test_the_false_inference_of_a_ell() -> None:
    evidence = part(default("thm-aell"), "the inference").evidence
    a, t = (Fraction(evidence["counterexample"][name]) for name in ("alpha", "t"))
    h = a * a * (t + 2)
    assert a * a * t * t + 2 * a * a * t + 1 >= 2 * a * (1 + a) * t  # the premise holds
    assert h / (2 * a * (1 + a) * t) > a / (2 * (1 - a))  # and gives less than the conclusion


@pytest.mark.parametrize(("name", "start", "linear"), [
    ("geometric", "bounded, s ≥ 1", False), ("thm-lg", "at most the bound, s ≥ 1", True),
    ("thm-lg", "at most the weaker bound, s ≥ 1", True),
    ("uniform-bounds", "geometric: at most the bound, s ≥ 1", False),
    ("uniform-bounds", "linear_geometric: at most the bound, s ≥ 1", True),
])  # fmt: skip
def test_counterexamples_of_geometric_laws(name: str, start: str, linear: bool) -> None:
    evidence = part(default(name), start, "as-stated").evidence
    at = evidence["counterexample"]
    plain = law_ratio(linear, at["s"], float(Fraction(at["q"])))
    assert plain == pytest.approx(float(evidence["ratio"][0]), rel=1e-10)
    assert plain > float(Fraction(evidence["claimed bound"])) + 1e-6


@pytest.mark.parametrize(("name", "linear"), [("geometric", False), ("thm-lg", True)])
def test_the_ratio_decreases_at_last_with_a_prompt(name: str, linear: bool) -> None:
    found = part(default(name), "monotone in q, s = 1", "as-stated")
    assert found.status == "refuted"
    low, high = (float(Fraction(v)) for v in found.evidence["counterexample"]["q"])
    assert low < high
    first = law_ratio(linear, 1, low)
    assert first == pytest.approx(float(found.evidence["ratio"][0]), rel=1e-8)
    assert float(ratio_by_sums("k" if linear else "1", 1, Fraction(high).limit_denominator(1000), 10).upper) < first


def test_the_closed_form_does_not_hold_with_a_prompt() -> None:
    evidence = part(default("thm-lg"), "the closed form, s = 1", "as-stated").evidence
    at = float(Fraction(evidence["counterexample"]["q"]))
    assert law_ratio(True, 1, at) == pytest.approx(float(evidence["actual"]), rel=1e-9)
    assert law_ratio(True, 0, at) == pytest.approx(float(evidence["claimed"]), rel=1e-9)
    assert evidence["actual"] != evidence["claimed"]


def test_the_false_denominator_sum() -> None:
    evidence = part(default("thm-lg"), "the displayed denominator").evidence
    w = [0.0] + [i * 0.5 ** (i - 1) for i in range(1, 150)]
    displayed = sum(k**2 * w[k] * (2 * w[k] + sum(w[k + 1 :])) for k in range(1, 150))
    right = sum(k**2 * w[k] * (w[k] + 2 * sum(w[k + 1 :])) for k in range(1, 150))
    assert float(Fraction(evidence["the sum"])) == pytest.approx(displayed, rel=1e-12)
    assert float(Fraction(evidence["as displayed"])) == pytest.approx(right, rel=1e-12)


def test_the_mode() -> None:
    evidence = part(default("lg-mode"), "the mode", "as-stated").evidence
    at = Fraction(evidence["counterexample"]["q"])
    weights = [k * at ** (k - 1) for k in range(1, 60)]
    modes = [k for k, v in enumerate(weights, start=1) if v == max(weights)]
    assert evidence["mode"] == modes
    assert all(abs(float(evidence["formula"][0]) - m) > 1 for m in modes)


@pytest.mark.parametrize("weight", ["1", "k"])
@pytest.mark.parametrize("s", [0, 1, 6])
def test_plain_sums(weight: str, s: int) -> None:
    for q in (Fraction(1, 7), Fraction(3, 4)):
        enclosed = ratio_by_sums(weight, s, q, 12)
        assert enclosed.width < Fraction(1, 10**12)
        assert law_ratio(weight == "k", s, float(q)) == pytest.approx(enclosed.middle, rel=1e-11)


# ---- other values whose truth is known --------------------------------------------------------------------------

BOUND = "the bound of CR(A_min), s = 0"
KNOWN = [
    ("thm-two-point", {"bound": "(3-alpha)/2-1/10**12"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "(3-alpha)/2+1/10**12"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "3/2-alpha/2+(alpha-1/3)**2"}, BOUND, "proved"),  # touches
    ("thm-two-point", {"bound": "3/2-alpha/2+(alpha-1/3)**2-1/10**14"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "1/(alpha-1)+10**9"}, BOUND, "refuted"),  # a pole at the end
    ("thm-two-point", {"bound": "2-1/(10**9*alpha)"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "10**30"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "1"}, BOUND, "refuted"),
    ("thm-two-point", {"den": "l**2*x**2+2*l**2*x*y+u**2*y**2+1/10**30"}, "display den", "refuted"),
    ("thm-two-point", {"den": "(l*x+l*y)**2+(u**2-l**2)*y**2"}, "display den", "proved"),
    ("thm-two-point", {"ratio": "1+alpha*(1-alpha)*(1+alpha)*t/(alpha**2*t*(t+2)+1)"}, "display CR", "proved"),
    ("thm-aell", {"bound_low": "1+alpha/(2*(1-alpha))-1/10**12"}, "the bound for α ≤ ½", "refuted"),
    ("thm-aell", {"bound_low": "3/2"}, "the bound for α ≤ ½", "proved"),
    ("thm-aell", {"bound_high": "3"}, "the bound for α ≥ ½", "proved"),
    ("thm-aell", {"bound_high": "3-1/10**9"}, "the bound for α ≥ ½", "refuted"),
    ("thm-aell", {"bound_high": "1+2*alpha"}, "the bound for α ≥ ½", "proved"),
    ("thm-aell", {"display_1_left": "(l**2*x**2+3*l**2*x*y+(2*l**2+u**2)*y**2)/2"}, "display (1), left", "proved"),
    ("switch", {"threshold": "1/2"}, "A_ℓ's bound", "refuted"),
    ("switch", {"threshold": "3/2-sqrt(5)/2"}, "A_ℓ's bound", "proved"),
    ("switch", {"threshold": "log(3/2)"}, "A_ℓ's bound", "refuted"),
    ("switch", {"a_min_bound": "3/2", "threshold": "1/2"}, "A_ℓ's bound", "proved"),
    ("switch", {"a_min_bound": "3", "threshold": "1"}, "A_ℓ's bound", "proved"),
    ("switch", {"a_min_bound": "1"}, "A_ℓ's bound", "refuted"),
    ("switch", {"bound_low": "1", "bound_high": "1", "threshold": "1"}, "A_ℓ's bound", "proved"),
    ("geometric", {"bound": "1.68223383328066"}, "bounded, s = 0", "proved"),
    ("geometric", {"bound": "1.68"}, "bounded, s = 0", "refuted"),
    ("geometric", {"bound": "0"}, "bounded, s = 0", "refuted"),
    ("thm-lg", {"bound": "14/9+1/10**12"}, "at most the bound, s = 0", "proved"),
    ("thm-lg", {"bound": "1.5555"}, "at most the bound, s = 0", "refuted"),
    ("thm-lg", {"closed_form": "log(1+q)"}, "the closed form, s = 0", "refuted"),
    ("thm-lg", {"display_own": "1", "display_tail": "2"}, "the displayed denominator", "proved"),
    ("thm-lg", {"direction": "decreases"}, "monotone in q, s = 0", "refuted"),
    ("lg-mode", {"mode": "q/(1-q)"}, "the mode", "proved"),
    ("lg-mode", {"mode": "1/(1-q)-1/2"}, "the mode", "proved"),
    ("lg-mode", {"mode": "1/log(1/q)-1"}, "the mode", "refuted"),
    ("lg-mode", {"mode": "1"}, "the mode", "refuted"),
    ("uniform-bounds", {"two_point": "1.5-1/10**6"}, "two_point", "refuted"),
    ("uniform-bounds", {"two_point": "1.5-1/10**15"}, "two_point", "refuted"),
    ("uniform-bounds", {"linear_geometric": "14/9"}, "linear_geometric", "proved"),
    ("uniform-bounds", {"linear_geometric": "1.5555"}, "linear_geometric", "refuted"),
    ("uniform-bounds", {"geometric": "1.6822"}, "geometric", "refuted"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "start", "status"), KNOWN)
def test_values_whose_truth_is_known(name: str, values: dict[str, str], start: str, status: str) -> None:
    found = part(changed(name, **values), start)
    assert found.status == status
    if status == "refuted" and "counterexample" in found.evidence:
        at = found.evidence["counterexample"]
        if "x_l" in at:  # a bound on two points
            policy = "a-ell" if name == "thm-aell" else "a-min"
            if at["u"] <= 2000:
                truth = pair_ratio(policy, at["s"], at["l"], at["u"], at["x_l"], at["x_u"])
                assert Fraction(found.evidence["ratio"]) == truth
            assert Fraction(found.evidence["ratio"]) > Fraction(found.evidence["claimed bound"])


NOT_PROVED = [
    ("thm-two-point", {"bound": "max((3-alpha)/2, 1)"}, BOUND),  # true, not rational
    ("switch", {"threshold": "0.38196601125010515179541316563436188"}, "A_ℓ's bound"),
    ("switch", {"a_min_bound": "sqrt(alpha)"}, "A_ℓ's bound"),
    ("thm-lg", {"closed_form": f"{LG}+(q-1/2)*(q-1/3)*(q-9/10)"}, "the closed form, s = 0"),
    ("thm-lg", {"bound": "14/9-1/10**12"}, "at most"),
    ("geometric", {"bound": "1.68223383328065"}, "bounded, s = 0"),
    ("lg-mode", {"mode": "1/(1-q)+1/10"}, "the mode"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "start"), NOT_PROVED)
def test_what_is_false_or_open_is_never_proved(name: str, values: dict[str, str], start: str) -> None:
    result = changed(name, **values)
    named = [p for p in result.verdict("where-argued").parts if p.part.startswith(start)]
    assert named
    assert any(p.status not in ("proved", "certified") for p in named)


BAD = [
    ("thm-two-point", "bound", "alpha/0"), ("thm-two-point", "bound", "u"), ("thm-two-point", "bound", ""),
    ("thm-two-point", "num", "alpha.real"), ("thm-aell", "bound_low", "x"), ("thm-aell", "display_2", "__import__('os')"),
    ("switch", "threshold", "alpha"), ("switch", "threshold", "1/0"), ("switch", "a_min_bound", "u"),
    ("geometric", "bound", "x"), ("geometric", "bound", "log(2)"), ("geometric", "direction", "x"), ("geometric", "direction", ""),
    ("thm-lg", "closed_form", "1/0"), ("thm-lg", "closed_form", "p"), ("thm-lg", "display_own", "x"),
    ("thm-lg", "weaker_bound", "1/0"), ("thm-lg", "display_denominator", "k"), ("lg-mode", "mode", "p"),
    ("lg-mode", "mode", "log(0)"), ("uniform-bounds", "two_point", "alpha"), ("uniform-bounds", "geometric", "1/0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "value"), BAD)
def test_a_bad_value_is_an_input_error(name: str, key: str, value: str) -> None:
    with pytest.raises(InputError) as caught:
        verify([name], set={key: value})
    assert "\n" not in str(caught.value)


# ---- comparisons ------------------------------------------------------------------------------------------------

TARGET = (3 - alpha) / 2
THIRD = sp.Rational(1, 3)
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


@pytest.mark.parametrize(
    "bound",
    [
        TARGET, sp.Rational(3, 2), sp.Integer(2), TARGET + (alpha - THIRD) ** 2, TARGET + alpha, TARGET + (1 - alpha) ** 3,
        TARGET + 1 / alpha, TARGET + 1 / (1 - alpha), TARGET + alpha**2 * (alpha - THIRD) ** 2 * (1 - alpha),
        TARGET + 1 / (1 + alpha), TARGET + 1 / (alpha + 1) ** 2,
        sp.sqrt(alpha) + 2, sp.sqrt(2) * alpha + 2, sp.sqrt(3), sp.log(5), 1 / sp.sqrt(alpha), 2 - sp.sqrt(alpha) / 2,
        sp.Max(sp.Rational(8, 5), alpha), alpha ** sp.Rational(-1, 3) + sp.Rational(1, 2), sp.exp(alpha) + 1,
    ],
)  # fmt: skip
def test_a_bound_that_holds(bound: Any) -> None:
    assert at_least(bound, TARGET, alpha, ZERO, ONE).holds is True


@pytest.mark.parametrize(
    "bound",
    [
        sp.Integer(1), TARGET - sp.Rational(1, 10**9), TARGET + (alpha - THIRD) ** 2 - sp.Rational(1, 10**12), TARGET + alpha - THIRD,
        sp.Rational(3, 2) - sp.Rational(1, 10**20), TARGET + (alpha - THIRD) ** 2 - sp.Rational(1, 10**40),
        TARGET + 1 - alpha - sp.Rational(1, 10**15), TARGET + (alpha - THIRD) ** 3,
        TARGET + 1 / (alpha - THIRD), TARGET - 1 / alpha, TARGET - 1 / (1 - alpha),
        TARGET - sp.sqrt(2) / 10**20, sp.Max(TARGET - sp.Rational(1, 10**9), alpha), 1 + (1 - sp.sqrt(alpha)) / 2,
        TARGET + 1 / (alpha - THIRD) ** 2 - 100, sp.log(alpha), sp.sqrt(alpha), TARGET - sp.sqrt(alpha) / 10, -sp.Integer(10) ** 30,
    ],
)  # fmt: skip
def test_a_bound_that_fails_fails_at_the_point(bound: Any) -> None:
    outcome = at_least(bound, TARGET, alpha, ZERO, ONE)
    assert outcome.holds is False
    assert outcome.point is not None
    assert 0 < outcome.point < 1
    gap = (bound - TARGET).subs(alpha, sp.Rational(outcome.point.numerator, outcome.point.denominator))
    assert sp.N(gap, 30) < 0


@pytest.mark.parametrize(
    "bound",
    [
        TARGET + 1 / (alpha - THIRD) ** 2, sp.Max(TARGET, 1), TARGET + sp.sqrt(2) * alpha, TARGET + alpha**sp.pi,
        TARGET + sp.log(6) - sp.log(2) - sp.log(3), TARGET + sp.sqrt(alpha - THIRD),
    ],
)  # fmt: skip
def test_what_is_not_decided(bound: Any) -> None:
    outcome = at_least(bound, TARGET, alpha, ZERO, ONE)
    assert outcome.holds is None
    assert outcome.reason


def test_the_range_matters() -> None:
    bound = TARGET + alpha - sp.Rational(1, 2)
    assert at_least(bound, TARGET, alpha, HALF, ONE).holds is True
    assert at_least(bound, TARGET, alpha, ZERO, HALF).holds is False
    pole = TARGET + 1 / (alpha - THIRD) ** 2
    assert at_least(pole, TARGET, alpha, HALF, ONE).holds is True
    assert at_least(TARGET + 1 / (alpha - sp.Rational(1, 2)), TARGET, alpha, HALF, ONE).holds is True


def test_a_number_against_an_enclosure() -> None:
    enclosed = Enclosure(Fraction(3, 2), Fraction(8, 5))
    assert number_at_least(Fraction(8, 5), enclosed) is True
    assert number_at_least(Fraction(2), enclosed) is True
    assert number_at_least(Fraction(31, 20), enclosed) is None
    assert number_at_least(Fraction(3, 2), enclosed) is None
    assert number_at_least(Fraction(1), enclosed) is False


def test_algorithm_two_under_a_law_by_two_computations() -> None:
    for power, s, q, u in ((0, 1, Fraction(3, 5), 12), (1, 1, Fraction(2, 5), 9), (0, 10, Fraction(9, 10), 15)):
        weights = {k: k**power * q**k for k in range(1, u + 1)}
        law = {k: w / sum(weights.values()) for k, w in weights.items()}
        assert least_ratio(power, s, q, u) == areas(law, s) / h_sf_sum(law, s)
    assert least_ratio(0, 1, Fraction(7, 10), 60) is None  # q > (s+1)/(s+2): the needs grow
    assert least_ratio(0, 1, Fraction(2, 3), 60) is not None  # cut, they still shrink


@pytest.mark.parametrize(("spec", "s", "q"), [("geometric(q)", 1, "3/5"), ("linear-geometric(q)", 1, "2/5")])
def test_algorithm_two_is_as_slow_as_the_theorem_says(spec: str, s: int, q: str) -> None:
    law = spec.replace("(q)", f"(q={q})")
    found = compare("a-min-literal", law, n=40_000, memory=600, s=s, seeds=2).to_h_sf.mean
    exact = ratio("a-min-literal-area", law, s=s).enclosure(12)  # of the uncut law, by closed forms
    power, place = int(spec.startswith("linear")), Fraction(q)
    assert further(power, s, place, cut(power, place)) == pytest.approx(exact.middle, rel=1e-9)
    assert least_ratio(power, s, place, cut(power, place)) == pytest.approx(exact.middle, rel=1e-5)
    assert found == pytest.approx(exact.middle, rel=0.03)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(1, 2))
def test_all_requests_long_by_two_computations(s: int, l: int, more: int, rounds: int, size: int) -> None:
    memory, n, slow, best = totals(s, l, l + more, rounds, size)
    runs = [
        simulate(p, [l + more] * n, memory, s, l, l + more, order=range(n)).total_latency for p in ("a-ell", "h-sf")
    ]
    assert runs == [slow, best]


@pytest.mark.parametrize(
    ("claim", "values", "start", "status"),
    [
        ("geometric", {"bound": "1.79"}, "bounded, of the algorithm", "refuted"),
        ("geometric", {"bound": "1.95"}, "bounded, of the algorithm", "refuted"),
        ("geometric", {"bound": "2"}, "bounded, of the algorithm", "inconclusive"),
        ("thm-lg", {"bound": "1.57"}, "at most the bound, of the algorithm", "refuted"),
        ("thm-lg", {"weaker_bound": "1.5"}, "at most the weaker bound, of the algorithm", "refuted"),
        ("uniform-bounds", {"linear_geometric": "1.58"}, "linear_geometric: at most the bound, of", "inconclusive"),
        ("thm-aell", {}, "the bound of CR(A_ℓ), of the algorithm", "refuted"),
        (
            "thm-aell",
            {"bound_low": "1.1+2*alpha", "bound_high": "3"},
            "the bound of CR(A_ℓ), of the algorithm",
            "inconclusive",
        ),
    ],
)
def test_what_is_decided_of_the_algorithms_themselves(
    claim: str, values: dict[str, str], start: str, status: str
) -> None:
    assert part(changed(claim, **values), start, "as-stated").status == status
