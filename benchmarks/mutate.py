"""Does the suite see a bug? Change one operator or number at a time, and run the tests of the folder that was changed.

    python benchmarks/mutate.py --count 200 --seed 1 --report docs/mutations.md

Each mutant is one small change of one file of the package, in a copy; it is killed where a test fails or takes ten times
as long as without the change. Survivors are printed with their line: each wants a test, or a reason.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]

AREAS = {
    "forms": ("forms papers/adaptive/forms", "tests/forms"),
    "process": ("process", "tests/process/test_engines.py tests/process/test_random.py tests/process/test_input.py"),
    "closed forms and ratios": ("closed_form ratios", "tests/ratios"),
    "distributions": ("distributions", "tests/distributions"),
    "worst cases": ("worst_cases", "tests/worst_cases"),
    "proof steps": ("proof", "tests/proof"),
    "deciders": ("ledger/deciders", "tests/ledger/deciders"),
    "ledger": ("ledger/*.py", "tests/ledger/test_cache.py tests/ledger/test_self_test.py"),
    "theorems": ("papers/adaptive/theorems", "tests/papers/adaptive/theorems"),
}
"""What is changed, in the package, and the tests that must see it."""

COMPARE = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "True": "False", "False": "True"}


@dataclass(frozen=True)
class Mutant:
    """One change: the text from ``start`` to ``end`` of a file, as offsets in its bytes."""

    file: Path
    line: int
    start: int
    end: int
    new: str

    def apply(self, source: bytes) -> bytes:
        """Return the file's content with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def show(self) -> str:
        """Return place and change in one line."""
        source = (ROOT / self.file).read_bytes()
        before = source[: self.start].rsplit(b"\n", 1)[-1].decode()
        after = source[self.end :].split(b"\n", 1)[0].decode()
        old = source[self.start : self.end].decode()
        return f"{self.file}:{self.line}: {before.lstrip()}[{old} → {self.new}]{after}"


def mutants(file: Path) -> Iterator[Mutant]:
    """Iterate over all mutants of a file of the package."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))

    def between(left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Mutant]:
        low = starts[(left.end_lineno or 1) - 1] + (left.end_col_offset or 0)
        high = starts[right.lineno - 1] + right.col_offset
        place = source.find(old.encode(), low, high)
        if place >= 0:
            yield Mutant(file, right.lineno, place, place + len(old), new)

    def instead(node: ast.expr, new: str) -> Mutant:
        start = starts[node.lineno - 1] + node.col_offset
        return Mutant(file, node.lineno, start, starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0), new)

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
            old = next(text for text in ("<=", ">=", "==", "!=", "<", ">") if COMPARE_TEXT[type(node.ops[0])] == text)
            yield from between(node.left, node.comparators[0], old, COMPARE[type(node.ops[0])])
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_type(node):
            yield from between(node.left, node.right, *ARITHMETIC[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield from between(node.values[0], node.values[1], old, new)
        elif isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value <= 10:
            yield instead(node, str(node.value + 1))
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            yield instead(node, str(not node.value))
        elif isinstance(node, ast.Name) and node.id in NAMES and isinstance(node.ctx, ast.Load):
            yield instead(node, NAMES[node.id])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            start = starts[node.lineno - 1] + node.col_offset
            yield Mutant(file, node.lineno, start, start + 1, "+")


COMPARE_TEXT = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def _is_type(node: ast.BinOp) -> bool:
    """Return whether text is joined or repeated: no arithmetic."""
    return any(
        isinstance(part, ast.Constant | ast.JoinedStr) and not isinstance(getattr(part, "value", 0), int)
        for part in (node.left, node.right)
    )


def files_of(area: str) -> list[Path]:
    """Return an area's files, relative to the checkout."""
    found: list[Path] = []
    for part in AREAS[area][0].split():
        pattern = part if part.endswith(".py") else f"{part}/**/*.py"
        found += [path.relative_to(ROOT) for path in sorted((ROOT / "crtools").glob(pattern))]
    return [path for path in found if path.name != "__init__.py"]


def run(tests: str, mutant: Mutant | None, limit: float) -> tuple[bool, float]:
    """Run tests on a copy of the package with a change, in a process of its own: whether they pass, and the seconds."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder)
        shutil.copytree(ROOT / "crtools", copy / "crtools", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "crtools_check.py", copy)
        if mutant is not None:
            path = copy / mutant.file
            path.write_bytes(mutant.apply(path.read_bytes()))
        start = time.monotonic()
        child = os.fork()
        if child == 0:
            os._exit(_test(copy, tests))
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, limit)
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        return status == 0, time.monotonic() - start


def _test(copy: Path, tests: str) -> int:
    import pytest

    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(ROOT)
    sys.path.insert(0, str(copy))
    os.environ |= {"PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / "cache"), "PYTEST_XDIST_WORKER": "none"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib"]
    return int(pytest.main([*options, *tests.split()]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--count", type=int, default=200, help="mutants in all, shared out over the areas by the root of their size"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--area", choices=sorted(AREAS), action="append", help="only these")
    parser.add_argument("--report", type=Path, help="a Markdown file for the outcome")
    given = parser.parse_args()
    import flint  # noqa: F401
    import hypothesis  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import numba  # noqa: F401
    import pytest  # noqa: F401
    import scipy.optimize  # noqa: F401
    import sympy  # noqa: F401

    import crtools_check  # noqa: F401  (what tests import is loaded once, before the processes part)

    chosen = given.area or list(AREAS)
    all_of = {area: [m for file in files_of(area) for m in mutants(file)] for area in chosen}
    whole = sum(len(found) ** 0.5 for found in all_of.values())
    rows: list[str] = []
    survivors: list[str] = []
    for area in chosen:
        count = max(1, round(given.count * len(all_of[area]) ** 0.5 / whole))
        drawn = random.Random(f"{given.seed} {area}").sample(all_of[area], min(count, len(all_of[area])))
        passed, seconds = run(AREAS[area][1], None, 600)
        if not passed:
            raise SystemExit(f"{area}: the tests fail without a change")
        killed = 0
        for mutant in drawn:
            survived, _ = run(AREAS[area][1], mutant, 60 + 10 * seconds)
            killed += not survived
            if survived:
                survivors.append(mutant.show())
                print(f"survived: {mutant.show()}", flush=True)
        rows.append(f"| {area} | {len(drawn)} | {killed} | {len(drawn) - killed} |")
        print(f"{area}: {killed} of {len(drawn)} killed ({seconds:.0f} s for its tests)", flush=True)
    if given.report:
        given.report.write_text(_report(given.seed, rows, survivors), encoding="utf-8")


def _report(seed: int, rows: list[str], survivors: list[str]) -> str:
    lines = [
        "# Does the suite see a bug?",
        "",
        f"`python benchmarks/mutate.py`, seed {seed}, {date.today().isoformat()}.",
    ]
    lines += ["", "| area | mutants | killed | survived |", "|---|---|---|---|", *rows, "", "## Survivors", ""]
    return "\n".join([*lines, *(f"- `{row}`" for row in survivors or ["none"]), ""])


if __name__ == "__main__":
    main()
