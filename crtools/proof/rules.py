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
    written[name] = {"proof": name, "steps": list(_steps(record))}


def _steps(record: Data) -> Iterator[Data]:
    """Iterate over the steps; what none of them follows from, if there is more than one, is joined by the statement.

    A step that crtools computed, and that is no formula of the checker's (balls, a root), is said and not proved.
    """
    before: list[str] = []
    loose: dict[str, None] = {}
    for step in record["steps"]:
        own = {"step": step["step"]}
        if step["kind"] == "Citation":
            yield {**own, "rule": "cited", "proof": step["theorem"]}
        elif "formal" in step:
            yield {**own, **step["formal"]}
        elif step["kind"] not in ("Inference", "Argument"):
            yield {**own, "rule": "computed", "says": _says(step)}
        else:
            premises = step.get("follows_from", before) if step["kind"] == "Inference" else []
            yield {**own, "rule": "argued", "says": _says(step), "of": list(premises)}
            for name in premises:
                loose.pop(name, None)
        before.append(step["step"])
        loose[step["step"]] = None
    if len(loose) > 1:
        yield {"step": "statement", "rule": "argued", "says": readable(record["statement"]), "of": list(loose)}


def _says(step: Data) -> str:
    return "; ".join(filter(None, (readable(step["latex"]), step["text"])))
