"""Limits of time and memory: work that takes longer is stopped at its next step in Python, work that cannot fit is refused.

A call that does not return to Python (one large product in FLINT, one eigenvalue problem in LAPACK) is stopped when it
returns, an import when the module is loaded; compiled loops look whether they are to stop (``crtools.process.kernels.jit``).
"""

import os
import signal
import sys
import threading
from bisect import bisect_right
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

from crtools.errors import InputError

SECONDS = 60.0
"""The default limit of ``ratio``, ``derive``, ``switch`` and ``verify --set``; claims with their own values have none."""

LARGEST = 10.0**6

SMALLEST = 0.01
"""Seconds before the first alarm: the work must have begun, so that the exception is caught."""


class TimeIsUp(Exception):
    """The work was not done within its budget."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not decided within {seconds:g} s")


@dataclass(eq=False)
class Alarm(BaseException):
    """Raised in work whose budget of ``seconds`` has ended; it passes every ``except Exception`` on its way out."""

    seconds: float


def seconds_of(argument: str, value: Any) -> float:
    """Read a budget in seconds, or raise ``InputError``."""
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        seconds = 0.0
    if not 0 < seconds <= LARGEST:
        raise InputError(argument, value, f"must be a number of seconds above 0, at most {LARGEST:.0f}")
    return seconds


def can_stop() -> bool:
    """Return whether work can be stopped here: in the main thread, where there are alarms (not on Windows)."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _imports(frame: FrameType | None) -> int:
    """Return the number of imports in progress in a frame."""
    return 0 if frame is None else sum(f.f_code.co_name == "_find_and_load" for f, _ in walk_stack(frame))


@contextmanager
def within(seconds: float | None) -> Generator[None, None, None]:
    """Raise ``TimeIsUp`` where the body takes longer; None is no budget. Budgets do not nest.

    Raises ``InputError`` where work cannot be stopped.
    """
    if seconds is None:
        yield
        return
    if not can_stop():
        raise InputError("timeout", seconds, "needs the main thread, and an operating system with alarms")

    outside = _imports(sys._getframe())  # pyright: ignore[reportPrivateUsage]

    def ring(_: int, frame: FrameType | None) -> None:
        if _imports(frame) > outside:  # half a module would be all that later work finds
            signal.setitimer(signal.ITIMER_REAL, SMALLEST, 1.0)
        else:
            raise Alarm(seconds)

    before = signal.getsignal(signal.SIGALRM)
    try:
        try:
            signal.signal(signal.SIGALRM, ring)
            # again each second: a library may have caught it
            signal.setitimer(signal.ITIMER_REAL, max(seconds, SMALLEST), 1.0)
            yield
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # no ring on the way out
    except Alarm:
        raise TimeIsUp(seconds) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- memory: work that cannot fit is refused before it begins --------------------------------------------------------

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
