"""A sweep on a Dask cluster: the local results seed by seed, also with a killed worker, and clusters of no use."""

from __future__ import annotations

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from amount import every_third

from crtools import InputError, NotCertified, Policy, Run, compare, form
from crtools.cli import main
from crtools.process.clocks import STEPS
from crtools.process.compare import Entry, run_policies
from crtools.process.sweep import run_sweep
from crtools.process.workload import workload

pytestmark = [
    pytest.mark.exhaustive,  # takes seconds
    pytest.mark.skipif(find_spec("distributed") is None, reason="the extra crtools[dask] is not installed"),
]
PATIENCE = 60


def local_cluster(workers: int) -> Any:
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster(2) as made:
        yield made


def wait_until(what: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


def everything(pair: tuple[Run, Run, float | None]) -> tuple[Any, ...]:
    run, best, form = pair
    return run, best, form, *(x.tolist() for r in (run, best) for x in (r.starts, r.lengths, r.prompts))


def refusal(address: Any, function: Callable[[int], Any] = int, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        run_sweep(function, (), range(3), dask=address, **options)
    assert caught.value.argument == "dask"
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- the same results -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["a-min-literal", "a-random", "a-min-cohort"])
def test_results_are_those_of_a_local_run_seed_by_seed(cluster: Any, policy: str) -> None:
    options: dict[str, Any] = {"n": 200, "memory": 120, "s": 1, "seeds": [5, 3, 8, 0, 13]}
    here = compare(policy, "geometric(q=4/5)", **options)
    there = compare(policy, "geometric(q=4/5)", **options, dask=cluster.scheduler_address)
    assert [run.seed for run in there.runs] == options["seeds"]
    assert here.forms is not None and there.forms is not None
    for a, b in zip(
        zip(here.runs, here.benchmark, here.forms, strict=True),
        zip(there.runs, there.benchmark, there.forms, strict=True),
        strict=True,
    ):
        assert everything(a) == everything(b)
    assert here.to_h_sf == there.to_h_sf and here.to_form == there.to_form


def test_a_policy_of_ones_own_travels(cluster: Any) -> None:
    longest = Policy("longest", priority=lambda r: -r.length, assumed=lambda r, age: r.length, fixed=True)
    here, there = (
        compare(longest, "uniform(l=1,u=9)", n=30, memory=40, seeds=3, dask=address)
        for address in (None, cluster.scheduler_address)
    )
    assert here.runs == there.runs and here.to_form is there.to_form is None


def test_both_workers_are_used(cluster: Any, tmp_path: Path) -> None:
    """Two tasks that wait for each other can only end if two workers run them at once."""

    def meet(folder: str, seed: int) -> int:
        import os
        import time
        from pathlib import Path

        (Path(folder) / str(seed)).touch()
        end = time.monotonic() + 60
        while len(list(Path(folder).iterdir())) < 2 and time.monotonic() < end:
            time.sleep(0.02)
        return os.getpid()

    pids = run_sweep(meet, (str(tmp_path),), [0, 1], dask=cluster.scheduler_address)
    assert len(set(pids)) == 2 and os.getpid() not in pids


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    seeds = list(range(12))
    entry = Entry(STEPS, "a-min-literal", "a-min-literal", form("a-min"))
    arguments = ({None: [entry]}, workload("geometric(q=4/5)"), 60, False, "restart", True, True)
    folder, gate = tmp_path / "marks", tmp_path / "go"
    folder.mkdir()

    def marked(folder: str, gate: str, *arguments: Any) -> Any:
        """Leave a mark with seed and process, wait for the gate, and run."""
        import os
        import time
        from pathlib import Path

        (Path(folder) / f"{arguments[-1]}-{os.getpid()}").touch()
        end = time.monotonic() + 60
        while not Path(gate).exists() and time.monotonic() < end:
            time.sleep(0.02)
        [row] = run_policies(*arguments[:-1], (60, None, arguments[-1]))
        return row.runs[0], row.benchmark[0], row.values[0]["form"]

    def marks() -> dict[int, set[int]]:
        """The seeds that each process has begun."""
        found: dict[int, set[int]] = {}
        for mark in folder.iterdir():
            seed, pid = map(int, mark.name.split("-"))
            found.setdefault(pid, set()).add(seed)
        return found

    killed: dict[int, set[int]] = {}
    with local_cluster(2) as cluster:
        pids = {nanny.pid for nanny in cluster.workers.values()}
        assert len(pids) == 2

        def kill() -> None:
            begun = wait_until(lambda: m if len(m := marks()) == 2 else None)
            pid = min(begun)
            killed[pid] = begun[pid]
            os.kill(pid, signal.SIGKILL)
            gate.touch()

        killer = threading.Thread(target=kill)
        killer.start()
        found = run_sweep(marked, (str(folder), str(gate), *arguments), seeds, dask=cluster.scheduler_address)
        killer.join()
    [(victim, lost)] = killed.items()
    assert victim in pids and lost  # it was computing these seeds when it died
    others = set().union(*(begun for pid, begun in marks().items() if pid != victim))
    assert lost <= others == set(seeds)  # which were begun again elsewhere
    gate.touch()
    here = [marked(str(folder), str(gate), *arguments, seed) for seed in seeds]
    assert [everything(pair) for pair in found] == [everything(pair) for pair in here]


# ---- errors and progress ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"jobs": 2}, {"dask": True}])
def test_an_error_of_a_run_arrives_as_itself(cluster: Any, options: dict[str, Any]) -> None:
    if "dask" in options:
        options = {"dask": cluster.scheduler_address}
    with pytest.raises(InputError, match="tokens, what request") as caught:
        compare("h-sf", "uniform(l=5,u=9)", n=9, memory=3, seeds=3, **options)
    assert (caught.value.argument, caught.value.value) == ("memory", 3)


def test_errors_can_be_pickled() -> None:
    for error in (InputError("a", [1], "must be"), NotCertified("too wide", 0.5)):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error) and vars(again) == vars(error)


