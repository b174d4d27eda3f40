"""The classics of docs/examples: they verify and certify, corrupted they are refused, and the page says what there is."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import crt
from forged import check, signed
from paths import ROOT

from check.statements import of_files

EXAMPLES = ROOT / "docs" / "examples"
TEXT = (EXAMPLES / "classics.txt").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "classics.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def classics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two files, and their certificates."""
    folder = tmp_path_factory.mktemp("classics")
    for name in ("classics.py", "classics.txt"):
        shutil.copy(EXAMPLES / name, folder)
    done = crt(
        "verify", "--ledger", str(folder / "classics.py"), "--certificates", str(folder / "certs"), "--jobs", "1"
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_the_classics_are_certified_with_the_sentences_that_the_page_says(classics: Path) -> None:
    done = check(str(classics / "certs"), "--theory", str(classics / "classics.txt"), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 0 and report["accepted"]
    found = {row["id"]: (row["facts"], row["sentences"]) for row in report["certificates"]}
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert {id: (int(facts), int(said)) for id, facts, said in rows} == found and len(rows) == 12


@pytest.mark.exhaustive
def test_every_wrong_value_of_the_classics_is_caught(classics: Path) -> None:
    done = crt("verify", "--ledger", str(classics / "classics.py"), "--self-test", "--json", "--jobs", "1")
    found = json.loads(done.stdout)["self_test"]
    assert (done.returncode, found["caught"], found["wrong"], found["accepted"], found["true"]) == (0, 17, 17, 2, 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("claim", "old", "new"),
    [
        ("three-halves", '"machine": [\n   0,', '"machine": [\n   1,'),
        ("three-halves", '"m": 3', '"m": 4'),
        ("move-to-front", '"factor": "2"', '"factor": "3/2"'),
        ("ski-rental-random", "(1-1/b)**b", "(1-1/b)**(b+1)"),
        ("threshold", '"how long to look"', '"one candidate more(chance)"'),
    ],
)
def test_a_changed_certificate_of_a_classic_is_refused(
    classics: Path, tmp_path: Path, claim: str, old: str, new: str
) -> None:
    own = (classics / "certs" / f"{claim}.online.json").read_text(encoding="utf-8")
    assert old in own
    changed = tmp_path / f"{claim}.online.json"
    changed.write_text(json.dumps(signed(json.loads(own.replace(old, new, 1)))), encoding="utf-8")
    assert check(str(changed), "--theory", str(classics / "classics.txt")).returncode == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("break_even(b) = 2 - 1/b", "break_even(b) = 2 - 2/b"), ("break_even(b) = 2 - 1/b", "break_even(b) = 2"),
        ("1/(1 - (1 - 1/b)^b)", "1/(1 - (1 - 1/b)^(b + 1))"), ("at_limit(e) = e/(e - 1)", "at_limit(e) = e/(e - 2)"),
        ("graham(m) = 2 - 1/m", "graham(m) = 2 - 2/m"), ("graham(m) = 2 - 1/m", "graham(m) = 2"), ("4/3 - 1/(3*m)", "4/3 - 1/(2*m)"),
        ("last_of_list(n) = 2 - 2/(n + 1)", "last_of_list(n) = 2 - 2/n"), ("pages(k) = k", "pages(k) = k - 1"),
        ("pages(k) = k", "pages(k) = k + 1"),
        ("Sum(1/j, (j, 1, k))\n\ntheorem phases", "Sum(1/j, (j, 2, k))\n\ntheorem phases"),
        ("r/n*Sum(1/k, (k, r, n - 1))", "r/n*Sum(1/k, (k, r, n))"),
        ("given factor = 2\n", "given factor = 19/10\n"), ("for n >= r + 1: n*found", "for n >= r: n*found"),
        ("p >= 0, o >= p, m*o >= W >= p", "p >= 0, o >= 0, m*o >= W >= p"), ("[late] b >= 2, i >= b + 1", "[late] b >= 2, i >= b - 1"),
        ("b >= 2, 1/b >= t >= 0: at_limit", "b >= 2, 1/b >= t >= -3: at_limit"), ("b >= 2, for d >= 0", "b >= 1, for d >= 0"),
    ],
)  # fmt: skip
def test_a_changed_text_of_the_classics_is_refused(tmp_path: Path, old: str, new: str) -> None:
    changed = tmp_path / "classics.txt"
    changed.write_text(TEXT.replace(old, new), encoding="utf-8")
    assert TEXT.count(old) == 1 and check("--theory", str(changed)).returncode == 1


def test_the_page_shows_lines_of_the_text() -> None:
    lines = {line.strip() for line in TEXT.splitlines()}
    shown = [line.strip() for own in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in own.splitlines()]
    assert len(shown) > 20 and [line for line in shown if line not in lines] == []


def test_a_theorem_without_numbers_is_counted_as_it_is_named() -> None:
    book = of_files([str(EXAMPLES / "classics.txt")])
    assert book.claims["threshold", "online"].given == {}
