"""Hostile arguments and surroundings: one plain line, no traceback, nothing computed first, no process left behind."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from paths import ROOT

from crtools.__main__ import main as start
from crtools.cli import main
from crtools.cli.common import Costs, bar, clock, item_label, plain
from crtools.ledger.claim import Claim

LONG = "x" * 300


def hear_interrupts() -> None:
    """A shell makes what it runs in the background deaf to Ctrl-C, with all its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def crt(*arguments: str, env: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    own = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"} | options
    own["preexec_fn"] = hear_interrupts
    return subprocess.Popen([sys.executable, "-m", "crtools", *arguments], env={**os.environ, **(env or {})}, **own)


def one_line(error: str) -> None:
    assert error.startswith("crtools: ")
    assert error.count("\n") == 1
    assert len(error) < 500


# ---- arguments ----------------------------------------------------------------------------------------------------

OUTPUTS = [
    ("verify", "t1", "--cache"), ("verify", "t1", "--certificates"), ("report", "--html"), ("report", "--errata"),
    ("compare", "uniform(1,9)", "--memory", "30", "--plot"),
    ("figure", "log-fit", "--out"), ("verify", "--coq"),
]  # fmt: skip
INPUTS = [
    ("verify", "t1", "--expect", "{}"), ("verify", "t1", "--ledger", "{}.py"), ("replay", "{}"),
    ("ratio", "csv:{}#a"), ("compare", "csv:{}#a,b", "--memory", "30"), ("ratio", "{}.py", "geometric(q=1/2)"),
    ("simulate", "{}.py", "uniform(1,9)", "--n", "9", "--memory", "30"), ("list", "{}.py"), ("experiment", "1", "--lengths", "csv:{}#a,b"),
]  # fmt: skip


@pytest.fixture
def nothing_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object, **__: object) -> None:
        raise RuntimeError("work was done")

    for name in (
        "crtools.ledger.run.verify",
        "crtools.cli.figure.figure",
        "crtools.papers.adaptive.workloads.experiments.run_sweep",
    ):
        monkeypatch.setattr(name, work)
    monkeypatch.setattr(import_module("crtools.process.compare"), "run_sweep", work)


