"""``agree``: compare two computations of one value; a difference is an error in crtools, so that the run stops."""

from typing import TypeVar

from crtools.enclosure import Enclosure

Value = TypeVar("Value")


def agree(first: Value, second: Value, what: str) -> Value:
    """Return ``second`` if the two agree: equal, or, of enclosures, overlapping; else raise ``AssertionError``."""
    if isinstance(first, Enclosure) and isinstance(second, Enclosure):
        same = first.lower <= second.upper and second.lower <= first.upper
    else:
        same = first == second
    if not same:
        raise AssertionError(f"two computations of {what} differ: {first} and {second}")
    return second
