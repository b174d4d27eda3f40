"""H-SF's generations, A_max's slots and staggered starts: every argument's test fails where a constant is changed by 2."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from sympy import Integer

from crtools import simulate, verify
from crtools.papers.adaptive.evidence import staggered
from crtools.papers.adaptive.theory import TEXT, theorem
from crtools.worst_cases.solve import proved_supremum
from tests.papers.adaptive import trials
from tests.papers.adaptive.bounds import h_sf

THEOREMS = (
    "A_random in step, H-SF staggered", "A_max in slots", "generations of H-SF", "A_max against H-SF's generations",
    "A_random against H-SF's generations", "A_max in the process, against H-SF",
)  # fmt: skip


@pytest.mark.parametrize("name", THEOREMS)
def test_every_step_holds(name: str) -> None:
    assert theorem(name).holds, theorem(name).first_failure


TESTS = ("a_max_before_slots", "mean_of_slots", "one_or_many", "starts_after_generations", "starts_after_charges")


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", TESTS)
def test_an_argument_is_refused_with_a_constant_changed_by_2(name: str) -> None:
    test: Callable[..., str | None] = getattr(trials, name)
    assert test() is None
    assert test(2) is not None


@pytest.mark.parametrize("lengths", [[2] * 11, [1, 1, 2, 2, 2, 3, 5, 5, 5, 8, 9]])
@pytest.mark.parametrize("size", [2, 3, 11])
def test_the_bounds_on_starts_sum_to_the_integral_used(size: int, lengths: list[int]) -> None:
    """K H at integers K: Σ_k of ℓ[z>1] + Σ_{2≤i<z} o(z−i) is ℓ(n−K)⁺ + Σ_j o_j (⌊(n−j)/K⌋ − 1)⁺."""
    n = len(lengths)
    bounds = [h_sf.earliest(rank, Fraction(size), lengths) for rank in range(1, n + 1)]
    integral = sum(o * max((n - j) // size - 1, 0) for j, o in enumerate(lengths, start=1))
    assert sum(bounds) == lengths[0] * max(n - size, 0) + integral
    assert bounds == sorted(bounds)
    if n > 2 * size:
        last_of_second, first_of_third = bounds[2 * size - 1 : 2 * size + 1]
        assert (last_of_second, first_of_third) == (lengths[0], lengths[0] + lengths[0])


def test_every_argument_has_such_a_test() -> None:
    own = (TEXT.theory.theorems[name] for name in ("A_max in slots", "generations of H-SF"))
    assert {step.function for each in own for step in each.steps if step.function} == set(TESTS)


@pytest.mark.parametrize("change", ["unit", "h_sf_total"])
def test_staggered_starts_are_refused_with_other_numbers(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = getattr(staggered, change)
    assert trials.staggered_groups() is None
    monkeypatch.setattr(staggered, change, lambda *given: own(*given) + 1)
    assert trials.staggered_groups() is not None


def test_the_staggered_family_attains_the_charge() -> None:
    for s, l, u in ((0, 1, 3), (1, 2, 5), (4, 3, 9)):
        assert staggered.unit(s, l, u) == h_sf.charge(u, s, l) == TEXT.value("charge", u, s, l)
        assert staggered.unit(s, l, u) == TEXT.value("staggered", s, l, u)
        for r in range(u - l):
            assert staggered.first_generation(Fraction(r), s, l, u) == Fraction(
                str(TEXT.value("kept_to", *map(Integer, (r, s, l, u))))
            )
    row = staggered.family(0, 2, 4, 1, 400)
    found = simulate("h-sf", row.lengths, row.memory, 0, engine="fast").total_latency
    assert found == staggered.h_sf_total(row)
    assert 2 * row.memory * found / row.n**2 == pytest.approx(float(h_sf.charge(4, 0, 2)), rel=0.02)


@pytest.mark.parametrize(("s", "l", "u"), [(0, 1, 12), (0, 5, 12), (3, 2, 12), (30, 1, 12), (1, 7, 7)])
def test_the_suprema_of_the_limits_are_those_of_the_matrices(s: int, l: int, u: int) -> None:
    """A_max's and A_random's over the charges: K is the least that makes K C − N copositive; checked on many weights."""
    k = np.arange(l, u + 1)
    charges = np.array([[float(h_sf.charge(int(min(a, b)), s, l)) for a in k] for b in k])
    maximum = (s + u) * np.add.outer(k, k) / 2
    mean = np.add.outer(k * (s + k), k * (s + k)) / 2
    first, weight = (s + u) * l, l * (s + l)
    of_max = proved_supremum(first, weight, sum((s + u) ** 2 / (s + a) for a in range(l + 1, u + 1)), np.sqrt)
    rest = sum((s + 2 * a - 1) ** 2 / (s + a) for a in range(l + 1, u + 1))
    of_random = proved_supremum(weight, weight, rest, np.sqrt)
    draws = np.random.default_rng(0).dirichlet(np.full(len(k), 0.2), 4000)
    for matrix, most in ((maximum, of_max), (mean, of_random)):
        ratios = ((draws @ matrix) * draws).sum(1) / ((draws @ charges) * draws).sum(1)
        assert ratios.max() <= most * (1 + 1e-9)
    y = u / l
    assert of_max <= y * (1 + y**0.5) / 2 + 1e-9
    assert of_random <= (1 + (2 * y * y - 1) ** 0.5) / 2 + 1e-9


def cost(z: float) -> float:
    """h(z) = (b+1)(b+2f)/2 for z = b + f."""
    b = int(z)
    return (b + 1) * (z - b / 2)


def test_the_inequality_of_the_theorem_at_every_n_has_some_room() -> None:
    """½(1+y)(m̄ν+H) − m̄h(ν) on two lengths, computed from the integral itself."""
    draw, least = np.random.default_rng(1), np.inf
    for _ in range(1500):
        nu, y = draw.uniform(1, 9), 1 + draw.exponential(2)
        turn = draw.uniform(0, nu)
        mean = (turn + (nu - turn) * y) / nu
        late, marks = (
            nu - 1,
            sorted({0, max(nu - 2, 0), *(t for t in (turn, *(nu - i for i in range(2, 10))) if 0 < t < nu - 2)}),
        )
        for start, end in pairwise(marks):
            middle = (start + end) / 2
            late += (end - start) * (1 if middle < turn else y) * (int(nu - middle) - 1)
        least = min(least, ((1 + y) / 2 * (mean * nu + late) - mean * cost(nu)) / (nu * (y - 1)))
    assert 0.24 < least < 0.4


def test_the_paper_s_theorem_on_a_max_is_proved_of_the_process() -> None:
    [claim] = verify(["thm-amax-upper"])
    own = claim.at("algorithm")
    assert own.status == "proved"
    assert own.argued > 0
