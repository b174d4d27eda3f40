"""Where the checkout is, and the folder of public data beside it, which may be missing."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
