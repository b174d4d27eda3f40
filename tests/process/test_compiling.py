"""Kernels are compiled also where compiled code cannot be kept."""

import errno
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import caching
from numba.core.errors import NumbaError

from crtools import Policy, simulate
from crtools.process.kernels import jit
from crtools.process.kernels.jit import Int
from crtools.process.kernels.rules import signature_of
from crtools.process.policies import NotCompiled

ROOT = Path(__file__).parents[2]


def double(x: int) -> int:
    return 2 * x


def nothing(x: int) -> None:
    del x


def test_without_a_folder_for_compiled_code_it_compiles_and_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    jit._say_uncached.cache_clear()
    assert [jit.compiled(double)(k) for k in (1, 2)] == [2, 4]
    out, error = capfd.readouterr()
    assert out == ""
    assert error.startswith("crtools: compiling anew in each run")
    assert error.count("\n") == 1


def test_on_a_full_disk_it_compiles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def full(self: Any, *arguments: Any) -> None:
        asked.append(arguments)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert jit.compiled(double)(21) == 42
    assert asked


def test_other_errors_of_the_compiler_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> Any:
        raise RuntimeError("something else")

    monkeypatch.setattr(jit.numba, "njit", refuse)
    with pytest.raises(RuntimeError, match="something else"):
        jit.compiled(double)


def test_where_compiling_is_switched_off_kernels_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.numba.config, "DISABLE_JIT", True)
    assert jit.compiled(double) is double


@jit.part
def six_times(x: Int) -> Int:
    return 2 * x * 3


def by_part(x: int) -> int:
    return six_times(x) + 1


def test_a_part_is_python_for_python_and_compiled_in_a_loop() -> None:
    assert six_times(7) == 42
    assert jit.compiled(by_part)(7) == 43


def test_where_compiling_is_switched_off_parts_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.numba.config, "DISABLE_JIT", True)
    assert jit.maker(double) is double
    assert jit.part(nothing) is nothing


@jit.part
def copied_length(column: Any) -> Int:
    return len(column.copy())


@jit.maker
def made_length(column: Any) -> Int:
    return len(column.copy())


def test_a_part_can_make_no_array_and_return_none() -> None:
    column = np.zeros(3, np.int64)
    with pytest.raises(NumbaError, match="NRT required"):
        jit.compiled(lambda x: copied_length(x))(column)
    assert jit.compiled(lambda x: made_length(x))(column) == 3

    def itself(column: Any) -> Any:
        return column

    with pytest.raises(TypeError, match="itself must be annotated to return one of Int, bool, float, None"):
        jit.part(itself)


def test_different_rules_have_different_files_on_disk() -> None:
    """Two processes that add rules to one index at the same time would number them alike."""
    from crtools.process.kernels.rules import _Cache  # pyright: ignore[reportPrivateUsage]

    def rules(value: int) -> int:
        return value

    one, two = (_Cache(rules, digest)._cache_file for digest in ("a" * 64, "b" * 64))
    assert one._index_path != two._index_path
    assert one._data_path(one._data_name(1)) != two._data_path(two._data_name(1))


def test_arrays_that_rules_refer_to_are_told_apart_or_refused() -> None:
    arrays = [np.array(row) for row in ([1, 2], [1, 3], [1.0, 2.0], [[1, 2]], [True, False])]
    assert len({repr(signature_of(array)) for array in arrays}) == len(arrays)
    for array, says in ((np.array([0, -(2**53)]), "integers of 2^53"), (np.array(["a"]), "type ndarray")):
        with pytest.raises(NotCompiled, match=re.escape(says)):
            signature_of(array)


def test_rules_that_numba_does_not_keep_on_disk_compile_without_a_warning() -> None:
    rules: Any = {"assumed": lambda r, age: r.bound if age < r.bound else age + 1, "longest": lambda r: r.u}
    kill: Any = lambda r, age, draw: {1: 2, 2: 4}.get(age) if age == r.bound else None  # noqa: E731
    policy = Policy("kill-list", priority=lambda r: r.bound, cancel=kill, **rules)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = [
            simulate(policy, [3, 1, 4, 2], memory=9, s=1, l=1, u=4, engine=engine) for engine in ("fast", "reference")
        ]
    assert runs[0].engine == "fast" and runs[0].starts.tolist() == runs[1].starts.tolist()
    assert runs[0].cancellations == runs[1].cancellations == 5


TWO_POLICIES = """
import sys
from crtools import Policy, simulate
rules = {"a": lambda r: 7 * r.s - r.u, "b": lambda r: 5 * r.u - 3 * r.s}
limits = {"a": lambda r, now: 2, "b": lambda r, now: 1 + r.s}
for name in sys.argv[1]:
    policy = Policy(name, priority=rules[name], assumed=lambda r, age: age + 1, overflow="latest", limit=limits[name])
    runs = (simulate(policy, [5, 1, 2, 1, 3], 12, s=[0, 4, 3, 2, 6], u=[5, 9, 8, 6, 7], engine=e) for e in ("fast", "reference"))
    print(*(run.starts.tolist() for run in runs), sep=" = ")
"""


@pytest.mark.exhaustive  # compiles in three processes
def test_rules_that_two_processes_compiled_are_told_apart_in_a_third() -> None:
    pairs: list[list[str]] = []
    for names in ("a", "b", "aba"):
        command = [sys.executable, "-c", TWO_POLICIES, names]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        pairs = [line.split(" = ") for line in output.splitlines()]
        assert len(pairs) == len(names) and all(fast == slow for fast, slow in pairs), names
    assert pairs[0] == pairs[2] != pairs[1]


def test_where_compiling_is_switched_off_the_engine_runs_as_python() -> None:
    off = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", TWO_POLICIES, "ab"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, env=off).stdout.splitlines()
    assert len(lines) == 2 and all(fast == slow for fast, slow in (line.split(" = ") for line in lines))


WAITING = """
import sys
from tests.process.test_compiling import double
from crtools.process.kernels import jit

function = jit.compiled(double)
print(flush=True)
jit.make_ready(function, 1)
print(sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()), function(21))
"""


@pytest.fixture
def _lock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the lock beside the code that is kept of ``double``, in a folder of its own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    function: Any = jit.compiled(double)
    return Path(function._cache.cache_path) / "double.lock"


@pytest.mark.exhaustive  # compiles in several processes
@pytest.mark.skipif(sys.platform == "win32", reason="without fcntl nobody waits")
def test_of_two_processes_that_need_a_function_one_compiles_it(_lock: Path) -> None:
    import fcntl

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True, cwd=ROOT)

    with _lock.open("w") as held, start() as one, start() as two:
        fcntl.flock(held, fcntl.LOCK_EX)
        for process in (one, two):
            assert process.stdout is not None
            assert process.stdout.readline() == "\n"
        fcntl.flock(held, fcntl.LOCK_UN)
        assert sorted(process.communicate()[0] for process in (one, two)) == ["0 1 42\n", "1 0 42\n"]


@pytest.mark.skipif(sys.platform == "win32", reason="without fcntl nobody waits")
def test_a_lock_that_is_never_given_back_is_waited_for_with_patience(
    _lock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    monkeypatch.setattr("time.monotonic", lambda: len(waited) * jit.PATIENCE / 3)
    function: Any = jit.compiled(double)
    with _lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        jit.make_ready(function, 1)
    assert (function(21), len(waited)) == (42, 3)


def test_where_no_lock_can_be_written_nobody_waits(_lock: Path) -> None:
    _lock.mkdir()
    function: Any = jit.compiled(double)
    jit.make_ready(function, 1)
    assert function(21) == 42
