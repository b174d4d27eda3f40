"""``Parameter``: an option of a figure, with a reader that checks its value, given as text or as a Python value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

from crtools.errors import InputError
from crtools.names import nearest
from crtools.setting import integer, read_integer

T = TypeVar("T")

Read: TypeAlias = Callable[[str, object], T]
"""Returns the value of a parameter from its name and a text or a Python value; raises ``InputError``."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a figure: ``says`` is its help on the command line, ``default`` a text, ``read`` its reader."""

    says: str
    default: str
    read: Read[Any]


def whole(low: int, high: int) -> Read[int]:
    """Return a reader of an integer from ``low`` to ``high``."""

    def read(name: str, value: object) -> int:
        try:
            value = read_integer(value) if isinstance(value, str) else value
        except ValueError:
            raise InputError(name, value, f"must be an integer from {low} to {high}") from None
        return integer(name, value, low, high)

    return read


def wholes(low: int, high: int, number: int) -> Read[tuple[int, ...]]:
    """Return a reader of 1 to ``number`` integers from ``low`` to ``high``, separated by commas."""
    return _list_of(whole(low, high), number, "integers")


def several(look_up: Callable[[Any], T], number: int) -> Read[tuple[T, ...]]:
    """Return a reader of 1 to ``number`` names, separated by commas; ``look_up`` finds one or raises ``InputError``."""
    return _list_of(lambda _, value: look_up(value), number, "names")


def _list_of(one: Read[T], number: int, what: str) -> Read[tuple[T, ...]]:
    def read(name: str, value: object) -> tuple[T, ...]:
        values = tuple(one(name, part) for part in _parts(value))
        if not 0 < len(values) <= number:
            raise InputError(name, value, f"must be from 1 to {number} {what} with commas between")
        return values

    return read


def _parts(value: object) -> Sequence[object]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]


def read_all(figure: str, parameters: Mapping[str, Parameter], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the value of every parameter of a figure; raise ``InputError`` for an unknown name or a bad value."""
    for name, value in given.items():
        if name not in parameters:
            near = nearest(name, list(parameters))
            allowed = f"is no parameter of {figure}, which has {', '.join(parameters) or 'none'}"
            raise InputError(name, value, allowed + (f"; did you mean {near}?" if near else ""))
    return {name: parameter.read(name, given.get(name, parameter.default)) for name, parameter in parameters.items()}


def as_text(value: object) -> str:
    """Return a parameter's value as a user types it."""
    if isinstance(value, list | tuple):
        return ",".join(map(as_text, cast("Sequence[object]", value)))
    return str(getattr(value, "name", value))
