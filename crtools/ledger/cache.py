"""A cache of decided claims on disk. The key is a digest of all sources that decide, the claim, its values, and the versions in use.

A result is never reused for other code, other values or other libraries. A file that cannot be read is ignored, and the claim is
decided again. Only this package's ledgers are cached: a user's ledger may read files that no key can name. The folder holds
one JSON file for each result and can be deleted at any time. An entry begins with a digest of its key and its content, so
that a truncated or moved file is detected; whoever can write the folder can also compute the digest. joblib.Memory and
diskcache check no digest and unpickle what they find.
"""

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
PACKAGE = Path(__file__).parents[1]

ONLY_SHOWN = ("cli/", "report/", "plotting/", "ledger/display/")
"""Folders of the package that only print and draw; no verdict depends on them."""


@dataclass(frozen=True)
class ResultCache:
    """A folder of decided claims of a ledger, and of the evidence of single findings.

    ``owner`` names the ledger. Writing is atomic, so that an interrupted run leaves whole files only.
    """

    folder: Path
    owner: str

    def read(self, kind: Any, name: str, given: Mapping[str, str]) -> Any:
        """Return the stored object of a type for a name and values; None where there is none, or its file is damaged."""
        key, path = self._entry(name, given)
        try:
            digest, _, text = path.read_text(encoding="utf-8").partition("\n")
        except (OSError, ValueError):
            return None
        return from_data(kind, json.loads(text)) if digest == _digest(key + text) else None

    def write(self, result: Any, name: str, given: Mapping[str, str]) -> bool:
        """Store a dataclass for a name and values; return whether that was possible."""
        (key, path), text = self._entry(name, given), json.dumps(asdict(result), allow_nan=False)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole({path: f"{_digest(key + text)}\n{text}".encode()})
        except OSError:
            return False
        return True

    def _entry(self, name: str, given: Mapping[str, str]) -> tuple[str, Path]:
        """Return the key of a name and values, and its file."""
        key = json.dumps([code_digest(), versions(), self.owner, name, sorted(given.items())])
        return key, self.folder / f"{name}-{_digest(key)}.json"


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
    """Return a digest of the sources and data of crtools and of the judge, without the folders that only print and draw."""
    roots = {"": PACKAGE, "check/": Path(check.__file__).parent}
    paths = {
        f"{prefix}{path.relative_to(root).as_posix()}": path
        for prefix, root in roots.items()
        for path in root.rglob("*")
    }
    digests = {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(paths.items())
        if path.is_file() and "__pycache__" not in path.parts and not name.startswith(ONLY_SHOWN)
    }
    return _digest(" ".join(f"{name} {digest}" for name, digest in digests.items()))


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
        members = [member for member in arguments if member is not type(None)]
        return from_data(next(m for m in members if len(members) == 1 or m.kind == data["kind"]), data)
    if origin is tuple:
        return tuple(from_data(arguments[0], row) for row in data)
    return data


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
