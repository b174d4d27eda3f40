"""One function at many seeds: in this process, in several of this machine, or on a Dask cluster.

The results come in the order of the seeds and do not depend on where they were computed.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import re
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pkgutil import resolve_name
from typing import Any, TypeVar

from crtools.errors import InputError
from crtools.parallel import cores, in_processes
from crtools.process.run import LARGEST_SEED
from crtools.setting import integer

T = TypeVar("T")

CONNECT_SECONDS = 5
"""How long a scheduler may take to answer."""

WORKER_SECONDS = 20
"""How long a cluster without workers may take to get one."""

WORTH = 8
"""So many seconds of work that are left, less than which is done sooner here than by processes that start first."""

ADDRESS = re.compile(r"tcp://(\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+):[0-9]{1,5}")

SOFTWARE: tuple[Any, ...] = (
    ("Python", 2, platform.python_version),
    ("crtools", 3, resolve_name, "crtools:__version__"),
    ("NumPy", 2, resolve_name, "numpy:__version__"),
)
"""What the cluster must have as the caller has it, in so many parts of the version: NumPy's streams of random numbers
may change between minor ones. The functions are the standard library's, so that any worker can run them."""

Progress = Callable[[Sequence[Any]], Iterable[Any]]
"""Wraps the seeds; the next one is asked for when the result of the one before is there."""


LARGEST_SWEEP = 10**6
"""The most seeds of one sweep."""


def seeds_of(seeds: int | Iterable[int]) -> list[int]:
    """Return the given seeds, or so many of 0, 1, …; raise ``InputError`` for none or more than ``LARGEST_SWEEP``."""
    if isinstance(seeds, Iterable) and not isinstance(seeds, str | bytes) and getattr(seeds, "ndim", 1):
        chosen = [integer("seeds", seed, 0, LARGEST_SEED) for seed in islice(seeds, LARGEST_SWEEP + 1)]
        if not 1 <= len(chosen) <= LARGEST_SWEEP:
            raise InputError("seeds", "more" if chosen else "none", f"there must be 1 to {LARGEST_SWEEP} seeds")
        return chosen
    return list(range(integer("seeds", seeds, 1, LARGEST_SWEEP)))


def run_sweep(
    function: Callable[..., T],
    arguments: Sequence[Any],
    seeds: Sequence[Any],
    jobs: int | None = 1,
    dask: str | None = None,
    progress: Progress = iter,
) -> list[T]:
    """Return ``function(*arguments, seed)`` for every seed, in their order.

    jobs: processes of this machine; None: one for each core, once the first seeds say that the others take long. dask: the
    address of a Dask scheduler, tcp://HOST:PORT, whose workers compute instead; this crtools must be installed there, and what
    a worker that dies has not handed over is computed again by another. progress: see ``Progress``. Raises what the function
    raises, and ``InputError`` where the cluster cannot be used, or ``jobs`` is given beside it.
    """
    if dask is not None and jobs is not None and jobs > 1:
        raise InputError("jobs", jobs, "must be left out with dask: the cluster says how many workers there are")
    task: Callable[[Any], T] = partial(function, *arguments)
    if dask is not None:
        return _on_cluster(task, seeds, dask, progress)
    if jobs == 1 or len(seeds) == 1:
        return _in_order(map(task, seeds), seeds, progress)
    results = _as_it_takes(task, seeds) if jobs is None else in_processes(task, ((seed,) for seed in seeds), jobs)
    with closing(results):
        return _in_order(results, seeds, progress)


def _as_it_takes(task: Callable[[Any], T], seeds: Sequence[Any]) -> Generator[T, None, None]:
    """Yield the results; in processes, one for each core, as soon as the last one says that the others take long."""
    left, seconds, most = list(seeds), 0.0, cores()
    while left and (min(most, len(left)) == 1 or seconds * len(left) < WORTH):
        started = time.monotonic()
        yield task(left.pop(0))
        seconds = time.monotonic() - started if len(left) < len(seeds) - 1 else 0.0  # the first one loads and compiles
    if left:
        with closing(in_processes(task, ((seed,) for seed in left), min(most, len(left)))) as rest:
            yield from rest


def _in_order(results: Iterable[T], seeds: Sequence[Any], progress: Progress) -> list[T]:
    return [result for _, result in zip(progress(seeds), results, strict=True)]


def _on_cluster(task: Callable[[Any], T], seeds: Sequence[Any], address: str, progress: Progress) -> list[T]:
    def refused(allowed: str) -> InputError:
        return InputError("dask", address, allowed)

    if not isinstance(address, str) or not ADDRESS.fullmatch(address):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise refused("must be the address of a Dask scheduler, tcp://HOST:PORT")
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise refused("needs Dask: pip install 'crtools[dask]'") from None
    if not _scheduler_answers(address):
        raise refused(f"no Dask scheduler answered within {CONNECT_SECONDS} s")
    with _quiet(), Client(address, set_as_default=False) as client:
        try:
            futures = client.map(task, seeds, pure=False)
            _check_software(client, refused)
            return _in_order(_results(futures), seeds, progress)
        except KilledWorker:
            raise refused("several workers died of one seed; does it need more memory than they have?") from None
        except ModuleNotFoundError as error:
            raise refused(
                f"it cannot import {error.name}; scheduler and workers need this version of crtools, and what a policy comes from"
            ) from None
        except (CancelledError, CommClosedError):
            raise refused("the scheduler was lost, or has dropped the work") from None


@contextmanager
def _quiet() -> Generator[None, None, None]:
    """Keep the client's log and warnings off standard error: what they would say, the errors here say in one line."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        log.setLevel(level)


def _scheduler_answers(address: str) -> bool:
    """Ask who is there; a client would wait for ever for a listener that says nothing."""
    from distributed.core import rpc

    async def kind() -> str:
        other: Any
        async with rpc(address) as other:
            return (await asyncio.wait_for(other.identity(), CONNECT_SECONDS))["type"]

    with ThreadPoolExecutor(1) as thread:  # the caller's own thread may have a running event loop
        try:
            return thread.submit(asyncio.run, kind()).result() == "Scheduler"
        except Exception:  # whatever the bytes of another kind of server lead to
            return False


def _results(futures: list[Any]) -> Iterator[Any]:
    """Yield the results in order, and let go of each, so that no worker keeps what it has handed over."""
    futures.reverse()
    while futures:
        yield futures.pop().result()


def _check_software(client: Any, refused: Callable[[str], InputError]) -> None:
    """Raise ``InputError`` unless there is a worker, and all have the versions that results depend on."""
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise refused(f"the cluster had no worker within {WORKER_SECONDS} s") from None
    for name, parts, function, *arguments in SOFTWARE:
        own = function(*arguments)
        versions = client.run(function, *arguments, on_error="return")
        versions["scheduler"] = client.run_on_scheduler(function, *arguments)
        for where, found in versions.items():
            if isinstance(found, OSError):  # this worker has died since; the others have its work
                continue
            if isinstance(found, Exception):
                raise found
            if found.split(".")[:parts] != own.split(".")[:parts]:
                raise refused(f"{name} {found} on {where}, and {own} here; they must be the same")
