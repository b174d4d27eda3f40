"""SymPy is of the kernel's opinion on every formula of the ledgers' theorems, and on what is changed in them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from amount import part_and_all
from second_opinion import residue

from crtools.papers.adaptive.theory import TEXT as ADAPTIVE
from crtools.papers.beyond.theory import TEXT as BEYOND
from crtools.papers.nonclairvoyant.theory import TEXT as NONCLAIRVOYANT
from crtools.proof.steps import Formula, Identity, Induction, PolynomialIntegral, Positive, Telescoping


@pytest.fixture(scope="module")
def formulas() -> list[Formula]:
    """The formulas of all theorems of the texts."""
    own = [text.theorem(name) for text in (ADAPTIVE, NONCLAIRVOYANT, BEYOND) for name in text.names]
    return [step for theorem in own for step in theorem.steps if isinstance(step, Formula)]


@part_and_all("every", 24, 1)
def test_both_accept_every_formula_of_the_ledgers(every: int, formulas: list[Formula]) -> None:
    assert len(formulas) > 300
    for number, step in enumerate(formulas):
        assert step.check() is None, step
        assert number % every or residue(step) == 0, step


FIELD: dict[type[Formula], str] = {
    Identity: "rhs", Telescoping: "antidifference", Induction: "rhs", PolynomialIntegral: "value", Positive: "expr",
}  # fmt: skip


@part_and_all("every", 48, 4)
def test_both_refuse_what_is_changed(every: int, formulas: list[Formula]) -> None:
    for step in formulas[::every]:
        name = FIELD[type(step)]
        own = sp.sympify(getattr(step, name))
        more = step.index if isinstance(step, Telescoping) else 1  # a constant more is an antidifference, too
        changed = replace(step, **{name: -own - 1 if isinstance(step, Positive) else own + more})
        assert changed.check() is not None, changed
        assert residue(changed) != 0, changed
