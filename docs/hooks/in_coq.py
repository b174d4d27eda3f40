"""The claims that Coq states, as a part of docs/coq.md: from what is quoted above its theorems, and from their statements.

``python docs/hooks/in_coq.py`` writes that part anew; with a folder of compiled files (``build/coq/adaptive``) it first asks
Coq what each of these theorems rests on, and records it beside this file.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from crtools.proof.accepted import QUOTED, QuotedFinding, Stated, by_hand, findings_quoted, quoted

COQ = files("crtools.papers.adaptive") / "coq"
PAGE = Path(__file__).parents[1] / "coq.md"
RESTS_ON = Path(__file__).with_name("rests_on.json")
"""What ``Print Assumptions`` said of each theorem that is quoted: axioms by their names, none where it is closed."""

CLOSED = "Closed under the global context"
BEGIN, END = "<!-- claims: written by docs/hooks/in_coq.py -->\n", "<!-- end of claims -->\n"


def found() -> dict[QuotedFinding, Stated]:
    """Return the findings that are quoted above theorems of Coq, with these."""
    return findings_quoted(by_hand(COQ))


def theorems() -> dict[str, str]:
    """Return the theorems of the ledger that are quoted above theorems of Coq, by the names of these."""
    return {own.name: said[0] for said, own in quoted(by_hand(COQ), QUOTED).items()}


def marked() -> list[str]:
    """Return the theorems of Coq from which a mark comes, as ``File.name``."""
    return sorted({own.name for own in found().values()} | set(theorems()))


def asked(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """Return the axioms on which theorems of a folder of compiled files rest, asked of Coq."""
    modules = " ".join(sorted({name.split(".")[0] for name in names}))
    questions = "".join(f"Print Assumptions {name}.\n" for name in names)
    with TemporaryDirectory() as place:
        (Path(place) / "ask.v").write_text(f"From Crtools Require {modules}.\n{questions}", "utf-8")
        command = ["coqc", "-R", str(folder.resolve()), "Crtools", "ask.v"]
        answer = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True).stdout
    return dict(zip(names, answers(answer), strict=True))


def answers(text: str) -> list[list[str]]:
    """Return the axioms that each answer of ``Print Assumptions`` in a text lists."""
    each = re.split(rf"^(?={CLOSED}|Axioms:)", text, flags=re.MULTILINE)[1:]
    listed = [sorted(re.findall(r"^([\w.]+)\s*:(?!=)", own.removeprefix("Axioms:"), re.MULTILINE)) for own in each]
    if any(bool(axioms) == own.startswith(CLOSED) for own, axioms in zip(each, listed, strict=True)):
        raise ValueError("an answer lists no axiom and does not say that there is none")
    return listed


def rests_on() -> dict[str, list[str]]:
    """Return what is recorded of the theorems' axioms."""
    return json.loads(RESTS_ON.read_text(encoding="utf-8"))


def claims(findings: Mapping[QuotedFinding, Stated]) -> str:
    """Return a section for each theorem: the sentences that it stands for, with what their claims are given, and its statement."""
    table: dict[Stated, list[QuotedFinding]] = defaultdict(list)
    for said, own in findings.items():
        table[own].append(said)
    rests = rests_on()
    sections = "\n".join(_section(own, rows, _rests(rests[own.name])) for own, rows in table.items())
    head = ["### The ledger's theorems", "", "| theorem of the ledger | of Coq | rests on |", "|---|---|---|"]
    rows = [f"| {_cell(said)} | `{name}` | {_rests(rests[name])} |" for name, said in theorems().items()]
    return "\n".join([sections, *head, *rows, "", *_definitions(table)])


# ---- definitions -----------------------------------------------------------------------------------------------------

DEFINED = re.compile(
    r"^(Section \w+|End \w+|Variables [^\n]*)\.$|"
    r"^((?:\(\*(?:(?!\*\)).)*\*\)\n)?(?:Definition|Fixpoint|Inductive|Record) (\w+).*?\.)$",
    re.MULTILINE | re.DOTALL,
)
"""The begin, end and variables of a section; or a definition with a comment above it."""

