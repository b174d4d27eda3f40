"""Faults while claims are decided: budgets that run out, full disks, two runs at once."""

from __future__ import annotations

import errno
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_up import MADE_UP

from crtools import verify
from crtools.budget import TimeIsUp, within
from crtools.cli import main
from crtools.errors import InputError
from crtools.files import write_text
from crtools.ledger import ClaimResult, Open
from crtools.ledger.cache import ResultCache
from crtools.ledger.certificates import write_certificates
from crtools.ledger.registry import load
from crtools.ledger.run import Task
from crtools.plotting import Figure

# ---- budgets ------------------------------------------------------------------------------------------------------

TWO_CLAIMS = """
from crtools.ledger import Claim, Decision, Finding, Ledger, Level, Proved, PublishedProof, Verdict

def decide(given, level):
    while int(given["steps"]):
        try:
            [0] * 1000
        except Exception:
            continue
    finding = Finding("ends", "it ends", Proved(argument="there is nothing to do"))
    return Decision("it ends", (Verdict(level, "as it stands", "it ends", "none", (finding,)),), PublishedProof())

def claim(id, steps, level):
    return Claim(id=id, place="here", statement="it ends", stated_at=level, given={"steps": steps},
                 decide=lambda given: decide(given, level))

LEDGER = Ledger(name="two", title="Two", source="here",
                levels=(Level("one", "o", "it", "does it end?"), Level("two", "t", "it", "does it end at last?")),
                load=lambda: (claim("endless", "1", "one"), claim("short", "0", "two")))
"""


