"""How much memory is free, so that ``simulate`` and ``compare`` refuse work that cannot fit before it begins."""

import os
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from crtools.errors import InputError

SMALL = 2**26
"""Needs below this many bytes (64 MiB) are not checked."""

GROUP = Path("/sys/fs/cgroup")
"""Where Linux has the limits of the process's control group."""


def refuse_too_many(argument: str, number: int, needs: Callable[[int], int]) -> None:
    """Raise ``InputError`` where ``needs(number)`` bytes are not free, with the largest number for which they are."""
    if needs(number) < SMALL or needs(number) <= (free := free_bytes()):
        return
    low = max(bisect_right(range(number), free, key=needs) - 1, 0)
    figures = f"needs about {needs(number) / 1e9:.3g} GB of memory, and {free / 1e9:.3g} GB are free"
    fits = low - low % 10 ** (len(str(low)) - 1)
    raise InputError(argument, number, f"{figures}: {fits} would fit" if fits else figures)


def free_bytes() -> float:
    """Return the memory that this process can still get: of the machine, its control group and its own limit.

    Infinite where none of them can be read.
    """
    return max(0.0, min(_of_machine(), _of_group(), _of_process()))


def _of_machine() -> float:
    with suppress(OSError, KeyError):
        return _table(Path("/proc/meminfo"))["MemAvailable:"] * 1024
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return float("inf")


def _of_group() -> float:
    with suppress(OSError, ValueError, KeyError):  # ValueError: the limit is the word max
        limit, used = (int((GROUP / name).read_text()) for name in ("memory.max", "memory.current"))
        return limit - used + _table(GROUP / "memory.stat")["inactive_file"]
    return float("inf")


def _of_process() -> float:
    with suppress(ImportError, OSError, IndexError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            return limit - int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return float("inf")


def _table(path: Path) -> dict[str, int]:
    """Return the first two columns of a table of the system, names and numbers."""
    return {row[0]: int(row[1]) for row in map(str.split, path.read_text().splitlines())}
