"""What a law says of itself: where its symbols lie, values for them, sample points."""

from __future__ import annotations

import pytest

from crtools.closed_form.sums import NotClosed
from crtools.distributions import distribution
from crtools.errors import InputError
from crtools.forms import form

SYMBOLIC = [
    "geometric(q)", "linear-geometric(q)", "negative-binomial(3, q)", "log-series(q)", "poisson(mean)",
    "two-point(l, u, w)", "two-point(1, 10, w)", "two-point(2, u, 1/3)", "uniform(l, u)", "uniform(3, u)", "uniform(l, 9)",
    "mix(1/2*geometric(q)+1/2*point(3))", "mix(a*geometric(q)+(1-a)*geometric(r))", "pmf(k-a, l=3, u=9)",
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spec", SYMBOLIC)
def test_samples_lie_in_the_ranges_and_are_laws_without_symbols(spec: str) -> None:
    law = distribution(spec)
    names = {x.name for x in law.parameters}
    assert names
    assert set(law.ranges) == names
    found = law.samples(3)
    assert len(found) == 3
    for point, own in found:
        assert set(point) == names
        assert not own.parameters
        assert own == law.at(point)
        assert own.pmf(own.support[0]) >= 0
        numbers = {name: r for name, r in law.ranges.items() if all(end.is_number for end in r.ends)}
        assert all(point[name] in r for name, r in numbers.items())


def test_a_law_without_symbols_is_its_own_sample() -> None:
    law = distribution("empirical(1:2, 7:1)")
    assert law.ranges == {}
    assert law.samples(3) == [({}, law)]


def test_ends_leave_no_range() -> None:
    with pytest.raises(InputError, match="at least 2"):
        distribution("two-point(l, 1, 1/2)").ranges  # noqa: B018
    with pytest.raises(InputError, match="not all 0, at some a"):
        distribution("pmf(-1-a**2*k, l=1, u=3)").ranges  # noqa: B018


@pytest.mark.parametrize("spec", ["zipf(2, u)", "harmonic(u)"])
def test_a_sequence_in_its_last_length_is_no_closed_form(spec: str) -> None:
    law = distribution(spec)
    assert law.ending is law
    with pytest.raises(NotClosed, match="a sequence in it"):
        law.closed(form("h-sf"), 0)
    with pytest.raises(NotClosed, match="is not a sum of terms"):
        law.summand  # noqa: B018


def test_the_ending_of_a_uniform_law_starts_at_a_number() -> None:
    own = distribution("uniform(3, u)").ending
    assert own.up_to(9) == distribution("pmf(1, l=3, u=9)")
    assert distribution("uniform(l, 9)").ending is None
