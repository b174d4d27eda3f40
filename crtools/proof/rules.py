"""Proofs as data for the judge: theorems with those that they cite, cited ones first, step by step, each with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from crtools.readable import readable

Data = dict[str, Any]

PRODUCTS = 10**7
"""Products of terms that a step may cost here; a certificate as a whole may cost a fortieth."""


def proofs(records: Iterable[Data]) -> list[Data]:
    """Return proofs of the records of theorems (those that they cite among them), each once and after what it cites."""
    table = {record["theorem"]: record for record in records}
    written: dict[str, Data] = {}
    for name in table:
        _write(name, table, written)
    return list(written.values())


def _write(name: str, table: Mapping[str, Data], written: dict[str, Data]) -> None:
    if name in written or name not in table:
        return
    record = table[name]
    for step in record["steps"]:
        if step["kind"] == "Citation":
            _write(step["theorem"], table, written)
    written[name] = {"proof": name, "steps": list(_steps(record, table))}


SAID = ("Inference", "Argument", "Computation")


def _steps(record: Data, table: Mapping[str, Data]) -> Iterator[Data]:
    """Iterate over the steps, the text of a formula that counts, and the statement, unless a step says it (check.theory).

    A step that crtools computed, and that is no formula of the checker's (balls, a root), is said and not proved.
    """
    steps: list[Data] = record["steps"]
    for step in steps:
        own = {"step": step["step"]}
        if step["kind"] == "Citation":
            yield {**own, "rule": "cited", "proof": step["theorem"]}
        elif "formal" in step:
            yield {**own, **step["formal"]}
        else:
            rule = "argued" if step["kind"] in ("Inference", "Argument") else "computed"
            yield {**own, "rule": rule, "says": _says(step)}
        if step.get("said"):
            yield {**own, "rule": "argued", "says": _says(step)}
    alone = r",\quad ".join(step["latex"] for step in steps if step["kind"] not in (*SAID, "Citation"))
    cited = [table.get(step.get("theorem", ""), {}) for step in steps] if not alone else []
    known = [each["statement"] for each in cited if each and each["reading"] == record["reading"]]
    known += [alone, *(step["latex"] for step in steps[-1:] if step["kind"] in SAID)]
    if record["statement"] not in known:
        yield {"step": "statement", "rule": "argued", "says": readable(record["statement"])}


def _says(step: Data) -> str:
    return "; ".join(filter(None, (readable(step["latex"]), step["text"])))