BOUND = re.compile(r"\b(?:forall|exists|fun|let) ([\w ]+)|\(([\w ]+) :")
PROCESS = "Process"
QUOTED_APART = "(* ---- sums"
"""What stands above this in Process.v is quoted, all of it, in docs/process-in-coq.md."""


def definitions() -> dict[str, tuple[str, str]]:
    """Return what the files define: by ``File.name`` the definition's own name and text, and so by a record's fields."""
    table: dict[str, tuple[str, str]] = {}
    for file, text in by_hand(COQ).items():
        module, first = file.removesuffix(".v"), ""
        for around, own, name in DEFINED.findall(text):
            if around:
                first = (
                    f"(* For all {around.removeprefix('Variables ')}, which stand first: *)\n" if "(" in around else ""
                )
                continue
            fields = re.findall(r"\w+(?= :| \{)", own) if re.search(r"^Record", own, re.MULTILINE) else []
            table |= {f"{module}.{each}": (f"{module}.{name}", first + own) for each in (name, *fields)}
    return table


def used(statements: Mapping[str, str]) -> list[str]:
    """Return the definitions that statements name, by ``File.name`` of theorems, and those that these name in turn."""
    table, texts = definitions(), by_hand(COQ)
    seen: dict[str, None] = {}
    todo = [(name.split(".")[0], text) for name, text in statements.items()]
    while todo:
        module, text = todo.pop()
        imported = re.findall(r"^From Crtools Require Import (.*)\.$", texts[f"{module}.v"], re.MULTILINE)
        places = [module, *reversed(" ".join(imported).split())]
        text = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        bound = {word for own in BOUND.findall(text) for word in " ".join(own).split()}
        for word in re.findall(r"[A-Za-z_][\w.]*\w|[A-Za-z_]", text):
            at = [word] if "." in word else [f"{place}.{word}" for place in places if word not in bound]
            own = next((table[name] for name in at if name in table), None)
            if own is not None and own[0] not in seen:
                seen[own[0]] = None
                todo.append((own[0].split(".")[0], own[1]))
    return [name for name in dict.fromkeys(name for name, _ in table.values()) if name in seen]


def _definitions(findings: Iterable[Stated]) -> list[str]:
    """Return a section with what the statements of findings use; but for what the page on the process quotes."""
    table = dict(definitions().values())
    apart = by_hand(COQ)[f"{PROCESS}.v"].split(QUOTED_APART)[0]
    shown: dict[str, list[str]] = defaultdict(list)
    for name in used({own.name: own.statement for own in findings}):
        module = name.split(".")[0]
        if not (module == PROCESS and table[name] in apart):
            shown[module].append(table[name])
    words = (
        "What these statements name, word for word; what they name of the process itself stands beside its rules in\n"
        "[process-in-coq.md](process-in-coq.md)."
    )
    lines = ["### Definitions", "", words, ""]
    for module, texts in shown.items():
        lines += [f"`{module}.v`:", "", "```coq", *texts, "```", ""]
    return lines


def _rests(names: list[str]) -> str:
    return ", ".join(f"`{name.split('.')[-1]}`" for name in names) or "no axiom"


def _section(own: Stated, rows: list[QuotedFinding], rests: str) -> str:
    head = ["| claim | finding | status | sentence | reading | given |", "|---|---|---|---|---|---|"]
    lines = [
        f"| {row.claim} | {row.finding} | {row.status}, {row.level} | {_cell(row.says)} | {_cell(row.reading)} | `{_cell(row.given)}` |"
        for row in rows
    ]
    return "\n".join(
        [f"### {own.name}", "", *head, *lines, "", "```coq", own.statement, "```", "", f"Rests on {rests}.", ""]
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def written(page: str, part: str) -> str:
    """Return the page with this part in its place; ``ValueError`` where it has none."""
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    if page != before + BEGIN + page.split(BEGIN)[1].split(END)[0] + END + after:
        raise ValueError("the page has not one place for the claims")
    return f"{before}{BEGIN}\n{part}\n{END}{after}"


if __name__ == "__main__":
    for built in sys.argv[1:]:
        RESTS_ON.write_text(json.dumps(asked(Path(built), marked()), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), claims(found())), encoding="utf-8")
