"""Property tests draw the same examples on every run; results that commands keep go to a folder of the run's own."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

_kept = tempfile.TemporaryDirectory(prefix="crtools-tests-")
os.environ["XDG_CACHE_HOME"] = _kept.name
