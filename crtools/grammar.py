"""Split a user's words into forms (or policies) and the distribution: forms come first, then the distribution.

A word that can be read as a distribution alone may stand anywhere; a user's file that holds both a distribution and a form (or a
policy) is refused with both readings.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from crtools.data_files import FROM_DATA
from crtools.distributions import Distribution
from crtools.distributions.base import LawLike, is_data
from crtools.distributions.spec import LAW, distribution, known_laws
from crtools.errors import MISSING, InputError
from crtools.forms import FORM, Form, form, known_forms, numerator
from crtools.names import canonical
from crtools.user_file import Kind, from_file, is_file, readings

Word: TypeAlias = "Form | LawLike"
"""A word from outside: a form or a distribution, the name of one, or the lengths of one."""

EXAMPLE = "for example 'geometric(q=9/10)' (crtools list laws)"


def split(
    words: Sequence[object], kind: Kind, names: Collection[str], most: int | None = None
) -> tuple[list[Any], Any]:
    """Return what is studied, at most ``most`` things of a kind, and the distribution; neither is resolved.

    known: the names of that kind. Raises ``InputError``, which says which word is missing, or is one too many.
    """
    laws, others = list[Any](), list[Any]()
    for word in words:
        if word is not None:
            (laws if is_law(word, kind) else others).append(word)
    if not laws:
        unknown = [word for word in others if not (kind.made(word) or _known(word, kind, names))]
        for word in filter(is_file, others):
            if not readings("file", str(word), (LAW, kind)):
                from_file("file", str(word), kind)  # refuses a file with neither a distribution nor a thing of the kind
        if not unknown:
            after = f" after {others[-1]}, which is a {kind.words}" if others and isinstance(others[-1], str) else ""
            raise InputError("law", MISSING, f"give a law{after}, {EXAMPLE}")
        laws = [unknown[-1]]
        others = [word for word in others if word is not laws[0]]
    if len(laws) > 1:
        raise InputError("law", laws[1], f"unexpected argument; the law {laws[0]} was already given")
    if most is not None and len(others) > most:
        allowed = f"is one {kind.words} too many: {', '.join(map(str, others[:most]))} came first"
        raise InputError(kind.words, others[most], allowed)
    return others, laws[0]


def is_law(word: object, other: Kind) -> bool:
    """Return whether a word can be nothing but a distribution; ``InputError`` where a file holds the ``other`` kind too."""
    if isinstance(word, Distribution):
        return True
    if not isinstance(word, str):
        return is_data(word)
    text = word.strip()
    if other.made(text):
        return False
    if not is_file(text) or text.startswith(FROM_DATA):
        return "(" in text or text.startswith(FROM_DATA) or text in known_laws()
    kinds = readings("file", text, (LAW, other))
    if len(kinds) > 1:
        both = " and ".join(f"a {kind.words} ({', '.join(names)})" for kind, names in kinds.items())
        raise InputError("file", text, f"holds {both}: name one, as FILE.py:NAME")
    return LAW in kinds


def form_and_law(
    first: Word | None, second: Word | None, policy: str | Form | None, dist: LawLike | None
) -> tuple[Form, Distribution]:
    """Return the form and the distribution of ``ratio`` and ``derive``: in either order, or by keyword; without a form the default one."""
    if dist is not None:
        dist = distribution(dist)
    (*forms,), law = split((first, second, dist), FORM, known_forms(), 1)
    if forms and policy is not None:
        raise InputError("policy", policy, f"unexpected argument; {forms[0]} was already given")
    return numerator(forms[0] if forms else policy), distribution(law)


def forms_and_law(first: Word, second: Word, dist: Word) -> tuple[Form, Form, Distribution]:
    """Return the two forms and the distribution of ``switch``; the distribution may stand anywhere."""
    forms, law = split((first, second, dist), FORM, known_forms(), 2)
    if len(forms) < 2:
        raise InputError("second", MISSING, "give two forms and a law, such as h-sf volume 'geometric(q)'")
    return form(forms[0], "first"), form(forms[1], "second"), distribution(law)


def _known(word: object, kind: Kind, names: Collection[str]) -> bool:
    try:
        return isinstance(word, kind.type) or is_file(word) or bool(canonical("name", word, names))
    except InputError:
        return False
