"""Processes give their results in order, never see Ctrl-C, and end where the caller stops early."""

from __future__ import annotations

import os
import signal
import time
import warnings

import pytest

from crtools.errors import InputError
from crtools.parallel import in_processes


def held_back(number: int) -> tuple[int, bool]:
    return number, signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def who(number: int) -> int:
    time.sleep(0 if number == 0 else 1000)
    return os.getpid()


def die(_: int) -> None:
    os._exit(1)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_are_in_order_and_only_the_caller_sees_an_interrupt() -> None:
    found = in_processes(held_back, ((k,) for k in range(6)), 2)
    assert list(found) == [(k, True) for k in range(6)]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.exhaustive  # takes seconds
def test_processes_end_where_the_caller_stops_early(recwarn: pytest.WarningsRecorder) -> None:
    results = in_processes(who, ((k,) for k in range(3)), 2)
    pid = next(results)
    assert runs(pid)
    results.close()
    for _ in range(600):
        if not runs(pid):
            break
        time.sleep(0.1)
    assert not runs(pid)
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.exhaustive  # takes seconds
def test_a_process_that_dies_is_an_input_error() -> None:
    with pytest.raises(InputError, match="a worker process died"):
        list(in_processes(die, ((k,) for k in range(2)), 2))


def test_what_the_pool_mends_by_itself_is_not_said(recwarn: pytest.WarningsRecorder) -> None:
    assert list(in_processes(held_back, ((k,) for k in range(2)), 2)) == [(0, True), (1, True)]
    warnings.warn(
        "A worker stopped while some jobs were given to the executor. This can be …", UserWarning, stacklevel=1
    )
    warnings.warn("another", UserWarning, stacklevel=1)
    assert [str(warning.message) for warning in recwarn] == ["another"]
