"""A cache of decided claims on disk. The key is a digest of the sources that a claim can run, its values, and the versions in use.

A result is never reused for other code, other values or other libraries. A file that cannot be read is ignored, and the claim is
decided again. Only this package's ledgers are cached: a user's ledger may read files that no key can name. The folder holds
one JSON file for each result and can be deleted at any time. An entry begins with a digest of its key and its content, so
that a truncated or moved file is detected; whoever can write the folder can also compute the digest. joblib.Memory and
diskcache check no digest and unpickle what they find.
"""

import json
import os
import platform
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

import check
from crtools.errors import InputError
from crtools.files import write_whole

LIBRARIES = ("sympy", "python-flint", "numpy", "scipy", "numba", "mpmath")
PACKAGE = Path(__file__).parents[1]

ONLY_SHOWN = ("cli/", "report/", "plotting/", "ledger/display/")
"""Folders of the package that only print and draw; no verdict depends on them."""

ONLY_IF_IMPORTED = frozenset({"claims", "evidence", "discovery"})
"""Folders, and modules of a theory, that a claim can run only if its module imports them, directly or through others. All other modules
count for every claim, because they may be loaded by name (policies, forms, trials of a theory's text)."""

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(crtools[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+(crtools[\w.]*))",
    re.MULTILINE,
)
"""An import of this package, at the top of a module, within a function, or for types only."""


@dataclass(frozen=True)
class ResultCache:
    """A folder of decided claims of a ledger, and of the evidence of single findings.

    ``owner`` names the ledger, ``sources`` is the digest of the code that the results depend on. Writing is atomic, so that an
    interrupted run leaves whole files only.
    """

    folder: Path
    owner: str
    sources: str = field(default_factory=lambda: code_digest())

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
        key = json.dumps([self.sources, versions(), self.owner, name, sorted(given.items())])
        return key, self.folder / f"{name}-{_digest(key)}.json"


def results_in(folder: str | Path | None, owner: str, module: str = "") -> ResultCache | None:
    """Return the cache in a folder for an owner's results; None where there is no folder, or the owner's results are not cached.

    ``module``: the module that defines the claim whose results are meant; "" for results that depend on all sources.
    """
    return ResultCache(Path(folder), owner, code_digest(module)) if folder is not None and owner else None


def default_folder() -> Path:
    """Return $XDG_CACHE_HOME/crtools, or ~/.cache/crtools where that variable is not an absolute path.

    Raises ``InputError`` where there is no home folder either.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (named if named.is_absolute() else Path("~/.cache").expanduser()) / "crtools"
    except RuntimeError:
        raise InputError("HOME", "", "must be a folder, or XDG_CACHE_HOME one") from None


def code_digest(module: str = "") -> str:
    """Return a digest of the sources and data of crtools and of the judge, without the folders that only print and draw.

    With the ``module`` that defines a claim: without the modules of ``ONLY_IF_IMPORTED`` that it does not import.
    """
    sources = read_sources(PACKAGE)
    names = set(sources)
    if module:
        names = _imported(sources, (name for name in sources if not _is_optional(name) or _module(name) == module))
    return _digest(" ".join(f"{name} {sources[name].digest}" for name in sorted(names)))


def _is_optional(name: str) -> bool:
    path = Path(name)
    parts = path.with_suffix("").parts if name.startswith("papers/") else path.parts
    return path.suffix == ".py" and not ONLY_IF_IMPORTED.isdisjoint(parts)


class Source(NamedTuple):
    """The digest of a file and, of a module of the package, the files that it imports."""

    digest: str
    imports: frozenset[str]


@cache
def read_sources(package: Path) -> dict[str, Source]:
    """Return the files of the package and of the judge by their relative names, each read once in a process."""
    files = {name: path for name, path in _files(package).items() if not name.startswith(ONLY_SHOWN)}
    files |= {f"check/{name}": path for name, path in _files(Path(check.__file__).parent).items()}
    by_module = {_module(name): name for name in files if name.endswith(".py")}
    contents = {name: path.read_bytes() for name, path in files.items()}
    imports = {name: _imports(contents[name].decode(), by_module) for name in by_module.values()}
    return {name: Source(sha256(data).hexdigest(), imports.get(name, frozenset())) for name, data in contents.items()}


def _files(root: Path) -> dict[str, Path]:
    paths = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path for path in paths}


def _module(name: str) -> str:
    return f"crtools/{name}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(text: str, by_module: Mapping[str, str]) -> frozenset[str]:
    candidates: set[str] = set()
    for package, names, module in IMPORT.findall(text):
        candidates |= {package, module, *(f"{package}.{word}" for word in re.findall(r"\w+", names))}
    return frozenset(by_module[candidate] for candidate in candidates if candidate in by_module)


def _imported(sources: Mapping[str, Source], roots: Iterable[str]) -> set[str]:
    """Return the files that some files import, directly or through others, and these."""
    needed, waiting = set[str](), list(roots)
    while waiting:
        if (name := waiting.pop()) not in needed:
            needed.add(name)
            waiting += sources[name].imports
    return needed


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
    return sha256(text.encode()).hexdigest()
