"""How much rests on words, as a page: a table of every certificate, written from the JSON of the checker."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sources  # noqa: F401 -- before what is imported from the project

from check.command import main
from check.statements import LEDGERS

Row = dict[str, Any]
Key = tuple[str, str]

NAME = "what-rests-on-words.md"

INTRODUCTION = """# What rests on words

A verdict rests on facts, which the checker judges, and on sentences, which only a reader can judge. The tables are the output of the
[checker](certificates.md), `python3 check DIR --json`, for the certificates that `crtools verify --certificates DIR` writes.

- **facts**: formulas that the checker's kernel accepted, in all proofs that the verdict rests on, including cited ones.
- **sentences**: the steps of these proofs that are words ([what counts](theory-text.md#what-counts)), each once; the sentences that join
  the proofs to the findings; and those of the witness. `crtools verify` prints this number in its column *words*.
- **computed**: steps that only crtools computed (with ball arithmetic, or with roots).
- **witness**: yes if the checker computes a witness again. With 0 facts and 0 sentences the witness alone decides.
- **Coq**: yes if Coq's kernel has accepted theorems that state the whole verdict. This is a record; `make coq` repeats it ([Coq](coq.md)).
"""


def checked(folder: Path) -> list[Row]:
    """Return what the checker prints of a folder of certificates."""
    out = StringIO()
    with redirect_stdout(out):
        main([str(folder), "--json"])
    return json.loads(out.getvalue())["certificates"]


def page(rows: Sequence[Row], in_coq: Iterable[Key]) -> str:
    """Return the page: a table for each ledger, with its totals."""
    accepted = set(in_coq)
    ledgers = dict.fromkeys(row["ledger"] for row in rows)
    return "\n".join(
        [INTRODUCTION, *(_section(name, [r for r in rows if r["ledger"] == name], accepted) for name in ledgers)]
    )


def _section(name: str, rows: Sequence[Row], accepted: set[Key]) -> str:
    without = sum(not row["sentences"] for row in rows)
    head = f"## {name}\n\n{len(rows)} certificates, {without} without any sentence.\n"
    table = [
        "| claim | level | verdict | facts | sentences | computed | witness | Coq |",
        "|---|---|---|---|---|---|---|---|",
    ]
    return "\n".join([head, *table, *(_line(row, (row["id"], row["level"]) in accepted) for row in rows), ""])


def _line(row: Row, in_coq: bool) -> str:
    assert row["result"] == "verified", row
    numbers = [str(row[name]) for name in ("facts", "sentences", "computations")]
    marks = ["yes" if row["witness"] else "", "yes" if in_coq else ""]
    return "| " + " | ".join([row["id"], row["level"], row["status"], *numbers, *marks]) + " |"


def whole() -> str:
    """Return the page of all ledgers, as ``crtools verify`` decides them."""
    from decide import with_proofs

    from crtools.ledger.certificates import write_certificates
    from crtools.ledger.registry import load

    with TemporaryDirectory() as folder:
        in_coq: list[Key] = []
        for name in LEDGERS:
            own = load(name)
            results = with_proofs(name)
            write_certificates(results, folder, own)
            accepted = own.accepted()
            in_coq += [(r.id, v.level) for r in results for v in r.verdicts if v.kernel_checked(accepted)]
        return page(checked(Path(folder)), in_coq)


def on_files(files: Any, config: Any, **_: Any) -> Any:
    """Add the page."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, NAME, content=""))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Take the page from the process that writes it."""
    import beside

    return beside.result(NAME) if page.file.src_uri == NAME else markdown
