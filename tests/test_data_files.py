"""Data files: every kind and shape says the same, and what a file may not have is named with its place."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import crt
from hypothesis import given
from hypothesis import strategies as st

from crtools import Empirical, InputError, distribution, workload
from crtools.data_files import LARGEST_INPUT, SKIP_HINT, Table, read_table

ROWS = [(12, 3, 0.5), (7, 0, 2.0), (30, 9, 1.25)]


def said(source: str, **options: Any) -> str:
    with pytest.raises(InputError) as error:
        workload(source, **options)
    assert "\n" not in str(error.value) and len(str(error.value)) < 700
    return str(error.value)


def drawn(source: str, **options: Any) -> list[list[float]]:
    """Return outputs, prompts and release times of all rows."""
    requests = workload(source, **options).draw(len(ROWS), 0)
    return [np.broadcast_to(column, len(ROWS)).tolist() for column in (requests.lengths, requests.s, requests.release)]


EXPECTED = [[12, 7, 30], [3, 0, 9], [0, 1.5, 0.75]]


# ---- one reader for all kinds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_line_ends_and_gzip_are_recognised(tmp_path: Path, mark: str, end: str, packed: bool) -> None:
    lines = [mark.join(["out", '"a, b; c"', " prompt", "time"])]
    lines += [mark.join([f"{o}.0", '"1,5;2"', str(s), str(t)]) for o, s, t in ROWS]
    content = ("\ufeff" + end.join(lines) + end).encode()
    (tmp_path / "rows.data").write_bytes(gzip.compress(content, mtime=0) if packed else content)
    assert drawn(f"csv:{tmp_path}/rows.data#out,prompt,time") == EXPECTED
    assert list(distribution(f"csv:{tmp_path}/rows.data#out").items()) == [(7, 1), (12, 1), (30, 1)]


def objects() -> list[dict[str, Any]]:
    return [{"out": o, "prompt": float(s), "time": t, "hash_ids": [1, 2], "more": None} for o, s, t in ROWS]


SHAPES = {
    "lines": lambda: "\n\n".join(map(json.dumps, objects())),
    "a list": lambda: json.dumps(objects(), indent=2),
    "an object of lists": lambda: json.dumps(
        {"model": "m", **{name: [o[name] for o in objects()] for name in ("out", "prompt", "time")}, "ttfts": [1]},
        indent=1,
    ),
    "several such on lines": lambda: "\n".join(
        json.dumps({name: [o[name] for o in part] for name in ("out", "prompt", "time")})
        for part in (objects()[:1], objects()[1:])
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("packed", [False, True])
def test_json_is_read_as_lines_as_a_list_or_with_a_list_for_each_column(
    tmp_path: Path, shape: str, packed: bool
) -> None:
    content = SHAPES[shape]().encode()
    (tmp_path / "rows.json").write_bytes(gzip.compress(content, mtime=0) if packed else content)
    assert drawn(f"jsonl:{tmp_path}/rows.json#out,prompt,time") == EXPECTED
    assert Empirical.from_file(f"jsonl:{tmp_path}/rows.json#out") == distribution(f"jsonl:{tmp_path}/rows.json#out")


def test_parquet_is_read_alike(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"out": [float(o) for o, _, _ in ROWS], "prompt": [s for _, s, _ in ROWS]}
    moments = arrow.array([1700000000_500000000, 1700000002_000000000, 1700000001_250000000], arrow.timestamp("ns"))
    parquet.write_table(arrow.table({**columns, "time": moments}), tmp_path / "rows.parquet")
    assert drawn(f"parquet:{tmp_path}/rows.parquet#out,prompt,time") == EXPECTED
    assert "must be a column of" in said(f"parquet:{tmp_path}/rows.parquet#nope")
    assert "the columns are out, prompt, time" in said(f"parquet:{tmp_path}/rows.parquet")
    parquet.write_table(arrow.table({"out": [3, None, 0], "names": ["a", "b", "c"]}), tmp_path / "bad.parquet")
    assert f"row 2, column out){SKIP_HINT}" in said(f"parquet:{tmp_path}/bad.parquet#out")
    assert workload(f"parquet:{tmp_path}/bad.parquet#out", skip_invalid=True).skipped == 2
    assert "names = a" in said(f"parquet:{tmp_path}/bad.parquet#names")


@pytest.mark.parametrize(
    ("name", "text", "columns"),
    [
        ("rows.csv", "a b,out\n1,2\n", "a b, out"),
        ("rows.csv", "a;out\n1;2\n", "a, out"),
        ("rows.jsonl", '{"a": 1, "out": 2}\n', "a, out"),
        ("rows.csv", ",".join(f"column {k}" for k in range(500)), "column 0, column 1, "),
    ],
)
def test_without_a_column_the_columns_are_listed(tmp_path: Path, name: str, text: str, columns: str) -> None:
    (tmp_path / name).write_text(text)
    kind = name.partition(".")[2]
    for source in (f"{kind}:{tmp_path / name}", str(tmp_path / name)):
        with pytest.raises(InputError) as error:
            distribution(source)
        assert f"must name a column: {kind}:{tmp_path / name}#COLUMN; the columns are {columns}" in str(error.value)
        assert len(str(error.value)) < 700
    assert f"#OUTPUTS[,PROMPTS[,TIMES]]; the columns are {columns}" in said(f"{kind}:{tmp_path / name}")
    assert "must be a column of" in said(f"{kind}:{tmp_path / name}#nope") and columns in said(
        f"{kind}:{tmp_path / name}#nope"
    )


# ---- rows that cannot be used ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("0,1,1", "out = 0: must be an integer from 1 to 100000000 (FILE, line 4, column out)"),
        (",1,1", "out = : is empty: it must be an integer from 1 to 100000000 (FILE, line 4, column out)"),
        ("1,,1", "prompt = : is empty: it must be an integer from 0"),
        ("1,-1,1", "prompt = -1: must be an integer from 0"),
        ("1.5,1,1", "out = 1.5: must be an integer"),
        ("1e3,1,1", "out = 1e3: must be an integer"),
        ("9" * 30 + ",1,1", f"out = {'9' * 30}: must be an integer"),
        ("9" * 5000 + ",1,1", "out = 999"),
        (
            "1,1,-1",
            "time = -1: must be a finite number ≥ 0, or every row a date and time such as 2023-11-16 18:17:03.98 (FILE, line 4, ",
        ),
        ("1,1,nan", "time = nan: must be a finite number ≥ 0"),
        ("1,1,inf", "time = inf: must be a finite number ≥ 0"),
        ("1,1,", "time = : must be a finite number ≥ 0"),
        ("1,1,2023-11-16", "time = 2023-11-16: must be a finite number ≥ 0"),
        ("1,1", "row = 1,1: must have 3 fields, as the first line has (FILE, line 4)"),
        ("50,51,1", "out = 50: cannot fit: 51 + 50 tokens are more than M = 100 (FILE, line 4, column out)"),
        ("41,51,1", "out = 41: must be at most u = 40 (FILE, line 4, column out)"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_and_skipped_on_request(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(f"out,prompt,time\n5,1,7\n6,2,9\n{line}\n7,3,8\n0,0,0\n")
    options: dict[str, Any] = {"memory": 100, "u": 40, "l": 2}
    source = f"csv:{file}#out,prompt,time"
    assert says.replace("FILE", str(file)) in said(source, **options)
    found = workload(source, skip_invalid=True, **options)
    assert found.skipped == 2 and found.count == 3
    requests = found.draw(3, 0)
    assert [requests.lengths.tolist(), requests.s.tolist(), requests.release.tolist()] == [
        [5, 6, 7],
        [1, 2, 3],
        [0, 2, 1],
    ]
    assert (requests.l, requests.u) == (2, 40)


def test_the_first_row_that_cannot_be_used_is_named_whatever_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    lines = ["out,prompt", "5,1", "5,x", "0,1", "50,51", "1"]
    file.write_text("\n".join(lines))
    for first in ("prompt = x", "out = 0", "out = 50", "row = 1"):
        assert said(f"csv:{file}#out,prompt", memory=100).startswith(first)
        del lines[2]
        file.write_text("\n".join(lines))
    assert workload(f"csv:{file}#out,prompt", memory=100).count == 1


def test_a_line_that_is_no_object_is_a_row_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"out": 5}\n{"out": true}\n{"more": 1}\n[5]\n{"out": 6\n')
    assert said(f"jsonl:{file}#out").startswith("out = True: must be an integer")
    assert workload(f"jsonl:{file}#out", skip_invalid=True).skipped == 4
    file.write_text('{"out": 5}\n{"out": 6\n')
    assert said(f"jsonl:{file}#out") == f'row = {{"out": 6: must be a JSON object ({file}, line 2){SKIP_HINT}'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "must be a column of"),
        (b"out\n", "must have at least one row that can be used"),
        (b"out\n0\n", "integer from 1"),
        (b"\x1f\x8bxx", "must be a readable CSV file"),
        (gzip.compress(b"out\n5\n", mtime=0)[:-4], "must be a readable CSV file"),
        (b"out\n\xff\xfe\n", "must be a readable CSV file"),
        (b'out\n"' + b"5" * 200_000, "must be a readable CSV file"),
        (b"out,out\n5,5\n", "must be one column of"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "rows").write_bytes(content)
    assert says in said(f"csv:{tmp_path}/rows#out")


def test_a_packed_file_is_unpacked_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "rows").write_bytes(gzip.compress(b"out\n" + b"1\n" * (LARGEST_INPUT // 2), 1))
    assert "256 MiB when unpacked" in said(f"csv:{tmp_path}/rows#out")


@pytest.mark.parametrize(
    "text", ["", "5", "[[[", "[" * 10**5, '{"out": [1, 2], "s": 3}', '{"out": [1], "s": [1, 2]}', "{}"]
)
def test_json_that_holds_no_rows_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "rows").write_text(text)
    for skip in (False, True):
        said(f"jsonl:{tmp_path}/rows#out,s", skip_invalid=skip)


# ---- times ----------------------------------------------------------------------------------------------------------


def seconds(texts: list[str], unit: str = "s") -> list[float]:
    table = Table("rows", ["t"], "row", range(1, 1 + len(texts)), {"t": texts})
    times = table.seconds("t", unit)
    return times[table.kept(False)].tolist()


def test_dates_and_times_are_seconds_after_the_first_to_the_nanosecond() -> None:
    azure = ["2023-11-16 18:17:03.9799600", "2023-11-16 18:17:04.0319600", "2023-11-16 18:17:03.9799601"]
    assert seconds(azure) == [0, 0.052, 1e-7]
    assert seconds(["2024-05-10T00:00:00+00:00", "2024-05-10 02:00:00.5+02:00", "2024-05-10T00:00:01Z"]) == [0, 0.5, 1]
    assert seconds(["2024-05-10 00:00:00 UTC", "2024-05-10T02:00:00.5+0200", "2024-05-10 00:00:01+00"]) == [0, 0.5, 1]
    assert seconds(["2024-02-28", "2024-03-01", "2024-02-28 00:01"]) == [0, 2 * 86400, 60]
    for bad in ("2023-02-30", "2023-11-16 25:00", "1066-10-14", "9999-01-01", "noon", "5"):
        with pytest.raises(InputError, match="must be a date and time"):
            seconds([azure[0], bad])
    with pytest.raises(InputError, match="must be left out"):
        seconds(azure, "ms")


@given(st.lists(st.floats(0, 1e9), min_size=1))
def test_numbers_are_shifted_and_divided(times: list[float]) -> None:
    texts = [repr(time) for time in times]
    assert seconds(texts) == [time - min(times) for time in times]
    assert seconds(texts, "ms") == [(time - min(times)) / 1000 for time in times]


def test_a_unit_of_time_is_known_and_needs_times(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("o,s,t\n1,1,1500\n1,1,500\n")
    for unit, first in (("ms", 1), ("us", 1e-3), ("ns", 1e-6)):
        assert workload(f"csv:{tmp_path}/rows.csv#o,s,t", time_unit=unit).draw(2, 0).release.tolist() == [first, 0]
    assert "must be one of s, ms, us, ns" in said(f"csv:{tmp_path}/rows.csv#o,s,t", time_unit="h")
    assert "needs a column of times" in said(f"csv:{tmp_path}/rows.csv#o,s", time_unit="ms")


# ---- the command line -----------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command",
    [
        ("ratio", "a-max", "LAW"), ("ratio", "mix(1/2*LAW + 1/2*uniform(1, 3))"), ("derive", "LAW"), ("best", "LAW"),
        ("switch", "a-max", "volume", "mix(w*LAW + (1-w)*uniform(1, 3))"), ("discover", "h-sf", "LAW"),
        ("compare", "fcfs", "LAW", "-m", "20", "--seeds", "1"),
        ("simulate", "fcfs", "LAW", "-m", "20", "-n", "3"),
        ("experiment", "1", "--lengths", "LAW", "--n", "3", "--seeds", "1", "--policy", "h-sf"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_every_command_that_takes_a_file_can_skip_rows(tmp_path: Path, command: tuple[str, ...]) -> None:
    for name, text in (("bad", "o\n2\n0\n5\n\n5\n"), ("good", "o\n2\n5\n5\n")):
        (tmp_path / name).write_text(text)
    bad, good = ([word.replace("LAW", f"csv:{tmp_path}/{name}#o") for word in command] for name in ("bad", "good"))
    refused = crt(*bad)
    assert (
        refused.returncode == 2 and "o = 0: must be an integer from 1" in refused.stderr and SKIP_HINT in refused.stderr
    )
    one, other = (crt(*words, "--skip-invalid", "--json") for words in (bad, good))
    assert (one.returncode, other.returncode) == (0, 0), one.stderr
    text = one.stdout.replace("/bad#", "/good#").replace('"skipped": 1', '"skipped": 0')
    assert text == other.stdout
    if command[0] not in ("compare", "simulate", "experiment"):
        assert one.stderr == f"crtools: left out 1 row of {next(w for w in bad if 'bad' in w)} that cannot be used\n"


@given(st.text(alphabet="0123456789+-_. eE٣x", max_size=6))
def test_an_integer_may_end_in_a_point_and_zeros(text: str) -> None:
    table = Table("rows", ["n"], "row", [1], {"n": [text]})
    value = int(table.integers("n", 0, 10**6)[0])
    body, expected = text.strip(), None
    if body.lstrip("+-")[:1] in set("0123456789") and set(body) <= set("0123456789+-."):
        with suppress(InvalidOperation):
            expected = Decimal(body)
    if expected is not None and expected >= 0 and expected == int(expected):
        assert value == expected and not table.invalid[0]
    else:
        assert table.invalid[0]


def test_the_best_schedule_of_a_joint_law_can_skip_rows(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("o,s\n9,1\n2,5\n0,5\n")
    (tmp_path / "good").write_text("o,s\n9,1\n2,5\n")
    refused, one, other = (
        crt("best", f"csv:{tmp_path}/{name}#o,s", "--classes", "2", *more)
        for name, more in (("bad", ()), ("bad", ("--skip-invalid",)), ("good", ()))
    )
    assert refused.returncode == 2 and "o = 0: must be an integer from 1" in refused.stderr
    assert one.stdout.replace("/bad#", "/good#") == other.stdout and other.returncode == 0
    assert one.stderr.startswith("crtools: left out 1 row of csv:")


def test_the_same_column_can_be_read_twice(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("o\n3\n")
    assert read_table("csv", str(tmp_path / "rows.csv"), ["o", "o"]).texts == {"o": ["3"]}
    assert workload(f"csv:{tmp_path}/rows.csv#o,o").draw(1, 0).s == 3
