"""The claims that Coq states, as a part of docs/coq.md: from what is quoted above its theorems, and from their statements.

``python docs/hooks/in_coq.py`` writes that part anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from crtools.papers.adaptive import coq
from crtools.proof.accepted import Said, Stated, by_hand, findings_quoted

PAGE = Path(__file__).parents[1] / "coq.md"
BEGIN, END = "<!-- claims: written by docs/hooks/in_coq.py -->\n", "<!-- end of claims -->\n"


def found() -> dict[Said, Stated]:
    """Return the findings that are quoted above theorems of Coq, with these."""
    return {
        said: own for file, text in by_hand(files(coq)).items() for said, own in findings_quoted(file, text).items()
    }


def claims(findings: Mapping[Said, Stated]) -> str:
    """Return a section for each theorem: the sentences that it stands for, with what their claims are given, and its statement."""
    table: dict[Stated, list[Said]] = defaultdict(list)
    for said, own in findings.items():
        table[own].append(said)
    return "\n".join(_section(own, rows) for own, rows in table.items())


def _section(own: Stated, rows: list[Said]) -> str:
    head = ["| claim | finding | status | sentence | given |", "|---|---|---|---|---|"]
    lines = [
        f"| {row.claim} | {row.finding} | {row.status}, {row.level} | {_cell(row.says)} | `{_cell(row.given)}` |"
        for row in rows
    ]
    return "\n".join([f"### {own.name}", "", *head, *lines, "", "```coq", own.statement, "```", ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def written(page: str, part: str) -> str:
    """Return the page with this part in its place; ``ValueError`` where it has none."""
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    if page != before + BEGIN + page.split(BEGIN)[1].split(END)[0] + END + after:
        raise ValueError("the page has not one place for the claims")
    return f"{before}{BEGIN}\n{part}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), claims(found())), encoding="utf-8")
