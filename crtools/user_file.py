"""``FILE.py[:NAME]``: read a form, a policy or a law from a user's Python file.

The file is run, as ``python FILE.py`` would run it, and can import its neighbours. No other text that names a law, a
form or a policy is ever evaluated.
"""

import re
import sys
import traceback
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from crtools.errors import InputError
from crtools.files import input_file

_TEXT = re.compile(r"(?P<file>.*\.py)(?::(?P<name>[\w.-]+))?", re.DOTALL)

RESERVED = ("crtools", "check", "crtools_check")
"""Modules that never count as neighbours of a file."""


class Kind(NamedTuple):
    """What to look for in a file: its name in words, its Python type, and the attribute of a ledger that brings some.

    ``instead`` is a hint for an error; ``families`` returns the prefixes of names such as NAME:TEXT.
    """

    words: str
    type: type
    brought: str | None = None
    instead: str = ""
    families: Callable[[], Iterable[str]] = tuple

    def made(self, text: object) -> bool:
        """Return whether a text is NAME:TEXT of such a family."""
        family, colon, _ = text.partition(":") if isinstance(text, str) else ("", "", "")
        return bool(colon) and family.strip().lower() in self.families()


def is_file(text: object) -> bool:
    """Return whether a text is ``FILE.py`` or ``FILE.py:NAME``."""
    return isinstance(text, str | Path) and _TEXT.fullmatch(str(text)) is not None


def parts(text: str) -> tuple[str, str]:
    """Return FILE.py and NAME of ``FILE.py[:NAME]``; the name may be empty."""
    match = _TEXT.fullmatch(text)
    assert match is not None, "is_file says so"
    return match["file"], match["name"] or ""


def from_file(argument: str, named: str | Path, kind: Kind) -> Any:
    """Return the one object of a kind that ``FILE.py`` holds, or ``FILE.py:NAME`` names.

    NAME is the name of a variable, the ``name`` of the object, or its name in the file's ledger. Raises ``InputError`` for
    ``argument`` where the file cannot be run, and where there is not exactly one such object.
    """
    text = str(named)
    candidates = things(argument, text, kind)
    if len({id(value) for value in candidates.values()}) == 1:
        return next(iter(candidates.values()))
    path, name = parts(text)
    names = ", ".join(things(argument, path, kind) if name else candidates)
    if names and name:
        raise InputError(argument, text, f"has no {kind.words} of that name, or several (there are: {names})")
    if names:
        raise InputError(argument, text, f"must contain one {kind.words}, or be FILE.py:NAME (there are: {names})")
    raise InputError(argument, text, f"must contain a {kind.words}, has none{_others(argument, path)}{kind.instead}")


def _others(argument: str, path: str) -> str:
    """Return in words the forms, policies and laws in a file that holds none of the kind asked for."""
    kinds = {"Form": "form", "Policy": "policy", "Distribution": "law"}
    values = {key: value for key, value in vars(module(argument, path)).items() if not isinstance(value, type)}
    held = [
        f"the {words} {key}"
        for key, value in values.items()
        for words in dict.fromkeys(kinds[base.__name__] for base in type(value).mro() if base.__name__ in kinds)
    ]
    return f", but {' and '.join(held)}" if held else ""


def things(argument: str, text: str, kind: Kind) -> dict[str, Any]:
    """Return by name the objects of a kind in ``FILE.py``, or those that the NAME of ``FILE.py:NAME`` may mean."""
    path, name = parts(text)
    values = vars(module(argument, path))
    found = {key: value for key, value in values.items() if isinstance(value, kind.type)}
    if kind.brought:
        brought: Any = getattr(values.get("LEDGER"), kind.brought, dict)()
        in_file = {id(value) for value in found.values()}
        found |= {
            key: value for key, value in brought.items() if isinstance(value, kind.type) and id(value) not in in_file
        }
    if not name:
        return found
    if name in found:
        return {name: found[name]}
    return {key: value for key, value in found.items() if getattr(value, "name", None) == name}


def module(argument: str, path: str | Path, again: bool = False) -> ModuleType:
    """Run a Python file once, until it changes or ``again``, and return its module; an error in it names file and line."""
    if again:
        _run.cache_clear()
    file = input_file(argument, path, "Python file").resolve()
    state = file.stat()
    try:
        return _run(file, state.st_mtime_ns, state.st_size)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit and whatever else the file does
        raise InputError(argument, str(path), f"must run: {in_words(error, file)}") from None


@cache
def _run(file: Path, changed: int, size: int) -> ModuleType:
    name = f"crtools_own_{file.stem}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None, "a file in .py has a loader"
    made = module_from_spec(spec)
    with _neighbours(file.parent):
        sys.modules[name] = made  # dataclasses look there while they are made
        try:
            spec.loader.exec_module(made)
        finally:
            del sys.modules[name]  # so that what the file defines travels to other processes whole
    return made


@contextmanager
def _neighbours(folder: Path) -> Generator[None, None, None]:
    """Let a file import its neighbours before anything else, and forget them later: other folders may have the same names."""
    before, path = set(sys.modules), str(folder)
    sys.path.insert(0, path)
    try:
        yield
    finally:
        sys.path.remove(path)
        if path not in sys.path:
            sys.path.append(path)  # for what its functions import later
        for name in set(sys.modules) - before:
            path_of = getattr(sys.modules[name], "__file__", None)
            if path_of and "." not in name and name not in RESERVED and Path(path_of).resolve().parent == folder:
                del sys.modules[name]


def in_words(error: BaseException, file: Path) -> str:
    """Return an error in words, with the user's file and line where it arose."""
    if isinstance(error, InputError):
        words = str(error)
    else:
        words = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}".removesuffix(": ")
    if isinstance(error, SyntaxError) and error.filename:
        return f"{words} ({Path(error.filename).name}, line {error.lineno})"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == file.parent]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{' '.join(words.split())}{where}"


def readings(argument: str, text: str, kinds: tuple[Kind, ...]) -> dict[Kind, dict[str, Any]]:
    """Return what ``FILE.py[:NAME]`` may mean: by kind, the objects of that kind by name; kinds without objects left out."""
    by_kind = {kind: things(argument, text, kind) for kind in kinds}
    return {kind: objects for kind, objects in by_kind.items() if objects}
