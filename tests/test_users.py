"""``docs/hooks/users.py``: who uses a module, and the tests of it."""

from __future__ import annotations

import sys

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT / "docs" / "hooks"))

import users

FIGURES = "crtools/papers/adaptive/figures/"


@pytest.mark.parametrize(
    ("path", "kind", "user"),
    [
        ("crtools/ratios/limits.py", "used by", "crtools/ratios/derivation.py"),
        ("crtools/ratios/ratio.py", "used by", "crtools/cli/ratios.py"),  # in a function
        (
            "crtools/process/compare.py",
            "tests",
            "tests/process/test_compare_clocks.py",
        ),  # through the package that exports it
        (
            "crtools/papers/adaptive/claims/matrices.py",
            "used by",
            "crtools/papers/adaptive/claims/__init__.py",
        ),  # in a list
        ("crtools/papers/adaptive/claims/matrices.py", "tests", "tests/certificates/test_given.py"),  # by a claim's id
        (f"{FIGURES}latency.py", "tests", "tests/papers/adaptive/figures/test_figures.py"),  # by its name
        ("check/kernel.py", "used by", "crtools/ledger/verdict.py"),
        ("crtools/process/kernels/queues.py", "named in", "docs/mutations.md"),
    ],
)
def test_a_use_is_found(path: str, kind: str, user: str) -> None:
    assert user in users.users(path)[kind]


def test_a_module_does_not_use_itself_or_what_only_has_its_name() -> None:
    assert users.used("crtools/ratios/limits.py").isdisjoint({"crtools.ratios.limits", "crtools.ratios.derivation"})
    assert "crtools/ratios/ratio.py" not in users.users("crtools/ratios/ratio.py")["used by"]
    assert "crtools/forms/base.py" not in users.users("crtools/worst_cases/base.py")["used by"]


def test_every_module_has_a_user_and_a_test() -> None:
    modules = [
        path
        for path in users.sources()
        if path.startswith("crtools/") and not path.endswith(("__init__.py", "__main__.py"))
    ]
    unused = {path for path in modules if not users.users(path)["used by"]}
    assert unused == {
        f"crtools/papers/adaptive/{name}.py" for name in ("tails", "policies/settling")
    }  # for users, in the documentation
    assert [path for path in modules if not (users.users(path)["tests"] or users.tests_of_users(path))] == []


def test_it_prints_a_line_for_each_kind(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    users.main(["crtools/process/kernels/queues.py"])
    path, *lines = capsys.readouterr().out.splitlines()
    assert path == "crtools/process/kernels/queues.py"
    assert [line.split(":")[0].strip() for line in lines] == ["used by", "tests", "named in", "tests of what uses it"]
    with pytest.raises(SystemExit, match=r"README.md: must be a Python file"):
        users.main(["README.md"])
