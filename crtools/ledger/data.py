"""JSON data: conversion of evidence and results, whose names are identifiers."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from crtools.numeric_types import JsonObject

if TYPE_CHECKING:
    JsonValue: TypeAlias = "str | int | float | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
    """A JSON value; a tuple is written as a list."""
else:
    JsonValue = Any  # the cache evaluates annotations of evidence; such a value needs no conversion

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def json_data(value: Any) -> Any:
    """Return a value as JSON gives it back: lists for tuples, text for keys, Python's own numbers.

    Raises ``TypeError`` for a value that JSON cannot represent.
    """
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise TypeError(f"evidence is JSON data: {error}") from None


def json_fields(thing: Any, *names: str) -> JsonObject:
    """Return attributes of an object by name, as JSON data: an attribute with a method ``as_json`` converts itself."""
    return {name: _as_json(getattr(thing, name)) for name in names}


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        rows: tuple[Any, ...] = value
        return [_as_json(row) for row in rows]
    return value.as_json() if hasattr(value, "as_json") else value


def by_name(records: Iterable[JsonObject]) -> JsonObject:
    """Return the records of theorems by name; ``AssertionError`` if two theorems have the same name."""
    table: JsonObject = {}
    for record in records:
        if table.setdefault(record["theorem"], record) != record:
            raise AssertionError(f"two theorems have the name {record['theorem']!r}")
    return table


def named(values: JsonObject) -> JsonObject:
    """Return a mapping as JSON data whose names are identifiers; ``TypeError`` for a name that is a sentence."""
    for name in values:
        if not NAME.fullmatch(name):
            raise TypeError(f"a name in evidence must be an identifier, not {name!r}")
    return json_data(values)
