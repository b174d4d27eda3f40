"""The compiled loops of the fast engine; importing a module of this folder imports Numba.

Numba renews the cached code of a file where that file changed, not where a file that it calls did. So cached code
that is older than any file of this folder is removed here.
"""

from contextlib import suppress
from pathlib import Path


def _remove_stale_code() -> None:
    folder = Path(__file__).parent
    with suppress(OSError):
        changed = max(source.stat().st_mtime for source in folder.glob("*.py"))
        for index in folder.glob("__pycache__/*.nbi"):
            if index.stat().st_mtime < changed:
                index.unlink()


_remove_stale_code()
