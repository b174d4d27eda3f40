"""Tables fit their width and lose nothing; what is cut says so; the commands that print tables fit 80 columns."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crtools.cli import main
from crtools.tables import WIDTH, table

SIGNS = "ab [/]:_*0.19ℓα≤⁻¹✓−"
SHORT, LONG = st.text(SIGNS, min_size=1, max_size=8), st.text(SIGNS, max_size=150)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(SHORT, SHORT, LONG), min_size=1, max_size=4), st.integers(40, 100), st.booleans())
def test_a_table_fits_its_width_and_loses_nothing(rows: list[tuple[str, str, str]], width: int, heads: bool) -> None:
    own = ("first", "number", "what it says") if heads else ()
    text = table(rows, own, right=(1,), width=width)
    assert max(map(len, text.splitlines())) <= width
    signs = "".join([*own, *(cell for row in rows for cell in row)])
    assert Counter("".join(text.split())) == Counter("".join(signs.split()))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(SHORT, LONG), min_size=1, max_size=4))
def test_a_cut_table_has_one_line_for_each_row(rows: list[tuple[str, str]]) -> None:
    cut = table([("x" + name, text) for name, text in rows], cut=True, width=50)
    assert len(cut.splitlines()) == len(rows)
    for line, (name, text) in zip(cut.splitlines(), rows, strict=True):
        assert len(line) <= 50
        assert line.startswith("x" + name.rstrip())
        assert line.endswith("…") or text.rstrip() in line


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "arguments",
    [
        "worst-case --u 9:11 --digits 60 --s 3",
        "worst-case --u 3:4 --fast",
        "simulate two-point(1,4,3/4) --n 30 --memory 12 --replicates 3",
        "experiment 3 --n 10 20 --seeds 2 --clock steps --memory 2500",
        "list claims",
        "derive two-point(1,10,w) --s s",
        "switch a-min a-random geometric(q)",
        "ratio mix(1/2*geometric(q=1/2)+1/2*geometric(q=1/3)) --s 3 --digits 40",
        "verify t1 --show --no-cache",
    ],
)
def test_every_line_of_a_command_fits(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) > WIDTH or line != line.rstrip()] == []


def test_a_certified_bound_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """A bound that loses digits on the screen is another bound."""
    assert main(["worst-case", "--u", "5:6", "--digits", "90"]) == 0
    out = "".join(capsys.readouterr().out.split())
    assert "…" not in out
    assert main(["worst-case", "--u", "5", "--digits", "90"]) == 0
    lower = capsys.readouterr().out.split("certified:")[1].split()[0]
    assert len(lower) > WIDTH
    assert lower in out


def test_a_table_is_returned_in_a_notebook_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """There rich shows what it prints by itself."""
    plain = table([("one", "1")], ("name", "value"))
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert table([("one", "1")], ("name", "value")) == plain == "name  value\none   1"


def test_each_member_of_a_witness_has_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "wlog", "--show"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    head, *rows = lines[lines.index("counterexample: members") + 1 :][:6]
    assert head.split()[:3] == ["s", "ℓ", "u"]
    assert [row.split()[:3] for row in rows] == [[str(u), "1", str(u)] for u in (16, 100, 900, 10000)] + [[]]
