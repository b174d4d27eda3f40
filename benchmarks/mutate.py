"""Does the suite see a bug? Change one operator or number of the package at a time, and run the tests that reach it.

    python benchmarks/mutate.py --area forms --count 30
    python benchmarks/mutate.py --count 0
    python benchmarks/mutate.py --report docs/mutations.md

Each mutant is one small change in a copy of the package, or of the independent checker, where a demand that is left out is a
change, too. An area's tests run once without a change (slow ones, and those that decide a whole ledger, do not), and it is
noted which functions each of them calls; a mutant is shown the tests that call the function it is in, the quickest first, as
many as take ``SECONDS`` together. It is killed where one of them fails or all take twice as long as they took under watch.

Types, texts, errors' arguments, defaults and named limits (``DIGITS = 30``, ``digits=30``) are left as they are: to change them is
seldom a bug. Kernels run as the Python that they are written in. What is known is kept in the file of results, one line per
run: what was killed is not run again, a survivor is, unless ``benchmarks/survivors.toml`` says why it is none.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pickle
import random
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
REASONS = Path(__file__).with_name("survivors.toml")
SECONDS = 25

TRIALS = "tests/papers/test_trials.py::test_every_argument_holds_on_its_small_runs[{}]"
"""Stands first: what another test has tried is kept, and not called again."""

AREAS = {
    "forms": ("forms", "tests/forms/test_forms.py tests/forms/test_user_forms.py"),
    "the paper's forms": ("papers/adaptive/forms.py", "tests/forms/test_forms.py tests/papers/adaptive/test_forms.py"),
    "process": (
        "process/*.py -process/workload.py -process/compare.py -process/clocks.py -process/flow_bounds.py -process/guarantees.py"
        " -process/hindsight.py -process/measures.py",
        "tests/process/test_engines.py tests/process/test_random.py tests/process/test_input.py tests/process/test_compare.py",
    ),
    "the engine's loops": (
        "process/kernels",
        "tests/process/test_engines.py tests/process/test_release.py tests/process/test_episodes.py"
        " tests/process/test_user_policy.py tests/papers/any_memory/test_policies.py"
        " tests/process/test_compiling.py::test_arrays_that_rules_refer_to_are_told_apart_or_refused",
    ),
    "comparisons and bounds": (
        "process/workload.py process/compare.py process/clocks.py process/flow_bounds.py process/guarantees.py"
        " process/hindsight.py process/measures.py",
        "tests/process/test_compare.py tests/process/test_flow_bounds.py"
        " tests/process/test_hindsight.py tests/process/test_workload.py tests/papers/any_memory/test_guarantees.py"
        " tests/cli/test_guarantees.py",
    ),
    "closed forms": ("closed_form", "tests/closed_form tests/ratios/test_ratios.py"),
    "ratios and derivation": ("ratios", "tests/ratios"),
    "signs": ("signs", "tests/signs tests/ledger/deciders tests/ratios/test_ranges.py"),
    "blind": ("blind", "tests/blind"),
    "discovery": (
        "discovery",
        "tests/discovery/test_at_lengths.py tests/discovery/test_discover.py tests/discovery/test_ordered.py"
        " tests/discovery/test_paced.py tests/discovery/test_phases.py"
        " tests/discovery/test_discover.py::test_without_phases_the_same_entry_is_a_guess"
        " tests/discovery/test_third_differences.py::test_what_vanishes_or_is_within_its_interval_says_nothing"
        " tests/discovery/test_third_differences.py::test_intervals_are_students_and_the_third_size_is_larger"
        " tests/discovery/test_third_differences.py::test_several_lengths_and_s_are_looked_at",
    ),
    "scale-free": ("scale_free.py", "tests/test_scale_free.py"),
    "distributions": ("distributions", "tests/distributions"),
    "worst cases": ("worst_cases", "tests/worst_cases"),
    "proof steps": ("proof", "tests/proof"),
    "exact numbers": (
        "expressions.py enclosure.py setting.py",
        "tests/test_expressions.py tests/test_enclosure.py tests/test_setting.py",
    ),
    "deciders": ("ledger/deciders", "tests/ledger/deciders"),
    "ledger": (
        "ledger/*.py -ledger/certificates.py",
        "tests/ledger/test_cache.py tests/ledger/test_evidence.py tests/ledger/test_given.py"
        " tests/ledger/test_self_test.py",
    ),
    "certificates": (
        "ledger/certificates.py installed_ledgers.py",
        "tests/certificates/test_certificates.py tests/cli/test_new.py tests/ledger/test_own_theory.py tests/test_names.py"
        " tests/ledger/test_bad_ledgers.py::test_only_ledgers_of_this_package_are_kept",
    ),
    "theorems": (
        "papers/adaptive/evidence/restart.py papers/adaptive/evidence/staggered.py",
        "tests/papers/adaptive/theorems",
    ),
    "the paper's claims": ("papers/adaptive/claims", "tests/papers/adaptive/claims tests/ledger/test_self_test.py"),
    "the paper's evidence": (
        "papers/adaptive/evidence papers/adaptive/literal papers/adaptive/policies papers/adaptive/*.py -papers/adaptive/forms.py"
        " -papers/adaptive/evidence/restart.py -papers/adaptive/evidence/staggered.py",
        "tests/papers/adaptive/claims/test_transitions.py tests/papers/adaptive/claims/test_optimality.py"
        " tests/papers/adaptive/literal/test_elimination.py::test_pivots_and_determinants_against_expanded_minors"
        " tests/papers/adaptive/test_forms.py tests/papers/adaptive/test_policies.py"
        " tests/papers/adaptive/claims/test_section_5.py::test_a_bound_that_holds"
        " tests/papers/adaptive/claims/test_section_5.py::test_a_bound_that_fails_fails_at_the_point"
        " tests/papers/adaptive/claims/test_section_5.py::test_what_is_not_decided"
        " tests/papers/adaptive/claims/test_section_5.py::test_the_range_matters"
        " tests/papers/adaptive/claims/test_section_5.py::test_plain_sums"
        " tests/papers/adaptive/claims/test_section_5.py::test_needs_shrink_at_every_place_and_at_larger_cuts"
        " tests/papers/adaptive/claims/test_section_5.py::test_two_lengths_without_prompts_tend_to_2"
        " tests/papers/adaptive/claims/test_section_5.py::test_a_ell_in_closed_form"
        " tests/papers/adaptive/claims/test_section_5.py::test_a_max_is_as_slow_as_what_it_reserves"
        " tests/papers/adaptive/claims/test_section_5.py::test_a_wrong_constant_in_the_theorems_of_the_process_is_caught",
    ),
    "the paper's figures and workloads": (
        "papers/adaptive/figures papers/adaptive/workloads",
        "tests/papers/adaptive/figures tests/papers/adaptive/workloads",
    ),
    "beyond": (
        "papers/beyond",
        TRIALS.format("beyond")
        + " tests/papers/beyond/test_best_blind.py tests/papers/beyond/test_claims.py tests/papers/beyond/test_continuous.py"
        " tests/papers/beyond/test_quasi_concave.py tests/papers/beyond/test_statements.py"
        " tests/papers/beyond/test_theorems.py",
    ),
    "any memory": ("papers/any_memory", TRIALS.format("any-memory") + " tests/papers/any_memory"),
    "nonclairvoyant": ("papers/nonclairvoyant", TRIALS.format("nonclairvoyant") + " tests/papers/nonclairvoyant"),
    "notation": ("notation ledger/display", "tests/notation tests/ledger/test_claim_text.py"),
    "figures and the report": (
        "plotting report",
        "tests/plotting tests/report/test_graph.py tests/report/test_page.py",
    ),
    "command line": (
        "cli __init__.py __main__.py",
        "tests/cli/test_commands.py tests/cli/test_words.py tests/cli/test_list.py tests/cli/test_new.py"
        " tests/discovery/test_discover.py",
    ),
    "files, names and limits": (
        "*.py -__init__.py -__main__.py -installed_ledgers.py -expressions.py -enclosure.py -setting.py -scale_free.py",
        "tests/test_data_files.py tests/test_files.py tests/test_memory.py tests/test_names.py tests/test_parallel.py"
        " tests/test_pickling.py tests/test_schedule.py tests/test_tables.py tests/test_setting.py tests/cli/test_grammar.py"
        " tests/forms/test_user_forms.py",
    ),
    "the checker's kernel": ("check/kernel.py", "tests/certificates/test_kernel.py"),
    "the checker's statements": (
        "check/statements.py check/conditions.py",
        "tests/certificates/test_conditions.py tests/certificates/test_theory.py",
    ),
    "the checker's theories": ("check/theory.py check/facts.py", "tests/certificates/test_theory.py"),
    "what the checker computes": ("check/process.py check/enclosures.py", "tests/certificates/test_computing.py"),
    "the checker's best schedules": (
        "check/best.py",
        "tests/certificates/test_computing.py tests/blind/test_certificate_writer.py",
    ),
}
"""Files of the package or the checker (``-file``: not that one), and the tests that must detect changes of them."""

LONG = "tests/ledger/test_self_test.py::test_wrong_claims_are_caught_and_true_ones_accepted"
"""Decides every variant of every claim, which takes many times ``SECONDS``."""

SWAPPED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: (" in", " not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
LIMITS = {
    "strict",
    "digits",
    "bits",
    "prec",
    "precision",
    "limit",
    "maxsize",
    "tries",
    "terms",
    "steps",
    "seconds",
    "stacklevel",
}
"""Keyword arguments that say how long or how exactly something is computed."""


@dataclass(frozen=True)
class Mutant:
    """One change: the text from ``start`` to ``end`` of a file, as offsets in its bytes; ``within`` are its function's lines."""

    file: Path
    line: int
    start: int
    end: int
    new: str
    within: range | None

    @cached_property
    def key(self) -> str:
        """File and change in one line."""
        source = (ROOT / self.file).read_bytes()
        before = source[: self.start].rsplit(b"\n", 1)[-1].decode()
        after = source[self.end :].split(b"\n", 1)[0].decode()
        return f"{self.file}: {before.lstrip()}[{source[self.start : self.end].decode()} → {self.new}]{after}"


