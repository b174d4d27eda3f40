"""Memory over time: one geometry for the SVG, the terminal and Matplotlib, which must say what the schedule holds."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

import pytest

from crtools import InputError, Schedule, simulate
from crtools.cli import main
from crtools.ledger import verify
from crtools.ledger.cache import default_folder
from crtools.ledger.display.claim_text import counterexample, pictures_of
from crtools.plotting.occupancy import MOST_BLOCKS, Picture, Stay, save, scales, ticks
from crtools.report.page import drawings

H_SF = Schedule([0, 0, 1, 4], [1, 1, 3, 3], 1)
BETTER = Schedule([0, 1, 0, 3], [1, 1, 3, 3], 1)


@pytest.mark.parametrize("plan", [H_SF, BETTER, Schedule([0, 2, 2, 5], [4, 3, 1, 2], [0, 2, 1, 0])])
def test_the_boxes_hold_at_every_instant_what_the_schedule_holds(plan: Schedule) -> None:
    boxes = plan.plot().boxes
    columns = [
        (instant, bottom, top)
        for box in boxes
        for instant, bottom, top in zip(count(box.attempt.start + 1), box.bottom, box.top, strict=False)
    ]
    for t in range(1, plan.makespan + 1):
        own = sorted((bottom, top) for instant, bottom, top in columns if instant == t)
        assert [bottom for bottom, _ in own] == [0, *(top for _, top in own)][: len(own)]  # no gap, no overlap
        assert (own[-1][1] if own else 0) == plan.memory_use(t)
    for box in boxes:
        start, end = plan.starts[box.attempt.request], plan.completions[box.attempt.request]
        assert len(box.bottom) == len(box.top) == end - start
        assert {x for x, _ in box.outline(box.top)} == set(range(start, end + 1))


def test_a_run_is_drawn_with_every_attempt_and_what_was_lost() -> None:
    run = simulate("a-min-literal", [3, 1, 4, 2, 5, 2], 12, 1, 1, 6, seed=1)
    assert run.cancellations > 0
    picture = run.plot()
    lost = [own for own in picture.attempts if own.lost]
    assert len(lost) == run.cancellations
    assert sum(own.end - own.start for own in lost) == run.wasted_tokens
    kept = sorted((own.request, own.start, own.end) for own in picture.attempts if not own.lost)
    assert kept == [(i, p, p + o) for i, (p, o) in enumerate(zip(run.starts, run.lengths, strict=True))]
    assert picture.tokens == max(run.peak_memory, 12)
    assert picture.svg().count("fill: url(#") == len(lost)
    assert "╱" in picture.text()
    assert "╱" not in simulate("h-sf", [3, 1, 4], 12).plot().text()


def test_the_terminals_drawing() -> None:
    text = """\
schedule, total latency 4, M = 3
M   3 ╞      ┌─────┐
      │      │  1  │
    2 │      ├─────┤
      │      │  0  │
    1 │┌─────┘     │
      ││           │
    0 │└───────────┘
      └─────────────
       0     1     2"""
    assert Schedule([0, 1], [2, 1]).plot(memory=3).text() == text


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("n", [1, 5, 60])
def test_no_line_is_wider_than_asked_and_one_is_at_the_memory(width: int, n: int) -> None:
    run = simulate("a-min-literal", [1 + i % 9 for i in range(n)], 60, s=2, l=1, u=12, seed=3)
    heading, *lines = run.plot().text(width).splitlines()
    assert max(map(len, (heading, *lines))) <= width
    assert [line.split()[:2] for line in lines if "╞" in line] == [["M", "60"]]


def test_neighbours_of_nearly_one_size_share_a_scale_and_others_do_not() -> None:
    small, close = H_SF.plot(5, "a"), BETTER.plot(5, "b")
    large = Schedule([0] * 9, [3] * 9, 1).plot(36, "c")
    first, second, third = scales([small, close, large])
    assert first == second == (7, 5)
    assert third == (3, 36)


@pytest.mark.parametrize(("largest", "found"), [(5, [0, 1, 2, 3, 4, 5]), (12, [0, 2, 4, 6, 8, 10, 12]), (0, [0])])
def test_ticks_are_round(largest: int, found: list[int]) -> None:
    assert list(ticks(largest, 6)) == found


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("txt", b"H-SF")]
)
def test_a_file_is_the_same_bytes_every_time(kind: str, start: bytes, tmp_path: Path) -> None:
    pictures = [H_SF.plot(5, "H-SF"), BETTER.plot(5, "better")]
    contents = [save(pictures, tmp_path / f"{name}.{kind}").read_bytes() for name in "ab"]
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    assert b"atplotlib v" not in contents[0]


def test_what_cannot_be_drawn_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be a smaller run"):
        simulate("h-sf", [50] * 100, 60).plot()
    with pytest.raises(InputError, match="history"):
        simulate("a-min-literal", [3, 1, 4, 2, 5, 2], 12, 1, 1, 6, seed=1, history=False).plot()
    with pytest.raises(InputError, match=r"\.svg"):
        H_SF.plot().save(tmp_path / "plan.gif")
    with pytest.raises(InputError, match=str(MOST_BLOCKS)):
        Picture("x", tuple(Stay(i, 0, 100, 0) for i in range(100))).text()


def test_the_counterexample_stands_at_the_top_of_its_card() -> None:
    [result] = verify(["hsf-lower"], cache=default_folder())
    rows = counterexample(result)
    plans = [Schedule(row["starts"], row["lengths"], row["s"]) for row in rows]
    assert [plan.total_latency for plan in plans] == [13, 12]
    assert all(plan.feasible(row["M"]) for plan, row in zip(plans, rows, strict=True))
    assert drawings(rows).count("<svg") == 2
    assert len(pictures_of(result)) == 4


def test_show_draws_a_claims_schedules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["show", "prop-memory"]) == 0
    assert "M = 4" in capsys.readouterr().out
    assert main(["show", "prop-memory", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [own["memory"] for own in document["pictures"]] == [4, 3]
    assert main(["show", "prop-memory", "--out", str(tmp_path / "m.svg")]) == 0
    assert re.search(r"<svg[^>]*>", (tmp_path / "m.svg").read_text(encoding="utf-8"))


def test_show_draws_runs_on_an_instance(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "instance.json"
    file.write_text('{"memory": 5, "lengths": [1, 1, 3, 3], "s": 1}', encoding="utf-8")
    assert main(["show", str(file), "--policy", "h-sf"]) == 0
    assert capsys.readouterr().out.startswith("h-sf, total latency 13, M = 5")


@pytest.mark.parametrize(
    ("words", "said"),
    [(["trace"], "has no schedule"), (["no-claim"], "no-claim"), (["hsf-lower", "--policy", "h-sf"], "FILE.json")],
)
def test_show_refuses_with_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
