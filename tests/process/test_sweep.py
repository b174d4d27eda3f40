"""One function at many seeds in several processes, and the statistics over them."""

from __future__ import annotations

import os

import joblib
import pytest

from crtools import InputError
from crtools.parallel import in_processes
from crtools.process import Mean, sweep
from crtools.process.sweep import run_sweep


@pytest.mark.exhaustive  # takes seconds
def test_a_process_that_dies_is_one_line() -> None:
    def die(seed: int) -> None:
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(InputError, match="jobs = 2: a worker process died"):
        run_sweep(die, (), range(2), jobs=2)


@pytest.mark.parametrize(("worth", "seeds", "apart"), [(1e-9, 5, 3), (1e-9, 3, 0), (1e9, 5, 0)])
def test_processes_are_taken_where_what_is_left_takes_long(
    monkeypatch: pytest.MonkeyPatch, worth: float, seeds: int, apart: int
) -> None:
    monkeypatch.setattr(sweep, "WORTH", worth)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 2)
    found = run_sweep(here, (), range(seeds), jobs=None)
    assert [k for k, _ in found] == list(range(seeds))
    others = [process for _, process in found if process != os.getpid()]
    assert len(others) == apart, found  # the first loads, and the second says how long it takes; one left stays


def test_one_job_is_done_here_and_ends_nobody() -> None:
    assert list(in_processes(here, [(1,)], 1)) == [(1, os.getpid())]


def here(k: int) -> tuple[int, int]:
    return k, os.getpid()


def test_means_have_student_intervals() -> None:
    mean = Mean.of([1.0, 2.0, 3.0])
    assert mean.mean == 2
    assert mean.standard_error == pytest.approx(1 / 3**0.5)
    assert mean.interval == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))
    assert Mean.of([1.0]).interval is None


def test_a_mean_is_written_with_its_error_and_interval() -> None:
    assert str(Mean(1.5, 0.25, (1.0, 2.0))) == "1.5 ± 0.25 [1, 2]"
    assert str(Mean(1.5, None, None)) == "1.5"
    assert Mean(1.5, 0.25, (0.123456, 1523.4)).texts() == ("1.5", "[0.123, 1523]")
    assert Mean(1.5, None, None).texts() == ("1.5", "")
