"""Input files are read only if they are regular and not too large; output files are written whole or not at all."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path
from secrets import token_hex
from stat import S_ISREG
from tempfile import TemporaryFile

from crtools.errors import InputError

LARGEST_INPUT = 2**28
"""Upper limit on the bytes of a file that is read: 256 MiB, as docs/data-files.md and docs/speed-and-limits.md say."""

FULL = (ENOSPC, EDQUOT)
"""Error numbers of a full disk or quota: the argument itself is not at fault."""

FOLDER = "must be a folder that can be written"
FILE = "must be a file in a folder that exists and can be written"


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files of one folder so that each appears whole or not at all, and none before all are on the disk.

    Files of these names are replaced. Raises ``OSError`` where that fails, and leaves no part behind then; a process
    that is killed can leave a file ``.part-…``, which nothing reads.
    """
    parts = {path.with_name(f".part-{token_hex(8)}"): path for path in contents}
    try:
        for part, path in parts.items():
            with part.open("xb") as file:
                file.write(contents[path])
                file.flush()
                os.fsync(file.fileno())
        for part, path in parts.items():
            os.replace(part, path)
    except BaseException:
        for part in parts:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        raise


def write_text(argument: str, path: str | Path, text: str) -> int:
    """Write a text as UTF-8 and return its size in bytes; ``InputError`` where that fails, ``OSError`` on a full disk."""
    data = text.encode("utf-8")
    with refused(argument, path, FILE):
        write_whole({Path(path): data})
    return len(data)


@contextmanager
def refused(argument: str, path: str | Path, allowed: str) -> Generator[None, None, None]:
    """Turn an ``OSError`` into the ``InputError`` of an argument that names a file or a folder; a full disk stays one."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise InputError(argument, str(path), f"{allowed} ({error.strerror or error})") from None


def output_folder(argument: str, path: str | Path) -> Path:
    """Return a folder that can be written, made if it is missing; ``InputError`` otherwise."""
    folder = spelled_path(argument, path, FOLDER)
    with refused(argument, path, FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return folder


def output_file(argument: str, path: str | Path) -> Path:
    """Return the path of a file that can be written, without making it; ``InputError`` otherwise."""
    file = spelled_path(argument, path, FILE)
    with refused(argument, path, FILE):
        with suppress(FileNotFoundError):
            if not S_ISREG(file.stat().st_mode):
                raise InputError(argument, str(path), FILE)
        with TemporaryFile(dir=file.parent):
            return file


def spelled_path(argument: str, path: str | Path, allowed: str) -> Path:
    """Return a path; ``InputError`` with what is allowed where it is empty or has control characters."""
    if not str(path).strip() or any(ord(c) < 32 or 127 <= ord(c) < 160 for c in str(path)):
        raise InputError(argument, str(path), f"{allowed}, and not empty or with control characters")
    return Path(path)


def input_file(argument: str, path: str | Path, kind: str) -> Path:
    """Return the path of a file to read; ``InputError`` unless it is there, regular and of at most ``LARGEST_INPUT`` bytes."""
    allowed = f"must be a readable {kind}"
    with refused(argument, path, allowed):
        try:
            found = Path(path).stat()
        except ValueError as error:  # a null character
            raise InputError(argument, str(path), f"{allowed} ({error})") from None
    if not S_ISREG(found.st_mode) or found.st_size > LARGEST_INPUT:
        raise InputError(argument, str(path), f"{allowed}, a regular file of at most {LARGEST_INPUT >> 20} MiB")
    return Path(path)