@dataclass(eq=False)  # pytest asks for a hash where tests lie in several folders
class Watch:
    """A pytest plugin: each test's seconds, and the functions (file, first line) that it calls."""

    package: str
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    failed: set[str] = field(default_factory=set[str])
    callers: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    current: str = ""
    called: dict[int, Any] = field(default_factory=dict[int, Any])

    def trace(self, frame: Any, event: str, argument: object) -> None:
        """Note a call; called by the interpreter at each one, so it must be quick where it is not the test's first."""
        code = frame.f_code
        if id(code) not in self.called:
            self.called[id(code)] = code
            if code.co_filename.startswith(self.package):
                self.callers[code.co_filename[len(self.package) + 1 :], code.co_firstlineno].add(self.current)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Let tests that an area names run where they are exhaustive; pytest's hook, before it chooses by marks."""
        unmark(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test begins; pytest's hook."""
        self.current = nodeid
        self.called = {}
        sys.settrace(self.trace)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Add up a test's seconds; pytest's hook."""
        if report.failed:
            self.failed.add(report.nodeid)
        elif not report.skipped:
            self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that call a mutant's function, the quickest first, as many as take ``SECONDS``."""
        name = str(mutant.file)
        called = [self.callers[key] for key in self.callers if key[0] == name and key[1] in (mutant.within or ())]
        found = set(self.seconds) if mutant.within is None else set[str]().union(*called)
        if "" in found:
            found = set(self.seconds)
        chosen, whole = list[str](), 0.0
        for test in sorted(found & set(self.seconds), key=lambda test: (self.seconds[test], test)):
            whole += self.seconds[test]
            if whole < SECONDS or not chosen:
                chosen.append(test)
        return chosen


@dataclass(eq=False)
class Choose:
    """A pytest plugin: run these tests only, in this order."""

    tests: list[str]

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Choose and order the tests; pytest's hook."""
        unmark(items)
        place = {test: i for i, test in enumerate(self.tests)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])