@pytest.mark.parametrize("options", [{}, {"jobs": 2}, {"dask": True}])
def test_progress_moves_while_other_seeds_are_still_to_come(
    cluster: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    """The last seed waits until the bar has passed the first: it would wait for ever if the bar moved at the end."""

    def last_waits(file: str, seed: int) -> int:
        import time
        from pathlib import Path

        end = time.monotonic() + 60
        while seed == 3 and not Path(file).exists():
            assert time.monotonic() < end, "the bar did not move"
            time.sleep(0.02)
        return seed * seed

    mark = tmp_path / "moved"

    def progress(seeds: Any) -> Iterator[int]:
        for count, seed in enumerate(seeds):
            if count == 2:
                mark.touch()
            yield seed

    if "dask" in options:
        options = {"dask": cluster.scheduler_address}
    assert run_sweep(last_waits, (str(mark),), range(4), **options, progress=progress) == [0, 1, 4, 9]


# ---- clusters of no use -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["", "tcp://", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "http://127.0.0.1:80", "tcp://a:1/b",
     "tcp://a b:1", "tcp://a:1\n", "tcp://user@host:1", "inproc://1", 8786, b"tcp://a:1"],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(address: Any) -> None:
    assert "tcp://HOST:PORT" in refusal(address)


def test_a_port_where_nobody_listens_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.process.sweep.CONNECT_SECONDS", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert "no Dask scheduler answered" in refusal(f"tcp://127.0.0.1:{free.getsockname()[1]}")


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 64, b"\xff" * 64])
def test_a_listener_that_is_no_scheduler_is_refused(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.process.sweep.CONNECT_SECONDS", 1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        held: list[socket.socket] = []

        def say() -> None:
            held.append(other.accept()[0])
            held[0].sendall(answer)

        speaker = threading.Thread(target=say, daemon=True)
        speaker.start()
        assert "no Dask scheduler answered" in refusal(f"tcp://127.0.0.1:{other.getsockname()[1]}")
        speaker.join(PATIENCE)
        for connection in held:
            connection.close()


def test_the_address_of_a_worker_is_refused(cluster: Any) -> None:
    assert "no Dask scheduler answered" in refusal(next(iter(cluster.scheduler_info["workers"])))


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'crtools[dask]'" in refusal("tcp://127.0.0.1:8786")


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.process.sweep.WORKER_SECONDS", 1)
    with local_cluster(0) as empty:
        assert "no worker" in refusal(empty.scheduler_address)


WORKER = """
import sys
{first}
import asyncio
from distributed import Worker

async def work():
    async with Worker(sys.argv[1], nthreads=1, dashboard=False, host="127.0.0.1") as worker:
        await worker.finished()

asyncio.run(work())
"""


@pytest.mark.parametrize(
    ("first", "says"),
    every_third(
        [
            ("sys.modules['crtools'] = None", "cannot import crtools"),
            ("import crtools; crtools.__version__ = '0.0.1'", "crtools 0.0.1 on tcp://127.0.0.1:"),
            ("import numpy; numpy.__version__ = '1.0.1'", "NumPy 1.0.1 on tcp://127.0.0.1:"),
        ]
    ),
)
def test_workers_without_this_crtools_are_refused(first: str, says: str) -> None:
    with local_cluster(0) as empty:
        code = WORKER.format(first=first)
        worker = subprocess.Popen([sys.executable, "-c", code, empty.scheduler_address], stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: empty.scheduler_info["workers"])
            assert says in refusal(empty.scheduler_address)
        finally:
            worker.terminate()
            worker.wait(PATIENCE)


def test_a_seed_that_kills_its_workers_is_one_line() -> None:
    def die(seed: int) -> None:
        import os
        import signal

        os.kill(os.getpid(), signal.SIGKILL)

    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), local_cluster(1) as cluster:
        assert "workers died of one seed" in refusal(cluster.scheduler_address, die)


