"""The list of slow tests names tests, and its script keeps what is fast and what is always run."""

from __future__ import annotations

from runpy import run_path

from paths import ROOT

SCRIPT = run_path(str(ROOT / "benchmarks" / "slow_tests.py"))


def test_each_line_names_a_test() -> None:
    for line in (ROOT / "tests" / "slow.txt").read_text(encoding="utf-8").splitlines():
        test, every = line.split()
        file, name = test.split("::")
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), test
        assert every == "0" or int(every) > 1


def test_of_several_rows_as_many_stay_as_take_little() -> None:
    always = SCRIPT["ALWAYS"][0]
    log = f"""
0.80s call     tests/a/test_a.py::test_rows[x y-1]
0.90s call     tests/a/test_a.py::test_rows[2]
1.20s call     tests/a/test_a.py::test_one
0.10s call     tests/a/test_a.py::test_fast
5.00s setup    tests/a/test_a.py::test_fast
9.00s call     tests/a/test_a.py::{always}
"""
    assert SCRIPT["slow"](log) == ["tests/a/test_a.py::test_one 0", "tests/a/test_a.py::test_rows 5"]
