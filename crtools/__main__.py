"""``python -m crtools``."""

from __future__ import annotations

import sys

from crtools.cli import main

if __name__ == "__main__":
    sys.exit(main())
