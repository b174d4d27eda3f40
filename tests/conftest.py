"""Property tests draw the same examples on every run, others those of CRTOOLS_SEED, another one on every run unless given.

The ledger is decided once, commands keep results in a folder.

The folder is the run's own, or CRTOOLS_TESTS_FOLDER, which several runs may share, and shared by its processes: what one
of them keeps there is found again by the others. A process lives for minutes: SymPy remembers more there, and Python looks
for garbage less often.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import tempfile
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import is_hypothesis_test, settings
from paths import ROOT

from check.kernel import MOST_WORK, Work
from crtools import budget

if TYPE_CHECKING:
    from crtools.ledger.claim import ClaimResult

os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads of several processes would wait for each other
gc.set_threshold(100_000, 20, 1000)
sys.dont_write_bytecode = False  # what tests start, and the next run, would compile crtools and the tests anew
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

budget.SECONDS = 600.0  # a budget is of time on the wall: a machine may have other work
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers inherit both from the process that starts them
    _kept = tempfile.TemporaryDirectory(prefix="crtools-tests-")
    os.environ["XDG_CACHE_HOME"] = os.environ.get("CRTOOLS_TESTS_FOLDER") or _kept.name
    os.environ.setdefault("CRTOOLS_SEED", str(random.SystemRandom().randrange(10**9)))


LONGEST = (
    "papers/adaptive/claims/test_claims.py",
    "ratios/test_derivation.py",
    "proof/test_coq.py",
    "distributions/test_distributions.py",
    "blind/test_best.py",
    "certificates/test_theory.py",
    "process/test_real_process.py",
    "certificates/test_certificates.py",
    "process/test_engine.py",
    "papers/adaptive/claims/test_wrong_verdicts.py",
    "ledger/test_self_test.py",
    "report/test_page.py",
    "report/test_browser.py",
    "process/test_dask.py",
)
"""The files that take longest: they are begun first, so that no process is left with one at the end.

The first compiles the loops of the engine; those after it need none of them meanwhile.
"""


SLOW = {
    test: int(every) for test, every in map(str.split, (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines())
}
"""Tests of which only every n-th row runs by default (0: none); ``benchmarks/slow_tests.py`` writes the list."""


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave all but one in so many rows of a sweep to the exhaustive run, and of slow tests to theirs; begin with the longest files.

    The first of these decides the whole ledger. Property tests belong to both runs, with a third of their examples in the
    short one.
    """
    properties = [item for item in items if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj)]
    if config.option.markexpr == "exhaustive":
        for item in properties:
            item.add_marker(pytest.mark.exhaustive)
    else:
        for test in dict.fromkeys(item.obj for item in properties):
            own = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(own, max_examples=max(own.max_examples // 3, 1))
    sweeps = {item: mark.args[0] for item in items if (mark := item.get_closest_marker("one_in"))}
    _mark_all_but_one_in(sweeps, pytest.mark.exhaustive)
    short = (item for item in items if not item.get_closest_marker("exhaustive"))
    _mark_all_but_one_in({item: SLOW[name] for item in short if (name := _name(item)) in SLOW}, pytest.mark.slow)
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(LONGEST)))


def _name(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _mark_all_but_one_in(every: dict[pytest.Item, int], mark: pytest.MarkDecorator) -> None:
    """Mark the rows of each test but for every n-th, of 0 all, where ``every`` says n."""
    seen: Counter[str] = Counter()
    for item, n in every.items():
        if n == 0 or seen[_name(item)] % n:
            item.add_marker(mark)
        seen[_name(item)] += 1


def pytest_runtest_setup() -> None:
    """Let a test ask the judge's functions without a document, whatever the last refused one has spent."""
    Work.left = MOST_WORK


def pytest_collection_finish() -> None:
    """What the tests are made of stays: do not look at it again for garbage."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """The process ends: no garbage of minutes is looked for."""
    gc.freeze()


@pytest.fixture(scope="session")
def ledger() -> list[ClaimResult]:
    """The whole ledger, decided once for all tests that ask for it: two processes begin at its two ends."""
    from crtools import verify
    from crtools.ledger.cache import default_folder
    from crtools.ledger.registry import load

    ids = [claim.id for claim in load().claims]
    backwards = os.environ.get("PYTEST_XDIST_WORKER", "")[-1:] in tuple("13579")
    for id in (
        reversed(ids) if backwards else ids
    ):  # what the other process has decided meanwhile is found in the folder
        verify([id], cache=default_folder())
    return verify(cache=default_folder())


@pytest.fixture(scope="session")
def report_page(ledger: list[ClaimResult]) -> str:
    """The report's page with the figures of the repository."""
    from crtools.ledger.registry import load
    from crtools.report.page import page, read_figures

    return page(ledger, load(), read_figures(load().figures(), [result.id for result in ledger], ROOT / "figures"))


@pytest.fixture(scope="session")
def made_up() -> list[ClaimResult]:
    """The made-up ledger, decided."""
    from made_up import results

    return results()


@pytest.fixture(scope="session")
def made_up_page(made_up: list[ClaimResult], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its page, with a figure."""
    from made_up import MADE_UP
    from PIL import Image

    from crtools.report.page import page, read_figures

    folder = tmp_path_factory.mktemp("figures")
    Image.new("RGB", (40, 30), "white").save(folder / "growth.png")
    return page(made_up, MADE_UP, read_figures(MADE_UP.figures(), [result.id for result in made_up], folder))
