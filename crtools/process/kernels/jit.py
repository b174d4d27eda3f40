"""Decorators for the compiled loops and their parts, and the call of a loop in a thread that signals can stop.

Compiled code is kept on disk where a folder can be written. ``tests/process/test_compiling.py`` and ``test_interrupting.py``
test this module.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Annotated, Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.extending import register_jitable

from crtools.process.instance import current

Int: TypeAlias = Annotated[Any, "int64"]
"""A machine integer: in compiled code an int64, whatever a type checker would infer from NumPy's stubs."""

NumbaType: TypeAlias = Any
"""A type of Numba, which has no stubs."""

CompiledValue: TypeAlias = Any
"""A value in compiled code whose type Numba infers."""

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def compiled(function: F, counts: bool = True) -> F:
    """Compile a function with Numba when it is first called; its compiled code is kept on disk where that is possible.

    With ``NUMBA_DISABLE_JIT=1`` it stays the Python that it is. ``counts``: whether references to arrays are counted, which takes long
    for the many columns of a loop's arguments, and is needed only if it makes an array.
    """
    if numba.config.DISABLE_JIT:  # pyright: ignore
        return function
    options: dict[str, Any] = {**FOR_PYTHON, "_nrt": counts}
    try:
        dispatcher: Any = numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        _say_uncached()
        return cast(F, numba.njit(nogil=True, **options)(function))
    forgive_a_full_disk(dispatcher._cache)
    return cast(F, dispatcher)


FOR_PYTHON: dict[str, Any] = {"no_cfunc_wrapper": True}
"""No code for callers in C, of which there are none: it takes a tenth of the time to compile."""


def maker(function: F, counts: bool = True) -> F:
    """Let a function that makes arrays be compiled into every loop that calls it. Where Python calls it, it is the Python that it is.

    So it needs no code for callers in Python, which takes a quarter of the time to compile.
    """
    return register_jitable(no_cpython_wrapper=True, _nrt=counts, **FOR_PYTHON)(function)


def part(function: F) -> F:
    """Do the same for a function that makes no array and returns none: references to its arguments are not counted.

    For a tuple of fifty columns counting takes longer than most of what such functions do. Who calls it holds the arguments.
    Raises ``TypeError`` for a function that is not annotated to return numbers or nothing; one that makes an array does not compile.
    """
    if function.__annotations__.get("return", Any) not in NUMBERS.values():
        raise TypeError(
            f"{function.__name__} must be annotated to return one of {', '.join(NUMBERS)}: else take @maker"
        )
    return maker(function, counts=False)


NUMBERS = {"Int": Int, "bool": bool, "float": float, "None": None}


def run_loop(loop: Callable[..., T], *arguments: CompiledValue) -> T:
    """Return ``loop(*arguments, stop)`` of a compiled loop that leaves early, with any result, once ``stop[0]`` is not 0.

    A loop may count in ``stop[1]`` the requests that are done, which ``crtools.process.instance.RunningNow`` shows.
    In the main thread, which alone sees Ctrl-C and alarms, the loop runs in another one meanwhile and is stopped by what
    they raise. It is compiled before, here: an exception that a signal raises within Numba's own call is lost.
    """
    stop = current.stop = np.zeros(2, np.int64)
    make_ready(loop, *arguments, stop)
    if threading.current_thread() is not threading.main_thread():
        return loop(*arguments, stop)
    running = _another_thread(os.getpid()).submit(loop, *arguments, stop)
    try:
        return running.result()
    except BaseException:
        stop[0] = 1
        wait((running,))
        raise


def make_ready(function: Callable[..., object], *arguments: CompiledValue) -> None:
    """Compile a function for these arguments, if it is compiled at all, and raise what signals raise meanwhile.

    While LLVM calls back, an exception would be printed and lost, and the compiler fail; then it is raised afterwards.
    """
    if not isinstance(function, Dispatcher):
        return
    kinds = tuple(
        numba.types.FunctionType(value.nopython_signatures[0]) if isinstance(value, Dispatcher) else numba.typeof(value)
        for value in arguments
    )  # a compiled function is passed by its address, as one of its signature
    if kinds not in function.overloads:
        function._can_compile = True  # pyright: ignore
        with _alone(function):
            _compile(function, kinds)
    if any(isinstance(argument, Dispatcher) for argument in arguments):
        function.disable_compile()  # else it would be compiled for this function alone, whose type is its own


PATIENCE = 60
"""Seconds after which another process that compiles the same function, but may be suspended, is waited for no more."""


@contextmanager
def _alone(function: Dispatcher) -> Generator[None, None, None]:
    """Wait while another process compiles the function; then its code is loaded. A process that has ended holds no lock."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError, TypeError, AttributeError):  # no such lock, or no folder for compiled code
            from fcntl import LOCK_EX, LOCK_NB, flock

            lock = Path(function._cache.cache_path, f"{function.__name__}.lock")  # pyright: ignore
            file, end = stack.enter_context(lock.open("w")), time.monotonic() + PATIENCE
            while time.monotonic() < end:
                with suppress(BlockingIOError):
                    flock(file, LOCK_EX | LOCK_NB)
                    break
                time.sleep(0.05)
        yield


def _compile(function: Dispatcher, kinds: tuple[NumbaType, ...]) -> None:
    lost: list[BaseException] = []

    def noting(handler: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
        def handle(number: int, frame: FrameType | None) -> None:
            try:
                handler(number, frame)
            except BaseException as error:
                if not any(own.f_code.co_name.startswith(CALLED_BACK) for own, _ in walk_stack(frame)):
                    raise
                lost.append(error)

        return handle

    in_main = threading.current_thread() is threading.main_thread()  # which alone can set handlers
    noted = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGALRM", signal.SIGINT)) if in_main else ()
    before = {number: signal.getsignal(number) for number in noted}
    try:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, noting(handler))
        function.compile(kinds)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if lost:
            raise lost[0]


CALLED_BACK = "_raw_object_cache_"
"""How llvmlite's functions begin that LLVM calls."""


@cache
def _another_thread(process: int) -> ThreadPoolExecutor:
    """Return the thread of a process in which its main one has loops run; a new one for each takes longer than most loops."""
    return ThreadPoolExecutor(1, "loop")


def forgive_a_full_disk(kept: Any) -> None:
    """Let compiled code that cannot be written be used all the same; Numba would raise the ``OSError``."""
    save = kept.save_overload

    def try_to_save(*arguments: object) -> None:
        with suppress(OSError):
            save(*arguments)

    kept.save_overload = try_to_save


@cache
def _say_uncached() -> None:
    """Say once in each process why the first run takes long."""
    print(
        "crtools: compiling anew in each run: no folder for compiled code can be written (NUMBA_CACHE_DIR names one)",
        file=sys.stderr,
    )