@pytest.mark.one_in(3)
@pytest.mark.usefixtures("nothing_computed")
@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
@pytest.mark.parametrize("path", ["", " ", "a\nb", "a\x1b[31mb", LONG, "file", "file/below", "/proc/none/below"])
def test_an_output_that_cannot_be_is_refused_before_the_work(
    command: tuple[str, ...],
    path: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").mkdir() if command[0] == "report" and path == "file" else (tmp_path / "file").write_text("kept")
    assert main([*command, path]) == 2
    out, error = capfd.readouterr()
    assert out == ""
    one_line(error)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.one_in(3)
@pytest.mark.usefixtures("nothing_computed")
@pytest.mark.parametrize("command", INPUTS, ids=" ".join)
@pytest.mark.parametrize("path", ["/dev/zero", "pipe", LONG, "a\x00b", ".", "large"])
def test_an_input_must_be_a_regular_file_of_limited_size(
    command: tuple[str, ...],
    path: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with open("large", "wb") as file:
        file.truncate(2**30)
    assert main([word.format(path) for word in command]) == 2
    out, error = capfd.readouterr()
    assert out == ""
    one_line(error)


@pytest.mark.one_in(3)
@pytest.mark.usefixtures("nothing_computed")
@pytest.mark.parametrize(
    "arguments",
    [
        ("ratio", "pmf(sum(1,i,1,10**9), u=3)"), ("ratio", "pmf(harmonic(10**9), u=3)"),
        ("derive", "mix(sum(1,i,1,10**9)*geometric(q)+1*geometric(q=1/2))"),
        ("experiment", "1", "--seeds", str(10**12)), ("experiment", "1", "--seeds", "200000"),
        ("simulate", "geometric(q=1/2)", "--n", "10", "--memory", "99", "--replicates", str(10**12)),
        ("compare", "uniform(1,9)", "--memory", "1:1000000000000:1"), ("compare", "uniform(1,9)", "--memory", "9", "--seeds", str(10**12)),
        ("compare", "uniform(1,9)", "--memory", "9", "--predictions", "x1e99"),
        ("compare", "uniform(1,9)", "--memory", "9", "--predictions", "1-5,5-9"),
        ("compare", "uniform(1,9)", "--memory", "9", "--predictions", "1-5,6-" + "9" * 40),
        ("experiment", "1", "--predictions", "9-1,2-3"), ("experiment", "1", "--predictions", "low,high"),
        ("discover", "h-sf", "--lengths", "1," + "9" * 40), ("discover", "h-sf", "--lengths", ","), ("discover", "h-sf", "--lengths", ""),
        ("discover", "h-sf", "--lengths", ",".join(map(str, range(1, 99)))), ("discover", "h-sf", "uniform(1,10000000)"),
        ("discover", "h-sf", "--lengths", "9999991,9999973"), ("discover", "h-sf", "--lengths", "1,2", "--predictions", "x1e99"),
        ("discover", "h-sf", "--lengths", "1,2", "--predictions", "x"), ("discover", "h-sf", "--lengths", "1,2", "--intervals", "-"),
        ("derive", "geometric(q)", "a-max", "--u", "c**9**9"),
        ("derive", "geometric(q)", "a-max", "--u", "sum(1,i,1,10**9)"), ("derive", "geometric(q)", "a-max", "--u", "__import__('os')"),
        ("derive", "geometric(q)", "a-max", "--u", ""),
        ("verify", "t1", "--timeout", "0"), ("verify", "t1", "--timeout", "-1"), ("verify", "t1", "--timeout", "nan"),
        ("verify", "t1", "--timeout", "inf"), ("verify", "t1", "--timeout", ""), ("derive", "geometric(q)", "--timeout", "x"),
        ("ratio", "geometric(q=1/2)", "--timeout", "1e99"), ("verify", "t1", "--self-test", "--timeout", "9"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_values_that_would_take_for_ever_are_refused(
    arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, error = capfd.readouterr()
    assert out == ""
    one_line(error)


@pytest.mark.parametrize(
    ("key", "meant"), [("orders", "order"), ("Memory", "memory"), ("length", "lengths"), ("zz", "")]
)
def test_replay_refuses_keys_that_it_does_not_know(
    key: str, meant: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "instance.json"
    path.write_text(json.dumps({"memory": 5, "lengths": [3, 1], key: [0, 1]}))
    assert main(["replay", str(path)]) == 2
    error = capfd.readouterr().err
    one_line(error)
    assert key in error
    assert f"did you mean {meant}?" in error if meant else "must be one of memory" in error


# ---- budgets and memory -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "place"), [("ratio", "crtools.ratios.ratio.ratio"), ("derive", "crtools.ratios.derive")]
)
def test_work_without_end_is_stopped_in_one_line(
    command: str, place: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def forever(*_: object, **__: object) -> None:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    monkeypatch.setattr(place, forever)
    assert main([command, "geometric(q=1/2)", "--timeout", "0.2"]) == 1
    out, error = capfd.readouterr()
    assert out == ""
    assert error == "crtools: not decided within 0.2 s; --timeout SECONDS gives it more\n"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_long_work_shows_its_time_on_a_terminal_and_nothing_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with clock("derive"):
        time.sleep(0.05)
    assert list(bar("claims", str)([1, 2])) == [1, 2]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with clock("derive"):
        print("a line")
    shown = capsys.readouterr()
    assert shown.out == "a line\n"
    assert "derive" in shown.err and "0:00:00" in shown.err
    assert shown.err.endswith("\x1b[2K")  # wiped out
    assert list(bar("claims", str)(iter([1, 2]), 2)) == [1, 2]
    assert "claims: 2" in capsys.readouterr().err


def test_a_run_too_large_for_memory_is_refused_with_what_would_fit(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("crtools.budget.free_bytes", lambda: 10**9)
    command = ["simulate", "geometric(q=4/5)", "--n", str(10**8), "--memory", "1000", "--replicates", "1"]
    assert main(command) == 2
    error = capfd.readouterr().err
    one_line(error)
    assert "n = 100000000: needs about" in error
    assert "1 GB are free: 1000000 would fit" in error


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "No space left on device")])
def test_what_the_machine_lacks_is_said_in_one_line(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Claim, "decided", fail)
    monkeypatch.setattr("crtools.cli.discard", lambda stream: None)
    assert main(["verify", "t1", "--no-cache"]) == 1
    one_line(capsys.readouterr().err)


# ---- terminals and pipes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(3−α)/2 ≤ 10⁻³", "(3-alpha)/2 <= 10^-3"), ("u²+½", "u^2+1/2"), ("ℓ → ∞ …", "l -> oo ..."), ("Σ õ·x₁₂", "sum o*x12"),
        ("✓ proved ✗ refuted", "v proved x refuted"), ("plain", "plain"), ("Λ⊆\udcff", "lamdasubset of?".replace("subset of", "to")),
    ],
)  # fmt: skip
def test_signs_are_written_in_ascii_as_a_reader_would(text: str, written: str) -> None:
    assert plain(text) == written


def test_every_sign_of_the_sources_has_some_ascii() -> None:
    signs = {
        c for path in (ROOT / "crtools").rglob("*.py") for c in path.read_text(encoding="utf-8") if not c.isascii()
    }
    assert len(signs) > 50
    assert all(plain(c).isascii() for c in signs)
    assert not [c for c in signs if "?" in plain(c)]


PLAIN = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}


@pytest.mark.exhaustive  # takes seconds
def test_where_nothing_but_ascii_can_be_written_it_stays_readable() -> None:
    shown, document = crt("verify", "t1", "trace", env=PLAIN), crt("verify", "t1", "trace", "--json", env=PLAIN)
    out, error = shown.communicate(timeout=300)
    assert (shown.returncode, error, out.isascii()) == (0, "", True)
    assert "v proved" in out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith("trace")] == [["trace", "v*"]]
    out, error = document.communicate(timeout=300)
    assert (document.returncode, error, out.isascii()) == (0, "", True)
    assert json.loads(out)["claims"][0]["id"] == "t1"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command", [("list", "forms"), ("verify", "t1", "t2", "trace", "--jobs", "2"), ("--help",)], ids=" ".join
)
def test_a_closed_pipe_ends_it_quietly(command: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    run = crt(*command, stdout=write)
    os.close(write)
    _, error = run.communicate(timeout=300)
    assert (run.returncode, error) == (0, "")


def test_output_that_finds_no_room_is_said_in_one_line() -> None:
    with open("/dev/full", "w") as full:
        run = crt("list", "forms", stdout=full)
        _, error = run.communicate(timeout=300)
    assert run.returncode == 1
    one_line(error)
    assert "No space" in error


# ---- no home ------------------------------------------------------------------------------------------------------


def test_without_a_home_nothing_is_kept_and_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def unknown(self: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", unknown)
    assert main(["verify", "t1", "--json"]) == 0
    out, error = capfd.readouterr()
    assert json.loads(out)["counts"] == {"form-at-zero": {"proved": 1}}
    one_line(error)
    assert "no results are kept" in error
    assert os.listdir(tmp_path) == []


@pytest.mark.exhaustive  # takes seconds
def test_with_a_home_that_cannot_be_written_it_decides_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")  # no folder can be made below it, not even by the superuser
    env = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"} | {
        "HOME": str(tmp_path / "home")
    }
    run = subprocess.run(
        [sys.executable, "-m", "crtools", "verify", "t1"], capture_output=True, text=True, env=env, timeout=300
    )
    assert run.returncode == 0
    assert "1 proved" in run.stdout
    one_line(run.stderr)


# ---- signals ------------------------------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def gone(group: int) -> bool:
    """Return whether no process of a group is left, after some time for the last ones to end."""
    for _ in range(300):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads Linux's list of children")
@pytest.mark.parametrize(
    "how",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.exhaustive), signal.SIGKILL],
    ids=lambda how: how.name,
)
def test_a_parallel_run_that_is_stopped_leaves_no_process_behind(how: signal.Signals) -> None:
    command = ("simulate", "geometric(q=9/10)", "--n", "90", "--memory", "200", "--policy", "a-min-cohort")
    run = crt(*command, "--replicates", "100000", "--jobs", "2", start_new_session=True)
    try:
        while len(children(run.pid)) < 3 and run.poll() is None:  # two workers, and what tracks their resources
            time.sleep(0.05)
        time.sleep(2)  # until both have begun: one that has not yet does not see its parent end
        (os.kill if how == signal.SIGKILL else os.killpg)(run.pid, how)
        _, error = run.communicate(timeout=120)
        assert gone(run.pid)
    finally:
        if not gone(run.pid):
            os.killpg(run.pid, signal.SIGKILL)
    if how == signal.SIGKILL:
        assert run.returncode == -how
    else:
        assert (run.returncode, error) == (130, "crtools: interrupted\n")


