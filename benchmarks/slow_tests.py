"""Write tests/slow.txt: the tests that README's test command leaves to ``pytest -m slow``, which .ci/run runs too.

    .venv/bin/pytest -m "not exhaustive" --durations=0 --durations-min=0.005 > durations.txt
    .venv/bin/python benchmarks/slow_tests.py durations.txt

A test of one row that takes longer than ``LONGEST`` is slow. Of a test whose rows together take longer every n-th row stays, so that
those that stay take about as long. ``ALWAYS`` names tests that are never slow.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from math import ceil
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 0.35
"""Seconds of a test, or of the rows of one that stay."""

ALWAYS = (
    "test_a_claim_is_decided_at_its_levels_with_evidence",
    "test_every_decided_verdict_has_a_certificate_or_is_listed",
    "test_the_checker_accepts_everything_alone",
    "test_the_packed_texts_hold",
    "test_both_accept_every_formula_of_the_ledgers",
    "test_any_policy_runs_as_in_the_reference_engine",
    "test_engines_agree",
    "test_engines_agree_on_every_deterministic_run",
    "test_the_comparison_in_the_readme_prints_what_it_shows",
    "test_the_graph_is_that_of_the_package",
)
ROW = re.compile(r"^([\d.]+)s call +(tests/[^\s[]+)", re.MULTILINE)


def slow(log: str) -> list[str]:
    """Return the lines of tests/slow.txt: a test, and n where every n-th row of it stays, 0 where none does."""
    rows: dict[str, list[float]] = defaultdict(list)
    for seconds, test in ROW.findall(log):
        rows[test].append(float(seconds))
    heavy = {test: own for test, own in rows.items() if sum(own) > LONGEST and test.split("::")[-1] not in ALWAYS}
    return [f"{test} {ceil(sum(own) / LONGEST) if len(own) > 1 else 0}" for test, own in sorted(heavy.items())]


if __name__ == "__main__":
    lines = slow(Path(sys.argv[1]).read_text(encoding="utf-8"))
    (ROOT / "tests" / "slow.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    print(f"{len(lines)} tests are slow, wholly or in part")
