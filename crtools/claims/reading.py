"""What the claims on single schedules share: numbers read from ``given``, schedules as evidence, one verdict."""

from collections.abc import Sequence
from typing import Any

from crtools.claims.result import Decision, Part, Proof, Repair, Verdict
from crtools.errors import InputError
from crtools.expressions import number

PROCESS = "of the discrete process (docs/model.md)"


def whole(name: str, text: str, least: int = 0) -> int:
    """Return the integer that a value of ``given`` says, or raise ``InputError``."""
    value = number(name, text)
    if value.denominator != 1 or value < least:
        raise InputError(name, text, f"must be an integer ≥ {least}")
    return int(value)


def integers(name: str, text: str) -> list[int]:
    """Return integers that are separated by commas."""
    return [whole(name, part) for part in text.split(",")]


def one_verdict(
    reading: str, method: str, parts: tuple[Part, ...], why: str, proof: Proof, repairs: tuple[Repair, ...] = ()
) -> Decision:
    """Return a decision whose only scope is the statement itself."""
    return Decision((Verdict("as-stated", reading, method, parts, why),), proof, repairs)


def most_requests(text: str, searched: int) -> int:
    """Return the largest number of requests to look at, from "any" or an integer; ``searched`` where any are meant."""
    if text.strip() == "any":
        return searched
    try:
        return min(whole("requests", text, 1), searched)
    except InputError:
        raise InputError("requests", text, "must be any, or an integer ≥ 1") from None


def schedule(
    name: str,
    starts: Sequence[int],
    lengths: Sequence[int],
    s: int | Sequence[int],
    memory: int,
    assumed: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Return a schedule for the list ``evidence["schedules"]``, from which a report draws memory over time.

    ``assumed``: the lengths that the policy reserves memory for, where they are not the true ones.
    """
    own = s if isinstance(s, int) else list(s)
    row = {"name": name, "starts": list(starts), "lengths": list(lengths), "s": own, "M": memory}
    return row if assumed is None else {**row, "assumed": list(assumed)}
