"""Work in several processes: results as they come; no process keeps working when nobody waits for its result."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import get_context
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


@contextmanager
def copies(jobs: int) -> Generator[Callable[..., Iterator[Any]], None, None]:
    """Yield a function like :func:`in_processes` with this many jobs, which gives results as they come.

    On Linux the worker processes are forked from this one, unless it has other threads, which may hold a lock. Forked workers
    need not import again what is loaded here, which takes seconds. They end with the context or with this process.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        with ExitStack() as stack:
            yield lambda function, arguments: stack.enter_context(
                closing(in_processes(function, arguments, jobs, in_order=False))
            )
        return
    pool = ProcessPoolExecutor(jobs, get_context("fork"))
    with (
        _without_interrupts(),
        warnings.catch_warnings(action="ignore", category=DeprecationWarning),
    ):  # NumPy's threads
        pool.submit(os.getpid)
    processes = list(pool._processes.values())

    def results(function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        started = [pool.submit(_watched, os.getpid(), function, *each) for each in arguments]
        return (each.result() for each in as_completed(started))

    try:
        yield results
    except BrokenProcessPool:
        raise InputError("jobs", jobs, DIED) from None
    finally:
        for process in processes:
            process.kill()
        pool.shutdown(cancel_futures=True)


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
