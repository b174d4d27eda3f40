"""Resolve a name from a user to a known one, or raise an error that suggests the nearest.

Also: refuse unknown arguments of a function, and write numbers and lists in words.
"""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import ParamSpec, TypeVar

from crtools.errors import InputError

LONGEST_LIST = 280

PAPER_WORDS = {"g": "geometric", "lg": "linear-geometric", "d2": "two-point"}
"""The paper's own words for distributions that have longer names here, as ``squeezed`` writes them.

``distributions/spec.py`` demands the names of parameters after such a word.
"""


def squeezed(name: str) -> str:
    """Return what is left of a name where case and the marks between its parts do not count: h_sf, H-SF, hsf."""
    return "".join(c for c in name.lower().replace("ℓ", "ell") if c.isalnum())


def canonical(argument: str, name: object, options: Iterable[str], more: str = "") -> str:
    """Return the known name that is meant: as it stands, or as the paper or Python would write it.

    Case and hyphens do not count (``h_sf``, ``hsf`` and ``H-SF`` are ``h-sf``), and ``PAPER_WORDS`` are read. Raises
    ``InputError`` as ``one_of`` does, also where two known names could be meant.
    """
    names = list(options)
    if not isinstance(name, str) or name in names:
        return one_of(argument, name, names, more)
    short = squeezed(name)
    meant = [k for k in names if short and squeezed(k) in (short, squeezed(PAPER_WORDS.get(short, short)))]
    return one_of(argument, meant[0] if len(meant) == 1 else name, names, more)


def _missing_ending(text: object) -> str | None:
    """Return a text ``FILE[:NAME]`` as ``FILE.py[:NAME]`` if there is such a file."""
    match = re.fullmatch(r"([\w./-]+)(:[\w.-]+)?", text) if isinstance(text, str) else None
    file = f"{match[1]}.py" if match else ""
    return f"{file}{match[2] or ''}" if match and Path(file).is_file() else None


def one_of(argument: str, name: object, options: Iterable[str], more: str = "") -> str:
    """Return ``name`` if it is known, else raise ``InputError`` with the nearest name and with all of them."""
    names = list(options)
    if isinstance(name, str) and name in names:
        return name
    words = str(name).split()
    if len(words) > 1 and any(word in names for word in words):
        raise InputError(argument, name, "contains several words: quote each of them separately, or none")
    near = (_missing_ending(name) if "FILE.py" in more else None) or nearest(str(name), names)
    hint = f"did you mean {near}? It " if near else ""
    raise InputError(argument, name, f"{hint}must be one of {listed(names)}{more}")


P = ParamSpec("P")
R = TypeVar("R")

ELSEWHERE = {
    "M": "memory", "replicates": "seeds", "law": "dist", "distribution": "dist", "form": "policy", "policies": "policy",
    "prompt": "s", "prompts": "s", "times": "release", "intervals": "predictions", "prediction": "predictions",
    "requests": "n",
}  # fmt: skip
"""Names of arguments that users try, each with the name here; ``crtools/cli`` reads it too."""


def named_arguments(*options: str, **advice: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function raise ``InputError``, with the nearest name, for an argument that it does not take.

    ``options``: names that its ``**options`` take; ``advice``: what to say of particular keywords.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(function).parameters.values()
        named = [p.name for p in parameters if p.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)]
        most = sum(p.kind not in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD) for p in parameters)
        names = [name for name in (*named, *options) if name != "self"]

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > most:
                allowed = f"unexpected: at most {most} arguments stand without a name, the others are {listed(names)}"
                raise InputError("argument", args[most], allowed)
            for name in kwargs:
                if name in advice:
                    raise InputError(name, kwargs[name], advice[name])
                if name not in names:
                    meant = ELSEWHERE.get(name)
                    if meant in names:
                        raise InputError("argument", name, f"did you mean {meant}? It must be one of {listed(names)}")
                    one_of("argument", name, names)
            return function(*args, **kwargs)

        return checked

    return decorate


def nearest(name: str, options: Iterable[str]) -> str | None:
    """Return the known name that looks most like this one, or None where none does."""
    by_look = {squeezed(k): k for k in options}
    short = squeezed(name)
    short = squeezed(PAPER_WORDS.get(short, short))
    near = get_close_matches(short, by_look, n=1, cutoff=0.6)
    return by_look[near[0]] if near else None


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun: 1 step, 2 steps."""
    return f"{number} {noun}{'s' * (number != 1)}"


def listed(names: Iterable[str]) -> str:
    """Return names separated by commas, cut where an error's one line would become too long."""
    text = ", ".join(names)
    return text if len(text) <= LONGEST_LIST else text[:LONGEST_LIST].rpartition(",")[0] + ", …"
