"""What the text's theorems on the process say in words, tried on small runs: each function returns None, or where it fails."""

from __future__ import annotations
