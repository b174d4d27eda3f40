"""What the pages for maintainers say is so: each path is there, the rooms are all, in the order of the imports."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from paths import ROOT
from test_circles import CODE, graph, rooms

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MADE = {"build/coq/adaptive", "build/coq/adaptive/accepted.json", "before.json", "accepted.json"}
"""Files that a reader makes."""


def paths(text: str) -> set[str]:
    """The paths in the code of a page: words with a slash or the ending of a file; NAME stands for any."""
    code = chain(re.findall(r"```\n(.*?)```", text, re.DOTALL), re.findall(r"`([^`\n]+)`", text))
    words = {word.rstrip("/") for piece in code for word in piece.split()}
    kept = {word for word in words if "/" in word or re.fullmatch(r"[\w.-]+\.(py|md|toml|txt|json|yml)", word)}
    return {word.replace("NAME", "*") for word in kept - MADE if not word.startswith((".venv/", "--"))}


@pytest.mark.parametrize("text", [ARCHITECTURE, CONTRIBUTING], ids=["architecture", "contributing"])
def test_each_path_is_there(text: str) -> None:
    found = paths(text)
    assert len(found) > 10
    assert sorted(path for path in found if not any(ROOT.glob(path))) == []


def test_a_path_that_is_gone_is_seen() -> None:
    text = "see `crtools/ratios/ratio.py`, `crtools/gone/`\n```\npytest tests/nowhere.py  # x\n```\n`was.md`, `NAME/x`"
    assert paths(text) == {"crtools/ratios/ratio.py", "crtools/gone", "tests/nowhere.py", "was.md", "*/x"}
    assert not any(ROOT.glob("crtools/gone"))


def listed() -> dict[str, int]:
    """The rooms of the table, each with its row; the theories stand in one."""
    table = ARCHITECTURE[ARCHITECTURE.index("| room |") : ARCHITECTURE.index("The toolkit, all but")]
    rows = [re.findall(r"`(crtools/\w+)(?:\.py|/)`", row) for row in table.splitlines()]
    return {room.replace("/", "."): number for number, row in enumerate(rows) for room in row}


def climbing(order: dict[str, int], imports: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The imports from a row of the table that is not above."""
    return [
        (room, other)
        for room, others in imports.items()
        for other in others
        if room in order and other in order and order[other] > order[room]
    ]


def test_the_rooms_are_all_and_stand_in_the_order_of_the_imports() -> None:
    order, imports = listed(), rooms(graph(CODE, lazy=True))
    assert set(order) == set(imports) - {"crtools", "crtools.__main__"}
    assert climbing(order, imports) == []


def test_there_are_five_flows_and_twenty_words() -> None:
    parts = dict(part.split("\n", 1) for part in ARCHITECTURE.split("\n## ")[1:])
    assert re.findall(r"^\*\*A (\w+)\.\*\*", parts["Five flows"], re.MULTILINE) == [
        "law", "form", "claim", "theorem", "run",
    ]  # fmt: skip
    assert len(re.findall(r"^\| (?!word|---)", parts["Twenty words"], re.MULTILINE)) == 20
    assert re.findall(r"^\*\*An? ([\w ]+)\.\*\*", parts["To add"], re.MULTILINE) == [
        "claim", "given value of a claim", "answer to a question of the toolkit", "display of a published proof", "field of a claim",
        "proof state or a mark", "kind of step", "law", "policy", "setting of a run", "field of a ledger", "rule of a policy",
        "field of a request", "command",
    ]  # fmt: skip


def test_the_targets_of_make_are_there() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"test", "lint", "docs", "coq"} <= (asked := set(re.findall(r"\bmake (\w+)\b", CONTRIBUTING)))
    assert asked <= targets


def test_both_pages_are_in_the_navigation() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "Architecture: architecture.md" in nav
    assert "Contributing: contributing.md" in nav
    assert (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8") == '--8<-- "CONTRIBUTING.md"\n'