def unmark(items: list[Any]) -> None:
    """Take the mark ``exhaustive`` from the tests that an area names one by one; leave out those that decide a whole ledger."""
    items[:] = [item for item in items if "ledger" not in item.fixturenames]
    named = {test for _, tests in AREAS.values() for test in tests.split() if "::" in test}
    for item in items:
        if item.nodeid in named:
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "exhaustive"]


def mutants(file: Path) -> list[Mutant]:
    """Return all mutants of a file of the package."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for row in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))

    def begin(node: Any) -> int:
        return starts[node.lineno - 1] + node.col_offset

    def end(node: Any) -> int:
        return starts[node.end_lineno - 1] + node.end_col_offset

    def visit(node: ast.AST, within: range | None) -> Iterator[Mutant]:
        def between(left: ast.expr, right: ast.expr, old: str, new: str) -> Iterator[Mutant]:
            place = source.find(old.encode(), end(left), begin(right))
            if place >= 0:
                yield Mutant(file, right.lineno, place, place + len(old), new, within)

        def instead(node: Any, new: str) -> Mutant:
            return Mutant(file, node.lineno, begin(node), end(node), new, within)

        match node:
            case ast.Compare():
                sides = pairwise([node.left, *node.comparators])
                for (left, right), op in zip(sides, node.ops, strict=True):
                    yield from between(left, right, *SWAPPED[type(op)])
            case ast.AugAssign() if type(node.op) in SWAPPED:
                yield from between(node.target, node.value, *SWAPPED[type(node.op)])
            case ast.Expr(value=ast.Call(func=ast.Name(id="need") | ast.Attribute(attr="refuse"))):
                yield instead(node, "pass")
            case ast.BinOp() if type(node.op) in SWAPPED and not _joins_text(node):
                yield from between(node.left, node.right, *SWAPPED[type(node.op)])
            case ast.BoolOp():
                yield from between(node.values[0], node.values[1], *SWAPPED[type(node.op)])
            case ast.Constant(value=bool()):
                yield instead(node, str(not node.value))
            case ast.Constant(value=int() as value) if 0 <= value <= 10:
                yield instead(node, str(value + 1))
            case ast.Name(ctx=ast.Load()) if node.id in NAMES:
                yield instead(node, NAMES[node.id])
            case ast.UnaryOp(op=ast.USub()):
                yield Mutant(file, node.lineno, begin(node), begin(node) + 1, "+", within)
            case ast.UnaryOp(op=ast.Not()):
                yield Mutant(file, node.lineno, begin(node), begin(node) + 3, "", within)
            case _:
                pass
        inner = within
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            inner = range(first, (node.end_lineno or first) + 1)
        for child in _meaningful(node):
            yield from visit(child, inner)

    return list(visit(ast.parse(source), None))


def _meaningful(node: ast.AST) -> list[ast.AST]:
    """Return a node's children without types, texts, errors' arguments, defaults and named limits."""
    match node:
        case ast.FunctionDef():
            return [*node.body]
        case ast.Lambda():
            return [node.body]
        case ast.AnnAssign():
            named = isinstance(node.target, ast.Name) and node.target.id.isupper()
            return [node.value] if node.value and not (named and isinstance(node.value, ast.Constant)) else []
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() | ast.BinOp()) if name.isupper():
            return []
        case ast.JoinedStr() | ast.Raise() | ast.Assert():
            return []
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return []
        case ast.keyword(arg=name) if name in LIMITS:
            return []
        case _:
            return list(ast.iter_child_nodes(node))


def _joins_text(node: ast.BinOp) -> bool:
    """Return whether text is joined or repeated: no arithmetic."""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in (node.left, node.right)
    )


def files_of(area: str) -> list[Path]:
    """Return an area's files, relative to the checkout."""
    found: list[Path] = []
    for part in AREAS[area][0].split():
        name = part.removeprefix("-")
        folder = ROOT if name.startswith("check/") else ROOT / "crtools"
        paths = [path.relative_to(ROOT) for path in folder.glob(name if name.endswith(".py") else f"{name}/**/*.py")]
        found = [path for path in found if path not in paths] if name != part else found + sorted(paths)
    return found


