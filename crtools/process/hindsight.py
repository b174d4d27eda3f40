"""Whether the rules of a policy read the true length: seen in their code, and while they are asked.

Both are needed. Code shows every branch, also those that a run does not take; a run shows a read that code hides. A rule
that takes lengths from elsewhere than the request, such as a list of its own, is not recognised.
"""

from __future__ import annotations

import dis
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from crtools.process.instance import Instance, One, one_by_one
from crtools.process.policies import Policy, known_policies

REVEALING = {"length", "__dict__", "__getstate__", "__reduce__", "__reduce_ex__", "__getattribute__"}
"""Attributes of a request that show its true length."""

OPAQUE = {"vars", "eval", "exec", "asdict", "astuple", "attrgetter"}
"""Functions that can read every field of a request: code that names one counts as code that reads the length."""

REQUESTS, RESTARTS, MOST = 64, 8, 5000
"""Rules are tried on so many requests, each cancelled at most so often; so many objects are searched at most."""


class Watched:
    """A request that notes whether something was read that shows its true length."""

    __slots__ = ("_note", "_request")

    def __init__(self, request: Any, note: set[str]) -> None:
        self._request, self._note = request, note

    def __getattr__(self, name: str) -> Any:
        if name in REVEALING:
            self._note.add(name)
        return getattr(self._request, name)


def watched(policy: Policy, note: set[str]) -> Policy:
    """Return the policy with rules that note in ``note`` whether they read the true length."""

    def asking(rule: Callable[..., Any]) -> Callable[..., Any]:
        return lambda request, *more: rule(Watched(request, note), *more)

    rules: dict[str, Any] = {name: asking(getattr(policy, name)) for name in ("priority", "assumed", "bound")}
    return replace(policy, **rules, cancel=policy.cancel and asking(policy.cancel), kernel=None)


def tried(policy: Policy, instance: Instance) -> bool:
    """Return whether a rule reads the true length when it is asked of some of the requests, at several ages and bounds."""
    note: set[str] = set()
    rules, draw = watched(policy, note), np.random.default_rng(0).random
    by_length = np.argsort(instance.length, kind="stable")
    for i in by_length[np.unique(np.linspace(0, instance.n - 1, REQUESTS).astype(int))]:
        [row] = one_by_one(instance.only([i]))
        one = One(*row, bound=int(instance.bound[i]))
        with suppress(Exception):  # the run says what a rule raises
            rules.priority(one)
            for one.joined in range(RESTARTS):
                bounds: set[int] = set()
                for age in _ages(one):
                    rules.assumed(one, age)
                    if rules.cancel is not None and (bound := rules.cancel(one, age, draw)) is not None:
                        bounds.add(int(bound))
                if not bounds - {one.bound}:
                    break
                one.bound = min(bounds - {one.bound})
        if note:
            return True
    return False


def _ages(one: One) -> list[int]:
    """Return the ages 0 to 16, powers of 2, and those around the bounds of the request and its length."""
    near = (end + d for end in (one.bound, 2 * one.bound, one.l, one.u, one.length) for d in (-1, 0, 1))
    powers = (1 << k for k in range(one.length.bit_length()))
    return sorted({age for age in (*range(17), *powers, *near) if 0 <= age <= one.length})


@cache
def known_reads(name: str) -> bool:
    """Return :func:`in_code` of a policy of crtools or of a ledger."""
    return in_code(known_policies()[name])


def in_code(policy: Policy) -> bool:
    """Return whether the code of a rule, or of what it calls by name, reads the true length or hides which field it reads.

    ``longest`` may read it: that says only whether the run is possible. Of a policy with a plan only ``bound`` counts.
    """
    rules = (policy.bound, *(() if policy.plan is not None else (policy.priority, policy.assumed, policy.cancel)))
    home = {_package(rule) for rule in rules if rule is not None}
    left, seen = list[Any](rules), dict[int, Any]()
    while left:
        own = left.pop()
        if own is None or isinstance(own, int | float | str | bytes | np.ndarray) or id(own) in seen:
            continue
        seen[id(own)] = own  # kept, so that no other object gets its id
        if len(seen) > MOST or isinstance(own, attrgetter):
            return True
        if _package(own) not in home and _library(
            _package(own)
        ):  # it knows no request, but may be told to read all of one
            if getattr(own, "__name__", None) in {"getattr", *OPAQUE, *REVEALING}:
                return True
            left += _inside(own)
        elif isinstance(own, FunctionType):
            if any(map(_reveals, _codes(own.__code__))):
                return True
            left += _called(own, home)
        else:
            kind = own if isinstance(own, type) else type(own)
            left += [*_inside(own), *vars(kind).values(), *kind.__bases__, *getattr(own, "__dict__", {}).values()]
    return False


def _package(own: Any) -> str:
    name = own.__module__ if isinstance(own, FunctionType | type) else type(own).__module__
    return str(name).partition(".")[0]


LIBRARIES = (sysconfig.get_path("stdlib"), "site-packages", "dist-packages")


def _library(package: str) -> bool:
    """Return whether a package is installed, or part of Python; an unknown one, or a file that was run, is not."""
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    if file is None:
        return module is not None and package != "__main__" and not hasattr(module, "__path__")
    return package == "crtools" or any(part in file for part in LIBRARIES)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _reveals(code: CodeType) -> bool:
    """Return whether code reads an attribute that shows the length, or one whose name it does not spell out."""
    looking = False  # for the name that getattr is given
    for step in dis.get_instructions(code):
        constant = step.argval if step.opname == "LOAD_CONST" else None
        attribute = step.argval if step.opname in ATTRIBUTES else constant if looking else None
        named = step.argval if step.opname in NAMES else None
        if step.opname == "MATCH_CLASS" or attribute in REVEALING or named in OPAQUE:
            return True
        if named == "getattr":
            looking = True
        elif looking and isinstance(constant, str):
            looking = False
        elif looking and not step.opname.startswith(("LOAD_", "PUSH_NULL", "PRECALL", "CACHE")):
            return True
    return False


ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
NAMES = (*ATTRIBUTES, "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "IMPORT_FROM")


def _called(function: Any, home: set[str]) -> Iterator[Any]:
    """Yield what a function may call: what it closes over, its defaults, the globals that it names, and of modules what it names."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not filled yet
            yield cell.cell_contents
    yield from (function.__defaults__ or (), function.__kwdefaults__ or {}, getattr(function, "__wrapped__", None))
    names = {name for code in _codes(function.__code__) for name in code.co_names}
    for name in names:
        value = function.__globals__.get(name, sys.modules.get(name))
        if not isinstance(value, ModuleType):
            yield value
        elif (package := value.__name__.partition(".")[0]) in home or not _library(package):
            yield from (getattr(value, other, None) for other in names)


def _inside(own: Any) -> Iterator[Any]:
    """Yield what a container, or a wrapper of a function, holds."""
    if isinstance(own, list | tuple | set | frozenset | dict):
        yield from islice(own.values() if isinstance(own, dict) else own, MOST)
    elif isinstance(own, partial):
        yield from (own.func, own.args, own.keywords)
    elif not isinstance(own, type | ModuleType):
        for name in ("__func__", "__self__", "__wrapped__", "py_func", "fget"):
            yield getattr(own, name, None)
