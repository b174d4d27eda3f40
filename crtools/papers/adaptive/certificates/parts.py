"""What builders read from a decided claim: its evidence by id, and exact numbers as strings."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

import sympy as sp

from crtools.certificates.document import Data
from crtools.closed_form.evaluate import enclose
from crtools.errors import NotCertified
from crtools.ledger import ClaimResult, Refuted
from crtools.ratios import Derivation


def refuted(result: ClaimResult, id: str, level: str | None = None) -> Refuted:
    """Return the evidence against a finding (of a level) or a display, by its id; ``LookupError`` if it is not refuted."""
    found = result.finding(id, level).evidence
    if not isinstance(found, Refuted):
        raise LookupError(f"{result.id}: {id!r} is {found.status}, not refuted")
    return found


def picked(data: Mapping[str, Any], *names: str, **renamed: str) -> Data:
    """Return values of evidence by their names, and others under new ones: new="old"."""
    return {name: data[name] for name in names} | {new: data[old] for new, old in renamed.items()}


def cut_off(law: Derivation, at: Fraction) -> str:
    """Return ten decimals of a derived ratio at q = ``at``, as :func:`truncated` does."""
    return truncated(law.ratio, {law.parameters[0]: at}, 10)


def truncated(expr: Any, values: dict[Any, Any], places: int) -> str:
    """Return the first decimals of a positive number, cut off: ball arithmetic decides every digit, or ``NotCertified``."""
    whole = _floor(expr * 10**places, values, places + 8)
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"


def _floor(expr: Any, values: dict[Any, Any], digits: int) -> int:
    value = enclose(sp.sympify(expr), values, digits)
    if floor(value.lower) != floor(value.upper):
        raise NotCertified("the digits are not decided")
    return floor(value.lower)
