"""Own offsets in units of H-SF's form: what is certified holds of the kernel, and what is changed is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from crtools.blind.offsets_against_h_sf import (
    BASE,
    BITS,
    COST,
    LARGEST,
    Bound,
    Kernel,
    Vectors,
    _Floats,  # pyright: ignore[reportPrivateUsage]
    bound,
    ratio_under,
    without_vectors,
)
from crtools.enclosure import ball, ends, precision
from crtools.errors import InputError, NotCertified
from crtools.scale_free import at_most, own_offsets

F = Fraction


def vectors(s: int, l: int, factor: Fraction) -> Vectors:
    return _Floats(s, l).vectors(factor)


def test_the_remainder_is_positive_definite_as_its_symbol_says() -> None:
    with precision(BITS):
        assert at_most(own_offsets(BASE), ball(COST))


def test_the_kernel_is_that_of_scale_free_at_equal_sizes() -> None:
    with precision(BITS):
        own, known = Kernel(0, (1, 2)), own_offsets(BASE)
        assert (ball(COST) - own.remainder(3, 3) / 6).overlaps(known.value)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(("s", "l"), [(0, 1), (1, 1), (5, 2)])
def test_every_law_stays_below_the_bound_and_some_come_near(s: int, l: int) -> None:
    factor = bound(s, l).factor
    found = [
        ends(ratio_under(s, dict(zip(range(l, l + 4), (F(9), F(a), F(b), F(c)), strict=True))))[1]
        for a, b, c in product((1, 4), repeat=3)
    ]
    assert max(found) < factor < without_vectors(s, l) < COST
    assert factor < max(found) + F(1, 2)


def test_equal_lengths_are_tried_once() -> None:
    """They take their volumes, 49 each, where H-SF's form has 70."""
    assert ends(ratio_under(3, {7: F(1)})) == pytest.approx((0.7, 0.7))


@pytest.mark.exhaustive  # takes seconds
def test_a_changed_vector_or_a_smaller_factor_is_refused() -> None:
    factor = bound(0, 1).factor
    own = vectors(0, 1, factor)
    assert own.prove(factor) == bound(0, 1).last
    with pytest.raises(NotCertified, match="positive"):
        own.prove(factor - F(1, 20))
    with pytest.raises(NotCertified, match="positive"):
        own.prove(F(27, 20))
    rows = (tuple(-x for x in own.rows[0]), *own.rows[1:])
    with pytest.raises(NotCertified, match="positive definite"):
        replace(own, rows=rows).prove(factor)
    none = tuple((F(0),) * len(row) for row in own.rows)
    with pytest.raises(NotCertified, match="positive definite"):
        replace(own, rows=none).prove(factor)


@pytest.mark.exhaustive
def test_long_requests_have_a_bound_without_vectors() -> None:
    found = bound(0, LARGEST + 1)
    assert found == Bound(without_vectors(0, LARGEST + 1), "each tail on its own, in balls", LARGEST + 1)
    assert F(COST) / 2 < bound(0, 10**6).factor <= F(1365, 1000)
    with pytest.raises(InputError):
        bound(-1, 1)


def test_the_bound_is_of_kills_at_whole_ages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Own offsets that kill at the volumes of their thresholds, as on one machine, exceed it."""
    lengths = (1, 2, 3, 4, 6, 9, 14, 21, 32, 50, 80, 120, 200, 300)
    weights = (302978, 148763, 63743, 42706, 27968, 14980, 6978, 3230, 1538, 697, 275, 125, 48, 25)
    law = {o: F(w, sum(weights)) for o, w in zip(lengths, weights, strict=True)}
    assert ends(ratio_under(0, law))[1] < bound(0, 1).factor < F("1.4381")
    whole = Kernel.saving
    monkeypatch.setattr(Kernel, "saving", lambda kernel, k: whole(kernel, k) if k == kernel.l else ball(0))
    monkeypatch.setattr(Kernel, "_late_saving", lambda kernel, k, x: ball(0))
    assert ends(ratio_under(0, law))[0] > F("1.59")
