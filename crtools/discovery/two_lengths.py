"""A form of a policy that knows the interval's ends, for lengths l and u alone."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from crtools.discovery.entries import Entry
from crtools.discovery.rules import entries_at
from crtools.errors import InputError
from crtools.forms import Form
from crtools.forms.user_entry import unbound
from crtools.numeric_types import RingElement
from crtools.process import Policy


def form_on_ends(low: Entry, mixed: Entry, high: Entry, name: str) -> Form:
    """Return the form with these entries at (l, l), (l, u) and (u, u), each a function of l, u and s."""

    def bind(l: int, u: int) -> Form:
        ends = Fraction(l), Fraction(u)

        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            part = low if j == l else high if i == u else mixed
            return part(*ends, s)

        return Form.from_entry(entry, name)

    return Form(name, partial(unbound, name), bind=bind, lengths=lambda l, u: (l, u) if l < u else (l,))


def form_by_phases(policy: Policy, name: str) -> Form:
    """Return the form on two lengths l and u that the phases of each pair give, for entries that are no one formula."""

    def part(which: str) -> Entry:
        def entry(i: RingElement, j: RingElement, s: RingElement) -> RingElement:
            found = entries_at(policy, int(i), int(j), int(s))
            if found is None:
                raise InputError("form", name, f"has no phases at lengths {i} and {j}, s = {s}")
            return getattr(found, which)

        return entry

    return form_on_ends(part("low"), part("mixed"), part("high"), name)
