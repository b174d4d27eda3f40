"""V is not quasi-concave in the law: three laws, their values by two ways, and what the judge accepts of them."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls

from check import conditions
from check.kernel import Rejected
from check.statements import book
from crtools import best, verify
from crtools.ledger.cache import default_folder
from crtools.ledger.certificates import certificate
from crtools.ledger.evidence import Refuted
from crtools.papers.beyond import LEDGER
from crtools.papers.beyond.claims.best_blind import DIPS, Law, best_mixture, between, half_way, law_on


def by_all_plans(law: Law) -> float:
    """V by least squares over all plans, in floats: nothing of ``crtools.blind`` is used.

    The least Σ q_p q_r ∫ H_p H_r over shares q is R/(1 − R), R the least of Σ q_p q_r ∫ H_p H_r + (1 − Σ q_p)² over q ≥ 0.
    """
    sizes, shares, count = np.array([*map(float, law)]), np.array([*map(float, law.values())]), len(law)
    plans = [[*pairwise((0, *kills, count))] for k in range(count) for kills in combinations(range(1, count), k)]
    uses = {(a, c): shares[a:] @ np.minimum(sizes[a:], sizes[c - 1]) for plan in plans for a, c in plan}
    index = {(a, c): shares[a:c].sum() / used for (a, c), used in uses.items()}
    scale = shares @ np.minimum.outer(sizes, sizes) @ shares
    rows = [
        [((high - low) / scale) ** 0.5 * sum(uses[own] for own in plan if index[own] > low) for plan in plans]
        for low, high in pairwise((0.0, *sorted({*index.values()})))
    ]
    rest = nnls(np.array([*rows, [1.0] * len(plans)]), np.array([0.0] * len(rows) + [1.0]))[1] ** 2
    return float(rest / (1 - rest))


def exactly(lengths: tuple[int, ...], weights: tuple[int, ...]) -> Fraction:
    found = best(f"empirical({', '.join(f'{o}:{w}' for o, w in zip(lengths, weights, strict=True) if w)})").exact
    assert found is not None
    return found


@pytest.mark.parametrize(("lengths", "one", "other"), DIPS)
def test_half_way_it_is_less_than_at_both(lengths: Any, one: Any, other: Any) -> None:
    laws = one, other, half_way(one, other)
    values = [exactly(lengths, weights) for weights in laws]
    assert values[2] < min(values[:2])
    assert [by_all_plans(law_on(lengths, weights)) for weights in laws] == pytest.approx(
        [*map(float, values)], abs=1e-9
    )


def test_all_plans_and_the_exact_mixture_agree() -> None:
    draw = np.random.default_rng(4)
    for _ in range(10):
        lengths = np.cumsum(draw.integers(1, 12, 5)).tolist()
        weights = draw.integers(1, 60, 5).tolist()
        law = law_on(lengths, weights)
        assert by_all_plans(law) == pytest.approx(float(best_mixture(law).upper()), abs=1e-9)


def test_a_smaller_multiple_is_not_refuted() -> None:
    assert isinstance(between(Fraction(98, 100)), Refuted)
    assert between(Fraction(9, 10)).status == "supported"


def witness() -> dict[str, Any]:
    [result] = verify(["quasi-concave"], ledger="beyond", cache=default_folder())
    held = certificate(result, result.stated, LEDGER)
    assert not isinstance(held, str), held
    return json.loads(json.dumps(held["witness"]))


def judged(held: dict[str, Any], least: str = "1") -> None:
    own = book().theories["beyond"]
    conditions.check(own.witnesses["half_way"], held, {"least": Fraction(least)}, own.meanings)


def test_the_judge_accepts_the_witness_and_no_other() -> None:
    held = witness()
    judged(held)
    values = [exactly(lengths, weights) for lengths, *pair in DIPS[:1] for weights in pair]
    assert held["ratios"] == [*map(str, values)]
    with pytest.raises(Rejected):
        judged(held, "0.99")
    for name, value in (("kills", [0, 0, 0]), ("kills", [1, 1, 1]), ("price", held["price"][::-1])):
        with pytest.raises(Rejected):
            judged({**held, name: value})
    for times, prices in (("0", "-1"), ("1", "1"), ("0", "2")):  # no price, none from time 0 on, a dearer one
        false = deepcopy(held)
        false["price"][0]["times"][0], false["price"][0]["prices"][0] = times, prices
        with pytest.raises(Rejected):
            judged(false)
    rising = deepcopy(held)
    rising["price"][0]["prices"][-1] = "1/10"
    with pytest.raises(Rejected):
        judged(rising)
