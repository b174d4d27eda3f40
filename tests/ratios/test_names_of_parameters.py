"""Parameters named like others of the law are told apart, and what a weight may not have is said of what was written."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import pytest
import sympy as sp
from commands import crt
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import InputError, derive, distribution, ratio
from crtools.ratios import Derivation

NAMES = ("l", "u", "w", "alpha", "t", "s", "weight")


def renamed(expr: Any, names: dict[str, str]) -> Any:
    symbols = {x: sp.Symbol(f"{names[x.name]}_") for x in expr.free_symbols}
    return expr.xreplace(symbols)


@cache
def named_apart() -> Derivation:
    return derive("two-point(l=a, u=b, weight=c)")


@given(st.sampled_from(list(permutations(NAMES, 3))))
@settings(max_examples=12)
def test_the_ratio_does_not_depend_on_what_parameters_are_called(names: tuple[str, str, str]) -> None:
    a, b, c = names
    plain = named_apart()
    found = derive(f"two-point(l={a}, u={b}, weight={c})")
    same = sp.cancel(
        renamed(found.ratio, {n: n for n in names}) - renamed(plain.ratio, dict(zip("abc", names, strict=True)))
    )
    assert same == 0
    assert found.alternative == plain.alternative
    assert len(found.evidence) == 3


@pytest.mark.parametrize(("l", "u"), [("u", "l"), ("s", "t"), ("l", "u")])
def test_the_ends_of_a_uniform_law_may_be_called_like_each_other(l: str, u: str) -> None:
    found = derive(f"uniform(l={l}, u={u})")
    for low, high in ((1, 1), (2, 5), (3, 11)):
        put = {x: {l: low, u: high}[x.name] for x in found.ratio.free_symbols}
        assert found.ratio.subs(put) == ratio("a-min", f"uniform({low}, {high})").exact


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("pmf(sin(k/7), u=50)", "pmf = sin(k/7): must be an expression in k with"),
        ("pmf(gamma(k), u=5)", "an expression in k with"),
        ("pmf(__import__(k)*q, q=1/2, u=5)", "an expression in k, q with"),
        ("pmf(k.real, u=5)", "an expression in k with"),
        ("mix(k*geometric(q=1/2)+(1-k)*point(3))", "mixture weight = k: must not have a parameter named k"),
        ("uniform(1, 1_0)", "u = 1_0: must be an expression in numbers"),
        ("uniform(1, １0)", "u = １0: must be an expression in numbers"),
    ],
)
def test_what_a_law_may_not_have_is_said_of_what_was_written(spec: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        distribution(spec)
    assert said in str(error.value)
    assert not any(
        f"{name}," in str(error.value).split("must")[1] for name in ("exp", "factorial", "__import__", "real")
    )


def test_a_function_of_a_weight_is_no_parameter() -> None:
    assert distribution("pmf(min(k, 3)*max (k, 2), u=4)").weight(3) == 9


@pytest.mark.parametrize("s", ["１", "1_000", "1.0", "", "0x1", "1 0", "٣"])
def test_an_option_takes_integers_as_they_are_written(s: str) -> None:
    done = crt("ratio", "uniform(1, 5)", "--s", s)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"crtools: s = {s}: must be an integer\n"


@pytest.mark.exhaustive
def test_a_law_of_which_too_few_lengths_are_reached_says_so() -> None:
    done = crt("ratio", "lognormal(20, 1/20)")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "blocks the sums have reached lengths of about 10^3 only" in done.stderr
