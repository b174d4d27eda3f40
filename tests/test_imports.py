"""Importing the package and asking for help load nothing heavy; every public name is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import crtools

HEAVY = ("sympy", "scipy", "numba", "matplotlib", "flint", "numpy", "tqdm", "mpmath")
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


def test_the_check_sees_what_is_loaded() -> None:
    assert "numpy" in loaded("import crtools; crtools.worst_case")


@pytest.mark.parametrize("name", crtools.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(crtools, name) is not None
    assert name in dir(crtools)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = crtools.nonsense
