"""Results kept on disk: found again by content only, whole or not at all, and nothing decided is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from amount import every_third, part_and_all
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from made_up import MADE_UP

from crtools import verify
from crtools.cli import main
from crtools.errors import InputError, NotCertified
from crtools.ledger import ClaimResult, Open, Proved, Refuted, cache, run
from crtools.ledger.cache import ResultCache, default_folder, from_data
from crtools.ledger.evidence import Evidence, json_data
from crtools.ledger.registry import load

FAST = ["t1", "t2", "trace"]


def never(*_: Any) -> Any:
    raise AssertionError("a claim is decided again")


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("*.json")}


# ---- found again, and only then -----------------------------------------------------------------------------------


def test_a_second_run_decides_nothing_and_returns_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = verify(FAST, cache=tmp_path)
    kept = files(tmp_path)
    assert len(kept) == len(FAST)
    monkeypatch.setattr(run, "_decide", never)
    assert verify(FAST, cache=tmp_path) == first  # seconds included
    assert files(tmp_path) == kept


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    verify(["t1"])
    assert list(tmp_path.iterdir()) == []


def test_other_values_are_decided(tmp_path: Path) -> None:
    [true], [false] = (verify(["trace"], {"closed_form": f"harmonic({n})"}, cache=tmp_path) for n in ("u", "u-1"))
    assert (true.stated.status, false.stated.status) == ("proved", "refuted")
    assert len(files(tmp_path)) == 2
    assert verify(["trace"], {"closed_form": "harmonic(u-1)"}, cache=tmp_path) == [false]


@pytest.mark.parametrize("what", ["code_digest", "versions"])
def test_other_code_or_versions_are_decided_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    verify(["t1"], cache=tmp_path)
    monkeypatch.setattr(cache, what, lambda *_: "other")
    verify(["t1"], cache=tmp_path)
    assert len(files(tmp_path)) == 2


def test_the_digest_covers_the_sources_that_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_shown = ("cli/verify.py", "report/terminal.py", "plotting/figure.py", "ledger/display/words.py")
    for name in (*only_shown, "claims/trace.py", "__init__.py"):
        path = tmp_path / "crtools" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1\n")
    monkeypatch.setattr(cache, "PACKAGE", tmp_path / "crtools")

    def digest() -> str:
        cache.read_sources.cache_clear()
        return cache.code_digest()

    try:
        before = digest()
        for name in only_shown:
            (tmp_path / "crtools" / name).write_text("2\n")
        assert digest() == before
        (tmp_path / "crtools" / "claims" / "trace.py").write_text("2\n")
        changed = digest()
        assert changed != before
        (tmp_path / "crtools" / "claims" / "trace.py").rename(tmp_path / "crtools" / "claims" / "other.py")
        assert digest() not in (before, changed)
    finally:
        cache.read_sources.cache_clear()


def test_a_claim_s_key_covers_what_its_module_imports_and_no_other_claim_s(tmp_path: Path, monkeypatch: Any) -> None:
    """Names of modules count as imported however the import is written, in functions and for types too."""
    texts = {
        "__init__.py": "",
        "signs/real.py": "1",
        "papers/a/__init__.py": "",
        "papers/a/theory.py": "def f():\n    from crtools.papers.a.evidence import named\n",
        "papers/a/claims/__init__.py": "from crtools.papers.a.claims import one, two\n",
        "papers/a/claims/one.py": "from crtools.papers.a.evidence.shared import (\n    x,\n)\n",
        "papers/a/claims/two.py": "import crtools.papers.a.claims.three\n",
        "papers/a/claims/three.py": "1",
        "papers/a/evidence/shared.py": "if 1:\n    from crtools.papers.a.evidence import deep\n",
        "papers/a/evidence/deep.py": "1",
        "papers/a/evidence/named.py": "1",
        "papers/a/evidence/unused.py": "1",
        "papers/a/text.txt": "1",
        "papers/b/claims.py": "1",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)

    def changes(module: str, name: str) -> bool:
        before = texts[name]
        cache.read_sources.cache_clear()
        first = cache.code_digest(module)
        (tmp_path / name).write_text(f"{before}\n# changed\n")
        cache.read_sources.cache_clear()
        second = cache.code_digest(module)
        (tmp_path / name).write_text(before)
        return first != second

    try:
        moves = {name for name in texts if changes("crtools.papers.a.claims.one", name)}
        unmoved = {
            "papers/a/claims/__init__.py",
            "papers/a/claims/two.py",
            "papers/a/claims/three.py",
            "papers/b/claims.py",
        }
        assert moves == set(texts) - unmoved - {"papers/a/evidence/unused.py"}
        assert changes("crtools.papers.a.claims.two", "papers/a/claims/three.py")
        assert not changes("crtools.papers.a.claims.two", "papers/a/claims/one.py")
        assert changes("crtools.papers.b.claims", "papers/b/claims.py")
    finally:
        cache.read_sources.cache_clear()


@part_and_all("every", 6, 1)
def test_each_claim_of_the_package_has_its_module(every: int) -> None:
    for name in ("adaptive", "beyond", "nonclairvoyant", "any_memory"):
        for claim in load(name.replace("_", "-")).claims[::every]:
            assert f"{claim.module}.".startswith(f"crtools.papers.{name}.claims."), claim.id
            module = sys.modules[claim.module]
            assert any(getattr(own, "decide", None) is claim.decide for own in vars(module).values()), claim.id


def test_versions_name_python_and_the_libraries() -> None:
    text = " ".join(cache.versions())
    assert all(name in text for name in ("Python", "sympy", "python-flint", "numpy", "scipy", "numba"))


# ---- damage, and folders that cannot be written -------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["empty", "half", "flipped", "binary", "folder", "other claim", "without digest"])
def test_a_damaged_file_is_decided_anew_and_rewritten(tmp_path: Path, damage: str) -> None:
    [good] = verify(["t1"], cache=tmp_path)
    [path] = tmp_path.glob("*.json")
    text = path.read_text()
    if damage == "folder":
        path.unlink()
        path.mkdir()
    elif damage == "other claim":
        other = tmp_path / "other"
        verify(["trace"], cache=other)
        path.write_text(next(other.glob("*.json")).read_text())
    elif damage == "without digest":
        path.write_text(text.partition("\n")[2])
    else:
        path.write_bytes(
            {
                "empty": b"",
                "half": text[: len(text) // 2].encode(),
                "flipped": text.replace("proved", "refuted", 1).encode(),
                "binary": b"\xff\x00\xfe",
            }[damage]
        )
    [again] = verify(["t1"], cache=tmp_path)
    assert [v.findings for v in again.verdicts] == [v.findings for v in good.verdicts]
    if damage != "folder":
        [claim] = load("adaptive").select(["t1"])
        cached = run.Task(load("adaptive"), claim).cache(tmp_path)
        assert cached and cached.read(ClaimResult, "t1", again.given) == again


def test_a_whole_entry_in_the_place_of_another_is_not_believed(tmp_path: Path) -> None:
    [true] = verify(["trace"], cache=tmp_path / "true")
    [false] = verify(["trace"], {"closed_form": "harmonic(u-1)"}, cache=tmp_path / "false")
    assert (true.stated.status, false.stated.status) == ("proved", "refuted")
    [place], [other] = ((tmp_path / name).glob("*.json") for name in ("true", "false"))
    place.write_bytes(other.read_bytes())  # whole, with a digest that is right for its own values
    [again] = verify(["trace"], cache=tmp_path / "true")
    assert (again.given, again.stated.status) == (true.given, "proved")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(place=st.floats(0, 1), length=st.integers(0, 40), new=st.binary(max_size=40))
def test_no_change_of_bytes_is_believed(
    place: float, length: int, new: bytes, tmp_path: Path, made_up: list[ClaimResult]
) -> None:
    kept, result = ResultCache(tmp_path, MADE_UP.name), made_up[0]
    assert kept.write(result, result.id, result.given)
    assert kept.read(ClaimResult, result.id, result.given) == result
    [path] = tmp_path.iterdir()
    whole = path.read_bytes()
    at = int(place * len(whole))
    changed = whole[:at] + new + whole[at + length :]
    assume(changed != whole)
    path.write_bytes(changed)
    assert kept.read(ClaimResult, result.id, result.given) is None


def test_a_folder_that_cannot_be_written_changes_nothing_but_a_warning(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file" / "folder"
    (tmp_path / "file").write_text("")
    [result] = verify(["t1"], cache=blocked)
    assert result.stated.status == "proved"
    assert not ResultCache(blocked, "adaptive").write(result, result.id, result.given)
    assert main(["verify", "t1", "--cache", str(blocked)]) == 2  # a folder that was asked for
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("crtools: --cache = ")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert main(["verify", "t1", "--json"]) == 0
    out, error = capfd.readouterr()
    assert json.loads(out)["counts"] == {"form-at-zero": {"proved": 1}}
    assert error.count("\n") == 1
    assert error.startswith("crtools: no results are kept: ")


def test_no_half_written_file_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [result] = verify(["t1"])

    def full(*_: Any) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", full)
    assert not ResultCache(tmp_path, "adaptive").write(result, result.id, result.given)
    assert list(tmp_path.iterdir()) == []


# ---- the command's folder -----------------------------------------------------------------------------------------


def test_the_default_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "crtools"
    monkeypatch.setenv("HOME", str(tmp_path))
    for named in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", named)
        assert default_folder() == tmp_path / ".cache" / "crtools"


def test_the_command_keeps_results_unless_told_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["verify", "t1", "--no-cache"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["verify", "t1", "--cache", str(tmp_path / "own"), "--json"]) == 0
    assert len(files(tmp_path / "own")) == 1
    assert not (tmp_path / "crtools").exists()
    capfd.readouterr()
    assert main(["verify", "t1", "--json"]) == 0
    fresh = capfd.readouterr().out
    assert len(files(tmp_path / "crtools")) == 1
    monkeypatch.setattr(run, "_decide", never)
    assert main(["verify", "t1", "--json"]) == 0
    assert capfd.readouterr().out == fresh
    with pytest.raises(SystemExit) as left:
        main(["verify", "t1", "--no-cache", "--cache", str(tmp_path)])
    assert left.value.code == 2


# ---- a run that is cut off ----------------------------------------------------------------------------------------

ORDER = ["t1", "trace", "thm-log"]  # the last takes seconds


def started(folder: Path, jobs: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "crtools", "verify", *ORDER, "--cache", str(folder), "--jobs", jobs]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 120
    while len(files(folder)) < 2 and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    return run


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(("jobs", "how"), every_third([("1", signal.SIGKILL), ("2", signal.SIGINT)]))
def test_an_interrupted_run_loses_nothing_that_was_decided(tmp_path: Path, jobs: str, how: signal.Signals) -> None:
    run = started(tmp_path, jobs)
    os.killpg(run.pid, how)
    _, error = run.communicate(timeout=60)
    kept = files(tmp_path)
    assert len(kept) >= 2
    if how == signal.SIGINT and run.returncode != 0:  # 0 where it was done before the signal came
        assert run.returncode == 130
        assert error == "crtools: interrupted\n"
    results = verify(ORDER, cache=tmp_path)
    assert [r.id for r in results] == ORDER
    after = files(tmp_path)
    assert {name: after[name] for name in kept} == kept  # neither decided nor written again
    assert len(after) == len(ORDER)


# ---- several processes --------------------------------------------------------------------------------------------


def unclocked(results: Iterable[ClaimResult]) -> Any:
    return [json.loads(json.dumps(r.as_json()), object_hook=lambda d: d | {"seconds": 0}) for r in results]


def test_processes_change_neither_results_nor_their_order(tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []

    def progress(results: Iterable[ClaimResult], total: int) -> Iterable[ClaimResult]:
        for result in results:
            seen.append((result.id, total))
            yield result

    several = verify(FAST, jobs=2, cache=tmp_path, progress=progress)
    assert unclocked(several) == unclocked(verify(FAST))
    assert sorted(seen) == sorted((name, len(FAST)) for name in FAST)
    assert len(files(tmp_path)) == len(FAST)


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize("jobs", [1, 2])
def test_bad_input_is_the_same_from_any_process(jobs: int, recwarn: pytest.WarningsRecorder) -> None:
    with pytest.raises(InputError) as caught:
        verify(["t1", "t2", "trace"], {"closed_form": "1/0"}, jobs=jobs)
    assert str(caught.value).startswith("closed_form = 1/0: ")
    assert str(caught.value).endswith("it divides by 0")
    assert caught.value.argument == "closed_form"
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "1.5", "9999", ""])
def test_a_number_of_processes_that_is_none(jobs: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "t1", "--jobs", jobs]) == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_errors_cross_from_one_process_to_another() -> None:
    import pickle

    bad = pickle.loads(pickle.dumps(InputError("s", "x", "must be an integer")))
    assert (str(bad), bad.argument, bad.allowed) == ("s = x: must be an integer", "s", "must be an integer")
    open_ = pickle.loads(pickle.dumps(NotCertified("too wide", 0.5)))
    assert (str(open_), open_.width) == ("too wide (reached a relative width of 0.5)", 0.5)


# ---- data ---------------------------------------------------------------------------------------------------------


def test_evidence_is_json_data() -> None:
    values = Open("nothing", {"one": (1, 2.5, None, True), "x": {"y": ("a",), 1: 2}}).values  # type: ignore[dict-item]
    assert values == {"one": [1, 2.5, None, True], "x": {"y": ["a"], "1": 2}}
    assert json.loads(json.dumps(values)) == values
    for wrong in (float("nan"), float("inf"), object(), {1}, 1j, b"x"):
        with pytest.raises(TypeError):
            json_data([wrong])
    with pytest.raises(TypeError, match="identifier"):
        Open("nothing", {"two words": 1})


@dataclass(frozen=True)
class Holder:
    evidence: Evidence


@pytest.mark.parametrize(
    "evidence", [Proved(argument="a", uses=("b",)), Refuted({"n": 1}, 1, 2, [2], stays="c"), Open("d", {"e": 1})]
)
def test_evidence_comes_back_as_its_own_kind(evidence: Evidence) -> None:
    again = from_data(Holder, json.loads(json.dumps(asdict(Holder(evidence)))))
    assert type(again.evidence) is type(evidence)
    assert again.evidence == evidence


@dataclass(frozen=True)
class Inner:
    x: int


@dataclass(frozen=True)
class Outer:
    rows: tuple[Inner, ...]
    one: Inner | None
    more: dict[str, Any]
    late: str = "default"


def test_objects_are_rebuilt_and_missing_fields_take_their_default() -> None:
    data = {"rows": [{"x": 1}, {"x": 2}], "one": None, "more": {"a": [1]}}
    assert from_data(Outer, data) == Outer((Inner(1), Inner(2)), None, {"a": [1]})
    assert from_data(Outer, data | {"one": {"x": 3}, "late": "y"}) == Outer(
        (Inner(1), Inner(2)), Inner(3), {"a": [1]}, "y"
    )
