"""Importing the package and asking for help load nothing heavy; every public name is there."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest
from parsed import TOOLKIT, parsed, source
from paths import ROOT

import crtools

HEAVY = ("sympy", "scipy", "numba", "matplotlib", "flint", "numpy", "rich", "mpmath", "joblib", "distributed")
SHOW = "import sys; print(' '.join(sorted({m.partition('.')[0] for m in sys.modules})), file=sys.stderr)"


def loaded(code: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", f"{code}\n{SHOW}"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


HELP = """
from crtools.cli import main
try:
    main([{}])
except SystemExit as leave:
    assert leave.code in (0, None)
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "code",
    ["import crtools", "import crtools; dir(crtools)", "import crtools.errors, crtools.cli"]
    + [
        HELP.format(a)
        for a in ("", "'--help'", "'--version'", "'verify', '--help'", "'figure', '--help'", "'report', '--help'")
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    modules = loaded(code)
    assert "crtools" in modules
    assert not modules & set(HEAVY)


def test_what_runs_requests_does_not_load_scipy() -> None:
    assert "scipy" not in loaded("import crtools.process, crtools.papers.beyond.policies")


def test_the_check_sees_what_is_loaded() -> None:
    assert "numpy" in loaded("import crtools; crtools.worst_case")


@pytest.mark.parametrize("name", crtools.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(crtools, name) is not None
    assert name in dir(crtools)


def test_the_version_is_the_same_wherever_it_stands() -> None:
    assert (
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        == crtools.__version__
    )
    assert f"\nversion: {crtools.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = crtools.nonsense


def test_nothing_in_the_toolkit_imports_a_paper() -> None:
    assert len(TOOLKIT) > 100
    for path in TOOLKIT.values():
        for node in ast.walk(parsed(source(path))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.startswith("crtools.papers") for name in names), f"{path} imports {names}"


PAPERS_NAMES = re.compile(r"\ba[-_](min|max|random|restart)(?![a-z])|\ba-ell\b|\bA_(MIN|MAX|RANDOM|ELL|RESTART)\b")


def names_of_the_paper(code: str) -> set[str]:
    """The policies and forms of the paper that code names, docstrings apart."""
    tree = parsed(code)
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            found |= {match.group(0) for match in PAPERS_NAMES.finditer(node.value)}
        elif isinstance(node, ast.Name | ast.Attribute):
            found |= {m.group(0) for m in PAPERS_NAMES.finditer(node.id if isinstance(node, ast.Name) else node.attr)}
    return found


def test_the_toolkit_knows_no_policy_of_the_paper() -> None:
    assert not {name: names for name, path in TOOLKIT.items() if (names := names_of_the_paper(source(path)))}
    code = '"""a-min"""\nx = ["a-max", "a_min_literal_starts"]\nA_ELL = P.A_MIN'
    assert names_of_the_paper(code) == {"a-max", "a_min", "A_ELL", "A_MIN"}


def test_the_default_form_is_the_ledgers() -> None:
    assert crtools.derive("geometric(q=1/2)").policy.name == crtools.worst_case(u=2).policy.name == "a-min"
    with pytest.raises(crtools.InputError, match="policy"):
        crtools.derive("geometric(q=1/2)", "")


@pytest.mark.exhaustive  # takes seconds
def test_a_ledger_loads_no_claim_until_it_is_asked_for() -> None:
    looks = "import sys; found = [m for m in sys.modules if m.startswith('crtools.papers.adaptive.claims')]"
    code = "from crtools.ledger.registry import load; ledger = load()"
    loaded(f"import crtools.ledger; {code}; {looks}; assert not found")
    brings = "ledger.forms(), ledger.policies(), ledger.figures()"
    loaded(f"{code}; {brings}; import crtools; crtools.simulate('a-min', [1, 2], 9); {looks}; assert not found")
    loaded(f"{code}; ledger.claims; {looks}; assert found")
