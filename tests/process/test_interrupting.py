"""Compiled loops give way: to Ctrl-C with one line and code 130, and to the end of a budget."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from typing import Any, ClassVar

import pytest

from crtools import simulate
from crtools.budget import TimeIsUp, within
from crtools.process.instance import current
from crtools.process.kernels import jit
from crtools.process.kernels.jit import run_loop

LONG = ("zipf(1,1000)", "--n", "300000", "--memory", "20000")  # half a minute and more

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")


@pytest.mark.exhaustive  # takes seconds
def test_ctrl_c_ends_a_long_run_at_once_and_in_one_line() -> None:
    command = [sys.executable, "-m", "crtools", "simulate", *LONG, "--policy", "a-min-literal"]
    run = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    time.sleep(4)
    if run.poll() is not None:
        pytest.skip("the run was over")
    start = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, error = run.communicate(timeout=60)
    assert (run.returncode, out, error) == (130, "", "crtools: interrupted\n")
    assert time.monotonic() - start < 10  # a second on an idle machine


@pytest.mark.parametrize("policy", ["a-min-literal", "fcfs"])  # a loop of its own, and the one for any policy
def test_a_budget_stops_a_compiled_loop(policy: str) -> None:
    lengths = [k % 1000 + 1 for k in range(300_000)]
    simulate(policy, lengths[:10], 2000, 0, 1, 1000, engine="fast")  # compiled
    assert (str(current), current.stop[1]) == ("", 10)
    start = time.monotonic()
    with pytest.raises(TimeIsUp), within(0.5):
        simulate(policy, lengths, 20_000, 0, 1, 1000, engine="fast")
    assert time.monotonic() - start < 10
    assert re.fullmatch(rf"{policy}( \d+ %)?, ", str(current))  # what a progress bar would have shown


def test_a_loop_is_told_to_stop_and_its_errors_arrive() -> None:
    seen: list[Any] = []

    def waits(stop: Any) -> None:
        while stop[0] == 0:
            time.sleep(0.01)
        seen.append(int(stop[0]))

    with pytest.raises(TimeIsUp), within(0.1):
        run_loop(waits)
    assert seen == [1]
    assert run_loop(lambda x, stop: (x, int(stop[0])), 5) == (5, 0)
    with pytest.raises(ZeroDivisionError):
        run_loop(lambda stop: 1 // int(stop[0]))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_while_llvm_calls_back_is_raised_afterwards(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Compiler:
        overloads: ClassVar[dict[Any, Any]] = {}

        def compile(self, kinds: Any) -> None:
            self._raw_object_cache_notify()
            raise RuntimeError("no compiled object yet")

        def _raw_object_cache_notify(self) -> None:
            signal.raise_signal(number)

    monkeypatch.setattr(jit, "Dispatcher", Compiler)
    before = signal.default_int_handler
    former = signal.signal(number, before)  # what was started in the background ignores SIGINT
    compiler: Any = Compiler()
    with pytest.raises(KeyboardInterrupt):
        jit.make_ready(compiler)
    assert signal.getsignal(number) is before
    monkeypatch.setattr(jit, "CALLED_BACK", "another name")
    with pytest.raises(KeyboardInterrupt):
        jit.make_ready(compiler)
    monkeypatch.setattr(Compiler, "_raw_object_cache_notify", lambda self: None)
    with pytest.raises(RuntimeError, match="no compiled object"):
        jit.make_ready(compiler)
    signal.signal(number, former)
