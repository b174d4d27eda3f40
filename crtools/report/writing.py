"""Text files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from crtools.errors import InputError


def check_writable(argument: str, path: str) -> None:
    """Raise ``InputError`` where no file can be written at a path; nothing is left there."""
    target = Path(path)
    folder = target.parent
    if not path.strip() or target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(argument, path, "must be a file in a folder that exists and can be written")


def write_text(argument: str, path: str, text: str) -> int:
    """Write a text as UTF-8 and return its size in bytes; a file of that name is replaced in one step.

    Raises ``InputError`` where that fails.
    """
    target = Path(path)
    data = text.encode("utf-8")
    part = ""
    try:
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=".part-")
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, target)
    except OSError as error:
        with suppress(OSError):
            os.unlink(part)
        raise InputError(argument, path, f"must be a file that can be written ({error.strerror})") from None
    return len(data)


def _umask() -> int:
    """Return the process's mask for new files, which ``mkstemp`` does not heed."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
