"""``with_variants``: read the table of a ledger's variants, values under which a claim is false or true.

One block for each claim, below its id; one row for each variant: ``wrong`` or ``true``, what it changes, the values, a note.

    trace
      wrong  total@form-at-zero  closed_form = harmonic(u)  # another sum

What it changes is a finding or display, with ``@level`` where several levels have one of that id, ``@level`` for the verdict
at that level, ``-`` for the verdict where the claim is stated. Semicolons separate several values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources.abc import Traversable

from crtools.errors import InputError
from crtools.ledger.claim import Claim, Variant

ROW = re.compile(r"  (wrong|true) +(\S+)  +(.*\S)  # (.+)")


def with_variants(claims: Iterable[Claim], table: Traversable) -> tuple[Claim, ...]:
    """Return the claims with the variants of a table behind their own; ``InputError`` names a line that cannot be read."""
    by_id = {claim.id: claim for claim in claims}
    id = ""
    for n, line in enumerate(table.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            id = line.strip()
        row = ROW.fullmatch(line) if line.startswith(" ") else None
        values = [value.partition(" = ") for value in row[3].split("; ")] if row else []
        if id not in by_id or (line.startswith(" ") and not (values and all(sep for _, sep, _ in values))):
            allowed = "must be the id of a claim, or a row: wrong or true, what it changes, NAME = VALUE; …  # a note"
            raise InputError("variants", f"{table.name}:{n}", allowed)
        if row:
            finding, _, level = row[2].removeprefix("-").partition("@")
            given = {name.strip(): value for name, _, value in values}
            variant = Variant(row[4], given, finding, level, holds=row[1] == "true")
            by_id[id] = replace(by_id[id], variants=(*by_id[id].variants, variant))
    return tuple(by_id.values())
