"""Work in several processes: results as they come; no process keeps working when nobody waits for its result.

:class:`WithoutCaches`: the base class of objects that leave cached properties behind when they are sent to a process.
Tests: tests/test_parallel.py, tests/test_pickling.py, tests/process/test_sweep.py.
"""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

from crtools.errors import InputError

T = TypeVar("T")
STOPPED = "A worker stopped while some jobs were given to the executor"
"""The beginning of a warning of the pool, which starts another worker by itself."""

DIED = "a worker process died; there may be too little memory for this many"
WATCH = "crtools waits for the parent"


def cores() -> int:
    """Return how many processes this one may keep at work."""
    from joblib import cpu_count

    return cpu_count()


def in_processes(
    function: Callable[..., T], arguments: Iterable[tuple[Any, ...]], jobs: int, *, in_order: bool = True
) -> Generator[T, None, None]:
    """Yield the function's results, in the order of the arguments or as they come; the next ones are begun meanwhile.

    Where the caller stops early, or is interrupted, the processes are ended. Raises what the function raises, and
    ``InputError`` where a process dies.
    """
    from concurrent.futures.process import BrokenProcessPool  # here, as these take long to load

    from joblib import Parallel, delayed

    warnings.filterwarnings("ignore", STOPPED, UserWarning)  # from a thread of the pool, at any time
    how: dict[str, Any] = {"batch_size": 1, "pre_dispatch": "n_jobs", "max_nbytes": None}
    with _without_interrupts():
        results: Any = Parallel(n_jobs=jobs, return_as="generator" if in_order else "generator_unordered", **how)(
            delayed(_watched)(os.getpid(), function, *each) for each in arguments
        )
    try:
        for result in results:  # noqa: UP028 -- "yield from" would close them with a warning
            yield result
    except BrokenProcessPool:
        raise InputError("jobs", jobs, DIED) from None
    finally:
        with warnings.catch_warnings(action="ignore"):  # it says how many results were not used
            results.close()


def _watched(parent: int, function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a process that ends when its parent does, however that ends; with one job it is the parent itself."""
    if os.getpid() != parent and not any(thread.name == WATCH for thread in threading.enumerate()):
        threading.Thread(target=_end_with, args=(parent,), name=WATCH, daemon=True).start()
    return function(*arguments)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


@contextmanager
def _without_interrupts() -> Generator[None, None, None]:
    """Hold Ctrl-C back: processes that start meanwhile never see it, so that one process alone answers it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # else it starts with the first process, and lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class WithoutCaches:
    """Base of objects whose pickles and copies leave out cached properties.

    These can be large, and a SymPy polynomial ring cannot be pickled (``PolyRing.__getstate__`` changes a dictionary while iterating).
    """

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if not isinstance(getattr(type(self), k, None), cached_property)}
