"""``python3 crtools_check.py DIR`` and ``crtools-check DIR``: the program is the folder ``check``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from check.command import main

if __name__ == "__main__":
    sys.exit(main())
