"""The command line: exit codes, one line for bad input, one JSON document, and files all or none."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import Done, crt
from paths import ROOT

import crtools
from crtools import worst_case
from crtools.cli import main
from crtools.cli.common import paged
from crtools.ledger.registry import load
from crtools.process.policies import known_policies


def process(*arguments: str) -> Done:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "crtools", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    return Done(done.returncode, done.stdout, done.stderr)


def document(*arguments: str) -> Any:
    done = crt(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def one_line(error: str, *words: str) -> None:
    error = error if error.startswith("crtools: ") else f"crtools: {json.loads(error)['error']}\n"  # with --json
    assert error.startswith("crtools: ")
    assert error.count("\n") == 1
    assert "Traceback" not in error
    for word in words:
        assert word in error


# ---- bad input --------------------------------------------------------------------------------------------------

BAD = [
    ("no-such-command",), ("--no-such-option",), ("verify", "--no-such"), ("worst-case",), ("figure",),
    ("worst-case", "--u"), ("worst-case", "--u", "x"), ("worst-case", "--u", ""), ("worst-case", "--u", "1.5"),
    ("worst-case", "--u", "0"), ("worst-case", "--u", "-3"), ("worst-case", "--u", "5", "--l", "6"),
    ("worst-case", "--u", "5", "--l", "0"), ("worst-case", "--u", "5", "--s", "-1"), ("worst-case", "--u", "5", "--s", "x"),
    ("worst-case", "--u", "5:3"), ("worst-case", "--u", "3:5:0"), ("worst-case", "--u", "3:5:-1"),
    ("worst-case", "--u", "3:5:1:1"), ("worst-case", "--u", ":"), ("worst-case", "--u", "3:"), ("worst-case", "--u", "a:b"),
    ("worst-case", "--u", "0:3"), ("worst-case", "--u", "5", "--policy", "nope"), ("worst-case", "--u", "5", "--against", ""),
    ("worst-case", "--u", "5", "--digits", "0"), ("worst-case", "--u", "5", "--digits", "x"),
    ("worst-case", "--u", "5", "--digits", "1001"), ("worst-case", "--u", "9" * 16), ("worst-case", "--u", "nan"),
    ("worst-case", "--u", "9" * 12, "--policy", "a-ell"), ("worst-case", "--u", "9" * 12, "--against", "volume"),
    ("worst-case", "--u", "9" * 12, "--weights"), ("worst-case", "--u", "5", "--intervals", "1-5"),
    ("worst-case", "--intervals", "1-5,6-"), ("worst-case", "--intervals", "1-5,4-9"), ("worst-case", "--intervals", "5-1"),
    ("worst-case", "--intervals", ""), ("worst-case", "--intervals", "1-5;6-9"), ("worst-case", "--intervals", "1-5,"),
    ("worst-case", "--intervals", "0-5"), ("worst-case", "--intervals", "1-5", "--l", "1"),
    ("ratio", "uniform(1,9)", "--intervals", "1-4,6-9"), ("ratio", "geometric(q=1/2)", "--intervals", "1-4"),
    ("derive", "uniform(l=1, u)", "--intervals", "1-4,5-"), ("derive", "geometric(q)", "--intervals", "1-,5-9"),
    ("switch",), ("switch", "a-min", "h-sf"), ("switch", "nope", "h-sf", "geometric(q)"), ("switch", "a-min", "h-sf", "x"),
    ("switch", "a-min", "h-sf", "geometric(q=1/2)"), ("switch", "a-min", "h-sf", "two-point(q)"),
    ("switch", "a-ell", "h-sf", "geometric(q)"), ("switch", "a-min", "h-sf", "geometric(q)", "--s", "-1"),
    ("verify", "nope"), ("verify", ""), ("verify", "trace", "--set", "closed_form"),
    ("verify", "trace", "--set", "=1"), ("verify", "trace", "--set", "bound=1"), ("verify", "trace", "--set", ""),
    ("verify", "trace", "--set", "closed_form="), ("verify", "trace", "--set", "closed_form=x"),
    ("verify", "trace", "--set", "closed_form=u.real"), ("verify", "trace", "--set", "closed_form=" + "1+" * 300 + "1"),
    ("verify", "trace", "--set", "closed_form=u\n+x"), ("verify", "lem-pd", "--set", "s=1/0"),
    ("verify", "lem-pd", "--set", "s=9**9**9"), ("verify", "lem-pd", "--set", "s=log(2)"),
    ("verify", "lem-pd", "--set", "strictness=x"), ("verify", "wlog", "--set", "growth=-1"),
    ("verify", "trace", "--expect", "/no/such/file"), ("verify", "trace", "--expect", "/"),
    ("figure", "nope"), ("figure", "log-fit", "nope"), ("figure", ""),
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("arguments", BAD, ids=lambda a: " ".join(a)[:60])
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(arguments)
    except SystemExit as leave:
        code = leave.code
    out, error = capfd.readouterr()
    assert code == 2
    assert out == ""
    one_line(error)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope",), ("nope",)),
        (("worst-case", "--u", "5", "--l", "6"), ("u = 5", "6")),
        (("worst-case", "--u", "x", "--json"), ("u = x", "integer")),
        (("verify", "nope", "--json"), ("claim = nope", "tel-identity")),
        (("verify", "trace", "--set", "closed_form=x", "--json"), ("closed_form = x", "expression")),
        (("verify", "lem-pd", "--set", "s=2**(1/2)", "--json"), ("s = 2**(1/2)",)),
        (("figure", "nope", "--json"), ("figure = nope", "log-fit")),
    ],
)
def test_bad_input_names_argument_value_and_what_is_allowed(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    done = crt(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    one_line(done.stderr, *words)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("arguments", [("nope",), ("verify", "t1", "trace", "--json"), ("--version",)], ids=" ".join)
def test_a_process_prints_and_returns_the_same(arguments: tuple[str, ...]) -> None:
    assert crt(*arguments) == process(*arguments)


def test_a_digit_count_that_is_not_reached_is_one_line_and_exit_code_1() -> None:
    done = crt("worst-case", "--u", "5", "--digits", "5", "--policy", "h-sf", "--against", "a-min")
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr


# ---- help and plain output --------------------------------------------------------------------------------------


def test_derive_states_the_range_of_every_parameter() -> None:
    found = document("derive", "pmf((k+a)*q**k, q=1/2)")
    assert found["ranges"] == {"a": "-1 <= a"}
    assert [row["to"] for row in found["limits"]] == ["-1", "oo"]
    assert float(found["supremum"]["value"]) >= 1.577
    plain = crt("derive", "log-series(q)", "--policy", "a-random").stdout
    assert "range: 0 < q < 1\n" in plain and "\n  LaTeX: " in plain and "no closed form" not in plain
    assert "supremum: ∞, q → 1 (not attained)" in plain


def test_help_and_version() -> None:
    for arguments in ((), ("--help",)):
        done = crt(*arguments)
        assert done.returncode == 0
        assert all(command in done.stdout for command in ("verify", "worst-case", "figure"))
    assert crt("--version").stdout.strip() == f"crtools {crtools.__version__}"


def test_the_console_script_is_the_same(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("crtools")
    if not script.exists():
        pytest.skip("no console script beside the interpreter")
    done = subprocess.run([script, "worst-case", "--u", "10", "--json"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert json.loads(done.stdout) == document("worst-case", "--u", "10")


@pytest.mark.exhaustive  # takes seconds
def test_plain_output_has_no_colour_or_progress_bar_in_a_pipe() -> None:
    done = process("verify", "t1", "trace", "--show")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "trace" in done.stdout
    assert "proved" in done.stdout


# ---- verify -----------------------------------------------------------------------------------------------------


def test_a_text_of_more_lines_than_the_terminal_is_paged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pages: list[str] = []
    monkeypatch.setenv("LESS", "-R")
    monkeypatch.setattr("pydoc.pager", pages.append)
    monkeypatch.setattr("crtools.cli.common.get_terminal_size", lambda: os.terminal_size((80, 5)))
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    for lines in (4, 5):  # the prompt takes a line, too
        paged("\n".join("x" * lines))
    assert capsys.readouterr().out == "x\n" * 4 and pages == ["x\n" * 5]


def test_verify_prints_only_json() -> None:
    data = document("verify", "t1", "trace")
    assert [claim["id"] for claim in data["claims"]] == ["t1", "trace"]
    assert data["format"] == 3
    assert data["counts"] == {"form-at-zero": {"proved": 2}}


def test_verify_set_replaces_a_given_value() -> None:
    false = document("verify", "trace", "--set", "closed_form=harmonic(u-1)")["claims"][0]
    assert false["given"] == {"closed_form": "harmonic(u-1)"}
    assert false["levels"][0]["status"] == "refuted"
    true = document("verify", "trace", "--set", "closed_form = harmonic(u)")["claims"][0]
    assert true["levels"][0]["status"] == "proved"


@pytest.mark.usefixtures("ledger")  # which keeps all results
def test_a_level_at_which_no_claim_speaks_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("verify", "trace", "--level", "algorithm", "--show")) == 2
    out, error = capsys.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert "no claim that is asked for says anything there" in error


@pytest.mark.exhaustive  # takes seconds
def test_quick_decides_every_claim_that_is_not_slow() -> None:
    data = document("verify", "--quick")
    skipped = {c["id"]: {v["status"] for v in c["levels"]} == {"skipped"} for c in data["claims"]}
    assert skipped == {claim.id: claim.id in load().slow for claim in load().claims}


def test_expect_compares_with_a_snapshot(tmp_path: Path) -> None:
    snapshot = document("verify", "t1", "trace")
    same = tmp_path / "same.json"
    same.write_text(json.dumps(snapshot), encoding="utf-8")
    done = crt("verify", "t1", "trace", "--json", "--expect", str(same))
    assert (done.returncode, done.stderr) == (0, "")
    assert [c["id"] for c in json.loads(done.stdout)["claims"]] == ["t1", "trace"]

    snapshot["claims"][1]["levels"][0]["status"] = "refuted"
    other = tmp_path / "other.json"
    other.write_text(json.dumps(snapshot), encoding="utf-8")
    done = crt("verify", "t1", "trace", "--json", "--expect", str(other))
    assert done.returncode == 1
    one_line(done.stderr, "trace", "proved", "refuted")
    json.loads(done.stdout)

    changed = crt("verify", "trace", "--set", "closed_form=u", "--expect", str(same))
    assert changed.returncode == 1
    same.write_text(json.dumps({**document("verify", "t1", "trace"), "format": 2}), encoding="utf-8")
    quick = crt("verify", "t1", "trace", "--quick", "--expect", str(same))
    assert quick.returncode == 0


def test_the_page_about_the_json_names_every_field_of_it() -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    found = document("verify", "t1")
    [claim] = found["claims"]
    verdict = claim["levels"][0]
    names = {
        *found,
        *claim,
        *verdict,
        *claim["proof"],
        *verdict["findings"][0],
        *next(iter(found["theorems"].values())),
    }
    assert {name for name in names - {"holds", "theorem"} if f"`{name}`" not in page} == set()


def test_the_page_about_the_json_names_every_field_of_a_run(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    (tmp_path / "rows.csv").write_text("o,s,t\n" + "".join(f"{k % 5 + 1},{k % 3},{k}\n" for k in range(9)))
    (tmp_path / "one.json").write_text('{"memory": 12, "lengths": [3, 1, 4], "s": 2, "clock": "seconds"}')
    compared = document(
        "compare", "fcfs", "h-sf", f"csv:{tmp_path / 'rows.csv'}#o,s,t", "-m", "20", "--load", "0.9", "--seeds", "2"
    )
    drawn = document("simulate", "fcfs", "uniform(1, 5)", "-m", "20", "-n", "9")
    replayed = document("replay", str(tmp_path / "one.json"), "--policy", "fcfs")
    tried = document("experiment", "1", "-n", "9", "--seeds", "2", "--policy", "h-sf")
    parts = [compared, drawn, replayed, tried, replayed["bound"], tried["steps"], tried["steps"]["affine"]]
    parts += [*compared["rows"], *drawn["runs"], *replayed["runs"], *tried["rows"], tried["rows"][0]["to_h_sf"]]
    parts += [compared["rows"][0]["time_to_first_token"], drawn["ratios"]["fcfs"], replayed["ratios"]["fcfs"]]
    assert {name for part in parts for name in part if f"`{name}`" not in page} == set()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"claims": [1]}', '{"claims": [{"id": "t1"}]}', "\x00", '{"claims": 5}']
)
def test_a_snapshot_that_is_not_one_is_bad_input(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, encoding="utf-8")
    assert main(["verify", "trace", "--expect", str(file)]) == 2
    out, error = capfd.readouterr()
    assert out == ""
    one_line(error, "expect", "JSON")


# ---- worst-case -------------------------------------------------------------------------------------------------

FIELDS = {"policy", "against", "s", "l", "u", "value", "lower", "upper", "status", "method", "describes"}


def test_worst_case_json() -> None:
    data = document("worst-case", "--u", "100")
    assert set(data) >= FIELDS
    assert (data["policy"], data["against"], data["s"], data["l"], data["u"]) == ("a-min", "h-sf", 0, 1, 100)
    assert data["status"] == "certified" and float(data["lower"]) <= data["value"] <= float(data["upper"])
    fast = document("worst-case", "--u", "100", "--fast")
    assert (fast["lower"], fast["upper"], fast["status"]) == (None, None, "supported")
    assert data["value"] == pytest.approx(2.3353, abs=1e-2)
    assert "weights" not in data


@pytest.mark.parametrize("digits", [1, 8, 30])
def test_worst_case_digits_are_certified(digits: int) -> None:
    from fractions import Fraction

    data = document("worst-case", "--u", "20", "--l", "2", "--s", "1", "--digits", str(digits))
    assert data["status"] == "certified"
    assert isinstance(data["lower"], str)
    low, high = Fraction(data["lower"]), Fraction(data["upper"])
    assert low <= high
    assert float(low) - 1e-9 <= data["value"] <= float(high) + 1e-9
    assert high - low <= Fraction(10) ** (1 - digits) * high


@pytest.mark.parametrize(
    ("text", "sizes"),
    [("3:6", [3, 4, 5, 6]), ("3:9:3", [3, 6, 9]), ("3:8:3", [3, 6]), ("4:4", [4]), ("2:100:98", [2, 100])],
)
def test_worst_case_ranges(text: str, sizes: list[int], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "--u", text, "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert set(data) == {"rows"}
    assert [row["u"] for row in data["rows"]] == sizes
    assert all(set(row) >= FIELDS for row in data["rows"])
    values = [row["value"] for row in data["rows"]]
    assert values == sorted(values)


def test_a_formula_bounds_the_worst_case_where_it_is_not_the_answer_itself() -> None:
    small, large = (document("worst-case", "--u", str(u), "--digits", "4") for u in (100, 10**15))
    assert set(small["by_formula"]) == {"lower", "upper", "method"}
    assert float(small["by_formula"]["lower"]) < small["value"] < float(small["by_formula"]["upper"])
    assert "by_formula" not in large
    assert (large["status"], large["method"][:7]) == ("certified", "Theorem")
    assert document("worst-case", "--u", "9", "--policy", "a-max").keys().isdisjoint({"by_formula"})


def test_worst_cases_on_intervals_are_those_of_python() -> None:
    for policy, refined in (("a-min", True), ("a-random", False)):
        told = document("worst-case", "--intervals", "1-4, 4-9,12-15", "--s", "2", "--policy", policy, "--digits", "9")
        case = crtools.worst_case(policy, s=2, intervals=((1, 4), (4, 9), (12, 15)))
        assert (told["l"], told["u"], told["intervals"]) == (1, 15, [[1, 4], [4, 9], [12, 15]])
        assert (told["value"], told["refined"]) == (pytest.approx(case.value, rel=1e-12), refined)
        assert float(told["lower"]) <= case.value <= float(told["upper"])
    shown = crt("worst-case", "--intervals", "1-4,6-9", "--policy", "a-random").stdout
    assert "on [1, 4], [6, 9]" in shown
    assert "a-random has no rule across them" in shown


def test_worst_case_weights_sum_to_one() -> None:
    weights = document("worst-case", "--u", "12", "--l", "3", "--weights")["weights"]
    assert len(weights) == 10
    assert sum(weights) == pytest.approx(1)
    assert min(weights) >= 0


def test_plain_worst_case_names_the_form() -> None:
    done = crt("worst-case", "--u", "5", "--digits", "6")
    assert done.returncode == 0
    assert "a-min against h-sf on [1, 5], s = 0, of the forms" in done.stdout
    assert "certified" in done.stdout


# ---- figure -----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive  # takes seconds
def test_a_figure_is_a_png_with_its_csv_and_json(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    data = document("figure", "log-fit", "--out", str(out))
    row = data["figures"][0]
    assert row["name"] == "log-fit"
    assert sorted(p.name for p in out.iterdir()) == ["log-fit.csv", "log-fit.json", "log-fit.png"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new"]
    for name in ("log-fit.csv", "log-fit.json"):
        assert (out / name).read_bytes() == (ROOT / "figures" / name).read_bytes()
    png = Path(row["path"]).read_bytes()
    assert png.startswith(b"\x89PNG")
    assert len(png) > 10**4
    with Path(row["data"]).open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert len(table) >= 1000
    assert all(float(t["proved_lower"]) <= float(t["worst_case"]) + 1e-9 for t in table)
    assert all(float(t["worst_case"]) <= float(t["proved_upper"]) + 1e-9 for t in table)
    published = row["fits"]["published-index"]
    written = json.loads((out / "log-fit.json").read_text(encoding="utf-8"))["fits"]["published-index"]
    for name in ("slope", "shift", "intercept"):
        assert written[name] == pytest.approx(published[name], rel=1e-11)
    assert published["slope"] == pytest.approx(0.2555, abs=5e-5)
    assert published["shift"] == pytest.approx(0.2793, abs=5e-5)
    assert published["intercept"] == pytest.approx(1.1587, abs=5e-5)


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_folder_that_cannot_be_written_is_bad_input_before_any_work(
    tmp_path: Path, below: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    file.write_text("kept", encoding="utf-8")
    done = crt("figure", "log-fit", "--json", "--out", str(file / below if below else file))
    assert done.returncode == 2
    assert done.stdout == ""
    one_line(done.stderr, "out", "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert file.read_text(encoding="utf-8") == "kept"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "arguments",
    ["--u 10", "--u 1", "--u 40 --s 3", "a-max --u 9", "a-random --u 9 --s 2", "a-ell --u 9", "volume --u 6", "--u 10:14:2",
     "--intervals 1-4,5-9", "--u 1000000000000000 --s 7", "--u 300000000 --s 7", "--u 1000000000000000", "--u 10 --against volume"],
)  # fmt: skip
def test_worst_case_says_the_same_everywhere(arguments: str) -> None:
    words = arguments.split()
    printed, text = json.loads(crt("worst-case", *words, "--json").stdout), crt("worst-case", *words).stdout
    for row in printed.get("rows", [printed]):
        intervals = row.get("intervals")
        ends = {"intervals": [*map(tuple, intervals)]} if intervals else {"l": row["l"], "u": row["u"]}
        own = worst_case(row["policy"], s=row["s"], against=row["against"], **ends)
        assert row["status"] == own.status
        assert row["status"] in text and row["lower"] in text and row["upper"] in text
        low, high = Fraction(row["lower"]), Fraction(row["upper"])
        assert (row["status"] == "certified") == (high - low <= Fraction(1, 10**7) * high)
        assert low <= own.bounds().upper and own.bounds().lower <= high
        assert ("fewer than 8 certified digits" in " ".join(text.split())) == (row["status"] == "supported")
    assert "certified" not in crt("worst-case", *words, "--fast").stdout.replace("certified bounds", "")


@pytest.mark.parametrize("command", [["worst-case", "--u", "10"], ["ratio", "uniform(1,9)"]])
def test_no_digits_are_refused(command: list[str]) -> None:
    assert crt(*command, "--digits", "0").stderr.startswith("crtools: digits = 0: must be an integer from 1")


def test_a_worst_case_without_the_digits_asked_names_the_width() -> None:
    done = crt("worst-case", "--u", "1000000000000000", "--s", "7", "--digits", "8")
    assert done.returncode == 1 and "11.80" in done.stderr and "width" in done.stderr
    assert "(supported)" in repr(worst_case(u=10**15, s=7))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "arguments",
    [["uniform(1,3)"], ["geometric(q=1/2)"], ["poisson(3)"], ["lognormal(1,1,u=30)"], ["h-sf", "point(4)"],
     ["a-max", "uniform(1,400)"], ["zipf(2,30)", "--s", "5"], ["geometric(q=9/10)", "--s", "50"], ["lognormal(1,1)"]],
    ids=" ".join,
)  # fmt: skip
def test_a_certified_ratio_has_both_bounds(arguments: list[str]) -> None:
    printed, text = json.loads(crt("ratio", *arguments, "--json").stdout), crt("ratio", *arguments).stdout
    assert f"status: {printed['status']}" in text
    assert printed["status"] == "certified"
    low, high = Fraction(printed["lower"]), Fraction(printed["upper"])
    assert low <= high <= low * (1 + Fraction(1, 10**9))
    assert f"certified: {printed['lower']} ≤ ratio ≤ {printed['upper']}" in text
    assert float(low) <= printed["value"] * (1 + 1e-12) and printed["value"] <= float(high) * (1 + 1e-12)


def test_simulate_and_replay_print_their_documents(tmp_path: Path) -> None:
    done = crt("simulate", "geometric(q=4/5)", "--n", "60", "--memory", "50", "--replicates", "2", "--json")
    printed = json.loads(done.stdout)
    assert {r["policy"] for r in printed["runs"]} == {name for name, own in known_policies().items() if own.usual} - {
        "a-ell"
    }
    assert [row["policy"] for row in printed["left_out"]] == ["a-ell"]
    assert {r["seed"] for r in printed["runs"]} == {0, 1}
    assert printed["ratios"]["h-sf"]["to_h_sf"] == 1
    assert all(row["to_volume"] >= 1 for row in printed["ratios"].values())
    instance = {
        "memory": 7,
        "s": 1,
        "l": 1,
        "u": 4,
        "lengths": [1, 2, 3, 4],
        "order": [1, 3, 2, 0],
        "ties": [3, 2, 0, 1],
    }
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(instance))
    played = json.loads(crt("replay", str(path), "--json").stdout)
    totals = {r["policy"]: r["total_latency"] for r in played["runs"]}
    assert {k: totals[k] for k in ("h-sf", "a-random", "a-max", "a-min-literal")} == {
        "h-sf": 12, "a-random": 17, "a-max": 25, "a-min-literal": 15,
    }  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "geometric(q=4/5)", "--n", "0", "--memory", "50"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "x"),
        ("simulate", "geometric(q)", "--n", "9", "--memory", "50"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "2"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--policy", "none"),
        ("simulate", "uniform(l=1,u=3)", "--n", "9", "--memory", "50", "--policy", "a-ell"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--replicates", "0"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--replicates", str(10**30)),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--seed", str(2**63 - 1), "--replicates", "2"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--seed", "-1"),
        ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "50", "--jobs", "0"),
        pytest.param(
            ("simulate", "geometric(q=4/5)", "--n", "9", "--memory", "2", "--jobs", "2", "--replicates", "3"),
            marks=pytest.mark.exhaustive,  # starts two processes
        ),
        ("simulate", "geometric(q=0.999999999)", "--n", "9", "--memory", "50"),
        ("simulate", "uniform(l=3,u=5)", "--n", "9", "--memory", "50", "--l", "4", "--policy", "a-min"),
        ("simulate", "geometric(q=4/5)", "--n", str(10**12), "--memory", "50"),
        ("replay", "no-such-file.json"),
        ("worst-case", "--u", "1:1000000000"),
        ("experiment", "1", "--seed", "-1"),
        ("figure", "two-point", "--out", ""),
        ("verify", "ex-amax", "--set", "n=5", "--set", "n=6"),
    ],
)
def test_bad_runs_are_refused_in_one_line(arguments: tuple[str, ...]) -> None:
    done = crt(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("crtools: ")
