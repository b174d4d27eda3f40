"""Which fields of a request the rules of a policy read: whether it is a hindsight policy, and whether it uses former names.

Fields are found in the code of the rules, which shows branches that a run does not take, and while the rules are called, which
shows reads that the code hides. A rule that takes lengths from elsewhere than the request, such as a list in its module, is not
recognised. ``run.py`` watches every run; ``tests/process/test_hindsight.py`` tests what is recognised.
"""

import dis
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from crtools.process.instance import Instance, View
from crtools.process.policies import RENAMED_FIELDS, Draw, Policy, Request, known_policies, renamings

REVEALING = {"length", "work", "__dict__", "__getstate__", "__reduce__", "__reduce_ex__", "__getattribute__"}
"""Attributes of a request that show its true length."""

ANY = {"length", "work"}
"""Fields that code counts as reading if its instructions do not show which attribute it reads."""

OPAQUE = {"vars", "eval", "exec", "asdict", "astuple", "attrgetter"}
"""Functions that can read every field of a request: code that names one counts as code that reads the length."""

REQUESTS, RESTARTS, LARGEST_SEARCH = 64, 8, 5000
"""Limits: requests on which rules are tried, cancellations of each, and objects that are searched."""


class Watch:
    """A policy under watch: ``rules`` are its rules, which note reads of the true length while they are called."""

    def __init__(self, policy: Policy) -> None:
        self.known = policy.is_known  # judged by its code alone
        self.read = _read_by_known(policy.name) if self.known else fields_read(policy)
        self.hindsight = "length" in self.read
        self.policy, self.rules = policy, policy
        if not self.known:
            rules = {name: self._watched(rule) for name in RULES if (rule := getattr(policy, name)) is not None}
            self.rules = replace(policy, **rules, kernel=None)

    def warn_of_renamed_fields(self, engine: str) -> None:
        """Warn, once for each policy and engine, if the rules read fields by former names."""
        names, warned = self.read & RENAMED_FIELDS.keys(), vars(self.policy).setdefault("_warned", set())
        if names and engine not in warned:
            warned.add(engine)
            rule = self.policy.priority
            code = getattr(rule, "__code__", None)
            message = f"policy {self.policy.name}: rules now read {renamings(names)}; the former names will go"
            place = (code.co_filename, code.co_firstlineno) if code else (self.policy.name, 1)
            warnings.warn_explicit(message, DeprecationWarning, *place, module=rule.__module__)

    def _watched(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        return lambda request, *more: rule(View(request, self._note), *more)

    def _note(self, name: str, value: Any) -> Any:
        self.hindsight = self.hindsight or name in REVEALING
        return value

    def tried(self, instance: Instance) -> None:
        """Call the rules for some requests at several ages and bounds, if it is open whether they read the length."""
        if self.known or self.hindsight:
            return
        by_length, draw = np.argsort(instance.length, kind="stable"), np.random.default_rng(0).random
        some = by_length[np.unique(np.linspace(0, instance.n - 1, REQUESTS).astype(int))]
        for row in instance.only(some).rows():
            with suppress(Exception):  # the run says what a rule raises
                self._try(Request(*row), draw)

    def _try(self, request: Request, draw: Draw) -> None:
        self.rules.priority(request)
        powers = [0, *(1 << k for k in range(request.length.bit_length()))]
        own = self.policy
        cancelled = own.cancel or own.overflow or own.victim or own.paced
        for request.queue_number in range(RESTARTS if cancelled else 1):
            near = (*powers, request.bound, 2 * request.bound, request.l, request.u, request.length)
            ages = sorted({age + d for age in near for d in (-1, 0, 1) if 0 <= age + d <= request.length})
            for age in ages:
                self.rules.assumed(request, age)
            bounds = [rule(request, age, draw) for age in ages] if (rule := self.rules.cancel) else []
            request.bound = min((b for b in bounds if b not in (None, request.bound)), default=request.bound)


RULES = ("priority", "assumed", "bound", "cancel", "victim", "limit")
"""The watched rules."""


@cache
def _read_by_known(name: str) -> set[str]:
    return fields_read(known_policies()[name])


def fields_read(policy: Policy) -> set[str]:
    """Return "length" if a rule, or a function that it calls, may read the true length; "work", "predicted" and former names likewise.

    ``longest`` may read the length: it says only whether the run is possible. Of a policy with a plan the rules for
    its priority, assumed lengths, cancellations and victims do not count.
    """
    usual = () if policy.plan is not None else (policy.priority, policy.assumed, policy.cancel, policy.victim)
    rules = (policy.bound, *usual, policy.limit, policy.opens, policy.draws)
    home = {_package(rule) for rule in rules if rule is not None}
    to_search, searched, read = list[Any](rules), dict[int, Any](), set[str]()
    while to_search:
        it = to_search.pop()
        if it is None or isinstance(it, int | float | str | bytes | np.ndarray) or id(it) in searched:
            continue
        searched[id(it)] = it  # kept, so that no other object gets its id
        if len(searched) > LARGEST_SEARCH:
            return read | ANY
        if isinstance(it, attrgetter):
            read |= ANY
        elif (package := _package(it)) not in home and _is_library(package):
            # it knows no request, but may read all of one
            if getattr(it, "__name__", None) in {"getattr", *OPAQUE, *REVEALING}:
                read |= ANY
            to_search += _inside(it)
        elif isinstance(it, FunctionType):
            read.update(*map(_read_by_code, codes_within(it.__code__)))
            to_search += _called(it, home)
        else:
            kind = it if isinstance(it, type) else type(it)
            to_search += [*_inside(it), *vars(kind).values(), *kind.__bases__, *getattr(it, "__dict__", {}).values()]
    return read


def _package(value: Any) -> str:
    name = value.__module__ if isinstance(value, FunctionType | type) else type(value).__module__
    return str(name).partition(".")[0]


LIBRARIES = (sysconfig.get_path("stdlib"), "site-packages", "dist-packages")


def _is_library(package: str) -> bool:
    """Return whether a package is installed, or part of Python; an unknown one, or a file that was run, is not."""
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    if file is None:
        return module is not None and package != "__main__" and not hasattr(module, "__path__")
    return package == "crtools" or any(part in file for part in LIBRARIES)


def codes_within(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and that of the functions inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from codes_within(part)


def _read_by_code(code: CodeType) -> set[str]:
    """Return which of these fields code may read: all, if it may read an attribute whose name is not spelled out."""
    after_getattr, read = False, set[str]()
    for step in dis.get_instructions(code):
        constant = step.argval if step.opname == "LOAD_CONST" else None
        attribute = step.argval if step.opname in ATTRIBUTES else constant if after_getattr else None
        named = step.argval if step.opname in NAMES else None
        if step.opname == "MATCH_CLASS" or attribute in REVEALING or named in OPAQUE:
            read |= {"length"} if attribute == "length" else ANY
        elif attribute in (*RENAMED_FIELDS, "predicted"):
            read.add(attribute)
        if named == "getattr":
            after_getattr = True
        elif after_getattr and isinstance(constant, str):
            after_getattr = False
        elif after_getattr and not step.opname.startswith(("LOAD_", "PUSH_NULL", "PRECALL", "CACHE")):
            read |= ANY
    return read


ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
NAMES = (*ATTRIBUTES, "LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "IMPORT_FROM")


def _called(function: Any, home: set[str]) -> Iterator[Any]:
    """Yield the objects that a function may call: its closure, its defaults, and the globals and module attributes that it names."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it may not be filled yet
            yield cell.cell_contents
    yield from (function.__defaults__ or (), function.__kwdefaults__ or {}, getattr(function, "__wrapped__", None))
    names = {name for code in codes_within(function.__code__) for name in code.co_names}
    for name in names:
        value = function.__globals__.get(name, sys.modules.get(name))
        if not isinstance(value, ModuleType):
            yield value
        elif (package := value.__name__.partition(".")[0]) in home or not _is_library(package):
            yield from (getattr(value, other, None) for other in names)


def _inside(value: Any) -> Iterator[Any]:
    """Yield the items of a container, or the function behind a wrapper."""
    if isinstance(value, list | tuple | set | frozenset | dict):
        yield from islice(value.values() if isinstance(value, dict) else value, LARGEST_SEARCH)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif not isinstance(value, type | ModuleType):
        for name in ("__func__", "__self__", "__wrapped__", "py_func", "fget"):
            yield getattr(value, name, None)
