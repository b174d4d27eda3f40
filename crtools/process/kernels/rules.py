"""Compile a policy's rules with Numba into one function, which the event loop calls by its address.

``engine.py`` calls :func:`compiled_rules`. The compiled rules answer five questions: JOIN, what a request's priority and its first
assumed length are where it joins the queue; LOOK, at which age of its attempt something happens next; and ASK_VICTIM, ASK_LIMIT and
ASK_OPENS, what the rules of these names return. Integer arithmetic is checked: a result of 2^53 or more raises ``OverflowError``,
because a machine integer or its conversion to a double would differ from Python's. Tests: tests/process/test_compiling.py; what rules
return, and checked arithmetic: tests/process/test_engine.py.
"""

import dis
import hashlib
import re
import warnings
from collections import namedtuple
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, NumbaWarning, TypingError
from numba.typed.typedobjectutils import _nonoptional  # pyright: ignore

from crtools.numeric_types import FloatArray, IntArray
from crtools.process.hindsight import codes_within
from crtools.process.kernels.checked_integers import LIMIT, CheckedCompiler, checked, overload_by_types
from crtools.process.kernels.jit import CompiledValue, Int, NumbaType, forgive_a_full_disk
from crtools.process.policies import RENAMED_FIELDS, REQUEST_FIELDS, NotCompiled, Now, Policy

RECORD = np.dtype([
    (name, "f8" if name in ("drawn", "release", "work", "completion", "first_token") else "i8")
    for name in (
        *REQUEST_FIELDS, "start", "number", "assumed", "grows", "event", "new_bound", "price", "attempt", "last_attempt",
        "release_rank", "rank", "completion", "first_token", "group", "reached", "pilot", "arrival", "pending",
    )
])  # fmt: skip
"""One request of the event loop: what its rules see, and where it stands.

``completion``, ``first_token``: when it completed, and when its first step ended, in the clock's unit. Of a policy with a plan:
``group``, ``pilot`` (1 if it belongs to it), and the largest kill age that it has ``reached``. Two columns are lists of requests, not
fields of one: ``arrival`` has all of them by release and number, ``pending`` those whose first step has not ended.
"""

Records: TypeAlias = Any
"""An array of records of type ``RECORD``; in compiled code a record has their names as attributes."""


def new_records(n: int) -> Records:
    """Return the records of n requests, all zeros; in Python, too, they have their names as attributes."""
    records = np.zeros(n, RECORD)
    return records.view(np.recarray) if numba.config.DISABLE_JIT else records  # pyright: ignore


INTEGER, REQUESTS = types.int64, types.Array(numba.from_dtype(RECORD), 1, "C")
RULES = types.FunctionType(INTEGER(INTEGER, REQUESTS, INTEGER, INTEGER, INTEGER[:, ::1], types.float64[::1]))
"""The type of compiled rules: (question, requests, which, its age, a row for further results, the instant) to an integer."""

JOIN, LOOK, ASK_VICTIM, ASK_LIMIT, ASK_OPENS = range(5)

ANSWER = len(Now._fields)
"""The position in the array of the instant of the number that ASK_VICTIM and ASK_LIMIT return, after the fields of ``Now``."""

END, CANCEL, CHANGE, AGAIN = range(4)
"""What happens at the age that LOOK returns: completion; cancellation; another assumed length; nothing, look again."""

PLACES = 3
"""The largest number of components of a priority."""

STRETCH = 100
"""The number of ages that LOOK asks a rule about in one call."""

LIBRARIES = ("builtins", "math", "numpy", "operator")
"""Modules whose functions a compiled rule may call."""

RequestRow: Any = namedtuple("RequestRow", (*REQUEST_FIELDS, *RENAMED_FIELDS))  # pyright: ignore[reportUntypedNamedTuple]
"""A request as a compiled rule sees it, by the present and the former names of its fields."""

CompiledRules: TypeAlias = Any
"""The rules of a policy, compiled to one function of type ``RULES``."""

# ---- what a rule may return --------------------------------------------------------------------------------------


@numba.njit
def _draw() -> float:
    return np.random.random()  # noqa: NPY002


