"""One policy by its name, or out of a Python file of the user's."""

from __future__ import annotations

from pathlib import Path

from crtools.errors import InputError
from crtools.process import Choice, Policy
from crtools.process.policies import known_names, known_policy


def read_policy(policy: str | Policy | Path) -> Policy:
    """Return the policy of a name, or of ``FILE.py[:NAME]``, which is run; ``InputError`` where there is not one."""
    found = known_policy(policy)
    known = known_names()[found] if isinstance(found, str) else found
    if isinstance(known, Choice):
        raise InputError("policy", found, f"stands for one policy or another ({known.summary}): name one of them")
    return known
