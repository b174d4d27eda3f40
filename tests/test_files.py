"""Files from outside are read only where regular and not too large; files for outside appear whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from crtools.errors import InputError
from crtools.files import LARGEST_INPUT, csv_rows, input_file, output_file, output_folder, write_text, write_whole

LONG = "x" * 300


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", ["os.fsync", "os.replace", "pathlib.Path.open"])
def test_on_a_full_disk_old_files_stay_and_no_part_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    files = {tmp_path / name: b"new" for name in ("one", "two")}
    (tmp_path / "one").write_bytes(b"old")
    monkeypatch.setattr(where, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(files)
    with pytest.raises(InputError, match="No space"):
        write_text("--html", tmp_path / "one", "new")
    assert os.listdir(tmp_path) == ["one"]
    monkeypatch.undo()
    assert (tmp_path / "one").read_bytes() == b"old"


def test_when_the_second_of_two_files_does_not_fit_the_first_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def second(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:
            full()

    (tmp_path / "one").write_bytes(b"old")
    monkeypatch.setattr("os.fsync", second)
    with pytest.raises(OSError, match="No space"):
        write_whole({tmp_path / name: b"new" for name in ("one", "two")})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"one": b"old"}


def test_files_have_the_mode_that_the_user_gives_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole({tmp_path / "file": b""})
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\x00b", "a\x7fb", LONG, "file/below"])
def test_a_path_that_no_output_can_have_is_bad_input(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("kept")
    path = str(tmp_path / name) if name.strip() else name
    for check in (output_folder, output_file):
        with pytest.raises(InputError, match="must be a"):
            check("out", path)
    assert os.listdir(tmp_path) == ["file"]


def test_an_output_file_is_no_folder_pipe_or_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", "/dev/null", tmp_path / "none" / "file"):
        with pytest.raises(InputError, match="must be a file"):
            output_file("--html", path)
    assert output_file("--html", tmp_path / "new.html") == tmp_path / "new.html"
    assert os.listdir(tmp_path) == ["pipe"]


def test_what_is_read_must_be_a_regular_file_of_limited_size(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(LARGEST_INPUT + 1)
    for path in ("/dev/zero", tmp_path / "pipe", tmp_path / "large", tmp_path, tmp_path / "none", LONG, "a\x00b"):
        with pytest.raises(InputError, match="must be a readable CSV file"):
            input_file("file", path, "CSV file")
        with pytest.raises(InputError, match="must be a readable CSV file"):
            list(csv_rows(path, ["a"]))
