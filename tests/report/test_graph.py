"""What rests on what as a drawing: every tie is a line, no box covers another, and what is false where it is used is marked."""

from __future__ import annotations

import re
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from crtools.ledger import Finding, Refuted, Verdict
from crtools.report.dependencies import ACROSS, DOWN, HIGH, WIDE, Node, columns, corners_of, graph, linked
from crtools.report.page import drawings


def refuted(claim: str) -> Verdict:
    finding = Finding("all", "it holds", Refuted({"n": 1}, 1, 2, 2))
    return Verdict("paper", "every case", "at $n = 1$", "by hand", (finding,), claim=claim)


def nodes_of(uses: dict[str, tuple[str, ...]], false: tuple[str, ...] = ()) -> dict[str, Node]:
    """Nodes of these claims; whoever uses one of ``false`` rests on what is false there."""
    return {
        name: Node(
            name,
            "refuted" if name in false else "proved",
            own,
            tuple(refuted(other) for other in own if other in false),
            tuple(other for other in uses if name in uses[other]),
        )
        for name, own in uses.items()
    }


@st.composite
def any_ties(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """Ties between up to twelve claims, circles too."""
    number = draw(st.integers(1, 12))
    names = [f"claim-{n}" for n in range(number)]
    return {name: tuple(draw(st.lists(st.sampled_from(names), unique=True, max_size=3))) for name in names}


@given(any_ties())
def test_no_box_covers_another_and_every_tie_is_a_line(uses: dict[str, tuple[str, ...]]) -> None:
    uses = {name: tuple(own for own in grounds if own != name) for name, grounds in uses.items()}
    nodes = nodes_of(uses)
    tied = linked(nodes)
    assert set(tied) == {name for name in uses if uses[name] or any(name in own for own in uses.values())}
    at = corners_of(tied)
    for (x, y), (right, below) in combinations(at.values(), 2):
        assert abs(x - right) >= WIDE or abs(y - below) >= HIGH
    assert all(x % ACROSS == 0 and y >= 0 for x, y in at.values())
    html = graph(nodes)
    assert sorted(re.findall(r'data-between="(\S+) (\S+)"', html)) == sorted(
        (own, name) for name in uses for own in uses[name]
    )
    assert set(re.findall(r'href="#claim-([^"]+)"', html)) == set(tied)


def test_a_claim_stands_to_the_right_of_what_it_uses() -> None:
    uses = {"a": (), "b": ("a",), "c": ("a", "b"), "d": ("c", "a")}
    assert columns(uses) == {"a": 0, "b": 1, "c": 2, "d": 3}
    assert len({y // DOWN for _, y in corners_of({"a": (), "b": (), "c": ("a", "b")}).values()}) == 2


def test_what_is_false_where_it_is_used_is_marked_and_told_by_more_than_colour() -> None:
    html = graph(nodes_of({"wrong": (), "right": (), "on-it": ("wrong", "right")}, ("wrong",)))
    assert html.count('class="false"') == 1
    assert 'class="false" data-between="wrong on-it"' in html
    assert 'aria-label="wrong: refuted"' in html
    assert "✗" in html
    assert html.count("✓") == 2


def test_nothing_that_is_tied_is_nothing_that_is_drawn() -> None:
    assert graph(nodes_of({"a": (), "b": ()})) == ""


def test_names_are_escaped() -> None:
    html = graph(nodes_of({"<a>": (), "b": ("<a>",)}))
    assert "<a>" not in re.sub(r"<a href", "", html).replace("&lt;a&gt;", "")


def test_a_schedule_is_drawn_once_on_a_page_and_another_one_too() -> None:
    row = {"name": "one", "starts": [0, 0], "lengths": [2, 1], "s": 0, "M": 4}
    other = {**row, "starts": [1, 0]}
    drawn: dict[str, int] = {}
    shown = "".join(drawings(rows, drawn) for rows in ([row, other], [row], [other]))
    assert drawings([row, other, row]).count("<svg") == 3  # what is drawn before the cards stays
    assert shown.count("<svg") == 2
    assert shown.count("<figcaption>") == 4
    assert re.findall(r'id="(drawing-\d)"', shown) == ["drawing-1", "drawing-2"]
    assert re.findall(r'href="#(drawing-\d)"', shown) == ["drawing-1", "drawing-2"]


def test_a_line_passes_the_columns_between_in_a_place_of_its_own() -> None:
    uses = {"a": (), "b": ("a",), "c": ("b",), "d": ("c", "a")}
    at = corners_of(uses)
    between = [at["a", "d", 1], at["a", "d", 2]]
    assert [x // ACROSS for x, _ in between] == [1, 2]
    assert all(abs(y - at[name][1]) >= HIGH for (_, y), name in zip(between, ("b", "c"), strict=True))
    drawn = dict(re.findall(r'data-between="(\S+ \S+)" d="([^"]+)"', graph(nodes_of(uses))))
    assert drawn["a b"].count("C") == 1
    for x, y in between:
        assert f" {x},{y + HIGH // 2}L{x + WIDE},{y + HIGH // 2}C" in drawn["a d"]
