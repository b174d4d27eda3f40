"""``crtools guarantees``: its document, its lines, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import crt

from crtools import guarantees

BY_HAND = ("guarantees", "1,1,3,3", "--s", "1", "--memory", "9")


def test_the_document_is_that_of_python() -> None:
    document = json.loads(crt(*BY_HAND, "--json").stdout)
    assert document == guarantees([1, 1, 3, 3], 9, s=1).as_json()
    assert {name: document[name] for name in ("n", "memory", "P", "kappa", "bound")} == {
        "n": 4, "memory": 9, "P": 4, "kappa": "3/2", "bound": "length",
    }  # fmt: skip
    assert document["bounds"] == {"volume": "4.55555555555", "length": "8", "busy": "6.88888888888"}
    first, second, *others = document["guarantees"]
    assert [row["policy"] for row in others] == ["h-windows", "box-offsets", "box-thresholds"]
    assert first == {
        "policy": "h-volume", "ledger": "any-memory", "theorem": "volume-order", "says": first["says"],
        "factor": "3", "here": "2.25", "measured": "1", "total_latency": 8,
    }  # fmt: skip
    assert (second["theorem"], second["factor"], second["here"]) == ("greedy-starts", "3.25", "2.28125")


def test_the_lines_name_the_theorems_the_benchmark_and_the_numbers() -> None:
    done = crt(*BY_HAND)
    text = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "M = 9, P = 4 (largest s + o), κ = M/(M − P + 1) = 3/2" in " ".join(text.split())
    assert "the optimum is over all schedules, with kills or without" in text
    assert "h-volume volume-order 3 2.25 1 h-volume greedy-starts 3.25 2.28125 1" in text
    assert "crtools verify --ledger any-memory volume-order" in text and "max(2κ, 1 + 4κ/3)·OPT" in text
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_file_with_prompts_and_a_row_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("out,prompt\n5,0\n1,2\n3,9\n0,3\n")
    done = crt("guarantees", f"csv:{file}#out,prompt", "-m", "20", "--skip-invalid", "--json")
    listed = crt("guarantees", "5,1,3", "--s", "0,2,9", "-m", "20", "--json")
    assert "1 row of" in done.stderr
    one, other = json.loads(done.stdout), json.loads(listed.stdout)
    assert one["guarantees"] == other["guarantees"] and one["bounds"] == other["bounds"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("3,4", "--s", "0,9", "-m", "5"), "memory = 5: must be at least 9 + 4, the tokens of request 1"),
        (("3,4", "-m", "x"), "memory = x: must be an integer"),
        (("3,-4", "-m", "9"), "lengths = -4: must be"),
        (("3,,4", "-m", "9"), "lengths = : must be an integer"),
        (("3,4", "--s", "1,2,3", "-m", "9"), "s = 3 integers: must be one integer or one for each of 2 requests"),
        (("3,4", "--s", "a", "-m", "9"), "s = a: must be an integer"),
        (("uniform(1, 9)", "-m", "9"), "must be lengths such as [5, 1, 3], or the rows of a file"),
        (("3,4",), "required: -m/--memory; for example crtools guarantees 1,1,3,3"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str) -> None:
    done = crt("guarantees", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_file_with_times_or_a_row_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("out,prompt,time\n5,0,1\n1,2,2\n")
    done = crt("guarantees", f"csv:{file}#out,prompt,time", "-m", "9")
    assert done.returncode == 2 and "must have no release times" in done.stderr
    done = crt("guarantees", f"csv:{file}#out,prompt", "-m", "4")
    assert done.returncode == 2 and "cannot fit: 0 + 5 tokens are more than M = 4" in done.stderr