WORK = [
    (("ratio", "geometric(q=1/2)"), "crtools.ratios.ratio:ratio"), (("derive", "geometric(q)"), "crtools.ratios:derive"),
    (("switch", "volume", "h-sf", "geometric(q)"), "crtools.ratios.switch:switch"), (("minimax",), "crtools.blind:minimax"),
    (("worst-case", "--u", "9"), "crtools.worst_cases:worst_case"),
    (("worst-case", "--intervals", "1-5,6-9"), "crtools.worst_cases:worst_case"),
    (("discover", "h-sf", "--law", "uniform(1, 9)"), "crtools.distributions:distribution"),
    (("discover", "h-sf"), "crtools.discovery.measurements:simulate"),
    (("simulate", "uniform(1, 9)", "--n", "9", "--memory", "90"), "crtools.distributions:distribution"),
    (("simulate", "uniform(1, 9)", "--n", "9", "--memory", "90"), "crtools.process.compare:run_policies"),
    (("replay", "instance.json"), "crtools.process:replay"),
    (("compare", "uniform(1, 9)", "--memory", "90"), "crtools.process.compare:run_policies"),
    (("experiment", "1"), "crtools.papers.adaptive.workloads:lengths"),
    (("experiment", "1"), "crtools.papers.adaptive.workloads.experiments:one_size"),
]  # fmt: skip
"""Commands, and where each does what may take long."""