@partial(overload_by_types, inline="always")
def _integer(value: NumbaType) -> Callable[..., Int]:
    if isinstance(value, types.Optional) and isinstance(value.type, types.Integer):
        return lambda value: checked(np.int64(_nonoptional(_not_none(value))))  # pyright: ignore
    if isinstance(value, types.Integer | types.Boolean):
        return lambda value: checked(np.int64(value))
    raise TypingError("assumed and cancel must return integers")


@partial(overload_by_types, inline="always")
def _number(value: NumbaType) -> Callable[..., float]:
    if isinstance(value, types.Integer | types.Boolean | types.Float):
        return lambda value: _not_nan(np.float64(value))
    raise TypingError("victim and limit must return numbers")


@numba.njit
def _not_nan(value: CompiledValue) -> CompiledValue:
    if value != value:
        raise ValueError("victim or limit is not a number")
    return value


@partial(overload_by_types, inline="always")
def _new_bound(value: NumbaType) -> Callable[..., Int]:
    if isinstance(value, types.NoneType):  # cancel always returns None
        return lambda value: np.int64(0)
    return lambda value: _integer(value)


@numba.njit
def _not_none(value: CompiledValue) -> CompiledValue:
    if value is None:
        raise TypeError("None is no integer")
    return value


@overload_by_types
def _store_priority(row: NumbaType, priority: NumbaType) -> Callable[..., Int]:
    if not isinstance(priority, types.BaseTuple):
        return lambda row, priority: _store(row, 0, priority)
    if not 1 <= len(priority) <= PLACES:
        raise TypingError(f"a priority may have up to {PLACES} components")
    if len(priority) == 1:
        return lambda row, priority: _store(row, 0, priority[0])
    if len(priority) == 2:
        return lambda row, priority: _store(row, 0, priority[0]) + _store(row, 1, priority[1])
    return lambda row, priority: _store(row, 0, priority[0]) + _store(row, 1, priority[1]) + _store(row, 2, priority[2])


@overload_by_types
def _store(row: NumbaType, place: NumbaType, value: NumbaType) -> Callable[..., Int]:
    if isinstance(value, types.Float):

        def store(row: IntArray, place: Int, value: CompiledValue) -> Int:
            if value != value:
                raise ValueError("a priority is not a number")
            bits = np.float64(value + 0.0).view(np.int64)  # in the order of the doubles, after this change of sign
            row[0, place] = bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)
            return 0

    elif isinstance(value, types.Integer | types.Boolean):

        def store(row: IntArray, place: Int, value: CompiledValue) -> Int:
            row[0, place] = checked(np.int64(value))
            return 0

    else:
        raise TypingError("priority must return numbers, or tuples of them")
    return store


# ---- a rule and what it refers to --------------------------------------------------------------------------------


Signature: TypeAlias = str | bool | list[Any] | tuple[Any, ...]
"""Nested texts, tuples and lists with a ``repr`` that two equal rules share."""


def signature_of(value: Any, seen: tuple[FunctionType, ...] = ()) -> Signature:
    """Return a description of a rule that two rules share if they compute the same: its code and what it refers to.

    Raises ``NotCompiled`` for a value that a compiled rule cannot refer to.
    """
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType):
        if value in seen:
            return "recursion"
        if value.__kwdefaults__:
            raise NotCompiled(f"{value.__name__} has keyword arguments")
        seen = (*seen, value)
        names = [(name, signature_of(other, seen)) for name, other in _globals_of(value).items()]
        cells = [signature_of(cell.cell_contents, seen) for cell in value.__closure__ or ()]
        return _code(value.__code__, seen), signature_of(value.__defaults__, seen), names, cells
    if isinstance(value, CodeType):
        return _code(value, seen)
    if isinstance(value, ModuleType) and value.__name__ in LIBRARIES:
        return value.__name__
    if callable(value) and str(getattr(value, "__module__", "")).split(".")[0] in LIBRARIES:
        return value.__module__, value.__name__
    if value is None or isinstance(value, bool | str):
        return repr(value)
    if isinstance(value, int | np.integer) and abs(int(value)) >= LIMIT:
        raise NotCompiled(f"it refers to {value}, which is 2^53 or more")
    if isinstance(value, int | float | np.integer | np.floating):
        return type(value).__name__, repr(value)
    if isinstance(value, tuple | list):
        items: list[Any] = list(value)  # pyright: ignore
        return type(value).__name__, [signature_of(item, seen) for item in items]
    if isinstance(value, np.ndarray) and value.dtype.kind in "iufb":
        if value.dtype.kind in "iu" and value.size and max(abs(int(value.max())), abs(int(value.min()))) >= LIMIT:
            raise NotCompiled("it refers to an array with integers of 2^53 or more")
        return value.dtype.str, value.shape, value.tobytes()
    raise NotCompiled(f"it refers to a value of type {type(value).__name__}")


