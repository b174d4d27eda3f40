"""Phases of one pair of lengths at a time, for policies whose phases are not the same for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crtools.discovery.entries import Entries
from crtools.discovery.phases import entries
from crtools.discovery.rules import NoPhases, numbers, phases
from crtools.discovery.two_lengths import form_on_ends
from crtools.errors import InputError
from crtools.forms import Form
from crtools.process import Policy


def leaving(policy: Policy, i: int, j: int, s: int) -> set[int]:
    """Return the ages at which requests of lengths l = i and j = u leave; none where there are no phases."""
    try:
        return {phase.length for phase in phases(policy, numbers(i, j, s))}
    except NoPhases:
        return set()


def entries_at(policy: Policy, i: int, j: int, s: int) -> Entries | None:
    """Return the entries on lengths l = i and j = u that their phases give; None where there are none."""
    try:
        return entries(phases(policy, numbers(i, j, s)), s)
    except NoPhases:
        return None


def form_by_phases(policy: Policy, name: str) -> Form:
    """Return the form on two lengths l and u that the phases of each pair give, for entries that are no one formula."""

    def part(which: str) -> Callable[[Any, Any, Any], Any]:
        def entry(i: Any, j: Any, s: Any) -> Any:
            found = entries_at(policy, int(i), int(j), int(s))
            if found is None:
                raise InputError("form", name, f"has no phases at lengths {i} and {j}, s = {s}")
            return getattr(found, which)

        return entry

    return form_on_ends(part("low"), part("mixed"), part("high"), name)
