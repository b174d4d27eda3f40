"""The parameters of a figure: what each says, its default, and how a text or a value becomes one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crtools.errors import InputError
from crtools.names import nearest
from crtools.setting import integer, read_integer


@dataclass(frozen=True)
class Parameter:
    """A parameter of a figure. ``default``: as text; ``read(name, value)``: a text or a value made right, or ``InputError``."""

    says: str
    default: str
    read: Callable[[str, Any], Any]


def whole(least: int, most: int) -> Callable[[str, Any], int]:
    """Return what reads an integer from ``least`` to ``most``."""

    def read(name: str, value: Any) -> int:
        try:
            value = read_integer(value) if isinstance(value, str) else value
        except ValueError:
            raise InputError(name, value, f"must be an integer from {least} to {most}") from None
        return integer(name, value, least, most)

    return read


def wholes(least: int, most: int, number: int) -> Callable[[str, Any], tuple[int, ...]]:
    """Return what reads integers from ``least`` to ``most`` with commas between: at least one, at most ``number``."""
    one = whole(least, most)

    def read(name: str, value: Any) -> tuple[int, ...]:
        found = tuple(one(name, part) for part in _parts(value))
        if not 0 < len(found) <= number:
            raise InputError(name, value, f"must be from 1 to {number} integers with commas between")
        return tuple(found)

    return read


def several(known: Callable[[str], Any], number: int) -> Callable[[str, Any], tuple[Any, ...]]:
    """Return what reads names with commas between; ``known`` makes a thing of a name, and raises ``InputError``."""

    def read(name: str, value: Any) -> tuple[Any, ...]:
        found = tuple(known(part) for part in _parts(value))
        if not 0 < len(found) <= number:
            raise InputError(name, value, f"must be from 1 to {number} names with commas between")
        return found

    return read


def _parts(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")]
    return list(value) if isinstance(value, list | tuple) else [value]


def read_all(figure: str, known: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every parameter of a figure. Raises ``InputError`` for one that it has not, or a bad value."""
    for name, value in given.items():
        if name not in known:
            near = nearest(name, list(known))
            allowed = f"is no parameter of {figure}, which has {', '.join(known) or 'none'}"
            raise InputError(name, value, allowed + (f"; did you mean {near}?" if near else ""))
    return {name: own.read(name, given.get(name, own.default)) for name, own in known.items()}


def as_text(value: Any) -> str:
    """Return a value as the text that says it."""
    return ",".join(map(as_text, value)) if isinstance(value, list | tuple) else str(getattr(value, "name", value))
