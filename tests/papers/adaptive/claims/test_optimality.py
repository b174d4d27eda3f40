"""thm-optimality: kill and restart against A_min, in the process and of the forms, by two computations each."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from changed_texts import refused
from decided import decided
from forged import refused_witness
from scipy.linalg import eigh

from crtools import worst_case
from crtools.ledger.evidence import Refuted
from crtools.papers.adaptive.claims import thm_optimality
from crtools.papers.adaptive.claims.thm_optimality import of_the_forms, of_the_forms_at_zero, offsets_on_ten
from crtools.papers.adaptive.literal import forms as literal_forms
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.schedule import volume


@pytest.mark.exhaustive  # takes seconds
def test_no_factor_saves_optimality() -> None:
    for factor in ("1", "3/2", "1/1000", "1e-30"):
        claim = decided("thm-optimality", {"factor": factor})
        assert claim.levels == ("form-at-zero", "form", "algorithm")
        assert [v.status for v in claim.verdicts] == ["refuted"] * 3
    claim = decided("thm-optimality", {"factor": "0", "expectations": ">="})
    assert [v.status for v in claim.verdicts] == ["proved"] * 3
    assert [d.status for d in claim.proof.displays] == ["proved", "refuted", "proved"]
    assert claim.repairs == ()  # the residual lives are false for some law in either direction
    assert decided("thm-optimality", {"residuals": ">="}).finding("residuals").status == "refuted"


def test_optimality_fails_at_the_shortest_prompt() -> None:
    found = decided("thm-optimality").stated.findings[0].evidence
    assert isinstance(found, Refuted)
    assert (found.witness["s"], found.witness["l"], found.witness["u"]) == (1, 1, 1000)
    least, most = Fraction(found.actual["a_min_at_least"]), Fraction(found.actual["a_restart_at_most"])
    assert least > Fraction("34.7") > Fraction("18.95") > most
    x = [2 * (999 / 1000) ** a / (a + 2) for a in range(1000)]  # P(o > a)
    ratio = sum((a + 2) * p for a, p in enumerate(x)) / sum((2 * a + 2) * p * p for a, p in enumerate(x))
    assert float(least) == pytest.approx(ratio, rel=1e-5)
    above = worst_case("a-restart", u=1000, s=1, against="volume").value
    assert above <= float(most - thm_optimality.ADDED) <= 1.1 * above


@pytest.mark.parametrize(("s", "a_min", "own"), [(0, "1.7249", "1.38"), (1, "1.7867", "1.49")])
def test_own_offsets_are_better_on_ten_lengths(s: int, a_min: str, own: str) -> None:
    """By floats: the kinds of attempts one after the other; and a bound that is less by 1/100 is refused."""
    found = (of_the_forms if s else of_the_forms_at_zero)(Fraction(1))
    assert isinstance(found, Refuted)
    assert Fraction(found.actual["a_min_at_least"]) > Fraction(a_min) and Fraction(
        found.actual["own_offsets_at_most"]
    ) == Fraction(own)
    mixture, lengths = offsets_on_ten(s), np.arange(1, 11)
    volumes = np.array([volume(s, int(k)) for k in lengths], dtype=float)
    matrix, used = np.zeros((10, 10)), np.zeros(10)
    for stage in mixture.stages:
        takes = stage.flow / 100 * np.minimum(volumes, volumes[stage.until - 1]) * (lengths > stage.after)
        completes = stage.flow / 100 * (lengths > stage.after) * (lengths <= stage.until)
        matrix += np.outer(completes, 2 * used + takes)
        used += takes
    peaks = np.minimum.outer(lengths, lengths)
    top = eigh((matrix + matrix.T) / 2, peaks * (s + peaks))[0][-1]
    assert float(own) - 0.01 < top <= float(own) < 1.7249
    witness = {"x": found.witness["x"]}
    key = ("thm-optimality", "form" if s else "form-at-zero")
    assert refused_witness(key, witness) is None
    assert refused_witness(key, {"x": [1] * 10}) is not None


@pytest.mark.parametrize("root", [26, 30])
def test_forms_on_two_lengths_by_the_lemma_s_sums(root: int) -> None:
    found = of_the_forms(Fraction(20, root))
    assert isinstance(found, Refuted)
    u, x = found.witness["u"], {1: found.witness["x_1"], found.witness["u"]: 1}
    ratio = literal_forms.a_min_sum(x, u, 1) / literal_forms.h_sf_sum(x, u)
    assert Fraction(found.second["a_min_by_the_lemma_s_sums"]) == ratio
    assert Fraction(20, root) * ratio > Fraction(found.actual["a_restart_at_most"])


def test_the_claim_says_what_fails_where() -> None:
    result = decided("thm-optimality")
    assert result.why == "CR ≥ 34.7099; kill and restart: ≤ 18.94"
    assert "$s = 1$, $u = 1000$" in result.stated.why
    assert result.at("form").findings[0].says.startswith("of the forms")
    assert (result.proof.state, len(result.proof.gaps)) == ("false-step", 1)
    [repair] = result.standing_repairs
    assert [f.status for f in repair.findings] == ["proved"] * 3


def test_theorems_on_exchanges_hold_and_changed_ones_do_not() -> None:
    assert (
        theorem("the forms at s = 0").holds
        and theorem("conditional means").holds
        and theorem("ratios are positive").holds
    )
    assert theorem("the second exchange(simplified)").holds
    for wrong in ("oj - oi", "oi - 2*oj", "oi*0"):
        assert refused(TEXT.theory, "the second exchange(simplified)", "D(oi, oj)", wrong)
    for function, holds in ((lambda a, b: a - b, True), (lambda a, b: b - a, False), (lambda a, b: a - 2 * b, False)):
        assert TEXT.theorem("the second exchange", D=function).holds is holds
