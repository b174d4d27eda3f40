"""Make the tables of the embedded workloads, ``crtools/papers/adaptive/workloads/data/*.json``, from what they come from.

    .venv/bin/python benchmarks/calibrate_lengths.py AzureLLMInferenceTrace_conv.csv

The laws ``paper`` and ``paper-smooth`` are calibrated to published figures, ``azure-conv`` holds quantiles of a public trace
(docs/experiments.md). tests/papers/adaptive/workloads/test_lengths.py derives the tables again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from crtools.data_files import read_table
from crtools.files import write_whole
from crtools.numeric_types import FloatArray, IntArray, JsonObject
from crtools.papers.adaptive import workloads
from crtools.papers.adaptive.workloads.lengths import PUBLISHED, Column
from crtools.setting import LARGEST_LENGTH

SAMPLE = 2000
"""The size of that sample: at least one request in so many has the published maximum."""

PROMPT_RANKS = (
    0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
    0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1,
)  # fmt: skip
OUTPUT_RANKS = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1)
GROUPS = 10
"""Outputs are tabulated within each tenth of the requests, by prompt."""

PAPER_SOURCE = (
    "calibrated to the figures that Section 6 of arXiv 2508.14544 publishes about its sample of 2,000 conversations "
    "of LMSYS-Chat-1M; no data of that set is contained"
)
TRACE_SOURCE = (
    "quantiles of AzureLLMInferenceTrace_conv (Azure Public Dataset, Azure LLM inference trace 2023, Microsoft; "
    "Patel et al., Splitwise, ISCA 2024), CC-BY-4.0; changed: reduced to quantiles"
)


FAMILIES = {
    "paper": {"z": -10.0, "z^2": 2.0, "below median": 1.0},
    "paper-smooth": {"log z": -1.0, "z": 5.0, "z^2": -10.0},
}
"""The features of both laws, with the multipliers from which the search starts.

``paper`` is the law of largest entropy with the published figures: the least committal. It has a step at the median.
``paper-smooth`` has the same figures without a step, and shows what depends on the shape.
"""


def multipliers(published: Mapping[str, float], start: Mapping[str, float]) -> dict[str, float]:
    """Return the multipliers with which the law has the published mean, median and variance.

    The median means P(k < median) + P(k = median)/2 = 1/2. Raises ``ArithmeticError`` where none are found.
    """
    from scipy.optimize import root

    figures = {**published, "share_at_maximum": 1 / SAMPLE}

    def misses(values: FloatArray) -> list[float]:
        law = Column.exponential(figures, dict(zip(start, values, strict=True)))
        place = int(published["median"]) - 1
        below = float(law.cumulative[place] - law.shares[place] / 2)
        return [law.mean / published["mean"] - 1, law.variance / published["variance"] - 1, below - 0.5]

    found = root(misses, list(start.values()), tol=1e-13)
    if max(map(abs, misses(found.x))) > 1e-9:
        raise ArithmeticError(f"no law with these figures was found: {found.message}")
    return {name: float(f"{x:.12g}") for name, x in zip(start, found.x, strict=True)}


def paper_table(name: str) -> JsonObject:
    """Return the data of the law ``paper`` or ``paper-smooth``: both columns, prompts and outputs independent."""
    table: JsonObject = {"name": name, "source": PAPER_SOURCE, "kind": "exponential"}
    for column, published in PUBLISHED.items():
        own = {"multipliers": multipliers(published, FAMILIES[name])}
        table[column] = {**published, "share_at_maximum": 1 / SAMPLE, **own}
    return table


def quantile_table(prompts: Sequence[int], outputs: Sequence[int]) -> JsonObject:
    """Return the data of the law ``azure-conv``: quantiles of prompts, and of outputs within each tenth by prompt."""
    s, o = np.asarray(prompts), np.asarray(outputs)
    tenths = np.array_split(np.argsort(s, kind="stable"), GROUPS)
    return {
        "name": "azure-conv",
        "source": TRACE_SOURCE,
        "kind": "quantiles",
        "rows": len(s),
        "prompt_ranks": list(PROMPT_RANKS),
        "prompts": _quantiles(s, PROMPT_RANKS),
        "output_ranks": list(OUTPUT_RANKS),
        "outputs": [_quantiles(o[tenth], OUTPUT_RANKS) for tenth in tenths],
    }


def _quantiles(values: IntArray, ranks: Sequence[float]) -> list[int]:
    return [int(x) for x in np.quantile(values, ranks, method="inverted_cdf")]


def read_trace(path: str | Path) -> tuple[list[int], list[int]]:
    """Return the columns ContextTokens and GeneratedTokens of a trace."""
    table = read_table("csv", str(path), columns := ("ContextTokens", "GeneratedTokens"))
    prompts, outputs = (table.integers(column, 0, LARGEST_LENGTH).tolist() for column in columns)
    return prompts, outputs


def write_tables(trace: str | Path, folder: str | Path) -> None:
    """Write the tables as JSON, all at once."""
    tables = (*map(paper_table, FAMILIES), quantile_table(*read_trace(trace)))
    write_whole({Path(folder) / f"{table['name']}.json": _as_text(table).encode("utf-8") for table in tables})


def _as_text(table: Mapping[str, Any]) -> str:
    """Return JSON with one line for each key, and for each row of a list of lists."""
    lines: list[str] = []
    for key, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            text = "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n ]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        lines.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: benchmarks/calibrate_lengths.py TRACE.csv")
    write_tables(sys.argv[1], Path(workloads.__file__).with_name("data"))
