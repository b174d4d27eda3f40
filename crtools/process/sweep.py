"""Run one function at many seeds: in this process, in several processes of this machine, or on a Dask cluster.

:func:`run_sweep` returns the results in the order of the seeds; they do not depend on where they were computed.
"""

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
"""Time limit for the scheduler to answer."""

WORKER_SECONDS = 20
"""Time limit for a cluster without workers to get one."""

WORTH = 8
"""Seconds of remaining work from which starting processes pays."""

ADDRESS = re.compile(r"tcp://(\[[0-9A-Fa-f:.%]+\]|[^\s:/@\[\]]+):[0-9]{1,5}")

SOFTWARE: tuple[Any, ...] = (
    ("Python", 2, platform.python_version),
    ("crtools", 3, resolve_name, "crtools:__version__"),
    ("NumPy", 2, resolve_name, "numpy:__version__"),
)
"""Software whose version must agree, with the number of its parts that matter (NumPy's random streams may change between
minor versions) and how a worker looks it up, by a function of the standard library that any worker can run."""

Progress = Callable[[Sequence[Any]], Iterable[Any]]
"""Wraps the seeds; the next one is taken when the result of the previous one has arrived."""

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

    ``jobs``: processes of this machine; None: one for each core, once the first seeds show that the others take long.
    ``dask``: the address of a Dask scheduler, tcp://HOST:PORT, whose workers compute instead; they need this version of
    crtools, and the seeds of a worker that dies are computed by another. Raises what the function raises, and
    ``InputError`` where the cluster cannot be used, or ``jobs`` is given as well.
    """
    if dask is not None and jobs is not None and jobs > 1:
        raise InputError("jobs", jobs, "must be left out with dask: the cluster says how many workers there are")
    task: Callable[[Any], T] = partial(function, *arguments)
    if dask is not None:
        return _on_cluster(task, seeds, dask, progress)
    if jobs == 1 or len(seeds) == 1:
        return _in_order(map(task, seeds), seeds, progress)
    results = _adaptively(task, seeds) if jobs is None else in_processes(task, ((seed,) for seed in seeds), jobs)
    with closing(results):
        return _in_order(results, seeds, progress)


def _adaptively(task: Callable[[Any], T], seeds: Sequence[Any]) -> Generator[T, None, None]:
    """Yield the results, from processes as soon as the time of the latest seed shows that this pays."""
    remaining, seconds, processes = list(seeds), 0.0, cores()
    while remaining and (min(processes, len(remaining)) == 1 or seconds * len(remaining) < WORTH):
        started = time.monotonic()
        yield task(remaining.pop(0))
        first = len(remaining) == len(seeds) - 1  # which loads and compiles
        seconds = 0.0 if first else time.monotonic() - started
    if remaining:
        arguments = ((seed,) for seed in remaining)
        with closing(in_processes(task, arguments, min(processes, len(remaining)))) as results:
            yield from results


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
            missing = f"it cannot import {error.name}"
            raise refused(f"{missing}; scheduler and workers need this crtools and the modules of policies") from None
        except (CancelledError, CommClosedError):
            raise refused("the scheduler was lost, or has dropped the work") from None


@contextmanager
def _quiet() -> Generator[None, None, None]:
    """Keep the client's log and warnings off standard error; the errors raised here say the same in one line."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        log.setLevel(level)


def _scheduler_answers(address: str) -> bool:
    """Return whether a Dask scheduler listens; a client would wait for ever for another kind of server."""
    from distributed.core import rpc

    async def kind() -> str:
        other: Any
        async with rpc(address) as other:
            return (await asyncio.wait_for(other.identity(), CONNECT_SECONDS))["type"]

    with ThreadPoolExecutor(1) as thread:  # the caller's own thread may have a running event loop
        try:
            return thread.submit(asyncio.run, kind()).result() == "Scheduler"
        except Exception:  # another kind of server may send anything
            return False


def _results(futures: list[Any]) -> Iterator[Any]:
    """Yield the results in order and release each, so that no worker keeps what was delivered."""
    futures.reverse()
    while futures:
        yield futures.pop().result()


def _check_software(client: Any, refused: Callable[[str], InputError]) -> None:
    """Raise ``InputError`` unless there is a worker, and all have the versions that results depend on."""
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise refused(f"the cluster had no worker within {WORKER_SECONDS} s") from None
    for name, parts, look_up, *arguments in SOFTWARE:
        local = look_up(*arguments)
        versions = client.run(look_up, *arguments, on_error="return")
        versions["scheduler"] = client.run_on_scheduler(look_up, *arguments)
        for where, version in versions.items():
            if isinstance(version, OSError):  # a worker that has died; the others have its work
                continue
            if isinstance(version, Exception):
                raise version
            if version.split(".")[:parts] != local.split(".")[:parts]:
                raise refused(f"{name} {version} on {where}, and {local} here; they must be the same")
