"""``python check DIR``, ``python -m check DIR``, and the one file that ``make checker`` makes."""

import sys
from pathlib import Path

folder = Path(__file__).resolve().parent
if (folder / "command.py").is_file():
    sys.path.insert(0, str(folder.parent))

from check.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
