"""Ledgers of one's own: nothing stale is believed, and what cannot be meant is refused in one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import crt
from made_up import MADE_UP

from crtools.errors import InputError
from crtools.installed_ledgers import comes_with_crtools
from crtools.ledger import Variant, cache, verify
from crtools.ledger.registry import ledgers
from crtools.ledger.run import self_test

LEDGER = """
from pathlib import Path
from crtools.ledger import *
{first}
LEVELS = (Level("form", "f", "the forms", "is it right?"), Level("run", "r", "runs", "and there?"))
def decide(given):
    found = Certified(3, "$3$", 3) if {value} == 3 else Refuted({{"n": 1}}, 3, 4, 4)
    return Decision("counted", (Verdict({level!r}, "always", "counted", "count", (Finding("three", "it is 3", found),)),), PublishedProof())
CLAIM = Claim(id="three", place="p", statement="it is 3", stated_at={stated!r}, given={{}}, decide=decide)
LEDGER = Ledger(name="own", title="t", source="s", levels=LEVELS, load=lambda: {claims})
"""


def ledger(folder: Path, **parts: str) -> str:
    usual = {"first": "", "value": "3", "level": "form", "stated": "form", "claims": "(CLAIM,)"}
    file = folder / "own.py"
    file.write_text(LEDGER.format(**(usual | parts)), encoding="utf-8")
    return str(file)


def status(folder: Path, file: str) -> str:
    """Return the verdict of a process of its own, as each run of a user's is."""
    command = [sys.executable, "-m", "crtools", "verify", "--ledger", file, "--json", "--cache", str(folder / "kept")]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr.count("\n") == 1
    assert "no results are kept of own" in done.stderr
    return json.loads(done.stdout)["claims"][0]["levels"][0]["status"]


@pytest.mark.exhaustive  # takes seconds
@pytest.mark.parametrize(
    ("name", "first", "value"),
    [
        ("helper.py", "from helper import NUMBER", "NUMBER"),
        ("data.txt", "", "int(Path('data.txt').read_text().split()[-1])"),
    ],
)
def test_what_a_claim_reads_beside_its_file_is_never_stale(tmp_path: Path, name: str, first: str, value: str) -> None:
    file = ledger(tmp_path, first=first, value=value)
    (tmp_path / name).write_text("NUMBER = 3\n")
    assert status(tmp_path, file) == "certified"
    (tmp_path / name).write_text("NUMBER = 4\n")
    assert status(tmp_path, file) == "refuted"
    assert list((tmp_path / "kept").glob("*")) == []


def test_only_ledgers_of_this_package_are_kept(tmp_path: Path) -> None:
    own = ledgers()
    assert all(cache.results_in(tmp_path, known.owner) is not None for known in own.values())
    for other in (MADE_UP, replace(own["adaptive"]), replace(own["adaptive"], name="other")):
        assert not comes_with_crtools(other)
        assert cache.results_in(tmp_path, other.owner) is None


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"level": "forms"}, "three speaks at level 'forms', which must be one of form, run"),
        ({"stated": "frm"}, "three speaks at level 'frm', which must be one of form, run"),
        ({"stated": "run"}, "three has none at 'run'"),
        ({"claims": "(CLAIM, CLAIM)"}, "two claims are 'three'"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--json",), ("--show",), ("--jobs", "2")])
def test_a_ledger_that_cannot_be_meant_is_refused(
    tmp_path: Path, parts: dict[str, str], said: str, more: tuple[str, ...]
) -> None:
    done = crt("verify", "--ledger", ledger(tmp_path, **parts), *more)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    line = json.loads(done.stderr)["error"] if "--json" in more else done.stderr.removeprefix("crtools: ")
    assert line.startswith("ledger = ") and said in line


def test_two_verdicts_at_a_level_and_none_at_all_are_refused() -> None:
    claim = MADE_UP.claims[0]
    decision = claim.check()
    for verdicts in ((), decision.verdicts * 2):
        changed = replace(claim, decide=lambda given, verdicts=verdicts: replace(decision_of(claim), verdicts=verdicts))
        with pytest.raises(InputError, match="verdict"):
            verify(ledger=replace(MADE_UP, load=lambda changed=changed: (changed,)))


def test_a_claim_that_returns_no_decision_is_refused() -> None:
    claim = replace(MADE_UP.claims[0], decide=lambda given: None)
    with pytest.raises(InputError, match=f"claim = {claim.id}: must return a Decision, not NoneType"):
        verify(ledger=replace(MADE_UP, load=lambda: (claim,)))


def decision_of(claim: Any) -> Any:
    from crtools.ledger import Given

    return claim.decide(Given(claim.given))


def test_a_self_test_of_nothing_is_refused(tmp_path: Path) -> None:
    done = crt("verify", "--ledger", ledger(tmp_path), "--self-test")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "none of the selected claims has a variant" in done.stderr


def test_a_variant_of_a_finding_that_there_is_not_is_refused() -> None:
    claim = replace(MADE_UP.claims[0], corrupted=(Variant("odd", {}, "no-such"),), variants=())
    with pytest.raises(InputError, match=r"variant = odd: .*no-such"):
        self_test(ledger=replace(MADE_UP, load=lambda: (claim,)))


def test_an_internal_check_that_fails_names_the_claim() -> None:
    def fails(_: Any) -> Any:
        raise AssertionError("two computations of ratio differ")

    claim = replace(MADE_UP.claims[0], decide=fails)
    with pytest.raises(AssertionError, match=f"^{claim.id}: two computations of ratio differ$"):
        verify(ledger=replace(MADE_UP, load=lambda: (claim,)))


@pytest.mark.parametrize("more", [(), ("--json",), ("--show",)])
def test_a_level_at_which_nothing_is_said_is_refused(more: tuple[str, ...]) -> None:
    done = crt("verify", "trace", "--level", "form", *more)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--level = form: no claim that is asked for says anything there" in done.stderr
    assert "form-at-zero" in done.stderr