def test_a_scheduler_that_goes_away_is_one_line(tmp_path: Path) -> None:
    begun = tmp_path / "begun"

    def wait(file: str, seed: int) -> None:
        import time
        from pathlib import Path

        Path(file).touch()
        time.sleep(60)

    with local_cluster(1) as doomed:

        def close() -> None:
            wait_until(begun.exists)
            doomed.close()

        closer = threading.Thread(target=close)
        closer.start()
        with pytest.raises(InputError, match="the scheduler was lost"):
            run_sweep(wait, (str(begun),), range(3), dask=doomed.scheduler_address)
        closer.join()


# ---- the command line -------------------------------------------------------------------------------------------

SWEEP = ("simulate", "geometric(q=4/5)", "--n", "40", "--memory", "50", "--replicates", "4", "--policy", "a-min")


def test_the_command_line_prints_the_same_on_a_cluster(cluster: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*SWEEP, "--json"]) == 0
    here = capfd.readouterr()
    assert main([*SWEEP, "--json", "--dask", cluster.scheduler_address]) == 0
    there = capfd.readouterr()
    assert json.loads(there.out) == json.loads(here.out)
    assert here.err == there.err == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--dask", "here"), "dask = here: must be"),
        (("--dask", "tcp://127.0.0.1:9", "--jobs", "2"), "jobs = 2: must be"),
    ],
)
def test_bad_options_are_one_line(arguments: tuple[str, ...], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*SWEEP, *arguments]) == 2
    out, error = capfd.readouterr()
    assert out == "" and error.count("\n") == 1
    assert error.startswith("crtools: ") and says in error


def test_nobody_listening_is_one_line_of_the_process_and_exit_code_2() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        done = subprocess.run(
            [sys.executable, "-m", "crtools", *SWEEP, "--dask", address],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "no Dask scheduler answered" in done.stderr
