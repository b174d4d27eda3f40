"""Statements that are false by a hair, or true in a strange form: each was once, or could be, decided wrongly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crtools import InputError, derive, ratio, verify


def status(claim: str, part: str, **given: str) -> str:
    [result] = verify([claim], set=given)
    parts = {p.part: p.status for v in result.verdicts for p in v.parts}
    [found] = {s for name, s in parts.items() if name.startswith(part)}
    return found


A_MIN, LOW, HIGH = "the bound of CR(A_min), s = 0", "the bound for α ≤ ½", "the bound for α ≥ ½"


@pytest.mark.parametrize(
    "bound",
    [
        "1.4999999999999",
        "3/2-1e-30",
        "(3-alpha)/2+(alpha-1/2)**2-1e-26",
        "(3-alpha)/2+(alpha-1/3)**2-1e-26",
        "(3-alpha)/2+alpha-1e-20",
        "(3-alpha)/2+(1-alpha)-1e-20",
    ],
)
def test_a_bound_that_fails_near_a_point_is_refuted(bound: str) -> None:
    assert status("thm-two-point", A_MIN, bound=bound) in ("refuted", "inconclusive")
    assert status("thm-two-point", A_MIN, bound=bound) == "refuted" or "1e-26" in bound or "1e-20" in bound


@pytest.mark.parametrize("bound", ["3/2", "(3-alpha)/2+(alpha-1/2)**2", "(3-alpha)/2+alpha*(1-alpha)*(alpha-1/3)**4"])
def test_a_bound_that_touches_is_proved(bound: str) -> None:
    assert status("thm-two-point", A_MIN, bound=bound) == "proved"


def test_bounds_of_a_ell_at_their_common_end() -> None:
    assert status("thm-aell", HIGH, bound_high="1+2*alpha**2+1/(2*alpha-1)") == "inconclusive"
    assert status("thm-aell", LOW, bound_low="1+alpha/(2*(1-alpha))+1/(1-2*alpha)") == "inconclusive"
    assert status("thm-aell", LOW, bound_low="1+alpha/(2*(1-alpha))+(alpha-1/4)**2-1e-26") in (
        "refuted",
        "inconclusive",
    )
    assert status("thm-aell", HIGH, bound_high="1+2*alpha**2+(1-alpha)-1e-20") != "proved"


SWITCH = "A_ℓ's bound is smaller exactly"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"threshold": "3/8", "bound_low": "(3-alpha)/2-(3/8-alpha)*((alpha-2/5-2e-17)**2-1e-34)"}, "refuted"),
        ({"threshold": "1/2", "bound_low": "1"}, "not proved"),
        ({"threshold": "sqrt(-1)"}, "inconclusive"),
        ({"bound_low": "(3-alpha)/2-1/(alpha-1/4)**2"}, "not proved"),
        ({"bound_low": "1+sqrt(2)*alpha"}, "inconclusive"),
        ({"threshold": "2/(3+sqrt(5))"}, "proved"),
        ({"threshold": "0.381966"}, "refuted"),
    ],
)
def test_the_switch_is_decided_exactly(given: dict[str, str], expected: str) -> None:
    found = status("switch", SWITCH, **given)
    assert found != "proved" if expected == "not proved" else found == expected


@pytest.mark.parametrize(
    "extra", ["+sum(1,i,1,2)-2", "+harmonic(2)-3/2", "+log(6)-log(2)-log(3)", "+log(q**2)-2*log(q)"]
)
def test_a_true_display_in_strange_form_is_not_refuted(extra: str) -> None:
    true = "(1+3*q+6*q**2+3*q**3+q**4)/((1-q)**6*(1+q)**2)"
    assert status("thm-lg", "the displayed numerator", display_numerator=true + extra) != "refuted"


@pytest.mark.parametrize("mode", ["2**q*1000", "log(q-1)", "1000+sqrt(q**2+q+1/7)"])
def test_a_mode_that_is_not_evaluated_is_not_supported(mode: str) -> None:
    assert status("lg-mode", "the mode is within 1", mode=mode) in ("refuted", "inconclusive")


def test_suprema_over_a_length_are_taken_over_integers() -> None:
    over_l = derive("two-point(u=5, weight=1/2)").supremum()
    assert over_l.at == 2
    assert over_l.enclosure.lower == Fraction(227, 185)
    assert derive("two-point(u=100, weight=9/10)").supremum().enclosure.middle == pytest.approx(1.4477, abs=1e-3)
    over_u = derive("two-point(l=1, weight=1/2)").supremum()
    best = max(ratio("a-min", f"two-point(l=1, u={u}, weight=1/2)").value for u in range(2, 200))
    assert over_u.enclosure.middle == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize(
    ("spec", "policy"),
    [("mix((6/5-w)*geometric(1/2)+(w-1/10)*geometric(1/3))", "a-random"), ("pmf((k-6/5*q)*q**k)", "a-random")],
)
def test_a_law_with_negative_weights_somewhere_has_no_proved_supremum(spec: str, policy: str) -> None:
    assert derive(spec, policy).supremum().status == "supported"


def test_laws_that_are_seen_to_be_non_negative_keep_their_proof() -> None:
    assert derive("linear-geometric(q)").supremum().status == "proved"
    assert derive("mix((1-w)*linear-geometric(1/2)+w*linear-geometric(1/3))").supremum().status == "proved"


@pytest.mark.parametrize("spec", ["pmf(100-k, u=200)", "pmf(70-k, u=100)"])
def test_negative_weights_are_refused_wherever_they_are(spec: str) -> None:
    with pytest.raises(InputError, match="negative weight"):
        assert ratio("a-min", spec).value


@pytest.mark.parametrize(
    ("spec", "s"),
    [
        ("linear-geometric(q=0.987654321)", 1),
        ("geometric(q=0.3333333333333333333433)", 0),
        ("pmf(0.4142135623730950488**k)", 0),
    ],
)
def test_parameters_are_taken_exactly(spec: str, s: int) -> None:
    found = ratio("a-min", spec, s)
    closed, direct = found.enclosure(25), found.direct(25)
    assert closed.lower <= direct.upper
    assert direct.lower <= closed.upper


def test_a_weight_that_is_not_rational_is_refused_in_one_line() -> None:
    with pytest.raises(InputError):
        assert ratio("a-min", "mix(1/2*pmf(0.5**k/k)+1/2*geometric(0.5))").value
