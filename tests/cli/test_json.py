"""docs/json.md names the fields that the commands print with --json, and no others; errors are JSON too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crtools.cli import main
from crtools.ledger.registry import ledgers

PAGE = Path(__file__).parents[2] / "docs" / "json.md"

EXAMPLES: dict[str, list[str]] = {
    "compare, simulate, replay": [
        "compare a-min fcfs h-sf uniform(1,5) -m 20 -n 9 --seeds 2",
        "compare fcfs h-sf uniform(1,5) -m 20 -n 9 --seeds 1 --load 0.5,0.9",
        "simulate uniform(1,5) --n 5 --memory 20 --policy h-sf --replicates 2",
        "replay instance.json",
    ],
    "guarantees": ["guarantees 1,2,3 -m 20"],
    "ratio": ["ratio a-min uniform(1,5)", "ratio a-min geometric(q=1/2) --against optimum"],
    "worst-case": ["worst-case --u 10", "worst-case --u 10:20:10", "worst-case --intervals 1-3,4-9"],
    "derive": ["derive a-min two-point(1,10,w)", "derive a-min two-point(1,10,w) --over w"],
    "switch": ["switch a-min a-ell two-point(1,10,w)"],
    "best": ["best uniform(1,5)", "best two-point(l,u,w)", "best csv:trace.csv#out,prompt --cost 1,1,1"],
    "list": ["list", *(f"list {kind}" for kind in ("claims", "levels", "forms", "policies", "laws", "figures"))],
    "show": ["show ex-amax"],
    "verify": ["verify trace"],
}
SLOW: dict[str, list[str]] = {
    "minimax": ["minimax --digits 5", "minimax --digits 5 --u 5"],
    "discover": ["discover h-sf --u 5", "discover h-sf --lengths 2,4 --s 1"],
    "experiment": ["experiment 1 -n 20 --seeds 1 -m 4000 --step unit --lengths uniform(1,9)"],
    "figure, report, new": ["figure two-point --out figures", "report", "new theory mine"],
}
BY_NAME = {
    "coefficients", "percentiles", "time_to_first_token", "sentences", "ratios", "statistics", "bounds", "steps",
    "names", "forms", "ranges", "against", "worst_law", "given", "theorems", "intervals", "left_out", "describes",
    "told",
}  # fmt: skip
"""Fields with a value for each name: of a policy, a form, a level, …"""

NOT_LISTED = {
    "formal", "displays", "repairs", "kernel_checked", "fits", "counts", "resting", "best", "best_blind",
    "residues", "tried", "looked_at",
}  # fmt: skip
"""Fields whose contents are described in words, or elsewhere; so is the evidence of ``verify``."""

VALUES = {
    "Coq", "KIND", "affine", "alternative", "best", "both", "bytes", "certificates", "certified", "compare",
    "denominator", "errata", "factor", "failed", "figures_missing", "files", "intervals", "latex", "measure",
    "null", "numerator", "over", "path", "ratio", "rows", "second", "seconds", "skipped", "steps", "supported",
    "supremum_over", "sympify", "than", "truncation", "u", "unit", "value", "verify", "w",
    "words", "worse_at",
}  # fmt: skip
"""Words that a section has for other things than fields that its examples print: values, and fields of further options."""


def fields(document: Any, name: str = "") -> Iterator[str]:
    """Yield the names of the fields at all levels."""
    if isinstance(document, list):
        for item in document:
            yield from fields(item)
    elif isinstance(document, dict):
        for key, value in document.items():
            by_name = name in BY_NAME
            if not by_name:
                yield key
            if key not in NOT_LISTED and not (key == "evidence" and isinstance(value, dict)):
                yield from fields(value, "" if by_name else key)


@cache
def sections() -> dict[str, str]:
    """Return the text of each section of the page, by its heading."""
    return {part.partition("\n")[0]: part for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]}


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    assert main([*command.split(), "--json"]) == 0
    return set(fields(json.loads(capsys.readouterr().out)))


@pytest.mark.parametrize(
    ("section", "commands"),
    [*EXAMPLES.items(), *(pytest.param(*row, marks=pytest.mark.exhaustive) for row in SLOW.items())],
)
def test_the_fields_documented_are_those_printed(
    section: str,
    commands: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("instance.json").write_text('{"lengths": [1, 2, 3], "memory": 9}')
    Path("trace.csv").write_text("out,prompt\n5,3\n12,4\n7,8\n")
    found = set[str]().union(*(printed(command, capsys) for command in commands))
    named = set(re.findall(r"`([A-Za-z_]+(?: sum| form)?)`", sections()[section]))
    assert found <= named, f"not on the page: {sorted(found - named)}"
    program = {word for command in commands for word in command.split()}
    assert named - found - program <= VALUES, f"not printed: {sorted(named - found - program - VALUES)}"


def test_every_command_has_a_section() -> None:
    from crtools.cli import build_parser

    headings = {name for heading in sections() for name in heading.split(", ")}
    assert set(build_parser()[1]) <= headings, sorted(set(build_parser()[1]) - headings)
    assert {*EXAMPLES, *SLOW} <= set(sections()) and ledgers()


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("ratio a-min geometric(3/2)", 2, "q = 3/2: must lie strictly between 0 and 1"),
        ("ratio --nonsense", 2, "unrecognized arguments: --nonsense"),
        ("compare h-sf", 2, "-m/--memory"),
        ("nothing", 2, "command = nothing"),
        ("worst-case --u 1000000000000000 --s 7 --digits 12", 1, ""),
    ],
)
def test_an_error_is_json_where_the_document_would_be(
    command: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for as_json in (False, True):
        try:
            left = main([*command.split(), *["--json"] * as_json])
        except SystemExit as leave:
            left = leave.code
        out, err = capsys.readouterr()
        assert (left, out) == (code, "")
        line = json.loads(err)["error"] if as_json else err.removeprefix("crtools: ")
        assert said in line


@pytest.mark.parametrize(
    "command", ["worst-case --u 10", "worst-case --u 10 --digits 6", "ratio a-min geometric(q=1/2)"]
)
def test_the_document_has_the_bounds_of_the_terminal(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert main(command.split()) == 0
    shown = capsys.readouterr().out
    assert document["status"] == "certified" and document["lower"] in shown and document["upper"] in shown


@pytest.mark.parametrize("command", ["ratio a-min geometric(q=9/10)", "worst-case --u 10 --s 1"])
def test_bounds_have_two_digits_more_than_are_asked_for(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for digits in (5, 9):
        assert main([*command.split(), "--digits", str(digits), "--json"]) == 0
        bounds = json.loads(capsys.readouterr().out)
        lower, upper = bounds["lower"], bounds["upper"]
        assert len(lower) == len(upper) == len("1.") + digits + 1
        assert float(lower) < float(upper) <= float(lower) * (1 + 10.0 ** (1 - digits))
