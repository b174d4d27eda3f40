"""What is computed crosses to another process, also after a symbolic computation, and is the same there."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest

from crtools import Form, derive, distribution, form, ratio, worst_case
from crtools.papers.adaptive.forms import FORMS
from crtools.ratios.derivation import Derivation
from crtools.setting import Setting


def entry(i: Any, j: Any, s: Any) -> Any:
    """An entry that another process can import."""
    return i * (s + j) + (j - i) * i


def value(thing: Any) -> Any:
    if isinstance(thing, Form):
        return thing.entry(2, 5, 1)
    if hasattr(thing, "weight"):
        return thing.spec(), [str(thing.expr.subs("k", k)) for k in (1, 2, 7)]
    return (thing.ratio, thing.numerator) if isinstance(thing, Derivation) else thing.value


LAWS = ("geometric(q)", "pmf(k**2*q**k)", "two-point(l, u, w)", "mix(w*point(1)+(1-w)*geometric(q=1/3))", "zipf(2, u)")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("copied", [lambda thing: pickle.loads(pickle.dumps(thing)), copy.copy, copy.deepcopy])
def test_what_was_computed_is_the_same_elsewhere(copied: Any) -> None:
    things: list[Any] = [
        form("a-min"), Form.from_entry(entry, "own"), worst_case("a-min", 1, 10), worst_case("a-max", 2, 9, 1),
        ratio("a-min", "geometric(q=1/2)"), ratio(Form.from_entry(entry, "own"), "uniform(1, 9)", 2),
        derive("geometric(q)"), derive("geometric(q)", s=3), derive("geometric(q)", Form.from_entry(entry, "own")),
        *map(distribution, LAWS),
    ]  # fmt: skip
    known = [value(thing) for thing in things]  # all that they keep is computed
    again = [copied(thing) for thing in things]
    assert [value(thing) for thing in again] == known
    assert [value(thing) for thing in things] == known


@pytest.mark.parametrize("policy", ["a-min", "a-max", "a-random", "h-sf", "volume"])
def test_a_worst_case_can_be_solved_elsewhere(policy: str) -> None:
    again = pickle.loads(pickle.dumps(worst_case(policy, 2, 9, 1)))
    own = worst_case(policy, 2, 9, 1)
    assert (again.value, again.method) == (own.value, own.method)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_under_another_name_can_be_pickled(name: str) -> None:
    renamed = replace(form(name), name="mine")
    again = pickle.loads(pickle.dumps(renamed))
    assert again.name == "mine"
    assert again.on(Setting(1, 2, 5)).entry(2, 5) == form(name).on(Setting(1, 2, 5)).entry(2, 5)


@pytest.mark.parametrize("law", LAWS)
def test_each_derivation_can_be_pickled(law: str) -> None:
    found = derive(law)
    known = found.ratio
    assert pickle.loads(pickle.dumps(found)).ratio == known


def test_caches_do_not_travel() -> None:
    found = derive("geometric(q)", Form.from_entry(entry, "own"))
    assert found.ratio is not None
    assert "rational" in vars(found.policy)
    again = pickle.loads(pickle.dumps(found))
    assert "rational" not in vars(again.policy)
    assert again.against is form("h-sf")  # theorems are about this one
