"""The paper's further forms against their definitions in words."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from crtools import Setting, form
from crtools.papers.adaptive.literal.forms import restart_sum

SHORTEST, PROMPTS = st.integers(1, 4), st.integers(0, 5)
WEIGHTS = st.lists(st.integers(0, 9).map(Fraction), min_size=1, max_size=9)


@given(SHORTEST, PROMPTS, WEIGHTS)
def test_products_of_two_sums(l: int, s: int, x: list[Fraction]) -> None:
    u = l + len(x) - 1
    setting, lengths, total = Setting(s, l, u), range(l, u + 1), sum(x, Fraction(0))

    def charged(cost: dict[int, int]) -> Fraction:
        return total * sum((cost[k] * w for k, w in zip(lengths, x, strict=True)), Fraction(0))

    assert form("a-max").on(setting).value(x) == charged({k: (s + u) * k for k in lengths})
    assert form("a-random").on(setting).value(x) == charged({k: (s + k) * k for k in lengths})
    tokens = {k: sum(s + age for age in range(1, k + 1)) for k in lengths}
    for name in ("a-random-area", "a-min-literal-area"):
        assert form(name).on(setting).value(x) == charged(tokens)


@given(SHORTEST, PROMPTS, WEIGHTS)
def test_restarts_by_their_tails(l: int, s: int, x: list[Fraction]) -> None:
    u = l + len(x) - 1
    edges = [l, *(l * 2**k + 1 for k in range(u) if l * 2**k < u)]
    tails = [sum(x[edge - l :], Fraction(0)) for edge in edges]
    assert form("a-restart").on(Setting(s, l, u)).value(x) == restart_sum(tails, l, u, s)


@given(SHORTEST, st.integers(1, 9), PROMPTS, st.integers(0, 9), st.integers(0, 9))
def test_a_ell_runs_all_for_l_tokens_and_the_long_ones_again(l: int, more: int, s: int, short: int, long: int) -> None:
    u = l + more
    first, again = l * (s + l) * (short + long), u * (s + u) * long  # of the first, the short ones wait for half
    x = [Fraction(short), *[Fraction(0)] * (more - 1), Fraction(long)]
    assert form("a-ell").on(Setting(s, l, u)).value(x) == first * short + 2 * first * long + again * long
