"""Certificates changed in one place, with a digest that fits, and what the checker says of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from commands import Done, run

from check import command, statements
from check.kernel import MOST_WORK, Rejected, Work, need, plain

CHECKER = Path(command.__file__).parent
Key = tuple[str, str]
Path_ = tuple[Any, ...]
SLOW = {"a-max-conjecture"}
"""Claims of the other ledgers that take long and have no certificate: they are not decided for these tests."""


def check(*arguments: str | Path) -> Done:
    """Run the checker in this process, with all the work that a process of its own may spend."""
    Work.left = MOST_WORK
    return run(command.main, *map(str, arguments))


def check_alone(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the checker in a process of its own, without site-packages."""
    alone = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    return subprocess.run(alone, capture_output=True, text=True, encoding="utf-8", timeout=120)


def rejected(data: Any) -> str | None:
    """The reason why a document is rejected, None where it is accepted."""
    try:
        command.check_document(data)
    except Rejected as error:
        return str(error)
    return None


def refused_witness(key: Key, witness: Any) -> str | None:
    """The reason why a witness is refused in a document, None where it is accepted."""
    statement = statements.book().claims[key]
    Work.start()
    try:
        plain(witness)
        need(bool(statement.witness) or witness == {}, "no witness is asked for")
        if statement.witness:
            command.check_witness(witness, statement)
    except Rejected as error:
        return str(error)
    except (ArithmeticError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        return repr(error)
    return None


def signed(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The document with changes and a digest that fits."""
    new = {**data, **changes}
    return {**new, "digest": command.digest(new)}


def leaves(data: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value inside JSON data, the objects and lists themselves included."""
    yield path, data
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in inner:
        yield from leaves(value, (*path, name))


def put(data: Any, path: Path_, value: Any) -> Any:
    """The data with one value replaced; only what lies on the path is copied."""
    if not path:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = put(copy[path[0]], path[1:], value)
    return copy


def changes(value: Any) -> list[Any]:
    """What a value is changed to: numbers by one unit and in sign, other strings, shorter, longer and exchanged lists."""
    if isinstance(value, dict):
        fewer = [{k: v for k, v in value.items() if k != name} for name in value]
        return [new for new in ({}, {**value, "more": 1}, *fewer) if new != value]
    if isinstance(value, list):
        swaps = [n for n in range(len(value) - 1) if value[n] != value[n + 1]][:1]
        swapped = [[*value[:n], value[n + 1], value[n], *value[n + 2 :]] for n in swaps]
        return [new for new in ([], value[:-1], value[1:], value + value[-1:], *swapped) if new != value]
    if isinstance(value, int):
        return [new for new in (value + 1, value - 1, -value, str(value)) if new != value]
    if re.fullmatch(r"-?\d+\.\d+", value):
        number, unit = Decimal(value), Decimal(1).scaleb(-len(value.partition(".")[2]))
        return [str(number + unit), str(number - unit), str(-number)]
    try:
        exact = Fraction(value)
    except ValueError:
        return [new for new in (value + "x", "") if new != value]
    near = Fraction(exact.numerator, exact.denominator + 1)
    return [new for new in (str(exact + 1), str(exact - 1), str(-exact), str(near)) if new != value]