def in_child(copy: Path, files: list[str], plugin: object, limit: int) -> bool:
    """Run tests on the copy of the package, in a process of its own: whether they pass within the seconds of CPU time."""
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        os._exit(_test(copy, files, plugin))
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, 10 * limit)  # also where it sleeps
    _, status = os.waitpid(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return status == 0


def _test(copy: Path, files: list[str], plugin: object) -> int:
    import pytest

    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = isinstance(plugin, Choose)
    environment = {
        "PYTHONPATH": str(copy),
        "XDG_CACHE_HOME": str(copy / "cache"),
        "PYTEST_XDIST_WORKER": "none",
        "CRTOOLS_SEED": "0",
    }
    os.environ |= environment | ({"PYTHONDONTWRITEBYTECODE": "1"} if isinstance(plugin, Choose) else {})
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib", "--tb=no"]
    options += ["--deselect", LONG, "-o", f"pythonpath={copy} {ROOT / 'tests'}"]
    options += ["-x"] if isinstance(plugin, Choose) else []
    paths = [str(ROOT / file) for file in files]
    if isinstance(plugin, Watch):
        sys.settrace(plugin.trace)  # what is called while tests are collected is called by all of them
        threading.settrace(plugin.trace)  # loops run in another thread
    code = int(pytest.main([*options, "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), *paths], [plugin]))
    sys.settrace(None)
    if isinstance(plugin, Watch) and code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        seconds = {test: plugin.seconds[test] for test in plugin.seconds.keys() - plugin.failed}
        (copy / "watched").write_bytes(pickle.dumps((seconds, plugin.failed, dict(plugin.callers))))
    return code


def watched(area: str, copy: Path) -> Watch:
    """Run an area's tests without a change and note what they call; those that fail are named and left out."""
    in_child(copy, AREAS[area][1].split(), Watch(str(copy)), 1200)
    if not (copy / "watched").exists():
        raise SystemExit(f"{area}: its tests do not run to their end without a change")
    watch = Watch(str(copy), *pickle.loads((copy / "watched").read_bytes()))
    for test in sorted(watch.failed):
        print(f"left out, fails without a change: {test}", flush=True)
    return watch


def survives(mutant: Mutant, copy: Path, watch: Watch) -> bool:
    """Return whether all tests that reach a mutant pass."""
    tests = watch.tests_of(mutant)
    if not tests:
        return True
    path = copy / mutant.file
    source = path.read_bytes()
    path.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
    limit = 20 + 2 * round(sum(watch.seconds[test] for test in tests))
    try:
        return in_child(copy, sorted({test.split("::")[0] for test in tests}), Choose(tests), limit)
    finally:
        shutil.copy2(ROOT / mutant.file, path)


def draw(area: str, count: int, seed: int, known: dict[str, list[dict[str, Any]]]) -> list[Mutant]:
    """Return mutants of an area that were not tried yet, drawn at random; ``count`` 0: those that survived."""
    every = {mutant.key: mutant for file in files_of(area) for mutant in mutants(file)}
    if not count:
        why = reasons()
        return [m for key, m in every.items() if key in known and not known[key][-1]["killed"] and key not in why]
    fresh = [mutant for key, mutant in every.items() if key not in known]
    return random.Random(f"{seed} {area}").sample(fresh, min(count, len(fresh)))


def run_area(area: str, drawn: list[Mutant], results: Path) -> None:
    """Run mutants of an area and add what comes out to the file of results. Exhaustive tests run for the checker only."""
    os.environ["PYTEST_ADDOPTS"] = "" if AREAS[area][0].startswith("check/") else "-m 'not exhaustive and not slow'"
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder).resolve()
        shutil.copytree(ROOT / "crtools", copy / "crtools", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "check", copy / "check", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy2(ROOT / "crtools_check.py", copy)
        start = time.monotonic()
        watch = watched(area, copy)
        spent = time.monotonic() - start
        print(f"{area}: {len(drawn)} mutants, {len(watch.seconds)} tests in {spent:.0f} s", flush=True)
        for mutant in drawn:
            survived = survives(mutant, copy, watch)
            row = {"area": area, "mutant": mutant.key, "killed": not survived}
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            tests = len(watch.tests_of(mutant))
            print(f"{'SURVIVED' if survived else 'killed'} {mutant.key} ({mutant.line}; {tests} tests)", flush=True)


def read(results: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the runs of each mutant, the first one first."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        row = json.loads(line)
        found[row["mutant"]].append(row)
    return found


def reasons() -> dict[str, str]:
    """Return why survivors are none, by mutant."""
    rows = tomllib.loads(REASONS.read_text(encoding="utf-8"))["survivor"] if REASONS.exists() else []
    return {row["mutant"]: row["why"] for row in rows}


OUTCOMES = ("killed", "killed since", "code deleted", "survives")


def _outcome(rows: list[dict[str, Any]], exists: bool) -> str:
    """Return what became of a mutant; rows: its runs, the first one first. exists: whether its line is still there."""
    if rows[-1]["killed"]:
        return "killed" if rows[0]["killed"] else "killed since"
    return "survives" if exists else "code deleted"


HEAD = f"""# Does the suite see a bug?

`python benchmarks/mutate.py`: one operator, comparison, sign, truth value or small number is changed at a time, and the area's
tests that call the changed function run (of those that take longer than {SECONDS} s together, the quickest; exhaustive ones for
the checker, or where an area names one). A mutant is killed where one fails or they hang. A survivor gets a test (“killed
since”), its code is found to do nothing and is deleted, or it has its reason below. Of the independent checker all mutants run,
each demand left out among them; of the rest some are drawn at random. A row is of its day: lines that changed since were not
tried again.

Changed signs, bounds, indices and constants of the texts (`check/*.txt`) are tests (`tests/certificates/test_theory.py`,
under `-m exhaustive`): of all changes of a fact none is a false fact that is accepted.
"""


def rows_of(page: Path) -> dict[str, list[str]]:
    """Return the rows of a page of the documentation, by area: the day, and how many mutants had which outcome."""
    lines = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {area: rest for area, *rest in cells if area in AREAS}


def report(results: Path, page: Path) -> str:
    """Return the page of the documentation, Markdown; an area that no result is of keeps the row that it has there."""
    found, why = read(results), reasons()
    here = {mutant.key: area for area in AREAS for file in files_of(area) for mutant in mutants(file)}
    outcomes = {key: _outcome(rows, key in here) for key, rows in found.items()}
    table = rows_of(page)
    for area in {rows[0]["area"] for rows in found.values()}:
        seen = [outcomes[key] for key, rows in found.items() if rows[0]["area"] == area]
        counts = [len(seen), *(seen.count(outcome) for outcome in OUTCOMES)]
        table[area] = [date.today().isoformat(), *map(str, counts)]
    whole = [str(sum(int(row[k]) for row in table.values())) for k in range(1, len(OUTCOMES) + 2)]
    lines = [HEAD, f"| area | day | mutants | {' | '.join(OUTCOMES)} |", "|---" * (len(OUTCOMES) + 3) + "|"]
    lines += [f"| {' | '.join([area, *table[area]])} |" for area in AREAS if area in table]
    lines += [f"| {' | '.join(['all', '', *whole])} |"]
    if undrawn := [area for area in AREAS if area not in table]:
        lines += ["", f"Not drawn from yet: {', '.join(undrawn)}."]
    lines += ["", "## Survivors", ""]
    for key in [*(key for key in why if key in here), *(key for key in outcomes if key not in why)]:
        if outcomes.get(key, "survives") == "survives":
            lines += [f"- `{key}`", f"  {why.get(key, '**not explained**')}"]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="mutants of each area; 0: those that survived before")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--area", choices=sorted(AREAS), action="append", help="only these")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"), help="what is known, one line per run")
    parser.add_argument("--report", type=Path, help="bring this Markdown page up to what is known, and run nothing")
    given = parser.parse_args()
    if given.report:
        given.report.write_text(report(given.results, given.report), encoding="utf-8")
        return
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for loaded_once in (
        "flint",
        "hypothesis",
        "matplotlib.pyplot",
        "numba",
        "pytest",
        "scipy.optimize",
        "sympy",
    ):
        import_module(loaded_once)  # before the processes part
    for area in given.area or list(AREAS):
        if drawn := draw(area, given.count, given.seed, read(given.results)):
            run_area(area, drawn, given.results.resolve())


if __name__ == "__main__":
    main()
