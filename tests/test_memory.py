"""What is free is the least of three limits, and what is refused is told what would fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crtools import budget
from crtools.errors import InputError
from crtools.process import simulate


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(free=st.integers(0, 10**12), each=st.integers(1, 10**4), rest=st.integers(0, 10**9), n=st.integers(1, 10**9))
def test_what_is_refused_does_not_fit_and_what_is_offered_does(free: int, each: int, rest: int, n: int) -> None:
    def needs(k: int) -> int:
        return k * each + rest

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "free_bytes", lambda: float(free))
        try:
            budget.refuse_too_many("n", n, needs)
        except InputError as error:
            assert needs(n) > free
            _, offered, after = error.allowed.partition("GB are free: ")
            if offered:
                fits = int(after.partition(" ")[0])
                assert 0 < fits < n
                assert needs(fits) <= free
        else:
            assert needs(n) <= max(free, budget.SMALL)


def test_the_limits_of_a_control_group_and_of_the_process_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 < budget.free_bytes() < 2**60
    monkeypatch.setattr(budget, "GROUP", tmp_path)
    free = budget.free_bytes()
    for name, text in (
        ("memory.current", "900\n"),
        ("memory.stat", "anon 5\ninactive_file 300\n"),
        ("memory.max", "1000\n"),
    ):
        (tmp_path / name).write_text(text)
    assert budget.free_bytes() == 400
    (tmp_path / "memory.max").write_text("max\n")
    assert budget.free_bytes() > 400
    assert free > 400
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * 4096
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used + 10**6, used + 10**6))
    assert budget.free_bytes() <= 10**6


def test_a_run_that_does_not_fit_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SMALL", 0)
    monkeypatch.setattr(budget, "free_bytes", lambda: 30_000.0)
    with pytest.raises(InputError, match=r"n = 1000: needs about .* GB are free: 50 would fit"):
        simulate("h-sf", np.full(1000, 3), 10)
    assert simulate("h-sf", np.full(50, 3), 10).n == 50
