"""The checker's statements of this ledger hold the numbers of their claims: a false one is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from check import conditions
from check.kernel import Rejected
from check.statements import book
from crtools import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.certificates import certificate
from crtools.papers.beyond import ALGORITHM, LEDGER, MACHINE, NUMBER

GIVEN = {
    "rho-star": {"lower": "2.7283724269", "upper": "2.7283724270"},
    "blind-upper": {"bound": "2.7284", "base": "69/5"},
    "blind-lower": {"bound": "2.7283", "constant": "0.83"},
}


def accepted(id: str, level: str, **given: str) -> None:
    """Check the claim's witness with changed values; ``Rejected`` where they do not hold."""
    statement = book().claims[id, level]
    assert statement.given == GIVEN[id]
    [result] = verify([id], ledger="beyond", cache=default_folder())
    values: dict[str, Any] = {name: Fraction(value) for name, value in {**statement.given, **given}.items()}
    held = certificate(result, next(own for own in result.verdicts if own.level == level), LEDGER)
    assert not isinstance(held, str), held
    own = book().theories["beyond"]
    conditions.check(own.witnesses[statement.witness], held["witness"], values, own.meanings)


@pytest.mark.parametrize("level", [MACHINE, ALGORITHM])
def test_the_bounds_of_blind_policies(level: str) -> None:
    accepted("blind-lower", level)
    accepted("blind-lower", level, bound="2.728372", constant="0.8276")
    accepted("blind-upper", level)
    for bound in ("2.9", "2.7284", "2.72838"):
        with pytest.raises(Rejected, match="bound"):
            accepted("blind-lower", level, bound=bound)
    for constant in ("0.8275", "0.5", "0.41"):
        with pytest.raises(Rejected, match="constant"):
            accepted("blind-lower", level, constant=constant)
    for bound in ("2.7283", "2.72837", "1"):
        with pytest.raises(Rejected, match="bound"):
            accepted("blind-upper", level, bound=bound)


def test_every_digit_of_the_number() -> None:
    accepted("rho-star", NUMBER)
    accepted("rho-star", NUMBER, lower="2.72837242693", upper="2.72837242694")
    for given in ({"lower": "2.7283724270"}, {"upper": "2.7283724269"}, {"lower": "2.7284"}, {"upper": "2.7283"}):
        with pytest.raises(Rejected, match="given"):
            accepted("rho-star", NUMBER, **given)
