"""Files from outside are read only where regular and not too large; files for outside appear whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools import Empirical
from crtools.data_files import SKIP_HINT, read_table
from crtools.errors import InputError
from crtools.files import LARGEST_INPUT, input_file, output_file, output_folder, write_text, write_whole
from crtools.setting import read_integer

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
    with pytest.raises(OSError, match="No space") as error:
        write_text("--html", tmp_path / "one", "new")
    assert not isinstance(error.value, InputError)
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
            read_table("csv", str(path), ["a"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,a\n1,2\n", "column = a: must be one column of FILE (there are: a, a)"),
        ("b\n1\n", "column = a: must be a column of FILE (there are: b)"),
        ("A\n1\n", "column = a: did you mean A? It must be a column of FILE (there are: A)"),
        ("", "column = a: must be a column of FILE (there are: none)"),
        ("a,b\n1,2\n\n3\n", "row = 3: must have 2 fields, as the first line has (FILE, line 4)HINT"),
        ("a,b\n1,2,3\n", "row = 1,2,3: must have 2 fields, as the first line has (FILE, line 2)HINT"),
        ("a\n5\n1_000\n", "a = 1_000: must be an integer from 1 to 10000000 (FILE, line 3, column a)HINT"),
        ("a\n٣\n", "a = ٣: must be an integer from 1 to 10000000 (FILE, line 2, column a)HINT"),
        ("a\n0\n", "a = 0: must be an integer from 1 to 10000000 (FILE, line 2, column a)HINT"),
        ("a,b\n,1\n", "a = : is empty: it must be an integer from 1 to 10000000 (FILE, line 2, column a)HINT"),
    ],
)
def test_what_a_csv_file_may_not_have_is_said_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "own.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        Empirical.from_csv(file, "a")
    assert str(error.value) == said.replace("FILE", str(file)).replace("HINT", SKIP_HINT)


def test_blank_lines_and_other_columns_do_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("b,a,b\nx, 3 ,y\n\nz,+3,\n", encoding="utf-8")
    assert dict(Empirical.from_csv(file, "a").items()) == {3: 2}


@given(st.text(alphabet="0123456789+-_ .eE１٣x", max_size=6))
@settings(max_examples=200)
def test_an_integer_is_what_is_written_in_ten_digits(text: str) -> None:
    plain = text.strip()
    digits = plain[1:] if plain[:1] in ("+", "-") else plain
    if digits and all(c in "0123456789" for c in digits):
        assert read_integer(text) == int(plain)
    else:
        with pytest.raises(ValueError, match="not an integer"):
            read_integer(text)
