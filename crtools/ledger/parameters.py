"""``Given``: the values that a claim is decided with, and a cache of evidence across decisions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from crtools.budget import Alarm, TimeIsUp
from crtools.ledger.evidence import Evidence, Open, by_theorem

if TYPE_CHECKING:
    from crtools.ledger.cache import ResultCache
    from crtools.proof.theorem import Theorem


class Given(dict[str, str]):
    """The values by name. ``out_of_time``: whether the time limit ended the search for evidence."""

    def __init__(self, values: Mapping[str, str], cache: ResultCache | None = None) -> None:
        super().__init__(values)
        self.cache, self.out_of_time = cache, False
        self._results = dict[str, Any]()

    def evidence(self, decider: Callable[..., Evidence], *arguments: Any) -> Evidence:
        """Return ``decider(*arguments)``, from the cache where it has these arguments.

        The decider must depend on nothing else. Once the time limit has passed, the evidence is ``Open``.
        """
        try:
            return self.cached(Evidence, decider, *arguments)
        except Alarm as alarm:
            self.out_of_time = True
            return Open(f"time: {TimeIsUp(alarm.seconds)}")

    def evidence_for(self, name: str, decider: Callable[..., Evidence], *arguments: Any) -> Evidence:
        """Return the evidence on the given value of that name: ``decider(name, value, *arguments)``."""
        return self.evidence(decider, name, self[name], *arguments)

    def cached(self, kind: Any, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``function(*arguments)``, a dataclass of the type ``kind``, from the cache where it has these arguments."""
        key = None if self.cache is None else _key(function, *arguments)
        if self.cache is None or key is None:
            return function(*arguments)
        if key not in self._results:
            result = self.cache.read(kind, "evidence", {"of": key})
            if result is None:
                result = function(*arguments)
                self.cache.write(result, "evidence", {"of": key})
            self._results[key] = result
        return self._results[key]

    def proved(self, *theorems: Callable[[], Theorem]) -> Evidence:
        """Return the evidence of theorems that do not depend on the given values."""
        return self.evidence(_proved, *theorems)


def _proved(*theorems: Callable[[], Theorem]) -> Evidence:
    from crtools.proof.theorem import kept

    return by_theorem(*map(kept, theorems))


def _key(*parts: Any) -> str | None:
    """Return a cache key that differs for different parts; None for parts that have none, such as a closure."""
    try:
        return repr([_text(part) for part in parts])
    except TypeError:
        return None


def _text(part: Any) -> Any:
    if part is None or isinstance(part, str | int | Fraction):
        return repr(part)
    if hasattr(part, "free_symbols"):
        from sympy import srepr

        return srepr(part)
    if isinstance(part, ast.AST):
        return ast.dump(part)
    if isinstance(part, list | tuple):
        return [_text(item) for item in part]
    if isinstance(part, Mapping):
        return [[_text(key), _text(value)] for key, value in part.items()]
    if isinstance(part, partial):
        return [_text(item) for item in (part.func, part.args, part.keywords)]
    if is_dataclass(part) and not isinstance(part, type):
        return [type(part).__qualname__, *(_text(getattr(part, field.name)) for field in fields(part))]
    if callable(part) and getattr(part, "__closure__", None) is None and "<" not in getattr(part, "__qualname__", "<"):
        return f"{part.__module__}.{part.__qualname__}"
    raise TypeError
