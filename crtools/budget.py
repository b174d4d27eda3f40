"""A time budget: work that takes longer is stopped at its next step in Python.

A call that does not return to Python (one large product in FLINT, one eigenvalue problem in LAPACK) is stopped when it
returns, an import when the module is loaded; compiled loops look whether they are to stop (``crtools.process.kernels.jit``).
"""

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from crtools.errors import InputError

SECONDS = 60.0
"""The default budget of one decision."""

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
    count = 0
    while frame is not None:
        count += frame.f_code.co_name == "_find_and_load"
        frame = frame.f_back
    return count


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
            signal.setitimer(
                signal.ITIMER_REAL, max(seconds, SMALLEST), 1.0
            )  # again each second: a library may have caught it
            yield
        finally:
            signal.signal(signal.SIGALRM, signal.SIG_IGN)  # no ring on the way out
    except Alarm:
        raise TimeIsUp(seconds) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