def _code(code: CodeType, seen: tuple[FunctionType, ...]) -> Signature:
    constants = [signature_of(constant, seen) for constant in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags, constants


def _globals_of(function: FunctionType) -> dict[str, Any]:
    """Return the global names that a function's text has, and their values; names of attributes may be among them."""
    names = dict[str, Any]()
    for code in codes_within(function.__code__):
        loads = (i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
        names |= {name: function.__globals__[name] for name in loads if name in function.__globals__}
    return names


def _jitted(value: Any, known: dict[FunctionType, Dispatcher], digest: str) -> Any:
    """Return a rule, or what it refers to, as compiled code uses it: functions compiled, lists as arrays.

    The digest is part of their names. Machine code is found by name, and otherwise Numba gives the functions of two policies
    the same name where each was compiled and cached in a process of its own.
    """
    value = getattr(value, "py_func", value)
    if isinstance(value, list):
        kinds = {type(item) for item in value}  # pyright: ignore
        if len(kinds) != 1 or not kinds <= {int, float}:
            raise NotCompiled("it refers to a list that is not of integers alone or of floats alone")
        return np.array(value)
    if not isinstance(value, FunctionType):
        return value
    if value not in known:
        names = {name: _jitted(other, known, digest) for name, other in _globals_of(value).items()}
        cells = tuple(CellType(_jitted(cell.cell_contents, known, digest)) for cell in value.__closure__ or ())
        scope = {"__builtins__": __builtins__, **names}
        copy = FunctionType(value.__code__, scope, value.__name__, value.__defaults__, cells)
        copy.__qualname__ = f"{value.__name__}_{digest[:32]}"
        known[value] = numba.njit(pipeline_class=CheckedCompiler, boundscheck=True)(copy)
    return known[value]


# ---- the rules of a policy as one function -----------------------------------------------------------------------


class _Cache(FunctionCache):
    """Numba's cache on disk, with a digest of all that the rules refer to; Numba's own key differs in each process.

    Each digest has files of its own: Numba numbers the entries of one index, and two processes that add different rules to it
    at the same time would give both the same number, so that one would load the code of the other's rules.
    """

    def __init__(self, function: Callable[..., Int], digest: str) -> None:
        super().__init__(function)
        self.digest = digest
        locator, base = self._impl.locator, f"{self._impl.filename_base}-{digest[:32]}"
        self._cache_file = IndexDataCacheFile(self._cache_path, base, locator.get_source_stamp())

    def _index_key(self, sig: NumbaType, codegen: NumbaType) -> Any:
        return sig, codegen.magic_tuple(), self.digest


_known: dict[str, CompiledRules | NotCompiled] = {}


def compiled_rules(policy: Policy, varies: bool, in_steps: bool) -> CompiledRules:
    """Return the rules of a policy, compiled to one function of type ``RULES``; kept in memory and on disk.

    ``varies``: whether ``assumed`` may depend on the age, and must be asked about each. ``in_steps``: whether times are integers.
    Raises ``NotCompiled`` where Numba cannot compile them.
    """
    cancel = policy.cancel or (lambda r, age, draw: None)
    used: dict[str, Any] = {"priority": policy.priority, "assumed": policy.assumed, "cancel": cancel}
    if not policy.is_basic:
        used["victim"] = policy.victim or (lambda r, age: 0.0)
        used["limit"] = policy.limit or (lambda r, now: 0.0)
        used["opens"] = policy.opens or (lambda now: True)
    signatures: list[Signature] = [policy.cancel is None, varies]
    for name, rule in used.items():
        if not isinstance(getattr(rule, "py_func", rule), FunctionType):
            raise NotCompiled(f"{name} is not a Python function")
        try:
            signatures.append(signature_of(rule))
        except NotCompiled as error:
            raise NotCompiled(f"{name}: {error}") from None
    text = repr(signatures)
    in_steps = in_steps or not ("'release'" in text or "'time'" in text)  # they need no other code for times in seconds
    digest = hashlib.sha256(f"{in_steps}{text}".encode()).hexdigest()
    if digest not in _known:
        try:
            jitted = {name: _jitted(rule, {}, digest) for name, rule in used.items()}
            _known[digest] = _compile(varies, policy.cancel is not None or varies, digest, in_steps, **jitted)
        except (NumbaError, NotCompiled, OverflowError) as error:
            _known[digest] = NotCompiled(_reason(error))
    if isinstance(_known[digest], NotCompiled):
        raise _known[digest]
    return _known[digest]


def _reason(error: Exception) -> str:
    """Return the line of Numba's long message that says most, and the last line of the user's file that it names."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    errors = re.findall(r"^ *\w*Error: (?!Failed in)(.+)$", text, re.MULTILINE)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    places = [place for place in re.findall(r'File "([^"]+)", line (\d+)', text) if "crtools/process" not in place[0]]
    where = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return f"{(errors or lines or [type(error).__name__])[-1 if errors else 0].strip()}{where}"


def _compile(
    varies: bool, asks: bool, digest: str, in_steps: bool, priority: Dispatcher, assumed: Dispatcher, cancel: Dispatcher,
    victim: Any = None, limit: Any = None, opens: Any = None,
) -> CompiledRules:  # fmt: skip
    more = victim is not None  # Numba drops the branches on ``more`` and ``in_steps``, which are constants to it

    def rules(question: Int, requests: Records, i: Int, age: Int, row: IntArray, instant: FloatArray) -> Int:
        it = requests[i]
        seen = RequestRow(
            it.index, it.s, it.l, it.u, it.length, it.drawn, it.bound, it.queue_number,
            np.int64(it.release) if in_steps else it.release, it.predicted, it.kept, it.work, it.queue_number, it.drawn
        )  # fmt: skip
        if question == JOIN:
            _store_priority(row, priority(seen))
            return _integer(assumed(seen, age))
        if more and question != LOOK:
            if question == ASK_VICTIM:
                instant[ANSWER] = _number(victim(seen, age))
                return 0
            now = Now(
                np.int64(instant[0]) if in_steps else instant[0], np.int64(instant[1]), np.int64(instant[2]), np.int64(instant[3]),
                np.int64(instant[4]), np.int64(instant[5]), np.int64(instant[6]), instant[7], instant[8], instant[9]
            )  # fmt: skip
            if question == ASK_OPENS:
                return 1 if opens(now) else 0
            instant[ANSWER] = _number(limit(seen, now))
            return 0
        last = it.length
        if asks:
            length, last, grows = it.assumed, min(last, age + 1 + max(age, STRETCH)), it.grows != 0
            for later in range(age + 1, last):
                bound = cancel(seen, later, _draw)
                if bound is not None:
                    row[0, 0], row[0, 1] = CANCEL, _new_bound(bound)
                    return later
                if varies:
                    longer = _integer(assumed(seen, later))
                    if longer != (later + 1 if grows else length):
                        row[0, 0], row[0, 1] = CHANGE, longer
                        return later
        row[0, 0] = END if last == it.length else AGAIN
        return last if last == it.length else last - 1

    rules.__qualname__ = f"rules_{digest[:32]}"
    dispatcher: Any = numba.njit(rules)
    if dispatcher is rules:  # compiling is switched off
        return rules
    with suppress(RuntimeError):  # there is no folder for compiled code
        dispatcher._cache = _Cache(rules, digest)
        forgive_a_full_disk(dispatcher._cache)
    with warnings.catch_warnings(action="ignore", category=NumbaWarning):  # such as that code with a dict is not kept
        dispatcher.compile(RULES.signature)
    return dispatcher
