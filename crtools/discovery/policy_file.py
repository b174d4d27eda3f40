"""A policy by its name, or out of a Python file of the user's."""

from __future__ import annotations

import runpy
from pathlib import Path

from crtools.errors import InputError
from crtools.files import input_file
from crtools.process import Choice, Policy
from crtools.process.policies import known_names, known_policy


def read_policy(policy: str | Policy | Path) -> Policy:
    """Return the policy of a name, or of a Python file, which is run; ``InputError`` where there is not one."""
    text = str(policy)
    path, _, name = text.partition(".py:")
    if isinstance(policy, Policy) or not (name or text.endswith(".py")):
        found = known_policy(policy)
        known = known_names()[found] if isinstance(found, str) else found
        if isinstance(known, Choice):
            raise InputError("policy", text, f"stands for one policy or another ({known.summary}): name one of them")
        return known
    file = input_file("policy", f"{path}.py" if name else text, "Python file")
    try:
        values = runpy.run_path(str(file))
    except Exception as error:
        raise InputError("policy", text, f"must be a Python file that runs ({type(error).__name__}: {error})") from None
    there = {key: value for key, value in values.items() if isinstance(value, Policy)}
    chosen = [there[name]] if name in there else [] if name else list(there.values())
    if len(chosen) != 1:
        raise InputError(
            "policy", text, f"must hold one Policy, or be FILE.py:NAME (there are: {', '.join(there) or 'none'})"
        )
    return chosen[0]
