"""The claims on two-point, geometric and linearly weighted geometric laws, and how bounds are compared."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from amount import every_third
from changed_texts import refused
from decided import decided
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import compare, ratio, simulate, verify
from crtools.errors import InputError
from crtools.ledger.claim import ClaimResult
from crtools.ledger.deciders.bounds import why_beyond
from crtools.ledger.evidence import Refuted, agree
from crtools.ledger.verdict import Finding
from crtools.papers.adaptive import ALGORITHM, AT_ZERO, FORM
from crtools.papers.adaptive.evidence import algorithm_two, two_lengths
from crtools.papers.adaptive.evidence.algorithm_two import (
    LAW_SETTINGS,
    LENGTHS,
    PROMPTS,
    areas,
    share_of,
    truncation,
    weights,
)
from crtools.papers.adaptive.evidence.one_parameter import GEOMETRIC, LINEAR, derived, sign_inside
from crtools.papers.adaptive.evidence.one_parameter import q as law_q
from crtools.papers.adaptive.literal.forms import areas_over_peaks, h_sf_sum, ratio_by_sums
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.signs.one_variable import at_least
from tests.papers.adaptive import trials
from tests.papers.adaptive.bounds import a_max
from tests.papers.adaptive.bounds.h_sf import upper_bound as h_sf_upper_bound

alpha = sp.Symbol("alpha", positive=True)
LG = "(1+q)**2*(1+3*q+6*q**2+3*q**3+q**4)/(1+2*q+11*q**2+8*q**3+11*q**4+2*q**5+q**6)"


def changed(name: str, **values: str) -> ClaimResult:
    return decided(name, values)


def item(result: ClaimResult, name: str, level: str | None = AT_ZERO) -> Finding:
    """The finding of that name at a level; a display of the proof without one."""
    return result.finding(name, level)


def evidence_of(result: ClaimResult, name: str, level: str | None = AT_ZERO) -> Any:
    return item(result, name, level).evidence


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
    "thm-two-point": (ALGORITHM, "gap", {AT_ZERO: "proved", FORM: "refuted", ALGORITHM: "refuted"}),
    "thm-aell": (ALGORITHM, "false-step", {AT_ZERO: "proved", FORM: "refuted", ALGORITHM: "refuted"}),
    "dominates": (AT_ZERO, "not-examined", {AT_ZERO: "refuted"}),
    "switch": (AT_ZERO, "sound", {AT_ZERO: "proved"}),
    "geometric": (AT_ZERO, "not-examined", {AT_ZERO: "proved", FORM: "refuted", ALGORITHM: "refuted"}),
    "thm-lg": (ALGORITHM, "false-step", {AT_ZERO: "proved", FORM: "refuted", ALGORITHM: "refuted"}),
    "lg-extremes": (AT_ZERO, "not-examined", {AT_ZERO: "refuted"}),
    "lg-mode": (AT_ZERO, "not-examined", {AT_ZERO: "refuted"}),
    "uniform-bounds": (ALGORITHM, "not-examined", {AT_ZERO: "proved", FORM: "refuted", ALGORITHM: "refuted"}),
}
OPEN = {("thm-lg", "weaker-bound"), ("thm-lg", "monotone"), ("geometric", "monotone")}
"""What is not decided of Algorithm 2."""


@pytest.mark.parametrize("name", VERDICTS)
def test_the_verdicts(name: str) -> None:
    result, (stated_at, proof, levels) = decided(name), VERDICTS[name]
    assert {v.level: v.status for v in result.verdicts} == levels
    assert result.levels == tuple(levels)
    assert (result.stated_at, result.proof.state) == (stated_at, proof)
    still_open = {(name, f.id) for v in result.verdicts for f in v.findings if f.status == "inconclusive"}
    assert still_open == {row for row in OPEN if row[0] == name}
    assert all(repair.holds for repair in result.repairs)
    assert ("which is attained at" in result.verdicts[0].why) == (name == "thm-two-point")
    assert 0 < len(result.why.replace("$", "")) <= 45
    result.as_json()
    assert result.show()


def test_what_is_false_in_the_proofs() -> None:
    """In both theorems the statement holds at s = 0; displays and steps of the published proofs do not."""

    def false(name: str) -> list[str]:
        return [d.id for d in decided(name).proof.displays if d.status == "refuted"]

    assert false("thm-aell") == ["display-1-left", "inference"]
    assert false("thm-lg") == ["denominator"]
    assert false("thm-two-point") == []
    assert decided("thm-two-point").proof.gaps == ("$s = 0$ is assumed",)
    for name in ("thm-aell", "thm-lg"):
        assert all(d.instead for d in decided(name).proof.displays if d.status == "refuted")


@pytest.mark.parametrize("name", VERDICTS)
def test_witnesses_of_the_process_are_no_artefacts(name: str) -> None:
    """At the level of the algorithm a limit is taken: more than one length occurs, and it is said why the witness stays."""
    for verdict in decided(name).verdicts:
        for found in (f.evidence for f in verdict.findings if f.status == "refuted"):
            assert isinstance(found, Refuted)
            assert found.stays
            if verdict.level == ALGORITHM:
                assert found.theorems
                assert found.witness["l"] < found.witness["u"]
                assert 0 not in (found.witness.get("x_l"), found.witness.get("x_u"))


# ---- the counterexamples, again ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "finding", "policy"),
    [
        ("thm-two-point", "a-min-bound", "a-min"),
        ("thm-aell", "bound", "a-ell"),
        ("uniform-bounds", "two-point", "a-min"),
    ],
)
def test_counterexamples_on_two_points(name: str, finding: str, policy: str) -> None:
    found = evidence_of(decided(name), finding, FORM)
    at = found.witness
    assert at["s"] >= 1
    assert min(at["x_l"], at["x_u"]) > 0
    truth = pair_ratio(policy, at["s"], at["l"], at["u"], at["x_l"], at["x_u"])
    assert Fraction(found.actual) == Fraction(found.second) == truth
    assert truth > Fraction(found.claimed)
    a = Fraction(at["l"], at["u"])
    bound = {"thm-two-point": (3 - a) / 2, "uniform-bounds": Fraction(3, 2)}.get(name)
    if bound is None:
        bound = 1 + 2 * a * a if a >= Fraction(1, 2) else 1 + a / (2 * (1 - a))
    assert truth > bound


def test_the_false_display_of_a_ell() -> None:
    found = evidence_of(decided("thm-aell"), "display-1-left", None)
    at = {k: Fraction(v) for k, v in found.witness.items()}
    l, u, x, y = at["l"], at["u"], at["x"], at["y"]
    assert Fraction(found.claimed) == l * (l / 2) * (x + y) * x + (l + u / 2) * (x + y) * y
    assert Fraction(found.actual) == (l * l * (x + y) * (x + 2 * y) + u * u * y * y) / 2
    assert found.claimed != found.actual


def test_the_false_inference_of_a_ell() -> None:
    found = evidence_of(decided("thm-aell"), "inference", None)
    a, t = (Fraction(found.witness[name]) for name in ("alpha", "t"))
    h = a * a * (t + 2)
    assert a * a * t * t + 2 * a * a * t + 1 >= 2 * a * (1 + a) * t  # the premise holds
    assert h / (2 * a * (1 + a) * t) > a / (2 * (1 - a))  # and gives less than the conclusion
    assert Fraction(found.values["gives"]) == h / (2 * a * (1 + a) * t)


@pytest.mark.parametrize(("name", "finding", "linear"), [
    ("geometric", "bound", False), ("thm-lg", "bound", True), ("thm-lg", "weaker-bound", True),
    ("uniform-bounds", "geometric", False), ("uniform-bounds", "linear-geometric", True),
])  # fmt: skip
def test_counterexamples_of_geometric_laws(name: str, finding: str, linear: bool) -> None:
    found = evidence_of(decided(name), finding, FORM)
    plain = law_ratio(linear, found.witness["s"], float(Fraction(found.witness["q"])))
    assert plain == pytest.approx(float(found.actual), rel=1e-10)
    assert plain > float(Fraction(found.claimed)) + 1e-6


@pytest.mark.parametrize(("name", "linear"), [("geometric", False), ("thm-lg", True)])
def test_the_ratio_decreases_at_last_with_a_prompt(name: str, linear: bool) -> None:
    found = evidence_of(decided(name), "monotone", FORM)
    assert found.status == "refuted"
    low, high = (float(Fraction(v)) for v in found.witness["q"])
    assert low < high
    first = law_ratio(linear, 1, low)
    assert first == pytest.approx(float(found.actual[0]), rel=1e-8)
    assert float(ratio_by_sums(int(linear), 1, Fraction(high).limit_denominator(1000), 10).upper) < first


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(("moved", "sign"), [(0, -1), (sp.Rational(1, 100), 0), (-sp.Rational(1, 100), -1)])
def test_a_factor_of_a_derivative_has_one_sign_or_none(moved: Any, sign: int) -> None:
    """The one with the logarithm at s = 0, which is 0 at q = 0: moved up by a little it changes its sign."""
    q = law_q
    factor = q * (2 * q**3 - 5 * q**2 - 2 * q + 1) - (q**4 - 6 * q**2 + 1) * sp.log(1 + q) + moved
    assert sign_inside(factor) == sign
    assert sign_inside(-factor) == -sign


def test_the_closed_form_does_not_hold_with_a_prompt() -> None:
    found = evidence_of(decided("thm-lg"), "closed-form", FORM)
    at = float(Fraction(found.witness["q"]))
    assert law_ratio(True, 1, at) == pytest.approx(float(found.actual), rel=1e-9)
    assert law_ratio(True, 0, at) == pytest.approx(float(Fraction(found.claimed)), rel=1e-9)
    assert found.actual != found.claimed


def test_the_false_denominator_sum() -> None:
    found = evidence_of(decided("thm-lg"), "denominator", None)
    w = [0.0] + [i * 0.5 ** (i - 1) for i in range(1, 150)]
    displayed = sum(k**2 * w[k] * (2 * w[k] + sum(w[k + 1 :])) for k in range(1, 150))
    right = sum(k**2 * w[k] * (w[k] + 2 * sum(w[k + 1 :])) for k in range(1, 150))
    assert float(Fraction(found.actual)) == pytest.approx(displayed, rel=1e-12)
    assert float(Fraction(found.claimed)) == pytest.approx(right, rel=1e-12)


def test_the_mode() -> None:
    found = evidence_of(decided("lg-mode"), "near-the-mode")
    at = Fraction(found.witness["q"])
    weights = [k * at ** (k - 1) for k in range(1, 60)]
    modes = [k for k, v in enumerate(weights, start=1) if v == max(weights)]
    assert found.actual == modes
    assert all(abs(float(found.claimed) - m) > 1 for m in modes)


@pytest.mark.parametrize("power", [0, 1])
@pytest.mark.parametrize("s", [0, 1, 6])
def test_plain_sums(power: int, s: int) -> None:
    for q in (Fraction(1, 7), Fraction(3, 4)):
        enclosed = ratio_by_sums(power, s, q, 12)
        assert enclosed.width < Fraction(1, 10**12)
        assert law_ratio(power == 1, s, float(q)) == pytest.approx(enclosed.middle, rel=1e-11)
    law = (GEOMETRIC, LINEAR)[power]
    long, exact = ratio_by_sums(power, s, Fraction(499, 500), 12), derived(law, s).enclosure(Fraction(499, 500), 20)
    assert "extended floats" in long.method and long.lower < exact.lower <= exact.upper < long.upper
    q = Fraction(3, 5)
    agree(ratio_by_sums(power, s, q, 120), derived(law, s).enclosure(q, 120), "a ratio to 120 digits")


# ---- other values whose truth is known --------------------------------------------------------------------------

BOUND = "a-min-bound"
KNOWN = [
    ("thm-two-point", {"bound": "(3-alpha)/2-1/10**12"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "(3-alpha)/2+1/10**12"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "3/2-alpha/2+(alpha-1/3)**2"}, BOUND, "proved"),  # touches
    ("thm-two-point", {"bound": "3/2-alpha/2+(alpha-1/3)**2-1/10**14"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "1/(alpha-1)+10**9"}, BOUND, "refuted"),  # a pole at the end
    ("thm-two-point", {"bound": "2-1/(10**9*alpha)"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "10**30"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "1"}, BOUND, "refuted"),
    ("thm-two-point", {"den": "l**2*x**2+2*l**2*x*y+u**2*y**2+1/10**30"}, "den", "refuted"),
    ("thm-two-point", {"den": "(l*x+l*y)**2+(u**2-l**2)*y**2"}, "den", "proved"),
    ("thm-two-point", {"ratio": "1+alpha*(1-alpha)*(1+alpha)*t/(alpha**2*t*(t+2)+1)"}, "ratio", "proved"),
    ("thm-aell", {"bound_low": "1+alpha/(2*(1-alpha))-1/10**12"}, "bound-up-to-half", "refuted"),
    ("thm-aell", {"bound_low": "3/2"}, "bound-up-to-half", "proved"),
    ("thm-aell", {"bound_high": "3"}, "bound-from-half", "proved"),
    ("thm-aell", {"bound_high": "3-1/10**9"}, "bound-from-half", "refuted"),
    ("thm-aell", {"bound_high": "1+2*alpha"}, "bound-from-half", "proved"),
    ("thm-aell", {"display_1_left": "(l**2*x**2+3*l**2*x*y+(2*l**2+u**2)*y**2)/2"}, "display-1-left", "proved"),
    ("switch", {"threshold": "1/2"}, "smaller-exactly-below", "refuted"),
    ("switch", {"threshold": "3/2-sqrt(5)/2"}, "smaller-exactly-below", "proved"),
    ("switch", {"threshold": "log(3/2)"}, "smaller-exactly-below", "refuted"),
    ("switch", {"a_min_bound": "3/2", "threshold": "1/2"}, "smaller-exactly-below", "proved"),
    ("switch", {"a_min_bound": "3", "threshold": "1"}, "smaller-exactly-below", "proved"),
    ("switch", {"a_min_bound": "1"}, "smaller-exactly-below", "refuted"),
    ("switch", {"bound_low": "1", "bound_high": "1", "threshold": "1"}, "smaller-exactly-below", "proved"),
    ("geometric", {"bound": "1.68223383328066"}, "bound", "proved"),
    ("geometric", {"bound": "1.68"}, "bound", "refuted"),
    ("geometric", {"bound": "0"}, "bound", "refuted"),
    ("thm-lg", {"bound": "14/9+1/10**12"}, "bound", "proved"),
    ("thm-lg", {"bound": "1.5555"}, "bound", "refuted"),
    ("thm-lg", {"closed_form": "log(1+q)"}, "closed-form", "refuted"),
    ("thm-lg", {"display_own": "1", "display_tail": "2"}, "denominator", "proved"),
    ("thm-lg", {"direction": "decreases"}, "monotone", "refuted"),
    ("lg-mode", {"mode": "q/(1-q)"}, "near-the-mode", "proved"),
    ("lg-mode", {"mode": "1/(1-q)-1/2"}, "near-the-mode", "proved"),
    ("lg-mode", {"mode": "1/log(1/q)-1"}, "near-the-mode", "refuted"),
    ("lg-mode", {"mode": "1"}, "near-the-mode", "refuted"),
    ("uniform-bounds", {"two_point": "1.5-1/10**6"}, "two-point", "refuted"),
    ("uniform-bounds", {"two_point": "1.5-1/10**15"}, "two-point", "refuted"),
    ("uniform-bounds", {"linear_geometric": "14/9"}, "linear-geometric", "proved"),
    ("uniform-bounds", {"linear_geometric": "1.5555"}, "linear-geometric", "refuted"),
    ("uniform-bounds", {"geometric": "1.6822"}, "geometric", "refuted"),
    # bounds that are no rational functions, numbers that are not rational, what is false by a hair
    ("thm-two-point", {"bound": "max((3-alpha)/2,1)"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "max((3-alpha)/2-1e-12,1)"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "sqrt((3-alpha)**2)/2"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "3/2-alpha**(101/100)/2"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "3/2-alpha**(99/100)/2"}, BOUND, "refuted"),
    ("thm-two-point", {"bound": "1+log(1/alpha)/2"}, BOUND, "proved"),
    ("thm-two-point", {"bound": "1+log(1/alpha)/3"}, BOUND, "refuted"),
    ("thm-two-point", {"den": "l**2*x**2+2*l**2*x*y+u**2*y**2+(l-1)*(l-2)*(l-3)*x*y"}, "den", "refuted"),
    ("thm-two-point", {"den": "l**2*x**2+2*l**2*x*y+u**2*y**2+(u-l-1)*(x-1)*(y-1)*(x-y)/10**40"}, "den", "refuted"),
    ("switch", {"threshold": "(log(4)/log(2)+1-sqrt(5))/2"}, "smaller-exactly-below", "proved"),
    ("switch", {"threshold": "(3-sqrt(5))/2*log(8)/(3*log(2))"}, "smaller-exactly-below", "proved"),
    ("switch", {"threshold": "sqrt(7-3*sqrt(5))/sqrt(2)"}, "smaller-exactly-below", "proved"),
    ("switch", {"threshold": "(log(4)/log(2)+1-sqrt(5))/2+1e-40"}, "smaller-exactly-below", "refuted"),
    ("geometric", {"bound": "10-12*log(2)"}, "bound", "proved"),
    ("geometric", {"bound": "10-12*log(2)-1e-30"}, "bound", "refuted"),
    ("geometric", {"bound": "1.6822338332"}, "bound", "refuted"),
    ("geometric", {"bound": "sqrt(2.5)"}, "bound", "refuted"),
    ("geometric", {"bound": "sqrt(2.89)"}, "bound", "proved"),
    ("thm-lg", {"bound": "14/9-1e-30"}, "bound", "refuted"),
    ("thm-lg", {"bound": "log(5)"}, "bound", "proved"),
    ("thm-lg", {"closed_form": f"{LG}+1e-25"}, "closed-form", "refuted"),
    ("thm-lg", {"closed_form": f"{LG}+1e-40*1e-40"}, "closed-form", "refuted"),
    ("thm-lg", {"closed_form": f"{LG}+(q-1/2)*(q-1/3)*(q-9/10)"}, "closed-form", "refuted"),
]  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "values", "finding", "status"), every_third(KNOWN, step=5))
def test_values_whose_truth_is_known(name: str, values: dict[str, str], finding: str, status: str) -> None:
    found = evidence_of(changed(name, **values), finding, None)
    assert found.status == status
    if status == "refuted" and "x_l" in found.witness:  # a bound on two points
        at, policy = found.witness, "a-ell" if name == "thm-aell" else "a-min"
        if at["u"] <= 2000:
            truth = pair_ratio(policy, at["s"], at["l"], at["u"], at["x_l"], at["x_u"])
            assert Fraction(found.actual) == truth
        assert Fraction(found.actual) > Fraction(found.claimed)


NOT_PROVED = [
    ("thm-two-point", {"bound": "max((3-alpha)/2-1e-30, 1)"}, BOUND),  # true, not rational
    ("switch", {"threshold": "0.38196601125010515179541316563436188"}, "smaller-exactly-below"),
    ("switch", {"a_min_bound": "sqrt(alpha)"}, "smaller-exactly-below"),
    ("thm-lg", {"closed_form": f"{LG}+(q-1/2)*(q-1/3)*(q-9/10)"}, "closed-form"),
    ("thm-lg", {"bound": "14/9-1/10**12"}, "bound"),
    ("geometric", {"bound": "1.68223383328065"}, "bound"),
    ("lg-mode", {"mode": "1/(1-q)+1/10"}, "near-the-mode"),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "values", "finding"), NOT_PROVED)
def test_what_is_false_or_open_is_never_proved(name: str, values: dict[str, str], finding: str) -> None:
    assert item(changed(name, **values), finding).status not in ("proved", "certified")


BAD = [
    ("thm-two-point", "bound", "1/(1-2*alpha)"), ("thm-two-point", "bound", "2+1/(alpha-1/2)**2"),
    ("thm-two-point", "bound", "alpha/0"), ("thm-two-point", "bound", "u"), ("thm-two-point", "bound", ""),
    ("thm-two-point", "num", "alpha.real"), ("thm-aell", "bound_low", "x"), ("thm-aell", "display_2", "__import__('os')"),
    ("switch", "threshold", "alpha"), ("switch", "threshold", "1/0"), ("switch", "a_min_bound", "u"),
    ("geometric", "bound", "x"), ("geometric", "bound", "log(0)"), ("geometric", "direction", "x"), ("geometric", "direction", ""),
    ("thm-lg", "closed_form", "1/0"), ("thm-lg", "closed_form", "p"), ("thm-lg", "display_own", "x"),
    ("thm-lg", "weaker_bound", "1/0"), ("thm-lg", "display_denominator", "k"), ("lg-mode", "mode", "p"),
    ("lg-mode", "mode", "log(0)"), ("uniform-bounds", "two_point", "alpha"), ("uniform-bounds", "geometric", "1/0"),
]  # fmt: skip


@pytest.mark.one_in(3)
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
        sp.Max(TARGET, 1), TARGET + sp.sqrt(2) * alpha, TARGET + alpha**sp.pi, TARGET + sp.log(6) - sp.log(2) - sp.log(3),
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
        TARGET + 1 / (alpha - THIRD) ** 2, TARGET + sp.sqrt(alpha - THIRD), TARGET + (alpha - sp.log(2)) ** 2,
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


def test_algorithm_two_under_a_law_by_two_computations() -> None:
    for power, s, q, u in ((0, 1, Fraction(3, 5), 12), (1, 1, Fraction(2, 5), 9), (0, 10, Fraction(9, 10), 15)):
        own = {k: k**power * q**k for k in range(1, u + 1)}
        law = {k: w / sum(own.values()) for k, w in own.items()}
        x = weights(power, q, u)
        assert algorithm_two.area_ratio(x, s) == areas(law, s) / h_sf_sum(law, s) == areas_over_peaks(x, s)
    assert not algorithm_two.shrinks(weights(0, Fraction(7, 10), 60), 1)  # q > (s+1)/(s+2): the needs grow
    assert algorithm_two.shrinks(weights(0, Fraction(2, 3), 60), 1)  # cut, they still shrink


@pytest.mark.parametrize(
    ("power", "s", "q"), [(e, s, Fraction(q)) for e, rows in LAW_SETTINGS.items() for s, q in rows.items()]
)
def test_needs_shrink_at_every_place_and_at_larger_cuts(power: int, s: int, q: Fraction) -> None:
    u = truncation(power, q)
    found = algorithm_two.area_ratio(weights(power, q, u), s)
    assert algorithm_two.shrinks(weights(power, q, u), s)
    assert areas_over_peaks(weights(power, q, u), s) == found
    law = f"{'linear-' * power}geometric(q={q})"
    assert ratio("a-min-literal-area", law, s=s).enclosure(9).middle == pytest.approx(float(found), rel=1e-4)
    if u < 50:
        assert algorithm_two.shrinks(weights(power, q, 2 * u), s)


@pytest.mark.parametrize("name", ["geometric", "thm-lg"])
def test_the_second_computation_is_of_the_printed_law(name: str) -> None:
    found = evidence_of(decided(name), "bound", ALGORITHM)
    assert found.witness["s"] == 0
    least = float(found.values["ratio_at_least"])
    assert float(found.second["token_by_token"]) == pytest.approx(least, rel=1e-4)
    assert found.second["ratio"] == pytest.approx(least, rel=0.02)
    assert found.second["ratio"] > float(Fraction(found.claimed))
    law, q = name.replace("thm-lg", "linear-geometric"), found.witness["q"]
    again = compare("a-min-literal", f"{law}(q={q})", n=20_000, memory=300, s=0, seeds=2).to_h_sf.mean
    assert again == pytest.approx(least, rel=0.03)


@pytest.mark.parametrize("s", PROMPTS)
@pytest.mark.parametrize("u", LENGTHS[:5])
def test_starts_hold_most_of_the_memory(u: int, s: int) -> None:
    share = share_of(s, u)
    for own, holds in ((share, True), (share / (1 - share), False)):  # 1/k and 1/(k−1)
        assert algorithm_two.starts_hold_most({1: 1 - own, u: own}, s) is holds
    x = {1: 1 - share, u: share}
    assert algorithm_two.area_ratio(x, s) == areas_over_peaks(x, s)
    one = [1] * (share.denominator - 1) + [u]  # as many requests as there are shares
    tokens = sum(s + age for o in one for age in range(1, o + 1)) * len(one)
    assert algorithm_two.area_ratio(x, s) == Fraction(
        tokens, sum(min(a, b) * (s + min(a, b)) for a in one for b in one)
    )


@pytest.mark.parametrize(("u", "least"), [(3, "3/2"), (4, "1.65"), (10, "1.9"), (100, "1.99")])
def test_two_lengths_without_prompts_tend_to_2(u: int, least: str) -> None:
    """(1+(v_u−1)x)/(1+(u²−1)x²) at the share x = 1/v_u, v_u = u(u+1)/2."""
    area = Fraction(u * (u + 1), 2)
    x = share_of(0, u)
    assert x == 1 / area
    ratio = (1 + (area - 1) * x) / (1 + (u**2 - 1) * x**2)
    assert ratio == algorithm_two.area_ratio({1: 1 - x, u: x}, 0)
    assert max(Fraction(least), (3 - Fraction(1, u)) / 2) <= ratio < 2


def test_algorithm_two_on_two_lengths_beside_its_bound() -> None:
    """Few requests are cancelled, and the ratio is near that of the areas, in both orders of ties."""
    found = evidence_of(decided("thm-two-point"), "a-min-bound", ALGORITHM)
    assert Fraction(found.actual.removeprefix("at least ")) > (3 - Fraction(1, found.witness["u"])) / 2
    places = ((found.witness, found.values), (found.values["with_prompts"],) * 2)
    assert [place["s"] for place, _ in places] == [0, 1]
    for seed, (place, values) in enumerate(places, start=3):
        s, u, share = place["s"], place["u"], Fraction(place["share_of_u"])
        lengths = [u] * 9000 + [1] * (9000 * (share.denominator - 1))
        own, best = (simulate(p, lengths, 600, s, 1, u, seed=seed) for p in ("a-min-literal", "h-sf"))
        assert own.total_latency / best.total_latency == pytest.approx(float(values["ratio_at_least"]), rel=0.02)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.integers(1, 4), st.integers(1, 4), st.integers(0, 2), st.integers(1, 3), st.integers(1, 2))
def test_a_ell_in_closed_form(s: int, l: int, more: int, shorts: int, longs: int, size: int) -> None:
    row = two_lengths.instance(s, l, l + more, (shorts, longs), size, 1)
    assert two_lengths.both_orders(row.lengths, row.memory, s, l, l + more) == two_lengths.a_ell_total_of(row)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_max_is_as_slow_as_what_it_reserves(data: st.DataObject) -> None:
    s, l, more = (data.draw(st.integers(low, 4)) for low in (0, 1, 1))
    u = l + more
    lengths = data.draw(st.lists(st.integers(l, u), min_size=1, max_size=30))
    memory = data.draw(st.integers(s + u, 6 * (s + u)))
    total = simulate("a-max", lengths, memory, s, l, u, order=range(len(lengths))).total_latency
    assert total >= a_max.lower_bound(len(lengths), s, l, u, memory)


def test_a_max_is_unbounded_in_the_process() -> None:
    for u in (10, 40):
        lengths, memory = [1] * (u - 1) * 40 + [u] * 40, 10 * (1 + u)
        own = simulate("a-max", lengths, memory, 1, 1, u, seed=0).total_latency
        best = simulate("h-sf", lengths, memory, 1, 1, u).total_latency
        assert best <= h_sf_upper_bound(lengths, 1, memory)
        assert own / best > (1 + u) / 4 * 0.8


@pytest.mark.one_in(9)
@pytest.mark.parametrize(
    ("claim", "values", "finding", "status"),
    [
        ("geometric", {"bound": "1.79"}, "bound", "refuted"),
        ("geometric", {"bound": "1.95"}, "bound", "refuted"),
        ("geometric", {"bound": "2"}, "bound", "inconclusive"),
        ("thm-lg", {"bound": "1.57"}, "bound", "refuted"),
        ("thm-lg", {"weaker_bound": "1.5"}, "weaker-bound", "refuted"),
        ("thm-lg", {"closed_form": "2"}, "closed-form", "inconclusive"),
        ("uniform-bounds", {"linear_geometric": "1.58"}, "linear-geometric", "inconclusive"),
        ("uniform-bounds", {"two_point": "1.95"}, "two-point", "refuted"),
        ("thm-two-point", {"bound": "2.5"}, "a-min-bound", "refuted"),
        ("thm-two-point", {"bound": "1/alpha"}, "a-min-bound", "inconclusive"),
        ("thm-aell", {}, "bound", "refuted"),
        ("thm-aell", {"bound_low": "1+alpha/(2*(1-alpha))", "bound_high": "3"}, "bound", "refuted"),
        ("thm-aell", {"bound_low": "3", "bound_high": "3"}, "bound", "inconclusive"),
    ],
)
def test_what_is_decided_of_the_algorithms_themselves(
    claim: str, values: dict[str, str], finding: str, status: str
) -> None:
    assert item(changed(claim, **values), finding, ALGORITHM).status == status


def test_constants_are_exceeded_with_long_prompts() -> None:
    """As s → ∞ the supremum tends to ½(1 + √(1/α)): the lengths come from the bound, not from a list."""
    for bound in (60, 10**4):
        found = evidence_of(changed("thm-two-point", bound=str(bound)), "a-min-bound", FORM)
        assert isinstance(found, Refuted)
        s, l, u, x, y = (found.witness[name] for name in ("s", "l", "u", "x_l", "x_u"))
        assert Fraction(found.actual) > bound
        if u < 10**5:
            assert pair_ratio("a-min", s, l, u, x, y) == Fraction(found.actual)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("claim", "name", "text"),
    [
        ("thm-two-point", "bound", "(1/alpha)**(1/alpha)"), ("thm-two-point", "bound", "(2/alpha)**(1/alpha**2)-1"),
        ("thm-aell", "bound_low", "(1/alpha)**(1/alpha)"), ("thm-random", "bound", "(1/alpha)**(1/alpha)"),
        ("thm-amax-lower", "bound", "alpha**(-1/alpha)+alpha**(1/alpha)"), ("lg-mode", "mode", "(1/q)**(1/q)"),
    ],
)  # fmt: skip
def test_powers_of_powers_end(claim: str, name: str, text: str) -> None:
    assert changed(claim, **{name: text}).levels == decided(claim).levels


def test_the_sentence_about_a_witness_shows_that_the_ratio_is_larger() -> None:
    for claim, values in (("geometric", {"bound": "1.6822338332"}), ("thm-two-point", {"bound": "(3-alpha)/2-1e-20"})):
        found = evidence_of(changed(claim, **values), "a-min-bound" if claim == "thm-two-point" else "bound")
        words = why_beyond(found).split()
        ratio, claimed = Fraction(words[words.index("ratio") + 2].rstrip(",")), Fraction(words[-1])
        assert ratio > claimed
        assert claimed >= (Fraction("1.6822338332") if claim == "geometric" else 1)


@pytest.mark.exhaustive  # takes seconds
def test_a_bound_for_every_prompt_size() -> None:
    assert item(changed("thm-two-point", bound="1/sqrt(alpha)"), "a-min-bound", FORM).status == "proved"
    assert item(changed("thm-two-point", bound="0.99/sqrt(alpha)"), "a-min-bound", FORM).status == "refuted"
    for low, high, status in (
        ("3", "3", "proved"),
        ("2", "1+2*alpha", "proved"),
        ("2", "1+2*alpha-1e-9", "refuted"),
        ("1.9999999", "3", "refuted"),
        ("1+sqrt(2*alpha)", "3", "proved"),
    ):
        result = changed("thm-aell", bound_low=low, bound_high=high)
        assert item(result, "bound", FORM).status == status
        if status == "proved":
            assert result.at(AT_ZERO).status == "proved"


def test_a_wrong_constant_in_the_theorems_of_the_process_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "Algorithm 2 by areas, most of the memory held by starts"
    assert theorem(name).holds
    assert refused(TEXT.theory, name, "volume(o, s)", "o*(o + 1)")
    total, least = two_lengths.a_ell_total_of, a_max.lower_bound
    monkeypatch.setattr(two_lengths, "a_ell_total_of", lambda row: total(row) - row.longs)
    monkeypatch.setattr(a_max, "lower_bound", lambda n, s, l, u, memory: least(n, s, l, u + 1, memory))
    assert trials.a_ell_in_batches()
    assert trials.young_under_a_max()


def test_times_of_the_switch_is_a_decimal() -> None:
    with pytest.raises(InputError, match=r"times = 2\.6\+u: must be a decimal number"):
        verify("switch", {"times": "2.6+u"})
