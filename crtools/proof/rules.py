"""Proofs as data for the judge: theorems with those that they cite, step by step, each with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from crtools.notation.terminal import readable
from crtools.numeric_types import JsonObject

Data = JsonObject

PRODUCTS = 10**7
"""Products of terms that a step may cost here; a certificate as a whole may cost a fortieth."""


def proofs(records: Iterable[Data]) -> list[Data]:
    """Return proofs of the records of theorems (those that they cite are among them), each once."""
    table = {record["theorem"]: record for record in records}
    return [{"proof": name, "steps": list(_steps(record, table))} for name, record in table.items()]


WORDS = {"Citation": "cited", "Inference": "argued", "Argument": "argued", "Computation": "computed"}


def _steps(record: Data, table: Mapping[str, Data]) -> Iterator[Data]:
    """Iterate over the steps, the text of a formula that counts, and the statement, unless a step says it (check.theory).

    A step that crtools computed, and that is no formula of the checker's (balls, a root), is said and not proved.
    """
    steps: list[Data] = record["steps"]
    for step in steps:
        if "formal" in step:
            yield {"step": step["step"], **step["formal"]}
        if "formal" not in step or "said" in step:
            rule = WORDS.get(step["kind"], "argued" if "formal" in step else "computed")
            says = "; ".join(filter(None, (readable(step["latex"]), step["text"])))
            yield {"step": step["step"], "rule": rule, "says": says}
    formulas = [step["latex"] for step in steps if step["kind"] not in WORDS]
    cited = [table.get(step["theorem"], record) for step in steps if step["kind"] == "Citation"]
    same = [each["statement"] for each in cited if each is not record and each["reading"] == record["reading"]]
    ended = [step["latex"] for step in steps[-1:] if WORDS.get(step["kind"]) not in (None, "cited")]
    stated = [r",\quad ".join(formulas), *ended, *same * (len(cited) == len(steps))]
    if record["statement"] not in stated:
        yield {"step": "statement", "rule": "argued", "says": readable(record["statement"])}