class Begun(BaseException):
    """Long work has begun."""


def begins(*_: object, **__: object) -> None:
    raise Begun


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("arguments", "place"), WORK, ids=lambda x: x if isinstance(x, str) else x[0])
def test_when_long_work_begins_a_terminal_shows_something(
    arguments: tuple[str, ...], place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _, own in WORK:  # before any is changed
        import_module(own.partition(":")[0])
    module, name = place.split(":")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.modules[module], name, begins)
    with pytest.raises(Begun):
        main(list(arguments))
    assert "0:00:00" in capsys.readouterr().err


def test_ctrl_c_while_the_program_is_loaded_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(ModuleType):
        @property
        def main(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "crtools.cli", Interrupted("crtools.cli"))
    assert start() == 130
    assert tuple(capsys.readouterr()) == ("", "crtools: interrupted\n")


def test_a_bar_names_what_runs_and_says_how_long_the_rest_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    done: list[int] = []
    for k in bar("runs", lambda item: f"{item_label(item)} {len(done)} %")([(2, 5, 1), (2, 5, 2), (2, 5, 3)]):
        done.extend(k)
        time.sleep(0.13)  # the bar asks for the label again
    assert "runs: 2, 5, 3 9 %" in shown.getvalue() and "(2," not in shown.getvalue()


def test_a_bar_with_known_costs_estimates_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two items of known cost 10 and 30, of which the first took 5 s: the second takes 30·(5+10)/(10+10) s, half in two processes."""
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    for jobs, seconds in ((1, ("0:00:39", "0:00:22")), (2, ("0:00:19", "0:00:11"))):
        for _ in bar("claims", costs=Costs(lambda n: 10 if n == 1 else 30, lambda n: 5, 40, jobs))([1, 2]):
            time.sleep(0.15)
        assert all(f"{left} left" in shown.getvalue() for left in seconds)
        assert "1/2" in shown.getvalue()


@pytest.mark.parametrize("arguments", [["--help"], ["verify", "trace"], ["list"], ["ratio", "geometric(q=1/2)"]])
def test_files_that_are_not_installed_are_one_line(arguments: list[str]) -> None:
    code = "import crtools.installed_ledgers as it; it.entry_points = lambda **_: []; from crtools.__main__ import main; exit(main())"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    one_line(done.stderr)
    assert "type .venv/bin/crtools" in done.stderr
