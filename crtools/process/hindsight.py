"""Whether the rules of a policy read the true length: seen in their code, and while they are asked.

Code shows every branch, also those that a run does not take; a run shows a read that code hides. A rule that takes lengths
from elsewhere than the request, such as a list of its own, is not recognised.
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

from crtools.errors import InputError
from crtools.process.instance import Instance, One, one_by_one
from crtools.process.policies import Policy, known_policies

REVEALING = {"length", "__dict__", "__getstate__", "__reduce__", "__reduce_ex__", "__getattribute__"}
"""Attributes of a request that show its true length."""

OPAQUE = {"vars", "eval", "exec", "asdict", "astuple", "attrgetter"}
"""Functions that can read every field of a request: code that names one counts as code that reads the length."""

REQUESTS, RESTARTS, MOST = 64, 8, 5000
"""Limits: requests on which rules are tried, cancellations of each, and objects that are searched."""


class Watch:
    """A policy under watch: ``rules`` are its rules, which note reads of the true length while they are asked."""

    def __init__(self, policy: Policy) -> None:
        self.known = known_policies().get(policy.name) == policy  # by its code alone
        self.hindsight = _known(policy.name) if self.known else in_code(policy)
        self.name, self.rules = policy.name, policy
        if not self.known:
            rules = {name: self._asking(name, rule) for name in RULES if (rule := getattr(policy, name)) is not None}
            self.rules = replace(policy, **rules, kernel=None)

    def _asking(self, name: str, rule: Callable[..., Any]) -> Any:
        def ask(request: Any, *more: Any) -> Any:
            found = rule(_Request(request, self), *more)
            if (name, found) != ("cancel", None) and name in KINDS and not isinstance(found, KINDS[name]):
                raise InputError("policy", self.name, f"{name} must return integers, and returned {found!r}")
            return found

        return ask

    def tried(self, instance: Instance) -> bool:
        """Return whether a rule has read the length, now also asked of some of the requests, at several ages and bounds."""
        by_length, draw = np.argsort(instance.length, kind="stable"), np.random.default_rng(0).random
        some = by_length[np.unique(np.linspace(0, instance.n - 1, REQUESTS).astype(int))]
        for row in () if self.known or self.hindsight else one_by_one(instance.only(some)):
            with suppress(Exception):  # the run says what a rule raises
                self._try(One(*row, bound=int(instance.bound[row[0]])), draw)
        return self.hindsight

    def _try(self, one: One, draw: Callable[[], float]) -> None:
        self.rules.priority(one)
        powers = [0, *(1 << k for k in range(one.length.bit_length()))]
        for one.joined in range(RESTARTS):
            ends = (*powers, one.bound, 2 * one.bound, one.l, one.u, one.length)
            ages = sorted({age + d for age in ends for d in (-1, 0, 1) if 0 <= age + d <= one.length})
            for age in ages:
                self.rules.assumed(one, age)
            bounds = [rule(one, age, draw) for age in ages] if (rule := self.rules.cancel) else []
            one.bound = min((bound for bound in bounds if bound not in (None, one.bound)), default=one.bound)


RULES = ("priority", "assumed", "bound", "cancel")
KINDS: dict[str, Any] = {"assumed": int | float | np.number | np.ndarray, "cancel": int | np.integer | np.ndarray}
"""The watched rules, and the types that two of them must return."""


class _Request:
    """A request that tells its watch whether something is read that shows the true length."""

    __slots__ = ("_request", "_watch")

    def __init__(self, request: Any, watch: Watch) -> None:
        self._request, self._watch = request, watch

    def __getattr__(self, name: str) -> Any:
        if name in REVEALING:
            self._watch.hindsight = True
        return getattr(self._request, name)


@cache
def _known(name: str) -> bool:
    return in_code(known_policies()[name])


def in_code(policy: Policy) -> bool:
    """Return whether a rule, or a function that it calls by name, reads the true length or hides which field it reads.

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
        if (package := _package(own)) not in home and _library(package):  # it knows no request, but may read all of one
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
    """Yield the objects that a function may call: its closure, its defaults, and the globals and module attributes that it names."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it may not be filled yet
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
    """Yield the items of a container, or the function behind a wrapper."""
    if isinstance(own, list | tuple | set | frozenset | dict):
        yield from islice(own.values() if isinstance(own, dict) else own, MOST)
    elif isinstance(own, partial):
        yield from (own.func, own.args, own.keywords)
    elif not isinstance(own, type | ModuleType):
        for name in ("__func__", "__self__", "__wrapped__", "py_func", "fget"):
            yield getattr(own, name, None)
