"""Decided claims on disk, found again by content: the checkers' source, the claim, its values, the versions in use.

Nothing is ever taken over from other code, other values or other libraries; what cannot be read is decided anew. Only
this package's ledgers are kept: what another one's claims read, in modules and files of its own, no key can name. The
folder holds one JSON file for each result and can be deleted at any time. An entry begins with a digest of its key and
its content, so that one that was cut, changed or put in another's place is decided anew too; it keeps nobody out who
can write the folder and compute the digest. joblib.Memory and diskcache check no digest, and unpickle what they find.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import types
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import check
from crtools.errors import InputError
from crtools.files import write_whole

LIBRARIES = ("sympy", "python-flint", "numpy", "scipy", "numba", "mpmath")
ONLY_SHOWN = ("cli", "report", "plotting")
"""Folders of the package that print and draw: no verdict depends on them."""


@dataclass(frozen=True)
class ResultCache:
    """A folder of what was decided about a ledger's claims, and of the evidence of single findings.

    ``owner`` names the ledger. Writing is atomic, so that an interrupted run leaves whole files only.
    """

    folder: Path
    owner: str

    def read(self, kind: Any, name: str, given: Mapping[str, str]) -> Any:
        """Return the object of a type that this code found under a name with these values, or None, also for a damaged file."""
        key = self._key(name, given)
        try:
            digest, _, text = self._path(name, key).read_text(encoding="utf-8").partition("\n")
        except (OSError, ValueError):
            return None
        return from_data(kind, json.loads(text)) if digest == _digest(key + text) else None

    def has(self, name: str, given: Mapping[str, str]) -> bool:
        """Return whether there is a file of what was found, unread."""
        return self._path(name, self._key(name, given)).is_file()

    def write(self, found: Any, name: str, given: Mapping[str, str]) -> bool:
        """Keep a dataclass under a name and values; return whether that was possible."""
        key, text = self._key(name, given), json.dumps(asdict(found), allow_nan=False)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole({self._path(name, key): f"{_digest(key + text)}\n{text}".encode()})
        except OSError:
            return False
        return True

    def _key(self, name: str, given: Mapping[str, str]) -> str:
        return json.dumps([code_digest(), versions(), self.owner, name, sorted(given.items())])

    def _path(self, name: str, key: str) -> Path:
        return self.folder / f"{name}-{_digest(key)}.json"


def results_in(folder: str | Path | None, owner: str) -> ResultCache | None:
    """Return what keeps an owner's results in a folder; None where there is no folder, or nobody whose results are kept."""
    return ResultCache(Path(folder), owner) if folder is not None and owner else None


def default_folder() -> Path:
    """Return $XDG_CACHE_HOME/crtools, or ~/.cache/crtools where that variable is not an absolute path.

    Raises ``InputError`` where there is no home folder either.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (named if named.is_absolute() else Path("~/.cache").expanduser()) / "crtools"
    except RuntimeError:
        raise InputError("HOME", "", "must be a folder, or XDG_CACHE_HOME one") from None


@cache
def code_digest() -> str:
    """Return a digest of the package's sources and data, but for those that only print and draw, and of the judge's."""
    folders = _of_folder(Path(__file__).parents[1], ONLY_SHOWN), _of_folder(Path(check.__file__).parent, ())
    return _digest(" ".join(folders))


def _of_folder(root: Path, without: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.is_file() and relative.parts[0] not in without and "__pycache__" not in relative.parts:
            content = path.read_bytes()
            digest.update(f"{relative.as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of Python and of the libraries that a verdict can depend on."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (python, *(f"{name} {version(name)}" for name in LIBRARIES))


def from_data(kind: Any, data: Any) -> Any:
    """Return the object of a type that ``dataclasses.asdict`` and JSON turned into ``data``.

    Reads dataclasses (a field that is missing takes its default), tuples of one type, unions with None, and unions of
    dataclasses that differ in the default of their field ``kind``.
    """
    if data is None:
        return None
    if is_dataclass(kind):
        hints, names = get_type_hints(kind), [f.name for f in fields(kind) if f.name in data]
        return cast(Any, kind)(**{name: from_data(hints[name], data[name]) for name in names})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return from_data(_member(arguments, data), data)
    if origin is tuple:
        return tuple(from_data(arguments[0], row) for row in data)
    return data


def _member(kinds: tuple[Any, ...], data: Any) -> Any:
    """Return the type of a union that data belongs to: the one of its ``kind``, or the one that is not None."""
    own = [kind for kind in kinds if kind is not type(None)]
    return own[0] if len(own) == 1 else next(kind for kind in own if kind.kind == data["kind"])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