@pytest.fixture
def two_claims(tmp_path: Path) -> str:
    path = tmp_path / "two_claims.py"
    path.write_text(TWO_CLAIMS)
    return str(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_claim_without_end_is_inconclusive_and_not_kept_and_the_others_are(
    two_claims: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crtools.ledger.ledger.comes_with_crtools", lambda ledger: True)  # in this process
    endless, short = verify(ledger=two_claims, timeout=0.3, jobs=jobs, cache=tmp_path / "kept")
    [finding] = endless.stated.findings
    assert (finding.id, finding.status) == ("time", "inconclusive")
    assert isinstance(finding.evidence, Open)
    assert finding.evidence.tried == "time: not decided within 0.3 s"
    assert endless.given == {"steps": "1"}
    assert short.stated.status == "proved"
    kept = [path.name.partition("-")[0] for path in (tmp_path / "kept").glob("*")]
    assert kept == (["short"] if jobs == 1 else [])


def test_at_one_level_a_claim_whose_time_is_up_keeps_its_place(
    two_claims: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["verify", "--ledger", two_claims, "--timeout", "0.3", "--no-cache", "--jobs", "1", "--json"]
    assert main([*asked, "--level", "two"]) == 0
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [claim["id"] for claim in found] == ["endless", "short"]
    assert main([*asked, "--level", "one"]) == 0
    assert [claim["id"] for claim in json.loads(capsys.readouterr().out)["claims"]] == ["endless"]


def test_without_a_budget_only_changed_values_have_one(two_claims: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crtools.ledger.run.SECONDS", 0.3)
    seen: list[float | None] = []
    monkeypatch.setattr("crtools.ledger.run.within", lambda seconds: seen.append(seconds) or within(seconds))
    [changed] = verify(["short"], {"steps": "1"}, ledger=two_claims)
    [own] = verify(["short"], ledger=two_claims)
    assert (changed.stated.status, own.stated.status) == ("inconclusive", "proved")
    assert seen == [0.3, None]


def test_the_command_says_what_ran_out_of_time(two_claims: str, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["verify", "--ledger", two_claims, "--timeout", "0.3", "--jobs", "1", "--no-cache"]
    assert main(command) == 0
    out, error = capfd.readouterr()
    assert "not decided within 0.3 s" in out
    assert "1 inconclusive" in out
    assert error == ""


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "x", None, 10**9])
def test_a_budget_is_a_positive_number_of_seconds(seconds: Any) -> None:
    if seconds is None:
        assert verify(["t1"], timeout=None)[0].stated.status == "proved"
        return
    with pytest.raises(InputError, match="seconds"):
        verify(["t1"], timeout=seconds)


def test_a_budget_leaves_alarms_as_they_were() -> None:
    before = signal.getsignal(signal.SIGALRM)
    for work in (lambda: None, forever):
        try:
            with within(0.05):
                work()
        except TimeIsUp as error:
            assert str(error) == "not decided within 0.05 s"
        else:
            assert work is not forever
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def forever() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:
            continue


@pytest.mark.parametrize("seconds", ["1e-9", "1e-6", "1e-5", "0.0001"])
def test_a_tiny_budget_is_one_line_too(seconds: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["ratio", "lognormal(5,1)", "--timeout", seconds]) == 1
    out, error = capfd.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert "not decided within" in error


def test_a_module_that_loads_when_time_is_up_is_loaded_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of SymPy was all that the next call found where an alarm rang while it was imported."""
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(0.05)\ndone = True\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TimeIsUp), within(1e-9):
        importlib.import_module("slow_to_load")
        forever()
    assert sys.modules.pop("slow_to_load").done


def test_a_budget_of_next_to_nothing_ends_in_its_own_exception_only() -> None:
    for k in range(60):
        try:
            with within(10.0 ** -(k % 9)):
                time.sleep(0.012)
        except TimeIsUp:
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_where_work_cannot_be_stopped_a_budget_is_refused_and_none_is_assumed() -> None:
    found: list[Any] = []

    def decide() -> None:
        found.extend(verify(["trace"], {"closed_form": "harmonic(u)"}))
        try:
            verify(["t1"], timeout=60)
        except InputError as error:
            found.append(error)

    thread = threading.Thread(target=decide)
    thread.start()
    thread.join()
    assert found[0].stated.status == "proved"
    assert "main thread" in str(found[1])


# ---- a full disk --------------------------------------------------------------------------------------------------


def keep(result: ClaimResult, folder: Path) -> None:
    if not ResultCache(folder, load().name).write(result, result.id, result.given):
        raise OSError(errno.ENOSPC, "No space left on device")


def certify(result: ClaimResult, folder: Path) -> None:
    write_certificates([result], folder, load())


def draw(result: ClaimResult, folder: Path) -> None:
    Figure(result.id, {"u": [1]}, lambda sheet: sheet.canvas(4, 3)).save(folder)


def write_page(result: ClaimResult, folder: Path) -> None:
    write_text("--html", folder / "page.html", result.show())


@pytest.mark.parametrize("write", [keep, certify, draw, write_page])
@pytest.mark.parametrize("where", ["os.fsync", "os.replace"])
def test_on_a_full_disk_what_was_there_stays_and_nothing_is_half_written(
    write: Callable[[ClaimResult, Path], None], where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    [result] = verify(["trace"])
    write(result, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert before
    monkeypatch.setattr(where, full)
    with pytest.raises(OSError, match="No space") as error:  # nothing is wrong with what was asked for
        write(result, tmp_path)
    assert not isinstance(error.value, InputError)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_certificates_appear_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    left, sync = [2], os.fsync

    def full_soon(file: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(file)

    monkeypatch.setattr("os.fsync", full_soon)
    folder = tmp_path / "certificates"
    assert main(["verify", "t1", "t2", "trace", "--no-cache", "--certificates", str(folder)]) == 1
    assert list(folder.iterdir()) == []
    assert capfd.readouterr().err == f"crtools: {folder}: No space left on device\n"


def test_on_a_full_disk_claims_are_decided_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    results = verify(ledger=MADE_UP, quick=True, cache=tmp_path)
    assert {v.status for r in results for v in r.verdicts} >= {"proved", "refuted"}
    assert os.listdir(tmp_path) == []


# ---- two runs at once ---------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
def test_two_runs_share_one_folder(tmp_path: Path) -> None:
    ids = ["t1", "t2", "trace"]
    command = [sys.executable, "-m", "crtools", "verify", *ids, "--cache", str(tmp_path), "--json"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for run in runs:
        assert run.communicate(timeout=300)[1] == ""
        assert run.returncode == 0
    assert sorted(path.name.partition("-")[0] for path in tmp_path.iterdir()) == ids
    for result, claim in zip(verify(ids, cache=tmp_path), load().select(ids), strict=True):
        cached = Task(load(), claim).cache(tmp_path)
        assert cached and cached.read(ClaimResult, result.id, result.given) == result
